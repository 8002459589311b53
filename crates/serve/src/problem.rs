//! What a reader is told when there is no answer: a status, what is wrong in both languages, and nothing of the inside.
//!
//! A [`Problem`] travels in the extensions of its response; the outermost layer, which knows the reader's language and
//! whether a program asks, makes the page or the JSON of it.

use auslese_catalog::CatalogError;
use auslese_harvest::HarvestError;
use auslese_search::SearchError;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// Why there is no answer.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) english: String,
    pub(crate) german: String,
    /// Details as they are, such as a query with a mark below the place of an error.
    pub(crate) detail: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, english: &str, german: &str) -> Problem {
        Problem { status, english: english.to_owned(), german: german.to_owned(), detail: None }
    }

    pub(crate) fn not_found(english: &str, german: &str) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, english, german)
    }

    pub(crate) fn bad_request(english: &str, german: &str) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, english, german)
    }

    /// Something in here went wrong: the log has it, the reader gets no details.
    pub(crate) fn internal(what: &str, error: &dyn std::fmt::Display) -> Problem {
        tracing::error!("{what}: {error}");
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Something went wrong in here. The server's log has the details.",
            "Hier ist etwas schiefgegangen. Einzelheiten stehen im Protokoll des Servers.",
        )
    }

    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Problem {
        self.detail = Some(detail.into());
        self
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<CatalogError> for Problem {
    fn from(error: CatalogError) -> Problem {
        if error.is_temporary() {
            tracing::warn!("the catalog does not answer: {error}");
            return Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "The catalog does not answer at the moment. Try again soon.",
                "Der Katalog antwortet gerade nicht. Versuchen Sie es gleich noch einmal.",
            );
        }
        Problem::internal("the catalog", &error)
    }
}

impl From<HarvestError> for Problem {
    fn from(error: HarvestError) -> Problem {
        match error {
            HarvestError::Catalog(error) => error.into(),
            error => Problem::internal("the harvest", &error),
        }
    }
}

impl From<SearchError> for Problem {
    fn from(error: SearchError) -> Problem {
        match &error {
            SearchError::Missing { .. } => Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "There is no search index yet. `auslese search index` makes one.",
                "Es gibt noch keinen Suchindex. `auslese search index` legt ihn an.",
            ),
            SearchError::NoDocument { .. } => Problem::not_found(
                "This document is not in the search index.",
                "Dieses Dokument ist nicht im Suchindex.",
            ),
            _ => Problem::internal("the search index", &error),
        }
    }
}
