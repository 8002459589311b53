//! Which characters the glyphs of a TrueType program stand for.
//!
//! The `cmap` table maps characters to glyphs; turned round it tells the character of a glyph.
//! Where it only maps the codes of the document, the names in `post` are asked.

use std::collections::HashMap;

use super::big_endian::{u8_at, u16_at, u32_at};
use super::encodings::Encoding;
use crate::glyph_names;

/// Pairs of character and glyph that are taken from one table.
const MAX_PAIRS: usize = 131_072;

/// Tables, and maps within the table of maps, that are looked at.
const MAX_TABLES: usize = 64;

/// A font program as its tables.
#[derive(Debug)]
pub(super) struct TrueType<'a> {
    tables: HashMap<[u8; 4], &'a [u8]>,
}

impl<'a> TrueType<'a> {
    pub(super) fn read(program: &'a [u8]) -> Option<TrueType<'a>> {
        let start = if program.starts_with(b"ttcf") { u32_at(program, 12)? as usize } else { 0 };
        let count = usize::from(u16_at(program, start.checked_add(4)?)?);
        let mut tables = HashMap::new();
        for number in 0..count.min(MAX_TABLES) {
            let row = program.get(start + 12 + 16 * number..)?;
            let Some(tag) = row.first_chunk::<4>() else { break };
            let (Some(from), Some(length)) = (u32_at(row, 8), u32_at(row, 12)) else { break };
            let rest = program.get(from as usize..).unwrap_or_default();
            tables.insert(*tag, &rest[..rest.len().min(length as usize)]);
        }
        Some(TrueType { tables })
    }

    pub(super) fn table(&self, tag: [u8; 4]) -> Option<&'a [u8]> {
        self.tables.get(&tag).copied()
    }

    /// The texts of the 256 codes of a simple font without an encoding; `None` if no table tells
    /// anything. Codes of which it tells nothing are those of Windows, from where such fonts come.
    pub(super) fn encoding(&self) -> Option<Vec<Option<String>>> {
        let maps = self.maps();
        let of = |platform, encoding| {
            maps.iter().find(|map| (map.platform, map.encoding) == (platform, encoding))
        };
        let symbols = of(3, 0).or_else(|| of(1, 0))?;
        let glyphs: HashMap<u32, u32> = symbols
            .pairs
            .iter()
            // Symbol fonts put their codes into the private zone.
            .map(|&(code, glyph)| (if code >= 0xf000 { code & 0xff } else { code }, glyph))
            .collect();
        let texts = self.glyph_texts();
        let by_code = (0..=255_u8).map(|code| {
            let glyph = glyphs.get(&u32::from(code)).copied().unwrap_or_default();
            let text = texts.get(&glyph).filter(|_| glyph != 0).cloned();
            text.or_else(|| Encoding::WinAnsi.character(code).map(String::from))
        });
        Some(by_code.collect())
    }

    /// The texts of the glyphs by number.
    pub(super) fn glyph_texts(&self) -> HashMap<u32, String> {
        let mut texts: HashMap<u32, String> = self.names().into_iter().collect();
        for map in self.maps().iter().filter(|map| map.is_unicode()) {
            for &(code, glyph) in &map.pairs {
                let character =
                    char::from_u32(code).filter(|&c| !matches!(c, '\u{e000}'..='\u{f8ff}'));
                // Of several characters for a glyph the first is the plain one: space, not no-break space.
                if let Some(character) = character {
                    texts.entry(glyph).or_insert_with(|| String::from(character));
                }
            }
        }
        texts
    }

    fn maps(&self) -> Vec<Map> {
        let Some(table) = self.table(*b"cmap") else { return Vec::new() };
        let count = usize::from(u16_at(table, 2).unwrap_or_default()).min(MAX_TABLES);
        let mut maps = Vec::new();
        let mut left = MAX_PAIRS;
        for number in 0..count {
            let row = 4 + 8 * number;
            let map = u16_at(table, row).zip(u16_at(table, row + 2)).zip(u32_at(table, row + 4));
            let Some(((platform, encoding), at)) = map else { break };
            let Some(sub) = table.get(at as usize..) else { continue };
            let mut pairs = Vec::new();
            read_pairs(sub, left, &mut pairs);
            left -= pairs.len().min(left);
            maps.push(Map { platform, encoding, pairs });
        }
        maps
    }

    /// Glyphs and the texts of their names.
    fn names(&self) -> Vec<(u32, String)> {
        let Some(table) =
            self.table(*b"post").filter(|table| u32_at(table, 0) == Some(0x0002_0000))
        else {
            return Vec::new();
        };
        let count = usize::from(u16_at(table, 32).unwrap_or_default());
        let mut own = Vec::new();
        let mut at = 34 + 2 * count;
        while let Some(length) = u8_at(table, at)
            && let Some(name) = table.get(at + 1..at + 1 + usize::from(length))
        {
            own.push(name);
            at += 1 + usize::from(length);
        }
        let texts = (0..count).filter_map(|glyph| {
            let number = usize::from(u16_at(table, 34 + 2 * glyph)?);
            let text = match number.checked_sub(258) {
                Some(number) => glyph_names::text_of(std::str::from_utf8(own.get(number)?).ok()?)?,
                None => String::from(macintosh_glyph(number)?),
            };
            Some((u32::try_from(glyph).ok()?, text))
        });
        texts.collect()
    }
}

struct Map {
    platform: u16,
    encoding: u16,
    pairs: Vec<(u32, u32)>,
}

impl Map {
    fn is_unicode(&self) -> bool {
        matches!((self.platform, self.encoding), (0, _) | (3, 1) | (3, 10))
    }
}

/// Codes and glyphs of one map, in any of the formats that occur.
fn read_pairs(map: &[u8], limit: usize, pairs: &mut Vec<(u32, u32)>) -> Option<()> {
    let mut add = |code: u32, glyph: u32| {
        if glyph != 0 {
            pairs.push((code, glyph));
        }
        (pairs.len() < limit).then_some(())
    };
    match u16_at(map, 0)? {
        0 => {
            for code in 0..256_usize {
                add(code as u32, u32::from(u8_at(map, 6 + code)?))?;
            }
        }
        4 => {
            let segments = usize::from(u16_at(map, 6)?) / 2;
            let [ends, starts] = [14, 16 + 2 * segments];
            let [deltas, offsets] = [starts + 2 * segments, starts + 4 * segments];
            // Segments do not overlap in a sound map; this bounds those of an unsound one.
            let mut steps = MAX_PAIRS;
            for segment in 0..segments {
                let at = 2 * segment;
                let end = u16_at(map, ends + at)?;
                let start = u16_at(map, starts + at)?;
                let delta = u16_at(map, deltas + at)?;
                let offset = usize::from(u16_at(map, offsets + at)?);
                for code in start..=end {
                    steps = steps.checked_sub(1)?;
                    let glyph = if offset == 0 {
                        code.wrapping_add(delta)
                    } else {
                        let place = offsets + at + offset + 2 * usize::from(code - start);
                        match u16_at(map, place) {
                            Some(0) | None => 0,
                            Some(glyph) => glyph.wrapping_add(delta),
                        }
                    };
                    add(u32::from(code), u32::from(glyph))?;
                }
            }
        }
        6 => {
            let first = u32::from(u16_at(map, 6)?);
            for number in 0..usize::from(u16_at(map, 8)?) {
                add(first + number as u32, u32::from(u16_at(map, 10 + 2 * number)?))?;
            }
        }
        12 => {
            for group in 0..u32_at(map, 12)? as usize {
                let row = map.get(16 + 12 * group..)?;
                let (start, end, glyph) = (u32_at(row, 0)?, u32_at(row, 4)?, u32_at(row, 8)?);
                for code in start..=end {
                    add(code, glyph.wrapping_add(code - start).max(1))?;
                }
            }
        }
        _ => {}
    }
    Some(())
}

/// The order of glyphs of the Macintosh, to which `post` refers: that of its encoding with a few
/// letters behind.
fn macintosh_glyph(number: usize) -> Option<char> {
    const BEHIND: &str = "ŁłŠšŽž¦ÐðÝýÞþ−×¹²³½¼¾₣ĞğİŞşĆćČčđ";
    match number {
        3..=97 => u8::try_from(number + 29).ok().map(char::from),
        98..=225 => {
            u8::try_from(number + 30).ok().and_then(|code| Encoding::MacRoman.character(code))
        }
        226..=257 => BEHIND.chars().nth(number - 226),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macintosh_order() {
        #[rustfmt::skip]
        let cases = [
            (3, Some(' ')), (36, Some('A')), (68, Some('a')), (98, Some('Ä')), (225, Some('ˇ')),
            (226, Some('Ł')), (257, Some('đ')), (0, None), (258, None),
        ];
        for (number, expected) in cases {
            assert_eq!(macintosh_glyph(number), expected, "{number}");
        }
    }

    /// One map of format 4 that maps A and ä to the glyphs 5 and 6.
    fn program() -> Vec<u8> {
        let segments: [[u16; 4]; 3] = [
            [65, 65, 0_u16.wrapping_sub(60), 0],
            [228, 228, 0_u16.wrapping_sub(222), 0],
            [0xffff, 0xffff, 1, 0],
        ];
        let mut map: Vec<u16> = vec![4, 0, 0, 6, 0, 0, 0];
        map.extend(segments.iter().map(|segment| segment[1]));
        map.push(0);
        for column in [0, 2, 3] {
            map.extend(segments.iter().map(|segment| segment[column]));
        }
        let mut cmap: Vec<u8> =
            [0_u16, 1, 3, 1, 0, 12].iter().flat_map(|n| n.to_be_bytes()).collect();
        cmap.extend(map.iter().flat_map(|n| n.to_be_bytes()));
        let mut program = vec![0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        program.extend(b"cmap\0\0\0\0");
        program.extend(28_u32.to_be_bytes());
        program.extend((cmap.len() as u32).to_be_bytes());
        program.extend(cmap);
        program
    }

    #[test]
    fn characters_of_glyphs() {
        let program = program();
        let texts = TrueType::read(&program).expect("a whole program").glyph_texts();
        assert_eq!(texts.get(&5).map(String::as_str), Some("A"));
        assert_eq!(texts.get(&6).map(String::as_str), Some("ä"));
    }

    #[test]
    fn cut_anywhere() {
        let whole = program();
        for end in 0..whole.len() {
            let _ = TrueType::read(&whole[..end]).map(|font| (font.glyph_texts(), font.encoding()));
        }
    }
}
