//! What people decided: hosts that always or never belong, whatever is seen of them.
//!
//! Rules come from the settings and from decisions by hand. Never beats always: leaving a guest
//! out is the wish that must not be lost. Among rules of one kind the nearest one is named.

use crate::settings::JudgeSettings;
use auslese_model::HostName;
use rustc_hash::FxHashMap;
use std::fmt;

/// A person's decision on a host, as read from a reviewed list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandDecision {
    /// A host; `.uni.example` is the host and all below, `*.uni.example` only what is below.
    pub host_pattern: String,
    pub accept: bool,
    pub note: String,
}

/// All rules, ready to be asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rules {
    /// Rules on the host itself.
    hosts: FxHashMap<HostName, RulesAt>,
    /// Rules on everything below a name.
    below: FxHashMap<HostName, RulesAt>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct RulesAt {
    always: Option<Rule>,
    never: Option<Rule>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub says: RuleSays,
    /// As written.
    pub pattern: String,
    /// Who made it, with the note: "settings", "decided by hand: guest institute".
    pub source: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleSays {
    Always,
    Never,
}

impl fmt::Display for RuleSays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RuleSays::Always => "always",
            RuleSays::Never => "never",
        })
    }
}

/// A rule whose text names no host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{pattern}' is no host; write www.uni.example, or .uni.example for all below as well")]
pub struct RuleError {
    pub pattern: String,
}

impl Rules {
    /// Collects the rules of the settings and the decisions by hand. Of two decisions on the same
    /// pattern the later one stands.
    pub fn new(settings: &JudgeSettings, by_hand: &[HandDecision]) -> Result<Rules, RuleError> {
        let mut rules = Rules::default();
        for (says, patterns) in
            [(RuleSays::Always, &settings.always), (RuleSays::Never, &settings.never)]
        {
            for pattern in patterns {
                rules.add(says, pattern, "settings".to_owned())?;
            }
        }
        for decision in latest(by_hand) {
            let says = if decision.accept { RuleSays::Always } else { RuleSays::Never };
            let source = match decision.note.trim() {
                "" => "decided by hand".to_owned(),
                note => format!("decided by hand: {note}"),
            };
            rules.add(says, &decision.host_pattern, source)?;
        }
        Ok(rules)
    }

    fn add(&mut self, says: RuleSays, pattern: &str, source: String) -> Result<(), RuleError> {
        let place = Place::parse(pattern)?;
        let rule = Rule { says, pattern: pattern.trim().to_owned(), source };
        if place.itself {
            self.hosts.entry(place.host.clone()).or_default().set(rule.clone());
        }
        if place.below {
            self.below.entry(place.host).or_default().set(rule);
        }
        Ok(())
    }

    /// The rule that decides on a host.
    pub fn on(&self, host: &HostName) -> Option<&Rule> {
        let found: Vec<&RulesAt> = self
            .hosts
            .get(host)
            .into_iter()
            .chain(parents(host).filter_map(|parent| self.below.get(&parent)))
            .collect();
        let never = found.iter().find_map(|rules| rules.never.as_ref());
        never.or_else(|| found.iter().find_map(|rules| rules.always.as_ref()))
    }
}

impl RulesAt {
    fn set(&mut self, rule: Rule) {
        match rule.says {
            RuleSays::Always => self.always = Some(rule),
            RuleSays::Never => self.never = Some(rule),
        }
    }
}

/// What a pattern covers.
struct Place {
    host: HostName,
    itself: bool,
    below: bool,
}

impl Place {
    fn parse(pattern: &str) -> Result<Place, RuleError> {
        let text = pattern.trim();
        let (name, itself, below) = match (text.strip_prefix("*."), text.strip_prefix('.')) {
            (Some(name), _) => (name, false, true),
            (None, Some(name)) => (name, true, true),
            (None, None) => (text, true, false),
        };
        let host = HostName::parse(name).filter(|host| !host.as_str().contains('*'));
        let host = host.ok_or_else(|| RuleError { pattern: pattern.to_owned() })?;
        Ok(Place { host, itself, below })
    }
}

/// Whether a text can stand in a rule.
pub(crate) fn check_pattern(pattern: &str) -> Result<(), RuleError> {
    Place::parse(pattern).map(|_| ())
}

/// The names above a host, nearest first.
fn parents(host: &HostName) -> impl Iterator<Item = HostName> + '_ {
    let name = if host.address().is_some() { "" } else { host.as_str() };
    name.match_indices('.').filter_map(move |(dot, _)| HostName::parse(&name[dot + 1..]))
}

fn latest(decisions: &[HandDecision]) -> impl Iterator<Item = &HandDecision> {
    let mut last = FxHashMap::default();
    for (number, decision) in decisions.iter().enumerate() {
        last.insert(decision.host_pattern.trim().to_lowercase(), number);
    }
    let mut numbers: Vec<usize> = last.into_values().collect();
    numbers.sort_unstable();
    numbers.into_iter().map(|number| &decisions[number])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_hand(pattern: &str, accept: bool, note: &str) -> HandDecision {
        HandDecision { host_pattern: pattern.to_owned(), accept, note: note.to_owned() }
    }

    fn rules() -> Rules {
        let settings = JudgeSettings {
            always: vec![".uni.example".into(), "friend.example".into()],
            never: vec!["guest.uni.example".into(), ".hotel.uni.example".into()],
            ..JudgeSettings::default()
        };
        let decisions = [
            by_hand("friend.example", false, "sold"),
            by_hand("*.shop.example", true, ""),
            by_hand("late.example", false, ""),
            by_hand("Late.example", true, "after all"),
            by_hand(".universität.example", true, ""),
            by_hand("198.18.1.1", true, ""),
        ];
        Rules::new(&settings, &decisions).unwrap()
    }

    #[test]
    fn patterns() {
        let rules = rules();
        #[rustfmt::skip]
        let cases = [
            ("uni.example",                 Some((RuleSays::Always, "settings"))),
            ("www.uni.example",             Some((RuleSays::Always, "settings"))),
            ("guest.uni.example",           Some((RuleSays::Never, "settings"))),
            ("www.guest.uni.example",       Some((RuleSays::Always, "settings"))),
            ("a.b.hotel.uni.example",       Some((RuleSays::Never, "settings"))),
            ("friend.example",              Some((RuleSays::Never, "decided by hand: sold"))),
            ("www.friend.example",          None),
            ("shop.example",                None),
            ("a.shop.example",              Some((RuleSays::Always, "decided by hand"))),
            ("late.example",                Some((RuleSays::Always, "decided by hand: after all"))),
            ("www.universität.example",     Some((RuleSays::Always, "decided by hand"))),
            ("notuni.example",              None),
            ("198.18.1.1",                  Some((RuleSays::Always, "decided by hand"))),
            ("198.18.1.2",                  None),
        ];
        for (host, expected) in cases {
            let rule = rules.on(&HostName::parse(host).unwrap());
            assert_eq!(rule.map(|rule| (rule.says, rule.source.as_str())), expected, "{host}");
        }
    }

    #[test]
    fn no_hosts() {
        for pattern in ["", ".", "*", "*.", "a b", "www.*.example", "http://x/"] {
            assert!(Rules::new(&JudgeSettings::default(), &[by_hand(pattern, true, "")]).is_err());
        }
    }

    proptest! {
        #[test]
        fn any_pattern(pattern in ".{0,60}", host in "[a-z]{1,3}(\\.[a-z]{1,3}){0,9}") {
            if let Ok(rules) = Rules::new(&JudgeSettings::default(), &[by_hand(&pattern, true, "")]) {
                rules.on(&HostName::parse(&host).unwrap());
            }
        }
    }
}
