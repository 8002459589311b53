//! Two versions of a document compared word by word.

use super::head::{Head, Side};
use super::subject::Subject;
use super::versions::exact_time;
use crate::look::{Section, empty_note};
use crate::problem::Problem;
use crate::replay::unreadable;
use crate::site::Site;
use crate::view::{Page, View};
use auslese_corpus::{PieceKind, WordDiff, word_diff};
use auslese_harvest::stored_text;
use auslese_model::{Capture, Timestamp};
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// Bytes of each text that are compared.
pub(crate) const MAX_COMPARED_TEXT: usize = 500_000;
/// Letters that are shown before and after a change; the rest of what stayed is folded.
const CONTEXT: usize = 240;

#[derive(Debug, Serialize)]
struct Diff {
    #[serde(flatten)]
    head: Head,
    from: Compared,
    to: Compared,
    /// None where one of them has no text.
    diff: Option<WordDiff>,
    share_changed: Option<f64>,
    /// Whether only the beginnings were compared.
    is_cut: bool,
    /// Whether all that stayed is shown.
    is_whole: bool,
}

/// One of the two.
#[derive(Debug, Serialize)]
struct Compared {
    capture: i64,
    at: Timestamp,
}

pub(super) async fn diff(
    State(site): State<Arc<Site>>,
    view: View,
    subject: Subject,
) -> Result<Response, Problem> {
    let asked = |name: &str| match subject.parameter(name) {
        Some(number) => subject.capture(number),
        None => Err(Problem::bad_request(
            "Which two captures? The address needs from and to.",
            "Welche beiden Aufnahmen? Die Adresse braucht from und to.",
        )),
    };
    let (from, to) = (asked("from")?, asked("to")?);
    let (old, new) = (text(&subject, from).await?, text(&subject, to).await?);
    let is_cut =
        [&old, &new].iter().any(|it| it.as_ref().is_some_and(|it| it.len() > MAX_COMPARED_TEXT));
    let diff = match (old, new) {
        (Some(old), Some(new)) => {
            let beginning = |text: &str| text.floor_char_boundary(MAX_COMPARED_TEXT);
            let compared = move || word_diff(&old[..beginning(&old)], &new[..beginning(&new)]);
            Some(site.work(compared).await?)
        }
        _ => None,
    };
    let side = |capture: &Capture| Compared { capture: capture.id.0, at: capture.at };
    Ok(view.answer(&Diff {
        head: Head::of(&subject),
        from: side(from),
        to: side(to),
        share_changed: diff.as_ref().map(WordDiff::share_changed),
        diff,
        is_cut,
        is_whole: subject.parameter("whole").is_some(),
    }))
}

/// The text of a capture; none if it has none.
async fn text(subject: &Subject, capture: &Capture) -> Result<Option<String>, Problem> {
    let harvest = &subject.harvest;
    stored_text(&harvest.dir, &harvest.catalog, capture.id).await.map_err(|error| match error {
        auslese_harvest::HarvestError::Catalog(error) => error.into(),
        other => unreadable(&other),
    })
}

/// What stays of a long stretch: its end before a change, its beginning after one.
fn shortened(text: &str, is_first: bool, is_last: bool) -> (Option<&str>, Option<&str>) {
    let room = CONTEXT * (2 - usize::from(is_first) - usize::from(is_last)) + CONTEXT / 2;
    if text.len() <= room {
        return (Some(text), None);
    }
    let head = &text[..text.floor_char_boundary(CONTEXT)];
    let tail = &text[text.ceil_char_boundary(text.len() - CONTEXT)..];
    // Between words, where there are some.
    let head = head.rfind(char::is_whitespace).map_or(head, |end| &head[..end]);
    let tail = tail.find(char::is_whitespace).map_or(tail, |start| &tail[start..]);
    match (is_first, is_last) {
        (true, true) => (Some(head), None),
        (true, false) => (None, Some(tail)),
        (false, true) => (Some(head), None),
        (false, false) => (Some(head), Some(tail)),
    }
}

impl Diff {
    fn words(&self, diff: &WordDiff) -> Markup {
        let last = diff.pieces.len().saturating_sub(1);
        html! {
            div .sheet .diff { @for (number, piece) in diff.pieces.iter().enumerate() {
                @match piece.kind {
                    PieceKind::Added => ins { (piece.text) },
                    PieceKind::Removed => del { (piece.text) },
                    PieceKind::Kept if self.is_whole => (piece.text),
                    PieceKind::Kept => @match shortened(&piece.text, number == 0, number == last) {
                        (Some(whole), None) if whole.len() == piece.text.len() => (whole),
                        (head, tail) => { @if let Some(head) = head { (head) } span .gap { " […] " } @if let Some(tail) = tail { (tail) } },
                    },
                }
            } }
        }
    }
}

impl Page for Diff {
    fn section(&self) -> Section {
        Section::Browse
    }

    fn title(&self, view: &View) -> String {
        self.head.window_title(view, Side::Versions)
    }

    fn body(&self, view: &View) -> Markup {
        let number = |count: usize| view.tongue.number(count as u64);
        let page =
            |side: &Compared| format!("{}?capture={}", self.head.address(Side::Page), side.capture);
        html! {
            (self.head.markup(view, Side::Versions))
            h2 { (view.say("What changed", "Was sich änderte")) }
            p {
                a href=(page(&self.from)) { (exact_time(self.from.at)) } " → " a href=(page(&self.to)) { (exact_time(self.to.at)) }
                " · " a href=(self.head.address(Side::Versions)) { (view.say("all versions", "alle Fassungen")) }
            }
            @if self.is_cut {
                p .note { (view.say("The texts are long; their beginnings were compared.", "Die Texte sind lang; verglichen wurden ihre Anfänge.")) }
            }
            @match &self.diff {
                None => (empty_note(view.say(
                    "One of the two has no text that could be compared.",
                    "Eine der beiden hat keinen Text, der sich vergleichen ließe.",
                ))),
                Some(diff) => {
                    p .soft {
                        ins { "+" (number(diff.added)) } " " del { "−" (number(diff.removed)) } " "
                        (view.say("words, ", "Wörter, ")) (number(diff.kept)) " " (view.say("kept", "geblieben"))
                        @if let Some(share) = self.share_changed { " · " (view.tongue.decimal(share * 100.0, 1)) " % " (view.say("changed", "geändert")) }
                    }
                    @if diff.has_changes() {
                        (self.words(diff))
                        p {
                            @if self.is_whole { a href=(view.here_with("whole", None)) { (view.say("Only around changes", "Nur um Änderungen")) } }
                            @else { a href=(view.here_with("whole", Some("1"))) { (view.say("The whole text", "Der ganze Text")) } }
                        }
                    } @else {
                        (empty_note(view.say("The words are the same.", "Die Wörter sind dieselben.")))
                    }
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_stretches_keep_what_is_near_changes() {
        let long = "ä".repeat(1_000);
        let (head, tail) = shortened(&long, false, false);
        assert_eq!((head.map(str::len), tail.map(str::len)), (Some(CONTEXT), Some(CONTEXT)));
        assert_eq!(shortened(&long, true, false).0, None);
        assert_eq!(shortened(&long, false, true).1, None);
        assert_eq!(shortened("kurz", false, false), (Some("kurz"), None));
    }
}
