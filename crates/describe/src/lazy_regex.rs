//! A fixed regular expression that is compiled when it is first asked: most pages ask few of them.

use regex::Regex;
use std::ops::Deref;
use std::sync::OnceLock;

#[derive(Debug)]
pub(crate) struct LazyRegex {
    source: String,
    regex: OnceLock<Regex>,
}

impl LazyRegex {
    pub(crate) fn new(source: impl Into<String>) -> LazyRegex {
        LazyRegex { source: source.into(), regex: OnceLock::new() }
    }
}

impl Deref for LazyRegex {
    type Target = Regex;

    fn deref(&self) -> &Regex {
        self.regex.get_or_init(|| Regex::new(&self.source).expect("the pattern is fixed"))
    }
}
