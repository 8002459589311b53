//! `auslese search snapshot`: the search index as a copy in object storage, for other machines.
//!
//! An index takes long to make and no time to copy. A snapshot is a folder in the store with a list of its files that
//! is written last, so one that was interrupted is none. Whoever fetches one brings it up to date with `auslese search
//! index`, which looks only at what has changed since.

use crate::args::Place;
use crate::commands::crawl::harvest_failure;
use crate::config::{Config, Overrides, depot_failure};
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::steps::{self, Shown};
use crate::{output, size_text};
use auslese_depot::{Depot, FolderNote, MANIFEST, Onward, StoreAddress, Writing};
use auslese_harvest::HarvestDir;
use auslese_model::Timestamp;
use auslese_search::IndexDir;
use clap::{Args, Subcommand};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use tokio::sync::watch;

/// Where snapshots lie below the place of the archive files.
const FOLDER: &str = "index-snapshots";

/// Copy the search index to object storage, and back to another machine
#[derive(Debug, Args)]
pub(crate) struct SnapshotArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Store a copy of the index
    ///
    /// It goes to `index-snapshots/NAME` below the place that [archive.store] names. A snapshot never replaces
    /// another; one that was interrupted is gone on with under the same name.
    #[command(after_help = SAVE_EXAMPLES)]
    Save {
        /// The name of the snapshot [default: the time]
        #[arg(long, value_name = "NAME", value_parser = plain_name)]
        name: Option<String>,

        #[command(flatten)]
        telling: Telling,
    },
    /// Fetch a snapshot; `auslese search index` then brings it up to date
    #[command(after_help = RESTORE_EXAMPLES)]
    Restore {
        /// The name of the snapshot [default: the newest]
        #[arg(long, value_name = "NAME", value_parser = plain_name)]
        name: Option<String>,

        /// Replace the index that is there
        #[arg(long)]
        replace: bool,

        #[command(flatten)]
        telling: Telling,
    },
    /// List the snapshots
    #[command(after_help = LIST_EXAMPLES)]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Delete a snapshot
    #[command(after_help = DELETE_EXAMPLES)]
    Delete {
        /// The name of the snapshot
        #[arg(value_name = "NAME", value_parser = plain_name)]
        name: String,
    },
}

#[derive(Debug, Args)]
struct Telling {
    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const SAVE_EXAMPLES: &str = "\
Examples:
  auslese search snapshot save --dir giessen
  auslese search snapshot save --name before-the-move --dir giessen";

const RESTORE_EXAMPLES: &str = "\
Examples:
  auslese search snapshot restore --dir giessen
  auslese search snapshot restore --name before-the-move --replace --dir giessen";

const LIST_EXAMPLES: &str = "\
Examples:
  auslese search snapshot list --dir giessen --json";

const DELETE_EXAMPLES: &str = "\
Examples:
  auslese search snapshot delete 20261115214000 --dir giessen";

/// A name is one part of a key.
fn plain_name(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    match !text.is_empty() && !text.starts_with('.') && text.chars().all(fits) {
        true => Ok(text.to_owned()),
        false => Err("a name has letters, digits, \"-\", \"_\" and \".\"".to_owned()),
    }
}

pub(super) fn run(args: &SnapshotArgs, place: &Place, color: Color) -> Outcome {
    let config = place.sources(Overrides::default()).load()?;
    let shelf = Shelf::of(&config, place.dir())?;
    match &args.action {
        Action::Save { name, telling } => {
            let name = name.clone().unwrap_or_else(|| Timestamp::now().digits14());
            shelf.save(&name, telling, color)
        }
        Action::Restore { name, replace, telling } => {
            shelf.restore(name.as_deref(), *replace, telling, color)
        }
        Action::List { json } => shelf.list(*json),
        Action::Delete { name } => {
            let note = shelf.named(name)?;
            shelf.depot.delete_folder(&shelf.at(name), &note).map_err(depot_failure)?;
            Ok(Exit::Done)
        }
    }
}

/// The snapshots of a harvest.
struct Shelf {
    dir: HarvestDir,
    depot: Depot,
    folder: StoreAddress,
}

impl Shelf {
    fn of(config: &Config, dir: &Path) -> Result<Shelf, Failure> {
        let Some(address) = config.archive.store.address()? else {
            return Err(Failure::usage("this harvest has no store for snapshots").hint(
                "set `url` in [archive.store] of auslese.toml; docs/object-storage.md tells how",
            ));
        };
        let dir = HarvestDir::open(dir).map_err(harvest_failure)?;
        let depot = config.depot(&address.bucket, dir.root())?;
        Ok(Shelf { dir, depot, folder: address.below(FOLDER) })
    }

    fn at(&self, name: &str) -> StoreAddress {
        self.folder.below(name)
    }

    /// The names of all snapshots that are complete, by name.
    fn names(&self) -> Result<Vec<String>, Failure> {
        let beginning = format!("{}/", self.folder.key);
        let objects = self.depot.list(&beginning).map_err(depot_failure)?;
        let ending = format!("/{MANIFEST}");
        let name = |key: &str| {
            let name = key.strip_prefix(&beginning)?.strip_suffix(&ending)?;
            plain_name(name).ok()
        };
        Ok(objects.iter().filter_map(|object| name(&object.key)).collect())
    }

    fn named(&self, name: &str) -> Result<FolderNote, Failure> {
        let note = self.depot.folder(&self.at(name)).map_err(depot_failure)?;
        note.ok_or_else(|| {
            Failure::usage(format!("there is no snapshot {name}"))
                .hint("`auslese search snapshot list` names those that there are")
        })
    }

    fn save(&self, name: &str, telling: &Telling, color: Color) -> Outcome {
        // Whoever has the lock may change the index.
        let _lock = self.dir.lock().map_err(harvest_failure)?;
        let index = self.dir.index();
        IndexDir::open(&index).map_err(super::search_failure)?;
        let note = FolderNote {
            what: "search index".to_owned(),
            made_at: Timestamp::now().to_second_text(),
            made_by: concat!("auslese ", env!("CARGO_PKG_VERSION")).to_owned(),
            files: Vec::new(),
        };
        let of = bytes_of(&index)?;
        let at = self.at(name);
        let note = watched(telling, color, of, |watch| {
            self.depot.store_folder(&index, &at, Writing::New, note, watch)
        })?;
        self.tell(name, &note, "stored as", telling)
    }

    fn restore(
        &self,
        name: Option<&str>,
        replace: bool,
        telling: &Telling,
        color: Color,
    ) -> Outcome {
        let _lock = self.dir.lock().map_err(harvest_failure)?;
        let index = self.dir.index();
        if index.exists() && !replace {
            return Err(Failure::usage("there is a search index already")
                .hint("--replace puts the snapshot in its place"));
        }
        let name = match name {
            Some(name) => name.to_owned(),
            None => self.newest()?,
        };
        let note = self.named(&name)?;
        let draft = beside(&index, "restoring");
        let fetched = fs::create_dir_all(&draft).map_err(Failure::from).and_then(|()| {
            watched(telling, color, note.bytes(), |watch| {
                self.depot.fetch_folder(&self.at(&name), &note, &draft, watch)
            })
        });
        let placed = fetched.and_then(|()| {
            IndexDir::open(&draft).map_err(super::search_failure)?;
            take_place(&draft, &index)
        });
        if placed.is_err() {
            // What is left of it has a name that says what it is.
            let _ = fs::remove_dir_all(&draft);
        }
        placed?;
        let exit = self.tell(&name, &note, "fetched from", telling)?;
        if !telling.quiet {
            say(Word::Hint, "`auslese search index` brings it up to date with the catalog", color);
        }
        Ok(exit)
    }

    fn newest(&self) -> Result<String, Failure> {
        let mut newest: Option<(String, String)> = None;
        for name in self.names()? {
            let made = self.named(&name)?.made_at;
            if newest.as_ref().is_none_or(|(known, _)| made >= *known) {
                newest = Some((made, name));
            }
        }
        newest.map(|(_, name)| name).ok_or_else(|| {
            Failure::usage(format!("there is no snapshot in {}", self.folder))
                .hint("`auslese search snapshot save` makes one where the index is")
        })
    }

    fn list(&self, json: bool) -> Outcome {
        let mut notes = Vec::new();
        for name in self.names()? {
            notes.push((name.clone(), self.named(&name)?));
        }
        if json {
            let shown = |(name, note): &(String, FolderNote)| {
                json!({
                    "name": name,
                    "made_at": note.made_at,
                    "made_by": note.made_by,
                    "files": note.files.len(),
                    "bytes": note.bytes(),
                })
            };
            output::print_json(&notes.iter().map(shown).collect::<Vec<_>>())?;
        } else {
            let row = |(name, note): &(String, FolderNote)| {
                let size = size_text::format(note.bytes());
                [name.clone(), note.made_at.clone(), size, format!("{} files", note.files.len())]
            };
            output::print(&output::columns(&notes.iter().map(row).collect::<Vec<_>>()))?;
        }
        Ok(Exit::Done)
    }

    fn tell(&self, name: &str, note: &FolderNote, how: &str, telling: &Telling) -> Outcome {
        let (files, bytes) = (note.files.len(), note.bytes());
        if telling.json {
            output::print_json(&json!({ "name": name, "files": files, "bytes": bytes }))?;
        } else {
            let size = size_text::format(bytes);
            output::print(&format!("{files} files, {size}, {how} {}\n", self.at(name)))?;
        }
        Ok(Exit::Done)
    }
}

/// Moves bytes with progress shown and Ctrl-C heard.
pub(crate) fn watched_bytes<T: Send>(
    quiet: bool,
    color: Color,
    of: u64,
    work: impl FnOnce(&mut dyn FnMut(u64) -> Onward) -> Result<T, auslese_depot::DepotError> + Send,
) -> Result<T, Failure> {
    steps::carry_out(quiet, color, shown, async |progress: watch::Sender<(u64, u64)>, stop| {
        let mut watch = |bytes: u64| {
            progress.send_replace((bytes >> 20, of >> 20));
            if *stop.borrow() { Onward::Stop } else { Onward::Go }
        };
        tokio::task::block_in_place(|| work(&mut watch)).map_err(depot_failure)
    })
}

fn watched<T: Send>(
    telling: &Telling,
    color: Color,
    of: u64,
    work: impl FnOnce(&mut dyn FnMut(u64) -> Onward) -> Result<T, auslese_depot::DepotError> + Send,
) -> Result<T, Failure> {
    watched_bytes(telling.quiet, color, of, work)
}

fn shown(&(done, of): &(u64, u64)) -> Shown {
    Shown { what: "MiB", done, of, rate: 0.0, here: None }
}

/// A name beside a folder that says what it is.
fn beside(path: &Path, what: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{what}-{}", std::process::id()))
}

/// Puts a folder in the place of another one.
fn take_place(new: &Path, old: &Path) -> Result<(), Failure> {
    let aside = beside(old, "old");
    let is_there = old.exists();
    if is_there {
        fs::rename(old, &aside)?;
    }
    fs::rename(new, old)?;
    if is_there {
        fs::remove_dir_all(&aside)?;
    }
    Ok(())
}

fn bytes_of(folder: &Path) -> Result<u64, Failure> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}
