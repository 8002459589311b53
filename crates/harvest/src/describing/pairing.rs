//! Landing pages and the full texts they announce, where both are in the harvest. What such a page says
//! about a work, it says about the full text too.
//!
//! A paper speaks for itself as well, so it is described after its landing page, and again when a page
//! announces it anew; any other full text has nothing but what its page says.

use super::beside::add_beside;
use super::cited_as::without_cited_as;
use crate::HarvestError;
use auslese_catalog::{AnnouncedFullTexts, Catalog, Describable, FullText};
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
    said: &'a Statement,
    key: RequestKey,
}

/// Which full texts some pages announce.
pub(super) async fn announced_by(
    catalog: &Catalog,
    rules: &CanonicalRules,
    urls: &BTreeMap<CaptureId, (RequestId, String)>,
    described: &[DescribedCapture],
) -> Result<AnnouncedFullTexts, HarvestError> {
    let announcements: Vec<Announcement<'_>> =
        described.iter().flat_map(|it| announcements(it, urls, rules)).collect();
    let keys: Vec<RequestKey> = announcements.iter().map(|it| it.key).collect();
    let known = catalog.find_keys(&keys).await?;
    let (mut full_texts, mut papers) = (Vec::new(), Vec::new());
    for announcement in &announcements {
        let Some(target) = known.get(&announcement.key).filter(|it| it.id != announcement.page)
        else {
            continue;
        };
        let rule = announcement.said.rules.first().map(ToString::to_string).unwrap_or_default();
        let evidence = announcement.said.value.clone();
        full_texts.push(FullText { page: announcement.page, target: target.id, rule, evidence });
        let Some(capture) = target.capture else { continue };
        if let Some((body, Some(Describable::Papers))) = full_text(catalog, capture).await? {
            papers.push(body);
        }
    }
    let pages = urls.values().map(|(request, _)| *request).collect();
    Ok(AnnouncedFullTexts { pages, full_texts, papers })
}

/// Describes full texts that cannot speak for themselves by what the first page says that announces
/// them, after all pages were described.
pub(super) async fn describe_silent(catalog: &Catalog, run: RunId) -> Result<(), HarvestError> {
    let mut after = RequestId(0);
    loop {
        let targets = catalog.announced_documents(after, PAGE).await?;
        let Some(last) = targets.last() else { return Ok(()) };
        after = *last;
        let mut silent = Vec::new();
        for target in targets {
            let Some(capture) = catalog.request(target).await?.and_then(|known| known.capture)
            else {
                continue;
            };
            if let Some((body, None)) = full_text(catalog, capture).await? {
                silent.push(body);
            }
        }
        let described: Vec<DescribedCapture> = announced(catalog, run, &silent)
            .await?
            .into_iter()
            .map(|(capture, announced)| DescribedCapture { capture, description: announced.0 })
            .collect();
        catalog.store_descriptions(run, &described).await?;
    }
}

/// Full texts looked at together.
const PAGE: usize = 256;

/// The capture that stores a full text, and how it is described if it speaks for itself.
async fn full_text(
    catalog: &Catalog,
    capture: CaptureId,
) -> Result<Option<(CaptureId, Option<Describable>)>, HarvestError> {
    let Some(stored) = catalog.capture(capture).await? else { return Ok(None) };
    let Some(body) = body_of_full_text(&stored.capture) else { return Ok(None) };
    let read_out = catalog.content(body).await?.map(|content| content.format);
    let media_type = stored.capture.fields.media_type();
    Ok(Some((body, Describable::of(read_out, media_type.as_deref()))))
}

/// What landing pages say about some bodies, by a run; of several pages the first one counts.
pub(super) async fn announced(
    catalog: &Catalog,
    run: RunId,
    bodies: &[CaptureId],
) -> Result<BTreeMap<CaptureId, Announced>, HarvestError> {
    let mut announced = BTreeMap::new();
    for (body, pair) in catalog.landing_pages_of_bodies(bodies).await? {
        if announced.contains_key(&body) {
            continue;
        }
        let Some(page) = catalog.description_of(pair.page, Some(run)).await? else { continue };
        // What others say of the page is not what the page says.
        let description = without_cited_as(&page.described.description);
        let said = description.chosen(Field::FullText).find(|it| it.value == pair.evidence);
        if let Some(said) = said {
            announced.insert(body, handed_on(&description, said.weight, &page.url));
        }
    }
    Ok(announced)
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
        Some(Announcement { page: *page, said, key })
    };
    description.chosen(Field::FullText).filter_map(announcement).collect()
}

/// The capture that stores the body of a proper answer.
fn body_of_full_text(capture: &Capture) -> Option<CaptureId> {
    match capture.storage {
        _ if !(200..300).contains(&capture.status) => None,
        Storage::Stored(_) => Some(capture.id),
        Storage::Revisit { original, .. } => Some(original),
        Storage::HeaderOnly { .. } => None,
    }
}

/// A page's statements as statements about the full text: as probable as both the statement and the
/// announcement.
fn handed_on(page: &Description, sure: f64, page_url: &str) -> Announced {
    let of_full_text = |statement: &Statement| Statement {
        weight: statement.weight * sure,
        rules: vec![RuleId::from_text(LANDING_PAGE)],
        place: Some(FoundAt::Outside(page_url.to_owned())),
        ..statement.clone()
    };
    let of_work = |field: &Field| HANDED_ON.contains(field);
    let (statements, weights) = (page.statements.iter(), page.field_weights.iter());
    Announced(Description {
        statements: statements
            .filter(|it| of_work(&it.field) && it.chosen)
            .map(of_full_text)
            .collect(),
        field_weights: weights
            .filter(|(field, _)| of_work(field))
            .map(|(field, weight)| (*field, weight * sure))
            .collect(),
        class: page.class.clone(),
        trouble: None,
    })
}

/// What a landing page says about its full text.
#[derive(Debug)]
pub(super) struct Announced(Description);

impl Announced {
    /// Adds it to what the full text says itself.
    pub(super) fn add_to(&self, own: &mut Description) {
        add_beside(own, &self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(field: Field, value: &str, weight: f64, rule: &str) -> Statement {
        Statement {
            field,
            value: value.to_owned(),
            parts: Vec::new(),
            weight,
            initial: weight,
            rules: vec![RuleId::from_text(rule)],
            place: None,
            origin: None,
            chosen: true,
        }
    }

    fn description(statements: Vec<Statement>, weights: &[(Field, f64)]) -> Description {
        let field_weights = weights.to_vec();
        Description { statements, field_weights, class: String::new(), trouble: None }
    }

    #[test]
    fn the_surer_one_is_believed() {
        let page = description(
            vec![
                said(Field::Title, "Gitter", 0.9, "dc"),
                said(Field::Author, "E. Meier", 0.5, "dc"),
                said(Field::Date, "1999", 0.8, "dc"),
                said(Field::Type, "article", 0.9, "type"),
            ],
            &[(Field::Title, 0.9), (Field::Author, 0.5), (Field::Date, 0.8), (Field::Type, 0.9)],
        );
        let mut own = description(
            vec![
                said(Field::Title, "Gittr", 0.6, "layout"),
                said(Field::Author, "Eva Meier", 0.7, "layout"),
            ],
            &[(Field::Title, 0.6), (Field::Author, 0.7)],
        );
        handed_on(&page, 0.9, "http://h.example/abstract").add_to(&mut own);
        let told: Vec<(&str, bool, &str)> = own
            .statements
            .iter()
            .map(|it| (it.value.as_str(), it.chosen, it.rules[0].as_str()))
            .collect();
        #[rustfmt::skip]
        assert_eq!(told, [
            ("Gitter",    true,  "landing-page"),
            ("Gittr",     false, "layout"),
            ("Eva Meier", true,  "layout"),
            ("E. Meier",  false, "landing-page"),
            ("1999",      true,  "landing-page"),
        ]);
        let percent = |(field, weight): &(Field, f64)| (*field, (weight * 100.0).round());
        let sure: Vec<(Field, f64)> = own.field_weights.iter().map(percent).collect();
        assert_eq!(sure, [(Field::Title, 81.0), (Field::Author, 70.0), (Field::Date, 72.0)]);
    }
}
