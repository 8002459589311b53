//! The command line: the tree of commands and the options they all share.
//!
//! What a single command takes stands with the command.

use crate::commands::{
    accounts::AccountsArgs, archive::ArchiveArgs, bench::BenchArgs, bench_site::BenchSiteArgs,
    catalog::CatalogArgs, citations::CitationsArgs, completions::CompletionsArgs,
    config::ConfigArgs, control::ControlArgs, corpus::CorpusArgs, crawl_plan::CrawlArgs,
    demo::DemoArgs, describe::DescribeArgs, discover::DiscoverArgs, doctor::DoctorArgs,
    explain::ExplainArgs, export::ExportArgs, hel::HelArgs, heuristics::HeuristicsArgs,
    hidden::HiddenArgs, init::InitArgs, keyphrases::KeyphrasesArgs, kwic::KwicArgs,
    language::LanguageArgs, man::ManArgs, marks::MarksArgs, recrawl::RecrawlArgs,
    rounds::RoundsArgs, run::RunArgs, runs::RunsArgs, search::SearchArgs, serve::ServeArgs,
    stats::StatsArgs, status::StatusArgs, summarize::SummarizeArgs, traps::TrapsArgs,
    versions::VersionsArgs, vocabulary::VocabularyArgs,
};
use crate::config::{Overrides, Sources};
use crate::messages::{Color, Failure};
use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};

/// Collect the web of an organisation, archive it, and do research on it.
///
/// A harvest is a directory: its configuration, its archive files (WARC) and its catalog. All
/// commands work on the harvest in the current directory unless --dir names another.
#[derive(Debug, Parser)]
#[command(name = "auslese", version, after_help = EXAMPLES, arg_required_else_help = true)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) places: Places,

    /// Say more about what is going on (-v, -vv, -vvv)
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = COMMON)]
    pub(crate) verbose: u8,

    /// Colour messages; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    #[arg(help_heading = COMMON)]
    pub(crate) color: Color,
}

const COMMON: &str = "Common options";

const EXAMPLES: &str = "\
Examples:
  auslese demo
  auslese init uni-giessen.de --dir giessen --contact archive@uni-giessen.de
  auslese run --dir giessen
  auslese status --dir giessen
  auslese explain https://www.uni-giessen.de/fb09/ --dir giessen

Exit codes:
  0 done, 1 done with failures, 2 usage or configuration, 3 interrupted (the same
  command goes on), 4 damaged data";

/// Which harvests are meant, and how the network is reached.
#[derive(Debug, Clone, Args)]
pub(crate) struct Places {
    /// Directory of the harvest [default: the current directory]; `serve` takes several
    #[arg(long = "dir", global = true, value_name = "DIR", help_heading = COMMON)]
    dirs: Vec<PathBuf>,

    /// Further file with network settings, as `auslese demo --net-only` writes it
    #[arg(long, global = true, value_name = "FILE", help_heading = COMMON)]
    net: Option<PathBuf>,
}

impl Places {
    /// Each harvest by itself; without any, that of the current directory.
    pub(crate) fn each(&self) -> Vec<Place> {
        let place = |dir| Place { dir, also: Vec::new(), net: self.net.clone() };
        match self.dirs.as_slice() {
            [] => vec![place(None)],
            dirs => dirs.iter().cloned().map(Some).map(place).collect(),
        }
    }

    /// The only one, for commands that work on one harvest.
    pub(crate) fn only(&self) -> Result<Place, Failure> {
        match self.dirs.as_slice() {
            [] | [_] => Ok(self.together()),
            _ => Err(Failure::usage("this command works on one harvest, but --dir names several")
                .hint("give --dir once; some commands take further harvests with --also")),
        }
    }

    /// The first one, and with it all others, for commands that look at several together.
    pub(crate) fn together(&self) -> Place {
        let mut dirs = self.dirs.iter().cloned();
        Place { dir: dirs.next(), also: dirs.collect(), net: self.net.clone() }
    }
}

/// One harvest, and how the network is reached.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) dir: Option<PathBuf>,
    /// Further directories that are looked at together with the first.
    pub(crate) also: Vec<PathBuf>,
    pub(crate) net: Option<PathBuf>,
}

impl Place {
    pub(crate) fn dir(&self) -> &Path {
        self.dir.as_deref().unwrap_or(Path::new("."))
    }

    /// For commands that make no directory: one that is not there is a mistyped one.
    pub(crate) fn require_dir(&self) -> Result<(), Failure> {
        if self.dir().is_dir() {
            return Ok(());
        }
        let message = format!("there is no directory {}", self.dir().display());
        Err(Failure::usage(message).hint("is the name after --dir right?"))
    }

    /// The sources of the configuration.
    pub(crate) fn sources(&self, overrides: Overrides) -> Sources {
        Sources { dir: self.dir().to_owned(), net_file: self.net.clone(), overrides }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(DemoArgs),
    Init(InitArgs),
    Run(RunArgs),
    Discover(DiscoverArgs),
    Crawl(CrawlArgs),
    Recrawl(RecrawlArgs),
    Corpus(CorpusArgs),
    Describe(DescribeArgs),
    Heuristics(HeuristicsArgs),
    Keyphrases(KeyphrasesArgs),
    Citations(CitationsArgs),
    Hidden(HiddenArgs),
    Search(SearchArgs),
    Export(ExportArgs),
    Serve(ServeArgs),
    Accounts(AccountsArgs),
    Kwic(KwicArgs),
    Vocabulary(VocabularyArgs),
    Runs(RunsArgs),
    Marks(MarksArgs),
    Stats(StatsArgs),
    Versions(VersionsArgs),
    Rounds(RoundsArgs),
    Control(ControlArgs),
    Traps(TrapsArgs),
    Status(StatusArgs),
    Explain(ExplainArgs),
    Archive(ArchiveArgs),
    Catalog(CatalogArgs),
    Hel(HelArgs),
    Summarize(SummarizeArgs),
    Language(LanguageArgs),
    Config(ConfigArgs),
    Doctor(DoctorArgs),
    Bench(BenchArgs),
    #[command(hide = true)]
    BenchSite(BenchSiteArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Command {
    /// Whether it looks at several harvests together, or at the parts of one.
    pub(crate) fn searches(&self) -> bool {
        match self {
            Command::Search(args) => args.asks(),
            Command::Kwic(_) => true,
            _ => false,
        }
    }

    /// Whether it means nothing in a directory that does not exist. Others make one, need none, or
    /// look for themselves.
    pub(crate) fn works_on_a_harvest(&self) -> bool {
        match self {
            Command::Status(_) | Command::Control(_) | Command::Traps(_) => true,
            Command::Explain(_) => true,
            Command::Archive(args) => args.works_on_a_harvest(),
            Command::Config(_) => true,
            Command::Crawl(args) => !args.names_addresses(),
            Command::Run(args) => !args.crawl.names_addresses(),
            Command::Discover(args) => args.works_on_a_harvest(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_tree_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        fn check(command: &clap::Command, path: &str) {
            for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
                let path = format!("{path} {}", command.get_name());
                assert!(command.get_about().is_some(), "{path} says nothing about itself");
                if command.has_subcommands() {
                    check(command, &path);
                } else {
                    let help = command.get_after_help().map(ToString::to_string);
                    let help = help.unwrap_or_default();
                    assert!(help.contains(&path), "{path} has no example");
                }
            }
        }
        check(&Cli::command(), "auslese");
    }
}
