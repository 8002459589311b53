//! SKOS in Turtle and in N-Triples, which is Turtle without its abbreviations.

use super::ImportOptions;
use super::gathered::Gathered;
use super::limits::{MAX_NESTING, MAX_STATEMENT};
use super::rdf::Statements;
use super::turtle_places::Places;
use oxttl::turtle::LowLevelTurtleParser;
use oxttl::{TurtleParser, TurtleSyntaxError};
use std::io::{self, BufRead};

/// Pieces handed to the parser at once if lines are long.
const LONG_PIECE: usize = 64 << 10;

pub(super) fn read(
    mut input: impl BufRead,
    gathered: &mut Gathered,
    options: &ImportOptions,
) -> io::Result<()> {
    let mut reading = Reading {
        parser: TurtleParser::new().low_level(),
        statements: Statements::of(gathered, options),
        places: Places::default(),
        piece: Vec::new(),
    };
    while !reading.has_to_end() {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            reading.parser.end();
            let last = reading.places.line_ends + 1;
            reading.hand_over(last);
            break;
        }
        let n = bytes.len();
        reading.take(bytes);
        input.consume(n);
    }
    reading.statements.finish();
    Ok(())
}

struct Reading<'g> {
    parser: LowLevelTurtleParser,
    statements: Statements<'g>,
    places: Places,
    /// Not yet handed to the parser.
    piece: Vec<u8>,
}

impl Reading<'_> {
    fn take(&mut self, bytes: &[u8]) {
        let mut start = 0;
        for (at, byte) in bytes.iter().enumerate() {
            let between = self.places.step(*byte);
            let long = self.piece.len() + at - start > LONG_PIECE;
            if between && (*byte == b'\n' || long) {
                self.piece.extend_from_slice(&bytes[start..=at]);
                start = at + 1;
                let line = self.places.line_ends + u64::from(*byte != b'\n');
                self.hand_over(line);
                if self.has_to_end() {
                    return;
                }
            }
        }
        self.piece.extend_from_slice(&bytes[start..]);
        self.check_limits();
    }

    fn hand_over(&mut self, line: u64) {
        self.parser.extend_from_slice(&self.piece);
        self.piece.clear();
        self.check_limits();
        while let Some(result) = self.parser.parse_next() {
            match result {
                Ok(triple) => self.statements.add(&triple, line),
                Err(error) => self.report(&error),
            }
            if self.has_to_end() {
                return;
            }
        }
    }

    fn check_limits(&mut self) {
        let line = self.places.line_ends + 1;
        if self.places.depth > MAX_NESTING {
            let message = format!("more than {MAX_NESTING} brackets within each other");
            self.statements.gathered.refuse(line, &message);
        }
        if self.piece.len() > MAX_STATEMENT {
            let message =
                format!("a text or a word that does not end within {MAX_STATEMENT} bytes");
            self.statements.gathered.refuse(line, &message);
        }
    }

    fn report(&mut self, error: &TurtleSyntaxError) {
        let at = error.location().start;
        let message = format!("this is no Turtle: {}", error.message());
        self.statements.gathered.problems.error_at(Some(at.line + 1), Some(at.column + 1), message);
    }

    /// A limit is exceeded, or enough is known about a broken file.
    fn has_to_end(&self) -> bool {
        let gathered = &self.statements.gathered;
        gathered.is_refused() || gathered.problems.enough_errors()
    }
}
