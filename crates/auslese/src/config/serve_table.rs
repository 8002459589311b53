//! The table `[serve]`: where the front end listens, and its limits.

use super::schema::Kind::{Number, Switch, Text, Whole};
use super::schema::Preset::{Is, Unset};
use super::schema::Table;
use super::settings::Time;
use super::tables::setting;
use super::text_forms::{DURATION, SOCKET, WEB_URL, WORDS};
use auslese_serve::Settings;
use serde::Deserialize;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use url::Url;

#[rustfmt::skip]
pub(super) const SERVE: Table = Table { path: "serve", about: "How the harvest is shown in browsers.", settings: &[
    setting("listen", Text(SOCKET), Is("\"127.0.0.1:8470\""),
        "Where pages are served; an address of the network makes them readable by others."),
    setting("replay_listen", Text(SOCKET), Is("\"127.0.0.1:8471\""),
        "Where archived pages are shown: another port, so that they can never act as pages of auslese."),
    setting("public_origin", Text(WEB_URL), Unset,
        "How browsers reach the pages if a proxy stands before them, such as https://archive.uni.example/."),
    setting("replay_origin", Text(WEB_URL), Unset,
        "The same for archived pages; it has to be another host or port."),
    setting("connections", Whole(1..=100_000), Is("2000"),
        "Open connections at a time; further ones wait."),
    setting("requests_per_second", Number(0.1..=1_000_000.0), Is("20.0"),
        "Requests that one address may send in a second; the machine itself is exempt."),
    setting("burst", Number(1.0..=1_000_000.0), Is("200.0"),
        "Requests that it may send at once."),
    setting("answer_timeout", Text(DURATION), Is("\"60s\""),
        "The longest that a page may take."),
    setting("accounts", Text(WORDS), Is("\"accounts.toml\""),
        "The file with the accounts of those who may change something, seen from the harvest; `auslese accounts` writes it."),
    setting("session_idle", Text(DURATION), Is("\"12h\""),
        "Who asks for nothing for so long is logged out."),
    setting("session_longest", Text(DURATION), Is("\"7d\""),
        "The longest that anybody stays logged in."),
    setting("form_bytes", Whole(1_000..=100_000_000), Is("2097152"),
        "Bytes of a form that is sent, such as a page that is pasted to be tried."),
    setting("sql_page", Switch, Is("true"),
        "Whether there is a page for questions in SQL (read-only)."),
    setting("sql_rows", Whole(1..=1_000_000), Is("1000"),
        "Rows of an answer there."),
    setting("sql_time", Text(DURATION), Is("\"5s\""),
        "The longest that a question there may take."),
]};

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ServeTable {
    listen: SocketAddr,
    replay_listen: SocketAddr,
    public_origin: Option<Url>,
    replay_origin: Option<Url>,
    connections: usize,
    requests_per_second: f64,
    burst: f64,
    answer_timeout: Time,
    accounts: PathBuf,
    session_idle: Time,
    session_longest: Time,
    form_bytes: usize,
    sql_page: bool,
    sql_rows: usize,
    sql_time: Time,
}

impl ServeTable {
    /// Where the accounts of a harvest are.
    pub(crate) fn accounts(&self, harvest: &Path) -> PathBuf {
        harvest.join(&self.accounts)
    }

    pub(crate) fn settings(&self) -> Settings {
        let origin = |url: &Option<Url>| url.as_ref().map(|url| url.origin().ascii_serialization());
        Settings {
            listen: self.listen,
            replay_listen: self.replay_listen,
            public_origin: origin(&self.public_origin),
            replay_origin: origin(&self.replay_origin),
            connections: self.connections,
            requests_per_second: self.requests_per_second,
            burst: self.burst,
            answer_timeout: self.answer_timeout.0,
            session_idle: self.session_idle.0,
            session_longest: self.session_longest.0,
            form_bytes: self.form_bytes,
            sql_page: self.sql_page,
            sql_rows: self.sql_rows,
            sql_time: self.sql_time.0,
            ..Settings::default()
        }
    }
}
