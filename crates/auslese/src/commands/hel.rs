//! `auslese hel`: tries an extraction rule on a page, and proposes rules.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::args::Place;
use crate::config::Overrides;
use crate::loose_files;
use crate::messages::{Color, Exit, Failure, Harmless, Outcome, Word, say};
use crate::output;
use auslese_crawl::canonical;
use auslese_harvest::stored_body;
use auslese_hidden::{HelBudget, HelError, HelPage, HelPrefix, HelRule, suggest};
use auslese_markup::{Page, parse};
use auslese_model::{Method, RequestKey};
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::{Path, PathBuf};
use url::Url;

/// Try an extraction rule (HEL) on a page, or have rules proposed
///
/// Prints what the rule finds as a nested list of texts. The page is a file, `-` for the standard input, or
/// the address of a page that is archived in the harvest in --dir; nothing is fetched.
/// docs/hidden-web.md explains the language and the codes of errors.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct HelArgs {
    #[command(subcommand)]
    action: Option<Action>,

    /// The rule
    #[arg(required = true, allow_hyphen_values = true, value_name = "RULE")]
    rule: Option<String>,

    /// A file, `-` for the standard input, or an address in the harvest
    #[arg(required = true, value_name = "FILE|URL")]
    page: Option<String>,

    /// What the rule and its conditions begin with, as DB.Result gives it
    #[arg(long, value_name = "STEPS", allow_hyphen_values = true)]
    prefix: Option<String>,

    /// Print indented JSON instead of one line
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    Suggest(SuggestArgs),
}

/// Propose rules that find given values on a page
///
/// The values are looked for on the first page; every rule is tried on all of them. First comes what finds
/// values on most pages, leaves fewest gaps, and is shortest.
#[derive(Debug, Args)]
#[command(after_help = SUGGEST_EXAMPLES)]
struct SuggestArgs {
    /// Pages of the same kind: files, or addresses in the harvest
    #[arg(required = true, value_name = "FILE|URL")]
    pages: Vec<String>,

    /// A value that the rule is to find on the first page; two or more are better
    #[arg(long, required = true, value_name = "TEXT", num_args = 1..)]
    value: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese hel 'html.body.table.tr[1-].td[0].txt' page.html
  auslese hel --prefix 'html.body->table[1].' 'tr[*]( .td[0].txt # .td[1].txt )' page.html
  auslese hel \"html->a[i:*].txt where html->a[i].getAttr(class) = 'next'\" https://www.example.org/ --dir giessen
  auslese hel suggest page.html --value Waren Malchow";

const SUGGEST_EXAMPLES: &str = "\
Examples:
  auslese hel suggest page.html --value Waren Malchow
  auslese hel suggest page1.html page2.html page3.html --value 'Hotel am See'";

pub(crate) fn run(args: &HelArgs, place: &Place, color: Color) -> Outcome {
    match (&args.action, &args.rule, &args.page) {
        (Some(Action::Suggest(args)), _, _) => run_suggest(args, place),
        (None, Some(rule), Some(page)) => run_rule(args, rule, page, place, color),
        _ => Err(Failure::usage("a rule and a page are needed")),
    }
}

fn run_rule(args: &HelArgs, rule: &str, page: &str, place: &Place, color: Color) -> Outcome {
    let prefix_text = args.prefix.as_deref().unwrap_or_default();
    let prefix =
        HelPrefix::parse(prefix_text).map_err(|error| rule_failure(&error, prefix_text))?;
    let parsed =
        HelRule::parse(rule, prefix.as_ref()).map_err(|error| rule_failure(&error, rule))?;
    for warning in parsed.warnings() {
        let column = column(rule, warning.offset);
        let text = format!("{} at {column}: {}", warning.code, warning.message);
        say(Word::Note, &text, color);
    }
    let page = read_page(page, place)?;
    let value = parsed.evaluate(&HelPage::new(&page), &mut HelBudget::default());
    let value = value.map_err(|error| rule_failure(&error, rule))?;
    if args.json {
        output::print_json(&value)?;
    } else {
        output::print(&format!("{}\n", serde_json::to_string(&value)?))?;
    }
    Ok(Exit::Done)
}

/// `E_SYNTAX at 15: …`; places are counted in characters from 1.
fn rule_failure(error: &HelError, text: &str) -> Failure {
    let column = column(text, error.offset);
    Failure::usage(format!("{} at {column}: {}", error.code, error.message))
        .hint("docs/hidden-web.md explains the language")
}

fn column(text: &str, offset: usize) -> usize {
    text.get(..offset).map_or(0, |before| before.chars().count()) + 1
}

fn run_suggest(args: &SuggestArgs, place: &Place) -> Outcome {
    let pages: Vec<Page> =
        args.pages.iter().map(|page| read_page(page, place)).collect::<Result<_, _>>()?;
    let pages: Vec<HelPage<'_>> = pages.iter().map(HelPage::new).collect();
    let suggestions = suggest(&pages, &args.value);
    if args.json {
        let rules: Vec<_> = suggestions
            .iter()
            .map(|it| json!({ "rule": it.rule, "values": it.values, "gaps": it.gaps }))
            .collect();
        output::print_json(&rules)?;
    } else {
        let mut text = String::new();
        for suggestion in &suggestions {
            let counts: Vec<String> =
                suggestion.values.iter().map(|it| it.index_values().len().to_string()).collect();
            let (rule, counts) = (&suggestion.rule, counts.join(", "));
            text.push_str(&format!("{rule}\n    values: {counts}; gaps: {}\n", suggestion.gaps));
        }
        output::print(&Harmless(text).to_string())?;
    }
    if suggestions.is_empty() {
        let message = "no rule was found for these values";
        return Err(Failure::new(Exit::Failures, anyhow::Error::msg(message))
            .hint("a value must be the whole text of an element, or of an attribute"));
    }
    Ok(Exit::Done)
}

/// A page from a file, or from the archive of the harvest.
fn read_page(page: &str, place: &Place) -> Result<Page, Failure> {
    let url = Url::parse(page).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    match url.filter(|_| !Path::new(page).exists()) {
        Some(url) => archived_page(&url, place),
        None => Ok(parse(&loose_files::read(&PathBuf::from(page))?, None)),
    }
}

/// The newest stored answer to an address. What is looked at is archived, so nothing is fetched here.
fn archived_page(url: &Url, place: &Place) -> Result<Page, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    let dir = config.harvest_dir(place.dir())?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let key = RequestKey::new(Method::Get, &canonical(url, &config.crawl.canonical), &[]);
        let known = catalog.find_keys(&[key]).await.map_err(catalog_failure)?.remove(&key);
        let Some(request) = known else {
            return Err(Failure::usage(format!("{url} was never met"))
                .hint("`auslese crawl URL` fetches and archives it"));
        };
        let captures = catalog.captures_of_request(request.id).await.map_err(catalog_failure)?;
        catalog.close().await;
        let bodies = captures.iter().rev().filter(|it| (200..300).contains(&it.capture.status));
        for stored in bodies {
            if let Ok(body) = stored_body(&dir.holdings(), &stored.capture) {
                return Ok(parse(&body.bytes, stored.capture.fields.charset().as_deref()));
            }
        }
        Err(Failure::usage(format!("the archive has no page for {url}"))
            .hint("`auslese explain URL` says what became of it"))
    })
}
