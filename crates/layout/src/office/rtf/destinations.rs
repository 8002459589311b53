//! Where the text of a group goes, and the notes, which go to the end.

use crate::office::flow::{Flow, Shape};
use crate::{LayoutBlock, Properties};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    Body,
    Note,
    TextBox,
    FontTable,
    StyleSheet,
    /// Around the fields of the information.
    InfoTable,
    Info(InfoField),
    /// Around a text box.
    Shape,
    Nowhere,
}

/// What a control word begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beginning {
    Of(Destination),
    /// Text that is written twice, for readers without Unicode first.
    Doubled,
    /// The second of the two.
    Unicode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InfoField {
    Title,
    Author,
    Subject,
    Keywords,
    Created,
    Producer,
}

impl InfoField {
    pub(super) fn of(self, properties: &mut Properties) -> Option<&mut Option<String>> {
        match self {
            InfoField::Title => Some(&mut properties.title),
            InfoField::Author => Some(&mut properties.author),
            InfoField::Subject => Some(&mut properties.subject),
            InfoField::Keywords => Some(&mut properties.keywords),
            InfoField::Producer => Some(&mut properties.producer),
            // Read from control words.
            InfoField::Created => None,
        }
    }

    /// Whether a value was read before.
    pub(super) fn is_known(self, properties: &mut Properties) -> bool {
        self.of(properties).is_some_and(|value| value.is_some())
    }
}

impl Beginning {
    /// What a control word begins, if it begins a destination.
    pub(super) fn named(word: &[u8]) -> Option<Beginning> {
        Some(Beginning::Of(match word {
            b"footnote" => Destination::Note,
            b"shptxt" => Destination::TextBox,
            b"fonttbl" => Destination::FontTable,
            b"stylesheet" => Destination::StyleSheet,
            b"title" => Destination::Info(InfoField::Title),
            b"author" => Destination::Info(InfoField::Author),
            b"subject" => Destination::Info(InfoField::Subject),
            b"keywords" => Destination::Info(InfoField::Keywords),
            b"creatim" => Destination::Info(InfoField::Created),
            b"generator" => Destination::Info(InfoField::Producer),
            b"info" => Destination::InfoTable,
            b"shpinst" => Destination::Shape,
            b"upr" => return Some(Beginning::Doubled),
            b"ud" => return Some(Beginning::Unicode),
            // Pictures, what is shown instead of a shape, instructions of fields.
            b"pict" | b"nonshppict" | b"shppict" | b"shprslt" | b"sp" | b"objdata" | b"fldinst"
            // Heads and feet of pages.
            | b"header" | b"headerl" | b"headerr" | b"headerf"
            | b"footer" | b"footerl" | b"footerr" | b"footerf"
            | b"ftnsep" | b"ftnsepc" | b"ftncn" | b"aftnsep" | b"aftnsepc" | b"aftncn"
            // Tables and the rest of the information.
            | b"colortbl" | b"filetbl" | b"listtable" | b"revtbl"
            | b"operator" | b"doccomm" | b"hlinkbase" | b"comment" | b"manager" | b"company"
            | b"category" | b"revtim" | b"printim" | b"buptim" | b"template"
            // Numbers of lists, entries of indexes, comments, names of marks.
            | b"listtext" | b"pntext" | b"xe" | b"tc" | b"tcn" | b"rxe" | b"txe"
            | b"annotation" | b"bkmkstart" | b"bkmkend" | b"private" => Destination::Nowhere,
            _ => return None,
        }))
    }
}

/// The notes so far.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) blocks: Vec<LayoutBlock>,
    /// The blocks before the note that is being read.
    before: Vec<LayoutBlock>,
    count: usize,
    pub(super) reading: bool,
}

impl Notes {
    /// The number of the note that is being read, or of the next.
    pub(super) fn number(&self) -> usize {
        self.count + usize::from(!self.reading)
    }

    pub(super) fn begin(&mut self, flow: &mut Flow) {
        self.count += 1;
        self.reading = true;
        self.before = flow.take_blocks();
        flow.enter();
    }

    pub(super) fn end(&mut self, flow: &mut Flow, shape: &Shape) {
        self.reading = false;
        flow.leave(shape);
        self.blocks.append(&mut flow.take_blocks());
        flow.put_back(std::mem::take(&mut self.before));
    }
}
