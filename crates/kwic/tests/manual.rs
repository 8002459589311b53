//! Compares the manual with the crate: its queries can be asked, its limits have their values, and
//! its examples of tokens are cut as it says.

use auslese_kwic::*;

const KWIC: &str = include_str!("../../../docs/kwic.md");
const LIMITS: &str = include_str!("../../../docs/limits.md");

#[test]
fn queries_of_the_manual_can_be_asked() {
    let examples =
        KWIC.split("Some queries:\n\n").nth(1).and_then(|rest| rest.split("\n\n").next());
    let queries: Vec<&str> = examples
        .into_iter()
        .flat_map(str::lines)
        .filter_map(|line| line.trim().split("  ").next())
        .collect();
    assert_eq!(queries.len(), 5);
    for query in queries {
        let read = NodeQuery::parse(query, TokenRule::Whole, Sensitivity::IgnoreCase);
        assert!(read.is_ok(), "{query}: {read:?}");
    }
}

#[test]
fn tokens_of_the_manual() {
    let text = "Rhein-Main geht's COVID-19 1914-18";
    assert!(KWIC.contains(&format!("`{text}`")));
    for (rule, count) in [(TokenRule::Whole, 5), (TokenRule::Parts, 8)] {
        let tokens: Vec<&str> = token_spans(text, rule).map(|span| &text[span]).collect();
        assert!(
            KWIC.contains(&format!("{count} tokens: `{}` |", tokens.join("`, `"))),
            "{tokens:?}"
        );
    }
}

#[test]
fn limits_of_the_manual() {
    #[rustfmt::skip]
    let limits = [
        ("MAX_KWIC_TEXT",        MAX_KWIC_TEXT,        "16 MiB"),
        ("MAX_COMPARED_TOKEN",   MAX_COMPARED_TOKEN,   "1,000 bytes"),
        ("MAX_NODE_QUERY",       MAX_NODE_QUERY,       "1,000 bytes"),
        ("MAX_QUERY_NESTING",    MAX_QUERY_NESTING,    "32"),
        ("MAX_TOKEN_PATTERNS",   MAX_TOKEN_PATTERNS,   "64"),
        ("MAX_QUERY_STEPS",      MAX_QUERY_STEPS,      "4,000"),
        ("MAX_NODE_TOKENS",      MAX_NODE_TOKENS,      "100"),
        ("MAX_TOKEN_REGEX",      MAX_TOKEN_REGEX,      "1 MiB"),
        ("MAX_LINES",            MAX_LINES,            "100,000"),
        ("MAX_KEPT_BYTES",       MAX_KEPT_BYTES,       "256 MiB"),
        ("MAX_CONTEXT",          MAX_CONTEXT,          "1,000"),
        ("MAX_SORT_LEVELS",      MAX_SORT_LEVELS,      "7"),
        ("MAX_GROUPS",           MAX_GROUPS,           "500,000"),
        ("DEFAULT_LISTED_FORMS", DEFAULT_LISTED_FORMS, "1,000,000"),
        ("MAX_LISTED_FORM",      MAX_LISTED_FORM,      "400 bytes"),
        ("MAX_NGRAM",            MAX_NGRAM,            "5"),
        ("MAX_WINDOW",           MAX_WINDOW,           "50"),
        ("MAX_CURVE_NODES",      MAX_CURVE_NODES,      "20"),
    ];
    for (name, value, written) in limits {
        assert!(LIMITS.contains(&format!("(`{name}`) | {written} |")), "{name}");
        let number = written.split(' ').next().map(|number| number.replace(',', ""));
        let number: usize = number.and_then(|number| number.parse().ok()).expect(written);
        let unit = if written.ends_with("MiB") { 1 << 20 } else { 1 };
        assert_eq!(value, number * unit, "{name}");
    }
    assert_eq!(CURVE_YEARS, 1..=9999);
}
