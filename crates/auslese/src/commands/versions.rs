//! `auslese versions`: how one document has changed over the rounds.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::version_history::{History, Shown};
use crate::args::Place;
use crate::config::Overrides;
use crate::config::text_forms::web_url;
use crate::messages::{Exit, Failure, Harmless, Outcome};
use crate::output;
use auslese_crawl::canonical;
use auslese_model::{Method, RequestKey};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use url::Url;

/// Show the versions of a document, and what changed in its words
///
/// Versions are made by `auslese recrawl` and `auslese archive import`. A removed word is shown as
/// [-word-], an added one as {+word+}.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VersionsArgs {
    /// The address of the document
    #[arg(value_name = "URL", value_parser = web_url)]
    url: Url,

    /// How to show changed words
    #[arg(long, value_enum, default_value_t)]
    diff: Diff,

    /// Words shown around a change
    #[arg(long, value_name = "N", default_value_t = 8)]
    context: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese versions https://www.uni-giessen.de/fb09/ --dir giessen
  auslese versions https://www.uni-giessen.de/fb09/ --dir giessen --diff html > changes.html
  auslese versions https://www.uni-giessen.de/fb09/ --dir giessen --json";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Diff {
    #[default]
    Text,
    Html,
    None,
}

pub(crate) fn run(args: &VersionsArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let dir = config.harvest_dir(place.dir())?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let spelling = canonical(&args.url, &config.crawl.canonical);
        let key = RequestKey::new(Method::Get, &spelling, &[]);
        let known = catalog.find_keys(&[key]).await.map_err(catalog_failure)?.remove(&key);
        let Some(request) = known else {
            return Err(Failure::usage(format!("{} was never met", args.url))
                .hint("`auslese explain URL` says why"));
        };
        let shown = History { catalog: &catalog, dir: &dir }.of(request.id).await?;
        catalog.close().await;
        if shown.is_empty() {
            return Err(Failure::usage(format!("{} has no versions", args.url))
                .hint("`auslese explain URL` says what became of it"));
        }
        print(&shown, args)?;
        Ok(Exit::Done)
    })
}

fn print(shown: &[Shown], args: &VersionsArgs) -> Result<(), Failure> {
    if args.json {
        let versions: Vec<Value> = shown.iter().map(|shown| as_json(shown, args)).collect();
        return output::print_json(&json!({ "url": args.url.as_str(), "versions": versions }));
    }
    if args.diff == Diff::Html {
        return output::print(&page(shown, args));
    }
    let mut text = format!("{}\n", args.url);
    for shown in shown {
        text.push_str(&line(shown));
        if let (Some(diff), Diff::Text) = (&shown.diff, args.diff) {
            for line in diff.text(args.context).lines() {
                text.push_str(&format!("    {line}\n"));
            }
        }
    }
    output::print(&Harmless(text).to_string())
}

/// `round 2  2026-11-16T05:00:00Z  200  changed  +4 -3 words`
fn line(shown: &Shown) -> String {
    let round = shown.round.map_or_else(|| "–".to_owned(), |round| round.to_string());
    let at = shown.at.map_or_else(String::new, |at| at.to_second_text());
    let status = shown.status.map_or_else(|| "–".to_owned(), |status| status.to_string());
    let words = match shown.words {
        Some(words) => format!("  +{} -{} words", words.added, words.removed),
        None => String::new(),
    };
    format!("round {round}  {at}  {status}  {}{words}\n", shown.change.as_str())
}

fn as_json(shown: &Shown, args: &VersionsArgs) -> Value {
    let words = shown.words;
    json!({
        "round": shown.round,
        "at": shown.at.map(|at| at.to_second_text()),
        "status": shown.status,
        "change": shown.change.as_str(),
        "words_added": words.map(|words| words.added),
        "words_removed": words.map(|words| words.removed),
        "words_kept": words.map(|words| words.kept),
        "diff": shown.diff.as_ref().map(|diff| diff.text(args.context)),
    })
}

fn page(shown: &[Shown], args: &VersionsArgs) -> String {
    let url = args.url.as_str().replace('&', "&amp;").replace('<', "&lt;");
    let mut page = format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{url}</title>\n\
         <style>body{{font:16px/1.5 sans-serif;margin:2rem}}ins{{background:#d4f4d4}}\
         del{{background:#f8d4d4}}</style></head>\n<body><h1>{url}</h1>\n"
    );
    for shown in shown {
        page.push_str(&format!("<h2>{}</h2>\n", line(shown).trim_end()));
        if let Some(diff) = &shown.diff {
            page.push_str(&diff.html(args.context));
            page.push('\n');
        }
    }
    page + "</body></html>\n"
}
