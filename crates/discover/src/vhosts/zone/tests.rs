//! Zone files, as tables, and any text.

use super::{MAX_EXPANDED_LINES, reversed};
use crate::vhosts::testing::{self, reasons, reported};
use crate::vhosts::{Endpoint, VhostFormat, VhostReport, WhyReported};
use proptest::prelude::*;

fn read_zone(name: &str, text: &str, files: &[(&str, &str)]) -> VhostReport {
    testing::read(VhostFormat::Zone, &format!("/zones/{name}"), text, files)
}

/// Names with the type of the record.
fn names(report: &VhostReport) -> Vec<(&str, &str)> {
    report.names.iter().map(|found| (found.name.as_str(), found.directive)).collect()
}

#[test]
fn a_zone() {
    let text = "$TTL 1h\n$ORIGIN uni.example.\n\
        @  IN SOA ns1 hostmaster ( 1 2h\n 3 4 5 ) ; serial\n   NS ns1\n   A 192.0.2.1\n\
        ns1 3600 IN A 192.0.2.2\nwww IN 1h30m CNAME @\n    AAAA 2001:db8::1\n\
        * A 192.0.2.3\n_dmarc TXT \"v=DMARC1; p=none\"\n_acme CNAME acme.example.\n\
        math NS ns.math\nmath NS ns2.math\nmail MX 10 mx\n\
        $ORIGIN cs\nhost.sub A 192.0.2.4\nfull.other.example. A 192.0.2.5\nIN A 192.0.2.6\n";
    let report = read_zone("zone", text, &[]);
    let expected = [
        ("uni.example", "A"),
        ("ns1.uni.example", "A"),
        ("www.uni.example", "CNAME"),
        ("www.uni.example", "AAAA"),
        ("host.sub.cs.uni.example", "A"),
        ("full.other.example", "A"),
        ("in.cs.uni.example", "A"),
    ];
    assert_eq!(names(&report), expected);
    assert_eq!(report.names[3].place.line, Some(9));
    assert_eq!(report.names[3].listens, [Endpoint::address("2001:db8::1".parse().unwrap())]);
    let expected = [
        ("*.uni.example", WhyReported::Wildcard),
        ("_acme.uni.example", WhyReported::Service),
        ("math.uni.example", WhyReported::Delegated),
    ];
    assert_eq!(reported(&report), expected);
}

#[test]
fn where_the_origin_comes_from() {
    #[rustfmt::skip]
    let cases = [
        // file                 text                                           name                   remark
        ("x",                   "uni.example. IN SOA a b 1 2 3 4 5\nwww A 192.0.2.1\n", Some("www.uni.example"), None),
        ("db.uni.example",      "www A 192.0.2.1\n",                           Some("www.uni.example"), Some(WhyReported::GuessedOrigin)),
        ("uni.example.zone",    "www A 192.0.2.1\n",                           Some("www.uni.example"), Some(WhyReported::GuessedOrigin)),
        ("zone.txt",            "www A 192.0.2.1\n",                           None,                    Some(WhyReported::NoOrigin)),
        ("zone.txt",            "www.uni.example. A 192.0.2.1\n",              Some("www.uni.example"), None),
    ];
    for (file, text, name, remark) in cases {
        let report = read_zone(file, text, &[]);
        assert_eq!(names(&report).first().map(|(name, _)| *name), name, "{file} {text}");
        assert_eq!(reported(&report).first().map(|(_, why)| *why), remark, "{file} {text}");
    }
}

#[test]
fn reverse_zones_and_generated_records() {
    let text = "$ORIGIN 2.0.192.in-addr.arpa.\n1 PTR a.uni.example.\n\
        $GENERATE 2-3 $ PTR host-${0,3}.uni.example.\n$GENERATE 1-99999999 $ PTR x$.uni.example.\n";
    let report = read_zone("z", text, &[]);
    let first: Vec<_> = report.names.iter().take(3).map(|found| found.name.as_str()).collect();
    assert_eq!(first, ["a.uni.example", "host-002.uni.example", "host-003.uni.example"]);
    assert_eq!(report.names[0].listens, [Endpoint::address("192.0.2.1".parse().unwrap())]);
    assert_eq!(report.names.len(), 1 + MAX_EXPANDED_LINES);
    assert_eq!(reported(&report), [("1-99999999", WhyReported::TooMuchExpansion)]);
    let six = format!("{}8.b.d.0.1.0.0.2.ip6.arpa", "0.".repeat(24));
    assert_eq!(reversed(&six), "2001:db8::".parse().ok());
}

#[test]
fn included_zones() {
    let text = "$ORIGIN uni.example.\n$INCLUDE part sub\nb A 192.0.2.2\n$INCLUDE gone\n";
    let report = read_zone("z", text, &[("part", "$ORIGIN deep\na A 192.0.2.1\n$INCLUDE part\n")]);
    let expected = [("a.deep.sub.uni.example", "A"), ("b.uni.example", "A")];
    assert_eq!(names(&report), expected);
    assert_eq!(reasons(&report), [WhyReported::IncludeLoop, WhyReported::MissingInclude]);
}

/// One mistake costs its own line, not the rest of the zone.
#[test]
fn mistakes() {
    #[rustfmt::skip]
    let cases = [
        ("$GENERATE 1-3\n",                    Some(WhyReported::Unreadable)),
        ("$GENERATE\n",                        None),
        ("$GENERATE 1-x $ A 192.0.2.$\n",      Some(WhyReported::Unreadable)),
        ("a TXT \"v=spf1\nb TXT \"x\"\n",      None),
        ("a TXT ( \"one\n \"two\" )\n",       None),
        ("IN\n",                               None),
    ];
    for (mistake, why) in cases {
        let text = format!("$ORIGIN uni.example.\n{mistake}www A 192.0.2.1\n");
        let report = read_zone("z", &text, &[]);
        assert_eq!(names(&report), [("www.uni.example", "A")], "{mistake}");
        assert_eq!(reasons(&report).first().copied(), why, "{mistake}");
    }
}

proptest! {
    #[test]
    fn any_text(text in "([()\";\\\\\n\t $@.{}0-9a-c-]|IN|SOA| A |PTR|\\$ORIGIN|\\$GENERATE|\\$INCLUDE){0,60}") {
        read_zone("db.a.example", &text, &[("a", "$INCLUDE a\n@ A 192.0.2.1\n")]);
    }
}
