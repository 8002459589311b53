//! JSON lines, vertical text, plain text and frequency lists.

use crate::documents::{described, exported, head, page};
use auslese_export::{DocumentFormat, DocumentForms, Frequencies, vertical_registry};
use proptest::prelude::*;
use serde_json::Value;

#[test]
fn json_has_everything() {
    let lines =
        exported(DocumentFormat::JsonLines, &[described(5, b"<h2>A</h2><p>b\nc"), page(b"")]);
    let lines: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    let line = &lines[0];
    assert_eq!(line["id"], "d5");
    assert_eq!(line["corpus"]["keeping"], "kept");
    assert_eq!(line["capture"]["captured"], "2001-09-09T01:46:40Z");
    assert_eq!(line["content"]["language"]["shares"][1][0], "en");
    assert_eq!(line["description"]["statements"].as_array().expect("a list").len(), 14);
    assert_eq!(line["description"]["statements"][1]["weight"], 0.75);
    assert_eq!(line["description"]["statements"][13]["chosen"], false);
    assert_eq!(line["paragraphs"][0]["kind"], "heading");
    assert_eq!(line["paragraphs"][0]["level"], 2);
    assert_eq!(line["paragraphs"][1]["text"], "b c");
    assert_eq!(line["links"][0]["text"], "See");
    assert_eq!(lines[1]["description"], Value::Null);
}

#[test]
fn vertical_text() {
    let vertical =
        exported(DocumentFormat::Vertical, &[described(5, b"<h1 lang=en>A &lt;b></h1><p>Er kam.")]);
    let (start, rest) = vertical.split_once('\n').expect("lines");
    assert!(
        start.starts_with("<doc id=\"d5\" url=\"http://www.mueritz.example/seiten/5.html\""),
        "{start}"
    );
    assert!(
        start.contains(
            " title=\"Die Müritz: &quot;See&quot; &amp; &lt;Land&gt;\\\" title_weight=\"0.875\""
        ),
        "{start}"
    );
    assert!(
        start.contains(" author=\"Anna Weber|Karl Heuer\" date=\"2001-05\" year=\"2001\""),
        "{start}"
    );
    assert_eq!(
        rest,
        "<p kind=\"heading\" place=\"main\" lang=\"en\" boilerplate=\"\">\n<s>\nA\tword\n&lt;\tsign\n<g/>\nb\tword\n\
         <g/>\n&gt;\tsign\n</s>\n</p>\n<p kind=\"paragraph\" place=\"main\" lang=\"\" boilerplate=\"\">\n<s>\nEr\tword\n\
         kam\tword\n<g/>\n.\tsign\n</s>\n</p>\n</doc>\n"
    );
    let registry = vertical_registry(&head(), "corpus.vert");
    let named =
        start.split_whitespace().filter_map(|it| it.split_once("=\"")).map(|(name, _)| name);
    for name in named {
        assert!(registry.contains(&format!("    ATTRIBUTE {name}")), "{name}\n{registry}");
    }
}

#[test]
fn plain_text() {
    let text = exported(DocumentFormat::Text, &[page(b"<h1>A</h1><p>b<br>c"), page(b"<p>d")]);
    let url = "http://www.mueritz.example/seiten/1.html";
    assert_eq!(text, format!("=== {url}\nA\nb c\n\n=== {url}\nd\n\n"));
    let mut file = Vec::new();
    DocumentFormat::Text.write_file(&page(b"<h1>A</h1><p>b"), &head(), &mut file).expect("memory");
    assert_eq!(file, b"A\nb\n");
}

#[test]
fn frequencies() {
    let mut frequencies = Frequencies::default();
    for html in ["<p>der See, der Wald 12", "<p>Der See http://a.example/"] {
        frequencies.add(DocumentForms::of(&page(html.as_bytes())));
    }
    let mut list = Vec::new();
    frequencies.write(&mut list).expect("memory");
    assert_eq!(
        String::from_utf8(list).expect("UTF-8"),
        "# 6 words in 2 documents\nform\tfrequency\tper_million\tdocuments\nSee\t2\t333333.333\t2\n\
         der\t2\t333333.333\t1\nDer\t1\t166666.667\t1\nWald\t1\t166666.667\t1\n"
    );
}

proptest! {
    #[test]
    fn any_bytes_keep_the_lines_of_a_format(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let json = exported(DocumentFormat::JsonLines, &[page(&bytes)]);
        prop_assert_eq!(json.lines().count(), 1);
        let vertical = exported(DocumentFormat::Vertical, &[page(&bytes)]);
        for line in vertical.lines() {
            let is_structure = line.starts_with('<') && line.ends_with('>');
            prop_assert!(is_structure || line.split('\t').count() == 2, "{}", line);
        }
    }
}
