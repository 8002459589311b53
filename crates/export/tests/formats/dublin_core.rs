//! Dublin Core, read again by rdflib and by our eyes.

use crate::documents::{described, exported, page};
use crate::tools::{python_with, run_python};
use auslese_export::{DocumentFormat, ExportedDocument};
use proptest::prelude::*;
use std::fs;

/// Prints every triple that is no part of an annotation, and every annotation as one line, sorted.
const SCRIPT: &str = r#"
import sys
from rdflib import Graph, RDF, BNode
graph = Graph()
graph.parse(sys.argv[1], format="turtle" if sys.argv[1].endswith("ttl") else "xml")
lines = []
for s, p, o in graph:
    if not isinstance(s, BNode):
        lines.append(f"{s} {p} {o.n3()}")
for node in graph.subjects(RDF.type, RDF.Statement):
    said = (graph.value(node, RDF.subject), graph.value(node, RDF.predicate), graph.value(node, RDF.object))
    assert said in graph, said
    grounds = sorted(f"{p.split(':')[-1]}={o}" for p, o in graph.predicate_objects(node) if p.startswith("urn:auslese"))
    lines.append("annotated " + said[1] + " " + said[2].n3() + " " + " ".join(grounds))
print("\n".join(sorted(lines)))
"#;

fn read_by_rdflib(
    format: DocumentFormat,
    documents: &[ExportedDocument],
    test: &str,
) -> Option<String> {
    let python = python_with("rdflib", test)?;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(format!("a.{}", format.suffix()));
    fs::write(&file, exported(format, documents)).expect("a file");
    Some(run_python(&python, SCRIPT, &file))
}

#[test]
fn rdflib_reads_the_triples() {
    let test = "dublin_core::rdflib_reads_the_triples";
    let documents = || [described(5, b"<p>Text")];
    let Some(xml) = read_by_rdflib(DocumentFormat::DublinCoreRdf, &documents(), test) else {
        return;
    };
    let Some(turtle) = read_by_rdflib(DocumentFormat::DublinCoreTurtle, &documents(), test) else {
        return;
    };
    assert_eq!(xml, turtle, "both forms say the same");
    let about = "http://www.mueritz.example/seiten/5.html";
    let dc = "http://purl.org/dc/elements/1.1/";
    let terms = "http://purl.org/dc/terms/";
    #[rustfmt::skip]
    let expected = [
        format!("{about} {dc}title \"Die Müritz: \\\"See\\\" & <Land>\\\\\""),
        format!("{about} {dc}creator \"Anna Weber\""),
        format!("{about} {dc}creator \"Karl Heuer\""),
        format!("{about} {dc}date \"2001-05\"^^<{terms}W3CDTF>"),
        format!("{about} {dc}subject \"68P20\""),
        format!("{about} {dc}identifier \"{about}\"^^<{terms}URI>"),
        format!("{about} {terms}hasFormat <http://www.mueritz.example/a%20b.pdf>"),
        format!("{about} {terms}modified \"2001-01-01T00:00:00Z\"^^<{terms}W3CDTF>"),
        format!("{about} {terms}hasVersion <urn:uuid:8a1e9e06-0a4f-4f5c-8f2e-2b0c1f3c9d11>"),
        format!("annotated {dc}creator \"Karl Heuer\" initialWeight=0.8000 origin=meta tag place=/html/head/title rule=carmen-title<4> rule=dc<1> weight=0.5000"),
    ];
    for line in &expected {
        assert!(xml.lines().any(|it| it == line), "{line}\n{xml}");
    }
    assert_eq!(xml.lines().filter(|line| line.starts_with("annotated")).count(), 13);
    assert!(!xml.contains("Verworfen"), "{xml}");
}

#[test]
fn heads_of_pages() {
    let html = exported(DocumentFormat::DublinCoreHtml, &[described(5, b"<p>Text")]);
    #[rustfmt::skip]
    let lines = [
        "<link rel=\"schema.DC\" href=\"http://purl.org/dc/elements/1.1/\">",
        "<meta name=\"DC.title\" content=\"Die Müritz: &quot;See&quot; &amp; &lt;Land&gt;\\\" data-weight=\"0.8750\" data-rule=\"carmen-title&lt;4&gt;\">",
        "<meta name=\"DC.date\" scheme=\"DCTERMS.W3CDTF\" content=\"2001-05\" data-weight=\"0.7000\" data-rule=\"carmen-title&lt;4&gt;\">",
        "<link rel=\"DCTERMS.hasFormat\" href=\"http://www.mueritz.example/a%20b.pdf\" data-weight=\"0.9000\" data-rule=\"carmen-title&lt;4&gt;\">",
        "<meta name=\"DCTERMS.format\" scheme=\"DCTERMS.IMT\" content=\"text/html\">",
    ];
    for line in lines {
        assert!(html.lines().any(|it| it == line), "{line}\n{html}");
    }
    assert!(html.ends_with(">\n\n"), "an empty line ends a document");
}

/// Any titles, in both forms, are the same graph.
#[test]
fn any_values_are_read_by_rdflib() {
    let test = "dublin_core::any_values_are_read_by_rdflib";
    let titles = [
        "\u{1}\u{0}",
        "a\r\nb\tc",
        "\"\"\"",
        "\\u0041\\",
        "'",
        "</x>",
        "\u{ffff}",
        "🎓",
        "a\u{2028}b",
    ];
    let documents = || -> Vec<ExportedDocument> {
        let numbered = titles.iter().enumerate();
        numbered
            .map(|(at, title)| {
                let mut document = described(at as i64, b"");
                let description = document.description.as_mut().expect("it is described");
                description.statements[0].value = (*title).to_owned();
                document
            })
            .collect()
    };
    let Some(xml) = read_by_rdflib(DocumentFormat::DublinCoreRdf, &documents(), test) else {
        return;
    };
    let Some(turtle) = read_by_rdflib(DocumentFormat::DublinCoreTurtle, &documents(), test) else {
        return;
    };
    assert_eq!(xml, turtle);
    assert_eq!(xml.matches("elements/1.1/title").count(), 2 * titles.len());
}

proptest! {
    #[test]
    fn any_bytes_as_page_give_some_title(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let rdf = exported(DocumentFormat::DublinCoreRdf, &[page(&bytes)]);
        prop_assert!(rdf.contains("<dc:title>1.html</dc:title>"));
    }
}
