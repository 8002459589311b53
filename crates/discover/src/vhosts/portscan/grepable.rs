//! One line per host (`-oG`) of nmap and masscan, fields separated by tabs.
//!
//! ```text
//! Host: 192.0.2.1 (www.uni.example)    Ports: 80/open/tcp//http///, 443/closed/tcp//https///
//! ```

use super::super::report::{Findings, Place};
use super::Scanned;

pub(crate) fn read_grepable(text: &str, file: &str, findings: &mut Findings) {
    for (number, line) in (1..).zip(text.lines()) {
        let mut host = Scanned::default();
        for field in line.split('\t') {
            if let Some(named) = field.strip_prefix("Host: ") {
                let (address, name) = named.split_once(' ').unwrap_or((named, ""));
                host.address = address.parse().ok();
                let name = name.trim().trim_start_matches('(').trim_end_matches(')');
                host.names.extend((!name.is_empty()).then(|| name.to_owned()));
            } else if let Some(ports) = field.strip_prefix("Ports: ") {
                host.ports.extend(ports.split(',').filter_map(open_port));
            }
        }
        host.tell(&Place::new(file, number), findings);
    }
}

fn open_port(port: &str) -> Option<u16> {
    let mut parts = port.trim().split('/');
    let (number, state, protocol) = (parts.next()?, parts.next()?, parts.next()?);
    (state == "open" && protocol == "tcp").then(|| number.parse().ok())?
}
