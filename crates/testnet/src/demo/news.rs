//! The news of the university: a list, a page for each item, and a feed.

use super::files::{HOHENWERTH, with_index};
use crate::answer::Answer;
use crate::site::Site;

struct Item {
    name: &'static str,
    date: &'static str,
    title: &'static str,
    text: &'static str,
}

#[rustfmt::skip]
const ITEMS: &[Item] = &[
    Item { name: "hochwasser-modell", date: "2026-10-28", title: "Modell sagt Herbsthochwasser voraus",
        text: "Sechs Stunden vor dem Scheitel wusste die Arbeitsgruppe Hydrologie, wie hoch die Werth am Klosterwehr steigen \
               würde. Die Stadt konnte den Weihnachtsmarktaufbau rechtzeitig verlegen. „Das Modell war besser als unser \
               Bauchgefühl“, sagte der Bürgermeister, „und unser Bauchgefühl war schon nicht schlecht.“" },
    Item { name: "eberling-band-3", date: "2026-09-14", title: "Dritter Band der Eberling-Edition erschienen",
        text: "Der Band enthält die Vorlesungen über elliptische Funktionen aus den Jahren 1852 bis 1858, erstmals mit den \
               Zwischenrechnungen, die Eberling auf die Rückseiten von Holzrechnungen schrieb." },
    Item { name: "semesterbeginn", date: "2026-10-01", title: "1.318 neue Studierende begrüßt",
        text: "Präsidentin Angerbauer begrüßte die Erstsemester im Innenhof des Schlosses. Es regnete; die Rede wurde gekürzt." },
    Item { name: "neuer-server", date: "2026-08-20", title: "Rechenzentrum kündigt Abschaltung des alten Servers an",
        text: "Der Server alt.uni-hohenwerth.example soll zum Jahresende abgeschaltet werden. Das war auch 2009, 2014 und 2021 \
               angekündigt worden. Wer dort noch Seiten hat, möge sie sichern." },
    Item { name: "lesesaal", date: "2026-07-02", title: "Lesesaal wieder geöffnet",
        text: "Nach acht Monaten Umbau ist der Lesesaal der Bibliothek wieder zugänglich. Neu sind 60 Steckdosen, alt geblieben \
               ist die Treppe, die bei jedem Schritt den Namen des Kanzlers zu flüstern scheint." },
    Item { name: "preis-sattler", date: "2026-06-11", title: "Auszeichnung für Ingrid Sattler",
        text: "Die Algebraikerin Dr. Ingrid Sattler erhält den Nachwuchspreis der Werthtaler Akademie für ihre Arbeit über ein \
               Gegenbeispiel, das sich als Beispiel herausstellte." },
    Item { name: "partnerschaft-niederau", date: "2026-05-05", title: "Gemeinsamer Master mit Niederau verlängert",
        text: "Universität und Fachhochschule Niederau setzen den gemeinsamen Studiengang Wasserbau und Gewässerökologie bis 2032 \
               fort. Der Vertrag wurde auf dem Wehr unterzeichnet." },
    Item { name: "summer-school", date: "2026-03-18", title: "Summer school on small rivers",
        text: "In August the Alpine Foreland Network invites forty graduate students to a summer school on small rivers. Lectures \
               are in English, excursions in rubber boots. Applications are open until the end of April." },
];

/// Adds the list, the items and the feed to the home site.
pub(super) fn add_to(site: Site) -> Site {
    let list: String = ITEMS
        .iter()
        .map(|item| {
            format!("<li>{} <a href=\"{}.html\">{}</a></li>\n", item.date, item.name, item.title)
        })
        .collect();
    let page = HOHENWERTH.page("/aktuelles/", "de", "Aktuelles", &format!("<ul>\n{list}</ul>\n"));
    let site = with_index(site, "/aktuelles/index.html", Answer::page(page));
    let site = ITEMS.iter().fold(site, |site, item| {
        let path = format!("/aktuelles/{}.html", item.name);
        // The same item again under another address, as content systems like to have it.
        let again = format!("/aktuelles/artikel.php?id={}", item.name);
        let lang = if item.name == "summer-school" { "en" } else { "de" };
        let content = format!(
            "<p class=\"datum\">{}</p>\n<p>{}</p>\n<p><a href=\"{again}\">Dauerhafte Adresse</a></p>\n",
            item.date, item.text
        );
        let answer = Answer::page(HOHENWERTH.page(&path, lang, item.title, &content)).gzip();
        site.answer(&path, answer.clone()).answer(&again, answer)
    });
    site.file("/aktuelles/feed.xml", "application/atom+xml", feed())
}

fn feed() -> String {
    let entry = |item: &Item| {
        format!(
            "<entry><title>{}</title><id>urn:hohenwerth:{}</id><updated>{}T08:00:00Z</updated>\
             <link href=\"/aktuelles/{}.html\"/></entry>\n",
            item.title, item.name, item.date, item.name
        )
    };
    let entries: String = ITEMS.iter().map(entry).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <title>Universität Hohenwerth: Aktuelles</title><id>urn:hohenwerth:aktuelles</id>\n\
         <updated>2026-10-28T08:00:00Z</updated>\n{entries}</feed>\n"
    )
}
