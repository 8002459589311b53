//! What a request to the index asks: the parameters of pywb and of the Wayback Machine's CDX server, as far as they are
//! common.

use super::line::{Field, Line};
use crate::problem::Problem;
use crate::replay::address::read_time;
use auslese_model::Timestamp;
use regex::{Regex, RegexBuilder};

/// Lines that are given unless more are asked for, and at most.
pub(super) const DEFAULT_LINES: usize = 1_000;
pub(super) const MAX_LINES: usize = 100_000;
/// Filters of a request.
const MAX_FILTERS: usize = 10;
/// Memory of a compiled filter.
const MAX_FILTER_SIZE: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct Question {
    pub(super) url: String,
    pub(super) matching: Matching,
    pub(super) from: Timestamp,
    pub(super) to: Timestamp,
    pub(super) limit: usize,
    pub(super) output: Output,
    /// Those asked for, in their order; empty means all.
    pub(super) fields: Vec<Field>,
    pub(super) filters: Vec<Filter>,
    /// Of lines that follow each other and agree in so many characters of a field, only the first is given.
    pub(super) collapse: Option<(Field, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Matching {
    Exact,
    Prefix,
    Host,
    Domain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    Text,
    Json,
}

/// A condition on a field.
#[derive(Debug)]
pub(super) struct Filter {
    field: Field,
    test: Test,
    is_negated: bool,
}

#[derive(Debug)]
enum Test {
    Contains(String),
    Equals(String),
    Matches(Regex),
}

impl Question {
    pub(super) fn read(parameters: &[(String, String)]) -> Result<Question, Problem> {
        let mut question = Question {
            url: String::new(),
            matching: Matching::Exact,
            from: Timestamp(i64::MIN),
            to: Timestamp(i64::MAX),
            limit: DEFAULT_LINES,
            output: Output::Text,
            fields: Vec::new(),
            filters: Vec::new(),
            collapse: None,
        };
        for (name, value) in parameters {
            question.take(name, value)?;
        }
        question.wildcards();
        match question.url.is_empty() {
            true => Err(wrong("url", "")),
            false => Ok(question),
        }
    }

    /// What other servers understand besides is passed over.
    fn take(&mut self, name: &str, value: &str) -> Result<(), Problem> {
        let wrong = || wrong(name, value);
        match name {
            "url" => self.url = value.trim().to_owned(),
            "matchType" => self.matching = Matching::parse(value).ok_or_else(wrong)?,
            "from" => self.from = read_time(value)?,
            "to" | "closest_to" => self.to = end_of(value)?,
            "limit" => self.limit = value.parse().ok().filter(|it| *it > 0).ok_or_else(wrong)?,
            "output" => {
                self.output = match value {
                    "json" => Output::Json,
                    "text" | "cdxj" | "" => Output::Text,
                    _ => return Err(wrong()),
                }
            }
            "fl" | "fields" => {
                let fields = value.split(',').filter(|it| !it.is_empty());
                let fields: Option<Vec<Field>> = fields.map(|it| Field::parse(it.trim())).collect();
                self.fields = fields.ok_or_else(wrong)?;
            }
            "filter" if self.filters.len() < MAX_FILTERS => {
                self.filters.push(Filter::parse(value).ok_or_else(wrong)?);
            }
            "filter" => return Err(wrong()),
            "collapse" if !value.is_empty() => {
                let (field, length) = value.split_once(':').unwrap_or((value, ""));
                let length = if length.is_empty() { Some(usize::MAX) } else { length.parse().ok() };
                let field = Field::parse(field).ok_or_else(wrong)?;
                self.collapse = Some((field, length.ok_or_else(wrong)?));
            }
            _ => {}
        }
        self.limit = self.limit.min(MAX_LINES);
        Ok(())
    }

    /// `www.example.org/*` and `*.example.org` say how they match.
    fn wildcards(&mut self) {
        if let Some(host) = self.url.strip_prefix("*.") {
            self.url = host.to_owned();
            self.matching = Matching::Domain;
        } else if let Some(beginning) = self.url.strip_suffix('*') {
            self.url = beginning.to_owned();
            self.matching = Matching::Prefix;
        }
    }

    pub(super) fn admits(&self, line: &Line) -> bool {
        self.filters.iter().all(|filter| filter.admits(line))
    }
}

impl Matching {
    fn parse(text: &str) -> Option<Matching> {
        match text {
            "exact" => Some(Matching::Exact),
            "prefix" => Some(Matching::Prefix),
            "host" => Some(Matching::Host),
            "domain" => Some(Matching::Domain),
            _ => None,
        }
    }
}

impl Filter {
    /// `mime:html` (contains), `=status:200` (is), `~url:regex` (matches); each may be negated by a leading `!`.
    fn parse(text: &str) -> Option<Filter> {
        let (is_negated, text) = match text.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (field, value) = text.split_once(':')?;
        let (field, test) = match field.split_at_checked(1)? {
            ("=", field) => (field, Test::Equals(value.to_owned())),
            ("~", field) => {
                let mut builder = RegexBuilder::new(&format!("^(?:{value})$"));
                let regex = builder.size_limit(MAX_FILTER_SIZE).dfa_size_limit(MAX_FILTER_SIZE);
                (field, Test::Matches(regex.build().ok()?))
            }
            _ => (field, Test::Contains(value.to_owned())),
        };
        Some(Filter { field: Field::parse(field)?, test, is_negated })
    }

    fn admits(&self, line: &Line) -> bool {
        let value = line.value(self.field);
        let holds = match &self.test {
            Test::Contains(part) => value.contains(part.as_str()),
            Test::Equals(whole) => value == whole.as_str(),
            Test::Matches(regex) => regex.is_match(&value),
        };
        holds != self.is_negated
    }
}

/// The end of the stretch of time that digits name: 2026 ends with its last second.
fn end_of(digits: &str) -> Result<Timestamp, Problem> {
    const LATEST: &str = "99991231235959";
    let begin = read_time(digits)?;
    if digits.is_empty() || digits.len() >= LATEST.len() {
        return Ok(Timestamp(begin.0.saturating_add(999_999)));
    }
    let filled = |end: &str| format!("{digits}{}", &end[digits.len()..]);
    // The last day of a month: the first of these that exists.
    let last = ["99991231235959", "99991230235959", "99991229235959", "99991228235959"]
        .into_iter()
        .find_map(|end| read_time(&filled(end)).ok());
    Ok(Timestamp(last.unwrap_or(begin).0.saturating_add(999_999)))
}

fn wrong(name: &str, value: &str) -> Problem {
    Problem::bad_request(
        "A parameter of the index is missing or cannot be understood.",
        "Ein Parameter des Index fehlt oder ist nicht zu verstehen.",
    )
    .detail(format!("{name}={value}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use url::form_urlencoded;

    fn read(query: &str) -> Result<Question, Problem> {
        let pairs: Vec<(String, String)> =
            form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        Question::read(&pairs)
    }

    #[test]
    fn parameters() {
        let question = read("url=http://a.example/&from=2025&to=202602&limit=7&output=json&fl=url,statuscode&filter=!=status:404&collapse=timestamp:8").unwrap();
        assert_eq!(question.url, "http://a.example/");
        assert_eq!(
            (question.from.digits14(), question.to.digits14()),
            ("20250101000000".into(), "20260228235959".into())
        );
        assert_eq!((question.limit, question.output), (7, Output::Json));
        assert_eq!(question.fields, [Field::Url, Field::Status]);
        assert_eq!(question.collapse, Some((Field::Timestamp, 8)));
        #[rustfmt::skip]
        let matching = [
            ("url=a.example",                    Matching::Exact,  "a.example"),
            ("url=a.example/*",                  Matching::Prefix, "a.example/"),
            ("url=*.a.example",                  Matching::Domain, "a.example"),
            ("url=a.example&matchType=host",     Matching::Host,   "a.example"),
            ("url=a.example&showResumeKey=true", Matching::Exact,  "a.example"),
        ];
        for (query, expected, url) in matching {
            let question = read(query).unwrap();
            assert_eq!((question.matching, question.url.as_str()), (expected, url), "{query}");
        }
        assert_eq!(read("url=a&limit=99999999").unwrap().limit, MAX_LINES);
    }

    #[test]
    fn what_cannot_be_understood_is_said() {
        for query in [
            "",
            "url=",
            "url=a&limit=-1",
            "url=a&limit=x",
            "url=a&matchType=range",
            "url=a&output=xml",
            "url=a&fl=colour",
            "url=a&filter=colour:red",
            "url=a&filter=~url:(",
            "url=a&filter=x",
            "url=a&collapse=url:x",
            "url=a&from=x",
            "url=a&to=20261399",
        ] {
            assert_eq!(read(query).unwrap_err().status.as_u16(), 400, "{query}");
        }
    }

    proptest! {
        #[test]
        fn any_query(query in "(url=|&|filter=|[!=~]|status|:|from=|to=|fl=|collapse=|[ -~]|\\PC){0,30}") {
            let _ = read(&query);
        }
    }
}
