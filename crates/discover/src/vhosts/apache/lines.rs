//! Lines and words of Apache's configuration language.
//!
//! A backslash at the end joins a line with the next, in comments too. A line that begins with `#`
//! is a comment; a `#` further on is an ordinary character. Words are separated by blanks and may be
//! quoted; a quote within a word is an ordinary character. All this as `httpd` 2.4 does it.

/// One line as it is obeyed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Where it begins, from 1.
    pub(crate) number: u32,
    pub(crate) text: String,
}

/// Lines that say something: joined, trimmed, without comments and blank ones.
pub(crate) fn logical_lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut pending: Option<Line> = None;
    for (number, raw) in (1..).zip(text.lines()) {
        let raw = raw.strip_suffix('\r').unwrap_or(raw);
        let (part, goes_on) = match raw.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (raw, false),
        };
        let line = pending.get_or_insert(Line { number, text: String::new() });
        line.text.push_str(part);
        if !goes_on {
            lines.extend(pending.take());
        }
    }
    lines.extend(pending);
    for line in &mut lines {
        line.text = line.text.trim().to_owned();
    }
    lines.retain(|line| !line.text.is_empty() && !line.text.starts_with('#'));
    lines
}

/// Takes the first word off a text.
pub(crate) fn split_word(text: &str) -> (String, &str) {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|c| *c == '"' || *c == '\'');
    let body = &text[quote.map_or(0, char::len_utf8)..];
    let mut word = String::new();
    let mut chars = body.char_indices();
    while let Some((at, c)) = chars.next() {
        let next = body[at + c.len_utf8()..].chars().next();
        if c == '\\' && next.is_some_and(|next| next == '\\' || Some(next) == quote) {
            word.extend(next);
            chars.next();
        } else if quote == Some(c) || quote.is_none() && c.is_whitespace() {
            return (word, body[at + c.len_utf8()..].trim_start());
        } else {
            word.push(c);
        }
    }
    (word, "")
}

/// All words of a text.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (word, after) = split_word(rest);
        words.push(word);
        rest = after;
    }
    words
}

/// A line taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Statement {
    /// `Name arguments`; the name in lower case.
    Directive { name: String, arguments: String },
    /// `<Name arguments>`.
    Open { name: String, arguments: String },
    /// `</Name>`.
    Close { name: String },
}

pub(crate) fn statement(line: &str) -> Statement {
    let (word, rest) = split_word(line);
    let name = word.to_ascii_lowercase();
    let Some(section) = name.strip_prefix('<') else {
        return Statement::Directive { name, arguments: rest.to_owned() };
    };
    if let Some(closed) = section.strip_prefix('/') {
        return Statement::Close { name: closed.trim_end_matches('>').trim().to_owned() };
    }
    let arguments = rest.trim_end().strip_suffix('>').unwrap_or(rest).trim_end();
    Statement::Open {
        name: section.trim_end_matches('>').to_owned(),
        arguments: arguments.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_lines() {
        let text = "A \\\r\n b\n# no \\\nB\n\n  C d  \nE \\";
        let lines = logical_lines(text);
        let lines: Vec<_> = lines.iter().map(|line| (line.number, line.text.as_str())).collect();
        assert_eq!(lines, [(1, "A  b"), (6, "C d"), (7, "E")]);
    }

    #[test]
    fn quoted_words() {
        #[rustfmt::skip]
        let cases = [
            ("a b",               vec!["a", "b"]),
            ("\"a b\" 'c d'",     vec!["a b", "c d"]),
            ("a\"b c\"",          vec!["a\"b", "c\""]),
            (r#""a\"b" c"#,       vec!["a\"b", "c"]),
            (r"back\\slash e\.x", vec![r"back\slash", r"e\.x"]),
            ("\"not ended more",  vec!["not ended more"]),
            ("\"a\"b",            vec!["a", "b"]),
            ("\"\" x",            vec!["", "x"]),
            ("'\\",               vec!["\\"]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn statements() {
        let open = |name: &str, arguments: &str| Statement::Open {
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        };
        assert_eq!(statement("<VirtualHost *:80>"), open("virtualhost", "*:80"));
        assert_eq!(statement("<virtualhost  *:80 [::]:80 >"), open("virtualhost", "*:80 [::]:80"));
        assert_eq!(statement("<Perl>"), open("perl", ""));
        assert_eq!(statement("</IfModule >"), Statement::Close { name: "ifmodule".to_owned() });
    }
}
