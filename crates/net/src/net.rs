//! The door to the world: resolves and fetches; and for discovery asks for records, certificates and
//! bare answers.

use crate::certificate::{Certificate, CertificateOf};
use crate::compose::{Composed, Composer, TargetForm};
use crate::connection::{Connection, Stream};
use crate::converse::{Conversation, ConverseLimits, converse};
use crate::dial::{connect, connect_any, dial, late};
use crate::error::NetError;
use crate::guard::{self, Admitted};
use crate::perform::{BodyHook, Failure, Order, Performed, perform};
use crate::pool::{Permit, Pool};
use crate::proxy::Proxy;
use crate::records::{RecordKind, Records};
use crate::resolve::{Resolution, Resolver};
use crate::settings::NetSettings;
use crate::tls::Tls;
use auslese_model::{
    Cause, CauseKind, Exchange, Fetched, Headers, HostName, Method, Origin, Request, Scheme,
    Timings,
};
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

/// The network, as set up by [`NetSettings`]. Clones share connections and cached names.
#[derive(Clone)]
pub struct Net {
    shared: Arc<Shared>,
}

struct Shared {
    settings: NetSettings,
    spill_dir: Arc<PathBuf>,
    composer: Composer,
    proxy: Option<Proxy>,
    resolver: Resolver,
    tls: Tls,
    pool: Arc<Pool>,
    permission: OnceLock<SendPermission>,
}

/// Says whether a request may be sent just now.
pub type SendPermission = Arc<dyn Fn(&Request) -> bool + Send + Sync>;

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Net").field("settings", &self.shared.settings).finish_non_exhaustive()
    }
}

impl Net {
    /// What a request ends with that was not sent because the permission was missing.
    pub const NOT_PERMITTED: &str = "it was not permitted to be sent any more";

    /// Asks for permission in the last moment before each request is sent; it can be set once.
    pub fn send_only_if(&self, permission: SendPermission) {
        // A second one would be a mistake of the caller, and the first holds.
        let _ = self.shared.permission.set(permission);
    }

    pub fn new(settings: NetSettings) -> Result<Net, NetError> {
        let proxy = settings.proxy.as_ref().map(Proxy::new).transpose()?;
        if proxy.is_some() && settings.only_mapped {
            return Err(NetError::ProxyAndOnlyMapped);
        }
        // Found out now rather than at the first large body.
        tempfile::tempfile_in(&settings.spill_dir).map_err(|cause| NetError::SpillDirectory {
            directory: settings.spill_dir.clone(),
            cause,
        })?;
        Ok(Net {
            shared: Arc::new(Shared {
                spill_dir: Arc::new(settings.spill_dir.clone()),
                composer: Composer::new(&settings)?,
                proxy,
                resolver: Resolver::new(&settings),
                tls: Tls::new(&settings)?,
                pool: Pool::new(&settings.limits),
                permission: OnceLock::new(),
                settings,
            }),
        })
    }

    pub fn settings(&self) -> &NetSettings {
        &self.shared.settings
    }

    /// The addresses of a host that the guard lets pass, from the cache while they are fresh.
    pub async fn resolve(&self, host: &HostName) -> Result<Arc<Resolution>, Cause> {
        self.shared.resolver.resolve(host, &self.shared.settings).await
    }

    /// The records of a name. A name without such records has an empty list; a name that does not
    /// exist is a cause ([`CauseKind::NoSuchName`]). Records are told, not dialled, so the guard is
    /// not asked: addresses among them may be anything.
    pub async fn records(&self, name: &str, kind: RecordKind) -> Result<Records, Cause> {
        self.shared.resolver.records(name, kind, &self.shared.settings.limits).await
    }

    /// Says something to a port and listens until the other side closes, as WHOIS is spoken.
    pub async fn converse(
        &self,
        host: &HostName,
        port: u16,
        say: &[u8],
        limits: ConverseLimits,
    ) -> Result<Conversation, Cause> {
        let until = Instant::now() + limits.total;
        let (stream, address) =
            timeout_at(until, self.connect_directly(Some(host), None, port, until))
                .await
                .map_err(|_| late(&format!("reaching {host}"), limits.total))??;
        let mut connection = Connection::new(Stream::Plain(stream), Some(address), None);
        converse(&mut connection, address, say, limits, until).await
    }

    /// The certificate a server shows, whether it can be trusted or not.
    pub async fn certificate(&self, of: CertificateOf<'_>) -> Result<Certificate, Cause> {
        let limits = &self.shared.settings.limits;
        let CertificateOf { host, address, port } = of;
        let until = Instant::now() + limits.total;
        let (stream, address) = self.connect_directly(host, address, port, until).await?;
        let shown = self.shared.tls.certificate(stream, host, address);
        let until = until.min(Instant::now() + limits.tls);
        timeout_at(until, shown).await.map_err(|_| late("the TLS handshake", limits.tls))?
    }

    /// Whether somebody accepts connections: connects, and closes without a word.
    pub async fn probe(&self, address: IpAddr, port: u16, patience: Duration) -> Result<(), Cause> {
        self.refuse_proxy()?;
        let admitted = guard::admit(address, port, &self.shared.settings)?;
        connect(admitted.socket(), patience, Instant::now() + patience).await.map(drop)
    }

    /// The address of this machine from which another would be asked; `None` if it may not or cannot
    /// be. The system is asked for the way there; nothing is sent.
    pub fn local_address(&self, towards: IpAddr) -> Option<IpAddr> {
        let socket = guard::admit(towards, 80, &self.shared.settings).ok()?.socket();
        let any = if socket.is_ipv4() { IpAddr::from([0; 4]) } else { IpAddr::from([0_u16; 8]) };
        let datagrams = std::net::UdpSocket::bind((any, 0)).ok()?;
        datagrams.connect(socket).ok()?;
        Some(datagrams.local_addr().ok()?.ip())
    }

    /// A connection that carries something else than requests.
    async fn connect_directly(
        &self,
        host: Option<&HostName>,
        address: Option<IpAddr>,
        port: u16,
        until: Instant,
    ) -> Result<(TcpStream, IpAddr), Cause> {
        self.refuse_proxy()?;
        let addresses = match (address, host) {
            (Some(address), _) => vec![address],
            (None, Some(host)) => self.resolve(host).await?.addresses.clone(),
            (None, None) => Vec::new(),
        };
        let admitted = self.admit(&addresses, port)?;
        let (stream, admitted) =
            connect_any(&admitted, &self.shared.settings.limits, until).await?;
        let address = admitted.address.expect("only a proxy has no address of its own here");
        Ok((stream, address))
    }

    fn refuse_proxy(&self) -> Result<(), Cause> {
        match &self.shared.proxy {
            None => Ok(()),
            Some(_) => Err(Cause::new(
                CauseKind::Proxy,
                "only web requests go through an HTTP proxy, and this is none",
            )),
        }
    }

    /// Sends a request and reads the answer; `extra` headers are added to the usual ones.
    ///
    /// The host is resolved once; the addresses found are the only ones that are dialled.
    pub async fn fetch(&self, request: &Request, extra: &Headers, hook: &BodyHook<'_>) -> Fetched {
        let begun = Instant::now();
        let resolved = self.resolve(&request.host()).await;
        let timings = Timings { resolve: begun.elapsed(), ..Timings::default() };
        let admitted = match (&self.shared.proxy, resolved) {
            // The proxy can resolve what we cannot; what we can is judged here.
            (Some(proxy), Ok(_)) => self.proxy_sockets(proxy).await?,
            (Some(proxy), Err(cause)) if cause.kind != CauseKind::Guarded => {
                self.proxy_sockets(proxy).await?
            }
            (None, Ok(resolution)) => self.admit(&resolution.addresses, request.origin().port)?,
            (_, Err(cause)) => return Err(cause),
        };
        self.fetch_from(request, extra, hook, &admitted, timings, begun).await
    }

    /// Like [`Net::fetch`], but with addresses that were resolved (and looked at) before. The
    /// guard judges them again. Behind a proxy they serve for that judgement only.
    pub async fn fetch_resolved(
        &self,
        request: &Request,
        resolution: &Resolution,
        extra: &Headers,
        hook: &BodyHook<'_>,
    ) -> Fetched {
        let begun = Instant::now();
        let mut admitted = self.admit(&resolution.addresses, request.origin().port)?;
        if let Some(proxy) = &self.shared.proxy {
            admitted = self.proxy_sockets(proxy).await?;
        }
        self.fetch_from(request, extra, hook, &admitted, Timings::default(), begun).await
    }

    /// The sockets that may be dialled for addresses; a refusal, if none may.
    fn admit(&self, addresses: &[IpAddr], port: u16) -> Result<Vec<Admitted>, Cause> {
        let mut refused = Cause::new(CauseKind::Connect, "no address");
        let mut admitted = Vec::with_capacity(addresses.len());
        for address in addresses {
            match guard::admit(*address, port, &self.shared.settings) {
                Ok(socket) => admitted.push(socket),
                Err(cause) => refused = cause,
            }
        }
        if admitted.is_empty() { Err(refused) } else { Ok(admitted) }
    }

    async fn proxy_sockets(&self, proxy: &Proxy) -> Result<Vec<Admitted>, Cause> {
        let limits = &self.shared.settings.limits;
        let addresses = self.shared.resolver.proxy_addresses(&proxy.host, limits).await;
        let addresses = addresses.map_err(|cause| {
            Cause::new(CauseKind::Proxy, format!("{} cannot be resolved: {cause}", proxy.host))
        })?;
        let socket = |address| Admitted::proxy(SocketAddr::new(address, proxy.port));
        Ok(addresses.into_iter().map(socket).collect())
    }

    async fn fetch_from(
        &self,
        request: &Request,
        extra: &Headers,
        hook: &BodyHook<'_>,
        admitted: &[Admitted],
        timings: Timings,
        begun: Instant,
    ) -> Fetched {
        let shared = &*self.shared;
        let origin = request.origin();
        let form = match &shared.proxy {
            Some(proxy) if origin.scheme == Scheme::Http => {
                TargetForm::Absolute { authorization: &proxy.authorization }
            }
            _ => TargetForm::Origin,
        };
        let until = begun + shared.settings.limits.total;
        let permit = timeout_at(until, shared.pool.permit(&origin)).await.map_err(|_| {
            Cause::new(CauseKind::Timeout, format!("all connections to {origin} are in use"))
        })?;
        let mut attempt = Attempt {
            shared,
            request,
            hook,
            origin: &origin,
            admitted,
            composed: shared.composer.compose(
                request,
                extra,
                form,
                shared.settings.credential(&origin),
            ),
            permit,
            timings,
            until,
        };
        // A form must not be sent twice, so it never travels on a connection that may be dead.
        if request.method != Method::Post
            && let Some(connection) = attempt.kept_connection()
        {
            match attempt.over(connection).await {
                Err(Failure::Stale(cause)) => tracing::trace!(%origin, %cause, "stale connection"),
                result => return attempt.conclude(result),
            }
        }
        let connection = attempt.new_connection().await?;
        let result = attempt.over(connection).await;
        attempt.conclude(result)
    }
}

/// What both tries of one fetch share.
struct Attempt<'a> {
    shared: &'a Shared,
    request: &'a Request,
    hook: &'a BodyHook<'a>,
    origin: &'a Origin,
    admitted: &'a [Admitted],
    composed: Composed,
    permit: Permit,
    timings: Timings,
    until: Instant,
}

impl Attempt<'_> {
    fn kept_connection(&self) -> Option<Connection> {
        self.permit.take(|address| self.admitted.iter().any(|known| known.address == address))
    }

    async fn new_connection(&mut self) -> Result<Connection, Cause> {
        let shared = self.shared;
        let limits = &shared.settings.limits;
        let proxy = shared.proxy.as_ref();
        let (origin, admitted, until) = (self.origin, self.admitted, self.until);
        dial(origin, admitted, proxy, &shared.tls, limits, until, &mut self.timings).await
    }

    async fn over(&mut self, mut connection: Connection) -> Result<Box<Exchange>, Failure> {
        let order = Order {
            request: self.request,
            composed: &mut self.composed,
            hook: self.hook,
            limits: &self.shared.settings.limits,
            may_send: self.shared.permission.get(),
            directory: &self.shared.spill_dir,
            until: self.until,
            timings: self.timings,
        };
        let Performed { exchange, reusable } = perform(&mut connection, order).await?;
        if reusable {
            self.permit.keep(connection);
        }
        Ok(exchange)
    }

    /// A 407 that came through a proxy is the proxy's own answer, not the site's.
    fn conclude(&self, result: Result<Box<Exchange>, Failure>) -> Fetched {
        let exchange = result.map_err(Failure::into_cause)?;
        match exchange.response.status {
            407 if self.shared.proxy.is_some() && self.origin.scheme == Scheme::Http => {
                Err(Cause::new(CauseKind::Proxy, "it wants other credentials"))
            }
            _ => Ok(exchange),
        }
    }
}
