//! One request and its response, as they were on the wire.

use crate::{Cause, Headers, Request, Timestamp};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::net::IpAddr;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::time::Duration;

/// What was sent and what came back.
#[derive(Debug, Clone)]
pub struct Exchange {
    pub request: Request,
    /// The request as sent: request line, header lines, empty line, body.
    pub sent: Vec<u8>,
    /// When the request was sent.
    pub started: Timestamp,
    pub timings: Timings,
    /// The address the name resolved to (not a `connect_to` target); none behind a proxy.
    pub address: Option<IpAddr>,
    pub tls: Option<TlsNote>,
    pub response: Response,
}

/// How long each step took. A step that did not happen (a reused connection) is zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Timings {
    pub resolve: Duration,
    pub connect: Duration,
    pub tls: Duration,
    /// From the sending of the request to the first byte of the response.
    pub first_byte: Duration,
    /// From the sending of the request to the end of the response.
    pub total: Duration,
}

/// How the connection was secured, and what was wrong with the certificate if anything was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsNote {
    pub protocol: String,
    pub cipher: String,
    pub problem: Option<String>,
}

/// The version as the status line says it, such as `HTTP/1.1`; nonsense is kept as sent.
pub type VersionText = String;

/// A response: its header block and its body, raw, and what could be read in them.
#[derive(Debug, Clone)]
pub struct Response {
    pub version: VersionText,
    pub status: u16,
    /// The status line and header lines with the empty line that ends them, byte for byte.
    pub head: Vec<u8>,
    pub headers: Headers,
    /// The body as it was on the wire, chunk framing and trailers included.
    pub body: Body,
    /// The body with the transfer coding removed, where that differs from `body`.
    pub decoded: Option<Body>,
    pub truncated: Option<Truncation>,
    /// Why the body was not wanted, if a hook stopped it after the header.
    pub stopped: Option<String>,
    pub oddities: Vec<Oddity>,
}

impl Response {
    /// The body without transfer coding; a content coding such as gzip is still on.
    pub fn payload(&self) -> &Body {
        self.decoded.as_ref().unwrap_or(&self.body)
    }

    /// The media type without parameters, in lower case.
    pub fn media_type(&self) -> Option<String> {
        let value = self.headers.get("content-type")?;
        let essence = value.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        (!essence.is_empty()).then_some(essence)
    }

    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }
}

/// Why a body ends early, in WARC's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Truncation {
    /// The size limit was reached.
    Length,
    /// The time limit was reached.
    Time,
    /// The connection ended before the body did.
    Disconnect,
    Unspecified,
}

impl Truncation {
    pub fn as_str(self) -> &'static str {
        match self {
            Truncation::Length => "length",
            Truncation::Time => "time",
            Truncation::Disconnect => "disconnect",
            Truncation::Unspecified => "unspecified",
        }
    }

    pub fn parse(text: &str) -> Option<Truncation> {
        [Truncation::Length, Truncation::Time, Truncation::Disconnect, Truncation::Unspecified]
            .into_iter()
            .find(|truncation| truncation.as_str() == text)
    }
}

/// Something that breaks a rule but did not stop us: kept, counted, never an error.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Oddity {
    /// A fixed word to group by, such as `bad-header-line`.
    pub kind: String,
    pub detail: String,
}

impl Oddity {
    pub fn new(kind: impl Into<String>, detail: impl Into<String>) -> Oddity {
        Oddity { kind: kind.into(), detail: detail.into() }
    }
}

/// The bytes of a body: in memory while small, otherwise in a nameless file that disappears with
/// the last handle, also when the process is killed.
#[derive(Debug, Clone)]
pub enum Body {
    Memory(Vec<u8>),
    Spilled { file: Arc<File>, len: u64 },
}

impl Body {
    pub fn empty() -> Body {
        Body::Memory(Vec::new())
    }

    pub fn len(&self) -> u64 {
        match self {
            Body::Memory(bytes) => bytes.len() as u64,
            Body::Spilled { len, .. } => *len,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads the body from its beginning; any number of readers may be open.
    pub fn reader(&self) -> BodyReader<'_> {
        BodyReader { body: self, position: 0 }
    }

    /// At most `limit` bytes from the beginning.
    pub fn prefix(&self, limit: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.reader().take(limit as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Reads a [`Body`] in order.
#[derive(Debug)]
pub struct BodyReader<'a> {
    body: &'a Body,
    position: u64,
}

impl Read for BodyReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match self.body {
            Body::Memory(bytes) => {
                let start = usize::try_from(self.position).unwrap_or(bytes.len()).min(bytes.len());
                (&bytes[start..]).read(buffer)?
            }
            Body::Spilled { file, len } => {
                let left = usize::try_from(len - self.position).unwrap_or(usize::MAX);
                let wanted = buffer.len().min(left);
                file.read_at(&mut buffer[..wanted], self.position)?
            }
        };
        self.position += count as u64;
        Ok(count)
    }
}

/// What a fetch ends with: an exchange, or the cause why there is none.
pub type Fetched = Result<Box<Exchange>, Cause>;

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn both_kinds_of_body_read_alike() {
        let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        let path = std::env::temp_dir().join(format!("auslese-body-{}", std::process::id()));
        let mut file = File::options().read(true).write(true).create_new(true).open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        file.write_all(&bytes).unwrap();
        let spilled = Body::Spilled { file: Arc::new(file), len: bytes.len() as u64 };
        for body in [Body::Memory(bytes.clone()), spilled] {
            assert_eq!(body.prefix(usize::MAX).unwrap(), bytes);
            assert_eq!(body.prefix(10).unwrap(), bytes[..10]);
            assert_eq!(body.len(), 100_000);
        }
    }
}
