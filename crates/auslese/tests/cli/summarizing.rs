//! `auslese summarize` as a provider types it. The provider's database is the catalog of an empty harvest.

use super::{auslese, auslese_command, empty, stderr, stdout};
use auslese_catalog::{Catalog, CatalogSettings, Location};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const TOKEN: &str = "c0ffee00c0ffee00";

const SETTINGS: &str = r#"listen = "127.0.0.1:0"

[documents]
root = "documents"
ids = { catalog = "documents/catalog.DBContent" }

[databases.Catalog]
dsn_env = "CATALOG_DSN"
allow = ["meta.key"]

[[access.clients]]
name = "rostock"
token_env = "ROSTOCK_TOKEN"
"#;

const DOCUMENT: &str = "Summarizer: https://www.uni.example/summarizer\nURL: https://www.uni.example/form\n\
    Title: Ein Katalog\nDatabase: Catalog\nTable: meta\nAttribute: key\nAs: Schlüssel\n";

fn provider() -> TempDir {
    let dir = empty();
    let catalog = Location::from(dir.path().join("catalog.sqlite").as_path());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        Catalog::create(&catalog, &CatalogSettings::default()).await.unwrap().close().await;
    });
    fs::create_dir(dir.path().join("documents")).unwrap();
    fs::write(dir.path().join("documents/catalog.DBContent"), DOCUMENT).unwrap();
    fs::write(dir.path().join("summarizer.toml"), SETTINGS).unwrap();
    dir
}

fn summarize(dir: &Path, args: &[&str]) -> Command {
    let mut command = auslese_command(dir, &["summarize"]);
    command.args(args).args(["--settings", "summarizer.toml"]);
    command.env("CATALOG_DSN", "sqlite://catalog.sqlite").env("ROSTOCK_TOKEN", TOKEN);
    command
}

#[test]
fn a_fragment_on_the_standard_output_and_in_a_file() {
    let dir = provider();
    let output = summarize(dir.path(), &["catalog"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.starts_with(
            "@DBFRAGMENT { https://www.uni.example/form\nTitle{11}:\tEin Katalog\nSchlüssel{"
        ),
        "{text}"
    );
    assert!(text.contains("made at") && text.ends_with("\n}\n"), "{text}");
    assert!(stderr(&output).contains("pair=\"meta.key\""), "{}", stderr(&output));
    let args = ["catalog.DBContent", "--out", "x.soif"];
    let output = summarize(dir.path(), &args).output().unwrap();
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(dir.path().join("x.soif")).unwrap(), text);
}

#[test]
fn what_is_refused_and_what_is_wrong() {
    #[rustfmt::skip]
    type Case<'a> = (&'a [&'a str], (&'a str, &'a str), i32, &'a str);
    let cases: [Case<'_>; 6] = [
        (
            &["none.DBContent"],
            ("", ""),
            1,
            "error: E_CONFIG_UNKNOWN: there is no such document\nhint: ",
        ),
        (
            &["../x.DBContent"],
            ("", ""),
            1,
            "error: E_CONFIG_PATH: this cannot be the path of a document: it leads elsewhere\n",
        ),
        (
            &["catalog"],
            ("meta.key", "meta.value"),
            1,
            "error: E_NOT_ALLOWED: meta.key is not allowed\nhint: ",
        ),
        (
            &["catalog"],
            ("[databases", "[database"),
            2,
            "error: E_SETTINGS line 7: unknown field `database`",
        ),
        (
            &["check"],
            ("CATALOG_DSN", "NO_SUCH"),
            2,
            "error: E_SETTINGS line 7: the environment has no variable NO_SUCH\n",
        ),
        (
            &["check"],
            ("meta.key", "meta.value"),
            1,
            "error: E_NOT_ALLOWED catalog: meta.key is not allowed\nhint: ",
        ),
    ];
    for (args, (old, new), code, expected) in cases {
        let dir = provider();
        fs::write(dir.path().join("summarizer.toml"), SETTINGS.replace(old, new)).unwrap();
        let output = summarize(dir.path(), args).output().unwrap();
        let shown = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{args:?} {shown}");
        assert!(shown.starts_with(expected), "{args:?} {shown}");
    }
    let dir = provider();
    let output = summarize(dir.path(), &["check"]).output().unwrap();
    assert_eq!(stdout(&output), "summarizer.toml: all is well\n", "{}", stderr(&output));
    let output = summarize(dir.path(), &["check", "--json"]).output().unwrap();
    assert_eq!(stdout(&output), "[]\n");
    let output = auslese(dir.path(), &["summarize", "catalog"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn the_service_ends_with_an_interrupt() {
    let dir = provider();
    let mut service = summarize(dir.path(), &["serve"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(service.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("http://").unwrap().trim_end_matches('/');
    let ask = |headers: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(
            stream,
            "GET /?config=catalog HTTP/1.1\r\nHost: s\r\nConnection: close\r\n{headers}\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let answer = ask(&format!("Authorization: Bearer {TOKEN}\r\n"));
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("made at"), "{answer}");
    assert!(ask("").starts_with("HTTP/1.1 401 Unauthorized\r\n"));
    let id = rustix::process::Pid::from_child(&service);
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let output = service.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let log = stderr(&output);
    for words in ["pair=\"meta.key\" values=", "caller=rostock 127.0.0.1", "status=200", "denied"] {
        assert!(log.contains(words), "{words}: {log}");
    }
    assert!(!log.contains(TOKEN), "{log}");
}
