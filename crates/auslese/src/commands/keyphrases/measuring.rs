//! `auslese keyphrases evaluate`.

use super::models::{self, ModelsArgs};
use super::{LearningArgs, documents};
use crate::loose_files::on_all_cores;
use crate::messages::{Color, Exit, Outcome};
use crate::output;
use auslese_describe::{KeyphraseMethod, KeyphraseQuality, cross_validate, evaluate_model};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Measure precision, recall and F1 of keyphrases among the first 5, 10 and 15
///
/// Phrases are compared by their stems. With --model, a model is checked on documents that it must not
/// know. Otherwise each part of the documents is checked with what the others taught, once for every
/// method, with and without the place within the paragraph.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct EvaluateArgs {
    /// A folder of .txt and .key files, or a .jsonl file
    #[arg(value_name = "PATH")]
    path: PathBuf,

    /// The name or file of a model
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["folds", "method", "language"])]
    model: Option<String>,

    /// How many parts the documents are divided into
    #[arg(long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..=1000))]
    folds: u16,

    #[command(flatten)]
    learning: LearningArgs,

    #[command(flatten)]
    models: ModelsArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese keyphrases evaluate preprints/
  auslese keyphrases evaluate --folds 10 --method kea preprints.jsonl
  auslese keyphrases evaluate --model english preprints.jsonl --json";

pub(super) fn run(args: &EvaluateArgs, color: Color) -> Outcome {
    let documents = documents::labelled(&args.path, color)?;
    let measured: Vec<(String, KeyphraseQuality)> = match &args.model {
        Some(name) => {
            let model = models::load(&args.models, name)?;
            vec![(name.clone(), evaluate_model(&model, &documents))]
        }
        None => {
            let language = args.learning.language_of(&documents)?;
            let methods = match args.learning.methods()[..] {
                [method] => vec![method],
                _ => KeyphraseMethod::ALL.to_vec(),
            };
            let folds = usize::from(args.folds).min(documents.len());
            let measure = |method: &KeyphraseMethod| {
                let quality = cross_validate(&documents, language, &[*method], folds);
                (method.name().to_owned(), quality)
            };
            on_all_cores(&methods, measure)
        }
    };
    if args.json {
        let rows: Vec<Value> = measured
            .iter()
            .map(|(name, quality)| json!({ "method": name, "quality": quality }))
            .collect();
        output::print_json(&rows)?;
    } else {
        output::print(&table(&measured))?;
    }
    Ok(Exit::Done)
}

fn table(measured: &[(String, KeyphraseQuality)]) -> String {
    let head = ["method", "documents", "first", "precision", "recall", "F1", "weights off by"];
    let mut rows = vec![head.map(str::to_owned)];
    for (name, quality) in measured {
        for at in &quality.at {
            rows.push([
                name.clone(),
                quality.documents.to_string(),
                at.rank.to_string(),
                format!("{:.3}", at.precision),
                format!("{:.3}", at.recall),
                format!("{:.3}", at.f1),
                format!("{:.3}", quality.weights.ece),
            ]);
        }
    }
    output::columns(&rows)
}
