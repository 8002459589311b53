//! Deaths on demand, to prove that the crash protocol holds at each of its steps.
//!
//! With `AUSLESE_DIE_AT=after-append:3` the process kills itself (SIGKILL, as a crash would) the
//! third time the committer has appended to the archive. Nothing else reads the variable.

use rustix::process::{Signal, getpid, kill_process};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The steps of a commit, and of an upload, between which a crash must do no harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    BeforeAppend,
    AfterAppend,
    AfterSync,
    BeforeCommit,
    AfterCommit,
    BeforeRename,
    AfterRename,
    BeforeUpload,
    AfterPart,
    BeforeComplete,
    AfterComplete,
    AfterStored,
}

impl Step {
    fn name(self) -> &'static str {
        match self {
            Step::BeforeAppend => "before-append",
            Step::AfterAppend => "after-append",
            Step::AfterSync => "after-sync",
            Step::BeforeCommit => "before-commit",
            Step::AfterCommit => "after-commit",
            Step::BeforeRename => "before-rename",
            Step::AfterRename => "after-rename",
            Step::BeforeUpload => "before-upload",
            Step::AfterPart => "after-part",
            Step::BeforeComplete => "before-complete",
            Step::AfterComplete => "after-complete",
            Step::AfterStored => "after-stored",
        }
    }
}

/// Ends the process if the environment asks for it at this step.
pub(crate) fn reach(step: Step) {
    static WISH: OnceLock<Option<(String, u64)>> = OnceLock::new();
    static REACHED: AtomicU64 = AtomicU64::new(0);
    let wish = WISH.get_or_init(|| parse(&std::env::var("AUSLESE_DIE_AT").ok()?));
    if let Some((name, count)) = wish
        && name == step.name()
        && REACHED.fetch_add(1, Ordering::Relaxed) + 1 == *count
    {
        // If the signal cannot be sent, going on is the only thing left.
        let _ = kill_process(getpid(), Signal::KILL);
    }
}

fn parse(text: &str) -> Option<(String, u64)> {
    let (name, count) = text.split_once(':').unwrap_or((text, "1"));
    Some((name.to_owned(), count.parse().ok()?))
}
