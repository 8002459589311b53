//! `auslese explain`: one answer to every why.
//!
//! Gathers what is known about an address or a host: what the scope says and which rule decided,
//! what robots.txt says, what became of the request and how it was found, where its captures lie, what
//! is missing of them and where they redirect to, whether the guard lets its address pass, what the
//! corpus made of it, and what its description says. Nothing is fetched.

use super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::explain_capture::{CaptureStory, Surroundings, capture_story};
use super::explain_corpus::{CorpusStory, corpus_story};
use super::explain_description::{DescriptionStory, description_story};
use super::explain_host_facts::Judged;
use super::explain_robots::{RobotsStory, robots_story};
use super::explain_template::{TemplateStory, template_story};
use crate::args::Place;
use crate::config::text_forms::web_url;
use crate::config::{Config, Overrides};
use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use crate::size_text;
use auslese_catalog::{Catalog, CatalogError, KnownRequest, ServerQueue};
use auslese_crawl::{Candidate, Decision, Judgement, Need, Opinion, canonical};
use auslese_model::{HopPath, HostName, Method, RequestKey};
use auslese_net::guard;
use clap::Args;
use serde::Serialize;
use std::path::Path;
use url::Url;

/// Say why an address was or was not fetched, why it is in the corpus or not, how it is described, and
/// what is known about a host
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, visible_alias = "why")]
pub(crate) struct ExplainArgs {
    /// An address, or the name of a host
    #[arg(value_name = "URL|HOST", value_parser = subject)]
    subject: Subject,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese explain https://www.uni-giessen.de/fb09/ --dir giessen
  auslese why www.uni-giessen.de --dir giessen
  auslese explain https://www.uni-giessen.de/film.iso --dir giessen --json";

#[derive(Debug, Clone)]
enum Subject {
    Address(Url),
    Host(HostName),
}

fn subject(text: &str) -> Result<Subject, String> {
    if text.contains("://") {
        return web_url(text).map(Subject::Address);
    }
    match HostName::parse(text) {
        Some(host) if !text.contains('/') => Ok(Subject::Host(host)),
        _ => web_url(text).map(Subject::Address),
    }
}

/// All that is known.
#[derive(Debug, Default, Serialize)]
struct Explanation {
    subject: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    /// Whether its host belongs, in short.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<ScopeStory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    robots: Option<RobotsStory>,
    /// How addresses of this kind have done.
    #[serde(skip_serializing_if = "Option::is_none")]
    template: Option<TemplateStory>,
    requests: Vec<RequestStory>,
    captures: Vec<CaptureStory>,
    /// One for each request that was judged.
    corpus: Vec<CorpusStory>,
    descriptions: Vec<DescriptionStory>,
    servers: Vec<ServerStory>,
}

/// What the scope says.
#[derive(Debug, Serialize)]
pub(super) struct ScopeStory {
    decision: &'static str,
    /// The name of the rule that decided.
    rule: Option<String>,
    steps: Vec<ScopeStep>,
}

#[derive(Debug, Serialize)]
struct ScopeStep {
    number: usize,
    rule: String,
    opinion: &'static str,
    why: String,
}

impl ScopeStory {
    pub(super) fn in_short(&self) -> String {
        match &self.rule {
            Some(rule) => format!("{}, decided by {rule}", self.decision),
            None => format!("{}, no rule had an opinion", self.decision),
        }
    }
}

/// What became of a request.
#[derive(Debug, Serialize)]
struct RequestStory {
    method: &'static str,
    url: String,
    state: &'static str,
    cause: Option<String>,
    attempts: u16,
    hops: String,
    found_at: String,
    /// The way back to the seed.
    found_on: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ServerStory {
    server: String,
    label: Option<String>,
    queued: u64,
    captures: u64,
    bytes: u64,
}

pub(crate) fn run(args: &ExplainArgs, place: &Place) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let explanation = block_on(explain(&args.subject, &config, place.dir()))?;
    if args.json {
        output::print_json(&explanation)?;
    } else {
        output::print(&as_text(&explanation))?;
    }
    Ok(Exit::Done)
}

async fn explain(subject: &Subject, config: &Config, dir: &Path) -> Result<Explanation, Failure> {
    // The scope can be asked before the first crawl; only then is there nothing else to tell.
    let catalog = match open_catalog(config, dir).await {
        Ok(catalog) => Some(catalog),
        Err(failure)
            if failure.is::<CatalogError>(|it| matches!(it, CatalogError::Missing { .. })) =>
        {
            None
        }
        Err(failure) => return Err(failure),
    };
    match subject {
        Subject::Address(url) => explain_address(url, config, catalog.as_ref(), dir).await,
        Subject::Host(host) => explain_host(host, config, catalog.as_ref(), dir).await,
    }
}

async fn explain_address(
    url: &Url,
    config: &Config,
    catalog: Option<&Catalog>,
    dir: &Path,
) -> Result<Explanation, Failure> {
    let mut explanation = Explanation {
        subject: url.to_string(),
        address: HostName::of(url).and_then(|host| guard_words(&host, config)),
        ..Explanation::default()
    };
    let mut hops = None;
    let mut seeds = config.seed_urls();
    if let Some(catalog) = catalog {
        for known in known_requests(url, config, catalog).await? {
            hops.get_or_insert_with(|| known.hops.clone());
            explanation.corpus.extend(corpus_story(known.id, config, catalog).await?);
            explanation.descriptions.extend(description_story(known.id, catalog).await?);
            let story = request_story(&known, catalog).await?;
            seeds.extend(story.seed());
            explanation.requests.push(story);
            let around = Surroundings { seeds: &seeds, config, catalog, dir };
            for stored in catalog.captures_of_request(known.id).await.map_err(catalog_failure)? {
                explanation.captures.push(capture_story(&known, &stored, around).await?);
            }
        }
        explanation.robots = Some(robots_story(url, config, catalog, dir).await?);
    }
    explanation.template = Some(template_story(url, config, catalog).await?);
    let judged = Judged::of(HostName::of(url), catalog, dir).await?;
    explanation.verdict = judged.in_short();
    explanation.scope = scope_story(url, hops, &seeds, config, &judged)?;
    Ok(explanation)
}

/// The request as the crawl recognises it, or else requests spelt exactly so.
async fn known_requests(
    url: &Url,
    config: &Config,
    catalog: &Catalog,
) -> Result<Vec<KnownRequest>, Failure> {
    let canonical = canonical(url, &config.crawl.canonical);
    let key = RequestKey::new(Method::Get, &canonical, &[]);
    let found = catalog.find_keys(&[key]).await.map_err(catalog_failure)?;
    if found.is_empty() {
        return catalog.find_requests(url.as_str()).await.map_err(catalog_failure);
    }
    Ok(found.into_values().collect())
}

async fn request_story(known: &KnownRequest, catalog: &Catalog) -> Result<RequestStory, Failure> {
    let chain = catalog.via_chain(known.id).await.map_err(catalog_failure)?;
    Ok(RequestStory {
        method: known.method.as_str(),
        url: known.url.clone(),
        state: known.state.as_str(),
        cause: known.cause.as_ref().map(ToString::to_string),
        attempts: known.attempts,
        hops: known.hops.0.clone(),
        found_at: known.found_at.to_second_text(),
        found_on: chain.into_iter().skip(1).map(|via| via.url).collect(),
    })
}

impl RequestStory {
    /// The seed it all began with. It may have been given on the command line once, and belongs to
    /// the scope of that crawl all the same.
    fn seed(&self) -> Option<Url> {
        self.found_on.last().unwrap_or(&self.url).parse().ok()
    }
}

async fn explain_host(
    host: &HostName,
    config: &Config,
    catalog: Option<&Catalog>,
    dir: &Path,
) -> Result<Explanation, Failure> {
    let mut explanation = Explanation {
        subject: host.to_string(),
        address: guard_words(host, config),
        ..Explanation::default()
    };
    let judged = Judged::of(Some(host.clone()), catalog, dir).await?;
    explanation.verdict = judged.in_short();
    if let Ok(url) = Url::parse(&format!("https://{host}/")) {
        explanation.scope = scope_story(&url, None, &config.seed_urls(), config, &judged)?;
    }
    if let Some(catalog) = catalog {
        explanation.servers = servers_of(host, catalog).await?;
    }
    Ok(explanation)
}

async fn servers_of(host: &HostName, catalog: &Catalog) -> Result<Vec<ServerStory>, Failure> {
    let queues = catalog.host_queues(host).await.map_err(catalog_failure)?;
    let story = |queue: ServerQueue| ServerStory {
        server: queue.origin.to_string(),
        label: queue.label,
        queued: queue.queued,
        captures: queue.captures,
        bytes: queue.bytes,
    };
    Ok(queues.into_iter().map(story).collect())
}

/// What the guard says, for hosts that are addresses; names are judged when they are resolved.
fn guard_words(host: &HostName, config: &Config) -> Option<String> {
    let verdict = guard::judge(host.address()?, &config.net_settings(Path::new(".")));
    let word = if verdict.is_allowed() { "allowed" } else { "refused" };
    Some(format!("{word}: {verdict}"))
}

/// An address that was never met is judged as if a seed linked to it.
pub(super) fn scope_story(
    url: &Url,
    hops: Option<HopPath>,
    seeds: &[Url],
    config: &Config,
    judged: &Judged,
) -> Result<Option<ScopeStory>, Failure> {
    let Some(scope) = config.scope(seeds, judged.has_profile)? else { return Ok(None) };
    let hops = hops.unwrap_or(HopPath("L".to_owned()));
    let judgement = scope.judge(&Candidate { url, hops: &hops, via_accepted: true }, judged);
    Ok(Some(story_of(&judgement)))
}

fn story_of(judgement: &Judgement) -> ScopeStory {
    let decided = &judgement.decided;
    let rule = decided
        .decided_by
        .and_then(|number| judgement.trace.iter().find(|step| step.number == number))
        .map(|step| step.name.clone());
    let steps = judgement.trace.iter().map(|step| ScopeStep {
        number: step.number,
        rule: step.name.clone(),
        opinion: match step.opinion {
            Opinion::Accept => "accept",
            Opinion::Reject => "reject",
            Opinion::Pass => "pass",
            Opinion::Unknown(need) => need_words(need),
        },
        why: step.why.clone(),
    });
    ScopeStory {
        decision: match decided.decision {
            Decision::Accept => "accept",
            Decision::Reject => "reject",
            Decision::Undecided(need) => need_words(need),
        },
        rule,
        steps: steps.collect(),
    }
}

fn need_words(need: Need) -> &'static str {
    match need {
        Need::Address => "depends on the address of the host",
        Need::Verdict => "depends on the verdict on the host",
    }
}

fn as_text(explanation: &Explanation) -> String {
    let mut text = format!("{}\n", explanation.subject);
    if let Some(address) = &explanation.address {
        text.push_str(&format!("\naddress: {address}\n"));
    }
    if let Some(verdict) = &explanation.verdict {
        text.push_str(&format!("\nhost: {verdict}\n"));
    }
    match &explanation.scope {
        Some(scope) => push_scope(&mut text, scope),
        None => text.push_str("\nscope: auslese.toml has no rules and no seeds to go by\n"),
    }
    if let Some(RobotsStory { verdict, why, read_at }) = &explanation.robots {
        let read = read_at.as_ref().map_or(String::new(), |at| format!(" (read {at})"));
        text.push_str(&format!("\nrobots.txt: {verdict}, {why}{read}\n"));
    }
    if let Some(template) = &explanation.template {
        template.push_text(&mut text);
    }
    for request in &explanation.requests {
        push_request(&mut text, request);
    }
    if explanation.requests.is_empty() && explanation.servers.is_empty() {
        text.push_str("\nrequest: never met in this harvest\n");
    }
    for capture in &explanation.captures {
        capture.push_text(&mut text);
    }
    for document in &explanation.corpus {
        document.push_text(&mut text);
    }
    if explanation.corpus.is_empty() && !explanation.captures.is_empty() {
        text.push_str("\ncorpus: not judged yet; `auslese corpus` does\n");
    }
    for description in &explanation.descriptions {
        description.push_text(&mut text);
    }
    for server in &explanation.servers {
        let ServerStory { server, label, queued, captures, bytes } = server;
        let bytes = size_text::format(*bytes);
        let label = label.as_deref().map_or(String::new(), |label| format!(" ({label})"));
        text.push_str(&format!(
            "\nserver: {server}{label}, {captures} answers ({bytes}), {queued} queued\n"
        ));
    }
    crate::messages::Harmless(text).to_string()
}

fn push_scope(text: &mut String, scope: &ScopeStory) {
    text.push_str(&format!("\nscope: {}\n", scope.in_short()));
    let rows: Vec<[String; 4]> = scope
        .steps
        .iter()
        .map(|step| {
            [
                format!("  {}", step.number),
                step.opinion.to_owned(),
                step.rule.clone(),
                step.why.clone(),
            ]
        })
        .collect();
    text.push_str(&output::columns(&rows));
}

fn push_request(text: &mut String, request: &RequestStory) {
    let RequestStory { method, url, state, attempts, found_at, .. } = request;
    text.push_str(&format!("\nrequest: {method} {url}: {state}"));
    if *attempts > 0 {
        text.push_str(&format!(", {attempts} attempts before"));
    }
    if let Some(cause) = &request.cause {
        text.push_str(&format!(", because {cause}"));
    }
    let way = if request.hops.is_empty() { "a seed".to_owned() } else { request.hops.clone() };
    text.push_str(&format!("\n  found {found_at} by {way}\n"));
    for via in &request.found_on {
        text.push_str(&format!("  on {via}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects() {
        #[rustfmt::skip]
        let cases = [
            ("https://www.uni.example/a", "address"),
            ("www.uni.example",           "host"),
            ("127.0.0.1",                 "host"),
            ("www.uni.example/a",         "error"),
            ("ftp://uni.example/",        "error"),
            ("a b",                       "error"),
        ];
        for (text, expected) in cases {
            let read = match subject(text) {
                Ok(Subject::Address(_)) => "address",
                Ok(Subject::Host(_)) => "host",
                Err(_) => "error",
            };
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn a_request_is_told_with_its_way() {
        let request = RequestStory {
            method: "GET",
            url: "http://a.example/x".to_owned(),
            state: "failed",
            cause: Some("time-out: no header within 30s".to_owned()),
            attempts: 3,
            hops: "LE".to_owned(),
            found_at: "2026-11-15T21:40:00Z".to_owned(),
            found_on: vec!["http://a.example/p".to_owned(), "http://a.example/".to_owned()],
        };
        let explanation = Explanation {
            subject: request.url.clone(),
            requests: vec![request],
            ..Explanation::default()
        };
        assert_eq!(
            as_text(&explanation),
            "http://a.example/x\n\nscope: auslese.toml has no rules and no seeds to go by\n\n\
             request: GET http://a.example/x: failed, 3 attempts before, because time-out: no header \
             within 30s\n  found 2026-11-15T21:40:00Z by LE\n  on http://a.example/p\n  \
             on http://a.example/\n"
        );
    }
}
