//! SOIF, the Summary Object Interchange Format of Harvest: an object per document.
//!
//! Names of attributes are those of Harvest where it has one. Beside each attribute with statements stands
//! one with their weights, value by value: `Author` and `Author-Weight`.

use crate::document::ExportedDocument;
use auslese_model::{Field, SoifLists, SoifObject, write_soif};
use std::io::{self, Write};

/// Bytes of a full text; brokers of Harvest took whole files, but not without end.
pub const MAX_SOIF_TEXT: usize = 16 << 20;

pub(crate) fn write_document(
    document: &ExportedDocument,
    lists: SoifLists,
    version: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    write_soif(&object(document, lists, version), &mut bytes);
    out.write_all(&bytes)
}

fn object(document: &ExportedDocument, lists: SoifLists, version: &str) -> SoifObject {
    let mut object = SoifObject::new("FILE", Some(&document.url));
    let capture = &document.capture;
    for (field, name) in Field::ALL.into_iter().filter_map(|it| Some((it, it.soif_attribute()?))) {
        let said: Vec<_> =
            document.chosen(field).filter(|said| !said.value.trim().is_empty()).collect();
        object.add_all(name, said.iter().map(|said| said.value.as_str()), lists);
        let weights: Vec<String> = said.iter().map(|said| format!("{:.3}", said.weight)).collect();
        object.add_all(&format!("{name}-Weight"), weights.iter().map(String::as_str), lists);
    }
    if document.chosen(Field::Title).next().is_none() {
        object.add("Title", one_line(document.title()));
    }
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            object.add(name, value);
        }
    };
    add("Type", capture.media_type.clone());
    add("Language", document.language().map(str::to_owned));
    add("File-Size", capture.size.map(|size| size.to_string()));
    add("Last-Modification-Time", capture.last_modified.map(|at| at.seconds().to_string()));
    add("Update-Time", Some(capture.at.seconds().to_string()));
    add("Digest", capture.payload_digest.as_ref().map(ToString::to_string));
    add("Record-ID", capture.record_id.clone());
    add("Corpus", Some(document.verdict.keeping.as_str().to_owned()));
    add("Gatherer-Name", Some("auslese".to_owned()));
    add("Gatherer-Host", Some(document.host.clone()));
    add("Gatherer-Version", Some(version.to_owned()));
    object.add_all("URL-References", document.links.iter().map(|(url, _)| url.as_str()), lists);
    let paragraphs = document.paragraphs();
    let mut text = String::new();
    for paragraph in &paragraphs {
        text.push_str(&paragraph.text);
        text.push('\n');
    }
    text.truncate(text.floor_char_boundary(MAX_SOIF_TEXT));
    object.add("Full-Text", text);
    object
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
