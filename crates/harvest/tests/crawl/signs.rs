//! Signs that only a harvest as a whole can show: who links to whom, whom else a name server serves,
//! and which names stand together in logged certificates.

use crate::field::Field;
use crate::organisation::{
    BAKERY, START, UNIVERSITY, discovery, domain, holder, host, internet, page, profile, registry,
    start_page, zone,
};
use auslese_discover::judge::{Thoroughness, explain};
use auslese_discover::{NameServer, Profile, read_import};
use auslese_harvest::{DiscoverJob, Discovering};
use auslese_model::{Candidate, Evidence, Indicator, Membership, Timestamp, Verdict};
use auslese_testnet::{Internet, Site};

impl Field {
    fn discovering<T>(&self, job: DiscoverJob, work: impl AsyncFnOnce(&Discovering) -> T) -> T {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let opened = Discovering::open(&self.dir(), job).await.unwrap();
            let done = work(&opened).await;
            opened.close().await;
            done
        })
    }

    /// The verdict as `discover explain` has it.
    pub(crate) fn explained(&self, name: &str, profile: Profile) -> Verdict {
        self.discovering(self.discover_job(vec![profile]), async |work| {
            work.judge(&host(name), Thoroughness::UntilDecided).await.unwrap()
        })
    }
}

fn sign(verdict: &Verdict, indicator: Indicator) -> Option<&Evidence> {
    verdict.evidence.iter().find(|sign| sign.indicator == indicator)
}

fn strength(verdict: &Verdict, indicator: Indicator) -> Option<f64> {
    sign(verdict, indicator).map(|sign| (sign.strength * 1e4).round() / 1e4)
}

#[test]
fn links_both_ways() {
    let elsewhere = |name: &str, address: &str| zone(name).address("@", address);
    let field = Field::new(
        internet()
            .zone(elsewhere("beide.example", "192.0.2.61"))
            .zone(elsewhere("stumm.example", "192.0.2.62"))
            .zone(elsewhere("allein.example", "192.0.2.63"))
            .site(start_page(&["http://beide.example/", "http://stumm.example/"]))
            .site(Site::new("http://beide.example").page("/", page(&[START])))
            .site(Site::new("http://stumm.example").page("/", "nobody"))
            .site(Site::new("http://allein.example").page("/", page(&[START])))
            .registry(registry()),
    );
    field.find(&["allein.example"]);
    field.start(field.member_job(&[START])).end().unwrap();
    #[rustfmt::skip]
    let cases = [
        ("beide.example",  0.1),
        // It does not link back, and nobody links to it.
        ("stumm.example",  0.0),
        ("allein.example", 0.0),
    ];
    for (name, expected) in cases {
        let stored = field.verdict(name).unwrap();
        assert_eq!(strength(&stored, Indicator::Links), Some(expected), "{name}: {stored:?}");
        let again = field.explained(name, profile());
        assert_eq!(strength(&again, Indicator::Links), Some(expected), "{name}");
    }
    let lines = explain(&field.verdict("beide.example").unwrap()).join("\n");
    assert!(lines.contains("and www.uni.example links back"), "{lines}");
}

/// A profile that shares a name server with others.
fn at_the_provider() -> Profile {
    let mut profile = profile();
    profile.name_servers.push(NameServer {
        host: host("ns.provider.example"),
        addresses: Vec::new(),
        own: false,
        why: "it serves others as well".to_owned(),
    });
    profile
}

fn customers() -> Internet {
    let names = ["a", "b", "c", "d", "mit"].map(|name| format!("{name}.example"));
    let links: Vec<String> = names.iter().map(|name| format!("http://{name}/")).collect();
    let links: Vec<&str> = links.iter().map(String::as_str).collect();
    let net = names
        .iter()
        .fold(internet().site(start_page(&links)), |net, name| {
            net.zone(zone(name).address("@", "192.0.2.70"))
        })
        .site(Site::new("http://mit.example").page("/", "m"));
    let registered = ["a.example", "b.example", "c.example", "d.example"]
        .into_iter()
        .fold(registry(), |registry, name| registry.domain(domain(name, holder(BAKERY))));
    net.registry(registered.domain(domain("mit.example", holder(UNIVERSITY))))
}

/// A shared name server says less the more strangers are seen to use it; members do not count.
#[test]
fn name_servers_of_many() {
    let field = Field::new(customers());
    let mut job = field.member_job(&[START]);
    job.discovery = Some(discovery(vec![at_the_provider()]));
    field.start(job).end().unwrap();
    #[rustfmt::skip]
    let cases = [
        // One member and three strangers beside it.
        ("a.example",   Membership::Foreign, 0.08),
        ("d.example",   Membership::Foreign, 0.08),
        ("mit.example", Membership::Member,  0.04),
    ];
    for (name, membership, expected) in cases {
        let verdict = field.explained(name, at_the_provider());
        assert_eq!(verdict.membership, membership, "{name}: {}", verdict.reason);
        assert_eq!(strength(&verdict, Indicator::NameServer), Some(expected), "{name}");
    }
    let lines = explain(&field.verdict("a.example").unwrap()).join("\n");
    assert!(lines.contains("was seen with 3 others"), "{lines}");
}

/// What is found out in a run counts for the rest of it.
#[test]
fn strangers_are_counted_as_they_come() {
    let field = Field::new(customers());
    let mut job = field.discover_job(vec![at_the_provider()]);
    job.discovery.at_once = 1;
    let candidates = ["a.example", "b.example", "c.example"].map(|name| Candidate {
        host: host(name),
        source: "list".to_owned(),
        detail: String::new(),
        at: Timestamp::now(),
    });
    let found = field.discovering(job, async |work| {
        work.offer(&candidates).await.unwrap();
        work.judge_candidates(&mut |_, _| {}).await.unwrap()
    });
    let strengths = found.verdicts.iter().map(|it| strength(it, Indicator::NameServer).unwrap());
    assert_eq!(strengths.collect::<Vec<_>>(), [0.2, 0.1, 0.0667]);
}

/// From the export of a log to the verdict: a certificate that names a host and a member speaks for
/// the host; that of a provider does not.
#[test]
fn logged_certificates() {
    let elsewhere = |name: &str| zone(name).address("@", "192.0.2.80");
    let field = Field::new(
        internet()
            .zone(elsewhere("projekt.example").mx("@", 10, "ns.uni.example."))
            .zone(elsewhere("gruppe.example"))
            .zone(elsewhere("kunde.example"))
            .zone(elsewhere("laden.example"))
            .site(start_page(&[]))
            .registry(registry()),
    );
    let customers: Vec<String> = (0..50).map(|number| format!("\"k{number}.example\"")).collect();
    let export = format!(
        r#"[{{"common_name":"www.uni.example","name_value":"projekt.example\ngruppe.example"}},
            {{"dns_names":["kunde.example","www.uni.example",{}]}},
            {{"dns_names":["laden.example","www.laden.example"]}}]"#,
        customers.join(",")
    );
    let import = read_import(export.as_bytes(), None).unwrap();
    let names = ["projekt.example", "gruppe.example", "kunde.example", "laden.example"];
    let listed = import.hosts.iter().filter(|it| names.contains(&it.host.as_str()));
    let candidates: Vec<Candidate> = listed
        .map(|it| Candidate {
            host: it.host.clone(),
            source: "ct.json".to_owned(),
            detail: format!("line {}", it.place),
            at: Timestamp::now(),
        })
        .collect();
    assert_eq!(candidates.len(), names.len());
    field.discovering(field.discover_job(vec![profile()]), async |work| {
        work.offer(&candidates).await.unwrap();
        for _ in 0..2 {
            work.offer_certificates("ct.json", &import.certificates).await.unwrap();
        }
        work.judge_candidates(&mut |_, _| {}).await.unwrap();
    });
    #[rustfmt::skip]
    let cases = [
        // With its mail at the university's it is enough.
        ("projekt.example", Membership::Member,  0.5),
        ("gruppe.example",  Membership::Unsure,  0.5),
        ("laden.example",   Membership::Foreign, 0.0),
    ];
    for (name, membership, expected) in cases {
        for verdict in [field.verdict(name).unwrap(), field.explained(name, profile())] {
            assert_eq!(verdict.membership, membership, "{name}: {}", verdict.reason);
            assert_eq!(strength(&verdict, Indicator::Certificate), Some(expected), "{name}");
        }
    }
    let stored = field.verdict("projekt.example").unwrap();
    assert_eq!(stored.case.map(|case| case.number()), Some(5));
    let source = &sign(&stored, Indicator::Certificate).unwrap().source;
    assert_eq!(source, "certificate log ct.json, line 1");
    let lines = explain(&stored).join("\n");
    assert!(lines.contains("names www.uni.example, under uni.example"), "{lines}");
    let provided = field.verdict("kunde.example").unwrap();
    let speaks = sign(&provided, Indicator::Certificate).is_some_and(|sign| sign.strength > 0.0);
    assert!(!speaks, "{provided:?}");
    // The record holds what was imported, for whoever makes the decision again.
    let recorded = field.discovering(field.discover_job(vec![profile()]), async |work| {
        work.lookups().await.unwrap()
    });
    let replay = DiscoverJob { recorded, ..field.discover_job(vec![profile()]) };
    let again = field.discovering(replay, async |work| {
        work.judge(&host("projekt.example"), Thoroughness::UntilDecided).await.unwrap()
    });
    assert_eq!(strength(&again, Indicator::Certificate), Some(0.5));
}
