//! `auslese language`: in which language files are, and why.
//!
//! Files are read and judged on all cores and reported in the order given. A file that cannot be
//! read costs itself only.

mod frequencies;
mod input;
mod names;
mod report;
mod word_lists;

pub(crate) use word_lists::recogniser;

use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Outcome};
use crate::output;
use auslese_corpus::language::Recogniser;
use clap::Args;
use frequencies::Frequencies;
use input::Input;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Say in which language files are, and why
///
/// Files may be HTML or plain text, in any encoding; `-` is the standard input. Words are looked up in
/// a list of German forms, and a general detector is asked; names, numbers and addresses are left
/// out. The rule in force and its thresholds are settings of [corpus.language].
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LanguageArgs {
    /// Files, or `-` for the standard input
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
  auslese language --json mirror/*.html | jq -r '[.language, .id] | @tsv'
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
    match args {
        LanguageArgs { names: true, .. } => names::run(&config, &recogniser, place, args.json),
        LanguageArgs { frequencies: true, .. } => count(args, &recogniser, color),
        _ => judge(args, &recogniser, color),
    }
}

fn judge(args: &LanguageArgs, recogniser: &Recogniser, color: Color) -> Outcome {
    let mut exit = Exit::Done;
    let mut table = report::Rows::default();
    for files in args.files.chunks(BATCH) {
        let results = on_all_cores(files, |file| {
            Input::read(file).map(|input| {
                if args.explain && !args.json {
                    report::explanation(recogniser, &input)
                } else if args.json {
                    report::json_line(recogniser, &input, args.explain)
                } else {
                    report::row(recogniser, &input)
                }
            })
        });
        for result in results {
            match result {
                Ok(lines) if args.json || args.explain => output::print(&lines)?,
                Ok(line) => table.print(&line)?,
                Err(failure) => exit = complain(&failure, color),
            }
        }
    }
    Ok(exit)
}

fn count(args: &LanguageArgs, recogniser: &Recogniser, color: Color) -> Outcome {
    let mut exit = Exit::Done;
    let mut all = Frequencies::default();
    for files in args.files.chunks(BATCH) {
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

/// Does the same to each item, on as many threads as there are cores; results in the order of items.
fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((at, item)) = {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    items.get(at).map(|item| (at, item))
                } {
                    let result = work(item);
                    done.lock()
                        .expect("no worker panics while it holds the lock")
                        .push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics while it holds the lock");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

fn language_tag(text: &str) -> Result<String, String> {
    crate::config::text_forms::language_tag(text).map(|()| text.to_owned())
}
