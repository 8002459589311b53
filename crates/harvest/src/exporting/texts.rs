//! The text of a stored document as a format needs it: with its mark-up, or paragraph by paragraph.

use crate::corpus::body_at;
use crate::papers::{PAPER_PAGES, Paper};
use auslese_archive::Holdings;
use auslese_catalog::StoredCapture;
use auslese_corpus::{Block, Boilerplate, Reading};
use auslese_export::{DocumentText, Paragraph, TextNeed};
use auslese_markup::parse_text;
use auslese_model::Format;
use auslese_reader::{Readers, Request};
use std::panic::{AssertUnwindSafe, catch_unwind};
use url::Url;

/// Reads a body; and why there is no text, or not all of it.
pub(super) fn read_text(
    archive: &Holdings,
    stored: Option<&StoredCapture>,
    format: Option<Format>,
    need: TextNeed,
    readers: &Readers,
) -> (DocumentText, Option<String>) {
    if need == TextNeed::None {
        return (DocumentText::None, None);
    }
    let attempt = AssertUnwindSafe(|| read(archive, stored, format, need, readers));
    let read = catch_unwind(attempt)
        .unwrap_or_else(|_| Err("the program failed on this document".to_owned()));
    match read {
        Ok((text, trouble)) => (text, trouble),
        Err(why) => (DocumentText::None, Some(why)),
    }
}

fn read(
    archive: &Holdings,
    stored: Option<&StoredCapture>,
    format: Option<Format>,
    need: TextNeed,
    readers: &Readers,
) -> Result<(DocumentText, Option<String>), String> {
    match format {
        None => return Err("it was not read out yet".to_owned()),
        Some(Format::Binary) => return Err("it is no text".to_owned()),
        Some(Format::Empty) => return Err("it is empty".to_owned()),
        Some(_) => {}
    }
    let stored = stored.ok_or("only its header is archived")?;
    let capture = &stored.capture;
    let body = body_at(archive, &capture.storage, capture.payload_length, capture.truncated)?;
    let (media_type, charset) = (capture.fields.media_type(), capture.fields.charset());
    let url = Url::parse(&stored.url).map_err(|_| "its address cannot be read".to_owned())?;
    let trouble = (!body.troubles.is_empty()).then(|| body.troubles.join("; "));
    match (format, need) {
        (Some(Format::Html), TextNeed::Pages) => {
            let page = parse_text(&body.bytes, charset.as_deref());
            Ok((DocumentText::Page(Box::new(page)), trouble))
        }
        (Some(Format::Paper), _) => {
            let request = Request {
                name: url.path(),
                mime_type: media_type.as_deref().unwrap_or_default(),
                pages: Some(PAPER_PAGES),
                bytes: &body.bytes,
                ..Request::default()
            };
            let paper = Paper::read(readers, &request)?;
            let blocks = paper.text.split("\n\n").map(|it| it.trim_matches(['\n', '\x0C', ' ']));
            let paragraphs = blocks.filter(|it| !it.is_empty()).map(Paragraph::plain).collect();
            Ok((DocumentText::Paragraphs(paragraphs), paper.trouble.or(trouble)))
        }
        _ => {
            let reading = Reading::of(&body.bytes, media_type.as_deref(), charset.as_deref(), &url);
            let paragraphs = reading.blocks.into_iter().map(paragraph).collect();
            Ok((DocumentText::Paragraphs(paragraphs), reading.trouble.or(trouble)))
        }
    }
}

fn paragraph(block: Block) -> Paragraph {
    Paragraph {
        text: block.text,
        kind: block.kind,
        place: block.place,
        lang: block.lang,
        boilerplate: block.boilerplate.map(|why| match why {
            Boilerplate::Place => "place",
            Boilerplate::Links => "links",
            Boilerplate::FewFunctionWords => "few-function-words",
            Boilerplate::Neighbours => "neighbours",
        }),
    }
}
