//! What rules would change, counted behind the reader's back where it takes long.

use super::super::document_rule as rule_name;
use crate::ledger::Reading;
use crate::look::{date_time, empty_note};
use crate::problem::Problem;
use crate::site::{Harvest, Site};
use crate::view::View;
use auslese_catalog::CatalogError;
use auslese_corpus::CorpusRules;
use auslese_harvest::{CorpusPreview, HarvestError, StoringRules, VerdictChange, preview_corpus};
use auslese_model::{CorpusRule, Keeping, Timestamp};
use maud::{Markup, html};
use serde::Serialize;
use std::sync::Arc;

/// What came of trying rules.
pub(super) enum Trial {
    Ready(Shown),
    Counting,
    Impossible,
}

impl Trial {
    pub(super) fn shown(self, harvest: &str) -> Option<Shown> {
        match self {
            Trial::Ready(mut shown) => {
                for change in &mut shown.changes {
                    for example in &mut change.examples {
                        example.page = format!("/doc/{harvest}/{}", example.request);
                    }
                }
                Some(shown)
            }
            Trial::Counting | Trial::Impossible => None,
        }
    }
}

/// The name under which a preview is kept: other rules are another preview, and so are the same rules after a stage
/// has run.
fn preview_name(rules: &CorpusRules, [_, run, ended, ..]: [i64; 5]) -> String {
    format!("{run} {ended} {}", serde_json::to_string(rules).unwrap_or_default())
}

pub(super) async fn read_preview(
    site: &Site,
    harvest: &Arc<Harvest>,
    rules: &CorpusRules,
    storing: &StoringRules,
) -> Result<Trial, Problem> {
    let (wanted, stored) = (rules.clone(), storing.clone());
    let name = preview_name(rules, harvest.catalog.mark().await?);
    let reading = site.previews.read(harvest, &name, move |harvest| async move {
        preview_corpus(&harvest.catalog, &wanted, &stored).await.map_err(|error| match error {
            HarvestError::Catalog(error) => error,
            other => CatalogError::Unavailable { words: other.to_string() },
        })
    });
    Ok(match reading.await? {
        Reading::Ready(counted) => Trial::Ready(Shown::of(&counted.value, counted.at)),
        Reading::Counting => Trial::Counting,
    })
}

/// A preview as it is shown.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    counted_at: String,
    #[serde(skip)]
    time: Timestamp,
    documents: u64,
    kept: u64,
    would_be_added: u64,
    would_be_left: u64,
    /// Still left, or still kept, for another reason.
    other_reason: u64,
    /// Not judged yet.
    new: u64,
    /// Bodies that were not read out yet.
    unread: u64,
    changes: Vec<Change>,
}

#[derive(Debug, Serialize)]
struct Change {
    from: Option<Judged>,
    to: Judged,
    documents: u64,
    examples: Vec<Example>,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Judged {
    keeping: Keeping,
    rule: CorpusRule,
}

#[derive(Debug, Serialize)]
struct Example {
    request: i64,
    page: String,
    url: String,
    reason: String,
}

impl Shown {
    fn of(preview: &CorpusPreview, at: Timestamp) -> Shown {
        let judged = |(keeping, rule)| Judged { keeping, rule };
        let mut changes: Vec<Change> = preview
            .changes
            .iter()
            .map(|(change, documents)| Change {
                from: change.from.map(judged),
                to: judged(change.to),
                documents: documents.count,
                examples: documents
                    .examples
                    .iter()
                    .map(|it| Example {
                        request: it.request.0,
                        page: String::new(),
                        url: it.url.clone(),
                        reason: it.reason.clone(),
                    })
                    .collect(),
            })
            .collect();
        changes.sort_by_key(|change| (change.weight(), std::cmp::Reverse(change.documents)));
        let is_judged = |it: VerdictChange| it.from.is_some();
        Shown {
            counted_at: at.to_second_text(),
            time: at,
            documents: preview.rules.values().sum(),
            kept: preview.with(Keeping::Kept),
            would_be_added: preview
                .changed(|it| is_judged(it) && !it.was_kept() && it.becomes_kept()),
            would_be_left: preview.changed(|it| it.was_kept() && !it.becomes_kept()),
            other_reason: preview.changed(|it| is_judged(it) && it.was_kept() == it.becomes_kept()),
            new: preview.changed(|it| !is_judged(it)),
            unread: preview.unread,
            changes,
        }
    }

    /// Whether the corpus is not what the rules make of it.
    pub(super) fn is_outdated(&self) -> bool {
        !self.changes.is_empty() || self.unread > 0
    }

    pub(super) fn body(&self, view: &View, is_trial: bool) -> Markup {
        let number = |number: u64| view.tongue.number(number);
        html! {
            p .balance role="status" {
                span { strong #would-keep { (number(self.kept)) } (view.say(" of ", " von ")) (number(self.documents)) (if is_trial { view.say(" addresses would be kept", " Adressen wären im Korpus") } else { view.say(" addresses are kept", " Adressen sind im Korpus") }) }
                @if self.would_be_added > 0 { span .tag .good { "+ " span #would-add { (number(self.would_be_added)) } " " (view.say("added", "kämen dazu")) } }
                @if self.would_be_left > 0 { span .tag .bad { "− " span #would-leave { (number(self.would_be_left)) } " " (view.say("left", "fielen weg")) } }
                @if self.other_reason > 0 { span .tag { (number(self.other_reason)) " " (view.say("for another reason", "aus anderem Grund")) } }
            }
            @if self.new > 0 || self.unread > 0 {
                p .note {
                    (number(self.new)) " " (view.say("addresses were found since the corpus was chosen", "Adressen kamen dazu, seit das Korpus gewählt wurde"))
                    @if self.unread > 0 { ", " (number(self.unread)) " " (view.say("bodies were not read out yet; what becomes of these shows when the corpus is judged", "Inhalte sind noch nicht ausgelesen; was aus ihnen wird, zeigt sich beim Beurteilen")) }
                    "."
                }
            }
            @if self.changes.is_empty() {
                (empty_note(if is_trial { view.say("Nothing would change.", "Nichts würde anders.") } else { view.say("Every document is judged by these rules.", "Alle Dokumente sind nach diesen Regeln beurteilt.") }))
            } @else {
                div .scroll tabindex="0" { table {
                    thead { tr { th .right { (view.say("Documents", "Dokumente")) } th { (view.say("Now", "Jetzt")) } th { (view.say("Then", "Dann")) } th { (view.say("For instance", "Zum Beispiel")) } } }
                    tbody { @for change in &self.changes { (change.row(view)) } }
                } }
            }
            p .soft { (view.say("Counted ", "Gezählt ")) (date_time(self.time)) "." }
        }
    }
}

impl Change {
    /// What leaves the corpus first, then what comes in, then the rest.
    fn weight(&self) -> u8 {
        let was_kept = self.from.is_some_and(|it| it.keeping == Keeping::Kept);
        match (was_kept, self.to.keeping == Keeping::Kept) {
            (true, false) => 0,
            (false, true) if self.from.is_some() => 1,
            _ => 2,
        }
    }

    fn row(&self, view: &View) -> Markup {
        html! {
            tr {
                td .right { (view.tongue.number(self.documents)) }
                td { @match &self.from { Some(from) => (from.shown(view)), None => span .soft { (view.say("not judged", "nicht beurteilt")) } } }
                td { (self.to.shown(view)) }
                td .break { ul .addresses { @for example in &self.examples { li { a href=(example.page) { (example.url) } br; small lang="en" { (example.reason) } } } } }
            }
        }
    }
}

impl Judged {
    fn shown(self, view: &View) -> Markup {
        let (class, name) = match self.keeping {
            Keeping::Kept => ("good", view.say("kept", "im Korpus")),
            Keeping::Left => ("bad", view.say("left", "weggelassen")),
            Keeping::Unknown => ("doubt", view.say("header only", "nur Kopf")),
        };
        html! { span class={ "tag " (class) } { (name) } br; small { (rule_name(view, self.rule)) } }
    }
}
