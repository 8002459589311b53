//! What a query says, with the places of its parts.

use crate::analysis::folded_word;
use crate::fields::TextField;
use crate::search::Facet;
use serde::Serialize;
use std::ops::Range;

/// A part of a query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Node {
    /// In bytes of the query.
    pub place: Range<usize>,
    pub kind: NodeKind,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum NodeKind {
    /// A folded word; in all fields if none is named.
    Word {
        field: Option<TextField>,
        word: String,
        form: Form,
    },
    /// Folded words in this order, as written.
    Phrase {
        field: Option<TextField>,
        words: Vec<String>,
    },
    /// A regular expression that a whole folded word matches.
    Regex {
        field: Option<TextField>,
        pattern: String,
    },
    /// Words with at most `distance` others between neighbours, in any order.
    Near {
        field: Option<TextField>,
        words: Vec<String>,
        distance: u32,
    },
    /// A value of a facet; with `prefix` its beginning.
    Facet {
        facet: Facet,
        value: String,
        prefix: bool,
    },
    /// Between the two, both included.
    Range {
        column: RangeColumn,
        from: Option<i64>,
        to: Option<i64>,
    },
    /// A date near these days; the degree falls to a third within `scale` days.
    NearDate {
        first: i64,
        last: i64,
        scale: i64,
    },
    /// An author whose name is like this.
    Person {
        name: String,
    },
    /// A subject term or class of a scheme, or of any; with `below` also what begins with it.
    Class {
        scheme: Option<String>,
        code: String,
        below: bool,
    },
    /// Every document.
    All,
    /// Words side by side: the more the better, unless one is required or excluded.
    List(Vec<(Occur, Node)>),
    And(Vec<Node>),
    Or(Vec<Node>),
    Not(Box<Node>),
}

/// Which forms of a word are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Form {
    /// All inflected forms, and the word within compounds.
    Stem,
    Prefix,
    /// Words with at most so many letters changed.
    Fuzzy(u8),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Occur {
    Should,
    Must,
    MustNot,
}

/// Columns of numbers that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum RangeColumn {
    /// Days since 1970.
    Date,
    /// Days since 1970.
    Captured,
    Size,
    Versions,
}

impl Node {
    pub(crate) fn word(word: &str, place: Range<usize>, field: Option<TextField>) -> Node {
        let kind = NodeKind::Word { field, word: folded_word(word), form: Form::Stem };
        Node { place, kind }
    }

    /// Whether it only says which documents are meant, and nothing about their order.
    pub(crate) fn is_restriction(&self) -> bool {
        match &self.kind {
            NodeKind::Facet { .. }
            | NodeKind::Range { .. }
            | NodeKind::NearDate { .. }
            | NodeKind::Person { .. }
            | NodeKind::Class { .. }
            | NodeKind::All => true,
            NodeKind::And(parts) | NodeKind::Or(parts) => parts.iter().all(Node::is_restriction),
            NodeKind::List(clauses) => clauses.iter().all(|(_, node)| node.is_restriction()),
            NodeKind::Not(_) => true,
            _ => false,
        }
    }

    /// All parts that have no parts themselves, from left to right.
    pub(crate) fn leaves<'n>(&'n self, found: &mut Vec<&'n Node>) {
        match &self.kind {
            NodeKind::List(clauses) => clauses.iter().for_each(|(_, node)| node.leaves(found)),
            NodeKind::And(parts) | NodeKind::Or(parts) => {
                parts.iter().for_each(|node| node.leaves(found));
            }
            NodeKind::Not(part) => part.leaves(found),
            _ => found.push(self),
        }
    }
}
