//! Phase one against registries: which ranges, name servers and names a root leads to, which are
//! refused, and what stays open.

use crate::field::Field;
use crate::organisation::{
    BAKERY, START, UNIVERSITY, domain, holder, page, registry, university, zone,
};
use auslese_discover::Profile;
use auslese_harvest::{Discovering, Seed};
use auslese_testnet::{Behaviour, Contact, Dialect, Internet, NetObject, Registry, Site, Zone};

const RIPE: &str = "whois.ripe.net";
const RESEARCH_NET: &str = "Forschungsnetz Werth e.V.";
const HANDLE: &str = "ORG-UH1-RIPE";

/// The profile of the organisation that begins at an address.
pub(crate) fn gathered(field: &Field, start: &str) -> Profile {
    let job = field.discover_job(Vec::new());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let work = Discovering::open(&field.dir(), job).await.unwrap();
        let seed = Seed { url: start.parse().unwrap(), label: Some("U".to_owned()) };
        let profile = work.gather(&[seed]).await.unwrap().pop().unwrap();
        work.close().await;
        profile
    })
}

fn range(net: &str, org: &str, holder: Contact) -> NetObject {
    NetObject::new(net.parse().unwrap(), "NET", org, holder)
}

/// The registries of ranges: a research network around the university, a provider elsewhere.
fn ripe() -> Registry {
    Registry::new(RIPE, "198.51.100.2", Dialect::Ripe)
        .net(range("198.18.0.0/16", "ORG-FW1-RIPE", holder(RESEARCH_NET)))
        .net(range("198.18.1.0/24", HANDLE, university()))
        .net(range("198.18.7.0/25", HANDLE, university()))
        .net(range("2001:db8:1::/48", HANDLE, university()))
        .net(range("192.0.2.0/24", "ORG-WW1-RIPE", holder("Webhaus GmbH")))
}

fn iana() -> Registry {
    Registry::new("whois.iana.org", "198.51.100.3", Dialect::Iana)
        .refer("198.18.0.0/15", RIPE)
        .refer("192.0.2.0/24", RIPE)
        .refer("2001:db8::/32", RIPE)
}

/// A university whose web server is at `www`.
fn world(www: &str, registries: impl IntoIterator<Item = Registry>) -> Internet {
    let own = Zone::new("uni.example")
        .ns("ns")
        .ns("ns.forschungsnetz.example.")
        .mx("@", 10, "mx")
        .address("ns", "198.18.1.53")
        .address("mx", "192.0.2.25")
        .address("www", www);
    let net = Internet::new()
        .zone(own)
        .zone(zone("forschungsnetz.example").address("ns", "198.18.0.53"))
        .zone(zone("provider.example").address("ns", "192.0.2.53"))
        .site(Site::new("http://www.uni.example").page("/", page(&[])));
    registries.into_iter().fold(net, Internet::registry)
}

fn known() -> Registry {
    registry().domain(domain("uni.example", university()))
}

fn nets(profile: &Profile) -> Vec<String> {
    let mut nets: Vec<String> = profile.ranges.iter().map(|range| range.net.to_string()).collect();
    nets.sort();
    nets
}

fn refusal(profile: &Profile, net: &str) -> String {
    let found = profile.refused_ranges.iter().find(|range| range.net.to_string() == net);
    found.unwrap_or_else(|| panic!("{net} was not refused: {profile:#?}")).why.clone()
}

/// The web server is behind a delivery network, the name server at home; the research network and
/// the provider hold ranges as a whole, and these are refused.
#[test]
fn ranges_lead_from_the_name_servers_to_all_of_the_organisation() {
    for www in ["192.0.2.80", "198.18.0.80", "198.18.1.80"] {
        let field = Field::new(world(www, [known(), ripe(), iana()]));
        let profile = gathered(&field, START);
        assert_eq!(nets(&profile), ["198.18.1.0/24", "198.18.7.0/25", "2001:db8:1::/48"], "{www}");
        assert_eq!(profile.name.as_deref(), Some(UNIVERSITY));
        assert!(refusal(&profile, "192.0.2.0/24").contains("held by Webhaus GmbH, not by"));
        assert!(refusal(&profile, "198.18.0.0/16").contains(RESEARCH_NET), "{www}");
        let mut own: Vec<(&str, bool)> =
            profile.name_servers.iter().map(|it| (it.host.as_str(), it.own)).collect();
        own.sort_unstable();
        assert_eq!(own, [("ns.forschungsnetz.example", false), ("ns.uni.example", true)]);
        assert_eq!(profile.open, Vec::<String>::new());
    }
}

/// A provider that registers domains for its customers is not the customer.
#[test]
fn the_mail_address_of_a_provider_does_not_make_its_range_ours() {
    let through_provider = university().email("hostmaster@webhaus.example");
    let webhaus = holder("Webhaus GmbH").email("noc@webhaus.example");
    let ripe = Registry::new(RIPE, "198.51.100.2", Dialect::Ripe)
        .net(range("198.18.1.0/24", HANDLE, university()))
        .net(range("192.0.2.0/24", "ORG-WW1-RIPE", webhaus));
    let known = registry().domain(domain("uni.example", through_provider));
    let profile = gathered(&Field::new(world("192.0.2.80", [known, ripe, iana()])), START);
    assert_eq!(nets(&profile), ["198.18.1.0/24"]);
    assert!(refusal(&profile, "192.0.2.0/24").contains("Webhaus GmbH"));
}

/// The registry hides the registrant, so the imprint says what the organisation is called.
#[test]
fn a_hidden_registrant_is_named_by_the_imprint() {
    let imprint = "<h1>Impressum</h1><p>Universität Hohenwerth</p><p>Schlossplatz 1</p>\
                   <p>99998 Hohenwerth</p><p>poststelle@uni.example</p>";
    let site = Site::new("http://www.uni.example")
        .page("/", page(&["/impressum"]).replace(">/impressum<", ">Impressum<"))
        .page("/impressum", imprint);
    // The holder of the range has no mail address in it: only the name can tell.
    let ripe = Registry::new(RIPE, "198.51.100.2", Dialect::Ripe).net(range(
        "198.18.1.0/24",
        HANDLE,
        Contact::organization(UNIVERSITY),
    ));
    let net =
        world("198.18.1.80", [known().behaves(Behaviour::Redacting), ripe, iana()]).site(site);
    let profile = gathered(&Field::new(net), START);
    assert!(profile.registrant.is_empty());
    assert_eq!(profile.name.as_deref(), Some(UNIVERSITY));
    assert_eq!(nets(&profile), ["198.18.1.0/24"]);
}

#[test]
fn a_root_that_is_an_address() {
    let site = || Site::new("http://198.18.1.83").page("/", "<p>Willkommen");
    let named = |net: Internet, name: &str| {
        net.zone(Zone::new("1.18.198.in-addr.arpa").ptr("198.18.1.83".parse().unwrap(), name))
    };
    let base = || world("198.18.1.83", [known(), ripe(), iana()]).site(site());
    let domains = ["uni.example".to_owned()];
    #[rustfmt::skip]
    let cases = [
        ("no name",       base(),                                &[][..],      UNIVERSITY),
        ("its own name",  named(base(), "www.uni.example."),     &domains[..], UNIVERSITY),
        ("a forged name", named(base(), "ns.provider.example."), &[][..],      UNIVERSITY),
    ];
    for (what, net, domains, name) in cases {
        let profile = gathered(&Field::new(net), "http://198.18.1.83/");
        assert_eq!(profile.domains, domains, "{what}");
        assert_eq!(profile.name.as_deref(), Some(name), "{what}");
        let own = ["198.18.1.0/24", "198.18.7.0/25", "2001:db8:1::/48"];
        assert_eq!(nets(&profile), own, "{what}");
    }
}

/// Registries out of reach leave questions open, and never a wrong range.
#[test]
fn registries_in_trouble_leave_questions_open() {
    let behaviours = [
        Behaviour::Silent,
        Behaviour::Garbage,
        Behaviour::Endless,
        Behaviour::Throttled { after: 0 },
    ];
    for behaviour in behaviours {
        let registries =
            [known().behaves(behaviour.clone()), ripe().behaves(behaviour.clone()), iana()];
        let profile = gathered(&Field::new(world("198.18.1.80", registries)), START);
        assert_eq!(nets(&profile), Vec::<String>::new(), "{behaviour:?}");
        assert!(profile.refused_ranges.is_empty(), "{behaviour:?}");
        assert!(profile.registrant.is_empty(), "{behaviour:?}: {:?}", profile.registrant);
        for open in ["the registrant: ", "the range of 198.18.1.80: ", "the range of 198.18.1.53: "]
        {
            let found = profile.open.iter().any(|line| line.starts_with(open));
            assert!(found, "{behaviour:?} {open}: {:?}", profile.open);
        }
        // What DNS says is known all the same.
        assert!(
            profile.name_servers.iter().any(|it| it.host.as_str() == "ns.uni.example" && it.own)
        );
    }
}

/// The root of all registries is gone: nobody knows whom to ask.
#[test]
fn without_the_root_of_registries() {
    let profile = gathered(&Field::new(world("198.18.1.80", [known()])), START);
    assert!(profile.ranges.is_empty() && !profile.open.is_empty(), "{profile:?}");
    assert_eq!(profile.name.as_deref(), Some(UNIVERSITY));
    let other = Field::new(world(
        "198.18.1.80",
        [registry().domain(domain("uni.example", holder(BAKERY)))],
    ));
    assert_eq!(gathered(&other, START).name.as_deref(), Some(BAKERY));
}
