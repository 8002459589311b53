//! Speaks to an HTTP proxy: absolute-form requests for `http`, a `CONNECT` tunnel for `https`.
//!
//! The credentials are sent to the proxy but never kept: they have no place in an archive.

use crate::connection::{Connection, Filled};
use crate::error::NetError;
use crate::head::{self, Extent, Search};
use auslese_model::{Cause, CauseKind, HostName, Origin};
use tokio::net::TcpStream;
use tokio::time::Instant;
use url::Url;

/// Longest answer of a proxy to `CONNECT`.
const ANSWER_BYTES: usize = 64 << 10;

#[derive(Debug, Clone)]
pub(crate) struct Proxy {
    pub(crate) host: HostName,
    pub(crate) port: u16,
    /// A `Proxy-Authorization` line with its line end, or nothing.
    pub(crate) authorization: String,
}

impl Proxy {
    pub(crate) fn new(url: &Url) -> Result<Proxy, NetError> {
        let mut shown = url.clone();
        // A password must not end up in an error message; both fail only for URLs without a host.
        let _ = shown.set_username("");
        let _ = shown.set_password(None);
        let refused = |reason| NetError::Proxy { url: shown.to_string(), reason };
        if url.scheme() != "http" {
            return Err(refused("only http proxies are known"));
        }
        let origin = Origin::of(url).ok_or_else(|| refused("it has no host"))?;
        let credentials = || {
            let user = percent_decoded(url.username());
            let password = percent_decoded(url.password().unwrap_or(""));
            data_encoding::BASE64.encode(&[user, password].join(&b':'))
        };
        let authorization = match url.username() {
            "" => String::new(),
            _ => format!("Proxy-Authorization: Basic {}\r\n", credentials()),
        };
        Ok(Proxy { host: origin.host, port: origin.port, authorization })
    }

    /// Asks the proxy for a tunnel and hands back the stream when it stands.
    pub(crate) async fn tunnel(
        &self,
        stream: Connection,
        target: &Origin,
        until: Instant,
    ) -> Result<TcpStream, Cause> {
        let mut stream = stream;
        let authority = format!("{}:{}", target.host, target.port);
        let request = format!(
            "CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{}\r\n",
            self.authorization
        );
        match stream.send(request.as_bytes(), until).await {
            Filled::Bytes(_) => {}
            other => return Err(failed(&other)),
        }
        let end = self.answer(&mut stream, until).await?;
        stream.consume(end);
        stream
            .into_plain_stream()
            .ok_or_else(|| Cause::new(CauseKind::Proxy, "it sent more than an answer to CONNECT"))
    }

    async fn answer(&self, stream: &mut Connection, until: Instant) -> Result<usize, Cause> {
        let mut search = Search::default();
        loop {
            match head::extent(stream.unread(), &mut search) {
                Extent::Complete { start, end } => {
                    let status = head::parse(&stream.unread()[start..end]).map(|head| head.status);
                    return match status {
                        Some(200..=299) => Ok(end),
                        Some(status) => Err(Cause::new(
                            CauseKind::Proxy,
                            format!("it answered {status} to CONNECT"),
                        )),
                        None => Err(Cause::new(CauseKind::Proxy, "its answer is not HTTP")),
                    };
                }
                Extent::Foreign => {
                    return Err(Cause::new(CauseKind::Proxy, "its answer is not HTTP"));
                }
                Extent::Partial if stream.unread().len() > ANSWER_BYTES => {
                    return Err(Cause::new(CauseKind::Proxy, "its answer has no end"));
                }
                Extent::Partial => {}
            }
            match stream.fill(until).await {
                Filled::Bytes(_) => {}
                other => return Err(failed(&other)),
            }
        }
    }
}

fn failed(filled: &Filled) -> Cause {
    let detail = match filled {
        Filled::Failed(error) => error.to_string(),
        Filled::TimedOut => "it did not answer to CONNECT in time".to_owned(),
        _ => "it closed the connection instead of an answer to CONNECT".to_owned(),
    };
    Cause::new(CauseKind::Proxy, detail)
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        let hex = bytes.get(index + 1..index + 3).filter(|_| bytes[index] == b'%');
        let hex = hex.and_then(|digits| std::str::from_utf8(digits).ok());
        match hex.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                index += 3;
            }
            None => {
                decoded.push(bytes[index]);
                index += 1;
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings() {
        let proxy = |text: &str| Proxy::new(&text.parse().unwrap());
        let plain = proxy("http://proxy.example:3128/").unwrap();
        assert_eq!((plain.host.as_str(), plain.port), ("proxy.example", 3128));
        assert_eq!(plain.authorization, "");
        let named = proxy("http://us%40er:pa%3Ass@proxy.example").unwrap();
        assert_eq!(named.port, 80);
        assert_eq!(named.authorization, "Proxy-Authorization: Basic dXNAZXI6cGE6c3M=\r\n");
        let refused = proxy("https://user:secret@proxy.example/").unwrap_err().to_string();
        assert!(!refused.contains("secret"), "{refused}");
        assert!(proxy("socks5://proxy.example").is_err());
    }
}
