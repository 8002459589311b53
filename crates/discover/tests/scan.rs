//! Scans of a simulated network, through the door.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use auslese_discover::scan::{
    Candidate, CandidateSource, Confirmation, Outcome, Probe, ScanError, ScanEvent, ScanPlan,
    ScanRules, ScanState, Sent, ServerClass, SweepRules, Vantage, WebServer, ptr_sweep, scan,
};
use auslese_discover::{Profile, Range};
use auslese_model::{CauseKind, HostName, Timestamp};
use auslese_net::{ConnectTo, Limits, Net, NetSettings};
use auslese_testnet::{Answer, Identity, Internet, LeadsTo, Running, Site, Step, Zone};
use ipnet::IpNet;
use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, SocketAddr};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const RANGE: &str = "198.18.1.0/27";
const PAGE: &str = "<!DOCTYPE html><title>A page</title>";

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn nets(texts: &[&str]) -> Vec<IpNet> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn profile(ranges: &[&str]) -> Profile {
    let range = |net| Range {
        net,
        holder: "Uni".to_owned(),
        found_by: "address of ns1.uni.example".to_owned(),
        source: "registry".to_owned(),
    };
    let root = HostName::parse("uni.example").unwrap();
    Profile {
        domains: vec!["uni.example".to_owned()],
        ranges: nets(ranges).into_iter().map(range).collect(),
        ..Profile::new("uni", root, Timestamp(0))
    }
}

/// A web server of the simulated network: plain at its address.
fn plain(address: &str, answer: Answer) -> Site {
    Site::new(format!("http://{address}")).at(address).answer("/", answer)
}

fn printer() -> Answer {
    Answer::page(PAGE).header("Server", "HP HTTP Server; HP LaserJet 400")
}

/// What the tests look for: a site with a name, one with a certificate, a device, a redirect, a
/// login with a forged reverse name, an unused server, an excluded one, and two ports that are not
/// open.
fn campus() -> Internet {
    let zone = Zone::new("uni.example")
        .address("portal", "198.18.1.5")
        .address("moved", "203.0.113.7")
        .ptr(ip("198.18.1.2"), "www")
        .ptr(ip("198.18.1.20"), "www.bank.example.");
    let names = ["secure.uni.example", "*.uni.example", "moved.uni.example", "gone.uni.example"];
    let welcome = Answer::body([b'.'; 615]).header("Server", "nginx/1.22.1");
    Internet::new()
        .one_socket_per_address()
        .refused_port(81)
        .silent_port(82)
        .zone(zone)
        .zone(Zone::new("bank.example").address("www", "203.0.113.5"))
        .site(Site::new("http://www.uni.example").at("198.18.1.2").page("/", PAGE))
        .site(
            Site::new("https://secure.uni.example")
                .at("198.18.1.5")
                .identity(Identity::Named(names.map(str::to_owned).to_vec()))
                .page("/", PAGE),
        )
        .site(plain("198.18.1.9", printer()))
        .site(plain("198.18.1.17", Answer::redirect(301, "https://portal.uni.example/")))
        .site(plain("198.18.1.20", Answer::error(401).header("WWW-Authenticate", "Basic")))
        .site(plain("198.18.1.23", welcome))
        .site(plain("198.18.1.25", Answer::page(PAGE)))
}

/// The ports that are open in [`campus`]; others are not mapped, so nobody dials them.
const OPEN: [(&str, u16); 7] = [
    ("198.18.1.2", 80),
    ("198.18.1.5", 443),
    ("198.18.1.9", 80),
    ("198.18.1.17", 80),
    ("198.18.1.20", 80),
    ("198.18.1.23", 80),
    ("198.18.1.25", 80),
];

fn settings(internet: &Running, open: &[(&str, u16)]) -> NetSettings {
    let door = |address: IpAddr, port| {
        let mut doors = internet.doors().iter();
        doors.find(|door| door.address == Some(address) && door.port == port).unwrap().socket
    };
    let entry = |(address, port): &(&str, u16)| {
        let address = ip(address);
        ConnectTo { addresses: address.into(), port: Some(*port), to: door(address, *port) }
    };
    NetSettings {
        dns: vec![internet.dns()],
        connect_to: open.iter().map(entry).collect(),
        only_mapped: true,
        ca_files: vec![internet.ca_file().to_owned()],
        limits: Limits { resolve: Duration::from_secs(5), ..Limits::default() },
        ..NetSettings::default()
    }
}

fn net(internet: &Running) -> Net {
    let mut settings = settings(internet, &OPEN);
    let special = |leads_to| {
        let door = internet.doors().iter().find(|door| door.leads_to == leads_to);
        door.map(|door| door.socket)
    };
    let mut lead = |address: &str, to: Option<SocketAddr>| {
        let addresses = ip(address).into();
        settings.connect_to.push(ConnectTo { addresses, port: Some(80), to: to.unwrap() });
    };
    lead("198.18.1.30", special(LeadsTo::Refusal));
    lead("198.18.1.31", special(LeadsTo::Nothing));
    Net::new(settings).unwrap()
}

fn plan(rules: ScanRules) -> ScanPlan {
    ScanPlan::new(&nets(&[RANGE]), &profile(&["198.18.0.0/16"]), rules).unwrap()
}

fn rules() -> ScanRules {
    ScanRules { exclude: nets(&["198.18.1.25/32"]), ..ScanRules::default() }
}

fn begun(plan: &ScanPlan, net: &Net) -> ScanState {
    ScanState::new(plan, Vantage::here("library, wired", plan, net), 42, Timestamp::now())
}

fn run<T>(work: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(2).enable_all().build().unwrap().block_on(work)
}

/// Scans until so many addresses are finished, and returns all probes.
fn scan_some(plan: &ScanPlan, net: &Net, from: ScanState, most: usize) -> (ScanState, Vec<Probe>) {
    let mut probes = Vec::new();
    let mut finished = 0;
    let mut listen = |event: ScanEvent<'_>, state: &ScanState| {
        match event {
            ScanEvent::Probed(probe) => probes.push(probe.clone()),
            ScanEvent::Found(server) => assert_eq!(state.servers.last(), Some(server)),
            ScanEvent::Finished(_) => finished += 1,
        }
        if finished >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let state = run(scan(plan, net, from, &mut listen)).unwrap();
    (state, probes)
}

fn scan_all(plan: &ScanPlan, net: &Net) -> (ScanState, Vec<Probe>) {
    scan_some(plan, net, begun(plan, net), usize::MAX)
}

fn by_address(state: &ScanState) -> BTreeMap<IpAddr, &WebServer> {
    state.servers.iter().map(|server| (server.address, server)).collect()
}

fn candidate<'a>(server: &'a WebServer, name: &str) -> &'a Candidate {
    server.candidates.iter().find(|candidate| candidate.name == name).unwrap()
}

#[test]
fn finds_exactly_the_servers() {
    let internet = campus().start().unwrap();
    let net = net(&internet);
    let (state, probes) = scan_all(&plan(rules()), &net);
    assert!(state.is_finished());
    assert_eq!((state.asked(), state.excluded, state.addresses), (31, 1, 32));
    assert_eq!(state.vantage.place, "library, wired");
    assert!(state.vantage.v6.is_none() && !state.vantage.inside);

    let servers = by_address(&state);
    #[rustfmt::skip]
    let expected = [
        ("198.18.1.2",  ServerClass::Public,    "status 200 for www.uni.example"),
        ("198.18.1.5",  ServerClass::Public,    "status 404 for 198.18.1.5"),
        ("198.18.1.9",  ServerClass::Device,    "a printer: \"hp http server\" in its Server line"),
        ("198.18.1.17", ServerClass::Public,    "it redirects to https://portal.uni.example/"),
        ("198.18.1.20", ServerClass::LoginOnly, "status 401 for 198.18.1.20"),
        ("198.18.1.23", ServerClass::Default,   "the welcome page of nginx, by its length"),
    ];
    assert_eq!(servers.len(), expected.len());
    for (address, class, reason) in expected {
        let server = servers[&ip(address)];
        assert_eq!(server.class, class, "{address}");
        assert_eq!(server.reason, reason, "{address}");
    }

    let www = servers[&ip("198.18.1.2")];
    assert!(www.pointers[0].leads_back() && www.pointer_fault.is_none());
    let hosts: Vec<&str> = www.ports[0].answers.iter().map(|one| one.asked.as_str()).collect();
    assert_eq!(hosts, ["198.18.1.2", "www.uni.example"]);
    assert_eq!(www.ports[0].answers[1].status, 200);

    let secure = servers[&ip("198.18.1.5")];
    let inside = Confirmation::Inside { addresses: vec![ip("198.18.1.5")] };
    assert_eq!(candidate(secure, "secure.uni.example").confirmation, inside);
    assert_eq!(candidate(secure, "*.uni.example").confirmation, Confirmation::Wildcard);
    assert_eq!(candidate(secure, "gone.uni.example").confirmation, Confirmation::Absent);
    let outside = Confirmation::Outside { addresses: vec![ip("203.0.113.7")] };
    assert_eq!(candidate(secure, "moved.uni.example").confirmation, outside);

    let portal = candidate(servers[&ip("198.18.1.17")], "portal.uni.example");
    assert_eq!((&portal.confirmation, portal.sources[0]), (&inside, CandidateSource::Redirect));
    let forged = servers[&ip("198.18.1.20")];
    assert!(!forged.pointers[0].leads_back());
    assert!(matches!(forged.candidates[0].confirmation, Confirmation::Outside { .. }));

    let confirmed: Vec<String> = state.confirmed_hosts().keys().map(ToString::to_string).collect();
    assert_eq!(confirmed, ["portal.uni.example", "secure.uni.example", "www.uni.example"]);

    what_was_sent(&internet, &probes);
}

/// The log names every connection, and the servers saw nothing that is not in it.
fn what_was_sent(internet: &Running, probes: &[Probe]) {
    let outcome = |address: &str, port: u16| {
        let mut connects = probes.iter().filter(|probe| probe.sent == Sent::Nothing);
        let probe = connects.find(|probe| probe.address == ip(address) && probe.port == port);
        probe.map(|probe| probe.outcome.clone())
    };
    assert_eq!(outcome("198.18.1.2", 80), Some(Outcome::Open));
    assert!(matches!(outcome("198.18.1.30", 80), Some(Outcome::Closed(_))));
    assert_eq!(outcome("198.18.1.31", 80), Some(Outcome::Silent));
    assert!(matches!(outcome("198.18.1.3", 80), Some(Outcome::Forbidden(cause))
        if cause.kind == CauseKind::NotMapped));
    assert_eq!(outcome("198.18.1.25", 80), None, "excluded");

    let connects: Vec<_> = probes.iter().filter(|probe| probe.sent == Sent::Nothing).collect();
    assert_eq!(connects.len(), 31 * 2);
    let heads = probes.iter().filter(|probe| matches!(probe.sent, Sent::Head(_))).count();
    assert_eq!(internet.request_count(), heads);
    for request in internet.requests() {
        assert_eq!((request.method.as_str(), request.target.as_str()), ("HEAD", "/"));
        assert_ne!(request.address, Some(ip("198.18.1.25")));
    }
    let made = probes.iter().filter(|probe| {
        !matches!(probe.outcome, Outcome::Closed(_) | Outcome::Silent | Outcome::Forbidden(_))
    });
    assert_eq!(internet.connections().len(), made.count());
}

fn asked_addresses(probes: &[Probe]) -> BTreeSet<(IpAddr, u16)> {
    let connects = probes.iter().filter(|probe| probe.sent == Sent::Nothing);
    connects.map(|probe| (probe.address, probe.port)).collect()
}

#[test]
fn goes_on_where_it_stopped() {
    let internet = campus().start().unwrap();
    let net = net(&internet);
    let gentle = ScanRules { in_flight: 3, ..rules() };
    let plan = plan(gentle);
    let (half, first) = scan_some(&plan, &net, begun(&plan, &net), 10);
    assert!(!half.is_finished() && half.asked() >= 10 && half.asked() < 20);

    let kept = serde_json::to_string(&half).unwrap();
    let half: ScanState = serde_json::from_str(&kept).unwrap();
    let (whole, second) = scan_some(&plan, &net, half, usize::MAX);
    assert!(whole.is_finished());
    let (before, after) = (asked_addresses(&first), asked_addresses(&second));
    assert!(before.is_disjoint(&after), "nobody is asked twice");
    assert_eq!(before.len() + after.len(), 31 * 2);
    assert_eq!(by_address(&whole).len(), 6);
    assert_eq!(whole.servers.len(), 6);

    let (again, nothing) = scan_some(&plan, &net, whole.clone(), usize::MAX);
    assert_eq!((again, nothing.len()), (whole, 0));
}

/// What was kept while the scan went on is good for going on as well: only addresses that were
/// under way are asked again.
#[test]
fn goes_on_after_a_crash() {
    let internet = campus().start().unwrap();
    let net = net(&internet);
    let plan = plan(ScanRules { in_flight: 4, ..rules() });
    let mut snapshot = None;
    let mut finished = BTreeSet::new();
    let mut listen = |event: ScanEvent<'_>, state: &ScanState| {
        if let ScanEvent::Finished(address) = event {
            finished.insert(address);
            if finished.len() == 12 {
                snapshot = Some(state.clone());
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    run(scan(&plan, &net, begun(&plan, &net), &mut listen)).unwrap();
    let snapshot = snapshot.unwrap();
    assert!(!snapshot.unfinished.is_empty());
    assert_eq!(snapshot.asked(), 12);
    let (whole, after) = scan_some(&plan, &net, snapshot, usize::MAX);
    assert_eq!(asked_addresses(&after).len(), (31 - 12) * 2);
    assert_eq!(by_address(&whole).len(), 6);
}

#[test]
fn exclusions_made_later_count() {
    let internet = campus().start().unwrap();
    let net = net(&internet);
    let (half, _) = scan_some(&plan(rules()), &net, begun(&plan(rules()), &net), 1);
    let stricter = plan(ScanRules { exclude: nets(&[RANGE]), ..rules() });
    let (whole, probes) = scan_some(&stricter, &net, half.clone(), usize::MAX);
    assert!(whole.is_finished() && probes.is_empty());
    assert_eq!(whole.asked(), half.asked());
}

#[test]
fn keeps_the_pace() {
    let internet = campus().start().unwrap();
    let net = net(&internet);
    let slow = ScanRules { per_second: 20, ports: vec![80], ..rules() };
    let begun = Instant::now();
    let (_, probes) = scan_all(&plan(slow), &net);
    let least = Duration::from_millis(50) * (probes.len() as u32 - 1);
    assert!(begun.elapsed() >= least, "{} in {:?}", probes.len(), begun.elapsed());
}

/// Two slow servers side by side: the second is asked when the first has answered.
#[test]
fn neighbours_are_asked_in_turn() {
    let slow = || {
        let answer = Step::send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        Answer::script([Step::Wait(Duration::from_millis(300)), answer])
    };
    let addresses = ["198.18.1.2", "198.18.1.3", "198.18.1.14"];
    let internet = addresses
        .iter()
        .fold(Internet::new().one_socket_per_address(), |internet, address| {
            internet.site(plain(address, slow()))
        })
        .start()
        .unwrap();
    let open = addresses.map(|address| (address, 80));
    let net = Net::new(settings(&internet, &open)).unwrap();
    let (state, _) = scan_all(&plan(ScanRules::default()), &net);
    assert_eq!(state.servers.len(), 3);
    assert!(internet.wait_until_quiet(Duration::from_secs(5)));
    let requests = internet.requests();
    for pair in requests.windows(2) {
        let ended = pair[0].ended.unwrap();
        assert!(ended.instant <= pair[1].arrived.instant, "two neighbours at a time");
    }
}

/// A server that accepts and says nothing holds nobody up for long.
#[test]
fn silent_servers() {
    let mute = Answer::script([Step::Wait(Duration::from_secs(60))]);
    let internet = Internet::new().one_socket_per_address().site(plain("198.18.1.4", mute));
    let internet = internet.start().unwrap();
    let net = Net::new(settings(&internet, &[("198.18.1.4", 80)])).unwrap();
    let impatient = ScanRules { answer: Duration::from_millis(300), ..ScanRules::default() };
    let (state, _) = scan_all(&plan(impatient), &net);
    assert_eq!(state.servers[0].class, ServerClass::Silent);
    assert!(state.servers[0].reason.starts_with("no answer: time ran out"));
}

#[test]
fn other_ports_and_ipv6() {
    let internet = Internet::new()
        .one_socket_per_address()
        .zone(Zone::new("uni.example").ptr(ip("2001:db8::6"), "six"))
        .site(Site::new("http://six.uni.example:8080").at("2001:db8::6").page("/", PAGE))
        .start()
        .unwrap();
    let net = Net::new(settings(&internet, &[("2001:db8::6", 8080)])).unwrap();
    let rules = ScanRules { ports: vec![8080], ..ScanRules::default() };
    let asked = nets(&["2001:db8::/125", "2001:db8::ff/128"]);
    let plan = ScanPlan::new(&asked, &profile(&["2001:db8::/32"]), rules).unwrap();
    let (state, probes) = scan_all(&plan, &net);
    assert_eq!(probes.iter().filter(|probe| probe.sent == Sent::Nothing).count(), 9);
    assert_eq!(state.servers.len(), 1);
    assert_eq!(state.servers[0].address, ip("2001:db8::6"));
    let statuses: Vec<u16> =
        state.servers[0].ports[0].answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [404, 200], "by address, then by name");
}

#[test]
fn scans_that_do_not_begin() {
    let internet = campus().start().unwrap();
    let mapped = net(&internet);
    let plan = plan(rules());
    let other = ScanPlan::new(&nets(&["198.18.2.0/30"]), &profile(&["198.18.0.0/16"]), rules());
    let other = begun(&other.unwrap(), &mapped);
    let damaged = ScanState { unfinished: vec![u64::MAX], ..begun(&plan, &mapped) };
    let nobody = Net::new(NetSettings::default()).unwrap();
    let proxied = Net::new(NetSettings {
        proxy: Some("http://127.0.0.1:1/".parse().unwrap()),
        contact: Some("a@uni.example".to_owned()),
        ..NetSettings::default()
    });
    let proxied = proxied.unwrap();
    let fresh = begun(&plan, &mapped);
    type Expected = fn(&ScanError) -> bool;
    let cases: [(&Net, ScanState, Expected); 4] = [
        (&mapped, other, |error| matches!(error, ScanError::OtherPlan)),
        (&mapped, damaged, |error| matches!(error, ScanError::OtherPlan)),
        (&nobody, fresh.clone(), |error| matches!(error, ScanError::NoContact)),
        (&proxied, fresh, |error| matches!(error, ScanError::Proxy)),
    ];
    for (net, state, expected) in cases {
        let mut listen = |_: ScanEvent<'_>, _: &ScanState| ControlFlow::Continue(());
        let error = run(scan(&plan, net, state, &mut listen)).unwrap_err();
        assert!(expected(&error), "{error}");
    }
    assert!(internet.connections().is_empty());
}

#[test]
fn reverse_names_of_a_range() {
    let zone = Zone::new("uni.example")
        .address("a", "198.18.1.1")
        .address("b", "198.18.1.2")
        .address("six", "2001:db8::5")
        .ptr(ip("198.18.1.1"), "a")
        .ptr(ip("198.18.1.1"), "b")
        .ptr(ip("198.18.1.2"), "b")
        .ptr(ip("198.18.1.3"), "www.bank.example.")
        .ptr(ip("2001:db8::5"), "six");
    let internet = Internet::new().zone(zone).start().unwrap();
    let net = Net::new(settings(&internet, &[])).unwrap();
    let named = |list: &[(IpAddr, HostName)]| {
        list.iter().map(|(address, name)| format!("{address} {name}")).collect::<Vec<_>>()
    };
    let ranges = nets(&["2001:db8::/125", "198.18.1.0/29", "198.18.1.4/30"]);
    let sweep = run(ptr_sweep(&net, &ranges, SweepRules::default()));
    assert_eq!(
        named(&sweep.names),
        ["198.18.1.1 a.uni.example", "198.18.1.2 b.uni.example", "2001:db8::5 six.uni.example"]
    );
    let (last, forged) = &sweep.unconfirmed[1];
    assert_eq!((sweep.unconfirmed.len(), *last), (2, ip("198.18.1.3")));
    assert_eq!(forged.confirmation, Confirmation::Absent);
    let other = Confirmation::Outside { addresses: vec![ip("198.18.1.2")] };
    assert_eq!(sweep.unconfirmed[0].1.confirmation, other);
    assert_eq!((sweep.asked, sweep.failed, sweep.left), (16, 0, 0));

    let few = SweepRules { addresses: 2, ..SweepRules::default() };
    let sweep = run(ptr_sweep(&net, &ranges, few));
    assert_eq!((sweep.asked, sweep.left, sweep.names.len()), (2, 14, 1));
}

/// Where no name server answers, a sweep ends soon.
#[test]
fn a_sweep_without_answers() {
    let settings = NetSettings {
        dns: vec!["127.0.0.1:1".parse().unwrap()],
        limits: Limits { resolve: Duration::from_millis(200), ..Limits::default() },
        ..NetSettings::default()
    };
    let net = Net::new(settings).unwrap();
    let rules = SweepRules { failures: 5, in_flight: 4, ..SweepRules::default() };
    let sweep = run(ptr_sweep(&net, &nets(&["198.18.0.0/16"]), rules));
    assert_eq!(sweep.gave_up.unwrap().kind, CauseKind::Dns);
    assert!(sweep.asked < 20 && sweep.failed == sweep.asked, "{}", sweep.asked);
    assert_eq!(sweep.asked + sweep.left, 65_536);
}
