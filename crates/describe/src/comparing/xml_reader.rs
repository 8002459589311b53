//! Reads a run as XML.
//!
//! Elements are known by their names and where they stand; unknown ones are passed over, so that
//! later versions may say more. Nothing is expanded but the five entities of XML and references to
//! characters.

use super::metered::Metered;
use super::run::{RunError, RunHeader};
use auslese_model::{Description, Field, FoundAt, RuleId, Statement};
use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::io::BufRead;

pub(super) fn read<R: BufRead>(
    from: Metered<R>,
    document: &mut dyn FnMut(String, Description),
) -> Result<RunHeader, RunError> {
    let mut reader = RunReader { xml: Reader::from_reader(from), buffer: Vec::new() };
    reader.read(document)
}

struct RunReader<R> {
    xml: Reader<Metered<R>>,
    buffer: Vec<u8>,
}

/// What is read of a file, as far as this format has a use for it.
enum Piece {
    Start(Tag),
    /// An element without content.
    Empty(Tag),
    Text(String),
    End,
    /// Of the file.
    Eof,
}

struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
}

impl Tag {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|it| it.0 == name).map(|it| it.1.as_str())
    }
}

impl<R: BufRead> RunReader<R> {
    fn read(
        &mut self,
        document: &mut dyn FnMut(String, Description),
    ) -> Result<RunHeader, RunError> {
        self.expect_run()?;
        let mut header = RunHeader::default();
        loop {
            let tag = match self.child()? {
                Some(Child::Full(tag)) => tag,
                Some(Child::Empty(_)) => continue,
                None => return Ok(header),
            };
            match tag.name.as_str() {
                "heuristics" => header.heuristics = self.text()?,
                "digest" => header.digest = self.text()?,
                "weights" => header.weights = self.text()?,
                "date" => header.date = self.text()?,
                "document" => {
                    let (id, description) = self.document()?;
                    document(id, description);
                }
                _ => self.pass_over()?,
            }
            self.xml.get_mut().reset();
        }
    }

    fn expect_run(&mut self) -> Result<(), RunError> {
        loop {
            match self.piece()? {
                Piece::Start(tag) if tag.name == "run" => return Ok(()),
                Piece::Text(text)
                    if text.trim_matches(['\u{feff}', ' ', '\n', '\t']).is_empty() => {}
                _ => return Err(self.error("expected an element run")),
            }
        }
    }

    fn document(&mut self) -> Result<(String, Description), RunError> {
        let mut id = None;
        let mut description = Description {
            statements: Vec::new(),
            field_weights: Vec::new(),
            class: String::new(),
            trouble: None,
        };
        while let Some(child) = self.child()? {
            let tag = match child {
                Child::Empty(tag) if tag.name == "field" => {
                    description.field_weights.push(self.field_weight(&tag)?);
                    continue;
                }
                Child::Empty(_) => continue,
                Child::Full(tag) => tag,
            };
            match tag.name.as_str() {
                "id" => id = Some(self.text()?),
                "class" => description.class = self.text()?,
                "trouble" => description.trouble = Some(self.text()?),
                "statement" => description.statements.push(self.statement(&tag)?),
                "field" => {
                    description.field_weights.push(self.field_weight(&tag)?);
                    self.pass_over()?;
                }
                _ => self.pass_over()?,
            }
        }
        let id = id.ok_or_else(|| self.error("expected an element id in the document"))?;
        Ok((id, description))
    }

    fn field_weight(&self, tag: &Tag) -> Result<(Field, f64), RunError> {
        Ok((self.field(tag, "name")?, self.share(tag, "weight")?))
    }

    fn statement(&mut self, tag: &Tag) -> Result<Statement, RunError> {
        let mut statement = Statement {
            field: self.field(tag, "field")?,
            value: String::new(),
            parts: Vec::new(),
            weight: self.share(tag, "weight")?,
            initial: self.share(tag, "initial")?,
            rules: Vec::new(),
            place: None,
            origin: None,
            chosen: tag.get("chosen") == Some("true"),
        };
        while let Some(child) = self.child()? {
            let Child::Full(tag) = child else { continue };
            match tag.name.as_str() {
                "value" => statement.value = self.text()?,
                "part" => statement.parts.push(self.text()?),
                "rule" => statement.rules.push(RuleId::from_text(self.text()?)),
                "path" => statement.place = Some(FoundAt::Path(self.text()?)),
                "outside" => statement.place = Some(FoundAt::Outside(self.text()?)),
                "origin" => statement.origin = Some(self.text()?),
                _ => self.pass_over()?,
            }
        }
        Ok(statement)
    }

    fn field(&self, tag: &Tag, attribute: &str) -> Result<Field, RunError> {
        let name = tag.get(attribute).unwrap_or_default();
        Field::parse(name).ok_or_else(|| self.error(format!("{name:?} is no field")))
    }

    fn share(&self, tag: &Tag, attribute: &str) -> Result<f64, RunError> {
        let text = tag.get(attribute).unwrap_or_default();
        let share = text.trim().parse().ok().filter(|it| (0.0..=1.0).contains(it));
        let expected = || format!("{attribute}: expected a number from 0 to 1, found {text:?}");
        share.ok_or_else(|| self.error(expected()))
    }

    /// The next element within the present one; none at its end.
    fn child(&mut self) -> Result<Option<Child>, RunError> {
        loop {
            match self.piece()? {
                Piece::Start(tag) => return Ok(Some(Child::Full(tag))),
                Piece::Empty(tag) => return Ok(Some(Child::Empty(tag))),
                Piece::Text(_) => {}
                Piece::End => return Ok(None),
                Piece::Eof => return Err(self.error("the file ends too early")),
            }
        }
    }

    /// The text of the present element to its end.
    fn text(&mut self) -> Result<String, RunError> {
        let mut text = String::new();
        loop {
            match self.piece()? {
                Piece::Text(more) => text.push_str(&more),
                Piece::Empty(tag) if tag.name == "char" => text.push(self.character(&tag)?),
                Piece::Empty(_) => {}
                Piece::Start(tag) if tag.name == "char" => {
                    text.push(self.character(&tag)?);
                    self.pass_over()?;
                }
                Piece::Start(_) => self.pass_over()?,
                Piece::End => return Ok(text),
                Piece::Eof => return Err(self.error("the file ends too early")),
            }
        }
    }

    fn character(&self, tag: &Tag) -> Result<char, RunError> {
        let code = tag.get("code").unwrap_or_default();
        let letter = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
        letter.ok_or_else(|| self.error(format!("{code:?} is no character")))
    }

    /// Skips the present element with all it holds.
    fn pass_over(&mut self) -> Result<(), RunError> {
        let mut depth = 1_u64;
        while depth > 0 {
            match self.piece()? {
                Piece::Start(_) => depth += 1,
                Piece::End => depth -= 1,
                Piece::Eof => return Err(self.error("the file ends too early")),
                Piece::Empty(_) | Piece::Text(_) => {}
            }
        }
        Ok(())
    }

    fn piece(&mut self) -> Result<Piece, RunError> {
        loop {
            self.buffer.clear();
            let piece = match self.xml.read_event_into(&mut self.buffer) {
                Ok(event) => piece_of(event),
                Err(quick_xml::Error::Io(cause)) => {
                    return Err(RunError::Io(std::io::Error::new(cause.kind(), cause)));
                }
                Err(cause) => Err(cause.to_string()),
            };
            match piece {
                Ok(Some(piece)) => return Ok(piece),
                Ok(None) => {}
                Err(message) => return Err(self.error(message)),
            }
        }
    }

    fn error(&self, message: impl Into<String>) -> RunError {
        RunError::Xml { at: self.xml.buffer_position(), message: message.into() }
    }
}

/// An element within another.
enum Child {
    Full(Tag),
    Empty(Tag),
}

/// What an event means; nothing for comments and the like.
fn piece_of(event: Event<'_>) -> Result<Option<Piece>, String> {
    Ok(Some(match event {
        Event::Start(start) => Piece::Start(tag_of(&start)?),
        Event::Empty(start) => Piece::Empty(tag_of(&start)?),
        Event::End(_) => Piece::End,
        Event::Text(text) => Piece::Text(text.replace("\r\n", "\n")),
        Event::CData(text) => Piece::Text(text.to_string()),
        Event::GeneralRef(reference) => Piece::Text(referred(&reference)?),
        Event::Eof => Piece::Eof,
        Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Comment(_) => return Ok(None),
    }))
}

fn referred(reference: &BytesRef<'_>) -> Result<String, String> {
    if let Some(letter) = reference.resolve_char_ref().map_err(|it| it.to_string())? {
        return Ok(letter.to_string());
    }
    let name: &str = reference;
    let entity = resolve_xml_entity(name).map(str::to_owned);
    entity.ok_or_else(|| format!("&{name}; is no entity of XML"))
}

fn tag_of(start: &BytesStart<'_>) -> Result<Tag, String> {
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|it| it.to_string())?;
        let value = unescape(&attribute.value).map_err(|it| it.to_string())?.into_owned();
        attributes.push((attribute.key.as_ref().to_owned(), value));
    }
    Ok(Tag { name: start.local_name().as_ref().to_owned(), attributes })
}
