//! The institute of sociology: a page for everything that makes describing difficult, from pages
//! without a title to pages that say everything three times, with the right answers.

use super::files::{self, HOHENWERTH};
use super::papers::papers;
use crate::picture::png;
use crate::site::Site;

pub(super) const HOST: &str = "soziologie.uni-hohenwerth.example";

/// What a page says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Described {
    pub url: &'static str,
    /// The rule of the paper's title heuristic that fires, and the title it gives.
    pub paper: Option<(u8, &'static str)>,
    /// The title a person would give; none where there is nothing.
    pub title: Option<&'static str>,
    pub authors: &'static [&'static str],
    /// `YYYY-MM-DD`, as far as it is known.
    pub date: Option<&'static str>,
    pub keywords: &'static [&'static str],
}

macro_rules! at {
    ($path:literal) => {
        concat!("http://soziologie.uni-hohenwerth.example", $path)
    };
}

/// A page of which only titles are to be told.
const fn titled(
    url: &'static str,
    paper: Option<(u8, &'static str)>,
    title: Option<&'static str>,
) -> Described {
    Described { url, paper, title, authors: &[], date: None, keywords: &[] }
}

impl Described {
    const fn by(mut self, authors: &'static [&'static str]) -> Described {
        self.authors = authors;
        self
    }

    const fn on(mut self, date: &'static str) -> Described {
        self.date = Some(date);
        self
    }

    const fn about(mut self, keywords: &'static [&'static str]) -> Described {
        self.keywords = keywords;
        self
    }
}

#[rustfmt::skip]
pub(super) const DESCRIBED: &[Described] = &[
    titled(at!("/"), Some((2, "Institut für Soziologie – Universität Hohenwerth")), Some("Institut für Soziologie")),
    titled(at!("/projekte/"), Some((3, "Laufende Projekte")), Some("Laufende Projekte")),
    titled(at!("/projekte/migration.html"), Some((1, "Migration im Werthtal")), Some("Migration im Werthtal"))
        .by(&["Ilse Brandner"]).on("2004-03-12").about(&["Migration", "Werthtal", "Zuwanderung", "Befragung"]),
    titled(at!("/projekte/frauenforschung.html"), Some((2, "Frauenforschung in Hohenwerth: ein Überblick")), Some("Frauenforschung in Hohenwerth"))
        .by(&["Hanna Oltmanns"]).on("2003-11-03").about(&["Frauenforschung", "Frauenerwerbstätigkeit"]),
    titled(at!("/projekte/betrieb.html"), Some((3, "Betriebssoziologie in mittelständischen Mühlen")), Some("Betriebssoziologie in mittelständischen Mühlen"))
        .by(&["Uwe Kattwinkel"]).about(&["Betriebssoziologie", "Arbeitspause", "Mühle (Betrieb)"]),
    titled(at!("/projekte/pendler.html"), Some((4, "Projekt 4: Pendler zwischen Stadt und Tal")), Some("Pendler zwischen Stadt und Tal"))
        .about(&["Pendeln", "Stadt-Land-Beziehung"]),
    titled(at!("/archiv/notiz.html"), Some((5, "Notiz: Über das Grüßen im Tal")), Some("Über das Grüßen im Tal")),
    titled(at!("/archiv/verweise.html"), Some((6, "Verweise zur Soziologie")), Some("Verweise zur Soziologie")),
    titled(at!("/archiv/vortrag.html"), Some((7, "Vom Wandern Eine Antrittsvorlesung")), Some("Vom Wandern")),
    titled(at!("/archiv/thesen.html"), Some((8, "Thesen zum Feierabend")), Some("Thesen zum Feierabend")),
    titled(at!("/archiv/unbenannt.html"), Some((6, "Untitled Document")), Some("Sprechzeiten")),
    titled(at!("/archiv/bild.html"), None, Some("Trinkhallen im Wandel der Zeit")),
    // Nothing but the words of a link to it.
    titled(at!("/archiv/stumm.html"), None, Some("ohne alles")),
    titled(at!("/aktuelles/2026/03/12/umfrage.html"), Some((2, "Umfrage: Pendler lesen wieder Zeitung | Institut für Soziologie")), Some("Umfrage: Pendler lesen wieder Zeitung"))
        .by(&["Mirjam Tesch"]).on("2026-03-12").about(&["Pendler", "Zeitung", "Umfrage"]),
    titled(at!("/blog/gruss.html"), Some((2, "Warum grüßen wir? – Werther Blog")), Some("Warum grüßen wir?"))
        .by(&["Jorid Amsel"]).on("2025-10-07").about(&["Gruß", "Brücke"]),
    titled(at!("/blog/nachbarn.html"), Some((2, "Gute Nachbarn – Werther Blog")), Some("Gute Nachbarn"))
        .by(&["Jorid Amsel"]).on("2025-11-20").about(&["Nachbarschaft"]),
    titled(at!("/preprints/11.html"), Some((4, "Preprint 11: Netzwerke des Feierabends")), Some("Netzwerke des Feierabends"))
        .by(&["Uwe Kattwinkel", "Ilse Brandner"]).on("2002-06-18").about(&["Feierabend", "Netzwerkanalyse", "Mühlen"]),
    titled(at!("/preprints/12.html"), Some((2, "Greeting Rules in Small Valleys | Hohenwerth Preprints")), Some("Greeting Rules in Small Valleys"))
        .by(&["Jorid Amsel", "Mirjam Tesch"]).on("2014-05-03").about(&["greeting", "valleys", "observation"]),
    titled(at!("/preprints/"), Some((3, "Hohenwerther Arbeitspapiere zur Soziologie")), Some("Hohenwerther Arbeitspapiere zur Soziologie")),
    titled(at!("/publikationen/"), Some((3, "Publikationen des Instituts für Soziologie")), Some("Publikationen des Instituts für Soziologie")),
    titled(at!("/lehre/"), Some((3, "Kommentiertes Vorlesungsverzeichnis, Sommersemester 2004")), Some("Kommentiertes Vorlesungsverzeichnis, Sommersemester 2004")),
    titled(at!("/zeitschrift/heft-3.html"), Some((1, "Werther Hefte für Soziologie, Heft 3")), Some("Werther Hefte für Soziologie, Heft 3")),
    titled(at!("/tagung/"), Some((4, "Tagung „Grüßen“: Grüßen. Eine Tagung")), Some("Grüßen. Eine Tagung")),
    titled(at!("/personen/brandner/"), Some((4, "Homepage von Ilse Brandner: Prof. Dr. Ilse Brandner")), Some("Prof. Dr. Ilse Brandner")),
    titled(at!("/arbeiten/diplom.html"), Some((4, "Trinkhallen als Orte der Öffentlichkeit: Zusammenfassung")), Some("Trinkhallen als Orte der Öffentlichkeit"))
        .by(&["Torben Haselhoff"]).on("2003-02").about(&["Trinkhalle", "Öffentlichkeit", "Stehtisch", "Gespräch"]),
];

pub(super) fn site() -> Site {
    let picture = png(40, 4, |x, y| [150, (x * 5) as u8, (y * 40) as u8]);
    let site = files::site(&format!("http://{HOST}"), HOST, HOHENWERTH);
    papers(site, HOST).file("/archiv/trinkhallen.png", "image/png", picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_are_about_pages_that_exist() {
        let known: Vec<String> = site().documents().into_iter().map(|it| it.path).collect();
        for described in DESCRIBED {
            let path = described.url.strip_prefix(at!("")).unwrap();
            assert!(known.iter().any(|known| known == path), "{path}");
        }
    }

    #[test]
    fn every_rule_of_the_paper_has_a_page() {
        for rule in 1..=8 {
            let fires = |it: &Described| it.paper.is_some_and(|(number, _)| number == rule);
            assert!(DESCRIBED.iter().any(fires), "<{rule}>");
        }
    }
}
