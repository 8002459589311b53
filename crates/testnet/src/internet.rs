//! Building a simulated internet and starting it.

use crate::connection::Place;
use crate::dns::{DnsSockets, NameServer};
use crate::door::{self, Door, Hinge, LeadsTo};
use crate::error::TestnetError;
use crate::latency::{Latency, Line};
use crate::log::{Log, LogDetail};
use crate::registry::{self, Counter, Registry};
use crate::running::Running;
use crate::site::{Site, Sites};
use crate::tls::Identities;
use crate::zone::{Table, Zone, parse_address};
use auslese_model::Scheme;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// Threads that serve; two are enough to keep a client on the other core busy.
const WORKERS: usize = 2;
/// The port of WHOIS (RFC 3912).
const WHOIS: u16 = 43;
/// Sites without an address get one from here on: the benchmark range of RFC 2544.
const FIRST_FREE_ADDRESS: Ipv4Addr = Ipv4Addr::new(198, 19, 0, 1);

/// Zones, sites, registries and ports, not yet running.
#[derive(Debug, Clone)]
pub struct Internet {
    zones: Vec<Zone>,
    sites: Vec<Site>,
    registries: Vec<Registry>,
    bind: IpAddr,
    dns: Option<SocketAddr>,
    fixed: HashMap<u16, SocketAddr>,
    special: BTreeMap<u16, LeadsTo>,
    detail: LogDetail,
    one_socket_per_address: bool,
    latency: Latency,
}

impl Default for Internet {
    fn default() -> Internet {
        Internet::new()
    }
}

impl Internet {
    pub fn new() -> Internet {
        Internet {
            zones: Vec::new(),
            sites: Vec::new(),
            registries: Vec::new(),
            bind: Ipv4Addr::LOCALHOST.into(),
            dns: None,
            fixed: HashMap::new(),
            special: BTreeMap::new(),
            detail: LogDetail::Full,
            one_socket_per_address: false,
            latency: Latency::default(),
        }
    }

    pub fn zone(mut self, zone: Zone) -> Internet {
        self.zones.push(zone);
        self
    }

    pub fn site(mut self, site: Site) -> Internet {
        self.sites.push(site);
        self
    }

    /// A WHOIS registry, at port 43 of its address.
    pub fn registry(mut self, registry: Registry) -> Internet {
        self.registries.push(registry);
        self
    }

    /// The local address of all sockets; 127.0.0.1 if not set.
    pub fn bind(mut self, address: IpAddr) -> Internet {
        self.bind = address;
        self
    }

    /// The local socket of the name server.
    pub fn bind_dns(mut self, socket: SocketAddr) -> Internet {
        self.dns = Some(socket);
        self
    }

    /// The local socket that serves a port of the simulated internet.
    pub fn bind_port(mut self, port: u16, socket: SocketAddr) -> Internet {
        self.fixed.insert(port, socket);
        self
    }

    /// A port at which connections are refused.
    pub fn refused_port(mut self, port: u16) -> Internet {
        self.special.insert(port, LeadsTo::Refusal);
        self
    }

    /// A port at which connections are neither accepted nor refused.
    pub fn silent_port(mut self, port: u16) -> Internet {
        self.special.insert(port, LeadsTo::Nothing);
        self
    }

    pub fn log_detail(mut self, detail: LogDetail) -> Internet {
        self.detail = detail;
        self
    }

    /// Gives every address of a site its own local sockets, at exactly the ports where it has one:
    /// the log knows which address was asked, and a scan finds what is there and nothing else.
    /// Everything else leads nowhere.
    pub fn one_socket_per_address(mut self) -> Internet {
        self.one_socket_per_address = true;
        self
    }

    /// Puts all sites at the end of a long line.
    pub fn latency(mut self, latency: Latency) -> Internet {
        self.latency = latency;
        self
    }

    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    pub fn registries(&self) -> &[Registry] {
        &self.registries
    }

    /// Binds all sockets and serves them on threads of its own, until the handle is dropped. It
    /// may be called inside a tokio runtime as well as outside.
    pub fn start(self) -> Result<Running, TestnetError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(WORKERS)
            .thread_name("testnet")
            .enable_all()
            .build()
            .map_err(TestnetError::Start)?;
        let entered = runtime.enter();

        let table = Arc::new(self.table()?);
        let identities = Arc::new(Identities::new(&self.sites, &table)?);
        let plan = self.plan(&table)?;
        let sites = Arc::new(Sites::new(self.sites)?);
        let log = Arc::new(Log::new(self.detail));
        let line = Arc::new(Line::new(self.latency));

        let dns = DnsSockets::bind(self.dns.unwrap_or(SocketAddr::new(self.bind, 0)))?;
        let dns_address = dns.address;
        let name_server =
            NameServer::start(dns, table.clone(), log.clone()).map_err(TestnetError::Start)?;
        let mut doors = Vec::new();
        let mut hinges = Vec::new();
        let mut asked = Vec::new();
        for (address, port, leads_to) in plan {
            // With a socket for each address only the first of them can have the given one.
            let taken = doors.iter().any(|door: &Door| door.port == port);
            let fixed = self.fixed.get(&port).copied().filter(|_| !taken);
            let wanted = fixed.unwrap_or(SocketAddr::new(self.bind, 0));
            let (socket, hinge) = door::open(wanted, leads_to)?;
            doors.push(Door { address, port, leads_to, socket });
            match (hinge, leads_to) {
                (Hinge::Listening(listener), LeadsTo::Sites(scheme)) => {
                    let listener =
                        tokio::net::TcpListener::from_std(listener).map_err(TestnetError::Start)?;
                    let (sites, identities) = (sites.clone(), identities.clone());
                    let (log, line) = (log.clone(), line.clone());
                    let place = Place { scheme, port, address, sites, identities, log, line };
                    tokio::spawn(door::accept(listener, Arc::new(place)));
                }
                (Hinge::Listening(listener), LeadsTo::Registry) => {
                    let listener =
                        tokio::net::TcpListener::from_std(listener).map_err(TestnetError::Start)?;
                    let Some(registry) = at_address(&self.registries, address) else { continue };
                    let counter = Counter::default();
                    asked.push(counter.clone());
                    tokio::spawn(registry::accept(listener, registry, counter, log.clone()));
                }
                (hinge, _) => hinges.push(hinge),
            }
        }
        drop(entered);
        let servers = (name_server, hinges);
        let shared = (table, sites, log);
        Running::new(runtime, servers, dns_address, doors, shared, asked, &identities)
    }

    /// The zones, the registries, and an address for every site without one.
    fn table(&self) -> Result<Table, TestnetError> {
        let mut table = Table::new(&self.zones)?;
        for registry in &self.registries {
            if !table.mentions(&registry.host) {
                table.add_address(&registry.host, parse_address(&registry.address)?)?;
            }
        }
        let mut free = u32::from(FIRST_FREE_ADDRESS);
        for site in &self.sites {
            let host = site.origin()?.host;
            for address in &site.addresses {
                let address = parse_address(address)?;
                if !table.addresses(host.as_str()).contains(&address) {
                    table.add_address(host.as_str(), address)?;
                }
            }
            if host.address().is_none() && !table.mentions(host.as_str()) {
                table.add_address(host.as_str(), Ipv4Addr::from(free).into())?;
                free += 1;
            }
        }
        Ok(table)
    }

    /// Which doors there will be: ports 80 and 443, whatever else sites need, and the registries.
    fn plan(&self, table: &Table) -> Result<Vec<(Option<IpAddr>, u16, LeadsTo)>, TestnetError> {
        let mut schemes = BTreeMap::from([(80, Scheme::Http), (443, Scheme::Https)]);
        // By port first, so that the first door of a port is the one with the lowest address.
        let mut places = BTreeSet::new();
        for site in &self.sites {
            let origin = site.origin()?;
            let scheme = *schemes.entry(origin.port).or_insert(origin.scheme);
            if scheme != origin.scheme || self.special.contains_key(&origin.port) {
                return Err(TestnetError::MixedPort(origin.port));
            }
            let addresses = table.addresses(origin.host.as_str()).into_iter();
            places.extend(addresses.chain(origin.host.address()).map(|at| (origin.port, at)));
        }
        schemes.retain(|port, _| !self.special.contains_key(port));
        let mut plan: Vec<_> = if self.one_socket_per_address {
            let addresses: BTreeSet<IpAddr> = places.iter().map(|(_, address)| *address).collect();
            let sites = places.iter().filter_map(|(port, address)| {
                Some((Some(*address), *port, LeadsTo::Sites(*schemes.get(port)?)))
            });
            let special = self.special.iter().flat_map(|(port, leads_to)| {
                addresses.iter().map(|address| (Some(*address), *port, *leads_to))
            });
            sites.chain(special).collect()
        } else {
            let sites = schemes.iter().map(|(port, scheme)| (*port, LeadsTo::Sites(*scheme)));
            let special = self.special.iter().map(|(port, leads_to)| (*port, *leads_to));
            sites.chain(special).map(|(port, leads_to)| (None, port, leads_to)).collect()
        };
        for registry in &self.registries {
            let address = parse_address(&registry.address)?;
            let takes_it = |(other, port, _): &(Option<IpAddr>, u16, LeadsTo)| {
                *port == WHOIS && other.is_none_or(|other| other == address)
            };
            if plan.iter().any(takes_it) {
                return Err(TestnetError::SharedRegistry(address));
            }
            plan.push((Some(address), WHOIS, LeadsTo::Registry));
        }
        Ok(plan)
    }
}

fn at_address(registries: &[Registry], address: Option<IpAddr>) -> Option<Arc<Registry>> {
    let there = |registry: &&Registry| registry.address.parse().ok() == address;
    registries.iter().find(there).cloned().map(Arc::new)
}
