//! Waiting for a catalog that is out of reach for a while, outside the committer.

use auslese_catalog::CatalogError;
use std::time::{Duration, Instant};

/// The first pause, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// How long a catalog is waited for when a crawl begins or ends.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Does something until it succeeds, fails for good, or has failed for too long.
pub(crate) async fn patiently<T>(
    attempt: impl AsyncFn() -> Result<T, CatalogError>,
) -> Result<T, CatalogError> {
    let began = Instant::now();
    let mut pause = PAUSES.0;
    loop {
        match attempt().await {
            Err(error) if error.is_temporary() && began.elapsed() < PATIENCE => {
                tracing::debug!("waiting for the catalog: {error}");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(PAUSES.1);
            }
            result => return result,
        }
    }
}
