//! The table `[archive.store]`: where archive files lie besides the folder.

use super::schema::Kind::{Size, Switch, Text, Whole};
use super::schema::Preset::{Is, Unset};
use super::schema::Table;
use super::settings::Time;
use super::tables::setting;
use super::text_forms::{DURATION, PATH, STORE_ADDRESS, WEB_URL, WORDS};
use crate::messages::{Exit, Failure};
use auslese_depot::{Depot, DepotError, DepotSettings, SMALLEST_PART, StoreAddress, StoredFiles};
use auslese_harvest::ArchiveStore;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use url::Url;

#[rustfmt::skip]
pub(super) const STORE: Table = Table { path: "archive.store", about: "Object storage (S3) for archive files, if a URL is set; credentials come from the environment or from a file.", settings: &[
    setting("url", Text(STORE_ADDRESS), Unset,
        "Bucket and prefix for the files of this harvest, such as \"s3://archive/giessen\"; never the same for two harvests."),
    setting("endpoint", Text(WEB_URL), Unset,
        "Where the store is, such as \"https://s3.uni.example\"; without it Amazon's for the region."),
    setting("region", Text(WORDS), Is("\"us-east-1\""),
        "The region; most stores other than Amazon's take any."),
    setting("path_style", Switch, Unset,
        "Whether the bucket stands in the path and not in the host name; without it, wherever an endpoint is set."),
    setting("plain_http", Switch, Is("false"),
        "Whether the endpoint may be used without encryption."),
    setting("conditional", Switch, Is("true"),
        "Whether the store is asked to refuse what would overwrite something; false for stores that cannot (`auslese doctor` tells)."),
    setting("credentials_file", Text(PATH), Unset,
        "File with credentials as the AWS tools write it; without it the variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN."),
    setting("cache", Size(0), Is("\"10 GiB\""),
        "Size of stored files that stay in the folder; those read last stay longest."),
    setting("uploads", Whole(1..=16), Is("2"),
        "Files that are stored at a time."),
    setting("part", Size(SMALLEST_PART), Is("\"16 MiB\""),
        "Size of the parts of an upload, which are in memory while they are sent."),
    setting("block", Size(4096), Is("\"256 KiB\""),
        "Size of the blocks that are read; whoever reads on gets up to 16 at a time."),
    setting("memory", Size(1), Is("\"64 MiB\""),
        "Size of the blocks that are kept in memory."),
    setting("timeout", Text(DURATION), Is("\"30s\""),
        "How long is waited for a connection, and for the next bytes."),
    setting("attempts", Whole(1..=100), Is("6"),
        "How often a request is sent before it counts as failed; the pauses double from 0.2 to 10 seconds."),
]};

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct StoreTable {
    url: Option<String>,
    endpoint: Option<Url>,
    region: String,
    path_style: Option<bool>,
    plain_http: bool,
    conditional: bool,
    credentials_file: Option<PathBuf>,
    cache: u64,
    uploads: usize,
    part: u64,
    block: u64,
    memory: u64,
    timeout: Time,
    attempts: u32,
}

/// Waits that are shorter would end before any store answers.
const SHORTEST_TIMEOUT: Duration = Duration::from_millis(100);

impl StoreTable {
    /// The place of the archive files, if there is one.
    pub(crate) fn address(&self) -> Result<Option<StoreAddress>, Failure> {
        self.url.as_deref().map(|text| text.parse().map_err(depot_failure)).transpose()
    }

    /// The store of the harvest in a directory, if there is one.
    pub(crate) fn open(
        &self,
        dir: &Path,
        ca_files: &[PathBuf],
    ) -> Result<Option<ArchiveStore>, Failure> {
        let Some(address) = self.address()? else { return Ok(None) };
        let depot = Arc::new(self.depot(&address.bucket, dir, ca_files)?);
        let files = Arc::new(StoredFiles::new(depot, address));
        Ok(Some(ArchiveStore { files, cache: self.cache, uploads: self.uploads }))
    }

    /// A bucket, reached as this table says.
    pub(crate) fn depot(
        &self,
        bucket: &str,
        dir: &Path,
        ca_files: &[PathBuf],
    ) -> Result<Depot, Failure> {
        let settings = DepotSettings {
            endpoint: self.endpoint.clone(),
            region: self.region.clone(),
            path_style: self.path_style.unwrap_or(self.endpoint.is_some()),
            plain_http: self.plain_http,
            conditional: self.conditional,
            credentials_file: self.credentials_file.as_ref().map(|file| dir.join(file)),
            ca_files: ca_files.to_vec(),
            timeout: self.timeout.0.max(SHORTEST_TIMEOUT),
            attempts: self.attempts,
            part: self.part,
            block: self.block,
            memory: self.memory,
        };
        Depot::new(settings, bucket).map_err(depot_failure)
    }
}

/// What an error of the store means for the user.
pub(crate) fn depot_failure(error: DepotError) -> Failure {
    let hint = error.hint();
    let failure = match error {
        DepotError::Address { .. }
        | DepotError::Settings { .. }
        | DepotError::NoCredentials { .. } => Failure::new(Exit::Usage, error),
        DepotError::Changed { .. } | DepotError::NotFound { .. } => {
            Failure::new(Exit::Damaged, error)
        }
        DepotError::Stopped { .. } => Failure::new(Exit::Interrupted, error),
        error => Failure::from(error),
    };
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
