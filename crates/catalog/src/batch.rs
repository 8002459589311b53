//! Many rows in few statements.
//!
//! A statement over many rows is written as a list of `VALUES`. The lists come in a few fixed
//! lengths, powers of two, so that each connection prepares each statement once: a batch is cut into
//! the longest pieces first, and its remainder into shorter ones.

use crate::engine::{Dialect, Session, Sql, Value};
use auslese_model::ServerId;
use std::fmt::Write as _;

/// Values per statement at most, well below the limits of both engines (32,766 for SQLite, 65,535
/// for PostgreSQL): longer statements gain nothing and take memory while they are kept.
const MAX_VALUES: usize = 8_192;

/// Servers asked about in one statement; shorter lists are filled up with a number no server has.
pub(crate) const SERVERS_AT_ONCE: usize = 32;
const NO_SERVER: i64 = -1;

/// A statement over a list of rows: `before VALUES (…), (…) after`.
#[derive(Debug)]
pub(crate) struct Batch {
    before: &'static str,
    after: &'static str,
    columns: usize,
    values: Vec<Value>,
}

impl Batch {
    pub(crate) fn new(before: &'static str, columns: usize, after: &'static str) -> Batch {
        Batch { before, after, columns, values: Vec::new() }
    }

    pub(crate) fn push<const N: usize>(&mut self, row: [Value; N]) {
        debug_assert_eq!(N, self.columns);
        self.values.extend(row);
    }

    /// Runs the statements and says how many rows they wrote.
    pub(crate) async fn run(self, session: &mut Session) -> Result<u64, sqlx::Error> {
        let rows = self.values.len() / self.columns;
        let mut values = self.values.into_iter();
        let mut written = 0;
        for piece in pieces(rows, self.columns) {
            let text = statement(self.before, piece, self.columns, self.after, session.dialect());
            let values = values.by_ref().take(piece * self.columns).collect();
            written += session.execute(Sql { text: text.into(), values }).await?;
        }
        Ok(written)
    }
}

/// The lengths of the statements for so many rows.
pub(crate) fn pieces(rows: usize, columns: usize) -> impl Iterator<Item = usize> {
    let longest = (MAX_VALUES / columns).ilog2();
    let mut left = rows;
    (0..=longest).rev().flat_map(move |power| {
        let piece = 1 << power;
        let count = left / piece;
        left %= piece;
        std::iter::repeat_n(piece, count)
    })
}

pub(crate) fn statement(
    before: &str,
    rows: usize,
    columns: usize,
    after: &str,
    dialect: Dialect,
) -> String {
    let mut text = String::with_capacity(before.len() + after.len() + rows * columns * 6);
    text.push_str(before);
    text.push_str(" VALUES ");
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ",(" });
        for column in 0..columns {
            if column > 0 {
                text.push(',');
            }
            match dialect {
                // SQLite finds a named parameter by searching a list; thousands need `?`.
                Dialect::Sqlite => text.push('?'),
                Dialect::Postgres => {
                    write!(text, "${}", row * columns + column + 1).expect("strings take text");
                }
            }
        }
        text.push(')');
    }
    text.push_str(after);
    text
}

/// `$first, …`: places for [`SERVERS_AT_ONCE`] servers in an `IN` list.
pub(crate) fn server_places(first: usize) -> String {
    let places: Vec<String> =
        (first..first + SERVERS_AT_ONCE).map(|number| format!("${number}")).collect();
    places.join(",")
}

impl Sql {
    /// Fills the places made by [`server_places`].
    pub(crate) fn bind_servers(mut self, servers: &[ServerId]) -> Sql {
        debug_assert!(servers.len() <= SERVERS_AT_ONCE);
        self.values.extend(servers.iter().map(|server| Value::from(*server)));
        let missing = SERVERS_AT_ONCE.saturating_sub(servers.len());
        self.values.extend(std::iter::repeat_n(Value::from(NO_SERVER), missing));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_have_few_lengths() {
        assert_eq!(
            pieces(3000, 14).collect::<Vec<_>>(),
            [512, 512, 512, 512, 512, 256, 128, 32, 16, 8]
        );
        assert_eq!(pieces(300, 39).collect::<Vec<_>>(), [128, 128, 32, 8, 4]);
        assert_eq!(pieces(0, 1).count(), 0);
        assert_eq!(
            statement("INSERT INTO t (a, b)", 2, 2, " X", Dialect::Postgres),
            "INSERT INTO t (a, b) VALUES ($1,$2),($3,$4) X"
        );
        assert_eq!(
            statement("WITH v(a) AS (", 2, 1, ") …", Dialect::Sqlite),
            "WITH v(a) AS ( VALUES (?),(?)) …"
        );
    }
}
