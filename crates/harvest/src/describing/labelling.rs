//! What people marked, as labels: how right a run is by them, and what a set of heuristics considers about every document
//! that was marked, for calibration.

use super::looking::document_of_harvest;
use crate::HarvestError;
use crate::directory::HarvestDir;
use auslese_catalog::{Catalog, Describable, Mark, MarkFilter, StoredMark};
use auslese_crawl::CanonicalRules;
use auslese_describe::{
    FieldCandidates, Heuristics, Indicators, LabelledDocument, LabelledField, MarkedField, Subject,
    Weights, candidates, matches,
};
use auslese_model::{CaptureId, Field, MarkKind, RunId};
use auslese_reader::Readers;
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// Marks asked for at a time.
const PAGE: usize = 10_000;

/// All marks, or those on one field, oldest first.
pub async fn all_marks(
    catalog: &Catalog,
    field: Option<Field>,
) -> Result<Vec<StoredMark>, HarvestError> {
    let filter = MarkFilter { field, ..MarkFilter::default() };
    let mut marks: Vec<StoredMark> = Vec::new();
    loop {
        let after = marks.last().map_or(0, |mark| mark.id);
        let page = catalog.marks(&filter, after, PAGE).await?;
        if page.is_empty() {
            return Ok(marks);
        }
        marks.extend(page);
    }
}

/// What a run says to each mark; without a run, the newest that is finished. A value that was missing when it was marked
/// may be found by now.
pub async fn judged_marks(
    catalog: &Catalog,
    run: Option<RunId>,
) -> Result<Vec<MarkedField>, HarvestError> {
    let mut judged = Vec::new();
    for StoredMark { mark, .. } in all_marks(catalog, None).await? {
        let Some(field) = mark.field else { continue };
        let Some(listed) = catalog.description_of(mark.request, run).await? else { continue };
        let mut said = listed.described.description.chosen(field);
        let said = match &mark.value {
            Some(value) => said.any(|statement| matches(field, value, &statement.value)),
            None => said.next().is_some(),
        };
        let mark = match mark.kind {
            MarkKind::Missing if said => MarkKind::Right,
            kind => kind,
        };
        judged.push(MarkedField { field, mark, said });
    }
    Ok(judged)
}

/// How documents of a harvest are looked at.
#[derive(Debug, Clone, Copy)]
pub struct Looking<'a> {
    pub dir: &'a HarvestDir,
    pub canonical: &'a CanonicalRules,
    /// The names of the institutions by their labels.
    pub institutions: &'a BTreeMap<String, String>,
    pub readers: &'a Readers,
}

/// The marks of a harvest as labels: for every document that has some, what the heuristics consider, and what people
/// said to it. With a kind, documents of this kind only. What can no longer be read is left out, with the reason.
pub async fn labelled_by_marks(
    catalog: &Catalog,
    looking: Looking<'_>,
    heuristics: &Heuristics,
    kind: Option<Describable>,
) -> Result<LabelledByMarks, HarvestError> {
    let mut marked: BTreeMap<CaptureId, (String, Vec<Mark>)> = BTreeMap::new();
    for StoredMark { url, mark, .. } in all_marks(catalog, None).await? {
        let (_, marks) = marked.entry(mark.capture).or_insert_with(|| (url, Vec::new()));
        marks.push(mark);
    }
    let mut labelled = LabelledByMarks::default();
    let Looking { dir, canonical, institutions, readers } = looking;
    for (capture, (url, marks)) in marked {
        let found =
            document_of_harvest(dir, catalog, capture, canonical, institutions, readers).await;
        let found = match found {
            Ok(found) => found,
            Err(HarvestError::NoPage { why, .. }) => {
                labelled.unreadable.push((url, why));
                continue;
            }
            Err(other) => return Err(other),
        };
        if kind.is_some_and(|kind| kind != found.kind) {
            continue;
        }
        let url = Url::parse(&url).ok();
        let subject = Subject { page: &found.page, url: url.as_ref(), around: &found.around };
        let considered = candidates(&subject, heuristics, &Weights::initial());
        let site = url.as_ref().and_then(Url::host_str).unwrap_or_default().to_owned();
        let fields = marked_fields(considered.fields, &marks);
        labelled.documents.push(LabelledDocument { site, class: considered.class, fields });
    }
    Ok(labelled)
}

/// Labels made of marks.
#[derive(Debug, Default)]
pub struct LabelledByMarks {
    pub documents: Vec<LabelledDocument>,
    /// Addresses of documents that were marked and cannot be read, with the reason.
    pub unreadable: Vec<(String, String)>,
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
