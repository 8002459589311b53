//! Keeps a database fit while a crawl fills it quickly.
//!
//! PostgreSQL: the planner goes by counts that the server takes from time to time, once a minute at the earliest. In that
//! minute a crawl makes tens of thousands of rows, while the planner still takes the tables for empty: it
//! picked an index of all stored captures to look for sixty digests, and a crawl of 44,000 files took four times
//! as long. So whoever commits has the counts taken when its own rows have become four times as many; later on
//! the server does it often enough by itself.
//!
//! SQLite: the keys of new links hit the pages of their index at random, so a large catalog needs much memory for pages. A small
//! one would be held in it whole, which gains nothing. So the memory follows the size of the file.

use crate::engine::{Dialect, Sql};
use crate::{Catalog, CatalogError};
use std::sync::atomic::{AtomicU64, Ordering};

/// Captures after which the tables are looked at for the first time.
const FIRST: u64 = 500;
/// How many times more there are at the next look.
const FACTOR: u64 = 4;
/// Captures after which the server is left to itself.
const LAST: u64 = 200_000;

/// Rows after which the memory for pages is measured out anew, again and again.
const ROWS: u64 = 50_000;

/// Of how many bytes of a file one is kept in memory.
const FILE_SHARE: u64 = 4;
/// Memory for the pages of a small file, in KiB.
const LEAST_CACHE_KIB: u64 = 8 * 1024;

/// Memory for pages of a file of so many bytes, in KiB, but no more than the limit.
pub(crate) fn cache_kib(file: u64, limit: u32) -> u64 {
    let limit = u64::from(limit);
    (file / 1024 / FILE_SHARE).clamp(LEAST_CACHE_KIB.min(limit), limit)
}

/// What one process has committed.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    captures: AtomicU64,
    rows: AtomicU64,
}

impl Growth {
    /// Counts captures; whether it is time for another look.
    fn add(&self, captures: u64) -> bool {
        let before = self.captures.fetch_add(captures, Ordering::Relaxed);
        let mut looks = std::iter::successors(Some(FIRST), |look| Some(look * FACTOR));
        looks
            .find(|look| *look > before)
            .is_some_and(|look| look <= LAST && look <= before + captures)
    }

    /// Counts rows; whether the memory for pages should be measured out anew.
    fn add_rows(&self, rows: u64) -> bool {
        let before = self.rows.fetch_add(rows, Ordering::Relaxed);
        before / ROWS < (before + rows) / ROWS
    }
}

impl Catalog {
    /// Counts captures and new requests that were committed just now.
    pub(crate) async fn note_growth(
        &self,
        captures: usize,
        requests: usize,
    ) -> Result<(), CatalogError> {
        let is_due = self.growth.add(captures as u64);
        let is_larger = self.growth.add_rows((captures + requests) as u64);
        if !is_due && !is_larger {
            return Ok(());
        }
        let mut session = self.engine.reader().await?;
        match session.dialect() {
            Dialect::Postgres if is_due => {
                session.execute(Sql::new("ANALYZE request, http_header, server_queue")).await?;
            }
            Dialect::Sqlite if is_larger => {
                let sql = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
                let Some(mut row) = session.row(Sql::new(sql)).await? else { return Ok(()) };
                let kib = cache_kib(row.count()?, self.settings.cache_kib);
                let mut writer = self.engine.begin().await?;
                writer.script(format!("PRAGMA cache_size = -{kib}")).await?;
                writer.commit().await?;
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_become_rarer() {
        let growth = Growth::default();
        let looks: Vec<u64> = (1..=10_000).filter(|_| growth.add(100)).map(|it| it * 100).collect();
        assert_eq!(looks, [500, 2_000, 8_000, 32_000, 128_000]);
        assert!(!Growth::default().add(499) && Growth::default().add(5_000));
    }

    #[test]
    fn memory_for_pages_follows_the_file() {
        const MIB: u64 = 1 << 20;
        #[rustfmt::skip]
        let cases = [
            // file         limit in KiB  KiB
            (0,             128 * 1024,   8 * 1024),
            (34 * MIB,      128 * 1024,   34 * 256),
            (400 * MIB,     128 * 1024,   100 * 1024),
            (4_000 * MIB,   128 * 1024,   128 * 1024),
            (4_000 * MIB,   1024,         1024),
        ];
        for (file, limit, expected) in cases {
            assert_eq!(cache_kib(file, limit), expected, "{file} {limit}");
        }
        let growth = Growth::default();
        let measured: Vec<u64> = (1..=8).filter(|_| growth.add_rows(20_000)).collect();
        assert_eq!(measured, [3, 5, 8]);
    }
}
