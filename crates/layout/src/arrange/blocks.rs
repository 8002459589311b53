//! Blocks: lines one below the other between which nothing changes.
//!
//! A block ends where the next line is set in another size or weight, where the gap is wider than
//! between the lines before, where a paragraph begins by its indentation or a list entry by the
//! lack of one, and where centred lines and others meet. It goes on behind a divided word.

use super::columns::Region;
use super::strips::Strip;
use crate::{Alignment, LayoutBlock, LayoutLine, LayoutWord};

/// Lefts and rights that differ by fewer ems are the same.
const SAME_EDGE: f32 = 0.35;

/// An indentation has at least this many ems.
const INDENT: f32 = 0.7;

/// Nor has it more than this; what begins farther right is a heading.
const WIDEST_INDENT: f32 = 6.0;

/// Lines in a block are apart by less than this many ems, if nothing else is known.
const USUAL_LEADING: f32 = 1.45;

/// The gap between blocks, as a multiple of the gap between lines.
const WIDER: f32 = 1.22;

/// The same behind a line that does not fill the column.
const A_LITTLE_WIDER: f32 = 1.12;

/// The share of a full line that a heading leaves free.
const HEADING_ROOM: f32 = 0.45;

/// Lines of paragraphs have more ems than this.
const FULL_LINE: f32 = 15.0;

/// The two parts of a divided word are on lines that are apart by fewer ems.
const FARTHEST_PART: f32 = 3.0;

/// The lines of a region as blocks, from top to bottom.
pub(super) fn blocks(mut region: Region) -> Vec<LayoutBlock> {
    let usual = Usual { leading: usual_leading(&region.lines), size: usual_size(&region.lines) };
    let mut blocks: Vec<LayoutBlock> = Vec::new();
    let mut first = 0;
    for next in 1..=region.lines.len() {
        let ends = next == region.lines.len()
            || Meeting { region: &region, first, next, usual }.ends_block();
        if ends {
            blocks.push(block(&mut region, first, next, usual));
            first = next;
        }
    }
    blocks
}

/// How many ems the lines of paragraphs are apart in the region: most gaps are between such lines,
/// and on pages with few of them, at least the narrower gaps are.
fn usual_leading(lines: &[Strip]) -> f32 {
    let mut leadings: Vec<f32> = lines
        .windows(2)
        .map(|pair| (pair[1].baseline - pair[0].baseline) / size(&pair[0]).max(size(&pair[1])))
        .filter(|leading| (0.8..2.6).contains(leading))
        .collect();
    if leadings.len() < 4 {
        return USUAL_LEADING / WIDER;
    }
    let quarter = leadings.len() / 4;
    *leadings.select_nth_unstable_by(quarter, f32::total_cmp).1
}

fn usual_size(lines: &[Strip]) -> f32 {
    let mut sizes: Vec<f32> = lines.iter().map(size).collect();
    super::median(&mut sizes).unwrap_or(super::USUAL_SIZE)
}

fn size(line: &Strip) -> f32 {
    if line.style.size > 0.5 { line.style.size } else { super::USUAL_SIZE }
}

/// A line, and the block before it that it may belong to.
struct Meeting<'r> {
    region: &'r Region,
    first: usize,
    next: usize,
    usual: Usual,
}

/// How most lines of a region are set.
#[derive(Debug, Clone, Copy)]
struct Usual {
    /// From line to line, in ems.
    leading: f32,
    size: f32,
}

impl Meeting<'_> {
    fn ends_block(&self) -> bool {
        let (before, line) = (&self.lines()[self.next - 1], &self.lines()[self.next]);
        if self.divides_word(before, line) {
            return false;
        }
        if self.is_set_otherwise(before, line) || self.is_far_below(before, line) {
            return true;
        }
        !self.region.is_stack && self.changes_place(before, line)
    }

    /// Whether a full line ends with the first part of a word and the next begins with the rest.
    fn divides_word(&self, before: &Strip, line: &Strip) -> bool {
        let (Some(part), Some(rest)) = (before.words.last(), line.words.first()) else {
            return false;
        };
        let em = size(line);
        let gap = line.baseline - before.baseline;
        let stem = part.text.strip_suffix(['-', '\u{ad}', '\u{2010}']);
        self.is_wide(before)
            && (0.92..1.09).contains(&(size(before) / em))
            && (0.5 * em..FARTHEST_PART * em).contains(&gap)
            && stem.is_some_and(|stem| stem.ends_with(char::is_lowercase))
            && rest.text.starts_with(char::is_lowercase)
            && part.style == rest.style
    }

    fn changes_place(&self, before: &Strip, line: &Strip) -> bool {
        self.is_slanted_otherwise(before, line)
            || self.stands_above_paragraph(before, line)
            || self.ended_short(before, line)
            || self.is_centred(before) != self.is_centred(line)
                && (self.is_wide(before)
                    || self.is_wide(line)
                    || self.at_left(before)
                    || self.at_left(line))
            || !self.is_centred(line) && self.begins_by_place(before, line)
    }

    fn lines(&self) -> &[Strip] {
        &self.region.lines
    }

    fn is_set_otherwise(&self, before: &Strip, line: &Strip) -> bool {
        let ratio = size(before) / size(line);
        let is_bold = |word: Option<&LayoutWord>| word.is_some_and(|word| word.style.bold);
        // A stressed word may go on in the next line; a heading does not go on in the text.
        let weight = before.style.bold != line.style.bold
            && is_bold(before.words.last()) != is_bold(line.words.first());
        !(0.92..1.09).contains(&ratio) || weight
    }

    /// Where words are stressed, a line may begin in another slant than the one before ended in; but
    /// not where that one was short.
    fn is_slanted_otherwise(&self, before: &Strip, line: &Strip) -> bool {
        before.style.italic != line.style.italic
            && self.region.right - before.right > 4.0 * size(before)
    }

    /// Whether full lines follow a line that is much shorter: a heading in the type of the text, at
    /// the left or centred.
    fn stands_above_paragraph(&self, before: &Strip, line: &Strip) -> bool {
        let Some(after) = self.lines().get(self.next + 1) else { return false };
        let em = size(line);
        let same_edges = (after.left - line.left).abs() < SAME_EDGE * em
            && (after.right - line.right).abs() < SAME_EDGE * em;
        let room = line.right - before.right;
        let is_flush = (before.left - line.left).abs() < SAME_EDGE * em;
        let is_heading = if is_flush {
            room > HEADING_ROOM * (line.right - line.left)
        } else {
            let off = (before.left - line.left) - room;
            room > em && off.abs() < 0.6 * em
        };
        same_edges && is_heading && line.right - line.left > FULL_LINE * em
    }

    /// Whether a paragraph ended with a shorter line, since the next one is a little farther below or
    /// begins in bold.
    fn ended_short(&self, before: &Strip, line: &Strip) -> bool {
        if self.next - self.first < 2 {
            return false;
        }
        let above = &self.lines()[self.next - 2];
        let is_bold = |word: Option<&LayoutWord>| word.is_some_and(|word| word.style.bold);
        let farther = line.baseline - before.baseline
            > A_LITTLE_WIDER * (before.baseline - above.baseline).max(0.9 * size(line));
        let bolder = is_bold(line.words.first()) && !is_bold(before.words.last());
        self.is_wide(above)
            && self.region.right - before.right > 1.5 * size(before)
            && (farther || bolder)
    }

    fn is_far_below(&self, before: &Strip, line: &Strip) -> bool {
        let gap = line.baseline - before.baseline;
        let em = size(line);
        let known = (self.next - self.first >= 2).then(|| {
            let above = &self.lines()[self.next - 2];
            before.baseline - above.baseline
        });
        let usual = self.usual.leading * em;
        // Two lines may be set wider than the rest of the page, such as a title; so they say
        // themselves what is far, and a single line may be as far as large type is.
        let limit = match known {
            Some(known) => WIDER * known.max(0.9 * em),
            None => WIDER * usual.max(if self.is_centred(line) { 1.3 * em } else { 0.0 }),
        };
        gap > limit || gap < -0.5 * em
    }

    /// Whether the line begins a paragraph by being indented, or an entry by not being so.
    fn begins_by_place(&self, before: &Strip, line: &Strip) -> bool {
        let em = size(line);
        let shift = line.left - before.left;
        if shift > INDENT * em {
            // Entries of lists are indented from their second line on.
            let after = self.lines().get(self.next + 1);
            let stays = after.is_some_and(|after| (after.left - line.left).abs() < SAME_EDGE * em);
            let hangs = self.next - self.first == 1 && (stays || begins_with_label(before));
            return !hangs;
        }
        if shift < -WIDEST_INDENT * em {
            return true;
        }
        if shift < -INDENT * em {
            let is_first_line = self.next - self.first == 1;
            return !is_first_line || begins_with_label(line);
        }
        // Entries one below the other, each with its number.
        self.next - self.first == 1 && begins_with_label(before) && begins_with_label(line)
    }

    /// Whether the room left and right is the same, and is there. Lines of larger type need none:
    /// a title may be nearly as wide as the page.
    fn is_centred(&self, line: &Strip) -> bool {
        let (before, after) = (line.left - self.region.left, self.region.right - line.right);
        let em = size(line);
        let needed = if em > 1.15 * self.usual.size { 0.05 } else { 1.2 };
        let middle = (line.left + line.right) / 2.0;
        let [of_region, of_page] =
            self.region.middles.map(|centre| (middle - centre).abs() < 0.3 * em);
        // On the middle of the page, what is right of it may be missing on the rest of the page.
        before > needed * em && (of_page || (of_region && after > needed * em))
    }

    fn at_left(&self, line: &Strip) -> bool {
        line.left - self.region.left < SAME_EDGE * size(line)
    }

    fn is_wide(&self, line: &Strip) -> bool {
        self.region.right - line.right < SAME_EDGE * size(line)
    }
}

/// Whether a line begins as an entry does: `[12]`, `(3)`, `4.`, `•`.
fn begins_with_label(line: &Strip) -> bool {
    let Some(word) = line.words.first().map(|word| word.text.as_str()) else { return false };
    let bracketed = (word.starts_with('[') && word.contains(']'))
        || (word.starts_with('(') && word.ends_with(')') && word.len() <= 6);
    let number = word.strip_suffix('.').or(word.strip_suffix(')')).unwrap_or("");
    let numbered =
        !number.is_empty() && number.len() <= 3 && number.bytes().all(|b| b.is_ascii_digit());
    bracketed || numbered || matches!(word, "•" | "–" | "·" | "∗" | "◦")
}

/// Takes the words of the lines from the region.
fn block(region: &mut Region, first: usize, after: usize, usual: Usual) -> LayoutBlock {
    let alignment = alignment(region, first, after, usual);
    let lines = region.lines[first..after].iter_mut();
    let lines = lines.map(|line| LayoutLine { words: std::mem::take(&mut line.words) });
    LayoutBlock { lines: lines.collect(), alignment, style_name: None, column: region.column }
}

fn alignment(region: &Region, first: usize, after: usize, usual: Usual) -> Option<Alignment> {
    let lines = &region.lines[first..after];
    let meeting = Meeting { region, first, next: after, usual };
    let em = size(&lines[0]);
    let equal = |edges: &mut dyn Iterator<Item = f32>| {
        let (least, most) = edges
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), edge| (a.min(edge), b.max(edge)));
        most - least < SAME_EDGE * em
    };
    let lefts_equal = equal(&mut lines.iter().map(|line| line.left));
    let middles_equal = equal(&mut lines.iter().map(|line| (line.left + line.right) / 2.0));
    let all_centred = lines.iter().all(|line| meeting.is_centred(line));
    if all_centred && (lines.len() == 1 || middles_equal) || region.is_stack {
        return Some(Alignment::Centred);
    }
    if middles_equal && !lefts_equal {
        return Some(Alignment::Centred);
    }
    let pushed_right = lines.iter().all(|line| {
        meeting.is_wide(line) && line.left - region.left > 0.3 * (region.right - region.left)
    });
    if pushed_right {
        return Some(Alignment::Right);
    }
    // All lines but the last end at one place.
    let full = &lines[..lines.len() - 1];
    let justified = match full {
        [] => false,
        [only] => meeting.is_wide(only),
        _ => equal(&mut full.iter().map(|line| line.right)),
    };
    Some(if justified { Alignment::Justified } else { Alignment::Left })
}
