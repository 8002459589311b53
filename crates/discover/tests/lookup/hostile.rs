//! Registries that say nothing, too much, or nonsense.

use crate::world::{denic, domain, lookups, registry, run, start, whois_log, whois_only};
use auslese_discover::RegistrationState;
use auslese_discover::lookup::{LookupSettings, RegistryOrder};
use auslese_model::{CauseKind, LookupAnswer};
use auslese_testnet::{Answer, Behaviour, Bootstrap, Dialect, Internet, Site, Step};
use std::time::{Duration, Instant};

/// Longer than anything here should take, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(15);

fn impatient() -> LookupSettings {
    LookupSettings { question: Duration::from_secs(2), ..whois_only() }
}

#[test]
fn a_silent_registry_costs_its_time_twice_and_is_then_left_alone() {
    let internet = start([denic(0).behaves(Behaviour::Silent)]);
    let lookups = lookups(&internet, impatient());
    run(async {
        for _ in 0..2 {
            let cause = lookups.registration("a.de").await.unwrap_err();
            assert_eq!(cause.kind, CauseKind::Timeout, "{cause}");
        }
        // The failed question was remembered.
        assert_eq!(whois_log(&internet).len(), 1);
        assert_eq!(lookups.registration("b.de").await.unwrap_err().kind, CauseKind::Timeout);
        let begun = Instant::now();
        for number in 0..100 {
            let cause = lookups.registration(&format!("c{number}.de")).await.unwrap_err();
            assert!(cause.detail.starts_with("whois.denic.de does not answer"), "{cause}");
        }
        assert!(begun.elapsed() < PATIENCE);
    });
    assert_eq!(whois_log(&internet).len(), 2);
    assert!(lookups.take_new().iter().all(|kept| matches!(kept.answer, LookupAnswer::Failed(_))));
}

#[test]
fn a_slow_registry_is_waited_for() {
    let internet = start([denic(1).behaves(Behaviour::Slow(Duration::from_millis(400)))]);
    let lookups = lookups(&internet, whois_only());
    assert!(run(lookups.registration("d0.de")).is_ok());
}

#[test]
fn nonsense_is_neither_a_holder_nor_nothing() {
    for behaviour in [Behaviour::Garbage, Behaviour::Endless] {
        let internet = start([denic(1).behaves(behaviour.clone())]);
        let lookups = lookups(&internet, whois_only());
        let begun = Instant::now();
        let told = run(lookups.registration("d0.de")).unwrap();
        assert_eq!(told.value.state, RegistrationState::Error, "{behaviour:?}");
        assert!(begun.elapsed() < PATIENCE);
        let kept = lookups.take_new().pop().unwrap();
        assert!(matches!(kept.answer, LookupAnswer::Found(bytes) if bytes.len() <= 64 << 10));
        assert!(kept.until.since(kept.at) <= Duration::from_secs(24 * 60 * 60));
    }
}

#[test]
fn a_registrar_that_fails_leaves_a_question_open() {
    let internet = start([
        registry("whois.verisign-grs.com", 1, Dialect::Verisign).domain(domain("uni.com")),
        registry("whois.registrar.example", 2, Dialect::Icann2013).behaves(Behaviour::Silent),
    ]);
    let lookups = lookups(&internet, impatient());
    let told = run(lookups.registration("uni.com")).unwrap();
    assert!(told.value.registrant.is_empty());
    assert_eq!(told.value.name_servers, ["ns1.uni.example", "ns2.uni.example"]);
    assert_eq!(told.open.unwrap().kind, CauseKind::Timeout);
}

#[test]
fn referrals_to_nowhere() {
    let referring = |server: &str| {
        start([
            registry("whois.iana.org", 1, Dialect::Iana).refer("test", server),
            registry("whois.loop.test", 2, Dialect::Iana).refer("test", "whois.loop.test"),
        ])
    };
    // The root names itself, a server that refers on, a private address, a name without one.
    for server in ["whois.iana.org", "whois.loop.test", "127.0.0.1", "whois.nowhere.test"] {
        let internet = referring(server);
        let told = run(lookups(&internet, impatient()).registration("uni.test"));
        let holder = told.ok().and_then(|told| told.value.registrant.organization);
        assert!(holder.is_none_or(|holder| !holder.contains("uni")), "{server}");
        assert!(whois_log(&internet).len() <= 2, "{server}: {:?}", whois_log(&internet));
    }
}

#[test]
fn rdap_servers_that_misbehave() {
    let endless = Answer::script([
        Step::send("HTTP/1.1 200 OK\r\n\r\n{\"objectClassName\": \""),
        Step::SendForever { pattern: vec![b'x'; 4096].into(), pause: Duration::ZERO },
    ]);
    let drip = Answer::script([
        Step::send("HTTP/1.1 200 OK\r\n\r\n"),
        Step::SendForever { pattern: b" "[..].into(), pause: Duration::from_millis(20) },
    ]);
    let deep = format!("{}{}", "{\"entities\":[".repeat(9_000), "]}".repeat(9_000));
    let site = Site::new("http://rdap.nic.test")
        .answer("/domain/endless.test", endless)
        .answer("/domain/drip.test", drip)
        .answer("/domain/deep.test", Answer::body(deep))
        .answer("/domain/huge.test", Answer::body(vec![b'['; 900_000]))
        .answer("/domain/page.test", Answer::page("<h1>Welcome</h1>"))
        .answer("/domain/loop.test", Answer::redirect(302, "/domain/loop.test"))
        .answer("/domain/down.test", Answer::redirect(302, "http://127.0.0.1/"))
        .answer("/domain/broken.test", Answer::error(500))
        .answer("/domain/refused.test", Answer::error(403))
        .answer("/domain/cut.test", Answer::raw("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"));
    let bootstrap = Bootstrap::new().domain("test", "http://rdap.nic.test/");
    let internet = Internet::new()
        .site(bootstrap.site("http://bootstrap.example/rdap", "198.51.100.8"))
        .site(site)
        .start()
        .unwrap();
    let settings = LookupSettings {
        order: RegistryOrder::RdapOnly,
        question: Duration::from_secs(4),
        dead_after: 100,
        ..crate::world::quick()
    };
    let lookups = lookups(&internet, settings);
    let unreadable = Ok(RegistrationState::Error);
    #[rustfmt::skip]
    let cases = [
        ("endless.test", unreadable),
        ("deep.test",    unreadable),
        ("huge.test",    unreadable),
        ("page.test",    unreadable),
        ("cut.test",     unreadable),
        ("none.test",    Ok(RegistrationState::NotFound)),
        ("loop.test",    Err(CauseKind::Redirects)),
        ("down.test",    Err(CauseKind::Guarded)),
        ("broken.test",  Err(CauseKind::ServerBusy)),
        ("refused.test", Err(CauseKind::Url)),
    ];
    for (name, expected) in cases {
        let begun = Instant::now();
        let told = run(lookups.registration(name));
        let told = told.map(|told| told.value.state).map_err(|cause| cause.kind);
        assert_eq!(told, expected, "{name}");
        assert!(begun.elapsed() < PATIENCE, "{name}");
    }
    // Two limits run out at the same time; whichever is first, nothing is believed.
    let dripping = run(lookups.registration("drip.test"));
    let dripping = dripping.map(|told| told.value.state).map_err(|cause| cause.kind);
    assert!(dripping == unreadable || dripping == Err(CauseKind::Timeout), "{dripping:?}");
}
