//! An entry of a bibliography, taken apart as far as it lets itself.
//!
//! An entry begins with its authors; what sets them off from the title tells the style. The title
//! ends where that style ends it: with the quotation mark, with a full stop, or before the comma
//! behind which a journal and its volume stand. The rest says where and when the work appeared.

use super::authors::{AuthorList, Ending, author_list};
use super::identifiers::work_identifiers;
use crate::lazy_regex::LazyRegex;
use auslese_model::{Citation, CitedAuthor};
use std::sync::LazyLock;

/// Bytes of an entry that are read. Entries with long lists of authors have some 2,000; what is
/// longer is no entry.
pub const MAX_ENTRY: usize = 4_000;

/// Characters of an entry, at least and at most, where anything on a page may be one.
const ENTRY_LENGTH: std::ops::RangeInclusive<usize> = 25..=1_000;

/// Letters of a title; what is shorter is the name of a month.
const LEAST_TITLE: usize = 8;

/// Bytes before which a year in brackets or a quotation mark tells where the title begins, if the
/// authors were not understood: a body may have written the work.
const MAX_BODY: usize = 200;

struct Patterns {
    /// `[12]`, `[Mül98]`, `(3)`, `12.`, a bullet.
    label: LazyRegex,
    year: LazyRegex,
    /// A year in brackets, with the sign that closes it.
    bracketed_year: LazyRegex,
    /// A title in quotation marks.
    quoted: LazyRegex,
    /// A full stop behind a word, not behind "Bd" or "Nr"; "in" with the work around it; a number.
    title_end: LazyRegex,
    /// Where a list of a title, a journal and its volume has the volume: it may stand in a piece of
    /// its own or behind the journal.
    volume: LazyRegex,
    /// What kind of thing a work is, and with it the end of a title.
    kind: LazyRegex,
    /// A journal in short words, read as the end of a title: ", Proc" before ". Natl."
    short_venue: LazyRegex,
    /// What follows is when someone looked.
    visited: LazyRegex,
    /// The work around it, and who edited that.
    within: LazyRegex,
    venue_end: LazyRegex,
    labelled_pages: LazyRegex,
    page_range: LazyRegex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let fixed = |pattern: &str| LazyRegex::new(pattern.to_owned());
    let kind = r"(?:Preprint|Technical [Rr]eport|Manuskript|Dissertation|Diss\.|Habilitation|Diplomarbeit|Masterarbeit|Bachelorarbeit|Ph\.?\s?D\.?|Master'?s?|Thèse|Working [Pp]aper|Arbeitspapier)";
    Patterns {
        label: fixed(r"^\s*(?:\[[^\[\]]{1,20}\]|\([0-9]{1,3}\)|[0-9]{1,3}\.(?:\s|$)|[•*–-]\s)\s*"),
        year: fixed(r"\b(1[5-9][0-9]{2}|20[0-9]{2})[a-z]?\b"),
        bracketed_year: fixed(
            r"\s*[(\[](1[5-9][0-9]{2}|20[0-9]{2})[a-z]?(?:,[^()]{0,20})?[)\]]\s*[:.,]?\s*",
        ),
        quoted: fixed(r#"[„“"«»](.{5,600}?)[,.]?[“”"»«][,.]?\s*"#),
        title_end: fixed(&format!(
            r"(?:\p{{L}}{{3}}|[0-9]\p{{L}}|[0-9]{{4}}|\))([.?!])(?:\s|$)|(,)\s(?:in|In)[:\s]|(,)\s[0-9]{{1,4}}\b|(\.)\s(?:In:|{kind})"
        )),
        volume: fixed(
            r"^(?:(?:vol|Bd|no|Nr)\.\s?)?[0-9]{1,4}\b|[\s:][0-9]{1,4}\s?\((?:1[5-9]|20)[0-9]{2}\)",
        ),
        kind: fixed(&format!(r"^(?:{kind}|[Ii]n[:\s])")),
        short_venue: fixed(r",\s\p{Lu}\p{L}{1,6}$"),
        visited: fixed(r"(?i)abgerufen|zugriff|letzter|zuletzt|accessed|retrieved|consulté"),
        within: fixed(
            r"^[Ii]n:?\s(?:[^()]{3,200}\((?:Hrsg|Hg|Hgg|[Ee]ds?)\.?\)\s?[:,]\s?|[^:()]{3,200},\s(?:[Ee]ds?|Hrsg)\.[,:]\s?)?",
        ),
        venue_end: fixed(
            r"(?i),?\s(?:vol|bd|band|no|nr|heft|s|pp?|seiten|pages|doi|arxiv|isbn|https?|url)\b[.:]?|[,;:]?\s\(?[0-9]|,\s[0-9]|https?:|\.\s|[.,]?$",
        ),
        labelled_pages: fixed(
            r"\b(?:S\.|pp?\.|Seiten?|pages?)\s?([0-9]+(?:\s?[–—‐-]{1,2}\s?[0-9]+)?)",
        ),
        page_range: fixed(r"\b([0-9]{1,5}\s?[–—‐-]{1,2}\s?[0-9]{1,5})\b"),
    }
});

/// Takes an entry of a bibliography apart. What is not understood is left out.
///
/// ```
/// use auslese_describe::citation;
/// let entry = citation("U. Meier and E. Schulze. Ringe. Math. Notes, 31:9–40, 1978.");
/// let authors: Vec<String> = entry.authors.iter().map(ToString::to_string).collect();
/// assert_eq!(authors, ["U. Meier", "E. Schulze"]);
/// assert_eq!(entry.title.as_deref(), Some("Ringe"));
/// assert_eq!((entry.year, entry.pages.as_deref()), (Some(1978), Some("9–40")));
/// ```
pub fn citation(text: &str) -> Citation {
    Parsed::of(text).citation
}

/// The same for any text of a page, most of which are no entries: `None` unless there are authors,
/// a title, and a year beside it. Headlines such as "Eva Meier: Vertrag bis 2024" must not become a
/// bibliography.
pub fn bibliography_entry(text: &str) -> Option<Citation> {
    may_be_entry(text).then(|| Opened::of(text)).filter(Opened::is_entry).map(Opened::citation)
}

/// Authors and title of an entry, where nothing else is asked for.
pub(crate) fn listed_work(text: &str) -> Option<(Vec<CitedAuthor>, String)> {
    let opened = may_be_entry(text).then(|| Opened::of(text)).filter(Opened::is_entry)?;
    let title = opened.title()?.to_owned();
    Some((opened.head.map(|head| head.authors).unwrap_or_default(), title))
}

fn may_be_entry(text: &str) -> bool {
    text.len() <= MAX_ENTRY && may_have_year(text) && ENTRY_LENGTH.contains(&text.chars().count())
}

/// Whether something begins like the years that are looked for.
fn may_have_year(text: &str) -> bool {
    text.as_bytes().windows(2).any(|digits| matches!(digits, [b'1', b'5'..=b'9'] | [b'2', b'0']))
}

/// An entry without its label, and what is known of it.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) text: String,
    /// Where the title stands in the text, if it was found.
    pub(super) title: Option<std::ops::Range<usize>>,
    pub(super) citation: Citation,
}

impl Parsed {
    pub(super) fn of(text: &str) -> Parsed {
        let opened = Opened::of(text);
        let (title, text) = (opened.title.clone(), opened.text.clone());
        Parsed { title, text, citation: opened.citation() }
    }
}

/// An entry of which authors, title and year are known; the rest is not looked for yet.
struct Opened {
    /// Without its label.
    text: String,
    head: Option<Head>,
    title: Option<std::ops::Range<usize>>,
    year: Option<u16>,
}

impl Opened {
    fn of(text: &str) -> Opened {
        let text = &text[..text.floor_char_boundary(MAX_ENTRY)];
        let normal = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = PATTERNS.label.replace(&normal, "").into_owned();
        let head = Head::of(&text);
        let title = head.as_ref().and_then(|head| head.title(&text));
        let mut opened = Opened { text, head, title, year: None };
        let year = opened.head.as_ref().and_then(|head| head.year);
        opened.year = year.or_else(|| year_of_publication(opened.rest()));
        opened
    }

    fn title(&self) -> Option<&str> {
        self.title.clone().map(|place| &self.text[place])
    }

    /// What follows the title.
    fn rest(&self) -> &str {
        match (&self.title, &self.head) {
            (Some(title), _) => self.text[title.end..].trim_start_matches(OPENING),
            (None, Some(head)) => &self.text[head.start..],
            (None, None) => self.text.as_str(),
        }
    }

    /// Whether it has what entries of bibliographies have.
    fn is_entry(&self) -> bool {
        let is_title = |it: &str| letters(it) >= LEAST_TITLE && !it.starts_with(char::is_lowercase);
        self.title().is_some_and(is_title)
            && self.year.is_some()
            && self.head.as_ref().is_some_and(|head| !head.authors.is_empty())
    }

    fn citation(self) -> Citation {
        let rest = self.rest();
        Citation {
            title: self.title().map(str::to_owned),
            year: self.year,
            venue: self.title.as_ref().and_then(|_| venue(rest)),
            pages: pages(rest),
            identifiers: work_identifiers(&self.text),
            authors: self.head.map(|head| head.authors).unwrap_or_default(),
        }
    }
}

/// Signs between a title and what follows it.
const OPENING: [char; 9] = ['.', ',', '?', '!', ' ', '“', '”', '"', '»'];

/// How an entry begins.
struct Head {
    authors: Vec<CitedAuthor>,
    year: Option<u16>,
    /// What ended the authors.
    ending: Ending,
    /// Where the title begins.
    start: usize,
}

impl Head {
    fn of(entry: &str) -> Option<Head> {
        if let Some(AuthorList { people, ending, end }) = author_list(entry) {
            let year = match ending {
                Ending::Year(year) => Some(year),
                _ => None,
            };
            return Some(Head { authors: people, year, ending, start: end });
        }
        let front = &entry[..entry.floor_char_boundary(MAX_BODY)];
        if let Some(found) = PATTERNS.bracketed_year.captures(front) {
            let (year, start) = (found[1].parse().ok(), found.get(0)?.end());
            let ending = Ending::Year(year?);
            return Some(Head { authors: Vec::new(), year, ending, start });
        }
        let start = PATTERNS.quoted.find(entry).filter(|found| found.start() < MAX_BODY)?.start();
        Some(Head { authors: Vec::new(), year: None, ending: Ending::Quotation, start })
    }

    /// Where the title stands in the entry.
    fn title(&self, entry: &str) -> Option<std::ops::Range<usize>> {
        let tail = &entry[self.start..];
        let quoted = PATTERNS.quoted.captures(tail).and_then(|found| found.get(1));
        let length = match self.ending {
            _ if tail.starts_with(['„', '“', '"', '«', '»']) => {
                let quoted = quoted?;
                return Some(self.start + quoted.start()..self.start + quoted.end());
            }
            Ending::Comma => comma_end(tail),
            _ => sentence_end(tail),
        };
        let title = tail[..length].trim_end_matches([' ', '.', ',', ':']);
        let is_dated = PATTERNS.year.find(title).is_some_and(|year| year.start() == 0);
        let is_title = letters(title) > 2 && !is_dated;
        is_title.then(|| self.start..self.start + title.len())
    }
}

/// Where a title ends that a full stop ends.
fn sentence_end(tail: &str) -> usize {
    let found = PATTERNS.title_end.captures(tail);
    let sign = found.and_then(|found| found.iter().skip(1).flatten().next());
    let end = sign.map_or(tail.len(), |sign| sign.start());
    match PATTERNS.short_venue.find(&tail[..end]) {
        Some(venue) if tail[end..].starts_with(". ") && is_short(&tail[end + 2..]) => venue.start(),
        _ => end,
    }
}

/// Whether a short word follows, as in the names of journals.
fn is_short(rest: &str) -> bool {
    rest.split(' ').next().is_some_and(|word| word.ends_with('.') && word.chars().count() < 8)
}

/// Where a title ends that a comma ends: before the journal, which is the piece with the volume or the
/// one before it; before what says of which kind the work is; or at the first comma.
fn comma_end(tail: &str) -> usize {
    let mut starts = vec![0];
    starts.extend(tail.match_indices(", ").map(|(at, _)| at + 2));
    let piece = |number: usize| {
        let end = starts.get(number + 1).map_or(tail.len(), |next| next - 2);
        &tail[starts[number]..end]
    };
    let before = |number: usize| starts[number] - 2;
    let kind = (1..starts.len()).find(|number| PATTERNS.kind.is_match(piece(*number)));
    let volume = (1..starts.len()).find(|number| PATTERNS.volume.is_match(piece(*number)));
    match (kind, volume) {
        (Some(kind), _) => before(kind),
        (None, Some(volume)) if piece(volume).starts_with(char::is_alphabetic) => before(volume),
        (None, Some(volume)) if volume > 1 => before(volume - 1),
        (None, _) if starts.len() > 1 => before(1),
        (None, _) => sentence_end(tail),
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphabetic()).count()
}

/// The last year that is not that of a visit to the web, nor a page behind a colon or dash.
fn year_of_publication(rest: &str) -> Option<u16> {
    let end = PATTERNS.visited.find(rest).map_or(rest.len(), |found| found.start());
    let years = PATTERNS.year.captures_iter(&rest[..end]);
    let is_page = |at: usize| rest[..at].ends_with([':', '-', '–', '/', '.']);
    let published = years.filter(|year| year.get(0).is_some_and(|year| !is_page(year.start())));
    published.last()?[1].parse().ok()
}

/// The journal, the book around the work, or place and publisher.
fn venue(rest: &str) -> Option<String> {
    let within = PATTERNS.within.find(rest).map_or(0, |found| found.end());
    let tail = rest[within..].trim_start_matches(['„', '“', '"', '«', '»']);
    let end = PATTERNS.venue_end.find_iter(tail).map(|found| (found.start(), found.as_str()));
    // "J. Things" and "Math. Zeitschrift": a full stop behind a short word ends nothing.
    let is_short =
        |at: usize| tail[..at].chars().rev().take_while(|it| it.is_alphabetic()).count() < 6;
    let end = end.into_iter().find(|(at, sign)| *sign != ". " || !is_short(*at))?.0;
    let venue = tail[..end].trim_matches([' ', '.', ',', ':', ';', '(', '“', '”', '"', '»', '«']);
    (letters(venue) > 2).then(|| venue.to_owned())
}

fn pages(rest: &str) -> Option<String> {
    let rest = &rest[..PATTERNS.visited.find(rest).map_or(rest.len(), |found| found.start())];
    let labelled = PATTERNS.labelled_pages.captures(rest);
    let ranges = PATTERNS.page_range.captures_iter(rest);
    let found = labelled.or_else(|| ranges.last())?;
    Some(found[1].split_whitespace().collect())
}
