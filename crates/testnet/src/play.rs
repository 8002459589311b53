//! Sending answers: framing a response, playing a script, and knowing when the client has gone.

use crate::answer::{Answer, Framing, Kind, Response, Step, reason};
use crate::connection::Connection;
use crate::http_date::http_date;
use crate::log::Moment;
use crate::request::{Asked, Unread};
use auslese_model::Timestamp;
use std::io;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

/// What is done with the connection after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    KeepAlive,
    Close,
    Reset,
}

/// What has been sent so far, also if sending failed.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    /// When the last bytes were handed to the network.
    pub(crate) last_write: Option<Moment>,
    pub(crate) bytes: u64,
    pub(crate) status: Option<u16>,
}

/// A pattern that is sent often goes out in pieces of about this size.
const PIECE: usize = 64 << 10;

/// Sends the answer to a request.
pub(crate) async fn send(
    answer: &Answer,
    asked: &Asked,
    connection: &mut Connection,
    unread: &mut Unread,
    sent: &mut Sent,
) -> io::Result<After> {
    let mut answer = answer.clone();
    loop {
        answer = match &answer.0 {
            Kind::Response(response) => {
                let (bytes, after) = frame(response, asked);
                write(connection, &bytes, sent).await?;
                return Ok(after);
            }
            Kind::Script(steps) => return play(steps, connection, unread, sent).await,
            Kind::Sequence(answers) => {
                let turn = usize::try_from(asked.earlier).unwrap_or(usize::MAX);
                answers[turn.min(answers.len() - 1)].clone()
            }
            Kind::Computed(answer) => answer(asked),
        };
    }
}

/// Plays a script to its end.
pub(crate) async fn play(
    steps: &[Step],
    connection: &mut Connection,
    unread: &mut Unread,
    sent: &mut Sent,
) -> io::Result<After> {
    for step in steps {
        match step {
            Step::Send(bytes) => write(connection, bytes, sent).await?,
            Step::Repeat { pattern, times } => repeat(pattern, *times, connection, sent).await?,
            Step::SendForever { pattern, pause } => loop {
                write(connection, pattern, sent).await?;
                if pause.is_zero() {
                    tokio::task::yield_now().await;
                } else {
                    wait(*pause, connection, unread).await?;
                }
            },
            Step::Wait(duration) => wait(*duration, connection, unread).await?,
            Step::Reset => return Ok(After::Reset),
            Step::Close => return Ok(After::Close),
            Step::KeepAlive => return Ok(After::KeepAlive),
        }
    }
    Ok(After::Close)
}

async fn repeat(
    pattern: &[u8],
    times: u64,
    connection: &mut Connection,
    sent: &mut Sent,
) -> io::Result<()> {
    let per_piece = (PIECE / pattern.len().max(1)).max(1) as u64;
    let piece = pattern.repeat(per_piece.min(times) as usize);
    for _ in 0..times / per_piece {
        write(connection, &piece, sent).await?;
    }
    let rest = (times % per_piece) as usize * pattern.len();
    write(connection, &piece[..rest], sent).await
}

async fn write(connection: &mut Connection, bytes: &[u8], sent: &mut Sent) -> io::Result<()> {
    if sent.status.is_none() {
        sent.status = status_in(bytes);
    }
    let mut left = bytes;
    while !left.is_empty() {
        // Taken before the bytes leave: the client may have them long before this task goes on.
        sent.last_write = Some(Moment::now());
        let count = connection.write(left).await?;
        if count == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        left = &left[count..];
    }
    connection.flush().await?;
    sent.bytes += bytes.len() as u64;
    Ok(())
}

/// Waits, but not for a client that has gone.
async fn wait(
    duration: Duration,
    connection: &mut Connection,
    unread: &mut Unread,
) -> io::Result<()> {
    match tokio::time::timeout(duration, unread.until_gone(connection)).await {
        Err(_elapsed) => Ok(()),
        Ok(()) => Err(io::ErrorKind::ConnectionAborted.into()),
    }
}

/// The status in `HTTP/1.1 200 …` or the like, leaving out interim ones.
fn status_in(bytes: &[u8]) -> Option<u16> {
    let line = bytes.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let status = line.split_whitespace().nth(1)?.parse().ok()?;
    (line.contains("HTTP/") || line.starts_with("ICY ")).then_some(status)
}

/// The bytes of a response to this request, and whether the connection may be kept.
fn frame(response: &Response, asked: &Asked) -> (Vec<u8>, After) {
    let header = |name: &str| {
        let mut lines = response.headers.iter();
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    };
    let unchanged = matches!(asked.method.as_str(), "GET" | "HEAD")
        && response.status == 200
        && is_known_to_client(asked, header("etag"), header("last-modified"));
    let status = if unchanged { 304 } else { response.status };
    let gzipped = response.gzipped.as_ref().filter(|_| asked.accepts_gzip());
    let body = gzipped.unwrap_or(&response.body);
    let bodiless = status == 204 || status == 304;
    let closes = response.framing == Framing::UntilClose
        || !asked.keeps_alive()
        || header("connection").is_some_and(|value| value.eq_ignore_ascii_case(b"close"));

    let mut bytes = format!("HTTP/1.1 {status} {}\r\n", reason(status)).into_bytes();
    let mut line = |name: &str, value: &[u8]| {
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value);
        bytes.extend_from_slice(b"\r\n");
    };
    if header("date").is_none() {
        line("Date", http_date(Timestamp::now()).as_bytes());
    }
    for (name, value) in &response.headers {
        line(name, value);
    }
    if gzipped.is_some() {
        line("Content-Encoding", b"gzip");
    }
    if response.gzipped.is_some() {
        line("Vary", b"Accept-Encoding");
    }
    match response.framing {
        _ if bodiless => {}
        Framing::Length => line("Content-Length", body.len().to_string().as_bytes()),
        Framing::Chunked { .. } => line("Transfer-Encoding", b"chunked"),
        Framing::UntilClose => {}
    }
    if closes && header("connection").is_none() {
        line("Connection", b"close");
    }
    bytes.extend_from_slice(b"\r\n");
    if !bodiless && asked.method != "HEAD" {
        match response.framing {
            Framing::Chunked { size } => bytes.extend(chunks(body, size)),
            _ => bytes.extend_from_slice(body),
        }
    }
    (bytes, if closes { After::Close } else { After::KeepAlive })
}

/// The test of RFC 9110, section 13: an entity tag decides if there is one, otherwise the date.
fn is_known_to_client(
    asked: &Asked,
    etag: Option<&Vec<u8>>,
    last_modified: Option<&Vec<u8>>,
) -> bool {
    let same = |text: String, value: Option<&Vec<u8>>| {
        value.is_some_and(|value| {
            text == "*" || text.split(',').any(|part| part.trim().as_bytes() == value.as_slice())
        })
    };
    match (asked.headers.get("if-none-match"), asked.headers.get("if-modified-since")) {
        (Some(tags), _) => same(tags, etag),
        // Dates are compared as text: clients send back what they were given.
        (None, Some(date)) => {
            last_modified.is_some_and(|value| value.as_slice() == date.as_bytes())
        }
        (None, None) => false,
    }
}

/// A body in chunked coding.
pub(crate) fn chunks(body: &[u8], size: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(body.len() + 64);
    for chunk in body.chunks(size) {
        bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    bytes
}
