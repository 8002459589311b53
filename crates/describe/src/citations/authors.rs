//! The list of authors at the beginning of an entry.
//!
//! Bibliographies write names in four ways: initials first ("E. Meier"), turned round ("Meier, Eva"),
//! surname and initials without a comma ("Meier E"), or as they are spoken ("Eva Meier"). A list keeps
//! to one of them, so each way is tried on its own, name by name. What ends a list decides how far it
//! goes: a year, a colon or a quotation mark ends it for certain; a full stop or a comma may also be
//! part of it.

use crate::lazy_regex::LazyRegex;
use crate::shapes::is_person_name;
use crate::western::{is_western, narrowed};
use auslese_model::CitedAuthor;
use regex_automata::meta;
use regex_syntax::hir::Hir;
use std::sync::{LazyLock, OnceLock};

/// Bytes before which the authors must end.
const MAX_AUTHORS: usize = 1_000;

/// Names in one list.
const MAX_LISTED: usize = 60;

/// The authors of an entry, and the sign behind them.
#[derive(Debug)]
pub(super) struct AuthorList {
    pub(super) people: Vec<CitedAuthor>,
    pub(super) ending: Ending,
    /// Where the text behind the sign begins.
    pub(super) end: usize,
}

/// What sets the authors off from the title. The later, the surer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ending {
    Comma,
    FullStop,
    Colon,
    Quotation,
    Year(u16),
}

impl Ending {
    fn is_certain(self) -> bool {
        self > Ending::FullStop
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    InitialsFirst,
    TurnedRound,
    InitialsLast,
    Spoken,
}

/// "Robert Gasch, Jochen Twele: …" is two people before it is one of the family Robert Gasch.
const WAYS: [Way; 4] = [Way::InitialsFirst, Way::InitialsLast, Way::Spoken, Way::TurnedRound];

struct Patterns {
    initials_first: NamePattern,
    turned_round: NamePattern,
    initials_last: NamePattern,
    spoken: NamePattern,
    /// What stands between two names.
    separator: LazyRegex,
    /// "(Hrsg.)" and "et al." belong to no name.
    editors: LazyRegex,
    year: LazyRegex,
    quotation: LazyRegex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let fixed = |pattern: &str| LazyRegex::new(pattern.to_owned());
    let name = NamePattern::new;
    let particles = r"(?:(?:von|vom|van|der|den|de|zur|zum|zu|du|des|del|della|di|da|dos|le|la|ter|ten|te|af|av|el|al|St\.)\s){0,3}";
    let word = r"(?:[dDlL]['’])?\p{Lu}[\p{L}\p{M}'’‘‐‑-]*[\p{L}\p{M}]";
    let family = format!(r"{particles}{word}(?:\s{particles}{word})?(?:,?\s(?:Jr|Sr|Jun|jun)\.)?");
    let initials = r"(?:\p{Lu}(?:\p{Ll}|hr)?\.[\s‐‑-]?){0,4}\p{Lu}(?:\p{Ll}|hr)?\.";
    let given =
        format!(r"{word}(?:\s{word})?(?:\s\p{{Lu}}\.)*(?:\s(?:von|van|de|der|zur|den|du)\b)*");
    Patterns {
        initials_first: name(&format!(r"^(?P<given>{initials})\s?(?P<family>{family})")),
        turned_round: name(&format!(r"^(?P<family>{family}),\s(?P<given>{initials}|{given})")),
        initials_last: name(&format!(
            r"^(?P<family>{family})\s(?P<given>{initials}|\p{{Lu}}[‐‑-]\p{{Lu}}\b|\p{{Lu}}{{1,3}}\b)"
        )),
        spoken: name(&format!(
            r"^(?P<given>{word}(?:\s(?:{word}|\p{{Lu}}\.)){{0,3}})\s(?P<family>{family})"
        )),
        separator: fixed(
            r"^(?:\s?[;/]\s?|,?\s(?:and|und|et|y|e|&|u\.)\s|,\s(?:&\s)?|\s[–—-]\s|\s?&\s?)",
        ),
        editors: fixed(
            r"^(?:,?\s?\((?:Hrsg|Hg|Hgg|[Ee]ds?|éds?|dir)\.?\)|,\s(?:Hrsg|Hg|[Ee]ds?)\.(?:\s|:|,)?|,?\s(?:et\sal|u\.\s?a)\b\.?)",
        ),
        year: fixed(
            r"^(?:[.,]?\s?[(\[](?P<set>1[5-9]\d\d|20\d\d)[a-z]?(?:[,/][^()\[\]]{0,20})?[)\]]\s?[:.,]?\s?|[.,]?\s(?P<bare>1[5-9]\d\d|20\d\d)[a-z]?(?:\s\[\d{4}\])?\s?[:.,]\s)",
        ),
        quotation: fixed(r#"^[,:.]?\s?[„“"«»]"#),
    }
});

/// A way to write one name, at the beginning of a text.
///
/// These expressions are large, and texts that they are asked about are short. So no automaton is
/// made for them, which would take longer than all the searching.
struct NamePattern {
    source: String,
    western: OnceLock<meta::Regex>,
    whole: OnceLock<meta::Regex>,
}

impl NamePattern {
    fn new(pattern: &str) -> NamePattern {
        NamePattern { source: pattern.to_owned(), western: OnceLock::new(), whole: OnceLock::new() }
    }

    /// The expression that is to search a text.
    fn knowing(&self, text: &str) -> &meta::Regex {
        let expression = || regex_syntax::parse(&self.source).expect("the pattern is fixed");
        match is_western(text) {
            true => self.western.get_or_init(|| built(&narrowed(&expression()))),
            false => self.whole.get_or_init(|| built(&expression())),
        }
    }

    /// Given name, family name, and where the name ends.
    fn find<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str, usize)> {
        let searched = where_name_may_be(text);
        let regex = self.knowing(searched);
        let mut found = regex.create_captures();
        regex.captures(searched, &mut found);
        let part = |name: &str| Some(&text[found.get_group_by_name(name)?.range()]);
        Some((part("given")?, part("family")?, found.get_match()?.end()))
    }
}

fn built(expression: &Hir) -> meta::Regex {
    let config = meta::Config::new().hybrid(false).auto_prefilter(false);
    let built = meta::Regex::builder().configure(config).build_from_hir(expression);
    built.expect("the pattern is fixed")
}

/// Words of a name, initials and particles included; more are none.
const MAX_NAME_WORDS: usize = 16;

/// As much of a text as a name at its beginning can be, and the letter behind it, which tells whether a
/// word ends there.
fn where_name_may_be(text: &str) -> &str {
    let mut words = 0;
    let ends = |letter: char| {
        words += usize::from(letter.is_whitespace());
        words > MAX_NAME_WORDS
            || letter.is_ascii_digit()
            || (letter.is_ascii_punctuation() && !matches!(letter, '.' | ',' | '-' | '\''))
    };
    let end = text.find(ends).map_or(text.len(), |end| end + 1);
    &text[..text.ceil_char_boundary(end)]
}

/// Whether a text begins with initials, such as "E." or "Chr.".
fn begins_with_initial(text: &str) -> bool {
    text.starts_with(char::is_uppercase) && text.chars().skip(1).take(3).any(|it| it == '.')
}

/// The authors at the beginning of an entry, where there are any.
pub(super) fn author_list(entry: &str) -> Option<AuthorList> {
    let lists = WAYS.into_iter().flat_map(|way| ends_of(entry, way));
    // Of equals the first way, and of that the longest list.
    let mut best: Option<AuthorList> = None;
    for list in lists {
        let certain = |list: &AuthorList| (list.ending.is_certain(), list.ending > Ending::Comma);
        if best.as_ref().is_none_or(|best| certain(&list) > certain(best)) {
            best = Some(list);
        }
    }
    best
}

/// A list written in one way, in all lengths at which something ends it; the longest first.
fn ends_of(entry: &str, way: Way) -> Vec<AuthorList> {
    let mut lists = Vec::new();
    let mut people: Vec<CitedAuthor> = Vec::new();
    let (mut at, mut between) = (0, "");
    while let Some((person, length)) = name(&entry[at..], way, between) {
        people.push(person);
        at += length;
        if let Some((ending, end)) = ending(entry, at)
            && may_end(way, ending, people.len())
        {
            lists.push(AuthorList { people: people.clone(), ending, end });
        }
        let Some(found) = PATTERNS.separator.find(&entry[at..]) else { break };
        between = found.as_str();
        at += found.end();
        if at > MAX_AUTHORS || people.len() == MAX_LISTED {
            break;
        }
    }
    lists.reverse();
    lists
}

/// Titles look like names: "E. Meier, Random Walks, …". So a comma ends only lists whose names
/// have initials before or behind them, and the shortest of others.
fn may_end(way: Way, ending: Ending, people: usize) -> bool {
    match (way, ending) {
        (Way::InitialsFirst | Way::InitialsLast, _) => true,
        (Way::TurnedRound | Way::Spoken, Ending::Comma) => people == 1,
        (Way::TurnedRound | Way::Spoken, _) => true,
    }
}

/// The name at the beginning of a text, and how long it is there; `between` stands before it.
fn name(text: &str, way: Way, between: &str) -> Option<(CitedAuthor, usize)> {
    let patterns = &*PATTERNS;
    let may_be = |way: &NamePattern| {
        !std::ptr::eq(way, &patterns.initials_first) || begins_with_initial(text)
    };
    let first = |ways: &[&NamePattern]| {
        ways.iter().filter(|way| may_be(way)).find_map(|way| accepted(way, text))
    };
    let is_last = between.contains(char::is_alphabetic) || between.contains('&');
    match way {
        Way::InitialsFirst => first(&[&patterns.initials_first]),
        Way::InitialsLast => first(&[&patterns.initials_last]),
        Way::Spoken => first(&[&patterns.initials_first, &patterns.spoken]),
        Way::TurnedRound if between.is_empty() => first(&[&patterns.turned_round]),
        // Often only the first is turned round: "Müller, H., K. Meier und Eva Huber".
        Way::TurnedRound if is_last => {
            first(&[&patterns.turned_round, &patterns.initials_first, &patterns.spoken])
        }
        Way::TurnedRound => first(&[&patterns.turned_round, &patterns.initials_first]),
    }
}

fn accepted(pattern: &NamePattern, text: &str) -> Option<(CitedAuthor, usize)> {
    let (given, family, end) = pattern.find(text)?;
    let (given, family) = (given.trim().to_owned(), family.trim().to_owned());
    let whole = format!("{} {family}", given.replace(['‐', '‑'], "-"));
    let is_name = is_person_name(&whole) || is_person_name(&format!("Eva {family}"));
    is_name.then_some((CitedAuthor { family, given: Some(given) }, end))
}

/// What ends a list at a place, and where the text behind it begins.
fn ending(entry: &str, at: usize) -> Option<(Ending, usize)> {
    let patterns = &*PATTERNS;
    let mut at = at;
    while let Some(found) = patterns.editors.find(&entry[at..]) {
        at += found.end();
    }
    let rest = &entry[at..];
    if let Some(found) = patterns.year.captures(rest) {
        let year = found.name("set").or_else(|| found.name("bare"))?.as_str().parse().ok()?;
        return Some((Ending::Year(year), at + found.get(0)?.end()));
    }
    if let Some(found) = patterns.quotation.find(rest) {
        // The mark itself belongs to the title.
        let mark = found.as_str().chars().next_back().map_or(0, char::len_utf8);
        return Some((Ending::Quotation, at + found.end() - mark));
    }
    let abbreviated = entry[..at].ends_with('.') && rest.starts_with(' ');
    let (ending, sign) = match rest {
        _ if abbreviated => (Ending::FullStop, 1),
        _ if rest.starts_with(": ") => (Ending::Colon, 2),
        _ if rest.starts_with(" : ") => (Ending::Colon, 3),
        _ if rest.starts_with(". ") => (Ending::FullStop, 2),
        _ if rest.starts_with(", ") => (Ending::Comma, 2),
        _ => return None,
    };
    Some((ending, at + sign))
}
