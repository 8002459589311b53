//! Which rules are tried: a set that comes with the program with one of its files perhaps changed, or a file of one's
//! own and nothing else; and with which weights.

use super::super::super::document::words;
use super::super::asked::Asked;
use super::super::tools::Tools;
use super::MAX_TRIED_RULES;
use crate::view::View;
use auslese_describe::{
    Heuristics, HeuristicsError, HeuristicsErrors, SHIPPED_HEURISTICS, Weights,
};
use auslese_model::Field;
use maud::{Markup, html};

/// The set of those who begin with nothing.
const OWN: &str = "own";
const OWN_FILE: &str = "own.heur";
const OWN_RULES: &str = include_str!("../../../../assets/own.heur");
/// The file that is shown of a set, if it has it.
const FIRST_FILE: &str = "title.heur";

#[derive(Debug)]
pub(super) struct Choice {
    pub(super) set: &'static str,
    pub(super) file: String,
    /// Files of the set, by name.
    files: Vec<String>,
    /// The text of the file, perhaps changed.
    pub(super) rules: String,
    pub(super) is_edited: bool,
    pub(super) weights: WeightsChoice,
}

/// What rules are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WeightsChoice {
    /// What was measured on labelled documents.
    Measured,
    /// What their authors wrote.
    Written,
}

impl WeightsChoice {
    pub(super) fn name(self) -> &'static str {
        match self {
            WeightsChoice::Measured => "measured",
            WeightsChoice::Written => "written",
        }
    }
}

impl Choice {
    pub(super) fn of(asked: &Asked, tools: &Tools) -> Choice {
        let wanted = asked.field("set").unwrap_or(SHIPPED_HEURISTICS[0]);
        let known = SHIPPED_HEURISTICS.into_iter().chain([OWN]).find(|set| *set == wanted);
        let set = known.unwrap_or(SHIPPED_HEURISTICS[0]);
        let shipped: Vec<(&str, &str)> = match tools.shipped(set) {
            Some(heuristics) => heuristics.files().collect(),
            None => vec![(OWN_FILE, OWN_RULES)],
        };
        let named = |name: &str| shipped.iter().find(|(file, _)| *file == name);
        let file = asked.field("file").and_then(named).or_else(|| named(FIRST_FILE));
        let (file, text) = file.or(shipped.first()).copied().unwrap_or((OWN_FILE, OWN_RULES));
        // Who changes nothing but the set wants the file of that set.
        let written = asked.lines("rules").filter(|_| asked.field("load") != Some("yes"));
        let rules = written.unwrap_or_else(|| text.to_owned());
        Choice {
            set,
            file: file.to_owned(),
            files: shipped.iter().map(|(file, _)| (*file).to_owned()).collect(),
            is_edited: rules.trim_end() != text.trim_end(),
            rules,
            weights: match asked.field("weights") {
                Some("written") => WeightsChoice::Written,
                _ => WeightsChoice::Measured,
            },
        }
    }

    pub(super) fn weights(&self) -> Weights {
        match self.weights {
            WeightsChoice::Measured => Weights::shipped_for(self.set),
            WeightsChoice::Written => Weights::initial(),
        }
    }

    /// Does something with the rules, or with what is wrong with them.
    pub(super) fn with_heuristics<T>(
        &self,
        tools: &Tools,
        act: impl FnOnce(Result<&Heuristics, HeuristicsErrors>) -> T,
    ) -> T {
        let shipped = tools.shipped(self.set);
        if let (Some(shipped), false) = (shipped, self.is_edited) {
            return act(Ok(shipped));
        }
        if self.rules.len() > MAX_TRIED_RULES {
            let message = format!("rules of more than {MAX_TRIED_RULES} bytes are not tried here");
            let (file, line, column) = (self.file.clone(), 0, 0);
            return act(Err(HeuristicsErrors(vec![HeuristicsError {
                file,
                line,
                column,
                message,
            }])));
        }
        let others = shipped.into_iter().flat_map(Heuristics::files);
        let others = others.filter(|(file, _)| *file != self.file);
        let files: Vec<(&str, &str)> = others.chain([(&*self.file, &*self.rules)]).collect();
        match Heuristics::parse(self.set, &files) {
            Ok(parsed) => act(Ok(&parsed)),
            Err(faults) => act(Err(faults)),
        }
    }

    pub(super) fn controls(&self, view: &View) -> Markup {
        let set_name = |set: &'static str| match set {
            "default" => view.say("default – for web pages", "default – für Webseiten"),
            "carmen" => view.say("carmen – the rules of 2000", "carmen – die Regeln von 2000"),
            "papers" => view
                .say("papers – for documents made of pages", "papers – für Dokumente aus Seiten"),
            OWN => view.say("nothing but the rules below", "nichts als die Regeln unten"),
            other => other,
        };
        let weights = [
            (WeightsChoice::Measured, view.say("as measured", "wie gemessen")),
            (WeightsChoice::Written, view.say("as written in the rules", "wie in den Regeln")),
        ];
        html! {
            div .fields {
                div {
                    label for="set" { (view.say("Heuristics", "Heuristiken")) }
                    select #set name="set" data-press="load" {
                        @for set in SHIPPED_HEURISTICS.into_iter().chain([OWN]) { option value=(set) selected[set == self.set] { (set_name(set)) } }
                    }
                }
                div {
                    label for="file" { (view.say("File", "Datei")) }
                    select #file name="file" data-press="load" {
                        @for file in &self.files { option value=(file) selected[*file == self.file] { (file_name(view, file)) } }
                    }
                }
                div {
                    label for="weights" { (view.say("Weights", "Gewichte")) }
                    select #weights name="weights" {
                        @for (weights, name) in weights { option value=(weights.name()) selected[weights == self.weights] { (name) } }
                    }
                }
                div .presses {
                    button #load .plain name="load" value="yes" formaction="/try#rules" { (view.say("Show this file", "Diese Datei zeigen")) }
                }
            }
            label for="rules" {
                (view.say("Rules, to be changed", "Regeln, zum Ändern"))
                @if self.is_edited { " " span .tag .doubt { (view.say("changed", "geändert")) } }
            }
            textarea #rules name="rules" rows="18" wrap="off" spellcheck="false" autocomplete="off" aria-describedby="rules-hint" { "\n" (self.rules) }
            p #rules-hint .soft { small {
                (view.say(
                    "The result changes while you write. Rules with measured weights keep these, whatever number is written.",
                    "Das Ergebnis ändert sich, während Sie schreiben. Für Regeln mit gemessenen Gewichten gelten diese, gleich welche Zahl dasteht.",
                ))
            } }
        }
    }
}

/// A file by the field it is for, where it bears its name.
fn file_name(view: &View, file: &str) -> String {
    let field = file.strip_suffix(".heur").and_then(Field::parse);
    field.map_or(file.to_owned(), |field| format!("{} ({file})", words::field(view, field)))
}
