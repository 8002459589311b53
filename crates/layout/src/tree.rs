//! The layout text as a tree, so that XPath and the heuristics serve papers too.
//!
//! `document` holds `page`s, these `block`s, these `line`s, these `word`s; what is known of each is
//! in its attributes, in points with one decimal. An attribute that would say no (`bold`,
//! `centred`) or nothing (a `size` the format does not tell) is not there. The text of a block
//! reads as a person would read it aloud: one space between words, divided words whole.

use crate::arrange::{STRIP_GAP, main_style};
use crate::{Alignment, LayoutBlock, LayoutLine, LayoutPage, LayoutText, LayoutWord, Style};
use auslese_markup::{Page, TreeBuilder};

/// Sizes that differ by less have the same rank: formats round them.
const SAME_SIZE: f32 = 0.25;

/// The tree of the document; see the table in the manual for its attributes.
pub fn tree(text: &LayoutText) -> Page {
    labelled_tree(text, &[])
}

/// The same with what the first lines of the first pages are, as far as somebody knows: by page, then
/// by line in reading order.
pub fn labelled_tree(text: &LayoutText, labels: &[Vec<&'static str>]) -> Page {
    let mut builder = TreeBuilder::new();
    builder.open("document", document_attributes(text));
    let pages: Vec<Vec<Style>> = text.pages.iter().map(block_styles).collect();
    let ranks = Ranks::of(pages.iter().flatten());
    for (number, (page, styles)) in text.pages.iter().zip(&pages).enumerate() {
        let labels = labels.get(number).map_or(&[][..], Vec::as_slice);
        Writer { builder: &mut builder, ranks: &ranks, page, labels }.write(number + 1, styles);
    }
    builder.close();
    Page::of_tree(builder.finish())
}

type Attributes = Vec<(&'static str, String)>;

fn document_attributes(text: &LayoutText) -> Attributes {
    let properties = &text.properties;
    let said = [
        ("title", &properties.title),
        ("author", &properties.author),
        ("subject", &properties.subject),
        ("keywords", &properties.keywords),
        ("created", &properties.created),
        ("producer", &properties.producer),
        ("language", &properties.language),
    ];
    let mut attributes = vec![("pages", text.pages.len().to_string())];
    attributes.extend(text.page_count.map(|count| ("page-count", count.to_string())));
    attributes
        .extend(said.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?.clone()))));
    attributes
}

fn block_styles(page: &LayoutPage) -> Vec<Style> {
    page.blocks
        .iter()
        .map(|block| style_of(block.lines.iter().flat_map(|line| &line.words)))
        .collect()
}

fn style_of<'w>(words: impl Iterator<Item = &'w LayoutWord>) -> Style {
    main_style(words.map(|word| (word.style, word.text.len())))
}

/// The sizes of blocks, the largest first, each once.
#[derive(Debug)]
struct Ranks(Vec<f32>);

impl Ranks {
    fn of<'s>(styles: impl Iterator<Item = &'s Style>) -> Ranks {
        let mut sizes: Vec<f32> =
            styles.map(|style| style.size).filter(|size| size.is_finite() && *size > 0.0).collect();
        sizes.sort_by(|a, b| b.total_cmp(a));
        sizes.dedup_by(|smaller, larger| *larger - *smaller < SAME_SIZE);
        Ranks(sizes)
    }

    /// From 1, for the largest.
    fn rank(&self, size: f32) -> Option<usize> {
        let smaller = self.0.partition_point(|known| *known - size >= SAME_SIZE);
        (size > 0.0).then_some(smaller + 1)
    }
}

struct Writer<'t> {
    builder: &'t mut TreeBuilder,
    ranks: &'t Ranks,
    page: &'t LayoutPage,
    /// Of the lines that are still to come.
    labels: &'t [&'static str],
}

impl Writer<'_> {
    fn write(&mut self, number: usize, styles: &[Style]) {
        let page_ranks = Ranks::of(styles.iter());
        let mut attributes = vec![("number", number.to_string())];
        push_length(&mut attributes, "width", self.page.width);
        push_length(&mut attributes, "height", self.page.height);
        self.builder.open("page", attributes);
        let mut above: Option<&LayoutBlock> = None;
        for (number, (block, style)) in self.page.blocks.iter().zip(styles).enumerate() {
            let mut attributes = vec![("number", (number + 1).to_string())];
            push_style(&mut attributes, *style);
            push_count(&mut attributes, "rank", self.ranks.rank(style.size));
            push_count(&mut attributes, "page-rank", page_ranks.rank(style.size));
            push_block(&mut attributes, block, self.page.height);
            push_gap(&mut attributes, above, block);
            self.builder.open("block", attributes);
            self.lines(block);
            self.builder.close();
            // Blocks are no element of a sentence, but their texts must not run together.
            if !ends_divided(block) {
                self.builder.text("\n");
            }
            above = Some(block);
        }
        self.builder.close();
    }

    fn lines(&mut self, block: &LayoutBlock) {
        let mut words = block.lines.iter().flat_map(|line| &line.words).skip(1);
        for (number, line) in block.lines.iter().enumerate() {
            let mut attributes = vec![("number", (number + 1).to_string())];
            push_style(&mut attributes, style_of(line.words.iter()));
            push_place(&mut attributes, line);
            if let Some((label, rest)) = self.labels.split_first() {
                attributes.push(("label", (*label).to_owned()));
                self.labels = rest;
            }
            self.builder.open("line", attributes);
            for (at, word) in line.words.iter().enumerate() {
                let mut attributes = word_attributes(word);
                if line.words.get(at + 1).is_some_and(|next| is_spaced(word, next)) {
                    attributes.push(("spaced", yes()));
                }
                self.builder.open("word", attributes);
                self.builder.text(&word.text);
                self.builder.close();
                if words.next().is_some_and(|next| word.is_apart_from(next)) {
                    self.builder.text(" ");
                }
            }
            self.builder.close();
        }
    }
}

/// Whether two words of a line are as far apart as the cells of a table are.
fn is_spaced(word: &LayoutWord, next: &LayoutWord) -> bool {
    next.left - word.right > STRIP_GAP * word.style.size.max(next.style.size)
}

fn ends_divided(block: &LayoutBlock) -> bool {
    last_word(block).is_some_and(|word| word.continues)
}

fn first_word(block: &LayoutBlock) -> Option<&LayoutWord> {
    block.lines.iter().flat_map(|line| &line.words).next()
}

fn last_word(block: &LayoutBlock) -> Option<&LayoutWord> {
    block.lines.iter().flat_map(|line| &line.words).next_back()
}

fn push_style(attributes: &mut Attributes, style: Style) {
    push_length(attributes, "size", style.size);
    let flags = [("bold", style.bold), ("italic", style.italic), ("small-caps", style.small_caps)];
    attributes.extend(flags.into_iter().filter(|flag| flag.1).map(|(name, _)| (name, yes())));
}

fn push_count(attributes: &mut Attributes, name: &'static str, count: Option<usize>) {
    attributes.extend(count.map(|count| (name, count.to_string())));
}

/// A length that is known: 0 says that it is not.
fn push_length(attributes: &mut Attributes, name: &'static str, length: f32) {
    if length.is_finite() && length != 0.0 {
        attributes.push((name, decimal(length)));
    }
}

/// With one decimal, or none where that is 0; written by hand because every word has some.
fn decimal(length: f32) -> String {
    let tenths = (f64::from(length) * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, tenth) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    if tenth == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{tenth}") }
}

fn yes() -> String {
    "yes".to_owned()
}

fn push_block(attributes: &mut Attributes, block: &LayoutBlock, height: f32) {
    attributes.push(("lines", block.lines.len().to_string()));
    let align = block.alignment.map(|alignment| match alignment {
        Alignment::Left => "left",
        Alignment::Centred => "centred",
        Alignment::Right => "right",
        Alignment::Justified => "justified",
    });
    attributes.extend(align.map(|align| ("align", align.to_owned())));
    if block.alignment == Some(Alignment::Centred) {
        attributes.push(("centred", yes()));
    }
    attributes.extend(block.column.map(|column| ("column", (u32::from(column) + 1).to_string())));
    attributes.extend(block.style_name.clone().map(|name| ("style", name)));
    let (Some(first), Some(last)) = (first_word(block), last_word(block)) else { return };
    let words = || block.lines.iter().flat_map(|line| &line.words);
    let top = first.baseline - 0.75 * first.style.size;
    push_length(attributes, "left", words().map(|word| word.left).fold(f32::INFINITY, f32::min));
    push_length(attributes, "right", words().map(|word| word.right).fold(0.0, f32::max));
    push_length(attributes, "top", top);
    push_length(attributes, "bottom", last.baseline + 0.25 * last.style.size);
    if height > 0.0 && top.is_finite() {
        attributes.push(("position", format!("{:.2}", (top / height).clamp(0.0, 1.0))));
    }
}

/// The white space above a block, below the one before it in the same column.
fn push_gap(attributes: &mut Attributes, above: Option<&LayoutBlock>, block: &LayoutBlock) {
    if let Some(above) = above
        && let (Some(last), Some(first)) = (last_word(above), first_word(block))
    {
        let gap = first.baseline - last.baseline - first.style.size;
        if gap > -first.style.size {
            push_length(attributes, "gap", gap);
        }
    }
}

fn push_place(attributes: &mut Attributes, line: &LayoutLine) {
    let Some(first) = line.words.first() else { return };
    push_length(attributes, "left", first.left);
    push_length(attributes, "right", line.words.iter().map(|word| word.right).fold(0.0, f32::max));
    let base = line.words.iter().find(|word| word.raised == 0.0).unwrap_or(first);
    push_length(attributes, "baseline", base.baseline);
}

fn word_attributes(word: &LayoutWord) -> Attributes {
    let mut attributes = Vec::new();
    push_length(&mut attributes, "left", word.left);
    push_length(&mut attributes, "right", word.right);
    push_style(&mut attributes, word.style);
    push_length(&mut attributes, "raised", word.raised);
    if word.continues {
        attributes.push(("continues", yes()));
    }
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PageOfPieces, Piece, Properties, arrange};
    use auslese_markup::{StepBudget, XPath, XPathNode};

    fn sample() -> LayoutText {
        let mut pieces = Vec::new();
        let mut line = |text: &str, left: f32, baseline: f32, size: f32, bold: bool| {
            let mut at = left;
            for word in text.split(' ') {
                let right = at + 0.5 * size * word.chars().count() as f32;
                let style = Style { size, bold, ..Style::default() };
                pieces.push(Piece { text: word.to_owned(), left: at, right, baseline, style });
                at = right + 0.33 * size;
            }
            at
        };
        line("Über die Zahlen", 235.9, 100.0, 17.2, true);
        let at = line("Anna Muster", 262.0, 130.0, 12.0, false);
        line("1", at - 3.9, 126.0, 8.0, false);
        line(
            "Dieser Text ist lang genug für drei volle Zeilen und hat eine Ver-",
            100.0,
            180.0,
            10.0,
            false,
        );
        line(
            "öffentlichung. Er steht an der linken Kante und dann auch am rechten",
            100.0,
            192.0,
            10.0,
            false,
        );
        line("Rand, wie es sich gehört.", 100.0, 204.0, 10.0, false);
        let page = arrange(&PageOfPieces { width: 595.0, height: 842.0, pieces });
        let properties =
            Properties { title: Some("zahlen.dvi".to_owned()), ..Properties::default() };
        LayoutText { pages: vec![page], page_count: Some(7), properties, oddities: Vec::new() }
    }

    fn ask(page: &Page, question: &str) -> String {
        let path = XPath::parse(question).expect("valid");
        let mut budget = StepBudget::default();
        let answer = path.evaluate(page.tree(), XPathNode::DOCUMENT, &|_| None, &mut budget);
        answer.expect("in budget").string(page.tree()).into_owned()
    }

    #[test]
    fn questions_about_a_paper() {
        let page = tree(&sample());
        #[rustfmt::skip]
        let cases = [
            ("/document/@title",                                   "zahlen.dvi"),
            ("/document/@page-count",                              "7"),
            ("//page/@number",                                     "1"),
            ("//page/@width",                                      "595"),
            ("//block[@rank = 1]",                                 "Über die Zahlen"),
            ("//block[@page-rank = 2]",                            "Anna Muster1"),
            ("//block[@centred and @bold]/@size",                  "17.2"),
            ("//word[@raised > 0]",                                "1"),
            ("//word[@raised > 0]/preceding-sibling::word[1]",     "Muster"),
            ("count(//block)",                                     "3"),
            ("count(//block[3]/line)",                             "3"),
            ("//block[3]/@align",                                  "left"),
            ("substring-after(//block[3], 'eine ')",               "Veröffentlichung. Er steht an der linken Kante und dann auch am rechten Rand, wie es sich gehört."),
            ("//word[@continues]",                                 "Ver"),
            ("//block[2]/@gap > 15 and //block[2]/@gap < 20",      "true"),
            ("//block[1]/@position",                               "0.10"),
            ("//line[contains(., 'Anna')]/@baseline",              "130"),
        ];
        for (question, expected) in cases {
            let found = ask(&page, question);
            assert_eq!(found, expected, "{question}");
        }
    }

    #[test]
    fn lengths_have_one_decimal_at_most() {
        for (length, expected) in
            [(12.0, "12"), (17.215, "17.2"), (-3.61, "-3.6"), (-0.01, "0"), (0.06, "0.1")]
        {
            assert_eq!(decimal(length), expected);
        }
    }

    #[test]
    fn plain_text_parts_blocks_and_pages() {
        let mut text = sample();
        text.pages.push(text.pages[0].clone());
        let plain = text.text();
        assert!(plain.starts_with("Über die Zahlen\n\nAnna Muster1\n\nDieser Text"), "{plain}");
        assert!(plain.contains("gehört.\n\n\x0CÜber die Zahlen"), "{plain}");
    }

    #[test]
    fn formats_without_places_and_sizes_have_no_such_attributes() {
        let word = |text: &str| LayoutWord {
            text: text.to_owned(),
            left: 0.0,
            right: 0.0,
            baseline: 0.0,
            style: Style::default(),
            raised: 0.0,
            continues: false,
        };
        let line = LayoutLine { words: vec![word("Ein"), word("Satz.")] };
        let block = LayoutBlock {
            lines: vec![line],
            style_name: Some("Heading 1".to_owned()),
            ..LayoutBlock::default()
        };
        let page = LayoutPage { blocks: vec![block], ..LayoutPage::default() };
        let page = tree(&LayoutText { pages: vec![page], ..LayoutText::default() });
        assert_eq!(ask(&page, "//block[@style = 'Heading 1']"), "Ein Satz.");
        assert_eq!(ask(&page, "count(//@size | //@left | //@rank | //@position | //@gap)"), "0");
    }
}
