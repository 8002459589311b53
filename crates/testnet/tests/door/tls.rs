//! Certificates and handshakes, seen by a client that trusts the test authority.

use crate::client::{body, connect, read_answer, tls_client, wait_for};
use auslese_testnet::{Identity, Internet, Running, Site, misbehaviour};
use std::io::Write;
use tokio_rustls::rustls::StreamOwned;

#[test]
fn identities() {
    #[rustfmt::skip]
    let cases = [
        (Identity::Valid,                                    ""),
        (Identity::Expired,                                  "Expired"),
        (Identity::NotYetValid,                              "not valid yet"),
        (Identity::SelfSigned,                               "invalid peer certificate"),
        (Identity::UnknownAuthority,                         "UnknownIssuer"),
        (Identity::Named(vec!["other.example".to_owned()]),  "not valid for name"),
        (Identity::Missing,                                  "alert"),
    ];
    for (identity, expected) in cases {
        let net = secure_site(identity.clone());
        match ask(&net, "s.example") {
            Ok(answer) => assert_eq!((body(&answer), expected), ("sicher", ""), "{identity:?}"),
            Err(words) => {
                let (words, expected) = (words.to_lowercase(), expected.to_lowercase());
                assert!(!expected.is_empty() && words.contains(&expected), "{identity:?}: {words}");
            }
        }
    }
}

#[test]
fn unknown_names_get_an_alert_and_both_names_are_logged() {
    let net = secure_site(Identity::Valid);
    assert!(ask(&net, "other.example").is_err());
    ask(&net, "s.example").unwrap();
    let logged = &net.requests()[0];
    assert_eq!(logged.sni.as_deref(), Some("s.example"));
    assert_eq!(logged.url(), "https://s.example/");
    wait_for(|| net.connections()[0].problem.is_some());
    let connections = net.connections();
    assert_eq!(connections[0].sni.as_deref(), Some("other.example"));
    assert_eq!(connections[1].problem, None);
}

#[test]
fn handshakes_that_fail() {
    for (name, identity) in misbehaviour::all_handshakes() {
        if name == "handshake stalled" {
            continue;
        }
        let net = secure_site(identity);
        assert!(ask(&net, "s.example").is_err(), "{name}");
        assert_eq!(net.request_count(), 0, "{name}");
    }
}

fn secure_site(identity: Identity) -> Running {
    let site = Site::new("https://s.example").identity(identity).page("/", "sicher");
    Internet::new().site(site).start().unwrap()
}

fn ask(net: &Running, name: &'static str) -> Result<String, String> {
    let client = tls_client(net, name, true);
    let mut stream = StreamOwned::new(client, connect(net.https()));
    write!(stream, "GET / HTTP/1.1\r\nHost: {name}\r\n\r\n").map_err(|cause| cause.to_string())?;
    stream.flush().map_err(|cause| cause.to_string())?;
    Ok(read_answer(&mut stream))
}
