//! The visible text in blocks, each with what its mark-up says about it.
//!
//! A block is what a reader takes as one piece: a heading, a paragraph, an item of a list, a row of
//! a table. One `<br>` only begins a new line in it, two begin a new block, because that is how
//! pages without `<p>` set their paragraphs apart. The text itself is made in [`crate::text`]; here
//! is what belongs to it.

use crate::tree::Element;

/// Blocks of one document. What follows the last is added to it line by line, so no text is lost.
pub const MAX_BLOCKS: usize = 200_000;

/// Longest language tag that is believed (RFC 5646 asks to expect 35 characters).
pub const MAX_LANGUAGE_TAG: usize = 35;

/// A piece of the visible text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextBlock {
    /// White space normalised; lines by line feeds, cells by tabs.
    pub text: String,
    pub kind: BlockKind,
    /// The language declared by the nearest element that declares one, as written.
    pub lang: Option<String>,
    pub place: Place,
    /// Characters without white space.
    pub characters: u32,
    /// Those of them inside links.
    pub link_characters: u32,
}

impl TextBlock {
    /// The share of characters inside links.
    pub fn link_density(&self) -> f64 {
        f64::from(self.link_characters) / f64::from(self.characters.max(1))
    }
}

/// What a block is, by the nearest element that says so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// With its level, from 1 to 6.
    Heading(u8),
    Paragraph,
    ListItem,
    /// A row of a table, or a block within a cell.
    Cell,
    Preformatted,
    #[default]
    Other,
}

/// The part of the page in which a block stands, by the nearest element that says so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Place {
    #[default]
    Main,
    Navigation,
    Header,
    Footer,
    Aside,
}

/// What an element hands down to the text inside it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Context {
    kind: BlockKind,
    place: Place,
    /// Which of [`Heads::languages`].
    lang: Option<u32>,
    in_link: bool,
}

/// Where blocks begin in a text, with what is known of each.
#[derive(Debug, Default)]
pub(crate) struct Heads {
    heads: Vec<Head>,
    languages: Vec<String>,
}

#[derive(Debug)]
struct Head {
    start: usize,
    context: Context,
    characters: u32,
    link_characters: u32,
}

impl Heads {
    /// The context inside an element.
    pub(crate) fn inside(&mut self, element: &Element, outside: Context) -> Context {
        let mut context = outside;
        if let Some(kind) = kind(element) {
            context.kind = kind;
        }
        if let Some(place) = place(element) {
            context.place = place;
        }
        context.in_link |= element.is("a") && element.attribute("href").is_some();
        if let Some(tag) = language(element) {
            context.lang = self.language(tag);
        }
        context
    }

    /// Whether another block may begin.
    pub(crate) fn has_room(&self) -> bool {
        self.heads.len() < MAX_BLOCKS
    }

    pub(crate) fn begin(&mut self, start: usize, context: Context) {
        self.heads.push(Head { start, context, characters: 0, link_characters: 0 });
    }

    /// Adds words with so many spaces between them.
    pub(crate) fn words(&mut self, words: &str, spaces: usize, context: Context) {
        let Some(head) = self.heads.last_mut() else { return };
        let count = u32::try_from(words.chars().count() - spaces).unwrap_or(u32::MAX);
        head.characters = head.characters.saturating_add(count);
        if context.in_link {
            head.link_characters = head.link_characters.saturating_add(count);
        }
    }

    /// Cuts the text into its blocks; each but the last ends with one line feed, which joins them.
    pub(crate) fn cut(self, text: &str) -> Vec<TextBlock> {
        let ends = self.heads.iter().skip(1).map(|head| head.start - 1).chain([text.len()]);
        self.heads
            .iter()
            .zip(ends)
            .map(|(head, end)| TextBlock {
                text: text[head.start..end].to_owned(),
                kind: head.context.kind,
                lang: head.context.lang.map(|at| self.languages[at as usize].clone()),
                place: head.context.place,
                characters: head.characters,
                link_characters: head.link_characters,
            })
            .collect()
    }

    /// An empty tag says that the language is unknown.
    fn language(&mut self, tag: &str) -> Option<u32> {
        if tag.is_empty() {
            return None;
        }
        // Pages name few languages, and the last one again and again.
        if self.languages.last().is_none_or(|last| last != tag) {
            self.languages.push(tag.to_owned());
        }
        u32::try_from(self.languages.len() - 1).ok()
    }
}

fn kind(element: &Element) -> Option<BlockKind> {
    if !element.is(element.name()) {
        return None;
    }
    Some(match element.name() {
        "h1" => BlockKind::Heading(1),
        "h2" => BlockKind::Heading(2),
        "h3" => BlockKind::Heading(3),
        "h4" => BlockKind::Heading(4),
        "h5" => BlockKind::Heading(5),
        "h6" => BlockKind::Heading(6),
        "p" => BlockKind::Paragraph,
        "li" | "dt" | "dd" => BlockKind::ListItem,
        "td" | "th" | "caption" => BlockKind::Cell,
        "pre" | "listing" | "xmp" | "plaintext" | "textarea" => BlockKind::Preformatted,
        _ => return None,
    })
}

fn place(element: &Element) -> Option<Place> {
    match element.name() {
        "nav" => Some(Place::Navigation),
        "header" => Some(Place::Header),
        "footer" => Some(Place::Footer),
        "aside" => Some(Place::Aside),
        "main" => Some(Place::Main),
        _ => match element.attribute("role")? {
            "navigation" | "menu" | "menubar" => Some(Place::Navigation),
            "banner" => Some(Place::Header),
            "contentinfo" => Some(Place::Footer),
            "complementary" | "search" => Some(Place::Aside),
            "main" => Some(Place::Main),
            _ => None,
        },
    }
}

/// The language an element declares. XHTML's `xml:lang` counts where there is no `lang`.
pub(crate) fn language(element: &Element) -> Option<&str> {
    let written = element.attribute("lang").or_else(|| element.attribute("xml:lang"))?;
    Some(written.trim()).filter(|tag| tag.len() <= MAX_LANGUAGE_TAG)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use BlockKind::{Cell, Heading, ListItem, Other, Paragraph, Preformatted};
    use Place::{Aside, Footer, Header, Main, Navigation};

    /// Text, kind, place and language.
    type Expected<'a> = (&'a str, BlockKind, Place, Option<&'a str>);

    #[test]
    fn blocks() {
        #[rustfmt::skip]
        let cases: &[(&str, &[Expected<'_>])] = &[
            ("",                                     &[]),
            ("<h2>a</h2>b",                          &[("a", Heading(2), Main, None), ("b", Other, Main, None)]),
            ("<p>a<br>b<br><br>c",                   &[("a\nb", Paragraph, Main, None), ("c", Paragraph, Main, None)]),
            ("<ul><li>a<li><p>b</ul>",               &[("a", ListItem, Main, None), ("b", Paragraph, Main, None)]),
            ("<table><tr><td>a<td>b<tr><td><p>c</table>", &[("a\tb", Cell, Main, None), ("c", Paragraph, Main, None)]),
            ("<pre>a\n b\n\nc</pre>",                &[("a\nb", Preformatted, Main, None), ("c", Preformatted, Main, None)]),
            ("<nav><li>a</nav><header>b</header>",   &[("a", ListItem, Navigation, None), ("b", Other, Header, None)]),
            ("<div role=contentinfo>a</div><aside>b<main>c", &[("a", Other, Footer, None), ("b", Other, Aside, None), ("c", Other, Main, None)]),
            ("<html lang=de><p>a<p lang=' en '>b<p>c", &[("a", Paragraph, Main, Some("de")), ("b", Paragraph, Main, Some("en")), ("c", Paragraph, Main, Some("de"))]),
            ("<html xml:lang=de><p lang=''>a<p>b",   &[("a", Paragraph, Main, None), ("b", Paragraph, Main, Some("de"))]),
        ];
        for (html, expected) in cases {
            let blocks = parse(html.as_bytes(), None).blocks();
            let told: Vec<_> = blocks
                .iter()
                .map(|block| (&*block.text, block.kind, block.place, block.lang.as_deref()))
                .collect();
            assert_eq!(told, *expected, "{html}");
        }
    }

    #[test]
    fn languages_too_long_are_none() {
        let html = format!("<p lang={}>a", "x".repeat(MAX_LANGUAGE_TAG + 1));
        assert_eq!(parse(html.as_bytes(), None).blocks()[0].lang, None);
    }

    #[test]
    fn characters_in_links() {
        let html = "<p>für <a href=x>dich und <b>ö</b></a> <a name=y>mich</a>";
        let block = &parse(html.as_bytes(), None).blocks()[0];
        assert_eq!((block.characters, block.link_characters), (15, 8));
        assert!((block.link_density() - 8.0 / 15.0).abs() < 1e-9);
    }

    #[test]
    fn too_many_blocks_become_lines() {
        let html = format!("<pre>{}", "a\n\n".repeat(MAX_BLOCKS + 5));
        let page = parse(html.as_bytes(), None);
        let blocks = page.blocks();
        assert_eq!(blocks.len(), MAX_BLOCKS);
        assert_eq!(blocks[MAX_BLOCKS - 1].text, "a\na\na\na\na\na");
    }
}
