//! The wish to stop, from whoever started the crawl (Ctrl-C) or from a note that another process left.
//!
//! A note says which run is to stop, and no other run follows it: a crawl that begins later is not stopped by a wish
//! that was meant for one that has ended or died meanwhile, however clocks go.

use auslese_catalog::{Catalog, CatalogError, Control};
use auslese_model::{RunId, Timestamp};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The kind of the note that asks a run to stop.
const STOP_NOTE: &str = "stop";

/// Leaves a note that asks a run to finish what is under way and end, as after the first Ctrl-C; returns its number.
/// Where several workers crawl together, each of them is asked.
pub async fn ask_to_stop(catalog: &Catalog, run: RunId) -> Result<i64, CatalogError> {
    let now = catalog.time().await?;
    let workers = catalog.workers().await?;
    let alive = workers.iter().filter(|worker| worker.is_alive(now)).filter_map(|it| it.run);
    for other in alive.filter(|other| *other != run) {
        catalog.write_control(STOP_NOTE, &json!({ "run": other.0 }), Timestamp::now()).await?;
    }
    catalog.write_control(STOP_NOTE, &json!({ "run": run.0 }), Timestamp::now()).await
}

/// The run that a note asks to stop; none if it asks for something else.
pub(crate) fn run_to_stop(note: &Control) -> Option<RunId> {
    (note.kind == STOP_NOTE).then(|| note.body.get("run")?.as_i64().map(RunId))?
}

/// Whether a note asks this run to stop.
pub(crate) fn asks_to_stop(note: &Control, run: RunId) -> bool {
    run_to_stop(note) == Some(run)
}

pub(crate) fn is_stop(note: &Control) -> bool {
    note.kind == STOP_NOTE
}

/// The wish, shared by all hands of a crawl.
#[derive(Debug, Clone)]
pub(crate) struct Stopping {
    wish: watch::Sender<bool>,
}

impl Stopping {
    /// Follows the wish of whoever started the crawl, until the task ends.
    pub(crate) fn following(mut outside: watch::Receiver<bool>) -> (Stopping, JoinHandle<()>) {
        let (wish, _) = watch::channel(*outside.borrow_and_update());
        let stopping = Stopping { wish };
        let told = stopping.clone();
        let task = tokio::spawn(async move {
            if outside.wait_for(|wanted| *wanted).await.is_ok() {
                told.want();
            }
        });
        (stopping, task)
    }

    pub(crate) fn want(&self) {
        self.wish.send_replace(true);
    }

    pub(crate) fn is_wanted(&self) -> bool {
        *self.wish.borrow()
    }

    /// Ends when it is wanted.
    pub(crate) async fn wanted(&self) {
        let mut wish = self.wish.subscribe();
        // The other end is ours, so it cannot be gone.
        let _ = wish.wait_for(|wanted| *wanted).await;
    }

    pub(crate) fn watch(&self) -> watch::Receiver<bool> {
        self.wish.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_for_one_run() {
        #[rustfmt::skip]
        let cases = [
            ("stop",  json!({ "run": 7 }),   true),
            ("stop",  json!({ "run": 6 }),   false),
            ("stop",  json!({}),             false),
            ("stop",  json!("by hand"),      false),
            ("pause", json!({ "run": 7 }),   false),
        ];
        for (kind, body, expected) in cases {
            let note = Control { id: 1, written_at: Timestamp(0), kind: kind.to_owned(), body };
            assert_eq!(asks_to_stop(&note, RunId(7)), expected, "{note:?}");
        }
    }
}
