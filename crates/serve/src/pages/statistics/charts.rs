//! Which chart shows a table best. What cannot be drawn sensibly is left to its table.

use super::balance::balance;
use super::stacked::StackedBars;
use super::words::{TableWords, head, word};
use crate::look::{BarChart, LineChart};
use crate::view::View;
use auslese_statistics::{Cell, Table};
use maud::Markup;
use std::collections::BTreeMap;

/// Bars of one chart; the table has the rest.
const MAX_BARS: usize = 25;

pub(super) fn chart(view: &View, table: &Table) -> Option<Markup> {
    let title =
        TableWords::of(table.name).map_or(table.title, |words| words.title(view)).to_owned();
    match table.name {
        "ages" => years(view, title, table),
        "institutions" => parts(view, title, table, 0, 2, 5),
        "rules" => counts(title, view, table, 1, 2),
        "servers" => parts(view, title, table, 0, 3, 4),
        "sizes-by-type" | "sizes-by-server" | "sizes-by-subnet" => medians(view, table),
        "elements" => parts(view, title, table, 0, 1, 3),
        "parse-errors" | "links" => {
            counts(title, view, table, 0, if table.name == "links" { 1 } else { 2 })
        }
        "templates" => parts(view, title, table, 5, 2, 3),
        "orality" => means(view, title, table),
        "oddities" => by_kind(view, title, table),
        "features" | "duplicates" | "rounds" => None,
        _ => parts(view, title, table, 0, 2, 4),
    }
}

/// Rows without the sums at their end.
fn rows(table: &Table) -> impl Iterator<Item = &Vec<Cell>> {
    let is_sum = |row: &&Vec<Cell>| matches!(row.first(), Some(Cell::Text(text)) if text == "all" || text == "others");
    table.rows.iter().filter(move |row| !is_sum(row))
}

fn name(view: &View, cell: Option<&Cell>) -> String {
    match cell {
        Some(Cell::Text(text)) => word(view, text).to_owned(),
        Some(Cell::Missing) | None => view.say("unknown", "unbekannt").to_owned(),
        Some(other) => other.text(),
    }
}

fn count(cell: Option<&Cell>) -> u64 {
    match cell {
        Some(Cell::Count(count) | Cell::Bytes(count)) => *count,
        _ => 0,
    }
}

/// Documents, parted into those in the corpus and the others.
fn parts(
    view: &View,
    title: String,
    table: &Table,
    named: usize,
    all: usize,
    kept: usize,
) -> Option<Markup> {
    let bars: Vec<(String, Vec<u64>)> = rows(table)
        .map(|row| {
            let (all, kept) = (count(row.get(all)), count(row.get(kept)));
            (name(view, row.get(named)), vec![kept.min(all), all.saturating_sub(kept)])
        })
        .filter(|(_, values)| values.iter().sum::<u64>() > 0)
        .take(MAX_BARS)
        .collect();
    let parts =
        [view.say("in the corpus", "im Korpus"), view.say("not in the corpus", "nicht im Korpus")];
    (!bars.is_empty())
        .then(|| StackedBars { title, parts: parts.map(str::to_owned).to_vec(), bars }.markup(view))
}

fn counts(
    title: String,
    view: &View,
    table: &Table,
    named: usize,
    counted: usize,
) -> Option<Markup> {
    let bars: Vec<(String, f64)> = rows(table)
        .filter(|row| count(row.get(counted)) > 0)
        .map(|row| (name(view, row.get(named)), count(row.get(counted)) as f64))
        .take(MAX_BARS)
        .collect();
    (!bars.is_empty()).then(|| BarChart { title, bars }.markup(view))
}

/// Documents by year; years between that are missing have none.
fn years(view: &View, title: String, table: &Table) -> Option<Markup> {
    let dated = rows(table).filter_map(|row| {
        let Some(Cell::Text(year)) = row.first() else { return None };
        Some((year.parse::<u16>().ok()?, (count(row.get(2)), count(row.get(4)))))
    });
    let years: BTreeMap<u16, (u64, u64)> = dated.collect();
    let (first, last) = (*years.keys().next()?, *years.keys().next_back()?);
    // Clocks that were never set make years long before the web.
    let first = first.max(last.saturating_sub(60));
    let of = |year: u16, kept: bool| {
        let (all, in_corpus) = years.get(&year).copied().unwrap_or_default();
        Some(if kept { in_corpus } else { all } as f64)
    };
    let line = |kept: bool| (first..=last).map(|year| of(year, kept)).collect();
    let lines = vec![
        (head(view, "documents").to_owned(), line(false)),
        (head(view, "in the corpus").to_owned(), line(true)),
    ];
    Some(
        LineChart {
            title,
            axis: (first..=last).map(|year| (year as f64, year.to_string())).collect(),
            lines,
        }
        .markup(view),
    )
}

fn medians(view: &View, table: &Table) -> Option<Markup> {
    let title = view.say("Median size in kB", "Median der Größe in kB").to_owned();
    let bars: Vec<(String, f64)> = rows(table)
        .filter(|row| count(row.get(4)) > 0)
        .map(|row| (name(view, row.first()), count(row.get(4)) as f64 / 1000.0))
        .take(MAX_BARS)
        .collect();
    let markup = BarChart { title: title.clone(), bars };
    (!markup.bars.is_empty()).then(|| maud::html! { p .soft { (title) } (markup.markup(view)) })
}

/// Means by server, above and below the whole.
fn means(view: &View, title: String, table: &Table) -> Option<Markup> {
    let mean = |row: &Vec<Cell>| match row.get(2) {
        Some(Cell::Number(mean)) => *mean,
        _ => 0.0,
    };
    let mut bars: Vec<(String, f64)> = table
        .rows
        .iter()
        .map(|row| (row.first().map(Cell::text).unwrap_or_default(), mean(row)))
        .collect();
    bars.sort_by(|a, b| b.1.total_cmp(&a.1));
    bars.truncate(MAX_BARS);
    (!bars.is_empty()).then(|| balance(view, &title, &bars))
}

fn by_kind(view: &View, title: String, table: &Table) -> Option<Markup> {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for row in &table.rows {
        *kinds.entry(row.get(1).map(Cell::text).unwrap_or_default()).or_default() +=
            count(row.get(2));
    }
    let mut bars: Vec<(String, u64)> = kinds.into_iter().collect();
    bars.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    bars.truncate(MAX_BARS);
    let bars: Vec<(String, Vec<u64>)> =
        bars.into_iter().map(|(name, count)| (name, vec![count])).collect();
    (!bars.is_empty()).then(|| StackedBars { title, parts: Vec::new(), bars }.markup(view))
}
