//! Archives of others through the door: taken over, chosen from, and documents taken out again; on
//! both databases.

use crate::field::Field;
use auslese_archive::{ArchiveSettings, Reader, verify};
use auslese_catalog::CatalogSettings;
use auslese_corpus::CharsetNote;
use auslese_crawl::CanonicalRules;
use auslese_harvest::{
    ImportJob, ImportProgress, ImportReport, ImportWatching, Institutions, RemovalJob,
    RemovalPreview, RemovalReport, import, preview_removal, remove_documents,
};
use auslese_testnet::Internet;
use auslese_testnet::postgres::Cluster;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tokio::sync::watch;

pub(crate) const HOST: &str = "http://www.uni.example";
pub(crate) const HTTP: &str = "Content-Type: application/http; msgtype=response\r\n";

/// A harvest without a crawl, in a file and in PostgreSQL.
fn fields() -> [Field; 2] {
    let database = Cluster::shared().create_database().unwrap();
    let [file, server] = [(); 2].map(|()| Field::new(Internet::new()));
    [file, server.with_database(database)]
}

/// A WARC file that is being written by hand.
pub(crate) struct Foreign {
    path: PathBuf,
    text: String,
    month: u8,
}

impl Foreign {
    pub(crate) fn new(folder: &Path, name: &str) -> Foreign {
        Foreign { path: folder.join(name), text: String::new(), month: 1 }
    }

    /// Records that follow are of this month.
    fn month(mut self, month: u8) -> Foreign {
        self.month = month;
        self
    }

    pub(crate) fn record(
        mut self,
        kind: &str,
        id: &str,
        url: &str,
        more: &str,
        block: &str,
    ) -> Foreign {
        let (month, length) = (self.month, block.len());
        let target =
            if url.is_empty() { String::new() } else { format!("WARC-Target-URI: {url}\r\n") };
        self.text += &format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\n\
             WARC-Date: 2026-{month:02}-02T03:04:05Z\r\n{target}{more}\
             Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
        );
        self
    }

    fn answer(self, id: &str, path: &str, status: &str, body: &str) -> Foreign {
        let block = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n{body}");
        self.record("response", id, &format!("{HOST}{path}"), HTTP, &block)
    }

    pub(crate) fn page(self, id: &str, path: &str, text: &str) -> Foreign {
        self.answer(id, path, "200 OK", &format!("<title>{id}</title><p>{text}"))
    }

    /// What accompanies an answer.
    fn beside(self, kind: &str, id: &str, path: &str, media_type: &str, block: &str) -> Foreign {
        let more = format!("WARC-Concurrent-To: <urn:uuid:{id}>\r\nContent-Type: {media_type}\r\n");
        let own = format!("{kind}-of-{id}");
        self.record(kind, &own, &format!("{HOST}{path}"), &more, block)
    }

    pub(crate) fn metadata(self, id: &str, path: &str, block: &str) -> Foreign {
        self.beside("metadata", id, path, "application/warc-fields", block)
    }

    fn post(self, id: &str, path: &str, body: &str) -> Foreign {
        let length = body.len();
        let block = format!(
            "POST {path} HTTP/1.1\r\nHost: www.uni.example\r\nContent-Length: {length}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\n\r\n{body}"
        );
        self.beside("request", id, path, "application/http; msgtype=request", &block)
    }

    pub(crate) fn write(self) -> PathBuf {
        fs::write(&self.path, self.text).unwrap();
        self.path
    }
}

impl Field {
    pub(crate) fn import(
        &self,
        files: Vec<PathBuf>,
        change: impl FnOnce(&mut ImportJob),
    ) -> ImportReport {
        let mut job = ImportJob {
            catalog: self.catalog(),
            catalog_settings: CatalogSettings::default(),
            files,
            link: false,
            archive: ArchiveSettings::default(),
            canonical: CanonicalRules::default(),
            institutions: Institutions::default(),
            worker: "test".to_owned(),
            config_text: String::new(),
        };
        change(&mut job);
        let (progress, _) = watch::channel(ImportProgress::default());
        let (_go_on, stop) = watch::channel(false);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let watching = ImportWatching { progress, stop };
        runtime.block_on(import(&self.dir(), job, watching)).unwrap()
    }

    fn removal(&self, path: &str, all_files: bool) -> RemovalJob {
        RemovalJob {
            catalog: self.catalog(),
            catalog_settings: CatalogSettings::default(),
            urls: vec![format!("{HOST}{path}").parse().unwrap()],
            reason: "asked".to_owned(),
            by: "test".to_owned(),
            all_files,
            archive: ArchiveSettings::default(),
            canonical: CanonicalRules::default(),
            charset_note: CharsetNote::default(),
        }
    }

    fn preview(&self, path: &str) -> RemovalPreview {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(preview_removal(&self.removal(path, false))).unwrap()
    }

    fn remove(&self, path: &str, all_files: bool) -> RemovalReport {
        let job = self.removal(path, all_files);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(remove_documents(&self.dir(), &job)).unwrap()
    }

    fn verdict(&self, path: &str) -> String {
        self.judged(&format!("{HOST}{path}")).verdict()
    }

    /// What lies in the mirror, by address and order.
    fn mirrored(&self) -> BTreeMap<String, Vec<String>> {
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for listed in self.documents() {
            let Some(path) = listed.document.mirror_path else { continue };
            let text = fs::read_to_string(self.dir().mirror().join(path)).unwrap();
            texts.entry(listed.url).or_default().push(text);
        }
        texts
    }
}

/// Kinds and addresses of the records of a file, after a check of the whole.
fn records(path: &Path) -> Vec<String> {
    let verified = verify(path).unwrap();
    assert!(verified.is_sound(), "{}: {verified:?}", path.display());
    let mut reader = Reader::open(path).unwrap();
    std::iter::from_fn(|| reader.next_record().unwrap())
        .map(|record| format!("{} {}", record.kind(), record.target().unwrap_or_default()))
        .collect()
}

/// A file as Heritrix writes it: who did it, and for every answer how it was found.
#[test]
fn files_of_heritrix() {
    let folder = tempfile::tempdir().unwrap();
    let info = "software: Heritrix/3.4.0 http://crawler.archive.org\r\nip: 192.0.2.1\r\n\
                hostname: crawler.uni.example\r\nformat: WARC File Format 1.0\r\n\
                operator: The Library\r\nrobots: obey\r\n\r\n";
    let more = "WARC-Filename: h.warc\r\nContent-Type: application/warc-fields\r\n";
    let found = |via: &str, hops: &str| {
        format!(
            "via: {via}\r\nhopsFromSeed: {hops}\r\nfetchTimeMs: 12\r\n\
             charsetForLinkExtraction: UTF-8\r\noutlink: {HOST}/z.html L a/@href\r\n\r\n"
        )
    };
    let start = format!("{HOST}/");
    // What was found lies in the file before the page it was found on.
    let path = Foreign::new(folder.path(), "h.warc")
        .record("warcinfo", "info", "", more, info)
        .record("response", "dns", "dns:www.uni.example", "Content-Type: text/dns\r\n", "20260102")
        .answer("robots", "/robots.txt", "200 OK", "User-agent: *\n")
        .metadata("robots", "/robots.txt", &found(&start, "P"))
        .page("b", "/a/b.html", "Das ist die zweite Seite.")
        .metadata("b", "/a/b.html", &found(&format!("{HOST}/a.html"), "LL"))
        .page("a", "/a.html", "<a href='/a/b.html'>Die zweite Seite</a>")
        .metadata("a", "/a.html", &found(&start, "L"))
        .page("start", "/", "<a href='/a.html'>Die erste Seite</a>")
        .metadata("start", "/", "seed: \r\nfetchTimeMs: 3\r\n\r\n")
        .page("lost", "/lost.html", "Niemand weiß, woher.")
        .metadata("lost", "/lost.html", &found("http://far.example/", "X"))
        .write();
    for field in fields() {
        let report = field.import(vec![path.clone()], |_| {});
        let [file] = report.files.as_slice() else { panic!("{report:?}") };
        let counts = (file.captures, file.companions, file.other_addresses, file.damage_count);
        assert_eq!(counts, (5, 6, 1, 0), "{file:?}");
        assert_eq!(file.rewritten, None);
        let chain = |path: &str| -> Vec<String> {
            let known = field.request(&format!("{HOST}{path}")).unwrap();
            assert!(known.hops.0.starts_with('I'), "{known:?}");
            let chain = field.with_catalog(async |it| it.via_chain(known.id).await.unwrap());
            chain.into_iter().map(|known| known.url.replace(HOST, "")).collect()
        };
        assert_eq!(chain("/a/b.html"), ["/a/b.html", "/a.html", "/"]);
        assert_eq!(chain("/robots.txt"), ["/robots.txt", "/"]);
        assert_eq!(chain("/lost.html"), ["/lost.html"]);
        field.corpus(|_| {});
        assert_eq!(field.verdict("/a/b.html"), "kept all");
        assert_eq!(field.verdict("/robots.txt"), "left machinery");
        let again = field.import(vec![path.clone()], |_| {});
        assert_eq!((again.files[0].captures, again.files[0].known), (0, 5));
    }
}

/// Two pages that claim to be found on each other are no endless story.
#[test]
fn referrers_in_a_circle() {
    let folder = tempfile::tempdir().unwrap();
    let via = |path: &str| format!("via: {HOST}{path}\r\n");
    let path = Foreign::new(folder.path(), "c.warc")
        .page("a", "/a.html", "Eins.")
        .metadata("a", "/a.html", &via("/b.html"))
        .page("b", "/b.html", "Zwei.")
        .metadata("b", "/b.html", &via("/a.html"))
        .page("c", "/c.html", "Drei.")
        .metadata("c", "/c.html", &via("/c.html"))
        .write();
    let field = Field::new(Internet::new());
    field.import(vec![path], |_| {});
    for (page, steps) in [("/a.html", 2), ("/c.html", 1)] {
        let known = field.request(&format!("{HOST}{page}")).unwrap();
        let chain = field.with_catalog(async |it| it.via_chain(known.id).await.unwrap());
        assert_eq!(chain.len(), steps, "{chain:?}");
    }
}

/// One address, asked for by GET and by two forms.
#[test]
fn answers_to_forms_are_documents_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = Foreign::new(folder.path(), "forms.warc")
        .page("wehr", "/suche", "Das Wehr ist wegen Hochwassers geschlossen.")
        .post("wehr", "/suche", "q=wehr")
        .page("pegel", "/suche", "Der Pegel steht heute bei zwei Metern.")
        .post("pegel", "/suche", "q=pegel")
        .page("form", "/suche", "Was wird gesucht?")
        .page("start", "/", "<a href='/suche'>Suche</a>")
        .answer("old", "/find", "301 Moved\r\nLocation: /suche", "")
        .page("page", "/page.html", "<a href='/find'>Suche</a>")
        .write();
    for field in fields() {
        field.import(vec![path.clone()], |_| {});
        let report = field.corpus(|job| job.mirror = true).mirror.unwrap();
        assert_eq!((report.written, report.failed), (5, 0));
        let mirrored = field.mirrored();
        let mut found = mirrored[&format!("{HOST}/suche")].clone();
        found.sort();
        assert_eq!(found.len(), 3);
        for (text, word) in found.iter().zip(["form", "pegel", "wehr"]) {
            assert!(text.contains(&format!("<title>{word}</title>")), "{text}");
        }
        // Links lead to the form, not to an answer, also by a redirect.
        for page in ["/", "/page.html"] {
            let text = &mirrored[&format!("{HOST}{page}")][0];
            assert!(text.contains("<a href='suche@.html'>"), "{text}");
        }
        // The file names its request.
        for listed in field.documents() {
            let Some(path) = listed.document.mirror_path else { continue };
            let key: String = listed.key.0.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(path.contains(&format!("@p{key}")), listed.method.as_str() == "POST");
        }
        assert_eq!(field.corpus(|job| job.mirror = true).mirror.unwrap().written, 0);
    }
}

/// A server that has trouble says nothing about its documents; one that answers 404 does.
#[test]
fn the_last_word_on_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let text = "Das Wehr ist wegen Hochwassers geschlossen.";
    let first = Foreign::new(folder.path(), "1.warc")
        .page("one", "/one", text)
        .page("two", "/two", text)
        .answer("bad", "/bad", "500 Sorry", "");
    let second = Foreign::new(folder.path(), "2.warc")
        .month(2)
        .answer("one-2", "/one", "503 Later", "later")
        .answer("two-2", "/two", "404 Gone", "");
    let third =
        Foreign::new(folder.path(), "3.warc").month(3).answer("two-3", "/two", "502 Sorry", "");
    let files = [first, second, third].map(Foreign::write);
    for field in fields() {
        field.import(vec![files[0].clone()], |_| {});
        field.corpus(|_| {});
        assert_eq!(field.verdict("/one"), "kept all");
        field.import(vec![files[1].clone()], |_| {});
        field.corpus(|job| job.mirror = true);
        let one = field.judged(&format!("{HOST}/one"));
        assert_eq!((one.verdict().as_str(), one.listed.document.gone), ("kept all", false));
        let excuse =
            "nothing speaks against it; the newest answer, status 503, is taken for temporary";
        assert_eq!(one.reason(), excuse);
        assert!(one.listed.document.mirror_path.is_some());
        for _ in 0..2 {
            let two = field.judged(&format!("{HOST}/two"));
            assert_eq!((two.verdict().as_str(), two.listed.document.gone), ("left status", true));
            assert!(two.reason().starts_with("status 404"), "{}", two.reason());
            field.import(vec![files[2].clone()], |_| {});
            field.corpus(|_| {});
        }
        assert_eq!(field.judged(&format!("{HOST}/bad")).reason(), "status 500");
    }
}

#[test]
fn linked_files_take_no_room() {
    let folder = tempfile::tempdir().unwrap();
    let path = Foreign::new(folder.path(), "l.warc").page("a", "/a.html", "Eins.").write();
    for (link, same) in [(true, true), (false, false)] {
        let field = Field::new(Internet::new());
        let report = field.import(vec![path.clone()], |job| job.link = link);
        let stored = field.dir().archive().join(report.files[0].stored_as.as_ref().unwrap());
        let inode = |path: &Path| fs::metadata(path).unwrap().ino();
        assert_eq!(inode(&stored) == inode(&path), same);
        field.corpus(|_| {});
        assert_eq!(field.verdict("/a.html"), "kept all");
    }
}

/// A document goes everywhere, and does not come back.
#[test]
fn documents_are_taken_out() {
    let folder = tempfile::tempdir().unwrap();
    let revisit = "WARC-Refers-To: <urn:uuid:secret>\r\nWARC-Profile: \
                   http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n\
                   WARC-Refers-To-Target-URI: http://www.uni.example/secret.html\r\n";
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let copy = format!("{HOST}/copy.html");
    let info = "Content-Type: application/warc-fields\r\n";
    let first = Foreign::new(folder.path(), "1.warc")
        .record("warcinfo", "info-1", "", info, "software: by hand\r\n")
        .page("secret", "/secret.html", "Das Wehr ist geschlossen.")
        .metadata("secret", "/secret.html", "via: http://www.uni.example/\r\n")
        .page("start", "/", "<a href='/secret.html'>x</a><a href='/copy.html'>y</a>")
        .record("revisit", "copy", &copy, &format!("{HTTP}{revisit}"), head)
        .write();
    // A text that was made of it, which the catalog does not know.
    let url = format!("{HOST}/secret.html");
    let second = Foreign::new(folder.path(), "2.warc")
        .record("warcinfo", "info-2", "", info, "software: by hand\r\n")
        .page("other", "/other.html", "Der Pegel steht bei zwei Metern.")
        .record("conversion", "text", &url, "Content-Type: text/plain\r\n", "Das Wehr.")
        .write();
    for field in fields() {
        field.import(vec![first.clone(), second.clone()], |_| {});
        field.corpus(|job| job.mirror = true);
        assert_eq!(field.mirrored().len(), 4);
        let archive = field.dir().archive();

        let preview = field.preview("/secret.html");
        assert_eq!((preview.requests.len(), preview.mirror.len()), (1, 1), "{preview:?}");
        assert_eq!(records(&archive.join("1.warc")).len(), 5, "a preview takes nothing");

        let report = field.remove("/secret.html", false);
        let [removal] = report.removals.as_slice() else { panic!("{report:?}") };
        assert_eq!((removal.captures, removal.promoted, removal.bereft), (1, 1, 0));
        let left = records(&archive.join("1.warc"));
        assert_eq!(left[1..], [format!("response {HOST}/"), format!("response {copy}")]);
        assert_eq!(records(&archive.join("2.warc")).len(), 3, "the catalog does not know of it");
        let mirrored = field.mirrored();
        assert!(!mirrored.contains_key(&url) && mirrored[&copy][0].contains("Wehr"));
        assert!(mirrored[&format!("{HOST}/")][0].contains(&format!("<a href='{url}'>")));
        assert_eq!(field.remove("/secret.html", false).removed_before.len(), 1);

        field.remove("/secret.html", true);
        let left = records(&archive.join("2.warc"));
        assert_eq!(left[1..], [format!("response {HOST}/other.html")]);

        let again = field.import(vec![first.clone(), second.clone()], |_| {});
        assert!(again.files.iter().all(|file| file.captures == 0), "{again:?}");
        assert!(again.files[0].removed > 0, "{again:?}");
        field.corpus(|job| job.mirror = true);
        assert_eq!(field.verdict("/secret.html"), "left not-fetched");
        assert_eq!(field.mirrored(), mirrored);
        assert_eq!(field.remove("/nobody.html", false).unknown.len(), 1);
    }
}
