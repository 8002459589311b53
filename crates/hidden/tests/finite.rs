//! Finite regular expressions by their table, and what holds for all of them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_hidden::{FiniteRegex, MAX_FINITE_VALUE};
use proptest::prelude::*;
use std::fs;
use std::path::Path;

/// As many values as the tests make, and requests are planned by default.
const CAP: u64 = 2_000;

#[test]
fn the_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/finite/table.txt");
    let table = fs::read_to_string(file).unwrap();
    let cases: Vec<&str> = table.split("\n\n").filter(|block| block.contains("case ")).collect();
    assert!(cases.len() >= 40, "{}", cases.len());
    for case in cases {
        let line = |key: &str| {
            let start = format!("{key} ");
            case.lines().find_map(|line| line.strip_prefix(&start))
        };
        let regex = line("case").unwrap();
        let parsed = FiniteRegex::parse(regex);
        let count = parsed.as_ref().ok().map(|it| it.count().to_string());
        assert_eq!(count.as_deref(), line("count"), "{regex}");
        match parsed.and_then(|it| it.values(CAP)) {
            Err(error) => {
                let found = format!("{} at {}", error.code, error.offset);
                assert_eq!(Some(found.as_str()), line("error"), "{regex}: {error}");
            }
            Ok(values) => {
                assert_eq!(line("error"), None, "{regex}: {values:?}");
                if let Some(expected) = line("values") {
                    assert_eq!(serde_json::to_string(&values).unwrap(), expected, "{regex}");
                } else {
                    assert_eq!(values.len().to_string(), line("count").unwrap(), "{regex}");
                    assert_eq!(
                        serde_json::to_string(&values[0]).unwrap(),
                        line("first").unwrap(),
                        "{regex}"
                    );
                    assert_eq!(
                        serde_json::to_string(values.last().unwrap()).unwrap(),
                        line("last").unwrap(),
                        "{regex}"
                    );
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_panics(text in "[/a-c\\\\d(){}|?*+,0-9\\[\\]^$.-]{0,30}") {
        if let Ok(regex) = FiniteRegex::parse(&format!("/{text}/"))
            && let Ok(values) = regex.values(CAP)
        {
            prop_assert!(values.len() as u64 <= regex.count());
            prop_assert!(values.iter().all(|value| value.len() as u64 <= MAX_FINITE_VALUE));
            let whole = regex::Regex::new(&format!("^(?:{})$", text.trim_start_matches('^')));
            if let Ok(whole) = whole {
                let misses: Vec<_> = values.iter().filter(|value| !whole.is_match(value)).collect();
                prop_assert!(misses.is_empty(), "{text}: {misses:?}");
            }
        }
    }

    #[test]
    fn values_are_distinct(text in "[a-c]{0,3}(\\([ab|]{0,4}\\)){0,3}(\\{0,3\\})?") {
        if let Ok(values) = FiniteRegex::parse(&format!("/{text}/")).and_then(|it| it.values(CAP)) {
            let distinct: std::collections::BTreeSet<_> = values.iter().collect();
            prop_assert_eq!(distinct.len(), values.len());
        }
    }
}
