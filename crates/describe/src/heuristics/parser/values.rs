//! Reads values: where they come from, and the steps they go through.

use super::{Parser, Read};
use crate::heuristics::lexer::Token;
use crate::heuristics::suggestion::did_you_mean;
use crate::heuristics::syntax::{
    ArgumentSyntax, CallSyntax, Spanned, StepSyntax, ValueKind, ValueSyntax,
};
use crate::heuristics::vocabulary::{Measure, SOURCES, STEPS, Word};

impl Parser<'_> {
    /// `first of A, B`, `all of A, B`, or a source with steps.
    pub(super) fn value(&mut self) -> Read<ValueSyntax> {
        self.deeper(|parser| match parser.list_word() {
            Some(make) => parser.list(make),
            None => parser.steps(),
        })
    }

    /// Whether `first of` or `all of` stands here.
    pub(super) fn list_word(&self) -> Option<fn(Vec<ValueSyntax>) -> ValueKind> {
        if !self.token_after(1).is_word("of") {
            return None;
        }
        match self.token() {
            Token::Word(word) if word == "first" => Some(ValueKind::FirstOf),
            Token::Word(word) if word == "all" => Some(ValueKind::AllOf),
            _ => None,
        }
    }

    fn list(&mut self, make: fn(Vec<ValueSyntax>) -> ValueKind) -> Read<ValueSyntax> {
        let begin = self.next();
        self.next();
        let mut members = vec![self.steps()?];
        while *self.token() == Token::Sign(",") {
            self.next();
            members.push(self.steps()?);
        }
        Ok(ValueSyntax { is: make(members), span: begin.to(self.last_span()) })
    }

    fn steps(&mut self) -> Read<ValueSyntax> {
        let source = self.operand()?;
        self.steps_after(source)
    }

    /// The steps that follow a value, if any do.
    pub(super) fn steps_after(&mut self, source: ValueSyntax) -> Read<ValueSyntax> {
        let mut steps = Vec::new();
        while *self.token() == Token::Sign("|") {
            self.next();
            steps.push(self.step()?);
        }
        if steps.is_empty() {
            return Ok(source);
        }
        let span = source.span.to(self.last_span());
        Ok(ValueSyntax { is: ValueKind::Steps(Box::new(source), steps), span })
    }

    fn step(&mut self) -> Read<StepSyntax> {
        if self.token().is_word("where") {
            self.next();
            return self.condition().map(StepSyntax::Where);
        }
        let Token::Word(word) = self.token().clone() else {
            return self.expected("a step, such as `first` or `text`");
        };
        let Some(step) = STEPS.iter().find(|step| step.name == word) else {
            return self.unknown("step", &word, STEPS.iter().map(|step| step.name));
        };
        self.call(step).map(StepSyntax::Call)
    }

    fn source(&mut self, word: &str) -> Read<ValueKind> {
        let Some(source) = SOURCES.iter().find(|source| source.name == word) else {
            let sources = SOURCES.iter().map(|source| source.name);
            let measures = Measure::ALL.iter().map(|(name, _)| *name);
            return self.unknown("source", word, sources.chain(measures));
        };
        self.call(source).map(ValueKind::Source)
    }

    fn unknown<T>(
        &mut self,
        kind: &str,
        word: &str,
        known: impl Iterator<Item = &'static str>,
    ) -> Read<T> {
        let hint = did_you_mean(word, &known.collect::<Vec<_>>());
        self.fault_at(self.span(), format!("there is no {kind} `{word}`{hint}"))
    }

    /// A value without steps; with them it stands in parentheses.
    pub(super) fn operand(&mut self) -> Read<ValueSyntax> {
        let span = self.span();
        let is = match self.token().clone() {
            Token::XPath(path) => ValueKind::XPath(path),
            Token::Text(text) => ValueKind::Texts(vec![text]),
            Token::Name(name) => ValueKind::Name(name),
            Token::Word(word) if word == "it" => ValueKind::It,
            Token::Word(word) if word == "words" && *self.token_after(1) != Token::Sign("(") => {
                self.next();
                let is = ValueKind::Texts(self.texts()?);
                return Ok(ValueSyntax { is, span: span.to(self.last_span()) });
            }
            Token::Word(word) if !self.begins_clause() => {
                let is = self.source(&word)?;
                return Ok(ValueSyntax { is, span: span.to(self.last_span()) });
            }
            Token::Sign("(") => {
                self.next();
                let inside = self.value()?;
                self.sign(")")?;
                return Ok(ValueSyntax { is: inside.is, span: span.to(self.last_span()) });
            }
            _ => return self.expected("a value: a name, a text, an XPath in ` ` or a source"),
        };
        self.next();
        Ok(ValueSyntax { is, span })
    }

    fn texts(&mut self) -> Read<Vec<String>> {
        let mut texts = vec![self.text("a text, such as \"home\"")?.is];
        // Another comma may belong to the list this list of words is a member of.
        while *self.token() == Token::Sign(",") && matches!(self.token_after(1), Token::Text(_)) {
            self.next();
            texts.push(self.text("a text")?.is);
        }
        Ok(texts)
    }

    fn call(&mut self, word: &'static Word) -> Read<CallSyntax> {
        let word = Spanned { is: word, span: self.next() };
        let mut arguments = Vec::new();
        if *self.token() == Token::Sign("(") {
            self.next();
            loop {
                arguments.push(self.argument()?);
                if *self.token() != Token::Sign(",") {
                    break;
                }
                self.next();
            }
            self.sign(")")?;
        }
        Ok(CallSyntax { word, arguments })
    }

    fn argument(&mut self) -> Read<ArgumentSyntax> {
        let ends = matches!(self.token_after(1), Token::Sign("," | ")"));
        match self.token().clone() {
            Token::Text(text) if ends => {
                Ok(ArgumentSyntax::Text(Spanned { is: text, span: self.next() }))
            }
            Token::XPath(path) if ends => {
                Ok(ArgumentSyntax::XPath(Spanned { is: path, span: self.next() }))
            }
            Token::Number(number) => {
                Ok(ArgumentSyntax::Number(Spanned { is: number, span: self.next() }))
            }
            _ => self.value().map(ArgumentSyntax::Value),
        }
    }
}
