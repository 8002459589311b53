//! `auslese corpus`: which of the archived documents belong to the corpus, and why the others do not.

use super::catalog_access::{ask_catalog, block_on};
use super::crawl::harvest_failure;
use super::language::{language_tag, recogniser};
use super::stage_worker::WorkerArgs;
use crate::args::Place;
use crate::config::{Config, Overrides};
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use crate::steps::{self, Shown};
use auslese_catalog::{Catalog, CountBy};
use auslese_harvest::{
    CorpusJob, CorpusProgress, CorpusReport, CorpusStep, CorpusWatching, HarvestDir, build_corpus,
    build_corpus_together,
};
use auslese_model::Keeping;
use auslese_statistics::rule_words;
use clap::Args;
use serde_json::{Value, json};
use toml::Value as Setting;

/// Choose the corpus: read out what is archived, and judge every document by the rules
///
/// Works on the archive alone; nothing is fetched. What was read out is kept, so after a change of
/// the rules in auslese.toml the same command only judges again. Every document gets its reason,
/// which `auslese why URL` tells. After an interruption the same command goes on.
#[derive(Debug, Default, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CorpusArgs {
    /// Keep documents in this language only; may be given several times
    #[arg(long, value_name = "TAG", value_parser = language_tag)]
    language: Vec<String>,

    /// Read every body again, although it was read before
    #[arg(long)]
    again: bool,

    /// Do not write the mirror
    #[arg(long)]
    no_mirror: bool,

    #[command(flatten)]
    worker: WorkerArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese corpus --dir giessen
  auslese corpus --dir giessen --language de
  auslese corpus --dir giessen --again --json | jq .rules
  auslese corpus --worker --dir giessen    (on each of several machines)";

/// Languages of a harvest that are named where a wanted one is missing.
const LANGUAGES_TOLD: usize = 10;

impl CorpusArgs {
    /// For callers that tell themselves what was done.
    pub(crate) fn quiet() -> CorpusArgs {
        CorpusArgs { quiet: true, ..CorpusArgs::default() }
    }

    /// Without copies on disk.
    pub(crate) fn without_mirror() -> CorpusArgs {
        CorpusArgs { no_mirror: true, ..CorpusArgs::default() }
    }

    fn override_settings(&self, overrides: &mut Overrides) {
        let languages = (!self.language.is_empty()).then(|| {
            Setting::Array(self.language.iter().map(|tag| Setting::from(tag.as_str())).collect())
        });
        overrides.set("corpus.languages", languages, "--language");
    }
}

pub(crate) fn run(args: &CorpusArgs, place: &Place, color: Color) -> Outcome {
    let report = carry_out(args, place, Overrides::default(), color)?;
    if args.json {
        output::print_json(&as_json(&report))?;
    } else {
        output::print(&as_text(&report))?;
    }
    if report.requeued > 0 {
        let message = format!(
            "{} documents would be kept, but only their headers were archived; they are queued, \
             and the next `auslese crawl` fetches them",
            report.requeued
        );
        say(Word::Note, message, color);
    }
    if !args.language.is_empty() && !report.stopped {
        let message =
            "`languages` in [corpus] of auslese.toml makes --language hold for all commands";
        say(Word::Hint, message, color);
    }
    if report.stopped {
        say(Word::Hint, "the same command goes on where it stopped", color);
        return Ok(Exit::Interrupted);
    }
    tell_languages_without_documents(args, place, color)?;
    Ok(Exit::Done)
}

/// A wanted language that nothing is in may be a misspelt one, and empties the corpus.
fn tell_languages_without_documents(
    args: &CorpusArgs,
    place: &Place,
    color: Color,
) -> Result<(), Failure> {
    let mut overrides = Overrides::default();
    args.override_settings(&mut overrides);
    let config = place.sources(overrides).load()?;
    let wanted = &config.corpus.rules.languages;
    if wanted.is_empty() {
        return Ok(());
    }
    let languages = async |catalog: &Catalog| {
        catalog.count_table(CountBy::Language, usize::MAX).await.map(|table| table.rows)
    };
    let found = block_on(ask_catalog(&config, place.dir(), languages))?;
    let found: Vec<String> = found.into_iter().filter_map(|row| row.name).collect();
    for language in wanted.iter().filter(|language| !found.contains(language)) {
        let message = match found.is_empty() {
            true => format!("no document is in the language {language}"),
            false => format!(
                "no document is in the language {language}; there are {}",
                found.iter().take(LANGUAGES_TOLD).cloned().collect::<Vec<_>>().join(", ")
            ),
        };
        say(Word::Note, message, color);
    }
    Ok(())
}

/// To whom a crawl tells what became of the corpus afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    People,
    /// One more line of JSON, as the crawl writes them.
    Programs,
    Nobody,
}

/// The same after a crawl, with what its command line says about the harvest.
pub(crate) fn run_after_crawl(
    telling: Telling,
    place: &Place,
    overrides: Overrides,
    color: Color,
) -> Outcome {
    let args = CorpusArgs { quiet: telling != Telling::People, ..CorpusArgs::default() };
    let report = carry_out(&args, place, overrides, color)?;
    match telling {
        Telling::People => output::print(&format!("\n{}", as_text(&report)))?,
        Telling::Programs => {
            let mut line = as_json(&report);
            line["event"] = json!("corpus");
            output::print(&format!("{line}\n"))?;
        }
        Telling::Nobody => {}
    }
    Ok(if report.stopped { Exit::Interrupted } else { Exit::Done })
}

/// Does the work, with progress shown and Ctrl-C heard.
pub(crate) fn carry_out(
    args: &CorpusArgs,
    place: &Place,
    mut overrides: Overrides,
    color: Color,
) -> Result<CorpusReport, Failure> {
    args.override_settings(&mut overrides);
    let config = place.sources(overrides).load()?;
    let dir = config.harvest_dir(place.dir())?;
    let (worker, sharing) = args.worker.sharing(&config, &dir)?;
    let job = CorpusJob { worker, ..corpus_job(args, &config, &dir)? };
    steps::carry_out(args.quiet, color, shown, async |progress, stop| {
        let watching = CorpusWatching { progress, stop };
        let report = match sharing {
            Some(sharing) => build_corpus_together(&dir, &job, sharing, watching).await,
            None => build_corpus(&dir, job, watching).await,
        };
        report.map_err(harvest_failure)
    })
}

/// What the stage is told.
pub(crate) fn corpus_job(
    args: &CorpusArgs,
    config: &Config,
    dir: &HarvestDir,
) -> Result<CorpusJob, Failure> {
    let archive = &config.archive;
    Ok(CorpusJob {
        catalog: config.catalog_location(dir.root())?,
        catalog_settings: config.catalog_settings(),
        rules: config.corpus.rules.clone(),
        recogniser: recogniser(&config.corpus.language, dir.root())?,
        canonical: config.crawl.canonical.clone(),
        charset_note: config.corpus.charset_note(),
        storing: archive.storing(),
        mirror: !args.no_mirror && config.corpus.mirror,
        again: args.again,
        worker: archive.worker_name().to_owned(),
        config_text: config.text.clone(),
    })
}

fn shown(now: &CorpusProgress) -> Shown {
    let what = match now.step {
        CorpusStep::Examine => "read out",
        CorpusStep::Settle => "looked at again",
        CorpusStep::Relate => "looked over",
        CorpusStep::Judge => "judged",
        CorpusStep::Mirror => "mirrored",
        CorpusStep::Compare => "compared",
        CorpusStep::Count => "counted",
    };
    Shown { what, done: now.done, of: now.of, rate: now.rate, here: now.here }
}

/// What became of all addresses; the counts add up.
pub(crate) fn as_text(report: &CorpusReport) -> String {
    let total = report.documents();
    let width = total.to_string().len();
    let row = |what: &str, count: u64, rule: &str, meaning: &str| {
        [what, &format!("{count:>width$}"), rule, meaning].map(str::to_owned)
    };
    if report.stopped {
        return format!(
            "stopped: {}, {total} addresses judged; the others have their old verdicts\n",
            read_out_text(report)
        );
    }
    let mut rows = vec![row("addresses", total, "", "")];
    for ((keeping, rule), count) in &report.rules {
        let what = match keeping {
            Keeping::Kept => "  kept",
            Keeping::Left => "  left",
            Keeping::Unknown => "  header only",
        };
        rows.push(row(what, *count, rule.as_str(), rule_words(*rule)));
    }
    let kept = report.with(Keeping::Kept);
    output::columns(&rows)
        + &format!(
            "\n{kept} of {total} addresses are in the corpus\n{}, {}\n",
            read_out_text(report),
            in_time("addresses judged", total, report.judge_seconds)
        )
        + &mirror_text(report)
}

fn read_out_text(report: &CorpusReport) -> String {
    match report.examined {
        0 => "no body had to be read out".to_owned(),
        examined => {
            let text = in_time("bodies read out", examined, report.examine_seconds);
            text + &report.here.map_or(String::new(), |here| format!(", {here} of them here"))
        }
    }
}

/// `290 addresses judged in 0.1 s (2900 per second)`
fn in_time(what: &str, count: u64, seconds: f64) -> String {
    format!("{count} {what} in {seconds:.1} s ({:.0} per second)", per_second(count, seconds))
}

fn per_second(count: u64, seconds: f64) -> f64 {
    count as f64 / seconds.max(1e-6)
}

fn mirror_text(report: &CorpusReport) -> String {
    let Some(mirror) = &report.mirror else { return String::new() };
    let mut text = format!(
        "mirror: {} files written, {} unchanged, {} removed\n",
        mirror.written, mirror.unchanged, mirror.removed
    );
    for (url, cause) in &mirror.failures {
        text.push_str(&format!("  not mirrored: {url}: {cause}\n"));
    }
    text
}

fn as_json(report: &CorpusReport) -> Value {
    let rules: Vec<Value> = report
        .rules
        .iter()
        .map(|((keeping, rule), count)| {
            json!({ "keeping": keeping.as_str(), "rule": rule.as_str(), "addresses": count })
        })
        .collect();
    json!({
        "addresses": report.documents(),
        "kept": report.with(Keeping::Kept),
        "rules": rules,
        "examined": report.examined,
        "examined_here": report.here,
        "examined_per_second": per_second(report.examined, report.examine_seconds),
        "judged_per_second": per_second(report.documents(), report.judge_seconds),
        "seconds": report.seconds,
        "requeued": report.requeued,
        "mirror": report.mirror.as_ref().map(|mirror| json!({
            "written": mirror.written,
            "unchanged": mirror.unchanged,
            "removed": mirror.removed,
            "linked": mirror.linked,
            "failed": mirror.failed,
        })),
        "stopped": report.stopped,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::CorpusRule;

    fn report(stopped: bool) -> CorpusReport {
        let mut report = CorpusReport { examined: 500, examine_seconds: 2.0, ..Default::default() };
        report.rules.insert((Keeping::Kept, CorpusRule::All), 30);
        report.rules.insert((Keeping::Left, CorpusRule::Size), 10);
        report.judge_seconds = 0.5;
        report.stopped = stopped;
        report
    }

    #[test]
    fn speed_is_told() {
        let text = as_text(&report(false));
        let expected = "\n30 of 40 addresses are in the corpus\n500 bodies read out in 2.0 s \
                        (250 per second), 40 addresses judged in 0.5 s (80 per second)\n";
        assert!(text.ends_with(expected), "{text}");
        assert_eq!(as_json(&report(false))["judged_per_second"], 80.0);
    }

    #[test]
    fn half_a_corpus_is_not_shown_as_one() {
        let text = as_text(&report(true));
        assert!(text.starts_with("stopped: 500 bodies read out in 2.0 s"), "{text}");
        assert!(!text.contains("are in the corpus"), "{text}");
    }
}
