//! Where the nodes of a graph stand: those that are linked near each other, none on top of another. They begin on a
//! spiral and are moved by forces (Fruchterman and Reingold), without chance, so the same graph always looks the same.

use super::graph::{Link, Node};

/// Steps of moving; each is shorter than the last.
const STEPS: usize = 400;
/// The greatest step at the beginning, as a share of the picture.
const FIRST_STEP: f64 = 0.08;
/// How strongly everything is drawn to the middle, so that what is not linked stays near.
const GRAVITY: f64 = 0.9;

/// Gives every node a place from 0 to 1.
pub(super) fn arrange(nodes: &mut [Node], links: &[Link]) {
    let count = nodes.len();
    if count == 0 {
        return;
    }
    let distance = (1.0 / count as f64).sqrt();
    let mut places: Vec<(f64, f64)> = (0..count).map(|number| on_spiral(number, count)).collect();
    for step in 0..STEPS {
        let reach = FIRST_STEP * (1.0 - step as f64 / STEPS as f64);
        let forces = forces(&places, links, distance);
        for (place, (x, y)) in places.iter_mut().zip(forces) {
            let length = x.hypot(y).max(1e-9);
            let moved = length.min(reach);
            place.0 += x / length * moved;
            place.1 += y / length * moved;
        }
    }
    let (columns, rows) = (spread(&places, |place| place.0), spread(&places, |place| place.1));
    for (node, (x, y)) in nodes.iter_mut().zip(places) {
        node.x = (x - columns.0) / columns.1;
        node.y = (y - rows.0) / rows.1;
    }
}

/// The golden angle spreads any number of nodes evenly.
fn on_spiral(number: usize, count: usize) -> (f64, f64) {
    let angle = number as f64 * 2.399_963_229_728_653;
    let radius = 0.5 * ((number as f64 + 0.5) / count as f64).sqrt();
    (0.5 + radius * angle.cos(), 0.5 + radius * angle.sin())
}

fn forces(places: &[(f64, f64)], links: &[Link], distance: f64) -> Vec<(f64, f64)> {
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
    for link in links {
        let (x, y) =
            (places[link.to].0 - places[link.from].0, places[link.to].1 - places[link.from].1);
        let pull = x.hypot(y) / distance * 0.25;
        forces[link.from] = (forces[link.from].0 + x * pull, forces[link.from].1 + y * pull);
        forces[link.to] = (forces[link.to].0 - x * pull, forces[link.to].1 - y * pull);
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
