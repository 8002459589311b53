//! Against a real server: what is stored reads back, nothing is overwritten, and trouble is met as it should be.

#![allow(clippy::unwrap_used, reason = "a test may simply stop")]

use auslese_archive::{Holdings, RemoteFiles};
use auslese_depot::*;
use auslese_model::WarcProgress;
use auslese_testnet::object_store::{Gate, ObjectStore, Passing, Trouble};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use url::Url;

/// The server that all tests share; none if there is no Python with moto.
fn server() -> Option<&'static ObjectStore> {
    static SERVER: OnceLock<Option<ObjectStore>> = OnceLock::new();
    let started = SERVER.get_or_init(|| match std::env::var("AUSLESE_PYTHON") {
        Ok(python) => ObjectStore::start(&python, &["archive"]).ok(),
        Err(_) => None,
    });
    if started.is_none() {
        skip();
    }
    started.as_ref()
}

fn skip() {
    use std::io::Write;
    if let Some(path) = std::env::var_os("AUSLESE_SKIPS") {
        let file = std::fs::File::options().create(true).append(true).open(path);
        file.and_then(|mut file| {
            writeln!(file, "object storage: AUSLESE_PYTHON has no moto[server]")
        })
        .unwrap();
    }
}

const MIB: u64 = 1 << 20;

/// A bucket at an endpoint, with few attempts and short waits.
struct Fixture {
    dir: tempfile::TempDir,
    depot: Arc<Depot>,
}

fn fixture(endpoint: &str, bucket: &str) -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let credentials = dir.path().join("credentials");
    let text = server().map(ObjectStore::credentials).unwrap_or_default();
    std::fs::write(&credentials, text).unwrap();
    let settings = DepotSettings {
        endpoint: Some(Url::parse(endpoint).unwrap()),
        path_style: true,
        plain_http: true,
        credentials_file: Some(credentials),
        timeout: Duration::from_millis(1500),
        attempts: 3,
        part: 5 * MIB,
        block: 64 << 10,
        memory: 4 * MIB,
        ..DepotSettings::default()
    };
    let depot = Arc::new(Depot::new(settings, bucket).unwrap());
    Fixture { dir, depot }
}

fn through(gate: &Gate) -> Fixture {
    fixture(&gate.endpoint(), "archive")
}

/// Bytes that are everywhere different.
fn bytes(length: u64) -> Vec<u8> {
    (0..length).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

fn file(dir: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn go(_: Moment) -> Onward {
    Onward::Go
}

#[test]
fn what_is_stored_reads_back() {
    let Some(server) = server() else { return };
    let Fixture { dir, depot } = fixture(&server.endpoint(), "archive");
    for (name, length) in [("empty", 0), ("small", 1000), ("large", 12 * MIB + 17)] {
        let bytes = bytes(length);
        let path = file(dir.path(), name, &bytes);
        let key = format!("back/{name} ü.warc.gz");
        let mut moments = Vec::new();
        let mut watch = |moment| {
            moments.push(moment);
            Onward::Go
        };
        let stored = depot.upload(&path, &key, Writing::New, &mut watch).unwrap();
        assert_eq!((stored.length, stored.was_there), (length, false), "{name}");
        assert_eq!(moments.last(), Some(&Moment::Complete));
        let parts = moments.iter().filter(|it| matches!(it, Moment::Part { .. })).count();
        assert_eq!(parts, if length > 5 * MIB { 3 } else { 0 }, "{name}");
        let note = depot.look(&key).unwrap().unwrap();
        assert_eq!((note.length, note.sha256), (length, Some(stored.sha256.clone())));
        assert_eq!(depot.digest_of(&key, length).unwrap(), stored.sha256);
        assert!(depot.read(&key, 0, length).unwrap() == bytes, "{name}");
        // Once more is nothing new.
        let again = depot.upload(&path, &key, Writing::New, &mut go).unwrap();
        assert!(again.was_there, "{name}");
    }
    let listed = depot.list("back/").unwrap();
    let listed: Vec<_> = listed.iter().map(|it| (it.key.as_str(), it.length)).collect();
    let large = 12 * MIB + 17;
    let expected = [
        ("back/empty ü.warc.gz", 0),
        ("back/large ü.warc.gz", large),
        ("back/small ü.warc.gz", 1000),
    ];
    assert_eq!(listed, expected);
    assert!(depot.unfinished("back/").unwrap().is_empty());
    depot.delete("back/small ü.warc.gz").unwrap();
    depot.delete("back/small ü.warc.gz").unwrap();
    assert_eq!(depot.look("back/small ü.warc.gz").unwrap(), None);
}

#[test]
fn nothing_is_overwritten() {
    let Some(server) = server() else { return };
    let Fixture { dir, depot } = fixture(&server.endpoint(), "archive");
    let theirs = bytes(6 * MIB);
    depot.write("over/a", &theirs, Writing::New).unwrap();
    #[rustfmt::skip]
    let cases = [
        (bytes(6 * MIB + 1),                           "6291456 bytes"),
        (theirs.iter().map(|byte| !byte).collect(),    "other bytes"),
    ];
    for (ours, words) in cases {
        let path = file(dir.path(), "a", &ours);
        let error = depot.upload(&path, "over/a", Writing::New, &mut go).unwrap_err();
        assert!(matches!(error, DepotError::Taken { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.hint().unwrap().contains("another prefix"));
    }
    // Whoever comes between the look and the upload wins, and no part of ours stays.
    let Fixture { dir: _kept, depot: between } = fixture(&server.endpoint(), "archive");
    let path = file(dir.path(), "b", &theirs);
    let mut come_between = |moment| {
        if moment == Moment::BeforeComplete {
            between.write("over/b", b"somebody else", Writing::New).unwrap();
        }
        Onward::Go
    };
    let error = depot.upload(&path, "over/b", Writing::New, &mut come_between).unwrap_err();
    assert!(matches!(error, DepotError::Taken { .. }), "{error}");
    assert_eq!(depot.read("over/b", 0, 13).unwrap(), b"somebody else");
    assert!(depot.unfinished("over/").unwrap().is_empty());
    // To replace is another thing.
    depot.upload(&path, "over/b", Writing::Anew, &mut go).unwrap();
    assert_eq!(depot.look("over/b").unwrap().unwrap().length, 6 * MIB);
}

#[test]
fn uploads_that_stop_leave_nothing() {
    let Some(server) = server() else { return };
    let Fixture { dir, depot } = fixture(&server.endpoint(), "archive");
    let path = file(dir.path(), "a", &bytes(11 * MIB));
    let mut stop = |moment| match moment {
        Moment::Part { .. } => Onward::Stop,
        _ => Onward::Go,
    };
    let error = depot.upload(&path, "stop/a", Writing::New, &mut stop).unwrap_err();
    assert!(matches!(error, DepotError::Stopped { .. }), "{error}");
    assert_eq!(depot.look("stop/a").unwrap(), None);
    assert!(depot.unfinished("stop/").unwrap().is_empty());
    // One that died in the middle is found and given up.
    let died = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        depot.upload(&path, "stop/a", Writing::New, &mut |moment| match moment {
            Moment::Part { .. } => panic!("killed"),
            _ => Onward::Go,
        })
    }));
    assert!(died.is_err());
    let left = depot.unfinished("stop/").unwrap();
    assert_eq!(left.iter().map(|it| it.key.as_str()).collect::<Vec<_>>(), ["stop/a"]);
    depot.give_up(&left[0]).unwrap();
    depot.give_up(&left[0]).unwrap();
    assert!(depot.unfinished("stop/").unwrap().is_empty());
}

#[test]
fn files_are_read_by_blocks_that_all_share() {
    let Some(server) = server() else { return };
    let gate = server.gate(|_| Trouble::None).unwrap();
    let Fixture { dir, depot } = through(&gate);
    let bytes = bytes(MIB + 5);
    depot.write("blocks/a.warc.gz", &bytes, Writing::New).unwrap();
    let files = StoredFiles::new(depot, "s3://archive/blocks".parse().unwrap());
    let holdings = Holdings::local(dir.path()).with_store(Arc::new(files));
    let progress =
        |length| WarcProgress { file: "a.warc.gz".to_owned(), length, records: 1, closed: true };
    let ranges = || gate.seen().iter().filter(|line| line.contains("bytes=")).count();
    let (section, name) = holdings.committed(&progress(MIB + 5)).unwrap();
    assert_eq!(name, Path::new("s3://archive/blocks/a.warc.gz"));
    let mut ten = [0; 10];
    assert_eq!(section.read_at(&mut ten, 500_000).unwrap(), 10);
    assert_eq!(ten, bytes[500_000..500_010]);
    assert_eq!(ranges(), 1, "{:?}", gate.seen());
    // The same block again costs nothing, for whoever asks.
    let (other, _) = holdings.clone().committed(&progress(MIB + 5)).unwrap();
    assert_eq!(other.read_at(&mut ten, 500_100).unwrap(), 10);
    assert_eq!(ranges(), 1);
    let mut whole = Vec::new();
    let (mut section, _) = holdings.committed(&progress(MIB + 5)).unwrap();
    section.read_to_end(&mut whole).unwrap();
    assert!(whole == bytes);
    assert!(ranges() < 10, "whoever reads on gets more at a time: {:?}", gate.seen());
    // Many readers at once: each block is fetched once.
    let before = ranges();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let (section, _) = holdings.committed(&progress(MIB + 5)).unwrap();
                let mut ten = [0; 10];
                section.read_at(&mut ten, MIB - 10).unwrap();
                assert_eq!(ten, bytes[MIB as usize - 10..MIB as usize]);
            });
        }
    });
    assert!(ranges() <= before + 1, "{:?}", gate.seen());
    let short = holdings.committed(&progress(2 * MIB)).unwrap_err();
    assert!(short.to_string().contains("the catalog counts on"), "{short}");
    holdings.in_reach().unwrap();
}

#[test]
fn folders_appear_with_their_list() {
    let Some(server) = server() else { return };
    let Fixture { dir, depot } = fixture(&server.endpoint(), "archive");
    let folder = dir.path().join("folder");
    std::fs::create_dir_all(folder.join("in")).unwrap();
    file(&folder, "a", b"one");
    file(&folder.join("in"), "b", &bytes(6 * MIB));
    let at: StoreAddress = "s3://archive/folders/x".parse().unwrap();
    let note = FolderNote { what: "a test".to_owned(), ..FolderNote::default() };
    // One that stops half way is not there.
    let stop = depot.store_folder(&folder, &at, Writing::New, note.clone(), &mut |bytes| {
        if bytes > 3 { Onward::Stop } else { Onward::Go }
    });
    assert!(matches!(stop, Err(DepotError::Stopped { .. })), "{stop:?}");
    assert_eq!(depot.folder(&at).unwrap(), None);
    let stored =
        depot.store_folder(&folder, &at, Writing::New, note.clone(), &mut |_| Onward::Go).unwrap();
    assert_eq!(depot.folder(&at).unwrap(), Some(stored.clone()));
    let to = dir.path().join("back");
    depot.fetch_folder(&at, &stored, &to, &mut |_| Onward::Go).unwrap();
    assert!(std::fs::read(to.join("in/b")).unwrap() == bytes(6 * MIB));
    // What was changed behind our back is noticed.
    depot.write(&at.below("a").key, b"two", Writing::Anew).unwrap();
    let changed = depot.fetch_folder(&at, &stored, &to, &mut |_| Onward::Go).unwrap_err();
    assert!(matches!(changed, DepotError::Changed { .. }), "{changed}");
    // A new version takes away what only the old one had.
    std::fs::remove_file(folder.join("a")).unwrap();
    let newer = depot.store_folder(&folder, &at, Writing::Anew, note, &mut |_| Onward::Go).unwrap();
    assert_eq!(newer.files.len(), 1);
    assert_eq!(depot.look(&at.below("a").key).unwrap(), None);
    depot.delete_folder(&at, &newer).unwrap();
    assert!(depot.list("folders/").unwrap().is_empty());
    // A list that leads out of its folder is refused.
    let evil = r#"{"what":"","made_at":"","made_by":"","files":[{"name":"../../x","bytes":1,"sha256":""}]}"#;
    depot.write(&at.below(MANIFEST).key, evil.as_bytes(), Writing::New).unwrap();
    assert!(depot.folder(&at).unwrap_err().to_string().contains("leads out of the folder"));
    depot.delete(&at.below(MANIFEST).key).unwrap();
}

#[test]
fn a_store_is_tried_out() {
    let Some(server) = server() else { return };
    let at: StoreAddress = "s3://archive/probe".parse().unwrap();
    let Fixture { dir: _dir, depot } = fixture(&server.endpoint(), "archive");
    assert_eq!(depot.probe(&at).unwrap(), Probed { keeps_conditions: true });
    assert!(depot.list("probe/").unwrap().is_empty(), "nothing is left of it");
    // A server that takes no notice of the condition.
    let gate = server.gate(|_| Trouble::None).unwrap();
    let Fixture { dir: _dir, depot } = without_conditions(&gate);
    assert_eq!(depot.probe(&at).unwrap(), Probed { keeps_conditions: false });
    assert!(depot.list("probe/").unwrap().is_empty());
}

fn without_conditions(gate: &Gate) -> Fixture {
    let Fixture { dir, .. } = through(gate);
    let settings = DepotSettings {
        endpoint: Some(Url::parse(&gate.endpoint()).unwrap()),
        path_style: true,
        plain_http: true,
        conditional: false,
        credentials_file: Some(dir.path().join("credentials")),
        ..DepotSettings::default()
    };
    let depot = Arc::new(Depot::new(settings, "archive").unwrap());
    Fixture { dir, depot }
}

#[test]
fn a_busy_store_is_asked_again() {
    let Some(server) = server() else { return };
    // Two of three requests are refused for now.
    let gate = server
        .gate(|passing: &Passing<'_>| match passing.before % 3 {
            2 => Trouble::None,
            _ => Trouble::Refuse { status: 503, code: "SlowDown" },
        })
        .unwrap();
    let Fixture { dir, depot } = through(&gate);
    let path = file(dir.path(), "a", &bytes(11 * MIB));
    let stored = depot.upload(&path, "busy/a", Writing::New, &mut go).unwrap();
    assert_eq!(depot.digest_of("busy/a", 11 * MIB).unwrap(), stored.sha256);
    assert!(depot.unfinished("busy/").unwrap().is_empty());
    let gate = server.gate(|_| Trouble::Refuse { status: 503, code: "SlowDown" }).unwrap();
    let Fixture { dir: _dir, depot } = through(&gate);
    let error = depot.read("busy/a", 0, 1).unwrap_err();
    let words = error.to_string();
    assert!(words.contains("reading s3://archive/busy/a") && words.contains("busy"), "{words}");
    assert!(error.may_pass());
    assert_eq!(gate.seen().len(), 3, "as often as the settings say");
}

#[test]
fn an_answer_that_was_lost_is_no_second_object() {
    let Some(server) = server() else { return };
    // The server hears everything; the client hears nothing the first time.
    let gate = server
        .gate(|passing: &Passing<'_>| {
            let writes = passing.line.starts_with("PUT") || passing.line.contains("uploadId");
            match writes && passing.before % 2 == 1 {
                true => Trouble::LoseAnswer,
                false => Trouble::None,
            }
        })
        .unwrap();
    let Fixture { dir, depot } = through(&gate);
    for (name, length) in [("small", 10), ("large", 6 * MIB)] {
        let path = file(dir.path(), name, &bytes(length));
        let key = format!("lost/{name}");
        let stored = depot.upload(&path, &key, Writing::New, &mut go).unwrap();
        let Fixture { dir: _kept, depot: plain } = fixture(&server.endpoint(), "archive");
        assert_eq!(plain.digest_of(&key, length).unwrap(), stored.sha256, "{:?}", gate.seen());
        assert!(plain.unfinished("lost/").unwrap().is_empty());
    }
}

#[test]
fn reading_goes_on_from_where_it_was_cut_off() {
    let Some(server) = server() else { return };
    let bytes = bytes(MIB);
    let Fixture { dir: _kept, depot: plain } = fixture(&server.endpoint(), "archive");
    plain.write("cut/a", &bytes, Writing::New).unwrap();
    let silent = Trouble::SilentAfter(400_000, Duration::from_secs(4));
    for trouble in [Trouble::CutAfter(300_000), silent] {
        let gate = server
            .gate(move |passing: &Passing<'_>| match passing.before {
                0 | 1 => trouble,
                _ => Trouble::None,
            })
            .unwrap();
        let Fixture { dir: _dir, depot } = through(&gate);
        assert!(depot.read("cut/a", 0, MIB).unwrap() == bytes, "{trouble:?}");
        let seen = gate.seen();
        assert_eq!(seen.len(), 3, "{seen:?}");
        assert!(seen[0].ends_with("bytes=0-1048575"), "{seen:?}");
        assert!(!seen[1].contains("bytes=0-") && seen[1].ends_with("-1048575"), "{seen:?}");
    }
    // One that never gets further is given up.
    let gate = server.gate(|_| Trouble::CutAfter(100)).unwrap();
    let Fixture { dir: _dir, depot } = through(&gate);
    let error = depot.read("cut/a", 0, MIB).unwrap_err();
    assert!(error.to_string().contains("3 times"), "{error}");
    let gate = server.gate(|_| Trouble::SilentAfter(0, Duration::from_secs(9))).unwrap();
    let Fixture { dir: _dir, depot } = through(&gate);
    let error = depot.read("cut/a", 0, MIB).unwrap_err();
    assert!(error.to_string().contains("no byte came in time"), "{error}");
    assert!(error.hint().unwrap().contains("archive.store.timeout"), "{:?}", error.hint());
}

#[test]
fn refusals_say_what_to_do() {
    let Some(server) = server() else { return };
    let refusing = |status, code| server.gate(move |_| Trouble::Refuse { status, code }).unwrap();
    #[rustfmt::skip]
    let cases = [
        (403, "InvalidAccessKeyId",    "does not know the access key",   "AWS_ACCESS_KEY_ID"),
        (403, "SignatureDoesNotMatch", "secret key is wrong",            "AWS_SECRET_ACCESS_KEY"),
        (403, "AccessDenied",          "may not do this",                "s3:PutObject"),
        (403, "RequestTimeTooSkewed",  "clocks",                         "NTP"),
        (301, "PermanentRedirect",     "another region",                 "archive.store.region"),
    ];
    for (status, code, words, hint) in cases {
        let gate = refusing(status, code);
        let Fixture { dir, depot } = through(&gate);
        let path = file(dir.path(), "a", b"bytes");
        // The first request is one whose refusal has no reason in it.
        let error = depot.upload(&path, "refused/a", Writing::New, &mut go).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("s3://archive/refused/a"), "{text}");
        assert!(
            text.contains(words) && error.hint().unwrap().contains(hint),
            "{text} {:?}",
            error.hint()
        );
        assert!(!error.may_pass(), "{text}");
    }
    // Keys that are wrong, as the real server says it.
    let (access_key, secret) = server.keys();
    for (keys, words) in [
        (("nobody", secret), "does not know the access key"),
        ((access_key, "wrong"), "secret key is wrong"),
    ] {
        let Fixture { dir, depot } = fixture(&server.endpoint(), "archive");
        let text = format!(
            "[default]\naws_access_key_id = {}\naws_secret_access_key = {}\n",
            keys.0, keys.1
        );
        std::fs::write(dir.path().join("credentials"), text).unwrap();
        let error = depot.write("a", b"bytes", Writing::New).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.hint().unwrap().contains("AWS_ACCESS_KEY_ID"));
    }
    // A bucket that is not there, as the real server says it.
    let Fixture { dir, depot } = fixture(&server.endpoint(), "nowhere");
    let path = file(dir.path(), "a", b"bytes");
    let error = depot.upload(&path, "a", Writing::New, &mut go).unwrap_err();
    assert!(error.to_string().contains("there is no such bucket"), "{error}");
    assert!(error.hint().unwrap().contains("create the bucket"));
    // Nobody listens there.
    let Fixture { dir: _dir, depot } = fixture("http://127.0.0.1:9", "archive");
    let error = depot.look("a").unwrap_err();
    assert!(error.to_string().contains("refused"), "{error}");
    assert!(error.hint().unwrap().contains("archive.store.endpoint"));
    let files = StoredFiles::new(depot, "s3://archive/x".parse().unwrap());
    let unreachable = files.open("a.warc.gz").unwrap_err();
    assert_ne!(unreachable.kind(), std::io::ErrorKind::NotFound);
    assert!(DepotError::behind(&unreachable).is_some_and(DepotError::may_pass));
}
