//! The conductor leads the talks with databases: their requests go through the queues like all others, so
//! robots.txt, pauses, retries, budgets of a host and the archive are those of the crawl.
//!
//! A talk hears an answer after it is committed. So what a talk knows is always in the archive, and a talk that was
//! interrupted is led again from there without asking anything twice.

use super::conversation::{Conversation, Settled};
use super::talk::{Answer, Heard};
use crate::committing::Question;
use crate::conductor::{Conductor, Event};
use crate::corpus::stored_body;
use crate::found::Found;
use auslese_archive::Holdings;
use auslese_catalog::{NewRecord, StoredCapture};
use auslese_crawl::canonical;
use auslese_model::{
    Change, DatabaseId, Exchange, HeaderFields, HopPath, HostName, Pending, Request, RequestId,
    RequestKey, State, Timestamp,
};
use auslese_net::decode_content;
use std::panic::{AssertUnwindSafe, catch_unwind};
use url::Url;

/// Why a talk ends that the program itself failed on.
const OUR_FAULT: &str = "the program failed on an answer";

/// The step of a question to a database.
const QUESTION: char = 'Q';

/// A question to the committer: has this been answered, or is it to be queued?
#[derive(Debug)]
pub(crate) struct Opening {
    pub(crate) number: usize,
    pub(crate) found: Found,
    pub(crate) home: HostName,
    /// Answers since then count, or all of them.
    pub(crate) since: Timestamp,
    pub(crate) any_age: bool,
    /// How many of them the talk has heard.
    pub(crate) heard: usize,
}

/// What the committer says to it.
#[derive(Debug)]
pub(crate) enum Opened {
    /// It is answered, by this capture.
    Answered(Box<StoredCapture>),
    /// It is queued.
    Queued(Box<Pending>),
    /// It was new, and is queued with all that is new.
    Offered,
    Refused(String),
}

/// What a talk leaves behind.
#[derive(Debug)]
pub(crate) enum Left {
    Records { database: DatabaseId, records: Vec<NewRecord> },
    End { conversation: Box<Conversation> },
}

impl Conductor {
    pub(crate) fn begin_conversations(&mut self) {
        for number in self.conversations.numbers() {
            self.take_turn(number);
        }
    }

    /// Lets a talk say what it wants next.
    fn take_turn(&mut self, number: usize) {
        let no_pause = self.workshop.crawl.politeness.delay.is_zero();
        let Some(conversation) = self.conversations.get(number) else { return };
        let Some(turn) = conversation.next() else {
            if let Some(conversation) = self.conversations.take(number) {
                let conversation = Box::new(conversation);
                self.ask(Question::Leave(Left::End { conversation }));
            }
            return;
        };
        if turn.wait.is_zero() || no_pause {
            return self.open(number);
        }
        let (wait, sender) = (turn.wait, self.sender.clone());
        self.state.in_flight += 1;
        tokio::spawn(async move {
            tokio::time::sleep(wait).await;
            let _ = sender.send(Event::Rested { number });
        });
    }

    /// Asks the committer about the request of a turn.
    pub(crate) fn open(&mut self, number: usize) {
        let workshop = self.workshop.clone();
        let Some(conversation) = self.conversations.get(number) else { return };
        let Some(turn) = conversation.turn.clone() else { return };
        let key = turn.request.key(&canonical(&turn.request.url, &workshop.crawl.canonical));
        let heard = conversation.made.get(&key).copied().unwrap_or(0);
        let opening = Opening {
            number,
            found: question(turn.request, key, conversation),
            home: conversation.home.clone(),
            since: conversation.since,
            any_age: turn.any_age && !conversation.afresh,
            heard,
        };
        if self.conversations.expect(key, number) {
            self.conversations.opening += 1;
            self.ask(Question::Open(Box::new(opening)));
        }
    }

    pub(crate) fn opened(&mut self, number: usize, key: RequestKey, opened: Opened) {
        self.conversations.opening -= 1;
        match opened {
            Opened::Offered => {}
            Opened::Queued(pending) => {
                // Exclusions hold for what was asked before, too.
                let Some(pending) = self.admitted(vec![*pending]).pop() else { return };
                if self.labels.contains_key(&pending.server) {
                    self.scheduler.push(pending, Timestamp::now());
                } else {
                    self.state.unleased.push(pending);
                    self.state.lease_again = true;
                }
            }
            Opened::Refused(reason) => {
                self.conversations.forget(key);
                self.tell_conversation(number, key, false, move |_| Heard::Nothing(reason));
            }
            Opened::Answered(stored) => {
                self.conversations.forget(key);
                let since = self.conversations.get(number).map(|it| it.since);
                let sent = since.is_some_and(|since| stored.capture.at >= since);
                self.tell_conversation(number, key, sent, move |archive| {
                    archived(archive, *stored)
                });
            }
        }
    }

    /// Pushes what waited for a server that is leased now.
    pub(crate) fn push_unleased(&mut self) {
        for pending in std::mem::take(&mut self.state.unleased) {
            match self.labels.contains_key(&pending.server) {
                true => _ = self.scheduler.push(pending, Timestamp::now()),
                false => self.state.unleased.push(pending),
            }
        }
    }

    fn key_of(&self, request: &Request) -> RequestKey {
        request.key(&canonical(&request.url, &self.workshop.crawl.canonical))
    }

    /// Whether a request from the store belongs to a talk; in an ordinary crawl all may be sent.
    pub(crate) fn may_be_sent(&self, request: &Request) -> bool {
        !self.conversations.is_alone() || self.conversations.is_expected(self.key_of(request))
    }

    /// Keeps the answer to a talk until it is committed.
    pub(crate) fn note_answer(&mut self, pending: &Pending, exchange: &Exchange) {
        if self.conversations.numbers().is_empty() {
            return;
        }
        let key = self.key_of(&pending.request);
        if self.conversations.is_expected(key) {
            let answer = received(&pending.request.url, exchange, self.workshop.decode);
            self.conversations.keep(pending.id, key, true, Heard::Answer(answer));
        }
    }

    /// Keeps that there will be no answer.
    pub(crate) fn note_loss(&mut self, pending: &Pending, change: &Change) {
        let (sent, cause) = match change {
            Change::Failed { cause } => (true, cause),
            Change::Refused { cause } => (false, cause),
            Change::Again { .. } | Change::Done { .. } => return,
        };
        if !self.conversations.numbers().is_empty() {
            let key = self.key_of(&pending.request);
            self.conversations.keep(pending.id, key, sent, Heard::Nothing(cause.to_string()));
        }
    }

    /// A request is committed: whoever waited for it hears what became of it.
    pub(crate) fn tell_settled(&mut self, request: RequestId) {
        if let Some(Settled { number, key, sent, heard }) = self.conversations.settled(request) {
            self.tell_conversation(number, key, sent, move |_| heard);
        }
    }

    /// Has a talk think about what it heard, on a thread of its own: pages are parsed there.
    fn tell_conversation(
        &mut self,
        number: usize,
        key: RequestKey,
        sent: bool,
        heard: impl FnOnce(&Holdings) -> Heard + Send + 'static,
    ) {
        let Some(mut conversation) = self.conversations.take(number) else { return };
        *conversation.made.entry(key).or_default() += 1;
        let (archive, sender) = (self.archive.anew(), self.sender.clone());
        self.state.in_flight += 1;
        tokio::task::spawn_blocking(move || {
            // A page on which the program itself fails costs this database, never the crawl.
            let hearing = AssertUnwindSafe(|| conversation.hear(heard(&archive), sent));
            if catch_unwind(hearing).is_err() {
                conversation.talk.hear(Heard::Nothing(OUR_FAULT.to_owned()));
            }
            let _ = sender.send(Event::Heard { number, conversation: Box::new(conversation) });
        });
    }

    /// A talk has thought, and goes on.
    pub(crate) fn go_on_talking(&mut self, number: usize, mut conversation: Conversation) {
        let records = conversation.talk.take_records();
        if !records.is_empty() {
            let database = conversation.database;
            self.ask(Question::Leave(Left::Records { database, records }));
        }
        self.conversations.bring_back(number, conversation);
        self.take_turn(number);
        for number in self.conversations.take_later() {
            self.open(number);
        }
    }
}

fn question(request: Request, key: RequestKey, conversation: &Conversation) -> Found {
    Found {
        spelling: None,
        key,
        request,
        state: State::Queued,
        // Before everything else of its server: somebody waits for the answer.
        priority: i16::MIN,
        hops: HopPath::default().then(QUESTION),
        via: conversation.via,
        via_url: None,
        cause: None,
        label: None,
    }
}

/// An answer that came just now.
fn received(url: &Url, exchange: &Exchange, limits: auslese_net::DecodeLimits) -> Answer {
    let (fields, _) = HeaderFields::of(&exchange.response);
    let bytes = decode_content(&exchange.response, limits).bytes.into_owned();
    answer(url.clone(), exchange.response.status, fields, bytes)
}

fn answer(url: Url, status: u16, fields: HeaderFields, bytes: Vec<u8>) -> Answer {
    let (media_type, charset) = (fields.media_type(), fields.charset());
    Answer { url, status, media_type, charset, location: fields.location, bytes }
}

/// An answer out of the archive.
fn archived(archive: &Holdings, stored: StoredCapture) -> Heard {
    let capture = stored.capture;
    let Ok(url) = Url::parse(&stored.url) else {
        return Heard::Nothing(format!("{} is no address", stored.url));
    };
    let bytes = match stored_body(archive, &capture) {
        Ok(body) => body.bytes,
        Err(why) if (300..400).contains(&capture.status) => {
            tracing::debug!("{url} has no body: {why}");
            Vec::new()
        }
        Err(why) => return Heard::Nothing(why),
    };
    Heard::Answer(answer(url, capture.status, capture.fields, bytes))
}
