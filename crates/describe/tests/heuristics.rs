//! The language through the door: sources, steps, conditions and decisions, each as a table.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_describe::{
    Around, Heuristics, MAX_CHAIN, SiteMemory, SiteSample, Subject, Verdict, Weights,
};
use auslese_describe::{candidates, describe, explain};
use auslese_model::{Description, Field, Timestamp};
use std::sync::Arc;
use url::Url;

const ADDRESS: &str = "https://www.uni-ulm.example/2004/03/12/kants_ethik-heute.html?x=1";

const PAGE: &str = "<html lang=de><head><title>Kants Ethik | Uni Ulm</title>\
    <meta name=DC.Title content='Kants  Ethik'><meta property=og:site_name content='Uni Ulm'>\
    <meta name=author content='Ada Ei'><meta name=keywords content='Ethik, Kant; Pflicht'>\
    <script type=application/ld+json>{\"@type\":\"Article\",\"headline\":\"Kants Ethik\"}</script>\
    <body><nav><a href=/>Start</a></nav><h1 id=a>Kants<br>Ethik</h1>\n<h1>heute</h1>\
    <p>Von <b>Ada Ei</b></p><p>Stand: 12. März 2004</p><div>Erste Zeile<br>zweite Zeile<br><br>Block</div>\
    <img src=dom.gif alt='Der Dom'><script>var x = 'kein Text';</script><p>Eins. Zwei. Drei.</p>\
    <p><i></i></p></body></html>";

fn around() -> Around {
    Around {
        anchors: vec!["zur Vorlesung".to_owned(), "Ethik".to_owned()],
        institution: Some("Universität Ulm".to_owned()),
        home: Some("Institut für Philosophie".to_owned()),
        last_modified: Some(Timestamp::from_seconds(1_079_172_000)),
        fetched: Some(Timestamp::from_seconds(1_104_537_600)),
        site: None,
    }
}

fn described(html: &str, around: &Around, heuristics: &str) -> Description {
    let page = auslese_markup::parse(html.as_bytes(), Some("utf-8"));
    let url = Url::parse(ADDRESS).unwrap();
    let subject = Subject { page: &page, url: Some(&url), around };
    let heuristics = Heuristics::parse("test", &[("a.heur", heuristics)]).unwrap();
    describe(&subject, &heuristics, &Weights::initial())
}

/// The items of an expression on the page, joined by `|`.
fn value(expression: &str) -> String {
    let text = format!(
        "let IT = {expression}\nheuristic t for keywords decide together <1> always -> [1] IT"
    );
    let description = described(PAGE, &around(), &text);
    assert_eq!(description.trouble, None);
    let values: Vec<&str> = description.statements.iter().map(|it| it.value.as_str()).collect();
    values.join("|")
}

fn holds(condition: &str, around: &Around) -> bool {
    let text = format!(
        "let A = \"Kants Ethik\"\nlet B = words \"kants ethik\", \"Ulm\"\nlet NONE = nothing\n\
         let H1 = `//h1`\nlet ALL = all of A, B, NONE, H1\n\
         heuristic t for title decide together\n<1> {condition} -> [1] \"yes\"\n<2> ALL -> [0] ALL | limit(1)"
    );
    described(PAGE, around, &text).statements.iter().any(|it| it.value == "yes")
}

#[test]
fn sources() {
    #[rustfmt::skip]
    let cases = [
        ("`//h1`",                                  "Kants Ethik|heute"),
        ("`//IMG/@alt`",                            "Der Dom"),
        ("`string(//title)`",                       "Kants Ethik | Uni Ulm"),
        ("`count(//p)`",                            "4"),
        ("\"x\"",                                   "x"),
        ("words \"x\", \"y\"",                      "x|y"),
        ("meta(\"dc.title\")",                      "Kants Ethik"),
        ("meta(\"nix\", \"AUTHOR\")",               "Ada Ei"),
        ("jsonld(\"headline\")",                    "Kants Ethik"),
        ("jsonld(\"headline\", \"Person\")",        ""),
        ("jsonld-types",                            "Article"),
        ("microdata(\"name\")",                     ""),
        ("microdata-types",                         ""),
        ("rdfa(\"dc:title\")",                      ""),
        ("coins(\"rft.title\")",                    ""),
        ("coins-count",                             "0"),
        ("address",                                 ADDRESS),
        ("address-words",                           "kants ethik heute"),
        ("address-dates",                           "2004-03-12"),
        ("host",                                    "www.uni-ulm.example"),
        ("file-name",                               "kants_ethik-heute.html"),
        ("anchors",                                 "zur Vorlesung|Ethik"),
        ("site-name",                               "Uni Ulm|uni-ulm.example"),
        ("institution",                             "Universität Ulm"),
        ("home",                                    "Institut für Philosophie"),
        ("last-modified | dates",                   "2004-03-13"),
        ("language",                                "de"),
        ("blocks",                                  "Start|Kants Ethik|heute|Von Ada Ei|Stand: 12. März 2004|Erste Zeile zweite Zeile|Block|Eins. Zwei. Drei."),
        ("nothing",                                 ""),
        ("first of nothing, `//i`, `//b`, `//p`",   "Ada Ei"),
        ("all of `//b`, \"x\", nothing",            "Ada Ei|x"),
    ];
    for (expression, expected) in cases {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn steps() {
    #[rustfmt::skip]
    let cases = [
        ("`//h1` | first",                              "Kants Ethik"),
        ("`//h1` | last",                               "heute"),
        ("`//p` | limit(2)",                            "Von Ada Ei|Stand: 12. März 2004"),
        ("`//p` | skip(1) | first",                     "Stand: 12. März 2004"),
        ("words \"Kant\", \"KANT!\", \"Ei\" | unique",  "Kant|Ei"),
        ("words \"Kant\", \"KANT!\", \"Ei\" | repeated", "Kant"),
        ("`//h1` | longest",                            "Kants Ethik"),
        ("`//h1` | shortest",                           "heute"),
        ("`//body` | own-text",                         ""),
        ("`//p` | own-text | first",                    "Von"),
        ("`//h1` | runs",                               "Kants Ethik heute"),
        ("`//b` | alike",                               "Ada Ei"),
        ("`//b` | at(`ancestor::p`)",                   "Von Ada Ei"),
        ("`//p` | at(`/html/head/title`)",              "Kants Ethik | Uni Ulm"),
        ("`//img` | attribute(\"ALT\")",                "Der Dom"),
        ("`//div` | lines",                             "Erste Zeile|zweite Zeile|Block"),
        ("`//b` | next",                                "Stand: 12. März 2004"),
        ("`//p` | first | next(2)",                     "Stand: 12. März 2004|Erste Zeile zweite Zeile"),
        ("`//b` | previous",                            "heute"),
        ("`//h1` | runs | previous(5)",                 "Start"),
        ("`//title` | previous",                        ""),
        ("blocks | last | next",                        ""),
        ("\"x\" | next",                                ""),
        ("blocks | where it starts with \"stand\" | next", "Erste Zeile zweite Zeile"),
        ("`//p` | where it | sentences(2) | last",      "Eins. Zwei."),
        ("`//title` | cut(2)",                          "Kants Ethik"),
        ("\"a und b und c\" | split(\"\\s+und\\s+\")",  "a|b|c"),
        ("`//p` | capture(\"Stand: (.+)\")",            "12. März 2004"),
        ("`//b` | capture(\"[A-Z]\")",                  "A|E"),
        ("`//p` | first | remove(\"^Von \")",           "Ada Ei"),
        ("file-name | replace(\"[_-]|\\.\\w+$\", \" \")", "kants ethik heute"),
        ("\"Ei, Ada\" | replace(\"(.+), (.+)\", \"$2 $1\")", "Ada Ei"),
        ("`//p` | after(words \"von\", \"stand\")",     "Ada Ei|12. März 2004"),
        ("`//title` | without(\"uni ulm\")",            "Kants Ethik"),
        ("`//title` | parts",                           "Kants Ethik"),
        ("`//title` | without-site",                    "Kants Ethik"),
        ("`//p` | limit(2) | names",                    "Ada Ei"),
        ("`//p` | dates",                               "2004-03-12"),
        ("words \"1. Mai 2005\", \"1. Mai 2006\" | dates", "2005-05-01"),
        ("meta(\"keywords\") | list",                   "Ethik|Kant|Pflicht"),
        ("`//h1` | joined(\" – \")",                    "Kants Ethik – heute"),
        ("`//b` | lower",                               "ada ei"),
        ("\" – Ethik, \" | trimmed",                    "Ethik"),
        ("`//img/@src` | resolved",                     "https://www.uni-ulm.example/2004/03/12/dom.gif"),
        ("\"Ei, A. (2004): Kants Ethik. Ulm: Verlag.\" | cited-title", "Kants Ethik"),
        ("`//*[@alt]` | where (it | attribute(\"alt\")) contains \"dom\" | attribute(\"src\")", "dom.gif"),
        ("(first of nothing, `//b`) | lower",           "ada ei"),
    ];
    for (expression, expected) in cases {
        assert_eq!(value(expression), expected, "{expression}");
    }
}

#[test]
fn neighbours_amid_loose_text() {
    let page = "<body>vorn<h1>T</h1><p><b>A</b></p>mitten<p>B</p><a href='#'>Ende</a></body>";
    #[rustfmt::skip]
    let cases = [
        ("`//h1` | next(2)",     "A|mitten"),
        ("`//h1` | previous",    "vorn"),
        ("`//a` | previous(2)",  "mitten|B"),
        ("`//a` | next",         ""),
        ("`//p` | last | next",  "Ende"),
        ("`//p/b` | next",       "mitten"),
    ];
    for (expression, expected) in cases {
        let text =
            format!("heuristic t for keywords decide together <1> always -> [1] {expression}");
        let description = described(page, &around(), &text);
        let values: Vec<&str> = description.statements.iter().map(|it| it.value.as_str()).collect();
        assert_eq!(values.join("|"), expected, "{expression}");
    }
}

#[test]
fn names_are_known_in_xpath() {
    #[rustfmt::skip]
    let cases = [
        ("let A = `//b`\nlet B = `$A/parent::p`",                   "Von Ada Ei"),
        ("let A = meta(\"author\")\nlet B = `//b[. = $A]`",         "Ada Ei"),
        ("let A = \"Kants Ethik\"\nlet B = `//title[starts-with(., $A)]`", "Kants Ethik | Uni Ulm"),
        ("let A = nothing\nlet B = `//b[. = $A]`",                  ""),
    ];
    for (lets, expected) in cases {
        let text = format!("{lets}\nheuristic t for title decide first <1> B -> [1] B");
        let description = described(PAGE, &around(), &text);
        let value = description.chosen(Field::Title).next().map_or("", |it| &it.value);
        assert_eq!(value, expected, "{lets}");
    }
}

#[test]
fn conditions() {
    #[rustfmt::skip]
    let cases = [
        ("A",                                   true),
        ("NONE",                                false),
        ("`//i`",                               false),
        ("not NONE",                            true),
        ("always",                              true),
        ("A equals \"Kants  Ethik\"",           true),
        ("A equals \"kants Ethik\"",            false),
        ("A equals B",                          false),
        ("A same as \"KANTS, Ethik!\"",         true),
        ("A same B",                            true),
        ("A in B",                              true),
        ("\"Ulm!!!\" in B",                     true),
        ("\"Ulm und andere Orte\" in B",        false),
        ("\"ÜLM\" in words \"Uelm\", \"x\"",    true),
        ("\"!\" in words \"!\", \"x\"",         true),
        ("NONE in B",                           false),
        ("A in NONE",                           false),
        ("\"Uni\" in B",                        false),
        ("A contains \"ts e\"",                 true),
        ("A contains NONE",                     false),
        ("A contains `//i`",                    false),
        ("A mentions \"ethik\"",                true),
        ("A mentions \"Eth\"",                  false),
        ("A starts with \"KANT\"",              true),
        ("A ends with \"ethik\"",               true),
        ("A ends with \"Kants\"",               false),
        ("A matches \"^Kants \\w+$\"",          true),
        ("A matches \"^kants\"",                false),
        ("A matches \"(?i)^kants\"",            true),
        ("A like \"Kants Ethic\" 0.5",          true),
        ("A like \"Lehre und Forschung\"",      false),
        ("\"Startseite\" is generic",           true),
        ("A is generic",                        false),
        ("\"Ada Lovelace\" is name",            true),
        ("\"Universität Ulm\" is organisation", true),
        ("A is boilerplate",                    false),
        ("A is site-wide",                      false),
        ("`//b` inside `//p`",                  true),
        ("`//h1` inside `//p`",                 false),
        ("`//h1` before `//p`",                 true),
        ("`//h1` after `//p`",                  false),
        ("\"x\" before `//p`",                  false),
        ("count(H1) = 2",                       true),
        ("count(NONE) = 0",                     true),
        ("count(`//i`) = 0",                    true),
        ("words(A) <= 2",                       true),
        ("words(NONE) <= 2",                    false),
        ("length(A) = 11",                      true),
        ("length(A) != 11",                     false),
        ("position(`//title`) < 0.2",           true),
        ("position(A) >= 0",                    false),
        ("links(`//nav`) = 1",                  true),
        ("links(`//body`) < 0.1",               true),
        ("capitals(A) = 1",                     true),
        ("digits(\"a1\") = 0.5",                true),
        ("number(\"um 2004 herum\") > 2003",    true),
        ("number(A) > 0",                       false),
        ("2 > count(A)",                        true),
        ("count(A) < count(H1)",                true),
        ("A and NONE or A",                     true),
        ("A and (NONE or A)",                   true),
        ("NONE and A or NONE",                  false),
        ("not A or A",                          true),
        ("not (A or A)",                        false),
        ("(A | lower) equals \"kants ethik\"",  true),
        ("(first of NONE, A) equals A",         true),
        ("(A) equals (A)",                      true),
        ("count(H1 | where it contains \"heu\") = 1", true),
    ];
    for (condition, expected) in cases {
        assert_eq!(holds(condition, &around()), expected, "{condition}");
    }
}

#[test]
fn memory_of_the_site() {
    let sample = |at: usize| {
        let html = format!(
            "<title>Seite {at} – Mein Blog</title><h2>Archiv</h2><meta name=author content=Admin>"
        );
        let page = auslese_markup::parse(html.as_bytes(), None);
        SiteSample::of(&page, &Url::parse(&format!("http://blog.example/{at}")).unwrap())
    };
    let samples: Vec<SiteSample> = (0..10).map(sample).collect();
    let around = Around { site: Some(Arc::new(SiteMemory::learn(&samples))), ..around() };
    assert!(holds("\"Archiv\" is boilerplate", &around));
    let text = "let A = \"Neues – Mein Blog\" | without-site\nheuristic t for author decide together\n\
        <1> A -> [1] A\n<2> always -> [0.9] \"Admin\"\ndoubt <3> it is site-wide -> [0.1]";
    let description = described(PAGE, &around, text);
    let told: Vec<(&str, f64)> =
        description.statements.iter().map(|it| (it.value.as_str(), it.weight)).collect();
    assert_eq!(told, [("Neues", 1.0), ("Admin", 0.1)]);
}

#[test]
fn rules_decide_together() {
    let text = r#"
        heuristic t for title
        decide together
        silent below 0.35
        at most 2
        <weak>   always -> [0.4] "KANTS ETHIK!" as "first"
        <strong> always -> [0.6] words "Kants Ethik", "Kants Ethik", "Home", "Uni" as "second"
        <third>  always -> [0.3] "Ada"
        <none>   always -> [0.9] nothing
        when "x" equals "y"
            <never> always -> [1.0] "never"
            doubt <never-2> it -> [0.0]
        end
        support <known> it same as "Ada" -> [0.5]
        doubt <generic> it is generic -> [0.1]
    "#;
    let description = described(PAGE, &around(), text);
    let told: Vec<String> = description
        .statements
        .iter()
        .map(|it| {
            let rules: Vec<&str> = it.rules.iter().map(|rule| rule.as_str()).collect();
            let origin = it.origin.as_deref().unwrap_or("-");
            format!("{} {} {} {} {}", it.value, it.weight, it.chosen, rules.join(","), origin)
        })
        .collect();
    assert_eq!(
        told,
        [
            "Kants Ethik 0.6 true t<strong>,t<weak> second",
            "Uni 0.6 true t<strong> second",
            "Ada 0.5 false t<third> -",
            "Home 0.1 false t<strong> second",
        ]
    );
    assert_eq!(description.field_weights.len(), 1);
}

#[test]
fn heuristics_ask_each_other_and_the_type_is_the_class() {
    let text = r#"
        heuristic a for author decide first
        <1> chosen("title") contains "Ethik" and chosen("type") same as "article" -> [1] "Ada"
        heuristic t for title decide first <1> always -> [1] `//h1`
        heuristic y for type decide first <1> always -> [0.5] "article"
    "#;
    let description = described(PAGE, &around(), text);
    let fields: Vec<Field> = description.statements.iter().map(|it| it.field).collect();
    assert_eq!(fields, [Field::Title, Field::Title, Field::Author, Field::Type]);
    assert_eq!(description.class, "article");
    assert_eq!(description.chosen(Field::Title).count(), 1);
}

#[test]
fn candidates_come_with_their_indicators() {
    let page = auslese_markup::parse(PAGE.as_bytes(), Some("utf-8"));
    let around = around();
    let subject = Subject { page: &page, url: None, around: &around };
    let text = "heuristic t for title decide together <1> always -> [0.4] \"Home\"\n\
        <2> always -> [0.5] \"home\"\nsupport <3> it -> [0.2]\ndoubt <4> it is generic -> [0.1]";
    let heuristics = Heuristics::parse("test", &[("a.heur", text)]).unwrap();
    let offered = candidates(&subject, &heuristics, &Weights::initial());
    assert_eq!(offered.fields.len(), 1);
    let (value, indicators) = &offered.fields[0].candidates[0];
    let ids: Vec<&str> = indicators.spoke.iter().map(|it| it.id.as_str()).collect();
    assert_eq!((value.as_str(), ids), ("home", vec!["t<1>", "t<2>", "t<3>", "t<4>"]));
}

#[test]
fn explanations_say_why() {
    let page =
        auslese_markup::parse(b"<title>Startseite</title><h1>Institut</h1><p><b>x</b></p>", None);
    let around = Around::default();
    let subject = Subject { page: &page, url: None, around: &around };
    let carmen = Heuristics::shipped("carmen").unwrap();
    let explanation = explain(&subject, &carmen, &Weights::initial(), None);
    let title = &explanation.fields[0];
    let because = |at: usize| match &title.rules[at].verdict {
        Verdict::Failed { because } => because.clone(),
        other => format!("{other:?}"),
    };
    assert_eq!(because(0), "TITLE equals HMAX: \"Startseite\" is not \"Institut\"");
    assert_eq!(because(1), "TITLE contains HMAX: \"Startseite\" does not contain \"Institut\"");
    assert!(
        matches!(&title.rules[3].verdict, Verdict::Fired { values, .. } if values == &["Startseite: Institut"])
    );
    assert_eq!(because(4), "NotReached { decided: RuleId(\"carmen-title<4>\") }");
    let names: Vec<&str> = explanation.names.iter().map(|it| it.name.as_str()).collect();
    assert!(names.contains(&"HMAX") && !names.contains(&"S"), "only what was asked for: {names:?}");
    let text = explanation.text();
    for line in [
        "TITLE = `//title` | first | text    (title.heur:5)\n    \"Startseite\"  at /html/head/title\n",
        "    no: TITLE equals HMAX: \"Startseite\" is not \"Institut\"\n",
        "    fired [0.8]: \"Startseite: Institut\"\n",
        "    not reached: carmen-title<4> decided\n",
        "  => [0.80] \"Startseite: Institut\"  at /html/head/title\n",
    ] {
        assert!(text.contains(line), "{line}\nin\n{text}");
    }
    let json = serde_json::to_value(&explanation).unwrap();
    assert_eq!(json["fields"][0]["rules"][4]["verdict"]["is"], "not-reached");
}

#[test]
fn reasons() {
    #[rustfmt::skip]
    let cases = [
        ("NONE",                               "NONE is absent"),
        ("`//i`",                              "`//i` is empty"),
        ("A and NONE",                         "NONE is absent"),
        ("NONE or A equals \"x\"",             "NONE is absent; and A equals \"x\": \"Kants Ethik\" is not \"x\""),
        ("not A",                              "not A: it is \"Kants Ethik\""),
        ("not A contains \"ethik\"",           "not A contains \"ethik\": \"Kants Ethik\" and \"ethik\""),
        ("words(A) > 3",                       "words(A) > 3: 2 against 3"),
        ("A matches \"^x\"",                   "A matches \"^x\": \"Kants Ethik\" does not match"),
        ("A is generic",                       "A is generic: \"Kants Ethik\" is not generic"),
        ("A in words \"x\", \"y\"",            "A in words \"x\", \"y\": \"Kants Ethik\" is not one of \"x\", \"y\""),
        ("A like \"x\"",                       "A like \"x\": \"Kants Ethik\" is like \"x\" by 0.00, not 0.85"),
        ("A contains NONE",                    "A contains NONE: \"Kants Ethik\" does not contain nothing"),
        ("not (A and H1)",                     "not (A and H1): (A and H1) holds"),
    ];
    let page = auslese_markup::parse(PAGE.as_bytes(), Some("utf-8"));
    let around = around();
    let subject = Subject { page: &page, url: None, around: &around };
    for (condition, expected) in cases {
        let text = format!(
            "let A = \"Kants Ethik\"\nlet NONE = nothing\nlet H1 = `//h1`\nlet ALL = all of A, NONE, H1\n\
             heuristic t for title decide first <1> {condition} -> [1] ALL"
        );
        let heuristics = Heuristics::parse("test", &[("a.heur", text.as_str())]).unwrap();
        let explanation = explain(&subject, &heuristics, &Weights::initial(), None);
        let Verdict::Failed { because } = &explanation.fields[0].rules[0].verdict else {
            panic!("{condition} holds")
        };
        assert_eq!(because, expected);
    }
}

/// What does not depend on the item in question is worked out once, not for each item.
#[test]
fn conditions_about_many_items_are_cheap() {
    let html = "<p>ein Absatz</p><nav>x</nav>".repeat(5000);
    let text = "let ALL = blocks | where not it inside `//nav` and it in words \"ein Absatz\", \"b\"\n\
        heuristic t for title decide first <1> count(ALL) = 5000 -> [1] \"all\"";
    let description = described(&html, &around(), text);
    assert_eq!(description.trouble, None);
    assert_eq!(description.statements.len(), 1);
}

/// Chains as long as they may be do not exhaust the stack of a thread.
#[test]
fn long_chains_are_followed() {
    let mut text = "let A0 = `//p`\n".to_owned();
    let mut longest = 0;
    for length in 1..MAX_CHAIN {
        text.push_str(&format!("let A{length} = `//p` | where not (it and not A{})\n", length - 1));
        let set =
            format!("{text}heuristic t for title decide first <1> A{length} -> [1] A{length}");
        let Ok(heuristics) = Heuristics::parse("test", &[("a.heur", &set)]) else { break };
        let page = auslese_markup::parse(b"<p>a", None);
        let subject = Subject { page: &page, url: None, around: &Around::default() };
        assert_eq!(describe(&subject, &heuristics, &Weights::initial()).statements.len(), 1);
        longest = length;
    }
    assert!(longest > 20 && longest + 1 < MAX_CHAIN, "{longest}");
}

#[test]
fn authors_come_as_they_stand() {
    let page = "<title>x</title><p>Karl Huber</p><p><b>Ada Ei</b></p><p>Bo Ix</p>";
    let rules = "heuristic t for author decide together\n<bold> always -> [0.9] `//b`\n\
                 <all> always -> [0.5] `//p`\n<known> always -> [0.8] \"Zoe Yu\"";
    let description = described(page, &Around::default(), rules);
    let authors: Vec<&str> =
        description.chosen(Field::Author).map(|it| it.value.as_str()).collect();
    assert_eq!(authors, ["Karl Huber", "Ada Ei", "Bo Ix", "Zoe Yu"]);
}

/// A line of a page falls into cells at wide gaps; a mark above the line divides, too.
#[test]
fn cells_of_a_line() {
    let page = "<page><line><word>Ada</word> <word spaced=yes>Ei</word> <word>Bo</word> \
        <word>Ulm</word><word raised=3>1</word></line><line><word>Kants</word> <word>Ethik</word></line></page>";
    let heuristic =
        "let IT = `//line` | cells\nheuristic t for keywords decide together <1> always -> [1] IT";
    let found = described(page, &around(), heuristic);
    let values: Vec<&str> = found.statements.iter().map(|it| it.value.as_str()).collect();
    assert_eq!(values, ["Ada Ei", "Bo Ulm,", "Kants Ethik"]);
}
