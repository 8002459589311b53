//! The names and codes of the glyphs of a CFF font program (Adobe Technical Note 5176).
//!
//! Read are the top dictionary, the strings, the charset (the name of each glyph) and the encoding
//! (the glyph of each code). Fonts whose glyphs have numbers instead of names say nothing here.

use std::collections::HashMap;

use super::big_endian::{sized_at, u8_at, u16_at};
use super::encodings::Encoding;
use crate::glyph_names;

/// Glyphs of one program that are looked at: all that the format can have.
const MAX_GLYPHS: usize = 65_536;

/// A font program with named glyphs.
#[derive(Debug)]
pub(super) struct Cff {
    /// By number of the glyph.
    names: Vec<String>,
    codes: Codes,
}

#[derive(Debug)]
enum Codes {
    Standard,
    /// Code and number of the glyph.
    Listed(Vec<(u8, usize)>),
}

impl Cff {
    /// `None` where the glyphs have no names, or the program cannot be read.
    pub(super) fn read(program: &[u8]) -> Option<Cff> {
        let mut at = usize::from(u8_at(program, 2)?);
        let _names = index(program, &mut at)?;
        let tops = index(program, &mut at)?;
        let strings = index(program, &mut at)?;
        let top = Top::read(tops.first()?);
        if top.has_numbers {
            return None;
        }
        let mut glyphs_at = top.glyphs?;
        let glyph_count = index_length(program, &mut glyphs_at)?.min(MAX_GLYPHS);
        let names = names(program, top.charset, glyph_count, &strings);
        let codes = match top.encoding {
            0 | 1 => Codes::Standard,
            at => Codes::Listed(codes(program, at).unwrap_or_default()),
        };
        Some(Cff { names, codes })
    }

    /// The texts of the 256 codes.
    pub(super) fn encoding(&self) -> Vec<Option<String>> {
        match &self.codes {
            Codes::Standard => (0..=255_u8)
                .map(|code| Encoding::Standard.character(code).map(String::from))
                .collect(),
            Codes::Listed(codes) => {
                let mut texts = vec![None; 256];
                for &(code, glyph) in codes {
                    let name = self.names.get(glyph);
                    texts[usize::from(code)] = name.and_then(|name| glyph_names::text_of(name));
                }
                texts
            }
        }
    }

    /// The texts of the glyphs by number.
    pub(super) fn glyph_texts(&self) -> HashMap<u32, String> {
        let numbered = (0_u32..).zip(&self.names);
        numbered.filter_map(|(number, name)| Some((number, glyph_names::text_of(name)?))).collect()
    }
}

/// A list of byte strings.
fn index<'a>(program: &'a [u8], at: &mut usize) -> Option<Vec<&'a [u8]>> {
    let count = usize::from(u16_at(program, *at)?);
    if count == 0 {
        *at += 2;
        return Some(Vec::new());
    }
    let size = usize::from(u8_at(program, *at + 2)?);
    let offsets = *at + 3;
    let data = offsets + (count + 1) * size - 1;
    let mut items = Vec::new();
    let mut end = 0;
    for number in 0..count {
        let from = sized_at(program, offsets + number * size, size)?;
        end = sized_at(program, offsets + (number + 1) * size, size)?;
        items.push(program.get(data.checked_add(from)?..data.checked_add(end)?)?);
    }
    *at = data + end;
    Some(items)
}

fn index_length(program: &[u8], at: &mut usize) -> Option<usize> {
    u16_at(program, *at).map(usize::from)
}

#[derive(Debug, Default)]
struct Top {
    charset: usize,
    encoding: usize,
    glyphs: Option<usize>,
    has_numbers: bool,
}

impl Top {
    fn read(dict: &[u8]) -> Top {
        let mut top = Top::default();
        let mut operand = 0_i64;
        let mut at = 0;
        while let Some(&byte) = dict.get(at) {
            at += 1;
            let place = usize::try_from(operand).unwrap_or_default();
            match byte {
                12 => {
                    top.has_numbers |= dict.get(at) == Some(&30);
                    at += 1;
                }
                15 => top.charset = place,
                16 => top.encoding = place,
                17 => top.glyphs = Some(place),
                28 => {
                    operand = u16_at(dict, at).map_or(0, |value| i64::from(value.cast_signed()));
                    at += 2;
                }
                29 => {
                    operand = sized_at(dict, at, 4).map_or(0, |value| value as i64);
                    at += 4;
                }
                30 => {
                    // A real number ends with a half byte of 15.
                    while dict.get(at).is_some_and(|&pair| pair & 15 != 15 && pair >> 4 != 15) {
                        at += 1;
                    }
                    at += 1;
                }
                32..=246 => operand = i64::from(byte) - 139,
                247..=250 => {
                    operand = (i64::from(byte) - 247) * 256
                        + i64::from(u8_at(dict, at).unwrap_or(0))
                        + 108;
                    at += 1;
                }
                251..=254 => {
                    operand = -(i64::from(byte) - 251) * 256
                        - i64::from(u8_at(dict, at).unwrap_or(0))
                        - 108;
                    at += 1;
                }
                _ => {}
            }
        }
        top
    }
}

fn names(program: &[u8], charset: usize, count: usize, strings: &[&[u8]]) -> Vec<String> {
    let mut names = vec![".notdef".to_owned()];
    let mut add = |number: usize| {
        names.push(match number.checked_sub(STANDARD_STRINGS) {
            Some(own) => strings
                .get(own)
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .unwrap_or_default(),
            None => standard_string(number).to_owned(),
        });
        names.len() < count
    };
    if charset <= 2 {
        // Predefined: the first 228 of the standard strings, or the rare expert sets.
        let _ = (1..count.min(229)).all(add);
        return names;
    }
    let format = u8_at(program, charset);
    let mut at = charset + 1;
    match format {
        Some(0) => {
            while let Some(number) = u16_at(program, at)
                && add(usize::from(number))
            {
                at += 2;
            }
        }
        Some(format @ (1 | 2)) => {
            let size = usize::from(format);
            while let (Some(first), Some(more)) =
                (u16_at(program, at), sized_at(program, at + 2, size))
            {
                let first = usize::from(first);
                if !(first..=first + more).all(&mut add) {
                    break;
                }
                at += 2 + size;
            }
        }
        _ => {}
    }
    names
}

fn codes(program: &[u8], at: usize) -> Option<Vec<(u8, usize)>> {
    let format = u8_at(program, at)? & 0x7f;
    let count = usize::from(u8_at(program, at + 1)?);
    let mut codes = Vec::new();
    let mut glyph = 1;
    for number in 0..count {
        if format == 0 {
            codes.push((u8_at(program, at + 2 + number)?, glyph));
            glyph += 1;
        } else {
            let first = u8_at(program, at + 2 + 2 * number)?;
            let more = u8_at(program, at + 3 + 2 * number)?;
            for code in first..=first.saturating_add(more) {
                codes.push((code, glyph));
                glyph += 1;
            }
        }
    }
    Some(codes)
}

/// How many strings every font has without listing them.
const STANDARD_STRINGS: usize = 391;

/// The first 275 of them; what follows are small capitals with accents and names of weights.
fn standard_string(number: usize) -> &'static str {
    use std::sync::LazyLock;
    static NAMES: LazyLock<Vec<&str>> =
        LazyLock::new(|| STANDARD_NAMES.split_whitespace().collect());
    match number {
        // Small capitals follow in the order of the alphabet.
        274..=299 => &SMALL_CAPITALS[number - 274..=number - 274],
        _ => NAMES.get(number).copied().unwrap_or_default(),
    }
}

const SMALL_CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const STANDARD_NAMES: &str = "
.notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright
asterisk plus comma hyphen period slash zero one two three four five six seven eight nine colon
semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
bracketleft backslash bracketright asciicircum underscore quoteleft a b c d e f g h i j k l m n o p
q r s t u v w x y z braceleft bar braceright asciitilde exclamdown cent sterling fraction yen florin
section currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl endash
dagger daggerdbl periodcentered paragraph bullet quotesinglbase quotedblbase quotedblright
guillemotright ellipsis perthousand questiondown grave acute circumflex tilde macron breve dotaccent
dieresis ring cedilla hungarumlaut ogonek caron emdash AE ordfeminine Lslash Oslash OE ordmasculine
ae dotlessi lslash oslash oe germandbls onesuperior logicalnot mu trademark Eth onehalf plusminus
Thorn onequarter divide brokenbar degree thorn threequarters twosuperior registered minus eth
multiply threesuperior copyright Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute
Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis Igrave Ntilde Oacute Ocircumflex Odieresis
Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron aacute acircumflex
adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute icircumflex
idieresis igrave ntilde oacute ocircumflex odieresis ograve otilde scaron uacute ucircumflex
udieresis ugrave yacute ydieresis zcaron exclamsmall Hungarumlautsmall dollaroldstyle dollarsuperior
ampersandsmall Acutesmall parenleftsuperior parenrightsuperior twodotenleader onedotenleader
zerooldstyle oneoldstyle twooldstyle threeoldstyle fouroldstyle fiveoldstyle sixoldstyle
sevenoldstyle eightoldstyle nineoldstyle commasuperior threequartersemdash periodsuperior
questionsmall asuperior bsuperior centsuperior dsuperior esuperior isuperior lsuperior msuperior
nsuperior osuperior rsuperior ssuperior tsuperior ff ffi ffl parenleftinferior parenrightinferior
Circumflexsmall hyphensuperior Gravesmall
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_strings() {
        #[rustfmt::skip]
        let cases = [
            (1, "space"), (34, "A"), (66, "a"), (96, "exclamdown"), (149, "germandbls"), (228, "zcaron"),
            (239, "zerooldstyle"), (266, "ff"), (273, "Gravesmall"), (274, "A"), (299, "Z"), (390, ""),
        ];
        for (number, expected) in cases {
            assert_eq!(standard_string(number), expected, "{number}");
        }
    }

    /// A program of three glyphs: .notdef, `a` and one named `adieresis`, coded 1 and 2.
    fn program() -> Vec<u8> {
        let mut program = vec![1, 0, 4, 1];
        program.extend([0, 1, 1, 1, 2, b'F']);
        // charset at 38, encoding at 43, glyphs at 47
        let top = [139 + 38, 15, 139 + 43, 16, 139 + 47, 17];
        program.extend([0, 1, 1, 1, 7]);
        program.extend(top);
        program.extend([0, 1, 1, 1, 10]);
        program.extend(b"adieresis");
        program.extend([0, 0]);
        assert_eq!(program.len(), 37);
        program.push(0);
        program.extend([0, 0, 66, 1, 135]);
        program.extend([0, 2, 1, 2]);
        program.extend([0, 3, 1, 1, 2, 3, 4, 14, 14, 14]);
        program
    }

    #[test]
    fn names_and_codes() {
        let cff = Cff::read(&program()).expect("a whole program");
        assert_eq!(cff.names, [".notdef", "a", "adieresis"]);
        let encoding = cff.encoding();
        assert_eq!(encoding[1].as_deref(), Some("a"));
        assert_eq!(encoding[2].as_deref(), Some("ä"));
        assert_eq!(cff.glyph_texts().get(&2).map(String::as_str), Some("ä"));
    }

    #[test]
    fn cut_anywhere() {
        let whole = program();
        for end in 0..whole.len() {
            let _ = Cff::read(&whole[..end]).map(|cff| cff.encoding());
        }
    }
}
