//! What is wrong with a set of heuristics, and where.
//!
//! Whoever writes rules meets these messages more often than any other text of the program, so each
//! names file, line and column, says what was expected there, and as many as can be found in one go
//! are reported together.

use std::fmt;

/// One fault in a file of heuristics.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub struct HeuristicsError {
    pub file: String,
    /// From 1; 0 if the fault concerns the file as a whole.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    pub message: String,
}

impl HeuristicsError {
    pub(crate) fn of_file(file: &str, message: impl Into<String>) -> HeuristicsError {
        HeuristicsError { file: file.to_owned(), line: 0, column: 0, message: message.into() }
    }
}

impl fmt::Display for HeuristicsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HeuristicsError { file, line, column, message } = self;
        match line {
            0 => write!(f, "{file}: {message}"),
            _ => write!(f, "{file}:{line}:{column}: {message}"),
        }
    }
}

/// All faults that were found, in the order of files and lines; at least one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct HeuristicsErrors(pub Vec<HeuristicsError>);

impl fmt::Display for HeuristicsErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, fault) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

/// A piece of a source file, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) file: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// From the beginning of this to the end of the other.
    pub(crate) fn to(self, end: Span) -> Span {
        Span { end: end.end, ..self }
    }
}

/// A file of heuristics as it was handed in.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    /// Without its ending: what `use` says.
    pub(crate) name: String,
    /// With its ending: what messages say.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl SourceFile {
    pub(crate) fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Line and column of a byte, both from 1.
    pub(crate) fn position(&self, offset: u32) -> (u32, u32) {
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line = before.bytes().filter(|byte| *byte == b'\n').count();
        let in_line = before.rsplit('\n').next().unwrap_or_default();
        (number(line + 1), number(in_line.chars().count() + 1))
    }

    pub(crate) fn fault(&self, offset: u32, message: impl Into<String>) -> HeuristicsError {
        let (line, column) = self.position(offset);
        HeuristicsError { file: self.path.clone(), line, column, message: message.into() }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
