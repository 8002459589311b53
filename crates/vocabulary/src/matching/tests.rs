//! Words of questions and the labels they are: endings, umlauts, the longest first, homonyms, notations.

use super::*;
use crate::Label;

/// A vocabulary from rows: address, kind and language, label.
fn vocabulary(id: &str, rows: &[(&str, &str, &str)]) -> Vocabulary {
    let mut concepts: BTreeMap<&str, Concept> = BTreeMap::new();
    for (uri, kind, text) in rows {
        let concept = concepts.entry(uri).or_default();
        concept.uri = (*uri).to_owned();
        let (kind, language) = kind.split_once(' ').unwrap_or((kind, ""));
        let kind = match kind {
            "pref" => LabelKind::Preferred,
            "alt" => LabelKind::Alternative,
            "hidden" => LabelKind::Hidden,
            _ => {
                concept.notations.push((*text).to_owned());
                continue;
            }
        };
        concept.labels.push(Label {
            kind,
            language: language.to_owned(),
            text: (*text).to_owned(),
        });
    }
    Vocabulary::new(ShortName::new(id).unwrap(), concepts.into_values().collect())
}

fn two() -> Vocabularies {
    let mut vocabularies = Vocabularies::default();
    #[rustfmt::skip]
    vocabularies.insert(vocabulary("a", &[
        ("a/familie",   "pref de", "Familie"),
        ("a/famsoz",    "pref de", "Soziologie der Familie"),
        ("a/soz",       "pref de", "Soziologie"),
        ("a/haus",      "pref de", "Häuserbau"),
        ("a/strom",     "pref de", "Strom"),
        ("a/fluss",     "pref de", "Fluss"),
        ("a/fluss",     "alt de",  "Strom"),
        ("a/fluss",     "hidden de", "Fluß"),
        ("a/bank1",     "pref de", "Bank (Möbel)"),
        ("a/bank2",     "pref de", "Bank <Geldinstitut>"),
        ("a/schloss1",  "alt de",  "Schloss"),
        ("a/schloss2",  "alt de",  "Schlösser"),
        ("a/lib",       "pref en", "Libraries"),
        ("a/lib",       "pref de", "Bibliothek"),
        ("a/65f10",     "notation", "65F10"),
        ("a/65f10",     "pref en", "Iterative methods for linear systems"),
        ("a/qp",        "notation", "QP 340"),
        ("a/ddc",       "notation", "330"),
        ("a/two",       "notation", "33"),
        ("a/it",        "notation", "IT"),
        ("a/x",         "notation", "A"),
        ("a/sein",      "pref de", "Sein"),
        ("a/anything",  "pref",    "Häuser"),
    ]));
    vocabularies
        .insert(vocabulary("b", &[("b/f", "pref de", "Familien"), ("b/w", "pref de", "Wohnen")]));
    vocabularies
}

fn check(query: &str, languages: &[&str]) -> Vec<String> {
    let languages: Vec<String> = languages.iter().map(|it| (*it).to_owned()).collect();
    let matches = two().match_labels(&QueryPart::words_of(query), &languages);
    let shown = matches.iter().map(|it| {
        assert_eq!(query[it.place.clone()], it.words, "{query}");
        format!("{}={}", it.words, it.uri)
    });
    shown.collect()
}

#[test]
fn words_to_concepts() {
    #[rustfmt::skip]
    let cases: [(&str, &[&str]); 20] = [
        // longest first, per vocabulary
        ("Soziologie der Familie",   &["Soziologie der Familie=a/famsoz", "Familie=b/f"]),
        ("Soziologie Familie",       &["Soziologie=a/soz", "Familie=a/familie", "Familie=b/f"]),
        ("die Familie, Soziologie",  &["Familie=a/familie", "Familie=b/f", "Soziologie=a/soz"]),
        // inflections and spellings
        ("SOZIOLOGIE DER FAMILIEN",  &["SOZIOLOGIE DER FAMILIEN=a/famsoz", "FAMILIEN=b/f"]),
        ("Haeuserbau",               &["Haeuserbau=a/haus"]),
        ("den Häusern",              &["Häusern=a/anything"]),
        ("hause",                    &["hause=a/anything"]),
        ("library",                  &["library=a/lib"]),
        ("Bibliotheken",             &["Bibliotheken=a/lib"]),
        // preferred over alternative over hidden
        ("Strom",                    &["Strom=a/strom"]),
        ("Flüsse",                   &["Flüsse=a/fluss"]),
        // homonyms
        ("Bank",                     &["Bank=a/bank1", "Bank=a/bank2"]),
        ("Schloss",                  &["Schloss=a/schloss1", "Schloss=a/schloss2"]),
        // notations
        ("65f10",                    &["65f10=a/65f10"]),
        ("in 65F10 und qp 340",      &["65F10=a/65f10", "qp 340=a/qp"]),
        ("IT",                       &["IT=a/it"]),
        ("it a A",                   &[]),
        ("330 und 33",               &["330=a/ddc"]),
        // words that say nothing, unless they are the question
        ("das Sein der Katze",       &[]),
        ("sein",                     &["sein=a/sein"]),
    ];
    for (query, expected) in cases {
        assert_eq!(check(query, &[]), expected, "{query}");
    }
    assert_eq!(check("library Bibliothek", &["de"]), ["Bibliothek=a/lib"]);
    assert_eq!(check("library Bibliothek", &["en", "fr"]), ["library=a/lib"]);
}

#[test]
fn homonyms_have_a_note() {
    let bank = two().match_labels(&QueryPart::words_of("Bank"), &[]);
    assert_eq!(bank[0].homonyms, 2);
    assert_eq!(bank[0].note.as_deref(), Some("\"Bank\" names 2 concepts"));
    let strom = two().match_labels(&QueryPart::words_of("Strom"), &[]);
    let note = strom[0].note.as_deref();
    assert_eq!(note, Some("\"Strom\" is also a less trusted name of 1 other concepts"));
    assert_eq!(strom[0].matched, Matched::Preferred);
}

#[test]
fn phrases_and_runs_keep_together() {
    let vocabularies = two();
    let uris = |parts: &[QueryPart]| {
        vocabularies.match_labels(parts, &[]).into_iter().map(|it| it.uri).collect::<Vec<_>>()
    };
    let whole = QueryPart::phrase("Soziologie der Familie", 1..23);
    assert_eq!(uris(std::slice::from_ref(&whole)), ["a/famsoz"], "no part of a phrase");
    let other = QueryPart::phrase("Geschichte der Familie", 1..23);
    assert_eq!(uris(&[other]), [""; 0]);
    let mut words = QueryPart::words_of("Soziologie der Familie");
    words[2].run = 1;
    assert_eq!(uris(&words), ["a/soz", "a/familie", "b/f"], "operators stand between");
    let escaped = QueryPart::word("Familie", 3..14);
    let found = vocabularies.match_labels(&[escaped], &[]);
    assert_eq!(found[0].place, 3..14, "where the text differs, the place is that of the part");
}

#[test]
fn a_question_without_end() {
    let query = "Soziologie der Familie ".repeat(100_000);
    let matches = two().match_labels(&QueryPart::words_of(&query), &[]);
    assert!(!matches.is_empty() && matches.len() <= 2 * MAX_QUERY_WORDS);
}
