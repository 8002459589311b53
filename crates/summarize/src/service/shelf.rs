//! What was made lately, and what failed lately.
//!
//! Between two summaries of a document lies a time that the provider sets; meanwhile the last one is handed out.
//! A failure is remembered for a shorter time, so that a database in trouble is left alone. A document that
//! changed is another document.

use crate::fragment::Fragment;
use crate::refusal::Refusal;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Fragments that are kept; the oldest makes room.
pub const MAX_KEPT: usize = 32;

pub(super) type Outcome = Result<Fragment, Arc<Refusal>>;

#[derive(Debug)]
pub(super) struct Shelf {
    kept: HashMap<PathBuf, Kept>,
    interval: Duration,
    failure_pause: Duration,
}

#[derive(Debug)]
struct Kept {
    /// Of the document.
    digest: [u8; 32],
    at: Instant,
    outcome: Outcome,
}

impl Shelf {
    pub(super) fn new(interval: Duration, failure_pause: Duration) -> Shelf {
        Shelf { kept: HashMap::new(), interval, failure_pause: failure_pause.min(interval) }
    }

    /// What is still good, and for how long.
    pub(super) fn look(
        &self,
        path: &Path,
        digest: &[u8; 32],
        now: Instant,
    ) -> Option<(Outcome, Duration)> {
        let kept = self.kept.get(path).filter(|kept| kept.digest == *digest)?;
        let pause = if kept.outcome.is_ok() { self.interval } else { self.failure_pause };
        let left = pause.checked_sub(now.saturating_duration_since(kept.at))?;
        (!left.is_zero()).then(|| (kept.outcome.clone(), left))
    }

    /// Puts something there, and says for how long it is good.
    pub(super) fn put(
        &mut self,
        path: &Path,
        digest: [u8; 32],
        now: Instant,
        outcome: Outcome,
    ) -> Duration {
        if self.kept.len() >= MAX_KEPT && !self.kept.contains_key(path) {
            let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.at);
            if let Some(oldest) = oldest.map(|(path, _)| path.clone()) {
                self.kept.remove(&oldest);
            }
        }
        let pause = if outcome.is_ok() { self.interval } else { self.failure_pause };
        self.kept.insert(path.to_owned(), Kept { digest, at: now, outcome });
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);
    const MINUTE: Duration = Duration::from_secs(60);

    fn failure() -> Outcome {
        Err(Arc::new(Refusal::NotReadOnly))
    }

    fn fragment() -> Outcome {
        let text = "Summarizer: http://h/s\nURL: http://h/f\nDatabase: d\nTable: t\nAttribute: a\n";
        let content = auslese_model::DbContent::read(text.as_bytes(), None).unwrap();
        Ok(crate::fragment::Draft::begin(&content).unwrap().finish().unwrap())
    }

    #[test]
    fn good_for_a_while() {
        let start = Instant::now();
        let path = Path::new("/a");
        for (outcome, pause) in [(fragment(), HOUR), (failure(), MINUTE)] {
            let mut shelf = Shelf::new(HOUR, MINUTE);
            assert!(shelf.look(path, &[1; 32], start).is_none());
            assert_eq!(shelf.put(path, [1; 32], start, outcome), pause);
            let left = |digest, age| shelf.look(path, digest, start + age).map(|(_, left)| left);
            assert_eq!(left(&[1; 32], MINUTE / 2), Some(pause - MINUTE / 2));
            assert_eq!(left(&[2; 32], MINUTE / 2), None, "another document");
            assert_eq!(left(&[1; 32], pause), None);
        }
        let mut shelf = Shelf::new(Duration::ZERO, MINUTE);
        shelf.put(path, [1; 32], start, failure());
        assert!(shelf.look(path, &[1; 32], start).is_none(), "nothing is kept without an interval");
    }

    #[test]
    fn the_oldest_makes_room() {
        let start = Instant::now();
        let mut shelf = Shelf::new(HOUR, HOUR);
        let path = |number: usize| PathBuf::from(format!("/{number}"));
        for number in 0..=MAX_KEPT {
            let now = start + Duration::from_secs(number as u64);
            shelf.put(&path(number), [0; 32], now, failure());
        }
        assert_eq!(shelf.kept.len(), MAX_KEPT);
        assert!(shelf.look(&path(0), &[0; 32], start).is_none());
        assert!(shelf.look(&path(1), &[0; 32], start).is_some());
    }
}
