//! TEI is valid: against the schema of this project always, against TEI's own (`AUSLESE_TEI_ALL` names the
//! file `tei_all.rng`) where it is there; and so are web pages of others (`AUSLESE_TEI_PAGES` names a folder).

use crate::documents::{described, exported, head, numbered_page};
use crate::tools::{has_xmllint, succeeded};
use auslese_export::{DocumentFormat, DocumentText, ExportedDocument, Paragraph};
use proptest::test_runner::{Config, TestRunner};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pages that are odd in some way: each once broke a rule of TEI, or is meant to.
#[rustfmt::skip]
const ODD_PAGES: &[&str] = &[
    "",
    "<img src=a.gif>",
    "<figure><figcaption>C</figcaption></figure>",
    "<nav>N</nav>x<aside>A</aside>y<h1>H</h1>z<footer>F</footer>",
    "<dl>x<dt>a<dt><p>b<ul><li>c</ul><dd><h3>d</h3><table><tr><td>e<td>f</table></dl>",
    "<table><tr><td>a<td><ul><li>b</ul><caption>late</caption></table>",
    "<table><tr></tr><tr><td rowspan=0 colspan=99999>a<td>b</table>",
    "<h1>a<table><tr><td>b<td>c</table></h1>",
    "<b><i><q><abbr><q>a</q></abbr></q><p>b</i></b>",
    "<pre>a<q>b</q><img src=x><br><code>c</code></pre>",
    "<p lang=en>a<blockquote lang=fr><p>b</blockquote>",
    "<a href='http://a.example/[x]|y z%'>l</a><a href='http://[::1]/'>m</a><a href=mailto:a@b.example>n</a>",
    "<hr><hr>x<hr><ul><hr><li>a<hr></ul>",
    "<ul><ul><li>a</ul></ul><ol></ol><menu>x</menu>",
    "<figure><table><tr><td>a<td>b</table><figcaption><p>c<p>d</figcaption><h2>e</h2></figure>",
    "<select><optgroup label=x><option>a</select><textarea>b\nc</textarea><button>d</button>",
    "<svg><title>t</title><text>u</text></svg><math><mi>x</mi></math>",
    "<h6>a</h6><h1>b</h1><h6>c</h6><h3>d</h3>e",
    "<header><h1>a</h1><nav>b</nav></header><main>c</main>",
    "<plaintext>x & y",
];

fn schemas() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/auslese-tei.rng");
    let whole = std::env::var_os("AUSLESE_TEI_ALL").map(PathBuf::from);
    [own].into_iter().chain(whole).collect()
}

fn validate(documents: &[ExportedDocument]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("corpus.xml");
    fs::write(&file, exported(DocumentFormat::Tei, documents)).expect("a file");
    for schema in schemas() {
        let mut xmllint = Command::new("xmllint");
        xmllint.args(["--noout", "--nonet", "--relaxng"]).arg(schema).arg(&file);
        succeeded(&xmllint.output().expect("xmllint runs"));
    }
}

#[test]
fn odd_pages_are_valid() {
    if !has_xmllint("tei_schema::odd_pages_are_valid") {
        return;
    }
    let pages = ODD_PAGES.iter().enumerate();
    let mut documents: Vec<ExportedDocument> =
        pages.map(|(at, html)| numbered_page(at as i64, html.as_bytes())).collect();
    documents.push(described(100, b"<h1>a</h1><p>b"));
    let paragraphs = vec![Paragraph::plain("a\nb \u{1}"), Paragraph::plain("c")];
    documents.push(ExportedDocument {
        text: DocumentText::Paragraphs(paragraphs),
        ..numbered_page(101, b"")
    });
    let trouble = Some("it is a picture".to_owned());
    documents.push(ExportedDocument {
        text: DocumentText::None,
        trouble,
        ..numbered_page(102, b"")
    });
    validate(&documents);
}

#[test]
fn a_document_is_valid_as_a_file_of_its_own() {
    if !has_xmllint("tei_schema::a_document_is_valid_as_a_file_of_its_own") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("d1.xml");
    let mut bytes = Vec::new();
    DocumentFormat::Tei.write_file(&described(1, b"<p>a"), &head(), &mut bytes).expect("memory");
    fs::write(&file, bytes).expect("a file");
    for schema in schemas() {
        let mut xmllint = Command::new("xmllint");
        xmllint.args(["--noout", "--nonet", "--relaxng"]).arg(schema).arg(&file);
        succeeded(&xmllint.output().expect("xmllint runs"));
    }
}

/// The schema is no formality: it refuses what TEI refuses.
#[test]
fn the_schema_refuses() {
    if !has_xmllint("tei_schema::the_schema_refuses") {
        return;
    }
    let good = exported(DocumentFormat::Tei, &[numbered_page(1, b"<ul><li>a</ul><p>b")]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad.xml");
    for (from, to) in [
        ("<item>a</item>", ""),
        ("<p>b</p>", "b"),
        ("<p>b</p>", "<p><p>b</p></p>"),
        ("<p>b</p>", "<div><p>b</p></div><p>c</p>"),
        ("cert=\"unknown\"", "cert=\"1.5\""),
    ] {
        assert!(good.contains(from), "{from}");
        fs::write(&file, good.replacen(from, to, 1)).expect("a file");
        for schema in schemas() {
            let mut xmllint = Command::new("xmllint");
            xmllint.args(["--noout", "--nonet", "--relaxng"]).arg(&schema).arg(&file);
            let output = xmllint.output().expect("xmllint runs");
            assert!(!output.status.success(), "{from} → {to} passes {}", schema.display());
        }
    }
}

/// Tags in any order, many pages in one corpus.
#[test]
fn any_tags_are_valid() {
    if !has_xmllint("tei_schema::any_tags_are_valid") {
        return;
    }
    let mut runner = TestRunner::new(Config { cases: 4, ..Config::default() });
    let pages = proptest::collection::vec(proptest::collection::vec(super::tei::TAGS, 0..40), 100);
    let outcome = runner.run(&pages, |pages| {
        let numbered = pages.iter().enumerate();
        let documents: Vec<ExportedDocument> =
            numbered.map(|(at, tags)| numbered_page(at as i64, tags.concat().as_bytes())).collect();
        validate(&documents);
        Ok(())
    });
    outcome.expect("all are valid");
}

/// Real pages, where a folder of them is named.
#[test]
fn pages_of_others_are_valid() {
    let Some(folder) = std::env::var_os("AUSLESE_TEI_PAGES") else { return };
    if !has_xmllint("tei_schema::pages_of_others_are_valid") {
        return;
    }
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files);
    files.sort();
    for some in files.chunks(50) {
        let pages = some.iter().enumerate();
        let documents: Vec<ExportedDocument> = pages
            .map(|(at, file)| numbered_page(at as i64, &fs::read(file).expect("a page")))
            .collect();
        validate(&documents);
    }
    println!("{} pages are valid against {} schemas", files.len(), schemas().len());
    assert!(!files.is_empty());
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_page = path.extension().is_some_and(|it| it == "html" || it == "htm");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&path, files),
            Ok(kind) if kind.is_file() && is_page => files.push(path),
            _ => {}
        }
    }
}
