//! One connection to the store, and HTTP/1.1 on it.
//!
//! Everything here blocks, with a limit on every wait: who reads the archive does so on threads, and a thread that
//! waits for a store is like one that waits for a disk. Answers are short or of a known length, so they are read whole.

use crate::settings::{DepotSettings, Endpoint};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of a header that is read.
const LARGEST_HEAD: usize = 64 << 10;
/// Header fields that are read.
const MOST_FIELDS: usize = 128;
/// An answer may take this many times the timeout in all, however steadily it trickles.
const WHOLE_ANSWER: u32 = 20;

/// Makes connections to one endpoint.
#[derive(Debug)]
pub(crate) struct Connector {
    endpoint: Endpoint,
    tls: Option<(Arc<ClientConfig>, ServerName<'static>)>,
    timeout: Duration,
}

impl Connector {
    pub(crate) fn new(endpoint: Endpoint, settings: &DepotSettings) -> io::Result<Connector> {
        let tls = match endpoint.encrypted {
            false => None,
            true => {
                let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
                for file in &settings.ca_files {
                    let unreadable = |cause| {
                        io::Error::other(format!("cannot read {}: {cause}", file.display()))
                    };
                    for authority in CertificateDer::pem_file_iter(file).map_err(unreadable)? {
                        roots.add(authority.map_err(unreadable)?).map_err(io::Error::other)?;
                    }
                }
                let provider = Arc::new(rustls::crypto::ring::default_provider());
                let config = ClientConfig::builder_with_provider(provider)
                    .with_safe_default_protocol_versions()
                    .map_err(io::Error::other)?
                    .with_root_certificates(roots)
                    .with_no_client_auth();
                let name = ServerName::try_from(endpoint.host.clone()).map_err(io::Error::other)?;
                Some((Arc::new(config), name))
            }
        };
        Ok(Connector { endpoint, tls, timeout: settings.timeout })
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Connects, trying the addresses of the host in turn.
    pub(crate) fn connect(&self) -> io::Result<Connection> {
        let host = self.endpoint.host.trim_start_matches('[').trim_end_matches(']');
        let addresses = (host, self.endpoint.port).to_socket_addrs()?;
        let mut failure = io::Error::other(format!("{host} has no address"));
        for address in addresses {
            match TcpStream::connect_timeout(&address, self.timeout) {
                Ok(stream) => return self.begin(stream),
                Err(cause) => failure = cause,
            }
        }
        Err(failure)
    }

    fn begin(&self, stream: TcpStream) -> io::Result<Connection> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(self.timeout))?;
        stream.set_write_timeout(Some(self.timeout))?;
        let stream: Box<dyn Duplex> = match &self.tls {
            None => Box::new(stream),
            Some((config, name)) => {
                let session = ClientConnection::new(config.clone(), name.clone());
                Box::new(StreamOwned::new(session.map_err(io::Error::other)?, stream))
            }
        };
        Ok(Connection { stream: BufReader::new(stream), timeout: self.timeout })
    }
}

trait Duplex: Read + Write + Send {}
impl<T: Read + Write + Send> Duplex for T {}

/// A connection that may be used for one request after another.
pub(crate) struct Connection {
    stream: BufReader<Box<dyn Duplex>>,
    timeout: Duration,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connection")
    }
}

/// The beginning of an answer.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// Names in small letters.
    pub(crate) fields: Vec<(String, String)>,
}

impl Head {
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

/// How the body of an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    Length(u64),
    Chunked,
    UntilClose,
}

impl Connection {
    /// Sends a request and reads the beginning of the answer.
    pub(crate) fn send(&mut self, head: &str, body: &[u8]) -> io::Result<Head> {
        let stream = self.stream.get_mut();
        stream.write_all(head.as_bytes()).map_err(timed_out)?;
        stream.write_all(body).map_err(timed_out)?;
        stream.flush().map_err(timed_out)?;
        loop {
            let head = self.read_head()?;
            // "Continue" and the like say nothing yet.
            if head.status >= 200 {
                return Ok(head);
            }
        }
    }

    /// Appends the body of the answer to what is there already; what came before a failure stays. Whether the
    /// connection can be used again.
    pub(crate) fn read_body(
        &mut self,
        head: &Head,
        has_body: bool,
        limit: u64,
        to: &mut Vec<u8>,
    ) -> io::Result<bool> {
        let until = Instant::now() + self.timeout * WHOLE_ANSWER;
        let closes = head.field("connection").is_some_and(|it| it.eq_ignore_ascii_case("close"));
        let framing = match (has_body, head.status) {
            (false, _) | (_, 204 | 304) => Framing::Length(0),
            _ => framing(head)?,
        };
        match framing {
            Framing::Length(length) if length > limit => return Err(too_long(limit)),
            Framing::Length(length) => self.take(length, to, until)?,
            Framing::Chunked => self.take_chunks(limit, to, until)?,
            Framing::UntilClose => {
                let before = to.len() as u64;
                while self.take_some(u64::MAX, to, until)? > 0 {
                    if to.len() as u64 - before > limit {
                        return Err(too_long(limit));
                    }
                }
            }
        }
        Ok(!closes && framing != Framing::UntilClose)
    }

    fn read_head(&mut self) -> io::Result<Head> {
        let mut raw = Vec::new();
        loop {
            let before = raw.len();
            let mut line = (&mut self.stream).take((LARGEST_HEAD - before) as u64 + 1);
            line.read_until(b'\n', &mut raw).map_err(timed_out)?;
            if raw.len() == before {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if raw.len() > LARGEST_HEAD {
                return Err(io::Error::other("the header of the answer is too long"));
            }
            if matches!(&raw[before..], b"\r\n" | b"\n") && before > 0 {
                break;
            }
        }
        let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
        let mut parsed = httparse::Response::new(&mut fields);
        let understood = parsed.parse(&raw).map_err(|cause| {
            io::Error::new(io::ErrorKind::InvalidData, format!("this is no HTTP: {cause}"))
        })?;
        let (httparse::Status::Complete(_), Some(status)) = (understood, parsed.code) else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "this is no HTTP"));
        };
        let fields = parsed
            .headers
            .iter()
            .map(|field| {
                let value = String::from_utf8_lossy(field.value).trim().to_owned();
                (field.name.to_ascii_lowercase(), value)
            })
            .collect();
        Ok(Head { status, fields })
    }

    /// Some bytes of at most this many; none at the end.
    fn take_some(&mut self, most: u64, to: &mut Vec<u8>, until: Instant) -> io::Result<usize> {
        if Instant::now() > until {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "the answer takes too long"));
        }
        let ahead = self.stream.fill_buf().map_err(timed_out)?;
        let count = ahead.len().min(usize::try_from(most).unwrap_or(usize::MAX));
        to.extend_from_slice(&ahead[..count]);
        self.stream.consume(count);
        Ok(count)
    }

    fn take(&mut self, length: u64, to: &mut Vec<u8>, until: Instant) -> io::Result<()> {
        let mut left = length;
        while left > 0 {
            match self.take_some(left, to, until)? {
                0 => return Err(cut()),
                count => left -= count as u64,
            }
        }
        Ok(())
    }

    fn take_chunks(&mut self, limit: u64, to: &mut Vec<u8>, until: Instant) -> io::Result<()> {
        let mut whole: u64 = 0;
        loop {
            let size = self.read_line()?;
            let digits = size.split(';').next().unwrap_or_default().trim();
            let size = u64::from_str_radix(digits, 16)
                .map_err(|_| io::Error::other("a chunk of the answer has no length"))?;
            whole = whole.saturating_add(size);
            if whole > limit {
                return Err(too_long(limit));
            }
            if size == 0 {
                while !self.read_line()?.is_empty() {}
                return Ok(());
            }
            self.take(size, to, until)?;
            self.read_line()?;
        }
    }

    fn read_line(&mut self) -> io::Result<String> {
        let mut line = Vec::new();
        (&mut self.stream).take(4096).read_until(b'\n', &mut line).map_err(timed_out)?;
        match line.last() {
            Some(b'\n') => Ok(String::from_utf8_lossy(&line).trim_end().to_owned()),
            _ => Err(cut()),
        }
    }
}

fn framing(head: &Head) -> io::Result<Framing> {
    if head.field("transfer-encoding").is_some_and(|it| it.eq_ignore_ascii_case("chunked")) {
        return Ok(Framing::Chunked);
    }
    match head.field("content-length").map(str::parse) {
        Some(Ok(length)) => Ok(Framing::Length(length)),
        Some(Err(_)) => Err(io::Error::other("the length of the answer cannot be read")),
        None => Ok(Framing::UntilClose),
    }
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionAborted, "the answer was cut off")
}

fn too_long(limit: u64) -> io::Error {
    io::Error::other(format!("the answer is longer than {limit} bytes"))
}

/// A socket whose time is over says that it would block.
fn timed_out(cause: io::Error) -> io::Error {
    match cause.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            io::Error::new(io::ErrorKind::TimedOut, "no byte came in time")
        }
        io::ErrorKind::UnexpectedEof => cut(),
        _ => cause,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A stream that answers the same whatever is written.
    struct Canned(Cursor<Vec<u8>>);

    impl Read for Canned {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl Write for Canned {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn answer(text: &[u8], limit: u64) -> (Option<u16>, Vec<u8>, io::Result<bool>) {
        let stream: Box<dyn Duplex> = Box::new(Canned(Cursor::new(text.to_vec())));
        let timeout = Duration::from_secs(5);
        let mut connection = Connection { stream: BufReader::new(stream), timeout };
        let mut body = Vec::new();
        match connection.send("GET / HTTP/1.1\r\n\r\n", b"") {
            Ok(head) => {
                let read = connection.read_body(&head, true, limit, &mut body);
                (Some(head.status), body, read)
            }
            Err(error) => (None, body, Err(error)),
        }
    }

    #[test]
    fn answers() {
        type Case = (&'static str, Option<u16>, &'static str, Result<bool, ()>);
        #[rustfmt::skip]
        let cases: [Case; 9] = [
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcd", Some(200), "abc", Ok(true)),
            (
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                Some(200),
                "",
                Ok(true),
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n",
                Some(200),
                "abc",
                Ok(true),
            ),
            ("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc", Some(200), "abc", Ok(false)),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", Some(200), "abc", Err(())),
            ("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nabc", Some(200), "", Err(())),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", Some(200), "", Err(())),
            ("SSH-2.0-OpenSSH\r\n\r\n", None, "", Err(())),
            ("", None, "", Err(())),
        ];
        for (text, status, body, end) in cases {
            let (found, read, result) = answer(text.as_bytes(), 100);
            assert_eq!(found, status, "{text:?}");
            assert_eq!(read, body.as_bytes(), "{text:?}");
            assert_eq!(result.map_err(|_| ()), end, "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(0u8..=255, 0..600)) {
            let mut text = b"HTTP/1.1 200 OK\r\n".to_vec();
            text.extend(&bytes);
            let (_, body, _) = answer(&text, 64);
            proptest::prop_assert!(body.len() <= 600);
            let _ = answer(&bytes, 64);
        }
    }
}
