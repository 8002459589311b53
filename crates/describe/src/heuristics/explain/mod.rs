//! Says why: what each name was worth, which rules fired, and why the others did not.
//!
//! An explanation is a value, which the front end shows as it likes; [`Explanation::text`] is its form for
//! people who write heuristics.

mod reasons;
mod text;

use super::decide::{Decision, Outcome};
use super::evaluate::{Decided, Evaluation, Item};
use super::syntax::Decides;
use crate::weighing::Account;
use auslese_markup::Places;
use auslese_model::{Field, FoundAt, RuleId, Statement};
use serde::Serialize;

/// Items of a name that are shown; the others are counted.
const SHOWN_ITEMS: usize = 5;

/// Letters of a text that are shown.
const SHOWN_TEXT: usize = 80;

/// How a description came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// The names that were asked for, in the order of the files.
    pub names: Vec<NameExplained>,
    /// By field, in the order of fields.
    pub fields: Vec<FieldExplained>,
    /// The class of documents whose weights were used.
    pub class: String,
    /// Why it ends early, if it does.
    pub trouble: Option<String>,
}

/// What a name was worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NameExplained {
    pub name: String,
    /// `FILE:LINE`.
    pub place: String,
    /// What the file says about it.
    pub source: String,
    /// The first of its items.
    pub items: Vec<ItemExplained>,
    /// How many there are in all.
    pub count: usize,
}

/// A text and where it was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemExplained {
    /// Shortened.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<FoundAt>,
}

/// What a heuristic decided, and how.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldExplained {
    pub field: Field,
    pub heuristic: String,
    /// `first` or `together`.
    pub decides: String,
    /// In the order of the file.
    pub rules: Vec<RuleExplained>,
    /// Best first.
    pub candidates: Vec<CandidateExplained>,
}

/// What became of a rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleExplained {
    pub rule: RuleId,
    /// `FILE:LINE`.
    pub place: String,
    pub source: String,
    pub verdict: Verdict,
}

/// Whether a rule spoke.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Verdict {
    /// It gave these values.
    Fired { values: Vec<String>, initial: f64 },
    /// This part of its condition is false.
    Failed { because: String },
    /// Its condition holds, but it has no value.
    Empty,
    /// Another rule decided before.
    NotReached { decided: RuleId },
    /// A support or doubt, with the candidates it holds for.
    Remarks { on: Vec<String> },
}

/// A candidate, and how its weight came about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateExplained {
    pub statement: Statement,
    /// Supports and doubts that hold for it.
    pub remarks: Vec<RuleId>,
    pub account: Account,
}

/// Explains what was decided about the document.
pub(crate) fn explanation(evaluation: &Evaluation<'_>, decided: &Decided<'_>) -> Explanation {
    let explained = decided.decisions.iter().map(|decision| field(evaluation, decision));
    let fields = explained.collect();
    let (class, trouble) = (evaluation.class().to_owned(), decided.trouble.clone());
    Explanation { names: names(evaluation), fields, class, trouble }
}

fn names(evaluation: &Evaluation<'_>) -> Vec<NameExplained> {
    let program = evaluation.program;
    let explained = program.lets.iter().enumerate().filter_map(|(number, it)| {
        let value = evaluation.known(number)?;
        Some(NameExplained {
            name: it.name.clone(),
            place: program.place(it.value.span),
            source: program.source(it.value.span).to_owned(),
            items: value.iter().take(SHOWN_ITEMS).map(|one| item(evaluation, one)).collect(),
            count: value.len(),
        })
    });
    explained.collect()
}

fn item(evaluation: &Evaluation<'_>, item: &Item) -> ItemExplained {
    ItemExplained {
        text: shortened(evaluation.text(item)),
        place: item.spot.found_at(&mut Places::of(evaluation.tree())),
    }
}

fn field(evaluation: &Evaluation<'_>, decision: &Decision<'_>) -> FieldExplained {
    let heuristic = decision.heuristic;
    let program = evaluation.program;
    let mut rules = Vec::new();
    for (rule, outcome) in heuristic.rules.iter().zip(&decision.outcomes) {
        let verdict = verdict(evaluation, decision, rule.weight, outcome);
        rules.push((rule.span, rule.id.clone(), verdict));
    }
    for (number, remark) in heuristic.remarks.iter().enumerate() {
        let held = decision.candidates.iter().filter(|it| it.remarks.contains(&number));
        let on = held.map(|it| shortened(evaluation.text(&it.item))).collect();
        rules.push((remark.span, remark.id.clone(), Verdict::Remarks { on }));
    }
    rules.sort_by_key(|(span, ..)| span.start);
    let rules = rules.into_iter().map(|(span, rule, verdict)| RuleExplained {
        rule,
        place: program.place(span),
        source: program.source(span).to_owned(),
        verdict,
    });
    FieldExplained {
        field: heuristic.field,
        heuristic: heuristic.name.clone(),
        decides: match heuristic.decides {
            Decides::First => "first".to_owned(),
            Decides::Together => "together".to_owned(),
        },
        rules: rules.collect(),
        candidates: candidates(evaluation, decision),
    }
}

fn verdict(
    evaluation: &Evaluation<'_>,
    decision: &Decision<'_>,
    initial: f64,
    outcome: &Outcome<'_>,
) -> Verdict {
    match outcome {
        Outcome::Fired(items) => {
            let values = items.iter().map(|item| shortened(evaluation.text(item))).collect();
            Verdict::Fired { values, initial }
        }
        Outcome::Failed(condition) => {
            let because = evaluation.why_not(condition, None);
            let because = because.unwrap_or_else(|_| "no steps are left to tell why".to_owned());
            Verdict::Failed { because }
        }
        Outcome::Empty => Verdict::Empty,
        Outcome::NotReached(by) => {
            Verdict::NotReached { decided: decision.heuristic.rules[*by].id.clone() }
        }
    }
}

fn candidates(evaluation: &Evaluation<'_>, decision: &Decision<'_>) -> Vec<CandidateExplained> {
    let heuristic = decision.heuristic;
    let accounts = decision.accounts(evaluation);
    let statements = decision.statements(evaluation, &mut Places::of(evaluation.tree()));
    let all = statements.into_iter().zip(&decision.candidates).zip(accounts);
    all.map(|((statement, candidate), account)| {
        let remarks = candidate.remarks.iter();
        let remarks = remarks.map(|remark| heuristic.remarks[*remark].id.clone()).collect();
        CandidateExplained { statement, remarks, account }
    })
    .collect()
}

/// A text that fits on a line.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
