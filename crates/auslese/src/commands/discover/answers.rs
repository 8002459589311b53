//! Where answers of registries come from: asked for, remembered, or recorded earlier.

use super::AskingArgs;
use crate::input;
use crate::messages::{Exit, Failure};
use anyhow::Context;
use auslese_discover::lookup::{LookupMode, read_records, write_records};
use auslese_model::LookupRecord;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where answers come from, and where they go. The default asks what is not known.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(super) mode: LookupMode,
    /// The answers of a replay.
    pub(super) recorded: Vec<LookupRecord>,
    /// Where everything that was asked is to be written.
    recording: Option<PathBuf>,
}

impl Answers {
    /// Reads the recording that is to be replayed. Files are looked at before anything else is
    /// done: a mistyped name must not cost an hour of questions.
    pub(super) fn of(args: &AskingArgs) -> Result<Answers, Failure> {
        let recorded = match &args.replay {
            Some(file) => read_recording(file)?,
            None => Vec::new(),
        };
        if let Some(file) = &args.record {
            require_directory(file)?;
        }
        let mode = match (&args.replay, &args.record, args.live) {
            (Some(_), ..) => LookupMode::Replay,
            (_, Some(_), _) => LookupMode::Record,
            (_, _, true) => LookupMode::Live,
            _ => LookupMode::Cached,
        };
        Ok(Answers { mode, recorded, recording: args.record.clone() })
    }

    pub(super) fn is_replay(&self) -> bool {
        self.mode == LookupMode::Replay
    }

    /// The file for a recording, if one is wanted.
    pub(super) fn recording(&self) -> Option<&Path> {
        self.recording.as_deref()
    }
}

fn read_recording(file: &Path) -> Result<Vec<LookupRecord>, Failure> {
    let open = input::open(file)?;
    let records = read_records(BufReader::new(open));
    let records = records.with_context(|| format!("cannot read {}", file.display()));
    records.map_err(|error| Failure::new(Exit::Usage, error).hint("--record writes such a file"))
}

fn require_directory(file: &Path) -> Result<(), Failure> {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    if file.is_dir() || !parent.is_dir() {
        return Err(Failure::usage(format!("{} cannot be written", file.display()))
            .hint("name a file in a directory that exists"));
    }
    Ok(())
}

pub(super) fn write_recording(file: &Path, records: &[LookupRecord]) -> Result<(), Failure> {
    let cannot_write = || format!("cannot write {}", file.display());
    let mut out = BufWriter::new(File::create(file).with_context(cannot_write)?);
    write_records(&mut out, records).with_context(cannot_write)?;
    Ok(out.flush().with_context(cannot_write)?)
}
