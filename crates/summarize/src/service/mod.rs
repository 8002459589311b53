//! The service: listens, and answers requests with fragments.
//!
//! It speaks plain HTTP/1.1 on the address that the settings name, by default on this machine only; TLS is the
//! work of a proxy before it. What a request is answered is decided in [`answering`].

mod answering;
mod conditional;
mod outgoing;
mod shelf;

pub use answering::FAILURE_PAUSE;
pub use shelf::MAX_KEPT;

use crate::summarizer::Summarizer;
use answering::Desk;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Connections at a time; others wait in the queue of the system.
pub const MAX_CONNECTIONS: usize = 64;

/// Bytes of the header of a request.
pub const MAX_HEADER: usize = 16 << 10;

/// How long a header may take to come, and how long a connection may wait for its next request.
pub const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a connection may last, so that readers who take nothing do not stay for ever.
pub const CONNECTION_LIMIT: Duration = Duration::from_secs(3_600);

/// How long requests that are under way may take to end.
const FAREWELL: Duration = Duration::from_secs(5);

/// A pause when no further connection can be accepted, such as for lack of files.
const BREATH: Duration = Duration::from_millis(100);

/// A port, taken.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    desk: Arc<Desk>,
}

impl Server {
    /// Takes the port that the settings name; port 0 lets the system choose.
    pub async fn bind(summarizer: Summarizer) -> io::Result<Server> {
        let listener = TcpListener::bind(summarizer.settings.listen).await?;
        Ok(Server { listener, desk: Arc::new(Desk::new(summarizer)) })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until told to stop; then lets requests that are under way end.
    pub async fn run(self, until: impl Future<Output = ()>) {
        let leaving = GracefulShutdown::new();
        tokio::select! {
            () = until => {}
            () = accept(&self.listener, &self.desk, &leaving) => {}
        }
        drop(self.listener);
        let _ = timeout(FAREWELL, leaving.shutdown()).await;
    }
}

async fn accept(listener: &TcpListener, desk: &Arc<Desk>, leaving: &GracefulShutdown) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { return };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                sleep(BREATH).await;
                continue;
            }
        };
        let desk = desk.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let desk = desk.clone();
            async move { Ok::<_, Infallible>(desk.answer(peer.ip(), request.into_parts().0).await) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIMEOUT)
            .max_buf_size(MAX_HEADER)
            .serve_connection(TokioIo::new(stream), service);
        let connection = leaving.watch(connection);
        tokio::spawn(async move {
            // A reader that goes away is no error of ours.
            let _ = timeout(CONNECTION_LIMIT, connection).await;
            drop(place);
        });
    }
}
