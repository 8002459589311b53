//! Where the nodes of a graph stand: those that are linked near each other, none on top of another. They begin on a
//! spiral and are moved by forces (Fruchterman and Reingold), without chance, so the same graph always looks the same.

use super::graph::{Link, Node};

/// Steps of moving; each is shorter than the last.
const STEPS: usize = 400;
/// The greatest step at the beginning, as a share of the picture.
const FIRST_STEP: f64 = 0.08;
/// How strongly everything is drawn to the middle, so that what is not linked stays near.
const GRAVITY: f64 = 0.6;
/// How strongly what is linked is drawn together.
const PULL: f64 = 0.12;

/// The share of the picture that nodes with links have, where there are others.
const LINKED_SHARE: f64 = 0.84;
/// Nodes of a row at the bottom.
const ROW: usize = 6;

/// Gives every node a place from 0 to 1. Those without links stand in rows at the bottom.
pub(super) fn arrange(nodes: &mut [Node], links: &[Link]) {
    let is_linked =
        |number: usize| links.iter().any(|link| link.from == number || link.to == number);
    let (linked, alone): (Vec<usize>, Vec<usize>) =
        (0..nodes.len()).partition(|number| is_linked(*number));
    let share = match (linked.is_empty(), alone.is_empty()) {
        (_, true) => 1.0,
        (true, false) => 0.0,
        (false, false) => LINKED_SHARE,
    };
    for (number, (x, y)) in linked.iter().zip(moved(&linked, links)) {
        (nodes[*number].x, nodes[*number].y) = (x, y * share);
    }
    let rows = alone.len().div_ceil(ROW);
    let begin = if share > 0.0 { share + 0.08 } else { 0.0 };
    for (at, number) in alone.iter().enumerate() {
        let in_row = ROW.min(alone.len() - at / ROW * ROW);
        nodes[*number].x = (at % ROW) as f64 / in_row.max(1) as f64 + 0.5 / in_row.max(1) as f64;
        nodes[*number].y = begin + (1.0 - begin) * (at / ROW + 1) as f64 / rows.max(1) as f64;
    }
}

/// The places of nodes after all steps, from 0 to 1.
fn moved(numbers: &[usize], links: &[Link]) -> Vec<(f64, f64)> {
    let count = numbers.len();
    let at = |number: usize| numbers.iter().position(|known| *known == number).unwrap_or(0);
    let pairs: Vec<(usize, usize)> =
        links.iter().map(|link| (at(link.from), at(link.to))).collect();
    let distance = (1.0 / count.max(1) as f64).sqrt();
    let mut places: Vec<(f64, f64)> = (0..count).map(|number| on_spiral(number, count)).collect();
    for step in 0..STEPS {
        let reach = FIRST_STEP * (1.0 - step as f64 / STEPS as f64);
        let forces = forces(&places, &pairs, distance);
        for (place, (x, y)) in places.iter_mut().zip(forces) {
            let length = x.hypot(y).max(1e-9);
            let moved = length.min(reach);
            place.0 += x / length * moved;
            place.1 += y / length * moved;
        }
    }
    let (columns, rows) = (spread(&places, |place| place.0), spread(&places, |place| place.1));
    let scaled = |(x, y): (f64, f64)| ((x - columns.0) / columns.1, (y - rows.0) / rows.1);
    places.into_iter().map(scaled).collect()
}

/// The golden angle spreads any number of nodes evenly.
fn on_spiral(number: usize, count: usize) -> (f64, f64) {
    let angle = number as f64 * 2.399_963_229_728_653;
    let radius = 0.5 * ((number as f64 + 0.5) / count as f64).sqrt();
    (0.5 + radius * angle.cos(), 0.5 + radius * angle.sin())
}

fn forces(places: &[(f64, f64)], pairs: &[(usize, usize)], distance: f64) -> Vec<(f64, f64)> {
    let mut forces: Vec<(f64, f64)> = places
        .iter()
        .map(|(x, y)| ((0.5 - x) * GRAVITY * distance, (0.5 - y) * GRAVITY * distance))
        .collect();
    for one in 0..places.len() {
        for other in one + 1..places.len() {
            let (x, y) = (places[one].0 - places[other].0, places[one].1 - places[other].1);
            let square = (x * x + y * y).max(1e-6);
            let push = distance * distance / square;
            forces[one] = (forces[one].0 + x * push, forces[one].1 + y * push);
            forces[other] = (forces[other].0 - x * push, forces[other].1 - y * push);
        }
    }
    for (from, to) in pairs {
        let (x, y) = (places[*to].0 - places[*from].0, places[*to].1 - places[*from].1);
        let pull = x.hypot(y) / distance * PULL;
        forces[*from] = (forces[*from].0 + x * pull, forces[*from].1 + y * pull);
        forces[*to] = (forces[*to].0 - x * pull, forces[*to].1 - y * pull);
    }
    forces
}

/// The least value and the width of all.
fn spread(places: &[(f64, f64)], of: impl Fn(&(f64, f64)) -> f64) -> (f64, f64) {
    let values = || places.iter().map(&of);
    let least = values().fold(f64::INFINITY, f64::min);
    let width = values().fold(f64::NEG_INFINITY, f64::max) - least;
    // One node, or nodes in a row, stand in the middle.
    if width > 1e-9 { (least, width) } else { (least - 0.5, 1.0) }
}
