//! A holder's name, read: its words with their classes, and which of them belong to the name itself.
//!
//! `Universität Ulm, Institut für Medizinische Physik` is a university with one of its units
//! *beside* it; `Medizinische Universität Ulm` would be another university. The difference is where
//! a word stands: commas, brackets and dashes cut a name into segments, a unit word makes a segment
//! (or the rest of one) a unit, and `der` leads from a unit to its body.

use super::TokenClass;
use super::table::{stem, word_table};
use auslese_words::{fold, token_spans};

/// Longer names, in characters, are cut. The longest real ones have about 200.
pub const MAX_NAME: usize = 400;

/// Initials have as many letters as this at least; shorter ones come about by chance.
const MIN_INITIALS: usize = 3;

/// A name prepared for comparing it with many others.
#[derive(Debug, Clone, PartialEq)]
pub struct HolderName {
    pub(super) words: Vec<Word>,
    /// Folded, otherwise as written.
    pub(super) spelled: String,
    /// The letters and digits of it, folded.
    pub(super) letters: String,
    /// The letters and digits of it, in lower case, umlauts as they are: who loses one loses one
    /// letter, not two.
    pub(super) unfolded_letters: String,
    /// The words that tell something, in the spelling of the table.
    pub(super) canonical: String,
    /// It stands where a registry or a privacy service tells no name.
    pub(super) placeholder: bool,
    pub(super) cut: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) class: TokenClass,
    /// The table knows it, so that it is no misspelling of another word.
    pub(super) known: bool,
    pub(super) segment: usize,
    /// A hyphen or slash ties it to the word before.
    pub(super) joined: bool,
    /// It belongs to a unit named beside the name.
    pub(super) beside: bool,
}

impl Word {
    /// Says which body is meant.
    pub(super) fn is_content(&self) -> bool {
        !self.beside
            && matches!(
                self.class,
                TokenClass::Name
                    | TokenClass::Distinguishing
                    | TokenClass::Subject
                    | TokenClass::Related
            )
    }

    pub(super) fn is(&self, class: TokenClass) -> bool {
        self.class == class
    }
}

impl HolderName {
    pub fn read(name: &str) -> HolderName {
        let cut_at = name.char_indices().nth(MAX_NAME).map(|(at, _)| at);
        let name = &name[..cut_at.unwrap_or(name.len())];
        let spelled = fold(name);
        let mut parts = parts_of(&spelled);
        mark_initials(&mut parts);
        let texts: Vec<&str> = parts.iter().map(|part| part.text).collect();
        let placeholder = word_table().has_placeholder(&texts);
        let mut words = classified(&parts);
        settle_names(&mut words);
        mark_beside(&mut words);
        HolderName {
            canonical: canonical(&words),
            words,
            letters: letters_of(&spelled),
            unfolded_letters: letters_of(&name.to_lowercase()),
            spelled,
            placeholder,
            cut: cut_at.is_some(),
        }
    }

    /// Whether it says anything about which body is meant.
    pub(super) fn tells(&self) -> bool {
        !self.placeholder && self.words.iter().any(Word::is_content)
    }

    /// Whether it has a word that few others share: a place, a person, a brand.
    pub(super) fn has_proper_name(&self) -> bool {
        self.words.iter().any(|word| word.is_content() && word.is(TokenClass::Name))
    }

    /// The kinds of body named: institution words, or if there are none, units that stand alone,
    /// such as an institute that belongs to no university.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &str> {
        let body = self.words.iter().any(|word| word.is(TokenClass::Institution));
        let kind = if body { TokenClass::Institution } else { TokenClass::Unit };
        let words = self.words.iter().filter(move |word| word.is(kind));
        words.filter(move |word| body || !word.beside).map(|word| word.text.as_str())
    }
}

fn letters_of(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// A word as it stands in the folded name.
#[derive(Debug)]
struct Part<'a> {
    text: &'a str,
    segment: usize,
    joined: bool,
    initials: bool,
}

fn parts_of(spelled: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let (mut segment, mut end) = (0, 0);
    for span in token_spans(spelled) {
        let gap = gap(&spelled[end..span.start]);
        segment += usize::from(gap == Gap::Break && !parts.is_empty());
        let joined = gap == Gap::Joined;
        end = span.end;
        parts.push(Part { text: &spelled[span], segment, joined, initials: false });
    }
    parts
}

#[derive(Debug, PartialEq, Eq)]
enum Gap {
    Break,
    Joined,
    Space,
}

/// What stands between two words. A dash with spaces around it separates, without it joins;
/// `Bank- und` does neither.
fn gap(between: &str) -> Gap {
    const BREAKS: [char; 13] = [',', ';', ':', '|', '(', ')', '[', ']', '{', '}', '\n', '\r', '•'];
    const DASHES: [char; 6] = ['-', '‐', '‑', '–', '—', '/'];
    let between = between.trim_start_matches(['.', '"', '\'']);
    let dash = between.trim();
    let is_dash = !dash.is_empty() && dash.chars().all(|letter| DASHES.contains(&letter));
    let (before, after) = (between.trim_start() != between, between.trim_end() != between);
    match (is_dash, before, after) {
        _ if between.contains(BREAKS) => Gap::Break,
        (true, true, true) => Gap::Break,
        (true, false, false) => Gap::Joined,
        _ => Gap::Space,
    }
}

/// `(MHH)` beside `Medizinische Hochschule Hannover` tells nothing new.
fn mark_initials(parts: &mut [Part<'_>]) {
    for at in 0..parts.len() {
        let text = parts[at].text;
        let could_be = text.len() >= MIN_INITIALS
            && text.len() < parts.len() + MIN_INITIALS
            && word_table().listed(text).is_none();
        if could_be {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let mut initials = others.flat_map(|(_, part)| initials_of(part.text));
            parts[at].initials =
                text.chars().all(|letter| initials.any(|initial| initial == letter));
        }
    }
}

/// `h` of `hochschule`, `f` and `h` of `fachhochschule`.
fn initials_of(word: &str) -> impl Iterator<Item = char> {
    let head = word_table().parts(word).map(|(_, head)| head);
    let head = head.or_else(|| word.strip_prefix("fach").filter(|head| *head == "hochschule"));
    word.chars().next().into_iter().chain(head.and_then(|head| head.chars().next()))
}

/// The words with their classes, phrases and compounds resolved.
fn classified(parts: &[Part<'_>]) -> Vec<Word> {
    let mut words = Vec::with_capacity(parts.len());
    let mut at = 0;
    while at < parts.len() {
        let part = &parts[at];
        let rest = parts[at..].iter().take_while(|other| other.segment == part.segment);
        match word_table().phrase_at(rest.map(|part| part.text)) {
            Some(phrase) if !part.initials => {
                for (index, text) in phrase.replacement.iter().enumerate() {
                    push_words(&mut words, part, text, index == 0 && part.joined);
                }
                at += phrase.words.len();
            }
            _ => {
                push_words(&mut words, part, part.text, part.joined);
                at += 1;
            }
        }
    }
    words
}

fn push_words(words: &mut Vec<Word>, part: &Part<'_>, text: &str, joined: bool) {
    let table = word_table();
    match table.parts(text).filter(|_| table.listed(text).is_none()) {
        Some((first, second)) => {
            words.push(word(part, first, joined));
            words.push(word(part, second, true));
        }
        None => words.push(word(part, text, joined)),
    }
}

fn word(part: &Part<'_>, text: &str, joined: bool) -> Word {
    let entry = word_table().entry(text);
    let known = entry.is_some();
    let (class, text) = match entry {
        Some(entry) => (entry.class, entry.word),
        None if part.initials => (TokenClass::Initials, text.to_owned()),
        None => (TokenClass::Name, stem(text).to_owned()),
    };
    Word { text, class, known, segment: part.segment, joined, beside: false }
}

/// A river in `Rhein-Main` is a name and no qualifier; and where there is no name, what would be a
/// qualifier or mere initials beside one is the name: `FOM Hochschule für Ökonomie & Management`.
fn settle_names(words: &mut [Word]) {
    let has_name = words.iter().any(|word| word.is(TokenClass::Name));
    for at in 0..words.len() {
        let tied = words[at].joined || words.get(at + 1).is_some_and(|next| next.joined);
        let is_name = match words[at].class {
            TokenClass::Qualifier => tied || !has_name,
            TokenClass::Initials => !has_name,
            _ => false,
        };
        if is_name {
            words[at].class = TokenClass::Name;
        }
    }
}

/// Finds the words that name a unit beside the body. If nothing were left of the name, they are
/// the name.
fn mark_beside(words: &mut [Word]) {
    let same_segment = |one: &Word, next: &Word| one.segment == next.segment;
    let segments = || words.chunk_by(same_segment);
    let body = segments()
        .find(|segment| names_body(segment))
        .or_else(|| segments().find(|segment| segment.iter().any(Word::is_content)))
        .and_then(|segment| segment.first())
        .map(|word| word.segment);
    for segment in words.chunk_by_mut(same_segment) {
        mark_beside_in_segment(segment, body);
    }
    if !words.iter().any(Word::is_content) {
        words.iter_mut().for_each(|word| word.beside = false);
    }
}

fn names_body(segment: &[Word]) -> bool {
    let has = |class| segment.iter().any(|word| word.is(class));
    has(TokenClass::Institution) || has(TokenClass::Name) && !has(TokenClass::Unit)
}

/// `body` is the segment that names the body, as far as one can tell.
fn mark_beside_in_segment(segment: &mut [Word], body: Option<usize>) {
    let first_body = segment.iter().position(|word| word.is(TokenClass::Institution));
    let Some(unit) = (0..segment.len()).find(|at| begins_unit(segment, *at)) else { return };
    match first_body {
        None => {
            let is_body = body == Some(segment[unit].segment);
            set_beside(segment, !is_body);
        }
        Some(first) if unit < first => {
            if let Some(link) = segment[unit..first].iter().rposition(leads_to_body) {
                set_beside(&mut segment[..=unit + link], true);
            }
        }
        Some(_) => set_beside(&mut segment[unit..], true),
    }
}

/// A unit word that is neither the field of the body (`Hochschule für Bibliothek …`) nor part of
/// what the body is called (`Hochschulinstitut`, `School Center`).
fn begins_unit(segment: &[Word], at: usize) -> bool {
    let after_body = segment[..at].iter().any(|word| word.is(TokenClass::Institution));
    let tied = segment[..at].last().is_some_and(|before| {
        let of_body = before.is(TokenClass::Function) || before.is(TokenClass::Institution);
        of_body || segment[at].joined
    });
    segment[at].is(TokenClass::Unit) && !(after_body && tied)
}

fn leads_to_body(word: &Word) -> bool {
    const LINKS: [&str; 12] =
        ["der", "des", "an", "of", "the", "at", "de", "du", "della", "dell", "van", "la"];
    LINKS.contains(&word.text.as_str())
}

fn set_beside(words: &mut [Word], beside: bool) {
    for word in words.iter_mut().filter(|word| !word.is(TokenClass::Related)) {
        word.beside = beside;
    }
}

fn canonical(words: &[Word]) -> String {
    let mut told: Vec<&str> = Vec::with_capacity(words.len());
    for word in words {
        let repeated = word.is(TokenClass::Institution) && told.contains(&word.text.as_str());
        let weightless = word.class.weight() == 0.0;
        if !repeated && !weightless {
            told.push(&word.text);
        }
    }
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that belong to the name and tell something, then those beside it.
    fn check(name: &str) -> (String, String) {
        let read = HolderName::read(name);
        let told = |beside: bool| {
            let words = read.words.iter().filter(|word| word.beside == beside);
            let words = words.filter(|word| word.class.weight() > 0.0);
            words.map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
        };
        (told(false), told(true))
    }

    #[test]
    fn names_and_what_stands_beside() {
        #[rustfmt::skip]
        let cases = [
            ("Universität Ulm",                             "universitaet ulm",                 ""),
            ("Univ. Ulm e.V.",                              "universitaet ulm",                 ""),
            ("TU Berlin",                                   "technische universitaet berlin",   ""),
            ("Universität Ulm, Rechenzentrum",              "universitaet ulm",                 "rechenzentrum"),
            ("Universität Ulm - Fachbereich Informatik",    "universitaet ulm",                 "fachbereich informatik"),
            ("Universität Ulm Institut für Physik",         "universitaet ulm",                 "institut physik"),
            ("Institut für Physik der Universität Ulm",     "universitaet ulm",                 "institut physik"),
            ("Die Präsidentin der Universität Ulm",         "universitaet ulm",                 ""),
            ("Hochschule für Musik Trossingen",             "hochschule musik trossingen",      ""),
            ("Musikhochschule Trossingen",                  "musik hochschule trossingen",      ""),
            ("Frankfurt University of Applied Sciences",    "frankfurt hochschule",             ""),
            ("Hochschule für angewandte Wissenschaften Hof", "hochschule hof",                  ""),
            ("Medizinische Hochschule Hannover (MHH)",      "medizinische hochschule hannover", ""),
            ("Institut für Zeitgeschichte München",         "institut zeitgeschichte muenchen", ""),
            ("Universitätsbibliothek Freiburg",             "universitaet bibliothek freiburg", ""),
            ("Internationales Hochschulinstitut Zittau",    "internationale hochschule institut zittau", ""),
            ("Universitätsklinikum Ulm",                    "klinikum ulm",                     ""),
        ];
        for (name, expected, beside) in cases {
            assert_eq!(check(name), (expected.to_owned(), beside.to_owned()), "{name}");
        }
    }

    #[test]
    fn between_words() {
        #[rustfmt::skip]
        let cases = [
            (", ", Gap::Break), (" - ", Gap::Break), (" – ", Gap::Break), (" (", Gap::Break),
            (". - ", Gap::Break), ("-", Gap::Joined), ("/", Gap::Joined), ("–", Gap::Joined),
            (" ", Gap::Space), ("- ", Gap::Space), (". ", Gap::Space), ("", Gap::Space),
        ];
        for (between, expected) in cases {
            assert_eq!(gap(between), expected, "{between:?}");
        }
    }
}
