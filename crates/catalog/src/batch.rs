//! Many rows in few statements.
//!
//! For SQLite a statement over many rows is written as a list of `VALUES`. The lists come in a few
//! fixed lengths, powers of two, so that each connection prepares each statement once: a batch is cut
//! into the longest pieces first, and its remainder into shorter ones. PostgreSQL takes whole columns
//! as arrays (`UNNEST`), so one statement does for any number of rows.
//!
//! SQLite can undo a single statement. For that it copies every page that a statement over many rows is
//! about to change into a file of its own, which was half of all that was written. Whatever fails here
//! has its whole transaction rolled back, so nothing is lost by telling SQLite to leave the copies out.

use crate::engine::{Column, Dialect, Fields, Session, Sql, Value};
use auslese_model::ServerId;
use std::borrow::Cow;

/// Values per statement at most, well below the limit of SQLite (32,766): longer statements gain nothing and take
/// memory while they are kept, some 150 bytes for each value.
const MAX_VALUES: usize = 2_048;

/// Servers asked about in one statement; shorter lists are filled up with a number no server has.
pub(crate) const SERVERS_AT_ONCE: usize = 32;
const NO_SERVER: i64 = -1;

/// A statement over a list of rows: `before VALUES (…), (…) after`.
#[derive(Debug)]
pub(crate) struct Batch {
    before: Cow<'static, str>,
    after: &'static str,
    columns: usize,
    values: Vec<Value>,
}

impl Batch {
    pub(crate) fn new(
        before: impl Into<Cow<'static, str>>,
        columns: usize,
        after: &'static str,
    ) -> Batch {
        Batch { before: before.into(), after, columns, values: Vec::new() }
    }

    pub(crate) fn push<const N: usize>(&mut self, row: [Value; N]) {
        debug_assert_eq!(N, self.columns);
        self.values.extend(row);
    }

    /// The same for rows whose length is not known here.
    pub(crate) fn push_row(&mut self, row: Vec<Value>) {
        debug_assert_eq!(row.len(), self.columns);
        self.values.extend(row);
    }

    /// Runs the statements and says how many rows they wrote.
    pub(crate) async fn run(self, session: &mut Session) -> Result<u64, sqlx::Error> {
        if self.values.is_empty() {
            return Ok(0);
        }
        if session.dialect() == Dialect::Postgres {
            let (text, columns) = self.arrays()?;
            return session.execute_columns(text, columns).await;
        }
        let mut written = 0;
        for sql in self.lists() {
            written += session.execute(sql).await?;
        }
        Ok(written)
    }

    /// Runs statements that return rows.
    pub(crate) async fn rows(self, session: &mut Session) -> Result<Vec<Fields>, sqlx::Error> {
        if self.values.is_empty() {
            return Ok(Vec::new());
        }
        if session.dialect() == Dialect::Postgres {
            let (text, columns) = self.arrays()?;
            return session.rows_of_columns(text, columns).await;
        }
        let mut rows = Vec::new();
        for sql in self.lists() {
            rows.extend(session.rows(sql).await?);
        }
        Ok(rows)
    }

    fn lists(self) -> impl Iterator<Item = Sql> {
        let rows = self.values.len() / self.columns;
        let mut values = self.values.into_iter();
        let before = not_undone(&self.before).into_owned();
        let after = not_undone(self.after);
        pieces(rows, self.columns).map(move |piece| {
            let text = statement(&before, piece, self.columns, &after);
            let values = values.by_ref().take(piece * self.columns).collect();
            Sql { text: text.into(), values }
        })
    }

    fn arrays(self) -> Result<(String, Vec<Column>), sqlx::Error> {
        let rows = self.values.len() / self.columns;
        let first = self.values.iter().take(self.columns);
        let mut columns: Vec<Column> = first.map(|value| Column::like(value, rows)).collect();
        let places: Vec<String> = columns
            .iter()
            .enumerate()
            .map(|(number, column)| format!("${}::{}[]", number + 1, column.type_name()))
            .collect();
        for (number, value) in self.values.into_iter().enumerate() {
            columns[number % self.columns].push(value)?;
        }
        let (before, after) = (self.before, self.after);
        Ok((format!("{before} SELECT * FROM UNNEST({}){after}", places.join(",")), columns))
    }
}

/// Words of SQLite for a statement that keeps what it has written when it fails; the transaction it is part
/// of must then be rolled back.
fn not_undone(text: &str) -> Cow<'_, str> {
    for (plain, failing) in
        [("INSERT INTO ", "INSERT OR FAIL INTO "), ("UPDATE ", "UPDATE OR FAIL ")]
    {
        let start = text.strip_prefix(") ").unwrap_or(text);
        if let Some(rest) = start.strip_prefix(plain) {
            let bracket = &text[..text.len() - start.len()];
            return Cow::Owned(format!("{bracket}{failing}{rest}"));
        }
    }
    Cow::Borrowed(text)
}

fn pieces(rows: usize, columns: usize) -> impl Iterator<Item = usize> {
    let longest = (MAX_VALUES / columns).ilog2();
    let mut left = rows;
    (0..=longest).rev().flat_map(move |power| {
        let piece = 1 << power;
        let count = left / piece;
        left %= piece;
        std::iter::repeat_n(piece, count)
    })
}

/// SQLite finds a named parameter by searching a list; thousands need `?`.
fn statement(before: &str, rows: usize, columns: usize, after: &str) -> String {
    let row = format!("({})", vec!["?"; columns].join(","));
    format!("{before} VALUES {}{after}", vec![row; rows].join(","))
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
        assert_eq!(pieces(700, 14).collect::<Vec<_>>(), [128, 128, 128, 128, 128, 32, 16, 8, 4]);
        assert_eq!(pieces(100, 39).collect::<Vec<_>>(), [32, 32, 32, 4]);
        assert_eq!(pieces(0, 1).count(), 0);
        assert_eq!(statement("WITH v(a) AS (", 2, 1, ") …"), "WITH v(a) AS ( VALUES (?),(?)) …");
    }

    #[test]
    fn statements_are_not_undone_one_by_one() {
        #[rustfmt::skip]
        let cases = [
            ("INSERT INTO t (a)",          "INSERT OR FAIL INTO t (a)"),
            (") INSERT INTO t SELECT a",   ") INSERT OR FAIL INTO t SELECT a"),
            (") UPDATE t SET a = v.a",     ") UPDATE OR FAIL t SET a = v.a"),
            (" ON CONFLICT (a) DO UPDATE SET a = 1", " ON CONFLICT (a) DO UPDATE SET a = 1"),
            (") DELETE FROM t",            ") DELETE FROM t"),
            ("WITH v (a) AS (",            "WITH v (a) AS ("),
        ];
        for (plain, failing) in cases {
            assert_eq!(not_undone(plain), failing);
        }
    }

    #[test]
    fn columns_are_arrays_with_a_type() {
        let mut batch = Batch::new("INSERT INTO t (a, b)", 2, " X");
        batch.push([1_i64.into(), "x".into()]);
        batch.push([Value::Number(None), "y".into()]);
        let (text, columns) = batch.arrays().unwrap();
        assert_eq!(text, "INSERT INTO t (a, b) SELECT * FROM UNNEST($1::bigint[],$2::text[]) X");
        let expected = [
            Column::Numbers(vec![Some(1), None]),
            Column::Texts(vec![Some("x".to_owned()), Some("y".to_owned())]),
        ];
        assert_eq!(columns, expected);
        let mut mixed = Batch::new("", 1, "");
        mixed.push([1_i64.into()]);
        mixed.push(["x".into()]);
        assert!(mixed.arrays().is_err());
    }
}
