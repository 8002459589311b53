//! What others recorded about the documents of a harvest: repositories, and whoever wrote the objects of
//! SOIF that a crawl began with.
//!
//! Records come and change independently of the documents. A document is described again when there is
//! news about it, so that its description always is what would be said today.

use super::beside::add_beside;
use super::looking::stored_document;
use crate::HarvestError;
use auslese_catalog::{Catalog, RecordAbout};
use auslese_crawl::{CanonicalRules, canonical};
use auslese_describe::{RecordForm, record_description};
use auslese_model::{CaptureId, DescribedCapture, Description, Method, RequestKey, RuleId, RunId};
use std::collections::BTreeMap;
use url::Url;

/// Records placed at once.
const PAGE: usize = 500;

/// Finds out which requests records are about, and takes back what a run said about documents of which
/// something new was recorded.
pub(super) async fn prepare(
    catalog: &Catalog,
    run: RunId,
    rules: &CanonicalRules,
) -> Result<(), HarvestError> {
    place(catalog, rules).await?;
    let (bodies, until) = catalog.bodies_with_news(run).await?;
    let mut speaking = Vec::new();
    let mut silent = Vec::new();
    for body in bodies {
        let (_, kind) = stored_document(catalog, body).await?;
        if kind.is_some() { speaking.push(body) } else { silent.push(body) }
    }
    catalog.forget_descriptions(run, &speaking).await?;
    describe_silent(catalog, run, &silent).await?;
    if let Some(until) = until {
        catalog.note_records_heard(run, until).await?;
    }
    Ok(())
}

/// Describes what cannot speak for itself, such as data, by its records alone. Where a landing page said
/// something, that stays.
async fn describe_silent(
    catalog: &Catalog,
    run: RunId,
    bodies: &[CaptureId],
) -> Result<(), HarvestError> {
    for some in bodies.chunks(PAGE) {
        let known = catalog.descriptions_of(run, some).await?;
        let of_others = |body: &CaptureId| {
            let said = known.get(body).into_iter().flat_map(|it| &it.statements);
            said.flat_map(|it| &it.rules).any(|rule| !is_of_records(rule))
        };
        let mut described = Vec::new();
        for (capture, records) in recorded(catalog, some).await? {
            if !of_others(&capture) {
                let mut description = Description::default();
                add_recorded(&mut description, &records);
                described.push(DescribedCapture { capture, description });
            }
        }
        catalog.store_descriptions(run, &described).await?;
    }
    Ok(())
}

fn is_of_records(rule: &RuleId) -> bool {
    [RecordForm::DublinCore, RecordForm::Soif].iter().any(|form| form.rule() == rule.as_str())
}

async fn place(catalog: &Catalog, rules: &CanonicalRules) -> Result<(), HarvestError> {
    let mut after = 0;
    loop {
        let page = catalog.unplaced_records(after, PAGE).await?;
        let Some((last, _)) = page.last() else { return Ok(()) };
        after = *last;
        let placed: Vec<(i64, RequestKey)> =
            page.iter().map(|(id, address)| (*id, key_of(address, rules))).collect();
        catalog.place_records(&placed).await?;
    }
}

/// The key of a request for an address; of what is none, one that nothing has.
pub(crate) fn key_of(address: &str, rules: &CanonicalRules) -> RequestKey {
    let address = match Url::parse(address) {
        Ok(url) => canonical(&url, rules),
        Err(_) => address.to_owned(),
    };
    RequestKey::new(Method::Get, &address, &[])
}

/// What is recorded about some bodies.
pub(super) async fn recorded(
    catalog: &Catalog,
    bodies: &[CaptureId],
) -> Result<BTreeMap<CaptureId, Vec<Description>>, HarvestError> {
    let mut recorded: BTreeMap<CaptureId, Vec<Description>> = BTreeMap::new();
    for RecordAbout { body, of_repository, source, fields } in catalog.records_about(bodies).await?
    {
        let form = if of_repository { RecordForm::DublinCore } else { RecordForm::Soif };
        recorded.entry(body).or_default().push(record_description(form, &fields, &source));
    }
    Ok(recorded)
}

/// Adds to a description what is recorded about its document.
pub(super) fn add_recorded(description: &mut Description, recorded: &[Description]) {
    recorded.iter().for_each(|record| add_beside(description, record));
}
