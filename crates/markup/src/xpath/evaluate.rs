//! Finds the value of an expression.
//!
//! There is one way for each kind of value that is asked for: the truth of a path ends at the
//! first node, and the text of an attribute is borrowed from the tree. Everything that is looked
//! at is paid from the budget, so that any expression ends.

use super::axes::AxisNodes;
use super::budget::{StepBudget, XPathFailure};
use super::expression::{Arithmetic, Axis, Expr, Predicate, Start, Step};
use super::functions::Kind;
use super::node::{XPathNode, only_text};
use super::numbers;
use super::steps::{Want, in_order};
use super::value::{XPathValue, number_truth, truth_number, truth_text};
use crate::tree::{Node, Tree};
use regex::Regex;
use std::borrow::Cow;
use std::rc::Rc;

pub(super) type Evaluated<T> = Result<T, XPathFailure>;

/// Evaluates one expression over one tree.
pub(super) struct Evaluator<'a> {
    pub(super) tree: &'a Tree,
    pub(super) variables: &'a [XPathValue],
    pub(super) budget: &'a mut StepBudget,
    /// The last pattern that was no literal, compiled.
    pub(super) pattern: Option<(String, Regex)>,
    /// What the paths from the root in predicates have found, once they were walked in full.
    pub(super) found: Vec<Option<Rc<[XPathNode]>>>,
}

/// Where an expression is evaluated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub(super) node: XPathNode,
    pub(super) position: usize,
    pub(super) size: usize,
}

impl<'a> Evaluator<'a> {
    pub(super) fn value(&mut self, expr: &'a Expr, at: Context) -> Evaluated<XPathValue> {
        Ok(match expr.kind() {
            Kind::Nodes => XPathValue::Nodes(self.nodes(expr, at, Want::All)?),
            Kind::Text => XPathValue::Text(self.text(expr, at)?.into_owned()),
            Kind::Number => XPathValue::Number(self.number(expr, at)?),
            Kind::Truth => XPathValue::Truth(self.truth(expr, at)?),
            Kind::Unknown => self.variable(expr)?.clone(),
        })
    }

    /// The value of an expression that is a variable.
    pub(super) fn variable(&mut self, expr: &'a Expr) -> Evaluated<&'a XPathValue> {
        let value = match expr {
            Expr::Variable(index) => self.variables.get(*index),
            _ => None,
        };
        let value = value.ok_or_else(|| XPathFailure::NotNodes("this expression".to_owned()))?;
        match value {
            XPathValue::Nodes(nodes) => self.budget.spend(nodes.len() as u64)?,
            XPathValue::Text(text) => self.budget.bytes(text.len())?,
            XPathValue::Number(_) | XPathValue::Truth(_) => {}
        }
        Ok(value)
    }

    pub(super) fn truth(&mut self, expr: &'a Expr, at: Context) -> Evaluated<bool> {
        match expr {
            Expr::Or(parts) => {
                for part in parts {
                    if self.truth(part, at)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Expr::And(parts) => {
                for part in parts {
                    if !self.truth(part, at)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Expr::Compare(comparison, left, right) => self.compare(*comparison, left, right, at),
            Expr::Call(call) if call.function.result() == Kind::Truth => self.call_truth(call, at),
            Expr::Variable(_) => Ok(self.variable(expr)?.truth()),
            _ => match expr.kind() {
                Kind::Nodes => Ok(self.first(expr, at, Want::Any)?.is_some()),
                Kind::Text => Ok(!self.text(expr, at)?.is_empty()),
                _ => Ok(number_truth(self.number(expr, at)?)),
            },
        }
    }

    pub(super) fn number(&mut self, expr: &'a Expr, at: Context) -> Evaluated<f64> {
        match expr {
            Expr::Number(number) => Ok(*number),
            Expr::Negate(inner) => Ok(-self.number(inner, at)?),
            Expr::Arithmetic(first, rest) => {
                let mut result = self.number(first, at)?;
                for (operator, operand) in rest {
                    result = operator.apply(result, self.number(operand, at)?);
                }
                Ok(result)
            }
            Expr::Call(call) if call.function.result() == Kind::Number => {
                self.call_number(call, at)
            }
            _ => match expr.kind() {
                Kind::Truth => Ok(truth_number(self.truth(expr, at)?)),
                Kind::Unknown => match self.variable(expr)? {
                    XPathValue::Number(number) => Ok(*number),
                    XPathValue::Truth(truth) => Ok(truth_number(*truth)),
                    _ => Ok(numbers::from_text(&self.text(expr, at)?)),
                },
                _ => Ok(numbers::from_text(&self.text(expr, at)?)),
            },
        }
    }

    pub(super) fn text(&mut self, expr: &'a Expr, at: Context) -> Evaluated<Cow<'a, str>> {
        match expr {
            Expr::Literal(text) => Ok(Cow::Borrowed(text)),
            Expr::Call(call) if call.function.result() == Kind::Text => self.call_text(call, at),
            Expr::Variable(_) => match self.variable(expr)? {
                XPathValue::Nodes(nodes) => self.text_of_first(nodes.first().copied()),
                XPathValue::Text(text) => Ok(Cow::Borrowed(text)),
                XPathValue::Number(number) => Ok(Cow::Owned(numbers::to_text(*number))),
                XPathValue::Truth(truth) => Ok(Cow::Borrowed(truth_text(*truth))),
            },
            _ => match expr.kind() {
                Kind::Truth => Ok(Cow::Borrowed(truth_text(self.truth(expr, at)?))),
                Kind::Number => Ok(Cow::Owned(numbers::to_text(self.number(expr, at)?))),
                _ => {
                    let first = self.first(expr, at, Want::First(1))?;
                    self.text_of_first(first)
                }
            },
        }
    }

    fn text_of_first(&mut self, node: Option<XPathNode>) -> Evaluated<Cow<'a, str>> {
        node.map_or(Ok(Cow::Borrowed("")), |node| self.text_of(node))
    }

    /// The string value of a node, paid.
    pub(super) fn text_of(&mut self, node: XPathNode) -> Evaluated<Cow<'a, str>> {
        let tree = self.tree;
        if let XPathNode::Node(id) = node
            && matches!(tree.node(id), Node::Element(_) | Node::Document)
            && only_text(tree, id).is_none()
        {
            return self.joined_text(node).map(Cow::Owned);
        }
        let text = node.string_value(tree);
        self.budget.bytes(text.len())?;
        Ok(text)
    }

    fn joined_text(&mut self, node: XPathNode) -> Evaluated<String> {
        let mut joined = String::new();
        for below in AxisNodes::new(self.tree, Axis::Descendant, node) {
            self.budget.node()?;
            if let Node::Text(text) = self.tree.node(below.anchor()) {
                self.budget.bytes(text.len())?;
                joined.push_str(text);
            }
        }
        Ok(joined)
    }

    /// The first node, or any if that is enough.
    fn first(&mut self, expr: &'a Expr, at: Context, want: Want) -> Evaluated<Option<XPathNode>> {
        if let Some(step) = expr.bare_step()
            && (want == Want::Any || step.axis.is_forward())
        {
            return self.first_of_step(step, at.node);
        }
        Ok(self.nodes(expr, at, want)?.first().copied())
    }

    fn first_of_step(&mut self, step: &Step, from: XPathNode) -> Evaluated<Option<XPathNode>> {
        let mut nodes = self.along(step.axis, from)?;
        self.next_of(&mut nodes, step)
    }

    /// The nodes along an axis; finding where `following` begins may take a climb.
    pub(super) fn along(&mut self, axis: Axis, from: XPathNode) -> Evaluated<AxisNodes<'a>> {
        if axis == Axis::Following {
            self.budget.spend(self.tree.depth(from.anchor()) as u64)?;
        }
        Ok(AxisNodes::new(self.tree, axis, from))
    }

    /// The next node along the axis that passes the test of the step, paid.
    pub(super) fn next_of(
        &mut self,
        nodes: &mut AxisNodes<'a>,
        step: &Step,
    ) -> Evaluated<Option<XPathNode>> {
        let mut looked_at = 0;
        let node = nodes.next_passing(step.axis, &step.test, &mut looked_at);
        self.budget.spend(looked_at)?;
        Ok(node)
    }

    /// Whether the question is answered with yes for any node of a node set.
    pub(super) fn any_node(
        &mut self,
        expr: &'a Expr,
        at: Context,
        question: &mut dyn FnMut(&mut Evaluator<'a>, XPathNode) -> Evaluated<bool>,
    ) -> Evaluated<bool> {
        if let Some(step) = expr.bare_step() {
            let mut nodes = self.along(step.axis, at.node)?;
            while let Some(node) = self.next_of(&mut nodes, step)? {
                if question(self, node)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        for node in self.nodes(expr, at, Want::All)? {
            if question(self, node)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The nodes of a node set, in document order.
    pub(super) fn nodes(
        &mut self,
        expr: &'a Expr,
        at: Context,
        want: Want,
    ) -> Evaluated<Vec<XPathNode>> {
        match expr {
            Expr::Path(path) => match &path.start {
                Start::Root(None) => self.steps(&path.steps, vec![XPathNode::DOCUMENT], want),
                Start::Root(Some(number)) => self.once(*number, &path.steps, want),
                Start::Context => self.steps(&path.steps, vec![at.node], want),
                Start::Expr(expr) => {
                    let start = self.nodes(expr, at, Want::All)?;
                    self.steps(&path.steps, start, want)
                }
            },
            Expr::Filter(inner, predicates) => {
                let needed = predicates.first().and_then(Predicate::limit);
                let all = self.nodes(inner, at, needed.map_or(Want::All, Want::First))?;
                self.filter(predicates, all)
            }
            Expr::Union(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.nodes(part, at, want)?);
                    if want == Want::Any && !all.is_empty() {
                        break;
                    }
                }
                Ok(in_order(all))
            }
            Expr::Variable(_) => match self.variable(expr)? {
                XPathValue::Nodes(nodes) => Ok(nodes.clone()),
                _ => Err(XPathFailure::NotNodes("this place of a variable".to_owned())),
            },
            Expr::Call(call) => self.call_nodes(call, at),
            _ => Err(XPathFailure::NotNodes("this expression".to_owned())),
        }
    }

    /// The nodes of a path from the root, which are the same for each node that is asked.
    fn once(&mut self, number: usize, steps: &'a [Step], want: Want) -> Evaluated<Vec<XPathNode>> {
        if let Some(Some(found)) = self.found.get(number) {
            self.budget.spend(found.len() as u64)?;
            return Ok(found.to_vec());
        }
        let found = self.steps(steps, vec![XPathNode::DOCUMENT], want)?;
        let complete = want == Want::All || found.is_empty();
        if let (true, Some(place)) = (complete, self.found.get_mut(number)) {
            self.budget.spend(found.len() as u64)?;
            *place = Some(Rc::from(&found[..]));
        }
        Ok(found)
    }
}

impl Arithmetic {
    fn apply(self, left: f64, right: f64) -> f64 {
        match self {
            Arithmetic::Add => left + right,
            Arithmetic::Subtract => left - right,
            Arithmetic::Multiply => left * right,
            Arithmetic::Divide => left / right,
            Arithmetic::Remainder => left % right,
        }
    }
}
