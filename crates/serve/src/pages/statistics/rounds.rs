//! How a harvest changed from round to round: what was new, changed or gone, and where.

use super::stacked::StackedBars;
use super::words::{TableWords, head};
use super::{
    being_counted, counted_note, counting, neighbours, steps, table_markup, with_patience,
};
use crate::ledger::{Counted, Reading};
use crate::look::{LineChart, Section, empty_note};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{Page, View};
use auslese_catalog::VersionChange;
use auslese_statistics::{Cell, Table};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

#[derive(Debug, Serialize)]
struct Rounds {
    harvest: String,
    title: String,
    table: &'static str,
    /// The round that is looked at more closely.
    round: Option<i64>,
    counting: bool,
    rows: Value,
    changes: Value,
    #[serde(skip)]
    rounds: Option<Arc<Counted<Table>>>,
    #[serde(skip)]
    of_round: Option<Arc<Counted<Table>>>,
}

/// The column of the first change in the table of rounds.
const FIRST_CHANGE: usize = 4;
/// What can be seen of a round beside what stayed the same.
const SHOWN: [VersionChange; 5] = [
    VersionChange::New,
    VersionChange::Changed,
    VersionChange::Markup,
    VersionChange::Vanished,
    VersionChange::Error,
];

pub(super) async fn answer(
    site: &Site,
    harvest: &Arc<Harvest>,
    view: &View,
    round: Option<&str>,
) -> Result<Response, Problem> {
    let rounds = ready(counting::table(site, harvest, "rounds").await?);
    let round = match (round, &rounds) {
        (Some(text), Some(rounds)) => Some(known_round(text, &rounds.value)?),
        (None, Some(rounds)) => rounds.value.rows.last().and_then(|row| number(row)),
        (_, None) => None,
    };
    let of_round = match round {
        Some(round) => ready(counting::changes(site, harvest, round).await?),
        None => None,
    };
    let json = |counted: &Option<Arc<Counted<Table>>>| {
        counted.as_ref().map_or(Value::Null, |it| it.value.json())
    };
    let page = Rounds {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        table: "rounds",
        round,
        counting: rounds.is_none() || round.is_some() && of_round.is_none(),
        rows: json(&rounds),
        changes: json(&of_round),
        rounds,
        of_round,
    };
    Ok(with_patience(view.answer(&page), page.counting))
}

fn ready(reading: Reading<Table>) -> Option<Arc<Counted<Table>>> {
    match reading {
        Reading::Ready(counted) => Some(counted),
        Reading::Counting => None,
    }
}

fn number(row: &[Cell]) -> Option<i64> {
    match row.first() {
        Some(Cell::Count(number)) => i64::try_from(*number).ok(),
        _ => None,
    }
}

fn known_round(text: &str, rounds: &Table) -> Result<i64, Problem> {
    let wanted = text.parse().ok();
    let known =
        rounds.rows.iter().filter_map(|row| number(row)).find(|round| Some(*round) == wanted);
    known.ok_or_else(|| Problem::not_found("There is no such round.", "Diese Runde gibt es nicht."))
}

impl Page for Rounds {
    fn section(&self) -> Section {
        Section::Statistics
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", view.say("Change over rounds", "Wandel über die Runden"), self.title)
    }

    fn body(&self, view: &View) -> Markup {
        let here = view.say("Change over rounds", "Wandel über die Runden");
        html! {
            (steps(view, &self.harvest, &self.title, here))
            h1 { (here) }
            (neighbours(view, &self.harvest, self.table))
            @if let Some(words) = TableWords::of(self.table) { p .soft { (words.about(view)) } }
            @match &self.rounds {
                None => (being_counted(view)),
                Some(rounds) if rounds.value.rows.is_empty() => (empty_note(view.say("There was no round yet.", "Es gab noch keine Runde."))),
                Some(rounds) => {
                    div .halves {
                        div .sheet .figure { h3 { (view.say("What changed", "Was sich änderte")) } (changes_chart(view, &rounds.value)) }
                        div .sheet .figure { h3 { (view.say("Words in the corpus", "Wörter im Korpus")) } (words_chart(view, &rounds.value)) }
                    }
                    (self.rounds_table(view, &rounds.value))
                    (counted_note(view, rounds.at, 0))
                    (self.of_round(view))
                },
            }
        }
    }

    fn csv(&self) -> Option<(String, String)> {
        self.rounds.as_ref().map(|rounds| ("rounds".to_owned(), rounds.value.csv()))
    }
}

impl Rounds {
    fn rounds_table(&self, view: &View, table: &Table) -> Markup {
        html! {
            div .scroll tabindex="0" { table {
                thead { tr { @for (column, name) in table.head.iter().enumerate() { th .right[table.is_numeric(column)] { (head(view, name)) } } } }
                tbody {
                    @for row in &table.rows {
                        @let round = number(row);
                        tr .chosen[round == self.round] {
                            @for (column, cell) in row.iter().enumerate() {
                                td .nowrap .right[table.is_numeric(column)] {
                                    @match (column, cell, round) {
                                        (0, _, Some(round)) => a href={ "/statistics/" (self.harvest) "/rounds?round=" (round) } { (round) },
                                        (2 | 3, Cell::Text(time), _) => (time_markup(time)),
                                        _ => (super::cell_markup(view, cell)),
                                    }
                                }
                            }
                        }
                    }
                }
            } }
        }
    }

    fn of_round(&self, view: &View) -> Markup {
        let Some(round) = self.round else { return html! {} };
        html! {
            h2 { (view.say("Round ", "Runde ")) (round) (view.say(" by server and type", " nach Server und Typ")) }
            @match &self.of_round {
                None => (being_counted(view)),
                Some(changes) => { (table_markup(view, &changes.value)) (counted_note(view, changes.at, changes.value.rows.len())) },
            }
        }
    }
}

/// A time as `date_time` shows it.
fn time_markup(exact: &str) -> Markup {
    let shown: String = exact.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect();
    html! { time datetime=(exact) title=(exact) { (shown) } }
}

fn count(row: &[Cell], column: usize) -> u64 {
    match row.get(column) {
        Some(Cell::Count(count)) => *count,
        _ => 0,
    }
}

fn changes_chart(view: &View, table: &Table) -> Markup {
    let column = |change: VersionChange| {
        FIRST_CHANGE + VersionChange::ALL.iter().position(|known| *known == change).unwrap_or(0)
    };
    let bar = |row: &Vec<Cell>| {
        let name = format!("{} {}", view.say("Round", "Runde"), count(row, 0));
        (name, SHOWN.map(|change| count(row, column(change))).to_vec())
    };
    let parts = SHOWN.map(|change| head(view, change.as_str()).to_owned()).to_vec();
    let title = view
        .say("New, changed and vanished documents", "Neue, geänderte und verschwundene Dokumente")
        .to_owned();
    StackedBars { title, parts, bars: table.rows.iter().map(bar).collect() }.markup(view)
}

fn words_chart(view: &View, table: &Table) -> Markup {
    let words = FIRST_CHANGE + VersionChange::ALL.len();
    let line = |column: usize| {
        let values = table.rows.iter().map(|row| match row.get(column) {
            Some(Cell::Count(count)) => Some(*count as f64),
            _ => None,
        });
        values.collect()
    };
    let numbers = table.rows.iter().map(|row| count(row, 0));
    let axis = numbers.map(|number| (number as f64, number.to_string())).collect();
    let lines = vec![
        (head(view, "words").to_owned(), line(words)),
        (head(view, "different words").to_owned(), line(words + 1)),
    ];
    LineChart { title: view.say("Words by round", "Wörter nach Runde").to_owned(), axis, lines }
        .markup(view)
}
