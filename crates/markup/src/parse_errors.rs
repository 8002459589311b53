//! Counts what a page does wrong, by kind.
//!
//! html5ever tells each parse error in words and often not which token it met. The kinds here are
//! few and fixed, so that pages can be compared: texts are mapped by what they begin with, and
//! "unexpected token" by the token under way, which [`ParseErrors`] is told beforehand.

use html5ever::tokenizer::{TagKind, Token};
use std::cell::Cell;

/// What is wrong in one place of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(usize)]
pub enum ParseError {
    MissingDoctype,
    /// One that no standard has.
    BadDoctype,
    MisplacedDoctype,
    /// A start tag where it may not stand.
    UnexpectedStartTag,
    /// An end tag for which nothing is open.
    UnmatchedEndTag,
    /// Elements that overlap, or contain what they must not.
    Misnested,
    /// Text where only tags may stand, as between the rows of a table.
    MisplacedText,
    /// `<p/>`, which does not close itself.
    SelfClosing,
    BadTag,
    BadAttribute,
    DuplicateAttribute,
    BadComment,
    BadCharacterReference,
    /// A control character, or one that does not exist.
    BadCharacter,
    /// The page ends inside an element, a tag or a comment.
    OpenAtEnd,
    Other,
}

impl ParseError {
    #[rustfmt::skip]
    pub const ALL: [ParseError; 16] = [
        ParseError::MissingDoctype, ParseError::BadDoctype, ParseError::MisplacedDoctype,
        ParseError::UnexpectedStartTag, ParseError::UnmatchedEndTag, ParseError::Misnested,
        ParseError::MisplacedText, ParseError::SelfClosing, ParseError::BadTag,
        ParseError::BadAttribute, ParseError::DuplicateAttribute, ParseError::BadComment,
        ParseError::BadCharacterReference, ParseError::BadCharacter, ParseError::OpenAtEnd,
        ParseError::Other,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            ParseError::MissingDoctype => "missing-doctype",
            ParseError::BadDoctype => "bad-doctype",
            ParseError::MisplacedDoctype => "misplaced-doctype",
            ParseError::UnexpectedStartTag => "unexpected-start-tag",
            ParseError::UnmatchedEndTag => "unmatched-end-tag",
            ParseError::Misnested => "misnested",
            ParseError::MisplacedText => "misplaced-text",
            ParseError::SelfClosing => "self-closing",
            ParseError::BadTag => "bad-tag",
            ParseError::BadAttribute => "bad-attribute",
            ParseError::DuplicateAttribute => "duplicate-attribute",
            ParseError::BadComment => "bad-comment",
            ParseError::BadCharacterReference => "bad-character-reference",
            ParseError::BadCharacter => "bad-character",
            ParseError::OpenAtEnd => "open-at-end",
            ParseError::Other => "other",
        }
    }
}

/// The counts while a page is parsed.
#[derive(Debug)]
pub(crate) struct ParseErrors {
    counts: [Cell<u32>; ParseError::ALL.len()],
    /// What an unexpected token is at present; none if the tokenizer has told it already.
    unexpected: Cell<Option<ParseError>>,
    /// Whether the tree builder has seen anything but a doctype, comments and white space.
    begun: Cell<bool>,
}

impl Default for ParseErrors {
    fn default() -> ParseErrors {
        ParseErrors {
            counts: std::array::from_fn(|_| Cell::new(0)),
            unexpected: Cell::new(None),
            begun: Cell::new(false),
        }
    }
}

impl ParseErrors {
    /// Notes which token the tree builder sees next.
    pub(crate) fn expect(&self, token: &Token) {
        self.unexpected.set(match token {
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => {
                Some(ParseError::UnmatchedEndTag)
            }
            Token::TagToken(_) => Some(ParseError::UnexpectedStartTag),
            Token::CharacterTokens(_) => Some(ParseError::MisplacedText),
            Token::NullCharacterToken => None,
            Token::EOFToken => Some(ParseError::OpenAtEnd),
            Token::DoctypeToken(_) => {
                self.begun.set(true);
                Some(ParseError::MisplacedDoctype)
            }
            Token::CommentToken(_) | Token::ParseError(_) => Some(ParseError::Other),
        });
    }

    /// Counts an error the parser tells.
    pub(crate) fn told(&self, text: &str) {
        let error = match kind(text) {
            Some(error) => Some(error),
            // The first thing the tree builder does not expect is whatever comes without a doctype.
            None if !self.begun.replace(true) => Some(ParseError::MissingDoctype),
            None => self.unexpected.get(),
        };
        let Some(error) = error else { return };
        let count = &self.counts[error as usize];
        count.set(count.get().saturating_add(1));
    }

    /// Takes back the error for the XML declaration of an XHTML page, which is as it should be.
    pub(crate) fn forgive_xml_declaration(&self) {
        let count = &self.counts[ParseError::BadTag as usize];
        count.set(count.get().saturating_sub(1));
    }

    /// The kinds that occurred. A doctype that our table knows is no error, though the present
    /// standard would have it replaced.
    pub(crate) fn counted(&self, doctype_known: bool) -> Vec<(ParseError, u32)> {
        ParseError::ALL
            .into_iter()
            .filter(|error| !(doctype_known && *error == ParseError::BadDoctype))
            .map(|error| (error, self.counts[error as usize].get()))
            .filter(|(_, count)| *count > 0)
            .collect()
    }
}

/// The kind of a text of the parser; `None` if it only says that a token is unexpected.
fn kind(text: &str) -> Option<ParseError> {
    if text == "Unexpected token" {
        return None;
    }
    #[rustfmt::skip]
    let texts: &[(&str, ParseError)] = &[
        ("Saw EOF",                                  ParseError::OpenAtEnd),
        ("Bad DOCTYPE",                              ParseError::BadDoctype),
        ("DOCTYPE in",                               ParseError::MisplacedDoctype),
        ("Duplicate attribute",                      ParseError::DuplicateAttribute),
        ("Attributes on an end tag",                 ParseError::BadTag),
        ("Self-closing end tag",                     ParseError::BadTag),
        ("Unacknowledged self-closing tag",          ParseError::SelfClosing),
        ("Semicolon missing",                        ParseError::BadCharacterReference),
        ("Numeric character reference",              ParseError::BadCharacterReference),
        ("Invalid numeric character reference",      ParseError::BadCharacterReference),
        ("Invalid character reference",              ParseError::BadCharacterReference),
        ("Character reference",                      ParseError::BadCharacterReference),
        ("EOF in numeric",                           ParseError::BadCharacterReference),
        ("EOF after '#'",                            ParseError::BadCharacterReference),
        ("Bad character",                            ParseError::BadCharacter),
        ("No ",                                      ParseError::UnmatchedEndTag),
        ("</",                                       ParseError::UnmatchedEndTag),
        ("Null form element pointer",                ParseError::UnmatchedEndTag),
        ("Form element not in scope",                ParseError::UnmatchedEndTag),
        ("Formatting element not open",              ParseError::UnmatchedEndTag),
        ("Formatting element not in scope",          ParseError::UnmatchedEndTag),
        ("Unexpected open tag at end of body",       ParseError::OpenAtEnd),
        ("Unexpected characters in table",           ParseError::MisplacedText),
        ("Non-space table text",                     ParseError::MisplacedText),
        ("Formatting element not current node",      ParseError::Misnested),
        ("Unexpected open element",                  ParseError::Misnested),
        ("Closing wrong heading tag",                ParseError::Misnested),
        ("Found special tag",                        ParseError::UnmatchedEndTag),
        ("Bad open element",                         ParseError::Misnested),
        ("expected to close",                        ParseError::Misnested),
        ("nested ",                                  ParseError::Misnested),
        ("Nested ",                                  ParseError::Misnested),
        ("hr in option",                             ParseError::Misnested),
    ];
    if let Some((_, error)) = texts.iter().find(|(start, _)| text.starts_with(start)) {
        return Some(*error);
    }
    let state = text.rsplit_once(" in state ").map_or("", |(_, state)| state);
    Some(if state.contains("Attribute") {
        ParseError::BadAttribute
    } else if state.contains("Comment") || state.contains("MarkupDeclaration") {
        ParseError::BadComment
    } else if state.contains("Doctype") {
        ParseError::BadDoctype
    } else if state.contains("Tag") {
        ParseError::BadTag
    } else if state.is_empty() {
        ParseError::Other
    } else {
        ParseError::BadCharacter
    })
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn kinds() {
        #[rustfmt::skip]
        let cases = [
            ("<!DOCTYPE html><html lang=de><head><title>t</title><meta charset=utf-8></head><body><h1>a</h1><p>b<p>c<br/><ul><li>d<li>e</ul><table><tr><td>f</table><form action=x><p>g</form></body></html>", ""),
            ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN' 'http://www.w3.org/TR/html4/loose.dtd'><title>t</title><center><font size=1>a</font></center>", ""),
            ("<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01 Frameset//EN'><html><head><title>t</title></head><frameset cols='1,*'><frame src=a><noframes><p>x</noframes></frameset></html>", ""),
            ("<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd'><html xmlns='http://www.w3.org/1999/xhtml'><head><title>t</title></head><body><p>a<br /><img src='x' alt='' /></p></body></html>", ""),
            ("<p>a",                                       "missing-doctype 1"),
            ("",                                           "missing-doctype 1"),
            ("text",                                       "missing-doctype 1"),
            ("<!-- c --> <html><p>a",                      "missing-doctype 1"),
            ("<!DOCTYPE html PUBLIC 'x'><p>a",             "bad-doctype 1"),
            ("<!DOCTYPE html><p>a<!DOCTYPE html>",         "misplaced-doctype 1"),
            ("<!DOCTYPE html><p>a</div></b></p></p>",      "unmatched-end-tag 3"),
            ("<!DOCTYPE html><p><b>a<i>b</b>c</i>",        "misnested 1"),
            ("<!DOCTYPE html><tr><td>a",                   "unexpected-start-tag 2"),
            ("<!DOCTYPE html><table>a<tr><td>b</table>",   "misplaced-text 1"),
            ("<!DOCTYPE html><p/>a",                       "self-closing 1"),
            ("<!DOCTYPE html><p a=1 a=2>b",                "duplicate-attribute 1"),
            ("<!DOCTYPE html><p a=\"1\"b=2>b",             "bad-attribute 1"),
            ("<!DOCTYPE html><p a=>b",                     "bad-attribute 1"),
            ("<!DOCTYPE html><p>1 < 2",                    "bad-tag 1"),
            ("<!DOCTYPE html><p>&auml &#150; &foo;",       "bad-character-reference 3"),
            ("<!DOCTYPE html><p><!a>b",                    "bad-comment 1"),
            ("<!DOCTYPE html><p>a\0b",                     "bad-character 1"),
            ("<!DOCTYPE html><div>a",                      "open-at-end 1"),
            ("<!DOCTYPE html><p a='",                      "open-at-end 1"),
        ];
        for (html, expected) in cases {
            let page = parse(html.as_bytes(), None);
            let errors = page.parse_errors().iter();
            let told: Vec<String> =
                errors.map(|(error, count)| format!("{} {count}", error.as_str())).collect();
            assert_eq!(told.join(", "), expected, "{html}");
        }
    }
}
