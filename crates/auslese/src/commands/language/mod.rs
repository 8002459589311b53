//! `auslese language`: in which language files are, and why.
//!
//! Files are read and judged on all cores and reported in the order given. A file that cannot be
//! read costs itself only.

mod frequencies;
pub(super) mod input;
mod names;
mod report;
mod word_lists;

pub(crate) use word_lists::recogniser;

use crate::args::Place;
use crate::config::Overrides;
use crate::loose_files::on_all_cores;
use crate::messages::{Color, Exit, Failure, Outcome};
use crate::output;
use auslese_corpus::language::Recogniser;
use clap::Args;
use frequencies::Frequencies;
use input::{Input, files_in};
use std::path::PathBuf;

/// Say in which language files are, and why
///
/// Files may be HTML or plain text, in any encoding; `-` is the standard input, and of a directory all
/// files in it are taken. Words are looked up in a list of German forms, and a general detector is asked; names, numbers and addresses are left
/// out. The rule in force and its thresholds are settings of [corpus.language].
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LanguageArgs {
    /// Files, directories, or `-` for the standard input
    #[arg(required_unless_present = "names", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Show what became of each token, and both rules with their numbers
    #[arg(long)]
    explain: bool,

    /// Count recognised and unknown words over all files instead
    #[arg(long, conflicts_with = "explain")]
    frequencies: bool,

    /// How many words of each kind --frequencies shows; 0 means all
    #[arg(long, value_name = "N", default_value_t = 100, requires = "frequencies")]
    top: usize,

    /// List the names that the documents of the harvest in --dir give away instead
    #[arg(long, conflicts_with_all = ["files", "explain", "frequencies"])]
    names: bool,

    /// Another word list: one form per line, or a hunspell .dic file with its .aff file beside it
    #[arg(long, value_name = "FILE")]
    wordlist: Option<PathBuf>,

    /// The language of the word list
    #[arg(long, value_name = "TAG", requires = "wordlist", value_parser = language_tag)]
    language: Option<String>,

    /// The rule that decides
    #[arg(long, value_name = "NAME", value_parser = ["default", "paper"])]
    profile: Option<String>,

    /// Print one JSON object per file; with --names one list
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese language page.html
  auslese language --explain page.html
  auslese language --json giessen/mirror/ | jq -r '[.language, .id] | @tsv'
  auslese language --wordlist fr_FR.dic --language fr page.html
  curl -s https://www.example.org/ | auslese language -
  auslese language --frequencies --top 20 texts/*.txt
  auslese language --names --dir giessen > giessen/names.txt";

/// Files that are judged before their results are printed, so that memory stays bounded.
const BATCH: usize = 512;

pub(crate) fn run(args: &LanguageArgs, place: &Place, color: Color) -> Outcome {
    let mut overrides = Overrides::default();
    let wordlist = args.wordlist.as_ref().map(|path| path.display().to_string());
    overrides.set("corpus.language.wordlist", wordlist, "--wordlist");
    overrides.set("corpus.language.language", args.language.clone(), "--language");
    overrides.set("corpus.language.profile", args.profile.clone(), "--profile");
    let config = place.sources(overrides).load()?;
    let mut table = config.corpus.language.clone();
    if args.names {
        // Names that are listed already are names still.
        table.names = None;
    }
    // A file named on the command line lies where the user stands, one of the settings in the harvest.
    let recogniser = match &args.wordlist {
        Some(_) => word_lists::recogniser_from(&table, args.wordlist.clone(), place.dir())?,
        None => recogniser(&table, place.dir())?,
    };
    if args.names {
        return names::run(&config, &recogniser, place, args.json);
    }
    let files = files_in(&args.files)?;
    match args.frequencies {
        true => count(args, &files, &recogniser, color),
        false => judge(args, &files, &recogniser, color),
    }
}

fn judge(args: &LanguageArgs, files: &[PathBuf], recogniser: &Recogniser, color: Color) -> Outcome {
    let mut exit = Exit::Done;
    let mut table = report::Rows::default();
    for files in files.chunks(BATCH) {
        let results = on_all_cores(files, |file| {
            let input = Input::read(file)?;
            if args.json {
                report::json_line(recogniser, &input, args.explain)
            } else if args.explain {
                Ok(report::explanation(recogniser, &input))
            } else {
                Ok(report::row(recogniser, &input))
            }
        });
        for (file, result) in files.iter().zip(results) {
            match result {
                Ok(lines) if args.json || args.explain => output::print(&lines)?,
                Ok(line) => table.print(&line)?,
                Err(failure) => {
                    if args.json {
                        output::print(&report::failure_line(file, &failure))?;
                    }
                    exit = complain(&failure, color);
                }
            }
        }
    }
    Ok(exit)
}

fn count(args: &LanguageArgs, files: &[PathBuf], recogniser: &Recogniser, color: Color) -> Outcome {
    let mut exit = Exit::Done;
    let mut all = Frequencies::default();
    for files in files.chunks(BATCH) {
        let results = on_all_cores(files, |file| {
            Input::read(file).map(|input| Frequencies::of(&recogniser.tokens(&input.blocks())))
        });
        for result in results {
            match result {
                Ok(of_file) => all.merge(of_file),
                Err(failure) => exit = complain(&failure, color),
            }
        }
    }
    all.print(args.top, args.json)?;
    Ok(exit)
}

fn complain(failure: &Failure, color: Color) -> Exit {
    crate::messages::print(failure, color);
    Exit::Failures
}

pub(crate) fn language_tag(text: &str) -> Result<String, String> {
    crate::config::text_forms::language_tag(text).map(|()| text.to_owned())
}
