//! Lists of open ports (`-oL`) and JSON (`-oJ`) of masscan, one port per line.
//!
//! Its JSON is an array by name only: versions differ in commas and in what the last line says. So
//! it is read by lines, each an object for itself.

use super::super::report::{Findings, Place, WhyReported};
use serde::Deserialize;
use std::net::IpAddr;

/// Reads lines such as `open tcp 80 192.0.2.1 1700000000`.
pub(crate) fn read_list(text: &str, file: &str, findings: &mut Findings) {
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<_> = line.split_whitespace().collect();
        let ["open", "tcp", port, address, ..] = words.as_slice() else { continue };
        let place = Place::new(file, number);
        match (address.parse(), port.parse()) {
            (Ok(address), Ok(port)) => findings.address(address, vec![port], &place, "open port"),
            _ => findings.report(line, &place, "open port", WhyReported::Unreadable),
        }
    }
}

/// Reads objects such as `{"ip": "192.0.2.1", "ports": [{"port": 80, "status": "open"}]}`.
pub(crate) fn read_json(text: &str, file: &str, findings: &mut Findings) {
    for (number, line) in (1..).zip(text.lines()) {
        let object = line.trim().trim_start_matches('[').trim_matches([',', ']', ' ']);
        if !object.contains("\"ip\"") {
            continue;
        }
        let place = Place::new(file, number);
        let Ok(host) = serde_json::from_str::<Host>(object) else {
            findings.report(object, &place, "open port", WhyReported::Unreadable);
            continue;
        };
        for port in host.ports.iter().filter(|port| port.is_open()) {
            findings.address(host.ip, vec![port.port], &place, "open port");
        }
    }
}

#[derive(Debug, Deserialize)]
struct Host {
    ip: IpAddr,
    #[serde(default)]
    ports: Vec<Port>,
}

#[derive(Debug, Deserialize)]
struct Port {
    port: u16,
    #[serde(default)]
    proto: Option<String>,
    #[serde(default)]
    status: Option<String>,
}

impl Port {
    /// Lines with the banner of a service have no status; the port has a line of its own.
    fn is_open(&self) -> bool {
        self.status.as_deref() == Some("open") && self.proto.as_deref().unwrap_or("tcp") == "tcp"
    }
}
