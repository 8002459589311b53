//! The configuration of a harvest for the front end: read anew each time, and changed in its file.

use super::corpus::{CorpusArgs, corpus_job};
use super::describe::{self, DescribeArgs};
use crate::args::Place;
use crate::config::{Config, Overrides, corpus_lines, replace_file, with_corpus_rules};
use crate::messages::Failure;
use auslese_corpus::CorpusRules;
use auslese_harvest::CorpusJob;
use auslese_serve::{Configuration, CorpusSetup, DescribeSets};
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

#[derive(Debug)]
pub(super) struct PlaceConfiguration(pub(super) Place);

impl PlaceConfiguration {
    fn load(&self) -> Result<Config, String> {
        self.0.sources(Overrides::default()).load().map_err(words)
    }

    fn file(&self) -> PathBuf {
        self.0.sources(Overrides::default()).config_file()
    }

    /// What the file says; a missing one says nothing.
    fn text(&self) -> Result<String, String> {
        match fs::read_to_string(self.file()) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(format!("{}: {error}", self.file().display())),
        }
    }
}

impl Configuration for PlaceConfiguration {
    fn corpus(&self) -> Result<CorpusSetup, String> {
        let config = self.load()?;
        Ok(CorpusSetup { storing: config.archive.storing(), rules: config.corpus.rules })
    }

    fn corpus_lines(&self, rules: &CorpusRules) -> Result<String, String> {
        corpus_lines(&self.text()?, rules)
    }

    fn set_corpus(&self, rules: &CorpusRules) -> Result<(), String> {
        let (file, text) = (self.file(), with_corpus_rules(&self.text()?, rules)?);
        let written = match file.exists() {
            true => replace_file(&file, &text),
            false => fs::write(&file, text),
        };
        written.map_err(|error| format!("{}: {error}", file.display()))
    }

    fn corpus_job(&self) -> Result<CorpusJob, String> {
        let config = self.load()?;
        let dir = config.harvest_dir(self.0.dir()).map_err(words)?;
        corpus_job(&CorpusArgs::default(), &config, &dir).map_err(words)
    }

    fn describing(&self) -> Result<DescribeSets, String> {
        let (config, place) = (self.load()?, &self.0);
        Ok(DescribeSets {
            job: describe::job(&DescribeArgs::default(), &config, place).map_err(words)?,
            weights_file: describe::weights_file(&config.describe, place.dir()),
            paper_weights_file: describe::paper_weights_file(&config.describe, place.dir()),
        })
    }
}

fn words(failure: impl Into<Failure>) -> String {
    failure.into().to_string()
}
