//! One GET in its turn, with the little that is kept of the answer.

use super::Lookups;
use super::asked::Vain;
use auslese_crawl::Outcome;
use auslese_model::{Cause, CauseKind, Headers, Method, Origin, Request};
use auslese_net::{DecodeLimits, Net, Wanted, decode_content};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use url::Url;

/// An answer, decoded.
#[derive(Debug)]
pub(super) struct Got {
    pub(super) status: u16,
    pub(super) content_type: Option<String>,
    /// Where it redirects to.
    pub(super) location: Option<Url>,
    pub(super) body: Vec<u8>,
    /// There was more.
    pub(super) cut: bool,
}

impl Lookups {
    /// Waits for the server's turn and sends the request. An answer that says "later" (429, 503)
    /// gives the server a pause and is none.
    pub(super) async fn get(&self, net: &Net, url: &Url, until: Instant) -> Result<Got, Vain> {
        let Some(request) = Request::new(Method::Get, url.clone(), None) else {
            return Err(Vain::NoTurn(Cause::new(CauseKind::Url, url.to_string())));
        };
        let server = server_name(url);
        let turns = &self.shared.turns;
        turns.wait(&server, until).await.map_err(Vain::NoTurn)?;
        let extra = Headers::default();
        let fetched = timeout_at(until, net.fetch(&request, &extra, &|_| Wanted::Body)).await;
        let fetched = fetched.unwrap_or_else(|_| Err(too_late(self.shared.settings.question)));
        let exchange = fetched.map_err(|cause| {
            turns.failed(&server, &cause);
            Vain::NoAnswer(cause)
        })?;
        let response = &exchange.response;
        if matches!(response.status, 429 | 503) {
            let pause = turns.throttled(&server, Outcome::answered(&exchange).retry_after);
            let detail = format!("{server}: status {}", response.status);
            return Err(Vain::Throttled {
                cause: Cause::new(CauseKind::ServerBusy, detail),
                pause,
            });
        }
        turns.answered(&server);
        let bytes = net.settings().limits.body_bytes;
        let decoded = decode_content(response, DecodeLimits { bytes, ..DecodeLimits::default() });
        let location = response.headers.get("location").filter(|_| response.is_redirect());
        Ok(Got {
            status: response.status,
            content_type: response.headers.get("content-type"),
            location: location.and_then(|location| url.join(&location).ok()),
            cut: response.truncated.is_some() || decoded.bytes.len() as u64 >= bytes,
            body: decoded.bytes.into_owned(),
        })
    }
}

/// The server of a URL as questions name it: the host, and the port unless it is the usual one.
pub(super) fn server_name(url: &Url) -> String {
    match Origin::of(url) {
        Some(origin) if origin.has_default_port() => origin.host.to_string(),
        Some(origin) => format!("{}:{}", origin.host, origin.port),
        None => String::new(),
    }
}

pub(super) fn too_late(patience: Duration) -> Cause {
    Cause::new(CauseKind::Timeout, format!("no answer within {patience:?}"))
}
