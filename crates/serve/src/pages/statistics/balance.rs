//! Bars to both sides of zero, such as of an index that is more or less than the mean.

use crate::view::View;
use maud::{Markup, html};

const ROW: usize = 22;
const NAMES: usize = 210;
const WIDTH: usize = 700;
const VALUES: f64 = 50.0;

pub(super) fn balance(view: &View, title: &str, bars: &[(String, f64)]) -> Markup {
    let largest = bars.iter().map(|bar| bar.1.abs()).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let side = ((WIDTH - NAMES) as f64 - 2.0 * VALUES) / 2.0;
    let zero = NAMES as f64 + VALUES + side;
    let height = bars.len() * ROW + 4;
    let round = |value: f64| format!("{value:.1}");
    html! {
        svg .chart viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(title) {
            line .grid x1=(round(zero)) x2=(round(zero)) y1="0" y2=(height) {}
            @for (row, (name, value)) in bars.iter().enumerate() {
                @let y = row * ROW + 4;
                @let length = value.abs() / largest * side;
                @let is_below = *value < 0.0;
                text .name x=(NAMES - 8) y=(y + 13) text-anchor="end" { (name.chars().take(32).collect::<String>()) title { (name) } }
                rect class=(if is_below { "series-1" } else { "series-0" }) x=(round(if is_below { zero - length } else { zero })) y=(y + 1) width=(round(length)) height=(ROW - 8) {}
                text .value x=(round(if is_below { zero - length - 6.0 } else { zero + length + 6.0 })) y=(y + 13) text-anchor=(if is_below { "end" } else { "start" }) { (view.tongue.decimal(*value, 2)) }
            }
        }
    }
}
