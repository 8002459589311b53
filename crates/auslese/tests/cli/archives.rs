//! Archives of others are taken over, documents are taken out; also when the program is killed.

use super::{auslese, auslese_command, empty, skipped, small_site, stderr, stdout};
use auslese_archive::{Reader, verify};
use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

fn record(kind: &str, id: &str, url: &str, more: &str, block: &str) -> String {
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\n\
         WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: {url}\r\n{more}\
         Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
}

const HTTP: &str = "Content-Type: application/http; msgtype=response\r\n";

fn page(number: usize) -> String {
    let url = format!("http://www.uni.example/{number}.html");
    let block = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html lang=de><title>\
         {number}</title><p>Dies ist die Seite {number} mit einem kurzen deutschen Text."
    );
    record("response", &format!("page-{number}"), &url, HTTP, &block)
}

/// A file of pages, each with its request, and revisits of the first page under other addresses.
fn archive_of(pages: usize) -> String {
    let mut file = record("warcinfo", "info", "", "", "software: by hand\r\n");
    for number in 1..=pages {
        file += &page(number);
        let url = format!("http://www.uni.example/{number}.html");
        let more = format!(
            "WARC-Concurrent-To: <urn:uuid:page-{number}>\r\n\
             Content-Type: application/http; msgtype=request\r\n"
        );
        let block = format!("GET /{number}.html HTTP/1.1\r\nHost: www.uni.example\r\n\r\n");
        file += &record("request", &format!("request-{number}"), &url, &more, &block);
    }
    for copy in ["a", "b"] {
        let more = format!(
            "{HTTP}WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\
             \r\nWARC-Refers-To: <urn:uuid:page-1>\r\n\
             WARC-Refers-To-Target-URI: http://www.uni.example/1.html\r\n"
        );
        let url = format!("http://www.uni.example/copy-{copy}.html");
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Copy: {copy}\r\n\r\n");
        file += &record("revisit", &format!("copy-{copy}"), &url, &more, &head);
    }
    file + &record("resource", "dns", "dns:www.uni.example", "", "answer")
}

fn import(dir: &Path, files: &[&str], code: i32) -> Value {
    let mut args = vec!["archive", "import", "--dir", "h", "--json", "--quiet"];
    args.extend(files);
    let output = auslese(dir, &args);
    assert_eq!(output.status.code(), Some(code), "{files:?}: {}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// Reads out and indexes what was imported, and says under which addresses a search finds something.
fn found(dir: &Path, query: &str) -> Vec<String> {
    for stage in [&["corpus", "--dir", "h", "-q"][..], &["search", "index", "--dir", "h", "-q"]] {
        let output = auslese(dir, stage);
        assert_eq!(output.status.code(), Some(0), "{stage:?}: {}", stderr(&output));
    }
    let output = auslese(dir, &["search", query, "--dir", "h", "--json"]);
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let hits = found["results"]["hits"].as_array().unwrap_or_else(|| panic!("{found}"));
    let mut urls: Vec<String> =
        hits.iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect();
    urls.sort();
    urls
}

fn targets(path: &Path) -> Vec<String> {
    let mut reader = Reader::open(path).unwrap();
    std::iter::from_fn(|| reader.next_record().unwrap())
        .map(|record| format!("{} {}", record.kind(), record.target().unwrap_or_default()))
        .collect()
}

fn ends_with_a_kill(command: &mut Command, step: &str) -> bool {
    command.env("AUSLESE_DIE_AT", step).output().unwrap().status.signal() == Some(9)
}

#[test]
fn later_stages_work_on_foreign_files() {
    let dir = empty();
    fs::write(dir.path().join("a.warc"), archive_of(3)).unwrap();
    let report = import(dir.path(), &["a.warc"], 0);
    let file = &report["files"][0];
    let counts = ["captures", "revisits", "orphans", "other_addresses", "companions"];
    assert_eq!(counts.map(|name| file[name].as_u64().unwrap()), [5, 2, 0, 1, 4], "{report}");
    let corpus = auslese(dir.path(), &["corpus", "--dir", "h", "--quiet", "--json"]);
    let corpus: Value = serde_json::from_str(&stdout(&corpus)).unwrap();
    assert_eq!((&corpus["kept"], &corpus["addresses"]), (&5.into(), &5.into()), "{corpus}");
    let mirrored = fs::read_to_string(dir.path().join("h/mirror/www.uni.example@http/copy-a.html"));
    assert!(mirrored.unwrap().contains("die Seite 1"));
    for args in [
        ["versions", "http://www.uni.example/2.html"],
        ["explain", "http://www.uni.example/2.html"],
    ] {
        let output = auslese(dir.path(), &[args[0], args[1], "--dir", "h"]);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    }
    let again = import(dir.path(), &["a.warc"], 0);
    assert_eq!(
        (&again["files"][0]["captures"], &again["files"][0]["known"]),
        (&0.into(), &5.into())
    );
}

#[test]
fn damage_is_told_and_the_rest_is_taken() {
    let dir = empty();
    let cut = archive_of(3).replacen("Content-Length: ", "Content-Length: 9", 2);
    fs::write(dir.path().join("cut.warc"), cut).unwrap();
    fs::write(dir.path().join("text.warc"), "no archive").unwrap();
    let report = import(dir.path(), &["cut.warc", "text.warc"], 1);
    assert!(report["files"][0]["damage_count"].as_u64().unwrap() > 0, "{report}");
    assert!(report["files"][0]["captures"].as_u64().unwrap() >= 2, "{report}");
    assert!(report["files"][1]["failure"].as_str().unwrap().contains("neither"), "{report}");
}

#[test]
fn a_killed_import_goes_on() {
    let dir = empty();
    fs::write(dir.path().join("a.warc"), archive_of(1_100)).unwrap();
    let args = ["archive", "import", "a.warc", "--dir", "h", "--quiet"];
    for step in ["before-commit:1", "after-commit:1", "before-commit:1", "after-commit:2"] {
        assert!(ends_with_a_kill(&mut auslese_command(dir.path(), &args), step), "{step}");
    }
    let report = import(dir.path(), &["a.warc"], 0);
    let file = &report["files"][0];
    let sum = file["captures"].as_u64().unwrap() + file["known"].as_u64().unwrap();
    assert_eq!(sum, 1_102, "{report}");
    let again = import(dir.path(), &["a.warc"], 0);
    assert_eq!(
        (&again["files"][0]["captures"], &again["files"][0]["known"]),
        (&0.into(), &1_102.into())
    );
    let rounds = auslese(dir.path(), &["rounds", "list", "--dir", "h", "--json"]);
    let rounds: Value = serde_json::from_str(&stdout(&rounds)).unwrap();
    assert_eq!(rounds.as_array().unwrap().len(), 1, "{rounds}");
}

#[test]
fn a_document_is_removed_at_once_or_not_at_all() {
    let steps = ["after-append", "before-commit", "after-commit", "after-rename"];
    for step in steps {
        let dir = empty();
        fs::write(dir.path().join("a.warc"), archive_of(3)).unwrap();
        import(dir.path(), &["a.warc"], 0);
        auslese(dir.path(), &["corpus", "--dir", "h", "--quiet"]);
        let (url, file) = ("http://www.uni.example/1.html", dir.path().join("h/archive/a.warc"));
        let remove = ["archive", "remove", url, "--dir", "h", "--reason", "asked", "--yes"];
        assert!(ends_with_a_kill(&mut auslese_command(dir.path(), &remove), step), "{step}");
        let output = auslese(dir.path(), &remove);
        assert_eq!(output.status.code(), Some(0), "{step}: {}", stderr(&output));

        let held = targets(&file);
        assert!(held.iter().all(|it| !it.contains("/1.html")), "{step}: {held:?}");
        assert!(
            held.contains(&"response http://www.uni.example/copy-a.html".to_owned()),
            "{held:?}"
        );
        assert!(
            held.contains(&"revisit http://www.uni.example/copy-b.html".to_owned()),
            "{held:?}"
        );
        assert!(verify(&file).unwrap().is_sound(), "{step}");
        assert_eq!(fs::read_dir(dir.path().join("h/archive")).unwrap().count(), 1, "{step}");
        assert!(!dir.path().join("h/mirror/www.uni.example@http/1.html").exists(), "{step}");

        let removals = auslese(dir.path(), &["archive", "removals", "--dir", "h", "--json"]);
        let removals: Value = serde_json::from_str(&stdout(&removals)).unwrap();
        assert_eq!(removals.as_array().unwrap().len(), 1, "{step}: {removals}");
        assert_eq!(
            (&removals[0]["reason"], &removals[0]["promoted"]),
            (&"asked".into(), &1.into())
        );
        let corpus = auslese(dir.path(), &["corpus", "--dir", "h", "--quiet", "--again", "--json"]);
        let corpus: Value = serde_json::from_str(&stdout(&corpus)).unwrap();
        assert_eq!(corpus["kept"], 4, "{step}: {corpus}");

        // What was removed does not come back with the file it came from.
        let again = import(dir.path(), &["a.warc"], 0);
        assert_eq!(
            (&again["files"][0]["captures"], &again["files"][0]["removed"]),
            (&0.into(), &2.into())
        );
    }
}

#[test]
fn a_removal_wants_a_reason_and_a_confirmation() {
    let dir = empty();
    fs::write(dir.path().join("a.warc"), archive_of(1)).unwrap();
    import(dir.path(), &["a.warc"], 0);
    let url = "http://www.uni.example/1.html";
    let remove = |more: &[&str]| {
        let args = [&["archive", "remove", url, "--dir", "h"], more].concat();
        let output = auslese(dir.path(), &args);
        (output.status.code(), stdout(&output), stderr(&output))
    };
    assert_eq!(remove(&[]).0, Some(2));
    let (code, _, said) = remove(&["--reason", "asked"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("--yes"), "{said}");
    let (code, shown, _) = remove(&["--dry-run"]);
    assert_eq!(code, Some(0));
    assert!(shown.contains("archive/a.warc is written anew"), "{shown}");
    assert_eq!(targets(&dir.path().join("h/archive/a.warc")).len(), 6);
}

#[test]
fn all_below_an_address_is_removed() {
    let dir = empty();
    fs::write(dir.path().join("a.warc"), archive_of(12)).unwrap();
    import(dir.path(), &["a.warc"], 0);
    let remove = |url: &str, more: &[&str]| {
        let args =
            ["archive", "remove", url, "--below", "--dir", "h", "--reason", "asked", "--yes"];
        auslese(dir.path(), &[&args, more].concat())
    };
    let output = remove("http://www.uni.example/nothing/", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("nothing/ is not known here"), "{}", stderr(&output));
    // `_` and `%` mean nothing.
    assert_eq!(remove("http://www.uni.example/_", &[]).status.code(), Some(1));
    assert_eq!(auslese(dir.path(), &["corpus", "--dir", "h", "-q"]).status.code(), Some(0));
    let output = remove("http://www.uni.example/1", &["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let copy = "note: http://www.uni.example/copy-a.html is an exact copy and stays";
    assert!(stderr(&output).contains(copy), "{}", stderr(&output));
    let removals: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let mut urls: Vec<&str> =
        removals.as_array().unwrap().iter().filter_map(|it| it["url"].as_str()).collect();
    urls.sort_unstable();
    let expected = ["1.html", "10.html", "11.html", "12.html"];
    assert_eq!(urls, expected.map(|page| format!("http://www.uni.example/{page}")));
    let left = targets(&dir.path().join("h/archive/a.warc"));
    assert!(left.iter().all(|url| !url.contains("example/1")), "{left:?}");
    assert!(left.iter().any(|url| url.ends_with("/2.html")), "{left:?}");
}

/// Linked files share the disk with their sources, and a removal does not reach back to these.
#[test]
fn linked_files_and_removals_from_all_files() {
    use std::os::unix::fs::MetadataExt;
    let dir = empty();
    let dir = dir.path();
    let url = "http://www.uni.example/1.html";
    // A text made of the page, which the catalog does not know.
    let text = record("conversion", "text", url, "Content-Type: text/plain\r\n", "die Seite 1");
    fs::write(dir.join("a.warc"), archive_of(1)).unwrap();
    let info = record("warcinfo", "info-2", "", "", "software: by hand\r\n");
    fs::write(dir.join("b.warc"), info + &page(2) + &text).unwrap();
    import(dir, &["--link", "a.warc", "b.warc"], 0);
    let inode = |path: &str| fs::metadata(dir.join(path)).unwrap().ino();
    for file in ["a.warc", "b.warc"] {
        assert_eq!(inode(&format!("h/archive/{file}")), inode(file), "{file}");
    }
    let remove = |more: &[&str]| {
        let args = ["archive", "remove", url, "--dir", "h", "--reason", "asked", "--yes"];
        let output = auslese(dir, &[&args[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{more:?}: {}", stderr(&output));
    };
    let holds = |path: &str| targets(&dir.join(path)).iter().any(|it| it.ends_with("/1.html"));
    remove(&[]);
    assert!(!holds("h/archive/a.warc") && holds("h/archive/b.warc"));
    remove(&["--all-files"]);
    assert!(!holds("h/archive/b.warc"));
    assert!(holds("a.warc") && holds("b.warc"), "the sources are not ours");
    let verify = auslese(dir, &["archive", "verify", "--dir", "h"]);
    assert_eq!(verify.status.code(), Some(0), "{}", stdout(&verify));
}

#[test]
fn files_of_wget() {
    let dir = empty();
    let site = small_site();
    let wget = |name: &str, more: &[&str]| {
        let mut command = Command::new("wget");
        let file = format!("--warc-file={name}");
        command.args(["-q", "-r", "-e", "robots=off", "--no-proxy", "-P", name, &file]);
        // Its exit code is about the missing page.
        command.args(more).arg(&site).current_dir(dir.path()).output().is_ok()
    };
    if !wget("packed", &["--warc-cdx"]) {
        return skipped("files_of_wget", "wget is not installed");
    }
    wget("plain", &["--no-warc-compression"]);
    wget("again", &["--warc-dedup=packed.cdx"]);
    let report = import(dir.path(), &["again.warc.gz", "packed.warc.gz", "plain.warc"], 0);
    let counts = |file: usize| {
        let file = &report["files"][file];
        ["captures", "revisits", "orphans"].map(|name| file[name].as_u64().unwrap())
    };
    assert_eq!(counts(1), [3, 0, 0], "{report}");
    assert_eq!(counts(2), [3, 0, 0], "{report}");
    let [captures, revisits, orphans] = counts(0);
    assert_eq!((captures, orphans), (3, 0), "{report}");
    assert!(revisits > 0, "{report}");
    let page = format!("{site}a");
    let explained = stdout(&auslese(dir.path(), &["explain", &page, "--dir", "h"]));
    assert_eq!(explained.matches("\ncapture: ").count(), 3, "{explained}");
    // The page with the word, and the one that a link calls so.
    assert_eq!(found(dir.path(), "home"), [site, page]);
}

#[test]
fn files_of_warcio() {
    let Some(python) = std::env::var_os("AUSLESE_PYTHON") else {
        return skipped("files_of_warcio", "AUSLESE_PYTHON names no Python with warcio");
    };
    let dir = empty();
    let written = Command::new(python).arg("-c").arg(WARCIO).current_dir(dir.path()).output();
    let written = written.unwrap();
    assert!(written.status.success(), "{}", stderr(&written));
    let report = import(dir.path(), &["a.warc.gz", "shared.warc.gz"], 0);
    let counts = ["captures", "revisits", "orphans"];
    let counts = counts.map(|name| report["files"][0][name].as_u64().unwrap());
    assert_eq!(counts, [3, 1, 0], "{report}");
    assert_eq!(report["files"][1]["known"], 3, "{report}");
    assert_eq!(report["files"][1]["stored_as"], Value::Null, "{report}");
    // The page, the same by a form, and the copy that is only referred to.
    let host = "http://www.uni.example";
    let expected = [format!("{host}/"), format!("{host}/"), format!("{host}/copy")];
    assert_eq!(found(dir.path(), "eins"), expected);
}

/// A page, the same page again under another address, a form; and the same in one gzip member.
const WARCIO: &str = r#"
import gzip
from io import BytesIO
from warcio.statusandheaders import StatusAndHeaders as Head
from warcio.warcwriter import WARCWriter
with open('a.warc.gz', 'wb') as file:
    writer = WARCWriter(file, gzip=True)
    head = Head('200 OK', [('Content-Type', 'text/html')], protocol='HTTP/1.1')
    def answer(url):
        return writer.create_warc_record(url, 'response', payload=BytesIO(b'<p>eins'), http_headers=head)
    page = answer('http://www.uni.example/')
    writer.write_record(page)
    digest, date = (page.rec_headers.get_header(name) for name in ('WARC-Payload-Digest', 'WARC-Date'))
    writer.write_record(writer.create_revisit_record(
        'http://www.uni.example/copy', digest, 'http://www.uni.example/', date, http_headers=head))
    sent = Head('POST / HTTP/1.1', [('Host', 'www.uni.example'), ('Content-Length', '3')], is_http_request=True)
    asked = writer.create_warc_record(
        'http://www.uni.example/', 'request', payload=BytesIO(b'a=1'), http_headers=sent)
    writer.write_request_response_pair(asked, answer('http://www.uni.example/'))
plain = gzip.open('a.warc.gz').read()
open('shared.warc.gz', 'wb').write(gzip.compress(plain))
"#;
