//! Carries one request over one connection and reads the answer.

use crate::compose::Composed;
use crate::connection::{Connection, Filled};
use crate::framing::{self, Framing, Plan};
use crate::head::{self, Extent, Head, Search};
use crate::net::{Net, SendPermission};
use crate::oddity::{self, Oddities, shown};
use crate::receive::{Received, receive};
use crate::settings::Limits;
use auslese_model::{
    Body, Cause, CauseKind, Exchange, Headers, Request, Response, Timestamp, Timings,
};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Looks at a response header and says whether the body is wanted.
pub type BodyHook<'a> = dyn Fn(&ResponseHead<'_>) -> Wanted + Send + Sync + 'a;

/// What a hook gets to see.
#[derive(Debug, Clone, Copy)]
pub struct ResponseHead<'a> {
    pub request: &'a Request,
    pub address: Option<IpAddr>,
    pub status: u16,
    pub headers: &'a Headers,
    /// How long the body is said to be.
    pub length: Option<u64>,
}

/// What a hook decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Body,
    /// Only the header is kept, for the reason given.
    HeaderOnly(String),
}

/// One request, with all that is needed to carry it out.
pub(crate) struct Order<'a> {
    pub(crate) request: &'a Request,
    pub(crate) composed: &'a mut Composed,
    pub(crate) hook: &'a BodyHook<'a>,
    pub(crate) limits: &'a Limits,
    pub(crate) may_send: Option<&'a SendPermission>,
    pub(crate) directory: &'a Arc<PathBuf>,
    /// When the whole fetch must end.
    pub(crate) until: Instant,
    pub(crate) timings: Timings,
}

/// An exchange, and whether its connection may carry another.
#[derive(Debug)]
pub(crate) struct Performed {
    pub(crate) exchange: Box<Exchange>,
    pub(crate) reusable: bool,
}

#[derive(Debug)]
pub(crate) enum Failure {
    /// The connection was dead or out of step before any answer came; on a reused connection that
    /// says nothing about the server.
    Stale(Cause),
    Final(Cause),
}

impl Failure {
    pub(crate) fn into_cause(self) -> Cause {
        match self {
            Failure::Stale(cause) | Failure::Final(cause) => cause,
        }
    }
}

pub(crate) async fn perform(
    connection: &mut Connection,
    order: Order<'_>,
) -> Result<Performed, Failure> {
    if order.may_send.is_some_and(|may_send| !may_send(order.request)) {
        return Err(Failure::Final(Cause::new(CauseKind::Local, Net::NOT_PERMITTED)));
    }
    let started = Timestamp::now();
    let sent_at = Instant::now();
    let header_until = order.until.min(sent_at + order.limits.header);
    send(connection, order.composed, header_until).await?;
    let answer = read_head(connection, order.limits, header_until, sent_at).await?;
    let Answer { raw, mut head, first_byte } = answer;
    let mut oddities = std::mem::take(&mut head.oddities);
    oddities.append(std::mem::take(&mut order.composed.oddities));
    let Plan { framing, reusable } = framing::plan(order.request.method, &head, &mut oddities);
    let (received, stopped) = read_body(connection, &order, &head, framing, &mut oddities).await?;
    let at_end = received.truncated.is_none() && (stopped.is_none() || framing == Framing::Empty);
    let rest = connection.unread();
    if at_end && !rest.is_empty() {
        oddities.note(oddity::TRAILING_BYTES, || shown(rest));
    }
    let reusable = reusable && at_end && rest.is_empty();
    let response = Response {
        version: head.version,
        status: head.status,
        head: raw,
        headers: head.headers,
        body: received.body,
        decoded: received.decoded,
        truncated: received.truncated,
        stopped,
        oddities: oddities.into_list(),
    };
    let exchange = Exchange {
        request: order.request.clone(),
        sent: std::mem::take(&mut order.composed.kept),
        started,
        timings: Timings { first_byte, total: sent_at.elapsed(), ..order.timings },
        address: connection.address,
        tls: connection.tls.clone(),
        response,
    };
    Ok(Performed { exchange: Box::new(exchange), reusable })
}

async fn send(
    connection: &mut Connection,
    composed: &Composed,
    until: Instant,
) -> Result<(), Failure> {
    let bytes = composed.sent.as_deref().unwrap_or(&composed.kept);
    match connection.send(bytes, until).await {
        Filled::Bytes(_) => Ok(()),
        Filled::TimedOut => {
            Err(Failure::Final(Cause::new(CauseKind::Timeout, "the request was not read")))
        }
        Filled::Failed(error) => Err(Failure::Stale(closed(&error.to_string()))),
        Filled::End | Filled::AbruptEnd => Err(Failure::Stale(closed(""))),
    }
}

/// Asks the hook, and reads the body if it is wanted; otherwise the hook's reason is returned.
async fn read_body(
    connection: &mut Connection,
    order: &Order<'_>,
    head: &Head,
    framing: Framing,
    oddities: &mut Oddities,
) -> Result<(Received, Option<String>), Failure> {
    let view = ResponseHead {
        request: order.request,
        address: connection.address,
        status: head.status,
        headers: &head.headers,
        length: framing::announced_length(framing),
    };
    match (order.hook)(&view) {
        Wanted::HeaderOnly(reason) => Ok((nothing(), Some(reason))),
        Wanted::Body if framing == Framing::Empty => Ok((nothing(), None)),
        Wanted::Body => {
            let (limits, directory) = (order.limits, order.directory);
            receive(connection, framing, limits, directory, order.until, oddities)
                .await
                .map(|received| (received, None))
                .map_err(Failure::Final)
        }
    }
}

fn nothing() -> Received {
    Received { body: Body::empty(), decoded: None, truncated: None }
}

struct Answer {
    raw: Vec<u8>,
    head: Head,
    first_byte: Duration,
}

/// Reads the header of the final response; interim ones (1xx) are passed over.
async fn read_head(
    connection: &mut Connection,
    limits: &Limits,
    until: Instant,
    sent_at: Instant,
) -> Result<Answer, Failure> {
    let mut room = limits.header_bytes;
    let mut first_byte = None;
    let mut search = Search::default();
    loop {
        let unread = connection.unread();
        match head::extent(unread, &mut search) {
            Extent::Complete { start, end } if end <= room => {
                let raw = unread[start..end].to_vec();
                connection.consume(end);
                let head = head::parse(&raw).ok_or_else(|| {
                    let detail = format!("a status line without a status: {}", shown(&raw));
                    Failure::Final(Cause::new(CauseKind::Protocol, detail))
                })?;
                if !matches!(head.status, 100 | 102..=199) {
                    let first_byte = first_byte.unwrap_or_else(|| sent_at.elapsed());
                    let head = note_beginning(head, start);
                    return Ok(Answer { raw, head, first_byte });
                }
                room -= end;
                search = Search::default();
                continue;
            }
            Extent::Foreign => {
                let detail = format!("it begins with {}", shown(unread));
                return Err(Failure::Stale(Cause::new(CauseKind::Protocol, detail)));
            }
            Extent::Complete { .. } => return Err(too_large(limits)),
            Extent::Partial if unread.len() >= room => return Err(too_large(limits)),
            Extent::Partial => {}
        }
        let nothing_yet = first_byte.is_none();
        match connection.fill(until).await {
            Filled::Bytes(_) if nothing_yet => first_byte = Some(sent_at.elapsed()),
            Filled::Bytes(_) => {}
            Filled::TimedOut => {
                let detail = format!("no complete header within {:?}", limits.header);
                return Err(Failure::Final(Cause::new(CauseKind::Timeout, detail)));
            }
            end => return Err(cut_before_header(end, nothing_yet, connection.unread().len())),
        }
    }
}

fn note_beginning(mut head: Head, start: usize) -> Head {
    if start > 0 {
        head.oddities.note(oddity::LEADING_LINES, || format!("{start} bytes"));
    }
    if head.status == 101 {
        head.oddities.note(oddity::SWITCHING, String::new);
    }
    head
}

fn too_large(limits: &Limits) -> Failure {
    let detail = format!("more than {} bytes", limits.header_bytes);
    Failure::Final(Cause::new(CauseKind::HeaderTooLarge, detail))
}

fn cut_before_header(end: Filled, nothing_yet: bool, received: usize) -> Failure {
    let how = match end {
        Filled::Failed(error) => format!(": {error}"),
        _ => String::new(),
    };
    match nothing_yet {
        true => Failure::Stale(closed(&format!("before any answer{how}"))),
        false => Failure::Final(closed(&format!("after {received} bytes of header{how}"))),
    }
}

fn closed(detail: &str) -> Cause {
    Cause::new(CauseKind::Closed, detail)
}
