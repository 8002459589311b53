//! Host names that were found without a link, waiting to be judged.

use super::{key_text, read_host};
use crate::batch::Batch;
use crate::catalog::take_candidate_numbers;
use crate::engine::Sql;
use crate::{Catalog, CatalogError};
use auslese_model::{Candidate, Timestamp};
use std::collections::BTreeMap;

/// A candidate with its number; later ones have higher numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedCandidate {
    pub number: i64,
    pub candidate: Candidate,
}

impl Catalog {
    /// Stores candidates. One that its source has offered before stays as it was; returns how many
    /// are new.
    pub async fn offer_candidates(&self, candidates: &[Candidate]) -> Result<u64, CatalogError> {
        let mut first: BTreeMap<_, &Candidate> = BTreeMap::new();
        for candidate in candidates {
            first.entry((&candidate.host, key_text(&candidate.source))).or_insert(candidate);
        }
        if first.is_empty() {
            return Ok(0);
        }
        let mut session = self.engine.begin().await?;
        let number = take_candidate_numbers(&mut session, first.len()).await?;
        let mut batch = Batch::new(
            "INSERT INTO candidate (id, host, source, detail, found_at)",
            5,
            " ON CONFLICT (host, source) DO NOTHING",
        );
        for (number, ((host, source), candidate)) in (number..).zip(first) {
            batch.push([
                number.into(),
                host.as_str().into(),
                source.as_str().into(),
                candidate.detail.as_str().into(),
                candidate.at.into(),
            ]);
        }
        let new = batch.run(&mut session).await?;
        session.commit().await?;
        Ok(new)
    }

    /// The next candidates after the number given, in the order they were stored; 0 begins. Who
    /// remembers the last number learns what is new.
    pub async fn candidates(
        &self,
        after: i64,
        limit: usize,
    ) -> Result<Vec<NumberedCandidate>, CatalogError> {
        let sql = "SELECT id, host, source, detail, found_at FROM candidate WHERE id > $1 \
                   ORDER BY id LIMIT $2";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(after).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| {
                let number = row.number()?;
                let candidate = Candidate {
                    host: read_host(&row.text()?)?,
                    source: row.text()?,
                    detail: row.text()?,
                    at: Timestamp(row.number()?),
                };
                Ok(NumberedCandidate { number, candidate })
            })
            .collect()
    }
}
