//! Documents counted by one of their properties: type, suffix, status, language and so on.

use super::amount::{Amount, amount_columns, read_amounts};
use super::{answered, by_code_point, is_document};
use crate::engine::{Dialect, Session, Sql};
use crate::schema::time;
use crate::{Catalog, CatalogError};

/// What documents are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CountBy {
    /// The institution.
    Label,
    Server,
    /// The declared type, without parameters.
    MediaType,
    /// The ending of the path.
    Suffix,
    /// What the body is, whatever its header says.
    Format,
    Charset,
    /// The status of the newest answer, where that only says "not modified" of the one it confirms;
    /// all answers are counted, not only documents.
    Status,
    /// The `Server` line; all answers are counted.
    Software,
    /// All answers are counted.
    HttpVersion,
    /// The year of `Last-Modified`.
    ModifiedYear,
    Language,
    /// How sure the language is.
    Confidence,
    Doctype,
    /// `conforming` or `not conforming`.
    Conformance,
    /// The program that made the page.
    Generator,
    /// Why only the header was kept.
    NotStored,
}

/// Documents that share a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountRow {
    /// None for documents without the property.
    pub name: Option<String>,
    /// Servers that have such documents.
    pub servers: u64,
    pub all: Amount,
    pub kept: Amount,
}

/// A table of counts, most frequent first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountTable {
    pub rows: Vec<CountRow>,
    /// Over all rows, also those that are not listed.
    pub all: Amount,
    pub kept: Amount,
}

impl CountTable {
    /// What the listed rows leave: in all, and kept.
    pub fn rest(&self) -> (Amount, Amount) {
        self.rows.iter().fold((self.all, self.kept), |(all, kept), row| {
            (all.minus(row.all), kept.minus(row.kept))
        })
    }
}

impl Catalog {
    /// The most frequent values of a property.
    pub async fn count_table(&self, by: CountBy, limit: usize) -> Result<CountTable, CatalogError> {
        let mut session = self.engine.reader().await?;
        let dialect = session.dialect();
        let from = match by {
            CountBy::Status | CountBy::Software | CountBy::HttpVersion => answered(),
            _ => format!("{} WHERE {}", answered(), is_document()),
        };
        let amounts = amount_columns();
        let sql = format!(
            "SELECT {name}, COUNT(DISTINCT r.server_id), {amounts} FROM {from} GROUP BY {name} \
             ORDER BY COUNT(*) DESC, COALESCE({name}, ''){order} LIMIT $1",
            name = expression(by, dialect),
            order = by_code_point(dialect),
        );
        let mut rows = Vec::new();
        for mut row in session.rows(Sql::new(sql).bind(limit)).await? {
            let (name, servers) = (row.maybe_text()?, row.count()?);
            let (all, kept) = read_amounts(&mut row)?;
            rows.push(CountRow { name, servers, all, kept });
        }
        let (all, kept) = totals(&mut session, &from).await?;
        Ok(CountTable { rows, all, kept })
    }
}

async fn totals(session: &mut Session, from: &str) -> Result<(Amount, Amount), CatalogError> {
    let sql = format!("SELECT {} FROM {from}", amount_columns());
    match session.row(Sql::new(sql)).await? {
        Some(mut row) => Ok(read_amounts(&mut row)?),
        None => Ok((Amount::default(), Amount::default())),
    }
}

fn expression(by: CountBy, dialect: Dialect) -> String {
    let text = match by {
        CountBy::Label => "s.label",
        CountBy::Server => "s.name",
        CountBy::MediaType => "a.media_type",
        CountBy::Suffix => "a.suffix",
        CountBy::Format => "c.format",
        CountBy::Charset => "a.charset",
        CountBy::Status => "CAST(a.status AS TEXT)",
        CountBy::Software => "s.server_type",
        CountBy::HttpVersion => "h.http_version",
        CountBy::ModifiedYear => {
            return format!("substr({}, 1, 4)", time("a.last_modified", dialect));
        }
        CountBy::Language => "c.language",
        CountBy::Confidence => "c.confidence",
        CountBy::Doctype => "c.doctype",
        CountBy::Conformance => {
            "CASE c.conforming WHEN 1 THEN 'conforming' WHEN 0 THEN 'not conforming' END"
        }
        CountBy::Generator => "c.generator",
        CountBy::NotStored => "a.not_stored_reason",
    };
    text.to_owned()
}
