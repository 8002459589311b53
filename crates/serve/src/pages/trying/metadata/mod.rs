//! What the page says about itself, by heuristics that may be changed while one looks: statements with weights, and of
//! each rule why it spoke or did not.

mod choice;
mod faults;
mod show;

use super::asked::Asked;
use super::matter::Matter;
use super::{Outcome, Trial, quoted, shortened};
use crate::site::Site;
use crate::view::View;
use auslese_describe::{
    Explanation, FieldExplained, Heuristics, HeuristicsErrors, NameExplained, Subject, Verdict,
    explain,
};
use auslese_model::Field;
use choice::Choice;
use faults::{Fault, marked};
use maud::Markup;
use serde::Serialize;
use serde_json::Value;

/// Bytes of a file of heuristics that is tried; the largest that is shipped is half of it. Checking
/// regular expressions has no other bound.
pub(crate) const MAX_TRIED_RULES: usize = 24 << 10;
/// Values of a field that are told of, chosen or not.
pub(crate) const MAX_VALUES_TRIED: usize = 100;
/// Values of a rule that are told of.
pub(crate) const MAX_RULE_VALUES: usize = 20;
/// Letters of a value, or of a reason, that are shown.
const VALUE_LETTERS: usize = 1_200;

pub(super) struct Metadata;

impl Trial for Metadata {
    fn name(&self) -> &'static str {
        "metadata"
    }

    fn title(&self, view: &View) -> &'static str {
        view.say("Metadata", "Metadaten")
    }

    fn controls(&self, view: &View, asked: &Asked) -> Markup {
        Choice::of(asked, &view.site.tools).controls(view)
    }

    fn run(&self, site: &Site, matter: &Matter, asked: &Asked) -> Box<dyn Outcome> {
        let choice = Choice::of(asked, &site.tools);
        let said = choice.with_heuristics(&site.tools, |heuristics| {
            heuristics.map(|heuristics| Said::of(heuristics, &choice, matter))
        });
        let mut found = Found {
            set: choice.set.to_owned(),
            file: choice.file.clone(),
            edited: choice.is_edited,
            weights: choice.weights.name(),
            faults: Vec::new(),
            further_faults: 0,
            said: None,
        };
        match said {
            Ok(said) => found.said = Some(said),
            Err(HeuristicsErrors(faults)) => {
                (found.faults, found.further_faults) = marked(faults, &choice);
            }
        }
        Box::new(found)
    }
}

#[derive(Debug, Serialize)]
struct Found {
    set: String,
    /// The file that can be edited.
    file: String,
    /// Whether it differs from the one that is shipped.
    edited: bool,
    weights: &'static str,
    /// What is wrong with the rules; then nothing is said.
    faults: Vec<Fault>,
    further_faults: usize,
    #[serde(flatten)]
    said: Option<Said>,
}

/// What the rules say, in the form of `auslese heuristics explain --json`.
#[derive(Debug, Serialize)]
struct Said {
    class: String,
    trouble: Option<String>,
    /// What is not wrong in the rules, but worth a look.
    warnings: Vec<String>,
    fields: Vec<FieldTried>,
    names: Vec<NameExplained>,
}

#[derive(Debug, Serialize)]
struct FieldTried {
    #[serde(flatten)]
    explained: FieldExplained,
    /// Whether its heuristic stands in the file that can be edited.
    in_file: bool,
    /// Values beyond the limit.
    left_out: usize,
}

impl Said {
    fn of(heuristics: &Heuristics, choice: &Choice, matter: &Matter) -> Said {
        let subject =
            Subject { page: &matter.page, url: matter.url.as_ref(), around: &matter.around };
        let Explanation { names, fields, class, trouble } =
            explain(&subject, heuristics, &choice.weights(), None);
        let in_file = |place: &str| {
            place.strip_prefix(&choice.file).is_some_and(|rest| rest.starts_with(':'))
        };
        let own_names = names.into_iter().filter(|name| in_file(&name.place));
        let mut fields: Vec<FieldTried> = fields
            .into_iter()
            .map(|mut explained| {
                let in_file = explained.rules.iter().any(|rule| in_file(&rule.place));
                let left_out = bound(&mut explained);
                FieldTried { explained, in_file, left_out }
            })
            .collect();
        // What is edited comes first.
        fields.sort_by_key(|field| !field.in_file);
        let warnings = heuristics.check().iter().filter(|it| it.file == choice.file);
        Said {
            class,
            trouble,
            warnings: warnings.take(MAX_RULE_VALUES).map(ToString::to_string).collect(),
            fields,
            names: own_names.collect(),
        }
    }

    /// The value of a field that is sure enough to be said.
    fn chosen(&self, field: Field) -> Option<&str> {
        let of_field = self.fields.iter().find(|it| it.explained.field == field)?;
        let first = of_field.explained.candidates.iter().find(|it| it.statement.chosen)?;
        Some(&first.statement.value)
    }
}

/// Cuts what is too long to be shown; says how many values were cut off.
fn bound(explained: &mut FieldExplained) -> usize {
    let left_out = explained.candidates.len().saturating_sub(MAX_VALUES_TRIED);
    explained.candidates.truncate(MAX_VALUES_TRIED);
    for candidate in &mut explained.candidates {
        let statement = &mut candidate.statement;
        statement.value = shortened(&statement.value, VALUE_LETTERS);
        statement.parts.truncate(MAX_RULE_VALUES);
        for part in &mut statement.parts {
            *part = shortened(part, VALUE_LETTERS);
        }
        statement.origin = statement.origin.as_ref().map(|origin| shortened(origin, VALUE_LETTERS));
    }
    for rule in &mut explained.rules {
        match &mut rule.verdict {
            Verdict::Fired { values, .. } => values.truncate(MAX_RULE_VALUES),
            Verdict::Remarks { on } => on.truncate(MAX_RULE_VALUES),
            Verdict::Failed { because } => *because = shortened(because, VALUE_LETTERS),
            Verdict::Empty | Verdict::NotReached { .. } => {}
        }
    }
    left_out
}

impl Outcome for Found {
    fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn summary(&self, view: &View) -> String {
        let Some(said) = &self.said else {
            let count = self.faults.len() + self.further_faults;
            return match count {
                1 => view.say("1 mistake in the rules", "1 Fehler in den Regeln").to_owned(),
                _ => {
                    format!("{count} {}", view.say("mistakes in the rules", "Fehler in den Regeln"))
                }
            };
        };
        match said.chosen(Field::Title) {
            Some(title) => {
                format!("{} {}", view.say("Title", "Titel"), quoted(view, &shortened(title, 100)))
            }
            None => view.say("no title", "kein Titel").to_owned(),
        }
    }

    fn markup(&self, view: &View) -> Markup {
        self.show(view)
    }
}
