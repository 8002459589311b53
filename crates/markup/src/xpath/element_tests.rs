//! Predicates that ask an element for its attributes and its place, answered without evaluation.
//!
//! Nearly all predicates are such: `[@rel = 'license']`, `[not(ancestor::article)]`,
//! `[self::div or self::ul]`. They are recognised when an expression is read. What they mean for
//! elements of HTML is plain; all other nodes are left to the evaluator, and so is every predicate
//! that is more than that.

use super::axes::after_subtree;
use super::budget::{BYTES_PER_STEP, StepBudget, XPathFailure};
use super::expression::{
    Axis, Call, Comparison, Expr, NameTest, NodeTest, Path, Predicate, Prepared, Start, Step,
};
use super::functions::Function;
use super::node::XPathNode;
use crate::names::LocalName;
use crate::tree::{Element, Namespace, NodeId, Tree};
use memchr::memmem::Finder;
use regex::Regex;

/// A question about an element of HTML that is answered by yes or no.
#[derive(Debug, Clone)]
pub(super) enum ElementTest {
    Attribute(LocalName, TextTest),
    Itself(LocalName),
    /// `self::*`
    Always,
    Ancestor(LocalName),
    Below(LocalName),
    Not(Box<ElementTest>),
    And(Vec<ElementTest>),
    Or(Vec<ElementTest>),
}

/// A question about the value of an attribute.
#[derive(Debug, Clone)]
pub(super) enum TextTest {
    Present,
    Is(String),
    Contains(Box<Finder<'static>>),
    /// The value is empty where there is no attribute.
    Matches(Regex),
    StartsWith(String),
    /// With a space before and behind it, it contains this.
    ContainsPadded(Box<Finder<'static>>, String),
}

impl ElementTest {
    /// What an expression asks of an element, if that is all it does.
    pub(super) fn of(expr: &Expr) -> Option<ElementTest> {
        let all = |parts: &[Expr]| parts.iter().map(ElementTest::of).collect::<Option<Vec<_>>>();
        match expr {
            Expr::Or(parts) => all(parts).map(ElementTest::Or),
            Expr::And(parts) => all(parts).map(ElementTest::And),
            Expr::Compare(Comparison::Equal, left, right) => match (&**left, &**right) {
                (Expr::Path(path), Expr::Literal(text))
                | (Expr::Literal(text), Expr::Path(path)) => {
                    Some(ElementTest::Attribute(attribute(path)?, TextTest::Is(text.clone())))
                }
                _ => None,
            },
            Expr::Call(call) => ElementTest::of_call(call),
            Expr::Path(path) => ElementTest::of_path(path),
            _ => None,
        }
    }

    /// What an expression asks of the context node, if all it can find is that node.
    pub(super) fn of_itself(expr: &Expr) -> Option<ElementTest> {
        match expr {
            Expr::Union(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(ElementTest::of_itself).collect();
                parts.map(ElementTest::Or)
            }
            Expr::Path(path) => match (&path.start, path.steps.as_slice()) {
                (Start::Context, [step @ Step { axis: Axis::Itself, .. }]) => {
                    ElementTest::of_step(step)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Its questions about single attributes, if it holds where any of them is answered with yes, and they are so
    /// only where there is the attribute.
    pub(super) fn questions_about_attributes(&self) -> Option<Vec<(&LocalName, &TextTest)>> {
        match self {
            ElementTest::Attribute(_, TextTest::Matches(_)) => None,
            ElementTest::Attribute(name, test) => Some(vec![(name, test)]),
            ElementTest::Or(tests) => {
                let questions = tests.iter().map(ElementTest::questions_about_attributes);
                questions.collect::<Option<Vec<_>>>().map(|questions| questions.concat())
            }
            _ => None,
        }
    }

    fn of_call(call: &Call) -> Option<ElementTest> {
        match (call.function, call.arguments.as_slice()) {
            (Function::Not, [inner]) => {
                ElementTest::of(inner).map(|test| ElementTest::Not(Box::new(test)))
            }
            (function, [Expr::Path(path), Expr::Literal(text)]) if !text.is_empty() => {
                let test = match (function, &call.prepared) {
                    (Function::StartsWith, _) => TextTest::StartsWith(text.clone()),
                    (Function::Contains, Prepared::Needle(needle)) => {
                        TextTest::Contains(needle.clone())
                    }
                    (Function::Matches, Prepared::Pattern(regex)) => {
                        TextTest::Matches(regex.clone())
                    }
                    _ => return None,
                };
                Some(ElementTest::Attribute(attribute(path)?, test))
            }
            (Function::Contains, [Expr::Call(padded), Expr::Literal(text)])
                if padded.function == Function::Concat && text.trim() != "" =>
            {
                match (padded.arguments.as_slice(), &call.prepared) {
                    (
                        [Expr::Literal(before), Expr::Path(path), Expr::Literal(after)],
                        Prepared::Needle(needle),
                    ) if before == " " && after == " " => {
                        let test = TextTest::ContainsPadded(needle.clone(), text.clone());
                        Some(ElementTest::Attribute(attribute(path)?, test))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn of_path(path: &Path) -> Option<ElementTest> {
        let (Start::Context, [step]) = (&path.start, path.steps.as_slice()) else { return None };
        match step.axis {
            Axis::Itself => ElementTest::of_step(step),
            Axis::Attribute => Some(ElementTest::Attribute(attribute(path)?, TextTest::Present)),
            Axis::Ancestor => bare_name(step).map(ElementTest::Ancestor),
            Axis::Descendant => bare_name(step).map(ElementTest::Below),
            _ => None,
        }
    }

    /// A step to the node itself.
    fn of_step(step: &Step) -> Option<ElementTest> {
        let mut tests = vec![match &step.test {
            NodeTest::Name(name) => ElementTest::Itself(plain(name)?),
            NodeTest::Star => ElementTest::Always,
            _ => return None,
        }];
        for predicate in &step.predicates {
            match predicate {
                Predicate::Test { quick: Some(test), .. } => tests.push(test.clone()),
                _ => return None,
            }
        }
        Some(ElementTest::And(tests))
    }

    /// Whether it holds for a node, if that is an element of HTML; paid.
    pub(super) fn holds(
        &self,
        tree: &Tree,
        node: XPathNode,
        budget: &mut StepBudget,
    ) -> Result<Option<bool>, XPathFailure> {
        let XPathNode::Node(id) = node else { return Ok(None) };
        let element = tree.element(id).filter(|element| element.name.ns == Namespace::Html);
        let Some(element) = element else { return Ok(None) };
        let mut steps = 1;
        let holds = self.holds_for(tree, id, element, &mut steps);
        budget.spend(steps)?;
        Ok(Some(holds))
    }

    fn holds_for(&self, tree: &Tree, node: NodeId, element: &Element, steps: &mut u64) -> bool {
        match self {
            ElementTest::Attribute(name, test) => {
                let (holds, looked_at) = test.holds_for(element, name);
                *steps += looked_at;
                holds
            }
            ElementTest::Itself(name) => element.name.local == *name,
            ElementTest::Always => true,
            ElementTest::Ancestor(name) => tree.ancestors(node).any(|ancestor| {
                *steps += 1;
                let element = tree.element(ancestor);
                element.is_some_and(|it| {
                    it.name.local == *name
                        && (it.name.ns == Namespace::Html || it.name.ns == Namespace::None)
                })
            }),
            ElementTest::Below(name) => {
                *steps += tree.depth(node) as u64;
                let named = tree.index().named(name);
                let next = named.get(named.partition_point(|it| *it <= node));
                next.is_some_and(|next| after_subtree(tree, node).is_none_or(|end| *next < end))
            }
            ElementTest::Not(test) => !test.holds_for(tree, node, element, steps),
            ElementTest::And(tests) => {
                tests.iter().all(|it| it.holds_for(tree, node, element, steps))
            }
            ElementTest::Or(tests) => {
                tests.iter().any(|it| it.holds_for(tree, node, element, steps))
            }
        }
    }
}

impl TextTest {
    /// Whether it holds for an attribute of an element, and how many steps that takes.
    pub(super) fn holds_for(&self, element: &Element, name: &LocalName) -> (bool, u64) {
        let mut attributes = element.attributes().iter();
        let found = attributes.find(|it| it.name.local == *name && it.name.ns == Namespace::None);
        let value = found.map(|attribute| &*attribute.value);
        (self.holds(value), 1 + value.map_or(0, str::len) as u64 / BYTES_PER_STEP)
    }

    fn holds(&self, value: Option<&str>) -> bool {
        let Some(value) = value else {
            return matches!(self, TextTest::Matches(regex) if regex.is_match(""));
        };
        match self {
            TextTest::Present => true,
            TextTest::Is(text) => value == text,
            TextTest::Contains(needle) => needle.find(value.as_bytes()).is_some(),
            TextTest::Matches(regex) => regex.is_match(value),
            TextTest::StartsWith(text) => value.starts_with(text),
            TextTest::ContainsPadded(needle, text) => contains_padded(value, needle, text),
        }
    }
}

/// Whether a value with a space before and behind it contains a text.
fn contains_padded(value: &str, needle: &Finder<'_>, text: &str) -> bool {
    let (first, last) = (text.strip_prefix(' '), text.strip_suffix(' '));
    needle.find(value.as_bytes()).is_some()
        || first.is_some_and(|rest| value.starts_with(rest))
        || last.is_some_and(|rest| value.ends_with(rest))
        || first.and_then(|rest| rest.strip_suffix(' ')).is_some_and(|rest| value == rest)
}

/// The name in `@name`.
fn attribute(path: &Path) -> Option<LocalName> {
    match (&path.start, path.steps.as_slice()) {
        (Start::Context, [step @ Step { axis: Axis::Attribute, .. }]) => {
            // A declaration of a namespace is no attribute.
            bare_name(step).filter(|name| !name.starts_with("xmlns"))
        }
        _ => None,
    }
}

/// The name of a step that asks for nothing else.
fn bare_name(step: &Step) -> Option<LocalName> {
    match (&step.test, step.predicates.as_slice()) {
        (NodeTest::Name(name), []) => plain(name),
        _ => None,
    }
}

/// A name without prefix.
fn plain(name: &NameTest) -> Option<LocalName> {
    match name {
        NameTest { prefix: None, local } => local.clone(),
        NameTest { prefix: Some(_), .. } => None,
    }
}
