//! Faults of a map and of a workspace, made on purpose: each is found.

use super::*;

/// A page with three rooms; `replace` spoils it.
fn page(replace: (&str, &str)) -> String {
    let page = "\
## The rooms

| crate | what it decides | may know | keeps to itself |
|---|---|---|---|
| `model` | the nouns | – | – |
| `net` | how bytes reach the world | `model` | `rustls`, `tokio` |
| `catalog` | the database | `model` | `sqlx`, `tokio` |

### Rooms to come

| crate | what it decides | may know | keeps to itself |
|---|---|---|---|
| `words` | language | `model` | `fst` |

## Invariants

- **Pure rooms**: `model`. They know no async.
- **SQL rooms**: `catalog`. SQL text occurs nowhere else.
- **Socket rooms**: `net`. Nobody else opens a socket.
";
    assert!(page.contains(replace.0), "{replace:?}");
    page.replace(replace.0, replace.1)
}

fn map(replace: (&str, &str)) -> Map {
    Map::read(&page(replace)).expect("a whole page")
}

fn names(list: &[&str]) -> Names {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// The crates that fit the page above.
fn three_crates() -> BTreeMap<String, Crate> {
    let make = |rooms: &[&str], foreign: &[&str]| Crate {
        rooms: names(rooms),
        rooms_in_tests: names(&[]),
        foreign: names(foreign),
    };
    BTreeMap::from([
        ("model".to_owned(), make(&[], &["url"])),
        ("net".to_owned(), make(&["model"], &["rustls", "tokio", "url"])),
        ("catalog".to_owned(), make(&["model"], &["sqlx", "tokio"])),
    ])
}

fn all_faults(map: &Map, crates: &BTreeMap<String, Crate>) -> Vec<String> {
    let mut faults = rooms_without_crate_or_row(map, crates);
    faults.extend(unknown_names(map));
    faults.extend(forbidden_edges(map, crates));
    faults.extend(strangers_in_other_rooms(map, crates));
    faults.extend(impure_rooms(map, crates));
    faults
}

#[test]
fn wrong_maps_are_found() {
    let net = "| `net` | how bytes reach the world | `model` | `rustls`, `tokio` |\n";
    #[rustfmt::skip]
    let cases = [
        ((net, net),                        vec![]),
        ((net, ""),                         vec!["crate net has no row in the table of rooms",
                                                 "the invariants name net, which is no room"]),
        ((net, "| `net` | x | – | `rustls`, `tokio` |\n"), vec!["net knows model and may not"]),
        ((net, "| `net` | x | `model`, `mode` | `rustls`, `tokio` |\n"),
                                            vec!["net may know mode, which is no room"]),
        ((net, "| `net` | x | `model`, `words` | `rustls`, `tokio` |\n"),
                                            vec!["net may know words, which is no room"]),
        ((net, "| `net` | x | `model` | `rustls` |\n"),
                                            vec!["net depends on tokio, which other rooms keep"]),
        ((net, "| `net` | x | `model` | `rustls`, `tokio`, `sqlx` |\n"),
                                            vec!["net keeps sqlx but does not depend on it"]),
        (("`words` | language | `model`", "`words` | language | `nouns`"),
                                            vec!["words may know nouns, which is no room"]),
        (("| `words` |", "| `net` |"),      vec!["room net is no longer to come"]),
        (("rooms**: `model`.", "rooms**: `model`, `net`."),
                                            vec!["net is a pure room and depends on rustls",
                                                 "net is a pure room and depends on tokio"]),
        (("rooms**: `model`.", "rooms**: `catalog`."),
                                            vec!["catalog is a pure room and depends on sqlx",
                                                 "catalog is a pure room and depends on tokio",
                                                 "catalog is a pure room and knows model, which is not"]),
        (("rooms**: `net`.", "rooms**: `nets`."),
                                            vec!["the invariants name nets, which is no room"]),
    ];
    for (replace, expected) in cases {
        assert_eq!(all_faults(&map(replace), &three_crates()), expected, "{replace:?}");
    }
}

#[test]
fn wrong_workspaces_are_found() {
    type Change = fn(&mut BTreeMap<String, Crate>);
    #[rustfmt::skip]
    let cases: [(Change, &[&str]); 6] = [
        (|crates| { crates.remove("net"); },
            &["room net has no crate"]),
        (|crates| { crates.get_mut("net").unwrap().rooms.insert("catalog".into()); },
            &["net knows catalog and may not"]),
        (|crates| { crates.get_mut("net").unwrap().rooms_in_tests.insert("catalog".into()); },
            &["the tests of net know catalog and may not"]),
        (|crates| { crates.get_mut("net").unwrap().rooms_in_tests.insert("testnet".into()); },
            &[]),
        (|crates| { crates.get_mut("net").unwrap().foreign.insert("sqlx".into()); },
            &["net depends on sqlx, which other rooms keep"]),
        (|crates| { crates.get_mut("model").unwrap().foreign.insert("futures".into()); },
            &["model is a pure room and depends on futures"]),
    ];
    for (change, expected) in cases {
        let mut crates = three_crates();
        change(&mut crates);
        assert_eq!(all_faults(&map(("", "")), &crates), expected);
    }
}

#[test]
fn broken_pages_are_refused() {
    #[rustfmt::skip]
    let cases = [
        (("## The rooms", "## Rooms"),                    "no table of rooms below \"## The rooms\""),
        (("| `words` | language |", "| `words` |"),       "not four cells: | `words` | `model` | `fst` |"),
        (("| language |", "| |"),                         "words decides nothing"),
        (("| `net` |", "| net |"),                        "no name of a room: | net |"),
        (("| `net` |", "| `model` |"),                    "model has two rows"),
        (("**SQL rooms**", "**SQL**"),                    "no line \"- **SQL rooms**:\" with names"),
    ];
    for (replace, expected) in cases {
        let error = Map::read(&page(replace)).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn texts_are_found_outside_their_rooms() {
    #[rustfmt::skip]
    let cases = [
        (r#"query("SELECT id FROM server WHERE x")"#,    true),
        (r#"query("select id from server")"#,            true),
        ("query(\"SELECT id,\n  name\n FROM server\")",  true),
        (r#"query("INSERT INTO server VALUES (1)")"#,    true),
        (r#"query("insert or ignore into server")"#,     true),
        (r##"r#"  UPDATE server SET x = 1"#"##,          true),
        (r#"format!("{x} DELETE FROM server")"#,         true),
        (r#"const T: &str = "create table server (x)""#, true),
        (r#"query("PRAGMA journal_mode")"#,              true),
        ("// select a host from the list",               false),
        (r#"error("cannot update the set of hosts")"#,   false),
        (r#"("select", "option", "from")"#,              false),
        (r#"headers.get("pragma")"#,                     false),
    ];
    let source = |room: &str, text: &str| {
        [Source { room: room.to_owned(), path: "a.rs".into(), text: text.to_owned() }]
    };
    let allowed = names(&["catalog"]);
    for (text, found) in cases {
        let faults = text_outside(&allowed, "SQL", &sql_text(), &source("net", text));
        assert_eq!(!faults.is_empty(), found, "{text}");
        assert!(text_outside(&allowed, "SQL", &sql_text(), &source("catalog", text)).is_empty());
    }
    let dial = source("crawl", "\n\nTcpStream::connect(a);");
    let faults = text_outside(&names(&["net"]), "a socket", &socket_text(), &dial);
    assert_eq!(faults, ["a.rs:3 contains a socket: \"TcpStream\""]);
}

#[test]
fn missing_lints_are_found() {
    let workspace = |level| format!("[workspace.lints.rust]\nunsafe_code = \"{level}\"\n");
    assert_eq!(unsafe_allowed(&workspace("forbid")), None);
    assert!(unsafe_allowed(&workspace("deny")).is_some());
    assert_eq!(lints_not_inherited("net", "[lints]\nworkspace = true\n"), None);
    assert!(lints_not_inherited("net", "[package]\nname = \"net\"\n").is_some());
}
