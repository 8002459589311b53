//! RTF, by Microsoft's specification 1.9 and what programs write instead.
//!
//! The file is a sequence of tokens; groups save and restore what is in force, so one pass with a
//! stack reads it. RTF repeats at each paragraph what its style sets, so of the style sheet only the
//! names matter. A destination that is marked as one that may be unknown, and is, is left out.

mod destinations;
mod fonts;
mod tokens;

use super::code_pages::{decode_page, language_tag};
use super::flow::{Flow, SUPERSCRIPT, Shape};
use super::sheet::{Setting, Size, known_name};
use super::symbol::symbol;
use crate::{Alignment, LayoutBlock, LayoutPage, LayoutText, Properties, ReadLimits};
use auslese_model::Oddity;
use destinations::{Beginning, Destination, InfoField, Notes};
use fonts::{Charset, Fonts};
use std::collections::HashMap;
use tokens::{Token, Tokens};

/// Groups within groups whose state is kept; deeper ones share that of the last. Word writes
/// about 50.
pub const MAX_GROUPS: usize = 1_000;

pub(crate) fn read_rtf(bytes: &[u8], limits: &ReadLimits) -> LayoutText {
    let mut reader = RtfReader::new(limits);
    for token in Tokens::new(bytes) {
        reader.take(token);
    }
    reader.finish()
}

#[derive(Debug)]
struct RtfReader {
    flow: Flow,
    notes: Notes,
    now: Group,
    groups: Vec<Group>,
    /// Groups too deep to be kept.
    deeper: usize,
    /// Bytes not yet decoded, all in the code page in force.
    pending: Vec<u8>,
    /// Characters to be left out, as they stand for a Unicode character already read.
    to_skip: usize,
    /// The first half of a surrogate pair.
    half: Option<u16>,
    /// Whether the last token was the mark of a destination that may be unknown.
    starred: bool,
    fonts: Fonts,
    styles: HashMap<i32, String>,
    style_name: String,
    info: Info,
    oddities: Vec<Oddity>,
}

/// What is in force within a group.
#[derive(Debug, Clone, Copy)]
struct Group {
    destination: Destination,
    /// Where text goes again in the Unicode half of a doubled destination.
    doubled: Option<Destination>,
    /// Whether the destination begins with this group and ends with it.
    began: bool,
    font: i32,
    /// How many characters stand for a Unicode character.
    unicode_skip: usize,
    setting: Setting,
    deleted: bool,
    alignment: Alignment,
    style: i32,
}

#[derive(Debug, Default)]
struct Info {
    properties: Properties,
    pages: Option<u32>,
    date: [Option<i32>; 5],
    language: Option<&'static str>,
    /// Of the first text or style that names one.
    first_language: Option<&'static str>,
}

impl RtfReader {
    fn new(limits: &ReadLimits) -> RtfReader {
        let now = Group {
            destination: Destination::Body,
            doubled: None,
            began: false,
            font: Fonts::DEFAULT,
            unicode_skip: 1,
            setting: plain(),
            deleted: false,
            alignment: Alignment::Left,
            style: 0,
        };
        RtfReader {
            flow: Flow::new(limits.words),
            notes: Notes::default(),
            now,
            groups: Vec::new(),
            deeper: 0,
            pending: Vec::new(),
            to_skip: 0,
            half: None,
            starred: false,
            fonts: Fonts::default(),
            styles: HashMap::new(),
            style_name: String::new(),
            info: Info::default(),
            oddities: Vec::new(),
        }
    }

    fn take(&mut self, token: Token<'_>) {
        let starred = std::mem::take(&mut self.starred);
        match token {
            Token::Open => self.open(),
            Token::Close => self.close(),
            Token::Text(text) => {
                let skipped = self.to_skip.min(text.len());
                self.to_skip -= skipped;
                self.pending.extend_from_slice(&text[skipped..]);
            }
            Token::Hex(_) if self.to_skip > 0 => self.to_skip -= 1,
            Token::Hex(byte) => self.pending.push(byte),
            Token::Symbol(b'*') => self.starred = true,
            Token::Symbol(_) if self.to_skip > 0 => self.to_skip -= 1,
            Token::Word(word, _) if self.to_skip > 0 && character(word).is_some() => {
                self.to_skip -= 1;
            }
            Token::Symbol(sign) => {
                self.decode_pending();
                self.symbol(sign);
            }
            Token::Word(word, number) => {
                // Nothing but characters can stand for one, whatever the count says.
                self.to_skip = 0;
                self.decode_pending();
                self.word(word, number, starred);
            }
        }
    }

    fn open(&mut self) {
        self.decode_pending();
        self.to_skip = 0;
        if self.groups.len() == MAX_GROUPS {
            self.deeper += 1;
        } else {
            self.groups.push(self.now);
            self.now.began = false;
        }
    }

    fn close(&mut self) {
        self.decode_pending();
        self.to_skip = 0;
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(outer) = self.groups.pop() else { return };
        if self.now.began {
            self.end_destination();
        }
        self.now = outer;
    }

    fn symbol(&mut self, sign: u8) {
        match sign {
            b'\\' | b'{' | b'}' => self.write(char::from(sign).encode_utf8(&mut [0; 4])),
            b'~' => self.write(" "),
            b'_' => self.write("-"),
            b'\r' | b'\n' => self.end_paragraph(),
            _ => {}
        }
    }

    fn word(&mut self, word: &[u8], number: Option<i32>, starred: bool) {
        if let Some(beginning) = Beginning::named(word) {
            return self.begin(beginning);
        }
        if starred {
            return self.begin(Beginning::Of(Destination::Nowhere));
        }
        if let Some(character) = character(word) {
            return self.write(character);
        }
        let on = number != Some(0);
        let count = number.unwrap_or(0);
        match word {
            b"par" | b"sect" | b"cell" | b"nestcell" | b"row" | b"nestrow" => self.end_paragraph(),
            b"line" | b"page" | b"column" | b"softline" | b"softpage" => self.end_line(),
            b"u" => self.unicode(count),
            b"uc" => self.now.unicode_skip = usize::try_from(count).unwrap_or(1).min(16),
            b"chftn" => self.write_note_mark(),
            b"pard" => {
                self.now.alignment = Alignment::Left;
                self.now.style = 0;
            }
            b"ql" => self.now.alignment = Alignment::Left,
            b"qc" => self.now.alignment = Alignment::Centred,
            b"qr" => self.now.alignment = Alignment::Right,
            b"qj" | b"qd" => self.now.alignment = Alignment::Justified,
            b"s" => self.now.style = count,
            b"plain" => {
                self.now.setting = plain();
                self.now.deleted = false;
                self.now.font = Fonts::DEFAULT;
            }
            b"f" if self.now.destination == Destination::FontTable => self.fonts.begin(count),
            b"f" => self.now.font = count,
            b"fcharset" => self.fonts.set_charset(count),
            b"cpg" => self.fonts.set_page(count),
            b"deff" => self.fonts.usual = count,
            b"ansicpg" => self.fonts.set_document_page(count),
            b"mac" => self.fonts.set_document_page(10_000),
            b"pc" => self.fonts.set_document_page(437),
            b"pca" => self.fonts.set_document_page(850),
            b"fs" => self.now.setting.size = Some(Size::Points(count as f32 / 2.0)),
            b"b" => self.now.setting.bold = Some(on),
            b"i" => self.now.setting.italic = Some(on),
            b"scaps" => self.now.setting.small_caps = Some(on),
            b"v" => self.now.setting.hidden = Some(on),
            b"deleted" => self.now.deleted = on,
            b"super" => self.now.setting.raised = Some(if on { SUPERSCRIPT } else { 0.0 }),
            b"sub" => self.now.setting.raised = Some(if on { -SUPERSCRIPT } else { 0.0 }),
            b"up" => self.now.setting.raised = Some(if count > 0 { SUPERSCRIPT } else { 0.0 }),
            b"dn" => self.now.setting.raised = Some(if count > 0 { -SUPERSCRIPT } else { 0.0 }),
            b"nosupersub" => self.now.setting.raised = Some(0.0),
            b"deflang" => self.info.language = language(count).or(self.info.language),
            b"lang" => self.info.first_language = self.info.first_language.or(language(count)),
            b"nofpages" => self.info.pages = u32::try_from(count).ok().filter(|pages| *pages > 0),
            _ => self.date_word(word, count),
        }
    }

    fn date_word(&mut self, word: &[u8], count: i32) {
        if self.now.destination == Destination::Info(InfoField::Created) {
            let parts: [&[u8]; 5] = [b"yr", b"mo", b"dy", b"hr", b"min"];
            if let Some(part) = parts.iter().position(|part| *part == word) {
                self.info.date[part] = Some(count);
            }
        }
    }

    /// A UTF-16 unit, written as a signed number.
    fn unicode(&mut self, number: i32) {
        self.to_skip = self.now.unicode_skip;
        let unit = (number & 0xFFFF) as u16;
        let half = self.half.take();
        let is_symbol = self.fonts.charset(self.now.font) == Charset::Symbol;
        let character = match half {
            Some(high) => char::decode_utf16([high, unit]).next().and_then(Result::ok),
            None if (0xD800..0xDC00).contains(&unit) => {
                self.half = Some(unit);
                return;
            }
            None if is_symbol && unit >= 0xF000 => symbol(u32::from(unit)),
            None => char::from_u32(u32::from(unit)),
        };
        if let Some(character) = character {
            self.write(character.encode_utf8(&mut [0; 4]));
        }
    }

    fn decode_pending(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.pending);
        match self.fonts.charset(self.now.font) {
            Charset::Page(page) => self.write(&decode_page(page, &bytes)),
            Charset::Symbol => {
                let text: String =
                    bytes.iter().filter_map(|byte| symbol(u32::from(*byte))).collect();
                self.write(&text);
            }
            Charset::Pictures => {}
        }
        self.pending = bytes;
        self.pending.clear();
    }

    /// Text, to where it belongs.
    fn write(&mut self, text: &str) {
        match self.now.destination {
            Destination::Body | Destination::Note | Destination::TextBox => {
                if !self.now.setting.is_hidden() && !self.now.deleted {
                    self.flow.text(text, &self.now.setting.look());
                }
            }
            Destination::FontTable => self.fonts.name(text),
            Destination::StyleSheet => self.name_styles(text),
            Destination::Info(field) => {
                if let Some(value) = field.of(&mut self.info.properties) {
                    value.get_or_insert_default().push_str(text);
                }
            }
            Destination::Shape | Destination::InfoTable | Destination::Nowhere => {}
        }
    }

    /// Names of styles end with a semicolon.
    fn name_styles(&mut self, text: &str) {
        for piece in text.split_inclusive(';') {
            match piece.strip_suffix(';') {
                Some(end) => {
                    self.style_name.push_str(end);
                    let name = known_name(&std::mem::take(&mut self.style_name));
                    self.styles.insert(self.now.style, name);
                }
                None => self.style_name.push_str(piece),
            }
        }
    }

    fn is_text(&self) -> bool {
        use Destination::{Body, Note, TextBox};
        matches!(self.now.destination, Body | Note | TextBox)
    }

    fn end_line(&mut self) {
        if self.is_text() {
            self.flow.end_line();
        }
    }

    fn end_paragraph(&mut self) {
        if self.is_text() {
            self.flow.end_paragraph(&self.shape());
        }
    }

    fn shape(&self) -> Shape {
        let style_name = self.styles.get(&self.now.style).cloned();
        Shape { alignment: Some(self.now.alignment), style_name }
    }

    /// The number of the note that follows, or of the note that is read.
    fn write_note_mark(&mut self) {
        let number = self.notes.number();
        let before = self.now.setting;
        self.now.setting.raised = Some(SUPERSCRIPT);
        self.write(&number.to_string());
        self.now.setting = before;
    }

    fn begin(&mut self, beginning: Beginning) {
        let now = self.now.destination;
        let wanted = match beginning {
            Beginning::Unicode => {
                self.now.destination = self.now.doubled.take().unwrap_or(now);
                return;
            }
            Beginning::Doubled => {
                self.now.doubled = Some(now);
                Destination::Nowhere
            }
            Beginning::Of(wanted) => wanted,
        };
        let fits = match wanted {
            Destination::Note => self.is_text() && !self.notes.reading,
            Destination::TextBox => self.is_text() || now == Destination::Shape,
            Destination::Info(InfoField::Producer) => now != Destination::Nowhere,
            Destination::Info(_) => now == Destination::InfoTable,
            _ => now != Destination::Nowhere,
        };
        if !fits {
            return;
        }
        self.now.began = true;
        self.now.destination = wanted;
        match wanted {
            Destination::Note => self.notes.begin(&mut self.flow),
            Destination::TextBox => self.flow.enter(),
            // Some programs write a field twice; the first holds.
            Destination::Info(field) if field.is_known(&mut self.info.properties) => {
                self.now.destination = Destination::Nowhere;
            }
            _ => {}
        }
    }

    fn end_destination(&mut self) {
        let shape = self.shape();
        match self.now.destination {
            Destination::Note => self.notes.end(&mut self.flow, &shape),
            Destination::TextBox => self.flow.leave(&shape),
            _ => {}
        }
    }

    fn finish(mut self) -> LayoutText {
        self.decode_pending();
        if !self.groups.is_empty() {
            self.oddities.push(Oddity::new("truncated", "groups are left open"));
        }
        while !self.groups.is_empty() {
            self.deeper = 0;
            self.close();
        }
        self.end_paragraph();
        if self.flow.full {
            self.oddities.push(Oddity::new("too-many-words", "the rest is left out"));
        }
        let mut blocks: Vec<LayoutBlock> = self.flow.finish();
        blocks.append(&mut self.notes.blocks);
        let page = LayoutPage { blocks, ..LayoutPage::default() };
        LayoutText {
            pages: if page.blocks.is_empty() { Vec::new() } else { vec![page] },
            page_count: self.info.pages,
            properties: self.info.into_properties(),
            oddities: self.oddities,
        }
    }
}

/// Control words that are characters.
fn character(word: &[u8]) -> Option<&'static str> {
    Some(match word {
        b"tab" | b"emspace" | b"enspace" | b"qmspace" => " ",
        b"emdash" => "—",
        b"endash" => "–",
        b"lquote" => "‘",
        b"rquote" => "’",
        b"ldblquote" => "“",
        b"rdblquote" => "”",
        b"bullet" => "•",
        _ => return None,
    })
}

/// What text is like after `\plain`.
fn plain() -> Setting {
    Setting { size: Some(Size::Points(12.0)), ..Setting::default() }
}

impl Info {
    fn into_properties(mut self) -> Properties {
        if let [Some(year), Some(month), Some(day), ref time @ ..] = self.date {
            let [hour, minute] = [time[0].unwrap_or(0), time[1].unwrap_or(0)];
            self.properties.created =
                Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}"));
        }
        let language = self.language.or(self.first_language);
        self.properties.language = language.map(str::to_owned);
        self.properties
    }
}

fn language(number: i32) -> Option<&'static str> {
    u16::try_from(number).ok().and_then(language_tag)
}
