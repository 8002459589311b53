//! Browsing: a harvest as people think of it, institution by institution, server by server, folder by folder.

mod folder;
mod institutions;
mod names;
mod servers;

use super::listing::parameter;
use crate::problem::Problem;
use crate::site::Site;
use crate::view::View;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use std::sync::Arc;

/// Entries of one page.
const PER_PAGE: usize = 100;

pub(crate) async fn browse(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    if let Some(server) = parameter(&parameters, "server") {
        let path = parameter(&parameters, "path").unwrap_or("/");
        let page = folder::open(&harvest, server, path, &parameters).await?;
        return Ok(view.answer(&page));
    }
    let labels = harvest.catalog.label_summaries().await?;
    let label = match parameter(&parameters, "institution") {
        Some(text) => Some(Some(text).filter(|text| !text.is_empty())),
        // Where there is but one, there is nothing to choose from.
        None => match labels.as_slice() {
            [only] => Some(only.label.as_deref()),
            _ => None,
        },
    };
    match label {
        None => Ok(view.answer(&institutions::list(&harvest, labels))),
        Some(label) => {
            if labels.iter().all(|known| known.label.as_deref() != label) && !labels.is_empty() {
                return Err(Problem::not_found(
                    "There is no such institution in this harvest.",
                    "Diese Institution gibt es in dieser Ernte nicht.",
                ));
            }
            let is_only = labels.len() < 2;
            Ok(view.answer(&servers::list(&harvest, label, is_only, &parameters).await?))
        }
    }
}
