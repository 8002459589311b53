//! `auslese hidden plan`: what would be asked, before anything is.

use crate::args::Place;
use crate::commands::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::config::Overrides;
use crate::loose_files;
use crate::messages::{Exit, Failure, Harmless, Outcome};
use crate::output;
use auslese_crawl::canonical;
use auslese_harvest::{plan_value, stored_body};
use auslese_hidden::{
    DbMetadata, PlanSettings, Problem, QueryPlan, config_entries, page_entries, plan,
};
use auslese_markup::parse;
use auslese_model::{Method, RequestKey};
use clap::Args;
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use url::Url;

/// Show how a database would be asked: its form, the values of its elements, the number of requests
///
/// The page is a file, or the address of a page that is archived in the harvest in --dir; nothing is
/// sent. If the page names a configuration file, that is read from the archive as well, or from the file given.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct PlanArgs {
    /// The page with the form: a file, or an address in the harvest
    #[arg(value_name = "FILE|URL")]
    page: String,

    /// A file with the metadata that the page leaves to its configuration file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// The address of the page, if it is a file
    #[arg(long, value_name = "URL", default_value = "http://localhost/")]
    url: Url,

    /// Most queries
    #[arg(long, value_name = "N")]
    budget: Option<u64>,

    /// Plan the first queries if there are more than the budget allows
    #[arg(long)]
    truncate: bool,

    /// Send fields that nothing is asked of as a browser would
    #[arg(long)]
    browser_defaults: bool,

    /// Show so many requests
    #[arg(long, value_name = "N", default_value_t = 5)]
    show: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese hidden plan http://www.uni.example/hotels/ --dir giessen
  auslese hidden plan form.html --url http://www.uni.example/hotels/ --show 20
  auslese hidden plan form.html --config guide.conf --json";

/// Values of an element that are shown.
const SHOWN_VALUES: usize = 8;

pub(super) fn run(args: &PlanArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let table = config.hidden.plan();
    let settings = PlanSettings {
        budget: args.budget.unwrap_or(table.budget),
        truncate: args.truncate,
        browser_defaults: args.browser_defaults || table.browser_defaults,
    };
    let (url, bytes, charset) = read(&args.page, Some(&args.url), place)?;
    let page = parse(&bytes, charset.as_deref());
    let entries = page_entries(&page);
    let file = DbMetadata::of_entries(&entries, &[]).config_file;
    let further = match (&args.config, file) {
        (Some(path), _) => loose_files::read(path)?,
        (None, Some(name)) => {
            let address = page.resolve(&url, &name).map(String::from).unwrap_or(name);
            read(&address, None, place)?.1
        }
        (None, None) => Vec::new(),
    };
    let metadata = DbMetadata::of_entries(&entries, &config_entries(&further));
    match plan(&page, &url, &metadata, settings) {
        Ok(plan) => {
            match args.json {
                true => output::print_json(&as_json(&plan, &metadata, args.show))?,
                false => output::print(&Harmless(text(&plan, &metadata, args.show)).to_string())?,
            }
            Ok(Exit::Done)
        }
        Err(problems) => {
            if args.json {
                output::print_json(&json!({ "url": url, "problems": problems }))?;
                return Ok(Exit::Usage);
            }
            let first = problems.iter().find(|it| it.is_error());
            let message = first.map_or_else(|| "there is no plan".to_owned(), problem_line);
            let others: Vec<String> =
                problems.iter().filter(|it| Some(*it) != first).map(problem_line).collect();
            let hint = match others.is_empty() {
                true => "docs/hidden-web.md explains the codes".to_owned(),
                false => format!("also: {}", others.join("; ")),
            };
            Err(Failure::usage(message).hint(hint))
        }
    }
}

fn problem_line(problem: &Problem) -> String {
    format!("{} {}: {}", problem.code, problem.subject, problem.message)
}

fn as_json(plan: &QueryPlan, metadata: &DbMetadata, show: u64) -> serde_json::Value {
    let requests: Vec<serde_json::Value> = plan
        .queries()
        .take(usize::try_from(show).unwrap_or(usize::MAX))
        .map(|query| {
            let body = query.request.body.as_ref();
            json!({
                "values": query.values,
                "method": query.request.method.as_str(),
                "url": query.request.url,
                "body": body.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()),
            })
        })
        .collect();
    let mut value = plan_value(plan, metadata);
    value["url"] = json!(plan.page);
    value["invites_queries"] = json!(metadata.invites_queries());
    value["problems"] = json!(plan.problems);
    value["requests"] = json!(requests);
    value
}

fn text(plan: &QueryPlan, metadata: &DbMetadata, show: u64) -> String {
    let mut text = format!(
        "form     {}\nsends    {} {}\nfields   {}\n",
        plan.page,
        plan.method.as_str(),
        plan.action,
        plan.form.encoding.name()
    );
    for element in &plan.elements {
        let label = element.label.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        let values = element.values.iter().take(SHOWN_VALUES);
        let values: Vec<&str> = values.map(|it| it.as_deref().unwrap_or("not ticked")).collect();
        let more = if element.values.len() > SHOWN_VALUES { " …" } else { "" };
        let (name, count) = (&element.name, element.values.len());
        let _ =
            writeln!(text, "element  {name}{label}: {count} values: {}{more}", values.join(", "));
    }
    for result in &metadata.results {
        let _ = writeln!(text, "reads    {}", result.name);
    }
    let _ = writeln!(text, "queries  {} of {}", plan.queries, plan.size);
    if !metadata.invites_queries() {
        text.push_str("consent  none: the page names no element to ask for\n");
    }
    for problem in &plan.problems {
        let _ = writeln!(text, "note     {}", problem_line(problem));
    }
    for query in plan.queries().take(usize::try_from(show).unwrap_or(usize::MAX)) {
        let body = query.request.body.as_ref();
        let body = body.map(|(_, bytes)| format!("  {}", String::from_utf8_lossy(bytes)));
        let _ = writeln!(text, "  {}{}", query.request, body.unwrap_or_default());
    }
    if plan.queries > show {
        let _ = writeln!(text, "  … and {} more", plan.queries - show);
    }
    text
}

/// A document with its address and charset: a file, or what the archive has of an address.
fn read(
    page: &str,
    file_url: Option<&Url>,
    place: &Place,
) -> Result<(Url, Vec<u8>, Option<String>), Failure> {
    let url = Url::parse(page).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let Some(url) = url.filter(|_| !Path::new(page).exists()) else {
        let bytes = loose_files::read(&PathBuf::from(page))?;
        let url = file_url.cloned().ok_or_else(|| {
            Failure::usage(format!("{page} is no address")).hint("give the file with --config")
        })?;
        return Ok((url, bytes, None));
    };
    let config = place.sources(Overrides::default()).load()?;
    let dir = config.harvest_dir(place.dir())?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let key = RequestKey::new(Method::Get, &canonical(&url, &config.crawl.canonical), &[]);
        let known = catalog.find_keys(&[key]).await.map_err(catalog_failure)?.remove(&key);
        let captures = match known {
            Some(known) => catalog.captures_of_request(known.id).await.map_err(catalog_failure)?,
            None => Vec::new(),
        };
        catalog.close().await;
        for stored in captures.iter().rev().filter(|it| it.capture.status == 200) {
            if let Ok(body) = stored_body(&dir.holdings(), &stored.capture) {
                return Ok((url, body.bytes, stored.capture.fields.charset()));
            }
        }
        Err(Failure::usage(format!("the archive has no page for {url}"))
            .hint("`auslese crawl URL` fetches and archives it"))
    })
}
