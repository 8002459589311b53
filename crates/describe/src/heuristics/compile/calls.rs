//! Sources and steps by their words, and whether the arguments fit.

use super::{Checked, Compiler};
use crate::heuristics::code::{SourceCode, StepCode, ValueCode, ValueIs, XPathCode};
use crate::heuristics::faults::Span;
use crate::heuristics::pattern::Pattern;
use crate::heuristics::suggestion::did_you_mean;
use crate::heuristics::syntax::{ArgumentSyntax, CallSyntax};
use crate::heuristics::vocabulary::Shape;
use crate::structured::meta_name;

/// An argument that fits its shape.
enum Argument {
    Text(String),
    Count(usize),
    XPath(XPathCode),
    Pattern(Pattern),
    /// The number of one that is asked of classes and ids.
    ClassPattern(usize),
    Value(ValueCode),
    Heuristic(usize),
}

impl Compiler<'_> {
    pub(super) fn source(&mut self, call: &CallSyntax) -> Checked<SourceCode> {
        let mut given = Given(self.arguments(call)?.into_iter());
        Ok(match call.word.is.name {
            "meta" => SourceCode::Meta(given.texts().iter().map(|it| meta_name(it)).collect()),
            "jsonld" => SourceCode::JsonLd { path: given.text(), types: given.types() },
            "microdata" => SourceCode::Microdata { path: given.text(), types: given.types() },
            "classed" => SourceCode::Classed(given.class_regex()),
            "rdfa" => SourceCode::Rdfa(given.texts()),
            "jsonld-types" => SourceCode::JsonLdTypes,
            "microdata-types" => SourceCode::MicrodataTypes,
            "coins-count" => SourceCode::CoinsCount,
            "coins" => SourceCode::Coins(given.texts()),
            "address" => SourceCode::Address,
            "address-dates" => SourceCode::AddressDates,
            "address-words" => SourceCode::AddressWords,
            "host" => SourceCode::Host,
            "file-name" => SourceCode::FileName,
            "anchors" => SourceCode::Anchors,
            "site-name" => SourceCode::SiteName,
            "institution" => SourceCode::Institution,
            "home" => SourceCode::Home,
            "last-modified" => SourceCode::LastModified,
            "language" => SourceCode::Language,
            "blocks" => SourceCode::Blocks,
            "chosen" => SourceCode::Chosen(given.heuristic()),
            _ => SourceCode::Nothing,
        })
    }

    pub(super) fn step_call(&mut self, call: &CallSyntax) -> Checked<StepCode> {
        let mut given = Given(self.arguments(call)?.into_iter());
        Ok(match call.word.is.name {
            "first" => StepCode::First,
            "last" => StepCode::Last,
            "limit" => StepCode::Limit(given.count()),
            "skip" => StepCode::Skip(given.count()),
            "unique" => StepCode::Unique,
            "repeated" => StepCode::Repeated,
            "longest" => StepCode::Longest,
            "shortest" => StepCode::Shortest,
            "own-text" => StepCode::OwnText,
            "runs" => StepCode::Runs,
            "alike" => StepCode::Alike,
            "at" => StepCode::At(given.xpath()),
            "attribute" => StepCode::Attribute(given.text().to_lowercase()),
            "lines" => StepCode::Lines,
            "cells" => StepCode::Cells,
            "next" => StepCode::Next(given.count()),
            "previous" => StepCode::Previous(given.count()),
            "sentences" => StepCode::Sentences(given.count()),
            "split" => StepCode::Split(given.regex()),
            "capture" => StepCode::Capture(given.regex()),
            "remove" => StepCode::Remove(given.regex()),
            "replace" => StepCode::Replace(given.regex(), given.text()),
            "without" => StepCode::Without(given.value()),
            "after" => StepCode::After(given.value()),
            "parts" => StepCode::Parts,
            "without-site" => StepCode::WithoutSite,
            "names" => StepCode::Names,
            "nicknames" => StepCode::Nicknames,
            "institutions" => StepCode::Institutions,
            "dates" => StepCode::Dates,
            "cited-title" => StepCode::CitedTitle,
            "cited-authors" => StepCode::CitedAuthors,
            "list" => StepCode::List,
            "joined" => StepCode::Joined(given.text()),
            "lower" => StepCode::Lower,
            "trimmed" => StepCode::Trimmed,
            "cut" => StepCode::Cut(given.count()),
            "resolved" => StepCode::Resolved,
            _ => StepCode::Text,
        })
    }

    fn arguments(&mut self, call: &CallSyntax) -> Checked<Vec<Argument>> {
        let word = call.word.is;
        if !fits(word.takes, call.arguments.len()) {
            let message = format!("expected it as in `{}`: {}", word.usage, how_many(word.takes));
            return self.fault(call.word.span, message);
        }
        let mut checked = Vec::new();
        for (at, argument) in call.arguments.iter().enumerate() {
            let shape = word.takes[at.min(word.takes.len() - 1)];
            checked.push(self.argument(argument, shape, word.usage));
        }
        checked.into_iter().collect()
    }

    fn argument(
        &mut self,
        argument: &ArgumentSyntax,
        shape: Shape,
        usage: &str,
    ) -> Checked<Argument> {
        match (shape, argument) {
            (Shape::Text | Shape::Texts | Shape::MaybeText, ArgumentSyntax::Text(text)) => {
                Ok(Argument::Text(text.is.clone()))
            }
            (Shape::Regex, ArgumentSyntax::Text(text)) => {
                self.regex(&text.is, text.span).map(Argument::Pattern)
            }
            (Shape::ClassRegex, ArgumentSyntax::Text(text)) => {
                let added = self.classes.add(&text.is, self.checking);
                self.readable(added, text.span).map(Argument::ClassPattern)
            }
            (Shape::Field, ArgumentSyntax::Text(text)) => {
                self.heuristic_for(&text.is, text.span).map(Argument::Heuristic)
            }
            (Shape::XPath, ArgumentSyntax::XPath(path)) => {
                self.xpath(&path.is, path.span).map(Argument::XPath)
            }
            (Shape::Count | Shape::MaybeCount, ArgumentSyntax::Number(number)) => {
                match whole(number.is) {
                    Some(count) => Ok(Argument::Count(count)),
                    None => self.fault(number.span, "expected a whole number from 1 on"),
                }
            }
            (Shape::Value, ArgumentSyntax::Value(value)) => {
                self.kept_value(value).map(Argument::Value)
            }
            (Shape::Value, ArgumentSyntax::Text(text)) => {
                let is = ValueIs::Texts(vec![text.is.clone()]);
                Ok(Argument::Value(self.kept(ValueCode { is, span: text.span })))
            }
            (Shape::Value, ArgumentSyntax::XPath(path)) => {
                let is = ValueIs::XPath(self.xpath(&path.is, path.span)?);
                Ok(Argument::Value(self.kept(ValueCode { is, span: path.span })))
            }
            (shape, argument) => {
                let message = format!("expected {}, as in `{usage}`", wanted(shape));
                self.fault(span_of(argument), message)
            }
        }
    }

    pub(super) fn regex(&mut self, pattern: &str, span: Span) -> Checked<Pattern> {
        let read = self.signs.pattern(pattern, self.checking);
        self.readable(read, span)
    }

    /// What was made of a regular expression, unless it cannot be read.
    fn readable<T>(&mut self, read: Result<T, regex::Error>, span: Span) -> Checked<T> {
        match read {
            Ok(made) => Ok(made),
            Err(fault) => {
                let told = fault.to_string();
                let reason = told.lines().last().unwrap_or_default().trim_start_matches("error: ");
                self.fault(span, format!("expected a regular expression: {reason}"))
            }
        }
    }

    fn heuristic_for(&mut self, field: &str, span: Span) -> Checked<usize> {
        match self.fields.iter().position(|known| known == field) {
            Some(heuristic) => Ok(heuristic),
            None => {
                let hint = did_you_mean(field, &self.fields);
                self.fault(span, format!("the set has no heuristic for {field}{hint}"))
            }
        }
    }
}

/// Arguments of the shapes that were checked.
struct Given(std::vec::IntoIter<Argument>);

impl Given {
    fn text(&mut self) -> String {
        match self.0.next() {
            Some(Argument::Text(text)) => text,
            _ => String::new(),
        }
    }

    fn texts(&mut self) -> Vec<String> {
        std::iter::from_fn(|| match self.0.next() {
            Some(Argument::Text(text)) => Some(text),
            _ => None,
        })
        .collect()
    }

    /// Names of types in one text, set apart by white space.
    fn types(&mut self) -> Vec<String> {
        self.text().split_whitespace().map(str::to_owned).collect()
    }

    fn count(&mut self) -> usize {
        match self.0.next() {
            Some(Argument::Count(count)) => count,
            // Left out.
            _ => 1,
        }
    }

    fn xpath(&mut self) -> XPathCode {
        match self.0.next() {
            Some(Argument::XPath(path)) => path,
            _ => unreachable!("the argument was checked to be an XPath"),
        }
    }

    fn regex(&mut self) -> Pattern {
        match self.0.next() {
            Some(Argument::Pattern(pattern)) => pattern,
            _ => unreachable!("the argument was checked to be a regular expression"),
        }
    }

    fn class_regex(&mut self) -> usize {
        match self.0.next() {
            Some(Argument::ClassPattern(number)) => number,
            _ => unreachable!("the argument was checked to be a regular expression"),
        }
    }

    fn value(&mut self) -> ValueCode {
        match self.0.next() {
            Some(Argument::Value(value)) => value,
            _ => unreachable!("the argument was checked to be a value"),
        }
    }

    fn heuristic(&mut self) -> usize {
        match self.0.next() {
            Some(Argument::Heuristic(heuristic)) => heuristic,
            _ => unreachable!("the argument was checked to be a field"),
        }
    }
}

fn fits(takes: &[Shape], count: usize) -> bool {
    let is_needed = |shape: &&Shape| !matches!(shape, Shape::MaybeText | Shape::MaybeCount);
    let least = takes.iter().filter(is_needed).count();
    count >= least && (count <= takes.len() || takes.contains(&Shape::Texts))
}

fn how_many(takes: &[Shape]) -> &'static str {
    match takes {
        [] => "it takes nothing in parentheses",
        [Shape::Texts] => "it takes one text or more",
        [Shape::MaybeCount] => "it takes one number or none",
        [_, Shape::MaybeText] => "it takes one text or two",
        [_] => "it takes one thing in parentheses",
        _ => "it takes two things in parentheses",
    }
}

fn wanted(shape: Shape) -> &'static str {
    match shape {
        Shape::Text | Shape::Texts | Shape::MaybeText => "a text in \" \"",
        Shape::Field => "a field in \" \"",
        Shape::Count | Shape::MaybeCount => "a number",
        Shape::XPath => "an XPath in ` `",
        Shape::Regex | Shape::ClassRegex => "a regular expression in \" \"",
        Shape::Value => "a value",
    }
}

fn span_of(argument: &ArgumentSyntax) -> Span {
    match argument {
        ArgumentSyntax::Text(it) | ArgumentSyntax::XPath(it) => it.span,
        ArgumentSyntax::Number(it) => it.span,
        ArgumentSyntax::Value(it) => it.span,
    }
}

/// A number that counts something.
pub(super) fn whole(number: f64) -> Option<usize> {
    let is_whole = number.fract() == 0.0 && (1.0..=1e9).contains(&number);
    is_whole.then_some(number as usize)
}
