//! What was asked and answered: by earlier runs, in this one, and just now.
//!
//! Each question is under way at most once; whoever asks meanwhile waits for that answer. If the
//! one who asked first goes away, the next one asks instead.

use super::asked::Asked;
use super::settings::LookupMode;
use auslese_model::{LookupAnswer, LookupKey, LookupKind, LookupRecord, Timestamp};
use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

pub(super) struct Memory {
    mode: LookupMode,
    bytes_max: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    records: HashMap<LookupKey, Arc<LookupRecord>>,
    bytes: usize,
    /// In the order they came, what can be had again for little and what cannot.
    cheap: VecDeque<LookupKey>,
    dear: VecDeque<LookupKey>,
    under_way: HashMap<LookupKey, Arc<OnceCell<Arc<LookupRecord>>>>,
    new: Vec<Arc<LookupRecord>>,
}

/// What a question meets.
enum Met {
    Known(Arc<LookupRecord>),
    UnderWay(Arc<OnceCell<Arc<LookupRecord>>>),
}

impl Memory {
    pub(super) fn new(mode: LookupMode, bytes_max: usize, known: Vec<LookupRecord>) -> Memory {
        let mut inner = Inner::default();
        if matches!(mode, LookupMode::Cached | LookupMode::Replay) {
            // A question that was asked twice has its last answer.
            known.into_iter().for_each(|record| inner.insert(Arc::new(record)));
        }
        let memory = Memory { mode, bytes_max, inner: Mutex::new(inner) };
        memory.forget_surplus(&mut memory.lock());
        memory
    }

    /// The known answer, or the one that `ask` brings; `ask` is polled only if nobody else asks. In
    /// a replay, a question without a known answer comes back.
    pub(super) async fn answer<F>(
        &self,
        key: LookupKey,
        ask: F,
    ) -> Result<Arc<LookupRecord>, LookupKey>
    where
        F: Future<Output = Asked>,
    {
        match self.meet(&key)? {
            Met::Known(record) => Ok(record),
            Met::UnderWay(cell) => {
                let asker = Asker { memory: self, key: &key, cell };
                let record = asker.cell.get_or_init(|| async {
                    let asked = ask.await;
                    self.remember(key.clone(), asked)
                });
                Ok(record.await.clone())
            }
        }
    }

    /// Everything asked since the last call.
    pub(super) fn take_new(&self) -> Vec<LookupRecord> {
        let new = std::mem::take(&mut self.lock().new);
        new.into_iter().map(Arc::unwrap_or_clone).collect()
    }

    fn meet(&self, key: &LookupKey) -> Result<Met, LookupKey> {
        let mut inner = self.lock();
        let known = inner.records.get(key);
        match (self.mode, known) {
            (LookupMode::Replay, Some(record)) => Ok(Met::Known(record.clone())),
            (LookupMode::Replay, None) => Err(key.clone()),
            (_, Some(record)) if record.until > Timestamp::now() => Ok(Met::Known(record.clone())),
            _ => {
                let cell = inner.under_way.entry(key.clone()).or_default();
                Ok(Met::UnderWay(cell.clone()))
            }
        }
    }

    fn remember(&self, key: LookupKey, asked: Asked) -> Arc<LookupRecord> {
        let at = Timestamp::now();
        let until = at.plus(asked.keep);
        let record = Arc::new(LookupRecord { key, answer: asked.answer, at, until });
        let mut inner = self.lock();
        inner.under_way.remove(&record.key);
        if asked.reached || self.mode == LookupMode::Record {
            inner.new.push(record.clone());
        }
        if !asked.keep.is_zero() {
            inner.insert(record.clone());
            self.forget_surplus(&mut inner);
        }
        record
    }

    fn forget_surplus(&self, inner: &mut Inner) {
        if self.mode == LookupMode::Replay {
            return;
        }
        while inner.bytes > self.bytes_max {
            let Some(key) = inner.cheap.pop_front().or_else(|| inner.dear.pop_front()) else {
                return;
            };
            if let Some(record) = inner.records.remove(&key) {
                inner.bytes -= size(&record);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change is complete before the lock is given back, so a panic elsewhere leaves it
        // usable.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn insert(&mut self, record: Arc<LookupRecord>) {
        self.bytes += size(&record);
        let (key, kind) = (record.key.clone(), record.key.kind);
        match self.records.insert(key.clone(), record) {
            // It keeps its place in the order.
            Some(earlier) => self.bytes -= size(&earlier),
            None if matches!(kind, LookupKind::Whois | LookupKind::Rdap) => {
                self.dear.push_back(key);
            }
            None => self.cheap.push_back(key),
        }
    }
}

/// Somebody who waits for an answer. The last one who goes away without it takes the question along.
struct Asker<'a> {
    memory: &'a Memory,
    key: &'a LookupKey,
    cell: Arc<OnceCell<Arc<LookupRecord>>>,
}

impl Drop for Asker<'_> {
    fn drop(&mut self) {
        let mut inner = self.memory.lock();
        // The table holds the cell, and so does everybody who waits.
        let is_last = Arc::strong_count(&self.cell) == 2 && !self.cell.initialized();
        let is_same = |known: &Arc<_>| Arc::ptr_eq(known, &self.cell);
        if is_last && inner.under_way.get(self.key).is_some_and(is_same) {
            inner.under_way.remove(self.key);
        }
    }
}

/// What a record takes in memory, roughly.
fn size(record: &LookupRecord) -> usize {
    /// Tables and allocations.
    const OVERHEAD: usize = 256;
    let answer = match &record.answer {
        LookupAnswer::Found(bytes) => bytes.len(),
        LookupAnswer::Absent(text) => text.len(),
        LookupAnswer::Failed(cause) => cause.detail.len(),
    };
    OVERHEAD + 2 * (record.key.server.len() + record.key.question.len()) + answer
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use auslese_model::{Cause, CauseKind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    const DAY: Duration = Duration::from_secs(86_400);

    fn key(kind: LookupKind, question: &str) -> LookupKey {
        LookupKey { kind, server: "s.example".to_owned(), question: question.to_owned() }
    }

    fn found(text: &str) -> Asked {
        Asked { answer: LookupAnswer::Found(text.into()), keep: DAY, reached: true }
    }

    fn record(question: &str, text: &str, until: Timestamp) -> LookupRecord {
        let answer = LookupAnswer::Found(text.into());
        LookupRecord { key: key(LookupKind::Whois, question), answer, at: Timestamp(0), until }
    }

    fn run<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    /// What a question is answered in a mode, if the old answer is "old" and a new one is "new".
    fn answered(mode: LookupMode, old: Option<Timestamp>) -> Result<String, LookupKey> {
        let known = old.map(|until| record("q", "old", until)).into_iter().collect();
        let memory = Memory::new(mode, usize::MAX, known);
        run(memory.answer(key(LookupKind::Whois, "q"), async { found("new") })).map(|record| {
            match &record.answer {
                LookupAnswer::Found(bytes) => String::from_utf8(bytes.clone()).unwrap(),
                other => panic!("{other:?}"),
            }
        })
    }

    #[test]
    fn modes() {
        let (fresh, stale) = (Some(Timestamp::now().plus(DAY)), Some(Timestamp::now().minus(DAY)));
        #[rustfmt::skip]
        let cases = [
            (LookupMode::Live,   fresh, Some("new")),
            (LookupMode::Record, fresh, Some("new")),
            (LookupMode::Cached, fresh, Some("old")),
            (LookupMode::Cached, stale, Some("new")),
            (LookupMode::Cached, None,  Some("new")),
            (LookupMode::Replay, stale, Some("old")),
            (LookupMode::Replay, None,  None),
        ];
        for (mode, old, expected) in cases {
            let answer = answered(mode, old);
            assert_eq!(answer.as_deref().ok(), expected, "{mode:?} {old:?}");
            if let Err(missing) = answer {
                assert_eq!(missing.to_string(), "whois s.example q");
            }
        }
    }

    #[test]
    fn only_a_recording_hands_out_vain_waits() {
        for (mode, expected) in [(LookupMode::Live, 1), (LookupMode::Record, 2)] {
            let memory = Memory::new(mode, usize::MAX, Vec::new());
            let cause = Cause::new(CauseKind::Timeout, "waiting");
            let vain =
                Asked { answer: LookupAnswer::Failed(cause), keep: Duration::ZERO, reached: false };
            run(async {
                memory.answer(key(LookupKind::Whois, "q"), async { vain }).await.unwrap();
                // A vain wait is not remembered: the same question is asked again.
                memory.answer(key(LookupKind::Whois, "q"), async { found("a") }).await.unwrap();
                memory.answer(key(LookupKind::Whois, "q"), async { found("b") }).await.unwrap();
            });
            assert_eq!(memory.take_new().len(), expected, "{mode:?}");
            assert!(memory.take_new().is_empty());
        }
    }

    #[test]
    fn a_question_is_under_way_once_and_survives_whoever_asked() {
        let memory = Memory::new(LookupMode::Cached, usize::MAX, Vec::new());
        let asked = AtomicUsize::new(0);
        let ask = || {
            memory.answer(key(LookupKind::Whois, "q"), async {
                asked.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(20)).await;
                found("a")
            })
        };
        run(async {
            let (first, second) = tokio::join!(ask(), ask());
            assert_eq!(first, second);
        });
        assert_eq!(asked.swap(0, Ordering::Relaxed), 1);

        let memory = Memory::new(LookupMode::Cached, usize::MAX, Vec::new());
        run(async {
            let endless = memory.answer(key(LookupKind::Whois, "q"), std::future::pending());
            let gone = tokio::time::timeout(Duration::from_millis(5), endless);
            let next = memory.answer(key(LookupKind::Whois, "q"), async { found("a") });
            let (gone, next) = tokio::join!(gone, next);
            assert!(gone.is_err() && next.is_ok());
            let given_up = memory.answer(key(LookupKind::Whois, "r"), std::future::pending());
            assert!(tokio::time::timeout(Duration::from_millis(5), given_up).await.is_err());
        });
        assert!(memory.lock().under_way.is_empty());
    }

    #[test]
    fn pages_are_forgotten_before_registrations() {
        let memory = Memory::new(LookupMode::Cached, 8_000, Vec::new());
        let text = "x".repeat(1_000);
        run(async {
            for number in 0..10 {
                for kind in [LookupKind::Whois, LookupKind::Web] {
                    let key = key(kind, &number.to_string());
                    memory.answer(key, async { found(&text) }).await.unwrap();
                }
            }
        });
        let inner = memory.lock();
        assert!(inner.bytes <= 8_000);
        assert_eq!(inner.bytes, inner.records.values().map(|record| size(record)).sum::<usize>());
        assert!(inner.records.keys().all(|key| key.kind == LookupKind::Whois));
        assert!(inner.records.contains_key(&key(LookupKind::Whois, "9")));
    }
}
