//! Glyph names of PostScript fonts, as far as texts need them.
//!
//! Letters with accents are not listed: their names are made of the letter and the accent.

use super::accents;
use super::encodings::Glyph;

/// The character that a glyph name stands for.
pub(super) fn glyph(name: &str) -> Glyph {
    // A variant of a glyph: `one.oldstyle`, `a.sc`.
    let name = name.split_once('.').map_or(name, |(plain, _)| plain);
    let mut characters = name.chars();
    if let (Some(only), None) = (characters.next(), characters.next()) {
        return Glyph::Character(only);
    }
    if let Some(ligature) = LIGATURES.iter().find(|(known, _)| *known == name) {
        return Glyph::Ligature(ligature.1);
    }
    let listed = NAMES.binary_search_by(|(known, _)| known.cmp(&name));
    let found = listed.ok().map(|place| NAMES[place].1);
    found
        .or_else(|| accented(name))
        .or_else(|| by_number(name))
        .map_or(Glyph::Nothing, Glyph::Character)
}

/// `adieresis`, `Zcaron`.
fn accented(name: &str) -> Option<char> {
    let mut characters = name.chars();
    let letter = characters.next()?;
    accents::compose(letter, accents::named(characters.as_str())?)
}

/// `uni00E4`, `u1D44E`.
fn by_number(name: &str) -> Option<char> {
    let digits = name.strip_prefix("uni").or_else(|| name.strip_prefix('u'))?;
    let number = (4..=6).contains(&digits.len()).then(|| u32::from_str_radix(digits, 16).ok())?;
    char::from_u32(number?).filter(|character| !character.is_control())
}

const LIGATURES: [(&str, &str); 7] = [
    ("ff", "ff"),
    ("fi", "fi"),
    ("fl", "fl"),
    ("ffi", "ffi"),
    ("ffl", "ffl"),
    ("germandbls1", "ß"),
    ("SS", "SS"),
];

/// Sorted by name, in the order of bytes.
#[rustfmt::skip]
const NAMES: &[(&str, char)] = &[
    ("AE", 'Æ'), ("Alpha", 'Α'), ("Beta", 'Β'), ("Chi", 'Χ'), ("Dcroat", 'Đ'), ("Delta", 'Δ'), ("Eng", 'Ŋ'),
    ("Epsilon", 'Ε'), ("Eta", 'Η'), ("Eth", 'Ð'), ("Euro", '€'), ("Gamma", 'Γ'), ("IJ", 'Ĳ'),
    ("Ifraktur", 'ℑ'), ("Iota", 'Ι'), ("Kappa", 'Κ'), ("Lambda", 'Λ'), ("Lslash", 'Ł'), ("Mu", 'Μ'),
    ("Nu", 'Ν'), ("OE", 'Œ'), ("Omega", 'Ω'), ("Omicron", 'Ο'), ("Oslash", 'Ø'), ("Phi", 'Φ'), ("Pi", 'Π'),
    ("Psi", 'Ψ'), ("Rfraktur", 'ℜ'), ("Rho", 'Ρ'), ("Sigma", 'Σ'), ("Tau", 'Τ'), ("Theta", 'Θ'),
    ("Thorn", 'Þ'), ("Upsilon", 'Υ'), ("Upsilon1", 'ϒ'), ("Xi", 'Ξ'), ("Zeta", 'Ζ'), ("ae", 'æ'),
    ("aleph", 'ℵ'), ("alpha", 'α'), ("ampersand", '&'), ("angle", '∠'), ("angleleft", '⟨'),
    ("angleright", '⟩'), ("approxequal", '≈'), ("arrowdblboth", '⇔'), ("arrowdblleft", '⇐'),
    ("arrowdblright", '⇒'), ("arrowdown", '↓'), ("arrowleft", '←'), ("arrowright", '→'), ("arrowup", '↑'),
    ("asciicircum", '^'), ("asciitilde", '~'), ("asterisk", '*'), ("asteriskmath", '∗'), ("at", '@'),
    ("backslash", '\\'), ("bar", '|'), ("beta", 'β'), ("braceleft", '{'), ("braceright", '}'),
    ("bracketleft", '['), ("bracketright", ']'), ("brokenbar", '¦'), ("bullet", '•'), ("cent", '¢'),
    ("chi", 'χ'), ("circlemultiply", '⊗'), ("circleplus", '⊕'), ("colon", ':'), ("comma", ','),
    ("compwordmark", '\u{200C}'), ("congruent", '≅'), ("copyright", '©'), ("currency", '¤'),
    ("cwm", '\u{200C}'), ("dagger", '†'), ("daggerdbl", '‡'), ("dcroat", 'đ'), ("degree", '°'),
    ("delta", 'δ'), ("divide", '÷'), ("dollar", '$'), ("dotlessi", 'ı'), ("dotlessj", 'ȷ'), ("dotmath", '⋅'),
    ("eight", '8'), ("element", '∈'), ("ellipsis", '…'), ("emdash", '—'), ("emptyset", '∅'), ("endash", '–'),
    ("eng", 'ŋ'), ("epsilon", 'ε'), ("epsilon1", 'ϵ'), ("equal", '='), ("equivalence", '≡'), ("eta", 'η'),
    ("eth", 'ð'), ("exclam", '!'), ("exclamdown", '¡'), ("existential", '∃'), ("five", '5'), ("florin", 'ƒ'),
    ("four", '4'), ("fraction", '⁄'), ("gamma", 'γ'), ("germandbls", 'ß'), ("gradient", '∇'),
    ("greater", '>'), ("greaterequal", '≥'), ("guillemotleft", '«'), ("guillemotright", '»'),
    ("guilsinglleft", '‹'), ("guilsinglright", '›'), ("hyphen", '-'), ("hyphenchar", '-'), ("ij", 'ĳ'),
    ("infinity", '∞'), ("integral", '∫'), ("intersection", '∩'), ("iota", 'ι'), ("kappa", 'κ'),
    ("lambda", 'λ'), ("less", '<'), ("lessequal", '≤'), ("logicaland", '∧'), ("logicalnot", '¬'),
    ("logicalor", '∨'), ("lozenge", '◊'), ("lslash", 'ł'), ("minus", '−'), ("minute", '′'), ("mu", 'μ'),
    ("multiply", '×'), ("nine", '9'), ("notelement", '∉'), ("notequal", '≠'), ("notsubset", '⊄'), ("nu", 'ν'),
    ("numbersign", '#'), ("oe", 'œ'), ("omega", 'ω'), ("omega1", 'ϖ'), ("omicron", 'ο'), ("one", '1'),
    ("onehalf", '½'), ("onequarter", '¼'), ("onesuperior", '¹'), ("ordfeminine", 'ª'), ("ordmasculine", 'º'),
    ("oslash", 'ø'), ("paragraph", '¶'), ("parenleft", '('), ("parenright", ')'), ("partialdiff", '∂'),
    ("percent", '%'), ("period", '.'), ("periodcentered", '·'), ("perpendicular", '⊥'), ("perthousand", '‰'),
    ("phi", 'φ'), ("phi1", 'ϕ'), ("pi", 'π'), ("plus", '+'), ("plusminus", '±'), ("product", '∏'),
    ("propersubset", '⊂'), ("propersuperset", '⊃'), ("proportional", '∝'), ("psi", 'ψ'), ("question", '?'),
    ("questiondown", '¿'), ("quotedbl", '"'), ("quotedblbase", '„'), ("quotedblleft", '“'),
    ("quotedblright", '”'), ("quoteleft", '‘'), ("quoteright", '’'), ("quotesinglbase", '‚'),
    ("quotesingle", '\''), ("radical", '√'), ("reflexsubset", '⊆'), ("reflexsuperset", '⊇'),
    ("registered", '®'), ("rho", 'ρ'), ("section", '§'), ("semicolon", ';'), ("seven", '7'),
    ("sfthyphen", '-'), ("sigma", 'σ'), ("sigma1", 'ς'), ("similar", '∼'), ("six", '6'), ("slash", '/'),
    ("sterling", '£'), ("summation", '∑'), ("tau", 'τ'), ("therefore", '∴'), ("theta", 'θ'), ("theta1", 'ϑ'),
    ("thorn", 'þ'), ("three", '3'), ("threequarters", '¾'), ("threesuperior", '³'), ("trademark", '™'),
    ("two", '2'), ("twosuperior", '²'), ("underscore", '_'), ("union", '∪'), ("universal", '∀'),
    ("upsilon", 'υ'), ("visiblespace", '␣'), ("weierstrass", '℘'), ("xi", 'ξ'), ("yen", '¥'), ("zero", '0'),
    ("zeta", 'ζ'),
];

/// The codes of a PostScript font that says nothing else (Adobe's standard encoding), beyond ASCII.
pub(super) fn standard(code: u8) -> Glyph {
    let accent = |name: &str| accents::named(name).map_or(Glyph::Nothing, Glyph::Accent);
    match code {
        39 => Glyph::Character('’'),
        96 => Glyph::Character('‘'),
        33..=126 => Glyph::Character(char::from(code)),
        161..=173 => nth("¡¢£⁄¥ƒ§¤'“«‹›", code - 161),
        174 => Glyph::Ligature("fi"),
        175 => Glyph::Ligature("fl"),
        177..=180 => nth("–†‡·", code - 177),
        182..=189 => nth("¶•‚„”»…‰", code - 182),
        191 => Glyph::Character('¿'),
        193..=200 => accent(
            ["grave", "acute", "circumflex", "tilde", "macron", "breve", "dotaccent", "dieresis"]
                [usize::from(code) - 193],
        ),
        202 => accent("ring"),
        203 => accent("cedilla"),
        205 => accent("hungarumlaut"),
        206 => accent("ogonek"),
        207 => accent("caron"),
        208 => Glyph::Character('—'),
        225 => Glyph::Character('Æ'),
        227 => Glyph::Character('ª'),
        232..=235 => nth("ŁØŒº", code - 232),
        241 => Glyph::Character('æ'),
        245 => Glyph::Character('ı'),
        248..=251 => nth("łøœß", code - 248),
        _ => Glyph::Nothing,
    }
}

fn nth(characters: &str, place: u8) -> Glyph {
    characters.chars().nth(usize::from(place)).map_or(Glyph::Nothing, Glyph::Character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_understood() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        #[rustfmt::skip]
        let cases = [
            ("a",            Glyph::Character('a')),
            ("adieresis",    Glyph::Character('ä')),
            ("Zcaron",       Glyph::Character('Ž')),
            ("germandbls",   Glyph::Character('ß')),
            ("ffi",          Glyph::Ligature("ffi")),
            ("uni00E4",      Glyph::Character('ä')),
            ("a.sc",         Glyph::Character('a')),
            (".notdef",      Glyph::Nothing),
            ("union",        Glyph::Character('∪')),
        ];
        for (name, expected) in cases {
            assert_eq!(glyph(name), expected, "{name}");
        }
    }
}
