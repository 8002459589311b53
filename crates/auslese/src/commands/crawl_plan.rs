//! From the command line to a crawl that can begin: the arguments, the configuration that holds, the
//! seeds.
//!
//! Two questions are settled before anything is sent: is there something to begin with, and can the
//! operators of the hosts reach whoever crawls them?

use super::corpus::Telling;
use super::crawl::harvest_failure;
use super::discover::discovery_of;
use super::seeds_file::{Sample, SeedsFile};
use crate::args::Place;
use crate::config::text_forms::{
    CATALOG_URL, DURATION, FILE_PREFIX, HEADER_WORDS, contact, web_url,
};
use crate::config::{Config, Overrides, write_template};
use crate::messages::Failure;
use crate::organisation;
use crate::progress::Wish;
use crate::size_text;
use auslese_archive::ArchiveSettings;
use auslese_catalog::{CatalogSettings, Location};
use auslese_crawl::{Rule, Scope, Test};
use auslese_discover::Profile;
use auslese_discover::lookup::LookupMode;
use auslese_harvest::{CrawlJob, Discovery, HarvestDir, Institutions, Seed, Sharing};
use auslese_model::HostName;
use auslese_net::{NetSettings, guard};
use clap::Args;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use toml::Value;
use url::Url;

/// Fetch and archive; the same command goes on after an interruption
///
/// Without URLs the institutions and seeds of auslese.toml are crawled. In a directory without
/// auslese.toml, one is written that holds the URLs and options given. Without scope rules the crawl
/// keeps to the hosts that belong to the institutions, as far as `auslese discover` has gathered
/// their profile, and otherwise to the hosts and ports of the seeds. Ctrl-C once finishes what is under way, twice stops now.
#[derive(Debug, Default, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CrawlArgs {
    /// Addresses to begin with
    #[arg(value_name = "URL", value_parser = web_url)]
    urls: Vec<Url>,

    /// File with further addresses, one per line or as objects of SOIF; only these documents are fetched
    #[arg(long, value_name = "FILE")]
    seeds: Option<PathBuf>,

    /// Draw this many addresses of the file
    #[arg(long, value_name = "N", requires = "seeds", value_parser = clap::value_parser!(i64).range(1..))]
    sample: Option<i64>,

    /// Seed of the drawing; the same file and seed draw the same addresses [default: 0]
    #[arg(long, value_name = "S", requires = "sample", value_parser = clap::value_parser!(i64).range(0..))]
    seed: Option<i64>,

    /// Least pause on one host, such as 2s; 0 for no pause of any kind
    #[arg(long, value_name = "TIME", value_parser = duration_option)]
    delay: Option<String>,

    /// Allow private and local addresses
    #[arg(long)]
    allow_private: bool,

    /// Mail address or web page where server operators reach you
    #[arg(long, value_name = "MAIL", value_parser = contact)]
    contact: Option<String>,

    /// Stop after this many answers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..))]
    max_pages: Option<i64>,

    /// Stop after this much data, such as 10GB
    #[arg(long, value_name = "SIZE", value_parser = size_option)]
    max_bytes: Option<String>,

    /// Stop after this time, such as 8h
    #[arg(long, value_name = "TIME", value_parser = duration_option)]
    max_time: Option<String>,

    /// Connections at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=10_000))]
    connections: Option<i64>,

    /// Connections at a time to one host
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=1_000))]
    connections_per_host: Option<i64>,

    /// How the crawler introduces itself; {version} and {contact} are filled in
    #[arg(long, value_name = "TEXT", value_parser = header_option)]
    user_agent: Option<String>,

    /// PostgreSQL database to use instead of the file in the harvest
    #[arg(long, value_name = "URL", value_parser = catalog_option)]
    catalog: Option<String>,

    /// Name of this worker, where several machines share a catalog; default: the machine's name and some digits
    #[arg(long, value_name = "NAME", value_parser = worker_option)]
    worker: Option<String>,

    /// Print progress and result as JSON lines
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  auslese crawl --dir giessen
  auslese crawl https://www.uni-giessen.de/ --contact archive@uni-giessen.de --max-pages 1000
  auslese crawl http://127.0.0.1:8080/ --allow-private --delay 0
  auslese crawl --seeds gatherer.soif --sample 1000 --seed 7 --dir sample --contact archive@uni.example
  auslese crawl --dir giessen --max-time 8h --json > progress.jsonl";

/// Texts are checked here and kept as written, because `config show` shows them so.
fn duration_option(text: &str) -> Result<String, String> {
    (DURATION.check)(text).map(|()| text.to_owned())
}

fn size_option(text: &str) -> Result<String, String> {
    size_text::parse(text).map(|_| text.to_owned())
}

fn header_option(text: &str) -> Result<String, String> {
    (HEADER_WORDS.check)(text).map(|()| text.to_owned())
}

fn catalog_option(text: &str) -> Result<String, String> {
    (CATALOG_URL.check)(text).map(|()| text.to_owned())
}

fn worker_option(text: &str) -> Result<String, String> {
    (FILE_PREFIX.check)(text).map(|()| text.to_owned())
}

/// What is to be crawled, and how.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) dir: PathBuf,
    pub(crate) config: Config,
    pub(crate) seeds: Vec<Seed>,
    /// Those of a file, of which only the documents themselves are fetched.
    pub(crate) originals: SeedsFile,
    /// How it is found out which hosts belong, where that counts.
    pub(crate) discovery: Option<Discovery>,
    /// The auslese.toml to write, if the harvest has none: what the command line says, so that
    /// later commands need not be told again.
    pub(crate) new_config: Option<String>,
    pub(crate) wish: Wish,
    /// Whether everything that was fetched before is asked for again.
    pub(crate) recrawl: bool,
}

impl CrawlArgs {
    /// Everything that can be known before the first request.
    pub(crate) fn plan(&self, place: &Place) -> Result<Plan, Failure> {
        let sources = place.sources(self.overrides());
        let has_config = sources.config_file().exists();
        let config = sources.load()?;
        let originals = self.originals(&config, place)?;
        let mut seeds = self.seeds(&config, &originals)?;
        seeds.extend(originals.urls.iter().map(|url| Seed { url: url.clone(), label: None }));
        require_contact(&seeds, &config)?;
        require_reachable(&seeds, &config)?;
        let wish = match (self.json, self.quiet) {
            (true, _) => Wish::Json,
            (_, true) => Wish::Quiet,
            _ => Wish::People,
        };
        let new_config = (!has_config).then(|| self.as_config());
        let dir = place.dir().to_owned();
        let profiles = organisation::read(&dir)?;
        let discovery = self
            .needs_verdicts(&config, &profiles)
            .then(|| discovery_of(&config, profiles, LookupMode::Cached));
        Ok(Plan { dir, config, seeds, originals, discovery, new_config, wish, recrawl: false })
    }

    /// Whether hosts have to be judged: by a rule about members, or because the institutions are
    /// collected without any rules and there is a profile to compare with.
    fn needs_verdicts(&self, config: &Config, profiles: &[Profile]) -> bool {
        let about_members = |rule: &Rule| matches!(rule.test, Test::Members(_));
        match config.crawl.scope.as_slice() {
            [] => self.urls.is_empty() && !profiles.is_empty(),
            rules => rules.iter().any(about_members),
        }
    }

    pub(crate) fn names_addresses(&self) -> bool {
        !self.urls.is_empty() || self.seeds.is_some()
    }

    /// Whether nothing but the result is to be printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet || self.json
    }

    /// To whom the stages after the crawl tell what they did.
    pub(crate) fn telling(&self) -> Telling {
        match (self.json, self.quiet) {
            (true, _) => Telling::Programs,
            (false, true) => Telling::Nobody,
            (false, false) => Telling::People,
        }
    }

    /// For callers that crawl with all settings in the files of the harvest.
    pub(crate) fn quiet() -> CrawlArgs {
        CrawlArgs { quiet: true, ..CrawlArgs::default() }
    }

    /// A configuration that says what this command line says, but for what concerns one run only
    /// (budgets) and what does not belong into a file (the password of a database).
    fn as_config(&self) -> String {
        let seeds = self.urls.iter().map(|url| Value::from(url.as_str())).collect();
        let mut given = vec![("crawl.seeds", Value::Array(seeds))];
        let overrides = self.overrides();
        given.extend(overrides.settings().filter(|(key, _)| !key.starts_with("crawl.budget.")));
        for (key, value) in &mut given {
            if *key == "catalog.url" {
                *value = without_password(value);
            }
        }
        write_template(&given)
    }

    pub(crate) fn overrides(&self) -> Overrides {
        let mut overrides = Overrides::default();
        // Paths of the configuration begin at the harvest, those of a command line here.
        let file =
            self.seeds.as_ref().map(|file| std::path::absolute(file).unwrap_or(file.clone()));
        let file = file.map(|file| file.to_string_lossy().into_owned());
        overrides.set("crawl.seeds_file", file, "--seeds");
        overrides.set("crawl.seeds_sample", self.sample, "--sample");
        overrides.set("crawl.seeds_sample_seed", self.seed, "--seed");
        overrides.set("crawl.politeness.delay", self.delay.clone(), "--delay");
        overrides.set("net.allow_private", self.allow_private.then_some(true), "--allow-private");
        overrides.set("harvest.contact", self.contact.clone(), "--contact");
        overrides.set("harvest.user_agent", self.user_agent.clone(), "--user-agent");
        overrides.set("crawl.budget.max_pages", self.max_pages, "--max-pages");
        overrides.set("crawl.budget.max_bytes", self.max_bytes.clone(), "--max-bytes");
        overrides.set("crawl.budget.max_time", self.max_time.clone(), "--max-time");
        overrides.set("crawl.politeness.connections", self.connections, "--connections");
        let per_host = self.connections_per_host;
        overrides.set("crawl.politeness.per_server", per_host, "--connections-per-host");
        overrides.set("crawl.politeness.per_group", per_host, "--connections-per-host");
        let key = "crawl.politeness.per_server_without_delay";
        overrides.set(key, per_host, "--connections-per-host");
        overrides.set("catalog.url", self.catalog.clone(), "--catalog");
        overrides.set("archive.worker", self.worker.clone(), "--worker");
        overrides
    }

    /// The seeds of a file: of the one named here, or else of the configuration's if nothing is named.
    fn originals(&self, config: &Config, place: &Place) -> Result<SeedsFile, Failure> {
        let Some(file) = &config.seeds_file else { return Ok(SeedsFile::default()) };
        if self.seeds.is_none() && !self.urls.is_empty() {
            return Ok(SeedsFile::default());
        }
        let sample = config.seeds_sample;
        let sample = sample.map(|take| Sample { take, seed: config.seeds_sample_seed });
        SeedsFile::read(&place.dir().join(file), sample)
    }

    /// The seeds that stand for more than themselves.
    fn seeds(&self, config: &Config, originals: &SeedsFile) -> Result<Vec<Seed>, Failure> {
        if !self.urls.is_empty() || self.seeds.is_some() {
            let given = self.urls.iter().cloned();
            return Ok(given.map(|url| Seed { url, label: None }).collect());
        }
        let roots = config.harvest.institutions.iter();
        let roots = roots.map(|it| Seed { url: it.root.clone(), label: Some(it.label.clone()) });
        let seeds = config.seeds.iter().map(|url| Seed { url: url.clone(), label: None });
        let all: Vec<_> = roots.chain(seeds).collect();
        if all.is_empty() && originals.urls.is_empty() {
            return Err(Failure::usage("there is nothing to begin with").hint(
                "name an address (`auslese crawl https://www.uni.example/`), or set \
                 `institutions` or `seeds` in auslese.toml",
            ));
        }
        Ok(all)
    }
}

impl Plan {
    /// What the conductor is told.
    pub(crate) fn job(&self, dir: &HarvestDir) -> Result<CrawlJob, Failure> {
        let config = &self.config;
        let (spill, archive) = (dir.spill(), &config.archive);
        let catalog = config.catalog_location(dir.root())?;
        let (worker, sharing) = self.worker(dir, &catalog)?;
        let archive_settings =
            ArchiveSettings { worker: worker.clone(), ..config.archive_settings(&spill) };
        let institutions = &config.harvest.institutions;
        let institutions = institutions.iter().map(|it| (it.label.as_str(), &it.root));
        let net = NetSettings {
            credentials: config.credentials(dir.root())?,
            ..config.net_settings(&spill)
        };
        Ok(CrawlJob {
            catalog,
            catalog_settings: CatalogSettings {
                // Others wait for whoever stands still in a transaction, and have to renew their leases.
                idle_wait: config.catalog.lease() / 2,
                ..config.catalog_settings()
            },
            seeds: self.seeds.clone(),
            records: self.originals.records.clone(),
            institutions: Institutions::new(institutions),
            scope: self.scope()?,
            crawl: config.crawl.clone(),
            net,
            archive: archive_settings,
            storing: archive.storing(),
            revisits: archive.revisit,
            recrawl: self.recrawl,
            sharing,
            discovery: self.discovery.clone(),
            archive_limit: archive.max_size,
            worker,
            config_text: config.text.clone(),
        })
    }

    /// The name of this worker, and how it shares the harvest: a catalog on a server may have others.
    fn worker(
        &self,
        dir: &HarvestDir,
        catalog: &Location,
    ) -> Result<(String, Option<Sharing>), Failure> {
        let archive = &self.config.archive;
        if let Location::File(_) = catalog {
            return Ok((archive.worker_name().to_owned(), None));
        }
        let mark = dir.worker_mark(archive.given_worker()).map_err(harvest_failure)?;
        let sharing = Sharing {
            identity: mark.identity,
            machine: mark.machine,
            lease: self.config.catalog.lease(),
        };
        Ok((mark.name, Some(sharing)))
    }

    /// The scope of the configuration; without rules, that of all seeds, given and configured.
    fn scope(&self) -> Result<Scope, Failure> {
        let whole = self.seeds.len() - self.originals.urls.len();
        let given = self.seeds[..whole].iter().map(|seed| seed.url.clone());
        let seeds: Vec<Url> = given.chain(self.config.seed_urls()).collect();
        let scope = self.config.scope(&seeds, self.discovery.is_some())?;
        scope.ok_or_else(|| Failure::usage("there is nothing to begin with"))
    }
}

fn without_password(url: &Value) -> Value {
    let text = url.as_str().unwrap_or_default();
    match Location::parse(text) {
        Ok(location) => Value::from(location.to_string()),
        Err(_) => url.clone(),
    }
}

/// Hosts outside this machine are crawled only if their operators can reach somebody.
pub(crate) fn require_contact(seeds: &[Seed], config: &Config) -> Result<(), Failure> {
    if config.harvest.contact.is_some() || config.net.stays_here() {
        return Ok(());
    }
    let mut hosts = seeds.iter().filter_map(|seed| HostName::of(&seed.url));
    let outside = hosts.find(|host| !is_here(host));
    match outside {
        None => Ok(()),
        Some(host) => {
            let message = format!(
                "a contact is needed to crawl {host}: its operators must be able to reach you"
            );
            Err(Failure::usage(message).hint(
                "give --contact MAIL, or set `contact` in the table [harvest] of auslese.toml",
            ))
        }
    }
}

/// Seeds that the guard would refuse are a mistake to be told now, not a result to be looked up.
fn require_reachable(seeds: &[Seed], config: &Config) -> Result<(), Failure> {
    let net = config.net_settings(Path::new("."));
    for host in seeds.iter().filter_map(|seed| HostName::of(&seed.url)) {
        // Names are judged by their address when they are resolved; this one is known.
        let local = host.is_within("localhost").then_some(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let Some(address) = host.address().or(local) else { continue };
        let verdict = guard::judge(address, &net);
        if !verdict.is_allowed() {
            return Err(Failure::usage(format!("{host} cannot be crawled: {verdict}")).hint(
                "give --allow-private, or name its range in `allow` in the table [net] of \
                 auslese.toml",
            ));
        }
    }
    Ok(())
}

fn is_here(host: &HostName) -> bool {
    match host.address() {
        Some(address) => address.is_loopback(),
        None => host.is_within("localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        args: CrawlArgs,
    }

    fn plan(config: &str, args: &[&str]) -> Result<Plan, String> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("auslese.toml"), config).unwrap();
        let line = ["crawl", "--allow-private"].iter().chain(args).copied();
        let args = Line::try_parse_from(line).map_err(|error| error.to_string())?.args;
        let place = Place { dir: Some(dir.path().to_owned()), also: Vec::new(), net: None };
        args.plan(&place).map_err(|failure| failure.to_string())
    }

    #[test]
    fn who_needs_a_contact() {
        let simulated = "[net]\nonly_mapped = true\n\
            connect_to = [{ addresses = \"198.18.0.0/15\", to = \"127.0.0.1:8080\" }]\n";
        let mapped_away = "[net]\nonly_mapped = true\n\
            connect_to = [{ addresses = \"198.18.0.0/15\", to = \"192.0.2.1:8080\" }]\n";
        let with_contact = "[harvest]\ncontact = \"a@b.example\"\n";
        #[rustfmt::skip]
        let cases: &[(&str, &[&str], bool)] = &[
            ("",           &["http://127.0.0.1:8080/"],                            true),
            ("",           &["http://localhost/"],                                 true),
            ("",           &["http://[::1]/", "http://a.localhost/"],              true),
            ("",           &["http://www.uni.example/"],                           false),
            ("",           &["http://127.0.0.1/", "http://www.uni.example/"],      false),
            ("",           &["http://www.uni.example/", "--contact", "a@b.example"], true),
            (with_contact, &["http://www.uni.example/"],                           true),
            (simulated,    &["http://www.uni.example/"],                           true),
            (mapped_away,  &["http://www.uni.example/"],                           false),
        ];
        for (config, args, fine) in cases {
            assert_eq!(plan(config, args).is_ok(), *fine, "{config} {args:?}");
        }
        let message = plan("", &["http://www.uni.example/"]).unwrap_err();
        assert!(message.contains("a contact is needed to crawl www.uni.example"), "{message}");
        assert!(message.contains("--contact"), "{message}");
    }

    #[test]
    fn guarded_seeds_are_refused_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let place = Place { dir: Some(dir.path().to_owned()), also: Vec::new(), net: None };
        for url in ["http://127.0.0.1/", "http://localhost:8080/", "http://[::1]/"] {
            let args = Line::try_parse_from(["crawl", url]).unwrap().args;
            let failure = args.plan(&place).unwrap_err();
            assert_eq!(failure.exit, crate::messages::Exit::Usage);
            assert!(failure.to_string().contains("hint: give --allow-private"), "{failure}");
        }
    }

    #[test]
    fn where_it_begins() {
        let config = "[harvest]\ninstitutions = [{ label = \"L\", root = \"http://localhost/a\" }]\n\
            [crawl]\nseeds = [\"http://127.0.0.1/b\"]\n";
        let seeds = plan(config, &[]).unwrap().seeds;
        let url = |text: &str| Url::parse(text).unwrap();
        let seed = |text: &str, label: Option<&str>| Seed {
            url: url(text),
            label: label.map(str::to_owned),
        };
        let expected = [seed("http://localhost/a", Some("L")), seed("http://127.0.0.1/b", None)];
        assert_eq!(seeds, expected);
        let seeds = plan(config, &["http://127.0.0.1/c"]).unwrap().seeds;
        assert_eq!(seeds, [seed("http://127.0.0.1/c", None)]);
        assert!(plan("", &[]).unwrap_err().contains("nothing to begin with"));
    }

    #[test]
    fn options_are_checked() {
        for args in [
            &["www.uni.example"][..],
            &["http://localhost/", "--delay", "2"],
            &["http://localhost/", "--max-bytes", "lots"],
            &["http://localhost/", "--connections", "0"],
            &["http://localhost/", "--catalog", "mysql://localhost/a"],
            &["http://localhost/", "--json", "--quiet"],
        ] {
            assert!(plan("", args).is_err(), "{args:?}");
        }
    }

    #[test]
    fn the_command_line_goes_before_the_file() {
        let config = "[crawl.politeness]\nconnections = 9\n";
        let plan = plan(config, &["http://localhost/", "--connections", "3"]).unwrap();
        assert_eq!(plan.config.crawl.politeness.connections, 3);
    }
}
