//! One hit: title, address, what is known of it, where it was found, and why it is here.

use super::ShownHit;
use crate::look::{bar, weight_bar};
use crate::view::View;
use auslese_search::{IndexedDocument, Kept, Snippet, Source, Why};
use maud::{Markup, html};

pub(super) fn hit(view: &View, shown: &ShownHit, names_harvest: bool) -> Markup {
    let hit = &shown.hit;
    let has_lines = shown.beyond.as_ref().is_some_and(|it| it.has_lines());
    let title = if hit.title.trim().is_empty() { &hit.id } else { &hit.title };
    html! {
        article .hit {
            h2 { a href=(shown.page) { (title) } }
            p .address { (hit.id) }
            @if let Some(snippet) = hit.snippet.as_ref().filter(|it| !has_lines && !it.text.trim().is_empty()) {
                p .snippet { (marked(snippet)) }
            }
            p .about {
                @if names_harvest { span .tag { (shown.harvest) } " " }
                (about(view, &hit.document))
            }
            @if let Some(beyond) = &shown.beyond { (beyond.markup(view, &shown.page)) }
            @if let Some(why) = &hit.why {
                @for note in transferred(why) { p .note { (view.say("Found by ", "Gefunden durch ")) (note) } }
                details .why {
                    summary { (view.say("Why this hit", "Warum dieser Treffer")) }
                    (reasons(view, hit.score, why))
                }
            }
        }
    }
}

/// Text with marks around what was looked for.
pub(crate) fn marked(snippet: &Snippet) -> Markup {
    let mut pieces: Vec<(bool, &str)> = Vec::new();
    let mut at = 0;
    for mark in &snippet.marks {
        let (Some(before), Some(word)) =
            (snippet.text.get(at..mark.start), snippet.text.get(mark.clone()))
        else {
            continue;
        };
        pieces.extend([(false, before), (true, word)]);
        at = mark.end;
    }
    pieces.push((false, snippet.text.get(at..).unwrap_or_default()));
    html! { @for (is_marked, text) in pieces { @if is_marked { mark { (text) } } @else { (text) } } }
}

fn about(view: &View, document: &IndexedDocument) -> Markup {
    let what = match (document.source, document.kept) {
        (Source::Database, _) => ("", view.say("Database", "Datenbank")),
        (Source::Record, _) => ("", view.say("Record", "Datensatz")),
        (_, Kept::Kept) => ("good", view.say("in the corpus", "im Korpus")),
        (_, Kept::Left) => ("doubt", view.say("not in the corpus", "nicht im Korpus")),
        (_, Kept::Unknown) => ("", view.say("only the header", "nur der Kopf")),
    };
    let is_stored = !matches!(document.source, Source::Database | Source::Record);
    let known = [
        document.institution.clone(),
        document.document_type.clone(),
        date(document),
        document.language.clone().unwrap_or_default(),
        document.format.clone(),
        if is_stored { view.tongue.size(document.size) } else { String::new() },
    ];
    html! {
        span class={ "tag " (what.0) } { (what.1) }
        @for part in known.iter().filter(|part| !part.is_empty()) { " · " (part) }
        @if document.versions > 1 { " · " (document.versions) " " (view.say("versions", "Fassungen")) }
    }
}

/// The date of a document, as far as it is known.
pub(crate) fn date(document: &IndexedDocument) -> String {
    let Some(date) = document.date else { return String::new() };
    let mut text = format!("{:04}", date.year);
    for part in [date.month, date.day].into_iter().map_while(|part| part) {
        text.push_str(&format!("-{part:02}"));
    }
    text
}

/// What transferred terms say of how they found a document.
fn transferred(why: &Why) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (_, note) in why.terms.iter().filter_map(|term| term.alternative.as_ref()) {
        if !found.contains(&note.as_str()) {
            found.push(note);
        }
    }
    found
}

fn reasons(view: &View, score: f64, why: &Why) -> Markup {
    let number = |value: f64| view.tongue.decimal(value, 2);
    html! {
        p { (view.say("Score ", "Punkte ")) (number(score)) }
        div .scroll tabindex="0" { table {
            thead { tr {
                th { (view.say("Word", "Wort")) }
                th { (view.say("Found in", "Gefunden in")) }
                th .right { (view.say("How often", "Wie oft")) }
                th { (view.say("Trusted", "Vertrauen")) }
                th { (view.say("Share", "Anteil")) }
            } }
            tbody {
                @for term in &why.terms {
                    @for field in &term.fields {
                        tr {
                            td { (term.term) @if !field.form.is_empty() && field.form != term.term { " " small { "(" (field.form) ")" } } }
                            td { (field.field.name()) }
                            td .right { (field.frequency) }
                            td { (weight_bar(view, field.weight)) }
                            td { (bar(field.share)) }
                        }
                    }
                }
            }
        } }
        @for degree in &why.degrees {
            p { code { (degree.predicate) } " " (view.say("holds to ", "gilt zu ")) (number(degree.degree)) }
        }
    }
}
