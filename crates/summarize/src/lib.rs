//! The summarizer at a database provider: SQL in, SOIF out.
//!
//! A provider lays a DBContent document beside its database, which says what belongs into an index: tables and
//! attributes. Whoever harvests asks the provider's summarizer once, and gets all different values as one SOIF
//! object, a *fragment*, instead of filling in a form a thousand times.
//!
//! The provider keeps the last word. [`Settings`] say which databases there are and which columns may be read;
//! what a document names beyond them is refused before a database is reached ([`Refusal`]). Nothing is ever
//! written, and no text from outside becomes SQL: names are looked up in the catalogue of the database with bound
//! parameters, and then quoted. [`Summarizer`] makes a fragment, [`Server`] hands them out over HTTP to those who
//! have a token.
//!
//! ```
//! use auslese_summarize::{Settings, Summarizer};
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("summarizer.toml");
//! std::fs::write(&file, "listne = \"127.0.0.1:8480\"\n")?;
//! let problems = Settings::read(&file).unwrap_err();
//! assert_eq!(problems[0].subject, "line 1");
//! assert!(problems[0].message.contains("unknown field `listne`"), "{problems:?}");
//! # Ok::<(), std::io::Error>(())
//! ```

mod check;
mod fragment;
mod locating;
mod names;
mod refusal;
mod service;
mod session;
mod settings;
mod summarizer;
mod values;

pub use fragment::{Fragment, MAX_IN_MEMORY};
pub use locating::{MAX_CONFIG_NAME, MAX_DOCUMENT};
pub use refusal::{PathFault, Refusal};
pub use service::{
    CONNECTION_LIMIT, FAILURE_PAUSE, HEADER_TIMEOUT, MAX_CONNECTIONS, MAX_HEADER, MAX_KEPT, Server,
};
pub use session::CONNECT_LIMIT;
pub use settings::Settings;
pub use summarizer::{MAX_PAIRS, Summarizer};
