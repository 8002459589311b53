//! A harvest whose archive lies in object storage: the same results as from a folder, on this machine and on another;
//! nothing lost, doubled or left over after kills; and messages that say what to do.
//!
//! The store is a real server (moto). Without a Python that has it the tests say so and pass.

#![allow(clippy::unwrap_used, reason = "a test may simply stop")]

#[expect(dead_code, reason = "other tests use more of it")]
mod program;

use auslese_catalog::{Catalog, CatalogSettings, WarcFile};
use auslese_depot::{Depot, DepotSettings};
use auslese_testnet::object_store::{ObjectStore, Passing, Trouble};
use auslese_testnet::postgres::Cluster;
use auslese_testnet::{Internet, Running, Site, generated_site};
use program::{Harvest, Numbers};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use url::Url;

const BUCKET: &str = "archive";

/// A server of object storage; none if there is no Python with moto.
fn server() -> Option<ObjectStore> {
    let python = std::env::var("AUSLESE_PYTHON").ok();
    let server = python.and_then(|python| ObjectStore::start(&python, &[BUCKET]).ok());
    if let (None, Some(path)) = (&server, std::env::var_os("AUSLESE_SKIPS")) {
        let file = std::fs::File::options().create(true).append(true).open(path);
        file.and_then(|mut file| {
            writeln!(file, "archives in object storage: AUSLESE_PYTHON has no moto[server]")
        })
        .unwrap();
    }
    server
}

const HOSTS: usize = 2;

fn name(host: usize) -> String {
    format!("h{host}.store.example")
}

/// Two small sites, and one whose files are so large that archive files are stored in parts.
fn internet(pages: usize) -> Running {
    let mut random = Numbers::new(3);
    let mut large = Site::new("http://large.store.example");
    let mut links = String::new();
    for number in 0..3 {
        let bytes: Vec<u8> = (0..3_000_000).map(|_| random.below(256) as u8).collect();
        large = large.file(&format!("/{number}.bin"), "application/octet-stream", bytes);
        links.push_str(&format!("<a href=\"/{number}.bin\">{number}</a> "));
    }
    let large = large.page("/", format!("<html><body><h1>Große Dateien</h1>{links}</body></html>"));
    let site = |host| generated_site(&name(host), pages, host as u64);
    let internet = (0..HOSTS).fold(Internet::new(), |internet, host| internet.site(site(host)));
    internet.site(large).start().unwrap()
}

fn config(store: Option<&str>, rotate_at: &str, more: &str) -> String {
    let seeds: Vec<String> = (0..HOSTS)
        .map(name)
        .chain(["large.store.example".to_owned()])
        .map(|host| format!("\"http://{host}/\""))
        .collect();
    let store = store.map(|endpoint| {
        format!(
            "[archive.store]\nurl = \"s3://{BUCKET}/harvest\"\nendpoint = \"{endpoint}\"\n\
             plain_http = true\npart = \"5 MiB\"\ntimeout = \"5s\"\nattempts = 3\n{more}"
        )
    });
    format!(
        "[crawl]\nseeds = [{}]\nscope = [\"accept host .store.example\"]\n\
         [crawl.politeness]\ndelay = \"1ms\"\nfactor = 0.0\n\
         [archive]\nrotate_at = \"{rotate_at}\"\nprefix = \"a\"\n{}",
        seeds.join(", "),
        store.unwrap_or_default()
    )
}

/// The program with credentials for the store.
fn with_keys(mut command: Command, server: &ObjectStore) -> Command {
    let (access_key, secret) = server.keys();
    command.env("AWS_ACCESS_KEY_ID", access_key).env("AWS_SECRET_ACCESS_KEY", secret);
    command
}

fn done(command: Command, server: &ObjectStore) -> Output {
    let output = with_keys(command, server).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {words}", output.status);
    output
}

/// The store as a client sees it.
fn depot(server: &ObjectStore, dir: &Path) -> Depot {
    let credentials = dir.join("credentials-of-the-test");
    std::fs::write(&credentials, server.credentials()).unwrap();
    let settings = DepotSettings {
        endpoint: Some(Url::parse(&server.endpoint()).unwrap()),
        path_style: true,
        plain_http: true,
        credentials_file: Some(credentials),
        ..DepotSettings::default()
    };
    Depot::new(settings, BUCKET).unwrap()
}

fn files(harvest: &Harvest) -> Vec<WarcFile> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let catalog = Catalog::open(&harvest.catalog(), &CatalogSettings::default()).await.unwrap();
        catalog.warc_files().await.unwrap()
    })
}

/// Every file is stored whole, nothing else is there, and nothing is unfinished.
fn check_store(harvest: &Harvest, server: &ObjectStore) {
    let depot = depot(server, &harvest.path());
    let rows = files(harvest);
    assert!(!rows.is_empty());
    let mut expected = BTreeMap::new();
    for row in &rows {
        assert!(row.progress.closed && row.stored_at.is_some(), "{row:?} is not stored");
        let key = format!("harvest/{}", row.progress.file);
        let digest = depot.digest_of(&key, row.progress.length).unwrap();
        assert_eq!(Some(&digest), row.sha256.as_ref(), "{key}");
        expected.insert(key, row.progress.length);
    }
    let listed = depot.list("harvest/").unwrap();
    let listed: BTreeMap<String, u64> =
        listed.into_iter().map(|object| (object.key, object.length)).collect();
    assert_eq!(listed, expected, "the objects are the files, no more and no less");
    assert!(depot.unfinished("").unwrap().is_empty());
}

fn remove_copies(harvest: &Harvest) {
    for path in harvest.warcs() {
        std::fs::remove_file(path).unwrap();
    }
}

/// What documents and captures a harvest gives away, without what differs from harvest to harvest.
fn given_away(harvest: &Path, server: &ObjectStore) -> BTreeMap<String, String> {
    let program = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_auslese"));
        command.args(args).arg("--dir").arg(harvest);
        done(command, server)
    };
    program(&["corpus", "--quiet"]);
    program(&["describe", "--quiet"]);
    program(&["search", "index", "--quiet"]);
    let mut found = BTreeMap::new();
    let output = program(&["export", "--format", "jsonl", "--out", "-", "--quiet"]);
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = format!("{} {} {}", value["title"], value["text"], value["language"]);
        found.insert(value["url"].as_str().unwrap().to_owned(), text);
    }
    let hits = program(&["search", "Große", "--json"]);
    let hits: serde_json::Value = serde_json::from_slice(&hits.stdout).unwrap();
    found.insert("hits".to_owned(), hits["total"].to_string());
    let index = program(&["archive", "index"]);
    let captures = String::from_utf8(index.stdout).unwrap().lines().count();
    found.insert("captures".to_owned(), captures.to_string());
    program(&["archive", "verify"]);
    found
}

#[test]
fn the_same_results_from_the_store_alone() {
    let Some(server) = server() else { return };
    let web = internet(30);
    let local = Harvest::new(&web, &config(None, "4 MB", ""), None);
    local.crawl_to_the_end();
    let expected = given_away(&local.path(), &server);
    assert!(expected.len() > 60, "{}", expected.len());

    let remote = Harvest::new(&web, &config(Some(&server.endpoint()), "4 MB", ""), None);
    done(remote.crawl(), &server);
    check_store(&remote, &server);
    assert!(files(&remote).len() > 1);
    remove_copies(&remote);
    assert_eq!(given_away(&remote.path(), &server), expected);
    check_front_end(&remote, &server);
    // The next crawl does not miss what lies elsewhere.
    done(remote.crawl(), &server);
    check_store(&remote, &server);
    let status = done(remote.command(&["status", "--json"]), &server);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_eq!(status["archive"]["store"]["waiting"]["files"], 0);
    assert_eq!(status["archive"]["stored_files"], status["archive"]["files"]);
    let doctor = done(remote.command(&["doctor"]), &server);
    let words = String::from_utf8(doctor.stdout).unwrap();
    assert!(words.contains("overwrites nothing"), "{words}");
}

/// The front end shows a page as it was, although its record lies in the store only.
fn check_front_end(harvest: &Harvest, server: &ObjectStore) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_auslese"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--replay-listen", "127.0.0.1:0", "--dir"]);
    command.arg(harvest.path()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut process = with_keys(command, server).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let front = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let path = harvest.path();
    let name = path.file_name().unwrap().to_str().unwrap();
    let shown = get(&front, &format!("/doc/{name}/1/page"));
    let frame = shown.split("<iframe").nth(1).and_then(|it| it.split("src=\"http://").nth(1));
    let (address, rest) = frame.unwrap().split('"').next().unwrap().split_once('/').unwrap();
    let replayed = get(address, &format!("/{rest}"));
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(replayed.starts_with("HTTP/1.1 200"), "{replayed}");
    assert!(replayed.contains("<h1"), "{replayed}");
}

/// A whole answer, head and body.
fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn another_machine_reads_from_the_store() {
    let Some(server) = server() else { return };
    let web = internet(15);
    let local = Harvest::new(&web, &config(None, "4 MB", ""), None);
    local.crawl_to_the_end();
    let expected = given_away(&local.path(), &server);

    let database = Cluster::shared().create_database().unwrap();
    let text = config(Some(&server.endpoint()), "4 MB", "");
    let text = format!("{text}[catalog]\nurl = \"{database}\"\n");
    let first = Harvest::new(&web, &text, Some(database.clone()));
    done(first.crawl(), &server);
    check_store(&first, &server);
    let second = Harvest::new(&web, &text, Some(database));
    assert_eq!(given_away(&second.path(), &server), expected);
    assert!(!second.path().join("archive").exists() || second.warcs().is_empty());
    // The index goes from one machine to another by way of the store.
    done(second.command(&["search", "snapshot", "save", "--name", "one", "--quiet"]), &server);
    let list = done(first.command(&["search", "snapshot", "list", "--json"]), &server);
    assert!(String::from_utf8(list.stdout).unwrap().contains("\"one\""));
    done(first.command(&["search", "snapshot", "restore", "--quiet"]), &server);
    let search = |harvest: &Harvest| {
        let hits = done(harvest.command(&["search", "Große", "--json"]), &server);
        let hits: serde_json::Value = serde_json::from_slice(&hits.stdout).unwrap();
        hits["total"].clone()
    };
    assert_eq!(search(&first), search(&second));
    done(first.command(&["search", "snapshot", "delete", "one"]), &server);
    check_store(&first, &server);
}

#[test]
fn exports_go_to_the_store_whole() {
    let Some(server) = server() else { return };
    let web = internet(5);
    let harvest = Harvest::new(&web, &config(Some(&server.endpoint()), "1 GB", ""), None);
    done(harvest.crawl(), &server);
    done(harvest.command(&["corpus", "--quiet"]), &server);
    remove_copies(&harvest);
    for (format, out) in
        [("jsonl", "given/a.jsonl"), ("wacz", "given/a.wacz"), ("parquet", "given/tables")]
    {
        let to = format!("s3://{BUCKET}/{out}");
        let export = ["export", "--format", format, "--out", &to, "--quiet"];
        done(harvest.command(&export), &server);
        // What is there is not replaced without a word.
        let refused = with_keys(harvest.command(&export), &server).output().unwrap();
        let words = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{words}");
        assert!(words.contains("is there already") && words.contains("--replace"), "{words}");
        done(
            harvest.command(&["export", "--format", format, "--out", &to, "--replace", "--quiet"]),
            &server,
        );
        // The same as on the disk.
        let here = harvest.path().join(format!("here-{format}"));
        done(
            harvest.command(&[
                "export",
                "--format",
                format,
                "--out",
                here.to_str().unwrap(),
                "--quiet",
            ]),
            &server,
        );
        let depot = depot(&server, &harvest.path());
        if here.is_dir() {
            let at = format!("s3://{BUCKET}/{out}").parse().unwrap();
            let note = depot.folder(&at).unwrap().unwrap();
            let mut names: Vec<String> = note.files.iter().map(|file| file.name.clone()).collect();
            names.sort();
            assert_eq!(names, names_below(&here));
        } else {
            let length = depot.look(out).unwrap().unwrap().length;
            let bytes = depot.read(out, 0, length).unwrap();
            // Packages hold the time at which they were made.
            if format == "jsonl" {
                assert!(bytes == std::fs::read(&here).unwrap());
            } else {
                assert_eq!(&bytes[..2], b"PK");
            }
        }
    }
    assert!(
        std::fs::read_dir(harvest.path().join("runs"))
            .unwrap()
            .all(|entry| { !entry.unwrap().file_name().to_string_lossy().starts_with("export-") })
    );
}

/// The files of a folder and of those in it.
fn names_below(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    names.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned())
                }
            }
        }
    }
    names.sort();
    names
}

#[test]
fn kills_at_each_step_of_an_upload() {
    let Some(server) = server() else { return };
    let web = internet(30);
    let harvest = Harvest::new(&web, &config(Some(&server.endpoint()), "7 MB", ""), None);
    let steps =
        ["before-upload", "after-part", "before-complete", "after-complete", "after-stored"];
    let mut reached = 0;
    for count in [1, 2] {
        for step in steps {
            let mut crawl = with_keys(harvest.crawl(), &server);
            let output = crawl.env("AUSLESE_DIE_AT", format!("{step}:{count}")).output().unwrap();
            use std::os::unix::process::ExitStatusExt;
            reached += usize::from(output.status.signal() == Some(9));
        }
        // A new round, so that there are files to be stored again.
        done(harvest.crawl(), &server);
        check_store(&harvest, &server);
        if count == 1 {
            assert!(reached >= 4, "only {reached} steps were reached");
            let again = ["recrawl", "--quiet"];
            let mut recrawl = with_keys(harvest.command(&again), &server);
            let output = recrawl.env("AUSLESE_DIE_AT", "after-append:2").output().unwrap();
            assert!(!output.status.success());
        }
    }
    done(harvest.crawl(), &server);
    check_store(&harvest, &server);
    done(harvest.command(&["archive", "verify"]), &server);
}

/// A run that dies with its last file stored and noted leaves a copy behind that no later upload would remove.
#[test]
fn copies_left_by_a_kill_are_removed_at_the_next_start() {
    let web = internet(10);
    let next_starts: [&[&str]; 2] = [&["crawl", "--quiet"], &["archive", "upload", "--quiet"]];
    for next_start in next_starts {
        // Files are named by the second in which they begin, so each harvest has a store of its own.
        let Some(server) = server() else { return };
        let text = config(Some(&server.endpoint()), "1 GB", "cache = \"0 B\"\n");
        let harvest = Harvest::new(&web, &text, None);
        let mut crawl = with_keys(harvest.crawl(), &server);
        let died = crawl.env("AUSLESE_DIE_AT", "after-stored:1").output().unwrap();
        assert!(!died.status.success());
        check_store(&harvest, &server);
        assert_eq!(harvest.warcs().len(), 1, "the copy that is to go");
        done(harvest.command(next_start), &server);
        assert!(harvest.warcs().is_empty(), "after {next_start:?}: {:?}", harvest.warcs());
        check_store(&harvest, &server);
    }
}

#[test]
fn random_kills_on_sqlite() {
    random_kills(None);
}

#[test]
fn random_kills_on_postgresql() {
    random_kills(Some(Cluster::shared().create_database().unwrap()));
}

/// Kills at any moment, with a cache so small that files leave the folder at once.
fn random_kills(database: Option<String>) {
    let Some(server) = server() else { return };
    let web = internet(150);
    let text = config(Some(&server.endpoint()), "100 kB", "cache = \"0 B\"\n");
    let text = match &database {
        Some(url) => format!("{text}[catalog]\nurl = \"{url}\"\n"),
        None => text,
    };
    let harvest = Harvest::new(&web, &text, database);
    // A kill while the catalog is being made is another matter.
    let mut first = with_keys(harvest.crawl(), &server);
    first.env("AUSLESE_DIE_AT", "after-commit:1").output().unwrap();
    let mut random = Numbers::new(17);
    let rounds = if std::env::var_os("AUSLESE_LONG").is_some() { 100 } else { 25 };
    for _ in 0..rounds {
        let mut child = with_keys(harvest.crawl(), &server)
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(60 + random.below(250)));
        // One that has ended already is no matter here.
        let _ = child.kill();
        child.wait().unwrap();
    }
    done(harvest.crawl(), &server);
    check_store(&harvest, &server);
    assert!(harvest.warcs().is_empty(), "the cache holds nothing: {:?}", harvest.warcs());
    done(harvest.command(&["archive", "verify"]), &server);
    done(harvest.command(&["archive", "upload", "--quiet"]), &server);
    check_store(&harvest, &server);
}

#[test]
fn an_archive_moves_into_the_store() {
    let Some(server) = server() else { return };
    let web = internet(10);
    let harvest = Harvest::new(&web, &config(None, "100 kB", ""), None);
    harvest.crawl_to_the_end();
    let text = config(Some(&server.endpoint()), "100 kB", "cache = \"0 B\"\nuploads = 1\n");
    std::fs::write(harvest.path().join("auslese.toml"), text).unwrap();
    let waiting = done(harvest.command(&["archive", "upload", "--dry-run", "--json"]), &server);
    let waiting: serde_json::Value = serde_json::from_slice(&waiting.stdout).unwrap();
    let count = waiting["waiting"].as_array().unwrap().len();
    assert_eq!(count, harvest.warcs().len());
    // It dies in the middle, and goes on.
    let mut upload = with_keys(harvest.command(&["archive", "upload", "--quiet"]), &server);
    let died = upload.env("AUSLESE_DIE_AT", "after-complete:2").output().unwrap();
    assert!(!died.status.success());
    assert_eq!(harvest.warcs().len(), count - 1, "only what was noted has left the folder");
    done(harvest.command(&["archive", "upload", "--quiet"]), &server);
    check_store(&harvest, &server);
    assert!(harvest.warcs().is_empty());
}

#[test]
fn documents_are_taken_out_of_the_store() {
    let Some(server) = server() else { return };
    let web = internet(10);
    let text = config(Some(&server.endpoint()), "1 GB", "cache = \"0 B\"\n");
    let gone = format!("http://{}/", name(0));
    for step in [
        None,
        Some("after-append"),
        Some("after-complete"),
        Some("before-commit"),
        Some("after-commit"),
    ] {
        let harvest = Harvest::new(&web, &text, None);
        done(harvest.crawl(), &server);
        let before = files(&harvest);
        let remove = ["archive", "remove", &gone, "--reason", "a test", "--yes"];
        if let Some(step) = step {
            let mut command = with_keys(harvest.command(&remove), &server);
            let died = command.env("AUSLESE_DIE_AT", format!("{step}:1")).output().unwrap();
            assert!(!died.status.success(), "{step}");
            // Whatever it left is brought to an end by the next stage.
            done(harvest.command(&["corpus", "--quiet"]), &server);
            check_store(&harvest, &server);
        }
        done(harvest.command(&remove), &server);
        check_store(&harvest, &server);
        let after = files(&harvest);
        assert_eq!(after.len(), before.len());
        assert!(after[0].progress.file.ends_with("-r1.warc.gz"), "{step:?} {after:?}");
        let index = done(harvest.command(&["archive", "index"]), &server);
        let index = String::from_utf8(index.stdout).unwrap();
        assert!(!index.contains(&format!("\"url\": \"{gone}\"")), "{step:?}");
        done(harvest.command(&["archive", "verify"]), &server);
        clear(&server, &harvest.path());
    }
}

/// The next harvest begins with an empty store.
fn clear(server: &ObjectStore, dir: &Path) {
    let depot = depot(server, dir);
    depot.list("").unwrap().iter().for_each(|object| depot.delete(&object.key).unwrap());
}

#[test]
fn trouble_with_the_store_is_told() {
    let Some(server) = server() else { return };
    let web = internet(5);
    #[rustfmt::skip]
    let cases: [(u16, &'static str, &[&str]); 3] = [
        (403, "InvalidAccessKeyId", &["does not know the access key", "they stay in the folder"]),
        (403, "AccessDenied",       &["may not do this", "archive upload"]),
        (503, "SlowDown",           &["the store is busy", "s3://archive/harvest/a-"]),
    ];
    for (status, code, words) in cases {
        let gate = server.gate(move |_: &Passing<'_>| Trouble::Refuse { status, code }).unwrap();
        let text = config(Some(&gate.endpoint()), "1 GB", "");
        let harvest = Harvest::new(&web, &text, None);
        // Everything is fetched; what is not stored waits.
        let output = with_keys(harvest.crawl(), &server).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr);
        for word in words {
            assert!(said.contains(word), "{code}: {said}");
        }
        assert!(files(&harvest).iter().all(|file| file.stored_at.is_none()));
        harvest.verify();
        let doctor = with_keys(harvest.command(&["doctor"]), &server).output().unwrap();
        assert_eq!(doctor.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&doctor.stdout).contains("store"), "{code}");
        // When the trouble is over, the next crawl stores what waited.
        let text = config(Some(&server.endpoint()), "1 GB", "");
        std::fs::write(harvest.path().join("auslese.toml"), text).unwrap();
        done(harvest.crawl(), &server);
        check_store(&harvest, &server);
        clear(&server, &harvest.path());
    }
    let nowhere =
        config(Some(&server.endpoint()), "1 GB", "").replace("s3://archive/", "s3://nowhere/");
    let harvest = Harvest::new(&web, &nowhere, None);
    let said = with_keys(harvest.crawl(), &server).output().unwrap();
    let said = String::from_utf8_lossy(&said.stderr);
    assert!(said.contains("there is no such bucket"), "{said}");
    let doctor = with_keys(harvest.command(&["doctor"]), &server).output().unwrap();
    let said = String::from_utf8_lossy(&doctor.stdout);
    assert!(said.contains("create the bucket"), "{said}");
    // Without keys nothing is lost either, and secrets are in no message.
    let harvest = Harvest::new(&web, &config(Some(&server.endpoint()), "1 GB", ""), None);
    let mut command = harvest.crawl();
    for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SHARED_CREDENTIALS_FILE"] {
        command.env_remove(name);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("AWS_ACCESS_KEY_ID"), "{said}");
    harvest.verify();
}

#[test]
fn a_store_out_of_reach_spoils_no_document() {
    let Some(server) = server() else { return };
    let web = internet(10);
    let harvest = Harvest::new(&web, &config(Some(&server.endpoint()), "1 GB", ""), None);
    done(harvest.crawl(), &server);
    remove_copies(&harvest);
    let gate =
        server.gate(|_: &Passing<'_>| Trouble::Refuse { status: 503, code: "SlowDown" }).unwrap();
    let file: PathBuf = harvest.path().join("auslese.toml");
    std::fs::write(&file, config(Some(&gate.endpoint()), "1 GB", "")).unwrap();
    for stage in [vec!["corpus", "--quiet"], vec!["describe", "--quiet"]] {
        let output = with_keys(harvest.command(&stage), &server).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stage:?}: {said}");
        assert!(said.contains("the store of the archive cannot be read"), "{said}");
        assert!(said.contains("hint:"), "{said}");
    }
    std::fs::write(&file, config(Some(&server.endpoint()), "1 GB", "")).unwrap();
    let local = Harvest::new(&web, &config(None, "1 GB", ""), None);
    local.crawl_to_the_end();
    let (found, expected) =
        (given_away(&harvest.path(), &server), given_away(&local.path(), &server));
    assert_eq!(found, expected);
}
