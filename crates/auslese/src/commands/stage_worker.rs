//! `--worker` of the stages after the crawl: others may be at the same stage on the same catalog.

use super::crawl::harvest_failure;
use crate::config::Config;
use crate::config::text_forms::FILE_PREFIX;
use crate::messages::Failure;
use auslese_catalog::Location;
use auslese_harvest::{HarvestDir, Sharing};
use clap::Args;

/// Whether the work is shared.
#[derive(Debug, Default, Args)]
pub(crate) struct WorkerArgs {
    /// Share the work with other workers on one PostgreSQL catalog, under this name or that of the directory
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    #[arg(value_parser = worker_name)]
    worker: Option<String>,
}

/// Without a text, the directory's own name is meant.
fn worker_name(text: &str) -> Result<String, String> {
    match text {
        "" => Ok(String::new()),
        name => (FILE_PREFIX.check)(name).map(|()| name.to_owned()),
    }
}

impl WorkerArgs {
    pub(crate) fn is_given(&self) -> bool {
        self.worker.is_some()
    }

    /// The name of this worker, and how it shares the harvest, if it does.
    pub(crate) fn sharing(
        &self,
        config: &Config,
        dir: &HarvestDir,
    ) -> Result<(String, Option<Sharing>), Failure> {
        let archive = &config.archive;
        let Some(given) = &self.worker else {
            return Ok((archive.worker_name().to_owned(), None));
        };
        if let Location::File(path) = config.catalog_location(dir.root())? {
            let message = format!(
                "several workers need a PostgreSQL catalog, and that of this harvest is a file: {}",
                path.display()
            );
            return Err(Failure::usage(message).hint(
                "leave out --worker; or `auslese catalog copy` the catalog to a database, and name \
                 that as `url` in [catalog]",
            ));
        }
        let given = Some(given.as_str()).filter(|name| !name.is_empty());
        let mark = dir.worker_mark(given.or(archive.given_worker())).map_err(harvest_failure)?;
        let lease = config.catalog.lease();
        let sharing = Sharing { identity: mark.identity, machine: mark.machine, lease };
        Ok((mark.name, Some(sharing)))
    }
}
