//! Looks whether a provider has everything in order, and says what is not.
//!
//! Everything is tried that a caller could ask for, short of reading all values: each document is compared with
//! the allow-list, each database is reached, and of each allowed column one value is read.

use crate::names::Engine;
use crate::refusal::Refusal;
use crate::session::Session;
use crate::settings::Database;
use crate::summarizer::Summarizer;
use auslese_model::Problem;

impl Summarizer {
    /// What is wrong (`E_`) or doubtful (`W_`). Settings that cannot be read never come this far.
    pub async fn check(&self) -> Vec<Problem> {
        let mut problems = self.check_access();
        problems.extend(self.check_documents());
        for (name, database) in &self.settings.databases {
            self.check_database(name, database, &mut problems).await;
        }
        problems
    }

    fn check_access(&self) -> Vec<Problem> {
        let access = &self.settings.access;
        let is_public = !self.settings.listen.ip().is_loopback();
        let mut problems = Vec::new();
        let mut doubt = |code, message: &str| {
            problems.push(Problem::warning(code, "access", message.to_owned()));
        };
        if is_public {
            doubt(
                "W_NO_TLS",
                "tokens cross the network unencrypted; listen on 127.0.0.1, behind a proxy with TLS",
            );
        }
        if access.anonymous && access.addresses.is_empty() {
            doubt("W_ANONYMOUS", "everybody who reaches the service can read what is allowed");
        }
        if !is_public && !access.addresses.is_empty() && access.proxies.is_empty() {
            doubt(
                "W_PROXIES",
                "addresses are restricted, but all come from this machine; name the proxy in access.proxies",
            );
        }
        problems
    }

    fn check_documents(&self) -> Vec<Problem> {
        let names = match self.settings.documents.names() {
            Ok(names) => names,
            Err(error) => {
                return vec![Problem::error("E_CONFIG_UNREADABLE", "documents", error.to_string())];
            }
        };
        if names.is_empty() {
            let message = "there is no document yet".to_owned();
            return vec![Problem::warning("W_NO_DOCUMENT", "documents", message)];
        }
        let checked = names.iter().filter_map(|name| Some((name, self.prepare(name).err()?)));
        checked.map(|(name, refusal)| problem_of(name, &refusal)).collect()
    }

    async fn check_database(&self, name: &str, database: &Database, problems: &mut Vec<Problem>) {
        let mut session = match Session::open(database, &self.settings.limits).await {
            Ok(session) => session,
            Err(refusal) => return problems.push(problem_of(name, &refusal)),
        };
        for (table, attribute) in &database.allow {
            if let Err(refusal) = self.try_column(&mut session, database, (table, attribute)).await
            {
                let has_failed =
                    matches!(refusal, Refusal::Database { .. } | Refusal::Timeout { .. });
                problems.push(problem_of(name, &refusal));
                // After a failed statement PostgreSQL refuses all others of the transaction.
                if has_failed && database.engine == Engine::Postgres {
                    break;
                }
            }
        }
        // It fails only after another failure, which is among the problems already.
        if let Ok(true) = session.role_can_write().await {
            let message = "the role has rights beyond reading; nothing is written, but a role that cannot is safer";
            problems.push(Problem::warning("W_ROLE_CAN_WRITE", name, message.to_owned()));
        }
        session.close().await;
    }
}

/// A refusal with all it knows: whoever checks the settings may see what the database said.
fn problem_of(subject: &str, refusal: &Refusal) -> Problem {
    let mut message = refusal.with_causes();
    if let Some(hint) = refusal.hint() {
        message.push_str(&format!("; hint: {hint}"));
    }
    Problem::error(refusal.code(), subject, message)
}
