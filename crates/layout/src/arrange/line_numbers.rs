//! Numbers of lines, as manuscripts have them at the margin: they are no text and are left out.
//!
//! They stand left or right of everything else on the page, count up by one step from top to bottom, and most lines have
//! their share of them. Numbers of sections and of entries begin where the text does, so they stay.

use super::columns::em;
use super::strips::Strip;

/// Numbers at the margin of a page that are believed to count lines.
const FEWEST: usize = 4;

/// Every line is numbered, or at least every tenth.
const LARGEST_STEP: u32 = 10;

/// A manuscript has fewer digits in the number of its last line.
const MOST_DIGITS: usize = 5;

/// The strips of a page, from top to bottom, without the numbers of its lines.
pub(super) fn without_line_numbers(mut strips: Vec<Strip>) -> Vec<Strip> {
    let numbers: Vec<Option<u32>> = strips.iter().map(number).collect();
    if numbers.iter().flatten().count() < FEWEST {
        return strips;
    }
    let texts = || strips.iter().zip(&numbers).filter(|(_, it)| it.is_none()).map(|(it, _)| it);
    let left = texts().map(|text| text.left).fold(f32::INFINITY, f32::min);
    let right = texts().map(|text| text.right).fold(f32::NEG_INFINITY, f32::max);
    let rows = rows(texts());
    let margins: [&dyn Fn(&Strip) -> bool; 2] = [&|it| it.right < left, &|it| it.left > right];
    for is_there in margins {
        let at_margin = strips.iter().zip(&numbers).filter(|(it, _)| is_there(it));
        let counted: Vec<u32> = at_margin.filter_map(|(_, number)| *number).collect();
        if count_lines(&counted, rows) {
            strips.retain(|it| number(it).is_none() || !is_there(it));
            return strips;
        }
    }
    strips
}

/// The number that a strip is.
fn number(strip: &Strip) -> Option<u32> {
    let [word] = strip.words.as_slice() else { return None };
    let is_number =
        word.text.len() <= MOST_DIGITS && word.text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { word.text.parse().ok() } else { None }
}

fn rows<'s>(strips: impl Iterator<Item = &'s Strip>) -> usize {
    let mut last = f32::NEG_INFINITY;
    let mut rows = 0;
    for strip in strips {
        if strip.baseline - last > 0.5 * em(strip) {
            rows += 1;
            last = strip.baseline;
        }
    }
    rows
}

fn count_lines(numbers: &[u32], rows: usize) -> bool {
    let [first, second, ..] = numbers else { return false };
    let step = second.saturating_sub(*first);
    let lines = numbers.len() * step as usize;
    numbers.len() >= FEWEST
        && (1..=LARGEST_STEP).contains(&step)
        && numbers.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(step))
        && lines * 2 >= rows
}
