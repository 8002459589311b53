//! Fonts: what the codes of a shown string say, and how far each moves the pen.
//!
//! A code's text is looked for where it is most likely to be right: in the map to Unicode that the
//! file gives for the font, then by the glyph's name in the encoding, then in the font program
//! itself ([`super::embedded`]). Codes of which nobody tells what they are stay without text; they
//! are counted, so that a page of them is noticed.

use std::collections::HashMap;

use hayro_syntax::object::{Array, Dict, Name, Number, Object, Stream};

use super::character_map::CharacterMap;
use super::embedded;
use super::encodings::Encoding;
use super::filters::{Budget, decoded};
use super::standard_widths::standard_widths;
use crate::accents::plain;
use crate::glyph_names;

/// Widths of the glyphs of one composite font that are kept; others have the default width.
const MAX_WIDTHS: usize = 65_536;

/// A font as far as text needs it.
#[derive(Debug)]
pub(super) struct Font {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) small_caps: bool,
    /// Writes from top to bottom, which is not arranged in lines.
    pub(super) vertical: bool,
    /// Height of the type in units of the size it is set in; 1 but for fonts drawn by the page.
    pub(super) height: f64,
    coding: Coding,
}

/// A code of a shown string.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'a> {
    /// Without ligatures; `None` where nobody tells.
    pub(super) text: Option<&'a str>,
    /// In units of the size.
    pub(super) width: f64,
    /// The single byte 32, to which the spacing of words is added.
    pub(super) is_blank: bool,
}

#[derive(Debug)]
enum Coding {
    Simple { texts: Vec<Option<String>>, widths: Vec<f64> },
    Composite(Box<Composite>),
}

#[derive(Debug, Default)]
struct Composite {
    /// From codes to glyphs; `None`: codes of two bytes that are the numbers of the glyphs.
    codes: Option<CharacterMap>,
    /// The codes are UTF-16.
    codes_are_unicode: bool,
    to_unicode: Option<CharacterMap>,
    /// By number of the glyph, where the font program tells.
    glyph_texts: HashMap<u32, String>,
    widths: HashMap<u32, f64>,
    default_width: f64,
}

impl Font {
    pub(super) fn read(dict: &Dict<'_>, budget: &mut Budget) -> Font {
        let subtype = dict.get::<Name<'_>>("Subtype");
        let descendant = dict
            .get::<Array<'_>>("DescendantFonts")
            .and_then(|fonts| fonts.iter::<Dict<'_>>().next())
            .filter(|_| subtype.as_deref() == Some(b"Type0"));
        let inner = descendant.as_ref().unwrap_or(dict);
        let descriptor = inner.get::<Dict<'_>>("FontDescriptor").unwrap_or_default();
        let name = base_name(dict, &descriptor);
        let look = Look::of(&name, &descriptor);
        let to_unicode = dict
            .get::<Stream<'_>>("ToUnicode")
            .and_then(|stream| decoded(&stream, budget))
            .map(|program| CharacterMap::read(&program))
            .filter(|map| !map.is_empty());
        let is_drawn = subtype.as_deref() == Some(b"Type3");
        let (mut vertical, mut height) = (false, 1.0);
        let coding = match &descendant {
            Some(inner) => {
                let encoding = dict.get::<Name<'_>>("Encoding");
                vertical = encoding.is_some_and(|name| name.ends_with(b"-V"));
                Coding::Composite(Box::new(composite(dict, inner, &descriptor, to_unicode, budget)))
            }
            None => {
                let kind = if is_drawn { Kind::Drawn } else { Kind::Program };
                let texts = simple_texts(dict, &descriptor, &name, kind, to_unicode, budget);
                let unit = if is_drawn { drawn_unit(dict) } else { 0.001 };
                let widths = simple_widths(dict, &descriptor, &name, unit);
                if is_drawn {
                    height = drawn_height(&texts, &widths);
                }
                Coding::Simple { texts, widths }
            }
        };
        let Look { bold, italic, small_caps } = look;
        Font { bold, italic, small_caps, vertical, height, coding }
    }

    /// Hands over each code of a shown string.
    pub(super) fn shown(&self, bytes: &[u8], mut each: impl FnMut(Shown<'_>)) {
        match &self.coding {
            Coding::Simple { texts, widths } => {
                for &byte in bytes {
                    let at = usize::from(byte);
                    let text = texts.get(at).and_then(Option::as_deref);
                    let width = widths.get(at).copied().unwrap_or_default();
                    each(Shown { text, width, is_blank: byte == b' ' });
                }
            }
            Coding::Composite(font) => {
                let mut rest = bytes;
                let mut text = String::new();
                while let Some((code, length)) = font.code(rest) {
                    text.clear();
                    let glyph = font.codes.as_ref().map_or(Some(code), |codes| codes.glyph(code));
                    let glyph = glyph.unwrap_or_default();
                    let known = font.text(code, glyph, &mut text);
                    let width = font.widths.get(&glyph).copied().unwrap_or(font.default_width);
                    let is_blank = length == 1 && code == 32;
                    each(Shown { text: known.then_some(text.as_str()), width, is_blank });
                    rest = rest.get(length..).unwrap_or_default();
                }
            }
        }
    }
}

impl Composite {
    fn code(&self, bytes: &[u8]) -> Option<(u32, usize)> {
        if let Some(codes) = &self.codes {
            return codes.code(bytes);
        }
        match bytes {
            [] => None,
            [byte] => Some((u32::from(*byte), 1)),
            [upper, lower, ..] => Some((u32::from(u16::from_be_bytes([*upper, *lower])), 2)),
        }
    }

    fn text(&self, code: u32, glyph: u32, text: &mut String) -> bool {
        let mut raw = String::new();
        if let Some(map) = &self.to_unicode
            && map.text(code, &mut raw)
            && is_text(&raw)
        {
            raw.chars().for_each(|character| plain(character, text));
            return true;
        }
        if self.codes_are_unicode {
            char::from_u32(code).into_iter().for_each(|character| plain(character, text));
            return !text.is_empty();
        }
        match self.glyph_texts.get(&glyph) {
            Some(known) => {
                known.chars().for_each(|character| plain(character, text));
                true
            }
            None => false,
        }
    }
}

/// Whether a map to Unicode says something: some fill it with controls or private characters.
fn is_text(text: &str) -> bool {
    let says_nothing = |character: char| {
        character.is_control() && character != '\t'
            || matches!(character, '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..)
    };
    text.is_empty() || !text.chars().all(says_nothing)
}

/// The name without the mark of a subset (`ABCDEF+`).
fn base_name(dict: &Dict<'_>, descriptor: &Dict<'_>) -> String {
    let name = dict.get::<Name<'_>>("BaseFont").or_else(|| descriptor.get::<Name<'_>>("FontName"));
    let name = name.map(|name| String::from_utf8_lossy(&name).into_owned()).unwrap_or_default();
    match name.split_once('+') {
        Some((mark, rest)) if mark.len() == 6 => rest.to_owned(),
        _ => name,
    }
}

struct Look {
    bold: bool,
    italic: bool,
    small_caps: bool,
}

impl Look {
    fn of(name: &str, descriptor: &Dict<'_>) -> Look {
        const ITALIC: u32 = 1 << 6;
        const SMALL_CAPS: u32 = 1 << 17;
        const FORCE_BOLD: u32 = 1 << 18;
        let flags = descriptor.get::<i32>("Flags").unwrap_or_default().cast_unsigned();
        let weight = descriptor.get::<f32>("FontWeight").unwrap_or_default();
        let angle = descriptor.get::<f32>("ItalicAngle").unwrap_or_default();
        let small_caps = ["smallcap", "cmcsc", "eccc", "sfcc", "lmcsc", "-sc"];
        Look {
            bold: weight >= 600.0 || flags & FORCE_BOLD != 0 || bold_by_name(name),
            italic: flags & ITALIC != 0 || angle != 0.0 || italic_by_name(name),
            small_caps: flags & SMALL_CAPS != 0 || has_word(name, &small_caps),
        }
    }
}

/// Whether a font is bold by its name. The short words are those of TeX: cmbx10, ecbx1200, SFBX1000.
pub(crate) fn bold_by_name(name: &str) -> bool {
    let words =
        ["bold", "black", "heavy", "cmbx", "ecbx", "sfbx", "tcbx", "cmssbx", "-bd", "-medi"];
    has_word(name, &words) || name.to_ascii_lowercase().ends_with("demi")
}

/// Whether a font is slanted by its name; as in CMTI10 and CMSL10.
pub(crate) fn italic_by_name(name: &str) -> bool {
    has_word(name, &["italic", "oblique", "kursiv", "cmti", "ecti", "sfti", "cmsl", "-it", "ital"])
}

fn has_word(name: &str, words: &[&str]) -> bool {
    let lower = name.to_ascii_lowercase();
    words.iter().any(|word| lower.contains(word))
}

/// Whether a simple font has a program or the page draws its glyphs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Program,
    Drawn,
}

fn simple_texts(
    dict: &Dict<'_>,
    descriptor: &Dict<'_>,
    name: &str,
    kind: Kind,
    to_unicode: Option<CharacterMap>,
    budget: &mut Budget,
) -> Vec<Option<String>> {
    let encoding = dict.get::<Object<'_>>("Encoding");
    let (named, differences) = match encoding {
        Some(Object::Name(name)) => (Encoding::named(&name), None),
        Some(Object::Dict(encoding)) => {
            let base = encoding.get::<Name<'_>>("BaseEncoding");
            (base.and_then(|name| Encoding::named(&name)), encoding.get::<Array<'_>>("Differences"))
        }
        _ => (None, None),
    };
    let names = differences.map(|array| read_differences(&array)).unwrap_or_default();
    let mut texts: Vec<Option<String>> = vec![None; 256];
    let mut program = None;
    for code in 0..=255_u8 {
        let at = usize::from(code);
        let mut text = String::new();
        let mut known = false;
        if let Some(map) = &to_unicode {
            let mut raw = String::new();
            known = map.text(u32::from(code), &mut raw) && is_text(&raw);
            if known {
                raw.chars().for_each(|character| plain(character, &mut text));
            }
        }
        if !known && let Some(glyph) = names.get(&code) {
            // A name that says nothing ends the search: the base encoding is overruled.
            let by_name = match kind {
                Kind::Program => glyph_names::text_of(glyph).or_else(|| numbered(glyph)),
                Kind::Drawn => glyph_names::text_of(glyph)
                    .or_else(|| Encoding::Tex.character(code).map(String::from)),
            };
            if let Some(by_name) = by_name {
                by_name.chars().for_each(|character| plain(character, &mut text));
                known = true;
            }
        } else if !known {
            let character = match named {
                Some(encoding) => encoding.character(code),
                None => {
                    let program = program.get_or_insert_with(|| {
                        embedded::built_in_encoding(descriptor, budget)
                            .unwrap_or_else(|| default_encoding(dict, name))
                    });
                    if let Some(built_in) = program.get(at).and_then(Option::as_ref) {
                        built_in.chars().for_each(|character| plain(character, &mut text));
                        known = true;
                    }
                    None
                }
            };
            if let Some(character) = character {
                plain(character, &mut text);
                known = true;
            }
        }
        texts[at] = known.then_some(text);
    }
    texts
}

/// What a font without an encoding and without a program of its own means.
fn default_encoding(dict: &Dict<'_>, name: &str) -> Vec<Option<String>> {
    let is_true_type = dict.get::<Name<'_>>("Subtype").as_deref() == Some(b"TrueType");
    let encoding = match name {
        _ if name.starts_with("Symbol") => Encoding::Symbol,
        _ if is_true_type => Encoding::WinAnsi,
        _ => Encoding::Standard,
    };
    (0..=255_u8).map(|code| encoding.character(code).map(String::from)).collect()
}

fn read_differences(array: &Array<'_>) -> HashMap<u8, String> {
    let mut names = HashMap::new();
    let mut code = 0_u32;
    for member in array.iter::<Object<'_>>() {
        match member {
            Object::Number(number) => code = u32::try_from(number.as_i64()).unwrap_or(u32::MAX),
            Object::Name(name) => {
                if let Ok(code) = u8::try_from(code) {
                    names.insert(code, String::from_utf8_lossy(&name).into_owned());
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    names
}

/// Names such as `a65` or `c228`, by which converters number the glyphs of a font whose names they
/// do not know: mostly the code in the original encoding, so a plain letter is believed.
fn numbered(glyph: &str) -> Option<String> {
    let digits = glyph.strip_prefix(['a', 'A', 'c', 'C'])?;
    let code: u8 = digits.parse().ok()?;
    (b'!'..=b'~').contains(&code).then(|| String::from(char::from(code)))
}

fn simple_widths(dict: &Dict<'_>, descriptor: &Dict<'_>, name: &str, unit: f64) -> Vec<f64> {
    let missing = descriptor.get::<f64>("MissingWidth").unwrap_or_default() * unit;
    let Some(given) = dict.get::<Array<'_>>("Widths") else {
        return standard_widths(name);
    };
    let first = dict.get::<i32>("FirstChar").and_then(|first| usize::try_from(first).ok());
    let mut widths = vec![missing; 256];
    let places = widths.iter_mut().skip(first.unwrap_or_default());
    for (place, width) in places.zip(given.iter::<Number>()) {
        *place = width.as_f64() * unit;
    }
    widths
}

/// The unit of widths in a font whose glyphs are drawn by the page.
fn drawn_unit(dict: &Dict<'_>) -> f64 {
    dict.get::<[f64; 6]>("FontMatrix").map_or(0.001, |matrix| matrix[0].hypot(matrix[1]))
}

/// The size of the type in units of the size it is set in. Converters of bitmap fonts set them in
/// the size of one dot, and their boxes say nothing; how wide the letters are tells.
fn drawn_height(texts: &[Option<String>], widths: &[f64]) -> f64 {
    let usual = standard_widths("Times-Roman");
    let mut ratios: Vec<f64> = texts
        .iter()
        .zip(widths)
        .filter_map(|(text, width)| {
            let letter = text.as_deref().filter(|text| text.len() == 1)?.as_bytes()[0];
            let usual =
                usual.get(usize::from(letter)).filter(|_| letter.is_ascii_alphanumeric())?;
            (width.is_finite() && *width > 0.0).then_some(width / usual)
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    match ratios.get(ratios.len() / 2) {
        // Near 1 the file means what it says. TeX's letters are wider than those of Times.
        Some(&ratio) if !(0.6..1.7).contains(&ratio) => ratio / 1.08,
        _ => 1.0,
    }
}

fn composite(
    dict: &Dict<'_>,
    inner: &Dict<'_>,
    descriptor: &Dict<'_>,
    to_unicode: Option<CharacterMap>,
    budget: &mut Budget,
) -> Composite {
    let mut font = Composite { to_unicode, ..Composite::default() };
    match dict.get::<Object<'_>>("Encoding") {
        Some(Object::Name(name)) => {
            font.codes_are_unicode = memchr::memmem::find(&name, b"UCS2").is_some()
                || memchr::memmem::find(&name, b"UTF16").is_some();
        }
        Some(Object::Stream(stream)) => {
            let program = decoded(&stream, budget).map(|program| CharacterMap::read(&program));
            font.codes = program.filter(|map| !map.is_empty());
        }
        _ => {}
    }
    if font.to_unicode.is_none() && !font.codes_are_unicode {
        font.glyph_texts = embedded::glyph_texts(inner, descriptor, budget);
    }
    font.default_width = inner.get::<f64>("DW").unwrap_or(1000.0) * 0.001;
    if let Some(array) = inner.get::<Array<'_>>("W") {
        read_widths(&array, &mut font.widths);
    }
    font
}

/// `first [w w …]` or `first last w` (PDF 32000-1, 9.7.4.3).
fn read_widths(array: &Array<'_>, widths: &mut HashMap<u32, f64>) {
    let mut left = MAX_WIDTHS;
    let mut set = |glyph: u32, width: f64| {
        left = left.saturating_sub(1);
        if left > 0 {
            widths.insert(glyph, width * 0.001);
        }
        left > 0
    };
    let mut numbers: Vec<f64> = Vec::new();
    for member in array.iter::<Object<'_>>() {
        match member {
            Object::Number(number) => numbers.push(number.as_f64()),
            Object::Array(list) => {
                let first = numbers.pop().unwrap_or_default() as u32;
                numbers.clear();
                let mut row = (first..=u32::MAX).zip(list.iter::<Number>());
                if !row.all(|(glyph, width)| set(glyph, width.as_f64())) {
                    return;
                }
            }
            _ => {}
        }
        if let [first, last, width] = numbers[..] {
            if !(first as u32..=last as u32).all(|glyph| set(glyph, width)) {
                return;
            }
            numbers.clear();
        }
    }
}
