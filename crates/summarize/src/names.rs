//! Names of tables and columns, and the only SQL that is put together from parts.
//!
//! Whoever writes a DBContent document chooses names, so a name passes three gates before it stands in a
//! statement: the provider's allow-list, [`Name`], and the catalogue of the database, which is asked with bound
//! parameters. What is put between quotes in the end is the spelling of the catalogue ([`Column`]), and no
//! other text ever enters a statement: [`values_of`] is the one place to audit.

use sqlx::AssertSqlSafe;

/// The kinds of databases that are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Postgres,
    /// MySQL and MariaDB.
    Mysql,
    Sqlite,
}

impl Engine {
    pub(crate) fn of_scheme(scheme: &str) -> Option<Engine> {
        match scheme {
            "postgres" | "postgresql" => Some(Engine::Postgres),
            "mysql" | "mariadb" => Some(Engine::Mysql),
            "sqlite" => Some(Engine::Sqlite),
            _ => None,
        }
    }

    /// Bytes of a name: what the engine itself takes; SQLite takes any.
    pub(crate) fn name_limit(self) -> usize {
        match self {
            Engine::Postgres => 63,
            Engine::Mysql => 64,
            Engine::Sqlite => 128,
        }
    }

    fn quote(self, name: &str) -> String {
        match self {
            Engine::Postgres | Engine::Sqlite => format!("\"{}\"", name.replace('"', "\"\"")),
            Engine::Mysql => format!("`{}`", name.replace('`', "``")),
        }
    }

    /// Asks the catalogue for a column; parameters are the schema (or NULL for the usual one), the table and the
    /// column. The answer has the same three, as the catalogue spells them. Views count as tables.
    pub(crate) fn look_up(self) -> &'static str {
        match self {
            // Not information_schema, which leaves out materialised views.
            Engine::Postgres => {
                "SELECT CAST(n.nspname AS TEXT), CAST(c.relname AS TEXT), CAST(a.attname AS TEXT) \
                 FROM pg_catalog.pg_attribute a \
                 JOIN pg_catalog.pg_class c ON c.oid = a.attrelid \
                 JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
                 WHERE CAST(n.nspname AS TEXT) = COALESCE($1, CAST(current_schema() AS TEXT)) \
                 AND CAST(c.relname AS TEXT) = $2 AND CAST(a.attname AS TEXT) = $3 \
                 AND c.relkind IN ('r', 'v', 'm', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped \
                 AND has_column_privilege(c.oid, a.attnum, 'SELECT')"
            }
            Engine::Mysql => {
                "SELECT CAST(table_schema AS CHAR), CAST(table_name AS CHAR), CAST(column_name AS CHAR) \
                 FROM information_schema.columns \
                 WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND column_name = ? \
                 AND privileges LIKE '%select%'"
            }
            Engine::Sqlite => {
                "SELECT COALESCE(?1, 'main'), s.name, c.name \
                 FROM main.sqlite_schema s, pragma_table_xinfo(s.name, 'main') c \
                 WHERE s.type IN ('table', 'view') AND s.name = ?2 AND c.name = ?3"
            }
        }
    }
}

/// A name that can be one: neither empty nor too long for the engine, and without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name(String);

impl Name {
    pub(crate) fn new(text: &str, engine: Engine) -> Result<Name, NameFault> {
        if text.is_empty() {
            Err(NameFault::Empty)
        } else if text.len() > engine.name_limit() {
            Err(NameFault::Long { limit: engine.name_limit() })
        } else if text.chars().any(char::is_control) {
            Err(NameFault::Control)
        } else {
            Ok(Name(text.to_owned()))
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a text is no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NameFault {
    #[error("a name is empty")]
    Empty,
    #[error("a name has more than {limit} bytes")]
    Long { limit: usize },
    #[error("a name has a control character")]
    Control,
}

/// A column that the catalogue knows, as it spells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    schema: Name,
    table: Name,
    attribute: Name,
}

impl Column {
    /// Takes the answer of the catalogue. It must be what was asked for, letter by letter: engines that compare
    /// names without regard to case or accents would otherwise let through what the allow-list does not have.
    pub(crate) fn confirmed(
        engine: Engine,
        asked: (&Name, &Name),
        answer: [&str; 3],
    ) -> Option<Column> {
        let [schema, table, attribute] = answer.map(|text| Name::new(text, engine).ok());
        let column = Column { schema: schema?, table: table?, attribute: attribute? };
        ((&column.table, &column.attribute) == asked).then_some(column)
    }
}

/// All different values of a column as text. Parameters are the number of characters of a value and the number
/// of rows.
///
/// Texts are compared byte by byte, because in many collations `Waren` and `WAREN`, or `Müller` and `Muller`, are
/// the same. SQLite hands them out as bytes, because nothing there ensures that a text is UTF-8.
pub(crate) fn values_of(engine: Engine, column: &Column) -> AssertSqlSafe<String> {
    let [schema, table, attribute] =
        [&column.schema, &column.table, &column.attribute].map(|name| engine.quote(&name.0));
    let (value, limit) = match engine {
        Engine::Postgres => (format!("left(CAST(t.{attribute} AS TEXT), $1) COLLATE \"C\""), "$2"),
        Engine::Mysql => (
            format!(
                "LEFT(CAST(t.{attribute} AS CHAR CHARACTER SET utf8mb4), ?) COLLATE utf8mb4_bin"
            ),
            "?",
        ),
        Engine::Sqlite => {
            (format!("CAST(substr(CAST(t.{attribute} AS TEXT), 1, ?1) AS BLOB)"), "?2")
        }
    };
    AssertSqlSafe(format!(
        "SELECT DISTINCT {value} FROM {schema}.{table} AS t WHERE t.{attribute} IS NOT NULL ORDER BY 1 LIMIT {limit}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Engine::{Mysql, Postgres, Sqlite};

    #[test]
    fn what_can_be_a_name() {
        #[rustfmt::skip]
        let cases = [
            (Postgres, "hotel".to_owned(),       None),
            (Postgres, "Straße \"x\" ; --".into(), None),
            (Postgres, String::new(),            Some(NameFault::Empty)),
            (Postgres, "a\0b".into(),            Some(NameFault::Control)),
            (Sqlite,   "a\nb".into(),            Some(NameFault::Control)),
            (Postgres, "x".repeat(63),           None),
            (Postgres, "x".repeat(64),           Some(NameFault::Long { limit: 63 })),
            (Mysql,    "x".repeat(65),           Some(NameFault::Long { limit: 64 })),
            (Sqlite,   "ü".repeat(65),           Some(NameFault::Long { limit: 128 })),
        ];
        for (engine, text, expected) in cases {
            assert_eq!(Name::new(&text, engine).err(), expected, "{engine:?} {text:?}");
        }
    }

    #[test]
    fn quotes_cannot_be_left() {
        #[rustfmt::skip]
        let cases = [
            (Postgres, r#"a"; DROP TABLE x; --"#, r#"FROM "s"."a""; DROP TABLE x; --" AS t"#),
            (Sqlite,   r#"a""b"#,                 r#"FROM "s"."a""""b" AS t"#),
            (Mysql,    "a`; DROP TABLE x; -- ",   "FROM `s`.`a``; DROP TABLE x; -- ` AS t"),
            (Mysql,    r#"a\`b"#,                 r#"FROM `s`.`a\``b` AS t"#),
        ];
        for (engine, table, expected) in cases {
            let name = |text| Name::new(text, engine).unwrap();
            let column = Column { schema: name("s"), table: name(table), attribute: name("c") };
            let AssertSqlSafe(sql) = values_of(engine, &column);
            assert!(sql.contains(expected), "{sql}");
        }
    }

    #[test]
    fn only_what_was_asked_for_is_confirmed() {
        let name = |text| Name::new(text, Mysql).unwrap();
        let (table, attribute) = (name("hotel"), name("name"));
        let confirmed = |answer| Column::confirmed(Mysql, (&table, &attribute), answer);
        assert!(confirmed(["db", "hotel", "name"]).is_some());
        for answer in [["db", "Hotel", "name"], ["db", "hotel", "nâme"], ["", "hotel", "name"]] {
            assert_eq!(confirmed(answer), None, "{answer:?}");
        }
    }
}
