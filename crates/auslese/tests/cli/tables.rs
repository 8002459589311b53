//! A harvest as Parquet tables: read by others row by row, and the same numbers as the program prints, by the
//! example scripts of the manual.

use super::{auslese, empty, skipped, stderr, stdout};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TEST: &str = "tables::the_demo_as_tables";

#[track_caller]
fn done(dir: &Path, args: &[&str]) -> String {
    let output = auslese(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// The Python with foreign readers; where it lacks a module, a part of the test is skipped aloud.
fn python_with(module: &str) -> Option<OsString> {
    let python = std::env::var_os("AUSLESE_PYTHON").filter(|python| {
        let mut asked = Command::new(python);
        asked.args(["-c", &format!("import {module}")]).stderr(Stdio::null());
        asked.status().is_ok_and(|status| status.success())
    });
    if python.is_none() {
        skipped(TEST, &format!("AUSLESE_PYTHON names no Python with {module}"));
    }
    python
}

#[track_caller]
fn run(python: &OsString, script: &Path, args: &[&str], dir: &Path) -> String {
    let mut command = Command::new(python);
    command.arg(script).args(args).current_dir(dir).stdin(Stdio::null());
    // Nothing beside this process listens, wherever the machine's name leads to.
    command.env("SPARK_LOCAL_IP", "127.0.0.1").env("PYSPARK_PYTHON", python);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{} {args:?}: {}", script.display(), stderr(&output));
    stdout(&output)
}

fn in_project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

#[test]
fn the_demo_as_tables() {
    let dir = empty();
    let path = dir.path();
    done(path, &["demo", "--no-serve", "--dir", "h"]);
    let export = ["export", "--format", "parquet", "--json", "--dir", "h"];
    let report: Value =
        serde_json::from_str(&done(path, &[&export[..], &["--out", "t"]].concat())).unwrap();
    assert_eq!(report["documents"], report["tables"]["documents"]);
    assert!(report["tables"]["headers"].as_u64() > report["tables"]["captures"].as_u64());
    assert!(path.join("t/documents/kept=true/part-0000.parquet").is_file());
    assert!(path.join("t/captures/round=2/part-0000.parquet").is_file());
    done(path, &[&export[..], &["--kept", "--out", "kept"]].concat());
    let found = done(path, &[&export[..], &["--query", "lang:en", "--out", "en"]].concat());
    let found: Value = serde_json::from_str(&found).unwrap();
    assert!(found["documents"].as_u64() < report["documents"].as_u64(), "{found}");
    let nothing = auslese(path, &[&export[..], &["--query", "xyzzyx", "--out", "no"]].concat());
    assert!(stderr(&nothing).contains("there is no document to export"), "{}", stderr(&nothing));
    assert!(!path.join("no").exists());

    if let Some(python) = python_with("pyarrow") {
        let reader = in_project("crates/auslese/tests/cli/tables.py");
        let told = run(&python, &reader, &["t", "h/catalog.sqlite"], path);
        for (table, rows) in report["tables"].as_object().unwrap() {
            assert!(told.contains(&format!("{table} {rows}\n")), "{table} {rows}: {told}");
        }
        run(&python, &reader, &["kept", "--kept"], path);
    }
    if let Some(python) = python_with("duckdb") {
        let script = in_project("docs/examples/paper_table.py");
        same_numbers(path, |table| run(&python, &script, &["t", table], path));
    }
    if std::env::var_os("AUSLESE_LONG").is_none() {
        return;
    }
    let has_java = Command::new("java").arg("-version").stderr(Stdio::null()).status().is_ok();
    if !has_java {
        return skipped(TEST, "java is missing");
    }
    if let Some(python) = python_with("pyspark") {
        let script = in_project("docs/examples/paper_table_spark.py");
        same_numbers(path, |table| run(&python, &script, &["t", table], path));
        let counts = run(&python, &script, &["t", "counts"], path);
        for (table, rows) in report["tables"].as_object().unwrap() {
            assert!(counts.contains(&format!("{table},{rows}\n")), "{table} {rows}: {counts}");
        }
    }
}

/// What a script prints is what the program prints.
fn same_numbers(path: &Path, script: impl Fn(&str) -> String) {
    for table in ["institutions", "features"] {
        let own = done(path, &["stats", table, "--format", "csv", "--dir", "h"]);
        let others = script(table);
        assert!(own.lines().count() > 2, "{own}");
        compare(&own, &others);
    }
    let rounds = done(path, &["rounds", "compare", "--words", "0", "--json", "--dir", "h"]);
    let rounds: Value = serde_json::from_str(&rounds).unwrap();
    let keys =
        "server media_type new unchanged changed markup vanished error words_added words_removed";
    let row = |row: &Value| -> String {
        let cells = keys.split(' ').map(|key| match &row[key] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            number => number.to_string(),
        });
        cells.collect::<Vec<_>>().join(",")
    };
    let rows: Vec<String> = rounds["documents"].as_array().unwrap().iter().map(row).collect();
    let others = script("changes");
    assert_eq!(rows, others.lines().skip(1).collect::<Vec<_>>());
    let changed = |row: &&String| !row.ends_with(",0,0,0,0,0,0");
    assert!(rows.iter().any(|row| changed(&row)), "{rows:?}");
}

/// Equal cell by cell; sums of fractions depend on their order, so these may differ in the last digits.
#[track_caller]
fn compare(own: &str, others: &str) {
    let cells = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let (own, others) = (cells(own), cells(others));
    assert_eq!(own.len(), others.len());
    for (one, other) in own.iter().zip(&others) {
        assert_eq!(one.len(), other.len(), "{one:?} {other:?}");
        for (left, right) in one.iter().zip(other) {
            let same = match (left.parse::<f64>(), right.parse::<f64>()) {
                (Ok(left), Ok(right)) => (left - right).abs() <= 1e-9 * left.abs().max(1.0),
                _ => left == right,
            };
            assert!(same, "{one:?} {other:?}");
        }
    }
}
