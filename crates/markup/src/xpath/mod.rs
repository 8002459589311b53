//! XPath 1.0 over a [`Tree`].
//!
//! An expression is read once ([`XPath::parse`]) and evaluated on many pages. It is complete: all
//! axes, operators and functions of the standard, and four functions more. What HTML has not got is
//! empty: processing instructions and the namespace axis. Names are compared without regard to
//! upper and lower case; a name without prefix means HTML, so that `//title` does not find the
//! titles of drawings, which are `svg:title`.
//!
//! An evaluation has a [`StepBudget`], so that any expression ends on any page.

mod axes;
mod budget;
mod calls;
mod compare;
mod element_tests;
mod evaluate;
mod expression;
mod functions;
mod grammar;
mod needs;
mod node;
mod numbers;
mod place;
mod steps;
mod strings;
mod tokens;
mod value;

pub use budget::{MAX_XPATH_STEPS, StepBudget, XPathFailure};
pub use node::XPathNode;
pub(crate) use node::{attribute_name, declares_namespace, usual_prefix};
pub use place::{Places, path_of};
pub use strings::MAX_XPATH_PATTERN;
pub use value::XPathValue;

use crate::tree::Tree;
use element_tests::ElementTest;
use evaluate::{Context, Evaluator};
use grammar::Parsing;
use std::fmt;
use std::sync::Arc;

/// Bytes of an expression.
pub const MAX_XPATH_LENGTH: usize = 16 * 1024;

/// Brackets within brackets in an expression.
pub const MAX_XPATH_DEPTH: usize = 64;

/// An expression, ready to be evaluated.
#[derive(Clone)]
pub struct XPath {
    inner: Arc<Inner>,
}

struct Inner {
    source: String,
    parsing: Parsing,
    /// What it asks of the context node, if it can find that only.
    itself: Option<ElementTest>,
}

impl XPath {
    pub fn parse(source: &str) -> Result<XPath, XPathError> {
        let parsing = grammar::parse(source)?;
        let itself = ElementTest::of_itself(&parsing.expr);
        Ok(XPath { inner: Arc::new(Inner { source: source.to_owned(), parsing, itself }) })
    }

    /// The expression as it was written.
    pub fn source(&self) -> &str {
        &self.inner.source
    }

    /// The names used as `$name`, each once, in the order of their first use.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.inner.parsing.variables.iter().map(String::as_str)
    }

    /// Whether the value at a node is that node or nothing, where that is all the expression can say,
    /// as in `self::p | self::div`, and is told without evaluating it.
    pub fn keeps(
        &self,
        tree: &Tree,
        at: XPathNode,
        budget: &mut StepBudget,
    ) -> Result<Option<bool>, XPathFailure> {
        check_nodes(tree, &[at])?;
        match &self.inner.itself {
            Some(test) => test.holds(tree, at, budget),
            None => Ok(None),
        }
    }

    /// The value on a page, at a node of it. Each variable is asked for once.
    pub fn evaluate(
        &self,
        tree: &Tree,
        at: XPathNode,
        variables: &dyn Fn(&str) -> Option<XPathValue>,
        budget: &mut StepBudget,
    ) -> Result<XPathValue, XPathFailure> {
        check_nodes(tree, &[at])?;
        let Parsing { expr, variables: names, absolute_paths } = &self.inner.parsing;
        let mut values = Vec::with_capacity(names.len());
        for name in names {
            let value =
                variables(name).ok_or_else(|| XPathFailure::UnknownVariable(name.clone()))?;
            values.push(checked(tree, value)?);
        }
        let found = vec![None; *absolute_paths];
        let mut evaluator = Evaluator { tree, variables: &values, budget, pattern: None, found };
        evaluator.value(expr, Context { node: at, position: 1, size: 1 })
    }
}

/// A value from outside, in the form that the evaluator relies on.
fn checked(tree: &Tree, value: XPathValue) -> Result<XPathValue, XPathFailure> {
    match value {
        XPathValue::Nodes(nodes) => {
            check_nodes(tree, &nodes)?;
            Ok(XPathValue::Nodes(steps::in_order(nodes)))
        }
        other => Ok(other),
    }
}

fn check_nodes(tree: &Tree, nodes: &[XPathNode]) -> Result<(), XPathFailure> {
    let belongs = |node: &XPathNode| {
        tree.contains(node.anchor())
            && (matches!(node, XPathNode::Node(_)) || node.attribute(tree).is_some())
    };
    if nodes.iter().all(belongs) { Ok(()) } else { Err(XPathFailure::ForeignNode) }
}

impl fmt::Debug for XPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("XPath").field(&self.source()).finish()
    }
}

impl PartialEq for XPath {
    fn eq(&self, other: &XPath) -> bool {
        self.source() == other.source()
    }
}

impl Eq for XPath {}

impl std::str::FromStr for XPath {
    type Err = XPathError;

    fn from_str(source: &str) -> Result<XPath, XPathError> {
        XPath::parse(source)
    }
}

/// Why a text is no expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{expected}")]
pub struct XPathError {
    /// Where, in bytes from the start of the expression.
    pub offset: usize,
    /// What was expected there, or what is wrong.
    pub expected: String,
}

impl XPathError {
    fn new(offset: usize, expected: String) -> XPathError {
        XPathError { offset, expected }
    }
}
