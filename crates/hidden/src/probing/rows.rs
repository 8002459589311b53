//! The rows of an answer that nobody described.
//!
//! A list of results is what repeats: elements of one name and class below one parent. Of all such groups the one
//! with most text counts. What also stands on an answer without results (menus, footers) is no row; whoever asks
//! takes it out.

use auslese_markup::{Node, NodeId, Page, Tree};
use rustc_hash::FxHashMap;

/// Rows of one answer that are read.
pub const MAX_ANSWER_ROWS: usize = 200_000;

/// Bytes of one row that are read.
const ROW_BYTES: usize = 2_000;

/// A row, as text and cell by cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerRow {
    pub text: String,
    /// The texts of its children, or the row itself if it has none.
    pub cells: Vec<String>,
}

/// Elements that can be a row.
const ROW_ELEMENTS: [&str; 8] = ["tr", "li", "dt", "dd", "article", "div", "p", "section"];

/// The rows of a page; none if nothing repeats. A single row is not told from other text.
pub fn answer_rows(page: &Page) -> Vec<AnswerRow> {
    let tree = page.tree();
    let mut groups: FxHashMap<(NodeId, &str, &str), Group> = FxHashMap::default();
    for id in tree.ids() {
        let Some(element) = tree.element(id) else { continue };
        if !ROW_ELEMENTS.contains(&element.name()) {
            continue;
        }
        let Some(parent) = tree.parent(id) else { continue };
        let class = element.attribute("class").unwrap_or_default();
        let group = groups.entry((list_of(tree, parent), element.name(), class)).or_default();
        group.rows.push(id);
        group.text += text_length(tree, id);
    }
    let best = groups.into_values().filter(|group| group.rows.len() > 1).max_by(|one, other| {
        // Between equals the earlier one counts, so that the same page gives the same rows.
        one.text.cmp(&other.text).then_with(|| other.rows.first().cmp(&one.rows.first()))
    });
    let rows = best.map(|group| group.rows).unwrap_or_default();
    let rows = rows.into_iter().filter(|id| !is_heading(tree, *id));
    rows.take(MAX_ANSWER_ROWS).filter_map(|id| row(tree, id)).collect()
}

#[derive(Default)]
struct Group {
    rows: Vec<NodeId>,
    text: usize,
}

/// Rows of one table belong together, whatever section they stand in.
fn list_of(tree: &Tree, parent: NodeId) -> NodeId {
    let is_section =
        tree.element(parent).is_some_and(|it| it.is("tbody") || it.is("thead") || it.is("tfoot"));
    if is_section { tree.parent(parent).unwrap_or(parent) } else { parent }
}

fn is_heading(tree: &Tree, id: NodeId) -> bool {
    let mut cells = tree.children(id).filter_map(|child| tree.element(child)).peekable();
    cells.peek().is_some() && cells.all(|cell| cell.is("th"))
}

fn text_length(tree: &Tree, id: NodeId) -> usize {
    tree.subtree(id).filter_map(|node| text_of(tree, node)).map(|text| text.trim().len()).sum()
}

fn text_of(tree: &Tree, id: NodeId) -> Option<&str> {
    match tree.node(id) {
        Node::Text(text) => Some(text.as_str()),
        _ => None,
    }
}

fn row(tree: &Tree, id: NodeId) -> Option<AnswerRow> {
    let text = |id: NodeId| {
        let mut text = String::new();
        for piece in tree.subtree(id).filter_map(|node| text_of(tree, node)) {
            for word in piece.split_whitespace() {
                if text.len() + word.len() > ROW_BYTES {
                    return text;
                }
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
        text
    };
    let cells = tree.children(id).filter(|child| tree.element(*child).is_some());
    let mut cells: Vec<String> = cells.map(text).filter(|cell| !cell.is_empty()).collect();
    let text = text(id);
    if text.is_empty() {
        return None;
    }
    if cells.is_empty() {
        cells.push(text.clone());
    }
    Some(AnswerRow { text, cells })
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    #[test]
    fn what_repeats_is_a_row() {
        #[rustfmt::skip]
        let cases: [(&str, &[&str]); 6] = [
            ("<table><tr><th>A<th>B<tr><td>Lola rennt<td>1998<tr><td>Sonnenallee<td>1999</table>", &["Lola rennt 1998", "Sonnenallee 1999"]),
            ("<ul class=menu><li>Start<li>Hilfe</ul><ul><li>Ein langer Treffer<li>Noch ein Treffer</ul>", &["Ein langer Treffer", "Noch ein Treffer"]),
            ("<div class=hit>eins zwei</div><div class=hit>drei vier</div><div class=foot>unten</div>", &["eins zwei", "drei vier"]),
            ("<p>nur eins</p>", &[]),
            ("<table><tbody><tr><td>a b</td></tr></tbody><tbody><tr><td>c d</td></tr></tbody></table>", &["a b", "c d"]),
            ("", &[]),
        ];
        for (html, expected) in cases {
            let rows = answer_rows(&parse(html.as_bytes(), Some("utf-8")));
            let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
            assert_eq!(texts, expected, "{html}");
        }
        let page = parse(b"<table><tr><td>Lola<td>1998<tr><td>Sonne<td>1999</table>", None);
        assert_eq!(answer_rows(&page)[1].cells, ["Sonne", "1999"]);
    }
}
