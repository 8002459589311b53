//! What the tree builder wants to know of an element again and again, as bits found by its name.
//!
//! The lists are those of the HTML standard (§13.2.4.2, "stack of open elements") as html5ever, which
//! witnesses our trees, has them: elements of SVG and MathML are not special, and `annotation-xml`
//! ends no scope.

use super::interner::Name;
use crate::names::{KNOWN_NAMES, Known};
use crate::tree::Namespace;

/// A set of the bits below.
pub(super) type Categories = u32;

pub(super) const SPECIAL: Categories = 1;
/// Ends a scope.
pub(super) const SCOPE: Categories = 1 << 1;
/// Ends a list item scope, too.
pub(super) const LIST: Categories = 1 << 2;
/// Ends a button scope, too.
pub(super) const BUTTON: Categories = 1 << 3;
pub(super) const TABLE_SCOPE: Categories = 1 << 4;
/// End tag may be left out.
pub(super) const IMPLIED_END: Categories = 1 << 5;
/// End tag is added at the end of a template.
pub(super) const THOROUGH_END: Categories = 1 << 6;
pub(super) const HEADING: Categories = 1 << 7;
/// What rows may stand in, and what ends the search for it.
pub(super) const TABLE_BODY_CONTEXT: Categories = 1 << 8;
/// What cells may stand in, and what ends the search for it.
pub(super) const ROW_CONTEXT: Categories = 1 << 9;
/// Table, its parts and rows: nothing but these may stand in them.
pub(super) const TABLE_PART: Categories = 1 << 10;
pub(super) const CELL: Categories = 1 << 11;
/// May be open where the body ends.
pub(super) const OPEN_AT_END: Categories = 1 << 12;
/// Ends foreign content.
pub(super) const BREAKS_OUT: Categories = 1 << 13;
/// Cannot nest, or its content is raw text.
pub(super) const LEAF: Categories = 1 << 14;
/// MathML whose content is HTML but for two tags.
pub(super) const TEXT_POINT: Categories = 1 << 15;
/// SVG or MathML whose content is HTML.
pub(super) const HTML_POINT: Categories = 1 << 16;
/// `annotation-xml` of MathML.
pub(super) const ANNOTATION: Categories = 1 << 17;

/// The categories of an element.
#[inline]
pub(super) fn categories(name: Name, namespace: Namespace) -> Categories {
    use Known::{AnnotationXml, Desc, ForeignObject, Mi, Mn, Mo, Ms, Mtext, Title};
    match (namespace, name.known) {
        (Namespace::Html, known) => html_categories(known),
        (Namespace::MathMl, Mi | Mo | Mn | Ms | Mtext) => TEXT_POINT | SCOPE,
        (Namespace::MathMl, AnnotationXml) => ANNOTATION,
        (Namespace::Svg, ForeignObject | Desc | Title) => HTML_POINT | SCOPE,
        _ => 0,
    }
}

#[inline]
pub(super) fn html_categories(name: Known) -> Categories {
    OF_HTML[name as usize]
}

type Table = [Categories; KNOWN_NAMES];

static OF_HTML: Table = {
    use Known::*;
    let mut table = [0; KNOWN_NAMES];
    #[rustfmt::skip]
    mark(&mut table, SPECIAL, &[
        Address, Applet, Area, Article, Aside, Base, Basefont, Bgsound, Blockquote, Body, Br, Button,
        Caption, Center, Col, Colgroup, Dd, Details, Dir, Div, Dl, Dt, Embed, Fieldset, Figcaption,
        Figure, Footer, Form, Frame, Frameset, H1, H2, H3, H4, H5, H6, Head, Header, Hgroup, Hr, Html,
        Iframe, Img, Input, Isindex, Li, Link, Listing, Main, Marquee, Menu, Meta, Nav, Noembed,
        Noframes, Noscript, Object, Ol, P, Param, Plaintext, Pre, Script, Section, Select, Source,
        Style, Summary, Table, Tbody, Td, Template, Textarea, Tfoot, Th, Thead, Title, Tr, Track, Ul,
        Wbr, Xmp,
    ]);
    let scope = &[Applet, Caption, Html, Table, Td, Th, Marquee, Object, Select, Template];
    mark(&mut table, SCOPE, scope);
    mark(&mut table, LIST, &[Ol, Ul]);
    mark(&mut table, BUTTON, &[Button]);
    mark(&mut table, TABLE_SCOPE, &[Html, Table, Template]);
    let implied = &[Dd, Dt, Li, Option, Optgroup, P, Rb, Rp, Rt, Rtc];
    mark(&mut table, IMPLIED_END | THOROUGH_END, implied);
    mark(&mut table, THOROUGH_END, &[Caption, Colgroup, Tbody, Td, Tfoot, Th, Thead, Tr]);
    mark(&mut table, HEADING, &[H1, H2, H3, H4, H5, H6]);
    mark(&mut table, TABLE_BODY_CONTEXT, &[Tbody, Tfoot, Thead, Template, Html]);
    mark(&mut table, ROW_CONTEXT, &[Tr, Template, Html]);
    mark(&mut table, TABLE_PART, &[Table, Tbody, Tfoot, Thead, Tr]);
    mark(&mut table, CELL, &[Td, Th]);
    #[rustfmt::skip]
    mark(&mut table, OPEN_AT_END, &[
        Dd, Dt, Li, Optgroup, Option, P, Rp, Rt, Tbody, Td, Tfoot, Th, Thead, Tr, Body, Html,
    ]);
    #[rustfmt::skip]
    mark(&mut table, BREAKS_OUT, &[
        B, Big, Blockquote, Body, Br, Center, Code, Dd, Div, Dl, Dt, Em, Embed, H1, H2, H3, H4, H5, H6,
        Head, Hr, I, Img, Li, Listing, Menu, Meta, Nobr, Ol, P, Pre, Ruby, S, Small, Span, Strong,
        Strike, Sub, Sup, Table, Tt, U, Ul, Var,
    ]);
    #[rustfmt::skip]
    mark(&mut table, LEAF, &[
        Script, Style, Title, Textarea, Iframe, Noframes, Noembed, Xmp, Plaintext, Img, Br, Hr, Input,
        Meta, Link, Base, Area, Col, Param, Frame, Embed, Wbr,
    ]);
    table
};

const fn mark(table: &mut Table, category: Categories, names: &[Known]) {
    let mut at = 0;
    while at < names.len() {
        table[names[at] as usize] |= category;
        at += 1;
    }
}
