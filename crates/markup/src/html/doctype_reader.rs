//! The tokenizer, doctypes: §13.2.5.53 to §13.2.5.68.

/// A doctype as it is read.
#[derive(Debug, Default)]
pub(super) struct DoctypeReader {
    pub(super) name: Option<String>,
    pub(super) public_id: Option<String>,
    pub(super) system_id: Option<String>,
    pub(super) force_quirks: bool,
    pub(super) errors: u32,
    pub(super) is_open_at_end: bool,
    /// Where the source goes on.
    pub(super) end: usize,
}

/// Which of the two identifiers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Public,
    System,
}

#[derive(Clone, Copy)]
enum State {
    /// Behind the word `doctype`.
    Start,
    BeforeName,
    Name(usize),
    AfterName,
    AfterKeyword(Which),
    BeforeIdentifier(Which),
    Identifier(Which, u8, usize),
    AfterIdentifier(Which),
    Between,
    /// The rest is passed over.
    Bogus,
}

impl DoctypeReader {
    /// Reads a doctype from behind its first word.
    pub(super) fn read(source: &str, start: usize) -> DoctypeReader {
        let mut doctype = DoctypeReader::default();
        let mut state = State::Start;
        let bytes = source.as_bytes();
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            if byte == b'>' {
                doctype.angle(state, source, at);
                doctype.end = at + 1;
                return doctype;
            }
            (state, at) = doctype.step(state, source, at, byte);
        }
        doctype.end = bytes.len();
        if !matches!(state, State::Bogus) {
            doctype.is_open_at_end = true;
            doctype.force_quirks = true;
            doctype.keep(state, source, bytes.len());
        }
        doctype
    }

    /// The angle bracket that ends a doctype.
    fn angle(&mut self, state: State, source: &str, at: usize) {
        match state {
            State::Start
            | State::BeforeName
            | State::AfterKeyword(_)
            | State::BeforeIdentifier(_)
            | State::Identifier(..) => {
                self.errors += 1;
                self.force_quirks = true;
            }
            State::Name(_)
            | State::AfterName
            | State::AfterIdentifier(_)
            | State::Between
            | State::Bogus => {}
        }
        self.keep(state, source, at);
    }

    /// Keeps the part that ends at `end`.
    fn keep(&mut self, state: State, source: &str, end: usize) {
        let (part, start) = match state {
            State::Name(start) => (&mut self.name, start),
            State::Identifier(Which::Public, _, start) => (&mut self.public_id, start),
            State::Identifier(Which::System, _, start) => (&mut self.system_id, start),
            _ => return,
        };
        let text = &source[start..end];
        self.errors += memchr::memchr_iter(b'\0', text.as_bytes()).count() as u32;
        let text = text.replace('\0', "\u{FFFD}");
        *part = Some(match state {
            State::Name(_) => text.to_ascii_lowercase(),
            _ => text,
        });
    }

    /// Takes in one byte that does not end the doctype; tells where to go on.
    fn step(&mut self, state: State, source: &str, at: usize, byte: u8) -> (State, usize) {
        let is_space = matches!(byte, b'\t' | b'\n' | 0x0C | b' ');
        let next = at + 1;
        match state {
            State::Start if is_space => (State::BeforeName, next),
            State::Start => {
                self.errors += 1;
                (State::BeforeName, at)
            }
            State::BeforeName if is_space => (state, next),
            State::BeforeName => (State::Name(at), next),
            State::Name(_) if is_space => {
                self.keep(state, source, at);
                (State::AfterName, next)
            }
            State::Name(_) => (state, next),
            State::AfterName if is_space => (state, next),
            State::AfterName => {
                let word = source.as_bytes().get(at..at + 6).unwrap_or_default();
                if word.eq_ignore_ascii_case(b"public") {
                    (State::AfterKeyword(Which::Public), at + 6)
                } else if word.eq_ignore_ascii_case(b"system") {
                    (State::AfterKeyword(Which::System), at + 6)
                } else {
                    self.give_up(at)
                }
            }
            State::AfterKeyword(which) if is_space => (State::BeforeIdentifier(which), next),
            State::BeforeIdentifier(_) | State::Between if is_space => (state, next),
            State::AfterIdentifier(Which::Public) if is_space => (State::Between, next),
            State::AfterIdentifier(Which::System) if is_space => (state, next),
            State::AfterKeyword(which) if is_quote(byte) => {
                self.errors += 1;
                (State::Identifier(which, byte, next), next)
            }
            State::BeforeIdentifier(which) if is_quote(byte) => {
                (State::Identifier(which, byte, next), next)
            }
            State::AfterIdentifier(Which::Public) if is_quote(byte) => {
                self.errors += 1;
                (State::Identifier(Which::System, byte, next), next)
            }
            State::Between if is_quote(byte) => {
                (State::Identifier(Which::System, byte, next), next)
            }
            State::Identifier(which, quote, _) if byte == quote => {
                self.keep(state, source, at);
                (State::AfterIdentifier(which), next)
            }
            State::Identifier(..) => (state, next),
            // Something else behind both identifiers does no harm.
            State::AfterIdentifier(Which::System) => {
                self.errors += 1;
                (State::Bogus, at)
            }
            State::AfterKeyword(_)
            | State::BeforeIdentifier(_)
            | State::AfterIdentifier(Which::Public)
            | State::Between => self.give_up(at),
            State::Bogus => {
                self.errors += u32::from(byte == 0);
                (state, next)
            }
        }
    }

    fn give_up(&mut self, at: usize) -> (State, usize) {
        self.errors += 1;
        self.force_quirks = true;
        (State::Bogus, at)
    }
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}
