//! Calls of functions, by section 4 of the standard.
//!
//! One way for each kind of result, as in [`super::evaluate`].

use super::axes::AxisNodes;
use super::evaluate::{Context, Evaluated, Evaluator};
use super::expression::{Axis, Call, Prepared};
use super::functions::Function;
use super::node::XPathNode;
use super::steps::Want;
use super::tokens::is_white;
use super::value::XPathValue;
use super::{XPathFailure, numbers, strings};
use crate::blocks::language;
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashSet;

/// What compiling a pattern costs that is no literal.
const STEPS_PER_PATTERN: u64 = 10_000;

/// Bytes that a character of another case may have more.
const CASE_GROWTH: usize = 3;

impl<'a> Evaluator<'a> {
    pub(super) fn call_truth(&mut self, call: &'a Call, at: Context) -> Evaluated<bool> {
        let [first, second] = [call.arguments.first(), call.arguments.get(1)];
        match (call.function, first, second) {
            (Function::True, ..) => Ok(true),
            (Function::Boolean, Some(value), _) => self.truth(value, at),
            (Function::Not, Some(value), _) => Ok(!self.truth(value, at)?),
            (Function::Lang, Some(tag), _) => {
                let tag = self.text(tag, at)?;
                self.is_in_language(at.node, &tag)
            }
            (Function::Matches, Some(_), Some(_)) => self.matches(call, at),
            (function, Some(text), Some(part)) => {
                let text = self.text(text, at)?;
                if let Prepared::Needle(needle) = &call.prepared {
                    return Ok(needle.find(text.as_bytes()).is_some());
                }
                let part = self.text(part, at)?;
                Ok(match function {
                    Function::StartsWith => text.starts_with(&*part),
                    Function::EndsWith => text.ends_with(&*part),
                    _ => memmem::find(text.as_bytes(), part.as_bytes()).is_some(),
                })
            }
            _ => Ok(false),
        }
    }

    pub(super) fn call_number(&mut self, call: &'a Call, at: Context) -> Evaluated<f64> {
        let first = call.arguments.first();
        match (call.function, first) {
            (Function::Last, _) => Ok(at.size as f64),
            (Function::Position, _) => Ok(at.position as f64),
            (Function::Count, Some(nodes)) => Ok(self.nodes(nodes, at, Want::All)?.len() as f64),
            (Function::Sum, Some(nodes)) => {
                let mut sum = 0.0;
                for node in self.nodes(nodes, at, Want::All)? {
                    sum += numbers::from_text(&self.text_of(node)?);
                }
                Ok(sum)
            }
            (Function::StringLength, _) => Ok(self.own_text(call, at)?.chars().count() as f64),
            (Function::Floor, Some(number)) => Ok(self.number(number, at)?.floor()),
            (Function::Ceiling, Some(number)) => Ok(self.number(number, at)?.ceil()),
            (Function::Round, Some(number)) => Ok(numbers::round(self.number(number, at)?)),
            (_, Some(value)) => self.number(value, at),
            (_, None) => Ok(numbers::from_text(&self.text_of(at.node)?)),
        }
    }

    pub(super) fn call_text(&mut self, call: &'a Call, at: Context) -> Evaluated<Cow<'a, str>> {
        match call.function {
            Function::LocalName | Function::NamespaceUri | Function::Name => {
                self.name_text(call, at)
            }
            Function::String => self.own_text(call, at),
            Function::Concat => {
                let mut whole = String::new();
                for part in &call.arguments {
                    let part = self.text(part, at)?;
                    self.budget.bytes(part.len())?;
                    whole.push_str(&part);
                }
                Ok(Cow::Owned(whole))
            }
            Function::Substring => self.substring(call, at),
            Function::SubstringBefore | Function::SubstringAfter => self.substring_around(call, at),
            Function::Translate => {
                let [text, from, to] = self.three_texts(call, at)?;
                // A character may become one of four bytes.
                self.budget.bytes(text.len() * 4 + from.len() + to.len())?;
                Ok(Cow::Owned(strings::translate(&text, &from, &to)))
            }
            Function::LowerCase | Function::UpperCase => {
                let text = self.own_text(call, at)?;
                self.budget.bytes(text.len() * CASE_GROWTH)?;
                Ok(Cow::Owned(match call.function {
                    Function::LowerCase => text.to_lowercase(),
                    _ => text.to_uppercase(),
                }))
            }
            _ => {
                let text = self.own_text(call, at)?;
                self.budget.bytes(text.len())?;
                Ok(Cow::Owned(strings::normalize_space(&text)))
            }
        }
    }

    pub(super) fn call_nodes(&mut self, call: &'a Call, at: Context) -> Evaluated<Vec<XPathNode>> {
        let (Function::Id, Some(argument)) = (call.function, call.arguments.first()) else {
            let name = format!("this place of {}()", call.function.name());
            return Err(XPathFailure::NotNodes(name));
        };
        let texts = match self.value(argument, at)? {
            XPathValue::Nodes(nodes) => {
                let texts: Evaluated<Vec<_>> =
                    nodes.into_iter().map(|node| Ok(self.text_of(node)?.into_owned())).collect();
                texts?
            }
            other => vec![other.string(self.tree).into_owned()],
        };
        let words = texts.iter().flat_map(|text| text.split(is_white));
        let mut wanted: HashSet<&str> = words.filter(|word| !word.is_empty()).collect();
        let mut found = Vec::new();
        for node in AxisNodes::new(self.tree, Axis::Descendant, XPathNode::DOCUMENT) {
            self.budget.node()?;
            let element = self.tree.element(node.anchor());
            // Of several with the same id, the first has it.
            if let Some(id) = element.and_then(|element| element.attribute("id"))
                && wanted.remove(id)
            {
                found.push(node);
            }
        }
        Ok(found)
    }

    /// The text of the argument, or of the context node if there is none.
    fn own_text(&mut self, call: &'a Call, at: Context) -> Evaluated<Cow<'a, str>> {
        match call.arguments.first() {
            Some(argument) => self.text(argument, at),
            None => self.text_of(at.node),
        }
    }

    fn name_text(&mut self, call: &'a Call, at: Context) -> Evaluated<Cow<'a, str>> {
        let node = match call.arguments.first() {
            Some(nodes) => self.nodes(nodes, at, Want::First(1))?.first().copied(),
            None => Some(at.node),
        };
        let Some(node) = node else { return Ok(Cow::Borrowed("")) };
        self.budget.node()?;
        Ok(match call.function {
            Function::Name => node.name(self.tree),
            Function::LocalName => Cow::Borrowed(node.expanded_name(self.tree).1),
            _ => Cow::Borrowed(node.expanded_name(self.tree).0.uri()),
        })
    }

    fn substring(&mut self, call: &'a Call, at: Context) -> Evaluated<Cow<'a, str>> {
        let [Some(text), Some(from)] = [call.arguments.first(), call.arguments.get(1)] else {
            return Ok(Cow::Borrowed(""));
        };
        let text = self.text(text, at)?;
        let from = self.number(from, at)?;
        let count = match call.arguments.get(2) {
            Some(count) => Some(self.number(count, at)?),
            None => None,
        };
        self.budget.bytes(text.len())?;
        Ok(match text {
            Cow::Borrowed(text) => Cow::Borrowed(strings::substring(text, from, count)),
            Cow::Owned(text) => Cow::Owned(strings::substring(&text, from, count).to_owned()),
        })
    }

    fn substring_around(&mut self, call: &'a Call, at: Context) -> Evaluated<Cow<'a, str>> {
        let [text, mark, _] = self.three_texts(call, at)?;
        let Some((before, after)) = text.split_once(&*mark) else { return Ok(Cow::Borrowed("")) };
        let part = match call.function {
            Function::SubstringBefore => before,
            _ => after,
        };
        self.budget.bytes(text.len())?;
        Ok(Cow::Owned(part.to_owned()))
    }

    /// The texts of up to three arguments.
    fn three_texts(&mut self, call: &'a Call, at: Context) -> Evaluated<[Cow<'a, str>; 3]> {
        let mut texts = [Cow::Borrowed(""), Cow::Borrowed(""), Cow::Borrowed("")];
        for (text, argument) in texts.iter_mut().zip(&call.arguments) {
            *text = self.text(argument, at)?;
        }
        Ok(texts)
    }

    fn is_in_language(&mut self, node: XPathNode, tag: &str) -> Evaluated<bool> {
        for node in AxisNodes::new(self.tree, Axis::AncestorOrSelf, node) {
            self.budget.node()?;
            let element = self.tree.element(node.anchor());
            if let Some(declared) = element.and_then(language) {
                let start = declared.get(..tag.len());
                let end = declared.as_bytes().get(tag.len());
                return Ok(start.is_some_and(|start| start.eq_ignore_ascii_case(tag))
                    && end.is_none_or(|next| *next == b'-'));
            }
        }
        Ok(false)
    }

    fn matches(&mut self, call: &'a Call, at: Context) -> Evaluated<bool> {
        let [text, pattern, _] = self.three_texts(call, at)?;
        self.budget.bytes(text.len())?;
        if let Prepared::Pattern(regex) = &call.prepared {
            return Ok(regex.is_match(&text));
        }
        if !matches!(&self.pattern, Some((known, _)) if *known == *pattern) {
            self.budget.spend(STEPS_PER_PATTERN)?;
            let regex = strings::pattern(&pattern).map_err(XPathFailure::Pattern)?;
            self.pattern = Some((pattern.into_owned(), regex));
        }
        Ok(self.pattern.as_ref().is_some_and(|(_, regex)| regex.is_match(&text)))
    }
}
