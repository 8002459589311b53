//! `auslese demo`: a whole harvest of a made-up university, without a network.
//!
//! The simulated internet runs in this process. Everything else is what a user would do: a
//! directory with an `auslese.toml`, then the stages, called as their commands call them. No stage
//! knows that it is a demo; all that leads to the simulated internet is a file with network
//! settings, which any command takes with `--net`.

use super::archive::{all_files, verify_files, write_index};
use super::catalog_access::{block_on, open_catalog};
use super::corpus::{self, CorpusArgs};
use super::crawl::{carry_out, harvest_failure};
use super::crawl_plan::{CrawlArgs, Plan};
use super::demo_story as story;
use super::describe::{self, DescribeArgs};
use super::discover::{Answers, FindArgs, find, stored_verdicts};
use super::findings::gather;
use super::init::{institutions_value, write_new};
use super::search::{self, IndexArgs};
use super::simulated_net::write_net_file;
use super::{hidden, rounds, serve, stats};
use crate::args::Place;
use crate::config::{Institution, Overrides, write_template};
use crate::interrupt::until_interrupted;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use crate::progress::Wish;
use anyhow::Context;
use auslese_harvest::{CrawlEnd, CrawlReport, HarvestDir};
use auslese_model::State;
use auslese_testnet::{Running, demo};
use auslese_vocabulary::{Import, ImportOptions, VocabularyStore};
use clap::Args;
use std::fs::{self, File};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use toml::Value;
use url::Url;

/// Harvest a made-up university on a simulated internet, and tell what was found
///
/// Needs no network and takes some seconds. The harvest stays in a directory (`auslese-demo` unless
/// --dir names another), where all other commands can be tried on it. After an interruption the
/// same command goes on.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DemoArgs {
    /// Do not start the web front end afterwards
    ///
    /// It is started on a terminal only, so scripts need not say so.
    #[arg(long)]
    no_serve: bool,

    /// Only run the simulated internet, until Ctrl-C, for trying other commands on it
    ///
    /// The settings that lead to it are written to the file named by --net (`auslese-net.toml` if
    /// none is).
    #[arg(long)]
    net_only: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese demo
  auslese demo --dir /tmp/demo
  auslese demo --net-only --net net.toml";

/// Where the harvest goes if nothing is said.
const DEFAULT_DIR: &str = "auslese-demo";
/// Where the settings of `--net-only` go if nothing is said.
const DEFAULT_NET_FILE: &str = "auslese-net.toml";
/// The name of the harvest, by which its directory is recognised.
const NAME: &str = "auslese demo";
const CONTACT: &str = "demo@uni-hohenwerth.example";
/// Short names of the institutions, in the order of [`demo::seeds`].
const LABELS: [&str; 2] = ["Hohenwerth", "Niederau"];
/// Languages that are listed.
const LANGUAGES: usize = 8;
/// A heading of the library; pages of the sociologists are indexed with another word for it.
const QUESTION: &str = "Berufsverkehr";
/// Hits of it that are shown.
const SHOWN: usize = 3;
/// Hosts whose pages are indexed with a vocabulary: collection, host, vocabulary.
const COLLECTIONS: [[&str; 3]; 2] = [
    ["soziologie", "soziologie.uni-hohenwerth.example", "sozialthesaurus"],
    ["bibliothek", "bibliothek.uni-hohenwerth.example", "schlagwoerter"],
];
/// The host of a search form that nobody described; the library does not mind.
const PROBED: &str = "bibliothek.uni-hohenwerth.example";
/// Enough to show how it goes.
const PROBE_QUERIES: i64 = 30;
/// Long enough to be seen in the servers' log, short enough not to be waited for.
const DELAY: &str = "10ms";

pub(crate) fn run(args: &DemoArgs, place: &Place, color: Color) -> Outcome {
    if args.net_only {
        return net_only(place);
    }
    let exit = harvest(place, color)?;
    if args.no_serve || exit != Exit::Done || !std::io::stdout().is_terminal() {
        return Ok(exit);
    }
    let dir = place.dir.clone().unwrap_or_else(|| DEFAULT_DIR.into());
    output::print("\nServe: the harvest in your browser\n")?;
    serve::run_for_demo(&Place { dir: Some(dir), also: Vec::new(), net: None }, color)
}

fn net_only(place: &Place) -> Outcome {
    if place.dir.is_some() {
        return Err(Failure::usage("--net-only makes no harvest, so --dir means nothing")
            .hint("name the settings file with --net"));
    }
    let file = place.net.clone().unwrap_or_else(|| DEFAULT_NET_FILE.into());
    let net = start()?;
    write_net_file(&file, &net)?;
    output::print(&story::net_only(&file, &demo::seeds()))?;
    block_on(async { Ok(until_interrupted().await?) })?;
    Ok(Exit::Done)
}

fn start() -> Result<Running, Failure> {
    Ok(demo::internet().start().context("cannot start the simulated internet")?)
}

fn harvest(place: &Place, color: Color) -> Outcome {
    if place.net.is_some() {
        return Err(Failure::usage("the demo brings its own network, so --net means nothing")
            .hint("`auslese demo --net-only --net FILE` writes the settings to a file"));
    }
    let dir = place.dir.clone().unwrap_or_else(|| DEFAULT_DIR.into());
    let dir = demo_directory(&dir, color)?;
    let net = start()?;
    let settings = tempfile::tempdir().context("cannot make a temporary directory")?;
    let net_file = settings.path().join(DEFAULT_NET_FILE);
    write_net_file(&net_file, &net)?;
    let place = Place { dir: Some(dir.root().to_owned()), also: Vec::new(), net: Some(net_file) };
    let plan = CrawlArgs::default().plan(&place)?;
    output::print(&story::beginning(&demo::internet(), &plan, dir.root()))?;
    let quiet = FindArgs::quiet_if(true);
    let found = find(&quiet, &place, Overrides::default(), Answers::default(), color)?;
    output::print(&story::discovered(&found))?;
    // Now there are profiles, by which hosts are judged.
    let plan = CrawlArgs::default().plan(&place)?;
    output::print(&story::crawling(dir.root()))?;
    let first = stages(&plan, &dir, &place, color)?;
    if first != Exit::Done {
        return Ok(first);
    }
    net.begin_second_round();
    second_round(&plan, &dir, &place, color)
}

/// The stages there are, in their order, each with what it brought.
fn stages(plan: &Plan, dir: &HarvestDir, place: &Place, color: Color) -> Outcome {
    let report = carry_out(plan, dir, color)?;
    if report.end == CrawlEnd::Stopped {
        say(Word::Note, "stopped; everything fetched is committed", color);
        say(Word::Hint, "the same command goes on where it stopped", color);
        return Ok(Exit::Interrupted);
    }
    let findings = block_on(async {
        let catalog = open_catalog(&plan.config, dir.root()).await?;
        let findings = gather(&catalog).await;
        catalog.close().await;
        findings
    })?;
    output::print(&story::crawled(&report, &findings))?;
    output::print(&story::belonging(&stored_verdicts(place)?))?;
    output::print(&story::archive(dir.root()))?;
    let files = all_files(dir.root())?;
    let sound = verify_files(&files, false, color)?;
    let indexed = write_index_file(dir, &files, color)?;
    output::print(&story::index(&index_file(dir)?))?;
    if sound != Exit::Done || indexed != Exit::Done {
        return Ok(if sound == Exit::Done { indexed } else { sound });
    }
    output::print(&story::databases(dir.root()))?;
    let asked = hidden::ask(place, false, color)?;
    output::print(&story::chosen(&hidden::story(&asked)))?;
    if asked.crawl.is_some_and(|crawl| crawl.end == CrawlEnd::Stopped) {
        return Ok(Exit::Interrupted);
    }
    output::print(&story::choosing(dir.root()))?;
    choose(plan, dir, place, color)
}

/// Judges what was archived, and shows the numbers.
fn choose(plan: &Plan, dir: &HarvestDir, place: &Place, color: Color) -> Outcome {
    let args = CorpusArgs::default();
    let report = corpus::carry_out(&args, place, Overrides::default(), color)?;
    output::print(&story::chosen(&corpus::as_text(&report)))?;
    if report.stopped {
        return Ok(Exit::Interrupted);
    }
    let tables = block_on(async {
        let catalog = open_catalog(&plan.config, place.dir()).await?;
        let tables = stats::gather(&catalog, &["institutions", "languages"], LANGUAGES).await;
        catalog.close().await;
        tables
    })?;
    output::print(&story::tables(&tables))?;
    describe_pages(dir, place, color)
}

/// Describes what was archived: quietly as the paper did, then by the default heuristics, so that
/// there are two runs to compare.
fn describe_pages(dir: &HarvestDir, place: &Place, color: Color) -> Outcome {
    output::print(&story::describing(dir.root()))?;
    for heuristics in [Some("carmen"), None] {
        let args = DescribeArgs::quiet(heuristics);
        let described = describe::carry_out(&args, place, Overrides::default(), color)?;
        if described.report.stopped {
            return Ok(Exit::Interrupted);
        }
        if heuristics.is_none() {
            output::print(&story::chosen(&describe::as_text(&described)))?;
        }
    }
    Ok(Exit::Done)
}

/// Some time later: everything is asked for again.
fn second_round(plan: &Plan, dir: &HarvestDir, place: &Place, color: Color) -> Outcome {
    output::print(&story::second_round(dir.root()))?;
    let again = Plan { recrawl: true, wish: Wish::Quiet, ..plan.clone() };
    let report = carry_out(&again, dir, color)?;
    if report.end == CrawlEnd::Stopped {
        return Ok(Exit::Interrupted);
    }
    hidden::ask(place, true, color)?;
    let args = CorpusArgs::quiet();
    corpus::carry_out(&args, place, Overrides::default(), color)?;
    describe::carry_out(&DescribeArgs::quiet(None), place, Overrides::default(), color)?;
    let changed = block_on(async {
        let catalog = open_catalog(&plan.config, place.dir()).await?;
        let changed = rounds::changed_documents(&catalog).await;
        catalog.close().await;
        changed
    })?;
    output::print(&story::changed(&changed))?;
    let searchable = make_searchable(dir, place, color)?;
    if searchable != Exit::Done {
        return Ok(searchable);
    }
    let indexed = write_index_file(dir, &all_files(dir.root())?, color)?;
    output::print(&story::further(dir.root(), &worth_explaining(&report, plan), &changed))?;
    Ok(indexed)
}

/// Makes everything searchable, and asks in the words of one vocabulary for documents that are indexed with
/// another.
fn make_searchable(dir: &HarvestDir, place: &Place, color: Color) -> Outcome {
    output::print(&story::searching(dir.root()))?;
    let store = VocabularyStore::at(dir.vocabularies());
    for (name, text) in demo::VOCABULARIES {
        let import = Import::read(text.as_bytes(), name, &ImportOptions::default())?;
        store.add(import)?;
    }
    let report = search::index(&IndexArgs::quiet(), place, Overrides::default(), color)?;
    output::print(&story::chosen(&search::report_text(&report)))?;
    if report.stopped {
        return Ok(Exit::Interrupted);
    }
    output::print(&story::question(QUESTION))?;
    output::print(&story::chosen(&search::answer(QUESTION, SHOWN, place, color)?))?;
    Ok(Exit::Done)
}

/// An address with a story: one that a rule refused, or else a seed.
fn worth_explaining(report: &CrawlReport, plan: &Plan) -> String {
    let mut refused = report.status.failures.iter().filter(|it| it.state == State::Refused);
    let seed = plan.seeds.first().map(|seed| seed.url.to_string());
    refused.next().map(|group| group.example.clone()).or(seed).unwrap_or_default()
}

fn write_index_file(dir: &HarvestDir, files: &[PathBuf], color: Color) -> Outcome {
    write_to(&index_file(dir)?, |out| write_index(files, out, color))
}

fn index_file(dir: &HarvestDir) -> Result<PathBuf, Failure> {
    let export = dir.root().join("export");
    fs::create_dir_all(&export).with_context(|| format!("cannot make {}", export.display()))?;
    Ok(export.join("captures.cdxj"))
}

fn write_to(file: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Outcome) -> Outcome {
    let cannot_write = || format!("cannot write {}", file.display());
    let mut out = BufWriter::new(File::create(file).with_context(cannot_write)?);
    let exit = write(&mut out)?;
    out.flush().with_context(cannot_write)?;
    Ok(exit)
}

/// A new harvest with the demo's configuration, or the demo harvest that is there already.
fn demo_directory(dir: &Path, color: Color) -> Result<HarvestDir, Failure> {
    let harvest = HarvestDir::create(dir).map_err(harvest_failure)?;
    if !harvest.config().exists() {
        write_new(&harvest.config(), &configuration())?;
        return Ok(harvest);
    }
    let place = Place { dir: Some(dir.to_owned()), also: Vec::new(), net: None };
    let config = place.sources(Overrides::default()).load()?;
    if config.harvest.name.as_deref() != Some(NAME) {
        let message = format!("{} is a harvest already, but not that of the demo", dir.display());
        return Err(Failure::usage(message).hint("name a new directory with --dir"));
    }
    let message =
        format!("going on with the demo in {}; remove the directory to begin anew", dir.display());
    say(Word::Note, message, color);
    Ok(harvest)
}

/// What a user would write to collect both institutions.
fn configuration() -> String {
    let roots = demo::seeds().into_iter().zip(LABELS).filter_map(|(root, label)| {
        Some(Institution { label: label.to_owned(), root: Url::parse(root).ok()? })
    });
    let institutions: Vec<Institution> = roots.collect();
    write_template(&[
        ("harvest.name", Value::from(NAME)),
        ("harvest.contact", Value::from(CONTACT)),
        ("harvest.institutions", institutions_value(&institutions)),
        ("crawl.politeness.delay", Value::from(DELAY)),
        ("corpus.languages", Value::Array(vec![Value::from("de")])),
        ("hidden.probe", Value::Array(vec![Value::from(PROBED)])),
        ("hidden.probe_queries", Value::from(PROBE_QUERIES)),
        ("search.collections", collections_value()),
    ])
}

/// Which vocabulary the pages of a host are indexed with.
fn collections_value() -> Value {
    let collections = COLLECTIONS.map(|[name, host, vocabulary]| {
        let mut entry = toml::Table::new();
        entry.insert("name".to_owned(), Value::from(name));
        entry.insert("hosts".to_owned(), Value::Array(vec![Value::from(host)]));
        entry.insert("vocabulary".to_owned(), Value::from(vocabulary));
        Value::Table(entry)
    });
    Value::Array(collections.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CONFIG_FILE;

    #[test]
    fn the_configuration_is_sound() {
        let dir = tempfile::tempdir().unwrap();
        let harvest = demo_directory(dir.path(), Color::Never).unwrap();
        let place = Place { dir: Some(harvest.root().to_owned()), also: Vec::new(), net: None };
        let config = place.sources(Overrides::default()).load().unwrap();
        assert_eq!(config.harvest.institutions.len(), demo::seeds().len());
        assert!(config.crawl.scope.is_empty(), "what belongs is found out");
        demo_directory(dir.path(), Color::Never).expect("a demo harvest is gone on with");
    }

    #[test]
    fn other_harvests_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(CONFIG_FILE), "[harvest]\nname = \"mine\"\n").unwrap();
        let failure = demo_directory(dir.path(), Color::Never).unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
    }
}
