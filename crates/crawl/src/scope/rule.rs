//! One rule of a scope, as a value and as text.
//!
//! The text form (`accept host .uni.example`) is what stands in `auslese.toml`; [`Rule`]'s
//! `Display` writes what [`super::parse_rules`] reads.

use auslese_model::{HostName, Scheme};
use ipnet::IpNet;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use url::Url;

/// `[NAME:] accept|reject [as LABEL] TEST`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub action: Action,
    pub test: Test,
    /// Shown by `auslese explain` in place of the rule's text.
    pub name: Option<String>,
    /// The institution that accepted hosts are labelled with.
    pub label: Option<String>,
}

impl Rule {
    pub fn new(action: Action, test: Test) -> Rule {
        Rule { action, test, name: None, label: None }
    }

    pub fn named(self, name: impl Into<String>) -> Rule {
        Rule { name: Some(name.into()), ..self }
    }

    /// Accepts the hosts and ports of seeds.
    ///
    /// A seed on the default port of its scheme brings both `http` and `https` of its host on
    /// their default ports, because sites redirect from one to the other; a seed on another port
    /// brings that port only.
    pub fn of_seeds(seeds: &[Url]) -> Rule {
        let mut sites: Vec<Site> = seeds.iter().filter_map(Site::of).collect();
        sites.sort();
        sites.dedup();
        Rule::new(Action::Accept, Test::Site(sites)).named("seeds")
    }

    /// Accepts the hosts that belong to the organisation.
    pub fn of_members() -> Rule {
        Rule::new(Action::Accept, Test::Members(None)).named("members")
    }

    /// Accepts what single documents need, wherever it is: where they moved to, and their resources.
    pub fn of_originals() -> Vec<Rule> {
        [Test::Redirects(REDIRECT_STEPS), Test::Embeds(EMBED_STEPS)]
            .map(|test| Rule::new(Action::Accept, test))
            .to_vec()
    }

    /// Rejects what is nearly always a trap: far longer or deeper than addresses made for people,
    /// or the same directory over and over, which is what a wrong relative link makes of a path.
    pub fn traps() -> Vec<Rule> {
        [(Measure::Length, 2_000), (Measure::Depth, 30), (Measure::Repeats, 4)]
            .map(|(measure, limit)| Rule::new(Action::Reject, Test::Over(measure, limit)))
            .to_vec()
    }

    /// The name, or the text of a rule without one.
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.to_string())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Accept,
    Reject,
}

/// What a rule looks at. A rule whose test does not hold has no opinion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// `any`: every URL.
    Any,
    /// `surt http://(de,uni-giessen,`: the URL in SURT form begins so. As in Heritrix, `http://(`
    /// covers https too.
    Surt(String),
    /// `host www.uni.example .uni2.example`: the host itself; with a leading dot also all below.
    Host(Vec<String>),
    /// `site uni.example uni.example:8080`: host and port; without a port both default ports.
    Site(Vec<Site>),
    /// `url http://h.example/dir/`: the URL begins so.
    Url(String),
    /// `regex /calendar/[0-9]+`: matches somewhere in the URL. Reaches to the end of the line.
    Regex(String),
    /// `suffix .zip .exe`: the path ends so, in upper or lower case.
    Suffix(Vec<String>),
    /// `port 8080 8443`.
    Port(Vec<u16>),
    /// `scheme http`.
    Scheme(Vec<Scheme>),
    /// `net 134.176.0.0/16 2001:db8::/32`: an address of the host lies in one of the ranges.
    Net(Vec<IpNet>),
    /// `hops > 30`, `length > 2000` and the like.
    Over(Measure, u32),
    /// `embeds`, `embeds 2`: a resource (or frame) of an accepted page, at most so many steps
    /// away from it.
    Embeds(u32),
    /// `redirects`, `redirects 2`: the target of a redirect of an accepted page, likewise.
    Redirects(u32),
    /// `members`, `members of giessen`: the host belongs to the organisation.
    Members(Option<String>),
}

/// Steps from an accepted page to its farthest resource (style sheet, import, font), if the rule
/// does not say.
pub(super) const EMBED_STEPS: u32 = 3;
/// Redirects followed from an accepted page out of scope, if the rule does not say.
pub(super) const REDIRECT_STEPS: u32 = 5;

impl Test {
    pub(super) fn regex(&self) -> Option<&str> {
        match self {
            Test::Regex(pattern) => Some(pattern),
            _ => None,
        }
    }
}

/// What can be too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Links followed since the seed.
    Hops,
    /// Bytes of the URL.
    Length,
    /// Segments of the path.
    Depth,
    /// How often the most frequent segment of the path occurs.
    Repeats,
    /// Parameters of the query.
    Parameters,
    /// Bytes of the query.
    QueryLength,
}

impl Measure {
    pub(super) const ALL: [Measure; 6] = [
        Measure::Hops,
        Measure::Length,
        Measure::Depth,
        Measure::Repeats,
        Measure::Parameters,
        Measure::QueryLength,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Measure::Hops => "hops",
            Measure::Length => "length",
            Measure::Depth => "depth",
            Measure::Repeats => "repeats",
            Measure::Parameters => "parameters",
            Measure::QueryLength => "query-length",
        }
    }
}

/// A host with a port; without one, the host's default ports of http and https.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    pub host: HostName,
    pub port: Option<u16>,
}

impl Site {
    /// The site of an http or https URL.
    pub fn of(url: &Url) -> Option<Site> {
        Scheme::of(url)?;
        Some(Site { host: HostName::of(url)?, port: url.port() })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}: ")?;
        }
        write!(f, "{} ", self.action.as_str())?;
        if let Some(label) = &self.label {
            write!(f, "as {label} ")?;
        }
        write!(f, "{}", self.test)
    }
}

impl Action {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Action::Accept => "accept",
            Action::Reject => "reject",
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Test::Any => f.write_str("any"),
            Test::Surt(prefix) => write!(f, "surt {prefix}"),
            Test::Host(hosts) => list(f, "host", hosts),
            Test::Site(sites) => list(f, "site", sites),
            Test::Url(prefix) => write!(f, "url {prefix}"),
            Test::Regex(pattern) => write!(f, "regex {pattern}"),
            Test::Suffix(suffixes) => list(f, "suffix", suffixes),
            Test::Port(ports) => list(f, "port", ports),
            Test::Scheme(schemes) => list(f, "scheme", schemes),
            Test::Net(nets) => list(f, "net", nets),
            Test::Over(measure, limit) => write!(f, "{} > {limit}", measure.as_str()),
            Test::Embeds(EMBED_STEPS) => f.write_str("embeds"),
            Test::Embeds(steps) => write!(f, "embeds {steps}"),
            Test::Redirects(REDIRECT_STEPS) => f.write_str("redirects"),
            Test::Redirects(steps) => write!(f, "redirects {steps}"),
            Test::Members(None) => f.write_str("members"),
            Test::Members(Some(label)) => write!(f, "members of {label}"),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => write!(f, "{}:{port}", self.host),
            None => write!(f, "{}", self.host),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, word: &str, items: &[impl fmt::Display]) -> fmt::Result {
    f.write_str(word)?;
    items.iter().try_for_each(|item| write!(f, " {item}"))
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rule {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Rule, D::Error> {
        let text = String::deserialize(input)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
