//! Items: texts that know where they were found.
//!
//! A value is a list of items. Most items are nodes whose text nobody ever asks for, so texts are
//! read when they are first needed, once, and so are the two forms in which they are compared.

use crate::heuristics::explain::shortened;
use crate::heuristics::pattern::Seen;
use auslese_markup::{NodeId, Places, XPathNode};
use auslese_model::FoundAt;
use auslese_words::{fold, fold_next_token};
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::ops::{Deref, Range};
use std::rc::Rc;

/// Bytes of one text; what is longer is cut.
pub const MAX_VALUE: usize = 64 * 1024;

/// Items of one value; what is beyond is left out.
pub const MAX_ITEMS: usize = 10_000;

#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) spot: Spot,
    /// Whether its text is that of the node, and not something made of it.
    pub(super) is_node: bool,
    pub(super) text: OnceCell<Text>,
    lower: OnceCell<Box<str>>,
    folded: OnceCell<Box<str>>,
    /// What regular expressions look for, as far as it is in the text.
    pub(super) seen: OnceCell<Seen>,
    /// The number of words.
    pub(super) words: Cell<Option<u32>>,
}

/// The text of an item, white space normalised.
#[derive(Debug)]
pub(super) enum Text {
    Own(Box<str>),
    /// A part of the text of the page, which is not copied.
    OfPage {
        line: Rc<str>,
        start: u32,
        end: u32,
    },
}

impl Text {
    /// Without looking at the text itself.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Text::Own(text) => text.is_empty(),
            Text::OfPage { start, end, .. } => start == end,
        }
    }

    /// Where it stands in the text of the page, if it is a part of that.
    pub(super) fn place(&self) -> Option<Range<u32>> {
        match self {
            Text::Own(_) => None,
            Text::OfPage { start, end, .. } => Some(*start..*end),
        }
    }
}

impl Deref for Text {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Text::Own(text) => text,
            Text::OfPage { line, start, end } => &line[*start as usize..*end as usize],
        }
    }
}

/// Where an item was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spot {
    Node(XPathNode),
    /// Several nodes that are one thing, such as a heading in two lines.
    Nodes(Rc<[NodeId]>),
    /// In words.
    Outside(&'static str),
    /// Written in the heuristic, or made from several items.
    Nowhere,
}

impl Spot {
    /// The first node.
    pub(crate) fn node(&self) -> Option<XPathNode> {
        match self {
            Spot::Node(node) => Some(*node),
            Spot::Nodes(nodes) => nodes.first().map(|node| XPathNode::Node(*node)),
            Spot::Outside(_) | Spot::Nowhere => None,
        }
    }

    /// As statements tell it.
    pub(crate) fn found_at(&self, places: &mut Places<'_>) -> Option<FoundAt> {
        match self {
            Spot::Outside(words) => Some(FoundAt::Outside((*words).to_owned())),
            Spot::Nowhere => None,
            Spot::Node(_) | Spot::Nodes(_) => {
                self.node().map(|node| FoundAt::Path(places.path_of(node)))
            }
        }
    }
}

impl Item {
    /// An item whose text is read when it is needed.
    pub(crate) fn at(spot: Spot) -> Rc<Item> {
        let is_node = matches!(spot, Spot::Node(_) | Spot::Nodes(_));
        Rc::new(Item { is_node, ..Item::new(spot, OnceCell::new()) })
    }

    /// An item with this text, white space normalised.
    pub(crate) fn with_text(spot: Spot, text: &str) -> Rc<Item> {
        Item::with_normal_text(spot, Text::Own(normalised(text).into()))
    }

    /// An item with this text, whose white space is normalised already.
    pub(super) fn with_normal_text(spot: Spot, text: Text) -> Rc<Item> {
        Rc::new(Item::new(spot, OnceCell::from(text)))
    }

    fn new(spot: Spot, text: OnceCell<Text>) -> Item {
        Item {
            spot,
            is_node: false,
            text,
            lower: OnceCell::new(),
            folded: OnceCell::new(),
            seen: OnceCell::new(),
            words: Cell::new(None),
        }
    }

    /// The text in lower case, and whether this is the first time it is asked for.
    pub(super) fn lower(&self, text: &str) -> (&str, bool) {
        let is_new = self.lower.get().is_none();
        (self.lower.get_or_init(|| text.to_lowercase().into_boxed_str()), is_new)
    }

    /// Whether the folded words are known already.
    pub(super) fn is_folded(&self) -> bool {
        self.folded.get().is_some()
    }

    /// The words of the text, folded: case, accents and punctuation do not matter. And whether this is
    /// the first time they are asked for.
    pub(super) fn folded(&self, text: &str) -> (&str, bool) {
        let is_new = self.folded.get().is_none();
        (self.folded.get_or_init(|| folded(text).into_boxed_str()), is_new)
    }
}

/// White space normalised, cut to [`MAX_VALUE`].
pub(crate) fn normalised(text: &str) -> Cow<'_, str> {
    let text = &text[..text.floor_char_boundary(MAX_VALUE)];
    if is_normal(text) {
        return Cow::Borrowed(text);
    }
    let mut normalised = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !normalised.is_empty() {
            normalised.push(' ');
        }
        normalised.push_str(word);
    }
    Cow::Owned(normalised)
}

/// Whether single spaces between words are certainly the only white space.
fn is_normal(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_at_end = bytes.first() == Some(&b' ') || bytes.last() == Some(&b' ');
    // Without an early end, so that many bytes are looked at in one step.
    let is_odd = bytes.iter().fold(false, |odd, byte| odd | may_be_odd_space(*byte));
    let are_two = |pair: (&u8, &u8)| (*pair.0 == b' ') & (*pair.1 == b' ');
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    !is_at_end && !is_odd && !pairs.fold(false, |odd, pair| odd | are_two(pair))
}

/// Whether a byte is white space other than the space, or may begin one beyond ASCII: U+0085, U+00A0,
/// U+1680, U+2000 and so on, U+3000.
#[inline]
pub(super) fn may_be_odd_space(byte: u8) -> bool {
    (byte.wrapping_sub(b'\t') < 5) | (byte == 0xC2) | (byte.wrapping_sub(0xE1) < 3)
}

/// One spelling for all that mean the same; a text without letters and digits is itself.
pub(crate) fn folded(text: &str) -> String {
    if text.is_ascii() {
        return folded_ascii(text);
    }
    let mut words = String::with_capacity(text.len() + 8);
    let mut at = 0;
    while fold_next_token(text, &mut at, &mut words) {
        words.push(' ');
    }
    words.pop();
    if words.is_empty() { fold(text) } else { words }
}

/// The same where letters have neither accents nor marks.
fn folded_ascii(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut is_new = false;
    for letter in text.chars() {
        if !letter.is_ascii_alphanumeric() {
            is_new = !words.is_empty();
            continue;
        }
        if std::mem::take(&mut is_new) {
            words.push(' ');
        }
        words.push(letter.to_ascii_lowercase());
    }
    if words.is_empty() { text.to_ascii_lowercase() } else { words }
}

/// For messages.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_words::tokens;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn normal_texts_stay_as_they_are(text in "([a-zäß–. \t\n\u{a0}\u{85}\u{1680}\u{2003}\u{2028}\u{205f}\u{3000}]){0,12}") {
            let words: Vec<&str> = text.split_whitespace().collect();
            prop_assert_eq!(normalised(&text), words.join(" "));
        }

        #[test]
        fn words_are_folded(text in "[ -~]{0,30}|([ -~äÖßéﬁ–„\u{308}\u{301}]|\\PC){0,30}") {
            let lower = fold(&text);
            let words = tokens(&lower).collect::<Vec<_>>().join(" ");
            prop_assert_eq!(folded(&text), if words.is_empty() { lower } else { words });
        }
    }
}
