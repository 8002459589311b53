//! What discovery keeps: verdicts, answers, decisions by hand, candidates, scans.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

on_both_engines! {
    verdicts_keep_their_reasons
    the_newest_verdict_holds
    hosts_are_counted
    hosts_are_shown_to_people
    answers_are_kept
    answers_are_read_in_pages
    decisions_reach_the_crawl
    a_decision_that_cannot_be_read_stops_nobody
    candidates_are_numbered
    scans_are_kept_by_vantage
    a_scan_remembers_where_it_was
}

pub(crate) fn host(name: &str) -> HostName {
    HostName::parse(name).unwrap()
}

pub(crate) fn pattern(text: &str) -> HostPattern {
    HostPattern::parse(text).unwrap()
}

pub(crate) fn verdict(name: &str, membership: Membership, at: i64) -> Verdict {
    Verdict {
        host: host(name),
        membership,
        score: 0.9,
        case: None,
        decided_by: None,
        reason: "the signs add up".to_owned(),
        label: None,
        evidence: Vec::new(),
        open: Vec::new(),
        at: seconds(at),
        until: seconds(at + 3600),
    }
}

fn sign(indicator: Indicator, seen: &str, strength: f64) -> Evidence {
    Evidence {
        indicator,
        seen: seen.to_owned(),
        compared: "192.0.2.0/24".to_owned(),
        strength,
        source: "dns".to_owned(),
        at: NOW,
    }
}

fn reasoned() -> Verdict {
    Verdict {
        score: 1.0 / 3.0,
        case: Some(Case::InternalOverExternal),
        decided_by: Some(Indicator::Net),
        reason: "192.0.2.7 lies in 192.0.2.0/24 „quoted“ 'too'".to_owned(),
        label: Some("GI".to_owned()),
        evidence: vec![
            sign(Indicator::Net, "192.0.2.7", 1.0),
            sign(Indicator::Holder, "Universität Gießen \"Liebig\" \\u0000", 0.7),
        ],
        open: vec![OpenQuestion { indicator: Indicator::EmailDomain, why: "throttled".to_owned() }],
        ..verdict("www.uni.example", Membership::Member, 0)
    }
}

async fn verdicts_keep_their_reasons(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    assert_eq!(catalog.verdict(&host("www.uni.example")).await.unwrap(), None);
    assert_eq!(catalog.set_verdicts(&[]).await.unwrap(), Judged::default());
    let address = Verdict { host: host("2001:db8::1"), ..reasoned() };
    assert_eq!(catalog.set_verdicts(&[reasoned(), address.clone()]).await.unwrap().stored, 2);
    for expected in [reasoned(), address] {
        assert_eq!(catalog.verdict(&expected.host).await.unwrap(), Some(expected));
    }

    // What the columns cannot hold is replaced, not refused.
    let odd = Verdict {
        score: f64::NAN,
        reason: "a\0b".to_owned(),
        evidence: vec![
            sign(Indicator::Holder, "a\0b", f64::NAN),
            sign(Indicator::Token, "", f64::INFINITY),
        ],
        ..verdict("odd.example", Membership::Unsure, 0)
    };
    catalog.set_verdicts(std::slice::from_ref(&odd)).await.unwrap();
    let read = catalog.verdict(&odd.host).await.unwrap().unwrap();
    assert_eq!((read.score, read.reason.as_str()), (0.0, "a␀b"));
    let strengths: Vec<f64> = read.evidence.iter().map(|sign| sign.strength).collect();
    assert_eq!((strengths, read.evidence[0].seen.as_str()), (vec![0.0, 1.0], "a␀b"));

    let mut pages = Vec::new();
    let mut after: Option<HostName> = None;
    loop {
        let page = catalog.verdicts_page(after.as_ref(), 2).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.host.clone());
        pages.extend(page.into_iter().map(|verdict| verdict.host.to_string()));
    }
    assert_eq!(pages, ["[2001:db8::1]", "odd.example", "www.uni.example"]);
}

async fn the_newest_verdict_holds(place: Database) {
    let harvest = Harvest::new(place).await;
    let (catalog, name) = (&harvest.catalog, "h.example");
    #[rustfmt::skip]
    let cases = [
        // a batch of (membership, at)                                          stored  holds
        (vec![(Membership::Unsure, 5)],                                         1, Membership::Unsure),
        (vec![(Membership::Foreign, 4)],                                        0, Membership::Unsure),
        (vec![(Membership::Foreign, 5)],                                        1, Membership::Foreign),
        (vec![(Membership::Member, 9), (Membership::Foreign, 7)],               1, Membership::Member),
        (vec![(Membership::Member, 9), (Membership::Unsure, 9)],                1, Membership::Unsure),
    ];
    for (batch, stored, holds) in cases {
        let batch: Vec<Verdict> =
            batch.into_iter().map(|(membership, at)| verdict(name, membership, at)).collect();
        assert_eq!(catalog.set_verdicts(&batch).await.unwrap().stored, stored, "{batch:?}");
        let read = catalog.verdict(&host(name)).await.unwrap().unwrap();
        assert_eq!(read.membership, holds, "{batch:?}");
    }
}

async fn hosts_are_counted(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let none = Membership::ALL.map(|membership| (membership, 0));
    assert_eq!(catalog.status().await.unwrap().hosts.memberships, BTreeMap::from(none));

    let member = |name, case| Verdict { case, ..verdict(name, Membership::Member, 0) };
    let guest = Verdict {
        evidence: vec![sign(Indicator::Net, "192.0.2.9", 1.0)],
        ..verdict("guest.example", Membership::Foreign, 0)
    };
    let near = Verdict {
        evidence: vec![sign(Indicator::Net, "198.51.100.1", 0.0)],
        ..verdict("near.example", Membership::Unsure, 0)
    };
    let verdicts = [
        member("a.example", Some(Case::InternalLinked)),
        member("b.example", Some(Case::InternalLinked)),
        member("c.example", Some(Case::ExternalLinked)),
        member("d.example", None),
        guest,
        near,
    ];
    catalog.set_verdicts(&verdicts).await.unwrap();
    let counts = catalog.host_counts().await.unwrap();
    #[rustfmt::skip]
    let memberships =
        [(Membership::Member, 4), (Membership::Foreign, 1), (Membership::Unsure, 1)];
    assert_eq!(counts.memberships, BTreeMap::from(memberships));
    let cases = [(Case::InternalLinked, 2), (Case::ExternalLinked, 1)];
    assert_eq!(counts.cases, BTreeMap::from(cases));
    assert_eq!(counts.in_range, 3);
    assert_eq!(catalog.status().await.unwrap().hosts, counts);
}

async fn hosts_are_shown_to_people(place: Database) {
    let harvest = Harvest::new(place).await;
    harvest.catalog.set_verdicts(&[reasoned()]).await.unwrap();
    let decision = HandDecision {
        pattern: pattern(".guest.example"),
        accept: false,
        note: String::new(),
        by: "scope.csv".to_owned(),
        at: NOW,
    };
    harvest.catalog.set_hand_decisions(&[decision]).await.unwrap();
    #[rustfmt::skip]
    let cases = [
        ("SELECT decided || ' ' || until FROM hosts", "2026-11-15T21:40:00Z 2026-11-15T22:40:00Z"),
        ("SELECT host || ' ' || membership || ' ' || case_number FROM hosts", "www.uni.example member 3"),
        ("SELECT seen || ' ' || seen_at FROM evidence WHERE strength > 0.9", "192.0.2.7 2026-11-15T21:40:00Z"),
        ("SELECT indicator || ' ' || why FROM open_questions", "email-domain throttled"),
        ("SELECT pattern || ' ' || decision || ' ' || made_by FROM decisions", ".guest.example reject scope.csv"),
    ];
    for (sql, expected) in cases {
        assert_eq!(harvest.place.texts(sql).await, [Some(expected.to_owned())], "{sql}");
    }
}

fn record(kind: LookupKind, question: &str, answer: LookupAnswer, at: i64) -> LookupRecord {
    let key = LookupKey { kind, server: "whois.example".to_owned(), question: question.to_owned() };
    LookupRecord { key, answer, at: seconds(at), until: seconds(at + 60) }
}

async fn answers_are_kept(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let throttled = LookupAnswer::Failed(cause(CauseKind::ServerBusy, "quota exceeded"));
    // Longer than an index takes, and bytes that are no text.
    let long = "q".repeat(100_000);
    let records = [
        record(LookupKind::Whois, &long, LookupAnswer::Found(vec![0, 255, 10, 0]), 0),
        record(LookupKind::Whois, "absent.example", LookupAnswer::Absent("No match".to_owned()), 0),
        record(LookupKind::Rdap, "absent.example", throttled.clone(), 0),
        record(LookupKind::Dns, "", LookupAnswer::Found(Vec::new()), 0),
    ];
    assert_eq!(catalog.store_lookups(&records).await.unwrap(), 4);
    let read = async || {
        let mut all = catalog.lookups_page(&LookupKind::ALL, None, 100).await.unwrap();
        all.sort_by(|a, b| a.key.cmp(&b.key));
        all
    };
    let mut expected = records.to_vec();
    expected.sort_by(|a, b| a.key.cmp(&b.key));
    assert_eq!(read().await, expected);
    let rdap = catalog.lookups_page(&[LookupKind::Rdap], None, 100).await.unwrap();
    assert_eq!(rdap, records[2..3]);
    assert_eq!(catalog.lookups_page(&[], None, 100).await.unwrap(), []);

    // An older answer changes nothing; of two in one batch the newer holds.
    let found = |text: &str| LookupAnswer::Found(text.as_bytes().to_vec());
    let again = |answer, at| record(LookupKind::Whois, "absent.example", answer, at);
    assert_eq!(catalog.store_lookups(&[again(throttled, -1)]).await.unwrap(), 0);
    let batch = [again(found("new"), 9), again(found("old"), 8)];
    assert_eq!(catalog.store_lookups(&batch).await.unwrap(), 1);
    assert!(read().await.contains(&batch[0]));
    assert_eq!(read().await.len(), 4);

    assert_eq!(catalog.prune_lookups(seconds(60)).await.unwrap(), 0);
    assert_eq!(catalog.prune_lookups(seconds(61)).await.unwrap(), 3);
    assert_eq!(read().await, batch[..1]);
}

async fn answers_are_read_in_pages(place: Database) {
    let harvest = Harvest::new(place).await;
    let kinds = [LookupKind::Dns, LookupKind::Tls];
    let records: Vec<LookupRecord> = (0..50)
        .map(|number| {
            // U+0000 is stored as another character; the pages go on after such a question, too.
            let question = format!("h{number}{}", if number % 3 == 0 { "\0" } else { "" });
            record(kinds[number % 2], &question, LookupAnswer::Absent(String::new()), 0)
        })
        .collect();
    harvest.catalog.store_lookups(&records).await.unwrap();
    for (kinds, expected) in [(&kinds[..], 50), (&kinds[..1], 25)] {
        let mut seen = BTreeSet::new();
        let mut after: Option<LookupKey> = None;
        for _ in 0..100 {
            let page = harvest.catalog.lookups_page(kinds, after.as_ref(), 7).await.unwrap();
            after = page.last().map(|record| record.key.clone());
            for record in &page {
                assert!(seen.insert(record.key.clone()), "{} came twice", record.key);
            }
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen.len(), expected);
    }
}

async fn decisions_reach_the_crawl(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let decision = |text, accept, by: &str, at| HandDecision {
        pattern: pattern(text),
        accept,
        note: "a guest".to_owned(),
        by: by.to_owned(),
        at: seconds(at),
    };
    let notes = async || {
        let notes = catalog.read_control().await.unwrap();
        for note in &notes {
            catalog.apply_control(note.id, NOW).await.unwrap();
        }
        notes.into_iter().map(|note| (note.kind, note.body)).collect::<Vec<_>>()
    };
    let other = Catalog::open(&harvest.place.location, &settings()).await.unwrap();
    other.set_hand_decisions(&[]).await.unwrap();
    assert_eq!((catalog.hand_decisions().await.unwrap(), notes().await), (vec![], vec![]));

    let first = [
        decision(".guest.example", false, "scope.csv", 1),
        decision("www.uni.example", false, "scope.csv", 2),
        decision("www.uni.example", true, "scope.csv", 2),
    ];
    other.set_hand_decisions(&first).await.unwrap();
    let note = |body| (DECISION_NOTE.to_owned(), body);
    assert_eq!(notes().await, [note(json!({"decided": 2}))]);
    assert_eq!(catalog.hand_decisions().await.unwrap(), [first[0].clone(), first[2].clone()]);
    assert_eq!(catalog.hand_decisions_since(seconds(2)).await.unwrap(), first[2..]);

    // Whoever decides last decides, whatever their clock says.
    let changed = decision("www.uni.example", false, "Ada", 0);
    other.set_hand_decisions(std::slice::from_ref(&changed)).await.unwrap();
    assert_eq!(catalog.hand_decisions().await.unwrap(), [changed, first[0].clone()]);

    assert!(!other.remove_hand_decision(&pattern("guest.example"), NOW).await.unwrap());
    assert!(other.remove_hand_decision(&pattern(".guest.example"), NOW).await.unwrap());
    let expected = [note(json!({"decided": 1})), note(json!({"withdrawn": ".guest.example"}))];
    assert_eq!(notes().await, expected);
    assert_eq!(catalog.hand_decisions().await.unwrap().len(), 1);
}

async fn a_decision_that_cannot_be_read_stops_nobody(place: Database) {
    let harvest = Harvest::new(place).await;
    let insert = "INSERT INTO hand_decision (pattern, accept, note, made_by, at) VALUES \
                  ('not a host', 1, '', 'somebody', 0), ('WWW.Uni.Example', 1, '', 'somebody', 0)";
    harvest.place.sql(insert).await;
    let read = harvest.catalog.hand_decisions().await.unwrap();
    let patterns: Vec<String> = read.iter().map(|decision| decision.pattern.to_string()).collect();
    assert_eq!(patterns, ["www.uni.example"]);
}

async fn candidates_are_numbered(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let candidate = |name, source: &str, detail: &str| Candidate {
        host: host(name),
        source: source.to_owned(),
        detail: detail.to_owned(),
        at: NOW,
    };
    assert_eq!(catalog.offer_candidates(&[]).await.unwrap(), 0);
    let first = [
        candidate("a.example", "certificate", "192.0.2.7"),
        candidate("a.example", "certificate", "192.0.2.8"),
        candidate("a.example", "scan", ""),
    ];
    assert_eq!(catalog.offer_candidates(&first).await.unwrap(), 2);
    let known = catalog.candidates(0, 9).await.unwrap();
    let shown: Vec<&Candidate> = known.iter().map(|numbered| &numbered.candidate).collect();
    assert_eq!(shown, [&first[0], &first[2]]);

    // Only what is new comes after the last number; sources too long for an index are cut.
    let long = format!("{}ä{}", "x".repeat(499), "y".repeat(9_000));
    let second = [candidate("a.example", "scan", "again"), candidate("b.example", &long, "")];
    assert_eq!(catalog.offer_candidates(&second).await.unwrap(), 1);
    assert_eq!(catalog.offer_candidates(&second).await.unwrap(), 0);
    let last = known[1].number;
    let new = catalog.candidates(last, 9).await.unwrap();
    assert_eq!(new.len(), 1);
    assert!(new[0].number > last);
    assert_eq!(new[0].candidate.source, "x".repeat(499));
    assert_eq!(catalog.candidates(0, 1).await.unwrap(), known[..1]);
}

async fn scans_are_kept_by_vantage(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    let server = |address: &str, port, vantage: &str, class: &str, at| WebServer {
        address: address.parse().unwrap(),
        port,
        vantage: vantage.to_owned(),
        class: class.to_owned(),
        reason: "its title".to_owned(),
        names: vec!["www.uni.example".to_owned(), "a\"b".to_owned()],
        status: (port == 80).then_some(200),
        server_type: (port == 443).then(|| "Apache".to_owned()),
        seen_at: seconds(at),
    };
    let seen = [
        server("192.0.2.7", 80, "inside", "site", 0),
        server("192.0.2.7", 80, "outside", "login", 0),
        server("192.0.2.7", 443, "inside", "site", 0),
        server("2001:db8::7", 80, "inside", "device", 0),
    ];
    assert_eq!(catalog.store_web_servers(&seen).await.unwrap(), 4);
    let later = [
        server("2001:db8::7", 80, "inside", "site", 5),
        server("192.0.2.7", 80, "inside", "x", -5),
    ];
    assert_eq!(catalog.store_web_servers(&later).await.unwrap(), 1);
    let mut all: Vec<WebServer> = Vec::new();
    loop {
        let page = catalog.web_servers_page(all.last(), 1).await.unwrap();
        if page.is_empty() {
            break;
        }
        all.extend(page);
    }
    assert_eq!(all, [seen[0].clone(), seen[1].clone(), seen[2].clone(), later[0].clone()]);
}

async fn a_scan_remembers_where_it_was(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    assert_eq!(catalog.discovery_state("scan").await.unwrap(), None);
    for state in [json!({"seed": 7, "next": 0}), json!({"seed": 7, "next": 512, "odd": "a\0b"})] {
        catalog.set_discovery_state("scan", &state).await.unwrap();
        assert_eq!(catalog.discovery_state("scan").await.unwrap(), Some(state));
    }
    assert_eq!(catalog.discovery_state("sweep").await.unwrap(), None);
}
