//! A file of heuristics as its author wrote it, before names are looked up.

use super::faults::Span;
use super::vocabulary::Word;

/// Something written at a place.
#[derive(Debug, Clone)]
pub(crate) struct Spanned<T> {
    pub(crate) is: T,
    pub(crate) span: Span,
}

#[derive(Debug, Default)]
pub(crate) struct FileSyntax {
    pub(crate) uses: Vec<Spanned<String>>,
    pub(crate) lets: Vec<LetSyntax>,
    pub(crate) heuristics: Vec<HeuristicSyntax>,
}

#[derive(Debug)]
pub(crate) struct LetSyntax {
    pub(crate) name: Spanned<String>,
    pub(crate) value: ValueSyntax,
}

#[derive(Debug)]
pub(crate) struct HeuristicSyntax {
    pub(crate) name: Spanned<String>,
    pub(crate) field: Spanned<String>,
    pub(crate) decides: Option<Spanned<Decides>>,
    pub(crate) silent_below: Option<Spanned<f64>>,
    pub(crate) at_most: Option<Spanned<f64>>,
    pub(crate) clauses: Vec<ClauseSyntax>,
}

/// How the rules of a heuristic make up their mind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decides {
    /// The first rule that fires speaks alone.
    First,
    /// Every rule that fires speaks.
    Together,
}

#[derive(Debug)]
pub(crate) enum ClauseSyntax {
    Rule(RuleSyntax),
    Group { condition: ConditionSyntax, clauses: Vec<ClauseSyntax> },
    Remark(RemarkSyntax),
}

#[derive(Debug)]
pub(crate) struct RuleSyntax {
    pub(crate) label: Spanned<String>,
    pub(crate) condition: ConditionSyntax,
    pub(crate) weight: Spanned<f64>,
    pub(crate) parts: Vec<ValueSyntax>,
    pub(crate) origin: Option<Spanned<String>>,
    pub(crate) span: Span,
}

/// What speaks for or against candidates that rules gave.
#[derive(Debug)]
pub(crate) struct RemarkSyntax {
    pub(crate) kind: RemarkKind,
    pub(crate) label: Spanned<String>,
    pub(crate) condition: ConditionSyntax,
    pub(crate) weight: Spanned<f64>,
    pub(crate) span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RemarkKind {
    Support,
    Doubt,
}

#[derive(Debug)]
pub(crate) struct ValueSyntax {
    pub(crate) is: ValueKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum ValueKind {
    XPath(String),
    Texts(Vec<String>),
    Name(String),
    It,
    Source(CallSyntax),
    FirstOf(Vec<ValueSyntax>),
    AllOf(Vec<ValueSyntax>),
    Steps(Box<ValueSyntax>, Vec<StepSyntax>),
}

#[derive(Debug)]
pub(crate) struct CallSyntax {
    pub(crate) word: Spanned<&'static Word>,
    pub(crate) arguments: Vec<ArgumentSyntax>,
}

#[derive(Debug)]
pub(crate) enum ArgumentSyntax {
    Text(Spanned<String>),
    Number(Spanned<f64>),
    XPath(Spanned<String>),
    Value(ValueSyntax),
}

#[derive(Debug)]
pub(crate) enum StepSyntax {
    Call(CallSyntax),
    Where(ConditionSyntax),
}

#[derive(Debug)]
pub(crate) struct ConditionSyntax {
    pub(crate) is: ConditionKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum ConditionKind {
    Always,
    Otherwise,
    Present(ValueSyntax),
    Compare(ValueSyntax, Relation, ValueSyntax),
    Matches(ValueSyntax, Spanned<String>),
    Is(ValueSyntax, Kind),
    Like(ValueSyntax, ValueSyntax, Option<Spanned<f64>>),
    Numbers(QuantitySyntax, Order, QuantitySyntax),
    Not(Box<ConditionSyntax>),
    And(Vec<ConditionSyntax>),
    Or(Vec<ConditionSyntax>),
}

/// How two texts or their places stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    Equals,
    Same,
    Contains,
    Mentions,
    StartsWith,
    EndsWith,
    In,
    Inside,
    Before,
    After,
}

/// What a text can be said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A title that says nothing: "Home", the name of a program, a date.
    Generic,
    /// The name of a person.
    Name,
    Organisation,
    /// A heading that many pages of the site have.
    Boilerplate,
    /// A value of the field in question that most pages of the site have.
    SiteWide,
}

#[derive(Debug)]
pub(crate) enum QuantitySyntax {
    Number(f64),
    Measure(Spanned<String>, ValueSyntax),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Less,
    AtMost,
    Equal,
    Unequal,
    AtLeast,
    More,
}
