//! Dublin Core as Turtle.

use super::{Ground, NAMESPACES, Object, decimal, grounds, triples};
use crate::document::ExportedDocument;
use crate::tei::strict_uri;
use std::fmt::Write as _;
use std::io::{self, Write};

pub(crate) fn write_head(out: &mut dyn Write) -> io::Result<()> {
    for (prefix, uri) in NAMESPACES {
        writeln!(out, "@prefix {prefix}: <{uri}> .")?;
    }
    writeln!(out)
}

pub(crate) fn write_document(document: &ExportedDocument, out: &mut dyn Write) -> io::Result<()> {
    let about = strict_uri(&document.url);
    let triples = triples(document);
    let mut text = format!("<{about}>");
    for (number, triple) in triples.iter().enumerate() {
        let sign = if number == 0 { "" } else { " ;" };
        let _ = write!(text, "{sign}\n    {} {}", triple.term, value(&triple.object));
    }
    text.push_str(" .\n");
    for triple in &triples {
        let Some(said) = triple.said else { continue };
        let _ = write!(
            text,
            "[] a rdf:Statement ;\n    rdf:subject <{about}> ; rdf:predicate {} ; rdf:object {}",
            triple.term,
            value(&triple.object)
        );
        for (name, ground) in grounds(said) {
            let written = match ground {
                Ground::Number(number) => decimal(number),
                Ground::Text(text) => literal(&text),
            };
            let _ = write!(text, " ;\n    {name} {written}");
        }
        text.push_str(" .\n");
    }
    text.push('\n');
    out.write_all(text.as_bytes())
}

fn value(object: &Object) -> String {
    match object {
        Object::Text(text) => literal(text),
        Object::Typed(text, scheme) => format!("{}^^{scheme}", literal(text)),
        Object::Resource(address) => format!("<{address}>"),
    }
}

/// A text in quotes; characters that XML cannot hold are replaced here as well, so that both forms say
/// the same.
fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for letter in text.chars() {
        match letter {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' | '\r' => literal.push_str("\\n"),
            '\u{c}' => literal.push(' '),
            '\0'..='\u{8}' | '\u{b}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                literal.push('\u{fffd}')
            }
            letter => literal.push(letter),
        }
    }
    literal.push('"');
    literal
}
