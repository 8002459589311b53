//! Where the archive files of a harvest lie, for `auslese status`. The store itself is not asked.

use super::catalog_access::catalog_failure;
use crate::config::Config;
use crate::messages::Failure;
use crate::size_text;
use auslese_catalog::{Catalog, WarcFile};
use serde::Serialize;
use std::path::Path;

/// What lies where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct StoreView {
    /// Where files are stored.
    url: String,
    stored: Files,
    /// Copies of stored files in this folder.
    cached: Files,
    /// Closed files in this folder that are not stored yet.
    waiting: Files,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct Files {
    files: u64,
    bytes: u64,
}

impl StoreView {
    /// None if the harvest has no store.
    pub(super) async fn of(
        config: &Config,
        dir: &Path,
        catalog: &Catalog,
    ) -> Result<Option<StoreView>, Failure> {
        let Some(address) = config.archive.store.address()? else { return Ok(None) };
        let files = catalog.warc_files().await.map_err(catalog_failure)?;
        let archive = dir.join("archive");
        let is_here = |file: &WarcFile| archive.join(&file.progress.file).is_file();
        Ok(Some(StoreView {
            url: address.to_string(),
            stored: Files::of(files.iter().filter(|file| file.stored_at.is_some())),
            cached: Files::of(files.iter().filter(|it| it.stored_at.is_some() && is_here(it))),
            waiting: Files::of(
                files.iter().filter(|file| {
                    file.stored_at.is_none() && file.progress.closed && is_here(file)
                }),
            ),
        }))
    }

    /// Such as `3.1 GB in 4 files in s3://archive/giessen; 1.2 GB of them here, too; 1 file waits (0.9 GB)`.
    pub(super) fn text(&self) -> String {
        let StoreView { url, stored, cached, waiting } = self;
        let size = size_text::format;
        let mut text = format!("{} in {} files in {url}", size(stored.bytes), stored.files);
        if cached.files > 0 {
            text.push_str(&format!(
                "; {} of them are here, too ({})",
                cached.files,
                size(cached.bytes)
            ));
        }
        if waiting.files > 0 {
            text.push_str(&format!(
                "; {} wait here to be stored ({})",
                waiting.files,
                size(waiting.bytes)
            ));
        }
        text
    }
}

impl Files {
    fn of<'a>(files: impl Iterator<Item = &'a WarcFile>) -> Files {
        files.fold(Files::default(), |sum, file| Files {
            files: sum.files + 1,
            bytes: sum.bytes + file.progress.length,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_where() {
        let files = |files, bytes| Files { files, bytes };
        let view = StoreView {
            url: "s3://archive/giessen".to_owned(),
            stored: files(4, 3_100_000_000),
            cached: files(0, 0),
            waiting: files(0, 0),
        };
        assert_eq!(view.text(), "3.1 GB in 4 files in s3://archive/giessen");
        let view = StoreView { cached: files(1, 1_000_000_000), waiting: files(2, 5_000), ..view };
        assert_eq!(
            view.text(),
            "3.1 GB in 4 files in s3://archive/giessen; 1 of them are here, too (1 GB); 2 wait here to be stored \
             (5 KB)"
        );
    }
}
