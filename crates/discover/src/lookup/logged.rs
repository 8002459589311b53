//! Certificates of imported logs as records, so that they are kept, recorded and replayed like
//! everything else that somebody said about hosts.
//!
//! A record is kept as JSON: `names` and `line`. The key's server is the file, its question the
//! names: a certificate that was renewed, or stands in a longer export of the same name, is one.

use crate::imports::ImportedCertificate;
use crate::judge::{SeenCertificate, Told};
use auslese_model::{LookupAnswer, LookupKey, LookupKind, LookupRecord, Timestamp};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a log says does not run out; a hundred years stand for "never".
const KEEP: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

#[derive(Serialize, Deserialize)]
struct WrittenCertificate {
    names: Vec<String>,
    line: u64,
}

/// The record of a certificate in the export of a log.
pub fn logged_record(log: &str, certificate: &ImportedCertificate, at: Timestamp) -> LookupRecord {
    let names = certificate.names.clone();
    let key =
        LookupKey { kind: LookupKind::Log, server: log.to_owned(), question: names.join(" ") };
    let written = WrittenCertificate { names, line: certificate.place };
    let answer = serde_json::to_vec(&written).expect("texts can be written as JSON");
    LookupRecord { key, answer: LookupAnswer::Found(answer), at, until: at.plus(KEEP) }
}

/// The certificates of logs among records; what cannot be read is left out.
pub fn recorded_certificates(
    records: &[LookupRecord],
) -> impl Iterator<Item = Told<SeenCertificate>> + '_ {
    let logged = records.iter().filter(|record| record.key.kind == LookupKind::Log);
    logged.filter_map(|record| {
        let LookupAnswer::Found(bytes) = &record.answer else { return None };
        let WrittenCertificate { names, line } = serde_json::from_slice(bytes).ok()?;
        let source = format!("certificate log {}, line {line}", record.key.server);
        // Logs take only what a trusted authority has signed.
        Some(Told { value: SeenCertificate { names, problem: None }, source, at: record.at })
    })
}
