//! Regular expressions that know without searching where they cannot match.
//!
//! A set of heuristics asks some hundred expressions about the same lines of a page, and hardly any
//! matches. Most need one of a few pieces of text ([`needs`]), such as `vorlesung` or `seminar`. One
//! automaton finds the pieces of all expressions in a text at once ([`Signs::of`]); an expression
//! none of whose pieces was seen need not look at the text at all.

mod group;
mod needs;
mod pieces;
mod scanner;
mod word_lists;

pub(crate) use group::{Found, PatternGroup};

use crate::western::{Letters, narrowed};
use pieces::PieceFinder;
use regex::{Regex, RegexBuilder};
use regex_automata::meta;
use regex_syntax::hir::{Hir, HirKind, Look};
use rustc_hash::FxHashMap;
use scanner::Scanner;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

/// Size of a compiled regular expression, in bytes; the crate's own default is ten times that.
pub const MAX_REGEX: usize = 1 << 20;

/// A regular expression. What searches with it is compiled when it is first asked, for western texts
/// ([`crate::western`]) and for all; most never is.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// Apart, so that the code in which it stands stays small: most of what is asked is what it needs.
    ways: Box<Ways>,
    /// A text without any of these signs is no match; without this, every text must be searched.
    needed: Option<Box<Seen>>,
}

#[derive(Debug)]
struct Ways {
    whole: Searches,
    western: OnceLock<Searches>,
    /// Finds what the expression needs; `None` if that is more than pieces of text.
    needed: OnceLock<Option<PieceFinder>>,
}

impl Ways {
    fn new(whole: Searches) -> Ways {
        Ways { whole, western: OnceLock::new(), needed: OnceLock::new() }
    }
}

impl Pattern {
    /// One that no signs are looked for.
    fn new(source: &str, checking: Checking) -> Result<Pattern, regex::Error> {
        let read = regex_syntax::parse(source);
        let expression = read.map_err(|fault| regex::Error::Syntax(fault.to_string()))?;
        let whole = Searches::new(expression);
        if checking == Checking::Thorough {
            // Set once: it was made here.
            let _ = whole.regex.set(checked(source)?);
        }
        Ok(Pattern { ways: Box::new(Ways::new(whole)), needed: None })
    }

    /// Whether it could match a text that was seen to have these signs.
    #[inline]
    pub(crate) fn may_match(&self, seen: &Seen) -> bool {
        self.needed.as_ref().is_none_or(|needed| seen.has(ODD) || seen.meets(needed))
    }

    /// Whether it could match a text of which no signs are known, by a look for what it needs.
    pub(crate) fn may_be_in(&self, text: &str) -> bool {
        let Ways { whole, needed, .. } = &*self.ways;
        let finder = needed.get_or_init(|| {
            let needs = needs::of(&whole.expression)?;
            let pieces: Option<Vec<&str>> = needs.iter().map(needs::Need::piece).collect();
            let pieces = pieces?.into_iter().chain(ODD_LETTERS);
            PieceFinder::new(&pieces.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>())
        });
        finder.as_ref().is_none_or(|finder| finder.finds_any(text))
    }

    /// Whether the signs of a text make any difference.
    pub(crate) fn is_picky(&self) -> bool {
        self.needed.is_some()
    }

    pub(crate) fn is_match(&self, text: &str, letters: Letters) -> bool {
        self.knowing(letters).is_match(text)
    }

    /// What each match captures: the first group that took part, or the whole if the expression has none.
    pub(crate) fn captured<'t>(
        &self,
        text: &'t str,
        letters: Letters,
    ) -> impl Iterator<Item = &'t str> {
        let searches = self.knowing(letters);
        let found = searches.is_match(text).then(|| searches.capturing().captures_iter(text));
        found.into_iter().flatten().map(|found| {
            let group = found.iter().skip(1).flatten().next().or_else(|| found.get_group(0));
            group.map_or("", |group| &text[group.range()])
        })
    }

    /// Whether it could match, by a search that is quick where that for a match is not.
    pub(crate) fn may_match_beyond_ascii(&self, text: &str, letters: Letters) -> bool {
        self.knowing(letters).may_match_beyond_ascii(text)
    }

    /// A regular expression that finds what this one does in texts with these letters.
    pub(crate) fn regex(&self, letters: Letters) -> &Regex {
        self.knowing(letters).regex()
    }

    fn knowing(&self, letters: Letters) -> &Searches {
        let Ways { whole, western, .. } = &*self.ways;
        match letters {
            Letters::Western => western.get_or_init(|| Searches::new(narrowed(&whole.expression))),
            Letters::Any => whole,
        }
    }
}

/// The ways to search with an expression, each made when it is first asked for.
#[derive(Debug)]
struct Searches {
    expression: Hir,
    regex: OnceLock<Regex>,
    /// Tells whether it matches, without saying where.
    scanner: OnceLock<Option<Box<Scanner>>>,
    /// The same without the boundaries of words, if it has some: it matches wherever the other does.
    /// Words beyond ASCII have boundaries that only the slowest way of searching knows.
    without_boundaries: OnceLock<Option<Box<Scanner>>>,
    /// Tells what groups match, in texts that match.
    capturing: OnceLock<meta::Regex>,
}

impl Searches {
    fn new(expression: Hir) -> Searches {
        Searches {
            expression,
            regex: OnceLock::new(),
            scanner: OnceLock::new(),
            without_boundaries: OnceLock::new(),
            capturing: OnceLock::new(),
        }
    }

    fn is_match(&self, text: &str) -> bool {
        if !self.may_match_beyond_ascii(text) {
            return false;
        }
        let scanner = self.scanner.get_or_init(|| Scanner::new(&self.expression));
        let told = scanner.as_ref().and_then(|scanner| scanner.finds(text));
        told.unwrap_or_else(|| self.capturing().is_match(text))
    }

    fn may_match_beyond_ascii(&self, text: &str) -> bool {
        if text.is_ascii() || !has_boundaries(&self.expression) {
            return true;
        }
        let bare = || Scanner::new(&bare(&self.expression));
        let scanner = self.without_boundaries.get_or_init(bare).as_ref();
        scanner.and_then(|scanner| scanner.finds(text)).unwrap_or(true)
    }

    fn regex(&self) -> &Regex {
        let compiled = || checked(&self.expression.to_string());
        self.regex.get_or_init(|| compiled().expect("it was checked when it was read"))
    }

    /// Without automata that are made while they run: to find where a match begins they would run backwards from
    /// its end, and make new states for nearly every letter of a name. Few texts match, so the slower search costs less.
    fn capturing(&self) -> &meta::Regex {
        self.capturing.get_or_init(|| {
            let config =
                meta::Config::new().hybrid(false).dfa(false).nfa_size_limit(Some(MAX_REGEX));
            let compiled =
                meta::Regex::builder().configure(config).build_from_hir(&self.expression);
            compiled.expect("it was checked when it was read")
        })
    }
}

fn checked(source: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(source).size_limit(MAX_REGEX).dfa_size_limit(MAX_REGEX).build()
}

/// How far expressions are checked when they are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Checking {
    /// They are compiled.
    Thorough,
    /// They were compiled by a test.
    Done,
}

/// Whether an expression asks where words begin or end.
fn has_boundaries(expression: &Hir) -> bool {
    let is_boundary = |look: Look| look.as_repr() & !ANCHORS != 0;
    expression.properties().look_set().iter().any(is_boundary)
}

/// The assertions that every way of searching knows.
const ANCHORS: u32 = Look::Start.as_repr() | Look::End.as_repr();

/// An expression without the boundaries of words.
fn bare(expression: &Hir) -> Hir {
    match expression.kind() {
        HirKind::Look(look) if look.as_repr() & !ANCHORS != 0 => Hir::empty(),
        HirKind::Repetition(repeated) => {
            let mut repeated = repeated.clone();
            repeated.sub = Box::new(bare(&repeated.sub));
            Hir::repetition(repeated)
        }
        HirKind::Capture(group) => bare(&group.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(bare).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(bare).collect()),
        _ => expression.clone(),
    }
}

/// Letters that are the same as ASCII letters where case does not matter, and that the automaton does
/// not know as such: long s, Kelvin.
const ODD_LETTERS: [&str; 2] = ["\u{17f}", "\u{212a}"];
const ODD: u8 = 0;
const DIGIT: u8 = 1;
const FIRST_PIECE: u8 = 2;

/// The signs that were seen in a text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen([u64; 4]);

impl Seen {
    fn add(&mut self, sign: u8) {
        self.0[usize::from(sign >> 6)] |= 1 << (sign & 63);
    }

    fn has(&self, sign: u8) -> bool {
        self.0[usize::from(sign >> 6)] & (1 << (sign & 63)) != 0
    }

    /// Whether there is a sign that both have.
    #[inline]
    fn meets(&self, other: &Seen) -> bool {
        let [a, b, c, d] = self.0;
        let [e, f, g, h] = other.0;
        (a & e) | (b & f) | (c & g) | (d & h) != 0
    }
}

/// Gathers what the expressions of a set need.
#[derive(Debug, Default)]
pub(crate) struct SignsBuilder {
    pieces: Vec<String>,
    /// Several pieces share a sign when there are more than signs; that costs a needless search.
    signs: FxHashMap<String, u8>,
}

impl SignsBuilder {
    pub(crate) fn pattern(
        &mut self,
        source: &str,
        checking: Checking,
    ) -> Result<Pattern, regex::Error> {
        let mut pattern = Pattern::new(source, checking)?;
        pattern.needed = needs::of(&pattern.ways.whole.expression).map(|needs| {
            let mut needed = Seen::default();
            needs.iter().for_each(|need| needed.add(self.sign(need)));
            Box::new(needed)
        });
        Ok(pattern)
    }

    fn sign(&mut self, need: &needs::Need) -> u8 {
        let needs::Need::Piece(piece) = need else { return DIGIT };
        let piece = &piece[..piece.floor_char_boundary(MAX_PIECE)];
        if let Some(sign) = self.signs.get(piece) {
            return *sign;
        }
        let room = usize::from(u8::MAX - FIRST_PIECE) + 1;
        let sign = FIRST_PIECE + (self.pieces.len() % room) as u8;
        self.pieces.push(piece.to_owned());
        self.signs.insert(piece.to_owned(), sign);
        sign
    }

    pub(crate) fn build(self) -> Signs {
        let pieces = self.pieces.iter().map(String::as_str);
        let pieces: Vec<&str> = pieces.chain(ODD_LETTERS).collect();
        let signs = self.pieces.iter().map(|piece| self.signs[piece]).chain([ODD, ODD]);
        let pieces_of = pieces.iter().zip(signs).map(|(piece, sign)| (piece.len() as u32, sign));
        // There is none only for more pieces than a set of files can hold; then every text is searched.
        Signs { finder: PieceFinder::new(&pieces), pieces: pieces_of.collect() }
    }
}

/// Bytes of a piece that are looked for. The beginnings of long words are nearly as rare as they are, and
/// an automaton for them is small enough to stay in the nearest memory.
const MAX_PIECE: usize = 4;

/// Finds the signs that the expressions of a set need.
#[derive(Debug)]
pub(crate) struct Signs {
    finder: Option<PieceFinder>,
    /// Length and sign of each piece.
    pieces: Vec<(u32, u8)>,
}

impl Signs {
    pub(crate) fn of(&self, text: &str) -> Seen {
        let mut seen = Seen::default();
        match &self.finder {
            Some(finder) => finder.each(text, |_, ended| {
                ended.iter().for_each(|piece| seen.add(self.pieces[usize::from(*piece)].1));
            }),
            None => seen.add(ODD),
        }
        if has_digit(text) {
            seen.add(DIGIT);
        }
        seen
    }

    /// Where all signs of a long text stand, of which parts are asked for.
    pub(crate) fn places(&self, text: &str) -> SignPlaces {
        let mut signs = Vec::new();
        if let Some(finder) = &self.finder {
            finder.each_of_many(text, |end, ended| {
                for piece in ended {
                    let (length, sign) = self.pieces[usize::from(*piece)];
                    let end = end as u32;
                    signs.push(SignPlace { start: end - length, end, sign });
                }
            });
        }
        SignPlaces { signs, digits: digits(text), is_unknown: self.finder.is_none() }
    }
}

/// Where the signs of a text stand.
#[derive(Debug, Default)]
pub(crate) struct SignPlaces {
    /// In the order of their ends.
    signs: Vec<SignPlace>,
    /// The rows of digits, each with where it begins and where its last digit begins.
    digits: Vec<(u32, u32)>,
    is_unknown: bool,
}

#[derive(Debug)]
struct SignPlace {
    start: u32,
    end: u32,
    sign: u8,
}

impl SignPlaces {
    /// The signs of a part of the text.
    pub(crate) fn within(&self, part: Range<u32>) -> Seen {
        let mut seen = Seen::default();
        if self.is_unknown {
            seen.add(ODD);
        }
        let first = self.signs.partition_point(|it| it.end <= part.start);
        let ending = self.signs[first..].iter().take_while(|it| it.end <= part.end);
        for it in ending.filter(|it| it.start >= part.start) {
            seen.add(it.sign);
        }
        let row = self.digits.partition_point(|(_, last)| *last < part.start);
        let has_digit = self.digits.get(row).is_some_and(|(first, _)| *first < part.end);
        // A part without a letter may stand within a row.
        if has_digit && !part.is_empty() {
            seen.add(DIGIT);
        }
        seen
    }
}

/// The rows of digits in a text, each with where it begins and where its last digit begins.
fn digits(text: &str) -> Vec<(u32, u32)> {
    let mut rows: Vec<(u32, u32)> = Vec::new();
    let mut add = |start: usize, bytes: &[u8]| {
        if !bytes.iter().fold(false, |found, byte| found | may_be_digit(*byte)) {
            return;
        }
        for (at, byte) in (start..).zip(bytes) {
            if is_digit(text, at, *byte) {
                match rows.last_mut() {
                    Some((_, last)) if *last as usize + 1 == at => *last = at as u32,
                    _ => rows.push((at as u32, at as u32)),
                }
            }
        }
    };
    let (stretches, rest) = text.as_bytes().as_chunks::<STRETCH>();
    (0..).zip(stretches).for_each(|(number, stretch)| add(number * STRETCH, stretch));
    add(text.len() - rest.len(), rest);
    rows
}

/// Whether a text has digits. Most stretches have none, which is seen by looking at many bytes at once.
fn has_digit(text: &str) -> bool {
    let (stretches, rest) = text.as_bytes().as_chunks::<STRETCH>();
    let is_in = |start: usize, bytes: &[u8]| {
        bytes.iter().fold(false, |found, byte| found | may_be_digit(*byte))
            && (start..).zip(bytes).any(|(at, byte)| is_digit(text, at, *byte))
    };
    (0..).zip(stretches).any(|(number, stretch)| is_in(number * STRETCH, stretch))
        || is_in(text.len() - rest.len(), rest)
}

/// Bytes that are looked at at once.
const STRETCH: usize = 32;

/// Whether a byte is a digit, or may begin one beyond ASCII. No digits are among the Latin letters that some begin.
#[inline]
fn may_be_digit(byte: u8) -> bool {
    byte.is_ascii_digit() | ((byte >= 0xC0) & (byte.wrapping_sub(0xC3) > 6))
}

#[inline]
fn is_digit(text: &str, at: usize, byte: u8) -> bool {
    may_be_digit(byte) && (byte.is_ascii() || text[at..].starts_with(char::is_numeric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Expressions as heuristics have them.
    const EXPRESSIONS: [&str; 12] = [
        r"(?i)\b(Vorlesung|Übung|Proseminar|lecture)\b",
        r"(?i)^(diplom|magister)arbeit\b|^(inaugural-?)?dissertation\b|\b(zur erlangung des)\b",
        r"\d\.\s?\d\d?\.\s?\d\d|\p{L}{3,}\.?,?\s(de\s)?(19|20)\d\d\b",
        r"(?i)sub|untertitel|skript",
        r"(?:©|\(c\)|Copyright)\s*(?:\d{4})?\s*(?:by\s+)?([^|.,;\n]{4,80})",
        r"https?:|www\.|\.com/|^@",
        r"^[^:]{1,40}:\s*\S",
        r"(?i)ks",
        r"(?i)(a|b|)straße",
        r"[a-c]{2}x+yz",
        r"(ab)+c?|d{2,3}",
        r"",
    ];

    proptest! {
        #[test]
        fn nothing_that_matches_is_passed_over(
            text in "([abcdxyzkKsſKßü:.@© ]|19|20|www|Übung|Lecture|diplomarbeit|sub|\\(c\\)|strasse|STRAßE|٣){0,12}"
        ) {
            let mut builder = SignsBuilder::default();
            let patterns = EXPRESSIONS.map(|it| builder.pattern(it, Checking::Thorough).expect("it is one"));
            let seen = builder.build().of(&text);
            for pattern in &patterns {
                let whole = pattern.ways.whole.regex();
                let matches = whole.is_match(&text);
                let letters = Letters::of(&text);
                prop_assert_eq!(pattern.is_match(&text, letters), matches);
                let captured: Vec<&str> = pattern.captured(&text, letters).collect();
                let expected = whole.captures_iter(&text).map(|found| {
                    found.iter().skip(1).flatten().next().or(found.get(0)).map_or("", |it| it.as_str())
                });
                prop_assert_eq!(captured, expected.collect::<Vec<_>>());
                prop_assert!(!matches || pattern.may_match(&seen), "{} {text}", whole.as_str());
            }
        }
    }

    proptest! {
        #[test]
        fn parts_of_a_text_are_texts(
            before in "([abdx19 ]|www|sub|Übung|٣){0,6}",
            text in "([abdx19 ]|www|sub|Übung|٣){0,6}",
            after in "([abdx19 ]|www|sub|Übung|٣){0,6}",
        ) {
            let mut builder = SignsBuilder::default();
            for it in EXPRESSIONS {
                builder.pattern(it, Checking::Done).expect("it is one");
            }
            let signs = builder.build();
            let whole = format!("{before}{text}{after}");
            let part = before.len() as u32..(before.len() + text.len()) as u32;
            prop_assert_eq!(signs.places(&whole).within(part).0, signs.of(&text).0);
            prop_assert_eq!(signs.of(&text).has(DIGIT), text.contains(char::is_numeric));
        }
    }

    #[test]
    fn most_texts_are_passed_over() {
        let mut builder = SignsBuilder::default();
        let patterns =
            EXPRESSIONS.map(|it| builder.pattern(it, Checking::Thorough).expect("it is one"));
        let seen = builder.build().of("Wer nicht fragt, bleibt dumm.");
        let searched: Vec<&str> = patterns
            .iter()
            .filter(|it| it.may_match(&seen))
            .map(|it| it.ways.whole.regex().as_str())
            .collect();
        let unsure = [5, 6, 10, 11].map(|at| EXPRESSIONS[at]);
        assert_eq!(searched, unsure);
    }

    #[test]
    fn more_pieces_than_signs() {
        let mut builder = SignsBuilder::default();
        let words = (0..2_000).map(|number| format!("{number:04}ende"));
        let patterns: Vec<Pattern> =
            words.map(|it| builder.pattern(&it, Checking::Done).expect("it is one")).collect();
        let signs = builder.build();
        let seen = signs.of("das 1234Ende");
        let searched = patterns.iter().filter(|it| it.may_match(&seen)).count();
        assert!(patterns[1234].may_match(&seen) && searched < 10, "{searched}");
    }
}
