//! The metadata record of an exchange: how it was reached, how it went, what was odd about it.
//!
//! The names `via`, `hopsFromSeed` and `fetchTimeMs` are those of Heritrix, which other tools
//! read; the rest follow their style.

use crate::chunked::{ChunkFraming, Dechunked};
use crate::record::Fields;
use crate::settings::Framing;
use auslese_model::{Digest, Exchange, HopPath, TlsNote};
use std::io::{self, BufReader};
use std::time::Duration;

/// Longer values are cut.
const VALUE_LIMIT: usize = 4 * 1024;
/// More rules or oddities than this are counted, not listed.
const LIST_LIMIT: usize = 200;

/// What is known of an exchange beside its bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// The address in whose answer this one was found.
    pub via: Option<String>,
    pub hops: HopPath,
    /// The character encoding found, for documents with text.
    pub charset: Option<String>,
    /// The rules that let the request pass, in order.
    pub rules: Vec<String>,
    /// The payload digest, if it is known already: saves computing it again. It must be
    /// [`crate::payload_digest`] of the payload with the algorithm of the settings.
    pub payload_digest: Option<Digest>,
}

/// The block of the metadata record.
pub(crate) fn block(exchange: &Exchange, notes: &Notes, framing: Framing) -> io::Result<Vec<u8>> {
    let mut fields = Fields::default();
    if let Some(via) = &notes.via {
        add(&mut fields, "via", via);
    }
    if !notes.hops.0.is_empty() {
        add(&mut fields, "hopsFromSeed", &notes.hops.0);
    }
    add_timings(&mut fields, exchange);
    if let Some(tls) = &exchange.tls {
        add_tls(&mut fields, tls);
    }
    if let Some(charset) = &notes.charset {
        add(&mut fields, "charset", charset);
    }
    if let Some(reason) = &exchange.response.stopped {
        add(&mut fields, "stopped", reason);
    }
    if framing == Framing::Decoded && exchange.response.decoded.is_some() {
        add_framing(&mut fields, exchange)?;
    }
    add_list(&mut fields, "rule", notes.rules.iter().cloned());
    let oddities = exchange.response.oddities.iter();
    add_list(&mut fields, "oddity", oddities.map(|odd| format!("{} {}", odd.kind, odd.detail)));
    Ok(fields.to_lines().into_bytes())
}

fn add_timings(fields: &mut Fields, exchange: &Exchange) {
    let timings = &exchange.timings;
    let steps = [
        ("resolveTimeMs", timings.resolve),
        ("connectTimeMs", timings.connect),
        ("tlsTimeMs", timings.tls),
        ("firstByteTimeMs", timings.first_byte),
    ];
    for (name, duration) in steps.into_iter().filter(|(_, duration)| !duration.is_zero()) {
        add(fields, name, &milliseconds(duration));
    }
    add(fields, "fetchTimeMs", &milliseconds(timings.total));
}

fn milliseconds(duration: Duration) -> String {
    format!("{}.{:03}", duration.as_millis(), duration.subsec_micros() % 1000)
}

fn add_tls(fields: &mut Fields, tls: &TlsNote) {
    add(fields, "tlsProtocol", &tls.protocol);
    add(fields, "tlsCipher", &tls.cipher);
    if let Some(problem) = &tls.problem {
        add(fields, "tlsProblem", problem);
    }
}

/// Notes the framing that the stored body no longer has.
fn add_framing(fields: &mut Fields, exchange: &Exchange) -> io::Result<()> {
    add(fields, "transferCodingRemoved", "yes");
    let mut body = Dechunked::new(BufReader::new(exchange.response.body.reader()));
    io::copy(&mut body, &mut io::sink())?;
    let ChunkFraming { sizes, complete, trailer } = body.framing();
    let sizes = String::from_utf8_lossy(sizes).trim_end().replace('\n', " ");
    if *complete && !sizes.is_empty() {
        fields.push("chunkSizes", sizes);
    }
    for line in String::from_utf8_lossy(trailer).lines() {
        add(fields, "trailer", line);
    }
    Ok(())
}

fn add_list(fields: &mut Fields, name: &str, values: impl ExactSizeIterator<Item = String>) {
    let more = values.len().saturating_sub(LIST_LIMIT);
    for value in values.take(LIST_LIMIT) {
        add(fields, name, &value);
    }
    if more > 0 {
        add(fields, name, &format!("and {more} more"));
    }
}

fn add(fields: &mut Fields, name: &str, value: &str) {
    fields.push(name, &value[..value.floor_char_boundary(VALUE_LIMIT)]);
}
