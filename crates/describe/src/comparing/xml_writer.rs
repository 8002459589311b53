//! A run as XML, as docs/runs.md describes it.
//!
//! XML has no way to write most control characters, not even as references. They become an element
//! `char` with their code, so that nothing is lost.

use super::run::RunHeader;
use auslese_model::{Description, FoundAt, Statement};
use std::io::{self, Write};

pub(super) fn write_header(to: &mut impl Write, header: &RunHeader) -> io::Result<()> {
    writeln!(to, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(to, "<run>")?;
    let lines = [
        ("heuristics", &header.heuristics),
        ("digest", &header.digest),
        ("weights", &header.weights),
        ("date", &header.date),
    ];
    for (name, text) in lines {
        write_text(to, " ", name, text)?;
    }
    Ok(())
}

pub(super) fn write_document(
    to: &mut impl Write,
    id: &str,
    description: &Description,
) -> io::Result<()> {
    writeln!(to, " <document>")?;
    write_text(to, "  ", "id", id)?;
    write_text(to, "  ", "class", &description.class)?;
    if let Some(trouble) = &description.trouble {
        write_text(to, "  ", "trouble", trouble)?;
    }
    for statement in &description.statements {
        write_statement(to, statement)?;
    }
    for (field, weight) in &description.field_weights {
        writeln!(to, r#"  <field name="{field}" weight="{weight:?}"/>"#)?;
    }
    writeln!(to, " </document>")
}

pub(super) fn write_end(to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "</run>")
}

fn write_statement(to: &mut impl Write, statement: &Statement) -> io::Result<()> {
    let Statement { field, weight, initial, chosen, .. } = statement;
    write!(to, r#"  <statement field="{field}" weight="{weight:?}" "#)?;
    writeln!(to, r#"initial="{initial:?}" chosen="{chosen}">"#)?;
    write_text(to, "   ", "value", &statement.value)?;
    for part in &statement.parts {
        write_text(to, "   ", "part", part)?;
    }
    for rule in &statement.rules {
        write_text(to, "   ", "rule", rule.as_str())?;
    }
    match &statement.place {
        Some(FoundAt::Path(path)) => write_text(to, "   ", "path", path)?,
        Some(FoundAt::Outside(place)) => write_text(to, "   ", "outside", place)?,
        None => {}
    }
    if let Some(origin) = &statement.origin {
        write_text(to, "   ", "origin", origin)?;
    }
    writeln!(to, "  </statement>")
}

fn write_text(to: &mut impl Write, indent: &str, name: &str, text: &str) -> io::Result<()> {
    write!(to, "{indent}<{name}>")?;
    for letter in text.chars() {
        match letter {
            '<' => to.write_all(b"&lt;")?,
            '>' => to.write_all(b"&gt;")?,
            '&' => to.write_all(b"&amp;")?,
            // Written as it is, it would be read as the end of a line.
            '\r' => to.write_all(b"&#13;")?,
            letter if is_no_xml(letter) => {
                write!(to, r#"<char code="{:04X}"/>"#, u32::from(letter))?
            }
            letter => write!(to, "{letter}")?,
        }
    }
    writeln!(to, "</{name}>")
}

/// Characters outside production 2 (`Char`) of XML 1.0.
fn is_no_xml(letter: char) -> bool {
    matches!(letter, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}
