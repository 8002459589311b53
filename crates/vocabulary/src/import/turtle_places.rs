//! Where in Turtle a token cannot go on, and how many brackets are open.
//!
//! The parser says where errors stand but not where statements do, and it looks at an unfinished
//! token again with every piece it gets. So the text is handed to it in pieces that end between
//! tokens, line by line; then each statement has its line and every byte is looked at once. The
//! parser also keeps a stack of open brackets, which a hostile file can make as long as itself.

/// Follows a text byte by byte.
#[derive(Debug, Default)]
pub(super) struct Places {
    state: State,
    /// Line ends seen so far.
    pub(super) line_ends: u64,
    /// Brackets open.
    pub(super) depth: usize,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum State {
    #[default]
    Plain,
    /// After a backslash outside strings.
    Escaped,
    Comment,
    Iri,
    /// After one or two quotes at a beginning: what follows decides.
    Opening {
        quote: u8,
        seen: u8,
    },
    /// In a string of one line.
    Short {
        quote: u8,
        escaped: bool,
    },
    /// In a string of three quotes, after so many that may end it.
    Long {
        quote: u8,
        escaped: bool,
        seen: u8,
    },
}

impl Places {
    /// Takes the next byte; whether no token goes on after it.
    pub(super) fn step(&mut self, byte: u8) -> bool {
        self.line_ends += u64::from(byte == b'\n');
        self.state = match (self.state, byte) {
            // A broken string or address ends with its line, as for the parser.
            (State::Comment | State::Iri | State::Escaped | State::Short { .. }, b'\n') => {
                State::Plain
            }
            (State::Comment, _) => State::Comment,
            (State::Iri, b'>') | (State::Escaped, _) => State::Plain,
            (State::Iri, _) => State::Iri,
            (State::Opening { quote, seen: 1 }, it) if it == quote => {
                State::Opening { quote, seen: 2 }
            }
            (State::Opening { quote, .. }, it) if it == quote => {
                State::Long { quote, escaped: false, seen: 0 }
            }
            (State::Opening { quote, seen: 1 }, b'\\') => State::Short { quote, escaped: true },
            (State::Opening { seen: 1, .. }, b'\n') => State::Plain,
            (State::Opening { quote, seen: 1 }, _) => State::Short { quote, escaped: false },
            (State::Opening { .. }, _) => self.plain(byte),
            (State::Short { quote, escaped: true }, _) => State::Short { quote, escaped: false },
            (State::Short { quote, .. }, it) if it == quote => State::Plain,
            (State::Short { quote, .. }, it) => State::Short { quote, escaped: it == b'\\' },
            (State::Long { quote, escaped: true, .. }, _) => {
                State::Long { quote, escaped: false, seen: 0 }
            }
            (State::Long { quote, seen: 2, .. }, it) if it == quote => State::Plain,
            (State::Long { quote, seen, .. }, it) if it == quote => {
                State::Long { quote, escaped: false, seen: seen + 1 }
            }
            (State::Long { quote, .. }, it) => State::Long { quote, escaped: it == b'\\', seen: 0 },
            (State::Plain, _) => self.plain(byte),
        };
        self.state == State::Plain && byte.is_ascii_whitespace()
    }

    fn plain(&mut self, byte: u8) -> State {
        match byte {
            b'#' => State::Comment,
            b'<' => State::Iri,
            b'\\' => State::Escaped,
            b'"' | b'\'' => State::Opening { quote: byte, seen: 1 },
            b'(' | b'[' => {
                self.depth += 1;
                State::Plain
            }
            b')' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                State::Plain
            }
            _ => State::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_between_tokens() {
        #[rustfmt::skip]
        let cases: [(&str, &str, usize); 10] = [
            // text                                  lines that end between tokens    open brackets
            ("a b .\nc d .\n",                       "1 2",     0),
            ("a \"x\ny\n",                           "1 2",     0),
            ("a \"\"\"x\ny\"\"\" .\n",               "2",       0),
            ("a '''x\n''\n' ''' .\nb\n",             "3 4",     0),
            ("a \"x \\\" y\" .\n[ (\n",              "1 2",     2),
            ("a \"((\" , <http://(> , x\\( . # ((\n","1",       0),
            ("a \"\" . (\n",                         "1",       1),
            ("a \"\"\"\\\"\"\"\" .\n)\n",            "1 2",     0),
            ("a <b\n",                               "1",       0),
            ("a \"\"\"\"x\"\"\"\n]\n",               "1 2",     0),
        ];
        for (text, expected, depth) in cases {
            let mut places = Places::default();
            let mut ends = Vec::new();
            for byte in text.bytes() {
                if places.step(byte) && byte == b'\n' {
                    ends.push(places.line_ends.to_string());
                }
            }
            assert_eq!((ends.join(" ").as_str(), places.depth), (expected, depth), "{text:?}");
        }
    }
}
