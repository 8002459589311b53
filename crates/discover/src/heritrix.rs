//! Verdicts for other programs: SURT prefixes, seeds and address rules for Heritrix, and lines of
//! JSON for everybody else.

use auslese_model::{HostName, Membership, Verdict};
use ipnet::IpNet;
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv6Addr};

/// More addresses than this are not listed one by one: Heritrix keeps the whole set in memory.
/// A network of the size of a /16.
pub const MAX_ADDRESSES: usize = 1 << 16;

/// SURT prefixes of the members, one per host, sorted: `http://(de,uni-giessen,www,)`. Heritrix
/// compares https addresses with `http://(` too.
pub fn surt_prefixes(verdicts: &[Verdict]) -> Vec<String> {
    members(verdicts).into_iter().map(surt_prefix).collect::<BTreeSet<_>>().into_iter().collect()
}

/// One seed per member, sorted.
pub fn seeds(verdicts: &[Verdict]) -> Vec<String> {
    members(verdicts).into_iter().map(|host| format!("http://{host}/")).collect()
}

/// Each verdict as one line of JSON, of foreign hosts too: an archive of what was decided.
pub fn json_lines(verdicts: &[Verdict]) -> Result<String, serde_json::Error> {
    let mut lines = String::new();
    for verdict in verdicts {
        lines.push_str(&serde_json::to_string(verdict)?);
        lines.push('\n');
    }
    Ok(lines)
}

fn members(verdicts: &[Verdict]) -> BTreeSet<&HostName> {
    let members = verdicts.iter().filter(|verdict| verdict.membership == Membership::Member);
    members.map(|verdict| &verdict.host).collect()
}

fn surt_prefix(host: &HostName) -> String {
    match host.address() {
        // Addresses have no hierarchy from right to left.
        Some(_) => format!("http://({host})"),
        None => {
            let labels: Vec<&str> = host.as_str().rsplit('.').collect();
            format!("http://({},)", labels.join(","))
        }
    }
}

/// Addresses as `IpAddressSetDecideRule` wants them: single ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddressSet {
    pub addresses: BTreeSet<IpAddr>,
    /// Ranges too large to be listed; a scan tells which of their addresses matter.
    pub left_out: Vec<IpNet>,
}

/// Lists all addresses of the ranges, as far as `limit` allows; smaller ranges go first. Heritrix
/// keeps the whole set in memory.
pub fn single_addresses(ranges: &[IpNet], limit: usize) -> AddressSet {
    let mut ranges: Vec<IpNet> = IpNet::aggregate(&ranges.to_vec());
    ranges.sort_by_key(|range| (host_bits(range), *range));
    let mut set = AddressSet::default();
    for range in ranges {
        let room = limit.saturating_sub(set.addresses.len());
        match size_of(&range) {
            Some(size) if size <= room => set.addresses.extend(every_address(range)),
            _ => set.left_out.push(range),
        }
    }
    set
}

fn host_bits(range: &IpNet) -> u8 {
    range.max_prefix_len() - range.prefix_len()
}

/// `None` if it cannot be counted.
fn size_of(range: &IpNet) -> Option<usize> {
    1usize.checked_shl(u32::from(host_bits(range)))
}

fn every_address(range: IpNet) -> Box<dyn Iterator<Item = IpAddr>> {
    // `hosts()` would leave out the first and the last address, where web servers may stand.
    match range {
        IpNet::V4(net) => {
            let (first, last) = (u32::from(net.network()), u32::from(net.broadcast()));
            Box::new((first..=last).map(|bits| IpAddr::V4(bits.into())))
        }
        IpNet::V6(net) => {
            let (first, last) = (u128::from(net.network()), u128::from(net.broadcast()));
            Box::new((first..=last).map(|bits| IpAddr::V6(bits.into())))
        }
    }
}

/// The rule for a Heritrix job's scope. It works only if the job's `Preselector` has
/// `recheckScope` set, because addresses are not known before.
pub fn address_rule(addresses: &BTreeSet<IpAddr>) -> String {
    let mut bean = String::from(concat!(
        "<!-- needs recheckScope=true at the Preselector -->\n",
        "<bean class=\"org.archive.modules.deciderules.IpAddressSetDecideRule\">\n",
        "  <property name=\"ipAddresses\">\n",
        "    <set>\n",
    ));
    for address in addresses {
        bean.push_str(&format!("      <value>{}</value>\n", as_java_writes(*address)));
    }
    bean.push_str(concat!(
        "    </set>\n",
        "  </property>\n",
        "  <property name=\"decision\" value=\"ACCEPT\"/>\n",
        "</bean>\n",
    ));
    bean
}

/// Heritrix compares texts, and Java never shortens an IPv6 address.
fn as_java_writes(address: IpAddr) -> String {
    fn groups(address: Ipv6Addr) -> String {
        address.segments().map(|group| format!("{group:x}")).join(":")
    }
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => groups(address),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_model::Timestamp;

    fn verdict(host: &str, membership: Membership) -> Verdict {
        Verdict {
            host: HostName::parse(host).unwrap(),
            membership,
            score: 1.0,
            case: None,
            decided_by: None,
            reason: String::new(),
            label: None,
            evidence: Vec::new(),
            open: Vec::new(),
            at: Timestamp(0),
            until: Timestamp(0),
        }
    }

    #[test]
    fn members_only() {
        let verdicts = [
            verdict("www.uni-giessen.de", Membership::Member),
            verdict("uni-giessen.de", Membership::Member),
            verdict("universität.example", Membership::Member),
            verdict("198.18.1.1", Membership::Member),
            verdict("[2001:db8::1]", Membership::Member),
            verdict("foreign.example", Membership::Foreign),
            verdict("unsure.example", Membership::Unsure),
            verdict("www.uni-giessen.de", Membership::Member),
        ];
        assert_eq!(
            surt_prefixes(&verdicts),
            [
                "http://(198.18.1.1)",
                "http://([2001:db8::1])",
                "http://(de,uni-giessen,)",
                "http://(de,uni-giessen,www,)",
                "http://(example,xn--universitt-y5a,)",
            ]
        );
        assert_eq!(
            seeds(&verdicts),
            [
                "http://198.18.1.1/",
                "http://[2001:db8::1]/",
                "http://uni-giessen.de/",
                "http://www.uni-giessen.de/",
                "http://xn--universitt-y5a.example/",
            ]
        );
        let lines = json_lines(&verdicts).unwrap();
        let read: Vec<Verdict> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(read, verdicts);
    }

    #[test]
    fn ranges_are_exploded_up_to_the_limit() {
        let nets =
            |texts: &[&str]| texts.iter().map(|t| t.parse().unwrap()).collect::<Vec<IpNet>>();
        #[rustfmt::skip]
        let cases: &[(&[&str], usize, usize, &[&str])] = &[
            // ranges                                       limit  listed  left out
            (&["198.18.0.0/30"],                            100,   4,      &[]),
            (&["198.18.0.0/30", "198.18.0.0/31"],           100,   4,      &[]),
            (&["198.18.0.0/24", "192.0.2.1/32"],            100,   1,      &["198.18.0.0/24"]),
            (&["2001:db8::/126"],                           100,   4,      &[]),
            (&["2001:db8::/32", "192.0.2.0/28"],            100,   16,     &["2001:db8::/32"]),
            (&["0.0.0.0/0", "::/0"],                        100,   0,      &["0.0.0.0/0", "::/0"]),
            (&["198.18.0.0/16"],                            65_536, 65_536, &[]),
            (&[],                                           100,   0,      &[]),
        ];
        for (ranges, limit, listed, left_out) in cases {
            let set = single_addresses(&nets(ranges), *limit);
            assert_eq!(set.addresses.len(), *listed, "{ranges:?}");
            assert_eq!(set.left_out, nets(left_out), "{ranges:?}");
        }
        let set = single_addresses(&nets(&["198.18.0.0/30"]), 4);
        let first = set.addresses.iter().next().unwrap().to_string();
        assert_eq!(first, "198.18.0.0", "the first address of a block may be a server too");
    }

    #[test]
    fn rule_for_addresses() {
        let addresses = ["198.18.0.1", "2001:db8::1"].map(|text| text.parse().unwrap());
        let rule = address_rule(&addresses.into());
        assert!(rule.contains("<value>198.18.0.1</value>"));
        assert!(rule.contains("<value>2001:db8:0:0:0:0:0:1</value>"));
    }
}
