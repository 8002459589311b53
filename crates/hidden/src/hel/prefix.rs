//! What several rules begin with: steps only, given once in `DB.Result`.

use super::MAX_HEL_LENGTH;
use super::error::{HelCode, HelError};
use super::grammar::{Parser, is_property};
use super::syntax::{Axis, Step};

/// The first steps of rules and of their conditions. A path that begins with `html` does not take them.
#[derive(Debug, Clone)]
pub struct HelPrefix {
    pub(super) steps: Vec<Step>,
    /// How a rule that begins with a name goes on.
    pub(super) link: Axis,
}

impl HelPrefix {
    /// Reads a prefix, such as `html.body->table[1].` with or without the dot at its end; none if the
    /// text is empty.
    pub fn parse(text: &str) -> Result<Option<HelPrefix>, HelError> {
        read(text).map_err(|error| HelError { code: HelCode::Prefix, ..error })
    }
}

fn read(text: &str) -> Result<Option<HelPrefix>, HelError> {
    if text.len() > MAX_HEL_LENGTH {
        let message = format!("a prefix has at most {MAX_HEL_LENGTH} bytes");
        return Err(HelError::new(HelCode::Prefix, MAX_HEL_LENGTH, message));
    }
    let mut parser = Parser::of_prefix(text);
    if parser.cursor.is_at_end() {
        return Ok(None);
    }
    let mut steps = Vec::new();
    let start = parser.cursor.skip_space();
    if let Some(name) = parser.cursor.word() {
        steps.push(parser.step(Axis::Child, name, start)?);
    }
    let mut link = Axis::Child;
    while !parser.cursor.is_at_end() {
        let start = parser.cursor.skip_space();
        let axis = if parser.cursor.eat("->") {
            Axis::Following
        } else if parser.cursor.eat(".") {
            Axis::Child
        } else {
            let message = "a prefix has steps only: no conditions, forks, match or split";
            return Err(parser.cursor.error(message));
        };
        if parser.cursor.is_at_end() {
            link = axis;
            break;
        }
        let place = parser.cursor.clone();
        let Some(name) = parser.cursor.word() else {
            return Err(parser.cursor.error("expected a tag or pcdata"));
        };
        if axis == Axis::Child && is_property(name) {
            return Err(place.error("a prefix has no property"));
        }
        steps.push(parser.step(axis, name, start)?);
    }
    for step in &mut steps {
        step.offset = None;
    }
    Ok(Some(HelPrefix { steps, link }))
}
