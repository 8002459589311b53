//! How what the rules say looks: a table of statements, then field by field why.

use super::super::super::document::words;
use super::{FieldTried, Found, Said, quoted};
use crate::look::{empty_note, weight_bar};
use crate::view::View;
use auslese_describe::{CandidateExplained, NameExplained, RuleExplained, Verdict};
use auslese_model::RuleId;
use maud::{Markup, html};

impl Found {
    pub(super) fn show(&self, view: &View) -> Markup {
        html! {
            p .soft { small {
                (view.say("Heuristics ", "Heuristiken ")) code { (self.set) }
                @if self.edited { ", " code { (self.file) } " " span .tag .doubt { (view.say("changed", "geändert")) } }
                @if let Some(class) = self.said.as_ref().map(|said| &said.class).filter(|class| !class.is_empty()) {
                    " · " (view.say("kind of document: ", "Art des Dokuments: ")) (class)
                }
            } }
            @if let Some(said) = &self.said { (said.show(view)) }
            @else {
                div .note .wrong #faults {
                    (view.say("The rules cannot be read, so nothing is said:", "Die Regeln sind nicht zu lesen, also wird nichts gesagt:"))
                    ol .faults { @for fault in &self.faults { (fault.markup(view)) } }
                    @if self.further_faults > 0 { p { (self.further_faults) " " (view.say("further mistakes", "weitere Fehler")) } }
                }
            }
        }
    }
}

impl Said {
    fn show(&self, view: &View) -> Markup {
        let is_silent = self.fields.iter().all(|field| field.chosen().next().is_none());
        html! {
            @if let Some(trouble) = &self.trouble { p .note role="status" lang="en" { (trouble) } }
            @for warning in &self.warnings { p .note lang="en" { (warning) } }
            @if is_silent {
                (empty_note(view.say("The rules say nothing about this.", "Die Regeln sagen nichts darüber.")))
            } @else { (self.statements(view)) }
            @for field in self.fields.iter().filter(|field| field.in_file) { (field.why(view, true)) }
            @if self.fields.iter().any(|field| !field.in_file) {
                h3 { (view.say("Rules of the other files", "Regeln der anderen Dateien")) }
                @for field in self.fields.iter().filter(|field| !field.in_file) { (field.why(view, false)) }
            }
            (self.names(view))
        }
    }

    fn statements(&self, view: &View) -> Markup {
        html! {
            div .scroll { table .statements {
                thead { tr {
                    th { (view.say("Field", "Feld")) }
                    th { (view.say("Value", "Wert")) }
                    th { (view.say("Weight", "Gewicht")) }
                    th { (view.say("Rule", "Regel")) }
                    th { (view.say("Found in", "Gefunden in")) }
                } }
                @for field in &self.fields {
                    @if field.chosen().next().is_some() {
                        tbody { @for (at, candidate) in field.chosen().enumerate() { tr {
                            @if at == 0 { th scope="rowgroup" { (words::field(view, field.explained.field)) } } @else { th {} }
                            (cells(view, candidate))
                        } } }
                    }
                }
            } }
        }
    }

    /// What the names of the file were worth, for who writes rules.
    fn names(&self, view: &View) -> Markup {
        html! {
            @if !self.names.is_empty() {
                details .why-field data-key="names" {
                    summary { (view.say("What the names of this file found", "Was die Namen dieser Datei fanden")) " " span .soft { (self.names.len()) } }
                    ul .names-found { @for name in &self.names { li { (name_found(view, name)) } } }
                }
            }
        }
    }
}

fn name_found(view: &View, name: &NameExplained) -> Markup {
    let further = name.count.saturating_sub(name.items.len());
    html! {
        code { (name.name) } " " span .soft .number { (view.tongue.number(name.count as u64)) }
        @if name.items.is_empty() { " " span .soft { (view.say("nothing", "nichts")) } }
        @else {
            ul { @for item in &name.items { li { (quoted(view, &item.text)) @if let Some(place) = &item.place { " " small title=(place) { (words::place(view, place)) } } } } }
        }
        @if further > 0 { small { "… " (view.tongue.number(further as u64)) " " (view.say("more", "weitere")) } }
    }
}

fn cells(view: &View, candidate: &CandidateExplained) -> Markup {
    let statement = &candidate.statement;
    html! {
        td .break { (statement.value) @if let Some(origin) = &statement.origin { " " span .tag { (origin) } } }
        td { (weight_bar(view, statement.weight)) }
        td {
            @if let Some((first, others)) = statement.rules.split_first() {
                (rule_name(first)) @if !others.is_empty() { " +" (others.len()) }
            }
        }
        td .place {
            @match &statement.place {
                Some(place) => span title=(place) { (words::place(view, place)) },
                None => span .soft { "–" },
            }
        }
    }
}

/// The name of a rule; it may be broken before its label.
fn rule_name(rule: &RuleId) -> Markup {
    let (heuristic, label) = rule.as_str().split_once('<').unwrap_or((rule.as_str(), ""));
    html! { code { (heuristic) @if !label.is_empty() { wbr; "<" (label) } } }
}

impl FieldTried {
    fn chosen(&self) -> impl Iterator<Item = &CandidateExplained> {
        self.explained.candidates.iter().filter(|it| it.statement.chosen)
    }

    fn why(&self, view: &View, open: bool) -> Markup {
        let explained = &self.explained;
        let fired = explained.rules.iter();
        let fired = fired.filter(|it| matches!(it.verdict, Verdict::Fired { .. })).count();
        let decides = match explained.decides.as_str() {
            "first" => view.say(
                "the first rule that fires decides",
                "die erste Regel, die greift, entscheidet",
            ),
            _ => view.say("rules decide together", "Regeln entscheiden zusammen"),
        };
        html! {
            details .why-field data-key={ "field-" (explained.field) } open[open] {
                summary {
                    (words::field(view, explained.field)) ": " (fired) (view.say(" of ", " von ")) (explained.rules.len()) " " (view.say("rules fired", "Regeln griffen"))
                    " " span .soft { "– " (decides) }
                }
                @if !explained.candidates.is_empty() {
                    details .weights-of data-key={ "weights-" (explained.field) } {
                        summary { (view.say("Candidates and how their weights came about", "Kandidaten und wie ihre Gewichte entstanden")) " " span .soft { (explained.candidates.len()) } }
                        ol .candidates { @for candidate in &explained.candidates { (candidate_markup(view, candidate)) } }
                        @if self.left_out > 0 { p .soft { (view.tongue.number(self.left_out as u64)) " " (view.say("further candidates are not shown", "weitere Kandidaten sind nicht gezeigt")) } }
                    }
                }
                ol .rules-tried { @for rule in &explained.rules { (rule_markup(view, rule)) } }
            }
        }
    }
}

fn candidate_markup(view: &View, candidate: &CandidateExplained) -> Markup {
    let statement = &candidate.statement;
    html! {
        li .is-chosen[statement.chosen] {
            (weight_bar(view, statement.weight)) " " span .break { (statement.value) }
            @if statement.chosen { " " span .tag .good { (view.say("said", "gesagt")) } }
            pre lang="en" { (candidate.account) }
        }
    }
}

fn rule_markup(view: &View, rule: &RuleExplained) -> Markup {
    let (colour, word) = match &rule.verdict {
        Verdict::Fired { .. } => ("good", view.say("fired", "griff")),
        Verdict::Remarks { on } if !on.is_empty() => ("good", view.say("holds", "gilt")),
        Verdict::Remarks { .. } => ("", view.say("for none", "für keinen")),
        Verdict::NotReached { .. } => ("", view.say("not reached", "nicht erreicht")),
        Verdict::Failed { .. } | Verdict::Empty => ("", view.say("no", "nein")),
    };
    html! {
        li {
            span class={ "tag " (colour) } { (word) } " "
            code title=(rule.place) { (one_line(&rule.source)) }
            div .reason {
                @match &rule.verdict {
                    Verdict::Fired { values, .. } => (list(view, values)),
                    Verdict::Failed { because } => span lang="en" { (because) },
                    Verdict::Empty => (view.say("its value is empty", "ihr Wert ist leer")),
                    Verdict::NotReached { decided } => { (rule_name(decided)) " " (view.say("decided", "hat entschieden")) },
                    Verdict::Remarks { on } => (list(view, on)),
                }
            }
        }
    }
}

fn list(view: &View, values: &[String]) -> String {
    values.iter().map(|value| quoted(view, value)).collect::<Vec<_>>().join(", ")
}

fn one_line(source: &str) -> String {
    source.split_whitespace().collect::<Vec<_>>().join(" ")
}
