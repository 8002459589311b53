//! One question and its answer over a bare connection, for line protocols such as WHOIS.
//!
//! The other side ends the answer by closing. Registries cut long answers, stall and break off, so
//! what came before a limit or a fault is kept and marked as cut; only silence is a failure.

use crate::connection::{Connection, Filled};
use auslese_model::{Cause, CauseKind};
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::Instant;

/// How much and how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConverseLimits {
    /// Bytes that are kept of an answer: 64 KiB.
    pub bytes: usize,
    /// Time for everything, from resolving to the last byte: 20 s.
    pub total: Duration,
}

impl Default for ConverseLimits {
    fn default() -> ConverseLimits {
        ConverseLimits { bytes: 64 << 10, total: Duration::from_secs(20) }
    }
}

/// What was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// Who answered: the address the name resolved to.
    pub address: IpAddr,
    pub bytes: Vec<u8>,
    /// The answer may have gone on: a limit was reached, or the connection broke.
    pub cut: bool,
}

/// Says something and listens to the end.
pub(crate) async fn converse(
    connection: &mut Connection,
    address: IpAddr,
    say: &[u8],
    limits: ConverseLimits,
    until: Instant,
) -> Result<Conversation, Cause> {
    match connection.send(say, until).await {
        Filled::Failed(error) => return Err(Cause::new(CauseKind::Closed, error.to_string())),
        Filled::TimedOut => return Err(silent(limits)),
        Filled::Bytes(_) | Filled::End | Filled::AbruptEnd => {}
    }
    let mut bytes = Vec::new();
    let cut = loop {
        let filled = connection.fill(until).await;
        let unread = connection.unread();
        let (room, came) = (limits.bytes - bytes.len(), unread.len());
        bytes.extend_from_slice(&unread[..came.min(room)]);
        connection.consume(came);
        match filled {
            Filled::Bytes(_) if came > room => break true,
            Filled::Bytes(_) => {}
            Filled::End => break false,
            Filled::TimedOut if bytes.is_empty() => return Err(silent(limits)),
            Filled::Failed(error) if bytes.is_empty() => {
                return Err(Cause::new(CauseKind::Closed, error.to_string()));
            }
            Filled::TimedOut | Filled::Failed(_) | Filled::AbruptEnd => break true,
        }
    };
    Ok(Conversation { address, bytes, cut })
}

fn silent(limits: ConverseLimits) -> Cause {
    Cause::new(CauseKind::Timeout, format!("no answer within {:?}", limits.total))
}
