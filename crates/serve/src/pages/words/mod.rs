//! Words in their contexts, counted: concordances, frequencies, collocations, curves over time.
//!
//! Counting reads texts, and a harvest may have more than can be read while somebody waits. So a page reads for a moment
//! and says how far it came; whoever wants the whole asks for it, and waits.

mod question;
mod render;

use crate::desk::{Desk, hit_page};
use crate::look::Section;
use crate::pages::search::query_problem;
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_inquiry::{Counted, count_until, document_of_key};
use auslese_kwic::{
    CollocationOptions, CollocationTable, ConcordancePage, CurveTable, Field, FrequencyList,
    GroupTable, LiteralPlace, NodeQuery, Sheet,
};
use auslese_search::SearchError;
use auslese_statistics::{Cell, Table};
use auslese_words::{StemLanguage, stop_words};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::Markup;
use question::{Kind, Question};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long texts are read if nobody asked for all of them.
const GLANCE: Duration = Duration::from_millis(40);
/// How long they are read if somebody did; below the time that an answer may take.
const THOROUGH: Duration = Duration::from_secs(45);

#[derive(Debug, Serialize)]
struct WordsPage {
    question: Question,
    /// None if nothing was asked yet.
    result: Option<WordsResult>,
    /// Whether all documents were read; otherwise the first, by their numbers.
    is_complete: bool,
    /// Only documents with the words were read, so there is no size to compare with.
    only_with_words: bool,
    documents_in_all: u64,
    took_milliseconds: f64,
    /// The harvest of each index, to lead from a line to its document.
    harvests: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum WordsResult {
    Concordance(ConcordancePage),
    Frequencies(FrequencyList),
    Collocations(CollocationTable),
    Curve(CurveTable),
    Groups(GroupTable),
}

pub(crate) async fn concordance(
    state: State<Arc<Site>>,
    view: View,
    parameters: Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    page(Kind::Concordance, state, view, parameters).await
}

pub(crate) async fn counted(
    state: State<Arc<Site>>,
    view: View,
    Path(kind): Path<String>,
    parameters: Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let kind = Kind::of_tag(&kind).ok_or_else(|| {
        Problem::not_found("There is no such page.", "Diese Seite gibt es nicht.")
    })?;
    page(kind, state, view, parameters).await
}

async fn page(
    kind: Kind,
    State(site): State<Arc<Site>>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let question = Question::read(kind, &parameters)?;
    let desk = site.desk().await?;
    let page = site.work(move || answer(&desk, question)).await??;
    Ok(view.answer(&page))
}

fn answer(desk: &Desk, question: Question) -> Result<WordsPage, Problem> {
    let begun = Instant::now();
    let harvests = desk.harvests.iter().map(|harvest| harvest.name.clone()).collect();
    let documents_in_all = desk.searcher.documents_in_all();
    let mut page = WordsPage {
        question,
        result: None,
        is_complete: true,
        only_with_words: false,
        documents_in_all,
        took_milliseconds: 0.0,
        harvests,
    };
    if !page.question.is_asked() {
        return Ok(page);
    }
    let queries = page.question.parsed()?;
    let mut request = page.question.selection.request();
    if page.question.kind == Kind::Concordance {
        request.containing = words_needed(&queries);
        page.only_with_words = !request.containing.is_empty();
    }
    let query_failed = |error| match error {
        SearchError::Query(error) => {
            query_problem(&error, page.question.selection.query.as_deref().unwrap_or_default())
        }
        other => Problem::from(other),
    };
    let documents = desk.searcher.documents(&request).map_err(query_failed)?;
    let time = if page.question.thorough { THOROUGH } else { GLANCE };
    let (counted, is_complete) = count_until(
        documents,
        &queries,
        &page.question.wanted(),
        page.question.reading_rule(),
        Some(begun + time),
    )
    .map_err(query_failed)?;
    page.result = Some(page.question.finished(counted));
    page.is_complete = is_complete;
    page.took_milliseconds = begun.elapsed().as_secs_f64() * 1000.0;
    Ok(page)
}

/// Words of which every text with a hit has one, as the index finds them; none if that cannot be said.
fn words_needed(queries: &[NodeQuery]) -> Vec<String> {
    let [query] = queries else { return Vec::new() };
    let clauses = query.required();
    let whole = clauses.iter().filter(|clause| {
        clause.iter().all(|it| it.place == LiteralPlace::Whole && it.words().len() == 1)
    });
    let strictest = whole.min_by_key(|clause| clause.len());
    strictest
        .map(|clause| clause.iter().map(|literal| literal.folded.clone()).collect())
        .unwrap_or_default()
}

impl Question {
    fn finished(&self, counted: Counted) -> WordsResult {
        match counted {
            Counted::Lines(lines) => WordsResult::Concordance(lines.finish()),
            Counted::Forms(forms) => WordsResult::Frequencies(forms.list(self.min, self.rows)),
            Counted::Groups(groups) => {
                let mut table = groups.finish();
                table.rows.truncate(self.rows);
                WordsResult::Groups(table)
            }
            Counted::Curve(curve) => WordsResult::Curve(curve.finish(self.smooth)),
            Counted::Collocations(collocations) => {
                let stop_words = if self.no_stop_words {
                    let languages = StemLanguage::ALL.into_iter();
                    languages.flat_map(stop_words).map(str::to_owned).collect()
                } else {
                    Vec::new()
                };
                WordsResult::Collocations(collocations.finish(&CollocationOptions {
                    measure: self.measure(),
                    min_together: self.min,
                    stop_words,
                    limit: self.rows,
                    ..CollocationOptions::default()
                }))
            }
        }
    }
}

impl WordsResult {
    fn sheet(&self) -> Sheet {
        match self {
            WordsResult::Concordance(page) => page.sheet(),
            WordsResult::Frequencies(list) => list.sheet(),
            WordsResult::Collocations(table) => table.sheet(),
            WordsResult::Curve(table) => table.sheet(),
            WordsResult::Groups(table) => table.sheet(),
        }
    }
}

impl Page for WordsPage {
    fn section(&self) -> Section {
        Section::Words
    }

    fn title(&self, view: &View) -> String {
        let kind = self.question.kind.name(view);
        match self.question.q.as_str() {
            "" => kind.to_owned(),
            q => format!("{q} – {kind}"),
        }
    }

    fn body(&self, view: &View) -> Markup {
        render::body(view, self)
    }

    fn csv(&self) -> Option<(String, String)> {
        let sheet = self.result.as_ref()?.sheet();
        let cell = |field: &Field| match field {
            Field::Text(text) => Cell::Text(text.clone()),
            Field::Count(count) => Cell::Count(*count),
            Field::Number(number) => Cell::Number(*number),
            Field::Missing => Cell::Missing,
        };
        let rows = sheet.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
        let name = self.question.kind.tag();
        let table = Table { name, title: name, head: sheet.head, rows };
        Some((name.to_owned(), table.csv()))
    }
}

impl WordsPage {
    /// The page of the document that a line is of.
    fn document_page(&self, key: &str) -> Option<String> {
        let (index, document) = document_of_key(key)?;
        Some(hit_page(self.harvests.get(index)?, document))
    }
}
