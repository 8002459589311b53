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

/// Rows in columns as wide as their widest cell, without blanks at the ends of lines.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    table(&rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>())
}

/// A wider cell pushes its neighbours aside in its own line only.
const WIDEST: usize = 100;

/// The same for rows of any number of cells.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().cloned().map(harmless).collect()).collect();
    let mut widths: Vec<usize> = Vec::new();
    for row in &rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            let own = cell.chars().count();
            *width = (*width).max(if own > WIDEST { 0 } else { own });
        }
    }
    let mut text = String::new();
    for row in &rows {
        for (cell, width) in row.iter().zip(&widths) {
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.chars().count()) + 2));
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
        let long = "x".repeat(WIDEST + 1);
        let text = columns(&[row("a", "1"), row(&long, "2")]);
        assert_eq!(text, format!("a  1\n{long}  2\n"));
    }
}
