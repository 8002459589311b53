//! The one place from which discovery asks the world: DNS, WHOIS, RDAP, certificates and pages.
//!
//! Every question has a [`LookupKey`] and every answer becomes a [`LookupRecord`] with the bytes as
//! they came, so that nobody is asked twice, a better parser can read an old answer again, and an
//! auditor can make a decision again from the record alone ([`LookupMode`]). A question is under
//! way once at a time; servers are asked at a slow, steady rate, left alone when they say so, and
//! not asked while they seem dead. A throttled answer is a failure, never "there is nothing".
//!
//! Deciding anything from the answers is not done here.

mod asked;
mod bootstrap;
mod certificate;
mod dns;
mod http;
mod logged;
mod memory;
mod network;
mod page;
mod rdap;
mod record_file;
mod registration;
mod registries;
mod settings;
mod told;
mod turns;
mod whois;

pub use dns::{ZoneFacts, recorded_addresses, recorded_zones};
pub use logged::{logged_record, recorded_certificates};
pub use page::{Hop, Page};
pub use record_file::{RecordFault, read_records, write_records};
pub use registries::{About, QueryForm};
pub use settings::{LookupMode, LookupSettings, RegistryOrder};
pub use told::Told;

use asked::{Asked, Trouble};
use auslese_model::{LookupKey, LookupRecord};
use auslese_net::{Limits, Net, NetSettings};
use memory::Memory;
use registries::Registries;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use tokio::time::Instant;
use turns::Turns;

/// Asks, and remembers. Clones share everything.
#[derive(Clone)]
pub struct Lookups {
    shared: Arc<Shared>,
}

struct Shared {
    settings: LookupSettings,
    net: Net,
    /// The same network, with the limits and the wishes of these questions.
    registry_net: Net,
    page_net: Net,
    registries: Registries,
    turns: Turns,
    memory: Memory,
}

impl Lookups {
    /// `known` are records of earlier runs, or of the recording that is to be replayed; of several
    /// for one question the last counts.
    pub fn new(
        net: Net,
        settings: LookupSettings,
        mode: LookupMode,
        known: Vec<LookupRecord>,
    ) -> Lookups {
        let rdap = "application/rdap+json, application/json;q=0.9";
        let pages = net.settings().accept.clone();
        let shared = Shared {
            registry_net: bounded(&net, bootstrap::BOOTSTRAP_BYTES, rdap, &settings),
            page_net: bounded(&net, settings.page_bytes, &pages, &settings),
            net,
            registries: Registries::new(&settings),
            turns: Turns::new(&settings),
            memory: Memory::new(mode, settings.memory_bytes, known),
            settings,
        };
        Lookups { shared: Arc::new(shared) }
    }

    /// What was asked since the last call, to be kept for later runs; a recording
    /// ([`LookupMode::Record`]) also hands out questions that nobody got round to.
    pub fn take_new(&self) -> Vec<LookupRecord> {
        self.shared.memory.take_new()
    }

    /// The known answer to a question, or the one that `ask` brings.
    async fn ask(
        &self,
        key: LookupKey,
        ask: impl Future<Output = Asked>,
    ) -> Result<Arc<LookupRecord>, Trouble> {
        self.shared.memory.answer(key, ask).await.map_err(Trouble::NotRecorded)
    }

    /// When a question that is put now must be answered.
    fn deadline(&self) -> Instant {
        Instant::now() + self.shared.settings.question
    }
}

impl fmt::Debug for Lookups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookups").field("settings", &self.shared.settings).finish_non_exhaustive()
    }
}

/// A network like the given one that reads no more and waits no longer than these questions want.
fn bounded(net: &Net, bytes: usize, accept: &str, settings: &LookupSettings) -> Net {
    let given = net.settings();
    let limits = Limits {
        body_bytes: bytes as u64,
        memory_bytes: bytes,
        total: settings.question.min(given.limits.total),
        ..given.limits.clone()
    };
    let bounded = NetSettings { accept: accept.to_owned(), limits, ..given.clone() };
    Net::new(bounded).unwrap_or_else(|error| {
        // What it needs was there a moment ago; a file of authorities may have gone since.
        tracing::warn!(%error, "lookups use the limits of the crawl");
        net.clone()
    })
}
