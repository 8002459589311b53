//! What stands before the pages: the comments at the beginning, and the line that starts TeX's part.
//!
//! `TeXDict begin 40258431 52099146 1000 600 600 (paper.dvi) @start` gives the size of the page in
//! TeX's smallest unit, a magnification that is already in all sizes, and the resolution; the oldest
//! versions give the resolution only.

use super::tokens::{Token, Tokens};
use crate::Properties;
use memchr::memmem;

/// Comments are looked for in this part of a file.
const HEADER_BYTES: usize = 8_192;

/// TeX's smallest units in a PostScript point.
const UNITS: f32 = 65_781.76;

#[derive(Debug)]
pub(super) struct Header {
    /// Where the fonts and pages begin.
    pub(super) start: usize,
    /// In dots per inch, across and down.
    pub(super) resolution: (f32, f32),
    pub(super) properties: Properties,
    paper: (f32, f32),
    landscape: bool,
}

impl Header {
    /// Width and height in points.
    pub(super) fn page_size(&self) -> (f32, f32) {
        let (width, height) = self.paper;
        if self.landscape { (width.max(height), width.min(height)) } else { (width, height) }
    }
}

/// `None` if the file is not one of dvips.
pub(super) fn read(bytes: &[u8]) -> Option<Header> {
    let first = &bytes[..bytes.len().min(1_024)];
    memmem::find(first, b"%!")?;
    memmem::find(bytes, b"TeXDict")?;
    // Where it is used, not where it is defined.
    let start =
        memmem::find_iter(bytes, b"@start").find(|place| *place > 0 && bytes[place - 1] != b'/')?;
    memmem::find(&bytes[start..], b"bop")?;
    let line = &bytes[..start];
    let line = &line[memmem::rfind(line, b"TeXDict")?..];
    let mut numbers: Vec<f32> = Vec::new();
    let mut landscape = false;
    for token in Tokens::new(line).take(100) {
        match token {
            Token::Number(number) => numbers.push(number),
            Token::Name(b"@landscape") => landscape = true,
            _ => {}
        }
    }
    let before = &bytes[start.saturating_sub(2_000)..start];
    landscape |= memmem::find(before, b"\n@landscape").is_some();
    let resolution = match numbers[..] {
        [.., across, down] if is_resolution(across) && is_resolution(down) => (across, down),
        [.., only] if is_resolution(only) => (only, only),
        _ => return None,
    };
    let paper = match numbers[..] {
        [.., width, height, _, _, _] if width > UNITS && height > UNITS => {
            (length(width / UNITS), length(height / UNITS))
        }
        _ => (612.0, 792.0),
    };
    let properties = properties(bytes);
    Some(Header { start, resolution, properties, paper, landscape })
}

fn is_resolution(number: f32) -> bool {
    (50.0..=10_000.0).contains(&number)
}

fn length(points: f32) -> f32 {
    points.clamp(0.0, 40_000.0)
}

fn properties(bytes: &[u8]) -> Properties {
    let mut properties = Properties::default();
    for line in bytes[..bytes.len().min(HEADER_BYTES)].split(|byte| matches!(byte, b'\n' | b'\r')) {
        let Some((key, value)) = comment(line) else { continue };
        let property = match key {
            b"Title" => &mut properties.title,
            b"Creator" => &mut properties.producer,
            b"CreationDate" => &mut properties.created,
            b"Author" | b"For" => &mut properties.author,
            _ => continue,
        };
        if property.is_none() && !value.is_empty() {
            *property = Some(value);
        }
    }
    properties
}

/// `%%Key: value`, where the value may be in brackets.
fn comment(line: &[u8]) -> Option<(&[u8], String)> {
    let line = line.strip_prefix(b"%%")?;
    let colon = memchr::memchr(b':', line)?;
    let value = line[colon + 1..].trim_ascii();
    let value =
        value.strip_prefix(b"(").and_then(|value| value.strip_suffix(b")")).unwrap_or(value);
    // Nothing says how these bytes are meant; Latin 1 is what TeX users had.
    let text = match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => value.iter().map(|byte| char::from(*byte)).collect(),
    };
    Some((&line[..colon], text))
}

/// How many pages the comments promise.
pub(super) fn promised_pages(bytes: &[u8]) -> Option<usize> {
    let header = bytes[..bytes.len().min(HEADER_BYTES)].split(|byte| matches!(byte, b'\n' | b'\r'));
    let mut promises = header.filter_map(comment).filter(|(key, _)| *key == b"Pages");
    promises.find_map(|(_, value)| value.split_whitespace().next()?.parse().ok())
}

/// Whether the last page was printed first, for printers that lay sheets face up. The comments say so;
/// without any, numbers of pages that fall from each to the next do: `12 0 bop … 11 1 bop`.
pub(super) fn is_last_page_first(bytes: &[u8], start: usize) -> bool {
    let header = bytes[..bytes.len().min(HEADER_BYTES)].split(|byte| matches!(byte, b'\n' | b'\r'));
    let mut orders = header.filter_map(comment).filter(|(key, _)| *key == b"PageOrder");
    if let Some((_, order)) = orders.next() {
        return order.trim() == "Descend";
    }
    let mut before: Option<f32> = None;
    for place in memmem::find_iter(&bytes[start..], b" bop").take(super::MAX_PAGES) {
        let Some(number) = page_number(&bytes[..start + place]) else { return false };
        if before.is_some_and(|before| number >= before) {
            return false;
        }
        before = Some(number);
    }
    before.is_some() && memmem::find_iter(&bytes[start..], b" bop").nth(1).is_some()
}

/// The number TeX gave the page that begins behind `12 0`.
fn page_number(before: &[u8]) -> Option<f32> {
    let mut tokens = before.rsplit(u8::is_ascii_whitespace).filter(|token| !token.is_empty());
    let number = tokens.nth(1)?;
    (number.len() < 12).then(|| std::str::from_utf8(number).ok()?.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_starts_tex() {
        #[rustfmt::skip]
        let cases = [
            ("TeXDict begin 40258431 52099146 1000 600 300 (a (b) 7.dvi)\n@start", Some((612.0, 600.0, 300.0))),
            ("TeXDict begin 39158280 55380996 1200 600 600 (a.dvi)\r\n@start",     Some((595.28, 600.0, 600.0))),
            ("TeXDict begin 1000 300 300 @start",                                  Some((612.0, 300.0, 300.0))),
            ("TeXDict begin 300 @start",                                           Some((612.0, 300.0, 300.0))),
            ("TeXDict begin @start",                                               None),
            ("TeXDict begin 0 0 @start",                                           None),
        ];
        for (line, expected) in cases {
            let source = format!("%!PS\n/TeXDict 300 dict def /@start{{pop}}N\n{line} 1 0 bop eop");
            let found = read(source.as_bytes()).map(|header| {
                let (across, down) = header.resolution;
                ((header.page_size().0 * 100.0).round() / 100.0, across, down)
            });
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn properties_from_comments() {
        let found =
            properties(b"%!PS-Adobe-2.0\r\n%%Title: (\xFCber.dvi)\r\n%%Pages: 3\r\n%%Title: b\r\n");
        assert_eq!(found.title.as_deref(), Some("über.dvi"));
        assert_eq!(promised_pages(b"%!PS\n%%Pages: (atend)\n%%Pages: 12 1\n"), Some(12));
    }

    #[test]
    fn which_page_comes_first() {
        #[rustfmt::skip]
        let cases = [
            ("%!PS\n%%PageOrder: Descend\n@start 2 0 bop eop 1 1 bop eop",  true),
            ("%!PS\n%%PageOrder: Ascend\n@start 2 0 bop eop 1 1 bop eop",   false),
            ("%!PS\n@start 12 0 bop eop 11 1 bop eop 10 2 bop eop",         true),
            ("%!PS\n@start 1 0 bop eop 2 1 bop eop",                        false),
            // A title page, then the paper from page 1 on.
            ("%!PS\n@start 2 0 bop eop 1 1 bop eop 2 2 bop eop",            false),
            ("%!PS\n@start 7 0 bop eop",                                    false),
            ("%!PS\n@start x y bop eop 1 1 bop eop",                        false),
        ];
        for (source, expected) in cases {
            assert_eq!(is_last_page_first(source.as_bytes(), 6), expected, "{source}");
        }
    }
}
