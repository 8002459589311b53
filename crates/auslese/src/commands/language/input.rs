//! A file as blocks of text.
//!
//! HTML is recognised by its name or its beginning, and gives one block per line of
//! its visible text; other text gives one per line. What is neither is refused with the reason.

use crate::messages::{Exit, Failure};
use anyhow::{Context, anyhow};
use auslese_markup::{decode, parse};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// More of a file is not read.
pub(crate) const MAX_LANGUAGE_FILE: u64 = 256 << 20;

/// What is looked at to tell HTML, text and other things apart.
const BEGINNING: usize = 4096;

/// A text that was read.
#[derive(Debug)]
pub(super) struct Input {
    /// The path as it was given.
    pub(super) id: String,
    text: String,
    pub(super) html_lang: Option<String>,
}

impl Input {
    pub(super) fn read(path: &Path) -> Result<Input, Failure> {
        let id = path.to_string_lossy().into_owned();
        let unreadable = |cause: anyhow::Error| {
            Failure::new(Exit::Failures, cause.context(format!("cannot read {id}")))
        };
        let bytes = bytes_of(path).map_err(unreadable)?;
        if let Some(format) = foreign_format(&bytes) {
            return Err(unreadable(anyhow!("it is {format}, not a text")));
        }
        Ok(Input::of(id, &bytes))
    }

    fn of(id: String, bytes: &[u8]) -> Input {
        if !is_html(&id, bytes) {
            let text = decode(bytes, None).0.into_owned();
            return Input { id, text, html_lang: None };
        }
        let page = parse(bytes, None);
        let html_lang = page
            .tree()
            .elements_named("html")
            .find_map(|(_, html)| html.attribute("lang"))
            .map(str::to_owned);
        Input { id, text: page.text(), html_lang }
    }

    pub(super) fn blocks(&self) -> Vec<&str> {
        self.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }
}

fn bytes_of(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(MAX_LANGUAGE_FILE).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path).context("the file cannot be opened")?;
        file.take(MAX_LANGUAGE_FILE).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// A format that is known by its first bytes and holds no text to be read here.
fn foreign_format(bytes: &[u8]) -> Option<&'static str> {
    #[rustfmt::skip]
    let formats: [(&[u8], &str); 7] = [
        (b"%PDF-",             "PDF"),
        (b"%!PS",              "PostScript"),
        (b"PK\x03\x04",        "a ZIP archive"),
        (b"\x1f\x8b",          "compressed"),
        (b"GIF8",              "an image"),
        (b"\xff\xd8\xff",      "an image"),
        (b"\x89PNG",           "an image"),
    ];
    let known = formats.iter().find(|(start, _)| bytes.starts_with(start));
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let beginning = &bytes[..bytes.len().min(BEGINNING)];
    known.map(|(_, format)| *format).or((!wide && beginning.contains(&0)).then_some("binary data"))
}

/// By the name of the file, or by how it begins: some pages begin with messages of the program that
/// made them.
fn is_html(id: &str, bytes: &[u8]) -> bool {
    const NAMES: [&str; 4] = [".html", ".htm", ".xhtml", ".shtml"];
    const CERTAIN: [&str; 2] = ["<!doctype html", "<html"];
    const ELEMENTS: [&str; 8] =
        ["<head", "<body", "<title", "<meta", "<div", "<p>", "<table", "<h1"];
    let name = id.to_ascii_lowercase();
    let beginning = String::from_utf8_lossy(&bytes[..bytes.len().min(BEGINNING)]);
    let beginning = beginning.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']);
    let beginning = beginning.to_ascii_lowercase();
    let has = |signs: &[&str]| signs.iter().any(|sign| beginning.contains(sign));
    NAMES.iter().any(|end| name.ends_with(end))
        || has(&CERTAIN)
        || (beginning.starts_with('<') && has(&ELEMENTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_is() {
        #[rustfmt::skip]
        let cases: &[(&[u8], &[&str], Option<&str>)] = &[
            (b"Hallo\n\nWelt\n",                                 &["Hallo", "Welt"], None),
            (b"<!DOCTYPE html><html lang=de><p>Hallo<p>Welt",    &["Hallo", "Welt"], Some("de")),
            (b"\n <p>K\xF6ln</p>",                               &["Köln"],          None),
            (b"Warning: x\n<!DOCTYPE HTML><p>Hallo",             &["Warning: x", "Hallo"], None),
            (b"a < b <p> c",                                     &["a < b <p> c"],   None),
            (b"\xff\xfeH\0i\0",                                  &["Hi"],            None),
            (b"",                                                &[],                None),
        ];
        for (bytes, blocks, lang) in cases {
            let input = Input::of("x".to_owned(), bytes);
            assert_eq!((input.blocks().as_slice(), input.html_lang.as_deref()), (*blocks, *lang));
        }
        assert_eq!(foreign_format(b"%PDF-1.4"), Some("PDF"));
        assert_eq!(foreign_format(b"a\0b"), Some("binary data"));
        assert_eq!(foreign_format(b"\xff\xfea\0"), None);
    }
}
