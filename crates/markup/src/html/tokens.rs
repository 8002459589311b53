//! What the tokenizer hands to the tree builder.

use super::arena::Span;
use super::interner::Name;

#[derive(Debug, Clone, Copy)]
pub(super) enum Token {
    Start(Tag),
    End(Tag),
    Text(Text),
    /// U+0000 where it is not text.
    Null,
    Comment(Span),
    EndOfFile,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Tag {
    pub(super) name: Name,
    /// In the list of attributes.
    pub(super) attributes: Span,
    pub(super) self_closing: bool,
}

/// Characters with their references resolved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text {
    pub(super) span: Span,
    /// How it is written, in the source.
    pub(super) written: Span,
    pub(super) kind: TextKind,
}

/// What was text written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKind {
    /// With references.
    Markup,
    Plaintext,
    Cdata,
}

/// Whether HTML's tree builder takes it for white space.
pub(super) fn is_white(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace())
}

/// How many bytes of white space the text begins with.
pub(super) fn leading_white(text: &str) -> usize {
    let is_text = |byte: u8| !byte.is_ascii_whitespace();
    text.bytes().position(is_text).unwrap_or(text.len())
}

/// In how many pieces text counts where each is an error: lines, references and what is between
/// them; and how many of them are not white space.
pub(super) fn pieces(written: &str, kind: TextKind) -> (u32, u32) {
    let words = |text: &str| text.split_ascii_whitespace().count() as u32;
    match kind {
        TextKind::Markup => markup_pieces(written),
        TextKind::Plaintext => {
            let lines = written.split('\n');
            let all = lines.map(|line| u32::from(!line.is_empty()) + 1).sum::<u32>() - 1;
            (all, words(written))
        }
        TextKind::Cdata => (1, words(written)),
    }
}

fn markup_pieces(written: &str) -> (u32, u32) {
    let bytes = written.as_bytes();
    let (mut all, mut visible, mut at) = (0, 0, 0);
    while at < bytes.len() {
        let end = match bytes[at] {
            b'\n' => at + 1,
            b'&' => {
                let mut meaning = String::new();
                let place = crate::char_refs::Place::Text;
                let taken =
                    crate::char_refs::append_reference(&mut meaning, &written[at..], place, &mut 0);
                // A reference to two characters is two pieces.
                all += meaning.chars().count() as u32 - 1;
                visible += meaning.chars().skip(1).count() as u32;
                at + taken
            }
            // An angle bracket that opens no tag stands alone, and so does what follows it.
            b'<' => at + 1,
            _ if at > 0 && bytes[at - 1] == b'<' => {
                at + written[at..].chars().next().map_or(1, char::len_utf8)
            }
            _ => {
                let rest = &bytes[at..];
                at + memchr::memchr3(b'\n', b'&', b'<', rest).unwrap_or(rest.len())
            }
        };
        all += 1;
        visible += match &written[at..end] {
            reference if reference.starts_with('&') => 1,
            text => text.split_ascii_whitespace().count() as u32,
        };
        at = end;
    }
    (all, visible)
}
