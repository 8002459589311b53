//! The door to the world: resolves, and fetches.

use crate::compose::{Composed, Composer, TargetForm};
use crate::connection::Connection;
use crate::dial::dial;
use crate::error::NetError;
use crate::guard::{self, Admitted};
use crate::perform::{BodyHook, Failure, Order, Performed, perform};
use crate::pool::{Permit, Pool};
use crate::proxy::Proxy;
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
use std::sync::Arc;
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
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Net").field("settings", &self.shared.settings).finish_non_exhaustive()
    }
}

impl Net {
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
            (None, Ok(resolution)) => self.admit(request, &resolution.addresses)?,
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
        let mut admitted = self.admit(request, &resolution.addresses)?;
        if let Some(proxy) = &self.shared.proxy {
            admitted = self.proxy_sockets(proxy).await?;
        }
        self.fetch_from(request, extra, hook, &admitted, Timings::default(), begun).await
    }

    /// The sockets that may be dialled for addresses; a refusal, if none may.
    fn admit(&self, request: &Request, addresses: &[IpAddr]) -> Result<Vec<Admitted>, Cause> {
        let port = request.origin().port;
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
            composed: shared.composer.compose(request, extra, form),
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
