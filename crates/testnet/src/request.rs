//! Reading requests, as forgivingly as servers do: what cannot be understood is kept as it came,
//! because the log is there to show it.

use crate::log::Moment;
use auslese_model::{Headers, Scheme};
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt};

/// Most bytes of a request line and header lines.
pub(crate) const HEAD_LIMIT: usize = 1 << 20;
/// Most bytes of a request body.
pub(crate) const BODY_LIMIT: usize = 64 << 20;

/// A request, as an answer may look at it.
#[derive(Debug, Clone)]
pub struct Asked {
    pub scheme: Scheme,
    /// Without port, in lower case; empty if the client sent none.
    pub host: String,
    /// The port of the simulated internet.
    pub port: u16,
    pub method: String,
    /// As it stands in the request line.
    pub target: String,
    pub version: String,
    pub headers: Headers,
    pub head: Vec<u8>,
    pub body: Vec<u8>,
    /// How many times this path was asked for before.
    pub earlier: u64,
}

impl Asked {
    /// The target without scheme and host, should the client have sent them.
    pub fn path_and_query(&self) -> &str {
        match self.target.split_once("://").filter(|_| !self.target.starts_with('/')) {
            Some((_, rest)) => rest.find('/').map_or("/", |slash| &rest[slash..]),
            None => &self.target,
        }
    }

    pub fn path(&self) -> &str {
        self.path_and_query().split('?').next().unwrap_or("")
    }

    /// The value of a query parameter, as written.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let (_, query) = self.path_and_query().split_once('?')?;
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    }

    /// Whether the client wants to keep the connection.
    pub(crate) fn keeps_alive(&self) -> bool {
        let connection = self.headers.get("connection").unwrap_or_default().to_ascii_lowercase();
        match self.version.as_str() {
            "HTTP/1.1" => !connection.contains("close"),
            _ => connection.contains("keep-alive"),
        }
    }

    pub(crate) fn accepts_gzip(&self) -> bool {
        self.headers.all("accept-encoding").any(|value| value.to_ascii_lowercase().contains("gzip"))
    }
}

/// Bytes that were read from a connection and not yet used.
#[derive(Debug)]
pub(crate) struct Unread {
    bytes: Vec<u8>,
    /// When the first of them came.
    since: Moment,
}

/// Why no request was read.
#[derive(Debug)]
pub(crate) enum NoRequest {
    /// The client ended the connection between two requests.
    Ended,
    HeadTooLarge,
    BodyTooLarge,
    Broken(io::Error),
}

impl From<io::Error> for NoRequest {
    fn from(cause: io::Error) -> NoRequest {
        NoRequest::Broken(cause)
    }
}

impl Unread {
    pub(crate) fn new() -> Unread {
        Unread { bytes: Vec::new(), since: Moment::now() }
    }

    /// The next request and the moment its first byte came.
    pub(crate) async fn request(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
        (scheme, port): (Scheme, u16),
    ) -> Result<(Asked, Moment), NoRequest> {
        let head_length = self.head_length(stream).await?;
        let arrived = self.since;
        let head = self.take(head_length);
        let mut asked = read_head(head, scheme, port);
        asked.body = self.body(stream, &asked.headers).await?;
        Ok((asked, arrived))
    }

    /// Reads until the client ends the connection. What it sends meanwhile stays unread, up to
    /// the limit of a header; a client that sends more is not waited for.
    pub(crate) async fn until_gone(&mut self, stream: &mut (impl AsyncRead + Unpin)) {
        while self.bytes.len() < HEAD_LIMIT && matches!(self.more(stream).await, Ok(1..)) {}
    }

    async fn head_length(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
    ) -> Result<usize, NoRequest> {
        let mut searched = 0;
        loop {
            if let Some(length) = end_of_head(&self.bytes, searched) {
                return Ok(length);
            }
            if self.bytes.len() > HEAD_LIMIT {
                return Err(NoRequest::HeadTooLarge);
            }
            // The end may straddle two reads.
            searched = self.bytes.len().saturating_sub(3);
            match self.more(stream).await {
                Ok(1..) => {}
                // Clients that drop a kept connection do it in all three ways.
                Ok(0) if self.bytes.is_empty() => return Err(NoRequest::Ended),
                Err(cause) if self.bytes.is_empty() && is_an_end(&cause) => {
                    return Err(NoRequest::Ended);
                }
                Ok(0) => return Err(NoRequest::Broken(io::ErrorKind::UnexpectedEof.into())),
                Err(cause) => return Err(NoRequest::Broken(cause)),
            }
        }
    }

    async fn body(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
        headers: &Headers,
    ) -> Result<Vec<u8>, NoRequest> {
        if headers.get("transfer-encoding").is_some_and(|coding| coding.contains("chunked")) {
            return self.chunks(stream).await;
        }
        let length = headers.get("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
        self.exactly(stream, length).await
    }

    async fn chunks(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
    ) -> Result<Vec<u8>, NoRequest> {
        let mut body = Vec::new();
        loop {
            let line = self.line(stream).await?;
            let digits = line.split(|byte| *byte == b';').next().unwrap_or_default();
            let size = std::str::from_utf8(digits)
                .ok()
                .and_then(|digits| usize::from_str_radix(digits.trim(), 16).ok())
                .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))?;
            if size == 0 {
                while !self.line(stream).await?.trim_ascii().is_empty() {}
                return Ok(body);
            }
            if body.len().saturating_add(size) > BODY_LIMIT {
                return Err(NoRequest::BodyTooLarge);
            }
            body.extend(self.exactly(stream, size).await?);
            self.line(stream).await?;
        }
    }

    async fn line(&mut self, stream: &mut (impl AsyncRead + Unpin)) -> Result<Vec<u8>, NoRequest> {
        loop {
            if let Some(end) = self.bytes.iter().position(|byte| *byte == b'\n') {
                return Ok(self.take(end + 1));
            }
            if self.bytes.len() > HEAD_LIMIT {
                return Err(NoRequest::HeadTooLarge);
            }
            self.some(stream).await?;
        }
    }

    async fn exactly(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
        length: usize,
    ) -> Result<Vec<u8>, NoRequest> {
        if length > BODY_LIMIT {
            return Err(NoRequest::BodyTooLarge);
        }
        while self.bytes.len() < length {
            self.some(stream).await?;
        }
        Ok(self.take(length))
    }

    async fn some(&mut self, stream: &mut (impl AsyncRead + Unpin)) -> Result<(), NoRequest> {
        match self.more(stream).await? {
            0 => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
            _ => Ok(()),
        }
    }

    async fn more(&mut self, stream: &mut (impl AsyncRead + Unpin)) -> io::Result<usize> {
        let mut buffer = [0; 16 << 10];
        let count = stream.read(&mut buffer).await?;
        if self.bytes.is_empty() {
            self.since = Moment::now();
        }
        self.bytes.extend_from_slice(&buffer[..count]);
        Ok(count)
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        let rest = self.bytes.split_off(length);
        std::mem::replace(&mut self.bytes, rest)
    }
}

/// A reset, or the end of a TLS connection without saying so.
fn is_an_end(cause: &io::Error) -> bool {
    matches!(cause.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof)
}

/// Where the empty line ends that ends a header; `from` is known to hold no earlier one.
fn end_of_head(bytes: &[u8], from: usize) -> Option<usize> {
    (from..bytes.len()).find_map(|at| {
        let rest = &bytes[at..];
        let length = if rest.starts_with(b"\r\n\r\n") {
            4
        } else if rest.starts_with(b"\n\n") {
            2
        } else if rest.starts_with(b"\n\r\n") {
            3
        } else {
            return None;
        };
        Some(at + length)
    })
}

fn read_head(head: Vec<u8>, scheme: Scheme, port: u16) -> Asked {
    let text = String::from_utf8_lossy(&head).into_owned();
    let mut lines = text.lines();
    let mut words = lines.next().unwrap_or("").splitn(3, ' ').map(str::to_owned);
    let mut word = || words.next().unwrap_or_default();
    let (method, target, version) = (word(), word(), word());
    let headers: Headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim(), value.trim().as_bytes()))
        .collect();
    let host = host_of(&target).or_else(|| headers.get("host")).unwrap_or_default();
    Asked {
        scheme,
        host: without_port(&host).to_ascii_lowercase(),
        port,
        method,
        target,
        version,
        headers,
        head,
        body: Vec::new(),
        earlier: 0,
    }
}

/// The host of a target that is a whole URL, as proxies get it.
fn host_of(target: &str) -> Option<String> {
    let (_, rest) = target.split_once("://").filter(|_| !target.starts_with('/'))?;
    Some(rest.split(['/', '?']).next().unwrap_or("").to_owned())
}

fn without_port(host: &str) -> &str {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    // `[::1` is what cutting `[::1]` at its last colon must not leave behind.
    if name.starts_with('[') && !name.ends_with(']') { host } else { name.trim_end_matches('.') }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn heads() {
        #[rustfmt::skip]
        let cases = [
            // head                                            method  path   host
            ("GET /a?b HTTP/1.1\r\nHost: W.Example:8080\r\n\r\n", "GET", "/a",  "w.example"),
            ("HEAD http://p.example/x HTTP/1.1\r\nHost: other\r\n\r\n", "HEAD", "/x", "p.example"),
            ("GET / HTTP/1.1\nhost:[::1]:80\n\n",              "GET",  "/",   "[::1]"),
            ("GET / HTTP/1.1\nhost:[::1]\n\n",                 "GET",  "/",   "[::1]"),
            ("GET /r?u=http://x/y HTTP/1.1\nHost: a.\n\n",     "GET",  "/r",  "a"),
            ("nonsense\r\n\r\n",                               "nonsense", "", ""),
        ];
        for (head, method, path, host) in cases {
            let asked = read_head(head.as_bytes().to_vec(), Scheme::Http, 80);
            assert_eq!((&*asked.method, &*asked.host), (method, host), "{head}");
            assert_eq!(asked.path(), path, "{head}");
        }
    }

    #[test]
    fn parameters() {
        let head = b"GET /k?monat=3&jahr=1999 HTTP/1.1\r\n\r\n".to_vec();
        let asked = read_head(head, Scheme::Http, 80);
        assert_eq!(asked.parameter("jahr"), Some("1999"));
        assert_eq!(asked.parameter("mona"), None);
    }

    proptest! {
        #[test]
        fn any_bytes(bytes: Vec<u8>) {
            end_of_head(&bytes, 0);
            let asked = read_head(bytes, Scheme::Http, 80);
            asked.path();
            asked.parameter("a");
        }
    }
}
