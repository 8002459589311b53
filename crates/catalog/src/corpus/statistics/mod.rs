//! Numbers about the corpus, as typed tables: the paper's, and those the monitor corpus adds.
//!
//! *Documents in all* are the newest answers that brought a document (2xx), without robots.txt and
//! sitemaps, which serve the crawl; *kept* are those of them in the corpus. The size of a document is
//! its `Content-Length`, else what was received; where neither is known it is counted as unknown.
//! Each table is one query that the database sorts and sums; where there may be many rows, only the
//! most frequent are handed over.

mod amount;
mod counts;
mod documents;
mod institutions;
mod servers;
mod sizes;

pub use amount::Amount;
pub use counts::{CountBy, CountRow, CountTable};
pub use documents::{
    DocumentFeatures, DuplicateCounts, ElementRow, ErrorRow, FeatureRow, OddityRow, TemplateRow,
};
pub use institutions::InstitutionRow;
pub use servers::ServerRow;
pub use sizes::{SizeBy, SizeRow};

use super::{ANSWERING, IS_MACHINERY, STORING};
use crate::engine::Dialect;

/// `request r` with its server `s`, newest capture `h`, the answer `a` that stands for it, verdict
/// `d` and content `c`.
pub(super) fn answered() -> String {
    format!(
        "request r JOIN server_info s ON s.id = r.server_id \
         JOIN http_header h ON h.id = r.capture_id JOIN http_header a ON a.id = {ANSWERING} \
         LEFT JOIN document d ON d.request_id = r.id \
         LEFT JOIN content c ON c.capture_id = {STORING}"
    )
}

/// Which of them are documents.
pub(super) fn is_document() -> String {
    format!("a.status BETWEEN 200 AND 299 AND NOT ({IS_MACHINERY})")
}

/// Sorts text by code points, as Rust does.
fn by_code_point(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "",
        Dialect::Postgres => " COLLATE \"C\"",
    }
}
