//! Where the front end listens, and its limits. Each is in `docs/limits.md`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Clone)]
pub struct Settings {
    /// Where pages are served.
    pub listen: SocketAddr,
    /// Where archived pages are shown: another port, hence another origin.
    pub replay_listen: SocketAddr,
    /// The origins as browsers see them, where a proxy stands before the front end; otherwise made from the request.
    pub public_origin: Option<String>,
    pub replay_origin: Option<String>,
    /// Open connections; further ones wait.
    pub connections: usize,
    /// Until the header of a request must have come.
    pub header_timeout: Duration,
    /// Until an answer must be there.
    pub answer_timeout: Duration,
    /// Work for pages at a time.
    pub work_at_a_time: usize,
    /// Requests of one address in a second, and as many at once as there are in `burst`. Loopback is exempt.
    pub requests_per_second: f64,
    pub burst: f64,
    /// Bytes of an address, path and query.
    pub address_bytes: usize,
    /// Readers that watch a crawl live at a time; further ones reload the page.
    pub live_streams: usize,
    /// Rows and time of a question on the SQL page.
    pub sql_rows: usize,
    pub sql_time: Duration,
    /// Questions in SQL at a time; further ones are sent away.
    pub sql_at_a_time: usize,
    /// Whether there is a page for questions in SQL.
    pub sql_page: bool,
    /// The file of accounts; without one nobody can log in.
    pub accounts: Option<PathBuf>,
    /// Everybody on this machine may change everything, without an account.
    pub admin: bool,
    /// A session ends when nothing was asked for so long.
    pub session_idle: Duration,
    /// The longest that a session lasts.
    pub session_longest: Duration,
    /// Bytes of a form.
    pub form_bytes: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        let loopback = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        Settings {
            listen: loopback(8470),
            replay_listen: loopback(8471),
            public_origin: None,
            replay_origin: None,
            connections: 2_000,
            header_timeout: Duration::from_secs(15),
            answer_timeout: Duration::from_secs(60),
            work_at_a_time: std::thread::available_parallelism().map_or(2, usize::from) * 2,
            requests_per_second: 20.0,
            burst: 200.0,
            address_bytes: 16 << 10,
            live_streams: 100,
            sql_rows: 1_000,
            sql_time: Duration::from_secs(5),
            sql_at_a_time: 2,
            sql_page: true,
            accounts: None,
            admin: false,
            session_idle: Duration::from_secs(12 * 3600),
            session_longest: Duration::from_secs(7 * 24 * 3600),
            form_bytes: 2 << 20,
        }
    }
}
