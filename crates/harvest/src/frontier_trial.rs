//! Offers addresses to a frontier as pages do, without fetching anything: to measure what they cost.
//!
//! Everything between a link and its row is that of every crawl: addresses are made canonical and judged
//! by the scope, sifted by the set of seen ones, numbered, counted by their template and committed in
//! windows. Only the pages are missing.

use crate::HarvestError;
use crate::committing::{Committer, Entry, Question, Report, Task};
use crate::crawl_stage::{Known, Opened, workshop};
use crate::directory::{HarvestDir, HarvestLock};
use crate::job::CrawlJob;
use crate::processing::Workshop;
use crate::recalled::Recalled;
use crate::stopping::Stopping;
use auslese_catalog::Exclusive;
use auslese_crawl::{Find, FindKind};
use auslese_model::{HopPath, Pending, Request, RequestId, ServerId, Timestamp};
use auslese_net::{Net, NetSettings};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use url::Url;

/// A frontier that is offered addresses.
#[derive(Debug)]
pub struct FrontierTrial {
    workshop: Workshop,
    tasks: mpsc::UnboundedSender<Task>,
    reports: mpsc::UnboundedReceiver<Report>,
    committing: JoinHandle<()>,
    /// Windows that were sent and not reported.
    open: usize,
    known: u64,
    page: Pending,
    _rights: (HarvestLock, Exclusive),
    _stop: watch::Sender<bool>,
}

/// Windows that are gathered while another one is committed.
const WINDOWS_AHEAD: usize = 1;

impl FrontierTrial {
    /// Opens a harvest as a crawl does: everything that is known already is learnt first.
    pub async fn open(dir: &HarvestDir, job: CrawlJob) -> Result<FrontierTrial, HarvestError> {
        let lock = dir.lock()?;
        dir.prepare()?;
        let opened = Opened::new(dir, &job, None).await?;
        let net = Net::new(NetSettings::default())?;
        let shared = Known::default();
        let catalog = opened.catalog.clone();
        let recalled = Recalled::from(&catalog, &job, &net, &shared.facts, &dir.spill()).await?;
        let known = recalled.seen.len();
        let (stop_sender, stop) = watch::channel(false);
        let (stop, _following) = Stopping::following(stop);
        let (paused, _) = watch::channel(None);
        let (committer, exclusive): (Committer, Exclusive) =
            opened.committer(&job, &shared, recalled, None, paused, &stop);
        let (tasks, task_queue) = mpsc::unbounded_channel();
        let (report_sender, reports) = mpsc::unbounded_channel();
        let committing = tokio::spawn(committer.run(task_queue, report_sender));
        let url: Url = "http://www.example/".parse().expect("it is an address");
        let page = Pending {
            id: RequestId(1),
            server: ServerId(1),
            request: Request::get(url),
            priority: 0,
            hops: HopPath::default(),
            via: None,
            via_url: None,
            attempts: 0,
            not_before: Timestamp(0),
            known: None,
        };
        Ok(FrontierTrial {
            workshop: workshop(job, shared),
            tasks,
            reports,
            committing,
            open: 0,
            known,
            page,
            _rights: (lock, exclusive),
            _stop: stop_sender,
        })
    }

    /// Requests that are known.
    pub fn known(&self) -> u64 {
        self.known
    }

    /// Offers the links of some pages as one window; another one may still be on its way.
    pub async fn offer(&mut self, pages: Vec<Vec<Url>>) -> Result<(), HarvestError> {
        for links in pages {
            let finds = links.into_iter().map(|url| Find { url, kind: FindKind::Link });
            let found = self.workshop.wanted_of(&self.page, finds);
            let _ = self.tasks.send(Task::Enter(Entry::Seeds(found)));
        }
        let _ = self.tasks.send(Task::Ask(Question::Flush));
        self.open += 1;
        self.wait(WINDOWS_AHEAD).await
    }

    /// Waits until everything offered is stored.
    pub async fn settle(&mut self) -> Result<(), HarvestError> {
        self.wait(0).await
    }

    async fn wait(&mut self, ahead: usize) -> Result<(), HarvestError> {
        while self.open > ahead {
            match self.reports.recv().await {
                Some(Report::Committed(stored)) => self.known += stored.offered,
                Some(Report::Flushed) => self.open -= 1,
                Some(Report::Broken(error)) => return Err(error),
                Some(_) => {}
                None => return Err(HarvestError::Lost { what: "the committer".to_owned() }),
            }
        }
        Ok(())
    }

    /// Leaves the harvest in order.
    pub async fn close(mut self) -> Result<(), HarvestError> {
        self.settle().await?;
        drop(self.tasks);
        // The committer tells its failures as a report; it does not panic.
        let _ = self.committing.await;
        match self.reports.try_recv() {
            Ok(Report::Broken(error)) => Err(error),
            _ => Ok(()),
        }
    }
}
