//! Questions in WHOIS (RFC 3912): one line, one answer, who is responsible.
//!
//! A domain costs one question to its registry and at most one more to the registrar it refers to;
//! an address costs the root's referral and the registries it leads to.

use super::Lookups;
use super::asked::{Asked, Trouble, Vain};
use super::registries::{About, WhoisServer};
use super::told::Told;
use crate::registration::{Registration, RegistrationState};
use crate::whois::parse_whois;
use auslese_model::{Cause, CauseKind, LookupAnswer, LookupKey, LookupKind, LookupRecord};
use auslese_net::ConverseLimits;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::time::Instant;

/// Servers asked about one address: the root, a registry, and the one it handed the block to.
const ADDRESS_SERVERS: usize = 3;

impl Lookups {
    /// What the registry says about a domain, completed by the registrar if the registry refers to
    /// it instead of naming the holder. `None` if no server is known.
    pub(super) async fn whois_domain(
        &self,
        domain: &str,
    ) -> Result<Option<Told<Registration>>, Trouble> {
        let Some(server) = self.whois_server(domain).await? else { return Ok(None) };
        let told = Told::read(&*self.whois(&server, About::Domain, domain).await?)?;
        let refer = referral(&told.value, &server).filter(|_| !told.names_holder());
        let Some(registrar) = refer else { return Ok(Some(told)) };
        let more = self.whois(&registrar, About::Domain, domain).await;
        Ok(Some(match more.and_then(|record| Told::read(&record)) {
            Ok(more) => told.completed_by(more),
            Err(Trouble::Failed(cause)) => told.with_open(Some(cause)),
            Err(missing) => return Err(missing),
        }))
    }

    /// What the registry says about the network of an address. `None` if the root knows none.
    pub(super) async fn whois_network(
        &self,
        address: IpAddr,
    ) -> Result<Option<Told<Registration>>, Trouble> {
        let Some(root) = self.whois_root() else { return Ok(None) };
        let question = address.to_string();
        let referral_of_root = Told::read(&*self.whois(&root, About::Address, &question).await?)?;
        let mut next = referral(&referral_of_root.value, &root);
        let mut told: Option<Told<Registration>> = None;
        for _ in 1..ADDRESS_SERVERS {
            let Some(server) = next.take() else { break };
            match (self.whois_network_at(&server, &question).await, told.take()) {
                (Ok(answer), earlier) => {
                    next = referral(&answer.value, &server);
                    // Who is referred to knows the block better than who refers.
                    let better = earlier.filter(|_| answer.value.net_range.is_empty());
                    told = Some(better.unwrap_or(answer));
                }
                (Err(Trouble::Failed(cause)), Some(earlier)) => {
                    told = Some(earlier.with_open(Some(cause)));
                }
                (Err(trouble), _) => return Err(trouble),
            }
        }
        Ok(told)
    }

    /// The networks of an organisation as its registry lists them; `None` if the registry is not
    /// known, or not known to answer such questions.
    pub(super) async fn whois_networks_of(
        &self,
        handle: &str,
    ) -> Result<Option<Arc<LookupRecord>>, Trouble> {
        let registries = &self.shared.registries;
        let server = registries.server_of_handle(handle).and_then(WhoisServer::parse);
        match server {
            Some(server) if registries.line(&server.name(), About::Networks, handle).is_some() => {
                self.whois(&server, About::Networks, handle).await.map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A network with its organisation. Contact objects are not asked for, and the organisation
    /// counts as one; so where the network only names its handle, that is a question of its own.
    async fn whois_network_at(
        &self,
        server: &WhoisServer,
        address: &str,
    ) -> Result<Told<Registration>, Trouble> {
        let record = self.whois(server, About::Address, address).await?;
        let told = Told::read(&record)?;
        let LookupAnswer::Found(network) = &record.answer else { return Ok(told) };
        let Some(handle) = told.value.org_handle.clone().filter(|_| !tells_organisation(network))
        else {
            return Ok(told);
        };
        if self.shared.registries.line(&server.name(), About::Organisation, &handle).is_none() {
            return Ok(told);
        }
        match self.whois(server, About::Organisation, &handle).await {
            Ok(organisation) => Ok(match &organisation.answer {
                LookupAnswer::Found(organisation) => {
                    told.map(|_| parse_whois(&[network, &b"\n\n"[..], organisation].concat()))
                }
                LookupAnswer::Absent(_) => told,
                LookupAnswer::Failed(cause) => told.with_open(Some(cause.clone())),
            }),
            Err(Trouble::Failed(cause)) => Ok(told.with_open(Some(cause))),
            Err(missing) => Err(missing),
        }
    }

    /// The server for a domain: from the table, or as the root says for its ending.
    async fn whois_server(&self, domain: &str) -> Result<Option<WhoisServer>, Trouble> {
        if let Some(listed) = self.shared.registries.whois_server(domain) {
            return Ok(WhoisServer::parse(listed));
        }
        let Some(root) = self.whois_root() else { return Ok(None) };
        let ending = domain.rsplit('.').next().unwrap_or(domain);
        let told = Told::read(&*self.whois(&root, About::Domain, ending).await?)?;
        Ok(referral(&told.value, &root))
    }

    fn whois_root(&self) -> Option<WhoisServer> {
        WhoisServer::parse(&self.shared.settings.whois_root)
    }

    async fn whois(
        &self,
        server: &WhoisServer,
        about: About,
        name: &str,
    ) -> Result<Arc<LookupRecord>, Trouble> {
        let line = self.shared.registries.line(&server.name(), about, name);
        let question = line.unwrap_or_else(|| name.to_owned());
        let key = LookupKey { kind: LookupKind::Whois, server: server.name(), question };
        let ask = self.whois_asked(server, about, key.question.clone());
        self.ask(key, ask).await
    }

    async fn whois_asked(&self, server: &WhoisServer, about: About, line: String) -> Asked {
        let settings = &self.shared.settings;
        let bytes = match self.whois_said(server, settings.bytes_about(about), &line).await {
            Ok(bytes) => bytes,
            Err(vain) => return Asked::vain(vain, settings),
        };
        match parse_whois(&bytes).state {
            RegistrationState::Found | RegistrationState::Redacted => {
                Asked::found(bytes, settings.keep_found)
            }
            RegistrationState::NotFound => Asked::absent(&bytes, settings.keep_absent),
            RegistrationState::Throttled => {
                let pause = self.shared.turns.throttled(&server.name(), None);
                let detail = format!("{}: {}", server.name(), first_words(&bytes));
                Asked::failed(Cause::new(CauseKind::ServerBusy, detail), pause)
            }
            // Kept for a better reader, but not for long.
            RegistrationState::Error => Asked::found(bytes, settings.keep_absent),
        }
    }

    /// Says the line in the server's turn and returns what it says.
    async fn whois_said(
        &self,
        server: &WhoisServer,
        bytes: usize,
        line: &str,
    ) -> Result<Vec<u8>, Vain> {
        let until = self.deadline();
        let (turns, name) = (&self.shared.turns, server.name());
        turns.wait(&name, until).await.map_err(Vain::NoTurn)?;
        let limits =
            ConverseLimits { bytes, total: until.saturating_duration_since(Instant::now()) };
        let say = format!("{line}\r\n");
        let net = &self.shared.net;
        let said = net.converse(&server.host, server.port, say.as_bytes(), limits).await;
        let said = said.and_then(|said| match said.bytes.trim_ascii().is_empty() {
            false => Ok(said.bytes),
            true => Err(Cause::new(CauseKind::Closed, "not a word was said")),
        });
        match said {
            Ok(bytes) => {
                turns.answered(&name);
                Ok(bytes)
            }
            Err(cause) => {
                let cause = Cause::new(cause.kind, format!("{name}: {}", cause.detail));
                turns.failed(&name, &cause);
                Err(Vain::NoAnswer(cause))
            }
        }
    }
}

/// The other server that an answer names.
fn referral(told: &Registration, asked: &WhoisServer) -> Option<WhoisServer> {
    let server = WhoisServer::parse(told.refer.as_deref()?)?;
    (server != *asked).then_some(server)
}

/// Whether an answer holds the organisation itself, not only its handle.
fn tells_organisation(answer: &[u8]) -> bool {
    const KEY: &[u8] = b"organisation:";
    answer
        .split(|byte| *byte == b'\n')
        .any(|line| line.get(..KEY.len()).is_some_and(|start| start.eq_ignore_ascii_case(KEY)))
}

/// The beginning of an answer, for a message.
fn first_words(answer: &[u8]) -> String {
    const SHOWN: usize = 120;
    let text = String::from_utf8_lossy(answer);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(SHOWN).collect()
}
