//! Character maps of fonts (CMaps): from codes to Unicode, or to the numbers of glyphs.
//!
//! Both kinds are little PostScript programs of a fixed form, and are read as such: ranges of
//! codes with what they stand for. Ranges are kept as ranges, so a map of the whole of Unicode
//! takes no more room than it does in the file.

use super::lexer::{Lexer, Operand};

/// Entries of one map; the rest is dropped. Large fonts for Chinese have about 30,000.
const MAX_MAP_ENTRIES: usize = 131_072;

/// Characters one code may stand for: ligatures and ideograms that are spelled out.
const MAX_TARGET: usize = 32;

/// What the codes of a font stand for.
#[derive(Debug, Default)]
pub(super) struct CharacterMap {
    spaces: Vec<CodeSpace>,
    /// By their first code, after [`CharacterMap::read`].
    ranges: Vec<Range>,
}

#[derive(Debug, Clone, Copy)]
struct CodeSpace {
    length: usize,
    low: u32,
    high: u32,
}

#[derive(Debug)]
struct Range {
    low: u32,
    high: u32,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// The number of the first glyph, in a map to glyphs.
    Glyph(u32),
    /// What the first code stands for; the last character counts up.
    Text(Vec<char>),
}

impl CharacterMap {
    pub(super) fn read(program: &[u8]) -> CharacterMap {
        let mut map = CharacterMap::default();
        let mut lexer = Lexer::new(program);
        let mut operands = Vec::new();
        while let Some(operator) = lexer.operator(&mut operands) {
            match operator {
                b"endcodespacerange" => map.add_spaces(&operands),
                b"endbfchar" | b"endcidchar" => {
                    operands.chunks_exact(2).for_each(|pair| map.add(&pair[0], &pair[0], &pair[1]));
                }
                b"endbfrange" | b"endcidrange" => {
                    operands.chunks_exact(3).for_each(|row| map.add(&row[0], &row[1], &row[2]));
                }
                _ => {}
            }
        }
        // Of two entries for a code the later one counts; the sort keeps their order.
        map.ranges.sort_by_key(|range| range.low);
        map
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The text a code stands for.
    pub(super) fn text(&self, code: u32, text: &mut String) -> bool {
        let Some((range, offset)) = self.range(code) else { return false };
        let Target::Text(characters) = &range.target else { return false };
        let Some((&last, before)) = characters.split_last() else { return false };
        text.extend(before);
        text.extend(char::from_u32(u32::from(last).saturating_add(offset)));
        true
    }

    /// The number of the glyph a code stands for.
    pub(super) fn glyph(&self, code: u32) -> Option<u32> {
        let (range, offset) = self.range(code)?;
        let Target::Glyph(first) = range.target else { return None };
        first.checked_add(offset)
    }

    /// The next code of a string and its length.
    pub(super) fn code(&self, bytes: &[u8]) -> Option<(u32, usize)> {
        let shortest = self.spaces.iter().map(|space| space.length).min().unwrap_or(2);
        let mut code = 0;
        for (at, &byte) in bytes.iter().take(4).enumerate() {
            code = code << 8 | u32::from(byte);
            let length = at + 1;
            let fits = |space: &CodeSpace| {
                space.length == length && within_each_byte(code, space.low, space.high)
            };
            if self.spaces.iter().any(fits) {
                return Some((code, length));
            }
        }
        let length = shortest.min(bytes.len());
        (length > 0).then(|| (number(&bytes[..length]), length))
    }

    fn range(&self, code: u32) -> Option<(&Range, u32)> {
        let end = self.ranges.partition_point(|range| range.low <= code);
        // Ranges hardly ever overlap, so the one that counts is among the last before the code.
        let range = self.ranges[..end].iter().rev().take(4).find(|range| range.high >= code)?;
        Some((range, code - range.low))
    }

    fn add_spaces(&mut self, operands: &[Operand]) {
        for pair in operands.chunks_exact(2) {
            if let (Some(low), Some(high)) = (pair[0].text(), pair[1].text())
                && (1..=4).contains(&low.len())
                && self.spaces.len() < 256
            {
                let space = CodeSpace { length: low.len(), low: number(low), high: number(high) };
                self.spaces.push(space);
            }
        }
    }

    fn add(&mut self, low: &Operand, high: &Operand, target: &Operand) {
        let (Some(low), Some(high)) = (low.text().map(number), high.text().map(number)) else {
            return;
        };
        if high < low || self.ranges.len() >= MAX_MAP_ENTRIES {
            return;
        }
        let target = match target {
            Operand::Number(glyph) => Target::Glyph(*glyph as u32),
            Operand::Text(utf_16) => Target::Text(characters(utf_16)),
            Operand::Array(targets) => {
                let codes = low..=high;
                for (code, target) in codes.zip(targets) {
                    if let Some(utf_16) = target.text()
                        && self.ranges.len() < MAX_MAP_ENTRIES
                    {
                        let target = Target::Text(characters(utf_16));
                        self.ranges.push(Range { low: code, high: code, target });
                    }
                }
                return;
            }
            Operand::Name(_) | Operand::Dictionary(_) => return,
        };
        self.ranges.push(Range { low, high, target });
    }
}

/// Code spaces are boxes: each byte has its own bounds (PDF 32000-1, 9.7.6.2).
fn within_each_byte(code: u32, low: u32, high: u32) -> bool {
    let bytes = code.to_be_bytes().into_iter();
    bytes.zip(low.to_be_bytes()).zip(high.to_be_bytes()).all(|((b, l), h)| (l..=h).contains(&b))
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0_u32, |value, &byte| value << 8 | u32::from(byte))
}

fn characters(utf_16: &[u8]) -> Vec<char> {
    // One byte alone is not UTF-16, but is written.
    if let [byte] = utf_16 {
        return vec![char::from(*byte)];
    }
    let units = utf_16.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).filter_map(Result::ok).take(MAX_TARGET).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(map: &CharacterMap, code: u32) -> Option<String> {
        let mut text = String::new();
        map.text(code, &mut text).then_some(text)
    }

    #[test]
    fn to_unicode() {
        let map = CharacterMap::read(
            b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange
            2 beginbfchar <0b> <00660066> <20> <0020> endbfchar
            2 beginbfrange <41> <5a> <0041> <61> <62> [<00e4> <D835DC9C>] endbfrange endcmap",
        );
        #[rustfmt::skip]
        let cases = [
            (0x0b, Some("ff")), (0x41, Some("A")), (0x5a, Some("Z")), (0x61, Some("ä")),
            (0x62, Some("𝒜")), (0x63, None),
        ];
        for (code, expected) in cases {
            assert_eq!(text(&map, code).as_deref(), expected, "{code:#x}");
        }
        assert_eq!(map.code(b"AB"), Some((0x41, 1)));
    }

    #[test]
    fn codes_of_several_lengths() {
        let map = CharacterMap::read(
            b"2 begincodespacerange <00> <80> <8140> <9ffc> endcodespacerange
            1 begincidrange <8140> <817e> 633 endcidrange 1 begincidchar <20> 1 endcidchar",
        );
        assert_eq!(map.code(&[0x20, 0x81]), Some((0x20, 1)));
        assert_eq!(map.code(&[0x81, 0x41, 0x20]), Some((0x8141, 2)));
        assert_eq!(map.code(&[0xff]), Some((0xff, 1)));
        assert_eq!((map.glyph(0x8141), map.glyph(0x20)), (Some(634), Some(1)));
    }

    #[test]
    fn huge_ranges_take_no_room() {
        let map = CharacterMap::read(b"1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange");
        assert_eq!(map.ranges.len(), 1);
        assert_eq!(text(&map, 1).as_deref(), Some("B"));
        assert_eq!(text(&map, u32::MAX).as_deref(), Some(""));
    }
}
