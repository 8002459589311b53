//! Listens, and hands requests to the routers: one port for pages, one for archived pages.

use crate::guard::Side;
use crate::routes;
use crate::site::Site;
use auslese_search::SearchRequest;
use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_service::Service;

/// How long requests that are under way may take to end.
const FAREWELL: Duration = Duration::from_secs(5);
/// A compound, so that the list of German words is read.
const WARM_UP: &str = "Universitätsbibliothek";
/// A pause when no further connection can be accepted, such as for lack of files.
const BREATH: Duration = Duration::from_millis(100);

/// Both ports, taken.
#[derive(Debug)]
pub struct Server {
    pages: TcpListener,
    replay: TcpListener,
}

impl Server {
    /// Takes the ports; port 0 lets the system choose, and the site is told which.
    pub async fn bind(site: &mut Site) -> io::Result<Server> {
        let pages = TcpListener::bind(site.settings.listen).await?;
        let replay = TcpListener::bind(site.settings.replay_listen).await?;
        site.settings.listen = pages.local_addr()?;
        site.settings.replay_listen = replay.local_addr()?;
        Ok(Server { pages, replay })
    }

    pub fn pages_address(&self) -> io::Result<SocketAddr> {
        self.pages.local_addr()
    }

    pub fn replay_address(&self) -> io::Result<SocketAddr> {
        self.replay.local_addr()
    }

    /// Answers until told to stop; then lets requests that are under way end.
    pub async fn run(self, site: Arc<Site>, until: impl Future<Output = ()>) {
        let pages = routes::router(site.clone(), Side::Pages);
        let replay = routes::router(site.clone(), Side::Replay);
        let connections = Arc::new(Semaphore::new(site.settings.connections));
        let leaving = GracefulShutdown::new();
        tokio::spawn(warm_up(site.clone()));
        {
            let port = |listener, router| accept(listener, router, &site, &connections, &leaving);
            tokio::select! {
                () = until => {}
                () = port(self.pages, pages) => {}
                () = port(self.replay, replay) => {}
            }
        }
        // Those who watch live would stay for ever.
        site.leaving.send_replace(true);
        let _ = tokio::time::timeout(FAREWELL, leaving.shutdown()).await;
    }
}

/// Opens the search and the data of languages, so that the first reader need not wait for them.
async fn warm_up(site: Arc<Site>) {
    let Ok(desk) = site.desk().await else { return };
    // Whatever comes of it, the next question finds everything in memory.
    let _ = site.work(move || desk.searcher.search(&SearchRequest::new(WARM_UP)).is_ok()).await;
}

async fn accept(
    listener: TcpListener,
    router: Router,
    site: &Site,
    connections: &Arc<Semaphore>,
    leaving: &GracefulShutdown,
) {
    loop {
        // Who comes when all places are taken waits in the queue of the system.
        let Ok(place) = connections.clone().acquire_owned().await else { return };
        let (stream, reader) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                tokio::time::sleep(BREATH).await;
                continue;
            }
        };
        let router = router.clone();
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(reader));
            router.clone().call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(site.settings.header_timeout)
            .serve_connection(TokioIo::new(stream), service);
        let connection = leaving.watch(connection);
        tokio::spawn(async move {
            // A reader that goes away is no error of ours.
            let _ = connection.await;
            drop(place);
        });
    }
}
