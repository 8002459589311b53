//! Which cells of the rows of an answer a form searches, learnt from where the words asked for stand.

use super::rows::AnswerRow;

/// A cell is searched if it had one in so many of the hits of the best cell.
const LEAST_SHARE_OF_HITS: u64 = 10;

/// Which cells of a row a form looks into: words of the others lead nowhere.
#[derive(Debug, Default)]
pub(super) struct SearchedCells {
    /// How often the word asked for stood in the cell of that number.
    hits: Vec<u64>,
    /// How much text the cells of that number have.
    lengths: Vec<u64>,
}

impl SearchedCells {
    /// Of each row the cells that are searched, as far as that is known.
    pub(super) fn parts(&mut self, rows: &[AnswerRow]) -> Vec<String> {
        rows.iter().for_each(|row| self.measure(row));
        rows.iter().map(|row| self.part(row)).collect()
    }

    fn measure(&mut self, row: &AnswerRow) {
        self.lengths.resize(self.lengths.len().max(row.cells.len()), 0);
        for (length, cell) in self.lengths.iter_mut().zip(&row.cells) {
            *length += cell.len() as u64;
        }
    }

    pub(super) fn learn(&mut self, word: &str, rows: &[AnswerRow]) {
        for row in rows {
            for (at, cell) in row.cells.iter().enumerate() {
                if cell.to_lowercase().contains(word) {
                    self.hits.resize(self.hits.len().max(at + 1), 0);
                    self.hits[at] += 1;
                }
            }
        }
    }

    /// The cells in which words were found often, compared with the best; before any was, those with most text.
    fn part(&self, row: &AnswerRow) -> String {
        let most = self.hits.iter().copied().max().unwrap_or(0);
        let longest = self.lengths.iter().copied().max().unwrap_or(0);
        let is_searched = |at: usize| match most {
            0 => self.lengths.get(at).is_some_and(|length| *length == longest),
            _ => self.hits.get(at).is_some_and(|hits| hits * LEAST_SHARE_OF_HITS >= most),
        };
        let cells = row.cells.iter().enumerate().filter(|(at, _)| is_searched(*at));
        cells.map(|(_, cell)| cell.as_str()).collect::<Vec<_>>().join(" ")
    }
}
