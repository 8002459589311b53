//! A checked set of heuristics: names are places in a list, XPath expressions and regular expressions
//! are compiled, and nothing is left that could be wrong.

use super::faults::{SourceFile, Span};
use super::pattern::{Pattern, PatternGroup, Signs};
use super::syntax::{Decides, Kind, Order, Relation, RemarkKind};
use super::vocabulary::Measure;
use auslese_markup::XPath;
use auslese_model::{Field, RuleId};

#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) files: Vec<SourceFile>,
    pub(crate) lets: Vec<LetCode>,
    /// Values without a name that are worked out once as well.
    pub(crate) nameless: Vec<ValueCode>,
    pub(crate) heuristics: Vec<HeuristicCode>,
    /// What its regular expressions need.
    pub(crate) signs: Signs,
    /// The expressions that are asked of classes and ids.
    pub(crate) classes: PatternGroup,
}

impl Program {
    pub(crate) fn source(&self, span: Span) -> &str {
        self.files.get(span.file as usize).map_or("", |file| file.slice(span))
    }

    /// `FILE:LINE` of a piece.
    pub(crate) fn place(&self, span: Span) -> String {
        let file = self.files.get(span.file as usize);
        file.map_or_else(String::new, |it| format!("{}:{}", it.path, it.position(span.start).0))
    }
}

#[derive(Debug)]
pub(crate) struct LetCode {
    pub(crate) name: String,
    pub(crate) value: ValueCode,
}

#[derive(Debug)]
pub(crate) struct HeuristicCode {
    pub(crate) name: String,
    pub(crate) field: Field,
    pub(crate) decides: Decides,
    pub(crate) silent_below: f64,
    pub(crate) at_most: usize,
    pub(crate) clauses: Vec<ClauseCode>,
    pub(crate) rules: Vec<RuleCode>,
    pub(crate) remarks: Vec<RemarkCode>,
}

/// Rules and remarks by their place in the lists of the heuristic.
#[derive(Debug)]
pub(crate) enum ClauseCode {
    Rule(usize),
    Remark(usize),
    Group { condition: Box<ConditionCode>, clauses: Vec<ClauseCode> },
}

#[derive(Debug)]
pub(crate) struct RuleCode {
    pub(crate) id: RuleId,
    pub(crate) condition: ConditionCode,
    pub(crate) weight: f64,
    pub(crate) parts: Vec<ValueCode>,
    pub(crate) origin: Option<String>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct RemarkCode {
    pub(crate) kind: RemarkKind,
    pub(crate) id: RuleId,
    pub(crate) condition: ConditionCode,
    pub(crate) weight: f64,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct ValueCode {
    pub(crate) is: ValueIs,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum ValueIs {
    XPath(XPathCode),
    Texts(Vec<String>),
    Let(usize),
    /// One of [`Program::nameless`].
    Nameless(usize),
    It,
    Source(SourceCode),
    FirstOf(Vec<ValueCode>),
    AllOf(Vec<ValueCode>),
    Steps(Box<ValueCode>, Vec<StepCode>),
}

impl ValueCode {
    /// The name of the attribute, if this is `it | attribute("name")`.
    pub(crate) fn attribute_of_it(&self) -> Option<&str> {
        match &self.is {
            ValueIs::Steps(source, steps) => match (&source.is, steps.as_slice()) {
                (ValueIs::It, [StepCode::Attribute(name)]) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }
}

/// An XPath with the names it mentions as `$NAME`, by their places.
#[derive(Debug)]
pub(crate) struct XPathCode {
    pub(crate) path: XPath,
    pub(crate) variables: Vec<(String, usize)>,
}

#[derive(Debug)]
pub(crate) enum SourceCode {
    /// Elements by their class and id: the number of one of [`Program::classes`].
    Classed(usize),
    /// Names in their one spelling.
    Meta(Vec<String>),
    JsonLd {
        path: String,
        types: Vec<String>,
    },
    Microdata {
        path: String,
        types: Vec<String>,
    },
    Rdfa(Vec<String>),
    JsonLdTypes,
    MicrodataTypes,
    CoinsCount,
    Coins(Vec<String>),
    Address,
    AddressDates,
    AddressWords,
    Host,
    FileName,
    Anchors,
    SiteName,
    Institution,
    Home,
    LastModified,
    Language,
    Blocks,
    /// The values chosen by the heuristic for another field, by its place.
    Chosen(usize),
    Nothing,
}

#[derive(Debug)]
pub(crate) enum StepCode {
    First,
    Last,
    Limit(usize),
    Skip(usize),
    Unique,
    Repeated,
    Longest,
    Shortest,
    Text,
    OwnText,
    Runs,
    Alike,
    At(XPathCode),
    Attribute(String),
    Lines,
    Cells,
    Next(usize),
    Previous(usize),
    Sentences(usize),
    Split(Pattern),
    Capture(Pattern),
    Remove(Pattern),
    Replace(Pattern, String),
    Without(ValueCode),
    After(ValueCode),
    Parts,
    WithoutSite,
    Names,
    Nicknames,
    Institutions,
    Dates,
    CitedTitle,
    CitedAuthors,
    List,
    Joined(String),
    Lower,
    Trimmed,
    Cut(usize),
    Resolved,
    Where(ConditionCode),
}

impl StepCode {
    /// Whether what it makes of a list is what it makes of each item, one after the other.
    pub(crate) fn looks_at_one(&self) -> bool {
        match self {
            StepCode::First
            | StepCode::Last
            | StepCode::Limit(_)
            | StepCode::Skip(_)
            | StepCode::Unique
            | StepCode::Repeated
            | StepCode::Longest
            | StepCode::Shortest
            | StepCode::Runs
            | StepCode::Alike
            | StepCode::At(_)
            | StepCode::Joined(_) => false,
            StepCode::Text
            | StepCode::OwnText
            | StepCode::Attribute(_)
            | StepCode::Lines
            | StepCode::Cells
            | StepCode::Next(_)
            | StepCode::Previous(_)
            | StepCode::Sentences(_)
            | StepCode::Split(_)
            | StepCode::Capture(_)
            | StepCode::Remove(_)
            | StepCode::Replace(..)
            | StepCode::Without(_)
            | StepCode::After(_)
            | StepCode::Parts
            | StepCode::WithoutSite
            | StepCode::Names
            | StepCode::Nicknames
            | StepCode::Institutions
            | StepCode::Dates
            | StepCode::CitedTitle
            | StepCode::CitedAuthors
            | StepCode::List
            | StepCode::Lower
            | StepCode::Trimmed
            | StepCode::Cut(_)
            | StepCode::Resolved
            | StepCode::Where(_) => true,
        }
    }

    /// How many items it leaves of any list, if it takes them from the beginning.
    pub(crate) fn limit(&self) -> Option<usize> {
        match self {
            StepCode::First => Some(1),
            StepCode::Limit(count) => Some(*count),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct ConditionCode {
    pub(crate) is: ConditionIs,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum ConditionIs {
    Always,
    Present(ValueCode),
    Compare(ValueCode, Relation, ValueCode),
    Matches(ValueCode, Pattern),
    Is(ValueCode, Kind, Option<Field>),
    Like(ValueCode, ValueCode, f64),
    Numbers(QuantityCode, Order, QuantityCode),
    Not(Box<ConditionCode>),
    And(Vec<ConditionCode>),
    Or(Vec<ConditionCode>),
}

#[derive(Debug)]
pub(crate) enum QuantityCode {
    Number(f64),
    Measure(Measure, ValueCode),
}
