//! Programs of others that the tests ask, and what happens where they are missing.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The Python with foreign readers; where it lacks a module, the test is skipped aloud.
pub(crate) fn python_with(module: &str, test: &str) -> Option<OsString> {
    let python = std::env::var_os("AUSLESE_PYTHON");
    let knows_it = |python: &OsString| {
        let asked = Command::new(python)
            .args(["-c", &format!("import {module}")])
            .stderr(Stdio::null())
            .status();
        asked.is_ok_and(|status| status.success())
    };
    let python = python.filter(knows_it);
    if python.is_none() {
        skipped(test, &format!("AUSLESE_PYTHON names no Python with {module}"));
    }
    python
}

/// Whether xmllint is there; where it is not, the test is skipped aloud.
pub(crate) fn has_xmllint(test: &str) -> bool {
    let asked = Command::new("xmllint")
        .arg("--version")
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .status();
    let is_there = asked.is_ok_and(|status| status.success());
    if !is_there {
        skipped(test, "xmllint is missing");
    }
    is_there
}

fn skipped(test: &str, reason: &str) {
    if let Some(path) = std::env::var_os("AUSLESE_SKIPS") {
        let file = File::options().append(true).create(true).open(path);
        writeln!(file.expect("the file for skips"), "{test}: {reason}").expect("a line");
    }
}

/// Runs a script with a file, and expects it to succeed.
pub(crate) fn run_python(python: &OsString, script: &str, file: &Path) -> String {
    let output =
        Command::new(python).arg("-c").arg(script).arg(file).output().expect("Python runs");
    succeeded(&output);
    String::from_utf8(output.stdout).expect("Python prints UTF-8")
}

pub(crate) fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
