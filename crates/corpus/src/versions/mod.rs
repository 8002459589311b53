//! Decides how a document changed between two captures, and shows where.
//!
//! Two captures are compared in steps, the cheap ones first: is there a document at all; are the
//! bytes equal; are the words equal. Only when words differ is it worth looking which
//! ([`word_diff`]).

mod align;
mod diff;
mod render;

pub use align::MAX_COMPARED_AT_ONCE;
pub use diff::{MAX_WORDS_AT_ONCE, Piece, PieceKind, WordDiff, word_diff};

use auslese_model::Digest;
use serde::{Deserialize, Serialize};

/// One capture of a document, as far as the comparison goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen<'a> {
    /// The digest of the payload.
    pub payload: &'a Digest,
    /// [`text_mark`] of its text; none for formats without text.
    pub text: Option<u64>,
}

/// What happened to a document between two captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// Nothing: the bytes are equal.
    Unchanged,
    /// The words differ.
    Text,
    /// The bytes differ, the words do not.
    Markup,
    /// The bytes differ, and there is no text on at least one side to compare.
    Bytes,
    /// There was a document and is none any more.
    Vanished,
    /// There was none before.
    New,
}

impl ChangeKind {
    pub const ALL: [ChangeKind; 6] = [
        ChangeKind::Unchanged,
        ChangeKind::Text,
        ChangeKind::Markup,
        ChangeKind::Bytes,
        ChangeKind::Vanished,
        ChangeKind::New,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            ChangeKind::Unchanged => "unchanged",
            ChangeKind::Text => "text",
            ChangeKind::Markup => "markup",
            ChangeKind::Bytes => "bytes",
            ChangeKind::Vanished => "vanished",
            ChangeKind::New => "new",
        }
    }

    pub fn parse(text: &str) -> Option<ChangeKind> {
        ChangeKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Compares two captures of one document; `None` stands for an answer without a document, such as
/// 404. Nothing to say if there is a document on neither side.
pub fn change(old: Option<Seen<'_>>, new: Option<Seen<'_>>) -> Option<ChangeKind> {
    Some(match (old, new) {
        (None, None) => return None,
        (None, Some(_)) => ChangeKind::New,
        (Some(_), None) => ChangeKind::Vanished,
        (Some(old), Some(new)) if old.payload == new.payload => ChangeKind::Unchanged,
        (Some(old), Some(new)) => match (old.text, new.text) {
            (Some(old), Some(new)) if old == new => ChangeKind::Markup,
            (Some(_), Some(_)) => ChangeKind::Text,
            _ => ChangeKind::Bytes,
        },
    })
}

/// A number that is equal for texts with the same words and signs in the same order, whatever the
/// space between them: what [`word_diff`] would find no difference in.
pub fn text_mark(text: &str) -> u64 {
    let hash = diff::units(text).fold(0xcbf2_9ce4_8422_2325_u64, |hash, span| {
        let bytes = text[span].bytes().chain([0]);
        bytes.fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
    });
    crate::duplicates::mix(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::Algorithm;
    use proptest::prelude::*;

    #[test]
    fn kinds_of_change() {
        let digest = |byte| Digest { algorithm: Algorithm::Sha1, bytes: vec![byte; 20] };
        let (a, b) = (digest(1), digest(2));
        let seen = |payload, text: &str| Some(Seen { payload, text: Some(text_mark(text)) });
        let bare = |payload| Some(Seen { payload, text: None });
        #[rustfmt::skip]
        let cases = [
            (None,               None,               None),
            (None,               seen(&a, "x"),      Some(ChangeKind::New)),
            (seen(&a, "x"),      None,               Some(ChangeKind::Vanished)),
            (seen(&a, "x y"),    seen(&a, "x y"),    Some(ChangeKind::Unchanged)),
            (seen(&a, "x y"),    seen(&b, "x\n y "), Some(ChangeKind::Markup)),
            (seen(&a, "x y"),    seen(&b, "xy"),     Some(ChangeKind::Text)),
            (seen(&a, "x."),     seen(&b, "x!"),     Some(ChangeKind::Text)),
            (bare(&a),           bare(&b),           Some(ChangeKind::Bytes)),
            (seen(&a, "x"),      bare(&b),           Some(ChangeKind::Bytes)),
        ];
        for (old, new, expected) in cases {
            assert_eq!(change(old, new), expected, "{old:?} {new:?}");
        }
        for kind in ChangeKind::ALL {
            assert_eq!(ChangeKind::parse(kind.as_str()), Some(kind));
        }
    }

    proptest! {
        #[test]
        fn marks_are_equal_where_the_diff_is_empty(a in "[ab .\n]{0,6}", b in "[ab .\n]{0,6}") {
            let equal = !word_diff(&a, &b).has_changes();
            prop_assert_eq!(text_mark(&a) == text_mark(&b), equal, "{:?} {:?}", a, b);
        }
    }
}
