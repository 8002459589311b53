//! Databases behind forms and other interfaces: which there are, how they were asked, and what is in them.
//!
//! Titles, values and addresses are strangers' words. They are shown as text, and an address becomes a link to the live
//! web only if it is one of the web.

mod database;
mod facts;
mod list;
mod live;
mod plan;
mod record;
mod soif;
mod trouble;
mod values;
mod words;

pub(super) use live::live_link;
pub(super) use words::{database_name, kind_name};

use crate::problem::Problem;
use crate::routes::Route;
use auslese_model::SOIF_MEDIA_TYPE;
use axum::routing::get;

const LIST: &[(&str, &str)] = &[
    ("cooperation", "full, restricted, declared or none"),
    ("kind", "form, db-content, oai-pmh, open-search or dataset"),
    ("host", "Databases on this host"),
    ("after", "Databases after the one with this number"),
];
const ONE: &[(&str, &str)] = &[
    ("attribute", "The attribute whose values are shown; without it, the first"),
    ("page", "Page of a hundred values, from 1"),
    ("q", "A text that values contain; they are shown instead"),
    ("after", "Records after the one with this number"),
];

/// The pages of databases and records.
pub(crate) fn database_routes() -> Vec<Route> {
    vec![
        Route::page("/databases", "The harvests, to see one's databases", &[], get(super::choose)),
        Route::page(
            "/databases/{harvest}",
            "Databases behind forms and other interfaces",
            LIST,
            get(list::list),
        ),
        Route::page(
            "/databases/{harvest}/{database}",
            "One database: how it was asked, its values and records; as SOIF, too",
            ONE,
            get(database::database),
        )
        .also_as("soif", SOIF_MEDIA_TYPE),
        Route::page(
            "/records/{harvest}/{record}",
            "A record of a repository",
            &[],
            get(record::record),
        ),
    ]
}

fn no_database() -> Problem {
    Problem::not_found(
        "There is no such database in this harvest.",
        "Diese Datenbank gibt es in dieser Ernte nicht.",
    )
}
