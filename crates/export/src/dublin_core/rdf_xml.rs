//! Dublin Core as RDF/XML.

use super::{Ground, NAMESPACES, Object, decimal, full_name, grounds, triples};
use crate::document::ExportedDocument;
use crate::tei::strict_uri;
use crate::xml::Xml;
use std::io::{self, Write};

pub(crate) fn write_head(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let mut xml = Xml::default();
    let names: Vec<(String, &str)> =
        NAMESPACES.iter().map(|(prefix, uri)| (format!("xmlns:{prefix}"), *uri)).collect();
    let attributes: Vec<(&str, &str)> =
        names.iter().map(|(name, uri)| (name.as_str(), *uri)).collect();
    xml.start("rdf:RDF", &attributes);
    writeln!(out, "{}", xml.into_text())
}

pub(crate) fn write_tail(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"</rdf:RDF>\n")
}

pub(crate) fn write_document(document: &ExportedDocument, out: &mut dyn Write) -> io::Result<()> {
    let about = strict_uri(&document.url);
    let triples = triples(document);
    let mut xml = Xml::default();
    xml.start("rdf:Description", &[("rdf:about", &about)]);
    for triple in &triples {
        value(&mut xml, triple.term, &triple.object);
    }
    xml.end("rdf:Description");
    xml.line();
    for triple in &triples {
        let Some(said) = triple.said else { continue };
        xml.start("rdf:Statement", &[]);
        xml.empty("rdf:subject", &[("rdf:resource", &about)]);
        xml.empty("rdf:predicate", &[("rdf:resource", &full_name(triple.term))]);
        value(&mut xml, "rdf:object", &triple.object);
        for (name, ground) in grounds(said) {
            match ground {
                Ground::Number(number) => {
                    let datatype = full_name("xsd:decimal");
                    xml.element(name, &[("rdf:datatype", &datatype)], &decimal(number));
                }
                Ground::Text(text) => xml.element(name, &[], &text),
            }
        }
        xml.end("rdf:Statement");
        xml.line();
    }
    out.write_all(xml.into_text().as_bytes())
}

fn value(xml: &mut Xml, name: &str, object: &Object) {
    match object {
        Object::Text(text) => xml.element(name, &[], text),
        Object::Typed(text, scheme) => {
            xml.element(name, &[("rdf:datatype", &full_name(scheme))], text)
        }
        Object::Resource(address) => xml.empty(name, &[("rdf:resource", address)]),
    }
}
