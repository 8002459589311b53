//! COinS: an OpenURL context object in the title of an empty `<span class="Z3988">`.
//!
//! Library software writes one per work. On the page of a work it describes the page's subject; on
//! a list it describes what is listed, so several different ones describe nothing of the page.

use super::FoundValue;
use super::plain::plain_text;
use crate::marked::MarkedElements;
use auslese_markup::NodeId;

/// Context objects beyond this are not read: a page that has more is a list anyway.
const MAX_CONTEXTS: usize = 50;

#[derive(Debug, Clone, Default)]
pub(crate) struct Coins {
    contexts: Vec<Context>,
}

#[derive(Debug, Clone)]
struct Context {
    node: NodeId,
    title: String,
}

impl Coins {
    pub(crate) fn of(marked: &MarkedElements<'_>) -> Coins {
        let mut contexts: Vec<Context> = Vec::new();
        for &(node, span) in &marked.coins {
            let classes = span.attribute("class").unwrap_or_default();
            if !classes.split_whitespace().any(|class| class.eq_ignore_ascii_case("z3988")) {
                continue;
            }
            let Some(title) = span.attribute("title") else { continue };
            let known = contexts.iter().any(|context| context.title == title);
            if !known && contexts.len() < MAX_CONTEXTS {
                contexts.push(Context { node, title: title.to_owned() });
            }
        }
        Coins { contexts }
    }

    pub(crate) fn count(&self) -> usize {
        self.contexts.len()
    }

    pub(crate) fn get(&self, key: &str) -> Vec<FoundValue> {
        let [context] = self.contexts.as_slice() else { return Vec::new() };
        url::form_urlencoded::parse(context.title.as_bytes())
            .filter(|(name, _)| name.eq_ignore_ascii_case(key))
            .map(|(_, value)| plain_text(&value))
            .filter(|text| !text.is_empty())
            .map(|text| FoundValue { text, node: context.node, attribute: Some("title") })
            .collect()
    }
}
