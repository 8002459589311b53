//! What is wrong with heuristics is told with its place and with what was expected.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_describe::{
    Heuristics, MAX_CHAIN, MAX_HEURISTICS_FILE, MAX_NESTING, SHIPPED_HEURISTICS,
};

/// All faults of a set, or its warnings.
fn check_set(files: &[(&str, &str)]) -> String {
    match Heuristics::parse("test", files) {
        Ok(heuristics) => {
            let warnings: Vec<String> =
                heuristics.check().iter().map(|it| format!("warning {it}")).collect();
            warnings.join("\n")
        }
        Err(errors) => errors.to_string(),
    }
}

fn check(text: &str) -> String {
    check_set(&[("a.heur", text)])
}

/// A heuristic with this rule.
fn with_rule(rule: &str) -> String {
    format!("let A = `//title`\nheuristic t for title\ndecide together\n{rule}")
}

#[test]
fn faults_in_rules() {
    #[rustfmt::skip]
    let cases = [
        ("<1> A -> [0.5] A",                       ""),
        ("<1> A -> [0.5]",                         "a.heur:4:15: expected a value: a name, a text, an XPath in ` ` or a source, found the end of the file"),
        ("<1> A -> 0.5 A",                         "a.heur:4:10: expected `[`, found the number 0.5"),
        ("<1> A [0.5] A",                          "a.heur:4:7: expected `->`, found `[`"),
        ("<1> A -> [1.5] A",                       "a.heur:4:11: expected a weight from 0 to 1"),
        ("<1> A -> [0.5] B",                       "a.heur:4:16: there is no B"),
        ("<1> A -> [0.5] it",                      "a.heur:4:16: `it` means something only after `where`, `support` and `doubt`"),
        ("<1> A -> [0.5] A\n<1> A -> [0.4] A",     "a.heur:5:1: <1> is used already, in a.heur:4"),
        ("<1> A -> [0.5] A\ndoubt <1> it -> [0]",  "a.heur:5:7: <1> is used already, in a.heur:4"),
        ("A -> [0.5] A",                           "a.heur:4:1: expected a rule such as `<1> TITLE -> [0.5] TITLE`, found `A`"),
        ("<1> A equal A -> [0.5] A",               "a.heur:4:7: expected a comparison or `->` (did you mean `equals`?), found `equal`"),
        ("<1> A starts A -> [0.5] A",              "a.heur:4:14: expected `with`, found `A`"),
        ("<1> A matches A -> [0.5] A",             "a.heur:4:15: expected a regular expression in \" \", found `A`"),
        ("<1> A matches \"(\" -> [0.5] A",         "a.heur:4:15: expected a regular expression: unclosed group"),
        ("<1> A is nice -> [0.5] A",               "a.heur:4:10: expected one of `generic`, `name`, `organisation`, `boilerplate`, `site-wide`, found `nice`"),
        ("<1> A like A 2 -> [0.5] A",              "a.heur:4:14: expected a similarity from 0 to 1"),
        ("<1> count(A) -> [0.5] A",                "a.heur:4:14: expected `<`, `<=`, `=`, `!=`, `>=` or `>`, found `->`"),
        ("<1> cuont(A) = 1 -> [0.5] A",            "a.heur:4:5: there is no source `cuont` (did you mean `count`?)"),
        ("<1> 3 < cuont(A) -> [0.5] A",            "a.heur:4:9: there is no measure `cuont` (did you mean `count`?)"),
        ("<1> (A -> [0.5] A",                      "a.heur:4:8: expected `)`, found `->`"),
        ("<1> (A and A | first) -> [0.5] A",       "a.heur:4:14: expected `)`, found `|`"),
        ("when A\n<1> A -> [0.5] A",               "a.heur:5:17: expected `end` of the `when` in line 4, found the end of the file"),
        ("suport <1> it -> [0.5]",                 "a.heur:4:1: expected a rule, `when`, `support` or `doubt` (did you mean `support`?), found `suport`"),
        // Several at once.
        ("<1> B -> [2] A | limit(0)\n<2> C -> [0.1] A", "a.heur:4:5: there is no B\na.heur:4:11: expected a weight from 0 to 1\na.heur:4:24: expected a whole number from 1 on\na.heur:5:5: there is no C"),
        ("<1> A -> [2 A\n<2> A -> [0.1] A | fisrt\n<3> A -> [0.1] A", "a.heur:4:13: expected `]`, found `A`\na.heur:5:20: there is no step `fisrt` (did you mean `first`?)"),
    ];
    for (rule, expected) in cases {
        assert_eq!(check(&with_rule(rule)), expected, "{rule}");
    }
}

#[test]
fn faults_in_values() {
    #[rustfmt::skip]
    let cases = [
        ("`//h1` | text",            ""),
        ("`//h1[`",                  "a.heur:1:16: expected an expression, found the end"),
        ("(\n  `//h1[` )",           "a.heur:2:9: expected an expression, found the end"),
        ("`//h1` | at(`p[`)",        "a.heur:1:25: expected an expression, found the end"),
        ("`//h1[. = $B]`",           "a.heur:1:20: there is no B"),
        ("`//h1` | frist",           "a.heur:1:19: there is no step `frist` (did you mean `first`?)"),
        ("`//h1` | xyzzy",           "a.heur:1:19: there is no step `xyzzy`"),
        ("adress",                   "a.heur:1:10: there is no source `adress` (did you mean `address`?)"),
        ("`//h1` | limit",           "a.heur:1:19: expected it as in `limit(3)`: it takes one thing in parentheses"),
        ("`//h1` | limit(0)",        "a.heur:1:25: expected a whole number from 1 on"),
        ("`//h1` | limit(1.5)",      "a.heur:1:25: expected a whole number from 1 on"),
        ("`//h1` | limit(\"a\")",    "a.heur:1:25: expected a number, as in `limit(3)`"),
        ("`//h1` | first(1)",        "a.heur:1:19: expected it as in `first`: it takes nothing in parentheses"),
        ("`//h1` | replace(\"a\")",  "a.heur:1:19: expected it as in `replace(\"_\", \" \")`: it takes two things in parentheses"),
        ("`//h1` | split(\"[\")",    "a.heur:1:25: expected a regular expression: unclosed character class"),
        ("meta",                     "a.heur:1:10: expected it as in `meta(\"og:title\")`: it takes one text or more"),
        ("meta(A2)",                 "a.heur:1:15: expected a text in \" \", as in `meta(\"og:title\")`"),
        ("jsonld(\"a\",\"b\",\"c\")","a.heur:1:10: expected it as in `jsonld(\"author.name\", \"Article\")`: it takes one text or two"),
        ("chosen(\"titel\")",        "a.heur:1:17: the set has no heuristic for titel (did you mean `title`?)"),
        ("words",                    "a.heur:2:1: expected a text, such as \"home\", found `heuristic`"),
        ("first of `//h1`, ",        "a.heur:2:1: expected a value: a name, a text, an XPath in ` ` or a source, found `heuristic`"),
        ("it",                       "a.heur:1:10: `it` means something only after `where`, `support` and `doubt`"),
        ("`//p` | where it is site-wide", "a.heur:1:24: `is site-wide` means something only in the rules of a heuristic"),
        ("\"a",                      "a.heur:1:10: expected `\"` at the end of the text, found the end of the line"),
    ];
    for (value, expected) in cases {
        let rule = "heuristic t for title decide first <1> A -> [1] A";
        let told = check(&format!("let A  = {value}\n{rule}"));
        assert_eq!(told.lines().next().unwrap_or_default(), expected, "{value}");
    }
}

#[test]
fn faults_in_heuristics() {
    #[rustfmt::skip]
    let cases = [
        ("heuristic t for titel decide first <1> always -> [1] \"x\"",     "a.heur:1:17: there is no field `titel` (did you mean `title`?)"),
        ("heuristic t for title <1> always -> [1] \"x\"",                  "a.heur:1:11: expected `decide first` or `decide together` in this heuristic"),
        ("heuristic t for title decide frist <1> always -> [1] \"x\"",     "a.heur:1:30: expected `first` or `together`, found `frist`"),
        ("heuristic t title",                                              "a.heur:1:13: expected `for`, found `title`"),
        ("heuristic t for title decide first",                             "a.heur:1:11: the heuristic t has no rule"),
        ("heuristic t for title decide first at most 0\n<1> always -> [1] \"x\"", "a.heur:1:44: expected a whole number from 1 on"),
        ("heuristic t for title decide first silent below 3\n<1> always -> [1] \"x\"", "a.heur:1:49: expected a weight from 0 to 1"),
        ("heuristic t for title decide first\n<1> otherwise -> [1] \"x\"\n<2> always -> [1] \"x\"", "a.heur:2:5: expected `otherwise` in the last rule: those below are never reached"),
        ("heuristic t for title decide first\n<1> always -> [1] \"x\"\nsupport <2> it -> [1]", "a.heur:3:1: `support` and `doubt` need `decide together`"),
        ("<1> always -> [1] \"x\"",                                        "a.heur:1:1: expected `heuristic NAME for FIELD` before the first rule, found the label <1>"),
        ("lte A = `//a`",                                                  "a.heur:1:1: expected `use`, `let` or `heuristic` (did you mean `let`?), found `lte`"),
        ("let a = `//a`",                                                  "a.heur:1:5: expected a name that begins with a capital letter, found `a`"),
    ];
    for (text, expected) in cases {
        assert_eq!(check(text).lines().next().unwrap_or_default(), expected, "{text}");
    }
}

#[test]
fn faults_between_names_and_files() {
    let rule = "heuristic t for title decide first <1> A -> [1] A";
    let other = "heuristic u for date decide first <1> always -> [1] \"x\"";
    #[rustfmt::skip]
    let cases: [(&[(&str, &str)], &str); 10] = [
        (&[("a.heur", &format!("use \"b\"\n{rule}")), ("b.heur", "let A = `//a`")], ""),
        (&[("a.heur", rule), ("b.heur", "let A = `//a`")],
            "a.heur:1:40: A is not known here; `use \"b\"` would make it so\na.heur:1:49: A is not known here; `use \"b\"` would make it so"),
        (&[("a.heur", &format!("use \"bb\"\nlet A = `//a`\n{rule}")), ("bbb.heur", "")],
            "a.heur:1:5: the set has no file \"bb.heur\" (did you mean `bbb`?)"),
        (&[("a.heur", &format!("use \"a\"\nlet A = `//a`\n{rule}"))], "a.heur:1:5: a file need not use itself"),
        (&[("a.heur", &format!("use \"b\"\nlet A = `//a`\n{rule}")), ("b.heur", "let A = `//a`")],
            "a.heur:1:5: it brings A, which is known from a.heur:2"),
        (&[("a.heur", &format!("let A = `//a`\nlet A = `//b`\n{rule}"))], "a.heur:2:5: A has a value already, in line 1"),
        (&[("a.heur", &format!("let A = B | first\nlet B = all of \"x\", A\n{rule}"))], "a.heur:1:9: A is explained by itself: A → B → A"),
        (&[("a.heur", &format!("let A = chosen(\"title\")\n{rule}"))], "a.heur:1:9: A is explained by itself: A → chosen(\"title\") → A"),
        (&[("a.heur", &format!("let A = `//a`\n{rule}\n{}", other.replace("date", "title")))],
            "a.heur:3:17: title has a heuristic already, in a.heur:2"),
        (&[("a.heur", &format!("use \"b\"\nlet A = `//a`\nlet B = A\n{rule}")), ("b.heur", other)],
            "warning a.heur:3:5: nothing uses B\nwarning a.heur:1:5: nothing here needs the names of \"b\""),
    ];
    for (files, expected) in cases {
        assert_eq!(check_set(files), expected, "{files:?}");
    }
}

#[test]
fn limits() {
    let deep = "not ".repeat(MAX_NESTING * 2);
    let told = check(&with_rule(&format!("<1> {deep} A -> [0.5] A")));
    assert!(told.contains("expressions lie more than 64 deep in each other"), "{told}");
    let parentheses = "(".repeat(1_000_000);
    let told = check(&with_rule(&format!("<1> {parentheses} A -> [0.5] A")));
    assert!(told.contains("expressions lie more than 64 deep"), "{told}");
    let mut chain = "let A0 = `//a`\n".to_owned();
    for at in 1..=MAX_CHAIN {
        chain.push_str(&format!("let A{at} = A{} | first\n", at - 1));
    }
    let told = check(&format!("{chain}{}", with_rule("<1> A -> [0.5] A")));
    assert!(told.contains("expressions lie more than 256 deep"), "{told}");
    let large = "#".repeat(MAX_HEURISTICS_FILE + 1);
    assert_eq!(check(&large), "a.heur: the file has more than 1048576 bytes");
    assert_eq!(check_set(&[]), "test: there is no file that ends in .heur");
    let regex = with_rule("<1> A matches \"(\\w{500}){500}\" -> [0.5] A");
    assert!(check(&regex).contains("expected a regular expression"), "{}", check(&regex));
}

#[test]
fn sets_are_read_from_folders() {
    let missing = Heuristics::read(std::path::Path::new("no-such-folder")).unwrap_err();
    assert!(missing.to_string().starts_with("no-such-folder: cannot be read: "), "{missing}");
    let sets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("heuristics");
    for name in SHIPPED_HEURISTICS {
        let read = Heuristics::read(&sets.join(name)).unwrap();
        let shipped = Heuristics::shipped(name).unwrap();
        assert_eq!(read.digest(), shipped.digest(), "a file of {name} is not compiled in");
        assert_eq!((read.name(), read.check()), (name, &[][..]));
    }
    assert!(Heuristics::shipped("nobody's").is_none());
    let read = Heuristics::shipped("carmen").unwrap();
    let rules = read.rules();
    let title: Vec<String> = rules
        .iter()
        .filter(|rule| rule.id.as_str().starts_with("carmen-title"))
        .map(|rule| format!("{} {} {}", rule.id, rule.initial, rule.place))
        .collect();
    assert_eq!(title.len(), 8);
    assert!(title[3].starts_with("carmen-title<4> 0.8 title.heur:"), "{}", title[3]);
}

/// The example of the manual is right, and so is the mistake in it.
#[test]
fn the_manual_shows_real_messages() {
    let manual = include_str!("../../../docs/heuristics.md");
    let begin = manual.find("1. Make a folder").unwrap();
    let example: Vec<&str> = manual[begin..]
        .lines()
        .skip(2)
        .take_while(|line| line.is_empty() || line.starts_with("       "))
        .collect();
    let example = example.join("\n").replace("\n       ", "\n").trim().to_owned();
    assert_eq!(check_set(&[("title.heur", &example)]), "");
    let mistake = example.replacen("where", "wher", 1);
    let told = check_set(&[("title.heur", &mistake)]);
    assert!(manual.contains(&told), "{told}");
}
