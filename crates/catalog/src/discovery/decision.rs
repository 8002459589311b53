//! Decisions by hand: hosts that a person accepted or rejected, whatever the evidence says.
//!
//! They are written by other processes while a crawl runs. Each write leaves a note among the
//! control rows in the same transaction, so a crawl that looks at its notes learns that decisions
//! were made or withdrawn, and reads them again.

use crate::batch::Batch;
use crate::engine::{Fields, Session, Sql, Value};
use crate::run::insert_control;
use crate::{Catalog, CatalogError};
use auslese_model::{HostName, Timestamp};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt;

/// The kind of the control row that tells a crawl to read the decisions again.
pub const DECISION_NOTE: &str = "decide";

/// The hosts a decision is about: one, or with a leading dot a domain and all below it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostPattern {
    Host(HostName),
    Domain(HostName),
}

impl HostPattern {
    pub fn parse(text: &str) -> Option<HostPattern> {
        let text = text.trim();
        match text.strip_prefix('.') {
            Some(domain) => HostName::parse(domain).map(HostPattern::Domain),
            None => HostName::parse(text).map(HostPattern::Host),
        }
    }

    pub fn covers(&self, host: &HostName) -> bool {
        match self {
            HostPattern::Host(name) => host == name,
            HostPattern::Domain(domain) => host.is_within(domain.as_str()),
        }
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostPattern::Host(name) => write!(f, "{name}"),
            HostPattern::Domain(domain) => write!(f, ".{domain}"),
        }
    }
}

impl From<HostName> for HostPattern {
    fn from(host: HostName) -> HostPattern {
        HostPattern::Host(host)
    }
}

/// What a person decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandDecision {
    pub pattern: HostPattern,
    /// Whether the hosts belong; if not, they never do.
    pub accept: bool,
    pub note: String,
    /// A person, or the file it was read from, such as `scope.csv`.
    pub by: String,
    pub at: Timestamp,
}

impl Catalog {
    /// Stores decisions; of several on the same hosts the last one written holds.
    pub async fn set_hand_decisions(&self, decisions: &[HandDecision]) -> Result<(), CatalogError> {
        let decisions: BTreeMap<&HostPattern, &HandDecision> =
            decisions.iter().map(|decision| (&decision.pattern, decision)).collect();
        let Some(at) = decisions.values().map(|decision| decision.at).max() else { return Ok(()) };
        let mut session = self.engine.begin().await?;
        let note = json!({ "decided": decisions.len() });
        insert_control(&mut session, DECISION_NOTE, &note, at).await?;
        insert_decisions(&mut session, decisions.into_values()).await?;
        Ok(session.commit().await?)
    }

    /// Withdraws a decision; whether there was one.
    pub async fn remove_hand_decision(
        &self,
        pattern: &HostPattern,
        at: Timestamp,
    ) -> Result<bool, CatalogError> {
        let mut session = self.engine.begin().await?;
        let name = pattern.to_string();
        let sql = Sql::new("DELETE FROM hand_decision WHERE pattern = $1").bind(name.as_str());
        let removed = session.execute(sql).await? > 0;
        if removed {
            let note = json!({ "withdrawn": name });
            insert_control(&mut session, DECISION_NOTE, &note, at).await?;
        }
        session.commit().await?;
        Ok(removed)
    }

    /// All decisions, oldest first.
    pub async fn hand_decisions(&self) -> Result<Vec<HandDecision>, CatalogError> {
        self.hand_decisions_since(Timestamp(i64::MIN)).await
    }

    /// The decisions made at a time or later, oldest first. It goes by the clocks of those who
    /// decided, and says nothing of decisions that were withdrawn.
    pub async fn hand_decisions_since(
        &self,
        time: Timestamp,
    ) -> Result<Vec<HandDecision>, CatalogError> {
        let sql = "SELECT pattern, accept, note, made_by, at FROM hand_decision WHERE at >= $1 \
                   ORDER BY at, pattern";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(time)).await?;
        rows.into_iter().filter_map(|mut row| read_decision(&mut row).transpose()).collect()
    }
}

async fn insert_decisions(
    session: &mut Session,
    decisions: impl Iterator<Item = &HandDecision>,
) -> Result<(), CatalogError> {
    let mut batch = Batch::new(
        "INSERT INTO hand_decision (pattern, accept, note, made_by, at)",
        5,
        " ON CONFLICT (pattern) DO UPDATE SET accept = excluded.accept, note = excluded.note, \
         made_by = excluded.made_by, at = excluded.at",
    );
    for decision in decisions {
        batch.push([
            Value::Text(Some(decision.pattern.to_string())),
            decision.accept.into(),
            decision.note.as_str().into(),
            decision.by.as_str().into(),
            decision.at.into(),
        ]);
    }
    batch.run(session).await?;
    Ok(())
}

/// `None` for a row somebody wrote by other means whose pattern is none: it must not stop a crawl.
fn read_decision(row: &mut Fields) -> Result<Option<HandDecision>, CatalogError> {
    let pattern = row.text()?;
    let Some(pattern) = HostPattern::parse(&pattern) else {
        tracing::warn!("a decision by hand cannot be read: {pattern:?} is not a host");
        return Ok(None);
    };
    Ok(Some(HandDecision {
        pattern,
        accept: row.number()? != 0,
        note: row.text()?,
        by: row.text()?,
        at: Timestamp(row.number()?),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_reads_back(text in ".{0,40}", dot in any::<bool>()) {
            let text = format!("{}{text}", if dot { "." } else { "" });
            if let Some(pattern) = HostPattern::parse(&text) {
                let written = pattern.to_string();
                prop_assert_eq!(HostPattern::parse(&written), Some(pattern), "{}", written);
            }
        }
    }

    #[test]
    fn patterns() {
        #[rustfmt::skip]
        let cases = [
            // pattern           written            host                covered
            ("www.uni.example",  "www.uni.example", "www.uni.example",  true),
            ("www.uni.example",  "www.uni.example", "a.www.uni.example", false),
            (" .Uni.Example. ",  ".uni.example",    "uni.example",      true),
            (".uni.example",     ".uni.example",    "a.b.uni.example",  true),
            (".uni.example",     ".uni.example",    "other-uni.example", false),
            (".münchen.example", ".xn--mnchen-3ya.example", "www.xn--mnchen-3ya.example", true),
        ];
        for (text, written, host, covered) in cases {
            let pattern = HostPattern::parse(text).unwrap();
            assert_eq!(pattern.to_string(), written, "{text}");
            assert_eq!(pattern.covers(&HostName::parse(host).unwrap()), covered, "{text} {host}");
        }
        for text in ["", ".", "a b", "*.uni.example/x"] {
            assert_eq!(HostPattern::parse(text), None, "{text}");
        }
    }
}
