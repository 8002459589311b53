//! Results as rows and columns, for spreadsheets and for whoever prints tables.
//!
//! Tab-separated text is written here; the program writes CSV and JSON from the same rows. Words
//! come from the web: what a spreadsheet would take for a formula gets an apostrophe before it, and
//! tabs and line ends become blanks, so that a cell stays a cell.

use serde::Serialize;

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sheet {
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<Field>>,
}

/// A value of a table; numbers stay numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Field {
    Text(String),
    Count(u64),
    Number(f64),
    Missing,
}

impl Sheet {
    /// Rows of cells between tabs, with a head.
    pub fn tsv(&self) -> String {
        let head = self.head.join("\t") + "\n";
        let rows = self.rows.iter().map(|row| {
            let cells: Vec<String> = row.iter().map(Field::plain).collect();
            cells.join("\t") + "\n"
        });
        std::iter::once(head).chain(rows).collect()
    }
}

impl Field {
    pub(crate) fn text(text: &str) -> Field {
        Field::Text(text.to_owned())
    }

    pub(crate) fn maybe(text: Option<&String>) -> Field {
        text.map_or(Field::Missing, |text| Field::text(text))
    }

    pub(crate) fn number(number: Option<f64>) -> Field {
        number.filter(|number| number.is_finite()).map_or(Field::Missing, Field::Number)
    }

    fn plain(&self) -> String {
        match self {
            Field::Text(text) => tsv_cell(text),
            Field::Count(count) => count.to_string(),
            Field::Number(number) => number.to_string(),
            Field::Missing => String::new(),
        }
    }
}

fn tsv_cell(text: &str) -> String {
    let one_line = text.replace(['\t', '\n', '\r'], " ");
    let formula = one_line.starts_with(['=', '+', '@'])
        || text.starts_with(['\t', '\r'])
        || one_line.starts_with('-') && one_line.parse::<f64>().is_err();
    if formula { format!("'{one_line}") } else { one_line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stay_cells() {
        let sheet = Sheet {
            head: vec!["form", "count", "share"],
            rows: vec![
                vec![Field::text("=cmd|' /C calc'!A0"), Field::Count(3), Field::Number(0.5)],
                vec![Field::text("a\tb\nc"), Field::Missing, Field::Number(-2.0)],
                vec![Field::text("-x"), Field::text("-3"), Field::number(Some(f64::NAN))],
            ],
        };
        let expected = "form\tcount\tshare\n'=cmd|' /C calc'!A0\t3\t0.5\na b c\t\t-2\n'-x\t-3\t\n";
        assert_eq!(sheet.tsv(), expected);
        let json = serde_json::to_value(&sheet).unwrap();
        assert_eq!(json["rows"][1], serde_json::json!(["a\tb\nc", null, -2.0]));
    }
}
