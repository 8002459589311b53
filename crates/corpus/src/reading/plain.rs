//! Plain text and XML in blocks.
//!
//! Plain text has paragraphs between empty lines. XML has a block wherever text stands between
//! tags: which elements are inline is not known, so each piece stands for itself. Both keep to the
//! same number of blocks as a page; the rest is added to the last.

use auslese_markup::{BlockKind, MAX_BLOCKS, Place, TextBlock, XmlPiece, XmlTagKind, xml_pieces};
use std::collections::BTreeMap;

/// The paragraphs of a plain text: lines keep their ends, white space is normalised.
pub(super) fn paragraphs(text: &str) -> Vec<TextBlock> {
    let mut blocks = Blocks::default();
    let mut within = false;
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    // Old Macintosh files have nothing but carriage returns.
    for line in lines.flat_map(|line| line.split(['\r', '\u{C}'])) {
        if line.trim().is_empty() {
            within = false;
        } else {
            blocks.line(line, within);
            within = true;
        }
    }
    blocks.done
}

/// The texts between the tags of an XML document, and how often each element occurs.
pub(super) fn xml(text: &str, elements: &mut BTreeMap<String, u32>, most: usize) -> Vec<TextBlock> {
    let mut blocks = Blocks::default();
    for piece in xml_pieces(text) {
        match piece {
            XmlPiece::Text(piece) if piece.trim().is_empty() => {}
            XmlPiece::Text(piece) => blocks.line(&piece, false),
            XmlPiece::Tag(tag) if tag.kind == XmlTagKind::End => {}
            XmlPiece::Tag(tag) => count(tag.name, elements, most),
        }
    }
    blocks.done
}

fn count(name: &str, elements: &mut BTreeMap<String, u32>, most: usize) {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, ':' | '-' | '_' | '.');
    if name.len() > crate::features::MAX_ELEMENT_NAME || !name.chars().all(is_name) {
        return;
    }
    if let Some(count) = elements.get_mut(name) {
        *count = count.saturating_add(1);
    } else if elements.len() < most {
        elements.insert(name.to_owned(), 1);
    }
}

#[derive(Default)]
struct Blocks {
    done: Vec<TextBlock>,
}

impl Blocks {
    /// Adds a line to the last block, or begins one.
    fn line(&mut self, line: &str, within: bool) {
        let full = self.done.len() >= MAX_BLOCKS;
        if let Some(last) = self.done.last_mut().filter(|_| within || full) {
            last.text.push('\n');
            append(last, line);
            return;
        }
        let mut block = TextBlock {
            text: String::with_capacity(line.len()),
            kind: BlockKind::Paragraph,
            lang: None,
            place: Place::Main,
            characters: 0,
            link_characters: 0,
        };
        append(&mut block, line);
        self.done.push(block);
    }
}

fn append(block: &mut TextBlock, line: &str) {
    for (index, word) in line.split_whitespace().enumerate() {
        if index > 0 {
            block.text.push(' ');
        }
        block.text.push_str(word);
        let count = u32::try_from(word.chars().count()).unwrap_or(u32::MAX);
        block.characters = block.characters.saturating_add(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(blocks: Vec<TextBlock>) -> Vec<String> {
        blocks.into_iter().map(|block| block.text).collect()
    }

    #[test]
    fn plain_text() {
        #[rustfmt::skip]
        let cases: &[(&str, &[&str])] = &[
            ("",                              &[]),
            ("a  b\nc",                       &["a b\nc"]),
            ("a\n\nb\n \nc",                  &["a", "b", "c"]),
            ("a\r\nb\r\n\r\nc",               &["a\nb", "c"]),
            ("a\rb\r\rc",                     &["a\nb", "c"]),
            ("\n\n  a\tb \n",                 &["a b"]),
        ];
        for (text, expected) in cases {
            assert_eq!(texts(paragraphs(text)), *expected, "{text:?}");
        }
    }

    #[test]
    fn xml_texts() {
        let mut elements = BTreeMap::new();
        let source = "<?xml version='1.0'?><!-- no --><a x='1>2'><b>Zürich &amp; &#66;&#xC4;rn &x;</b>\
                      <b/><![CDATA[roh <b>]]></a> <unfinished";
        let blocks = xml(source, &mut elements, 3);
        assert_eq!(texts(blocks), ["Zürich & BÄrn &x;", "roh <b>"]);
        assert_eq!(
            elements,
            BTreeMap::from([("a".into(), 1), ("b".into(), 2), ("unfinished".into(), 1)])
        );
    }

    proptest! {
        #[test]
        fn any_text(text in "(<|>|<!--|-->|<\\?|<!\\[CDATA\\[|\\]\\]>|&|;|#x|\\r|\\n|\\PC){0,40}") {
            paragraphs(&text);
            xml(&text, &mut BTreeMap::new(), 10);
        }
    }
}
