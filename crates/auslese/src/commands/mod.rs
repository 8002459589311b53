//! One module per command: its arguments, the call it makes, and what it prints.

pub(crate) mod accounts;
pub(crate) mod archive;
mod archive_import;
mod archive_recompress;
mod archive_remove;
mod archive_upload;
pub(crate) mod bench;
mod bench_frontier;
mod bench_hidden;
mod bench_latency;
pub(crate) mod bench_site;
pub(crate) mod catalog;
mod catalog_access;
pub(crate) mod citations;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod control;
pub(crate) mod corpus;
pub(crate) mod crawl;
pub(crate) mod crawl_plan;
pub(crate) mod demo;
mod demo_story;
pub(crate) mod describe;
pub(crate) mod discover;
pub(crate) mod doctor;
pub(crate) mod explain;
mod explain_capture;
mod explain_corpus;
mod explain_description;
mod explain_host_facts;
mod explain_robots;
mod explain_template;
pub(crate) mod export;
mod findings;
pub(crate) mod hel;
pub(crate) mod heuristics;
pub(crate) mod hidden;
pub(crate) mod init;
mod institutions;
pub(crate) mod keyphrases;
pub(crate) mod kwic;
pub(crate) mod language;
pub(crate) mod man;
pub(crate) mod marks;
pub(crate) mod recrawl;
pub(crate) mod rounds;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod search;
mod seed_fates;
mod seeds_file;
pub(crate) mod serve;
mod serve_configuration;
mod simulated_net;
mod stage_worker;
pub(crate) mod stats;
pub(crate) mod status;
mod status_queues;
mod status_store;
pub(crate) mod summarize;
pub(crate) mod traps;
mod version_history;
pub(crate) mod versions;
pub(crate) mod vocabulary;

pub(crate) use init::make_readable;

use crate::args::{Cli, Command};
use crate::messages::Outcome;

/// Does what the command line asks for.
pub(crate) fn run(cli: Cli) -> Outcome {
    let Cli { command, places, color, .. } = cli;
    if let Command::Serve(args) = &command {
        return serve::run(args, &places.each(), color);
    }
    let place = match command.searches() {
        true => places.together(),
        false => places.only()?,
    };
    if command.works_on_a_harvest() {
        place.require_dir()?;
    }
    match command {
        Command::Demo(args) => demo::run(&args, &place, color),
        Command::Init(args) => init::run(&args, &place, color),
        Command::Run(args) => run::run(&args, &place, color),
        Command::Discover(args) => discover::run(&args, &place, color),
        Command::Crawl(args) => crawl::run(&args, &place, color),
        Command::Recrawl(args) => recrawl::run(&args, &place, color),
        Command::Corpus(args) => corpus::run(&args, &place, color),
        Command::Describe(args) => describe::run(&args, &place, color),
        Command::Heuristics(args) => heuristics::run(&args, &place, color),
        Command::Keyphrases(args) => keyphrases::run(&args, color),
        Command::Citations(args) => citations::run(&args, &place),
        Command::Hidden(args) => hidden::run(&args, &place, color),
        Command::Serve(args) => serve::run(&args, &[place], color),
        Command::Export(args) => export::run(&args, &place, color),
        Command::Accounts(args) => accounts::run(&args, &place, color),
        Command::Search(args) => search::run(&args, &place, color),
        Command::Kwic(args) => kwic::run(&args, &place, color),
        Command::Vocabulary(args) => vocabulary::run(&args, &place, color),
        Command::Runs(args) => runs::run(&args, &place),
        Command::Marks(args) => marks::run(&args, &place),
        Command::Stats(args) => stats::run(&args, &place),
        Command::Versions(args) => versions::run(&args, &place),
        Command::Rounds(args) => rounds::run(&args, &place),
        Command::Control(args) => control::run(&args, &place),
        Command::Traps(args) => traps::run(&args, &place),
        Command::Status(args) => status::run(&args, &place),
        Command::Explain(args) => explain::run(&args, &place),
        Command::Archive(args) => archive::run(&args, &place, color),
        Command::Catalog(args) => catalog::run(&args, &place, color),
        Command::Hel(args) => hel::run(&args, &place, color),
        Command::Summarize(args) => summarize::run(&args, color),
        Command::Language(args) => language::run(&args, &place, color),
        Command::Config(args) => config::run(&args, &place),
        Command::Doctor(args) => doctor::run(&args, &place),
        Command::Bench(args) => bench::run(&args, &place, color),
        Command::BenchSite(args) => bench_site::run(&args, &place),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
