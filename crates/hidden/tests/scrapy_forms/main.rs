//! How forms are read, compared with Scrapy's `FormRequest.from_response`: address, method and the fields
//! that a browser would send.
//!
//! The forms are those of `forms.html`, one after another. Left out is where Scrapy departs from browsers on
//! purpose or by its parser: disabled controls and options, and buttons that do nothing (it sends them), empty
//! values of radio buttons (it sends `on`), pictures to click on (it sends no coordinates), forms across tables and `form=` attributes (it looks at what is inside a form), and the
//! place of the submit button (it comes last).

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_hidden::forms;
use auslese_markup::parse;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use url::Url;

const FORMS: &str = include_str!("forms.html");
const PAGE: &str = "http://www.example.org/suche/index.html";

/// Reads a page from stdin, prints for every form its method, its address and its fields.
const ORACLE: &str = r#"
import json, sys
from urllib.parse import parse_qsl, urlsplit, urlunsplit
from scrapy.http import FormRequest, HtmlResponse
page = HtmlResponse(sys.argv[1], body=sys.stdin.buffer.read(), encoding="utf-8")
found = []
for number in range(len(page.xpath("//form"))):
    request = FormRequest.from_response(page, formnumber=number)
    parts = urlsplit(request.url)
    text = parts.query if request.method == "GET" else request.body.decode()
    fields = [f"{name}={value}" for name, value in parse_qsl(text, keep_blank_values=True)]
    found.append([request.method, urlunsplit(parts._replace(query="", fragment="")), *sorted(fields)])
print(json.dumps(found))
"#;

#[test]
fn forms_are_read_as_scrapy_reads_them() {
    let ours = our_reading();
    assert!(ours.len() >= 50, "{} forms", ours.len());
    let Some(python) = python_with_scrapy("forms compared with Scrapy") else { return };
    let theirs = scrapys_reading(&python);
    assert_eq!(ours.len(), theirs.len());
    let sources: Vec<&str> = FORMS.split("<form").skip(1).collect();
    let mut differences = Vec::new();
    for (at, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        if ours != theirs {
            differences
                .push(format!("<form{}\n  ours   {ours:?}\n  theirs {theirs:?}", sources[at]));
        }
    }
    assert!(differences.is_empty(), "{} forms:\n{}", differences.len(), differences.join("\n"));
}

fn our_reading() -> Vec<Vec<String>> {
    let page = parse(FORMS.as_bytes(), Some("utf-8"));
    let url: Url = PAGE.parse().unwrap();
    let reading = |form: auslese_hidden::Form| {
        let mut address = form.action.clone();
        address.set_query(None);
        address.set_fragment(None);
        let fields = form.browser_fields();
        let mut fields: Vec<String> =
            fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
        fields.sort();
        let mut row = vec![form.method.as_str().to_owned(), address.to_string()];
        row.extend(fields);
        row
    };
    forms(&page, &url).into_iter().map(reading).collect()
}

fn scrapys_reading(python: &OsString) -> Vec<Vec<String>> {
    let mut child = Command::new(python)
        .args(["-c", ORACLE, PAGE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(FORMS.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "Scrapy failed");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A Python that has Scrapy. Says where somebody counts such tests that there is none.
fn python_with_scrapy(test: &str) -> Option<OsString> {
    let python = std::env::var_os("AUSLESE_PYTHON");
    let has_scrapy = |python: &OsString| {
        let probe = Command::new(python).args(["-c", "import scrapy"]).output();
        probe.is_ok_and(|output| output.status.success())
    };
    let python = python.filter(has_scrapy);
    if let (None, Some(path)) = (&python, std::env::var_os("AUSLESE_SKIPS")) {
        let file = fs::File::options().create(true).append(true).open(Path::new(&path));
        writeln!(file.unwrap(), "{test}: AUSLESE_PYTHON names no Python with Scrapy").unwrap();
    }
    python
}
