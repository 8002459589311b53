//! WACZ 1.1.1: an archive as one file that replay software opens, over the web too.
//!
//! A zip file with the WARC files as they are, a sorted and compressed index of them, lists of pages with titles and
//! texts, and a description that names every file with its length and SHA-256. [`WaczWriter`] makes one in bounded
//! memory; [`Wacz`] reads those of strangers, and says which of their files are not what the description claims.
//! <https://specs.webrecorder.net/wacz/1.1.1/>

mod pages;
mod reading;
#[cfg(test)]
mod tests;
mod writing;
mod zip;
mod zip_num;

pub use pages::{PageList, WaczPage};
pub use reading::{PackageFaults, PackedWarc, UnpackedWarc, Wacz};
pub use writing::{WaczHead, WaczWriter, WaczWritten};

/// Names within a package.
const ARCHIVE: &str = "archive/";
const INDEX: &str = "indexes/index.cdx.gz";
const INDEX_OF_INDEX: &str = "indexes/index.idx";
const PAGES: &str = "pages/pages.jsonl";
const EXTRA_PAGES: &str = "pages/extraPages.jsonl";
const DESCRIPTION: &str = "datapackage.json";
const DESCRIPTION_DIGEST: &str = "datapackage-digest.json";

/// The version of the format that is written.
const VERSION: &str = "1.1.1";
