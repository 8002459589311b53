//! Answers in the dialects of many registries, and what they say.
//!
//! Each `whois/NAME.txt` is an answer written for this test after a registry's own description of
//! its format, with made-up organisations; `whois/NAME.json` is what it tells. Fields that are not
//! told are left out there.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_discover::{Registration, RegistrationState, parse_whois};
use proptest::prelude::*;
use serde_json::{Map, Value};
use std::fs;
use std::path::{Path, PathBuf};

/// The answers, in order of their names.
fn answers() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/whois");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut answers: Vec<_> = files.filter(|path| path.extension().unwrap() == "txt").collect();
    answers.sort();
    answers
}

/// A registration as JSON, without what it does not tell.
fn told(registration: &Registration) -> Map<String, Value> {
    let empty = Value::Object(Map::new());
    let Value::Object(mut told) = serde_json::to_value(registration).unwrap() else { panic!() };
    told.retain(|_, value| {
        *value != Value::Null && *value != Value::Array(vec![]) && *value != empty
    });
    told
}

#[test]
fn answers_of_many_registries() {
    let answers = answers();
    assert!(answers.len() >= 100, "{}", answers.len());
    let mut wrong = Vec::new();
    for answer in answers {
        let registration = parse_whois(&fs::read(&answer).unwrap());
        let expected = fs::read_to_string(answer.with_extension("json")).unwrap();
        let expected: Map<String, Value> = serde_json::from_str(&expected).unwrap();
        if told(&registration) != expected {
            let told = serde_json::to_string_pretty(&told(&registration)).unwrap();
            wrong.push(format!("{}\n{told}", answer.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Line ends and a byte order mark change nothing.
#[test]
fn line_ends_do_not_matter() {
    for answer in answers() {
        let text = fs::read_to_string(&answer).unwrap();
        let expected = parse_whois(text.as_bytes());
        for changed in
            [text.replace('\n', "\r\n"), text.replace('\n', "\r"), format!("\u{feff}{text}")]
        {
            assert_eq!(parse_whois(changed.as_bytes()), expected, "{}", answer.display());
        }
    }
}

/// Terms of use before and after an answer change nothing.
#[test]
fn terms_of_use_do_not_matter() {
    let terms = "% This service is available at no charge. You may not exceed the limits;\n\
                 % access is denied to those who query too many names. If no match is found,\n\
                 % the name may be free.\n\n";
    for answer in answers() {
        let text = fs::read_to_string(&answer).unwrap();
        let expected = parse_whois(text.as_bytes());
        // An answer of one sentence cannot be told from terms of use.
        let statement = expected == Registration::empty(expected.state);
        if statement && expected.state != RegistrationState::Redacted {
            continue;
        }
        for changed in [format!("{terms}{text}"), format!("{text}\n\n{terms}")] {
            assert_eq!(parse_whois(changed.as_bytes()), expected, "{}", answer.display());
        }
    }
}

fn check_bounds(registration: &Registration) {
    for server in &registration.name_servers {
        assert!(!server.ends_with('.') && server.contains('.'), "{server}");
        assert_eq!(*server, server.to_lowercase());
    }
    if registration.state == RegistrationState::Redacted {
        assert!(registration.registrant.is_empty());
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..3000)) {
        check_bounds(&parse_whois(&bytes));
    }

    #[test]
    fn any_text_is_read(text in "([a-zA-Z ]{0,12}[:.\\[\\]%#@-]{0,3}[ \t\n]{0,3}){0,60}") {
        check_bounds(&parse_whois(text.as_bytes()));
    }

    #[test]
    fn shuffled_lines_are_read(
        which in any::<prop::sample::Index>(),
        order in proptest::collection::vec(any::<prop::sample::Index>(), 1..80),
    ) {
        let answers = answers();
        let text = fs::read_to_string(&answers[which.index(answers.len())]).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let shuffled: Vec<&str> = order.iter().map(|line| lines[line.index(lines.len())]).collect();
        check_bounds(&parse_whois(shuffled.join("\n").as_bytes()));
    }
}

#[test]
fn answers_cut_anywhere_are_read() {
    for answer in answers() {
        let bytes = fs::read(&answer).unwrap();
        for length in (0..bytes.len()).step_by(7) {
            check_bounds(&parse_whois(&bytes[..length]));
        }
    }
}
