//! From the line to the tree: recursive descent, with the byte place of everything that is wrong.
//!
//! A word of the query is cut into tokens as texts are, so `geht's` finds what it should under
//! both [`TokenRule`]s. What texts cannot contain as a token, such as `C++`, is an error: a query
//! that finds nothing without a reason helps nobody.

use super::pattern::{TokenPattern, Wild};
use super::{MAX_NODE_QUERY, MAX_NODE_TOKENS, MAX_QUERY_NESTING, MAX_TOKEN_PATTERNS, Tree};
use crate::error::{KwicError, Problem};
use crate::forms::{is_apostrophe, is_hyphen};
use crate::{Sensitivity, TokenRule, token_spans};
use std::ops::Range;

pub(super) fn parse(
    query: &str,
    rule: TokenRule,
    sensitivity: Sensitivity,
) -> Result<(Tree, Vec<TokenPattern>), KwicError> {
    let all = 0..query.len();
    if query.len() > MAX_NODE_QUERY {
        return Err(KwicError::new(Problem::TooLong { limit: MAX_NODE_QUERY }, all));
    }
    if query.trim().is_empty() {
        return Err(KwicError::new(Problem::Empty, all));
    }
    let mut parser = Parser { query, at: 0, rule, sensitivity, patterns: Vec::new(), depth: 0 };
    let tree = parser.alternatives()?;
    if let Some(sign) = parser.peek() {
        return Err(parser.unexpected(sign));
    }
    let (fewest, longest) = tree.lengths();
    if fewest == 0 {
        return Err(KwicError::new(Problem::MatchesNothing, all));
    }
    if longest > MAX_NODE_TOKENS {
        let problem = Problem::NodeTooLong { tokens: longest, limit: MAX_NODE_TOKENS };
        return Err(KwicError::new(problem, all));
    }
    Ok((tree, parser.patterns))
}

struct Parser<'q> {
    query: &'q str,
    at: usize,
    rule: TokenRule,
    sensitivity: Sensitivity,
    patterns: Vec<TokenPattern>,
    depth: usize,
}

impl<'q> Parser<'q> {
    fn alternatives(&mut self) -> Result<Tree, KwicError> {
        let mut all = vec![self.sequence()?];
        while self.peek() == Some('|') {
            self.at += 1;
            all.push(self.sequence()?);
        }
        Ok(only_or(all, Tree::Any))
    }

    fn sequence(&mut self) -> Result<Tree, KwicError> {
        let mut parts = Vec::new();
        while let Some(sign) = self.peek()
            && !matches!(sign, '|' | ')')
        {
            let atom = self.atom(sign)?;
            parts.push(self.repeated(atom)?);
        }
        if parts.is_empty() {
            return Err(KwicError::new(Problem::NothingHere, self.at..self.at));
        }
        Ok(only_or(parts, Tree::Sequence))
    }

    fn atom(&mut self, sign: char) -> Result<Tree, KwicError> {
        match sign {
            '(' => self.group(),
            '[' => self.any_token(),
            '/' => self.regex(),
            '"' => self.quoted(),
            ']' | '{' | '}' | '%' => Err(self.unexpected(sign)),
            _ => self.word(),
        }
    }

    fn group(&mut self) -> Result<Tree, KwicError> {
        let open = self.at;
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_QUERY_NESTING {
            let problem = Problem::TooDeep { limit: MAX_QUERY_NESTING };
            return Err(KwicError::new(problem, open..self.at));
        }
        let inner = self.alternatives()?;
        self.depth -= 1;
        if self.peek() != Some(')') {
            return Err(KwicError::new(Problem::Unclosed('('), open..open + 1));
        }
        self.at += 1;
        Ok(inner)
    }

    fn any_token(&mut self) -> Result<Tree, KwicError> {
        let open = self.at;
        self.at += 1;
        match self.peek() {
            Some(']') => self.at += 1,
            Some(other) => return Err(self.unexpected(other)),
            None => return Err(KwicError::new(Problem::Unclosed('['), open..open + 1)),
        }
        self.token(TokenPattern::any(), open..self.at)
    }

    fn regex(&mut self) -> Result<Tree, KwicError> {
        let open = self.at;
        let pattern = self.until('/')?.replace("\\/", "/");
        let sensitivity = self.flags()?;
        let place = open..self.at;
        let pattern = TokenPattern::regex(&pattern, sensitivity)
            .map_err(|problem| KwicError::new(problem, place.clone()))?;
        self.token(pattern, place)
    }

    fn quoted(&mut self) -> Result<Tree, KwicError> {
        let open = self.at;
        let text = self.until('"')?.replace("\\\"", "\"");
        let sensitivity = self.flags()?;
        let place = open..self.at;
        let tokens: Vec<&str> = token_spans(&text, self.rule).map(|span| &text[span]).collect();
        if tokens.is_empty() {
            return Err(KwicError::new(Problem::NoToken(text), place));
        }
        self.words(&tokens, sensitivity, place)
    }

    /// What stands between this sign and the next one like it that has no backslash before it.
    fn until(&mut self, sign: char) -> Result<&'q str, KwicError> {
        let open = self.at;
        let inside = &self.query[open + 1..];
        let mut escaped = false;
        for (at, letter) in inside.char_indices() {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                letter if letter == sign => {
                    self.at = open + 1 + at + 1;
                    return Ok(&inside[..at]);
                }
                _ => {}
            }
        }
        Err(KwicError::new(Problem::Unclosed(sign), open..open + 1))
    }

    fn word(&mut self) -> Result<Tree, KwicError> {
        let start = self.at;
        let rest = &self.query[start..];
        let ends = |letter: char| letter.is_whitespace() || "()|[]{}%\"".contains(letter);
        self.at += rest.find(ends).unwrap_or(rest.len());
        let word = &self.query[start..self.at];
        let sensitivity = self.flags()?;
        let place = start..self.at;
        if word.contains(['*', '?']) {
            return self.wildcards(word, sensitivity, place);
        }
        let spans: Vec<Range<usize>> = token_spans(word, self.rule).collect();
        if !covers(word, &spans) {
            return Err(KwicError::new(Problem::NoToken(word.to_owned()), place));
        }
        let tokens: Vec<&str> = spans.into_iter().map(|span| &word[span]).collect();
        self.words(&tokens, sensitivity, place)
    }

    fn wildcards(
        &mut self,
        word: &str,
        sensitivity: Sensitivity,
        place: Range<usize>,
    ) -> Result<Tree, KwicError> {
        let is_part = |letter: char| {
            letter.is_alphanumeric() || !letter.is_ascii() || "*?-'.@:/_~".contains(letter)
        };
        if !word.chars().all(is_part) {
            return Err(KwicError::new(Problem::NoToken(word.to_owned()), place));
        }
        let mut parts = Vec::new();
        let mut rest = word;
        while let Some(sign) = rest.chars().next() {
            let length = match sign {
                '*' | '?' => 1,
                _ => rest.find(['*', '?']).unwrap_or(rest.len()),
            };
            parts.push(match sign {
                '*' => Wild::Many,
                '?' => Wild::One,
                _ => Wild::Literal(rest[..length].to_owned()),
            });
            rest = &rest[length..];
        }
        let pattern = TokenPattern::wildcards(parts, sensitivity)
            .map_err(|problem| KwicError::new(problem, place.clone()))?;
        self.token(pattern, place)
    }

    fn words(
        &mut self,
        tokens: &[&str],
        sensitivity: Sensitivity,
        place: Range<usize>,
    ) -> Result<Tree, KwicError> {
        let all: Result<Vec<Tree>, KwicError> = tokens
            .iter()
            .map(|token| self.token(TokenPattern::word(token, sensitivity), place.clone()))
            .collect();
        Ok(only_or(all?, Tree::Sequence))
    }

    /// `%c`, `%d`, `%s`, also together; the least strict one counts.
    fn flags(&mut self) -> Result<Sensitivity, KwicError> {
        let mut found: Option<Sensitivity> = None;
        while self.query[self.at..].starts_with('%') {
            let start = self.at;
            self.at += 1;
            let letters = self.query[self.at..].chars().take_while(|c| c.is_alphanumeric());
            let letters: Vec<char> = letters.collect();
            if letters.is_empty() {
                return Err(KwicError::new(Problem::Unexpected('%'), start..self.at));
            }
            for flag in letters {
                let place = self.at..self.at + flag.len_utf8();
                self.at = place.end;
                let named = match flag {
                    's' => Sensitivity::AsWritten,
                    'c' => Sensitivity::IgnoreCase,
                    'd' => Sensitivity::Folded,
                    other => return Err(KwicError::new(Problem::UnknownFlag(other), place)),
                };
                found = found.max(Some(named));
            }
        }
        Ok(found.unwrap_or(self.sensitivity))
    }

    fn repeated(&mut self, atom: Tree) -> Result<Tree, KwicError> {
        if !self.query[self.at..].starts_with('{') {
            return Ok(atom);
        }
        let open = self.at;
        let rest = &self.query[open..];
        let Some(length) = rest.find('}') else {
            return Err(KwicError::new(Problem::Unclosed('{'), open..open + 1));
        };
        self.at = open + length + 1;
        let place = open..self.at;
        let inside = &rest[1..length];
        let (least, most) = inside.split_once(',').unwrap_or((inside, inside));
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let (Some(least), Some(most)) = (number(least), number(most)) else {
            return Err(KwicError::new(Problem::BadRepeat, place));
        };
        let problem = match atom.lengths().1.saturating_mul(most) {
            _ if most == 0 => Some(Problem::BadRepeat),
            _ if least > most => Some(Problem::RepeatReversed { least, most }),
            tokens if tokens > MAX_NODE_TOKENS => {
                Some(Problem::NodeTooLong { tokens, limit: MAX_NODE_TOKENS })
            }
            _ => None,
        };
        if let Some(problem) = problem {
            return Err(KwicError::new(problem, place));
        }
        let is_gap = self.is_any(&atom);
        let repeated = Tree::Repeat { of: Box::new(atom), least, most, is_gap };
        self.repeated(repeated)
    }

    fn is_any(&self, tree: &Tree) -> bool {
        matches!(tree, Tree::Token(number) if self.patterns[*number] == TokenPattern::any())
    }

    fn token(&mut self, pattern: TokenPattern, place: Range<usize>) -> Result<Tree, KwicError> {
        if let Some(known) = self.patterns.iter().position(|it| *it == pattern) {
            return Ok(Tree::Token(known));
        }
        if self.patterns.len() == MAX_TOKEN_PATTERNS {
            let problem = Problem::TooManyPatterns { limit: MAX_TOKEN_PATTERNS };
            return Err(KwicError::new(problem, place));
        }
        self.patterns.push(pattern);
        Ok(Tree::Token(self.patterns.len() - 1))
    }

    /// The next sign that is no white space, which is skipped.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.query[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        rest.trim_start().chars().next()
    }

    fn unexpected(&self, sign: char) -> KwicError {
        KwicError::new(Problem::Unexpected(sign), self.at..self.at + sign.len_utf8())
    }
}

fn only_or(mut all: Vec<Tree>, join: fn(Vec<Tree>) -> Tree) -> Tree {
    match all.pop() {
        Some(only) if all.is_empty() => only,
        Some(last) => {
            all.push(last);
            join(all)
        }
        None => join(all),
    }
}

/// Whether a word is made of these tokens and of nothing else but what joins them.
fn covers(word: &str, spans: &[Range<usize>]) -> bool {
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else { return false };
    let joins = |pair: &[Range<usize>]| {
        let between = &word[pair[0].end..pair[1].start];
        between.chars().all(|sign| is_hyphen(sign) || is_apostrophe(sign))
    };
    first.start == 0 && last.end == word.len() && spans.windows(2).all(joins)
}
