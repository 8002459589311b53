//! Opens connections: to an admitted address, or through the proxy; with TLS where the scheme says.

use crate::connection::{Connection, Stream};
use crate::guard::Admitted;
use crate::proxy::Proxy;
use crate::settings::Limits;
use crate::tls::Tls;
use auslese_model::{Cause, CauseKind, Origin, Scheme, Timings};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

/// Tries the sockets in turn until one connects, and secures the connection if need be.
/// The timings of the steps are filled in.
pub(crate) async fn dial(
    origin: &Origin,
    admitted: &[Admitted],
    proxy: Option<&Proxy>,
    tls: &Tls,
    limits: &Limits,
    until: Instant,
    timings: &mut Timings,
) -> Result<Connection, Cause> {
    let begun = Instant::now();
    let (stream, admitted) = connect_any(admitted, limits, until).await?;
    timings.connect = begun.elapsed();
    if origin.scheme == Scheme::Http {
        return Ok(Connection::new(Stream::Plain(stream), admitted.address, None));
    }
    let begun = Instant::now();
    let until = until.min(begun + limits.tls);
    let stream = match proxy {
        Some(proxy) => {
            let plain = Connection::new(Stream::Plain(stream), None, None);
            proxy.tunnel(plain, origin, until).await?
        }
        None => stream,
    };
    let secured = timeout_at(until, tls.secure(stream, &origin.host)).await;
    timings.tls = begun.elapsed();
    let (stream, note) = secured.map_err(|_| late("the TLS handshake", limits.tls))??;
    Ok(Connection::new(Stream::Tls(Box::new(stream)), admitted.address, Some(note)))
}

/// Tries the sockets in turn until one connects.
pub(crate) async fn connect_any(
    admitted: &[Admitted],
    limits: &Limits,
    until: Instant,
) -> Result<(TcpStream, Admitted), Cause> {
    let mut failed = Cause::new(CauseKind::Connect, "no address");
    for admitted in admitted.iter().take(limits.addresses_tried.max(1)) {
        match connect(admitted.socket(), limits.connect, until).await {
            Ok(stream) => return Ok((stream, *admitted)),
            Err(cause) => failed = cause,
        }
    }
    Err(failed)
}

/// Connects to one socket, within `patience` and before `until`.
pub(crate) async fn connect(
    socket: SocketAddr,
    patience: Duration,
    until: Instant,
) -> Result<TcpStream, Cause> {
    let until = until.min(Instant::now() + patience);
    let stream = timeout_at(until, TcpStream::connect(socket))
        .await
        .map_err(|_| late(&format!("connecting to {socket}"), patience))?
        .map_err(|error| Cause::new(CauseKind::Connect, format!("{socket}: {error}")))?;
    // Requests are one write each; waiting for more would only delay them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%socket, %error, "cannot set TCP_NODELAY");
    }
    Ok(stream)
}

pub(crate) fn late(what: &str, limit: Duration) -> Cause {
    Cause::new(CauseKind::Timeout, format!("{what} took longer than {limit:?}"))
}
