//! What a text must have for a regular expression to match in it.
//!
//! Of the parts of a sequence every one must match, so the one that says most is chosen; of
//! alternatives any may match, so all are needed to tell. Letters are compared as ASCII without case:
//! a piece that is too wide costs a search, one that is too narrow would lose a match.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Pieces that are looked for instead of one expression; more say little.
const MAX_PIECES: usize = 48;

/// Bytes of a piece that says something: single letters are everywhere.
const MIN_PIECE: usize = 2;

/// Digits that follow each other in Unicode: ten of a script, or some alphabets of them.
const MAX_DIGITS: usize = 64;

/// Something a text may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Need {
    /// This text; ASCII letters in either case.
    Piece(String),
    Digit,
}

impl Need {
    /// The text, if it is one and white space does not matter to it.
    pub(super) fn piece(&self) -> Option<&str> {
        match self {
            Need::Piece(piece) if !piece.contains(char::is_whitespace) => Some(piece),
            _ => None,
        }
    }

    fn length(&self) -> usize {
        match self {
            Need::Piece(piece) => piece.len(),
            Need::Digit => 1,
        }
    }
}

/// At least one of these is in every text that matches; `None` if nothing can be said.
pub(super) fn of(part: &Hir) -> Option<Vec<Need>> {
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => None,
        HirKind::Literal(_) => told(letter(part)?),
        HirKind::Class(class) if is_digits(class) => Some(vec![Need::Digit]),
        HirKind::Class(_) => None,
        HirKind::Repetition(repeated) if repeated.min > 0 => of(&repeated.sub),
        HirKind::Repetition(_) => None,
        HirKind::Capture(group) => of(&group.sub),
        HirKind::Concat(parts) => sequence(parts),
        HirKind::Alternation(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                all.extend(of(branch)?);
            }
            (all.len() <= MAX_PIECES).then_some(all)
        }
    }
}

/// The part that says most; letters that follow each other are one part.
fn sequence(parts: &[Hir]) -> Option<Vec<Need>> {
    let mut best: Option<Vec<Need>> = None;
    let mut offer = |offered: Option<Vec<Need>>| {
        if let Some(offered) = offered
            && best.as_ref().is_none_or(|best| worth(&offered) > worth(best))
        {
            best = Some(offered);
        }
    };
    let mut run = String::new();
    for part in parts {
        if matches!(part.kind(), HirKind::Look(_)) {
            continue;
        }
        match letter(part) {
            Some(letters) => run.push_str(&letters),
            None => {
                offer(told(std::mem::take(&mut run)));
                offer(of(part));
            }
        }
    }
    offer(told(run));
    best
}

fn told(piece: String) -> Option<Vec<Need>> {
    (piece.len() >= MIN_PIECE).then(|| vec![Need::Piece(piece)])
}

/// Long pieces are rare, and few pieces are rarer than many.
fn worth(needs: &[Need]) -> (usize, usize) {
    let shortest = needs.iter().map(Need::length).min().unwrap_or(0);
    (shortest, MAX_PIECES.saturating_sub(needs.len()))
}

/// The text that a part stands for, in lower case, if it stands for one only.
fn letter(part: &Hir) -> Option<String> {
    match part.kind() {
        HirKind::Literal(literal) => {
            std::str::from_utf8(&literal.0).ok().map(str::to_ascii_lowercase)
        }
        HirKind::Class(Class::Unicode(class)) => {
            let mut letters = class.iter().flat_map(|range| range.start()..=range.end());
            let mut ascii = None;
            // No more than the cases of one letter: `k`, `K` and the Kelvin sign.
            for letter in letters.by_ref().take(4) {
                match letter {
                    // Texts with one of these are searched anyway.
                    '\u{17f}' | '\u{212a}' => {}
                    letter if letter.is_ascii_alphabetic() => {
                        let lower = letter.to_ascii_lowercase();
                        if ascii.is_some_and(|known| known != lower) {
                            return None;
                        }
                        ascii = Some(lower);
                    }
                    _ => return None,
                }
            }
            (letters.next().is_none()).then_some(ascii?.to_string())
        }
        _ => None,
    }
}

fn is_digits(class: &Class) -> bool {
    match class {
        Class::Unicode(class) => class.iter().all(|range| {
            range.len() <= MAX_DIGITS && range.start().is_numeric() && range.end().is_numeric()
        }),
        Class::Bytes(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        #[rustfmt::skip]
        let cases: [(&str, Option<&[&str]>); 14] = [
            ("abc",                              Some(&["abc"])),
            ("(?i)Abc|x(de)+",                   Some(&["abc", "de"])),
            ("(?i)^projekt(leitung|laufzeit)",   Some(&["projekt"])),
            ("(diplom|magister)arbeit",          Some(&["arbeit"])),
            (r"\bfoo\b bar",                     Some(&["foo bar"])),
            (r"(?i)\b(ks|sk)\b",                 Some(&["ks", "sk"])),
            ("(?i)Übung",                        Some(&["bung"])),
            ("©",                                Some(&["©"])),
            (r"\d{1,2}",                         Some(&["0-9"])),
            (r"(19|20)\d\d",                     Some(&["19", "20"])),
            (r"a\d",                             Some(&["0-9"])),
            ("a|bc",                             None),
            ("(abc)?",                           None),
            (r"^\w+$",                           None),
        ];
        for (expression, expected) in cases {
            let needs = of(&regex_syntax::parse(expression).expect("it is one"));
            let told: Option<Vec<&str>> = needs.as_ref().map(|needs| {
                let mut told = Vec::new();
                for need in needs {
                    told.push(match need {
                        Need::Piece(piece) => piece.as_str(),
                        Need::Digit => "0-9",
                    });
                }
                told
            });
            assert_eq!(told.as_deref(), expected, "{expression}");
        }
    }
}
