//! A run as JSON lines: `{"run": …}` first, then `{"id": …, "description": …}`.

use super::metered::Metered;
use super::run::{RunError, RunHeader};
use auslese_model::Description;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Write};

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Written<'a> {
    Run(&'a RunHeader),
    #[serde(untagged)]
    Document {
        id: &'a str,
        description: &'a Description,
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum First {
    Run(RunHeader),
}

#[derive(Deserialize)]
struct Document {
    id: String,
    description: Description,
}

pub(super) fn write_header(to: &mut impl Write, header: &RunHeader) -> io::Result<()> {
    write_line(to, &Written::Run(header))
}

pub(super) fn write_document(
    to: &mut impl Write,
    id: &str,
    description: &Description,
) -> io::Result<()> {
    write_line(to, &Written::Document { id, description })
}

fn write_line(to: &mut impl Write, value: &Written<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *to, value)?;
    to.write_all(b"\n")
}

pub(super) fn read<R: BufRead>(
    mut from: Metered<R>,
    document: &mut dyn FnMut(String, Description),
) -> Result<RunHeader, RunError> {
    let mut header = None;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        from.reset();
        if from.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let located =
            |cause: serde_json::Error| RunError::Line { line: number, message: format!("{cause}") };
        if header.is_none() {
            let First::Run(first) = serde_json::from_slice(&line).map_err(located)?;
            header = Some(first);
        } else {
            let it: Document = serde_json::from_slice(&line).map_err(located)?;
            document(it.id, it.description);
        }
    }
    let missing =
        || RunError::Line { line: 1, message: "expected a run, found nothing".to_owned() };
    header.ok_or_else(missing)
}
