//! How a store is reached, with its limits and their defaults.

use crate::error::DepotError;
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

/// How a store is reached. Which bucket is meant stands in the address.
#[derive(Debug, Clone, PartialEq)]
pub struct DepotSettings {
    /// Where the store is; without one, that of Amazon for the region.
    pub endpoint: Option<Url>,
    pub region: String,
    /// Whether the bucket stands in the path and not in the host name.
    pub path_style: bool,
    /// Whether an endpoint without encryption may be used.
    pub plain_http: bool,
    /// Whether the store is asked to write only what is not there yet (`If-None-Match: *`).
    pub conditional: bool,
    pub credentials_file: Option<PathBuf>,
    /// Certificate authorities besides the public ones.
    pub ca_files: Vec<PathBuf>,
    /// How long is waited for a connection, and for the next bytes.
    pub timeout: Duration,
    /// How often a request is sent before it counts as failed.
    pub attempts: u32,
    /// Bytes of one part of an upload. Smaller files are stored at once.
    pub part: u64,
    /// Bytes of one block that is read from the store.
    pub block: u64,
    /// Bytes of blocks that are kept in memory for all readers together.
    pub memory: u64,
}

/// The smallest part that the protocol allows.
pub const SMALLEST_PART: u64 = 5 << 20;
/// The most parts that an upload may have.
pub(crate) const MOST_PARTS: u64 = 10_000;

impl Default for DepotSettings {
    fn default() -> DepotSettings {
        DepotSettings {
            endpoint: None,
            region: "us-east-1".to_owned(),
            path_style: false,
            plain_http: false,
            conditional: true,
            credentials_file: None,
            ca_files: Vec::new(),
            timeout: Duration::from_secs(30),
            attempts: 6,
            part: 16 << 20,
            block: 256 << 10,
            memory: 64 << 20,
        }
    }
}

/// Where requests for one bucket go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoint {
    pub(crate) encrypted: bool,
    /// The name to connect to and to check certificates against.
    pub(crate) host: String,
    pub(crate) port: u16,
    /// What the request says as its host.
    pub(crate) authority: String,
    /// What stands before the key, with a slash at its end.
    pub(crate) base: String,
}

impl DepotSettings {
    pub(crate) fn endpoint_of(&self, bucket: &str) -> Result<Endpoint, DepotError> {
        let wrong = |why: String| DepotError::Settings { why };
        let url = match &self.endpoint {
            Some(url) => url.clone(),
            None => Url::parse(&format!("https://s3.{}.amazonaws.com", self.region))
                .map_err(|_| wrong(format!("the region {:?} is no name", self.region)))?,
        };
        let encrypted = match url.scheme() {
            "https" => true,
            "http" if self.plain_http => false,
            "http" => {
                return Err(wrong(format!(
                    "{url} is not encrypted; set archive.store.plain_http = true if that is meant"
                )));
            }
            scheme => return Err(wrong(format!("the endpoint has the scheme {scheme}"))),
        };
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.ok_or_else(|| wrong(format!("the endpoint {url} has no host")))?;
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(wrong("an endpoint is a scheme, a host and a port".to_owned()));
        }
        let port = url.port_or_known_default().unwrap_or(443);
        let host = match self.path_style {
            true => host.to_owned(),
            false => format!("{bucket}.{host}"),
        };
        let authority = match url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.clone(),
        };
        let path = url.path().trim_end_matches('/');
        let base = if self.path_style { format!("{path}/{bucket}/") } else { format!("{path}/") };
        Ok(Endpoint { encrypted, host, port, authority, base })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints() {
        #[rustfmt::skip]
        let cases = [
            // endpoint                    path style   plain    authority                              base
            (None,                         false,       false,   Ok(("b1.s3.us-east-1.amazonaws.com",    "/"))),
            (Some("https://s3.uni.example"), true,      false,   Ok(("s3.uni.example",                   "/b1/"))),
            (Some("https://s3.uni.example/gate/"), true, false,  Ok(("s3.uni.example",                   "/gate/b1/"))),
            (Some("http://127.0.0.1:9000"), true,       true,    Ok(("127.0.0.1:9000",                   "/b1/"))),
            (Some("http://127.0.0.1:9000"), true,       false,   Err("plain_http")),
            (Some("ftp://s3.uni.example"), true,        false,   Err("scheme")),
            (Some("https://me:pw@s3.uni.example"), true, false,  Err("a host and a port")),
        ];
        for (endpoint, path_style, plain_http, expected) in cases {
            let endpoint = endpoint.map(|text| Url::parse(text).unwrap());
            let settings =
                DepotSettings { endpoint, path_style, plain_http, ..DepotSettings::default() };
            match (settings.endpoint_of("b1"), expected) {
                (Ok(found), Ok((authority, base))) => {
                    assert_eq!((found.authority.as_str(), found.base.as_str()), (authority, base));
                }
                (Err(error), Err(words)) => assert!(error.to_string().contains(words), "{error}"),
                (found, expected) => panic!("{found:?} instead of {expected:?}"),
            }
        }
    }
}
