//! Tables of numbers in both languages: their titles, heads, and the words that stand in their cells.

use crate::view::View;

/// What a table is, in words of both languages.
#[derive(Debug)]
pub(super) struct TableWords {
    pub(super) name: &'static str,
    english: &'static str,
    german: &'static str,
    about_english: &'static str,
    about_german: &'static str,
}

impl TableWords {
    pub(super) fn of(name: &str) -> Option<&'static TableWords> {
        TABLES.iter().find(|table| table.name == name)
    }

    pub(super) fn title(&self, view: &View) -> &'static str {
        view.say(self.english, self.german)
    }

    pub(super) fn about(&self, view: &View) -> &'static str {
        view.say(self.about_english, self.about_german)
    }
}

const fn table(
    name: &'static str,
    english: &'static str,
    german: &'static str,
    about_english: &'static str,
    about_german: &'static str,
) -> TableWords {
    TableWords { name, english, german, about_english, about_german }
}

#[rustfmt::skip]
const TABLES: &[TableWords] = &[
    table("institutions", "Institutions", "Institutionen",
        "Servers, documents, documents in the corpus and frequent types of each institution.",
        "Server, Dokumente, Dokumente im Korpus und häufige Typen jeder Institution."),
    table("rules", "What became of every address, and why", "Was aus jeder Adresse wurde, und warum",
        "The rules of the corpus and how many addresses each decided.",
        "Die Regeln des Korpus und wie viele Adressen jede entschieden hat."),
    table("languages", "Languages", "Sprachen",
        "In which languages documents are written.", "In welchen Sprachen Dokumente geschrieben sind."),
    table("confidence", "How sure the language is", "Wie sicher die Sprache ist",
        "Whether the signals for the language agree.", "Ob die Anzeichen für die Sprache übereinstimmen."),
    table("types", "Media types", "Medientypen",
        "What servers say documents are.", "Was Dokumente nach Angabe der Server sind."),
    table("suffixes", "Suffixes", "Endungen",
        "How names of documents end.", "Wie Namen von Dokumenten enden."),
    table("formats", "What bodies really are", "Was Dokumente wirklich sind",
        "What was found in the bodies, whatever their servers say.", "Was sich in den Dokumenten fand, was auch immer ihre Server sagen."),
    table("charsets", "Character encodings", "Zeichenkodierungen",
        "How letters are written as bytes.", "Wie Buchstaben als Bytes geschrieben sind."),
    table("statuses", "Status codes of the newest answers", "Statuscodes der neuesten Antworten",
        "How servers answered, errors and redirects included.", "Wie Server geantwortet haben, Fehler und Weiterleitungen eingeschlossen."),
    table("software", "Server software", "Software der Server",
        "With which programs servers answer.", "Mit welchen Programmen Server antworten."),
    table("http-versions", "HTTP versions", "HTTP-Versionen",
        "Which version of the protocol servers speak.", "Welche Fassung des Protokolls Server sprechen."),
    table("ages", "Years of last change", "Jahre der letzten Änderung",
        "When documents were last changed, as their servers say.", "Wann Dokumente zuletzt geändert wurden, nach Angabe ihrer Server."),
    table("servers", "Servers", "Server",
        "Servers side by side; means are per document with text.", "Server im Vergleich; Mittelwerte gelten je Dokument mit Text."),
    table("sizes-by-type", "Sizes by media type", "Größen nach Medientyp",
        "Mean, median and percentiles of sizes.", "Mittel, Median und Perzentile der Größen."),
    table("sizes-by-server", "Sizes by server", "Größen nach Server",
        "Mean, median and percentiles of sizes.", "Mittel, Median und Perzentile der Größen."),
    table("sizes-by-subnet", "Sizes by subnet", "Größen nach Teilnetz",
        "Mean, median and percentiles of sizes.", "Mittel, Median und Perzentile der Größen."),
    table("elements", "Elements of HTML", "Elemente von HTML",
        "How many documents use an element, and how often.", "Wie viele Dokumente ein Element verwenden, und wie oft."),
    table("doctypes", "Document types", "Dokumenttypen",
        "What pages say they are written in.", "Worin Seiten nach eigener Angabe geschrieben sind."),
    table("conformance", "Conformance of pages", "Konformität der Seiten",
        "Whether pages keep to the rules of their language.", "Ob Seiten die Regeln ihrer Auszeichnungssprache einhalten."),
    table("parse-errors", "Mistakes in mark-up", "Fehler in der Auszeichnung",
        "What is wrong in pages, by kind.", "Was in Seiten falsch ist, nach Art."),
    table("generators", "Programs that made pages", "Programme, die Seiten gemacht haben",
        "As pages say themselves.", "Nach Angabe der Seiten selbst."),
    table("templates", "Pages of the same structure", "Seiten gleichen Aufbaus",
        "Groups of pages that were made from one template.", "Gruppen von Seiten, die aus einer Vorlage entstanden sind."),
    table("links", "Documents that most others link to", "Dokumente, auf die die meisten anderen verweisen",
        "Links in and out within the harvest.", "Verweise hinein und hinaus innerhalb der Ernte."),
    table("features", "Features of documents in the corpus", "Merkmale der Dokumente im Korpus",
        "Means, least and greatest values of what was measured.", "Mittel, kleinster und größter Wert des Gemessenen."),
    table("orality", "Conceptual orality", "Konzeptionelle Mündlichkeit",
        "An index by server: how near to speech documents are. Compare within this corpus only.",
        "Ein Index je Server: wie nah Dokumente der gesprochenen Sprache sind. Nur innerhalb dieses Korpus vergleichbar."),
    table("duplicates", "Copies", "Kopien",
        "Exact and near copies.", "Genaue und nahezu gleiche Kopien."),
    table("not-stored", "Why only the header was kept", "Warum nur der Kopf behalten wurde",
        "The row “stored” is what is in the archive.", "Die Zeile „gespeichert“ ist, was im Archiv liegt."),
    table("oddities", "What was irregular in answers", "Was an Antworten unregelmäßig war",
        "Kinds of irregularities by server.", "Arten von Unregelmäßigkeiten je Server."),
    table("rounds", "Rounds", "Runden",
        "Every pass over the documents and what became of them.", "Jeder Durchgang durch die Dokumente und was aus ihnen wurde."),
];

/// Tables that belong together, in the order of the page.
#[derive(Debug)]
pub(super) struct Chapter {
    english: &'static str,
    german: &'static str,
    pub(super) tables: &'static [&'static str],
}

impl Chapter {
    pub(super) fn title(&self, view: &View) -> &'static str {
        view.say(self.english, self.german)
    }
}

pub(super) const CHAPTERS: [Chapter; 7] = [
    Chapter {
        english: "The harvest",
        german: "Die Ernte",
        tables: &["institutions", "servers", "statuses", "not-stored", "rounds"],
    },
    Chapter {
        english: "The corpus",
        german: "Das Korpus",
        tables: &["rules", "languages", "confidence", "duplicates"],
    },
    Chapter {
        english: "Kinds of documents",
        german: "Arten von Dokumenten",
        tables: &["types", "suffixes", "formats", "charsets", "ages"],
    },
    Chapter {
        english: "Sizes",
        german: "Größen",
        tables: &["sizes-by-type", "sizes-by-server", "sizes-by-subnet"],
    },
    Chapter {
        english: "How pages are made",
        german: "Wie Seiten gemacht sind",
        tables: &["elements", "doctypes", "conformance", "parse-errors", "generators", "templates"],
    },
    Chapter {
        english: "Language and links",
        german: "Sprache und Verweise",
        tables: &["features", "orality", "links"],
    },
    Chapter {
        english: "Servers and their answers",
        german: "Server und ihre Antworten",
        tables: &["software", "http-versions", "oddities"],
    },
];

/// The head of a column.
pub(super) fn head<'a>(view: &View, english: &'a str) -> &'a str {
    let known = HEADS.iter().find(|(known, _)| *known == english);
    known.map_or(english, |(english, german)| view.say(english, german))
}

/// A word in a cell that is ours and no name from the web.
pub(super) fn word<'a>(view: &View, english: &'a str) -> &'a str {
    let known = WORDS.iter().find(|(known, _)| *known == english);
    known.map_or(english, |(english, german)| view.say(english, german))
}

#[rustfmt::skip]
const HEADS: &[(&str, &str)] = &[
    ("institution", "Institution"), ("servers", "Server"), ("documents", "Dokumente"), ("data", "Daten"),
    ("of unknown size", "unbekannter Größe"), ("in the corpus", "im Korpus"), ("data in the corpus", "Daten im Korpus"),
    ("most frequent types", "häufigste Typen"), ("outcome", "Ergebnis"), ("rule", "Regel"), ("addresses", "Adressen"),
    ("meaning", "Bedeutung"), ("language", "Sprache"), ("confidence", "Sicherheit"), ("type", "Typ"), ("suffix", "Endung"),
    ("format", "Format"), ("encoding", "Kodierung"), ("status", "Status"), ("answers", "Antworten"), ("software", "Software"),
    ("version", "Version"), ("year", "Jahr"), ("server", "Server"), ("subnet", "Teilnetz"), ("mean", "Mittel"),
    ("median", "Median"), ("90 %", "90 %"), ("99 %", "99 %"), ("largest", "größtes"), ("characters", "Zeichen"),
    ("words", "Wörter"), ("words per sentence", "Wörter je Satz"), ("links", "Verweise"), ("images", "Bilder"),
    ("scripts", "Skripte"), ("applets", "Applets"), ("frames", "Frames"), ("obsolete elements", "veraltete Elemente"),
    ("proprietary elements", "eigene Elemente"), ("conforming pages", "konforme Seiten"), ("pages", "Seiten"),
    ("element", "Element"), ("occurrences", "Vorkommen"), ("documents in the corpus", "Dokumente im Korpus"),
    ("occurrences in the corpus", "Vorkommen im Korpus"), ("kind", "Art"), ("structure", "Aufbau"), ("generator", "Programm"),
    ("example", "Beispiel"), ("document", "Dokument"), ("links in", "Verweise hinein"), ("links out", "Verweise hinaus"),
    ("feature", "Merkmal"), ("least", "kleinster"), ("greatest", "größter"), ("what", "was"), ("count", "Anzahl"),
    ("reason", "Grund"), ("doctype", "Dokumenttyp"), ("conformance", "Konformität"), ("round", "Runde"),
    ("began", "begonnen"), ("ended", "beendet"), ("different words", "verschiedene Wörter"), ("new", "neu"),
    ("unchanged", "unverändert"), ("changed", "geändert"), ("markup", "nur Auszeichnung"), ("vanished", "verschwunden"),
    ("error", "Fehler"), ("words added", "Wörter dazu"), ("words removed", "Wörter weg"), ("words kept", "Wörter geblieben"),
];

#[rustfmt::skip]
const WORDS: &[(&str, &str)] = &[
    ("all", "alle"), ("others", "andere"), ("stored", "gespeichert"), ("not judged yet", "noch nicht beurteilt"),
    ("kept", "behalten"), ("left", "nicht behalten"), ("unknown", "unbekannt"),
    ("sure", "sicher"), ("review", "zu prüfen"), ("low", "gering"), ("conforming", "konform"), ("not conforming", "nicht konform"),
    ("no answer came, or it was not asked for", "keine Antwort, oder nicht danach gefragt"),
    ("an error or a redirect", "ein Fehler oder eine Weiterleitung"),
    ("robots.txt, a sitemap or an answer of a database", "robots.txt, eine Sitemap oder die Antwort einer Datenbank"),
    ("a pattern of your own", "ein eigenes Muster"), ("an unusual port", "ein ungewöhnlicher Port"),
    ("an unwanted suffix", "eine unerwünschte Endung"), ("another media type", "ein anderer Medientyp"),
    ("too large", "zu groß"), ("the body is not archived", "der Inhalt ist nicht archiviert"),
    ("empty, or not what its header says", "leer, oder nicht, was der Kopf sagt"),
    ("another language, or an unclear one", "eine andere oder unklare Sprache"),
    ("a format without text", "ein Format ohne Text"), ("an exact copy", "eine genaue Kopie"),
    ("nearly the same as another", "nahezu gleich einem anderen"),
    ("made from a template of many pages", "aus einer Vorlage vieler Seiten"),
    ("nothing speaks against it", "nichts spricht dagegen"),
    ("documents with exact copies", "Dokumente mit genauen Kopien"), ("exact copies", "genaue Kopien"),
    ("data of exact copies", "Daten genauer Kopien"),
    ("groups of nearly equal documents", "Gruppen nahezu gleicher Dokumente"),
    ("nearly equal copies", "nahezu gleiche Kopien"), ("crawl", "Ernte"), ("recrawl", "Wiederholung"),
    ("import", "Import"), ("new", "neu"), ("unchanged", "unverändert"), ("changed", "geändert"),
    ("markup", "nur die Auszeichnung"), ("vanished", "verschwunden"), ("error", "Fehler"),
    ("paper", "Schriftstück"), ("text", "Text"), ("binary", "Binärdatei"), ("empty", "leer"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_statistics::NAMES;

    #[test]
    fn every_table_has_words_and_a_chapter() {
        for name in NAMES {
            assert!(TableWords::of(name).is_some(), "{name}");
            let chapters = CHAPTERS.iter().filter(|chapter| chapter.tables.contains(name)).count();
            assert_eq!(chapters, 1, "{name}");
        }
        assert_eq!(TABLES.len(), NAMES.len());
    }
}
