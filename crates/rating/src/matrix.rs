//! Dense matrices: products, the Cholesky factorization, inverses and null spaces.

use std::ops::{Index, IndexMut, Mul};

/// The number of columns that are processed together, so that they stay in the cache.
const BLOCK: usize = 64;

/// A matrix, stored column by column.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix {
    rows: usize,
    values: Vec<f64>,
}

impl Matrix {
    pub fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix { rows, values: vec![0.0; rows * columns] }
    }

    pub fn from_fn(rows: usize, columns: usize, mut value: impl FnMut(usize, usize) -> f64) -> Matrix {
        let mut matrix = Matrix::zeros(rows, columns);
        for (column, entries) in matrix.values.chunks_exact_mut(rows.max(1)).enumerate() {
            entries.iter_mut().enumerate().for_each(|(row, entry)| *entry = value(row, column));
        }
        matrix
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.values.len().checked_div(self.rows).unwrap_or(0)
    }

    fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.rows..][..self.rows]
    }

    /// Computes an orthonormal basis of the null space of a symmetric, positive semidefinite matrix.
    ///
    /// Gauss-Jordan elimination with the largest diagonal entry as the pivot. A pivot counts as 0 if it does
    /// not exceed `tolerance`.
    pub fn null_space(mut self, tolerance: f64) -> Vec<Vec<f64>> {
        let size = self.rows;
        let mut free: Vec<usize> = (0..size).collect();
        while let Some(place) = (0..free.len())
            .max_by(|one, other| self.diagonal(free[*one]).total_cmp(&self.diagonal(free[*other])))
        {
            let pivot = free[place];
            if self.diagonal(pivot) <= tolerance || self.diagonal(pivot).is_nan() {
                break;
            }
            free.swap_remove(place);
            let scaled: Vec<f64> =
                self.column(pivot).iter().map(|value| value / self[(pivot, pivot)]).collect();
            for &column in &free {
                let times = self[(pivot, column)];
                add_times(&mut self.values[column * size..][..size], -times, &scaled);
                self[(pivot, column)] = times / self[(pivot, pivot)];
            }
        }
        let mut basis: Vec<Vec<f64>> = Vec::with_capacity(free.len());
        for index in &free {
            let mut direction: Vec<f64> = self.column(*index).iter().map(|value| -value).collect();
            free.iter().for_each(|other| direction[*other] = f64::from(u8::from(index == other)));
            // Twice, because the first time rounding leaves a remainder.
            for _ in 0..2 {
                for other in &basis {
                    let along = dot(&direction, other);
                    add_times(&mut direction, -along, other);
                }
            }
            let length = dot(&direction, &direction).sqrt();
            direction.iter_mut().for_each(|value| *value /= length);
            basis.push(direction);
        }
        basis
    }

    fn diagonal(&self, index: usize) -> f64 {
        self[(index, index)]
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.values[column * self.rows + row]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.values[column * self.rows + row]
    }
}

impl Mul for &Matrix {
    type Output = Matrix;

    fn mul(self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zeros(self.rows, other.columns());
        for start in (0..other.rows).step_by(BLOCK) {
            for (column, target) in product.values.chunks_exact_mut(self.rows).enumerate() {
                let factors = other.column(column).iter().enumerate().skip(start).take(BLOCK);
                for (inner, times) in factors.filter(|(_, times)| **times != 0.0) {
                    add_times(target, *times, self.column(inner));
                }
            }
        }
        product
    }
}

/// The factor `L` of a symmetric, positive definite matrix `L L^T`.
#[derive(Clone, Debug)]
pub(super) struct Cholesky {
    size: usize,
    /// The columns of `L`, one after the other. The entries above the diagonal are unused.
    columns: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix; `None` if it is not definite.
    pub fn of(matrix: &Matrix) -> Option<Cholesky> {
        let (size, mut columns) = (matrix.rows, matrix.values.clone());
        for start in (0..size).step_by(BLOCK) {
            for column in start..size {
                let (before, target) = columns.split_at_mut(column * size);
                let target = &mut target[column..size];
                let others = &before[start * size..before.len().min((start + BLOCK) * size)];
                let mut pairs = others.chunks_exact(2 * size);
                for pair in &mut pairs {
                    let (one, other) = pair.split_at(size);
                    add_two(target, [-one[column], -other[column]], [&one[column..], &other[column..]]);
                }
                for other in pairs.remainder().chunks_exact(size) {
                    add_times(target, -other[column], &other[column..]);
                }
                if column < start + BLOCK {
                    if target[0] <= 0.0 || target[0].is_nan() {
                        return None;
                    }
                    let root = target[0].sqrt();
                    target.iter_mut().for_each(|value| *value /= root);
                }
            }
        }
        Some(Cholesky { size, columns })
    }

    /// A column of `L` from its diagonal on.
    fn column(&self, column: usize) -> &[f64] {
        &self.columns[column * self.size..][column..self.size]
    }

    /// The `x` with `L L^T x = right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for column in 0..self.size {
            self.eliminate(column, &mut x);
        }
        for column in (0..self.size).rev() {
            let entries = self.column(column);
            x[column] = (x[column] - dot(&entries[1..], &x[column + 1..])) / entries[0];
        }
        x
    }

    /// Takes a step of solving `L x = right`: computes `x[column]` and subtracts its share from later entries.
    fn eliminate(&self, column: usize, x: &mut [f64]) {
        let entries = self.column(column);
        x[column] /= entries[0];
        let (settled, rest) = x.split_at_mut(column + 1);
        add_times(rest, -settled[column], &entries[1..]);
    }

    /// The inverse of `L L^T`.
    pub fn inverse(&self) -> Matrix {
        let size = self.size;
        let mut root = Matrix::from_fn(size, size, |row, column| f64::from(u8::from(row == column)));
        for start in (0..size).step_by(BLOCK) {
            for (column, target) in root.values.chunks_exact_mut(size).enumerate().take(start + BLOCK) {
                (start.max(column)..size.min(start + BLOCK)).for_each(|next| self.eliminate(next, target));
            }
        }
        let transposed = Matrix::from_fn(size, size, |row, column| root[(column, row)]);
        let mut inverse = Matrix::zeros(size, size);
        for start in (0..size).step_by(BLOCK) {
            // The inverse is symmetric, so the entries below the diagonal suffice; above it `root` is 0.
            for (column, target) in inverse.values.chunks_exact_mut(size).enumerate() {
                for inner in start.max(column)..size.min(start + BLOCK) {
                    let times = root[(inner, column)];
                    add_times(&mut target[column..=inner], times, &transposed.column(inner)[column..=inner]);
                }
            }
        }
        for column in 0..size {
            (0..column).for_each(|row| inverse[(row, column)] = inverse[(column, row)]);
        }
        inverse
    }
}

fn add_times(values: &mut [f64], times: f64, others: &[f64]) {
    values.iter_mut().zip(others).for_each(|(value, other)| *value += times * other);
}

/// Does the same as two calls of [`add_times`], in one pass.
fn add_two(values: &mut [f64], times: [f64; 2], [one, other]: [&[f64]; 2]) {
    let both = one.iter().zip(other);
    values.iter_mut().zip(both).for_each(|(value, (one, other))| {
        *value = *value + times[0] * one + times[1] * other;
    });
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The parameters that diverged, so that no maximum was found.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(super) struct NotConverged {
    /// The effects of seats diverged.
    pub seats: bool,
    /// The parameters of ties diverged.
    pub ties: bool,
}

/// Factors a positive definite matrix.
///
/// In a field with very large differences, rounding can make the matrix indefinite: a ridge shortens the step
/// then, and the next step is more accurate.
pub(super) fn factor(matrix: &Matrix) -> Result<Cholesky, NotConverged> {
    if let Some(factored) = Cholesky::of(matrix) {
        return Ok(factored);
    }
    let size = (0..matrix.rows()).map(|row| matrix[(row, row)]).fold(0.0, f64::max);
    for ridge in [1e-13, 1e-10, 1e-7] {
        let mut raised = matrix.clone();
        for row in 0..matrix.rows() {
            raised[(row, row)] += size * ridge;
        }
        if let Some(factored) = Cholesky::of(&raised) {
            return Ok(factored);
        }
    }
    Err(NotConverged::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Definite, and larger than a block: `1 / (1 + |row - column|)` with a heavier diagonal.
    fn example(size: usize) -> Matrix {
        Matrix::from_fn(size, size, |row, column| {
            1.0 / (1.0 + row.abs_diff(column) as f64) + f64::from(u8::from(row == column))
        })
    }

    #[track_caller]
    fn near(one: &Matrix, other: &Matrix) {
        assert_eq!(one.values.len(), other.values.len());
        for (one, other) in one.values.iter().zip(&other.values) {
            assert!((one - other).abs() < 1e-12, "{one} instead of {other}");
        }
    }

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        for size in [1, 2, 63, 64, 65, 200] {
            let matrix = example(size);
            let factor = Cholesky::of(&matrix).expect("the example is definite");
            let inverse = factor.inverse();
            let identity = Matrix::from_fn(size, size, |row, column| f64::from(u8::from(row == column)));
            near(&(&matrix * &inverse), &identity);
            let right: Vec<f64> = (0..size).map(|index| index as f64 - 7.0).collect();
            let solved = Matrix { rows: size, values: factor.solve(&right) };
            near(&(&matrix * &solved), &Matrix { rows: size, values: right });
        }
    }

    #[test]
    fn indefinite_matrices_have_no_factor() {
        let matrix = Matrix::from_fn(2, 2, |row, column| if row == column { 1.0 } else { 2.0 });
        assert!(Cholesky::of(&matrix).is_none());
        assert!(Cholesky::of(&Matrix::from_fn(1, 1, |_, _| f64::NAN)).is_none());
    }

    #[test]
    fn a_null_space_basis_is_orthonormal_and_complete() {
        // Two groups of chained games: a common shift of either changes nothing.
        let linked = |one: usize, other: usize| one.abs_diff(other) == 1 && one / 3 == other / 3;
        let laplacian = Matrix::from_fn(6, 6, |row, column| match row == column {
            true => (0..6).filter(|other| linked(row, *other)).count() as f64,
            false => -f64::from(u8::from(linked(row, column))),
        });
        let basis = laplacian.clone().null_space(1e-9);
        assert_eq!(basis.len(), 2);
        for (index, first) in basis.iter().enumerate() {
            near(&(&laplacian * &Matrix { rows: 6, values: first.clone() }), &Matrix::zeros(6, 1));
            for (other, second) in basis.iter().enumerate() {
                assert!((dot(first, second) - f64::from(u8::from(index == other))).abs() < 1e-12);
            }
        }
        assert!(example(5).null_space(1e-9).is_empty());
        assert_eq!(Matrix::zeros(3, 3).null_space(0.0).len(), 3);
    }
}
