//! Whether a text looks like the name of a person.

use crate::shapes::institutions::has_organisation_word;
use crate::shapes::word_file::WordFile;
use auslese_words::fold;
use std::sync::LazyLock;

/// Words that no person is called.
static NO_NAMES: LazyLock<WordFile> =
    LazyLock::new(|| WordFile::parse(include_str!("../../../data/no-names.txt")));

pub(crate) static ROLES: LazyLock<WordFile> =
    LazyLock::new(|| WordFile::parse(include_str!("../../../data/roles.txt")));

/// Small words within names; in capitals they may begin one.
const PARTICLES: [&str; 47] = [
    "von", "vom", "zu", "zum", "zur", "und", "van", "der", "den", "de", "het", "ter", "ten", "te",
    "op", "la", "le", "les", "du", "des", "del", "della", "dello", "di", "da", "dos", "das", "do",
    "e", "y", "i", "al", "el", "bin", "ibn", "ben", "bint", "abu", "ap", "af", "av", "auf", "in",
    "'t", "d", "san", "v",
];

/// Particles that begin a name in capitals: "Von der Leyen", "De Gaulle", "Van Gogh".
const LEADING_PARTICLES: [&str; 14] =
    ["von", "van", "de", "di", "da", "du", "del", "della", "la", "le", "el", "al", "san", "zu"];

/// Particles that join two words and begin none.
const NEVER_FIRST: [&str; 9] = ["und", "in", "auf", "e", "y", "i", "op", "do", "zum"];

/// Parts that follow a name.
const SUFFIXES: [&str; 6] = ["jr", "sr", "ii", "iii", "iv", "jun"];

/// How much of a name is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Two words at least.
    Full,
    /// One is enough.
    Short,
}

/// Letters of the longest word of a name; longer ones are words of another kind.
const MAX_NAME_WORD: usize = 25;

/// Whether a text looks like the full name of one person.
pub fn is_person_name(text: &str) -> bool {
    looks_like_name(text, Shape::Full)
}

pub(crate) fn looks_like_name(text: &str, least: Shape) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(7).collect();
    let enough = match least {
        Shape::Full => (2..=5).contains(&words.len()) || is_east_asian(&words),
        Shape::Short => (1..=5).contains(&words.len()) && text.chars().count() >= 3,
    };
    enough
        && words.iter().all(|word| is_name_word(word))
        && has_real_words(&words, least)
        && !is_listed(text, &words)
}

/// A full name has two words in capitals, one of them more than an initial; particles come extra. It
/// does not end with a particle, though it may begin with one ("von der Leyen Ursula").
fn has_real_words(words: &[&str], least: Shape) -> bool {
    let capitals = || words.iter().filter(|word| is_capitalised(word));
    let long = |word: &&str| word.chars().filter(|letter| letter.is_alphabetic()).count() >= 2;
    let begins = words.first().is_some_and(|first| !NEVER_FIRST.contains(first));
    let ends = words.last().is_some_and(|last| is_capitalised(last));
    let enough = least == Shape::Short || capitals().count() >= 2 || is_east_asian(words);
    begins && ends && enough && capitals().any(long)
}

fn is_name_word(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let allowed = |letter: char| letter.is_alphabetic() || is_joint(letter) || is_mark(letter);
    (1..=MAX_NAME_WORD).contains(&letters)
        && word.chars().all(allowed)
        && !word.ends_with(['-', '·'])
        && dots_are_initials(word)
        && (is_capitalised(word) || is_particle(word))
}

fn is_joint(letter: char) -> bool {
    matches!(letter, '-' | '‐' | '‑' | '\'' | '’' | '‘' | 'ʼ' | '.' | '·')
}

/// Marks over and under letters, as in decomposed text and in Indian scripts.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}')
}

/// Dots stand behind initials and short forms (`H.`, `J.R.R.`, `Chr.`), not in hosts.
fn dots_are_initials(word: &str) -> bool {
    let mut parts = word.split('.').filter(|part| !part.is_empty());
    let dots = word.matches('.').count();
    dots == 0
        || parts.clone().all(|part| part.chars().filter(|c| c.is_alphabetic()).count() <= 1)
        || (dots == 1 && word.ends_with('.') && parts.all(|part| part.chars().count() <= 5))
        || word.split(['.', '-']).all(|part| part.chars().count() <= 3)
}

/// Scripts without case have no small letters to betray a common word.
fn is_capitalised(word: &str) -> bool {
    let mut letters = word.chars().filter(|letter| letter.is_alphabetic());
    let apostrophe = word.contains(['\'', '’']);
    match letters.next() {
        None => false,
        Some(first) if !first.is_lowercase() => true,
        // d'Arcy, o'Brien, al-Assad
        Some(_) => (apostrophe || word.contains('-')) && letters.any(char::is_uppercase),
    }
}

fn is_particle(word: &str) -> bool {
    let folded = fold(word);
    PARTICLES.contains(&folded.trim_end_matches('.'))
}

fn is_listed(text: &str, words: &[&str]) -> bool {
    let last = words.len().saturating_sub(1);
    let stopped = words.iter().enumerate().any(|(place, word)| {
        let folded = fold(word);
        let bare = folded.trim_end_matches('.');
        // "VON DER" between names in capitals.
        let is_shouted = !word.chars().any(char::is_lowercase);
        let small = !is_capitalised(word)
            || (is_shouted && (1..last).contains(&place) && is_particle(word))
            || (place == 0 && place != last && LEADING_PARTICLES.contains(&bare));
        let suffix = place > 0 && SUFFIXES.contains(&bare);
        !small
            && !suffix
            && (NO_NAMES.has(bare)
                || ROLES.has(bare)
                || bare.split('-').any(|part| part.len() > 3 && NO_NAMES.has(part)))
    });
    stopped || has_organisation_word(text)
}

/// Chinese, Japanese and Korean names are written in one piece.
fn is_east_asian(words: &[&str]) -> bool {
    let [word] = words else { return false };
    let east_asian = |letter: char| matches!(letter, '\u{4e00}'..='\u{9fff}' | '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}' | '·');
    (2..=10).contains(&word.chars().count()) && word.chars().all(east_asian)
}
