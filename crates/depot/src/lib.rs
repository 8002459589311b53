//! The depot: object storage that speaks the protocol of S3, as a place for archive files, exports and snapshots of
//! search indexes.
//!
//! It knows one bucket of a store that the operator named, and reaches nothing else. Requests are signed, have limits
//! on time and length, and are sent again where that makes sense ([`Depot`]). Files are stored in parts and never over
//! something else ([`Depot::upload`]); archive files are read by stretches, which all readers share ([`StoredFiles`]).
//! Errors name the object, the cause, and what to do ([`DepotError::hint`]).
//!
//! What lies where is written down elsewhere: this room decides nothing about a harvest.
//!
//! ```no_run
//! use auslese_depot::{Depot, DepotSettings, StoreAddress, Writing};
//!
//! let address: StoreAddress = "s3://archive/giessen".parse()?;
//! let depot = Depot::new(DepotSettings::default(), &address.bucket)?;
//! let key = address.below("notes.txt").key;
//! depot.write(&key, b"seen and counted", Writing::New)?;
//! assert_eq!(depot.read(&key, 9, 7)?, b"counted");
//! # Ok::<(), auslese_depot::DepotError>(())
//! ```

mod address;
mod answers;
mod client;
mod connection;
mod credentials;
mod error;
mod files;
mod folders;
mod objects;
mod probe;
mod settings;
mod sign;
mod uploading;

pub use address::StoreAddress;
pub use answers::{Listed, Unfinished};
pub use client::Depot;
pub use error::DepotError;
pub use files::StoredFiles;
pub use folders::{FolderFile, FolderNote, MANIFEST};
pub use objects::{ObjectNote, Writing};
pub use probe::Probed;
pub use settings::{DepotSettings, SMALLEST_PART};
pub use uploading::{Moment, Onward, Uploaded};
