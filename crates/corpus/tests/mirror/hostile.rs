//! Addresses and folders that want to lead the mirror astray.

use crate::{Site, counts, files};
use auslese_corpus::{CharsetNote, MirrorError, MirrorWriter};
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

/// Every address is a file of its own below the root, whatever it looks like, on any file system.
#[test]
fn hostile_addresses_lie_apart_and_inside() {
    let long = "x".repeat(5_000);
    let names = [
        "",
        "a",
        "a/b",
        "a/",
        "A",
        "A/b",
        "a/B",
        "a.html",
        "a.html/b.html",
        "A.HTML",
        "index.html",
        "../../etc/passwd",
        "%2e%2e/%2e%2e/up.html",
        "..%2f..%2fetc%2fpasswd",
        "..%5C..%5Cx.html",
        "a%2fb",
        "a%2Fb",
        "%00",
        "a%00.html",
        "a%00/b",
        "%0a",
        "con",
        "CON.html",
        "aux/x.html",
        "nul",
        "com1.html",
        "lpt9/",
        "name.",
        "name%20",
        "~1",
        ".git/config",
        "-rf",
        "@auslese/x",
        "@auslese/index.html",
        "a//b",
        "//",
        "a?b",
        "a%3Fb",
        "x?../../y",
        "x?%2e%2e%2fy",
        "%C3%A4",
        "%c3%a4",
        "caf%C3%A9",
        "cafe%CC%81",
        "a:b",
        "a%5Cb",
        "a*b",
        "%e2%80%ae.html",
        &long,
        &format!("{long}.html"),
        &format!("{long}/b"),
        &format!("{}.html", &long[1..]),
        &"d/".repeat(2_000),
        &"%2F".repeat(1_000),
    ]
    .map(str::to_owned);
    let outer = TempDir::new().unwrap();
    let root = outer.path().join("mirror");
    let mut site = Site::default();
    for name in &names {
        let url = format!("https://h.example/{name}");
        site.put(&url, "text/html", format!("this is {name}").as_bytes());
    }
    let documents = site.documents.len();
    let report = site.mirror(&root);
    assert_eq!(counts(&report), (documents, 0, 0, 0), "{report:?}");
    assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1, "nothing lies beside the mirror");

    let files = files(&root);
    assert_eq!(files.len(), documents);
    assert!(files.keys().all(|path| path.starts_with("h.example/")), "{files:?}");
    let in_small: BTreeSet<String> = files.keys().map(|path| path.to_lowercase()).collect();
    assert_eq!(in_small.len(), documents, "also where capital letters do not count");
    let contents: BTreeSet<&String> = files.values().collect();
    assert_eq!(contents.len(), documents, "no document lies in the place of another");
    for (document, body) in &site.documents {
        let path = document.path().unwrap().to_string();
        assert_eq!(files[&path].as_bytes(), body, "{}", document.url);
    }
    assert_eq!(counts(&site.mirror(&root)), (0, documents, 0, 0), "names are stable");
    assert_eq!(counts(&Site::default().mirror(&root)), (0, 0, documents, 0));
    assert_eq!(fs::read_dir(&root).unwrap().count(), 1, "only the mirror's own folder is left");
}

/// Links that somebody planted before the first update.
#[cfg(unix)]
#[test]
fn planted_links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let outside = TempDir::new().unwrap();
    fs::write(outside.path().join("secret.html"), "secret").unwrap();
    let secret = outside.path().join("secret.html");
    let site = Site::of(&[
        ("https://h.example/", "<a href=x.html>x</a>"),
        ("https://h.example/x.html", "x"),
        ("https://two.example/", "two"),
    ]);
    let nowhere = outside.path().join("nowhere");
    // What is planted, where it leads, and how many documents are lost by it.
    let cases = [
        ("h.example", outside.path(), 2),
        ("h.example", &nowhere, 2),
        ("two.example", &secret, 1),
        ("two.example/index.html", &secret, 0),
        ("two.example/index.html", &nowhere, 0),
        ("two.example/index.html", outside.path(), 0),
        ("@auslese/index.html", &secret, 0),
    ];
    for (place, target, lost) in cases {
        let folder = TempDir::new().unwrap();
        let root = folder.path();
        Site::default().mirror(root);
        if place == "@auslese/index.html" {
            fs::remove_file(root.join(place)).unwrap();
        }
        fs::create_dir_all(root.join(place).parent().unwrap()).unwrap();
        symlink(target, root.join(place)).unwrap();
        let report = site.mirror(root);
        assert_eq!((report.written, report.failed), (3 - lost, lost), "{place}: {report:?}");
        assert_eq!(site.mirror(root).failed, lost, "{place}: once more");
        Site::default().mirror(root);
        assert_eq!(fs::read_to_string(&secret).unwrap(), "secret", "{place}");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "{place}");
    }
    // What the mirror needs to know of itself is not read elsewhere.
    for place in ["@auslese/lock", "@auslese/mirror.json", "@auslese/manifest.jsonl"] {
        let folder = TempDir::new().unwrap();
        Site::default().mirror(folder.path());
        fs::remove_file(folder.path().join(place)).unwrap();
        symlink(&secret, folder.path().join(place)).unwrap();
        assert!(site.try_mirror(folder.path()).is_err(), "{place}");
        assert_eq!(fs::read_to_string(&secret).unwrap(), "secret", "{place}");
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_no_way_out() {
    use std::os::unix::fs::symlink;
    let outside = TempDir::new().unwrap();
    fs::write(outside.path().join("secret.html"), "secret").unwrap();
    fs::create_dir(outside.path().join("sub")).unwrap();
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let mut site = Site::of(&[("https://h.example/a/x.html", "x")]);
    site.mirror(root);

    // A directory of the mirror is replaced by a link to another one.
    fs::remove_dir_all(root.join("h.example/a")).unwrap();
    symlink(outside.path(), root.join("h.example/a")).unwrap();
    site.put("https://h.example/a/secret.html", "text/html", b"overwritten");
    site.put("https://h.example/a/sub/new.html", "text/html", b"new");
    let report = site.mirror(root);
    assert_eq!(report.failed, 3, "{report:?}");
    assert!(report.failures.iter().all(|(_, cause)| cause.contains("no directory")), "{report:?}");
    assert_eq!(fs::read_to_string(outside.path().join("secret.html")).unwrap(), "secret");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 2);
    assert_eq!(fs::read_dir(outside.path().join("sub")).unwrap().count(), 0);

    // Nothing is removed through it either.
    let report = Site::default().mirror(root);
    assert_eq!(report.failed, 0, "{report:?}");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 2);

    // A link in the place of a file is replaced, not followed; also in the mirror's own folder.
    fs::remove_file(root.join("h.example/a")).unwrap();
    fs::create_dir(root.join("h.example/a")).unwrap();
    for place in ["h.example/a/x.html", "@auslese/unfinished", "@auslese/manifest.next"] {
        symlink(outside.path().join("secret.html"), root.join(place)).unwrap();
    }
    Site::of(&[("https://h.example/a/x.html", "x")]).mirror(root);
    assert_eq!(files(root)["h.example/a/x.html"], "x");
    assert!(!fs::symlink_metadata(root.join("h.example/a/x.html")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(outside.path().join("secret.html")).unwrap(), "secret");

    // Even the mirror's own folder may be a trick.
    let trick = TempDir::new().unwrap();
    symlink(root.join("@auslese"), trick.path().join("@auslese")).unwrap();
    assert!(Site::default().try_mirror(trick.path()).is_err());
}

#[test]
fn other_directories_are_not_touched() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    fs::write(root.join("thesis.tex"), "precious").unwrap();
    let site = Site::of(&[("https://h.example/", "x")]);
    assert!(matches!(site.try_mirror(root), Err(MirrorError::NotAMirror(_))));
    assert_eq!(fs::read_dir(root).unwrap().count(), 1);

    let newer = TempDir::new().unwrap();
    fs::create_dir(newer.path().join("@auslese")).unwrap();
    fs::write(newer.path().join("@auslese/mirror.json"), "{\"format\":99}").unwrap();
    assert!(matches!(site.try_mirror(newer.path()), Err(MirrorError::Newer(_))));

    // A mirror is not shared between two writers; a file that a person adds is left alone.
    let shared = TempDir::new().unwrap();
    let writer = MirrorWriter::open(shared.path(), CharsetNote::InManifest).unwrap();
    assert!(matches!(site.try_mirror(shared.path()), Err(MirrorError::Locked(_))));
    drop(writer);
    site.mirror(shared.path());
    fs::write(shared.path().join("h.example/notes.txt"), "mine").unwrap();
    Site::default().mirror(shared.path());
    assert_eq!(files(shared.path())["h.example/notes.txt"], "mine");
}
