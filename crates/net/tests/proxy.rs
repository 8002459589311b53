//! Through a proxy: absolute-form requests, tunnels, credentials, and what is left of the guard.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod world;

use auslese_model::CauseKind::{Guarded, Proxy};
use auslese_net::{Net, NetError, NetSettings, Wanted};
use auslese_testnet::misbehaviour::PAGE;
use auslese_testnet::{Internet, Running, Site, Zone};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use world::{fetch, get, payload, run, settings};

/// What a proxy was asked: the headers of requests and of `CONNECT`s.
type Seen = Arc<Mutex<Vec<String>>>;

/// A proxy that leads every host to the simulated internet, and wants `user:pw`.
async fn start_proxy(internet: &Running) -> (SocketAddr, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Seen::default();
    let (http, https, log) = (internet.http(), internet.https(), seen.clone());
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(serve(client, http, https, log.clone()));
        }
    });
    (address, seen)
}

async fn serve(mut client: TcpStream, http: SocketAddr, https: SocketAddr, seen: Seen) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if client.read(&mut byte).await.unwrap_or(0) == 0 {
            return;
        }
        head.push(byte[0]);
    }
    let text = String::from_utf8(head.clone()).unwrap();
    seen.lock().unwrap().push(text.clone());
    if !text.contains("Proxy-Authorization: Basic dXNlcjpwdw==\r\n") {
        let answer = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n";
        client.write_all(answer).await.unwrap();
        return;
    }
    let mut server;
    if text.starts_with("CONNECT ") {
        server = TcpStream::connect(https).await.unwrap();
        client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await.unwrap();
    } else {
        server = TcpStream::connect(http).await.unwrap();
        server.write_all(&head).await.unwrap();
    }
    let _ = copy_bidirectional(&mut client, &mut server).await;
}

fn proxied(internet: &Running, proxy: SocketAddr, credentials: &str) -> Net {
    Net::new(NetSettings {
        proxy: Some(format!("http://{credentials}{proxy}").parse().unwrap()),
        only_mapped: false,
        connect_to: Vec::new(),
        ..settings(internet)
    })
    .unwrap()
}

fn internet() -> Running {
    Internet::new()
        .zone(Zone::new("evil.example").address("www", "10.0.0.1"))
        .site(Site::new("http://h.example").page("/", PAGE))
        .site(Site::new("https://s.example").page("/", PAGE))
        .start()
        .unwrap()
}

#[test]
fn both_schemes() {
    let internet = internet();
    run(async {
        let (proxy, seen) = start_proxy(&internet).await;
        let net = proxied(&internet, proxy, "user:pw@");
        let exchange = fetch(&net, "http://h.example/").await.unwrap();
        assert_eq!(payload(&exchange.response), PAGE.as_bytes());
        assert_eq!(exchange.address, None);
        assert!(
            exchange.sent.starts_with(b"GET http://h.example/ HTTP/1.1\r\nHost: h.example\r\n")
        );
        let kept = String::from_utf8(exchange.sent.clone()).unwrap();
        assert!(!kept.contains("Proxy-"), "credentials are not kept");

        let exchange = fetch(&net, "https://s.example/").await.unwrap();
        assert_eq!(payload(&exchange.response), PAGE.as_bytes());
        assert!(exchange.sent.starts_with(b"GET / HTTP/1.1\r\nHost: s.example\r\n"));
        assert_eq!(exchange.tls.unwrap().problem, None);
        let seen = seen.lock().unwrap();
        assert!(seen[1].starts_with("CONNECT s.example:443 HTTP/1.1\r\nHost: s.example:443\r\n"));
    });
}

#[test]
fn refusals() {
    let internet = internet();
    run(async {
        let (proxy, seen) = start_proxy(&internet).await;
        let net = proxied(&internet, proxy, "");
        for url in ["http://h.example/", "https://s.example/"] {
            assert_eq!(fetch(&net, url).await.unwrap_err().kind, Proxy, "{url}");
        }
        let net = proxied(&internet, proxy, "user:pw@");
        let before = seen.lock().unwrap().len();
        for url in ["http://127.0.0.1/", "http://www.evil.example/", "https://www.evil.example/"] {
            assert_eq!(fetch(&net, url).await.unwrap_err().kind, Guarded, "{url}");
        }
        assert_eq!(seen.lock().unwrap().len(), before, "the proxy was not even asked");
    });
}

/// A name that only the proxy can resolve goes to the proxy.
#[test]
fn names_of_the_proxy() {
    let internet = internet();
    run(async {
        let (proxy, seen) = start_proxy(&internet).await;
        let net = proxied(&internet, proxy, "user:pw@");
        let extra = auslese_model::Headers::default();
        let request = get("http://unknown.example/");
        let exchange = net.fetch(&request, &extra, &|_| Wanted::Body).await.unwrap();
        assert_eq!(exchange.response.status, 404, "the test server knows no such site");
        assert_eq!(seen.lock().unwrap().len(), 1);
    });
}

/// The proxy's own name is resolved once, and may stand for a private address.
#[test]
fn a_proxy_with_a_name() {
    let internet = Internet::new()
        .zone(Zone::new("intern.example").address("proxy", "127.0.0.1"))
        .site(Site::new("http://h.example").page("/", PAGE))
        .start()
        .unwrap();
    run(async {
        let (proxy, seen) = start_proxy(&internet).await;
        let net = Net::new(NetSettings {
            proxy: Some(
                format!("http://user:pw@proxy.intern.example:{}", proxy.port()).parse().unwrap(),
            ),
            only_mapped: false,
            connect_to: Vec::new(),
            ..settings(&internet)
        });
        let net = net.unwrap();
        for _ in 0..3 {
            fetch(&net, "http://h.example/").await.unwrap();
        }
        assert_eq!(seen.lock().unwrap().len(), 1, "one connection serves all");
        let cause = fetch(&net, "http://proxy.intern.example/").await.unwrap_err();
        assert_eq!(cause.kind, Guarded, "as a target it is judged");
    });
    let queries = internet.dns_queries();
    let asked = |query: &&auslese_testnet::DnsQuery| {
        query.name == "proxy.intern.example" && query.record_type == "A"
    };
    assert_eq!(queries.iter().filter(asked).count(), 2, "once as a proxy, once as a target");
}

#[test]
fn only_mapped_excludes_a_proxy() {
    let settings = NetSettings {
        proxy: Some("http://127.0.0.1:3128".parse().unwrap()),
        only_mapped: true,
        ..NetSettings::default()
    };
    assert!(matches!(Net::new(settings), Err(NetError::ProxyAndOnlyMapped)));
}
