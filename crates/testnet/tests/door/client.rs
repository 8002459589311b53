//! The smallest clients that can ask the simulated internet something.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

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
