//! The containers of TEI that blocks lie in: which there are, what they are called, and what each
//! remembers while it is open.

use crate::xml::Xml;
use std::rc::Rc;

/// A container of blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Body,
    /// A division that begins with a heading of this level.
    Headed(u8),
    /// A part of the page with a role of its own, such as its navigation.
    Part(&'static str),
    /// What follows behind an inner division.
    Continuation,
    Quote {
        source: Option<String>,
    },
    Figure,
    List {
        ordered: bool,
    },
    Glossary,
    Item,
    Table,
    Row {
        is_head: bool,
    },
    Cell {
        is_head: bool,
        rows: u32,
        columns: u32,
    },
}

impl Kind {
    /// Whether a milestone may stand in it.
    pub(super) fn takes_rules(&self) -> bool {
        !matches!(self, Kind::Row { .. } | Kind::List { .. } | Kind::Glossary | Kind::Table)
    }

    pub(super) fn is_division(&self) -> bool {
        matches!(self, Kind::Body | Kind::Headed(_) | Kind::Part(_) | Kind::Continuation)
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Kind::Body => "body",
            Kind::Headed(_) | Kind::Part(_) | Kind::Continuation => "div",
            Kind::Quote { .. } => "quote",
            Kind::Figure => "figure",
            Kind::List { .. } | Kind::Glossary => "list",
            Kind::Item => "item",
            Kind::Table => "table",
            Kind::Row { .. } => "row",
            Kind::Cell { .. } => "cell",
        }
    }
}

#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) lang: Rc<str>,
    pub(super) written: bool,
    /// Made by us, to be closed when the page opens one of its own.
    pub(super) implicit: bool,
    /// A division was written in it, so that only divisions may follow.
    pub(super) has_division: bool,
    /// Text was written in it.
    pub(super) has_run: bool,
    /// A label of a glossary waits for its item.
    pub(super) waits_for_item: bool,
}

impl Frame {
    pub(super) fn new(kind: Kind, lang: Rc<str>) -> Frame {
        Frame {
            kind,
            lang,
            written: false,
            implicit: false,
            has_division: false,
            has_run: false,
            waits_for_item: false,
        }
    }

    /// Writes its beginning, within the container around it.
    pub(super) fn write_start(&mut self, outside: Option<&mut Frame>, xml: &mut Xml) {
        self.written = true;
        let numbers;
        let mut attributes: Vec<(&str, &str)> = Vec::new();
        match &self.kind {
            Kind::Part(role) => attributes.push(("type", role)),
            Kind::Continuation => attributes.push(("type", "continuation")),
            Kind::Quote { source: Some(source) } => attributes.push(("source", source)),
            Kind::List { ordered: true } => attributes.push(("rend", "numbered")),
            Kind::Glossary => attributes.push(("type", "gloss")),
            Kind::Row { is_head: true } => attributes.push(("role", "label")),
            Kind::Cell { is_head, rows, columns } => {
                numbers = (rows.to_string(), columns.to_string());
                attributes.extend(is_head.then_some(("role", "label")));
                attributes.extend((*rows > 1).then_some(("rows", numbers.0.as_str())));
                attributes.extend((*columns > 1).then_some(("cols", numbers.1.as_str())));
            }
            _ => {}
        }
        if let Some(outside) = outside {
            if outside.lang != self.lang {
                attributes.push(("xml:lang", &self.lang));
            }
            outside.has_division |= self.kind.is_division();
            outside.has_run = true;
            if outside.kind == Kind::Glossary && !std::mem::take(&mut outside.waits_for_item) {
                xml.empty("label", &[]);
            }
        }
        xml.start(self.kind.name(), &attributes);
    }
}
