//! The state of the tree builder, and who handles which token.
//!
//! This is the tree construction of the HTML standard (§13.2.6) without scripts and fragments.
//! Deviations: start tags beyond [`crate::MAX_DEPTH`] are left out together with their end tags
//! (their content stays), and once a limit of the tree is reached, reading ends. Both lists of the
//! standard stay short that way, and the time is linear in the input for any input.

use super::arena::{Arena, Full, Id, NONE, Span, Spot};
use super::categories::{LEAF, TABLE_PART, html_categories};
use super::dropped::DroppedTags;
use super::formatting::Entry;
use super::interner::{Interner, Name};
use super::open_elements::{Open, OpenElements};
use super::tokens::{Tag, Text, Token};
use crate::names::Known;
use crate::parse_errors::{ParseError, ParseErrors};
use crate::tree::Namespace;

/// The insertion modes of the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// What happens to a token after a mode has looked at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Done,
    /// It is to be looked at again, in the mode that is now set.
    Again,
}

/// How the tokenizer reads on after a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    Markup,
    /// The content of an element that is no markup, up to its end tag.
    Raw(Known),
    Plaintext,
}

/// How much of the page becomes a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Whole,
    /// Without programs, style sheets, comments, drawings, and pictures written into the page.
    Lean,
}

#[derive(Debug)]
pub(super) struct Parser<'s> {
    pub(super) source: &'s str,
    pub(super) bytes: &'s [u8],
    /// How much of the source is read.
    pub(super) at: usize,
    pub(super) has_null: bool,
    pub(super) extent: Extent,
    pub(super) reading: Reading,
    pub(super) arena: Arena<'s>,
    pub(super) interner: Interner,
    pub(super) errors: ParseErrors,
    pub(super) overfull_tags: usize,
    /// The `href` of the first `<base>`.
    pub(super) base: Option<Span>,

    pub(super) mode: Mode,
    pub(super) original_mode: Mode,
    pub(super) template_modes: Vec<Mode>,
    pub(super) open: OpenElements,
    pub(super) formatting: Vec<Entry>,
    pub(super) head: Id,
    pub(super) form: Id,
    pub(super) frameset_ok: bool,
    /// Whether a line feed that comes next is left out.
    pub(super) ignore_line_feed: bool,
    pub(super) foster_parenting: bool,
    pub(super) quirks: bool,
    pub(super) pending_table_text: Vec<Text>,
    /// Whether the start tag under way may close itself.
    pub(super) acknowledged: bool,
    /// The outermost `<svg>` that holds nothing but a drawing so far.
    pub(super) drawing: Id,
    pub(super) dropped: DroppedTags,
    /// No smaller than the lists of open and of formatting elements together.
    size_bound: usize,
}

/// How much one start tag can add to the lists: `<html>`, `<body>`, `<tbody>` and `<tr>` that it
/// implies, itself, and itself as a formatting element. Formatting elements that it opens again are
/// in the count already.
const GROWTH_PER_TAG: usize = 6;

/// The document, the head and the form, which have always been counted, too.
const POINTERS: usize = 3;

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s str, extent: Extent) -> Parser<'s> {
        Parser {
            source,
            bytes: source.as_bytes(),
            at: 0,
            has_null: memchr::memchr(0, source.as_bytes()).is_some(),
            extent,
            reading: Reading::Markup,
            arena: Arena::new(source),
            interner: Interner::default(),
            errors: ParseErrors::default(),
            overfull_tags: 0,
            base: None,
            mode: Mode::Initial,
            original_mode: Mode::InBody,
            template_modes: Vec::new(),
            open: OpenElements::default(),
            formatting: Vec::new(),
            head: NONE,
            form: NONE,
            frameset_ok: true,
            ignore_line_feed: false,
            foster_parenting: false,
            quirks: false,
            pending_table_text: Vec::new(),
            acknowledged: false,
            drawing: NONE,
            dropped: DroppedTags::default(),
            size_bound: 0,
        }
    }

    /// The limit that was reached, if any. Names that are kept for tags without a place in the tree
    /// count as attributes, too.
    pub(super) fn full(&self) -> Option<Full> {
        let too_many_names = self.interner.names.len() >= crate::MAX_ATTRIBUTES;
        self.arena.full().or(too_many_names.then_some(Full::Attributes))
    }

    /// Takes in a start tag unless it lies too deep.
    pub(super) fn start_tag(&mut self, tag: Tag) {
        let is_leaf = html_categories(tag.name.known) & LEAF != 0;
        if self.is_too_deep() && !is_leaf {
            self.dropped.start(tag.name);
            self.arena.attributes.truncate(tag.attributes.start as usize);
            return;
        }
        self.acknowledged = false;
        let nodes = self.arena.nodes.len();
        self.handle(Token::Start(tag));
        if tag.self_closing && !self.acknowledged && self.reading == Reading::Markup {
            self.errors.count(ParseError::SelfClosing);
        }
        if self.arena.nodes.len() == nodes {
            self.arena.attributes.truncate(tag.attributes.start as usize);
        }
    }

    pub(super) fn end_tag(&mut self, tag: Tag) {
        if !self.dropped.end(tag.name) {
            self.handle(Token::End(tag));
        }
    }

    /// Whether there is no room for another open element.
    fn is_too_deep(&mut self) -> bool {
        self.size_bound += GROWTH_PER_TAG;
        if self.size_bound < crate::MAX_DEPTH {
            return false;
        }
        let formatting = self.formatting.iter().filter(|entry| entry.element().is_some()).count();
        self.size_bound = POINTERS + self.open.len() + formatting + GROWTH_PER_TAG;
        self.size_bound >= crate::MAX_DEPTH
    }

    /// Takes in a token.
    pub(super) fn handle(&mut self, token: Token) {
        let mut token = token;
        if std::mem::take(&mut self.ignore_line_feed)
            && let Token::Text(text) = &mut token
            && self.arena.text(text.span).starts_with('\n')
        {
            text.span.start += 1;
            if text.span.is_empty() {
                return;
            }
        }
        while self.step(token) == Next::Again {}
    }

    fn step(&mut self, token: Token) -> Next {
        if self.is_foreign(token) {
            return self.in_foreign_content(token);
        }
        self.by_mode(token)
    }

    /// Handles a token by the rules of the mode that is set.
    pub(super) fn by_mode(&mut self, token: Token) -> Next {
        match self.mode {
            Mode::InBody => self.in_body(token),
            Mode::Initial => self.initial(token),
            Mode::BeforeHtml => self.before_html(token),
            Mode::BeforeHead => self.before_head(token),
            Mode::InHead => self.in_head(token),
            Mode::InHeadNoscript => self.in_head_noscript(token),
            Mode::AfterHead => self.after_head(token),
            Mode::InTable => self.in_table(token),
            Mode::InTableText => self.in_table_text(token),
            Mode::InCaption => self.in_caption(token),
            Mode::InColumnGroup => self.in_column_group(token),
            Mode::InTableBody => self.in_table_body(token),
            Mode::InRow => self.in_row(token),
            Mode::InCell => self.in_cell(token),
            Mode::InTemplate => self.in_template(token),
            Mode::AfterBody => self.after_body(token),
            Mode::InFrameset => self.in_frameset(token),
            Mode::AfterFrameset => self.after_frameset(token),
            Mode::AfterAfterBody => self.after_after_body(token),
            Mode::AfterAfterFrameset => self.after_after_frameset(token),
        }
    }

    /// Sets the mode and has the token looked at again.
    pub(super) fn again_in(&mut self, mode: Mode) -> Next {
        self.mode = mode;
        Next::Again
    }

    /// Counts a token that should not be here.
    pub(super) fn unexpected(&mut self, token: Token) -> Next {
        let kind = match token {
            Token::Start(_) => ParseError::UnexpectedStartTag,
            Token::End(_) => ParseError::UnmatchedEndTag,
            Token::Text(_) => ParseError::MisplacedText,
            Token::EndOfFile => ParseError::OpenAtEnd,
            Token::Comment(_) => ParseError::Other,
            // The tokenizer has counted it.
            Token::Null => return Next::Done,
        };
        self.errors.count(kind);
        Next::Done
    }

    /// Counts text that is left out piece by piece: what is not white space.
    pub(super) fn unexpected_text(&mut self, text: Text) {
        let (_, visible) = super::tokens::pieces(&self.source[text.written.range()], text.kind);
        self.errors.count_many(ParseError::MisplacedText, visible);
    }

    /// The appropriate place for inserting a node (§13.2.6.1).
    pub(super) fn place(&self) -> Spot {
        self.place_in(self.open.current())
    }

    pub(super) fn place_in(&self, target: Open) -> Spot {
        if !self.foster_parenting || !target.is_in(TABLE_PART) {
            return Spot { parent: target.id, next: NONE };
        }
        let open = self.open.all();
        for (at, element) in open.iter().enumerate().rev() {
            if element.is(Known::Template) {
                return Spot { parent: element.id, next: NONE };
            }
            if element.is(Known::Table) {
                return match self.arena.nodes[element.id as usize].parent {
                    NONE => Spot { parent: open[at.saturating_sub(1)].id, next: NONE },
                    parent => Spot { parent, next: element.id },
                };
            }
        }
        Spot { parent: open[0].id, next: NONE }
    }

    /// Inserts an element and opens it.
    pub(super) fn insert(&mut self, name: Name, namespace: Namespace, attributes: Span) -> Id {
        let id = self.insert_empty(name, namespace, attributes);
        self.open.push(Open::new(id, name, namespace));
        id
    }

    /// Inserts an element that has no content.
    pub(super) fn insert_empty(
        &mut self,
        name: Name,
        namespace: Namespace,
        attributes: Span,
    ) -> Id {
        if namespace == Namespace::Html {
            // A drawing that holds HTML is more than a drawing.
            self.drawing = NONE;
        }
        let spot = self.place();
        let id = self.arena.element(name, namespace, attributes);
        self.arena.attach(spot, id);
        if self.form != NONE
            && namespace == Namespace::Html
            && matches!(name.known, Known::Button | Known::Input | Known::Select | Known::Textarea)
            && !self.open.has(Known::Template)
        {
            self.arena.form_owners.push((id, self.form));
        }
        id
    }

    pub(super) fn insert_html(&mut self, tag: Tag) -> Id {
        self.insert(tag.name, Namespace::Html, tag.attributes)
    }

    /// Inserts an element that cannot have content, and lets its tag close itself.
    pub(super) fn insert_void(&mut self, tag: Tag) -> Id {
        self.acknowledged = true;
        self.insert_empty(tag.name, Namespace::Html, tag.attributes)
    }

    /// Inserts an element that no tag is there for.
    pub(super) fn insert_implied(&mut self, name: Known) -> Id {
        self.insert(Name::from(name), Namespace::Html, Span::default())
    }

    pub(super) fn insert_text(&mut self, text: Span) -> Next {
        let spot = self.place();
        self.arena.attach_text(spot, text);
        Next::Done
    }

    pub(super) fn insert_comment(&mut self, text: Span) -> Next {
        let spot = self.place();
        self.comment_at(spot, text)
    }

    pub(super) fn comment_in(&mut self, parent: Id, text: Span) -> Next {
        self.comment_at(Spot { parent, next: NONE }, text)
    }

    fn comment_at(&mut self, spot: Spot, text: Span) -> Next {
        let id = self.arena.comment(text);
        self.arena.attach(spot, id);
        Next::Done
    }

    /// Closes an element of that name, which is open, with everything in it; counts an error if
    /// something was.
    pub(super) fn close_to(&mut self, name: impl Into<Name>) {
        let name = name.into();
        if self.open.pop_until(|open| open.is(name)) != 1 {
            self.errors.count(ParseError::Misnested);
        }
    }

    /// Inserts an element whose content is no markup.
    pub(super) fn insert_raw(&mut self, tag: Tag) -> Next {
        self.insert_html(tag);
        self.reading = Reading::Raw(tag.name.known);
        Next::Done
    }

    /// Resets the insertion mode appropriately (§13.2.4.1).
    pub(super) fn reset_mode(&mut self) {
        self.mode = self.mode_of_open_elements();
    }

    fn mode_of_open_elements(&self) -> Mode {
        for (at, open) in self.open.all().iter().enumerate().rev() {
            if open.namespace != Namespace::Html {
                continue;
            }
            match open.name.known {
                Known::Td | Known::Th if at > 0 => return Mode::InCell,
                Known::Tr => return Mode::InRow,
                Known::Tbody | Known::Thead | Known::Tfoot => return Mode::InTableBody,
                Known::Caption => return Mode::InCaption,
                Known::Colgroup => return Mode::InColumnGroup,
                Known::Table => return Mode::InTable,
                Known::Template => {
                    return self.template_modes.last().copied().unwrap_or(Mode::InTemplate);
                }
                Known::Head if at > 0 => return Mode::InHead,
                Known::Body => return Mode::InBody,
                Known::Frameset => return Mode::InFrameset,
                Known::Html if self.head == NONE => return Mode::BeforeHead,
                Known::Html => return Mode::AfterHead,
                _ => {}
            }
        }
        Mode::InBody
    }
}
