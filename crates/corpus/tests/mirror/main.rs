//! The mirror's writer, on real directories.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod hostile;
mod interruption;

use auslese_corpus::{CharsetNote, MirrorDocument, MirrorError, MirrorReport, MirrorWriter};
use auslese_model::{Algorithm, CaptureId, Digest};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::SystemTime;
use tempfile::TempDir;
use url::Url;

/// Documents with their bodies, by address.
#[derive(Default, Clone)]
struct Site {
    documents: Vec<(MirrorDocument, Vec<u8>)>,
}

impl Site {
    fn of(pages: &[(&str, &str)]) -> Site {
        let mut site = Site::default();
        for (url, body) in pages {
            site.put(url, "text/html", body.as_bytes());
        }
        site
    }

    fn put(&mut self, url: &str, media_type: &str, body: &[u8]) -> &mut MirrorDocument {
        let url = Url::parse(url).unwrap();
        self.documents.retain(|(document, _)| document.url != url);
        // Enough of a digest to tell the bodies of a test apart.
        let mut bytes = vec![0u8; 32];
        for (at, byte) in body.iter().enumerate() {
            let place = &mut bytes[at % 32];
            *place = place.wrapping_mul(31).wrapping_add(*byte).wrapping_add(1);
        }
        let document = MirrorDocument {
            url,
            request: None,
            capture: CaptureId(1),
            digest: Digest { algorithm: Algorithm::Sha256, bytes },
            media_type: Some(media_type.to_owned()),
            charset: None,
            aliases: Vec::new(),
        };
        self.documents.push((document, body.to_vec()));
        &mut self.documents.last_mut().unwrap().0
    }

    fn drop(&mut self, url: &str) {
        self.documents.retain(|(document, _)| document.url.as_str() != url);
    }

    fn wanted(&self) -> Vec<MirrorDocument> {
        self.documents.iter().map(|(document, _)| document.clone()).collect()
    }

    fn body(&self, document: &MirrorDocument) -> io::Result<Vec<u8>> {
        let found = self.documents.iter().find(|(other, _)| other == document);
        found.map(|(_, body)| body.clone()).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn mirror(&self, root: &Path) -> MirrorReport {
        self.try_mirror(root).unwrap()
    }

    fn try_mirror(&self, root: &Path) -> Result<MirrorReport, MirrorError> {
        let mut writer = MirrorWriter::open(root, CharsetNote::InManifest)?;
        writer.update(&self.wanted(), &mut |document| self.body(document))
    }
}

/// Written, unchanged, removed, failed.
fn counts(report: &MirrorReport) -> (usize, usize, usize, usize) {
    (report.written, report.unchanged, report.removed, report.failed)
}

/// All files below a directory with their contents, the mirror's own folder left out.
fn files(root: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if name == "@auslese" {
                continue;
            }
            if fs::symlink_metadata(&path).unwrap().is_dir() {
                directories.push(path);
            } else {
                let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                files.insert(name, text);
            }
        }
    }
    files
}

/// When each file was last changed, the mirror's own files included.
fn times(root: &Path) -> BTreeMap<String, SystemTime> {
    let own = ["@auslese/index.html", "@auslese/manifest.jsonl", "@auslese/mirror.json"];
    let names = files(root).into_keys().chain(own.map(str::to_owned));
    names
        .map(|name| {
            let changed = fs::metadata(root.join(&name)).unwrap().modified().unwrap();
            (name, changed)
        })
        .collect()
}

#[test]
fn links_lead_to_copies_or_to_the_live_address() {
    let mut site = Site::of(&[
        (
            "https://h.example/a/start.html",
            "<a href=other.html#x>1</a><a href='/a/?q=1&amp;r=2'>2</a><a href=/gone.html>3</a>\
             <a href=http://h.example/a/other.html>4</a><a href=#here>5</a>\
             <img src='../pic.gif'><a href='mailto:a@h.example'>6</a>\
             <a href=//other.example/>7</a><a href=/old>8</a>",
        ),
        ("https://h.example/a/other.html", "other"),
        ("https://h.example/a/?q=1&r=2", "query"),
        ("https://other.example/", "<p>no links"),
    ]);
    site.put("https://h.example/pic.gif", "image/gif", b"GIF89a");
    site.put("https://h.example/s.css", "text/css", b"a { background: url(pic.gif) }");
    site.put("https://h.example/new", "text/html", b"new").aliases =
        vec![Url::parse("https://h.example/old").unwrap()];
    let folder = TempDir::new().unwrap();
    let report = site.mirror(folder.path());
    assert_eq!(counts(&report), (7, 0, 0, 0));
    let files = files(folder.path());
    assert_eq!(
        files["h.example/a/start.html"],
        "<a href=\"other.html#x\">1</a><a href='@index@qq=1@z26r=2@.html'>2</a>\
         <a href=\"https://h.example/gone.html\">3</a>\
         <a href=\"http://h.example/a/other.html\">4</a><a href=#here>5</a>\
         <img src='../pic.gif'><a href='mailto:a@h.example'>6</a>\
         <a href=\"../../other.example/index.html\">7</a><a href=\"../new@.html\">8</a>"
    );
    assert_eq!(files["h.example/s.css"], "a { background: url(\"pic.gif\") }");
    assert_eq!(files["other.example/index.html"], "<p>no links");
    assert_eq!(files["h.example/pic.gif"], "GIF89a");
    let start = fs::read_to_string(folder.path().join("@auslese/index.html")).unwrap();
    assert!(start.contains("<a href=\"../other.example/index.html\">https://other.example</a>"));
    assert!(start.contains("<p>Servers: 2. Documents: 7.</p>"), "{start}");
}

/// One address, asked for by GET and by two forms: three files, and links lead to the first.
#[test]
fn answers_to_forms_lie_beside_each_other() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let address = "https://h.example/search.html";
    let mut site = Site::of(&[("https://h.example/", "<a href=search.html>s</a>")]);
    for (mark, body) in [(Some([2; 16]), "two"), (Some([1; 16]), "one"), (None, "the form")] {
        let mut answer = Site::default();
        answer.put(address, "text/html", body.as_bytes()).request = mark;
        site.documents.append(&mut answer.documents);
    }
    assert_eq!(counts(&site.mirror(root)), (4, 0, 0, 0));
    let one = format!("h.example/search@p{}.html", "01".repeat(16));
    let two = format!("h.example/search@p{}.html", "02".repeat(16));
    let written = files(root);
    assert_eq!(written["h.example/search.html"], "the form");
    assert_eq!((written[&one].as_str(), written[&two].as_str()), ("one", "two"));
    assert_eq!(written["h.example/index.html"], "<a href=\"search.html\">s</a>");

    let own = |name: &str| fs::read_to_string(root.join("@auslese").join(name));
    let forms = own("forms.html").unwrap();
    for path in [&one, &two] {
        assert!(forms.contains(&format!("<a href=\"../{path}\">{address}</a>")), "{forms}");
    }
    assert!(own("index.html").unwrap().contains("<a href=\"forms.html\">Answers to forms</a>: 2"));
    assert!(
        own("manifest.jsonl").unwrap().contains(&format!("\"request\":\"{}\"", "01".repeat(16)))
    );
    Site::of(&[("https://h.example/", "alone")]).mirror(root);
    assert!(own("forms.html").is_err());
}

#[test]
fn every_local_link_leads_to_a_file() {
    let folder = TempDir::new().unwrap();
    let addresses = [
        "https://h.example/",
        "https://h.example/index.html",
        "https://h.example/a",
        "https://h.example/a/b?x=%23&y=%3F",
        "https://h.example/%25/%2F.html",
        "http://h.example/",
        "https://h.example/A%20b.html",
        "https://[::1]:8080/x,y",
        "https://h.example/aux.html",
    ];
    let page: String = addresses.iter().map(|url| format!("<a href='{url}#f'>x</a>")).collect();
    let mut site = Site::default();
    for (at, url) in addresses.iter().enumerate() {
        site.put(url, "text/html", format!("{page}{at}").as_bytes());
    }
    site.mirror(folder.path());
    for (name, text) in files(folder.path()) {
        let here = Url::from_file_path(folder.path().join(&name)).unwrap();
        let mut targets = 0;
        for link in text.split("href='").skip(1) {
            let link = link.split('\'').next().unwrap();
            let target = here.join(link).unwrap();
            assert_eq!(target.fragment(), Some("f"));
            assert!(target.to_file_path().unwrap().is_file(), "{name}: {link}");
            targets += 1;
        }
        assert_eq!(targets, addresses.len());
    }
}

#[test]
fn a_second_run_writes_nothing() {
    let site = Site::of(&[
        ("https://h.example/", "<a href=b>b</a><a href=c>c</a>"),
        ("https://h.example/b", "<a href=/>home</a>"),
    ]);
    let folder = TempDir::new().unwrap();
    site.mirror(folder.path());
    let before = times(folder.path());
    let mut writer = MirrorWriter::open(folder.path(), CharsetNote::InManifest).unwrap();
    let report = writer.update(&site.wanted(), &mut |_| panic!("a body was asked for")).unwrap();
    assert_eq!(counts(&report), (0, 2, 0, 0));
    assert_eq!(times(folder.path()), before);
}

#[test]
fn changes_are_followed() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let mut site = Site::of(&[
        ("https://h.example/", "<a href=b/c.html>c</a>"),
        ("https://h.example/x.html", "<a href=/y.html>y</a>"),
        ("https://h.example/z.html", "alone"),
    ]);
    site.mirror(root);
    assert!(files(root)["h.example/index.html"].contains("https://h.example/b/c.html"));

    // A linked document comes in: those who link to it are written again, the others are not.
    site.put("https://h.example/b/c.html", "text/html", b"c");
    assert_eq!(counts(&site.mirror(root)), (2, 2, 0, 0));
    assert!(files(root)["h.example/index.html"].contains("\"b/c.html\""));

    // It changes.
    site.put("https://h.example/b/c.html", "text/html", b"c, changed");
    assert_eq!(counts(&site.mirror(root)), (1, 3, 0, 0));
    assert_eq!(files(root)["h.example/b/c.html"], "c, changed");

    // Its type, and with it its path, changes.
    site.put("https://h.example/b/c.html", "text/css", b"c, changed");
    assert_eq!(counts(&site.mirror(root)), (2, 2, 1, 0));
    assert!(files(root)["h.example/index.html"].contains("\"b/c.html@.css\""));

    // It goes, and its directory with it.
    site.drop("https://h.example/b/c.html");
    assert_eq!(counts(&site.mirror(root)), (1, 2, 1, 0));
    assert!(files(root)["h.example/index.html"].contains("https://h.example/b/c.html"));
    assert!(!root.join("h.example/b").exists());

    // Someone removes a file, or cuts it.
    fs::remove_file(root.join("h.example/z.html")).unwrap();
    fs::write(root.join("h.example/x.html"), "").unwrap();
    assert_eq!(counts(&site.mirror(root)), (2, 1, 0, 0));
    assert_eq!(files(root)["h.example/z.html"], "alone");

    assert_eq!(counts(&Site::default().mirror(root)), (0, 0, 3, 0));
    assert_eq!(fs::read_dir(root).unwrap().count(), 1, "only the mirror's own folder is left");
}

#[cfg(unix)]
#[test]
fn exact_duplicates_share_a_file_if_they_can() {
    use std::os::unix::fs::MetadataExt;
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let page = "<a href=https://far.example/>x</a>";
    let near = "<a href=/one.html>x</a>";
    let mut site = Site::of(&[
        ("https://h.example/one.html", page),
        ("https://h.example/deep/two.html", page),
        ("https://h.example/three.html", near),
        ("https://h.example/deep/four.html", near),
        ("https://h.example/five.html", near),
    ]);
    let report = site.mirror(root);
    assert_eq!((report.written, report.linked, report.separate), (5, 2, 1));
    let inode = |name: &str| fs::metadata(root.join("h.example").join(name)).unwrap().ino();
    assert_eq!(inode("one.html"), inode("deep/two.html"));
    assert_eq!(inode("three.html"), inode("five.html"));
    assert_ne!(inode("three.html"), inode("deep/four.html"));

    // A change of one name does not reach the other.
    site.put("https://h.example/one.html", "text/html", b"new");
    site.mirror(root);
    let files = files(root);
    assert_eq!(files["h.example/one.html"], "new");
    assert_eq!(files["h.example/deep/two.html"], "<a href=\"https://far.example/\">x</a>");
    assert_eq!(site.mirror(root).written, 0);
}

#[test]
fn a_document_that_cannot_be_had_is_no_target() {
    let folder = TempDir::new().unwrap();
    let site = Site::of(&[("https://h.example/", "<a href=b>b</a>"), ("https://h.example/b", "b")]);
    let mut writer = MirrorWriter::open(folder.path(), CharsetNote::InManifest).unwrap();
    let mut failing = |document: &MirrorDocument| match document.url.path() {
        "/b" => Err(io::Error::other("record is damaged")),
        _ => site.body(document),
    };
    let report = writer.update(&site.wanted(), &mut failing).unwrap();
    assert_eq!(counts(&report), (1, 0, 0, 1));
    assert_eq!(report.failures, [("https://h.example/b".into(), "record is damaged".into())]);
    assert_eq!(
        files(folder.path())["h.example/index.html"],
        "<a href=\"https://h.example/b\">b</a>"
    );
    let report = writer.update(&site.wanted(), &mut |document| site.body(document)).unwrap();
    assert_eq!(counts(&report), (2, 0, 0, 0));
    assert_eq!(files(folder.path())["h.example/index.html"], "<a href=\"b@.html\">b</a>");
}

#[test]
fn encodings_stay_and_may_be_declared() {
    let folder = TempDir::new().unwrap();
    let mut site = Site::default();
    let page = b"<head><title>K\xF6ln</title><a href=/x>\xE4</a>";
    site.put("https://h.example/a.html", "text/html", page).charset = Some("iso-8859-1".into());
    site.mirror(folder.path());
    let path = folder.path().join("h.example/a.html");
    assert_eq!(
        fs::read(&path).unwrap(),
        b"<head><title>K\xF6ln</title><a href=\"https://h.example/x\">\xE4</a>"
    );
    let manifest = fs::read_to_string(folder.path().join("@auslese/manifest.jsonl")).unwrap();
    assert!(manifest.contains("\"charset\":\"iso-8859-1\""), "{manifest}");

    let mut writer = MirrorWriter::open(folder.path(), CharsetNote::InPage).unwrap();
    let report = writer.update(&site.wanted(), &mut |document| site.body(document)).unwrap();
    assert_eq!(report.written, 1, "another way of writing is a change");
    assert!(fs::read(&path).unwrap().starts_with(b"<head><meta charset=\"windows-1252\"/><title>"));
}

#[test]
fn shortened_names_are_in_the_manifest() {
    let folder = TempDir::new().unwrap();
    let url = format!("https://h.example/{}.html", "long".repeat(1_000));
    let site = Site::of(&[(&url, "x")]);
    let mut writer = MirrorWriter::open(folder.path(), CharsetNote::InManifest).unwrap();
    writer.update(&site.wanted(), &mut |document| site.body(document)).unwrap();
    let path = site.documents[0].0.path().unwrap();
    assert!(folder.path().join(path.as_str()).is_file());
    assert_eq!(writer.address(path.as_str()), Some(url.as_str()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever the mirror was before, after an update it is as if made anew.
    #[test]
    fn the_way_does_not_matter(
        states in proptest::collection::vec(
            proptest::collection::btree_map(0usize..8, (0usize..4, 0usize..8, 0usize..8), 0..8),
            1..4,
        )
    ) {
        let addresses = ["", "a", "a/", "a/b", "A", "c.html", "c.html/d", "e?f"];
        let types = ["text/html", "text/html", "text/plain", "text/css"];
        let folder = TempDir::new().unwrap();
        for state in states {
            let mut site = Site::default();
            for (at, (media_type, one, two)) in state {
                let body = match types[media_type] {
                    "text/html" => format!(
                        "<a href='/{}'>x</a><a href='/{}'>y</a>", addresses[one], addresses[two]
                    ),
                    _ => format!("a {{ src: url('/{}') }}", addresses[one]),
                };
                let url = format!("https://h.example/{}", addresses[at]);
                site.put(&url, types[media_type], body.as_bytes());
            }
            let report = site.mirror(folder.path());
            prop_assert_eq!(report.failed, 0);
            let anew = TempDir::new().unwrap();
            site.mirror(anew.path());
            prop_assert_eq!(files(folder.path()), files(anew.path()));
            prop_assert_eq!(site.mirror(folder.path()).written, 0);
        }
    }
}
