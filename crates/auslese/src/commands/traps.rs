//! `auslese traps`: which templates of addresses are quarantined, and what a person says to it.
//!
//! A decision is written into the catalog at once, and a running crawl hears of it by a note. So this
//! command works whether a crawl is running or not, and from any machine that reaches the catalog.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use crate::args::Place;
use crate::config::Overrides;
use crate::config::text_forms::web_url;
use crate::messages::{Exit, Failure, Harmless, Outcome};
use crate::output;
use auslese_catalog::{Catalog, StoredTemplate};
use auslese_crawl::Template;
use auslese_model::{HostName, Origin, ServerId, TemplateState, Timestamp};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use url::Url;

/// List addresses without end that were quarantined, release them, or hold others back
#[derive(Debug, Args)]
pub(crate) struct TrapsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the templates that are quarantined or were released, and why
    #[command(after_help = LIST_EXAMPLES)]
    List {
        /// How many to show
        #[arg(long, value_name = "N", default_value_t = 1_000)]
        limit: usize,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Let the addresses of a template pass; those that were dropped wait again
    ///
    /// It is not judged any more, until it is held back by hand.
    #[command(after_help = RELEASE_EXAMPLES)]
    Release(Choice),
    /// Hold the addresses of a template back until it is released
    #[command(after_help = HOLD_EXAMPLES)]
    Hold(Choice),
}

#[derive(Debug, Args)]
struct Choice {
    /// An address of the template, or the address of its server
    #[arg(value_name = "URL", value_parser = web_url)]
    url: Url,

    /// The template, as `auslese traps list` shows it; default: the one that holds the address back
    #[arg(value_name = "TEMPLATE")]
    template: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const LIST_EXAMPLES: &str = "\
Examples:
  auslese traps list --dir giessen
  auslese traps list --dir giessen --json | jq '.[] | select(.state == \"quarantined\") | .template'";

const RELEASE_EXAMPLES: &str = "\
Examples:
  auslese traps release 'http://www.uni.example/kalender?monat=2031-05' --dir giessen
  auslese traps release http://www.uni.example '/kalender?*' --dir giessen";

const HOLD_EXAMPLES: &str = "\
Examples:
  auslese traps hold 'http://www.uni.example/suche?q=x&seite=2' --dir giessen
  auslese traps hold http://www.uni.example '/suche?*' --dir giessen";

pub(crate) fn run(args: &TrapsArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        match &args.action {
            Action::List { limit, json } => list(&catalog, *limit, *json).await?,
            Action::Release(choice) => decide(&catalog, choice, TemplateState::Released).await?,
            Action::Hold(choice) => decide(&catalog, choice, TemplateState::Quarantined).await?,
        }
        // Closed properly, the file of the catalog holds the decision, not only its log.
        catalog.close().await;
        Ok(Exit::Done)
    })
}

async fn list(catalog: &Catalog, limit: usize, json: bool) -> Result<(), Failure> {
    let templates = catalog.decided_templates(None, limit).await.map_err(catalog_failure)?;
    if json {
        let list: Vec<Value> =
            templates.iter().map(|(origin, stored)| as_json(origin, stored)).collect();
        return output::print_json(&list);
    }
    if templates.is_empty() {
        return output::print("no template is quarantined\n");
    }
    let head =
        ["server", "template", "state", "pages", "new", "withheld", "why"].map(str::to_owned);
    let rows = templates.iter().map(|(origin, stored)| {
        [
            origin.to_string(),
            stored.template.clone(),
            stored.state.as_str().to_owned(),
            stored.fetched.to_string(),
            stored.novel.to_string(),
            stored.withheld.to_string(),
            stored.reason.clone().unwrap_or_default(),
        ]
    });
    let rows: Vec<[String; 7]> = std::iter::once(head).chain(rows).collect();
    output::print(&Harmless(output::columns(&rows)).to_string())
}

fn as_json(origin: &Origin, stored: &StoredTemplate) -> Value {
    json!({
        "server": origin.to_string(),
        "template": stored.template,
        "state": stored.state.as_str(),
        "reason": stored.reason,
        "offered": stored.offered,
        "withheld": stored.withheld,
        "fetched": stored.fetched,
        "novel": stored.novel,
        "changed_at": stored.changed_at.to_second_text(),
    })
}

async fn decide(catalog: &Catalog, choice: &Choice, state: TemplateState) -> Result<(), Failure> {
    let server = server_of(catalog, &choice.url).await?;
    let known = catalog.templates_of(&[server]).await.map_err(catalog_failure)?;
    let template = chosen(choice, &known, state)?;
    let now = Timestamp::now();
    let decided = match state {
        TemplateState::Released => catalog.release_template(server, &template, now).await,
        _ => catalog.hold_template(server, &template, now).await,
    };
    let decided = decided.map_err(catalog_failure)?;
    let withheld = known.iter().find(|stored| stored.template == template);
    let withheld = withheld.map_or(0, |stored| stored.withheld);
    if choice.json {
        return output::print_json(&json!({
            "template": template,
            "state": state.as_str(),
            "queued": decided.queued,
            "withheld": withheld,
            "note": decided.note,
        }));
    }
    let text = match state {
        TemplateState::Released => {
            let mut text =
                format!("{template} is released: {} requests wait again\n", decided.queued);
            if withheld > 0 {
                text.push_str(&format!(
                    "links to such addresses were passed over {withheld} times; they are found again when their \
                     pages are read again: auslese recrawl\n"
                ));
            }
            text
        }
        _ => format!("{template} is held back until it is released\n"),
    };
    output::print(&Harmless(text).to_string())
}

async fn server_of(catalog: &Catalog, url: &Url) -> Result<ServerId, Failure> {
    let unknown = || {
        let message = format!("nothing of the server of {url} was ever met in this harvest");
        Failure::usage(message).hint("`auslese traps list` names servers as they are known")
    };
    let host = HostName::of(url).ok_or_else(unknown)?;
    let queues = catalog.host_queues(&host).await.map_err(catalog_failure)?;
    let mut here = queues.into_iter().filter(|queue| {
        queue.origin.scheme.as_str() == url.scheme()
            && Some(queue.origin.port) == url.port_or_known_default()
    });
    here.next().map(|queue| queue.server).ok_or_else(unknown)
}

/// The template that is meant: the one that is named, or what an address belongs to.
fn chosen(
    choice: &Choice,
    known: &[StoredTemplate],
    state: TemplateState,
) -> Result<String, Failure> {
    let is_known = |text: &str| known.iter().any(|stored| stored.template == text);
    let hint = "`auslese traps list` shows those that were decided on, `auslese explain URL` those of \
                an address";
    if let Some(template) = &choice.template {
        return match is_known(template) {
            true => Ok(template.clone()),
            false => {
                let message = format!("no address of the template {template} was met there");
                Err(Failure::usage(message).hint(hint))
            }
        };
    }
    let template = Template::of(&choice.url);
    let all = [Some(template.text.as_str()), template.family.as_deref(), Some(Template::OTHERS)];
    let held = |text: &&str| {
        let mut stored = known.iter().filter(|stored| stored.template == **text);
        stored.any(|stored| stored.state == TemplateState::Quarantined)
    };
    let mut candidates = all.into_iter().flatten();
    let found = match state {
        TemplateState::Released => candidates.find(held),
        _ => candidates.find(|text| is_known(text)),
    };
    found.map(str::to_owned).ok_or_else(|| {
        let message = match state {
            TemplateState::Released => format!("{} is not held back by a template", choice.url),
            _ => format!("no address of the template {} was met there", template.text),
        };
        Failure::usage(message).hint(hint)
    })
}
