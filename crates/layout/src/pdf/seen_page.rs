//! A page as it is seen: cut to its crop box and turned as it asks to be.

use hayro_syntax::object::{Dict, Object, Stream};
use hayro_syntax::page::{Page, Rotation};

use super::filters::{Budget, decoded};
use super::matrix::Matrix;

/// The page as it is seen.
#[derive(Debug)]
pub(super) struct SeenPage {
    pub(super) width: f64,
    pub(super) height: f64,
    /// From the page's own coordinates to points from the top left corner.
    pub(super) matrix: Matrix,
}

impl SeenPage {
    pub(super) fn of(page: &Page<'_>) -> SeenPage {
        let area = page.intersected_crop_box();
        let (width, height) = page.base_dimensions();
        let (width, height) = (f64::from(width), f64::from(height));
        let upright = Matrix([1.0, 0.0, 0.0, -1.0, -area.x0, area.y0 + height]);
        let (turn, width, height) = match page.rotation() {
            Rotation::None => (Matrix::IDENTITY, width, height),
            Rotation::Horizontal => (Matrix([0.0, 1.0, -1.0, 0.0, height, 0.0]), height, width),
            Rotation::Flipped => (Matrix([-1.0, 0.0, 0.0, -1.0, width, height]), width, height),
            Rotation::FlippedHorizontal => {
                (Matrix([0.0, -1.0, 1.0, 0.0, 0.0, width]), height, width)
            }
        };
        SeenPage { width, height, matrix: upright.then(turn) }
    }
}

/// The content of a page: one stream or several, joined.
pub(super) fn content_of(page: &Dict<'_>, budget: &mut Budget) -> Vec<u8> {
    let mut content = Vec::new();
    match page.get::<Object<'_>>("Contents") {
        Some(Object::Stream(stream)) => content = decoded(&stream, budget).unwrap_or_default(),
        Some(Object::Array(streams)) => {
            for stream in streams.iter::<Stream<'_>>() {
                content.extend(decoded(&stream, budget).unwrap_or_default());
                // Streams are joined at the borders of words.
                content.push(b'\n');
            }
        }
        _ => {}
    }
    content
}
