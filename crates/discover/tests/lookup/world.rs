//! What the tests share: objects, registries and a client that reaches them by its settings.

use auslese_discover::lookup::{LookupMode, LookupSettings, Lookups};
use auslese_model::LookupRecord;
use auslese_net::{ConnectTo, Limits, Net, NetSettings};
use auslese_testnet::{Contact, Dialect, DomainObject, Internet, NetObject, Registry, Running};
use std::future::Future;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::Runtime;

pub(crate) const UNIVERSITY: &str = "Universität Hohenwerth";

pub(crate) fn university() -> Contact {
    Contact::organization(UNIVERSITY)
        .address("Schlossplatz 1", "99998", "Hohenwerth", "DE")
        .email("rz@uni.example")
}

pub(crate) fn domain(name: &str) -> DomainObject {
    DomainObject::new(name)
        .holder(university())
        .name_server("ns1.uni.example")
        .name_server("ns2.uni.example")
        .registrar("Registrar Werth", "whois.registrar.example")
}

pub(crate) fn network(range: &str, name: &str, org: &str) -> NetObject {
    NetObject::new(range.parse().unwrap(), name, org, university())
}

/// A registry at 198.51.100.`number`.
pub(crate) fn registry(host: &str, number: u8, dialect: Dialect) -> Registry {
    Registry::new(host, &format!("198.51.100.{number}"), dialect)
}

/// The registry of .de with this many domains: `d0.de`, `d1.de` …
pub(crate) fn denic(domains: usize) -> Registry {
    (0..domains).fold(registry("whois.denic.de", 1, Dialect::Denic), |denic, number| {
        denic.domain(domain(&format!("d{number}.de")))
    })
}

/// Only WHOIS, at a rate that tests can wait for.
pub(crate) fn whois_only() -> LookupSettings {
    LookupSettings {
        rdap_bootstrap: String::new(),
        order: auslese_discover::lookup::RegistryOrder::WhoisOnly,
        ..quick()
    }
}

/// Both services, the RDAP servers as the simulated bootstrap says.
pub(crate) fn quick() -> LookupSettings {
    LookupSettings {
        rdap_bootstrap: "http://bootstrap.example/rdap/".to_owned(),
        interval: Duration::from_millis(1),
        burst: 100,
        ..LookupSettings::default()
    }
}

/// A client that reaches this internet and nothing else.
pub(crate) fn net(internet: &Running) -> Net {
    let connect_to = internet.doors().iter().flat_map(|door| {
        let ranges = match door.address {
            Some(address) => vec![address.into()],
            None => vec!["0.0.0.0/0".parse().unwrap(), "::/0".parse().unwrap()],
        };
        let entry = |addresses| ConnectTo { addresses, port: Some(door.port), to: door.socket };
        ranges.into_iter().map(entry).collect::<Vec<_>>()
    });
    Net::new(NetSettings {
        dns: vec![internet.dns()],
        connect_to: connect_to.collect(),
        only_mapped: true,
        ca_files: vec![internet.ca_file().to_owned()],
        limits: Limits { resolve: Duration::from_secs(5), ..Limits::default() },
        ..NetSettings::default()
    })
    .unwrap()
}

/// A client that reaches nothing at all.
pub(crate) fn no_net() -> Net {
    let nowhere = vec!["192.0.2.1:9".parse().unwrap()];
    Net::new(NetSettings { dns: nowhere, only_mapped: true, ..NetSettings::default() }).unwrap()
}

pub(crate) fn lookups(internet: &Running, settings: LookupSettings) -> Lookups {
    Lookups::new(net(internet), settings, LookupMode::Cached, Vec::new())
}

pub(crate) fn replay(settings: LookupSettings, known: Vec<LookupRecord>) -> Lookups {
    Lookups::new(no_net(), settings, LookupMode::Replay, known)
}

/// What WHOIS servers were asked, as `server line`, in order.
pub(crate) fn whois_log(internet: &Running) -> Vec<String> {
    let queries = internet.whois_queries();
    queries.iter().map(|query| format!("{} {}", query.server, query.query)).collect()
}

/// What web servers were asked, in order.
pub(crate) fn web_log(internet: &Running) -> Vec<String> {
    internet.requests().iter().map(|logged| logged.url()).collect()
}

pub(crate) fn start(registries: impl IntoIterator<Item = Registry>) -> Running {
    registries.into_iter().fold(Internet::new(), Internet::registry).start().unwrap()
}

/// All work runs in one runtime: kept connections belong to the one they were opened in.
pub(crate) fn run<T>(work: impl Future<Output = T>) -> T {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).enable_all().build().unwrap()
    });
    RUNTIME.block_on(work)
}
