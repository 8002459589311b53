//! `auslese crawl`: fetches and archives, shows how it goes, and says how it ended.

use super::catalog_access::catalog_failure;
use super::crawl_plan::{CrawlArgs, Plan};
use super::init::write_new;
use super::seed_fates::no_seed_fetched;
use super::status::failure_table;
use crate::args::Place;
use crate::config::depot_failure;
use crate::interrupt::watch_for_interrupts;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use crate::progress::{Progress, Wish};
use crate::size_text;
use auslese_harvest::{
    CrawlEnd, CrawlReport, DepositReport, HarvestDir, HarvestError, Numbers, Watching, crawl,
};
use auslese_model::State;
use std::io;
use tokio::sync::watch;

pub(crate) fn run(args: &CrawlArgs, place: &Place, color: Color) -> Outcome {
    follow(args.plan(place)?, place, color)
}

/// The same for everything that was fetched before.
pub(crate) fn run_again(args: &CrawlArgs, place: &Place, color: Color) -> Outcome {
    follow(Plan { recrawl: true, ..args.plan(place)? }, place, color)
}

fn follow(plan: Plan, place: &Place, color: Color) -> Outcome {
    let dir = HarvestDir::create(&plan.dir).map_err(harvest_failure)?;
    if let Some(text) = &plan.new_config {
        write_new(&dir.config(), text)?;
        tell_new_config(&dir, &plan, color);
    }
    for remark in &plan.originals.remarks {
        say(Word::Note, format!("seeds: {remark}"), color);
    }
    let report = carry_out(&plan, &dir, color)?;
    tell_end(&report, &plan, color)?;
    if let Some(failure) = no_seed_fetched(&report, &plan)? {
        return Err(failure);
    }
    if failed(&report) > 0 {
        let dir =
            place.dir.as_ref().map_or(String::new(), |dir| format!(" --dir {}", dir.display()));
        let message = format!("`auslese explain URL{dir}` tells all that is known of a request");
        say(Word::Hint, message, color);
    }
    Ok(exit_of(&report))
}

fn tell_new_config(dir: &HarvestDir, plan: &Plan, color: Color) {
    if plan.wish != Wish::Quiet {
        let file = dir.config();
        // Nobody writes `./auslese.toml`.
        let file = file.strip_prefix(".").unwrap_or(&file);
        say(Word::Note, format!("wrote {}", file.display()), color);
    }
}

/// Does what a plan says, with progress shown and Ctrl-C heard.
pub(crate) fn carry_out(
    plan: &Plan,
    dir: &HarvestDir,
    color: Color,
) -> Result<CrawlReport, Failure> {
    let dir = plan.config.with_store(dir.clone())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(conduct(plan, &dir, color))
}

async fn conduct(plan: &Plan, dir: &HarvestDir, color: Color) -> Result<CrawlReport, Failure> {
    let job = plan.job(dir)?;
    let crawling = async |watching| crawl(dir, job, watching).await.map_err(harvest_failure);
    let (report, progress) = shown(plan.wish, color, crawling).await?;
    progress.finish(&report.numbers, end_word(&report.end))?;
    Ok(report)
}

/// Does something that fetches, with progress shown and Ctrl-C heard.
pub(super) fn watched<T>(
    wish: Wish,
    color: Color,
    work: impl AsyncFnOnce(Watching) -> Result<T, Failure>,
    report: impl FnOnce(&T) -> Option<&CrawlReport>,
) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let (done, progress) = shown(wish, color, work).await?;
        if let Some(report) = report(&done) {
            progress.finish(&report.numbers, end_word(&report.end))?;
            tell_waiting(report.deposited.as_ref(), color);
        }
        Ok(done)
    })
}

async fn shown<T>(
    wish: Wish,
    color: Color,
    work: impl AsyncFnOnce(Watching) -> Result<T, Failure>,
) -> Result<(T, Progress), Failure> {
    let stop = watch_for_interrupts(color)?;
    let (numbers, shown) = watch::channel(Numbers::default());
    let showing = tokio::spawn(show(Progress::new(wish), shown));
    let done = work(Watching { numbers, stop }).await?;
    // The display ends with the work, which held the other end of the numbers.
    Ok((done, showing.await??))
}

async fn show(
    mut progress: Progress,
    mut numbers: watch::Receiver<Numbers>,
) -> io::Result<Progress> {
    while numbers.changed().await.is_ok() {
        let now = numbers.borrow_and_update().clone();
        progress.show(&now)?;
    }
    Ok(progress)
}

fn end_word(end: &CrawlEnd) -> &'static str {
    match end {
        CrawlEnd::Done => "done",
        CrawlEnd::Budget(_) => "budget",
        CrawlEnd::Stopped => "stopped",
    }
}

fn exit_of(report: &CrawlReport) -> Exit {
    match report.end {
        CrawlEnd::Stopped => Exit::Interrupted,
        CrawlEnd::Done | CrawlEnd::Budget(_) if failed(report) > 0 || waits(report) => {
            Exit::Failures
        }
        CrawlEnd::Done | CrawlEnd::Budget(_) => Exit::Done,
    }
}

/// Whether archive files should be in the store and are not.
fn waits(report: &CrawlReport) -> bool {
    report.deposited.as_ref().is_some_and(|deposited| !deposited.waiting.is_empty())
}

/// Requests of the whole harvest that remain failed, whichever run tried them last.
fn failed(report: &CrawlReport) -> u64 {
    report.status.requests.get(&State::Failed).copied().unwrap_or(0)
}

fn tell_end(report: &CrawlReport, plan: &Plan, color: Color) -> Result<(), Failure> {
    if plan.wish == Wish::People {
        output::print(&summary(report))?;
    }
    match &report.end {
        CrawlEnd::Done if report.numbers.queued > 0 => {
            let message = "what is still queued belongs to servers that cannot be asked now; a \
                           later crawl goes on with it";
            say(Word::Note, message, color);
        }
        CrawlEnd::Done => {}
        CrawlEnd::Budget(budget) => {
            let message = format!("the budget of {budget} is used up; the rest stays in the queue");
            say(Word::Note, message, color);
        }
        CrawlEnd::Stopped => {
            say(Word::Note, "stopped; everything fetched is committed", color);
            say(Word::Hint, "the same command goes on where it stopped", color);
        }
    }
    tell_waiting(report.deposited.as_ref(), color);
    Ok(())
}

/// Says which files are not in the store yet.
pub(super) fn tell_waiting(deposited: Option<&DepositReport>, color: Color) {
    let waiting = deposited.map_or(&[][..], |report| &report.waiting);
    let Some(first) = waiting.first() else { return };
    let bytes: u64 = waiting.iter().map(|file| file.bytes).sum();
    let message = format!(
        "{} archive files ({}) are not in the store yet: {}",
        waiting.len(),
        size_text::format(bytes),
        first.why.as_deref().unwrap_or("nobody has tried")
    );
    say(Word::Error, message, color);
    let hint = "they stay in the folder archive; the next crawl or `auslese archive upload` stores them, and \
                `auslese doctor` checks the store";
    say(Word::Hint, hint, color);
}

fn summary(report: &CrawlReport) -> String {
    let CrawlReport { numbers, status, .. } = report;
    let failures = status.failures.iter().filter(|group| group.state == State::Failed);
    let row = |name: &str, value: String| [name.to_owned(), value];
    let refused = status.requests.get(&State::Refused).copied().unwrap_or(0);
    let counts = output::columns(&[
        row("downloaded", format!("{} ({})", status.captures, size_text::format(status.bytes))),
        row("failed", failed(report).to_string()),
        row("refused by a rule", refused.to_string()),
        row("still queued", numbers.queued.to_string()),
        row("hosts", status.servers.to_string()),
        row(
            "archive",
            format!("{} in {} files", size_text::format(status.warc_bytes), status.warc_files),
        ),
    ]);
    counts + &failure_table(failures)
}

/// What an error of the harvest means for the user.
pub(crate) fn harvest_failure(error: HarvestError) -> Failure {
    match error {
        HarvestError::Catalog(error) => catalog_failure(error),
        HarvestError::Archive(error) => super::archive::archive_failure(error),
        HarvestError::Depot(error) => depot_failure(error),
        HarvestError::InUse { .. } => Failure::new(Exit::Failures, error).hint(
            "only one command at a time writes into a harvest; `auslese status` shows how it goes",
        ),
        HarvestError::NotEmpty { .. } | HarvestError::NotAHarvest { .. } => {
            Failure::new(Exit::Usage, error).hint("name a new directory or a harvest with --dir")
        }
        HarvestError::UnknownArchiveFile { .. } => {
            Failure::new(Exit::Usage, error).hint("name it as it is called in the folder archive")
        }
        HarvestError::CatalogLost { .. } => Failure::new(Exit::Damaged, error).hint(
            "was the catalog deleted or replaced? put it back from a backup, or move the folder \
             archive away to begin anew",
        ),
        HarvestError::OtherJob { .. } => Failure::new(Exit::Usage, error).hint(
            "let auslese.toml, the options and the program be the same for all workers; or wait \
             until the others have ended",
        ),
        HarvestError::RoundOpen { .. } => Failure::new(Exit::Usage, error)
            .hint("`auslese crawl` goes on with it; `auslese recrawl` begins another afterwards"),
        HarvestError::ExportExists { .. } => Failure::new(Exit::Usage, error)
            .hint("name another file or folder with --out, or take --replace"),
        HarvestError::ExportNeedsFolder => Failure::new(Exit::Usage, error)
            .hint("name a folder that is not there yet with --out"),
        HarvestError::NothingToExport { .. } => Failure::new(Exit::Failures, error)
            .hint("`auslese status` and `auslese search` tell what there is; --kept means the corpus only"),
        HarvestError::NothingToRecrawl => {
            Failure::new(Exit::Usage, error).hint("`auslese crawl` begins")
        }
        HarvestError::NoDirectory { .. } => {
            Failure::new(Exit::Usage, error).hint("is the name after --dir right?")
        }
        HarvestError::ScanRefused(_)
        | HarvestError::Seed { .. }
        | HarvestError::Net(_)
        | HarvestError::Crawl(_) => Failure::new(Exit::Usage, error),
        other => Failure::from(other),
    }
}
