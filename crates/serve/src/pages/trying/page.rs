//! How the page looks: the form, and beside it the results, which the script replaces while somebody writes.

use super::super::document::words;
use super::asked::Asked;
use super::matter::About;
use super::{Outcome, TRIALS, Trial, Tried};
use crate::look::{Section, empty_note};
use crate::site::Site;
use crate::view::{Page, View};
use auslese_model::Format;
use maud::{Markup, html};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::sync::Arc;

#[derive(Serialize)]
pub(super) struct TryPage {
    matter: Option<About>,
    /// How it was read.
    kind: Option<Format>,
    trouble: Option<String>,
    why_not: Option<String>,
    #[serde(serialize_with = "by_name")]
    trials: Vec<(&'static dyn Trial, Box<dyn Outcome>)>,
    took_milliseconds: f64,
    #[serde(skip)]
    asked: Arc<Asked>,
    /// Names and titles of harvests.
    #[serde(skip)]
    harvests: Vec<(String, String)>,
}

fn by_name<S: Serializer>(
    trials: &[(&'static dyn Trial, Box<dyn Outcome>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(trials.len()))?;
    for (trial, outcome) in trials {
        map.serialize_entry(trial.name(), &outcome.value())?;
    }
    map.end()
}

impl TryPage {
    pub(super) fn new(
        site: &Site,
        asked: Arc<Asked>,
        matter: Option<About>,
        tried: Tried,
        took_milliseconds: f64,
    ) -> TryPage {
        let harvests = site.harvests.iter();
        TryPage {
            matter,
            kind: tried.kind,
            trouble: tried.trouble,
            why_not: tried.why_not,
            trials: tried.outcomes,
            took_milliseconds,
            asked,
            harvests: harvests.map(|it| (it.name.clone(), it.title.clone())).collect(),
        }
    }

    /// The results without what is around them.
    pub(super) fn results(&self, view: &View) -> Markup {
        html! {
            @if let Some(why) = &self.why_not {
                p .note data-told { (view.say("This document cannot be tried on: ", "An diesem Dokument lässt sich nichts ausprobieren: ")) (words::why(view, why)) }
            } @else if self.trials.is_empty() {
                (empty_note(view.say(
                    "Here appears what the program makes of it: the language with the fate of each word, what the page says about itself and which rules say so, and keyphrases.",
                    "Hier erscheint, was das Programm daraus macht: die Sprache mit dem Los jedes Wortes, was die Seite über sich sagt und welche Regeln das sagen, und Schlagwörter.",
                )))
                p { a .button .plain href="/try?example=yes" { (view.say("Try it with an example", "Mit einem Beispiel ausprobieren")) } }
            } @else {
                (self.told(view))
                @if let Some(trouble) = &self.trouble { p .note lang="en" { (trouble) } }
                @for (trial, outcome) in &self.trials {
                    section .trial aria-labelledby={ "of-" (trial.name()) } {
                        h2 #{ "of-" (trial.name()) } { (trial.title(view)) }
                        (outcome.markup(view))
                    }
                }
            }
        }
    }

    /// What was tried on, and all of it in short.
    fn told(&self, view: &View) -> Markup {
        let summaries: Vec<String> =
            self.trials.iter().map(|(_, outcome)| outcome.summary(view)).collect();
        html! {
            p .told { strong data-told { (summaries.join(" · ")) } }
            p .soft .breaks { small {
                @if let Some(kind) = self.kind { (words::format(view, kind)) }
                @match &self.matter {
                    Some(About::Pasted { bytes }) => { ", " (view.tongue.size(*bytes as u64)) },
                    Some(About::Document { harvest, number, url }) => { " · " a href={ "/doc/" (harvest) "/" (number) } { (url) } },
                    None => {},
                }
                " · " (view.tongue.decimal(self.took_milliseconds, 0)) " ms"
            } }
        }
    }

    fn matter_fields(&self, view: &View) -> Markup {
        let chosen = |name: &str| self.asked.field(name).unwrap_or_default();
        html! {
            fieldset {
                legend { (view.say("On what", "Woran")) }
                label for="text" { (view.say("A text, or the source of a web page", "Ein Text oder der Quelltext einer Webseite")) }
                textarea #text name="text" rows="10" spellcheck="false" autocomplete="off" { "\n" (self.asked.text().unwrap_or_default()) }
                div .fields {
                    div {
                        label for="as" { (view.say("Read it as", "Lesen als")) }
                        select #as name="as" {
                            @for (value, name) in [("", view.say("what it looks like", "das, wonach es aussieht")), ("html", view.say("web page", "Webseite")), ("text", view.say("plain text", "reiner Text"))] {
                                option value=(value) selected[chosen("as") == value] { (name) }
                            }
                        }
                    }
                    @if self.harvests.len() > 1 {
                        div {
                            label for="harvest" { (view.say("or in the harvest", "oder in der Ernte")) }
                            select #harvest name="harvest" {
                                @for (name, title) in &self.harvests { option value=(name) selected[chosen("harvest") == name] { (title) } }
                            }
                        }
                    }
                    div .wide {
                        label for="document" {
                            @if self.harvests.len() > 1 { (view.say("the document with the address", "das Dokument mit der Adresse")) }
                            @else { (view.say("or the document with the address", "oder das Dokument mit der Adresse")) }
                        }
                        input #document type="text" name="document" inputmode="url" autocomplete="off" spellcheck="false" value=(chosen("document"));
                    }
                }
            }
        }
    }

    fn trial_fields(&self, view: &View) -> Markup {
        html! {
            fieldset {
                legend { (view.say("What to try", "Was probiert wird")) }
                div .checks {
                    @for trial in TRIALS {
                        label .check { input type="checkbox" name="try" value=(trial.name()) checked[self.asked.wants(trial)]; " " (trial.title(view)) }
                    }
                }
            }
            @for (trial, controls) in TRIALS.iter().map(|trial| (trial, trial.controls(view, &self.asked))).filter(|(_, controls)| !controls.0.is_empty()) {
                fieldset { legend { (trial.title(view)) } (controls) }
            }
        }
    }
}

impl Page for TryPage {
    fn section(&self) -> Section {
        Section::Trying
    }

    fn title(&self, view: &View) -> String {
        view.say("Try it out", "Ausprobieren").to_owned()
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            h1 { (self.title(view)) }
            p .soft .lead {
                (view.say(
                    "Paste a text or a page, or name a document, and see what the program makes of it and why. Change a rule, and the result changes. Nothing of it is stored.",
                    "Fügen Sie einen Text oder eine Seite ein, oder nennen Sie ein Dokument, und sehen Sie, was das Programm daraus macht und warum. Ändern Sie eine Regel, und das Ergebnis ändert sich. Nichts davon wird gespeichert.",
                ))
            }
            p .visually-hidden role="status" data-live-status {}
            div .trying {
                form method="post" action="/try#results" data-live="#results" {
                    (self.matter_fields(view))
                    (self.trial_fields(view))
                    p { button { (view.say("Try it", "Ausprobieren")) } }
                }
                div #results tabindex="-1" {
                    (self.results(view))
                }
            }
            p .note .wrong data-live-failed hidden { (view.say("The server does not answer.", "Der Server antwortet nicht.")) }
        }
    }
}
