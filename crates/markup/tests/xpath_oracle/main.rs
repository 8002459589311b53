//! Compares XPath with libxml2 (through lxml) over many pages and expressions.
//!
//! Both see the same tree: libxml2 reads the XML that we write. So this also tests that the XML is
//! well-formed and holds the same nodes, and that [`path_of`] names each node for others, too.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod expressions;
mod pages;

use auslese_markup::{
    Node, NodeId, Page, StepBudget, Tree, XPath, XPathNode, XPathValue, parse, path_of,
};
use expressions::expressions;
use pages::pages;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

const PAGES: u64 = 120;

/// As many as the specification asks for, at least.
const FEWEST_EXPRESSIONS: usize = 200;

#[test]
fn agrees_with_libxml2() {
    let Some(python) = python_with_lxml("agrees_with_libxml2") else { return };
    let expressions = expressions();
    assert!(expressions.len() >= FEWEST_EXPRESSIONS);
    let pages: Vec<Page> =
        pages(PAGES).iter().map(|html| parse(html.as_bytes(), Some("utf-8"))).collect();
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("xpath-oracle");
    write_questions(&directory, &pages, &expressions);

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/xpath_oracle/oracle.py");
    let output = Command::new(&python).arg(script).arg(&directory).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).unwrap();
    compare(&pages, &expressions, &answers);
    fs::remove_dir_all(&directory).unwrap();
}

/// libxml2 is what `xmllint` reads with.
#[test]
fn libxml2_reads_hostile_pages() {
    let Some(python) = python_with_lxml("libxml2_reads_hostile_pages") else { return };
    let name = "n".repeat(60_000);
    let attributes: String = (0..5000).map(|number| format!("a{number}=b ")).collect();
    let pages = [
        String::new(),
        "<div>".repeat(600),
        "<b>x<div>".repeat(600),
        format!("<p{name} {name}=1 {name}2=3 _x_1=2>x"),
        format!("<p {attributes}>"),
        ('\0'..'\u{17f}').collect(),
        "<!-- a--b --- -->x<!----!>x<!--->x<!---->x<!-- - --!>".to_owned(),
        "<svg xml:space=x xml:lang=' ' xml:id=1><p xml:id='1 2' xml:id=1 xml:base=x xmlns:a=b a:c=d>".to_owned(),
        "<p \u{fffe}='\u{ffff}\u{1ffff}' \"='<' 1=2 ::=::>\u{ffff}\u{10ffff}<a:b:c><d\"e>".to_owned(),
        "<![CDATA[x]]><?xml version='2.0'?><?x y?></nothing><svg><![CDATA[]]>]]></svg>]]>&x;&#xd800;".to_owned(),
        "<frameset><frame></frameset><noframes><p></noframes>".to_owned(),
    ];
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("xml-oracle");
    fs::create_dir_all(&directory).unwrap();
    for (number, html) in pages.iter().enumerate() {
        let path = directory.join(format!("{number}.xml"));
        fs::write(&path, parse(html.as_bytes(), Some("utf-8")).xml()).unwrap();
        let script = "import sys; from lxml import etree; etree.parse(sys.argv[1])";
        let output = Command::new(&python).args(["-c", script]).arg(&path).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{html:.60}: {words}");
    }
    fs::remove_dir_all(&directory).unwrap();
}

fn write_questions(directory: &Path, pages: &[Page], expressions: &[String]) {
    if directory.exists() {
        fs::remove_dir_all(directory).unwrap();
    }
    fs::create_dir_all(directory).unwrap();
    fs::write(directory.join("expressions"), expressions.join("\n")).unwrap();
    for (number, page) in pages.iter().enumerate() {
        fs::write(directory.join(format!("{number}.xml")), page.xml()).unwrap();
        let paths: Vec<String> =
            all_nodes(page.tree()).iter().map(|node| path_of(page.tree(), *node)).collect();
        fs::write(directory.join(format!("{number}.paths")), paths.join("\n")).unwrap();
    }
}

fn compare(pages: &[Page], expressions: &[String], answers: &str) {
    let parsed: Vec<XPath> =
        expressions.iter().map(|source| XPath::parse(source).expect(source)).collect();
    let mut answers = answers.lines();
    let mut faults = Vec::new();
    let mut compared = 0;
    let mut fruitful = HashSet::new();
    for (number, page) in pages.iter().enumerate() {
        let tree = page.tree();
        let places = Places::new(tree);
        let mut check = |source: &str, ours: String| {
            let theirs = answers.next().expect("an answer to each question");
            compared += 1;
            if !same(&ours, theirs) {
                faults.push(format!("page {number}: {source}\n  ours   {ours}\n  theirs {theirs}"));
            }
        };
        let root = tree.children(NodeId::DOCUMENT).find(|id| tree.element(*id).is_some()).unwrap();
        for xpath in &parsed {
            let value = xpath
                .evaluate(tree, XPathNode::Node(root), &|_| None, &mut StepBudget::default())
                .expect("an ordinary page");
            if !value.nodes().is_empty() {
                fruitful.insert(xpath.source());
            }
            check(xpath.source(), places.shown(tree, &value));
        }
        for node in all_nodes(tree) {
            let value = XPathValue::Nodes(vec![node]);
            check(&path_of(tree, node), places.shown(tree, &value));
        }
    }
    assert_eq!(answers.next(), None);
    // Agreement on nothing would prove nothing.
    assert!(fruitful.len() >= FEWEST_EXPRESSIONS, "only {} find nodes", fruitful.len());
    let few: Vec<&str> = faults.iter().take(10).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {compared} differ:\n{}", faults.len(), few.join("\n"));
}

/// Everything that has a path, the document aside.
fn all_nodes(tree: &Tree) -> Vec<XPathNode> {
    let everything = XPath::parse("//node() | //@*").unwrap();
    let mut budget = StepBudget::default();
    let value = everything.evaluate(tree, XPathNode::DOCUMENT, &|_| None, &mut budget).unwrap();
    value.nodes().to_vec()
}

/// The places of nodes in document order, without the doctype, which XML leaves out.
struct Places(HashMap<NodeId, usize>);

impl Places {
    fn new(tree: &Tree) -> Places {
        let has_place =
            |id: &NodeId| !matches!(tree.node(*id), Node::Document | Node::Doctype { .. });
        Places(tree.ids().filter(has_place).zip(1..).collect())
    }

    fn shown(&self, tree: &Tree, value: &XPathValue) -> String {
        match value {
            XPathValue::Truth(truth) => format!("truth {truth}"),
            XPathValue::Number(number) => format!("number {number:?}"),
            XPathValue::Text(text) => {
                let text = text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r");
                format!("text {text}")
            }
            XPathValue::Nodes(nodes) => {
                // lxml does not report the document.
                let nodes = nodes.iter().filter(|node| **node != XPathNode::DOCUMENT);
                let shown = nodes.map(|node| format!(" {}", self.shown_node(tree, *node)));
                format!("nodes{}", shown.collect::<String>())
            }
        }
    }

    fn shown_node(&self, tree: &Tree, node: XPathNode) -> String {
        let place = self.0[&node.anchor()];
        let XPathNode::Attribute { element, index } = node else { return place.to_string() };
        let attribute = &tree.attributes(element)[index as usize];
        match (attribute.name(), attribute.namespace().uri()) {
            ("xml:lang", "") => format!("{place}@{{http://www.w3.org/XML/1998/namespace}}lang"),
            (name, "") => format!("{place}@{name}"),
            (name, uri) => format!("{place}@{{{uri}}}{name}"),
        }
    }
}

/// Numbers are the same if they are written differently, and zero has two signs.
fn same(ours: &str, theirs: &str) -> bool {
    let number = |text: &str| text.strip_prefix("number ")?.to_lowercase().parse::<f64>().ok();
    match (number(ours), number(theirs)) {
        (Some(ours), Some(theirs)) => ours == theirs || ours.is_nan() && theirs.is_nan(),
        _ => ours == theirs,
    }
}

/// A Python that has lxml. Says where somebody counts such tests that there is none.
fn python_with_lxml(test: &str) -> Option<OsString> {
    let python = std::env::var_os("AUSLESE_PYTHON");
    let has_lxml = |python: &OsString| {
        let probe = Command::new(python).args(["-c", "import lxml.etree"]).output();
        probe.is_ok_and(|output| output.status.success())
    };
    let python = python.filter(has_lxml);
    if let (None, Some(path)) = (&python, std::env::var_os("AUSLESE_SKIPS")) {
        let file = fs::File::options().create(true).append(true).open(path);
        writeln!(file.unwrap(), "{test}: AUSLESE_PYTHON names no Python with lxml").unwrap();
    }
    python
}
