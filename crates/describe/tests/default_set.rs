//! The shipped set `default` on pages: whose they are, of what kind, and in which language.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_describe::{Around, Heuristics, Subject, Weights, describe};
use auslese_model::Field;
use std::sync::LazyLock;
use url::Url;

static HEURISTICS: LazyLock<Heuristics> = LazyLock::new(|| Heuristics::shipped("default").unwrap());

/// What is chosen for a field, joined by `|`.
fn chosen(html: &str, url: &str, field: Field) -> String {
    let page = auslese_markup::parse(html.as_bytes(), Some("utf-8"));
    let url = Url::parse(url).unwrap();
    let subject = Subject { page: &page, url: Some(&url), around: &Around::default() };
    let description = describe(&subject, &HEURISTICS, &Weights::shipped());
    let values: Vec<&str> = description.chosen(field).map(|it| it.value.as_str()).collect();
    values.join("|")
}

const PAGE: &str = "http://ulm.example/texte/ethik.html";

#[test]
fn institutions() {
    #[rustfmt::skip]
    let cases = [
        ("<meta name=publisher content='Springer-Verlag'>",               "Springer-Verlag"),
        ("<meta name=publisher content='Freunde der Physik'>",            "Freunde der Physik"),
        ("<meta name=publisher content='physikfreund77'>",                ""),
        ("<meta name=publisher content='https://www.institut.example/'>", ""),
        ("<meta name=publisher content='//verlag.example/a b'>",          ""),
        ("<meta name=publisher content='www.verlag.example Ulm'>",        ""),
        ("<meta property=og:site_name content='Institut für Physik'>",    "Institut für Physik"),
        ("<meta property=og:site_name content='Physik'>",                 ""),
    ];
    for (html, expected) in cases {
        assert_eq!(chosen(html, PAGE, Field::Institution), expected, "{html}");
    }
    let host = "http://www.institut-fuer-physik.example/ethik.html";
    assert_eq!(chosen("<p>Ein Text", host, Field::Institution), "", "a host is no name");
}

/// The foot of a page says whose it is; its links lead to others.
#[test]
fn institutions_at_the_foot() {
    let page = |foot: &str| {
        let text = "<p>Ein Absatz</p>".repeat(40);
        format!("{text}<footer>{foot}<p>Impressum</p></footer>")
    };
    #[rustfmt::skip]
    let cases = [
        ("<p>Institut für Physik, 89069 Ulm</p>",                                  "Institut für Physik"),
        ("<p>Institut für Physik, <a href=x>Kontakt</a></p>",                      "Institut für Physik"),
        ("<ul><li><a href=x>Universität Köln</a></ul>",                            ""),
        ("<p><a href=x>Universität Köln</a>, <a href=y>Universität Bonn</a></p>",  ""),
    ];
    for (foot, expected) in cases {
        assert_eq!(chosen(&page(foot), PAGE, Field::Institution), expected, "{foot}");
    }
}

#[test]
fn types() {
    let text = "<p>Ein Absatz mit so vielen Wörtern, dass niemand daran zweifelt, dass es eine Seite mit \
        Text ist, die jemand für andere geschrieben hat, damit sie lesen, was er weiß und denkt und hofft.</p>";
    #[rustfmt::skip]
    let cases = [
        ("<h1>Institut für Physik</h1>",                                 "institution-profile"),
        ("<title>Mathematisches Institut</title>",                       "institution-profile"),
        ("<h1>Wer an der Universität lehrt</h1>",                        ""),
        ("<h1>Universität Ulm baut ein neues Labor</h1>",                ""),
        ("<h1>Veröffentlichungen des Instituts für Physik</h1>",         "publication-list"),
    ];
    for (html, expected) in cases {
        assert_eq!(chosen(&format!("{html}{text}"), PAGE, Field::Type), expected, "{html}");
    }
}

#[test]
fn languages() {
    #[rustfmt::skip]
    let cases = [
        ("de",         "de"),
        ("de-DE",      "de"),
        ("de_DE",      "de"),
        ("DE",         "de"),
        ("de, en",     "de"),
        ("nds",        "nds"),
        ("deutsch",    ""),
        ("d",          ""),
        ("",           ""),
    ];
    for (said, expected) in cases {
        for html in [
            format!("<html lang='{said}'><p>x"),
            format!("<meta name=dc.language content='{said}'><p>x"),
        ] {
            assert_eq!(chosen(&html, PAGE, Field::Language), expected, "{html}");
        }
    }
    let both = "<html lang=deutsch><meta property=og:locale content=de_AT><p>x";
    assert_eq!(chosen(both, PAGE, Field::Language), "de");
}
