//! A real MariaDB server for tests, made and thrown away.
//!
//! It notes every statement that reaches it, so that tests can see what a program asked. Where it lives, and that
//! it does not outlive its test, is the work of `database_home`.

use crate::database_home::{DatabaseHome, DatabaseServerError};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A running server with its data; both are gone when it is dropped.
#[derive(Debug)]
pub struct MariaDb {
    home: DatabaseHome,
    databases: AtomicU32,
}

impl MariaDb {
    pub fn start() -> Result<MariaDb, DatabaseServerError> {
        let programs = ["mariadbd", "mariadb-install-db", "mariadb"].map(find_program);
        let [Some(server), Some(installer), Some(_)] = programs else {
            return Err(DatabaseServerError::NotInstalled {
                server: "MariaDB",
                looked: "mariadbd, mariadb-install-db and mariadb in PATH and in /usr/sbin",
                package: "mariadb-server",
            });
        };
        let mut home = DatabaseHome::new("auslese-maria-", "mysql")?;
        let data = home.path().join("data");
        let mut command = Command::new(installer);
        command.arg("--no-defaults").arg(format!("--datadir={}", data.display()));
        command.args(["--auth-root-authentication-method=normal", "--skip-test-db"]);
        command.args(SMALL);
        home.run("mariadb-install-db", &mut command)?;
        let mut command = Command::new(server);
        command.arg("--no-defaults").arg(format!("--datadir={}", data.display()));
        for (option, file) in
            [("socket", "socket"), ("pid-file", "pid"), ("general-log-file", "statements")]
        {
            command.arg(format!("--{option}={}", home.path().join(file).display()));
        }
        command.args(["--skip-networking", "--general-log=1"]).args(SMALL);
        home.start(&command, "KILL")?;
        let is_ready = |home: &DatabaseHome| home.log().contains("ready for connections");
        home.await_start("mariadbd", is_ready, "[ERROR]")?;
        Ok(MariaDb { home, databases: AtomicU32::new(0) })
    }

    /// The server that all tests of a process share.
    ///
    /// # Panics
    /// If it cannot be started: a missing MariaDB fails a test instead of skipping it.
    pub fn shared() -> &'static MariaDb {
        static SHARED: OnceLock<MariaDb> = OnceLock::new();
        SHARED.get_or_init(|| match MariaDb::start() {
            Ok(server) => server,
            Err(error) => panic!("no MariaDB for the tests: {error}"),
        })
    }

    /// The URL of a database for an account without a password; `root` may do everything.
    pub fn url(&self, account: &str, database: &str) -> String {
        let socket = self.home.path().join("socket");
        format!("mysql://{account}@localhost/{database}?socket={}", socket.display())
    }

    /// Makes an empty database with a name of its own, and returns the name.
    pub fn create_database(&self) -> Result<String, DatabaseServerError> {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let client = find_program("mariadb").unwrap_or_else(|| PathBuf::from("mariadb"));
        let mut command = Command::new(client);
        command.args(["--no-defaults", "--user=root", "--socket"]);
        command.arg(self.home.path().join("socket"));
        command.arg("--execute").arg(format!("CREATE DATABASE {name} CHARACTER SET utf8mb4"));
        self.home.run("mariadb", &mut command)?;
        Ok(name)
    }

    /// All statements that reached the server so far.
    pub fn statements(&self) -> String {
        let bytes = fs::read(self.home.path().join("statements")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Tests need little, and their data need not survive.
const SMALL: [&str; 4] = [
    "--innodb-buffer-pool-size=16M",
    "--innodb-log-file-size=8M",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-use-native-aio=0",
];

/// A program in PATH, or where Debian puts programs of the system.
fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin", "/usr/bin"].map(PathBuf::from));
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_goes_with_its_home() {
        let server = MariaDb::start().unwrap();
        let socket = server.home.path().join("socket");
        assert!(std::os::unix::net::UnixStream::connect(&socket).is_ok());
        assert_ne!(server.create_database().unwrap(), server.create_database().unwrap());
        assert!(server.statements().contains("CREATE DATABASE test_1"));
        let directory = server.home.path().to_owned();
        drop(server);
        assert!(!directory.exists());
    }
}
