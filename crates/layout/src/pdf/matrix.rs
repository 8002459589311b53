//! Transformations of the plane, as PDF writes them.

use super::lexer::Operand;

/// `[a b c d e f]`: (x, y) becomes (ax + cy + e, bx + dy + f).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub(super) [f64; 6]);

impl Matrix {
    pub(super) const IDENTITY: Matrix = Matrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) fn translation(x: f64, y: f64) -> Matrix {
        Matrix([1.0, 0.0, 0.0, 1.0, x, y])
    }

    pub(super) fn of(operands: &[Operand]) -> Option<Matrix> {
        let mut matrix = [0.0; 6];
        for (place, operand) in matrix.iter_mut().zip(operands.get(..6)?) {
            *place = operand.number()?;
        }
        Some(Matrix(matrix))
    }

    /// First this transformation, then another.
    pub(super) fn then(self, other: Matrix) -> Matrix {
        let Matrix([a, b, c, d, e, f]) = self;
        let Matrix([p, q, r, s, t, u]) = other;
        Matrix([
            a * p + b * r,
            a * q + b * s,
            c * p + d * r,
            c * q + d * s,
            e * p + f * r + t,
            e * q + f * s + u,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_matters() {
        let double = Matrix([2.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        let right = Matrix::translation(10.0, 0.0);
        assert_eq!(right.then(double).0[4], 20.0);
        assert_eq!(double.then(right).0[4], 10.0);
    }
}
