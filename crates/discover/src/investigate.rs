//! Phase two: finds out about one host what the judgement asks for, the cheap things first.
//!
//! The judgement is pure and says which question is worth asking next; here it is asked, and the
//! answer becomes part of what is observed, until no answer could change the verdict.

mod hearsay;
mod pages;

use crate::gather::tokens;
use crate::judge::{
    Fact, HandDecision, Known, MailRoutes, Observed, Pointer, Question, Reached, Rule, RuleError,
    RuleSays, Rules, SeenCertificate, Thoroughness, Told, Zone, ZoneServer, judge_all, may_vouch,
    next_question, spf_terms,
};
use crate::lookup::{self, Lookups};
use crate::profile::Profile;
use crate::registrable::registrable_domain;
use crate::registration::{Registration, RegistrationState};
use crate::settings::JudgeSettings;
use auslese_model::{
    Cause, CauseKind, HostName, Indicator, LookupRecord, Membership, Timestamp, Verdict,
};
use auslese_net::RecordKind;
use hearsay::Hearsay;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// Servers of a zone, addresses of a host and reverse names of an address that are looked at.
const MAX_ZONE_SERVERS: usize = 8;

/// On what occasion a host is judged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Occasion {
    /// How one came to it, if that is known already.
    pub reached: Option<Reached>,
    /// Hosts with pages that lead to it, as far as known.
    pub linked_from: Vec<HostName>,
    pub thoroughness: Thoroughness,
}

/// Judges hosts by asking the world about them. Clones share what is known.
#[derive(Clone)]
pub struct Investigator {
    shared: Arc<Shared>,
}

struct Shared {
    lookups: Lookups,
    profiles: Vec<Profile>,
    settings: JudgeSettings,
    known: RwLock<Known>,
    hearsay: RwLock<Hearsay>,
}

impl fmt::Debug for Investigator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Investigator")
            .field("profiles", &self.shared.profiles.len())
            .finish_non_exhaustive()
    }
}

impl Investigator {
    pub fn new(
        lookups: Lookups,
        profiles: Vec<Profile>,
        settings: JudgeSettings,
        decisions: &[HandDecision],
    ) -> Result<Investigator, RuleError> {
        let known = Known { rules: Rules::new(&settings, decisions)?, ..Known::default() };
        Ok(Investigator {
            shared: Arc::new(Shared {
                lookups,
                profiles,
                settings,
                known: RwLock::new(known),
                hearsay: RwLock::default(),
            }),
        })
    }

    pub fn profiles(&self) -> &[Profile] {
        &self.shared.profiles
    }

    pub fn lookups(&self) -> &Lookups {
        &self.shared.lookups
    }

    /// When a verdict with open questions is worth another try.
    pub fn retry_after(&self) -> Duration {
        self.shared.settings.retry
    }

    /// Everything that was asked since the last call, for the store.
    pub fn take_new_lookups(&self) -> Vec<LookupRecord> {
        self.shared.lookups.take_new()
    }

    /// What scans found, for the settings by which only scanned addresses count.
    pub fn learn(&self, change: impl FnOnce(&mut Known)) {
        change(&mut write(&self.shared.known));
    }

    /// Notes a verdict, so that its host may speak for others, or may not any more.
    pub fn remember(&self, verdict: &Verdict) {
        let mut known = write(&self.shared.known);
        let denied = is_denied(&known.rules, &verdict.host);
        match &verdict.label {
            Some(label) if !denied && may_vouch(verdict, &self.shared.settings) => {
                known.members.insert(verdict.host.clone(), label.clone());
            }
            _ => _ = known.members.remove(&verdict.host),
        }
    }

    /// Follows these decisions of people from now on, and no others.
    pub fn set_decisions(&self, decisions: &[HandDecision]) -> Result<(), RuleError> {
        let rules = Rules::new(&self.shared.settings, decisions)?;
        let mut known = write(&self.shared.known);
        // Who accepted a host speaks for it no longer, or does so only now: its next verdict tells.
        let Known { rules: before, members, .. } = &mut *known;
        members.retain(|host, _| rules.on(host) == before.on(host));
        *before = rules;
        Ok(())
    }

    /// Whether people decided on any host at all.
    pub fn has_rules(&self) -> bool {
        read(&self.shared.known).rules != Rules::default()
    }

    /// What people decided on a host, in the settings or by hand.
    pub fn rule_on(&self, host: &HostName) -> Option<Rule> {
        read(&self.shared.known).rules.on(host).cloned()
    }

    /// Whether a verdict of an earlier run agrees with what people say now.
    pub fn agrees_with(&self, verdict: &Verdict) -> bool {
        let by_rule = verdict.decided_by == Some(Indicator::Rule);
        match self.rule_on(&verdict.host).map(|rule| rule.says) {
            Some(RuleSays::Always) => by_rule && verdict.membership == Membership::Member,
            Some(RuleSays::Never) => by_rule && verdict.membership == Membership::Foreign,
            None => !by_rule,
        }
    }

    /// The verdict on a host.
    pub async fn investigate(&self, host: &HostName) -> Verdict {
        self.investigate_as(host, Occasion::default()).await
    }

    /// The verdict on a host of which it is known how one came to it, or that is asked about in
    /// full.
    pub async fn investigate_as(&self, host: &HostName, occasion: Occasion) -> Verdict {
        let shared = &*self.shared;
        let Occasion { reached, linked_from, thoroughness } = occasion;
        let mut observed = Observed { linked_from, ..self.heard_of(host) };
        // In which network a host stands is wanted of every host, also where it decides nothing.
        if host.address().is_none() {
            self.ask(Question::Addresses, &mut observed).await;
        }
        while let Some(question) = self.next_question(&observed, thoroughness) {
            self.ask(question, &mut observed).await;
        }
        let verdict = {
            let known = read(&shared.known);
            let now = Timestamp::now();
            judge_all(&observed, &shared.profiles, &known, &shared.settings, reached, now)
        };
        let verdict = verdict.unwrap_or_else(|| nobody(host));
        self.remember(&verdict);
        self.learn_zone(&observed, &verdict);
        verdict
    }

    /// The next question worth asking for any of the organisations; none once one has claimed the
    /// host for good.
    fn next_question(&self, observed: &Observed, thoroughness: Thoroughness) -> Option<Question> {
        let shared = &*self.shared;
        let (known, settings, now) = (read(&shared.known), &shared.settings, Timestamp::now());
        if thoroughness == Thoroughness::UntilDecided {
            let verdict = judge_all(observed, &shared.profiles, &known, settings, None, now)?;
            if verdict.membership == Membership::Member {
                return None;
            }
        }
        let next = |profile| next_question(observed, profile, &known, settings, thoroughness, now);
        shared.profiles.iter().filter_map(next).min()
    }

    async fn ask(&self, question: Question, observed: &mut Observed) {
        let host = observed.host.clone();
        match question {
            Question::Addresses => {
                observed.addresses = match self.shared.lookups.addresses(&host).await {
                    Ok(told) => match (told.value.is_empty(), told.open) {
                        (true, Some(cause)) => Fact::Failed(cause),
                        _ => Fact::told(told.value, told.source, told.at),
                    },
                    Err(cause) => Fact::Failed(cause),
                };
            }
            Question::Zone => observed.zone = self.zone(&host).await,
            Question::Mail => self.mail(&host, observed).await,
            Question::Pointers => observed.pointers = self.pointers(observed).await,
            Question::Registration => observed.registration = self.registration(&host).await,
            Question::Certificate => observed.certificate = self.certificate(&host).await,
            Question::FrontPage => self.front_page(&host, observed).await,
            Question::Imprint => observed.imprint = self.imprint(&host).await,
        }
    }

    async fn zone(&self, host: &HostName) -> Fact<Zone> {
        let told = match self.shared.lookups.zone(host).await {
            Ok(told) => told,
            Err(cause) => return Fact::Failed(cause),
        };
        let (zone, source, at) = (told.value, told.source, told.at);
        // Without name servers the question is open if some could not be asked.
        if let (true, Some(cause)) = (zone.name_servers.is_empty(), told.open) {
            return Fact::Failed(cause);
        }
        let name_servers = self.servers(zone.name_servers).await;
        Fact::told(Zone { apex: zone.apex, name_servers }, source, at)
    }

    async fn servers(&self, hosts: Vec<HostName>) -> Vec<ZoneServer> {
        let mut servers = Vec::new();
        for host in hosts.into_iter().take(MAX_ZONE_SERVERS) {
            servers.push(match self.shared.lookups.addresses(&host).await {
                Ok(told) => ZoneServer::new(host, told.value),
                Err(cause) => ZoneServer { host, addresses: Vec::new(), unresolved: Some(cause) },
            });
        }
        servers
    }

    async fn mail(&self, host: &HostName, observed: &mut Observed) {
        let domain = registrable_domain(host).unwrap_or(host.as_str());
        let lookups = &self.shared.lookups;
        let exchangers = match lookups.exchangers(domain).await {
            Ok(told) => told.value,
            Err(cause) => return observed.mail = Fact::Failed(cause),
        };
        let texts = match lookups.records(domain, RecordKind::Txt).await {
            Ok(told) => told.value,
            Err(cause) => return observed.mail = Fact::Failed(cause),
        };
        let now = Timestamp::now();
        let tokens = tokens::of_zone(&texts).into_iter();
        observed.tokens.extend(tokens.map(|value| Told {
            value,
            source: "DNS".to_owned(),
            at: now,
        }));
        let senders = texts.iter().flat_map(|text| spf_terms(&text.data)).collect();
        let exchangers = self.servers(exchangers).await;
        observed.mail = Fact::told(MailRoutes { exchangers, senders }, "DNS", now);
    }

    /// The reverse names of its addresses, and whether they lead back.
    async fn pointers(&self, observed: &Observed) -> Fact<Vec<Pointer>> {
        let addresses = match (&observed.addresses, observed.host.address()) {
            (_, Some(address)) => vec![address],
            (Fact::Told(told), None) => told.value.clone(),
            (Fact::NotAsked | Fact::Failed(_), None) => Vec::new(),
        };
        let (mut pointers, mut failed) = (Vec::new(), None);
        for address in addresses.into_iter().take(MAX_ZONE_SERVERS) {
            let names = match self.shared.lookups.pointers(address).await {
                Ok(told) => told.value,
                Err(cause) => return Fact::Failed(cause),
            };
            for name in names.into_iter().take(MAX_ZONE_SERVERS) {
                let confirmed = match self.shared.lookups.addresses(&name).await {
                    Ok(told) => told.value.contains(&address),
                    Err(cause) => {
                        failed = Some(cause).filter(|it| it.kind.is_temporary()).or(failed);
                        false
                    }
                };
                pointers.push(Pointer { address, name, confirmed });
            }
        }
        // A name that could not be looked up may lead back.
        match failed.filter(|_| !pointers.iter().any(|pointer| pointer.confirmed)) {
            Some(cause) => Fact::Failed(cause),
            None => Fact::told(pointers, "DNS", Timestamp::now()),
        }
    }

    async fn registration(&self, host: &HostName) -> Fact<Registration> {
        let Some(domain) = registrable_domain(host) else {
            let detail = format!("{host} is no registered domain");
            return Fact::Failed(Cause::new(CauseKind::NoSuchName, detail));
        };
        match self.shared.lookups.registration(domain).await {
            // A thin registry knows only who sold the domain; without that one's answer nobody
            // has said that the holder is hidden.
            Ok(lookup::Told { value, open: Some(cause), .. }) if is_thin(&value) => {
                Fact::Failed(cause)
            }
            Ok(told) => Fact::told(told.value, told.source, told.at),
            Err(cause) => Fact::Failed(cause),
        }
    }

    async fn certificate(&self, host: &HostName) -> Fact<SeenCertificate> {
        match self.shared.lookups.certificate(host, 443).await {
            Ok(told) => {
                let (names, problem) = (told.value.names, told.value.problem);
                Fact::told(SeenCertificate { names, problem }, told.source, told.at)
            }
            Err(cause) => Fact::Failed(cause),
        }
    }
}

/// Whether an answer says nothing of a holder, not even that there is one to be hidden.
fn is_thin(registration: &Registration) -> bool {
    registration.state == RegistrationState::Found && registration.registrant.is_empty()
}

fn is_denied(rules: &Rules, host: &HostName) -> bool {
    rules.on(host).is_some_and(|rule| rule.says == RuleSays::Never)
}

/// The verdict where there is no organisation to compare with.
fn nobody(host: &HostName) -> Verdict {
    let now = Timestamp::now();
    Verdict {
        host: host.clone(),
        membership: Membership::Foreign,
        score: 0.0,
        case: None,
        decided_by: None,
        reason: "there is no organisation to compare with".to_owned(),
        label: None,
        evidence: Vec::new(),
        open: Vec::new(),
        at: now,
        until: now,
    }
}

// A thread that died while writing leaves at worst an entry out, so a poisoned lock is used on.
fn read<T>(lock: &RwLock<T>) -> std::sync::RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> std::sync::RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::lookup::{LookupMode, LookupSettings};
    use auslese_net::{Net, NetSettings};

    fn host(name: &str) -> HostName {
        HostName::parse(name).unwrap()
    }

    fn decision(pattern: &str, accept: bool) -> HandDecision {
        HandDecision { host_pattern: pattern.to_owned(), accept, note: String::new() }
    }

    fn profile() -> Profile {
        Profile {
            name: Some("Universität Hohenwerth".to_owned()),
            domains: vec!["uni.example".to_owned()],
            ..Profile::new("U", host("uni.example"), Timestamp(0))
        }
    }

    /// One who can ask nobody and remembers nothing.
    pub(super) fn in_the_dark() -> Investigator {
        let net = Net::new(NetSettings { only_mapped: true, ..NetSettings::default() }).unwrap();
        let settings = LookupSettings::default();
        let lookups = Lookups::new(net, settings, LookupMode::Replay, Vec::new());
        Investigator::new(lookups, vec![profile()], JudgeSettings::default(), &[]).unwrap()
    }

    pub(super) fn verdict(investigator: &Investigator, name: &str) -> Verdict {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(investigator.investigate(&host(name)))
    }

    #[test]
    fn nothing_known_is_nothing_decided() {
        let investigator = in_the_dark();
        let unsure = verdict(&investigator, "www.andere.example");
        assert_eq!(unsure.membership, Membership::Unsure);
        assert!(unsure.open.iter().all(|it| it.why.contains("the record has no answer for: ")));
        assert!(unsure.until < unsure.at.plus(JudgeSettings::default().keep));
        let own = verdict(&investigator, "www.uni.example");
        assert_eq!((own.membership, own.decided_by), (Membership::Member, Some(Indicator::Root)));
    }

    #[test]
    fn verdicts_agree_with_what_people_say_now() {
        let investigator = in_the_dark();
        let by_evidence = verdict(&investigator, "www.uni.example");
        assert!(investigator.agrees_with(&by_evidence) && !investigator.has_rules());
        investigator.set_decisions(&[decision(".uni.example", true)]).unwrap();
        let accepted = verdict(&investigator, "www.uni.example");
        assert!(!investigator.agrees_with(&by_evidence) && investigator.agrees_with(&accepted));
        investigator.set_decisions(&[decision("www.uni.example", false)]).unwrap();
        let rejected = verdict(&investigator, "www.uni.example");
        assert!(!investigator.agrees_with(&accepted) && investigator.agrees_with(&rejected));
        assert_eq!(investigator.rule_on(&rejected.host).unwrap().says, RuleSays::Never);
        investigator.set_decisions(&[]).unwrap();
        assert!(!investigator.agrees_with(&rejected) && investigator.agrees_with(&by_evidence));
    }

    /// A host that was rejected does not vouch for others any more.
    #[test]
    fn who_vouches() {
        let investigator = in_the_dark();
        let vouches = || read(&investigator.shared.known).members.contains_key(&host("b.example"));
        investigator.set_decisions(&[decision("b.example", true)]).unwrap();
        let member = verdict(&investigator, "b.example");
        assert!(vouches());
        investigator.set_decisions(&[decision("b.example", false)]).unwrap();
        assert!(!vouches());
        investigator.remember(&member);
        assert!(!vouches(), "whatever an earlier run thought");
    }
}
