//! Waiting for a catalog that is out of reach for a while, outside the committer.

use crate::HarvestError;
use auslese_catalog::CatalogError;
use std::time::{Duration, Instant};

/// The first pause, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// How long a catalog is waited for when a crawl begins or ends.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// An error of which it is known whether it may pass.
pub(crate) trait Passing: std::fmt::Display {
    fn may_pass(&self) -> bool;
}

impl Passing for CatalogError {
    fn may_pass(&self) -> bool {
        self.is_temporary()
    }
}

impl Passing for HarvestError {
    /// A harvest that another command has is not waited for without a word.
    fn may_pass(&self) -> bool {
        HarvestError::may_pass(self)
            && !matches!(self, HarvestError::Catalog(CatalogError::InUse { .. }))
    }
}

/// Does something until it succeeds, fails for good, or has failed for too long.
pub(crate) async fn patiently<T, E: Passing>(
    attempt: impl AsyncFn() -> Result<T, E>,
) -> Result<T, E> {
    let began = Instant::now();
    let mut pause = PAUSES.0;
    loop {
        match attempt().await {
            Err(error) if error.may_pass() && began.elapsed() < PATIENCE => {
                tracing::debug!("waiting for the catalog: {error}");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(PAUSES.1);
            }
            result => return result,
        }
    }
}
