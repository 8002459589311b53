//! The monitor live: server-sent events for those who watch.
//!
//! Every second the harvest is looked at, once for all; what changed is sent as the parts of the page that the server
//! made anew, so the script only puts them in their places. A sign comes now and then even if nothing changes: whoever
//! hears nothing for long knows that the connection is gone. A stream ends after a while, and browsers open another.

use super::moment::Moment;
use super::shown::PARTS;
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::{PageForm, View};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::Instant;

/// How often the harvest is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How often a sign comes if nothing changes.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How long a stream lasts.
const STREAM_LIFE: Duration = Duration::from_secs(3600);
/// When a browser tries again after a stream has ended, in milliseconds.
const RETRY: u32 = 2_000;

pub(super) async fn live(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let Ok(place) = site.watches.streams.clone().try_acquire_owned() else {
        return Ok(too_many());
    };
    let (sender, frames) = mpsc::channel(2);
    tokio::spawn(tell(Telling { site, harvest, view, sender, _place: place }));
    let mut response = Body::new(Events { frames }).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A proxy must not gather events.
    let unbuffered = HeaderName::from_static("x-accel-buffering");
    headers.insert(unbuffered, HeaderValue::from_static("no"));
    Ok(response)
}

fn too_many() -> Response {
    let problem = Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "Too many readers watch live at the moment. Reload the page to see how it goes on.",
        "Gerade sehen zu viele live zu. Laden Sie die Seite neu, um zu sehen, wie es weitergeht.",
    );
    let mut response = problem.into_response();
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("30"));
    response
}

/// One who watches.
struct Telling {
    site: Arc<Site>,
    harvest: Arc<Harvest>,
    view: View,
    sender: mpsc::Sender<Bytes>,
    _place: OwnedSemaphorePermit,
}

/// Tells until nobody listens, the server ends, or the stream is old.
async fn tell(telling: Telling) {
    let Telling { site, harvest, view, sender, _place } = &telling;
    let mut leaving = site.leaving.subscribe();
    let (begun, mut last_frame) = (Instant::now(), Instant::now());
    let mut known = Known::default();
    let mut every = tokio::time::interval(LOOK_EVERY);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    if sender.send(Bytes::from(format!("retry: {RETRY}\n\n"))).await.is_err() {
        return;
    }
    while begun.elapsed() < STREAM_LIFE {
        tokio::select! {
            _ = every.tick() => {}
            _ = leaving.wait_for(|is_leaving| *is_leaving) => return,
            () = sender.closed() => return,
        }
        let frame = match site.watches.look(harvest).await {
            Ok(look) => known.news(view, &Moment::of(harvest, &look)),
            Err(problem) => known.trouble(view, &problem),
        };
        let frame = match frame {
            Some(frame) => frame,
            None if last_frame.elapsed() >= HEARTBEAT => {
                ": heartbeat\nevent: beat\ndata: {}\n\n".to_owned()
            }
            None => continue,
        };
        last_frame = Instant::now();
        if sender.send(Bytes::from(frame)).await.is_err() {
            return;
        }
    }
}

/// The name under which trouble is remembered.
const TROUBLE: &str = "trouble";

/// What the one who watches has been told.
#[derive(Default)]
struct Known {
    parts: HashMap<&'static str, String>,
    whole: Option<Value>,
}

impl Known {
    fn news(&mut self, view: &View, moment: &Moment) -> Option<String> {
        if view.form == PageForm::Json {
            let whole = serde_json::to_value(moment).ok()?;
            let data = whole.to_string();
            return (self.whole.replace(whole.clone()) != Some(whole))
                .then(|| event("moment", &data));
        }
        self.parts.remove(TROUBLE);
        let mut changed = Map::new();
        for (name, make) in PARTS {
            let made = make(view, moment).into_string();
            if self.parts.get(name) != Some(&made) {
                changed.insert(name.to_owned(), Value::String(made.clone()));
                self.parts.insert(name, made);
            }
        }
        (!changed.is_empty()).then(|| event("moment", &json!({ "parts": changed }).to_string()))
    }

    /// Nothing can be shown: that is said, once.
    fn trouble(&mut self, view: &View, problem: &Problem) -> Option<String> {
        let words = view.say(&problem.english, &problem.german).clone();
        if self.parts.get(TROUBLE) == Some(&words) {
            return None;
        }
        // When it is over, everything is told again.
        self.parts = HashMap::from([(TROUBLE, words.clone())]);
        Some(event(TROUBLE, &json!({ "words": words }).to_string()))
    }
}

/// JSON has no line ends, so one line holds it.
fn event(name: &str, data: &str) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

struct Events {
    frames: mpsc::Receiver<Bytes>,
}

impl HttpBody for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.frames.poll_recv(context).map(|frame| frame.map(|bytes| Ok(Frame::data(bytes))))
    }
}
