//! The sockets behind which the simulated internet stands: for each port that its sites use, and for
//! each registry, one local socket that the client's `connect_to` setting leads to.

use crate::connection::{self, Place};
use crate::error::TestnetError;
use auslese_model::Scheme;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpSocket;

/// One way in: what the client asks for, and the local socket that answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Door {
    /// The one address behind this door, or all.
    pub address: Option<IpAddr>,
    /// The port of the simulated internet.
    pub port: u16,
    pub leads_to: LeadsTo,
    /// The local socket.
    pub socket: SocketAddr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadsTo {
    Sites(Scheme),
    /// The WHOIS registry of this address.
    Registry,
    /// Connections are refused.
    Refusal,
    /// Connections are never accepted: the client's SYN stays unanswered.
    Nothing,
}

/// What keeps a door as it is; it changes when this is dropped.
#[derive(Debug)]
pub(crate) enum Hinge {
    Listening(TcpListener),
    Held { _socket: TcpSocket },
    Full { _listener: tokio::net::TcpListener, _fillers: Vec<TcpStream> },
}

/// How long a connection to a full socket is tried before it counts as full.
const FULL: Duration = Duration::from_millis(100);

/// Opens the local socket of a door.
pub(crate) fn open(
    address: SocketAddr,
    leads_to: LeadsTo,
) -> Result<(SocketAddr, Hinge), TestnetError> {
    let opened = match leads_to {
        LeadsTo::Sites(_) | LeadsTo::Registry => listen(address),
        LeadsTo::Refusal => hold(address),
        LeadsTo::Nothing => fill(address),
    };
    opened.map_err(|cause| TestnetError::Listen { address, cause })
}

fn listen(address: SocketAddr) -> std::io::Result<(SocketAddr, Hinge)> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    Ok((listener.local_addr()?, Hinge::Listening(listener)))
}

/// A bound socket that does not listen refuses connections, and nobody else can take its port.
fn hold(address: SocketAddr) -> std::io::Result<(SocketAddr, Hinge)> {
    let socket = bound(address)?;
    Ok((socket.local_addr()?, Hinge::Held { _socket: socket }))
}

/// A listening socket with no room left ignores further connections.
fn fill(address: SocketAddr) -> std::io::Result<(SocketAddr, Hinge)> {
    let listener = bound(address)?.listen(1)?;
    let address = listener.local_addr()?;
    let mut fillers = Vec::new();
    while let Ok(filler) = TcpStream::connect_timeout(&address, FULL) {
        fillers.push(filler);
    }
    Ok((address, Hinge::Full { _listener: listener, _fillers: fillers }))
}

fn bound(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.bind(address)?;
    Ok(socket)
}

/// Accepts connections until the runtime ends.
pub(crate) async fn accept(listener: tokio::net::TcpListener, place: Arc<Place>) {
    loop {
        match listener.accept().await {
            Ok((tcp, _)) => {
                tokio::spawn(connection::serve(tcp, place.clone()));
            }
            Err(cause) => {
                // Out of file descriptors, most likely; they come back when connections end.
                tracing::warn!(%cause, "cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
}
