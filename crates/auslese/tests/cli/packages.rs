//! The archive itself given away and taken over: WACZ packages, indexes, folders for those who keep archives; read by
//! other tools, and taken over again.

use super::exporting::{done, names, university};
use super::{auslese, auslese_command, empty, skipped, stderr, stdout};
use auslese_archive::{Reader, verify};
use auslese_testnet::{Answer, Internet, Site, generated_site};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A site with a page that needs a style sheet, which needs a picture; and others beside it.
fn crawled() -> TempDir {
    let site = Site::new("http://www.uni.example")
        .page(
            "/",
            "<title>Start</title><p>Willkommen an der Hochschule. <a href=/wehr.html>Wehr</a> \
             <a href=/pegel.html>Pegel</a> <a href=/alt.html>alt</a>",
        )
        .page(
            "/wehr.html",
            "<title>Das Wehr</title><link rel=stylesheet href=/stil.css><p>Das Wehr ist wegen des \
             Hochwassers geschlossen.<img src=/weg.png>",
        )
        .page(
            "/pegel.html",
            "<title>Pegel</title><p>Der Pegel steht bei zwei Metern.<img src=/c.png>",
        )
        .file("/stil.css", "text/css", "body { background: url(bilder/grund.png) }")
        .file("/bilder/grund.png", "image/png", "grund")
        .file("/c.png", "image/png", "c")
        .file("/b.png", "image/png", "b")
        .answer("/weg.png", Answer::redirect(302, "/b.png"));
    harvested(Internet::new().site(site), "http://www.uni.example/")
}

fn harvested(internet: Internet, seed: &str) -> TempDir {
    let net = internet.start().unwrap();
    let dir = empty();
    let path = dir.path();
    fs::create_dir(path.join("h")).unwrap();
    // Small files, so that there are several.
    let config = format!(
        "[crawl]\nseeds = [\"{seed}\"]\n[crawl.politeness]\ndelay = \"0\"\n\
         [archive]\nrotate_at = \"4 kB\"\n"
    );
    fs::write(path.join("h/auslese.toml"), config).unwrap();
    fs::write(path.join("net.toml"), net.net_settings_toml()).unwrap();
    done(path, &["run", "--dir", "h", "--net", "net.toml", "--quiet"]);
    dir
}

fn export(path: &Path, more: &[&str]) -> Value {
    let args = [&["export", "--dir", "h", "--json", "--quiet"], more].concat();
    serde_json::from_str(&done(path, &args)).unwrap()
}

fn import(path: &Path, into: &str, files: &[&str], code: i32) -> (Value, String) {
    let args = [&["archive", "import", "--dir", into, "--json", "--quiet"], files].concat();
    let output = auslese(path, &args);
    assert_eq!(output.status.code(), Some(code), "{files:?}: {}", stderr(&output));
    (serde_json::from_str(&stdout(&output)).unwrap(), stderr(&output))
}

/// All captures of a harvest: address, time and digest, by the index of its archive; sorted.
fn captures(path: &Path, harvest: &str) -> Vec<String> {
    let lines = done(path, &["archive", "index", "--dir", harvest]);
    let of = |line: &str| {
        let (key, json) = line.split_once(" {").unwrap();
        let json: Value = serde_json::from_str(&format!("{{{json}")).unwrap();
        format!("{key} {} {} {}", json["url"], json["digest"], json["mime"])
    };
    let mut captures: Vec<String> = lines.lines().map(of).collect();
    captures.sort();
    captures
}

/// Runs Python with the foreign readers; false if there is none.
fn python(name: &str, dir: &Path, code: &str, args: &[&str]) -> Option<String> {
    let Some(python) = std::env::var_os("AUSLESE_PYTHON") else {
        skipped(name, "AUSLESE_PYTHON names no Python with the readers");
        return None;
    };
    let output = Command::new(python).arg("-c").arg(code).args(args).current_dir(dir).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{name}: {}\n{}", stdout(&output), stderr(&output));
    Some(stdout(&output))
}

/// py-wacz, as `wacz validate` does it.
const VALIDATE: &str = r#"
import sys
from wacz.main import main
code = main(['validate', '-f', sys.argv[1]])
sys.exit(code)
"#;

/// Every line of the index leads to its record, found through the blocks of the second index as replay software does.
const FOLLOW: &str = r#"
import gzip, io, json, sys, zipfile
from warcio.archiveiterator import ArchiveIterator
package = zipfile.ZipFile(sys.argv[1])
assert package.testzip() is None
for info in package.infolist():
    if info.filename.startswith('archive/') or info.filename.endswith('.gz'):
        assert info.compress_type == zipfile.ZIP_STORED, info.filename
packed = package.read('indexes/index.cdx.gz')
lines = []
for number, line in enumerate(package.read('indexes/index.idx').decode().splitlines()):
    if number == 0:
        assert line.startswith('!meta 0 {'), line
        continue
    key, place = line.split(' {', 1)
    place = json.loads('{' + place)
    block = gzip.decompress(packed[place['offset']:place['offset'] + place['length']]).decode()
    assert block.startswith(key), key
    lines += block.splitlines()
assert lines == sorted(lines)
for line in lines:
    _, time, place = line.split(' ', 2)
    place = json.loads(place)
    data = package.read('archive/' + place['filename'])
    begin = int(place['offset'])
    record = next(iter(ArchiveIterator(io.BytesIO(data[begin:begin + int(place['length'])]))))
    assert record.rec_headers['WARC-Target-URI'] == place['url'], line
    assert record.rec_headers['WARC-Date'].translate({ord(c): None for c in '-:TZ'})[:14] == time, line
pages = []
for name in ('pages/pages.jsonl', 'pages/extraPages.jsonl'):
    if name in package.namelist():
        listed = [json.loads(line) for line in package.read(name).decode().splitlines()]
        assert listed[0]['format'] == 'json-pages-1.0'
        pages += listed[1:]
print(json.dumps({'lines': len(lines), 'pages': pages, 'package': json.loads(package.read('datapackage.json'))}))
"#;

#[test]
fn a_package_as_other_tools_see_it() {
    let dir = university();
    let path = dir.path();
    let report = export(path, &["--format", "wacz", "--out", "u.wacz"]);
    assert_eq!(report["bytes"], fs::metadata(path.join("u.wacz")).unwrap().len());
    let known = captures(path, "h");
    assert_eq!(report["archive"]["captures"], known.len(), "{report}");
    assert!(names(path).iter().all(|name| !name.starts_with('.')), "{:?}", names(path));

    // The round trip: everything arrives once, in a harvest of its own.
    let (imported, _) = import(path, "again", &["u.wacz"], 0);
    assert_eq!(imported["packages"][0]["fault_count"], 0, "{imported}");
    assert_eq!(captures(path, "again"), known);
    let (imported, _) = import(path, "again", &["u.wacz"], 0);
    assert!(imported["files"].as_array().unwrap().iter().all(|file| file["captures"] == 0));

    let name = "packages::a_package_as_other_tools_see_it";
    let Some(followed) = python(name, path, FOLLOW, &["u.wacz"]) else { return };
    let followed: Value = serde_json::from_str(&followed).unwrap();
    assert_eq!(followed["lines"], known.len());
    let pages = followed["pages"].as_array().unwrap();
    assert_eq!(report["archive"]["pages"], pages.len());
    assert!(pages.len() > 20, "{}", pages.len());
    let with_text =
        pages.iter().filter(|page| page["text"].as_str().is_some_and(|it| it.len() > 20));
    assert!(with_text.count() > 20);
    let main = &followed["package"]["mainPageUrl"];
    assert_eq!(main, "http://soziologie.uni-hohenwerth.example/", "{}", followed["package"]);
    let validated = python(name, path, VALIDATE, &["u.wacz"]).unwrap();
    assert!(validated.contains("Validation succeeded, the passed WACZ is valid"), "{validated}");
    replayed(name, path, pages);
}

/// pywb shows the pages of the package.
fn replayed(name: &str, path: &Path, pages: &[Value]) {
    let pages: Vec<&Value> = pages.iter().take(40).collect();
    fs::write(path.join("pages.json"), serde_json::to_string(&pages).unwrap()).unwrap();
    let shown = python(name, path, REPLAY, &["u.wacz"]).unwrap();
    let shown: usize = shown.lines().last().unwrap().parse().unwrap();
    assert_eq!(shown, pages.len());
}

/// Unpacks a package into a collection, and asks for pages as a browser would.
const REPLAY: &str = r#"
from gevent.monkey import patch_all
patch_all()
import json, os, sys
from pywb.manager.manager import main as manager
pages = json.load(open('pages.json'))
os.mkdir('replay')
os.chdir('replay')
manager(['init', 'given'])
manager(['add', 'given', '../' + sys.argv[1], '--unpack-wacz'])
from pywb.apps.frontendapp import FrontEndApp
from werkzeug.test import Client
browser = Client(FrontEndApp())
shown = 0
for page in pages:
    time = page['ts'].translate({ord(c): None for c in '-:TZ'})
    answer = browser.get('/given/' + time + 'id_/' + page['url'])
    assert answer.status_code == 200 and answer.data, (page['url'], answer.status)
    shown += 1
print(shown)
"#;

#[test]
fn chosen_documents_with_all_they_need() {
    let dir = crawled();
    let path = dir.path();
    let report = export(path, &["--format", "wacz", "--query", "Hochwassers", "--out", "w.wacz"]);
    assert_eq!(
        (&report["documents"], &report["archive"]["pages"]),
        (&1.into(), &1.into()),
        "{report}"
    );
    import(path, "part", &["w.wacz"], 0);
    let held = targets(&path.join("part/archive"));
    let of = |kind: &str| -> Vec<&str> {
        let of_kind = held.iter().filter_map(|it| it.strip_prefix(kind));
        of_kind.map(|it| it.trim().trim_start_matches("http://www.uni.example")).collect()
    };
    let mut answers = of("response ");
    answers.sort_unstable();
    assert_eq!(answers, ["/b.png", "/bilder/grund.png", "/stil.css", "/weg.png", "/wehr.html"]);
    for kind in ["request ", "metadata "] {
        assert_eq!(of(kind).len(), answers.len(), "{held:?}");
    }
    assert_eq!(of("warcinfo").len(), names(&path.join("part/archive")).len(), "{held:?}");
    done(path, &["corpus", "--dir", "part", "--quiet"]);
    done(path, &["search", "index", "--dir", "part", "--quiet"]);
    let found = done(path, &["search", "Wehr", "--dir", "part", "--json"]);
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["results"]["total"], 1, "{found}");

    // The same choice as a folder; and what is chosen of nothing.
    export(path, &["--format", "internet-archive", "--query", "Hochwassers", "--out", "f"]);
    let warcs: Vec<String> =
        names(&path.join("f")).into_iter().filter(|it| it.ends_with(".gz")).collect();
    assert!(!warcs.is_empty() && warcs.iter().all(|it| it.ends_with("-part.warc.gz")), "{warcs:?}");
    #[rustfmt::skip]
    let cases: &[(&[&str], i32, &str)] = &[
        (&["--format", "wacz", "--query", "xyzzyx", "--out", "a"],  1, "there is no document to export"),
        (&["--format", "wacz", "--out", "-"],                       2, "wacz cannot be printed"),
        (&["--format", "wacz", "--split", "--out", "a"],            2, "wacz cannot be split"),
        (&["--format", "cdxj", "--kept", "--out", "a"],             2, "cdxj is of the whole harvest"),
        (&["--format", "internet-archive", "--out", "-"],           2, "a folder cannot be printed"),
        (&["--format", "wacz", "--out", "w.wacz"],                  2, "w.wacz is there already"),
    ];
    for (args, code, message) in cases {
        let output = auslese(path, &[&["export", "--dir", "h"], *args].concat());
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{args:?}: {}", stderr(&output));
        assert!(!path.join("a").exists(), "{args:?}");
    }
    assert!(names(path).iter().all(|name| !name.starts_with('.')), "{:?}", names(path));
}

/// Kinds and addresses of the records in a folder, whose files must be sound.
fn targets(folder: &Path) -> Vec<String> {
    let mut targets = Vec::new();
    for name in names(folder) {
        let path = folder.join(name);
        let report = verify(&path).unwrap();
        assert!(report.is_sound(), "{report:?}");
        let mut reader = Reader::open(&path).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            targets.push(format!("{} {}", record.kind(), record.target().unwrap_or_default()));
        }
    }
    targets
}

#[test]
fn an_index_and_a_folder_to_hand_over() {
    let dir = crawled();
    let path = dir.path();
    let index = done(path, &["archive", "index", "--dir", "h"]);
    let printed =
        done(path, &["export", "--dir", "h", "--format", "cdxj", "--out", "-", "--quiet"]);
    assert_eq!(printed, index);
    let report = export(path, &["--format", "cdxj", "--out", "h.cdxj"]);
    assert_eq!(fs::read_to_string(path.join("h.cdxj")).unwrap(), index);
    assert_eq!(report["archive"]["captures"], index.lines().count());

    let title = ["--title", "Hochschule, \"die\""];
    let report =
        export(path, &[&["--format", "internet-archive", "--out", "f"], &title[..]].concat());
    let folder = path.join("f");
    let warcs: Vec<PathBuf> = files(&path.join("h/archive"));
    assert_eq!(report["archive"]["files"], warcs.len());
    for warc in &warcs {
        let given = folder.join(warc.file_name().unwrap());
        let inode = |path: &Path| fs::metadata(path).unwrap().ino();
        assert_eq!(inode(&given), inode(warc), "linked, not copied");
    }
    assert_eq!(fs::read_to_string(folder.join("index.cdxj")).unwrap(), index);
    for (tool, sums) in
        [("sha256sum", "SHA256SUMS"), ("sha1sum", "SHA1SUMS"), ("md5sum", "MD5SUMS")]
    {
        let checked = Command::new(tool).args(["-c", sums]).current_dir(&folder).output().unwrap();
        assert!(checked.status.success(), "{tool}: {}", stderr(&checked));
        assert_eq!(stdout(&checked).lines().count(), warcs.len() + 1, "{tool}");
    }
    let item: Value =
        serde_json::from_slice(&fs::read(folder.join("metadata.json")).unwrap()).unwrap();
    assert_eq!(item["mediatype"], "web");
    assert_eq!(item["robots"], "obey");
    assert!(item["identifier"].as_str().unwrap().starts_with("hochschule-die-web-2"), "{item}");
    let readme = fs::read_to_string(folder.join("README.txt")).unwrap();
    assert!(readme.contains("sha256sum -c SHA256SUMS"), "{readme}");
    let name = "packages::an_index_and_a_folder_to_hand_over";
    let Some(rows) = python(name, &folder, SPREADSHEET, &[]) else { return };
    let rows: Vec<BTreeMap<String, String>> = serde_json::from_str(&rows).unwrap();
    assert_eq!(rows.len(), warcs.len() + 1);
    assert!(rows.iter().all(|row| folder.join(&row["file"]).is_file()));
    assert!(rows.iter().all(|row| row["identifier"] == item["identifier"]));
    assert_eq!(rows[0]["title"], item["title"]);
}

const SPREADSHEET: &str =
    "import csv, json; print(json.dumps(list(csv.DictReader(open('metadata.csv', newline='')))))";

fn files(folder: &Path) -> Vec<PathBuf> {
    names(folder).into_iter().map(|name| folder.join(name)).collect()
}

/// A crawl that was killed leaves an open file, with bytes that were never committed.
#[test]
fn open_files_are_given_away_as_far_as_they_are_committed() {
    let net = Internet::new().site(generated_site("www.uni.example", 400, 7)).start().unwrap();
    let dir = empty();
    let path = dir.path();
    fs::create_dir(path.join("h")).unwrap();
    let config =
        "[crawl]\nseeds = [\"http://www.uni.example/\"]\n[crawl.politeness]\ndelay = \"0\"\n";
    fs::write(path.join("h/auslese.toml"), config).unwrap();
    fs::write(path.join("net.toml"), net.net_settings_toml()).unwrap();
    let crawl = ["crawl", "--dir", "h", "--net", "net.toml", "--quiet"];
    let killed = auslese_command(path, &crawl).env("AUSLESE_DIE_AT", "before-commit:3").output();
    assert_eq!(killed.unwrap().status.code(), None);
    let open = files(&path.join("h/archive"));
    let [open] = open.as_slice() else { panic!("{open:?}") };
    let (open_name, length) = (open.to_str().unwrap(), fs::metadata(open).unwrap().len());
    let closed_name = open_name.strip_suffix(".open").unwrap().rsplit('/').next().unwrap();

    let report = export(path, &["--format", "internet-archive", "--out", "f"]);
    let given = path.join("f").join(closed_name);
    assert!(fs::metadata(&given).unwrap().len() < length, "nothing that was not committed");
    assert!(verify(&given).unwrap().is_sound());
    let report_2 = export(path, &["--format", "wacz", "--out", "h.wacz"]);
    assert_eq!(report["archive"]["captures"], report_2["archive"]["captures"]);
    assert_eq!(fs::metadata(open).unwrap().len(), length, "the harvest is only read");
    let (imported, _) = import(path, "again", &["h.wacz"], 0);
    assert_eq!(imported["files"][0]["stored_as"], closed_name, "{imported}");
}

/// A package that py-wacz made of our files, and ours of what came out of it.
#[test]
fn packages_of_others() {
    let dir = crawled();
    let path = dir.path();
    let name = "packages::packages_of_others";
    let warcs = files(&path.join("h/archive"));
    assert!(warcs.len() > 1, "{warcs:?}");
    let code = "import sys\nfrom wacz.main import main\nsys.exit(main(['create', '-o', 'p.wacz'] + sys.argv[1:]))";
    let warcs: Vec<&str> = warcs.iter().map(|warc| warc.to_str().unwrap()).collect();
    if python(name, path, code, &warcs).is_none() {
        return;
    }
    let (imported, _) = import(path, "b", &["p.wacz"], 0);
    assert_eq!(imported["packages"][0]["warcs"], warcs.len(), "{imported}");
    assert_eq!(captures(path, "b"), captures(path, "h"));
    done(path, &["corpus", "--dir", "b", "--quiet"]);
    done(path, &["export", "--dir", "b", "--format", "wacz", "--out", "again.wacz", "--quiet"]);
    let validated = python(name, path, VALIDATE, &["again.wacz"]).unwrap();
    assert!(validated.contains("Validation succeeded, the passed WACZ is valid"), "{validated}");
    python(name, path, FOLLOW, &["again.wacz"]).unwrap();
}

#[test]
fn packages_that_were_changed_are_told() {
    let dir = crawled();
    let path = dir.path();
    export(path, &["--format", "wacz", "--out", "a.wacz"]);
    let whole = fs::read(path.join("a.wacz")).unwrap();
    // A byte of the last record: its check sum no longer fits, nor that of the package.
    let mut changed = whole.clone();
    let name = b"indexes/index.cdx.gz";
    let at = changed.windows(name.len()).position(|it| it == name).unwrap();
    changed[at - 50] ^= 1;
    fs::write(path.join("changed.wacz"), changed).unwrap();
    let (imported, said) = import(path, "b", &["changed.wacz"], 1);
    assert!(said.contains("changed.wacz: archive/"), "{said}");
    assert!(said.contains("its check sum is wrong"), "{said}");
    assert_eq!(imported["packages"][0]["fault_count"], 1, "{imported}");
    let taken = |imported: &Value, what: &str| -> u64 {
        imported["files"].as_array().unwrap().iter().filter_map(|file| file[what].as_u64()).sum()
    };
    let all = captures(path, "h").len() as u64;
    assert!(taken(&imported, "captures") + 2 >= all, "the rest is taken over: {imported}");

    fs::write(path.join("cut.wacz"), &whole[..whole.len() / 2]).unwrap();
    let (imported, said) = import(path, "c", &["cut.wacz"], 1);
    assert!(said.contains("no zip directory"), "{said}");
    assert!(imported["files"][0]["failure"].is_string(), "{imported}");
    assert!(!path.join("c/runs/spill/unpacking").exists());

    // A folder with both, and one without anything.
    fs::create_dir_all(path.join("received/deep")).unwrap();
    fs::rename(path.join("a.wacz"), path.join("received/deep/a.wacz")).unwrap();
    let warc = files(&path.join("h/archive")).remove(0);
    fs::copy(&warc, path.join("received/z.warc.gz")).unwrap();
    let (imported, _) = import(path, "d", &["received"], 0);
    let last = imported["files"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["captures"], &last["stored_as"]), (&0.into(), &Value::Null), "{imported}");
    assert!(taken(&imported, "known") > 0, "{imported}");
    assert_eq!(captures(path, "d"), captures(path, "h"));
    fs::create_dir(path.join("nothing")).unwrap();
    let output = auslese(path, &["archive", "import", "nothing", "--dir", "e"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!path.join("e").exists());
}
