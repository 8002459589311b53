//! Answers in the shapes that registries send; names and addresses are made up.

use super::*;
use crate::registration::Party;
use proptest::prelude::*;
use serde_json::json;

fn parse(value: &Value) -> Registration {
    parse_rdap(value.to_string().as_bytes())
}

fn blocks_of(told: &Registration) -> Vec<String> {
    told.net_range.iter().map(ToString::to_string).collect()
}

fn entity(roles: &[&str], properties: Value) -> Value {
    json!({"objectClassName": "entity", "roles": roles, "vcardArray": ["vcard", properties]})
}

/// The registrant of a domain with this card.
fn registrant(properties: Value) -> Party {
    parse(&json!({"objectClassName": "domain", "entities": [entity(&["registrant"], properties)]}))
        .registrant
}

fn party(name: Option<&str>, organization: Option<&str>, address: &[&str]) -> Party {
    Party {
        name: name.map(str::to_owned),
        organization: organization.map(str::to_owned),
        address: address.iter().map(|line| (*line).to_owned()).collect(),
        email: None,
    }
}

#[test]
fn a_domain() {
    let told = parse(&json!({
        "objectClassName": "domain", "handle": "D1", "ldhName": "UNI.EXAMPLE",
        "nameservers": [
            {"objectClassName": "nameserver", "ldhName": "NS1.Uni.Example."},
            {"ldhName": "ns2.uni.example"}, {"ldhName": "ns1.uni.example"},
            {"ldhName": 7}, "ns3.uni.example", null, {"unicodeName": "ns.münchen.example"}
        ],
        "entities": [
            {"roles": ["registrar"], "vcardArray": ["vcard", [["fn", {}, "text", "Registrar Ltd"]]],
             "entities": [entity(&["abuse"], json!([["email", {}, "text", "abuse@registrar.example"]])),
                          entity(&["technical"], json!([["fn", {}, "text", "Nora Netz"]]))]},
            entity(&["Registrant", "administrative"], json!([
                ["version", {}, "text", "4.0"],
                ["kind", {}, "text", "individual"],
                ["fn", {}, "text", " Erika Muster "],
                ["org", {"type": "work"}, "text", ["Universität Example", "Rechenzentrum"]],
                ["adr", {"cc": "DE"}, "text", ["", "", ["Hauptstr. 1", "Gebäude 3"], "Gießen", "Hessen", "35390", ""]],
                ["tel", {"type": ["voice"]}, "uri", "tel:+49.641"],
                ["email", {}, "text", "it@uni.example"]
            ]))
        ]
    }));
    assert_eq!(told.state, RegistrationState::Found);
    let expected = Party {
        email: Some("it@uni.example".to_owned()),
        ..party(
            Some("Erika Muster"),
            Some("Universität Example"),
            &["Hauptstr. 1", "Gebäude 3", "35390 Gießen", "Hessen", "DE"],
        )
    };
    assert_eq!(told.registrant, expected);
    assert_eq!(told.admin, expected);
    assert_eq!(told.tech.name.as_deref(), Some("Nora Netz"));
    assert_eq!(
        told.name_servers,
        ["ns1.uni.example", "ns2.uni.example", "ns3.uni.example", "ns.xn--mnchen-3ya.example"]
    );
    assert_eq!((told.org_handle, told.refer, told.net_range.len()), (None, None, 0));
}

#[test]
fn cards() {
    #[rustfmt::skip]
    let cases = [
        // The full name of an organisation is the organisation.
        (json!([["kind", {}, "text", "org"], ["fn", {}, "text", "Uni"]]), party(None, Some("Uni"), &[])),
        (json!([["fn", {}, "text", "Uni"], ["org", {}, "text", "Uni"]]),  party(None, Some("Uni"), &[])),
        (json!([["fn", {}, "text", "Erika"]]),                            party(Some("Erika"), None, &[])),
        (json!([["FN", {}, "text", ["", "Erika"]]]),                      party(Some("Erika"), None, &[])),
        // The first that says something counts.
        (json!([["org", {}, "text", ""], ["org", {}, "text", "Uni"], ["org", {}, "text", "Bank"]]), party(None, Some("Uni"), &[])),
        // Addresses: with a label, as one text, with texts where lists should be.
        (json!([["adr", {"label": "Weg 1\n12345 Ort\r\nGermany\n"}, "text", ["", "", "", "", "", "", ""]]]),
            party(None, None, &["Weg 1", "12345 Ort", "Germany"])),
        (json!([["adr", {}, "text", "Weg 1\\, Ort"]]),                    party(None, None, &["Weg 1\\, Ort"])),
        (json!([["adr", {}, "text", ["Postfach 1", null, "Weg 1", "Ort", "", 12345, "DE", "more"]]]),
            party(None, None, &["Postfach 1", "Weg 1", "12345 Ort", "DE"])),
        (json!([["adr", {"cc": "DE"}, "text", ["", "", "", "", "", "", ""]]]), Party::default()),
        // Nonsense.
        (json!([[], [1], "fn", null, ["fn"], ["fn", {}, "text"], ["org", {}, "text", {"a": 1}], {"fn": 1}]), Party::default()),
        (json!({"fn": "Erika"}),                                          Party::default()),
    ];
    for (card, expected) in cases {
        assert_eq!(registrant(card.clone()), expected, "{card}");
    }
    let without_word = json!({"entities": [{"roles": "registrant",
        "vcardArray": [["fn", {}, "text", "Erika"]]}]});
    assert_eq!(parse(&without_word).registrant.name.as_deref(), Some("Erika"));
}

#[test]
fn placeholders_are_nobody() {
    let line = |name: &str, value: &str| json!([name, {}, "text", value]);
    let street = json!(["adr", {}, "text", ["", "", "Weg 1", "Ort", "", "12345", "DE"]]);
    let town = json!(["adr", {}, "text", ["", "", "", "Ort", "Hessen", "", "DE"]]);
    #[rustfmt::skip]
    let cases = [
        (json!([line("fn", "REDACTED FOR PRIVACY"), line("org", "REDACTED FOR PRIVACY"), town]), Party::default()),
        (json!([town]),                                                Party::default()),
        (json!([["adr", {}, "text", ["", "", ["REDACTED FOR PRIVACY"], "Ort", "", "", "DE"]]]), Party::default()),
        (json!([line("fn", "REDACTED FOR PRIVACY"), line("org", "Uni"), street]),
            party(None, Some("Uni"), &["Weg 1", "12345 Ort", "DE"])),
        (json!([line("fn", "Domain Admin"), line("org", "Domains By Proxy, LLC"), street]), Party::default()),
        (json!([line("fn", "Uni"), line("email", "please query the RDDS service")]), party(Some("Uni"), None, &[])),
    ];
    for (card, expected) in cases {
        assert_eq!(registrant(card.clone()), expected, "{card}");
    }
    let hidden = json!({"objectClassName": "domain", "ldhName": "a.example", "entities":
        [entity(&["registrant"], json!([line("fn", "REDACTED FOR PRIVACY"), town]))]});
    assert_eq!(parse(&hidden).state, RegistrationState::Redacted);
}

#[test]
fn networks() {
    let org = |handle: &str, name: &str| {
        json!({"handle": handle, "roles": ["registrant"],
        "vcardArray": ["vcard", [["kind", {}, "text", "org"], ["fn", {}, "text", name]]]})
    };
    let with_role = |mut entity: Value, role: &str| {
        entity["roles"] = json!([role]);
        entity
    };
    let maintainer = json!({"handle": "NREN-MNT", "roles": ["registrant"],
        "vcardArray": ["vcard", [["fn", {}, "text", "NREN-MNT"], ["kind", {}, "text", "individual"]]]});
    let guardian = json!({"handle": "GUARD", "roles": ["registrant"],
        "vcardArray": ["vcard", [["fn", {}, "text", "GUARD"]]]});
    let person = json!({"handle": "EM1", "roles": ["administrative"],
        "vcardArray": ["vcard", [["fn", {}, "text", "Erika Muster"]]]});
    #[rustfmt::skip]
    let cases = [
        // entities                                                           holder         handle
        (vec![maintainer.clone(), org("ORG-UE1-RIPE", "Uni Example")],       Some("Uni Example"), Some("ORG-UE1-RIPE")),
        (vec![with_role(org("ORG-S-RIPE", "Sponsor"), "sponsor"), guardian], None,          None),
        (vec![maintainer, person.clone()],                                   None,          None),
        (vec![person, with_role(org("ORG-A", "Uni"), "administrative")],     Some("Uni"),   Some("ORG-A")),
        (vec![],                                                             None,          None),
    ];
    for (entities, holder, handle) in cases {
        let told = parse(&json!({"objectClassName": "ip network", "name": "UNI-NET",
            "startAddress": "198.18.0.0", "endAddress": "198.19.255.255", "entities": entities}));
        assert_eq!(told.state, RegistrationState::Found);
        assert_eq!(told.registrant.holder(), holder, "{entities:?}");
        assert_eq!(told.org_handle.as_deref(), handle, "{entities:?}");
        assert_eq!(told.net_name.as_deref(), Some("UNI-NET"));
        assert_eq!(blocks_of(&told), ["198.18.0.0/15"]);
    }
}

#[test]
fn ranges() {
    #[rustfmt::skip]
    let cases = [
        (json!({"startAddress": "198.18.0.0", "endAddress": "198.18.2.255"}), vec!["198.18.0.0/23", "198.18.2.0/24"]),
        (json!({"startAddress": "2001:db8::", "endAddress": "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"}), vec!["2001:db8::/32"]),
        (json!({"cidr0_cidrs": [{"v4prefix": "198.18.0.0", "length": 16}, {"v4prefix": "192.0.2.0", "length": "24"}]}),
            vec!["198.18.0.0/16", "192.0.2.0/24"]),
        // A block that cannot be read: the addresses count.
        (json!({"cidr0_cidrs": [{"v4prefix": "198.18.0.0", "length": 77}], "startAddress": "198.18.0.0", "endAddress": "198.18.0.255"}),
            vec!["198.18.0.0/24"]),
        (json!({"startAddress": "198.18.0.0/16"}), vec!["198.18.0.0/16"]),
        (json!({"startAddress": "198.18.1.0", "endAddress": "198.18.0.0"}), vec![]),
        (json!({"startAddress": "198.18.1.0", "endAddress": "2001:db8::"}), vec![]),
        (json!({"startAddress": 5, "endAddress": []}), vec![]),
    ];
    for (object, expected) in cases {
        assert_eq!(blocks_of(&parse(&object)), expected, "{object}");
    }
}

#[test]
fn states() {
    use RegistrationState::{Error, Found, NotFound, Redacted, Throttled};
    let hidden = entity(&["registrant"], json!([["fn", {}, "text", ""]]));
    #[rustfmt::skip]
    let cases = [
        (json!({"errorCode": 404, "title": "not found"}),                              NotFound),
        (json!({"errorCode": "429"}),                                                  Throttled),
        (json!({"errorCode": 500}),                                                    Error),
        (json!({}),                                                                    Error),
        (json!({"message": "hello"}),                                                  Error),
        (json!([]),                                                                    Error),
        (json!({"objectClassName": "domain", "ldhName": "a.example"}),                 Found),
        (json!({"objectClassName": "domain", "entities": [hidden]}),                   Redacted),
        (json!({"objectClassName": "domain", "redacted": [{"name": {"description": "Registrant Name"}}]}), Redacted),
        (json!({"objectClassName": "domain", "redacted": [{"name": {"type": "Tech Email"}}]}), Found),
        (json!({"objectClassName": "domain", "remarks": [{"title": "REDACTED FOR PRIVACY"}]}), Redacted),
    ];
    for (object, expected) in cases {
        assert_eq!(parse(&object).state, expected, "{object}");
    }
    for bytes in [&b""[..], b"\xff\xfe", b"<html>", b"{\"objectClassName\": \"domain\""] {
        assert_eq!(parse_rdap(bytes).state, Error);
    }
    assert_eq!(parse_rdap(b"\xef\xbb\xbf{\"ldhName\": \"a.example\"}").state, Found);
}

#[test]
fn referrals() {
    let rdap = "application/rdap+json";
    let link = |rel: &str, kind: &str, href: &str| json!({"rel": rel, "type": kind, "href": href});
    let own = link("self", rdap, "https://registry.example/domain/a.example");
    let more = "https://registrar.example/domain/A.EXAMPLE";
    #[rustfmt::skip]
    let cases = [
        (vec![own.clone(), link("related", rdap, more)],                                  Some(more)),
        (vec![own.clone(), link("alternate", rdap, "https://x.example/"), link("related", rdap, more)], Some(more)),
        (vec![own.clone(), link("related", rdap, "https://registry.example/domain/a.example")], None),
        (vec![own.clone(), link("alternate", "text/html", "https://www.registry.example/")], None),
        (vec![own.clone(), link("related", rdap, "javascript:alert(1)")],                 None),
        (vec![own, json!(3), json!({"rel": ["related"]})],                                None),
    ];
    for (links, expected) in cases {
        let told = parse(&json!({"objectClassName": "domain", "links": links}));
        assert_eq!(told.refer.as_deref(), expected, "{links:?}");
    }
}

#[test]
fn networks_of_an_organisation() {
    let told = parse_rdap_networks(
        json!({
            "objectClassName": "entity", "handle": "UNIVER-1",
            "vcardArray": ["vcard", [["kind", {}, "text", "org"], ["fn", {}, "text", "Uni"]]],
            "networks": [
                {"objectClassName": "ip network", "startAddress": "198.18.0.0", "endAddress": "198.18.255.255"},
                {"objectClassName": "ip network", "cidr0_cidrs": [{"v6prefix": "2001:db8::", "length": 32}]},
                {"objectClassName": "ip network"}, null
            ]
        })
        .to_string()
        .as_bytes(),
    );
    assert_eq!(
        told.iter().flat_map(blocks_of).collect::<Vec<_>>(),
        ["198.18.0.0/16", "2001:db8::/32"]
    );
    assert!(told.iter().all(|network| network.registrant.holder() == Some("Uni")));
    assert!(told.iter().all(|network| network.org_handle.as_deref() == Some("UNIVER-1")));
}

#[test]
fn hostile_answers() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(parse_rdap(deep.as_bytes()).state, RegistrationState::Error);
    let nested =
        (0..50).fold(json!({"roles": ["registrant"]}), |inner, _| json!({"entities": [inner, 1]}));
    assert_eq!(parse(&nested).state, RegistrationState::Found);
    let wide = json!({"entities": vec![json!({"roles": ["registrant"], "entities": vec![json!({}); 20]}); 500]});
    assert!(parse(&wide).registrant.is_empty());
    let huge = format!("{{\"ldhName\": \"{}\"}}", "a".repeat(RDAP_BYTES));
    assert_eq!(parse_rdap(huge.as_bytes()).state, RegistrationState::Error);
}

/// JSON with the fields that are looked at, and any values in them.
fn sloppy() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        prop_oneof![
            Just("registrant"),
            Just("vcard"),
            Just("fn"),
            Just("adr"),
            Just("related"),
            Just("198.18.0.0"),
            Just("::"),
            Just("ffff::"),
            Just("404"),
        ]
        .prop_map(Value::from),
    ];
    let field = prop_oneof![
        Just("entities"),
        Just("vcardArray"),
        Just("roles"),
        Just("links"),
        Just("nameservers"),
        Just("ldhName"),
        Just("startAddress"),
        Just("endAddress"),
        Just("cidr0_cidrs"),
        Just("v4prefix"),
        Just("v6prefix"),
        Just("length"),
        Just("errorCode"),
        Just("redacted"),
        Just("remarks"),
        Just("name"),
        Just("networks"),
        Just("label"),
        Just("handle"),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((field.clone(), inner), 0..6).prop_map(|fields| {
                fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_bytes(bytes: Vec<u8>) {
        let _ = (parse_rdap(&bytes), parse_rdap_networks(&bytes));
    }

    #[test]
    fn any_values_in_any_field(value in sloppy()) {
        let text = value.to_string();
        let _ = (parse_rdap(text.as_bytes()), parse_rdap_networks(text.as_bytes()));
    }
}

/// The list of a large organisation's networks is longer than any other answer.
#[test]
fn long_lists_of_networks() {
    let network = |number: usize| {
        let (first, last) = (format!("198.18.{number}.0"), format!("198.18.{number}.255"));
        let words = "x".repeat(3000);
        json!({ "startAddress": first, "endAddress": last, "remarks": [words] })
    };
    let networks: Vec<Value> = (0..200).map(network).collect();
    let answer = json!({ "handle": "ORG-1", "networks": networks }).to_string();
    assert!(answer.len() > RDAP_BYTES);
    assert_eq!(parse_rdap_networks(answer.as_bytes()).len(), 200);
}
