//! `auslese summarize`: for providers of databases, the values of allowed columns as a SOIF fragment.

use super::catalog_access::block_on;
use crate::interrupt::until_interrupted;
use crate::messages::{Color, Complaint, Exit, Failure, Outcome, Word, say};
use crate::output;
use anyhow::Context;
use auslese_model::Problem;
use auslese_summarize::{Fragment, Refusal, Server, Settings, Summarizer};
use clap::{Args, Subcommand};
use std::error::Error;
use std::fmt;
use std::fs::Permissions;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Hand out the values of your own database to those who build an index (for providers)
///
/// Prints all different values of the columns that a DBContent document names, as one SOIF object. Only columns
/// that the settings allow are read, and nothing is ever written. docs/summarizing.md walks through it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct SummarizeArgs {
    #[command(subcommand)]
    action: Option<Action>,

    /// An id of the settings, or the path of a document below their folder
    #[arg(required = true, value_name = "CONFIG")]
    config: Option<String>,

    /// The settings of the summarizer
    #[arg(long, required = true, value_name = "FILE")]
    settings: Option<PathBuf>,

    /// Write into a file instead of the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Hand out fragments over HTTP to those who have a token
    ///
    /// Answers GET /?config=CONFIG on 127.0.0.1:8480 or where the settings say; TLS is the work of a proxy before it.
    /// Every column that is read, and every request, is a line on the standard error output.
    #[command(after_help = SERVE_EXAMPLES)]
    Serve {
        /// The settings of the summarizer
        #[arg(long, value_name = "FILE")]
        settings: PathBuf,

        /// Where to listen [default: the setting `listen`]
        #[arg(long, value_name = "ADDRESS:PORT")]
        listen: Option<SocketAddr>,
    },
    /// Find what is wrong: settings, documents, databases, and every allowed column
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// The settings of the summarizer
        #[arg(long, value_name = "FILE")]
        settings: PathBuf,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

const EXAMPLES: &str = "\
Examples:
  auslese summarize --settings summarizer.toml hotels
  auslese summarize --settings summarizer.toml city/hotels.DBContent --out hotels.soif
  auslese summarize check --settings summarizer.toml
  auslese summarize serve --settings summarizer.toml";

const SERVE_EXAMPLES: &str = "\
Examples:
  auslese summarize serve --settings summarizer.toml
  auslese summarize serve --settings summarizer.toml --listen 127.0.0.1:9000";

const CHECK_EXAMPLES: &str = "\
Examples:
  auslese summarize check --settings summarizer.toml
  auslese summarize check --settings summarizer.toml --json";

pub(crate) fn run(args: &SummarizeArgs, color: Color) -> Outcome {
    match (&args.action, &args.settings, &args.config) {
        (Some(Action::Serve { settings, listen }), _, _) => serve(settings, *listen, color),
        (Some(Action::Check { settings, json }), _, _) => check(settings, *json, color),
        (None, Some(settings), Some(config)) => summarize(settings, config, args.out.as_deref()),
        _ => Err(Failure::usage("--settings and the name of a document are needed")),
    }
}

fn summarize(settings: &Path, config: &str, out: Option<&Path>) -> Outcome {
    let summarizer = Summarizer::new(read(settings)?);
    let fragment = block_on(async { summarizer.summarize(config).await.map_err(refused) })?;
    match out {
        Some(file) => write_file(&fragment, file)?,
        None => {
            let mut out = io::stdout().lock();
            fragment.write_to(&mut out)?;
            out.flush()?;
        }
    }
    Ok(Exit::Done)
}

/// As a whole or not at all.
fn write_file(fragment: &Fragment, file: &Path) -> Result<(), Failure> {
    let cannot_write = || format!("cannot write {}", file.display());
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let usual = Permissions::from_mode(0o666);
    let draft = tempfile::Builder::new().permissions(usual).tempfile_in(folder);
    let mut draft = draft.with_context(cannot_write)?;
    fragment.write_to(&mut draft).with_context(cannot_write)?;
    draft.persist(file).with_context(cannot_write)?;
    Ok(())
}

fn serve(settings: &Path, listen: Option<SocketAddr>, color: Color) -> Outcome {
    let mut settings = read(settings)?;
    settings.listen = listen.unwrap_or(settings.listen);
    let wished = settings.listen;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = Server::bind(Summarizer::new(settings)).await.map_err(|cause| {
            Failure::usage(format!("cannot listen on {wished}: {cause}"))
                .hint("another program may use the port; --listen names another")
        })?;
        output::print(&format!("http://{}/\n", server.address()?))?;
        if !wished.ip().is_loopback() {
            say(Word::Note, "others on the network can ask, and tokens are not encrypted", color);
        }
        say(Word::Hint, "Ctrl-C ends it", color);
        let until = async {
            // Without signals there is no other end than the process's.
            if until_interrupted().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        server.run(until).await;
        Ok(Exit::Done)
    })
}

fn check(file: &Path, json: bool, color: Color) -> Outcome {
    let (problems, exit) = match Settings::read(file) {
        Err(problems) => (problems, Exit::Usage),
        Ok(settings) => {
            let summarizer = Summarizer::new(settings);
            (block_on(async { Ok(summarizer.check().await) })?, Exit::Failures)
        }
    };
    if json {
        output::print_json(&problems)?;
        return Ok(if problems.iter().any(Problem::is_error) { exit } else { Exit::Done });
    }
    let (errors, doubts): (Vec<Problem>, Vec<Problem>) =
        problems.into_iter().partition(Problem::is_error);
    for doubt in &doubts {
        say(Word::Note, format!("{} {}: {}", doubt.code, doubt.subject, doubt.message), color);
    }
    if !errors.is_empty() {
        return Err(failure_of(exit, &errors));
    }
    output::print(&format!("{}: all is well\n", file.display()))?;
    Ok(Exit::Done)
}

fn read(file: &Path) -> Result<Settings, Failure> {
    Settings::read(file).map_err(|problems| failure_of(Exit::Usage, &problems))
}

fn failure_of(exit: Exit, problems: &[Problem]) -> Failure {
    let complaint = |problem: &Problem| {
        let (message, hint) = match problem.message.split_once("; hint: ") {
            Some((message, hint)) => (message, Some(hint.to_owned())),
            None => (problem.message.as_str(), None),
        };
        let error = anyhow::anyhow!("{} {}: {message}", problem.code, problem.subject);
        Complaint { error, hint }
    };
    Failure::all(exit, problems.iter().map(complaint).collect())
}

fn refused(refusal: Refusal) -> Failure {
    let hint = refusal.hint();
    let failure = Failure::new(Exit::Failures, Coded(refusal));
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// A refusal that begins with its code.
#[derive(Debug)]
struct Coded(Refusal);

impl fmt::Display for Coded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.code(), self.0)
    }
}

impl Error for Coded {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}
