//! Records as JSON lines, for a recording that is kept or handed to somebody else.
//!
//! A line has the key (`kind`, `server`, `question`), the times `at` and `until` in microseconds of
//! UTC, and the answer: `found` with the bytes as text, or `found_base64` if they are none;
//! `absent` with what the server said; or `failed` with the cause.

use auslese_model::{Cause, LookupAnswer, LookupKey, LookupRecord, Timestamp};
use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read, Write};

/// Longest line that is read, in bytes: four times the largest answer, as escapes make it longer.
const LINE: u64 = 8 << 20;

/// Why a file of records cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordFault {
    #[error("line {line} is no record: {problem}")]
    Line { line: usize, problem: String },
    #[error("cannot read the records")]
    Io(#[from] io::Error),
}

#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    key: LookupKey,
    at: Timestamp,
    until: Timestamp,
    #[serde(flatten)]
    answer: WrittenAnswer,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenAnswer {
    Found(String),
    FoundBase64(String),
    Absent(String),
    Failed(Cause),
}

/// Writes records, one on a line.
pub fn write_records<'a>(
    mut out: impl Write,
    records: impl IntoIterator<Item = &'a LookupRecord>,
) -> io::Result<()> {
    for record in records {
        let answer = match &record.answer {
            LookupAnswer::Found(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => WrittenAnswer::Found(text.to_owned()),
                Err(_) => WrittenAnswer::FoundBase64(BASE64.encode(bytes)),
            },
            LookupAnswer::Absent(text) => WrittenAnswer::Absent(text.clone()),
            LookupAnswer::Failed(cause) => WrittenAnswer::Failed(cause.clone()),
        };
        let LookupRecord { key, at, until, .. } = record;
        let line = Line { key: key.clone(), at: *at, until: *until, answer };
        serde_json::to_writer(&mut out, &line)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Reads what [`write_records`] wrote; empty lines are passed over.
pub fn read_records(mut input: impl BufRead) -> Result<Vec<LookupRecord>, RecordFault> {
    let mut records = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if input.by_ref().take(LINE).read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let text = bytes.trim_ascii();
        if !text.is_empty() {
            records.push(record(text).map_err(|problem| RecordFault::Line { line, problem })?);
        }
    }
    Ok(records)
}

fn record(text: &[u8]) -> Result<LookupRecord, String> {
    let Line { key, at, until, answer } =
        serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let answer = match answer {
        WrittenAnswer::Found(text) => LookupAnswer::Found(text.into_bytes()),
        WrittenAnswer::FoundBase64(text) => {
            let bytes = BASE64.decode(text.as_bytes()).map_err(|error| error.to_string())?;
            LookupAnswer::Found(bytes)
        }
        WrittenAnswer::Absent(text) => LookupAnswer::Absent(text),
        WrittenAnswer::Failed(cause) => LookupAnswer::Failed(cause),
    };
    Ok(LookupRecord { key, answer, at, until })
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::{CauseKind, LookupKind};
    use proptest::prelude::*;

    fn key(question: &str) -> LookupKey {
        LookupKey {
            kind: LookupKind::Whois,
            server: "whois.denic.de".to_owned(),
            question: question.to_owned(),
        }
    }

    fn kept(answer: LookupAnswer) -> LookupRecord {
        LookupRecord { key: key("q"), answer, at: Timestamp(1), until: Timestamp(2) }
    }

    #[test]
    fn a_line_as_a_person_sees_it() {
        let mut out = Vec::new();
        write_records(&mut out, &[kept(LookupAnswer::Found("Domain: ü\n".into()))]).unwrap();
        let expected = r#"{"kind":"whois","server":"whois.denic.de","question":"q","at":1,"until":2,"found":"Domain: ü\n"}"#;
        assert_eq!(String::from_utf8(out).unwrap().trim_end(), expected);
    }

    #[test]
    fn faults_name_their_line() {
        let cases = ["{}", "nonsense", r#"{"kind":"whois"}"#];
        for text in cases {
            let fault = read_records(format!("\n{text}\n").as_bytes()).unwrap_err();
            assert!(fault.to_string().starts_with("line 2 is no record: "), "{text}: {fault}");
        }
    }

    proptest! {
        #[test]
        fn records_read_back(bytes: Vec<u8>, question in ".*", detail in ".*") {
            let failed = Cause::new(CauseKind::Timeout, detail.clone());
            let mut records: Vec<LookupRecord> =
                [LookupAnswer::Found(bytes), LookupAnswer::Absent(detail), LookupAnswer::Failed(failed)]
                    .map(kept).into();
            records[0].key = key(&question);
            let mut out = Vec::new();
            write_records(&mut out, &records).unwrap();
            prop_assert_eq!(read_records(out.as_slice()).unwrap(), records);
        }

        #[test]
        fn any_bytes(bytes: Vec<u8>) {
            let _ = read_records(bytes.as_slice());
        }
    }
}
