//! The archive: exchanges go into WARC 1.1 files and come out again.
//!
//! Writing has two halves, so that the costly one can run on many threads. [`encode`] turns an
//! exchange into compressed records; it depends on nothing but its arguments and the system's
//! random source. [`Writer`] copies encoded records into files, knows where each one lies, and
//! keeps the files in step with the catalog: whatever was not committed is cut off at the next
//! start, so a kill at any moment leaves whole records only.
//!
//! [`Holdings`] know where the files lie: in a folder, and perhaps in a store elsewhere.
//!
//! Reading is tolerant: [`Reader`] takes WARC files of any tool and goes on behind damage;
//! [`verify`] says what is wrong with a file, and where; [`cdxj`] writes the index that replay
//! software asks for; [`WaczWriter`] and [`Wacz`] pack archives into one file, and take those of others apart.
//!
//! ```
//! use auslese_archive::{ArchiveSettings, Reader, Writer, encode_resource};
//! use auslese_model::Timestamp;
//!
//! let directory = tempfile::tempdir()?;
//! let settings = ArchiveSettings::default();
//! let answer = encode_resource(
//!     "dns:www.example.org", "text/dns", b"20261115214000\n", Timestamp::now(), &settings)?;
//! let mut writer = Writer::open(directory.path(), settings, &[])?;
//! let place = writer.append(&answer)?;
//! writer.close()?;
//!
//! let mut reader = Reader::open(&directory.path().join(&place.file))?;
//! let kinds = std::iter::from_fn(|| reader.next_record().ok().flatten())
//!     .map(|record| record.kind().to_owned())
//!     .collect::<Vec<_>>();
//! assert_eq!(kinds, ["warcinfo", "resource"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arc;
mod cdxj;
mod chunked;
mod digest;
mod encode;
mod error;
mod flow;
mod gzip;
mod holdings;
mod http_head;
mod metadata;
mod reader;
mod record;
mod recover;
mod rewrite;
mod section;
mod settings;
mod sorted_lines;
mod stored;
mod sums;
mod surt;
mod verify;
mod wacz;
mod writer;

pub use arc::{convert_arc, is_arc};
pub use cdxj::{CdxjIndex, Indexed, cdxj};
pub use digest::{file_digest, payload_digest};
pub use encode::{Encoded, Original, encode, encode_conversion, encode_resource, encode_revisit};
pub use error::{ArchiveError, Damage, PackageFault};
pub use holdings::{Holdings, RemoteFiles};
pub use http_head::{HttpHead, without_transfer_coding};
pub use metadata::Notes;
pub use reader::{BlockReader, Payload, Reader, RecordEnd};
pub use record::{Fields, Record, read_date};
pub use rewrite::{Fate, Form, Moved, Replacement, Rewritten, rewrite, rewrite_bytes};
pub use section::{RemoteFile, Section};
pub use settings::{ArchiveSettings, Description, Framing};
pub use sorted_lines::SortedLines;
pub use stored::{StoredRecord, read_at};
pub use sums::{FileSums, copy_summed};
pub use surt::surt;
pub use verify::{Fault, FaultKind, Report, verify, verify_bytes};
pub use wacz::{
    PackageFaults, PackedWarc, PageList, UnpackedWarc, Wacz, WaczHead, WaczPage, WaczWriter,
    WaczWritten,
};
pub use writer::{Writer, WriterMark, path_of};
