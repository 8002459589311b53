//! Which character a code means in the fonts of TeX.
//!
//! The tables are those of Knuth's fonts: text (OT1) and its variants for typewriter and small
//! capitals, letters of mathematics (OML), its signs (OMS) and large signs; and the European text
//! encoding of Cork (T1) with its companion (TS1). Fonts of PostScript say by names what they hold; see [`super::vectors`].

use super::accents;

/// What a code of a font prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Glyph {
    #[default]
    Nothing,
    Character(char),
    /// Several letters cast as one.
    Ligature(&'static str),
    /// As it combines, to be put over a letter.
    Accent(char),
}

/// The tables that a font of TeX may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    Text,
    Typewriter,
    SmallCaps,
    Cork,
    /// The signs that go with Cork: currencies, copyright.
    Companion,
    MathLetters,
    MathSigns,
    LargeSigns,
    /// PostScript's own font of Greek and signs.
    Symbol,
    /// Symbols of which no letter is one: arrow heads, line segments.
    Unreadable,
}

impl Table {
    /// In the order of their numbers.
    pub(super) const ALL: [Table; 10] = [
        Table::Text,
        Table::Typewriter,
        Table::SmallCaps,
        Table::Cork,
        Table::Companion,
        Table::MathLetters,
        Table::MathSigns,
        Table::LargeSigns,
        Table::Symbol,
        Table::Unreadable,
    ];

    /// What the code means.
    pub(super) fn glyph(self, code: u8) -> Glyph {
        match self {
            Table::Cork => cork(code),
            Table::Companion => companion(code),
            Table::Symbol => symbol(code),
            Table::Unreadable => Glyph::Nothing,
            Table::LargeSigns => large_sign(code),
            _ => match (self, back_to_seven_bits(code)) {
                (_, code @ 128..) => latin_1(code),
                (Table::Text, code) => text(code),
                (Table::Typewriter, code) => typewriter(code),
                (Table::SmallCaps, code) => small_caps(code),
                (Table::MathLetters, code) => character_at(MATH_LETTERS, code),
                (_, code) => math_sign(code),
            },
        }
    }
}

/// Type 1 versions of Knuth's fonts have their lowest codes twice, since some printers lose them,
/// and dvips can be told to use the other ones.
pub(super) fn back_to_seven_bits(code: u8) -> u8 {
    match code {
        161..=170 => code - 161,
        173..=195 => code - 163,
        196 => 127,
        _ => code,
    }
}

const GREEK_CAPITALS: &str = "ΓΔΘΛΞΠΣΥΦΨΩ";

const MATH_LETTERS: &str = concat!(
    "ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυϕχψωεϑϖϱςφ↼↽⇀⇁↩↪▷◁",
    "0123456789.,</>⋆∂ABCDEFGHIJKLMNOPQRSTUVWXYZ♭♮♯⌣⌢",
    "ℓabcdefghijklmnopqrstuvwxyzıȷ℘"
);

const MATH_SIGNS: &str = concat!(
    "−·×∗÷⋄±∓⊕⊖⊗⊘⊙○◦•≍≡⊆⊇≤≥≼≽∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝",
    "′∞∈∋△▽/↦∀∃¬∅ℜℑ⊤⊥ℵABCDEFGHIJKLMNOPQRSTUVWXYZ∪∩⊎∧∨",
    "⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√∐∇∫⊔⊓⊑⊒§†‡¶♣♢♡♠"
);

const CORK_HIGH: &str = concat!(
    "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£",
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖŒØÙÚÛÜÝÞẞàáâãäåæçèéêëìíîïðñòóôõöœøùúûüýþß"
);

fn character_at(table: &str, place: u8) -> Glyph {
    table.chars().nth(usize::from(place)).map_or(Glyph::Nothing, Glyph::Character)
}

fn text(code: u8) -> Glyph {
    match code {
        0..=10 => character_at(GREEK_CAPITALS, code),
        11..=15 => Glyph::Ligature(["ff", "fi", "fl", "ffi", "ffl"][usize::from(code) - 11]),
        60 => Glyph::Character('¡'),
        62 => Glyph::Character('¿'),
        34 => Glyph::Character('”'),
        92 => Glyph::Character('“'),
        95 => Glyph::Accent('\u{307}'),
        123 => Glyph::Character('–'),
        124 => Glyph::Character('—'),
        125 => Glyph::Accent('\u{30B}'),
        _ => text_like(code),
    }
}

/// What text, typewriter and small capitals have in common.
fn text_like(code: u8) -> Glyph {
    match code {
        0..=10 => character_at(GREEK_CAPITALS, code),
        16 => Glyph::Character('ı'),
        17 => Glyph::Character('ȷ'),
        18..=24 => {
            accent_of(code, ["grave", "acute", "caron", "breve", "macron", "ring", "cedilla"])
        }
        25..=31 => character_at("ßæœøÆŒØ", code - 25),
        32 => Glyph::Accent('\u{338}'),
        39 => Glyph::Character('’'),
        94 => Glyph::Accent('\u{302}'),
        96 => Glyph::Character('‘'),
        126 => Glyph::Accent('\u{303}'),
        127 => Glyph::Accent('\u{308}'),
        33..=126 => Glyph::Character(char::from(code)),
        _ => Glyph::Nothing,
    }
}

fn accent_of(code: u8, names: [&str; 7]) -> Glyph {
    let name = names.get(usize::from(code) - 18);
    name.and_then(|name| accents::named(name)).map_or(Glyph::Nothing, Glyph::Accent)
}

fn typewriter(code: u8) -> Glyph {
    match code {
        11..=15 => character_at("↑↓'¡¿", code - 11),
        32 => Glyph::Character('␣'),
        _ => text_like(code),
    }
}

fn small_caps(code: u8) -> Glyph {
    match code {
        11..=15 => character_at("↑↓'¡¿", code - 11),
        60 | 62 => text_like(code),
        _ => text(code),
    }
}

fn cork(code: u8) -> Glyph {
    match code {
        0..=12 => {
            let names = [
                "grave",
                "acute",
                "circumflex",
                "tilde",
                "dieresis",
                "hungarumlaut",
                "ring",
                "caron",
                "breve",
                "macron",
                "dotaccent",
                "cedilla",
                "ogonek",
            ];
            accents::named(names[usize::from(code)]).map_or(Glyph::Nothing, Glyph::Accent)
        }
        13..=22 => character_at("‚‹›“”„«»–—", code - 13),
        25 => Glyph::Character('ı'),
        26 => Glyph::Character('ȷ'),
        27..=31 => Glyph::Ligature(["ff", "fi", "fl", "ffi", "ffl"][usize::from(code) - 27]),
        32 => Glyph::Character('␣'),
        39 => Glyph::Character('’'),
        96 => Glyph::Character('‘'),
        127 => Glyph::Character('-'),
        33..=126 => Glyph::Character(char::from(code)),
        128.. => character_at(CORK_HIGH, code - 128),
        _ => Glyph::Nothing,
    }
}

fn companion(code: u8) -> Glyph {
    match code {
        0..=12 => cork(code),
        42 => Glyph::Character('*'),
        48..=57 => Glyph::Character(char::from(code)),
        132 => Glyph::Character('†'),
        133 => Glyph::Character('‡'),
        134 => Glyph::Character('‖'),
        135 => Glyph::Character('‰'),
        136 => Glyph::Character('•'),
        151 => Glyph::Character('™'),
        191 => Glyph::Character('€'),
        214 => Glyph::Character('×'),
        246 => Glyph::Character('÷'),
        162..=190 => Glyph::Character(char::from(code)),
        _ => Glyph::Nothing,
    }
}

fn math_sign(code: u8) -> Glyph {
    match code {
        // A circle around a letter, and a stroke through a relation.
        13 => Glyph::Accent('\u{20DD}'),
        54 => Glyph::Accent('\u{338}'),
        _ => character_at(MATH_SIGNS, code),
    }
}

fn large_sign(code: u8) -> Glyph {
    match code {
        0 | 16 | 18 | 32 => Glyph::Character('('),
        1 | 17 | 19 | 33 => Glyph::Character(')'),
        2 | 20 | 34 | 104 => Glyph::Character('['),
        3 | 21 | 35 | 105 => Glyph::Character(']'),
        8 | 26 | 40 | 110 => Glyph::Character('{'),
        9 | 27 | 41 | 111 => Glyph::Character('}'),
        10 | 28 | 42 | 68 | 173 => Glyph::Character('⟨'),
        11 | 29 | 43 | 69 | 174 => Glyph::Character('⟩'),
        80 | 88 => Glyph::Character('∑'),
        81 | 89 => Glyph::Character('∏'),
        82 | 90 => Glyph::Character('∫'),
        83 | 91 => Glyph::Character('⋃'),
        84 | 92 => Glyph::Character('⋂'),
        86 | 94 => Glyph::Character('⋀'),
        87 | 95 => Glyph::Character('⋁'),
        96 | 97 => Glyph::Character('∐'),
        112..=116 => Glyph::Character('√'),
        _ => Glyph::Nothing,
    }
}

fn symbol(code: u8) -> Glyph {
    match code {
        65..=90 => character_at("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", code - 65),
        97..=122 => character_at("αβχδεφγηιϕκλμνοπθρστυϖωξψζ", code - 97),
        34 => Glyph::Character('∀'),
        36 => Glyph::Character('∃'),
        39 => Glyph::Character('∋'),
        42 => Glyph::Character('∗'),
        45 => Glyph::Character('−'),
        64 => Glyph::Character('≅'),
        92 => Glyph::Character('∴'),
        94 => Glyph::Character('⊥'),
        126 => Glyph::Character('∼'),
        33..=125 => Glyph::Character(char::from(code)),
        162..=165 => character_at("′≤⁄∞", code - 162),
        171..=186 => character_at("↔←↑→↓°±″≥×∝∂•÷≠≡", code - 171),
        187 => Glyph::Character('≈'),
        196..=208 => character_at("⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠", code - 196),
        209 => Glyph::Character('∇'),
        213 => Glyph::Character('∏'),
        214 => Glyph::Character('√'),
        217..=222 => character_at("∧∨⇔⇐⇑⇒", code - 217),
        229 => Glyph::Character('∑'),
        242 => Glyph::Character('∫'),
        _ => Glyph::Nothing,
    }
}

/// Codes above 160 in fonts that should have none: most often Latin 1.
fn latin_1(code: u8) -> Glyph {
    if code > 160 { Glyph::Character(char::from(code)) } else { Glyph::Nothing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_complete() {
        assert_eq!(MATH_LETTERS.chars().count(), 126);
        assert_eq!(MATH_SIGNS.chars().count(), 128);
        assert_eq!(CORK_HIGH.chars().count(), 128);
    }

    #[test]
    fn codes_as_the_fonts_have_them() {
        use Glyph::{Accent, Character, Ligature};
        #[rustfmt::skip]
        let cases = [
            (Table::Text,        12,  Ligature("fi")),
            (Table::Text,        25,  Character('ß')),
            (Table::Text,        127, Accent('\u{308}')),
            (Table::Text,        175, Ligature("fi")),
            (Table::Text,        123, Character('–')),
            (Table::Typewriter,  123, Character('{')),
            (Table::Typewriter,  13,  Character('\'')),
            (Table::Typewriter,  95,  Character('_')),
            (Table::SmallCaps,   60,  Character('<')),
            (Table::Cork,        28,  Ligature("fi")),
            (Table::Cork,        228, Character('ä')),
            (Table::Cork,        255, Character('ß')),
            (Table::Companion,   169, Character('©')),
            (Table::MathLetters, 11,  Character('α')),
            (Table::MathLetters, 97,  Character('a')),
            (Table::MathSigns,   50,  Character('∈')),
            (Table::MathSigns,   65,  Character('A')),
            (Table::Symbol,      119, Character('ω')),
            (Table::Symbol,      186, Character('≡')),
            (Table::Symbol,      206, Character('∈')),
        ];
        for (table, code, expected) in cases {
            assert_eq!(table.glyph(code), expected, "{table:?} {code}");
        }
    }
}
