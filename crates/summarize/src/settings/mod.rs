//! The settings of a provider: which databases, what may be read of them, by whom, and how much.
//!
//! One TOML file, read strictly: whatever is not understood is an error with its line, since a mistyped limit or
//! allow-list must not be passed over. All that is wrong is reported at once. Passwords never stand in the file
//! itself: they come from the environment or from files that nobody else can read ([`secret`]).

mod access;
mod secret;
mod written;

pub(crate) use access::{Access, Caller, Denied};
pub(crate) use secret::Secret;

use crate::names::{Engine, Name};
use auslese_model::Problem;
use secret::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{env, fs};
use toml::Spanned;
use url::Url;
use written::Written;

/// What files of documents are called.
pub(crate) const DOCUMENT_SUFFIX: &str = ".DBContent";

/// Everything a provider has settled.
#[derive(Debug)]
pub struct Settings {
    /// Where the service listens.
    pub listen: SocketAddr,
    pub(crate) documents: Documents,
    pub(crate) databases: BTreeMap<String, Database>,
    pub(crate) access: Access,
    pub(crate) limits: Limits,
}

/// Where DBContent documents are found.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    /// Files below this folder, by their path.
    pub(crate) root: Option<PathBuf>,
    /// Files by names of their own.
    pub(crate) ids: BTreeMap<String, PathBuf>,
}

/// A database and what may be read of it.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) engine: Engine,
    /// The address with its password.
    pub(crate) dsn: Secret,
    pub(crate) schema: Option<Name>,
    /// Tables and attributes.
    pub(crate) allow: BTreeSet<(String, String)>,
}

/// How much a summary may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) values: u32,
    pub(crate) value_characters: u32,
    pub(crate) attribute_bytes: usize,
    pub(crate) fragment_bytes: usize,
    pub(crate) statement: Duration,
    pub(crate) interval: Duration,
}

impl Settings {
    /// Reads a file; what it names is relative to its folder.
    pub fn read(file: &Path) -> Result<Settings, Vec<Problem>> {
        let whole = |why: &str| vec![Problem::error(CODE, &file.display().to_string(), why.into())];
        let text = fs::read_to_string(file).map_err(|error| whole(&error.to_string()))?;
        let folder = file.parent().unwrap_or(Path::new("."));
        let environment = |name: &str| env::var(name).ok();
        Settings::from_text(&text, Sources { folder, environment: &environment })
    }

    fn from_text(text: &str, sources: Sources<'_>) -> Result<Settings, Vec<Problem>> {
        let written: Written = toml::from_str(text).map_err(|error| {
            let line = line_of(text, error.span().map_or(0, |span| span.start));
            vec![Problem::error(CODE, &line, error.message().trim().to_owned())]
        })?;
        let mut reading = Reading { text, sources, problems: Vec::new() };
        let settings = reading.settings(written);
        match settings {
            Some(settings) if reading.problems.is_empty() => Ok(settings),
            _ => Err(reading.problems),
        }
    }
}

const CODE: &str = "E_SETTINGS";

/// `line N` of a place in a text.
fn line_of(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or_default();
    format!("line {}", before.matches('\n').count() + 1)
}

/// Turns what is written into settings and gathers what is wrong.
struct Reading<'a> {
    text: &'a str,
    sources: Sources<'a>,
    problems: Vec<Problem>,
}

impl Reading<'_> {
    fn wrong<T>(&mut self, place: &Spanned<T>, message: impl Into<String>) {
        let line = line_of(self.text, place.span().start);
        self.problems.push(Problem::error(CODE, &line, message.into()));
    }

    /// A value, or a problem and nothing.
    fn take<T, U>(&mut self, place: &Spanned<T>, result: Result<U, String>) -> Option<U> {
        result.map_err(|message| self.wrong(place, message)).ok()
    }

    fn settings(&mut self, written: Written) -> Option<Settings> {
        let listen = SocketAddr::from_str(written.listen.get_ref())
            .map_err(|_| "expected an address and a port, such as \"127.0.0.1:8480\"".to_owned());
        let listen = self.take(&written.listen, listen);
        let documents = self.documents(written.documents);
        let mut databases = BTreeMap::new();
        if written.databases.is_empty() {
            self.problems.push(Problem::error(
                CODE,
                "databases",
                "expected a table [databases.NAME]".to_owned(),
            ));
        }
        for (name, database) in written.databases {
            if let Some(database) = self.database(database) {
                databases.insert(name, database);
            }
        }
        let access = self.access(written.access);
        let limits = self.limits(&written.limits);
        Some(Settings { listen: listen?, documents, databases, access: access?, limits: limits? })
    }

    fn documents(&mut self, written: written::Documents) -> Documents {
        let mut documents = Documents::default();
        if let Some(root) = written.root {
            let folder = self.sources.folder.join(root.get_ref());
            match folder.canonicalize() {
                Ok(folder) if folder.is_dir() => documents.root = Some(folder),
                Ok(_) => self.wrong(&root, "documents.root is no folder"),
                Err(error) => self.wrong(&root, format!("documents.root: {error}")),
            }
        }
        for (id, file) in written.ids {
            if !file.get_ref().ends_with(DOCUMENT_SUFFIX) {
                self.wrong(&file, format!("expected a file that ends in {DOCUMENT_SUFFIX}"));
            }
            documents.ids.insert(id, self.sources.folder.join(file.get_ref()));
        }
        if documents.root.is_none() && documents.ids.is_empty() && self.problems.is_empty() {
            let message = "expected documents.root, or at least one of [documents.ids]".to_owned();
            self.problems.push(Problem::error(CODE, "documents", message));
        }
        documents
    }

    fn database(&mut self, written: Spanned<written::Database>) -> Option<Database> {
        let secret = self.sources.secret(
            ("dsn_env", written.get_ref().dsn_env.as_deref()),
            ("dsn_file", written.get_ref().dsn_file.as_deref()),
        );
        let dsn = self.take(&written, secret)?;
        let engine = self.take(&written, engine_of(&dsn))?;
        let schema = match (&written.get_ref().schema, engine) {
            (None, _) => None,
            (Some(schema), Engine::Sqlite) => {
                self.wrong(schema, "files of SQLite have no schema");
                None
            }
            (Some(schema), _) => {
                let name = Name::new(schema.get_ref(), engine).map_err(|why| why.to_string());
                self.take(schema, name)
            }
        };
        let mut allow = BTreeSet::new();
        for entry in &written.get_ref().allow {
            if let Some(pair) = self.take(entry, pair_of(entry.get_ref(), engine)) {
                allow.insert(pair);
            }
        }
        if written.get_ref().allow.is_empty() {
            self.wrong(&written, "allow lists nothing, so nothing could be read");
        }
        Some(Database { engine, dsn, schema, allow })
    }

    fn access(&mut self, written: Spanned<written::Access>) -> Option<Access> {
        let place = written.span();
        let access = written.into_inner();
        let mut clients = Vec::new();
        for client in &access.clients {
            let it = client.get_ref();
            let token = self.sources.secret(
                ("token_env", it.token_env.as_deref()),
                ("token_file", it.token_file.as_deref()),
            );
            let client_read =
                token.and_then(|token| access::Client::new(&it.name, &token).map_err(String::from));
            clients.extend(self.take(client, client_read));
        }
        let mut names = BTreeSet::new();
        for client in access.clients.iter().filter(|it| !names.insert(&it.get_ref().name)) {
            self.wrong(client, "two clients have this name");
        }
        let mut ranges = |list: &[Spanned<String>]| -> Vec<_> {
            let range = |text: &Spanned<String>| self.take(text, access::range_of(text.get_ref()));
            list.iter().filter_map(range).collect()
        };
        let (addresses, proxies) = (ranges(&access.addresses), ranges(&access.proxies));
        if access.clients.is_empty() && !access.anonymous {
            let message = "nobody could ask: expected [[access.clients]], or `anonymous = true` to let everybody";
            self.wrong(&Spanned::new(place, ()), message);
        }
        Some(Access { anonymous: access.anonymous, addresses, proxies, clients })
    }

    fn limits(&mut self, written: &written::Limits) -> Option<Limits> {
        let mut number = |value: &Spanned<u64>, least: u64, most: u64| {
            if (least..=most).contains(value.get_ref()) {
                return Some(*value.get_ref());
            }
            self.wrong(value, format!("expected a number from {least} to {most}"));
            None
        };
        let values = number(&written.values, 1, 10_000_000);
        let characters = number(&written.value_characters, 1, 1_000_000);
        let attribute = number(&written.attribute_bytes, 1, 64 << 20);
        let fragment = number(&written.fragment_bytes, 1 << 10, 1 << 30);
        let statement = number(&written.statement_seconds, 1, 3_600);
        let interval = number(&written.interval_seconds, 0, 366 * 86_400);
        Some(Limits {
            values: u32::try_from(values?).ok()?,
            value_characters: u32::try_from(characters?).ok()?,
            attribute_bytes: usize::try_from(attribute?).ok()?,
            fragment_bytes: usize::try_from(fragment?).ok()?,
            statement: Duration::from_secs(statement?),
            interval: Duration::from_secs(interval?),
        })
    }
}

/// The engine that an address is meant for. The address itself is never shown.
fn engine_of(dsn: &Secret) -> Result<Engine, String> {
    let scheme = dsn.text().split(':').next().unwrap_or_default();
    let engine = Engine::of_scheme(scheme).ok_or_else(|| {
        "the address of the database must begin with postgres://, mysql:// or sqlite://".to_owned()
    })?;
    match engine {
        Engine::Sqlite if dsn.text().contains(":memory:") => {
            Err("a database in memory is empty; name a file".to_owned())
        }
        Engine::Sqlite => Ok(engine),
        Engine::Postgres | Engine::Mysql => match Url::parse(dsn.text()) {
            Ok(_) => Ok(engine),
            Err(error) => Err(format!("the address of the database is wrong: {error}")),
        },
    }
}

/// `table.attribute`. With more than one dot it would not be clear where the table ends.
fn pair_of(text: &str, engine: Engine) -> Result<(String, String), String> {
    let parts: Vec<&str> = text.split('.').collect();
    let [table, attribute] = parts[..] else {
        return Err(format!(
            "expected table.attribute, but {text:?} has {} dots; a view can give a table another name",
            parts.len() - 1
        ));
    };
    for name in [table, attribute] {
        Name::new(name, engine).map_err(|why| format!("{text:?}: {why}"))?;
    }
    Ok((table.to_owned(), attribute.to_owned()))
}

#[cfg(test)]
mod tests;
