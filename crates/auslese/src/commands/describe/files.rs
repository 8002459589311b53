//! Loose files described: one object per line, or a table for people.

use super::{DescribeArgs, Sets};
use crate::args::Place;
use crate::config::Overrides;
use crate::loose_files::{self, foreign_format, on_all_cores};
use crate::messages::{Color, Exit, Failure, Harmless, Outcome};
use crate::output;
use anyhow::anyhow;
use auslese_describe::{Around, Subject, describe, own_address, page_to_describe};
use auslese_markup::{Page, parse};
use auslese_model::{Description, Field, Statement};
use serde_json::{Map, Value, json};
use std::path::Path;
use url::Url;

/// Files that are described before their results are printed, so that memory stays bounded.
const BATCH: usize = 256;

/// A page read from a file.
#[derive(Debug)]
pub(crate) struct LooseFile {
    /// The path as it was given.
    pub(crate) id: String,
    pub(crate) page: Page,
    /// The address the page gives itself.
    own_address: Option<Url>,
    around: Around,
    /// Why the page is not all of the file, if so.
    cut: Option<String>,
}

impl LooseFile {
    pub(crate) fn read(path: &Path) -> Result<LooseFile, Failure> {
        let (page, cut) = page_to_describe(&bytes_of_page(path)?, None);
        let id = path.to_string_lossy().into_owned();
        let own_address = own_address(&page);
        Ok(LooseFile { id, page, own_address, around: Around::default(), cut })
    }

    fn describe(&self, url: Option<&Url>, sets: &Sets) -> Description {
        let mut description = describe(&self.subject(url), &sets.heuristics, &sets.weights);
        let troubles: Vec<String> =
            self.cut.clone().into_iter().chain(description.trouble).collect();
        description.trouble = (!troubles.is_empty()).then(|| troubles.join("; "));
        description
    }

    /// What is to be described; without an address, the one that the page gives itself.
    pub(crate) fn subject<'a>(&'a self, url: Option<&'a Url>) -> Subject<'a> {
        let url = url.or(self.own_address.as_ref());
        Subject { page: &self.page, url, around: &self.around }
    }
}

/// The bytes of a file, unless it is plainly something else than a page.
fn bytes_of_page(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = loose_files::read(path)?;
    match foreign_format(&bytes) {
        None => Ok(bytes),
        Some(format) => {
            let error = anyhow!("it is {format}, not a web page")
                .context(format!("cannot describe {}", path.display()));
            Err(Failure::new(Exit::Failures, error))
        }
    }
}

pub(super) fn run(args: &DescribeArgs, place: &Place, color: Color) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let sets = Sets::load(&args.sets, &config.describe, place.dir())?;
    let mut exit = Exit::Done;
    for files in args.files.chunks(BATCH) {
        let results = on_all_cores(files, |path| {
            if args.xml {
                return Ok(parse(&bytes_of_page(path)?, None).xml());
            }
            let file = LooseFile::read(path)?;
            let description = file.describe(args.url.as_ref(), &sets);
            Ok(match args.json {
                true => format!("{}\n", json_line(&file.id, &description)),
                false => as_text(&file.id, &description),
            })
        });
        for (path, result) in files.iter().zip(results) {
            match result {
                Ok(text) => output::print(&text)?,
                Err(failure) => {
                    if args.json {
                        output::print(&failure_line(path, &failure))?;
                    }
                    crate::messages::print(&failure, color);
                    exit = Exit::Failures;
                }
            }
        }
    }
    Ok(exit)
}

/// A file that cannot be described has its line too, so that none is missing among the results.
fn failure_line(file: &Path, failure: &Failure) -> String {
    format!("{}\n", json!({ "id": file.to_string_lossy(), "error": failure.in_short() }))
}

/// Fields that are lists in JSON, by the names they have there.
const LISTS: [(&str, Field); 5] = [
    ("author", Field::Author),
    ("institution", Field::Institution),
    ("keywords", Field::Keywords),
    ("msc", Field::Classification),
    ("references", Field::References),
];
const TEXTS: [(&str, Field); 4] = [
    ("title", Field::Title),
    ("date", Field::Date),
    ("description", Field::Description),
    ("abstract", Field::Abstract),
];

/// One description as one line, for scripts.
pub(crate) fn json_line(id: &str, description: &Description) -> Value {
    let mut object = Map::new();
    object.insert("id".to_owned(), json!(id));
    for (name, field) in TEXTS {
        let value = description.chosen(field).next().map(|it| it.value.as_str());
        object.insert(name.to_owned(), json!(value));
    }
    for (name, field) in LISTS {
        let values: Vec<&str> = description.chosen(field).map(|it| it.value.as_str()).collect();
        object.insert(name.to_owned(), json!(values));
    }
    let kind = description.chosen(Field::Type).next().map(|it| it.value.as_str());
    object.insert("type".to_owned(), json!(kind));
    let names = |field: Field| {
        let known = LISTS.iter().chain(&TEXTS).find(|(_, known)| *known == field);
        known.map_or(field.as_str(), |(name, _)| name)
    };
    let weights: Map<String, Value> = description
        .field_weights
        .iter()
        .map(|(field, weight)| (names(*field).to_owned(), json!(rounded(*weight))))
        .collect();
    object.insert("weights".to_owned(), Value::Object(weights));
    object.insert("class".to_owned(), json!(description.class));
    object.insert("trouble".to_owned(), json!(description.trouble));
    let statements: Vec<Value> = description.statements.iter().map(statement_json).collect();
    object.insert("statements".to_owned(), Value::Array(statements));
    Value::Object(object)
}

fn statement_json(statement: &Statement) -> Value {
    let rule = statement.rules.first().map(|rule| rule.as_str());
    json!({
        "field": statement.field.as_str(),
        "value": statement.value,
        "parts": statement.parts,
        "weight": rounded(statement.weight),
        "initial_weight": rounded(statement.initial),
        "rule": rule,
        "rules": statement.rules,
        "place": statement.place.as_ref().map(ToString::to_string),
        "origin": statement.origin,
        "chosen": statement.chosen,
    })
}

/// Four digits are more than any weight is sure of.
fn rounded(weight: f64) -> f64 {
    (weight * 1e4).round() / 1e4
}

/// The chosen values with their weights and rules; the rules' own weights in brackets.
pub(crate) fn as_text(id: &str, description: &Description) -> String {
    let mut rows = Vec::new();
    for statement in description.statements.iter().filter(|it| it.chosen) {
        let rule = statement.rules.first().map_or("", |rule| rule.as_str());
        let place = statement.place.as_ref().map(ToString::to_string).unwrap_or_default();
        rows.push(vec![
            format!("  {}", statement.field),
            format!("{:.2} [{:.1}]", statement.weight, statement.initial),
            shortened(&statement.value),
            rule.to_owned(),
            place,
        ]);
    }
    let mut text = format!("{id}\n");
    match rows.is_empty() {
        true => text.push_str("  nothing found\n"),
        false => text.push_str(&output::table(&rows)),
    }
    if let Some(trouble) = &description.trouble {
        text.push_str(&format!("  trouble: {trouble}\n"));
    }
    Harmless(text).to_string()
}

/// Characters of a value in a table.
const VALUE_SHOWN: usize = 70;

fn shortened(value: &str) -> String {
    match value.char_indices().nth(VALUE_SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
