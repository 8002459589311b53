//! A harvest as tables: what the catalog knows, table by table, in files of Parquet.
//!
//! Tables are read along their keys and written as they are read; one at a time is under way, so memory holds
//! a page of it and the rows that are gathered for its files. When only some documents are wanted, their
//! numbers are gathered first, and rows are asked for by the requests and bodies they hang on.

use super::output::OutputFolder;
use super::parts::TableParts;
use super::{ExportJob, ExportProgress, ExportReport, ExportSelection, ExportWatching};
use crate::HarvestError;
use auslese_catalog::{Catalog, EXPORT_OWNERS, ExportRow, ExportTable, TableReach};
use auslese_export::CorpusHead;
use auslese_model::{Cell, Keeping};
use std::collections::BTreeSet;
use std::time::Instant;

/// Rows asked for together.
const PAGE: usize = 1_000;

/// Writes the tables of a harvest.
pub(super) async fn export_tables(
    catalog: &Catalog,
    job: ExportJob,
    watching: &ExportWatching,
) -> Result<ExportReport, HarvestError> {
    let ExportJob { target, selection, head, .. } = job;
    let folder = OutputFolder::create(&target)?;
    let tables = Catalog::export_tables(catalog.current_describe_run().await?);
    let is_part = selection.kept_only || selection.requests.is_some();
    let mut stage =
        Stage { catalog, watching, folder, head, of: 0, done: 0, started: Instant::now() };
    let wanted = match is_part {
        true => Some(stage.wanted(&tables, selection).await?),
        false => {
            for table in &tables {
                stage.of += catalog.count_exported(table).await?;
            }
            None
        }
    };
    let mut report = ExportReport::default();
    for table in tables.iter().filter(|table| !is_part || table.reach != TableReach::Apart) {
        let owners = wanted.as_ref().and_then(|wanted| match table.reach {
            TableReach::Requests => Some(wanted.requests.as_slice()),
            TableReach::Bodies => Some(wanted.bodies.as_slice()),
            TableReach::Harvest | TableReach::Apart => None,
        });
        if !stage.write(table, owners, &mut report).await? {
            report.stopped = true;
            return Ok(report);
        }
    }
    report.documents = report.tables.get("documents").copied().unwrap_or_default();
    if report.documents == 0 {
        return Err(HarvestError::NothingToExport { left_out: 0 });
    }
    stage.folder.finish()?;
    report.seconds = stage.started.elapsed().as_secs_f64();
    Ok(report)
}

struct Stage<'a> {
    catalog: &'a Catalog,
    watching: &'a ExportWatching,
    folder: OutputFolder,
    head: CorpusHead,
    of: u64,
    done: u64,
    started: Instant,
}

/// The documents of a selection, by the numbers on which rows hang; sorted.
#[derive(Debug, Default)]
struct Wanted {
    requests: Vec<i64>,
    bodies: Vec<i64>,
}

impl Stage<'_> {
    /// Writes a table, and says whether it came to its end.
    async fn write(
        &mut self,
        table: &ExportTable,
        owners: Option<&[i64]>,
        report: &mut ExportReport,
    ) -> Result<bool, HarvestError> {
        let (catalog, watching, started) = (self.catalog, self.watching, self.started);
        let mut parts = TableParts::new(table, &self.head, &self.folder);
        for some in groups(owners) {
            let mut cursor = table.begin();
            loop {
                let page = catalog.export_page(table, some, &mut cursor, PAGE).await?;
                for row in page.rows {
                    parts.put(row)?;
                }
                if *watching.stop.borrow() {
                    return Ok(false);
                }
                self.done += page.read;
                let rate = self.done as f64 / started.elapsed().as_secs_f64().max(1e-6);
                let (done, of) = (self.done, self.of.max(self.done));
                watching.progress.send_replace(ExportProgress { what: "rows", done, of, rate });
                if page.read < PAGE as u64 {
                    break;
                }
            }
        }
        let written = parts.finish()?;
        report.bytes += written.bytes;
        report.tables.insert(table.name.to_owned(), written.rows);
        Ok(true)
    }

    /// The numbers of the documents that were selected.
    async fn wanted(
        &self,
        tables: &[ExportTable],
        selection: ExportSelection,
    ) -> Result<Wanted, HarvestError> {
        let Some(table) = tables.iter().find(|table| table.name == "documents") else {
            return Ok(Wanted::default());
        };
        let place = |name: &str| table.columns.iter().position(|column| column.name == name);
        let (request, body, keeping) = (place("request_id"), place("content_id"), place("keeping"));
        let number = |row: &ExportRow, place: Option<usize>| match row.cells.get(place?) {
            Some(Cell::Number(number)) => Some(*number),
            _ => None,
        };
        let is_kept = |row: &ExportRow| {
            matches!(keeping.and_then(|place| row.cells.get(place)),
                Some(Cell::Text(keeping)) if keeping == Keeping::Kept.as_str())
        };
        let asked: Option<Vec<i64>> = selection.requests.map(|requests| {
            let numbers: BTreeSet<i64> = requests.into_iter().map(|request| request.0).collect();
            numbers.into_iter().collect()
        });
        let mut wanted = Wanted::default();
        for some in groups(asked.as_deref()) {
            let mut cursor = table.begin();
            loop {
                let page = self.catalog.export_page(table, some, &mut cursor, PAGE).await?;
                for row in page.rows.iter().filter(|row| !selection.kept_only || is_kept(row)) {
                    wanted.requests.extend(number(row, request));
                    wanted.bodies.extend(number(row, body));
                }
                if page.read < PAGE as u64 {
                    break;
                }
            }
        }
        // Several addresses may have one body.
        wanted.bodies.sort_unstable();
        wanted.bodies.dedup();
        Ok(wanted)
    }
}

/// As many owners as are asked about at once; one question about everything if none are named.
fn groups(owners: Option<&[i64]>) -> Vec<Option<&[i64]>> {
    match owners {
        None => vec![None],
        Some(owners) => owners.chunks(EXPORT_OWNERS).map(Some).collect(),
    }
}
