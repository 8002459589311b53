//! A configuration text and the places in it that problems point to.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A configuration file as read.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Problem {
    pub(crate) file: PathBuf,
    /// Both count from 1; columns count characters.
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    /// The line as it stands in the file.
    #[serde(rename = "text")]
    pub(crate) line_text: String,
    /// How many characters are meant, for the underline.
    #[serde(skip)]
    pub(crate) width: usize,
}

/// Longer lines are cut in messages: a configuration line that long is not read by eye anyway.
const LONGEST_LINE: usize = 160;

impl Source {
    pub(crate) fn new(path: &Path, text: String) -> Source {
        Source { path: path.to_owned(), text }
    }

    pub(crate) fn problem(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        hint: Option<String>,
    ) -> Problem {
        let start = self.character_start(span.start);
        let end = self.character_start(span.end.max(start));
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let rest = &self.text[line_start..];
        let line_text = rest.lines().next().unwrap_or_default();
        let line_end = line_start + line_text.len();
        let meant = &self.text[start..end.min(line_end).max(start)];
        Problem {
            file: self.path.clone(),
            line: before.matches('\n').count() + 1,
            column: self.text[line_start..start].chars().count() + 1,
            message: message.into(),
            hint,
            line_text: line_text.chars().take(LONGEST_LINE).collect(),
            width: meant.chars().count().max(1),
        }
    }

    pub(crate) fn line_of(&self, offset: usize) -> usize {
        let offset = self.character_start(offset);
        self.text[..offset].matches('\n').count() + 1
    }

    fn character_start(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}

/// The message with its place, and the line with the spot underlined.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { line, column, message, line_text, .. } = self;
        write!(f, "{}:{line}:{column}: {message}", self.file.display())?;
        if *column > LONGEST_LINE {
            return Ok(());
        }
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        // Tabs stay tabs below the line, so that the mark stands below the spot it means.
        let lead: String = line_text
            .chars()
            .take(column - 1)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        let mark = "^".repeat(self.width.min(LONGEST_LINE));
        write!(f, "\n  {number} | {line_text}\n  {gutter} | {lead}{mark}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn source(text: &str) -> Source {
        Source::new(Path::new("auslese.toml"), text.to_owned())
    }

    #[test]
    fn places() {
        let text = "[crawl]\ndealy = \"2s\"\nname = \"Gießen\" x\n";
        #[rustfmt::skip]
        let cases = [
            ("dealy", 2, 1, 5),
            (" x",    3, 16, 2),
            ("\"2s\"", 2, 9, 4),
        ];
        for (part, line, column, width) in cases {
            let start = text.find(part).unwrap();
            let problem = source(text).problem(start..start + part.len(), "wrong", None);
            assert_eq!((problem.line, problem.column, problem.width), (line, column, width));
        }
    }

    #[test]
    fn shown_with_its_line() {
        let problem = source("[crawl]\n\tdealy = 1\n").problem(9..14, "unknown", None);
        assert_eq!(
            problem.to_string(),
            "auslese.toml:2:2: unknown\n  2 | \tdealy = 1\n    | \t^^^^^"
        );
    }

    proptest! {
        #[test]
        fn any_span_of_any_text(text in "(?s).{0,80}", start in 0usize..120, length in 0usize..50) {
            let source = source(&text);
            let _ = source.problem(start..start + length, "wrong", None).to_string();
            let _ = source.line_of(start);
        }
    }
}
