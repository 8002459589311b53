//! Words of the other rooms for people, in both languages.

use crate::view::View;
use auslese_catalog::{HomePageBy, VersionChange};
use auslese_model::{
    Confidence, CorpusRule, Field, Format, FoundAt, Keeping, MarkKind, State, TargetKind,
};
use auslese_statistics::rule_words;

pub(in crate::pages) fn field(view: &View, field: Field) -> &'static str {
    match field {
        Field::Title => view.say("Title", "Titel"),
        Field::Author => view.say("Author", "Verfasser"),
        Field::Institution => view.say("Institution", "Institution"),
        Field::Date => view.say("Date", "Datum"),
        Field::Description => view.say("Description", "Beschreibung"),
        Field::Abstract => view.say("Abstract", "Zusammenfassung"),
        Field::Keywords => view.say("Keywords", "Schlagwörter"),
        Field::Classification => view.say("Classification", "Klassifikation"),
        Field::Type => view.say("Kind", "Art"),
        Field::Language => view.say("Language", "Sprache"),
        Field::Format => "Format",
        Field::Identifier => view.say("Identifier", "Kennung"),
        Field::Rights => view.say("Rights", "Rechte"),
        Field::FullText => view.say("Full text", "Volltext"),
        Field::References => view.say("References", "Literatur"),
        Field::ReferencedAuthor => view.say("Authors cited", "Zitierte Verfasser"),
        Field::ReferencedTitle => view.say("Titles cited", "Zitierte Titel"),
        Field::ReferencedInstitution => view.say("Institutions named", "Genannte Institutionen"),
    }
}

/// The colour of a tag, and its words.
pub(super) fn keeping(view: &View, keeping: Keeping) -> (&'static str, &'static str) {
    match keeping {
        Keeping::Kept => ("good", view.say("in the corpus", "im Korpus")),
        Keeping::Left => ("doubt", view.say("not in the corpus", "nicht im Korpus")),
        Keeping::Unknown => ("", view.say("only the header", "nur der Kopf")),
    }
}

pub(in crate::pages) fn rule(view: &View, rule: CorpusRule) -> &'static str {
    let german = match rule {
        CorpusRule::NotFetched => "keine Antwort, oder nicht danach gefragt",
        CorpusRule::Status => "ein Fehler oder eine Umleitung",
        CorpusRule::Machinery => "robots.txt, eine Sitemap oder die Antwort einer Datenbank",
        CorpusRule::Pattern => "ein eigenes Muster",
        CorpusRule::Port => "ein ungewöhnlicher Port",
        CorpusRule::Suffix => "eine unerwünschte Endung",
        CorpusRule::MimeType => "ein anderer Medientyp",
        CorpusRule::Size => "zu groß",
        CorpusRule::NoBody => "der Inhalt ist nicht archiviert",
        CorpusRule::Format => "leer, oder nicht, was der Kopf sagt",
        CorpusRule::Language => "eine andere oder unklare Sprache",
        CorpusRule::NotClassified => "ein Format ohne Text",
        CorpusRule::Duplicate => "eine genaue Kopie",
        CorpusRule::NearDuplicate => "fast gleich einem anderen",
        CorpusRule::Template => "aus einer Vorlage vieler Seiten",
        CorpusRule::All => "nichts spricht dagegen",
    };
    view.say(rule_words(rule), german)
}

pub(super) fn state(view: &View, state: State) -> &'static str {
    match state {
        State::Queued => view.say("queued", "in der Warteschlange"),
        State::Parked => {
            view.say("waits for a verdict on its host", "wartet auf ein Urteil über den Host")
        }
        State::Done => view.say("answered", "beantwortet"),
        State::Failed => view.say("failed", "gescheitert"),
        State::Refused => view.say("not asked for", "nicht angefragt"),
    }
}

pub(in crate::pages) fn format(view: &View, format: Format) -> &'static str {
    match format {
        Format::Html => view.say("web page", "Webseite"),
        Format::Text => view.say("plain text", "reiner Text"),
        Format::Xml => "XML",
        Format::Paper => view.say("document made of pages", "Dokument aus Seiten"),
        Format::Binary => view.say("no text", "kein Text"),
        Format::Empty => view.say("empty", "leer"),
    }
}

/// The colour of a tag, and its words.
pub(super) fn change(view: &View, change: VersionChange) -> (&'static str, &'static str) {
    match change {
        VersionChange::New => ("good", view.say("new", "neu")),
        VersionChange::Unchanged => ("", view.say("unchanged", "unverändert")),
        VersionChange::Changed => ("doubt", view.say("changed", "geändert")),
        VersionChange::Markup => ("", view.say("only markup changed", "nur Auszeichnung geändert")),
        VersionChange::Vanished => ("bad", view.say("vanished", "verschwunden")),
        VersionChange::Error => ("bad", view.say("error", "Fehler")),
    }
}

pub(super) fn home_page_by(view: &View, by: HomePageBy) -> &'static str {
    match by {
        HomePageBy::Ancestor => view.say("the nearest folder above", "der nächste Ordner darüber"),
        HomePageBy::HomeLink => view.say("a link says so", "ein Verweis sagt es"),
        HomePageBy::Root => view.say("first page of the server", "erste Seite des Servers"),
    }
}

pub(in crate::pages) fn confidence(
    view: &View,
    confidence: Confidence,
) -> (&'static str, &'static str) {
    match confidence {
        Confidence::Sure => ("good", view.say("sure", "sicher")),
        Confidence::Review => {
            ("doubt", view.say("signals disagree", "Anzeichen widersprechen sich"))
        }
        Confidence::Low => ("doubt", view.say("too few words", "zu wenige Wörter")),
    }
}

pub(in crate::pages) fn mark(view: &View, mark: MarkKind) -> (&'static str, &'static str) {
    match mark {
        MarkKind::Right => ("good", view.say("right", "richtig")),
        MarkKind::Wrong => ("bad", view.say("wrong", "falsch")),
        MarkKind::Missing => ("doubt", view.say("was not found", "wurde nicht gefunden")),
        MarkKind::Absent => ("", view.say("the document has none", "hat das Dokument nicht")),
        MarkKind::Relevant => ("good", view.say("of interest", "von Interesse")),
        MarkKind::Irrelevant => ("", view.say("of no interest", "ohne Interesse")),
    }
}

pub(super) fn target_kind(view: &View, kind: TargetKind) -> &'static str {
    match kind {
        TargetKind::Page => view.say("link", "Verweis"),
        TargetKind::Frame => "Frame",
        TargetKind::Embedded => view.say("embedded", "eingebettet"),
    }
}

/// Where a value was found, in words.
pub(in crate::pages) fn place(view: &View, place: &FoundAt) -> String {
    match place {
        FoundAt::Outside(words) => match words.as_str() {
            "address" => view.say("in its address", "in der Adresse").to_owned(),
            "discovery" => view.say("known from discovery", "aus der Erkundung bekannt").to_owned(),
            other => other.to_owned(),
        },
        FoundAt::Path(path) => path_words(view, path),
    }
}

/// A path in words: what its last element is to a reader.
fn path_words(view: &View, path: &str) -> String {
    let steps: Vec<&str> = path.split('/').filter(|step| !step.is_empty()).collect();
    let name = |step: &&str| step.split('[').next().unwrap_or_default().to_owned();
    let names: Vec<String> = steps.iter().map(name).collect();
    if names.first().is_some_and(|first| first == "document") {
        return paper_place(view, &steps);
    }
    let element = names.iter().rev().find(|name| !name.starts_with(['@', 't']) || *name == "title");
    let words = match element.map(String::as_str) {
        Some("title") => view.say("<title> in the head", "<title> im Kopf"),
        Some("meta") => view.say("meta tag in the head", "Meta-Angabe im Kopf"),
        Some("link") => view.say("link in the head", "Verweis im Kopf"),
        Some("script") => view.say("data for programs (JSON-LD)", "Daten für Programme (JSON-LD)"),
        Some("html") => view.say("the whole page", "die ganze Seite"),
        Some("address") => view.say("address block", "Adressblock"),
        Some("img") => view.say("picture", "Bild"),
        Some("a") => view.say("text of a link", "Text eines Verweises"),
        Some("p") => view.say("paragraph", "Absatz"),
        Some("li") => view.say("entry of a list", "Eintrag einer Liste"),
        Some("td" | "th") => view.say("cell of a table", "Zelle einer Tabelle"),
        Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => view.say("heading", "Überschrift"),
        Some(other) => return format!("<{other}>"),
        None => return path.to_owned(),
    };
    words.to_owned()
}

/// A place of a document made of pages: `page 2, block 7, line 1`.
fn paper_place(view: &View, steps: &[&str]) -> String {
    let mut parts = Vec::new();
    for step in &steps[1..] {
        let (name, number) = step.split_once('[').unwrap_or((step, "1"));
        let number = number.trim_end_matches(']');
        let name = match name {
            "page" => view.say("page", "Seite"),
            "block" => view.say("block", "Block"),
            "line" => view.say("line", "Zeile"),
            "word" => view.say("word", "Wort"),
            _ => return view.say("properties of the file", "Eigenschaften der Datei").to_owned(),
        };
        parts.push(format!("{name} {number}"));
    }
    match parts.is_empty() {
        true => view.say("the whole document", "das ganze Dokument").to_owned(),
        false => parts.join(", "),
    }
}

/// Why a body cannot be had; the usual reasons in both languages, others as they are.
pub(in crate::pages) fn why(view: &View, why: &str) -> String {
    let german = match why {
        "the archive has no body of it" => "das Archiv hat keinen Inhalt davon",
        "the capture it refers to was removed" => {
            "die Aufnahme, auf die sie verweist, wurde entfernt"
        }
        "there is no text in it; it may be a scan" => {
            "es steht kein Text darin; vielleicht ist es ein Scan"
        }
        "there is no capture" => "es gibt keine Aufnahme",
        "it is no text" => "es ist kein Text",
        other => match other.strip_prefix("the archive cannot be read: ") {
            Some(cause) => {
                return view.say(other.to_owned(), format!("das Archiv ist nicht lesbar: {cause}"));
            }
            None => other,
        },
    };
    view.say(why, german).to_owned()
}
