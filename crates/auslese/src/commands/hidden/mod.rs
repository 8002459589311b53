//! `auslese hidden`: databases behind forms and other interfaces.

mod asking;
mod listing;
mod planning;
mod showing;

use crate::args::Place;
use crate::messages::{Color, Outcome};
pub(crate) use asking::{ask, run_after_crawl, story};
use clap::{Args, Subcommand};

/// Find databases behind forms, plan how to ask them, ask them, and show what is in them
///
/// Databases are found in what was archived: forms whose page describes them by DB.* metadata, DBContent
/// documents, repositories (OAI-PMH), searches and data sets that describe themselves. Those whose providers agree are
/// asked through the crawl, with its pauses and its obedience to robots.txt, and every answer is
/// archived. Other forms are never sent, unless a host is named for it. docs/hidden-web.md explains it.
#[derive(Debug, Args)]
pub(crate) struct HiddenArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Plan(planning::PlanArgs),
    Run(asking::RunArgs),
    List(listing::ListArgs),
    Show(showing::ShowArgs),
}

pub(crate) fn run(args: &HiddenArgs, place: &Place, color: Color) -> Outcome {
    match &args.action {
        Action::Plan(args) => planning::run(args, place),
        Action::Run(args) => asking::run(args, place, color),
        Action::List(args) => listing::run(args, place),
        Action::Show(args) => showing::run(args, place),
    }
}
