//! What a statement of a stranger may be: exactly one, and one that reads.

use super::{AskError, MAX_STATEMENT};

const READING: [&str; 4] = ["SELECT", "WITH", "VALUES", "EXPLAIN"];
/// Functions of this name are pragmas, which name files of this machine; any quotation can name a table.
const PRAGMA: &str = "pragma_";

pub(super) fn check(sql: &str) -> Result<(), AskError> {
    if sql.len() > MAX_STATEMENT {
        return Err(AskError::Long);
    }
    let mut first: Option<&str> = None;
    let mut is_ended = false;
    let mut rest = sql;
    while let Some((token, after)) = next(rest)? {
        rest = after;
        match token {
            Token::Space => continue,
            Token::End => {
                is_ended |= first.is_some();
                continue;
            }
            _ if is_ended => return Err(AskError::Several),
            Token::Word(word) => {
                first.get_or_insert(word);
                forbid_pragma(word)?;
            }
            Token::Quoted(text) => {
                first.get_or_insert(text);
                forbid_pragma(text)?;
            }
            Token::Sign(sign) => {
                first.get_or_insert(sign);
            }
        }
    }
    match first {
        None => Err(AskError::Empty),
        Some(word) if READING.iter().any(|known| known.eq_ignore_ascii_case(word)) => Ok(()),
        Some(word) => Err(AskError::NotReading { word: word.chars().take(20).collect() }),
    }
}

fn forbid_pragma(name: &str) -> Result<(), AskError> {
    let beginning = name.get(..PRAGMA.len()).unwrap_or_default();
    match beginning.eq_ignore_ascii_case(PRAGMA) {
        true => Err(AskError::Forbidden { word: name.chars().take(40).collect() }),
        false => Ok(()),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Token<'a> {
    /// White space and comments.
    Space,
    /// A semicolon.
    End,
    Word(&'a str),
    /// What is within quotation marks of any kind.
    Quoted(&'a str),
    Sign(&'a str),
}

/// The next token and what is behind it, as both engines part them.
fn next(sql: &str) -> Result<Option<(Token<'_>, &str)>, AskError> {
    let Some(letter) = sql.chars().next() else { return Ok(None) };
    let split = |length: usize| sql.split_at(length);
    let (token, rest) = match letter {
        // SQLite would not see what is behind it, PostgreSQL cannot be sent it.
        '\0' => return Err(AskError::Unended),
        letter if letter.is_whitespace() => (Token::Space, &sql[letter.len_utf8()..]),
        '-' if sql.starts_with("--") => {
            (Token::Space, sql.split_once('\n').map_or("", |(_, rest)| rest))
        }
        '/' if sql.starts_with("/*") => {
            let (_, rest) = sql[2..].split_once("*/").ok_or(AskError::Unended)?;
            (Token::Space, rest)
        }
        ';' => (Token::End, &sql[1..]),
        '\'' | '"' | '`' => quoted(sql, letter)?,
        '[' => quoted(sql, ']')?,
        letter if is_of_word(letter) => {
            let (word, rest) = split(sql.find(|c| !is_of_word(c)).unwrap_or(sql.len()));
            (Token::Word(word), rest)
        }
        letter => {
            let (sign, rest) = split(letter.len_utf8());
            (Token::Sign(sign), rest)
        }
    };
    Ok(Some((token, rest)))
}

/// A quotation; a mark in it is doubled, which here makes two quotations side by side.
fn quoted(sql: &str, end: char) -> Result<(Token<'_>, &str), AskError> {
    let (text, rest) = sql[1..].split_once(end).ok_or(AskError::Unended)?;
    Ok((Token::Quoted(text), rest))
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$' || !letter.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_statement_that_reads() {
        #[rustfmt::skip]
        let good = [
            "SELECT 1", " select 1 ; ", "-- x; y\nSELECT 1;;", "/* ; */ WITH a AS (SELECT 1) SELECT * FROM a",
            "VALUES (1)", "EXPLAIN QUERY PLAN SELECT 1", "SELECT ';', \"a;b\", [c;d], `e;f`", "SELECT 'it''s; fine'",
            "SELECT 1 -- ; end", "SELECT x FROM a WHERE b LIKE '%pragma%'",
        ];
        for sql in good {
            assert!(check(sql).is_ok(), "{sql}: {:?}", check(sql));
        }
        #[rustfmt::skip]
        let bad = [
            ("",                                       "there is no statement"),
            (" -- only a comment",                     "there is no statement"),
            ("DELETE FROM request",                    "begins with"),
            ("PRAGMA query_only = 0",                  "begins with"),
            ("ATTACH 'x' AS y",                        "begins with"),
            ("(SELECT 1)",                             "begins with"),
            ("SELECT 1; DELETE FROM request",          "one statement"),
            ("SELECT 1; SELECT 2",                     "one statement"),
            ("SELECT ''; ATTACH 'x' AS y; --'",        "one statement"),
            ("SELECT 'open",                           "no end"),
            ("SELECT 1 /* open",                       "no end"),
            ("SELECT 1\0; DELETE FROM request",        "no end"),
            ("SELECT * FROM pragma_database_list",     "cannot be used"),
            ("SELECT * FROM 'Pragma_database_list'",   "cannot be used"),
            ("SELECT * FROM \"pragma_database_list\"", "cannot be used"),
            ("SELECT * FROM [pragma_database_list]",   "cannot be used"),
        ];
        for (sql, words) in bad {
            let error = check(sql).expect_err(sql).to_string();
            assert!(error.contains(words), "{sql}: {error}");
        }
        assert!(matches!(check(&"x".repeat(MAX_STATEMENT + 1)), Err(AskError::Long)));
    }

    proptest! {
        #[test]
        fn any_text_is_parted(text in "\\PC{0,80}") {
            let _ = check(&text);
        }

        /// Nothing behind a semicolon gets through, whatever stands around it.
        #[test]
        fn a_second_statement_is_seen(inner in "[ a-z0-9,()]{0,20}") {
            let sql = format!("SELECT {inner};{inner} DELETE FROM request");
            prop_assert!(check(&sql).is_err());
        }
    }
}
