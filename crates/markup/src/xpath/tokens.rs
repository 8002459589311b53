//! Cuts the text of an expression into tokens, by section 3.7 of the XPath 1.0 standard.
//!
//! The standard's special rule is applied here: after something that can be an operand, `*` is a
//! multiplication and `and`, `or`, `div`, `mod` are operators; elsewhere they are names.

use super::XPathError;
use std::ops::Range;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Slash,
    DoubleSlash,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    At,
    Comma,
    DoubleColon,
    Dot,
    DoubleDot,
    Pipe,
    Plus,
    Minus,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Multiply,
    And,
    Or,
    Div,
    Mod,
    Star,
    Name(String),
    /// `prefix:local`
    Prefixed(String, String),
    /// `prefix:*`
    PrefixedStar(String),
    Variable(String),
    Literal(String),
    Number(f64),
    End,
}

/// A token, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) range: Range<usize>,
}

/// All tokens; the last is [`Token::End`].
pub(super) fn tokens(source: &str) -> Result<Vec<Placed>, XPathError> {
    let mut tokens: Vec<Placed> = Vec::new();
    let mut at = 0;
    loop {
        at += source[at..].len() - source[at..].trim_start_matches(is_white).len();
        let after_operand = tokens.last().is_some_and(|last| ends_operand(&last.token));
        let (token, length) = next(source, at, after_operand)?;
        let ended = token == Token::End;
        tokens.push(Placed { token, range: at..at + length });
        at += length;
        if ended {
            return Ok(tokens);
        }
    }
}

/// White space, as XPath and XML know it.
pub(super) fn is_white(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Whether a name consists of characters that an expression can hold as a name.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && name_length(text) == text.len()
}

fn ends_operand(token: &Token) -> bool {
    use Token::*;
    matches!(
        token,
        Close
            | CloseBracket
            | Dot
            | DoubleDot
            | Star
            | Name(_)
            | Prefixed(..)
            | PrefixedStar(_)
            | Variable(_)
            | Literal(_)
            | Number(_)
    )
}

fn next(source: &str, at: usize, after_operand: bool) -> Result<(Token, usize), XPathError> {
    let rest = &source[at..];
    let Some(first) = rest.chars().next() else { return Ok((Token::End, 0)) };
    match first {
        '"' | '\'' => return literal(rest, first, at),
        '$' => return variable(rest, at),
        _ => {}
    }
    if let Some(number) = number(rest) {
        return Ok(number);
    }
    if let Some(sign) = sign(rest, after_operand) {
        return Ok(sign);
    }
    match name_length(rest) {
        0 => Err(XPathError::new(at, format!("the character `{first}` has no meaning here"))),
        _ if after_operand => Ok(operator_or_name(rest)),
        _ => Ok(qualified(rest)),
    }
}

fn literal(rest: &str, quote: char, at: usize) -> Result<(Token, usize), XPathError> {
    match rest[1..].find(quote) {
        Some(end) => Ok((Token::Literal(rest[1..1 + end].to_owned()), end + 2)),
        None => {
            Err(XPathError::new(at, format!("the text that begins here has no closing {quote}")))
        }
    }
}

fn variable(rest: &str, at: usize) -> Result<(Token, usize), XPathError> {
    let (name, length) = qualified(&rest[1..]);
    let name = match name {
        Token::Name(name) => name,
        Token::Prefixed(prefix, local) => format!("{prefix}:{local}"),
        _ => return Err(XPathError::new(at + 1, "expected the name of a variable".to_owned())),
    };
    Ok((Token::Variable(name), length + 1))
}

fn number(rest: &str) -> Option<(Token, usize)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(rest);
    let fraction = match rest[whole..].strip_prefix('.') {
        Some(after) => 1 + digits(after),
        None => 0,
    };
    let length = whole + fraction;
    // A point on its own is the context node, two are its parent.
    if whole == 0 && fraction < 2 {
        return None;
    }
    let value = rest[..length].parse().unwrap_or(f64::NAN);
    Some((Token::Number(value), length))
}

fn sign(rest: &str, after_operand: bool) -> Option<(Token, usize)> {
    let star = if after_operand { Token::Multiply } else { Token::Star };
    let signs = [
        ("//", Token::DoubleSlash),
        ("/", Token::Slash),
        ("(", Token::Open),
        (")", Token::Close),
        ("[", Token::OpenBracket),
        ("]", Token::CloseBracket),
        ("@", Token::At),
        (",", Token::Comma),
        ("::", Token::DoubleColon),
        ("..", Token::DoubleDot),
        (".", Token::Dot),
        ("|", Token::Pipe),
        ("+", Token::Plus),
        ("-", Token::Minus),
        ("=", Token::Equal),
        ("!=", Token::Unequal),
        ("<=", Token::AtMost),
        ("<", Token::Less),
        (">=", Token::AtLeast),
        (">", Token::Greater),
        ("*", star),
    ];
    let found = signs.into_iter().find(|(text, _)| rest.starts_with(text));
    found.map(|(text, token)| (token, text.len()))
}

fn operator_or_name(rest: &str) -> (Token, usize) {
    let length = name_length(rest);
    let token = match &rest[..length] {
        "and" => Token::And,
        "or" => Token::Or,
        "div" => Token::Div,
        "mod" => Token::Mod,
        _ => return qualified(rest),
    };
    (token, length)
}

/// A name, with its prefix if it has one. Yields an empty name where there is none.
fn qualified(rest: &str) -> (Token, usize) {
    let length = name_length(rest);
    let name = rest[..length].to_owned();
    if name.is_empty() {
        return (Token::End, 0);
    }
    let Some(after) = rest[length..].strip_prefix(':') else { return (Token::Name(name), length) };
    if after.starts_with('*') {
        return (Token::PrefixedStar(name), length + 2);
    }
    match name_length(after) {
        0 => (Token::Name(name), length),
        more => (Token::Prefixed(name, after[..more].to_owned()), length + 1 + more),
    }
}

fn name_length(text: &str) -> usize {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if first.is_alphabetic() || first == '_' => {}
        _ => return 0,
    }
    text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\u{b7}')))
        .unwrap_or(text.len())
}
