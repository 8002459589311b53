//! The hierarchy of one vocabulary, and whether it goes round in circles.
//!
//! `A broader B` and `B narrower A` say the same, so both are read as one edge, whichever the
//! source wrote. Nothing here follows an edge twice: a vocabulary in which concepts stand above
//! themselves can be shown like any other.

use crate::Vocabulary;
use rustc_hash::FxHashSet;

/// Concepts above and below each concept, as places in [`Vocabulary::concepts`].
#[derive(Debug, Clone)]
pub struct Hierarchy {
    parents: Vec<Vec<u32>>,
    children: Vec<Vec<u32>>,
}

/// Ways from one concept to the top that are told; in a hierarchy with many parents there are more.
pub const MAX_PATHS: usize = 16;

/// Concepts on one way to the top that are told.
pub const MAX_PATH: usize = 64;

impl Hierarchy {
    pub fn of(vocabulary: &Vocabulary) -> Hierarchy {
        let n = vocabulary.concepts().len();
        let mut hierarchy =
            Hierarchy { parents: vec![Vec::new(); n], children: vec![Vec::new(); n] };
        for (at, concept) in (0u32..).zip(vocabulary.concepts()) {
            for above in concept.broader.iter().filter_map(|uri| vocabulary.place_of(uri)) {
                hierarchy.parents[at as usize].push(above as u32);
                hierarchy.children[above].push(at);
            }
            for below in concept.narrower.iter().filter_map(|uri| vocabulary.place_of(uri)) {
                hierarchy.parents[below].push(at);
                hierarchy.children[at as usize].push(below as u32);
            }
        }
        for list in hierarchy.parents.iter_mut().chain(&mut hierarchy.children) {
            list.sort_unstable();
            list.dedup();
        }
        hierarchy
    }

    pub fn parents(&self, at: u32) -> &[u32] {
        &self.parents[at as usize]
    }

    pub fn children(&self, at: u32) -> &[u32] {
        &self.children[at as usize]
    }

    /// Concepts with nothing above them.
    pub fn tops(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.parents).filter(|(_, parents)| parents.is_empty()).map(|(at, _)| at)
    }

    /// The ways from a concept to the top, each from its parent upwards. A way that meets itself
    /// ends there.
    pub fn paths(&self, at: u32) -> Vec<Vec<u32>> {
        let mut paths = Vec::new();
        let mut open: Vec<Vec<u32>> = self.parents(at).iter().rev().map(|&it| vec![it]).collect();
        while let Some(path) = open.pop() {
            let last = *path.last().expect("a path begins with a parent");
            let further = self.parents(last).iter().filter(|it| **it != at && !path.contains(it));
            let mut further: Vec<u32> = further.copied().collect();
            if further.is_empty() || path.len() >= MAX_PATH {
                paths.push(path);
                if paths.len() >= MAX_PATHS {
                    break;
                }
                continue;
            }
            // Of many parents only as many are kept as there may be paths.
            further.truncate(MAX_PATHS);
            open.extend(further.into_iter().rev().map(|above| [&path[..], &[above]].concat()));
        }
        paths
    }

    /// Groups of concepts that stand above themselves, each in order of place.
    ///
    /// These are the strongly connected components with more than one member, or with an edge to
    /// themselves (R. Tarjan, Depth-first search and linear graph algorithms, 1972), found without
    /// recursion.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        Tarjan::new(&self.parents).components()
    }
}

struct Tarjan<'h> {
    edges: &'h [Vec<u32>],
    /// When a concept was first met; 0 for not yet.
    index: Vec<u32>,
    low: Vec<u32>,
    met: u32,
    stack: Vec<u32>,
    on_stack: FxHashSet<u32>,
    found: Vec<Vec<u32>>,
}

impl<'h> Tarjan<'h> {
    fn new(edges: &'h [Vec<u32>]) -> Tarjan<'h> {
        Tarjan {
            edges,
            index: vec![0; edges.len()],
            low: vec![0; edges.len()],
            met: 0,
            stack: Vec::new(),
            on_stack: FxHashSet::default(),
            found: Vec::new(),
        }
    }

    fn components(mut self) -> Vec<Vec<u32>> {
        for (start, _) in (0u32..).zip(self.edges) {
            if self.index[start as usize] == 0 {
                self.walk(start);
            }
        }
        self.found.sort();
        self.found
    }

    /// Walks from one concept; the calls that recursion would make wait with their next edge.
    fn walk(&mut self, start: u32) {
        let mut calls = vec![(start, 0)];
        self.enter(start);
        while let Some((at, next)) = calls.pop() {
            let Some(&to) = self.edges[at as usize].get(next) else {
                self.leave(at);
                if let Some(&(caller, _)) = calls.last() {
                    self.low[caller as usize] =
                        self.low[caller as usize].min(self.low[at as usize]);
                }
                continue;
            };
            calls.push((at, next + 1));
            if self.index[to as usize] == 0 {
                self.enter(to);
                calls.push((to, 0));
            } else if self.on_stack.contains(&to) {
                self.low[at as usize] = self.low[at as usize].min(self.index[to as usize]);
            }
        }
    }

    fn enter(&mut self, at: u32) {
        self.met += 1;
        self.index[at as usize] = self.met;
        self.low[at as usize] = self.met;
        self.stack.push(at);
        self.on_stack.insert(at);
    }

    fn leave(&mut self, at: u32) {
        if self.low[at as usize] != self.index[at as usize] {
            return;
        }
        let from = self.stack.iter().rposition(|it| *it == at).expect("it was entered");
        let mut component = self.stack.split_off(from);
        for member in &component {
            self.on_stack.remove(member);
        }
        if component.len() > 1 || self.edges[at as usize].contains(&at) {
            component.sort_unstable();
            self.found.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Concept, ShortName};

    /// Concepts `a`, `b` … with the concepts above each.
    fn hierarchy(above: &[(&str, &[&str])]) -> Hierarchy {
        let concepts = above.iter().map(|(uri, broader)| Concept {
            uri: (*uri).to_owned(),
            broader: broader.iter().map(|it| (*it).to_owned()).collect(),
            ..Concept::default()
        });
        Hierarchy::of(&Vocabulary::new(ShortName::new("v").unwrap(), concepts.collect()))
    }

    #[test]
    fn circles_are_found() {
        #[rustfmt::skip]
        type Case<'c> = (&'c [(&'c str, &'c [&'c str])], &'c [&'c [u32]]);
        #[rustfmt::skip]
        let cases: [Case<'_>; 5] = [
            (&[("a", &["b"]), ("b", &["c"]), ("c", &[])],                     &[]),
            (&[("a", &["b"]), ("b", &["a"]), ("c", &["a"])],                  &[&[0, 1]]),
            (&[("a", &["a"])],                                                &[&[0]]),
            (&[("a", &["b"]), ("b", &["c"]), ("c", &["a"]), ("d", &["e"]), ("e", &["d"])], &[&[0, 1, 2], &[3, 4]]),
            (&[("a", &["b", "c"]), ("b", &["d"]), ("c", &["d"]), ("d", &[])], &[]),
        ];
        for (above, expected) in cases {
            assert_eq!(hierarchy(above).cycles(), expected, "{above:?}");
        }
    }

    #[test]
    fn ways_to_the_top_end() {
        let diamond = hierarchy(&[("a", &["b", "c"]), ("b", &["d"]), ("c", &["d"]), ("d", &[])]);
        assert_eq!(diamond.paths(0), [vec![1, 3], vec![2, 3]]);
        assert_eq!(diamond.tops().collect::<Vec<_>>(), [3]);
        assert_eq!(diamond.children(3), [1, 2]);
        let circle = hierarchy(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"])]);
        assert_eq!(circle.paths(0), [[1, 2]]);
        let ladder: Vec<(String, Vec<String>)> = (0..200)
            .map(|at| {
                (format!("{at:03}"), vec![format!("{:03}", at + 1), format!("{:03}", at + 2)])
            })
            .collect();
        let concepts =
            ladder.into_iter().map(|(uri, broader)| Concept { uri, broader, ..Concept::default() });
        let ladder = Vocabulary::new(ShortName::new("v").unwrap(), concepts.collect());
        assert_eq!(Hierarchy::of(&ladder).paths(0).len(), MAX_PATHS, "of very many");
    }

    #[test]
    fn a_chain_as_long_as_a_vocabulary_needs_no_recursion() {
        let concepts = (0..100_000u32).map(|at| Concept {
            uri: format!("{at:06}"),
            broader: vec![format!("{:06}", (at + 1) % 100_000)],
            ..Concept::default()
        });
        let ring = Vocabulary::new(ShortName::new("v").unwrap(), concepts.collect());
        let cycles = Hierarchy::of(&ring).cycles();
        assert_eq!(cycles.iter().map(Vec::len).collect::<Vec<_>>(), [100_000]);
    }
}
