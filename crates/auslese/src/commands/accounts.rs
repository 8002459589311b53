//! `auslese accounts`: who may change something in the front end.

use crate::args::Place;
use crate::config::Overrides;
use crate::messages::{Color, Exit, Failure, Outcome, Word, say};
use crate::output;
use auslese_serve::{
    Account, Accounts, AccountsError, MIN_PASSWORD, Role, hash_password, is_account_name,
};
use clap::{Args, Subcommand};
use serde_json::json;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// The longest line that is read as a password, in bytes.
const MAX_LINE: u64 = 4_096;

/// Accounts of those who may change something in the front end
///
/// Readers write notes; editors also decide on hosts, label descriptions, leave addresses out and pause a
/// crawl; admins do everything. A running `auslese serve` follows at once. The file holds no passwords, only
/// hashes (Argon2id).
#[derive(Debug, Args)]
pub(crate) struct AccountsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Add an account; the password is asked for, or read from the standard input
    #[command(after_help = ADD_EXAMPLES)]
    Add {
        #[arg(value_parser = account_name)]
        name: String,

        /// What they may do
        #[arg(long, value_name = "ROLE", value_parser = role, default_value = "reader")]
        role: Role,

        #[command(flatten)]
        password: PasswordArgs,
    },
    /// Give an account another password; whoever uses it is logged out
    #[command(after_help = PASSWORD_EXAMPLES)]
    Password {
        name: String,

        #[command(flatten)]
        password: PasswordArgs,
    },
    /// Give an account another role
    #[command(after_help = ROLE_EXAMPLES)]
    Role {
        name: String,

        #[arg(value_parser = role)]
        role: Role,
    },
    /// Remove an account; whoever uses it is logged out
    #[command(after_help = REMOVE_EXAMPLES)]
    Remove { name: String },
    /// List accounts and their roles
    #[command(after_help = LIST_EXAMPLES)]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
struct PasswordArgs {
    /// Read the password from the first line of this file
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

const ADD_EXAMPLES: &str = "\
Examples:
  auslese accounts add anna --role editor --dir giessen
  pwgen 20 1 | tee password.txt | auslese accounts add ben --dir giessen";

const PASSWORD_EXAMPLES: &str = "\
Examples:
  auslese accounts password anna --dir giessen";

const ROLE_EXAMPLES: &str = "\
Examples:
  auslese accounts role anna admin --dir giessen";

const REMOVE_EXAMPLES: &str = "\
Examples:
  auslese accounts remove anna --dir giessen";

const LIST_EXAMPLES: &str = "\
Examples:
  auslese accounts list --dir giessen
  auslese accounts list --json --dir giessen";

fn account_name(text: &str) -> Result<String, String> {
    match is_account_name(text) {
        true => Ok(text.to_owned()),
        false => Err("a name is made of letters, digits and . _ @ -".to_owned()),
    }
}

fn role(text: &str) -> Result<Role, String> {
    Role::parse(text).ok_or_else(|| "a role is reader, editor or admin".to_owned())
}

pub(crate) fn run(args: &AccountsArgs, place: &Place, color: Color) -> Outcome {
    place.require_dir()?;
    let config = place.sources(Overrides::default()).load()?;
    let file = config.serve.accounts(place.dir());
    let mut accounts = Accounts::load(&file).map_err(accounts_failure)?;
    match &args.action {
        Action::List { json } => return list(&accounts, *json),
        Action::Add { name, role, password } => {
            if accounts.get(name).is_some() {
                return Err(Failure::usage(format!("there is an account {name} already"))
                    .hint("`auslese accounts password` and `accounts role` change it"));
            }
            accounts.set(name, Account { role: *role, password: hash(password)? });
        }
        Action::Password { name, password } => {
            let role = known(&accounts, name)?.role;
            accounts.set(name, Account { role, password: hash(password)? });
        }
        Action::Role { name, role } => {
            let password = known(&accounts, name)?.password.clone();
            accounts.set(name, Account { role: *role, password });
        }
        Action::Remove { name } => {
            known(&accounts, name)?;
            accounts.remove(name);
        }
    }
    accounts.save(&file).map_err(accounts_failure)?;
    say(Word::Note, format!("{}: accounts {}", file.display(), accounts.iter().count()), color);
    Ok(Exit::Done)
}

pub(super) fn accounts_failure(error: AccountsError) -> Failure {
    let hint = match &error {
        AccountsError::Bad { .. } => "correct it, or remove it and add the accounts again",
        AccountsError::Unreadable { .. } | AccountsError::Unwritable { .. } => {
            "does the file belong to somebody else?"
        }
    };
    Failure::new(Exit::Usage, error).hint(hint)
}

fn known<'a>(accounts: &'a Accounts, name: &str) -> Result<&'a Account, Failure> {
    accounts.get(name).ok_or_else(|| {
        Failure::usage(format!("there is no account {name}"))
            .hint("`auslese accounts list` shows them")
    })
}

fn list(accounts: &Accounts, as_json: bool) -> Outcome {
    if as_json {
        let all: Vec<_> = accounts
            .iter()
            .map(|(name, account)| json!({ "name": name, "role": account.role }))
            .collect();
        output::print_json(&json!(all))?;
    } else if accounts.is_empty() {
        output::print("no accounts: the front end is for reading\n")?;
    } else {
        let lines = accounts.iter().map(|(name, account)| format!("{name}\t{}\n", account.role));
        output::print(&lines.collect::<String>())?;
    }
    Ok(Exit::Done)
}

fn hash(password: &PasswordArgs) -> Result<String, Failure> {
    let password = match &password.password_file {
        Some(file) => first_line_of(file)?,
        None if std::io::stdin().is_terminal() => ask()?,
        None => first_line(std::io::stdin().lock()).map_err(unread)?,
    };
    hash_password(&password).map_err(|error| {
        Failure::usage(error.to_string())
            .hint(format!("{MIN_PASSWORD} characters or more, such as four words in a row"))
    })
}

fn first_line_of(file: &Path) -> Result<String, Failure> {
    let opened = std::fs::File::open(file)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", file.display())))?;
    first_line(std::io::BufReader::new(opened)).map_err(unread)
}

fn first_line(input: impl BufRead) -> std::io::Result<String> {
    let mut line = String::new();
    std::io::Read::take(input, MAX_LINE).read_line(&mut line)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

fn ask() -> Result<String, Failure> {
    let read = |question: &str| rpassword::prompt_password(question).map_err(unread);
    let first = read("Password: ")?;
    if first != read("Once more: ")? {
        return Err(Failure::usage("the two passwords differ").hint("nothing was changed"));
    }
    Ok(first)
}

fn unread(error: std::io::Error) -> Failure {
    Failure::usage(format!("the password cannot be read: {error}"))
}
