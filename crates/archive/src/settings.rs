//! The settings of the archive, with their defaults.

use auslese_model::Algorithm;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

#[derive(Debug, Clone, PartialEq)]
pub struct ArchiveSettings {
    /// For block and payload digests.
    pub algorithm: Algorithm,
    pub framing: Framing,
    /// A file is closed before it would grow beyond this many bytes; an exchange that is larger
    /// by itself gets a file of its own. 1 GB, the size most tools expect.
    pub rotate_at: u64,
    /// Compression from 0 (none) to 12; more than 12 counts as 12. Level 1 of libdeflate keeps up
    /// with a fast crawl and is smaller than what zlib makes at level 2.
    pub level: u8,
    /// Whether [`crate::Writer::sync`] waits until the disk has the data, so that a power cut
    /// loses nothing that was committed.
    pub fsync: bool,
    /// The beginning of every file name.
    pub prefix: String,
    /// The end of every file name. Workers that share a directory need different ones; a worker
    /// must keep its own across restarts, because recovery removes only files of that name.
    pub worker: String,
    /// Where bodies too large for memory are compressed, in files without a name.
    pub spill_dir: PathBuf,
    pub description: Description,
}

impl Default for ArchiveSettings {
    fn default() -> ArchiveSettings {
        ArchiveSettings {
            algorithm: Algorithm::Sha256,
            framing: Framing::Decoded,
            rotate_at: 1_000_000_000,
            level: 1,
            fsync: false,
            prefix: "auslese".into(),
            worker: "main".into(),
            spill_dir: std::env::temp_dir(),
            description: Description::default(),
        }
    }
}

/// How the body of a chunked response is stored.
///
/// The WARC standard defines the payload of a response as its body without transfer coding, and
/// the payload digest goes over that. `warcio check` compares the digest with the block as it
/// stands, chunk framing included, so a file with wire bytes *and* correct digests fails there.
/// Therefore framing is removed by default: the body is byte for byte what the server meant, the
/// `Transfer-Encoding` line is renamed so that it claims nothing false, and the metadata record
/// keeps chunk sizes and trailer, from which the bytes on the wire can be built again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Framing {
    /// Without transfer coding; all checkers agree.
    #[default]
    Decoded,
    /// As on the wire; correct by the standard, but `warcio check` reports chunked responses.
    Wire,
}

/// What the warcinfo record says of the crawl. Empty fields are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    pub software: String,
    /// Who is responsible, with a contact address.
    pub operator: String,
    pub hostname: String,
    pub user_agent: String,
    /// How robots.txt is treated, such as `obey` or `ignore`.
    pub robots: String,
    /// The name of the harvest or collection.
    pub is_part_of: String,
    pub description: String,
}

impl Default for Description {
    fn default() -> Description {
        Description {
            software: concat!("auslese/", env!("CARGO_PKG_VERSION")).into(),
            operator: String::new(),
            hostname: String::new(),
            user_agent: String::new(),
            robots: String::new(),
            is_part_of: String::new(),
            description: String::new(),
        }
    }
}
