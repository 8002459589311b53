//! The record: what was asked, what the server answered, where that lies in the archive, and how the address was found.

use super::head::{Head, Side};
use super::subject::{MAX_CAPTURES, Subject};
use super::words;
use crate::look::{Section, date_time, empty_note};
use crate::problem::Problem;
use crate::reasons::reason;
use crate::view::{Page, View};
use auslese_model::{Capture, Oddity, State, Storage, Timestamp};
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;

/// Bytes of a raw header that are shown.
pub(crate) const MAX_HEAD_SHOWN: usize = 64 << 10;
/// Steps of the way to a document that are shown.
const WAY_STEPS: usize = 12;

#[derive(Debug, Serialize)]
struct Record {
    #[serde(flatten)]
    head: Head,
    asked: Asked,
    /// From the document back to the seed, at most [`WAY_STEPS`].
    way: Vec<Step>,
    shown: Option<Answered>,
    captures: Vec<CaptureRow>,
    capture_count: u64,
}

/// The request.
#[derive(Debug, Serialize)]
struct Asked {
    state: State,
    attempts: u16,
    found: Timestamp,
    hops: String,
    cause: Option<String>,
}

#[derive(Debug, Serialize)]
struct Step {
    page: String,
    url: String,
}

/// One answer.
#[derive(Debug, Serialize)]
struct Answered {
    capture: i64,
    at: Timestamp,
    milliseconds: u128,
    address: Option<String>,
    http_version: String,
    status: u16,
    raw_header: String,
    payload_bytes: u64,
    payload_digest: Option<String>,
    truncated: Option<&'static str>,
    tls_problem: Option<String>,
    charset: Option<String>,
    storage: &'static str,
    not_stored: Option<String>,
    /// The capture whose body this one repeats.
    original: Option<i64>,
    warc_file: Option<String>,
    warc_offset: Option<u64>,
    warc_length: Option<u64>,
    record_id: Option<String>,
    raw_record: Option<String>,
    oddities: Vec<Oddity>,
}

#[derive(Debug, Serialize)]
struct CaptureRow {
    capture: i64,
    at: Timestamp,
    status: u16,
    media_type: Option<String>,
    bytes: u64,
    storage: &'static str,
    warc_file: Option<String>,
    is_shown: bool,
}

pub(super) async fn record(view: View, subject: Subject) -> Result<Response, Problem> {
    let asked = match subject.parameter("capture") {
        Some(number) => Some(subject.capture(number)?),
        None => subject.captures.last().map(|stored| &stored.capture),
    };
    let chain = subject.harvest.catalog.via_chain(subject.id()).await?;
    let way = chain.into_iter().skip(1).take(WAY_STEPS).map(|known| Step {
        page: format!("/doc/{}/{}", subject.harvest.name, known.id.0),
        url: known.url,
    });
    let request = &subject.request;
    let captures = subject.captures.iter().rev().map(|stored| {
        CaptureRow::of(&stored.capture, asked.map(|asked| asked.id) == Some(stored.capture.id))
    });
    Ok(view.answer(&Record {
        head: Head::of(&subject),
        asked: Asked {
            state: request.state,
            attempts: request.attempts,
            found: request.found_at,
            hops: request.hops.0.clone(),
            cause: request.cause.as_ref().map(ToString::to_string),
        },
        way: way.collect(),
        shown: asked.map(|capture| Answered::of(&subject, capture)),
        captures: captures.collect(),
        capture_count: subject.capture_count,
    }))
}

impl Answered {
    fn of(subject: &Subject, capture: &Capture) -> Answered {
        let place = capture.storage.place();
        let (not_stored, original) = match &capture.storage {
            Storage::HeaderOnly { reason } => (Some(reason.clone()), None),
            Storage::Revisit { original, .. } => (None, Some(original.0)),
            Storage::Stored(_) => (None, None),
        };
        let raw = &capture.head[..capture.head.len().min(MAX_HEAD_SHOWN)];
        Answered {
            capture: capture.id.0,
            at: capture.at,
            milliseconds: capture.duration.as_millis(),
            address: capture.address.map(|address| address.to_string()),
            http_version: capture.http_version.clone(),
            status: capture.status,
            raw_header: header_text(raw),
            payload_bytes: capture.payload_length,
            payload_digest: capture.payload_digest.as_ref().map(ToString::to_string),
            truncated: capture.truncated.map(|why| why.as_str()),
            tls_problem: capture.tls_problem.clone(),
            charset: capture.charset.clone(),
            storage: storage_word(&capture.storage),
            not_stored,
            original,
            warc_file: place.map(|place| place.file.clone()),
            warc_offset: place.map(|place| place.offset),
            warc_length: place.map(|place| place.length),
            record_id: place.map(|place| place.record_id.clone()),
            raw_record: place.map(|_| format!("/warc/{}/{}", subject.harvest.name, capture.id.0)),
            oddities: capture.oddities.clone(),
        }
    }

    fn markup(&self, view: &View) -> Markup {
        let say = |english, german| view.say(english, german);
        html! {
            h2 { (say("Answer", "Antwort")) " " small { (date_time(self.at)) } }
            div .halves {
                section .sheet aria-label=(say("Facts of the answer", "Tatsachen der Antwort")) {
                    dl .facts {
                        dt { "Status" } dd { (self.status) " · " (self.http_version) " · " (self.milliseconds) " ms" }
                        @if let Some(address) = &self.address { dt { (say("Network address", "Netzadresse")) } dd { code { (address) } } }
                        dt { (say("Body", "Inhalt")) }
                        dd {
                            (view.tongue.size(self.payload_bytes)) " · " (storage_name(view, self.storage))
                            @if let Some(why) = &self.not_stored { br; small { (reason(view, why)) } }
                            @if let Some(original) = self.original { br; small { (say("same body as capture ", "gleicher Inhalt wie Aufnahme ")) (original) } }
                        }
                        @if let Some(why) = self.truncated { dt { (say("Cut short", "Abgeschnitten")) } dd { (why) } }
                        @if let Some(charset) = &self.charset { dt { (say("Charset", "Zeichensatz")) } dd { (charset) } }
                        @if let Some(problem) = &self.tls_problem { dt { (say("Certificate", "Zertifikat")) } dd lang="en" { (problem) } }
                        @if let Some(digest) = &self.payload_digest { dt { (say("Digest", "Prüfsumme")) } dd { code { (digest) } " " (copy(view, digest)) } }
                        @if let Some(file) = &self.warc_file {
                            dt { "WARC" }
                            dd {
                                code { (file) }
                                @if let (Some(offset), Some(length)) = (self.warc_offset, self.warc_length) {
                                    br; small { "Offset " (view.tongue.number(offset)) " · " (view.tongue.number(length)) " " (say("bytes compressed", "Bytes komprimiert")) }
                                }
                            }
                        }
                        @if let Some(id) = &self.record_id { dt { "Record-ID" } dd { code { (id) } } }
                        @if let Some(raw) = &self.raw_record { dt { (say("Raw record", "Roher Datensatz")) } dd { a href=(raw) { (say("Download", "Herunterladen")) } } }
                    }
                }
                section aria-label=(say("Raw header", "Roher Kopf")) { pre .raw-header tabindex="0" { (self.raw_header) } }
            }
            @if !self.oddities.is_empty() {
                h2 { (say("Oddities", "Seltsamkeiten")) }
                ul { @for oddity in &self.oddities { li { code { (oddity.kind) } " " span lang="en" { (oddity.detail) } } } }
            }
        }
    }
}

impl CaptureRow {
    fn of(capture: &Capture, is_shown: bool) -> CaptureRow {
        CaptureRow {
            capture: capture.id.0,
            at: capture.at,
            status: capture.status,
            media_type: capture.fields.media_type(),
            bytes: capture.payload_length,
            storage: storage_word(&capture.storage),
            warc_file: capture.storage.place().map(|place| place.file.clone()),
            is_shown,
        }
    }
}

fn storage_word(storage: &Storage) -> &'static str {
    match storage {
        Storage::Stored(_) => "stored",
        Storage::Revisit { .. } => "revisit",
        Storage::HeaderOnly { .. } => "header-only",
    }
}

fn storage_name(view: &View, word: &'static str) -> &'static str {
    match word {
        "stored" => view.say("stored", "archiviert"),
        "revisit" => view.say("same as before", "wie zuvor"),
        _ => view.say("not stored", "nicht archiviert"),
    }
}

/// Header bytes as text; what is no UTF-8 is read as Latin-1, which is what old servers mean by it.
fn header_text(raw: &[u8]) -> String {
    match std::str::from_utf8(raw) {
        Ok(text) => text.replace('\r', ""),
        Err(_) => raw.iter().filter(|byte| **byte != b'\r').map(|byte| char::from(*byte)).collect(),
    }
}

fn copy(view: &View, text: &str) -> Markup {
    html! { button .plain .copy type="button" data-copy=(text) hidden { (view.say("Copy", "Kopieren")) } }
}

impl Record {
    fn asked(&self, view: &View) -> Markup {
        let say = |english, german| view.say(english, german);
        html! {
            h2 { (say("Request", "Anfrage")) }
            section .sheet aria-label=(say("Facts of the request", "Tatsachen der Anfrage")) {
                dl .facts {
                    dt { (say("State", "Zustand")) } dd { (words::state(view, self.asked.state)) @if self.asked.attempts > 0 { " · " (self.asked.attempts) " " (say("attempts", "Versuche")) } }
                    @if let Some(cause) = &self.asked.cause { dt { (say("Cause", "Ursache")) } dd { (reason(view, cause)) } }
                    dt { (say("Found", "Gefunden")) } dd { (date_time(self.asked.found)) @if !self.asked.hops.is_empty() { " · " (say("way ", "Weg ")) code { (self.asked.hops) } } }
                    @if !self.way.is_empty() {
                        dt { (say("By way of", "Über")) }
                        dd { ol .way { @for step in &self.way { li { a href=(step.page) { (step.url) } } } } }
                    }
                }
            }
        }
    }

    fn table(&self, view: &View) -> Markup {
        html! {
            h2 { (view.say("All captures", "Alle Aufnahmen")) " " small { (view.tongue.number(self.capture_count)) } }
            @if self.capture_count > MAX_CAPTURES as u64 {
                p .note { (view.say("The last ", "Die letzten ")) (MAX_CAPTURES) (view.say(" are shown.", " sind gezeigt.")) }
            }
            div .scroll tabindex="0" { table {
                thead { tr {
                    th { (view.say("Captured", "Aufgenommen")) }
                    th .right { "Status" }
                    th { (view.say("Media type", "Medientyp")) }
                    th .right { (view.say("Size", "Größe")) }
                    th { (view.say("Body", "Inhalt")) }
                    th { "WARC" }
                } }
                tbody { @for row in &self.captures {
                    tr .is-shown[row.is_shown] {
                        td { a href={ (self.head.address(Side::Record)) "?capture=" (row.capture) } { (date_time(row.at)) } }
                        td .right { (row.status) }
                        td { (row.media_type.as_deref().unwrap_or("–")) }
                        td .right { (view.tongue.size(row.bytes)) }
                        td { (storage_name(view, row.storage)) }
                        td .break { @if let Some(file) = &row.warc_file { code { (file) } } @else { "–" } }
                    }
                } }
            } }
        }
    }
}

impl Page for Record {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        self.head.window_title(view, Side::Record)
    }

    fn body(&self, view: &View) -> Markup {
        html! {
            (self.head.markup(view, Side::Record))
            @match &self.shown {
                Some(shown) => (shown.markup(view)),
                None => (empty_note(view.say("No answer ever came.", "Es kam nie eine Antwort."))),
            }
            (self.asked(view))
            @if !self.captures.is_empty() { (self.table(view)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::header_text;

    #[test]
    fn headers_of_old_servers_are_readable() {
        assert_eq!(
            header_text(b"HTTP/1.0 200 OK\r\nServer: caf\xe9\r\n"),
            "HTTP/1.0 200 OK\nServer: café\n"
        );
        assert_eq!(header_text("X: ä\r\n".as_bytes()), "X: ä\n");
    }
}
