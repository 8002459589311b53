//! Who holds a domain: which services are asked, and in which order.

use super::Lookups;
use super::asked::Trouble;
use super::registries::is_askable;
use super::settings::RegistryOrder;
use super::told::{Told, joined};
use crate::registrable::registrable_domain;
use crate::registration::{Registration, RegistrationState};
use auslese_model::{Cause, CauseKind, HostName, Timestamp};

/// A service of a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    Rdap,
    Whois,
}

impl RegistryOrder {
    pub(super) fn services(self) -> &'static [Service] {
        match self {
            RegistryOrder::RdapThenWhois => &[Service::Rdap, Service::Whois],
            RegistryOrder::WhoisThenRdap => &[Service::Whois, Service::Rdap],
            RegistryOrder::RdapOnly => &[Service::Rdap],
            RegistryOrder::WhoisOnly => &[Service::Whois],
        }
    }
}

/// What the services of a registry said so far.
#[derive(Debug, Default)]
pub(super) struct Heard {
    told: Option<Told<Registration>>,
    open: Option<Cause>,
}

impl Heard {
    /// Adds what a service said; a missing answer of a replay ends it.
    pub(super) fn hear(
        &mut self,
        said: Result<Option<Told<Registration>>, Trouble>,
    ) -> Result<(), Trouble> {
        match said {
            Ok(None) => {}
            Ok(Some(next)) => {
                self.told = Some(match self.told.take() {
                    Some(earlier) => earlier.completed_by(next),
                    None => next,
                });
            }
            Err(Trouble::Failed(cause)) => self.open = joined(self.open.take(), Some(cause)),
            Err(missing) => return Err(missing),
        }
        Ok(())
    }

    pub(super) fn names_holder(&self) -> bool {
        self.told.as_ref().is_some_and(Told::names_holder)
    }

    /// The whole answer. What failed is of no interest once the holder is known.
    pub(super) fn conclude(self, subject: &str) -> Result<Told<Registration>, Trouble> {
        let Heard { told, open } = self;
        match told {
            Some(told) if told.names_holder() => Ok(Told { open: None, ..told }),
            Some(told) => Ok(told.with_open(open)),
            None => Err(Trouble::Failed(open.unwrap_or_else(|| {
                Cause::new(CauseKind::Connect, format!("no registry is known for {subject}"))
            }))),
        }
    }
}

impl Lookups {
    /// What is registered about a domain, or about the registrable domain of a host.
    ///
    /// A domain that a company hands out to its customers (`project.github.io`) is in no registry:
    /// it is not found, and nobody is asked, unless its ending has a registry in the tables.
    pub async fn registration(&self, domain: &str) -> Result<Told<Registration>, Cause> {
        let host = HostName::parse(domain);
        let domain = host.as_ref().and_then(registrable_domain).ok_or_else(|| {
            let detail = format!("{domain} is no domain that somebody registered");
            Cause::new(CauseKind::NoSuchName, detail)
        })?;
        if !is_askable(domain) {
            let detail = format!("{domain} cannot be the name of a registered domain");
            return Err(Cause::new(CauseKind::NoSuchName, detail));
        }
        if self.is_handed_out_by_a_company(domain) {
            let absent = Registration::empty(RegistrationState::NotFound);
            return Ok(Told::new(absent, "Public Suffix List", Timestamp::now()));
        }
        self.registration_of(domain).await.map_err(Cause::from)
    }

    async fn registration_of(&self, domain: &str) -> Result<Told<Registration>, Trouble> {
        let mut heard = Heard::default();
        for service in self.shared.settings.order.services() {
            heard.hear(match service {
                Service::Rdap => self.rdap_domain(domain).await,
                Service::Whois => self.whois_domain(domain).await,
            })?;
            if heard.names_holder() {
                break;
            }
        }
        heard.conclude(domain)
    }

    fn is_handed_out_by_a_company(&self, domain: &str) -> bool {
        let Some(suffix) = psl::suffix(domain.as_bytes()) else { return false };
        suffix.typ() == Some(psl::Type::Private)
            && !std::str::from_utf8(suffix.as_bytes())
                .is_ok_and(|suffix| self.shared.registries.lists(suffix))
    }
}
