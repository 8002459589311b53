//! `auslese corpus`: which of the archived documents belong to the corpus, and why the others do not.

use super::crawl::harvest_failure;
use super::language::recogniser;
use crate::args::Place;
use crate::config::{Config, Overrides};
use crate::interrupt::watch_for_interrupts;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use crate::steps::{Steps, Wish};
use auslese_harvest::{
    CorpusJob, CorpusProgress, CorpusReport, CorpusStep, CorpusWatching, HarvestDir, StoringRules,
    build_corpus,
};
use auslese_model::{CorpusRule, Keeping};
use clap::Args;
use serde_json::{Value, json};
use tokio::sync::watch;
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
    #[arg(long, value_name = "TAG")]
    language: Vec<String>,

    /// Read every body again, although it was read before
    #[arg(long)]
    again: bool,

    /// Do not write the mirror
    #[arg(long)]
    no_mirror: bool,

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
  auslese corpus --dir giessen --again --json | jq .rules";

impl CorpusArgs {
    /// For callers that tell themselves what was done.
    pub(crate) fn quiet() -> CorpusArgs {
        CorpusArgs { quiet: true, ..CorpusArgs::default() }
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
    Ok(Exit::Done)
}

/// The same after a crawl, with what its command line says about the harvest.
pub(crate) fn run_after_crawl(
    quiet: bool,
    place: &Place,
    overrides: Overrides,
    color: Color,
) -> Outcome {
    let args = CorpusArgs { quiet, ..CorpusArgs::default() };
    let report = carry_out(&args, place, overrides, color)?;
    if !quiet {
        output::print(&format!("\n{}", as_text(&report)))?;
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
    let dir = HarvestDir::open(place.dir()).map_err(harvest_failure)?;
    let job = job(args, &config, &dir)?;
    let wish = if args.quiet { Wish::Quiet } else { Wish::People };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let stop = watch_for_interrupts(color)?;
        let (progress, shown) = watch::channel(CorpusProgress::default());
        let showing = tokio::spawn(show(Steps::new(wish), shown));
        let report = build_corpus(&dir, job, CorpusWatching { progress, stop }).await;
        // The display ends with the stage, which held the other end.
        showing.await??;
        report.map_err(harvest_failure)
    })
}

fn job(args: &CorpusArgs, config: &Config, dir: &HarvestDir) -> Result<CorpusJob, Failure> {
    let archive = &config.archive;
    Ok(CorpusJob {
        catalog: config.catalog_location(dir.root())?,
        catalog_settings: config.catalog_settings(),
        rules: config.corpus.rules.clone(),
        recogniser: recogniser(&config.corpus.language, dir.root())?,
        canonical: config.crawl.canonical.clone(),
        charset_note: config.corpus.charset_note(),
        storing: StoringRules {
            header_only_types: archive.header_only_types.clone(),
            header_only_suffixes: archive.header_only_suffixes.clone(),
            header_only_above: archive.header_only_above,
        },
        mirror: !args.no_mirror && config.corpus.mirror,
        again: args.again,
        worker: archive.worker.clone(),
        config_text: config.text.clone(),
    })
}

async fn show(
    mut steps: Steps,
    mut progress: watch::Receiver<CorpusProgress>,
) -> std::io::Result<()> {
    while progress.changed().await.is_ok() {
        let now = *progress.borrow_and_update();
        let name = match now.step {
            CorpusStep::Examine => "read out",
            CorpusStep::Settle => "looked at again",
            CorpusStep::Judge => "judged",
            CorpusStep::Mirror => "mirrored",
            CorpusStep::Compare => "compared",
            CorpusStep::Count => "counted",
        };
        steps.show(name, now.done, now.of, now.rate)?;
    }
    steps.finish()
}

/// What became of all documents; the counts add up.
pub(crate) fn as_text(report: &CorpusReport) -> String {
    let total = report.documents();
    let width = total.to_string().len();
    let row = |what: &str, count: u64, rule: &str, meaning: &str| {
        [what, &format!("{count:>width$}"), rule, meaning].map(str::to_owned)
    };
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
    let rate = report.examined as f64 / report.examine_seconds.max(1e-6);
    output::columns(&rows)
        + &format!(
            "\n{kept} of {total} addresses are in the corpus; {}\n",
            match report.examined {
                0 => "no body had to be read out".to_owned(),
                examined => format!(
                    "{examined} bodies were read out in {:.1} s ({rate:.0} per second)",
                    report.examine_seconds
                ),
            }
        )
        + &mirror_text(report)
}

/// What it means that a rule decided.
pub(crate) fn rule_words(rule: CorpusRule) -> &'static str {
    match rule {
        CorpusRule::NotFetched => "no answer came, or it was not asked for",
        CorpusRule::Status => "an error or a redirect",
        CorpusRule::Machinery => "robots.txt or a sitemap",
        CorpusRule::Pattern => "a pattern of your own",
        CorpusRule::Port => "an unusual port",
        CorpusRule::Suffix => "an unwanted suffix",
        CorpusRule::MimeType => "another media type",
        CorpusRule::Size => "too large",
        CorpusRule::NoBody => "the body is not archived",
        CorpusRule::Format => "empty, or not what its header says",
        CorpusRule::Language => "another language, or an unclear one",
        CorpusRule::NotClassified => "a format without text",
        CorpusRule::Duplicate => "an exact copy",
        CorpusRule::NearDuplicate => "nearly the same as another",
        CorpusRule::Template => "made from a template of many pages",
        CorpusRule::All => "nothing speaks against it",
    }
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
            json!({ "keeping": keeping.as_str(), "rule": rule.as_str(), "documents": count })
        })
        .collect();
    json!({
        "documents": report.documents(),
        "kept": report.with(Keeping::Kept),
        "rules": rules,
        "examined": report.examined,
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
