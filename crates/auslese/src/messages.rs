//! How the program speaks to people: errors, hints and exit codes.
//!
//! Every failure ends up as a [`Failure`]: what happened (`error:`), why (`cause:`, one line per
//! link of the chain), what to do (`hint:`), and the code the shell sees. All of it goes to stderr,
//! because stdout carries data only. Meaning never depends on colour.

use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// What the shell is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Done,
    /// The work was done, but some of it failed; or the work could not be done at all.
    Failures,
    /// The command line or the configuration is wrong.
    Usage,
    /// Stopped by the user; the same command goes on.
    Interrupted,
    /// Stored data is damaged.
    Damaged,
}

impl Exit {
    pub(crate) fn number(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failures => 1,
            Exit::Usage => 2,
            Exit::Interrupted => 3,
            Exit::Damaged => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.number())
    }
}

/// Why a command did not end well: at least one complaint, and the code for the shell.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    complaints: Vec<Complaint>,
}

/// One thing that went wrong, and what to do about it.
#[derive(Debug)]
pub(crate) struct Complaint {
    pub(crate) error: anyhow::Error,
    pub(crate) hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, error: impl Into<anyhow::Error>) -> Failure {
        Failure { exit, complaints: vec![Complaint { error: error.into(), hint: None }] }
    }

    /// Several things that are wrong at once.
    pub(crate) fn all(exit: Exit, complaints: Vec<Complaint>) -> Failure {
        Failure { exit, complaints }
    }

    /// A mistake in the command line or the configuration.
    pub(crate) fn usage(message: impl Display) -> Failure {
        Failure::new(Exit::Usage, anyhow::Error::msg(message.to_string()))
    }

    /// Says what to do about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Failure {
        if let Some(last) = self.complaints.last_mut() {
            last.hint = Some(hint.into());
        }
        self
    }

    /// What went wrong in one line: each error with its causes.
    pub(crate) fn in_short(&self) -> String {
        self.lines().join("; ")
    }

    /// The same with a line for each error.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.complaints.iter().map(|complaint| format!("{:#}", complaint.error)).collect()
    }

    /// Whether an error of this type, for which `test` holds, is behind it.
    pub(crate) fn is<E: std::error::Error + Send + Sync + 'static>(
        &self,
        test: impl Fn(&E) -> bool,
    ) -> bool {
        self.complaints
            .iter()
            .any(|complaint| complaint.error.chain().any(|it| it.downcast_ref().is_some_and(&test)))
    }

    /// The error of this type that is behind it.
    pub(crate) fn cause<E: std::error::Error + Send + Sync + 'static>(&self) -> Option<&E> {
        let mut causes = self.complaints.iter().flat_map(|complaint| complaint.error.chain());
        causes.find_map(|cause| cause.downcast_ref())
    }

    /// Whether the reader of our output went away (`auslese … | head`): no reason to complain.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.is(|cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// The complaints without colour.
impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text_of(self, Color::Never))
    }
}

/// Whatever has no better exit code is a failure of the work itself.
impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::new(Exit::Failures, error)
    }
}

pub(crate) type Outcome = Result<Exit, Failure>;

/// Whether messages are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

impl Color {
    pub(crate) fn on_stderr(self) -> bool {
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stderr().is_terminal() && environment_allows_color(),
        }
    }
}

fn environment_allows_color() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Prints a failure to stderr.
pub(crate) fn print(failure: &Failure, color: Color) {
    to_stderr(&text_of(failure, color));
}

fn text_of(failure: &Failure, color: Color) -> String {
    let mut text = String::new();
    for Complaint { error, hint } in &failure.complaints {
        text.push_str(&line(Word::Error, error, color));
        for cause in error.chain().skip(1) {
            text.push_str(&line(Word::Cause, cause, color));
        }
        if let Some(hint) = hint {
            text.push_str(&line(Word::Hint, hint, color));
        }
    }
    text
}

/// Prints one message to stderr.
pub(crate) fn say(word: Word, message: impl Display, color: Color) {
    to_stderr(&line(word, message, color));
}

/// The words that messages begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Error,
    Cause,
    Hint,
    Note,
}

impl Word {
    fn text_and_style(self) -> (&'static str, &'static str) {
        match self {
            Word::Error => ("error", "\x1b[1;31m"),
            Word::Cause => ("cause", "\x1b[1m"),
            Word::Hint => ("hint", "\x1b[1;36m"),
            Word::Note => ("note", "\x1b[1m"),
        }
    }
}

fn line(word: Word, message: impl Display, color: Color) -> String {
    let (text, style) = word.text_and_style();
    let message = Harmless(message.to_string());
    if color.on_stderr() {
        format!("{style}{text}:\x1b[0m {message}\n")
    } else {
        format!("{text}: {message}\n")
    }
}

/// Text that may stem from the web or from files: control characters must not reach a terminal.
pub(crate) struct Harmless(pub(crate) String);

impl Display for Harmless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            if c.is_control() && c != '\n' && c != '\t' {
                write!(f, "{}", c.escape_default())?;
            } else {
                write!(f, "{c}")?;
            }
        }
        Ok(())
    }
}

fn to_stderr(text: &str) {
    // There is nobody left to tell if stderr itself is gone.
    let _ = io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn control_characters_are_shown_not_sent() {
        let text = Harmless("a\x1b[31mb\u{9b}c\nd\te".to_owned()).to_string();
        assert_eq!(text, "a\\u{1b}[31mb\\u{9b}c\nd\te");
    }

    #[test]
    fn a_closed_pipe_is_found_behind_its_context() {
        let pipe = || Err::<(), _>(io::Error::from(io::ErrorKind::BrokenPipe));
        let failure = Failure::from(pipe().context("cannot write").unwrap_err());
        assert!(failure.is_closed_pipe());
        assert!(!Failure::usage("no").is_closed_pipe());
    }

    #[test]
    fn words_without_color() {
        assert_eq!(line(Word::Hint, "try again", Color::Never), "hint: try again\n");
    }
}
