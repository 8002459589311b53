//! Regular expressions in rules: in linear time, and small.

use super::cursor::WrittenRegex;
use super::syntax::Pattern;
use regex::{Error, RegexBuilder};

/// Bytes of memory for a compiled regular expression.
pub const MAX_HEL_PATTERN: usize = 1 << 20;

/// Bytes of a pattern that make each byte of text cost as much again.
const PATTERN_STEP: u64 = 64;

impl Pattern {
    /// Compiles a regular expression, or says what is wrong with it.
    pub(super) fn new(written: &WrittenRegex) -> Result<Pattern, String> {
        let regex = RegexBuilder::new(&written.pattern)
            .case_insensitive(written.ignores_case)
            .dot_matches_new_line(written.dot_is_any)
            .size_limit(MAX_HEL_PATTERN)
            .dfa_size_limit(MAX_HEL_PATTERN)
            .build();
        let regex = regex.map_err(|error| match error {
            Error::CompiledTooBig(_) => "the regular expression needs too much memory".to_owned(),
            error => last_line(&error.to_string()),
        })?;
        Ok(Pattern { regex, cost: 1 + written.pattern.len() as u64 / PATTERN_STEP })
    }
}

/// The parser's report shows the pattern over several lines, and says at its end what is wrong.
fn last_line(report: &str) -> String {
    let line = report.lines().last().unwrap_or(report);
    line.trim_start_matches("error: ").to_owned()
}
