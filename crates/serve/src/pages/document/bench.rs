//! A document on the test bench: what a run said of it, with forms to label it, and the source or the page beside it.

use super::layout::{ShownLayout, page_of};
use super::source::SourceTab;
use super::statements::rule_name;
use super::subject::Subject;
use super::{page_tab, words};
use crate::access::Role;
use crate::guard::Origins;
use crate::look::{Section, breadcrumbs, empty_note, weight_bar};
use crate::problem::Problem;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_catalog::{MarkFilter, StoredMark};
use auslese_model::{Field, Format, FoundAt, MarkKind, RequestId, RunId, Statement};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Marks of one document that are looked at.
const MAX_MARKS: usize = 1_000;
/// Statements of a field that are shown.
const SHOWN: usize = 50;

#[derive(Debug, Serialize)]
struct OnBench {
    harvest: String,
    title: String,
    run: i64,
    request: i64,
    url: String,
    /// None if the run did not describe it.
    statements: Option<Vec<Said>>,
    marks: Vec<Marked>,
    side: Beside,
    #[serde(skip)]
    format: Option<Format>,
    #[serde(skip)]
    source: Option<SourceTab>,
    #[serde(skip)]
    layout: Option<Result<ShownLayout, String>>,
    #[serde(skip)]
    replay: Option<String>,
}

/// What stands beside the statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Beside {
    Source,
    Page,
}

#[derive(Debug, Serialize)]
struct Said {
    number: usize,
    #[serde(flatten)]
    statement: Statement,
    mark: Option<MarkKind>,
}

#[derive(Debug, Serialize)]
struct Marked {
    number: i64,
    kind: MarkKind,
    field: Option<Field>,
    value: Option<String>,
    by: String,
}

pub(crate) async fn on_bench(
    State(site): State<Arc<Site>>,
    view: View,
    headers: HeaderMap,
    Path((harvest, run, request)): Path<(String, String, String)>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let harvest = site.harvest(&harvest)?;
    let no_run = || {
        Problem::not_found(
            "There is no such run in this harvest.",
            "Diesen Lauf gibt es in dieser Ernte nicht.",
        )
    };
    let run = RunId(run.parse().map_err(|_| no_run())?);
    if harvest.catalog.describe_runs().await?.iter().all(|known| known.run != run) {
        return Err(no_run());
    }
    let request = RequestId(request.parse().unwrap_or(0));
    let subject = Subject::of_run(harvest.clone(), request, run, parameters).await?;
    let filter = MarkFilter { request: Some(request), ..MarkFilter::default() };
    let marks = harvest.catalog.marks(&filter, 0, MAX_MARKS).await?;
    let format = subject.format();
    let side = match (subject.parameter("side"), format) {
        (Some("page"), _) | (None, Some(Format::Paper)) => Beside::Page,
        _ => Beside::Source,
    };
    let description = subject.described.as_ref().map(|listed| &listed.described.description);
    let mut page = OnBench {
        harvest: harvest.name.clone(),
        title: subject.title(),
        run: run.0,
        request: request.0,
        url: subject.request.url.clone(),
        statements: description.map(|it| said(&it.statements, &marks)),
        marks: marks.into_iter().map(marked).collect(),
        side,
        format,
        source: None,
        layout: None,
        replay: None,
    };
    match (side, format, subject.standing().cloned()) {
        (Beside::Source, ..) => page.source = Some(SourceTab::of(&site, &subject).await?),
        (Beside::Page, Some(Format::Paper), Some(capture)) => {
            page.layout = Some(page_tab::layout(&site, &subject, &capture).await?);
        }
        (Beside::Page, _, capture) => {
            let origin = Origins::of(&site.settings, &headers).replay;
            page.replay =
                capture.map(|capture| page_tab::replay_address(&origin, &subject, &capture));
        }
    }
    Ok(view.answer(&page))
}

fn said(statements: &[Statement], marks: &[StoredMark]) -> Vec<Said> {
    let mark_of = |statement: &Statement| {
        let fits = |it: &&StoredMark| {
            it.mark.field == Some(statement.field)
                && it.mark.value.as_deref() == Some(&statement.value)
        };
        marks.iter().find(fits).map(|it| it.mark.kind)
    };
    let chosen = statements.iter().enumerate().filter(|(_, it)| it.chosen);
    chosen
        .map(|(number, statement)| Said {
            number,
            mark: mark_of(statement),
            statement: statement.clone(),
        })
        .collect()
}

fn marked(StoredMark { id, mark, .. }: StoredMark) -> Marked {
    Marked { number: id, kind: mark.kind, field: mark.field, value: mark.value, by: mark.by }
}

impl Page for OnBench {
    fn section(&self) -> Section {
        Section::Bench
    }

    fn title(&self, _: &View) -> String {
        self.title.clone()
    }

    fn body(&self, view: &View) -> Markup {
        let steps = [
            (view.say("Test bench", "Prüfstand").to_owned(), format!("/bench/{}", self.harvest)),
            (
                format!("{} {}", view.say("Run", "Lauf"), self.run),
                format!("/bench/{}/run/{}", self.harvest, self.run),
            ),
        ];
        html! {
            (breadcrumbs(view, &steps, &self.title))
            h1 { (self.title) }
            p .address .breaks { a href={ "/doc/" (self.harvest) "/" (self.request) } { (self.url) } }
            (self.relevance(view))
            div .bench .two {
                section { (self.said(view)) }
                section aria-label=(view.say("The document", "Das Dokument")) { (self.beside(view)) }
            }
        }
    }
}

impl OnBench {
    fn here(&self) -> String {
        let side = match self.side {
            Beside::Source => "source",
            Beside::Page => "page",
        };
        format!("/bench/{}/run/{}/doc/{}?side={side}", self.harvest, self.run, self.request)
    }

    /// A form of the bench; what every mark carries is in it.
    fn mark_form(&self, view: &View, back: &str, fields: &Markup) -> Markup {
        let all = html! {
            input type="hidden" name="request" value=(self.request);
            input type="hidden" name="run" value=(self.run);
            input type="hidden" name="back" value={ (self.here()) (back) };
            (fields)
        };
        view.act_form(&format!("/bench/{}/mark", self.harvest), Role::Editor, &all)
    }

    fn relevance(&self, view: &View) -> Markup {
        let said = self.marks.iter().rev().find(|mark| mark.field.is_none());
        html! {
            div .acts {
                @if let Some(said) = said {
                    @let (colour, name) = words::mark(view, said.kind);
                    span class={ "tag " (colour) } { (name) }
                }
                (self.mark_form(view, "", &html! {
                    button .plain type="submit" name="kind" value="relevant" { (view.say("Of interest", "Von Interesse")) }
                    button .plain type="submit" name="kind" value="irrelevant" { (view.say("Of no interest", "Ohne Interesse")) }
                }))
            }
        }
    }

    fn said(&self, view: &View) -> Markup {
        let Some(statements) = &self.statements else {
            return empty_note(view.say(
                "This run did not describe the document.",
                "Dieser Lauf hat das Dokument nicht beschrieben.",
            ));
        };
        html! {
            @for field in Field::ALL {
                @let of_field: Vec<&Said> = statements.iter().filter(|it| it.statement.field == field).collect();
                @let marks: Vec<&Marked> = self.marks.iter().filter(|it| it.field == Some(field)).collect();
                @if !of_field.is_empty() || !marks.is_empty() || view.may(Role::Editor) {
                    @let is_quiet = of_field.is_empty() && marks.is_empty();
                    details .field open[!is_quiet] #{ "f-" (field.as_str()) } {
                        summary { (words::field(view, field)) " " span .soft { (of_field.len()) } }
                        @for it in of_field.iter().take(SHOWN) { (self.row(view, it)) }
                        (self.further(view, field, &marks, &of_field))
                    }
                }
            }
        }
    }

    fn row(&self, view: &View, said: &Said) -> Markup {
        let statement = &said.statement;
        html! {
            div .said-row #{ "s" (said.number) } {
                p .words { (statement.value)
                    @if let Some(mark) = said.mark { @let (colour, name) = words::mark(view, mark); " " span class={ "tag " (colour) } { (name) } }
                }
                p .soft {
                    (weight_bar(view, statement.weight)) " "
                    @if let Some(rule) = statement.rules.first() { (rule_name(rule)) } " "
                    (self.place(view, said))
                }
                (self.mark_form(view, &format!("#s{}", said.number), &html! {
                    input type="hidden" name="field" value=(statement.field.as_str());
                    input type="hidden" name="value" value=(statement.value);
                    button .plain type="submit" name="kind" value="right" aria-label={ (view.say("Right: ", "Richtig: ")) (statement.value) } { (view.say("Right", "Richtig")) }
                    button .plain type="submit" name="kind" value="wrong" aria-label={ (view.say("Wrong: ", "Falsch: ")) (statement.value) } { (view.say("Wrong", "Falsch")) }
                }))
            }
        }
    }

    /// Where it was found; the way there stays on this page.
    fn place(&self, view: &View, said: &Said) -> Markup {
        let Some(place) = &said.statement.place else { return html! {} };
        let here = match (place, self.format) {
            (FoundAt::Path(_), Some(Format::Html)) => Some("?side=source".to_owned()),
            (FoundAt::Path(path), Some(Format::Paper)) => {
                page_of(path).map(|page| format!("?side=page&page={page}"))
            }
            _ => None,
        };
        let words = words::place(view, place);
        html! {
            @match here {
                Some(here) => a href={ (here) "#m" (said.number) } title=(place) { (words) },
                None => span title=(place) { (words) },
            }
        }
    }

    /// What people say of the field, and forms for what the run did not find.
    fn further(&self, view: &View, field: Field, marks: &[&Marked], said: &[&Said]) -> Markup {
        let is_said = |value: &Option<String>| {
            said.iter().any(|it| value.as_deref() == Some(it.statement.value.as_str()))
        };
        let id = format!("missing-{}", field.as_str());
        let back = format!("#f-{}", field.as_str());
        html! {
            @for mark in marks.iter().filter(|mark| !is_said(&mark.value)) {
                @let (colour, name) = words::mark(view, mark.kind);
                p { span class={ "tag " (colour) } { (name) } " " (mark.value.as_deref().unwrap_or_default()) " " small { (mark.by) } }
            }
            @if view.may(Role::Editor) {
                div .acts {
                    (self.mark_form(view, &back, &html! {
                        input type="hidden" name="field" value=(field.as_str());
                        input type="hidden" name="kind" value="missing";
                        label .visually-hidden for=(id) { (view.say("Missing value", "Fehlender Wert")) " (" (words::field(view, field)) ")" }
                        input id=(id) type="text" name="value" required placeholder=(view.say("A value that is missing", "Ein Wert, der fehlt"));
                        " " button .plain type="submit" { (view.say("Missing", "Fehlt")) }
                    }))
                    (self.mark_form(view, &back, &html! {
                        input type="hidden" name="field" value=(field.as_str());
                        button .plain type="submit" name="kind" value="absent" { (view.say("The document has none", "Hat das Dokument nicht")) }
                    }))
                }
            }
        }
    }

    fn beside(&self, view: &View) -> Markup {
        let side = |side: &str| {
            format!("/bench/{}/run/{}/doc/{}?side={side}", self.harvest, self.run, self.request)
        };
        let mut tabs =
            vec![(view.say("Page", "Seite").to_owned(), side("page"), self.side == Beside::Page)];
        if self.format != Some(Format::Paper) {
            tabs.push((
                view.say("Source", "Quelltext").to_owned(),
                side("source"),
                self.side == Beside::Source,
            ));
        }
        html! {
            (crate::look::tabs(view.say("How it is shown", "Wie es gezeigt wird"), &tabs))
            @if let Some(source) = &self.source { (source.beside(view)) }
            @if let Some(layout) = &self.layout {
                @match layout {
                    Ok(layout) => { (layout.markup(view, "")) },
                    Err(why) => { (super::head::cannot_show(view, why)) },
                }
            }
            @if let Some(replay) = &self.replay {
                iframe .replay src=(replay) title=(view.say("The archived page", "Die archivierte Seite")) sandbox="" referrerpolicy="no-referrer" loading="lazy" {}
            }
        }
    }
}
