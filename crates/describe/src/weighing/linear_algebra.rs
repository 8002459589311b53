//! A symmetric system of equations, solved by Cholesky's method.

/// A symmetric matrix by its lower triangle, row by row.
pub(crate) struct Symmetric {
    size: usize,
    cells: Vec<f64>,
}

impl Symmetric {
    pub(crate) fn zero(size: usize) -> Symmetric {
        Symmetric { size, cells: vec![0.0; size * (size + 1) / 2] }
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        let (row, column) = (row.max(column), row.min(column));
        self.cells[row * (row + 1) / 2 + column] += value;
    }

    /// The solution of `self · x = right`; `None` if the matrix is not positive definite.
    pub(crate) fn solve(mut self, mut right: Vec<f64>) -> Option<Vec<f64>> {
        self.factorise()?;
        for row in 0..self.size {
            let known: f64 = (0..row).map(|column| self.at(row, column) * right[column]).sum();
            right[row] = (right[row] - known) / self.at(row, row);
        }
        for row in (0..self.size).rev() {
            let known: f64 =
                (row + 1..self.size).map(|below| self.at(below, row) * right[below]).sum();
            right[row] = (right[row] - known) / self.at(row, row);
        }
        right.iter().all(|value| value.is_finite()).then_some(right)
    }

    /// Replaces the matrix by its lower triangular factor.
    fn factorise(&mut self) -> Option<()> {
        for row in 0..self.size {
            for column in 0..=row {
                let known: f64 = (0..column).map(|k| self.at(row, k) * self.at(column, k)).sum();
                let rest = self.at(row, column) - known;
                let value = if row == column {
                    Some(rest.sqrt()).filter(|root| root.is_finite() && *root > 0.0)?
                } else {
                    rest / self.at(column, column)
                };
                self.cells[row * (row + 1) / 2 + column] = value;
            }
        }
        Some(())
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * (row + 1) / 2 + column]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_of_three() {
        let mut matrix = Symmetric::zero(3);
        for (row, column, value) in
            [(0, 0, 4.0), (1, 0, 2.0), (1, 1, 5.0), (0, 2, 1.0), (1, 2, 3.0), (2, 2, 6.0)]
        {
            matrix.add(row, column, value);
        }
        let solution = matrix.solve(vec![11.0, 21.0, 25.0]).expect("it is definite");
        for (found, expected) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{solution:?}");
        }
        assert_eq!(Symmetric::zero(2).solve(vec![1.0, 1.0]), None);
    }
}
