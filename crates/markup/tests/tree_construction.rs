//! The tests of tree construction that browsers share, from html5lib-tests: see
//! `tree_construction/README.md`.

use auslese_markup::{Element, Namespace, Node, NodeId, Tree, parse};
use std::path::{Path, PathBuf};

/// A page, and the tree it should become, in the notation of the tests.
struct Case {
    html: String,
    tree: String,
}

/// The cases of a file for whole documents without scripts.
fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for block in text.split("#data\n").skip(1) {
        let Some((html, rest)) = block.split_once("\n#errors\n") else { continue };
        let Some((marks, tree)) = rest.split_once("#document\n") else { continue };
        if marks.contains("#script-on") || marks.contains("#document-fragment") {
            continue;
        }
        cases.push(Case { html: html.to_owned(), tree: tree.trim_end_matches('\n').to_owned() });
    }
    cases
}

fn in_notation(tree: &Tree) -> String {
    let mut lines = Vec::new();
    tree.children(NodeId::DOCUMENT).for_each(|child| write(tree, child, 0, &mut lines));
    lines.join("\n")
}

fn write(tree: &Tree, id: NodeId, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    match tree.node(id) {
        Node::Document => {}
        Node::Doctype { name, public_id, system_id } => {
            lines.push(if public_id.is_empty() && system_id.is_empty() {
                format!("| {indent}<!DOCTYPE {name}>")
            } else {
                format!("| {indent}<!DOCTYPE {name} \"{public_id}\" \"{system_id}\">")
            })
        }
        Node::Text(text) => lines.push(format!("| {indent}\"{text}\"")),
        Node::Comment(text) => lines.push(format!("| {indent}<!-- {text} -->")),
        Node::Element(element) => {
            lines.push(format!("| {indent}<{}{}>", prefix(element.namespace()), element.name()));
            lines.extend(attributes(element).map(|line| format!("| {indent}  {line}")));
            let is_template = element.is("template");
            if is_template {
                lines.push(format!("| {indent}  content"));
            }
            let depth = depth + 1 + usize::from(is_template);
            tree.children(id).for_each(|child| write(tree, child, depth, lines));
        }
    }
}

fn attributes(element: &Element) -> impl Iterator<Item = String> {
    let lines = element.attributes().iter().map(|attribute| {
        let prefix = prefix(attribute.namespace());
        format!("{prefix}{}=\"{}\"", attribute.name(), attribute.value)
    });
    let mut lines: Vec<_> = lines.collect();
    lines.sort();
    lines.into_iter()
}

fn prefix(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::None | Namespace::Html => "",
        Namespace::Svg => "svg ",
        Namespace::MathMl => "math ",
        Namespace::XLink => "xlink ",
        Namespace::Xml => "xml ",
        Namespace::Xmlns => "xmlns ",
    }
}

fn files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tree_construction");
    let directory = std::env::var_os("HTML5LIB_TESTS").map_or(directory, PathBuf::from);
    let entries = std::fs::read_dir(directory).expect("the tests can be read").flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|suffix| suffix == "dat"));
    files.sort();
    files
}

#[test]
fn trees_are_as_the_standard_has_them() {
    let (mut count, mut failures) = (0, Vec::new());
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("the tests can be read");
        for Case { html, tree } in cases(&text) {
            count += 1;
            let found = in_notation(parse(html.as_bytes(), Some("utf-8")).tree());
            if found != tree {
                let file = file.file_name().unwrap_or_default().display();
                failures.push(format!("{file}: {html}\nexpected\n{tree}\nfound\n{found}\n"));
            }
        }
    }
    assert!(count > 500, "{count} cases");
    assert!(failures.is_empty(), "{} of {count}:\n{}", failures.len(), failures.join("\n"));
}
