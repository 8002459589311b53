//! Goes through fonts and pages as they come, for fonts may be defined between pages too.

use super::fonts::{self, BitmapFont, Font, Picture};
use super::header::{self, Header};
use super::setting::Setting;
use super::tokens::{Token, Tokens, hex_bytes, text_bytes};
use super::vectors::Vectors;
use crate::Piece;
use auslese_model::Oddity;
use memchr::memmem;
use std::collections::HashMap;

/// Fonts of a file that are kept: books use some 100.
const MAX_FONTS: usize = 5_000;

/// Tokens that wait for their operator: the widths of a font are the most.
const MAX_WAITING: usize = 1_200;

#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) pages: Vec<Vec<Piece>>,
    /// How many pages there are, read or not.
    pub(super) page_count: usize,
    pub(super) oddities: Vec<Oddity>,
}

/// Reads the first pages, whatever the order is in which they were printed.
pub(super) fn read(bytes: &[u8], header: &Header, limit: usize) -> Found {
    if !header::is_last_page_first(bytes, header.start) {
        return read_as_printed(bytes, header, limit);
    }
    let mut found = read_as_printed(bytes, header, super::MAX_PAGES);
    found.pages.reverse();
    found.pages.truncate(limit);
    found
}

fn read_as_printed(bytes: &[u8], header: &Header, limit: usize) -> Found {
    let mut tokens = Tokens::new(bytes);
    tokens.at = header.start;
    let mut reader = Reader {
        header,
        tokens,
        vectors: Vectors::read(&bytes[..header.start]),
        fonts: HashMap::new(),
        comment: None,
        bitmaps: None,
        waiting: Vec::new(),
        page: None,
        font: None,
        in_special: false,
        has_open_part: false,
        unknown_font: Font::unknown(header.resolution.0),
        found: Found::default(),
    };
    while reader.found.pages.len() < limit
        && let Some(token) = reader.tokens.next()
    {
        reader.take(token);
    }
    // A file that was cut off still has the beginning of its last page.
    if reader.found.pages.len() < limit {
        reader.end_page();
    }
    let mut found = reader.found;
    let unread = memmem::find_iter(&bytes[reader.tokens.at.min(bytes.len())..], b" bop").count();
    let counted = found.pages.len() + unread;
    let promised = header::promised_pages(bytes).filter(|promised| *promised < 100_000);
    found.page_count = counted.max(promised.unwrap_or(0));
    if promised.is_some_and(|promised| counted < promised) {
        found.oddities.push(Oddity::new("postscript", "has fewer pages than it says"));
    }
    if unread > 0 && limit == super::MAX_PAGES {
        found.oddities.push(Oddity::new("postscript", "has more pages than are read"));
    }
    found
}

#[derive(Debug)]
struct Reader<'a> {
    header: &'a Header,
    tokens: Tokens<'a>,
    vectors: Vectors<'a>,
    fonts: HashMap<&'a [u8], Font>,
    /// The comment that names the next bitmap font.
    comment: Option<(&'a [u8], f32)>,
    bitmaps: Option<Bitmaps<'a>>,
    waiting: Vec<Token<'a>>,
    page: Option<Setting>,
    font: Option<&'a [u8]>,
    in_special: bool,
    /// A foreign part began that does not end, so that no further end is looked for.
    has_open_part: bool,
    unknown_font: Font,
    found: Found,
}

/// A bitmap font being read.
#[derive(Debug)]
struct Bitmaps<'a> {
    short: &'a [u8],
    font: BitmapFont<'a>,
    /// The code of the last picture.
    code: usize,
    scale: f32,
}

impl<'a> Reader<'a> {
    fn take(&mut self, token: Token<'a>) {
        match token {
            Token::Comment(comment) => self.comment(comment),
            Token::Name(name) if self.bitmaps.is_some() => self.picture_or_end(name),
            Token::Name(name) => {
                self.execute(name);
                self.waiting.clear();
            }
            _ => {
                if self.waiting.len() >= MAX_WAITING {
                    self.waiting.clear();
                }
                self.waiting.push(token);
            }
        }
    }

    /// Parts of other origin are passed over.
    fn comment(&mut self, comment: &'a [u8]) {
        if let Some(named) = fonts::named_in(comment) {
            self.comment = Some(named);
        }
        let Some(kind) = comment.strip_prefix(b"%Begin") else { return };
        let foreign: [(&[u8], &[u8], &[u8]); 4] = [
            (b"Document", b"%%BeginDocument", b"%%EndDocument"),
            (b"ProcSet", b"%%BeginProcSet", b"%%EndProcSet"),
            (b"Font", b"%%BeginFont", b"%%EndFont"),
            (b"Binary", b"%%BeginBinary", b"%%EndBinary"),
        ];
        let part = foreign.iter().find(|(name, _, _)| kind.starts_with(name));
        if let Some((_, begin, end)) = part {
            self.pass_over(begin, end);
        }
    }

    /// Goes to the end of a foreign part. What is in it need not be PostScript: the data of a picture
    /// have brackets that never close.
    fn pass_over(&mut self, begin: &[u8], end: &[u8]) {
        if self.has_open_part {
            return;
        }
        match nested_part(&self.tokens.bytes[self.tokens.at..], begin, end) {
            Some(length) => self.tokens.at += length,
            None => self.has_open_part = true,
        }
    }

    fn execute(&mut self, name: &'a [u8]) {
        match name {
            b"bop" => {
                self.end_page();
                self.page = Some(Setting::new(self.header.resolution));
                self.font = None;
                self.in_special = false;
            }
            b"eop" => self.end_page(),
            b"df" | b"dfs" => self.begin_bitmaps(name == b"dfs"),
            b"rf" => {
                let resolution = self.header.resolution.0;
                let font = fonts::postscript_font(&self.waiting, &self.vectors, resolution);
                if let Some((short, font)) = font {
                    self.define(short, font);
                }
            }
            b"@beginspecial" => {
                self.in_special = true;
                self.pass_over(name, b"@endspecial");
            }
            b"@endspecial" => self.in_special = false,
            [operator] => self.operate(*operator),
            _ => {
                if let Some((short, _)) = self.fonts.get_key_value(name) {
                    self.font = Some(short);
                } else if is_font_name(name) && self.page.is_some() {
                    self.font = Some(name);
                }
            }
        }
    }

    fn operate(&mut self, operator: u8) {
        let Some(page) = self.page.as_mut().filter(|_| !self.in_special) else { return };
        let is_number = |token: &&Token<'_>| matches!(token, Token::Number(_));
        let count = self.waiting.iter().rev().take_while(is_number).count();
        let (rest, numbers) = self.waiting.split_at(self.waiting.len() - count);
        let mut last = [0.0; 4];
        let kept = numbers.len().min(4);
        for (place, token) in last.iter_mut().zip(&numbers[numbers.len() - kept..]) {
            if let Token::Number(number) = token {
                *place = *number;
            }
        }
        let text = match rest.last() {
            Some(Token::Text(raw)) => Some(text_bytes(raw)),
            Some(Token::Hex(raw)) => Some(hex_bytes(raw)),
            _ => None,
        };
        let font = self.font.map(|short| self.fonts.get(short).unwrap_or(&self.unknown_font));
        if text.is_some() && self.font.is_some_and(|short| !self.fonts.contains_key(short)) {
            note(&mut self.found.oddities, "uses a font that it does not define");
        }
        page.operate(operator, &last[..kept], text.as_deref(), font);
    }

    fn end_page(&mut self) {
        if let Some(page) = self.page.take() {
            self.found.pages.push(page.finish());
        }
    }

    fn define(&mut self, short: &'a [u8], font: Font) {
        if self.fonts.len() < MAX_FONTS || self.fonts.contains_key(short) {
            self.fonts.insert(short, font);
        } else {
            note(&mut self.found.oddities, "defines more fonts than are read");
        }
    }

    /// `/Fa 22 127 df` or, scaled, `/Fa 22 127 300 600 dfs`.
    fn begin_bitmaps(&mut self, scaled: bool) {
        let (short, scale) = match (&self.waiting[..], scaled) {
            ([.., Token::Literal(short), Token::Number(_), Token::Number(_)], false) => {
                (*short, 1.0)
            }
            (
                [
                    ..,
                    Token::Literal(short),
                    Token::Number(_),
                    Token::Number(_),
                    Token::Number(over),
                    Token::Number(under),
                ],
                true,
            ) if *under > 0.0 => (*short, over / under),
            _ => return,
        };
        let font = BitmapFont::new(self.comment.take());
        self.bitmaps = Some(Bitmaps { short, font, code: 0, scale });
    }

    /// `D` and `I` end a picture, with its code or the next one; `E` ends the font. Anything else
    /// means that the font ended without saying so.
    fn picture_or_end(&mut self, name: &'a [u8]) {
        match (name, self.bitmaps.as_mut()) {
            (b"D" | b"I", Some(bitmaps)) => {
                bitmaps.picture(&mut self.waiting, name == b"D");
                self.waiting.clear();
            }
            _ => {
                if let Some(bitmaps) = self.bitmaps.take() {
                    let (across, _) = self.header.resolution;
                    let font = bitmaps.font.finish(across);
                    self.define(bitmaps.short, font);
                }
                if name != b"E" {
                    self.execute(name);
                }
                self.waiting.clear();
            }
        }
    }
}

impl Bitmaps<'_> {
    /// A picture is a text in hexadecimal that ends with five bytes: width, height, two offsets,
    /// and how far to go on; large ones have these as numbers behind it.
    fn picture(&mut self, waiting: &mut Vec<Token<'_>>, with_code: bool) {
        if with_code && let Some(Token::Number(code)) = waiting.pop() {
            self.code = code as usize;
        } else {
            self.code += 1;
        }
        while waiting.last() == Some(&Token::Close) {
            waiting.pop();
        }
        let (height, advance) = match waiting[..] {
            [
                ..,
                Token::Hex(_),
                Token::Number(_),
                Token::Number(height),
                Token::Number(_),
                Token::Number(_),
                Token::Number(advance),
            ] => (height, advance),
            [.., Token::Hex(raw)] => {
                // Bytes may be broken over lines, so some more than ten digits are looked at.
                let end = hex_bytes(last_digits(raw));
                match end[..] {
                    [.., _, height, _, _, advance] => (f32::from(height), f32::from(advance)),
                    _ => return,
                }
            }
            _ => return,
        };
        if let Some(place) = self.font.pictures.get_mut(self.code) {
            *place = Some(Picture { height: height * self.scale, advance });
        }
    }
}

/// The end of a hexadecimal text: ten digits, with the line ends between them.
fn last_digits(raw: &[u8]) -> &[u8] {
    let mut digits = 0;
    let start = raw.iter().rposition(|byte| {
        digits += usize::from(byte.is_ascii_hexdigit());
        digits == 10
    });
    &raw[start.unwrap_or(0)..]
}

/// Where a part ends that may have parts of its kind within.
fn nested_part(bytes: &[u8], begin: &[u8], end: &[u8]) -> Option<usize> {
    let mut depth = 1;
    let mut begins = memmem::find_iter(bytes, begin).peekable();
    for place in memmem::find_iter(bytes, end) {
        while begins.next_if(|begin| *begin < place).is_some() {
            depth += 1;
        }
        depth -= 1;
        if depth == 0 {
            return Some(place);
        }
    }
    None
}

/// dvips calls its fonts `Fa` to `Fz`, `FA` to `FZ`, `F0` to `F9`, then `Ga` and so on.
fn is_font_name(name: &[u8]) -> bool {
    matches!(name, [b'F'..=b'Z', b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9'])
        && !matches!(name, b"TR" | b"RV" | b"QV" | b"SS" | b"SI" | b"IE")
}

fn note(oddities: &mut Vec<Oddity>, text: &str) {
    let oddity = Oddity::new("postscript", text);
    if !oddities.contains(&oddity) {
        oddities.push(oddity);
    }
}
