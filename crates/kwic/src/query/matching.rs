//! Finds the hits of a query in a text.
//!
//! Each token is compared with all patterns of the query once, which gives a set of bits. What fits
//! a regular expression is remembered by words, so that it is tried once for many occurrences. The steps run over these sets as a Pike machine: all ways at once, ordered by
//! preference, in time linear in the tokens.
//!
//! Hits are found from left to right and do not overlap: after a hit, the search goes on behind it.

use super::pattern::PatternKind;
use super::program::Step;
use super::{NodeQuery, TokenPattern};
use crate::Sensitivity;
use crate::tokens::Reading;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;

/// Longest token that is compared with words and patterns, in bytes. Longer ones are data: they
/// count as tokens and fit `[]` only.
pub const MAX_COMPARED_TOKEN: usize = 1_000;

/// Words whose comparison is remembered; then remembering begins anew.
const MAX_REMEMBERED: usize = 1 << 17;

/// Tokens that fit a query, by their numbers in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hit {
    pub start: u32,
    pub end: u32,
}

impl Hit {
    pub fn tokens(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A query at work. It remembers words, so keep one per thread.
#[derive(Debug, Clone)]
pub struct Matcher {
    query: NodeQuery,
    /// Patterns that fit any token.
    always: u64,
    /// Patterns with which a hit can begin.
    first: u64,
    /// Plain words are compared faster than they are looked up.
    remembers: bool,
    remembered: FxHashMap<Box<str>, u64>,
    /// Which forms of a token the patterns ask for.
    asked: [bool; 3],
    fitting: Vec<u64>,
    machine: Machine,
}

impl Matcher {
    pub fn new(query: &NodeQuery) -> Matcher {
        let any = |pattern: &TokenPattern| pattern.kind == PatternKind::Any;
        Matcher {
            always: bits(&query.patterns, any),
            first: first_patterns(&query.steps),
            remembers: query.patterns.iter().any(TokenPattern::is_costly),
            remembered: FxHashMap::default(),
            asked: SENSITIVITIES.map(|sensitivity| {
                query.patterns.iter().any(|pattern| pattern.sensitivity == sensitivity)
            }),
            fitting: Vec::new(),
            machine: Machine::new(query.steps.len()),
            query: query.clone(),
        }
    }

    pub fn query(&self) -> &NodeQuery {
        &self.query
    }

    /// The hits in a text, in order. A reading with sentences has no hits across their ends.
    pub fn find(&mut self, reading: &Reading<'_>) -> Vec<Hit> {
        let mut fitting = std::mem::take(&mut self.fitting);
        fitting.clear();
        fitting.extend((0..reading.len()).map(|at| self.patterns_of(reading.token(at))));
        let mut hits = Vec::new();
        if fitting.iter().any(|set| set & self.first != 0) {
            for run in reading.runs() {
                self.find_in_run(&fitting[run.clone()], run.start, &mut hits);
            }
        }
        self.fitting = fitting;
        hits
    }

    fn find_in_run(&mut self, fitting: &[u64], offset: usize, hits: &mut Vec<Hit>) {
        let mut at = 0;
        while let Some(begin) = fitting[at..].iter().position(|set| set & self.first != 0) {
            let from = at + begin;
            let Some(found) = self.machine.leftmost(&self.query.steps, &fitting[from..]) else {
                return;
            };
            let number = |at: usize| u32::try_from(offset + from + at).expect("texts are short");
            hits.push(Hit { start: number(found.start), end: number(found.end) });
            at = from + found.end;
        }
    }

    /// The patterns a token fits, as bits.
    fn patterns_of(&mut self, token: &str) -> u64 {
        if token.len() > MAX_COMPARED_TOKEN {
            return self.always;
        }
        if !self.remembers {
            return self.compared(token);
        }
        if let Some(known) = self.remembered.get(token) {
            return *known;
        }
        let found = self.compared(token);
        if self.remembered.len() >= MAX_REMEMBERED {
            self.remembered.clear();
        }
        self.remembered.insert(token.into(), found);
        found
    }

    fn compared(&self, token: &str) -> u64 {
        let forms = SENSITIVITIES.map(|sensitivity| match self.asked[sensitivity as usize] {
            true => sensitivity.form(token),
            false => Cow::Borrowed(""),
        });
        bits(&self.query.patterns, |pattern| pattern.fits(&forms[pattern.sensitivity as usize]))
    }
}

const SENSITIVITIES: [Sensitivity; 3] =
    [Sensitivity::AsWritten, Sensitivity::IgnoreCase, Sensitivity::Folded];

fn bits(patterns: &[TokenPattern], is_set: impl Fn(&TokenPattern) -> bool) -> u64 {
    let set = patterns.iter().enumerate().filter(|(_, pattern)| is_set(pattern));
    set.fold(0, |bits, (number, _)| bits | 1 << number)
}

fn first_patterns(steps: &[Step]) -> u64 {
    let mut machine = Machine::new(steps.len());
    machine.begin_round();
    machine.follow(steps, 0, 0);
    machine.next.iter().fold(0, |bits, way| match steps[way.step as usize] {
        Step::Token(number) => bits | 1 << number,
        _ => bits,
    })
}

/// All ways through the steps at once, the preferred ones first.
#[derive(Debug, Clone)]
struct Machine {
    now: Vec<Way>,
    next: Vec<Way>,
    /// For each step, in which round it was reached last: a later way to it is a worse one.
    reached: Vec<u64>,
    round: u64,
    stack: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Way {
    step: u32,
    start: usize,
}

impl Machine {
    fn new(steps: usize) -> Machine {
        Machine {
            now: Vec::new(),
            next: Vec::new(),
            reached: vec![0; steps],
            round: 0,
            stack: Vec::new(),
        }
    }

    /// The first hit in this run of tokens; among those that begin there, the preferred one.
    fn leftmost(&mut self, steps: &[Step], fitting: &[u64]) -> Option<Range<usize>> {
        let mut hit = None;
        self.now.clear();
        self.begin_round();
        self.follow(steps, 0, 0);
        std::mem::swap(&mut self.now, &mut self.next);
        for at in 0..=fitting.len() {
            self.begin_round();
            let now = std::mem::take(&mut self.now);
            for way in &now {
                match steps[way.step as usize] {
                    Step::Hit => {
                        hit = Some(way.start..at);
                        // The ways behind this one are worse.
                        break;
                    }
                    Step::Token(number)
                        if fitting.get(at).is_some_and(|set| set >> number & 1 == 1) =>
                    {
                        self.follow(steps, way.step + 1, way.start);
                    }
                    _ => {}
                }
            }
            self.now = now;
            if hit.is_none() {
                self.follow(steps, 0, at + 1);
            }
            std::mem::swap(&mut self.now, &mut self.next);
            if self.now.is_empty() {
                break;
            }
        }
        hit
    }

    fn begin_round(&mut self) {
        self.round += 1;
        self.next.clear();
    }

    /// Notes all steps with a token, and the end, that are reached without reading one.
    fn follow(&mut self, steps: &[Step], step: u32, start: usize) {
        self.stack.push(step);
        while let Some(step) = self.stack.pop() {
            let reached = &mut self.reached[step as usize];
            if std::mem::replace(reached, self.round) == self.round {
                continue;
            }
            match steps[step as usize] {
                Step::Jump(to) => self.stack.push(to),
                Step::Either(first, second) => self.stack.extend([second, first]),
                Step::Token(_) | Step::Hit => self.next.push(Way { step, start }),
            }
        }
    }
}
