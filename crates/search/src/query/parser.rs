//! From lexemes to a tree.
//!
//! ```text
//! query   = and { OR and }
//! and     = list { AND list }
//! list    = clause { clause }
//! clause  = [ "+" | "-" | NOT ] near
//! near    = part { NEAR part }
//! part    = "(" query ")" | phrase | pattern | run | field value
//! ```
//!
//! Operators in odd places (`a AND`, `OR b`) are errors; a sign that says nothing (`?`) is passed over.

use super::error::QueryError;
use super::lexer::{Lexeme, LexemeKind, lexemes};
use super::names::{FieldName, field_named, nearest_name};
use super::tree::{Form, Node, NodeKind, Occur, RangeColumn};
use super::values::comparison;
use super::{MAX_FUZZY_DISTANCE, MAX_NEAR_DISTANCE, MAX_QUERY_DEPTH, MAX_QUERY_PARTS};
use crate::analysis::{folded_word, normalised_term};
use crate::fields::TextField;
use crate::search::Facet;
use auslese_words::{fold, token_spans, tokens};
use std::ops::Range;

pub(super) fn parse(query: &str) -> Result<Node, QueryError> {
    let parsed = lexemes(query).and_then(|lexemes| {
        let mut parser = Parser { lexemes, at: 0, end: query.len(), depth: 0, parts: 0 };
        let node = parser.or(None)?;
        match parser.peek() {
            None => Ok(node),
            Some(extra) => Err(QueryError::new(
                "there is no parenthesis to close",
                extra.place.clone(),
                "the end of the query",
            )
            .with_hint("leave the parenthesis out, or open one before")),
        }
    });
    parsed.map_err(|error| error.in_query(query))
}

struct Parser {
    lexemes: Vec<Lexeme>,
    at: usize,
    end: usize,
    depth: usize,
    parts: usize,
}

type Parsed = Result<Node, QueryError>;

impl Parser {
    fn or(&mut self, field: Option<FieldName>) -> Parsed {
        self.chain(field, &LexemeKind::Or, Parser::and, NodeKind::Or)
    }

    fn and(&mut self, field: Option<FieldName>) -> Parsed {
        self.chain(field, &LexemeKind::And, Parser::list, NodeKind::And)
    }

    fn chain(
        &mut self,
        field: Option<FieldName>,
        operator: &LexemeKind,
        part: fn(&mut Parser, Option<FieldName>) -> Parsed,
        join: fn(Vec<Node>) -> NodeKind,
    ) -> Parsed {
        let mut parts = vec![part(self, field)?];
        while self.peek().is_some_and(|next| next.kind == *operator) {
            let place = self.next_place();
            self.at += 1;
            let next = part(self, field)?;
            if is_empty(&next) || parts.last().is_some_and(is_empty) {
                return Err(QueryError::new(
                    "the operator has nothing on one side",
                    place,
                    "words on both sides of it",
                )
                .with_hint(
                    "operators are words in capitals; in small letters they are words to look for",
                ));
            }
            parts.push(next);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { joined(parts, join) })
    }

    fn list(&mut self, field: Option<FieldName>) -> Parsed {
        let start = self.next_place().start;
        let mut clauses: Vec<(Occur, Node)> = Vec::new();
        while let Some(next) = self.peek() {
            let occur = match next.kind {
                LexemeKind::Close | LexemeKind::And | LexemeKind::Or => break,
                LexemeKind::Plus => Some(Occur::Must),
                LexemeKind::Minus | LexemeKind::Not => Some(Occur::MustNot),
                _ => None,
            };
            let place = next.place.clone();
            if occur.is_some() {
                self.at += 1;
            }
            let node = self.near(field)?;
            if is_empty(&node) {
                if occur.is_some() && self.peek().is_none_or(|next| starts_no_part(&next.kind)) {
                    return Err(QueryError::new("there is nothing behind it", place, "a word"));
                }
                continue;
            }
            // Predicates restrict, as in `bibliothek lang:de`, unless they are alternatives of each other.
            let default = if node.is_restriction() { Occur::Must } else { Occur::Should };
            clauses.push((occur.unwrap_or(default), node));
        }
        if let [(Occur::Should | Occur::Must, _)] = clauses[..]
            && let Some((_, node)) = clauses.pop()
        {
            return Ok(node);
        }
        let end = clauses.last().map_or(start, |(_, node)| node.place.end);
        Ok(Node { place: start..end, kind: NodeKind::List(clauses) })
    }

    fn near(&mut self, field: Option<FieldName>) -> Parsed {
        let mut parts = vec![self.part(field)?];
        let mut distance = 0;
        while let Some(Lexeme { kind: LexemeKind::Near(next), place }) = self.peek() {
            let (next, place) = (*next, place.clone());
            if next == 0 || next > MAX_NEAR_DISTANCE {
                let expected = format!("a distance from 1 to {MAX_NEAR_DISTANCE}");
                return Err(QueryError::new("this distance is not possible", place, expected));
            }
            distance = distance.max(next);
            self.at += 1;
            parts.push(self.part(field)?);
        }
        if parts.len() == 1 {
            return Ok(parts.swap_remove(0));
        }
        let place = parts[0].place.start..parts[parts.len() - 1].place.end;
        let mut words = Vec::new();
        let mut common = None;
        for part in &parts {
            let NodeKind::Word { field, word, form: Form::Stem } = &part.kind else {
                let expected = "single words on both sides of NEAR";
                return Err(QueryError::new("this cannot be near", part.place.clone(), expected));
            };
            common = common.or(*field);
            words.push(word.clone());
        }
        Ok(Node { place, kind: NodeKind::Near { field: common, words, distance } })
    }

    fn part(&mut self, field: Option<FieldName>) -> Parsed {
        let Some(lexeme) = self.peek().cloned() else {
            let place = self.end..self.end;
            return Err(QueryError::new("the query ends too early", place, "a word or a phrase"));
        };
        self.at += 1;
        let place = lexeme.place;
        self.count(&place)?;
        match lexeme.kind {
            LexemeKind::Open => self.group(field, place),
            LexemeKind::Field(name) => self.field(&name, place),
            LexemeKind::Quoted(text) => quoted(field, &text, place),
            LexemeKind::Pattern(pattern) => match text_field(field) {
                Some(field) => Ok(Node { place, kind: NodeKind::Regex { field, pattern } }),
                None => Err(QueryError::new(
                    "this field has no words for a pattern",
                    place,
                    "a value; a beginning can be given as value*",
                )),
            },
            LexemeKind::Run(text) => self.run(field, &text, place),
            LexemeKind::Tilde => self.similar(field, place),
            LexemeKind::Close | LexemeKind::And | LexemeKind::Or | LexemeKind::Near(_) => {
                Err(QueryError::new(
                    "something is missing before this",
                    place,
                    "a word or a phrase",
                )
                .with_hint(
                    "operators are words in capitals; in small letters they are words to look for",
                ))
            }
            LexemeKind::Plus | LexemeKind::Minus | LexemeKind::Not => {
                Err(QueryError::new("two signs follow each other", place, "a word or a phrase"))
            }
        }
    }

    fn group(&mut self, field: Option<FieldName>, open: Range<usize>) -> Parsed {
        self.depth += 1;
        if self.depth > MAX_QUERY_DEPTH {
            let message = format!("more than {MAX_QUERY_DEPTH} parentheses lie within each other");
            return Err(QueryError::new(message, open, "a simpler query"));
        }
        let mut inside = self.or(field)?;
        self.depth -= 1;
        match self.peek() {
            Some(Lexeme { kind: LexemeKind::Close, place }) => {
                inside.place = open.start..place.end;
                self.at += 1;
                Ok(inside)
            }
            _ => Err(QueryError::new("the parenthesis is not closed", open, "`)`").with_hint(
                "close the parenthesis, or put it into quotes if it is part of a phrase",
            )),
        }
    }

    fn field(&mut self, name: &str, place: Range<usize>) -> Parsed {
        let Some(field) = field_named(name) else {
            let error = QueryError::new(
                format!("there is no field {name:?}"),
                place,
                "the name of a field, such as title, author, keyword, host, lang or date",
            );
            return Err(match nearest_name(name) {
                Some(near) => error.with_hint(format!(
                    "did you mean {near}: ? To look for the word itself, put a space behind the colon"
                )),
                None => error.with_hint("to look for the word itself, put a space behind the colon"),
            });
        };
        let mut node = self.part(Some(field))?;
        // Words keep their own place: it is they that may be replaced.
        if node.is_restriction() {
            node.place = place.start..node.place.end;
        }
        Ok(node)
    }

    /// `~"Name"`: the phrase that follows is a name.
    fn similar(&mut self, field: Option<FieldName>, place: Range<usize>) -> Parsed {
        let next = self.peek().cloned();
        match (field, next) {
            (
                Some(FieldName::Text(TextField::Author)),
                Some(Lexeme { kind: LexemeKind::Quoted(name), place: quoted }),
            ) => {
                self.at += 1;
                person(&name, place.start..quoted.end)
            }
            _ => Err(not_similar(place)),
        }
    }

    fn run(&mut self, field: Option<FieldName>, text: &str, place: Range<usize>) -> Parsed {
        match field {
            None => self.words(None, text, place),
            Some(FieldName::Text(TextField::Author)) if text.starts_with('~') => {
                person(&text[1..], place)
            }
            Some(FieldName::Text(_)) if text.starts_with('~') => Err(not_similar(place)),
            Some(FieldName::Text(field)) => self.words(Some(field), text, place),
            Some(field) => predicate(field, text, place),
        }
    }

    /// Words of a run: one with its sign behind it, or the several of `e-mail`.
    fn words(&mut self, field: Option<TextField>, text: &str, place: Range<usize>) -> Parsed {
        if text == "*" {
            return Ok(Node { place, kind: NodeKind::All });
        }
        let (stem, form) = split_form(text, &place)?;
        let spans: Vec<_> = token_spans(stem).collect();
        if form != Form::Stem && spans.len() > 1 {
            let expected = "one word before * or ~";
            return Err(QueryError::new("these are several words", place, expected));
        }
        let mut nodes = Vec::new();
        for span in spans {
            let word_place = place.start + span.start..place.start + span.end;
            let mut node = Node::word(&stem[span], word_place, field);
            if let NodeKind::Word { form: of_node, .. } = &mut node.kind {
                *of_node = form;
            }
            nodes.push((Occur::Should, node));
            self.count(&place)?;
        }
        match nodes.len() {
            1 => Ok(nodes.swap_remove(0).1),
            _ => Ok(Node { place, kind: NodeKind::List(nodes) }),
        }
    }

    fn count(&mut self, place: &Range<usize>) -> Result<(), QueryError> {
        self.parts += 1;
        if self.parts <= 2 * MAX_QUERY_PARTS {
            return Ok(());
        }
        let message = format!("the query has more than {MAX_QUERY_PARTS} parts");
        Err(QueryError::new(message, place.clone(), "a shorter query"))
    }

    fn peek(&self) -> Option<&Lexeme> {
        self.lexemes.get(self.at)
    }

    fn next_place(&self) -> Range<usize> {
        self.peek().map_or(self.end..self.end, |next| next.place.clone())
    }
}

fn starts_no_part(kind: &LexemeKind) -> bool {
    matches!(kind, LexemeKind::Close | LexemeKind::And | LexemeKind::Or)
}

fn is_empty(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::List(clauses) if clauses.is_empty())
}

fn joined(parts: Vec<Node>, join: fn(Vec<Node>) -> NodeKind) -> Node {
    let place = parts[0].place.start..parts[parts.len() - 1].place.end;
    // `a AND NOT b`: a list of one excluded clause is a negation.
    let parts = parts.into_iter().map(|part| match part.kind {
        NodeKind::List(mut clauses) if matches!(clauses[..], [(Occur::MustNot, _)]) => {
            let inner = clauses.swap_remove(0).1;
            Node { place: part.place, kind: NodeKind::Not(Box::new(inner)) }
        }
        kind => Node { place: part.place, kind },
    });
    Node { place, kind: join(parts.collect()) }
}

/// The field of words that a field name stands for: `Some(None)` if none was named.
fn text_field(field: Option<FieldName>) -> Option<Option<TextField>> {
    match field {
        None => Some(None),
        Some(FieldName::Text(field)) => Some(Some(field)),
        Some(_) => None,
    }
}

fn quoted(field: Option<FieldName>, text: &str, place: Range<usize>) -> Parsed {
    let Some(field) = text_field(field) else {
        return match field {
            Some(field) => predicate(field, text.trim(), place),
            None => Ok(Node { place, kind: NodeKind::List(Vec::new()) }),
        };
    };
    let words: Vec<String> = tokens(text).map(folded_word).collect();
    let kind = match words.is_empty() {
        true => NodeKind::List(Vec::new()),
        false => NodeKind::Phrase { field, words },
    };
    Ok(Node { place, kind })
}

fn person(name: &str, place: Range<usize>) -> Parsed {
    let name = normalised_term(name);
    if tokens(&name).next().is_none() {
        return Err(QueryError::new("there is no name", place, "author:~\"Meier, Hans\""));
    }
    Ok(Node { place, kind: NodeKind::Person { name } })
}

fn not_similar(place: Range<usize>) -> QueryError {
    QueryError::new("only names of authors can be similar", place, "author:~\"Meier\"")
        .with_hint("similar words are written word~")
}

/// A value of a field that is no words.
fn predicate(field: FieldName, text: &str, place: Range<usize>) -> Parsed {
    let kind = match field {
        FieldName::Facet(facet) => facet_value(facet, text),
        FieldName::Range(column) => comparison(column, text, place.clone())?,
        FieldName::Year => comparison(RangeColumn::Date, text, place.clone())?,
        FieldName::Class => {
            NodeKind::Class { scheme: None, code: normalised_term(text), below: true }
        }
        FieldName::Scheme(scheme) => {
            let below = text.ends_with('*');
            let code = normalised_term(text.trim_end_matches('*'));
            NodeKind::Class { scheme: Some(scheme.to_owned()), code, below }
        }
        FieldName::Text(field) => NodeKind::Phrase { field: Some(field), words: vec![fold(text)] },
    };
    Ok(Node { place, kind })
}

fn facet_value(facet: Facet, text: &str) -> NodeKind {
    let prefix = text.ends_with('*');
    let value = fold(text.trim_end_matches('*').trim());
    let value = match (facet, value.as_str()) {
        (Facet::Kept, "yes" | "ja" | "true" | "1") => "kept".to_owned(),
        (Facet::Kept, "no" | "nein" | "false" | "0") => "left".to_owned(),
        _ => value,
    };
    NodeKind::Facet { facet, value, prefix }
}

/// A word without the sign behind it.
fn split_form<'t>(text: &'t str, place: &Range<usize>) -> Result<(&'t str, Form), QueryError> {
    if let Some(stem) = text.strip_suffix('*')
        && tokens(stem).next().is_some()
    {
        return Ok((stem, Form::Prefix));
    }
    if let Some((stem, distance)) = text.rsplit_once('~')
        && tokens(stem).next().is_some()
        && distance.bytes().all(|byte| byte.is_ascii_digit())
    {
        let letters = stem.chars().count();
        let distance = match distance {
            "" if letters <= 5 => 1,
            "" => MAX_FUZZY_DISTANCE,
            digits => digits.parse().unwrap_or(u8::MAX),
        };
        if !(1..=MAX_FUZZY_DISTANCE).contains(&distance) {
            let expected = format!("~, ~1 or ~{MAX_FUZZY_DISTANCE}");
            let error = QueryError::new("this is too far from the word", place.clone(), expected);
            return Err(error.with_hint("a beginning is found with word*, a pattern with /…/"));
        }
        return Ok((stem, Form::Fuzzy(distance)));
    }
    Ok((text, Form::Stem))
}
