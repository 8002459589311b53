//! Regular expressions that know the letters of western texts only.
//!
//! `\p{L}` stands for some 140,000 letters, `\w` and `[^:]` for more, and an automaton that knows them all
//! takes long to make and longer to run. Nearly all texts that heuristics look at are written in Latin
//! letters, with typographic signs and symbols among them. For these an expression can be narrowed: what it
//! says of all other letters is left out, and it finds the same. Whoever searches asks first whether a text
//! is western, and takes the whole expression if not.

use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

/// Latin letters and what stands beside them in their blocks; punctuation, signs of currencies; the
/// trade mark; arrows, boxes, symbols; emoji and how they are to be shown. As [`is_western`] tells them.
const WESTERN: [(char, char); 6] = [
    ('\0', '\u{27f}'),
    ('\u{2000}', '\u{20ff}'),
    ('\u{2122}', '\u{2122}'),
    ('\u{2180}', '\u{27ff}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{1f000}', '\u{1ffff}'),
];

/// Which letters a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Letters {
    Western,
    Any,
}

impl Letters {
    pub(crate) fn of(text: &str) -> Letters {
        if is_western(text) { Letters::Western } else { Letters::Any }
    }
}

/// Whether all letters of a text are western.
pub(crate) fn is_western(text: &str) -> bool {
    // Told by first bytes, and by those behind them where these are not enough. Most stretches have only Latin letters,
    // which is seen by looking at many bytes at once.
    let bytes = text.as_bytes();
    let largest = |bytes: &[u8]| bytes.iter().fold(0, |largest: u8, byte| largest.max(*byte));
    bytes.chunks(STRETCH).enumerate().all(|(number, stretch)| {
        let mut places = (number * STRETCH..).zip(stretch);
        largest(stretch) < BEYOND_LATIN
            || places.all(|(at, first)| match first {
                ..BEYOND_LATIN => true,
                0xE2 => match bytes[at + 1] {
                    0x80..=0x83 | 0x86..=0x9F => true,
                    0x84 => bytes[at + 2] == 0xA2,
                    _ => false,
                },
                0xEF => bytes[at + 1] == 0xB8 && bytes[at + 2] <= 0x8F,
                0xF0 => bytes[at + 1] == 0x9F,
                _ => false,
            })
    })
}

/// Bytes that are looked at at once.
const STRETCH: usize = 256;

/// The first byte of letters behind U+027F.
const BEYOND_LATIN: u8 = 0xCA;

/// An expression that finds the same as another in every western text.
pub(crate) fn narrowed(expression: &Hir) -> Hir {
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => expression.clone(),
        HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
            Ok(text) if !is_western(text) => Hir::fail(),
            _ => expression.clone(),
        },
        HirKind::Class(Class::Unicode(class)) => {
            Hir::class(Class::Unicode(ClassUnicode::new(western_ranges(class))))
        }
        HirKind::Repetition(repeated) => {
            let mut repeated = repeated.clone();
            repeated.sub = Box::new(narrowed(&repeated.sub));
            Hir::repetition(repeated)
        }
        HirKind::Capture(Capture { index, name, sub }) => {
            let sub = Box::new(narrowed(sub));
            Hir::capture(Capture { index: *index, name: name.clone(), sub })
        }
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(narrowed).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(narrowed).collect()),
    }
}

/// What of a class is western. Its ranges are in order, and most lie beyond.
fn western_ranges(class: &ClassUnicode) -> impl Iterator<Item = ClassUnicodeRange> {
    WESTERN.iter().flat_map(|&(first, last)| {
        let ranges = class.ranges();
        let overlapping = &ranges[ranges.partition_point(|it| it.end() < first)..];
        let overlapping = overlapping.iter().take_while(move |it| it.start() <= last);
        overlapping.map(move |it| ClassUnicodeRange::new(it.start().max(first), it.end().min(last)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    #[test]
    fn texts() {
        for (text, expected) in [
            ("Universität – “Łódź” €5 ★ ™ 👍🏽 ❤\u{fe0f} →", true),
            ("Москва", false),
            ("数学", false),
            ("\u{212a}", false),
            ("\u{feff}a", false),
            ("", true),
        ] {
            assert_eq!(is_western(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn letters_are_told_as_the_alphabet_has_them(letter in any::<char>()) {
            let belongs = WESTERN.iter().any(|(first, last)| (first..=last).contains(&&letter));
            prop_assert_eq!(is_western(&letter.to_string()), belongs);
        }

        #[test]
        fn the_same_is_found(text in "([a-dÄßŁ0-9,. :–€★]|Eva|Übung){0,20}") {
            for source in [
                r"(?i)\b(übung|eva)\b", r"(\p{Lu}\p{L}+)[^:]{1,3}(\d)?", r"\s(?:und|и)\s|€", r"(?P<x>[^a]{2,})\W",
            ] {
                let expression = regex_syntax::parse(source).expect("it is one");
                let narrow = Regex::new(&narrowed(&expression).to_string()).expect("it is one");
                let whole = Regex::new(source).expect("it is one");
                let found = |regex: &Regex| {
                    let groups = regex.captures_iter(&text).map(|found| {
                        found.iter().map(|group| group.map(|it| it.range())).collect::<Vec<_>>()
                    });
                    groups.collect::<Vec<_>>()
                };
                prop_assert_eq!(found(&narrow), found(&whole), "{}", source);
            }
        }
    }
}
