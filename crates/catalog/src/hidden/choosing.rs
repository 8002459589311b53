//! Some of the databases: those of a kind, of a degree of cooperation, of a host.

use super::HiddenDatabase;
use super::database::{COLUMNS, read};
use crate::engine::{Sql, Value};
use crate::{Catalog, CatalogError};
use auslese_model::{Cooperation, DatabaseId, DatabaseKind};

/// Which databases are meant; nothing means all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatabaseFilter {
    pub cooperation: Option<Cooperation>,
    pub kind: Option<DatabaseKind>,
    pub host: Option<String>,
}

impl Catalog {
    /// How many databases are meant, and those after the one given, in the order in which they were found.
    pub async fn chosen_databases(
        &self,
        filter: &DatabaseFilter,
        after: DatabaseId,
        limit: usize,
    ) -> Result<(u64, Vec<HiddenDatabase>), CatalogError> {
        let (condition, values) = condition(filter);
        let asked = |sql: String| Sql { text: sql.into(), values: values.clone() };
        let mut session = self.engine.reader().await?;
        let sql = format!("SELECT COUNT(*) FROM hidden_database WHERE {condition}");
        let total = session.row(asked(sql)).await?.map_or(Ok(0), |mut row| row.count())?;
        let next = values.len() + 1;
        let sql = format!(
            "SELECT {COLUMNS} FROM hidden_database WHERE {condition} AND id > ${next} \
             ORDER BY id LIMIT ${}",
            next + 1
        );
        let rows = session.rows(asked(sql).bind(after.0).bind(limit)).await?;
        let databases = rows.into_iter().map(|mut row| read(&mut row));
        Ok((total, databases.collect::<Result<_, CatalogError>>()?))
    }
}

fn condition(filter: &DatabaseFilter) -> (String, Vec<Value>) {
    let wanted = [
        ("cooperation", filter.cooperation.map(Cooperation::as_str)),
        ("kind", filter.kind.map(DatabaseKind::as_str)),
        ("host", filter.host.as_deref()),
    ];
    let mut conditions = vec!["1 = 1".to_owned()];
    let mut values: Vec<Value> = Vec::new();
    for (column, value) in wanted {
        if let Some(value) = value {
            values.push(value.into());
            conditions.push(format!("{column} = ${}", values.len()));
        }
    }
    (conditions.join(" AND "), values)
}
