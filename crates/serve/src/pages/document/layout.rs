//! The pages of a paper as they are laid out: each word at its place, drawn as SVG, with boxes around what statements
//! were made of. Formats without places are shown block by block.

use super::words;
use crate::look::pager;
use crate::view::View;
use auslese_layout::{LayoutBlock, LayoutPage, LayoutText, LayoutWord};
use auslese_model::{Description, Field, FoundAt};
use maud::{Markup, html};
use serde::Serialize;

/// Pages of a document that can be looked at.
pub(crate) const MAX_LAYOUT_PAGES: usize = 10;
/// Words of a page that are drawn.
pub(crate) const MAX_LAYOUT_WORDS: usize = 6_000;

/// One page to be shown.
#[derive(Debug, Serialize)]
pub(super) struct ShownLayout {
    /// From 1.
    page: usize,
    /// Pages that can be looked at.
    pages: usize,
    /// Pages there are, where that is known.
    page_count: Option<u32>,
    oddities: Vec<String>,
    layout: LayoutPage,
    hits: Vec<Hit>,
}

/// A statement that was made of a part of the page.
#[derive(Debug, Serialize)]
struct Hit {
    statement: usize,
    field: Field,
    value: String,
    /// Block, line and word, from 1.
    place: (usize, Option<usize>, Option<usize>),
    /// Left, top, right and bottom, for each block it reaches into; none in formats without places.
    bounds: Vec<[f32; 4]>,
}

/// A place in a document made of pages: page, block, line, word, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PaperPlace {
    page: usize,
    block: Option<usize>,
    line: Option<usize>,
    word: Option<usize>,
}

impl PaperPlace {
    /// Reads a path such as `/document/page[2]/block[7]/line`; none for what stands on no page.
    fn parse(path: &str) -> Option<PaperPlace> {
        let mut place = PaperPlace { page: 0, block: None, line: None, word: None };
        for step in path.strip_prefix("/document/")?.split('/') {
            let (name, number) = step.split_once('[').unwrap_or((step, "1]"));
            let number: usize = number.strip_suffix(']')?.parse().ok()?;
            match name {
                "page" => place.page = number,
                "block" => place.block = Some(number),
                "line" => place.line = Some(number),
                "word" => place.word = Some(number),
                // The text of a word, or an attribute of it.
                _ => break,
            }
        }
        (place.page > 0).then_some(place)
    }
}

/// The page that a place is on, from 1.
pub(super) fn page_of(path: &str) -> Option<usize> {
    PaperPlace::parse(path).map(|place| place.page)
}

impl ShownLayout {
    pub(super) fn of(
        mut text: LayoutText,
        page: usize,
        description: Option<&Description>,
    ) -> ShownLayout {
        let pages = text.pages.len().clamp(1, MAX_LAYOUT_PAGES);
        let page = page.clamp(1, pages);
        let layout = if text.pages.len() >= page {
            text.pages.swap_remove(page - 1)
        } else {
            LayoutPage::default()
        };
        let statements = description.map_or(&[][..], |it| it.statements.as_slice());
        let mut hits = Vec::new();
        for (number, statement) in statements.iter().enumerate().filter(|(_, it)| it.chosen) {
            let Some(FoundAt::Path(path)) = &statement.place else { continue };
            let place = PaperPlace::parse(path).filter(|place| place.page == page);
            let Some((place, block)) = place.and_then(|place| Some((place, place.block?))) else {
                continue;
            };
            hits.push(Hit {
                statement: number,
                field: statement.field,
                value: statement.value.clone(),
                place: (block, place.line, place.word),
                bounds: boxes(&layout, place, &statement.value),
            });
        }
        let oddities = text.oddities.iter().map(|it| format!("{}: {}", it.kind, it.detail));
        ShownLayout {
            page,
            pages,
            page_count: text.page_count,
            oddities: oddities.collect(),
            layout,
            hits,
        }
    }

    pub(super) fn markup(&self, view: &View, overview: &str) -> Markup {
        let has_places = self.layout.width > 0.0 && self.layout.height > 0.0;
        let count = self.page_count.filter(|count| *count as usize > self.pages);
        html! {
            @for oddity in &self.oddities { p .note lang="en" { (oddity) } }
            (self.legend(view, overview))
            @if has_places { (self.drawing(view)) } @else { (self.running(view)) }
            (pager(view, self.page, self.pages))
            @if let Some(count) = count {
                p .soft {
                    (view.say("The document has ", "Das Dokument hat ")) (count) (view.say(" pages; the first ", " Seiten; die ersten ")) (self.pages)
                    (view.say(" can be looked at here.", " können hier angesehen werden."))
                }
            }
        }
    }

    fn legend(&self, view: &View, overview: &str) -> Markup {
        let mut fields: Vec<(Field, &Hit)> = Vec::new();
        for hit in &self.hits {
            if !fields.iter().any(|(field, _)| *field == hit.field) {
                fields.push((hit.field, hit));
            }
        }
        html! {
            @if fields.is_empty() {
                p .soft { (view.say("No statement was made of this page.", "Aus dieser Seite stammt keine Aussage.")) }
            } @else {
                ul .legend {
                    @for (field, hit) in fields {
                        li {
                            svg .key viewBox="0 0 12 12" aria-hidden="true" { rect class=(colour(field)) width="12" height="12" rx="2" {} }
                            a href={ (overview) "#s" (hit.statement) } { (words::field(view, field)) }
                        }
                    }
                }
            }
        }
    }

    fn drawing(&self, view: &View) -> Markup {
        let (width, height) = (self.layout.width, self.layout.height);
        let name = format!("{} {}", view.say("Page", "Seite"), self.page);
        let words =
            self.layout.blocks.iter().flat_map(|block| &block.lines).flat_map(|line| &line.words);
        html! {
            svg .layout viewBox={ "0 0 " (length(width)) " " (length(height)) } role="img" aria-label=(name) {
                rect .paper x="0" y="0" width=(length(width)) height=(length(height)) {}
                @for (hit, is_first) in self.distinct() {
                    g #{ "m" (hit.statement) } {
                        @for [left, top, right, bottom] in hit.bounds.iter().filter(|_| is_first) {
                            rect class={ "box " (colour(hit.field)) } x=(length(left - 2.0)) y=(length(top - 1.5)) width=(length(right - left + 4.0)) height=(length(bottom - top + 3.0)) rx="2" {
                                title { (words::field(view, hit.field)) ": " (hit.value) }
                            }
                        }
                    }
                }
                @for word in words.take(MAX_LAYOUT_WORDS) {
                    text x=(length(word.left)) y=(length(word.baseline - word.raised)) font-size=(length(size_of(word)))
                        textLength=[drawn_length(word)] lengthAdjust=[drawn_length(word).map(|_| "spacingAndGlyphs")]
                        font-weight=[word.style.bold.then_some("bold")] font-style=[word.style.italic.then_some("italic")] { (word.text) }
                }
            }
        }
    }

    /// All hits; and whether none before was made of the same words in the same colour.
    fn distinct(&self) -> impl Iterator<Item = (&Hit, bool)> {
        self.hits.iter().enumerate().map(|(number, hit)| {
            let same = |other: &Hit| {
                other.bounds == hit.bounds && colour(other.field) == colour(hit.field)
            };
            (hit, !self.hits[..number].iter().any(same))
        })
    }

    /// Block by block, for formats without places.
    fn running(&self, view: &View) -> Markup {
        html! {
            div .sheet .running {
                @for (number, block) in self.layout.blocks.iter().enumerate() {
                    @let hits: Vec<&Hit> = self.hits.iter().filter(|hit| hit.place.0 == number + 1).collect();
                    p .is-large[block_size(block) >= 14.0] {
                        @for hit in &hits {
                            span #{ "m" (hit.statement) } class={ "tag box-tag " (colour(hit.field)) } title=(hit.value) { (words::field(view, hit.field)) } " "
                        }
                        @if hits.is_empty() { (block_text(block)) } @else { mark { (block_text(block)) } }
                    }
                }
            }
        }
    }
}

/// Fields that are told apart by colour.
fn colour(field: Field) -> &'static str {
    match field {
        Field::Title | Field::Description => "series-0",
        Field::Author | Field::Institution => "series-1",
        Field::Abstract => "series-2",
        Field::Keywords | Field::Classification => "series-3",
        Field::References => "series-4",
        Field::ReferencedAuthor | Field::ReferencedTitle | Field::ReferencedInstitution => {
            "series-6"
        }
        Field::Date | Field::Identifier | Field::Rights => "series-5",
        Field::Type | Field::Language | Field::Format | Field::FullText => "series-7",
    }
}

/// Boxes around the words of a value, which begin at its place and may reach into later blocks; around the place itself
/// where the value was not taken word by word.
fn boxes(page: &LayoutPage, place: PaperPlace, value: &str) -> Vec<[f32; 4]> {
    let said = spoken(page, place, value);
    let around = || words_at(page, place).and_then(bounds).into_iter().collect();
    said.map_or_else(around, |blocks| blocks.into_iter().filter_map(bounds).collect())
}

/// The words of a page from the block of a place on that say a value, block by block.
fn spoken<'p>(
    page: &'p LayoutPage,
    place: PaperPlace,
    value: &str,
) -> Option<Vec<Vec<&'p LayoutWord>>> {
    let value = letters(value);
    let first = place.block?.checked_sub(1)?;
    let begins = page.blocks.get(first)?.lines.iter().map(|line| line.words.len()).sum();
    let words: Vec<(usize, &LayoutWord)> = page
        .blocks
        .iter()
        .enumerate()
        .skip(first)
        .flat_map(|(number, block)| {
            block.lines.iter().flat_map(|line| &line.words).map(move |it| (number, it))
        })
        .take(MAX_LAYOUT_WORDS)
        .collect();
    (0..begins).find_map(|start| {
        let mut rest = value.as_str();
        let mut blocks: Vec<(usize, Vec<&LayoutWord>)> = Vec::new();
        for (block, word) in &words[start..] {
            let text = letters(&word.text);
            match rest.strip_prefix(text.as_str()) {
                Some(after) => rest = after,
                // A mark of a footnote is no part of what is said.
                None if word.raised != 0.0 && !blocks.is_empty() => continue,
                None => return None,
            }
            match blocks.last_mut() {
                Some((number, words)) if number == block => words.push(word),
                _ => blocks.push((*block, vec![word])),
            }
            if rest.is_empty() {
                return Some(blocks.into_iter().map(|(_, words)| words).collect());
            }
        }
        None
    })
}

/// What two spellings of a text have in common.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn words_at(page: &LayoutPage, place: PaperPlace) -> Option<Vec<&LayoutWord>> {
    let at = |number: Option<usize>| number.and_then(|number| number.checked_sub(1));
    let block = page.blocks.get(at(place.block)?)?;
    let lines = match at(place.line) {
        Some(line) => std::slice::from_ref(block.lines.get(line)?),
        None => &block.lines,
    };
    let words = lines.iter().flat_map(|line| &line.words);
    Some(match (place.line, at(place.word)) {
        (Some(_), Some(word)) => vec![lines.first()?.words.get(word)?],
        _ => words.collect(),
    })
}

fn bounds(words: Vec<&LayoutWord>) -> Option<[f32; 4]> {
    let placed = words.iter().filter(|word| word.right > word.left && word.baseline.is_finite());
    placed.fold(None, |known: Option<[f32; 4]>, word| {
        let size = size_of(word);
        let [left, top, right, bottom] = known.unwrap_or([f32::MAX, f32::MAX, f32::MIN, f32::MIN]);
        Some([
            left.min(word.left),
            top.min(word.baseline - 0.75 * size),
            right.max(word.right),
            bottom.max(word.baseline + 0.25 * size),
        ])
    })
}

fn size_of(word: &LayoutWord) -> f32 {
    let size = word.style.size;
    if size.is_finite() && size > 0.0 { size.min(200.0) } else { 10.0 }
}

/// How long a word is to be drawn, so that other type takes the same room.
fn drawn_length(word: &LayoutWord) -> Option<String> {
    let length_of = word.right - word.left;
    (length_of.is_finite() && length_of > 0.5 && word.text.chars().count() > 1)
        .then(|| length(length_of))
}

fn length(value: f32) -> String {
    let value = if value.is_finite() { value.clamp(-100_000.0, 100_000.0) } else { 0.0 };
    format!("{value:.1}")
}

fn block_size(block: &LayoutBlock) -> f32 {
    let words = block.lines.iter().flat_map(|line| &line.words);
    words.map(|word| word.style.size).fold(0.0, f32::max)
}

/// The text of a block: one space between words, divided words whole.
pub(super) fn block_text(block: &LayoutBlock) -> String {
    let mut text = String::new();
    let mut joins = true;
    for word in block.lines.iter().flat_map(|line| &line.words) {
        if !joins {
            text.push(' ');
        }
        text.push_str(&word.text);
        joins = word.continues;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_layout::{LayoutLine, Style};

    #[test]
    fn places_are_read() {
        let place = |page, block, line, word| Some(PaperPlace { page, block, line, word });
        #[rustfmt::skip]
        let cases = [
            ("/document/page[2]/block[7]/line[1]", place(2, Some(7), Some(1), None)),
            ("/document/page/block[3]",            place(1, Some(3), None, None)),
            ("/document/page[1]/block[1]/line/word[4]/text()", place(1, Some(1), Some(1), Some(4))),
            ("/document/@title",                   None),
            ("/html/body/p",                       None),
            ("/document/page[x]",                  None),
            ("",                                   None),
        ];
        for (path, expected) in cases {
            assert_eq!(PaperPlace::parse(path), expected, "{path}");
        }
    }

    fn word(text: &str, left: f32, right: f32, baseline: f32) -> LayoutWord {
        let style = Style { size: 10.0, ..Style::default() };
        LayoutWord {
            text: text.to_owned(),
            left,
            right,
            baseline,
            style,
            raised: 0.0,
            continues: false,
        }
    }

    #[test]
    fn boxes_hold_all_words() {
        let lines = vec![
            LayoutLine { words: vec![word("a", 10.0, 20.0, 100.0), word("b", 25.0, 40.0, 100.0)] },
            LayoutLine { words: vec![word("c", 5.0, 12.0, 112.0)] },
        ];
        let block = LayoutBlock { lines, ..LayoutBlock::default() };
        let page = LayoutPage { width: 100.0, height: 200.0, blocks: vec![block] };
        let at = |path: &str| words_at(&page, PaperPlace::parse(path).unwrap()).and_then(bounds);
        assert_eq!(at("/document/page/block"), Some([5.0, 92.5, 40.0, 114.5]));
        assert_eq!(at("/document/page/block[1]/line[2]"), Some([5.0, 104.5, 12.0, 114.5]));
        assert_eq!(at("/document/page/block[1]/line[1]/word[2]"), Some([25.0, 92.5, 40.0, 102.5]));
        assert_eq!(at("/document/page/block[9]"), None);
        let said = |path: &str, value: &str| boxes(&page, PaperPlace::parse(path).unwrap(), value);
        assert_eq!(said("/document/page/block", "B, c."), [[5.0, 92.5, 40.0, 114.5]]);
        assert_eq!(said("/document/page/block[1]/line[1]", "b"), [[25.0, 92.5, 40.0, 102.5]]);
        assert_eq!(said("/document/page/block", "c d"), [[5.0, 92.5, 40.0, 114.5]], "as a whole");
    }
}
