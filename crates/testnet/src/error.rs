//! What can go wrong while a simulated internet is set up. Once it runs, it has no errors: whatever
//! happens to a connection stands in the log.

use std::io;
use std::net::{IpAddr, SocketAddr};

#[derive(Debug, thiserror::Error)]
pub enum TestnetError {
    #[error("cannot listen on {address}")]
    Listen {
        address: SocketAddr,
        #[source]
        cause: io::Error,
    },
    #[error("{0:?} is not an origin such as http://www.uni.example:8080")]
    Origin(String),
    #[error("{0:?} is not a domain name")]
    Name(String),
    #[error("{0:?} is not an IP address")]
    Address(String),
    #[error("port {0} is asked to speak both http and https")]
    MixedPort(u16),
    #[error("two WHOIS registries stand at {0}, or a registry and a site at its port 43")]
    SharedRegistry(IpAddr),
    #[error("cannot make the certificate of {host}")]
    Certificate {
        host: String,
        #[source]
        cause: rcgen::Error,
    },
    #[error("cannot use the certificate of {host}")]
    Tls {
        host: String,
        #[source]
        cause: tokio_rustls::rustls::Error,
    },
    #[error("cannot start the simulated internet")]
    Start(#[source] io::Error),
}
