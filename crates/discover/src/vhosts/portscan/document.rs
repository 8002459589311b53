//! XML (`-oX`) of nmap and masscan.

use super::super::report::{Findings, Place};
use super::Scanned;
use auslese_markup::{XmlTag, XmlTagKind, xml_tags};

pub(crate) fn read_xml(text: &str, file: &str, findings: &mut Findings) {
    let mut host = Scanned::default();
    let mut place = Place::new(file, 1);
    let mut port: Option<u16> = None;
    for tag in xml_tags(text) {
        match (tag.name, tag.kind) {
            ("host", XmlTagKind::Start) => {
                host = Scanned::default();
                place = Place::new(file, tag.line);
            }
            ("host", XmlTagKind::End) => host.tell(&place, findings),
            ("port", XmlTagKind::End) => port = None,
            (_, XmlTagKind::End) => {}
            ("port", _) => port = tcp_port(&tag),
            ("state", _) if tag.attribute("state").as_deref() == Some("open") => {
                host.ports.extend(port);
            }
            ("address", _) => {
                let address = tag.attribute("addr").and_then(|address| address.parse().ok());
                host.address = host.address.or(address);
            }
            ("hostname", _) => host.names.extend(tag.attribute("name")),
            ("script", _) if tag.attribute("id").as_deref() == Some("ssl-cert") => {
                host.certificate(&tag.attribute("output").unwrap_or_default(), port);
            }
            _ => {}
        }
    }
    // A scan that was broken off ends within a host.
    host.tell(&place, findings);
}

fn tcp_port(tag: &XmlTag<'_>) -> Option<u16> {
    let tcp = tag.attribute("protocol").as_deref() == Some("tcp");
    tag.attribute("portid").filter(|_| tcp)?.parse().ok()
}
