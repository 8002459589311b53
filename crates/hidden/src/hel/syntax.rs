//! The parts of a rule.
//!
//! [`super::grammar`] makes them of text, [`super::check`] fills in what is known about variables before
//! any page is seen: where each is bound, and which conditions can be tested there.

use regex::Regex;
use std::cmp::Ordering;

/// Steps from a node, and what is taken at their end.
#[derive(Debug, Clone)]
pub(super) struct Path {
    pub(super) steps: Vec<Step>,
    pub(super) end: End,
}

#[derive(Debug, Clone)]
pub(super) enum End {
    Value { property: Property, ops: Vec<Op> },
    Fork(Vec<Path>),
}

#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) axis: Axis,
    pub(super) name: NodeName,
    pub(super) index: Index,
    /// Where the step begins in the rule; none for steps of a prefix.
    pub(super) offset: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    /// `.`: among the children.
    Child,
    /// `->`: among all nodes that follow in the document.
    Following,
}

/// Which nodes a step means.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum NodeName {
    /// `pcdata`: a piece of text.
    Text,
    /// A tag, in lower case.
    Tag(String),
}

impl NodeName {
    /// The paper writes `pdata` once, which can mean nothing else.
    pub(super) fn of(word: &str) -> NodeName {
        let name = word.to_ascii_lowercase();
        match name.as_str() {
            "pcdata" | "pdata" => NodeName::Text,
            _ => NodeName::Tag(name),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) enum Index {
    One(u64),
    All,
    Items(Vec<Item>),
    Variable(Variable),
}

/// Part of a list of indices; ends are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    One(u64),
    Range { from: u64, to: Option<u64> },
}

#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) pick: Pick,
    /// Its number in the rule.
    pub(super) slot: usize,
    /// What happens at this step if the variable is new here; otherwise it is a plain index.
    pub(super) binding: Option<Binding>,
}

/// Which of the values that satisfy the conditions are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pick {
    Nth(u64),
    All,
}

/// What is known about the step that binds a variable.
#[derive(Debug, Clone, Default)]
pub(super) struct Binding {
    /// Conditions whose last variable is this one.
    pub(super) completes: Vec<Completed>,
    /// If there are none: conditions that mention it and are completed further on. A value counts if
    /// they can be satisfied there.
    pub(super) awaits: ConditionSet,
}

/// A condition that can be tested at a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Completed {
    pub(super) condition: usize,
    /// How many of its first steps are those of the rule up to here.
    pub(super) shared: Shared,
}

/// Steps that the paths of a condition have in common with the rule: those of its left side, and of its
/// right side if that is a path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shared {
    pub(super) left: usize,
    pub(super) right: usize,
}

/// A set of conditions of a rule; [`super::MAX_HEL_CONDITIONS`] fit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ConditionSet(u64);

impl ConditionSet {
    pub(super) const NONE: ConditionSet = ConditionSet(0);

    pub(super) fn with(self, condition: usize) -> ConditionSet {
        ConditionSet(self.0 | 1 << condition)
    }

    pub(super) fn union(self, other: ConditionSet) -> ConditionSet {
        ConditionSet(self.0 | other.0)
    }

    pub(super) fn contains_all(self, other: ConditionSet) -> bool {
        self.0 & other.0 == other.0
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Property {
    Text,
    Source,
    /// In lower case.
    Attribute(String),
    /// Children of a name, or all.
    Number(Option<NodeName>),
}

#[derive(Debug, Clone)]
pub(super) enum Op {
    Match(Pattern),
    Split(Pattern),
}

/// A regular expression, and what a byte of text costs when it is looked for.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub(super) regex: Regex,
    pub(super) cost: u64,
}

#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) left: Path,
    pub(super) test: Test,
    pub(super) offset: usize,
}

#[derive(Debug, Clone)]
pub(super) enum Test {
    Equal(Operand),
    Unequal(Operand),
    Ordered(Order, Operand),
    Like(Pattern),
    Unlike(Pattern),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Order {
    pub(super) fn holds(self, ordering: Ordering) -> bool {
        match self {
            Order::Less => ordering.is_lt(),
            Order::LessOrEqual => ordering.is_le(),
            Order::Greater => ordering.is_gt(),
            Order::GreaterOrEqual => ordering.is_ge(),
        }
    }
}

#[derive(Debug, Clone)]
pub(super) enum Operand {
    Text(String),
    Number { written: String, value: f64 },
    Path(Path),
}

impl Condition {
    /// The paths of both sides.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&self.left).chain(self.test.path())
    }

    pub(super) fn paths_mut(&mut self) -> impl Iterator<Item = &mut Path> {
        let right = match &mut self.test {
            Test::Equal(Operand::Path(path))
            | Test::Unequal(Operand::Path(path))
            | Test::Ordered(_, Operand::Path(path)) => Some(path),
            _ => None,
        };
        std::iter::once(&mut self.left).chain(right)
    }
}

impl Test {
    /// The path on the right side, if there is one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Test::Equal(Operand::Path(path))
            | Test::Unequal(Operand::Path(path))
            | Test::Ordered(_, Operand::Path(path)) => Some(path),
            _ => None,
        }
    }
}

impl Path {
    /// Calls `visit` for every step of the path and of its branches.
    pub(super) fn each_step<'a>(&'a self, visit: &mut dyn FnMut(&'a Step)) {
        self.steps.iter().for_each(&mut *visit);
        if let End::Fork(branches) = &self.end {
            branches.iter().for_each(|branch| branch.each_step(visit));
        }
    }

    pub(super) fn each_step_mut(&mut self, visit: &mut dyn FnMut(&mut Step)) {
        self.steps.iter_mut().for_each(&mut *visit);
        if let End::Fork(branches) = &mut self.end {
            branches.iter_mut().for_each(|branch| branch.each_step_mut(visit));
        }
    }
}

impl Step {
    /// Whether both steps lead from a node to the same one. In conditions a variable is a plain index,
    /// so what is picked of its values makes no difference.
    pub(super) fn is_same(&self, other: &Step) -> bool {
        let same_index = match (&self.index, &other.index) {
            (Index::One(one), Index::One(other)) => one == other,
            (Index::All, Index::All) => true,
            (Index::Items(one), Index::Items(other)) => one == other,
            (Index::Variable(one), Index::Variable(other)) => one.name == other.name,
            _ => false,
        };
        same_index && self.axis == other.axis && self.name == other.name
    }

    pub(super) fn variable(&self) -> Option<&Variable> {
        match &self.index {
            Index::Variable(variable) => Some(variable),
            _ => None,
        }
    }
}
