//! The parts of a zipped document, walked by name, with what was odd about them.

use super::docx::Relations;
use super::flow::Flow;
use super::xml::{Visitor, walk};
use super::zip::Zip;
use crate::{LayoutBlock, ReadLimits};
use auslese_model::Oddity;

#[derive(Debug)]
pub(crate) struct Parts<'a> {
    zip: Zip<'a>,
    bytes: &'a [u8],
    pub(crate) oddities: Vec<Oddity>,
}

/// An unpacked part.
#[derive(Debug)]
pub(crate) struct Part {
    name: String,
    bytes: Vec<u8>,
    is_whole: bool,
}

impl Part {
    /// A document that is one XML file.
    pub(crate) fn flat(bytes: &[u8]) -> Part {
        Part { name: "the document".to_owned(), bytes: bytes.to_vec(), is_whole: true }
    }

    pub(crate) fn walk(&self, visitor: &mut impl Visitor) -> Result<(), Oddity> {
        walk(&self.bytes, visitor)
    }
}

impl<'a> Parts<'a> {
    pub(crate) fn open(bytes: &'a [u8], limits: &ReadLimits) -> Parts<'a> {
        let zip = Zip::open(bytes, limits.unpacked);
        let is_cut_off = bytes.starts_with(b"PK") && !zip.is_whole;
        let oddity = is_cut_off.then(|| Oddity::new("truncated", "the archive has no directory"));
        Parts { zip, bytes, oddities: oddity.into_iter().collect() }
    }

    /// Walks through a part; whether there is one.
    pub(crate) fn walk(&mut self, name: &str, visitor: &mut impl Visitor) -> bool {
        let part = self.part(name);
        if let Some(part) = &part {
            self.walk_through(part, visitor);
        }
        part.is_some()
    }

    /// A part, to be walked through more than once.
    pub(crate) fn part(&mut self, name: &str) -> Option<Part> {
        let (bytes, oddity) = self.zip.part(name)?;
        let is_whole = oddity.is_none();
        self.oddities.extend(oddity);
        Some(Part { name: name.to_owned(), bytes, is_whole })
    }

    pub(crate) fn walk_through(&mut self, part: &Part, visitor: &mut impl Visitor) {
        if part.bytes.is_empty() {
            return;
        }
        // What was cut off breaks the XML too; it is noted once.
        if let Err(oddity) = part.walk(visitor)
            && part.is_whole
        {
            let detail = format!("{}: {}", part.name, oddity.detail);
            self.oddities.push(Oddity::new(oddity.kind, detail));
        }
    }

    /// The part that a part is related to in this way; `""` is the whole document.
    pub(crate) fn related(&mut self, part: &str, kind: &str) -> Option<String> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let slash = if folder.is_empty() { "" } else { "/" };
        let mut relations = Relations { kind, target: None };
        self.walk(&format!("{folder}{slash}_rels/{file}.rels"), &mut relations);
        let target = relations.target?;
        Some(match target.strip_prefix('/') {
            Some(absolute) => absolute.to_owned(),
            None => format!("{folder}{slash}{target}"),
        })
    }

    /// Notes that the parts are encrypted.
    pub(crate) fn locked(&mut self) {
        self.oddities.push(Oddity::new("encrypted", "the parts are locked by a password"));
    }

    /// Notes why the part that holds the text cannot be had.
    pub(crate) fn missing(&mut self, name: &str) {
        let reason = if self.bytes.starts_with(&super::ole::SIGNATURE) {
            Oddity::new("encrypted", "the package is locked by a password")
        } else if !self.bytes.starts_with(b"PK") {
            Oddity::new("not-readable", "no zip archive")
        } else {
            Oddity::new("truncated", format!("no part {name}"))
        };
        self.oddities.push(reason);
    }

    /// The blocks of the text, with a note if words had to be left out.
    pub(crate) fn blocks(&mut self, flow: Flow) -> Vec<LayoutBlock> {
        if flow.full {
            self.oddities.push(Oddity::new("too-many-words", "the rest is left out"));
        }
        flow.finish()
    }
}
