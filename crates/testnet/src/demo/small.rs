//! The many small sites around the two institutions: members on domains of their own, and hosts
//! that only look like members. What each of them is stands in [`super::truth`].

use super::holders::{self, Holder};
use crate::site::Site;
use crate::tls::Identity;

/// A site of one page, or of two if it has an imprint.
struct Small {
    host: &'static str,
    address: &'static str,
    title: &'static str,
    text: &'static str,
    /// Where the page leads.
    links: &'static [&'static str],
    imprint: Imprint,
}

enum Imprint {
    Missing,
    /// A part of the university, with its mailbox.
    University(&'static str, &'static str),
    Of(Holder),
}

use Imprint::{Missing, Of, University};

const HOME: &str = "http://www.uni-hohenwerth.example/";

#[rustfmt::skip]
const SITES: &[Small] = &[
    // In the ranges of the university, linked by its pages.
    Small { host: "www.mathematik-tage.example", address: "198.18.1.40", title: "Mathematik-Tage",
        text: "Drei Tage im Juni rechnen Schulklassen aus dem ganzen Tal um einen Käse. Anmeldung bis Ostern.",
        links: &[HOME, "http://math.uni-hohenwerth.example/"], imprint: Missing },
    Small { host: "universität-hohenwerth.example", address: "198.18.1.10", title: "Universität Hohenwerth",
        text: "Wer unseren Namen mit Umlaut schreibt, ist hier richtig und wird weitergereicht.",
        links: &[HOME], imprint: Missing },
    Small { host: "www.werthtal-hydrologie.example", address: "2001:db8:1::60", title: "Pegel im Werthtal",
        text: "Elf Pegel, alle fünf Minuten abgelesen. Dieser Server spricht nur IPv6, zur Freude der Technik.",
        links: &[HOME], imprint: Missing },
    Small { host: "www.sternwarte-hohenwerth.example", address: "198.18.2.20", title: "Sternwarte auf dem Klosterberg",
        text: "Beobachtungsabende bei klarem Himmel, freitags ab Einbruch der Dunkelheit. Es ist kälter, als man denkt.",
        links: &[HOME], imprint: Missing },
    Small { host: "hohenwerth-uni.example", address: "198.18.1.10", title: "Hohenwerth Uni",
        text: "Eine zweite Adresse der Hochschule, von einem früheren Webmaster über einen Dienst angemeldet.",
        links: &[HOME], imprint: Missing },
    Small { host: "tanzclub-werth.example", address: "198.18.1.66", title: "Tanzclub Werth",
        text: "Der Verein darf einen Rechner im Hochschulnetz mitbenutzen. Tango montags, Walzer mittwochs, Applaus immer.",
        links: &[], imprint: Of(holders::DANCERS) },

    // Elsewhere, linked.
    Small { host: "www.tagung-alpenvorland.example", address: "192.0.2.101", title: "Tagung Alpenvorland",
        text: "Alle zwei Jahre treffen sich hundert Menschen, die über Schotter reden wollen. Programm und Anreise folgen.",
        links: &["http://archiv-alpenvorland.example/", "http://www.druckerei-werth.example/", HOME], imprint: Missing },
    Small { host: "www.werther-kreis.example", address: "192.0.2.102", title: "Werther Kreis",
        text: "Lesekreis für vergessene Reisebeschreibungen. Die Sammlung wächst schneller als das Regal.",
        links: &["http://sammlung.werther-kreis.example/"], imprint: Missing },
    Small { host: "www.hohenwerth-sommerkurse.at-example", address: "192.0.2.103", title: "Sommerkurse am See",
        text: "Deutsch für Fortgeschrittene, Rudern für Anfänger. Unterricht vormittags, Wasser nachmittags.",
        links: &[], imprint: Missing },
    Small { host: "www.eberling-edition.com-example", address: "198.51.100.50", title: "Eberling digital",
        text: "Die Briefe Konrad Eberlings mit Faksimile und Kommentar, Band für Band.",
        links: &[], imprint: Missing },
    Small { host: "bergwetter.latin-example", address: "192.0.2.104", title: "Bergwetter",
        text: "Niederschlag, Wind und Schneehöhe von vier Stationen oberhalb der Waldgrenze.",
        links: &[], imprint: Missing },
    Small { host: "www.hochschulsport.org-example", address: "192.0.2.105", title: "Hochschulsport",
        text: "Klettern, Rudern, Frühgymnastik. Die Halle ist geheizt, sobald alle warm sind.",
        links: &[], imprint: Missing },
    Small { host: "medien.uni-hohenwerth.example", address: "", title: "Mediathek",
        text: "Aufzeichnungen von Ringvorlesungen, ausgeliefert von vielen Rechnern in aller Welt.",
        links: &[HOME], imprint: Missing },
    Small { host: "www.wasserforum-werth.example", address: "192.0.2.106", title: "Wasserforum Werth",
        text: "Kommunen und Forschung am runden Tisch, dreimal im Jahr, mit Leitungswasser.",
        links: &[HOME], imprint: University("Institut für Hydrologie", "wasserforum") },
    Small { host: "chor.silent-example", address: "192.0.2.107", title: "Chor und Orchester",
        text: "Probe dienstags im Kreuzgang. Bässe werden gesucht, Soprane haben wir.",
        links: &[HOME], imprint: University("Collegium musicum", "chor") },
    Small { host: "theater.throttle-example", address: "192.0.2.108", title: "Theatergruppe",
        text: "In diesem Winter: ein Stück mit drei Türen und vier Verwechslungen.",
        links: &[HOME], imprint: University("Seminar für Germanistik", "theater") },

    // In the ranges, linked by members elsewhere only.
    Small { host: "archiv-alpenvorland.example", address: "198.18.1.70", title: "Archiv der Alpenvorlandtagungen",
        text: "Tagungsbände seit 1978, die frühen mit Schreibmaschine.",
        links: &[], imprint: Missing },
    Small { host: "sammlung.werther-kreis.example", address: "198.18.2.30", title: "Sammlung Reisebeschreibungen",
        text: "412 Titel, davon 390 ohne Ankunft.",
        links: &[], imprint: Missing },

    // In the ranges, linked by nobody.
    Small { host: "pruefungsamt.uni-hohenwerth.example", address: "198.18.1.80", title: "Prüfungsamt",
        text: "Fristen und Formulare. Sprechstunde nach Vereinbarung, Vereinbarung in der Sprechstunde.",
        links: &[], imprint: Missing },
    Small { host: "herbarium-werth.example", address: "198.18.1.82", title: "Herbarium",
        text: "9.000 Bögen, gepresst, beschriftet und leicht nach Kampfer riechend.",
        links: &[], imprint: Missing },
    Small { host: "alumni-werth.example", address: "198.18.1.20", title: "Ehemalige",
        text: "Wer hier studiert hat, darf sich eintragen; die Liste beginnt 1951.",
        links: &[], imprint: Missing },
    Small { host: "seminar-algebra.uni-hohenwerth.example", address: "198.18.1.30", title: "Algebra-Seminar",
        text: "Vorträge des laufenden Semesters, mit Gegenbeispielen.",
        links: &[], imprint: Missing },

    // Elsewhere, linked by nobody.
    Small { host: "www.kinderuni-werth.example", address: "192.0.2.120", title: "Kinderuni",
        text: "Warum ist die Werth im Frühjahr braun? Vorlesungen für Menschen von acht bis zwölf.",
        links: &[], imprint: Missing },
    Small { host: "preis-werthtal.example", address: "192.0.2.121", title: "Werthtaler Preis",
        text: "Alle drei Jahre für eine Arbeit, die kürzer ist als ihr Titel.",
        links: &[], imprint: University("Präsidium", "preis") },
    Small { host: "verschollen-werth.example", address: "192.0.2.122", title: "Projekt ohne Verweis",
        text: "Ein Drittmittelprojekt von 2009. Niemand weiß mehr, wer es betreut hat.",
        links: &[], imprint: Missing },

    // The other institution.
    Small { host: "www.wasserlabor-niederau.example", address: "203.0.113.40", title: "Wasserlabor",
        text: "Rinne, Pumpe, Schlamm: das Labor der Fachhochschule am Wehr.",
        links: &["http://www.fh-niederau.example/"], imprint: Of(holders::COLLEGE) },
    Small { host: "www.holzbau-tagung.org-example", address: "192.0.2.110", title: "Holzbautagung",
        text: "Balken, Zapfen, Brandschutz. Die Tagung findet in einer Scheune statt.",
        links: &["http://www.fh-niederau.example/"], imprint: Missing },

    // Strangers.
    Small { host: "www.institut-gewaesser.example", address: "198.18.77.10", title: "Institut für Gewässerkunde",
        text: "Angewandte Forschung für Kläranlagen und Fischtreppen, im Forschungsnetz zu Hause.",
        links: &[HOME], imprint: Of(holders::WATER_INSTITUTE) },
    Small { host: "www.forschungsnetz-werth.example", address: "198.18.0.10", title: "Forschungsnetz Werth",
        text: "Leitungen für die Hochschulen und Institute des Landes. Störungen bitte nicht per E-Mail melden.",
        links: &[HOME, "http://www.institut-gewaesser.example/"], imprint: Of(holders::RESEARCH_NET) },
    Small { host: "www.uni-hohenwerth-ferien.example", address: "192.0.2.130", title: "Ferien an der Uni Hohenwerth",
        text: "Helle Wohnungen mit Blick auf das Schloss, fünf Minuten zur Mensa.",
        links: &[HOME], imprint: Of(holders::HOLIDAY_FLATS) },
    Small { host: "www.fh-hohenwerth.example", address: "192.0.2.131", title: "Fachhochschule Hohenwerth",
        text: "Private Fachhochschule für Tourismus. Mit der Universität am Ort verbindet uns die Bushaltestelle.",
        links: &[HOME], imprint: Of(holders::OTHER_SCHOOL) },
    Small { host: "www.baeckerei-werth.example", address: "192.0.2.132", title: "Bäckerei Werth",
        text: "Brezen für jede Sitzung, auch für lange.",
        links: &[], imprint: Of(holders::BAKERY) },
    Small { host: "www.webhaus.example", address: "192.0.2.1", title: "Webhaus Werth",
        text: "Webseiten, Namen und Postfächer für das ganze Tal.",
        links: &["http://www.baeckerei-werth.example/"], imprint: Of(holders::PROVIDER) },
    Small { host: "hohenwerth-nachrichten.example", address: "192.0.2.133", title: "Hohenwerth Nachrichten",
        text: "Unabhängiges Blatt für Hohenwerth. Wir schreiben über die Universität, nicht für sie.",
        links: &[HOME], imprint: Missing },
    Small { host: "phil-hohenwerth.example", address: "198.51.100.99", title: "phil-hohenwerth.example steht zum Verkauf",
        text: "Diese Domain ist geparkt und kann erworben werden. Angebote nimmt der Domainhandel entgegen.",
        links: &[], imprint: Missing },
    Small { host: "kino.throttle-example", address: "192.0.2.134", title: "Kino Niederau",
        text: "Zwei Säle, ein Projektor. Studierende zahlen weniger, wenn sie danach fragen.",
        links: &[], imprint: Of(holders::CINEMA) },
    Small { host: "www.trittbrett.example", address: "192.0.2.77", title: "Trittbrett",
        text: "Gefunden werden, ohne gesucht zu sein: wir zeigen, wie es geht.",
        links: &[HOME], imprint: Of(holders::FREE_RIDER) },
    Small { host: "www.druckerei-werth.example", address: "192.0.2.135", title: "Druckerei Werth",
        text: "Tagungsbände, Plakate, Speisekarten.",
        links: &[], imprint: Of(holders::PRINTER) },
    Small { host: "www.bank.example", address: "192.0.2.66", title: "Bank im Werthtal",
        text: "Ihre Bank im Tal. Wir fragen nie nach Ihrem Kennwort.",
        links: &[], imprint: Of(holders::BANK) },
    Small { host: "www.lernsoftware.example", address: "198.51.100.60", title: "Lernsoftware Vertrieb",
        text: "Kursverwaltung für Hochschulen, auf Wunsch mit Schulung.",
        links: &[], imprint: Of(holders::COURSEWARE) },
    Small { host: "ferien-uni-hohenwerth.example", address: "198.51.100.61", title: "Ferien-Uni Hohenwerth",
        text: "Sprachreisen für Jugendliche, Unterkunft in Mehrbettzimmern.",
        links: &[], imprint: Of(holders::TRAVEL) },
];

/// Names of the learning platform; the certificate of its server says them, and the maker's.
const PLATFORM: [&str; 2] = ["lernplattform-werth.example", "kurse.lernplattform-werth.example"];
const PLATFORM_ADDRESS: &str = "198.18.1.81";
const PLATFORM_MAKER: &str = "www.lernsoftware.example";

/// The address of every small site.
pub(super) fn addresses() -> impl Iterator<Item = (&'static str, &'static str)> {
    let sites = SITES.iter().map(|site| (site.host, site.address));
    let platform = PLATFORM.into_iter().map(|host| (host, PLATFORM_ADDRESS));
    sites.filter(|(_, address)| !address.is_empty()).chain(platform)
}

pub(super) fn sites() -> Vec<Site> {
    SITES.iter().map(Small::site).chain(PLATFORM.into_iter().map(platform)).collect()
}

fn platform(host: &'static str) -> Site {
    let names = PLATFORM.into_iter().chain([PLATFORM_MAKER]).map(str::to_owned);
    let page = page("Lernplattform", "Kurse, Übungen und ein Forum, in dem niemand antwortet.", "");
    Site::new(format!("https://{host}")).identity(Identity::Named(names.collect())).page("/", page)
}

impl Small {
    fn site(&self) -> Site {
        let links: String = self
            .links
            .iter()
            .map(|link| format!("<li><a href=\"{link}\">{}</a></li>\n", bare(link)))
            .collect();
        let links = if links.is_empty() { links } else { format!("<ul>\n{links}</ul>\n") };
        let imprint = self.imprint.text();
        let footer = match imprint {
            Some(_) => "<p><a href=\"/impressum.html\">Impressum</a></p>\n",
            None => "",
        };
        let site = Site::new(format!("http://{}", self.host))
            .page("/", page(self.title, self.text, &format!("{links}{footer}")));
        match imprint {
            Some(text) => site.page("/impressum.html", page("Impressum", &text, "")),
            None => site,
        }
    }
}

impl Imprint {
    fn text(&self) -> Option<String> {
        let (body, street, (postcode, town), email) = match self {
            Missing => return None,
            University(part, mailbox) => (
                format!("Universität Hohenwerth, {part}"),
                holders::UNIVERSITY.street,
                holders::UNIVERSITY.town,
                format!("{mailbox}@uni-hohenwerth.example"),
            ),
            Of(holder) => {
                let (body, email) = (holder.organization.to_owned(), holder.email.to_owned());
                (body, holder.street, holder.town, email)
            }
        };
        Some(format!(
            "Verantwortlich für den Inhalt: {body}</p>\n\
             <address>{body}<br>{street}<br>{postcode} {town}<br>\
             E-Mail: <a href=\"mailto:{email}\">{email}</a></address>\n<p>"
        ))
    }
}

fn bare(link: &str) -> &str {
    link.trim_start_matches("http://").trim_end_matches('/')
}

/// A page as small sites have it.
pub(super) fn page(title: &str, text: &str, rest: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"de\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body><h1>{title}</h1>\n<p>{text}</p>\n{rest}</body></html>\n"
    )
}
