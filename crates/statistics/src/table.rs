//! A table of numbers, and how it is written for spreadsheets and programs.

use serde_json::{Map, Value, json};

/// A table of numbers.
#[derive(Debug, Clone)]
pub struct Table {
    pub name: &'static str,
    pub title: &'static str,
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<Cell>>,
}

/// A value; numbers stay numbers in JSON and are set to the right for people.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Text(String),
    Count(u64),
    Number(f64),
    Bytes(u64),
    /// Several counts with their names.
    Counts(Vec<(String, u64)>),
    /// There is no value, which is worth a sign.
    Missing,
    /// There is nothing to be said here.
    Empty,
}

impl Cell {
    /// For people.
    pub fn text(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(number) if *number == 0.0 => "0".to_owned(),
            Cell::Number(number) if number.abs() >= 100.0 => format!("{number:.0}"),
            Cell::Number(number) if number.abs() >= 10.0 => format!("{number:.1}"),
            Cell::Number(number) if number.abs() >= 0.1 => format!("{number:.3}"),
            // Shares of rare words are small, and no less interesting.
            Cell::Number(number) => format!("{number:.5}"),
            Cell::Bytes(bytes) => size_text(*bytes),
            Cell::Counts(counts) => {
                let counts = counts.iter().map(|(name, count)| format!("{name} {count}"));
                counts.collect::<Vec<_>>().join(", ")
            }
            Cell::Missing => "–".to_owned(),
            Cell::Empty => String::new(),
        }
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Cell::Count(_) | Cell::Number(_) | Cell::Bytes(_))
    }

    fn is_words(&self) -> bool {
        matches!(self, Cell::Text(_) | Cell::Counts(_))
    }

    /// For spreadsheets: bytes as a number.
    fn plain(&self) -> String {
        match self {
            Cell::Bytes(bytes) => bytes.to_string(),
            Cell::Number(number) => number.to_string(),
            Cell::Missing => String::new(),
            other => other.text(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Count(count) | Cell::Bytes(count) => json!(count),
            Cell::Number(number) => json!(number),
            Cell::Counts(counts) => {
                counts.iter().map(|(name, count)| json!({ "name": name, "count": count })).collect()
            }
            Cell::Missing | Cell::Empty => Value::Null,
        }
    }
}

impl Table {
    /// Whether a column holds nothing but numbers.
    pub fn is_numeric(&self, column: usize) -> bool {
        let cells = || self.rows.iter().filter_map(|row| row.get(column));
        cells().any(Cell::is_number) && !cells().any(Cell::is_words)
    }

    /// For spreadsheets, as in RFC 4180.
    pub fn csv(&self) -> String {
        let line = |cells: Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| csv_cell(cell)).collect();
            cells.join(",") + "\r\n"
        };
        let head = line(self.head.iter().map(|&word| word.to_owned()).collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(Cell::plain).collect()));
        std::iter::once(head).chain(rows).collect()
    }

    /// For programs: a list of rows, each by the names of its columns.
    pub fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            let cells = self.head.iter().zip(row);
            Value::Object(cells.map(|(head, cell)| (key(head), cell.json())).collect::<Map<_, _>>())
        });
        rows.collect()
    }
}

/// `1.2 GB`: rounded for people, in powers of 1000.
pub fn size_text(bytes: u64) -> String {
    let units =
        [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000)];
    match units.into_iter().find(|(_, size)| bytes >= *size) {
        Some((name, size)) => {
            let text = format!("{:.1}", bytes as f64 / size as f64);
            format!("{} {name}", text.strip_suffix(".0").unwrap_or(&text))
        }
        None => format!("{bytes} B"),
    }
}

/// The name of a column for programs: `in the corpus` is `in_the_corpus`, `90 %` is `p90`.
fn key(head: &str) -> String {
    match head.strip_suffix(" %") {
        Some(percent) => format!("p{percent}"),
        None => head.to_lowercase().replace([' ', '-'], "_"),
    }
}

/// A cell as spreadsheets read it. What begins like a formula is from the web, and must not become
/// one.
fn csv_cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '@', '\t', '\r'])
        || text.starts_with('-') && text.parse::<f64>().is_err();
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    match text.contains(['"', ',', '\n', '\r', ';']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let types = vec![("text/html".to_owned(), 9), ("image/png".to_owned(), 2)];
        Table {
            name: "t",
            title: "Title",
            head: vec!["institution", "documents", "data", "90 %", "most frequent types"],
            rows: vec![
                vec![
                    Cell::Text("=cmd; \"x\"".to_owned()),
                    Cell::Count(1_200),
                    Cell::Bytes(1_500),
                    Cell::Number(12.34),
                    Cell::Counts(types),
                ],
                vec![Cell::Missing, Cell::Count(3), Cell::Bytes(0), Cell::Empty, Cell::Empty],
            ],
        }
    }

    #[test]
    fn sizes_for_people() {
        #[rustfmt::skip]
        let cases = [(0, "0 B"), (999, "999 B"), (1_000, "1 KB"), (1_234_567, "1.2 MB"),
                     (5_000_000_000, "5 GB"), (7_250_000_000_000, "7.2 TB")];
        for (bytes, text) in cases {
            assert_eq!(size_text(bytes), text);
        }
    }

    #[test]
    fn for_spreadsheets() {
        let expected = "institution,documents,data,90 %,most frequent types\r\n\
            \"'=cmd; \"\"x\"\"\",1200,1500,12.34,\"text/html 9, image/png 2\"\r\n,3,0,,\r\n";
        assert_eq!(table().csv(), expected);
    }

    #[test]
    fn for_programs() {
        let json = table().json();
        assert_eq!(json[0]["documents"], 1_200);
        assert_eq!(json[0]["p90"], 12.34);
        assert_eq!(json[0]["most_frequent_types"][1], json!({ "name": "image/png", "count": 2 }));
        assert_eq!(json[1]["institution"], Value::Null);
    }
}
