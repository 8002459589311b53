//! The five situations, each with members and with decoys that look like them.

use crate::world::*;
use Membership::{Foreign, Member, Unsure};
use auslese_discover::judge::{
    Fact, HandDecision, Known, ListKind, NameServerUse, Reached, Rules, judge,
};
use auslese_discover::{JudgeSettings, Method, Party, RegistrationState};
use auslese_model::{Case, Cause, CauseKind, Indicator, Membership};

struct Golden {
    what: &'static str,
    seen: Seen,
    reached: Reached,
    membership: Membership,
    decided_by: Option<Indicator>,
    case: Option<u8>,
    /// By the binary method of the paper.
    in_paper: Membership,
}

fn known() -> Known {
    let denied = HandDecision {
        host_pattern: "gast.example".into(),
        accept: false,
        note: "a guest institute".into(),
    };
    let rules = Rules::new(&JudgeSettings::default(), &[denied]).unwrap();
    let mut known = Known { rules, ..Known::default() };
    let shared = host("ns.forschungsnetz.example");
    let mut used = NameServerUse::default();
    used.note("projekt.example", true);
    (0..40).for_each(|number| used.note(&format!("d{number}.example"), false));
    known.name_server_use.insert(shared, used);
    known
}

fn hosts() -> Vec<Golden> {
    let own_ns: &[(&str, &str)] = &[("ns1.uni-musterstadt.example", "198.18.0.53")];
    let shared_ns: &[(&str, &str)] = &[("ns.forschungsnetz.example", "203.0.113.53")];
    let elsewhere = Seen::elsewhere;
    let golden = |what, seen, reached, membership, decided_by, case, in_paper| Golden {
        what,
        seen,
        reached,
        membership,
        decided_by,
        case,
        in_paper,
    };
    let hoster_parked = || Party {
        organization: Some("Domain Parking Ltd".into()),
        email: Some("owner@parking.example".into()),
        ..Party::default()
    };
    let university_hidden_twice = || Party {
        organization: Some("Domains By Proxy, LLC".into()),
        email: Some("x@domainsbyproxy.com".into()),
        ..Party::default()
    };
    let mut throttled_whois = elsewhere("langsam.example");
    throttled_whois.0.registration = throttled();
    let mut refused_pages = elsewhere("still.example").hidden_holder();
    refused_pages.0.imprint = Fact::Failed(Cause::new(CauseKind::Robots, "/impressum"));
    #[rustfmt::skip]
    let hosts = vec![
        golden("root behind a CDN", Seen::new(ROOT).at(&["192.0.2.200"]).served_by(own_ns),
            Reached::Root, Member, Some(Indicator::Root), Some(2), Member),
        golden("institute under the root", Seen::new("www.math.uni-musterstadt.example").at(&["198.18.1.1"]),
            Reached::InternalLink, Member, Some(Indicator::Root), Some(1), Member),
        // Case 1
        golden("project in the network", Seen::new("projekt.example").at(&["198.18.2.2"]),
            Reached::InternalLink, Member, Some(Indicator::Net), Some(1), Member),
        golden("IPv6-only member", Seen::new("sechs.example").at(&["2001:db8:18::6"]),
            Reached::InternalLink, Member, Some(Indicator::Net), Some(1), Member),
        golden("guest in the network, denied by hand", Seen::new("gast.example").at(&["198.18.2.9"]),
            Reached::InternalLink, Foreign, Some(Indicator::Rule), None, Foreign),
        golden("other university in the same research network",
            elsewhere("fh-nebenan.example").at(&["203.0.113.77"]).served_by(shared_ns)
                .mail(&[("mx.forschungsnetz.example", "203.0.113.25")], "")
                .held_by(Party { organization: Some("Fachhochschule Nebenan".into()), ..Party::default() }),
            Reached::InternalLink, Foreign, None, None, Member),
        // Case 2
        golden("at a hoster, own name server", elsewhere("tagung.example").served_by(own_ns),
            Reached::InternalLink, Member, Some(Indicator::NameServer), Some(2), Member),
        golden("at a hoster, registrant's mail address",
            elsewhere("alumni.example").held_by(Party { email: university().email, ..Party::default() }),
            Reached::InternalLink, Member, Some(Indicator::EmailDomain), Some(2), Member),
        golden("at a hoster, registrant's name",
            elsewhere("zentrum.example").held_by(Party { email: None, ..university() }),
            Reached::ExternalLink, Member, Some(Indicator::Holder), Some(2), Member),
        golden("umlaut domain", elsewhere("universität-musterstadt.example")
                .held_by(Party { organization: Some("UNIVERSITAET MUSTERSTADT".into()), ..Party::default() }),
            Reached::InternalLink, Member, Some(Indicator::Holder), Some(2), Member),
        golden("member behind a CDN, holder hidden, imprint complete",
            elsewhere("cdn.example").hidden_holder().imprint(university(), &[]),
            Reached::InternalLink, Member, Some(Indicator::Imprint), Some(2), Foreign),
        golden("weak signs that add up",
            elsewhere("summe.example").mail(&[("mx.uni-musterstadt.example", "")], "").hidden_holder()
                .certificate(&["summe.example", "www.uni-musterstadt.example"], None),
            Reached::InternalLink, Member, None, Some(2), Foreign),
        golden("one weak sign", elsewhere("halb.example").hidden_holder()
                .certificate(&["halb.example", "www.uni-musterstadt.example"], None),
            Reached::InternalLink, Unsure, None, None, Foreign),
        golden("look-alike name", elsewhere("uni-musterstadt-shop.example").held_by(company()),
            Reached::InternalLink, Foreign, None, None, Foreign),
        golden("look-alike with an imprint that lies half",
            elsewhere("uni-musterstadt.shop.example").hidden_holder()
                .imprint(Party { organization: university().organization, ..Party::default() }, &[]),
            Reached::InternalLink, Foreign, None, None, Foreign),
        golden("shared provider's name server",
            elsewhere("nachbar.example").served_by(shared_ns).held_by(company()),
            Reached::InternalLink, Foreign, None, None, Member),
        golden("privacy service", elsewhere("geheim.example").held_by(university_hidden_twice()),
            Reached::InternalLink, Foreign, None, None, Foreign),
        golden("hidden holder", elsewhere("verborgen.example").hidden_holder(),
            Reached::InternalLink, Foreign, None, None, Foreign),
        golden("parked domain", elsewhere("frueher-uni.example").held_by(hoster_parked())
                .certificate(&["*.parking.example"], None).page(Some("parking.example"), &[]),
            Reached::InternalLink, Foreign, None, None, Foreign),
        golden("WHOIS throttled", throttled_whois,
            Reached::InternalLink, Unsure, None, None, Unsure),
        golden("WHOIS throttled, in words", elsewhere("langsam2.example").registered(RegistrationState::Throttled, Party::default()),
            Reached::InternalLink, Unsure, None, None, Unsure),
        golden("robots.txt closes the imprint for good", refused_pages,
            Reached::InternalLink, Foreign, None, None, Foreign),
        // Case 3
        golden("in the network, linked from outside", Seen::new("insel.example").at(&["198.18.3.3"]),
            Reached::ExternalLink, Member, Some(Indicator::Net), Some(3), Member),
        // Case 4
        golden("in the network, found by a scan",
            Seen::new("labor.example").at(&["198.18.4.4"]).listed(ListKind::Candidates, "scan"),
            Reached::Found, Member, Some(Indicator::Net), Some(4), Member),
        golden("forged reverse name", elsewhere("faelscher.example").hidden_holder()
                .pointers(&[("192.0.2.80", "www.uni-musterstadt.example", false)]),
            Reached::Found, Foreign, None, None, Foreign),
        // Case 5
        golden("elsewhere, listed by hand", elsewhere("allein.example").listed(ListKind::Own, "mine.txt"),
            Reached::Found, Member, Some(Indicator::List), Some(5), Member),
        golden("elsewhere, from a certificate log, imprint complete",
            elsewhere("protokoll.example").hidden_holder().listed(ListKind::Candidates, "ct.json")
                .imprint(university(), &[]),
            Reached::Found, Member, Some(Indicator::Imprint), Some(5), Foreign),
        golden("elsewhere, from a certificate log, nothing else",
            elsewhere("fremd.example").hidden_holder().listed(ListKind::Candidates, "ct.json"),
            Reached::Found, Foreign, None, None, Foreign),
    ];
    hosts
}

#[test]
fn golden_hosts() {
    let settings = JudgeSettings::default();
    for golden in hosts() {
        let verdict =
            judge(&golden.seen.0, &profile(), &known(), &settings, Some(golden.reached), NOW);
        let got = (verdict.membership, verdict.decided_by, verdict.case.map(Case::number));
        let expected = (golden.membership, golden.decided_by, golden.case);
        assert_eq!(got, expected, "{}: {verdict:#?}", golden.what);
        assert!(!verdict.reason.is_empty());
    }
}

#[test]
fn golden_hosts_by_the_papers_method() {
    let settings = JudgeSettings { method: Method::Paper, ..JudgeSettings::default() };
    for golden in hosts() {
        let verdict =
            judge(&golden.seen.0, &profile(), &known(), &settings, Some(golden.reached), NOW);
        assert_eq!(verdict.membership, golden.in_paper, "{}: {verdict:#?}", golden.what);
        assert!(verdict.score == 0.0 || verdict.score == 1.0);
    }
}

#[test]
fn two_hidden_holders_are_not_the_same() {
    let hidden = || Party {
        name: Some("REDACTED FOR PRIVACY".into()),
        organization: Some("Domains By Proxy, LLC".into()),
        address: vec!["DomainsByProxy.com".into(), "Tempe 85281".into()],
        email: Some("abc@domainsbyproxy.com".into()),
    };
    let mut profile = profile();
    profile.name = None;
    profile.registrant = hidden();
    profile.imprint = Party::default();
    profile.mail_domains = vec!["domainsbyproxy.com".into()];
    for settings in [
        JudgeSettings::default(),
        JudgeSettings { method: Method::Paper, ..JudgeSettings::default() },
    ] {
        let seen = Seen::elsewhere("geheim.example").held_by(hidden());
        let verdict = judge(&seen.0, &profile, &known(), &settings, None, NOW);
        assert_eq!((verdict.membership, verdict.score), (Foreign, 0.0), "{verdict:#?}");
    }
}
