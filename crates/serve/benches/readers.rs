//! How quickly pages come, for one reader and for many: `cargo bench -p auslese-serve -- DIR [READERS] [SECONDS]`.
//!
//! First every page is asked for again and again by one reader; then many readers at once ask for pages at random, each as
//! fast as it gets them. Prints times, errors and the memory of the process.

use auslese_catalog::{Catalog, CatalogSettings, Location};
use auslese_corpus::language::{LanguageSettings, Recogniser};
use auslese_crawl::CanonicalRules;
use auslese_harvest::HarvestDir;
use auslese_reader::{HelperPrograms, Limits, Readers, Start};
use auslese_serve::{Harvest, Server, Settings, Site, TransferSetup};
use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

type Fallible<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// How often one reader asks for a page.
const REPETITIONS: usize = 30;

fn main() -> Fallible<()> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(dir) = arguments.next() else {
        println!(
            "no harvest is named, so nothing is measured: cargo bench -p auslese-serve -- DIR"
        );
        return Ok(());
    };
    let readers = arguments.next().map_or(Ok(500), |text| text.parse())?;
    let seconds = arguments.next().map_or(Ok(30), |text| text.parse())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure(dir.into(), readers, Duration::from_secs(seconds)))
}

async fn measure(dir: PathBuf, readers: usize, time: Duration) -> Fallible<()> {
    let dir = HarvestDir::open(dir)?;
    let location = Location::from(dir.catalog().as_path());
    let catalog = Catalog::open(&location, &CatalogSettings::default()).await?;
    let (name, transfer) = ("bench".to_owned(), TransferSetup::default());
    let harvest = Harvest {
        title: name.clone(),
        name,
        dir,
        catalog,
        canonical: CanonicalRules::default(),
        recogniser: Recogniser::german(LanguageSettings::default()),
        transfer,
        sql_url: None,
        configuration: None,
    };
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let settings = Settings { listen: any, replay_listen: any, ..Settings::default() };
    let start = Start::this_program(["reader"]);
    let paper_readers = Readers::new(start, Limits::default(), HelperPrograms::installed());
    let mut site = Site::new(settings, vec![harvest], Arc::new(paper_readers));
    let server = Server::bind(&mut site).await?;
    let address = server.pages_address()?;
    tokio::spawn(server.run(Arc::new(site), std::future::pending()));

    let pages = pages(address).await?;
    one_reader(address, &pages).await?;
    many_readers(address, pages, readers, time).await
}

/// Addresses to ask for: fixed ones, and those of some documents that a search finds.
async fn pages(address: SocketAddr) -> Fallible<Vec<String>> {
    let mut pages: Vec<String> = [
        "/",
        "/search?q=*",
        "/search?q=haus",
        "/search?q=haus&sort=date",
        "/kwic?q=haus",
        "/kwic/frequencies",
        "/kwic/frequencies?n=3",
        "/kwic/collocations?q=haus",
        "/kwic/curve?q=haus",
        "/kwic/groups?q=haus&by=host",
        "/vocabularies",
        "/browse/bench",
        "/organisation/bench",
        "/organisation/bench?view=profile",
        "/organisation/bench?view=domains",
        "/statistics/bench",
        "/statistics/bench/types",
        "/sql/bench",
        "/about",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut client = Client::connect(address).await?;
    let (_, body) = client.get("/browse/bench?format=json").await?;
    let browsed: serde_json::Value = serde_json::from_slice(&body)?;
    if let Some(server) = browsed["servers"][0]["page"].as_str() {
        pages.extend(["", "&only=kept", "&sort=-size"].map(|choice| format!("{server}{choice}")));
    }
    let (_, body) = client.get("/search?q=*&format=json").await?;
    let found: serde_json::Value = serde_json::from_slice(&body)?;
    let hits = found["hits"].as_array().cloned().unwrap_or_default();
    let documents: Vec<String> =
        hits.iter().filter_map(|hit| Some(hit["page"].as_str()?.to_owned())).collect();
    if let Some(first) = documents.first() {
        for tab in ["/page", "/source", "/text", "/record", "/links", "/versions", "/related"] {
            pages.push(format!("{first}{tab}"));
        }
    }
    pages.extend(documents);
    Ok(pages)
}

async fn one_reader(address: SocketAddr, pages: &[String]) -> Fallible<()> {
    let mut client = Client::connect(address).await?;
    println!(
        "one reader, {REPETITIONS} times each\n  status  first ms  median ms  slowest ms  page"
    );
    for page in pages {
        let mut times = Vec::new();
        let (mut first, mut status) = (0.0, 0);
        for repetition in 0..=REPETITIONS {
            let begun = Instant::now();
            status = client.get(page).await?.0;
            let took = begun.elapsed().as_secs_f64() * 1000.0;
            if repetition == 0 {
                first = took;
            } else {
                times.push(took);
            }
        }
        times.sort_by(f64::total_cmp);
        let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
        println!("  {status}  {first:10.1} {median:10.1} {slowest:11.1}  {page}");
    }
    Ok(())
}

async fn many_readers(
    address: SocketAddr,
    pages: Vec<String>,
    readers: usize,
    time: Duration,
) -> Fallible<()> {
    let (pages, until) = (Arc::new(pages), Instant::now() + time);
    println!("{readers} readers for {} s; memory before: {} MB", time.as_secs(), memory());
    let each: Vec<_> = (0..readers)
        .map(|number| tokio::spawn(read_on(address, pages.clone(), number, until)))
        .collect();
    let half = tokio::spawn(async move {
        tokio::time::sleep(time / 2).await;
        memory()
    });
    let (mut times, mut errors) = (Vec::new(), 0_u64);
    for reader in each {
        let (own, failed) = reader.await?;
        times.extend(own);
        errors += failed;
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(0.0);
    println!(
        "  {} pages, {:.0}/s, {errors} errors; median {:.0} ms, 99 % {:.0} ms, slowest {:.0} ms",
        times.len(),
        times.len() as f64 / time.as_secs_f64(),
        at(0.5),
        at(0.99),
        times.last().copied().unwrap_or(0.0)
    );
    println!("  memory in the middle: {} MB, at the end: {} MB", half.await?, memory());
    Ok(())
}

/// One reader: its times in milliseconds, and how often something went wrong.
async fn read_on(
    address: SocketAddr,
    pages: Arc<Vec<String>>,
    number: usize,
    until: Instant,
) -> (Vec<f64>, u64) {
    let (mut times, mut errors) = (Vec::new(), 0);
    let Ok(mut client) = Client::connect(address).await else { return (times, 1) };
    // Any sequence does that is another for every reader.
    let mut random = number as u64 * 0x9e37_79b9_7f4a_7c15 + 1;
    while Instant::now() < until {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let page = &pages[(random >> 33) as usize % pages.len()];
        let begun = Instant::now();
        match client.get(page).await {
            Ok((200, _)) => times.push(begun.elapsed().as_secs_f64() * 1000.0),
            _ => errors += 1,
        }
    }
    (times, errors)
}

/// One connection that is kept.
struct Client {
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Client {
    async fn connect(address: SocketAddr) -> Fallible<Client> {
        Ok(Client { stream: TcpStream::connect(address).await?, unread: Vec::new() })
    }

    async fn get(&mut self, page: &str) -> Fallible<(u16, Vec<u8>)> {
        let request = format!("GET {page} HTTP/1.1\r\nHost: bench\r\n\r\n");
        self.stream.write_all(request.as_bytes()).await?;
        let end = loop {
            if let Some(end) = self.unread.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            self.read_more().await?;
        };
        let head = String::from_utf8_lossy(&self.unread[..end]).to_lowercase();
        self.unread.drain(..end);
        let status = head.get(9..12).unwrap_or_default().parse()?;
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.ok_or("a page without a length")?.trim().parse()?;
        while self.unread.len() < length {
            self.read_more().await?;
        }
        let body = self.unread.drain(..length).collect();
        Ok((status, body))
    }

    async fn read_more(&mut self) -> Fallible<()> {
        let mut buffer = [0; 16 << 10];
        match self.stream.read(&mut buffer).await? {
            0 => Err("the connection was closed".into()),
            count => {
                self.unread.extend_from_slice(&buffer[..count]);
                Ok(())
            }
        }
    }
}

/// Megabytes of the process that are in memory, as Linux tells.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1000
}
