//! Who may change something. Reading is for everybody who reaches the pages; a change needs a person with a role.
//!
//! People have accounts in a file of their own ([`Accounts`]), not in the catalog: its tables are shown to every reader,
//! and one front end shows several of them. Who logs in gets a session, kept in memory; the end of the program ends all
//! sessions. On the machine itself, `--admin` makes whoever asks an admin, without any account.
//!
//! Every request that changes something goes through one door, [`acting`]: it knows the person, their role, and that the
//! request was sent from a page of ours, before anything is done.

mod accounts;
mod acting;
mod attempts;
mod password;
mod role;
mod sessions;

pub use accounts::{Account, Accounts, AccountsError, is_account_name};
pub(crate) use acting::{Actor, Filled, Needs, TOKEN, acting};
pub use password::{MIN_PASSWORD, PasswordError, hash_password};
pub use role::Role;

use crate::settings::Settings;
use accounts::AccountFile;
use attempts::Attempts;
use axum::http::HeaderMap;
use axum::http::header::{COOKIE, HOST};
use sessions::Sessions;
use std::net::IpAddr;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// The cookie of a session.
pub(crate) const SESSION: &str = "auslese_session";
/// Passwords that are checked at a time: each takes memory on purpose.
const CHECKS_AT_A_TIME: usize = 2;
/// Headers by which a proxy tells that it asks for somebody else.
const FORWARDED: [&str; 4] = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];
const LOCAL_ADMIN: &str = "local";

/// Accounts, sessions and attempts.
#[derive(Debug)]
pub(crate) struct Access {
    accounts: AccountFile,
    sessions: Sessions,
    attempts: Attempts,
    checking: Semaphore,
    /// Everybody on this machine is an admin; with the token that their forms carry.
    local_admin: Option<String>,
    /// Cookies go over encrypted connections only.
    is_encrypted: bool,
}

/// What comes of a name and a password.
pub(crate) enum Login {
    /// The value of the cookie.
    Welcome {
        session: String,
    },
    Wrong,
    /// Too many wrong ones; when the next is looked at.
    Wait(Duration),
}

impl Access {
    pub(crate) fn new(settings: &Settings) -> Access {
        Access {
            accounts: AccountFile::new(settings.accounts.clone()),
            sessions: Sessions::new(settings.session_idle, settings.session_longest),
            attempts: Attempts::default(),
            checking: Semaphore::new(CHECKS_AT_A_TIME),
            local_admin: settings.admin.then(sessions::random_token),
            is_encrypted: settings
                .public_origin
                .as_deref()
                .is_some_and(|it| it.starts_with("https:")),
        }
    }

    /// Whether anybody could log in.
    pub(crate) fn has_accounts(&self) -> bool {
        !self.accounts.current().is_empty()
    }

    /// Who asks.
    pub(crate) fn actor(&self, headers: &HeaderMap) -> Option<Actor> {
        if let Some(token) = self.local_admin.as_ref().filter(|_| is_from_this_machine(headers)) {
            let (name, token) = (LOCAL_ADMIN.to_owned(), token.clone());
            return Some(Actor { name, role: Role::Admin, token, is_local: true });
        }
        let session = self.sessions.find(session_of(headers)?, Instant::now())?;
        // Who was removed, or got another password, is logged out.
        let account = self.accounts.current().get(&session.name).cloned()?;
        (account.password == session.password).then_some(Actor {
            name: session.name,
            role: account.role,
            token: session.token,
            is_local: false,
        })
    }

    pub(crate) async fn log_in(&self, name: &str, password: &str, from: Option<IpAddr>) -> Login {
        if let Some(wait) = self.attempts.wait(name, from, Instant::now()) {
            return Login::Wait(wait);
        }
        let account = self.accounts.current().get(name).cloned();
        let hash = account.as_ref().map(|account| account.password.clone());
        let is_right = self.is_right(hash.clone(), password).await;
        match (account, is_right) {
            (Some(account), true) => {
                self.attempts.succeeded(name, from);
                let session = self.sessions.begin(name, &account.password, Instant::now());
                Login::Welcome { session }
            }
            _ => {
                self.attempts.failed(name, from, Instant::now());
                tracing::warn!(name, ?from, "a login failed");
                Login::Wrong
            }
        }
    }

    /// Takes as long for a name that nobody has.
    async fn is_right(&self, hash: Option<String>, given: &str) -> bool {
        let Ok(_place) = self.checking.acquire().await else { return false };
        let given = given.to_owned();
        let check = move || password::is_password(hash.as_deref(), &given);
        tokio::task::spawn_blocking(check).await.unwrap_or(false)
    }

    /// What the forms of a session carry.
    pub(crate) fn token_of(&self, session: &str) -> Option<String> {
        self.sessions.find(session, Instant::now()).map(|session| session.token)
    }

    /// Ends the session that a request belongs to.
    pub(crate) fn log_out(&self, headers: &HeaderMap) {
        if let Some(session) = session_of(headers) {
            self.sessions.end(session);
        }
    }

    /// The cookie of a session, or one that ends it. Links from elsewhere may show our pages to somebody who is logged
    /// in, but no form from elsewhere may: hence Lax, and a token in every form.
    pub(crate) fn cookie(&self, session: Option<&str>) -> String {
        let age = session.map_or(0, |_| self.sessions.longest().as_secs());
        let secure = if self.is_encrypted { "; Secure" } else { "" };
        let value = session.unwrap_or_default();
        format!("{SESSION}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}")
    }
}

fn session_of(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
    let mut pairs = cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
    pairs.find(|(name, _)| *name == SESSION).map(|(_, value)| value)
}

/// Asked for under a name of this machine, and not by a proxy. A page of a stranger whose name leads to this machine
/// would ask under the stranger's name.
fn is_from_this_machine(headers: &HeaderMap) -> bool {
    let asked = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let name = match asked.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => asked,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let is_here = name == "localhost" || address.is_ok_and(|address| address.is_loopback());
    is_here && FORWARDED.iter().all(|name| !headers.contains_key(*name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn only_this_machine_is_this_machine() {
        #[rustfmt::skip]
        let cases = [
            ("127.0.0.1:8470", None, true),
            ("localhost:8470", None, true),
            ("[::1]:8470", None, true),
            ("127.0.0.1.evil.example:8470", None, false),
            ("evil.example", None, false),
            ("", None, false),
            ("localhost:8470", Some("x-forwarded-for"), false),
            ("localhost", Some("via"), false),
        ];
        for (host, forwarded, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            if let Some(name) = forwarded {
                headers.insert(name, HeaderValue::from_static("192.0.2.1"));
            }
            assert_eq!(is_from_this_machine(&headers), expected, "{host} {forwarded:?}");
        }
    }

    #[test]
    fn cookies_are_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_static("lang=de; auslese_session=abc; x=y"));
        assert_eq!(session_of(&headers), Some("abc"));
    }
}
