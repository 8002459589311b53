//! Umlauts, stems, compounds, and collections in several languages.

use crate::{Indexed, document, indexed};

fn collection() -> Indexed {
    indexed([
        document(1, "de", "Wissenschaftsgeschichte", "Ein Überblick über die Häuser der Stadt"),
        document(2, "de", "Geschichte", "Die Wissenschaften und das Haus"),
        document(3, "en", "Digital libraries", "A library of houses in the history of science"),
        document(4, "fr", "Bibliothèques", "L'histoire des bibliothèques"),
        document(5, "", "Ohne Sprache", "Strasse und Straße"),
        document(6, "de", "Fuss", "Der Universitaetsplatz in Muenchen"),
    ])
}

#[test]
fn words_are_found() {
    let found = collection();
    #[rustfmt::skip]
    let cases: &[(&str, &[u64])] = &[
        // query                    keys, in any order
        ("haus",                    &[1, 2]),
        ("HAEUSERN",                &[1, 2]),
        ("Häuser",                  &[1, 2]),
        ("uberblick",               &[1]),
        ("Ueberblick",              &[1]),
        ("geschichte",              &[1, 2]),
        ("wissenschaft",            &[1, 2]),
        ("wissenschaftsgeschichte", &[1]),
        ("library",                 &[3]),
        ("house",                   &[3]),
        ("bibliotheques",           &[4]),
        ("Straße",                  &[5]),
        ("Universität",             &[6]),
        ("München",                 &[6]),
        ("Fuß",                     &[6]),
        ("haus house",              &[1, 2, 3]),
        ("\"häuser\"",              &[1]),
        ("\"haus\"",                &[2]),
        ("\"der stadt\"",           &[1]),
        ("\"stadt der\"",           &[]),
        ("häuser NEAR/2 stadt",     &[1]),
        ("stadt NEAR/2 haus",       &[1]),
        ("überblick NEAR/1 stadt",  &[]),
        ("title:geschichte",        &[1, 2]),
        ("text:geschichte",         &[]),
        ("bibl*",                   &[4]),
        ("libary~",                 &[3]),
        ("/biblio.*/",              &[4]),
        ("/stra(ss|ß)e/",           &[5]),
    ];
    for (query, expected) in cases {
        let mut keys = found.keys(query);
        keys.sort_unstable();
        assert_eq!(&keys, expected, "{query}");
    }
}

#[test]
fn words_come_before_pieces_of_compounds() {
    assert_eq!(collection().keys("geschichte"), [2, 1]);
}

#[test]
fn snippets_mark_stems_and_compounds() {
    let found = indexed([document(1, "de", "", "Alte Häuser und Rathäuser,\nviele Haustüren.")]);
    let mut request = auslese_search::SearchRequest::new("haus");
    request.snippets = true;
    let snippet = found.search(&request).hits[0].snippet.clone().unwrap();
    assert_eq!(snippet.text, "Alte Häuser und Rathäuser, viele Haustüren.");
    let marked: Vec<&str> = snippet.marks.iter().map(|it| &snippet.text[it.clone()]).collect();
    assert_eq!(marked, ["Häuser", "Rathäuser", "Haustüren"]);
}
