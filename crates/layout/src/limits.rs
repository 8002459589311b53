//! What reading one document may cost.

use crate::PageLimit;

/// Bytes a packed document (gzip, the parts of a DOCX or ODT together) may unpack to. Theses with
/// hundreds of pages stay below 20 MB of XML or PostScript; ten times that is still read in seconds.
pub const MAX_UNPACKED: usize = 200 << 20;

/// Words kept of one document: ten thick books. What follows is left out and noted.
pub const MAX_WORDS: usize = 1_000_000;

/// The limits of one reading; the default is what the constants say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadLimits {
    /// See [`MAX_UNPACKED`].
    pub unpacked: usize,
    /// See [`MAX_WORDS`].
    pub words: usize,
    /// Pages of a format that has pages.
    pub pages: PageLimit,
}

impl Default for ReadLimits {
    fn default() -> ReadLimits {
        ReadLimits { unpacked: MAX_UNPACKED, words: MAX_WORDS, pages: PageLimit::All }
    }
}
