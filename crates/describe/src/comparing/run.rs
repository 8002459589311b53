//! A run as a file: what it was made with, then one description after another.

use super::{json_lines, metered, xml_reader, xml_writer};
use auslese_model::Description;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};

/// What a run was made with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunHeader {
    /// The name of the set of heuristics, and its digest.
    #[serde(default)]
    pub heuristics: String,
    #[serde(default)]
    pub digest: String,
    /// Which weights: their date or file, in words.
    #[serde(default)]
    pub weights: String,
    /// When, as `2026-11-16T04:17:56Z`.
    #[serde(default)]
    pub date: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunFormat {
    Xml,
    /// One JSON value per line: the header, then the documents.
    JsonLines,
}

/// Why a run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The place is a byte of an XML file.
    #[error("byte {at}: {message}")]
    Xml { at: u64, message: String },
    /// The place is a line, from 1.
    #[error("line {line}: {message}")]
    Line { line: u64, message: String },
    #[error("cannot read the run")]
    Io(#[from] io::Error),
}

/// Writes a run, document by document.
#[derive(Debug)]
pub struct RunWriter<W> {
    to: W,
    format: RunFormat,
}

impl<W: Write> RunWriter<W> {
    pub fn new(mut to: W, format: RunFormat, header: &RunHeader) -> io::Result<RunWriter<W>> {
        match format {
            RunFormat::Xml => xml_writer::write_header(&mut to, header)?,
            RunFormat::JsonLines => json_lines::write_header(&mut to, header)?,
        }
        Ok(RunWriter { to, format })
    }

    pub fn document(&mut self, id: &str, description: &Description) -> io::Result<()> {
        match self.format {
            RunFormat::Xml => xml_writer::write_document(&mut self.to, id, description),
            RunFormat::JsonLines => json_lines::write_document(&mut self.to, id, description),
        }
    }

    /// Writes the end; a run without it is incomplete.
    pub fn finish(mut self) -> io::Result<W> {
        if self.format == RunFormat::Xml {
            xml_writer::write_end(&mut self.to)?;
        }
        self.to.flush()?;
        Ok(self.to)
    }
}

/// Reads a run in either format, and hands over its documents one by one.
///
/// What was handed over before an error is right; an error means that more was to come. A document
/// of more than [`super::MAX_RUN_DOCUMENT`] bytes is refused.
pub fn read_run(
    mut from: impl BufRead,
    mut document: impl FnMut(String, Description),
) -> Result<RunHeader, RunError> {
    let is_xml = from.fill_buf()?.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{');
    let from = metered::Metered::new(from);
    if is_xml {
        xml_reader::read(from, &mut document)
    } else {
        json_lines::read(from, &mut document)
    }
}
