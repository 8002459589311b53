//! Questions in RDAP (RFC 7480, RFC 9082): the bootstrap files, and objects of registries.
//!
//! The answer is kept as the server sent it. The key's question is the address asked for, also if
//! the server redirected to another.

use super::Lookups;
use super::asked::{Asked, Trouble};
use super::bootstrap::{Bootstrap, base};
use super::http::{Got, server_name};
use super::told::Told;
use crate::rdap::parse_rdap;
use crate::registration::{Registration, RegistrationState};
use auslese_model::{Cause, CauseKind, LookupAnswer, LookupKey, LookupKind, LookupRecord};
use std::net::IpAddr;
use std::sync::Arc;
use url::Url;

/// What an answer should be.
#[derive(Debug, Clone, Copy)]
enum Expected {
    Bootstrap,
    Object,
}

impl Expected {
    fn state(self, body: &[u8]) -> RegistrationState {
        match self {
            Expected::Object => parse_rdap(body).state,
            Expected::Bootstrap if Bootstrap::parse(body).is_some() => RegistrationState::Found,
            Expected::Bootstrap => RegistrationState::Error,
        }
    }
}

impl Lookups {
    /// What the registry says about a domain, completed by the registrar if the registry refers to
    /// it instead of naming the holder. `None` if no server is known.
    pub(super) async fn rdap_domain(
        &self,
        domain: &str,
    ) -> Result<Option<Told<Registration>>, Trouble> {
        let Some(base) = self.rdap_base_for_domain(domain).await? else { return Ok(None) };
        let url = object_url(&base, &["domain", domain]);
        let told = Told::read(&*self.rdap_object(&url).await?)?;
        let refer = told.value.refer.as_deref().and_then(|refer| Url::parse(refer).ok());
        match refer.filter(|refer| !told.names_holder() && *refer != url) {
            None => Ok(Some(told)),
            Some(refer) => {
                let more = self.rdap_object(&refer).await.and_then(|record| Told::read(&record));
                Ok(Some(match more {
                    Ok(more) => told.completed_by(more),
                    Err(Trouble::Failed(cause)) => told.with_open(Some(cause)),
                    Err(missing) => return Err(missing),
                }))
            }
        }
    }

    /// What the registry says about the network of an address. `None` if no server is known.
    pub(super) async fn rdap_network(
        &self,
        address: IpAddr,
    ) -> Result<Option<Told<Registration>>, Trouble> {
        let Some(base) = self.rdap_base_for_address(address).await? else { return Ok(None) };
        let url = object_url(&base, &["ip", &address.to_string()]);
        Ok(Some(Told::read(&*self.rdap_object(&url).await?)?))
    }

    /// What the registry of an address says about an organisation. `None` if no server is known.
    pub(super) async fn rdap_organisation(
        &self,
        handle: &str,
        address: IpAddr,
    ) -> Result<Option<Arc<LookupRecord>>, Trouble> {
        let Some(base) = self.rdap_base_for_address(address).await? else { return Ok(None) };
        self.rdap_object(&object_url(&base, &["entity", handle])).await.map(Some)
    }

    async fn rdap_base_for_domain(&self, domain: &str) -> Result<Option<Url>, Trouble> {
        if let Some(listed) = self.shared.registries.rdap_base(domain) {
            return Ok(base(listed));
        }
        let bootstrap = self.bootstrap("dns.json").await?;
        Ok(bootstrap.and_then(|bootstrap| bootstrap.for_domain(domain).cloned()))
    }

    async fn rdap_base_for_address(&self, address: IpAddr) -> Result<Option<Url>, Trouble> {
        let file = if address.is_ipv4() { "ipv4.json" } else { "ipv6.json" };
        let bootstrap = self.bootstrap(file).await?;
        Ok(bootstrap.and_then(|bootstrap| bootstrap.for_address(address).cloned()))
    }

    async fn bootstrap(&self, file: &str) -> Result<Option<Bootstrap>, Trouble> {
        let Some(url) = base(&self.shared.settings.rdap_bootstrap) else { return Ok(None) };
        let Ok(url) = url.join(file) else { return Ok(None) };
        let record = self.rdap(&url, Expected::Bootstrap).await?;
        match &record.answer {
            LookupAnswer::Found(bytes) => Ok(Some(Bootstrap::parse(bytes).ok_or_else(|| {
                Cause::new(CauseKind::Protocol, format!("{url} is no list of RDAP servers"))
            })?)),
            LookupAnswer::Absent(_) => Ok(None),
            LookupAnswer::Failed(cause) => Err(Trouble::Failed(cause.clone())),
        }
    }

    async fn rdap_object(&self, url: &Url) -> Result<Arc<LookupRecord>, Trouble> {
        self.rdap(url, Expected::Object).await
    }

    async fn rdap(&self, url: &Url, expected: Expected) -> Result<Arc<LookupRecord>, Trouble> {
        let key = LookupKey {
            kind: LookupKind::Rdap,
            server: server_name(url),
            question: url.to_string(),
        };
        self.ask(key, self.rdap_asked(url, expected)).await
    }

    async fn rdap_asked(&self, url: &Url, expected: Expected) -> Asked {
        let settings = &self.shared.settings;
        let until = self.deadline();
        let mut url = url.clone();
        for _ in 0..=settings.redirects {
            let got = match self.get(&self.shared.registry_net, &url, until).await {
                Ok(got) => got,
                Err(vain) => return Asked::vain(vain, settings),
            };
            match got.location {
                // Never from https to http: what is said there can be changed on the way.
                Some(next) if url.scheme() == "http" || next.scheme() == "https" => url = next,
                _ => return self.rdap_answer(&url, got, expected),
            }
        }
        let detail = format!("more than {} from {url}", settings.redirects);
        Asked::failed(Cause::new(CauseKind::Redirects, detail), settings.keep_failed)
    }

    fn rdap_answer(&self, url: &Url, got: Got, expected: Expected) -> Asked {
        let settings = &self.shared.settings;
        let Got { status, body, .. } = got;
        let failed = |kind| {
            let detail = format!("{}: status {status}", server_name(url));
            Asked::failed(Cause::new(kind, detail), settings.keep_failed)
        };
        match status {
            404 => return Asked::absent(&body, settings.keep_absent),
            200..=299 => {}
            500.. => return failed(CauseKind::ServerBusy),
            _ => return failed(CauseKind::Url),
        }
        match expected.state(&body) {
            RegistrationState::Found | RegistrationState::Redacted => {
                Asked::found(body, settings.keep_found)
            }
            RegistrationState::NotFound => Asked::absent(&body, settings.keep_absent),
            RegistrationState::Throttled => {
                let server = server_name(url);
                let pause = self.shared.turns.throttled(&server, None);
                let detail = format!("{server}: too many questions");
                Asked::failed(Cause::new(CauseKind::ServerBusy, detail), pause)
            }
            // Kept for a better reader, but not for long.
            RegistrationState::Error => Asked::found(body, settings.keep_absent),
        }
    }
}

/// The address of an object: each part is one segment of the path.
fn object_url(base: &Url, parts: &[&str]) -> Url {
    let mut url = base.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(parts);
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_objects() {
        let base = base("https://rdap.nominet.example/uk").unwrap();
        #[rustfmt::skip]
        let cases = [
            (["domain", "uni.uk"],    "https://rdap.nominet.example/uk/domain/uni.uk"),
            (["ip", "2001:db8::1"],   "https://rdap.nominet.example/uk/ip/2001:db8::1"),
            (["entity", "A/../B?x"],  "https://rdap.nominet.example/uk/entity/A%2F..%2FB%3Fx"),
        ];
        for (parts, expected) in cases {
            assert_eq!(object_url(&base, &parts).as_str(), expected);
        }
    }
}
