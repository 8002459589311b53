//! Queries: what they find, what they demand, and what is wrong with them.

use super::*;
use crate::error::Problem;
use crate::{Borders, Reading, Text};

fn read(query: &str) -> Result<NodeQuery, KwicError> {
    NodeQuery::parse(query, TokenRule::Whole, Sensitivity::IgnoreCase)
}

fn found<'t>(query: &NodeQuery, text: &'t str, borders: Borders) -> Vec<&'t str> {
    let reading = Reading::new(&Text { text, ..Text::default() }, query.rule(), borders);
    let hits = Matcher::new(query).find(&reading);
    let span =
        |hit: Hit| reading.span(hit.tokens().start).start..reading.span(hit.tokens().end - 1).end;
    hits.into_iter().map(|hit| &text[span(hit)]).collect()
}

#[test]
fn what_queries_find() {
    #[rustfmt::skip]
    let cases: [(&str, &str, &[&str]); 28] = [
        ("haus",               "Haus haus Hausboot HAUS",        &["Haus", "haus", "HAUS"]),
        ("Haus%s",             "Haus haus HAUS",                 &["Haus"]),
        ("Übung",              "übung Uebung U\u{308}bung",      &["übung", "U\u{308}bung"]),
        ("Übung%d",            "übung Uebung Ubung",             &["übung", "Uebung"]),
        ("uebung%cd",          "Übung",                          &["Übung"]),
        ("uni*",               "Uni Universität die Kommune",    &["Uni", "Universität"]),
        ("*schule",            "Hochschule Schule Schulen",      &["Hochschule", "Schule"]),
        ("h?se",               "Hase Hose Hs Hasse",             &["Hase", "Hose"]),
        ("*mm*",               "Kommune Mama",                   &["Kommune"]),
        ("/[aeiou]+/",         "ei Ei Eis",                      &["ei", "Ei"]),
        ("/a|ab/",             "ab abc",                         &["ab"]),
        (r"/\d{4}/",           "1848 18488 19",                  &["1848"]),
        ("/uni.*taet/%d",      "Universität",                    &["Universität"]),
        ("der Mann",           "Der Mann, der Mann",             &["Der Mann", "der Mann"]),
        ("weder []{0,3} noch", "weder a noch b noch",            &["weder a noch"]),
        ("weder []{1,3} noch", "weder noch a noch",              &["weder noch a noch"]),
        ("([]){1,2}",          "a a",                            &["a", "a"]),
        ("a b{0,2}",           "a b b b a",                      &["a b b", "a"]),
        ("(a|b) c",            "a c b c a b c",                  &["a c", "b c", "b c"]),
        ("(a|a b) c{0,1}",     "a b c",                          &["a"]),
        ("(a b){2}",           "a b a b a b",                    &["a b a b"]),
        ("a a",                "a a a a a",                      &["a a", "a a"]),
        ("[] b",               "a b b b",                        &["a b", "b b"]),
        ("\"in der Regel\"",   "In der Regel. in der, Regel",    &["In der Regel", "in der, Regel"]),
        ("geht's",             "geht’s geht's",                  &["geht’s", "geht's"]),
        ("Rhein-Main",         "Rhein-Main Rhein Main",          &["Rhein-Main"]),
        ("www.uni-ulm.de",     "auf www.uni-ulm.de stehen",      &["www.uni-ulm.de"]),
        ("a|b",                "a c b",                          &["a", "b"]),
    ];
    for (query, text, expected) in cases {
        assert_eq!(
            found(&read(query).unwrap(), text, Borders::Text),
            expected,
            "{query} in {text}"
        );
    }
}

#[test]
fn words_are_cut_as_texts_are() {
    let parts = NodeQuery::parse("Rhein-Main", TokenRule::Parts, Sensitivity::IgnoreCase).unwrap();
    let expected = ["Rhein-Main", "Rhein Main"];
    assert_eq!(found(&parts, "Rhein-Main Rhein Main", Borders::Text), expected);
    let parts = NodeQuery::parse("geht's", TokenRule::Parts, Sensitivity::IgnoreCase).unwrap();
    assert_eq!(found(&parts, "so geht’s nicht", Borders::Text), ["geht’s"]);
}

#[test]
fn hits_stay_within_sentences() {
    let query = read("ende []{0,2} anfang").unwrap();
    let text = "Am Ende. Anfang und Ende, Anfang.";
    assert_eq!(found(&query, text, Borders::Sentence), ["Ende, Anfang"]);
    assert_eq!(found(&query, text, Borders::Text), ["Ende. Anfang", "Ende, Anfang"]);
}

#[test]
fn mistakes_have_a_place_and_a_hint() {
    let many: String = (0..65).map(|number| format!("w{number} ")).collect();
    let deep = "(".repeat(33) + "a" + &")".repeat(33);
    let long = "a ".repeat(501);
    #[rustfmt::skip]
    let cases = [
        ("",                  "the query is empty (at byte 0)"),
        ("  ",                "the query is empty (at byte 0)"),
        ("a (b",              "'(' is never closed (at byte 2)"),
        ("a b)",              "')' is not expected here (at byte 3)"),
        ("a | ",              "nothing stands here (at byte 4)"),
        ("()",                "nothing stands here (at byte 1)"),
        ("ä [",               "'[' is never closed (at byte 3)"),
        ("[a]",               "'a' is not expected here (at byte 1)"),
        ("/a",                "'/' is never closed (at byte 0)"),
        ("\"a",               "'\"' is never closed (at byte 0)"),
        ("a /(/",             "the regular expression is wrong: unclosed group (at byte 2)"),
        ("/(?=a)/",           "the regular expression is wrong: look-around, including look-ahead and look-behind, is not supported (at byte 0)"),
        (r"/(a)\1/",          "the regular expression is wrong: backreferences are not supported (at byte 0)"),
        (r"/(\w{1000}){1000}/", "compiled, the regular expression is larger than 1048576 bytes (MAX_TOKEN_REGEX) (at byte 0)"),
        (r"/a{99999999}/",    "compiled, the regular expression is larger than 1048576 bytes (MAX_TOKEN_REGEX) (at byte 0)"),
        ("/grün/%d",          "no word contains 'ü' when accents are ignored (at byte 0)"),
        ("C++",               "\"C++\" is no token (at byte 0)"),
        ("a+*",               "\"a+*\" is no token (at byte 0)"),
        ("\"...\"",           "\"...\" is no token (at byte 0)"),
        ("a%x",               "there is no flag %x (at byte 2)"),
        ("a%",                "'%' is not expected here (at byte 1)"),
        ("a{}",               "these braces do not say how often (at byte 1)"),
        ("a{2,}",             "these braces do not say how often (at byte 1)"),
        ("a{0}",              "these braces do not say how often (at byte 1)"),
        ("a{3,2}",            "3 is more than 2 (at byte 1)"),
        ("a{2",               "'{' is never closed (at byte 1)"),
        ("a []{0,200} b",     "a node may be 100 tokens long (MAX_NODE_TOKENS), this one may be 200 (at byte 4)"),
        ("(a{9}){9}{9}",      "a node may be 100 tokens long (MAX_NODE_TOKENS), this one may be 729 (at byte 9)"),
        ("[]{0,3}",           "this can match without any token (at byte 0)"),
        ("a|b{0,1}",          "this can match without any token (at byte 0)"),
        (&many,               "there are more than 64 different token patterns (MAX_TOKEN_PATTERNS) (at byte 246)"),
        (&deep,               "there are more than 32 groups within groups (MAX_QUERY_NESTING) (at byte 32)"),
        (&long,               "the query is longer than 1000 bytes (MAX_NODE_QUERY) (at byte 0)"),
    ];
    for (query, expected) in cases {
        let error = read(query).expect_err(query);
        assert_eq!(error.to_string(), expected, "{query}");
        assert!(error.place.end <= query.len(), "{query}");
    }
    let error = read("ä (b").unwrap_err();
    assert_eq!(error.pointed("ä (b"), "ä (b\n  ^");
    assert_eq!(read("/grün/%d").unwrap_err().hint().as_deref(), Some("write ue"));
    assert!(read("a%x").unwrap_err().hint().unwrap().starts_with("%c ignores case"));
}

#[test]
fn programs_stay_short() {
    // Each repetition writes its alternatives out.
    let alternatives = (0..60).map(|number| format!("w{number}")).collect::<Vec<_>>().join("|");
    let error = read(&format!("({alternatives}){{1,90}}")).unwrap_err();
    assert_eq!(error.problem, Problem::TooManySteps { limit: MAX_QUERY_STEPS });
}

/// Brackets and comments of an expression do not undo that it must fit the whole token.
#[test]
fn patterns_cannot_break_out_of_their_token() {
    assert!(matches!(read("/a)|(b/").unwrap_err().problem, Problem::BadRegex(_)));
    let query = read("/(?x)a # no end/").unwrap();
    assert_eq!(found(&query, "xa ax a xax", Borders::Text), ["a"]);
}

#[test]
fn demands_for_an_index() {
    #[rustfmt::skip]
    let cases: [(&str, &[&[&str]]); 11] = [
        ("Übung",                &[&["übung=uebung"]]),
        ("der Übung",            &[&["der=der"], &["übung=uebung"]]),
        ("a a",                  &[&["a=a"]]),
        ("uni*",                 &[&["uni*=uni"]]),
        ("*schule ab*cde*f",     &[&["*schule=schule"], &["*cde*=cde"]]),
        ("(der Mann|die Frau)",  &[&["mann=mann", "frau=frau"]]),
        ("(a|/b/) c",            &[&["c=c"]]),
        ("a b{0,1} c{1,2} []",   &[&["a=a"], &["c=c"]]),
        ("/a/ []",               &[]),
        ("Ä%s",                  &[&["Ä=ae"]]),
        ("ΟΔΟΣ Αθήνα",           &[&["αθήνα=αθήνα"]]),
    ];
    for (query, expected) in cases {
        let shown: Vec<Vec<String>> = read(query)
            .unwrap()
            .required()
            .iter()
            .map(|clause| clause.iter().map(show).collect())
            .collect();
        assert_eq!(shown, expected, "{query}");
    }
    let joined = read("Rhein-Main").unwrap().required();
    assert_eq!(joined[0][0].words(), ["rhein", "main"]);
}

fn show(literal: &Literal) -> String {
    let Literal { text, folded, place, .. } = literal;
    match place {
        LiteralPlace::Whole => format!("{text}={folded}"),
        LiteralPlace::Prefix => format!("{text}*={folded}"),
        LiteralPlace::Suffix => format!("*{text}={folded}"),
        LiteralPlace::Inside => format!("*{text}*={folded}"),
    }
}
