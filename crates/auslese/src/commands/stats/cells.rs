//! A table of numbers, and how it is written: for people, for spreadsheets, for programs.

use crate::{output, size_text};
use serde_json::{Map, Value, json};

/// A table of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) head: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// A value; numbers stay numbers in JSON and are set to the right for people.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
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
    pub(crate) fn text(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(number) if *number == 0.0 => "0".to_owned(),
            Cell::Number(number) if number.abs() >= 100.0 => format!("{number:.0}"),
            Cell::Number(number) if number.abs() >= 10.0 => format!("{number:.1}"),
            Cell::Number(number) if number.abs() >= 0.1 => format!("{number:.3}"),
            // Shares of rare words are small, and no less interesting.
            Cell::Number(number) => format!("{number:.5}"),
            Cell::Bytes(bytes) => size_text::format(*bytes),
            Cell::Counts(counts) => {
                let counts = counts.iter().map(|(name, count)| format!("{name} {count}"));
                counts.collect::<Vec<_>>().join(", ")
            }
            Cell::Missing => "–".to_owned(),
            Cell::Empty => String::new(),
        }
    }

    pub(crate) fn is_number(&self) -> bool {
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
    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        let cells = || self.rows.iter().filter_map(|row| row.get(column));
        cells().any(Cell::is_number) && !cells().any(Cell::is_words)
    }

    pub(crate) fn text(&self) -> String {
        let head = self.head.iter().map(|&word| word.to_owned()).collect();
        let mut rows: Vec<Vec<String>> = std::iter::once(head)
            .chain(self.rows.iter().map(|row| row.iter().map(Cell::text).collect()))
            .collect();
        for column in (0..self.head.len()).filter(|column| self.is_numeric(*column)) {
            set_to_the_right(&mut rows, column);
        }
        format!("{}\n{}", self.title, output::table(&rows))
    }

    /// As in RFC 4180.
    pub(crate) fn csv(&self) -> String {
        let line = |cells: Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| csv_cell(cell)).collect();
            cells.join(",") + "\r\n"
        };
        let head = line(self.head.iter().map(|&word| word.to_owned()).collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(Cell::plain).collect()));
        std::iter::once(head).chain(rows).collect()
    }

    pub(crate) fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            let cells = self.head.iter().zip(row);
            Value::Object(cells.map(|(head, cell)| (key(head), cell.json())).collect::<Map<_, _>>())
        });
        rows.collect()
    }
}

fn set_to_the_right(rows: &mut [Vec<String>], column: usize) {
    let width = |row: &Vec<String>| row.get(column).map_or(0, |cell| cell.chars().count());
    let widest = rows.iter().map(width).max().unwrap_or(0);
    for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
        let blanks = widest - cell.chars().count();
        cell.insert_str(0, &" ".repeat(blanks));
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
    fn for_people() {
        let expected = "Title\n\
            institution  documents    data  90 %  most frequent types\n\
            =cmd; \"x\"         1200  1.5 KB  12.3  text/html 9, image/png 2\n\
            –                    3     0 B\n";
        assert_eq!(table().text(), expected);
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
