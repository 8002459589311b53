//! A harvest made of a WARC file written by hand, served on two ports, and a client that shows every byte of an answer.

use auslese_archive::ArchiveSettings;
use auslese_catalog::{Catalog, CatalogSettings, Location};
use auslese_corpus::CorpusRules;
use auslese_corpus::language::{LanguageSettings, Recogniser};
use auslese_crawl::CanonicalRules;
use auslese_describe::{Heuristics, Weights};
use auslese_harvest::{
    CorpusJob, DescribeJob, DescribingSet, HarvestDir, ImportJob, ImportProgress, ImportWatching,
    Institutions, import,
};
use auslese_reader::{HelperPrograms, Limits, Readers, Start};
use auslese_serve::{
    Configuration, CorpusSetup, DescribeSets, Harvest, Server, Settings, Site, TransferSetup,
};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;

/// A WARC file that is being written.
#[derive(Default)]
pub(crate) struct Warc {
    bytes: Vec<u8>,
    records: usize,
}

impl Warc {
    /// An answer of a day in January 2026.
    pub(crate) fn answer(mut self, day: u8, url: &str, head: &str, body: &[u8]) -> Warc {
        self.records += 1;
        let block_length = head.len() + 4 + body.len();
        let header = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{}>\r\n\
             WARC-Date: 2026-01-{day:02}T03:04:05Z\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype=response\r\n\
             Content-Length: {block_length}\r\n\r\n{head}\r\n\r\n",
            self.records
        );
        self.bytes.extend_from_slice(header.as_bytes());
        self.bytes.extend_from_slice(body);
        self.bytes.extend_from_slice(b"\r\n\r\n");
        self
    }

    pub(crate) fn page(self, day: u8, url: &str, body: &str) -> Warc {
        self.answer(
            day,
            url,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8",
            body.as_bytes(),
        )
    }
}

/// A front end under test.
pub(crate) struct Front {
    pub(crate) dir: PathBuf,
    pub(crate) accounts: PathBuf,
    pub(crate) catalog: Catalog,
    pages: SocketAddr,
    replay: SocketAddr,
    _folder: TempDir,
}

/// Which port is asked.
#[derive(Clone, Copy)]
pub(crate) enum Port {
    Pages,
    Replay,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Front {
    pub(crate) async fn of(warc: Warc) -> Front {
        Front::with(warc, |_| {}).await
    }

    /// With settings that are changed before it begins; the accounts are in a file beside the harvest.
    pub(crate) async fn with(warc: Warc, set: impl FnOnce(&mut Settings)) -> Front {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("made.warc");
        std::fs::write(&file, &warc.bytes).unwrap();
        let dir = HarvestDir::create(folder.path().join("harvest")).unwrap();
        let location = Location::from(dir.catalog().as_path());
        let job = ImportJob {
            catalog: location.clone(),
            catalog_settings: CatalogSettings::default(),
            files: vec![file],
            link: false,
            archive: ArchiveSettings::default(),
            canonical: CanonicalRules::default(),
            institutions: Institutions::default(),
            worker: "test".to_owned(),
            config_text: String::new(),
        };
        let (progress, _) = watch::channel(ImportProgress::default());
        let (_go_on, stop) = watch::channel(false);
        let report = import(&dir, job, ImportWatching { progress, stop }).await.unwrap();
        assert!(!report.has_damage(), "{report:?}");
        let catalog = Catalog::open(&location, &CatalogSettings::default()).await.unwrap();
        let root = folder.path().join("harvest");
        let harvest = Harvest {
            name: "h".to_owned(),
            title: "H".to_owned(),
            dir,
            catalog: catalog.clone(),
            canonical: CanonicalRules::default(),
            recogniser: Recogniser::german(LanguageSettings::default()),
            transfer: TransferSetup::default(),
            configuration: Some(Arc::new(TestConfiguration {
                root: root.clone(),
                catalog: location,
            })),
            sql_url: None,
        };
        let readers = readers();
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let accounts = Some(folder.path().join("accounts.toml"));
        let mut settings =
            Settings { listen: any_port, replay_listen: any_port, accounts, ..Settings::default() };
        set(&mut settings);
        let mut site = Site::new(settings, vec![harvest], Arc::new(readers));
        let server = Server::bind(&mut site).await.unwrap();
        let (pages, replay) = (server.pages_address().unwrap(), server.replay_address().unwrap());
        tokio::spawn(server.run(Arc::new(site), std::future::pending()));
        let accounts = folder.path().join("accounts.toml");
        Front { dir: root, accounts, catalog, pages, replay, _folder: folder }
    }

    pub(crate) fn origin(&self, port: Port) -> String {
        let address = match port {
            Port::Pages => self.pages,
            Port::Replay => self.replay,
        };
        format!("http://{address}")
    }

    pub(crate) async fn get(&self, port: Port, target: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(port, "GET", target, headers).await
    }

    pub(crate) async fn replay(&self, target: &str) -> Answer {
        self.get(Port::Replay, target, &[]).await
    }

    pub(crate) async fn send(
        &self,
        port: Port,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
    ) -> Answer {
        self.send_body(port, method, target, headers, "").await
    }

    pub(crate) async fn send_body(
        &self,
        port: Port,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let address = match port {
            Port::Pages => self.pages,
            Port::Replay => self.replay,
        };
        let lines: String =
            headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let host = headers.iter().find(|(name, _)| *name == "Host");
        let host = host.map_or(format!("Host: {address}\r\n"), |_| String::new());
        let length = match body.len() {
            0 => String::new(),
            length => format!("Content-Length: {length}\r\n"),
        };
        let request = format!(
            "{method} {target} HTTP/1.1\r\n{host}Connection: close\r\n{length}{lines}\r\n{body}"
        );
        let mut stream = TcpStream::connect(address).await.unwrap();
        let mut bytes = Vec::new();
        // A server that has read enough may close before everything was sent.
        let _ = stream.write_all(request.as_bytes()).await;
        let _ = stream.read_to_end(&mut bytes).await;
        read_answer(&bytes)
    }
}

/// The heuristics that come with the program, and weights of the harvest if it has some; the corpus cannot be changed.
#[derive(Debug)]
struct TestConfiguration {
    root: PathBuf,
    catalog: Location,
}

impl TestConfiguration {
    fn set(&self, name: &str, file: &str) -> DescribingSet {
        let text = std::fs::read_to_string(self.root.join(file)).ok();
        let own = text.map(|text| Weights::parse(&text).unwrap());
        DescribingSet {
            heuristics: Arc::new(Heuristics::shipped(name).unwrap()),
            weights: Arc::new(own.unwrap_or_else(|| Weights::shipped_for(name))),
        }
    }
}

impl Configuration for TestConfiguration {
    fn corpus(&self) -> Result<CorpusSetup, String> {
        Err("there is no corpus here".to_owned())
    }

    fn corpus_lines(&self, _: &CorpusRules) -> Result<String, String> {
        Err("there is no corpus here".to_owned())
    }

    fn set_corpus(&self, _: &CorpusRules) -> Result<(), String> {
        Err("there is no corpus here".to_owned())
    }

    fn corpus_job(&self) -> Result<CorpusJob, String> {
        Err("there is no corpus here".to_owned())
    }

    fn describing(&self) -> Result<DescribeSets, String> {
        Ok(DescribeSets {
            job: DescribeJob {
                catalog: self.catalog.clone(),
                catalog_settings: CatalogSettings::default(),
                pages: self.set("default", "weights.toml"),
                papers: self.set("papers", "paper-weights.toml"),
                readers: Arc::new(readers()),
                keyphrases: None,
                msc_table: None,
                canonical: CanonicalRules::default(),
                institutions: BTreeMap::new(),
                anew: false,
                worker: "test".to_owned(),
                config_text: String::new(),
            },
            weights_file: self.root.join("weights.toml"),
            paper_weights_file: self.root.join("paper-weights.toml"),
        })
    }
}

fn readers() -> Readers {
    Readers::new(Start::this_program(["reader"]), Limits::default(), HelperPrograms::default())
}

fn read_answer(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|it| it == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let body = &bytes[end + 4..];
    let is_chunked = headers.get("transfer-encoding").is_some_and(|it| it == "chunked");
    Answer { status, body: if is_chunked { dechunked(body) } else { body.to_vec() }, headers }
}

fn dechunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|it| it == b"\r\n") {
        let length = usize::from_str_radix(&String::from_utf8_lossy(&rest[..end]), 16).unwrap();
        body.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 2 + length + 2..];
    }
    body
}
