//! Regular expressions that know without searching where they cannot match.
//!
//! A set of heuristics asks some hundred expressions about the same lines of a page, and hardly any
//! matches. Most need one of a few pieces of text ([`needs`]), such as `vorlesung` or `seminar`. One
//! automaton finds the pieces of all expressions in a text at once ([`Signs::of`]); an expression
//! none of whose pieces was seen need not look at the text at all.

mod needs;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};
use regex::Regex;
use rustc_hash::FxHashMap;
use std::ops::{Deref, Range};

/// A regular expression.
#[derive(Debug)]
pub(crate) struct Pattern {
    regex: Regex,
    /// A text without any of these signs is no match; without this, every text must be searched.
    needed: Option<Box<[u8]>>,
}

impl Pattern {
    /// Whether it could match a text that was seen to have these signs.
    pub(crate) fn may_match(&self, seen: &Seen) -> bool {
        match &self.needed {
            Some(needed) => seen.has(ODD) || needed.iter().any(|sign| seen.has(*sign)),
            None => true,
        }
    }

    /// Whether the signs of a text make any difference.
    pub(crate) fn is_picky(&self) -> bool {
        self.needed.is_some()
    }
}

impl Deref for Pattern {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        &self.regex
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
}

/// Gathers what the expressions of a set need.
#[derive(Debug, Default)]
pub(crate) struct SignsBuilder {
    pieces: Vec<String>,
    /// Several pieces share a sign when there are more than signs; that costs a needless search.
    signs: FxHashMap<String, u8>,
}

impl SignsBuilder {
    pub(crate) fn pattern(&mut self, regex: Regex) -> Pattern {
        let needed = needs::of(regex.as_str()).map(|needs| {
            let mut signs: Vec<u8> = needs.iter().map(|need| self.sign(need)).collect();
            signs.sort_unstable();
            signs.dedup();
            signs.into_boxed_slice()
        });
        Pattern { regex, needed }
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
        let automaton = AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .build(self.pieces.iter().chain(&odd));
        // It fails only for more pieces than a set of files can hold; then every text is searched.
        Signs { automaton: automaton.ok(), signs }
    }
}

/// Finds the signs that the expressions of a set need.
#[derive(Debug)]
pub(crate) struct Signs {
    automaton: Option<AhoCorasick>,
    /// By piece.
    signs: Vec<u8>,
}

impl Signs {
    pub(crate) fn of(&self, text: &str) -> Seen {
        let mut seen = Seen::default();
        let Some(automaton) = &self.automaton else {
            seen.add(ODD);
            return seen;
        };
        for found in automaton.find_overlapping_iter(text) {
            seen.add(self.signs[found.pattern().as_usize()]);
        }
        if digits(text).next().is_some() {
            seen.add(DIGIT);
        }
        seen
    }

    /// Where all signs of a long text stand, of which parts are asked for.
    pub(crate) fn places(&self, text: &str) -> SignPlaces {
        let Some(automaton) = &self.automaton else {
            return SignPlaces { is_unknown: true, ..SignPlaces::default() };
        };
        let found = automaton.find_overlapping_iter(text).map(|found| SignPlace {
            start: found.start() as u32,
            end: found.end() as u32,
            sign: self.signs[found.pattern().as_usize()],
        });
        let digits = digits(text).map(|at| at as u32);
        SignPlaces { signs: found.collect(), digits: digits.collect(), is_unknown: false }
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
            let patterns = EXPRESSIONS.map(|it| builder.pattern(Regex::new(it).expect("it is one")));
            let seen = builder.build().of(&text);
            for pattern in &patterns {
                let matches = pattern.is_match(&text);
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
                builder.pattern(Regex::new(it).expect("it is one"));
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
        let patterns = EXPRESSIONS.map(|it| builder.pattern(Regex::new(it).expect("it is one")));
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
            words.map(|it| builder.pattern(Regex::new(&it).expect("it is one"))).collect();
        let signs = builder.build();
        let seen = signs.of("das Wort1234Ende");
        let searched = patterns.iter().filter(|it| it.may_match(&seen)).count();
        assert!(patterns[1234].may_match(&seen) && searched < 10, "{searched}");
    }
}
