//! Charts as SVG, made on the server. Beside each stands its table, which is what screen readers are given.

use crate::view::View;
use maud::{Markup, html};

/// Bars with their names, longest first or in the order they are given.
#[derive(Debug)]
pub(crate) struct BarChart {
    pub(crate) title: String,
    /// Name and value.
    pub(crate) bars: Vec<(String, f64)>,
}

const ROW: usize = 22;
const NAMES: usize = 200;
const WIDTH: usize = 640;
/// Letters of a name that fit before the bars.
const NAME_LETTERS: usize = 25;

impl BarChart {
    pub(crate) fn markup(&self, view: &View) -> Markup {
        let largest = self.bars.iter().map(|bar| bar.1).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let height = self.bars.len() * ROW + 4;
        let room = (WIDTH - NAMES - 90) as f64;
        html! {
            div .drawing tabindex="0" { svg .chart viewBox=(format!("0 0 {WIDTH} {height}")) role="img" aria-label=(self.title) {
                @for (row, (name, value)) in self.bars.iter().enumerate() {
                    @let y = row * ROW + 4;
                    @let length = value.max(0.0) / largest * room;
                    text .name x=(NAMES - 8) y=(y + 13) text-anchor="end" { (shortened(name, NAME_LETTERS)) title { (name) } }
                    rect .series-0 x=(NAMES) y=(y + 1) width=(format!("{length:.1}")) height=(ROW - 8) rx="2" {
                        title { (name) ": " (value_text(view, *value)) }
                    }
                    text .value x=(format!("{:.1}", NAMES as f64 + length + 6.0)) y=(y + 13) { (value_text(view, *value)) }
                }
            } }
        }
    }
}

/// Lines over a common axis, such as years.
#[derive(Debug)]
pub(crate) struct LineChart {
    pub(crate) title: String,
    /// Places on the axis, in order: where they lie, and their names.
    pub(crate) axis: Vec<(f64, String)>,
    /// Name and a value for each place; `None` where there is none.
    pub(crate) lines: Vec<(String, Vec<Option<f64>>)>,
}

const LINE_HEIGHT: f64 = 260.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 30.0;
/// Lines that are told apart by colour.
const COLOURS: usize = 8;

impl LineChart {
    pub(crate) fn markup(&self, view: &View) -> Markup {
        let values = self.lines.iter().flat_map(|(_, values)| values.iter().flatten().copied());
        let largest = values.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let top = rounded_up(largest);
        let width = WIDTH as f64;
        let first = self.axis.first().map_or(0.0, |place| place.0);
        let length = self.axis.last().map_or(0.0, |place| place.0) - first;
        let length = if length > 0.0 { length } else { 1.0 };
        let x = |place: usize| LEFT + (self.axis[place].0 - first) / length * (width - LEFT - 20.0);
        let y = |value: f64| TOP + (1.0 - value / top) * (LINE_HEIGHT - TOP - BOTTOM);
        let named = places_apart(&(0..self.axis.len()).map(x).collect::<Vec<_>>());
        html! {
            div .drawing tabindex="0" { svg .chart viewBox=(format!("0 0 {WIDTH} {LINE_HEIGHT}")) role="img" aria-label=(self.title) {
                @for tick in 0..=4 {
                    @let value = top * f64::from(tick) / 4.0;
                    line .grid x1=(LEFT) x2=(width - 20.0) y1=(round(y(value))) y2=(round(y(value))) {}
                    text .value x=(LEFT - 6.0) y=(round(y(value) + 4.0)) text-anchor="end" { (value_text(view, value)) }
                }
                @for place in named {
                    text .name x=(round(x(place))) y=(LINE_HEIGHT - 8.0) text-anchor="middle" { (self.axis[place].1) }
                }
                @for (number, (name, values)) in self.lines.iter().enumerate() {
                    @let colour = series(number);
                    @for run in runs(values) {
                        @let points: Vec<String> = run.iter().map(|(place, value)| format!("{:.1},{:.1}", x(*place), y(*value))).collect();
                        polyline class={ "line " (colour) } points=(points.join(" ")) {}
                    }
                    @for (place, value) in values.iter().enumerate().filter_map(|(place, value)| value.map(|it| (place, it))) {
                        circle class={ "dot " (colour) } cx=(round(x(place))) cy=(round(y(value))) r="3" {
                            title { (name) ", " (self.axis[place].1) ": " (value_text(view, value)) }
                        }
                    }
                }
            } }
            (legend(self.lines.iter().map(|(name, _)| name.as_str())))
        }
    }
}

/// What the colours mean, in the order of the series.
pub(crate) fn legend<'a>(names: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        ul .legend {
            @for (number, name) in names.enumerate() {
                li { svg .key viewBox="0 0 12 12" aria-hidden="true" { rect class=(series(number)) width="12" height="12" rx="2" {} } (name) }
            }
        }
    }
}

/// The class that gives a series its colour.
pub(crate) fn series(number: usize) -> String {
    format!("series-{}", number % COLOURS)
}

/// Values that follow each other without a gap.
fn runs(values: &[Option<f64>]) -> Vec<Vec<(usize, f64)>> {
    let mut runs = vec![Vec::new()];
    for (place, value) in values.iter().enumerate() {
        match (value, runs.last_mut()) {
            (Some(value), Some(run)) => run.push((place, *value)),
            (None, Some(run)) if !run.is_empty() => runs.push(Vec::new()),
            _ => {}
        }
    }
    runs.retain(|run| run.len() > 1);
    runs
}

/// Names on the axis that do not touch each other.
const NAME_ROOM: f64 = 55.0;

fn places_apart(x: &[f64]) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for (place, at) in x.iter().enumerate() {
        if chosen.last().is_none_or(|last| at - x[*last] >= NAME_ROOM) {
            chosen.push(place);
        }
    }
    chosen
}

/// The next number that looks good on an axis.
fn rounded_up(value: f64) -> f64 {
    let unit = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 4.0, 5.0, 8.0, 10.0];
    steps
        .into_iter()
        .map(|step| step * unit)
        .find(|top| *top >= value * 0.999)
        .unwrap_or(10.0 * unit)
}

fn round(value: f64) -> String {
    format!("{value:.1}")
}

fn value_text(view: &View, value: f64) -> String {
    match value {
        value if value.fract() == 0.0 && value.abs() < 1e15 => view.tongue.number(value as u64),
        value if value.abs() >= 100.0 => view.tongue.number(value.round() as u64),
        value if value.abs() >= 1.0 => view.tongue.decimal(value, 1),
        value => view.tongue.decimal(value, 3),
    }
}

/// A name with so many letters at most.
pub(crate) fn shortened(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return name.to_owned();
    }
    let mut short: String = name.chars().take(letters.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_good_numbers() {
        for (value, expected) in
            [(0.7, 0.8), (1.0, 1.0), (13.0, 20.0), (4_200.0, 5_000.0), (99.0, 100.0)]
        {
            assert!((rounded_up(value) - expected).abs() < 1e-9, "{value}");
        }
    }

    #[test]
    fn names_keep_their_distance() {
        assert_eq!(places_apart(&[0.0, 20.0, 54.0, 60.0, 200.0]), [0, 3, 4]);
        assert!(places_apart(&[]).is_empty());
    }

    #[test]
    fn gaps_break_lines() {
        let values = [Some(1.0), Some(2.0), None, Some(3.0), None, Some(4.0), Some(5.0)];
        assert_eq!(runs(&values), [vec![(0, 1.0), (1, 2.0)], vec![(5, 4.0), (6, 5.0)]]);
        assert!(runs(&[]).is_empty());
    }
}
