//! Says whether an expression matches a text, and nothing else.
//!
//! Where a match ends, begins, and what its groups are is never asked by a condition. An automaton
//! that runs forwards only, and is made while it runs, is built in a third of the time that a whole
//! regular expression takes; a set has more than a hundred of them.

use super::MAX_REGEX;
use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{Compiler, Config, WhichCaptures};
use regex_automata::util::pool::Pool;
use regex_syntax::hir::Hir;

thread_local! {
    /// Kept, because it makes room for ten thousand steps of letters beyond ASCII whenever it is made, which takes longer
    /// than reading most expressions.
    static COMPILER: Compiler = {
        let mut compiler = Compiler::new();
        let config = Config::new()
            .which_captures(WhichCaptures::None)
            .nfa_size_limit(Some(MAX_REGEX));
        compiler.configure(config);
        compiler
    };
}

/// A cache for each thread that searches.
type Caches = Pool<Cache, Box<dyn Fn() -> Cache + Send + Sync>>;

pub(super) struct Scanner {
    automaton: DFA,
    caches: Caches,
}

impl Scanner {
    /// `None` if it would be too large.
    pub(super) fn new(expression: &Hir) -> Option<Box<Scanner>> {
        let nfa = COMPILER.with(|compiler| compiler.build_from_hir(expression).ok())?;
        let config = DFA::config()
            .unicode_word_boundary(true)
            .cache_capacity(MAX_REGEX)
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(MAX_CLEARED));
        let automaton = DFA::builder().configure(config).build_from_nfa(nfa).ok()?;
        let own = automaton.clone();
        let caches: Caches = Pool::new(Box::new(move || own.create_cache()));
        Some(Box::new(Scanner { automaton, caches }))
    }

    /// Whether there is a match; `None` if only another way of searching can tell.
    pub(super) fn finds(&self, text: &str) -> Option<bool> {
        let mut cache = self.caches.get();
        let found = self.automaton.try_search_fwd(&mut cache, &Input::new(text).earliest(true));
        found.ok().map(|end| end.is_some())
    }
}

/// So often the states that were made are forgotten within one search before it is given up.
const MAX_CLEARED: usize = 3;

impl std::fmt::Debug for Scanner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Scanner").finish_non_exhaustive()
    }
}
