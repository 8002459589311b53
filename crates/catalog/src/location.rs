//! Where a catalog is kept, and how carefully.

use crate::CatalogError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use url::Url;

/// A file (SQLite) or a database on a server (PostgreSQL).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    File(PathBuf),
    Server(Url),
}

impl Location {
    /// Reads `postgres://…` (or `postgresql://…`) as a server, anything else as the path of a file.
    pub fn parse(text: &str) -> Result<Location, CatalogError> {
        let is_server = ["postgres:", "postgresql:"].iter().any(|start| text.starts_with(start));
        if !is_server {
            return Ok(Location::File(PathBuf::from(text)));
        }
        let url = Url::parse(text)
            .map_err(|error| CatalogError::Location { why: format!("{error} in the URL") })?;
        Ok(Location::Server(url))
    }
}

impl From<&Path> for Location {
    fn from(path: &Path) -> Location {
        Location::File(path.to_owned())
    }
}

/// A URL is shown without its password: messages end up in logs.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::File(path) => write!(f, "{}", path.display()),
            Location::Server(url) => {
                let mut shown = url.clone();
                // Fails only for URLs that cannot hold a password.
                let _ = shown.set_password(None);
                let kept: Vec<(String, String)> = url
                    .query_pairs()
                    .filter(|(key, _)| key != "password")
                    .map(|(key, value)| (key.into_owned(), value.into_owned()))
                    .collect();
                shown.set_query(None);
                if !kept.is_empty() {
                    shown.query_pairs_mut().extend_pairs(kept);
                }
                write!(f, "{shown}")
            }
        }
    }
}

/// What a committed window survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// The end of the process, however sudden.
    #[default]
    Process,
    /// Loss of power as well: SQLite waits for the disk in every commit. A PostgreSQL server
    /// always does, unless it is configured otherwise.
    Power,
}

/// How a catalog is used; every value has a default.
#[derive(Debug, Clone)]
pub struct CatalogSettings {
    pub durability: Durability,
    /// Connections for reading beside the one that writes (SQLite), or in all (PostgreSQL). Default 4.
    pub connections: u32,
    /// How long a statement waits for a lock of another process before it reports
    /// [`CatalogError::InUse`]. Default 5 s.
    pub lock_wait: Duration,
    /// How long a process that stands still in the middle of a transaction may keep others waiting
    /// (PostgreSQL). Default 60 s.
    pub idle_wait: Duration,
    /// How long to wait for a connection to a server before it counts as
    /// [`CatalogError::Unavailable`]. Default 10 s.
    pub connect_wait: Duration,
    /// Memory for pages of the database file at most, in KiB (SQLite); small files get less. Default
    /// 256 MiB: the index of known requests is hit at random places, so it should find most of its
    /// upper pages here.
    pub cache_kib: u32,
}

impl Default for CatalogSettings {
    fn default() -> CatalogSettings {
        CatalogSettings {
            durability: Durability::Process,
            connections: 4,
            lock_wait: Duration::from_secs(5),
            idle_wait: Duration::from_secs(60),
            connect_wait: Duration::from_secs(10),
            cache_kib: 256 * 1024,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_hide_passwords() {
        #[rustfmt::skip]
        let cases = [
            ("my harvest/catalog.sqlite",                  "my harvest/catalog.sqlite"),
            ("postgres://me:secret@db.example/h",          "postgres://me@db.example/h"),
            ("postgres://me@db.example/h?password=secret", "postgres://me@db.example/h"),
            ("postgresql:///h?host=%2Ftmp&password=x",     "postgresql:///h?host=%2Ftmp"),
        ];
        for (text, shown) in cases {
            assert_eq!(Location::parse(text).unwrap().to_string(), shown);
        }
        assert!(Location::parse("postgres://[").is_err());
    }
}
