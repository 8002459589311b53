//! Membership as scope: which hosts a crawl fetches because they belong, what it asks for that, and
//! what it leaves alone.

use crate::field::Field;
use crate::organisation::{
    BAKERY, START, UNIVERSITY, discovery, domain, holder, internet, page, registry, start_page,
    university, zone,
};
use auslese_discover::NetCounts;
use auslese_discover::lookup::LookupMode;
use auslese_harvest::{CrawlEnd, Seed};
use auslese_model::{CauseKind, Indicator, Membership, State, Storage};
use auslese_testnet::{Behaviour, Internet, Site, Zone};

/// A member by each of the indicators, and somebody else's host with many links.
fn world() -> Internet {
    let own_zone = Zone::new("zone.example").ns("ns.uni.example.").address("www", "192.0.2.20");
    let links = [
        "http://www.netz.example/",
        "http://www.zone.example/",
        "http://www.post.example/",
        "http://www.halter.example/",
        "http://www.fremd.example/1",
        "http://www.fremd.example/2",
        "http://unter.fremd.example/",
        "http://www.fremd.example:8080/",
        "https://www.fremd.example/",
    ];
    let verein = holder("Freundeskreis Sternwarte").email("kasse@uni.example");
    internet()
        .zone(zone("netz.example").address("www", "198.18.1.20"))
        .zone(own_zone)
        .zone(zone("post.example").address("www", "192.0.2.21"))
        .zone(zone("halter.example").address("www", "192.0.2.22"))
        .zone(zone("fremd.example").address("www", "192.0.2.23").address("unter", "192.0.2.23"))
        .site(start_page(&links))
        .site(Site::new("http://www.netz.example").page("/", page(&["/2"])).page("/2", "zwei"))
        .site(Site::new("http://www.zone.example").page("/", "z"))
        .site(Site::new("http://www.post.example").page("/", "p"))
        .site(
            Site::new("http://www.halter.example")
                .page("/", page(&["http://www.fremd.example/3", "http://dritt.fremd.example/"])),
        )
        .site(Site::new("http://www.fremd.example").page("/1", "f").page("/2", "f"))
        .registry(
            registry()
                .domain(domain("netz.example", holder(BAKERY)))
                .domain(domain("zone.example", holder(BAKERY)))
                .domain(domain("post.example", verein))
                .domain(domain("halter.example", holder(UNIVERSITY)))
                .domain(domain("fremd.example", holder(BAKERY))),
        )
}

#[test]
fn members_are_crawled_and_others_left_alone() {
    let field = Field::new(world());
    let report = field.start(field.member_job(&[START])).end().unwrap();
    assert_eq!(report.end, CrawlEnd::Done);
    #[rustfmt::skip]
    let cases = [
        ("www.netz.example",    "net"),
        ("www.zone.example",    "name-server"),
        ("www.post.example",    "email-domain"),
        ("www.halter.example",  "holder"),
        ("www.fremd.example",   "foreign"),
        ("unter.fremd.example", "foreign"),
    ];
    for (host, expected) in cases {
        assert_eq!(field.judged(host), expected, "{host}");
        let fetched = field.requests_to(host) > 0;
        assert_eq!(fetched, expected != "foreign", "{host}");
    }
    let captures = field.captures();
    assert!(captures.contains_key("http://www.netz.example/2"));
    // The links that waited for the verdict were refused with it.
    let refused = Some((State::Refused, Some(CauseKind::Scope)));
    assert_eq!(field.state("http://www.fremd.example/1"), refused);
    assert_eq!(field.state("https://www.fremd.example/"), refused);
    assert!(
        report.status.requests[&State::Parked] == 0 && report.status.requests[&State::Queued] == 0
    );
    field.verify();
}

#[test]
fn a_domain_is_asked_about_once() {
    let field = Field::new(world());
    let start = |seeds: &[&str]| field.start(field.member_job(seeds)).end().unwrap();
    start(&[START]);
    let counts = field.whois_counts();
    // Four hosts and ports of one domain, found on two pages; the net range and the own name server
    // settle the others without a registry.
    let asked: Vec<(&str, usize)> = counts.iter().map(|(name, count)| (&**name, *count)).collect();
    assert_eq!(asked, [("fremd.example", 1), ("halter.example", 1), ("post.example", 1)]);
    field.web.reset();
    start(&[START, "http://www.uni.example/neu"]);
    assert!(field.whois_counts().is_empty(), "{:?}", field.whois_counts());
}

/// With other settings everything is judged again; a replay asks nobody for that, and what is not
/// on record stays open.
#[test]
fn a_replay_asks_nobody() {
    let more = page(&[
        "http://www.post.example/neu",
        "http://www.fremd.example/neu",
        "http://www.neu.example/",
    ]);
    let net = world()
        .zone(zone("neu.example").address("www", "192.0.2.30"))
        .site(Site::new("http://mehr.uni.example").at("198.18.1.11").page("/", more));
    let field = Field::new(net);
    field.start(field.member_job(&[START])).end().unwrap();
    let (before, fremd) = (field.verdict("www.post.example"), field.verdict("www.fremd.example"));
    field.web.reset();
    let mut job = field.member_job(&["http://mehr.uni.example/"]);
    let discovery = job.discovery.as_mut().unwrap();
    discovery.mode = LookupMode::Replay;
    discovery.judge.keep *= 2;
    let report = field.start(job).end().unwrap();
    assert_eq!(report.end, CrawlEnd::Done);
    assert!(field.whois_counts().is_empty());
    for (host, earlier) in [("www.post.example", before), ("www.fremd.example", fremd)] {
        let (earlier, now) = (earlier.unwrap(), field.verdict(host).unwrap());
        assert!(now.at > earlier.at, "{host} was judged again");
        assert_eq!((now.membership, now.score), (earlier.membership, earlier.score), "{host}");
        assert_eq!(now.reason, earlier.reason, "{host}");
    }
    assert_eq!(
        field.state("http://www.post.example/neu").map(|(state, _)| state),
        Some(State::Done)
    );
    let miss = field.verdict("www.neu.example").unwrap();
    assert_eq!(miss.membership, Membership::Unsure);
    let named = miss.open.iter().any(|open| open.why.contains("whois.nic.example neu.example"));
    assert!(named, "{:?}", miss.open);
    assert_eq!(field.state("http://www.neu.example/"), Some((State::Parked, None)));
    assert_eq!(field.requests_to("www.neu.example"), 0, "a replay visits nobody");
}

/// Whoever corrects the profile need not wait until old verdicts have run out.
#[test]
fn a_corrected_profile_counts_at_once() {
    let more = page(&["http://www.netz.example/2"]);
    let field = Field::new(
        world().site(Site::new("http://mehr.uni.example").at("198.18.1.11").page("/", more)),
    );
    let mut job = field.member_job(&[START]);
    job.discovery.as_mut().unwrap().profiles[0].ranges.clear();
    field.start(job).end().unwrap();
    assert_eq!(field.judged("www.netz.example"), "foreign");
    field.start(field.member_job(&["http://mehr.uni.example/"])).end().unwrap();
    assert_eq!(field.judged("www.netz.example"), "net");
    assert!(field.captures().contains_key("http://www.netz.example/2"));
}

/// Links that were refused because their host did not belong are taken up when a new profile says
/// that it does, whether the crawl or a person with `discover explain` finds that out; what was
/// refused for other reasons stays refused.
#[test]
fn a_corrected_profile_takes_up_what_was_refused() {
    for explained in [false, true] {
        let more = Site::new("http://mehr.uni.example").at("198.18.1.11").page("/", "mehr");
        let field = Field::new(world().site(more));
        let mut job = field.member_job(&[START]);
        job.discovery.as_mut().unwrap().profiles[0].ranges.clear();
        field.start(job).end().unwrap();
        let refused = Some((State::Refused, Some(CauseKind::Scope)));
        assert_eq!(field.state("http://www.netz.example/"), refused);
        assert_eq!(field.judged("www.netz.example"), "foreign");
        if explained {
            field.explained("www.netz.example", crate::organisation::profile());
            assert_eq!(field.judged("www.netz.example"), "net");
        }
        // Nothing that this crawl fetches links there.
        let report = field.start(field.member_job(&["http://mehr.uni.example/"])).end().unwrap();
        assert_eq!(field.judged("www.netz.example"), "net");
        let captures = field.captures();
        assert!(captures.contains_key("http://www.netz.example/"), "explained: {explained}");
        assert!(captures.contains_key("http://www.netz.example/2"), "explained: {explained}");
        assert_eq!(field.state("http://www.fremd.example/1"), refused);
        assert_eq!(report.status.requests[&State::Parked], 0);
        assert_eq!(report.numbers.parked, 0);
        assert_eq!(report.numbers.refused, report.status.requests[&State::Refused]);
    }
}

/// Hosts that no link leads to become seeds, if they belong.
#[test]
fn found_members_are_seeds() {
    let net = internet()
        .zone(zone("still.example").address("www", "198.18.1.40"))
        .zone(zone("anders.example").address("www", "192.0.2.41"))
        .site(start_page(&[]))
        .site(Site::new("http://www.still.example").page("/", page(&["/tief"])).page("/tief", "t"))
        .site(Site::new("http://www.anders.example").page("/", "a"))
        .registry(registry().domain(domain("anders.example", holder(BAKERY))));
    let field = Field::new(net);
    let found = field.find(&["www.still.example", "www.anders.example"]);
    let seeds: Vec<String> = found.seeds.iter().map(|seed| seed.url.to_string()).collect();
    assert_eq!(seeds, ["http://www.still.example/"]);
    field.web.reset();
    field.start(field.member_job(&[START])).end().unwrap();
    assert!(field.captures().contains_key("http://www.still.example/tief"));
    assert_eq!(field.requests_to("www.anders.example"), 0);
    // Found in the range without a link: the fourth case.
    assert_eq!(field.verdict("www.still.example").unwrap().case.map(|it| it.number()), Some(4));
}

/// Two hidden registrants have nothing in common, nor have two customers of a privacy service.
#[test]
fn hidden_registrants_never_match() {
    let proxy = || {
        holder("Domains By Proxy, LLC")
            .name("Registration Private")
            .address("DomainsByProxy.com", "85284", "Tempe", "US")
            .email("uni.example@domainsbyproxy.com")
    };
    let build = |registry| {
        internet()
            .zone(zone("beta.example").address("www", "192.0.2.31"))
            .site(start_page(&["http://www.beta.example/"]))
            .site(Site::new("http://www.beta.example").page("/", "b"))
            .registry(registry)
    };
    let hidden = registry()
        .domain(domain("uni.example", university()))
        .domain(domain("beta.example", university()))
        .behaves(Behaviour::Redacting);
    let behind_proxy =
        registry().domain(domain("uni.example", proxy())).domain(domain("beta.example", proxy()));
    for (what, registry) in [("hidden", hidden), ("proxy", behind_proxy)] {
        let field = Field::new(build(registry));
        // The reference values come from the same registry.
        let known = crate::phase_one::gathered(&field, START);
        assert!(known.registrant.is_empty(), "{what}: {:?}", known.registrant);
        let mut job = field.member_job(&[START]);
        job.discovery = Some(discovery(vec![known]));
        field.start(job).end().unwrap();
        let verdict = field.verdict("www.beta.example").unwrap();
        assert_eq!(verdict.membership, Membership::Foreign, "{what}: {}", verdict.reason);
        assert!(verdict.evidence.iter().all(|sign| sign.strength == 0.0), "{what}: {verdict:?}");
    }
}

/// A world with a host in each of the five situations, and a foreign page between.
fn five_cases() -> Internet {
    let start = ["http://eins.example/", "http://zwei.example/", "http://bruecke.example/"];
    let held = |name: &str| domain(name, university());
    let bridge = ["http://ueber-bruecke.example/", "http://weiter.example/"];
    internet()
        .zone(zone("eins.example").address("@", "198.18.1.21"))
        .zone(zone("zwei.example").address("@", "192.0.2.22"))
        .zone(zone("drei.example").address("@", "198.18.1.23"))
        .zone(zone("vier.example").address("@", "198.18.1.24"))
        .zone(zone("fuenf.example").address("@", "192.0.2.25"))
        .zone(zone("bruecke.example").address("@", "192.0.2.26"))
        .zone(zone("ueber-bruecke.example").address("@", "198.18.1.27"))
        .zone(zone("weiter.example").address("@", "192.0.2.28"))
        .zone(zone("ganz-weit.example").address("@", "198.18.1.29"))
        .site(start_page(&start))
        .site(Site::new("http://eins.example").page("/", "1"))
        .site(Site::new("http://zwei.example").page("/", page(&["http://drei.example/"])))
        .site(Site::new("http://drei.example").page("/", "3"))
        .site(Site::new("http://vier.example").page("/", "4"))
        .site(Site::new("http://fuenf.example").page("/", "5"))
        .site(Site::new("http://bruecke.example").page("/", page(&bridge)))
        .site(Site::new("http://ueber-bruecke.example").page("/", "6"))
        .site(Site::new("http://weiter.example").page("/", page(&["http://ganz-weit.example/"])))
        .site(Site::new("http://ganz-weit.example").page("/", "7"))
        .registry(
            registry()
                .domain(held("zwei.example"))
                .domain(held("fuenf.example"))
                .domain(domain("bruecke.example", holder(BAKERY)))
                .domain(domain("weiter.example", holder(BAKERY))),
        )
}

#[test]
fn the_five_cases_are_told_apart() {
    for bridge_hops in [0, 1] {
        let field = Field::new(five_cases());
        let found = field.find(&["vier.example", "fuenf.example", "drei.example"]);
        assert_eq!(found.seeds.len(), 3);
        let mut job = field.member_job(&[START]);
        job.discovery.as_mut().unwrap().bridge_hops = bridge_hops;
        field.start(job).end().unwrap();
        #[rustfmt::skip]
        let cases = [
            ("eins.example",          Some(1)),
            ("zwei.example",          Some(2)),
            // Found in advance, and then by a link, too.
            ("drei.example",          Some(3)),
            ("vier.example",          Some(4)),
            ("fuenf.example",         Some(5)),
            ("ueber-bruecke.example", (bridge_hops > 0).then_some(3)),
            ("bruecke.example",       None),
        ];
        for (name, expected) in cases {
            let case = field.verdict(name).and_then(|verdict| verdict.case);
            assert_eq!(case.map(|case| case.number()), expected, "{name} with {bridge_hops}");
        }
    }
}

/// Whether an address in the range makes a member is one thing, in which case it is another.
#[test]
fn cases_go_by_addresses_whatever_makes_a_member() {
    for scanned in [false, true] {
        let field = Field::new(five_cases());
        let mut job = field.member_job(&[START]);
        let judge = &mut job.discovery.as_mut().unwrap().judge;
        // Nobody has scanned, so no address counts.
        match scanned {
            true => judge.net = NetCounts::Scanned,
            false => judge.off = vec![Indicator::Net],
        }
        let accepted = ["eins.example", "drei.example", "vier.example"];
        judge.always = accepted.map(str::to_owned).to_vec();
        job.seeds.extend(["vier", "fuenf"].map(|name| Seed {
            url: format!("http://{name}.example/").parse().unwrap(),
            label: None,
        }));
        field.start(job).end().unwrap();
        #[rustfmt::skip]
        let cases = [("eins.example", 1), ("zwei.example", 2), ("drei.example", 3), ("vier.example", 4),
                     ("fuenf.example", 5)];
        for (name, expected) in cases {
            let verdict = field.verdict(name).unwrap();
            assert_eq!(verdict.membership, Membership::Member, "{name}: {}", verdict.reason);
            let case = verdict.case.map(|case| case.number());
            assert_eq!(case, Some(expected), "{name}, scanned: {scanned}");
        }
    }
}

/// A foreign page may lead back into the range; it is read, not kept, and never two in a row.
#[test]
fn bridges() {
    for bridge_hops in [0, 1] {
        let field = Field::new(five_cases());
        let mut job = field.member_job(&[START]);
        job.discovery.as_mut().unwrap().bridge_hops = bridge_hops;
        field.start(job).end().unwrap();
        let read = bridge_hops > 0;
        let captures = field.captures();
        #[rustfmt::skip]
        let cases = [
            ("http://drei.example/",          true),
            ("http://bruecke.example/",       read),
            ("http://ueber-bruecke.example/", read),
            ("http://weiter.example/",        false),
            ("http://ganz-weit.example/",     false),
        ];
        for (url, fetched) in cases {
            assert_eq!(captures.contains_key(url), fetched, "{url} with {bridge_hops}");
            assert_eq!(field.asked().contains(url), fetched, "{url} with {bridge_hops}");
        }
        if read {
            let storage = &captures["http://bruecke.example/"].storage;
            let reason = Storage::HeaderOnly { reason: "read for its links only".to_owned() };
            assert_eq!(*storage, reason);
        }
        let records = field.records();
        let kept = |url: &str| records.iter().any(|(record, _)| record.target() == Some(url));
        assert!(kept("http://drei.example/") && !kept("http://bruecke.example/"));
        field.verify();
    }
}
