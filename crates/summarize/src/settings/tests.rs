//! Settings as providers write them, right and wrong.

use super::*;
use std::os::unix::fs::PermissionsExt;

const GOOD: &str = r#"
[documents.ids]
hotels = "hotels.DBContent"

[databases.Cityworld]
dsn_env = "DSN"
allow = ["hotel.name", "hotel.ort"]

[[access.clients]]
name = "rostock"
token_env = "TOKEN"
"#;

fn environment(name: &str) -> Option<String> {
    match name {
        "DSN" => Some("postgres://reader:geheim@localhost/city".to_owned()),
        "LITE" => Some("sqlite:///srv/city.sqlite".to_owned()),
        "MEMORY" => Some("sqlite::memory:".to_owned()),
        "ORACLE" => Some("oracle://x".to_owned()),
        "BROKEN" => Some("postgres://reader:geheim@[::1/city".to_owned()),
        "TOKEN" => Some("0123456789abcdef\n".to_owned()),
        "SHORT" => Some("1234".to_owned()),
        "EMPTY" => Some(" ".to_owned()),
        _ => None,
    }
}

fn read(text: &str, folder: &Path) -> Result<Settings, Vec<Problem>> {
    Settings::from_text(text, Sources { folder, environment: &environment })
}

#[test]
fn defaults() {
    let settings = read(GOOD, Path::new("/nowhere")).unwrap();
    assert_eq!(settings.listen.to_string(), "127.0.0.1:8480");
    let limits = Limits {
        values: 100_000,
        value_characters: 1_000,
        attribute_bytes: 8 << 20,
        fragment_bytes: 64 << 20,
        statement: Duration::from_secs(30),
        interval: Duration::from_secs(3_600),
    };
    assert_eq!(settings.limits, limits);
    assert_eq!(settings.documents.ids["hotels"], Path::new("/nowhere/hotels.DBContent"));
    let shown = format!("{settings:?}");
    assert!(!shown.contains("geheim") && !shown.contains("0123456789abcdef"), "{shown}");
}

#[test]
fn what_is_wrong_has_a_line() {
    #[rustfmt::skip]
    let cases = [
        // of the good settings     this instead                          line or table  words
        ("\n[documents.ids]",       "listne = 1\n[documents.ids]",        "line 1",      "unknown field `listne`"),
        ("\n[documents.ids]",       "listen = \"x\"\n[documents.ids]",    "line 1",      "an address and a port"),
        ("\n[documents.ids]",       "limits.values = 0\n[documents.ids]", "line 1",      "from 1 to"),
        ("\n[documents.ids]",       "limits.valuse = 9\n[documents.ids]", "line 1",      "unknown field `valuse`"),
        ("\n[documents.ids]",       "limits.values = \"9\"\n[documents.ids]", "line 1",  "invalid type"),
        ("[documents.ids]\nhotels", "[documents]\nroot = \"none\"\nids.x", "line 3",     "No such file"),
        ("hotels.DBContent",        "/etc/passwd",                        "line 3",      "ends in .DBContent"),
        ("hotels = \"hotels.DBContent\"", "",                             "documents",   "documents.root"),
        ("dsn_env = \"DSN\"",       "dsn = \"x\"",                        "line 6",      "unknown field `dsn`"),
        ("dsn_env = \"DSN\"",       "",                                   "line 5",      "expected dsn_env or dsn_file"),
        ("dsn_env = \"DSN\"",       "dsn_env = \"DSN\"\ndsn_file = \"x\"", "line 5",     "not both"),
        ("dsn_env = \"DSN\"",       "dsn_env = \"NONE\"",                 "line 5",      "no variable NONE"),
        ("dsn_env = \"DSN\"",       "dsn_env = \"EMPTY\"",                "line 5",      "EMPTY is empty"),
        ("dsn_env = \"DSN\"",       "dsn_env = \"ORACLE\"",               "line 5",      "postgres://"),
        ("dsn_env = \"DSN\"",       "dsn_env = \"BROKEN\"",               "line 5",      "is wrong"),
        ("dsn_env = \"DSN\"",       "dsn_env = \"MEMORY\"",               "line 5",      "in memory"),
        ("dsn_env = \"DSN\"",       "dsn_env = \"LITE\"\nschema = \"x\"", "line 7",      "no schema"),
        ("dsn_env = \"DSN\"",       "dsn_env = \"DSN\"\nschema = \"\"",   "line 7",      "empty"),
        ("\"hotel.ort\"",           "\"hotel\"",                          "line 7",      "0 dots"),
        ("\"hotel.ort\"",           "\"a.hotel.ort\"",                    "line 7",      "2 dots"),
        ("\"hotel.ort\"",           "\"hotel.\"",                         "line 7",      "empty"),
        ("\"hotel.ort\"",           "\"hotel.a\\u0000\"",                 "line 7",      "control"),
        ("[\"hotel.name\", \"hotel.ort\"]", "[]",                         "line 5",      "lists nothing"),
        ("token_env = \"TOKEN\"",   "token_env = \"SHORT\"",              "line 9",      "at least 16"),
        ("token_env = \"TOKEN\"",   "token = \"x\"",                      "line 11",     "unknown field `token`"),
        ("name = \"rostock\"",      "name = \"a b\"",                     "line 9",      "name of a client"),
        ("[[access.clients]]",      "[access]\naddresses = [\"x\"]\n[[access.clients]]", "line 10", "no address"),
        ("[[access.clients]]\nname = \"rostock\"\ntoken_env = \"TOKEN\"", "[access]", "line 9", "nobody could ask"),
    ];
    for (old, new, subject, words) in cases {
        assert!(GOOD.contains(old), "{old}");
        let problems = read(&GOOD.replacen(old, new, 1), Path::new("/nowhere")).unwrap_err();
        let [problem] = &problems[..] else { panic!("{new}: {problems:?}") };
        assert_eq!((problem.code, problem.subject.as_str()), (CODE, subject), "{new}: {problem:?}");
        assert!(problem.message.contains(words), "{new}: {problem:?}");
        assert!(!problem.message.contains("geheim"), "{problem:?}");
    }
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let text =
        GOOD.replace("DSN", "NONE").replace("TOKEN", "SHORT").replace("hotels.DB", "hotels.db");
    assert_eq!(read(&text, Path::new("/nowhere")).unwrap_err().len(), 3);
    assert_eq!(read("", Path::new("/nowhere")).unwrap_err().len(), 3);
}

#[test]
fn files_with_secrets_are_private() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dsn");
    fs::write(&file, "mysql://reader:geheim@localhost/city\n").unwrap();
    let text = GOOD.replace("dsn_env = \"DSN\"", "dsn_file = \"dsn\"");
    for (mode, is_private) in
        [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o620, false)]
    {
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        match read(&text, folder.path()) {
            Ok(settings) => {
                assert!(is_private, "{mode:o}");
                assert_eq!(settings.databases["Cityworld"].engine, Engine::Mysql);
            }
            Err(problems) => {
                assert!(!is_private, "{problems:?}");
                assert!(problems[0].message.contains("hint: chmod 600"), "{problems:?}");
            }
        }
    }
    fs::remove_file(&file).unwrap();
    assert!(read(&text, folder.path()).unwrap_err()[0].message.contains("No such file"));
    fs::create_dir(&file).unwrap();
    assert!(read(&text, folder.path()).unwrap_err()[0].message.contains("is no file"));
}
