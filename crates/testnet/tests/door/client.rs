//! The smallest clients that can ask the simulated internet something.

use auslese_testnet::Running;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// Longer than anything here takes, so that a fault ends the test instead of hanging it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Sends a request and returns all bytes until the connection ends, and how it ended.
pub(crate) fn ask_raw(socket: SocketAddr, request: &str) -> (Vec<u8>, std::io::Result<()>) {
    let mut stream = connect(socket);
    stream.write_all(request.as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let end = stream.read_to_end(&mut bytes).map(|_| ());
    (bytes, end)
}

/// A GET over TLS, trusting the test authority; the answer as text.
pub(crate) fn get_secure(net: &Running, host: &'static str, target: &str) -> String {
    let client = tls_client(net, host, true);
    let tcp = connect(net.socket_of(host, 443).unwrap());
    let mut stream = StreamOwned::new(client, tcp);
    write!(stream, "GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    stream.flush().unwrap();
    read_answer(&mut stream)
}

/// A client that expects a host, and says so in the handshake or does not.
pub(crate) fn tls_client(net: &Running, host: &'static str, names_it: bool) -> ClientConnection {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(net.ca_pem().as_bytes()).unwrap()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.enable_sni = names_it;
    ClientConnection::new(Arc::new(config), ServerName::try_from(host).unwrap()).unwrap()
}

/// A GET on a connection of its own; the answer as text.
pub(crate) fn get(socket: SocketAddr, host: &str, target: &str) -> String {
    let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let (bytes, end) = ask_raw(socket, &request);
    end.unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(crate) fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

pub(crate) fn connect(socket: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect_timeout(&socket, PATIENCE).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Reads one answer with a Content-Length from a kept connection.
pub(crate) fn read_answer(stream: &mut impl Read) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    let mut answer = String::from_utf8(head).unwrap();
    let length = answer
        .lines()
        .find_map(|line| line.strip_prefix("Content-Length: ")?.parse::<usize>().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    answer.push_str(&String::from_utf8(body).unwrap());
    answer
}

/// Waits for something that is about to happen on the server.
pub(crate) fn wait_for(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}
