//! Why there is no fragment: a code for programs, words for people, and a status for HTTP.
//!
//! The words may be shown to whoever asked. What a database said in its own words stays in the log and in the
//! sources of the error, since it may tell more about the inside than a stranger should know.

use crate::names::NameFault;
use auslese_model::Problem;
use std::error::Error;
use std::io;

#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("exactly one config has to be named")]
    NoConfig,
    #[error("this cannot be the path of a document: {0}")]
    Path(PathFault),
    #[error("there is no such document")]
    NoDocument,
    #[error("the document cannot be read")]
    Unreadable(#[source] io::Error),
    #[error("the document is wrong: {}", in_short(.0))]
    Document(Vec<Problem>),
    #[error("the settings have no database {0:?}")]
    NoDatabase(String),
    #[error("{0} is not allowed")]
    NotAllowed(String),
    #[error("{pair} cannot be a column: {why}")]
    Name { pair: String, why: String },
    #[error("the database has no column {0}, or the role may not read it")]
    NoColumn(String),
    #[error("the database cannot be reached")]
    Connection(#[source] sqlx::Error),
    #[error("the database did not confirm that nothing can be written")]
    NotReadOnly,
    #[error("the database failed at {pair}")]
    Database {
        pair: String,
        #[source]
        cause: sqlx::Error,
    },
    #[error("{pair} took longer than {seconds} s")]
    Timeout { pair: String, seconds: u64 },
    #[error("another summary is being made")]
    Busy,
    #[error("the fragment cannot be stored")]
    Spool(#[from] io::Error),
}

/// What is wrong with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathFault {
    #[error("it is too long")]
    Long,
    #[error("it has a control character")]
    Control,
    #[error("it does not end in .DBContent")]
    Suffix,
    #[error("it leads elsewhere")]
    Elsewhere,
}

impl Refusal {
    pub(crate) fn name(pair: &str, why: NameFault) -> Refusal {
        Refusal::Name { pair: pair.to_owned(), why: why.to_string() }
    }

    pub fn code(&self) -> &'static str {
        self.code_and_status().0
    }

    /// The status of HTTP.
    pub fn status(&self) -> u16 {
        self.code_and_status().1
    }

    #[rustfmt::skip]
    fn code_and_status(&self) -> (&'static str, u16) {
        match self {
            Refusal::NoConfig        => ("E_CONFIG",           400),
            Refusal::Path(_)         => ("E_CONFIG_PATH",      403),
            Refusal::NoDocument      => ("E_CONFIG_UNKNOWN",   404),
            Refusal::Unreadable(_)   => ("E_CONFIG_UNREADABLE",500),
            Refusal::Document(_)     => ("E_DBCONTENT",        500),
            Refusal::NoDatabase(_)   => ("E_DATABASE_UNKNOWN", 403),
            Refusal::NotAllowed(_)   => ("E_NOT_ALLOWED",      403),
            Refusal::Name { .. }     => ("E_IDENTIFIER",       403),
            Refusal::NoColumn(_)     => ("E_NO_COLUMN",        500),
            Refusal::Connection(_)   => ("E_CONNECTION",       502),
            Refusal::NotReadOnly     => ("E_NOT_READ_ONLY",    502),
            Refusal::Database { .. } => ("E_DATABASE",         502),
            Refusal::Timeout { .. }  => ("E_TIMEOUT",          504),
            Refusal::Busy            => ("E_BUSY",             503),
            Refusal::Spool(_)        => ("E_SPOOL",            500),
        }
    }

    /// With what the database or the system said, for the provider only.
    pub(crate) fn with_causes(&self) -> String {
        let mut words = self.to_string();
        let mut source = self.source();
        while let Some(cause) = source {
            words.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        words
    }

    /// What to do about it, where that is known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Refusal::Path(_) | Refusal::NoDocument => {
                Some("name an id of [documents.ids], or a path below documents.root")
            }
            Refusal::NotAllowed(_) => Some("`allow` of the database lists what may be read"),
            Refusal::NoDatabase(_) => Some("the settings need a table [databases.NAME]"),
            Refusal::NoColumn(_) => Some("names count letter by letter; is there a GRANT SELECT?"),
            Refusal::Timeout { .. } => {
                Some("an index or a smaller view helps; so does limits.statement_seconds")
            }
            _ => None,
        }
    }
}

fn in_short(problems: &[Problem]) -> String {
    let errors = problems.iter().filter(|problem| problem.is_error());
    let words: Vec<String> = errors
        .map(|it| format!("{}: {} {}", it.subject, it.code, it.message))
        .take(MAX_PROBLEMS_TOLD)
        .collect();
    words.join("; ")
}

/// Problems of a document that one message names.
const MAX_PROBLEMS_TOLD: usize = 5;
