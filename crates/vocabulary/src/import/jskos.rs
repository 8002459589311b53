//! Vocabularies and concordances in JSKOS, the JSON format of many classification services.
//!
//! An object with `from` and `to` is a mapping, one of type `ConceptScheme` a vocabulary, any other
//! with an address a concept. Mappings of concepts may also stand in the concept (`mappings`).
//! `memberSet` and `memberList` with several concepts are a combination, `memberChoice` several
//! mappings. Lists may contain `null` for "and more".

use super::ImportOptions;
use super::gathered::{FoundMapping, Gathered, Link};
use super::json_records::{JsonRecord, JsonRecords};
use super::limits::MAX_RECORD;
use crate::{LabelKind, Relation, Relevance};
use serde_json::{Map, Value};
use std::io::{self, BufRead};

const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";

type Object = Map<String, Value>;

pub(super) fn read(
    input: impl BufRead,
    gathered: &mut Gathered,
    options: &ImportOptions,
) -> io::Result<()> {
    let mut records = JsonRecords::of(input);
    loop {
        if gathered.problems.enough_errors() || gathered.is_refused() {
            return Ok(());
        }
        match records.next()? {
            JsonRecord::End => return Ok(()),
            JsonRecord::Object(line, bytes) => match serde_json::from_slice::<Object>(bytes) {
                Ok(object) => record(&object, line, gathered, options),
                Err(error) => {
                    let at = line + error.line().saturating_sub(1) as u64;
                    let message = format!("this is no JSON: {}", without_place(&error));
                    let column = (error.column() > 0).then_some(error.column() as u64);
                    gathered.problems.error_at(Some(at), column, message);
                }
            },
            JsonRecord::TooLong(line) => {
                let message = format!("the object is longer than {MAX_RECORD} bytes");
                gathered.refuse(line, &message);
            }
            JsonRecord::Stray(line, byte) => {
                let found = char::from(byte);
                gathered.refuse(line, &format!("expected an object of JSON, found {found:?}"));
            }
            JsonRecord::Unfinished(line) => {
                gathered.refuse(line, "the object that begins here is not closed");
            }
        }
    }
}

/// The parser counts lines within the object; ours are those of the file.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rfind(" at line ").map_or(text.clone(), |at| text[..at].to_owned())
}

fn record(object: &Object, line: u64, gathered: &mut Gathered, options: &ImportOptions) {
    if object.contains_key("from") && object.contains_key("to") {
        mapping(object, None, line, gathered, options);
        return;
    }
    let Some(uri) = text(object, "uri") else {
        gathered.problems.warning(Some(line), "an object without uri, from and to is left out");
        return;
    };
    let is =
        |kind: &str| list(object, "type").any(|it| it.as_str() == Some(&format!("{SKOS}{kind}")));
    if is("ConceptScheme") {
        gathered.scheme(uri, line);
        each_text(object, "prefLabel", |language, text| gathered.title(uri, language, text, line));
        return;
    }
    concept(uri, object, line, gathered);
    for nested in list(object, "mappings").filter_map(Value::as_object) {
        mapping(nested, Some(uri), line, gathered, options);
    }
}

fn concept(uri: &str, object: &Object, line: u64, gathered: &mut Gathered) {
    gathered.concept(uri, line);
    let kinds = [
        ("prefLabel", LabelKind::Preferred),
        ("altLabel", LabelKind::Alternative),
        ("hiddenLabel", LabelKind::Hidden),
    ];
    for (key, kind) in kinds {
        each_text(object, key, |language, text| gathered.label(uri, kind, language, text, line));
    }
    for key in ["scopeNote", "definition"] {
        each_text(object, key, |language, text| gathered.scope_note(uri, language, text, line));
    }
    for notation in list(object, "notation").filter_map(Value::as_str) {
        gathered.notation(uri, notation, line);
    }
    let links =
        [("broader", Link::Broader), ("narrower", Link::Narrower), ("related", Link::Related)];
    for (key, link) in links {
        for to in list(object, key).filter_map(Value::as_object).filter_map(|it| text(it, "uri")) {
            gathered.link(uri, link, to, line);
        }
    }
    for scheme in list(object, "inScheme").filter_map(Value::as_object) {
        if let Some(scheme) = text(scheme, "uri") {
            gathered.in_scheme(uri, scheme, line);
        }
    }
}

fn mapping(
    object: &Object,
    of_concept: Option<&str>,
    line: u64,
    gathered: &mut Gathered,
    options: &ImportOptions,
) {
    let side = |key: &str| object.get(key).and_then(Value::as_object).and_then(Side::of);
    let from = side("from").or_else(|| of_concept.map(Side::single));
    let (Some(from), Some(to)) = (from, side("to")) else {
        gathered
            .problems
            .warning(Some(line), "a mapping without concepts at both ends is left out");
        return;
    };
    let [source] = &from.concepts[..] else {
        let message = "a mapping from several concepts together is left out; only its target may be a combination";
        gathered.problems.warning(Some(line), message);
        return;
    };
    let Some(relation) = relation(object) else {
        gathered.problems.warning(
            Some(line),
            "expected the type of the mapping to be a mapping relation of SKOS",
        );
        return;
    };
    let confidence = object.get("mappingRelevance").and_then(Value::as_f64);
    if confidence.is_some_and(|it| !(0.0..=1.0).contains(&it)) {
        gathered
            .problems
            .warning(Some(line), "expected mappingRelevance to be a number from 0 to 1");
    }
    let targets: Vec<Vec<String>> = match to.choice {
        true => to.concepts.into_iter().map(|uri| vec![uri]).collect(),
        false => vec![to.concepts],
    };
    for target in targets {
        let found = FoundMapping {
            from: source.clone(),
            to: target,
            relation,
            relevance: confidence.map(Relevance::of_confidence),
            directed: true,
            from_label: from.label.clone(),
            to_label: to.label.clone(),
            line,
        };
        gathered.mapping(found, options);
    }
}

/// A mapping without a finer type says that two concepts have to do with each other.
fn relation(object: &Object) -> Option<Relation> {
    if !object.contains_key("type") {
        return Some(Relation::Related);
    }
    list(object, "type").filter_map(Value::as_str).find_map(|kind| {
        match kind.strip_prefix(SKOS)? {
            "mappingRelation" => Some(Relation::Related),
            name => Relation::parse(name.strip_suffix("Match")?),
        }
    })
}

/// One end of a mapping.
struct Side {
    concepts: Vec<String>,
    /// Whether each concept stands alone.
    choice: bool,
    label: Option<String>,
}

impl Side {
    fn single(uri: &str) -> Side {
        Side { concepts: vec![uri.to_owned()], choice: false, label: None }
    }

    fn of(object: &Object) -> Option<Side> {
        let (key, choice) = [("memberSet", false), ("memberList", false), ("memberChoice", true)]
            .into_iter()
            .find(|(key, _)| object.contains_key(*key))?;
        let members: Vec<&Object> = list(object, key).filter_map(Value::as_object).collect();
        let concepts: Vec<String> =
            members.iter().filter_map(|it| text(it, "uri")).map(str::to_owned).collect();
        let mut label = None;
        if let [only] = members[..] {
            each_text(only, "prefLabel", |_, text| {
                label.get_or_insert_with(|| text.to_owned());
            });
        }
        (!concepts.is_empty()).then_some(Side { concepts, choice, label })
    }
}

fn text<'o>(object: &'o Object, key: &str) -> Option<&'o str> {
    object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn list<'o>(object: &'o Object, key: &str) -> impl Iterator<Item = &'o Value> {
    object.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// Texts by language: one of each, or a list; `-` stands for languages that exist and are not given.
fn each_text(object: &Object, key: &str, mut then: impl FnMut(&str, &str)) {
    let by_language = object.get(key).and_then(Value::as_object).into_iter().flatten();
    for (language, value) in by_language.filter(|(language, _)| *language != "-") {
        let language = if language == "und" { "" } else { language.as_str() };
        match value {
            Value::String(text) => then(language, text),
            Value::Array(texts) => {
                texts.iter().filter_map(Value::as_str).for_each(|text| then(language, text));
            }
            _ => {}
        }
    }
}
