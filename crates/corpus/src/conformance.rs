//! Whether a page keeps to the standards, as far as its mark-up tells.
//!
//! It conforms if it declares a document type that a standard has and the parser found nothing
//! wrong. This is less than a validator asks: attributes and the content of elements are not
//! compared with the declared type.

use auslese_markup::Page;
use auslese_model::Conformance;

/// Whether a page conforms, and what speaks against it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conformity {
    Conforming,
    NoDoctype,
    /// With the name as written.
    UnknownDoctype(String),
    /// The most frequent kind of error, and how many errors there are in all.
    Errors {
        kind: String,
        total: u32,
    },
}

impl Conformity {
    /// Judges what was noted of a page. Errors weigh less than the doctype: without one, no standard
    /// is even claimed.
    pub fn of(note: &Conformance) -> Conformity {
        if note.doctype.is_none() {
            return Conformity::NoDoctype;
        }
        if let Some(name) = note.doctype.as_ref().filter(|_| note.errors.contains_key(BAD_DOCTYPE))
        {
            return Conformity::UnknownDoctype(name.clone());
        }
        // Of equally frequent kinds the first by name.
        let most =
            note.errors.iter().max_by(|one, other| one.1.cmp(other.1).then(other.0.cmp(one.0)));
        match most {
            None => Conformity::Conforming,
            Some((kind, _)) => Conformity::Errors {
                kind: kind.clone(),
                total: note.errors.values().fold(0, |total, count| total.saturating_add(*count)),
            },
        }
    }

    pub fn conforms(&self) -> bool {
        *self == Conformity::Conforming
    }
}

const BAD_DOCTYPE: &str = "bad-doctype";

/// What is noted of a page.
pub(crate) fn conformance(page: &Page) -> Conformance {
    let doctype = page.doctype();
    let mut errors: std::collections::BTreeMap<String, u32> = page
        .parse_errors()
        .iter()
        .map(|(error, count)| (error.as_str().to_owned(), *count))
        .collect();
    if doctype.as_ref().is_some_and(|doctype| !doctype.known) {
        errors.entry(BAD_DOCTYPE.to_owned()).or_insert(1);
    }
    Conformance { doctype: doctype.map(|doctype| doctype.name), errors }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_markup::parse;

    #[test]
    fn verdicts() {
        let errors = |kind: &str, total| Conformity::Errors { kind: kind.to_owned(), total };
        #[rustfmt::skip]
        let cases = [
            ("<!DOCTYPE html><title>t</title><p>a",                                     Conformity::Conforming),
            ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'><title>t</title><p>a", Conformity::Conforming),
            ("<p>a</div>",                                                              Conformity::NoDoctype),
            ("<!DOCTYPE html PUBLIC 'x'><p>a",                                          Conformity::UnknownDoctype("x".to_owned())),
            ("<!DOCTYPE html><p a=1 a=2></div></div>",                                  errors("unmatched-end-tag", 3)),
        ];
        for (html, expected) in cases {
            let told = Conformity::of(&conformance(&parse(html.as_bytes(), None)));
            assert_eq!(told, expected, "{html}");
            assert_eq!(told.conforms(), expected == Conformity::Conforming);
        }
    }
}
