//! The files of a table: parts of bounded length, in folders that tell what they have in common.
//!
//! `documents/kept=true/part-0000.parquet` is how Hive divides tables, and what pandas, DuckDB and Spark
//! take as one table with a column `kept`.

use super::output::OutputFolder;
use crate::HarvestError;
use auslese_catalog::{ExportRow, ExportTable};
use auslese_export::{CorpusHead, TableFile};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter};

/// Rows of one file.
const MAX_PART_ROWS: u64 = 1_000_000;
/// Parts of a table that are written at the same time; each may hold a group of rows in memory.
const OPEN_PARTS: usize = 4;
/// What Hive calls the part of rows without a value.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// A table that is being written.
pub(super) struct TableParts<'a> {
    table: &'a ExportTable,
    head: &'a CorpusHead,
    folder: &'a OutputFolder,
    /// Those under way, the one used last at the end.
    open: Vec<(Option<String>, TableFile<BufWriter<File>>)>,
    /// How many parts there are, by what they have in common.
    counts: BTreeMap<Option<String>, u32>,
    rows: u64,
    bytes: u64,
}

/// What was written of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) rows: u64,
    pub(super) bytes: u64,
}

impl<'a> TableParts<'a> {
    pub(super) fn new(
        table: &'a ExportTable,
        head: &'a CorpusHead,
        folder: &'a OutputFolder,
    ) -> TableParts<'a> {
        let (open, counts) = (Vec::new(), BTreeMap::new());
        TableParts { table, head, folder, open, counts, rows: 0, bytes: 0 }
    }

    pub(super) fn put(&mut self, row: ExportRow) -> Result<(), HarvestError> {
        let ExportRow { partition, cells } = row;
        if self.open.last().is_none_or(|(last, _)| *last != partition) {
            match self.open.iter().position(|(open, _)| *open == partition) {
                Some(place) => {
                    let part = self.open.remove(place);
                    self.open.push(part);
                }
                None => self.begin(partition.clone())?,
            }
        }
        let Some((_, part)) = self.open.last_mut() else { return Ok(()) };
        part.put(cells).map_err(|cause| self.folder.io(cause))?;
        self.rows += 1;
        if part.rows() >= MAX_PART_ROWS {
            let (_, part) = self.open.pop().expect("it was the last one");
            self.finish_part(part)?;
        }
        Ok(())
    }

    /// Ends all parts. A table without rows is a file without rows, so that its columns are known.
    pub(super) fn finish(mut self) -> Result<Written, HarvestError> {
        if self.counts.is_empty() {
            self.begin(None)?;
        }
        for (_, part) in std::mem::take(&mut self.open) {
            self.finish_part(part)?;
        }
        Ok(Written { rows: self.rows, bytes: self.bytes })
    }

    fn begin(&mut self, partition: Option<String>) -> Result<(), HarvestError> {
        if self.open.len() >= OPEN_PARTS {
            let (_, oldest) = self.open.remove(0);
            self.finish_part(oldest)?;
        }
        let count = self.counts.entry(partition.clone()).or_default();
        let name = part_name(self.table, partition.as_deref(), *count);
        *count += 1;
        let file = self.folder.file(&name)?;
        let part = TableFile::begin(&self.table.columns, self.head, file);
        self.open.push((partition, part.map_err(|cause| self.folder.io(cause))?));
        Ok(())
    }

    fn finish_part(&mut self, part: TableFile<BufWriter<File>>) -> Result<(), HarvestError> {
        let finished = part.finish().and_then(|file| {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            Ok(file.metadata()?.len())
        });
        self.bytes += finished.map_err(|cause| self.folder.io(cause))?;
        Ok(())
    }
}

/// The value of a partition is a number or a word of the program's own, so it needs no escaping.
fn part_name(table: &ExportTable, value: Option<&str>, number: u32) -> String {
    let file = format!("part-{number:04}.parquet");
    match table.partition {
        Some(by) => format!("{}/{by}={}/{file}", table.name, value.unwrap_or(NO_VALUE)),
        None => format!("{}/{file}", table.name),
    }
}

#[cfg(test)]
mod tests {
    use super::super::output::ExportTarget;
    use super::*;
    use auslese_catalog::Catalog;
    use auslese_model::{Cell, ColumnKind, Timestamp};
    use std::path::Path;

    fn files(dir: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![dir.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => found.push(path.strip_prefix(dir).unwrap().display().to_string()),
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn parts_by_what_they_have_in_common() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let target = ExportTarget::Path { path: path.clone(), replace: false };
        let folder = OutputFolder::create(&target).unwrap();
        let head = CorpusHead {
            title: String::new(),
            institutions: Vec::new(),
            selection: String::new(),
            version: "0.1.0".to_owned(),
            at: Timestamp(0),
        };
        let tables = Catalog::export_tables(None);
        let captures = tables.iter().find(|table| table.name == "captures").unwrap();
        let row = |partition: Option<&str>| ExportRow {
            partition: partition.map(str::to_owned),
            cells: captures
                .columns
                .iter()
                .map(|column| match column.kind {
                    ColumnKind::Texts => Cell::Texts(Vec::new()),
                    _ => Cell::Null,
                })
                .collect(),
        };
        let mut parts = TableParts::new(captures, &head, &folder);
        // More at once than may be open: the one not used for longest is ended and goes on in another file.
        for round in ["1", "2", "1", "3", "4", "5", "2", "1"] {
            parts.put(row(Some(round))).unwrap();
        }
        parts.put(row(None)).unwrap();
        assert_eq!(parts.finish().unwrap().rows, 9);
        let rounds = tables.iter().find(|table| table.name == "rounds").unwrap();
        assert_eq!(TableParts::new(rounds, &head, &folder).finish().unwrap().rows, 0);
        folder.finish().unwrap();
        let expected = [
            "captures/round=1/part-0000.parquet",
            "captures/round=1/part-0001.parquet",
            "captures/round=2/part-0000.parquet",
            "captures/round=2/part-0001.parquet",
            "captures/round=3/part-0000.parquet",
            "captures/round=4/part-0000.parquet",
            "captures/round=5/part-0000.parquet",
            "captures/round=__HIVE_DEFAULT_PARTITION__/part-0000.parquet",
            "rounds/part-0000.parquet",
        ];
        assert_eq!(files(&path), expected);
    }
}
