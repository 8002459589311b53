//! The corpus by several workers: bodies are read out, short texts looked at again and versions compared
//! by all of them, because that needs the bodies; what looks at all documents is done by one.
//!
//! | phase | who | what |
//! |---|---|---|
//! | bodies | all | stored bodies are read out |
//! | languages | one | the language of each server, by all that was read out |
//! | short texts | all | texts too short to speak for themselves are looked at again |
//! | verdicts | one | copies, templates, logical documents; judging; the mirror |
//! | versions | all | documents are compared with their last versions |
//! | words | one | the words of the newest round are counted |

use super::examining::{AGAIN, Examined, Examiner, UNSETTLED, examine_batch};
use super::settling::{SiteLanguages, settle_between, settle_rest};
use super::{
    CorpusJob, CorpusProgress, CorpusReport, CorpusStep, CorpusWatching, count_words, forget_words,
    judge_all, versions,
};
use crate::directory::HarvestDir;
use crate::job::Sharing;
use crate::patience::patiently;
use crate::shared_stage::{Done, Entered, SharedStage, StageWorker, Teller};
use crate::{Doing, HarvestError};
use auslese_catalog::{Catalog, Company, Division, NewRun, RoundId, StageBatch, StageWork};
use auslese_corpus::READER;
use auslese_model::{CaptureId, RequestId, RunId, ServerId, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::watch;

const BODIES: i64 = 1;
const LANGUAGES: i64 = 2;
const SHORT_TEXTS: i64 = 3;
const VERDICTS: i64 = 4;
const VERSIONS: i64 = 5;
const WORDS: i64 = 6;

/// Builds the corpus together with whoever else is at it.
pub fn build_corpus_together<'a>(
    dir: &'a HarvestDir,
    job: &'a CorpusJob,
    sharing: Sharing,
    watching: CorpusWatching,
) -> Doing<'a, CorpusReport> {
    Box::pin(async move {
        let _lock = dir.lock()?;
        let started = Instant::now();
        let CorpusWatching { progress, stop } = watching;
        let worker = StageWorker::new(job.worker.clone(), sharing);
        let (recogniser, canonical) = (job.recogniser.clone(), job.canonical.clone());
        let mut stage = Building {
            dir,
            job,
            examiner: Arc::new(Examiner::new(dir.holdings(), recogniser, canonical)),
            sites: None,
            progress,
            report: CorpusReport::default(),
            started,
        };
        let (place, settings) = (&job.catalog, &job.catalog_settings);
        let entered = Entered::new(dir, place, settings, &worker, &mut stage).await?;
        let catalog = entered.catalog.clone();
        let together = entered.work(&mut stage, stop).await?;
        let work = together.work.number;
        let mut report = stage.report;
        let mut here = 0;
        for (by, result) in patiently(async || catalog.batch_results(work, BODIES).await).await? {
            let one: Examined = serde_json::from_str(&result).unwrap_or_default();
            here += if by == worker.name { one.bodies } else { 0 };
            report.examined += one.bodies;
        }
        report.here = Some(here);
        for (_, result) in patiently(async || catalog.batch_results(work, VERDICTS).await).await? {
            let verdicts: Verdicts = serde_json::from_str(&result).unwrap_or_default();
            (report.requeued, report.judge_seconds) = (verdicts.requeued, verdicts.seconds);
            let counted = patiently(async || catalog.rule_counts().await).await?.rules;
            report.rules =
                counted.into_iter().map(|it| ((it.keeping, it.rule), it.documents)).collect();
        }
        catalog.close().await;
        report.stopped = together.stopped;
        report.seconds = started.elapsed().as_secs_f64();
        if report.examine_seconds == 0.0 {
            report.examine_seconds = report.seconds;
        }
        Ok(report)
    })
}

/// What is noted when all documents are judged.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Verdicts {
    requeued: u64,
    seconds: f64,
}

struct Building<'a> {
    dir: &'a HarvestDir,
    job: &'a CorpusJob,
    examiner: Arc<Examiner>,
    /// As they were noted for all workers.
    sites: Option<SiteLanguages>,
    progress: watch::Sender<CorpusProgress>,
    report: CorpusReport,
    started: Instant,
}

impl SharedStage for Building<'_> {
    const COMPANY: Company = Company::Corpus;

    fn job(&self) -> String {
        let CorpusJob { rules, canonical, storing, mirror, again, .. } = self.job;
        let version = env!("CARGO_PKG_VERSION");
        format!("{version} {READER} {again} {mirror} {rules:?} {canonical:?} {storing:?}")
    }

    async fn begin(&mut self, catalog: &Catalog) -> Result<(RunId, String), HarvestError> {
        let run = NewRun {
            stage: "corpus",
            worker: &self.job.worker,
            config: &self.job.config_text,
            at: Timestamp::now(),
        };
        Ok((catalog.begin_run(run).await?, String::new()))
    }

    async fn enter(
        &mut self,
        _catalog: &Catalog,
        _work: &StageWork,
        _worker: &str,
    ) -> Result<(), HarvestError> {
        self.sites = None;
        Ok(())
    }

    async fn division(
        &mut self,
        catalog: &Catalog,
        _work: &StageWork,
        phase: i64,
    ) -> Result<Option<Division>, HarvestError> {
        Ok(match phase {
            BODIES => Some(Division::Unexamined { reader: self.reader() }),
            SHORT_TEXTS => Some(Division::ReadBy { reader: UNSETTLED }),
            VERSIONS => {
                let round = newest_round(catalog).await?.unwrap_or(RoundId(0));
                Some(Division::Uncompared { round })
            }
            LANGUAGES | VERDICTS | WORDS => Some(Division::Whole),
            _ => None,
        })
    }

    async fn carry_out(
        &mut self,
        catalog: &Catalog,
        work: &StageWork,
        batch: &StageBatch,
        halt: &watch::Receiver<bool>,
    ) -> Result<Done, HarvestError> {
        if batch.phase != BODIES && self.report.examine_seconds == 0.0 {
            self.report.examine_seconds = self.started.elapsed().as_secs_f64();
        }
        // Of what is divided, the whole is told, not a batch.
        let (unheard, _) = watch::channel(CorpusProgress::default());
        let aside = CorpusWatching { progress: unheard, stop: halt.clone() };
        let watched = CorpusWatching { progress: self.progress.clone(), stop: halt.clone() };
        let archive = self.dir.holdings();
        let between = (RequestId(batch.first - 1), RequestId(batch.last));
        let round = newest_round(catalog).await?;
        match batch.phase {
            BODIES => {
                let at_once = usize::try_from(batch.items).unwrap_or(usize::MAX);
                let before = CaptureId(batch.first - 1);
                let mut bodies = catalog.contents_missing(before, at_once, self.reader()).await?;
                bodies.retain(|stored| stored.capture.id.0 <= batch.last);
                examine_batch(&self.examiner, catalog, bodies).await?;
                return Ok(Done::Stored);
            }
            LANGUAGES => {
                let mut examined = Examined::default();
                for (_, result) in catalog.batch_results(work.number, BODIES).await? {
                    examined.add(serde_json::from_str(&result).unwrap_or_default());
                }
                if examined.bodies > 0 {
                    forget_words(catalog, round).await?;
                }
                let sites = match examined.short {
                    0 => SiteLanguages::new(),
                    _ => catalog.site_languages().await?,
                };
                let sites: Vec<(i64, String)> =
                    sites.into_iter().map(|(server, language)| (server.0, language)).collect();
                return Ok(Done::Finished(serde_json::to_string(&sites).unwrap_or_default()));
            }
            SHORT_TEXTS => {
                let sites = self.sites(catalog, work).await?;
                let (examiner, of) = (&self.examiner, batch.items);
                settle_between(examiner, catalog, &sites, between, of, &aside).await?;
                self.sites = Some(sites);
            }
            VERDICTS => {
                settle_rest(catalog).await?;
                let report = &mut self.report;
                judge_all(self.dir, self.job, catalog, round, &watched, report).await?;
                let (requeued, seconds) = (report.requeued, report.judge_seconds);
                let verdicts = Verdicts { requeued, seconds };
                return Ok(Done::Finished(serde_json::to_string(&verdicts).unwrap_or_default()));
            }
            VERSIONS => {
                if let Some(round) = round {
                    versions::compare_between(catalog, &archive, round, between, &aside).await?;
                }
            }
            _ => {
                if let Some(round) = round {
                    count_words(catalog, &archive, round, &watched).await?;
                }
            }
        }
        Ok(Done::Finished(String::new()))
    }

    async fn end(&mut self, catalog: &Catalog, run: RunId) -> Result<(), HarvestError> {
        Ok(catalog.end_run(run, "done", Timestamp::now()).await?)
    }

    fn phase_word(phase: i64) -> &'static str {
        match phase {
            BODIES => "bodies",
            LANGUAGES => "languages",
            SHORT_TEXTS => "short texts",
            VERDICTS => "verdicts",
            VERSIONS => "versions",
            WORDS => "words",
            _ => "",
        }
    }

    fn teller(&self) -> Teller {
        let progress = self.progress.clone();
        Box::new(move |now, rate| {
            let step = match now.phase {
                BODIES => CorpusStep::Examine,
                SHORT_TEXTS => CorpusStep::Settle,
                VERSIONS => CorpusStep::Compare,
                // Whoever does them tells of them.
                _ => return,
            };
            let (done, of, here) = (now.done, now.items, Some(now.own));
            progress.send_replace(CorpusProgress { step, done, of, rate, here });
        })
    }
}

impl Building<'_> {
    fn reader(&self) -> u32 {
        if self.job.again { AGAIN } else { READER }
    }

    /// The languages of the servers, as one worker has noted them for all.
    async fn sites(
        &mut self,
        catalog: &Catalog,
        work: &StageWork,
    ) -> Result<SiteLanguages, HarvestError> {
        if let Some(sites) = self.sites.take() {
            return Ok(sites);
        }
        let noted = catalog.batch_results(work.number, LANGUAGES).await?.pop();
        let (_, noted) = noted.unwrap_or_default();
        let noted: Vec<(i64, String)> = serde_json::from_str(&noted).unwrap_or_default();
        Ok(noted.into_iter().map(|(server, name)| (ServerId(server), name)).collect())
    }
}

async fn newest_round(catalog: &Catalog) -> Result<Option<RoundId>, HarvestError> {
    Ok(catalog.rounds().await?.pop().map(|round| round.id))
}
