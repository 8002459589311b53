//! Bars that are made of parts, such as documents in the corpus and the others.

use crate::look::{legend, series, shortened};
use crate::view::View;
use maud::{Markup, html};

/// Bars with their names, each with a value for every part.
#[derive(Debug)]
pub(super) struct StackedBars {
    pub(super) title: String,
    pub(super) parts: Vec<String>,
    pub(super) bars: Vec<(String, Vec<u64>)>,
}

const ROW: usize = 22;
const NAMES: usize = 210;
const WIDTH: usize = 700;
const VALUES: usize = 80;
/// Letters of a name that fit before the bars.
const NAME_LETTERS: usize = 27;

impl StackedBars {
    pub(super) fn markup(&self, view: &View) -> Markup {
        let sum = |values: &[u64]| values.iter().sum::<u64>();
        let largest = self.bars.iter().map(|bar| sum(&bar.1)).max().unwrap_or(0).max(1) as f64;
        let room = (WIDTH - NAMES - VALUES) as f64;
        let height = self.bars.len() * ROW + 4;
        html! {
            @if self.parts.len() > 1 { (legend(self.parts.iter().map(String::as_str))) }
            div .drawing tabindex="0" { svg .chart viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(self.title) {
                @for (row, (name, values)) in self.bars.iter().enumerate() {
                    @let y = row * ROW + 4;
                    text .name x=(NAMES - 8) y=(y + 13) text-anchor="end" { (shortened(name, NAME_LETTERS)) title { (name) } }
                    @for (part, begin, length) in pieces(values, room / largest) {
                        rect class=(series(part)) x=(format!("{:.1}", NAMES as f64 + begin)) y=(y + 1) width=(format!("{length:.1}")) height=(ROW - 8) {
                            title { (name) ", " (self.parts.get(part).map_or("", String::as_str)) ": " (view.tongue.number(values[part])) }
                        }
                    }
                    text .value x=(format!("{:.1}", NAMES as f64 + sum(values) as f64 * room / largest + 6.0)) y=(y + 13) { (view.tongue.number(sum(values))) }
                }
            } }
        }
    }
}

/// Number, beginning and length of the parts that can be seen.
fn pieces(values: &[u64], scale: f64) -> Vec<(usize, f64, f64)> {
    let mut begin = 0.0;
    let mut pieces = Vec::new();
    for (part, value) in values.iter().enumerate().filter(|(_, value)| **value > 0) {
        let length = *value as f64 * scale;
        pieces.push((part, begin, length));
        begin += length;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other() {
        assert_eq!(pieces(&[2, 0, 3], 10.0), [(0, 0.0, 20.0), (2, 20.0, 30.0)]);
        assert!(pieces(&[0, 0], 1.0).is_empty());
    }
}
