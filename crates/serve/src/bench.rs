//! Runs of the describing stage that were begun from a page: they go on when the reader has left, and end with the server.

use auslese_harvest::{
    DescribeJob, DescribeProgress, DescribeWatching, HarvestDir, HarvestError, describe_harvest,
};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tokio::sync::watch;

/// Runs that were begun from pages, one for each harvest at most.
#[derive(Debug, Default)]
pub(crate) struct Runs(Mutex<HashMap<String, Begun>>);

#[derive(Debug)]
struct Begun {
    progress: watch::Receiver<DescribeProgress>,
    ended: watch::Receiver<Option<Result<i64, String>>>,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RunState {
    Running(DescribeProgress),
    /// The number of the run.
    Done(i64),
    Failed(String),
}

impl Runs {
    /// What became of the run that was begun last.
    pub(crate) fn state(&self, harvest: &str) -> Option<RunState> {
        let begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = begun.get(harvest)?;
        let ended = begun.ended.borrow().clone();
        Some(match ended {
            None if begun.ended.has_changed().is_err() => {
                RunState::Failed("it ended without a word".to_owned())
            }
            None => RunState::Running(*begun.progress.borrow()),
            Some(Ok(run)) => RunState::Done(run),
            Some(Err(why)) => RunState::Failed(why),
        })
    }

    /// Begins a run in the background; false if one is under way.
    pub(crate) fn begin(
        &self,
        harvest: &str,
        dir: HarvestDir,
        job: DescribeJob,
        stop: watch::Receiver<bool>,
    ) -> bool {
        if matches!(self.state(harvest), Some(RunState::Running(_))) {
            return false;
        }
        let (progress, watched) = watch::channel(DescribeProgress::default());
        let (told, ended) = watch::channel(None);
        let begun = Begun { progress: watched, ended };
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        runs.insert(harvest.to_owned(), begun);
        tokio::spawn(async move {
            let watching = DescribeWatching { progress, stop };
            let report = describe_harvest(&dir, job, watching).await;
            told.send_replace(Some(report.map(|report| report.run.0).map_err(in_words)));
        });
        true
    }
}

fn in_words(error: HarvestError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    text
}
