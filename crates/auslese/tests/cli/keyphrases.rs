//! Keyphrases as a user meets them: a model trained, listed, used and measured, and clear refusals.

use super::{auslese, empty, stderr, stdout};
use serde_json::Value;
use std::fs;

/// Texts about a subject each, with the phrases their authors would give them.
fn training() -> String {
    let subjects = [
        ("hearing aids", "acoustic feedback"),
        ("mountain huts", "avalanche warning"),
        ("bell towers", "bronze casting"),
        ("salt mines", "brine pumps"),
    ];
    let mut lines = String::new();
    for number in 0..40 {
        let (first, second) = subjects[number % subjects.len()];
        let text = format!(
            "About {first} and {second}, part {number}. We study {first}. The role of {second} for {first} was \
             unclear before. Many people live nearby and talk about the weather. In our view {second} is \
             what makes {first} work. Further research on {second} is needed, as the winter was long."
        );
        let line = serde_json::json!({ "id": number.to_string(), "text": text, "keywords": [first, second] });
        lines.push_str(&format!("{line}\n"));
    }
    lines
}

#[test]
fn a_model_of_ones_own() {
    let dir = empty();
    let dir = dir.path();
    fs::write(dir.join("papers.jsonl"), training()).unwrap();
    let train = ["keyphrases", "train", "--name", "towers", "--models", "models", "papers.jsonl"];
    let output = auslese(dir, &train);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let listed = auslese(dir, &["keyphrases", "list", "--models", "models"]);
    assert!(stdout(&listed).contains("towers"), "{}", stdout(&listed));

    fs::write(dir.join("new.txt"), "On bell towers. Bell towers need bronze casting.").unwrap();
    let extract =
        ["keyphrases", "extract", "--model", "towers", "--models", "models", "new.txt", "--json"];
    let output = auslese(dir, &extract);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let line: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(line["id"], "new.txt");
    let keywords = line["keywords"].as_array().unwrap();
    assert!(keywords.contains(&"bell towers".into()), "{line}");
    let weights: Vec<f64> =
        line["kw_weights"].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
    assert_eq!(weights.len(), keywords.len());
    assert!(
        weights.iter().all(|it| (0.0..=1.0).contains(it)) && weights.is_sorted_by(|a, b| a >= b)
    );

    let measured = auslese(dir, &["keyphrases", "evaluate", "--folds", "4", "papers.jsonl"]);
    assert_eq!(measured.status.code(), Some(0), "{}", stderr(&measured));
    assert!(stdout(&measured).contains("kea"), "{}", stdout(&measured));
}

#[test]
fn what_is_refused() {
    let dir = empty();
    let dir = dir.path();
    fs::write(dir.join("none.jsonl"), "").unwrap();
    fs::write(dir.join("text.txt"), "Some text.").unwrap();
    #[rustfmt::skip]
    let cases: [(&[&str], &str); 3] = [
        (&["keyphrases", "train", "--name", "x", "none.jsonl"], "none.jsonl"),
        (&["keyphrases", "extract", "--model", "nowhere", "text.txt"], "nowhere"),
        (&["keyphrases", "extract", "missing.txt"], "missing.txt"),
    ];
    for (args, named) in cases {
        let output = auslese(dir, args);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{args:?}");
        assert!(stderr(&output).contains(named), "{args:?}: {}", stderr(&output));
    }
}
