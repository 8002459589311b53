//! Plain text: a paragraph a line. In one file, each document begins with a line that names it.

use crate::document::ExportedDocument;
use std::io::{self, Write};

/// What the line that names a document begins with.
const MARK: &str = "=== ";

pub(crate) fn write_document(document: &ExportedDocument, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{MARK}{}", document.url)?;
    write_file(document, out)?;
    writeln!(out)
}

pub(crate) fn write_file(document: &ExportedDocument, out: &mut dyn Write) -> io::Result<()> {
    for paragraph in document.paragraphs() {
        let words: Vec<&str> = paragraph.text.split(['\n', '\r', '\x0c']).collect();
        writeln!(out, "{}", words.join(" "))?;
    }
    Ok(())
}
