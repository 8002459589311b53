//! Whatever a server on loopback sends, a fetch ends, and what it keeps stands in the answer byte for byte.

#![no_main]

use auslese_model::{Headers, Method, Request};
use auslese_net::{DecodeLimits, Limits, Net, NetSettings, Wanted, decode_content};
use libfuzzer_sys::fuzz_target;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

const BODY_BYTES: u64 = 3000;

/// A server that says to everybody what it was last told.
struct Parrot {
    words: Arc<Mutex<Vec<u8>>>,
    runtime: Runtime,
    net: Net,
    url: String,
}

fn parrot() -> &'static Parrot {
    static PARROT: OnceLock<Parrot> = OnceLock::new();
    PARROT.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let url = format!("http://{}/", listener.local_addr().expect("it is bound"));
        let words = Arc::new(Mutex::new(Vec::new()));
        let told = words.clone();
        std::thread::spawn(move || {
            for mut client in listener.incoming().flatten() {
                let words = told.lock().expect("nobody panics with it").clone();
                let _ = client.read(&mut [0; 2000]);
                let _ = client.write_all(&words);
                let _ = client.shutdown(Shutdown::Both);
            }
        });
        let limits = Limits {
            header_bytes: 2000,
            body_bytes: BODY_BYTES,
            memory_bytes: 500,
            idle: Duration::from_secs(5),
            total: Duration::from_secs(5),
            ..Limits::default()
        };
        let settings = NetSettings { allow_private: true, limits, ..NetSettings::default() };
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let net = runtime.block_on(async { Net::new(settings) }).expect("the settings are sound");
        Parrot { words, runtime, net, url }
    })
}

fuzz_target!(|bytes: &[u8]| {
    let parrot = parrot();
    *parrot.words.lock().expect("nobody panics with it") = bytes.to_vec();
    let url = parrot.url.parse().expect("an address");
    let request = Request::new(Method::Get, url, None).expect("GET has no body");
    let fetched = parrot.runtime.block_on(async {
        let none = Headers::default();
        let fetch = parrot.net.fetch(&request, &none, &|_| Wanted::Body);
        tokio::time::timeout(Duration::from_secs(20), fetch).await.expect("a fetch ends")
    });
    let Ok(exchange) = fetched else { return };
    let response = &exchange.response;
    let body = response.body.prefix(usize::MAX).expect("it can be read");
    assert!(body.len() as u64 <= BODY_BYTES);
    let whole = [response.head.as_slice(), &body].concat();
    assert!(whole.is_empty() || bytes.windows(whole.len()).any(|window| window == whole));
    decode_content(response, DecodeLimits { bytes: 10_000, ratio: 10 });
});
