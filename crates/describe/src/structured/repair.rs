//! Mends JSON that templates wrote by gluing strings together.
//!
//! One pass, each mistake mended where it is seen: comments and stray semicolons are dropped, so
//! are commas before a closing bracket; missing commas are put in; raw line feeds in strings are
//! escaped, so are quotation marks that cannot be the end of a string, and backslashes that escape
//! nothing; what is still open at the end is closed. Correct JSON comes out with the same meaning.

/// A script without the comment or CDATA marks around it that hide it from old browsers.
pub(crate) fn unwrapped(script: &str) -> &str {
    const BEFORE: [&str; 6] = ["<!--", "<![CDATA[", "//", "/*", "*/", "\u{feff}"];
    const AFTER: [&str; 6] = ["-->", "]]>", "//", "/*", "*/", ";"];
    let mut text = script.trim();
    while let Some(rest) = BEFORE.iter().find_map(|mark| text.strip_prefix(mark)) {
        text = rest.trim_start();
    }
    while let Some(rest) = AFTER.iter().find_map(|mark| text.strip_suffix(mark)) {
        text = rest.trim_end();
    }
    text
}

pub(crate) fn repaired(text: &str) -> String {
    let mut mending = Mending {
        rest: text,
        done: String::with_capacity(text.len() + 16),
        open: Vec::new(),
        braces: 0,
        brackets: 0,
    };
    while let Some(next) = mending.rest.chars().next() {
        mending.token(next);
    }
    mending.close_all();
    mending.done
}

struct Mending<'a> {
    rest: &'a str,
    done: String,
    /// The closing brackets that are still to come, the nearest last.
    open: Vec<char>,
    /// How many of each are among them, so that stray brackets cost no search.
    braces: usize,
    brackets: usize,
}

impl Mending<'_> {
    fn token(&mut self, next: char) {
        match next {
            '"' => {
                self.before_value();
                self.string();
            }
            '{' | '[' => {
                self.before_value();
                self.take(1);
                self.done.push(next);
                self.open(if next == '{' { '}' } else { ']' });
            }
            '}' | ']' => {
                self.take(1);
                self.close(next);
            }
            ':' => {
                self.take(1);
                self.done.push(':');
            }
            '/' => self.comment(),
            letter if letter.is_ascii_alphanumeric() || letter == '-' => {
                self.before_value();
                self.word();
            }
            other => self.take(other.len_utf8()),
        }
    }

    fn take(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    /// Writes the comma that must stand between two values; those of the text are not copied.
    fn before_value(&mut self) {
        let after_value = !self.done.is_empty() && !self.done.ends_with(['{', '[', ':', ',']);
        if after_value {
            self.done.push(if self.open.is_empty() { '\n' } else { ',' });
        }
    }

    fn close(&mut self, bracket: char) {
        // A bracket nobody opened is dropped; one that was forgotten is closed along the way.
        if self.awaited(bracket) > 0 {
            while let Some(expected) = self.open.pop() {
                self.end_container(expected);
                if expected == bracket {
                    break;
                }
            }
        }
    }

    fn open(&mut self, closing: char) {
        self.open.push(closing);
        *self.count(closing) += 1;
    }

    fn awaited(&mut self, closing: char) -> usize {
        *self.count(closing)
    }

    fn count(&mut self, closing: char) -> &mut usize {
        if closing == '}' { &mut self.braces } else { &mut self.brackets }
    }

    fn end_container(&mut self, bracket: char) {
        *self.count(bracket) -= 1;
        if self.done.ends_with(':') {
            self.done.push_str("null");
        }
        self.done.push(bracket);
    }

    fn close_all(&mut self) {
        while let Some(bracket) = self.open.pop() {
            self.end_container(bracket);
        }
    }

    fn comment(&mut self) {
        let end = if self.rest.starts_with("//") {
            self.rest.find('\n')
        } else if self.rest.starts_with("/*") {
            self.rest.find("*/").map(|at| at + 2)
        } else {
            Some(1)
        };
        self.take(end.unwrap_or(self.rest.len()));
    }

    /// A number, `true`, `null` or anything else unquoted; what JSON does not know becomes a string.
    fn word(&mut self) {
        let ends = |letter: char| {
            matches!(letter, ',' | ':' | '}' | ']' | '{' | '[' | '"' | ';')
                || letter.is_whitespace()
        };
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        if serde_json::from_str::<serde_json::Value>(word).is_ok() {
            self.done.push_str(word);
        } else {
            self.done.push('"');
            self.done
                .extend(word.chars().filter(|letter| !matches!(letter, '\\' | '\u{0}'..='\u{1f}')));
            self.done.push('"');
        }
        self.take(end);
    }

    fn string(&mut self) {
        self.done.push('"');
        self.take(1);
        let mut letters = self.rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' if ends_string(&self.rest[at + 1..]) => {
                    self.done.push('"');
                    self.take(at + 1);
                    return;
                }
                '"' => self.done.push_str("\\\""),
                '\\' => {
                    let after = &self.rest[at + 1..];
                    if is_escape(after) {
                        self.done.push('\\');
                        self.done.extend(letters.next().map(|(_, escaped)| escaped));
                    } else if !after.starts_with('\'') {
                        self.done.push_str("\\\\");
                    }
                }
                '\u{0}'..='\u{1f}' => self.done.push(' '),
                _ => self.done.push(letter),
            }
        }
        self.done.push('"');
        self.rest = "";
    }
}

fn is_escape(after: &str) -> bool {
    let bytes = after.as_bytes();
    match bytes.first() {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
        Some(b'u') => bytes.len() >= 5 && bytes[1..5].iter().all(u8::is_ascii_hexdigit),
        _ => false,
    }
}

/// Whether a quotation mark with this behind it ends its string: what may follow a string does.
fn ends_string(after: &str) -> bool {
    let after = after.trim_start();
    match after.chars().next() {
        None | Some(':' | '}' | ']' | '/' | ';') => true,
        // After a comma within an object or list comes another string, container or number; after
        // one within a sentence comes a word.
        Some(',') => {
            after[1..].trim_start().starts_with(|next: char| {
                matches!(next, '"' | '{' | '[' | '}' | ']' | '-' | '/') || next.is_ascii_digit()
            }) || ["true", "false", "null"]
                .iter()
                .any(|word| after[1..].trim_start().starts_with(word))
        }
        // Two strings in a row: a comma was forgotten.
        Some('"') => true,
        Some(_) => false,
    }
}
