//! A finished summary, ready to be sent: plain and compressed, with a digest.
//!
//! The digest, and with it the ETag, depends on nothing but the content, so whoever asks again while nothing has
//! changed is sent nothing. A fragment is complete before its first byte leaves, so its length is always
//! announced and a broken transfer is seen; in addition, strict readers of SOIF miss the closing brace. What is
//! longer than a mebibyte lies in a file without a name, which the system removes with the process.

use auslese_model::{DbContent, SoifWriter};
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Bytes;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use tempfile::{SpooledData, SpooledTempFile};

/// Bytes of a fragment in memory; more lies in a file.
pub const MAX_IN_MEMORY: usize = 1 << 20;

/// Bytes that are read from the file at a time.
const PIECE: usize = 64 << 10;

const SECONDS_PER_DAY: u64 = 86_400;

/// A finished summary.
#[derive(Debug, Clone)]
pub struct Fragment {
    pub(crate) plain: Stored,
    pub(crate) gzip: Stored,
    /// Of the plain bytes, in hexadecimal digits.
    pub(crate) digest: String,
}

impl Fragment {
    pub fn write_to(&self, mut out: impl Write) -> io::Result<()> {
        let mut at = 0;
        while at < self.plain.length() {
            let piece = self.plain.piece(at)?;
            out.write_all(&piece)?;
            at += piece.len() as u64;
        }
        Ok(())
    }
}

/// Bytes that do not change any more.
#[derive(Debug, Clone)]
pub(crate) enum Stored {
    Memory(Bytes),
    File { file: Arc<File>, length: u64 },
}

impl Stored {
    fn new(spool: SpooledTempFile) -> io::Result<Stored> {
        Ok(match spool.into_inner() {
            SpooledData::InMemory(cursor) => Stored::Memory(cursor.into_inner().into()),
            SpooledData::OnDisk(file) => {
                let length = file.metadata()?.len();
                Stored::File { file: Arc::new(file), length }
            }
        })
    }

    pub(crate) fn length(&self) -> u64 {
        match self {
            Stored::Memory(bytes) => bytes.len() as u64,
            Stored::File { length, .. } => *length,
        }
    }

    /// The bytes from `at` on, as many as come at once; none at the end.
    pub(crate) fn piece(&self, at: u64) -> io::Result<Bytes> {
        match self {
            Stored::Memory(bytes) => {
                Ok(bytes.slice(usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len())..))
            }
            Stored::File { file, length } => {
                let left = usize::try_from(length.saturating_sub(at)).unwrap_or(usize::MAX);
                let mut piece = vec![0; left.min(PIECE)];
                file.read_exact_at(&mut piece, at)?;
                Ok(piece.into())
            }
        }
    }
}

/// A summary that is being written.
#[derive(Debug)]
pub(crate) struct Draft {
    soif: SoifWriter<Twice>,
    /// Bytes of all values, which the fragment records.
    bytes: usize,
}

impl Draft {
    /// Begins with what the document says about the database.
    pub(crate) fn begin(content: &DbContent) -> io::Result<Draft> {
        let mut soif =
            SoifWriter::begin(Twice::new(), "DBFRAGMENT", Some(content.interface.as_str()))?;
        let said = [("Title", &content.title), ("Description", &content.description)];
        for (name, value) in said {
            soif.attribute(name, value.as_deref().unwrap_or_default().as_bytes())?;
        }
        soif.attribute("Keywords", content.keywords.join("\n").as_bytes())?;
        if let Some(days) = content.refresh_days {
            let seconds = u64::from(days) * SECONDS_PER_DAY;
            soif.attribute("Refresh-Rate", seconds.to_string().as_bytes())?;
        }
        Ok(Draft { soif, bytes: 0 })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn attribute(&mut self, name: &str, joined: &[u8], is_cut: bool) -> io::Result<()> {
        self.bytes += joined.len();
        self.soif.attribute(name, joined)?;
        if is_cut {
            self.soif.attribute(&format!("Truncated-{name}"), b"true")?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<Fragment> {
        self.soif.attribute("File-Size", self.bytes.to_string().as_bytes())?;
        self.soif.end()?.finish()
    }
}

/// Whether a name belongs to what every fragment says, so that an attribute must not have it.
pub(crate) fn is_reserved(name: &str) -> bool {
    // The writer of SOIF drops such signs.
    let name = name.trim_start_matches('@');
    const NAMES: [&str; 5] = ["Title", "Description", "Keywords", "Refresh-Rate", "File-Size"];
    let is_mark = name.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("truncated-"));
    is_mark || NAMES.iter().any(|reserved| reserved.eq_ignore_ascii_case(name))
}

/// Writes everything plain and compressed, and into the digest.
#[derive(Debug)]
struct Twice {
    plain: SpooledTempFile,
    gzip: GzEncoder<SpooledTempFile>,
    digest: Sha256,
}

impl Twice {
    fn new() -> Twice {
        let spool = || SpooledTempFile::new(MAX_IN_MEMORY);
        let gzip = GzEncoder::new(spool(), Compression::default());
        Twice { plain: spool(), gzip, digest: Sha256::new() }
    }

    fn finish(self) -> io::Result<Fragment> {
        Ok(Fragment {
            plain: Stored::new(self.plain)?,
            gzip: Stored::new(self.gzip.finish()?)?,
            digest: HEXLOWER.encode(&self.digest.finalize()),
        })
    }
}

impl Write for Twice {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.plain.write_all(bytes)?;
        self.gzip.write_all(bytes)?;
        self.digest.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::read_soif;
    use flate2::read::GzDecoder;
    use std::io::Read;

    fn content() -> DbContent {
        let text = "Summarizer: http://h.example/s\nURL: http://h.example/form\nDatabase: d\nTitle: Führer\n\
                    Keywords: Hotel, Pension\nRefresh: 7\nTable: t\nAttribute: a\n";
        DbContent::read(text.as_bytes(), None).unwrap()
    }

    fn fragment(value: &[u8]) -> Fragment {
        let mut draft = Draft::begin(&content()).unwrap();
        draft.attribute("t.a", value, true).unwrap();
        draft.finish().unwrap()
    }

    fn all(stored: &Stored) -> Vec<u8> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < stored.length() {
            bytes.extend_from_slice(&stored.piece(bytes.len() as u64).unwrap());
        }
        assert!(stored.piece(stored.length()).unwrap().is_empty());
        bytes
    }

    #[test]
    fn what_a_fragment_says() {
        let mut bytes = Vec::new();
        fragment(b"x\ny").write_to(&mut bytes).unwrap();
        let text = "@DBFRAGMENT { http://h.example/form\nTitle{7}:\tFührer\nKeywords{13}:\tHotel\nPension\n\
                    Refresh-Rate{6}:\t604800\nt.a{3}:\tx\ny\nTruncated-t.a{4}:\ttrue\nFile-Size{1}:\t3\n}\n";
        assert_eq!(String::from_utf8(bytes).unwrap(), text);
    }

    #[test]
    fn small_and_large_are_the_same_in_both_forms() {
        // Not compressible, so that the compressed form goes to a file, too.
        let mut state = 1_u32;
        let mut noise = |length: usize| -> Vec<u8> {
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            };
            (0..length).map(|_| next()).collect()
        };
        for length in [1, 100, MAX_IN_MEMORY + 1, 3 * MAX_IN_MEMORY] {
            let value = noise(length);
            let fragment = fragment(&value);
            let is_file = matches!(fragment.plain, Stored::File { .. });
            assert_eq!(is_file, length > MAX_IN_MEMORY);
            let plain = all(&fragment.plain);
            let mut unpacked = Vec::new();
            GzDecoder::new(&all(&fragment.gzip)[..]).read_to_end(&mut unpacked).unwrap();
            assert!(plain == unpacked, "{length}");
            assert_eq!(read_soif(&plain).unwrap()[0].get("t.a"), Some(&value[..]));
            assert_eq!(fragment.digest, self::fragment(&value).digest);
        }
    }

    #[test]
    fn a_broken_fragment_is_seen() {
        let whole = all(&fragment("Waren\nRöbel}\n@X { y\n".as_bytes()).plain);
        assert_eq!(read_soif(&whole).unwrap().len(), 1);
        for length in 1..whole.len() - 1 {
            assert!(read_soif(&whole[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn reserved_names() {
        for (name, expected) in [
            ("title", true),
            ("@Title", true),
            ("TRUNCATED-x", true),
            ("hotel.title", false),
            ("Truncated", false),
            ("ä", false),
        ] {
            assert_eq!(is_reserved(name), expected, "{name}");
        }
    }
}
