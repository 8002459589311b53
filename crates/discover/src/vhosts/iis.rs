//! IIS: the bindings in `applicationHost.config`.
//!
//! A binding is `address:port:host`, such as `*:443:www.uni.example`; without a host it answers to
//! every name at its address.

use super::report::{Endpoint, Findings, Place, WhyReported};
use auslese_markup::{XmlTagKind, xml_tags};

pub(super) fn read(text: &str, file: &str, findings: &mut Findings) {
    let mut sites = 0usize;
    for tag in xml_tags(text) {
        match (tag.name.to_ascii_lowercase().as_str(), tag.kind) {
            ("site", XmlTagKind::Start) => sites += 1,
            ("site", XmlTagKind::End) => sites = sites.saturating_sub(1),
            // Defaults for sites are bindings of no site.
            ("binding", XmlTagKind::Start | XmlTagKind::Empty) if sites > 0 => {
                let protocol = tag.attribute("protocol").unwrap_or_default();
                if ["http", "https"].iter().any(|web| protocol.eq_ignore_ascii_case(web)) {
                    let binding = tag.attribute("bindingInformation").unwrap_or_default();
                    tell(&binding, &Place::new(file, tag.line), findings);
                }
            }
            _ => {}
        }
    }
}

fn tell(binding: &str, place: &Place, findings: &mut Findings) {
    let (endpoint, host) = binding.rsplit_once(':').unwrap_or((binding, ""));
    if host.is_empty() {
        findings.report(binding, place, "binding", WhyReported::Nameless);
    } else {
        findings.host(host, place, "binding", &[Endpoint::parse(endpoint)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vhosts::VhostFormat;

    #[test]
    fn bindings() {
        let text = r#"<configuration><system.applicationHost><sites>
            <site name="A" id="1"><bindings>
              <binding protocol="http" bindingInformation="*:80:a.uni.example" />
              <binding protocol="https" bindingInformation="[2001:db8::1]:443:b.uni.example" sslFlags="1"></binding>
              <binding protocol="http" bindingInformation="*:80:" />
              <binding protocol="https" bindingInformation="*:443:*.uni.example" />
              <binding protocol="net.tcp" bindingInformation="808:*" />
              <!-- <binding protocol="http" bindingInformation="*:80:old.uni.example" /> -->
            </bindings></site>
            <siteDefaults><bindings><binding protocol="http" bindingInformation="*:80:no.uni.example"/></bindings></siteDefaults>
            </sites></system.applicationHost></configuration>"#;
        let mut findings = Findings::default();
        read(text, "f", &mut findings);
        let report = findings.into_report(VhostFormat::Iis, 1);
        let names: Vec<_> = report.names.iter().map(|n| (n.name.as_str(), n.place.line)).collect();
        assert_eq!(names, [("a.uni.example", Some(3)), ("b.uni.example", Some(4))]);
        assert_eq!(report.names[1].listens, [Endpoint::parse("[2001:db8::1]:443")]);
        let reasons: Vec<_> = report.reported.iter().map(|reported| reported.why).collect();
        assert_eq!(reasons, [WhyReported::Nameless, WhyReported::Wildcard]);
    }
}
