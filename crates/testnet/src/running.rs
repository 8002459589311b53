//! The handle of a running internet: where it is, what it saw, and the settings that lead to it.

use crate::dns::NameServer;
use crate::door::{Door, Hinge, LeadsTo};
use crate::error::TestnetError;
use crate::log::{DnsQuery, Log, Logged, LoggedConnection, WhoisQuery};
use crate::registry::Counter;
use crate::site::Sites;
use crate::tls::Identities;
use crate::zone::Table;
use auslese_model::Scheme;
use std::fmt::{self, Write as _};
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// A running internet; it ends when this is dropped.
pub struct Running {
    /// Taken only by `drop`.
    runtime: Option<Runtime>,
    servers: Option<(NameServer, Vec<Hinge>)>,
    dns: SocketAddr,
    doors: Vec<Door>,
    table: Arc<Table>,
    sites: Arc<Sites>,
    log: Arc<Log>,
    /// How often each registry was asked.
    asked: Vec<Counter>,
    ca_pem: String,
    ca_file: tempfile::NamedTempFile,
}

impl Running {
    pub(crate) fn new(
        runtime: Runtime,
        servers: (NameServer, Vec<Hinge>),
        dns: SocketAddr,
        doors: Vec<Door>,
        (table, sites, log): (Arc<Table>, Arc<Sites>, Arc<Log>),
        asked: Vec<Counter>,
        identities: &Identities,
    ) -> Result<Running, TestnetError> {
        let ca_pem = identities.authority_pem().to_owned();
        let ca_file = tempfile::Builder::new()
            .prefix("testnet-ca-")
            .suffix(".pem")
            .tempfile()
            .and_then(|file| std::fs::write(file.path(), &ca_pem).map(|()| file))
            .map_err(TestnetError::Start)?;
        let servers = Some(servers);
        let runtime = Some(runtime);
        Ok(Running { runtime, servers, dns, doors, table, sites, log, asked, ca_pem, ca_file })
    }

    /// The name server, UDP and TCP.
    pub fn dns(&self) -> SocketAddr {
        self.dns
    }

    pub fn doors(&self) -> &[Door] {
        &self.doors
    }

    /// The local socket of a port of the simulated internet (the first, if each address has one).
    pub fn socket(&self, port: u16) -> Option<SocketAddr> {
        self.doors.iter().find(|door| door.port == port).map(|door| door.socket)
    }

    /// The local socket behind which a port of a host stands; 43 for a WHOIS registry.
    pub fn socket_of(&self, host: &str, port: u16) -> Option<SocketAddr> {
        let mut addresses = self.addresses(host);
        addresses.extend(host.trim_matches(['[', ']']).parse::<IpAddr>());
        let leads_there = |door: &&Door| {
            let there = door.address.is_none_or(|address| addresses.contains(&address));
            door.port == port && there
        };
        self.doors.iter().find(leads_there).map(|door| door.socket)
    }

    /// The local socket of port 80.
    ///
    /// # Panics
    /// If port 80 was made one that refuses or is silent, or each address has its own sockets and
    /// there is no address.
    pub fn http(&self) -> SocketAddr {
        self.first(Scheme::Http)
    }

    /// The local socket of port 443.
    ///
    /// # Panics
    /// As [`Running::http`].
    pub fn https(&self) -> SocketAddr {
        self.first(Scheme::Https)
    }

    /// The certificate of the test authority.
    pub fn ca_pem(&self) -> &str {
        &self.ca_pem
    }

    /// The same in a file, which lasts as long as this handle.
    pub fn ca_file(&self) -> &Path {
        self.ca_file.path()
    }

    /// Lets time pass: from now on sites give the answers of [`crate::Site::later`].
    pub fn begin_second_round(&self) {
        self.sites.begin_second_round();
    }

    /// The addresses DNS gives for a host now, without counting as a query.
    pub fn addresses(&self, host: &str) -> Vec<IpAddr> {
        self.table.addresses(host)
    }

    /// The `[net]` table that leads a client here and nowhere else.
    pub fn net_settings_toml(&self) -> String {
        let mut text = format!("[net]\ndns = [\"{}\"]\nconnect_to = [\n", self.dns);
        for door in &self.doors {
            let ranges = match door.address {
                Some(address) => vec![address.to_string()],
                None => vec!["0.0.0.0/0".to_owned(), "::/0".to_owned()],
            };
            for range in ranges {
                let (port, to) = (door.port, door.socket);
                // Writing to a String cannot fail.
                let _ = writeln!(
                    text,
                    "    {{ addresses = \"{}\", port = {port}, to = \"{to}\" }},",
                    with_prefix(&range, door.address),
                );
            }
        }
        let ca_file = self.ca_file().display().to_string();
        let ca_file = ca_file.replace('\\', "\\\\").replace('"', "\\\"");
        text + &format!("]\nonly_mapped = true\nca_files = [\"{ca_file}\"]\n")
    }

    /// All requests so far, in the order of their arrival.
    pub fn requests(&self) -> Vec<Logged> {
        self.log.requests()
    }

    pub fn request_count(&self) -> usize {
        self.log.request_count()
    }

    /// Waits until no answer is being sent any more; `false` if time ran out. A client may have the
    /// last byte of an answer a moment before the log has its end.
    pub fn wait_until_quiet(&self, at_most: Duration) -> bool {
        let start = Instant::now();
        loop {
            if self.log.is_quiet() {
                return true;
            }
            if start.elapsed() > at_most {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn connections(&self) -> Vec<LoggedConnection> {
        self.log.connections()
    }

    pub fn dns_queries(&self) -> Vec<DnsQuery> {
        self.log.queries()
    }

    pub fn whois_queries(&self) -> Vec<WhoisQuery> {
        self.log.whois_queries()
    }

    /// Empties the logs and starts all sequences and scripts again.
    pub fn reset(&self) {
        self.log.clear();
        self.sites.rewind();
        self.table.rewind();
        for asked in &self.asked {
            asked.store(0, Ordering::Relaxed);
        }
    }

    /// Ends all servers and connections; dropping the handle does the same.
    pub fn stop(self) {}

    fn first(&self, scheme: Scheme) -> SocketAddr {
        let port = scheme.default_port();
        let door = self
            .doors
            .iter()
            .find(|door| door.port == port && door.leads_to == LeadsTo::Sites(scheme));
        door.expect("ports 80 and 443 are open unless they were closed on purpose").socket
    }
}

/// `198.18.0.1/32`, as the setting wants ranges.
fn with_prefix(range: &str, address: Option<IpAddr>) -> String {
    match address {
        Some(IpAddr::V4(_)) => format!("{range}/32"),
        Some(IpAddr::V6(_)) => format!("{range}/128"),
        None => range.to_owned(),
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.servers.take();
        if let Some(runtime) = self.runtime.take() {
            // A blocking shutdown would panic inside another runtime.
            runtime.shutdown_background();
        }
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running")
            .field("dns", &self.dns)
            .field("doors", &self.doors)
            .finish_non_exhaustive()
    }
}
