//! `auslese heuristics`: for those who write, exchange and measure heuristics.

mod documents;
mod labels;
mod measuring;

use super::citations::{EntryStory, entry_stories, entry_text};
use super::describe::{
    FoundSet, OWN_WEIGHTS, Sets, SetsArgs, SetsByKind, description_text, json_line,
};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Harmless, Outcome, Word, say};
use crate::output;
use anyhow::Context;
use auslese_describe::{
    Explanation, Heuristics, SHIPPED_HEURISTICS, Weights, WeightsWarning, describe, explain,
};
use auslese_model::Field;
use clap::{Args, Subcommand};
use documents::{Found, find};
use measuring::{CalibrateArgs, EvaluateArgs};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use url::Url;

/// Check heuristics, explain what they do to a document, measure how far to trust them
///
/// Heuristics are text files; docs/heuristics.md explains their language. A set is a folder of .heur
/// files. `export` writes a copy of those that come with the program, to begin with.
#[derive(Debug, Args)]
pub(crate) struct HeuristicsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Check a set: every mistake with file, line and column
    #[command(after_help = CHECK_EXAMPLES)]
    Check {
        /// A folder with .heur files, or the name of a set that comes with the program
        #[arg(value_name = "NAME|DIR", default_value = "default")]
        heuristics: String,

        /// Also compare them with a file of weights
        #[arg(long, value_name = "FILE")]
        weights: Option<PathBuf>,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the rules of a set with the weights they were written with and those in force
    #[command(after_help = LIST_EXAMPLES)]
    List {
        #[command(flatten)]
        sets: SetsArgs,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    Explain(ExplainArgs),
    Run(RunArgs),
    /// Write a set of the program and its weights into a folder, to change them there
    #[command(after_help = EXPORT_EXAMPLES)]
    Export {
        /// The name of the set
        #[arg(value_name = "NAME")]
        name: String,

        /// The folder; it is made if it is not there
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    Calibrate(CalibrateArgs),
    Evaluate(EvaluateArgs),
}

/// Say what each query found in a document, which rule fired, and why the others did not
#[derive(Debug, Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
struct ExplainArgs {
    /// A file, `-`, or an address of the harvest in --dir
    #[arg(value_name = "FILE|URL")]
    document: String,

    /// This field only
    #[arg(long, value_name = "FIELD", value_parser = field)]
    field: Option<Field>,

    /// The address the file was found at, for rules that look at it
    #[arg(long, value_name = "URL")]
    url: Option<Url>,

    #[command(flatten)]
    sets: SetsArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Run heuristics over documents and print what they say; nothing is stored
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
struct RunArgs {
    /// Files, `-`, or addresses of the harvest in --dir
    #[arg(value_name = "FILE|URL", required = true)]
    documents: Vec<String>,

    /// The address the file was found at, for rules that look at it
    #[arg(long, value_name = "URL")]
    url: Option<Url>,

    #[command(flatten)]
    sets: SetsArgs,

    /// Print one JSON object per document
    #[arg(long)]
    json: bool,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  auslese heuristics check my-heuristics
  auslese heuristics check my-heuristics --weights weights.toml
  auslese heuristics check carmen";

const LIST_EXAMPLES: &str = "\
Examples:
  auslese heuristics list
  auslese heuristics list --heuristics carmen --json";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  auslese heuristics explain page.html
  auslese heuristics explain page.html --heuristics carmen --field title
  auslese heuristics explain http://www.uni.example/institut/ --dir giessen";

const RUN_EXAMPLES: &str = "\
Examples:
  auslese heuristics run page.html --heuristics my-heuristics
  auslese heuristics run http://www.uni.example/institut/ --dir giessen --json";

const EXPORT_EXAMPLES: &str = "\
Examples:
  auslese heuristics export default my-heuristics
  auslese heuristics export carmen carmen-copy";

pub(crate) fn run(args: &HeuristicsArgs, place: &Place, color: Color) -> Outcome {
    match &args.action {
        Action::Check { heuristics, weights, json } => {
            check(heuristics, weights.clone(), *json, color)
        }
        Action::List { sets, json } => list(sets, place, *json),
        Action::Explain(args) => explain_document(args, place),
        Action::Run(args) => run_over(args, place, color),
        Action::Export { name, folder } => export(name, folder),
        Action::Calibrate(args) => measuring::calibrate_weights(args, place, color),
        Action::Evaluate(args) => measuring::evaluate(args, place, color),
    }
}

pub(crate) fn field(text: &str) -> Result<Field, String> {
    Field::parse(text).ok_or_else(|| {
        let names: Vec<&str> = Field::ALL.iter().map(|field| field.as_str()).collect();
        format!("the fields are {}", names.join(", "))
    })
}

fn check(name: &str, weights: Option<PathBuf>, as_json: bool, color: Color) -> Outcome {
    let (set, weights) = match set_and_weights(name, weights) {
        Ok(sound) => sound,
        Err(failure) if as_json => {
            let faults = failure.lines();
            output::print_json(&json!({ "heuristics": name, "sound": false, "faults": faults }))?;
            return Ok(failure.exit);
        }
        Err(failure) => return Err(failure),
    };
    let mut warnings: Vec<String> = set.check().iter().map(ToString::to_string).collect();
    warnings.extend(misfits(&set, &weights));
    let (files, rules) = (set.files().count(), set.rules().len());
    if as_json {
        output::print_json(&json!({
            "heuristics": set.name(),
            "sound": true,
            "digest": set.digest(),
            "files": files,
            "rules": rules,
            "warnings": warnings,
        }))?;
        return Ok(Exit::Done);
    }
    for warning in warnings {
        say(Word::Note, warning, color);
    }
    output::print(&format!("{}: {files} files, {rules} rules, sound\n", set.name()))?;
    Ok(Exit::Done)
}

/// A set with the weights that are named, else with those that come with it.
fn set_and_weights(name: &str, weights: Option<PathBuf>) -> Result<(Heuristics, Weights), Failure> {
    let found = FoundSet::named(name, Path::new(""))?;
    let named = SetsArgs { heuristics: None, weights }.weights_if_named()?;
    let weights = named.map_or_else(|| found.weights(), Ok)?;
    Ok((found.heuristics, weights))
}

/// Where weights do not fit a set. Rules without data are counted only: every set has some.
fn misfits(set: &Heuristics, weights: &Weights) -> Vec<String> {
    let rules = set.rules();
    let warnings = weights.warnings(set.digest(), rules.iter().map(|rule| (&rule.id, rule.field)));
    let (unmeasured, others): (Vec<_>, Vec<_>) =
        warnings.into_iter().partition(|it| matches!(it, WeightsWarning::Unmeasured(..)));
    let mut misfits: Vec<String> = others.iter().map(ToString::to_string).collect();
    if !unmeasured.is_empty() {
        let (some, all) = (unmeasured.len(), rules.len());
        misfits.push(format!("{some} of {all} rules were never measured; `list` shows which"));
    }
    misfits
}

fn sets_of(args: &SetsArgs, place: &Place) -> Result<Sets, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    Sets::load(args, &config.describe, place.dir())
}

fn sets_by_kind(args: &SetsArgs, place: &Place) -> Result<SetsByKind, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    SetsByKind::load(args, &config.describe, place.dir())
}

fn list(args: &SetsArgs, place: &Place, as_json: bool) -> Outcome {
    let sets = sets_of(args, place)?;
    let rules = sets.heuristics.rules();
    let measured = |field: Field, rule: &str| {
        let group = &sets.weights.fields.get(&field)?.all;
        group.rules.get(rule).copied()
    };
    if as_json {
        let rules: Vec<Value> = rules
            .iter()
            .map(|rule| {
                let measured = measured(rule.field, rule.id.as_str());
                json!({
                    "rule": rule.id,
                    "field": rule.field.as_str(),
                    "initial_weight": rule.initial,
                    "measured": measured.map(|it| json!({
                        "weight": it.weight, "right": it.right, "n": it.n,
                    })),
                    "place": rule.place,
                    "source": rule.source,
                })
            })
            .collect();
        output::print_json(&rules)?;
        return Ok(Exit::Done);
    }
    let head = ["field", "rule", "written", "measured", "right of", "place"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for rule in &rules {
        let measured = measured(rule.field, rule.id.as_str());
        rows.push(vec![
            rule.field.to_string(),
            rule.id.to_string(),
            format!("{:.2}", rule.initial),
            measured.map_or("–".to_owned(), |it| format!("{:.2}", it.weight)),
            measured.map_or(String::new(), |it| format!("{} of {}", it.right, it.n)),
            rule.place.clone(),
        ]);
    }
    output::print(&output::table(&rows))?;
    Ok(Exit::Done)
}

fn explain_document(args: &ExplainArgs, place: &Place) -> Outcome {
    let sets = sets_by_kind(&args.sets, place)?;
    let found = find(&args.document, args.url.as_ref(), place)?;
    let sets = found.described_with(&sets);
    let explanation = explain(&found.subject(), &sets.heuristics, &sets.weights, args.field);
    let references = references_of(&explanation, &found, place)?;
    if args.json {
        let mut explained = serde_json::to_value(&explanation)?;
        if let Some(explained) = explained.as_object_mut().filter(|_| !references.is_empty()) {
            explained.insert("references".to_owned(), json!(references));
        }
        output::print_json(&explained)?;
        return Ok(Exit::Done);
    }
    let mut text = explanation.text();
    if !references.is_empty() {
        text.push_str("\nreferences, taken apart\n");
        references.iter().for_each(|entry| text.push_str(&entry_text(entry)));
    }
    output::print(&Harmless(text).to_string())?;
    Ok(Exit::Done)
}

/// The chosen references, taken apart; in a harvest with what they resolved to.
fn references_of(
    explanation: &Explanation,
    found: &Found,
    place: &Place,
) -> Result<Vec<EntryStory>, Failure> {
    let of_references = explanation.fields.iter().filter(|it| it.field == Field::References);
    let candidates = of_references.flat_map(|it| &it.candidates).map(|it| &it.statement);
    let texts: Vec<&str> = candidates.filter(|it| it.chosen).map(|it| it.value.as_str()).collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let url = match found {
        Found::File { .. } => None,
        Found::Harvested { url, .. } => Some(url.as_str()),
    };
    entry_stories(texts.into_iter(), url, place)
}

fn run_over(args: &RunArgs, place: &Place, color: Color) -> Outcome {
    let sets = sets_by_kind(&args.sets, place)?;
    let mut exit = Exit::Done;
    for document in &args.documents {
        match find(document, args.url.as_ref(), place) {
            Ok(found) => {
                let sets = found.described_with(&sets);
                output::print(&said(document, &found, sets, args.json))?;
            }
            Err(failure) => {
                crate::messages::print(&failure, color);
                exit = Exit::Failures;
            }
        }
    }
    Ok(exit)
}

fn said(id: &str, found: &Found, sets: &Sets, as_json: bool) -> String {
    let description = describe(&found.subject(), &sets.heuristics, &sets.weights);
    match as_json {
        true => json_line(id, &description),
        false => description_text(id, &description),
    }
}

fn export(name: &str, folder: &Path) -> Outcome {
    let Some(set) = Heuristics::shipped(name) else {
        let message = format!("no heuristics called {name} come with the program");
        let hint = format!("there are {}", SHIPPED_HEURISTICS.join(", "));
        return Err(Failure::usage(message).hint(hint));
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let weights = Weights::shipped_for(name).to_toml();
    let files: Vec<(&str, &str)> = set.files().chain([(OWN_WEIGHTS, weights.as_str())]).collect();
    let mut places = files.iter().map(|(file, _)| folder.join(file));
    if let Some(file) = places.find(|file| file.exists()) {
        let message = format!("{} is there already", file.display());
        return Err(Failure::usage(message).hint("name another folder"));
    }
    for (file, text) in files {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Exit::Done)
}
