//! Whether a crawl runs, for those who watch it from another process, and what was left for it.
//!
//! A crawl that was killed leaves a run without an end behind, so the catalog alone cannot tell a crawl that lives from
//! one that died. Three signs together do: the harvest is held by a process, that process is at this very run, and the
//! run has told its numbers within the last seconds. Where one is missing, no crawl is claimed to run.

use crate::HarvestError;
use crate::directory::{HarvestDir, Holder};
use crate::numbers::Numbers;
use crate::runs_log::{LastWord, last_word};
use crate::stopping::run_to_stop;
use crate::worker_standing::{
    SharedStanding, WorkerStanding, among_workers, shared_standing, worker_standings,
};
use auslese_catalog::{Catalog, Control, Location, Run};
use auslese_model::{RunId, Timestamp};
use serde::Serialize;
use std::time::Duration;

/// The stage whose runs are crawls.
const CRAWL: &str = "crawl";
/// A crawl tells its numbers every second; after this time without a word it counts as silent.
const SILENCE: Duration = Duration::from_secs(10);

/// How it stands with the newest crawl of a harvest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CrawlState {
    /// Nothing was crawled here.
    Never,
    /// It brings the harvest into order and has told nothing yet.
    Starting,
    Running,
    Paused,
    /// It finishes what is under way.
    Stopping,
    /// Its process holds the harvest, but has told nothing for a while.
    Silent,
    /// It ended by itself.
    Ended,
    /// It did not end by itself, and no process is at it.
    Died,
}

impl CrawlState {
    /// Whether a process is at it.
    pub fn is_alive(self) -> bool {
        use CrawlState::{Paused, Running, Silent, Starting, Stopping};
        matches!(self, Starting | Running | Paused | Stopping | Silent)
    }
}

/// The newest crawl of a harvest as others see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub at: Timestamp,
    pub state: CrawlState,
    /// None if nothing was crawled here.
    pub run: Option<Run>,
    /// What it has told last.
    pub numbers: Option<Numbers>,
    /// When something was heard of it last.
    pub last_sign: Option<Timestamp>,
    /// The word of another command that has the harvest; `other` if it has told nothing of itself.
    pub other_stage: Option<String>,
    /// A stage other than the crawl that workers are at.
    pub shared_stage: Option<SharedStanding>,
    /// Those who crawl or are at another stage, or were so last, where several can.
    pub workers: Vec<WorkerStanding>,
}

/// Looks how it stands with the newest crawl.
pub async fn crawl_standing(dir: &HarvestDir, catalog: &Catalog) -> Result<Standing, HarvestError> {
    // In this order: a crawl that ends meanwhile has noted its end before it lets go.
    let holder = match dir.holder()? {
        Holder::Nobody if catalog.is_held().await? => Held::Elsewhere,
        Holder::Nobody => Held::No,
        Holder::Process { run } => Held::Here { run: run.map(|run| run.0) },
    };
    let runs = catalog.runs().await?;
    let crawl = runs.iter().find(|run| run.stage == CRAWL);
    let word = match crawl {
        Some(run) => last_word(&dir.runs(), run.id)
            .map_err(|cause| HarvestError::Io { path: dir.runs(), cause })?,
        None => None,
    };
    let mut found = standing(Timestamp::now(), holder, &runs, word);
    if let Location::Server(_) = catalog.location() {
        let now = catalog.time().await?;
        let workers = catalog.workers().await?;
        found.workers = worker_standings(&workers, now);
        found = among_workers(found, &runs);
        found.shared_stage = shared_standing(&workers, now);
        if let Some(shared) = &found.shared_stage {
            found.other_stage = Some(shared.stage.clone());
        }
    }
    Ok(found)
}

/// Who has the harvest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Held {
    No,
    /// A process that sees the same directory, and the run it noted.
    Here {
        run: Option<i64>,
    },
    /// A process on another machine, by the database server.
    Elsewhere,
}

/// `runs` are the newest first.
fn standing(now: Timestamp, held: Held, runs: &[Run], word: Option<LastWord>) -> Standing {
    let newest = runs.first();
    let crawl = runs.iter().find(|run| run.stage == CRAWL);
    let is_newest = |run: &Run| newest.is_some_and(|it| it.id == run.id);
    let is_recent = |word: &LastWord| now.since(word.at) <= SILENCE;
    let is_alive = crawl.is_some_and(|run| {
        run.ended.is_none()
            && match held {
                Held::No => false,
                Held::Here { run: Some(noted) } => noted == run.id.0,
                // It could not note its run, or is another command: then only its own word counts.
                Held::Here { run: None } => is_newest(run) && word.as_ref().is_some_and(is_recent),
                Held::Elsewhere => is_newest(run),
            }
    });
    let numbers = word.as_ref().and_then(|word| word.numbers.clone());
    let state = match crawl {
        None => CrawlState::Never,
        Some(run) if run.ended.is_some() => CrawlState::Ended,
        Some(_) if !is_alive => CrawlState::Died,
        Some(_) => living_state(word.as_ref(), held == Held::Elsewhere, &is_recent),
    };
    let other_stage = (held != Held::No && !is_alive).then(|| match newest {
        Some(run) if run.ended.is_none() && Some(run.id) != crawl.map(|it| it.id) => {
            run.stage.clone()
        }
        _ => "other".to_owned(),
    });
    let started = crawl.map(|run| run.started);
    let last_sign = started.max(word.map(|word| word.at)).max(crawl.and_then(|run| run.ended));
    let workers = Vec::new();
    Standing {
        at: now,
        state,
        run: crawl.cloned(),
        numbers,
        last_sign,
        other_stage,
        shared_stage: None,
        workers,
    }
}

fn living_state(
    word: Option<&LastWord>,
    is_elsewhere: bool,
    is_recent: &dyn Fn(&LastWord) -> bool,
) -> CrawlState {
    match word {
        // The numbers of a crawl on another machine lie there.
        None if is_elsewhere => CrawlState::Running,
        None => CrawlState::Starting,
        Some(word) if !is_elsewhere && !is_recent(word) => CrawlState::Silent,
        Some(word) => match &word.numbers {
            None => CrawlState::Starting,
            Some(numbers) if numbers.stopping => CrawlState::Stopping,
            Some(numbers) if numbers.paused.is_some() => CrawlState::Paused,
            Some(_) => CrawlState::Running,
        },
    }
}

/// What was left for crawls and holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NotesLeft {
    pub exclusions: Vec<ExclusionInForce>,
    /// A pause that no crawl has followed yet: the next one begins with it.
    pub pause_waits: bool,
    /// The run that was asked to stop, and has not followed yet.
    pub stop_asked: Option<RunId>,
}

/// An exclusion, and what it has dropped so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExclusionInForce {
    pub number: i64,
    pub test: String,
    #[serde(skip)]
    pub since: Timestamp,
    pub dropped: u64,
}

/// Reads what was left for crawls.
pub async fn notes_left(catalog: &Catalog) -> Result<NotesLeft, HarvestError> {
    let notes = catalog.read_control().await?;
    let last = notes.iter().rfind(|note| ["pause", "resume"].contains(&note.kind.as_str()));
    let pause_waits = last.is_some_and(|note| note.kind == "pause");
    let stop_asked = notes.iter().filter_map(run_to_stop).max();
    let exclusions: Vec<&Control> = notes.iter().filter(|note| note.kind == "exclude").collect();
    if exclusions.is_empty() {
        return Ok(NotesLeft { exclusions: Vec::new(), pause_waits, stop_asked });
    }
    let dropped = catalog.excluded_counts().await?;
    let exclusions = exclusions.into_iter().filter_map(|note| {
        let test = note.body.get("test")?.as_str()?.to_owned();
        let dropped = dropped.get(&test).copied().unwrap_or(0);
        Some(ExclusionInForce { number: note.id, since: note.written_at, dropped, test })
    });
    Ok(NotesLeft { exclusions: exclusions.collect(), pause_waits, stop_asked })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_800_000_000_000_000);

    fn run(id: i64, stage: &str, ended: bool) -> Run {
        Run {
            id: RunId(id),
            stage: stage.to_owned(),
            worker: String::new(),
            started: NOW.minus(Duration::from_secs(3600)),
            ended: ended.then_some(NOW.minus(Duration::from_secs(60))),
            outcome: ended.then(|| "done".to_owned()),
            config_digest: String::new(),
            program_version: String::new(),
            last_window: 0,
        }
    }

    fn word(seconds_ago: u64, change: impl FnOnce(&mut Numbers)) -> Option<LastWord> {
        let mut numbers = Numbers::default();
        change(&mut numbers);
        let at = NOW.minus(Duration::from_secs(seconds_ago));
        Some(LastWord { at, numbers: Some(numbers) })
    }

    #[test]
    fn only_what_lives_is_said_to_live() {
        use CrawlState::*;
        let paused = |numbers: &mut Numbers| numbers.paused = Some("disk".to_owned());
        let stopping = |numbers: &mut Numbers| numbers.stopping = true;
        let (open, over) = (|| run(5, "crawl", false), || run(5, "crawl", true));
        let corpus = || run(6, "corpus", false);
        let here = |run| Held::Here { run };
        #[rustfmt::skip]
        let cases = [
            // held          runs                     last word             state     other
            (Held::No,       vec![],                  None,                 Never,    None),
            (here(None),     vec![],                  None,                 Never,    Some("other")),
            (here(Some(5)),  vec![open()],            None,                 Starting, None),
            (here(Some(5)),  vec![open()],            word(1, |_| {}),      Running,  None),
            (here(Some(5)),  vec![open()],            word(1, paused),      Paused,   None),
            (here(Some(5)),  vec![open()],            word(1, stopping),    Stopping, None),
            (here(Some(5)),  vec![open()],            word(60, |_| {}),     Silent,   None),
            (Held::No,       vec![open()],            word(1, |_| {}),      Died,     None),
            (Held::No,       vec![over()],            word(60, |_| {}),     Ended,    None),
            // The next crawl has the harvest, and has not noted its run yet.
            (here(None),     vec![open()],            word(60, |_| {}),     Died,     Some("other")),
            // Its process could not note anything.
            (here(None),     vec![open()],            word(1, |_| {}),      Running,  None),
            (here(None),     vec![corpus(), open()],  word(60, |_| {}),     Died,     Some("corpus")),
            (here(None),     vec![corpus(), over()],  word(60, |_| {}),     Ended,    Some("corpus")),
            (here(Some(7)),  vec![open()],            word(1, |_| {}),      Died,     Some("other")),
            (Held::Elsewhere, vec![open()],           None,                 Running,  None),
            (Held::Elsewhere, vec![corpus(), open()], None,                 Died,     Some("corpus")),
        ];
        for (held, runs, word, state, other) in cases {
            let found = standing(NOW, held, &runs, word.clone());
            let told = (found.state, found.other_stage.as_deref());
            assert_eq!(told, (state, other), "{held:?} {runs:?} {word:?}");
        }
    }

    #[test]
    fn the_last_sign_of_life() {
        let found = standing(NOW, Held::No, &[run(5, "crawl", false)], word(60, |_| {}));
        assert_eq!(found.last_sign, Some(NOW.minus(Duration::from_secs(60))));
        let silent = standing(NOW, Held::No, &[run(5, "crawl", false)], None);
        assert_eq!(silent.last_sign, Some(NOW.minus(Duration::from_secs(3600))));
    }
}
