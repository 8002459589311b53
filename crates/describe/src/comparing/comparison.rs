//! What was gained, lost and changed from one run to another.

use auslese_model::{Description, Field, RuleId, Statement};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A weight that moved less is the same; it is written with three decimals at most.
const SAME_WEIGHT: f64 = 0.0005;

/// Two runs side by side. Only what is said aloud counts, not mere candidates.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RunComparison {
    /// Documents that both runs describe.
    pub documents: u64,
    pub only_before: u64,
    pub only_after: u64,
    pub fields: BTreeMap<Field, FieldChanges>,
    /// Which rule's values took the place of which, the most frequent first.
    pub rules: Vec<RuleChange>,
    /// Gained, lost and changed values in the order of documents, up to a limit.
    pub differences: Vec<Difference>,
    /// Differences beyond the limit.
    pub left_out: u64,
}

/// Values of a field by what happened to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FieldChanges {
    pub gained: u64,
    pub lost: u64,
    /// Another value instead; only where a document has one value.
    pub changed: u64,
    /// The same value with another weight.
    pub reweighted: u64,
    pub same: u64,
}

/// How often a value of one rule gave way to one of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleChange {
    pub field: Field,
    /// None where there was no value.
    pub before: Option<RuleId>,
    /// None where there is no value any more.
    pub after: Option<RuleId>,
    pub n: u64,
}

/// One value that is not what it was.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    pub document: String,
    pub field: Field,
    pub kind: DifferenceKind,
    pub before: Option<Side>,
    pub after: Option<Side>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DifferenceKind {
    Gained,
    Lost,
    Changed,
}

/// What one run says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    pub value: String,
    pub weight: f64,
    /// The rule that speaks for it most.
    pub rule: Option<RuleId>,
}

/// Compares two runs, whatever the order of their documents; lists at most `limit` differences.
pub fn compare_runs(
    before: &[(String, Description)],
    after: &[(String, Description)],
    limit: usize,
) -> RunComparison {
    let by_id = |run: &[(String, Description)]| -> BTreeMap<String, usize> {
        run.iter().enumerate().map(|(place, (id, _))| (id.clone(), place)).collect()
    };
    let (places_before, places_after) = (by_id(before), by_id(after));
    let ids: BTreeSet<&String> = places_before.keys().chain(places_after.keys()).collect();
    let mut comparing = RunComparer::new(limit);
    for id in ids {
        let before = places_before.get(id).map(|place| &before[*place].1);
        let after = places_after.get(id).map(|place| &after[*place].1);
        comparing.add(id, before, after);
    }
    comparing.finish()
}

/// Which rule gave way to which, counted.
type RuleChanges = BTreeMap<(Field, Option<RuleId>, Option<RuleId>), u64>;

/// Compares two runs document by document, for those that do not fit into memory.
#[derive(Debug, Default)]
pub struct RunComparer {
    limit: usize,
    result: RunComparison,
    rules: RuleChanges,
}

impl RunComparer {
    /// Lists at most `limit` differences.
    pub fn new(limit: usize) -> RunComparer {
        RunComparer { limit, ..RunComparer::default() }
    }

    /// Differences listed so far.
    pub fn listed(&self) -> usize {
        self.result.differences.len()
    }

    /// What each run says about a document.
    pub fn add(&mut self, id: &str, before: Option<&Description>, after: Option<&Description>) {
        let (before, after) = match (before, after) {
            (Some(before), Some(after)) => (before, after),
            (Some(_), None) => return self.result.only_before += 1,
            (None, Some(_)) => return self.result.only_after += 1,
            (None, None) => return,
        };
        self.result.documents += 1;
        for field in Field::ALL {
            let before: Vec<&Statement> = before.chosen(field).collect();
            let after: Vec<&Statement> = after.chosen(field).collect();
            self.add_field(id, field, &before, &after);
        }
    }

    fn add_field(&mut self, id: &str, field: Field, before: &[&Statement], after: &[&Statement]) {
        let weights = |side: &[&Statement]| -> BTreeMap<String, f64> {
            side.iter().rev().map(|it| (it.value.clone(), it.weight)).collect()
        };
        let (weights_before, weights_after) = (weights(before), weights(after));
        let mut lost = Vec::new();
        for it in before {
            match weights_after.get(&it.value) {
                Some(weight) => self.add_kept(field, (weight - it.weight).abs() < SAME_WEIGHT),
                None => lost.push(*it),
            }
        }
        let is_new = |it: &&Statement| !weights_before.contains_key(&it.value);
        let gained: Vec<&Statement> = after.iter().copied().filter(is_new).collect();
        if field.is_single()
            && let ([old], [new]) = (lost.as_slice(), gained.as_slice())
        {
            return self.add_difference(id, field, Some(old), Some(new));
        }
        lost.into_iter().for_each(|it| self.add_difference(id, field, Some(it), None));
        gained.into_iter().for_each(|it| self.add_difference(id, field, None, Some(it)));
    }

    fn add_kept(&mut self, field: Field, same_weight: bool) {
        let changes = self.result.fields.entry(field).or_default();
        if same_weight {
            changes.same += 1;
        } else {
            changes.reweighted += 1;
        }
    }

    fn add_difference(
        &mut self,
        id: &str,
        field: Field,
        before: Option<&Statement>,
        after: Option<&Statement>,
    ) {
        let changes = self.result.fields.entry(field).or_default();
        let (kind, count) = match (before, after) {
            (None, _) => (DifferenceKind::Gained, &mut changes.gained),
            (_, None) => (DifferenceKind::Lost, &mut changes.lost),
            _ => (DifferenceKind::Changed, &mut changes.changed),
        };
        *count += 1;
        let (before, after) = (before.map(Side::of), after.map(Side::of));
        let rule = |side: &Option<Side>| side.as_ref().and_then(|it| it.rule.clone());
        *self.rules.entry((field, rule(&before), rule(&after))).or_default() += 1;
        if self.result.differences.len() < self.limit {
            let difference = Difference { document: id.to_owned(), field, kind, before, after };
            self.result.differences.push(difference);
        } else {
            self.result.left_out += 1;
        }
    }

    pub fn finish(mut self) -> RunComparison {
        let change = |((field, before, after), n)| RuleChange { field, before, after, n };
        self.result.rules = self.rules.into_iter().map(change).collect();
        self.result.rules.sort_by(|a, b| a.field.cmp(&b.field).then(b.n.cmp(&a.n)));
        self.result
    }
}

impl Side {
    fn of(statement: &Statement) -> Side {
        Side {
            value: statement.value.clone(),
            weight: statement.weight,
            rule: statement.rules.first().cloned(),
        }
    }
}

impl DifferenceKind {
    pub fn as_str(self) -> &'static str {
        match self {
            DifferenceKind::Gained => "gained",
            DifferenceKind::Lost => "lost",
            DifferenceKind::Changed => "changed",
        }
    }
}

impl fmt::Display for RunComparison {
    /// The two tables; differences are for those who browse them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} documents in both runs", self.documents)?;
        writeln!(f, ", {} only before, {} only after\n", self.only_before, self.only_after)?;
        let width = "referenced-institution".len();
        writeln!(f, "{:width$}   gained     lost  changed   weight     same", "field")?;
        for (field, it) in &self.fields {
            let FieldChanges { gained, lost, changed, reweighted, same } = it;
            let name = field.as_str();
            writeln!(
                f,
                "{name:width$} {gained:>8} {lost:>8} {changed:>8} {reweighted:>8} {same:>8}"
            )?;
        }
        if self.rules.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n{:width$}        n  before → after", "field")?;
        for RuleChange { field, before, after, n } in &self.rules {
            let name = |rule: &Option<RuleId>| rule.as_ref().map_or("–", RuleId::as_str).to_owned();
            writeln!(f, "{:width$} {n:>8}  {} → {}", field.as_str(), name(before), name(after))?;
        }
        Ok(())
    }
}
