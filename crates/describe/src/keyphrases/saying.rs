//! Keyphrases as statements about a document whose author gave no keywords.
//!
//! They are offered with the weight that was measured for phrases like them; what is rather wrong than
//! right stays a candidate, for search to use and for nobody to quote.

use super::model::{Keyphrase, KeyphraseModel, Keyphrases};
use super::trainer::stem_language_of;
use crate::weighing::UNTESTED_WEIGHT;
use auslese_model::{Description, Field, RuleId, Statement};
use auslese_words::StemLanguage;
use std::sync::OnceLock;

/// Phrases that are said about a document.
pub const KEYPHRASES_OF_DOCUMENT: usize = 10;

/// Where such keywords come from, in the words of [`Statement::origin`].
pub const KEYPHRASE_EXTRACTION: &str = "keyphrase extraction";

/// A phrase that is rather right than wrong is one of the document's keywords.
const SAID_ALOUD: f64 = 0.5;

/// The models of several languages: those that were named, then those that come with the program.
#[derive(Debug, Default)]
pub struct KeyphraseModels {
    named: Vec<KeyphraseModel>,
    english: OnceLock<Option<KeyphraseModel>>,
    german: OnceLock<Option<KeyphraseModel>>,
}

impl KeyphraseModels {
    /// Of several models for one language, the first is used.
    pub fn new(named: Vec<KeyphraseModel>) -> KeyphraseModels {
        KeyphraseModels { named, ..KeyphraseModels::default() }
    }

    /// The model for a language; reading one that comes with the program takes a moment the first time.
    pub fn of_language(&self, language: StemLanguage) -> Option<&KeyphraseModel> {
        let named = self.named.iter().find(|model| model.header.language == language);
        named.or_else(|| match language {
            StemLanguage::English => {
                self.english.get_or_init(|| KeyphraseModel::shipped("english")).as_ref()
            }
            StemLanguage::German => {
                self.german.get_or_init(|| KeyphraseModel::shipped("german")).as_ref()
            }
        })
    }

    /// The model for a text, by its stop words; English if they tell nothing.
    pub fn for_text(&self, text: &str) -> Option<&KeyphraseModel> {
        let language = stem_language_of([text].into_iter()).unwrap_or(StemLanguage::English);
        self.of_language(language)
    }

    /// Adds the keyphrases of a text to what is said about it, if nothing there is a keyword.
    pub fn add_to(&self, description: &mut Description, text: &str) {
        if description.chosen(Field::Keywords).next().is_some() {
            return;
        }
        let language = stem_language_of([text].into_iter());
        let Some(model) = language.and_then(|language| self.of_language(language)) else { return };
        let phrases = Keyphrases::with(model).extract(text, KEYPHRASES_OF_DOCUMENT);
        let rule = RuleId::new("keyphrases", &model.header.name);
        let most = self.believed(model);
        let believed = |it: Keyphrase| Keyphrase { weight: it.weight.min(most), ..it };
        let mut statements: Vec<Statement> =
            phrases.into_iter().map(|it| statement(believed(it), &rule)).collect();
        let aloud = statements.iter().filter(|it| it.chosen);
        let together = aloud.map(|it| it.weight).reduce(|a, b| a * b);
        description.field_weights.retain(|(field, _)| *field != Field::Keywords);
        description.field_weights.extend(together.map(|weight| (Field::Keywords, weight)));
        description.field_weights.sort_by_key(|(field, _)| *field);
        let behind = description.statements.iter().rposition(|it| it.field <= Field::Keywords);
        let place = behind.map_or(0, |last| last + 1);
        description.statements.splice(place..place, statements.drain(..));
    }

    /// The most that a model's weights are worth for papers. Those of the German model that comes with the
    /// program were measured on help pages, so of papers nothing is known.
    fn believed(&self, model: &KeyphraseModel) -> f64 {
        let is_named = self.named.iter().any(|named| std::ptr::eq(named, model));
        match model.header.language {
            StemLanguage::German if !is_named => UNTESTED_WEIGHT,
            _ => 1.0,
        }
    }
}

fn statement(phrase: Keyphrase, rule: &RuleId) -> Statement {
    Statement {
        field: Field::Keywords,
        value: phrase.phrase,
        parts: Vec::new(),
        weight: phrase.weight,
        initial: phrase.weight,
        rules: vec![rule.clone()],
        place: None,
        origin: Some(KEYPHRASE_EXTRACTION.to_owned()),
        chosen: phrase.weight >= SAID_ALOUD,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Multigrid methods for elliptic problems. We show that multigrid methods \
        with a smoother of the Gauss type are robust, and that the coarse grid is not to blame. \
        Multigrid methods need a coarse grid, and the coarse grid needs a smoother.";

    fn nothing() -> Description {
        Description {
            statements: Vec::new(),
            field_weights: Vec::new(),
            class: String::new(),
            trouble: None,
        }
    }

    #[test]
    fn a_text_without_keywords_gets_some() {
        let models = KeyphraseModels::default();
        let mut description = nothing();
        models.add_to(&mut description, TEXT);
        let values: Vec<&str> = description.statements.iter().map(|it| it.value.as_str()).collect();
        assert!(values.iter().any(|it| it.eq_ignore_ascii_case("multigrid methods")), "{values:?}");
        assert!(values.len() <= KEYPHRASES_OF_DOCUMENT);
        for statement in &description.statements {
            assert_eq!(statement.origin.as_deref(), Some(KEYPHRASE_EXTRACTION));
            assert_eq!(statement.rules[0].as_str(), "keyphrases<english>");
            assert_eq!(statement.chosen, statement.weight >= SAID_ALOUD);
        }
    }

    #[test]
    fn what_was_learnt_from_help_pages_is_not_said_aloud() {
        let text = "Zusammenführen von Protokollen in verteilten Systemen. Die Protokolle der Rechner werden \
            zusammengeführt, und das Zusammenführen von Protokollen ist nicht leicht, weil die Uhren der \
            Systeme nicht dieselbe Zeit haben. Wir zeigen, wie es für verteilte Systeme geht.";
        let mut description = nothing();
        KeyphraseModels::default().add_to(&mut description, text);
        assert!(!description.statements.is_empty());
        for statement in &description.statements {
            assert_eq!(statement.rules[0].as_str(), "keyphrases<german>");
            assert!(!statement.chosen && statement.weight <= UNTESTED_WEIGHT, "{statement:?}");
        }
    }

    #[test]
    fn an_author_is_not_corrected() {
        let rule = RuleId::new("keywords", "marked");
        let marked =
            Keyphrase { phrase: "grids".to_owned(), stems: String::new(), weight: 0.9, first: 0 };
        let mut description = nothing();
        description.statements.push(statement(marked, &rule));
        let before = description.clone();
        KeyphraseModels::default().add_to(&mut description, TEXT);
        assert_eq!(description, before);
    }

    #[test]
    fn another_language_gets_none() {
        let text = "Nous montrons que le reseau est lisse et que la grille ne suffit pas pour les \
            problemes de la physique, mais que les methodes sont robustes et simples.";
        let mut description = nothing();
        KeyphraseModels::default().add_to(&mut description, text);
        assert_eq!(description, nothing());
    }
}
