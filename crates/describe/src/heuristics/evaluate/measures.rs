//! What can be measured of a value: one number for each item, or one for the list.

use super::{Evaluated, Evaluation, Item, Value};
use crate::heuristics::vocabulary::Measure;
use auslese_markup::{Node, NodeId};
use auslese_words::{token_count, tokens};
use regex::Regex;
use std::sync::LazyLock;

impl Evaluation<'_> {
    /// Items without text are measured as well: their length is 0. A measure that an item does not
    /// have, such as the position of a text that stands nowhere, is left out.
    pub(super) fn measured(&self, measure: Measure, value: &Value) -> Evaluated<Vec<f64>> {
        if measure == Measure::Count {
            let mut present = 0;
            for item in value.iter() {
                self.spend(1)?;
                present += usize::from(self.has_text(item));
            }
            return Ok(vec![present as f64]);
        }
        let mut numbers = Vec::with_capacity(value.len());
        for item in value.iter() {
            numbers.extend(self.measure(measure, item)?);
        }
        Ok(numbers)
    }

    pub(super) fn measure(&self, measure: Measure, item: &Item) -> Evaluated<Option<f64>> {
        let text = self.text(item);
        let is_known = measure == Measure::Words && item.words.get().is_some();
        self.spend_bytes(if is_known { 0 } else { text.len() })?;
        Ok(match measure {
            Measure::Count => Some(1.0),
            Measure::Words => Some(f64::from(self.words(item))),
            Measure::Length => Some(text.chars().count() as f64),
            Measure::Position => {
                item.spot.node().map(|node| share(node.anchor().index(), self.tree().len()))
            }
            Measure::Links => match item.spot.node() {
                Some(node) => Some(self.share_in_links(node.anchor())?),
                None => None,
            },
            Measure::Capitals => {
                let capital = |word: &&str| word.starts_with(char::is_uppercase);
                Some(share(tokens(text).filter(capital).count(), token_count(text)))
            }
            Measure::Digits => {
                let letters = text.chars().filter(|letter| !letter.is_whitespace());
                let digits = text.chars().filter(char::is_ascii_digit).count();
                Some(share(digits, letters.count()))
            }
            Measure::Number => first_number(text),
        })
    }

    /// How many words the text of an item has; asked for again and again.
    pub(super) fn words(&self, item: &Item) -> u32 {
        item.words.get().unwrap_or_else(|| {
            let words = token_count(self.text(item)) as u32;
            item.words.set(Some(words));
            words
        })
    }

    fn share_in_links(&self, node: NodeId) -> Evaluated<f64> {
        let tree = self.tree();
        let (mut all, mut linked) = (0, 0);
        let mut link_depth = None;
        if self.is_in_link(node) {
            return Ok(1.0);
        }
        for below in tree.subtree(node) {
            self.spend(1)?;
            let depth = tree.depth(below);
            if link_depth.is_some_and(|link| depth <= link) {
                link_depth = None;
            }
            match tree.node(below) {
                Node::Element(element) if link_depth.is_none() && element.is("a") => {
                    link_depth = element.attribute("href").map(|_| depth);
                }
                Node::Text(text) => {
                    let letters = text.chars().filter(|letter| !letter.is_whitespace()).count();
                    all += letters;
                    linked += if link_depth.is_some() { letters } else { 0 };
                }
                _ => {}
            }
        }
        Ok(share(linked, all))
    }

    fn is_in_link(&self, node: NodeId) -> bool {
        let is_link = |id| {
            let element = self.tree().element(id);
            element.is_some_and(|it| it.is("a") && it.attribute("href").is_some())
        };
        is_link(node) || self.tree().ancestors(node).any(is_link)
    }
}

fn share(some: usize, all: usize) -> f64 {
    some as f64 / all.max(1) as f64
}

fn first_number(text: &str) -> Option<f64> {
    static NUMBER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[0-9]+(?:\.[0-9]+)?").expect("the pattern is fixed"));
    NUMBER.find(text)?.as_str().parse().ok()
}
