//! Citations: entries of bibliographies taken apart, and the documents they cite.
//!
//! An entry is read from its front: [`authors`] recognises lists of names in the ways they are written,
//! [`entry`] tells title, year, venue and pages by the sign that ends the list, [`identifiers`] finds
//! what names a work for good. [`works`] is an index of known works and decides which of them an entry
//! cites, and on which grounds. Nothing here reads or writes anything.

mod authors;
mod entry;
mod identifiers;
mod titles;
mod works;

#[cfg(test)]
mod tests;

pub(crate) use entry::listed_work;
pub use entry::{MAX_ENTRY, bibliography_entry, citation};
pub use identifiers::{address_identifier, work_identifiers};
pub use works::{CitedWork, MAX_CITED_CANDIDATES, Work, Works};
