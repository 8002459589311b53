//! How the reader wants to see a page: in which language, as a page or as data, and where they are.

use crate::access::{Actor, Role, TOKEN};
use crate::look::{Section, frame};
use crate::problem::Problem;
use crate::replay::own_query;
use crate::site::Site;
use crate::tongue::Tongue;
use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_DISPOSITION, CONTENT_TYPE, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Serialize;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use url::form_urlencoded;

/// The parameter that chooses a language, and the cookie that remembers it.
pub(crate) const LANGUAGE: &str = "lang";
/// The parameter that chooses a form.
pub(crate) const FORMAT: &str = "format";

/// How a page is to be shown.
#[derive(Debug, Clone)]
pub(crate) struct View {
    pub(crate) tongue: Tongue,
    pub(crate) form: PageForm,
    /// The address of the page on this site, path and query.
    pub(crate) path: String,
    pub(crate) query: String,
    /// Who asks, if they are logged in.
    pub(crate) actor: Option<Actor>,
    pub(crate) site: Arc<Site>,
}

/// A page for people, or its twin for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageForm {
    Html,
    Json,
    Csv,
}

/// A page: what it shows is a value, which is the twin for programs; how it is shown is its body.
pub(crate) trait Page: Serialize {
    fn section(&self) -> Section;
    fn title(&self, view: &View) -> String;
    fn body(&self, view: &View) -> Markup;
    /// The table of the page for spreadsheets, with the name of its file; none if it has no table.
    fn csv(&self) -> Option<(String, String)> {
        None
    }
}

impl View {
    pub(crate) fn say<T>(&self, english: T, german: T) -> T {
        self.tongue.say(english, german)
    }

    /// The page in the form that is wanted.
    pub(crate) fn answer(&self, page: &impl Page) -> Response {
        match self.form {
            PageForm::Html => Html(frame(self, page).into_string()).into_response(),
            PageForm::Json => Json(page).into_response(),
            PageForm::Csv => match page.csv() {
                Some((name, text)) => csv_file(&name, text),
                None => Problem::bad_request(
                    "This page has no table, so there is no CSV of it.",
                    "Diese Seite hat keine Tabelle, also gibt es sie nicht als CSV.",
                )
                .into_response(),
            },
        }
    }

    /// A form that changes something, for those whose role suffices; for others there is nothing.
    pub(crate) fn act_form(&self, action: &str, role: Role, fields: &Markup) -> Markup {
        let actor = self.actor.as_ref().filter(|actor| actor.role >= role);
        html! {
            @if let Some(actor) = actor {
                form .act method="post" action=(action) {
                    input type="hidden" name=(TOKEN) value=(actor.token);
                    (fields)
                }
            }
        }
    }

    /// Whether the reader has this role.
    pub(crate) fn may(&self, role: Role) -> bool {
        self.actor.as_ref().is_some_and(|actor| actor.role >= role)
    }

    /// A problem with words of the inside, such as a file that cannot be read: they are for those who look after the
    /// harvest, and for the log.
    pub(crate) fn inside(&self, problem: Problem, words: String) -> Problem {
        tracing::warn!("{} {words}", problem.english);
        if self.may(Role::Editor) { problem.detail(words) } else { problem }
    }

    /// Something was changed: people are led to the page that shows it, programs are told where that is.
    pub(crate) fn done(&self, page: &str) -> Response {
        match self.form {
            PageForm::Html => Redirect::to(page).into_response(),
            PageForm::Json | PageForm::Csv => {
                Json(json!({ "done": true, "see": page })).into_response()
            }
        }
    }

    /// The address of this page with a parameter set to a value, or without it.
    pub(crate) fn here_with(&self, name: &str, value: Option<&str>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (key, old) in form_urlencoded::parse(self.query.as_bytes()) {
            if key != name {
                query.append_pair(&key, &old);
            }
        }
        if let Some(value) = value {
            query.append_pair(name, value);
        }
        match query.finish() {
            query if query.is_empty() => self.path.clone(),
            query => format!("{}?{query}", self.path),
        }
    }
}

/// A file of comma-separated values; the name is ours and needs no quoting.
pub(crate) fn csv_file(name: &str, text: String) -> Response {
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    let plain: String =
        name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{plain}.csv\"")) {
        headers.insert(CONTENT_DISPOSITION, value);
    }
    response
}

impl FromRequestParts<Arc<Site>> for View {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<View, Infallible> {
        Ok(View::of(parts.uri.path(), parts.uri.query().unwrap_or_default(), &parts.headers, site))
    }
}

impl View {
    pub(crate) fn of(path: &str, query: &str, headers: &HeaderMap, site: &Arc<Site>) -> View {
        // Addresses of archived pages have queries of their own.
        let query = own_query(path, query);
        let parameter = |name: &str| {
            form_urlencoded::parse(query.as_bytes())
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.into_owned())
        };
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let tongue = parameter(LANGUAGE)
            .and_then(|tag| Tongue::of_tag(&tag))
            .or_else(|| text(COOKIE).and_then(remembered))
            .or_else(|| text(ACCEPT_LANGUAGE).and_then(Tongue::accepted))
            .unwrap_or(Tongue::English);
        let form = match parameter(FORMAT).as_deref() {
            Some("json") => PageForm::Json,
            Some("csv") => PageForm::Csv,
            Some(_) => PageForm::Html,
            None => match text(axum::http::header::ACCEPT) {
                Some(accept) if prefers_json(accept) => PageForm::Json,
                _ => PageForm::Html,
            },
        };
        let actor = site.access.actor(headers);
        let (path, query) = (path.to_owned(), query.to_owned());
        View { tongue, form, path, query, actor, site: site.clone() }
    }
}

fn remembered(cookies: &str) -> Option<Tongue> {
    let mut pairs = cookies.split(';').filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == LANGUAGE).and_then(|(_, value)| Tongue::of_tag(value))
}

/// A program that asks for JSON does not ask for HTML.
fn prefers_json(accept: &str) -> bool {
    accept.contains("application/json") && !accept.contains("text/html")
}
