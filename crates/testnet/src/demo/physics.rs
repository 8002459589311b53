//! The physics laboratory course, on a port of its own.

use super::files::{self, HOHENWERTH};
use crate::answer::Answer;
use crate::site::Site;

const HOST: &str = "physik.uni-hohenwerth.example";

#[rustfmt::skip]
const EXPERIMENTS: &[(&str, &str)] = &[
    ("Mathematisches Pendel", "Bestimmung der Fallbeschleunigung aus der Schwingungsdauer. Man messe zwanzig Schwingungen, nicht eine, \
        und schätze den Fehler der Stoppuhr und den der Hand, die sie drückt."),
    ("Viskosität von Honig", "Kugelfallviskosimeter. Der Honig wird nach dem Versuch nicht gegessen; das Schild hat einen Grund."),
    ("Wheatstonesche Brücke", "Vergleich unbekannter Widerstände mit einem Normal. Abgleich auf Null, Ablesung mit dem Nonius."),
    ("Beugung am Spalt", "Laserlicht an Einzel- und Doppelspalt. Schutzbrille tragen, Spiegel abdecken, Vorhang schließen."),
    ("Abfluss am Modellwehr", "Überfallhöhe und Durchfluss an einem Wehr im Maßstab 1:25, mit Vergleich zum Pegel am Klosterwehr."),
    ("Radioaktiver Zerfall", "Zählstatistik mit einer schwachen Quelle. Die Verteilung der Zählraten ist das Ergebnis, nicht die Störung."),
];

pub(super) fn sites() -> [Site; 2] {
    [files::site(&format!("http://{HOST}"), HOST, HOHENWERTH), course()]
}

fn course() -> Site {
    let site = Site::new(format!("http://{HOST}:8080"));
    let list: String = numbered()
        .map(|(number, (title, _))| {
            format!("<li><a href=\"versuch{number}.html\">{title}</a></li>\n")
        })
        .collect();
    let start = page("Physikalisches Praktikum", &format!("<ol>\n{list}</ol>\n"));
    let site = site.answer("/", start.clone()).answer("/index.html", start);
    numbered().fold(site, |site, (number, (title, text))| {
        let next = number % EXPERIMENTS.len() + 1;
        let content = format!("<p>{text}</p>\n<p><a href=\"versuch{next}.html\">weiter</a></p>\n");
        // The course server sends everything in chunks.
        site.answer(&format!("/versuch{number}.html"), page(title, &content).chunked(500))
    })
}

fn numbered() -> impl Iterator<Item = (usize, &'static (&'static str, &'static str))> {
    (1..).zip(EXPERIMENTS)
}

fn page(title: &str, content: &str) -> Answer {
    Answer::page(format!(
        "<!DOCTYPE html>\n<html lang=\"de\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body><h1>{title}</h1>\n{content}<p><a href=\"http://www.uni-hohenwerth.example/\">Universität \
         Hohenwerth</a></p></body></html>\n"
    ))
}
