//! Web sites: which answer belongs to which request.
//!
//! A site is an origin (scheme, host, port). Many sites share one listening socket, as virtual
//! hosts do, and are told apart by the `Host` line.

use crate::answer::Answer;
use crate::connection::no_such_site;
use crate::error::TestnetError;
use crate::request::Asked;
use crate::tls::Identity;
use auslese_model::{Origin, Scheme};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A web site with its pages.
///
/// A host that no zone mentions gets an address of its own in 198.18.0.0/15, so that a test need not
/// say anything about DNS.
#[derive(Debug, Clone)]
pub struct Site {
    origin: String,
    pub(crate) addresses: Vec<String>,
    pub(crate) identity: Identity,
    answers: BTreeMap<String, Answer>,
    later: BTreeMap<String, Answer>,
    otherwise: Answer,
}

/// A page of a site that is the same for every request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Document {
    /// Path and query.
    pub path: String,
    pub body: Arc<[u8]>,
}

impl Site {
    /// A site such as `http://www.uni.example`, `https://h.example:8443` or `http://*.h.example`.
    pub fn new(origin: impl Into<String>) -> Site {
        Site {
            origin: origin.into(),
            addresses: Vec::new(),
            identity: Identity::Valid,
            answers: BTreeMap::new(),
            later: BTreeMap::new(),
            otherwise: Answer::error(404),
        }
    }

    /// An HTML page in UTF-8.
    pub fn page(self, path: &str, html: impl Into<String>) -> Site {
        self.answer(path, Answer::page(html))
    }

    /// A file with its media type.
    pub fn file(self, path: &str, media_type: &str, body: impl Into<Vec<u8>>) -> Site {
        self.answer(path, Answer::file(media_type, body))
    }

    /// The answer for a path. A path with a query is for that query only; one without is for every
    /// query that has no answer of its own.
    pub fn answer(mut self, path: &str, answer: Answer) -> Site {
        self.answers.insert(path.to_owned(), answer);
        self
    }

    /// The answer for a path from the second round on (see [`crate::Running::begin_second_round`]):
    /// pages change, vanish and appear.
    pub fn later(mut self, path: &str, answer: Answer) -> Site {
        self.later.insert(path.to_owned(), answer);
        self
    }

    /// The answer for every path without one; 404 if not set.
    pub fn otherwise(mut self, answer: Answer) -> Site {
        self.otherwise = answer;
        self
    }

    /// Gives the host this address in DNS, besides those of its zone.
    pub fn at(mut self, address: &str) -> Site {
        self.addresses.push(address.to_owned());
        self
    }

    /// The certificate the site shows; only for `https`.
    pub fn identity(mut self, identity: Identity) -> Site {
        self.identity = identity;
        self
    }

    /// All pages (status 200) that are the same for every request, by path.
    pub fn documents(&self) -> Vec<Document> {
        let fixed = |(path, answer): (&String, &Answer)| {
            Some(Document { path: path.clone(), body: answer.fixed_body()?.clone() })
        };
        self.answers.iter().filter_map(fixed).collect()
    }

    pub fn origin_text(&self) -> &str {
        &self.origin
    }

    pub(crate) fn origin(&self) -> Result<Origin, TestnetError> {
        Origin::parse(&self.origin).ok_or_else(|| TestnetError::Origin(self.origin.clone()))
    }
}

/// All sites, by what a request says.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    by_origin: HashMap<(Scheme, u16), HashMap<String, Routes>>,
    second_round: AtomicBool,
}

#[derive(Debug)]
struct Routes {
    answers: HashMap<String, Route>,
    later: HashMap<String, Route>,
    otherwise: Answer,
}

#[derive(Debug)]
struct Route {
    answer: Answer,
    asked: AtomicU64,
}

impl Sites {
    pub(crate) fn new(sites: Vec<Site>) -> Result<Sites, TestnetError> {
        let mut all = Sites::default();
        for site in sites {
            let origin = site.origin()?;
            let routes = Routes {
                answers: routes(site.answers),
                later: routes(site.later),
                otherwise: site.otherwise,
            };
            let hosts = all.by_origin.entry((origin.scheme, origin.port)).or_default();
            hosts.insert(origin.host.as_str().to_owned(), routes);
        }
        Ok(all)
    }

    /// Finds the answer and notes in the request how often it was asked for before.
    pub(crate) fn answer(&self, asked: &mut Asked) -> Answer {
        let Some(routes) = self.routes(asked) else { return no_such_site(&asked.host) };
        let later = self.second_round.load(Ordering::Relaxed).then_some(&routes.later);
        let tables = || later.into_iter().chain([&routes.answers]);
        let whole = tables().find_map(|table| table.get(asked.path_and_query()));
        match whole.or_else(|| tables().find_map(|table| table.get(asked.path()))) {
            Some(route) => {
                asked.earlier = route.asked.fetch_add(1, Ordering::Relaxed);
                route.answer.clone()
            }
            None => routes.otherwise.clone(),
        }
    }

    /// Starts every sequence again.
    pub(crate) fn rewind(&self) {
        let routes = self.by_origin.values().flat_map(HashMap::values);
        for route in routes.flat_map(|routes| routes.answers.values().chain(routes.later.values()))
        {
            route.asked.store(0, Ordering::Relaxed);
        }
    }

    pub(crate) fn begin_second_round(&self) {
        self.second_round.store(true, Ordering::Relaxed);
    }

    fn routes(&self, asked: &Asked) -> Option<&Routes> {
        let hosts = self.by_origin.get(&(asked.scheme, asked.port))?;
        by_name(hosts, &asked.host)
    }
}

fn routes(answers: BTreeMap<String, Answer>) -> HashMap<String, Route> {
    let route = |(path, answer)| (path, Route { answer, asked: AtomicU64::new(0) });
    answers.into_iter().map(route).collect()
}

/// The entry of a host, or of the nearest wildcard above it.
pub(crate) fn by_name<'a, V>(hosts: &'a HashMap<String, V>, host: &str) -> Option<&'a V> {
    hosts.get(host).or_else(|| {
        let parents = host.match_indices('.').map(|(dot, _)| &host[dot..]);
        parents.map(|parent| format!("*{parent}")).find_map(|wildcard| hosts.get(&wildcard))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_are_last() {
        let hosts: HashMap<String, u8> = [("a.example", 1), ("*.example", 2), ("*.b.example", 3)]
            .map(|(host, value)| (host.to_owned(), value))
            .into();
        #[rustfmt::skip]
        let cases = [("a.example", Some(1)), ("c.example", Some(2)), ("x.y.example", Some(2)),
                     ("x.b.example", Some(3)), ("example", None), ("", None)];
        for (host, expected) in cases {
            assert_eq!(by_name(&hosts, host).copied(), expected, "{host}");
        }
    }

    #[test]
    fn bad_origins_are_named() {
        let result = Sites::new(vec![Site::new("www.uni.example")]);
        assert!(matches!(result, Err(TestnetError::Origin(text)) if text == "www.uni.example"));
    }
}
