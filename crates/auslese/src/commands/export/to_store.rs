//! Exports into object storage: written to the disk first, as every export, and then stored.
//!
//! One file becomes one object, which appears whole. A folder becomes one object for each of its files, and a list of
//! them that is written last; without the list it is no export.

use crate::commands::search::watched_bytes;
use crate::config::{Config, depot_failure};
use crate::messages::{Color, Failure};
use auslese_depot::{Depot, FolderNote, MANIFEST, Moment, StoreAddress, Writing};
use auslese_harvest::OutputKind;
use auslese_model::Timestamp;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// An export on its way into the store.
pub(super) struct ToStore {
    depot: Depot,
    address: StoreAddress,
    writing: Writing,
    /// Where it is written; removed in the end.
    work: TempDir,
}

impl ToStore {
    /// Prepares it, and refuses early what could not be stored in the end.
    pub(super) fn prepare(
        out: &str,
        replace: bool,
        kind: OutputKind,
        config: &Config,
        dir: &Path,
    ) -> Result<ToStore, Failure> {
        let address: StoreAddress = out.parse().map_err(depot_failure)?;
        if address.key.is_empty() {
            return Err(Failure::usage(format!("{address} names a bucket only"))
                .hint("write it as s3://BUCKET/NAME"));
        }
        let depot = config.depot(&address.bucket, dir)?;
        let key = match kind {
            OutputKind::Folder => address.below(MANIFEST).key,
            OutputKind::File => address.key.clone(),
        };
        if !replace && depot.look(&key).map_err(depot_failure)?.is_some() {
            return Err(Failure::usage(format!("{address} is there already"))
                .hint("name another place with --out, or take --replace"));
        }
        // In the harvest, because there must be room for large things.
        let runs = dir.join("runs");
        std::fs::create_dir_all(&runs)?;
        let work = tempfile::Builder::new().prefix("export-").tempdir_in(runs)?;
        let writing = if replace { Writing::Anew } else { Writing::New };
        Ok(ToStore { depot, address, writing, work })
    }

    /// Where the export is to be written.
    pub(super) fn path(&self) -> PathBuf {
        self.work.path().join(self.address.name())
    }

    /// Stores what was written.
    pub(super) fn store(self, quiet: bool, color: Color) -> Result<(), Failure> {
        let path = self.path();
        let ToStore { depot, address, writing, .. } = &self;
        if path.is_dir() {
            let note = FolderNote {
                what: "export".to_owned(),
                made_at: Timestamp::now().to_second_text(),
                made_by: concat!("auslese ", env!("CARGO_PKG_VERSION")).to_owned(),
                files: Vec::new(),
            };
            watched_bytes(quiet, color, 0, |watch| {
                depot.store_folder(&path, address, *writing, note, watch).map(drop)
            })
        } else {
            let of = path.metadata()?.len();
            watched_bytes(quiet, color, of, |watch| {
                let mut bytes_there = 0;
                let mut step = |moment| {
                    if let Moment::Part { bytes } = moment {
                        bytes_there = bytes;
                    }
                    watch(bytes_there)
                };
                depot.upload(&path, &address.key, *writing, &mut step).map(drop)
            })
        }
    }
}
