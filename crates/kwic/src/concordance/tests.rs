//! Lines: contexts, order, samples, limits, and how they are set.

use super::*;
use crate::{Borders, Matcher, NodeQuery, Sensitivity, TokenRule};

fn matcher(query: &str) -> Matcher {
    let query = NodeQuery::parse(query, TokenRule::Whole, Sensitivity::IgnoreCase).unwrap();
    Matcher::new(&query)
}

fn concordance(
    query: &str,
    texts: &[(&str, &str)],
    options: ConcordanceOptions,
) -> ConcordancePage {
    let mut matcher = matcher(query);
    let mut concordance = Concordance::new(options);
    for (key, text) in texts {
        let text = Text { key, text, host: Some("a.example"), ..Text::default() };
        let reading = Reading::new(&text, TokenRule::Whole, Borders::Sentence);
        concordance.push(&reading, &matcher.find(&reading));
    }
    concordance.finish()
}

fn options(context: Context, sort: &str) -> ConcordanceOptions {
    ConcordanceOptions {
        context,
        sort: SortOrder::parse(sort).unwrap(),
        ..ConcordanceOptions::default()
    }
}

#[test]
fn contexts() {
    let text = "Vor langer Zeit. Es war,\n\n\t einmal: ein  König! Der hatte…";
    #[rustfmt::skip]
    let cases = [
        (Context::Characters(8),  "Es war,",                 ": ein Kö"),
        (Context::Characters(0),  "",                        ""),
        (Context::Characters(500), "Vor langer Zeit. Es war,", ": ein König! Der hatte…"),
        (Context::Tokens(1),      "war,",                    ": ein"),
        (Context::Tokens(3),      "Zeit. Es war,",           ": ein König! Der"),
        (Context::Tokens(99),     "Vor langer Zeit. Es war,", ": ein König! Der hatte"),
    ];
    for (context, left, right) in cases {
        let page = concordance("einmal", &[("1", text)], options(context, ""));
        let line = &page.lines[0];
        assert_eq!((line.left.as_str(), line.node.as_str()), (left, "einmal"), "{context:?}");
        assert_eq!(line.right, right, "{context:?}");
    }
    let page = concordance("es", &[("1", text)], options(Context::Sentence, ""));
    assert_eq!((page.lines[0].left.as_str(), page.lines[0].right.as_str()), ("", "war,"));
    assert_eq!(&text[page.lines[0].start..page.lines[0].end], "Es");
    assert_eq!(page.lines[0].position, 3);
}

#[test]
fn contexts_of_endless_texts_end() {
    let blanks = " ".repeat(1_000_000);
    let letters = "x".repeat(1_000_000);
    let text = format!("{letters}{blanks}a{blanks}b {letters}");
    for context in [Context::Characters(10), Context::Tokens(3), Context::Sentence] {
        let page = concordance("a", &[("1", &text)], options(context, "L1,R1"));
        let line = &page.lines[0];
        assert!(line.left.len() <= 3 && line.right.len() <= 3, "{context:?}");
        let page = concordance("b", &[("1", &text)], options(context, "L1,R1"));
        assert!(page.lines[0].right.chars().count() <= MAX_CONTEXT + 1, "{context:?}");
    }
    let node = concordance(
        "a []{0,1} b",
        &[("1", &format!("a {letters} b"))],
        options(Context::Tokens(1), ""),
    );
    assert_eq!(node.lines[0].node.chars().count(), MAX_CONTEXT + 1);
}

#[test]
fn sorted_by_neighbours() {
    let texts = [
        ("1", "der Zaun steht. ein Zaun fällt. alte Zaun über"),
        ("2", "älter Zaun ober. Der Zaun fällt. Zaun"),
    ];
    #[rustfmt::skip]
    let cases = [
        ("",        ["der_steht", "ein_fällt", "alte_über", "älter_ober", "Der_fällt", "_"]),
        ("L1",      ["_", "alte_über", "älter_ober", "der_steht", "Der_fällt", "ein_fällt"]),
        ("R1",      ["_", "ein_fällt", "Der_fällt", "älter_ober", "der_steht", "alte_über"]),
        ("R1,L1",   ["_", "Der_fällt", "ein_fällt", "älter_ober", "der_steht", "alte_über"]),
        ("node,L1", ["_", "alte_über", "älter_ober", "der_steht", "Der_fällt", "ein_fällt"]),
    ];
    for (sort, expected) in cases {
        let mut matcher = matcher("zaun");
        let mut lines = Concordance::new(options(Context::Tokens(1), sort));
        // Each sentence is a text of its own, so that neighbours end there.
        for (key, text) in texts {
            for (number, text) in text.split(". ").enumerate() {
                let key = format!("{key}-{number}");
                let text = Text { key: &key, text, ..Text::default() };
                let reading = Reading::new(&text, TokenRule::Whole, Borders::Text);
                lines.push(&reading, &matcher.find(&reading));
            }
        }
        let shown: Vec<String> = lines
            .finish()
            .lines
            .iter()
            .map(|line| format!("{}_{}", line.left, line.right))
            .collect();
        assert_eq!(shown, expected, "{sort}");
    }
}

#[test]
fn wrong_orders_are_refused() {
    for (levels, place) in [("L4", 0..2), ("L1,,R1", 3..3), ("L1, Knoten", 4..10), ("ä1", 0..3)] {
        assert_eq!(SortOrder::parse(levels).unwrap_err().place, place, "{levels}");
    }
    assert!(SortOrder::parse("L1,L2,L3,R1,R2,R3,node,L1").is_err());
    assert_eq!(SortOrder::parse(" ").unwrap(), SortOrder::default());
}

/// 40 documents with 25 hits each; samples of 100 from 200 seeds. Every line is drawn 20 times on
/// average, with a standard deviation of √(200 · 0.1 · 0.9) = 4.2. So no line should be drawn more
/// than 45 times, which is six deviations off, and halves of the corpus should be even.
#[test]
fn samples_are_fair_and_the_same_again() {
    let texts: Vec<(String, String)> =
        (0..40).map(|number| (format!("doc-{number}"), "a b ".repeat(25))).collect();
    let draw = |seed: u64, threads: usize| {
        let mut matcher = matcher("a");
        let options =
            ConcordanceOptions { sample: Some(100), seed, ..options(Context::Tokens(1), "") };
        let mut parts = vec![Concordance::new(options); threads];
        for (number, (key, text)) in texts.iter().enumerate() {
            let text = Text { key, text, ..Text::default() };
            let reading = Reading::new(&text, TokenRule::Whole, Borders::Text);
            parts[number % threads].push(&reading, &matcher.find(&reading));
        }
        let mut all = parts.pop().unwrap();
        parts.into_iter().rev().for_each(|part| all.merge(part));
        all.finish()
    };
    let mut drawn: std::collections::BTreeMap<(String, u32), u32> =
        std::collections::BTreeMap::new();
    for seed in 0..200 {
        let page = draw(seed, 1);
        assert_eq!((page.totals.hits, page.lines.len(), page.lines_cut), (1_000, 100, 0));
        assert!(page.is_sample);
        for line in page.lines {
            *drawn.entry((line.source.key, line.position)).or_default() += 1;
        }
    }
    assert!(drawn.len() > 990 && drawn.values().all(|times| *times < 45));
    let early: u32 = drawn.iter().filter(|((_, at), _)| *at < 24).map(|(_, times)| times).sum();
    // 12 of 25 places, so 9,600 of 20,000 draws, give or take.
    assert!((9_200..10_000).contains(&early), "{early}");
    assert_eq!(draw(7, 1), draw(7, 3));
    assert_ne!(draw(7, 1).lines, draw(8, 1).lines);
}

#[test]
fn pages_and_limits() {
    let text = (0..50).map(|number| format!("w{number:02} x ")).collect::<String>();
    let texts = [("1", text.as_str())];
    let page = concordance(
        "x",
        &texts,
        ConcordanceOptions { offset: 10, limit: Some(5), ..options(Context::Tokens(1), "L1") },
    );
    let lefts: Vec<&str> = page.lines.iter().map(|line| line.left.as_str()).collect();
    assert_eq!(lefts, ["w10", "w11", "w12", "w13", "w14"]);
    assert_eq!(
        (page.totals.hits, page.lines_kept, page.lines_cut, page.is_sample),
        (50, 50, 0, false)
    );
    let cut = concordance(
        "x",
        &texts,
        ConcordanceOptions { max_lines: 20, ..options(Context::Tokens(1), "") },
    );
    assert_eq!(
        (cut.totals.hits, cut.lines.len(), cut.lines_cut, cut.is_sample),
        (50, 20, 30, true)
    );
    let beyond = concordance(
        "x",
        &texts,
        ConcordanceOptions { offset: 99, ..options(Context::Tokens(1), "") },
    );
    assert!(beyond.lines.is_empty());
}

#[test]
fn nodes_stand_below_each_other() {
    let texts = [
        ("1", "kurz Haus da"),
        ("2", "eine viel zu lange Geschichte vom Haus am See mit 東京 und mehr Worten"),
    ];
    let page = concordance("haus", &texts, options(Context::Characters(60), ""));
    let text = aligned_text(&page, 60, Beside::Document);
    let expected = "             kurz  Haus  da                  1\n\
                    ge Geschichte vom  Haus  am See mit 東京 un  2\n";
    assert_eq!(text, expected);
    let rtl = concordance("בית", &[("1", "שלום בית \u{202e}טוב")], options(Context::Tokens(1), ""));
    let text = aligned_text(&rtl, 40, Beside::Nothing);
    assert!(text.contains("\u{2068}בית\u{2069}") && !text.contains('\u{202e}'), "{text:?}");
}

#[test]
fn lines_as_rows_and_json() {
    let page =
        concordance("zelle", &[("1", "=cmd Zelle\tdanach")], options(Context::Characters(9), ""));
    let tsv = page.sheet().tsv();
    let row = tsv.lines().nth(1).unwrap();
    assert_eq!(row, "'=cmd\tZelle\tdanach\t1\t\ta.example\t\t\t\t\t1");
    let json = serde_json::to_value(&page).unwrap();
    assert_eq!((&json["hits"], &json["lines"][0]["node"]), (&1.into(), &"Zelle".into()));
    assert_eq!(json["lines"][0]["host"], "a.example");
}
