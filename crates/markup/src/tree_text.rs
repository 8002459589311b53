//! Text of a tree: a piece of one of the two strings that hold all of it.
//!
//! A page has thousands of texts and attribute values, nearly all of them written in its source as
//! they are. So a tree keeps the source, and each text says where in it it stands; only what had to
//! be resolved or put together is written anew, in a string of its own.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// Text of a tree; it can be used as `&str` everywhere.
#[derive(Clone)]
pub struct TreeText {
    store: Arc<String>,
    start: u32,
    end: u32,
}

impl TreeText {
    /// The text from `start` to `end` of the store; both lie on character boundaries within it.
    pub(crate) fn within(store: &Arc<String>, start: u32, end: u32) -> TreeText {
        TreeText { store: Arc::clone(store), start, end }
    }

    pub fn as_str(&self) -> &str {
        &self.store[self.start as usize..self.end as usize]
    }
}

impl Deref for TreeText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl From<String> for TreeText {
    /// What goes beyond 4 GB is left out.
    fn from(mut text: String) -> TreeText {
        text.truncate(text.floor_char_boundary(u32::MAX as usize));
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        TreeText { store: Arc::new(text), start: 0, end }
    }
}

impl PartialEq for TreeText {
    fn eq(&self, other: &TreeText) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for TreeText {}

impl Hash for TreeText {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.as_str().hash(hasher);
    }
}

impl AsRef<str> for TreeText {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for TreeText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

impl fmt::Display for TreeText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), formatter)
    }
}
