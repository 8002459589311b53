//! Tables as they are kept: those of the statistics, and those of rounds with a column for each change.

use auslese_catalog::{CatalogError, RoundId, VersionChange};
use auslese_statistics::{Cell, Table, gather};
use std::sync::Arc;

use crate::ledger::Reading;
use crate::problem::Problem;
use crate::site::{Harvest, Site};

/// Rows of a table that counts by a property.
pub(super) const TABLE_ROWS: usize = 200;

pub(super) async fn table(
    site: &Site,
    harvest: &Arc<Harvest>,
    name: &str,
) -> Result<Reading<Table>, Problem> {
    let wanted = name.to_owned();
    site.tables
        .read(harvest, name, move |harvest| async move {
            match wanted.as_str() {
                "rounds" => rounds(&harvest).await,
                name => Ok(gather(&harvest.catalog, &[name], TABLE_ROWS)
                    .await?
                    .pop()
                    .unwrap_or_else(nothing)),
            }
        })
        .await
}

/// What became of the documents of one round, by server and type.
pub(super) async fn changes(
    site: &Site,
    harvest: &Arc<Harvest>,
    round: i64,
) -> Result<Reading<Table>, Problem> {
    site.tables
        .read(harvest, &format!("changes of round {round}"), move |harvest| async move {
            let rows = harvest.catalog.change_table(RoundId(round)).await?;
            let rows = rows.into_iter().map(|row| {
                let mut cells =
                    vec![Cell::Text(row.server), row.media_type.map_or(Cell::Missing, Cell::Text)];
                cells.extend(
                    VersionChange::ALL.map(|change| {
                        Cell::Count(row.documents.get(&change).copied().unwrap_or(0))
                    }),
                );
                cells.extend([row.words.added, row.words.removed, row.words.kept].map(Cell::Count));
                cells
            });
            let mut head = vec!["server", "type"];
            head.extend(VersionChange::ALL.map(VersionChange::as_str));
            head.extend(["words added", "words removed", "words kept"]);
            Ok(Table {
                name: "changes",
                title: "Changes",
                head,
                rows: rows.take(TABLE_ROWS).collect(),
            })
        })
        .await
}

async fn rounds(harvest: &Harvest) -> Result<Table, CatalogError> {
    let rows = harvest.catalog.rounds().await?.into_iter().map(|round| {
        let number = |number: Option<u64>| number.map_or(Cell::Empty, Cell::Count);
        let mut cells = vec![
            Cell::Count(round.id.0.unsigned_abs()),
            Cell::Text(round.kind.as_str().to_owned()),
            Cell::Text(round.started.to_second_text()),
            round.ended.map_or(Cell::Empty, |ended| Cell::Text(ended.to_second_text())),
        ];
        cells.extend(
            VersionChange::ALL
                .map(|change| Cell::Count(round.changes.get(&change).copied().unwrap_or(0))),
        );
        cells.extend([number(round.words), number(round.distinct_words)]);
        cells
    });
    let mut head = vec!["round", "kind", "began", "ended"];
    head.extend(VersionChange::ALL.map(VersionChange::as_str));
    head.extend(["words", "different words"]);
    Ok(Table { name: "rounds", title: "Rounds", head, rows: rows.collect() })
}

fn nothing() -> Table {
    Table { name: "", title: "", head: Vec::new(), rows: Vec::new() }
}
