//! A real PostgreSQL server for tests, made and thrown away.
//!
//! The server lives in a temporary directory and listens on a Unix socket only, so it needs no
//! port and works in a network namespace without network. It does not run as root (PostgreSQL
//! refuses to), and it does not care for its data: nothing is flushed to disk.
//!
//! It must not outlive its test process, however that ends. So a small shell watches it whose
//! standard input is a pipe from this process: when the pipe closes, the shell ends the server and
//! removes the directory. That works for statics, which are never dropped, and after `kill -9`.

use std::io;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};
use tempfile::TempDir;

/// How long the server may take to start, on a machine that is busy with other things.
const START_LIMIT: Duration = Duration::from_secs(60);

/// How often it is looked whether the server has started.
const START_POLL: Duration = Duration::from_millis(10);

/// A running server with its data; both are gone when it is dropped.
#[derive(Debug)]
pub struct Cluster {
    programs: PathBuf,
    account: Option<Account>,
    directory: TempDir,
    watcher: Child,
    databases: AtomicU32,
}

#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    #[error(
        "no PostgreSQL server is installed (looked for initdb and postgres in PATH and in \
         /usr/lib/postgresql/*/bin); hint: apt-get install postgresql"
    )]
    NotInstalled,
    #[error(
        "no account to run PostgreSQL under: it refuses to run as root, and /etc/passwd has neither postgres nor nobody"
    )]
    NoAccount,
    #[error("{program} failed: {words}")]
    Failed { program: &'static str, words: String },
    #[error("PostgreSQL did not start within {} s: {words}", START_LIMIT.as_secs())]
    TooSlow { words: String },
    #[error("cannot prepare a directory for PostgreSQL")]
    Io(#[from] io::Error),
}

impl Cluster {
    /// Starts a server of the newest version installed.
    pub fn start() -> Result<Cluster, PostgresError> {
        let programs = newest_programs().ok_or(PostgresError::NotInstalled)?;
        let account = Account::for_server()?;
        // Directly below /tmp: the path of a socket may have 107 bytes only.
        let directory = tempfile::Builder::new().prefix("auslese-pg-").tempdir_in("/tmp")?;
        if let Some(account) = &account {
            chown(directory.path(), Some(account.uid), Some(account.gid))?;
        }
        make_data(&programs, account.as_ref(), directory.path())?;
        let watcher = start_server(&programs, account.as_ref(), directory.path())?;
        let databases = AtomicU32::new(0);
        let cluster = Cluster { programs, account, directory, watcher, databases };
        cluster.await_start()?;
        Ok(cluster)
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
        let directory = self.directory.path().display();
        format!("postgres://postgres@localhost/{database}?host={directory}")
    }

    /// Makes an empty database with a name of its own, and returns its URL.
    pub fn create_database(&self) -> Result<String, PostgresError> {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut command = Command::new(self.programs.join("createdb"));
        command.args(["-U", "postgres", "-T", "template0", "-h"]).arg(self.directory.path());
        run("createdb", command.arg(&name), self.account.as_ref())?;
        Ok(self.url(&name))
    }

    fn await_start(&self) -> Result<(), PostgresError> {
        let began = Instant::now();
        // The server itself notes in this file when it is ready; pg_ctl waits in the same way.
        let note = self.directory.path().join("data/postmaster.pid");
        while !fs::read_to_string(&note).is_ok_and(|text| text.contains("\nready")) {
            if self.log().contains("FATAL") {
                return Err(PostgresError::Failed { program: "postgres", words: self.log() });
            }
            if began.elapsed() > START_LIMIT {
                return Err(PostgresError::TooSlow { words: self.log() });
            }
            thread::sleep(START_POLL);
        }
        Ok(())
    }

    fn log(&self) -> String {
        fs::read_to_string(self.directory.path().join("log")).unwrap_or_default()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.watcher.stdin.take());
        let _ = self.watcher.wait();
    }
}

/// Whom the server runs as, if this process is root.
#[derive(Debug)]
struct Account {
    uid: u32,
    gid: u32,
}

impl Account {
    fn for_server() -> Result<Option<Account>, PostgresError> {
        use std::os::unix::fs::MetadataExt;
        let is_root = fs::metadata("/proc/self")?.uid() == 0;
        if !is_root {
            return Ok(None);
        }
        let users = fs::read_to_string("/etc/passwd")?;
        let account = ["postgres", "nobody"].iter().find_map(|name| find_account(&users, name));
        account.map(Some).ok_or(PostgresError::NoAccount)
    }
}

/// A line of the file of users: `name:password:uid:gid:…`.
fn find_account(users: &str, name: &str) -> Option<Account> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next()? == name).then_some(())?;
        let (uid, gid) = (fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Account { uid, gid })
    })
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

fn make_data(
    programs: &Path,
    account: Option<&Account>,
    directory: &Path,
) -> Result<(), PostgresError> {
    let mut command = Command::new(programs.join("initdb"));
    command.arg("-D").arg(directory.join("data")).args([
        "--username=postgres",
        "--auth=trust",
        "--encoding=UTF8",
        "--no-locale",
        "--no-sync",
        "--no-instructions",
    ]);
    run("initdb", &mut command, account)
}

fn start_server(
    programs: &Path,
    account: Option<&Account>,
    directory: &Path,
) -> Result<Child, PostgresError> {
    // `read` fails when the pipe closes. SIGQUIT ends the server at once; SIGTERM would wait for
    // its clients.
    const WATCH: &str = r#"
        dir=$1; shift
        "$@" >"$dir/log" 2>&1 </dev/null &
        while read -r line; do :; done
        kill -QUIT $!
        wait $!
        rm -rf "$dir"
    "#;
    let mut command = Command::new("/bin/sh");
    command.args(["-c", WATCH, "postgres-watcher"]).arg(directory);
    command.arg(programs.join("postgres")).arg("-D").arg(directory.join("data"));
    command.arg("-k").arg(directory).args(["-c", "listen_addresses="]);
    for setting in [
        "fsync=off",
        "full_page_writes=off",
        "synchronous_commit=off",
        "shared_buffers=64MB",
        "max_connections=100",
        "max_wal_size=1GB",
    ] {
        command.args(["-c", setting]);
    }
    lower(&mut command, account);
    // A group of its own: an interrupt from the keyboard must reach the tests only.
    command.process_group(0).current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command.spawn()?)
}

fn run(
    program: &'static str,
    command: &mut Command,
    account: Option<&Account>,
) -> Result<(), PostgresError> {
    lower(command, account);
    let output = command.stdin(Stdio::null()).current_dir("/").output()?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(PostgresError::Failed { program, words })
}

fn lower(command: &mut Command, account: Option<&Account>) {
    if let Some(account) = account {
        command.uid(account.uid).gid(account.gid);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_versions_and_accounts() {
        assert_eq!(version_numbers("postgres (PostgreSQL) 15.18 (Debian 15.18-0)"), [15, 18]);
        assert!(version_numbers("postgres (PostgreSQL) 9.6.24") < vec![15]);
        let users = "root:x:0:0:root:/root:/bin/sh\npostgres:x:101:104:,,,:/var:/bin/sh\nbroken";
        let account = find_account(users, "postgres").unwrap();
        assert_eq!((account.uid, account.gid), (101, 104));
        assert!(find_account(users, "broken").is_none());
    }

    #[test]
    fn the_server_goes_with_its_cluster() {
        let cluster = Cluster::start().unwrap();
        let socket = cluster.directory.path().join(".s.PGSQL.5432");
        assert!(std::os::unix::net::UnixStream::connect(&socket).is_ok());
        assert_ne!(cluster.create_database().unwrap(), cluster.create_database().unwrap());
        let directory = cluster.directory.path().to_owned();
        drop(cluster);
        assert!(!directory.exists());
    }
}
