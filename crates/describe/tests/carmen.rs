//! The heuristics of the CARMEN paper through the door: its eight title rules, the merging of
//! headings and the construction of S, each as a table of pages.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_describe::{Around, Heuristics, Subject, Weights, describe};
use auslese_model::Field;
use std::sync::LazyLock;

static CARMEN: LazyLock<Heuristics> = LazyLock::new(|| Heuristics::shipped("carmen").unwrap());

/// Rule, weight and value of what is said about a field of a page, or nothing.
fn check(html: &str, field: Field) -> String {
    let page = auslese_markup::parse(html.as_bytes(), Some("utf-8"));
    let subject = Subject { page: &page, url: None, around: &Around::default() };
    let description = describe(&subject, &CARMEN, &Weights::initial());
    assert_eq!(description.trouble, None);
    let told: Vec<String> = description
        .chosen(field)
        .map(|it| {
            let rule = it.rules[0].as_str().split_once('<').unwrap().1;
            format!("<{rule} {} {}", it.weight, it.value)
        })
        .collect();
    told.join(" | ")
}

#[test]
fn the_eight_rules() {
    #[rustfmt::skip]
    let cases = [
        // <1> equal after white space is normalised
        ("<title>Kants Ethik</title><h1>Kants Ethik</h1>",                  "<1> 1 Kants Ethik"),
        ("<title> Kants\n Ethik </title><h2>Kants&nbsp;Ethik</h2>",         "<1> 1 Kants Ethik"),
        ("<title>A</title><h6><i>A</i></h6>",                               "<1> 1 A"),
        ("<body><title>Im Rumpf</title><h1>Im Rumpf</h1>",                  "<1> 1 Im Rumpf"),
        ("<title>Kants Ethik</title><h1>Kants<br>Ethik</h1>",               "<1> 1 Kants Ethik"),
        // <2> the title contains the heading; case is no matter
        ("<title>Kants Ethik</title><h1>kants ethik</h1>",                  "<2> 0.8 Kants Ethik"),
        ("<title>Uni Ulm: Kants Ethik</title><h1>Kants Ethik</h1>",         "<2> 0.8 Uni Ulm: Kants Ethik"),
        ("<title>KANTS ETHIK, 2. Teil</title><h3>Ethik</h3>",               "<2> 0.8 KANTS ETHIK, 2. Teil"),
        ("<title>Ägypten</title><h1>ÄGYPTEN</h1>",                          "<2> 0.8 Ägypten"),
        // <3> the heading contains the title
        ("<title>Ethik</title><h1>Kants Ethik</h1>",                        "<3> 0.8 Kants Ethik"),
        ("<title>ETHIK</title><h2>Kants Ethik, 2. Teil</h2>",               "<3> 0.8 Kants Ethik, 2. Teil"),
        ("<title>Kants</title><h1>Kants</h1><h1>Ethik</h1>",                "<3> 0.8 Kants Ethik"),
        // <4> neither
        ("<title>Uni Ulm</title><h1>Kants Ethik</h1>",                      "<4> 0.8 Uni Ulm: Kants Ethik"),
        ("<title>Kants Ethik</title><h1>Kant's Ethik</h1>",                 "<4> 0.8 Kants Ethik: Kant's Ethik"),
        ("<title>Was ist Ethik?</title><h1>Vorlesung</h1>",                 "<4> 0.8 Was ist Ethik? Vorlesung"),
        ("<title>A</title><h2>B</h2><h3>A</h3>",                            "<4> 0.8 A: B"),
        // <5> no heading, or an untitled page, but S
        ("<title>Uni Ulm</title><p><b>Kants Ethik</b></p>",                 "<5> 0.5 Uni Ulm: Kants Ethik"),
        ("<title>Untitled Document</title><h1>A</h1><p><b>B</b></p>",       "<5> 0.5 Untitled Document: B"),
        ("<title>A</title><h1> </h1><center><font>B</font></center>",       "<5> 0.5 A: B"),
        ("<title>A</title><table><tr><td><i>B</i></table>",                 "<5> 0.5 A: B"),
        // <6> a title alone
        ("<title>Uni Ulm</title><p>Kants Ethik</p>",                        "<6> 0.5 Uni Ulm"),
        ("<title>UNTITLED</title><h1>A</h1>",                               "<6> 0.5 UNTITLED"),
        ("<title>Meine untitled-Seite</title><h1>A</h1>",                   "<6> 0.5 Meine untitled-Seite"),
        ("<title>A</title><p><b> </b></p>",                                 "<6> 0.5 A"),
        // <7> a heading alone, whatever S is
        ("<h1>Kants Ethik</h1>",                                            "<7> 0.3 Kants Ethik"),
        ("<title></title><h4>Kants Ethik</h4><p><b>B</b></p>",              "<7> 0.3 Kants Ethik"),
        ("<title> \n</title><h1></h1><h2>Kants Ethik</h2>",                 "<7> 0.3 Kants Ethik"),
        ("<svg><title>Bild</title></svg><h1>Kants Ethik</h1>",              "<7> 0.3 Kants Ethik"),
        // <8> S alone
        ("<p><b>Kants Ethik</b></p>",                                       "<8> 0.1 Kants Ethik"),
        ("<center><font size=5>Kants Ethik</font></center>",                "<8> 0.1 Kants Ethik"),
        ("<title></title><p><strong>A</strong></p>",                        "<8> 0.1 A"),
        // none
        ("",                                                                ""),
        ("<p>Kants Ethik</p>",                                              ""),
        ("<svg><title>Bild</title></svg><p>Text <span><b>B</b></span></p>", ""),
    ];
    for (html, expected) in cases {
        assert_eq!(check(html, Field::Title), expected, "{html}");
    }
}

#[test]
fn headings_in_a_row_are_one() {
    #[rustfmt::skip]
    let cases = [
        ("<h1>A</h1><h1>B</h1>",                         "A B"),
        ("<h1>A</h1> \n <h1>B</h1><!-- c --><h1>C</h1>", "A B C"),
        ("<h1>A</h1>text<h1>B</h1>",                     "A"),
        ("<h1>A</h1><p></p><h1>B</h1>",                  "A"),
        ("<h1>A</h1><br><h1>B</h1>",                     "A"),
        ("<h1>A</h1><h2>x</h2><h1>B</h1>",               "A"),
        ("<div><h1>A</h1></div><div><h1>B</h1></div>",   "A"),
        ("<div><h1>A</h1></div><h1>B</h1>",              "A"),
        ("<h2>A</h2><h2>B</h2><h1>C</h1><h1>D</h1>",     "C D"),
        ("<h2>A</h2><hr><h2>B</h2><h2>C</h2>",           "A"),
        ("<h1></h1><h1>B</h1>",                          "B"),
        ("<h1></h1><hr><h1>B</h1>",                      ""),
        ("<h1></h1><hr><h1>B</h1><h5>C</h5>",            "C"),
        ("<center><h3>A</h3><h3>B</h3></center>",        "A B"),
    ];
    for (html, expected) in cases {
        let told = check(html, Field::Title);
        assert_eq!(told.strip_prefix("<7> 0.3 ").unwrap_or(&told), expected, "{html}");
    }
}

#[test]
fn what_is_formatted_alike_is_one() {
    #[rustfmt::skip]
    let cases = [
        ("<p><b>A</b></p>",                                                       "A"),
        ("<p><b>A</b></p><p><b>B</b></p>",                                        "A B"),
        ("<p><b>A</b></p> <!-- c --> <p><b>B</b></p><p>x</p><p><b>C</b></p>",     "A B"),
        // Another name, of the node or of its parent.
        ("<p><b>A</b></p><p><i>B</i></p>",                                        "A"),
        ("<p><b>A</b></p><center><b>B</b></center>",                              "A"),
        // Parents that do not follow each other.
        ("<p><b>A</b></p>x<p><b>B</b></p>",                                       "A"),
        ("<p><b>A</b></p><hr><p><b>B</b></p>",                                    "A"),
        // Two in one parent.
        ("<p><b>A</b><b>B</b></p>",                                               "A"),
        ("<p><b>A</b></p><p><b>B</b><b>C</b></p><p><b>D</b></p>",                 "A B"),
        // The first pair of the document counts, also where it lies deeper.
        ("<p><b><i>A</i></b></p>",                                                "A"),
        ("<center><b>A <i>B</i></b></center>",                                    "A B"),
        ("<table><tr><td><b>A</b><td><b>B</b><tr><td><b>C</b></table>",           "A B"),
        ("<table><tr><th><i>A</i></th><td><i>B</i></td></table>",                 "A"),
        // Formatting elements of the paper's time, no containers of ours.
        ("<p><u>A</u></p>",                                                       "A"),
        ("<font><big>A</big></font><font><big>B</big></font>",                    "A B"),
        ("<p><small>A</small></p>",                                               "A"),
        ("<div><b>A</b></div>",                                                   ""),
        ("<p><span>A</span></p>",                                                 ""),
        ("<p><a href=x><b>A</b></a></p>",                                         ""),
    ];
    for (html, expected) in cases {
        let told = check(html, Field::Title);
        assert_eq!(told.strip_prefix("<8> 0.1 ").unwrap_or(&told), expected, "{html}");
    }
}

#[test]
fn parts_are_kept() {
    let page = auslese_markup::parse(b"<title>Uni Ulm</title><h1>Ethik</h1>", None);
    let subject = Subject { page: &page, url: None, around: &Around::default() };
    let description = describe(&subject, &CARMEN, &Weights::initial());
    let title = description.chosen(Field::Title).next().unwrap();
    assert_eq!(title.parts, ["Uni Ulm", "Ethik"]);
    assert_eq!(title.place.as_ref().unwrap().to_string(), "/html/head/title");
}

#[test]
fn keywords_and_abstracts() {
    #[rustfmt::skip]
    let keywords = [
        ("<meta name=Keywords content='Ethik, Kant; Pflicht'>",              "<1> 0.8 Ethik | <1> 0.8 Kant | <1> 0.8 Pflicht"),
        ("<p><b>Schlagwörter:</b> Ethik, Kant</p>",                          "<2> 0.6 Ethik | <2> 0.6 Kant"),
        ("<p>Key words and phrases: rings, fields</p>",                      "<2> 0.6 rings | <2> 0.6 fields"),
        ("<p>Schlagwörterkatalog: neu</p><p>Keywords</p>",                   ""),
    ];
    for (html, expected) in keywords {
        assert_eq!(check(html, Field::Keywords), expected, "{html}");
    }
    #[rustfmt::skip]
    let abstracts = [
        ("<meta name=description content='Ein Text über Kants Ethik'>",      "<3> 0.6 Ein Text über Kants Ethik"),
        ("<p>Abstract. Wir zeigen, dass alles, was wir schon immer einmal zeigen wollten, wahr ist.</p>",
            "<1> 0.8 Wir zeigen, dass alles, was wir schon immer einmal zeigen wollten, wahr ist."),
        ("<h2>Zusammenfassung</h2><p>Wir zeigen, dass alles wahr ist.</p>",  "<2> 0.8 Wir zeigen, dass alles wahr ist."),
        ("<h2>Zusammenfassung</h2><p>Keine</p>",                             ""),
        ("<p>Ein Text</p>",                                                  ""),
    ];
    for (html, expected) in abstracts {
        assert_eq!(check(html, Field::Abstract), expected, "{html}");
    }
}
