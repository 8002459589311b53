//! Mistakes in rules, with the lines they are in.

use super::choice::Choice;
use crate::view::View;
use auslese_describe::HeuristicsError;
use maud::{Markup, html};
use serde::Serialize;

/// Mistakes that are shown.
pub(crate) const MAX_FAULTS: usize = 20;
/// Lines shown before and after that of a mistake.
const AROUND: usize = 2;
/// Letters of a line that are shown.
const LINE_LETTERS: usize = 200;
/// Letters of a message that are shown.
const MESSAGE_LETTERS: usize = 500;

#[derive(Debug, Serialize)]
pub(super) struct Fault {
    file: String,
    /// From 1; 0 if it is about the file as a whole.
    line: u32,
    column: u32,
    message: String,
    /// Lines of the edited file around it, with their numbers.
    #[serde(skip)]
    lines: Vec<(usize, String)>,
}

/// The first mistakes with their lines, and how many there are beyond.
pub(super) fn marked(faults: Vec<HeuristicsError>, choice: &Choice) -> (Vec<Fault>, usize) {
    let further = faults.len().saturating_sub(MAX_FAULTS);
    let shown = faults.into_iter().take(MAX_FAULTS).map(|fault| Fault {
        lines: match fault.file == choice.file && fault.line > 0 {
            true => lines_around(&choice.rules, fault.line as usize),
            false => Vec::new(),
        },
        file: fault.file,
        line: fault.line,
        column: fault.column,
        message: super::shortened(&fault.message, MESSAGE_LETTERS),
    });
    (shown.collect(), further)
}

/// The line with this number, from 1, and those around it.
fn lines_around(text: &str, line: usize) -> Vec<(usize, String)> {
    let first = line.saturating_sub(AROUND).max(1);
    let numbered = text.split('\n').enumerate().map(|(at, line)| (at + 1, line));
    numbered
        .skip(first - 1)
        .take(line + AROUND + 1 - first)
        .map(|(number, line)| (number, super::shortened(line, LINE_LETTERS)))
        .collect()
}

impl Fault {
    pub(super) fn markup(&self, view: &View) -> Markup {
        html! {
            li .fault {
                p {
                    strong .number {
                        (self.file)
                        @if self.line > 0 { ", " (view.say("line ", "Zeile ")) (self.line) (view.say(", column ", ", Spalte ")) (self.column) }
                    }
                    ": " span lang="en" { (self.message) }
                    @if !self.lines.is_empty() {
                        " " button .plain .small type="button" hidden data-goto={ (self.line) ":" (self.column) } { (view.say("Go there", "Dorthin")) }
                    }
                }
                @if !self.lines.is_empty() { pre .listing { @for (number, line) in &self.lines { (self.line_markup(*number, line)) } } }
            }
        }
    }

    fn line_markup(&self, number: usize, line: &str) -> Markup {
        let is_it = number == self.line as usize;
        html! {
            span .line .is-fault[is_it] { span .line-number { (number) } (line) }
            @if is_it && (self.column as usize) <= LINE_LETTERS {
                span .line .is-fault aria-hidden="true" { span .line-number {} (" ".repeat(self.column.saturating_sub(1) as usize)) "▲" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lines_around;

    #[test]
    fn lines_are_found_at_both_ends() {
        let numbers = |line| -> Vec<usize> {
            lines_around("a\nb\nc\nd\n", line).into_iter().map(|(number, _)| number).collect()
        };
        assert_eq!(numbers(1), [1, 2, 3]);
        assert_eq!(numbers(3), [1, 2, 3, 4, 5]);
        assert_eq!(numbers(5), [3, 4, 5]);
        assert_eq!(numbers(99), [0; 0]);
    }
}
