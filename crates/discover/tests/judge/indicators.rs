//! Each indicator alone: what it sees, and how strongly it speaks.

use crate::world::*;
use auslese_discover::judge::{Fact, Known, ListKind, NameServerUse, Rules, ScannedAs, ZoneServer};
use auslese_discover::{JudgeSettings, NetCounts, Party, Registration, RegistrationState};
use auslese_model::{Cause, CauseKind, Indicator};

/// `None`: the indicator says nothing at all.
fn check_with(
    seen: &Seen,
    known: &Known,
    settings: &JudgeSettings,
    indicator: Indicator,
    expected: Option<f64>,
) {
    let evidence = weighed(seen, known, settings);
    let sign = sign(&evidence, indicator);
    let strength = sign.map(|sign| sign.strength);
    let close = match (strength, expected) {
        (Some(strength), Some(expected)) => (strength - expected).abs() < 1e-9,
        (strength, expected) => strength == expected,
    };
    assert!(close, "{indicator} of {}: {sign:?}, not {expected:?}", seen.0.host);
    if let Some(sign) = sign {
        assert!(
            !sign.seen.is_empty() && !sign.compared.is_empty() && !sign.source.is_empty(),
            "{sign:?}"
        );
    }
}

fn check(seen: &Seen, indicator: Indicator, expected: Option<f64>) {
    check_with(seen, &Known::default(), &JudgeSettings::default(), indicator, expected);
}

#[test]
fn addresses() {
    let at = |addresses: &[&str]| Seen::new("a.example").at(addresses);
    let final_failure = || {
        let mut seen = Seen::new("a.example");
        seen.0.addresses = Fact::Failed(Cause::new(CauseKind::NoSuchName, ""));
        seen
    };
    let open = || {
        let mut seen = Seen::new("a.example");
        seen.0.addresses = throttled();
        seen
    };
    #[rustfmt::skip]
    let cases = [
        (at(&["198.18.1.10"]),                      Some(1.0)),
        (at(&["192.0.2.1", "198.18.1.10"]),         Some(1.0)),
        (at(&["2001:db8:18::80"]),                  Some(1.0)),
        (at(&["::ffff:198.18.1.10"]),               Some(1.0)),
        (at(&["198.19.0.1"]),                       Some(0.0)),
        (at(&["2001:db8:19::80"]),                  Some(0.0)),
        // The same research network, but not the university's part of it.
        (at(&["203.0.113.9"]),                      Some(0.0)),
        (at(&[]),                                   Some(0.0)),
        (Seen::new("198.18.3.4"),                   Some(1.0)),
        (Seen::new("[2001:db8:18::1]"),             Some(1.0)),
        (Seen::new("192.0.2.1"),                    Some(0.0)),
        (Seen::new("a.example"),                    None),
        (final_failure(),                           Some(0.0)),
        (open(),                                    None),
    ];
    for (seen, expected) in cases {
        check(&seen, Indicator::Net, expected);
    }
}

#[test]
fn addresses_that_a_scan_must_confirm() {
    let mut known = Known::default();
    known.scanned.insert(address("198.18.1.1"), ScannedAs::Public);
    known.scanned.insert(address("198.18.1.2"), ScannedAs::NotPublic);
    known.scanned.insert(address("192.0.2.1"), ScannedAs::Public);
    #[rustfmt::skip]
    let cases = [
        ("198.18.1.1", NetCounts::Range,         1.0),
        ("198.18.1.1", NetCounts::Scanned,       1.0),
        ("198.18.1.1", NetCounts::ScannedPublic, 1.0),
        ("198.18.1.2", NetCounts::Scanned,       1.0),
        ("198.18.1.2", NetCounts::ScannedPublic, 0.0),
        ("198.18.1.3", NetCounts::Range,         1.0),
        ("198.18.1.3", NetCounts::Scanned,       0.0),
        ("198.18.1.3", NetCounts::ScannedPublic, 0.0),
        ("192.0.2.1",  NetCounts::Scanned,       0.0),
    ];
    for (at, net, expected) in cases {
        let settings = JudgeSettings { net, ..JudgeSettings::default() };
        let seen = Seen::new("a.example").at(&[at]);
        check_with(&seen, &known, &settings, Indicator::Net, Some(expected));
    }
}

#[test]
fn name_servers() {
    let by = |servers: &[(&str, &str)]| Seen::new("a.example").served_by(servers);
    let from_registry = |names: &[&str]| {
        let name_servers = names.iter().map(|name| (*name).to_owned()).collect();
        let registration =
            Registration { name_servers, ..Registration::empty(RegistrationState::Redacted) };
        Seen::new("a.example").registration(registration)
    };
    #[rustfmt::skip]
    let cases = [
        (by(&[("ns1.uni-musterstadt.example", "")]),                        Some(1.0)),
        // Not among the root's own, but under its domain, or in its range.
        (by(&[("ns9.uni-musterstadt.example", "192.0.2.53")]),              Some(1.0)),
        (by(&[("dns.institut.example", "198.18.9.53")]),                    Some(1.0)),
        (by(&[("dns.institut.example", "2001:db8:18::53")]),                Some(1.0)),
        (by(&[("a.hoster.example", "192.0.2.53"), ("ns1.uni-musterstadt.example", "")]), Some(1.0)),
        // A provider's that serves the root too.
        (by(&[("ns.forschungsnetz.example", "203.0.113.53")]),              Some(0.2)),
        (by(&[("a.hoster.example", "192.0.2.53")]),                         Some(0.0)),
        (by(&[("ns1.notuni-musterstadt.example", "192.0.2.53")]),           Some(0.0)),
        (by(&[]),                                                           Some(0.0)),
        (from_registry(&["ns1.uni-musterstadt.example"]),                   Some(1.0)),
        (from_registry(&["a.hoster.example"]),                              Some(0.0)),
        (from_registry(&[]),                                                None),
        (Seen::new("a.example"),                                            None),
    ];
    for (seen, expected) in cases {
        check(&seen, Indicator::NameServer, expected);
    }
}

#[test]
fn shared_name_servers_weigh_less_the_more_others_use_them() {
    let seen = Seen::new("a.example").served_by(&[("ns.forschungsnetz.example", "203.0.113.53")]);
    #[rustfmt::skip]
    let cases = [
        // members, others, a.example itself once foreign
        (0, 0, false, 0.2),
        (5, 0, false, 0.2),
        (0, 1, false, 0.1),
        (1, 2, false, 0.1),
        (0, 3, false, 0.05),
        // Who is in question does not speak against itself.
        (0, 0, true, 0.2),
        (0, 1, true, 0.1),
    ];
    for (members, others, itself, expected) in cases {
        let mut known = Known::default();
        let server = host("ns.forschungsnetz.example");
        let mut used = NameServerUse::default();
        (0..members).for_each(|number| used.note(&format!("m{number}.example"), true));
        (0..others).for_each(|number| used.note(&format!("o{number}.example"), false));
        if itself {
            used.note("a.example", false);
        }
        // A foreign host of a member's domain.
        (0..members).for_each(|number| used.note(&format!("m{number}.example"), false));
        known.name_server_use.insert(server, used);
        let settings = JudgeSettings::default();
        check_with(&seen, &known, &settings, Indicator::NameServer, Some(expected));
    }
}

#[test]
fn mail() {
    let by = |servers: &[(&str, &str)], spf: &str| Seen::new("a.example").mail(servers, spf);
    #[rustfmt::skip]
    let cases = [
        (by(&[("mx.uni-musterstadt.example", "")], ""),                 Some(0.5)),
        (by(&[("mx.a.example", "198.18.0.25")], ""),                    Some(0.5)),
        (by(&[("mailin.extern.example", "192.0.2.25")], ""),            Some(0.5)),
        // A provider of many, though it takes the root's mail too.
        (by(&[("mx.forschungsnetz.example", "203.0.113.25")], ""),      Some(0.0)),
        (by(&[("mx.hoster.example", "192.0.2.25")], ""),                Some(0.0)),
        (by(&[], "v=spf1 include:uni-musterstadt.example -all"),        Some(0.5)),
        (by(&[], "v=spf1 include:_spf.uni-musterstadt.example"),        Some(0.5)),
        (by(&[], "v=spf1 ip4:198.18.2.0/24"),                           Some(0.5)),
        (by(&[], "v=spf1 a:www.uni-musterstadt.example"),               Some(0.5)),
        // Who lets everybody send is nobody's in particular.
        (by(&[], "v=spf1 ip4:0.0.0.0/0"),                               Some(0.0)),
        (by(&[], "v=spf1 -ip4:198.18.2.0/24"),                          Some(0.0)),
        (by(&[], "v=spf1 include:notuni-musterstadt.example"),          Some(0.0)),
        (by(&[], ""),                                                   Some(0.0)),
        (Seen::new("a.example"),                                        None),
    ];
    for (seen, expected) in cases {
        check(&seen, Indicator::MailRouting, expected);
    }
}

#[test]
fn pointers() {
    let by = |pointers: &[(&str, &str, bool)]| Seen::new("a.example").pointers(pointers);
    #[rustfmt::skip]
    let cases = [
        (by(&[("192.0.2.80", "web7.uni-musterstadt.example", true)]),   Some(0.4)),
        (by(&[("198.18.1.80", "a.example", true)]),                     Some(0.4)),
        // Forged: whoever holds an address may give it any name.
        (by(&[("192.0.2.80", "web7.uni-musterstadt.example", false)]),  Some(0.0)),
        (by(&[("192.0.2.80", "web7.uni-musterstadt.example", false), ("192.0.2.81", "web8.uni-musterstadt.example", true)]), Some(0.4)),
        (by(&[("192.0.2.80", "a.example", true)]),                      Some(0.0)),
        (by(&[("192.0.2.80", "web7.hoster.example", true)]),            Some(0.0)),
        (by(&[]),                                                       Some(0.0)),
        (Seen::new("a.example"),                                        None),
    ];
    for (seen, expected) in cases {
        check(&seen, Indicator::Pointer, expected);
    }
}

#[test]
fn mail_domains_of_registrants() {
    let by = |email: &str| {
        Seen::new("a.example").held_by(Party { email: Some(email.into()), ..Party::default() })
    };
    let with_admin = |registrant: Party, state| {
        let admin = university();
        let registration = Registration { registrant, admin, ..Registration::empty(state) };
        Seen::new("a.example").registration(registration)
    };
    #[rustfmt::skip]
    let cases = [
        (by("hostmaster@uni-musterstadt.example"),          Some(0.9)),
        (by("Ada <ADA@Uni-Musterstadt.EXAMPLE>"),           Some(0.9)),
        (by("dns@rz.uni-musterstadt.example"),              Some(0.9)),
        (by("dns@musterstadt-mail.example"),                Some(0.9)),
        (by("dns@notuni-musterstadt.example"),              Some(0.0)),
        (by("info@blumen-beispiel.example"),                Some(0.0)),
        // The root's registrant has an address there as well, but so has everybody.
        (by("uni-musterstadt@gmx.de"),                      Some(0.0)),
        (by("abc123@contactprivacy.com"),                   Some(0.0)),
        (by("no address"),                                  Some(0.0)),
        // The administrative contact counts only where the holder is hidden.
        (with_admin(Party::default(), RegistrationState::Redacted), Some(0.9)),
        (with_admin(Party { email: None, ..company() }, RegistrationState::Found), None),
        (Seen::new("a.example").hidden_holder(),            None),
        (Seen::new("a.example"),                            None),
    ];
    for (seen, expected) in cases {
        check(&seen, Indicator::EmailDomain, expected);
    }
}

#[test]
fn holders() {
    let by = |name: &str| {
        let party = Party { organization: Some(name.into()), ..Party::default() };
        Seen::new("a.example").held_by(party)
    };
    let state = |state| Seen::new("a.example").registered(state, Party::default());
    #[rustfmt::skip]
    let cases = [
        (by("Universität Musterstadt"),                     Some(0.7)),
        (by("UNIVERSITAET MUSTERSTADT"),                    Some(0.7)),
        (by("Universität Musterstadt, Rechenzentrum"),      Some(0.7)),
        (by("Universität Musterburg"),                      Some(0.0)),
        (by("Medizinische Universität Musterstadt"),        Some(0.0)),
        (by("Blumen Beispiel GmbH"),                        Some(0.0)),
        (by("REDACTED FOR PRIVACY"),                        Some(0.0)),
        (state(RegistrationState::Redacted),                Some(0.0)),
        (state(RegistrationState::NotFound),                Some(0.0)),
        (state(RegistrationState::Throttled),               None),
        (state(RegistrationState::Error),                   None),
        (Seen::new("a.example"),                            None),
    ];
    for (seen, expected) in cases {
        check(&seen, Indicator::Holder, expected);
    }
}

#[test]
fn postal_addresses_only_confirm_the_holder() {
    let by = |name: &str, address: &[&str]| {
        let address = address.iter().map(|line| (*line).to_owned()).collect();
        let organization = (!name.is_empty()).then(|| name.to_owned());
        Seen::new("a.example").held_by(Party { organization, address, ..Party::default() })
    };
    let home = ["Hauptstr. 1", "D-12345 Musterstadt"];
    #[rustfmt::skip]
    let cases = [
        (by("Universität Musterstadt", &home),                              Some(0.3)),
        (by("Universität Musterstadt", &["Gartenweg 7", "54321 Andernorts"]), Some(0.0)),
        (by("Studentenwerk Blumental", &home),                              Some(0.0)),
        (by("", &home),                                                     Some(0.0)),
        (by("Universität Musterstadt", &[]),                                None),
    ];
    for (seen, expected) in cases {
        check(&seen, Indicator::PostalAddress, expected);
    }
}

#[test]
fn certificates() {
    let by = |names: &[&str]| Seen::new("www.a.example").certificate(names, None);
    let many = |count: usize| {
        let mut names: Vec<String> = (0..count).map(|n| format!("d{n}.example")).collect();
        names.extend(["www.a.example".to_owned(), format!("www.{ROOT}")]);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        by(&names)
    };
    let logged = |names: &[&str]| {
        let mut seen = Seen::new("www.a.example");
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let certificate = auslese_discover::judge::SeenCertificate { names, problem: None };
        seen.0.logged_certificates.push(told(certificate, "certificate log export ct.json"));
        seen
    };
    let mut known = Known::default();
    known.members.insert(host("projekt.example"), "musterstadt".into());
    known.members.insert(host("andere.example"), "another institution".into());
    known.members.insert(host("www.a.example"), "musterstadt".into());
    let untrusted = Seen::new("www.a.example")
        .certificate(&["www.a.example", ROOT], Some("signed by nobody known"));
    #[rustfmt::skip]
    let cases = [
        (by(&["www.a.example", "www.uni-musterstadt.example"]),     Some(0.5)),
        (by(&["*.a.example", "*.uni-musterstadt.example"]),         Some(0.5)),
        (by(&["www.a.example", "projekt.example"]),                 Some(0.5)),
        (by(&["www.a.example", "andere.example"]),                  Some(0.0)),
        // A name does not vouch for itself.
        (by(&["www.a.example"]),                                    Some(0.0)),
        // The certificate of another host on the same server.
        (by(&["www.uni-musterstadt.example"]),                      Some(0.0)),
        (by(&["a.example", "www.uni-musterstadt.example"]),         Some(0.0)),
        (by(&["*.www.a.example", "www.uni-musterstadt.example"]),   Some(0.0)),
        (many(48),                                                  Some(0.5)),
        (many(49),                                                  Some(0.0)),
        (untrusted,                                                 Some(0.0)),
        (by(&[]),                                                   Some(0.0)),
        (logged(&["www.a.example", "www.uni-musterstadt.example"]), Some(0.5)),
        (logged(&["www.a.example", "b.example"]),                   Some(0.0)),
        (Seen::new("www.a.example"),                                None),
    ];
    for (seen, expected) in cases {
        check_with(&seen, &known, &JudgeSettings::default(), Indicator::Certificate, expected);
    }
}

#[test]
fn redirects_tokens_and_links() {
    let www = "www.uni-musterstadt.example";
    let page = |to, links: &[&str]| Seen::new("a.example").page(to, links);
    let verified = |token: &str| Seen::new("a.example").token(token);
    #[rustfmt::skip]
    let cases = [
        (page(Some(www), &[]),                          Indicator::Redirect, Some(0.4)),
        (page(Some("b.example"), &[]),                  Indicator::Redirect, Some(0.0)),
        (page(None, &[]),                               Indicator::Redirect, Some(0.0)),
        (Seen::new("a.example"),                        Indicator::Redirect, None),
        (page(None, &[www]).linked_from(&[ROOT]),       Indicator::Links,    Some(0.1)),
        (page(None, &[www]),                            Indicator::Links,    Some(0.0)),
        (page(None, &[]).linked_from(&[ROOT]),          Indicator::Links,    Some(0.0)),
        (page(None, &[www]).linked_from(&["b.example"]), Indicator::Links,   Some(0.0)),
        (verified("google-site-verification=muster"),   Indicator::Token,    Some(0.3)),
        (verified("google-site-verification=other"),    Indicator::Token,    Some(0.0)),
        (Seen::new("a.example"),                        Indicator::Token,    None),
    ];
    for (seen, indicator, expected) in cases {
        check(&seen, indicator, expected);
    }
}

#[test]
fn imprints() {
    let full = university;
    let name_only = || Party { organization: university().organization, ..Party::default() };
    let with_mail = || Party { email: university().email, ..name_only() };
    let with_postcode = || Party { address: university().address, ..name_only() };
    let by = |party: Party, links: &[&str]| Seen::new("a.example").imprint(party, links);
    let by_number = |party, number| Seen::new("a.example").imprint_with_vat_id(party, number);
    let www = "www.uni-musterstadt.example";
    #[rustfmt::skip]
    let cases = [
        (by(full(), &[]),                           Some(0.9)),
        (by_number(name_only(), "DE123456789"),     Some(0.9)),
        (by_number(name_only(), "DE987654321"),     Some(0.0)),
        (by_number(company(), "DE123456789"),       Some(0.0)),
        (by(name_only(), &[www]),                   Some(0.4)),
        (by(with_mail(), &[]),                      Some(0.4)),
        (by(with_postcode(), &[www]),               Some(0.4)),
        (by(with_postcode(), &[]),                  Some(0.0)),
        (by(name_only(), &[]),                      Some(0.0)),
        (by(company(), &[www]),                     Some(0.0)),
        (by(Party::default(), &[www]),              Some(0.0)),
        (Seen::new("a.example").no_imprint(),       Some(0.0)),
        (Seen::new("a.example"),                    None),
    ];
    for (seen, expected) in cases {
        check(&seen, Indicator::Imprint, expected);
    }
}

#[test]
fn roots_lists_and_rules() {
    let own = Seen::new("a.example").listed(ListKind::Own, "host list mine.txt");
    let both = Seen::new("a.example")
        .listed(ListKind::Candidates, "scan of 198.18.0.0/16")
        .listed(ListKind::Own, "zone file a.zone");
    let candidate = Seen::new("a.example").listed(ListKind::Candidates, "certificate log ct.json");
    let settings = JudgeSettings {
        always: vec!["friend.example".into()],
        never: vec![".guest.example".into()],
        ..JudgeSettings::default()
    };
    let known = Known { rules: Rules::new(&settings, &[]).unwrap(), ..Known::default() };
    #[rustfmt::skip]
    let cases = [
        (Seen::new(ROOT),                                   Indicator::Root, Some(1.0)),
        (Seen::new("www.math.uni-musterstadt.example"),     Indicator::Root, Some(1.0)),
        (Seen::new("notuni-musterstadt.example"),           Indicator::Root, None),
        (Seen::new("uni-musterstadt.example.com"),          Indicator::Root, None),
        (own,                                               Indicator::List, Some(1.0)),
        (both,                                              Indicator::List, Some(1.0)),
        (candidate,                                         Indicator::List, Some(0.0)),
        (Seen::new("a.example"),                            Indicator::List, None),
        (Seen::new("friend.example"),                       Indicator::Rule, Some(1.0)),
        (Seen::new("www.guest.example"),                    Indicator::Rule, Some(0.0)),
        (Seen::new("a.example"),                            Indicator::Rule, None),
    ];
    for (seen, indicator, expected) in cases {
        check_with(&seen, &known, &settings, indicator, expected);
    }
}

#[test]
fn indicators_can_be_turned_off() {
    let seen = Seen::new("www.uni-musterstadt.example")
        .at(&["198.18.1.1"])
        .served_by(&[("ns1.uni-musterstadt.example", "")])
        .held_by(university());
    for indicator in Indicator::ALL {
        let settings = JudgeSettings { off: vec![indicator], ..JudgeSettings::default() };
        let stays = matches!(indicator, Indicator::Rule | Indicator::Root);
        let evidence = weighed(&seen, &Known::default(), &settings);
        let seen = sign(&evidence, indicator).is_some();
        assert_eq!(seen, indicator == Indicator::Root, "{indicator}");
        assert_eq!(settings.looks_at(indicator), stays);
    }
    // Without the holder the postal address has nothing to confirm.
    let settings = JudgeSettings { off: vec![Indicator::Holder], ..JudgeSettings::default() };
    let known = Known::default();
    check_with(&seen, &known, &settings, Indicator::PostalAddress, Some(0.0));
}

#[test]
fn texts_from_outside_are_made_plain() {
    let party = Party {
        organization: Some(format!("Evil\u{1b}[2J\nInc {}", "x".repeat(5_000))),
        ..Party::default()
    };
    let seen = Seen::new("a.example").held_by(party);
    let evidence = weighed(&seen, &Known::default(), &JudgeSettings::default());
    let holder = sign(&evidence, Indicator::Holder).unwrap();
    assert!(holder.seen.starts_with("Evil [2J Inc"), "{}", holder.seen);
    assert!(!holder.seen.chars().any(char::is_control) && holder.seen.chars().count() < 400);
}

#[test]
fn a_name_server_without_addresses_keeps_the_question_open() {
    let mut seen = Seen::new("a.example").served_by(&[("dns.institut.example", "")]);
    let mut server = ZoneServer::new(host("dns.institut.example"), vec![]);
    server.unresolved = Some(Cause::new(CauseKind::Dns, "no answer"));
    if let Fact::Told(zone) = &mut seen.0.zone {
        zone.value.name_servers = vec![server];
    }
    let open =
        auslese_discover::judge::open_questions(&seen.0, &profile(), &JudgeSettings::default());
    let indicators: Vec<Indicator> = open.iter().map(|open| open.indicator).collect();
    assert_eq!(indicators, [Indicator::NameServer]);
}
