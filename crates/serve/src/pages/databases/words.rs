//! Databases, their kinds and degrees of cooperation in words.

use crate::view::View;
use auslese_catalog::NewDatabase;
use auslese_model::{Cooperation, DatabaseKind};

pub(in crate::pages) fn kind_name(view: &View, kind: DatabaseKind) -> &'static str {
    match kind {
        DatabaseKind::Form => view.say("Form", "Formular"),
        DatabaseKind::DbContent => "DBContent",
        DatabaseKind::OaiPmh => "OAI-PMH",
        DatabaseKind::OpenSearch => "OpenSearch",
        DatabaseKind::Dataset => view.say("Data set", "Datensammlung"),
    }
}

pub(super) fn cooperation_name(view: &View, cooperation: Cooperation) -> &'static str {
    match cooperation {
        Cooperation::Full => view.say("full", "voll"),
        Cooperation::Restricted => view.say("restricted", "eingeschränkt"),
        Cooperation::Declared => view.say("declared", "erklärt"),
        Cooperation::None => view.say("none", "keine"),
    }
}

/// What the provider does for those who want to know what is in a database.
pub(super) fn cooperation_words(view: &View, cooperation: Cooperation) -> &'static str {
    match cooperation {
        Cooperation::Full => {
            view.say("the provider's own summarizer", "eine Zusammenfassung des Anbieters selbst")
        }
        Cooperation::Restricted => view.say("a described form", "ein beschriebenes Formular"),
        Cooperation::Declared => {
            view.say("an interface for programs", "eine Schnittstelle für Programme")
        }
        Cooperation::None => {
            view.say("nothing is said about the form", "nichts ist über das Formular gesagt")
        }
    }
}

/// What a database is called: its title, or its address where it has none.
pub(in crate::pages) fn database_name(database: &NewDatabase) -> String {
    let title = database.title.as_ref().filter(|title| !title.trim().is_empty());
    title.unwrap_or(&database.url).clone()
}

/// A number of things, of which one is called otherwise than several.
pub(super) fn counted(view: &View, number: u64, one: &str, several: &str) -> String {
    format!("{} {}", view.tongue.number(number), if number == 1 { one } else { several })
}
