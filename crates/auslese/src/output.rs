//! Writes data to stdout: plain text for people, JSON for programs.

use crate::messages::{Failure, Harmless};
use serde::Serialize;
use std::io::{self, Write};

/// Writes text that ends with a newline.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes one JSON document.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    print(&text)
}

/// Rows in columns as wide as their widest cell; the last column is left as it is.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let rows: Vec<[String; N]> = rows.iter().map(|row| row.clone().map(harmless)).collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for row in &rows {
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            text.push_str(cell);
            if column + 1 < N {
                let padding = width - cell.chars().count() + 2;
                text.extend(std::iter::repeat_n(' ', padding));
            }
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

/// A cell that stays in its line and does nothing to the terminal.
fn harmless(cell: String) -> String {
    Harmless(cell).to_string().replace(['\n', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_line_up() {
        let row = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
        let text = columns(&[row("host", "pages"), row("größe.example", "3"), row("a\nb", "")]);
        assert_eq!(text, "host           pages\ngröße.example  3\na b\n");
    }
}
