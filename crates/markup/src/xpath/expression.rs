//! A compiled expression: what the grammar makes and the evaluator walks.
//!
//! Chains of operators are lists, so that the depth of an expression is the depth of its brackets,
//! which is limited. What can be known without a page is settled here once: of which kind a result
//! is, whether a predicate asks for positions, and that `//x` is `descendant::x`.

use super::element_tests::ElementTest;
use super::functions::{Function, Kind};
use crate::names::LocalName;
use memchr::memmem::Finder;
use regex::Regex;

#[derive(Debug, Clone)]
pub(super) enum Expr {
    Or(Vec<Expr>),
    And(Vec<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    Arithmetic(Box<Expr>, Vec<(Arithmetic, Expr)>),
    Negate(Box<Expr>),
    Union(Vec<Expr>),
    Path(Box<Path>),
    Filter(Box<Expr>, Vec<Predicate>),
    Literal(String),
    Number(f64),
    /// By its place among the expression's variables.
    Variable(usize),
    Call(Call),
}

#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) function: Function,
    pub(super) arguments: Vec<Expr>,
    pub(super) prepared: Prepared,
}

/// What can be made once of a second argument that is a literal.
#[derive(Debug, Clone)]
pub(super) enum Prepared {
    Nothing,
    /// Of `matches()`.
    Pattern(Regex),
    /// Of `contains()`.
    Needle(Box<Finder<'static>>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    /// The same comparison with its sides exchanged.
    pub(super) fn mirrored(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::AtMost => Comparison::AtLeast,
            Comparison::Greater => Comparison::Less,
            Comparison::AtLeast => Comparison::AtMost,
            same => same,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

#[derive(Debug, Clone)]
pub(super) struct Path {
    pub(super) start: Start,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug, Clone)]
pub(super) enum Start {
    /// What such a path finds is the same for all nodes. In a predicate it has a number, so that
    /// it is walked once.
    Root(Option<usize>),
    Context,
    Expr(Expr),
}

#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) axis: Axis,
    pub(super) test: NodeTest,
    pub(super) predicates: Vec<Predicate>,
}

impl Step {
    pub(super) fn any(axis: Axis) -> Step {
        Step { axis, test: NodeTest::Any, predicates: Vec::new() }
    }

    /// Whether the result depends on the node from which the axis is walked, beyond reachability.
    pub(super) fn is_positional(&self) -> bool {
        self.predicates.iter().any(Predicate::is_positional)
    }

    fn is_any(&self, axis: Axis) -> bool {
        self.axis == axis && self.predicates.is_empty() && matches!(self.test, NodeTest::Any)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    Ancestor,
    AncestorOrSelf,
    Attribute,
    Child,
    Descendant,
    DescendantOrSelf,
    Following,
    FollowingSibling,
    Namespace,
    Parent,
    Preceding,
    PrecedingSibling,
    Itself,
}

impl Axis {
    pub(super) fn named(name: &str) -> Option<Axis> {
        Some(match name {
            "ancestor" => Axis::Ancestor,
            "ancestor-or-self" => Axis::AncestorOrSelf,
            "attribute" => Axis::Attribute,
            "child" => Axis::Child,
            "descendant" => Axis::Descendant,
            "descendant-or-self" => Axis::DescendantOrSelf,
            "following" => Axis::Following,
            "following-sibling" => Axis::FollowingSibling,
            "namespace" => Axis::Namespace,
            "parent" => Axis::Parent,
            "preceding" => Axis::Preceding,
            "preceding-sibling" => Axis::PrecedingSibling,
            "self" => Axis::Itself,
            _ => return None,
        })
    }

    /// Whether nodes come in document order.
    pub(super) fn is_forward(self) -> bool {
        !matches!(
            self,
            Axis::Ancestor | Axis::AncestorOrSelf | Axis::Preceding | Axis::PrecedingSibling
        )
    }
}

#[derive(Debug, Clone)]
pub(super) enum NodeTest {
    /// `node()`
    Any,
    /// `text()`
    Text,
    /// `comment()`
    Comment,
    /// `processing-instruction()`: HTML has none.
    Instruction,
    /// `*`
    Star,
    Name(NameTest),
}

/// A name, or all names with a prefix.
#[derive(Debug, Clone)]
pub(super) struct NameTest {
    pub(super) prefix: Option<Prefix>,
    /// In lower case; `None` for `prefix:*`.
    pub(super) local: Option<LocalName>,
}

#[derive(Debug, Clone)]
pub(super) struct Prefix {
    /// What the prefix stands for, if it is one of those known from the start.
    pub(super) namespace: Option<crate::tree::Namespace>,
    /// `prefix:`, in lower case: names written so in HTML match, too.
    pub(super) written: String,
    /// `prefix:local`, in lower case; `None` for `prefix:*`.
    pub(super) literal: Option<LocalName>,
}

#[derive(Debug, Clone)]
pub(super) enum Predicate {
    /// `[3]`, `[position() = 3]`
    Nth(usize),
    /// `[position() < 4]`, `[position() <= 3]`: the first three.
    FirstFew(usize),
    /// `[last()]`
    Last,
    Test {
        expr: Expr,
        /// A number, or something that asks for `position()` or `last()`.
        positional: bool,
        uses_last: bool,
        /// The same for an element of HTML, if it asks for no more than that can tell.
        quick: Option<ElementTest>,
    },
}

impl Predicate {
    pub(super) fn of(expr: Expr) -> Predicate {
        if let Some(simple) = simple_position(&expr) {
            return simple;
        }
        let uses_last = expr.calls(Function::Last);
        let numeric = matches!(expr.kind(), Kind::Number | Kind::Unknown);
        let positional = numeric || uses_last || expr.calls(Function::Position);
        let quick = if positional { None } else { ElementTest::of(&expr) };
        Predicate::Test { expr, positional, uses_last, quick }
    }

    pub(super) fn is_positional(&self) -> bool {
        !matches!(self, Predicate::Test { positional: false, .. })
    }

    /// Whether it can be decided only when all candidates are known.
    pub(super) fn needs_size(&self) -> bool {
        matches!(self, Predicate::Last | Predicate::Test { uses_last: true, .. })
    }

    /// No node after that many can pass.
    pub(super) fn limit(&self) -> Option<usize> {
        match self {
            Predicate::Nth(count) | Predicate::FirstFew(count) => Some(*count),
            _ => None,
        }
    }
}

fn simple_position(expr: &Expr) -> Option<Predicate> {
    match expr {
        Expr::Number(number) => whole(*number).map(Predicate::Nth),
        Expr::Call(call) if call.function == Function::Last => Some(Predicate::Last),
        Expr::Compare(comparison, left, right) => match (&**left, &**right) {
            (position, right) if position.is_position() => bounded(*comparison, right),
            (left, position) if position.is_position() => bounded(comparison.mirrored(), left),
            _ => None,
        },
        _ => None,
    }
}

/// The predicate for `position()` compared with an expression.
fn bounded(comparison: Comparison, bound: &Expr) -> Option<Predicate> {
    match (comparison, bound) {
        (Comparison::Equal, Expr::Call(call)) if call.function == Function::Last => {
            Some(Predicate::Last)
        }
        (Comparison::Equal, Expr::Number(number)) => whole(*number).map(Predicate::Nth),
        (Comparison::AtMost, Expr::Number(number)) => whole(*number).map(Predicate::FirstFew),
        (Comparison::Less, Expr::Number(number)) => {
            whole(*number).filter(|bound| *bound > 1).map(|bound| Predicate::FirstFew(bound - 1))
        }
        _ => None,
    }
}

fn whole(number: f64) -> Option<usize> {
    (number >= 1.0 && number.fract() == 0.0 && number < 1e9).then_some(number as usize)
}

impl Expr {
    /// Of which kind the value is.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Expr::Or(_) | Expr::And(_) | Expr::Compare(..) => Kind::Truth,
            Expr::Arithmetic(..) | Expr::Negate(_) | Expr::Number(_) => Kind::Number,
            Expr::Union(_) | Expr::Path(_) | Expr::Filter(..) => Kind::Nodes,
            Expr::Literal(_) => Kind::Text,
            Expr::Variable(_) => Kind::Unknown,
            Expr::Call(call) => call.function.result(),
        }
    }

    /// The step of a path that is a single step without predicates: the usual case in predicates.
    pub(super) fn bare_step(&self) -> Option<&Step> {
        match self {
            Expr::Path(path) => match (&path.start, &path.steps[..]) {
                (Start::Context, [step]) if step.predicates.is_empty() => Some(step),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_position(&self) -> bool {
        matches!(self, Expr::Call(call) if call.function == Function::Position)
    }

    /// Whether the function is called for the context of this expression; predicates inside have
    /// contexts of their own.
    fn calls(&self, function: Function) -> bool {
        match self {
            Expr::Or(parts) | Expr::And(parts) | Expr::Union(parts) => {
                parts.iter().any(|part| part.calls(function))
            }
            Expr::Compare(_, left, right) => left.calls(function) || right.calls(function),
            Expr::Arithmetic(first, rest) => {
                first.calls(function) || rest.iter().any(|(_, part)| part.calls(function))
            }
            Expr::Negate(inner) | Expr::Filter(inner, _) => inner.calls(function),
            Expr::Path(path) => match &path.start {
                Start::Expr(start) => start.calls(function),
                Start::Root(_) | Start::Context => false,
            },
            Expr::Call(call) => {
                call.function == function || call.arguments.iter().any(|part| part.calls(function))
            }
            Expr::Literal(_) | Expr::Number(_) | Expr::Variable(_) => false,
        }
    }
}

/// Leaves out steps that go nowhere, and walks `//x` in one pass.
pub(super) fn simplified(steps: Vec<Step>) -> Vec<Step> {
    let mut simple: Vec<Step> = Vec::with_capacity(steps.len());
    for mut step in steps {
        if simple.last().is_some_and(|last| last.is_any(Axis::DescendantOrSelf)) {
            let merged = match step.axis {
                _ if step.is_positional() => None,
                Axis::Child | Axis::Descendant => Some(Axis::Descendant),
                Axis::Itself | Axis::DescendantOrSelf => Some(Axis::DescendantOrSelf),
                _ => None,
            };
            if let Some(axis) = merged {
                step.axis = axis;
                simple.pop();
            } else if step.axis == Axis::Child && matches!(step.test, NodeTest::Name(_)) {
                // `//x[1]`: only parents of such elements need to be asked.
                simple.pop();
                let test = step.test.clone();
                simple.push(Step { axis: Axis::Descendant, test, predicates: Vec::new() });
                simple.push(Step::any(Axis::Parent));
            } else if step.axis == Axis::Attribute
                && let Some(last) = simple.last_mut()
            {
                // Only elements have attributes.
                last.test = NodeTest::Star;
            }
        } else if simple.last().is_some_and(|last| last.is_any(Axis::Itself)) {
            simple.pop();
        }
        let goes_nowhere = step.is_any(Axis::Itself) && !simple.is_empty();
        if !goes_nowhere {
            simple.push(step);
        }
    }
    simple
}
