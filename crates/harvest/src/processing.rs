//! What is made of one exchange, on a thread of its own: links, verdicts on them, WARC records.
//!
//! Nothing here waits for the network or the database, and nothing is shared but settings and what
//! is known about hosts; so as many threads may work as there are cores.

use crate::backlog::Backlog;
use crate::exclusion::Exclusions;
use crate::facts::Facts;
use crate::familiar::Familiar;
use crate::found::Found;
use crate::job::{Institutions, Seed, StoringRules};
use crate::trapping::HeldBack;
use auslese_archive::{ArchiveSettings, Encoded, Notes, encode};
use auslese_crawl::{
    Answer, Candidate, CrawlSettings, Decided, Decision, Expected, Find, FindKind, Finds,
    HostFacts, HostVerdict, Judgement, Media, Rule, Scope, canonical,
};
use auslese_model::{
    Cause, CauseKind, Change, Clock, Digest, Exchange, HopPath, Method, Oddity, Pending, Request,
    RobotsCopy, ServerId, State,
};
use auslese_net::{DecodeLimits, decode_content};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// What all workers share.
#[derive(Debug)]
pub(crate) struct Workshop {
    pub(crate) scope: Scope,
    pub(crate) crawl: CrawlSettings,
    pub(crate) archive: ArchiveSettings,
    pub(crate) storing: StoringRules,
    pub(crate) institutions: Institutions,
    pub(crate) facts: Arc<Facts>,
    pub(crate) exclusions: Exclusions,
    pub(crate) backlog: Arc<Backlog>,
    /// URL templates that are quarantined.
    pub(crate) held: HeldBack,
    pub(crate) familiar: Arc<Familiar>,
    pub(crate) decode: DecodeLimits,
    /// Pages of hosts that do not belong which may be read in a row, for their links only.
    pub(crate) bridge_hops: usize,
}

/// One exchange to be processed, and what the conductor already decided about its request.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) pending: Pending,
    pub(crate) purpose: Purpose,
    pub(crate) exchange: Box<Exchange>,
    /// What becomes of the request, if it is not simply done.
    pub(crate) after: Option<Change>,
    pub(crate) clocks: Vec<Clock>,
    pub(crate) robots: Option<RobotsCopy>,
    /// Bytes it holds in memory.
    pub(crate) memory: u64,
    /// The institution of the server.
    pub(crate) label: Option<String>,
    /// The lease under which it was fetched.
    pub(crate) epoch: i64,
}

/// What a request is made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// It stands in the queue.
    Queue,
    /// Its answer says what may be asked of this server.
    Robots(ServerId),
}

/// What a worker made of one exchange, or the conductor of a request without one.
#[derive(Debug)]
pub(crate) struct Processed {
    pub(crate) pending: Pending,
    /// Set for a request that was fetched without having been in the queue.
    pub(crate) prerequisite: Option<Box<Found>>,
    pub(crate) outcome: Outcome,
    pub(crate) found: Vec<Found>,
    pub(crate) clocks: Vec<Clock>,
    pub(crate) robots: Option<RobotsCopy>,
    /// Bytes the answer held in memory when it was received.
    pub(crate) memory: u64,
    /// The lease under which it was fetched.
    pub(crate) epoch: i64,
}

impl Processed {
    /// For a document that made the program itself fail: it is lost, the crawl goes on.
    pub(crate) fn broken(pending: Pending, memory: u64, epoch: i64) -> Processed {
        let cause = Cause::new(CauseKind::Local, "the program failed on this answer");
        Processed {
            pending,
            prerequisite: None,
            outcome: Outcome::Lost(Change::Failed { cause }),
            found: Vec::new(),
            clocks: Vec::new(),
            robots: None,
            memory,
            epoch,
        }
    }
}

#[derive(Debug)]
pub(crate) enum Outcome {
    Caught(Box<Caught>),
    /// There was no answer, or it was not asked for.
    Lost(Change),
}

/// An answer that gets a row in the catalog.
#[derive(Debug)]
pub(crate) struct Caught {
    pub(crate) exchange: Box<Exchange>,
    pub(crate) notes: Notes,
    pub(crate) storing: Storing,
    pub(crate) digest: Option<Digest>,
    pub(crate) charset: Option<String>,
    /// What it says, as numbers by which pages are compared.
    pub(crate) phrases: Vec<u64>,
    /// Whether it is HTML, and was taken in.
    pub(crate) is_page: bool,
    pub(crate) oddities: Vec<Oddity>,
    pub(crate) after: Option<Change>,
}

#[derive(Debug)]
pub(crate) enum Storing {
    Body(Encoded),
    HeaderOnly(String),
}

/// Why only the header row of a page is kept that served as a bridge.
pub(crate) const FOR_ITS_LINKS: &str = "read for its links only";
/// Why only the header row of a page is kept that says so.
pub(crate) const ASKED_NOT_TO: &str = "the page asks not to be archived";
/// Redirects in a row that are followed; browsers give up at about the same number.
const MAX_REDIRECTS: usize = 20;
/// The step from a page that was read for its links only, in place of the link's own letter.
const BRIDGE: char = 'B';
/// How deep sitemaps may name further sitemaps; the standard allows one level.
const SITEMAP_DEPTH: usize = 5;
/// Bytes looked at in bodies whose type promises no links, to notice types that lie.
const GLANCE: usize = 1024;

/// How long a full disk is waited for before records are made again.
const PATIENCE: Duration = Duration::from_millis(1500);

impl Workshop {
    /// Does everything that can be done without waiting for anyone.
    pub(crate) fn process(&self, work: Work, gave_up: &dyn Fn() -> bool) -> Option<Processed> {
        let Work { pending, purpose, exchange, after, clocks, robots, memory, label, epoch } = work;
        let (body, mut oddities) = self.readable_body(&exchange);
        let expected = match &purpose {
            Purpose::Robots(_) => Expected::Robots,
            Purpose::Queue if pending.hops.trailing('P') > 0 => Expected::Sitemap,
            Purpose::Queue => Expected::Page,
        };
        let response = &exchange.response;
        let answer = Answer { url: &pending.request.url, response, body: &body, expected };
        let finds = Finds::of(&answer, &self.crawl.finds);
        let is_page = finds.media == Media::Html && !body.is_empty();
        drop(body);
        let bridge = purpose == Purpose::Queue && self.is_bridge(&pending);
        let found = match after {
            // The request will be asked again; what this answer says does not count.
            Some(Change::Again { .. }) => Vec::new(),
            // What an answer of a database leads to is decided by whoever asked.
            _ if pending.hops.trailing('Q') > 0 => Vec::new(),
            _ => self.wanted(&pending, &purpose, &finds, label.as_deref(), bridge),
        };
        let notes = Notes {
            via: pending.via_url.as_deref().map(str::to_owned),
            hops: pending.hops.clone(),
            charset: finds.charset.map(str::to_owned),
            rules: vec![self.ground(&pending, &purpose)],
            payload_digest: None,
        };
        let for_its_links = bridge.then(|| FOR_ITS_LINKS.to_owned());
        let storing = match for_its_links.or(self.header_only(&exchange, &finds, after.as_ref())) {
            Some(reason) => Storing::HeaderOnly(reason),
            None => Storing::Body(self.records(&exchange, &notes, gave_up)?),
        };
        let digest = match &storing {
            Storing::Body(encoded) => encoded.payload_digest().cloned(),
            Storing::HeaderOnly(_) => None,
        };
        oddities.extend(finds.oddities);
        let prerequisite = (purpose != Purpose::Queue)
            .then(|| Box::new(self.found(&pending, State::Queued, label)));
        let charset = notes.charset.clone();
        let phrases = finds.phrases;
        #[rustfmt::skip]
        let caught =
            Caught { exchange, notes, storing, digest, charset, phrases, is_page, oddities, after };
        let outcome = Outcome::Caught(Box::new(caught));
        Some(Processed { pending, prerequisite, outcome, found, clocks, robots, memory, epoch })
    }

    /// Why the request was sent, in the words of the rule that let it pass.
    fn ground(&self, pending: &Pending, purpose: &Purpose) -> String {
        if *purpose != Purpose::Queue {
            return "robots.txt".to_owned();
        }
        if pending.hops.trailing('Q') > 0 {
            return "question to a database".to_owned();
        }
        if pending.via.is_none() {
            return "seed".to_owned();
        }
        let (url, hops) = (&pending.request.url, &pending.hops);
        let candidate = Candidate { url, hops, via_accepted: true };
        let decided = self.scope.decide(&candidate, &*self.facts);
        let rule = decided.decided_by.and_then(|number| self.scope.rules().nth(number - 1));
        rule.map_or_else(|| "no rule accepts it any more".to_owned(), Rule::title)
    }

    /// The body as far as it may hold links: decoded text, or the first bytes of anything else.
    fn readable_body<'a>(&self, exchange: &'a Exchange) -> (Cow<'a, [u8]>, Vec<Oddity>) {
        let response = &exchange.response;
        let media_type = response.media_type().unwrap_or_default();
        let opaque = ["image/", "video/", "audio/", "font/"]
            .iter()
            .any(|kind| media_type.starts_with(kind) && media_type != "image/svg+xml");
        if opaque || !(200..300).contains(&response.status) {
            // A body that cannot be read back costs its links, not the capture.
            (response.payload().prefix(GLANCE).unwrap_or_default().into(), Vec::new())
        } else {
            let decoded = decode_content(response, self.decode);
            (decoded.bytes, decoded.oddities)
        }
    }

    /// Why only the header row is kept, if so.
    fn header_only(
        &self,
        exchange: &Exchange,
        finds: &Finds,
        after: Option<&Change>,
    ) -> Option<String> {
        if let Some(Change::Again { .. }) = after {
            return Some("to be asked again".to_owned());
        }
        if let Some(reason) = &exchange.response.stopped {
            return Some(reason.clone());
        }
        finds.forbids_archiving(&self.crawl.finds).then(|| ASKED_NOT_TO.to_owned())
    }

    /// The WARC records; a full disk is waited for, unless a person has given up.
    fn records(
        &self,
        exchange: &Exchange,
        notes: &Notes,
        gave_up: &dyn Fn() -> bool,
    ) -> Option<Encoded> {
        loop {
            match encode(exchange, notes, &self.archive) {
                Ok(encoded) => return Some(encoded),
                Err(error) if gave_up() => {
                    tracing::warn!("{} is left for the next run: {error}", exchange.request);
                    return None;
                }
                Err(error) => {
                    tracing::warn!("waiting to archive {}: {error}", exchange.request);
                    std::thread::sleep(PATIENCE);
                }
            }
        }
    }

    /// The addresses that are to be fetched, or to wait for a verdict.
    fn wanted(
        &self,
        pending: &Pending,
        purpose: &Purpose,
        finds: &Finds,
        label: Option<&str>,
        bridge: bool,
    ) -> Vec<Found> {
        // Where robots.txt leads is the conductor's business; only its sitemaps are links.
        let for_robots = *purpose != Purpose::Queue;
        let source = Source { pending, url: pending.request.url.as_str().into(), label };
        let mut wanted = Vec::new();
        for find in &finds.urls {
            if for_robots && find.kind != FindKind::Sitemap {
                continue;
            }
            if find.kind == FindKind::Sitemap && pending.hops.trailing('P') > SITEMAP_DEPTH {
                continue;
            }
            let hops = match bridge {
                true => pending.hops.then(BRIDGE),
                false => pending.hops.then(find.kind.letter()),
            };
            if let Some(found) = self.judged(find, hops, &source) {
                wanted.push(found);
            }
        }
        wanted
    }

    /// The same for links of a page that is made up.
    pub(crate) fn wanted_of(
        &self,
        page: &Pending,
        finds: impl Iterator<Item = Find>,
    ) -> Vec<Found> {
        let source = Source { pending: page, url: page.request.url.as_str().into(), label: None };
        let judged = |find: Find| self.judged(&find, page.hops.then(find.kind.letter()), &source);
        finds.filter_map(judged).collect()
    }

    fn judged(&self, find: &Find, hops: HopPath, source: &Source<'_>) -> Option<Found> {
        let url = &find.url;
        if self.crawl.robots.obey && url.path() == "/robots.txt" && url.query().is_none() {
            // Every server's is fetched anyway, before anything else.
            return None;
        }
        let spelling = self.familiar.spelling(url);
        if self.familiar.knows(spelling) && self.is_enough_to_know(url, source) {
            return None;
        }
        let candidate = Candidate { url, hops: &hops, via_accepted: true };
        let decided = self.scope.decide(&candidate, &*self.facts);
        let state = match decided.decision {
            Decision::Accept => State::Queued,
            Decision::Undecided(_) => State::Parked,
            Decision::Reject if self.may_bridge(&decided, &hops) => State::Queued,
            Decision::Reject => return None,
        };
        let redirects = hops.trailing('R');
        let excluded = self.exclusions.cause(&candidate, &self.facts);
        let request = Request::new(Method::Get, url.clone(), None)?;
        let label = decided
            .label
            .or_else(|| self.institutions.label(&request.origin()).map(str::to_owned))
            .or_else(|| source.label.map(str::to_owned));
        let mut found = Found {
            key: request.key(&canonical(&request.url, &self.crawl.canonical)),
            spelling: Some(spelling),
            priority: self.crawl.priority.priority(find.kind, &hops),
            request,
            state,
            hops,
            via: Some(source.pending.id),
            via_url: Some(source.url.clone()),
            cause: None,
            label,
        };
        let too_many = (redirects > MAX_REDIRECTS)
            .then(|| Cause::new(CauseKind::Redirects, format!("{redirects} in a row")));
        if let Some(cause) = excluded.or(too_many) {
            found.state = State::Refused;
            found.cause = Some(cause);
        }
        Some(found)
    }

    /// Whether a link to an address that is stored already says nothing. Links between servers do, and
    /// those to what is held back are counted.
    fn is_enough_to_know(&self, url: &Url, source: &Source<'_>) -> bool {
        let page = &source.pending.request.url;
        self.held.is_empty()
            && url.host_str() == page.host_str()
            && url.scheme() == page.scheme()
            && url.port() == page.port()
    }

    /// Why a request whose host is now known is not to be sent, if so.
    pub(crate) fn refusal(&self, pending: &Pending) -> Option<Cause> {
        let candidate =
            Candidate { url: &pending.request.url, hops: &pending.hops, via_accepted: true };
        if let Some(cause) = self.exclusions.cause(&candidate, &self.facts) {
            return Some(cause);
        }
        let judgement = self.scope.judge(&candidate, &*self.facts);
        match judgement.decided.decision {
            Decision::Accept => None,
            Decision::Reject if self.may_bridge(&judgement.decided, &pending.hops) => None,
            Decision::Reject => Some(Cause::new(CauseKind::Scope, rule_text(&judgement))),
            Decision::Undecided(_) => {
                Some(Cause::new(CauseKind::Scope, "nothing is known about the host"))
            }
        }
    }

    /// Whether a page is out of scope and was fetched for its links only; perhaps by the settings of
    /// an earlier run.
    fn is_bridge(&self, pending: &Pending) -> bool {
        let is_foreign = self.facts.verdict(&pending.request.host()) == HostVerdict::Foreign;
        if !is_foreign || pending.via.is_none() {
            return false;
        }
        let (url, hops) = (&pending.request.url, &pending.hops);
        let candidate = Candidate { url, hops, via_accepted: true };
        is_outside(&self.scope.decide(&candidate, &*self.facts))
    }

    /// Whether a page out of scope is read all the same, because it may lead back: not its images
    /// and styles, and not what a rule rejects.
    fn may_bridge(&self, decided: &Decided, hops: &HopPath) -> bool {
        is_outside(decided)
            && hops.trailing(BRIDGE) < self.bridge_hops
            && hops.trailing('E') == 0
            && hops.trailing('P') == 0
    }

    /// The entry of a request that is being fetched already.
    pub(crate) fn found(&self, pending: &Pending, state: State, label: Option<String>) -> Found {
        Found {
            key: pending.request.key(&canonical(&pending.request.url, &self.crawl.canonical)),
            spelling: None,
            request: pending.request.clone(),
            state,
            priority: pending.priority,
            hops: pending.hops.clone(),
            via: pending.via,
            via_url: pending.via_url.clone(),
            cause: None,
            label,
        }
    }

    /// A seed as a request; seeds are in scope whatever the rules say.
    pub(crate) fn seed(&self, seed: &Seed) -> Option<Found> {
        let request = Request::new(Method::Get, seed.url.clone(), None)?;
        let label = self.institutions.label(&request.origin()).map(str::to_owned);
        Some(Found {
            key: request.key(&canonical(&request.url, &self.crawl.canonical)),
            spelling: None,
            priority: self.crawl.priority.seed,
            request,
            state: State::Queued,
            hops: HopPath::default(),
            via: None,
            via_url: None,
            cause: None,
            label: seed.label.clone().or(label),
        })
    }
}

/// Whether no rule wants a URL, and none rejects it either.
fn is_outside(decided: &Decided) -> bool {
    decided.decision == Decision::Reject && decided.decided_by.is_none()
}

/// Where links come from.
struct Source<'a> {
    pending: &'a Pending,
    url: Arc<str>,
    label: Option<&'a str>,
}

fn rule_text(judgement: &Judgement) -> String {
    let number = judgement.decided.decided_by;
    let step = number.and_then(|number| judgement.trace.iter().find(|step| step.number == number));
    step.map_or_else(|| "no rule accepts it".to_owned(), |step| step.name.clone())
}
