//! Concordances in SSSOM, the Simple Standard for Sharing Ontological Mappings, as TSV.
//!
//! Metadata come first as comments in a little YAML; of these the title and the abbreviations of
//! addresses (`curie_map`) matter. Then a row of column names and one row per mapping. The standard
//! has no combinations; `a:1 AND a:2` as `object_id` is read as one.

use super::ImportOptions;
use super::gathered::{FoundMapping, Gathered};
use super::limits::MAX_RECORD;
use super::lines::{LineFault, Lines};
use crate::{Relation, Relevance};
use std::collections::BTreeMap;
use std::io::{self, BufRead};

/// Abbreviations that need no declaration.
const KNOWN_PREFIXES: [(&str, &str); 2] =
    [("skos", "http://www.w3.org/2004/02/skos/core#"), ("owl", "http://www.w3.org/2002/07/owl#")];

/// Lines of metadata that are looked at, and abbreviations.
const MAX_METADATA: u64 = 10_000;

const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";

pub(super) fn read(
    input: impl BufRead,
    gathered: &mut Gathered,
    options: &ImportOptions,
) -> io::Result<()> {
    let mut lines = Lines::of(input);
    let mut metadata = Metadata::default();
    let mut columns: Option<Columns> = None;
    while let Some((line, text)) = lines.next()? {
        if gathered.problems.enough_errors() || gathered.is_refused() {
            break;
        }
        let text = match text {
            Ok(text) => text,
            Err(LineFault::NotUtf8) => {
                gathered.problems.error(Some(line), "expected UTF-8");
                continue;
            }
            Err(LineFault::TooLong) => {
                let message = format!("the line is longer than {MAX_RECORD} bytes");
                gathered.problems.error(Some(line), message);
                continue;
            }
        };
        match (&columns, text.strip_prefix('#')) {
            (None, Some(comment)) if line <= MAX_METADATA => metadata.take(comment),
            (_, Some(_)) => {}
            (_, None) if text.trim().is_empty() => {}
            (None, None) => match Columns::read(text) {
                Ok(found) => columns = Some(found),
                Err(missing) => {
                    let message = format!("expected a row of column names with {missing}");
                    gathered.problems.error(Some(line), message);
                    return Ok(());
                }
            },
            (Some(columns), None) => match row(columns, &metadata, text, line) {
                Ok(mapping) => gathered.mapping(mapping, options),
                Err(RowFault::Error(message)) => gathered.problems.error(Some(line), message),
                Err(RowFault::LeftOut(why)) => gathered.problems.warning(Some(line), why),
            },
        }
    }
    if columns.is_none() && !gathered.problems.has_errors() {
        gathered.problems.error(
            None,
            "expected a row of column names with subject_id, predicate_id and object_id",
        );
    }
    if let Some(title) = metadata.title {
        gathered.name_of_concordance(&title);
    }
    Ok(())
}

#[derive(Debug, Default)]
struct Metadata {
    title: Option<String>,
    prefixes: BTreeMap<String, String>,
    within_prefixes: bool,
}

impl Metadata {
    /// One line of YAML without its `#`.
    fn take(&mut self, comment: &str) {
        let Some((key, value)) = comment.split_once(':') else { return };
        let value = unquoted(value);
        let key_name = unquoted(key);
        if !key.trim_start_matches(' ').len().eq(&key.len()) && self.within_prefixes {
            self.prefixes.insert(key_name.to_owned(), value.to_owned());
            return;
        }
        self.within_prefixes = key_name == "curie_map";
        if key_name == "mapping_set_title" && !value.is_empty() {
            self.title = Some(value.to_owned());
        }
    }

    fn address(&self, text: &str) -> Result<String, String> {
        let text = text.trim().trim_start_matches('<').trim_end_matches('>');
        let Some((prefix, name)) = text.split_once(':') else {
            return Err(format!(
                "expected an address or an abbreviated one such as skos:exactMatch, found {text:?}"
            ));
        };
        if let Some(space) = self.prefixes.get(prefix) {
            return Ok(format!("{space}{name}"));
        }
        if name.starts_with("//") || prefix == "urn" {
            return Ok(text.to_owned());
        }
        let known = KNOWN_PREFIXES.iter().find(|(known, _)| *known == prefix);
        known
            .map(|(_, space)| format!("{space}{name}"))
            .ok_or_else(|| format!("the prefix {prefix:?} of {text:?} is not in curie_map"))
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches('"').trim_matches('\'')
}

#[derive(Debug)]
struct Columns {
    subject: usize,
    predicate: usize,
    object: usize,
    confidence: Option<usize>,
    modifier: Option<usize>,
    subject_label: Option<usize>,
    object_label: Option<usize>,
}

impl Columns {
    fn read(text: &str) -> Result<Columns, &'static str> {
        let names: Vec<&str> = text.split('\t').map(str::trim).collect();
        let place = |name: &str| names.iter().position(|it| it.eq_ignore_ascii_case(name));
        Ok(Columns {
            subject: place("subject_id").ok_or("subject_id")?,
            predicate: place("predicate_id").ok_or("predicate_id")?,
            object: place("object_id").ok_or("object_id")?,
            confidence: place("confidence"),
            modifier: place("predicate_modifier"),
            subject_label: place("subject_label"),
            object_label: place("object_label"),
        })
    }
}

enum RowFault {
    Error(String),
    LeftOut(String),
}

fn row(
    columns: &Columns,
    metadata: &Metadata,
    text: &str,
    line: u64,
) -> Result<FoundMapping, RowFault> {
    let cells: Vec<&str> = text.split('\t').map(str::trim).collect();
    let optional = |at: Option<usize>| at.and_then(|at| cells.get(at)).filter(|it| !it.is_empty());
    let required = |at: usize, name: &str| {
        cells
            .get(at)
            .filter(|cell| !cell.is_empty())
            .ok_or_else(|| RowFault::Error(format!("expected a value for {name}")))
    };
    let address = |text: &str| metadata.address(text).map_err(RowFault::Error);
    let from = address(required(columns.subject, "subject_id")?)?;
    let objects = required(columns.object, "object_id")?;
    let to = objects.split(" AND ").map(address).collect::<Result<Vec<_>, _>>()?;
    let relation = relation(&address(required(columns.predicate, "predicate_id")?)?)?;
    if optional(columns.modifier).is_some_and(|it| it.eq_ignore_ascii_case("not")) {
        return Err(RowFault::LeftOut("the mapping says that it does not hold".to_owned()));
    }
    let relevance = match optional(columns.confidence) {
        None => None,
        Some(text) => match text.parse::<f64>() {
            Ok(number) if (0.0..=1.0).contains(&number) => Some(Relevance::of_confidence(number)),
            _ => {
                let message = format!("expected a confidence from 0 to 1, found {text:?}");
                return Err(RowFault::Error(message));
            }
        },
    };
    Ok(FoundMapping {
        from,
        directed: !relation.is_symmetric() || to.len() > 1,
        to,
        relation,
        relevance,
        from_label: optional(columns.subject_label).map(|it| (*it).to_owned()),
        to_label: optional(columns.object_label).map(|it| (*it).to_owned()),
        line,
    })
}

fn relation(predicate: &str) -> Result<Relation, RowFault> {
    let name = predicate.strip_prefix(SKOS).and_then(|name| name.strip_suffix("Match"));
    name.and_then(Relation::parse)
        .ok_or_else(|| RowFault::LeftOut(format!("<{predicate}> is no mapping relation of SKOS")))
}
