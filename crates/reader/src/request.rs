//! What is asked of a reader, and how it travels.
//!
//! A request is its lengths, a small head and the bytes of the document. The head is encoded, the
//! document is not: it goes from the caller's memory into the pipe as it is.

use serde::{Deserialize, Serialize};

/// Longest head of a request. Names and types come from URLs and headers, which have limits of their
/// own far below this; what is longer is cut before it is sent.
const MAX_HEAD: usize = 64 * 1024;

/// Longest name, type or format sent along; they only help to guess the format.
const MAX_HINT: usize = 4 * 1024;

/// A document to be read, with what is known about it from outside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Request<'a> {
    /// Which reader is wanted, in the program's words; empty: the reader finds out.
    pub format: &'a str,
    /// The name of the file or the path of the URL; empty if there is none.
    pub name: &'a str,
    /// As the server said; empty if it did not.
    pub mime_type: &'a str,
    /// How many pages from the first are wanted; `None`: all.
    pub pages: Option<u32>,
    pub bytes: &'a [u8],
}

#[derive(Serialize, Deserialize)]
struct Head<'a> {
    format: &'a str,
    name: &'a str,
    mime_type: &'a str,
    pages: Option<u32>,
}

/// How long the two parts of a request are; the first thing sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestLengths {
    pub(crate) head: usize,
    pub(crate) document: usize,
}

impl RequestLengths {
    pub(crate) const SIZE: usize = 16;

    /// `None` if a head or a document of that length is never sent.
    pub(crate) fn decode(bytes: [u8; Self::SIZE], document_limit: u64) -> Option<RequestLengths> {
        let (head, document) = bytes.split_at(8);
        let head = u64::from_le_bytes(head.try_into().ok()?);
        let document = u64::from_le_bytes(document.try_into().ok()?);
        if head > MAX_HEAD as u64 || document > document_limit {
            return None;
        }
        Some(RequestLengths { head: head.try_into().ok()?, document: document.try_into().ok()? })
    }
}

impl<'a> Request<'a> {
    /// What is sent before the bytes of the document: lengths and head.
    pub(crate) fn preamble(&self) -> Vec<u8> {
        let head = Head {
            format: cut(self.format),
            name: cut(self.name),
            mime_type: cut(self.mime_type),
            pages: self.pages,
        };
        let head = postcard::to_stdvec(&head).expect("three strings and a number can be encoded");
        let mut preamble = Vec::with_capacity(RequestLengths::SIZE + head.len());
        preamble.extend_from_slice(&(head.len() as u64).to_le_bytes());
        preamble.extend_from_slice(&(self.bytes.len() as u64).to_le_bytes());
        preamble.extend_from_slice(&head);
        preamble
    }

    pub(crate) fn decode(head: &'a [u8], bytes: &'a [u8]) -> Option<Request<'a>> {
        let Head { format, name, mime_type, pages } = postcard::from_bytes(head).ok()?;
        Some(Request { format, name, mime_type, pages, bytes })
    }
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_HINT)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sent_and_received(request: &Request<'_>) -> Option<(RequestLengths, String)> {
        let preamble = request.preamble();
        let (lengths, head) = preamble.split_at(RequestLengths::SIZE);
        let lengths = RequestLengths::decode(lengths.try_into().ok()?, 1_000_000)?;
        let received = Request::decode(head, request.bytes)?;
        Some((lengths, format!("{received:?}")))
    }

    proptest! {
        #[test]
        fn what_is_sent_is_received(
            format in ".{0,9}", name in ".{0,40}", mime_type in ".{0,40}",
            pages in any::<Option<u32>>(), bytes in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let request = Request {
                format: &format, name: &name, mime_type: &mime_type, pages, bytes: &bytes,
            };
            let (lengths, received) = sent_and_received(&request).expect("it can be read");
            prop_assert_eq!(received, format!("{request:?}"));
            prop_assert_eq!(lengths.document, bytes.len());
        }

        #[test]
        fn any_head_is_read_or_refused(head in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = Request::decode(&head, b"");
        }
    }

    #[test]
    fn long_hints_are_cut_between_characters() {
        let name = "ü".repeat(MAX_HINT);
        let request = Request { name: &name, ..Request::default() };
        let (lengths, received) = sent_and_received(&request).unwrap();
        assert!(lengths.head < MAX_HINT + 100, "{lengths:?}");
        assert!(received.contains(&"ü".repeat(MAX_HINT / 2)));
    }

    #[test]
    fn lengths_beyond_the_limits_are_refused() {
        let lengths = |head: u64, document: u64| {
            let mut bytes = [0; RequestLengths::SIZE];
            bytes[..8].copy_from_slice(&head.to_le_bytes());
            bytes[8..].copy_from_slice(&document.to_le_bytes());
            RequestLengths::decode(bytes, 1000)
        };
        assert_eq!(lengths(5, 1000), Some(RequestLengths { head: 5, document: 1000 }));
        assert_eq!(lengths(5, 1001), None);
        assert_eq!(lengths(MAX_HEAD as u64 + 1, 1), None);
        assert_eq!(lengths(u64::MAX, u64::MAX), None);
    }
}
