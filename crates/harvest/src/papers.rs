//! Documents made of pages: which bodies are some, and how they are read in a confined process.
//!
//! States the order in which readers are tried: our own first; Ghostscript for PostScript that TeX did
//! not make; pdftotext where our own reading of a PDF makes no sense. What those programs answer was
//! made of a stranger's document as well, so it is read in the confined process, too.

use crate::paper_heads::head_labels;
use auslese_layout::{
    Format, LayoutText, PLAUSIBLE, PageLimit, ReadLimits, labelled_tree, plausibility, read,
    read_bbox_layout, read_ghostscript_text, unpack,
};
use auslese_markup::Page;
use auslese_model::Oddity;
use auslese_reader::{Helper, Readers, Request, Unread};

/// What the output of other programs is called between the two sides.
const GHOSTSCRIPT_TEXT: &str = "ghostscript-text";
const BBOX_LAYOUT: &str = "bbox-layout";

/// Pages that are read where title, authors and abstract are looked for.
pub const PAPER_PAGES: u32 = 60;

/// Bytes that are unpacked to see what a packed document is: its sign lies in the first few.
const SNIFFED: usize = 64 << 10;

/// Whether a body is a document made of pages, whatever its header says; packed ones are unpacked as
/// far as that takes.
pub fn is_paper(bytes: &[u8], name: &str, mime_type: Option<&str>) -> bool {
    let limits = ReadLimits { unpacked: SNIFFED, ..ReadLimits::default() };
    let (beginning, _) = unpack(bytes, &limits);
    Format::of(&beginning, Some(name), mime_type).is_some()
}

/// A document made of pages that was read.
#[derive(Debug)]
pub struct Paper {
    /// As heuristics see it.
    pub page: Page,
    /// Its words alone, as far as it was read.
    pub text: String,
    /// What was wrong with it, if anything.
    pub trouble: Option<String>,
}

impl Paper {
    /// Reads a paper in a confined process; the error says why there is nothing to see.
    pub fn read(readers: &Readers, request: &Request<'_>) -> Result<Paper, String> {
        let layout = paper_layout(readers, request)?;
        let troubles: Vec<String> = layout.oddities.iter().map(in_words).collect();
        let trouble = (!troubles.is_empty()).then(|| troubles.join("; "));
        let page = labelled_tree(&layout, &head_labels(&layout));
        Ok(Paper { page, text: layout.text(), trouble })
    }
}

/// The words of a paper with their places, read in a confined process; the error says why there is nothing to see.
pub fn paper_layout(readers: &Readers, request: &Request<'_>) -> Result<LayoutText, String> {
    let layout = read_paper(readers, request).map_err(|why| why.to_string())?;
    match why_empty(&layout) {
        Some(why) => Err(why),
        None => Ok(layout),
    }
}

fn in_words(oddity: &Oddity) -> String {
    format!("{}: {}", oddity.kind, oddity.detail)
}

/// The side of the confined process: reads one document, whatever it is.
pub fn read_document(request: &Request<'_>) -> Result<LayoutText, Unread> {
    match request.format {
        GHOSTSCRIPT_TEXT => {
            return Ok(read_ghostscript_text(&String::from_utf8_lossy(request.bytes)));
        }
        BBOX_LAYOUT => return Ok(read_bbox_layout(&String::from_utf8_lossy(request.bytes))),
        _ => {}
    }
    let pages = request.pages.map_or(PageLimit::All, |count| PageLimit::First(count as usize));
    let limits = ReadLimits { pages, ..ReadLimits::default() };
    let (bytes, oddity) = unpack(request.bytes, &limits);
    let named = |hint: &'_ str| (!hint.is_empty()).then(|| hint.to_owned());
    let (name, mime) = (named(request.name), named(request.mime_type));
    let format = Format::of(&bytes, name.as_deref(), mime.as_deref())
        .ok_or_else(|| Unread::NoReader { format: "what this document is".to_owned() })?;
    let mut text = read(&bytes, format, &limits);
    text.oddities.extend(oddity);
    Ok(text)
}

/// Reads a document made of pages; the error says why it cannot be.
fn read_paper(readers: &Readers, request: &Request<'_>) -> Result<LayoutText, Unread> {
    let text = readers.read(request)?;
    let (bytes, _) = unpack(request.bytes, &ReadLimits::default());
    let (helper, answer_format) = match Format::of(&bytes, Some(request.name), None) {
        Some(Format::PostScript) if text.pages.is_empty() => {
            (Helper::Ghostscript, GHOSTSCRIPT_TEXT)
        }
        Some(Format::Pdf) if is_implausible(&text) => (Helper::Pdftotext, BBOX_LAYOUT),
        _ => return Ok(text),
    };
    let helped = match readers.ask(helper, &bytes, request.pages) {
        Ok(helped) => helped,
        Err(why) if text.pages.is_empty() => return Err(why),
        Err(why) => return Ok(with_oddity(text, why.kind(), &why)),
    };
    let answer = Request { format: answer_format, bytes: &helped.output, ..*request };
    let other = readers.read(&answer)?;
    let other = match helped.broken_off {
        Some(why) if other.pages.is_empty() => return Err(why),
        Some(why) => with_oddity(other, why.kind(), &why),
        None => other,
    };
    let is_better = plausibility(&other.text()) > plausibility(&text.text());
    Ok(match is_better {
        true => LayoutText { properties: text.properties, page_count: text.page_count, ..other },
        false => text,
    })
}

fn with_oddity(mut text: LayoutText, kind: &str, why: &Unread) -> LayoutText {
    text.oddities.push(Oddity::new(kind, why.to_string()));
    text
}

/// A PDF that has text, but none that makes sense. One without any is a scan, of which nobody can make
/// text.
fn is_implausible(text: &LayoutText) -> bool {
    let words = text.text();
    !words.trim().is_empty() && plausibility(&words) < PLAUSIBLE
}

/// Why a text that was read has nothing to say, in the words of its reader.
fn why_empty(text: &LayoutText) -> Option<String> {
    let has_words = text.pages.iter().any(|page| !page.blocks.is_empty());
    if has_words {
        return None;
    }
    let said: Vec<String> = text.oddities.iter().map(in_words).collect();
    Some(match said.is_empty() {
        true => "there is no text in it; it may be a scan".to_owned(),
        false => said.join("; "),
    })
}
