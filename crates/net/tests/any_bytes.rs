//! Whatever a server sends, a fetch ends: with an exchange that holds all of it, or with a cause.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod world;

use auslese_model::{Headers, Method, Request};
use auslese_net::{DecodeLimits, Net, NetSettings, Wanted, decode_content};
use proptest::prelude::*;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use world::limits;

/// A server that answers everything with the bytes it was last given, in pieces.
struct Parrot {
    runtime: Runtime,
    words: Arc<Mutex<(Vec<u8>, usize)>>,
    net: Net,
    url: String,
}

fn parrot() -> &'static Parrot {
    static PARROT: OnceLock<Parrot> = OnceLock::new();
    PARROT.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let words = Arc::new(Mutex::new((Vec::new(), 1)));
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        runtime.spawn(repeat(listener, words.clone()));
        let net = Net::new(NetSettings {
            allow_private: true,
            limits: auslese_net::Limits {
                idle: Duration::from_secs(20),
                header: Duration::from_secs(20),
                total: Duration::from_secs(20),
                header_bytes: 2000,
                body_bytes: 3000,
                memory_bytes: 500,
                ..limits()
            },
            ..NetSettings::default()
        });
        Parrot { runtime, words, net: net.unwrap(), url }
    })
}

async fn repeat(listener: TcpListener, words: Arc<Mutex<(Vec<u8>, usize)>>) {
    while let Ok((mut client, _)) = listener.accept().await {
        let (bytes, piece) = words.lock().unwrap().clone();
        tokio::spawn(async move {
            let mut request = [0; 2000];
            let _ = client.read(&mut request).await;
            for piece in bytes.chunks(piece) {
                if client.write_all(piece).await.is_err() {
                    return;
                }
            }
        });
    }
}

fn check(bytes: Vec<u8>, piece: usize, method: Method) {
    // The tests run side by side, and a parrot repeats only one thing at a time.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let parrot = parrot();
    *parrot.words.lock().unwrap() = (bytes.clone(), piece.max(1));
    let request = Request::new(method, parrot.url.parse().unwrap(), None).unwrap();
    let fetched = parrot.runtime.block_on(async {
        let none = Headers::default();
        let fetch = parrot.net.fetch(&request, &none, &|_| Wanted::Body);
        tokio::time::timeout(Duration::from_secs(60), fetch).await.expect("a fetch ends")
    });
    let Ok(exchange) = fetched else { return };
    let response = &exchange.response;
    let body = response.body.prefix(usize::MAX).unwrap();
    assert!(body.len() <= 3000);
    let whole = [response.head.as_slice(), &body].concat();
    let found = whole.is_empty() || bytes.windows(whole.len()).any(|window| window == whole);
    assert!(found, "head and body stand in the answer, byte for byte, side by side");
    decode_content(response, DecodeLimits { bytes: 10_000, ratio: 10 });
}

/// Lines as they might stand in an answer, so that chance gets further than the first byte.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let lines = [
        "HTTP/1.1 200 OK",
        "HTTP/1.1 100 Continue",
        "HTTP/1.0 304 x",
        "ICY 200",
        "",
        "Content-Length: 5",
        "Content-Length: 70",
        "Content-Length: 4000000000000",
        "Transfer-Encoding: chunked",
        "Transfer-Encoding: gzip",
        "Content-Encoding: gzip",
        "Content-Encoding: deflate",
        "Connection: close",
        " folded",
        "no colon",
        "5",
        "hello",
        "ffff;x=y",
        "0",
        "\u{1f}\u{8b}",
    ];
    let known = proptest::sample::select(lines.to_vec()).prop_map(|line| line.as_bytes().to_vec());
    prop_oneof![6 => known, 1 => proptest::collection::vec(any::<u8>(), 0..60)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn noise(bytes in proptest::collection::vec(any::<u8>(), 0..500), piece in 1usize..600) {
        check(bytes, piece, Method::Get);
    }

    #[test]
    fn after_a_status_line(bytes in proptest::collection::vec(any::<u8>(), 0..500), piece in 1usize..600) {
        check([b"HTTP/1.1 200 OK\r\n".to_vec(), bytes].concat(), piece, Method::Get);
    }

    #[test]
    fn likely_lines(
        lines in proptest::collection::vec(line(), 0..20),
        ends in proptest::sample::select(vec!["\r\n", "\n"]),
        piece in 1usize..100,
        method in proptest::sample::select(vec![Method::Get, Method::Head, Method::Post]),
    ) {
        let mut bytes = b"HTTP/1.1 200 OK\r\n".to_vec();
        for line in lines {
            bytes.extend_from_slice(&line);
            bytes.extend_from_slice(ends.as_bytes());
        }
        check(bytes, piece, method);
    }
}
