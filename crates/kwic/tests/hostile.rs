//! Input that means harm, or only mischief: no panic, no hang, bounded memory, exact counts.

use auslese_kwic::*;
use proptest::prelude::*;

fn query(query: &str) -> NodeQuery {
    NodeQuery::parse(query, TokenRule::Whole, Sensitivity::IgnoreCase).expect(query)
}

/// Runs everything over one text, and says how many tokens and hits there are.
fn everything(node: &NodeQuery, text: &str, borders: Borders) -> (u64, u64) {
    let mut matcher = Matcher::new(node);
    let text = Text { key: "1", text, year: Some(i32::MAX), month: Some(200), ..Text::default() };
    let reading = Reading::new(&text, node.rule(), borders);
    let hits = matcher.find(&reading);
    let mut concordance = Concordance::new(ConcordanceOptions {
        sort: SortOrder::parse("L1,L2,L3,node,R1,R2,R3").expect("an order"),
        context: Context::Tokens(if text.text.len() < 1_000 { usize::MAX } else { 5 }),
        ..ConcordanceOptions::default()
    });
    concordance.push(&reading, &hits);
    let mut groups = GroupCounts::new(&By::ALL, Sensitivity::Folded);
    groups.push(&reading, &hits);
    let mut collocations = Collocations::new(usize::MAX, usize::MAX, Sensitivity::Folded, 100);
    collocations.push(&reading, &hits);
    let mut ngrams = FormCounts::new(usize::MAX, Sensitivity::AsWritten, 100);
    ngrams.push(&reading);
    let mut curve = Curve::new(Step::Month, &["x"]);
    curve.push(&reading, &[&hits]);
    let page = concordance.finish();
    let table = collocations.finish(&CollocationOptions { min_together: 0, ..Default::default() });
    assert_eq!(groups.finish().totals, page.totals);
    assert_eq!(table.totals, page.totals);
    assert!(table.rows.iter().all(|row| row.log_likelihood.is_finite()));
    assert_eq!(curve.finish(u32::MAX).undated_texts, 1);
    assert!(ngrams.list(0, usize::MAX).rows.len() <= 100);
    assert!(!aligned_text(&page, 0, Beside::Host).contains('\u{1b}'));
    page.sheet().tsv();
    (page.totals.tokens, page.totals.hits)
}

#[test]
fn odd_texts() {
    let giant = "x".repeat(10 << 20);
    let no_ends = "haus und ".repeat(200_000);
    let dots = ". ".repeat(500_000);
    let marks = format!("a{}", "\u{308}".repeat(1_000_000));
    let hyphens = "a-".repeat(300_000);
    #[rustfmt::skip]
    let cases: [(&str, &str, (u64, u64)); 10] = [
        ("haus",        "",                              (0, 0)),
        ("haus",        " \u{0}\u{1b}[31m\u{feff} ",     (1, 0)),
        ("x*",          &giant,                          (1, 0)),
        ("[]",          &giant,                          (1, 1)),
        ("haus",        &no_ends,                        (400_000, 200_000)),
        ("haus [] haus", &no_ends,                       (400_000, 100_000)),
        ("a",           &dots,                           (0, 0)),
        ("a*",          &marks,                          (1, 0)),
        ("a",           &hyphens,                        (1, 0)),
        ("בית",         "\u{202e}בית טוב\u{202c} בית",   (3, 2)),
    ];
    for (node, text, expected) in cases {
        for borders in [Borders::Text, Borders::Sentence] {
            let shown: String = text.chars().take(20).collect();
            assert_eq!(everything(&query(node), text, borders), expected, "{node} in {shown:?}");
        }
    }
}

/// A machine that tries one way after the other would need 2^100 steps for these.
#[test]
fn queries_that_explode_do_not() {
    let text = "a ".repeat(20_000);
    for node in ["(a{0,1}){50} (a{1,1}){45} b", "(a|a a|a a a){1,30} b", "(a{0,1} a{0,1}){1,45} b"]
    {
        assert_eq!(everything(&query(node), &text, Borders::Text), (20_000, 0), "{node}");
    }
    // A token as long as tokens are compared, against an expression that makes others backtrack.
    let token = "a".repeat(MAX_COMPARED_TOKEN);
    let text = format!("{token} ").repeat(100);
    assert_eq!(everything(&query("/(a*)*(a|aa)*b/"), &text, Borders::Text), (100, 0));
}

#[test]
fn long_texts_are_cut_and_counted() {
    let text = "ä ".repeat(MAX_KWIC_TEXT / 3 + 10);
    let text = Text { text: &text, ..Text::default() };
    let reading = Reading::new(&text, TokenRule::Whole, Borders::Text);
    assert!(reading.is_cut());
    let mut list = FormCounts::new(1, Sensitivity::AsWritten, 10);
    list.push(&reading);
    let list = list.list(1, 10);
    assert_eq!((list.totals.texts_cut, list.rows[0].count), (1, list.totals.tokens));
}

#[test]
fn full_tables_say_so() {
    let mut list = FormCounts::new(1, Sensitivity::AsWritten, 100);
    for number in 0..5_000 {
        let text = format!("immer w{number} immer v{number}");
        let text = Text { text: &text, ..Text::default() };
        list.push(&Reading::new(&text, TokenRule::Whole, Borders::Text));
    }
    let list = list.list(1, 3);
    assert_eq!((list.rows[0].form.as_str(), list.rows[0].count), ("immer", 10_000));
    assert_eq!((list.rows[0].missed, list.rows[0].documents), (0, 5_000));
    assert_eq!(list.totals.hits, 20_000);
    assert!(list.lost > 0 && list.rows[1].missed > 0 && list.forms <= 100);
}

#[test]
fn groups_beyond_the_limit_are_counted_together() {
    let mut matcher = Matcher::new(&query("haus"));
    let mut groups = GroupCounts::new(&[By::Document], Sensitivity::AsWritten);
    for number in 0..MAX_GROUPS + 10 {
        let key = number.to_string();
        let text = Text { key: &key, text: "haus", ..Text::default() };
        let reading = Reading::new(&text, TokenRule::Whole, Borders::Text);
        groups.push(&reading, &matcher.find(&reading));
    }
    let table = groups.finish();
    assert_eq!((table.rows.len(), table.unlisted), (MAX_GROUPS, 10));
    assert_eq!(table.totals.hits, MAX_GROUPS as u64 + 10);
}

proptest! {
    #[test]
    fn any_text_can_be_counted(text in "(?s).{0,80}", node in "[ab*?\\[\\]{}()|/%cd0-9, \"]{0,20}") {
        let node = NodeQuery::parse(&node, TokenRule::Parts, Sensitivity::Folded)
            .unwrap_or_else(|_| query("[]"));
        for borders in [Borders::Text, Borders::Sentence] {
            let (tokens, hits) = everything(&node, &text, borders);
            prop_assert!(hits <= tokens);
        }
    }

    #[test]
    fn any_line_is_read_or_refused_with_a_place(line in "\\PC{0,60}") {
        for rule in [TokenRule::Whole, TokenRule::Parts] {
            if let Err(error) = NodeQuery::parse(&line, rule, Sensitivity::Folded) {
                prop_assert!(error.place.start <= error.place.end && error.place.end <= line.len());
                prop_assert!(line.is_char_boundary(error.place.start));
                prop_assert!(line.is_char_boundary(error.place.end));
                prop_assert!(error.pointed(&line).contains('^'));
            }
        }
        let _ = SortOrder::parse(&line);
    }
}
