//! Counts compared with naive ones: for generated texts and queries, and for pages of the manual.
//!
//! The naive counts are written as the definitions in `docs/kwic.md` are, without any of the
//! machinery: letter by letter, by trying all ways, by looking at every pair.

use auslese_kwic::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Tokens letter by letter. The texts here have no addresses.
fn naive_tokens(text: &str, rule: TokenRule) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let at = |index: usize| letters.get(index).copied().unwrap_or(' ');
    let mut tokens = Vec::new();
    let mut token = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let (previous, next) = (token.chars().next_back(), at(index + 1));
        let goes_on = match letter {
            letter if letter.is_alphanumeric() => true,
            '\u{308}' | '\u{301}' | '\u{ad}' => previous.is_some(),
            '\'' | '’' => rule == TokenRule::Whole && previous.is_some() && next.is_alphabetic(),
            '-' | '\u{2011}' => {
                rule == TokenRule::Whole
                    && next.is_alphanumeric()
                    && previous.is_some_and(|it| !(it.is_numeric() && next.is_numeric()))
            }
            _ => false,
        };
        if goes_on {
            token.push(*letter);
        } else if !token.is_empty() {
            tokens.push(std::mem::take(&mut token));
        }
    }
    if !token.is_empty() {
        tokens.push(token);
    }
    tokens
}

fn tokens(text: &str, rule: TokenRule) -> Vec<String> {
    token_spans(text, rule).map(|span| text[span].to_owned()).collect()
}

/// A query as a tree of its own.
#[derive(Debug, Clone)]
enum Naive {
    Word(&'static str),
    Any,
    Sequence(Vec<Naive>),
    Either(Vec<Naive>),
    Repeat(Box<Naive>, usize, usize),
}

impl Naive {
    fn written(&self) -> String {
        let all = |parts: &[Naive], between: &str| {
            parts.iter().map(Naive::written).collect::<Vec<_>>().join(between)
        };
        match self {
            Naive::Word(word) => (*word).to_owned(),
            Naive::Any => "[]".to_owned(),
            Naive::Sequence(parts) => format!("({})", all(parts, " ")),
            Naive::Either(parts) => format!("({})", all(parts, "|")),
            Naive::Repeat(part, least, most) => format!("({}){{{least},{most}}}", part.written()),
        }
    }

    /// Whether this is `[]`, also with brackets around it.
    fn is_any(&self) -> bool {
        match self {
            Naive::Any => true,
            Naive::Sequence(parts) | Naive::Either(parts) => {
                parts.len() == 1 && parts.iter().all(Naive::is_any)
            }
            Naive::Word(_) | Naive::Repeat(..) => false,
        }
    }

    /// Where a match that begins here may end, the preferred first.
    fn ends(&self, tokens: &[String], at: usize) -> Vec<usize> {
        match self {
            Naive::Word(word) => match tokens.get(at) {
                Some(token) if token.to_lowercase() == *word => vec![at + 1],
                _ => vec![],
            },
            Naive::Any => {
                if at < tokens.len() {
                    vec![at + 1]
                } else {
                    vec![]
                }
            }
            Naive::Sequence(parts) => parts.iter().fold(vec![at], |ends, part| {
                ends.into_iter().flat_map(|end| part.ends(tokens, end)).collect()
            }),
            Naive::Either(parts) => parts.iter().flat_map(|part| part.ends(tokens, at)).collect(),
            Naive::Repeat(part, least, most) => {
                if *most == 0 {
                    return vec![at];
                }
                let fewer = |least: usize| Naive::Repeat(part.clone(), least, most - 1);
                let after_one = |least: usize| -> Vec<usize> {
                    let ends = part.ends(tokens, at).into_iter();
                    ends.flat_map(|end| fewer(least).ends(tokens, end)).collect()
                };
                match least.checked_sub(1) {
                    Some(least) => after_one(least),
                    None if part.is_any() => [vec![at], after_one(0)].concat(),
                    None => [after_one(0), vec![at]].concat(),
                }
            }
        }
    }

    fn hits(&self, tokens: &[String]) -> Vec<Range<usize>> {
        let mut hits = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            match self.ends(tokens, at).first() {
                Some(end) => {
                    hits.push(at..*end);
                    at = *end;
                }
                None => at += 1,
            }
        }
        hits
    }
}

fn queries() -> impl Strategy<Value = Naive> {
    let leaf = prop_oneof![
        4 => prop_oneof![Just("a"), Just("b"), Just("c")].prop_map(Naive::Word),
        1 => Just(Naive::Any),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..4).prop_map(Naive::Sequence),
            proptest::collection::vec(inner.clone(), 1..3).prop_map(Naive::Either),
            (inner, 0usize..2, 1usize..3).prop_map(|(part, least, more)| Naive::Repeat(
                Box::new(part),
                least,
                least + more
            )),
        ]
    })
}

fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![Just("a"), Just("B"), Just("c"), Just("A"), Just("b"), Just("d")];
    proptest::collection::vec(word, 0..40).prop_map(|words| words.join(" "))
}

fn reading<'t>(text: &'t str, rule: TokenRule, borders: Borders) -> Reading<'t> {
    Reading::new(&Text { text, ..Text::default() }, rule, borders)
}

fn matcher(query: &str, rule: TokenRule) -> Result<Matcher, KwicError> {
    Ok(Matcher::new(&NodeQuery::parse(query, rule, Sensitivity::IgnoreCase)?))
}

proptest! {
    #[test]
    fn tokens_are_those_counted_by_hand(text in "[abÄß09'’ \u{308}\u{ad}\u{2011}(,-]{0,40}") {
        for rule in [TokenRule::Whole, TokenRule::Parts] {
            prop_assert_eq!(tokens(&text, rule), naive_tokens(&text, rule));
        }
    }

    #[test]
    fn hits_are_those_found_by_trying_all_ways(query in queries(), text in words()) {
        // Queries that need no token at all are refused.
        if let Ok(mut matcher) = matcher(&query.written(), TokenRule::Whole) {
            let reading = reading(&text, TokenRule::Whole, Borders::Text);
            let hits: Vec<Range<usize>> =
                matcher.find(&reading).into_iter().map(Hit::tokens).collect();
            let expected = query.hits(&naive_tokens(&text, TokenRule::Whole));
            prop_assert_eq!(hits, expected, "{}", query.written());
        }
    }

    #[test]
    fn texts_with_hits_meet_the_demands(query in queries(), text in words()) {
        if let Ok(mut matcher) = matcher(&query.written(), TokenRule::Whole) {
            let reading = reading(&text, TokenRule::Whole, Borders::Text);
            let folded: BTreeSet<String> =
                (0..reading.len()).map(|at| Sensitivity::Folded.form(reading.token(at)).into_owned()).collect();
            let meets = matcher.query().required().iter()
                .all(|clause| clause.iter().any(|literal| folded.contains(&literal.folded)));
            prop_assert!(meets || matcher.find(&reading).is_empty());
        }
    }

    #[test]
    fn ngrams_are_those_counted_by_hand(texts in proptest::collection::vec(words(), 1..4), n in 1usize..6) {
        let mut counts = FormCounts::new(n, Sensitivity::IgnoreCase, 1_000_000);
        let mut expected: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for text in &texts {
            counts.push(&reading(text, TokenRule::Whole, Borders::Text));
            let tokens = naive_tokens(&text.to_lowercase(), TokenRule::Whole);
            let here: Vec<String> = tokens.windows(n).map(|gram| gram.join(" ")).collect();
            for gram in &here {
                expected.entry(gram.clone()).or_default().0 += 1;
            }
            for gram in here.iter().collect::<BTreeSet<_>>() {
                expected.entry(gram.clone()).or_default().1 += 1;
            }
        }
        let list = counts.list(1, usize::MAX);
        let found: BTreeMap<String, (u64, u64)> =
            list.rows.iter().map(|row| (row.form.clone(), (row.count, row.documents))).collect();
        prop_assert_eq!(list.totals.hits, expected.values().map(|(count, _)| count).sum::<u64>());
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn collocates_are_those_counted_by_hand(
        texts in proptest::collection::vec(words(), 1..4), left in 0usize..4, right in 0usize..4,
    ) {
        let mut matcher = matcher("a b{0,1}", TokenRule::Whole).unwrap();
        let mut collocations = Collocations::new(left, right, Sensitivity::IgnoreCase, 1_000_000);
        let mut expected: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        let (mut all, mut inside) = (0, 0);
        for text in &texts {
            let reading = reading(text, TokenRule::Whole, Borders::Text);
            let hits = matcher.find(&reading);
            collocations.push(&reading, &hits);
            for (at, token) in naive_tokens(text, TokenRule::Whole).iter().enumerate() {
                if hits.iter().any(|hit| hit.tokens().contains(&at)) {
                    continue;
                }
                let near = hits.iter().any(|hit| {
                    let Range { start, end } = hit.tokens();
                    at < start && start - at <= left || at >= end && at - end < right
                });
                let entry = expected.entry(token.to_lowercase()).or_default();
                entry.0 += 1;
                entry.1 += u64::from(near);
                all += 1;
                inside += u64::from(near);
            }
        }
        let options = CollocationOptions {
            min_together: 1, min_count: 1, limit: usize::MAX, ..CollocationOptions::default()
        };
        let table = collocations.finish(&options);
        prop_assert_eq!((table.all, table.inside), (all, inside));
        let found: BTreeMap<String, (u64, u64)> =
            table.rows.iter().map(|row| (row.form.clone(), (row.count, row.together))).collect();
        expected.retain(|_, (_, near)| *near > 0);
        prop_assert_eq!(found, expected);
    }
}

/// Pages of the manual, without what makes addresses.
fn pages() -> Vec<String> {
    let pages = [
        include_str!("../../../docs/corpus.md"),
        include_str!("../../../docs/crawling.md"),
        include_str!("../../../docs/language.md"),
    ];
    pages.iter().map(|page| page.replace(['.', ':', '@'], " ")).collect()
}

#[test]
fn real_texts() {
    for rule in [TokenRule::Whole, TokenRule::Parts] {
        let mut list = FormCounts::new(1, Sensitivity::IgnoreCase, 1_000_000);
        let mut concordance = Concordance::new(ConcordanceOptions::default());
        let mut matcher = matcher("(the|a) []{0,1} (host*|corpus)", rule).unwrap();
        let mut expected: BTreeMap<String, u64> = BTreeMap::new();
        let mut hits = 0;
        for page in pages() {
            let tokens = naive_tokens(&page, rule);
            let lower: Vec<String> = tokens.iter().map(|token| token.to_lowercase()).collect();
            for token in &lower {
                *expected.entry(token.replace('’', "'")).or_default() += 1;
            }
            hits += naive_article_hits(&lower);
            let reading = reading(&page, rule, Borders::Text);
            list.push(&reading);
            concordance.push(&reading, &matcher.find(&reading));
        }
        let list = list.list(1, usize::MAX);
        assert!(list.totals.tokens > 3_000);
        assert_eq!(list.totals.tokens, expected.values().sum::<u64>());
        let found: BTreeMap<String, u64> =
            list.rows.into_iter().map(|row| (row.form, row.count)).collect();
        assert_eq!(found, expected);
        let page = concordance.finish();
        assert!(hits > 10);
        assert_eq!((page.totals.hits, page.lines.len() as u64), (hits, hits));
    }
}

/// An article with a word about hosts or the corpus behind it, at most one other between.
fn naive_article_hits(tokens: &[String]) -> u64 {
    let is = |at: usize| tokens.get(at).is_some_and(|it| it == "corpus" || it.starts_with("host"));
    let (mut hits, mut at) = (0, 0);
    while at < tokens.len() {
        let article = tokens[at] == "the" || tokens[at] == "a";
        let length = match article {
            true if is(at + 1) => 2,
            true if is(at + 2) => 3,
            _ => 0,
        };
        hits += u64::from(length > 0);
        at += length.max(1);
    }
    hits
}

#[test]
fn groups_are_counted_and_merged() {
    let texts = [
        ("1", "a.example", Some(2020), "Haus Haus und Hof"),
        ("2", "a.example", Some(2021), "kein Hof"),
        ("3", "b.example", Some(2021), "ein haus"),
        ("4", "b.example", None, "Häuser"),
    ];
    let count = |by: &[By], threads: usize| {
        let mut matcher = matcher("(haus|häuser)", TokenRule::Whole).unwrap();
        let mut parts = vec![GroupCounts::new(by, Sensitivity::AsWritten); threads];
        for (number, (key, host, year, text)) in texts.iter().enumerate() {
            let text = Text { key, host: Some(host), year: *year, text, ..Text::default() };
            let reading = Reading::new(&text, TokenRule::Whole, Borders::Text);
            let hits = matcher.find(&reading);
            let part = &mut parts[number % threads];
            match hits.is_empty() {
                true => part.push_absent(&text, reading.len() as u64),
                false => part.push(&reading, &hits),
            }
        }
        let mut all = parts.remove(0);
        parts.into_iter().for_each(|part| all.merge(part));
        all.finish()
    };
    let shown = |table: &GroupTable| -> Vec<String> {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        let row = |row: &GroupRow| {
            let values: Vec<String> = row.values.iter().map(value).collect();
            format!(
                "{} {}/{} {}/{}",
                values.join("+"),
                row.hits,
                row.tokens,
                row.documents,
                row.texts
            )
        };
        table.rows.iter().map(row).collect()
    };
    let hosts = count(&[By::Host], 1);
    assert_eq!(shown(&hosts), ["a.example 2/6 1/2", "b.example 2/3 2/2"]);
    assert!((hosts.rows[0].per_million - 2e6 / 6.0).abs() < 1e-6);
    assert!((hosts.per_million - 4e6 / 9.0).abs() < 1e-6);
    assert_eq!(shown(&count(&[By::Year], 1)), ["- 1/1 1/1", "2020 2/4 1/1", "2021 1/4 1/2"]);
    let forms = ["Haus+a.example 2/6 1/2", "Häuser+b.example 1/3 1/2", "haus+b.example 1/3 1/2"];
    assert_eq!(shown(&count(&[By::Form, By::Host], 1)), forms);
    assert_eq!(count(&[By::Form, By::Host], 1), count(&[By::Form, By::Host], 3));
    assert_eq!(count(&[], 1).rows.len(), 1);
}

#[test]
fn curves() {
    let texts = [
        (Some(2019), Some(1), "a b c d"),
        (Some(2019), Some(12), "a a x y"),
        (Some(2020), Some(1), "b b"),
        (Some(2022), None, "a"),
        (None, None, "a b"),
        (Some(-5), Some(3), "a b"),
    ];
    let draw = |step: Step, smoothing: u32| {
        let mut matchers = ["a", "a|b"].map(|query| matcher(query, TokenRule::Whole).unwrap());
        let mut parts = [Curve::new(step, &["a", "ab"]), Curve::new(step, &["a", "ab"])];
        for (number, (year, month, text)) in texts.into_iter().enumerate() {
            let text = Text { key: "k", year, month, text, ..Text::default() };
            let reading = Reading::new(&text, TokenRule::Whole, Borders::Text);
            let [a, ab] = &mut matchers;
            parts[number % 2].push(&reading, &[&a.find(&reading), &ab.find(&reading)]);
        }
        let [mut all, other] = parts;
        all.merge(other);
        all.finish(smoothing)
    };
    let years = draw(Step::Year, 0);
    let points: Vec<(String, u64, u64, u64)> = years.nodes[0]
        .points
        .iter()
        .map(|point| (point.period.to_string(), point.hits, point.documents, point.tokens))
        .collect();
    let expected = [("2019", 3, 2, 8), ("2020", 0, 0, 2), ("2022", 1, 1, 1)]
        .map(|(period, hits, documents, tokens)| (period.to_owned(), hits, documents, tokens));
    assert_eq!(points, expected);
    assert_eq!((years.undated_texts, years.undated_tokens), (2, 4));
    assert_eq!((years.nodes[0].totals.hits, years.nodes[0].undated_hits), (6, 2));
    assert_eq!((years.nodes[1].totals.hits, years.nodes[1].totals.documents), (11, 6));
    // 2019 and 2020 are neighbours: 3 hits in 10 tokens; 2022 has none within a year.
    let smoothed: Vec<f64> =
        draw(Step::Year, 1).nodes[0].points.iter().filter_map(|point| point.smoothed).collect();
    assert_eq!(smoothed, [3e5, 3e5, 1e6]);
    let months = draw(Step::Month, 1);
    let periods: Vec<String> =
        months.nodes[1].points.iter().map(|point| point.period.to_string()).collect();
    assert_eq!(periods, ["2019-01", "2019-12", "2020-01"]);
    // December and January are neighbours across the year: 2 + 2 hits in 4 + 2 tokens.
    assert!((months.nodes[1].points[1].smoothed.unwrap() - 4e6 / 6.0).abs() < 1e-6);
    assert_eq!(months.undated_texts, 3);
}

#[test]
fn typical_words() {
    let count = |text: &str| {
        let mut counts = FormCounts::new(1, Sensitivity::IgnoreCase, 1_000);
        counts.push(&reading(text, TokenRule::Whole, Borders::Text));
        counts
    };
    let here = count(&("netz ".repeat(30) + &"und ".repeat(70)));
    let there = count(&("netz ".repeat(10) + &"und ".repeat(70) + &"wald ".repeat(20)));
    let keyness = here.keyness(&there, 1, 10);
    let forms: Vec<&str> = keyness.rows.iter().map(|row| row.form.as_str()).collect();
    assert_eq!(forms, ["netz", "und", "wald"]);
    // 30 and 10 where 20 each are expected: 2 (30 ln 1.5 + 10 ln 0.5) = 10.4650.
    assert!((keyness.rows[0].log_likelihood - 10.4650).abs() < 1e-3);
    assert_eq!(keyness.rows[0].percent_difference, Some(200.0));
    // 0 and 20 where 10 each are expected: 2 · 20 ln 2 = 27.7259, and rarer here.
    assert!((keyness.rows[2].log_likelihood + 27.7259).abs() < 1e-3);
    assert_eq!(keyness.rows[2].percent_difference, Some(-100.0));
    let reverse = there.keyness(&here, 1, 1);
    assert_eq!((reverse.rows[0].form.as_str(), reverse.rows[0].percent_difference), ("wald", None));
}

#[test]
fn stop_words_and_sentences() {
    let text = "Das alte Haus steht. Der Wald am Haus brennt, ein altes Haus.";
    let near = |borders: Borders, stop_words: &[&str]| -> Vec<String> {
        let mut matcher = matcher("haus", TokenRule::Whole).unwrap();
        let mut collocations = Collocations::new(2, 2, Sensitivity::AsWritten, 1_000);
        let reading = reading(text, TokenRule::Whole, borders);
        collocations.push(&reading, &matcher.find(&reading));
        let options = CollocationOptions {
            measure: Measure::Together,
            min_together: 1,
            min_count: 1,
            stop_words: stop_words.iter().map(|word| (*word).to_owned()).collect(),
            limit: 100,
        };
        collocations.finish(&options).rows.into_iter().map(|row| row.form).collect()
    };
    let all = ["alte", "altes", "am", "brennt", "Das", "Der", "ein", "steht", "Wald"];
    assert_eq!(near(Borders::Text, &[]), all);
    let within = ["alte", "altes", "am", "brennt", "Das", "ein", "steht", "Wald"];
    assert_eq!(near(Borders::Sentence, &[]), within);
    let content = ["alte", "altes", "brennt", "steht", "Wald"];
    assert_eq!(near(Borders::Sentence, &["das", "am", "ein"]), content);
}

#[test]
fn ngrams_around_a_hit() {
    let text = "weiße Haus im Park und rote Haus";
    let mut matcher = matcher("haus", TokenRule::Whole).unwrap();
    let mut counts = FormCounts::new(2, Sensitivity::Folded, 100);
    let reading = reading(text, TokenRule::Whole, Borders::Text);
    counts.push_around(&reading, &matcher.find(&reading));
    let list = counts.list(1, 10);
    let forms: Vec<&str> = list.rows.iter().map(|row| row.form.as_str()).collect();
    assert_eq!(forms, ["haus im", "rote haus", "weisse haus"]);
    assert_eq!((list.totals.hits, list.totals.tokens), (3, 7));
}
