//! The Faculty of Mathematics: people, courses, publications and preprints.

use super::files::{self, MATH, with_index};
use super::papers::papers;
use super::preprint_series::preprints;
use crate::answer::Answer;
use crate::picture::png;
use crate::site::Site;

pub(super) const HOST: &str = "math.uni-hohenwerth.example";

struct Person {
    id: &'static str,
    name: &'static str,
    role: &'static str,
    room: &'static str,
    /// In German or English, as they wrote it themselves.
    lang: &'static str,
    interests: &'static str,
}

#[rustfmt::skip]
const PEOPLE: &[Person] = &[
    Person { id: "angerbauer", name: "Prof. Dr. Hedwig Angerbauer", role: "Algebra (beurlaubt, Präsidentin)", room: "K 401", lang: "de",
        interests: "Darstellungen endlicher Gruppen, Gitter, und seit einiger Zeit Haushaltspläne." },
    Person { id: "leuthner", name: "Prof. Dr. Matthias Leuthner", role: "Angewandte Mathematik", room: "K 312", lang: "de",
        interests: "Steife Differentialgleichungen, Vorhersagen mit Angabe ihrer Unsicherheit, Hydrologie kleiner Täler." },
    Person { id: "mueller", name: "Prof. Dr. Karl-Heinz Müller", role: "Analysis (emeritiert)", room: "K 099", lang: "de",
        interests: "Reelle Analysis, Lehre für Hörer aller Fächer, Modelleisenbahn." },
    Person { id: "voss", name: "Prof. Dr. Renate Voss", role: "Geschichte der Mathematik", room: "K 215", lang: "de",
        interests: "Mathematik im neunzehnten Jahrhundert, Editionsphilologie, Nachlass Eberling." },
    Person { id: "sattler", name: "Dr. Ingrid Sattler", role: "Algebra", room: "K 405", lang: "de",
        interests: "Kommutative Algebra, Gegenbeispiele, die Frage, wann ein Ring zu klein ist." },
    Person { id: "pichler", name: "Dr. Jonas Pichler", role: "Angewandte Mathematik", room: "K 314", lang: "de",
        interests: "Numerik, Moore, Programme, die auch morgen noch laufen." },
    Person { id: "okafor", name: "Dr. Chidi Okafor", role: "Analysis", room: "K 120", lang: "en",
        interests: "I work on Fourier analysis on thin sets and on inequalities that are almost sharp. I teach in English and am \
                    happy to supervise theses in either language." },
    Person { id: "lindqvist", name: "Dr. Maja Lindqvist", role: "Stochastik", room: "K 122", lang: "en",
        interests: "Random walks in strips, percolation, and the statistics of river levels." },
    Person { id: "brandl", name: "Sepp Brandl, M.Sc.", role: "Promotion Analysis", room: "K 018", lang: "de",
        interests: "Singuläre Integrale. Nebenbei: Bergrettung." },
    Person { id: "nguyen", name: "Thi Lan Nguyen, M.Sc.", role: "Promotion Algebra", room: "K 019", lang: "en",
        interests: "Lattices and their automorphism groups; computer algebra." },
    Person { id: "hartwig", name: "Paula Hartwig, M.A.", role: "Promotion Geschichte der Mathematik", room: "K 216", lang: "de",
        interests: "Mathematischer Unterricht an Landesschulen um 1750." },
    Person { id: "sekretariat", name: "Monika Feichtl", role: "Sekretariat", room: "K 100", lang: "de",
        interests: "Öffnungszeiten: Mo bis Do 9–12 Uhr. Wer Kuchen bringt, auch freitags." },
];

struct Course {
    number: &'static str,
    title: &'static str,
    teacher: &'static str,
    text: &'static str,
}

#[rustfmt::skip]
const COURSES: &[Course] = &[
    Course { number: "1101", title: "Analysis I", teacher: "okafor", text: "Zahlen, Folgen, Stetigkeit, Differentialrechnung in einer Veränderlichen." },
    Course { number: "1102", title: "Lineare Algebra I", teacher: "sattler", text: "Vektorräume, lineare Abbildungen, Determinanten; mit Übungen in kleinen Gruppen." },
    Course { number: "1201", title: "Analysis III", teacher: "okafor", text: "Maßtheorie und Integration, Fouriertransformation." },
    Course { number: "1210", title: "Stochastik", teacher: "lindqvist", text: "Wahrscheinlichkeitsräume, Zufallsgrößen, Grenzwertsätze." },
    Course { number: "1305", title: "Numerik gewöhnlicher Differentialgleichungen", teacher: "leuthner", text: "Einschritt- und Mehrschrittverfahren, Steifheit, Schrittweitensteuerung." },
    Course { number: "1310", title: "Kommutative Algebra", teacher: "sattler", text: "Ringe, Moduln, Lokalisierung, Dimension." },
    Course { number: "1402", title: "Random walks (in English)", teacher: "lindqvist", text: "Recurrence, transience, walks in strips. Prerequisite: a first course in probability." },
    Course { number: "1420", title: "Geschichte der Mathematik im 19. Jahrhundert", teacher: "voss", text: "Von Fourier bis Cantor, mit Besuch in der Handschriftenabteilung." },
    Course { number: "1501", title: "Seminar: Gegenbeispiele", teacher: "sattler", text: "Jede Sitzung ein Satz, der nicht stimmt." },
    Course { number: "1502", title: "Seminar: Wasser rechnen", teacher: "pichler", text: "Gemeinsam mit der Hydrologie; Exkursion zum Klosterwehr." },
];

/// Files for students, and what the page calls them.
#[rustfmt::skip]
const HANDOUTS: &[(&str, &str)] = &[
    ("studienordnung.docx", "Studienordnung Bachelor Mathematik"),
    ("merkblatt.doc", "Merkblatt für Abschlussarbeiten (Word)"),
    ("antrag.rtf", "Antrag auf Anerkennung"),
    ("klausur-1201.pdf", "Klausur zur Analysis III (Kennwort in der Vorlesung)"),
];

struct Publication {
    year: u16,
    authors: &'static [&'static str],
    title: &'static str,
    place: &'static str,
}

#[rustfmt::skip]
const PUBLICATIONS: &[Publication] = &[
    Publication { year: 2026, authors: &["sattler"], title: "Ein Gegenbeispiel, das keines war", place: "Werthtaler Abhandlungen 41, 12–29" },
    Publication { year: 2026, authors: &["leuthner", "pichler"], title: "Ensemble forecasts for small alpine catchments", place: "Journal of Invented Hydrology 8, 101–137" },
    Publication { year: 2025, authors: &["okafor"], title: "Almost sharp inequalities on thin sets", place: "Hohenwerth Preprint 2025-03" },
    Publication { year: 2025, authors: &["lindqvist", "nguyen"], title: "Lattice walks in thin strips", place: "Annals of Small Results 12, 1–18" },
    Publication { year: 2024, authors: &["voss", "hartwig"], title: "Feldmesser und Kegelschnitte: Unterricht in Hohenwerth 1743–1768", place: "Archiv für Landesgeschichte 77, 203–241" },
    Publication { year: 2024, authors: &["voss"], title: "Eberling, Konrad: Gesammelte Schriften, Band 2", place: "Hohenwerth: Universitätsverlag" },
    Publication { year: 2023, authors: &["pichler"], title: "Programme, die morgen noch laufen", place: "Mitteilungen des Rechenzentrums 3, 2–9" },
    Publication { year: 2023, authors: &["nguyen", "angerbauer"], title: "Automorphisms of a lattice of rank eleven", place: "Hohenwerth Preprint 2023-01" },
    Publication { year: 1998, authors: &["mueller"], title: "Analysis für Hörer aller Fächer", place: "Vorlesungsskript, Hohenwerth" },
];

pub(super) fn site() -> Site {
    let site = files::site(&format!("http://{HOST}"), HOST, MATH);
    let site = publications(courses(people(site)));
    let site = preprints(papers(site, HOST));
    ["integral", "karo"].into_iter().zip(1u8..).fold(site, |site, (name, tint)| {
        let bytes = png(12, 12, |x, y| if (x + y) % 4 == 0 { [tint * 50; 3] } else { [255; 3] });
        site.file(&format!("/{name}.png"), "image/png", bytes)
    })
}

fn people(site: Site) -> Site {
    let list: String = PEOPLE
        .iter()
        .map(|p| format!("<li><a href=\"/personen/{}.html\">{}</a>, {}\n", p.id, p.name, p.role))
        .collect();
    let site = list_page(site, "/personen/index.html", "Personen", &list);
    PEOPLE.iter().fold(site, |site, person| {
        let path = format!("/personen/{}.html", person.id);
        let content = format!(
            "<p><b>{}</b>, Klosterberg 4, Raum {}<br>\n\
             <a href=\"mailto:{}@math.uni-hohenwerth.example\">{}@math.uni-hohenwerth.example</a></p>\n\
             <p>{}</p>\n{}{}",
            person.role,
            person.room,
            person.id,
            person.id,
            person.interests,
            linked(COURSES.iter().filter(|course| course.teacher == person.id).map(course_link)),
            linked(PUBLICATIONS.iter().filter(|p| p.authors.contains(&person.id)).map(citation)),
        );
        site.page(&path, MATH.page(&path, person.lang, person.name, &content))
    })
}

fn courses(site: Site) -> Site {
    let courses = COURSES.iter().map(|course| format!("<li>{}\n", course_link(course)));
    let handouts =
        HANDOUTS.iter().map(|(file, text)| format!("<li><a href=\"/lehre/{file}\">{text}</a>\n"));
    let list: String = courses.chain(handouts).collect();
    let site = list_page(site, "/lehre/index.html", "Lehre", &list);
    COURSES.iter().fold(site, |site, course| {
        let path = format!("/lehre/{}.html", course.number);
        let content = format!(
            "<p>{}</p>\n<p>Dozent/in: {}</p>\n<p><a href=\"/lehre/{}-uebungen.html\">Übungsblätter</a></p>\n",
            course.text,
            person_link(course.teacher),
            course.number,
        );
        site.page(&path, MATH.page(&path, "de", course.title, &content))
    })
}

fn publications(site: Site) -> Site {
    let mut years: Vec<u16> = PUBLICATIONS.iter().map(|publication| publication.year).collect();
    years.dedup();
    let list: String =
        years.iter().map(|year| format!("<li><a href=\"{year}.html\">{year}</a>\n")).collect();
    let site = list_page(site, "/publikationen/index.html", "Publikationen", &list);
    years.into_iter().fold(site, |site, year| {
        let path = format!("/publikationen/{year}.html");
        let of_year = PUBLICATIONS.iter().filter(|publication| publication.year == year);
        let title = format!("Publikationen {year}");
        site.page(&path, MATH.page(&path, "de", &title, &linked(of_year.map(citation))))
    })
}

fn list_page(site: Site, path: &str, title: &str, items: &str) -> Site {
    let page = MATH.page(path, "de", title, &format!("<ul>\n{items}</ul>\n"));
    with_index(site, path, Answer::page(page))
}

fn linked(items: impl Iterator<Item = String>) -> String {
    let items: String = items.map(|item| format!("<li>{item}\n")).collect();
    if items.is_empty() { items } else { format!("<ul>\n{items}</ul>\n") }
}

fn course_link(course: &Course) -> String {
    format!("<a href=\"/lehre/{}.html\">{} {}</a>", course.number, course.number, course.title)
}

fn citation(publication: &Publication) -> String {
    let authors: Vec<String> = publication.authors.iter().map(|id| person_link(id)).collect();
    let Publication { year, title, place, .. } = publication;
    format!("{}: <i>{title}</i>. {place} ({year})", authors.join(", "))
}

fn person_link(id: &str) -> String {
    let name = PEOPLE.iter().find(|person| person.id == id).map_or(id, |person| person.name);
    format!("<a href=\"/personen/{id}.html\">{name}</a>")
}
