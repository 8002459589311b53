//! Decides what robots.txt allows, after RFC 9309.
//!
//! The group for the most specific agent counts (all groups naming it, taken together), and in it
//! the longest matching pattern; `Allow` wins a tie. The verdict names the line that decided.
//!
//! Beyond the RFC, because it is what site owners mean: `Crawl-delay` is read and ends a list of
//! agents as `Disallow` does; a status of 429 counts as unreachable, not as "no rules"; patterns
//! without the leading slash get one.

mod parse;
mod pattern;

use auslese_model::{Cause, CauseKind, Oddity};
use parse::Line;
use pattern::{Pattern, target_of};
use std::fmt;
use std::time::Duration;
use url::Url;

/// How much of a robots.txt is read, in bytes; the RFC asks for at least 500 KiB. The rest is
/// ignored and noted.
pub const ROBOTS_BYTES: usize = 512 << 10;

/// What is kept of a deciding line, in characters.
const LINE_SHOWN: usize = 200;

/// The rules of one server for one agent.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotsRules {
    standing: Standing,
    /// Longest pattern first, `Allow` before `Disallow`: the first match decides.
    rules: Vec<PathRule>,
    crawl_delay: Option<Duration>,
    sitemaps: Vec<String>,
    /// Lines that are no record this crawler knows, comments and empty lines aside.
    unknown_lines: usize,
    oddities: Vec<Oddity>,
}

/// What asking for robots.txt ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// There is one; its rules count.
    Read,
    /// There is none (status 4xx, or a redirect without end): everything is allowed.
    Missing { status: u16 },
    /// It cannot be had now (5xx, 429, no connection as status 0): everything is disallowed for a
    /// time.
    Unreachable { status: u16 },
}

impl Standing {
    pub fn of(status: u16) -> Standing {
        match status {
            200..=299 => Standing::Read,
            429 => Standing::Unreachable { status },
            300..=499 => Standing::Missing { status },
            _ => Standing::Unreachable { status },
        }
    }
}

/// What the rules say about a URL, and which line says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RobotsVerdict {
    /// Allowed, by an `Allow` line or because no line matches.
    Allowed {
        by: Option<RobotsLine>,
    },
    Disallowed {
        by: RobotsLine,
    },
    /// Disallowed for now, because robots.txt could not be read.
    Unknown {
        status: u16,
    },
}

impl RobotsVerdict {
    /// Why the URL is not to be fetched; `None` if it may be.
    pub fn refusal(&self) -> Option<Cause> {
        match self {
            RobotsVerdict::Allowed { .. } => None,
            RobotsVerdict::Disallowed { by } => Some(Cause::new(CauseKind::Robots, by.to_string())),
            RobotsVerdict::Unknown { status: 0 } => {
                Some(Cause::new(CauseKind::RobotsUnknown, "no answer"))
            }
            RobotsVerdict::Unknown { status } => {
                Some(Cause::new(CauseKind::RobotsUnknown, format!("status {status}")))
            }
        }
    }
}

/// A line of a robots.txt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsLine {
    /// From 1.
    pub number: usize,
    pub text: String,
}

impl fmt::Display for RobotsLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.number, self.text)
    }
}

impl RobotsRules {
    /// The rules that follow from an answer. `agent` is our product token, such as `auslese`.
    /// Redirects are followed by the caller, at most five.
    pub fn from_answer(status: u16, body: &[u8], agent: &str) -> RobotsRules {
        match Standing::of(status) {
            Standing::Read => RobotsRules::parse(body, agent),
            standing => RobotsRules::without_rules(standing),
        }
    }

    /// For servers whose robots.txt is not asked for.
    pub fn allow_all() -> RobotsRules {
        RobotsRules::without_rules(Standing::Missing { status: 404 })
    }

    fn without_rules(standing: Standing) -> RobotsRules {
        RobotsRules {
            standing,
            rules: Vec::new(),
            crawl_delay: None,
            sitemaps: Vec::new(),
            unknown_lines: 0,
            oddities: Vec::new(),
        }
    }

    /// Reads a robots.txt; never fails.
    pub fn parse(body: &[u8], agent: &str) -> RobotsRules {
        let mut rules = RobotsRules::without_rules(Standing::Read);
        let body = rules.limited(body);
        let lines = parse::lines(body);
        let wanted = most_specific(&lines, agent);
        let mut group = Group::default();
        for line in &lines {
            match &line.record {
                parse::Record::Agent(token) => group.add(token, wanted.as_deref()),
                parse::Record::Path { allow, pattern } => {
                    if group.closes_as_ours() {
                        rules.rules.extend(PathRule::new(*allow, pattern, line));
                    }
                }
                parse::Record::CrawlDelay(delay) => {
                    if group.closes_as_ours() {
                        rules.crawl_delay = rules.crawl_delay.max(*delay);
                    }
                }
                parse::Record::Sitemap(address) => rules.sitemaps.push(address.clone()),
                parse::Record::Unknown => rules.unknown_lines += 1,
            }
        }
        rules.rules.sort_by(|a, b| {
            let rank = |rule: &PathRule| (rule.pattern.octets(), rule.allow);
            rank(b).cmp(&rank(a))
        });
        rules
    }

    fn limited<'a>(&mut self, body: &'a [u8]) -> &'a [u8] {
        if body.len() <= ROBOTS_BYTES {
            return body;
        }
        self.oddities.push(Oddity::new(
            "long-robots-txt",
            format!("{} bytes, of which {ROBOTS_BYTES} are read", body.len()),
        ));
        // A line that is cut in the middle might say the contrary of what it means.
        let end = memchr::memrchr2(b'\n', b'\r', &body[..ROBOTS_BYTES]).unwrap_or(0);
        &body[..end]
    }

    pub fn judge(&self, url: &Url) -> RobotsVerdict {
        if let Standing::Unreachable { status } = self.standing {
            return RobotsVerdict::Unknown { status };
        }
        let target = target_of(url);
        if target == b"/robots.txt" {
            return RobotsVerdict::Allowed { by: None };
        }
        match self.rules.iter().find(|rule| rule.pattern.matches(&target)) {
            None => RobotsVerdict::Allowed { by: None },
            Some(rule) if rule.allow => RobotsVerdict::Allowed { by: Some(rule.line.clone()) },
            Some(rule) => RobotsVerdict::Disallowed { by: rule.line.clone() },
        }
    }

    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// The largest `Crawl-delay` of our group, as written.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// The addresses in `Sitemap:` lines, as written; they belong to no group.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    pub fn unknown_lines(&self) -> usize {
        self.unknown_lines
    }

    pub fn oddities(&self) -> &[Oddity] {
        &self.oddities
    }
}

/// An `Allow` or `Disallow` line of our group.
#[derive(Debug, Clone, PartialEq)]
struct PathRule {
    allow: bool,
    pattern: Pattern,
    line: RobotsLine,
}

impl PathRule {
    /// `None` for an empty pattern, which says nothing.
    fn new(allow: bool, pattern: &[u8], line: &Line<'_>) -> Option<PathRule> {
        let pattern = Pattern::new(pattern)?;
        let text = String::from_utf8_lossy(line.text).chars().take(LINE_SHOWN).collect();
        Some(PathRule { allow, pattern, line: RobotsLine { number: line.number, text } })
    }
}

/// The `User-agent` lines that the next rules belong to.
#[derive(Debug, Default)]
struct Group {
    is_ours: bool,
    closed: bool,
}

impl Group {
    fn add(&mut self, token: &str, wanted: Option<&str>) {
        if self.closed {
            *self = Group::default();
        }
        self.is_ours |= wanted.is_some_and(|wanted| wanted.eq_ignore_ascii_case(token));
    }

    /// A rule ends the list of agents; whether it is a rule for us.
    fn closes_as_ours(&mut self) -> bool {
        self.closed = true;
        self.is_ours
    }
}

/// The longest agent token in the file that names us, `*` if none does; `None` if not even that.
fn most_specific(lines: &[Line<'_>], agent: &str) -> Option<String> {
    let tokens = lines.iter().filter_map(|line| match &line.record {
        parse::Record::Agent(token) => Some(token.as_str()),
        _ => None,
    });
    tokens
        .filter(|token| *token == "*" || names(token, agent))
        .max_by_key(|token| if *token == "*" { 0 } else { token.len() })
        .map(str::to_owned)
}

/// Whether a token is our name or the first part of it: `auslese` names `auslese-news` too.
fn names(token: &str, agent: &str) -> bool {
    let (token, agent) = (token.as_bytes(), agent.as_bytes());
    !token.is_empty()
        && agent.get(..token.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(token))
        && matches!(agent.get(token.len()), None | Some(b'-' | b'_' | b'/' | b' '))
}

#[cfg(test)]
mod tests;
