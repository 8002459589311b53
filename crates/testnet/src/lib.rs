//! The simulated internet for tests, demo and benchmarks.
//!
//! Names, addresses, certificates, web sites and registries that look like the public internet,
//! served by real servers on loopback sockets. A client reaches them through its ordinary settings (which name
//! server, which authority, where each port leads), so what is tested is what is shipped. Web sites
//! stand on a raw acceptor, not on an HTTP library, because much of the web breaks the rules a
//! library keeps. Everything that arrives is logged with the server's own clock.
//!
//! ```
//! use auslese_testnet::{Answer, Internet, Site};
//! use std::io::{Read, Write};
//!
//! let net = Internet::new()
//!     .site(Site::new("http://www.uni.example").answer("/", Answer::page("<p>Guten Tag")))
//!     .start()?;
//!
//! let mut client = std::net::TcpStream::connect(net.http())?;
//! client.write_all(b"GET / HTTP/1.1\r\nHost: www.uni.example\r\nConnection: close\r\n\r\n")?;
//! let mut answer = String::new();
//! client.read_to_string(&mut answer)?;
//!
//! assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("<p>Guten Tag"));
//! assert_eq!(net.requests()[0].url(), "http://www.uni.example/");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod connection;
mod database_home;
pub mod databases;
pub mod demo;
mod dns;
mod door;
mod error;
mod generated;
mod http_date;
mod internet;
mod latency;
mod log;
pub mod mariadb;
pub mod misbehaviour;
pub mod object_store;
mod picture;
mod play;
pub mod postgres;
mod rdap;
mod registry;
mod request;
mod running;
mod site;
mod tls;
pub mod traps;
mod zone;

pub use answer::{Answer, Step};
pub use database_home::DatabaseServerError;
pub use door::{Door, LeadsTo};
pub use error::TestnetError;
pub use generated::{generated_library, generated_site};
pub use http_date::http_date;
pub use internet::Internet;
pub use latency::Latency;
pub use log::{
    DnsQuery, LogDetail, Logged, LoggedConnection, Moment, Outcome, WhoisQuery, shortest_pause,
};
pub use rdap::{Bootstrap, RdapServer};
pub use registry::{
    Behaviour, Contact, Dialect, DomainObject, NetObject, Registrar, Registry, RouteObject,
};
pub use request::Asked;
pub use running::Running;
pub use site::{Document, Site};
pub use tls::Identity;
pub use zone::{DnsAnswer, Zone};
