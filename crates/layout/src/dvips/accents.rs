//! Accents and the letters under them.
//!
//! In TeX's own encoding an umlaut is two glyphs, an accent and a letter at the same place. Which
//! letters there are with an accent, and so in Unicode as one character, is this table.

/// Each row: the accent as it combines, then pairs of a letter and the same with the accent.
#[rustfmt::skip]
const COMPOSED: [(char, &str); 15] = [
    ('\u{300}', "aàeèiìoòuùAÀEÈIÌOÒUÙnǹNǸ"),
    ('\u{301}', "aáeéiíoóuúyýAÁEÉIÍOÓUÚYÝcćCĆlĺLĹnńNŃrŕRŔsśSŚzźZŹgǵGǴ"),
    ('\u{302}', "aâeêiîoôuûAÂEÊIÎOÔUÛcĉCĈgĝGĜhĥHĤjĵJĴsŝSŜwŵWŴyŷYŶ"),
    ('\u{303}', "aãnñoõAÃNÑOÕiĩIĨuũUŨ"),
    ('\u{304}', "aāeēiīoōuūAĀEĒIĪOŌUŪ"),
    ('\u{306}', "aăgğAĂGĞeĕEĔiĭIĬoŏOŎuŭUŬ"),
    ('\u{307}', "eėEĖzżZŻcċCĊgġGĠIİ"),
    ('\u{308}', "aäeëiïoöuüyÿAÄEËIÏOÖUÜYŸ"),
    ('\u{30A}', "aåuůAÅUŮ"),
    ('\u{30B}', "oőuűOŐUŰ"),
    ('\u{30C}', "cčsšzžrřeěnňdďtťgǧCČSŠZŽRŘEĚNŇDĎTŤGǦ"),
    ('\u{327}', "cçsşCÇSŞtţTŢ"),
    ('\u{328}', "aąeęAĄEĘiįIĮuųUŲ"),
    ('\u{20DD}', "c©C©r®R®"),
    ('\u{338}', "lłLŁoøOØ=≠∈∉≡≢⊂⊄"),
];

/// The letter with its accent; a dotless i gets its dot's place taken.
pub(super) fn compose(letter: char, accent: char) -> Option<char> {
    let letter = match letter {
        'ı' => 'i',
        'ȷ' => 'j',
        other => other,
    };
    let (_, pairs) = COMPOSED.iter().find(|(combining, _)| *combining == accent)?;
    let mut characters = pairs.chars();
    while let (Some(plain), Some(composed)) = (characters.next(), characters.next()) {
        if plain == letter {
            return Some(composed);
        }
    }
    None
}

/// The accent when it stands by itself, as in a programming language.
pub(super) fn standing(accent: char) -> &'static str {
    match accent {
        '\u{300}' => "`",
        '\u{301}' => "´",
        '\u{302}' => "^",
        '\u{303}' => "~",
        '\u{304}' => "¯",
        '\u{306}' => "˘",
        '\u{307}' => "˙",
        '\u{308}' => "¨",
        '\u{30A}' => "˚",
        '\u{30B}' => "˝",
        '\u{30C}' => "ˇ",
        '\u{327}' => "¸",
        '\u{328}' => "˛",
        '\u{338}' => "/",
        '\u{20DD}' => "○",
        _ => "",
    }
}

/// The combining accent of a PostScript glyph name.
pub(super) fn named(name: &str) -> Option<char> {
    Some(match name {
        "grave" => '\u{300}',
        "acute" => '\u{301}',
        "circumflex" => '\u{302}',
        "tilde" => '\u{303}',
        "macron" => '\u{304}',
        "breve" => '\u{306}',
        "dotaccent" => '\u{307}',
        "dieresis" => '\u{308}',
        "ring" => '\u{30A}',
        "hungarumlaut" => '\u{30B}',
        "caron" => '\u{30C}',
        "cedilla" => '\u{327}',
        "ogonek" => '\u{328}',
        "suppress" => '\u{338}',
        _ => return None,
    })
}
