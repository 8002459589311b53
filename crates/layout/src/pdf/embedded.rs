//! What font programs inside the file say about their glyphs, where the file itself says nothing.
//!
//! A Type 1 program lists its encoding in readable form, a CFF program in a compact one, a TrueType
//! program maps characters to glyphs. Only these tables are read, never the shapes.

use std::collections::HashMap;

use hayro_syntax::object::{Dict, Name, Object, Stream};

use super::cff::Cff;
use super::encodings::Encoding;
use super::filters::{Budget, decoded};
use super::lexer::Lexer;
use super::true_type::TrueType;
use crate::glyph_names;

/// Bytes of a Type 1 program in which its encoding is looked for; it stands within the first few
/// thousand, before the encrypted part.
const MAX_TYPE_1_HEAD: usize = 65_536;

/// The texts of the 256 codes of a simple font, by its program.
pub(super) fn built_in_encoding(
    descriptor: &Dict<'_>,
    budget: &mut Budget,
) -> Option<Vec<Option<String>>> {
    match program(descriptor, budget)? {
        Program::Type1(program) => Some(type_1_encoding(&program)),
        Program::Cff(program) => Some(Cff::read(&program)?.encoding()),
        Program::TrueType(program) => TrueType::read(&program)?.encoding(),
    }
}

/// The texts of the glyphs of a composite font, by number, by its program.
pub(super) fn glyph_texts(
    inner: &Dict<'_>,
    descriptor: &Dict<'_>,
    budget: &mut Budget,
) -> HashMap<u32, String> {
    let texts = match program(descriptor, budget) {
        Some(Program::Cff(program)) => Cff::read(&program).map(|cff| cff.glyph_texts()),
        Some(Program::TrueType(program)) => TrueType::read(&program).map(|font| font.glyph_texts()),
        Some(Program::Type1(_)) | None => None,
    };
    let texts = texts.unwrap_or_default();
    match inner.get::<Object<'_>>("CIDToGIDMap") {
        Some(Object::Stream(stream)) => {
            let map = decoded(&stream, budget).unwrap_or_default();
            let glyphs = map.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            let pairs = (0_u32..).zip(glyphs);
            pairs
                .filter_map(|(number, glyph)| Some((number, texts.get(&u32::from(glyph))?.clone())))
                .collect()
        }
        _ => texts,
    }
}

enum Program {
    Type1(Vec<u8>),
    Cff(Vec<u8>),
    TrueType(Vec<u8>),
}

fn program(descriptor: &Dict<'_>, budget: &mut Budget) -> Option<Program> {
    if let Some(stream) = descriptor.get::<Stream<'_>>("FontFile") {
        return decoded(&stream, budget).map(Program::Type1);
    }
    if let Some(stream) = descriptor.get::<Stream<'_>>("FontFile2") {
        return decoded(&stream, budget).map(Program::TrueType);
    }
    let stream = descriptor.get::<Stream<'_>>("FontFile3")?;
    let is_open_type = stream.dict().get::<Name<'_>>("Subtype").as_deref() == Some(b"OpenType");
    let program = decoded(&stream, budget)?;
    if !is_open_type {
        return Some(Program::Cff(program));
    }
    let cff = TrueType::read(&program).and_then(|font| font.table(*b"CFF ").map(<[u8]>::to_vec));
    Some(cff.map_or(Program::TrueType(program), Program::Cff))
}

fn type_1_encoding(program: &[u8]) -> Vec<Option<String>> {
    let head = &program[..program.len().min(MAX_TYPE_1_HEAD)];
    let end = memchr::memmem::find(head, b"eexec").unwrap_or(head.len());
    let start = memchr::memmem::find(&head[..end], b"/Encoding").unwrap_or(end);
    let mut lexer = Lexer::new(&head[start..end]);
    let mut operands = Vec::new();
    let mut texts: Vec<Option<String>> = vec![None; 256];
    while let Some(operator) = lexer.operator(&mut operands) {
        match (operator, &operands[..]) {
            (b"put", [.., code, name]) => {
                let place = code.number().and_then(|code| texts.get_mut(code as usize));
                if let (Some(place), Some(name)) = (place, name.name()) {
                    *place = glyph_names::text_of(&String::from_utf8_lossy(name));
                }
            }
            (b"StandardEncoding", _) => {
                return (0..=255_u8)
                    .map(|code| Encoding::Standard.character(code).map(String::from))
                    .collect();
            }
            (b"def" | b"readonly", _) if texts.iter().any(Option::is_some) => break,
            _ => {}
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding_of_a_type_1_program() {
        let program =
            b"%!PS-AdobeFont-1.1: CMR10 1.00B\n/FontName /CMR10 def /Encoding 256 array\n\
            0 1 255 {1 index exch /.notdef put} for\ndup 11 /ff put\ndup 127 /dieresis put\n\
            dup 97 /a put readonly def currentfile eexec dup 98 /b put";
        let texts = type_1_encoding(program);
        let text = |code: usize| texts[code].as_deref();
        assert_eq!((text(11), text(127), text(97)), (Some("ff"), Some("¨"), Some("a")));
        assert_eq!(text(98), None);
        assert_eq!(type_1_encoding(b"/Encoding StandardEncoding def")[0xfb].as_deref(), Some("ß"));
    }
}
