//! Redirects: addresses whose newest answer names another one.

use crate::engine::Sql;
use crate::{Catalog, CatalogError};
use auslese_model::{Method, RequestId};

/// A request that was answered with a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    pub request: RequestId,
    pub url: String,
    /// The `Location` line, as the server wrote it.
    pub location: String,
}

impl Catalog {
    /// The next redirects after the request given, by number. `RequestId(0)` begins; an empty page
    /// ends.
    pub async fn redirects(
        &self,
        after: RequestId,
        limit: usize,
    ) -> Result<Vec<Redirect>, CatalogError> {
        let sql = Sql::new(redirects_page()).bind(after).bind(limit).bind(Method::Get.as_str());
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter()
            .map(|mut row| {
                let (request, url) = (RequestId(row.number()?), row.text()?);
                Ok(Redirect { request, url, location: row.text()? })
            })
            .collect()
    }
}

pub(super) fn redirects_page() -> &'static str {
    "SELECT r.id, r.url, h.location FROM request r JOIN http_header h ON h.id = r.capture_id \
     WHERE r.id > $1 AND r.method = $3 AND h.status IN (301, 302, 303, 307, 308) \
     AND h.location IS NOT NULL ORDER BY r.id LIMIT $2"
}
