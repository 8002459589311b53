//! Opens the catalog of a harvest for commands that only read.

use crate::config::Config;
use crate::messages::{Exit, Failure};
use auslese_catalog::{Catalog, CatalogError, Location};
use std::path::Path;
use std::time::{Duration, Instant};

/// Opens the catalog that the configuration names.
pub(crate) async fn open_catalog(config: &Config, dir: &Path) -> Result<Catalog, Failure> {
    let location = config.catalog_location(dir)?;
    Catalog::open(&location, &config.catalog_settings()).await.map_err(catalog_failure)
}

/// How long a database that is away is waited for after work that others share.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(250);

/// Asks the catalog that the configuration names; if it is on a server, that may be away for a moment.
pub(crate) async fn ask_catalog<T>(
    config: &Config,
    dir: &Path,
    question: impl AsyncFn(&Catalog) -> Result<T, CatalogError>,
) -> Result<T, Failure> {
    let location = config.catalog_location(dir)?;
    let is_server = matches!(location, Location::Server(_));
    let began = Instant::now();
    loop {
        let answer = async {
            let catalog = Catalog::open(&location, &config.catalog_settings()).await?;
            let answer = question(&catalog).await;
            catalog.close().await;
            answer
        };
        match answer.await {
            Err(error) if error.is_temporary() && is_server && began.elapsed() < PATIENCE => {
                tokio::time::sleep(PAUSE).await;
            }
            answer => return answer.map_err(catalog_failure),
        }
    }
}

const RESTORE: &str = "restore catalog.sqlite from a backup made after the last crawl; without one, \
                       move the folder archive away and begin anew";

/// What an error of the catalog means for the user.
pub(crate) fn catalog_failure(error: CatalogError) -> Failure {
    let (exit, hint) = match &error {
        CatalogError::Missing { .. } => (
            Exit::Usage,
            Some(
                "nothing was crawled here yet: `auslese crawl` begins, --dir names another harvest",
            ),
        ),
        CatalogError::SchemaTooNew { .. } => {
            (Exit::Usage, Some("a newer auslese has worked on this harvest; update this one"))
        }
        // The file of a harvest is ours; a database on a server may be anybody's.
        CatalogError::NotACatalog { location, .. } if !location.starts_with("postgres") => {
            (Exit::Damaged, Some(RESTORE))
        }
        CatalogError::NotACatalog { .. } | CatalogError::Location { .. } => (Exit::Usage, None),
        CatalogError::Login { .. } => (
            Exit::Usage,
            Some(
                "the password comes from AUSLESE_CATALOG_PASSWORD or `password_file` in [catalog]",
            ),
        ),
        CatalogError::NameTaken { .. } => (
            Exit::Usage,
            Some(
                "give each worker a name and a directory of its own: --worker NAME --dir DIRECTORY",
            ),
        ),
        CatalogError::Replaced { .. } => (
            Exit::Failures,
            Some("two processes were started under one name; the other one goes on"),
        ),
        CatalogError::Unavailable { .. } => {
            (Exit::Failures, Some("is the database server running? `auslese doctor` looks"))
        }
        CatalogError::InUse { .. } => (Exit::Failures, Some("try again in a moment")),
        CatalogError::Damaged { .. } => (Exit::Damaged, Some(RESTORE)),
        _ => (Exit::Failures, None),
    };
    let failure = Failure::new(exit, error);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Runs asynchronous work of a command that does little of it.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(work)
}
