//! Cuts what [`super::Analyzer`] prepared: each word behind [`WORD`], each further statement behind [`STATEMENT`].

use crate::schema::STRIDE;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Stands before each word. Control characters are no parts of words.
pub(crate) const WORD: char = '\u{1f}';

/// Stands between statements: what follows lies at the next multiple of [`STRIDE`].
pub(crate) const STATEMENT: char = '\u{1e}';

#[derive(Debug, Clone, Default)]
pub(crate) struct PreparedTokenizer {
    token: Token,
}

impl Tokenizer for PreparedTokenizer {
    type TokenStream<'a> = PreparedWords<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> PreparedWords<'a> {
        self.token.reset();
        PreparedWords { rest: text, token: &mut self.token, base: 0, next: 0 }
    }
}

#[derive(Debug)]
pub(crate) struct PreparedWords<'a> {
    rest: &'a str,
    token: &'a mut Token,
    /// Where the statement begins.
    base: usize,
    next: usize,
}

impl TokenStream for PreparedWords<'_> {
    fn advance(&mut self) -> bool {
        loop {
            let mut letters = self.rest.chars();
            match letters.next() {
                None => return false,
                Some(STATEMENT) => {
                    self.base += STRIDE as usize;
                    self.next = 0;
                    self.rest = letters.as_str();
                }
                Some(_) => {
                    let rest = letters.as_str();
                    let is_end = |byte: &u8| *byte == WORD as u8 || *byte == STATEMENT as u8;
                    let end = rest.bytes().position(|byte| is_end(&byte)).unwrap_or(rest.len());
                    self.token.position = self.base + self.next;
                    self.next += 1;
                    self.rest = &rest[end..];
                    // Nothing has a place, too.
                    if end > 0 {
                        self.token.text.clear();
                        self.token.text.push_str(&rest[..end]);
                        return true;
                    }
                }
            }
        }
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_say_the_statement() {
        let mut tokenizer = PreparedTokenizer::default();
        let mut stream =
            tokenizer.token_stream("\u{1f}a\u{1f}\u{1f}b\u{1e}\u{1f}c\u{1e}\u{1e}\u{1f}d");
        let mut found = Vec::new();
        while stream.advance() {
            found.push((stream.token().text.clone(), stream.token().position));
        }
        let stride = STRIDE as usize;
        let expected = [("a", 0), ("b", 2), ("c", stride), ("d", 3 * stride)];
        assert_eq!(found, expected.map(|(word, at)| (word.to_owned(), at)));
    }
}
