//! A document as it is given away: what the catalog knows of it, what it says about itself, and its text.
//!
//! Whoever walks over a harvest makes these values; every format is a function of them.

use auslese_markup::{BlockKind, Page, Place};
use auslese_model::{
    Content, CorpusVerdict, Description, Digest, Field, Format, Keeping, RequestId, Statement,
    Timestamp,
};

/// One document with all that can be given away of it.
#[derive(Debug)]
pub struct ExportedDocument {
    /// The number of its request, by which it is named in every format.
    pub request: RequestId,
    pub url: String,
    pub host: String,
    /// The institution it belongs to.
    pub institution: Option<String>,
    pub verdict: CorpusVerdict,
    pub capture: CaptureNote,
    /// None if it was not read out yet.
    pub content: Option<Content>,
    /// None if it was not described.
    pub description: Option<Description>,
    /// What links to it say, with how often, the most frequent first.
    pub anchors: Vec<(String, u64)>,
    /// Where its links lead, with their words.
    pub links: Vec<(String, Option<String>)>,
    pub text: DocumentText,
    /// Why there is no text, or not all of it.
    pub trouble: Option<String>,
}

/// The capture that stands for a document.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptureNote {
    /// When the body was captured first.
    pub at: Timestamp,
    pub status: Option<u16>,
    pub last_modified: Option<Timestamp>,
    pub media_type: Option<String>,
    pub charset: Option<String>,
    /// In bytes: as stated by its server, else as received.
    pub size: Option<u64>,
    pub payload_digest: Option<Digest>,
    /// `urn:uuid:…` of the WARC record.
    pub record_id: Option<String>,
    pub warc_file: Option<String>,
    pub warc_offset: Option<u64>,
    /// How often it was captured with another body.
    pub versions: u64,
    /// The server has taken it away since.
    pub gone: bool,
}

impl CaptureNote {
    /// A capture of which nothing is known but its time.
    pub fn at(at: Timestamp) -> CaptureNote {
        CaptureNote {
            at,
            status: None,
            last_modified: None,
            media_type: None,
            charset: None,
            size: None,
            payload_digest: None,
            record_id: None,
            warc_file: None,
            warc_offset: None,
            versions: 1,
            gone: false,
        }
    }
}

/// What there is to read.
#[derive(Debug, Default)]
pub enum DocumentText {
    /// Nothing, or it was not asked for.
    #[default]
    None,
    /// A web page with its mark-up.
    Page(Box<Page>),
    /// Paragraph by paragraph.
    Paragraphs(Vec<Paragraph>),
}

/// A piece that a reader takes as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    /// White space normalised; lines by line feeds, cells by tabs.
    pub text: String,
    pub kind: BlockKind,
    pub place: Place,
    /// As its mark-up declares.
    pub lang: Option<String>,
    /// Why it is no text proper, if so.
    pub boilerplate: Option<&'static str>,
}

impl Paragraph {
    /// Text of which nothing else is known.
    pub fn plain(text: impl Into<String>) -> Paragraph {
        Paragraph {
            text: text.into(),
            kind: BlockKind::Paragraph,
            place: Place::Main,
            lang: None,
            boilerplate: None,
        }
    }
}

/// What holds for the whole export.
#[derive(Debug, Clone, PartialEq)]
pub struct CorpusHead {
    /// What the collection is called.
    pub title: String,
    /// Whose documents they are.
    pub institutions: Vec<String>,
    /// Which documents were taken, in words.
    pub selection: String,
    /// The program that wrote it.
    pub version: String,
    pub at: Timestamp,
}

impl ExportedDocument {
    /// The name of the document in all formats; also an XML name.
    pub fn id(&self) -> String {
        format!("d{}", self.request.0)
    }

    /// The values of a field that are said aloud, best first.
    pub fn chosen(&self, field: Field) -> impl Iterator<Item = &Statement> {
        self.description.iter().flat_map(move |description| description.chosen(field))
    }

    /// What is shown as its title: the one that was chosen, else what stands in its head, else the end of its address.
    pub fn title(&self) -> &str {
        let said = self.chosen(Field::Title).next().map(|it| it.value.as_str());
        let written = || self.content.as_ref()?.title.as_deref();
        let title = said.or_else(written).filter(|title| !title.trim().is_empty());
        title.unwrap_or_else(|| {
            let address = self.url.trim_end_matches('/');
            address.rsplit('/').next().unwrap_or(address)
        })
    }

    /// The language that was recognised; none where nothing can be said.
    pub fn language(&self) -> Option<&str> {
        let note = self.content.as_ref()?.language.as_ref()?;
        Some(note.language.as_str()).filter(|tag| *tag != "und")
    }

    pub fn format(&self) -> Option<Format> {
        self.content.as_ref().map(|content| content.format)
    }

    pub fn is_kept(&self) -> bool {
        self.verdict.keeping == Keeping::Kept
    }

    /// The text paragraph by paragraph, whatever it was read from.
    pub fn paragraphs(&self) -> Vec<Paragraph> {
        match &self.text {
            DocumentText::None => Vec::new(),
            DocumentText::Paragraphs(paragraphs) => paragraphs.clone(),
            DocumentText::Page(page) => page
                .blocks()
                .into_iter()
                .map(|block| Paragraph {
                    text: block.text,
                    kind: block.kind,
                    place: block.place,
                    lang: block.lang,
                    boilerplate: None,
                })
                .collect(),
        }
    }
}

/// The words for kinds and places of paragraphs, the same in all formats.
pub(crate) fn kind_name(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Heading(_) => "heading",
        BlockKind::Paragraph => "paragraph",
        BlockKind::ListItem => "item",
        BlockKind::Cell => "cell",
        BlockKind::Preformatted => "preformatted",
        BlockKind::Other => "other",
    }
}

pub(crate) fn place_name(place: Place) -> &'static str {
    match place {
        Place::Main => "main",
        Place::Navigation => "navigation",
        Place::Header => "header",
        Place::Footer => "footer",
        Place::Aside => "aside",
    }
}
