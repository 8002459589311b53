//! Kinds of databases and degrees of cooperation in words.

use crate::view::View;
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
