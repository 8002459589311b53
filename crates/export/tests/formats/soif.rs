//! SOIF is read again as it was written, by our own strict reader.

use crate::documents::{described, exported, page};
use auslese_export::DocumentFormat;
use auslese_model::{SoifObject, read_soif};
use proptest::prelude::*;

fn read(soif: &str) -> Vec<SoifObject> {
    read_soif(soif.as_bytes()).expect("strict SOIF")
}

#[test]
fn documents_come_back() {
    let html = "<h1>Müritz</h1><p>} @FILE { x\nTitle{9}:\tfalsch</p>".as_bytes();
    for format in [DocumentFormat::Soif, DocumentFormat::SoifNumbered] {
        let objects = read(&exported(format, &[described(1, html), described(2, b"<p>zwei")]));
        assert_eq!(objects.len(), 2);
        let first = &objects[0];
        assert_eq!(first.url.as_deref(), Some("http://www.mueritz.example/seiten/1.html"));
        assert_eq!(first.values("Author"), ["Anna Weber", "Karl Heuer"]);
        assert_eq!(first.values("Author-Weight"), ["0.750", "0.500"]);
        assert_eq!(first.values("Description"), ["Über einen See. Zweite Zeile"]);
        assert_eq!(first.text("Type").as_deref(), Some("text/html"));
        assert_eq!(first.text("File-Size").as_deref(), Some("1234"));
        assert_eq!(first.text("Last-Modification-Time").as_deref(), Some("978307200"));
        let text = first.text("Full-Text").expect("a text");
        assert_eq!(text, "Müritz\n} @FILE { x Title{9}: falsch\n");
        assert_eq!(objects[1].text("Full-Text").as_deref(), Some("zwei\n"));
    }
}

#[test]
fn a_document_that_was_not_described_has_a_title() {
    let objects = read(&exported(DocumentFormat::Soif, &[page(b"<p>a")]));
    assert_eq!(objects[0].text("Title").as_deref(), Some("1.html"));
}

proptest! {
    #[test]
    fn any_bytes_come_back(bytes in proptest::collection::vec(any::<u8>(), 0..300), title in "\\PC{0,40}|[{}@\n: ]{0,20}") {
        let mut document = described(1, &bytes);
        if let Some(description) = &mut document.description {
            description.statements[0].value = title.clone();
        }
        let objects = read(&exported(DocumentFormat::Soif, &[document, page(b"<p>after")]));
        prop_assert_eq!(objects.len(), 2);
        let after = objects[1].text("Full-Text");
        prop_assert_eq!(after.as_deref(), Some("after\n"));
    }
}
