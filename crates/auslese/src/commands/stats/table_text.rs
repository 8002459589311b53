//! A table as people read it in a terminal.

use super::{Cell, Table};
use crate::output;

/// The title, and rows in columns; numbers are set to the right.
pub(crate) fn table_text(table: &Table) -> String {
    let head = table.head.iter().map(|&word| word.to_owned()).collect();
    let mut rows: Vec<Vec<String>> = std::iter::once(head)
        .chain(table.rows.iter().map(|row| row.iter().map(Cell::text).collect()))
        .collect();
    for column in (0..table.head.len()).filter(|column| table.is_numeric(*column)) {
        set_to_the_right(&mut rows, column);
    }
    format!("{}\n{}", table.title, output::table(&rows))
}

fn set_to_the_right(rows: &mut [Vec<String>], column: usize) {
    let width = |row: &Vec<String>| row.get(column).map_or(0, |cell| cell.chars().count());
    let widest = rows.iter().map(width).max().unwrap_or(0);
    for cell in rows.iter_mut().filter_map(|row| row.get_mut(column)) {
        let blanks = widest - cell.chars().count();
        cell.insert_str(0, &" ".repeat(blanks));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_people() {
        let types = vec![("text/html".to_owned(), 9), ("image/png".to_owned(), 2)];
        let rows = vec![
            vec![
                Cell::Text("=cmd; \"x\"".to_owned()),
                Cell::Count(1_200),
                Cell::Bytes(1_500),
                Cell::Number(12.34),
                Cell::Counts(types),
            ],
            vec![Cell::Missing, Cell::Count(3), Cell::Bytes(0), Cell::Empty, Cell::Empty],
        ];
        let head = vec!["institution", "documents", "data", "90 %", "most frequent types"];
        let expected = "Title\n\
            institution  documents    data  90 %  most frequent types\n\
            =cmd; \"x\"         1200  1.5 KB  12.3  text/html 9, image/png 2\n\
            –                    3     0 B\n";
        assert_eq!(table_text(&Table { name: "t", title: "Title", head, rows }), expected);
    }
}
