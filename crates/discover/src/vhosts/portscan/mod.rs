//! What nmap and masscan found: addresses with open ports, and names.
//!
//! A scan of one's own range by another program is as good as ours. Only TCP ports that are open
//! count. Names are those that were asked for, those of reverse DNS, and those in certificates.

mod document;
mod grepable;
mod list;
mod text;

pub(super) use document::read_xml;
pub(super) use grepable::read_grepable;
pub(super) use list::{read_json, read_list};
pub(super) use text::read_text;

use super::report::{Endpoint, Findings, Place};
use std::net::IpAddr;

/// One address while its lines are read.
#[derive(Debug, Default)]
struct Scanned {
    address: Option<IpAddr>,
    ports: Vec<u16>,
    names: Vec<String>,
    /// From certificates, with the port that showed them.
    certified: Vec<(String, Option<u16>)>,
}

impl Scanned {
    /// Takes the names out of a certificate's description: `DNS:a.example, DNS:*.b.example`.
    fn certificate(&mut self, description: &str, port: Option<u16>) {
        let names = description.split("DNS:").skip(1);
        let name = |text: &str| {
            let end = text.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(text.len());
            text[..end].to_owned()
        };
        self.certified.extend(names.map(|text| (name(text), port)));
    }

    fn tell(&mut self, place: &Place, findings: &mut Findings) {
        let Scanned { address, mut ports, names, certified } = std::mem::take(self);
        ports.sort_unstable();
        ports.dedup();
        let endpoint = |port| Endpoint { address, port };
        let listens: Vec<_> = ports.iter().map(|port| endpoint(Some(*port))).collect();
        for name in &names {
            findings.host(name, place, "host name", &listens);
        }
        for (name, port) in &certified {
            findings.host(name, place, "certificate", &[endpoint(*port)]);
        }
        if let (Some(address), false) = (address, ports.is_empty()) {
            findings.address(address, ports, place, "open port");
        }
    }
}

#[cfg(test)]
mod tests;
