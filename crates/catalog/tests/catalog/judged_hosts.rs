//! Hosts as people go through them.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    hosts_are_filtered_and_sorted
    hosts_that_were_met
    marks_change_with_what_is_counted
    hosts_that_wait_for_a_person
    what_a_monitor_shows
}

fn verdict(host: &str, membership: Membership, case: Option<Case>, score: f64) -> Verdict {
    Verdict {
        host: HostName::parse(host).unwrap(),
        membership,
        score,
        case,
        decided_by: None,
        reason: String::new(),
        label: None,
        evidence: Vec::new(),
        open: Vec::new(),
        at: NOW,
        until: seconds(60),
    }
}

async fn harvest(place: Database) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let link = |server, from| ServerLink { server: ServerId(server), from: ServerId(from) };
    let commit = Commit {
        servers: servers([1, 2, 3]),
        offers: vec![offer(1, 1), offer(2, 2), offer(3, 2)],
        captures: vec![capture(1, 1, 1, run), capture(2, 2, 2, run), capture(3, 3, 2, run)],
        changes: vec![done(1, 1), done(2, 2), done(3, 3)],
        links: vec![link(2, 1), link(3, 1), link(1, 2)],
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let verdicts = [
        verdict("h1.example", Membership::Member, Some(Case::ExternalLinked), 0.9),
        verdict("h2.example", Membership::Member, Some(Case::InternalLinked), 1.0),
        verdict("h3.example", Membership::Foreign, None, 0.1),
        verdict("h_4.example", Membership::Unsure, None, 0.5),
    ];
    harvest.catalog.set_verdicts(&verdicts).await.unwrap();
    harvest
}

async fn hosts_are_filtered_and_sorted(place: Database) {
    let harvest = harvest(place).await;
    let all = HostFilter::default();
    let members = HostFilter { membership: Some(Membership::Member), ..all.clone() };
    let internal = HostFilter { case: Some(Case::InternalLinked), ..all.clone() };
    let text = |text: &str| HostFilter { text: text.to_owned(), ..HostFilter::default() };
    #[rustfmt::skip]
    let cases: [(&HostFilter, HostOrder, bool, &str); 9] = [
        (&all,         HostOrder::Verdict,  false, "h2 h1 h_4 h3"),
        (&all,         HostOrder::Host,     true,  "h_4 h3 h2 h1"),
        (&all,         HostOrder::Score,    true,  "h2 h1 h_4 h3"),
        (&members,     HostOrder::Captures, true,  "h2 h1"),
        (&internal,    HostOrder::Verdict,  false, "h2"),
        (&text("H1"),  HostOrder::Verdict,  false, "h1"),
        (&text("_"),   HostOrder::Verdict,  false, "h_4"),
        (&text("%"),   HostOrder::Verdict,  false, ""),
        (&text("'"),   HostOrder::Verdict,  false, ""),
    ];
    for (filter, order, descending, expected) in cases {
        let (total, hosts) =
            harvest.catalog.judged_hosts(filter, order, descending, 0, 10).await.unwrap();
        let names: Vec<&str> =
            hosts.iter().map(|it| it.verdict.host.as_str().trim_end_matches(".example")).collect();
        assert_eq!(names.join(" "), expected, "{filter:?} {order:?}");
        assert_eq!(total as usize, names.len());
    }
    let (total, page) =
        harvest.catalog.judged_hosts(&all, HostOrder::Verdict, false, 1, 1).await.unwrap();
    assert_eq!((total, page.len(), page[0].captures), (4, 1, 1));
}

async fn hosts_that_were_met(place: Database) {
    let harvest = harvest(place).await;
    let met = harvest.catalog.met_hosts(2).await.unwrap();
    let shown: Vec<(&str, u64)> = met.iter().map(|it| (it.host.as_str(), it.captures)).collect();
    assert_eq!(shown, [("h2.example", 2), ("h1.example", 1)]);
    assert_eq!(met[0].membership, Some(Membership::Member));
    let links = harvest.catalog.host_links(10).await.unwrap();
    let links: Vec<String> = links.iter().map(|(from, to)| format!("{from} {to}")).collect();
    assert_eq!(links, ["h2.example h1.example", "h1.example h2.example", "h1.example h3.example"]);
    let h1 = HostName::parse("h1.example").unwrap();
    let linked = harvest.catalog.linked_hosts(&h1, 10).await.unwrap();
    assert_eq!(
        linked.iter().map(HostName::as_str).collect::<Vec<_>>(),
        ["h2.example", "h3.example"]
    );
    assert_eq!(harvest.catalog.robots_copies(&[ServerId(1)]).await.unwrap(), []);
}

async fn marks_change_with_what_is_counted(place: Database) {
    let mut harvest = harvest(place).await;
    let mut last = harvest.catalog.mark().await.unwrap();
    assert_eq!(harvest.catalog.mark().await.unwrap(), last);
    let run = harvest.run;
    let commit = Commit {
        offers: vec![offer(4, 1)],
        captures: vec![capture(4, 4, 1, run)],
        changes: vec![done(4, 4)],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let next = harvest.catalog.mark().await.unwrap();
    assert_ne!(next, last);
    last = next;
    harvest.catalog.end_run(run, "done", seconds(100)).await.unwrap();
    assert_ne!(harvest.catalog.mark().await.unwrap(), last);
}

async fn hosts_that_wait_for_a_person(place: Database) {
    let mut harvest = harvest(place).await;
    let link = |server, from| ServerLink { server: ServerId(server), from: ServerId(from) };
    let commit = Commit {
        servers: servers([5, 6]),
        offers: vec![parked(51, 5), parked(61, 6), parked(62, 6), offer(63, 6)],
        links: vec![link(5, 1), link(5, 2), link(6, 1), link(6, 6)],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let verdicts =
        ["h5.example", "h6.example"].map(|it| verdict(it, Membership::Unsure, None, 0.4));
    harvest.catalog.set_verdicts(&verdicts).await.unwrap();
    let (total, hosts) = harvest.catalog.unsure_hosts(0, 10).await.unwrap();
    let shown: Vec<_> =
        hosts.iter().map(|it| (it.verdict.host.as_str(), it.waiting, it.linking_hosts)).collect();
    assert_eq!(total, 3);
    assert_eq!(shown, [("h6.example", 2, 1), ("h5.example", 1, 2), ("h_4.example", 0, 0)]);
    let (_, second) = harvest.catalog.unsure_hosts(1, 1).await.unwrap();
    assert_eq!(second, hosts[1..2]);
    let waiting = harvest.catalog.waiting_for_verdict(&verdicts[1].host).await.unwrap();
    assert_eq!(waiting, 2);
}

async fn what_a_monitor_shows(place: Database) {
    let mut harvest = harvest(place).await;
    let newest = harvest.catalog.newest_captures(2).await.unwrap();
    let shown: Vec<_> = newest.iter().map(|it| (it.capture.0, it.url.as_str())).collect();
    assert_eq!(shown, [(3, "http://h2.example/3"), (2, "http://h2.example/2")]);

    let refused = |id, kind, test: &str| change(id, Change::Refused { cause: cause(kind, test) });
    let robots = |server, status| RobotsCopy {
        server: ServerId(server),
        fetched: NOW,
        expires: seconds(60),
        status,
        body: Vec::new(),
    };
    let commit = Commit {
        offers: (11..=14).map(|id| offer(id, 1)).collect(),
        changes: vec![
            refused(11, CauseKind::Excluded, "regex /a/"),
            refused(12, CauseKind::Excluded, "regex /a/"),
            refused(13, CauseKind::Excluded, "host x"),
            refused(14, CauseKind::Robots, "regex /a/"),
        ],
        robots: vec![robots(1, 200), robots(2, 404), robots(3, 0)],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let dropped = harvest.catalog.excluded_counts().await.unwrap();
    let dropped: Vec<_> = dropped.iter().map(|(test, count)| (test.as_str(), *count)).collect();
    assert_eq!(dropped, [("host x", 1), ("regex /a/", 2)]);
    let counts = harvest.catalog.robots_counts().await.unwrap();
    assert_eq!(counts, RobotsCounts { read: 1, missing: 1, unreachable: 1 });
}
