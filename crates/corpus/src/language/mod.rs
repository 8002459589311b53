//! In which language a document is, by a list of word forms and a general detector.
//!
//! The method is that of the corpus paper (about 156,000 German forms, cleaned against other
//! languages; the shares of words and of characters in the list), with a detector beside it. Both
//! decisions are made and kept, the rule in force gives the language; see `rules`. Languages per
//! paragraph tell which documents are in two.
//!
//! Pure: texts go in, notes come out. One recogniser serves all threads.
//!
//! ```
//! use auslese_corpus::language::{Hints, LanguageSettings, Recogniser};
//!
//! let recogniser = Recogniser::german(LanguageSettings::default());
//! let blocks = ["Die Bibliothek ist über die Feiertage geschlossen, danach gelten neue Zeiten."];
//! let note = recogniser.recognise(&blocks, &Hints::default());
//! assert_eq!(note.language, "de");
//! assert!(note.by_paper);
//! ```

mod explanation;
mod names;
mod paragraphs;
mod report;
mod rules;
mod settings;
mod tally;

pub use explanation::{Explanation, Token};
pub use names::{FoundName, LEAST_NAME_COUNT, MAX_NAME_CANDIDATES, NameCollector};
pub use paragraphs::ParagraphLanguage;
pub use report::{DetectorReport, LanguageReport, LanguageShare, ParagraphReport};
pub use rules::Hints;
pub use settings::{LanguageSettings, Profile};
pub use tally::{Fate, Tally};

use auslese_model::LanguageNote;
use auslese_words::{Care, Detected, Detector, WordList};
use rules::Signals;
use std::sync::Arc;
use std::thread;
use tally::Lists;

/// Says in which language a text is. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Recogniser {
    settings: LanguageSettings,
    lists: Arc<Lists>,
    detector: Arc<Detector>,
}

/// A language note with the paragraphs it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognition {
    pub note: LanguageNote,
    /// One for each block, in order.
    pub paragraphs: Vec<ParagraphLanguage>,
    /// What the default rule says, whatever rule is in force.
    pub by_default: bool,
    /// Whether a second language has its share.
    pub multilingual: bool,
}

impl Recogniser {
    /// A recogniser with the German list that the program ships.
    pub fn german(settings: LanguageSettings) -> Recogniser {
        let forms = || WordList::from_fst(auslese_language_data::GERMAN_FORMS);
        Recogniser::load(|| forms().expect("the shipped list is sound"), settings)
    }

    /// A recogniser with another list, for the language that the settings name.
    pub fn with_list(words: WordList, settings: LanguageSettings) -> Recogniser {
        Recogniser::load(|| words, settings)
    }

    /// Model and lists take equally long to read, so they are read at the same time.
    fn load(words: impl FnOnce() -> WordList, settings: LanguageSettings) -> Recogniser {
        let detector = || Detector::new(auslese_language_data::LANGUAGE_MODEL);
        let names = || WordList::from_fst(auslese_language_data::NAMES);
        let (lists, detector) = thread::scope(|scope| {
            let detector = scope.spawn(detector);
            let names = names().expect("the shipped names are sound");
            let lists = Lists { words: words(), names, own_names: WordList::default() };
            (lists, detector.join().expect("reading the model does not panic"))
        });
        let detector = detector.expect("the shipped model is sound");
        Recogniser { settings, lists: Arc::new(lists), detector: Arc::new(detector) }
    }

    /// The same with names of one's own, which say nothing about the language either.
    pub fn with_names(self, names: WordList) -> Recogniser {
        let lists = Lists { own_names: names, ..Lists::clone(&self.lists) };
        Recogniser { lists: Arc::new(lists), ..self }
    }

    pub fn settings(&self) -> &LanguageSettings {
        &self.settings
    }

    /// The language of a document, given the texts of its blocks.
    pub fn recognise(&self, blocks: &[&str], hints: &Hints<'_>) -> LanguageNote {
        self.recognise_paragraphs(blocks, hints).note
    }

    /// The same without looking at single blocks: no shares of languages, and much faster.
    pub fn recognise_document(&self, blocks: &[&str], hints: &Hints<'_>) -> LanguageNote {
        let tally = self.count_words(blocks);
        self.note(blocks, tally, hints).0
    }

    /// The same, with the language of each block.
    pub fn recognise_paragraphs(&self, blocks: &[&str], hints: &Hints<'_>) -> Recognition {
        let tallies: Vec<Tally> =
            blocks.iter().map(|block| Tally::of(block, &self.lists)).collect();
        let mut tally = Tally::default();
        tallies.iter().for_each(|of_block| tally.add(*of_block));
        let (mut note, by_default) = self.note(blocks, tally, hints);
        let paragraphs = paragraphs::languages(self, blocks, &tallies, &note.language);
        note.shares = paragraphs::shares(&paragraphs);
        let second = note.shares.get(1);
        let multilingual = second.is_some_and(|(_, share)| *share >= self.settings.second_language);
        Recognition { note, paragraphs, by_default, multilingual }
    }

    /// The word list alone: how many words there are, and how many of them it knows.
    pub fn count_words(&self, blocks: &[&str]) -> Tally {
        let mut tally = Tally::default();
        blocks.iter().for_each(|block| tally.add(Tally::of(block, &self.lists)));
        tally
    }

    /// The note of a document, without the shares of languages; and what the default rule says.
    fn note(&self, blocks: &[&str], tally: Tally, hints: &Hints<'_>) -> (LanguageNote, bool) {
        let care = rules::care(&tally, &self.settings);
        let detected = self.detect(&blocks.join(" "), care);
        let signals = Signals { tally, detected: &detected };
        let decision = if tally.words < self.settings.short_words {
            self.decide_short(blocks, tally, hints)
        } else {
            rules::decide(signals, &self.settings)
        };
        let note = LanguageNote {
            language: decision.language,
            confidence: decision.confidence,
            reason: decision.reason,
            share_words: tally.share_words(),
            share_chars: tally.share_chars(),
            words: tally.words,
            recognised: tally.recognised,
            detector: detected.first().map(|first| (first.language.clone(), first.probability)),
            by_paper: rules::by_paper(&tally, &self.settings),
            shares: Vec::new(),
        };
        (note, rules::by_default(signals, &self.settings))
    }

    /// What became of each token, and how the decision follows.
    pub fn explain(&self, blocks: &[&str], recognition: &Recognition) -> Explanation {
        explanation::explain(self, blocks, recognition)
    }

    /// The tokens of a text with their fates.
    pub fn tokens(&self, blocks: &[&str]) -> Vec<Token> {
        explanation::tokens(self, blocks)
    }

    pub(crate) fn lists(&self) -> &Lists {
        &self.lists
    }

    pub(crate) fn detect(&self, text: &str, care: Care) -> Vec<Detected> {
        /// The first choice, and what is left if that is out of the question.
        const CHOICES: usize = 2;
        self.detector.detect(text, CHOICES, care)
    }

    fn decide_short(&self, blocks: &[&str], tally: Tally, hints: &Hints<'_>) -> rules::Decision {
        let mut tally = tally;
        for anchor in hints.anchor_texts {
            tally.add(Tally::of(anchor, &self.lists));
        }
        let texts = [blocks.join(" "), hints.anchor_texts.join(" ")];
        let detected = self.detect(texts.join(" ").trim(), Care::Quick);
        rules::decide_short(Signals { tally, detected: &detected }, hints, &self.settings)
    }
}
