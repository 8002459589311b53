//! Has PostgreSQL look again at tables that a crawl fills quickly.
//!
//! The planner goes by counts that the server takes from time to time, once a minute at the earliest. In that
//! minute a crawl makes tens of thousands of rows, while the planner still takes the tables for empty: it
//! picked an index of all stored captures to look for sixty digests, and a crawl of 44,000 files took four times
//! as long. So whoever commits has the counts taken when its own rows have become four times as many; later on
//! the server does it often enough by itself.

use crate::engine::{Dialect, Sql};
use crate::{Catalog, CatalogError};
use std::sync::atomic::{AtomicU64, Ordering};

/// Captures after which the tables are looked at for the first time.
const FIRST: u64 = 500;
/// How many times more there are at the next look.
const FACTOR: u64 = 4;
/// Captures after which the server is left to itself.
const LAST: u64 = 200_000;

/// What one process has committed.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    captures: AtomicU64,
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
}

impl Catalog {
    /// Counts captures that were committed just now.
    pub(crate) async fn note_growth(&self, captures: usize) -> Result<(), CatalogError> {
        if !self.growth.add(captures as u64) {
            return Ok(());
        }
        let mut session = self.engine.reader().await?;
        if session.dialect() == Dialect::Postgres {
            session.execute(Sql::new("ANALYZE request, http_header, server_queue")).await?;
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
}
