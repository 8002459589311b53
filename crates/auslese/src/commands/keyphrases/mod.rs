//! `auslese keyphrases`: phrases that say what a text is about, and models that find them.

mod documents;
mod extracting;
mod measuring;
mod models;

use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use auslese_describe::{
    KeyphraseMethod, KeyphraseModel, KeyphraseTraining, TrainingDocument, stem_language_of,
    train_keyphrases,
};
use auslese_model::Timestamp;
use auslese_words::StemLanguage;
use clap::{Args, Subcommand};
use extracting::ExtractArgs;
use measuring::EvaluateArgs;
use models::ModelsArgs;
use serde_json::json;
use std::path::PathBuf;

/// Find the keyphrases of texts, after Kea; train and measure models for it
///
/// A model learns from documents whose keyphrases are known, about 50 of one subject and kind of text.
/// `english` and `german` come with the program. docs/keyphrases.md explains how to make your own.
#[derive(Debug, Args)]
pub(crate) struct KeyphrasesArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Train(TrainArgs),
    Extract(ExtractArgs),
    Evaluate(EvaluateArgs),
    /// List the models that come with the program and your own
    #[command(after_help = LIST_EXAMPLES)]
    List {
        #[command(flatten)]
        models: ModelsArgs,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Make a model from documents whose keyphrases are known
///
/// PATH is a folder of pairs, X.txt with the text and X.key with one keyphrase per line, or a file of
/// JSON lines with `text` and `keywords`.
#[derive(Debug, Args)]
#[command(after_help = TRAIN_EXAMPLES)]
struct TrainArgs {
    /// A folder of .txt and .key files, or a .jsonl file
    #[arg(value_name = "PATH")]
    path: PathBuf,

    /// The name of the model
    #[arg(long, value_name = "NAME", value_parser = models::model_name)]
    name: String,

    #[command(flatten)]
    learning: LearningArgs,

    /// Phrases in fewer documents are left out of the file, which gets smaller and a little worse
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    list_from: u32,

    /// What the texts are, for those who see the model later [default: the name of PATH]
    #[arg(long, value_name = "TEXT")]
    from: Option<String>,

    #[command(flatten)]
    models: ModelsArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct LearningArgs {
    /// How to learn: `kea` is naive Bayes on TF×IDF and first occurrence, `regression` weighs more
    /// features, `auto` takes it if it is clearly better on documents held out
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    #[arg(value_parser = ["auto", "kea", "kea-paragraph", "regression", "regression-no-paragraph"])]
    method: String,

    /// The language of the texts, `en` or `de` [default: by their stop words]
    #[arg(long, value_name = "TAG", value_parser = stem_language)]
    language: Option<StemLanguage>,
}

const TRAIN_EXAMPLES: &str = "\
Examples:
  auslese keyphrases train --name math preprints/
  auslese keyphrases train --name math --method kea preprints.jsonl
  auslese keyphrases train --name physik --language de --models models texte/";

const LIST_EXAMPLES: &str = "\
Examples:
  auslese keyphrases list
  auslese keyphrases list --models models --json";

/// A model by its name, or of a file.
pub(crate) fn model(name: &str) -> Result<KeyphraseModel, Failure> {
    models::load(&ModelsArgs::default(), name)
}

pub(crate) fn run(args: &KeyphrasesArgs, color: Color) -> Outcome {
    match &args.action {
        Action::Train(args) => train(args, color),
        Action::Extract(args) => extracting::run(args, color),
        Action::Evaluate(args) => measuring::run(args, color),
        Action::List { models, json } => models::list(models, *json),
    }
}

impl LearningArgs {
    /// The methods to choose from.
    pub(super) fn methods(&self) -> Vec<KeyphraseMethod> {
        match KeyphraseMethod::from_name(&self.method) {
            Some(method) => vec![method],
            None => vec![KeyphraseMethod::Kea, KeyphraseMethod::Regression],
        }
    }

    pub(super) fn language_of(
        &self,
        documents: &[TrainingDocument],
    ) -> Result<StemLanguage, Failure> {
        let by_words = || stem_language_of(documents.iter().map(|it| it.text.as_str()));
        self.language.or_else(by_words).ok_or_else(|| {
            Failure::usage(
                "the texts are neither English nor German, as far as their stop words tell",
            )
            .hint("if they are, say so with --language")
        })
    }
}

fn stem_language(tag: &str) -> Result<StemLanguage, String> {
    StemLanguage::from_tag(tag).ok_or_else(|| "stems are known for en and de".to_owned())
}

fn train(args: &TrainArgs, color: Color) -> Outcome {
    let documents = documents::labelled(&args.path, color)?;
    let language = args.learning.language_of(&documents)?;
    let path = args.path.file_name().unwrap_or(args.path.as_os_str());
    let training = KeyphraseTraining {
        name: args.name.clone(),
        language,
        methods: args.learning.methods(),
        list_from: args.list_from,
        trained_from: args.from.clone().unwrap_or_else(|| path.to_string_lossy().into_owned()),
        date: Timestamp::now().to_string().chars().take(10).collect(),
    };
    let (header, text) = train_keyphrases(&documents, &training).map_err(|error| {
        Failure::new(Exit::Failures, error).hint("about 50 documents of one subject are enough")
    })?;
    let file = models::store(&args.models, &args.name, &text)?;
    if header.weights_measured_on == 0 {
        let message = "there were too few documents to measure weights; they promise too much";
        say(Word::Note, message, color);
    }
    if args.json {
        output::print_json(&json!({
            "name": header.name,
            "file": file.display().to_string(),
            "language": header.language.tag(),
            "method": header.method.name(),
            "documents": header.documents,
            "weights_measured_on": header.weights_measured_on,
        }))?;
        return Ok(Exit::Done);
    }
    output::print(&format!(
        "{}: learnt from {} documents by {}, stored in {}\n",
        header.name,
        header.documents,
        header.method.name(),
        file.display(),
    ))?;
    Ok(Exit::Done)
}
