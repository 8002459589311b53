//! What a request is answered: who asks, for which document, and whether there is something to hand out.
//!
//! Whoever may not ask learns nothing, not even which paths exist. One summary is made at a time; who comes
//! meanwhile is asked to come back. A summary that was begun is finished and kept also when its caller goes
//! away, so that impatient callers do not cost more than patient ones.

use super::conditional::{is_known, takes_gzip};
use super::outgoing::Outgoing;
use super::shelf::{Outcome, Shelf};
use crate::fragment::Fragment;
use crate::refusal::Refusal;
use crate::settings::{Caller, Denied};
use crate::summarizer::{Prepared, Summarizer};
use auslese_model::SOIF_MEDIA_TYPE;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use url::form_urlencoded;

/// How long a failed summary is not tried again.
pub const FAILURE_PAUSE: Duration = Duration::from_secs(60);

/// When to come back while another summary is being made.
const BUSY_PAUSE: Duration = Duration::from_secs(30);

/// Where requests are answered.
#[derive(Debug)]
pub(super) struct Desk {
    summarizer: Summarizer,
    shelf: Mutex<Shelf>,
    /// One summary at a time.
    turn: Arc<Semaphore>,
}

/// A refusal, and when it is worth asking again.
struct Unanswered {
    refusal: Arc<Refusal>,
    again: Option<Duration>,
}

impl From<Refusal> for Unanswered {
    fn from(refusal: Refusal) -> Unanswered {
        let again = matches!(refusal, Refusal::Busy).then_some(BUSY_PAUSE);
        Unanswered { refusal: Arc::new(refusal), again }
    }
}

impl Desk {
    pub(super) fn new(summarizer: Summarizer) -> Desk {
        let shelf = Shelf::new(summarizer.settings.limits.interval, FAILURE_PAUSE);
        Desk { summarizer, shelf: Mutex::new(shelf), turn: Arc::new(Semaphore::new(1)) }
    }

    pub(super) async fn answer(
        self: Arc<Self>,
        peer: IpAddr,
        request: Parts,
    ) -> Response<Outgoing> {
        let caller = match self.summarizer.settings.access.judge(peer, &request.headers) {
            Ok(caller) => caller,
            Err(denied) => return denial(denied),
        };
        if request.method != Method::GET && request.method != Method::HEAD {
            let mut response =
                text(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n".to_owned());
            set(&mut response, header::ALLOW, "GET, HEAD");
            return response;
        }
        if request.uri.path() != "/" {
            return text(StatusCode::NOT_FOUND, "not found\n".to_owned());
        }
        let config = config_of(request.uri.query().unwrap_or_default());
        let answered = match &config {
            Some(config) => self.fragment(config, &caller).await,
            None => Err(Refusal::NoConfig.into()),
        };
        let config = config.unwrap_or_default();
        match answered {
            Ok((fragment, left)) => {
                let response = hand_out(&fragment, left, &request.headers);
                let status = response.status().as_u16();
                tracing::info!(config, status, caller = %caller, "answered");
                response
            }
            Err(unanswered) => {
                let refusal = &unanswered.refusal;
                let (code, why) = (refusal.code(), refusal.with_causes());
                tracing::warn!(config, code, caller = %caller, "{why}");
                refused(&unanswered)
            }
        }
    }

    /// The fragment of a document, and how long it stays good.
    async fn fragment(
        self: Arc<Self>,
        config: &str,
        caller: &Caller,
    ) -> Result<(Fragment, Duration), Unanswered> {
        let (desk, name) = (self.clone(), config.to_owned());
        let preparing = tokio::task::spawn_blocking(move || desk.summarizer.prepare(&name));
        let prepared = preparing.await.map_err(|error| Refusal::Spool(error.into()))??;
        if let Some(kept) = self.look(&prepared) {
            return told(kept);
        }
        let Ok(turn) = self.turn.clone().try_acquire_owned() else {
            return Err(Refusal::Busy.into());
        };
        // Between looking and having the turn another may have made it.
        if let Some(kept) = self.look(&prepared) {
            return told(kept);
        }
        let (desk, caller) = (self.clone(), caller.clone());
        let work = tokio::spawn(async move {
            let made = desk.summarizer.run(&prepared, &caller).await.map_err(Arc::new);
            let mut shelf = desk.shelf.lock().unwrap_or_else(PoisonError::into_inner);
            let left = shelf.put(&prepared.path, prepared.digest, Instant::now(), made.clone());
            drop(shelf);
            drop(turn);
            (made, left)
        });
        told(work.await.map_err(|error| Refusal::Spool(error.into()))?)
    }

    fn look(&self, prepared: &Prepared) -> Option<(Outcome, Duration)> {
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.look(&prepared.path, &prepared.digest, Instant::now())
    }
}

fn told((outcome, left): (Outcome, Duration)) -> Result<(Fragment, Duration), Unanswered> {
    match outcome {
        Ok(fragment) => Ok((fragment, left)),
        Err(refusal) => Err(Unanswered { refusal, again: Some(left) }),
    }
}

/// The only `config` of a query.
fn config_of(query: &str) -> Option<String> {
    let mut named = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == "config");
    let config = named.next()?.1.into_owned();
    named.next().is_none().then_some(config)
}

/// Says nothing but that.
fn denial(denied: Denied) -> Response<Outgoing> {
    match denied {
        Denied::Address(address) => {
            tracing::warn!(%address, "denied: the address is not allowed");
            text(StatusCode::FORBIDDEN, "forbidden\n".to_owned())
        }
        Denied::Credentials(address) => {
            tracing::warn!(%address, "denied: no token that is known");
            let mut response = text(StatusCode::UNAUTHORIZED, "unauthorized\n".to_owned());
            set(&mut response, header::WWW_AUTHENTICATE, "Bearer, Basic realm=\"summarizer\"");
            response
        }
    }
}

fn refused(unanswered: &Unanswered) -> Response<Outgoing> {
    let refusal = &unanswered.refusal;
    let status =
        StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = text(status, format!("{}: {refusal}\n", refusal.code()));
    if let Some(again) = unanswered.again {
        set(&mut response, header::RETRY_AFTER, &again.as_secs().max(1).to_string());
    }
    response
}

fn hand_out(fragment: &Fragment, left: Duration, headers: &HeaderMap) -> Response<Outgoing> {
    let is_packed = takes_gzip(headers);
    let (stored, mark) = if is_packed { (&fragment.gzip, "-gzip") } else { (&fragment.plain, "") };
    let etag = format!("\"{}{mark}\"", fragment.digest);
    let mut response = Response::new(Outgoing::text(String::new()));
    set(&mut response, header::ETAG, &etag);
    set(&mut response, header::VARY, "Accept-Encoding");
    set(&mut response, header::CACHE_CONTROL, &format!("private, max-age={}", left.as_secs()));
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    if is_known(headers, &etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    set(&mut response, header::CONTENT_TYPE, &format!("{SOIF_MEDIA_TYPE}; charset=utf-8"));
    set(&mut response, header::CONTENT_LENGTH, &stored.length().to_string());
    if is_packed {
        set(&mut response, header::CONTENT_ENCODING, "gzip");
    }
    *response.body_mut() = Outgoing::fragment(stored.clone());
    response
}

fn text(status: StatusCode, words: String) -> Response<Outgoing> {
    let mut response = Response::new(Outgoing::text(words));
    *response.status_mut() = status;
    set(&mut response, header::CONTENT_TYPE, "text/plain; charset=utf-8");
    set(&mut response, header::CACHE_CONTROL, "no-store");
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    response
}

fn set(response: &mut Response<Outgoing>, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}
