//! The Symbol font, whose characters have numbers of their own: Greek letters and mathematics.

/// Capital letters from `A`, then small letters from `a`, as Symbol sets them.
const CAPITALS: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
const SMALL: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";

/// The character at a place of the Symbol font; its places are also written as private characters
/// from U+F000.
pub(crate) fn symbol(number: u32) -> Option<char> {
    let place = if number >= 0xF000 { number - 0xF000 } else { number };
    let letter = |letters: &str, first: u32| letters.chars().nth((place - first) as usize);
    match place {
        0x41..=0x5A => letter(CAPITALS, 0x41),
        0x61..=0x7A => letter(SMALL, 0x61),
        0x22 => Some('∀'),
        0x24 => Some('∃'),
        0x27 => Some('∋'),
        0x2D => Some('−'),
        0x40 => Some('≅'),
        0x20..=0x3F => char::from_u32(place),
        0x5B => Some('['),
        0x5D => Some(']'),
        0x7B..=0x7D => char::from_u32(place),
        0xA3 => Some('≤'),
        0xA5 => Some('∞'),
        0xAE => Some('→'),
        0xB0 => Some('°'),
        0xB1 => Some('±'),
        0xB3 => Some('≥'),
        0xB4 => Some('×'),
        0xB6 => Some('∂'),
        0xB7 => Some('•'),
        0xB9 => Some('≠'),
        0xBB => Some('≈'),
        0xC5 => Some('⊕'),
        0xC4 => Some('⊗'),
        0xC7 => Some('∩'),
        0xC8 => Some('∪'),
        0xCC => Some('⊂'),
        0xCD => Some('⊆'),
        0xCE => Some('∈'),
        0xD1 => Some('∇'),
        0xD5 => Some('∏'),
        0xDE => Some('⇒'),
        0xE5 => Some('∑'),
        0xF2 => Some('∫'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_the_symbol_font() {
        let cases = [(0xF061, Some('α')), (0x57, Some('Ω')), (0xF0CE, Some('∈')), (0xF001, None)];
        for (number, character) in cases {
            assert_eq!(symbol(number), character, "{number:x}");
        }
    }
}
