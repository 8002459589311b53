//! Decides which pages form one document.
//!
//! Authors cut long documents into pages and say so: a frameset names its frames, a page its next
//! and previous one, its table of contents, the page above it. Such statements are believed if
//! they make sense: both pages are there; all but frames are on the same host; the page above is
//! not the start page of the host; a page has one predecessor and one successor at most, and where
//! both ends speak they agree; a series has a beginning.
//!
//! Sites also use these relations as plain navigation, and then "the document" is the whole site.
//! So the relations are applied one after the other, the surest first (frames, then sequences,
//! then contents), and where one would make a document of more than [`MAX_LOGICAL_PAGES`] pages,
//! it is not believed there, while what was joined before stays.

use auslese_model::{Part, Relation, RequestId};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Pages of one logical document; more are a site, not a document.
pub const MAX_LOGICAL_PAGES: usize = 1_000;

/// A page with what it says about its neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogicalPage<'a> {
    pub request: RequestId,
    /// Absolute; a fragment does not count.
    pub url: &'a str,
    pub parts: &'a [Part],
}

/// Pages that form one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogicalDocument {
    /// In reading order; the first is where it begins. At least two.
    pub pages: Vec<RequestId>,
    /// What joined them.
    pub joined_by: Vec<Grouping>,
}

/// What makes one document of several pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    /// A frameset and its frames.
    Frames,
    /// `rel=next` and `rel=prev`.
    Sequence,
    /// `rel=contents` and `rel=up`.
    Contents,
}

impl Grouping {
    /// The surest first.
    pub const ALL: [Grouping; 3] = [Grouping::Frames, Grouping::Sequence, Grouping::Contents];

    pub fn as_str(self) -> &'static str {
        match self {
            Grouping::Frames => "frames",
            Grouping::Sequence => "sequence",
            Grouping::Contents => "contents",
        }
    }

    pub fn parse(text: &str) -> Option<Grouping> {
        Grouping::ALL.into_iter().find(|grouping| grouping.as_str() == text)
    }
}

/// Joins pages to documents; pages that stand alone are left out. Each page is in one document at
/// most. The result does not depend on the order of the input, if no address occurs twice.
pub fn logical_documents(pages: &[LogicalPage<'_>]) -> Vec<LogicalDocument> {
    let mut pages: Vec<&LogicalPage<'_>> = pages.iter().collect();
    pages.sort_by_key(|page| (without_fragment(page.url), page.request));
    let statements = Statements::read(&pages);
    let mut joined = Joined::new(pages.len());
    for grouping in Grouping::ALL {
        joined.apply(grouping, &statements.edges(grouping));
    }
    joined.documents(&pages)
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

/// What stands between `//` and the next slash.
fn host(url: &str) -> &str {
    let rest = url.split_once("//").map_or("", |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

/// Whether an address is where a host begins.
fn is_start_page(url: &str) -> bool {
    let rest = url.split_once("//").map_or("", |(_, rest)| rest);
    let path = without_fragment(rest).split_once('/').map_or("", |(_, path)| path);
    path.is_empty() || !path.contains(['/', '?']) && path.starts_with("index.")
}

/// From a page to one that comes after or below it; both by their place in the order of addresses.
type Edge = (usize, usize);

/// The statements of all pages about pages that are there.
struct Statements {
    frames: Vec<Edge>,
    next: Vec<Edge>,
    /// Said by the later page; turned, so that it reads as `next`.
    previous: Vec<Edge>,
    /// From the contents page to the page that named it.
    contents: Vec<Edge>,
}

impl Statements {
    fn read(pages: &[&LogicalPage<'_>]) -> Statements {
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        for (at, page) in pages.iter().enumerate() {
            places.entry(without_fragment(page.url)).or_insert(at);
        }
        let mut said =
            Statements { frames: vec![], next: vec![], previous: vec![], contents: vec![] };
        for (here, page) in pages.iter().enumerate() {
            for part in page.parts {
                let Some(there) = places.get(without_fragment(&part.url)).copied() else {
                    continue;
                };
                let same_host = host(page.url) == host(&part.url);
                match part.relation {
                    _ if here == there => {}
                    Relation::Frame => said.frames.push((here, there)),
                    _ if !same_host => {}
                    Relation::Next => said.next.push((here, there)),
                    Relation::Previous => said.previous.push((there, here)),
                    // What lies above a document need not be a part of it: above all is the site.
                    Relation::Up if is_start_page(&part.url) => {}
                    Relation::Up | Relation::Contents => said.contents.push((there, here)),
                }
            }
        }
        said
    }

    fn edges(&self, grouping: Grouping) -> Vec<Edge> {
        match grouping {
            Grouping::Frames => self.frames.clone(),
            Grouping::Sequence => self.sequence(),
            Grouping::Contents => self.contents.clone(),
        }
    }

    /// Neighbours: first those on which both ends agree, then those of which one end says so and
    /// the other nothing else.
    fn sequence(&self) -> Vec<Edge> {
        let said_back: FxHashSet<Edge> = self.previous.iter().copied().collect();
        let agreed = self.next.iter().filter(|edge| said_back.contains(edge));
        let mut successor: FxHashMap<usize, usize> = FxHashMap::default();
        let mut predecessor: FxHashMap<usize, usize> = FxHashMap::default();
        let mut taken = Vec::new();
        for (from, to) in agreed.chain(&self.next).chain(&self.previous) {
            if !successor.contains_key(from) && !predecessor.contains_key(to) {
                successor.insert(*from, *to);
                predecessor.insert(*to, *from);
                taken.push((*from, *to));
            }
        }
        taken
    }
}

/// The groups so far, as a forest: each page has at most one page that it comes after or below.
struct Joined {
    /// For finding the group of a page.
    parent: Vec<usize>,
    size: Vec<usize>,
    accepted: Vec<(Grouping, Edge)>,
    has_predecessor: Vec<bool>,
}

impl Joined {
    fn new(pages: usize) -> Joined {
        Joined {
            parent: (0..pages).collect(),
            size: vec![1; pages],
            accepted: Vec::new(),
            has_predecessor: vec![false; pages],
        }
    }

    /// Joins along the edges, except where that makes a document too large.
    fn apply(&mut self, grouping: Grouping, edges: &[Edge]) {
        let mut trial = Joined {
            parent: self.parent.clone(),
            size: self.size.clone(),
            accepted: Vec::new(),
            has_predecessor: self.has_predecessor.clone(),
        };
        for edge in edges {
            trial.join(grouping, *edge);
        }
        for (grouping, (from, to)) in std::mem::take(&mut trial.accepted) {
            let root = trial.root(from);
            if trial.size[root] <= MAX_LOGICAL_PAGES {
                self.join(grouping, (from, to));
            }
        }
    }

    /// An edge within a group is left out: it says nothing new, or closes a circle.
    fn join(&mut self, grouping: Grouping, (from, to): Edge) {
        let (from_root, to_root) = (self.root(from), self.root(to));
        if from_root == to_root || self.has_predecessor[to] {
            return;
        }
        let (large, small) = if self.size[from_root] >= self.size[to_root] {
            (from_root, to_root)
        } else {
            (to_root, from_root)
        };
        self.parent[small] = large;
        self.size[large] += self.size[small];
        self.has_predecessor[to] = true;
        self.accepted.push((grouping, (from, to)));
    }

    fn root(&mut self, page: usize) -> usize {
        let mut at = page;
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn documents(self, pages: &[&LogicalPage<'_>]) -> Vec<LogicalDocument> {
        let mut below: FxHashMap<usize, Vec<(Grouping, usize)>> = FxHashMap::default();
        for (grouping, (from, to)) in &self.accepted {
            below.entry(*from).or_default().push((*grouping, *to));
        }
        // What belongs to a page comes before what follows it.
        for followers in below.values_mut() {
            followers.sort_by_key(|(grouping, _)| match grouping {
                Grouping::Frames => 0,
                Grouping::Contents => 1,
                Grouping::Sequence => 2,
            });
        }
        (0..pages.len())
            .filter(|page| !self.has_predecessor[*page] && below.contains_key(page))
            .map(|first| document(first, &below, pages))
            .collect()
    }
}

/// The pages from the first on, each followed by what comes below it.
fn document(
    first: usize,
    below: &FxHashMap<usize, Vec<(Grouping, usize)>>,
    pages: &[&LogicalPage<'_>],
) -> LogicalDocument {
    let mut document = LogicalDocument { pages: Vec::new(), joined_by: Vec::new() };
    let mut waiting = vec![first];
    while let Some(page) = waiting.pop() {
        document.pages.push(pages[page].request);
        for (grouping, follower) in below.get(&page).into_iter().flatten().rev() {
            waiting.push(*follower);
            document.joined_by.push(*grouping);
        }
    }
    document.joined_by.sort_unstable();
    document.joined_by.dedup();
    document
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pages as `name: relation=name …`; the name is the path on one host.
    fn check(text: &str) -> Vec<String> {
        let url = |name: &str| {
            if name.contains("//") { name.to_owned() } else { format!("http://h.example/{name}") }
        };
        let pages: Vec<(String, Vec<Part>)> = text
            .lines()
            .map(|line| {
                let mut words = line.split_whitespace();
                let name = words.next().unwrap_or_default();
                let parts = words.map(|word| {
                    let (relation, target) = word.split_once('=').unwrap();
                    let relation = match relation {
                        "frame" => Relation::Frame,
                        "next" => Relation::Next,
                        "prev" => Relation::Previous,
                        "up" => Relation::Up,
                        _ => Relation::Contents,
                    };
                    Part { relation, url: url(target) }
                });
                (url(name), parts.collect())
            })
            .collect();
        let inputs: Vec<LogicalPage<'_>> = (0..)
            .zip(&pages)
            .map(|(n, (url, parts))| LogicalPage { request: RequestId(n), url, parts })
            .collect();
        let documents = logical_documents(&inputs);
        let mut turned = inputs.clone();
        turned.reverse();
        assert_eq!(logical_documents(&turned), documents, "the order of the input matters");
        let short = |id: &RequestId| pages[id.0 as usize].0.replace("http://h.example/", "");
        documents
            .iter()
            .map(|document| {
                let names: Vec<String> = document.pages.iter().map(short).collect();
                let by: Vec<&str> = document.joined_by.iter().map(|by| by.as_str()).collect();
                format!("{} ({})", names.join(" "), by.join(", "))
            })
            .collect()
    }

    #[test]
    fn documents() {
        #[rustfmt::skip]
        let cases: [(&str, &[&str]); 14] = [
            ("a\nb",                                              &[]),
            ("f frame=nav frame=main#top\nmain\nnav",             &["f nav main (frames)"]),
            ("f frame=g frame=x\ng frame=y frame=z\nx\ny\nz",     &["f g y z x (frames)"]),
            ("f frame=http://other.example/x\nhttp://other.example/x", &["f http://other.example/x (frames)"]),
            ("1 next=2\n2 next=3 prev=1\n3 prev=2",               &["1 2 3 (sequence)"]),
            ("3 prev=2\n2 prev=1\n1",                             &["1 2 3 (sequence)"]),
            ("a next=b\nb next=a",                                &["a b (sequence)"]),
            ("1 next=3\n2 next=3\n3 prev=2",                      &["2 3 (sequence)"]),
            ("1 next=http://other.example/x\nhttp://other.example/x", &[]),
            ("c\n2 contents=c prev=1\n1 contents=c next=2\nx up=c", &["c 1 2 x (sequence, contents)"]),
            ("a next=missing frame=a",                            &[]),
            ("p frame=x\nq frame=x\nx",                           &["p x (frames)"]),
            ("http://h.example/\na/1 next=a/2 up=http://h.example/\na/2", &["a/1 a/2 (sequence)"]),
            ("index.html\na up=index.html\nb/index.html\nb/1 up=b/index.html", &["b/index.html b/1 (contents)"]),
        ];
        for (text, expected) in cases {
            assert_eq!(check(text), expected, "{text}");
        }
    }

    #[test]
    fn a_site_is_no_document() {
        let mut site = String::from("home\n");
        for page in 0..MAX_LOGICAL_PAGES {
            site.push_str(&format!("p{page} up=home\n"));
        }
        assert_eq!(check(&site), [""; 0]);
        site.push_str("f frame=n up=home\nn\n1 next=2 up=home\n2\n");
        assert_eq!(check(&site), ["1 2 (sequence)", "f n (frames)"]);
    }

    #[test]
    fn a_long_series_is_followed_to_its_end() {
        let series: String =
            (0..MAX_LOGICAL_PAGES).map(|n| format!("s{n:04} next=s{:04}\n", n + 1)).collect();
        let documents = check(&series);
        assert_eq!(documents.len(), 1);
        assert!(documents[0].starts_with("s0000 s0001 s0002 "));
    }

    proptest! {
        #[test]
        fn each_page_is_in_one_document(
            parts in proptest::collection::vec(("[a-h]", "next|prev|up|contents|frame", "[a-h]"), 0..30)
        ) {
            let mut text = String::new();
            for name in "abcdefgh".chars() {
                text.push(name);
                for (page, relation, target) in &parts {
                    if page.starts_with(name) {
                        text.push_str(&format!(" {relation}={target}"));
                    }
                }
                text.push('\n');
            }
            let documents = check(text.trim_end());
            let mut seen = FxHashSet::default();
            for document in &documents {
                let names = document.split(" (").next().unwrap_or_default();
                prop_assert!(names.split(' ').count() > 1);
                for name in names.split(' ') {
                    prop_assert!(seen.insert(name.to_owned()), "{name} twice in {documents:?}");
                }
            }
        }
    }
}
