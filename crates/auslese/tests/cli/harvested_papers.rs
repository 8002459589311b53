//! Papers in a harvest: those that can be read are described, those that want to do harm cost nothing
//! but themselves.

use super::{auslese, empty, stderr, stdout};
use auslese_testnet::{Answer, Internet, Site, demo};
use flate2::{Compress, Compression, FlushCompress};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const CONFIG: &str = "[crawl]\nseeds = [\"http://papers.example/\"]\n\
    [crawl.politeness]\ndelay = \"0\"\n[describe]\nhelper_time = \"3s\"\n";

fn preprint(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testnet/preprints/files");
    fs::read(folder.join(name)).unwrap()
}

fn layout_tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../layout/tests")
}

/// A deflate stream of so many MiB of blanks: one block of them, said again and again.
fn blanks(mebibytes: usize) -> Vec<u8> {
    let mut deflate = Compress::new(Compression::best(), false);
    let mut block = Vec::with_capacity(1 << 16);
    deflate.compress_vec(&vec![b' '; 1 << 20], &mut block, FlushCompress::Full).unwrap();
    let mut stream = block.repeat(mebibytes);
    // An empty last block.
    stream.extend([0x03, 0x00]);
    stream
}

/// One page whose text has 10 GB, packed twice.
fn huge_stream() -> Vec<u8> {
    let mut inner = vec![0x78, 0xDA];
    inner.extend(blanks(10 << 10));
    let mut deflate = Compress::new(Compression::best(), true);
    let mut outer = Vec::with_capacity(inner.len());
    deflate.compress_vec(&inner, &mut outer, FlushCompress::Finish).unwrap();
    assert!(outer.len() < 1 << 20, "{}", outer.len());
    pdf(&format!("/Length {} /Filter [/FlateDecode /FlateDecode]", outer.len()), &outer, "3 0 R")
}

/// A PDF of one page; `pages` is what its tree of pages has for kids.
fn pdf(stream: &str, content: &[u8], kids: &str) -> Vec<u8> {
    let mut file = format!(
        "%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n\
         2 0 obj <</Type /Pages /Parent 2 0 R /Count 1 /Kids [{kids}]>> endobj\n\
         3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R>> endobj\n\
         4 0 obj <<{stream}>> stream\n"
    )
    .into_bytes();
    file.extend(content);
    file.extend(b"\nendstream endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n");
    file
}

/// A DOCX whose text has 2 GB, in an archive of its one part.
fn zip_bomb() -> Vec<u8> {
    let (name, data) = (b"word/document.xml", blanks(2 << 10));
    let sizes = [0, data.len() as u32, 2 << 30].map(u32::to_le_bytes).concat();
    let names = [name.len() as u16, 0].map(u16::to_le_bytes).concat();
    let head = [20_u16, 0, 8, 0, 0].map(u16::to_le_bytes).concat();
    let local = [b"PK\x03\x04", &head[..], &sizes, &names, name, &data].concat();
    let rest = [&[0; 6][..], &[0; 4], &[0; 4]].concat();
    let central = [b"PK\x01\x02\x14\0", &head[..], &sizes, &names, &rest, &name[..]].concat();
    let counts = [0_u16, 0, 1, 1].map(u16::to_le_bytes).concat();
    let places = [central.len() as u32, local.len() as u32].map(u32::to_le_bytes).concat();
    [&local[..], &central, b"PK\x05\x06", &counts, &places, &[0, 0]].concat()
}

/// What each document is called, what it says it is, its bytes, and the reason that it cannot be
/// described, if so.
fn documents(secret: &Path) -> Vec<(&'static str, &'static str, Vec<u8>, &'static str)> {
    let whole = preprint("syzygies.pdf");
    let circle = pdf("/Length 4 0 R", b"", "2 0 R 3 0 R 2 0 R");
    let wants = |what: &str| format!("%!PS\n{what}\n").into_bytes();
    let secret = secret.to_str().unwrap();
    let locked = fs::read(layout_tests().join("data/pdf/locked.pdf")).unwrap();
    let word = fs::read(layout_tests().join("documents/paper.doc")).unwrap();
    #[rustfmt::skip]
    let documents = vec![
        ("whole.pdf",     "application/octet-stream", whole.clone(),                   ""),
        ("lattice.ps.gz", "application/x-gzip",       preprint("lattice-eleven.ps.gz"), ""),
        ("word",          "text/html",                word,                             ""),
        ("loop.ps",       "application/postscript",   wants("{ } loop"),                "took longer than 3"),
        ("reads.ps",      "application/postscript",   wants(&format!("({secret}) (r) file 99 string readstring pop /Courier 9 selectfont 9 9 moveto show showpage")), "error"),
        ("writes.ps",     "application/postscript",   wants(&format!("({secret}.new) (w) file closefile")), "error"),
        ("huge.pdf",      "application/pdf",          huge_stream(),                    "large-stream"),
        ("circle.pdf",    "application/pdf",          circle,                           "damaged"),
        ("bomb.docx",     "application/zip",          zip_bomb(),                       "too-large-unpacked"),
        ("cut.pdf",       "application/pdf",          whole[..whole.len() / 20].to_vec(), "no text"),
        ("locked.pdf",    "application/pdf",          locked,                           "password"),
    ];
    documents
}

#[test]
fn papers_that_do_harm_cost_themselves_only() {
    let dir = empty();
    let dir = dir.path();
    let secret = dir.join("secret");
    fs::write(&secret, "TopSecretWord").unwrap();
    let documents = documents(&secret);
    let links: String =
        documents.iter().map(|it| format!("<a href=\"/{}\">{}</a> ", it.0, it.0)).collect();
    let landing = "<title>Über Syzygien</title><h1>Über Syzygien</h1>\
        <meta name=citation_title content='Über Syzygien'>\
        <meta name=citation_pdf_url content='http://papers.example/locked.pdf'>";
    let mut site = Site::new("http://papers.example")
        .page("/", format!("<title>Papers</title>{links}<a href=/landing.html>one</a>"))
        .page("/landing.html", landing);
    for (name, media_type, body, _) in &documents {
        site = site.answer(&format!("/{name}"), Answer::file(media_type, body.clone()));
    }
    let net = Internet::new().site(site).start().unwrap();
    fs::create_dir(dir.join("h")).unwrap();
    fs::write(dir.join("h/auslese.toml"), CONFIG).unwrap();
    fs::write(dir.join("net.toml"), net.net_settings_toml()).unwrap();
    let done = |args: &[&str]| {
        let output = auslese(dir, args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
        stdout(&output)
    };
    done(&["crawl", "--dir", "h", "--net", "net.toml", "--quiet"]);
    done(&["corpus", "--dir", "h", "--quiet"]);
    done(&["describe", "--dir", "h", "--quiet"]);
    let told = done(&["runs", "export", "--format", "jsonl", "--dir", "h"]);
    assert!(!told.contains("TopSecretWord"));
    assert!(!dir.join("secret.new").exists());
    let told: BTreeMap<String, Value> = told
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter_map(|line| Some((line["id"].as_str()?.to_owned(), line["description"].clone())))
        .collect();
    let mut misfits = Vec::new();
    for (name, _, _, reason) in &documents {
        let said = &told[&format!("http://papers.example/{name}")];
        let trouble = said["trouble"].as_str().unwrap_or_default();
        let fits = !reason.is_empty() && trouble.contains(reason)
            || trouble.is_empty() && reason.is_empty();
        if !fits {
            misfits.push(format!("{name}: {trouble:?} has no {reason:?}"));
        }
    }
    assert!(misfits.is_empty(), "{}", misfits.join("\n"));
    let title = |name: &str| {
        let said = &told[&format!("http://papers.example/{name}")]["statements"];
        let is_title = |it: &&Value| it["field"] == "title" && it["chosen"] == true;
        let title = said.as_array().unwrap().iter().find(is_title);
        title.map(|it| it["value"].as_str().unwrap().to_owned())
    };
    let lattice = title("lattice.ps.gz").unwrap();
    assert_eq!(lattice.to_lowercase(), "automorphisms of a lattice of rank eleven");
    assert!(title("whole.pdf").is_some() && title("word").is_some());
    // Nobody can read it, but a page says what it is.
    assert_eq!(title("locked.pdf").as_deref(), Some("Über Syzygien"));
    let explained = done(&[
        "heuristics",
        "explain",
        "http://papers.example/lattice.ps.gz",
        "--field",
        "title",
        "--dir",
        "h",
    ]);
    assert!(explained.contains("/document/page"), "{explained}");
}

/// Harvests the two institutes of the demo that have papers, and describes what they have.
fn institutes(dir: &Path) {
    let net = demo::internet().start().unwrap();
    let seeds =
        "[\"http://math.uni-hohenwerth.example/\", \"http://soziologie.uni-hohenwerth.example/\"]";
    let config = format!("[crawl]\nseeds = {seeds}\n[crawl.politeness]\ndelay = \"0\"\n");
    fs::create_dir(dir.join("h")).unwrap();
    fs::write(dir.join("h/auslese.toml"), config).unwrap();
    fs::write(dir.join("net.toml"), net.net_settings_toml()).unwrap();
    for args in [&["crawl", "--net", "net.toml"][..], &["corpus"], &["describe"]] {
        let output = auslese(dir, &[args, &["--dir", "h", "--quiet"]].concat());
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn the_papers_of_the_demo_cite_each_other_as_they_should() {
    let dir = empty();
    let dir = dir.path();
    institutes(dir);
    let truth: Vec<_> = demo::paper_truth().into_iter().chain(demo::office_truth()).collect();
    let known: BTreeSet<(String, String)> = truth
        .iter()
        .flat_map(|paper| paper.cites.iter().map(|cited| (paper.url.clone(), cited.clone())))
        .collect();
    assert!(known.len() > 10, "{known:?}");
    let told = auslese(dir, &["citations", "--json", "--dir", "h"]);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let found: BTreeSet<(String, String)> = stdout(&told)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|edge| (text(&edge["citing"]), text(&edge["cited"])))
        // Lists of publications on pages are known to nobody.
        .filter(|(citing, _)| truth.iter().any(|paper| paper.url == *citing))
        .collect();
    assert_eq!(found, known);

    let (citing, cited) = known.first().unwrap();
    let explained =
        auslese(dir, &["heuristics", "explain", citing, "--field", "references", "--dir", "h"]);
    let explained = stdout(&explained);
    assert!(explained.contains(&format!("→ {cited}")), "{explained}");
    assert!(explained.contains("authors: ") && explained.contains("year: "), "{explained}");

    let said = auslese(dir, &["runs", "export", "--format", "jsonl", "--dir", "h"]);
    let said = stdout(&said);
    let wrong: Vec<&str> = truth
        .iter()
        .filter(|paper| !said.lines().any(|line| has_title(line, &paper.url, &paper.title)))
        .map(|paper| paper.title.as_str())
        .collect();
    assert!(wrong.len() <= 1, "{wrong:?}");
}

/// Whether a line of a run says that the document has this title, perhaps with a subtitle.
fn has_title(line: &str, url: &str, title: &str) -> bool {
    let line: Value = serde_json::from_str(line).unwrap();
    let letters = |text: &str| -> String {
        text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let statements = line["description"]["statements"].as_array();
    let is_title = |it: &&Value| it["field"] == "title" && it["chosen"] == true;
    let said = statements.and_then(|all| all.iter().find(is_title));
    line["id"] == url
        && said
            .is_some_and(|it| letters(it["value"].as_str().unwrap()).starts_with(&letters(title)))
}
