//! Institutions as they are named to `auslese init`: by domain, by start page, or in a list.

use crate::config::text_forms::web_url;
use crate::config::{Institution, Problem, Source, failure_of};
use crate::messages::{Exit, Failure};
use anyhow::Context;
use auslese_model::HostName;
use std::collections::HashSet;
use std::path::Path;
use url::Url;

/// Lists larger than this are taken for something else.
const LARGEST_LIST: u64 = 64 << 20;

/// Reads a domain or a start page.
pub(crate) fn parse_root(text: &str) -> Result<Institution, String> {
    let text = text.trim();
    let root = if text.contains("://") { web_url(text)? } else { root_of_domain(text)? };
    let host = HostName::of(&root).map(|host| host.to_string()).unwrap_or_default();
    let label = host.strip_prefix("www.").unwrap_or(&host).to_owned();
    Ok(Institution { label, root })
}

/// The start page of a domain.
fn root_of_domain(text: &str) -> Result<Url, String> {
    if text.contains(['/', '?', '#', '@', ' ']) {
        return Err(format!("\"{text}\" is no domain; a start page begins with https://"));
    }
    let (name, port) = split_port(text);
    let host = HostName::parse(name).ok_or_else(|| format!("\"{text}\" is no domain"))?;
    let is_name = host.address().is_none();
    if is_name && host.as_str() != "localhost" && !host.as_str().contains('.') {
        return Err(format!("\"{text}\" is no domain: it has no dot"));
    }
    if !can_be_in_the_dns(&host) {
        return Err(format!("\"{text}\" is no domain: a part of it is empty or too long"));
    }
    let port = port.map_or(String::new(), |port| format!(":{port}"));
    Url::parse(&format!("https://{host}{port}/")).map_err(|_| format!("\"{text}\" is no domain"))
}

/// Whether a host is an address, or a name without empty or overlong parts.
pub(crate) fn can_be_in_the_dns(host: &HostName) -> bool {
    let sound = |label: &str| (1..=63).contains(&label.len());
    host.address().is_some() || host.as_str().split('.').all(sound)
}

fn split_port(text: &str) -> (&str, Option<u16>) {
    match text.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => match port.parse() {
            Ok(port) => (name, Some(port)),
            Err(_) => (text, None),
        },
        _ => (text, None),
    }
}

/// Reads a list of institutions; all lines that are wrong are reported at once.
pub(crate) fn read_list(path: &Path) -> Result<Vec<Institution>, Failure> {
    let unreadable = || format!("cannot read the list {}", path.display());
    let usage = |error: anyhow::Error| Failure::new(Exit::Usage, error);
    let size = path.metadata().with_context(unreadable).map_err(usage)?.len();
    if size > LARGEST_LIST {
        return Err(usage(
            anyhow::anyhow!("the file is too large for a list").context(unreadable()),
        ));
    }
    let bytes = std::fs::read(path).with_context(unreadable).map_err(usage)?;
    let text = String::from_utf8(bytes).context("the file is not in UTF-8");
    let text = text.with_context(unreadable).map_err(usage)?;
    let source = Source::new(path, text);
    match parse_list(&source) {
        (institutions, problems) if problems.is_empty() && institutions.is_empty() => {
            let message = format!("the list {} holds no institutions", path.display());
            Err(Failure::usage(message).hint("write one per line: a label, a comma, a start page"))
        }
        (institutions, problems) if problems.is_empty() => Ok(institutions),
        (_, problems) => Err(failure_of(problems)),
    }
}

fn parse_list(source: &Source) -> (Vec<Institution>, Vec<Problem>) {
    let mut list = ListReader::new(source);
    let mut offset = 0;
    for line in source.text.split_inclusive('\n') {
        list.read_line(offset, line);
        offset += line.len();
    }
    (list.institutions, list.problems)
}

struct ListReader<'s> {
    source: &'s Source,
    institutions: Vec<Institution>,
    labels: HashSet<String>,
    roots: HashSet<Url>,
    problems: Vec<Problem>,
}

impl ListReader<'_> {
    fn new(source: &Source) -> ListReader<'_> {
        ListReader {
            source,
            institutions: Vec::new(),
            labels: HashSet::new(),
            roots: HashSet::new(),
            problems: Vec::new(),
        }
    }

    fn read_line(&mut self, offset: usize, line: &str) {
        let text = line.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            return;
        }
        let start = offset + line.find(text).unwrap_or(0);
        match self.read_entry(text) {
            Ok(institution) => self.institutions.push(institution),
            Err((message, hint)) => {
                let problem = self.source.problem(start..start + text.len(), message, hint);
                self.problems.push(problem);
            }
        }
    }

    fn read_entry(&mut self, text: &str) -> Result<Institution, (String, Option<String>)> {
        let form = || Some("write a label, a comma or tab, and the start page".to_owned());
        // A label may hold commas if a tab separates it.
        let separator = if text.contains('\t') { '\t' } else { ',' };
        let Some((label, root)) = text.split_once(separator) else {
            return Err(("there is no comma or tab in this line".to_owned(), form()));
        };
        let label = label.trim();
        if label.is_empty() {
            return Err(("the label is missing".to_owned(), form()));
        }
        let root = parse_root(root).map_err(|reason| (reason, None))?.root;
        if !self.labels.insert(label.to_owned()) {
            return Err((format!("the label `{label}` occurs twice"), None));
        }
        if !self.roots.insert(root.clone()) {
            return Err((format!("the start page {root} occurs twice"), None));
        }
        Ok(Institution { label: label.to_owned(), root })
    }
}

/// Refuses institutions that were named twice.
pub(crate) fn refuse_repeats(institutions: &[Institution]) -> Result<(), Failure> {
    let mut roots = HashSet::new();
    match institutions.iter().find(|institution| !roots.insert(&institution.root)) {
        Some(twice) => Err(Failure::usage(format!("{} is named twice", twice.root))),
        None => Ok(()),
    }
}

/// How a sample was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Drawing {
    pub(crate) of: u64,
    pub(crate) take: u64,
    pub(crate) seed: u64,
}

/// Draws `take` entries of a list without putting back; they keep its order.
pub(crate) fn draw<T>(all: Vec<T>, take: usize, seed: u64) -> Result<(Vec<T>, Drawing), Failure> {
    let of = all.len();
    if take > of {
        let message = format!("a sample of {take} cannot be drawn: the list holds {of}");
        return Err(Failure::usage(message));
    }
    let mut positions: Vec<usize> = (0..of).collect();
    let mut dice = Dice(seed);
    for place in 0..take {
        positions.swap(place, place + dice.below((of - place) as u64) as usize);
    }
    let drawn: HashSet<usize> = positions[..take].iter().copied().collect();
    let all = all.into_iter().enumerate();
    let chosen = all.filter(|(position, _)| drawn.contains(position)).map(|(_, one)| one).collect();
    Ok((chosen, Drawing { of: of as u64, take: take as u64, seed }))
}

/// SplitMix64 (Steele, Lea and Flood 2014): our own, so that a seed written down today draws the
/// same sample with every later version.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Evenly from 0 to below `bound`, which is not 0: numbers of the last, incomplete round are
    /// thrown again.
    fn below(&mut self, bound: u64) -> u64 {
        let rounds_end = u64::MAX - u64::MAX % bound;
        loop {
            let number = self.next();
            if number < rounds_end {
                return number % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn roots() {
        #[rustfmt::skip]
        let cases = [
            ("uni-giessen.example",         Ok(("uni-giessen.example", "https://uni-giessen.example/"))),
            ("WWW.Uni.Example.",            Ok(("uni.example",         "https://www.uni.example/"))),
            ("gießen.example",              Ok(("xn--gieen-nqa.example", "https://xn--gieen-nqa.example/"))),
            ("http://127.0.0.1:8080/start", Ok(("127.0.0.1",           "http://127.0.0.1:8080/start"))),
            ("localhost:8443",              Ok(("localhost",           "https://localhost:8443/"))),
            ("[::1]:8443",                  Ok(("[::1]",               "https://[::1]:8443/"))),
            ("192.0.2.7",                   Ok(("192.0.2.7",           "https://192.0.2.7/"))),
            ("giessen",                     Err("\"giessen\" is no domain: it has no dot")),
            ("uni.example/a",               Err("\"uni.example/a\" is no domain; a start page begins with https://")),
            ("a..example",                  Err("\"a..example\" is no domain: a part of it is empty or too long")),
            ("",                            Err("\"\" is no domain")),
            ("ftp://uni.example/",          Err("only http and https can be crawled, not ftp")),
        ];
        for (text, expected) in cases {
            let read = parse_root(text);
            let read = read.as_ref().map(|it| (it.label.as_str(), it.root.as_str()));
            assert_eq!(read.map_err(String::as_str), expected, "{text}");
        }
    }

    fn list(text: &str) -> (Vec<Institution>, Vec<Problem>) {
        parse_list(&Source::new(Path::new("list"), text.to_owned()))
    }

    #[test]
    fn lists() {
        let (institutions, problems) = list(
            "\u{feff}# universities\nGI, https://www.uni-giessen.example/\r\n\n\
             Konstanz, Bodensee\tuni-konstanz.example\n",
        );
        assert!(problems.is_empty(), "{problems:?}");
        let labels: Vec<&str> = institutions.iter().map(|it| it.label.as_str()).collect();
        assert_eq!(labels, ["GI", "Konstanz, Bodensee"]);
        assert_eq!(institutions[1].root.as_str(), "https://uni-konstanz.example/");
    }

    #[test]
    fn all_wrong_lines_are_reported() {
        let (_, problems) =
            list("GI\n, a.example\nA, a.example\nA, b.example\nB, a.example\nC, c\n");
        let told: Vec<(usize, &str)> =
            problems.iter().map(|problem| (problem.line, problem.message.as_str())).collect();
        assert_eq!(
            told,
            [
                (1, "there is no comma or tab in this line"),
                (2, "the label is missing"),
                (4, "the label `A` occurs twice"),
                (5, "the start page https://a.example/ occurs twice"),
                (6, "\"c\" is no domain: it has no dot"),
            ]
        );
    }

    fn numbered(count: usize) -> Vec<Institution> {
        (0..count).map(|n| parse_root(&format!("u{n}.example")).unwrap()).collect()
    }

    #[test]
    fn a_seed_always_draws_the_same() {
        let (drawn, drawing) = draw(numbered(100), 4, 2001).unwrap();
        let labels: Vec<&str> = drawn.iter().map(|it| it.label.as_str()).collect();
        assert_eq!(drawing, Drawing { of: 100, take: 4, seed: 2001 });
        // These names are a promise: a change would make old samples unrepeatable.
        assert_eq!(labels, ["u5.example", "u20.example", "u28.example", "u92.example"]);
        assert_eq!(Dice(0).next(), 0xe220_a839_7b1d_cdaf, "the published first number");
        assert!(draw(numbered(3), 4, 1).is_err());
    }

    proptest! {
        #[test]
        fn samples_have_no_repeats(count in 1usize..60, seed in any::<u64>()) {
            let take = count / 2 + 1;
            let (drawn, _) = draw(numbered(count), take, seed).unwrap();
            let distinct: HashSet<&Url> = drawn.iter().map(|it| &it.root).collect();
            prop_assert_eq!(distinct.len(), take);
        }

        #[test]
        fn any_list_is_survived(text in "(?s).{0,200}") {
            let _ = list(&text);
            let _ = parse_root(&text);
        }
    }
}
