//! An answer as people read it.

use super::asking::Question;
use super::opening::Opened;
use crate::messages::Harmless;
use crate::output;
use auslese_search::{Hit, IndexedDocument, Kept, SearchResults, Snippet, Source, Why};
use auslese_vocabulary::Rewriting;

/// Fields of a term that are told.
const FIELDS_TOLD: usize = 4;

/// An answer with what belongs to it.
pub(super) struct Shown<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) opened: &'a Opened,
    pub(super) rewritings: &'a [Rewriting],
}

impl Shown<'_> {
    pub(super) fn text(&self, results: &SearchResults) -> String {
        let mut text = self.head(results);
        for (number, hit) in results.hits.iter().enumerate() {
            text.push_str(&self.hit(self.question.args.offset + number + 1, hit));
        }
        for facet in &results.facets {
            let rows = facet.values.iter().map(|(value, count)| {
                vec![
                    format!("  {count}"),
                    if value.is_empty() { "–".to_owned() } else { value.clone() },
                ]
            });
            let rows: Vec<Vec<String>> = rows.collect();
            if !rows.is_empty() {
                text.push_str(&format!("\n{}\n{}", facet.facet.name(), output::table(&rows)));
            }
            if facet.further_values > 0 {
                text.push_str(&format!("  and {} more\n", facet.further_values));
            }
        }
        Harmless(text).to_string()
    }

    fn head(&self, results: &SearchResults) -> String {
        let documents = if results.total == 1 { "document" } else { "documents" };
        let milliseconds = results.took_micros as f64 / 1000.0;
        let mut text = format!("{} {documents}, {milliseconds:.1} ms\n", results.total);
        if let Some(corrected) = &results.corrected {
            text.push_str(&format!("did you mean: {corrected}\n"));
        }
        for note in &results.notes {
            text.push_str(&format!("note: {note}\n"));
        }
        let mut told: Vec<&str> = Vec::new();
        for transfer in self.rewritings.iter().flat_map(Rewriting::active) {
            let found = results.alternatives.iter().filter(|it| it.id == transfer.id);
            let hits: u64 = found.map(|it| it.hits).sum();
            if hits > 0 && !told.contains(&transfer.id.as_str()) {
                told.push(&transfer.id);
                text.push_str(&format!(
                    "also searched: {} for {} ({}; {hits} found; --switch-off {})\n",
                    transfer.target.label(),
                    transfer.words,
                    transfer.why,
                    transfer.id
                ));
            }
        }
        text
    }

    fn hit(&self, rank: usize, hit: &Hit) -> String {
        let mut text = format!("\n{rank}. {}\n   {}\n", one_line(&hit.title), hit.id);
        if self.opened.dirs.len() > 1 {
            text.push_str(&format!("   in {}\n", self.opened.dirs[hit.index].display()));
        }
        let about = about(&hit.document);
        if !about.is_empty() {
            text.push_str(&format!("   {about}\n"));
        }
        if let Some(snippet) = hit.snippet.as_ref().filter(|it| !it.text.trim().is_empty()) {
            text.push_str(&format!("   {}\n", marked(snippet)));
        }
        if let Some(why) = &hit.why {
            for note in transferred(why) {
                text.push_str(&format!("   found by {note}\n"));
            }
            if self.question.args.why {
                text.push_str(&reasons(hit.score, why));
            }
        }
        text
    }
}

/// Hits without anything around them.
pub(super) fn plain_hits(hits: &[Hit]) -> String {
    let lines = hits.iter().enumerate().map(|(rank, hit)| {
        format!("{}. {}  ({:.2})\n   {}\n", rank + 1, one_line(&hit.title), hit.score, hit.id)
    });
    let text: String = lines.collect();
    let text = if text.is_empty() { "nothing is like it\n".to_owned() } else { text };
    Harmless(text).to_string()
}

/// The date of a document, as far as it is known.
pub(super) fn date(document: &IndexedDocument) -> String {
    let Some(date) = document.date else { return String::new() };
    let mut text = format!("{:04}", date.year);
    for part in [date.month, date.day].into_iter().map_while(|part| part) {
        text.push_str(&format!("-{part:02}"));
    }
    text
}

fn about(document: &IndexedDocument) -> String {
    let kept = match (document.source, document.kept) {
        (Source::Database, _) => "a database",
        (Source::Record, _) => "a record of a repository",
        (_, Kept::Kept) => "",
        (_, Kept::Left) => "not in the corpus",
        (_, Kept::Unknown) => "only its header",
    };
    let language = document.language.clone().unwrap_or_default();
    let parts =
        [document.institution.clone(), document.document_type.clone(), date(document), language];
    let parts = parts.iter().map(String::as_str).chain([kept]);
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// A snippet with marks that a terminal shows without colours.
fn marked(snippet: &Snippet) -> String {
    let mut text = String::new();
    let mut at = 0;
    for mark in &snippet.marks {
        let (Some(before), Some(word)) =
            (snippet.text.get(at..mark.start), snippet.text.get(mark.clone()))
        else {
            continue;
        };
        text.push_str(&format!("{before}»{word}«"));
        at = mark.end;
    }
    text.push_str(snippet.text.get(at..).unwrap_or_default());
    one_line(&text)
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

fn reasons(score: f64, why: &Why) -> String {
    let mut text = format!("   score {score:.3}\n");
    for term in &why.terms {
        text.push_str(&format!("     {} {:.3} (idf {:.2})\n", term.term, term.score, term.idf));
        for field in term.fields.iter().take(FIELDS_TOLD) {
            text.push_str(&format!(
                "       {:3.0} % {}: {} {}× in {} words, trusted {:.2}\n",
                field.share * 100.0,
                field.field.name(),
                field.form,
                field.frequency,
                field.length,
                field.weight
            ));
        }
    }
    for degree in &why.degrees {
        text.push_str(&format!("     {} holds to {:.2}\n", degree.predicate, degree.degree));
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
