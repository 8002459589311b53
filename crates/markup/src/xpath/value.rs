//! The four kinds of values, and how one becomes another.

use super::node::XPathNode;
use super::numbers;
use crate::tree::Tree;
use std::borrow::Cow;

/// What an expression is worth.
#[derive(Debug, Clone, PartialEq)]
pub enum XPathValue {
    /// In document order, each node once.
    Nodes(Vec<XPathNode>),
    Text(String),
    Number(f64),
    Truth(bool),
}

impl XPathValue {
    /// As by `string()`: of nodes, the text of the first.
    pub fn string<'v>(&'v self, tree: &'v Tree) -> Cow<'v, str> {
        match self {
            XPathValue::Nodes(nodes) => {
                nodes.first().map_or(Cow::Borrowed(""), |node| node.string_value(tree))
            }
            XPathValue::Text(text) => Cow::Borrowed(text),
            XPathValue::Number(number) => Cow::Owned(numbers::to_text(*number)),
            XPathValue::Truth(truth) => Cow::Borrowed(truth_text(*truth)),
        }
    }

    /// As by `number()`.
    pub fn number(&self, tree: &Tree) -> f64 {
        match self {
            XPathValue::Nodes(_) | XPathValue::Text(_) => numbers::from_text(&self.string(tree)),
            XPathValue::Number(number) => *number,
            XPathValue::Truth(truth) => truth_number(*truth),
        }
    }

    /// As by `boolean()`: whether there is a node, a character, a number other than zero.
    pub fn truth(&self) -> bool {
        match self {
            XPathValue::Nodes(nodes) => !nodes.is_empty(),
            XPathValue::Text(text) => !text.is_empty(),
            XPathValue::Number(number) => number_truth(*number),
            XPathValue::Truth(truth) => *truth,
        }
    }

    /// The nodes; none if this is something else.
    pub fn nodes(&self) -> &[XPathNode] {
        match self {
            XPathValue::Nodes(nodes) => nodes,
            _ => &[],
        }
    }
}

pub(super) fn truth_text(truth: bool) -> &'static str {
    if truth { "true" } else { "false" }
}

pub(super) fn truth_number(truth: bool) -> f64 {
    if truth { 1.0 } else { 0.0 }
}

pub(super) fn number_truth(number: f64) -> bool {
    number != 0.0 && !number.is_nan()
}
