//! Versions: when the document was captured, what became of it each time, and which two are to be compared.

use super::calendar::calendar;
use super::head::{Head, Side};
use super::subject::{MAX_CAPTURES, Subject, is_document, storing};
use super::words;
use crate::look::{Section, empty_note};
use crate::problem::Problem;
use crate::view::{Page, View};
use auslese_catalog::{DatedVersion, VersionChange};
use auslese_model::{Capture, Timestamp};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Serialize)]
struct Versions {
    #[serde(flatten)]
    head: Head,
    /// Oldest first.
    versions: Vec<Row>,
    capture_count: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct Row {
    /// None if no answer came.
    pub(super) capture: Option<i64>,
    pub(super) at: Timestamp,
    pub(super) status: Option<u16>,
    /// The round in which it was compared.
    round: Option<i64>,
    change: &'static str,
    #[serde(skip)]
    kind: VersionChange,
    words_added: Option<u64>,
    words_removed: Option<u64>,
    bytes: Option<u64>,
    /// The capture it differs from.
    previous: Option<i64>,
    /// Whether there is a body to be shown and compared.
    pub(super) has_body: bool,
}

pub(super) async fn versions(view: View, subject: Subject) -> Result<Response, Problem> {
    let noted = subject.harvest.catalog.versions_of(subject.id()).await?;
    let versions = history(subject.captures.iter().map(|stored| &stored.capture), noted);
    let capture_count = subject.capture_count;
    Ok(view.answer(&Versions { head: Head::of(&subject), versions, capture_count }))
}

/// What rounds noted, and beside it captures that no round compared: what became of these is told by their digests.
pub(super) fn history<'c>(
    captures: impl Iterator<Item = &'c Capture>,
    noted: Vec<DatedVersion>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut by_capture = BTreeMap::new();
    for version in noted {
        match version.version.capture {
            Some(capture) => drop(by_capture.insert(capture, version)),
            None => rows.push(Row::failed(&version)),
        }
    }
    let mut before: Option<&Capture> = None;
    for capture in captures {
        let noted = by_capture.remove(&capture.id);
        rows.push(Row::of(capture, before, noted.as_ref()));
        if is_document(capture) {
            before = Some(capture);
        }
    }
    rows.sort_by_key(|row| row.at);
    rows
}

impl Row {
    fn of(capture: &Capture, before: Option<&Capture>, noted: Option<&DatedVersion>) -> Row {
        let words = noted.and_then(|noted| noted.version.words);
        // New to its round, but the archive may have an older one.
        let trusted = noted.filter(|noted| noted.version.previous.is_some() || before.is_none());
        let kind = match trusted {
            Some(noted) => noted.version.change,
            None => change(capture, before),
        };
        let previous = trusted.and_then(|noted| noted.version.previous).or(before.map(|it| it.id));
        Row {
            capture: Some(capture.id.0),
            at: capture.at,
            status: Some(capture.status),
            round: noted.map(|noted| noted.version.round.0),
            change: kind.as_str(),
            kind,
            words_added: words.map(|words| words.added),
            words_removed: words.map(|words| words.removed),
            bytes: Some(capture.payload_length),
            previous: previous.map(|id| id.0),
            has_body: is_document(capture) && storing(capture).is_some(),
        }
    }

    fn failed(version: &DatedVersion) -> Row {
        Row {
            capture: None,
            at: version.at.unwrap_or(version.round_started),
            status: version.status,
            round: Some(version.version.round.0),
            change: version.version.change.as_str(),
            kind: version.version.change,
            words_added: None,
            words_removed: None,
            bytes: None,
            previous: None,
            has_body: false,
        }
    }
}

/// A time to the second: captures of one document may be near each other.
pub(super) fn exact_time(at: Timestamp) -> Markup {
    html! { time datetime=(at.to_second_text()) { (second_text(at)) } }
}

fn second_text(at: Timestamp) -> String {
    at.to_second_text().replace('T', " ").trim_end_matches('Z').to_owned()
}

fn change(capture: &Capture, before: Option<&Capture>) -> VersionChange {
    let same = |before: &Capture| {
        storing(capture).is_some() && storing(capture) == storing(before)
            || capture.payload_digest.is_some() && capture.payload_digest == before.payload_digest
    };
    match (capture.status, before) {
        (304, Some(_)) => VersionChange::Unchanged,
        (404 | 410, Some(_)) => VersionChange::Vanished,
        (200..300, None) => VersionChange::New,
        (200..300, Some(before)) if same(before) => VersionChange::Unchanged,
        (200..300, Some(_)) => VersionChange::Changed,
        _ => VersionChange::Error,
    }
}

impl Versions {
    fn compare(&self, view: &View) -> Markup {
        let with_body: Vec<&Row> = self.versions.iter().filter(|row| row.has_body).collect();
        let last = with_body.len();
        let options = |chosen: usize| {
            html! {
                @for (number, row) in with_body.iter().enumerate() {
                    @if let Some(capture) = row.capture {
                        option value=(capture) selected[number == chosen] { (second_text(row.at)) }
                    }
                }
            }
        };
        html! {
            @if last > 1 {
                form .ask action={ (self.head.address(Side::Versions)) "/diff" } {
                    label { span { (view.say("From", "Von")) } select name="from" { (options(last - 2)) } }
                    label { span { (view.say("To", "Bis")) } select name="to" { (options(last - 1)) } }
                    button { (view.say("Compare words", "Wörter vergleichen")) }
                }
            }
        }
    }

    fn table(&self, view: &View) -> Markup {
        let address = self.head.address(Side::Versions);
        let page = self.head.address(Side::Page);
        html! {
            div .scroll tabindex="0" { table .versions {
                thead { tr {
                    th { (view.say("Captured", "Aufgenommen")) }
                    th { (view.say("What became of it", "Was daraus wurde")) }
                    th .right { (view.say("Words", "Wörter")) }
                    th .right { "Status" }
                    th .right { (view.say("Size", "Größe")) }
                    th .right { (view.say("Round", "Runde")) }
                    th {}
                } }
                tbody { @for row in self.versions.iter().rev() {
                    @let (colour, name) = words::change(view, row.kind);
                    tr {
                        td { @match row.capture.filter(|_| row.has_body) {
                            Some(capture) => a href={ (page) "?capture=" (capture) } { (exact_time(row.at)) },
                            None => (exact_time(row.at)),
                        } }
                        td { span class={ "tag " (colour) } { (name) } }
                        td .right {
                            @if let (Some(added), Some(removed)) = (row.words_added, row.words_removed) {
                                ins { "+" (view.tongue.number(added)) } " " del { "−" (view.tongue.number(removed)) }
                            } @else { "–" }
                        }
                        td .right { @match row.status { Some(status) => (status), None => "–" } }
                        td .right { @match row.bytes { Some(bytes) => (view.tongue.size(bytes)), None => "–" } }
                        td .right { @match row.round { Some(round) => (round), None => "–" } }
                        td {
                            @if let (true, Some(capture), Some(previous)) = (row.has_body && row.kind == VersionChange::Changed, row.capture, row.previous) {
                                a href={ (address) "/diff?from=" (previous) "&to=" (capture) } { (view.say("what changed", "was sich änderte")) }
                            }
                        }
                    }
                } }
            } }
        }
    }
}

impl Page for Versions {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        self.head.window_title(view, Side::Versions)
    }

    fn body(&self, view: &View) -> Markup {
        let page = self.head.address(Side::Page);
        let days: Vec<(i64, Timestamp)> =
            self.versions.iter().filter_map(|row| Some((row.capture?, row.at))).collect();
        html! {
            (self.head.markup(view, Side::Versions))
            @if self.versions.is_empty() {
                (empty_note(view.say("This address was never captured.", "Diese Adresse wurde nie aufgenommen.")))
            } @else {
                @if self.capture_count > MAX_CAPTURES as u64 {
                    p .note {
                        (view.say("The last ", "Die letzten ")) (view.tongue.number(MAX_CAPTURES as u64)) (view.say(" of ", " von "))
                        (view.tongue.number(self.capture_count)) (view.say(" captures are shown.", " Aufnahmen sind gezeigt."))
                    }
                }
                (self.compare(view))
                (self.table(view))
                h2 { (view.say("Calendar", "Kalender")) }
                (calendar(view, &days, &|capture| format!("{page}?capture={capture}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_catalog::{RoundId, Version, WordCounts};
    use auslese_model::{
        Algorithm, CaptureId, Digest, HeaderFields, Place, RequestId, RunId, ServerId, Storage,
    };
    use std::time::Duration;

    fn capture(id: i64, status: u16, body: u8) -> Capture {
        let place =
            Place { file: "a.warc.gz".into(), offset: 0, length: 1, record_id: String::new() };
        Capture {
            id: CaptureId(id),
            request: RequestId(1),
            run: RunId(1),
            server: ServerId(1),
            target: "/".into(),
            at: Timestamp(id),
            duration: Duration::ZERO,
            address: None,
            status,
            http_version: "HTTP/1.1".into(),
            head: Vec::new(),
            fields: HeaderFields::default(),
            payload_length: 1,
            payload_digest: Some(Digest { algorithm: Algorithm::Sha256, bytes: vec![body] }),
            truncated: None,
            tls_problem: None,
            charset: None,
            storage: Storage::Stored(place),
            oddities: Vec::new(),
        }
    }

    #[test]
    fn captures_no_round_compared_are_told_by_their_digests() {
        #[rustfmt::skip]
        let captures = [
            capture(1, 500, 9), capture(2, 200, 1), capture(3, 200, 1), capture(4, 304, 0),
            capture(5, 200, 2), capture(6, 404, 3), capture(7, 200, 2),
        ];
        let noted = Version {
            request: RequestId(1),
            round: RoundId(2),
            change: VersionChange::Markup,
            capture: Some(CaptureId(5)),
            previous: Some(CaptureId(3)),
            words: Some(WordCounts { added: 0, removed: 0, kept: 8 }),
        };
        let failed = Version {
            change: VersionChange::Error,
            capture: None,
            previous: None,
            words: None,
            ..noted
        };
        let dated = |version| DatedVersion {
            version,
            round_started: Timestamp(60),
            at: None,
            status: None,
        };
        let rows = history(captures.iter(), vec![dated(noted), dated(failed)]);
        let changes: Vec<&str> = rows.iter().map(|row| row.change).collect();
        let expected =
            ["error", "new", "unchanged", "unchanged", "markup", "vanished", "unchanged", "error"];
        assert_eq!(changes, expected);
        assert_eq!((rows[4].round, rows[4].previous), (Some(2), Some(3)));
        assert!(!rows[5].has_body && rows[6].has_body);
    }
}
