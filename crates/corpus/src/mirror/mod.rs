//! The mirror: kept documents as plain files, in the directory structure of their servers.
//!
//! Two decisions, kept apart. [`mirror_path`] decides from the address alone where a document
//! lies: safely, reversibly, and never where another one lies. [`MirrorWriter`] brings a folder up
//! to date with a list of documents; it is the only part of this crate that touches files.
//!
//! How names are written stands in `docs/mirror.md`.

mod charset;
mod folder;
mod links;
mod manifest;
mod name;
mod opening;
mod path;
mod start_page;
mod writer;

pub use path::{
    MAX_MIRROR_NAME, MAX_MIRROR_PATH, MirrorPath, PathOrigin, RequestMark, mirror_path, url_of,
};
pub use writer::{
    CharsetNote, MAX_FAILURES, MirrorDocument, MirrorError, MirrorReport, MirrorWriter,
};

/// The folder for everything in a mirror that is no document. No host is written like this.
pub(crate) const OWN_FOLDER: &str = "@auslese";
