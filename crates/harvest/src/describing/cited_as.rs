//! What a document is cited as: the title and the authors that bibliographies of others give it.
//!
//! They are candidates beside what the document says itself, and chosen only where it says nothing.
//! Of several entries the surest speaks; among equals the first.

use auslese_catalog::NewCitation;
use auslese_model::{Citation, Description, Field, FoundAt, RequestId, RuleId, Statement};
use auslese_words::fold;
use std::collections::BTreeMap;

/// The rule of all that is said about a document by those that cite it.
const CITED_AS: &str = "cited-as";

/// What a statement of others is worth, of the certainty that they mean this document: they shorten
/// names and titles.
const WORTH: f64 = 0.9;

/// What all documents are cited as.
#[derive(Debug, Default)]
pub(super) struct OthersSay {
    by_document: BTreeMap<RequestId, CitedAs>,
}

/// What one document is cited as.
#[derive(Debug, Clone, Default)]
pub(super) struct CitedAs {
    title: Option<Said>,
    authors: Option<Said>,
}

#[derive(Debug, Clone)]
struct Said {
    score: f64,
    values: Vec<String>,
    /// The address of the citing document.
    by: String,
}

impl OthersSay {
    /// Hears an entry of the document at an address.
    pub(super) fn note(&mut self, url: &str, citation: &NewCitation) {
        let Some(cited) = &citation.cited else { return };
        let known = self.by_document.entry(cited.request).or_default();
        let Citation { title, authors, .. } = &citation.parts;
        let title: Vec<String> = title.iter().cloned().collect();
        let authors: Vec<String> = authors.iter().map(ToString::to_string).collect();
        for (heard, values) in [(&mut known.title, title), (&mut known.authors, authors)] {
            if !values.is_empty() && heard.as_ref().is_none_or(|it| it.score < cited.score) {
                *heard = Some(Said { score: cited.score, values, by: url.to_owned() });
            }
        }
    }

    pub(super) fn of(&self, document: RequestId) -> Option<&CitedAs> {
        self.by_document.get(&document)
    }
}

impl CitedAs {
    pub(super) fn add_to(&self, description: &mut Description) {
        for (field, said) in [(Field::Title, &self.title), (Field::Author, &self.authors)] {
            if let Some(said) = said {
                said.add_to(field, description);
            }
        }
        // Stable: behind what the document says itself.
        description.statements.sort_by_key(|statement| statement.field);
    }
}

impl Said {
    fn add_to(&self, field: Field, description: &mut Description) {
        let chosen = description.chosen(field).next().is_none();
        let weight = self.score * WORTH;
        let known = |value: &String| {
            let mut own = description.statements.iter().filter(|it| it.field == field);
            own.any(|it| fold(&it.value) == fold(value))
        };
        let new: Vec<Statement> = self
            .values
            .iter()
            .filter(|value| !known(value))
            .map(|value| Statement {
                field,
                value: value.clone(),
                parts: Vec::new(),
                weight,
                initial: WORTH,
                rules: vec![RuleId::from_text(CITED_AS)],
                place: Some(FoundAt::Outside(self.by.clone())),
                origin: None,
                chosen,
            })
            .collect();
        if chosen && !new.is_empty() {
            description.field_weights.retain(|(known, _)| *known != field);
            description.field_weights.push((field, weight));
            description.field_weights.sort_by_key(|(field, _)| *field);
        }
        description.statements.extend(new);
    }
}

/// A description without what others say, as it was before they were heard.
pub(super) fn without_cited_as(description: &Description) -> Description {
    let is_of_others = |it: &&Statement| it.rules.first().is_some_and(|it| it.as_str() == CITED_AS);
    let spoken: Vec<Field> = description
        .statements
        .iter()
        .filter(is_of_others)
        .filter(|it| it.chosen)
        .map(|it| it.field)
        .collect();
    let mut own = description.clone();
    own.statements.retain(|it| !is_of_others(&it));
    own.field_weights.retain(|(field, _)| !spoken.contains(field));
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_catalog::CitedDocument;
    use auslese_model::{CaptureId, CitedAuthor};

    fn entry(score: f64, title: &str, family: &str) -> NewCitation {
        NewCitation {
            capture: CaptureId(1),
            citing: RequestId(1),
            entry: 1,
            text: String::new(),
            parts: Citation {
                title: Some(title.to_owned()),
                authors: vec![CitedAuthor { family: family.to_owned(), given: None }],
                ..Citation::default()
            },
            cited: Some(CitedDocument { request: RequestId(2), score, by: Vec::new() }),
        }
    }

    fn description(title: Option<&str>) -> Description {
        let statement = |value: &str| Statement {
            field: Field::Title,
            value: value.to_owned(),
            parts: Vec::new(),
            weight: 0.4,
            initial: 0.4,
            rules: vec![RuleId::new("title", "1")],
            place: None,
            origin: None,
            chosen: true,
        };
        Description {
            statements: title.map(statement).into_iter().collect(),
            field_weights: title.map(|_| (Field::Title, 0.4)).into_iter().collect(),
            class: String::new(),
            trouble: None,
        }
    }

    /// What is said in the end, and whether it is chosen.
    type Values<'a> = &'a [(&'a str, bool)];

    #[test]
    fn others_are_heard_where_a_document_is_silent() {
        let mut others = OthersSay::default();
        others.note("http://a.example/", &entry(0.8, "Ringe", "Meier"));
        others.note("http://b.example/", &entry(0.9, "Ringe und Körper", "Meyer"));
        others.note("http://c.example/", &entry(0.9, "Körper", "Maier"));
        assert!(others.of(RequestId(1)).is_none());
        let said = others.of(RequestId(2)).unwrap();
        #[rustfmt::skip]
        let cases: [(Option<&str>, Values<'_>); 3] = [
            (None,                     &[("Ringe und Körper", true), ("Meyer", true)]),
            (Some("Moduln"),           &[("Moduln", true), ("Ringe und Körper", false), ("Meyer", true)]),
            (Some("RINGE UND KÖRPER"), &[("RINGE UND KÖRPER", true), ("Meyer", true)]),
        ];
        for (title, expected) in cases {
            let before = description(title);
            let mut told = before.clone();
            said.add_to(&mut told);
            let values: Vec<(&str, bool)> =
                told.statements.iter().map(|it| (it.value.as_str(), it.chosen)).collect();
            assert_eq!(values, expected, "{title:?}");
            let author = told.chosen(Field::Author).next().unwrap();
            assert_eq!(author.place, Some(FoundAt::Outside("http://b.example/".to_owned())));
            assert!((author.weight - 0.81).abs() < 1e-9);
            assert!(told.field_weights.iter().any(|(field, _)| *field == Field::Author));
            assert_eq!(without_cited_as(&told), before, "{title:?}");
        }
    }
}
