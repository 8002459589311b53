//! Documents that want more than they may: refused, and nothing is read.

use crate::provider::{KINDS, Kind, Provider, block_on};
use auslese_summarize::Summarizer;
use auslese_testnet::mariadb::MariaDb;
use std::os::unix::fs::symlink;

/// The allow-list of these tests. Some entries are the mistake of a provider who copies what a document says.
const ALLOW: [&str; 5] = [
    "hotel.name",
    "hotel\"; DROP TABLE hotel; --.name",
    "hotel`; DROP TABLE hotel; -- .name",
    "hotel.name\" FROM hotel; DROP TABLE hotel; --",
    "hotel.geheim",
];

#[test]
fn what_is_not_allowed_is_not_read() {
    let long = "x".repeat(5_000);
    #[rustfmt::skip]
    let cases = [
        // table                                attribute                                   outcome
        ("hotel",                               "name",                                     "ok"),
        ("hotel",                               "notiz",                                    "E_NOT_ALLOWED"),
        ("hotel",                               "NAME",                                     "E_NOT_ALLOWED"),
        ("hotel",                               "*",                                        "E_NOT_ALLOWED"),
        ("hotel",                               "name, geheim",                             "E_NOT_ALLOWED"),
        ("hotel WHERE 1=1 UNION SELECT geheim FROM hotel", "name",                          "E_NOT_ALLOWED"),
        ("hotel\"; DELETE FROM hotel; --",      "name",                                     "E_NOT_ALLOWED"),
        ("public.hotel",                        "name",                                     "E_NOT_ALLOWED"),
        ("pg_catalog.pg_authid",                "rolpassword",                              "E_NOT_ALLOWED"),
        ("sqlite_master",                       "sql",                                      "E_NOT_ALLOWED"),
        ("hotel\0",                             "name",                                     "E_NOT_ALLOWED"),
        ("hotel",                               "name\0",                                   "E_NOT_ALLOWED"),
        (&long,                                 "name",                                     "E_NOT_ALLOWED"),
        ("hotel",                               &long,                                      "E_NOT_ALLOWED"),
        ("hotel\"; DROP TABLE hotel; --",       "name",                                     "E_NO_COLUMN"),
        ("hotel`; DROP TABLE hotel; -- ",       "name",                                     "E_NOT_ALLOWED"),
        ("hotel",                               "name\" FROM hotel; DROP TABLE hotel; --",  "E_NO_COLUMN"),
    ];
    for kind in KINDS {
        let provider = Provider::new(kind);
        for (table, attribute, expected) in &cases {
            let lines = format!("Table: {table}\nAttribute: {attribute}\n");
            assert_eq!(provider.outcome(&ALLOW, &lines, ""), *expected, "{kind:?} {lines}");
        }
        assert_eq!(provider.number("SELECT COUNT(*) FROM hotel"), 5, "{kind:?}");
    }
}

/// Rights of the database count even where the settings forgot them.
#[test]
fn columns_that_the_role_may_not_read() {
    for kind in [Kind::Postgres, Kind::MariaDb] {
        let provider = Provider::new(kind);
        let lines = "Table: hotel\nAttribute: name\nAttribute: geheim\n";
        assert_eq!(provider.outcome(&ALLOW, lines, ""), "E_NO_COLUMN", "{kind:?}");
    }
}

#[test]
fn the_database_is_not_reached_for_what_is_refused() {
    let provider = Provider::new(Kind::MariaDb);
    let told =
        || MariaDb::shared().statements().contains(&format!("{}@localhost on", provider.role));
    for lines in [
        "Table: hotel\nAttribute: name\nAttribute: notiz\n",
        "Table: hotel\nAttribute: name\nAs: Title\n",
        "Table: hotel\nQuatsch\n",
    ] {
        assert_ne!(provider.outcome(&ALLOW, lines, ""), "ok");
        assert!(!told(), "{lines}");
    }
    assert_eq!(provider.outcome(&ALLOW, "Table: hotel\nAttribute: name\n", ""), "ok");
    assert!(told(), "the log names who connects");
}

#[test]
fn paths_that_lead_elsewhere() {
    let provider = Provider::new(Kind::Sqlite);
    provider.document("city.DBContent", "Table: hotel\nAttribute: name\n");
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("city.DBContent");
    std::fs::copy(provider.documents().join("city.DBContent"), &copy).unwrap();
    symlink(&copy, provider.documents().join("out.DBContent")).unwrap();
    let summarizer = Summarizer::new(provider.settings(&["hotel.name"], ""));
    let whole = copy.to_str().unwrap();
    #[rustfmt::skip]
    let cases = [
        ("city.DBContent",                        "ok"),
        ("../documents/city.DBContent",           "E_CONFIG_PATH"),
        (whole,                                   "E_CONFIG_PATH"),
        ("../summarizer.toml",                    "E_CONFIG_PATH"),
        ("../token\0.DBContent",                  "E_CONFIG_PATH"),
        ("out.DBContent",                         "E_CONFIG_UNKNOWN"),
    ];
    for (config, expected) in cases {
        let outcome = block_on(summarizer.summarize(config)).map_or_else(|it| it.code(), |_| "ok");
        assert_eq!(outcome, expected, "{config:?}");
    }
}

#[test]
fn documents_that_are_wrong() {
    let provider = Provider::new(Kind::Sqlite);
    let many: String = (0..201).map(|number| format!("Attribute: a{number}\n")).collect();
    #[rustfmt::skip]
    let cases = [
        ("Table: hotel\n".to_owned(),                                  "E_DBCONTENT"),
        ("Attribute: name\n".to_owned(),                               "E_DBCONTENT"),
        ("Table: hotel\nAttribute: name\nAs: File-Size\n".to_owned(),  "E_DBCONTENT"),
        ("Table: hotel\nAttribute: name\nAs: truncated-x\n".to_owned(), "E_DBCONTENT"),
        (format!("Table: hotel\n{many}"),                              "E_DBCONTENT"),
        ("\u{0}\u{1}\u{ffff}".to_owned(),                              "E_DBCONTENT"),
    ];
    for (lines, expected) in cases {
        assert_eq!(provider.outcome(&["hotel.name"], &lines, ""), expected, "{lines}");
    }
    provider.document("city.DBContent", "Table: hotel\nAttribute: name\n");
    let file = provider.documents().join("city.DBContent");
    let text = std::fs::read_to_string(&file).unwrap().replace("Database: City", "Database: Other");
    std::fs::write(&file, text).unwrap();
    let summarizer = Summarizer::new(provider.settings(&["hotel.name"], ""));
    let refusal = block_on(summarizer.summarize("city.DBContent")).unwrap_err();
    assert_eq!(refusal.code(), "E_DATABASE_UNKNOWN");
}

/// A view that writes when it is read: the engine itself refuses.
#[test]
fn nothing_can_be_written_even_by_a_view() {
    let provider = Provider::new(Kind::Postgres);
    provider.execute("CREATE TABLE spur (x INTEGER)");
    provider.execute(
        "CREATE FUNCTION schreibe() RETURNS INTEGER VOLATILE SECURITY DEFINER LANGUAGE plpgsql AS \
         $$ BEGIN INSERT INTO spur VALUES (1); RETURN 1; END $$",
    );
    provider.execute("CREATE VIEW falle AS SELECT schreibe() AS x");
    provider.grant("falle");
    let lines = "Table: falle\nAttribute: x\n";
    assert_eq!(provider.outcome(&["falle.x"], lines, ""), "E_DATABASE");
    assert_eq!(provider.number("SELECT COUNT(*) FROM spur"), 0);
    // Read by somebody else it does write.
    assert_eq!(provider.number("SELECT CAST(x AS BIGINT) FROM falle"), 1);
    assert_eq!(provider.number("SELECT COUNT(*) FROM spur"), 1);
}

/// All that MariaDB saw of a summary: it is sealed before the first name is looked up.
#[test]
fn what_the_database_saw() {
    let provider = Provider::new(Kind::MariaDb);
    assert_eq!(provider.outcome(&ALLOW, "Table: hotel\nAttribute: name\n", ""), "ok");
    let log = MariaDb::shared().statements();
    // `time`, a number and a command, the statement; lines of one connection have its number.
    let lines = log.lines().filter_map(|line| {
        let (before, statement) = line.rsplit_once('\t')?;
        let mut words = before.split_whitespace().rev();
        let command = words.next()?;
        Some((words.next()?.to_owned(), command.to_owned(), statement.to_owned()))
    });
    let lines: Vec<(String, String, String)> = lines.collect();
    let start = format!("{}@localhost on", provider.role);
    let (number, ..) = lines.iter().find(|(_, _, it)| it.starts_with(&start)).unwrap();
    let seen: Vec<&str> = lines
        .iter()
        .filter(|(id, command, _)| id == number && matches!(command.as_str(), "Query" | "Execute"))
        .map(|(_, _, statement)| statement.as_str())
        .collect();
    #[rustfmt::skip]
    let expected = [
        "SET sql_mode=",
        "SELECT CAST(VERSION() AS CHAR)",
        "SET SESSION TRANSACTION READ ONLY",
        "SET SESSION max_statement_time = 30",
        "START TRANSACTION READ ONLY",
        "SELECT IF(@@session.tx_read_only, 'on', 'off')",
        "SELECT CAST(table_schema AS CHAR), CAST(table_name AS CHAR), CAST(column_name AS CHAR) FROM information_schema",
        "SELECT DISTINCT LEFT(CAST(t.`name` AS CHAR CHARACTER SET utf8mb4), 1001) COLLATE utf8mb4_bin FROM `test_",
    ];
    assert_eq!(seen.len(), expected.len(), "{seen:#?}");
    for (statement, start) in seen.iter().zip(expected) {
        assert!(statement.starts_with(start), "{statement}");
    }
}
