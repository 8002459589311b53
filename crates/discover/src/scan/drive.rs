//! Leads a scan through its addresses: who is next, how many at a time, when to stop.

use super::order::Order;
use super::pace::{Neighbourhoods, Pace};
use super::plan::{ScanPlan, ScanRules};
use super::state::{Probe, ScanState, WebServer};
use super::survey::Surveyor;
use auslese_net::{Certificates, Limits, Net, NetError, NetSettings};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::net::IpAddr;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::task::Poll;
use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinSet};

/// Addresses that wait for their block of neighbours to become free; while so many do, no more are
/// drawn.
const WAITING: usize = 256;
/// Lines of the log that wait to be told.
const LOG_LINES: usize = 256;

/// What is told while a scan goes on.
#[derive(Debug, Clone, Copy)]
pub enum ScanEvent<'a> {
    /// A connection was tried.
    Probed(&'a Probe),
    /// A web server was found.
    Found(&'a WebServer),
    /// An address is finished.
    Finished(IpAddr),
}

/// Hears what happens, with the state as it is then (to be kept now and again), and says whether to
/// go on.
pub type Listener<'a> = dyn FnMut(ScanEvent<'_>, &ScanState) -> ControlFlow<()> + Send + 'a;

/// Why a scan did not begin.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    #[error("a scan cannot go through a proxy")]
    Proxy,
    #[error("a scan needs a contact address, so that whoever is asked knows whom to ask back")]
    NoContact,
    #[error("the scan that was begun has other ranges or ports")]
    OtherPlan,
    #[error("the network cannot be set up for a scan")]
    Net(#[source] NetError),
}

/// Scans from a state to the end, or until the listener breaks; then no new address is begun, and
/// those under way are finished. The state that comes back can be gone on from.
pub async fn scan(
    plan: &ScanPlan,
    net: &Net,
    state: ScanState,
    tell: &mut Listener<'_>,
) -> Result<ScanState, ScanError> {
    let settings = net.settings();
    if settings.proxy.is_some() {
        return Err(ScanError::Proxy);
    }
    if settings.contact.is_none() && !settings.only_mapped {
        return Err(ScanError::NoContact);
    }
    if !state.fits(plan) {
        return Err(ScanError::OtherPlan);
    }
    let net = Net::new(for_scanning(settings, plan.rules())).map_err(ScanError::Net)?;
    Ok(Drive::new(plan, net, state).drive(tell).await)
}

/// The same network, for strangers: no connection is kept, none is waited for long, and pages are
/// not compressed, so that their length tells what they are. A bad certificate is information.
fn for_scanning(settings: &NetSettings, rules: &ScanRules) -> NetSettings {
    let limits = Limits {
        connect: rules.patience,
        tls: rules.answer,
        header: rules.answer,
        idle_connections: 0,
        ..settings.limits.clone()
    };
    NetSettings {
        accept_encoding: String::new(),
        certificates: Certificates::Note,
        limits,
        ..settings.clone()
    }
}

struct Drive {
    surveyor: Arc<Surveyor>,
    state: ScanState,
    order: Order,
    waiting: VecDeque<Place>,
    taken: Neighbourhoods,
    asking: JoinSet<(Place, Option<WebServer>)>,
    probes: mpsc::Receiver<Probe>,
    stopped: bool,
}

/// An address with its number.
#[derive(Debug, Clone, Copy)]
struct Place {
    number: u64,
    address: IpAddr,
}

enum News {
    Probe(Probe),
    Finished(Result<(Place, Option<WebServer>), JoinError>),
    Nothing,
}

impl Drive {
    fn new(plan: &ScanPlan, net: Net, mut state: ScanState) -> Drive {
        let (log, probes) = mpsc::channel(LOG_LINES);
        let place = |number: &u64| {
            let address = plan.address(*number).filter(|address| !plan.is_excluded(*address))?;
            Some(Place { number: *number, address })
        };
        let waiting: VecDeque<Place> = state.unfinished.iter().filter_map(place).collect();
        // What was excluded since then is not taken up again.
        let dropped = (state.unfinished.len() - waiting.len()) as u64;
        state.excluded = state.excluded.saturating_add(dropped);
        state.unfinished = waiting.iter().map(|place| place.number).collect();
        let pace = Pace::new(plan.rules().per_second);
        let surveyor = Surveyor { plan: plan.clone(), net, pace, log };
        Drive {
            surveyor: Arc::new(surveyor),
            order: Order::new(state.seed, state.addresses),
            state,
            waiting,
            taken: Neighbourhoods::default(),
            asking: JoinSet::new(),
            probes,
            stopped: false,
        }
    }

    async fn drive(mut self, tell: &mut Listener<'_>) -> ScanState {
        loop {
            if !self.stopped {
                self.begin_more();
            }
            match self.news().await {
                News::Probe(probe) => self.hear(tell, ScanEvent::Probed(&probe)),
                News::Finished(Ok((place, server))) => self.finish(place, server, tell),
                News::Finished(Err(error)) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    // The runtime is shutting down: nothing more can be learnt.
                    Err(_) => self.stopped = true,
                },
                News::Nothing => return self.state,
            }
        }
    }

    /// What happens next. Lines of the log come before the end of the address they belong to.
    async fn news(&mut self) -> News {
        poll_fn(|context| {
            if let Poll::Ready(Some(probe)) = self.probes.poll_recv(context) {
                return Poll::Ready(News::Probe(probe));
            }
            match self.asking.poll_join_next(context) {
                Poll::Ready(Some(finished)) => Poll::Ready(News::Finished(finished)),
                Poll::Ready(None) => Poll::Ready(News::Nothing),
                Poll::Pending => Poll::Pending,
            }
        })
        .await
    }

    fn begin_more(&mut self) {
        while self.asking.len() < self.surveyor.plan.rules().in_flight {
            let Some(place) = self.next_place() else { return };
            let surveyor = self.surveyor.clone();
            self.asking.spawn(async move { (place, surveyor.ask(place.address).await) });
        }
    }

    /// The next address none of whose neighbours is being asked; its block is taken.
    fn next_place(&mut self) -> Option<Place> {
        let free = self.waiting.iter().position(|place| self.taken.enter(place.address));
        if let Some(free) = free {
            return self.waiting.remove(free);
        }
        while self.waiting.len() < WAITING {
            let number = self.order.at(self.state.position)?;
            self.state.position += 1;
            let Some(address) = self.surveyor.plan.address(number) else { continue };
            if self.surveyor.plan.is_excluded(address) {
                self.state.excluded = self.state.excluded.saturating_add(1);
                continue;
            }
            self.state.unfinished.push(number);
            let place = Place { number, address };
            if self.taken.enter(address) {
                return Some(place);
            }
            self.waiting.push_back(place);
        }
        None
    }

    fn finish(&mut self, place: Place, server: Option<WebServer>, tell: &mut Listener<'_>) {
        while let Ok(probe) = self.probes.try_recv() {
            self.hear(tell, ScanEvent::Probed(&probe));
        }
        self.taken.leave(place.address);
        self.state.unfinished.retain(|number| *number != place.number);
        if let Some(server) = server {
            self.state.servers.push(server.clone());
            self.hear(tell, ScanEvent::Found(&server));
        }
        self.hear(tell, ScanEvent::Finished(place.address));
    }

    fn hear(&mut self, tell: &mut Listener<'_>, event: ScanEvent<'_>) {
        if tell(event, &self.state).is_break() {
            self.stopped = true;
        }
    }
}
