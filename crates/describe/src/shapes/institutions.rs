//! Names of institutions: within running text, and as a whole.
//!
//! An institution is recognised by the word that says what it is ("Institut", "Lehrstuhl",
//! "University"), alone or at the end of a compound. The name extends from the capitalised words
//! before it over the capitalised words behind it, small words between them included, up to the
//! next punctuation mark.

use super::word_file::WordFile;
use auslese_words::fold;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

static WORDS: LazyLock<WordFile> =
    LazyLock::new(|| WordFile::parse(include_str!("../../data/organisation-words.txt")));

static KINDS: LazyLock<WordFile> =
    LazyLock::new(|| WordFile::parse(include_str!("../../data/institution-kinds.txt")));

/// Words of the longest name.
const MAX_WORDS: usize = 14;

/// Institutions taken out of one text.
const MAX_INSTITUTIONS: usize = 100;

/// Bytes of a text that are searched.
const MAX_SEARCHED: usize = 200_000;

/// Capitalised words that stand before a name and do not belong to it.
const OPENINGS: [&str; 27] = [
    "Der", "Die", "Das", "Dem", "Den", "Des", "Am", "Im", "An", "Vom", "Zum", "Zur", "The", "At",
    "In", "From", "Von", "Prof.", "Dr.", "Frau", "Herr", "Unser", "Unsere", "Our", "Ein", "Eine",
    "A",
];

/// Articles, prepositions and conjunctions within names of institutions.
const JOINTS: [&str; 47] = [
    "für", "fuer", "der", "des", "die", "das", "dem", "den", "und", "u.", "zu", "zur", "zum",
    "von", "am", "an", "im", "in", "ob", "a.", "d.", "vor", "bei", "&", "of", "for", "the", "and",
    "at", "on", "de", "la", "le", "les", "du", "et", "del", "di", "da", "do", "e", "y", "pour",
    "para", "voor", "van", "het",
];

/// Whether a text looks like the name of a body rather than of a person.
///
/// ```
/// use auslese_describe::is_organisation;
/// assert!(is_organisation("Universität Ulm"));
/// assert!(is_organisation("Musterfirma GmbH & Co. KG"));
/// assert!(!is_organisation("Eva Meier"));
/// ```
pub fn is_organisation(text: &str) -> bool {
    let words = text.split_whitespace().take(MAX_WORDS + 1).count();
    (1..=MAX_WORDS).contains(&words) && has_organisation_word(text)
}

pub(crate) fn has_organisation_word(text: &str) -> bool {
    text.split_whitespace().take(MAX_WORDS).any(|word| {
        let folded = fold(word);
        let bare = folded.trim_matches(|letter: char| !letter.is_alphanumeric());
        WORDS.has(bare) || bare.split('-').any(|part| part.len() > 3 && WORDS.has(part))
    })
}

/// The institutions a text names, in order and without repetitions.
///
/// ```
/// use auslese_describe::institutions;
/// assert_eq!(institutions("Eva Meier, Institut für Mathematik, Universität zu Köln, 50931 Köln"),
///     ["Institut für Mathematik", "Universität zu Köln"]);
/// ```
pub fn institutions(text: &str) -> Vec<String> {
    let text = &text[..text.floor_char_boundary(MAX_SEARCHED)];
    if !KINDS.may_have_some(&fold(text)) {
        return Vec::new();
    }
    let mut known = FxHashSet::default();
    text.split([',', ';', '|', '\n', '\r', '\t', '(', ')', ':', '•', '·', '"', '„', '“', '/'])
        .flat_map(clauses)
        .flat_map(|clause| in_clause(&clause))
        .filter(|name| known.insert(fold(name)))
        .take(MAX_INSTITUTIONS)
        .collect()
}

/// Splits at full stops that end a sentence and at dashes between spaces.
fn clauses(part: &str) -> Vec<Vec<&str>> {
    let mut clauses = vec![Vec::new()];
    for word in part.split_whitespace() {
        let is_dash = word.chars().all(|letter| matches!(letter, '-' | '–' | '—'));
        if let (false, Some(clause)) = (is_dash, clauses.last_mut()) {
            clause.push(word);
        }
        if is_dash || ends_sentence(word) {
            clauses.push(Vec::new());
        }
    }
    clauses
}

/// A dot behind a short word is that of an abbreviation ("St.", "Abt.").
fn ends_sentence(word: &str) -> bool {
    word.ends_with(['!', '?'])
        || (word.ends_with('.') && word.chars().count() > 4 && word.matches('.').count() == 1)
}

fn in_clause(words: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if !is_kind(words[at]) {
            at += 1;
            continue;
        }
        let begin = beginning(words, at);
        let end = end(words, at);
        if end - begin >= 2 || words[at].contains('-') {
            names.push(name(&words[begin..end]));
        }
        at = end;
    }
    names
}

fn is_kind(word: &str) -> bool {
    if !word.starts_with(char::is_uppercase) {
        return false;
    }
    let folded = fold(word);
    KINDS.has(folded.trim_matches(|letter: char| !letter.is_alphanumeric()))
}

/// Capitalised words before the kind belong to it: "Technische Universität", "Stanford University".
fn beginning(words: &[&str], kind: usize) -> usize {
    let mut begin = kind;
    while begin > 0 && kind - begin < 5 && belongs_before(words[begin - 1]) {
        begin -= 1;
    }
    begin
}

fn belongs_before(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
        && !OPENINGS.contains(&word)
        && !word.ends_with(['.', '!', '?'])
}

/// Behind the kind, small words count if a capitalised one follows.
fn end(words: &[&str], kind: usize) -> usize {
    let mut end = kind + 1;
    let mut at = end;
    while at < words.len() && at - kind < MAX_WORDS && !words[at - 1].ends_with(['!', '?']) {
        let word = words[at];
        if word.starts_with(char::is_uppercase) {
            end = at + 1;
        } else if !JOINTS.contains(&word) {
            break;
        }
        at += 1;
    }
    end
}

fn name(words: &[&str]) -> String {
    let joined = words.join(" ");
    joined.trim_end_matches(['.', '!', '?']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn in_text() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("Universität Ulm",                                     &["Universität Ulm"]),
            ("Willkommen an der Universität Ulm!",                  &["Universität Ulm"]),
            ("Technische Universität München, Fakultät für Mathematik",
             &["Technische Universität München", "Fakultät für Mathematik"]),
            ("Lehrstuhl für Angewandte Mathematik und Statistik der Universität Kiel",
             &["Lehrstuhl für Angewandte Mathematik und Statistik der Universität Kiel"]),
            ("Institut für Theoretische Physik | Humboldt-Universität zu Berlin",
             &["Institut für Theoretische Physik", "Humboldt-Universität zu Berlin"]),
            ("Mathematisches Institut, Abt. Algebra",               &["Mathematisches Institut"]),
            ("Max-Planck-Institut für Informatik in Saarbrücken",   &["Max-Planck-Institut für Informatik in Saarbrücken"]),
            ("Department of Mathematics, University of California at Berkeley",
             &["Department of Mathematics", "University of California at Berkeley"]),
            ("He studied at Stanford University. Later he left.",   &["Stanford University"]),
            ("Université de Neuchâtel, Faculté des sciences",       &["Université de Neuchâtel"]),
            ("Fachbereich Informatik - Arbeitsgruppe Datenbanken",  &["Fachbereich Informatik", "Arbeitsgruppe Datenbanken"]),
            ("das Institut ist geschlossen",                        &[]),
            ("Eva Meier, Berlin",                                   &[]),
            ("",                                                    &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(institutions(text), *expected, "{text}");
        }
    }

    #[test]
    fn whole_names() {
        #[rustfmt::skip]
        let cases = [
            ("Universität Ulm",              true),
            ("Springer-Verlag",              true),
            ("Süddeutsche Zeitung",          true),
            ("Beispiel e.V.",                true),
            ("Stadtbibliothek Ulm",          true),
            ("Cambridge University Press",   true),
            ("Landratsamt Konstanz",         true),
            ("Eva Meier",                    false),
            ("Köln",                         false),
            ("",                             false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_organisation(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in "\\PC{0,200}|(Institut|Universität|für|der|[A-Z][a-z]{2,8}|[,.;-]| ){0,40}") {
            for name in institutions(&text) {
                prop_assert!(name.split(' ').count() <= MAX_WORDS + 6, "{}", name);
            }
            is_organisation(&text);
        }
    }
}
