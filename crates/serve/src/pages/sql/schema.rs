//! What can be asked for: the tables and views as `docs/catalog.md` explains them, and questions to begin with.

use serde::Serialize;

/// A table or view.
#[derive(Debug, Serialize)]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) is_view: bool,
    pub(super) columns: Vec<String>,
}

impl Listed {
    /// What it shows, in both languages.
    pub(super) fn about(&self) -> Option<(&'static str, &'static str)> {
        let known = VIEWS.iter().chain(TABLES).find(|(name, ..)| *name == self.name);
        known.map(|(_, english, german)| (*english, *german))
    }
}

/// Views are known by their names; what else there is are tables.
pub(super) fn listed(tables: Vec<(String, Vec<String>)>) -> Vec<Listed> {
    let one = |(name, columns): (String, Vec<String>)| {
        let is_view = VIEWS.iter().any(|(view, ..)| *view == name);
        Listed { name, is_view, columns }
    };
    tables.into_iter().map(one).collect()
}

type About = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const VIEWS: &[About] = &[
    ("captures", "every answer: URL, server, readable times, status, type, length, where its record is", "jede Antwort: URL, Server, lesbare Zeiten, Status, Typ, Länge, Ort ihres Satzes"),
    ("requests", "every request: URL, state, cause, how it was found", "jede Anfrage: URL, Zustand, Ursache, wie sie gefunden wurde"),
    ("servers", "every server: name, software, address, politeness clock, captures and bytes", "jeder Server: Name, Software, Adresse, Höflichkeitsuhr, Aufnahmen und Bytes"),
    ("oddities", "what was irregular in an answer's header", "was am Kopf einer Antwort unregelmäßig war"),
    ("runs", "every start of a stage: when, by whom, how it ended", "jeder Start einer Stufe: wann, durch wen, wie er endete"),
    ("hosts", "every host that was judged: does it belong, how sure, which case, why", "jeder beurteilte Host: gehört er dazu, wie sicher, welcher Fall, warum"),
    ("evidence", "the signs behind the verdicts: what was seen, compared with what, how strong", "die Anzeichen hinter den Urteilen: was gesehen wurde, womit verglichen, wie stark"),
    ("open_questions", "what could not be looked at, and why", "was nicht angesehen werden konnte, und warum"),
    ("decisions", "what people decided by hand", "was Menschen von Hand entschieden haben"),
    ("lookups", "what registries and name servers were asked, and how it ended", "was Register und Nameserver gefragt wurden, und wie es ausging"),
    ("candidates", "host names found without a link, with the verdict on them", "ohne Verweis gefundene Hostnamen mit dem Urteil über sie"),
    ("web_servers", "what a scan found at which address", "was eine Durchsicht an welcher Adresse fand"),
    ("links", "which host links to which", "welcher Host auf welchen verweist"),
    ("documents", "every document with the verdict of the corpus on it: kept or left, by which rule, why", "jedes Dokument mit dem Urteil des Korpus: behalten oder nicht, nach welcher Regel, warum"),
    ("contents", "what was read out of each stored body: format, language, counts, conformance", "was aus jedem gespeicherten Inhalt gelesen wurde: Format, Sprache, Zählungen, Konformität"),
    ("content_languages", "the languages of each body with their shares", "die Sprachen jedes Inhalts mit ihren Anteilen"),
    ("document_links", "which document links to which, with the words of the link", "welches Dokument auf welches verweist, mit den Worten des Verweises"),
    ("versions", "what became of each document in each round: new, unchanged, changed, vanished", "was in jeder Runde aus jedem Dokument wurde: neu, unverändert, geändert, verschwunden"),
    ("rounds", "every pass over the documents", "jeder Durchgang durch die Dokumente"),
    ("removals", "what was taken out of the archive, when, why and by whom", "was aus dem Archiv genommen wurde, wann, warum und durch wen"),
    ("describe_runs", "every run of the describing stage", "jeder Lauf der beschreibenden Stufe"),
    ("descriptions", "by the newest finished run, one row per body: title, authors, date, abstract, keywords …", "nach dem neuesten beendeten Lauf, eine Zeile je Inhalt: Titel, Verfasser, Datum, Zusammenfassung, Schlagwörter …"),
    ("statements", "everything all runs said: run, URL, field, value, weight, rule, place", "alles, was alle Läufe sagten: Lauf, URL, Feld, Wert, Gewicht, Regel, Ort"),
    ("marks", "what people marked as right, wrong, missing, absent, relevant, irrelevant", "was Menschen als richtig, falsch, fehlend, abwesend, wichtig, unwichtig markiert haben"),
    ("full_texts", "which page announces which full text, and what shows it", "welche Seite welchen Volltext ankündigt, und woran man es sieht"),
    ("home_pages", "which home page a document belongs to, and how it was found", "zu welcher Startseite ein Dokument gehört, und wie sie gefunden wurde"),
    ("citations", "by the newest finished run, one row per entry of a bibliography", "nach dem neuesten beendeten Lauf, eine Zeile je Eintrag eines Literaturverzeichnisses"),
];

#[rustfmt::skip]
const TABLES: &[About] = &[
    ("http_header", "one row per answer received, also when its body was not kept", "eine Zeile je erhaltener Antwort, auch wenn ihr Inhalt nicht behalten wurde"),
    ("server_info", "servers: scheme, name, port, software, institution", "Server: Schema, Name, Port, Software, Institution"),
    ("server_queue", "the politeness clock of each server, and its account", "die Höflichkeitsuhr jedes Servers und sein Konto"),
    ("request", "the frontier: everything that was ever found, asked for or not", "die Grenze: alles, was je gefunden wurde, gefragt oder nicht"),
    ("host_verdict", "one row per host that was judged", "eine Zeile je beurteiltem Host"),
    ("lookup", "what was asked of name servers, registries and pages", "was Nameserver, Register und Seiten gefragt wurden"),
    ("hand_decision", "what people decided; it wins over all evidence", "was Menschen entschieden haben; es gilt vor allen Anzeichen"),
    ("candidate", "host names that were found without a link", "Hostnamen, die ohne Verweis gefunden wurden"),
    ("web_server", "what a scan found", "was eine Durchsicht fand"),
    ("server_link", "which server has pages that lead to which other server", "welcher Server Seiten hat, die zu welchem anderen führen"),
    ("document", "one row per request that was judged by the rules of the corpus", "eine Zeile je Anfrage, die nach den Regeln des Korpus beurteilt wurde"),
    ("content", "one row per stored body that was examined", "eine Zeile je untersuchtem gespeichertem Inhalt"),
    ("content_element", "how often elements occur in a body", "wie oft Elemente in einem Inhalt vorkommen"),
    ("content_feature", "what was measured of a body", "was an einem Inhalt gemessen wurde"),
    ("content_link", "which requests a page links to", "auf welche Anfragen eine Seite verweist"),
    ("round", "every pass over the documents", "jeder Durchgang durch die Dokumente"),
    ("version", "what became of a document in a round", "was in einer Runde aus einem Dokument wurde"),
    ("round_word", "how often words occur in the documents of a round", "wie oft Wörter in den Dokumenten einer Runde vorkommen"),
    ("removal", "what was taken out of the archive", "was aus dem Archiv genommen wurde"),
    ("describe_run", "runs of the describing stage, with heuristics and weights", "Läufe der beschreibenden Stufe, mit Heuristiken und Gewichten"),
    ("description", "bodies that a run described", "Inhalte, die ein Lauf beschrieben hat"),
    ("statement", "what runs said about bodies, with weight, rule and place", "was Läufe über Inhalte sagten, mit Gewicht, Regel und Ort"),
    ("mark", "what people marked as right or wrong", "was Menschen als richtig oder falsch markiert haben"),
    ("full_text", "which page announces which full text", "welche Seite welchen Volltext ankündigt"),
    ("home_page", "which home page a document belongs to", "zu welcher Startseite ein Dokument gehört"),
    ("citation", "entries of bibliographies, and the documents they cite", "Einträge von Literaturverzeichnissen und die Dokumente, die sie zitieren"),
    ("institution", "labels of institutions and their entry points", "Kürzel von Institutionen und ihre Einstiegspunkte"),
    ("robots", "the copy of robots.txt of each server", "die Kopie der robots.txt jedes Servers"),
    ("warc_file", "files of the archive, with their committed lengths", "Dateien des Archivs mit ihren festgeschriebenen Längen"),
    ("run", "every start of a stage, with the configuration in force", "jeder Start einer Stufe, mit der geltenden Konfiguration"),
    ("control", "notes for a running crawl", "Notizen für eine laufende Ernte"),
    ("discovery_state", "how far a scan has come", "wie weit eine Durchsicht gekommen ist"),
    ("tally", "running sums of captures and bytes", "laufende Summen von Aufnahmen und Bytes"),
    ("next_number", "the next free number of each kind", "die nächste freie Nummer jeder Art"),
    ("meta", "version of the schema, name of the harvest", "Version des Schemas, Name der Ernte"),
];
