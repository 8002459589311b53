//! Single pages, such as an imprint or where a home page redirects to. A crawl is done elsewhere.
//!
//! The robots.txt of every origin on the way is obeyed. Each answer is kept by itself, redirects
//! and robots.txt included: a line of JSON (`status`, `type`, `location`, `cut`), then the body as
//! a reader sees it. The key's question is the URL.

use super::Lookups;
use super::asked::{Asked, Trouble};
use super::http::{Got, server_name};
use auslese_crawl::RobotsRules;
use auslese_model::{
    Cause, CauseKind, LookupAnswer, LookupKey, LookupKind, LookupRecord, Method, Origin, Request,
    Timestamp,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use url::Url;

/// The longest time a robots.txt is believed (RFC 9309 §2.4).
const ROBOTS_KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// A page, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where it was found in the end.
    pub url: Url,
    pub status: u16,
    /// The way there.
    pub hops: Vec<Hop>,
    /// As the header says, parameters included.
    pub content_type: Option<String>,
    pub body: Vec<u8>,
    /// There was more than is read.
    pub cut: bool,
    pub at: Timestamp,
}

/// One redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    pub from: Url,
    pub status: u16,
    pub to: Url,
}

impl Lookups {
    /// Fetches a page, following redirects.
    pub async fn page(&self, url: &Url) -> Result<Page, Cause> {
        self.page_at(url, Robots::Obey).await.map_err(Cause::from)
    }

    async fn page_at(&self, url: &Url, robots: Robots) -> Result<Page, Trouble> {
        let mut url = request_url(url)?;
        let mut hops: Vec<Hop> = Vec::new();
        loop {
            if robots == Robots::Obey {
                self.may_be_fetched(&url).await?;
            }
            let Answer { head, body, at } = self.answer_of(&url, robots).await?;
            let target = head.location.as_deref().and_then(|target| Url::parse(target).ok());
            let Some(target) = target else {
                let WrittenHead { status, content_type, cut, .. } = head;
                return Ok(Page { url, status, hops, content_type, body, cut, at });
            };
            if hops.len() >= usize::from(self.shared.settings.redirects) {
                let detail = format!("more than {} to {target}", hops.len());
                return Err(Cause::new(CauseKind::Redirects, detail).into());
            }
            let target = request_url(&target)?;
            hops.push(Hop { from: url, status: head.status, to: target.clone() });
            url = target;
        }
    }

    /// A refusal, if the robots.txt of the URL's origin disallows it or cannot be read.
    async fn may_be_fetched(&self, url: &Url) -> Result<(), Trouble> {
        let robots = Origin::of(url).and_then(|origin| origin.join("/robots.txt"));
        let Some(robots) = robots else { return Err(not_requestable(url)) };
        let agent = &self.shared.settings.agent;
        // Boxed, because a page and its robots.txt are fetched by the same function.
        let rules = match Box::pin(self.page_at(&robots, Robots::IsIt)).await {
            Ok(page) => RobotsRules::from_answer(page.status, &page.body, agent),
            Err(Trouble::Failed(cause)) => match cause.kind {
                CauseKind::Redirects => RobotsRules::allow_all(),
                // A host that cannot be reached has a better reason than its robots.txt.
                CauseKind::NoSuchName | CauseKind::Guarded | CauseKind::NotMapped => {
                    return Err(Trouble::Failed(cause));
                }
                _ => RobotsRules::from_answer(0, b"", agent),
            },
            Err(missing) => return Err(missing),
        };
        match rules.judge(url).refusal() {
            Some(cause) => Err(Trouble::Failed(cause)),
            None => Ok(()),
        }
    }

    async fn answer_of(&self, url: &Url, robots: Robots) -> Result<Answer, Trouble> {
        let key = LookupKey {
            kind: LookupKind::Web,
            server: server_name(url),
            question: url.to_string(),
        };
        let record = self.ask(key, self.page_asked(url, robots)).await?;
        Answer::read(&record).map_err(Trouble::Failed)
    }

    async fn page_asked(&self, url: &Url, robots: Robots) -> Asked {
        let settings = &self.shared.settings;
        let got = match self.get(&self.shared.page_net, url, self.deadline()).await {
            Ok(got) => got,
            Err(vain) => return Asked::vain(vain, settings),
        };
        let keep = match got.status {
            ..400 => settings.keep_found,
            400..500 => settings.keep_absent,
            500.. => settings.keep_failed,
        };
        let keep = if robots == Robots::IsIt { keep.min(ROBOTS_KEPT) } else { keep };
        Asked::found(written(got), keep)
    }
}

/// What robots.txt has to say to a fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Robots {
    Obey,
    /// It is what is fetched.
    IsIt,
}

/// The URL as it is requested: without fragment and credentials.
fn request_url(url: &Url) -> Result<Url, Trouble> {
    match Request::new(Method::Get, url.clone(), None) {
        Some(request) => Ok(request.url),
        None => Err(not_requestable(url)),
    }
}

fn not_requestable(url: &Url) -> Trouble {
    Trouble::Failed(Cause::new(CauseKind::Url, url.to_string()))
}

#[derive(Debug, Serialize, Deserialize)]
struct WrittenHead {
    status: u16,
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    content_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    #[serde(default)]
    cut: bool,
}

/// One answer, read back.
struct Answer {
    head: WrittenHead,
    body: Vec<u8>,
    at: Timestamp,
}

fn written(got: Got) -> Vec<u8> {
    let Got { status, content_type, location, body, cut } = got;
    let location = location.map(String::from);
    let head = WrittenHead { status, content_type, location, cut };
    let mut bytes = serde_json::to_vec(&head).expect("texts and numbers can be written as JSON");
    bytes.push(b'\n');
    bytes.extend(body);
    bytes
}

impl Answer {
    fn read(record: &LookupRecord) -> Result<Answer, Cause> {
        let bytes = match &record.answer {
            LookupAnswer::Found(bytes) => bytes,
            LookupAnswer::Absent(detail) => {
                return Err(Cause::new(CauseKind::NoSuchName, detail.clone()));
            }
            LookupAnswer::Failed(cause) => return Err(cause.clone()),
        };
        let line = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
        let head = serde_json::from_slice(&bytes[..line]).map_err(|error| {
            let detail = format!("the record of {} cannot be read: {error}", record.key);
            Cause::new(CauseKind::Local, detail)
        })?;
        let body = bytes.get(line + 1..).unwrap_or_default().to_vec();
        Ok(Answer { head, body, at: record.at })
    }
}
