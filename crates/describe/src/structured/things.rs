//! Things with types and properties, as JSON-LD and microdata both describe them.
//!
//! Things lie in one list and refer to each other by number, so that references may form circles
//! without harm: a path has as many steps as it was written with. Which thing the page is about is
//! decided by type ([`super::kinds`]), by the canonical address where several have the same rank,
//! and then by order. Three or more works side by side are a list, and the page is about none.

use super::FoundValue;
use super::kinds::{self, Rank};
use super::plain::plain_text;
use auslese_markup::NodeId;
use rustc_hash::FxHashMap;

/// Things of one page and form beyond this are not read; catalogues with thousands of offers exist.
pub const MAX_THINGS: usize = 10_000;

/// Values that one question to the structured data answers at most.
pub const MAX_FOUND_VALUES: usize = 1_000;

/// Values looked at for one question. Things may refer to each other in circles and in masses; with
/// this, a path over them ends.
const MAX_VISITED: usize = 20_000;

/// From this number on, works of the same rank side by side are a list of works.
const LIST_OF_WORKS: usize = 3;

#[derive(Debug, Clone, Default)]
pub(crate) struct Things {
    things: Vec<Thing>,
    by_id: FxHashMap<String, usize>,
    /// The things the page may be about, the likeliest first.
    main: Vec<usize>,
}

#[derive(Debug, Clone)]
pub(crate) struct Thing {
    pub(crate) types: Vec<String>,
    pub(crate) id: Option<String>,
    pub(crate) properties: Vec<(String, Value)>,
    pub(crate) node: NodeId,
    pub(crate) standing: Standing,
}

/// How a thing came into the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// On its own, or as the declared main thing of one that is.
    Root,
    /// As a value of a property.
    Part,
    /// Below a comment, a list or the like.
    Aside,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    Text { text: String, node: NodeId, attribute: Option<&'static str> },
    Thing(usize),
}

impl Things {
    /// The number under which the thing can be referred to; `None` if there are too many.
    pub(crate) fn add(&mut self, thing: Thing) -> Option<usize> {
        (self.things.len() < MAX_THINGS).then(|| {
            self.things.push(thing);
            self.things.len() - 1
        })
    }

    pub(crate) fn thing_mut(&mut self, number: usize) -> &mut Thing {
        &mut self.things[number]
    }

    /// Once all are there: names are known, and what the page is about is decided.
    pub(crate) fn finished(mut self, canonical: Option<&str>) -> Things {
        for (number, thing) in self.things.iter().enumerate() {
            let Some(id) = &thing.id else { continue };
            // Mere references have no properties. The first full description counts.
            if !thing.properties.is_empty() {
                self.by_id.entry(id.clone()).or_insert(number);
            }
        }
        self.main = self.ranked(canonical);
        self
    }

    pub(crate) fn find(&self, path: &str, types: &[&str]) -> Vec<FoundValue> {
        let steps: Vec<&str> = path.split('.').map(str::trim).collect();
        let mut search = Search { things: self, found: Vec::new(), visited: 0 };
        if types.is_empty() {
            for thing in &self.main {
                search.follow(*thing, &steps);
                if !search.found.is_empty() {
                    break;
                }
            }
        } else {
            for thing in self.of_types(types) {
                search.follow(thing, &steps);
            }
        }
        search.found
    }

    pub(crate) fn main_types(&self) -> Vec<FoundValue> {
        let Some(main) = self.main.first().map(|main| &self.things[*main]) else {
            return Vec::new();
        };
        let types = main.types.iter();
        types
            .map(|name| FoundValue { text: name.clone(), node: main.node, attribute: None })
            .collect()
    }

    /// The main thing first, then in document order; nothing that was left aside.
    fn of_types(&self, types: &[&str]) -> impl Iterator<Item = usize> {
        let fits = move |number: &usize| {
            let thing = &self.things[*number];
            let of_type = |name: &String| types.iter().any(|asked| kinds::is_kind_of(name, asked));
            thing.standing != Standing::Aside && thing.types.iter().any(of_type)
        };
        let main = self.main.first().copied();
        let others = (0..self.things.len()).filter(move |number| Some(*number) != main);
        main.into_iter().chain(others).filter(fits)
    }

    fn ranked(&self, canonical: Option<&str>) -> Vec<usize> {
        let mut roots: Vec<(Rank, bool, usize)> = Vec::new();
        for (number, thing) in self.things.iter().enumerate() {
            let rank = kinds::rank(&thing.types);
            if thing.standing == Standing::Root && rank > Rank::Never {
                roots.push((rank, canonical.is_some_and(|url| thing.is_at(url, self)), number));
            }
        }
        let works = roots.iter().filter(|(rank, ..)| *rank == Rank::Work).count();
        if works >= LIST_OF_WORKS {
            roots.retain(|(rank, here, _)| *rank != Rank::Work || *here);
        }
        roots.sort_by_key(|(rank, here, number)| (std::cmp::Reverse((*rank, *here)), *number));
        roots.into_iter().map(|(.., number)| number).collect()
    }

    /// A thing that is but a reference stands for the one it refers to.
    fn resolved(&self, number: usize) -> &Thing {
        let thing = &self.things[number];
        if !thing.properties.is_empty() {
            return thing;
        }
        let meant = thing.id.as_ref().and_then(|id| self.by_id.get(id));
        meant.map_or(thing, |number| &self.things[*number])
    }
}

impl Thing {
    fn values<'a>(&'a self, property: &'a str) -> impl Iterator<Item = &'a Value> {
        let same = move |name: &str| name.eq_ignore_ascii_case(property);
        self.properties.iter().filter(move |(name, _)| same(name)).map(|(_, value)| value)
    }

    fn is_at(&self, canonical: &str, things: &Things) -> bool {
        let of_value = |value: &Value| match value {
            Value::Text { text, .. } => same_address(text, canonical),
            Value::Thing(number) => {
                let id = things.things[*number].id.as_deref();
                id.is_some_and(|id| same_address(id, canonical))
            }
        };
        self.id.as_deref().is_some_and(|id| same_address(id, canonical))
            || ["url", "mainEntityOfPage"].iter().any(|name| self.values(name).any(of_value))
    }
}

/// Scheme, fragment and a final slash make no difference.
fn same_address(one: &str, other: &str) -> bool {
    fn bare(url: &str) -> &str {
        let url = url.trim();
        let url = url.split_once("://").map_or(url, |(_, rest)| rest);
        url.split('#').next().unwrap_or(url).trim_end_matches('/')
    }
    !bare(one).is_empty() && bare(one) == bare(other)
}

struct Search<'a> {
    things: &'a Things,
    found: Vec<FoundValue>,
    visited: usize,
}

impl Search<'_> {
    fn follow(&mut self, number: usize, steps: &[&str]) {
        let Some((step, rest)) = steps.split_first() else {
            return self.name_of(number);
        };
        let thing = self.things.resolved(number);
        match *step {
            "@id" => return self.push(thing.id.as_deref().unwrap_or_default(), thing.node, None),
            "@type" => {
                return thing.types.iter().for_each(|name| self.push(name, thing.node, None));
            }
            _ => {}
        }
        for value in thing.values(step) {
            self.visited += 1;
            if self.visited > MAX_VISITED || self.found.len() >= MAX_FOUND_VALUES {
                return;
            }
            match value {
                Value::Thing(number) => self.follow(*number, rest),
                Value::Text { text, .. } if self.things.by_id.contains_key(text) => {
                    self.follow(self.things.by_id[text], rest);
                }
                // The address of a thing is not its name.
                Value::Text { text, .. } if !rest.is_empty() && text.contains("://") => {}
                // Where a thing with a name is expected, the name alone is common.
                Value::Text { text, node, attribute } if matches!(rest, [] | ["name"]) => {
                    self.push(text, *node, *attribute);
                }
                Value::Text { .. } => {}
            }
        }
    }

    /// A thing where a text is asked for says its name.
    fn name_of(&mut self, number: usize) {
        let thing = self.things.resolved(number);
        let names = ["@value", "name", "headline"].into_iter();
        let text =
            names.flat_map(|property| thing.values(property)).find_map(|value| match value {
                Value::Text { text, node, attribute } => Some((text, *node, *attribute)),
                Value::Thing(_) => None,
            });
        if let Some((text, node, attribute)) = text {
            self.push(text, node, attribute);
        }
    }

    fn push(&mut self, text: &str, node: NodeId, attribute: Option<&'static str>) {
        let text = plain_text(text);
        let known = self.found.iter().rev().take(32).any(|found| found.text == text);
        if !text.is_empty() && !known && self.found.len() < MAX_FOUND_VALUES {
            self.found.push(FoundValue { text, node, attribute });
        }
    }
}
