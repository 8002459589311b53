//! Code pages by their numbers, as RTF, Word and OLE properties name them.

use encoding_rs::{Encoding, MACINTOSH, UTF_8, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// The code page of texts that name none.
pub(crate) const WESTERN: u16 = 1252;

/// The upper halves of the code pages of DOS, which the web never had.
const DOS_437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
const DOS_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

/// Bytes as text; an unknown code page is taken for Western European.
pub(crate) fn decode_page(page: u16, bytes: &[u8]) -> Cow<'_, str> {
    let encoding = match page {
        437 => return upper_half(bytes, DOS_437).into(),
        850 | 858 => return upper_half(bytes, DOS_850).into(),
        _ => encoding(page),
    };
    encoding.decode_without_bom_handling(bytes).0
}

fn encoding(page: u16) -> &'static Encoding {
    let label = match page {
        1200 => return UTF_16LE,
        65001 => return UTF_8,
        10000 => return MACINTOSH,
        10007 => "x-mac-cyrillic".to_owned(),
        874 | 1250..=1258 => format!("windows-{page}"),
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        20866 => "koi8-r".to_owned(),
        28591..=28606 => format!("iso-8859-{}", page - 28590),
        _ => return WINDOWS_1252,
    };
    Encoding::for_label(label.as_bytes()).unwrap_or(WINDOWS_1252)
}

fn upper_half(bytes: &[u8], upper: &str) -> String {
    let upper: Vec<char> = upper.chars().collect();
    let character = |byte: &u8| match byte {
        0..=127 => char::from(*byte),
        _ => upper.get(usize::from(*byte) - 128).copied().unwrap_or('\u{FFFD}'),
    };
    bytes.iter().map(character).collect()
}

/// The tag of a language by Windows' number for it, for the languages met here.
pub(crate) fn language_tag(number: u16) -> Option<&'static str> {
    Some(match number {
        1027 => "ca-ES",
        1029 => "cs-CZ",
        1030 => "da-DK",
        1031 => "de-DE",
        1033 => "en-US",
        1034 | 3082 => "es-ES",
        1035 => "fi-FI",
        1036 => "fr-FR",
        1038 => "hu-HU",
        1040 => "it-IT",
        1043 => "nl-NL",
        1045 => "pl-PL",
        1046 => "pt-BR",
        1049 => "ru-RU",
        1053 => "sv-SE",
        2055 => "de-CH",
        2057 => "en-GB",
        2070 => "pt-PT",
        3079 => "de-AT",
        4108 => "fr-CH",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_by_number() {
        #[rustfmt::skip]
        let cases: [(u16, &[u8], &str); 6] = [
            (1252,  b"M\xfcller",             "Müller"),
            (850,   b"M\x81ller \xe1",        "Müller ß"),
            (437,   b"\x8eu\xe1ere",          "Äußere"),
            (10000, b"\x9fber",               "über"),
            (1250,  b"\xd8",                  "Ř"),
            (4,     b"\x84",                  "„"),
        ];
        for (page, bytes, text) in cases {
            assert_eq!(decode_page(page, bytes), text, "{page}");
        }
        assert_eq!(DOS_437.chars().count(), 128);
        assert_eq!(DOS_850.chars().count(), 128);
    }
}
