//! The fixed words for what servers do wrong, and a collector that counts them.
//!
//! One response gives at most one oddity per kind: its detail shows the first case, and how many
//! there were. So a header of ten thousand bad lines does not become ten thousand oddities.

use auslese_model::Oddity;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal;)*) => {
        $($(#[$doc])* pub const $name: &str = $word;)*

        /// All kinds this crate reports.
        pub const ALL: &[&str] = &[$($name),*];
    };
}

kinds! {
    /// Empty lines before the status line.
    LEADING_LINES = "empty-lines-before-status";
    /// A status line that is understood but breaks the form: `HTTP/1.1 200`, `ICY 200 OK`.
    STATUS_LINE = "bad-status-line";
    /// Header lines that end with LF alone.
    BARE_LF = "bare-lf";
    /// A CR within a header line.
    BARE_CR = "bare-cr";
    /// A header line without a colon or without a name; it stays in the raw header only.
    HEADER_LINE = "bad-header-line";
    /// White space between a header name and its colon.
    SPACE_BEFORE_COLON = "space-before-colon";
    /// A header name with characters that names do not have.
    HEADER_NAME = "odd-header-name";
    /// A header value continued on a second line.
    FOLDED_LINE = "folded-header-line";
    /// A NUL in a header.
    NUL_IN_HEADER = "nul-in-header";
    /// A header value that is not ASCII.
    NON_ASCII = "non-ascii-header";
    /// `101 Switching Protocols`, which nobody asked for.
    SWITCHING = "unasked-switching-protocols";
    /// Both `Content-Length` and a chunked body; the chunks count.
    LENGTH_AND_CHUNKED = "length-and-chunked";
    /// The same length said twice.
    REPEATED_LENGTH = "repeated-length";
    /// Several lengths; the largest counts.
    CONFLICTING_LENGTHS = "conflicting-lengths";
    /// A length that is no number.
    BAD_LENGTH = "bad-length";
    /// A transfer coding other than `chunked`.
    TRANSFER_CODING = "unknown-transfer-coding";
    /// Said to be chunked, but is not; taken as it came.
    NOT_CHUNKED = "not-chunked";
    /// Chunk framing that breaks off in nonsense.
    BAD_CHUNK = "bad-chunk";
    /// Bytes after the end of the response.
    TRAILING_BYTES = "bytes-after-response";
    /// A body cut because it came more slowly than `min_rate`.
    TOO_SLOW = "slower-than-min-rate";
    /// A TLS connection that ended without saying so.
    NO_CLOSE_NOTIFY = "no-close-notify";
    /// A header that we were to send but that cannot stand in a request.
    UNSENDABLE_HEADER = "unsendable-header";
    /// A content coding we cannot read.
    CONTENT_CODING = "unknown-content-coding";
    /// More content codings on top of each other than anyone needs.
    CODING_LAYERS = "too-many-content-codings";
    /// Said to be compressed, but is not.
    NOT_COMPRESSED = "not-compressed";
    /// Compressed data that break off.
    CUT_CONTENT = "cut-compressed-content";
    /// Compressed data with an error inside.
    BROKEN_CONTENT = "broken-compressed-content";
    /// The checksum or length after compressed data is wrong.
    CONTENT_CHECKSUM = "wrong-content-checksum";
    /// Bytes after the end of compressed data.
    TRAILING_CONTENT = "bytes-after-content";
    /// The decompressed size limit was reached.
    DECODED_SIZE = "decompressed-size-limit";
    /// The compression ratio limit was reached: a bomb.
    DECODED_RATIO = "decompression-ratio-limit";
}

/// Longest piece of foreign bytes shown in a detail.
const SHOWN_BYTES: usize = 120;

/// Collects oddities by kind.
#[derive(Debug, Default, Clone)]
pub(crate) struct Oddities {
    found: Vec<(&'static str, u32, String)>,
}

impl Oddities {
    pub(crate) fn note(&mut self, kind: &'static str, detail: impl FnOnce() -> String) {
        match self.found.iter_mut().find(|(known, ..)| *known == kind) {
            Some((_, count, _)) => *count = count.saturating_add(1),
            None => self.found.push((kind, 1, detail())),
        }
    }

    pub(crate) fn append(&mut self, other: Oddities) {
        for (kind, count, detail) in other.found {
            match self.found.iter_mut().find(|(known, ..)| *known == kind) {
                Some((_, known, _)) => *known = known.saturating_add(count),
                None => self.found.push((kind, count, detail)),
            }
        }
    }

    pub(crate) fn into_list(self) -> Vec<Oddity> {
        self.found
            .into_iter()
            .map(|(kind, count, detail)| match count {
                1 => Oddity::new(kind, detail),
                _ => Oddity::new(kind, format!("{detail} ({count} times)")),
            })
            .collect()
    }
}

/// Foreign bytes as they may stand in a message: short, and without control characters.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes.iter().take(SHOWN_BYTES) {
        match byte {
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    if bytes.len() > SHOWN_BYTES {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_by_kind() {
        let mut oddities = Oddities::default();
        for line in ["first", "second", "third"] {
            oddities.note(HEADER_LINE, || line.to_owned());
        }
        oddities.note(BARE_LF, || "line 1".to_owned());
        let list = oddities.into_list();
        assert_eq!(list[0], Oddity::new("bad-header-line", "first (3 times)"));
        assert_eq!(list[1], Oddity::new("bare-lf", "line 1"));
    }

    #[test]
    fn shown_bytes_are_harmless() {
        assert_eq!(shown(b"a\r\n\x00\xe9"), "a\\x0d\\x0a\\x00\\xe9");
        assert!(shown(&[b'x'; 1000]).len() < 200);
    }

    #[test]
    fn kinds_are_distinct() {
        let mut kinds = ALL.to_vec();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), ALL.len());
    }
}
