//! The signs of a line: what can be seen of it without knowing its language.

use super::{HeadLine, SizeChange};
use crate::shapes::{institutions, is_organisation, is_person_name, names};
use auslese_words::WordList;
use regex::Regex;
use std::sync::LazyLock;

/// The signs of every line: its own, and those of the lines before and behind it.
pub(super) fn signs(lines: &[HeadLine]) -> Vec<Vec<String>> {
    let kinds: Vec<Vec<&'static str>> = lines.iter().map(|line| kinds(&line.text)).collect();
    let mut begun = Begun::default();
    let mut all = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let mut signs = own_signs(line);
        signs.extend(kinds[at].iter().map(|kind| format!("is={kind}")));
        signs.extend(neighbours(&kinds, at));
        signs.push(format!("place={}", place(at)));
        begun.note(&line.text);
        signs.extend(begun.signs());
        if let Some(kind) = kinds[at].first() {
            signs.push(format!("kind-and-size={kind}:{:?}", line.size));
        }
        for kind in kinds[at].iter().filter(|kind| NAMING.contains(kind)) {
            signs.push(format!("{kind}-at={}", place(at)));
            signs.push(format!("{kind}-of-size={:?}", line.size));
            signs.push(format!("{kind}-in-block={}", line.begins_block));
        }
        all.push(signs);
    }
    all
}

/// Kinds that speak of people; where they stand tells authors from others.
const NAMING: [&str; 4] = ["name", "names", "name-alone", "known-name"];

/// Whether a line is the heading of the introduction.
pub(super) fn is_introduction(text: &str) -> bool {
    INTRODUCTION.is_match(text)
}

/// What has been said above a line; it decides what a paragraph below can be.
#[derive(Debug, Default)]
struct Begun {
    abstract_: bool,
    keywords: bool,
    lines_since: usize,
}

impl Begun {
    fn note(&mut self, text: &str) {
        self.lines_since += 1;
        let said = [
            (ABSTRACT.is_match(text), &mut self.abstract_),
            (KEYWORDS.is_match(text), &mut self.keywords),
        ];
        for (is_said, flag) in said {
            if is_said && !*flag {
                *flag = true;
                self.lines_since = 0;
            }
        }
    }

    fn signs(&self) -> Vec<String> {
        let mut signs = Vec::new();
        for (begun, name) in [(self.abstract_, "abstract-begun"), (self.keywords, "keywords-begun")]
        {
            if begun {
                signs.push(name.to_owned());
            }
        }
        if self.keywords && self.lines_since < 3 {
            signs.push("keywords-just-begun".to_owned());
        }
        signs
    }
}

/// Which part of the head, in steps that grow.
fn place(at: usize) -> &'static str {
    match at {
        0 => "first",
        1 => "second",
        2..=3 => "third",
        4..=6 => "fifth",
        7..=12 => "tenth",
        13..=25 => "twentieth",
        _ => "below",
    }
}

fn neighbours(kinds: &[Vec<&'static str>], at: usize) -> Vec<String> {
    let mut signs = Vec::new();
    let near = [("before", at.checked_sub(1)), ("behind", Some(at + 1)), ("then", Some(at + 2))];
    for (side, at) in near {
        match at.and_then(|at| kinds.get(at)) {
            None => signs.push(format!("{side}=nothing")),
            Some(kinds) if kinds.is_empty() => signs.push(format!("{side}=plain")),
            Some(kinds) => signs.extend(kinds.iter().map(|kind| format!("{side}={kind}"))),
        }
    }
    signs
}

fn own_signs(line: &HeadLine) -> Vec<String> {
    let mut signs = vec!["line".to_owned(), format!("size={:?}", line.size)];
    let flags = [(line.other_type, "other-type"), (line.begins_block, "begins-block")];
    signs.extend(flags.iter().filter(|flag| flag.0).map(|flag| flag.1.to_owned()));
    if line.begins_block && line.size == SizeChange::Larger {
        signs.push("larger-block".to_owned());
    }
    let words: Vec<&str> = line.text.split_whitespace().collect();
    signs.push(format!("words={}", in_steps(words.len(), &[1, 2, 3, 5, 8, 12])));
    signs.push(format!("letters={}", in_steps(line.text.chars().count(), &[10, 25, 45, 70, 90])));
    let long = words.iter().filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 3);
    let capitals = long.clone().filter(|word| begins_upper(word)).count();
    signs.push(format!("capitals={}", share(capitals, long.count())));
    let digits = line.text.chars().filter(char::is_ascii_digit).count();
    signs.push(format!("digits={}", share(digits, line.text.chars().count())));
    signs.extend(beginning_and_end(&line.text));
    signs
}

fn begins_upper(word: &str) -> bool {
    word.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase)
}

fn beginning_and_end(text: &str) -> Vec<String> {
    let mut signs = Vec::new();
    if let Some(first) = text.chars().next() {
        let sign = match first {
            _ if first.is_uppercase() => "upper",
            _ if first.is_alphabetic() => "lower",
            _ if first.is_ascii_digit() => "digit",
            _ => "mark",
        };
        signs.push(format!("begins={sign}"));
    }
    if let Some(last) = text.trim_end().chars().next_back() {
        let sign = match last {
            '.' | ',' | ';' | ':' | '-' => last.to_string(),
            _ if last.is_alphabetic() => "letter".to_owned(),
            _ if last.is_ascii_digit() => "digit".to_owned(),
            _ => "mark".to_owned(),
        };
        signs.push(format!("ends={sign}"));
    }
    signs
}

/// Kinds of lines that their text shows.
fn kinds(text: &str) -> Vec<&'static str> {
    let mut kinds: Vec<&'static str> = PATTERNS
        .iter()
        .filter(|(_, pattern)| pattern.is_match(text))
        .map(|(kind, _)| *kind)
        .collect();
    let is_short = text.split_whitespace().count() < 26;
    if text.chars().any(char::is_alphabetic) && !text.chars().any(char::is_lowercase) {
        kinds.push("all-capitals");
    }
    if is_organisation(text) {
        kinds.push("organisation");
    }
    if is_short {
        if !institutions(text).is_empty() {
            kinds.push("institution");
        }
        let bare = MARKS.replace_all(text, ", ");
        match names(&bare).len() {
            0 => {}
            1 => kinds.push("name"),
            _ => kinds.push("names"),
        }
        if is_person_name(text) {
            kinds.push("name-alone");
        }
        if knows_name(text) {
            kinds.push("known-name");
        }
    }
    kinds
}

/// Whether one of the first words is a name that lists know.
fn knows_name(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() > 2);
    words.take(4).any(|word| begins_upper(word) && NAMES.contains(&word.to_lowercase()))
}

static NAMES: LazyLock<WordList> = LazyLock::new(|| {
    WordList::from_fst(auslese_language_data::NAMES).expect("the list comes with the program")
});

/// Marks that tie authors to institutes and footnotes.
static MARKS: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\d*∗†‡§¶]+"));

static ABSTRACT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(a ?b ?s ?t ?r ?a ?c ?t|summary|zusammenfassung|kurzfassung|résumé|resumen|riassunto|synopsis)\b",
    )
});
static KEYWORDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*(key[- ]?(words|terms)|index terms|schlagw|schlüsselw|schlüsselb|stichw|mots[- ]cl|palabras clave|parole chiave|categories and subject|general terms|pacs|msc|ams subject|mathematics subject)",
    )
});
static INTRODUCTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\W*([1I]\W{0,2}\s*)?(introduction|einleitung|einführung|introducción|vorbemerkung(en)?)\W*$",
    )
});

/// Kinds by pattern, with their names.
static PATTERNS: LazyLock<Vec<(&'static str, Regex)>> = LazyLock::new(|| {
    #[rustfmt::skip]
    let sources = [
        ("mail",         r"\S@\S|(?i)\be-?mail\b"),
        ("address-of-page", r"(?i)https?:|www\."),
        ("post-code",    r"\b\d{4,6}\b|\b[A-Z]{1,2}\d{1,2}[A-Z]?\s+\d[A-Z]{2}\b"),
        ("street",       r"(?i)straße|strasse|\bstr\.|gasse\b|\b(street|road|avenue|ave|rue|calle|via|ulica|weg|platz|box|lane|drive)\b"),
        ("country",      r"\b(USA|U\.S\.A\.?|UK|United|Germany|Deutschland|Austria|Österreich|Switzerland|Schweiz|France|Italy|Spain|China|Japan|India|Canada|Australia|Brazil|Netherlands|Sweden|Norway|Denmark|Finland|Poland|Korea|Taiwan|Israel|Turkey|Russia|Belgium|Iran|Mexico|Portugal|Greece|Hungary|Czech|Singapore)\b"),
        ("department",   r"(?i)\b(dept|department|faculty|school|fakultät|fachbereich|abteilung|lehrstuhl|division|laborator(y|ies)|département|departamento|dipartimento|chair)\b"),
        ("month",        r"(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)\b"),
        ("year",         r"\b(19|20)\d\d\b"),
        ("received",     r"(?i)\b(received|accepted|revised|submitted|published|eingereicht|eingegangen|angenommen|available online)\b"),
        ("journal",      r"(?i)\b(vol|volume|no|nr|issn|doi|pp|journal|zeitschrift|proceedings|conference|workshop|preprint|report|arxiv|series|heft|band|jg)\b"),
        ("copyright",    r"(?i)copyright|©|\blicen[sc]e|all rights reserved|permission|creative commons"),
        ("funding",      r"(?i)\b(supported by|grant|funded|funding|foundation|acknowledge|gefördert)\b"),
        ("contact",      r"(?i)\b(correspond\w*|tel|fax|phone|telefon|author|autor|autoren|author'?s)\b"),
        ("by",           r"(?i)^\W*(by|von|par|por|vorgelegt von|submitted by|presented by)\b"),
        ("abstract-word", r"(?i)^\W*(a ?b ?s ?t ?r ?a ?c ?t|summary|zusammenfassung|kurzfassung|résumé|resumen|riassunto|synopsis)\b"),
        ("keywords-word", r"(?i)^\W*(key[- ]?(words|terms)|index terms|schlagw|schlüsselw|schlüsselb|stichw|mots[- ]cl|palabras clave)"),
        ("section",      r"^\W*(\d|I{1,3}|IV|V|VI)(\.\d)*\.?\s+\p{Lu}"),
        ("introduction", r"(?i)^\W*([1I]\W{0,2}\s*)?(introduction|einleitung|einführung|introducción|background)\b"),
        ("small-words",  r"(?i)\b(the|of|for|in|with|from|on|der|die|das|des|und|für|von|mit|zur|im|eine?|le|la|les|el|los)\b"),
        ("verb",         r"(?i)\b(is|are|was|were|has|have|we|our|this|these|which|that|wird|werden|ist|sind|wir|dass|daß|nous|est|sont)\b"),
        ("initials",     r"\b\p{Lu}\.\s?(\p{Lu}\.\s?)?\p{Lu}\p{Ll}+"),
        ("marked-name",  r"\p{Ll}{2}\s?[\d*∗†‡§¶]\s?(,|$|and\b|und\b)"),
        ("leading-mark", r"^\s*([\d*∗†‡§¶]|[a-e])\s?\p{Lu}"),
        ("commas",       r",.*,"),
        ("and",          r"(?i)\b(and|und|et)\b|&"),
        ("degree",       r"(?i)\b(ph\.? ?d|md|m\.d|dr|prof|professor|msc|bsc|dipl|student member|fellow)\b"),
        ("full-stop",    r"\p{Ll}{3}\.\s+\p{Lu}"),
        ("question",     r"\?\s*$"),
    ];
    sources.into_iter().map(|(kind, source)| (kind, pattern(source))).collect()
});

fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("the patterns of this module are well-formed")
}

/// The first bound that a number does not exceed.
fn in_steps(number: usize, bounds: &[usize]) -> String {
    match bounds.iter().find(|bound| number <= **bound) {
        Some(bound) => bound.to_string(),
        None => "more".to_owned(),
    }
}

fn share(part: usize, whole: usize) -> &'static str {
    match (10 * part).checked_div(whole) {
        None => "unknown",
        Some(0) if part == 0 => "none",
        Some(0..=2) => "few",
        Some(3..=6) => "some",
        Some(7..=9) => "most",
        Some(_) => "all",
    }
}
