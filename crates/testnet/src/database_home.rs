//! A home for a database server that lives as long as its test.
//!
//! The server gets a directory below `/tmp` and listens on a Unix socket there, so it needs no port and works in a
//! network namespace without network. It does not run as root, which database servers refuse.
//!
//! It must not outlive its test process, however that ends. So a small shell watches it whose
//! standard input is a pipe from this process: when the pipe closes, the shell ends the server and
//! removes the directory. That works for statics, which are never dropped, and after `kill -9`.

use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};
use tempfile::TempDir;

/// How long a server may take to start, on a machine that is busy with other things.
const START_LIMIT: Duration = Duration::from_secs(60);

/// How often it is looked whether the server has started.
const START_POLL: Duration = Duration::from_millis(10);

/// Why a server could not be had.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseServerError {
    #[error(
        "no {server} server is installed (looked for {looked}); hint: apt-get install {package}"
    )]
    NotInstalled { server: &'static str, looked: &'static str, package: &'static str },
    #[error(
        "no account to run a server under: it refuses to run as root, and /etc/passwd has neither {0} nor nobody"
    )]
    NoAccount(&'static str),
    #[error("{program} failed: {words}")]
    Failed { program: &'static str, words: String },
    #[error("{program} did not start within {} s: {words}", START_LIMIT.as_secs())]
    TooSlow { program: &'static str, words: String },
    #[error("cannot prepare a directory for a server")]
    Io(#[from] io::Error),
}

/// The directory of a server, whom it runs as, and who watches it.
#[derive(Debug)]
pub(crate) struct DatabaseHome {
    account: Option<Account>,
    directory: TempDir,
    watcher: Option<Child>,
}

impl DatabaseHome {
    /// A directory that belongs to this account, or to nobody, if this process is root.
    pub(crate) fn new(
        prefix: &str,
        account: &'static str,
    ) -> Result<DatabaseHome, DatabaseServerError> {
        let account = Account::for_server(account)?;
        // Directly below /tmp: the path of a socket may have 107 bytes only.
        let directory = tempfile::Builder::new().prefix(prefix).tempdir_in("/tmp")?;
        if let Some(account) = &account {
            chown(directory.path(), Some(account.uid), Some(account.gid))?;
        }
        Ok(DatabaseHome { account, directory, watcher: None })
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Runs a program under the account, to its end.
    pub(crate) fn run(
        &self,
        program: &'static str,
        command: &mut Command,
    ) -> Result<(), DatabaseServerError> {
        self.lower(command);
        let output = command.stdin(Stdio::null()).current_dir("/").output()?;
        if output.status.success() {
            return Ok(());
        }
        let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(DatabaseServerError::Failed { program, words })
    }

    /// Starts the server, which `signal` ends at once.
    pub(crate) fn start(&mut self, server: &Command, signal: &str) -> io::Result<()> {
        // `read` fails when the pipe closes. What was said to stop does not run at the end.
        const WATCH: &str = r#"
            dir=$1; signal=$2; shift 2
            "$@" >"$dir/log" 2>&1 </dev/null &
            while read -r line; do
                case $line in
                    stop) kill -"$signal" $!; wait $!; : >"$dir/stopped" ;;
                    start) rm -f "$dir/stopped"; "$@" >>"$dir/log" 2>&1 </dev/null & ;;
                esac
            done
            kill -"$signal" $!
            wait $!
            rm -rf "$dir"
        "#;
        let mut command = Command::new("/bin/sh");
        command.args(["-c", WATCH, "database-watcher"]).arg(self.path()).arg(signal);
        command.arg(server.get_program()).args(server.get_args());
        self.lower(&mut command);
        // A group of its own: an interrupt from the keyboard must reach the tests only.
        command.process_group(0).current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        self.watcher = Some(command.spawn()?);
        Ok(())
    }

    /// Ends the server as if its machine had died; its data stay.
    pub(crate) fn stop(&mut self) -> io::Result<()> {
        self.say("stop")?;
        let stopped = self.path().join("stopped");
        let began = Instant::now();
        while !stopped.exists() && began.elapsed() < START_LIMIT {
            thread::sleep(START_POLL);
        }
        Ok(())
    }

    /// Starts the server again.
    pub(crate) fn start_again(&mut self) -> io::Result<()> {
        self.say("start")
    }

    fn say(&mut self, word: &str) -> io::Result<()> {
        let pipe = self.watcher.as_mut().and_then(|watcher| watcher.stdin.as_mut());
        match pipe {
            Some(pipe) => writeln!(pipe, "{word}").and_then(|()| pipe.flush()),
            None => Err(io::Error::other("the server was never started")),
        }
    }

    /// Waits until the server is ready; what it says may show that it never will be.
    pub(crate) fn await_start(
        &self,
        program: &'static str,
        is_ready: impl Fn(&DatabaseHome) -> bool,
        failure: &str,
    ) -> Result<(), DatabaseServerError> {
        let began = Instant::now();
        while !is_ready(self) {
            if self.log().contains(failure) {
                return Err(DatabaseServerError::Failed { program, words: self.log() });
            }
            if began.elapsed() > START_LIMIT {
                return Err(DatabaseServerError::TooSlow { program, words: self.log() });
            }
            thread::sleep(START_POLL);
        }
        Ok(())
    }

    /// What the server said.
    pub(crate) fn log(&self) -> String {
        fs::read(self.path().join("log"))
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    }

    fn lower(&self, command: &mut Command) {
        if let Some(account) = &self.account {
            command.uid(account.uid).gid(account.gid);
        }
    }
}

impl Drop for DatabaseHome {
    fn drop(&mut self) {
        if let Some(mut watcher) = self.watcher.take() {
            drop(watcher.stdin.take());
            let _ = watcher.wait();
        }
    }
}

/// Whom a server runs as, if this process is root.
#[derive(Debug)]
struct Account {
    uid: u32,
    gid: u32,
}

impl Account {
    fn for_server(name: &'static str) -> Result<Option<Account>, DatabaseServerError> {
        let is_root = fs::metadata("/proc/self")?.uid() == 0;
        if !is_root {
            return Ok(None);
        }
        let users = fs::read_to_string("/etc/passwd")?;
        let account = [name, "nobody"].iter().find_map(|name| find_account(&users, name));
        account.map(Some).ok_or(DatabaseServerError::NoAccount(name))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_accounts() {
        let users = "root:x:0:0:root:/root:/bin/sh\npostgres:x:101:104:,,,:/var:/bin/sh\nbroken";
        let account = find_account(users, "postgres").unwrap();
        assert_eq!((account.uid, account.gid), (101, 104));
        assert!(find_account(users, "broken").is_none());
    }
}
