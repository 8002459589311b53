//! How often servers are asked: once per question, at a steady rate, and not while they want to be
//! left alone.

use crate::world::{denic, lookups, run, start, whois_log, whois_only};
use auslese_discover::RegistrationState;
use auslese_discover::lookup::LookupSettings;
use auslese_model::{CauseKind, LookupAnswer};
use auslese_testnet::{Answer, Behaviour, Bootstrap, Internet, Site};
use std::collections::HashSet;
use std::time::{Duration, Instant};

#[test]
fn simultaneous_questions_are_one() {
    let internet = start([denic(1).behaves(Behaviour::Slow(Duration::from_millis(100)))]);
    let lookups = lookups(&internet, whois_only());
    run(async {
        let asking = ["d0.de", "www.d0.de", "a.b.d0.de", "d0.de"].map(|name| {
            let lookups = lookups.clone();
            tokio::spawn(async move { lookups.registration(name).await })
        });
        for told in asking {
            assert_eq!(told.await.unwrap().unwrap().value.state, RegistrationState::Found);
        }
    });
    assert_eq!(whois_log(&internet).len(), 1);
    assert_eq!(lookups.take_new().len(), 1);
}

#[test]
fn nobody_is_asked_twice() {
    let internet = start([denic(12)]);
    let lookups = lookups(&internet, whois_only());
    run(async {
        for _ in 0..5 {
            for number in 0..12 {
                lookups.registration(&format!("www.d{number}.de")).await.unwrap();
            }
        }
    });
    let asked = whois_log(&internet);
    assert_eq!(asked.len(), 12);
    assert_eq!(asked.iter().collect::<HashSet<_>>().len(), 12);
}

#[test]
fn a_burst_and_then_one_at_a_time() {
    let interval = Duration::from_millis(200);
    let internet = start([denic(6)]);
    let lookups = lookups(&internet, LookupSettings { interval, burst: 3, ..whois_only() });
    run(async {
        let asking: Vec<_> = (0..6)
            .map(|number| {
                let lookups = lookups.clone();
                tokio::spawn(async move { lookups.registration(&format!("d{number}.de")).await })
            })
            .collect();
        for told in asking {
            told.await.unwrap().unwrap();
        }
    });
    let queries = internet.whois_queries();
    let begun = queries[0].at.instant;
    let after = |index: usize| queries[index].at.instant.duration_since(begun);
    assert_eq!(queries.len(), 6);
    // Three at once; the last comes three intervals later. A busy machine only makes it later.
    assert!(after(5) >= interval * 5 / 2, "{:?}", after(5));
}

#[test]
fn who_would_wait_too_long_is_told_so() {
    let internet = start([denic(8)]);
    let settings = LookupSettings {
        interval: Duration::from_secs(3600),
        burst: 2,
        question: Duration::from_secs(10),
        ..whois_only()
    };
    let lookups = lookups(&internet, settings);
    run(async {
        assert!(lookups.registration("d0.de").await.is_ok());
        assert!(lookups.registration("d1.de").await.is_ok());
        let cause = lookups.registration("d2.de").await.unwrap_err();
        assert_eq!(cause.kind, CauseKind::Timeout);
        assert_eq!(cause.detail, "waiting for whois.denic.de: 0 questions before");
    });
    assert_eq!(whois_log(&internet).len(), 2);
    // Nobody was asked, so there is nothing to keep.
    assert_eq!(lookups.take_new().len(), 2);
}

#[test]
fn a_throttled_answer_is_no_answer() {
    let internet = start([denic(4).behaves(Behaviour::Throttled { after: 1 })]);
    let lookups = lookups(&internet, whois_only());
    run(async {
        assert!(lookups.registration("d0.de").await.is_ok());
        let throttled = lookups.registration("d1.de").await.unwrap_err();
        assert_eq!(throttled.kind, CauseKind::ServerBusy);
        assert!(throttled.detail.starts_with("whois.denic.de: "), "{throttled}");
        // The server is left alone, also with other questions; what is known is still told.
        let left_alone = lookups.registration("d2.de").await.unwrap_err();
        assert_eq!(left_alone.kind, CauseKind::ServerBusy);
        assert!(left_alone.detail.contains("wants to be left alone"), "{left_alone}");
        assert!(lookups.registration("d0.de").await.is_ok());
    });
    assert_eq!(whois_log(&internet).len(), 2);
    let kept = lookups.take_new();
    assert!(matches!(kept[0].answer, LookupAnswer::Found(_)));
    assert!(
        matches!(&kept[1].answer, LookupAnswer::Failed(cause) if cause.kind == CauseKind::ServerBusy)
    );
    assert!(kept[1].until < kept[0].until);
}

#[test]
fn after_the_pause_the_question_is_asked_again() {
    let internet = start([denic(3).behaves(Behaviour::Throttled { after: 1 })]);
    let settings = LookupSettings { back_off: Duration::from_millis(300), ..whois_only() };
    let lookups = lookups(&internet, settings);
    run(async {
        lookups.registration("d0.de").await.unwrap();
        assert!(lookups.registration("d1.de").await.is_err());
        let begun = Instant::now();
        // The pause is short enough to wait for: the registry, still throttled, is asked again.
        assert!(lookups.registration("d2.de").await.is_err());
        assert!(begun.elapsed() >= Duration::from_millis(200));
    });
    assert_eq!(whois_log(&internet).len(), 3);
}

#[test]
fn retry_after_is_honoured_and_capped() {
    let object = r#"{"objectClassName": "domain", "entities": [{"roles": ["registrant"],
        "vcardArray": ["vcard", [["org", {}, "text", "Uni"]]]}]}"#;
    for (wanted, capped) in [("1", false), ("86400", true)] {
        let busy = Answer::error(429).header("Retry-After", wanted);
        let answer = Answer::sequence([busy, Answer::body(object)]);
        let site = Site::new("http://rdap.nic.test").answer("/domain/uni.test", answer);
        let bootstrap = Bootstrap::new().domain("test", "http://rdap.nic.test");
        let internet = Internet::new()
            .site(bootstrap.site("http://bootstrap.example/rdap", "198.51.100.8"))
            .site(site)
            .start()
            .unwrap();
        let settings = LookupSettings {
            order: auslese_discover::lookup::RegistryOrder::RdapOnly,
            back_off_max: Duration::from_secs(2),
            ..crate::world::quick()
        };
        let lookups = lookups(&internet, settings);
        run(async {
            let cause = lookups.registration("uni.test").await.unwrap_err();
            assert_eq!(cause.kind, CauseKind::ServerBusy);
            assert_eq!(cause.detail, "rdap.nic.test: status 429");
            let kept = lookups.take_new().pop().unwrap();
            let pause = kept.until.since(kept.at);
            let expected = Duration::from_secs(if capped { 2 } else { 1 });
            assert_eq!(pause, expected, "{wanted}");
            tokio::time::sleep(pause).await;
            let told = lookups.registration("uni.test").await.unwrap();
            assert_eq!(told.value.registrant.holder(), Some("Uni"));
        });
    }
}
