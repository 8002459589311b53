//! Entries of a bibliography, taken apart as far as they let themselves.
//!
//! An entry begins with its authors. What sets them off from the title tells the style: a year in
//! brackets, a colon, a quotation mark, or just a full stop or comma. The title ends where the next
//! such sign ends it. An entry without recognisable authors, title or year is none; headlines such as
//! "Eva Meier: Vertrag bis 2024" must not become a bibliography.

use super::names::citation_names;
use regex::Regex;
use std::sync::LazyLock;

/// An entry of a bibliography.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedReference {
    /// Each as given name or initials, then surname.
    pub authors: Vec<String>,
    pub year: Option<u16>,
    pub title: Option<String>,
    /// What was not understood: place, publisher, journal, pages.
    pub rest: String,
}

/// Characters of an entry, at least and at most.
const ENTRY_LENGTH: std::ops::RangeInclusive<usize> = 25..=1_000;

/// Bytes before which the authors must end.
const MAX_AUTHORS: usize = 500;

/// What authors must make up of the text before the title; the rest is commas and "et al.".
const LEAST_SHARE_OF_NAMES: f64 = 0.6;

/// Letters of a title; what is shorter is the name of a month.
const LEAST_TITLE: usize = 8;

struct Patterns {
    /// `[12]`, `[Mül98]`, `(3)`, `12.`, a bullet.
    label: Regex,
    year: Regex,
    /// A year in brackets behind the authors, with the sign that closes it.
    bracketed_year: Regex,
    /// "(Hrsg.)" and "et al." belong to no name.
    editors: Regex,
    /// A title in quotation marks.
    quoted: Regex,
    /// Where authors may end if neither a year nor a quotation mark follows them.
    breaks: Regex,
    /// A full stop behind a word, not behind "Bd" or "Nr"; "in" with the work around it; a number.
    title_end: Regex,
    /// What follows is when someone looked.
    visited: Regex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let fixed = |pattern: &str| Regex::new(pattern).expect("the pattern is fixed");
    Patterns {
        visited: fixed(r"(?i)abgerufen|zugriff|letzter|zuletzt|accessed|retrieved|consulté"),
        label: fixed(r"^\s*(?:\[[^\[\]]{1,20}\]|\([0-9]{1,3}\)|[0-9]{1,3}\.(?:\s|$)|[•*–-]\s)\s*"),
        year: fixed(r"\b(1[5-9][0-9]{2}|20[0-9]{2})[a-z]?\b"),
        bracketed_year: fixed(
            r"\s*[(\[](1[5-9][0-9]{2}|20[0-9]{2})[a-z]?(?:,[^()]{0,20})?[)\]]\s*[:.,]?\s*",
        ),
        editors: fixed(r"(?i)\s*\((?:Hrsg|Hg|Hgg|eds?|éds?)\.?\)|,?\s*(?:et al|u\.\s?a)\.?"),
        quoted: fixed(r#"[„“"«»](.{5,400}?)[,.]?[“”"»«][,.]?\s*"#),
        breaks: fixed(r":\s+|[.,]\s+"),
        title_end: fixed(
            r"(?:\p{L}{3}|[0-9]\p{L}|[0-9]{4}|\))([.?!])(?:\s|$)|(,)\s(?:in|In)[:\s]|(,)\s[0-9]{1,4}\b",
        ),
    }
});

/// Takes an entry of a bibliography apart; `None` if the text is none.
///
/// ```
/// use auslese_describe::reference;
/// let entry = reference("Müller, H. (1998): Lineare Algebra. Berlin: Springer.").unwrap();
/// assert_eq!(entry.authors, ["H. Müller"]);
/// assert_eq!(entry.year, Some(1998));
/// assert_eq!(entry.title.as_deref(), Some("Lineare Algebra"));
/// assert_eq!(entry.rest, "Berlin: Springer.");
/// ```
pub fn reference(text: &str) -> Option<ParsedReference> {
    if text.len() > 4 * *ENTRY_LENGTH.end() || !ENTRY_LENGTH.contains(&text.chars().count()) {
        return None;
    }
    let normal = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let entry = PATTERNS.label.replace(&normal, "");
    if !PATTERNS.year.is_match(&entry) {
        return None;
    }
    let head =
        by_bracketed_year(&entry).or_else(|| by_quotation(&entry)).or_else(|| by_breaks(&entry))?;
    let (title, rest) = head.title_and_rest();
    let year = head.year.or_else(|| year_of_publication(&rest))?;
    title.is_some().then_some(ParsedReference {
        authors: head.authors,
        year: Some(year),
        title,
        rest,
    })
}

/// The last year that is not that of a visit to the web, nor a page behind a colon or dash.
fn year_of_publication(rest: &str) -> Option<u16> {
    let end = PATTERNS.visited.find(rest).map_or(rest.len(), |found| found.start());
    let years = PATTERNS.year.captures_iter(&rest[..end]);
    let is_page = |at: usize| rest[..at].ends_with([':', '-', '–']);
    let published = years.filter(|year| year.get(0).is_some_and(|year| !is_page(year.start())));
    published.last()?[1].parse().ok()
}

/// An entry whose authors are known.
struct Head<'a> {
    authors: Vec<String>,
    year: Option<u16>,
    /// The title, where quotation marks tell it.
    title: Option<&'a str>,
    /// Everything behind.
    tail: &'a str,
}

impl Head<'_> {
    fn title_and_rest(&self) -> (Option<String>, String) {
        if let Some(title) = self.title {
            return (Some(title.to_owned()), self.tail.to_owned());
        }
        let Some(end) = PATTERNS.title_end.captures(self.tail) else {
            return (some_text(self.tail), String::new());
        };
        let sign = end.iter().skip(1).flatten().next();
        let at = sign.map_or(self.tail.len(), |sign| sign.start());
        let title = self.tail[..at].trim();
        (some_text(title), self.tail[at..].trim_start_matches(['.', ',', '?', '!', ' ']).to_owned())
    }
}

/// A title is long enough and begins like one: "am Mittwoch" does not.
fn some_text(text: &str) -> Option<String> {
    let text = text.trim_matches([' ', '.', ',', ':']);
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_dated = PATTERNS.year.find(text).is_some_and(|year| year.start() == 0);
    let is_title = letters >= LEAST_TITLE && !is_dated && !text.starts_with(char::is_lowercase);
    is_title.then(|| text.to_owned())
}

/// "Müller, H. (1998): Titel."
fn by_bracketed_year(entry: &str) -> Option<Head<'_>> {
    let found = PATTERNS.bracketed_year.captures(entry)?;
    let whole = found.get(0)?;
    let authors = authors(&entry[..whole.start()])?;
    Some(Head { authors, year: found[1].parse().ok(), title: None, tail: &entry[whole.end()..] })
}

/// "H. Müller, „Titel“, Zeitschrift"
fn by_quotation(entry: &str) -> Option<Head<'_>> {
    let found = PATTERNS.quoted.captures(entry)?;
    let (whole, title) = (found.get(0)?, found.get(1)?);
    let before = entry[..whole.start()].trim_end();
    // "Eva Meier in „Die Anstalt“" is a sentence.
    let last = before.split(' ').next_back().unwrap_or_default();
    if last.chars().all(char::is_lowercase) {
        return None;
    }
    let authors = authors(before)?;
    Some(Head { authors, year: None, title: Some(title.as_str()), tail: &entry[whole.end()..] })
}

/// "H. Müller, K. Meier: Titel." or with a full stop or comma: the authors go on as long as every
/// piece adds to them.
fn by_breaks(entry: &str) -> Option<Head<'_>> {
    let mut best: Option<Head<'_>> = None;
    let within = PATTERNS.breaks.find_iter(entry).take_while(|found| found.start() < MAX_AUTHORS);
    for found in within {
        let is_initial =
            entry[..found.start()].chars().rev().nth(1).is_none_or(|c| !c.is_alphabetic());
        let before = &entry[..found.start() + usize::from(is_initial)];
        let Some(authors) = authors(before) else { continue };
        let more = best.as_ref().is_none_or(|best| authors.len() > best.authors.len());
        if more {
            best = Some(Head { authors, year: None, title: None, tail: &entry[found.end()..] });
        }
        if found.as_str().starts_with(':') {
            break;
        }
    }
    best
}

/// The authors, if the text consists of little else.
fn authors(text: &str) -> Option<Vec<String>> {
    if text.len() > MAX_AUTHORS {
        return None;
    }
    let bare = PATTERNS.editors.replace_all(text, "");
    let names = citation_names(&bare);
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphabetic()).count();
    let named: usize = names.iter().map(|name| letters(name)).sum();
    let share = named as f64 / letters(&bare).max(1) as f64;
    (!names.is_empty() && share >= LEAST_SHARE_OF_NAMES).then_some(names)
}

#[cfg(test)]
mod tests;
