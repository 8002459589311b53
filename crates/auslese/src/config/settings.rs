//! The configuration as types: what the stages are given.
//!
//! By the time values arrive here they were checked against the list of settings, or come from the
//! command line, which checks them itself; so an error here is a mistake of the program, and is
//! still reported rather than trusted away.

use super::Effective;
use super::corpus_table::CorpusTable;
use super::describe_table::DescribeTable;
use super::discover_table::DiscoverTable;
use super::hidden_table::HiddenTable;
use super::search_table::SearchTable;
use super::serve_table::ServeTable;
use super::store_table::StoreTable;
use super::text_forms::network;
use crate::commands::crawl::harvest_failure;
use crate::messages::{Exit, Failure};
use auslese_archive::{ArchiveSettings, Description, Framing};
use auslese_catalog::{CatalogSettings, Location};
use auslese_crawl::{CrawlSettings, Rule, Scope, parse_duration};
use auslese_depot::Depot;
use auslese_harvest::{HarvestDir, Revisits, StoringRules};
use auslese_model::{Algorithm, HostName};
use auslese_net::{Certificates, ConnectTo, Credential, Limits, NetSettings};
use ipnet::IpNet;
use serde::{Deserialize, Deserializer, de::Error as _};
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::{Table, Value};
use url::Url;

/// The catalog of a harvest without a database server.
const CATALOG_FILE: &str = "catalog.sqlite";
/// The worker that has a harvest to itself.
const ONLY_WORKER: &str = "main";

/// A configuration without problems.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) harvest: HarvestTable,
    pub(crate) seeds: Vec<Url>,
    /// Further seeds, relative to the harvest.
    pub(crate) seeds_file: Option<PathBuf>,
    pub(crate) seeds_sample: Option<u64>,
    pub(crate) seeds_sample_seed: u64,
    pub(crate) crawl: CrawlSettings,
    pub(crate) discover: DiscoverTable,
    pub(crate) archive: ArchiveTable,
    pub(crate) corpus: CorpusTable,
    pub(crate) describe: DescribeTable,
    pub(crate) hidden: HiddenTable,
    pub(crate) search: SearchTable,
    pub(crate) serve: ServeTable,
    pub(crate) catalog: CatalogTable,
    pub(crate) net: NetTable,
    /// All of it as text, for the record of a run.
    pub(crate) text: String,
}

impl Config {
    pub(crate) fn from_effective(effective: &Effective) -> Result<Config, Failure> {
        let mut tables = effective.table();
        let mut crawl = tables.remove("crawl").unwrap_or(Value::Table(Table::new()));
        // The seeds belong to the harvest as a whole, not to how it is crawled.
        let mut of_seeds = |key| crawl.as_table_mut().and_then(|table| table.remove(key));
        let seeds = of_seeds("seeds");
        let (file, sample) = (of_seeds("seeds_file"), of_seeds("seeds_sample"));
        let sample_seed = of_seeds("seeds_sample_seed");
        Ok(Config {
            harvest: take(&mut tables, "harvest")?,
            seeds: read("crawl.seeds", seeds.unwrap_or(Value::Array(Vec::new())))?,
            seeds_file: file.map(|it| read("crawl.seeds_file", it)).transpose()?,
            seeds_sample: sample.map(|it| read("crawl.seeds_sample", it)).transpose()?,
            seeds_sample_seed: read("crawl.seeds_sample_seed", sample_seed.unwrap_or(0.into()))?,
            crawl: read("crawl", crawl)?,
            discover: take(&mut tables, "discover")?,
            archive: take(&mut tables, "archive")?,
            corpus: take(&mut tables, "corpus")?,
            describe: take(&mut tables, "describe")?,
            hidden: take(&mut tables, "hidden")?,
            search: take(&mut tables, "search")?,
            serve: take(&mut tables, "serve")?,
            catalog: take(&mut tables, "catalog")?,
            net: take(&mut tables, "net")?,
            text: effective.to_text(),
        })
    }

    /// Where the configuration says to begin: the institutions, then the seeds.
    pub(crate) fn seed_urls(&self) -> Vec<Url> {
        let roots = self.harvest.institutions.iter().map(|institution| &institution.root);
        roots.chain(&self.seeds).cloned().collect()
    }

    /// The scope rules. Without any: the hosts that belong to the institutions, if these are judged, or
    /// those of the seeds, and what belongs to the documents of a seeds file; none if there is nothing.
    pub(crate) fn scope(&self, seeds: &[Url], members: bool) -> Result<Option<Scope>, Failure> {
        let mut rules = self.crawl.scope.clone();
        if rules.is_empty() {
            match (members, seeds) {
                (true, _) => rules.push(Rule::of_members()),
                (false, []) => {}
                (false, seeds) => rules.push(Rule::of_seeds(seeds)),
            }
            if self.seeds_file.is_some() {
                rules.extend(Rule::of_originals());
            }
            if rules.is_empty() {
                return Ok(None);
            }
            rules.extend(Rule::traps());
        }
        Scope::new(rules).map(Some).map_err(|cause| Failure::new(Exit::Usage, cause))
    }

    /// What the network layer is given; large bodies wait in `spill_dir`.
    pub(crate) fn net_settings(&self, spill_dir: &Path) -> NetSettings {
        let net = &self.net;
        NetSettings {
            dns: net.dns.clone(),
            connect_to: net.connect_to.clone(),
            only_mapped: net.only_mapped,
            allow_private: net.allow_private,
            allow: net.allow.clone(),
            proxy: net.proxy.clone(),
            ca_files: net.ca_files.clone(),
            certificates: net.certificates,
            user_agent: self.harvest.user_agent_text(),
            contact: self.harvest.contact.clone(),
            limits: net.limits.clone(),
            spill_dir: spill_dir.to_owned(),
            ..NetSettings::default()
        }
    }

    /// What is shown to hosts that are open to some only.
    pub(crate) fn credentials(&self, dir: &Path) -> Result<Vec<Credential>, Failure> {
        self.net.credentials.iter().map(|entry| entry.credential(dir)).collect()
    }

    /// The harvest in a directory, with its store if it has one.
    pub(crate) fn harvest_dir(&self, dir: &Path) -> Result<HarvestDir, Failure> {
        self.with_store(HarvestDir::open(dir).map_err(harvest_failure)?)
    }

    /// The same harvest with its store, if it has one.
    pub(crate) fn with_store(&self, dir: HarvestDir) -> Result<HarvestDir, Failure> {
        let store = self.archive.store.open(dir.root(), &self.net.ca_files)?;
        Ok(match store {
            Some(store) => dir.with_store(store),
            None => dir,
        })
    }

    /// A bucket of the store, reached as the configuration says.
    pub(crate) fn depot(&self, bucket: &str, dir: &Path) -> Result<Depot, Failure> {
        self.archive.store.depot(bucket, dir, &self.net.ca_files)
    }

    /// Where the catalog is: the database named, or a file in the harvest.
    pub(crate) fn catalog_location(&self, dir: &Path) -> Result<Location, Failure> {
        let server = self.catalog.server(dir)?;
        Ok(server.map_or_else(|| Location::File(dir.join(CATALOG_FILE)), Location::Server))
    }

    pub(crate) fn catalog_settings(&self) -> CatalogSettings {
        let durability = match self.archive.durability {
            Durability::Process => auslese_catalog::Durability::Process,
            Durability::Power => auslese_catalog::Durability::Power,
        };
        CatalogSettings { durability, ..CatalogSettings::default() }
    }

    /// What the archive is given.
    pub(crate) fn archive_settings(&self, spill_dir: &Path) -> ArchiveSettings {
        let (archive, harvest) = (&self.archive, &self.harvest);
        let robots = if self.crawl.robots.obey { "obey" } else { "ignore" };
        ArchiveSettings {
            algorithm: archive.digest,
            framing: archive.framing,
            rotate_at: archive.rotate_at,
            level: archive.level,
            fsync: archive.durability == Durability::Power,
            prefix: archive.prefix.clone(),
            worker: archive.worker_name().to_owned(),
            spill_dir: spill_dir.to_owned(),
            description: Description {
                operator: harvest.contact.clone().unwrap_or_default(),
                user_agent: harvest.user_agent_text(),
                robots: robots.to_owned(),
                is_part_of: harvest.name.clone().unwrap_or_default(),
                ..Description::default()
            },
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config::from_effective(&Effective::defaults()).expect("the defaults are tested")
    }
}

fn take<'de, T: Deserialize<'de>>(tables: &mut Table, name: &str) -> Result<T, Failure> {
    read(name, tables.remove(name).unwrap_or(Value::Table(Table::new())))
}

fn read<'de, T: Deserialize<'de>>(name: &str, value: Value) -> Result<T, Failure> {
    T::deserialize(value).map_err(|cause: toml::de::Error| {
        let error = anyhow::Error::new(cause).context(format!("cannot use the settings of {name}"));
        Failure::new(Exit::Usage, error)
    })
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct HarvestTable {
    pub(crate) name: Option<String>,
    pub(crate) contact: Option<String>,
    pub(crate) user_agent: String,
    pub(crate) institutions: Vec<Institution>,
}

impl HarvestTable {
    /// What is sent as `User-Agent`: always with the contact, if there is one.
    pub(crate) fn user_agent_text(&self) -> String {
        let text = self.user_agent.replace("{version}", env!("CARGO_PKG_VERSION"));
        match &self.contact {
            None => text.replace("(+{contact})", "").replace("{contact}", "").trim().to_owned(),
            Some(contact) if text.contains("{contact}") => text.replace("{contact}", contact),
            Some(contact) if text.contains(contact) => text,
            Some(contact) => format!("{text} (+{contact})"),
        }
    }
}

/// An institution whose web is collected.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Institution {
    pub(crate) label: String,
    pub(crate) root: Url,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct ArchiveTable {
    prefix: String,
    worker: Option<String>,
    digest: Algorithm,
    framing: Framing,
    rotate_at: u64,
    level: u8,
    durability: Durability,
    #[serde(deserialize_with = "revisits")]
    pub(crate) revisit: Revisits,
    /// Media types, with a star for any ending, of which only the header row is kept.
    header_only_types: Vec<String>,
    /// Endings of paths of which only the header row is kept.
    header_only_suffixes: Vec<String>,
    /// Declared lengths beyond which only the header row is kept.
    header_only_above: Option<u64>,
    /// The size at which the crawl pauses.
    pub(crate) max_size: Option<u64>,
    pub(crate) store: StoreTable,
}

impl ArchiveTable {
    /// The name of this worker where it need not be told from others.
    pub(crate) fn worker_name(&self) -> &str {
        self.worker.as_deref().unwrap_or(ONLY_WORKER)
    }

    /// The name that was given to it.
    pub(crate) fn given_worker(&self) -> Option<&str> {
        self.worker.as_deref()
    }

    /// Which bodies are not stored.
    pub(crate) fn storing(&self) -> StoringRules {
        StoringRules {
            header_only_types: self.header_only_types.clone(),
            header_only_suffixes: self.header_only_suffixes.clone(),
            header_only_above: self.header_only_above,
        }
    }
}

/// What a commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Durability {
    Process,
    Power,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct CatalogTable {
    pub(crate) url: Option<Url>,
    password_file: Option<PathBuf>,
    lease: Time,
}

/// How short and how long a lease may be: renewing it takes a moment, and the hosts of a worker that
/// died wait for its end.
const LEASES: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(3600);

impl CatalogTable {
    /// How long a worker that says nothing keeps its hosts.
    pub(crate) fn lease(&self) -> Duration {
        self.lease.0.clamp(*LEASES.start(), *LEASES.end())
    }

    /// The address of the PostgreSQL catalog with its password; none if the catalog is a file.
    fn server(&self, dir: &Path) -> Result<Option<Url>, Failure> {
        let login = |url| {
            database_login(url, "AUSLESE_CATALOG_PASSWORD", self.password_file.as_deref(), dir)
        };
        self.url.clone().map(login).transpose()
    }
}

/// The address of a database with its password: from the environment, else from a file. A relative file is looked for in
/// the harvest.
pub(crate) fn database_login(
    mut url: Url,
    variable: &str,
    password_file: Option<&Path>,
    dir: &Path,
) -> Result<Url, Failure> {
    let password = match (std::env::var(variable), password_file) {
        (Ok(password), _) => password,
        (Err(_), Some(file)) => password_in(&dir.join(file))?,
        (Err(_), None) => return Ok(url),
    };
    match url.set_password(Some(&password)) {
        Ok(()) => Ok(url),
        Err(()) => Err(Failure::usage(format!("{url} cannot take a password"))),
    }
}

fn password_in(file: &Path) -> Result<String, Failure> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(text.trim_end_matches(['\r', '\n']).to_owned()),
        Err(cause) => {
            let message = format!("cannot read the password file {}", file.display());
            Err(Failure::new(Exit::Usage, anyhow::Error::new(cause).context(message)))
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct NetTable {
    dns: Vec<SocketAddr>,
    #[serde(deserialize_with = "connect_to")]
    connect_to: Vec<ConnectTo>,
    only_mapped: bool,
    allow_private: bool,
    #[serde(deserialize_with = "networks")]
    allow: Vec<IpNet>,
    proxy: Option<Url>,
    ca_files: Vec<PathBuf>,
    #[serde(deserialize_with = "certificates")]
    certificates: Certificates,
    credentials: Vec<CredentialEntry>,
    #[serde(deserialize_with = "limits")]
    limits: Limits,
}

/// What is shown to a host, and where the secret is.
#[derive(Debug, Clone, Deserialize)]
struct CredentialEntry {
    host: String,
    user: Option<String>,
    token_file: Option<PathBuf>,
    token_variable: Option<String>,
    #[serde(default)]
    over_http: bool,
}

impl CredentialEntry {
    /// The secret from its file or variable; paths are relative to the harvest.
    fn credential(&self, dir: &Path) -> Result<Credential, Failure> {
        let no_secret = |why: String| {
            Failure::usage(format!("there is no secret for {}: {why}", self.host)).hint(
                "name its file with `token_file`, or an environment variable with `token_variable`",
            )
        };
        let secret = match (&self.token_file, &self.token_variable) {
            (Some(file), None) => std::fs::read_to_string(dir.join(file))
                .map_err(|error| no_secret(format!("{}: {error}", file.display())))?,
            (None, Some(name)) => {
                std::env::var(name).map_err(|error| no_secret(format!("{name}: {error}")))?
            }
            (None, None) => return Err(no_secret("nothing says where it is".to_owned())),
            (Some(_), Some(_)) => {
                return Err(no_secret("both a file and a variable are named".to_owned()));
            }
        };
        let secret = secret.trim();
        let host = HostName::parse(&self.host)
            .ok_or_else(|| no_secret("the host cannot be read".to_owned()))?;
        let credential = match &self.user {
            Some(user) => Credential::basic(host, user, secret),
            None => Credential::bearer(host, secret),
        };
        Ok(Credential { over_http: self.over_http, ..credential })
    }
}

impl NetTable {
    /// Whether no packet can leave this machine, whatever names are crawled.
    pub(crate) fn stays_here(&self) -> bool {
        self.only_mapped && self.connect_to.iter().all(|entry| entry.to.ip().is_loopback())
    }
}

fn revisits<'de, D: Deserializer<'de>>(input: D) -> Result<Revisits, D::Error> {
    match String::deserialize(input)?.as_str() {
        "url" => Ok(Revisits::Url),
        "digest" => Ok(Revisits::Digest),
        "off" => Ok(Revisits::Off),
        other => Err(D::Error::custom(format!("`{other}` is none of url, digest, off"))),
    }
}

fn networks<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<IpNet>, D::Error> {
    let texts = Vec::<String>::deserialize(input)?;
    texts.iter().map(|text| network(text).map_err(D::Error::custom)).collect()
}

fn connect_to<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<ConnectTo>, D::Error> {
    #[derive(Deserialize)]
    struct Entry {
        addresses: String,
        port: Option<u16>,
        to: SocketAddr,
    }
    let read = |Entry { addresses, port, to }| {
        let addresses = network(&addresses).map_err(D::Error::custom)?;
        Ok(ConnectTo { addresses, port, to })
    };
    Vec::<Entry>::deserialize(input)?.into_iter().map(read).collect()
}

fn certificates<'de, D: Deserializer<'de>>(input: D) -> Result<Certificates, D::Error> {
    match String::deserialize(input)?.as_str() {
        "note" => Ok(Certificates::Note),
        "refuse" => Ok(Certificates::Refuse),
        other => Err(D::Error::custom(format!("`{other}` is neither note nor refuse"))),
    }
}

fn limits<'de, D: Deserializer<'de>>(input: D) -> Result<Limits, D::Error> {
    #[derive(Deserialize)]
    struct Raw {
        resolve: Time,
        connect: Time,
        tls: Time,
        header: Time,
        idle: Time,
        total: Time,
        min_rate: u64,
        grace: Time,
        header_bytes: usize,
        body_bytes: u64,
        memory_bytes: usize,
        keep_alive: Time,
        connections_per_origin: usize,
        idle_connections: usize,
        addresses_tried: usize,
        ttl_min: Time,
        ttl_max: Time,
        ttl_failed: Time,
        names_cached: usize,
        lookups: usize,
    }
    let raw = Raw::deserialize(input)?;
    Ok(Limits {
        resolve: raw.resolve.0,
        connect: raw.connect.0,
        tls: raw.tls.0,
        header: raw.header.0,
        idle: raw.idle.0,
        total: raw.total.0,
        min_rate: raw.min_rate,
        grace: raw.grace.0,
        header_bytes: raw.header_bytes,
        body_bytes: raw.body_bytes,
        memory_bytes: raw.memory_bytes,
        keep_alive: raw.keep_alive.0,
        connections_per_origin: raw.connections_per_origin,
        idle_connections: raw.idle_connections,
        addresses_tried: raw.addresses_tried,
        ttl_min: raw.ttl_min.0,
        ttl_max: raw.ttl_max.0,
        ttl_failed: raw.ttl_failed.0,
        names_cached: raw.names_cached,
        lookups: raw.lookups,
    })
}

/// A length of time written as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Time(pub(super) Duration);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Time, D::Error> {
        let text = String::deserialize(input)?;
        parse_duration(&text).map(Time).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crates_agree_on_the_defaults() {
        let config = Config::default();
        let spill = std::env::temp_dir();
        assert_eq!(config.crawl, CrawlSettings::default());
        assert_eq!(config.corpus.rules, auslese_corpus::CorpusRules::default());
        let net = config.net_settings(&spill);
        assert_eq!(format!("{net:?}"), format!("{:?}", NetSettings::default()));
        let archive = config.archive_settings(&spill);
        let described = ArchiveSettings {
            description: archive.description.clone(),
            ..ArchiveSettings::default()
        };
        assert_eq!(archive, described);
    }

    /// A setting that the crawl knows and the list does not could never be set.
    #[test]
    fn every_setting_of_the_crawl_is_listed() {
        fn check(path: &str, table: &Table, known: &Table) {
            for (key, value) in table {
                let path = format!("{path}.{key}");
                match (value, known.get(key)) {
                    (Value::Table(below), Some(Value::Table(known))) => check(&path, below, known),
                    (_, known) => assert!(known.is_some(), "{path} is not listed"),
                }
            }
        }
        let crawl = Table::try_from(CrawlSettings::default()).unwrap();
        let known = Effective::defaults().table();
        check("crawl", &crawl, known["crawl"].as_table().unwrap());
    }

    #[test]
    fn user_agents() {
        #[rustfmt::skip]
        let cases = [
            ("auslese/{version} (+{contact})", Some("a@b.example"), "auslese/0.1.0 (+a@b.example)"),
            ("auslese/{version} (+{contact})", None,                "auslese/0.1.0"),
            ("mine",                           Some("a@b.example"), "mine (+a@b.example)"),
            ("mine; a@b.example",              Some("a@b.example"), "mine; a@b.example"),
        ];
        for (template, contact, expected) in cases {
            let table = HarvestTable {
                user_agent: template.to_owned(),
                contact: contact.map(str::to_owned),
                ..Config::default().harvest
            };
            assert_eq!(
                table.user_agent_text(),
                expected.replace("0.1.0", env!("CARGO_PKG_VERSION"))
            );
        }
    }

    #[test]
    fn passwords_come_from_a_file() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("secret"), "p@ss\n").unwrap();
        let table = CatalogTable {
            url: Some(Url::parse("postgres://me@db.example/web").unwrap()),
            password_file: Some("secret".into()),
            lease: Time(Duration::from_secs(60)),
        };
        let url = table.server(dir.path()).unwrap().unwrap();
        assert_eq!(url.as_str(), "postgres://me:p%40ss@db.example/web");
    }
}
