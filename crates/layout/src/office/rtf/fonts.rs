//! The font table, which decides in which code page the bytes of the text are.

use crate::office::code_pages::WESTERN;
use std::collections::HashMap;

/// In what the bytes of a font are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Charset {
    Page(u16),
    /// The Symbol font.
    Symbol,
    /// Another font of pictures, such as Wingdings.
    Pictures,
}

#[derive(Debug)]
pub(super) struct Fonts {
    charsets: HashMap<i32, Charset>,
    /// The font in the table that is being described.
    font: i32,
    name: String,
    document_page: u16,
    pub(super) usual: i32,
}

impl Default for Fonts {
    fn default() -> Fonts {
        Fonts {
            charsets: HashMap::new(),
            font: 0,
            name: String::new(),
            document_page: WESTERN,
            usual: 0,
        }
    }
}

impl Fonts {
    /// Stands for the font that the document calls its usual one.
    pub(super) const DEFAULT: i32 = i32::MIN;

    pub(super) fn begin(&mut self, font: i32) {
        self.font = font;
        self.name.clear();
    }

    pub(super) fn set_charset(&mut self, charset: i32) {
        let charset = match charset {
            2 => Charset::Pictures,
            0 | 1 => return,
            _ => Charset::Page(page_of_charset(charset).unwrap_or(self.document_page)),
        };
        self.charsets.insert(self.font, charset);
    }

    pub(super) fn set_page(&mut self, page: i32) {
        if let Ok(page) = u16::try_from(page) {
            self.charsets.insert(self.font, Charset::Page(page));
        }
    }

    pub(super) fn set_document_page(&mut self, page: i32) {
        // Some programs write 0 or -1 where they do not know.
        if let Ok(page) = u16::try_from(page)
            && page > 1
        {
            self.document_page = page;
        }
    }

    /// Text within the table: a part of the font's name.
    pub(super) fn name(&mut self, text: &str) {
        self.name.push_str(text);
        if text.contains(';') {
            let is_pictures = self.charsets.get(&self.font) == Some(&Charset::Pictures);
            if is_pictures && self.name.trim().starts_with("Symbol") {
                self.charsets.insert(self.font, Charset::Symbol);
            }
            self.name.clear();
        }
    }

    pub(super) fn charset(&self, font: i32) -> Charset {
        let font = if font == Fonts::DEFAULT { self.usual } else { font };
        self.charsets.get(&font).copied().unwrap_or(Charset::Page(self.document_page))
    }
}

/// Windows' numbers of character sets.
fn page_of_charset(charset: i32) -> Option<u16> {
    Some(match charset {
        77 => 10_000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        254 => 437,
        255 => 850,
        _ => return None,
    })
}
