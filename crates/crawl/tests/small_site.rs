//! The parts together, through the door: a small site is crawled on paper, from its seed to the
//! last page, with nothing fetched over any network.

use auslese_crawl::{
    Answer, Candidate, CrawlSettings, Decision, Expected, Fate, FindKind, Finds, Next, NoFacts,
    Outcome, RobotsRules, Scheduler, Scope, SeenSet, Used, canonical,
};
use auslese_model::{
    Body, Clock, Headers, HopPath, Lease, Origin, Pending, Request, RequestId, Response, ServerId,
    Timestamp,
};
use std::time::Duration;
use url::Url;

const SERVER: ServerId = ServerId(1);

/// Path, status, media type, body; the site's whole content.
const SITE: &[(&str, u16, &str, &str)] = &[
    ("/robots.txt", 200, "text/plain", "User-agent: *\nDisallow: /private\nSitemap: /sitemap.xml"),
    ("/sitemap.xml", 200, "text/xml", "<urlset><url><loc>/hidden</loc></url></urlset>"),
    (
        "/",
        200,
        "text/html",
        "<link rel=stylesheet href=s.css><a href='a?utm_source=x'>1</a><a href='a#part'>2</a>\
         <a href=/private/x>3</a><a href=http://other.example/>4</a>",
    ),
    ("/s.css", 200, "text/css", "b{background:url(b.png)}"),
    ("/b.png", 200, "image/png", "PNG"),
    ("/a", 302, "text/html", "/hidden"),
    ("/a?utm_source=x", 302, "text/html", "/hidden"),
    ("/hidden", 200, "text/html", "<a href=/a/a/a/a/a/a>trap</a><a href=/gone>5</a>"),
    ("/gone", 404, "text/html", "<a href=/never>"),
];

struct Crawl {
    settings: CrawlSettings,
    scope: Scope,
    seen: SeenSet,
    scheduler: Scheduler,
    now: Timestamp,
    next_id: i64,
    log: Vec<String>,
    refused: Vec<String>,
}

impl Crawl {
    fn new(settings: CrawlSettings) -> Crawl {
        let seed: Url = "http://h.example/".parse().expect("a URL");
        let now = Timestamp::from_seconds(1_000_000);
        let scheduler = Scheduler::new(&settings, Used::default(), now);
        let mut crawl = Crawl {
            scope: Scope::of_seeds(std::slice::from_ref(&seed)).expect("no regular expressions"),
            seen: SeenSet::in_memory(),
            settings,
            scheduler,
            now,
            next_id: 0,
            log: Vec::new(),
            refused: Vec::new(),
        };
        let clock = Clock {
            server: SERVER,
            address: None,
            last_end: Timestamp::default(),
            next_at: Timestamp::default(),
            delay: Duration::ZERO,
            failures: 0,
        };
        let lease = Lease {
            server: SERVER,
            origin: Origin::of(&seed).expect("an http URL"),
            label: None,
            clock,
            group_next_at: Timestamp::default(),
            epoch: 1,
            robots: None,
            pending: Vec::new(),
            more: false,
            captures: 0,
            bytes: 0,
        };
        crawl.scheduler.add_server(lease, now);
        crawl.offer(seed, FindKind::Link, HopPath::default());
        crawl
    }

    fn offer(&mut self, url: Url, kind: FindKind, hops: HopPath) {
        let candidate = Candidate { url: &url, hops: &hops, via_accepted: true };
        if self.scope.decide(&candidate, &NoFacts).decision != Decision::Accept {
            return;
        }
        let request = Request::get(url);
        let key = request.key(&canonical(&request.url, &self.settings.canonical));
        if !self.seen.insert(key.short()).expect("memory never fails") {
            return;
        }
        self.next_id += 1;
        let priority = self.settings.priority.priority(kind, &hops);
        let pending = Pending {
            id: RequestId(self.next_id),
            server: SERVER,
            request,
            priority,
            hops,
            via: None,
            via_url: None,
            attempts: 0,
            not_before: Timestamp::default(),
            known: None,
        };
        self.scheduler.push(pending, self.now);
    }

    fn fetch(&mut self, url: &Url) -> (Response, Vec<u8>, Outcome) {
        let target = &url[url::Position::BeforePath..];
        let missing = ("", 404, "text/plain", "");
        let (_, status, media, body) =
            *SITE.iter().find(|(path, ..)| *path == target).unwrap_or(&missing);
        let mut headers = Headers::default();
        headers.push("Content-Type", media);
        if status == 302 {
            headers.push("Location", body);
        }
        let response = Response {
            version: "HTTP/1.1".to_owned(),
            status,
            head: Vec::new(),
            headers,
            body: Body::empty(),
            decoded: None,
            truncated: None,
            stopped: None,
            oddities: Vec::new(),
        };
        self.log.push(format!("{} {target}", self.now.seconds() - 1_000_000));
        let outcome = Outcome {
            end: self.now,
            duration: Duration::ZERO,
            retry_after: None,
            bytes: body.len() as u64,
            result: Ok(status),
        };
        (response, body.as_bytes().to_vec(), outcome)
    }

    fn follow(
        &mut self,
        url: &Url,
        response: &Response,
        body: &[u8],
        hops: &HopPath,
        expected: Expected,
    ) {
        let answer = Answer { url, response, body, expected };
        for find in Finds::of(&answer, &self.settings.finds).urls {
            self.offer(find.url, find.kind, hops.then(find.kind.letter()));
        }
    }

    fn run(mut self) -> (Vec<String>, Vec<String>) {
        loop {
            match self.scheduler.next(self.now) {
                Next::Resolve { server, .. } => {
                    let address = "192.0.2.1".parse().expect("an address");
                    self.scheduler.resolved(server, Ok(Some(address)), self.now);
                }
                Next::Robots { server, url } => {
                    let (response, body, outcome) = self.fetch(&url);
                    let rules = RobotsRules::from_answer(response.status, &body, "auslese");
                    self.scheduler.robots_answered(server, rules, &outcome, self.now);
                    let hops = HopPath("P".to_owned());
                    self.follow(&url, &response, &body, &hops, Expected::Robots);
                }
                Next::Fetch(pending) => {
                    let url = pending.request.url.clone();
                    let (response, body, outcome) = self.fetch(&url);
                    let fate = self.scheduler.finished(&pending, &outcome, self.now);
                    assert_eq!(fate, Fate::Done);
                    self.scheduler.settled(SERVER, &[pending.id]);
                    self.follow(&url, &response, &body, &pending.hops, Expected::Page);
                }
                Next::Refuse { pending, cause, .. } => {
                    self.refused.push(format!("{}: {cause}", pending.request.url.path()));
                    self.scheduler.settled(SERVER, &[pending.id]);
                }
                Next::Wait(time) => self.now = time,
                Next::Idle => break,
                other => panic!("{other:?}"),
            }
        }
        assert!(self.scheduler.is_finished());
        (self.log, self.refused)
    }
}

#[test]
fn from_the_seed_to_the_last_page() {
    let (log, refused) = Crawl::new(CrawlSettings::default()).run();
    let expected = [
        "0 /robots.txt",
        "2 /",
        "4 /sitemap.xml",
        "6 /a?utm_source=x",
        "8 /hidden",
        "10 /gone",
        "12 /s.css",
        "14 /b.png",
    ];
    assert_eq!(log, expected);
    assert_eq!(refused, ["/private/x: robots.txt disallows it: line 2: Disallow: /private"]);
}
