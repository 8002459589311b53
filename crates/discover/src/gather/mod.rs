//! Phase one: the reference values of an organisation, from one domain of it.
//!
//! The addresses of the root, of its name servers and of its mail exchangers lead to address
//! registries, these to ranges. A range counts only if its holder is the organisation: a provider's
//! or a research network's block is named and refused, with the reason. Whatever cannot be found
//! out stays an open question in the profile; nothing is guessed in its place.

mod ranges;
pub(crate) mod tokens;

use crate::imprint::{ImprintText, imprint_addresses};
use crate::judge::own_mail_domain;
use crate::lookup::{self, Lookups};
use crate::profile::{MailServer, NameServer, Profile};
use crate::registrable::registrable_domain;
use crate::registration::RegistrationState;
use crate::similarity::{MailDomainKind, mail_domain_kind};
use auslese_markup::{Page, parse};
use auslese_model::{Cause, HostName, Timestamp};
use auslese_net::RecordKind;
use ranges::{Ranges, Start};
use std::net::IpAddr;
use url::Url;

/// Name servers and mail exchangers that are looked at, of each.
const MAX_SERVERS: usize = 16;

/// What phase one may take for the organisation's own.
#[derive(Debug, Clone, PartialEq)]
pub struct GatherSettings {
    /// Similarity of names from which on they count as the same.
    pub similarity: f64,
    /// The largest IPv4 block that is believed to be one organisation's, as a prefix length.
    pub shortest_v4_prefix: u8,
    /// The same for IPv6.
    pub shortest_v6_prefix: u8,
    /// Whether the start page and its imprint are read.
    pub imprint: bool,
}

impl Default for GatherSettings {
    fn default() -> GatherSettings {
        GatherSettings {
            similarity: 0.9,
            shortest_v4_prefix: 13,
            shortest_v6_prefix: 28,
            imprint: true,
        }
    }
}

/// Asks registries, name servers and the start page about an organisation.
pub async fn gather(
    lookups: &Lookups,
    label: &str,
    start: &Url,
    settings: &GatherSettings,
) -> Profile {
    let root = HostName::of(start);
    let mut gathering = Gathering {
        lookups,
        settings,
        profile: Profile::new(label, root.clone().unwrap_or_else(unnamed), Timestamp::now()),
    };
    if root.is_some() {
        gathering.run(start).await;
    }
    gathering.profile
}

/// A fetched page as a tree.
pub(crate) fn read_page(page: &lookup::Page) -> Page {
    let content_type = page.content_type.as_deref().unwrap_or_default();
    let parameters = content_type.split(';').skip(1);
    let charset =
        parameters.filter_map(|parameter| parameter.split_once('=')).find_map(|(name, value)| {
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
        });
    parse(&page.body, charset)
}

/// Why an answer leaves the registrant open; a registrant that is hidden is no open question.
fn no_registrant(state: RegistrationState) -> Option<&'static str> {
    match state {
        RegistrationState::Throttled => Some("the registry wants to be asked later"),
        RegistrationState::Error => Some("the registry's answer cannot be read"),
        RegistrationState::NotFound => Some("the registry does not know the domain"),
        RegistrationState::Found | RegistrationState::Redacted => None,
    }
}

/// Web addresses always have a host; this stands for one that has none.
fn unnamed() -> HostName {
    HostName::parse("invalid").expect("a plain word is a host name")
}

struct Gathering<'a> {
    lookups: &'a Lookups,
    settings: &'a GatherSettings,
    profile: Profile,
}

impl Gathering<'_> {
    async fn run(&mut self, start: &Url) {
        let root = self.profile.root.clone();
        let mut starts = Vec::new();
        if let Some(address) = root.address() {
            starts.push(Start { address, found_by: format!("the address {address}") });
            if let Some(name) = self.name_of(address).await {
                self.domains(&name);
            }
        } else {
            self.domains(&root);
            starts.extend(self.located(&root, "address").await);
        }
        if let Some(domain) = self.domain() {
            self.name_servers(&domain).await;
            self.mail_servers(&domain).await;
            self.registration(&domain).await;
            self.tokens(&domain).await;
        }
        if self.settings.imprint {
            self.start_page(start).await;
        }
        self.name();
        let servers = self.profile.name_servers.iter();
        let servers = servers.map(|it| (&it.host, &it.addresses, "name server"));
        let mail = self.profile.mail_servers.iter();
        let mail = mail.map(|it| (&it.host, &it.addresses, "mail exchanger"));
        for (host, addresses, what) in servers.chain(mail) {
            starts.extend(addresses.iter().map(|address| Start {
                address: *address,
                found_by: format!("address {address} of the {what} {host}"),
            }));
        }
        let ranges = Ranges::find(self.lookups, &self.profile, self.settings, starts).await;
        if self.profile.name.is_none() && root.address().is_some() {
            // Whoever names an organisation by its address means whoever holds it.
            self.profile.name = ranges.own.first().map(|range| range.holder.clone());
        }
        self.profile.ranges = ranges.own;
        self.profile.refused_ranges = ranges.refused;
        self.profile.open.extend(ranges.open);
        self.mark_own_servers();
    }

    /// The reverse name of an address, if it leads back: anybody can give an address any name.
    async fn name_of(&mut self, address: IpAddr) -> Option<HostName> {
        let names = match self.lookups.pointers(address).await {
            Ok(told) => told.value,
            Err(cause) => {
                self.leave_open(&format!("the reverse name of {address}"), &cause);
                return None;
            }
        };
        for name in names.into_iter().take(MAX_SERVERS) {
            if self.addresses(&name).await.contains(&address) {
                return Some(name);
            }
        }
        None
    }

    fn domain(&self) -> Option<HostName> {
        HostName::parse(self.profile.domains.first()?)
    }

    fn domains(&mut self, root: &HostName) {
        let domain = registrable_domain(root).unwrap_or(root.as_str()).to_owned();
        self.profile.mail_domains.push(domain.clone());
        self.profile.domains.push(domain);
    }

    /// The addresses of a host, or an open question.
    async fn located(&mut self, host: &HostName, what: &str) -> Vec<Start> {
        let addresses = self.addresses(host).await;
        let start = |address: IpAddr| Start { address, found_by: format!("{what} of {host}") };
        addresses.into_iter().map(start).collect()
    }

    async fn addresses(&mut self, host: &HostName) -> Vec<IpAddr> {
        match self.lookups.addresses(host).await {
            Ok(told) => told.value,
            Err(cause) => {
                self.leave_open(&format!("the addresses of {host}"), &cause);
                Vec::new()
            }
        }
    }

    async fn name_servers(&mut self, domain: &HostName) {
        let servers = match self.lookups.zone(domain).await {
            Ok(told) => told.value.name_servers,
            Err(cause) => return self.leave_open("the name servers", &cause),
        };
        for host in servers.into_iter().take(MAX_SERVERS) {
            self.name_server(host).await;
        }
    }

    async fn name_server(&mut self, host: HostName) {
        let addresses = self.addresses(&host).await;
        let server = NameServer { host, addresses, own: false, why: String::new() };
        self.profile.name_servers.push(server);
    }

    async fn mail_servers(&mut self, domain: &HostName) {
        let exchangers = match self.lookups.exchangers(domain.as_str()).await {
            Ok(told) => told.value,
            Err(cause) => return self.leave_open("the mail exchangers", &cause),
        };
        for host in exchangers.into_iter().take(MAX_SERVERS) {
            let addresses = self.addresses(&host).await;
            self.profile.mail_servers.push(MailServer { host, addresses, own: false });
        }
    }

    async fn registration(&mut self, domain: &HostName) {
        match self.lookups.registration(domain.as_str()).await {
            Ok(told) => {
                let registration = told.value;
                if let (true, Some(cause)) = (registration.registrant.is_empty(), &told.open) {
                    self.leave_open("the registrant", cause);
                } else if let Some(why) = no_registrant(registration.state) {
                    self.profile.open.push(format!("the registrant: {why}"));
                }
                self.profile.registrant = registration.registrant;
                self.registered_servers(&registration.name_servers).await;
            }
            Err(cause) => self.leave_open("the registrant", &cause),
        }
        let email = self.profile.registrant.email.as_deref();
        // Mailers, registrars and privacy services write addresses for many.
        let email = email.filter(|email| mail_domain_kind(email) == Some(MailDomainKind::Own));
        let domain = email.and_then(|email| email.rsplit_once('@'));
        if let Some(domain) = domain.map(|(_, at)| at.to_lowercase())
            && !self.profile.mail_domains.contains(&domain)
        {
            self.profile.mail_domains.push(domain);
        }
    }

    /// Name servers that the registry knows and the zone itself does not name.
    async fn registered_servers(&mut self, names: &[String]) {
        for host in names.iter().take(MAX_SERVERS).filter_map(|name| HostName::parse(name)) {
            if self.profile.name_servers.iter().all(|known| known.host != host) {
                self.name_server(host).await;
            }
        }
    }

    async fn tokens(&mut self, domain: &HostName) {
        match self.lookups.records(domain.as_str(), RecordKind::Txt).await {
            Ok(told) => self.profile.tokens.extend(tokens::of_zone(&told.value)),
            Err(cause) => self.leave_open("the text records", &cause),
        }
    }

    /// What the start page and the imprint say.
    async fn start_page(&mut self, start: &Url) {
        let mut page = self.lookups.page(start).await;
        let mut plain = start.clone();
        // Who names a domain does not know which of the two its server speaks.
        if page.is_err() && plain.set_scheme("http").is_ok() && plain != *start {
            page = self.lookups.page(&plain).await.or(page);
        }
        let page = match page {
            Ok(page) => page,
            Err(cause) => return self.leave_open("the start page", &cause),
        };
        let read = read_page(&page);
        self.profile.tokens.extend(tokens::of_page(&read));
        for url in imprint_addresses(&read, &page.url) {
            let Ok(page) = self.lookups.page(&url).await else { continue };
            if page.status != 200 {
                continue;
            }
            let imprint = ImprintText::read(&read_page(&page).text());
            let own = |email: &str| own_mail_domain(&self.profile, email).is_some();
            let mut party = imprint.party(|_| 0.0, 1.0, own);
            party.organization = imprint.likely_body().map(str::to_owned);
            self.profile.imprint = party;
            self.profile.vat_ids = imprint.vat_ids;
            return;
        }
    }

    /// What the organisation is called: by the registry, or else by its imprint.
    fn name(&mut self) {
        let registered = self.profile.registrant.holder();
        let name = registered.or(self.profile.imprint.organization.as_deref());
        self.profile.name = name.map(str::to_owned);
    }

    fn mark_own_servers(&mut self) {
        let profile = &self.profile;
        let own = |host: &HostName, addresses: &[IpAddr]| {
            if profile.owns_name(host) {
                return Some("its name is in a domain of the organisation".to_owned());
            }
            let range = addresses.iter().find_map(|address| profile.range_of(*address))?;
            Some(format!("its address is in {}", range.net))
        };
        let servers: Vec<_> =
            profile.name_servers.iter().map(|it| own(&it.host, &it.addresses)).collect();
        let mail: Vec<bool> =
            profile.mail_servers.iter().map(|it| own(&it.host, &it.addresses).is_some()).collect();
        for (server, own) in self.profile.name_servers.iter_mut().zip(servers) {
            server.own = own.is_some();
            server.why = own.unwrap_or_else(|| "it serves others as well".to_owned());
        }
        for (server, own) in self.profile.mail_servers.iter_mut().zip(mail) {
            server.own = own;
        }
    }

    fn leave_open(&mut self, what: &str, cause: &Cause) {
        self.profile.open.push(format!("{what}: {cause}"));
    }
}
