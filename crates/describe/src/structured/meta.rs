//! The meta elements of a page by name.
//!
//! Names come with many spellings for the same thing: `DC.Title`, `dc:title`, `DCTERMS.title`. A
//! name is therefore looked up in one spelling: lower case, colons as dots, every Dublin Core
//! prefix as `dc`.

use super::FoundValue;
use super::plain::plain_text;
use crate::marked::MarkedElements;
use auslese_markup::{Element, NodeId};
use rustc_hash::FxHashMap;

/// Contents by name, in document order and without repetitions.
#[derive(Debug, Clone, Default)]
pub(crate) struct MetaIndex {
    values: FxHashMap<String, Vec<FoundValue>>,
}

/// Values of one name beyond this are not kept. The longest honest lists are authors of physics
/// papers and stay below.
const MAX_SAME_NAME: usize = 1_000;

impl MetaIndex {
    pub(crate) fn of(marked: &MarkedElements<'_>) -> MetaIndex {
        let mut index = MetaIndex::default();
        for &(node, element) in &marked.metas {
            let Some(text) = element.attribute("content").map(plain_text) else { continue };
            if text.is_empty() {
                continue;
            }
            for name in names(element) {
                index.add(name, &text, node);
            }
        }
        index
    }

    /// By a name in its one spelling.
    pub(crate) fn get(&self, name: &str) -> &[FoundValue] {
        self.values.get(name).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, name: &str, text: &str, node: NodeId) {
        let values = self.values.entry(one_spelling(name)).or_default();
        // Repetitions stand next to each other or among few: looking at some is enough.
        let repeated = values.iter().rev().take(32).any(|value| value.text == text);
        if !repeated && values.len() < MAX_SAME_NAME {
            values.push(FoundValue { text: text.to_owned(), node, attribute: Some("content") });
        }
    }
}

/// A property or itemprop may hold several names; the others may contain spaces.
fn names(element: &Element) -> impl Iterator<Item = &str> {
    let whole = ["name", "http-equiv"].into_iter().filter_map(|kind| element.attribute(kind));
    let several = ["property", "itemprop"].into_iter().filter_map(|kind| element.attribute(kind));
    whole
        .map(str::trim)
        .chain(several.flat_map(str::split_whitespace))
        .filter(|name| !name.is_empty())
}

/// Upper and lower case, colons and dots, and the prefixes of Dublin Core are the same.
pub(crate) fn one_spelling(name: &str) -> String {
    let dotted = name.trim().to_lowercase().replace(':', ".");
    match dotted.split_once('.') {
        Some(("dc" | "dct" | "dcterms" | "dcterm" | "dce", rest)) => format!("dc.{rest}"),
        _ => dotted,
    }
}
