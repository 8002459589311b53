//! What can be wrong with a harvest and its web, and what the commands say about it.

use super::{auslese, auslese_command, empty, skipped, small_site, stderr, stdout};
use auslese_testnet::{Answer, Internet, Running, Site};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Exit code and message of a command that does not end well.
#[track_caller]
fn check(dir: &Path, args: &[&str], code: i32, lines: &[&str]) {
    let output = auslese(dir, args);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    for line in lines {
        assert!(said.contains(line), "{args:?}: {line:?} is missing in:\n{said}");
    }
}

/// A finished harvest of a small site in `h`.
fn harvested() -> tempfile::TempDir {
    let dir = empty();
    let site = small_site();
    let crawl = ["crawl", &site, "--dir", "h", "--delay", "0", "--allow-private", "--quiet"];
    let output = auslese(dir.path(), &crawl);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    dir
}

/// A harvest in `h` with this configuration, and a file `net.toml` that leads to the internet.
fn harvest_on(net: &Running, config: &str) -> tempfile::TempDir {
    let dir = empty();
    fs::create_dir(dir.path().join("h")).unwrap();
    fs::write(dir.path().join("h/auslese.toml"), config).unwrap();
    fs::write(dir.path().join("net.toml"), net.net_settings_toml()).unwrap();
    dir
}

fn warc_of(dir: &Path) -> PathBuf {
    fs::read_dir(dir.join("h/archive")).unwrap().next().unwrap().unwrap().path()
}

#[test]
fn a_server_that_does_not_answer() {
    // A port that was free a moment ago refuses connections.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for robots in ["obey = false", "obey = true"] {
        let dir = empty();
        let config = format!(
            "[crawl]\nseeds = [\"http://127.0.0.1:{port}/\"]\n[crawl.retry]\nattempts = 1\n\
             [crawl.politeness]\ndelay = \"0\"\n[crawl.robots]\n{robots}\n\
             [net]\nallow_private = true\n"
        );
        fs::write(dir.path().join("auslese.toml"), config).unwrap();
        let error = format!("error: http://127.0.0.1:{port}/ could not be fetched\n");
        let lines = [
            error.as_str(),
            "no connection: ",
            "Connection refused",
            "hint: is the server running, and are scheme, host and port right?\n",
        ];
        check(dir.path(), &["crawl", "--quiet"], 1, &lines);
    }
}

#[test]
fn names_that_do_not_exist() {
    let net = Internet::new().start().unwrap();
    let dir = harvest_on(&net, "");
    let one = ["crawl", "http://www.uni.example/", "--dir", "h", "--net", "net.toml"];
    let lines = [
        "error: http://www.uni.example/ could not be fetched\n",
        "cause: the name does not exist\n",
        "hint: is the name spelt right?\n",
    ];
    check(dir.path(), &one, 1, &lines);
    let two =
        ["crawl", "http://a.example/", "http://b.example/", "--dir", "h", "--net", "net.toml"];
    let lines = [
        "error: none of the 2 seeds could be fetched\n",
        "cause: http://a.example/: the name does not exist\n",
        "cause: http://b.example/: the name does not exist\n",
    ];
    check(dir.path(), &two, 1, &lines);
}

#[test]
fn failures_are_grouped_by_cause() {
    let page = "<a href='http://gone.uni.example/'>a</a> <a href='http://lost.uni.example/'>b</a>";
    let site = Site::new("http://www.uni.example").answer("/", Answer::page(page));
    let net = Internet::new().site(site).start().unwrap();
    let config = "[crawl]\nseeds = [\"http://www.uni.example/\"]\n\
        scope = [\"accept host .uni.example\"]\n[crawl.politeness]\ndelay = \"0\"\n";
    let dir = harvest_on(&net, config);
    for round in ["this run", "an earlier run"] {
        let output = auslese(dir.path(), &["crawl", "--dir", "h", "--net", "net.toml"]);
        assert_eq!(output.status.code(), Some(1), "failures of {round} count");
        let text = stdout(&output);
        assert!(text.contains("requests  state   cause                    example\n2         failed  the name does not exist  http://"), "{text}");
        assert!(stderr(&output).contains("hint: `auslese explain URL --dir h` tells"));
    }
}

#[test]
fn answers_that_are_cut_odd_or_lead_elsewhere() {
    let names = ["moved", "away", "secret", "itself", "mail", "cut", "odd"];
    let links: Vec<String> = names.iter().map(|name| format!("<a href='/{name}'>x</a>")).collect();
    let cut = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\nshort";
    let odd = "HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 1\r\n\r\nx";
    let site = Site::new("http://www.uni.example")
        .file("/robots.txt", "text/plain", "User-agent: *\nDisallow: /private")
        .page("/", links.concat())
        .answer("/moved", Answer::redirect(302, "target?a#b"))
        .page("/target?a", "found")
        .answer("/away", Answer::redirect(301, "http://elsewhere.example/"))
        .answer("/secret", Answer::redirect(302, "/private"))
        .answer("/itself", Answer::redirect(302, "#top"))
        .answer("/mail", Answer::redirect(302, "mailto:a@uni.example"))
        .answer("/cut", Answer::raw(cut))
        .answer("/odd", Answer::raw(odd));
    let net = Internet::new().site(site).start().unwrap();
    let config = "[crawl]\nseeds = [\"http://www.uni.example/\"]\n\
        scope = [\"accept host www.uni.example\"]\n[crawl.politeness]\ndelay = \"0\"\n\
        [crawl.retry]\nattempts = 1\n";
    let dir = harvest_on(&net, config);
    auslese(dir.path(), &["crawl", "--dir", "h", "--net", "net.toml", "--quiet"]);
    let explain = |name: &str, json: &[&str]| {
        let url = format!("http://www.uni.example/{name}");
        let output = auslese(dir.path(), &[&["explain", &url, "--dir", "h"], json].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    #[rustfmt::skip]
    let cases = [
        ("moved",  "  redirects to http://www.uni.example/target?a\n    followed: fetched\n"),
        ("away",   "  redirects to http://elsewhere.example/\n    not followed: never met; the scope says reject, no rule had an opinion\n"),
        ("secret", "  redirects to http://www.uni.example/private\n    not followed: refused, because "),
        ("itself", "  redirects to http://www.uni.example/itself\n    not followed: it counts as the same address\n"),
        ("mail",   "  redirects to mailto:a@uni.example\n    not followed: it is no address of the web\n"),
        ("cut",    "  cut (disconnect): the server ended the connection\n"),
        ("odd",    "  odd (bad-header-line): "),
    ];
    for (name, expected) in cases {
        let text = explain(name, &[]);
        assert!(text.contains(expected), "{expected}\nis missing in\n{text}");
    }
    let json =
        |name| serde_json::from_str::<serde_json::Value>(&explain(name, &["--json"])).unwrap();
    assert_eq!(json("cut")["captures"][0]["truncated"], "disconnect");
    assert_eq!(json("odd")["captures"][0]["oddities"][0]["kind"], "bad-header-line");
    let redirect = &json("moved")["captures"][0]["redirect"];
    assert_eq!(
        (&redirect["location"], &redirect["followed"]),
        (&"target?a#b".into(), &true.into())
    );
}

#[test]
fn a_host_whose_budget_is_used_up_is_not_asked_next() {
    let links = (1..=5).map(|page| format!("<a href='/{page}'>x</a>")).collect::<String>();
    let site = Site::new("http://www.uni.example").page("/", links).otherwise(Answer::page("x"));
    let net = Internet::new().site(site).start().unwrap();
    let config = "[crawl]\nseeds = [\"http://www.uni.example/\"]\n\
        scope = [\"accept host www.uni.example\"]\n[crawl.politeness]\ndelay = \"0\"\n\
        [crawl.budget.per_server]\nmax_pages = 3\n";
    let dir = harvest_on(&net, config);
    auslese(dir.path(), &["crawl", "--dir", "h", "--net", "net.toml", "--quiet"]);
    let text = stdout(&auslese(dir.path(), &["status", "--dir", "h"]));
    assert!(text.contains("  none: budget of 3 pages used up\n"), "{text}");
}

#[test]
fn directories_that_are_no_harvest() {
    let dir = empty();
    fs::write(dir.path().join("thesis.txt"), "do not touch").unwrap();
    let crawl = ["crawl", "http://127.0.0.1:9/", "--allow-private"];
    let lines = [
        "error: . is not empty and not a harvest\n",
        "hint: name a new directory or a harvest with --dir\n",
    ];
    check(dir.path(), &crawl, 2, &lines);
    let lines = ["error: there is no catalog at ", "hint: nothing was crawled here yet"];
    check(dir.path(), &["status"], 2, &lines);
    check(dir.path(), &["control", "pause"], 2, &lines);
    check(dir.path(), &["archive", "verify"], 2, &["error: there are no archive files in "]);
    check(dir.path(), &["demo", "--dir", "."], 2, &["is not empty and not a harvest"]);
    assert_eq!(dir.path().read_dir().unwrap().count(), 1, "nothing was written");
}

#[test]
fn one_crawl_at_a_time() {
    let dir = empty();
    let site = small_site();
    let slow = ["crawl", &site, "--dir", "h", "--delay", "1h", "--allow-private", "--quiet"];
    let mut first =
        auslese_command(dir.path(), &slow).stderr(Stdio::null()).spawn().expect("it was built");
    let start = Instant::now();
    let lock = dir.path().join("h/auslese.lock");
    // The catalog comes after the lock, so the lock is held once it is there.
    while !(lock.exists() && dir.path().join("h/catalog.sqlite").exists()) {
        assert!(start.elapsed() < Duration::from_secs(30), "the first crawl does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    let holder = format!("error: h is in use by another command (process {})\n", first.id());
    let lines = [holder.as_str(), "hint: only one command at a time writes into a harvest"];
    check(dir.path(), &["crawl", "--dir", "h"], 1, &lines);
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn damaged_databases() {
    let dir = harvested();
    let file = dir.path().join("h/catalog.sqlite");
    let whole = fs::read(&file).unwrap();
    let lines = ["error: ", "hint: restore catalog.sqlite from a backup"];
    let half = whole.len() / 2;
    for (name, spoilt) in [("pages", 4096..half), ("header", 0..4096), ("all", 0..whole.len())] {
        let mut bytes = whole.clone();
        bytes[spoilt].fill(0xa5);
        fs::write(&file, bytes).unwrap();
        check(dir.path(), &["status", "--dir", "h"], 4, &lines);
        check(dir.path(), &["crawl", "--dir", "h"], 4, &lines);
        assert!(file.exists(), "{name}: evidence is not removed");
    }
}

#[test]
fn a_catalog_of_a_newer_program() {
    let dir = harvested();
    let file = dir.path().join("h/catalog.sqlite");
    // Nothing of ours writes a version of the future.
    let write = "import sqlite3, sys\nplace = sqlite3.connect(sys.argv[1])\n\
        place.execute('UPDATE meta SET value = 99 WHERE key = \"schema version\"')\nplace.commit()";
    let python = std::env::var_os("AUSLESE_PYTHON").unwrap_or_else(|| "python3".into());
    match Command::new(python).arg("-c").arg(write).arg(&file).status() {
        Ok(status) => assert!(status.success()),
        Err(error) => {
            return skipped("a_catalog_of_a_newer_program", &format!("no Python: {error}"));
        }
    }
    let error = format!(
        "error: the catalog has schema version 99, this program knows versions up to {}",
        auslese_catalog::SCHEMA_VERSION
    );
    let lines =
        [error.as_str(), "hint: a newer auslese has worked on this harvest; update this one\n"];
    for command in ["status", "crawl"] {
        check(dir.path(), &[command, "--dir", "h"], 2, &lines);
    }
}

#[test]
fn damaged_archive_files() {
    let dir = harvested();
    let file = warc_of(dir.path());
    let whole = fs::read(&file).unwrap();
    let mut bytes = whole.clone();
    bytes[whole.len() / 2] ^= 0xff;
    fs::write(&file, bytes).unwrap();
    let output = auslese(dir.path(), &["archive", "verify", "--dir", "h", "--json"]);
    assert_eq!(output.status.code(), Some(4));
    let reports: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let fault = &reports[0]["faults"][0];
    let offset = fault["offset"].as_u64().unwrap();
    assert!(offset > 0 && offset <= whole.len() as u64 / 2, "{fault}");
    assert!(reports[0]["sound_until"].as_u64().unwrap() <= offset, "{fault}");
    let text = stdout(&auslese(dir.path(), &["archive", "verify", "--dir", "h"]));
    let named = format!("record {} at byte {offset}", fault["record"]);
    assert!(text.contains(&named), "{named} in {text}");
    let lines = ["hint: a damaged file can be read up to its last sound byte"];
    check(dir.path(), &["archive", "verify", "--dir", "h"], 4, &lines);

    fs::write(&file, &whole[..whole.len() - 7]).unwrap();
    check(dir.path(), &["archive", "verify", "--dir", "h"], 4, &lines);
}

#[test]
fn missing_archive_files() {
    let dir = harvested();
    let verify = ["archive", "verify", "--dir", "h"];
    let file = warc_of(dir.path());
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let archive = dir.path().join("h/archive");
    fs::copy(&file, archive.join("more.warc.gz")).unwrap();
    let missing = format!("error: h/archive/{name} is missing, but the catalog counts on ");
    fs::remove_file(&file).unwrap();
    check(dir.path(), &verify, 4, &[&missing]);
    fs::remove_file(archive.join("more.warc.gz")).unwrap();
    check(dir.path(), &verify, 4, &[&missing]);
    fs::remove_dir(archive).unwrap();
    check(dir.path(), &verify, 4, &[&missing]);
    let output = auslese(dir.path(), &[&verify[..], &["--json"]].concat());
    assert_eq!((output.status.code(), stdout(&output).trim()), (Some(4), "[]"));
}

#[test]
fn a_crawl_from_the_command_line_is_a_whole_harvest() {
    let dir = empty();
    let site = small_site();
    let crawl = ["crawl", &site, "--dir", "h", "--delay", "0", "--allow-private"];
    let output = auslese(dir.path(), &crawl);
    assert!(stderr(&output).contains("note: wrote h/auslese.toml\n"), "{}", stderr(&output));
    let file = dir.path().join("h/auslese.toml");
    let config = fs::read_to_string(&file).unwrap();
    for line in [
        &format!("seeds = [\"{site}\"]\n"),
        "delay = \"0\"\n",
        "\nallow_private = true\n",
        "\n#contact = ",
    ] {
        assert!(config.contains(line), "{line:?} in {config}");
    }
    let again = auslese(dir.path(), &["crawl", "--dir", "h"]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    auslese(dir.path(), &["crawl", &site, "--dir", "h", "--delay", "1ms", "--allow-private"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), config, "a configuration is never rewritten");

    let why = |url: &str| stdout(&auslese(dir.path(), &["explain", url, "--dir", "h"]));
    let page = why(&format!("{site}a"));
    for part in
        ["\nscope: accept, decided by seeds\n", "robots.txt: allowed, there is none (status 404)"]
    {
        assert!(page.contains(part), "{part:?} in {page}");
    }
    assert!(page.contains("  found ") && page.contains(&format!("  on {site}\n")));
    assert!(page.contains(".warc.gz at byte "), "{page}");
    let elsewhere = why("http://10.0.0.1/");
    for part in ["\naddress: allowed: ", "\nscope: reject, ", "request: never met"] {
        assert!(elsewhere.contains(part), "{part:?} in {elsewhere}");
    }
    let host = stdout(&auslese(dir.path(), &["explain", "127.0.0.1", "--dir", "h"]));
    assert!(host.contains(", 0 queued\n"), "{host}");
}

#[test]
fn robots_and_guard_are_explained() {
    let site = Site::new("http://www.uni.example")
        .file("/robots.txt", "text/plain", "User-agent: *\nAllow: /a/b\nDisallow: /a\n")
        .page(
            "/",
            "<a href='/a/b'>b</a> <a href='/a/c'>c</a> <a href='http://in.uni.example/'>i</a>",
        )
        .page("/a/b", "b");
    let inside = Site::new("http://in.uni.example").at("10.0.0.7").page("/", "private");
    let net = Internet::new().site(site).site(inside).start().unwrap();
    let config = "[crawl]\nseeds = [\"http://www.uni.example/\"]\n\
        scope = [\"accept host .uni.example\"]\n[crawl.politeness]\ndelay = \"0\"\n";
    let dir = harvest_on(&net, config);
    auslese(dir.path(), &["crawl", "--dir", "h", "--net", "net.toml", "--quiet"]);
    #[rustfmt::skip]
    let cases = [
        ("http://www.uni.example/a/b",  "robots.txt: allowed, line 2: Allow: /a/b (read "),
        ("http://www.uni.example/a/c",  "robots.txt: disallowed, line 3: Disallow: /a (read "),
        ("http://www.uni.example/a/c",  ": refused, because robots.txt disallows it: line 3"),
        ("http://www.uni.example/x",    "robots.txt: allowed, no line speaks of it (read "),
        ("http://in.uni.example/",      "because the address is not public: "),
        ("http://in.uni.example/",      "\n  on http://www.uni.example/\n"),
        ("http://192.168.0.1/",         "address: refused: 192.168.0.1 is a private address"),
    ];
    for (url, part) in cases {
        let why = stdout(&auslese(dir.path(), &["explain", url, "--dir", "h"]));
        assert!(why.contains(part), "{part:?} in {why}");
    }
    let json =
        auslese(dir.path(), &["explain", "http://www.uni.example/a/c", "--dir", "h", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(json["robots"]["verdict"], "disallowed");
    assert_eq!(json["requests"][0]["found_on"][0], "http://www.uni.example/");
}

#[test]
fn notes_for_a_crawl() {
    let dir = empty();
    let site = small_site();
    let crawl = |pages: &str| {
        let args = ["crawl", &site, "--dir", "h", "--delay", "0", "--allow-private"];
        auslese(dir.path(), &[&args[..], &["--connections", "1", "--max-pages", pages]].concat())
    };
    crawl("2");
    let exclude = |rest: &[&str]| {
        auslese(dir.path(), &[&["control", "exclude", "--dir", "h"], rest].concat())
    };
    let preview = exclude(&["regex", "/missing$", "--preview"]);
    assert_eq!(
        stdout(&preview),
        format!("queued requests that fit `regex /missing$`: 1\n  {site}missing\n")
    );
    let preview = exclude(&["regex /missing$", "--preview", "--json"]);
    let preview: serde_json::Value = serde_json::from_str(&stdout(&preview)).unwrap();
    assert_eq!((&preview["queued"], &preview["test"]), (&1.into(), &"regex /missing$".into()));

    let left = exclude(&["regex /missing$", "--json"]);
    let left: serde_json::Value = serde_json::from_str(&stdout(&left)).unwrap();
    assert_eq!(left["body"], serde_json::json!({ "test": "regex /missing$" }));
    crawl("100");
    let missing = format!("{site}missing");
    let why = stdout(&auslese(dir.path(), &["explain", &missing, "--dir", "h"]));
    assert!(why.contains("refused, because excluded by hand: regex /missing$"), "{why}");

    for action in ["pause", "resume"] {
        let output = auslese(dir.path(), &["control", action, "--dir", "h"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).starts_with(&format!("{action} noted: ")), "{}", stdout(&output));
    }
    let lines =
        ["error: `hst a.example` is not a test\n", "did you mean `host`?", "hint: a test is"];
    check(dir.path(), &["control", "exclude", "hst", "a.example", "--dir", "h"], 2, &lines);
}
