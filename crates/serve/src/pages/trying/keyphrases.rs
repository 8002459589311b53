//! Phrases that say what the text is about, with measured weights.

use super::asked::Asked;
use super::matter::Matter;
use super::{Outcome, Trial, shortened};
use crate::look::{empty_note, weight_bar};
use crate::site::Site;
use crate::view::View;
use auslese_describe::{
    KEYPHRASES_OF_DOCUMENT, KeyphraseModel, Keyphrases, MAX_KEYPHRASE_TEXT, SHIPPED_KEYPHRASES,
    stem_language_of,
};
use auslese_words::StemLanguage;
use maud::{Markup, html};
use serde::Serialize;
use serde_json::Value;

/// Letters of a phrase that are shown.
const PHRASE_LETTERS: usize = 200;

pub(super) struct Keywords;

#[derive(Debug, Serialize)]
struct Found {
    model: String,
    /// Whether the stop words of the text chose it.
    by_text: bool,
    /// Whether they told nothing, so that it is English.
    unclear: bool,
    trained_from: String,
    phrases: Vec<Phrase>,
}

#[derive(Debug, Serialize)]
struct Phrase {
    phrase: String,
    weight: f64,
    /// Where it stands first, in characters.
    first: usize,
}

impl Trial for Keywords {
    fn name(&self) -> &'static str {
        "keyphrases"
    }

    fn title(&self, view: &View) -> &'static str {
        view.say("Keyphrases", "Schlagwörter aus dem Text")
    }

    fn controls(&self, view: &View, asked: &Asked) -> Markup {
        let chosen = asked.field("model").unwrap_or_default();
        html! {
            label for="model" { (view.say("Model", "Modell")) }
            select #model name="model" {
                option value="" { (view.say("by the words of the text", "nach den Wörtern des Textes")) }
                @for name in SHIPPED_KEYPHRASES { option value=(name) selected[name == chosen] { (name) } }
            }
        }
    }

    fn run(&self, site: &Site, matter: &Matter, asked: &Asked) -> Box<dyn Outcome> {
        let text = &matter.text[..matter.text.floor_char_boundary(MAX_KEYPHRASE_TEXT)];
        let named = match asked.field("model") {
            Some("english") => site.tools.keyphrases.of_language(StemLanguage::English),
            Some("german") => site.tools.keyphrases.of_language(StemLanguage::German),
            _ => None,
        };
        let by_text = named.is_none();
        let model = named.or_else(|| site.tools.keyphrases.for_text(text));
        let unclear = by_text && stem_language_of([text].into_iter()).is_none();
        Box::new(Found::of(model, text, by_text, unclear))
    }
}

impl Found {
    fn of(model: Option<&KeyphraseModel>, text: &str, by_text: bool, unclear: bool) -> Found {
        let found =
            model.map(|model| Keyphrases::with(model).extract(text, KEYPHRASES_OF_DOCUMENT));
        let phrases = found.into_iter().flatten().map(|it| Phrase {
            phrase: shortened(&it.phrase, PHRASE_LETTERS),
            weight: it.weight,
            first: it.first,
        });
        let header = model.map(|model| &model.header);
        Found {
            phrases: phrases.collect(),
            model: header.map(|it| it.name.clone()).unwrap_or_default(),
            trained_from: header.map(|it| it.trained_from.clone()).unwrap_or_default(),
            by_text,
            unclear,
        }
    }
}

impl Outcome for Found {
    fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn summary(&self, view: &View) -> String {
        match self.phrases.first() {
            Some(first) => format!("{} {}", view.say("Keyphrase", "Schlagwort"), first.phrase),
            None => view.say("no keyphrases", "keine Schlagwörter").to_owned(),
        }
    }

    fn markup(&self, view: &View) -> Markup {
        html! {
            @if self.phrases.is_empty() {
                (empty_note(view.say("There are no candidates in this text.", "In diesem Text stehen keine Kandidaten.")))
            } @else {
                div .scroll { table .phrases {
                    thead { tr {
                        th { (view.say("Phrase", "Wortfolge")) }
                        th { (view.say("Weight", "Gewicht")) }
                        th .right { (view.say("First at", "Zuerst bei")) }
                    } }
                    tbody { @for phrase in &self.phrases { tr {
                        td .break { (phrase.phrase) }
                        td { (weight_bar(view, phrase.weight)) }
                        td .right { (view.tongue.number(phrase.first as u64)) }
                    } } }
                } }
            }
            p .soft { small {
                (view.say("Model ", "Modell ")) code { (self.model) }
                @if self.unclear { " (" (view.say("the text has hardly any stop words of a known language", "der Text hat kaum Funktionswörter einer bekannten Sprache")) ")" }
                @else if self.by_text { " (" (view.say("chosen by the words of the text", "nach den Wörtern des Textes gewählt")) ")" }
                ": " span lang="en" { (self.trained_from) }
            } }
        }
    }
}
