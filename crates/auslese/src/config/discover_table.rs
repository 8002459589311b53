//! The table `[discover]` as types: how hosts are judged, how registries are asked, what is scanned.

use super::settings::Time;
use super::text_forms::network;
use auslese_discover::lookup::{About, LookupSettings, QueryForm, RegistryOrder};
use auslese_discover::scan::ScanRules;
use auslese_discover::{GatherSettings, JudgeSettings, Method, NetCounts, Weights};
use auslese_model::Indicator;
use ipnet::IpNet;
use serde::{Deserialize, Deserializer, de::Error as _};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct DiscoverTable {
    method: Method,
    net: NetCounts,
    similarity: f64,
    member: f64,
    review: f64,
    off: Vec<Indicator>,
    always: Vec<String>,
    never: Vec<String>,
    keep: Time,
    retry: Time,
    patience: Time,
    pub(crate) at_once: usize,
    pub(crate) bridge_hops: usize,
    pub(crate) sweep: bool,
    imprint: bool,
    /// Files with names to judge.
    pub(crate) imports: Vec<PathBuf>,
    /// Files with names that belong.
    pub(crate) own_hosts: Vec<PathBuf>,
    shortest_v4_prefix: u8,
    shortest_v6_prefix: u8,
    weights: Weights,
    lookup: LookupTable,
    pub(crate) scan: ScanTable,
}

impl DiscoverTable {
    pub(crate) fn judge_settings(&self) -> JudgeSettings {
        JudgeSettings {
            method: self.method,
            net: self.net,
            similarity: self.similarity,
            member: self.member,
            review: self.review,
            weights: self.weights.clone(),
            off: self.off.clone(),
            always: self.always.clone(),
            never: self.never.clone(),
            keep: self.keep.0,
            retry: self.retry.0,
        }
    }

    pub(crate) fn gather_settings(&self) -> GatherSettings {
        GatherSettings {
            similarity: self.similarity,
            shortest_v4_prefix: self.shortest_v4_prefix,
            shortest_v6_prefix: self.shortest_v6_prefix,
            imprint: self.imprint,
        }
    }

    pub(crate) fn patience(&self) -> Duration {
        self.patience.0
    }

    pub(crate) fn lookup_settings(&self) -> LookupSettings {
        let table = &self.lookup;
        let by_ending = |registries: &[Registry]| {
            let pair = |it: &Registry| (it.ending.clone(), it.server.clone());
            registries.iter().map(pair).collect()
        };
        let query = |it: &Query| QueryForm {
            server: it.server.clone(),
            about: it.about,
            line: it.line.clone(),
        };
        LookupSettings {
            order: table.order,
            whois_servers: by_ending(&table.whois_servers),
            whois_queries: table.whois_queries.iter().map(query).collect(),
            whois_root: table.whois_root.clone(),
            rdap_servers: by_ending(&table.rdap_servers),
            rdap_bootstrap: table.rdap_bootstrap.clone(),
            interval: table.interval.0,
            burst: table.burst,
            back_off: table.back_off.0,
            back_off_max: table.back_off_max.0,
            dead_after: table.dead_after,
            dead_for: table.dead_for.0,
            question: table.question.0,
            keep_found: table.keep_found.0,
            keep_absent: table.keep_absent.0,
            keep_failed: table.keep_failed.0,
            keep_dns_min: table.keep_dns_min.0,
            keep_dns_max: table.keep_dns_max.0,
            whois_bytes: table.whois_bytes,
            networks_bytes: table.networks_bytes,
            page_bytes: table.page_bytes,
            redirects: table.redirects,
            agent: table.agent.clone(),
            memory_bytes: table.memory_bytes,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
struct LookupTable {
    order: RegistryOrder,
    whois_servers: Vec<Registry>,
    whois_queries: Vec<Query>,
    whois_root: String,
    rdap_servers: Vec<Registry>,
    rdap_bootstrap: String,
    interval: Time,
    burst: u32,
    back_off: Time,
    back_off_max: Time,
    dead_after: u32,
    dead_for: Time,
    question: Time,
    keep_found: Time,
    keep_absent: Time,
    keep_failed: Time,
    keep_dns_min: Time,
    keep_dns_max: Time,
    whois_bytes: usize,
    networks_bytes: usize,
    page_bytes: usize,
    redirects: u8,
    agent: String,
    memory_bytes: usize,
}

#[derive(Debug, Clone, Deserialize)]
struct Registry {
    ending: String,
    server: String,
}

#[derive(Debug, Clone, Deserialize)]
struct Query {
    server: String,
    about: About,
    line: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ScanTable {
    pub(crate) on: bool,
    ports: Vec<u16>,
    #[serde(deserialize_with = "networks")]
    exclude: Vec<IpNet>,
    #[serde(deserialize_with = "networks")]
    i_own: Vec<IpNet>,
    large: bool,
    in_flight: usize,
    per_second: u32,
    patience: Time,
    answer: Time,
    pub(crate) vantage: String,
}

impl ScanTable {
    pub(crate) fn rules(&self) -> ScanRules {
        ScanRules {
            ports: self.ports.clone(),
            i_own: self.i_own.clone(),
            large: self.large,
            exclude: self.exclude.clone(),
            in_flight: self.in_flight,
            per_second: self.per_second,
            patience: self.patience.0,
            answer: self.answer.0,
        }
    }
}

fn networks<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<IpNet>, D::Error> {
    let texts = Vec::<String>::deserialize(input)?;
    texts.iter().map(|text| network(text).map_err(D::Error::custom)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn the_crates_agree_on_the_defaults() {
        let table = Config::default().discover;
        assert_eq!(table.judge_settings(), JudgeSettings::default());
        assert_eq!(table.lookup_settings(), LookupSettings::default());
        assert_eq!(table.gather_settings(), GatherSettings::default());
        assert_eq!(table.scan.rules(), ScanRules::default());
    }
}
