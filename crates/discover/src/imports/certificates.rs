//! Certificates in exports of logs: which names stand together in one.
//!
//! A name in a log only brings a host up; that one certificate names it together with a member says
//! something of their kinship. So the names of a certificate are kept together, each set of names
//! once. Certificates of providers, with the domains of many customers, say nothing and are left
//! out, as are those with a single name.

use crate::judge::DOMAINS_OF_ONE_OWNER;
use crate::registrable::registrable_domain;
use crate::vhosts::{HostText, read_host};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Most certificates with different names that are kept of one import.
pub(crate) const MAX_CERTIFICATES: usize = 200_000;

/// Most names of one certificate; authorities sign a hundred or two.
pub(crate) const MAX_NAMES: usize = 1_000;

/// A certificate of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportedCertificate {
    /// At least two, sorted, with `*.` for wildcards.
    pub names: Vec<String>,
    /// The line where it stands first, from 1.
    pub place: u64,
}

/// Certificates while a list is read.
#[derive(Debug, Default)]
pub(super) struct Certificates {
    by_names: BTreeMap<Vec<String>, u64>,
}

impl Certificates {
    /// Takes the names of one certificate; what names no host is passed over.
    pub(super) fn add<'a>(&mut self, names: impl Iterator<Item = &'a str>, place: u64) {
        if self.by_names.len() >= MAX_CERTIFICATES {
            return;
        }
        let names: BTreeSet<String> = names.filter_map(name_of).take(MAX_NAMES + 1).collect();
        if (2..=MAX_NAMES).contains(&names.len()) && is_of_one_owner(&names) {
            self.by_names.entry(names.into_iter().collect()).or_insert(place);
        }
    }

    pub(super) fn into_list(self) -> Vec<ImportedCertificate> {
        let certificate = |(names, place)| ImportedCertificate { names, place };
        self.by_names.into_iter().map(certificate).collect()
    }
}

fn name_of(text: &str) -> Option<String> {
    let text = text.trim();
    let (base, star) = match text.strip_prefix("*.") {
        Some(base) => (base, "*."),
        None => (text, ""),
    };
    match read_host(base) {
        HostText::Name(host) => Some(format!("{star}{host}")),
        HostText::Address(_) | HostText::Not(_) => None,
    }
}

fn is_of_one_owner(names: &BTreeSet<String>) -> bool {
    let hosts = names
        .iter()
        .filter_map(|name| auslese_model::HostName::parse(name.strip_prefix("*.").unwrap_or(name)));
    let domains: BTreeSet<String> =
        hosts.filter_map(|host| registrable_domain(&host).map(str::to_owned)).collect();
    domains.len() <= DOMAINS_OF_ONE_OWNER
}
