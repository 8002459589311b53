//! What can be set about the network, with the limits of one exchange.

use auslese_model::{HostName, Origin, Scheme};
use data_encoding::BASE64;
use ipnet::IpNet;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

/// The table `[net]` of the configuration.
#[derive(Debug, Clone)]
pub struct NetSettings {
    /// Name servers to ask; empty: those of the system.
    pub dns: Vec<SocketAddr>,
    /// Which socket is really dialled for a resolved address; the first entry that fits counts.
    pub connect_to: Vec<ConnectTo>,
    /// Refuse every address without a `connect_to` entry (default deny).
    pub only_mapped: bool,
    /// Let the guard pass loopback, private, link-local, unique-local and carrier addresses.
    /// Metadata services, multicast and reserved addresses stay refused unless in `allow`.
    pub allow_private: bool,
    /// Nets the guard lets pass whatever they are.
    pub allow: Vec<IpNet>,
    /// `http://[user:password@]host[:port]`; see [`crate::guard`] on what that means for the guard.
    pub proxy: Option<Url>,
    /// PEM files with certificates of authorities to trust besides the built-in ones.
    pub ca_files: Vec<PathBuf>,
    pub certificates: Certificates,
    /// What is shown to hosts that are open to some only.
    pub credentials: Vec<Credential>,
    /// Sent as `User-Agent`.
    pub user_agent: String,
    /// A mail address, sent as `From`.
    pub contact: Option<String>,
    /// Sent as `Accept`.
    pub accept: String,
    /// Sent as `Accept-Encoding`; only codings that [`crate::decode_content`] reads make sense.
    pub accept_encoding: String,
    pub limits: Limits,
    /// Where bodies beyond `memory_bytes` go, as nameless files.
    pub spill_dir: PathBuf,
}

/// What is shown to one host. It is sent and never kept: neither the archive nor a log has it.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    pub host: HostName,
    /// The value of the header line `Authorization`.
    pub authorization: String,
    /// Whether it is shown without encryption, too.
    pub over_http: bool,
}

impl Credential {
    /// A token.
    pub fn bearer(host: HostName, token: &str) -> Credential {
        Credential { host, authorization: format!("Bearer {token}"), over_http: false }
    }

    /// A name and a password.
    pub fn basic(host: HostName, user: &str, password: &str) -> Credential {
        let both = BASE64.encode(format!("{user}:{password}").as_bytes());
        Credential { host, authorization: format!("Basic {both}"), over_http: false }
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Credential { host, over_http, .. } = self;
        f.debug_struct("Credential").field("host", host).field("over_http", over_http).finish()
    }
}

impl NetSettings {
    /// What a request shows to its host.
    pub(crate) fn credential(&self, origin: &Origin) -> Option<&str> {
        let fits = |it: &&Credential| {
            it.host == origin.host && (it.over_http || origin.scheme == Scheme::Https)
        };
        self.credentials.iter().find(fits).map(|it| it.authorization.as_str())
    }
}

impl Default for NetSettings {
    fn default() -> NetSettings {
        NetSettings {
            dns: Vec::new(),
            connect_to: Vec::new(),
            only_mapped: false,
            allow_private: false,
            allow: Vec::new(),
            proxy: None,
            ca_files: Vec::new(),
            certificates: Certificates::default(),
            credentials: Vec::new(),
            user_agent: concat!("auslese/", env!("CARGO_PKG_VERSION")).to_owned(),
            contact: None,
            accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8".to_owned(),
            accept_encoding: "gzip".to_owned(),
            limits: Limits::default(),
            spill_dir: std::env::temp_dir(),
        }
    }
}

/// Sends what is meant for resolved addresses to another socket, like curl's `--connect-to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConnectTo {
    pub addresses: IpNet,
    /// Only this port of the URL; `None`: every port.
    pub port: Option<u16>,
    pub to: SocketAddr,
}

/// What a broken, expired or foreign certificate means.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Certificates {
    /// Fetch all the same and note the fault: an archive wants the page.
    #[default]
    Note,
    /// Fail with [`auslese_model::CauseKind::Certificate`].
    Refuse,
}

/// How long and how much; every field is a setting of the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Time to resolve a name: 10 s.
    pub resolve: Duration,
    /// Time to connect to one address: 10 s.
    pub connect: Duration,
    /// Time for the TLS handshake, and for the `CONNECT` of a proxy: 10 s.
    pub tls: Duration,
    /// Time from the sent request to the complete response header: 30 s.
    pub header: Duration,
    /// Longest silence while a body arrives: 30 s.
    pub idle: Duration,
    /// Time for a whole fetch, from resolving to the last byte: 20 min.
    pub total: Duration,
    /// Bytes per second a body must bring in each span of `grace`: 256. Zero: any rate will do.
    pub min_rate: u64,
    /// The span over which `min_rate` is measured; no body is too slow before it has passed: 30 s.
    pub grace: Duration,
    /// Size of the response header, interim (1xx) responses included: 256 KiB.
    pub header_bytes: usize,
    /// Size of a body as received, framing included; longer ones are cut: 256 MiB.
    pub body_bytes: u64,
    /// How much of a body stays in memory before it moves to a file: 1 MiB.
    pub memory_bytes: usize,
    /// How long an unused connection is kept for the next request: 30 s.
    pub keep_alive: Duration,
    /// Connections in use at a time per origin; also how many unused ones are kept: 6.
    pub connections_per_origin: usize,
    /// Unused connections kept in all: 512.
    pub idle_connections: usize,
    /// Addresses of one name that are tried until one connects: 4.
    pub addresses_tried: usize,
    /// Names resolved at a time; others wait: 128.
    pub lookups: usize,
    /// Shortest time an answer of the DNS is believed, whatever its TTL: 60 s.
    pub ttl_min: Duration,
    /// Longest time an answer of the DNS is believed, whatever its TTL: 24 h.
    pub ttl_max: Duration,
    /// How long a failed resolution (no answer, server failure) is not tried again: 30 s.
    pub ttl_failed: Duration,
    /// Names whose answers are kept: 100,000.
    pub names_cached: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            resolve: Duration::from_secs(10),
            connect: Duration::from_secs(10),
            tls: Duration::from_secs(10),
            header: Duration::from_secs(30),
            idle: Duration::from_secs(30),
            total: Duration::from_secs(20 * 60),
            min_rate: 256,
            grace: Duration::from_secs(30),
            header_bytes: 256 << 10,
            body_bytes: 256 << 20,
            memory_bytes: 1 << 20,
            keep_alive: Duration::from_secs(30),
            connections_per_origin: 6,
            idle_connections: 512,
            addresses_tried: 4,
            lookups: 128,
            ttl_min: Duration::from_secs(60),
            ttl_max: Duration::from_secs(24 * 60 * 60),
            ttl_failed: Duration::from_secs(30),
            names_cached: 100_000,
        }
    }
}
