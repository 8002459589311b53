//! HEL by its tables: `hel/table.txt` is that of the specification, `hel/further.txt` our own; and what
//! holds for all rules and all pages.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_hidden::{HelBudget, HelError, HelPage, HelPrefix, HelRule, Nsl};
use auslese_markup::parse;
use proptest::prelude::*;
use std::fs;
use std::path::Path;

fn value(html: &[u8], prefix: &str, rule: &str) -> Result<Nsl, HelError> {
    let prefix = HelPrefix::parse(prefix)?;
    let rule = HelRule::parse(rule, prefix.as_ref())?;
    rule.evaluate(&HelPage::new(&parse(html, Some("utf-8"))), &mut HelBudget::default())
}

/// What a rule gives, as the tables write it.
fn outcome(html: &[u8], prefix: &str, rule: &str) -> String {
    match value(html, prefix, rule) {
        Ok(value) => serde_json::to_string(&value).unwrap(),
        Err(error) => format!("{} at {}", error.code, error.offset),
    }
}

/// Checks all cases of a file and says how many there were.
fn check_table(name: &str) -> usize {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hel");
    let table = fs::read_to_string(directory.join(name)).unwrap();
    let mut failures = Vec::new();
    let cases: Vec<&str> = table.split("\n\n").filter(|block| block.contains("case ")).collect();
    for case in &cases {
        let line = |key: &str| {
            let start = format!("{key} ");
            case.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_default()
        };
        let document = fs::read(directory.join(format!("{}.html", line("document")))).unwrap();
        let found = outcome(&document, line("prefix"), line("rule"));
        if found != line("gives") {
            failures.push(format!(
                "{}\n  rule {}\n  gives {found}\n  not   {}",
                line("case"),
                line("rule"),
                line("gives")
            ));
        }
    }
    assert!(failures.is_empty(), "{name}: {}\n{}", failures.len(), failures.join("\n"));
    cases.len()
}

#[test]
fn the_table_of_the_specification() {
    assert!(check_table("table.txt") >= 38);
}

#[test]
fn further_cases() {
    assert!(check_table("further.txt") >= 100);
}

/// Rules made to cost as much as they can.
#[test]
fn hostile_rules_end_in_an_error() {
    let rows = "<tr><td>a<td>b".repeat(2_000);
    let deep = "<div>".repeat(500);
    let html = format!("<table>{rows}</table>{deep}{}", "<b>x</b>".repeat(20_000));
    let many = |part: &str, times: usize| part.repeat(times);
    #[rustfmt::skip]
    let cases = [
        (format!("html{}.txt", many("->td[*]", 8)),                         "E_RULE_BUDGET"),
        (format!("html{}.txt", many("->td[0-99999999999]", 50)),            "E_RULE_BUDGET"),
        (format!("html.body.table.tr[{}*].txt", many("0-,", 10)),           "E_SYNTAX"),
        (format!("html.body.table.tr[{}0-].txt", many("0-,", 2_000)),       "E_RULE_BUDGET"),
        (format!("html{}.txt{}", many("(", 10_000), many(")", 10_000)),     "E_SYNTAX"),
        (format!("html.body{}.txt{}", many("(", 64), many(")", 64)),        "[[[["),
        (format!("html{}.txt", many(".div", 5_000)),                        "E_SYNTAX"),
        (format!("html{}.txt", many("->b[*]", 500)),                        "E_RULE_BUDGET"),
        ("html->b[i:*]->b[j:*]->b[k:*].txt where html->b[i]->b[j]->b[k].txt = 'y'".to_owned(), "E_RULE_BUDGET"),
        ("html->b[i:*].txt where html->b[*].txt = html->b[*].txt and html->b[i].txt = 'y'".to_owned(), "E_RULE_BUDGET"),
        ("html.txt, split//, split//, match/(a|b|ab)*c/".to_owned(),        "["),
        ("html->b[i:*].txt where html.txt =~ /(x+x+)+y/ and html->b[i].txt = 'x'".to_owned(), "null"),
        (format!("html.txt, match/{}/", many("(x?)", 3_000)),               "[\"\",\"\""),
        (format!("html.txt{}", many(", split/x/", 40)),                     "E_SYNTAX"),
        (format!("html.txt where {}html.txt = 'a'", many("html.txt = 'a' and ", 70)), "E_SYNTAX"),
        ("x".repeat(20_000),                                                "E_SYNTAX"),
    ];
    for (rule, expected) in cases {
        let start = std::time::Instant::now();
        let found = outcome(html.as_bytes(), "", &rule);
        let shown = &rule[..rule.len().min(60)];
        assert!(found.starts_with(expected), "{shown}: {}", &found[..found.len().min(80)]);
        assert!(start.elapsed().as_secs() < 60, "{shown} took {:?}", start.elapsed());
    }
}

/// A million siblings are passed over once for each look at them, and each look is paid.
#[test]
fn looking_for_what_is_not_there_is_paid() {
    let html = "<b>x</b>".repeat(100_000);
    let rule = "html.body.b[i:*].txt where html.body.i.txt != html.body.b[i].txt";
    assert!(outcome(html.as_bytes(), "", rule).starts_with("E_RULE_BUDGET"));
}

fn rule_text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "html",
        ".body",
        ".table",
        "->a",
        ".tr",
        ".td",
        ".txt",
        ".src",
        ".getAttr(href)",
        ".numberOf()",
        ".numberOf(td)",
        ".pcdata",
        "->pcdata",
        "[*]",
        "[0]",
        "[1-]",
        "[0,2]",
        "[i]",
        "[i:*]",
        "[j:1]",
        "(",
        ")",
        "#",
        " where ",
        " and ",
        "=",
        "!=",
        "<",
        "=~",
        "'a'",
        "12,5",
        "/a|b/i",
        ", match/(.)(.)/",
        ", split/,/",
        ",",
        ".",
        "->",
        "'",
        "/",
        "[",
        "]",
        " ",
        "ä",
        "html.body.table.tr[i].td.txt",
        "html->a[j].getAttr(href)",
    ]);
    prop::collection::vec(part, 0..14).prop_map(|parts| parts.concat())
}

fn page_text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "</td>",
        "<a href=x>",
        "</a>",
        "<p>",
        "a",
        "b,c",
        " ",
        "<br>",
        "<!--c-->",
        "<script>",
        "</script>",
        "<svg>",
        "</svg>",
        "&nbsp;",
        "<template>",
        "<form>",
        "<select><option>",
        "12,5",
        "ä",
    ]);
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_rule_and_no_page_panics(rule in rule_text(), prefix in rule_text(), html in page_text()) {
        let _ = value(html.as_bytes(), "", &rule);
        let _ = value(html.as_bytes(), &prefix, &rule);
    }

    #[test]
    fn any_text_is_a_rule_or_an_error_in_it(rule in "\\PC{0,40}", html in page_text()) {
        if let Err(error) = value(html.as_bytes(), "", &rule) {
            prop_assert!(error.offset <= rule.len() && rule.is_char_boundary(error.offset));
        }
    }

    #[test]
    fn small_budgets_hold(rule in rule_text(), html in page_text(), evaluations in 0u64..20) {
        if let Ok(rule) = HelRule::parse(&rule, None) {
            let page = parse(html.as_bytes(), Some("utf-8"));
            let page = HelPage::new(&page);
            let mut budget = HelBudget::new(evaluations);
            if let Ok(value) = rule.evaluate(&page, &mut budget) {
                prop_assert!(value.texts().len() as u64 <= evaluations + 1);
                let full = rule.evaluate(&page, &mut HelBudget::default());
                prop_assert_eq!(Ok(value), full, "a budget that is enough changes nothing");
            }
        }
    }
}
