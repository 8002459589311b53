//! Interprets the content of a page as far as its text goes.
//!
//! Operators that place and show text are obeyed, and those that change the coordinates; drawing is
//! passed over. Each glyph arrives with its place on the page as it is seen: from the top left
//! corner of the crop box, after the page was turned as it asks to be. Text in another direction
//! than the rest of the page (stamps at the margin, labels of axes) is set apart.
//!
//! Text that is not painted is kept: it is what a scan's recognition found.

use std::collections::HashMap;
use std::rc::Rc;

use hayro_syntax::object::{Array, Dict, Name, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::Page;

use super::encodings::text_string;
use super::filters::{Budget, decoded};
use super::font::Font;
use super::lexer::{Lexer, Operand};
use super::matrix::Matrix;
use super::seen_page::{SeenPage, content_of};
use crate::accents::plain;
use crate::setting::{Glyph, Setting};
use crate::{PageOfPieces, Style};

/// Operators of one page that are obeyed. A page of text has some thousands, a map a million.
pub const MAX_OPERATORS_PER_PAGE: usize = 4_000_000;

/// Operators of a document, so that many heavy pages end as well.
pub const MAX_OPERATORS: usize = 20_000_000;

/// Forms within forms.
pub const MAX_FORM_DEPTH: usize = 12;

/// Saved states of graphics; writers need about ten.
pub const MAX_SAVED_STATES: usize = 512;

/// Glyphs of one page; each may stand for a few characters.
pub const MAX_GLYPHS_PER_PAGE: usize = 1_000_000;

/// Type smaller than this is not meant to be read; in points.
const SMALLEST_TYPE: f64 = 0.3;

/// Longest replacement text that is put in place of the glyphs it covers: ligatures, hyphens and
/// letters with accents are meant, not whole lines, of which no word would keep its place.
const MAX_REPLACEMENT: usize = 16;

/// What is shared between the pages of a document.
#[derive(Debug, Default)]
pub(super) struct Resources {
    fonts: HashMap<ObjectIdentifier, Rc<Font>>,
    forms: HashMap<ObjectIdentifier, Rc<Vec<u8>>>,
    pub(super) budget: Budget,
    operators: usize,
    pub(super) left_out: LeftOut,
}

/// What the pages had that did not become text.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// Characters in another direction than the rest.
    pub(super) turned: usize,
    /// Glyphs of which nobody tells what they are.
    pub(super) unknown: usize,
    /// Glyphs set from top to bottom.
    pub(super) vertical: usize,
    /// Whether a limit ended a page early.
    pub(super) limited: bool,
}

/// Reads a page.
pub(super) fn pieces_of(page: &Page<'_>, resources: &mut Resources) -> PageOfPieces {
    let seen = SeenPage::of(page);
    let content = content_of(page.raw(), &mut resources.budget);
    let mut interpreter = Interpreter {
        shared: resources,
        seen: &seen,
        settings: std::array::from_fn(|_| Setting::default()),
        operators: 0,
        glyphs: 0,
        active: Vec::new(),
        state: State::new(seen.matrix),
        marks: Marks::default(),
    };
    let fonts = page.raw().get::<Dict<'_>>("Resources").unwrap_or_default();
    // What the page inherits is only in the parser's own view of it.
    let fonts = if fonts.is_empty() { Dicts::inherited(page) } else { Dicts::of(&fonts) };
    interpreter.run(&content, &fonts);
    interpreter.finish()
}

/// The dictionaries a content stream refers to by name.
#[derive(Clone)]
struct Dicts<'a> {
    fonts: Dict<'a>,
    objects: Dict<'a>,
    properties: Dict<'a>,
    states: Dict<'a>,
}

impl<'a> Dicts<'a> {
    fn of(resources: &Dict<'a>) -> Dicts<'a> {
        let get = |key| resources.get::<Dict<'a>>(key).unwrap_or_default();
        Dicts {
            fonts: get("Font"),
            objects: get("XObject"),
            properties: get("Properties"),
            states: get("ExtGState"),
        }
    }

    fn inherited(page: &Page<'a>) -> Dicts<'a> {
        let resources = page.resources();
        Dicts {
            fonts: resources.fonts.clone(),
            objects: resources.x_objects.clone(),
            properties: resources.properties.clone(),
            states: resources.ext_g_states.clone(),
        }
    }
}

/// Which way text runs on the page as it is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Right,
    Up,
    Left,
    Down,
}

#[derive(Debug, Clone)]
struct State {
    matrix: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    letter_spacing: f64,
    word_spacing: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
    line: Matrix,
    text: Matrix,
}

impl State {
    fn new(matrix: Matrix) -> State {
        State {
            matrix,
            font: None,
            size: 0.0,
            letter_spacing: 0.0,
            word_spacing: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            line: Matrix::IDENTITY,
            text: Matrix::IDENTITY,
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.line = Matrix::translation(x, y).then(self.line);
        self.text = self.line;
    }
}

/// Marked content: how deep we are, and a text that replaces the glyphs inside.
#[derive(Debug, Default)]
struct Marks {
    depth: usize,
    replacement: Option<Replacement>,
}

#[derive(Debug)]
struct Replacement {
    depth: usize,
    text: String,
    done: bool,
}

struct Interpreter<'s> {
    shared: &'s mut Resources,
    seen: &'s SeenPage,
    settings: [Setting; 4],
    operators: usize,
    glyphs: usize,
    /// Forms that are being drawn, so that none draws itself.
    active: Vec<ObjectIdentifier>,
    state: State,
    marks: Marks,
}

impl Interpreter<'_> {
    fn run(&mut self, content: &[u8], dicts: &Dicts<'_>) {
        let mut lexer = Lexer::new(content);
        let mut operands = Vec::new();
        let mut saved: Vec<State> = Vec::new();
        let mut unsaved = 0_usize;
        while let Some(operator) = lexer.operator(&mut operands) {
            self.operators += 1;
            self.shared.operators += 1;
            if self.operators > MAX_OPERATORS_PER_PAGE
                || self.shared.operators > MAX_OPERATORS
                || self.glyphs > MAX_GLYPHS_PER_PAGE
            {
                self.shared.left_out.limited = true;
                return;
            }
            match operator {
                b"q" if saved.len() < MAX_SAVED_STATES => saved.push(self.state.clone()),
                b"q" => unsaved += 1,
                b"Q" if unsaved > 0 => unsaved -= 1,
                b"Q" => {
                    if let Some(state) = saved.pop() {
                        self.state = state;
                    }
                }
                b"ID" => lexer.skip_inline_image(),
                b"Do" => self.draw_form(&operands, dicts),
                b"Tf" => self.choose_font(&operands, dicts),
                b"gs" => self.apply_state(&operands, dicts),
                b"BDC" => self.begin_mark(&operands, dicts),
                b"BMC" => self.marks.depth += 1,
                b"EMC" => self.end_mark(),
                _ => self.text_operator(operator, &operands),
            }
        }
    }

    fn text_operator(&mut self, operator: &[u8], operands: &[Operand]) {
        let number = |at: usize| operands.get(at).and_then(Operand::number).unwrap_or_default();
        let state = &mut self.state;
        match operator {
            b"cm" => {
                if let Some(matrix) = Matrix::of(operands) {
                    state.matrix = matrix.then(state.matrix);
                }
            }
            b"BT" => (state.line, state.text) = (Matrix::IDENTITY, Matrix::IDENTITY),
            b"Tc" => state.letter_spacing = number(0),
            b"Tw" => state.word_spacing = number(0),
            b"Tz" => state.stretch = number(0) / 100.0,
            b"TL" => state.leading = number(0),
            b"Ts" => state.rise = number(0),
            b"Td" => state.next_line(number(0), number(1)),
            b"TD" => {
                state.leading = -number(1);
                state.next_line(number(0), number(1));
            }
            b"Tm" => {
                if let Some(matrix) = Matrix::of(operands) {
                    (state.line, state.text) = (matrix, matrix);
                }
            }
            b"T*" => state.next_line(0.0, -state.leading),
            b"Tj" => self.show(operands.first()),
            b"'" => {
                state.next_line(0.0, -state.leading);
                self.show(operands.first());
            }
            b"\"" => {
                (state.word_spacing, state.letter_spacing) = (number(0), number(1));
                state.next_line(0.0, -state.leading);
                self.show(operands.get(2));
            }
            b"TJ" => {
                for member in operands.first().and_then(Operand::array).unwrap_or_default() {
                    match member {
                        Operand::Number(back) => {
                            let state = &mut self.state;
                            let shift = -back / 1000.0 * state.size * state.stretch;
                            state.text = Matrix::translation(shift, 0.0).then(state.text);
                        }
                        text => self.show(Some(text)),
                    }
                }
            }
            _ => {}
        }
    }

    fn choose_font(&mut self, operands: &[Operand], dicts: &Dicts<'_>) {
        let [.., name, size] = operands else { return };
        let (Some(name), Some(size)) = (name.name(), size.number()) else { return };
        self.state.size = size;
        self.state.font = self.font(dicts, name);
    }

    fn font(&mut self, dicts: &Dicts<'_>, name: &[u8]) -> Option<Rc<Font>> {
        let dict = dicts.fonts.get::<Dict<'_>>(name)?;
        Some(self.read_font(&dict))
    }

    fn read_font(&mut self, dict: &Dict<'_>) -> Rc<Font> {
        let id = dict.obj_id();
        if let Some(font) = id.and_then(|id| self.shared.fonts.get(&id)) {
            return Rc::clone(font);
        }
        let font = Rc::new(Font::read(dict, &mut self.shared.budget));
        if let Some(id) = id {
            self.shared.fonts.insert(id, Rc::clone(&font));
        }
        font
    }

    /// A state of graphics may choose a font as well.
    fn apply_state(&mut self, operands: &[Operand], dicts: &Dicts<'_>) {
        let name = operands.first().and_then(Operand::name);
        let state = name.and_then(|name| dicts.states.get::<Dict<'_>>(name));
        let Some(choice) = state.and_then(|state| state.get::<Array<'_>>("Font")) else { return };
        let mut choice = choice.iter::<Object<'_>>();
        if let (Some(Object::Dict(font)), Some(Object::Number(size))) =
            (choice.next(), choice.next())
        {
            self.state.font = Some(self.read_font(&font));
            self.state.size = size.as_f64();
        }
    }

    fn draw_form(&mut self, operands: &[Operand], dicts: &Dicts<'_>) {
        let name = operands.first().and_then(Operand::name);
        let Some(form) = name.and_then(|name| dicts.objects.get::<Stream<'_>>(name)) else {
            return;
        };
        if form.dict().get::<Name<'_>>("Subtype").as_deref() != Some(b"Form") {
            return;
        }
        let id = form.obj_id();
        if self.active.contains(&id) {
            return;
        }
        if self.active.len() >= MAX_FORM_DEPTH {
            self.shared.left_out.limited = true;
            return;
        }
        let content = match self.shared.forms.get(&id) {
            Some(content) => Rc::clone(content),
            None => {
                let content = Rc::new(decoded(&form, &mut self.shared.budget).unwrap_or_default());
                self.shared.forms.insert(id, Rc::clone(&content));
                content
            }
        };
        let outside = self.state.clone();
        if let Some(matrix) = form.dict().get::<[f64; 6]>("Matrix") {
            self.state.matrix = Matrix(matrix).then(self.state.matrix);
        }
        let own = form.dict().get::<Dict<'_>>("Resources").map(|resources| Dicts::of(&resources));
        self.active.push(id);
        self.run(&content, own.as_ref().unwrap_or(dicts));
        self.active.pop();
        self.state = outside;
    }

    fn begin_mark(&mut self, operands: &[Operand], dicts: &Dicts<'_>) {
        self.marks.depth += 1;
        if self.marks.replacement.is_some() {
            return;
        }
        let text = match operands.get(1) {
            Some(dictionary @ Operand::Dictionary(_)) => {
                dictionary.entry(b"ActualText").and_then(Operand::text).map(text_string)
            }
            Some(Operand::Name(name)) => {
                let properties = dicts.properties.get::<Dict<'_>>(name.as_slice());
                properties
                    .and_then(|dict| dict.get::<hayro_syntax::object::String<'_>>("ActualText"))
                    .map(|text| text_string(&text))
            }
            _ => None,
        };
        let Some(given) = text.filter(|text| text.chars().count() <= MAX_REPLACEMENT) else {
            return;
        };
        let mut text = String::new();
        given.chars().for_each(|character| plain(character, &mut text));
        if !text.trim().contains(char::is_whitespace) {
            let depth = self.marks.depth;
            self.marks.replacement = Some(Replacement { depth, text, done: false });
        }
    }

    fn end_mark(&mut self) {
        let depth = self.marks.depth;
        self.marks.replacement.take_if(|replacement| replacement.depth >= depth);
        self.marks.depth = depth.saturating_sub(1);
    }

    fn show(&mut self, operand: Option<&Operand>) {
        let Some(bytes) = operand.and_then(Operand::text) else { return };
        let Some(font) = self.state.font.clone() else { return };
        font.shown(bytes, |shown| {
            let State { size, letter_spacing, word_spacing, stretch, rise, .. } = self.state;
            let width = shown.width * size * stretch;
            let spacing = letter_spacing + if shown.is_blank { word_spacing } else { 0.0 };
            let frame = self.state.text.then(self.state.matrix);
            let place = Matrix([size * stretch, 0.0, 0.0, size, 0.0, rise]).then(frame);
            self.glyphs += 1;
            match (font.vertical, shown.text) {
                (true, _) => self.shared.left_out.vertical += 1,
                (false, text) => self.place(text, place, shown.width, &font),
            }
            let advance = Matrix::translation(width + spacing * stretch, 0.0);
            self.state.text = advance.then(self.state.text);
        });
    }

    fn place(&mut self, text: Option<&str>, place: Matrix, width: f64, font: &Font) {
        let text = match &mut self.marks.replacement {
            Some(replacement) if replacement.done => "",
            Some(replacement) => {
                replacement.done = true;
                replacement.text.as_str()
            }
            None => {
                self.shared.left_out.unknown += usize::from(text.is_none());
                text.unwrap_or_default()
            }
        };
        let Matrix([a, b, c, d, x, y]) = place;
        let along = a.hypot(b);
        let size = if along > 0.0 { (a * d - b * c).abs() / along * font.height } else { 0.0 };
        if !(SMALLEST_TYPE..1e5).contains(&size) || !x.is_finite() || !y.is_finite() {
            return;
        }
        let (wide, high) = (self.seen.width, self.seen.height);
        if !(0.0..=wide).contains(&x) || !(0.0..=high).contains(&y) {
            return;
        }
        let direction = match () {
            () if b.abs() < 0.1 * a.abs() && a > 0.0 => Direction::Right,
            () if b.abs() < 0.1 * a.abs() => Direction::Left,
            () if a.abs() < 0.1 * b.abs() && b < 0.0 => Direction::Up,
            () if a.abs() < 0.1 * b.abs() => Direction::Down,
            () => {
                self.shared.left_out.turned += text.chars().count();
                return;
            }
        };
        let (left, baseline) = match direction {
            Direction::Right => (x, y),
            Direction::Up => (high - y, x),
            Direction::Left => (wide - x, high - y),
            Direction::Down => (y, wide - x),
        };
        let slanted = d != 0.0 && (c / d).abs() > 0.12 && direction == Direction::Right && a > 0.0;
        let style = Style {
            size: to_hundredths(size),
            bold: font.bold,
            italic: font.italic || slanted,
            small_caps: font.small_caps,
        };
        let right = left + width * along;
        let (left, right, baseline) = (left as f32, right as f32, baseline as f32);
        self.settings[direction as usize].glyph(Glyph { text, left, right, baseline, style });
    }

    fn finish(self) -> PageOfPieces {
        let Interpreter { settings, seen, shared, .. } = self;
        let all: usize = settings.iter().map(|setting| setting.characters).sum();
        // A page is turned as a whole only if nearly all of its text is.
        let main =
            settings.iter().position(|setting| setting.characters * 10 > all * 6).unwrap_or(0);
        let (width, height) = match main {
            0 | 2 => (seen.width, seen.height),
            _ => (seen.height, seen.width),
        };
        shared.left_out.turned += all - settings[main].characters;
        let [.., pieces] = {
            let mut settings = settings;
            settings.swap(main, 3);
            settings
        };
        PageOfPieces { width: width as f32, height: height as f32, pieces: pieces.finish() }
    }
}

/// Sizes that differ by the rounding of matrices are the same size.
fn to_hundredths(size: f64) -> f32 {
    ((size * 100.0).round() / 100.0) as f32
}
