//! Compares the workspace with the map in `docs/ARCHITECTURE.md`.
//!
//! The page is the rule: this test reads its tables and its list of invariants, asks cargo for the
//! real dependencies, and names every difference. Each check is a function from map and workspace
//! to a list of faults, so that the tests in `faults` can also show that it finds them.

mod faults;

use regex::Regex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[test]
fn the_workspace_is_as_the_map_says() {
    let root = workspace_root();
    let page = read(&root.join("docs/ARCHITECTURE.md"));
    let map = Map::read(&page).unwrap();
    let crates = crates(&root);
    let sources = sources(&root);
    let mut faults = rooms_without_crate_or_row(&map, &crates);
    faults.extend(unknown_names(&map));
    faults.extend(forbidden_edges(&map, &crates));
    faults.extend(strangers_in_other_rooms(&map, &crates));
    faults.extend(impure_rooms(&map, &crates));
    faults.extend(text_outside(&map.sql_rooms, "SQL", &sql_text(), &sources));
    faults.extend(text_outside(&map.socket_rooms, "a socket", &socket_text(), &sources));
    faults.extend(lint_faults(&root, &crates));
    assert!(faults.is_empty(), "docs/ARCHITECTURE.md and the code differ:\n{}", faults.join("\n"));
}

type Names = BTreeSet<String>;

/// What the page says.
#[derive(Debug, Clone)]
struct Map {
    rooms: BTreeMap<String, Room>,
    rooms_to_come: BTreeMap<String, Room>,
    pure_rooms: Names,
    sql_rooms: Names,
    socket_rooms: Names,
}

#[derive(Debug, Clone, Default)]
struct Room {
    may_know: Names,
    keeps: Names,
}

/// What cargo says of a crate: rooms without their prefix, foreign crates by name.
#[derive(Debug, Clone, Default)]
struct Crate {
    rooms: Names,
    rooms_in_tests: Names,
    foreign: Names,
}

impl Map {
    fn read(page: &str) -> Result<Map, String> {
        Ok(Map {
            rooms: table_below(page, "## The rooms")?,
            // When all have come, the page says nothing of them.
            rooms_to_come: match page.contains("### Rooms to come") {
                true => table_below(page, "### Rooms to come")?,
                false => BTreeMap::new(),
            },
            pure_rooms: list_named(page, "Pure rooms")?,
            sql_rooms: list_named(page, "SQL rooms")?,
            socket_rooms: list_named(page, "Socket rooms")?,
        })
    }
}

/// The first table below a heading, and before the next heading.
fn table_below(page: &str, heading: &str) -> Result<BTreeMap<String, Room>, String> {
    let mut lines = page.lines().skip_while(|line| *line != heading).skip(1);
    let header = "| crate | what it decides | may know | keeps to itself |";
    let in_section = |line: &&str| !line.starts_with('#');
    if !lines.by_ref().take_while(in_section).any(|line| line == header) {
        return Err(format!("no table of rooms below {heading:?}"));
    }
    let mut rooms = BTreeMap::new();
    for line in lines.skip(1).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        let [name, decides, may_know, keeps] = cells[..] else {
            return Err(format!("not four cells: {line}"));
        };
        let names: Vec<String> = quoted(name).into_iter().collect();
        let [name] = &names[..] else { return Err(format!("no name of a room: {line}")) };
        if decides.trim().is_empty() {
            return Err(format!("{name} decides nothing"));
        }
        let room = Room { may_know: quoted(may_know), keeps: quoted(keeps) };
        if rooms.insert(name.clone(), room).is_some() {
            return Err(format!("{name} has two rows"));
        }
    }
    Ok(rooms)
}

/// The names in ``- **Pure rooms**: `model`, `markup`.``
fn list_named(page: &str, name: &str) -> Result<Names, String> {
    let start = format!("- **{name}**:");
    let line = page.lines().find_map(|line| line.strip_prefix(&start));
    let names = quoted(line.and_then(|line| line.split('.').next()).unwrap_or(""));
    if names.is_empty() { Err(format!("no line {start:?} with names")) } else { Ok(names) }
}

/// The names between backticks.
fn quoted(cell: &str) -> Names {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn rooms_without_crate_or_row(map: &Map, crates: &BTreeMap<String, Crate>) -> Vec<String> {
    let rowless = crates.keys().filter(|name| !map.rooms.contains_key(*name));
    let crateless = map.rooms.keys().filter(|name| !crates.contains_key(*name));
    let arrived = map.rooms_to_come.keys().filter(|name| crates.contains_key(*name));
    rowless
        .map(|name| format!("crate {name} has no row in the table of rooms"))
        .chain(crateless.map(|name| format!("room {name} has no crate")))
        .chain(arrived.map(|name| format!("room {name} is no longer to come")))
        .collect()
}

/// Names on the page that no table explains. A room may not rely on one that is yet to come.
fn unknown_names(map: &Map) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, room) in &map.rooms {
        for known in room.may_know.iter().filter(|known| !map.rooms.contains_key(*known)) {
            faults.push(format!("{name} may know {known}, which is no room"));
        }
    }
    for (name, room) in &map.rooms_to_come {
        let exists =
            |known: &String| map.rooms.contains_key(known) || map.rooms_to_come.contains_key(known);
        for known in room.may_know.iter().filter(|known| !exists(known)) {
            faults.push(format!("{name} may know {known}, which is no room"));
        }
    }
    let listed = map.pure_rooms.iter().chain(&map.sql_rooms).chain(&map.socket_rooms);
    for name in listed.filter(|name| !map.rooms.contains_key(*name)) {
        faults.push(format!("the invariants name {name}, which is no room"));
    }
    faults
}

fn forbidden_edges(map: &Map, crates: &BTreeMap<String, Crate>) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, room) in &map.rooms {
        let Some(found) = crates.get(name) else { continue };
        for known in found.rooms.difference(&room.may_know) {
            faults.push(format!("{name} knows {known} and may not"));
        }
        let in_tests = found.rooms_in_tests.difference(&room.may_know);
        for known in in_tests.filter(|known| *known != "testnet") {
            faults.push(format!("the tests of {name} know {known} and may not"));
        }
    }
    faults
}

/// Foreign crates used outside the rooms that keep them, or kept by a room that has no use for
/// them.
fn strangers_in_other_rooms(map: &Map, crates: &BTreeMap<String, Crate>) -> Vec<String> {
    let kept: Names = map.rooms.values().flat_map(|room| room.keeps.clone()).collect();
    let mut faults = Vec::new();
    for (name, room) in &map.rooms {
        let Some(found) = crates.get(name) else { continue };
        for foreign in found.foreign.intersection(&kept).filter(|f| !room.keeps.contains(*f)) {
            faults.push(format!("{name} depends on {foreign}, which other rooms keep"));
        }
        for foreign in room.keeps.difference(&found.foreign) {
            faults.push(format!("{name} keeps {foreign} but does not depend on it"));
        }
    }
    faults
}

/// Crates that do I/O or are async; with them no room is pure.
const IMPURE: [&str; 9] = [
    "async-trait",
    "futures",
    "hickory-resolver",
    "reqwest",
    "rusqlite",
    "rustls",
    "sqlx",
    "tokio",
    "tokio-rustls",
];

fn impure_rooms(map: &Map, crates: &BTreeMap<String, Crate>) -> Vec<String> {
    let mut faults = Vec::new();
    for name in &map.pure_rooms {
        let Some(found) = crates.get(name) else { continue };
        for foreign in IMPURE.iter().filter(|impure| found.foreign.contains(**impure)) {
            faults.push(format!("{name} is a pure room and depends on {foreign}"));
        }
        for known in found.rooms.difference(&map.pure_rooms) {
            faults.push(format!("{name} is a pure room and knows {known}, which is not"));
        }
    }
    faults
}

/// Statements as programs write them, in capitals anywhere or in any case at the start of a string.
fn sql_text() -> Regex {
    let statements = r"INSERT\s+(OR\s+\w+\s+)?INTO\s+\w|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s+\w|CREATE\s+(UNIQUE\s+)?(TABLE|INDEX)\s|PRAGMA\s+\w";
    let select = r#"SELECT\s[^";]*\sFROM\s"#;
    Regex::new(&format!(r#"\b({statements}|{select})|"\s*(?i:{statements}|{select})"#))
        .expect("a pattern")
}

/// The types with which a program speaks first. Listening is not forbidden.
fn socket_text() -> Regex {
    Regex::new(r"\b(TcpStream|TcpSocket|UdpSocket)\b").expect("a pattern")
}

/// Sources outside the named rooms that contain a text.
fn text_outside(rooms: &Names, what: &str, text: &Regex, sources: &[Source]) -> Vec<String> {
    let outside = sources.iter().filter(|source| !rooms.contains(&source.room));
    let found = outside.filter_map(|source| Some((source, text.find(&source.text)?)));
    found
        .map(|(source, place)| {
            let line = source.text[..place.start()].matches('\n').count() + 1;
            format!("{}:{line} contains {what}: {:?}", source.path.display(), place.as_str())
        })
        .collect()
}

fn lint_faults(root: &Path, crates: &BTreeMap<String, Crate>) -> Vec<String> {
    let manifest = |directory: PathBuf| read(&directory.join("Cargo.toml"));
    let in_crates = crates
        .keys()
        .filter_map(|name| lints_not_inherited(name, &manifest(root.join("crates").join(name))));
    unsafe_allowed(&manifest(root.to_owned())).into_iter().chain(in_crates).collect()
}

fn unsafe_allowed(manifest: &str) -> Option<String> {
    let manifest: toml::Table = manifest.parse().expect("a manifest");
    let lint = manifest["workspace"]["lints"]["rust"].get("unsafe_code");
    let forbidden = lint.and_then(toml::Value::as_str) == Some("forbid");
    (!forbidden).then(|| "the workspace does not forbid unsafe code".to_owned())
}

fn lints_not_inherited(name: &str, manifest: &str) -> Option<String> {
    let manifest: toml::Table = manifest.parse().expect("a manifest");
    let inherited = manifest.get("lints").and_then(|lints| lints.get("workspace"));
    let inherits = inherited.and_then(toml::Value::as_bool) == Some(true);
    (!inherits).then(|| format!("{name} does not inherit the lints of the workspace"))
}

fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All crates of the workspace, by the names of their rooms.
fn crates(root: &Path) -> BTreeMap<String, Crate> {
    let output = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = array(&metadata["packages"]);
    packages.iter().map(|package| (room_name(text(&package["name"])), crate_of(package))).collect()
}

fn crate_of(package: &Value) -> Crate {
    let mut found = Crate::default();
    for dependency in array(&package["dependencies"]) {
        let name = text(&dependency["name"]);
        let is_room = !dependency["path"].is_null();
        let in_tests = dependency["kind"] == "dev";
        match (is_room, in_tests) {
            (true, false) => found.rooms.insert(room_name(name)),
            (true, true) => found.rooms_in_tests.insert(room_name(name)),
            (false, false) => found.foreign.insert(name.to_owned()),
            (false, true) => false,
        };
    }
    found
}

fn room_name(package: &str) -> String {
    package.strip_prefix("auslese-").unwrap_or(package).to_owned()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn array(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

/// A source file of a crate, tests in `tests/` left out.
struct Source {
    room: String,
    path: PathBuf,
    text: String,
}

fn sources(root: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    for room in entries(&root.join("crates")) {
        let name = room.file_name().expect("a name").to_string_lossy();
        collect_sources(&name, &room.join("src"), &mut sources);
    }
    assert!(sources.len() > 10, "the sources were not found");
    sources
}

fn collect_sources(room: &str, directory: &Path, sources: &mut Vec<Source>) {
    for path in entries(directory) {
        if path.is_dir() {
            collect_sources(room, &path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = read(&path);
            sources.push(Source { room: room.to_owned(), path, text });
        }
    }
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

// --- what the checks must find -------------------------------------------------------------------
