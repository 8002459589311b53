//! Plain lists: a host, `host:port` or URL per line; a comment begins with `#`; of several columns
//! the first counts.

use super::Finds;
use super::lines::each_line;
use std::io::{self, BufRead};

pub(crate) fn read(source: &mut dyn BufRead, finds: &mut Finds) -> io::Result<u64> {
    each_line(source, finds, |line, number, finds| {
        let line = line.trim_start();
        if !line.starts_with('#') {
            take_entry(first_column(line), number, finds);
        }
    })
}

/// Takes an entry that may be a URL.
pub(crate) fn take_entry(entry: &str, line: u64, finds: &mut Finds) {
    let entry = entry.trim();
    if entry.contains("://") {
        return finds.url(entry, line);
    }
    let host = entry.split('/').next().unwrap_or_default();
    let host = match host.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') && port.parse::<u16>().is_ok() => name,
        _ => host,
    };
    // As in scope rules: a leading dot means all below.
    match host.strip_prefix('.') {
        Some(below) => finds.name(&format!("*.{below}"), line),
        None => finds.name(host, line),
    }
}

fn first_column(line: &str) -> &str {
    if let Some(quoted) = line.strip_prefix('"') {
        return quoted.split('"').next().unwrap_or_default();
    }
    line.split([',', ';', '\t', ' ']).next().unwrap_or_default()
}
