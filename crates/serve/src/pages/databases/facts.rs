//! What is known of a database as a whole: where it is, how far its provider helps, how asking went and what it cost.

use super::words::{cooperation_name, cooperation_words, counted};
use crate::look::date_time;
use crate::problem::Problem;
use crate::site::Harvest;
use crate::view::View;
use auslese_catalog::{AttributeCount, HiddenDatabase};
use auslese_model::{Cooperation, DatabaseKind, Timestamp};
use maud::{Markup, html};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub(super) struct DatabaseFacts {
    pub(super) number: i64,
    /// Its page on this site.
    pub(super) page: String,
    pub(super) kind: DatabaseKind,
    pub(super) cooperation: Cooperation,
    pub(super) title: Option<String>,
    pub(super) url: String,
    pub(super) host: String,
    pub(super) found_at: String,
    /// Queries that it would take, or took.
    pub(super) planned: Option<u64>,
    pub(super) asked: AskingState,
    pub(super) queries: u64,
    pub(super) pages: u64,
    pub(super) failed: u64,
    pub(super) requests: u64,
    pub(super) bytes: u64,
    /// At how many rows answers are cut, if they are.
    pub(super) truncated: Option<u64>,
    /// From 0 to 1.
    pub(super) coverage: Option<f64>,
    pub(super) values: u64,
    pub(super) records: u64,
    pub(super) deleted_records: u64,
}

/// How far asking is.
#[derive(Debug, Serialize)]
pub(super) struct AskingState {
    state: Asking,
    /// When it was last asked, or since when it is.
    at: Option<String>,
    /// Why it is not asked, or was left alone.
    reason: Option<String>,
    #[serde(skip)]
    time: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Asking {
    /// It is not to be asked.
    Refused,
    UnderWay,
    NotYet,
    Complete,
    /// It was left alone before all was asked.
    Stopped,
}

impl DatabaseFacts {
    pub(super) async fn of(
        harvest: &Harvest,
        database: &HiddenDatabase,
        attributes: &[AttributeCount],
    ) -> Result<DatabaseFacts, Problem> {
        let (records, deleted_records) = harvest.catalog.count_records(database.id).await?;
        let new = &database.new;
        Ok(DatabaseFacts {
            number: database.id.0,
            page: format!("/databases/{}/{}", harvest.name, database.id.0),
            kind: new.kind,
            cooperation: new.cooperation,
            title: new.title.clone().filter(|title| !title.trim().is_empty()),
            url: new.url.clone(),
            host: new.host.clone(),
            found_at: database.found_at.to_second_text(),
            planned: new.planned,
            asked: AskingState::of(database),
            queries: database.queries,
            pages: database.pages,
            failed: database.failed,
            requests: database.requests,
            bytes: database.bytes,
            truncated: database.truncated,
            coverage: database.coverage,
            values: attributes.iter().map(|it| it.values).sum(),
            records,
            deleted_records,
        })
    }

    /// The title, or the address where there is none.
    pub(super) fn name(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.url)
    }

    pub(super) fn cooperation(&self, view: &View) -> Markup {
        html! {
            (cooperation_name(view, self.cooperation)) br;
            small .soft { (cooperation_words(view, self.cooperation)) }
        }
    }

    /// Values, records, or neither.
    pub(super) fn holdings(&self, view: &View) -> String {
        let mut parts = Vec::new();
        if self.values > 0 {
            let (one, several) = view.say(("value", "values"), ("Wert", "Werte"));
            parts.push(counted(view, self.values, one, several));
        }
        if self.records > 0 {
            let (one, several) = view.say(("record", "records"), ("Datensatz", "Datensätze"));
            parts.push(counted(view, self.records, one, several));
        }
        if parts.is_empty() { "–".to_owned() } else { parts.join(", ") }
    }

    /// How far what is known can be trusted to be all.
    pub(super) fn share(&self, view: &View) -> Markup {
        html! {
            @if let Some(rows) = self.truncated {
                span .tag .doubt { (view.say("answers cut at ", "Antworten gekürzt auf ")) (view.tongue.number(rows)) (view.say(" rows", " Zeilen")) }
                " "
            }
            @match self.coverage {
                Some(coverage) => { (view.tongue.decimal(coverage * 100.0, 0)) "\u{a0}%" },
                None if self.truncated.is_none() => "–",
                None => {},
            }
        }
    }
}

impl AskingState {
    fn of(database: &HiddenDatabase) -> AskingState {
        let (state, time, reason) = match database {
            HiddenDatabase { asking_since: Some(since), .. } => {
                (Asking::UnderWay, Some(*since), None)
            }
            HiddenDatabase { asked_at, new, .. } if new.refusal.is_some() => {
                (Asking::Refused, *asked_at, new.refusal.clone())
            }
            HiddenDatabase { asked_at: None, .. } => (Asking::NotYet, None, None),
            HiddenDatabase { complete: true, asked_at, .. } => (Asking::Complete, *asked_at, None),
            HiddenDatabase { asked_at, stopped, .. } => {
                (Asking::Stopped, *asked_at, stopped.clone())
            }
        };
        AskingState { state, at: time.map(Timestamp::to_second_text), reason, time }
    }

    pub(super) fn word(&self) -> &'static str {
        match self.state {
            Asking::Refused => "refused",
            Asking::UnderWay => "under way",
            Asking::NotYet => "not yet",
            Asking::Complete => "complete",
            Asking::Stopped => "stopped",
        }
    }

    pub(super) fn at(&self) -> Option<&str> {
        self.at.as_deref()
    }

    pub(super) fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    pub(super) fn markup(&self, view: &View) -> Markup {
        let (colour, name) = match self.state {
            Asking::Refused => ("bad", view.say("is not asked", "wird nicht gefragt")),
            Asking::UnderWay => ("", view.say("is being asked", "wird gerade gefragt")),
            Asking::NotYet => ("", view.say("not asked yet", "noch nicht gefragt")),
            Asking::Complete => ("good", view.say("complete", "vollständig")),
            Asking::Stopped => ("doubt", view.say("left before the end", "vorzeitig beendet")),
        };
        html! {
            @if let Some(time) = self.time { (date_time(time)) " " }
            span class={ "tag " (colour) } { (name) }
            // Stages give reasons in words of their own.
            @if let Some(reason) = &self.reason { br; small .breaks lang="en" { (reason) } }
        }
    }
}
