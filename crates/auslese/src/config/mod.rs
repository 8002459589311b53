//! The configuration of a harvest: `auslese.toml`, a file for the network, and the command line.
//!
//! [`tables`] lists what can be set, [`reading`] compares files with that list, [`effective`] lays
//! the sources over each other, [`settings`] turns the result into what the stages take, and
//! [`template`] writes a new file.

mod changing;
mod corpus_table;
mod describe_table;
mod discover_table;
mod effective;
mod hidden_table;
mod language_table;
mod reading;
mod schema;
mod search_table;
mod serve_table;
mod settings;
mod source;
mod store_table;
mod tables;
mod template;
pub(crate) mod text_forms;

pub(crate) use changing::{corpus_lines, replace_file, with_corpus_rules};
pub(crate) use describe_table::DescribeTable;
pub(crate) use discover_table::DiscoverTable;
pub(crate) use effective::{Effective, Overrides};
pub(crate) use language_table::LanguageTable;
pub(crate) use search_table::TransferChoice;
pub(crate) use settings::{Config, Institution, database_login};
pub(crate) use source::{Problem, Source};
pub(crate) use store_table::depot_failure;
pub(crate) use template::write as write_template;

use crate::messages::{Complaint, Exit, Failure};
use anyhow::Context;
use std::path::{Path, PathBuf};

pub(crate) use auslese_harvest::CONFIG_FILE;

/// Configuration files larger than this are taken for something else.
const LARGEST_FILE: u64 = 16 << 20;

/// Which sources count for one command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sources {
    pub(crate) dir: PathBuf,
    /// A further file that holds a table `[net]` only.
    pub(crate) net_file: Option<PathBuf>,
    pub(crate) overrides: Overrides,
}

impl Sources {
    pub(crate) fn config_file(&self) -> PathBuf {
        // Nobody writes `./auslese.toml`, so messages do not either.
        if self.dir == Path::new(".") { CONFIG_FILE.into() } else { self.dir.join(CONFIG_FILE) }
    }

    /// Reads the sources; a missing `auslese.toml` is an empty one. Settings with problems keep
    /// the value they had.
    pub(crate) fn read(self) -> Result<(Effective, Vec<Problem>), Failure> {
        let mut effective = Effective::defaults();
        let mut problems = Vec::new();
        let file = self.config_file();
        if file.exists() {
            let source = read_source(&file)?;
            problems.extend(effective.overlay(&file, reading::read(&source)));
        }
        let named = effective.text_of("net.file").map(|file| self.dir.join(file));
        if let Some(file) = self.net_file.clone().or(named) {
            let source = read_source(&file)?;
            let admitted = |path: &str| {
                ["net", "discover"].into_iter().any(|table| {
                    path.strip_prefix(table)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                })
            };
            let reading = reading::read_tables(&source, admitted);
            problems.extend(effective.overlay(&file, reading));
        }
        effective.override_with(self.overrides);
        Ok((effective, problems))
    }

    /// Reads the sources for a command that needs all of them to be right.
    pub(crate) fn load(self) -> Result<Config, Failure> {
        let (effective, problems) = self.read()?;
        if !problems.is_empty() {
            return Err(failure_of(problems));
        }
        Config::from_effective(&effective)
    }
}

/// All problems of a configuration as one failure.
pub(crate) fn failure_of(problems: Vec<Problem>) -> Failure {
    let complaints = problems
        .into_iter()
        .map(|problem| {
            let hint = problem.hint.clone();
            Complaint { error: anyhow::Error::msg(problem.to_string()), hint }
        })
        .collect();
    Failure::all(Exit::Usage, complaints)
}

fn read_source(path: &Path) -> Result<Source, Failure> {
    let unreadable = |error: anyhow::Error| {
        Failure::new(Exit::Usage, error.context(format!("cannot read {}", path.display())))
    };
    let size = path.metadata().map_err(|cause| unreadable(cause.into()))?.len();
    if size > LARGEST_FILE {
        return Err(unreadable(anyhow::anyhow!("the file is too large for a configuration")));
    }
    let bytes = std::fs::read(path).context("the file cannot be opened").map_err(unreadable)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(path, text)),
        Err(cause) => {
            let valid = cause.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(cause.as_bytes()).into_owned();
            let hint = Some("save the file in UTF-8".to_owned());
            let source = Source::new(path, text);
            let problem = source.problem(valid..valid, "the file is not in UTF-8", hint);
            Err(failure_of(vec![problem]))
        }
    }
}
