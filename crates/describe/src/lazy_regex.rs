//! A fixed regular expression that is compiled when it is first asked: most pages ask few of them. It
//! is compiled twice at most, for western texts ([`crate::western`]) and for all.

use crate::western::{Letters, narrowed};
use regex::{CaptureMatches, Captures, Match, Matches, Regex, Split};
use std::borrow::Cow;
use std::sync::OnceLock;

#[derive(Debug)]
pub(crate) struct LazyRegex {
    source: Cow<'static, str>,
    western: OnceLock<Regex>,
    whole: OnceLock<Regex>,
}

impl LazyRegex {
    pub(crate) const fn fixed(source: &'static str) -> LazyRegex {
        let source = Cow::Borrowed(source);
        LazyRegex { source, western: OnceLock::new(), whole: OnceLock::new() }
    }

    /// The same for an expression that is put together.
    pub(crate) fn new(source: String) -> LazyRegex {
        let source = Cow::Owned(source);
        LazyRegex { source, western: OnceLock::new(), whole: OnceLock::new() }
    }

    /// The expression that is to search a text.
    fn knowing(&self, text: &str) -> &Regex {
        self.made_for(Letters::of(text))
    }

    fn made_for(&self, letters: Letters) -> &Regex {
        match letters {
            Letters::Any => self.whole.get_or_init(|| compiled(&self.source)),
            Letters::Western => self.western.get_or_init(|| {
                let expression = regex_syntax::parse(&self.source).expect("the pattern is fixed");
                compiled(&narrowed(&expression).to_string())
            }),
        }
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.knowing(text).is_match(text)
    }

    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.knowing(text).find(text)
    }

    pub(crate) fn find_iter<'r, 't>(&'r self, text: &'t str) -> Matches<'r, 't> {
        self.knowing(text).find_iter(text)
    }

    pub(crate) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.knowing(text).captures(text)
    }

    pub(crate) fn captures_iter<'r, 't>(&'r self, text: &'t str) -> CaptureMatches<'r, 't> {
        self.captures_iter_in(text, Letters::of(text))
    }

    /// The same for a text whose letters are known, because several expressions search it.
    pub(crate) fn captures_iter_in<'r, 't>(
        &'r self,
        text: &'t str,
        letters: Letters,
    ) -> CaptureMatches<'r, 't> {
        self.made_for(letters).captures_iter(text)
    }

    pub(crate) fn split<'r, 't>(&'r self, text: &'t str) -> Split<'r, 't> {
        self.knowing(text).split(text)
    }

    pub(crate) fn replace<'t>(&self, text: &'t str, with: &str) -> Cow<'t, str> {
        self.knowing(text).replace(text, with)
    }

    pub(crate) fn replace_all<'t>(&self, text: &'t str, with: &str) -> Cow<'t, str> {
        self.knowing(text).replace_all(text, with)
    }
}

fn compiled(source: &str) -> Regex {
    Regex::new(source).expect("the pattern is fixed")
}
