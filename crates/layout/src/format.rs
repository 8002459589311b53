//! Tells in which format a document made of pages is.
//!
//! The bytes decide: servers send PostScript as text and RTF as Word, and people name files as they
//! like. Name and type are asked only where the bytes leave it open, as at the start of PostScript
//! without its first line. What is HTML or plain text under a name like `paper.doc` is none of
//! these formats.

use crate::office::{CompoundFile, OLE_SIGNATURE, Zip};
use memchr::memmem;

/// The formats this crate reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    PostScript,
    Pdf,
    /// Word 6 to 2003.
    Doc,
    Rtf,
    Docx,
    /// OpenDocument text, also flat or in its older form (SXW).
    Odt,
}

/// Bytes at the start among which PDF's sign may lie, as Acrobat allows.
pub const PDF_START: usize = 1024;

/// Bytes at the start among which PostScript's sign may lie, behind commands to a printer.
pub const POSTSCRIPT_START: usize = 8 << 10;

impl Format {
    /// The format of a document that is not packed (see [`crate::unpack`]).
    pub fn of(bytes: &[u8], name: Option<&str>, mime: Option<&str>) -> Option<Format> {
        by_bytes(bytes).or_else(|| by_claim(bytes, name, mime))
    }

    /// The short name, as in settings and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::PostScript => "postscript",
            Format::Pdf => "pdf",
            Format::Doc => "doc",
            Format::Rtf => "rtf",
            Format::Docx => "docx",
            Format::Odt => "odt",
        }
    }
}

fn by_bytes(bytes: &[u8]) -> Option<Format> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = text.trim_ascii_start();
    if bytes.starts_with(&OLE_SIGNATURE) {
        compound_format(bytes)
    } else if bytes.starts_with(b"PK\x03\x04") {
        zip_format(bytes)
    } else if text.starts_with(b"{\\rtf") || text.starts_with(b"{\\urtf") {
        Some(Format::Rtf)
    } else if bytes.starts_with(&DOS_EPS) || text.starts_with(b"%!") {
        Some(Format::PostScript)
    } else if is_flat_odt(text) {
        Some(Format::Odt)
    } else if let Some(at) = find_early(bytes, b"%PDF-", PDF_START) {
        // A PostScript file may print the sign, but then its own comes first.
        let is_postscript = find_early(&bytes[..at], b"%!PS", at).is_some();
        Some(if is_postscript { Format::PostScript } else { Format::Pdf })
    } else {
        let is_markup = text.starts_with(b"<");
        let start = find_early(bytes, b"%!PS-Adobe", POSTSCRIPT_START)
            .or_else(|| printer_prolog(bytes).and(find_early(bytes, b"%!", POSTSCRIPT_START)));
        start.filter(|_| !is_markup).map(|_| Format::PostScript)
    }
}

/// The start of an EPS file with a preview for DOS.
const DOS_EPS: [u8; 4] = [0xC5, 0xD0, 0xD3, 0xC6];

/// PostScript and PDF that lost their first bytes, where someone says that it is one.
fn by_claim(bytes: &[u8], name: Option<&str>, mime: Option<&str>) -> Option<Format> {
    let mime = mime.unwrap_or_default().to_ascii_lowercase();
    let name = name.unwrap_or_default().to_ascii_lowercase();
    let ends = |suffix: &str| name.ends_with(suffix) || name.ends_with(&format!("{suffix}.gz"));
    let is_text = !bytes.is_empty() && !bytes.trim_ascii_start().starts_with(b"<");
    let starts = |sign: &[u8]| find_early(bytes, sign, POSTSCRIPT_START).is_some();
    let says_postscript = mime.contains("postscript") || ends(".ps") || ends(".eps");
    let says_pdf = mime.contains("pdf") || ends(".pdf");
    if says_postscript && is_text && (starts(b"%%Pages") || starts(b"%%Creator") || starts(b"/bop"))
    {
        Some(Format::PostScript)
    } else if says_pdf && is_text && memmem::find(bytes, b" obj").is_some() {
        Some(Format::Pdf)
    } else {
        None
    }
}

fn find_early(bytes: &[u8], sign: &[u8], within: usize) -> Option<usize> {
    memmem::find(&bytes[..bytes.len().min(within + sign.len())], sign)
}

/// Commands to a printer, or the sign of a file sent over a serial line.
fn printer_prolog(bytes: &[u8]) -> Option<()> {
    let starts = [&b"\x1B%-12345X"[..], b"\x1BE", b"@PJL", b"\x04"];
    starts.iter().any(|start| bytes.starts_with(start)).then_some(())
}

/// An OLE file that has Word's text, or a DOCX locked by a password within it. A table or slides
/// with a Word document in them are none.
fn compound_format(bytes: &[u8]) -> Option<Format> {
    let file = CompoundFile::open(bytes)?;
    let names: Vec<&str> = file.names().collect();
    // A file cut off may lack the tables of its directory; then the name is looked for anywhere.
    let has = |name: &str| match names.is_empty() {
        true => {
            let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
            memmem::find(bytes, &wide).is_some()
        }
        false => names.iter().any(|found| found.eq_ignore_ascii_case(name)),
    };
    if has("WordDocument") {
        Some(Format::Doc)
    } else if has("EncryptedPackage") {
        Some(Format::Docx)
    } else {
        None
    }
}

/// A zip archive that is a text document.
fn zip_format(bytes: &[u8]) -> Option<Format> {
    let mut zip = Zip::open(bytes, MIMETYPE);
    let mimetype = zip.part("mimetype").map(|(part, _)| part).unwrap_or_default();
    let kind = String::from_utf8_lossy(&mimetype);
    let texts = ["application/vnd.oasis.opendocument.text", "application/vnd.sun.xml.writer"];
    if texts.iter().any(|text| kind.trim().starts_with(text)) {
        return Some(Format::Odt);
    }
    let is_docx = zip.has("word/document.xml")
        || (zip.has("[Content_Types].xml") && zip.has_in_folder("word"));
    if is_docx {
        Some(Format::Docx)
    } else if zip.has("content.xml") && kind.trim().is_empty() {
        Some(Format::Odt)
    } else {
        None
    }
}

/// Bytes of the part that names an OpenDocument's type.
const MIMETYPE: usize = 200;

fn is_flat_odt(text: &[u8]) -> bool {
    text.starts_with(b"<")
        && find_early(text, b"<office:document ", 2_000).is_some()
        && find_early(text, b"opendocument.text", 8_000).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_bytes() {
        #[rustfmt::skip]
        let cases: [(&[u8], &str, &str, Option<Format>); 16] = [
            // bytes                               name      type                   format
            (b"%!PS-Adobe-2.0\n",                  "",       "text/plain",          Some(Format::PostScript)),
            (b"%!\n/bop",                          "",       "",                    Some(Format::PostScript)),
            (b"\x04%!PS-Adobe-3.0\n",              "",       "",                    Some(Format::PostScript)),
            (b"\x1B%-12345X@PJL ENTER\n%!PS\n",    "a.pdf",  "",                    Some(Format::PostScript)),
            (b"\xC5\xD0\xD3\xC6\x20\0\0\0",        "",       "",                    Some(Format::PostScript)),
            (b"%%Creator: dvips\n%%Pages: 3\n",    "p.ps",   "",                    Some(Format::PostScript)),
            (b"%%Creator: dvips\n%%Pages: 3\n",    "",       "",                    None),
            (b"%PDF-1.4\n",                        "a.ps",   "",                    Some(Format::Pdf)),
            (b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.2",   "",       "",                    Some(Format::Pdf)),
            (b"%!PS\n(%PDF-1.4) show",             "",       "",                    Some(Format::PostScript)),
            (b"{\\rtf1\\ansi",                     "a.doc",  "application/msword",  Some(Format::Rtf)),
            (b"\xEF\xBB\xBF\r\n{\\rtf1",           "",       "",                    Some(Format::Rtf)),
            (b"<html><body>%!PS-Adobe",            "a.doc",  "application/msword",  None),
            (b"PK\x03\x04",                        "a.docx", "",                    None),
            (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",  "a.doc",  "",                    None),
            (b"",                                  "a.pdf",  "application/pdf",     None),
        ];
        for (bytes, name, mime, expected) in cases {
            assert_eq!(
                Format::of(bytes, Some(name), Some(mime)),
                expected,
                "{bytes:?} {name} {mime}"
            );
        }
    }
}
