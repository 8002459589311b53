//! What became of the seeds.
//!
//! A crawl of which not even the beginning could be fetched has one cause, and a newcomer has it
//! more often than any other: a mistyped name, a server that is down, a port that is closed. It is
//! said as an error, not left to be looked up.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::crawl_plan::Plan;
use crate::messages::{Exit, Failure};
use auslese_catalog::KnownRequest;
use auslese_crawl::canonical;
use auslese_harvest::{CrawlEnd, CrawlReport};
use auslese_model::{CauseKind, Method, RequestKey};

/// Seeds whose cause is named; one list of ten thousand institutions is enough.
const NAMED: usize = 5;

/// The failure to report if a crawl came to its end and no seed of it was ever fetched.
pub(crate) fn no_seed_fetched(
    report: &CrawlReport,
    plan: &Plan,
) -> Result<Option<Failure>, Failure> {
    if report.end != CrawlEnd::Done {
        return Ok(None);
    }
    let known = block_on(known_seeds(plan))?;
    let fetched = known.iter().flatten().any(|seed| seed.capture.is_some());
    Ok((!fetched).then(|| failure_of(&known, plan)))
}

/// The seeds in order, each with what the catalog knows of it.
async fn known_seeds(plan: &Plan) -> Result<Vec<Option<KnownRequest>>, Failure> {
    let catalog = open_catalog(&plan.config, &plan.dir).await?;
    let rules = &plan.config.crawl.canonical;
    let keys: Vec<RequestKey> = plan
        .seeds
        .iter()
        .map(|seed| RequestKey::new(Method::Get, &canonical(&seed.url, rules), &[]))
        .collect();
    let known = catalog.find_keys(&keys).await.map_err(catalog_failure)?;
    catalog.close().await;
    Ok(keys.iter().map(|key| known.get(key).cloned()).collect())
}

fn failure_of(known: &[Option<KnownRequest>], plan: &Plan) -> Failure {
    let error = match plan.seeds.as_slice() {
        [only] => format!("{} could not be fetched", only.url),
        seeds => format!("none of the {} seeds could be fetched", seeds.len()),
    };
    let mut lines: Vec<String> = plan
        .seeds
        .iter()
        .zip(known)
        .take(NAMED)
        .map(|(seed, known)| match plan.seeds.len() {
            1 => words_of(known.as_ref()),
            _ => format!("{}: {}", seed.url, words_of(known.as_ref())),
        })
        .collect();
    lines.insert(0, error);
    let chain = lines.into_iter().rev().fold(None, |inner: Option<anyhow::Error>, line| {
        Some(match inner {
            Some(inner) => inner.context(line),
            None => anyhow::Error::msg(line),
        })
    });
    let failure = chain.map_or_else(
        || Failure::usage("there is nothing to begin with"),
        |error| Failure::new(Exit::Failures, error),
    );
    let kinds = known.iter().flatten().filter_map(|seed| Some(seed.cause.as_ref()?.kind));
    match kinds.into_iter().find_map(hint_for) {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn words_of(known: Option<&KnownRequest>) -> String {
    match known.and_then(|seed| seed.cause.as_ref()) {
        Some(cause) => cause.to_string(),
        None => "it was not asked for in this run".to_owned(),
    }
}

fn hint_for(kind: CauseKind) -> Option<&'static str> {
    use CauseKind::{
        Certificate, Closed, Connect, Dns, Guarded, NoContact, NoSuchName, NotMapped, Protocol,
        Proxy, Robots, RobotsUnknown, Scope, Timeout, Tls, TooSlow,
    };
    match kind {
        NoSuchName => Some("is the name spelt right?"),
        Dns => Some("`auslese doctor` checks whether this machine can resolve names"),
        Guarded => Some(
            "give --allow-private, or name its range in `allow` in the table [net] of auslese.toml",
        ),
        NoContact => {
            Some("give --contact MAIL, or set `contact` in the table [harvest] of auslese.toml")
        }
        NotMapped => Some("does the file named by --net belong to a simulated internet that runs?"),
        Connect | Timeout | TooSlow | Closed | Protocol | Tls | RobotsUnknown => {
            Some("is the server running, and are scheme, host and port right?")
        }
        Certificate => Some("`certificates = \"note\"` in [net] archives it all the same"),
        Proxy => Some("is `proxy` in [net] right?"),
        Robots => Some(
            "robots.txt of the server forbids it; `obey_robots = false` in [crawl.hosts] is for \
             hosts of your own",
        ),
        Scope => Some("`auslese explain URL` names the scope rule that rejects it"),
        _ => None,
    }
}
