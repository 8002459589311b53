//! Finds the addresses of a name, once, for everyone who asks.
//!
//! IPv4 comes before IPv6. An answer is believed for its TTL, within bounds; "no such name" is an
//! answer too and kept likewise, while a failure to get one is forgotten soon. Whoever asks while
//! a name is being resolved waits for that one answer. What comes out has passed the guard.
//!
//! `localhost` is loopback without asking, and meets the guard like any other name; the resolver
//! library denies `invalid` and `onion` names by itself (RFC 6761, RFC 7686). Names are always
//! asked for as absolute names: a search list would turn a dead link into a foreign host.

use crate::guard::{self, GuardVerdict};
use crate::settings::{Limits, NetSettings};
use auslese_model::{Cause, CauseKind, HostName, Timestamp};
use hickory_resolver::TokioResolver;
use hickory_resolver::config::{
    ConnectionConfig, NameServerConfig, ResolveHosts, ResolverConfig, ResolverOpts,
};
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use hickory_resolver::proto::rr::{Name, RData};
use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OnceCell, Semaphore};
use tokio::time::{Instant, timeout};

/// How long an answer for IPv6 is waited for when IPv4 is already there: some name servers never
/// answer such questions.
const SECOND_ANSWER: Duration = Duration::from_secs(1);
/// The TTL of a negative answer that names none.
pub(crate) const NEGATIVE_TTL: Duration = Duration::from_secs(300);
/// Attempts within the limit `resolve`.
const ATTEMPTS: usize = 2;

/// The addresses of a name, and where they are from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    pub host: HostName,
    /// What the guard let pass, IPv4 first; never empty.
    pub addresses: Vec<IpAddr>,
    /// What the guard refused.
    pub refused: Vec<GuardVerdict>,
    /// The answer of the DNS; empty if none was asked (the host is an address).
    pub records: Vec<DnsRecord>,
    pub at: Timestamp,
    /// How long it is believed.
    pub ttl: Duration,
}

impl Resolution {
    /// The text of a `dns:` record: the date in 14 digits and the answer in the form of a zone
    /// file (RFC 4027, RFC 4501); `None` if the DNS was not asked.
    pub fn dns_text(&self) -> Option<String> {
        let lines = self.records.iter().map(|record| format!("{record}\n")).collect::<String>();
        (!lines.is_empty()).then(|| format!("{}\n{lines}", self.at.digits14()))
    }
}

/// One record of an answer, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnsRecord {
    pub name: String,
    pub ttl: u32,
    /// Such as `A` or `MX`.
    pub kind: String,
    pub data: String,
}

impl fmt::Display for DnsRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\tIN\t{}\t{}", self.name, self.ttl, self.kind, self.data)
    }
}

pub(crate) type Resolved = Result<Arc<Resolution>, Cause>;

pub(crate) struct Resolver {
    pub(crate) client: Result<TokioResolver, String>,
    pub(crate) lookups: Semaphore,
    cache: Mutex<HashMap<HostName, Arc<OnceCell<Cached>>>>,
    /// The proxy's addresses, and until when they hold.
    proxy: Mutex<Option<(Vec<IpAddr>, Instant)>>,
    names_cached: usize,
}

/// An answer with the time it is good for.
struct Cached {
    resolved: Resolved,
    until: Instant,
}

impl Resolver {
    pub(crate) fn new(settings: &NetSettings) -> Resolver {
        Resolver {
            client: client(settings),
            lookups: Semaphore::new(settings.limits.lookups.max(1)),
            cache: Mutex::new(HashMap::new()),
            proxy: Mutex::new(None),
            names_cached: settings.limits.names_cached,
        }
    }

    /// Resolves and judges. Answers are cached after the guard, whose settings never change.
    pub(crate) async fn resolve(&self, host: &HostName, settings: &NetSettings) -> Resolved {
        if let Some(address) = host.address() {
            let found = Found { addresses: vec![address], records: Vec::new(), ttl: None };
            return judged(host, found, Duration::MAX, settings);
        }
        let cell = self.cell(host);
        let cached = cell.get_or_init(|| self.ask_and_judge(host, settings)).await;
        cached.resolved.clone()
    }

    /// The addresses of the proxy, which the guard does not judge; so they have a place of their
    /// own, apart from the names that it did judge.
    pub(crate) async fn proxy_addresses(
        &self,
        host: &HostName,
        limits: &Limits,
    ) -> Result<Vec<IpAddr>, Cause> {
        if let Some(address) = host.address() {
            return Ok(vec![address]);
        }
        let known = self.proxy.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((addresses, until)) = known
            && until > Instant::now()
        {
            return Ok(addresses);
        }
        let found = self.ask(host, limits).await.map_err(|miss| miss.cause)?;
        let ttl = bounded(found.ttl.unwrap_or(limits.ttl_max), limits);
        let until = Instant::now() + ttl.min(FOREVER);
        *self.proxy.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((found.addresses.clone(), until));
        Ok(found.addresses)
    }

    /// The place of a name in the cache; a stale answer is thrown away here.
    fn cell(&self, host: &HostName) -> Arc<OnceCell<Cached>> {
        let now = Instant::now();
        let fresh = |cell: &OnceCell<Cached>| cell.get().is_none_or(|cached| cached.until > now);
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cell) = cache.get(host).filter(|cell| fresh(cell)) {
            return cell.clone();
        }
        if cache.len() >= self.names_cached {
            cache.retain(|_, cell| fresh(cell));
        }
        if cache.len() >= self.names_cached {
            cache.clear();
        }
        let cell = Arc::new(OnceCell::new());
        cache.insert(host.clone(), cell.clone());
        cell
    }

    async fn ask_and_judge(&self, host: &HostName, settings: &NetSettings) -> Cached {
        let limits = &settings.limits;
        let (resolved, ttl) = match self.ask(host, limits).await {
            Ok(found) => {
                let ttl = bounded(found.ttl.unwrap_or(limits.ttl_max), limits);
                (judged(host, found, ttl, settings), ttl)
            }
            Err(Miss { cause, ttl: Some(ttl) }) => (Err(cause), bounded(ttl, limits)),
            Err(Miss { cause, ttl: None }) => (Err(cause), limits.ttl_failed),
        };
        Cached { resolved, until: Instant::now() + ttl.min(FOREVER) }
    }

    async fn ask(&self, host: &HostName, limits: &Limits) -> Result<Found, Miss> {
        if host.is_within("localhost") {
            return Ok(Found::loopback());
        }
        let client = self.client.as_ref().map_err(|error| Miss::failed(error.clone()))?;
        let name = Name::from_ascii(format!("{host}.")).map_err(|_| {
            Miss::absent(format!("{host} cannot be a name in the DNS"), NEGATIVE_TTL)
        })?;
        let _turn = self.lookups.acquire().await.expect("the semaphore is never closed");
        let both = async {
            let (six, six_name) = (client.clone(), name.clone());
            let six = tokio::spawn(async move { six.ipv6_lookup(six_name).await });
            let four = client.ipv4_lookup(name).await;
            let patience = if four.is_ok() { SECOND_ANSWER } else { limits.resolve };
            let six = match timeout(patience, six).await {
                Ok(Ok(six)) => six,
                _ => Err(NetError::Timeout),
            };
            (four, six)
        };
        match timeout(limits.resolve, both).await {
            Ok((four, six)) => gather(four, six),
            Err(_) => Err(Miss::failed(format!("no answer within {:?}", limits.resolve))),
        }
    }
}

/// Longer than any process runs; keeps sums of times in range.
const FOREVER: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

pub(crate) fn bounded(ttl: Duration, limits: &Limits) -> Duration {
    ttl.min(limits.ttl_max).max(limits.ttl_min)
}

/// What the DNS said.
struct Found {
    addresses: Vec<IpAddr>,
    records: Vec<DnsRecord>,
    ttl: Option<Duration>,
}

impl Found {
    /// What `localhost` and the names below it are, whoever is asked (RFC 6761).
    fn loopback() -> Found {
        let addresses = vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
        Found { addresses, records: Vec::new(), ttl: None }
    }
}

/// Why there is no address: a final answer has a TTL, a failure has none.
pub(crate) struct Miss {
    pub(crate) cause: Cause,
    ttl: Option<Duration>,
}

impl Miss {
    pub(crate) fn failed(detail: String) -> Miss {
        Miss { cause: Cause::new(CauseKind::Dns, detail), ttl: None }
    }

    pub(crate) fn absent(detail: String, ttl: Duration) -> Miss {
        Miss { cause: Cause::new(CauseKind::NoSuchName, detail), ttl: Some(ttl) }
    }
}

fn gather(four: Result<Lookup, NetError>, six: Result<Lookup, NetError>) -> Result<Found, Miss> {
    let mut found = Found { addresses: Vec::new(), records: Vec::new(), ttl: None };
    for lookup in [&four, &six].into_iter().flatten() {
        for record in lookup.answers() {
            match &record.data {
                RData::A(address) => found.addresses.push(IpAddr::V4(address.0)),
                RData::AAAA(address) => found.addresses.push(IpAddr::V6(address.0)),
                RData::CNAME(_) => {}
                _ => continue,
            }
            let ttl = Duration::from_secs(record.ttl.into());
            found.ttl = Some(found.ttl.map_or(ttl, |known| known.min(ttl)));
            let is_alias = matches!(record.data, RData::CNAME(_));
            let record = DnsRecord {
                name: record.name.to_string(),
                ttl: record.ttl,
                kind: record.record_type().to_string(),
                data: record.data.to_string(),
            };
            // Both answers repeat the chain of aliases.
            if !is_alias || !found.records.contains(&record) {
                found.records.push(record);
            }
        }
    }
    match found.addresses.is_empty() {
        false => Ok(found),
        true => Err(miss(four.err(), six.err())),
    }
}

/// One "does not exist" settles it; otherwise a failure on either side leaves it open.
fn miss(four: Option<NetError>, six: Option<NetError>) -> Miss {
    let mut open = None;
    let mut no_address = NEGATIVE_TTL;
    for error in [four, six].into_iter().flatten() {
        match &error {
            NetError::Dns(DnsError::NoRecordsFound(none)) => {
                let ttl = none.negative_ttl.map(|ttl| Duration::from_secs(ttl.into()));
                let ttl = ttl.unwrap_or(NEGATIVE_TTL);
                if none.response_code == ResponseCode::NXDomain {
                    return Miss::absent(String::new(), ttl);
                }
                no_address = no_address.min(ttl);
            }
            error => open = Some(error.to_string()),
        }
    }
    match open {
        Some(error) => Miss::failed(error),
        None => Miss::absent("it exists, but has no address".to_owned(), no_address),
    }
}

fn judged(host: &HostName, found: Found, ttl: Duration, settings: &NetSettings) -> Resolved {
    let verdicts = found.addresses.iter().map(|address| guard::judge(*address, settings));
    let (allowed, refused): (Vec<_>, Vec<_>) = verdicts.partition(GuardVerdict::is_allowed);
    if allowed.is_empty() {
        let words: Vec<String> = refused.iter().map(ToString::to_string).collect();
        return Err(Cause::new(CauseKind::Guarded, words.join("; ")));
    }
    Ok(Arc::new(Resolution {
        host: host.clone(),
        addresses: allowed.iter().map(GuardVerdict::address).collect(),
        refused,
        records: found.records,
        at: Timestamp::now(),
        ttl,
    }))
}

/// The DNS client. A machine without name servers can still fetch by address, so a failure here
/// shows only when a name is asked for.
fn client(settings: &NetSettings) -> Result<TokioResolver, String> {
    let provider = TokioRuntimeProvider::default();
    let mut builder = if settings.dns.is_empty() {
        TokioResolver::builder_tokio().map_err(|error| format!("no name server: {error}"))?
    } else {
        let servers = settings.dns.iter().map(|server| name_server(*server)).collect();
        TokioResolver::builder_with_config(ResolverConfig::from_name_servers(servers), provider)
    };
    adjust(builder.options_mut(), settings);
    builder.build().map_err(|error| error.to_string())
}

fn name_server(server: SocketAddr) -> NameServerConfig {
    let (mut udp, mut tcp) = (ConnectionConfig::udp(), ConnectionConfig::tcp());
    udp.port = server.port();
    tcp.port = server.port();
    NameServerConfig::new(server.ip(), true, vec![udp, tcp])
}

fn adjust(options: &mut ResolverOpts, settings: &NetSettings) {
    // Ours is the only cache, so that its bounds hold.
    options.cache_size = 0;
    options.attempts = ATTEMPTS;
    let share = u32::try_from(ATTEMPTS).unwrap_or(u32::MAX);
    options.timeout = settings.limits.resolve / share;
    options.try_tcp_on_error = true;
    // Two questions per name; beyond its own limit the library fails instead of waiting.
    options.max_active_requests = settings.limits.lookups.max(1).saturating_mul(4);
    if !settings.dns.is_empty() {
        options.use_hosts_file = ResolveHosts::Never;
    }
}
