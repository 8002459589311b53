//! Questions in SQL: a box, the answer as a table, and beside it what can be asked.

mod schema;

use super::listing::{address, parameter};
use crate::look::{Section, empty_note};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_catalog::{
    AskError, AskLimits, AskedCell, AskedTable, Catalog, EXAMPLE_QUESTIONS, MAX_STATEMENT,
};
use auslese_statistics::{Cell, Table};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};
use schema::{Listed, listed};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How much longer than the engine may take a reader waits, before the question is left to itself.
const GRACE: Duration = Duration::from_secs(1);

#[derive(Debug, Serialize)]
struct SqlPage {
    harvest: String,
    title: String,
    sql: String,
    answer: Option<Answer>,
    error: Option<Wrong>,
    row_limit: usize,
    time_limit_seconds: f64,
    /// Tables and views with their columns.
    schema: Vec<Listed>,
}

#[derive(Debug, Serialize)]
struct Answer {
    took_milliseconds: f64,
    #[serde(flatten)]
    table: AskedTable,
}

/// What is wrong with a question, in both languages.
#[derive(Debug, Serialize)]
struct Wrong {
    english: String,
    german: String,
}

pub(crate) async fn sql(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let no_page = || {
        Problem::not_found(
            "There is no page for SQL here.",
            "Eine Seite für SQL gibt es hier nicht.",
        )
    };
    if !site.settings.sql_page {
        return Err(no_page());
    }
    let harvest = site.harvest(&name)?;
    if !harvest.takes_sql() {
        return Err(no_page());
    }
    let statement = parameter(&parameters, "sql").unwrap_or_default().trim().to_owned();
    let (answer, error) = match statement.as_str() {
        "" => (None, None),
        statement => match asked(&site, &harvest, statement).await? {
            Ok(answer) => (Some(answer), None),
            Err(error) => (None, Some(in_words(error)?)),
        },
    };
    let is_wrong = error.is_some();
    let page = SqlPage {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        sql: statement,
        answer,
        error,
        row_limit: site.settings.sql_rows,
        time_limit_seconds: site.settings.sql_time.as_secs_f64(),
        schema: listed(harvest.catalog.columns().await?),
    };
    let mut response = view.answer(&page);
    if is_wrong {
        *response.status_mut() = StatusCode::BAD_REQUEST;
    }
    Ok(response)
}

/// Asks in a task of its own: a statement that the engine cannot stop at once keeps its place until it has ended, so
/// that there are never more than a few.
async fn asked(
    site: &Site,
    harvest: &Harvest,
    statement: &str,
) -> Result<Result<Answer, AskError>, Problem> {
    let settings = &site.settings;
    let Ok(place) = site.asking.clone().try_acquire_owned() else {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "Others are asking in SQL at the moment. Try again soon.",
            "Gerade fragen andere mit SQL. Versuchen Sie es gleich noch einmal.",
        ));
    };
    let limits =
        AskLimits { rows: settings.sql_rows, time: settings.sql_time, ..AskLimits::default() };
    let (catalog, statement, url): (Catalog, _, _) =
        (harvest.catalog.clone(), statement.to_owned(), harvest.sql_url.clone());
    let begun = Instant::now();
    let asking = tokio::spawn(async move {
        let answer = catalog.ask(&statement, &limits, url.as_deref()).await;
        drop(place);
        answer
    });
    match tokio::time::timeout(settings.sql_time + GRACE, asking).await {
        Err(_) => Ok(Err(AskError::TooLong)),
        Ok(Err(lost)) => Err(Problem::internal("a question in SQL", &lost)),
        Ok(Ok(answer)) => {
            let took_milliseconds = begun.elapsed().as_secs_f64() * 1000.0;
            Ok(answer.map(|table| Answer { took_milliseconds, table }))
        }
    }
}

fn in_words(error: AskError) -> Result<Wrong, Problem> {
    let (english, german) = match &error {
        AskError::Empty => ("There is no statement.".to_owned(), "Da ist keine Anweisung.".to_owned()),
        AskError::Long => (
            format!("The statement is longer than {MAX_STATEMENT} bytes."),
            format!("Die Anweisung ist länger als {MAX_STATEMENT} Bytes."),
        ),
        AskError::Several => (
            "One statement at a time, please.".to_owned(),
            "Bitte eine Anweisung auf einmal.".to_owned(),
        ),
        AskError::Unended => (
            "A quotation or comment has no end.".to_owned(),
            "Eine Zeichenkette oder ein Kommentar hat kein Ende.".to_owned(),
        ),
        AskError::NotReading { word } => (
            format!("A statement begins with SELECT, WITH, VALUES or EXPLAIN, not with {word}: this page is for reading."),
            format!("Eine Anweisung beginnt mit SELECT, WITH, VALUES oder EXPLAIN, nicht mit {word}: Diese Seite ist zum Lesen da."),
        ),
        AskError::Forbidden { word } => (
            format!("{word} cannot be used here."),
            format!("{word} kann hier nicht verwendet werden."),
        ),
        AskError::Engine { words } => {
            (format!("The database says: {words}"), format!("Die Datenbank sagt: {words}"))
        }
        AskError::TooLong => (
            "That took too long and was stopped. Ask for less, or by a column with an index.".to_owned(),
            "Das dauerte zu lange und wurde abgebrochen. Fragen Sie nach weniger, oder nach einer Spalte mit Index.".to_owned(),
        ),
        AskError::NotOffered | AskError::Catalog(_) => {
            return Err(match error {
                AskError::Catalog(error) => error.into(),
                other => Problem::internal("a question in SQL", &other),
            });
        }
    };
    Ok(Wrong { english, german })
}

impl Page for SqlPage {
    fn section(&self) -> Section {
        Section::Sql
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Questions in SQL", "Fragen in SQL"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            h1 { (self.title(view)) }
            div .asking {
                section {
                    form .sql action={ "/sql/" (self.harvest) } {
                        label for="sql" { (view.say("One statement that reads; it changes nothing", "Eine Anweisung, die liest; sie ändert nichts")) }
                        textarea #sql name="sql" rows="7" spellcheck="false" autocomplete="off" placeholder="SELECT …" { (self.sql) }
                        p {
                            button { (view.say("Ask", "Fragen")) } " "
                            span .soft {
                                (view.say("at most ", "höchstens ")) (view.tongue.number(self.row_limit as u64)) (view.say(" rows and ", " Zeilen und "))
                                (view.tongue.decimal(self.time_limit_seconds, 0)) (view.say(" seconds", " Sekunden"))
                            }
                        }
                    }
                    @if let Some(error) = &self.error { p .note .wrong role="alert" { (view.say(&error.english, &error.german)) } }
                    @if let Some(answer) = &self.answer { (answer.markup(view)) }
                    @if self.sql.is_empty() || self.error.is_some() { (self.examples(view)) }
                }
                aside aria-label=(view.say("Tables and columns", "Tabellen und Spalten")) { (self.schema(view)) }
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        let answer = self.answer.as_ref()?;
        // Heads of other tables are words of the program; these come with the question.
        let head: Vec<Cell> = answer.table.columns.iter().cloned().map(Cell::Text).collect();
        let rows = answer.table.rows.iter().map(|row| row.iter().map(csv_cell).collect());
        let table = Table {
            name: "answer",
            title: "Answer",
            head: Vec::new(),
            rows: std::iter::once(head).chain(rows).collect(),
        };
        // Without a head the first line is empty.
        Some(("answer".to_owned(), table.csv().trim_start_matches("\r\n").to_owned()))
    }
}

fn csv_cell(cell: &AskedCell) -> Cell {
    match cell {
        AskedCell::Null => Cell::Empty,
        AskedCell::Number(number) => match u64::try_from(*number) {
            Ok(count) => Cell::Count(count),
            Err(_) => Cell::Text(number.to_string()),
        },
        AskedCell::Fraction(fraction) => Cell::Number(*fraction),
        AskedCell::Text(text) => Cell::Text(text.clone()),
        AskedCell::Bytes(length) => Cell::Text(format!("{length} bytes")),
    }
}

impl Answer {
    fn markup(&self, view: &View) -> Markup {
        let number = |number: usize| view.tongue.number(number as u64);
        let table = &self.table;
        html! {
            p .soft role="status" {
                (number(table.rows.len())) " " (if table.rows.len() == 1 { view.say("row", "Zeile") } else { view.say("rows", "Zeilen") })
                @if table.cut { (view.say(", and there are more", ", und es gibt mehr")) }
                " · " (view.tongue.decimal(self.took_milliseconds, 1)) " ms"
                @if table.shortened > 0 { " · " (view.tongue.number(table.shortened)) (view.say(" long values were shortened", " lange Werte sind gekürzt")) }
                " · " a href=(view.here_with(crate::view::FORMAT, Some("csv"))) { "CSV" }
                " · " a href=(view.here_with(crate::view::FORMAT, Some("json"))) { "JSON" }
            }
            @if table.rows.is_empty() {
                (empty_note(view.say("The answer has no rows.", "Die Antwort hat keine Zeilen.")))
            } @else {
                div .scroll tabindex="0" { table .answer {
                    thead { tr { @for (column, name) in table.columns.iter().enumerate() { th .right[table.is_numeric(column)] { (name) } } } }
                    tbody {
                        @for row in &table.rows { tr {
                            @for (column, cell) in row.iter().enumerate() { td .right[table.is_numeric(column)] { (cell_markup(view, cell)) } }
                        } }
                    }
                } }
            }
        }
    }
}

fn cell_markup(view: &View, cell: &AskedCell) -> Markup {
    html! {
        @match cell {
            AskedCell::Null => span .soft { "NULL" },
            AskedCell::Number(number) => (number),
            AskedCell::Fraction(fraction) => (fraction),
            AskedCell::Text(text) => (text),
            AskedCell::Bytes(length) => span .soft { (view.tongue.number(*length as u64)) " " (view.say("bytes", "Bytes")) },
        }
    }
}

impl SqlPage {
    fn examples(&self, view: &View) -> Markup {
        html! {
            h2 { (view.say("Examples", "Beispiele")) }
            ul .plain .examples {
                @for example in &EXAMPLE_QUESTIONS {
                    li {
                        a href=(address(&format!("/sql/{}", self.harvest), &[("sql", example.sql)])) { (view.say(example.english, example.german)) }
                        pre { (example.sql) }
                    }
                }
            }
        }
    }

    fn schema(&self, view: &View) -> Markup {
        html! {
            h2 { (view.say("Views for reading", "Sichten zum Lesen")) }
            (self.listed(view, true))
            details .tables {
                summary { (view.say("Tables behind them", "Tabellen dahinter")) }
                (self.listed(view, false))
            }
        }
    }

    fn listed(&self, view: &View, are_views: bool) -> Markup {
        html! {
            @for listed in self.schema.iter().filter(|listed| listed.is_view == are_views) {
                details .facet {
                    summary { code { (listed.name) } }
                    @if let Some((english, german)) = listed.about() { p .soft { (view.say(english, german)) } }
                    p .columns-of { @for column in &listed.columns { code { (column) } " " } }
                }
            }
        }
    }
}
