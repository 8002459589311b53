//! Finds what makes up half of a page and tells nothing to whoever reads it.
//!
//! Programs, style sheets, comments, drawings and pictures written into the page are no text, and
//! building a tree of them takes as long as of the rest. [`crate::parse_text`] leaves them out. Only
//! their content goes: the elements stay where they are, empty, so that the rest of the tree is the
//! same. Scripts that hold data, such as JSON-LD, stay.

use crate::lexer::{Lexer, RawElement, Tag, Token};
use crate::references::base;
use std::ops::Range;

/// Bytes that are left of a picture written into an attribute: they say what it is.
const DATA_URL_BEGINNING: usize = 32;

/// What was found in one walk over the tags of a page.
#[derive(Debug, Default)]
pub(crate) struct Bulk {
    /// Ranges of the source to be left out, in order and apart.
    pub(crate) ranges: Vec<Range<usize>>,
    /// In how many tags there were too many attributes; those are among the ranges.
    pub(crate) overfull_tags: usize,
    /// As the first `<base>` has it.
    pub(crate) base: Option<String>,
}

pub(crate) fn bulk(text: &str) -> Bulk {
    let mut bulk = Bulk::default();
    let mut drawing: Option<Drawing> = None;
    let mut holds_data = false;
    let mut lexer = Lexer::new(text);
    loop {
        let before = lexer.position();
        let Some(token) = lexer.next() else { return bulk };
        let mut opens_drawing = false;
        match token {
            Token::Start(tag) => {
                bulk.start_tag(&tag, text);
                holds_data = tag.is("script") && tag.value("type").is_some_and(|it| is_data(&it));
                opens_drawing = tag.is("svg") && tag.foreign && !tag.self_closing;
                if !tag.foreign {
                    // HTML within a drawing, or a tag that ended it.
                    drawing = None;
                }
            }
            Token::End(tag) => {
                if let Some(open) = &mut drawing
                    && tag.is("svg")
                {
                    open.depth -= 1;
                    if open.depth == 0 {
                        let start = open.start;
                        drawing = None;
                        bulk.leave_out(start..before);
                    }
                }
            }
            Token::Raw(RawElement::Script, range) if !holds_data => bulk.leave_out(range),
            Token::Raw(RawElement::Style, range) => bulk.leave_out(range),
            Token::Comment(range) => bulk.comment(range, text),
            Token::Raw(..) | Token::Text(_) | Token::Cdata(_) => {}
        }
        if opens_drawing {
            let start = lexer.position();
            drawing.get_or_insert(Drawing { start, depth: 0 }).depth += 1;
        }
    }
}

/// An `<svg>` that may be left out once its end is found.
struct Drawing {
    /// Where its content begins.
    start: usize,
    /// How many `<svg>` in each other are open.
    depth: usize,
}

impl Bulk {
    fn start_tag(&mut self, tag: &Tag<'_, '_>, text: &str) {
        for attribute in tag.attributes {
            let value = attribute.value.clone();
            let is_data = text[value.clone()].get(..5).is_some_and(|it| it == "data:");
            if is_data && value.len() > 2 * DATA_URL_BEGINNING {
                let start = text.floor_char_boundary(value.start + DATA_URL_BEGINNING);
                self.leave_out(start..value.end);
            }
        }
        if !tag.skipped.is_empty() {
            self.overfull_tags += 1;
            self.leave_out(tag.skipped.clone());
        }
        if self.base.is_none() {
            self.base = base(tag).map(|href| tag.value_of(href).into_owned());
        }
    }

    /// The marks stay: without them, what stands around would be read together.
    fn comment(&mut self, range: Range<usize>, text: &str) {
        let inside = text[range.clone()].strip_prefix("<!--").and_then(|it| it.strip_suffix("-->"));
        if let Some(inside) = inside {
            self.leave_out(range.start + 4..range.start + 4 + inside.len());
        }
    }

    /// What was left out within the range is part of it now.
    fn leave_out(&mut self, range: Range<usize>) {
        while self.ranges.last().is_some_and(|last| last.start >= range.start) {
            self.ranges.pop();
        }
        if !range.is_empty() {
            self.ranges.push(range);
        }
    }
}

/// `application/ld+json` and its like.
fn is_data(media_type: &str) -> bool {
    media_type.trim_ascii_end().to_ascii_lowercase().ends_with("json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Node, Page, parse, parse_text};
    use proptest::prelude::*;

    fn without_bulk(html: &str) -> String {
        let mut rest = html.to_owned();
        for range in bulk(html).ranges.into_iter().rev() {
            rest.replace_range(range, "");
        }
        rest
    }

    #[test]
    fn cases() {
        let picture = format!("<img src=\"data:image/png;base64,{}\" alt=a>", "x".repeat(90));
        let cut = "<img src=\"data:image/png;base64,xxxxxxxxxx\" alt=a>";
        #[rustfmt::skip]
        let cases = [
            ("<p>a</p>",                                     "<p>a</p>"),
            ("a<script>b < c</script>d",                     "a<script></script>d"),
            ("<script type='application/ld+json'>{}</script>", "<script type='application/ld+json'>{}</script>"),
            ("<style>p { }</style><p style='b'>",            "<style></style><p style='b'>"),
            ("a<!-- b <p> -->c<!---->",                      "a<!---->c<!---->"),
            ("<svg a=b><g><path d=M/></g></svg>c",           "<svg a=b></svg>c"),
            ("<svg><svg><g/></svg><g/></svg>c<svg/>d",       "<svg></svg>c<svg/>d"),
            ("<svg><g><p>a</svg>",                           "<svg><g><p>a</svg>"),
            ("<svg><!-- a --><title>b</title>",              "<svg><!----><title>b</title>"),
            (picture.as_str(),                               cut),
            ("<textarea><!-- a --></textarea>",              "<textarea><!-- a --></textarea>"),
        ];
        for (html, expected) in cases {
            assert_eq!(without_bulk(html), expected, "{html}");
        }
    }

    /// Elements and texts that are no bulk, with their depth.
    fn outside_of_bulk(page: &Page) -> Vec<(usize, String)> {
        let tree = page.tree();
        let is_bulk = |id| {
            let element = tree.element(id);
            element.is_some_and(|it| ["script", "style", "svg"].contains(&it.name()))
        };
        let outside = tree.ids().filter(|id| !tree.ancestors(*id).any(is_bulk));
        outside
            .map(|id| {
                let told = match tree.node(id) {
                    Node::Element(element) => element.name().to_owned(),
                    Node::Text(text) => format!("\"{text}"),
                    _ => String::new(),
                };
                (tree.depth(id), told)
            })
            .collect()
    }

    proptest! {
        /// What a reader sees is the same with and without, but for the words in drawings.
        #[test]
        fn the_text_stays(
            pieces in proptest::collection::vec(
                "[ab<>/ ]{0,3}|<!--a?-?->?|<svg>(<path/>|<g></g>|<svg></svg>|<!--a-->){0,3}</svg>\
                |<(p|b|title|table|td|script|style|textarea|template)( a=b)?/?>\
                |</(p|b|title|table|td|script|style|textarea|template)>",
                0..24,
            )
        ) {
            let html = format!("<body>{}", pieces.concat());
            let whole = parse(html.as_bytes(), Some("utf-8"));
            let lean = parse_text(html.as_bytes(), Some("utf-8"));
            prop_assert_eq!(outside_of_bulk(&whole), outside_of_bulk(&lean), "{}", html);
        }
    }
}
