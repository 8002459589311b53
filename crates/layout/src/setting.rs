//! Sets glyphs into pieces, as a reader of placed type meets them one after the other.
//!
//! A piece grows while glyphs follow each other closely in one style on one baseline; a blank or a
//! gap ends it. Whether two pieces make a word is not decided here but where lines are arranged.
//! An accent that stands over or under a letter is put on it, whichever of the two comes first,
//! and what is printed twice at one place, to look bolder, is kept once.

use std::collections::HashMap;

use crate::accents::{accented, combining};
use crate::{Piece, Style};

/// Pieces of one page; what follows is dropped. A page of a dense table has some thousands.
const MAX_PIECES: usize = 100_000;

/// Largest gap between glyphs of a piece, in sizes of the type: kerns are smaller, and spaces,
/// also those between letters set apart, are larger.
const CLOSE: f32 = 0.06;

/// How far a glyph may reach back into the one before it, in sizes of the type.
const OVERLAP: f32 = 0.25;

/// The gap that a blank leaves at least, in sizes of the type. In squeezed lines blanks are set so
/// narrow that their width alone does not tell them from kerns.
const BLANK: f32 = 0.2;

/// A gap of this size between pieces of several letters is a blank that the file did not write,
/// but left free. Letters set apart from each other are pieces of one letter each.
const LEFT_FREE: f32 = 0.12;

/// Pieces with the same text nearer to each other than this, in sizes of the type, are one that
/// was printed twice.
const SAME_PLACE: f32 = 0.12;

/// A glyph at its place on the page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Glyph<'a> {
    /// May be a blank, or nothing where the font does not tell.
    pub(crate) text: &'a str,
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) baseline: f32,
    pub(crate) style: Style,
}

/// Pieces in the making.
#[derive(Debug, Default)]
pub(crate) struct Setting {
    pieces: Vec<Piece>,
    /// Whether the last piece may grow.
    open: bool,
    /// Whether a blank came after the last piece.
    blank: bool,
    /// Where the last letter of the last piece begins, in its text and on the page.
    letter: (usize, f32),
    accent: Option<HeldAccent>,
    pub(crate) characters: usize,
}

#[derive(Debug, Clone, Copy)]
struct HeldAccent {
    accent: char,
    left: f32,
    right: f32,
    baseline: f32,
    style: Style,
}

impl Setting {
    pub(crate) fn glyph(&mut self, glyph: Glyph<'_>) {
        let text = glyph.text.trim();
        if text.len() != glyph.text.len() || text.contains(char::is_whitespace) {
            self.flush_accent();
            (self.open, self.blank) = (false, true);
            for word in text.split_whitespace() {
                self.letter(Glyph { text: word, ..glyph });
                (self.open, self.blank) = (false, true);
            }
            return;
        }
        if let Some(accent) = single(text).filter(|&c| combining(c).is_some()) {
            self.flush_accent();
            if !self.put_on_last(accent, &glyph) {
                let Glyph { left, right, baseline, style, .. } = glyph;
                self.accent = Some(HeldAccent { accent, left, right, baseline, style });
            }
            return;
        }
        if let Some(held) = self.accent.take() {
            let centre = held.left.midpoint(held.right);
            let over = stands_over(centre, held.baseline, glyph.left, &glyph)
                || stands_before(&held, &glyph);
            let mut letters = text.chars();
            let letter = letters.next().and_then(|letter| accented(letter, held.accent));
            if let (true, Some(letter)) = (over, letter) {
                let text: String = std::iter::once(letter).chain(letters).collect();
                self.letter(Glyph { text: &text, ..glyph });
                return;
            }
            self.set(held);
        }
        self.letter(glyph);
    }

    /// The pieces, each kept once.
    pub(crate) fn finish(mut self) -> Vec<Piece> {
        self.flush_accent();
        let mut places: HashMap<String, Vec<(f32, f32)>> = HashMap::new();
        self.pieces.retain(|piece| {
            let near = piece.style.size * SAME_PLACE;
            let seen = places.entry(piece.text.clone()).or_default();
            // The shadow of a piece follows it soon, so a few places are enough to look at.
            let again = seen.iter().rev().take(8).any(|(left, baseline)| {
                (left - piece.left).abs() < near && (baseline - piece.baseline).abs() < near
            });
            seen.push((piece.left, piece.baseline));
            !again
        });
        widen_blanks(&mut self.pieces);
        self.pieces
    }

    fn flush_accent(&mut self) {
        if let Some(held) = self.accent.take() {
            self.set(held);
        }
    }

    fn set(&mut self, held: HeldAccent) {
        let HeldAccent { accent, left, right, baseline, style } = held;
        let mut buffer = [0; 4];
        let text = accent.encode_utf8(&mut buffer);
        self.letter(Glyph { text, left, right, baseline, style });
    }

    fn put_on_last(&mut self, accent: char, glyph: &Glyph<'_>) -> bool {
        let Some(piece) = self.pieces.last_mut().filter(|_| self.open) else { return false };
        let (start, left) = self.letter;
        let last = Glyph {
            text: &piece.text,
            left,
            right: piece.right,
            baseline: piece.baseline,
            style: piece.style,
        };
        let centre = glyph.left.midpoint(glyph.right);
        let Some(letter) = piece.text.get(start..).and_then(single) else { return false };
        let Some(composed) = accented(letter, accent) else { return false };
        if !stands_over(centre, glyph.baseline, left, &last) {
            return false;
        }
        piece.text.truncate(start);
        piece.text.push(composed);
        true
    }

    /// Lets the last piece end so early that the blank behind it is seen by its width.
    fn widen_blank(&mut self, left: f32, baseline: f32) {
        let Some(piece) = self.pieces.last_mut() else { return };
        let size = piece.style.size;
        let end = left - BLANK * size;
        let on_the_line = (piece.baseline - baseline).abs() < 0.4 * size;
        if on_the_line && (piece.right - end) < 0.5 * size && end > piece.left {
            piece.right = piece.right.min(end);
        }
    }

    fn letter(&mut self, glyph: Glyph<'_>) {
        let Glyph { text, left, right, baseline, style } = glyph;
        if let Some(piece) = self.pieces.last_mut().filter(|_| self.open) {
            let gap = left - piece.right;
            let fits = piece.style == style
                && (piece.baseline - baseline).abs() < 0.05 * style.size
                && (-OVERLAP * style.size..=CLOSE * style.size).contains(&gap);
            if fits {
                if !text.is_empty() {
                    self.letter = (piece.text.len(), left);
                    piece.text.push_str(text);
                    self.characters += text.chars().count();
                }
                piece.right = piece.right.max(right);
                return;
            }
        }
        if self.blank {
            self.widen_blank(left, baseline);
        }
        (self.open, self.blank) = (false, false);
        if text.is_empty() || self.pieces.len() >= MAX_PIECES {
            return;
        }
        self.characters += text.chars().count();
        self.pieces.push(Piece { text: text.to_owned(), left, right, baseline, style });
        self.letter = (0, left);
        self.open = true;
    }
}

/// Lets pieces end so early that the blanks left free behind them are seen by their width.
fn widen_blanks(pieces: &mut [Piece]) {
    let has_letters = |piece: &Piece| piece.text.chars().nth(1).is_some();
    for next in 1..pieces.len() {
        let (before, after) = pieces.split_at_mut(next);
        let (Some(before), Some(after)) = (before.last_mut(), after.first()) else { return };
        let size = before.style.size;
        let gap = after.left - before.right;
        if (LEFT_FREE * size..BLANK * size).contains(&gap)
            && before.baseline == after.baseline
            && size == after.style.size
            && (has_letters(before) || has_letters(after))
        {
            before.right = (after.left - BLANK * size).max(before.left);
        }
    }
}

/// Whether the middle of an accent lies between the sides of a letter, about on its line.
fn stands_over(centre: f32, baseline: f32, left: f32, letter: &Glyph<'_>) -> bool {
    let size = letter.style.size;
    let slack = 0.08 * size;
    (left - slack..=letter.right + slack).contains(&centre)
        && (baseline - letter.baseline).abs() < 0.7 * size
}

/// The ring of Å is also printed raised before its letter, where it should be over it; before another
/// letter it is a degree.
fn stands_before(held: &HeldAccent, letter: &Glyph<'_>) -> bool {
    let size = letter.style.size;
    held.accent == '˚'
        && letter.text.starts_with('A')
        && (letter.left - held.right).abs() < 0.08 * size
        && (0.05 * size..0.7 * size).contains(&(letter.baseline - held.baseline))
}

fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text, left, right and baseline.
    type Shown = (&'static str, f32, f32, f32);

    fn check(glyphs: &[Shown]) -> Vec<String> {
        let style = Style { size: 10.0, ..Style::default() };
        let mut setting = Setting::default();
        for &(text, left, right, baseline) in glyphs {
            setting.glyph(Glyph { text, left, right, baseline, style });
        }
        setting.finish().into_iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn accents_and_letters() {
        #[rustfmt::skip]
        let cases: [(&[Shown], &[&str]); 8] = [
            // TeX: the accent first, then the letter under it.
            (&[("f", 0.0, 3.0, 0.0), ("¨", 3.0, 8.0, 0.0), ("u", 3.0, 8.0, 0.0), ("r", 8.0, 12.0, 0.0)], &["für"]),
            // Raised over a capital.
            (&[("¨", 0.4, 5.4, -2.2), ("U", 0.0, 7.5, 0.0), ("b", 7.5, 12.0, 0.0)], &["Üb"]),
            // The letter first.
            (&[("c", 0.0, 5.0, 0.0), ("¸", 0.5, 4.5, 0.0), ("a", 5.0, 9.0, 0.0)], &["ça"]),
            // Beside a letter: two characters.
            (&[("a", 0.0, 5.0, 0.0), ("´", 5.0, 8.0, 0.0), ("b", 8.0, 13.0, 0.0)], &["a´b"]),
            // The ring of Å, but not that of degrees.
            (&[("˚", 0.0, 7.3, -1.8), ("A", 7.3, 14.8, 0.0), ("s", 14.8, 18.7, 0.0)], &["Ås"]),
            (&[("˚", 0.0, 7.3, -1.8), ("C", 7.3, 14.5, 0.0)], &["˚", "C"]),
            // A gap and a blank end a piece.
            (&[("a", 0.0, 5.0, 0.0), ("b", 7.0, 12.0, 0.0), (" ", 12.0, 14.0, 0.0), ("c", 12.2, 15.0, 0.0)], &["a", "b", "c"]),
            // Another line too.
            (&[("a", 0.0, 5.0, 0.0), ("b", 5.0, 10.0, 12.0)], &["a", "b"]),
        ];
        for (glyphs, expected) in cases {
            assert_eq!(check(glyphs), expected, "{glyphs:?}");
        }
    }

    #[test]
    fn a_narrow_blank_is_a_blank() {
        let style = Style { size: 10.0, ..Style::default() };
        let mut setting = Setting::default();
        for (text, left, right) in [("in", 0.0, 8.0), (" ", 8.0, 8.9), ("der", 8.9, 20.0)] {
            setting.glyph(Glyph { text, left, right, baseline: 0.0, style });
        }
        let pieces = setting.finish();
        assert!((pieces[1].left - pieces[0].right - 2.0).abs() < 0.01, "{pieces:?}");
    }

    #[test]
    fn what_is_printed_twice_is_kept_once() {
        let twice = [("a", 0.0, 5.0, 0.0), ("a", 0.3, 5.3, 0.2), ("a", 30.0, 35.0, 0.0)];
        assert_eq!(check(&twice), ["a", "a"]);
    }
}
