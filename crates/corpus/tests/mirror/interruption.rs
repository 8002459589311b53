//! Updates that end before they are done, and what the next one makes of them.

use crate::{Site, files};
use auslese_corpus::{CharsetNote, MirrorError, MirrorWriter};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};
use tempfile::TempDir;

/// The body of each document in turn is where the process dies.
#[test]
fn an_interrupted_update_is_taken_up() {
    let old = Site::of(&[
        ("https://h.example/", "<a href=b>b</a><a href=c>c</a><a href=d>d</a>"),
        ("https://h.example/b", "<a href=c>old</a>"),
        ("https://h.example/d", "leaves"),
    ]);
    let mut new = old.clone();
    new.drop("https://h.example/d");
    new.put("https://h.example/b", "text/html", b"<a href=c>new</a>");
    new.put("https://h.example/c", "text/html", b"<a href=/e>comes</a>");
    new.put("https://h.example/e", "text/html", b"<a href=b>comes too</a>");
    let expected = TempDir::new().unwrap();
    new.mirror(expected.path());
    for survived in 0..5 {
        let folder = TempDir::new().unwrap();
        old.mirror(folder.path());
        let mut asked = 0;
        let mut writer = MirrorWriter::open(folder.path(), CharsetNote::InManifest).unwrap();
        let outcome = writer.update(&new.wanted(), &mut |document| {
            asked += 1;
            if asked > survived { Err(ErrorKind::Interrupted.into()) } else { new.body(document) }
        });
        assert_eq!(outcome.is_err(), survived < 4, "{survived}");
        drop(writer);
        // What a kill may leave behind: half a file, half a line.
        fs::write(folder.path().join("@auslese/unfinished"), "half a fi").unwrap();
        let manifest = folder.path().join("@auslese/manifest.jsonl");
        let mut text = fs::read_to_string(&manifest).unwrap();
        text.push_str("{\"line\":\"file\",\"path\":\"h.exam");
        fs::write(&manifest, text).unwrap();
        let report = new.mirror(folder.path());
        assert_eq!(report.written, 4 - survived.min(4), "{survived}");
        assert_eq!(files(folder.path()), files(expected.path()), "{survived}");
        assert_eq!(new.mirror(folder.path()).written, 0, "{survived}");
    }
}

/// Between the kill and the next update the plan changes: nothing of the old plan remains.
#[test]
fn an_abandoned_plan_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let plan = Site::of(&[
        ("https://h.example/", "<a href=b>b</a>"),
        ("https://h.example/b", "b"),
        ("https://h.example/c", "c"),
    ]);
    let mut writer = MirrorWriter::open(folder.path(), CharsetNote::InManifest).unwrap();
    let outcome = writer.update(&plan.wanted(), &mut |document| match document.url.path() {
        "/c" => Err(ErrorKind::Interrupted.into()),
        _ => plan.body(document),
    });
    assert!(matches!(outcome, Err(MirrorError::Interrupted)));
    drop(writer);
    // A file that was begun and of which nothing more is known.
    let manifest = folder.path().join("@auslese/manifest.jsonl");
    let mut text = fs::read_to_string(&manifest).unwrap();
    text.push_str("{\"line\":\"begin\",\"path\":\"h.example/half.html\"}\n");
    // Lines that nobody here wrote.
    text.push_str("{\"line\":\"begin\",\"path\":\"../precious.html\"}\nnonsense\n");
    fs::write(&manifest, text).unwrap();
    fs::write(folder.path().join("h.example/half.html"), "ha").unwrap();

    let other = Site::of(&[("https://h.example/", "<a href=b>b</a>")]);
    other.mirror(folder.path());
    let expected = BTreeMap::from([(
        "h.example/index.html".to_owned(),
        "<a href=\"https://h.example/b\">b</a>".to_owned(),
    )]);
    assert_eq!(files(folder.path()), expected);
}

/// In this variable the test below tells its child where the mirror is.
const CHILD: &str = "AUSLESE_TEST_MIRROR";

/// Two states of a site, with links, duplicates, and documents that come and go.
fn two_states() -> [Site; 2] {
    [0usize, 1].map(|state| {
        let mut site = Site::default();
        for page in (0..40).filter(|page| page % 5 != state) {
            let links: String = (1..6)
                .map(|step| format!("<a href=/d/p{}.html>x</a>", (page + step) % 40))
                .collect();
            let text = if page % 3 == 0 { format!("{state}") } else { links };
            let directory = if page % 2 == 0 { "d" } else { "d/e" };
            let url = format!("https://h.example/{directory}/p{page}.html");
            site.put(&url, "text/html", text.as_bytes());
        }
        site
    })
}

/// The child's part: updates without end.
#[test]
fn updating_child() {
    let Some(root) = env::var_os(CHILD) else { return };
    loop {
        two_states().iter().for_each(|site| drop(site.mirror(Path::new(&root))));
    }
}

#[test]
fn a_killed_update_is_taken_up() {
    let [state, _] = two_states();
    let expected = TempDir::new().unwrap();
    state.mirror(expected.path());
    let folder = TempDir::new().unwrap();
    for round in 0..8 {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "interruption::updating_child"])
            .env(CHILD, folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while !folder.path().join("h.example").exists() && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        // Any moment will do: each is another place to die.
        thread::sleep(Duration::from_millis(3 + round * 7));
        child.kill().unwrap();
        child.wait().unwrap();
        if round % 2 == 1 {
            continue;
        }
        let report = state.mirror(folder.path());
        assert_eq!(report.failed, 0, "{report:?}");
        assert_eq!(files(folder.path()), files(expected.path()));
        assert_eq!(state.mirror(folder.path()).written, 0);
    }
}
