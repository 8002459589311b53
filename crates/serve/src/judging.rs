//! The corpus judged again in the background, because somebody changed its rules: one harvest at a time each, and how it
//! goes can be seen.

use crate::site::Harvest;
use crate::steering::Configuration;
use auslese_harvest::{CorpusProgress, CorpusReport, CorpusWatching, HarvestError, build_corpus};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// How it stands with judging again.
#[derive(Debug, Clone)]
pub(crate) enum Judging {
    Working(CorpusProgress),
    Done(Box<CorpusReport>),
    /// Another command has the harvest: nothing was judged.
    InUse,
    Failed(String),
}

#[derive(Debug)]
enum Work {
    Working(watch::Receiver<CorpusProgress>),
    Over(Judging),
}

/// The work of all harvests, by their names.
#[derive(Debug, Default, Clone)]
pub(crate) struct Judges(Arc<Mutex<HashMap<String, Work>>>);

impl Judges {
    pub(crate) fn state(&self, harvest: &str) -> Option<Judging> {
        let works = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(match works.get(harvest)? {
            Work::Working(progress) => Judging::Working(*progress.borrow()),
            Work::Over(judging) => judging.clone(),
        })
    }

    /// Begins, unless it is at work already; whether it has begun. It goes on when the reader has left, and ends with
    /// the server: the next time goes on where it stopped.
    pub(crate) fn begin(
        &self,
        harvest: &Arc<Harvest>,
        configuration: &Arc<dyn Configuration>,
        leaving: watch::Receiver<bool>,
    ) -> bool {
        let (progress, watched) = watch::channel(CorpusProgress::default());
        let mut works = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(works.get(&harvest.name), Some(Work::Working(_))) {
            return false;
        }
        works.insert(harvest.name.clone(), Work::Working(watched));
        let (judges, harvest) = (self.clone(), harvest.clone());
        let configuration = configuration.clone();
        tokio::spawn(async move {
            let outcome =
                judge(&harvest, configuration, CorpusWatching { progress, stop: leaving }).await;
            let mut works = judges.0.lock().unwrap_or_else(PoisonError::into_inner);
            works.insert(harvest.name.clone(), Work::Over(outcome));
        });
        true
    }
}

async fn judge(
    harvest: &Harvest,
    configuration: Arc<dyn Configuration>,
    watching: CorpusWatching,
) -> Judging {
    // Lists and models of languages are read, which takes a moment.
    let job = tokio::task::spawn_blocking(move || configuration.corpus_job()).await;
    let job = match job.unwrap_or_else(|lost| Err(lost.to_string())) {
        Ok(job) => job,
        Err(words) => return Judging::Failed(words),
    };
    match build_corpus(&harvest.dir, job, watching).await {
        Ok(report) => Judging::Done(Box::new(report)),
        Err(HarvestError::InUse { .. }) => Judging::InUse,
        Err(error) => {
            tracing::error!("the corpus of {} was not judged: {error}", harvest.name);
            Judging::Failed(error.to_string())
        }
    }
}
