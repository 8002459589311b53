//! Word processors' documents: DOCX, ODT, RTF and the Word of 1995 to 2003.
//!
//! None of them says where a word stands, but all say how it is set and what its paragraph is
//! called, through styles that inherit from each other. The readers follow the styles and hand the
//! text to one [`flow`].

mod code_pages;
mod core_properties;
mod doc;
mod docx;
mod flow;
mod odt;
mod ole;
mod ole_properties;
mod parts;
mod rtf;
mod sheet;
mod symbol;
mod xml;
mod zip;

pub(crate) use doc::read_doc;
pub(crate) use docx::read_docx;
pub(crate) use odt::read_odt;
pub(crate) use ole::{CompoundFile, SIGNATURE as OLE_SIGNATURE};
pub(crate) use rtf::read_rtf;
pub(crate) use zip::Zip;

pub use core_properties::MAX_PROPERTY;
pub use rtf::MAX_GROUPS;
pub use sheet::MAX_STYLE_CHAIN;
pub use xml::MAX_PART_DEPTH;
pub use zip::{MAX_ENTRIES, MAX_PART, MAX_RATIO};
