//! `auslese search --batch`: many questions at once, for evaluation with the tools of TREC.

use super::SearchArgs;
use super::asking::{Question, request};
use super::opening::Opened;
use super::transfer::{ask_transferred, transferring};
use crate::args::Place;
use crate::messages::{Color, Exit, Failure, Outcome};
use crate::output;
use anyhow::Context;
use auslese_search::{QuerySyntax, RUN_HITS, SearchRequest, write_run};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(super) struct BatchArgs {
    /// Answer all questions of a file, one per line: number, tab, question as plain words
    #[arg(long, value_name = "FILE")]
    pub(super) batch: Option<PathBuf>,

    /// How the answers of --batch are printed
    #[arg(long, value_enum)]
    pub(super) format: Option<RunFormat>,

    /// What the run of --format trec is called
    #[arg(long, value_name = "NAME", default_value = "auslese")]
    pub(super) run_name: String,

    /// Read the questions of --batch in the query language instead of as plain words
    #[arg(long, requires = "batch")]
    pub(super) query_language: bool,
}

/// How the answers of a batch are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RunFormat {
    /// Lines of `question Q0 document rank score run`, 1,000 hits per question
    Trec,
    /// One JSON object per question
    Json,
}

pub(super) fn run(file: &Path, args: &SearchArgs, place: &Place, color: Color) -> Outcome {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let opened = Opened::open(place, &args.asking.also, color)?;
    let transferring = transferring(&opened, &args.asking)?;
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let Some((id, query)) = line.split_once('\t') else {
            let message = format!("{}:{}: there is no tab", file.display(), number + 1);
            return Err(Failure::usage(message).hint("a line is a number, a tab, and the question"));
        };
        let question = Question { query, args: &args.asking };
        let syntax = match args.batch.query_language {
            true => QuerySyntax::Language,
            false => QuerySyntax::Words,
        };
        let request = SearchRequest {
            syntax,
            limit: RUN_HITS,
            offset: 0,
            explain: false,
            snippets: false,
            facets: Vec::new(),
            ..request(&question)
        };
        let (results, _) = ask_transferred(&transferring, &opened, request)?;
        match args.batch.format.unwrap_or(RunFormat::Trec) {
            RunFormat::Trec => {
                let mut lines = Vec::new();
                write_run(&mut lines, id.trim(), &results.hits, &args.batch.run_name)?;
                output::print(&String::from_utf8_lossy(&lines))?;
            }
            RunFormat::Json => {
                let value = serde_json::json!({ "question": id.trim(), "results": results });
                output::print(&format!("{value}\n"))?;
            }
        }
    }
    Ok(Exit::Done)
}
