//! What is asked of one address: whether its ports are open, and of open ports who is there.

use super::answers::{HeadAnswer, OpenPort, ShownCertificate, scheme_of};
use super::class::classify;
use super::names::{PointerName, candidates, pointers};
use super::pace::Pace;
use super::plan::ScanPlan;
use super::state::{Outcome, Probe, Sent, WebServer};
use auslese_model::{
    Cause, CauseKind, Headers, HostName, Method, Origin, Request, Scheme, Timestamp,
};
use auslese_net::{CertificateOf, Net, Resolution, ResponseHead, Wanted};
use std::net::IpAddr;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// What all addresses of a scan share.
#[derive(Debug)]
pub(crate) struct Surveyor {
    pub(crate) plan: ScanPlan,
    pub(crate) net: Net,
    pub(crate) pace: Pace,
    pub(crate) log: mpsc::Sender<Probe>,
}

impl Surveyor {
    /// Asks an address; `None` if no port is open.
    pub(crate) async fn ask(&self, address: IpAddr) -> Option<WebServer> {
        let mut open = Vec::new();
        for port in &self.plan.rules().ports {
            if self.is_open(address, *port).await {
                open.push(*port);
            }
        }
        if open.is_empty() {
            return None;
        }
        let (pointers, pointer_fault) = match pointers(&self.net, address).await {
            Ok(pointers) => (pointers, None),
            Err(cause) => (Vec::new(), Some(cause)),
        };
        let mut ports = Vec::with_capacity(open.len());
        for port in open {
            ports.push(self.look_at(address, port, &pointers).await);
        }
        let is_own = |address| self.plan.is_own(address);
        let candidates = candidates(&self.net, is_own, &pointers, &ports).await;
        let (class, reason) = classify(&ports);
        let at = Timestamp::now();
        Some(WebServer { address, at, class, reason, ports, pointers, pointer_fault, candidates })
    }

    async fn is_open(&self, address: IpAddr, port: u16) -> bool {
        self.pace.turn().await;
        let at = Timestamp::now();
        let connected = self.net.probe(address, port, self.plan.rules().patience).await;
        let is_open = connected.is_ok();
        let outcome = connected.map_or_else(Outcome::unconnected, |()| Outcome::Open);
        self.tell(Probe { address, port, at, sent: Sent::Nothing, outcome }).await;
        is_open
    }

    async fn look_at(&self, address: IpAddr, port: u16, pointers: &[PointerName]) -> OpenPort {
        let scheme = scheme_of(port);
        let (answers, faults) = (Vec::new(), Vec::new());
        let mut seen = OpenPort { port, scheme, certificate: None, answers, faults };
        if scheme == Scheme::Https {
            match self.certificate(address, port).await {
                Ok(certificate) => seen.certificate = Some(certificate),
                Err(cause) => seen.faults.push(cause),
            }
        }
        // A name is asked for only if it is the address's own; others may be on other machines.
        let named = pointers.iter().find(|pointer| pointer.leads_back());
        let hosts = [HostName::parse(&address.to_string()), named.map(|found| found.name.clone())];
        for host in hosts.into_iter().flatten() {
            match self.head(address, Origin { scheme, host, port }).await {
                Ok(answer) => seen.answers.push(answer),
                Err(cause) => seen.faults.push(cause),
            }
        }
        seen
    }

    async fn certificate(&self, address: IpAddr, port: u16) -> Result<ShownCertificate, Cause> {
        self.pace.turn().await;
        let at = Timestamp::now();
        let of = CertificateOf { host: None, address: Some(address), port };
        let shown = self.in_time(self.net.certificate(of)).await;
        let outcome = match &shown {
            Ok(shown) => Outcome::Certificate(shown.names.len()),
            Err(cause) => Outcome::Failed(cause.clone()),
        };
        self.tell(Probe { address, port, at, sent: Sent::Handshake, outcome }).await;
        shown.map(|shown| ShownCertificate::new(shown.names, shown.problem))
    }

    async fn head(&self, address: IpAddr, origin: Origin) -> Result<HeadAnswer, Cause> {
        let request = origin.join("/").and_then(|url| Request::new(Method::Head, url, None));
        let request = request.ok_or_else(|| Cause::new(CauseKind::Url, origin.to_string()))?;
        self.pace.turn().await;
        let at = Timestamp::now();
        let pinned = Resolution {
            host: origin.host.clone(),
            addresses: vec![address],
            refused: Vec::new(),
            records: Vec::new(),
            at,
            ttl: Duration::ZERO,
        };
        let no_body = |_: &ResponseHead<'_>| Wanted::HeaderOnly("a scan".to_owned());
        let none = Headers::default();
        let fetching = self.net.fetch_resolved(&request, &pinned, &none, &no_body);
        let fetched = self.in_time(fetching).await;
        let outcome = match &fetched {
            Ok(exchange) => Outcome::Status(exchange.response.status),
            Err(cause) => Outcome::Failed(cause.clone()),
        };
        let (host, port) = (origin.host, origin.port);
        self.tell(Probe { address, port, at, sent: Sent::Head(host.clone()), outcome }).await;
        let response = fetched?.response;
        Ok(HeadAnswer::read(host, &request.url, response.status, &response.headers))
    }

    async fn in_time<T>(&self, work: impl Future<Output = Result<T, Cause>>) -> Result<T, Cause> {
        let patience = self.plan.rules().answer;
        let late = |_| Cause::new(CauseKind::Timeout, format!("no answer within {patience:?}"));
        timeout(patience, work).await.map_err(late)?
    }

    async fn tell(&self, probe: Probe) {
        // The other end is only gone when the whole scan was dropped.
        let _ = self.log.send(probe).await;
    }
}
