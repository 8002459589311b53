//! Which address leads to which page.

use crate::guard::{Side, guarded};
use crate::look;
use crate::pages;
use crate::site::Site;
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use std::sync::Arc;

/// The router of one of the two origins.
pub(crate) fn router(site: Arc<Site>, side: Side) -> Router {
    let routes = match side {
        Side::Pages => pages(),
        Side::Replay => Router::new(),
    };
    routes.layer(from_fn_with_state((site.clone(), side), guarded)).with_state(site)
}

fn pages() -> Router<Arc<Site>> {
    Router::new()
        .route("/", get(pages::start))
        .route("/search", get(pages::search))
        .route("/search/export", get(pages::export))
        .route("/browse", get(pages::choose))
        .route("/browse/{harvest}", get(pages::browse))
        .route("/organisation", get(pages::choose))
        .route("/organisation/{harvest}", get(pages::organisation))
        .route("/organisation/{harvest}/{host}", get(pages::organisation_host))
        .route("/statistics", get(pages::choose))
        .route("/statistics/{harvest}", get(pages::statistics))
        .route("/statistics/{harvest}/{table}", get(pages::statistics_table))
        .route("/sql", get(pages::choose))
        .route("/sql/{harvest}", get(pages::sql))
        .route("/about", get(pages::about))
        .route("/metrics", get(pages::metrics))
        .route("/static/{file}", get(look::asset))
}
