//! The fonts of a file: which codes mean what, how large and how wide they are.
//!
//! dvips defines fonts in two ways. A bitmap font is a list of pictures; a comment before it may
//! tell its name (`%DVIPSBitmapFont: Fa cmr10 10.95 22`), or else [`super::unnamed`] finds out what
//! it can from the pictures. A PostScript font is one line: widths, an encoding, a size in dots and
//! a name (`/Fb 133[60 …{TeXBase1Encoding ReEncodeFont}54 99.6 /Courier rf`).

use super::encodings::{Glyph, Table, back_to_seven_bits};
use super::glyph_names;
use super::tokens::{Token, Tokens};
use super::unnamed;
use super::vectors::{Codes, Vectors};
use crate::Style;
use std::sync::{Arc, LazyLock};

/// Points of TeX in a dot of one inch.
const TEX_POINTS: f32 = 72.27;

/// A font as pages use it.
#[derive(Debug, Clone)]
pub(super) struct Font {
    pub(super) style: Style,
    codes: Arc<Codes>,
    /// In dots.
    widths: Box<[f32; 256]>,
    /// How far below their place the glyphs stand, in ems: large signs hang from it.
    pub(super) hangs: f32,
}

/// The large signs of mathematics reach from a little above their place to far below it; the
/// line that they are on is this many ems lower.
const LARGE_SIGNS_HANG: f32 = 0.8;

fn hangs(table: Table) -> f32 {
    if table == Table::LargeSigns { LARGE_SIGNS_HANG } else { 0.0 }
}

impl Font {
    /// What stands in for a font that the file does not define.
    pub(super) fn unknown(resolution: f32) -> Font {
        let size = super::UNKNOWN_SIZE;
        let style = Style { size, ..Style::default() };
        let width = 0.5 * size / 72.0 * resolution;
        Font { style, codes: table_codes(Table::Text), widths: Box::new([width; 256]), hangs: 0.0 }
    }

    pub(super) fn glyph(&self, code: u8) -> Glyph {
        self.codes[usize::from(code)]
    }

    pub(super) fn width(&self, code: u8) -> f32 {
        self.widths[usize::from(code)]
    }
}

/// The picture of a glyph, in dots.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Picture {
    pub(super) height: f32,
    pub(super) advance: f32,
}

/// A bitmap font while it is read.
#[derive(Debug, Clone)]
pub(super) struct BitmapFont<'a> {
    /// From the comment before it: the name in TeX and the size in points.
    pub(super) comment: Option<(&'a [u8], f32)>,
    pub(super) pictures: Box<[Option<Picture>; 256]>,
}

impl<'a> BitmapFont<'a> {
    pub(super) fn new(comment: Option<(&'a [u8], f32)>) -> BitmapFont<'a> {
        BitmapFont { comment, pictures: Box::new([None; 256]) }
    }

    /// The font, at so many dots per inch.
    pub(super) fn finish(self, resolution: f32) -> Font {
        let mut widths = Box::new([0.0; 256]);
        for (width, picture) in widths.iter_mut().zip(self.pictures.iter()) {
            *width = picture.map_or(0.0, |picture| picture.advance);
        }
        let measured = unnamed::measure(&self.pictures, resolution);
        let (table, style) = match self.comment {
            Some((name, size)) => {
                let class = class(name);
                let size = 72.0 / TEX_POINTS * size;
                (class.table, class.style(size))
            }
            None => (measured.table, measured.style),
        };
        Font { style, codes: table_codes(table), widths, hangs: hangs(table) }
    }
}

/// The name and size in the comment before a bitmap font.
pub(super) fn named_in(comment: &[u8]) -> Option<(&[u8], f32)> {
    let mut words = Tokens::new(comment.strip_prefix(b"DVIPSBitmapFont:")?).skip(1);
    match (words.next()?, words.next()?) {
        (Token::Name(name), Token::Number(size)) => Some((name, size)),
        _ => None,
    }
}

/// A PostScript font from what stands before `rf`; returns its short name with it.
pub(super) fn postscript_font<'a>(
    stack: &[Token<'a>],
    vectors: &Vectors<'_>,
    resolution: f32,
) -> Option<(&'a [u8], Font)> {
    let [
        rest @ ..,
        Token::Procedure(encoding),
        Token::Number(_),
        Token::Number(dots),
        Token::Literal(name),
    ] = stack
    else {
        return None;
    };
    let start = rest.iter().rposition(|token| matches!(token, Token::Literal(_)))?;
    let Token::Literal(short) = rest[start] else { return None };
    let mut class = class(name);
    let vector = Tokens::new(encoding).find_map(|token| match token {
        Token::Name(vector) => Some((vector, vectors.by_name.get(vector)?)),
        _ => None,
    });
    // A European font as Type 1 has the letters and the signs of their companion in one file.
    if class.table == Table::Cork && vector.is_some_and(|(vector, _)| is_of_companion(vector)) {
        class.table = Table::Companion;
    }
    let vector = vector.map(|(_, codes)| codes);
    let codes = match (class.is_of_tex, vector.or(vectors.by_font.get(name))) {
        // Fonts of TeX are known better than by the names of their glyphs.
        (true, _) => table_codes(class.table),
        (false, Some(codes)) => Arc::clone(codes),
        (false, None) => Arc::clone(&STANDARD),
    };
    let style = class.style(dots / resolution * 72.0);
    let mut widths = widths(&rest[start + 1..]);
    if class.is_of_tex {
        widen_moved_codes(&mut widths);
    }
    let hangs = if class.is_of_tex { hangs(class.table) } else { 0.0 };
    Some((short, Font { style, codes, widths, hangs }))
}

/// Whether a vector lists the signs of the companion fonts, as those of `TS1` do.
fn is_of_companion(vector: &[u8]) -> bool {
    vector.windows(3).any(|part| part.eq_ignore_ascii_case(b"TS1"))
}

/// Codes that dvips moved are as wide as those they were: widths go by the names of glyphs.
fn widen_moved_codes(widths: &mut [f32; 256]) {
    for moved in 161..=196u8 {
        let width = widths[usize::from(back_to_seven_bits(moved))];
        let place = &mut widths[usize::from(moved)];
        if *place == 0.0 {
            *place = width;
        }
    }
}

/// The widths as dvips packs them: from code 255 down to 0, where `3[` leaves out three codes.
fn widths(packed: &[Token<'_>]) -> Box<[f32; 256]> {
    let mut widths = Box::new([0.0; 256]);
    let mut code = 0usize;
    let mut skips = false;
    for token in packed.iter().rev() {
        match token {
            Token::Open => skips = true,
            Token::Number(count) if skips => {
                code = code.saturating_add(*count as usize);
                skips = false;
            }
            Token::Number(width) => {
                if let Some(place) = widths.get_mut(code) {
                    *place = *width;
                }
                code += 1;
            }
            _ => {}
        }
    }
    widths
}

fn table_codes(table: Table) -> Arc<Codes> {
    static TABLES: LazyLock<[Arc<Codes>; 10]> = LazyLock::new(|| {
        Table::ALL.map(|table| Arc::new(std::array::from_fn(|code| table.glyph(code as u8))))
    });
    Arc::clone(&TABLES[table as usize])
}

static STANDARD: LazyLock<Arc<Codes>> =
    LazyLock::new(|| Arc::new(std::array::from_fn(|code| glyph_names::standard(code as u8))));

/// What the name of a font tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Class {
    table: Table,
    is_of_tex: bool,
    bold: bool,
    italic: bool,
    small_caps: bool,
}

impl Class {
    fn style(self, size: f32) -> Style {
        let Class { bold, italic, small_caps, .. } = self;
        Style { size, bold, italic, small_caps }
    }
}

fn class(name: &[u8]) -> Class {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let table = if starts(&["cmmi", "lmmathitalic", "lmmi", "eurm", "eurb"]) {
        Table::MathLetters
    } else if starts(&["cmsy", "cmbsy", "lmmathsymbols", "lmsy"]) {
        Table::MathSigns
    } else if starts(&["cmex", "lmmathextension", "lmex", "euex"]) {
        Table::LargeSigns
    } else if starts(&["cmtt", "cmitt", "cmsltt", "cmvtt", "cmtcsc", "cmtex"]) {
        Table::Typewriter
    } else if starts(&["cmcsc"]) {
        Table::SmallCaps
    } else if is_european(&name) {
        if starts(&["tc"]) { Table::Companion } else { Table::Cork }
    } else if starts(&["symbol", "standardsym"]) {
        Table::Symbol
    } else if starts(&DRAWING) {
        Table::Unreadable
    } else {
        Table::Text
    };
    Class {
        table,
        is_of_tex: starts(&["cm", "lmmath", "lmmi", "lmsy", "lmex", "msbm", "euf", "eur", "eus"])
            || table == Table::Symbol
            || starts(&DRAWING)
            || is_european(&name),
        bold: ["bold", "-demi", "-medi", "black", "heavy"].iter().any(|word| name.contains(word))
            || starts(&BOLD),
        italic: ["ital", "obli", "slanted"].iter().any(|word| name.contains(word))
            || starts(&ITALIC),
        small_caps: name.contains("csc") || starts(&["eccc", "ecxc", "sfcc"]),
    }
}

/// Fonts to draw with: they have no letters.
const DRAWING: [&str; 9] =
    ["line", "lcircle", "circle", "xy", "msam", "lasy", "wasy", "stmary", "manfnt"];

/// How bold fonts of TeX begin; its names tell the shape in two letters.
const BOLD: [&str; 16] = [
    "cmb", "cmssbx", "cmssdc", "ecbx", "ecbi", "ecbl", "ecrb", "ecsx", "ecxc", "dcbx", "sfbx",
    "sfbi", "sfrb", "sfsx", "eufb", "eurb",
];

/// The same for italic and slanted ones.
const ITALIC: [&str; 17] = [
    "cmti", "cmsl", "cmbxti", "cmbxsl", "cmitt", "cmssi", "cmmi", "ecti", "ecsl", "ecbi", "ecbl",
    "ecsi", "ecit", "sfti", "sfsl", "dcti", "dcsl",
];

/// The European fonts (EC, their forerunners DC, and the Type 1 versions of both) are named by two
/// letters for the family, two for the shape and the size.
fn is_european(name: &str) -> bool {
    let Some(rest) = ["ec", "dc", "sf", "tc"].iter().find_map(|family| name.strip_prefix(family))
    else {
        return false;
    };
    let digits = rest.trim_start_matches(|shape: char| shape.is_ascii_lowercase());
    let shape = rest.len() - digits.len();
    (1..=4).contains(&shape)
        && !digits.is_empty()
        && digits.bytes().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_table_and_style() {
        #[rustfmt::skip]
        let cases = [
            // name            table                bold   italic small capitals
            ("cmr10",          Table::Text,         false, false, false),
            ("CMBX12",         Table::Text,         true,  false, false),
            ("cmti10",         Table::Text,         false, true,  false),
            ("cmtt8",          Table::Typewriter,   false, false, false),
            ("cmcsc10",        Table::SmallCaps,    false, false, true),
            ("CMMI7",          Table::MathLetters,  false, true,  false),
            ("cmsy10",         Table::MathSigns,    false, false, false),
            ("ecrm1000",       Table::Cork,         false, false, false),
            ("SFBX1440",       Table::Cork,         true,  false, false),
            ("tcrm1000",       Table::Companion,    false, false, false),
            ("eccc1095",       Table::Cork,         false, false, true),
            ("LMRoman10-Bold", Table::Text,         true,  false, false),
            ("Times-Bold",     Table::Text,         true,  false, false),
            ("Times-Italic",   Table::Text,         false, true,  false),
        ];
        for (name, table, bold, italic, small_caps) in cases {
            let class = class(name.as_bytes());
            let found = (class.table, class.bold, class.italic, class.small_caps);
            assert_eq!(found, (table, bold, italic, small_caps), "{name}");
        }
    }

    #[test]
    fn a_font_of_two_encodings_goes_by_its_vector() {
        let names = "/.notdef ".repeat(255);
        let source = format!("/TS1Encoding [ {names} /x ] def /T1Encoding [ {names} /x ] def");
        let vectors = Vectors::read(source.as_bytes());
        for (vector, expected) in [("TS1Encoding", '·'), ("T1Encoding", 'ů')] {
            let definition = format!("/Fc 72[21 183[{{ {vector} ReEncodeFont }}1 74.7 /SFRM0900");
            let stack: Vec<Token<'_>> = Tokens::new(definition.as_bytes()).collect();
            let (_, font) = postscript_font(&stack, &vectors, 600.0).unwrap();
            assert_eq!(font.glyph(183), Glyph::Character(expected), "{vector}");
        }
    }

    #[test]
    fn widths_are_unpacked_from_the_end() {
        let packed: Vec<Token<'_>> = Tokens::new(b"215[88 33 39[").collect();
        let widths = widths(&packed);
        assert_eq!((widths[39], widths[40], widths[41]), (33.0, 88.0, 0.0));
    }
}
