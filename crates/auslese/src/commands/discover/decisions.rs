//! `auslese discover review`: the hosts that wait for a person, and what the person decides.

use super::listing::{host_table, open_judged, stored};
use crate::args::Place;
use crate::commands::catalog_access::{block_on, catalog_failure};
use crate::commands::institutions::can_be_in_the_dns;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::{input, output};
use anyhow::Context;
use auslese_catalog::{HandDecision, HostPattern};
use auslese_discover::review::{read_scope, write_scope};
use auslese_model::{HostName, Membership, Timestamp, Verdict};
use clap::{ArgGroup, Args};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Show the hosts that are unsure, and decide on them by hand
///
/// Without options the unsure hosts are listed. Decisions win over all evidence; a running crawl
/// follows them at once, and the links of an accepted host that were refused are taken up.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("decided").args(["accept", "reject"]).multiple(true))]
pub(crate) struct ReviewArgs {
    /// Hosts that belong; with a leading dot all below as well
    #[arg(long, value_name = "HOST", value_parser = pattern)]
    accept: Vec<HostPattern>,

    /// Hosts that do not belong, written in the same way
    #[arg(long, value_name = "HOST", value_parser = pattern)]
    reject: Vec<HostPattern>,

    /// Take back what was decided on a host
    #[arg(long, value_name = "HOST", value_parser = pattern)]
    withdraw: Vec<HostPattern>,

    /// Why it was decided so; kept with the decision
    #[arg(long, default_value = "", requires = "decided")]
    note: String,

    /// Write all verdicts to a table (CSV), to be decided on in a spreadsheet
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["accept", "reject", "withdraw", "read"])]
    write: Option<PathBuf>,

    /// Read the decisions from such a table
    #[arg(long, value_name = "FILE")]
    read: Option<PathBuf>,

    /// Print JSON lines
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese discover review --dir giessen
  auslese discover review --accept www.example.org --note 'sports club of the staff' --dir giessen
  auslese discover review --write scope.csv --dir giessen
  auslese discover review --read scope.csv --dir giessen";

fn pattern(text: &str) -> Result<HostPattern, String> {
    let pattern = HostPattern::parse(text).filter(|pattern| {
        let name = pattern.to_string();
        HostName::parse(name.trim_start_matches('.')).is_some_and(|host| can_be_in_the_dns(&host))
    });
    pattern.ok_or_else(|| format!("\"{text}\" is no host name"))
}

pub(super) fn run(args: &ReviewArgs, place: &Place, color: Color) -> Outcome {
    if let Some(file) = &args.write {
        return write_table(file, place, color);
    }
    let mut decisions = args.decisions();
    if let Some(file) = &args.read {
        decisions.extend(read_table(file)?);
    }
    if decisions.is_empty() && args.withdraw.is_empty() && args.read.is_none() {
        return list(args, place);
    }
    if let Some(file) = args.read.as_deref().filter(|_| decisions.is_empty()) {
        let message = format!("{}: nothing is decided in it", file.display());
        return Err(Failure::usage(message)
            .hint("write accept or reject into the column decision, and read it again"));
    }
    refuse_contradictions(&decisions, &args.withdraw)?;
    store(&decisions, &args.withdraw, place)?;
    let count = decisions.len() + args.withdraw.len();
    let words = if count == 1 { "decision" } else { "decisions" };
    say(Word::Note, format!("{count} {words} noted; the crawl follows"), color);
    Ok(Exit::Done)
}

/// A host is to be decided on once: which of two words counts would be left to chance.
fn refuse_contradictions(
    decisions: &[HandDecision],
    withdrawn: &[HostPattern],
) -> Result<(), Failure> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    let decided =
        decisions.iter().map(|it| (&it.pattern, if it.accept { "accept" } else { "reject" }));
    for (pattern, word) in decided.chain(withdrawn.iter().map(|pattern| (pattern, "withdraw"))) {
        if let Some(earlier) = seen.insert(pattern.to_string(), word).filter(|it| *it != word) {
            return Err(Failure::usage(format!("{pattern}: both {earlier} and {word}"))
                .hint("nothing was decided; say one of them"));
        }
    }
    Ok(())
}

impl ReviewArgs {
    fn decisions(&self) -> Vec<HandDecision> {
        let at = Timestamp::now();
        let decide = |accept: bool| {
            move |pattern: &HostPattern| HandDecision {
                pattern: pattern.clone(),
                accept,
                note: self.note.clone(),
                by: "by hand".to_owned(),
                at,
            }
        };
        self.accept.iter().map(decide(true)).chain(self.reject.iter().map(decide(false))).collect()
    }
}

fn list(args: &ReviewArgs, place: &Place) -> Outcome {
    let unsure: Vec<Verdict> =
        stored(place)?.into_iter().filter(|it| it.membership == Membership::Unsure).collect();
    if args.json {
        output::print(&auslese_discover::heritrix::json_lines(&unsure)?)?;
    } else if unsure.is_empty() {
        output::print("no host waits for a decision\n")?;
    } else {
        output::print(&host_table(&unsure))?;
    }
    Ok(Exit::Done)
}

fn write_table(file: &Path, place: &Place, color: Color) -> Outcome {
    let verdicts = stored(place)?;
    let text = write_scope(&verdicts);
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    let message = format!(
        "wrote {} with {} hosts; write accept or reject into the column decision, then read it \
         with --read",
        file.display(),
        verdicts.len()
    );
    say(Word::Note, message, color);
    Ok(Exit::Done)
}

fn read_table(file: &Path) -> Result<Vec<HandDecision>, Failure> {
    let reviewed = read_scope(&input::read_table(file)?);
    if let Some(problem) = reviewed.problems.first() {
        let more = reviewed.problems.len() - 1;
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        return Err(Failure::usage(format!("{}: {problem}{more}", file.display()))
            .hint("nothing was decided; correct the table and read it again"));
    }
    let at = Timestamp::now();
    let by = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let decisions = reviewed.decisions.into_iter().map(|decision| {
        let pattern = pattern(&decision.host_pattern)
            .map_err(|problem| Failure::usage(format!("{}: {problem}", file.display())))?;
        let (accept, note) = (decision.accept, decision.note);
        Ok(HandDecision { pattern, accept, note, by: by.clone(), at })
    });
    decisions.collect()
}

fn store(
    decisions: &[HandDecision],
    withdrawn: &[HostPattern],
    place: &Place,
) -> Result<(), Failure> {
    let config = place.sources(Overrides::default()).load()?;
    block_on(async {
        let catalog = open_judged(&config, place.dir()).await?;
        let known = catalog.hand_decisions().await.map_err(catalog_failure)?;
        for pattern in withdrawn {
            if !known.iter().any(|decision| decision.pattern == *pattern) {
                return Err(Failure::usage(format!("nothing was decided on {pattern}")));
            }
        }
        catalog.set_hand_decisions(decisions).await.map_err(catalog_failure)?;
        for pattern in withdrawn {
            let at = Timestamp::now();
            catalog.remove_hand_decision(pattern, at).await.map_err(catalog_failure)?;
        }
        catalog.close().await;
        Ok(())
    })
}
