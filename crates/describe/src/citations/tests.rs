//! Entries of all ways of writing taken apart, and the works they cite; whatever the text, nothing panics.

use super::entry::{bibliography_entry, citation};
use super::works::{Work, Works};
use auslese_model::{CitationEvidence, RequestId};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;

fn names(citation: &auslese_model::Citation) -> Vec<String> {
    citation.authors.iter().map(ToString::to_string).collect()
}

#[test]
fn entries() {
    #[rustfmt::skip]
    let cases: &[(&str, &[&str], u16, &str)] = &[
        ("Müller, H. (1998): Lineare Algebra. Berlin: Springer.",
         &["H. Müller"], 1998, "Lineare Algebra"),
        ("Müller, Hans; Meier, Eva (1998): Lineare Algebra. Eine Einführung. Berlin: Springer.",
         &["Hans Müller", "Eva Meier"], 1998, "Lineare Algebra"),
        ("[12] H. Müller, K. Meier: Über die Nullstellen. Math. Zeitschrift 3 (1998), 1–20.",
         &["H. Müller", "K. Meier"], 1998, "Über die Nullstellen"),
        ("H. Müller und K. Meier: Über die Nullstellen. Springer, Berlin 1998.",
         &["H. Müller", "K. Meier"], 1998, "Über die Nullstellen"),
        ("3. Smith, J., & Jones, A. B. (2004). On zeros of things. Journal of Things, 3(2), 1-20.",
         &["J. Smith", "A. B. Jones"], 2004, "On zeros of things"),
        ("J. Smith and A. Jones, “On zeros of things,” J. Things, vol. 3, pp. 1–20, 2004.",
         &["J. Smith", "A. Jones"], 2004, "On zeros of things"),
        ("Hans Müller: „Über die Nullstellen“. In: Eva Meier (Hrsg.): Festschrift. Ulm 1998, S. 3–20.",
         &["Hans Müller"], 1998, "Über die Nullstellen"),
        ("[Mül98] Hans Müller. Über die Nullstellen. Dissertation, Universität Ulm, 1998.",
         &["Hans Müller"], 1998, "Über die Nullstellen"),
        ("Dupont, H. et Martin, J. (2001) : Les zéros des choses. Paris, Seuil.",
         &["H. Dupont", "J. Martin"], 2001, "Les zéros des choses"),
        ("Müller, Hans (Hrsg.) (1998): Handbuch der Nullstellen. Ulm: Verlag Beispiel.",
         &["Hans Müller"], 1998, "Handbuch der Nullstellen"),
        ("Shear NH, Spielberg SP. Hypersensitivity syndrome. In vitro. J Clin. 1988;82(6):1826.",
         &["NH Shear", "SP Spielberg"], 1988, "Hypersensitivity syndrome"),
        ("Su S-C, Hung S-I. Digging up the human genome. Hum Gen. 2014;3:1-20.",
         &["S-C Su", "S-I Hung"], 2014, "Digging up the human genome"),
        ("Gebhardt, Wolfgang: Geschichte des Lastwagens, Bd. 2a und 2b. Augsburg, 1994",
         &["Wolfgang Gebhardt"], 1994, "Geschichte des Lastwagens, Bd. 2a und 2b"),
        ("Aeppli M., Giroud S., Hofstetter T.B. (2022): Controls on rates of reduction, Proc. Natl. 119.",
         &["M. Aeppli", "S. Giroud", "T.B. Hofstetter"], 2022, "Controls on rates of reduction"),
        ("Gebhardt, Wolfgang: Lastwagen und Zugmaschinen 1903 bis 1971. Stuttgart 2007",
         &["Wolfgang Gebhardt"], 2007, "Lastwagen und Zugmaschinen 1903 bis 1971"),
        ("Mathieu, Axel: Lastwagen im Wandel. Ulm 1998. Online, abgerufen am 29.09.2021",
         &["Axel Mathieu"], 1998, "Lastwagen im Wandel"),
        ("Robert Gasch, Jochen Twele: Windkraftanlagen. Grundlagen, Entwurf, Planung, 2005",
         &["Robert Gasch", "Jochen Twele"], 2005, "Windkraftanlagen"),
        ("E. Meier, Random Walks, Eastmere Notes 11 (1992), 201–233.",
         &["E. Meier"], 1992, "Random Walks"),
        ("U. Meier and E. Schulze. Ringe und Körper. Math. Notes, 31:9–40, 1978.",
         &["U. Meier", "E. Schulze"], 1978, "Ringe und Körper"),
        ("Meier, Eva, 1999: Ringe und Körper. Ulm: Verlag.",
         &["Eva Meier"], 1999, "Ringe und Körper"),
        ("Meier E. 1999. Ringe und Körper. Ulm: Verlag.",
         &["E. Meier"], 1999, "Ringe und Körper"),
        ("Erdélyi, G., O'Neill, S., Nováček, J.: Frugal colourings. Kisvár Reports 9, 1–24 (2001)",
         &["G. Erdélyi", "S. O'Neill", "J. Nováček"], 2001, "Frugal colourings"),
        ("I. García-Márquez, Í. Muñoz Peña and T. L. Nguyen. Syzygies of ideals. Preprint, 2006.",
         &["I. García-Márquez", "Í. Muñoz Peña", "T. L. Nguyen"], 2006, "Syzygies of ideals"),
        ("O. Beckenhauer, Über Rehbein, Euler und andere, Abhandlungen, 12 (1961), pp. 5–19.",
         &["O. Beckenhauer"], 1961, "Über Rehbein, Euler und andere"),
        ("J. Pichler, M. Leuthner, Steife Probleme in Mooren, Preprint, Universität Ulm, 2001.",
         &["J. Pichler", "M. Leuthner"], 2001, "Steife Probleme in Mooren"),
        ("von der Heide, Friederike; van den Brink, Joost: Fahrpläne im Tal. Ulm, 2011",
         &["Friederike von der Heide", "Joost van den Brink"], 2011, "Fahrpläne im Tal"),
        ("Müller, H., K. Meier und Eva Huber (1998): Lineare Algebra. Berlin: Springer.",
         &["H. Müller", "K. Meier", "Eva Huber"], 1998, "Lineare Algebra"),
        ("Meier, Eva. Ringe und Körper. Math. Notes 3 (1998), 1–20.",
         &["Eva Meier"], 1998, "Ringe und Körper"),
        ("P. Larsvold et al., Betti numbers, Fjordby Algebra Seminar 5 (1993), 23–58.",
         &["P. Larsvold"], 1993, "Betti numbers"),
    ];
    for (text, authors, year, title) in cases {
        let entry = bibliography_entry(text)
            .unwrap_or_else(|| panic!("no entry: {text}: {:?}", citation(text)));
        assert_eq!(names(&entry), *authors, "{text}");
        assert_eq!(entry.year, Some(*year), "{text}");
        assert_eq!(entry.title.as_deref(), Some(*title), "{text}");
    }
}

#[test]
fn no_entries() {
    let cases = [
        "",
        "Kontakt",
        "Mathias Flückiger: Vertragsverlängerung bis 2024",
        "Eva Meier in „Die große Anstalt“ vom 26.05.2015 über Dienste",
        "Von Eva Meier, am Mittwoch, 15. Mai 2019, 08.07 Uhr",
        "By Eva Meier, June 12, 2020 9:49 am, Updated: Aug. 18, 2020 4:17 pm EST",
        "Last Modified: Feb 18, 2020 by the people",
        "Eva Meier, geboren 1926, ist bekannt für ihre scharfsichtigen Satiren.",
        "Eva Meier",
        "Die Universität Ulm wurde 1967 gegründet und liegt auf dem Oberen Eselsberg.",
        "Im Jahr 1998 erschien ein Buch, das alles änderte, und niemand las es.",
        "Müller, H.: Ein Buch ohne Jahr. Berlin: Springer Verlag.",
        "Impressum | Datenschutz | Kontakt | © 2004 Universität Ulm, alle Rechte",
        "Startseite, Forschung, Lehre, Personen, Kontakt 2004 und mehr davon",
    ];
    for text in cases {
        assert_eq!(bibliography_entry(text), None, "{text}");
    }
}

#[test]
fn where_works_appeared() {
    #[rustfmt::skip]
    let cases = [
        // entry                                                                   venue                        pages
        ("Meier, Eva (1999): Ringe. In: Zeitschrift 3 (1999), S. 9–40",             "Zeitschrift",               "9–40"),
        ("E. Meier, Ringe, Kisvár Algebra Reports 11 (1992), 201–233.",             "Kisvár Algebra Reports",    "201–233"),
        ("O. Beckenhauer, Über Rehbein, Werthtaler Abhandlungen, 12 (1961), pp. 5–19.", "Werthtaler Abhandlungen", "5–19"),
        ("U. Meier. Ringe und mehr. Cahiers de Montbrun, 31:9–40, 1978.",           "Cahiers de Montbrun",       "9–40"),
        ("Meier, E. (2000): Pendeln. Werther Hefte für Soziologie 3, S. 41–66.",    "Werther Hefte für Soziologie", "41–66"),
        ("E. Meier, “Ringe,” Nordic Bulletin, vol. 14, pp. 120–151, 1990.",         "Nordic Bulletin",           "120–151"),
        ("Meier, E.: Ringe und mehr. Kisvár Reports 9, 1–24 (2001)",                "Kisvár Reports",            "1–24"),
        ("E. Meier. Ringe und mehr. Math. Zeitschrift, 3:1-20, 1998.",              "Math. Zeitschrift",         "1-20"),
        ("Eva Meier: „Ringe“. In: Uwe Huber (Hrsg.): Festschrift. Ulm 1998, S. 3–20.", "Festschrift",            "3–20"),
        ("Meier, E. (1987): Gitter und mehr. Ulm: Universitätsverlag.",             "Ulm: Universitätsverlag",   ""),
    ];
    for (text, venue, pages) in cases {
        let found = citation(text);
        assert_eq!(found.venue.as_deref().unwrap_or_default(), venue, "{text}");
        assert_eq!(found.pages.as_deref().unwrap_or_default(), pages, "{text}");
    }
}

#[test]
fn what_is_half_understood() {
    let body = citation("Bundesamt für Wasserbau (2004): Pegel und Fluten. Bonn.");
    assert_eq!((body.title.as_deref(), body.year), (Some("Pegel und Fluten"), Some(2004)));
    assert!(body.authors.is_empty());
    let undated = citation("Müller, H.: Ein Buch ohne Jahr. Berlin: Springer Verlag.");
    assert_eq!((undated.title.as_deref(), undated.year), (Some("Ein Buch ohne Jahr"), None));
    assert_eq!(names(&undated), ["H. Müller"]);
    let found = citation("E. Meier, Ringe, 1999. doi:10.1000/xyz.");
    assert_eq!(found.identifiers[0].to_string(), "doi:10.1000/xyz");
}

fn work(number: i64, title: &str, authors: &[&str], year: u16) -> Work {
    Work {
        document: RequestId(number),
        title: Some(title.to_owned()),
        authors: authors.iter().map(|&author| author.to_owned()).collect(),
        year: (year > 0).then_some(year),
        identifiers: Vec::new(),
        cites: false,
    }
}

#[test]
fn works_are_found_by_their_entries() {
    let identified = Work {
        identifiers: super::work_identifiers(
            "10.1000/ABC arXiv:math/0309136 http://u.example/m/a.pdf",
        ),
        ..work(9, "", &[], 0)
    };
    let works = Works::new(vec![
        work(1, "Ein Gegenbeispiel zur Vermutung über schmale Ideale", &["Ingrid Sattler"], 1998),
        work(2, "Ein Gegenbeispiel, das keines war", &["Ingrid Sattler"], 2011),
        work(3, "Lineare Algebra", &["Eva Müller"], 1998),
        work(4, "Ein Gegenbeispiel", &["Ingrid Sattler"], 1990),
        work(5, "Große Flüsse und effiziente Maße", &["Uwe Groß"], 2001),
        work(6, "Iterative Methoden für Gleichungen, Teil I", &["Anna Huber"], 1995),
        work(7, "Pegel und Fluten im Tal der Werth", &[], 2004),
        work(8, "Error estimates in negative norms", &["Max Rosenthau"], 1984),
        work(
            10,
            "Netzwerke des Feierabends: Wer mit wem nach der Arbeit",
            &["Uwe Kattwinkel"],
            2002,
        ),
        identified,
    ]);
    use CitationEvidence::{Address, Arxiv, Author, Doi, SimilarTitle, Title, Year};
    #[rustfmt::skip]
    let cases: &[(&str, i64, &[CitationEvidence])] = &[
        ("I. Sattler, Ein Gegenbeispiel zur Vermutung über schmale Ideale, Abh. 35 (1998), 12–29.", 1, &[Title, Author, Year]),
        ("Sattler, I. (2011): Ein Gegenbeispiel, das keines war. Ulm.",                   2, &[Title, Author, Year]),
        ("I. Sattler, Ein Gegenbeispiel, das keines war, Abh. 35 (2011), 12–29.",         2, &[Title, Author, Year]),
        ("I. Sattler, Ein Gegenbeispiel, Abh. 3 (1990), 12–29.",                          4, &[Title, Author, Year]),
        ("I. Sattler, Ein Gegenbeispiel mit vielen Seiten, Abh. 3 (1990), 12–29.",        0, &[]),
        ("Müller, E. (1998): Lineare Algebra. Berlin: Springer.",                         3, &[Title, Author, Year]),
        ("Müller, E. (1998): Lineare Algebra. Eine Einführung. Berlin: Springer.",        3, &[Title, Author, Year]),
        ("Huber, E. (1998): Lineare Algebra. Berlin: Springer.",                          0, &[]),
        ("Lineare Algebra. Berlin: Springer, 1998.",                                      0, &[]),
        ("Müller, E. (1998): Einführung in die lineare Algebra. Berlin: Springer.",       0, &[]),
        ("GROSS, U.: Grosse Fluesse und ef\u{fb01}zi- ente Masse. Ulm 2001",               5, &[Title, Author, Year]),
        ("U. Groß. Große Flüsse und effziente Maße. Preprint, 2001.",                     5, &[SimilarTitle, Author, Year]),
        ("A. Huber. Iterative Methoden für Gleichungen, Teil I. Notes 4, 1995.",          6, &[Title, Author, Year]),
        ("A. Huber. Iterative Methoden für Gleichungen, Teil II. Notes 5, 1996.",         0, &[]),
        ("Amt für Wasser (2004): Pegel und Fluten im Tal der Werth. Bonn.",               7, &[Title, Year]),
        ("Amt für Wasser (1984): Pegel und Fluten im Tal der Werth. Bonn.",               0, &[]),
        ("G. Schön, Error estimates in negative norms and the accuracy of solutions, Preprint, 1984.", 0, &[]),
        ("U. Kattwinkel. Netzwerke des Feierabends. Arbeitspapier 11, 2002.",              10, &[SimilarTitle, Author, Year]),
        ("U. Kattwinkel. Netzwerke des Feierabends: Ein Nachtrag. Arbeitspapier 12, 2002.", 0, &[]),
        ("Irgendwer, irgendwo. doi:10.1000/abc.",                                         9, &[Doi]),
        ("Irgendwer, arXiv:math/0309136v3",                                               9, &[Arxiv]),
        ("Irgendwer, http://www.u.example/m/a.pdf.",                                      9, &[Address]),
        ("",                                                                              0, &[]),
    ];
    for (entry, document, by) in cases {
        let found = works.cited(RequestId(99), entry);
        let told = found.as_ref().map_or((0, &[][..]), |it| (it.document.0, it.by.as_slice()));
        assert_eq!(told, (*document, *by), "{entry}");
        assert!(found.is_none_or(|it| (0.6..=1.0).contains(&it.score)), "{entry}");
    }
}

#[test]
fn no_work_cites_itself_or_a_copy() {
    let entry = "E. Meier, Ringe über Körpern, Notes 3 (1999), 1–9.";
    let mut works = vec![
        work(1, "Ringe über Körpern", &["Eva Meier"], 1999),
        work(2, "RINGE UEBER KOERPERN", &["Meier, Eva"], 0),
        work(3, "Moduln", &["Eva Meier"], 1999),
    ];
    let cited = |works: &[Work], citing| {
        Works::new(works.to_vec()).cited(RequestId(citing), entry).map(|it| it.document.0)
    };
    assert_eq!(cited(&works, 3), Some(1), "the first of the copies");
    assert_eq!(cited(&works, 1), None);
    assert_eq!(cited(&works, 2), None);
    works[1].cites = true;
    assert_eq!(cited(&works, 3), Some(2), "the one from which steps go on");
}

fn preprints(file: &str) -> Vec<Value> {
    let path = format!("{}/../testnet/preprints/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the test preprints");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list");
    list.iter().map(|it| it.as_str().expect("a text").to_owned()).collect()
}

/// The right answers of the test preprints give exactly the citations between them.
#[test]
fn citations_of_the_test_preprints() {
    let gold = preprints("gold.jsonl");
    let known = |paper: &Value, number: usize| Work {
        document: RequestId(number as i64),
        title: paper["title"].as_str().map(str::to_owned),
        authors: texts(&paper["author"]),
        year: paper["dated"].as_str().and_then(|date| date[..4].parse().ok()),
        identifiers: Vec::new(),
        cites: true,
    };
    let works = Works::new(gold.iter().enumerate().map(|(at, paper)| known(paper, at)).collect());
    let id = |number: i64| gold[number as usize]["id"].as_str().expect("a name").to_owned();
    let mut found = BTreeSet::new();
    for (number, paper) in (0..).zip(&gold) {
        for entry in texts(&paper["references"]) {
            if let Some(cited) = works.cited(RequestId(number), &entry) {
                found.insert((id(number), id(cited.document.0)));
            }
        }
    }
    let mut expected = BTreeSet::new();
    for paper in preprints("citations.jsonl") {
        let citing = paper["id"].as_str().expect("a name");
        expected.extend(texts(&paper["cites"]).into_iter().map(|cited| (citing.to_owned(), cited)));
    }
    assert_eq!(expected.len(), 50);
    assert_eq!(found, expected);
}

/// All entries of the test preprints have authors, a title and a year.
#[test]
fn entries_of_the_test_preprints() {
    for paper in preprints("gold.jsonl") {
        for entry in texts(&paper["references"]) {
            let found = bibliography_entry(&entry);
            assert!(found.is_some(), "{entry}: {:?}", citation(&entry));
        }
    }
}

proptest! {
    #[test]
    fn any_text(text in "\\PC{0,300}|[A-Z][a-z]{2,8}, [A-Z]\\. \\([0-9]{4}\\)[:.] \\PC{0,80}|[A-Z]\\. [A-Z][a-z]{2,5}, (\\PC{0,30}, ){0,5}[0-9]{1,4} \\([0-9]{4}\\)") {
        if let Some(entry) = bibliography_entry(&text) {
            prop_assert!(!entry.authors.is_empty());
            prop_assert!(entry.year.is_some());
        }
        let works = Works::new(vec![work(1, &text, &["Eva Meier"], 1999), work(2, "Ringe", &[], 0)]);
        if let Some(cited) = works.cited(RequestId(2), &text) {
            prop_assert!((0.0..=1.0).contains(&cited.score));
        }
    }
}
