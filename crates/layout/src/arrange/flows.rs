//! Texts side by side on a part of the page only: marks beside an abstract, authors in a table.
//!
//! A gutter of the whole page is found by counting lines (see [`super::columns`]); where most of the page
//! is one column, a few lines side by side are too few for that. Two things tell them from a
//! table that is to be read row by row. Texts that run independently have baselines of their own, or
//! one of them fills its lines while the other goes on beside it. And authors side by side stand above
//! all text, in cells that begin below each other and bear no labels, or in a row, evenly apart.
//!
//! On a page in columns, a narrow text may stand beside a wide one above them, as publishers set what is to be
//! known of an article beside its abstract: lines of the wide one cross the gutters of the page.

use super::columns::em;
use super::strips::Strip;
use std::ops::Range;

/// White space of this many ems right across parts a page into bands.
const BAND_GAP: f32 = 1.5;

/// A text beside another has at least this many lines.
const FEWEST_LINES: usize = 4;

/// Full lines by which running text is told from cells.
const FEWEST_FULL: usize = 3;

/// A gap of this many ems parts two texts.
const TEXT_GAP: f32 = 1.2;

/// Gaps of a band that may part two texts: what has more is a table.
const MOST_GAPS: usize = 16;

/// Of the two texts side by side at least one is prose: lines of this many ems.
const PROSE_WIDTH: f32 = 15.0;

/// Of a narrow text behind the prose, lines in the middle are at least this many ems wide: numbers are not.
const WORDS_WIDTH: f32 = 3.5;

/// Parts of two texts side by side are apart by fewer ems, and so are their headings.
const FARTHEST_PART: f32 = 3.0;

/// Strips above two texts among which their headings are looked for.
const MOST_ABOVE: usize = 8;

/// Baselines that differ by this many ems are not one.
const OWN_BASELINE: f32 = 0.15;

/// Cells of a table of authors are at least this many ems wide: marks, numbers and bullets are not.
const CELL_WIDTH: f32 = 2.5;

/// Rows and cells of a table of authors.
const MOST_ROWS: usize = 8;
const MOST_CELLS: usize = 4;

/// Words of a name.
const NAME_WORDS: std::ops::RangeInclusive<usize> = 2..=5;

/// Names in a row are apart by fewer ems; what a row has at both its ends is not.
const FARTHEST_NAME: f32 = 4.5;

/// Names in a row are apart by the same, but for so many ems.
const EVEN: f32 = 0.4;

/// The strips of a page, which come from top to bottom, parted where texts begin and end to run side by
/// side.
#[derive(Debug)]
pub(super) enum Part {
    One(Vec<Strip>),
    Two { gutter: f32, strips: Vec<Strip> },
}

pub(super) fn parts(strips: Vec<Strip>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for mut band in bands(strips) {
        match (independent(&band), parts.last_mut()) {
            (Some(gutter), above) => {
                if let Some(Part::One(above)) = above {
                    band.splice(..0, headings(above, gutter));
                }
                parts.push(Part::Two { gutter, strips: band });
            }
            (None, Some(Part::One(strips))) => strips.extend(band),
            (None, _) => parts.push(Part::One(band)),
        }
    }
    parts
}

/// The last row above two texts, if it stands on both sides of what parts them: their headings.
fn headings(above: &mut Vec<Strip>, gutter: f32) -> Vec<Strip> {
    let Some(last) = above.last().map(|strip| strip.baseline) else { return Vec::new() };
    let is_last = |strip: &&Strip| (last - strip.baseline).abs() < OWN_BASELINE * em(strip);
    let count = above.iter().rev().take_while(is_last).count();
    let row = &above[above.len() - count..];
    let (left, right) =
        (row.iter().any(|it| it.right < gutter), row.iter().any(|it| it.left > gutter));
    let crosses = row.iter().any(|it| it.left < gutter && it.right > gutter);
    match left && right && !crosses {
        true => above.split_off(above.len() - count),
        false => Vec::new(),
    }
}

fn bands(strips: Vec<Strip>) -> Vec<Vec<Strip>> {
    let mut bands: Vec<Vec<Strip>> = Vec::new();
    for strip in strips {
        let is_near = |band: &&mut Vec<Strip>| {
            band.last().is_some_and(|above| are_near(above, &strip, BAND_GAP))
        };
        match bands.last_mut().filter(is_near) {
            Some(band) => band.push(strip),
            None => bands.push(vec![strip]),
        }
    }
    bands
}

fn are_near(above: &Strip, below: &Strip, ems: f32) -> bool {
    below.baseline - above.baseline < ems * em(below).max(em(above))
}

/// Two texts side by side on a page in columns: which of its strips, and what parts them.
#[derive(Debug)]
pub(super) struct Beside {
    pub(super) place: Range<usize>,
    pub(super) gutter: f32,
}

/// Finds a text beside one that crosses the gutters of the page, with what belongs to both above and below.
pub(super) fn beside(strips: &[Strip], gutters: &[f32]) -> Option<Beside> {
    let crosses = |strip: &&Strip| {
        let by = em(strip);
        gutters.iter().any(|gutter| strip.left < gutter - by && strip.right > gutter + by)
    };
    let mut start = 0;
    for band in strips.chunk_by(|above, below| are_near(above, below, BAND_GAP)) {
        let place = start..start + band.len();
        start = place.end;
        if band.iter().filter(crosses).count() < FEWEST_LINES {
            continue;
        }
        if let Some(gutter) = independent(band) {
            let above = begin_of_headings(strips, &place, gutter);
            let below = end_of_parts(strips, place.end, gutter, gutters);
            return Some(Beside { place: above..below, gutter });
        }
    }
    None
}

/// Where the headings of two texts begin: right above, one of them flush with the text behind the gutter.
fn begin_of_headings(strips: &[Strip], texts: &Range<usize>, gutter: f32) -> usize {
    let behind = strips[texts.clone()].iter().map(|strip| strip.left).filter(|left| *left > gutter);
    let edge = behind.fold(f32::INFINITY, f32::min);
    let is_level = |at: usize, with: usize| {
        (strips[with].baseline - strips[at].baseline).abs() < OWN_BASELINE * em(&strips[at])
    };
    let mut begin = texts.start;
    let mut at = begin;
    while at > 0
        && texts.start - at < MOST_ABOVE
        && is_clear(&strips[at - 1], gutter)
        && are_near(&strips[at - 1], &strips[at], FARTHEST_PART)
    {
        at -= 1;
        let is_flush = (strips[at].left - edge).abs() < 0.5 * em(&strips[at]);
        if is_flush || begin < texts.start && is_level(at, begin) {
            begin = at;
        }
    }
    begin
}

/// Where two texts end that go on below white space: before a strip that crosses what parts them or begins a
/// column of the page, and before the heading of what follows, which stands nearer to that.
fn end_of_parts(strips: &[Strip], from: usize, gutter: f32, gutters: &[f32]) -> usize {
    let begins_column = |strip: &Strip| {
        gutters.iter().any(|it| (0.0..1.5 * em(strip)).contains(&(strip.left - it)))
    };
    let mut end = from;
    while end < strips.len()
        && is_clear(&strips[end], gutter)
        && !begins_column(&strips[end])
        && are_near(&strips[end - 1], &strips[end], FARTHEST_PART)
    {
        end += 1;
    }
    while end > from && end < strips.len() {
        let last = &strips[end - 1];
        let room = strips[end].baseline - last.baseline;
        let level = |strip: &&Strip| last.baseline - strip.baseline < OWN_BASELINE * em(last);
        let row = strips[from..end].iter().rev().take_while(level).count();
        let above = strips[end - row - 1].baseline;
        if last.baseline - above <= room {
            break;
        }
        end -= row;
    }
    end
}

fn is_clear(strip: &Strip, gutter: f32) -> bool {
    strip.right < gutter || strip.left > gutter
}

/// The gutter between two texts that fill a band, if they run independently of each other.
fn independent(band: &[Strip]) -> Option<f32> {
    if band.len() < 2 * FEWEST_LINES {
        return None;
    }
    let mut by_left: Vec<&Strip> = band.iter().collect();
    by_left.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut end = f32::NEG_INFINITY;
    let mut gaps = 0;
    for (at, strip) in by_left.iter().enumerate() {
        let (left, right) = by_left.split_at(at);
        if at > 0 && strip.left - end > TEXT_GAP * em(strip) {
            gaps += 1;
            if gaps > MOST_GAPS {
                break;
            }
            if are_texts(left, right) {
                return Some((end + strip.left) / 2.0);
            }
        }
        end = end.max(strip.right);
    }
    None
}

fn are_texts(left: &[&Strip], right: &[&Strip]) -> bool {
    let is_prose = |strips: &[&Strip]| {
        let wide = strips.iter().filter(|it| it.right - it.left > PROSE_WIDTH * em(it)).count();
        wide >= FEWEST_LINES && wide * 2 >= strips.len()
    };
    let mut baselines: Vec<f32> = right.iter().map(|strip| strip.baseline).collect();
    baselines.sort_by(f32::total_cmp);
    let is_own = |strip: &&&Strip| {
        let near = OWN_BASELINE * em(strip);
        let next = baselines.partition_point(|other| *other <= strip.baseline - near);
        baselines.get(next).is_none_or(|other| *other >= strip.baseline + near)
    };
    left.len() >= FEWEST_LINES
        && right.len() >= FEWEST_LINES
        && (is_prose(left) || is_prose(right))
        && (left.iter().filter(is_own).count() * 2 >= left.len()
            || goes_on(left) && is_filled(right)
            || goes_on(right) && is_filled(left) && is_prose(left) && has_words(right))
}

/// Whether at least half of the lines are as wide as words.
fn has_words(strips: &[&Strip]) -> bool {
    let wide = strips.iter().filter(|it| it.right - it.left > WORDS_WIDTH * em(it)).count();
    wide * 2 >= strips.len()
}

/// Whether enough lines follow each other closely; labels of a table stand apart.
fn goes_on(strips: &[&Strip]) -> bool {
    let mut baselines: Vec<f32> = strips.iter().map(|strip| strip.baseline).collect();
    baselines.sort_by(f32::total_cmp);
    let near = BAND_GAP * strips.first().map_or(0.0, |strip| em(strip));
    let close = baselines.windows(2).filter(|pair| pair[1] - pair[0] < near).count();
    close + 1 >= FEWEST_LINES
}

/// Whether all lines but the last of a paragraph or two end at one place.
fn is_filled(strips: &[&Strip]) -> bool {
    let end = strips.iter().map(|strip| strip.right).fold(f32::NEG_INFINITY, f32::max);
    let full = strips.iter().filter(|strip| end - strip.right < 0.3 * em(strip)).count();
    full >= FEWEST_FULL && full * 3 >= strips.len() * 2
}

/// Which rows belong to a table of authors above all text; the text has that width.
pub(super) fn tables_of_authors(rows: &[Vec<Strip>], width: f32) -> Vec<bool> {
    let head = rows.iter().position(|row| is_text(row, width)).unwrap_or(rows.len());
    let mut flags = vec![false; rows.len()];
    let mut at = 0;
    while at < head {
        let count = table_rows(&rows[at..head]).max(usize::from(is_row_of_names(&rows[at])));
        flags[at..at + count].fill(true);
        at += count.max(1);
    }
    flags
}

/// Whether a row is a line of running text: below it stands no head of a paper.
fn is_text(row: &[Strip], width: f32) -> bool {
    let [strip] = row else { return false };
    strip.words.len() >= 8 && strip.right - strip.left > 0.9 * width
}

/// How many of the rows from the first on are a table of authors: at least two, their cells below each
/// other, the first of them no labels.
fn table_rows(rows: &[Vec<Strip>]) -> usize {
    let begins = |row: &&Vec<Strip>| is_row_of_cells(row) && !is_form(row);
    let Some(first) = rows.first().filter(begins) else { return 0 };
    let is_below = |row: &&Vec<Strip>| {
        is_row_of_cells(row)
            && row.len() == first.len()
            && row.iter().zip(first).all(|(cell, above)| {
                let middles = (cell.left + cell.right - above.left - above.right) / 2.0;
                (cell.left - above.left).abs() < 0.3 * em(cell) || middles.abs() < 0.3 * em(cell)
            })
    };
    let count = rows.iter().take(MOST_ROWS).take_while(is_below).count();
    if count < 2 { 0 } else { count }
}

/// Whether the row begins with a single word, as labels of a form do and authors do not.
fn is_form(row: &[Strip]) -> bool {
    row.first().is_some_and(|cell| cell.words.len() < 2)
}

/// Whether a row holds nothing but names, as far apart from each other as a few spaces are.
fn is_row_of_names(row: &[Strip]) -> bool {
    let is_name = |cell: &Strip| {
        let capital = |word: Option<&crate::LayoutWord>| {
            word.is_some_and(|word| word.text.starts_with(char::is_uppercase))
        };
        let is_part = |word: &crate::LayoutWord| {
            let is_sign = |c: char| c.is_alphabetic() || matches!(c, '.' | '-' | '\'' | '’');
            word.raised != 0.0 || word.text.chars().all(is_sign)
        };
        let words = cell.words.iter().filter(|word| word.raised == 0.0).count();
        let last = cell.words.iter().rfind(|word| word.raised == 0.0);
        NAME_WORDS.contains(&words)
            && capital(cell.words.first())
            && capital(last)
            && cell.words.iter().all(is_part)
    };
    let gaps = row.windows(2).map(|pair| (pair[1].left - pair[0].right) / em(&pair[0]));
    let (least, most) =
        gaps.fold((f32::INFINITY, 0.0f32), |(least, most), gap| (least.min(gap), most.max(gap)));
    (2..=MOST_CELLS).contains(&row.len())
        && row.iter().all(is_name)
        && most < FARTHEST_NAME
        && most - least < EVEN
}

fn is_row_of_cells(row: &[Strip]) -> bool {
    let is_cell = |cell: &Strip| {
        let has_digits = |text: &str| text.contains(|c: char| c.is_ascii_digit());
        cell.right - cell.left > CELL_WIDTH * em(cell)
            && cell.words.iter().any(|word| word.text.contains(char::is_alphabetic))
            && !cell.words.iter().all(|word| has_digits(&word.text))
    };
    let is_label = row.first().and_then(|cell| cell.words.last());
    let is_label = is_label.is_some_and(|word| word.text.ends_with([':', '.', ']', ')']));
    (2..=MOST_CELLS).contains(&row.len()) && !is_label && row.iter().all(is_cell)
}
