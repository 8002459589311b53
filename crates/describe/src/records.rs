//! What others recorded about a document: the record of a repository in Dublin Core, an object in SOIF.
//!
//! Such a record was made by people or by another gatherer; its values become statements like those a
//! document makes itself, so that whoever compares them sees who said what. They are not calibrated: the
//! weights are those below, or those a SOIF object states itself.

use crate::shapes::{DateReading, dates, keyword_list, names_or_nicknames};
use auslese_model::{Description, Field, FoundAt, RuleId, SoifObject, Statement};
use std::collections::BTreeSet;

/// What a value of a repository's record is worth: people wrote it down to be exchanged.
pub const REPOSITORY_WEIGHT: f64 = 0.9;

/// What a value of a SOIF object is worth that states no weight: mostly another program's guess.
pub const SOIF_WEIGHT: f64 = 0.6;

/// Values of one field that are taken from a record.
pub const MAX_RECORD_VALUES: usize = 500;

/// Between these years a work may be dated.
const FIRST_YEAR: u16 = 1000;
const LAST_YEAR: u16 = 2100;

/// A record about a document, by the form it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordForm {
    /// Elements of Dublin Core, as repositories hand them out by OAI-PMH.
    DublinCore,
    /// Attributes of SOIF.
    Soif,
}

impl RecordForm {
    /// The rule of all statements made from such records.
    pub fn rule(self) -> &'static str {
        match self {
            RecordForm::DublinCore => "oai-dc",
            RecordForm::Soif => "soif",
        }
    }
}

/// Whether an attribute of SOIF says something about its document that [`record_description`] takes: a
/// field, one of several values of it (`Author-2`), or weights.
pub fn is_record_attribute(name: &str) -> bool {
    let numbered = name.rsplit_once('-').filter(|(_, end)| end.parse::<u32>().is_ok());
    let name = numbered.map_or(name, |(name, _)| name);
    let weight = name.len().checked_sub("-weight".len()).and_then(|at| name.split_at_checked(at));
    let name = match weight {
        Some((name, end)) if end.eq_ignore_ascii_case("-weight") => name,
        _ => name,
    };
    let mut known = Field::ALL.into_iter().filter_map(Field::soif_attribute);
    known.any(|known| known.eq_ignore_ascii_case(name))
}

/// What a record says, as statements about the document; `source` is where the record is from.
///
/// Media type and document type are left to the document: what was fetched has them itself.
pub fn record_description(
    form: RecordForm,
    fields: &[(String, String)],
    source: &str,
) -> Description {
    let said = match form {
        RecordForm::DublinCore => dublin_core_values(fields),
        RecordForm::Soif => soif_values(fields),
    };
    let mut known = BTreeSet::new();
    let mut statements: Vec<Statement> = Vec::new();
    let mut field_weights: Vec<(Field, f64)> = Vec::new();
    for Said { field, value, weight, scheme } in said {
        let of_field = statements.iter().filter(|it| it.field == field).count();
        if of_field >= MAX_RECORD_VALUES || !known.insert((field, value.clone())) {
            continue;
        }
        let chosen = of_field == 0 || !field.is_single();
        if chosen {
            match field_weights.iter_mut().find(|(it, _)| *it == field) {
                Some((_, together)) => *together = together.min(weight),
                None => field_weights.push((field, weight)),
            }
        }
        statements.push(Statement {
            field,
            value,
            parts: Vec::new(),
            weight,
            initial: weight,
            rules: vec![RuleId::from_text(form.rule())],
            place: Some(FoundAt::Outside(source.to_owned())),
            origin: scheme,
            chosen,
        });
    }
    statements.sort_by_key(|it| it.field);
    field_weights.sort_by_key(|(field, _)| *field);
    Description { statements, field_weights, class: String::new(), trouble: None }
}

/// One value of a record.
struct Said {
    field: Field,
    value: String,
    weight: f64,
    /// Of a classification.
    scheme: Option<String>,
}

fn dublin_core_values(fields: &[(String, String)]) -> Vec<Said> {
    let mut said = Vec::new();
    for (name, text) in fields {
        let text = one_line(text);
        let field = match name.to_ascii_lowercase().as_str() {
            "title" => Field::Title,
            "creator" => Field::Author,
            "publisher" => Field::Institution,
            "date" => Field::Date,
            "description" => Field::Description,
            "subject" => Field::Keywords,
            "language" => Field::Language,
            "identifier" => Field::Identifier,
            "rights" => Field::Rights,
            _ => continue,
        };
        if field == Field::Keywords
            && let Some((scheme, code)) = classification(&text)
        {
            let (field, scheme) = (Field::Classification, Some(scheme));
            said.push(Said { field, value: code, weight: REPOSITORY_WEIGHT, scheme });
            continue;
        }
        let values = values_of(field, &text);
        said.extend(values.into_iter().map(|value| {
            let (weight, scheme) = (REPOSITORY_WEIGHT, None);
            Said { field, value, weight, scheme }
        }));
    }
    said
}

fn soif_values(fields: &[(String, String)]) -> Vec<Said> {
    let mut object = SoifObject::new("FILE", None);
    for (name, value) in fields {
        object.add(name, value.as_str());
    }
    let mut said = Vec::new();
    for field in Field::ALL {
        let Some(name) = field.soif_attribute() else { continue };
        if matches!(field, Field::Type | Field::Format) {
            continue;
        }
        let stated = object.values(&format!("{name}-Weight"));
        for (at, text) in object.values(name).iter().enumerate() {
            let stated = stated.get(at).and_then(|text| text.parse::<f64>().ok());
            let weight = stated.filter(|it| (0.0..=1.0).contains(it)).unwrap_or(SOIF_WEIGHT);
            let values = values_of(field, &one_line(text));
            said.extend(values.into_iter().map(|value| Said {
                field,
                value,
                weight,
                scheme: None,
            }));
        }
    }
    said
}

/// The values that a text of a record holds, in the form in which documents' own are stored.
fn values_of(field: Field, text: &str) -> Vec<String> {
    let as_it_is = || vec![text.to_owned()];
    let mut values = match field {
        // A body may be the creator; it is kept as it is written.
        Field::Author => match names_or_nicknames(text) {
            names if names.is_empty() => as_it_is(),
            names => names,
        },
        Field::Date => {
            // Works may be older than the web.
            let reading =
                DateReading { years: FIRST_YEAR..=LAST_YEAR, ..DateReading::up_to(LAST_YEAR) };
            dates(text, &reading).into_iter().map(|date| date.value).take(1).collect()
        }
        Field::Keywords => keyword_list(text),
        _ => as_it_is(),
    };
    values.retain(|value| !value.is_empty());
    values
}

/// Scheme and code of a subject that names a class and no topic: `ddc:510`,
/// `info:eu-repo/classification/ddc/510`, `msc:20A05`.
fn classification(subject: &str) -> Option<(String, String)> {
    let named = subject.strip_prefix("info:eu-repo/classification/");
    let (scheme, code) = match named {
        Some(rest) => rest.split_once('/')?,
        None => subject.split_once(':')?,
    };
    let is_scheme = !scheme.is_empty()
        && scheme.len() <= 12
        && scheme.chars().all(|it| it.is_ascii_alphanumeric())
        && scheme.starts_with(|it: char| it.is_ascii_alphabetic());
    let is_code = code.chars().any(|it| it.is_ascii_digit())
        && code.len() <= 40
        && !code.starts_with("//")
        && !code.contains(char::is_whitespace);
    (is_scheme && is_code).then(|| (scheme.to_ascii_uppercase(), code.to_owned()))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// Field, value, weight in percent, whether it is said aloud, scheme.
    type Told<'a> = (Field, &'a str, i32, bool, Option<&'a str>);

    fn told(description: &Description) -> Vec<Told<'_>> {
        let percent = |weight: f64| (weight * 100.0).round() as i32;
        let of = |it: &'_ Statement| (percent(it.weight), it.chosen);
        description
            .statements
            .iter()
            .map(|it| (it.field, it.value.as_str(), of(it).0, of(it).1, it.origin.as_deref()))
            .collect()
    }

    #[test]
    fn records_of_repositories() {
        let record = fields(&[
            ("title", "Über  Gitter"),
            ("title", "On lattices"),
            ("creator", "Meier, Eva"),
            ("creator", "Karl Weber"),
            ("subject", "Verbände; Gitter"),
            ("subject", "ddc:510"),
            ("subject", "info:eu-repo/classification/msc/06B05"),
            ("subject", "Siehe: Ordnungen"),
            ("date", "2001-05-12T10:00:00Z"),
            ("type", "Text"),
            ("format", "application/pdf"),
            ("relation", "egal"),
        ]);
        let description = record_description(RecordForm::DublinCore, &record, "oai:x:1");
        #[rustfmt::skip]
        let expected: [Told<'_>; 10] = [
            (Field::Title,          "Über Gitter",      90, true,  None),
            (Field::Title,          "On lattices",      90, false, None),
            (Field::Author,         "Eva Meier",        90, true,  None),
            (Field::Author,         "Karl Weber",       90, true,  None),
            (Field::Date,           "2001-05-12",       90, true,  None),
            (Field::Keywords,       "Verbände",         90, true,  None),
            (Field::Keywords,       "Gitter",           90, true,  None),
            (Field::Keywords,       "Siehe: Ordnungen", 90, true,  None),
            (Field::Classification, "510",              90, true,  Some("DDC")),
            (Field::Classification, "06B05",            90, true,  Some("MSC")),
        ];
        assert_eq!(told(&description), expected);
        let statement = &description.statements[0];
        assert_eq!(statement.rules[0].as_str(), "oai-dc");
        assert_eq!(statement.place, Some(FoundAt::Outside("oai:x:1".to_owned())));
    }

    #[test]
    fn objects_of_soif() {
        let object = fields(&[
            ("Title", "Die Müritz"),
            ("title-weight", "0.875"),
            ("Author-1", "Anna Weber"),
            ("Author-2", "Karl Heuer"),
            ("Author-Weight", "0.75\n7"),
            ("Keywords", "Seen\nWasser, Fische"),
            ("Type", "HTML"),
            ("Document-Type", "article"),
        ]);
        let description = record_description(RecordForm::Soif, &object, "alt.soif");
        #[rustfmt::skip]
        let expected: [Told<'_>; 6] = [
            (Field::Title,    "Die Müritz", 88, true, None),
            (Field::Author,   "Anna Weber", 75, true, None),
            (Field::Author,   "Karl Heuer", 60, true, None),
            (Field::Keywords, "Seen",       60, true, None),
            (Field::Keywords, "Wasser",     60, true, None),
            (Field::Keywords, "Fische",     60, true, None),
        ];
        assert_eq!(told(&description), expected);
        let author = description.field_weights.iter().find(|(field, _)| *field == Field::Author);
        assert_eq!(author, Some(&(Field::Author, SOIF_WEIGHT)));
    }

    #[test]
    fn attributes_that_count() {
        for name in ["Title", "author-12", "Author-Weight", "KEYWORDS-weight-3", "Full-Text-URL"] {
            assert!(is_record_attribute(name), "{name}");
        }
        for name in ["Full-Text", "Type", "Size", "-weight", "Title-Weight-x", "", "Update-Time"] {
            assert!(!is_record_attribute(name), "{name}");
        }
    }

    #[test]
    fn endless_lists_end() {
        let many = "x\n".to_owned()
            + &(0..2 * MAX_RECORD_VALUES).map(|n| format!("wort{n}\n")).collect::<String>();
        let object = fields(&[("Identifier", &many)]);
        let description = record_description(RecordForm::Soif, &object, "");
        assert_eq!(description.statements.len(), MAX_RECORD_VALUES);
    }
}
