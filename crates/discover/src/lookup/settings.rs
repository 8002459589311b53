//! Whom to ask, how often, how long, and how long an answer holds.

use super::registries::{About, QueryForm};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Where answers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LookupMode {
    /// Asks anew, whatever was known before; within a run each question is asked once.
    Live,
    /// Asks only what is not known, or too old.
    #[default]
    Cached,
    /// Like `Live`, and hands out everything a replay needs, failures and vain waits included.
    Record,
    /// Asks nobody. What is not known is an error that names the question.
    Replay,
}

/// Which of a registry's two services is asked first, and whether the other one is asked when the
/// first cannot be reached or names no holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegistryOrder {
    #[default]
    RdapThenWhois,
    WhoisThenRdap,
    RdapOnly,
    WhoisOnly,
}

/// The table `[discover.lookup]`; every field is a setting of the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LookupSettings {
    pub order: RegistryOrder,
    /// WHOIS servers by ending (`de`, `ac.uk`) or by the end of a handle (`-RIPE`), as
    /// `host` or `host:port`; they go before the built-in ones.
    pub whois_servers: BTreeMap<String, String>,
    /// What is sent to servers that want more than the bare name; before the built-in ones.
    pub whois_queries: Vec<QueryForm>,
    /// The server that knows all others. Default: "whois.iana.org".
    pub whois_root: String,
    /// RDAP servers by ending, as base addresses; they go before the built-in ones.
    pub rdap_servers: BTreeMap<String, String>,
    /// Where `dns.json`, `ipv4.json` and `ipv6.json` are (RFC 9224); empty: nowhere.
    /// Default: `https://data.iana.org/rdap/`.
    pub rdap_bootstrap: String,
    /// One question to a server in this time, on average. Default: "2s".
    #[serde(with = "duration_setting")]
    pub interval: Duration,
    /// Questions that a rested server gets at once. Default: 3.
    pub burst: u32,
    /// How long a server is left alone that says "too many questions" without saying how long;
    /// doubled each time it says so again. Default: "1m".
    #[serde(with = "duration_setting")]
    pub back_off: Duration,
    /// The longest time it is left alone, whatever it says. Default: "1h".
    #[serde(with = "duration_setting")]
    pub back_off_max: Duration,
    /// Questions in a row without an answer after which a server counts as dead. Default: 2.
    pub dead_after: u32,
    /// How long a dead server is not asked anything. Default: "5m".
    #[serde(with = "duration_setting")]
    pub dead_for: Duration,
    /// Time for one question to one server, waiting for its turn included. Default: "20s".
    #[serde(with = "duration_setting")]
    pub question: Duration,
    /// How long an answer holds. Default: "30d".
    #[serde(with = "duration_setting")]
    pub keep_found: Duration,
    /// How long "there is no such thing" holds, and an answer nobody can read. Default: "1d".
    #[serde(with = "duration_setting")]
    pub keep_absent: Duration,
    /// How long a question that failed is not asked again. Default: "5m".
    #[serde(with = "duration_setting")]
    pub keep_failed: Duration,
    /// Answers of the DNS hold as long as they say, but at least this. Default: "1h".
    #[serde(with = "duration_setting")]
    pub keep_dns_min: Duration,
    /// And at most this. Default: "1d".
    #[serde(with = "duration_setting")]
    pub keep_dns_max: Duration,
    /// Bytes read of a WHOIS answer. Default: 64 KiB; real ones have up to 20.
    pub whois_bytes: usize,
    /// Bytes read of the list of an organisation's networks. Default: 512 KiB.
    pub networks_bytes: usize,
    /// Bytes read of a page. Default: 512 KiB.
    pub page_bytes: usize,
    /// Redirects of a page or of an RDAP server that are followed. Default: 5.
    pub redirects: u8,
    /// The product token that groups in robots.txt are looked up by. Default: "auslese".
    pub agent: String,
    /// Bytes of answers held in memory; beyond, pages and DNS go before registries' answers, the
    /// oldest first. A replay holds everything. Default: 256 MiB.
    pub memory_bytes: usize,
}

impl Default for LookupSettings {
    fn default() -> LookupSettings {
        let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
        let days = |days: u64| minutes(days * 24 * 60);
        LookupSettings {
            order: RegistryOrder::default(),
            whois_servers: BTreeMap::new(),
            whois_queries: Vec::new(),
            whois_root: "whois.iana.org".to_owned(),
            rdap_servers: BTreeMap::new(),
            rdap_bootstrap: "https://data.iana.org/rdap/".to_owned(),
            interval: Duration::from_secs(2),
            burst: 3,
            back_off: minutes(1),
            back_off_max: minutes(60),
            dead_after: 2,
            dead_for: minutes(5),
            question: Duration::from_secs(20),
            keep_found: days(30),
            keep_absent: days(1),
            keep_failed: minutes(5),
            keep_dns_min: minutes(60),
            keep_dns_max: days(1),
            whois_bytes: 64 << 10,
            networks_bytes: 512 << 10,
            page_bytes: 512 << 10,
            redirects: 5,
            agent: "auslese".to_owned(),
            memory_bytes: 256 << 20,
        }
    }
}

impl LookupSettings {
    /// How much of a WHOIS answer is read.
    pub(super) fn bytes_about(&self, about: About) -> usize {
        match about {
            About::Networks => self.networks_bytes,
            About::Domain | About::Address | About::Organisation => self.whois_bytes,
        }
    }
}

/// Durations as people write them: `"20s"`.
mod duration_setting {
    use auslese_crawl::{duration_text, parse_duration};
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(
        duration: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&duration_text(*duration))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        parse_duration(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_read_back() {
        let settings = LookupSettings { order: RegistryOrder::WhoisOnly, ..Default::default() };
        let text = serde_json::to_string(&settings).unwrap();
        assert!(text.contains(r#""keep_found":"30d""#), "{text}");
        assert_eq!(serde_json::from_str::<LookupSettings>(&text).unwrap(), settings);
        assert!(serde_json::from_str::<LookupSettings>(r#"{"interval": 2}"#).is_err());
        assert!(serde_json::from_str::<LookupSettings>(r#"{"intervall": "2s"}"#).is_err());
    }
}
