//! JSON lines: one object per document with everything that is known of it, its text included.

use crate::document::{ExportedDocument, Paragraph, kind_name, place_name};
use auslese_markup::BlockKind;
use auslese_model::{Conformance, Content, CorpusVerdict, Counts, LanguageNote, Part, Statement};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

#[derive(Serialize)]
struct Line<'d> {
    id: String,
    url: &'d str,
    host: &'d str,
    institution: Option<&'d str>,
    title: &'d str,
    corpus: &'d CorpusVerdict,
    capture: Capture<'d>,
    content: Option<Read<'d>>,
    description: Option<Described<'d>>,
    anchors: Vec<Anchor<'d>>,
    links: Vec<Linked<'d>>,
    paragraphs: Vec<Block<'d>>,
    trouble: Option<&'d str>,
}

#[derive(Serialize)]
struct Capture<'d> {
    captured: String,
    status: Option<u16>,
    last_modified: Option<String>,
    media_type: Option<&'d str>,
    charset: Option<&'d str>,
    size: Option<u64>,
    payload_digest: Option<String>,
    record_id: Option<&'d str>,
    warc_file: Option<&'d str>,
    warc_offset: Option<u64>,
    versions: u64,
    gone: bool,
}

/// What was read out, without what only helps to find copies.
#[derive(Serialize)]
struct Read<'d> {
    format: &'static str,
    bytes: u64,
    title: Option<&'d str>,
    language: &'d Option<LanguageNote>,
    counts: Counts,
    elements: &'d BTreeMap<String, u32>,
    features: &'d BTreeMap<String, f64>,
    conformance: &'d Option<Conformance>,
    generator: Option<&'d str>,
    parts: &'d [Part],
    trouble: Option<&'d str>,
}

#[derive(Serialize)]
struct Described<'d> {
    class: &'d str,
    field_weights: Vec<(&'static str, f64)>,
    statements: &'d [Statement],
    trouble: Option<&'d str>,
}

#[derive(Serialize)]
struct Anchor<'d> {
    text: &'d str,
    times: u64,
}

#[derive(Serialize)]
struct Linked<'d> {
    url: &'d str,
    text: Option<&'d str>,
}

#[derive(Serialize)]
struct Block<'d> {
    text: &'d str,
    kind: &'static str,
    level: Option<u8>,
    place: &'static str,
    lang: Option<&'d str>,
    boilerplate: Option<&'static str>,
}

pub(crate) fn write_document(document: &ExportedDocument, out: &mut dyn Write) -> io::Result<()> {
    let paragraphs = document.paragraphs();
    let line = line(document, &paragraphs);
    serde_json::to_writer(&mut *out, &line)?;
    out.write_all(b"\n")
}

fn line<'d>(document: &'d ExportedDocument, paragraphs: &'d [Paragraph]) -> Line<'d> {
    let capture = &document.capture;
    Line {
        id: document.id(),
        url: &document.url,
        host: &document.host,
        institution: document.institution.as_deref(),
        title: document.title(),
        corpus: &document.verdict,
        capture: Capture {
            captured: capture.at.to_second_text(),
            status: capture.status,
            last_modified: capture.last_modified.map(|at| at.to_second_text()),
            media_type: capture.media_type.as_deref(),
            charset: capture.charset.as_deref(),
            size: capture.size,
            payload_digest: capture.payload_digest.as_ref().map(ToString::to_string),
            record_id: capture.record_id.as_deref(),
            warc_file: capture.warc_file.as_deref(),
            warc_offset: capture.warc_offset,
            versions: capture.versions,
            gone: capture.gone,
        },
        content: document.content.as_ref().map(read),
        description: document.description.as_ref().map(|description| Described {
            class: &description.class,
            field_weights: description
                .field_weights
                .iter()
                .map(|(field, weight)| (field.as_str(), *weight))
                .collect(),
            statements: &description.statements,
            trouble: description.trouble.as_deref(),
        }),
        anchors: document
            .anchors
            .iter()
            .map(|(text, times)| Anchor { text, times: *times })
            .collect(),
        links: document
            .links
            .iter()
            .map(|(url, text)| Linked { url, text: text.as_deref() })
            .collect(),
        paragraphs: paragraphs.iter().map(block).collect(),
        trouble: document.trouble.as_deref(),
    }
}

fn read(content: &Content) -> Read<'_> {
    Read {
        format: content.format.as_str(),
        bytes: content.bytes,
        title: content.title.as_deref(),
        language: &content.language,
        counts: content.counts,
        elements: &content.elements,
        features: &content.features,
        conformance: &content.conformance,
        generator: content.generator.as_deref(),
        parts: &content.parts,
        trouble: content.trouble.as_deref(),
    }
}

fn block(paragraph: &Paragraph) -> Block<'_> {
    Block {
        text: &paragraph.text,
        kind: kind_name(paragraph.kind),
        level: match paragraph.kind {
            BlockKind::Heading(level) => Some(level),
            _ => None,
        },
        place: place_name(paragraph.place),
        lang: paragraph.lang.as_deref(),
        boilerplate: paragraph.boilerplate,
    }
}
