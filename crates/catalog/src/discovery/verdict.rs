//! Verdicts: which hosts belong, with their reasons.

use super::reopening::reopen_for;
use super::{json, read_host};
use crate::batch::Batch;
use crate::engine::{Fields, Session, Sql, Value};
use crate::{Catalog, CatalogError};
use auslese_model::{Case, Evidence, HostName, Indicator, Membership, Timestamp, Verdict};
use std::collections::BTreeMap;

/// How many hosts were decided on, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostCounts {
    /// Every membership, also those without hosts.
    pub memberships: BTreeMap<Membership, u64>,
    /// Members by case; members whose case is not known yet are missing here.
    pub cases: BTreeMap<Case, u64>,
    /// Hosts with an address in a range of the organisation, whatever the verdict.
    pub in_range: u64,
}

/// What storing verdicts did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Judged {
    /// Verdicts that are not older than what was known.
    pub stored: u64,
    /// Requests that had been refused and are parked again.
    pub reopened: u64,
}

/// The columns [`read_verdict`] expects.
pub(super) const COLUMNS: &str = "host, membership, score, case_number, decided_by, reason, label, evidence, \
    open, at, until";

impl Catalog {
    /// Stores verdicts; a host that has a newer one keeps it. Requests that were refused because
    /// their host did not belong are parked again where it does now, so the crawl takes them up,
    /// whoever has found that out.
    pub async fn set_verdicts(&self, verdicts: &[Verdict]) -> Result<Judged, CatalogError> {
        let mut batch = Batch::new(
            "INSERT INTO host_verdict (host, membership, score, case_number, decided_by, reason, \
             label, evidence, open, at, until, in_range)",
            12,
            " ON CONFLICT (host) DO UPDATE SET membership = excluded.membership, \
             score = excluded.score, case_number = excluded.case_number, \
             decided_by = excluded.decided_by, reason = excluded.reason, label = excluded.label, \
             evidence = excluded.evidence, open = excluded.open, at = excluded.at, \
             until = excluded.until, in_range = excluded.in_range \
             WHERE excluded.at >= host_verdict.at",
        );
        let newest = newest(verdicts);
        for verdict in newest.values() {
            batch.push(verdict_row(verdict)?);
        }
        let mut session = self.engine.begin().await?;
        // First, because it goes by what was thought before.
        let reopened = reopen_for(&mut session, newest.into_values()).await?;
        let stored = batch.run(&mut session).await?;
        session.commit().await?;
        Ok(Judged { stored, reopened })
    }

    pub async fn verdict(&self, host: &HostName) -> Result<Option<Verdict>, CatalogError> {
        let sql = format!("SELECT {COLUMNS} FROM host_verdict WHERE host = $1");
        let row = self.engine.reader().await?.row(Sql::new(sql).bind(host.as_str())).await?;
        row.map(|mut row| read_verdict(&mut row)).transpose()
    }

    /// The next verdicts after the host given, those that have run out included.
    pub async fn verdicts_page(
        &self,
        after: Option<&HostName>,
        limit: usize,
    ) -> Result<Vec<Verdict>, CatalogError> {
        let sql =
            format!("SELECT {COLUMNS} FROM host_verdict WHERE host > $1 ORDER BY host LIMIT $2");
        let sql = Sql::new(sql).bind(after.map_or("", HostName::as_str)).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_verdict(&mut row)).collect()
    }

    /// How many hosts belong, and in which case.
    pub async fn host_counts(&self) -> Result<HostCounts, CatalogError> {
        count_hosts(&mut self.engine.reader().await?).await
    }
}

pub(crate) async fn count_hosts(session: &mut Session) -> Result<HostCounts, CatalogError> {
    let sql = "SELECT membership, case_number, COUNT(*), CAST(SUM(in_range) AS BIGINT) \
               FROM host_verdict GROUP BY membership, case_number";
    let memberships = Membership::ALL.map(|membership| (membership, 0));
    let mut counts = HostCounts { memberships: memberships.into(), ..HostCounts::default() };
    for mut row in session.rows(Sql::new(sql)).await? {
        let (membership, case) = (Membership::parse(&row.text()?), read_case(row.maybe_number()?));
        let (hosts, in_range) = (row.count()?, row.count()?);
        counts.in_range += in_range;
        if let Some(membership) = membership {
            *counts.memberships.entry(membership).or_default() += hosts;
        }
        if let Some(case) = case.filter(|_| membership == Some(Membership::Member)) {
            *counts.cases.entry(case).or_default() += hosts;
        }
    }
    Ok(counts)
}

fn newest(verdicts: &[Verdict]) -> BTreeMap<&HostName, &Verdict> {
    let mut newest: BTreeMap<&HostName, &Verdict> = BTreeMap::new();
    for verdict in verdicts {
        let known = newest.entry(&verdict.host).or_insert(verdict);
        if verdict.at >= known.at {
            *known = verdict;
        }
    }
    newest
}

fn verdict_row(verdict: &Verdict) -> Result<[Value; 12], CatalogError> {
    let evidence: Vec<Evidence> = verdict
        .evidence
        .iter()
        .map(|evidence| Evidence { strength: share(evidence.strength), ..evidence.clone() })
        .collect();
    let unwritable = |error| CatalogError::damaged(format!("a verdict is not JSON: {error}"));
    Ok([
        verdict.host.as_str().into(),
        verdict.membership.as_str().into(),
        share(verdict.score).into(),
        verdict.case.map(|case| i64::from(case.number())).into(),
        verdict.decided_by.map(Indicator::as_str).into(),
        verdict.reason.as_str().into(),
        (&verdict.label).into(),
        json(serde_json::to_value(&evidence).map_err(unwritable)?),
        json(serde_json::to_value(&verdict.open).map_err(unwritable)?),
        verdict.at.into(),
        verdict.until.into(),
        is_in_range(verdict).into(),
    ])
}

/// From 0 to 1; what is no number at all, which neither JSON nor SQLite can store, is 0.
fn share(number: f64) -> f64 {
    if number.is_nan() { 0.0 } else { number.clamp(0.0, 1.0) }
}

/// A host decided on by hand may have been looked at no further; then its case tells.
fn is_in_range(verdict: &Verdict) -> bool {
    let internal = matches!(
        verdict.case,
        Some(Case::InternalLinked | Case::InternalOverExternal | Case::InternalUnlinked)
    );
    let mut nets = verdict.evidence.iter().filter(|sign| sign.indicator == Indicator::Net);
    internal || nets.any(|sign| sign.strength > 0.0)
}

fn read_case(number: Option<i64>) -> Option<Case> {
    Case::from_number(u8::try_from(number?).ok()?)
}

/// Reads [`COLUMNS`].
pub(super) fn read_verdict(row: &mut Fields) -> Result<Verdict, CatalogError> {
    let host = read_host(&row.text()?)?;
    let unreadable = |column: &str| {
        CatalogError::damaged(format!("the column {column} of the verdict on {host} is unreadable"))
    };
    let membership = Membership::parse(&row.text()?).ok_or_else(|| unreadable("membership"))?;
    let score = row.fraction()?;
    let case = match row.maybe_number()? {
        Some(number) => Some(read_case(Some(number)).ok_or_else(|| unreadable("case_number"))?),
        None => None,
    };
    let decided_by = match row.maybe_text()? {
        Some(name) => Some(Indicator::parse(&name).ok_or_else(|| unreadable("decided_by"))?),
        None => None,
    };
    let (reason, label) = (row.text()?, row.maybe_text()?);
    let evidence = serde_json::from_str(&row.text()?).map_err(|_| unreadable("evidence"))?;
    let open = serde_json::from_str(&row.text()?).map_err(|_| unreadable("open"))?;
    let (at, until) = (Timestamp(row.number()?), Timestamp(row.number()?));
    Ok(Verdict {
        host,
        membership,
        score,
        case,
        decided_by,
        reason,
        label,
        evidence,
        open,
        at,
        until,
    })
}
