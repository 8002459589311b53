//! The rules of the corpus: those in force, others to try, and what these would change, document by document, before
//! anything is changed.
//!
//! Rules are applied in two steps that each hold by themselves: the configuration is changed, and the corpus is judged
//! again by the same stage as `auslese corpus`. If a crawl has the harvest, the second step waits for a person.

mod form;
mod preview;

use super::listing::choose;
use super::steering;
use crate::access::{Actor, Filled, Role};
use crate::judging::Judging;
use crate::look::{Section, breadcrumbs};
use crate::problem::Problem;
use crate::routes::Route;
use crate::site::{Harvest, Site};
use crate::steering::{Configuration, CorpusSetup};
use crate::view::{Page, View};
use auslese_corpus::CorpusRules;
use auslese_harvest::CorpusProgress;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use form::Fields;
use maud::{Markup, html};
use preview::{Shown, Trial, read_preview};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;

const RULES: &[(&str, &str)] = &[
    ("mime_types", "Media types that are kept, with spaces between"),
    ("unwanted_suffixes", "Endings of addresses that are left"),
    ("max_size", "Bytes beyond which documents are left; empty for any"),
    ("ports", "Ports whose documents are kept"),
    ("languages", "Languages that are kept"),
    ("unclear_language", "keep or leave"),
    ("not_classified", "keep or leave"),
    ("duplicates", "keep or leave"),
    ("near_duplicates", "keep or leave"),
    ("near_threshold", "How alike, of 1, near copies are"),
    ("template_pages", "keep or leave"),
    ("template_size", "From how many pages on a template counts"),
    ("keep", "Patterns of addresses that are kept"),
    ("leave", "Patterns of addresses that are left"),
];

/// The addresses of the rules.
pub(crate) fn rules_routes() -> Vec<Route> {
    vec![
        Route::page("/rules", "The harvests, to see one's corpus rules", &[], get(choose)),
        Route::page(
            "/rules/{harvest}",
            "The corpus rules in force, and what others would change",
            RULES,
            get(rules),
        ),
        Route::act(
            "/rules/{harvest}/apply",
            "Write rules into the configuration and judge the corpus by them",
            Role::Admin,
            RULES,
            post(apply),
        ),
        Route::act(
            "/rules/{harvest}/judge",
            "Judge the corpus again by the rules in force",
            Role::Admin,
            &[],
            post(judge_again),
        ),
    ]
}

#[derive(Debug, Serialize)]
struct RulesPage {
    harvest: String,
    title: String,
    /// As the configuration says.
    in_force: CorpusRules,
    /// Those that are looked at.
    rules: CorpusRules,
    changed: Vec<&'static str>,
    /// What would change; none while it is being counted, or if the rules cannot be.
    preview: Option<Shown>,
    /// Why these cannot be rules.
    problem: Option<String>,
    /// The same rules for the configuration file.
    lines: Option<String>,
    judging: Option<JudgingShown>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
enum JudgingShown {
    Working(CorpusProgress),
    Done { documents: u64, kept: u64 },
    InUse,
    Failed { words: String },
}

async fn rules(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let (configuration, setup) = setup(&site, &harvest, &view).await?;
    let fields = Fields::of_query(&parameters);
    let (rules, mut problem) = match fields.rules(&setup.rules) {
        Ok(rules) => (rules, None),
        Err((english, german)) => (setup.rules.clone(), Some(view.say(english, german))),
    };
    let changed = form::changed(&setup.rules, &rules);
    let mut lines = None;
    if !changed.is_empty() {
        let (asked, wanted) = (configuration.clone(), rules.clone());
        match site.work(move || asked.corpus_lines(&wanted)).await? {
            Ok(text) => lines = Some(text),
            Err(words) => problem = Some(words),
        }
    }
    let trial = match &problem {
        None => read_preview(&site, &harvest, &rules, &setup.storing).await?,
        Some(_) => Trial::Impossible,
    };
    let is_counting = matches!(trial, Trial::Counting);
    let judging = site.judges.state(&harvest.name).map(|it| JudgingShown::of(it, &view));
    let is_working = matches!(judging, Some(JudgingShown::Working(_)));
    let page = RulesPage {
        harvest: harvest.name.clone(),
        title: harvest.title.clone(),
        in_force: setup.rules,
        rules,
        changed,
        preview: trial.shown(&harvest.name),
        problem,
        lines,
        judging,
    };
    let mut response = view.answer(&page);
    if is_counting || is_working {
        // The page comes back by itself.
        let refresh = HeaderName::from_static("refresh");
        response.headers_mut().insert(refresh, HeaderValue::from_static("1"));
    }
    Ok(response)
}

/// The configuration as it is now.
async fn setup(
    site: &Site,
    harvest: &Harvest,
    view: &View,
) -> Result<(Arc<dyn Configuration>, CorpusSetup), Problem> {
    let Some(configuration) = harvest.configuration.clone() else {
        return Err(Problem::not_found(
            "The configuration of this harvest is not known here.",
            "Die Konfiguration dieser Ernte ist hier nicht bekannt.",
        ));
    };
    let asked = configuration.clone();
    let setup = site.work(move || asked.corpus()).await?;
    let setup = setup.map_err(|words| view.inside(unreadable(), words))?;
    Ok((configuration, setup))
}

fn unreadable() -> Problem {
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "The configuration of this harvest cannot be used as it is.",
        "Die Konfiguration dieser Ernte ist so nicht zu gebrauchen.",
    )
}

async fn apply(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    actor: Actor,
    filled: Filled,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let (configuration, setup) = setup(&site, &harvest, &view).await?;
    let fields = Fields::of_form(&filled);
    if !fields.has_rules() {
        return Err(Problem::bad_request("No rules were sent.", "Es kamen keine Regeln."));
    }
    let rules = fields.rules(&setup.rules);
    let rules = rules.map_err(|(english, german)| Problem::bad_request(&english, &german))?;
    let changed = form::changed(&setup.rules, &rules);
    if !changed.is_empty() {
        let (asked, wanted) = (configuration.clone(), rules.clone());
        let written = site.work(move || asked.set_corpus(&wanted)).await?;
        written.map_err(|words| {
            Problem::bad_request(
                "These rules could not be written into the configuration. Nothing was changed.",
                "Diese Regeln ließen sich nicht in die Konfiguration schreiben. Nichts wurde geändert.",
            )
            .detail(words)
        })?;
        let values =
            changed.iter().map(|name| ((*name).to_owned(), json!(form::written(&rules, name))));
        let detail = serde_json::Value::Object(values.collect());
        harvest.log_change(&actor, "corpus-rules", &changed.join(" "), detail).await?;
    }
    site.judges.begin(&harvest, &configuration, site.leaving.subscribe());
    Ok(view.done(&format!("/rules/{}", harvest.name)))
}

async fn judge_again(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    view: View,
    actor: Actor,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&name)?;
    let (configuration, _) = setup(&site, &harvest, &view).await?;
    if site.judges.begin(&harvest, &configuration, site.leaving.subscribe()) {
        harvest.log_change(&actor, "judge-corpus", &harvest.name, json!({})).await?;
    }
    Ok(view.done(&format!("/rules/{}", harvest.name)))
}

impl JudgingShown {
    fn of(judging: Judging, view: &View) -> JudgingShown {
        match judging {
            Judging::Working(progress) => JudgingShown::Working(progress),
            Judging::Done(report) => JudgingShown::Done {
                documents: report.documents(),
                kept: report.with(auslese_model::Keeping::Kept),
            },
            Judging::InUse => JudgingShown::InUse,
            // Why is for those who look after the harvest.
            Judging::Failed(_) if !view.may(Role::Editor) => {
                JudgingShown::Failed { words: String::new() }
            }
            Judging::Failed(words) => JudgingShown::Failed { words },
        }
    }

    fn shown(&self, view: &View) -> Markup {
        let number = |number: u64| view.tongue.number(number);
        html! {
            @match self {
                JudgingShown::Working(progress) => p .note role="status" {
                    (view.say("The corpus is being judged: ", "Das Korpus wird beurteilt: ")) (number(progress.done)) (view.say(" of ", " von ")) (number(progress.of)) "."
                },
                JudgingShown::Done { documents, kept } => p .soft role="status" {
                    (view.say("The corpus was judged by the rules in force: ", "Das Korpus wurde nach den geltenden Regeln beurteilt: ")) strong #kept-now { (number(*kept)) } (view.say(" of ", " von ")) (number(*documents))
                    (view.say(" are kept. ", " sind darin. ")) code { "auslese search index" } (view.say(" brings the search up to date.", " bringt die Suche auf diesen Stand."))
                },
                JudgingShown::InUse => p .note role="status" {
                    (view.say("The rules are written, but another command has the harvest, so the corpus was not judged. Do it when that has ended.", "Die Regeln sind geschrieben, aber ein anderer Befehl hat die Ernte; das Korpus wurde nicht beurteilt. Holen Sie es nach, wenn er fertig ist."))
                },
                JudgingShown::Failed { words } => p .note .wrong role="alert" { (view.say("The corpus could not be judged: ", "Das Korpus ließ sich nicht beurteilen: ")) span lang="en" { (words) } },
            }
        }
    }
}

impl Page for RulesPage {
    fn section(&self) -> Section {
        Section::Monitor
    }

    fn title(&self, view: &View) -> String {
        format!("{} – {}", self.title, view.say("Corpus rules", "Korpusregeln"))
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            @if view.site.harvests.len() > 1 { (breadcrumbs(view, &[(view.say("Harvests", "Ernten").to_owned(), "/rules".to_owned())], &self.title)) }
            (steering::top(view, &self.harvest, &self.title, "rules"))
            @if let Some(judging) = &self.judging { (judging.shown(view)) }
            (self.outcome(view))
            h2 { (view.say("The rules", "Die Regeln")) }
            p .soft { (view.say("The archive keeps everything; these rules say which documents belong to the corpus. Change them here to see what would change; nothing is written by that.", "Das Archiv behält alles; diese Regeln sagen, welche Dokumente zum Korpus gehören. Ändern Sie sie hier, um zu sehen, was anders würde; geschrieben wird dabei nichts.")) }
            form action={ "/rules/" (self.harvest) } {
                (form::inputs(view, &self.rules, &self.in_force))
                p .deeds {
                    button { (view.say("Show what would change", "Zeigen, was anders würde")) }
                    @if !self.changed.is_empty() { a .button .plain href={ "/rules/" (self.harvest) } { (view.say("Back to the rules in force", "Zurück zu den geltenden Regeln")) } }
                }
            }
        }
    }
}

impl RulesPage {
    /// What would change, and how to make it so.
    fn outcome(&self, view: &View) -> Markup {
        let is_trial = !self.changed.is_empty();
        html! {
            @if let Some(problem) = &self.problem {
                p .note .wrong role="alert" { (view.say("These cannot be rules: ", "Das können keine Regeln sein: ")) (problem) }
            } @else {
                h2 { (if is_trial { view.say("What these rules would change", "Was diese Regeln ändern würden") } else { view.say("The corpus by the rules in force", "Das Korpus nach den geltenden Regeln") }) }
                @match &self.preview {
                    None => p .note role="status" { (view.say("This is being counted; the page comes back by itself.", "Das wird gerade gezählt; die Seite kommt von selbst wieder.")) },
                    Some(preview) => (preview.body(view, is_trial)),
                }
                @if is_trial { (self.way(view)) }
                @else if self.preview.as_ref().is_some_and(Shown::is_outdated) && view.may(Role::Admin) && !matches!(self.judging, Some(JudgingShown::Working(_))) {
                    (view.act_form(&format!("/rules/{}/judge", self.harvest), Role::Admin, &html! { button { (view.say("Judge the corpus by these rules", "Das Korpus nach diesen Regeln beurteilen")) } }))
                }
            }
        }
    }

    fn way(&self, view: &View) -> Markup {
        html! {
            @if view.may(Role::Admin) {
                (view.act_form(&format!("/rules/{}/apply", self.harvest), Role::Admin, &html! {
                    (form::hidden(&self.rules))
                    button { (view.say("Write these rules and judge the corpus by them", "Diese Regeln schreiben und das Korpus danach beurteilen")) }
                }))
            }
            @if let Some(lines) = &self.lines {
                details open[!view.may(Role::Admin)] {
                    summary { (view.say("By hand: the lines for auslese.toml, and the command", "Von Hand: die Zeilen für auslese.toml und der Befehl")) }
                    pre { (lines) }
                    pre { "auslese corpus --dir …" }
                }
            }
        }
    }
}
