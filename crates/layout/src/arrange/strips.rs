//! Strips: pieces that stand together on one baseline, with no gap as wide as a gutter between.
//!
//! Marks that stand above or below (footnotes, affiliations, exponents) have baselines of their
//! own. A strip of smaller type that touches a larger one within half its height belongs to it and
//! is raised by the difference. So does a letter of the same size that is shifted a little, as in
//! the name of TeX; that is not a mark, and joins the word.

use super::Placed;
use crate::{LayoutWord, Style};

/// A gap of this many ems ends a strip. Gutters are wider, those of LaTeX by a tenth of an em, and
/// spaces between words narrower, save in lines that are badly spaced; those are put together again as
/// long as no gutter is found.
pub(crate) const STRIP_GAP: f32 = 0.9;

/// A gap of this many ems is a space between words. Fonts have spaces of 0.19 em and more even when
/// a line is squeezed, of which rounding to dots may take a third; kerns stay below 0.1 em.
pub(crate) const WORD_GAP: f32 = 0.13;

/// Baselines that differ by this many ems are the same one, rounded.
const SAME_BASELINE: f32 = 0.08;

/// How far above or below the baseline of a strip its marks may stand, in ems of the strip.
const FARTHEST_MARK: f32 = 0.65;

/// How wide a mark is that stands before its strip, in ems of the strip.
const LONGEST_BEFORE: f32 = 3.0;

/// How far a single sign of the same size may be shifted, in ems.
const FARTHEST_SIGN: f32 = 0.62;

/// Up to this share of the size of its strip, type that is shifted is a mark.
const MARK_SIZE: f32 = 0.92;

/// Below this share it is text beside a large initial.
const SMALLEST_MARK: f32 = 0.42;

/// How many rows above and below are asked whether a strip is a mark of theirs.
const ROWS_ASKED: usize = 8;

/// Words on one baseline.
#[derive(Debug, Clone)]
pub(super) struct Strip {
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) baseline: f32,
    /// That of most of its letters.
    pub(super) style: Style,
    pub(super) words: Vec<LayoutWord>,
}

/// From top to bottom, then from left to right.
pub(super) fn strips(mut pieces: Vec<Placed<'_>>) -> Vec<Strip> {
    pieces.sort_by(|a, b| a.baseline.total_cmp(&b.baseline).then(a.left.total_cmp(&b.left)));
    let mut runs = runs(&mut pieces);
    attach_marks(&mut runs);
    let owners: Vec<usize> = (0..runs.len()).map(|run| owner(&mut runs, run)).collect();
    let mut members: Vec<Vec<(Placed<'_>, f32)>> = vec![Vec::new(); runs.len()];
    for (run, owner) in runs.iter().zip(&owners) {
        let base = &runs[*owner];
        let pieces = pieces[run.first..run.after].iter();
        members[*owner].extend(pieces.map(|piece| (*piece, raise(piece, base))));
    }
    let mut strips: Vec<Strip> = (runs.iter().zip(members))
        .filter(|(_, members)| !members.is_empty())
        .map(|(run, members)| strip(run.baseline, members))
        .collect();
    strips.sort_by(|a, b| a.baseline.total_cmp(&b.baseline).then(a.left.total_cmp(&b.left)));
    strips
}

/// How far the piece stands above the baseline of its strip; 0 unless it is a mark.
fn raise(piece: &Placed<'_>, base: &Run) -> f32 {
    let shift = base.baseline - piece.baseline;
    let is_mark = piece.size <= base.size * MARK_SIZE && shift.abs() > SAME_BASELINE * base.size;
    if is_mark { shift } else { 0.0 }
}

/// Neighbouring pieces on one baseline, as a range of the sorted pieces.
#[derive(Debug)]
struct Run {
    first: usize,
    after: usize,
    row: usize,
    left: f32,
    /// Grows when marks are attached.
    right: f32,
    baseline: f32,
    size: f32,
    owner: usize,
}

fn runs(pieces: &mut [Placed<'_>]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut start = 0;
    let mut row = 0;
    while start < pieces.len() {
        let top = pieces[start];
        let same = |piece: &Placed<'_>| {
            piece.baseline - top.baseline <= SAME_BASELINE * top.size.max(piece.size)
        };
        let length = pieces[start..].iter().take_while(|piece| same(piece)).count();
        let after = start + length;
        pieces[start..after].sort_by(|a, b| a.left.total_cmp(&b.left));
        split_row(pieces, start, after, row, &mut runs);
        start = after;
        row += 1;
    }
    runs
}

fn split_row(pieces: &[Placed<'_>], start: usize, after: usize, row: usize, runs: &mut Vec<Run>) {
    let mut first = start;
    let mut right = pieces[start].right;
    for next in start + 1..=after {
        let ends = next == after || {
            let gap = pieces[next].left - right;
            gap > STRIP_GAP * pieces[next].size.min(pieces[next - 1].size)
        };
        if ends {
            let members = &pieces[first..next];
            let baseline = widest(members).baseline;
            let size = members.iter().map(|piece| piece.size).fold(0.0, f32::max);
            let left = members[0].left;
            let owner = runs.len();
            runs.push(Run { first, after: next, row, left, right, baseline, size, owner });
            first = next;
        }
        if next < after {
            right = if ends { pieces[next].right } else { right.max(pieces[next].right) };
        }
    }
}

fn widest<'p, 'a>(members: &'p [Placed<'a>]) -> &'p Placed<'a> {
    let width = |piece: &Placed<'_>| piece.right - piece.left;
    let wider = |a: &&'p Placed<'a>, b: &&'p Placed<'a>| width(a).total_cmp(&width(b));
    members.iter().max_by(wider).expect("a run has a piece")
}

/// Finds for each run the larger one that it is a mark of.
fn attach_marks(runs: &mut [Run]) {
    let rows = runs.last().map_or(0, |run| run.row + 1);
    let mut row_starts = vec![runs.len(); rows + 1];
    for (number, run) in runs.iter().enumerate().rev() {
        row_starts[run.row] = number;
    }
    // From left to right, so that marks of marks find the strip grown.
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by(|a, b| runs[*a].left.total_cmp(&runs[*b].left));
    for mark in order {
        let row = runs[mark].row;
        let rows_asked = row.saturating_sub(ROWS_ASKED)..(row + ROWS_ASKED + 1).min(rows);
        let bases = rows_asked.filter(|asked| *asked != row).flat_map(|asked| {
            let start = row_starts[asked];
            let in_row = &runs[start..row_starts[asked + 1]];
            let reach = runs[mark].left + 0.1 * runs[mark].size;
            let behind = in_row.partition_point(|base| base.left <= reach);
            // The run that the mark stands in or behind, and the one it stands before.
            let candidates = [behind.checked_sub(1), Some(behind).filter(|at| *at < in_row.len())];
            candidates.into_iter().flatten().map(move |candidate| start + candidate)
        });
        let bases = bases
            .filter(|base| belongs(&runs[mark], &runs[*base]))
            .map(|base| ((runs[mark].baseline - runs[base].baseline).abs(), base));
        let nearest = bases.min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, base)) = nearest {
            let base = owner(runs, base);
            if base != mark {
                runs[mark].owner = base;
                runs[base].right = runs[base].right.max(runs[mark].right);
            }
        }
    }
}

/// Whether `mark` touches `base`, or stands within it, as a mark or a shifted letter does.
fn belongs(mark: &Run, base: &Run) -> bool {
    let shift = (base.baseline - mark.baseline).abs();
    let touches =
        mark.left <= base.right + 0.3 * base.size && mark.right >= base.left - 0.75 * base.size;
    let width = mark.right - mark.left;
    // What stands before is a mark of a footnote, or the other column beside a heading.
    let is_short = mark.left >= base.left || width <= LONGEST_BEFORE * base.size;
    let is_mark = (base.size * SMALLEST_MARK..=base.size * MARK_SIZE).contains(&mark.size)
        && shift <= FARTHEST_MARK * base.size
        && is_short;
    let reach = if width < base.size { FARTHEST_SIGN } else { 0.3 };
    let is_shifted = mark.size <= base.size
        && shift <= reach * base.size
        && width < (base.right - base.left).min(3.0 * base.size);
    touches && (is_mark || is_shifted)
}

/// The run that a run belongs to in the end. A run is only ever given to one that has no owner, so
/// that there is an end; the way there is made shorter each time it is gone.
fn owner(runs: &mut [Run], mut run: usize) -> usize {
    while runs[run].owner != run {
        runs[run].owner = runs[runs[run].owner].owner;
        run = runs[run].owner;
    }
    run
}

fn strip(baseline: f32, mut members: Vec<(Placed<'_>, f32)>) -> Strip {
    members.sort_by(|a, b| a.0.left.total_cmp(&b.0.left));
    let mut words: Vec<LayoutWord> = Vec::new();
    let mut last: Option<(f32, f32)> = None;
    for (piece, raised) in &members {
        let (piece, raised) = (*piece, *raised);
        let text = if is_low_quote(&piece, baseline) { "„" } else { piece.text };
        let joins = last.is_some_and(|(right, size)| {
            piece.left - right <= WORD_GAP * (piece.size + size) / 2.0
        });
        match words.last_mut().filter(|word| joins && same_height(word.raised, raised)) {
            Some(word) => {
                word.text.push_str(text);
                word.right = word.right.max(piece.right);
            }
            None => words.push(LayoutWord {
                text: text.to_owned(),
                left: piece.left,
                right: piece.right,
                baseline: piece.baseline,
                style: piece.piece.style,
                raised,
                continues: false,
            }),
        }
        last = Some((last.map_or(piece.right, |(right, _)| right.max(piece.right)), piece.size));
    }
    let left = words.first().map_or(0.0, |word| word.left);
    let right = words.iter().map(|word| word.right).fold(left, f32::max);
    let style = main_style(members.iter().map(|(piece, _)| (piece.piece.style, piece.text.len())));
    Strip { left, right, baseline, style, words }
}

/// Where a font lacks the quotation mark that German opens with, the closing English one is set low.
fn is_low_quote(piece: &Placed<'_>, baseline: f32) -> bool {
    piece.text == "”" && piece.baseline - baseline > 0.25 * piece.size
}

/// A word begins where the height changes, so that a mark is a word of its own.
fn same_height(word: f32, piece: f32) -> bool {
    (word == 0.0) == (piece == 0.0) && (word - piece).abs() < 1.0
}

/// The style of most letters, each property by itself.
pub(crate) fn main_style(letters: impl Iterator<Item = (Style, usize)>) -> Style {
    let mut sizes: Vec<(f32, usize)> = Vec::new();
    let (mut all, mut bold, mut italic, mut small_caps) = (0, 0, 0, 0);
    for (style, count) in letters {
        // Few sizes meet on a line; what comes after the eighth is not the main one.
        match sizes.iter().position(|(size, _)| *size == style.size) {
            Some(known) => sizes[known].1 += count,
            None if sizes.len() < 8 => sizes.push((style.size, count)),
            None => {}
        }
        all += count;
        bold += if style.bold { count } else { 0 };
        italic += if style.italic { count } else { 0 };
        small_caps += if style.small_caps { count } else { 0 };
    }
    let size = sizes.iter().max_by_key(|(_, count)| *count).map_or(0.0, |(size, _)| *size);
    Style { size, bold: bold * 2 > all, italic: italic * 2 > all, small_caps: small_caps * 2 > all }
}
