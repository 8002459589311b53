//! What can be done with a crawl: pause, resume, stop, exclude. Each is a note in the catalog and a line in the log of
//! changes. A form names the run it was made for, so that nothing happens to another crawl that runs by now.

use crate::access::{Actor, Filled};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::View;
use auslese_catalog::Run;
use auslese_harvest::{ask_to_stop, crawl_standing, parse_exclusion};
use auslese_model::Timestamp;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};
use std::sync::Arc;

/// Letters of a test.
const MAX_TEST: usize = 2_000;

pub(super) async fn pause(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    actor: Actor,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    leave(&site, &harvest, &view, &actor, &filled, "pause").await
}

pub(super) async fn resume(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    actor: Actor,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    leave(&site, &harvest, &view, &actor, &filled, "resume").await
}

async fn leave(
    site: &Site,
    harvest: &Harvest,
    view: &View,
    actor: &Actor,
    filled: &Filled,
    kind: &str,
) -> Result<Response, Problem> {
    let run = meant(harvest, filled).await?;
    harvest.catalog.write_control(kind, &json!({}), Timestamp::now()).await?;
    let subject = run.map_or("the next crawl".to_owned(), |run| format!("run {}", run.id.0));
    done(site, harvest, view, actor, Deed { kind, subject, detail: json!({}) }).await
}

pub(super) async fn stop(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    actor: Actor,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let Some(run) = meant(&harvest, &filled).await? else {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "No crawl is running, so there is nothing to stop.",
            "Es läuft kein Crawl, also ist nichts zu beenden.",
        ));
    };
    ask_to_stop(&harvest.catalog, run.id).await?;
    let subject = format!("run {}", run.id.0);
    done(&site, &harvest, &view, &actor, Deed { kind: "stop", subject, detail: json!({}) }).await
}

pub(super) async fn exclude(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    actor: Actor,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let test = filled.text("test").unwrap_or_default();
    let no_test = || {
        Problem::bad_request("This is no test of a scope rule.", "Das ist kein Test einer Regel.")
    };
    if test.len() > MAX_TEST {
        return Err(no_test());
    }
    // A note that the crawl cannot read would be dropped there without a word to us.
    parse_exclusion(test).map_err(|error| no_test().detail(error.to_string()))?;
    let number = harvest
        .catalog
        .write_control("exclude", &json!({ "test": test }), Timestamp::now())
        .await?;
    let deed =
        Deed { kind: "exclude", subject: test.to_owned(), detail: json!({ "note": number }) };
    done(&site, &harvest, &view, &actor, deed).await
}

struct Deed<'a> {
    kind: &'a str,
    subject: String,
    detail: Value,
}

async fn done(
    site: &Site,
    harvest: &Harvest,
    view: &View,
    actor: &Actor,
    deed: Deed<'_>,
) -> Result<Response, Problem> {
    harvest.log_change(actor, deed.kind, &deed.subject, deed.detail).await?;
    site.watches.forget(harvest);
    let place = if deed.kind == "exclude" { "#exclusions" } else { "" };
    Ok(view.done(&format!("/monitor/{}{place}", harvest.name)))
}

/// The run that lives; none if none does. Fails if the form was made for another.
async fn meant(harvest: &Harvest, filled: &Filled) -> Result<Option<Run>, Problem> {
    let standing = crawl_standing(&harvest.dir, &harvest.catalog).await?;
    let alive = standing.run.filter(|_| standing.state.is_alive());
    let named = filled.text("run");
    if named.is_some() && named != alive.as_ref().map(|run| run.id.0.to_string()).as_deref() {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            "The crawl that this was meant for has ended. Nothing was done; look how it stands now.",
            "Der Crawl, für den das gedacht war, ist zu Ende. Nichts wurde getan; sehen Sie nach, wie es jetzt steht.",
        ));
    }
    Ok(alive)
}
