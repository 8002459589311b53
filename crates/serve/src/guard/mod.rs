//! What stands between the world and the pages: security headers, limits, and the count of everything.

mod headers;
mod layer;
mod metrics;
mod rate;

pub(crate) use headers::Origins;
pub(crate) use layer::{Side, guarded};
pub(crate) use metrics::Metrics;
pub(crate) use rate::Rates;
