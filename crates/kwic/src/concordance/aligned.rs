//! A concordance for a terminal: nodes below each other.
//!
//! Widths are counted in columns, not letters: East Asian letters take two, marks none. A cell with
//! letters that run from right to left is isolated, or the terminal would turn the whole line; signs
//! that turn the direction by themselves are left out, as they could make a line read as another.

use super::{ConcordancePage, Line};

/// Narrowest line; a terminal may be narrower and will wrap.
const NARROWEST: usize = 40;
/// Columns for what stands beside lines.
const BESIDE: usize = 24;
const GAP: &str = "  ";

/// What stands at the end of each line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Beside {
    #[default]
    Nothing,
    Document,
    Host,
}

/// Lines in columns; no line is wider than `columns`, unless that is less than 40.
pub fn aligned_text(page: &ConcordancePage, columns: usize, beside: Beside) -> String {
    let columns = columns.max(NARROWEST);
    let beside_width = if beside == Beside::Nothing { 0 } else { BESIDE.min(columns / 4) };
    let room =
        columns - 2 * GAP.len() - if beside_width > 0 { beside_width + GAP.len() } else { 0 };
    let widest = page.lines.iter().map(|line| width(&line.node)).max().unwrap_or(0);
    let node_width = widest.min(room / 3);
    let left_width = (room - node_width) / 2;
    let right_width = room - node_width - left_width;
    let mut text = String::new();
    for line in &page.lines {
        let left = last_columns(&line.left, left_width);
        text.push_str(&blanks(left_width - width(&left)));
        text.push_str(&isolated(left));
        text.push_str(GAP);
        let cells = [
            (first_columns(&line.node, node_width), node_width),
            (first_columns(&line.right, right_width), right_width),
            (first_columns(label(line, beside), beside_width), 0),
        ];
        for (cell, wide) in cells {
            let missing = wide.saturating_sub(width(&cell));
            text.push_str(&isolated(cell));
            text.push_str(&blanks(missing));
            text.push_str(GAP);
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

fn label(line: &Line, beside: Beside) -> &str {
    match beside {
        Beside::Nothing => "",
        Beside::Document => &line.source.key,
        Beside::Host => line.source.host.as_deref().unwrap_or(""),
    }
}

fn blanks(count: usize) -> String {
    " ".repeat(count)
}

fn first_columns(text: &str, columns: usize) -> String {
    let mut used = 0;
    let fits = |letter: &char| {
        used += letter_width(*letter);
        used <= columns
    };
    shown(text).take_while(fits).collect()
}

fn last_columns(text: &str, columns: usize) -> String {
    let letters: Vec<char> = shown(text).collect();
    let mut used = 0;
    let too_far = |letter: &char| {
        used += letter_width(*letter);
        used > columns
    };
    let first = letters.iter().rev().position(too_far).map_or(0, |at| letters.len() - at);
    let first = first + letters[first..].iter().take_while(|it| letter_width(**it) == 0).count();
    letters[first..].iter().collect()
}

fn shown(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter(|letter| !turns_direction(*letter))
        .map(|letter| if letter.is_control() { ' ' } else { letter })
}

fn turns_direction(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// First strong isolate around what runs from right to left.
fn isolated(cell: String) -> String {
    let is_rtl = |letter: char| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}');
    if cell.contains(is_rtl) { format!("\u{2068}{cell}\u{2069}") } else { cell }
}

fn width(text: &str) -> usize {
    text.chars().map(letter_width).sum()
}

fn letter_width(letter: char) -> usize {
    match letter {
        _ if letter.is_ascii() => 1,
        '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => 0,
        '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}' | '\u{591}'..='\u{5bd}' => 0,
        '\u{64b}'..='\u{65f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' => 0,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{303e}' | '\u{3041}'..='\u{a4cf}' => 2,
        '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' => 2,
        '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1faff}' => 2,
        '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}
