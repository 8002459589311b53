//! A harvest of one repository: which request comes next, and what to do when servers go wrong.
//!
//! Servers want the prefix of the metadata with a token although the protocol forbids it, send the same page
//! again and again, cut answers, let tokens expire, ask for patience. Each of these has an end: a request is
//! tried a few times, a list is begun anew a few times (records that are known are not given twice), and a
//! list that brings nothing new is over.

use super::reading::{Granularity, OaiIdentity, OaiRecord, OaiToken, read_oai};
use auslese_model::{Problem, Request};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher;
use std::time::Duration;
use url::Url;

/// Requests to one repository in one harvest.
pub const MAX_OAI_REQUESTS: u64 = 100_000;

/// Times that one request is sent before the harvest ends.
pub const MAX_OAI_TRIES: u32 = 5;

/// Times that a list is begun anew because a token was lost, without anything new in between.
pub const MAX_OAI_RESTARTS: u32 = 3;

/// Longest wait that a server can ask for.
pub const MAX_OAI_WAIT: Duration = Duration::from_secs(600);

/// Wait before a request that failed is sent again, if the server names none.
const USUAL_WAIT: Duration = Duration::from_secs(10);

/// Pages in a row without anything new, after which a list is over.
const PAGES_WITHOUT_NEWS: u32 = 3;

/// What is wanted of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OaiSettings {
    pub base: Url,
    pub metadata_prefix: String,
    pub set: Option<String>,
    /// Only records changed since then: what [`OaiReport::next_from`] said last time.
    pub from: Option<String>,
    pub until: Option<String>,
}

impl OaiSettings {
    /// All records of a repository, in Dublin Core.
    pub fn all(base: Url) -> OaiSettings {
        let metadata_prefix = "oai_dc".to_owned();
        OaiSettings { base, metadata_prefix, set: None, from: None, until: None }
    }
}

/// A request to be sent, after a wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OaiAsk {
    pub request: Request,
    pub wait: Duration,
}

/// What came back.
#[derive(Debug, Clone, Copy)]
pub struct OaiReply<'a> {
    pub status: u16,
    /// What `Retry-After` says, in seconds.
    pub retry_after: Option<Duration>,
    pub charset: Option<&'a str>,
    pub body: &'a [u8],
}

/// How a harvest ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OaiReport {
    pub identity: Option<OaiIdentity>,
    pub records: u64,
    pub deleted: u64,
    pub requests: u64,
    /// How many records the server said there are.
    pub announced: Option<u64>,
    /// Whether the list came to its end.
    pub complete: bool,
    /// From when on to ask the next time: the server's clock when the harvest began.
    pub next_from: Option<String>,
    pub problems: Vec<Problem>,
}

/// The state of harvesting one repository.
#[derive(Debug)]
pub struct OaiHarvest {
    settings: OaiSettings,
    stage: Stage,
    wait: Duration,
    tries: u32,
    /// Passes over the list that were begun because a token was lost.
    restarts: u32,
    idle_restarts: u32,
    records_before_pass: u64,
    /// Pages of this pass, and of the longest before it.
    pages: u32,
    pages_before: u32,
    identity: Option<OaiIdentity>,
    began: Option<String>,
    prefix_with_token: bool,
    tokens: FxHashSet<u64>,
    known: FxHashSet<u64>,
    without_news: u32,
    latest: Option<String>,
    records: u64,
    deleted: u64,
    requests: u64,
    announced: Option<u64>,
    problems: Vec<Problem>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Stage {
    Identify,
    /// The list from its beginning, perhaps from a later date than wanted.
    List {
        from: Option<String>,
    },
    Token(String),
    Ended {
        complete: bool,
    },
}

impl OaiHarvest {
    pub fn new(settings: OaiSettings) -> OaiHarvest {
        OaiHarvest {
            settings,
            stage: Stage::Identify,
            wait: Duration::ZERO,
            tries: 0,
            restarts: 0,
            idle_restarts: 0,
            records_before_pass: 0,
            pages: 0,
            pages_before: 0,
            identity: None,
            began: None,
            prefix_with_token: false,
            tokens: FxHashSet::default(),
            known: FxHashSet::default(),
            without_news: 0,
            latest: None,
            records: 0,
            deleted: 0,
            requests: 0,
            announced: None,
            problems: Vec::new(),
        }
    }

    /// The next request; none if the harvest is over.
    #[allow(
        clippy::should_implement_trait,
        reason = "what comes next depends on what was answered"
    )]
    pub fn next(&mut self) -> Option<OaiAsk> {
        if self.requests >= MAX_OAI_REQUESTS {
            self.end(false, "E_OAI_REQUESTS", format!("{MAX_OAI_REQUESTS} requests were sent"));
        }
        let settings = &self.settings;
        let prefix = ("metadataPrefix", settings.metadata_prefix.clone());
        let granularity = self.identity.as_ref().map_or(Granularity::Day, |it| it.granularity);
        let mut fields: Vec<(&str, String)> = Vec::new();
        match &self.stage {
            Stage::Ended { .. } => return None,
            Stage::Identify => fields.push(("verb", "Identify".to_owned())),
            Stage::List { from } => {
                fields.push(("verb", "ListRecords".to_owned()));
                fields.push(prefix);
                let from = from.as_ref().map(|date| ("from", granularity.date(date)));
                let until = settings.until.as_ref().map(|date| ("until", granularity.date(date)));
                let set = settings.set.clone().map(|set| ("set", set));
                fields.extend([from, until, set].into_iter().flatten());
            }
            Stage::Token(token) => {
                fields.push(("verb", "ListRecords".to_owned()));
                fields.push(("resumptionToken", token.clone()));
                if self.prefix_with_token {
                    fields.push(prefix);
                }
            }
        }
        let mut url = settings.base.clone();
        url.query_pairs_mut().extend_pairs(fields);
        self.requests += 1;
        let wait = std::mem::take(&mut self.wait);
        Some(OaiAsk { request: Request::get(url), wait })
    }

    /// Takes an answer, and gives the records that are new.
    pub fn answered(&mut self, reply: OaiReply<'_>) -> Vec<OaiRecord> {
        if reply.status != 200 {
            self.again(reply.retry_after, format!("status {}", reply.status));
            return Vec::new();
        }
        let answer = read_oai(reply.body, reply.charset);
        if !answer.is_oai {
            self.again(None, "the answer is not one of OAI-PMH".to_owned());
            return Vec::new();
        }
        if self.began.is_none() {
            self.began = answer.response_date.clone();
        }
        if let Some(complaint) = answer.complaints.first() {
            self.complained(&complaint.code, &complaint.message);
            return Vec::new();
        }
        if self.stage == Stage::Identify {
            self.identity = answer.identity;
            self.begin(self.settings.from.clone());
            return Vec::new();
        }
        let new = self.news(answer.records);
        if answer.is_cut {
            self.again(None, "the answer ends in the middle of its list".to_owned());
            return new;
        }
        self.go_on(answer.token, new.is_empty());
        new
    }

    /// Takes notice of a request that got no answer.
    pub fn failed(&mut self, cause: &str) {
        self.again(None, cause.to_owned());
    }

    pub fn finish(self) -> OaiReport {
        let mut problems = self.problems;
        let complete = self.stage == Stage::Ended { complete: true };
        if let Some(announced) = self.announced.filter(|it| complete && *it > self.records) {
            let message = format!("{announced} records were announced, {} came", self.records);
            problems.push(Problem::warning(
                "W_OAI_INCOMPLETE",
                self.settings.base.as_str(),
                message,
            ));
        }
        OaiReport {
            identity: self.identity,
            records: self.records,
            deleted: self.deleted,
            requests: self.requests,
            announced: self.announced,
            complete,
            next_from: self.began.filter(|_| complete).or(self.settings.from),
            problems,
        }
    }

    fn begin(&mut self, from: Option<String>) {
        self.tries = 0;
        self.stage = Stage::List { from };
    }

    /// The records that were not given yet.
    fn news(&mut self, records: Vec<OaiRecord>) -> Vec<OaiRecord> {
        let mut new = Vec::new();
        for record in records.into_iter().filter(|record| !record.identifier.is_empty()) {
            if self.latest.as_ref().is_none_or(|latest| *latest < record.datestamp) {
                self.latest = Some(record.datestamp.clone());
            }
            if self.known.insert(hash(&[&record.identifier, &record.datestamp])) {
                self.records += 1;
                self.deleted += u64::from(record.deleted);
                new.push(record);
            }
        }
        new
    }

    fn go_on(&mut self, token: Option<OaiToken>, nothing_new: bool) {
        self.tries = 0;
        self.without_news = if nothing_new { self.without_news + 1 } else { 0 };
        let token = token.filter(|token| !token.value.is_empty());
        let Some(token) = token else {
            self.stage = Stage::Ended { complete: true };
            return;
        };
        self.announced = token.complete_list_size.or(self.announced);
        let seen = !self.tokens.insert(hash(&[&token.value]));
        self.pages += 1;
        // A list that is begun anew shows what is known first.
        if seen || self.without_news >= self.pages_before + PAGES_WITHOUT_NEWS {
            let all = self.announced.is_some_and(|announced| self.records >= announced);
            return self.end(all, "W_OAI_LOOP", "the list repeats itself".to_owned());
        }
        self.stage = Stage::Token(token.value);
    }

    /// What the server complains about decides what is tried next.
    fn complained(&mut self, code: &str, message: &str) {
        let with_token = matches!(self.stage, Stage::Token(_));
        match code {
            "noRecordsMatch" => self.stage = Stage::Ended { complete: true },
            "badArgument" if with_token && !self.prefix_with_token => {
                self.prefix_with_token = true;
                let message = format!("the server wants a prefix with the token: {message}");
                self.warn("W_OAI_PREFIX", message);
            }
            "badResumptionToken" | "badArgument" if with_token => self.restart(message),
            _ if self.stage == Stage::Identify => self.begin(self.settings.from.clone()),
            _ => self.end(false, "E_OAI_ERROR", format!("{code}: {message}")),
        }
    }

    /// Begins the list anew: the first time from its start, because lists need not be in the order of dates;
    /// then from the latest date that was seen.
    fn restart(&mut self, why: &str) {
        self.restarts += 1;
        let progressed = self.records > self.records_before_pass;
        self.idle_restarts = if progressed { 0 } else { self.idle_restarts + 1 };
        if self.idle_restarts >= MAX_OAI_RESTARTS {
            let message = format!("tokens are lost again and again: {why}");
            return self.end(false, "E_OAI_TOKEN", message);
        }
        self.warn("W_OAI_RESTART", format!("the list is begun anew: {why}"));
        self.tokens.clear();
        self.without_news = 0;
        self.records_before_pass = self.records;
        self.pages_before = self.pages_before.max(std::mem::take(&mut self.pages));
        let from = match self.restarts {
            1 => self.settings.from.clone(),
            _ => self.latest.clone().or(self.settings.from.clone()),
        };
        self.begin(from);
    }

    /// The same request once more, after a wait.
    fn again(&mut self, wait: Option<Duration>, cause: String) {
        self.tries += 1;
        if self.tries >= MAX_OAI_TRIES {
            let code = if self.stage == Stage::Identify { "E_NOT_OAI" } else { "E_OAI_ANSWER" };
            return self.end(false, code, format!("{MAX_OAI_TRIES} tries: {cause}"));
        }
        self.wait = wait.unwrap_or(USUAL_WAIT).min(MAX_OAI_WAIT);
        self.warn("W_OAI_AGAIN", cause);
    }

    fn warn(&mut self, code: &'static str, message: String) {
        let problem = Problem::warning(code, self.settings.base.as_str(), message);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn end(&mut self, complete: bool, code: &'static str, message: String) {
        let subject = self.settings.base.to_string();
        self.problems.push(Problem { code, subject, message });
        self.stage = Stage::Ended { complete };
    }
}

fn hash(parts: &[&str]) -> u64 {
    let mut hasher = FxHasher::default();
    for part in parts {
        hasher.write(part.as_bytes());
        hasher.write_u8(0);
    }
    hasher.finish()
}
