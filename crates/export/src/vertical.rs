//! Vertical text, as Corpus Workbench and NoSketch Engine read it: a token a line, structures in tags on
//! lines of their own, and `<g/>` where no white space stands between two tokens.

use crate::document::{CorpusHead, ExportedDocument, kind_name, place_name};
use crate::tokens::sentences;
use crate::xml::escaped;
use auslese_model::Field;
use auslese_words::PieceKind;
use std::io::{self, Write};

/// Longest value of a structural attribute, in characters: corpus tools keep them in lexicons.
pub const MAX_STRUCTURAL_VALUE: usize = 500;

/// Values of a list in one structural attribute are set apart by this.
const SEPARATOR: &str = "|";

pub(crate) fn write_document(document: &ExportedDocument, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<doc")?;
    for (name, value) in attributes(document) {
        write!(out, " {name}=\"{}\"", attribute(&value))?;
    }
    writeln!(out, ">")?;
    for paragraph in document.paragraphs() {
        let sentences = sentences(&paragraph.text);
        if sentences.is_empty() {
            continue;
        }
        writeln!(
            out,
            "<p kind=\"{}\" place=\"{}\" lang=\"{}\" boilerplate=\"{}\">",
            kind_name(paragraph.kind),
            place_name(paragraph.place),
            attribute(paragraph.lang.as_deref().unwrap_or_default()),
            paragraph.boilerplate.unwrap_or_default()
        )?;
        for sentence in sentences {
            writeln!(out, "<s>")?;
            let last = sentence.len() - 1;
            for (number, token) in sentence.iter().enumerate() {
                writeln!(out, "{}\t{}", escaped(token.form), kind(token.kind))?;
                if token.is_joined && number < last {
                    writeln!(out, "<g/>")?;
                }
            }
            writeln!(out, "</s>")?;
        }
        writeln!(out, "</p>")?;
    }
    writeln!(out, "</doc>")
}

/// The registry file that tells corpus tools what is in the vertical text of that path.
pub(crate) fn registry(head: &CorpusHead, vertical: &str) -> String {
    let title: String = head
        .title
        .chars()
        .filter(|c| !c.is_control())
        .map(|c| if c == '"' { '\'' } else { c })
        .collect();
    let mut text = format!(
        "NAME \"{title}\"\nPATH \"compiled\"\nVERTICAL \"{vertical}\"\nENCODING \"utf-8\"\n\n\
         ATTRIBUTE word\nATTRIBUTE lc {{\n    LABEL \"word (lower case)\"\n    DYNAMIC utf8lowercase\n    \
         DYNLIB internal\n    ARG1 \"C\"\n    FUNTYPE s\n    FROMATTR word\n    TYPE index\n    TRANSQUERY yes\n}}\n\
         ATTRIBUTE kind\n\nSTRUCTURE doc {{\n"
    );
    for name in DOCUMENT_ATTRIBUTES {
        let multiple = matches!(name, "author" | "keywords");
        match multiple {
            true => text.push_str(&format!(
                "    ATTRIBUTE {name} {{\n        MULTIVALUE yes\n        MULTISEP \"{SEPARATOR}\"\n    }}\n"
            )),
            false => text.push_str(&format!("    ATTRIBUTE {name}\n")),
        }
    }
    text.push_str(
        "}\nSTRUCTURE p {\n    ATTRIBUTE kind\n    ATTRIBUTE place\n    ATTRIBUTE lang\n    \
         ATTRIBUTE boilerplate\n}\nSTRUCTURE s\nSTRUCTURE g {\n    DISPLAYTAG 0\n    DISPLAYBEGIN \"_EMPTY_\"\n}\n",
    );
    text
}

const DOCUMENT_ATTRIBUTES: [&str; 14] = [
    "id",
    "url",
    "host",
    "institution",
    "title",
    "title_weight",
    "author",
    "date",
    "year",
    "keywords",
    "type",
    "lang",
    "kept",
    "captured",
];

fn attributes(document: &ExportedDocument) -> [(&'static str, String); 14] {
    let first = |field| document.chosen(field).next();
    let value = |field| first(field).map(|said| said.value.clone()).unwrap_or_default();
    let list = |field| {
        let values: Vec<String> =
            document.chosen(field).map(|said| said.value.replace(SEPARATOR, "/")).collect();
        values.join(SEPARATOR)
    };
    let date = value(Field::Date);
    let year = date.get(..4).filter(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
    let values = [
        document.id(),
        document.url.clone(),
        document.host.clone(),
        document.institution.clone().unwrap_or_default(),
        document.title().to_owned(),
        first(Field::Title).map(|said| format!("{:.3}", said.weight)).unwrap_or_default(),
        list(Field::Author),
        date.clone(),
        year.unwrap_or_default().to_owned(),
        list(Field::Keywords),
        value(Field::Type),
        document.language().unwrap_or_default().to_owned(),
        document.verdict.keeping.as_str().to_owned(),
        document.capture.at.to_second_text(),
    ];
    let mut values = values.into_iter();
    DOCUMENT_ATTRIBUTES.map(|name| (name, values.next().unwrap_or_default()))
}

fn attribute(value: &str) -> String {
    let short: String = value.chars().take(MAX_STRUCTURAL_VALUE).collect();
    let words: Vec<&str> = short.split_whitespace().collect();
    escaped(&words.join(" "))
}

pub(crate) fn kind(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Word => "word",
        PieceKind::Number => "number",
        PieceKind::Url => "url",
        PieceKind::Mail => "mail",
        PieceKind::Symbol => "sign",
    }
}
