//! Labelled documents, to measure heuristics on: a file with one JSON object per line, and the pages
//! it speaks of.

use super::super::crawl::harvest_failure;
use super::super::describe::{LooseFile, paper_readers};
use crate::args::Place;
use crate::config::Config;
use crate::loose_files::on_all_cores;
use crate::messages::{Color, Exit, Failure, Harmless, Word, say};
use crate::organisation;
use anyhow::{Context, anyhow};
use auslese_catalog::Catalog;
use auslese_describe::{Heuristics, LabelledDocument, LabelledField, Weights, candidates};
use auslese_harvest::{LabelledByMarks, Looking, labelled_by_marks};
use auslese_model::Field;
use auslese_reader::{Limits, Readers};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use url::Url;

/// One line of a file of labels.
#[derive(Debug)]
struct Label {
    path: PathBuf,
    /// Pages of one site are never split between learning and checking.
    site: String,
    /// Fields that were looked at; an empty list means that the document has none.
    truth: BTreeMap<Field, Vec<String>>,
}

/// Reads labels, and what a set of heuristics considers about each of their pages.
pub(super) fn read(
    file: &Path,
    pages: Option<&Path>,
    heuristics: &Heuristics,
) -> Result<Vec<LabelledDocument>, Failure> {
    let bytes = crate::input::read_table(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let folder = pages.or(file.parent()).unwrap_or(Path::new(""));
    let mut labels = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let label =
            label(line, folder).with_context(|| format!("{}:{}", file.display(), number + 1));
        labels.push(label.map_err(|error| Failure::new(Exit::Usage, error))?);
    }
    let papers = paper_readers(Limits::default());
    let documents = on_all_cores(&labels, |label| labelled(label, heuristics, &papers));
    documents.into_iter().collect()
}

fn label(line: &str, folder: &Path) -> anyhow::Result<Label> {
    let object: Value = serde_json::from_str(line).context("this is no JSON object")?;
    let text = |name: &str| object.get(name).and_then(Value::as_str);
    let path = text("path").or_else(|| text("id"));
    let path = path.ok_or_else(|| anyhow!("`path` or `id` must name the page"))?;
    let url = text("url").and_then(|url| Url::parse(url).ok());
    let host = url.as_ref().and_then(Url::host_str);
    let site = text("site").or(host).unwrap_or(path).to_owned();
    let names = Field::ALL.into_iter().map(|field| (field.as_str(), field));
    let names = names.chain([("msc", Field::Classification)]);
    let truth =
        names.filter_map(|(name, field)| Some((field, values(object.get(name)?)))).collect();
    Ok(Label { path: folder.join(path), site, truth })
}

fn values(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => vec![text.clone()],
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn labelled(
    label: &Label,
    heuristics: &Heuristics,
    papers: &Readers,
) -> Result<LabelledDocument, Failure> {
    let file = LooseFile::read(&label.path, papers)?;
    // As a loose file, without its address: a file has none either when it is described.
    let mut considered = candidates(&file.subject(None), heuristics, &Weights::initial());
    let fields = label
        .truth
        .iter()
        .map(|(field, truth)| {
            let at = considered.fields.iter_mut().find(|it| it.field == *field);
            let said = at.map(|it| std::mem::take(&mut it.candidates)).unwrap_or_default();
            LabelledField::with_truth(*field, truth.clone(), said)
        })
        .collect();
    Ok(LabelledDocument { site: label.site.clone(), class: considered.class, fields })
}

/// The marks of a harvest as labels. What can no longer be read is told of.
pub(super) async fn of_marks(
    catalog: &Catalog,
    config: &Config,
    place: &Place,
    heuristics: &Heuristics,
    color: Color,
) -> Result<Vec<LabelledDocument>, Failure> {
    let dir = config.harvest_dir(place.dir())?;
    let institutions = organisation::names(place.dir())?;
    let readers = paper_readers(config.describe.reader_limits());
    let looking = Looking {
        dir: &dir,
        canonical: &config.crawl.canonical,
        institutions: &institutions,
        readers: &readers,
    };
    let labelled = labelled_by_marks(catalog, looking, heuristics, None).await;
    let LabelledByMarks { documents, unreadable } = labelled.map_err(harvest_failure)?;
    for (url, why) in unreadable {
        say(Word::Note, Harmless(format!("left out: {url}: {why}")), color);
    }
    Ok(documents)
}
