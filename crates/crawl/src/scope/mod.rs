//! Decides whether a URL is to be fetched.
//!
//! A scope is an ordered list of rules; each accepts, rejects, or has no opinion on a URL, and the
//! last opinion wins, as archivists know it from Heritrix. A URL on which no rule has an opinion is
//! rejected. A rule may need a fact about the host that is not known yet (its address, whether it
//! belongs to the organisation); the decision is then [`Decision::Undecided`], but only if the
//! missing fact could change it.
//!
//! [`Scope::decide`] is for the crawl and looks at rules from the last one backwards, until one has
//! an opinion; [`Scope::judge`] asks them all and tells what each said. Both always agree.

mod parse;
mod rule;
mod test;

pub use parse::parse_rules;
pub use rule::{Action, Measure, Rule, Site, Test};

use crate::CrawlError;
use auslese_model::{HopPath, HostName};
use regex::{RegexSet, RegexSetBuilder};
use std::net::IpAddr;
use test::{Answer, CompiledTest, Looked};
use url::Url;

/// How large all regular expressions of a scope may become when compiled, in bytes.
pub const REGEX_BYTES: usize = 8 << 20;

/// Rules, compiled.
#[derive(Debug, Clone)]
pub struct Scope {
    rules: Vec<(Rule, CompiledTest)>,
    regexes: RegexSet,
}

/// A URL that may be fetched, and how it was found.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    pub url: &'a Url,
    /// The path from the seed to this URL, its own step included.
    pub hops: &'a HopPath,
    /// Whether the page it was found on was itself in scope; true for seeds.
    pub via_accepted: bool,
}

/// What is known about hosts; asked only where a rule needs it.
pub trait HostFacts {
    /// The addresses of a host: `None` if it was not resolved yet, empty if it has none.
    fn addresses(&self, host: &HostName) -> Option<Vec<IpAddr>>;

    /// Whether the host belongs to the organisation.
    fn verdict(&self, host: &HostName) -> HostVerdict;
}

/// Whether a host belongs to the organisation, as far as known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostVerdict {
    /// It does; with the label of the institution, where a harvest holds several.
    Member(Option<String>),
    Foreign,
    Unknown,
}

/// A harvest without discovery: nothing is ever known about any host.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFacts;

impl HostFacts for NoFacts {
    fn addresses(&self, _host: &HostName) -> Option<Vec<IpAddr>> {
        None
    }

    fn verdict(&self, _host: &HostName) -> HostVerdict {
        HostVerdict::Unknown
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Accept,
    Reject,
    /// It depends on a fact about the host that is not known yet.
    Undecided(Need),
}

impl From<Action> for Decision {
    fn from(action: Action) -> Decision {
        match action {
            Action::Accept => Decision::Accept,
            Action::Reject => Decision::Reject,
        }
    }
}

/// A missing fact about a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    Address,
    Verdict,
}

/// A decision, without the way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    pub decision: Decision,
    /// The number of the deciding rule, from 1; `None` if no rule had an opinion.
    pub decided_by: Option<usize>,
    /// The label of the institution, if the deciding rule gives one to accepted URLs.
    pub label: Option<String>,
}

/// A decision with what every rule said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    pub decided: Decided,
    pub trace: Vec<Step>,
}

/// What one rule said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// From 1, in the order of the rules.
    pub number: usize,
    /// The rule's name, or its text if it has none.
    pub name: String,
    pub opinion: Opinion,
    /// What was compared with what.
    pub why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opinion {
    Accept,
    Reject,
    Pass,
    Unknown(Need),
}

impl Scope {
    pub fn new(rules: Vec<Rule>) -> Result<Scope, CrawlError> {
        let patterns: Vec<&str> = rules.iter().filter_map(|rule| rule.test.regex()).collect();
        let regexes = RegexSetBuilder::new(&patterns)
            .size_limit(REGEX_BYTES)
            .build()
            .map_err(|error| CrawlError::Regexes { problem: error.to_string() })?;
        let mut regex_number = 0;
        let rules = rules
            .into_iter()
            .map(|rule| {
                let test = CompiledTest::new(&rule.test, &mut regex_number);
                (rule, test)
            })
            .collect();
        Ok(Scope { rules, regexes })
    }

    /// Reads rules, one per line; see [`parse_rules`].
    pub fn parse(text: &str) -> Result<Scope, CrawlError> {
        Scope::new(parse_rules(text)?)
    }

    /// The scope of `crawl URL…` without a profile: the hosts and ports of the seeds, less traps.
    pub fn of_seeds(seeds: &[Url]) -> Result<Scope, CrawlError> {
        Scope::new([vec![Rule::of_seeds(seeds)], Rule::traps()].concat())
    }

    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().map(|(rule, _)| rule)
    }

    /// Decides on a URL; stops at the first rule, from the end, that settles it.
    pub fn decide(&self, candidate: &Candidate<'_>, facts: &dyn HostFacts) -> Decided {
        let mut looked = Looked::new(candidate, facts, &self.regexes);
        let mut open: Option<Open> = None;
        for (index, (rule, test)) in self.rules.iter().enumerate().rev() {
            match test.ask(&mut looked) {
                Answer::No => {}
                Answer::Unknown(need) => {
                    open = Some(Open::add(open, rule.action, need, index));
                }
                Answer::Yes => return self.settle(open, Some((index, rule.action)), &looked),
            }
        }
        self.settle(open, None, &looked)
    }

    /// Decides on a URL and tells what every rule said.
    pub fn judge(&self, candidate: &Candidate<'_>, facts: &dyn HostFacts) -> Judgement {
        let mut looked = Looked::new(candidate, facts, &self.regexes);
        let mut open: Option<Open> = None;
        let mut certain = None;
        let mut trace = Vec::with_capacity(self.rules.len());
        for (index, (rule, test)) in self.rules.iter().enumerate() {
            let opinion = match test.ask(&mut looked) {
                Answer::No => Opinion::Pass,
                Answer::Yes => {
                    certain = Some((index, rule.action));
                    open = None;
                    Opinion::from(rule.action)
                }
                Answer::Unknown(need) => {
                    let earlier = open.take();
                    open = Some(Open {
                        need,
                        action: rule.action,
                        index,
                        mixed: earlier
                            .is_some_and(|other| other.mixed || other.action != rule.action),
                    });
                    Opinion::Unknown(need)
                }
            };
            let why = test.why(&mut looked);
            trace.push(Step { number: index + 1, name: rule.title(), opinion, why });
        }
        Judgement { decided: self.settle(open, certain, &looked), trace }
    }

    /// Joins what is certain with the rules after it that could not answer.
    fn settle(
        &self,
        open: Option<Open>,
        certain: Option<(usize, Action)>,
        looked: &Looked<'_>,
    ) -> Decided {
        let action = certain.map_or(Action::Reject, |(_, action)| action);
        match open {
            Some(open) if open.mixed || open.action != action => Decided {
                decision: Decision::Undecided(open.need),
                decided_by: Some(open.index + 1),
                label: None,
            },
            _ => Decided {
                decision: action.into(),
                decided_by: certain.map(|(index, _)| index + 1),
                label: certain.and_then(|(index, _)| self.label(index, looked)),
            },
        }
    }

    fn label(&self, index: usize, looked: &Looked<'_>) -> Option<String> {
        let (rule, _) = &self.rules[index];
        match (rule.action, &rule.label, &rule.test) {
            (Action::Reject, ..) => None,
            (_, Some(label), _) => Some(label.clone()),
            (_, None, Test::Members(_)) => looked.member_label(),
            _ => None,
        }
    }
}

impl From<Action> for Opinion {
    fn from(action: Action) -> Opinion {
        match action {
            Action::Accept => Opinion::Accept,
            Action::Reject => Opinion::Reject,
        }
    }
}

/// Rules that lack a fact, seen together.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// Of the last of them, which is the one to ask for: it may settle everything.
    need: Need,
    index: usize,
    action: Action,
    /// Whether they do not all say the same.
    mixed: bool,
}

impl Open {
    /// Adds a rule that stands before the others.
    fn add(later: Option<Open>, action: Action, need: Need, index: usize) -> Open {
        match later {
            None => Open { need, index, action, mixed: false },
            Some(open) => Open { mixed: open.mixed || open.action != action, ..open },
        }
    }
}

#[cfg(test)]
mod tests;
