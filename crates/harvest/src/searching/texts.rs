//! The text of a stored document as it is searched: everything a reader would see, and its headings.

use crate::corpus::body_at;
use crate::papers::{PAPER_PAGES, Paper};
use auslese_archive::Holdings;
use auslese_catalog::BodyPlace;
use auslese_corpus::Reading;
use auslese_markup::{BlockKind, parse_text};
use auslese_model::{Format, HeaderFields};
use auslese_reader::{Readers, Request};
use std::panic::{AssertUnwindSafe, catch_unwind};
use url::Url;

/// What is searched of a document's body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct DocumentText {
    /// Paragraph by paragraph, one a line.
    pub(super) text: String,
    pub(super) headings: Vec<String>,
}

impl DocumentText {
    /// Reads a body; and why there is no text, if there should be one.
    pub(super) fn read(
        archive: &Holdings,
        stored: &BodyPlace,
        format: Option<Format>,
        readers: &Readers,
    ) -> (DocumentText, Option<String>) {
        let attempt = AssertUnwindSafe(|| DocumentText::of(archive, stored, format, readers));
        let read = catch_unwind(attempt)
            .unwrap_or_else(|_| Err("the program failed on this document".to_owned()));
        match read {
            Ok(text) => (text, None),
            Err(why) => (DocumentText::default(), Some(why)),
        }
    }

    fn of(
        archive: &Holdings,
        stored: &BodyPlace,
        format: Option<Format>,
        readers: &Readers,
    ) -> Result<DocumentText, String> {
        // A picture has no text, so its body need not be read.
        if matches!(format, Some(Format::Binary | Format::Empty)) {
            return Ok(DocumentText::default());
        }
        let body = body_at(archive, &stored.storage, stored.payload_length, stored.truncated)?;
        let content_type = stored.content_type.clone();
        let fields = HeaderFields { content_type, ..HeaderFields::default() };
        let (media_type, charset) = (fields.media_type(), fields.charset());
        let url = Url::parse(&stored.url).map_err(|_| "its address cannot be read".to_owned())?;
        match format {
            Some(Format::Html) => Ok(page(&body.bytes, charset.as_deref())),
            Some(Format::Paper) => {
                let request = Request {
                    name: url.path(),
                    mime_type: media_type.as_deref().unwrap_or_default(),
                    pages: Some(PAPER_PAGES),
                    bytes: &body.bytes,
                    ..Request::default()
                };
                let text = Paper::read(readers, &request)?.text;
                Ok(DocumentText { text, headings: Vec::new() })
            }
            _ => {
                let (media_type, charset) = (media_type.as_deref(), charset.as_deref());
                let reading = Reading::of(&body.bytes, media_type, charset, &url);
                let text = reading.texts().collect::<Vec<_>>().join("\n");
                Ok(DocumentText { text, headings: Vec::new() })
            }
        }
    }
}

fn page(bytes: &[u8], charset: Option<&str>) -> DocumentText {
    let blocks = parse_text(bytes, charset).blocks();
    let mut text = String::with_capacity(blocks.iter().map(|block| block.text.len() + 1).sum());
    let mut headings = Vec::new();
    for block in blocks {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&block.text);
        if matches!(block.kind, BlockKind::Heading(_)) {
            headings.push(block.text);
        }
    }
    DocumentText { text, headings }
}
