//! Joins the query language with vocabularies: which words of a query can be carried over, and what the
//! index is asked beside them.
//!
//! How a question is rewritten is decided in the room `vocabulary`; here its words are handed over and
//! what came of it is turned into alternatives.

use crate::query::{self, Form, Node, NodeKind, QueryError};
use crate::search::{Alternative, AlternativeTarget, CollectionAlternatives, QuerySyntax};
use auslese_vocabulary::{
    QueryPart, QueryPartKind, Rewriting, Target, TargetConcept, TransferMode,
};

/// The words and phrases of a query that are looked for in any field, or among keywords. Words that are
/// excluded, patterns and predicates stay as they are.
pub fn query_parts(text: &str, syntax: QuerySyntax) -> Result<Vec<QueryPart>, QueryError> {
    let tree = match syntax {
        QuerySyntax::Language => query::parse(text)?,
        QuerySyntax::Words => query::parse_words(text)?,
    };
    let mut parts = Parts { text, found: Vec::new(), run: 0 };
    parts.take(&tree);
    Ok(parts.found)
}

struct Parts<'q> {
    text: &'q str,
    found: Vec<QueryPart>,
    /// Words side by side may form a term; those with an operator between them do not.
    run: usize,
}

impl Parts<'_> {
    fn take(&mut self, node: &Node) {
        let written = self.text.get(node.place.clone()).unwrap_or_default();
        match &node.kind {
            NodeKind::Word { field: None, form: Form::Stem, .. } => {
                self.push(written, node, QueryPartKind::Word);
            }
            NodeKind::Phrase { field: None, .. } => {
                // A phrase is a term on its own.
                self.run += 1;
                let words = written.trim_matches('"');
                self.push(words, node, QueryPartKind::Phrase);
                self.run += 1;
            }
            NodeKind::List(clauses) => {
                for (occur, part) in clauses {
                    match occur {
                        query::Occur::MustNot => self.run += 1,
                        _ => self.take(part),
                    }
                }
            }
            NodeKind::And(parts) | NodeKind::Or(parts) => {
                for part in parts {
                    self.run += 1;
                    self.take(part);
                }
                self.run += 1;
            }
            _ => self.run += 1,
        }
    }

    fn push(&mut self, text: &str, node: &Node, kind: QueryPartKind) {
        let (text, place, run) = (text.to_owned(), node.place.clone(), self.run);
        self.found.push(QueryPart { text, place, kind, run });
    }
}

/// What is searched beside the words, by collection.
pub fn alternatives(rewritings: &[Rewriting]) -> Vec<CollectionAlternatives> {
    let of = |rewriting: &Rewriting| CollectionAlternatives {
        collection: Some(rewriting.collection.clone()),
        alternatives: rewriting
            .active()
            .map(|transfer| Alternative {
                id: transfer.id.clone(),
                place: transfer.place.clone(),
                target: target(&transfer.target),
                weight: transfer.weight,
                replace: transfer.mode == TransferMode::Replace,
                note: transfer.why.clone(),
            })
            .collect(),
    };
    rewritings.iter().map(of).collect()
}

fn target(target: &Target) -> AlternativeTarget {
    let subject = |concept: &TargetConcept| AlternativeTarget::Subject {
        // The collection says which vocabulary is meant; documents often do not.
        scheme: None,
        terms: concept.terms.clone(),
    };
    match target {
        Target::Concept(concept) => subject(concept),
        Target::AllOf(concepts) => AlternativeTarget::AllOf(concepts.iter().map(subject).collect()),
        Target::Words(words) => AlternativeTarget::Words(words.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_can_be_carried_over() {
        #[rustfmt::skip]
        let cases: [(&str, &[(&str, usize)]); 6] = [
            ("soziale Mobilität",            &[("soziale", 0), ("Mobilität", 0)]),
            ("\"soziale Mobilität\" Arbeit", &[("soziale Mobilität", 1), ("Arbeit", 2)]),
            ("Arbeit AND Lohn",              &[("Arbeit", 1), ("Lohn", 2)]),
            ("Arbeit -Lohn Geld",            &[("Arbeit", 0), ("Geld", 1)]),
            ("title:Arbeit lohn* host:a.b",  &[]),
            ("",                             &[]),
        ];
        for (query, expected) in cases {
            let parts = query_parts(query, QuerySyntax::Language).unwrap_or_default();
            let told: Vec<(&str, usize)> =
                parts.iter().map(|part| (part.text.as_str(), part.run)).collect();
            assert_eq!(told, expected, "{query}");
        }
        assert_eq!(query_parts("a AND b", QuerySyntax::Words).unwrap().len(), 3);
    }
}
