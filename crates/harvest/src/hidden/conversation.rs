//! Talks under way: whose turn it is, which request is expected, and what was heard but not committed yet.

use super::talk::{Heard, Talk, Turn};
use auslese_model::{DatabaseId, HostName, Method, Request, RequestId, RequestKey, Timestamp};
use rustc_hash::FxHashMap;
use url::Url;

/// Redirects in a row that are followed for one question.
const MAX_REDIRECTS: u32 = 5;

/// One database and where asking it stands.
#[derive(Debug)]
pub(crate) struct Conversation {
    pub(crate) database: DatabaseId,
    /// The host whose page, document or address made us ask.
    pub(crate) home: HostName,
    /// The page it was found on.
    pub(crate) via: Option<RequestId>,
    pub(crate) talk: Talk,
    /// Answers since then count as given to this talk.
    pub(crate) since: Timestamp,
    /// Whether pages that are archived have to be fetched again.
    pub(crate) afresh: bool,
    /// How often each request was made by this talk.
    pub(crate) made: FxHashMap<RequestKey, usize>,
    pub(crate) turn: Option<Turn>,
    redirects: u32,
    pub(crate) requests: u64,
    pub(crate) bytes: u64,
}

impl Conversation {
    pub(crate) fn new(database: DatabaseId, home: HostName, talk: Talk, since: Timestamp) -> Self {
        Conversation {
            database,
            home,
            via: None,
            talk,
            since,
            afresh: false,
            made: FxHashMap::default(),
            turn: None,
            redirects: 0,
            requests: 0,
            bytes: 0,
        }
    }

    /// What to ask next; none if the talk is over.
    pub(crate) fn next(&mut self) -> Option<&Turn> {
        if self.turn.is_none() {
            self.redirects = 0;
            self.turn = self.talk.next();
        }
        self.turn.as_ref()
    }

    /// Takes what became of the turn; `sent` if it was asked for by this talk. An answer that sends elsewhere
    /// makes another turn.
    pub(crate) fn hear(&mut self, heard: Heard, sent: bool) {
        self.requests += u64::from(sent);
        let turn = self.turn.take();
        if let Heard::Answer(answer) = &heard {
            self.bytes += if sent { answer.bytes.len() as u64 } else { 0 };
            if let Some(next) = redirected(&answer.url, answer.status, answer.location.as_deref())
                && self.redirects < MAX_REDIRECTS
            {
                self.redirects += 1;
                let any_age = turn.is_some_and(|turn| turn.any_age);
                self.turn = Some(Turn { any_age, ..Turn::new(next) });
                return;
            }
        }
        self.talk.hear(heard);
    }
}

fn redirected(url: &Url, status: u16, location: Option<&str>) -> Option<Request> {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    Request::new(Method::Get, url.join(location?.trim()).ok()?, None)
}

/// What became of a request.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) number: usize,
    pub(crate) key: RequestKey,
    /// Whether it was sent at all.
    pub(crate) sent: bool,
    pub(crate) heard: Heard,
}

/// All talks of a run.
#[derive(Debug, Default)]
pub(crate) struct Conversations {
    talks: Vec<Option<Conversation>>,
    /// Which talk a request in the queues belongs to.
    expected: FxHashMap<RequestKey, usize>,
    /// What was heard, by request, until it is committed.
    heard: FxHashMap<RequestId, Settled>,
    later: Vec<usize>,
    /// Turns on their way into the queues.
    pub(crate) opening: usize,
    /// Whether nothing but talks is to be fetched.
    alone: bool,
}

impl Conversations {
    /// Talks, and nothing else to be fetched.
    pub(crate) fn alone(talks: Vec<Conversation>) -> Conversations {
        let talks = talks.into_iter().map(Some).collect();
        Conversations { talks, alone: true, ..Conversations::default() }
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.alone
    }

    pub(crate) fn numbers(&self) -> std::ops::Range<usize> {
        0..self.talks.len()
    }

    pub(crate) fn get(&mut self, number: usize) -> Option<&mut Conversation> {
        self.talks.get_mut(number)?.as_mut()
    }

    /// Takes a talk away, to be brought back or to be ended.
    pub(crate) fn take(&mut self, number: usize) -> Option<Conversation> {
        self.talks.get_mut(number)?.take()
    }

    pub(crate) fn bring_back(&mut self, number: usize, conversation: Conversation) {
        if let Some(place) = self.talks.get_mut(number) {
            *place = Some(conversation);
        }
    }

    /// Notes which request a talk waits for. If another talk waits for the same, this one has to try later.
    pub(crate) fn expect(&mut self, key: RequestKey, number: usize) -> bool {
        let free = *self.expected.entry(key).or_insert(number) == number;
        if !free {
            self.later.push(number);
        }
        free
    }

    /// Talks that had to wait for another.
    pub(crate) fn take_later(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.later)
    }

    pub(crate) fn is_expected(&self, key: RequestKey) -> bool {
        self.expected.contains_key(&key)
    }

    /// Keeps what was heard until its request is committed.
    pub(crate) fn keep(&mut self, request: RequestId, key: RequestKey, sent: bool, heard: Heard) {
        if let Some(number) = self.expected.get(&key) {
            self.heard.insert(request, Settled { number: *number, key, sent, heard });
        }
    }

    /// What was heard by a request that is committed now.
    pub(crate) fn settled(&mut self, request: RequestId) -> Option<Settled> {
        let settled = self.heard.remove(&request)?;
        self.expected.remove(&settled.key);
        Some(settled)
    }

    /// Nothing more is expected for a key.
    pub(crate) fn forget(&mut self, key: RequestKey) {
        self.expected.remove(&key);
    }
}
