//! A stream of blocks and words becomes the content of a TEI `<body>` that is always valid.
//!
//! Web pages nest everything in everything; TEI does not. So nothing is written when an element of the
//! page opens: it is noted, and written when the first word inside it arrives. Then what is around the
//! word is known, and a place is made where TEI allows it: a paragraph where text stands by itself, an
//! item where a list has text outside of items, another division where a page goes on behind one. An
//! emphasis that spans two paragraphs is closed and opened again. What never gets a word is never written.
//!
//! The walk over the page is in [`super::page`].

use super::frames::{Frame, Kind};
use super::inline::{Inline, written_name};
use crate::xml::Xml;
use std::rc::Rc;

/// Containers that may lie in each other; deeper ones leave their content to the one around them.
pub const MAX_TEI_DEPTH: usize = 150;

/// Inline elements around one word; further ones are left out.
const MAX_INLINES: usize = 40;

/// Line breaks that set paragraphs apart, as pages without `<p>` do.
const PARAGRAPH_BREAKS: u32 = 2;

/// What only takes words and phrases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phrase {
    Heading(u8),
    Caption,
}

/// Words that stand together: a paragraph, a heading, or the text of an item.
#[derive(Debug)]
struct Run {
    wrapper: Option<&'static str>,
    /// Inline elements that were written, the innermost last.
    written: Vec<&'static str>,
    is_empty: bool,
}

/// The body of a text that is being written.
#[derive(Debug)]
pub(super) struct Flow {
    xml: Xml,
    frames: Vec<Frame>,
    inlines: Vec<Inline>,
    run: Option<Run>,
    phrase: Option<Phrase>,
    /// The language of what comes next.
    pub(super) lang: Rc<str>,
    space: bool,
    breaks: u32,
    /// White space that waits for a word, where white space is kept.
    kept_space: String,
    is_verbatim: bool,
    is_paragraph: bool,
    body_has_block: bool,
}

impl Flow {
    pub(super) fn new(lang: Rc<str>) -> Flow {
        let mut flow = Flow {
            xml: Xml::default(),
            frames: vec![Frame::new(Kind::Body, lang.clone())],
            inlines: Vec::new(),
            run: None,
            phrase: None,
            lang,
            space: false,
            breaks: 0,
            kept_space: String::new(),
            is_verbatim: false,
            is_paragraph: false,
            body_has_block: false,
        };
        flow.write_frames();
        flow
    }

    /// The body as XML.
    pub(super) fn finish(mut self) -> String {
        self.end_run();
        while self.frames.len() > 1 {
            self.pop();
        }
        if !self.body_has_block {
            self.xml.empty("p", &[]);
        }
        self.pop();
        self.xml.into_text()
    }

    // --- words -------------------------------------------------------------------------------

    /// Running text, its white space as the page has it.
    pub(super) fn text(&mut self, text: &str) {
        if self.is_verbatim {
            return self.verbatim_text(text);
        }
        if text.starts_with(is_space) {
            self.space = true;
        }
        for (number, word) in text.split(is_space).filter(|word| !word.is_empty()).enumerate() {
            self.space |= number > 0;
            self.word(word);
        }
        if text.ends_with(is_space) {
            self.space = true;
        }
    }

    /// A picture, where one may stand.
    pub(super) fn picture(&mut self, address: Option<&str>, described: &str) {
        if address.is_none() && described.is_empty() {
            return;
        }
        let is_in_figure = matches!(self.top().kind, Kind::Figure);
        if is_in_figure && self.run.is_none() && self.phrase.is_none() {
            self.write_frames();
        } else {
            self.begin_words();
        }
        match address {
            Some(address) => {
                let address = ("url", address);
                match described {
                    "" => self.xml.empty("graphic", &[address]),
                    _ => {
                        self.xml.start("graphic", &[address]);
                        self.xml.element("desc", &[], described);
                        self.xml.end("graphic");
                    }
                }
            }
            None => {
                self.xml.start("figure", &[]);
                self.xml.element("figDesc", &[], described);
                self.xml.end("figure");
            }
        }
    }

    /// The page begins a new line.
    pub(super) fn line_break(&mut self) {
        if self.is_verbatim {
            return self.verbatim_text("\n");
        }
        if self.run.is_some() {
            self.breaks += 1;
        }
    }

    /// A line across the page.
    pub(super) fn rule(&mut self) {
        self.boundary();
        let top = self.top();
        if self.phrase.is_none() && top.written && !top.has_division && top.kind.takes_rules() {
            self.xml.empty("milestone", &[("unit", "rule")]);
        }
    }

    pub(super) fn open_inline(&mut self, inline: Inline) -> bool {
        let has_room = self.inlines.len() < MAX_INLINES;
        if has_room {
            self.inlines.push(inline);
        }
        has_room
    }

    pub(super) fn close_inline(&mut self) {
        self.inlines.pop();
        if let Some(run) = &mut self.run
            && run.written.len() > self.inlines.len()
            && let Some(name) = run.written.pop()
        {
            self.xml.end(name);
        }
    }

    // --- blocks ------------------------------------------------------------------------------

    /// What comes next stands apart from what came before.
    pub(super) fn boundary(&mut self) {
        self.is_paragraph = false;
        match self.phrase {
            Some(_) if self.run.is_some() => self.breaks = 1,
            Some(_) => {}
            None => self.end_run(),
        }
    }

    /// What comes next is a paragraph of its own, wherever it stands.
    pub(super) fn paragraph(&mut self) {
        self.boundary();
        self.is_paragraph = self.phrase.is_none();
    }

    pub(super) fn open_verbatim(&mut self) -> bool {
        self.boundary();
        let opens = self.phrase.is_none() && !self.is_verbatim;
        self.is_verbatim |= opens;
        opens
    }

    pub(super) fn close_verbatim(&mut self) {
        self.end_run();
        self.is_verbatim = false;
    }

    /// Begins a heading or caption, unless one is open already.
    pub(super) fn open_phrase(&mut self, phrase: Phrase) -> bool {
        self.boundary();
        let opens = self.phrase.is_none() && !self.is_verbatim;
        if opens {
            self.phrase = Some(phrase);
        }
        opens
    }

    pub(super) fn close_phrase(&mut self) {
        self.end_run();
        self.phrase = None;
    }

    /// Opens a container; its content stays where it is if it has no place here.
    pub(super) fn open(&mut self, kind: Kind) -> Option<Opened> {
        self.boundary();
        if self.phrase.is_some() || self.is_verbatim || self.frames.len() >= MAX_TEI_DEPTH {
            return None;
        }
        let fits = match kind {
            Kind::Item => {
                self.close_implicit_until(|it| matches!(it, Kind::List { .. } | Kind::Glossary))
            }
            Kind::Row { .. } => self.close_implicit_until(|it| *it == Kind::Table),
            Kind::Cell { .. } => self.close_implicit_until(|it| matches!(it, Kind::Row { .. })),
            Kind::Part(_) => self.top().kind.is_division(),
            _ => {
                self.make_room();
                true
            }
        };
        if !fits {
            return None;
        }
        let opened = Opened(self.frames.len());
        let is_cell = matches!(kind, Kind::Cell { .. });
        self.frames.push(Frame::new(kind, self.lang.clone()));
        // An empty cell holds its place among the others.
        if is_cell {
            self.write_frames();
        }
        Some(opened)
    }

    pub(super) fn close(&mut self, opened: Opened) {
        self.boundary();
        while self.frames.len() > opened.0 {
            self.pop();
        }
    }

    /// The label of a glossary: a phrase, with an item before it if the last label has none.
    pub(super) fn open_label(&mut self) -> bool {
        self.boundary();
        if self.phrase.is_some() || self.is_verbatim {
            return false;
        }
        if !self.close_implicit_until(|kind| *kind == Kind::Glossary) {
            return false;
        }
        self.write_frames();
        if self.top().waits_for_item {
            self.xml.empty("item", &[]);
        }
        self.top_mut().waits_for_item = true;
        self.xml.start("label", &[]);
        self.run = Some(Run { wrapper: Some("label"), written: Vec::new(), is_empty: true });
        self.phrase = Some(Phrase::Caption);
        true
    }

    // --- inside ------------------------------------------------------------------------------

    fn top(&self) -> &Frame {
        self.frames.last().expect("the body is closed last")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the body is closed last")
    }

    fn word(&mut self, word: &str) {
        self.begin_words();
        self.xml.text(word);
    }

    fn verbatim_text(&mut self, text: &str) {
        let (start, rest) = match text.find(|c| !is_space(c)) {
            Some(at) => text.split_at(at),
            None => (text, ""),
        };
        self.kept_space.push_str(start);
        if rest.is_empty() {
            return;
        }
        let body = rest.trim_end_matches(is_space);
        self.begin_words();
        self.xml.text(body);
        self.kept_space.push_str(&rest[body.len()..]);
    }

    /// Sees to it that a word may be written: in a run, within all that is open, behind what waits.
    fn begin_words(&mut self) {
        let may_part = self.phrase.is_none() && !self.is_verbatim;
        if self.breaks >= PARAGRAPH_BREAKS && may_part {
            let was_paragraph = self.is_paragraph;
            self.end_run();
            self.is_paragraph = was_paragraph;
        }
        self.begin_run();
        let Flow { xml, run: Some(run), .. } = self else { return };
        if self.is_verbatim {
            // Blank lines before the first are of no use; its indent is.
            let kept = std::mem::take(&mut self.kept_space);
            xml.text(if run.is_empty {
                kept.rsplit('\n').next().unwrap_or_default()
            } else {
                &kept
            });
        } else if self.breaks > 0 {
            xml.empty("lb", &[]);
        } else if self.space && !run.is_empty {
            xml.text(" ");
        }
        (self.space, self.breaks) = (false, 0);
        run.is_empty = false;
        while let Some(inline) = self.inlines.get(run.written.len()) {
            let name = written_name(inline.name, run.wrapper, &run.written);
            inline.write_start(name, xml);
            run.written.push(name);
        }
    }

    fn begin_run(&mut self) {
        if self.run.is_some() {
            return;
        }
        self.breaks = 0;
        let wrapper = match self.phrase {
            Some(Phrase::Heading(level)) => Some(self.begin_heading(level)),
            Some(Phrase::Caption) if matches!(self.top().kind, Kind::Figure | Kind::Table) => {
                Some("head")
            }
            Some(Phrase::Caption) => {
                self.make_room();
                Some("p")
            }
            None => self.begin_block(),
        };
        self.write_frames();
        let heading = match (wrapper, self.phrase) {
            (Some("label"), Some(Phrase::Heading(level))) => Some(level.to_string()),
            _ => None,
        };
        let mut attributes: Vec<(&str, &str)> = Vec::new();
        if let Some(level) = &heading {
            attributes.extend([("type", "heading"), ("n", level.as_str())]);
        }
        if wrapper == Some("eg") {
            attributes.push(("xml:space", "preserve"));
        }
        if self.lang != self.top().lang {
            attributes.push(("xml:lang", &self.lang));
        }
        if let Some(name) = wrapper {
            self.xml.start(name, &attributes);
        }
        let top = self.top_mut();
        top.has_run = true;
        self.body_has_block |= top.kind == Kind::Body;
        self.run = Some(Run { wrapper, written: Vec::new(), is_empty: true });
    }

    /// Makes the division of a heading, or says that it can only be a label here.
    fn begin_heading(&mut self, level: u8) -> &'static str {
        if !self.top().kind.is_division() {
            self.make_room();
            return "label";
        }
        loop {
            match self.top().kind {
                Kind::Headed(other) if other >= level => self.pop(),
                Kind::Continuation => self.pop(),
                _ => break,
            }
        }
        self.frames.push(Frame::new(Kind::Headed(level), self.lang.clone()));
        "head"
    }

    /// Makes room for text that stands by itself, and says what it is wrapped in.
    fn begin_block(&mut self) -> Option<&'static str> {
        self.make_room();
        let top = self.top();
        let takes_text = matches!(top.kind, Kind::Item | Kind::Cell { .. });
        let is_first = !top.has_run && top.lang == self.lang;
        match (self.is_verbatim, takes_text && is_first && !self.is_paragraph) {
            (true, _) => Some("eg"),
            (false, true) => None,
            (false, false) => Some("p"),
        }
    }

    /// Makes a place for a block where the innermost container takes none.
    fn make_room(&mut self) {
        loop {
            let kind = match &self.top().kind {
                kind if kind.is_division() && self.top().has_division => Kind::Continuation,
                Kind::List { .. } | Kind::Glossary => Kind::Item,
                Kind::Table => Kind::Row { is_head: false },
                Kind::Row { .. } => Kind::Cell { is_head: false, rows: 1, columns: 1 },
                _ => return,
            };
            let frame = Frame { implicit: true, ..Frame::new(kind, self.lang.clone()) };
            self.frames.push(frame);
        }
    }

    /// Closes what we made ourselves, down to the container that is asked for.
    fn close_implicit_until(&mut self, wanted: impl Fn(&Kind) -> bool) -> bool {
        let first_own = self.frames.iter().rposition(|frame| !frame.implicit).unwrap_or(0);
        let Some(at) = self.frames[first_own..].iter().rposition(|frame| wanted(&frame.kind))
        else {
            return false;
        };
        while self.frames.len() > first_own + at + 1 {
            self.pop();
        }
        true
    }

    fn end_run(&mut self) {
        (self.space, self.breaks) = (false, 0);
        self.kept_space.clear();
        let Some(run) = self.run.take() else { return };
        for name in run.written.iter().rev() {
            self.xml.end(name);
        }
        if let Some(wrapper) = run.wrapper {
            self.xml.end(wrapper);
        }
    }

    fn pop(&mut self) {
        self.end_run();
        let Some(frame) = self.frames.pop() else { return };
        if frame.written {
            if frame.waits_for_item {
                self.xml.empty("item", &[]);
            }
            self.xml.end(frame.kind.name());
        }
    }

    /// Writes the beginnings of all containers that have none yet.
    fn write_frames(&mut self) {
        let first = self.frames.iter().position(|frame| !frame.written);
        for at in first.unwrap_or(self.frames.len())..self.frames.len() {
            self.write_frame(at);
        }
    }

    fn write_frame(&mut self, at: usize) {
        let (around, rest) = self.frames.split_at_mut(at);
        let Some(frame) = rest.first_mut() else { return };
        let outside = around.last_mut();
        let is_in_body = outside.as_ref().is_some_and(|it| it.kind == Kind::Body);
        self.body_has_block |= is_in_body && frame.kind != Kind::Figure;
        frame.write_start(outside, &mut self.xml);
    }
}

/// A container that was opened, to be closed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(super) struct Opened(usize);

/// White space of HTML, which collapses; a no-break space does not.
fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\n' | '\t' | '\r' | '\u{c}')
}
