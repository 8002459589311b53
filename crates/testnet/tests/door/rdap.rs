//! RDAP servers and their bootstrap files, as web sites.

use crate::client::{body, get};
use auslese_testnet::{Bootstrap, Contact, DomainObject, Internet, NetObject, RdapServer};
use serde_json::{Value, json};

fn university() -> Contact {
    Contact::organization("Universität Hohenwerth")
        .address("Schlossplatz 1", "99998", "Hohenwerth", "DE")
        .email("rz@uni.example")
}

fn server() -> RdapServer {
    let net = |range: &str, name: &str, org: &str| {
        NetObject::new(range.parse().unwrap(), name, org, university())
    };
    RdapServer::new("http://rdap.example/v1/", "198.51.100.1")
        .domain(
            DomainObject::new("müller.example")
                .holder(university())
                .tech(Contact::organization("Webhaus GmbH"))
                .name_server("ns1.uni.example"),
        )
        .domain(DomainObject::new("hidden.example").name_server("ns1.uni.example"))
        .net(net("198.18.0.0/16", "FNW", "ORG-FW1-EXAMPLE"))
        .net(net("198.18.1.0/24", "UNI", "ORG-UH1-EXAMPLE"))
        .net(net("2001:db8:1::/48", "UNI-6", "ORG-UH1-EXAMPLE"))
}

#[test]
fn objects_as_json() {
    let net = Internet::new().site(server().site()).start().unwrap();
    let ask = |path: &str| -> (String, Value) {
        let answer = get(net.http(), "rdap.example", path);
        assert!(answer.contains("Content-Type: application/rdap+json"), "{answer}");
        (answer.lines().next().unwrap().to_owned(), serde_json::from_str(body(&answer)).unwrap())
    };
    let (status, domain) = ask("/v1/domain/xn--mller-kva.example");
    assert_eq!(status, "HTTP/1.1 200 OK");
    assert_eq!(domain["objectClassName"], "domain");
    assert_eq!(domain["unicodeName"], "müller.example");
    assert_eq!(domain["nameservers"][0]["ldhName"], "ns1.uni.example");
    let registrant = &domain["entities"][0];
    assert_eq!(registrant["roles"], json!(["registrant"]));
    let card = registrant["vcardArray"][1].as_array().unwrap();
    let line = |name: &str| card.iter().find(|line| line[0] == name).unwrap()[3].clone();
    assert_eq!(line("org"), "Universität Hohenwerth");
    assert_eq!(line("email"), "rz@uni.example");
    assert_eq!(line("adr"), json!(["", "", "Schlossplatz 1", "Hohenwerth", "", "99998", ""]));

    let (_, hidden) = ask("/v1/domain/hidden.example");
    assert_eq!(hidden["entities"][0]["vcardArray"][1][1], json!(["fn", {}, "text", ""]));
    assert_eq!(hidden["redacted"][0]["name"]["description"], "Registrant Name");
    assert_eq!(hidden["rdapConformance"], json!(["rdap_level_0", "redacted"]));

    for (path, start, name) in [
        ("/v1/ip/198.18.1.10", "198.18.1.0", "UNI"),
        ("/v1/ip/198.18.1.0/24", "198.18.1.0", "UNI"),
        ("/v1/ip/198.18.9.9", "198.18.0.0", "FNW"),
        ("/v1/ip/2001:db8:1::5", "2001:db8:1::", "UNI-6"),
        ("/v1/ip/2001%3Adb8%3A1%3A%3A5", "2001:db8:1::", "UNI-6"),
    ] {
        let (_, network) = ask(path);
        assert_eq!((&network["startAddress"], &network["name"]), (&json!(start), &json!(name)));
    }
    let (_, network) = ask("/v1/ip/198.18.1.10");
    assert_eq!(network["endAddress"], "198.18.1.255");
    assert_eq!(network["cidr0_cidrs"], json!([{ "v4prefix": "198.18.1.0", "length": 24 }]));
    assert_eq!(network["entities"][0]["handle"], "ORG-UH1-EXAMPLE");

    let (_, organization) = ask("/v1/entity/ORG-UH1-EXAMPLE");
    assert_eq!(organization["networks"].as_array().unwrap().len(), 2);
    for path in ["/v1/domain/nobody.example", "/v1/ip/203.0.113.1", "/v1/entity/ORG-X"] {
        let (status, error) = ask(path);
        assert_eq!((&*status, &error["errorCode"]), ("HTTP/1.1 404 Not Found", &json!(404)));
    }
    assert_eq!(ask("/elsewhere").1["errorCode"], 400);
}

#[test]
fn too_many_questions() {
    let net = Internet::new().site(server().throttled_after(1).site()).start().unwrap();
    let ask = || get(net.http(), "rdap.example", "/v1/domain/hidden.example");
    assert!(ask().starts_with("HTTP/1.1 200"));
    let refused = ask();
    assert!(refused.starts_with("HTTP/1.1 429 Too Many Requests"), "{refused}");
    assert!(refused.contains("Retry-After: 60") && refused.contains("\"errorCode\":429"));
}

#[test]
fn the_bootstrap_files() {
    let files = Bootstrap::new()
        .domain("org-example", "https://rdap.org-example.example/")
        .range("198.18.0.0/15".parse().unwrap(), "https://rdap.ripe.example/")
        .range("2001:db8::/32".parse().unwrap(), "https://rdap.ripe.example/");
    let site = files.site("http://rdap-bootstrap.example/rdap/", "198.51.100.2");
    let net = Internet::new().site(site).start().unwrap();
    for (name, what) in
        [("dns", "org-example"), ("ipv4", "198.18.0.0/15"), ("ipv6", "2001:db8::/32")]
    {
        let answer = get(net.http(), "rdap-bootstrap.example", &format!("/rdap/{name}.json"));
        let file: Value = serde_json::from_str(body(&answer)).unwrap();
        assert_eq!(file["services"][0][0], json!([what]), "{name}");
        assert_eq!(file["version"], "1.0");
    }
}
