//! How a reader answers: frames of a fixed head and an encoded body.
//!
//! The first frame says that the process is ready and how well it is confined; then there is one
//! frame for each document. The last answer of a process is marked, so that nobody waits for more.

/// What the body of a frame holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameKind {
    /// A [`Confinement`](crate::Confinement).
    Ready,
    /// A `LayoutText`.
    Text,
    /// An [`Unread`](crate::Unread).
    Unread,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FrameHead {
    pub(crate) kind: FrameKind,
    /// The process ends after this frame.
    pub(crate) last: bool,
    pub(crate) body: u64,
}

impl FrameHead {
    pub(crate) const SIZE: usize = 10;

    pub(crate) fn encode(&self) -> [u8; FrameHead::SIZE] {
        let kind = match self.kind {
            FrameKind::Ready => b'R',
            FrameKind::Text => b'T',
            FrameKind::Unread => b'U',
        };
        let mut bytes = [0; FrameHead::SIZE];
        bytes[0] = kind;
        bytes[1] = u8::from(self.last);
        bytes[2..].copy_from_slice(&self.body.to_le_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &[u8; FrameHead::SIZE]) -> Option<FrameHead> {
        let [kind, last, body @ ..] = *bytes;
        let kind = match kind {
            b'R' => FrameKind::Ready,
            b'T' => FrameKind::Text,
            b'U' => FrameKind::Unread,
            _ => return None,
        };
        let last = match last {
            0 => false,
            1 => true,
            _ => return None,
        };
        Some(FrameHead { kind, last, body: u64::from_le_bytes(body) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_head_is_read_as_written_or_refused(bytes: [u8; FrameHead::SIZE]) {
            if let Some(head) = FrameHead::decode(&bytes) {
                prop_assert_eq!(head.encode(), bytes);
            }
        }
    }

    #[test]
    fn heads_are_read_back() {
        for kind in [FrameKind::Ready, FrameKind::Text, FrameKind::Unread] {
            for last in [false, true] {
                let head = FrameHead { kind, last, body: 0x0123_4567_89ab };
                assert_eq!(FrameHead::decode(&head.encode()), Some(head));
            }
        }
        assert_eq!(FrameHead::decode(b"hello worl"), None);
    }
}
