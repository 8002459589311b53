//! Reads scope rules, and says where and why a line is not one.
//!
//! One rule per line; empty lines and lines that begin with `#` are skipped. A `#` further right
//! belongs to the rule, because regular expressions contain it.

use super::rule::{EMBED_STEPS, REDIRECT_STEPS};
use super::{Action, Measure, REGEX_BYTES, Rule, Site, Test};
use crate::CrawlError;
use crate::error::RuleFault;
use auslese_model::{HostName, Scheme};
use ipnet::IpNet;
use regex::RegexBuilder;
use std::net::IpAddr;
use std::str::FromStr;
use url::Url;

/// Reads rules, one per line.
pub fn parse_rules(text: &str) -> Result<Vec<Rule>, CrawlError> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .map(|(index, line)| Line::new(line).rule().map_err(|fault| fault.at(line, index + 1)))
        .collect()
}

impl FromStr for Rule {
    type Err = CrawlError;

    fn from_str(line: &str) -> Result<Rule, CrawlError> {
        Line::new(line).rule().map_err(|fault| fault.at(line, 1))
    }
}

const ACTIONS: [&str; 2] = ["accept", "reject"];
#[rustfmt::skip]
const TESTS: [&str; 19] = [
    "any", "surt", "host", "site", "url", "regex", "suffix", "port", "scheme", "net", "embeds",
    "redirects", "members", "hops", "length", "depth", "repeats", "parameters", "query-length",
];

/// A fault at a byte of the line.
struct Fault {
    byte: usize,
    fault: RuleFault,
}

impl Fault {
    fn at(self, line: &str, number: usize) -> CrawlError {
        let before = line.get(..self.byte).unwrap_or(line);
        CrawlError::Rule { line: number, column: before.chars().count() + 1, fault: self.fault }
    }
}

/// A word and the byte where it begins.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    byte: usize,
}

impl Word<'_> {
    fn fault(self, problem: impl Into<String>) -> Fault {
        Fault { byte: self.byte, fault: RuleFault { problem: problem.into(), meant: None } }
    }

    fn unknown(self, what: &str, known: &[&'static str]) -> Fault {
        let problem = format!("`{}` is no {what}", self.text);
        Fault { byte: self.byte, fault: RuleFault { problem, meant: nearest(self.text, known) } }
    }
}

fn nearest(word: &str, known: &[&'static str]) -> Option<&'static str> {
    let word: String = word.chars().take(40).collect::<String>().to_lowercase();
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), *candidate))
        .filter(|(distance, candidate)| *distance * 3 <= candidate.len().max(3))
        .min()
        .map(|(_, candidate)| candidate)
}

/// A line that is read word by word.
struct Line<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Line<'a> {
        Line { text, position: 0 }
    }

    fn rule(mut self) -> Result<Rule, Fault> {
        let mut word = self.need("`accept` or `reject`")?;
        let mut name = None;
        if let Some(text) = word.text.strip_suffix(':') {
            if text.is_empty() {
                return Err(word.fault("a name is missing before `:`"));
            }
            name = Some(text.to_owned());
            word = self.need("`accept` or `reject`")?;
        }
        let action = match word.text {
            "accept" => Action::Accept,
            "reject" => Action::Reject,
            _ => return Err(word.unknown("action", &ACTIONS)),
        };
        let mut word = self.need("what to look at, such as `host`")?;
        let mut label = None;
        if word.text == "as" {
            label = Some(self.need("a label after `as`")?.text.to_owned());
            word = self.need("what to look at, such as `host`")?;
        }
        Ok(Rule { action, test: self.test(word)?, name, label })
    }

    fn test(mut self, word: Word<'a>) -> Result<Test, Fault> {
        let test = match word.text {
            "any" => Test::Any,
            "surt" => Test::Surt(surt_prefix(self.need("a SURT prefix")?)?),
            "host" => Test::Host(self.list("a host", host)?),
            "site" => Test::Site(self.list("a host, with or without a port", site)?),
            "url" => Test::Url(url_prefix(self.need("the beginning of a URL")?)?),
            "regex" => return Ok(Test::Regex(regex(self.rest("a regular expression")?)?)),
            "suffix" => Test::Suffix(self.list("a suffix", |word| Ok(word.text.to_owned()))?),
            "port" => Test::Port(self.list("a port", |word| number(word, u16::MAX))?),
            "scheme" => Test::Scheme(self.list("http or https", scheme)?),
            "net" => Test::Net(self.list("an address range", net)?),
            "embeds" => Test::Embeds(self.steps(EMBED_STEPS)?),
            "redirects" => Test::Redirects(self.steps(REDIRECT_STEPS)?),
            "members" => Test::Members(self.of_label()?),
            _ => self.measure(word)?,
        };
        match self.word() {
            Some(extra) => Err(extra.fault(format!("`{}` is too much", extra.text))),
            None => Ok(test),
        }
    }

    fn measure(&mut self, word: Word<'a>) -> Result<Test, Fault> {
        let measure = Measure::ALL
            .into_iter()
            .find(|measure| measure.as_str() == word.text)
            .ok_or_else(|| word.unknown("test", &TESTS))?;
        let sign = self.need("`>`")?;
        if sign.text != ">" {
            return Err(sign.fault(format!("`>` expected, not `{}`", sign.text)));
        }
        Ok(Test::Over(measure, number(self.need("a number")?, u32::MAX)?))
    }

    fn steps(&mut self, default: u32) -> Result<u32, Fault> {
        self.word().map_or(Ok(default), |word| number(word, u32::MAX))
    }

    fn of_label(&mut self) -> Result<Option<String>, Fault> {
        match self.word() {
            None => Ok(None),
            Some(of) if of.text == "of" => Ok(Some(self.need("a label")?.text.to_owned())),
            Some(word) => Err(word.fault(format!("`of` expected, not `{}`", word.text))),
        }
    }

    fn list<T>(
        &mut self,
        what: &str,
        read: impl Fn(Word<'a>) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut items = vec![read(self.need(what)?)?];
        while let Some(word) = self.word() {
            items.push(read(word)?);
        }
        Ok(items)
    }

    fn word(&mut self) -> Option<Word<'a>> {
        let rest = &self.text[self.position..];
        let start = self.position + (rest.len() - rest.trim_start().len());
        let rest = &self.text[start..];
        let text = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        self.position = start + text.len();
        (!text.is_empty()).then_some(Word { text, byte: start })
    }

    fn need(&mut self, what: &str) -> Result<Word<'a>, Fault> {
        self.word().ok_or_else(|| self.missing(what))
    }

    /// Everything up to the end of the line.
    fn rest(&mut self, what: &str) -> Result<Word<'a>, Fault> {
        let rest = &self.text[self.position..];
        let byte = self.position + (rest.len() - rest.trim_start().len());
        match rest.trim() {
            "" => Err(self.missing(what)),
            text => Ok(Word { text, byte }),
        }
    }

    fn missing(&self, what: &str) -> Fault {
        let end = Word { text: "", byte: self.text.trim_end().len() };
        end.fault(format!("{what} is missing"))
    }
}

fn number<T: FromStr + std::fmt::Display>(word: Word<'_>, largest: T) -> Result<T, Fault> {
    word.text
        .replace('_', "")
        .parse()
        .map_err(|_| word.fault(format!("`{}` is no number up to {largest}", word.text)))
}

fn host(word: Word<'_>) -> Result<String, Fault> {
    let (dot, name) = match word.text.strip_prefix('.') {
        Some(name) => (".", name),
        None => ("", word.text),
    };
    let host = HostName::parse(name)
        .ok_or_else(|| word.fault(format!("`{}` is no host name", word.text)))?;
    Ok(format!("{dot}{host}"))
}

fn site(word: Word<'_>) -> Result<Site, Fault> {
    let url = Url::parse(&format!("http://{}", word.text)).ok();
    url.as_ref()
        .filter(|url| url.path() == "/" && url.query().is_none() && url.username().is_empty())
        .and_then(Site::of)
        .ok_or_else(|| word.fault(format!("`{}` is no host with or without port", word.text)))
}

fn scheme(word: Word<'_>) -> Result<Scheme, Fault> {
    match word.text {
        "http" => Ok(Scheme::Http),
        "https" => Ok(Scheme::Https),
        _ => Err(word.unknown("scheme that is crawled", &["http", "https"])),
    }
}

/// A range; a single address is the range of itself, and bits behind the prefix are cleared.
fn net(word: Word<'_>) -> Result<IpNet, Fault> {
    let range = word.text.parse::<IpNet>().ok().map(|net| net.trunc());
    range
        .or_else(|| word.text.parse::<IpAddr>().ok().map(IpNet::from))
        .ok_or_else(|| word.fault(format!("`{}` is no address range", word.text)))
}

/// Written as the URL parser writes URLs, so that `http://h.example` does not cover
/// `http://h.example.org/`.
fn url_prefix(word: Word<'_>) -> Result<String, Fault> {
    Url::parse(word.text)
        .ok()
        .filter(|url| Scheme::of(url).is_some())
        .map(String::from)
        .ok_or_else(|| word.fault(format!("`{}` is no beginning of an http URL", word.text)))
}

fn surt_prefix(word: Word<'_>) -> Result<String, Fault> {
    let begins = ["http://(", "https://(", "("].iter().any(|start| word.text.starts_with(start));
    if begins {
        Ok(word.text.to_owned())
    } else {
        Err(word.fault("a SURT prefix begins with `http://(`, `https://(` or `(`"))
    }
}

fn regex(word: Word<'_>) -> Result<String, Fault> {
    match RegexBuilder::new(word.text).size_limit(REGEX_BYTES).build() {
        Ok(_) => Ok(word.text.to_owned()),
        Err(error) => {
            let problem = regex_problem(&error.to_string()).to_owned();
            Err(word.fault(format!("the regular expression is wrong: {problem}")))
        }
    }
}

/// One line of the regex crate's message, which otherwise draws a picture over several lines.
fn regex_problem(message: &str) -> &str {
    message.lines().last().unwrap_or(message).trim().trim_start_matches("error: ")
}
