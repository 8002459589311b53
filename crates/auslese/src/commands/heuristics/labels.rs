//! Labelled documents, to measure heuristics on: a file with one JSON object per line, and the pages
//! it speaks of.

use super::super::crawl::harvest_failure;
use super::super::describe::{LooseFile, paper_readers};
use super::super::marks;
use crate::args::Place;
use crate::config::Config;
use crate::loose_files::on_all_cores;
use crate::messages::{Exit, Failure};
use crate::organisation;
use anyhow::{Context, anyhow};
use auslese_catalog::{Catalog, Mark, StoredMark};
use auslese_describe::{
    FieldCandidates, Heuristics, Indicators, LabelledDocument, LabelledField, Subject, Weights,
    candidates, matches,
};
use auslese_harvest::{HarvestDir, document_of_harvest};
use auslese_model::{CaptureId, Field, MarkKind};
use auslese_reader::{Limits, Readers};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
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

/// The marks of a harvest as labels: for every document that has some, what the heuristics consider,
/// and what people said to it.
pub(super) async fn of_marks(
    catalog: &Catalog,
    config: &Config,
    place: &Place,
    heuristics: &Heuristics,
) -> Result<Vec<LabelledDocument>, Failure> {
    let dir = HarvestDir::open(place.dir()).map_err(harvest_failure)?;
    let names = organisation::names(place.dir())?;
    let mut documents: BTreeMap<CaptureId, (String, Vec<Mark>)> = BTreeMap::new();
    for StoredMark { url, mark, .. } in marks::all(catalog, None).await? {
        let (_, marks) = documents.entry(mark.capture).or_insert_with(|| (url, Vec::new()));
        marks.push(mark);
    }
    let readers = paper_readers(config.describe.reader_limits());
    let mut labelled = Vec::new();
    for (capture, (url, marks)) in documents {
        let canonical = &config.crawl.canonical;
        let found = document_of_harvest(&dir, catalog, capture, canonical, &names, &readers).await;
        let found = found.map_err(harvest_failure)?;
        let url = Url::parse(&url).ok();
        let subject = Subject { page: &found.page, url: url.as_ref(), around: &found.around };
        let considered = candidates(&subject, heuristics, &Weights::initial());
        let site = url.as_ref().and_then(Url::host_str).unwrap_or_default().to_owned();
        let fields = marked_fields(considered.fields, &marks);
        labelled.push(LabelledDocument { site, class: considered.class, fields });
    }
    Ok(labelled)
}

fn marked_fields(considered: Vec<FieldCandidates>, marks: &[Mark]) -> Vec<LabelledField> {
    let marked: BTreeSet<Field> = marks.iter().filter_map(|mark| mark.field).collect();
    let mut considered: BTreeMap<Field, Vec<(String, Indicators)>> =
        considered.into_iter().map(|it| (it.field, it.candidates)).collect();
    marked
        .into_iter()
        .map(|field| {
            let of = |kind: MarkKind| {
                let fits = move |mark: &&Mark| mark.field == Some(field) && mark.kind == kind;
                marks.iter().filter(fits).filter_map(|mark| mark.value.as_deref())
            };
            let says = |value: &str| {
                let fits = |known: &str| matches(field, known, value);
                let right = of(MarkKind::Right).chain(of(MarkKind::Missing)).any(fits);
                right.then_some(true).or(of(MarkKind::Wrong).any(fits).then_some(false))
            };
            let said = considered.remove(&field).unwrap_or_default();
            let said = said.into_iter().map(|(value, indicators)| {
                let right = says(&value);
                (value, indicators, right)
            });
            let absent =
                marks.iter().any(|mark| mark.field == Some(field) && mark.kind == MarkKind::Absent);
            let missing = of(MarkKind::Missing).map(str::to_owned).collect();
            LabelledField::with_marks(field, said.collect(), missing, absent)
        })
        .collect()
}
