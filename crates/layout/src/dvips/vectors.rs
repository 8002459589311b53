//! What PostScript fonts say about their codes: vectors of glyph names.
//!
//! dvips copies encoding vectors into the file (`/TeXBase1Encoding [/.notdef /dotaccent …] def`)
//! and names them where a font is defined; and a Type 1 font in the file lists its own codes
//! (`dup 12 /fi put`). Both become tables of [`Glyph`]s.

use super::accents;
use super::encodings::Glyph;
use super::glyph_names;
use super::tokens::{Token, Tokens};
use memchr::{memchr_iter, memmem};
use std::collections::HashMap;
use std::sync::Arc;

/// Vectors and fonts of a file that are read.
const MAX_VECTORS: usize = 1_000;

/// A vector with its comments is not longer than this.
const MAX_VECTOR_BYTES: usize = 32_768;

/// An array of fewer names is no encoding.
const FEWEST_NAMES: usize = 128;

pub(super) type Codes = [Glyph; 256];

/// The tables of a file by the name of the vector or of the font.
#[derive(Debug, Default)]
pub(super) struct Vectors<'a> {
    pub(super) by_name: HashMap<&'a [u8], Arc<Codes>>,
    pub(super) by_font: HashMap<&'a [u8], Arc<Codes>>,
}

impl<'a> Vectors<'a> {
    /// Reads the part of the file before its pages.
    pub(super) fn read(prologue: &'a [u8]) -> Vectors<'a> {
        let mut vectors = Vectors::default();
        let mut after = 0;
        // Brackets that begin no vector are few, unless someone wants to waste time.
        let mut failures = 0;
        for open in memchr_iter(b'[', prologue) {
            if failures >= MAX_VECTORS || vectors.by_name.len() >= MAX_VECTORS {
                break;
            }
            if open >= after {
                match vectors.read_vector(prologue, open) {
                    Some(end) => after = end,
                    None => failures += usize::from(name_before(prologue, open).is_some()),
                }
            }
        }
        for place in memmem::find_iter(prologue, b"/Encoding 256 array").take(MAX_VECTORS) {
            vectors.read_font(prologue, place);
        }
        vectors
    }

    /// Reads an array of names with a name before it; returns where it ends.
    fn read_vector(&mut self, prologue: &'a [u8], open: usize) -> Option<usize> {
        let name = name_before(prologue, open)?;
        let mut codes = [Glyph::Nothing; 256];
        let mut count = 0;
        let mut tokens = Tokens::new(&prologue[..prologue.len().min(open + MAX_VECTOR_BYTES)]);
        tokens.at = open + 1;
        while count <= 256 {
            match tokens.next()? {
                Token::Literal(glyph) => {
                    if let Some(code) = codes.get_mut(count) {
                        *code = named(glyph);
                    }
                    count += 1;
                }
                Token::Comment(_) => {}
                Token::Close if count >= FEWEST_NAMES => {
                    self.by_name.insert(name, Arc::new(codes));
                    return Some(tokens.at);
                }
                _ => return None,
            }
        }
        None
    }

    /// Reads the codes that a font lists, up to the `def` after them.
    fn read_font(&mut self, prologue: &'a [u8], place: usize) {
        let before = &prologue[place.saturating_sub(4_000)..place];
        let Some(found) = memmem::rfind(before, b"/FontName") else { return };
        let mut tokens = Tokens::new(before);
        tokens.at = found + b"/FontName".len();
        let Some(Token::Literal(font)) = tokens.next() else { return };
        let mut codes = [Glyph::Nothing; 256];
        let mut tokens = Tokens::new(&prologue[..prologue.len().min(place + MAX_VECTOR_BYTES)]);
        tokens.at = place + b"/Encoding 256 array".len();
        let mut code = None;
        // Each code is four tokens.
        for token in tokens.take(4 * 256 + 100) {
            match token {
                Token::Number(number) => code = Some(number as usize),
                Token::Literal(glyph) => {
                    if let Some(place) = code.take().and_then(|code| codes.get_mut(code)) {
                        *place = named(glyph);
                    }
                }
                Token::Name(b"def") => break,
                _ => {}
            }
        }
        self.by_font.insert(font, Arc::new(codes));
    }
}

/// The literal name that stands right before a place.
fn name_before(bytes: &[u8], place: usize) -> Option<&[u8]> {
    let before = bytes[place.saturating_sub(80)..place].trim_ascii_end();
    let slash = memchr::memrchr(b'/', before)?;
    let name = &before[slash + 1..];
    (!name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric)).then_some(name)
}

/// What a glyph of this name prints.
fn named(name: &[u8]) -> Glyph {
    let Ok(name) = std::str::from_utf8(name) else { return Glyph::Nothing };
    if let Some(accent) = accents::named(name) {
        return Glyph::Accent(accent);
    }
    glyph_names::glyph(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_and_fonts_are_read() {
        let names: String = (0..256)
            .map(|code| match code {
                1 => "/fi % a ligature\n".to_owned(),
                2 => "/adieresis ".to_owned(),
                _ => "/.notdef".to_owned(),
            })
            .collect();
        let source = format!(
            "/Other [ 1 2 ] def /TestEncoding[{names}] def\n/FontName /CMR10 def\n/Encoding 256 array\n\
             0 1 255 {{1 index exch /.notdef put}} for\ndup 12 /fi put\ndup 127 /dieresis put\n\
             readonly def dup 13 /fl put"
        );
        let vectors = Vectors::read(source.as_bytes());
        let vector = &vectors.by_name[b"TestEncoding".as_slice()];
        assert_eq!(vector[1..3], [Glyph::Ligature("fi"), Glyph::Character('ä')]);
        let font = &vectors.by_font[b"CMR10".as_slice()];
        assert_eq!([font[12], font[13]], [Glyph::Ligature("fi"), Glyph::Nothing]);
        assert_eq!(font[127], Glyph::Accent('\u{308}'));
        assert_eq!(vectors.by_name.len(), 1);
    }
}
