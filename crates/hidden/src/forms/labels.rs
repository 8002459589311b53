//! What people read beside a control.
//!
//! `<label for>`, a label around the control and `aria-label` are sure. Without them the nearest text is a
//! guess: before a field in the same cell, else in the cell on its left; behind a radio button or a box.

use super::controls::words;
use auslese_markup::{Node, NodeId, Tree};
use rustc_hash::FxHashMap;

/// Bytes of a text that may be a label; longer ones explain something.
const LONGEST_LABEL: usize = 200;

/// A text that names a control or a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub text: String,
    /// Whether the page says that they belong together; otherwise it is the nearest text.
    pub sure: bool,
}

impl Label {
    pub(super) fn sure(text: &str) -> Label {
        Label { text: text.to_owned(), sure: true }
    }

    fn guess(text: &str) -> Option<Label> {
        let text = words(text);
        let text = text.trim_end_matches([':', '*', ' ']);
        let is_label = !text.is_empty() && text.len() <= LONGEST_LABEL;
        is_label.then(|| Label { text: text.to_owned(), sure: false })
    }
}

/// The labels of a page.
pub(super) struct Labels<'p> {
    tree: &'p Tree,
    /// The first label for each `id`.
    by_target: FxHashMap<&'p str, NodeId>,
}

impl<'p> Labels<'p> {
    pub(super) fn of(tree: &'p Tree) -> Labels<'p> {
        let mut by_target = FxHashMap::default();
        for (id, label) in tree.elements_named("label") {
            if let Some(target) = label.attribute("for") {
                by_target.entry(target).or_insert(id);
            }
        }
        Labels { tree, by_target }
    }

    pub(super) fn of_control(&self, control: NodeId) -> Option<Label> {
        self.written(control)
            .or_else(|| self.before(control).and_then(|text| Label::guess(&text)))
            .or_else(|| self.left_cell(control).and_then(|text| Label::guess(&text)))
    }

    pub(super) fn of_choice(&self, control: NodeId) -> Option<Label> {
        self.written(control).or_else(|| self.behind(control).and_then(|text| Label::guess(&text)))
    }

    /// The name of a group of choices: the legend of its field set, or the cell on the left.
    pub(super) fn of_group(&self, control: NodeId) -> Option<Label> {
        let tree = self.tree;
        let named = |id: NodeId, name: &str| tree.element(id).is_some_and(|it| it.is(name));
        let fieldset = tree.ancestors(control).find(|id| named(*id, "fieldset"));
        let legend =
            fieldset.and_then(|it| tree.children(it).find(|child| named(*child, "legend")));
        let legend = legend.map(|legend| words(&tree.string_value(legend)));
        match legend.filter(|text| !text.is_empty()) {
            Some(text) => Some(Label::sure(&text)),
            None => self.left_cell(control).and_then(|text| Label::guess(&text)),
        }
    }

    /// A label that the page declares.
    fn written(&self, control: NodeId) -> Option<Label> {
        let element = self.tree.element(control)?;
        let by_id = element.attribute("id").and_then(|id| self.by_target.get(id)).copied();
        let around = || {
            let mut ancestors = self.tree.ancestors(control);
            ancestors.find(|id| self.tree.element(*id).is_some_and(|it| it.is("label")))
        };
        let text = by_id.or_else(around).map(|label| self.label_text(label));
        let text = text.filter(|text| !text.is_empty());
        let text = text.or_else(|| element.attribute("aria-label").map(words));
        text.filter(|text| !text.is_empty()).map(|text| Label::sure(&text))
    }

    /// The words of a label without those of the controls in it.
    fn label_text(&self, label: NodeId) -> String {
        let tree = self.tree;
        let is_control = |id: NodeId| {
            tree.element(id)
                .is_some_and(|it| it.is("select") || it.is("textarea") || it.is("button"))
        };
        let mut text = String::new();
        let mut past = NodeId::DOCUMENT;
        for id in tree.subtree(label) {
            if id <= past {
                continue;
            }
            if is_control(id) {
                past = tree.subtree(id).next_back().unwrap_or(id);
            } else if let Node::Text(part) = tree.node(id) {
                text.push_str(part);
                text.push(' ');
            }
        }
        words(&text)
    }

    /// The text right before a control, among its siblings.
    fn before(&self, control: NodeId) -> Option<String> {
        let siblings = std::iter::successors(self.tree.previous_sibling(control), |id| {
            self.tree.previous_sibling(*id)
        });
        self.first_text(siblings)
    }

    fn behind(&self, control: NodeId) -> Option<String> {
        let siblings = std::iter::successors(self.tree.next_sibling(control), |id| {
            self.tree.next_sibling(*id)
        });
        self.first_text(siblings)
    }

    /// The first text on the way, unless another control or a line break comes first.
    fn first_text(&self, mut siblings: impl Iterator<Item = NodeId>) -> Option<String> {
        siblings.by_ref().take(8).find_map(|id| match self.tree.node(id) {
            Node::Text(text) if text.trim().is_empty() => None,
            Node::Text(text) => Some(Some(text.to_string())),
            Node::Element(element) => {
                let stops = ["input", "select", "textarea", "button", "br", "hr", "table", "form"];
                if stops.iter().any(|name| element.is(name)) {
                    return Some(None);
                }
                let text = self.tree.string_value(id);
                (!text.trim().is_empty()).then_some(Some(text))
            }
            _ => None,
        })?
    }

    /// The text of the cell on the left of the one that a control stands in.
    fn left_cell(&self, control: NodeId) -> Option<String> {
        let tree = self.tree;
        let is_cell = |id: &NodeId| {
            tree.element(*id).is_some_and(|it| ["td", "th", "dd"].iter().any(|name| it.is(name)))
        };
        let cell = tree.ancestors(control).find(is_cell)?;
        let mut left =
            std::iter::successors(tree.previous_sibling(cell), |id| tree.previous_sibling(*id));
        let left = left.find(|id| tree.element(*id).is_some())?;
        Some(tree.string_value(left))
    }
}
