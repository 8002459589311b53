//! One connection to a registry: a line comes in, an answer goes out, the connection ends.

use super::{Behaviour, Registry};
use crate::log::{Log, Moment, WhoisQuery};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Longest line of a question.
const LONGEST_QUESTION: usize = 4096;
/// How long a client may take to ask, and a silent server to say nothing.
const IDLE: Duration = Duration::from_secs(60);
/// How long a closed connection waits for the client to close, too.
const LINGER: Duration = Duration::from_secs(1);
/// Bytes that are neither UTF-8 nor any other text: every value, shuffled.
const GARBAGE: usize = 4096;

/// How often a registry was asked.
pub(crate) type Counter = Arc<AtomicUsize>;

/// Serves a registry until the runtime ends.
pub(crate) async fn accept(
    listener: TcpListener,
    registry: Arc<Registry>,
    asked: Counter,
    log: Arc<Log>,
) {
    loop {
        match listener.accept().await {
            Ok((tcp, _)) => {
                let (registry, asked, log) = (registry.clone(), asked.clone(), log.clone());
                tokio::spawn(async move {
                    if let Err(cause) = converse(tcp, &registry, &asked, &log).await {
                        tracing::debug!(%cause, host = registry.host, "a WHOIS client went away");
                    }
                });
            }
            Err(cause) => {
                // Out of file descriptors, most likely; they come back when connections end.
                tracing::warn!(%cause, "cannot accept a connection");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }
}

async fn converse(
    mut tcp: TcpStream,
    registry: &Registry,
    asked: &AtomicUsize,
    log: &Log,
) -> io::Result<()> {
    let line = tokio::time::timeout(IDLE, question(&mut tcp))
        .await
        .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    let reply = registry.reply(&line, asked);
    log.whois_query(WhoisQuery {
        at: Moment::now(),
        server: registry.host.clone(),
        query: line,
        answered: reply.name(),
    });
    tokio::time::sleep(registry.delay()).await;
    match reply {
        Reply::Answer(bytes) | Reply::Throttled(bytes) | Reply::Garbage(bytes) => {
            tcp.write_all(&bytes).await?;
        }
        Reply::Silence => {
            // Nothing more is expected from the client but its end.
            let _ = tokio::time::timeout(IDLE, until_gone(&mut tcp)).await;
            return Ok(());
        }
        Reply::Endless => loop {
            tcp.write_all(b"remarks:        and another line\r\n").await?;
            tokio::task::yield_now().await;
        },
    }
    tcp.shutdown().await?;
    // Closing a socket with unread bytes would reset it and could destroy the answer.
    let _ = tokio::time::timeout(LINGER, until_gone(&mut tcp)).await;
    Ok(())
}

/// The line of the client, without its end; a client that ends its side has asked, too.
async fn question(tcp: &mut TcpStream) -> io::Result<String> {
    let mut line = Vec::new();
    let mut buffer = [0; 512];
    while !line.contains(&b'\n') && line.len() < LONGEST_QUESTION {
        match tcp.read(&mut buffer).await? {
            0 => break,
            count => line.extend_from_slice(&buffer[..count]),
        }
    }
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    Ok(String::from_utf8_lossy(line).trim().to_owned())
}

async fn until_gone(tcp: &mut TcpStream) {
    let mut buffer = [0; 512];
    while matches!(tcp.read(&mut buffer).await, Ok(1..)) {}
}

#[derive(Debug)]
enum Reply {
    Answer(Vec<u8>),
    Throttled(Vec<u8>),
    Garbage(Vec<u8>),
    Silence,
    Endless,
}

impl Reply {
    fn name(&self) -> &'static str {
        match self {
            Reply::Answer(_) => "answer",
            Reply::Throttled(_) => "throttled",
            Reply::Garbage(_) => "garbage",
            Reply::Silence => "silence",
            Reply::Endless => "endless",
        }
    }
}

impl Registry {
    fn reply(&self, line: &str, asked: &AtomicUsize) -> Reply {
        let earlier = asked.fetch_add(1, Ordering::Relaxed);
        for behaviour in &self.behaviours {
            match behaviour {
                Behaviour::Throttled { after } if earlier >= *after => {
                    return Reply::Throttled(super::encoded(self.throttle_words(), false));
                }
                Behaviour::Silent => return Reply::Silence,
                Behaviour::Garbage => return Reply::Garbage(garbage()),
                Behaviour::Endless => return Reply::Endless,
                Behaviour::Throttled { .. } | Behaviour::Slow(_) | Behaviour::Redacting => {}
            }
        }
        Reply::Answer(self.answer(line))
    }

    fn delay(&self) -> Duration {
        let delays = self.behaviours.iter().map(|behaviour| match behaviour {
            Behaviour::Slow(delay) => *delay,
            _ => Duration::ZERO,
        });
        delays.sum()
    }
}

fn garbage() -> Vec<u8> {
    (0..GARBAGE).map(|index| (index * 167 + index / 256 * 31) as u8).collect()
}
