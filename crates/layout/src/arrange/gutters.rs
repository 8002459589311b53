//! Gutters: upright gaps that few strips cross and that many begin behind.
//!
//! They are found by counting where strips begin and end, in slices of the page. Columns of few lines, and
//! gaps that more strips cross, are believed only if their edges are sharp.

use super::columns::em;
use super::strips::Strip;
use std::ops::Range;

/// The gutters of a page that are looked for: a newspaper has five.
const MAX_GUTTERS: usize = 5;

/// A column has at least this many lines.
pub(super) const FEWEST_LINES: usize = 4;

/// Or this many, if they fill it and the column beside it is long.
const FEWEST_FULL: usize = 2;

/// Strips of fewer ems are too short to tell a column.
const TELLING_WIDTH: f32 = 6.0;

/// The gutters of a page, from left to right.
pub(super) fn gutters(strips: &[Strip], within: Range<f32>) -> Vec<f32> {
    let telling: Vec<&Strip> = strips
        .iter()
        .filter(|strip| strip.right - strip.left >= TELLING_WIDTH * em(strip))
        .collect();
    let mut gutters = Vec::new();
    find_gutters(&telling, within, &mut gutters);
    gutters.sort_by(f32::total_cmp);
    gutters
}

/// Finds the clearest gutter within, then those on both sides of it.
fn find_gutters(strips: &[&Strip], within: Range<f32>, gutters: &mut Vec<f32>) {
    if gutters.len() >= MAX_GUTTERS || strips.len() < 2 * FEWEST_LINES {
        return;
    }
    let Some(gutter) = clearest_gutter(strips, &within) else { return };
    let (left, rest): (Vec<&Strip>, Vec<&Strip>) =
        strips.iter().partition(|strip| strip.right <= gutter);
    let right: Vec<&Strip> = rest.into_iter().filter(|strip| strip.left >= gutter).collect();
    if !stand_side_by_side(&left, &right) {
        return;
    }
    gutters.push(gutter);
    find_gutters(&left, within.start..gutter, gutters);
    find_gutters(&right, gutter..within.end, gutters);
}

/// Whether some lines of each stand between those of the other. A title pushed to the right and an
/// address at the foot of the page are no columns.
fn stand_side_by_side(left: &[&Strip], right: &[&Strip]) -> bool {
    let heights = |strips: &[&Strip]| {
        let top = strips.iter().map(|strip| strip.baseline).fold(f32::INFINITY, f32::min);
        top..=strips.iter().map(|strip| strip.baseline).fold(top, f32::max)
    };
    let within = |strips: &[&Strip], others: &[&Strip]| {
        let heights = heights(others);
        strips.iter().filter(|strip| heights.contains(&strip.baseline)).count() >= FEWEST_FULL
    };
    within(left, right) || within(right, left)
}

/// The page is measured in this many upright slices: about 1 point each.
const SLICES: usize = 600;

fn clearest_gutter(strips: &[&Strip], within: &Range<f32>) -> Option<f32> {
    let width = within.end - within.start;
    let slice = width / SLICES as f32;
    if slice <= 0.0 {
        return None;
    }
    let number = |place: f32| (((place - within.start) / slice) as usize).min(SLICES - 1);
    let (mut begin, mut end) = (vec![0usize; SLICES + 1], vec![0usize; SLICES + 1]);
    for strip in strips {
        begin[number(strip.left)] += 1;
        end[number(strip.right)] += 1;
    }
    let mut begun = 0;
    let mut ended = 0;
    let mut best: Option<(usize, usize, f32)> = None;
    let mut run: Option<(usize, usize)> = None;
    // At each slice: what ended before it, what begins behind it, what crosses it.
    for at in 0..SLICES {
        begun += begin[at];
        let crossing = begun - ended;
        let behind = strips.len() - begun;
        let fewer = behind.min(ended);
        let inside = (SLICES / 8..SLICES * 7 / 8).contains(&at);
        let clear = fewer >= FEWEST_LINES && crossing * 10 <= fewer * 8;
        // Below a wide figure more may cross, if the columns are long and begin sharply.
        let sharp = fewer >= 3 * FEWEST_LINES && crossing * 2 <= fewer * 3;
        // Where a title leaves room, one column has few lines, which then have to end sharply, too.
        let most = behind.max(ended);
        let lopsided = fewer >= FEWEST_FULL && most >= 3 * FEWEST_LINES && crossing * 2 <= most;
        let in_middle = (SLICES * 9 / 20..SLICES * 11 / 20).contains(&at);
        let good = inside && (clear || sharp || lopsided && in_middle);
        run = match run {
            Some((start, least)) if good && crossing == least => Some((start, least)),
            _ if good => Some((at, crossing)),
            _ => None,
        };
        if let Some((start, least)) = run {
            let length = at + 1 - start;
            let clearer = best.is_none_or(|(fewest, longest, _)| {
                least < fewest || (least == fewest && length > longest)
            });
            let share = if clear { 0.25 } else { 0.6 };
            let edges = begins_behind(&begin[at + 1..], slice, behind, share)
                && (clear || sharp || ends_before(&end[..start], slice, ended, share));
            if clearer && edges {
                let middle = within.start + (start + at + 1) as f32 / 2.0 * slice;
                best = Some((least, length, middle));
            }
        }
        ended += end[at];
    }
    best.map(|(_, _, middle)| middle)
}

/// Whether that share of the lines behind begin at one place right behind the gutter, as those of
/// a column do and those of a ragged page do not.
fn begins_behind(begin: &[usize], slice: f32, behind: usize, share: f32) -> bool {
    let near = ((36.0 / slice) as usize).clamp(3, begin.len().max(3));
    let most = begin.windows(3).take(near).map(|slices| slices.iter().sum::<usize>()).max();
    most.unwrap_or(0) as f32 >= share * behind as f32
}

/// The same for the lines before, which are full where they end at one place.
fn ends_before(end: &[usize], slice: f32, ended: usize, share: f32) -> bool {
    let mut end = end.to_vec();
    end.reverse();
    begins_behind(&end, slice, ended, share)
}
