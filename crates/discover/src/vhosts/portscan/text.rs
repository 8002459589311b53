//! The report that nmap shows to people (`-oN`).
//!
//! ```text
//! Nmap scan report for www.uni.example (192.0.2.1)
//! rDNS record for 192.0.2.1: host1.uni.example
//! 80/tcp  open   http
//! 443/tcp open   https
//! | ssl-cert: Subject: commonName=www.uni.example
//! | Subject Alternative Name: DNS:www.uni.example, DNS:uni.example
//! ```

use super::super::report::{Findings, Place};
use super::Scanned;

pub(crate) fn read_text(text: &str, file: &str, findings: &mut Findings) {
    let mut host = Scanned::default();
    let mut place = Place::new(file, 1);
    let mut port = None;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(subject) = line.strip_prefix("Nmap scan report for ") {
            host.tell(&place, findings);
            place = Place::new(file, number);
            (host, port) = (subject_of(subject), None);
        } else if let Some((_, name)) = reverse_name(line) {
            host.names.push(name.to_owned());
        } else if let Some(next) = tcp_port(line) {
            port = Some(next.0);
            host.ports.extend(next.1.then_some(next.0));
        } else if line.starts_with('|') && line.contains("Subject Alternative Name:") {
            host.certificate(line, port);
        }
    }
    host.tell(&place, findings);
}

/// Reads `www.uni.example (192.0.2.1)` or `192.0.2.1`.
fn subject_of(subject: &str) -> Scanned {
    let subject = subject.trim().trim_end_matches("[host down]").trim();
    match subject.rsplit_once(" (") {
        Some((name, address)) => Scanned {
            address: address.trim_end_matches(')').parse().ok(),
            names: vec![name.to_owned()],
            ..Scanned::default()
        },
        None => Scanned { address: subject.parse().ok(), ..Scanned::default() },
    }
}

fn reverse_name(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("rDNS record for ")?.rsplit_once(": ")
}

/// The port of a line such as `80/tcp open http`, and whether it is open.
fn tcp_port(line: &str) -> Option<(u16, bool)> {
    let (port, rest) = line.split_once("/tcp")?;
    let state = rest.split_whitespace().next()?;
    Some((port.parse().ok()?, state == "open"))
}
