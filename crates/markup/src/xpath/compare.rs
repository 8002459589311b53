//! Comparisons, by section 3.4 of the standard.
//!
//! A node set compares true if any of its nodes does. Two node sets are compared in linear time:
//! equality by a set of texts, order by the smallest and the greatest number.

use super::axes::AxisNodes;
use super::evaluate::{Context, Evaluated, Evaluator};
use super::expression::{Axis, Comparison, Expr};
use super::functions::Kind;
use super::node::XPathNode;
use super::numbers;
use super::value::{XPathValue, truth_number};
use crate::tree::{Node, Tree};
use std::borrow::Cow;
use std::collections::HashSet;

impl<'a> Evaluator<'a> {
    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        left: &'a Expr,
        right: &'a Expr,
        at: Context,
    ) -> Evaluated<bool> {
        match (left.kind(), right.kind()) {
            (Kind::Nodes, Kind::Text) => {
                let text = self.text(right, at)?;
                self.any_against_text(comparison, left, &text, at)
            }
            (Kind::Text, Kind::Nodes) => {
                let text = self.text(left, at)?;
                self.any_against_text(comparison.mirrored(), right, &text, at)
            }
            (Kind::Nodes, Kind::Number) => {
                let number = self.number(right, at)?;
                self.any_against_number(comparison, left, number, at)
            }
            (Kind::Number, Kind::Nodes) => {
                let number = self.number(left, at)?;
                self.any_against_number(comparison.mirrored(), right, number, at)
            }
            (Kind::Number, Kind::Number) => {
                Ok(of_numbers(comparison, self.number(left, at)?, self.number(right, at)?))
            }
            _ => {
                let (left, right) = (self.value(left, at)?, self.value(right, at)?);
                self.compare_values(comparison, &left, &right)
            }
        }
    }

    fn any_against_text(
        &mut self,
        comparison: Comparison,
        nodes: &'a Expr,
        text: &str,
        at: Context,
    ) -> Evaluated<bool> {
        let wanted = match comparison {
            Comparison::Equal => true,
            Comparison::Unequal => false,
            _ => {
                let number = numbers::from_text(text);
                return self.any_against_number(comparison, nodes, number, at);
            }
        };
        self.any_node(nodes, at, &mut |evaluator, node| {
            Ok(evaluator.has_text(node, text)? == wanted)
        })
    }

    fn any_against_number(
        &mut self,
        comparison: Comparison,
        nodes: &'a Expr,
        number: f64,
        at: Context,
    ) -> Evaluated<bool> {
        self.any_node(nodes, at, &mut |evaluator, node| {
            Ok(of_numbers(comparison, evaluator.number_of(node)?, number))
        })
    }

    fn number_of(&mut self, node: XPathNode) -> Evaluated<f64> {
        Ok(numbers::from_text(&self.text_of(node)?))
    }

    /// Whether that is the string value of the node; it is not built for that.
    fn has_text(&mut self, node: XPathNode, text: &str) -> Evaluated<bool> {
        let tree: &Tree = self.tree;
        match node {
            XPathNode::Node(id) if matches!(tree.node(id), Node::Element(_) | Node::Document) => {
                let mut left = text;
                for below in AxisNodes::new(tree, Axis::Descendant, node) {
                    self.budget.node()?;
                    let Node::Text(part) = tree.node(below.anchor()) else { continue };
                    match left.strip_prefix(part.as_str()) {
                        Some(rest) => left = rest,
                        None => return Ok(false),
                    }
                }
                Ok(left.is_empty())
            }
            _ => Ok(*node.string_value(tree) == *text),
        }
    }

    fn compare_values(
        &mut self,
        comparison: Comparison,
        left: &XPathValue,
        right: &XPathValue,
    ) -> Evaluated<bool> {
        use XPathValue::{Nodes, Number, Text, Truth};
        match (left, right) {
            (Nodes(left), Nodes(right)) => self.compare_sets(comparison, left, right),
            (Nodes(_), Truth(_)) | (Truth(_), Nodes(_)) => {
                Ok(of_truths(comparison, left.truth(), right.truth()))
            }
            (Nodes(nodes), scalar) => self.compare_each(comparison, nodes, scalar),
            (scalar, Nodes(nodes)) => self.compare_each(comparison.mirrored(), nodes, scalar),
            _ if !is_equality(comparison) => {
                Ok(of_numbers(comparison, left.number(self.tree), right.number(self.tree)))
            }
            (Truth(_), _) | (_, Truth(_)) => Ok(of_truths(comparison, left.truth(), right.truth())),
            (Number(_), _) | (_, Number(_)) => {
                Ok(of_numbers(comparison, left.number(self.tree), right.number(self.tree)))
            }
            (Text(left), Text(right)) => Ok((left == right) == (comparison == Comparison::Equal)),
        }
    }

    fn compare_each(
        &mut self,
        comparison: Comparison,
        nodes: &[XPathNode],
        scalar: &XPathValue,
    ) -> Evaluated<bool> {
        for node in nodes {
            let holds = match scalar {
                XPathValue::Text(text) if is_equality(comparison) => {
                    self.has_text(*node, text)? == (comparison == Comparison::Equal)
                }
                _ => {
                    let number = scalar.number(self.tree);
                    of_numbers(comparison, self.number_of(*node)?, number)
                }
            };
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn compare_sets(
        &mut self,
        comparison: Comparison,
        left: &[XPathNode],
        right: &[XPathNode],
    ) -> Evaluated<bool> {
        match comparison {
            Comparison::Equal => {
                let (few, many) =
                    if left.len() < right.len() { (left, right) } else { (right, left) };
                let texts = self.texts_of(few)?;
                for node in many {
                    if texts.contains(&*self.text_of(*node)?) {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Comparison::Unequal => {
                if left.is_empty() || right.is_empty() {
                    return Ok(false);
                }
                let mut texts = self.texts_of(left)?;
                texts.extend(self.texts_of(right)?);
                Ok(texts.len() > 1)
            }
            _ => {
                let (left, right) = (self.extent(left)?, self.extent(right)?);
                let (Some((least, most)), Some((other_least, other_most))) = (left, right) else {
                    return Ok(false);
                };
                Ok(match comparison {
                    Comparison::Less | Comparison::AtMost => {
                        of_numbers(comparison, least, other_most)
                    }
                    _ => of_numbers(comparison, most, other_least),
                })
            }
        }
    }

    fn texts_of(&mut self, nodes: &[XPathNode]) -> Evaluated<HashSet<Cow<'a, str>>> {
        nodes.iter().map(|node| self.text_of(*node)).collect()
    }

    /// The smallest and the greatest number; what is no number compares with nothing.
    fn extent(&mut self, nodes: &[XPathNode]) -> Evaluated<Option<(f64, f64)>> {
        let mut extent = None;
        for node in nodes {
            let number = self.number_of(*node)?;
            if !number.is_nan() {
                let (least, most) = extent.unwrap_or((number, number));
                extent = Some((number.min(least), number.max(most)));
            }
        }
        Ok(extent)
    }
}

fn is_equality(comparison: Comparison) -> bool {
    matches!(comparison, Comparison::Equal | Comparison::Unequal)
}

fn of_numbers(comparison: Comparison, left: f64, right: f64) -> bool {
    match comparison {
        Comparison::Equal => left == right,
        Comparison::Unequal => left != right,
        Comparison::Less => left < right,
        Comparison::AtMost => left <= right,
        Comparison::Greater => left > right,
        Comparison::AtLeast => left >= right,
    }
}

fn of_truths(comparison: Comparison, left: bool, right: bool) -> bool {
    of_numbers(comparison, truth_number(left), truth_number(right))
}
