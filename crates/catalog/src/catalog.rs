//! Making, opening and checking a catalog, and giving out numbers.

use crate::engine::{Dialect, Engine, Session, Sql, postgres_options};
use crate::error::{is_no_such_database, is_not_a_database};
use crate::growth::Growth;
use crate::schema::{self, Found};
use crate::{CatalogError, CatalogSettings, Location, SCHEMA_VERSION};
use auslese_model::Timestamp;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

/// The SQL database of one harvest. Clones share its connections.
#[derive(Debug, Clone)]
pub struct Catalog {
    pub(crate) engine: Engine,
    location: Location,
    pub(crate) settings: CatalogSettings,
    harvest: String,
    pub(crate) growth: Arc<Growth>,
}

/// What numbers are given out for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    Requests,
    Servers,
    Captures,
}

/// What workers at one harvest do together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    Crawl,
    Corpus,
    Describe,
    Search,
}

impl Company {
    const ALL: [Company; 4] = [Company::Crawl, Company::Corpus, Company::Describe, Company::Search];

    /// The word of the stage.
    pub fn as_str(self) -> &'static str {
        match self {
            Company::Crawl => "crawl",
            Company::Corpus => "corpus",
            Company::Describe => "describe",
            Company::Search => "search",
        }
    }
}

/// How far the numbers of the stages' marks are from that of the harvest's lock.
const MARKS: i64 = 16;

/// How often a lock is asked for, a fiftieth of a second apart. One stage follows the other, and the server notices only after
/// a while that the connection of the one before has ended.
const LOCK_TRIES: usize = 50;

/// How many hold the advisory lock $1.
const HOLDERS: &str = "SELECT COUNT(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database \
    WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 \
    AND d.datname = current_database() \
    AND ((l.classid::bigint << 32) | l.objid::bigint) = $1";

const RUNS: &str = "run";
const CONTROLS: &str = "control";
const CANDIDATES: &str = "candidate";
const HARVEST_KEY: &str = "harvest";

/// Serialises the making and migrating of catalogs in one PostgreSQL database: "auslese" in ASCII.
const MAKING_LOCK: i64 = 0x61_7573_6c65_7365;

impl Catalog {
    /// Makes a new catalog. A file is created; a database on a server must exist and be empty.
    pub async fn create(
        location: &Location,
        settings: &CatalogSettings,
    ) -> Result<Catalog, CatalogError> {
        require_room(location, settings).await?;
        let engine = Engine::new(location, true, settings)?;
        let mut session = begin_making(&engine, location).await?;
        let harvest = random_text();
        for (key, value) in [
            (HARVEST_KEY, harvest.as_str()),
            ("made by", concat!("auslese ", env!("CARGO_PKG_VERSION"))),
            ("made at", Timestamp::now().to_second_text().as_str()),
        ] {
            let sql = Sql::new("INSERT INTO meta (key, value) VALUES ($1, $2)");
            session.execute(sql.bind(key).bind(value)).await?;
        }
        for kind in ["request", "server", "capture", RUNS, CONTROLS] {
            let sql = Sql::new("INSERT INTO next_number (kind, next) VALUES ($1, 1)");
            session.execute(sql.bind(kind)).await?;
        }
        session.commit().await?;
        let (location, settings) = (location.clone(), settings.clone());
        Ok(Catalog { engine, location, settings, harvest, growth: Arc::default() })
    }

    /// Opens a catalog; one of an older version is brought up to date.
    pub async fn open(
        location: &Location,
        settings: &CatalogSettings,
    ) -> Result<Catalog, CatalogError> {
        if matches!(location, Location::File(path) if !path.exists()) {
            return Err(CatalogError::Missing { location: location.to_string() });
        }
        let version = match probe(location, settings).await? {
            Found::Empty => return Err(not_a_catalog(location, "it is empty".to_owned())),
            Found::Foreign(why) => return Err(not_a_catalog(location, why)),
            Found::Catalog { version } if version > SCHEMA_VERSION => {
                return Err(CatalogError::SchemaTooNew { found: version, known: SCHEMA_VERSION });
            }
            Found::Catalog { version } => version,
        };
        let engine = Engine::new(location, false, settings)?;
        if version < SCHEMA_VERSION {
            bring_up_to_date(&engine, location).await?;
        }
        let sql = Sql::new("SELECT value FROM meta WHERE key = $1").bind(HARVEST_KEY);
        let row = engine.reader().await?.row(sql).await?;
        let harvest = row
            .ok_or_else(|| not_a_catalog(location, "its harvest has no name".to_owned()))?
            .text()?;
        let (location, settings) = (location.clone(), settings.clone());
        Ok(Catalog { engine, location, settings, harvest, growth: Arc::default() })
    }

    pub fn location(&self) -> &Location {
        &self.location
    }

    /// The random name of the harvest, given when the catalog was made.
    pub fn harvest(&self) -> &str {
        &self.harvest
    }

    /// Ends all connections; SQLite empties its write-ahead log.
    pub async fn close(self) {
        self.engine.close().await;
    }

    /// Gives out `count` numbers that nobody else gets, and returns the first. Numbers that are
    /// never used leave gaps.
    pub async fn reserve(&self, numbers: Numbers, count: u32) -> Result<i64, CatalogError> {
        let kind = match numbers {
            Numbers::Requests => "request",
            Numbers::Servers => "server",
            Numbers::Captures => "capture",
        };
        let mut session = self.engine.begin().await?;
        let first = take_numbers(&mut session, kind, count).await?;
        session.commit().await?;
        Ok(first)
    }

    /// Makes sure that only one process works on this harvest, until the guard is dropped.
    ///
    /// On PostgreSQL this is an advisory lock on a connection of its own. On SQLite it is always
    /// granted: there, whoever holds the harvest's directory holds a lock file.
    pub async fn exclusive(&self) -> Result<Exclusive, CatalogError> {
        let sql = "SELECT pg_try_advisory_lock($1)";
        self.lock(sql, self.lock_number(), "another crawl holds the harvest").await
    }

    /// Makes sure that only workers at the same stage are at this harvest, one or many.
    pub async fn shared(&self, company: Company) -> Result<Exclusive, CatalogError> {
        let sql = "SELECT pg_try_advisory_lock_shared($1)";
        let words = "another command has the harvest to itself";
        let mut shared = self.lock(sql, self.lock_number(), words).await?;
        let Some(connection) = &mut shared.connection else { return Ok(shared) };
        // Those at one stage do not keep each other off, so each shows a mark of its stage.
        let mark = |company: Company| self.lock_number().wrapping_add(MARKS + company as i64);
        let _: bool =
            sqlx::query_scalar(sql).bind(mark(company)).fetch_one(&mut *connection).await?;
        for other in Company::ALL.into_iter().filter(|other| *other != company) {
            let holders: i64 =
                sqlx::query_scalar(HOLDERS).bind(mark(other)).fetch_one(&mut *connection).await?;
            if holders > 0 {
                let words = format!("workers are at the stage {}", other.as_str());
                return Err(CatalogError::InUse { words });
            }
        }
        Ok(shared)
    }

    /// The right to begin or to end among the workers, which one of them has at a time.
    pub async fn turn(&self) -> Result<Exclusive, CatalogError> {
        let sql = "SELECT pg_try_advisory_lock($1)";
        let number = self.lock_number().wrapping_add(1);
        self.lock(sql, number, "another worker is just beginning or ending").await
    }

    async fn lock(
        &self,
        sql: &'static str,
        number: i64,
        words: &str,
    ) -> Result<Exclusive, CatalogError> {
        if let Location::File(_) = self.location {
            return Ok(Exclusive { connection: None });
        }
        let options = postgres_options(&self.location, &self.settings)?;
        let mut connection = options.connect().await?;
        for _ in 0..LOCK_TRIES {
            if sqlx::query_scalar(sql).bind(number).fetch_one(&mut connection).await? {
                return Ok(Exclusive { connection: Some(connection) });
            }
            sqlx::query("SELECT pg_sleep(0.02)").execute(&mut connection).await?;
        }
        Err(CatalogError::InUse { words: words.to_owned() })
    }

    /// Whether somebody has the harvest to himself by [`Catalog::exclusive`]. On SQLite the answer is always no: there
    /// the lock file tells.
    pub async fn is_held(&self) -> Result<bool, CatalogError> {
        if let Location::File(_) = self.location {
            return Ok(false);
        }
        let sql = Sql::new(HOLDERS).bind(self.lock_number());
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())? > 0)
    }

    pub(crate) fn with_engine(&self, engine: Engine) -> Catalog {
        Catalog { engine, ..self.clone() }
    }

    fn lock_number(&self) -> i64 {
        let digits = self.harvest.get(..16).unwrap_or_default();
        u64::from_str_radix(digits, 16).unwrap_or(0).cast_signed()
    }
}

/// The right to be the only one at a harvest, or one of those that share it.
#[derive(Debug)]
pub struct Exclusive {
    connection: Option<PgConnection>,
}

impl Exclusive {
    /// Makes sure that the lock is still held: a server that was restarted has forgotten it.
    pub async fn check(&mut self) -> Result<(), CatalogError> {
        match &mut self.connection {
            Some(connection) => Ok(connection.ping().await?),
            None => Ok(()),
        }
    }

    /// Gives the right back; others can have it at once. A guard that is dropped only ends its connection, and some time
    /// may pass until the server notices that.
    pub async fn release(self) -> Result<(), CatalogError> {
        let Some(mut connection) = self.connection else { return Ok(()) };
        sqlx::query("SELECT pg_advisory_unlock_all()").execute(&mut connection).await?;
        Ok(connection.close().await?)
    }
}

/// Makes sure that a catalog can be made there: no file, or an empty database.
pub(crate) async fn require_room(
    location: &Location,
    settings: &CatalogSettings,
) -> Result<(), CatalogError> {
    if matches!(location, Location::File(path) if !path.exists()) {
        return Ok(());
    }
    match probe(location, settings).await? {
        Found::Empty => Ok(()),
        Found::Foreign(why) => Err(not_a_catalog(location, why)),
        Found::Catalog { .. } => Err(exists(location)),
    }
}

/// Begins the transaction that makes a catalog: the tables are there, with what belongs into them from the start.
pub(crate) async fn begin_making(
    engine: &Engine,
    location: &Location,
) -> Result<Session, CatalogError> {
    let mut session = engine.begin().await?;
    lock_making(&mut session).await?;
    // Asked again under the lock: two processes may make the same catalog.
    if schema::find(&mut session).await? != Found::Empty {
        return Err(exists(location));
    }
    schema::migrate(&mut session, 0).await?;
    Ok(session)
}

pub(crate) async fn take_run_number(session: &mut Session) -> Result<i64, CatalogError> {
    take_numbers(session, RUNS, 1).await
}

pub(crate) async fn take_control_number(session: &mut Session) -> Result<i64, CatalogError> {
    take_numbers(session, CONTROLS, 1).await
}

pub(crate) async fn take_candidate_numbers(
    session: &mut Session,
    count: usize,
) -> Result<i64, CatalogError> {
    take_numbers(session, CANDIDATES, u32::try_from(count).unwrap_or(u32::MAX)).await
}

pub(crate) async fn take_numbers(
    session: &mut Session,
    kind: &str,
    count: u32,
) -> Result<i64, CatalogError> {
    let sql = "UPDATE next_number SET next = next + $1 WHERE kind = $2 RETURNING next - $1";
    let row = session.row(Sql::new(sql).bind(i64::from(count)).bind(kind)).await?;
    let mut row = row.ok_or_else(|| CatalogError::damaged(format!("no numbers for {kind}")))?;
    Ok(row.number()?)
}

async fn probe(location: &Location, settings: &CatalogSettings) -> Result<Found, CatalogError> {
    let engine = Engine::probe(location, settings)?;
    let found = match engine.reader().await {
        Ok(mut session) => schema::find(&mut session).await,
        Err(error) => Err(error),
    };
    engine.close().await;
    found.map_err(|error| {
        if is_not_a_database(&error) {
            not_a_catalog(location, "it is not an SQLite database".to_owned())
        } else if is_no_such_database(&error) {
            CatalogError::Missing { location: location.to_string() }
        } else {
            CatalogError::from(error)
        }
    })
}

async fn bring_up_to_date(engine: &Engine, location: &Location) -> Result<(), CatalogError> {
    let mut session = engine.begin().await?;
    lock_making(&mut session).await?;
    // Asked again under the lock: another process may have done it meanwhile.
    let Found::Catalog { version } = schema::find(&mut session).await? else {
        return Err(not_a_catalog(location, "it changed while it was opened".to_owned()));
    };
    schema::migrate(&mut session, version).await?;
    Ok(session.commit().await?)
}

async fn lock_making(session: &mut Session) -> Result<(), CatalogError> {
    if session.dialect() == Dialect::Postgres {
        let sql = "SELECT 1::bigint FROM (SELECT pg_advisory_xact_lock($1)) locked";
        session.rows(Sql::new(sql).bind(MAKING_LOCK)).await?;
    }
    Ok(())
}

fn not_a_catalog(location: &Location, why: String) -> CatalogError {
    CatalogError::NotACatalog { location: location.to_string(), why }
}

fn exists(location: &Location) -> CatalogError {
    CatalogError::Exists { location: location.to_string() }
}

/// 128 random bits as 32 hexadecimal digits, from the randomness the standard library seeds its
/// hash tables with.
fn random_text() -> String {
    let word = || RandomState::new().hash_one((Timestamp::now().0, std::process::id()));
    format!("{:016x}{:016x}", word(), word())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NewRun, Window};
    use auslese_model::{Commit, NewServer, Origin, ServerId};

    /// A disk that is full and a file that cannot be written, as SQLite itself simulates them.
    #[tokio::test]
    async fn a_full_or_read_only_disk_is_waited_out() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::from(dir.path().join("catalog.sqlite").as_path());
        let settings = CatalogSettings::default();
        let catalog = Catalog::create(&location, &settings).await.unwrap();
        let at = Timestamp(0);
        let new = NewRun { stage: "crawl", worker: "w", config: "", at };
        let run = catalog.begin_run(new).await.unwrap();
        let server = |id| NewServer {
            id: ServerId(id),
            origin: Origin::parse(&format!("http://h{id}.example")).unwrap(),
            label: Some("x".repeat(1000)),
        };
        let servers = (1..100).map(server).collect();
        let commit = Commit { servers, ..Commit::default() };

        let Engine::Sqlite { writer, .. } = &catalog.engine else { unreachable!() };
        let pragma = async |text: &'static str| {
            sqlx::raw_sql(text).execute(writer).await.unwrap();
        };
        let window = Window { run, number: 1, at };
        pragma("PRAGMA max_page_count = 1").await;
        let full = catalog.commit(&commit, window).await.unwrap_err();
        assert!(matches!(full, CatalogError::DiskFull { .. }) && full.is_temporary(), "{full:?}");
        // SQLite has ended the transaction by itself, so the next one is on another connection.
        catalog.reserve(Numbers::Servers, 1).await.unwrap();
        pragma("PRAGMA query_only = 1").await;
        let fixed = catalog.commit(&commit, window).await.unwrap_err();
        assert!(
            matches!(fixed, CatalogError::ReadOnly { .. }) && fixed.is_temporary(),
            "{fixed:?}"
        );
        pragma("PRAGMA query_only = 0").await;
        catalog.commit(&commit, window).await.unwrap();
        assert_eq!(catalog.servers().await.unwrap().len(), 99);
    }
}
