//! The operators on a page of dvips, and the pieces of type they set.
//!
//! dvips has an operator of one letter for each usual movement: `a` goes to a place; `b` shows a
//! text, moves on and remembers how far; `c` to `k` move by what is remembered and −4 to 4 dots;
//! `l` to `t` show and move by −4 to 4 dots; `w` and `x` move only; `y` shows, then goes to a
//! place; `v` draws a rule, and `V` the same one elsewhere. Whatever else stands on a page (colours, drawings, links) sets no type.

use super::accents;
use super::encodings::Glyph;
use super::fonts::Font;
use crate::{Piece, Style};

/// Up to this many ems a gap is a kern, and the word goes on. The arrangement joins what touches;
/// this only keeps pieces few.
const KERN: f32 = 0.12;

/// How far an accent may stand above or below the line of its letter, in ems.
const ACCENT_HEIGHT: f32 = 1.0;

/// The page being set; places in dots from where TeX begins, one inch into the page.
#[derive(Debug, Default)]
pub(super) struct Setting {
    pub(super) resolution: (f32, f32),
    x: f32,
    y: f32,
    remembered: f32,
    /// Width and height of the last rule.
    drawn: [f32; 2],
    pieces: Vec<Piece>,
    word: Option<Word>,
    accent: Option<Accent>,
}

/// A piece that may go on.
#[derive(Debug)]
struct Word {
    text: String,
    left: f32,
    right: f32,
    y: f32,
    style: Style,
    /// Where the last glyph begins, for an accent that comes after it.
    last_left: f32,
}

/// An accent whose letter is to come.
#[derive(Debug, Clone, Copy)]
struct Accent {
    combining: char,
    left: f32,
    right: f32,
    y: f32,
    style: Style,
}

impl Setting {
    pub(super) fn new(resolution: (f32, f32)) -> Setting {
        Setting { resolution, ..Setting::default() }
    }

    /// Executes an operator of one letter with the numbers and the text before it. `None` if it is
    /// not one, or lacks what it needs.
    pub(super) fn operate(
        &mut self,
        operator: u8,
        numbers: &[f32],
        text: Option<&[u8]>,
        font: Option<&Font>,
    ) -> Option<()> {
        let last = numbers.last().copied();
        let place = || numbers.last_chunk::<2>().copied();
        match operator {
            b'a' => self.go_to(place()?),
            b'w' => self.x += last?,
            b'x' => self.y += last?,
            b'y' => {
                self.show(text?, font?);
                self.go_to(place()?);
            }
            b'b' => {
                self.show(text?, font?);
                self.remembered = last?;
                self.x += self.remembered;
            }
            b'c'..=b'k' => {
                self.show(text?, font?);
                self.remembered += f32::from(operator) - f32::from(b'g');
                self.x += self.remembered;
            }
            b'l'..=b'o' | b'q'..=b't' => {
                self.show(text?, font?);
                self.x += f32::from(operator) - f32::from(b'p');
            }
            b'p' => self.show(text?, font?),
            b'v' => {
                let [x, y, width, height] = *numbers.last_chunk()?;
                self.drawn = [width, height];
                self.rule([x, y]);
            }
            b'V' => self.rule(place()?),
            _ => return None,
        }
        Some(())
    }

    fn go_to(&mut self, [x, y]: [f32; 2]) {
        self.x = x;
        self.y = y;
    }

    /// Fonts of Knuth have no underscore, so TeX draws one: a short thin rule on the line of a word,
    /// right behind it.
    fn rule(&mut self, [x, y]: [f32; 2]) {
        let Some(word) = &self.word else { return };
        let (style, em) = (word.style, self.em(word.style));
        let [width, height] = self.drawn;
        let is_underscore = (0.2 * em..0.65 * em).contains(&width)
            && height < 0.08 * em
            && (word.y - y).abs() < 0.15 * em
            && (-0.05 * em..0.2 * em).contains(&(x - word.right));
        if is_underscore {
            let place = (self.x, self.y);
            (self.x, self.y) = (word.right, word.y);
            self.set("_", x + width, style);
            (self.x, self.y) = place;
        }
    }

    fn show(&mut self, text: &[u8], font: &Font) {
        let line = self.y;
        self.y += font.hangs * self.em(font.style);
        self.show_on_line(text, font);
        self.y = line;
    }

    fn show_on_line(&mut self, text: &[u8], font: &Font) {
        for code in text {
            let right = self.x + font.width(*code);
            match font.glyph(*code) {
                Glyph::Nothing => {}
                Glyph::Character(character) => self.character(character, right, font.style),
                Glyph::Ligature(letters) => {
                    self.stand_alone();
                    self.set(letters, right, font.style);
                }
                Glyph::Accent(combining) => self.accent(combining, right, font.style),
            }
            self.x = right;
        }
    }

    fn character(&mut self, character: char, right: f32, style: Style) {
        let over = self.accent.filter(|accent| {
            let em = self.em(style);
            let middle = (accent.left + accent.right) / 2.0;
            (self.x - 0.1 * em..=right + 0.1 * em).contains(&middle)
                && (accent.y - self.y).abs() < ACCENT_HEIGHT * em
                && (character.is_alphabetic() || accent.combining == '\u{338}')
        });
        let mut buffer = [0; 4];
        match over {
            Some(accent) => {
                self.accent = None;
                match accents::compose(character, accent.combining) {
                    Some(composed) => self.set(composed.encode_utf8(&mut buffer), right, style),
                    None => {
                        let both: String = [character, accent.combining].iter().collect();
                        self.set(&both, right, style);
                    }
                }
            }
            None => {
                self.stand_alone();
                self.set(character.encode_utf8(&mut buffer), right, style);
            }
        }
    }

    /// Keeps an accent for the letter that comes, or gives it to the letter it was set over.
    fn accent(&mut self, combining: char, right: f32, style: Style) {
        self.stand_alone();
        let middle = (self.x + right) / 2.0;
        let em = self.em(style);
        if let Some(word) = &mut self.word
            && (word.last_left..word.right).contains(&middle)
            && (word.y - self.y).abs() < ACCENT_HEIGHT * em
            && let Some(letter) = word.text.chars().next_back()
            && let Some(composed) = accents::compose(letter, combining)
        {
            word.text.pop();
            word.text.push(composed);
            return;
        }
        self.accent = Some(Accent { combining, left: self.x, right, y: self.y, style });
    }

    /// An accent without a letter is a character.
    fn stand_alone(&mut self) {
        if let Some(accent) = self.accent.take() {
            let place = (self.x, self.y);
            (self.x, self.y) = (accent.left, accent.y);
            self.set(accents::standing(accent.combining), accent.right, accent.style);
            (self.x, self.y) = place;
        }
    }

    fn em(&self, style: Style) -> f32 {
        style.size / 72.0 * self.resolution.0
    }

    /// Sets letters from where the page is to `right`.
    fn set(&mut self, letters: &str, right: f32, style: Style) {
        if letters.is_empty() {
            return;
        }
        let em = self.em(style);
        let (x, y) = (self.x, self.y);
        let goes_on = |word: &&mut Word| {
            word.y == y
                && word.style == style
                && (-0.4 * em..KERN * em).contains(&(x - word.right))
                && x >= word.last_left
        };
        match self.word.as_mut().filter(goes_on) {
            Some(word) => {
                word.text.push_str(letters);
                word.last_left = x;
                word.right = right;
            }
            None => {
                self.end_word();
                let text = letters.to_owned();
                self.word = Some(Word { text, left: x, right, y, style, last_left: x });
            }
        }
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take() {
            let (across, down) = (72.0 / self.resolution.0, 72.0 / self.resolution.1);
            self.pieces.push(Piece {
                text: word.text,
                left: 72.0 + word.left * across,
                right: 72.0 + word.right * across,
                baseline: 72.0 + word.y * down,
                style: word.style,
            });
        }
    }

    /// The pieces of the page.
    pub(super) fn finish(mut self) -> Vec<Piece> {
        self.stand_alone();
        self.end_word();
        self.pieces
    }
}
