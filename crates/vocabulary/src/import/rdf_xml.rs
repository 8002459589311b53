//! SKOS in RDF/XML.

use super::ImportOptions;
use super::gathered::Gathered;
use super::rdf::Statements;
use super::xml_guard::{Guarded, LineEnds};
use oxrdfxml::{RdfXmlParseError, RdfXmlParser};
use std::io::{self, BufRead};

pub(super) fn read(
    input: impl BufRead,
    gathered: &mut Gathered,
    options: &ImportOptions,
) -> io::Result<()> {
    let line_ends = LineEnds::default();
    let mut parser = RdfXmlParser::new().for_reader(Guarded::new(input, line_ends.clone()));
    let mut statements = Statements::of(gathered, options);
    while let Some(result) = parser.next() {
        let line = line_ends.line_at(parser.buffer_position());
        match result {
            Ok(triple) => statements.add(&triple, line),
            Err(RdfXmlParseError::Syntax(error)) => {
                let message = format!("this is no RDF/XML: {error}");
                statements.gathered.problems.error(Some(line), message);
                break;
            }
            Err(RdfXmlParseError::Io(error)) => match line_ends.refusal() {
                Some((line, why)) => statements.gathered.refuse(line, &why),
                None => return Err(error),
            },
        }
        if statements.gathered.is_refused() {
            break;
        }
    }
    statements.finish();
    Ok(())
}
