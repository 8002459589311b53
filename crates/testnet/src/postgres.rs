//! A real PostgreSQL server for tests, made and thrown away.
//!
//! It does not care for its data: nothing is flushed to disk, though what was committed survives the server's end. Where it lives, and that it does not outlive its
//! test, is the work of `database_home`.

use crate::database_home::{DatabaseHome, DatabaseServerError};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A running server with its data; both are gone when it is dropped.
#[derive(Debug)]
pub struct Cluster {
    programs: PathBuf,
    home: DatabaseHome,
    databases: AtomicU32,
}

impl Cluster {
    /// Starts a server of the newest version installed.
    pub fn start() -> Result<Cluster, DatabaseServerError> {
        let programs = newest_programs().ok_or(DatabaseServerError::NotInstalled {
            server: "PostgreSQL",
            looked: "initdb and postgres in PATH and in /usr/lib/postgresql/*/bin",
            package: "postgresql",
        })?;
        let mut home = DatabaseHome::new("auslese-pg-", "postgres")?;
        make_data(&programs, &home)?;
        // SIGQUIT ends the server at once; SIGTERM would wait for its clients.
        home.start(&server(&programs, home.path()), "QUIT")?;
        // The server itself notes in this file when it is ready; pg_ctl waits in the same way.
        let note = home.path().join("data/postmaster.pid");
        let is_ready = |_: &_| fs::read_to_string(&note).is_ok_and(|text| text.contains("\nready"));
        home.await_start("postgres", is_ready, "FATAL")?;
        Ok(Cluster { programs, home, databases: AtomicU32::new(0) })
    }

    /// Ends the server as if its machine had died: connections break, what was committed stays.
    pub fn stop(&mut self) -> Result<(), DatabaseServerError> {
        self.home.stop()?;
        // A server that was ended by force may leave its note behind.
        let _ = fs::remove_file(self.home.path().join("data/postmaster.pid"));
        Ok(())
    }

    /// Starts the server again that was stopped, and waits until it is ready.
    pub fn start_again(&mut self) -> Result<(), DatabaseServerError> {
        self.home.start_again()?;
        let note = self.home.path().join("data/postmaster.pid");
        let is_ready = |_: &_| fs::read_to_string(&note).is_ok_and(|text| text.contains("\nready"));
        self.home.await_start("postgres", is_ready, "could not start server")
    }

    /// The server that all tests of a process share.
    ///
    /// # Panics
    /// If it cannot be started: a missing PostgreSQL fails a test instead of skipping it.
    pub fn shared() -> &'static Cluster {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(|| match Cluster::start() {
            Ok(cluster) => cluster,
            Err(error) => panic!("no PostgreSQL for the tests: {error}"),
        })
    }

    /// The URL of a database, which need not exist; `postgres` always does.
    pub fn url(&self, database: &str) -> String {
        let directory = self.home.path().display();
        format!("postgres://postgres@localhost/{database}?host={directory}")
    }

    /// Makes an empty database with a name of its own, and returns its URL.
    pub fn create_database(&self) -> Result<String, DatabaseServerError> {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut command = Command::new(self.programs.join("createdb"));
        command.args(["-U", "postgres", "-T", "template0", "-h"]).arg(self.home.path());
        self.home.run("createdb", command.arg(&name))?;
        Ok(self.url(&name))
    }

    /// Makes a database that holds what another holds, which nobody may be connected to; returns its URL.
    pub fn copy_database(&self, url: &str) -> Result<String, DatabaseServerError> {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut command = Command::new(self.programs.join("createdb"));
        command.args(["-U", "postgres", "-T", name_in(url), "-h"]).arg(self.home.path());
        self.home.run("createdb", command.arg(&name))?;
        Ok(self.url(&name))
    }

    /// The rows of a query as text, one a line, with a bar between columns; with the message of the
    /// server if it cannot be answered.
    pub fn query(&self, url: &str, sql: &str) -> Result<String, String> {
        let mut command = Command::new(self.programs.join("psql"));
        command.args(["-U", "postgres", "-h"]).arg(self.home.path());
        command.args(["--no-psqlrc", "--no-align", "--tuples-only", "-v", "ON_ERROR_STOP=1"]);
        let output = command.args(["-c", sql, name_in(url)]).output();
        let output = output.map_err(|error| error.to_string())?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// What the server said; statements are among it where a database has `log_statement` set.
    pub fn log(&self) -> String {
        self.home.log()
    }
}

/// The name of the database in a URL of [`Cluster::url`].
fn name_in(url: &str) -> &str {
    let path = url.split("?host=").next().unwrap_or(url);
    path.rsplit('/').next().unwrap_or(path)
}

/// The directory with the programs of the newest server.
fn newest_programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    std::env::split_paths(&path)
        .chain(versions.map(|version| version.path().join("bin")))
        // A link in PATH leads to a directory that has all programs.
        .filter_map(|directory| {
            let server = fs::canonicalize(directory.join("postgres")).ok()?;
            let programs = server.parent()?.to_owned();
            programs.join("initdb").exists().then_some(programs)
        })
        .max_by_key(|programs| version_of(programs))
}

/// The numbers in `postgres (PostgreSQL) 15.18 (Debian …)`.
fn version_of(programs: &Path) -> Vec<u32> {
    let output = Command::new(programs.join("postgres")).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    version_numbers(&text.unwrap_or_default())
}

fn version_numbers(text: &str) -> Vec<u32> {
    let number = text.split(' ').find(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    number.unwrap_or_default().split('.').map_while(|part| part.trim().parse().ok()).collect()
}

fn make_data(programs: &Path, home: &DatabaseHome) -> Result<(), DatabaseServerError> {
    let mut command = Command::new(programs.join("initdb"));
    command.arg("-D").arg(home.path().join("data")).args([
        "--username=postgres",
        "--auth=trust",
        "--encoding=UTF8",
        "--no-locale",
        "--no-sync",
        "--no-instructions",
    ]);
    home.run("initdb", &mut command)
}

fn server(programs: &Path, directory: &Path) -> Command {
    let mut command = Command::new(programs.join("postgres"));
    command.arg("-D").arg(directory.join("data"));
    command.arg("-k").arg(directory).args(["-c", "listen_addresses="]);
    for setting in [
        "fsync=off",
        "full_page_writes=off",
        "shared_buffers=64MB",
        "max_connections=100",
        "max_wal_size=1GB",
    ] {
        command.args(["-c", setting]);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_versions() {
        assert_eq!(version_numbers("postgres (PostgreSQL) 15.18 (Debian 15.18-0)"), [15, 18]);
        assert!(version_numbers("postgres (PostgreSQL) 9.6.24") < vec![15]);
    }

    #[test]
    fn a_stopped_server_can_be_started_again() {
        let mut cluster = Cluster::start().unwrap();
        let socket = cluster.home.path().join(".s.PGSQL.5432");
        cluster.create_database().unwrap();
        cluster.stop().unwrap();
        assert!(std::os::unix::net::UnixStream::connect(&socket).is_err());
        cluster.start_again().unwrap();
        assert!(std::os::unix::net::UnixStream::connect(&socket).is_ok());
        cluster.create_database().unwrap();
    }

    #[test]
    fn databases_are_copied_and_asked() {
        let cluster = Cluster::start().unwrap();
        let url = cluster.create_database().unwrap();
        assert_eq!(name_in(&url), "test_0");
        cluster.query(&url, "SELECT 1 AS b, 'x' AS c INTO a").unwrap();
        let copy = cluster.copy_database(&url).unwrap();
        assert_eq!(cluster.query(&copy, "TABLE a").unwrap(), "1|x\n");
        assert!(cluster.query(&copy, "TABLE d").unwrap_err().contains("does not exist"));
    }

    #[test]
    fn the_server_goes_with_its_cluster() {
        let cluster = Cluster::start().unwrap();
        let socket = cluster.home.path().join(".s.PGSQL.5432");
        assert!(std::os::unix::net::UnixStream::connect(&socket).is_ok());
        assert_ne!(cluster.create_database().unwrap(), cluster.create_database().unwrap());
        let directory = cluster.home.path().to_owned();
        drop(cluster);
        assert!(!directory.exists());
    }
}
