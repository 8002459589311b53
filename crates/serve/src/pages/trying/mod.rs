//! Trying out: somebody pastes a text or a page, or names a document, and sees what the program makes of it and why.
//!
//! Each kind of trial is a module with a [`Trial`], listed in [`TRIALS`]; it has fields of its own in the form, and its
//! outcome shows itself. What is tried on ([`matter`]) is read once for all of them. Everything pasted is a stranger's:
//! it is never shown as markup, output is bounded, and a trial has a place, a budget and a time. Nothing is stored.

mod asked;
mod hel;
mod keyphrases;
mod language;
mod matter;
mod metadata;
mod page;
mod tools;

pub(crate) use tools::Tools;

use crate::access::Filled;
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{PageForm, View};
use asked::Asked;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use matter::{Matter, Source};
use maud::Markup;
use page::TryPage;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;

/// One kind of trial: the fields it adds to the form, what it does, and how it is called.
trait Trial: Sync {
    /// Its name in forms, addresses and JSON.
    fn name(&self) -> &'static str;
    fn title(&self, view: &View) -> &'static str;
    /// Its own fields of the form.
    fn controls(&self, view: &View, asked: &Asked) -> Markup;
    /// Does it. Takes a processor: not for the threads that answer.
    fn run(&self, site: &Site, matter: &Matter, asked: &Asked) -> Box<dyn Outcome>;
}

/// What a trial found: bounded, for people and for programs.
trait Outcome: Send {
    fn value(&self) -> Value;
    /// In a few words, for who listens.
    fn summary(&self, view: &View) -> String;
    fn markup(&self, view: &View) -> Markup;
}

/// All kinds of trials, in the order of the page.
static TRIALS: [&dyn Trial; 4] =
    [&language::Language, &metadata::Metadata, &keyphrases::Keywords, &hel::Extraction];

/// Until all trials of one question must be done.
pub(crate) const TRIAL_TIME: Duration = Duration::from_secs(15);

pub(crate) async fn try_page(
    State(site): State<Arc<Site>>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    answer(&site, &view, Asked::new(parameters.into())).await
}

pub(crate) async fn try_out(
    State(site): State<Arc<Site>>,
    view: View,
    filled: Filled,
) -> Result<Response, Problem> {
    answer(&site, &view, Asked::new(filled)).await
}

async fn answer(site: &Arc<Site>, view: &View, asked: Asked) -> Result<Response, Problem> {
    let begun = Instant::now();
    let asked = Arc::new(asked);
    let source = matter::find(site, &asked).await?;
    let about = source.as_ref().map(Source::about);
    let tried = match tokio::time::timeout(TRIAL_TIME, tried(site, source, &asked)).await {
        Ok(tried) => tried?,
        Err(_) => return Err(too_long()),
    };
    let took_milliseconds = begun.elapsed().as_secs_f64() * 1000.0;
    let page = TryPage::new(site, asked.clone(), about, tried, took_milliseconds);
    Ok(match view.form {
        PageForm::Html if asked.wants_results_only() => {
            Html(page.results(view).into_string()).into_response()
        }
        _ => view.answer(&page),
    })
}

/// What came of it: what was read, and the outcome of each trial.
#[derive(Default)]
struct Tried {
    kind: Option<auslese_model::Format>,
    trouble: Option<String>,
    outcomes: Vec<(&'static dyn Trial, Box<dyn Outcome>)>,
    /// Why there are none.
    why_not: Option<String>,
}

/// Reads the matter and tries all that is wanted. The place is given back when the work is done, even if nobody waits
/// for it any more; so no more than so many trials run at a time, however long one takes.
async fn tried(
    site: &Arc<Site>,
    source: Option<Source>,
    asked: &Arc<Asked>,
) -> Result<Tried, Problem> {
    let place = site.tools.place().await?;
    let (same_site, asked, runtime) = (site.clone(), asked.clone(), Handle::current());
    site.work(move || {
        let _place = place;
        same_site.tools.prepare();
        let Some(source) = source else { return Ok(Tried::default()) };
        let matter = match source.read(&same_site, &runtime)? {
            Ok(matter) => matter,
            Err(why) => return Ok(Tried { why_not: Some(why), ..Tried::default() }),
        };
        let wanted = TRIALS.into_iter().filter(|trial| asked.wants(*trial));
        let outcomes = wanted.map(|trial| (trial, trial.run(&same_site, &matter, &asked)));
        Ok(Tried {
            kind: Some(matter.kind),
            outcomes: outcomes.collect(),
            trouble: matter.trouble,
            why_not: None,
        })
    })
    .await?
}

fn too_long() -> Problem {
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "That took too long and was given up. Try a shorter text, or simpler rules.",
        "Das dauerte zu lange und wurde aufgegeben. Versuchen Sie es mit einem kürzeren Text oder einfacheren Regeln.",
    )
}

/// A text in the quotation marks of the reader's language.
fn quoted(view: &View, text: &str) -> String {
    view.say(format!("“{text}”"), format!("„{text}“"))
}

/// A text that fits on a page; whole letters only.
fn shortened(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
