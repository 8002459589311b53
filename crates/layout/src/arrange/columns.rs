//! Columns, and so the order in which a page is read.
//!
//! Strips that cross a gutter (a title, a wide figure's caption) part the page into bands; within a
//! band, columns are read one after the other. The running head, the page number, and authors side by side below a title
//! are bands of their own. A page without a gutter is one region from top to bottom.

use super::flows::{Beside, Part, beside, parts, tables_of_authors};
use super::gutters::{FEWEST_LINES, gutters};
use super::strips::{Strip, main_style};
use crate::LayoutWord;
use std::ops::Range;

/// A gap of this many ems where a gutter is parts a strip there: columns may stand closer to each
/// other than the words of a badly spaced line.
const PARTING_GAP: f32 = 0.7;

/// Gaps of this many ems set names apart that stand side by side below a title.
const APART: f32 = 1.8;

/// Strips that are apart by fewer ems are one row, however they were parted.
const HARDLY_APART: f32 = 0.5;

/// Strips that may stand side by side below a title: four authors with five lines each, twice.
const MOST_HEADS: usize = 40;

/// Lines that are read one below the other, on the part of the page they may fill.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) column: Option<u8>,
    /// Where lines may be centred: the middle of the region, and that of the page.
    pub(super) middles: [f32; 2],
    /// Lines are centred above each other, wherever on the page.
    pub(super) is_stack: bool,
    /// From top to bottom.
    pub(super) lines: Vec<Strip>,
}

/// The regions of a page in reading order.
pub(super) fn regions(strips: Vec<Strip>, page_width: f32) -> Vec<Region> {
    if strips.is_empty() {
        return Vec::new();
    }
    let extent = extent(&strips);
    let gutters = gutters(&strips, extent.clone());
    let mut strips: Vec<Strip> =
        strips.into_iter().flat_map(|strip| parted(strip, &gutters)).collect();
    let area = Area { extent, gutters, page_width };
    let mut regions = Vec::new();
    match beside(&strips, &area.gutters) {
        None => in_bands(strips, &area, Ends { head: true, foot: true }, &mut regions),
        Some(Beside { place, gutter }) => {
            let below = strips.split_off(place.end);
            let beside = strips.split_off(place.start);
            in_bands(strips, &area, Ends { head: true, foot: false }, &mut regions);
            columns(beside, &area.parted_at(gutter), &mut regions);
            in_bands(below, &area, Ends { head: false, foot: true }, &mut regions);
        }
    }
    regions
}

/// Whether strips reach the head of the page, and its foot.
#[derive(Debug, Clone, Copy)]
struct Ends {
    head: bool,
    foot: bool,
}

/// All of a page, or what stands above or below two texts side by side.
fn in_bands(strips: Vec<Strip>, area: &Area, ends: Ends, regions: &mut Vec<Region>) {
    for band in bands(strips, area, ends) {
        match band {
            Band::Whole(strips) if area.gutters.is_empty() => in_parts(strips, area, regions),
            Band::Whole(strips) => whole(strips, area, regions),
            Band::Columns(strips) => columns(strips, area, regions),
            Band::Heads(strips) => side_by_side(strips, regions),
        }
    }
}

/// A page of one column, parts of which may hold two texts side by side.
fn in_parts(strips: Vec<Strip>, area: &Area, regions: &mut Vec<Region>) {
    for part in parts(strips) {
        match part {
            Part::One(strips) => whole(strips, area, regions),
            Part::Two { gutter, strips } => columns(strips, &area.parted_at(gutter), regions),
        }
    }
}

/// The part of the page that has text, and what parts it.
#[derive(Debug)]
struct Area {
    extent: Range<f32>,
    gutters: Vec<f32>,
    page_width: f32,
}

impl Area {
    /// The same part of the page with another gutter.
    fn parted_at(&self, gutter: f32) -> Self {
        let (extent, page_width) = (self.extent.clone(), self.page_width);
        Self { extent, gutters: vec![gutter], page_width }
    }

    fn middles(&self) -> [f32; 2] {
        let middle = (self.extent.start + self.extent.end) / 2.0;
        [middle, if self.page_width > 0.0 { self.page_width / 2.0 } else { middle }]
    }

    /// Whether a row crosses a gutter, or stands in the middle of a page with unequal columns.
    fn is_spanned_by(&self, row: &[Strip]) -> bool {
        let crosses = |strip: &Strip| {
            let by = 1.5 * em(strip);
            self.gutters.iter().any(|gutter| {
                let (before, behind) = (gutter - strip.left, strip.right - gutter);
                before > 0.0 && behind > 0.0 && before.max(behind) > by
            })
        };
        row.iter().any(crosses)
    }

    fn narrowest_column(&self) -> f32 {
        let edges = std::iter::once(self.extent.start)
            .chain(self.gutters.iter().copied())
            .chain(std::iter::once(self.extent.end));
        let behind = edges.clone().skip(1);
        edges.zip(behind).map(|(left, right)| right - left).fold(f32::INFINITY, f32::min)
    }

    /// Whether these are the lines of a title page: all in its middle, and hardly one as wide as the
    /// text.
    fn is_filled_by_centred(&self, lines: &[Strip]) -> bool {
        let centred = |line: &&Strip| self.is_centred_on(std::slice::from_ref(*line));
        let is_wide = |line: &&Strip| self.extent.end - line.right < 0.35 * em(line);
        lines.len() >= 3
            && lines.iter().filter(centred).count() * 10 >= lines.len() * 9
            && lines.iter().filter(is_wide).count() * 3 <= lines.len()
    }

    fn is_centred_on(&self, row: &[Strip]) -> bool {
        let [strip] = row else { return false };
        let middle = (strip.left + strip.right) / 2.0;
        self.middles().iter().any(|centre| (middle - centre).abs() < 0.6 * em(strip))
    }
}

pub(super) fn em(strip: &Strip) -> f32 {
    if strip.style.size > 0.5 { strip.style.size } else { super::USUAL_SIZE }
}

fn extent(strips: &[Strip]) -> Range<f32> {
    let left = strips.iter().map(|strip| strip.left).fold(f32::INFINITY, f32::min);
    let right = strips.iter().map(|strip| strip.right).fold(left, f32::max);
    left..right
}

/// A strip as those it is made of, where it has a wide gap at a gutter.
fn parted(mut strip: Strip, gutters: &[f32]) -> Vec<Strip> {
    let gap = PARTING_GAP * em(&strip);
    let is_parted = |pair: &[LayoutWord]| {
        let between = pair[0].right..=pair[1].left;
        pair[1].left - pair[0].right > gap && gutters.iter().any(|gutter| between.contains(gutter))
    };
    let mut parts = Vec::new();
    while let Some(place) = strip.words.windows(2).rposition(is_parted) {
        let words = strip.words.split_off(place + 1);
        parts.push(strip_of(words, strip.baseline));
    }
    if !parts.is_empty() {
        let words = std::mem::take(&mut strip.words);
        strip = strip_of(words, strip.baseline);
    }
    parts.push(strip);
    parts.reverse();
    parts
}

fn strip_of(words: Vec<LayoutWord>, baseline: f32) -> Strip {
    let left = words.iter().map(|word| word.left).fold(f32::INFINITY, f32::min);
    let right = words.iter().map(|word| word.right).fold(left, f32::max);
    let style = main_style(words.iter().map(|word| (word.style, word.text.len())));
    Strip { left, right, baseline, style, words }
}

#[derive(Debug)]
enum Band {
    /// Across all columns.
    Whole(Vec<Strip>),
    Columns(Vec<Strip>),
    /// Side by side between the title and the columns.
    Heads(Vec<Strip>),
}

/// Parts the strips, which come from top to bottom, where some cross a gutter.
fn bands(mut strips: Vec<Strip>, area: &Area, ends: Ends) -> Vec<Band> {
    if area.gutters.is_empty() {
        return vec![Band::Whole(strips)];
    }
    let foot = last_row_apart(&strips).filter(|_| ends.foot).map(|start| strips.split_off(start));
    let head = first_row_apart(&strips).filter(|_| ends.head).map(|after| {
        let rest = strips.split_off(after);
        std::mem::replace(&mut strips, rest)
    });
    let mut bands: Vec<Band> = head.map(Band::Whole).into_iter().collect();
    for row in rows(strips) {
        let above = !bands.iter().any(|band| matches!(band, Band::Columns(_)));
        let spans = area.is_spanned_by(&row)
            || (above && area.is_centred_on(&row))
            || matches!(bands.last(), Some(Band::Whole(band)) if ends_paragraph(band, &row));
        match (bands.last_mut(), spans) {
            (Some(Band::Whole(band)), true) | (Some(Band::Columns(band)), false) => {
                band.extend(row);
            }
            (_, true) => bands.push(Band::Whole(row)),
            (_, false) => bands.push(Band::Columns(row)),
        }
    }
    if ends.head {
        set_heads_apart(&mut bands, area);
    }
    bands.extend(foot.map(Band::Whole));
    bands
}

/// Whether a row is the short last line of a paragraph across all columns: alone, right below it
/// and flush with it.
fn ends_paragraph(above: &[Strip], row: &[Strip]) -> bool {
    let (Some(before), [line]) = (above.last(), row) else { return false };
    let em = em(line);
    (line.left - before.left).abs() < 0.35 * em
        && (line.style.size - before.style.size).abs() < 0.1
        && line.baseline - before.baseline < 1.45 * em
        && line.right < before.right
}

/// The end of the first row, if a running head: a row by itself with room below.
fn first_row_apart(strips: &[Strip]) -> Option<usize> {
    let first = strips.first()?;
    let row = strips.iter().take_while(|strip| strip.baseline - first.baseline < 1.0).count();
    let next = strips.get(row)?;
    (row <= 3 && next.baseline - first.baseline > 1.6 * em(next)).then_some(row)
}

/// The beginning of the last row, if a page number: a short row by itself with room above.
fn last_row_apart(strips: &[Strip]) -> Option<usize> {
    let last = strips.last()?;
    let row = strips.iter().rev().take_while(|strip| last.baseline - strip.baseline < 1.0).count();
    let start = strips.len() - row;
    let before = strips[..start].last()?;
    (row <= 3 && last.baseline - before.baseline > 1.8 * em(before)).then_some(start)
}

/// Names and addresses side by side stand between the title and the columns: above the date or the
/// abstract, if that spans the page, or else above the first gap right across. Hardly a line of
/// them fills its column.
fn set_heads_apart(bands: &mut Vec<Band>, area: &Area) {
    let Some(place) = bands.iter().position(|band| matches!(band, Band::Columns(_))) else {
        return;
    };
    let column = area.narrowest_column();
    let are_short = |strips: &[Strip]| {
        let full = strips.iter().filter(|strip| strip.right - strip.left > 0.85 * column).count();
        full * 2 <= strips.len()
    };
    let is_above_whole = matches!(bands.get(place + 1), Some(Band::Whole(_)));
    let Band::Columns(strips) = &mut bands[place] else { return };
    if place <= 2 && is_above_whole && strips.len() <= MOST_HEADS && are_short(strips) {
        bands[place] = Band::Heads(std::mem::take(strips));
        return;
    }
    let gap = strips
        .windows(2)
        .take(MOST_HEADS)
        .position(|pair| pair[1].baseline - pair[0].baseline > 1.7 * em(&pair[0]));
    let Some(gap) = gap else { return };
    let heads = &strips[..=gap];
    // Below a title that leaves room, the second column may begin with short lines, too.
    let gutters = &area.gutters;
    let stands_before = heads.iter().any(|it| gutters.iter().any(|gutter| it.left < *gutter));
    let few_below = strips.len() - gap < 2 * FEWEST_LINES;
    if place > 2 || !are_short(heads) || !stands_before || few_below {
        return;
    }
    let rest = strips.split_off(gap + 1);
    let heads = std::mem::replace(strips, rest);
    bands.insert(place, Band::Heads(heads));
}

/// One region, save that centred names side by side are read one after the other.
fn whole(strips: Vec<Strip>, area: &Area, regions: &mut Vec<Region>) {
    let extent = &area.extent;
    let mut lines: Vec<Strip> = Vec::new();
    let mut heads: Vec<Strip> = Vec::new();
    let region = |lines: Vec<Strip>| Region {
        left: extent.start,
        right: extent.end,
        column: None,
        middles: area.middles(),
        is_stack: area.is_filled_by_centred(&lines),
        lines,
    };
    let rows = rows(strips);
    let tables = tables_of_authors(&rows, extent.end - extent.start);
    for (row, in_table) in rows.into_iter().zip(tables) {
        if are_heads(&row, area) || in_table && area.gutters.is_empty() {
            if !lines.is_empty() {
                regions.push(region(std::mem::take(&mut lines)));
            }
            heads.extend(row);
        } else {
            if !heads.is_empty() {
                side_by_side(std::mem::take(&mut heads), regions);
            }
            lines.extend(joined(row));
        }
    }
    if !heads.is_empty() {
        side_by_side(heads, regions);
    }
    if !lines.is_empty() {
        regions.push(region(lines));
    }
}

/// Whether a row is two or a few things apart from each other, centred together.
fn are_heads(row: &[Strip], area: &Area) -> bool {
    let [first, .., last] = row else { return false };
    let middle = (first.left + last.right) / 2.0;
    let centred = area.middles().iter().any(|centre| (middle - centre).abs() < 0.75 * em(first));
    let apart = row.windows(2).all(|pair| pair[1].left - pair[0].right > APART * em(&pair[0]));
    let lengths = row.iter().all(|strip| strip.right - strip.left > 2.5 * em(strip));
    row.len() <= 4 && apart && lengths && centred && first.left - area.extent.start > em(first)
}

/// Strips that stand above each other become regions, from left to right.
fn side_by_side(mut strips: Vec<Strip>, regions: &mut Vec<Region>) {
    strips.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut stacks: Vec<(Range<f32>, Vec<Strip>)> = Vec::new();
    for strip in strips {
        // A mark may part a row of names that goes on right behind it.
        let goes_on = |stack: &[Strip]| {
            stack.iter().rev().take(MOST_HEADS).any(|it| {
                (it.baseline - strip.baseline).abs() < 0.1 * em(&strip)
                    && strip.left - it.right < HARDLY_APART * em(&strip)
            })
        };
        let belongs = |(width, stack): &&mut (Range<f32>, Vec<Strip>)| {
            strip.left < width.end || goes_on(stack)
        };
        match stacks.last_mut().filter(belongs) {
            Some((width, stack)) => {
                width.end = width.end.max(strip.right);
                stack.push(strip);
            }
            None => stacks.push((strip.left..strip.right, vec![strip])),
        }
    }
    for (width, mut stack) in stacks {
        stack.sort_by(|a, b| a.baseline.total_cmp(&b.baseline));
        let lines: Vec<Strip> = rows(stack).into_iter().filter_map(joined).collect();
        let middle = (width.start + width.end) / 2.0;
        let is_stack = lines
            .iter()
            .all(|line| (line.left - width.start - (width.end - line.right)).abs() < em(line));
        let (left, right, middles) = (width.start, width.end, [middle; 2]);
        regions.push(Region { left, right, column: None, middles, is_stack, lines });
    }
}

fn columns(strips: Vec<Strip>, area: &Area, regions: &mut Vec<Region>) {
    let Area { extent, gutters, .. } = area;
    let mut columns: Vec<Vec<Strip>> = vec![Vec::new(); gutters.len() + 1];
    for strip in strips {
        columns[gutters.partition_point(|gutter| *gutter <= strip.left)].push(strip);
    }
    for (number, strips) in columns.into_iter().enumerate() {
        if strips.is_empty() {
            continue;
        }
        let inner = self::extent(&strips);
        let lines: Vec<Strip> = rows(strips).into_iter().filter_map(joined).collect();
        // A column is as wide as its text, and at least as wide as it is on the rest of the page.
        let left = if number == 0 { extent.start } else { inner.start };
        let right = if number == gutters.len() { extent.end } else { inner.end };
        let middles = [(left + right) / 2.0; 2];
        let column = u8::try_from(number).ok();
        regions.push(Region { left, right, column, middles, is_stack: false, lines });
    }
}

/// Strips on the same baseline together, from left to right; they come from top to bottom.
fn rows(strips: Vec<Strip>) -> Vec<Vec<Strip>> {
    let mut rows: Vec<Vec<Strip>> = Vec::new();
    for strip in strips {
        let same = |row: &&mut Vec<Strip>| {
            let tolerance = 0.1 * em(&strip).max(em(&row[0]));
            (strip.baseline - row[0].baseline).abs() <= tolerance
        };
        match rows.last_mut().filter(same) {
            Some(row) => row.push(strip),
            None => rows.push(vec![strip]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.left.total_cmp(&b.left));
    }
    rows
}

/// The strips of a row as one line.
fn joined(row: Vec<Strip>) -> Option<Strip> {
    let style = main_style(row.iter().map(|strip| {
        let letters = strip.words.iter().map(|word| word.text.len()).sum();
        (strip.style, letters)
    }));
    let mut row = row.into_iter();
    let mut line = row.next()?;
    for strip in row {
        line.right = line.right.max(strip.right);
        line.words.extend(strip.words);
    }
    line.style = style;
    Some(line)
}
