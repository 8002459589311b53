//! html5ever as a witness: the tree it builds, and the errors it tells, in the kinds we count.
//!
//! It tells each error in words and often not which token it met. Texts are mapped by what they
//! begin with, and "unexpected token" by the token under way.

use crate::parse_errors::ParseError;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, Namespace, QualName, TokenizerResult};
use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

/// What html5ever makes of a page: a line for each node, and how often each kind of error occurs.
pub(crate) fn by_html5ever(html: &str) -> (Vec<String>, Vec<(ParseError, u32)>) {
    let witness = run(html, |_| {});
    let sink = witness.builder.sink;
    let errors = ParseError::ALL.into_iter().map(|kind| (kind, sink.counts[kind as usize].get()));
    (sink.lines(), errors.filter(|error| error.1 > 0).collect())
}

/// The tags that html5ever sees.
pub(crate) fn each_tag(html: &str, see: impl Fn(&html5ever::tokenizer::Tag)) {
    run(html, see);
}

fn run<See: Fn(&html5ever::tokenizer::Tag)>(html: &str, see: See) -> Witness<See> {
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let witness = Witness { builder: TreeBuilder::new(Sink::new(), options), see };
    let tokenizer = Tokenizer::new(witness, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink
}

struct Witness<See> {
    builder: TreeBuilder<u32, Sink>,
    see: See,
}

impl<See: Fn(&html5ever::tokenizer::Tag)> TokenSink for Witness<See> {
    type Handle = u32;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<u32> {
        self.builder.sink.expect(&token);
        if let Token::TagToken(tag) = &token {
            (self.see)(tag);
        }
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

#[derive(Debug)]
struct Sink {
    nodes: RefCell<Vec<Sprout>>,
    counts: [Cell<u32>; ParseError::ALL.len()],
    unexpected: Cell<Option<ParseError>>,
    /// Whether the tree builder has seen anything but a doctype, comments and white space.
    begun: Cell<bool>,
}

#[derive(Debug, Default)]
struct Sprout {
    content: Content,
    parent: Option<u32>,
    children: Vec<u32>,
}

#[derive(Debug, Default)]
enum Content {
    #[default]
    Document,
    Element {
        name: QualName,
        attributes: Vec<html5ever::Attribute>,
        is_annotation: bool,
    },
    Text(String),
    Other(String),
}

impl Sink {
    fn new() -> Sink {
        Sink {
            nodes: RefCell::new(vec![Sprout::default()]),
            counts: std::array::from_fn(|_| Cell::new(0)),
            unexpected: Cell::new(None),
            begun: Cell::new(false),
        }
    }

    fn expect(&self, token: &Token) {
        self.unexpected.set(match token {
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => {
                Some(ParseError::UnmatchedEndTag)
            }
            Token::TagToken(_) => Some(ParseError::UnexpectedStartTag),
            Token::CharacterTokens(_) => Some(ParseError::MisplacedText),
            Token::NullCharacterToken => None,
            Token::EOFToken => Some(ParseError::OpenAtEnd),
            Token::DoctypeToken(_) => {
                self.begun.set(true);
                Some(ParseError::MisplacedDoctype)
            }
            Token::CommentToken(_) | Token::ParseError(_) => Some(ParseError::Other),
        });
    }

    fn lines(&self) -> Vec<String> {
        let nodes = self.nodes.borrow();
        let mut lines = Vec::new();
        let mut todo: Vec<(u32, usize)> = vec![(0, 0)];
        while let Some((id, depth)) = todo.pop() {
            let sprout = &nodes[id as usize];
            match &sprout.content {
                Content::Document => {}
                Content::Element { name, attributes, .. } => {
                    lines.push(format!("{depth} <{} {}>", &*name.ns, &*name.local));
                    for html5ever::Attribute { name, value } in attributes {
                        let (prefix, ns) = (name.prefix.as_deref(), &*name.ns);
                        lines.push(format!("{depth} {prefix:?} {ns} {}={value}", &*name.local));
                    }
                }
                Content::Text(text) => lines.push(format!("{depth} \"{text}\"")),
                Content::Other(text) => lines.push(format!("{depth} {text}")),
            }
            todo.extend(sprout.children.iter().rev().map(|child| (*child, depth + 1)));
        }
        lines
    }

    fn add(&self, content: Content) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Sprout { content, ..Sprout::default() });
        nodes.len() as u32 - 1
    }

    fn detach(&self, id: u32) {
        let mut nodes = self.nodes.borrow_mut();
        if let Some(parent) = nodes[id as usize].parent.take() {
            nodes[parent as usize].children.retain(|child| *child != id);
        }
    }

    fn place(&self, parent: u32, before: Option<u32>, child: NodeOrText<u32>) {
        let id = match child {
            NodeOrText::AppendNode(id) => {
                self.detach(id);
                id
            }
            NodeOrText::AppendText(text) => {
                if self.join(parent, before, &text) {
                    return;
                }
                self.add(Content::Text(text.to_string()))
            }
        };
        let mut nodes = self.nodes.borrow_mut();
        nodes[id as usize].parent = Some(parent);
        let children = &mut nodes[parent as usize].children;
        let at = before.and_then(|before| children.iter().position(|child| *child == before));
        children.insert(at.unwrap_or(children.len()), id);
    }

    fn join(&self, parent: u32, before: Option<u32>, text: &str) -> bool {
        let mut nodes = self.nodes.borrow_mut();
        let children = &nodes[parent as usize].children;
        let at = before.and_then(|before| children.iter().position(|child| *child == before));
        let previous = at.unwrap_or(children.len()).checked_sub(1).map(|at| children[at]);
        match previous.map(|previous| &mut nodes[previous as usize].content) {
            Some(Content::Text(own)) => {
                own.push_str(text);
                true
            }
            _ => false,
        }
    }

    fn parent(&self, id: u32) -> Option<u32> {
        self.nodes.borrow()[id as usize].parent
    }
}

#[derive(Debug)]
struct BorrowedName<'a>(Ref<'a, QualName>);

impl ElemName for BorrowedName<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Sink {
    type Handle = u32;
    type Output = Sink;
    type ElemName<'a> = BorrowedName<'a>;

    fn finish(self) -> Sink {
        self
    }

    fn parse_error(&self, message: Cow<'static, str>) {
        let error = match kind(&message) {
            Some(error) => Some(error),
            // The first thing the tree builder does not expect is whatever comes without a doctype.
            None if !self.begun.replace(true) => Some(ParseError::MissingDoctype),
            None => self.unexpected.get(),
        };
        if let Some(error) = error {
            let count = &self.counts[error as usize];
            count.set(count.get() + 1);
        }
    }

    fn get_document(&self) -> u32 {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a u32) -> BorrowedName<'a> {
        BorrowedName(Ref::map(self.nodes.borrow(), |nodes| {
            match &nodes[*target as usize].content {
                Content::Element { name, .. } => name,
                _ => unreachable!("the parser asks only elements for their name"),
            }
        }))
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<html5ever::Attribute>,
        flags: ElementFlags,
    ) -> u32 {
        let is_annotation = flags.mathml_annotation_xml_integration_point;
        self.add(Content::Element { name, attributes, is_annotation })
    }

    fn create_comment(&self, text: StrTendril) -> u32 {
        self.add(Content::Other(format!("<!--{text}-->")))
    }

    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> u32 {
        self.create_comment(data)
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        self.place(*parent, None, child);
    }

    fn append_based_on_parent_node(&self, element: &u32, previous: &u32, child: NodeOrText<u32>) {
        match self.parent(*element) {
            Some(parent) => self.place(parent, Some(*element), child),
            None => self.place(*previous, None, child),
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        let id = self.add(Content::Other(format!("<!DOCTYPE {name} {public} {system}>")));
        self.place(0, None, NodeOrText::AppendNode(id));
    }

    fn get_template_contents(&self, target: &u32) -> u32 {
        *target
    }

    fn same_node(&self, one: &u32, other: &u32) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &u32, child: NodeOrText<u32>) {
        if let Some(parent) = self.parent(*sibling) {
            self.place(parent, Some(*sibling), child);
        }
    }

    fn add_attrs_if_missing(&self, target: &u32, new: Vec<html5ever::Attribute>) {
        let mut nodes = self.nodes.borrow_mut();
        let content = &mut nodes[*target as usize].content;
        let Content::Element { attributes, .. } = content else { return };
        for attribute in new {
            if !attributes.iter().any(|known| known.name == attribute.name) {
                attributes.push(attribute);
            }
        }
    }

    fn remove_from_parent(&self, target: &u32) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &u32, new_parent: &u32) {
        let children = self.nodes.borrow()[*node as usize].children.clone();
        for child in children {
            self.place(*new_parent, None, NodeOrText::AppendNode(child));
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, handle: &u32) -> bool {
        let nodes = self.nodes.borrow();
        matches!(nodes[*handle as usize].content, Content::Element { is_annotation: true, .. })
    }

    fn allow_declarative_shadow_roots(&self, _intended_parent: &u32) -> bool {
        false
    }
}

/// The kind of a text of the parser; `None` if it only says that a token is unexpected.
fn kind(text: &str) -> Option<ParseError> {
    if text == "Unexpected token" {
        return None;
    }
    #[rustfmt::skip]
    let texts: &[(&str, ParseError)] = &[
        ("Saw EOF",                                  ParseError::OpenAtEnd),
        ("Bad DOCTYPE",                              ParseError::BadDoctype),
        ("DOCTYPE in",                               ParseError::MisplacedDoctype),
        ("Duplicate attribute",                      ParseError::DuplicateAttribute),
        ("Attributes on an end tag",                 ParseError::BadTag),
        ("Self-closing end tag",                     ParseError::BadTag),
        ("Unacknowledged self-closing tag",          ParseError::SelfClosing),
        ("Semicolon missing",                        ParseError::BadCharacterReference),
        ("Numeric character reference",              ParseError::BadCharacterReference),
        ("Invalid numeric character reference",      ParseError::BadCharacterReference),
        ("Invalid character reference",              ParseError::BadCharacterReference),
        ("Character reference",                      ParseError::BadCharacterReference),
        ("EOF in numeric",                           ParseError::BadCharacterReference),
        ("EOF after '#'",                            ParseError::BadCharacterReference),
        ("Bad character",                            ParseError::BadCharacter),
        ("No ",                                      ParseError::UnmatchedEndTag),
        ("</",                                       ParseError::UnmatchedEndTag),
        ("Null form element pointer",                ParseError::UnmatchedEndTag),
        ("Form element not in scope",                ParseError::UnmatchedEndTag),
        ("Formatting element not open",              ParseError::UnmatchedEndTag),
        ("Formatting element not in scope",          ParseError::UnmatchedEndTag),
        ("Unexpected open tag at end of body",       ParseError::OpenAtEnd),
        ("Unexpected characters in table",           ParseError::MisplacedText),
        ("Non-space table text",                     ParseError::MisplacedText),
        ("Formatting element not current node",      ParseError::Misnested),
        ("Unexpected open element",                  ParseError::Misnested),
        ("Closing wrong heading tag",                ParseError::Misnested),
        ("Found special tag",                        ParseError::UnmatchedEndTag),
        ("Bad open element",                         ParseError::Misnested),
        ("expected to close",                        ParseError::Misnested),
        ("nested ",                                  ParseError::Misnested),
        ("Nested ",                                  ParseError::Misnested),
        ("hr in option",                             ParseError::Misnested),
    ];
    if let Some((_, error)) = texts.iter().find(|(start, _)| text.starts_with(start)) {
        return Some(*error);
    }
    let state = text.rsplit_once(" in state ").map_or("", |(_, state)| state);
    Some(if state.contains("Attribute") {
        ParseError::BadAttribute
    } else if state.contains("Comment") || state.contains("MarkupDeclaration") {
        ParseError::BadComment
    } else if state.contains("Doctype") {
        ParseError::BadDoctype
    } else if state.contains("Tag") {
        ParseError::BadTag
    } else if state.is_empty() {
        ParseError::Other
    } else {
        ParseError::BadCharacter
    })
}
