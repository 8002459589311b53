//! One module per command: its arguments, the call it makes, and what it prints.

pub(crate) mod archive;
mod catalog_access;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod crawl;
pub(crate) mod crawl_plan;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod init;
mod institutions;
pub(crate) mod man;
pub(crate) mod status;

use crate::args::{Cli, Command};
use crate::messages::Outcome;

/// Does what the command line asks for.
pub(crate) fn run(cli: Cli) -> Outcome {
    let Cli { command, place, color, .. } = cli;
    match command {
        Command::Init(args) => init::run(&args, &place, color),
        Command::Crawl(args) => crawl::run(&args, &place, color),
        Command::Status(args) => status::run(&args, &place),
        Command::Explain(args) => explain::run(&args, &place),
        Command::Archive(args) => archive::run(&args, &place, color),
        Command::Config(args) => config::run(&args, &place),
        Command::Doctor(args) => doctor::run(&args, &place),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
