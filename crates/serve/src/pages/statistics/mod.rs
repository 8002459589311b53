//! Statistics: the tables of the harvest in chapters, each with its chart, and how it changed from round to round.

mod balance;
mod charts;
mod counting;
mod rounds;
mod stacked;
mod words;

use super::listing::parameter;
use crate::ledger::{Counted, Reading};
use crate::look::{Section, breadcrumbs, date_time, empty_note, tabs};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_model::Timestamp;
use auslese_statistics::{Cell, NAMES, Table};
use axum::extract::{Path, Query, State};
use axum::http::header::{HeaderName, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use counting::TABLE_ROWS;
use maud::{Markup, html};
use serde::{Serialize, Serializer};
use std::sync::Arc;
use words::{CHAPTERS, Chapter, TableWords, head, word};

/// Browsers come back by themselves after some seconds.
const REFRESH: HeaderName = HeaderName::from_static("refresh");

/// A table of a harvest, or the beginning of all.
#[derive(Debug, Serialize)]
struct TablePage {
    harvest: String,
    title: String,
    table: &'static str,
    /// Names of all tables.
    tables: &'static [&'static str],
    counted_at: Option<String>,
    /// It is being counted for the first time; ask again.
    counting: bool,
    #[serde(serialize_with = "as_rows")]
    rows: Option<Arc<Counted<Table>>>,
    /// Whether the overview of all tables stands below.
    #[serde(skip)]
    is_overview: bool,
}

fn as_rows<S: Serializer>(
    counted: &Option<Arc<Counted<Table>>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    counted.as_ref().map(|counted| counted.value.json()).serialize(serializer)
}

/// All tables; the one of the paper stands first.
pub(crate) async fn statistics(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let reading = counting::table(&site, &harvest, "institutions").await?;
    Ok(answer(&view, TablePage::new(&harvest, "institutions", reading, true)))
}

/// One table.
pub(crate) async fn statistics_table(
    State(site): State<Arc<Site>>,
    Path((name, table)): Path<(String, String)>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let Some(table) = NAMES.iter().find(|known| **known == table) else {
        return Err(Problem::not_found("There is no such table.", "Diese Tabelle gibt es nicht."));
    };
    if *table == "rounds" {
        let round = parameter(&parameters, "round");
        return rounds::answer(&site, &harvest, &view, round).await;
    }
    let reading = counting::table(&site, &harvest, table).await?;
    Ok(answer(&view, TablePage::new(&harvest, table, reading, false)))
}

fn answer(view: &View, page: TablePage) -> Response {
    let counting = page.counting;
    with_patience(view.answer(&page), counting)
}

/// Lets the reader come back if something is still being counted.
fn with_patience(mut response: Response, counting: bool) -> Response {
    if counting {
        *response.status_mut() = StatusCode::ACCEPTED;
        response.headers_mut().insert(REFRESH, HeaderValue::from_static("1"));
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

impl TablePage {
    fn new(
        harvest: &Harvest,
        table: &'static str,
        reading: Reading<Table>,
        is_overview: bool,
    ) -> TablePage {
        let counted = match reading {
            Reading::Ready(counted) => Some(counted),
            Reading::Counting => None,
        };
        let at = counted.as_ref().map(|counted| counted.at);
        TablePage {
            harvest: harvest.name.clone(),
            title: harvest.title.clone(),
            table,
            tables: NAMES,
            counted_at: at.map(Timestamp::to_second_text),
            counting: counted.is_none(),
            rows: counted,
            is_overview,
        }
    }

    fn words(&self) -> Option<&'static TableWords> {
        TableWords::of(self.table)
    }
}

impl Page for TablePage {
    fn section(&self) -> Section {
        Section::Statistics
    }

    fn title(&self, view: &View) -> String {
        match (self.is_overview, self.words()) {
            (false, Some(words)) => format!("{} – {}", words.title(view), self.title),
            _ => format!("{} – {}", self.title, view.say("Statistics", "Statistik")),
        }
    }

    fn body(&self, view: &View) -> Markup {
        let title = self.words().map_or("", |words| words.title(view));
        html! {
            @if self.is_overview {
                h1 { (self.title(view)) }
                h2 { (title) }
            } @else {
                (steps(view, &self.harvest, &self.title, title))
                h1 { (title) }
                (neighbours(view, &self.harvest, self.table))
            }
            @if let Some(words) = self.words() { p .soft { (words.about(view)) } }
            @match &self.rows {
                None => (being_counted(view)),
                Some(counted) => {
                    @if let Some(chart) = charts::chart(view, &counted.value) { div .sheet .figure { (chart) } }
                    (table_markup(view, &counted.value))
                    (counted_note(view, counted.at, counted.value.rows.len()))
                },
            }
            @if self.is_overview { (overview(view, &self.harvest)) }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        self.rows.as_ref().map(|counted| (self.table.to_owned(), counted.value.csv()))
    }
}

fn steps(view: &View, harvest: &str, title: &str, here: &str) -> Markup {
    let mut steps = Vec::new();
    if view.site.harvests.len() > 1 {
        steps.push((view.say("Harvests", "Ernten").to_owned(), "/statistics".to_owned()));
    }
    steps.push((title.to_owned(), format!("/statistics/{harvest}")));
    breadcrumbs(view, &steps, here)
}

/// The tables of the same chapter.
fn neighbours(view: &View, harvest: &str, table: &str) -> Markup {
    let chapter = CHAPTERS.iter().find(|chapter| chapter.tables.contains(&table));
    let tab = |name: &&str| {
        let words = TableWords::of(name)?;
        Some((
            words.title(view).to_owned(),
            format!("/statistics/{harvest}/{name}"),
            *name == table,
        ))
    };
    let all =
        chapter.map_or_else(Vec::new, |chapter| chapter.tables.iter().filter_map(tab).collect());
    tabs(chapter.map_or("", |chapter| chapter.title(view)), &all)
}

fn overview(view: &View, harvest: &str) -> Markup {
    html! {
        h2 { (view.say("All tables", "Alle Tabellen")) }
        div .cards {
            @for chapter in &CHAPTERS {
                section .sheet {
                    h3 { (chapter.title(view)) }
                    ul .plain { @for words in tables_of(chapter) {
                        li { a href={ "/statistics/" (harvest) "/" (words.name) } { (words.title(view)) } br; small { (words.about(view)) } }
                    } }
                }
            }
        }
    }
}

fn tables_of(chapter: &Chapter) -> impl Iterator<Item = &'static TableWords> {
    chapter.tables.iter().filter_map(|name| TableWords::of(name))
}

fn being_counted(view: &View) -> Markup {
    html! {
        p .empty role="status" {
            (view.say("This is being counted. The page comes back by itself in a moment.", "Das wird gerade gezählt. Die Seite kommt gleich von selbst wieder."))
        }
    }
}

fn counted_note(view: &View, at: Timestamp, rows: usize) -> Markup {
    html! {
        p .soft {
            (view.say("Counted ", "Gezählt ")) (date_time(at))
            @if rows >= TABLE_ROWS { " · " (view.say("the most frequent ", "die häufigsten ")) (TABLE_ROWS) }
        }
    }
}

fn table_markup(view: &View, table: &Table) -> Markup {
    html! {
        @if table.rows.is_empty() {
            (empty_note(view.say("There is nothing to count.", "Es gibt nichts zu zählen.")))
        } @else {
            div .scroll tabindex="0" { table .numbers {
                thead { tr {
                    @for (column, name) in table.head.iter().enumerate() { th .right[table.is_numeric(column)] { (head(view, name)) } }
                } }
                tbody {
                    @for row in &table.rows {
                        tr .sum[is_sum(row)] {
                            @for (column, cell) in row.iter().enumerate() { td .right[table.is_numeric(column)] .break[matches!(cell, Cell::Text(_))] { (cell_markup(view, cell)) } }
                        }
                    }
                }
            } }
        }
    }
}

fn is_sum(row: &[Cell]) -> bool {
    matches!(row.first(), Some(Cell::Text(text)) if text == "all")
}

fn cell_markup(view: &View, cell: &Cell) -> Markup {
    html! {
        @match cell {
            Cell::Text(text) => (word(view, text)),
            Cell::Count(count) => (view.tongue.number(*count)),
            Cell::Bytes(bytes) => (view.tongue.size(*bytes)),
            Cell::Number(_) => { @let text = cell.text(); (if view.tongue.tag() == "de" { text.replace('.', ",") } else { text }) },
            Cell::Counts(counts) => ul .counts { @for (name, count) in counts { li { (name) " " span .soft .number { (view.tongue.number(*count)) } } } },
            Cell::Missing => "–",
            Cell::Empty => "",
        }
    }
}
