//! Compares the manual with the program: settings and their defaults, commands and their options,
//! and whether links lead somewhere.
//!
//! The program is asked (`config show`, `--help`), the pages are read as text. Each check returns
//! what is wrong as a list, so that one run shows everything.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_catalog::Catalog;
use auslese_model::Column;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[test]
fn every_setting_is_described_with_its_default() {
    let described = described_settings(&page("configuration.md"));
    let real = settings();
    let names = |settings: &[(String, String)]| -> Vec<String> {
        settings.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&described), names(&real), "docs/configuration.md: names or their order");
    let mut faults = Vec::new();
    for ((name, described), (_, real)) in described.iter().zip(&real) {
        if described != real {
            faults.push(format!("{name}: described as {described}, is {real}"));
        }
    }
    assert_none("docs/configuration.md", &faults);
}

#[test]
fn entries_of_lists_are_described() {
    let text = page("configuration.md");
    let words = ["label", "root", "obey_robots", "connections", "delay", "addresses", "port", "to"];
    let missing: Vec<String> = words
        .into_iter()
        .filter(|word| !text.contains(&format!("{word} = ")))
        .map(str::to_owned)
        .collect();
    assert_none("docs/configuration.md shows no example of", &missing);
}

/// A limit that names its setting must have the setting's default.
#[test]
fn limits_have_the_defaults_of_their_settings() {
    let real: BTreeMap<String, String> = settings().into_iter().collect();
    let row = Regex::new(r"(?m)^\|[^|]*\|([^|]*)\| `([a-z_]+(?:\.[a-z0-9_]+)+)` \|$").unwrap();
    let text = page("limits.md");
    let mut named = BTreeSet::new();
    let mut faults = Vec::new();
    for found in row.captures_iter(&text) {
        let (default, name) = (found[1].trim().trim_matches('`'), &found[2]);
        named.insert(name.to_owned());
        match real.get(name) {
            None => faults.push(format!("{name} is no setting")),
            Some(real) if real != default => {
                faults.push(format!("{name}: described as {default}, is {real}"));
            }
            Some(_) => {}
        }
    }
    let limits = real.keys().filter(|name| name.starts_with("net.limits."));
    faults.extend(limits.filter(|name| !named.contains(*name)).map(|name| format!("no {name}")));
    assert_none("docs/limits.md", &faults);
}

#[test]
fn every_command_is_described_with_its_options() {
    let text = page("commands.md");
    let common = options(&help(&[]));
    let mut faults = Vec::new();
    for option in &common {
        if !mentions(&text, option) {
            faults.push(format!("auslese {option}"));
        }
    }
    for command in subcommands(&help(&[])) {
        let Some(section) = section(&text, &command) else {
            faults.push(format!("no heading `## {command}`"));
            continue;
        };
        check_command(&[&command], section, &common, &mut faults);
    }
    assert_none("docs/commands.md lacks", &faults);
}

fn check_command(
    command: &[&str],
    section: &str,
    common: &BTreeSet<String>,
    faults: &mut Vec<String>,
) {
    let help = help(command);
    let name = command.join(" ");
    if !section.contains(&format!("auslese {name}")) {
        faults.push(format!("an example of `auslese {name}`"));
    }
    for option in options(&help).difference(common) {
        if !mentions(section, option) {
            faults.push(format!("auslese {name} {option}"));
        }
    }
    for below in subcommands(&help) {
        let command: Vec<&str> = command.iter().copied().chain([below.as_str()]).collect();
        check_command(&command, section, common, faults);
    }
}

#[test]
fn links_lead_somewhere() {
    let root = root();
    let mut pages: Vec<PathBuf> = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
        .iter()
        .map(|name| root.join(name))
        .collect();
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    pages.extend(docs.filter(|path| path.extension().is_some_and(|end| end == "md")));
    let faults: Vec<String> = pages.iter().flat_map(|page| broken_links(page)).collect();
    assert_none("links that lead nowhere", &faults);
}

#[test]
fn every_page_is_in_the_index() {
    let index = page("README.md");
    let missing: Vec<String> = fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md") && name != "README.md")
        .filter(|name| !index.contains(&format!("]({name})")))
        .collect();
    assert_none("docs/README.md lacks", &missing);
}

/// The tables that are given away, their columns and types are described as they are.
#[test]
fn every_column_of_parquet_is_described() {
    let text = page("export-parquet.md");
    let heading = Regex::new(r"^### ([a-z_]+)$").unwrap();
    let row = Regex::new(r"^\| `([a-z0-9_]+)` \| ([a-z0-9 ]+) \| \S").unwrap();
    let mut table = None;
    let mut described = Vec::new();
    for line in text.lines() {
        if line.starts_with('#') {
            table = heading.captures(line).map(|found| found[1].to_owned());
        } else if let (Some(table), Some(found)) = (&table, row.captures(line)) {
            described.push(format!("{table}.{}: {}", &found[1], &found[2]));
        }
    }
    let real: Vec<String> = Catalog::export_tables(None)
        .iter()
        .flat_map(|table| {
            let of = |column: &Column| {
                format!("{}.{}: {}", table.name, column.name, column.kind.as_str())
            };
            table.columns.iter().map(of).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(described, real, "docs/export-parquet.md");
}

fn broken_links(page: &Path) -> Vec<String> {
    let text = without_code(&read(page));
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let mut faults = Vec::new();
    for found in link.captures_iter(&text) {
        let target = &found[1];
        if target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let path = match file {
            "" => page.to_owned(),
            file => page.parent().unwrap().join(file),
        };
        let fault = if !path.exists() {
            Some("no such file")
        } else if !anchor.is_empty() && !anchors(&read(&path)).contains(anchor) {
            Some("no such heading")
        } else {
            None
        };
        let name = page.strip_prefix(root()).unwrap_or(page);
        faults.extend(fault.map(|fault| format!("{}: {target}: {fault}", name.display())));
    }
    faults
}

/// The names under which the headings of a page can be linked to, as code hosts make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = without_code(text);
    let headings = headings.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let words = heading.trim_start_matches('#').trim().to_lowercase();
            let kept =
                words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// The text without its blocks of code: what stands in them is neither link nor heading.
fn without_code(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let fence = line.starts_with("```");
        fenced ^= fence;
        !fence && !fenced && !line.starts_with("    ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The rows ``| `name` | `default` | …`` below the headings ``## `[table]` ``, in order.
fn described_settings(text: &str) -> Vec<(String, String)> {
    let heading = Regex::new(r"^## `\[([a-z_.]+)\]`$").unwrap();
    let row = Regex::new(r"^\| `([a-z0-9_]+)` \| `([^|]*)` \|").unwrap();
    let mut table = None;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.starts_with("## ") {
            table = heading.captures(line).map(|found| found[1].to_owned());
        } else if let (Some(table), Some(setting)) = (&table, row.captures(line)) {
            found.push((format!("{table}.{}", &setting[1]), setting[2].to_owned()));
        }
    }
    found
}

/// All settings with their defaults as the program states them, in its order.
fn settings() -> Vec<(String, String)> {
    let empty = tempfile::tempdir().unwrap();
    let shown = auslese(&["config", "show", "--dir", empty.path().to_str().unwrap()]);
    let mut table = "";
    let mut found = Vec::new();
    for line in shown.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            table = name;
        } else if let Some((name, value)) = line.split_once(" = ") {
            let value = value.strip_suffix("# default").expect("nothing was set").trim();
            found.push((format!("{table}.{name}"), value.to_owned()));
        }
    }
    assert!(!found.is_empty(), "{shown}");
    found
}

/// The part of a page below `## name`.
fn section<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let start = text.find(&format!("\n## {name}\n"))? + 1;
    let end = text[start + 1..].find("\n## ").map_or(text.len(), |end| start + 1 + end);
    Some(&text[start..end])
}

fn mentions(text: &str, option: &str) -> bool {
    Regex::new(&format!("{}(?:[^a-z-]|$)", regex::escape(option))).unwrap().is_match(text)
}

/// The names below `Commands:`.
fn subcommands(help: &str) -> Vec<String> {
    let name = Regex::new(r"^  ([a-z][a-z-]*)(?:\s|$)").unwrap();
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| name.captures(line).map(|found| found[1].to_owned()))
        .filter(|name| name != "help")
        .collect()
}

fn options(help: &str) -> BTreeSet<String> {
    let option = Regex::new(r"(?m)^\s+(?:-[a-zA-Z], )?(--[a-z-]+)").unwrap();
    option.captures_iter(help).map(|found| found[1].to_owned()).collect()
}

fn help(command: &[&str]) -> String {
    let args: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
    auslese(&args)
}

fn auslese(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_auslese"))
        .args(args)
        .env("COLUMNS", "100")
        .output()
        .expect("the binary was built for this test");
    assert!(output.status.success(), "auslese {args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn page(name: &str) -> String {
    read(&root().join("docs").join(name))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
}

fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    crates.parent().unwrap().to_owned()
}

#[track_caller]
fn assert_none(what: &str, faults: &[String]) {
    assert!(faults.is_empty(), "{what}:\n  {}", faults.join("\n  "));
}
