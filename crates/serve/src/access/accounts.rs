//! The accounts of people, in a file that only its owner can read:
//!
//! ```toml
//! [accounts.anna]
//! role = "editor"
//! password = "$argon2id$…"
//! ```
//!
//! The front end looks at the file whenever it was changed, so a new account works at once, and a removed one no longer.

use super::password::is_hash;
use super::role::Role;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// The longest name, in characters.
const MAX_NAME: usize = 64;
/// Bytes of the file that are read.
const MAX_FILE: u64 = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Account {
    pub role: Role,
    /// The hash of the password.
    pub password: String,
}

/// All accounts by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accounts {
    #[serde(default)]
    accounts: BTreeMap<String, Account>,
}

#[derive(Debug, thiserror::Error)]
pub enum AccountsError {
    #[error("cannot read {file}")]
    Unreadable { file: PathBuf, cause: io::Error },
    #[error("{file} is no file of accounts: {problem}")]
    Bad { file: PathBuf, problem: String },
    #[error("cannot write {file}")]
    Unwritable { file: PathBuf, cause: io::Error },
}

/// Letters, digits and `. _ @ -`, beginning with a letter or digit.
pub fn is_account_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "._@-".contains(c);
    name.chars().count() <= MAX_NAME
        && name.starts_with(char::is_alphanumeric)
        && name.chars().all(is_plain)
}

impl Accounts {
    /// Reads the file; one that is not there has no accounts.
    pub fn load(file: &Path) -> Result<Accounts, AccountsError> {
        let unreadable = |cause| AccountsError::Unreadable { file: file.to_owned(), cause };
        let bad = |problem: String| AccountsError::Bad { file: file.to_owned(), problem };
        match file.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Accounts::default()),
            Err(error) => return Err(unreadable(error)),
            Ok(found) if found.len() > MAX_FILE => return Err(bad("it is too long".to_owned())),
            Ok(_) => {}
        }
        let text = std::fs::read_to_string(file).map_err(unreadable)?;
        let read: Accounts = toml::from_str(&text).map_err(|error| bad(error.to_string()))?;
        for (name, account) in &read.accounts {
            if !is_account_name(name) {
                return Err(bad(format!("`{name}` is no name of an account")));
            }
            if !is_hash(&account.password) {
                return Err(bad(format!("the password of {name} is no Argon2id hash")));
            }
        }
        Ok(read)
    }

    /// Writes the file anew, whole or not at all, for nobody else to read.
    pub fn save(&self, file: &Path) -> Result<(), AccountsError> {
        let unwritable = |cause| AccountsError::Unwritable { file: file.to_owned(), cause };
        let text = toml::to_string(self)
            .map_err(|error| unwritable(io::Error::new(io::ErrorKind::InvalidData, error)))?;
        let new = file.with_extension("toml.new");
        let write = || -> io::Result<()> {
            // One that was left behind may be readable by others.
            if let Err(error) = std::fs::remove_file(&new)
                && error.kind() != io::ErrorKind::NotFound
            {
                return Err(error);
            }
            let mut options = std::fs::OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut written = options.open(&new)?;
            written.write_all(text.as_bytes())?;
            written.sync_all()?;
            std::fs::rename(&new, file)
        };
        write().map_err(unwritable)
    }

    pub fn is_empty(&self) -> bool {
        self.accounts.is_empty()
    }

    pub fn get(&self, name: &str) -> Option<&Account> {
        self.accounts.get(name)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &Account)> {
        self.accounts.iter().map(|(name, account)| (name.as_str(), account))
    }

    /// Adds an account, or puts another in its place; the one that was there.
    pub fn set(&mut self, name: &str, account: Account) -> Option<Account> {
        self.accounts.insert(name.to_owned(), account)
    }

    pub fn remove(&mut self, name: &str) -> Option<Account> {
        self.accounts.remove(name)
    }
}

/// The file, read again when it was changed.
#[derive(Debug)]
pub(super) struct AccountFile {
    file: Option<PathBuf>,
    read: Mutex<(Option<Stamp>, Arc<Accounts>)>,
}

type Stamp = (Option<SystemTime>, u64);

impl AccountFile {
    pub(super) fn new(file: Option<PathBuf>) -> AccountFile {
        AccountFile { file, read: Mutex::default() }
    }

    /// The accounts there are now. A file that cannot be read has none: whoever cannot be looked up may do nothing.
    pub(super) fn current(&self) -> Arc<Accounts> {
        let Some(file) = &self.file else { return Arc::default() };
        let stamp = file.metadata().ok().map(|found| (found.modified().ok(), found.len()));
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.0 != stamp {
            let accounts = Accounts::load(file).unwrap_or_else(|error| {
                tracing::error!("nobody can log in: {error}");
                Accounts::default()
            });
            *read = (stamp, Arc::new(accounts));
        }
        read.1.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::super::password::hash_password;
    use super::*;

    fn account(role: Role) -> Account {
        Account { role, password: hash_password("a long password").unwrap() }
    }

    #[test]
    fn accounts_come_back() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("accounts.toml");
        let watched = AccountFile::new(Some(file.clone()));
        assert!(watched.current().is_empty());
        let mut accounts = Accounts::default();
        accounts.set("anna", account(Role::Editor));
        accounts.set("b.berg@uni.example", account(Role::Admin));
        accounts.save(&file).unwrap();
        assert_eq!(Accounts::load(&file).unwrap(), accounts);
        assert_eq!(*watched.current(), accounts);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
        accounts.remove("anna");
        accounts.save(&file).unwrap();
        assert_eq!(*watched.current(), accounts);
        std::fs::write(&file, "[accounts.anna]\nrole = \"god\"").unwrap();
        assert!(watched.current().is_empty(), "nobody may do anything by a broken file");
    }

    #[test]
    fn broken_files_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("accounts.toml");
        for (text, problem) in [
            ("[accounts.anna]\nrole = \"editor\"\npassword = \"secret\"", "no Argon2id hash"),
            ("[accounts.\"a b\"]\nrole = \"editor\"\npassword = \"\"", "no name of an account"),
            ("[accounts.anna]\nrole = \"god\"\npassword = \"\"", "god"),
            ("x = 1", "x"),
        ] {
            std::fs::write(&file, text).unwrap();
            let error = Accounts::load(&file).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }

    #[test]
    fn names() {
        for name in ["anna", "Jörg", "b.berg@uni.example", "a-1_x"] {
            assert!(is_account_name(name), "{name}");
        }
        for name in ["", ".a", "a b", "a\n", "<b>", "a/b", &"x".repeat(65)] {
            assert!(!is_account_name(name), "{name}");
        }
    }
}
