//! The institute of linguistics: one page for everything that makes a corpus difficult, with the
//! right answers, and a second round in which some pages have changed.

use super::files::{self, LINGUISTICS, dated};
use crate::answer::Answer;
use crate::site::Site;

const HOST: &str = "linguistik.uni-hohenwerth.example";
/// A page that is longer than anybody reads.
const LONG_PAGE: usize = 600_000;

/// What becomes of one document in a corpus of German HTML pages with the usual limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub url: &'static str,
    /// The language of its text; none where there is no text.
    pub language: Option<&'static str>,
    /// The rule that leaves it out, by its name; none if it is kept.
    pub left_by: Option<&'static str>,
    pub note: &'static str,
}

/// How a document differs in the second round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Other words.
    Text,
    /// Other mark-up around the same words.
    Markup,
    Vanished,
    New,
}

macro_rules! at {
    ($path:literal) => {
        concat!("http://linguistik.uni-hohenwerth.example", $path)
    };
}

const fn kept(url: &'static str, note: &'static str) -> Choice {
    Choice { url, language: Some("de"), left_by: None, note }
}

const fn left(
    url: &'static str,
    language: Option<&'static str>,
    rule: &'static str,
    note: &'static str,
) -> Choice {
    Choice { url, language, left_by: Some(rule), note }
}

#[rustfmt::skip]
pub(super) const CHOICES: &[Choice] = &[
    kept(at!("/"),                    "plain German"),
    kept(at!("/korpus.html"),         "plain German"),
    kept(at!("/archiv/korpus.html"),  "an exact copy, which is marked and kept"),
    kept(at!("/korpus-druck.html"),   "nearly the same, which is marked and kept"),
    kept(at!("/zweisprachig.html"),   "half German, half English"),
    kept(at!("/satzung.html"),        "German as written by lawyers"),
    kept(at!("/protokoll.html"),      "German as typed by students"),
    kept(at!("/alt.html"),            "Latin-1 without saying so"),
    kept(at!("/rundschreiben.html"),  "windows-1252 without saying so"),
    kept(at!("/handbuch/1.html"),     "the first of three parts"),
    kept(at!("/handbuch/2.html"),     "the second part"),
    kept(at!("/handbuch/3.html"),     "the third part"),
    kept(at!("/rahmen/inhalt.html"),  "in a frame"),
    kept(at!("/woerterbuch/"),        "a list"),
    left(at!("/english.html"),    Some("en"), "language",  "English"),
    left(at!("/francais.html"),   Some("fr"), "language",  "French"),
    left(at!("/dansk.html"),      Some("da"), "language",  "Danish"),
    left(at!("/nederlands.html"), Some("nl"), "language",  "Dutch"),
    left(at!("/skript.html"),     None,       "format",    "a PDF file called text/html"),
    left(at!("/leer.html"),       None,       "format",    "nothing in it"),
    left(at!("/lies-mich.txt"),   Some("de"), "mime-type", "a page called text/plain"),
    left(at!("/wortliste.html"),  Some("de"), "size",      "longer than 500 KB"),
];

#[rustfmt::skip]
pub(super) const CHANGES: &[(&str, Change)] = &[
    (at!("/"),                Change::Text),
    (at!("/korpus.html"),     Change::Text),
    (at!("/english.html"),    Change::Markup),
    (at!("/dansk.html"),      Change::Vanished),
    (at!("/handbuch/3.html"), Change::Vanished),
    (at!("/neu.html"),        Change::New),
];

pub(super) fn site() -> Site {
    let site = files::site(&format!("http://{HOST}"), HOST, LINGUISTICS);
    second_round(dictionary(odd_pages(copies(site))))
}

/// The copy in the archive, and the print version, which says so.
fn copies(site: Site) -> Site {
    let copy =
        |edit: &dyn Fn(&str) -> String| files::edited(HOST, "/korpus.html", LINGUISTICS, edit);
    site.answer("/archiv/korpus.html", copy(&str::to_owned)).answer(
        "/korpus-druck.html",
        copy(&|text| format!("{text}<p>Gedruckt am 2. November 2026.</p>\n")),
    )
}

fn odd_pages(site: Site) -> Site {
    site.answer("/alt.html", undeclared("/alt.html", latin1))
        .answer("/rundschreiben.html", undeclared("/rundschreiben.html", windows_1252))
        .answer("/lies-mich.txt", Answer::file("text/plain", bytes("/lies-mich.txt")))
        .answer("/skript.html", Answer::file("text/html", small_pdf()))
        .answer("/wortliste.html", Answer::page(word_list()).gzip())
}

fn bytes(path: &str) -> &'static [u8] {
    files::of_host(HOST).find(|(known, _)| known == path).map_or(&[], |(_, bytes)| bytes)
}

/// A page in an encoding that neither header nor page names.
fn undeclared(path: &str, encode: fn(char) -> u8) -> Answer {
    let text = String::from_utf8_lossy(bytes(path));
    dated(Answer::file("text/html", text.chars().map(encode).collect::<Vec<u8>>()))
}

/// What Latin-1 lacks becomes a question mark.
fn latin1(character: char) -> u8 {
    u8::try_from(character).unwrap_or(b'?')
}

fn windows_1252(character: char) -> u8 {
    match character {
        '€' => 0x80,
        '„' => 0x84,
        '…' => 0x85,
        '“' => 0x93,
        '”' => 0x94,
        '–' => 0x96,
        other => latin1(other),
    }
}

/// An empty page in PDF.
fn small_pdf() -> &'static [u8] {
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n\
      2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
      3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\n\
      trailer<</Root 1 0 R/Size 4>>\n%%EOF\n"
}

fn word_list() -> String {
    let words = [
        "Abendrot",
        "Bachlauf",
        "Chorgesang",
        "Donnerwetter",
        "Eisvogel",
        "Fensterbrett",
        "Gartenzaun",
        "Hochwasser",
        "Igelnest",
        "Jahreszeit",
        "Klosterwehr",
        "Laubhaufen",
    ];
    let mut text =
        String::from("<p>Die Liste beginnt hier, und wer sie liest, braucht Geduld.</p>\n<ol>\n");
    for (number, word) in (1..).zip(words.into_iter().cycle()) {
        if text.len() > LONG_PAGE {
            break;
        }
        text.push_str(&format!(
            "<li>{word} steht an der Stelle {number} dieser langen Liste</li>\n"
        ));
    }
    LINGUISTICS.page("/wortliste.html", "de", "Wortliste", &(text + "</ol>\n"))
}

/// Entry and meaning; all pages are made alike.
#[rustfmt::skip]
const ENTRIES: &[(&str, &str)] = &[
    ("abwehren",    "Wer am Wehr steht und nichts tut, wehrt ab. Man sagt es von Ausschüssen, die eine Entscheidung vertagen."),
    ("bibbern",     "In der Bibliothek frieren; meist im November, wenn die Heizung noch nicht läuft."),
    ("einwerthen",  "Sich in der Stadt zurechtfinden. Dauert nach allgemeiner Ansicht zwei Semester und einen Regenschirm."),
    ("klostern",    "Schweigend nebeneinander arbeiten, ohne dass es unangenehm wird."),
    ("überwehren",  "Mehr Wasser haben, als der Pegel anzeigen kann; übertragen auch: zu viele Termine an einem Tag."),
    ("verwerthen",  "Etwas so lange aufheben, bis es wieder gebraucht wird."),
];

fn dictionary(site: Site) -> Site {
    let list: String = (1..)
        .zip(ENTRIES)
        .map(|(number, (word, _))| format!("<li><a href=\"{number}.html\">{word}</a></li>\n"))
        .collect();
    let content = format!(
        "<p>Redensarten, die man nur im Werthtal hört, gesammelt von Studierenden des Instituts.</p>\n<ul>\n{list}</ul>\n"
    );
    let page = LINGUISTICS.page("/woerterbuch/", "de", "Kleines Wörterbuch", &content);
    let site = site.answer("/woerterbuch/", dated(Answer::page(page)));
    (1..).zip(ENTRIES).fold(site, |site, (number, (word, meaning))| {
        let path = format!("/woerterbuch/{number}.html");
        let content = format!("<p>{meaning}</p>\n<p><a href=\"./\">Alle Redensarten</a></p>\n");
        let page = LINGUISTICS.page(&path, "de", word, &content);
        site.answer(&path, dated(Answer::page(page)))
    })
}

fn second_round(site: Site) -> Site {
    let edited =
        |path: &str, edit: &dyn Fn(&str) -> String| files::edited(HOST, path, LINGUISTICS, edit);
    let index = edited("/index.html", &|text| {
        text.replace(
            "<ul>\n",
            "<ul>\n<li>Neu: <a href=\"neu.html\">Unser Schrank ist voll</a></li>\n",
        )
    });
    let corpus = edited("/korpus.html", &|text| {
        text.replace(
            "rund viertausend Seiten",
            "rund fünftausend Seiten, davon zwölf mit Besucherzähler",
        )
    });
    let english = edited("/english.html", &|text| text.replace("<p>", "<p class=\"absatz\">"));
    let new = LINGUISTICS.page(
        "/neu.html",
        "de",
        "Unser Schrank ist voll",
        "<p>Der Schrank, in dem wir das Korpus aufbewahren, ist seit gestern voll. Wir suchen einen zweiten Schrank, möglichst \
         ohne Holzwurm, und jemanden, der beim Tragen hilft.</p>\n",
    );
    site.later("/", index.clone())
        .later("/index.html", index)
        .later("/korpus.html", corpus)
        .later("/english.html", english)
        .later("/dansk.html", Answer::error(404))
        .later("/handbuch/3.html", Answer::error(410))
        .later("/neu.html", dated(Answer::page(new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_are_about_pages_that_exist() {
        let site = site();
        let known: Vec<String> = site.documents().into_iter().map(|it| it.path).collect();
        let path = |url: &str| url.strip_prefix(at!("")).unwrap().to_owned();
        for choice in CHOICES {
            assert!(known.contains(&path(choice.url)), "{}", choice.url);
        }
        for (url, change) in CHANGES {
            assert_eq!(known.contains(&path(url)), *change != Change::New, "{url}");
        }
    }

    #[test]
    fn the_long_page_is_too_long_and_the_others_are_not() {
        for document in site().documents() {
            let long = document.path == "/wortliste.html";
            assert_eq!(document.body.len() > 500_000, long, "{}", document.path);
        }
    }
}
