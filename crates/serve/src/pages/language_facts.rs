//! What is known about the language of a text, for every page that shows it.

use super::document::words;
use crate::look::bar;
use crate::reasons::reason;
use crate::view::View;
use auslese_model::{Confidence, LanguageNote};
use maud::{Markup, html};
use serde::Serialize;

/// The language of a text, and on what that rests.
#[derive(Debug, Serialize)]
pub(super) struct LanguageFacts {
    pub(super) tag: String,
    pub(super) confidence: Confidence,
    reason: String,
    words: u32,
    recognised: u32,
    detector: Option<(String, f64)>,
    by_paper: bool,
    shares: Vec<(String, f64)>,
}

impl LanguageFacts {
    pub(super) fn of(note: LanguageNote) -> LanguageFacts {
        LanguageFacts {
            tag: note.language,
            confidence: note.confidence,
            reason: note.reason,
            words: note.words,
            recognised: note.recognised,
            detector: note.detector,
            by_paper: note.by_paper,
            shares: note.shares,
        }
    }

    pub(super) fn markup(&self, view: &View) -> Markup {
        let (colour, name) = words::confidence(view, self.confidence);
        let percent = |share: f64| format!("{} %", view.tongue.decimal(share * 100.0, 0));
        html! {
            section .sheet .language {
                dl .facts {
                    dt { (view.say("Language", "Sprache")) }
                    dd { strong { (self.tag) } " " span class={ "tag " (colour) } { (name) } br; small { (reason(view, &self.reason)) } }
                    dt { (view.say("Words in the list", "Wörter in der Liste")) }
                    dd .number {
                        (view.tongue.number(u64::from(self.recognised))) (view.say(" of ", " von ")) (view.tongue.number(u64::from(self.words)))
                    }
                    @if let Some((tag, probability)) = &self.detector {
                        dt { (view.say("Detector", "Erkenner")) } dd .number { (tag) " " (percent(*probability)) }
                    }
                    @if !self.shares.is_empty() {
                        dt { (view.say("Shares", "Anteile")) }
                        dd .shares { @for (tag, share) in self.shares.iter().take(8) { span .weight { (tag) (bar(*share)) span .number { (percent(*share)) } } } }
                    }
                }
            }
        }
    }
}
