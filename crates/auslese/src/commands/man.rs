//! `auslese man`: manual pages, made from the same texts as `--help`.

use crate::args::Cli;
use crate::messages::{Exit, Outcome};
use crate::output;
use anyhow::Context;
use clap::{Args, CommandFactory};
use std::fs;
use std::path::{Path, PathBuf};

/// Print the manual page, or write the pages of all commands
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// Directory to write one page per command to
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  auslese man | man -l -
  auslese man --dir ~/.local/share/man/man1";

/// Prints the main page, or writes all pages to a directory.
pub(crate) fn run(args: &ManArgs) -> Outcome {
    match &args.dir {
        Some(dir) => write_pages(dir)?,
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            output::print(&String::from_utf8_lossy(&page))?;
        }
    }
    Ok(Exit::Done)
}

fn write_pages(dir: &Path) -> anyhow::Result<()> {
    let cannot_write = || format!("cannot write manual pages to {}", dir.display());
    fs::create_dir_all(dir).with_context(cannot_write)?;
    clap_mangen::generate_to(Cli::command(), dir).with_context(cannot_write)
}
