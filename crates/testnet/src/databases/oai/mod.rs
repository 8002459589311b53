//! A repository with OAI-PMH 2.0 (Lagoze et al. 2002), which can go wrong as repositories do.
//!
//! Lists come in pages with resumption tokens. A token says all that is needed to go on, so that the
//! server remembers nothing.

mod answers;
mod lists;
mod records;

pub use records::RepositoryRecord;

use super::fields::{Charset, Fields};
use crate::answer::Answer;
use crate::request::Asked;
use crate::site::Site;
use answers::{envelope, error};
use lists::Wanted;

/// A repository of Dublin Core records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OaiRepository {
    pub name: String,
    /// In the order in which lists show them.
    pub records: Vec<RepositoryRecord>,
    /// Names in requests, and names for people.
    pub sets: Vec<(String, String)>,
    pub granularity: OaiGranularity,
    pub page_size: usize,
    /// What the server says the time is, `2026-11-01T00:00:00Z`.
    pub clock: String,
    pub faults: Vec<OaiFault>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OaiGranularity {
    Day,
    Second,
}

/// What goes wrong. Requests count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OaiFault {
    /// A token counts only together with `metadataPrefix`, which the protocol forbids.
    PrefixWithToken,
    /// The list does not go on after this page (from 0): it comes again and again, with new tokens.
    Repeats { page: usize },
    /// The same, with the same token.
    RepeatsToken { page: usize },
    /// If this request is for a list, its answer ends in the middle.
    CutOnce { request: u64 },
    /// Every list ends in the middle.
    CutAlways,
    /// Tokens are not known any more after so many pages of a list.
    TokensExpire { pages: usize },
    /// Every so many requests one is answered with 503 and `Retry-After`.
    Busy { every: u64, seconds: u64 },
    /// Lists say that they have so many records.
    ClaimsSize(u64),
}

/// A code of the protocol and some words.
type Refusal = (&'static str, String);

impl OaiRepository {
    /// A repository of so many made-up records, some deleted, in three sets. The same seed makes the
    /// same repository.
    pub fn new(records: usize, seed: u64) -> OaiRepository {
        OaiRepository {
            name: "Repositorium".to_owned(),
            records: records::made_up(records, seed),
            sets: records::SETS.map(|(set, name)| (set.to_owned(), name.to_owned())).to_vec(),
            granularity: OaiGranularity::Second,
            page_size: 100,
            clock: "2026-11-01T00:00:00Z".to_owned(),
            faults: Vec::new(),
        }
    }

    pub fn with_fault(mut self, fault: OaiFault) -> OaiRepository {
        self.faults.push(fault);
        self
    }

    /// Puts the repository on a site, such as at `/oai`.
    pub fn add_to(self, site: Site, path: &str) -> Site {
        site.answer(path, self.answer())
    }

    /// The repository as it is from the second round on.
    pub fn add_later_to(self, site: Site, path: &str) -> Site {
        site.later(path, self.answer())
    }

    fn answer(self) -> Answer {
        Answer::from_fn(move |asked| self.reply(asked))
    }

    fn reply(&self, asked: &Asked) -> Answer {
        for fault in &self.faults {
            match fault {
                OaiFault::Busy { every, seconds } if asked.earlier % every == every - 1 => {
                    return Answer::error(503).header("Retry-After", seconds.to_string());
                }
                _ => {}
            }
        }
        let fields = Fields::of(asked, Charset::Utf8);
        let base = base_url(asked);
        let content = self.content(&fields, &base);
        let is_list = matches!(fields.get("verb"), "ListRecords" | "ListIdentifiers");
        let text = match content {
            Ok(content) => envelope(&self.clock, &base, Some(&fields), &content),
            Err((code, words)) => {
                let understood = !matches!(code, "badVerb" | "badArgument");
                let fields = understood.then_some(&fields);
                envelope(&self.clock, &base, fields, &error(code, &words))
            }
        };
        let mut bytes = text.into_bytes();
        if is_list && self.cuts(asked.earlier) {
            bytes.truncate(bytes.len() * 2 / 3);
        }
        Answer::file("text/xml; charset=utf-8", bytes)
    }

    fn cuts(&self, request: u64) -> bool {
        self.faults.iter().any(|fault| match fault {
            OaiFault::CutAlways => true,
            OaiFault::CutOnce { request: cut } => *cut == request,
            _ => false,
        })
    }

    fn content(&self, fields: &Fields, base: &str) -> Result<String, Refusal> {
        let verb = fields.get("verb");
        #[rustfmt::skip]
        let known: &[&str] = match verb {
            "Identify" => &[],
            "ListMetadataFormats" => &["identifier"],
            "ListSets" => &["resumptionToken"],
            "GetRecord" => &["identifier", "metadataPrefix"],
            "ListRecords" | "ListIdentifiers" => &["resumptionToken", "metadataPrefix", "from", "until", "set"],
            _ => return Err(("badVerb", format!("there is no verb {verb}"))),
        };
        let mut names: Vec<&str> = fields.names().filter(|name| *name != "verb").collect();
        names.sort_unstable();
        let is_odd = names.iter().any(|name| !known.contains(name))
            || names.windows(2).any(|pair| pair[0] == pair[1]);
        if is_odd {
            return Err(("badArgument", format!("{verb} takes {known:?}, each once")));
        }
        match verb {
            "Identify" => Ok(self.identity(base)),
            "ListMetadataFormats" => self.formats(fields.get("identifier")),
            "ListSets" => self.list_sets(fields.get("resumptionToken")),
            "GetRecord" => self.record(fields),
            verb => self.list(verb, &self.wanted(fields)?),
        }
    }

    fn named(&self, identifier: &str) -> Result<&RepositoryRecord, Refusal> {
        let found = self.records.iter().find(|record| record.identifier == identifier);
        found.ok_or_else(|| ("idDoesNotExist", format!("there is no {identifier}")))
    }

    /// What a list is asked for: by a token or by arguments, never both.
    fn wanted(&self, fields: &Fields) -> Result<Wanted, Refusal> {
        let token = fields.get("resumptionToken");
        if token.is_empty() {
            check_prefix(fields.get("metadataPrefix"))?;
            return Wanted::of_arguments(fields, self.granularity);
        }
        let prefix = fields.get("metadataPrefix");
        match self.faults.contains(&OaiFault::PrefixWithToken) {
            true => check_prefix(prefix)?,
            false if fields.names().count() > 2 => {
                return Err(("badArgument", "a token stands alone".to_owned()));
            }
            false => {}
        }
        let wanted = Wanted::of_token(token).filter(|wanted| !self.is_expired(wanted.page));
        wanted.ok_or_else(|| ("badResumptionToken", format!("{token} is not known any more")))
    }

    fn is_expired(&self, page: usize) -> bool {
        self.faults
            .iter()
            .any(|fault| matches!(fault, OaiFault::TokensExpire { pages } if page >= *pages))
    }
}

fn base_url(asked: &Asked) -> String {
    let Asked { scheme, host, port, .. } = asked;
    match *port == scheme.default_port() {
        true => format!("{scheme}://{host}{}", asked.path()),
        false => format!("{scheme}://{host}:{port}{}", asked.path()),
    }
}

fn check_prefix(prefix: &str) -> Result<(), Refusal> {
    match prefix {
        "oai_dc" => Ok(()),
        "" => Err(("badArgument", "metadataPrefix is missing".to_owned())),
        other => Err(("cannotDisseminateFormat", format!("there is no format {other}"))),
    }
}
