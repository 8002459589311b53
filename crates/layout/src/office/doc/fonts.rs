//! Which of a Word document's fonts is Symbol, whose characters are known by number only.

use super::fib::{Fib, Version};
use crate::office::code_pages::decode_page;
use crate::office::ole::u16_at;

/// Fonts looked at; a document has a few dozen.
const MAX_FONTS: u16 = 1_000;

/// Where the name stands in a font's description.
const NAME: usize = 40;

#[derive(Debug, Default)]
pub(super) struct SymbolFonts {
    numbers: Vec<u16>,
}

impl SymbolFonts {
    /// Reads the list of fonts. That of Word 6 is not read: there, symbols are left out.
    pub(super) fn read(fib: &Fib, table: &[u8]) -> SymbolFonts {
        let mut fonts = SymbolFonts::default();
        let place = fib.fonts.start..fib.fonts.end.min(table.len());
        if let (Version::Word97, Some(list)) = (fib.version, table.get(place)) {
            // A list cut off is read as far as it goes.
            let _ = fonts.read_list(list);
        }
        fonts
    }

    fn read_list(&mut self, list: &[u8]) -> Option<()> {
        let count = u16_at(list, 0)?.min(MAX_FONTS);
        let mut rest = list.get(4..)?;
        for number in 0..count {
            let length = usize::from(*rest.first()?);
            let font = rest.get(..=length)?;
            let name = decode_page(1200, font.get(NAME..).unwrap_or_default());
            if name.split('\0').next() == Some("Symbol") {
                self.numbers.push(number);
            }
            rest = &rest[length + 1..];
        }
        Some(())
    }

    pub(super) fn contains(&self, number: u16) -> bool {
        self.numbers.contains(&number)
    }
}
