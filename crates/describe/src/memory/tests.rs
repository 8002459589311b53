//! What pages of a site have in common is learnt, and what only some of them have is not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use auslese_markup::parse;
use proptest::prelude::*;

fn page(number: usize, html: &str) -> SiteSample {
    let url = format!("http://uni.example/{number}.html").parse().unwrap();
    SiteSample::of(&parse(html.as_bytes(), Some("utf-8")), &url)
}

/// A site of ten pages as a content management system makes them.
fn institute() -> SiteMemory {
    let topics = ["Kontakt", "Lehre", "Forschung", "Über uns", "Personen", "Bibliothek", "Gäste"];
    let samples: Vec<SiteSample> = (0..10)
        .map(|i| {
            let topic = topics.get(i).map_or_else(|| format!("Projekt {i}"), |it| (*it).to_owned());
            let section = if i < 7 { " - Institut für  Romanistik" } else { "" };
            page(
                i,
                &format!(
                    "<title>{topic}{section} | Universität Gießen</title>
                     <meta name=author content=Webmaster><meta name=keywords content='Uni, Gießen, {topic}'>
                     <meta name=description content='Alles über {topic}'>
                     <h1>{topic}</h1><h2>Navigation</h2><h2>Teil {i}</h2>"
                ),
            )
        })
        .collect();
    SiteMemory::learn(&samples)
}

#[test]
fn what_titles_share_is_taken_off() {
    let site = institute();
    #[rustfmt::skip]
    let cases = [
        ("Kontakt - Institut für Romanistik | Universität Gießen",  "Kontakt"),
        ("Projekt 9 | Universität Gießen",                          "Projekt 9"),
        ("Termine – UNIVERSITAET GIESSEN",                          "Termine"),
        ("Kontakt - Institut für Anglistik | Universität Gießen",   "Kontakt - Institut für Anglistik"),
        ("Universität Gießen",                                      "Universität Gießen"),
        ("| Universität Gießen",                                    "| Universität Gießen"),
        ("Ein Tag an der Universität Gießen",                       "Ein Tag an der Universität Gießen"),
        ("",                                                        ""),
    ];
    for (title, expected) in cases {
        assert_eq!(site.strip_title(title), expected);
    }
    assert_eq!(site.site_name(), Some("Universität Gießen"));
    assert_eq!(site.pages(), 10);
}

#[test]
fn headings_and_values_of_all_pages_say_nothing_about_one() {
    let site = institute();
    for (heading, expected) in
        [("NAVIGATION:", true), ("Kontakt", false), ("Teil 3", false), ("", false)]
    {
        assert_eq!(site.is_boilerplate_heading(heading), expected, "{heading}");
    }
    #[rustfmt::skip]
    let cases = [
        (Field::Author,      "webmaster",              true),
        (Field::Author,      "Erika Muster",           false),
        (Field::Keywords,    "Gießen",                 true),
        (Field::Keywords,    "Kontakt",                false),
        (Field::Description, "Alles über Kontakt",     false),
        (Field::Title,       "Webmaster",              false),
    ];
    for (field, value, expected) in cases {
        assert_eq!(site.is_site_wide(field, value), expected, "{field} {value}");
    }
}

#[test]
fn titles_may_begin_with_the_name() {
    let samples: Vec<SiteSample> = (0..6)
        .map(|i| page(i, &format!("<title>Rete: Notiz {i}</title><meta property=og:site_name content='Rete Mirabile'>")))
        .collect();
    let site = SiteMemory::learn(&samples);
    assert_eq!(site.strip_title("Rete: Über mich"), "Über mich");
    assert_eq!(site.site_name(), Some("Rete Mirabile"));
}

#[test]
fn too_little_teaches_nothing() {
    let same: Vec<SiteSample> =
        (0..8).map(|i| page(i, "<title>Seite | Uni</title><h1>Seite</h1>")).collect();
    let few = SiteMemory::learn(&same[..4]);
    assert!(!few.is_boilerplate_heading("Seite"));
    // The same page eight times: nothing shows which part of the title is the site's.
    let copies = SiteMemory::learn(&same);
    assert_eq!(copies.strip_title("Seite | Uni"), "Seite | Uni");
    // One address eight times is one page.
    assert_eq!(SiteMemory::learn(&vec![same[0].clone(); 8]).pages(), 1);
}

proptest! {
    #[test]
    fn any_samples_teach_something_harmless(
        titles in proptest::collection::vec("([ab]{0,2}[:| –-]{0,3}){0,5}|.{0,20}", 0..12),
        title in "([ab]{0,2}[:| –-]{0,3}){0,5}|.{0,20}",
    ) {
        let sample = |(i, title): (usize, &String)| SiteSample {
            url: i.to_string(),
            title: Some(title.clone()),
            headings: vec![(1, title.clone())],
            site_names: vec![title.clone()],
            values: vec![(Field::Author, title.clone())],
        };
        let samples: Vec<SiteSample> = titles.iter().enumerate().map(sample).collect();
        let site = SiteMemory::learn(&samples);
        prop_assert!(title.contains(site.strip_title(&title)));
        prop_assert!(title.is_empty() || !site.strip_title(&title).is_empty());
        site.is_boilerplate_heading(&title);
    }

    #[test]
    fn any_page_is_a_sample(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let url = "http://a.example/".parse().unwrap();
        SiteSample::of(&parse(&bytes, None), &url);
    }
}
