//! `auslese status`: where a harvest stands, as archivists know the numbers.
//!
//! The counts come from the catalog and are those of the last commit; another process may crawl
//! meanwhile.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::crawl::harvest_failure;
use super::status_queues::Queues;
use super::status_store::StoreView;
use crate::args::Place;
use crate::config::{Config, Overrides};
use crate::messages::{Exit, Failure, Outcome};
use crate::progress::line;
use crate::{output, size_text};
use auslese_catalog::{Catalog, FailureGroup, HostCounts, RuleCounts, Status};
use auslese_harvest::{
    CrawlState, HarvestDir, SharedStanding, Standing, WorkerStanding, crawl_standing,
};
use auslese_model::{Keeping, State, Timestamp};
use clap::Args;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Duration;

/// Show where the harvest stands: queues, captures, corpus, failures
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatusArgs {
    /// Show it again every two seconds, until Ctrl-C
    #[arg(long)]
    watch: bool,

    /// How many hosts to list, those with the longest queues first
    #[arg(long, value_name = "N", default_value_t = 20)]
    hosts: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese status --dir giessen
  auslese status --dir giessen --watch
  auslese status --dir giessen --json | jq .requests.queued";

const WATCH_EVERY: Duration = Duration::from_secs(2);

/// What is shown.
#[derive(Debug)]
struct Overview {
    at: Timestamp,
    status: Status,
    queues: Queues,
    /// Documents by verdict; not asked again and again, because they are many.
    corpus: Option<RuleCounts>,
    /// How large the archive may become.
    archive_limit: Option<u64>,
    standing: Standing,
    /// Where archive files lie besides the folder.
    store: Option<StoreView>,
    /// URL templates that are quarantined.
    quarantined: u64,
}

pub(crate) fn run(args: &StatusArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        loop {
            let mut overview = overview(&catalog, &config, place.dir(), args.hosts).await?;
            overview.store = StoreView::of(&config, place.dir(), &catalog).await?;
            if !args.watch {
                overview.corpus = Some(catalog.rule_counts().await.map_err(catalog_failure)?);
            }
            show(&overview, args.json)?;
            if !args.watch {
                return Ok(Exit::Done);
            }
            tokio::time::sleep(WATCH_EVERY).await;
        }
    })
}

async fn overview(
    catalog: &Catalog,
    config: &Config,
    dir: &Path,
    hosts: usize,
) -> Result<Overview, Failure> {
    let dir = HarvestDir::open(dir).map_err(harvest_failure)?;
    Ok(Overview {
        at: Timestamp::now(),
        status: catalog.status().await.map_err(catalog_failure)?,
        queues: Queues {
            servers: catalog.server_queues(hosts).await.map_err(catalog_failure)?,
            budget: config.crawl.budget.clone(),
        },
        corpus: None,
        archive_limit: config.archive.max_size,
        store: None,
        standing: crawl_standing(&dir, catalog).await.map_err(harvest_failure)?,
        quarantined: catalog.quarantined_templates().await.map_err(catalog_failure)?,
    })
}

fn show(overview: &Overview, json: bool) -> Result<(), Failure> {
    if json { output::print_json(&as_json(overview)) } else { output::print(&as_text(overview)) }
}

fn as_text(overview: &Overview) -> String {
    let Overview { at, status, queues, corpus, archive_limit, standing, store, quarantined } =
        overview;
    let count = |state: State| status.requests.get(&state).copied().unwrap_or(0);
    let discovered: u64 = status.requests.values().sum();
    let row = |name: &str, value: String| [name.to_owned(), value];
    let mut rows = vec![
        row("at", at.to_second_text()),
        row("discovered", discovered.to_string()),
        row("queued", count(State::Queued).to_string()),
        row("waiting for a verdict", count(State::Parked).to_string()),
        row("downloaded", format!("{} ({})", status.captures, size_text::format(status.bytes))),
        row("failed", count(State::Failed).to_string()),
        row("refused by a rule", count(State::Refused).to_string()),
        row("hosts", format!("{} ({} with a queue)", status.servers, status.waiting_servers)),
        row("hosts judged", judged_text(&status.hosts)),
        row("answers", classes_text(status)),
        row("archive", archive_text(status, *archive_limit)),
    ];
    rows.extend(store.as_ref().map(|store| row("store", store.text())));
    rows.extend((*quarantined > 0).then(|| {
        row("traps", format!("{quarantined} quarantined; `auslese traps list` shows them"))
    }));
    rows.extend(corpus.as_ref().map(|counts| row("corpus", corpus_text(counts))));
    let mut text = output::columns(&rows);
    if let Some(sentence) = standing_text(standing) {
        text.push_str(&format!("\n{sentence}\n"));
    }
    if let Some(shared) = &standing.shared_stage {
        text.push_str(&format!("\n{}\n", shared_text(shared)));
    }
    text.push_str(&worker_table(&standing.workers));
    text.push_str(&queues.text(status, *at));
    text.push_str(&failure_table(&status.failures));
    text
}

/// How it stands with the crawl; nothing if the last one came to its end.
fn standing_text(standing: &Standing) -> Option<String> {
    let numbers = standing.numbers.as_ref().map_or("no numbers yet".to_owned(), line);
    let outcome = standing.run.as_ref().and_then(|run| run.outcome.as_deref());
    let last = standing.last_sign.map(Timestamp::to_second_text).unwrap_or_default();
    Some(match standing.state {
        CrawlState::Ended if outcome == Some("budget") => {
            "the last crawl ended because its budget was used up; a larger one goes on".to_owned()
        }
        CrawlState::Never | CrawlState::Ended => return None,
        CrawlState::Starting => "starting".to_owned(),
        CrawlState::Running | CrawlState::Paused => format!("running: {numbers}"),
        CrawlState::Stopping => format!("stopping: {numbers}"),
        CrawlState::Silent => format!("has said nothing since {last}: {numbers}"),
        CrawlState::Died => format!(
            "no crawl is running; the last one did not end by itself, its last sign of life was at {last}"
        ),
    })
}

/// Such as `describe: pages, 340 of 1200, by 3 workers`.
fn shared_text(shared: &SharedStanding) -> String {
    let SharedStanding { stage, phase, done, of, workers } = shared;
    match phase.is_empty() {
        true => format!("{stage}: beginning, by {workers} workers"),
        false => format!("{stage}: {phase}, {done} of {of}, by {workers} workers"),
    }
}

/// Who works together, below an empty line; nothing if one works alone.
fn worker_table(workers: &[WorkerStanding]) -> String {
    if workers.is_empty() {
        return String::new();
    }
    let head =
        ["worker", "machine", "does", "hosts", "downloaded", "data", "per second", "last heard"];
    let row = |worker: &WorkerStanding| {
        let does = match &worker.paused {
            Some(reason) => format!("paused: {reason}"),
            None => match &worker.phase {
                Some(phase) => format!("{}: {}, {phase}", worker.stage, worker.state.as_str()),
                None if worker.stage == "crawl" => worker.state.as_str().to_owned(),
                None => format!("{}: {}", worker.stage, worker.state.as_str()),
            },
        };
        [
            worker.name.clone(),
            format!("{} ({})", worker.machine, worker.process),
            does,
            worker.servers.to_string(),
            worker.captures.to_string(),
            size_text::format(worker.bytes),
            format!("{:.1}", worker.documents_per_second),
            worker.heartbeat.to_second_text(),
        ]
    };
    let rows: Vec<[String; 8]> =
        std::iter::once(head.map(str::to_owned)).chain(workers.iter().map(row)).collect();
    format!("\n{}", output::columns(&rows))
}

fn worker_json(worker: &WorkerStanding) -> Value {
    let mut json = serde_json::to_value(worker).unwrap_or_default();
    if let Some(fields) = json.as_object_mut() {
        fields.insert("run".to_owned(), json!(worker.run.map(|run| run.0)));
        fields.insert("started".to_owned(), json!(worker.started.to_string()));
        fields.insert("last_heard".to_owned(), json!(worker.heartbeat.to_string()));
    }
    json
}

/// Such as `1.2 GB in 3 files, 24 % of 5 GB`.
fn archive_text(status: &Status, limit: Option<u64>) -> String {
    let mut text =
        format!("{} in {} files", size_text::format(status.warc_bytes), status.warc_files);
    if status.stored_files > 0 {
        let stored = size_text::format(status.stored_bytes);
        text.push_str(&format!(", {stored} in {} files stored", status.stored_files));
    }
    match limit {
        Some(limit) => {
            let percent = fill(status, limit) * 100.0;
            format!("{text}, {percent:.0} % of {}", size_text::format(limit))
        }
        None => text,
    }
}

fn fill(status: &Status, limit: u64) -> f64 {
    status.warc_bytes as f64 / limit.max(1) as f64
}

/// Such as `146 kept, 134 left`.
fn corpus_text(counts: &RuleCounts) -> String {
    if counts.rules.is_empty() {
        return "not chosen yet".to_owned();
    }
    let mut parts = vec![
        format!("{} kept", counts.of(Keeping::Kept)),
        format!("{} left", counts.of(Keeping::Left)),
    ];
    let others =
        [(counts.of(Keeping::Unknown), "with headers only"), (counts.unjudged, "not judged yet")];
    let others = others.iter().filter(|(count, _)| *count > 0);
    parts.extend(others.map(|(count, words)| format!("{count} {words}")));
    parts.join(", ")
}

fn corpus_json(counts: &RuleCounts) -> Value {
    json!({
        "kept": counts.of(Keeping::Kept),
        "left": counts.of(Keeping::Left),
        "unknown": counts.of(Keeping::Unknown),
        "not_judged": counts.unjudged,
    })
}

/// What failed or was refused, by cause, below an empty line; nothing if nothing was.
pub(crate) fn failure_table<'a>(groups: impl IntoIterator<Item = &'a FailureGroup>) -> String {
    let rows: Vec<[String; 4]> = groups.into_iter().map(failure_row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = ["requests", "state", "cause", "example"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(head).chain(rows).collect();
    format!("\n{}", output::columns(&rows))
}

/// Captures by class of status, such as `11 with 2xx, 1 with 4xx`.
pub(crate) fn classes_text(status: &Status) -> String {
    let classes = status.status_classes();
    let parts: Vec<String> =
        classes.iter().map(|(class, count)| format!("{count} with {class}xx")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// Hosts by verdict, such as `33 member, 2 unsure, 20 foreign`.
fn judged_text(hosts: &HostCounts) -> String {
    let some = hosts.memberships.iter().filter(|(_, count)| **count > 0);
    let parts: Vec<String> =
        some.map(|(membership, count)| format!("{count} {membership}")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// Hosts by verdict, and members by case.
fn judged_json(hosts: &HostCounts) -> Value {
    let memberships = hosts.memberships.iter();
    let mut counts: Map<String, Value> =
        memberships.map(|(membership, count)| (membership.to_string(), json!(count))).collect();
    let cases = hosts.cases.iter();
    let cases: Map<String, Value> =
        cases.map(|(case, count)| (case.number().to_string(), json!(count))).collect();
    counts.insert("cases".to_owned(), Value::Object(cases));
    Value::Object(counts)
}

fn failure_row(group: &FailureGroup) -> [String; 4] {
    let cause = match group.detail.as_str() {
        "" => group.kind.words().to_owned(),
        detail => format!("{}: {detail}", group.kind.words()),
    };
    [group.requests.to_string(), group.state.as_str().to_owned(), cause, group.example.clone()]
}

fn as_json(overview: &Overview) -> Value {
    let Overview { at, status, queues, corpus, archive_limit, standing, store, quarantined } =
        overview;
    let running = standing.numbers.as_ref().filter(|_| standing.state.is_alive());
    let requests: Map<String, Value> = status
        .requests
        .iter()
        .map(|(state, count)| (state.as_str().to_owned(), json!(count)))
        .collect();
    let failures: Vec<Value> = status
        .failures
        .iter()
        .map(|group| {
            json!({
                "state": group.state,
                "cause": group.kind,
                "requests": group.requests,
                "example": group.example,
                "detail": group.detail,
            })
        })
        .collect();
    json!({
        "at": at.to_string(),
        "requests": requests,
        "captures": status.captures,
        "bytes": status.bytes,
        "hosts": { "known": status.servers, "waiting": status.waiting_servers, "leased": status.leased_servers },
        "verdicts": judged_json(&status.hosts),
        "statuses": status.statuses,
        "storage": status.storage,
        "archive": {
            "files": status.warc_files,
            "bytes": status.warc_bytes,
            "stored_files": status.stored_files,
            "stored_bytes": status.stored_bytes,
            "store": store,
            "max_bytes": archive_limit,
            "fill": archive_limit.map(|limit| fill(status, limit)),
        },
        "traps": { "quarantined": quarantined },
        "corpus": corpus.as_ref().map(corpus_json),
        "queues": queues.json(status, *at),
        "failures": failures,
        "crawl": {
            "state": standing.state,
            "run": standing.run.as_ref().map(|run| run.id.0),
            "last_sign": standing.last_sign.map(|at| at.to_string()),
        },
        "stage": standing.shared_stage,
        "workers": standing.workers.iter().map(worker_json).collect::<Vec<_>>(),
        "running": running,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_catalog::{RuleCount, ServerQueue};
    use auslese_crawl::BudgetSettings;
    use auslese_harvest::{Numbers, WorkerState};
    use auslese_model::{Case, CauseKind, Clock, CorpusRule, Membership, Origin, RunId, ServerId};

    fn overview() -> Overview {
        let at = Timestamp(1_794_778_800_000_000);
        let clock = Clock {
            server: ServerId(1),
            address: None,
            last_end: at,
            next_at: at.plus(Duration::from_secs(3)),
            delay: Duration::from_secs(2),
            failures: 0,
        };
        Overview {
            at,
            store: None,
            status: Status {
                requests: [(State::Queued, 30), (State::Done, 12), (State::Failed, 2)].into(),
                servers: 2,
                waiting_servers: 1,
                captures: 12,
                bytes: 345_678,
                hosts: HostCounts {
                    memberships: [(Membership::Member, 33), (Membership::Foreign, 20)].into(),
                    cases: [(Case::InternalLinked, 11)].into(),
                    in_range: 13,
                },
                statuses: [(200, 10), (206, 1), (404, 1)].into(),
                warc_files: 1,
                warc_bytes: 98_765,
                failures: vec![FailureGroup {
                    state: State::Failed,
                    kind: CauseKind::ALL[0],
                    requests: 2,
                    example: "http://a.example/\x1b[2J".to_owned(),
                    detail: "no answer".to_owned(),
                }],
                ..Status::default()
            },
            queues: Queues {
                servers: vec![ServerQueue {
                    server: ServerId(1),
                    origin: Origin::parse("http://www.uni.example").unwrap(),
                    label: Some("GI".to_owned()),
                    software: None,
                    clock,
                    queued: 30,
                    captures: 12,
                    bytes: 345_678,
                    leased_by: None,
                    leased_until: None,
                }],
                budget: BudgetSettings::default(),
            },
            corpus: Some(RuleCounts {
                rules: vec![RuleCount {
                    keeping: Keeping::Kept,
                    rule: CorpusRule::All,
                    documents: 10,
                    bytes: 300_000,
                }],
                unjudged: 34,
            }),
            archive_limit: Some(200_000),
            quarantined: 2,
            standing: Standing {
                at,
                state: CrawlState::Running,
                run: None,
                numbers: Some(Numbers { downloaded: 12, ..Numbers::default() }),
                last_sign: Some(at),
                other_stage: None,
                shared_stage: None,
                workers: vec![WorkerStanding {
                    name: "w1".to_owned(),
                    stage: "crawl".to_owned(),
                    phase: None,
                    machine: "lab".to_owned(),
                    process: 77,
                    state: WorkerState::Waiting,
                    run: Some(RunId(4)),
                    started: at,
                    heartbeat: at,
                    servers: 3,
                    captures: 12,
                    bytes: 345_678,
                    documents_per_second: 1.25,
                    paused: None,
                    numbers: None,
                }],
            },
        }
    }

    #[test]
    fn text_for_people() {
        let text = as_text(&overview());
        for line in [
            "discovered             44",
            "downloaded             12 (345.7 KB)",
            "hosts judged           33 member, 20 foreign",
            "answers                11 with 2xx, 1 with 4xx",
            "archive                98.8 KB in 1 files, 49 % of 200 KB",
            "traps                  2 quarantined; `auslese traps list` shows them",
            "corpus                 10 kept, 0 left, 34 not judged yet",
            "http://www.uni.example  30      12          345.7 KB  in 3s",
            "w1      lab (77)  waiting  3      12          345.7 KB  1.2         2026-11-15T21:40:00Z",
        ] {
            assert!(text.contains(&format!("{line}\n")), "{line}\n in \n{text}");
        }
        assert!(!text.contains('\x1b'), "addresses from the web do nothing to the terminal");
    }

    #[test]
    fn json_for_programs() {
        let json = as_json(&overview());
        assert_eq!(json["requests"]["queued"], 30);
        assert_eq!(json["queues"][0]["host"], "http://www.uni.example");
        assert_eq!(json["failures"][0]["requests"], 2);
        assert_eq!(json["verdicts"]["member"], 33);
        assert_eq!(json["verdicts"]["cases"]["1"], 11);
        assert_eq!(json["running"]["downloaded"], 12);
        assert_eq!(json["corpus"]["kept"], 10);
        assert_eq!(json["archive"]["max_bytes"], 200_000);
        assert_eq!(json["workers"][0]["state"], "waiting");
        assert_eq!(json["workers"][0]["run"], 4);
    }
}
