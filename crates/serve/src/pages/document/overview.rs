//! The overview: what became of the document, what is known of it, and all that is said about it with weights.

use super::head::{Head, Side};
use super::rule_texts::rule_texts;
use super::statements::{FieldRows, PersonsMark, field_rows, statements_table};
use super::subject::Subject;
use super::words;
use crate::look::{Section, date_time, empty_note};
use crate::problem::Problem;
use crate::reasons::reason;
use crate::view::{Page, View};
use auslese_catalog::MarkFilter;
use auslese_model::{Confidence, CorpusRule, Field, Format, Storage, Timestamp};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;

/// Marks of people that are shown of one document.
pub(crate) const MAX_MARKS: usize = 500;

#[derive(Debug, Serialize)]
struct Overview {
    #[serde(flatten)]
    head: Head,
    captured: Option<Timestamp>,
    status: Option<u16>,
    captures: u64,
    /// Captures with a body of their own.
    versions: u64,
    rule: Option<CorpusRule>,
    reason: Option<String>,
    cause: Option<String>,
    /// Why the body is not stored.
    not_stored: Option<String>,
    institution: Option<String>,
    language: Option<(String, Confidence)>,
    format: Option<Format>,
    media_type: Option<String>,
    size: Option<u64>,
    words: Option<u32>,
    last_modified: Option<Timestamp>,
    home_page: Option<HomePage>,
    class: Option<String>,
    summary: Option<String>,
    trouble: Vec<String>,
    run: Option<i64>,
    fields: Vec<FieldRows>,
    marks: Vec<PersonsMark>,
}

#[derive(Debug, Serialize)]
struct HomePage {
    page: String,
    url: String,
    #[serde(skip)]
    by: auslese_catalog::HomePageBy,
}

pub(super) async fn overview(view: View, subject: Subject) -> Result<Response, Problem> {
    let catalog = &subject.harvest.catalog;
    let marks = MarkFilter { request: Some(subject.id()), ..MarkFilter::default() };
    let marks = catalog.marks(&marks, 0, MAX_MARKS).await?;
    let marks: Vec<PersonsMark> = marks.into_iter().map(PersonsMark::of).collect();
    let texts = match &subject.described {
        Some(described) => catalog.describe_texts(described.run).await?,
        None => None,
    };
    let home = match catalog.home_page_of(subject.id()).await? {
        Some(home) if home.home != subject.id() => {
            let brief = catalog.brief_documents(&[home.home], None).await?.remove(&home.home);
            brief.map(|brief| HomePage {
                page: format!("/doc/{}/{}", subject.harvest.name, brief.request.0),
                url: brief.url,
                by: home.by,
            })
        }
        _ => None,
    };
    let is_paper = subject.format() == Some(Format::Paper);
    let texts = texts.map(|texts| rule_texts(&texts.heuristics, is_paper)).unwrap_or_default();
    let description = subject.described.as_ref().map(|listed| &listed.described.description);
    let fields = description.map(|it| field_rows(it, &texts, &marks)).unwrap_or_default();
    Ok(view.answer(&Overview::of(&subject, fields, marks, home)))
}

impl Overview {
    fn of(
        subject: &Subject,
        fields: Vec<FieldRows>,
        marks: Vec<PersonsMark>,
        home_page: Option<HomePage>,
    ) -> Overview {
        let capture = subject.standing();
        let (content, listed) = (subject.content.as_ref(), subject.listed.as_ref());
        let verdict = listed.map(|listed| &listed.document.verdict);
        let description = subject.described.as_ref().map(|listed| &listed.described.description);
        let not_stored = capture.and_then(|capture| match &capture.storage {
            Storage::HeaderOnly { reason } => Some(reason.clone()),
            _ => None,
        });
        let is_version = |it: &&auslese_catalog::StoredCapture| {
            matches!(it.capture.storage, Storage::Stored(_))
                && super::subject::is_document(&it.capture)
        };
        let summary = [Field::Abstract, Field::Description];
        let trouble = [
            content.and_then(|content| content.trouble.clone()),
            description.and_then(|it| it.trouble.clone()),
        ];
        Overview {
            head: Head::of(subject),
            captured: capture.map(|capture| capture.at),
            status: capture.map(|capture| capture.status),
            captures: subject.capture_count,
            versions: subject.captures.iter().filter(is_version).count() as u64,
            rule: verdict.map(|verdict| verdict.rule),
            reason: verdict.map(|verdict| verdict.reason.clone()),
            cause: subject.request.cause.as_ref().map(|cause| cause.detail.clone()),
            not_stored,
            institution: listed.and_then(|listed| listed.label.clone()),
            language: content
                .and_then(|content| content.language.as_ref())
                .map(|note| (note.language.clone(), note.confidence)),
            format: subject.format(),
            media_type: capture.and_then(|capture| capture.fields.media_type()),
            size: content.map(|content| content.bytes).or(capture.map(|it| it.payload_length)),
            words: content.map(|content| content.counts.words).filter(|words| *words > 0),
            last_modified: capture.and_then(|capture| capture.fields.last_modified),
            home_page,
            class: description.map(|it| it.class.clone()).filter(|class| !class.is_empty()),
            summary: summary
                .into_iter()
                .find_map(|field| subject.said(field).next().map(|it| it.value.clone())),
            trouble: trouble.into_iter().flatten().collect(),
            run: subject.described.as_ref().map(|listed| listed.run.0),
            fields,
            marks,
        }
    }

    /// Everything that is a fact, with its name.
    fn facts(&self, view: &View) -> Markup {
        let say = |english, german| view.say(english, german);
        let number = |number| view.tongue.number(number);
        html! {
            dl .facts {
                @if let Some(at) = self.captured {
                    dt { (say("Captured", "Aufgenommen")) }
                    dd { (date_time(at)) @if let Some(status) = self.status { " · Status " (status) } }
                }
                dt { (say("Captures", "Aufnahmen")) }
                dd {
                    a href=(self.head.address(Side::Versions)) { (number(self.captures)) }
                    @if self.versions > 1 { " · " (number(self.versions)) " " (say("versions", "Fassungen")) }
                }
                @if let (Some(keeping), Some(rule)) = (self.head.keeping, self.rule) {
                    @let (colour, name) = words::keeping(view, keeping);
                    dt { (say("Corpus", "Korpus")) }
                    dd {
                        span class={ "tag " (colour) } { (name) } " " (words::rule(view, rule))
                        @if let Some(text) = self.reason.as_ref().filter(|it| !it.is_empty()) { br; small { (reason(view, text)) } }
                    }
                }
                @if let Some(cause) = self.cause.as_ref().filter(|it| !it.is_empty()) {
                    dt { (say("Cause", "Ursache")) } dd { (reason(view, cause)) }
                }
                @if let Some(institution) = &self.institution { dt { (say("Institution", "Institution")) } dd { (institution) } }
                dt { "Host" } dd { (self.head.host) }
                @if let Some(home) = &self.home_page {
                    dt { (say("Home page", "Startseite")) }
                    dd { a href=(home.page) { (home.url) } " " small { "(" (words::home_page_by(view, home.by)) ")" } }
                }
                @if let Some((language, confidence)) = &self.language {
                    @let (colour, name) = words::confidence(view, *confidence);
                    dt { (say("Language", "Sprache")) }
                    dd { a href=(self.head.address(Side::Text)) { (language) } " " span class={ "tag " (colour) } { (name) } }
                }
                @if let Some(format) = self.format {
                    dt { "Format" }
                    dd { (words::format(view, format)) @if let Some(media_type) = &self.media_type { " " small { "(" (media_type) ")" } } }
                } @else if let Some(media_type) = &self.media_type {
                    dt { "Format" } dd { (media_type) }
                }
                @if let Some(class) = &self.class { dt { (say("Kind of document", "Art des Dokuments")) } dd { (class) } }
                @if let Some(size) = self.size {
                    dt { (say("Size", "Größe")) }
                    dd {
                        (view.tongue.size(size))
                        @if let Some(words) = self.words { " · " (number(u64::from(words))) " " (say("words", "Wörter")) }
                    }
                }
                @if let Some(at) = self.last_modified { dt { (say("Last modified", "Zuletzt geändert")) } dd { (date_time(at)) } }
            }
        }
    }
}

impl Page for Overview {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        self.head.window_title(view, Side::Overview)
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            (self.head.markup(view, Side::Overview))
            @if let Some(why) = &self.not_stored {
                p .note {
                    (view.say("Only the header of this document is archived: ", "Von diesem Dokument ist nur der Kopf archiviert: "))
                    (reason(view, why))
                }
            }
            @for trouble in &self.trouble { p .note lang="en" { (trouble) } }
            div .document-facts {
                section .sheet aria-label=(view.say("What is known", "Was bekannt ist")) { (self.facts(view)) }
                @if let Some(summary) = &self.summary {
                    section .sheet {
                        h2 { (view.say("What it is about", "Worum es geht")) }
                        p .summary { (summary) }
                    }
                }
            }
            h2 #metadata { (view.say("What the document says about itself", "Was das Dokument über sich sagt")) }
            @if self.fields.is_empty() {
                (empty_note(view.say(
                    "Nothing is said about this document. `auslese describe` says something about pages and papers whose bodies are stored.",
                    "Über dieses Dokument wird nichts gesagt. `auslese describe` beschreibt Seiten und Aufsätze, deren Inhalt archiviert ist.",
                )))
            } @else {
                (statements_table(view, &self.head, self.format, &self.fields))
                @if let Some(run) = self.run { p .soft { small { (view.say("By run ", "Aus Lauf ")) (run) } } }
            }
            @if !self.marks.is_empty() {
                h2 { (view.say("What people said", "Was Menschen sagten")) }
                (super::statements::marks_table(view, &self.marks))
            }
        }
    }
}
