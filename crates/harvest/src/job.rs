//! What a crawl is told: where, what, and under which settings.

use auslese_archive::ArchiveSettings;
use auslese_catalog::{CatalogSettings, Location};
use auslese_crawl::{CrawlSettings, Scope};
use auslese_discover::lookup::{LookupMode, LookupSettings};
use auslese_discover::{JudgeSettings, Profile};
use auslese_model::{HostName, Origin};
use auslese_net::NetSettings;
use std::time::Duration;
use url::Url;

/// A crawl to be done, or to be gone on with.
#[derive(Debug)]
pub struct CrawlJob {
    pub catalog: Location,
    pub catalog_settings: CatalogSettings,
    pub seeds: Vec<Seed>,
    /// What is said elsewhere about documents to be fetched.
    pub records: Vec<SeedRecord>,
    pub institutions: Institutions,
    pub scope: Scope,
    pub crawl: CrawlSettings,
    pub net: NetSettings,
    pub archive: ArchiveSettings,
    pub storing: StoringRules,
    pub revisits: Revisits,
    /// Ask again for everything that was answered before; a new round, unless one is under way.
    pub recrawl: bool,
    /// How it is found out which hosts belong; none if scope rules alone decide.
    pub discovery: Option<Discovery>,
    /// Size of the archive at which the crawl pauses.
    pub archive_limit: Option<u64>,
    /// The name under which servers are leased.
    pub worker: String,
    /// How the crawl shares its harvest with others; none if it has it to itself.
    pub sharing: Option<Sharing>,
    /// The configuration in force, as text, for the record of the run.
    pub config_text: String,
}

/// How workers share a harvest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sharing {
    /// Tells the directory of this worker from all others.
    pub identity: String,
    pub machine: String,
    /// How long a worker counts as alive without a word, and its servers as its own.
    pub lease: Duration,
}

/// Where a crawl begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    pub url: Url,
    /// The institution it stands for, where a harvest holds several.
    pub label: Option<String>,
}

/// What somebody else recorded about a seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedRecord {
    pub url: Url,
    /// The file it is from.
    pub source: String,
    /// Names of attributes and values, as in SOIF.
    pub fields: Vec<(String, String)>,
}

/// The organisations, and how hosts are compared with them.
#[derive(Debug, Clone)]
pub struct Discovery {
    pub profiles: Vec<Profile>,
    pub judge: JudgeSettings,
    pub lookup: LookupSettings,
    pub mode: LookupMode,
    /// How long the crawl waits for the verdict on one host; its links wait longer.
    pub patience: Duration,
    /// Hosts that are judged at a time.
    pub at_once: usize,
    /// Pages of foreign hosts that may be read in a row for their links; they are never kept.
    pub bridge_hops: usize,
}

/// When an answer is stored as a reference to an earlier one with the same payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Revisits {
    /// When the earlier one was of the same URL.
    #[default]
    Url,
    /// Whatever URL it had.
    Digest,
    Off,
}

/// Which bodies are not stored; their header row is kept all the same. Default: none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoringRules {
    /// Media types, such as `video/mp4`, or with a star, such as `video/*`.
    pub header_only_types: Vec<String>,
    /// Endings of paths, such as `.iso`.
    pub header_only_suffixes: Vec<String>,
    /// Declared lengths beyond this.
    pub header_only_above: Option<u64>,
}

impl StoringRules {
    /// Why a body is not wanted, judged by what the header says; `None` if it is.
    pub fn refusal(
        &self,
        path: &str,
        media_type: Option<&str>,
        length: Option<u64>,
    ) -> Option<String> {
        let path = path.to_ascii_lowercase();
        let suffix = self.header_only_suffixes.iter();
        if let Some(suffix) = suffix.into_iter().find(|end| path.ends_with(&end.to_lowercase())) {
            return Some(format!("suffix {suffix}"));
        }
        let media_type = media_type.unwrap_or("");
        let fits = |pattern: &&String| match pattern.to_lowercase().strip_suffix('*') {
            Some(start) => media_type.starts_with(start),
            None => media_type == pattern.to_lowercase(),
        };
        if let Some(pattern) = self.header_only_types.iter().find(fits) {
            return Some(format!("media type {media_type} ({pattern})"));
        }
        match (length, self.header_only_above) {
            (Some(length), Some(limit)) if length > limit => {
                Some(format!("{length} bytes, more than {limit}"))
            }
            _ => None,
        }
    }
}

/// The institutions of a harvest, by the domains of their entry points.
#[derive(Debug, Clone, Default)]
pub struct Institutions {
    labels: Vec<(String, String)>,
}

impl Institutions {
    /// Takes label and entry point of each; `www.` is not part of the domain.
    pub fn new<'a>(entries: impl IntoIterator<Item = (&'a str, &'a Url)>) -> Institutions {
        let labels = entries.into_iter().filter_map(|(label, root)| {
            let host = HostName::of(root)?;
            let domain = host.as_str().strip_prefix("www.").unwrap_or(host.as_str());
            Some((domain.to_owned(), label.to_owned()))
        });
        Institutions { labels: labels.collect() }
    }

    /// The label of a server, by the longest domain it lies in.
    pub fn label(&self, origin: &Origin) -> Option<&str> {
        let within = self.labels.iter().filter(|(domain, _)| origin.host.is_within(domain));
        within.max_by_key(|(domain, _)| domain.len()).map(|(_, label)| label.as_str())
    }
}

/// How long a lease lasts without being renewed, where nobody else could take it.
pub(crate) const LEASE_TIME: Duration = Duration::from_secs(3600);
/// Servers that are worked on at a time.
pub(crate) const SERVERS_LEASED: u32 = 5_000;
/// Requests that may be sent within this time are waited for; later ones are left for another run.
pub(crate) const DUE_SOON: Duration = Duration::from_secs(15 * 60);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_rows_only() {
        let rules = StoringRules {
            header_only_types: vec!["video/*".into(), "application/zip".into()],
            header_only_suffixes: vec![".Iso".into()],
            header_only_above: Some(1000),
        };
        #[rustfmt::skip]
        let cases = [
            ("/a.html", Some("text/html"),       Some(10),   None),
            ("/a.ISO",  Some("text/plain"),      None,       Some("suffix .Iso")),
            ("/a",      Some("video/mp4"),       None,       Some("media type video/mp4 (video/*)")),
            ("/a",      Some("application/zip"), None,       Some("media type application/zip (application/zip)")),
            ("/a",      None,                    Some(1001), Some("1001 bytes, more than 1000")),
            ("/a",      None,                    None,       None),
        ];
        for (path, media_type, length, expected) in cases {
            assert_eq!(rules.refusal(path, media_type, length).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn labels_go_by_the_nearest_domain() {
        let url = |text: &str| Url::parse(text).unwrap();
        let (uni, law) = (url("https://www.uni.example/"), url("http://law.uni.example/"));
        let institutions = Institutions::new([("U", &uni), ("L", &law)]);
        let label = |text| institutions.label(&Origin::parse(text).unwrap());
        assert_eq!(label("http://math.uni.example:8080"), Some("U"));
        assert_eq!(label("http://www.law.uni.example"), Some("L"));
        assert_eq!(label("http://elsewhere.example"), None);
    }
}
