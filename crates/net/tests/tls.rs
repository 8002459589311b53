//! TLS, and what is wrong with certificates.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod world;

use auslese_model::CauseKind::{self, Certificate, Timeout, Tls};
use auslese_model::{Headers, HostName, Truncation};
use auslese_net::{Certificates, Net, NetError, NetSettings, Wanted, oddity};
use auslese_testnet::misbehaviour::{PAGE, all_handshakes};
use auslese_testnet::{Answer, Identity, Internet, Site};
use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::PrivateKeyDer;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use world::{fetch, get, kinds, net, net_with, payload, run};

#[test]
fn certificates() {
    #[rustfmt::skip]
    let cases = [
        ("valid.example",   Identity::Valid,            None),
        ("expired.example", Identity::Expired,          Some("expired")),
        ("early.example",   Identity::NotYetValid,      Some("not yet valid")),
        ("self.example",    Identity::SelfSigned,       Some("unknown issuer")),
        ("unknown.example", Identity::UnknownAuthority, Some("unknown issuer")),
        ("other.example",   Identity::Named(vec!["a.example".to_owned()]), Some("for another name")),
    ];
    let internet = cases.iter().fold(Internet::new(), |internet, (host, identity, _)| {
        let site = Site::new(format!("https://{host}")).identity(identity.clone());
        internet.site(site.page("/", PAGE))
    });
    let internet = internet.start().unwrap();
    let noting = net(&internet);
    let refusing = net_with(&internet, |settings| settings.certificates = Certificates::Refuse);
    run(async {
        for (host, _, problem) in &cases {
            let url = format!("https://{host}/");
            // Twice: the note belongs to the connection, also when it is used again.
            for _ in 0..2 {
                let exchange = fetch(&noting, &url).await.unwrap();
                assert_eq!(payload(&exchange.response), PAGE.as_bytes());
                let note = exchange.tls.unwrap();
                assert_eq!(note.protocol, "TLSv1.3");
                assert!(note.cipher.starts_with("TLS13_"), "{}", note.cipher);
                let found = note.problem.unwrap_or_default();
                assert!(found.starts_with(problem.unwrap_or("")), "{host}: {found}");
                assert_eq!(found.is_empty(), problem.is_none(), "{host}: {found}");
            }
            let refused = fetch(&refusing, &url).await.map(|_| ()).map_err(|cause| cause.kind);
            assert_eq!(refused.err(), problem.map(|_| Certificate), "{host}");
        }
    });
    assert_eq!(internet.requests()[0].sni.as_deref(), Some("valid.example"));
}

#[test]
fn handshakes_that_fail() {
    let cases: Vec<_> = all_handshakes()
        .into_iter()
        .enumerate()
        .map(|(number, (name, identity))| (format!("h{number}.example"), name, identity))
        .collect();
    let internet = cases.iter().fold(Internet::new(), |internet, (host, _, identity)| {
        internet.site(Site::new(format!("https://{host}")).identity(identity.clone()))
    });
    let internet = internet.start().unwrap();
    let net = net_with(&internet, |settings| settings.limits.tls = Duration::from_secs(2));
    for (host, name, _) in &cases {
        let cause = run(fetch(&net, &format!("https://{host}/"))).unwrap_err();
        let expected: CauseKind = if name.contains("stalled") { Timeout } else { Tls };
        assert_eq!(cause.kind, expected, "{name}: {cause}");
    }
}

/// Bodies over TLS end like others; some servers close without saying so.
#[test]
fn bodies_over_tls() {
    let large: Vec<u8> = (0..251u8).cycle().take(2 << 20).collect();
    let site = Site::new("https://h.example")
        .page("/", PAGE)
        .answer("/chunked", Answer::file("text/plain", large.clone()).chunked(10_000))
        .answer("/close", Answer::file("text/plain", large.clone()).until_close());
    let internet = Internet::new().site(site).start().unwrap();
    let net = net(&internet);
    run(async {
        for _ in 0..3 {
            let exchange = fetch(&net, "https://h.example/").await.unwrap();
            assert_eq!(payload(&exchange.response), PAGE.as_bytes());
        }
        for path in ["/chunked", "/close"] {
            let exchange = fetch(&net, &format!("https://h.example{path}")).await.unwrap();
            assert!(payload(&exchange.response) == large, "{path}");
            assert_eq!(exchange.response.truncated, None, "{path}");
        }
    });
    assert_eq!(internet.connections().len(), 1, "all on one connection");
}

/// A server that ends the TCP connection and forgets to say so in TLS, as many do.
#[test]
fn no_close_notify() {
    let internet = Internet::new().start().unwrap();
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(self_signed()));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let mut stream = acceptor.accept(client).await.unwrap();
                let _ = stream.read(&mut [0; 2000]).await;
                let length = match stream.get_ref().1.server_name() {
                    Some("length.example") => "Content-Length: 100\r\n",
                    _ => "",
                };
                let answer = format!("HTTP/1.1 200 OK\r\n{length}\r\n{PAGE}");
                stream.write_all(answer.as_bytes()).await.unwrap();
                stream.flush().await.unwrap();
                drop(stream.into_inner().0);
            }
        });
        let net = net_with(&internet, |settings| {
            for entry in &mut settings.connect_to {
                entry.to = address;
            }
        });
        #[rustfmt::skip]
        let cases = [
            ("198.18.0.1",     None, &[oddity::NO_CLOSE_NOTIFY][..]),
            ("length.example", Some(Truncation::Disconnect), &[]),
        ];
        for (host, truncated, odd) in cases {
            let request = get(&format!("https://{host}/"));
            let resolution = net.resolve(&HostName::parse("198.18.0.1").unwrap()).await.unwrap();
            let none = Headers::default();
            let exchange =
                net.fetch_resolved(&request, &resolution, &none, &|_| Wanted::Body).await.unwrap();
            assert_eq!(payload(&exchange.response), PAGE.as_bytes(), "{host}");
            assert_eq!(exchange.response.truncated, truncated, "{host}");
            assert_eq!(kinds(&exchange.response.oddities), odd, "{host}");
        }
    });
}

fn self_signed() -> ServerConfig {
    let key = rcgen::generate_simple_self_signed(vec!["length.example".to_owned()]).unwrap();
    let secret = PrivateKeyDer::try_from(key.signing_key.serialize_der()).unwrap();
    ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![key.cert.der().clone()], secret)
        .unwrap()
}

#[test]
fn authorities_from_files() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("empty.pem");
    std::fs::write(&file, "nothing").unwrap();
    let with = |file: &std::path::Path| {
        Net::new(NetSettings { ca_files: vec![file.to_owned()], ..NetSettings::default() })
    };
    assert!(matches!(with(&file), Err(NetError::NoCertificate { .. })));
    assert!(matches!(with(&directory.path().join("none")), Err(NetError::CaFile { .. })));
}
