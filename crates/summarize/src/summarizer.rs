//! From the name of a document to a fragment.
//!
//! The order matters: everything that can be refused is refused before the database is reached. First the
//! document is found and read, then it is compared with what the provider allows ([`Summarizer::prepare`]); only
//! then a connection is opened, every column looked up, and the values are read.

use crate::fragment::{Draft, Fragment, is_reserved};
use crate::names::{Column, Name};
use crate::refusal::Refusal;
use crate::session::Session;
use crate::settings::{Caller, Database, Settings};
use crate::values::{ValueLimits, Values};
use auslese_model::{DbContent, Problem};
use sha2::{Digest, Sha256};
use std::io;
use std::path::PathBuf;
use std::time::Instant;

/// Columns of a document.
pub const MAX_PAIRS: usize = 200;

/// Makes fragments as the settings say.
#[derive(Debug)]
pub struct Summarizer {
    pub(crate) settings: Settings,
}

/// A document that may be summarized.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Where it lies, whatever name it was called by.
    pub(crate) path: PathBuf,
    /// Changes when the document does.
    pub(crate) digest: [u8; 32],
    content: DbContent,
    pairs: Vec<Pair>,
}

/// A column that the provider allows, and its name in the fragment.
#[derive(Debug)]
struct Pair {
    table: Name,
    attribute: Name,
    /// `table.attribute`, for messages and logs.
    text: String,
    index_name: String,
}

impl Summarizer {
    pub fn new(settings: Settings) -> Summarizer {
        Summarizer { settings }
    }

    /// Summarizes a document for whoever sits at this machine.
    pub async fn summarize(&self, config: &str) -> Result<Fragment, Refusal> {
        let caller = Caller { name: "command line".to_owned(), address: None };
        let prepared = self.prepare(config)?;
        self.run(&prepared, &caller).await
    }

    /// Finds a document and compares it with what is allowed. No database is reached.
    pub(crate) fn prepare(&self, config: &str) -> Result<Prepared, Refusal> {
        let located = self.settings.documents.locate(config)?;
        let content = DbContent::read(&located.bytes, None).map_err(Refusal::Document)?;
        let database = self.database(&content)?;
        if content.attributes.len() > MAX_PAIRS {
            return Err(wrong_document(format!("it names more than {MAX_PAIRS} columns")));
        }
        let mut pairs = Vec::new();
        for column in &content.attributes {
            let text = format!("{}.{}", column.table, column.attribute);
            if !database.allow.contains(&(column.table.clone(), column.attribute.clone())) {
                return Err(Refusal::NotAllowed(text));
            }
            let name =
                |name| Name::new(name, database.engine).map_err(|why| Refusal::name(&text, why));
            let (table, attribute) = (name(&column.table)?, name(&column.attribute)?);
            let index_name = column.index_name.clone().filter(|name| !name.is_empty());
            let index_name = index_name.unwrap_or_else(|| text.clone());
            if is_reserved(&index_name) {
                return Err(wrong_document(format!("no column can be called {index_name}")));
            }
            pairs.push(Pair { table, attribute, text, index_name });
        }
        let digest = Sha256::digest(&located.bytes).into();
        Ok(Prepared { path: located.path, digest, content, pairs })
    }

    fn database(&self, content: &DbContent) -> Result<&Database, Refusal> {
        let found = self.settings.databases.get(&content.database);
        found.ok_or_else(|| Refusal::NoDatabase(content.database.clone()))
    }

    /// Reads the values of all columns.
    pub(crate) async fn run(
        &self,
        prepared: &Prepared,
        caller: &Caller,
    ) -> Result<Fragment, Refusal> {
        let database = self.database(&prepared.content)?;
        let mut session = Session::open(database, &self.settings.limits).await?;
        let summary = self.read(prepared, database, &mut session, caller).await;
        session.close().await;
        summary
    }

    async fn read(
        &self,
        prepared: &Prepared,
        database: &Database,
        session: &mut Session,
        caller: &Caller,
    ) -> Result<Fragment, Refusal> {
        // All columns before the first value: a document is answered as a whole or not at all.
        let mut columns = Vec::new();
        for pair in &prepared.pairs {
            columns.push(look_up(session, database, pair).await?);
        }
        let mut draft = Draft::begin(&prepared.content)?;
        for (pair, column) in prepared.pairs.iter().zip(&columns) {
            let began = Instant::now();
            let limits = self.value_limits(draft.bytes());
            let values = session.values(column, limits, &pair.text).await?;
            tracing::info!(
                pair = pair.text,
                values = values.count(),
                truncated = values.is_cut,
                ms = began.elapsed().as_millis(),
                caller = %caller,
                "read",
            );
            let name = pair.index_name.clone();
            draft = written(draft, name, values).await?;
        }
        Ok(blocking(move || draft.finish()).await?)
    }

    /// What the next column may bring, after so many bytes.
    fn value_limits(&self, bytes: usize) -> ValueLimits {
        let limits = &self.settings.limits;
        ValueLimits {
            rows: limits.values as usize,
            characters: limits.value_characters as usize,
            bytes: limits.attribute_bytes.min(limits.fragment_bytes.saturating_sub(bytes)),
        }
    }

    /// Whether a column can be read, for those who look whether all is well.
    pub(crate) async fn try_column(
        &self,
        session: &mut Session,
        database: &Database,
        (table, attribute): (&str, &str),
    ) -> Result<(), Refusal> {
        let text = format!("{table}.{attribute}");
        let name = |name| Name::new(name, database.engine).map_err(|why| Refusal::name(&text, why));
        let (table, attribute) = (name(table)?, name(attribute)?);
        let pair = Pair { table, attribute, index_name: text.clone(), text: text.clone() };
        let column = look_up(session, database, &pair).await?;
        let one = ValueLimits { rows: 1, ..self.value_limits(0) };
        session.values(&column, one, &text).await.map(drop)
    }
}

async fn look_up(
    session: &mut Session,
    database: &Database,
    pair: &Pair,
) -> Result<Column, Refusal> {
    let schema = database.schema.as_ref();
    session.column(schema, (&pair.table, &pair.attribute), &pair.text).await
}

fn wrong_document(message: String) -> Refusal {
    Refusal::Document(vec![Problem::error("E_DBCONTENT", "document", message)])
}

/// Compressing megabytes takes a while, and others want to be answered meanwhile.
async fn written(mut draft: Draft, name: String, values: Values) -> io::Result<Draft> {
    blocking(move || {
        draft.attribute(&name, &values.joined, values.is_cut)?;
        Ok(draft)
    })
    .await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}
