//! `auslese keyphrases extract`.

use super::documents::{Named, texts};
use super::models::{self, ModelsArgs};
use crate::loose_files::on_all_cores;
use crate::messages::{Color, Exit, Failure, Outcome};
use crate::output;
use auslese_describe::{Keyphrase, KeyphraseModel, KeyphraseModels, Keyphrases};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Find the keyphrases of texts
///
/// Files may be plain text or HTML, or JSON lines with `id` and `text`; `-` is the standard input. The
/// weight says how likely it is that the author would have given the phrase.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExtractArgs {
    /// Texts, HTML pages, .jsonl files, or `-`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The name or file of a model [default: `english` or `german`, by the stop words of each text]
    #[arg(long, value_name = "NAME|FILE")]
    model: Option<String>,

    /// How many phrases of each text
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    count: u16,

    #[command(flatten)]
    models: ModelsArgs,

    /// Print one JSON object per text: `id`, `keywords`, `kw_weights`
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese keyphrases extract paper.txt
  auslese keyphrases extract --model math --count 15 papers/*.txt
  auslese keyphrases extract --model math papers.jsonl --json > keyphrases.jsonl
  pdftotext paper.pdf - | auslese keyphrases extract -";

/// Texts that one thread does in a row, with what it learnt of their words.
const IN_A_ROW: usize = 16;

pub(super) fn run(args: &ExtractArgs, color: Color) -> Outcome {
    let extractor = Extractor::new(args)?;
    let mut exit = Exit::Done;
    for file in &args.files {
        match texts(file) {
            Ok(texts) => print(&texts, &extractor, args)?,
            Err(failure) => {
                if args.json {
                    let line =
                        json!({ "id": file.display().to_string(), "error": failure.in_short() });
                    output::print(&format!("{line}\n"))?;
                }
                crate::messages::print(&failure, color);
                exit = Exit::Failures;
            }
        }
    }
    Ok(exit)
}

fn print(texts: &[Named], extractor: &Extractor, args: &ExtractArgs) -> Result<(), Failure> {
    let rows: Vec<&[Named]> = texts.chunks(IN_A_ROW).collect();
    for found in on_all_cores(&rows, |row| extractor.extract(row, usize::from(args.count))) {
        for (named, phrases) in found {
            output::print(&match args.json {
                true => json_line(&named.id, &phrases),
                false => table(&named.id, &phrases),
            })?;
        }
    }
    Ok(())
}

/// The model that was named, or those of the program.
struct Extractor {
    named: Option<KeyphraseModel>,
    others: KeyphraseModels,
}

impl Extractor {
    fn new(args: &ExtractArgs) -> Result<Extractor, Failure> {
        let named = args.model.as_ref().map(|name| models::load(&args.models, name)).transpose()?;
        Ok(Extractor { named, others: KeyphraseModels::default() })
    }

    fn extract<'t>(&self, texts: &'t [Named], count: usize) -> Vec<(&'t Named, Vec<Keyphrase>)> {
        let mut tool: Option<Keyphrases<'_>> = None;
        let mut found = Vec::new();
        for named in texts {
            let phrases = self.model_for(&named.text).map(|model| {
                let tool = match &mut tool {
                    Some(tool) if std::ptr::eq(tool.model(), model) => tool,
                    other => other.insert(Keyphrases::with(model)),
                };
                tool.extract(&named.text, count)
            });
            found.push((named, phrases.unwrap_or_default()));
        }
        found
    }

    fn model_for(&self, text: &str) -> Option<&KeyphraseModel> {
        self.named.as_ref().or_else(|| self.others.for_text(text))
    }
}

fn json_line(id: &str, phrases: &[Keyphrase]) -> String {
    let keywords: Vec<&str> = phrases.iter().map(|it| it.phrase.as_str()).collect();
    let weights: Vec<f64> = phrases.iter().map(|it| (it.weight * 1e4).round() / 1e4).collect();
    let first: Vec<usize> = phrases.iter().map(|it| it.first).collect();
    format!(
        "{}\n",
        json!({ "id": id, "keywords": keywords, "kw_weights": weights, "kw_first": first })
    )
}

fn table(id: &str, phrases: &[Keyphrase]) -> String {
    let mut rows = vec![["weight", "at", "keyphrase"].map(str::to_owned)];
    rows.extend(
        phrases
            .iter()
            .map(|it| [format!("{:.2}", it.weight), it.first.to_string(), it.phrase.clone()]),
    );
    let head = crate::messages::Harmless(id.to_owned());
    format!("{head}\n{}\n", output::columns(&rows))
}
