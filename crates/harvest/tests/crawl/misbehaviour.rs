//! Everything servers do wrong, in one crawl: it ends, and nothing else suffers.

use crate::field::Field;
use auslese_crawl::HostSettings;
use auslese_harvest::CrawlEnd;
use auslese_model::CauseKind::{self, Closed, HeaderTooLarge, Protocol, ServerBusy, Timeout, Tls};
use auslese_model::Truncation::{self, Disconnect, Length, Time, Unspecified};
use auslese_model::{Capture, State, Storage};
use auslese_net::{Limits, oddity};
use auslese_testnet::misbehaviour;
use auslese_testnet::{Answer, Internet, Site};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is left of a bad page; those not named here are archived whole.
#[rustfmt::skip]
const LOST: &[(&str, CauseKind)] = &[
    ("stalled header",          Timeout),
    ("silent",                  Timeout),
    ("endless header",          HeaderTooLarge),
    ("endless header line",     HeaderTooLarge),
    ("endless interim answers", HeaderTooLarge),
    ("header of 1 MiB",         HeaderTooLarge),
    ("no header end",           Closed),
    ("HTTP/0.9",                Protocol),
    ("status 099",              Protocol),
    ("status with letters",     Protocol),
    ("reset before header",     Closed),
    ("reset inside header",     Closed),
    ("close without answer",    Closed),
    ("close inside header",     Closed),
    ("429",                     ServerBusy),
    ("429 for a second",        ServerBusy),
    ("503",                     ServerBusy),
    ("503 for a second",        ServerBusy),
    ("503 until a date",        ServerBusy),
    ("503 with nonsense",       ServerBusy),
    ("handshake closed",        Tls),
    ("handshake reset",         Tls),
    ("handshake stalled",       Timeout),
    ("handshake in plain HTTP", Tls),
    ("handshake garbage",       Tls),
    ("no certificate",          Tls),
];

#[rustfmt::skip]
const CUT: &[(&str, Truncation)] = &[
    ("stalled body",            Time),
    ("endless body",            Time),
    ("endless chunks",          Time),
    ("flood",                   Length),
    ("length too long",         Disconnect),
    ("bad chunk size",          Unspecified),
    ("chunk longer than said",  Unspecified),
    ("missing last chunk",      Disconnect),
    // Whichever comes first.
    ("endless chunk extension", Length),
    ("endless chunk extension", Time),
    ("flood",                   Time),
    ("reset inside body",       Disconnect),
    ("close inside body",       Disconnect),
];

#[rustfmt::skip]
const ODD: &[(&str, &str)] = &[
    ("bare line feeds",         oddity::BARE_LF),
    ("line without colon",      oddity::HEADER_LINE),
    ("NUL in header",           oddity::NUL_IN_HEADER),
    ("length too short",        oddity::TRAILING_BYTES),
    ("two different lengths",   oddity::CONFLICTING_LENGTHS),
    ("length and chunks",       oddity::LENGTH_AND_CHUNKED),
    ("ICY",                     oddity::STATUS_LINE),
    ("204 with body",           oddity::TRAILING_BYTES),
    ("gzip bomb",               oddity::DECODED_RATIO),
    ("broken gzip",             oddity::BROKEN_CONTENT),
    ("cut gzip",                oddity::CUT_CONTENT),
    ("gzip that is none",       oddity::NOT_COMPRESSED),
    ("unknown content coding",  oddity::CONTENT_CODING),
    ("garbage after gzip",      oddity::TRAILING_CONTENT),
    ("year 105",                "irregular-date"),
    ("empty date",              "unreadable-date"),
    ("nonsense length",         "unreadable-length"),
];

/// Each on a host of its own, beside a good page.
#[test]
fn every_misbehaviour_in_one_crawl() {
    let mut net = Internet::new();
    let (mut names, mut seeds) = (Vec::new(), Vec::new());
    for (number, one) in misbehaviour::all().into_iter().enumerate() {
        let origin = format!("http://m{number}.example");
        let site = Site::new(&origin).answer("/schlecht", one.answer);
        net = net.site(site.page("/", "<a href='/schlecht'><a href='/gut'>").page("/gut", "gut"));
        names.push((one.name, format!("{origin}/schlecht")));
        seeds.push(format!("{origin}/"));
    }
    for (number, (name, identity)) in misbehaviour::all_handshakes().into_iter().enumerate() {
        let origin = format!("https://t{number}.tls.example");
        net = net.site(Site::new(&origin).identity(identity));
        names.push((name, format!("{origin}/")));
        seeds.push(format!("{origin}/"));
    }
    let good = seeds.iter().filter(|seed| seed.starts_with("http:")).count();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let field = Field::new(net);
    let report = field.crawl(&seeds, |job| {
        job.crawl.retry.attempts = 2;
        // Otherwise their pages would wait for a robots.txt.
        let pages_at_once = HostSettings { obey_robots: Some(false), ..HostSettings::default() };
        job.crawl.hosts.insert(".tls.example".to_owned(), pages_at_once);
        job.net.limits = Limits {
            tls: Duration::from_secs(4),
            header: Duration::from_secs(4),
            idle: Duration::from_secs(2),
            total: Duration::from_secs(6),
            body_bytes: 2 << 20,
            ..Limits::default()
        };
    });
    assert_eq!(report.end, CrawlEnd::Done);
    assert_eq!(report.status.requests[&State::Queued], 0);
    let mut captures: BTreeMap<String, Vec<Capture>> = BTreeMap::new();
    for (url, capture) in field.all_captures() {
        captures.entry(url).or_default().push(capture);
    }
    for seed in seeds.iter().take(good) {
        assert_eq!(captures[*seed].len(), 1);
        assert_eq!(field.body(&captures[&format!("{seed}gut")][0]), b"gut");
    }
    for (name, url) in &names {
        check(&field, name, url, captures.get(url).map_or(&[][..], Vec::as_slice));
    }
    field.verify();
    // The bomb alone would unpack to 1 GiB.
    assert!(peak_memory() < 700 << 20, "{} bytes at the peak", peak_memory());
}

fn check(field: &Field, name: &str, url: &str, captures: &[Capture]) {
    let of = |table: &[(&str, CauseKind)]| {
        table.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    };
    let (state, cause) = field.state(url).unwrap_or_else(|| panic!("{name} is not known"));
    if let Some(expected) = of(LOST) {
        assert_eq!((state, cause), (State::Failed, Some(expected)), "{name}");
        // Busy servers do answer: the first time for the record, the last time for the archive.
        assert_eq!(captures.len(), if expected == ServerBusy { 2 } else { 0 }, "{name}");
        if let [first, last] = captures {
            assert!(matches!(first.storage, Storage::HeaderOnly { .. }), "{name}");
            assert!(matches!(last.storage, Storage::Stored(_)), "{name}");
        }
        return;
    }
    assert_eq!((state, cause), (State::Done, None), "{name}");
    let [capture] = captures else { panic!("{name}: {} captures", captures.len()) };
    let cuts: Vec<_> =
        CUT.iter().filter(|(known, _)| *known == name).map(|(_, cut)| *cut).collect();
    let cut = capture.truncated;
    assert!(cut.map_or(cuts.is_empty(), |cut| cuts.contains(&cut)), "{name}: {cut:?}");
    let record = field.record(capture).record;
    assert_eq!(record.fields.get("WARC-Truncated"), cut.map(Truncation::as_str), "{name}");
    assert_eq!(field.body(capture).len() as u64, capture.payload_length, "{name}");
    if let Some((_, kind)) = ODD.iter().find(|(known, _)| *known == name) {
        let kinds: Vec<&str> = capture.oddities.iter().map(|odd| odd.kind.as_str()).collect();
        assert!(kinds.contains(kind), "{name}: {kinds:?}");
    }
}

#[test]
fn redirects_without_end() {
    let start = "<a href='/selbst'><a href='/a'><a href='/weiter/0'><a href='/kette/5'>";
    let site = misbehaviour::redirect_loops(Site::new("http://www.uni.example")).page("/", start);
    let field = Field::new(Internet::new().site(site));
    assert_eq!(field.crawl(&["http://www.uni.example/"], |_| {}).end, CrawlEnd::Done);
    #[rustfmt::skip]
    let cases = [
        ("/selbst",    Some((State::Done, None))),
        ("/a",         Some((State::Done, None))),
        ("/b",         Some((State::Done, None))),
        ("/kette/0",   Some((State::Done, None))),
        ("/weiter/20", Some((State::Done, None))),
        ("/weiter/21", Some((State::Refused, Some(CauseKind::Redirects)))),
        ("/weiter/22", None),
    ];
    for (path, expected) in cases {
        assert_eq!(field.state(&format!("http://www.uni.example{path}")), expected, "{path}");
    }
    assert_eq!(field.requests_twice(), Vec::<String>::new());
    field.verify();
}

/// A server that is busy at first gets its pages asked for again, and they count once.
#[test]
fn busy_at_first() {
    use misbehaviour::{RetryAfter, busy, busy_at_first};
    let page = || Answer::page("<a href='/danach'>");
    let site = Site::new("http://www.uni.example")
        .page("/", "<a href='/zweimal'>")
        .answer("/zweimal", busy_at_first(2, busy(503, RetryAfter::Unsaid), page()));
    let field = Field::new(Internet::new().site(site));
    let report = field.crawl(&["http://www.uni.example/"], |_| {});
    assert_eq!(field.state("http://www.uni.example/zweimal"), Some((State::Done, None)));
    assert_eq!(field.state("http://www.uni.example/danach"), Some((State::Done, None)));
    assert_eq!(report.status.requests[&State::Failed], 0);
    let stored = field.all_captures().into_iter().filter(|(url, capture)| {
        url.ends_with("/zweimal") && matches!(capture.storage, Storage::Stored(_))
    });
    assert_eq!(stored.count(), 1);
}

/// The most memory this process has had, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes << 10
}
