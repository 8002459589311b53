//! How a phase is divided: along the numbers of the rows that are to be worked on, into batches of about
//! the same number of them.
//!
//! Few rows are divided, too, so that several workers have something to do; many rows into batches of
//! a bounded size, because a batch is what a worker that dies may cost.

use super::shards::{add_ranges, divide_ranges};
use crate::CatalogError;
use crate::corpus::{ANSWERING, STORING, uncompared, unexamined};
use crate::description::undescribed;
use crate::engine::{Session, Sql};
use crate::{Describable, RoundId};
use auslese_model::RunId;

/// Batches that a phase has at least, as long as they do not get too small.
const BATCHES: u64 = 64;

/// What a phase is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// Everything at once, by one worker.
    Whole,
    /// Bodies that no reader of this version or a later one has examined, by number of their capture.
    Unexamined { reader: u32 },
    /// Requests whose document was read out by exactly this version.
    ReadBy { reader: u32 },
    /// Requests that were answered in a round and not compared with what was there before.
    Uncompared { round: RoundId },
    /// Documents of a kind that a run has not described, by number of their capture.
    Undescribed { run: RunId, kind: Describable },
    /// The ranges of the search index, those of documents that came since included.
    IndexRanges,
}

impl Division {
    pub(super) async fn divide(
        self,
        session: &mut Session,
        work: i64,
        phase: i64,
    ) -> Result<(), CatalogError> {
        let (ids, parameter) = match self {
            Division::Whole => {
                let sql = "INSERT INTO stage_batch (work, phase, number, first_id, last_id, items) \
                           VALUES ($1, $2, 0, 0, 0, 1)";
                session.execute(Sql::new(sql).bind(work).bind(phase)).await?;
                return Ok(());
            }
            Division::IndexRanges => {
                add_ranges(session).await?;
                return divide_ranges(session, work, phase).await;
            }
            Division::Unexamined { reader } => (unexamined(), i64::from(reader)),
            Division::ReadBy { reader } => (read_by(), i64::from(reader)),
            Division::Uncompared { round } => (uncompared(), round.0),
            Division::Undescribed { run, kind } => (undescribed(kind), run.0),
        };
        let sql = format!("SELECT COUNT(*) FROM ({ids}) ids");
        let row = session.row(Sql::new(sql).bind(parameter)).await?;
        let count = row.map_or(Ok(0), |mut row| row.count())?;
        let sql = format!(
            "INSERT INTO stage_batch (work, phase, number, first_id, last_id, items) \
             SELECT $2, $3, batch, MIN(id), MAX(id), COUNT(*) FROM (SELECT id, \
             (ROW_NUMBER() OVER (ORDER BY id) - 1) / $4 AS batch FROM ({ids}) ids) numbered \
             GROUP BY batch"
        );
        let size = self.batch_size(count);
        let sql = Sql::new(sql).bind(parameter).bind(work).bind(phase).bind(size);
        session.execute(sql).await?;
        Ok(())
    }

    /// How many rows a batch has, of so many.
    fn batch_size(self, count: u64) -> u64 {
        let (least, most) = match self {
            // Each takes long.
            Division::Undescribed { kind: Describable::Papers, .. } => (2, 32),
            _ => (8, 256),
        };
        (count / BATCHES).clamp(least, most)
    }
}

/// The size of a range of the search index, of so many documents that are not in any yet. Ranges are kept, and
/// each is compared as a whole later, so they may be larger.
pub(super) fn range_size(count: u64) -> u64 {
    (count / BATCHES).clamp(16, 2_048)
}

/// Requests whose document was read out by reader $1.
fn read_by() -> String {
    format!(
        "SELECT r.id FROM request r JOIN http_header h ON h.id = r.capture_id \
         JOIN http_header a ON a.id = {ANSWERING} JOIN content c ON c.capture_id = {STORING} \
         WHERE c.reader = $1"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_batches() {
        let pages = Division::Unexamined { reader: 1 };
        let papers = Division::Undescribed { run: RunId(1), kind: Describable::Papers };
        #[rustfmt::skip]
        let cases = [
            // rows        pages  papers  ranges
            (0,            8,     2,      16),
            (300,          8,     4,      16),
            (6_400,        100,   32,     100),
            (10_000_000,   256,   32,     2_048),
        ];
        for (count, of_pages, of_papers, ranges) in cases {
            let found = (pages.batch_size(count), papers.batch_size(count), range_size(count));
            assert_eq!(found, (of_pages, of_papers, ranges), "{count}");
        }
    }
}
