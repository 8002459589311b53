//! What can be set about language: the rule in force and the shares it compares.

use auslese_model::LanguageNote;
use serde::{Deserialize, Serialize};

/// The thresholds of the recogniser.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LanguageSettings {
    /// The language of the word list, as a tag.
    pub language: String,
    pub profile: Profile,
    /// From this share on the rule of the paper says yes. Low on purpose: German pages have more, but
    /// technical terms and English menus pull good ones far down.
    pub paper_share: f64,
    /// From this share on a text is in the language if the detector says so too.
    pub share_with_detector: f64,
    /// From this share on a text is in the language whatever the detector says: no other language
    /// shares so many forms.
    pub share_alone: f64,
    /// Texts with fewer words are short: what can be said about them is unsure.
    pub short_words: u32,
    /// Paragraphs with fewer words have the language of their neighbours.
    pub paragraph_words: u32,
    /// A second language makes a document multilingual if it has this share of the characters.
    pub second_language: f64,
}

/// Which rule decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Word list and detector together.
    Default,
    /// The word list alone, as in the corpus paper.
    Paper,
}

impl LanguageSettings {
    /// Whether the default rule says of a text that it is in the wanted language, whatever rule was
    /// in force when it was noted.
    pub fn default_rule(&self, note: &LanguageNote) -> bool {
        let share = note.share_words.min(note.share_chars);
        let agrees = note.detector.as_ref().is_some_and(|(said, _)| *said == self.language);
        share >= self.share_alone || share >= self.share_with_detector && agrees
    }
}

impl Default for LanguageSettings {
    fn default() -> LanguageSettings {
        LanguageSettings {
            language: "de".to_owned(),
            profile: Profile::Default,
            paper_share: 0.4,
            share_with_detector: 0.2,
            share_alone: 0.6,
            short_words: 10,
            paragraph_words: 5,
            second_language: 0.2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::Confidence;

    #[test]
    fn the_default_rule_wants_agreement_or_a_high_share() {
        #[rustfmt::skip]
        let cases = [
            // words, characters, detector, German?
            (0.65, 0.60, Some("en"), true),
            (0.65, 0.59, Some("en"), false),
            (0.25, 0.20, Some("de"), true),
            (0.25, 0.20, None,       false),
            (0.19, 0.30, Some("de"), false),
        ];
        for (share_words, share_chars, detector, expected) in cases {
            let note = LanguageNote {
                language: String::new(),
                confidence: Confidence::Sure,
                reason: String::new(),
                share_words,
                share_chars,
                words: 100,
                recognised: 0,
                detector: detector.map(|language| (language.to_owned(), 0.9)),
                by_paper: false,
                shares: Vec::new(),
            };
            let says = LanguageSettings::default().default_rule(&note);
            assert_eq!(says, expected, "{share_words} {share_chars} {detector:?}");
        }
    }
}
