//! What is near a document: copies, parts of the same logical document, full texts, citations, and documents alike.

use super::head::{Head, Side};
use super::subject::Subject;
use super::words;
use crate::desk::hit_page;
use crate::look::{Section, empty_note, weight_bar};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_catalog::{BriefDocument, DocumentFilter};
use auslese_model::{Keeping, RequestId, RunId};
use auslese_search::{HitKey, SimilarRequest};
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Documents of one kind of nearness that are shown.
pub(crate) const MAX_RELATED: usize = 100;
/// Documents alike that are looked for.
const SIMILAR: usize = 12;
/// Steps along references within which documents are neighbours.
const NEIGHBOUR_STEPS: usize = 2;
/// What being cited, or citing, is worth beside words that are alike.
const NEIGHBOUR_BOOST: f64 = 1.4;

#[derive(Debug, Serialize)]
struct Related {
    #[serde(flatten)]
    head: Head,
    groups: Vec<Group>,
    bibliography: Vec<Entry>,
    similar: Vec<Near>,
    /// Why there is nothing alike.
    similar_note: Option<(String, String)>,
}

/// Documents that are near in one way.
#[derive(Debug, Serialize)]
struct Group {
    kind: Nearness,
    documents: Vec<Near>,
    /// Whether there are more.
    is_cut: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Nearness {
    CopyOf,
    Copies,
    NearCopies,
    LogicalDocument,
    FullTexts,
    LandingPages,
    CitedBy,
    CitationNeighbours,
}

#[derive(Debug, Serialize)]
struct Near {
    page: String,
    url: String,
    title: Option<String>,
    keeping: Option<Keeping>,
    /// How near, from 0 to 1, where that is known.
    score: Option<f64>,
    note: Option<String>,
}

/// An entry of the bibliography.
#[derive(Debug, Serialize)]
struct Entry {
    number: u64,
    text: String,
    cited: Option<Near>,
}

/// Documents of a group before they have titles: number, score, note.
type Found = Vec<(RequestId, Option<f64>, Option<String>)>;

pub(super) async fn related(
    State(site): State<Arc<Site>>,
    view: View,
    subject: Subject,
) -> Result<Response, Problem> {
    let run = subject.described.as_ref().map(|listed| listed.run);
    let mut found = catalogued(&subject).await?;
    let (entries, neighbours) = citations(&subject, run, &mut found).await?;
    let all: BTreeSet<RequestId> = found
        .iter()
        .flat_map(|(_, documents)| documents.iter().take(MAX_RELATED).map(|it| it.0))
        .chain(
            entries.iter().filter_map(|entry| entry.cited.as_ref()).map(|(cited, _)| cited.request),
        )
        .collect();
    let all: Vec<RequestId> = all.into_iter().collect();
    let brief = subject.harvest.catalog.brief_documents(&all, run).await?;
    let groups = found.into_iter().filter(|(_, documents)| !documents.is_empty());
    let groups = groups.map(|(kind, documents)| Group {
        kind,
        is_cut: documents.len() > MAX_RELATED,
        documents: documents
            .into_iter()
            .take(MAX_RELATED)
            .filter_map(|(request, score, note)| Near::of(&subject, &brief, request, score, note))
            .collect(),
    });
    let groups = groups.collect();
    let bibliography = entries.into_iter().map(|entry| Entry {
        number: entry.entry,
        text: entry.text,
        cited: entry.cited.and_then(|(cited, _)| {
            Near::of(&subject, &brief, cited.request, Some(cited.score), None)
        }),
    });
    let bibliography = bibliography.collect();
    let (similar, similar_note) = similar(&site, &subject, neighbours).await?;
    let head = Head::of(&subject);
    Ok(view.answer(&Related { head, groups, bibliography, similar, similar_note }))
}

/// Copies, parts and full texts, as the catalog has them.
async fn catalogued(subject: &Subject) -> Result<Vec<(Nearness, Found)>, Problem> {
    let (catalog, id) = (&subject.harvest.catalog, subject.id());
    let document = subject.listed.as_ref().map(|listed| &listed.document);
    let mut found = Vec::new();
    let copied = document.and_then(|document| document.duplicate_of);
    found.push((Nearness::CopyOf, copied.map(|of| (of, None, None)).into_iter().collect()));
    let filters = [
        (
            Nearness::Copies,
            Some(id)
                .filter(|_| copied.is_none())
                .map(|id| DocumentFilter { duplicate_of: Some(id), ..DocumentFilter::default() }),
        ),
        (
            Nearness::NearCopies,
            document.and_then(|it| it.near).map(|(of, _)| DocumentFilter {
                near_original: Some(of),
                ..DocumentFilter::default()
            }),
        ),
        (
            Nearness::LogicalDocument,
            document
                .and_then(|it| it.logical)
                .map(|of| DocumentFilter { logical: Some(of), ..DocumentFilter::default() }),
        ),
    ];
    for (kind, filter) in filters {
        let Some(filter) = filter else { continue };
        let listed = catalog.documents(&filter, RequestId(0), MAX_RELATED + 2).await?;
        let score = |near: Option<(RequestId, f64)>| {
            near.filter(|_| kind == Nearness::NearCopies).map(|it| it.1)
        };
        let mut documents: Found = listed
            .into_iter()
            .filter(|listed| listed.document.request != id || kind == Nearness::LogicalDocument)
            .map(|listed| (listed.document.request, score(listed.document.near), None))
            .collect();
        // A cluster may name its original without listing it.
        let first = filter.near_original.or(filter.logical);
        if let Some(first) =
            first.filter(|first| *first != id && !documents.iter().any(|it| it.0 == *first))
        {
            documents.insert(0, (first, None, None));
        }
        found.push((kind, documents));
    }
    let full = catalog.full_texts_of(id).await?;
    found.push((
        Nearness::FullTexts,
        full.into_iter().map(|it| (it.target, None, Some(it.evidence))).collect(),
    ));
    let landing = catalog.landing_pages_of(id).await?;
    found.push((
        Nearness::LandingPages,
        landing.into_iter().map(|it| (it.page, None, Some(it.evidence))).collect(),
    ));
    Ok(found)
}

type Neighbours = Vec<(u64, f64)>;

/// The bibliography, who cites the document, and who is near along references; and what these are worth.
async fn citations(
    subject: &Subject,
    run: Option<RunId>,
    found: &mut Vec<(Nearness, Found)>,
) -> Result<(Vec<auslese_catalog::CitationEntry>, Neighbours), Problem> {
    let (catalog, id) = (&subject.harvest.catalog, subject.id());
    let Some(run) = run else { return Ok((Vec::new(), Vec::new())) };
    let mut entries = match &subject.described {
        Some(described) => catalog.citations_of(run, described.described.capture).await?,
        None => Vec::new(),
    };
    entries.truncate(MAX_RELATED * 5);
    let cited_by = catalog.cited_by(run, id).await?;
    let cited_by: Found =
        cited_by.into_iter().map(|edge| (edge.citing, Some(edge.cited.score), None)).collect();
    let neighbours = catalog.citation_neighbours(run, id, NEIGHBOUR_STEPS).await?.documents;
    let boosts = neighbours.iter().map(|near| {
        let worth = 1.0 + (NEIGHBOUR_BOOST - 1.0) / near.distance.max(1) as f64;
        (HitKey::Document(near.request).key(), worth)
    });
    let boosts = boosts.collect();
    let further: Found = neighbours
        .iter()
        .filter(|near| near.distance > 1)
        .map(|near| (near.request, None, None))
        .collect();
    found.push((Nearness::CitedBy, cited_by));
    found.push((Nearness::CitationNeighbours, further));
    Ok((entries, boosts))
}

/// Documents alike by their words; an index that is missing is no reason to show nothing.
async fn similar(
    site: &Arc<Site>,
    subject: &Subject,
    boosts: Neighbours,
) -> Result<(Vec<Near>, Option<(String, String)>), Problem> {
    let note = |problem: Problem| Ok((Vec::new(), Some((problem.english, problem.german))));
    let desk = match site.desk().await {
        Ok(desk) => desk,
        Err(problem) => return note(problem),
    };
    let Some(index) = desk.index_of(&subject.harvest) else {
        return note(auslese_search::SearchError::NoDocument { key: 0 }.into());
    };
    let request =
        SimilarRequest { index, key: HitKey::Document(subject.id()).key(), limit: SIMILAR, boosts };
    let hits = site.work(move || {
        let hits = desk.searcher.similar(&request)?;
        // References are worth something beyond the scale of words.
        let top = hits.iter().map(|hit| hit.score).fold(1.0, f64::max);
        let near = hits.into_iter().map(|hit| Near {
            page: hit_page(&desk.harvest_of(hit.index).name, HitKey::of(hit.key)),
            url: hit.id,
            title: Some(hit.title).filter(|title| !title.trim().is_empty()),
            keeping: Keeping::parse(hit.document.kept.as_str()),
            score: Some(hit.score / top),
            note: None,
        });
        Ok::<Vec<Near>, auslese_search::SearchError>(near.collect())
    });
    match hits.await? {
        Ok(near) => Ok((near, None)),
        Err(error) => note(error.into()),
    }
}

impl Nearness {
    fn name(self, view: &View) -> &'static str {
        match self {
            Nearness::CopyOf => view.say("Exact copy of", "Genaue Kopie von"),
            Nearness::Copies => view.say("Exact copies", "Genaue Kopien"),
            Nearness::NearCopies => view.say("Nearly the same", "Fast gleich"),
            Nearness::LogicalDocument => {
                view.say("Parts of the same document", "Teile desselben Dokuments")
            }
            Nearness::FullTexts => {
                view.say("Full texts it announces", "Volltexte, die es ankündigt")
            }
            Nearness::LandingPages => {
                view.say("Pages that announce it", "Seiten, die es ankündigen")
            }
            Nearness::CitedBy => view.say("Cited by", "Zitiert von"),
            Nearness::CitationNeighbours => view.say("Near along references", "Nah über Zitate"),
        }
    }
}

impl Near {
    fn of(
        subject: &Subject,
        brief: &BTreeMap<RequestId, BriefDocument>,
        request: RequestId,
        score: Option<f64>,
        note: Option<String>,
    ) -> Option<Near> {
        let brief = brief.get(&request)?;
        Some(Near {
            page: format!("/doc/{}/{}", subject.harvest.name, request.0),
            url: brief.url.clone(),
            title: brief.title.clone(),
            keeping: brief.keeping,
            score,
            note,
        })
    }

    fn link(&self) -> Markup {
        html! {
            a href=(self.page) { (self.title.as_deref().unwrap_or(&self.url)) }
            @if self.title.is_some() { br; small { (self.url) } }
            @if let Some(note) = &self.note { br; small lang="en" { (note) } }
        }
    }
}

fn list(view: &View, documents: &[Near]) -> Markup {
    let has_scores = documents.iter().any(|near| near.score.is_some());
    html! {
        table .near {
            tbody { @for near in documents {
                tr {
                    td .break { (near.link()) }
                    @if has_scores { td { @if let Some(score) = near.score { (weight_bar(view, score)) } } }
                    td { @if let Some(keeping) = near.keeping { @let (colour, name) = words::keeping(view, keeping); span class={ "tag " (colour) } { (name) } } }
                }
            } }
        }
    }
}

impl Related {
    fn bibliography(&self, view: &View) -> Markup {
        let known = self.bibliography.iter().filter(|entry| entry.cited.is_some()).count();
        html! {
            @if !self.bibliography.is_empty() {
                section {
                    h2 { (view.say("It cites", "Es zitiert")) " " small { (self.bibliography.len()) " " (view.say("entries, of the harvest: ", "Einträge, davon aus der Ernte: ")) (known) } }
                    ol .bibliography { @for entry in &self.bibliography {
                        li value=(entry.number) {
                            (entry.text)
                            @if let Some(cited) = &entry.cited { div .cited { "→ " a href=(cited.page) { (cited.title.as_deref().unwrap_or(&cited.url)) } @if let Some(score) = cited.score { " " (weight_bar(view, score)) } } }
                        }
                    } }
                }
            }
        }
    }
}

impl Page for Related {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        self.head.window_title(view, Side::Related)
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            (self.head.markup(view, Side::Related))
            @for group in &self.groups {
                section {
                    h2 { (group.kind.name(view)) }
                    (list(view, &group.documents))
                    @if group.is_cut { p .soft { (view.say("There are more.", "Es gibt weitere.")) } }
                }
            }
            (self.bibliography(view))
            section {
                h2 { (view.say("Documents alike", "Ähnliche Dokumente")) }
                @if let Some((english, german)) = &self.similar_note { (empty_note(view.say(english, german))) }
                @else if self.similar.is_empty() { (empty_note(view.say("Nothing in the harvest is like it.", "Nichts in der Ernte ist ihm ähnlich."))) }
                @else { (list(view, &self.similar)) }
            }
        }
    }
}
