//! Regular expressions that know without searching where they cannot match.
//!
//! A set of heuristics asks some hundred expressions about the same lines of a page, and hardly any
//! matches. Most need one of a few pieces of text ([`needs`]), such as `vorlesung` or `seminar`. One
//! automaton finds the pieces of all expressions in a text at once ([`Signs::of`]); an expression
//! none of whose pieces was seen need not look at the text at all.

mod needs;
mod scanner;

use aho_corasick::automaton::Automaton;
use aho_corasick::dfa::DFA;
use aho_corasick::{Anchored, MatchKind};
use regex::{Regex, RegexBuilder};
use regex_automata::meta;
use regex_syntax::hir::{Hir, HirKind, Look};
use rustc_hash::FxHashMap;
use scanner::Scanner;
use std::ops::{Deref, Range};
use std::sync::OnceLock;

/// Size of a compiled regular expression, in bytes; the crate's own default is ten times that.
pub const MAX_REGEX: usize = 1 << 20;

/// A regular expression, compiled when it is first asked. Most never are.
#[derive(Debug)]
pub(crate) struct Pattern {
    source: Box<str>,
    regex: OnceLock<Regex>,
    /// Tells whether it matches, without saying where.
    scanner: OnceLock<Option<Box<Scanner>>>,
    /// Tells what groups match, in texts that match.
    capturing: OnceLock<meta::Regex>,
    /// The same without the boundaries of words, if it has some: it matches wherever the other does.
    /// Words beyond ASCII have boundaries that only the slowest way of searching knows.
    without_boundaries: Option<Box<BarePattern>>,
    /// A text without any of these signs is no match; without this, every text must be searched.
    needed: Option<Box<Seen>>,
}

#[derive(Debug)]
struct BarePattern {
    source: String,
    scanner: OnceLock<Option<Box<Scanner>>>,
}

impl Pattern {
    /// Whether it could match a text that was seen to have these signs.
    #[inline]
    pub(crate) fn may_match(&self, seen: &Seen) -> bool {
        self.needed.as_ref().is_none_or(|needed| seen.has(ODD) || seen.meets(needed))
    }

    /// Whether the signs of a text make any difference.
    pub(crate) fn is_picky(&self) -> bool {
        self.needed.is_some()
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        if !self.may_match_beyond_ascii(text) {
            return false;
        }
        let scanner = self.scanner.get_or_init(|| Scanner::new(&self.source));
        let told = scanner.as_ref().and_then(|scanner| scanner.finds(text));
        told.unwrap_or_else(|| self.deref().is_match(text))
    }

    /// What each match captures: the first group that took part, or the whole if the expression has none.
    pub(crate) fn captured<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let found = self.is_match(text).then(|| self.capturing().captures_iter(text));
        found.into_iter().flatten().map(|found| {
            let group = found.iter().skip(1).flatten().next().or_else(|| found.get_group(0));
            group.map_or("", |group| &text[group.range()])
        })
    }

    /// Without automata that are made while they run: to find where a match begins they would run backwards from
    /// its end, and make new states for nearly every letter of a name. Few texts match, so the slower search costs less.
    fn capturing(&self) -> &meta::Regex {
        self.capturing.get_or_init(|| {
            let config =
                meta::Config::new().hybrid(false).dfa(false).nfa_size_limit(Some(MAX_REGEX));
            let compiled = meta::Regex::builder().configure(config).build(&self.source);
            compiled.expect("it was checked when it was read")
        })
    }

    /// Whether it could match, by a search that is quick where that for a match is not.
    pub(crate) fn may_match_beyond_ascii(&self, text: &str) -> bool {
        match &self.without_boundaries {
            Some(bare) if !text.is_ascii() => {
                let scanner = bare.scanner.get_or_init(|| Scanner::new(&bare.source));
                scanner.as_ref().and_then(|scanner| scanner.finds(text)).unwrap_or(true)
            }
            _ => true,
        }
    }
}

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        let compiled = || checked(&self.source).expect("it was checked when it was read");
        self.regex.get_or_init(compiled)
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

/// An expression with boundaries of words as one without; `None` if it has none.
fn without_boundaries(expression: &Hir) -> Option<Hir> {
    let is_boundary = |look: Look| look.as_repr() & !ANCHORS != 0;
    let has_some = expression.properties().look_set().iter().any(is_boundary);
    has_some.then(|| bare(expression))
}

/// The assertions that every way of searching knows.
const ANCHORS: u32 = Look::Start.as_repr() | Look::End.as_repr();

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
        let regex = OnceLock::new();
        if checking == Checking::Thorough {
            // Set once: it was made here.
            let _ = regex.set(checked(source)?);
        }
        let read = regex_syntax::parse(source);
        let expression = read.map_err(|fault| regex::Error::Syntax(fault.to_string()))?;
        let needed = needs::of(&expression).map(|needs| {
            let mut needed = Seen::default();
            needs.iter().for_each(|need| needed.add(self.sign(need)));
            Box::new(needed)
        });
        let bare = without_boundaries(&expression);
        let bare = bare.map(|bare| {
            Box::new(BarePattern { source: bare.to_string(), scanner: OnceLock::new() })
        });
        let (scanner, capturing) = (OnceLock::new(), OnceLock::new());
        let (source, without_boundaries) = (source.into(), bare);
        Ok(Pattern { source, regex, scanner, capturing, without_boundaries, needed })
    }

    fn sign(&mut self, need: &needs::Need) -> u8 {
        let needs::Need::Piece(piece) = need else { return DIGIT };
        if let Some(sign) = self.signs.get(piece) {
            return *sign;
        }
        let room = usize::from(u8::MAX - FIRST_PIECE) + 1;
        let sign = FIRST_PIECE + (self.pieces.len() % room) as u8;
        self.pieces.push(piece.clone());
        self.signs.insert(piece.clone(), sign);
        sign
    }

    pub(crate) fn build(self) -> Signs {
        let odd = ["\u{17f}", "\u{212a}"].map(str::to_owned);
        let signs = self.pieces.iter().map(|piece| self.signs[piece]).chain([ODD, ODD]).collect();
        let automaton = DFA::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .build(self.pieces.iter().chain(&odd));
        // It fails only for more pieces than a set of files can hold; then every text is searched.
        Signs { automaton: automaton.ok(), signs }
    }
}

/// Finds the signs that the expressions of a set need.
#[derive(Debug)]
pub(crate) struct Signs {
    automaton: Option<DFA>,
    /// By piece.
    signs: Vec<u8>,
}

impl Signs {
    pub(crate) fn of(&self, text: &str) -> Seen {
        let mut seen = Seen::default();
        if !self.each(text, |_, _, sign| seen.add(sign)) {
            seen.add(ODD);
        }
        if digits(text).next().is_some() {
            seen.add(DIGIT);
        }
        seen
    }

    /// Where all signs of a long text stand, of which parts are asked for.
    pub(crate) fn places(&self, text: &str) -> SignPlaces {
        let mut signs = Vec::new();
        let is_known = self.each(text, |start, end, sign| {
            signs.push(SignPlace { start: start as u32, end: end as u32, sign });
        });
        let digits = digits(text).map(|at| at as u32).collect();
        SignPlaces { signs, digits, is_unknown: !is_known }
    }

    /// Tells start, end and sign of each piece in a text, by their ends; says whether it knows them.
    fn each(&self, text: &str, mut tell: impl FnMut(usize, usize, u8)) -> bool {
        let Some(automaton) = &self.automaton else { return false };
        let Ok(mut state) = automaton.start_state(Anchored::No) else { return false };
        for (at, byte) in text.bytes().enumerate() {
            state = automaton.next_state(Anchored::No, state, byte);
            if !automaton.is_special(state) || !automaton.is_match(state) {
                continue;
            }
            for index in 0..automaton.match_len(state) {
                let piece = automaton.match_pattern(state, index);
                let start = at + 1 - automaton.pattern_len(piece);
                tell(start, at + 1, self.signs[piece.as_usize()]);
            }
        }
        true
    }
}

/// Where the signs of a text stand.
#[derive(Debug, Default)]
pub(crate) struct SignPlaces {
    /// In the order of their ends.
    signs: Vec<SignPlace>,
    /// In their order.
    digits: Vec<u32>,
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
        let digit = self.digits.partition_point(|at| *at < part.start);
        if self.digits.get(digit).is_some_and(|at| *at < part.end) {
            seen.add(DIGIT);
        }
        seen
    }
}

/// Where the digits of a text stand.
fn digits(text: &str) -> impl Iterator<Item = usize> {
    let is_digit = |at: usize, byte: u8| match byte {
        b'0'..=b'9' => true,
        // The first byte of a letter beyond ASCII.
        0xC0.. => text[at..].starts_with(char::is_numeric),
        _ => false,
    };
    text.bytes().enumerate().filter(move |(at, byte)| is_digit(*at, *byte)).map(|(at, _)| at)
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
                let matches = pattern.deref().is_match(&text);
                prop_assert_eq!(pattern.is_match(&text), matches);
                let captured: Vec<&str> = pattern.captured(&text).collect();
                let expected = pattern.captures_iter(&text).map(|found| {
                    found.iter().skip(1).flatten().next().or(found.get(0)).map_or("", |it| it.as_str())
                });
                prop_assert_eq!(captured, expected.collect::<Vec<_>>());
                prop_assert!(!matches || pattern.may_match(&seen), "{} {text}", pattern.as_str());
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
            let places = signs.places(&format!("{before}{text}{after}"));
            let part = before.len() as u32..(before.len() + text.len()) as u32;
            prop_assert_eq!(places.within(part).0, signs.of(&text).0);
        }
    }

    #[test]
    fn most_texts_are_passed_over() {
        let mut builder = SignsBuilder::default();
        let patterns =
            EXPRESSIONS.map(|it| builder.pattern(it, Checking::Thorough).expect("it is one"));
        let seen = builder.build().of("Wer nicht fragt, bleibt dumm.");
        let searched: Vec<&str> =
            patterns.iter().filter(|it| it.may_match(&seen)).map(|it| it.as_str()).collect();
        let unsure = [5, 6, 10, 11].map(|at| EXPRESSIONS[at]);
        assert_eq!(searched, unsure);
    }

    #[test]
    fn more_pieces_than_signs() {
        let mut builder = SignsBuilder::default();
        let words = (0..2_000).map(|number| format!("wort{number:04}ende"));
        let patterns: Vec<Pattern> =
            words.map(|it| builder.pattern(&it, Checking::Done).expect("it is one")).collect();
        let signs = builder.build();
        let seen = signs.of("das Wort1234Ende");
        let searched = patterns.iter().filter(|it| it.may_match(&seen)).count();
        assert!(patterns[1234].may_match(&seen) && searched < 10, "{searched}");
    }
}
