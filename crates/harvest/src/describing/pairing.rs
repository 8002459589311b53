//! Landing pages and the full texts they announce, where both are in the harvest. What such a page says
//! about a work, it says about the full text too.

use crate::HarvestError;
use auslese_catalog::{Catalog, FullText};
use auslese_crawl::{CanonicalRules, canonical};
use auslese_model::{
    Capture, CaptureId, DescribedCapture, Description, Field, FoundAt, Method, RequestId,
    RequestKey, RuleId, RunId, Statement, Storage,
};
use std::collections::BTreeMap;
use url::Url;

/// The rule of all that is said about a full text by the page that announces it.
const LANDING_PAGE: &str = "landing-page";

/// What holds for a full text if it holds for its page.
const HANDED_ON: [Field; 10] = [
    Field::Title,
    Field::Author,
    Field::Institution,
    Field::Date,
    Field::Description,
    Field::Abstract,
    Field::Keywords,
    Field::Classification,
    Field::Identifier,
    Field::Rights,
];

/// A page that announces a full text.
struct Announcement<'a> {
    page: RequestId,
    page_url: &'a str,
    description: &'a Description,
    said: &'a Statement,
    key: RequestKey,
}

/// Stores which full texts some pages announce, and what the pages say about them; what was known of
/// these pages is replaced.
pub(super) async fn pair(
    catalog: &Catalog,
    run: RunId,
    rules: &CanonicalRules,
    urls: &BTreeMap<CaptureId, (RequestId, String)>,
    described: &[DescribedCapture],
) -> Result<(), HarvestError> {
    let announced: Vec<Announcement<'_>> =
        described.iter().flat_map(|it| announcements(it, urls, rules)).collect();
    let keys: Vec<RequestKey> = announced.iter().map(|it| it.key).collect();
    let known = catalog.find_keys(&keys).await?;
    let (mut pairs, mut full_texts) = (Vec::new(), BTreeMap::new());
    for announcement in &announced {
        let Some(target) = known.get(&announcement.key).filter(|it| it.id != announcement.page)
        else {
            continue;
        };
        let rule = announcement.said.rules.first().map(ToString::to_string).unwrap_or_default();
        let evidence = announcement.said.value.clone();
        pairs.push(FullText { page: announcement.page, target: target.id, rule, evidence });
        let Some(capture) = target.capture else { continue };
        if let Some(stored) = catalog.capture(capture).await?
            && let Some(body) = body_of_full_text(&stored.capture)
        {
            full_texts.entry(body).or_insert_with(|| announcement.handed_on());
        }
    }
    let requests: Vec<RequestId> = urls.values().map(|(request, _)| *request).collect();
    catalog.store_full_texts(&requests, &pairs).await?;
    let full_texts: Vec<DescribedCapture> = full_texts
        .into_iter()
        .map(|(capture, description)| DescribedCapture { capture, description })
        .collect();
    Ok(catalog.store_descriptions(run, &full_texts).await?)
}

fn announcements<'a>(
    described: &'a DescribedCapture,
    urls: &'a BTreeMap<CaptureId, (RequestId, String)>,
    rules: &CanonicalRules,
) -> Vec<Announcement<'a>> {
    let description = &described.description;
    let announcement = |said: &'a Statement| {
        let (page, page_url) = urls.get(&described.capture)?;
        let address = Url::parse(page_url).ok()?.join(&said.value).ok()?;
        let key = RequestKey::new(Method::Get, &canonical(&address, rules), &[]);
        Some(Announcement { page: *page, page_url, description, said, key })
    };
    description.chosen(Field::FullText).filter_map(announcement).collect()
}

/// The capture that stores the body, unless it is a page, which speaks for itself.
fn body_of_full_text(capture: &Capture) -> Option<CaptureId> {
    let is_page = matches!(
        capture.fields.media_type().as_deref(),
        Some("text/html" | "application/xhtml+xml")
    );
    match capture.storage {
        _ if is_page || !(200..300).contains(&capture.status) => None,
        Storage::Stored(_) => Some(capture.id),
        Storage::Revisit { original, .. } => Some(original),
        Storage::HeaderOnly { .. } => None,
    }
}

impl Announcement<'_> {
    /// The page's statements as statements about the full text: as probable as both the statement
    /// and the announcement.
    fn handed_on(&self) -> Description {
        let sure = self.said.weight;
        let handed_on = |statement: &Statement| Statement {
            weight: statement.weight * sure,
            rules: vec![RuleId::from_text(LANDING_PAGE)],
            place: Some(FoundAt::Outside(self.page_url.to_owned())),
            ..statement.clone()
        };
        let of_work = |field: &Field| HANDED_ON.contains(field);
        let statements = self.description.statements.iter();
        let weights = self.description.field_weights.iter();
        Description {
            statements: statements
                .filter(|it| of_work(&it.field) && it.chosen)
                .map(handed_on)
                .collect(),
            field_weights: weights
                .filter(|(field, _)| of_work(field))
                .map(|(field, weight)| (*field, weight * sure))
                .collect(),
            class: self.description.class.clone(),
            trouble: None,
        }
    }
}
