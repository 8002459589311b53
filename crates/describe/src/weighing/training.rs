//! What labelled documents teach about one field: measured shares of rules, and a regression.

use super::class_shares::{Count, Spoken, best_pull, share_in_class};
use super::findings::Findings;
use super::indicators::Indicators;
use super::labels::LabelledField;
use super::logistic::{Contest, Row, fit};
use super::regression::{Competition, NUMBER_OF_RULES, ONLY_CANDIDATE, STRONGEST_RIVAL};
use super::weights::{FieldWeights, MIN_CLASS_SAMPLES, Measured, Regression, RuleGroup};
use std::collections::BTreeMap;

/// Fewer labelled values teach no regression.
const MIN_CASES: usize = 50;

/// As many values must be right, and as many wrong, for a regression.
const MIN_OF_EACH: usize = 5;

/// A rule seen less often has no coefficient; its few samples speak beside the regression.
const MIN_SIGNAL_SAMPLES: u64 = 5;

/// A regression has no more columns; the rarest signals go without.
const MAX_COLUMNS: usize = 200;

/// Penalties of coefficients, as the precision of a normal prior: hardly any for the intercept, that
/// of a moderate one for signals, and a narrow one for what is special in a class.
const PENALTY_OF_INTERCEPT: f64 = 1e-3;
const PENALTY_OF_SIGNAL: f64 = 2.0;
const PENALTY_IN_CLASS: f64 = 4.0;

/// One labelled field of one document.
pub(super) struct Lesson<'a> {
    pub(super) site: &'a str,
    pub(super) class: &'a str,
    pub(super) labelled: &'a LabelledField,
    pub(super) candidates: Vec<Indicators>,
}

impl Lesson<'_> {
    /// Something to sort by that depends on the lesson alone.
    pub(super) fn order(&self) -> impl Ord {
        let candidates = self.labelled.candidates.iter().map(|it| {
            let spoke: Vec<&str> = it.indicators.spoke.iter().map(|it| it.id.as_str()).collect();
            (it.value.as_str(), it.right, spoke)
        });
        (self.site, self.class, candidates.collect::<Vec<_>>())
    }

    /// Candidates whose label is known, by their place.
    fn judged(&self) -> impl Iterator<Item = (usize, bool)> {
        let candidates = self.labelled.candidates.iter().enumerate();
        candidates.filter_map(|(which, it)| Some((which, it.right?)))
    }

    /// For each of these, everyone who spoke for it or against it, once.
    fn spoken(&self) -> Vec<Spoken<'_>> {
        let mut values = Vec::new();
        for (which, right) in self.judged() {
            let mut spoke: Vec<_> = self.candidates[which].spoke.iter().collect();
            spoke.sort_by_key(|it| it.id.as_str());
            spoke.dedup_by_key(|it| it.id.as_str());
            values.extend(spoke.into_iter().map(|it| Spoken {
                site: self.site,
                class: self.class,
                rule: it.id.as_str(),
                initial: it.initial_weight(),
                right,
            }));
        }
        values
    }
}

/// How the rules of a field speak.
#[derive(Debug, Clone, Copy)]
pub(super) enum Speaking {
    /// The first that fires, as in a decision list.
    Alone,
    /// All that fire, for candidates of which several may be right, or one at most.
    Together { competing: bool },
}

/// What the lessons teach; without curves and thresholds.
pub(super) fn learn<'a>(
    speaking: Speaking,
    lessons: impl IntoIterator<Item = &'a Lesson<'a>>,
) -> FieldWeights {
    let lessons: Vec<&Lesson<'_>> = lessons.into_iter().collect();
    let values: Vec<Spoken<'_>> = lessons.iter().flat_map(|lesson| lesson.spoken()).collect();
    match speaking {
        Speaking::Alone => measure(&values, Some(best_pull(&values))),
        Speaking::Together { competing } => {
            let mut weights = FieldWeights { competing, ..measure(&values, None) };
            regress(&lessons, &mut weights);
            weights
        }
    }
}

/// Shares of rules. Where rules speak alone, shares in classes are drawn towards those in all documents
/// by the given pull; a regression weighs classes for itself, and needs them as they were seen.
fn measure(values: &[Spoken<'_>], pull: Option<f64>) -> FieldWeights {
    let mut all: BTreeMap<&str, (Count, f64)> = BTreeMap::new();
    let mut classes: BTreeMap<&str, BTreeMap<&str, Count>> = BTreeMap::new();
    for value in values {
        let (count, initial) = all.entry(value.rule).or_default();
        count.add(value.right);
        *initial = value.initial;
        classes.entry(value.class).or_default().entry(value.rule).or_default().add(value.right);
    }
    let mut weights = FieldWeights::default();
    let measured = |(count, initial): &(Count, f64)| Measured::new(count.right, count.n, *initial);
    weights.all.rules = all.iter().map(|(id, it)| ((*id).to_owned(), measured(it))).collect();
    if classes.len() > 1 {
        for (class, counts) in classes {
            let in_all = |id: &str| weights.all.rules[id].weight;
            let share = |(id, it): (&&str, &Count)| {
                let measured = match pull {
                    Some(pull) => share_in_class(*it, in_all(id), pull),
                    None => Measured::new(it.right, it.n, in_all(id)),
                };
                ((*id).to_owned(), measured)
            };
            let rules = counts.iter().map(share).collect();
            weights.classes.insert(class.to_owned(), RuleGroup { rules, regression: None });
        }
    }
    weights
}

/// A column of the regression: a signal, or the intercept, in all documents or in those of a class.
type Column<'a> = (Option<&'a str>, Option<&'a str>);

fn regress(lessons: &[&Lesson<'_>], weights: &mut FieldWeights) {
    let columns = columns(lessons, weights);
    let contests = contests(lessons, weights, &columns);
    let outcomes = || contests.iter().flat_map(|it| it.candidates.iter().map(|it| it.1));
    let (cases, right) = (outcomes().count(), outcomes().filter(|right| *right).count());
    if cases < MIN_CASES || right.min(cases - right) < MIN_OF_EACH {
        return;
    }
    let penalties: Vec<f64> = columns.iter().map(|column| penalty(*column)).collect();
    let coefficients = fit(&contests, &penalties);
    let mut regressions: BTreeMap<Option<String>, Regression> = BTreeMap::new();
    for ((class, signal), coefficient) in columns.iter().zip(coefficients) {
        let regression = regressions.entry(class.map(str::to_owned)).or_default();
        match signal {
            None => regression.intercept = coefficient,
            Some(signal) => {
                regression.coefficients.insert((*signal).to_owned(), coefficient);
            }
        }
    }
    for (class, regression) in regressions {
        let group = match class {
            None => &mut weights.all,
            Some(class) => weights.classes.entry(class).or_default(),
        };
        group.regression = Some(regression);
    }
}

fn penalty((class, signal): Column<'_>) -> f64 {
    match (class, signal) {
        (None, None) => PENALTY_OF_INTERCEPT,
        (None, Some(_)) => PENALTY_OF_SIGNAL,
        (Some(_), _) => PENALTY_IN_CLASS,
    }
}

/// All columns worth having, the most frequent first.
fn columns<'a>(lessons: &[&Lesson<'a>], weights: &FieldWeights) -> Vec<Column<'a>> {
    let rules: BTreeMap<&'a str, ()> = lessons
        .iter()
        .flat_map(|lesson| lesson.labelled.candidates.iter())
        .flat_map(|it| it.indicators.spoke.iter().map(|it| (it.id.as_str(), ())))
        .collect();
    let mut counted: Vec<(u64, Column<'a>)> = Vec::new();
    for id in rules.keys() {
        let n = weights.all.rules.get(*id).map_or(0, |it| it.n);
        if n >= MIN_SIGNAL_SAMPLES {
            counted.push((n, (None, Some(*id))));
        }
    }
    counted.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let derived = [None, Some(NUMBER_OF_RULES), Some(ONLY_CANDIDATE), Some(STRONGEST_RIVAL)];
    let mut columns: Vec<Column<'a>> = derived.map(|signal| (None, signal)).to_vec();
    columns.extend(counted.into_iter().map(|(_, column)| column));
    columns.extend(class_columns(lessons, weights, &rules));
    columns.truncate(MAX_COLUMNS);
    columns
}

/// What may be special in the classes that have enough documents.
fn class_columns<'a>(
    lessons: &[&Lesson<'a>],
    weights: &FieldWeights,
    rules: &BTreeMap<&'a str, ()>,
) -> Vec<Column<'a>> {
    let mut documents: BTreeMap<&'a str, u64> = BTreeMap::new();
    for lesson in lessons {
        *documents.entry(lesson.class).or_default() += 1;
    }
    let mut counted: Vec<(u64, Column<'a>)> = Vec::new();
    for (class, n) in documents.iter().filter(|(_, n)| **n >= MIN_CLASS_SAMPLES) {
        let Some(group) = weights.classes.get(*class) else { continue };
        counted.push((*n, (Some(*class), None)));
        for id in rules.keys() {
            let n = group.rules.get(*id).map_or(0, |it| it.n);
            if n >= MIN_CLASS_SAMPLES {
                counted.push((n, (Some(*class), Some(*id))));
            }
        }
    }
    counted.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    counted.into_iter().map(|(_, column)| column).collect()
}

/// One contest for each document, or for each candidate where they do not compete.
fn contests(
    lessons: &[&Lesson<'_>],
    weights: &FieldWeights,
    columns: &[Column<'_>],
) -> Vec<Contest> {
    let places: BTreeMap<Column<'_>, usize> =
        columns.iter().enumerate().map(|(place, column)| (*column, place)).collect();
    let mut contests: Vec<Contest> = Vec::new();
    for lesson in lessons {
        let findings = Findings::of(weights, lesson.class, &lesson.candidates);
        let competition = Competition::new(&findings, &lesson.candidates);
        let mut contest = Contest::default();
        for (which, right) in lesson.judged() {
            let row = row(&competition.signals(which), lesson.class, &places);
            contest.candidates.push((row, right));
            if !weights.competing {
                contests.push(std::mem::take(&mut contest));
            }
        }
        contests.push(contest);
    }
    contests.retain(|contest| !contest.candidates.is_empty());
    contests
}

/// The columns of a candidate: its signals and the intercept, in all documents and in its class.
fn row(signals: &[(&str, f64)], class: &str, places: &BTreeMap<Column<'_>, usize>) -> Row {
    let named = signals.iter().map(|(signal, value)| (Some(*signal), *value));
    let all: Vec<(Option<&str>, f64)> = [(None, 1.0)].into_iter().chain(named).collect();
    let in_group = |group: Option<&str>| {
        let place =
            |(signal, value): &(Option<&str>, f64)| Some((*places.get(&(group, *signal))?, *value));
        all.iter().filter_map(place).collect::<Row>()
    };
    [None, Some(class)].into_iter().flat_map(in_group).collect()
}
