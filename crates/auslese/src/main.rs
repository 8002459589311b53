//! The command line of auslese: collect the web of an organisation and do research on it.
//!
//! This crate only translates: arguments and configuration into calls of the stages, and their
//! results into text for people or JSON for programs. What a stage decides is decided in its crate.

mod args;
mod commands;
mod config;
mod input;
mod interrupt;
mod loose_files;
mod messages;
mod organisation;
mod output;
mod progress;
mod size_text;
mod steps;

use args::Cli;
use clap::Parser;
use messages::Exit;
use mimalloc::MiMalloc;
use std::io::IsTerminal;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Trees, descriptions and postings are made of many small pieces, and several threads make and drop them.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The argument with which the program starts itself as a reader of strangers' documents.
pub(crate) const READER_MODE: &str = "reader";

fn main() -> ExitCode {
    // Before anything else, for a confined process must not have done anything yet.
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == READER_MODE) {
        return auslese_reader::serve(arguments, auslese_harvest::read_document);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return answer_of_parser(&error),
    };
    start_log(cli.verbose);
    let color = cli.color;
    match commands::run(cli) {
        Ok(exit) => exit.into(),
        Err(failure) if failure.is_closed_pipe() => Exit::Done.into(),
        Err(failure) => {
            messages::print(&failure, color);
            failure.exit.into()
        }
    }
}

/// Help and version are answers, the rest are mistakes; the parser knows which is which.
fn answer_of_parser(error: &clap::Error) -> ExitCode {
    // If stdout or stderr is gone, the exit code still tells.
    let _ = error.print();
    if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() }
}

fn start_log(verbose: u8) {
    let level = match verbose {
        // What a provider hands out is logged without asking.
        0 => "warn,auslese_summarize=info",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_env("AUSLESE_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(colours)
        // A log that nobody reads any more is no reason to end.
        .log_internal_errors(false)
        .init();
}
