//! Hosts files: an address, then its names.

use super::report::{Endpoint, Findings, Place, WhyReported};
use std::net::IpAddr;

pub(super) fn read(text: &str, file: &str, findings: &mut Findings) {
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { continue };
        let place = Place::new(file, number);
        // An address may have a zone: fe80::1%lo0.
        let address = first.split('%').next().unwrap_or_default().parse::<IpAddr>();
        let Ok(address) = address else {
            findings.report(line.trim(), &place, "hosts", WhyReported::Unreadable);
            continue;
        };
        for name in words {
            // Lists against advertising send names to an address that does not exist.
            if address.is_unspecified() {
                findings.report(name, &place, "hosts", WhyReported::Blocked);
            } else {
                findings.host(name, &place, "hosts", &[Endpoint::address(address)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vhosts::VhostFormat;

    #[test]
    fn lines() {
        let text = "127.0.0.1 localhost\n# no\n192.0.2.1\tA.uni.example a # b.uni.example\n\
                    0.0.0.0 ads.example\nfe80::1%lo0 localhost\n2001:db8::1 six.uni.example\nnonsense\n";
        let mut findings = Findings::default();
        read(text, "f", &mut findings);
        let report = findings.into_report(VhostFormat::Hosts, 1);
        let names: Vec<_> = report.names.iter().map(|n| (n.name.as_str(), n.place.line)).collect();
        assert_eq!(names, [("a.uni.example", Some(3)), ("six.uni.example", Some(6))]);
        use WhyReported::*;
        let reasons: Vec<_> = report.reported.iter().map(|reported| reported.why).collect();
        assert_eq!(reasons, [Unqualified, Unqualified, Blocked, Unqualified, Unreadable]);
    }
}
