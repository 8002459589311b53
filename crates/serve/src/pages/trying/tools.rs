//! What trials work with: heuristics and models that come with the program, read once; and a few places, so that
//! trials, which anybody may ask for, never take all processors.

use crate::problem::Problem;
use auslese_corpus::language::{LanguageSettings, Recogniser};
use auslese_describe::{Heuristics, KeyphraseModels, SHIPPED_HEURISTICS};
use axum::http::StatusCode;
use std::sync::{Arc, OnceLock};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Trials that wait for a place; further ones are sent away.
pub(crate) const TRIALS_WAITING: usize = 32;

#[derive(Debug)]
pub(crate) struct Tools {
    places: Arc<Semaphore>,
    waiting: Semaphore,
    sets: [OnceLock<Heuristics>; SHIPPED_HEURISTICS.len()],
    pub(super) keyphrases: KeyphraseModels,
    /// For texts of no harvest.
    recogniser: OnceLock<Recogniser>,
}

impl Default for Tools {
    fn default() -> Tools {
        Tools {
            places: Arc::new(Semaphore::new(trials_at_a_time())),
            waiting: Semaphore::new(TRIALS_WAITING),
            sets: [const { OnceLock::new() }; SHIPPED_HEURISTICS.len()],
            keyphrases: KeyphraseModels::default(),
            recogniser: OnceLock::new(),
        }
    }
}

/// Trials at a time: anybody may ask for them, so half of the processors stay free for who reads.
fn trials_at_a_time() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).div_ceil(2)
}

impl Tools {
    /// Says in which language a text is, by the usual rules.
    pub(super) fn recogniser(&self) -> &Recogniser {
        self.recogniser.get_or_init(|| Recogniser::german(LanguageSettings::default()))
    }

    /// Waits for a place; it is given back when it is dropped.
    pub(super) async fn place(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let Ok(_waiting) = self.waiting.try_acquire() else {
            return Err(Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "Too much is being tried out at the moment. Try again soon.",
                "Gerade wird zu viel ausprobiert. Versuchen Sie es gleich noch einmal.",
            ));
        };
        let place = self.places.clone().acquire_owned().await;
        place.map_err(|closed| Problem::internal("the places for trials", &closed))
    }

    /// Reads the heuristics, if that was not done yet; takes a moment the first time.
    pub(super) fn prepare(&self) {
        for name in SHIPPED_HEURISTICS {
            self.shipped(name);
        }
    }

    /// A set that comes with the program.
    pub(super) fn shipped(&self, name: &str) -> Option<&Heuristics> {
        let at = SHIPPED_HEURISTICS.iter().position(|known| *known == name)?;
        let read = || Heuristics::shipped(SHIPPED_HEURISTICS[at]).expect("its name is listed");
        Some(self.sets[at].get_or_init(read))
    }
}
