//! Reads a body once and tells everything that later stages ask about it.
//!
//! What is told depends on the bytes, the header and the address alone, never on rules or on other
//! documents. Nothing fails: what could not be read, or only in part, says so in
//! [`Reading::trouble`].

mod anchors;
mod examine;
mod format;
mod loose;
mod magic;
mod plain;
mod targets;

pub use anchors::MAX_ANCHOR_TEXT;
pub use examine::{READER, examine};
pub use loose::looks_like_html;
pub use targets::{MAX_TARGETS, Target};

use crate::features::{MAX_ELEMENT_NAMES, count_elements, count_text};
use crate::{conformance, structure};
use auslese_markup::{
    BlockKind, MAX_DOCUMENT, Place, TextBlock, decode, decode_plain, parse, undecodable,
};
use auslese_model::{Conformance, Counts, Format, Oddity, Part};
use std::collections::BTreeMap;
use url::Url;

pub use crate::features::Boilerplate;

/// Longest title that is kept, in characters.
pub const MAX_TITLE: usize = 500;

/// What was read out of one body.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub format: Format,
    /// Why nothing could be read, or only a part; or that the header is wrong.
    pub trouble: Option<String>,
    /// Length of the body.
    pub bytes: u64,
    pub title: Option<String>,
    /// The language the page declares as a whole.
    pub html_lang: Option<String>,
    /// The visible text in the order of the document.
    pub blocks: Vec<Block>,
    pub counts: Counts,
    pub elements: BTreeMap<String, u32>,
    pub features: BTreeMap<String, f64>,
    pub conformance: Option<Conformance>,
    pub structure: Option<u64>,
    pub generator: Option<String>,
    pub parts: Vec<Part>,
    /// What the page links to, each address once.
    pub targets: Vec<Target>,
}

/// A block of text, with whether it is boilerplate and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub text: String,
    pub kind: BlockKind,
    pub lang: Option<String>,
    pub place: Place,
    /// Characters without white space, and those of them inside links.
    pub characters: u32,
    pub link_characters: u32,
    /// None for text proper.
    pub boilerplate: Option<Boilerplate>,
}

impl Block {
    pub(crate) fn new(block: TextBlock, boilerplate: Option<Boilerplate>) -> Block {
        let TextBlock { text, kind, lang, place, characters, link_characters } = block;
        Block { text, kind, lang, place, characters, link_characters, boilerplate }
    }
}

impl Reading {
    /// Reads a body without content coding. `media_type` and `charset` are what the header says.
    pub fn of(body: &[u8], media_type: Option<&str>, charset: Option<&str>, url: &Url) -> Reading {
        let media_type = media_type.map(|name| name.trim().to_ascii_lowercase());
        let length = body.len() as u64;
        let finding = format::find(body, media_type.as_deref(), charset);
        let mut troubles = Troubles::new(finding.trouble);
        if body.len() > MAX_DOCUMENT && has_text(finding.format) {
            troubles
                .add(format!("only the first {MAX_DOCUMENT} of {} bytes were read", body.len()));
        }
        let body = &body[..body.len().min(MAX_DOCUMENT)];
        let mut reading = match finding.format {
            Format::Html => Reading::html(body, charset, url, &mut troubles),
            Format::Text => {
                let (text, _) = decode_plain(body, charset);
                troubles.odd(undecodable(&text).as_slice());
                Reading::with_text(Format::Text, plain::paragraphs(&text))
            }
            Format::Xml => Reading::xml(body, charset, &mut troubles),
            Format::Paper | Format::Binary | Format::Empty => Reading::without_text(finding.format),
        };
        reading.trouble = troubles.told();
        reading.bytes = length;
        reading
    }

    /// The same body, known to be a document made of pages: whatever in it looks like text is no prose.
    pub fn as_paper(self) -> Reading {
        let Reading { trouble, bytes, .. } = self;
        // That no prose is taken from it is what a paper is, not what is wrong with it.
        let trouble = trouble.filter(|trouble| !trouble.ends_with(format::NO_TEXT));
        Reading { trouble, bytes, ..Reading::without_text(Format::Paper) }
    }

    /// For a body that cannot be had, with the reason.
    pub fn unreadable(why: &str) -> Reading {
        Reading { trouble: Some(why.to_owned()), ..Reading::without_text(Format::Empty) }
    }

    /// The texts of the blocks.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().map(|block| block.text.as_str())
    }

    fn html(body: &[u8], charset: Option<&str>, url: &Url, troubles: &mut Troubles) -> Reading {
        let page = parse(body, charset);
        troubles.odd(page.oddities());
        let mut reading = Reading::without_text(Format::Html);
        reading.elements = count_elements(page.tree(), &mut reading.counts);
        reading.title = page.title().map(|title| title.chars().take(MAX_TITLE).collect());
        reading.html_lang = page.lang().map(str::to_owned);
        reading.conformance = Some(conformance::conformance(&page));
        reading.structure = structure::fingerprint(page.tree());
        reading.generator = structure::generator(&page);
        reading.parts = structure::parts(&page, url);
        let (targets, left_out) = targets::targets(&page, url);
        reading.targets = targets;
        if left_out > 0 {
            troubles.add(format!("{left_out} of the addresses it links to were not noted"));
        }
        let blocks = page.blocks();
        // The tree may be larger than the text: it goes before words are counted.
        drop(page);
        reading.take_text(blocks);
        reading
    }

    fn xml(body: &[u8], charset: Option<&str>, troubles: &mut Troubles) -> Reading {
        let (text, _) = decode(body, charset);
        troubles.odd(undecodable(&text).as_slice());
        let mut elements = BTreeMap::new();
        let blocks = plain::xml(&text, &mut elements, MAX_ELEMENT_NAMES);
        Reading { elements, ..Reading::with_text(Format::Xml, blocks) }
    }

    fn with_text(format: Format, blocks: Vec<TextBlock>) -> Reading {
        let mut reading = Reading::without_text(format);
        reading.take_text(blocks);
        reading
    }

    fn take_text(&mut self, blocks: Vec<TextBlock>) {
        self.blocks = count_text(blocks, &mut self.counts, &mut self.features);
    }

    fn without_text(format: Format) -> Reading {
        Reading {
            format,
            trouble: None,
            bytes: 0,
            title: None,
            html_lang: None,
            blocks: Vec::new(),
            counts: Counts::default(),
            elements: BTreeMap::new(),
            features: BTreeMap::new(),
            conformance: None,
            structure: None,
            generator: None,
            parts: Vec::new(),
            targets: Vec::new(),
        }
    }
}

fn has_text(format: Format) -> bool {
    matches!(format, Format::Html | Format::Text | Format::Xml)
}

/// Collects what there is to say.
struct Troubles(Vec<String>);

impl Troubles {
    fn new(first: Option<String>) -> Troubles {
        Troubles(first.into_iter().collect())
    }

    fn add(&mut self, trouble: String) {
        self.0.push(trouble);
    }

    fn odd(&mut self, oddities: &[Oddity]) {
        self.0.extend(oddities.iter().map(|oddity| format!("{}: {}", oddity.kind, oddity.detail)));
    }

    fn told(self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join("; "))
    }
}

#[cfg(test)]
mod tests;
