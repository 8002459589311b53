//! Other programs that can read what we cannot: Ghostscript for PostScript that is a program of its
//! own, and poppler's pdftotext for PDF in which our reader found nothing plausible.
//!
//! They are large, written in C, and run what strangers wrote. So each document gets a process of its
//! own, which is confined before it becomes the other program: it may read what is installed on the
//! machine, and its standard input; it may write its standard output, and nothing else.

use super::ended::Cost;
use super::process::{End, Process, Start, Then, Wanted};
use crate::limits::Limits;
use crate::orders::{HelperOrders, Orders, cpu_seconds};
use crate::unread::Unread;
use serde::Serialize;
use std::env;
use std::fs::Metadata;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A program that is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Helper {
    /// Runs PostScript; delivers letters with font, size and place, as XML of Ghostscript's own.
    Ghostscript,
    /// Reads PDF; delivers words with their boxes, as XHTML.
    Pdftotext,
}

/// What a helper delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Helped {
    /// What it wrote. It was made of a stranger's document, so it is for a reader to read.
    pub output: Vec<u8>,
    /// Why there is no more, if the helper did not come to the end.
    pub broken_off: Option<Unread>,
}

impl Helper {
    pub const ALL: [Helper; 2] = [Helper::Ghostscript, Helper::Pdftotext];

    /// As it is called on the command line.
    pub fn program(self) -> &'static str {
        match self {
            Helper::Ghostscript => "gs",
            Helper::Pdftotext => "pdftotext",
        }
    }

    /// The Debian package that has it.
    pub fn package(self) -> &'static str {
        match self {
            Helper::Ghostscript => "ghostscript",
            Helper::Pdftotext => "poppler-utils",
        }
    }

    fn arguments(self, pages: Option<u32>) -> Vec<String> {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        match self {
            Helper::Ghostscript => {
                // What the document prints must not get between the text.
                let mut arguments = words(
                    "-q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=txtwrite -dTextFormat=0 \
                     -sstdout=%stderr -sOutputFile=-",
                );
                arguments.extend(pages.map(|pages| format!("-dLastPage={pages}")));
                arguments.push("-".to_owned());
                arguments
            }
            Helper::Pdftotext => {
                let mut arguments = words("-bbox-layout -enc UTF-8");
                arguments.extend(pages.into_iter().flat_map(|pages| words(&format!("-l {pages}"))));
                arguments.extend(words("- -"));
                arguments
            }
        }
    }

    /// What it says when it gets no more memory.
    fn memory_words(self) -> &'static [&'static str] {
        match self {
            Helper::Ghostscript => &["VMerror", "Failed to allocate", "memory allocation"],
            Helper::Pdftotext => &["Out of memory", "bad_alloc"],
        }
    }

    fn version_arguments(self) -> &'static str {
        match self {
            Helper::Ghostscript => "--version",
            Helper::Pdftotext => "-v",
        }
    }
}

/// Where the helpers are on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HelperPrograms {
    ghostscript: Option<PathBuf>,
    pdftotext: Option<PathBuf>,
}

/// What there is to say about a helper to somebody who wonders why documents are not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HelperStatus {
    pub helper: Helper,
    /// `None`: not installed.
    pub program: Option<PathBuf>,
    /// As it calls itself; `None` also if it does not start.
    pub version: Option<String>,
    /// What to install.
    pub package: &'static str,
}

impl HelperPrograms {
    /// Looks where the shell would look.
    pub fn installed() -> HelperPrograms {
        let path = env::var_os("PATH").unwrap_or_default();
        HelperPrograms::within(env::split_paths(&path))
    }

    /// Looks into these directories, in this order.
    pub fn within(directories: impl IntoIterator<Item = PathBuf>) -> HelperPrograms {
        let directories: Vec<PathBuf> =
            directories.into_iter().filter(|directory| directory.is_absolute()).collect();
        let find = |helper: Helper| {
            let candidates = directories.iter().map(|directory| directory.join(helper.program()));
            candidates.filter_map(|file| file.canonicalize().ok()).find(|file| can_be_started(file))
        };
        HelperPrograms {
            ghostscript: find(Helper::Ghostscript),
            pdftotext: find(Helper::Pdftotext),
        }
    }

    /// Each with its version, for which it is started.
    pub fn status(&self) -> Vec<HelperStatus> {
        let status = |helper: Helper| {
            let program = self.get(helper).map(Path::to_owned);
            let version = program.as_deref().and_then(|program| version(helper, program));
            HelperStatus { helper, program, version, package: helper.package() }
        };
        Helper::ALL.map(status).into()
    }

    fn get(&self, helper: Helper) -> Option<&Path> {
        match helper {
            Helper::Ghostscript => self.ghostscript.as_deref(),
            Helper::Pdftotext => self.pdftotext.as_deref(),
        }
    }

    pub(super) fn find(&self, helper: Helper) -> Result<&Path, Unread> {
        self.get(helper).ok_or_else(|| Unread::NoHelper {
            program: helper.program().to_owned(),
            package: helper.package().to_owned(),
        })
    }
}

/// Orders name it, and orders are text.
fn can_be_started(file: &Path) -> bool {
    let metadata = file.metadata();
    let executable = |data: Metadata| data.is_file() && data.permissions().mode() & 0o111 != 0;
    file.to_str().is_some() && metadata.is_ok_and(executable)
}

/// `10.00.0`, or the first line of what it says about itself.
fn version(helper: Helper, program: &Path) -> Option<String> {
    let command = Command::new(program)
        .arg(helper.version_arguments())
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = if command.stdout.is_empty() { command.stderr } else { command.stdout };
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().next()?.trim();
    Some(line.strip_prefix("pdftotext version ").unwrap_or(line).to_owned())
}

pub(super) fn run(
    start: &Start,
    helper: Helper,
    program: &Path,
    limits: &Limits,
    bytes: &[u8],
    pages: Option<u32>,
) -> Result<Helped, Unread> {
    let orders = Orders::Helper(HelperOrders {
        program: program.to_owned(),
        arguments: helper.arguments(pages),
        memory: limits.helper_memory,
        cpu_seconds: cpu_seconds(limits.helper_time),
        parent: std::process::id(),
    });
    let mut process = Process::start(start, &orders)?;
    let deadline = Instant::now() + limits.helper_time;
    let listen = |output: &[u8]| {
        if output.len() as u64 > limits.helper_output { Wanted::Less } else { Wanted::More }
    };
    let heard = process.converse(&[bytes], Then::Close, deadline, listen);
    let broken_off = match heard.end {
        End::Satisfied | End::Closed => process.why_ended(&Cost {
            time: limits.helper_time,
            memory: limits.helper_memory,
            memory_words: helper.memory_words(),
        }),
        End::TimedOut => Some(Unread::TimedOut { limit: limits.helper_time }),
        End::TooMuch => Some(Unread::TooMuchText { limit: limits.helper_output }),
    };
    match broken_off {
        Some(unread) if heard.output.is_empty() => Err(unread),
        broken_off => Ok(Helped { output: heard.output, broken_off }),
    }
}
