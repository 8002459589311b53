//! The one door through which something is changed. A request passes if it was sent from a page of ours (its origin, and
//! a token that only our pages know), by somebody whose role suffices, with a form that is not too large.

use super::role::Role;
use crate::guard::Origins;
use crate::problem::Problem;
use crate::site::Site;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{CONTENT_TYPE, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use std::sync::Arc;
use url::form_urlencoded;

/// The field of a form with the token.
pub(crate) const TOKEN: &str = "token";
/// The header with the token, for programs.
const TOKEN_HEADER: &str = "x-auslese-token";
/// Fields of a form.
const MAX_FIELDS: usize = 10_000;

/// Who does something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Actor {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// What their forms carry.
    pub(crate) token: String,
    /// Without an account, because they are on this machine.
    pub(crate) is_local: bool,
}

/// What has to be shown before a form is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing is changed: anybody may send it.
    Nothing,
    Role(Role),
}

/// The fields of a form, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filled(Vec<(String, String)>);

impl From<Vec<(String, String)>> for Filled {
    fn from(fields: Vec<(String, String)>) -> Filled {
        Filled(fields)
    }
}

impl Filled {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The value without spaces around it; none if nothing is left.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.get(name).map(str::trim).filter(|text| !text.is_empty())
    }

    pub(crate) fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Lets a request through to what changes something, or does not.
pub(crate) async fn acting(
    State((site, needs)): State<(Arc<Site>, Needs)>,
    request: Request,
    next: Next,
) -> Response {
    match admit(&site, needs, request).await {
        Ok(request) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

async fn admit(site: &Site, needs: Needs, request: Request) -> Result<Request, Problem> {
    let (mut parts, body) = request.into_parts();
    if !is_from_our_pages(site, &parts.headers) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "This form was not sent from a page of this site. Behind a proxy, set `serve.public_origin`.",
            "Dieses Formular kam nicht von einer Seite von hier. Hinter einem Proxy ist `serve.public_origin` zu setzen.",
        ));
    }
    let actor = site.access.actor(&parts.headers);
    if let Needs::Role(role) = needs {
        let actor = actor.as_ref().ok_or_else(log_in_first)?;
        if actor.role < role {
            return Err(not_your_role(role));
        }
    }
    let filled = read_form(&parts, body, site.settings.form_bytes).await?;
    if let (Needs::Role(_), Some(actor)) = (needs, &actor) {
        let header = parts.headers.get(TOKEN_HEADER).and_then(|value| value.to_str().ok());
        let token = filled.get(TOKEN).or(header).unwrap_or_default();
        if !is_equal(token.as_bytes(), actor.token.as_bytes()) {
            return Err(Problem::new(
                StatusCode::FORBIDDEN,
                "This form is too old or not from here. Open its page again.",
                "Dieses Formular ist zu alt oder nicht von hier. Öffnen Sie die Seite noch einmal.",
            ));
        }
    }
    if let Some(actor) = actor {
        parts.extensions.insert(actor);
    }
    parts.extensions.insert(filled);
    Ok(Request::from_parts(parts, Body::empty()))
}

fn log_in_first() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "Log in to change something.",
        "Melden Sie sich an, um etwas zu ändern.",
    )
}

fn not_your_role(role: Role) -> Problem {
    Problem::new(
        StatusCode::FORBIDDEN,
        &format!("This takes an account with the role {role}."),
        &format!("Dazu braucht es ein Konto mit der Rolle {role}."),
    )
}

/// Browsers say from where a form is sent; programs that are no browsers say nothing, and carry nobody's cookies.
fn is_from_our_pages(site: &Site, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    origin.to_str().is_ok_and(|origin| origin == Origins::of(&site.settings, headers).pages)
}

async fn read_form(parts: &Parts, body: Body, limit: usize) -> Result<Filled, Problem> {
    let bytes = to_bytes(body, limit).await.map_err(|_| {
        Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "This form is too large.",
            "Dieses Formular ist zu groß.",
        )
        .detail(format!("at most {limit} bytes"))
    })?;
    let kind = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    let fields = match kind.to_ascii_lowercase().as_str() {
        "application/x-www-form-urlencoded" | "" => {
            form_urlencoded::parse(&bytes).into_owned().take(MAX_FIELDS + 1).collect()
        }
        "application/json" => json_fields(&bytes).ok_or_else(|| {
            Problem::bad_request(
                "The body is no JSON object of plain values.",
                "Der Inhalt ist kein JSON-Objekt mit einfachen Werten.",
            )
        })?,
        _ => {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Forms are sent as application/x-www-form-urlencoded or application/json.",
                "Formulare kommen als application/x-www-form-urlencoded oder application/json.",
            ));
        }
    };
    if fields.len() > MAX_FIELDS {
        return Err(Problem::bad_request(
            "This form has too many fields.",
            "Dieses Formular hat zu viele Felder.",
        ));
    }
    Ok(Filled(fields))
}

/// An object as the fields of a form; a list is a field that is repeated.
fn json_fields(bytes: &[u8]) -> Option<Vec<(String, String)>> {
    fn plain(value: &Value) -> Option<String> {
        match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            _ => None,
        }
    }
    let Value::Object(object) = serde_json::from_slice(bytes).ok()? else { return None };
    let mut fields = Vec::new();
    for (name, value) in object {
        match value {
            Value::Null => {}
            Value::Array(values) => {
                for value in values {
                    fields.push((name.clone(), plain(&value)?));
                }
            }
            value => fields.push((name, plain(&value)?)),
        }
    }
    Some(fields)
}

/// Compares without telling by the time it takes where the difference is.
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

impl FromRequestParts<Arc<Site>> for Actor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Site>) -> Result<Actor, Problem> {
        parts.extensions.get().cloned().ok_or_else(log_in_first)
    }
}

impl FromRequestParts<Arc<Site>> for Filled {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Site>) -> Result<Filled, Problem> {
        Ok(parts.extensions.get().cloned().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_may_send_objects() {
        let fields = json_fields(br#"{"a": "x", "n": 3, "list": ["y", true], "none": null}"#);
        let filled = Filled(fields.unwrap());
        assert_eq!(
            (filled.get("a"), filled.get("n"), filled.get("none")),
            (Some("x"), Some("3"), None)
        );
        assert_eq!(filled.all("list").collect::<Vec<_>>(), ["y", "true"]);
        for bad in [&b"[]"[..], b"{\"a\": {}}", b"{\"a\": [[1]]}", b"\xff", b""] {
            assert_eq!(json_fields(bad), None);
        }
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(is_equal(b"abc", b"abc"));
        for other in [&b""[..], b"ab", b"abd", b"abcd"] {
            assert!(!is_equal(other, b"abc"));
        }
    }
}
