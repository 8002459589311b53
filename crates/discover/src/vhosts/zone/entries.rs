//! Entries of a master file (RFC 1035, section 5): words, parentheses, comments.

/// One record or directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Where it begins, from 1.
    pub(crate) line: u32,
    /// It begins with a blank: its owner is that of the record before.
    pub(crate) same_owner: bool,
    pub(crate) words: Vec<String>,
}

/// All entries that hold a word. Parentheses let an entry go on over line ends; a semicolon begins
/// a comment; quotes hold words together, but not lines: one that is left open costs its own line. A
/// backslash stays where it is, with what it protects.
pub(crate) fn entries(text: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut entry = new_entry(1, text);
    let (mut line, mut depth) = (1, 0usize);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\n' => {
                line += 1;
                if depth == 0 {
                    let next = new_entry(line, &rest[1..]);
                    entries.push(std::mem::replace(&mut entry, next));
                }
                1
            }
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '(' => {
                depth += 1;
                1
            }
            ')' => {
                depth = depth.saturating_sub(1);
                1
            }
            '"' => {
                let end = quote_end(rest);
                entry.words.push(rest[1..end].to_owned());
                end + usize::from(rest[end..].starts_with('"'))
            }
            c if c.is_whitespace() => c.len_utf8(),
            _ => {
                let end = word_end(rest);
                entry.words.push(rest[..end].to_owned());
                end
            }
        };
        rest = &rest[length..];
    }
    entries.push(entry);
    entries.retain(|entry| !entry.words.is_empty());
    entries
}

fn new_entry(line: u32, text: &str) -> Entry {
    Entry { line, same_owner: text.starts_with([' ', '\t']), words: Vec::new() }
}

/// Where the closing quote stands; at the end of the line if there is none.
fn quote_end(text: &str) -> usize {
    let mut escaped = false;
    let end = text[1..].find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends || c == '\n'
    });
    end.map_or(text.len(), |end| end + 1)
}

fn word_end(text: &str) -> usize {
    let mut escaped = false;
    let end = text.find(|c: char| {
        let ends = !escaped && (c.is_whitespace() || matches!(c, ';' | '(' | ')' | '"'));
        escaped = c == '\\' && !escaped;
        ends || c == '\n'
    });
    end.unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts() {
        let text = "@ IN SOA ns root ( 1 ; serial\n 2 )\n\tA 192.0.2.1\n; only a comment\n\
                    a TXT \"x ; y\" z\\;b\n";
        let entries = entries(text);
        let shown: Vec<_> =
            entries.iter().map(|e| (e.line, e.same_owner, e.words.join("|"))).collect();
        let expected = [
            (1, false, "@|IN|SOA|ns|root|1|2".to_owned()),
            (3, true, "A|192.0.2.1".to_owned()),
            (5, false, "a|TXT|x ; y|z\\;b".to_owned()),
        ];
        assert_eq!(shown, expected);
    }

    proptest! {
        #[test]
        fn any_text(text in "[()\";\\\\\n\t a-cü$@.]{0,80}") {
            entries(&text);
        }
    }
}
