//! One accepted connection, plain or TLS: requests are read, answered and logged until one side
//! ends it.

use crate::answer::Answer;
use crate::latency::Line;
use crate::log::{Log, Logged, Moment, Outcome};
use crate::play::{self, After, Sent};
use crate::request::{Asked, NoRequest, Unread};
use crate::site::Sites;
use crate::tls::{Handshake, Identities};
use auslese_model::Scheme;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::rustls::server::Acceptor;
use tokio_rustls::server::TlsStream;

/// How long a connection may wait for its next request.
const IDLE: Duration = Duration::from_secs(60);
/// How long a closed connection waits for the client to close, too.
const LINGER: Duration = Duration::from_secs(1);

/// What every connection to one listening socket shares.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) scheme: Scheme,
    pub(crate) port: u16,
    pub(crate) address: Option<IpAddr>,
    pub(crate) sites: Arc<Sites>,
    pub(crate) identities: Arc<Identities>,
    pub(crate) log: Arc<Log>,
    pub(crate) line: Arc<Line>,
}

/// Serves a connection to its end.
pub(crate) async fn serve(tcp: TcpStream, place: Arc<Place>) {
    let number = place.log.connection(place.scheme, place.port);
    // Small scripted steps must arrive as they were sent, one by one.
    if let Err(cause) = tcp.set_nodelay(true) {
        tracing::debug!(%cause, "cannot set TCP_NODELAY");
    }
    let secured = match place.scheme {
        Scheme::Http => Ok(Some((Connection::Plain(tcp), None))),
        Scheme::Https => secure(tcp, &place, number).await,
    };
    let result = match secured {
        Ok(Some((connection, sni))) => requests(connection, &place, number, sni).await,
        Ok(None) => return,
        Err(cause) => Err(cause),
    };
    if let Err(cause) = result {
        let problem = cause.to_string();
        place.log.note_connection(number, |entry| entry.problem = Some(problem));
    }
}

/// Makes the TLS connection, or plays what the site does instead of making one.
async fn secure(
    tcp: TcpStream,
    place: &Place,
    number: u64,
) -> io::Result<Option<(Connection, Option<String>)>> {
    let start = tokio::time::timeout(IDLE, LazyConfigAcceptor::new(Acceptor::default(), tcp))
        .await
        .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    let sni = start.client_hello().server_name().map(str::to_owned);
    place.log.note_connection(number, |entry| entry.sni = sni.clone());
    match place.identities.handshake(sni.as_deref(), place.port, place.address) {
        Handshake::With(config) => {
            let stream = start.into_stream(config).await?;
            Ok(Some((Connection::Tls(Box::new(stream)), sni)))
        }
        Handshake::Script(steps) => {
            let mut connection = Connection::Plain(start.io);
            let mut unread = Unread::new();
            let mut sent = Sent::default();
            let after = play::play(&steps, &mut connection, &mut unread, &mut sent).await?;
            finish(connection, unread, after).await;
            place.log.note_connection(number, |entry| {
                entry.problem = Some("the script broke off the handshake".to_owned());
            });
            Ok(None)
        }
    }
}

async fn requests(
    mut connection: Connection,
    place: &Place,
    number: u64,
    sni: Option<String>,
) -> io::Result<()> {
    let mut unread = Unread::new();
    let mut is_first = true;
    loop {
        let request = unread.request(&mut connection, (place.scheme, place.port));
        let Ok(request) = tokio::time::timeout(IDLE, request).await else {
            return Err(io::ErrorKind::TimedOut.into());
        };
        let (mut asked, arrived) = match request {
            Ok(read) => read,
            Err(NoRequest::Ended) => return Ok(()),
            Err(NoRequest::Broken(cause)) => return Err(cause),
            Err(NoRequest::HeadTooLarge) => return refuse(connection, unread, 431).await,
            Err(NoRequest::BodyTooLarge) => return refuse(connection, unread, 413).await,
        };
        let answer = place.sites.answer(&mut asked);
        let ticket = place.log.arrived(logged(&asked, arrived, place, number, sni.clone()));
        let under_way = place.line.wait(std::mem::take(&mut is_first));
        if !under_way.is_zero() {
            tokio::time::sleep(under_way).await;
        }
        let mut sent = Sent::default();
        let result = play::send(&answer, &asked, &mut connection, &mut unread, &mut sent).await;
        let ended = sent.last_write.unwrap_or_else(Moment::now);
        place.log.ended(ticket, |logged| {
            logged.ended = Some(ended);
            logged.status = sent.status;
            logged.sent = sent.bytes;
            logged.outcome = match &result {
                Ok(_) => Outcome::Complete,
                Err(cause) => Outcome::Broken(cause.to_string()),
            };
        });
        match result {
            Ok(After::KeepAlive) => {}
            Ok(after) => {
                finish(connection, unread, after).await;
                return Ok(());
            }
            Err(_) => return Ok(()),
        }
    }
}

async fn refuse(mut connection: Connection, unread: Unread, status: u16) -> io::Result<()> {
    let text =
        format!("HTTP/1.1 {status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    connection.write_all(text.as_bytes()).await?;
    finish(connection, unread, After::Close).await;
    Ok(())
}

fn logged(
    asked: &Asked,
    arrived: Moment,
    place: &Place,
    connection: u64,
    sni: Option<String>,
) -> Logged {
    Logged {
        connection,
        scheme: place.scheme,
        host: asked.host.clone(),
        port: place.port,
        address: place.address,
        sni,
        method: asked.method.clone(),
        target: asked.target.clone(),
        head: asked.head.clone(),
        body: asked.body.clone(),
        arrived,
        ended: None,
        status: None,
        sent: 0,
        outcome: Outcome::Running,
    }
}

/// Ends a connection. Closing a socket with unread bytes would reset it and could destroy what the
/// client has not read yet, so a proper close waits a little for the client's own end.
async fn finish(mut connection: Connection, mut unread: Unread, after: After) {
    let result = match after {
        After::Reset => connection.tcp().set_zero_linger(),
        After::KeepAlive | After::Close => connection.shutdown().await,
    };
    if let Err(cause) = result {
        tracing::debug!(%cause, "the client ended the connection first");
    } else if after != After::Reset {
        // Whether it ended or time ran out, the connection is dropped now.
        let _ = tokio::time::timeout(LINGER, unread.until_gone(&mut connection)).await;
    }
}

#[derive(Debug)]
pub(crate) enum Connection {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Connection {
    fn tcp(&self) -> &TcpStream {
        match self {
            Connection::Plain(tcp) => tcp,
            Connection::Tls(tls) => tls.get_ref().0,
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Connection::Plain(tcp) => Pin::new(tcp).poll_read(context, buffer),
            Connection::Tls(tls) => Pin::new(tls).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Connection::Plain(tcp) => Pin::new(tcp).poll_write(context, bytes),
            Connection::Tls(tls) => Pin::new(tls).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Connection::Plain(tcp) => Pin::new(tcp).poll_flush(context),
            Connection::Tls(tls) => Pin::new(tls).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Connection::Plain(tcp) => Pin::new(tcp).poll_shutdown(context),
            Connection::Tls(tls) => Pin::new(tls).poll_shutdown(context),
        }
    }
}

/// What a site that does not exist answers.
pub(crate) fn no_such_site(host: &str) -> Answer {
    Answer::page(format!("<!DOCTYPE html><title>404</title><p>No site named {host:?} here.\n"))
        .status(404)
}
