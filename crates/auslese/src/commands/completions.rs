//! `auslese completions`: a script that teaches the shell the commands and options.

use crate::args::Cli;
use crate::messages::{Exit, Outcome};
use crate::output;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print a script that completes commands and options in your shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// Your shell
    #[arg(value_enum)]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  auslese completions bash > ~/.local/share/bash-completion/completions/auslese
  auslese completions zsh > ~/.zfunc/_auslese
  auslese completions fish > ~/.config/fish/completions/auslese.fish";

pub(crate) fn run(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "auslese", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
