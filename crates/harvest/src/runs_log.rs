//! The log of a run in `runs/`: one JSON line a second, for `auslese status` and for the record.

use crate::numbers::Numbers;
use auslese_model::{RunId, Timestamp};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How often a line is written.
const LINE_EVERY: Duration = Duration::from_secs(1);
/// How far from its end a log is read for its last line.
const LAST_LINE: u64 = 8 << 10;

/// Writes until it is ended.
#[derive(Debug)]
pub(crate) struct RunsLog {
    task: JoinHandle<()>,
}

impl RunsLog {
    /// A log that cannot be written is no reason not to crawl: then there is none.
    pub(crate) fn start(runs: &Path, run: RunId, numbers: watch::Receiver<Numbers>) -> RunsLog {
        let path = log_path(runs, run);
        let task = tokio::spawn(async move {
            let mut file = match File::options().create(true).append(true).open(&path) {
                Ok(file) => file,
                Err(error) => {
                    tracing::warn!("{} cannot be written: {error}", path.display());
                    return;
                }
            };
            loop {
                tokio::time::sleep(LINE_EVERY).await;
                let line = serde_json::to_string(&*numbers.borrow()).unwrap_or_default();
                // A full disk costs a line of the log, nothing else.
                let _ = writeln!(file, "{line}");
            }
        });
        RunsLog { task }
    }

    pub(crate) fn end(self) {
        self.task.abort();
    }
}

fn log_path(runs: &Path, run: RunId) -> PathBuf {
    runs.join(format!("crawl-{:04}.jsonl", run.0))
}

/// The last that was heard of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LastWord {
    pub(crate) at: Timestamp,
    /// None if there is no whole line yet.
    pub(crate) numbers: Option<Numbers>,
}

/// The last numbers a run has told, and when; none if it has told nothing yet.
pub(crate) fn last_word(runs: &Path, run: RunId) -> io::Result<Option<LastWord>> {
    let mut file = match File::open(log_path(runs, run)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata()?;
    let since_1970 = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let at = Timestamp(0).plus(since_1970);
    let length = metadata.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LAST_LINE)))?;
    let lines = BufReader::new(file).lines().map_while(Result::ok);
    let numbers = lines.filter_map(|line| serde_json::from_str(&line).ok()).last();
    Ok(Some(LastWord { at, numbers }))
}
