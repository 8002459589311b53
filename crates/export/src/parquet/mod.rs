//! Tables as Parquet files, which pandas, DuckDB, Spark and others read.
//!
//! Written column by column with the low level of the `parquet` crate: rows are gathered until a group of
//! them is full, so memory is bounded whatever the length of the table. Times are microseconds in UTC, lists
//! have the three levels that all readers understand, and pages are compressed with Snappy, which they all
//! have too. Which file a row belongs to is the business of others.

mod columns;
mod schema;

use crate::CorpusHead;
use auslese_model::{Cell, Column};
use columns::ColumnBuffer;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows that are written together, and bytes of them in memory.
pub const MAX_GROUP_ROWS: usize = 65_536;
pub const MAX_GROUP_BYTES: usize = 24 << 20;

/// A Parquet file that is being written.
pub struct TableFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<ColumnBuffer>,
    gathered: usize,
    rows: u64,
}

impl<W: Write + Send> TableFile<W> {
    /// Begins a file with these columns. What the collection is goes with it, as names and values.
    pub fn begin(columns: &[Column], head: &CorpusHead, out: W) -> io::Result<TableFile<W>> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("auslese version {}", head.version))
            .set_key_value_metadata(Some(notes(head)))
            .build();
        let schema = schema::schema(columns).map_err(io_error)?;
        let writer = SerializedFileWriter::new(out, schema, Arc::new(properties));
        Ok(TableFile {
            writer: writer.map_err(io_error)?,
            columns: columns.iter().map(|column| ColumnBuffer::new(column.kind)).collect(),
            gathered: 0,
            rows: 0,
        })
    }

    /// Adds a row: a cell of the right kind for each column.
    pub fn put(&mut self, cells: Vec<Cell>) -> io::Result<()> {
        if cells.len() != self.columns.len() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a row of another table"));
        }
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell)?;
        }
        self.gathered += 1;
        self.rows += 1;
        let held: usize = self.columns.iter().map(ColumnBuffer::held).sum();
        if self.gathered >= MAX_GROUP_ROWS || held >= MAX_GROUP_BYTES {
            self.write_group()?;
        }
        Ok(())
    }

    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Writes what is left and what belongs behind it, and gives back where it went.
    pub fn finish(mut self) -> io::Result<W> {
        if self.gathered > 0 {
            self.write_group()?;
        }
        self.writer.into_inner().map_err(io_error)
    }

    fn write_group(&mut self) -> io::Result<()> {
        let mut group = self.writer.next_row_group().map_err(io_error)?;
        for column in &mut self.columns {
            let next = group.next_column().map_err(io_error)?;
            let mut writer = next.ok_or_else(|| io::Error::other("a column is missing"))?;
            column.write(&mut writer).map_err(io_error)?;
            writer.close().map_err(io_error)?;
        }
        group.close().map_err(io_error)?;
        self.gathered = 0;
        Ok(())
    }
}

impl<W: Write + Send> fmt::Debug for TableFile<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFile").field("rows", &self.rows).finish_non_exhaustive()
    }
}

fn notes(head: &CorpusHead) -> Vec<KeyValue> {
    let CorpusHead { title, institutions, selection, version, at } = head;
    let notes = [
        ("auslese.title", title.clone()),
        ("auslese.institutions", institutions.join("; ")),
        ("auslese.selection", selection.clone()),
        ("auslese.version", version.clone()),
        ("auslese.at", at.to_string()),
    ];
    notes.into_iter().map(|(name, value)| KeyValue::new(name.to_owned(), value)).collect()
}

/// What the disk said, where it was the disk.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(cause) => *cause,
            Err(cause) => io::Error::other(cause),
        },
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::{ColumnKind, Timestamp};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    use std::fs::File;

    const COLUMNS: [Column; 7] = [
        Column { name: "flag", kind: ColumnKind::Flag },
        Column { name: "number", kind: ColumnKind::Number },
        Column { name: "fraction", kind: ColumnKind::Fraction },
        Column { name: "time", kind: ColumnKind::Time },
        Column { name: "text", kind: ColumnKind::Text },
        Column { name: "texts", kind: ColumnKind::Texts },
        Column { name: "fractions", kind: ColumnKind::Fractions },
    ];

    fn head() -> CorpusHead {
        CorpusHead {
            title: "Seen".to_owned(),
            institutions: vec!["A".to_owned(), "B".to_owned()],
            selection: "All.".to_owned(),
            version: "0.1.0".to_owned(),
            at: Timestamp(0),
        }
    }

    fn row(number: i64) -> Vec<Cell> {
        match number % 3 {
            0 => vec![
                Cell::Flag(number % 2 == 0),
                Cell::Number(number),
                Cell::Fraction(number as f64 / 4.0),
                Cell::Time(Timestamp(number * 1_000)),
                Cell::Text(format!("Müritz {number}")),
                Cell::Texts(vec!["a".to_owned(), String::new()]),
                Cell::Fractions(vec![0.25]),
            ],
            _ => {
                let mut row = vec![Cell::Null; 7];
                row[1] = Cell::Number(number);
                row[5] = Cell::Texts(Vec::new());
                row
            }
        }
    }

    fn written(rows: i64) -> Vec<u8> {
        let mut file = TableFile::begin(&COLUMNS, &head(), Vec::new()).unwrap();
        for number in 0..rows {
            file.put(row(number)).unwrap();
        }
        assert_eq!(file.rows(), rows as u64);
        file.finish().unwrap()
    }

    fn reader(bytes: &[u8]) -> SerializedFileReader<File> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        SerializedFileReader::new(file).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let rows = MAX_GROUP_ROWS as i64 + 10;
        let reader = reader(&written(rows));
        assert_eq!(reader.metadata().num_row_groups(), 2);
        let notes = reader.metadata().file_metadata().key_value_metadata().unwrap();
        assert!(notes.contains(&KeyValue::new("auslese.title".to_owned(), "Seen".to_owned())));
        for (number, row) in (0..).zip(reader.get_row_iter(None).unwrap()) {
            let row = row.unwrap();
            assert_eq!(row.get_long(1).unwrap(), number);
            let full = number % 3 == 0;
            assert_eq!(row.get_bool(0).ok(), full.then_some(number % 2 == 0));
            assert_eq!(row.get_double(2).ok(), full.then_some(number as f64 / 4.0));
            assert_eq!(row.get_timestamp_micros(3).ok(), full.then_some(number * 1_000));
            assert_eq!(row.get_string(4).ok(), full.then_some(&format!("Müritz {number}")));
            let lists = [row.get_list(5).unwrap().len(), row.get_list(6).unwrap().len()];
            assert_eq!(lists, if full { [2, 1] } else { [0, 0] });
        }
    }

    #[test]
    fn an_empty_table_has_its_columns() {
        let reader = reader(&written(0));
        assert_eq!(reader.get_row_iter(None).unwrap().count(), 0);
        assert_eq!(reader.metadata().file_metadata().schema_descr().num_columns(), 7);
    }

    #[test]
    fn long_values_make_small_groups() {
        let columns = [Column { name: "text", kind: ColumnKind::Text }];
        let mut file = TableFile::begin(&columns, &head(), Vec::new()).unwrap();
        for _ in 0..10 {
            file.put(vec![Cell::Text("x".repeat(MAX_GROUP_BYTES / 4))]).unwrap();
        }
        let reader = reader(&file.finish().unwrap());
        assert_eq!(reader.metadata().num_row_groups(), 3);
    }

    #[test]
    fn rows_of_other_tables() {
        let columns = [Column { name: "text", kind: ColumnKind::Text }];
        let mut file = TableFile::begin(&columns, &head(), Vec::new()).unwrap();
        file.put(vec![Cell::Number(1)]).unwrap_err();
        file.put(Vec::new()).unwrap_err();
    }

    /// A disk that is full after some bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_told_as_such() {
        let mut file = TableFile::begin(&COLUMNS, &head(), Full(100)).unwrap();
        file.put(row(0)).unwrap();
        let error = file.finish().map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{error}");
    }
}
