//! The encodings a PDF may name: what the bytes of a simple font mean if nothing else is said.

/// An encoding by name (PDF 32000-1, annex D).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Standard,
    WinAnsi,
    MacRoman,
    /// Of text strings outside of pages, such as the title.
    PdfDoc,
    /// The built-in one of the font Symbol.
    Symbol,
    /// That of TeX's first fonts for text (OT1). Converters of bitmap fonts keep their codes, but
    /// not their names. Its two Spanish signs are left to the relations of formulas, which stand at
    /// the same codes in TeX's fonts for mathematics.
    Tex,
}

impl Encoding {
    pub(super) fn named(name: &[u8]) -> Option<Encoding> {
        Some(match name {
            b"WinAnsiEncoding" => Encoding::WinAnsi,
            b"MacRomanEncoding" => Encoding::MacRoman,
            b"StandardEncoding" => Encoding::Standard,
            b"PDFDocEncoding" => Encoding::PdfDoc,
            _ => return None,
        })
    }

    /// What a byte means, if it means something.
    pub(super) fn character(self, byte: u8) -> Option<char> {
        match self {
            Encoding::Standard => match byte {
                b'\'' => Some('’'),
                b'`' => Some('‘'),
                b' '..=b'~' => Some(char::from(byte)),
                0xa0.. => upper(STANDARD, byte, 0xa0),
                _ => None,
            },
            Encoding::WinAnsi => match byte {
                b' '..=b'~' | 0xa0.. => Some(char::from(byte)),
                0x7f => Some('•'),
                0x80..0xa0 => upper(WINDOWS, byte, 0x80),
                _ => None,
            },
            Encoding::MacRoman => match byte {
                b' '..=b'~' => Some(char::from(byte)),
                0x80.. => upper(MACINTOSH, byte, 0x80),
                _ => None,
            },
            Encoding::PdfDoc => match byte {
                b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0xa1.. => Some(char::from(byte)),
                0x18..0x20 => upper("˘ˇˆ˙˝˛˚˜", byte, 0x18),
                0x80..=0xa0 => upper(PDF_DOC, byte, 0x80),
                _ => None,
            },
            Encoding::Tex => match byte {
                0..=0x1f => upper(TEX_LOWER, byte, 0),
                b'"' => Some('”'),
                b'\'' => Some('’'),
                b'\\' => Some('“'),
                b'^' => Some('ˆ'),
                b'_' => Some('˙'),
                b'`' => Some('‘'),
                b'!'..=b'z' => Some(char::from(byte)),
                b'{'..0x80 => upper("–—˝˜¨", byte, b'{'),
                _ => None,
            },
            Encoding::Symbol => match byte {
                b' '..=b'~' => upper(SYMBOL_LOWER, byte, 0x20),
                0xa0.. => upper(SYMBOL_UPPER, byte, 0xa0),
                _ => None,
            },
        }
    }
}

/// Places without a character are blanks in the tables.
fn upper(table: &str, byte: u8, first: u8) -> Option<char> {
    let found = table.chars().nth(usize::from(byte - first))?;
    (found != ' ' || byte == b' ').then_some(found)
}

/// A text string outside of pages: UTF-16 or UTF-8 with a mark, otherwise PDFDocEncoding.
pub(super) fn text_string(bytes: &[u8]) -> String {
    let utf_16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes {
        [0xfe, 0xff, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        // Writers that do not know PDFDocEncoding write UTF-8; valid UTF-8 is hardly ever chance.
        _ => match std::str::from_utf8(bytes) {
            Ok(text) if !text.is_ascii() => text.to_owned(),
            _ => bytes.iter().filter_map(|&byte| Encoding::PdfDoc.character(byte)).collect(),
        },
    }
}

const TEX_LOWER: &str = "ΓΔΘΛΞΠΣΥΦΨΩﬀﬁﬂﬃﬄıȷ`´ˇ˘¯˚¸ßæœøÆŒØ";

const WINDOWS: &str = "€•‚ƒ„…†‡ˆ‰Š‹Œ•Ž••‘’“”•–—˜™š›œ•žŸ";

const PDF_DOC: &str = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž €";

const STANDARD: &str = concat!(
    " ¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ",
    " –†‡· ¶•‚„”»…‰ ¿",
    " `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ",
    "—               ",
    " Æ ª    ŁØŒº    ",
    " æ   ı  łøœß    ",
);

const MACINTOSH: &str = concat!(
    "ÄÅÇÉÑÖÜáàâäãåçéè",
    "êëíìîïñóòôöõúùûü",
    "†°¢£§•¶ß®©™´¨≠ÆØ",
    "∞±≤≥¥µ∂∑∏π∫ªºΩæø",
    "¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ",
    "–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ",
    "‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ",
    "\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
);

const SYMBOL_LOWER: &str = concat!(
    " !∀#∃%&∋()∗+,−./",
    "0123456789:;<=>?",
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟ",
    "ΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    "\u{203e}αβχδεφγηιϕκλμνο",
    "πθρστυϖωξψζ{|}∼",
);

const SYMBOL_UPPER: &str = concat!(
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓",
    "°±″≥×∝∂•÷≠≡≈…|—↵",
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉",
    "∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
    "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪",
    " 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭ ",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_whole() {
        for (table, length) in [
            (TEX_LOWER, 32),
            (WINDOWS, 32),
            (PDF_DOC, 33),
            (STANDARD, 96),
            (MACINTOSH, 128),
            (SYMBOL_LOWER, 95),
            (SYMBOL_UPPER, 96),
        ] {
            assert_eq!(table.chars().count(), length, "{table}");
        }
    }

    #[test]
    fn characters() {
        #[rustfmt::skip]
        let cases = [
            (Encoding::Standard, 0xfb, Some('ß')), (Encoding::Standard, b'`', Some('‘')),
            (Encoding::Standard, 0xe0, None),      (Encoding::WinAnsi,  0xe4, Some('ä')),
            (Encoding::WinAnsi,  0x84, Some('„')), (Encoding::MacRoman, 0x8a, Some('ä')),
            (Encoding::MacRoman, 0xde, Some('ﬁ')), (Encoding::PdfDoc,   0xa0, Some('€')),
            (Encoding::Symbol,   b'a', Some('α')), (Encoding::WinAnsi,  3,    None),
            (Encoding::Standard, 0xc8, Some('¨')), (Encoding::Standard, 0xcf, Some('ˇ')),
            (Encoding::Tex,      25,   Some('ß')), (Encoding::Tex,      127,  Some('¨')),
            (Encoding::Symbol,   b' ', Some(' ')), (Encoding::Standard, 0xd0, Some('—')),
        ];
        for (encoding, byte, expected) in cases {
            assert_eq!(encoding.character(byte), expected, "{encoding:?} {byte:#x}");
        }
    }

    #[test]
    fn text_strings() {
        assert_eq!(text_string(b"\xfe\xff\0G\0r\0\xfc\0n"), "Grün");
        assert_eq!(text_string(b"Gr\xfcn"), "Grün");
        assert_eq!(text_string("Grün".as_bytes()), "Grün");
        assert_eq!(text_string(b"\xef\xbb\xbfGr\xc3\xbcn"), "Grün");
    }
}
