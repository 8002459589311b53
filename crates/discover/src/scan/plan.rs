//! What may be scanned.
//!
//! The ranges must lie inside those of the organisation's profile, or the user must say that they
//! are their own. More than 65,536 addresses (a /16 of IPv4) need a second word. IPv6 is too wide to
//! be tried: only ranges of up to 65,536 addresses (a /112) or single addresses are taken, as they
//! come from zone files or reverse DNS.

use crate::profile::Profile;
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

/// Connections at a time, at most.
const MAX_IN_FLIGHT: usize = 64;
/// Connections per second, at most.
const MAX_PER_SECOND: u32 = 50;
/// Addresses that are scanned without a second word: a /16 of IPv4.
const USUAL_ADDRESSES: u64 = 1 << 16;
/// Addresses that are scanned at all: a /8 of IPv4, which takes eight days.
const MAX_ADDRESSES: u64 = 1 << 24;
/// The widest range of IPv6 that is scanned.
const WIDEST_V6: u8 = 112;

/// How a scan goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanRules {
    /// Ports to try: 80 and 443. Those that end in 443 are asked over TLS.
    pub ports: Vec<u16>,
    /// Ranges that the user calls their own although the profile does not name them.
    pub i_own: Vec<IpNet>,
    /// More than 65,536 addresses are meant.
    pub large: bool,
    /// Addresses that are left alone.
    pub exclude: Vec<IpNet>,
    /// Addresses that are worked on at a time: 64, and not more. Of each block of sixteen
    /// neighbours (a /28) it is always one.
    pub in_flight: usize,
    /// Connections per second: 50, and not more.
    pub per_second: u32,
    /// Time to connect: 1.5 s.
    pub patience: Duration,
    /// Time for a handshake, or for an answer: 5 s.
    pub answer: Duration,
}

impl Default for ScanRules {
    fn default() -> ScanRules {
        ScanRules {
            ports: vec![80, 443],
            i_own: Vec::new(),
            large: false,
            exclude: Vec::new(),
            in_flight: MAX_IN_FLIGHT,
            per_second: MAX_PER_SECOND,
            patience: Duration::from_millis(1500),
            answer: Duration::from_secs(5),
        }
    }
}

/// A scan that may be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanPlan {
    /// What is scanned: disjoint ranges in ascending order.
    nets: Vec<IpNet>,
    /// All ranges of the organisation: a name that leads into one is confirmed.
    own: Vec<IpNet>,
    /// Ranges of the profile that are not scanned.
    left_out: Vec<LeftOut>,
    rules: ScanRules,
}

/// A range of the profile that a scan of all ranges does not take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    pub net: IpNet,
    pub why: String,
}

/// Why a scan is not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScanRefused {
    #[error("{net} is not in the organisation's network: {why}")]
    Foreign { net: IpNet, why: String },
    #[error(
        "{addresses} addresses are more than {USUAL_ADDRESSES}: a scan that large must be asked \
         for in so many words"
    )]
    Large { addresses: u64 },
    #[error("{addresses} addresses are too many: no scan has more than {MAX_ADDRESSES}")]
    TooLarge { addresses: u64 },
    #[error("{net} is too wide: ranges of IPv6 are scanned up to /{WIDEST_V6}, or by address")]
    WideV6 { net: IpNet },
    #[error("there is nothing to scan: {why}")]
    Nothing { why: String },
    #[error("no port to try")]
    NoPort,
    #[error("a scan has from 1 to {MAX_IN_FLIGHT} addresses in flight, not {in_flight}")]
    InFlight { in_flight: usize },
    #[error("a scan makes from 1 to {MAX_PER_SECOND} connections per second, not {per_second}")]
    PerSecond { per_second: u32 },
}

impl ScanPlan {
    /// Checks what was asked for; if nothing was, all ranges of the profile that can be scanned.
    pub fn new(
        asked: &[IpNet],
        profile: &Profile,
        rules: ScanRules,
    ) -> Result<ScanPlan, ScanRefused> {
        check_pace(&rules)?;
        let ranges = profile.ranges.iter().map(|range| range.net);
        let own = merged(ranges.clone().chain(rules.i_own.iter().copied()));
        let (nets, left_out) = if asked.is_empty() {
            scannable(ranges.chain(rules.i_own.iter().copied()))
        } else {
            check_nets(asked, &own, profile)?;
            (asked.to_vec(), Vec::new())
        };
        let nets = merged(nets);
        let plan = ScanPlan { nets, own, left_out, rules };
        plan.check_size()?;
        Ok(plan)
    }

    pub fn nets(&self) -> &[IpNet] {
        &self.nets
    }

    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    pub fn rules(&self) -> &ScanRules {
        &self.rules
    }

    /// How many addresses there are, excluded ones included.
    pub fn addresses(&self) -> u64 {
        self.nets.iter().map(|net| address_count(*net)).fold(0, u64::saturating_add)
    }

    /// Whether an address lies in the organisation's ranges.
    pub fn is_own(&self, address: IpAddr) -> bool {
        self.own.iter().any(|net| net.contains(&address))
    }

    pub(crate) fn is_excluded(&self, address: IpAddr) -> bool {
        self.rules.exclude.iter().any(|net| net.contains(&address))
    }

    /// The address with this number, counted through all ranges.
    pub(crate) fn address(&self, number: u64) -> Option<IpAddr> {
        let mut left = number;
        for net in &self.nets {
            let count = address_count(*net);
            if left < count {
                return Some(nth(net.network(), left));
            }
            left -= count;
        }
        None
    }

    fn check_size(&self) -> Result<(), ScanRefused> {
        match self.addresses() {
            0 => {
                let why = self.left_out.first().map_or_else(
                    || "the profile names no range".to_owned(),
                    |left| format!("{} {}", left.net, left.why),
                );
                Err(ScanRefused::Nothing { why })
            }
            addresses if addresses > MAX_ADDRESSES => Err(ScanRefused::TooLarge { addresses }),
            addresses if addresses > USUAL_ADDRESSES && !self.rules.large => {
                Err(ScanRefused::Large { addresses })
            }
            _ => Ok(()),
        }
    }
}

fn check_pace(rules: &ScanRules) -> Result<(), ScanRefused> {
    if rules.ports.is_empty() || rules.ports.contains(&0) {
        return Err(ScanRefused::NoPort);
    }
    if !(1..=MAX_IN_FLIGHT).contains(&rules.in_flight) {
        return Err(ScanRefused::InFlight { in_flight: rules.in_flight });
    }
    if !(1..=MAX_PER_SECOND).contains(&rules.per_second) {
        return Err(ScanRefused::PerSecond { per_second: rules.per_second });
    }
    Ok(())
}

fn check_nets(asked: &[IpNet], own: &[IpNet], profile: &Profile) -> Result<(), ScanRefused> {
    for net in asked {
        // `own` is merged, so what lies in its union lies in one of its blocks.
        if !own.iter().any(|range| range.contains(net)) {
            return Err(ScanRefused::Foreign { net: *net, why: why_foreign(*net, own, profile) });
        }
        if is_wide_v6(*net) {
            return Err(ScanRefused::WideV6 { net: *net });
        }
    }
    Ok(())
}

fn why_foreign(net: IpNet, own: &[IpNet], profile: &Profile) -> String {
    let refused = profile.refused_ranges.iter().find(|range| range.net.contains(&net));
    if let Some(refused) = refused {
        return format!("{} belongs to {} ({})", refused.net, refused.holder, refused.why);
    }
    let partly = own.iter().find(|range| net.contains(*range));
    match partly {
        Some(range) => format!("only {range} of it is"),
        None => format!("no range of {} holds it", profile.root),
    }
}

/// Splits all ranges into those that can be scanned and the others.
fn scannable(nets: impl Iterator<Item = IpNet>) -> (Vec<IpNet>, Vec<LeftOut>) {
    let (wide, nets): (Vec<IpNet>, Vec<IpNet>) = nets.partition(|net| is_wide_v6(*net));
    let why = || format!("is wider than a /{WIDEST_V6}");
    (nets, wide.into_iter().map(|net| LeftOut { net, why: why() }).collect())
}

fn is_wide_v6(net: IpNet) -> bool {
    matches!(net, IpNet::V6(_)) && net.prefix_len() < WIDEST_V6
}

/// The same addresses as disjoint blocks in ascending order, neighbours joined.
fn merged(nets: impl IntoIterator<Item = IpNet>) -> Vec<IpNet> {
    let nets: Vec<IpNet> = nets.into_iter().map(|net| net.trunc()).collect();
    let mut merged = IpNet::aggregate(&nets);
    merged.sort();
    merged
}

fn address_count(net: IpNet) -> u64 {
    1_u64.checked_shl(u32::from(net.max_prefix_len() - net.prefix_len())).unwrap_or(u64::MAX)
}

/// The address `offset` places after `first`; the caller stays inside the block.
fn nth(first: IpAddr, offset: u64) -> IpAddr {
    match first {
        IpAddr::V4(first) => {
            let offset = u32::try_from(offset).unwrap_or(u32::MAX);
            Ipv4Addr::from(u32::from(first).saturating_add(offset)).into()
        }
        IpAddr::V6(first) => {
            Ipv6Addr::from(u128::from(first).saturating_add(u128::from(offset))).into()
        }
    }
}

/// Addresses of ranges one after the other.
pub(crate) fn in_turn(nets: &[IpNet]) -> (impl Iterator<Item = IpAddr>, u64) {
    let nets = merged(nets.iter().copied());
    let count = nets.iter().map(|net| address_count(*net)).fold(0, u64::saturating_add);
    let all = nets
        .into_iter()
        .flat_map(|net| (0..address_count(net)).map(move |offset| nth(net.network(), offset)));
    (all, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Range, RefusedRange};
    use auslese_model::{HostName, Timestamp};

    fn net(text: &str) -> IpNet {
        text.parse().unwrap()
    }

    fn profile(ranges: &[&str]) -> Profile {
        let range = |text: &&str| Range {
            net: net(text),
            holder: "Uni".to_owned(),
            found_by: String::new(),
            source: String::new(),
        };
        Profile {
            ranges: ranges.iter().map(range).collect(),
            refused_ranges: vec![RefusedRange {
                net: net("203.0.113.0/24"),
                holder: "Hoster".to_owned(),
                found_by: String::new(),
                why: "a hoster".to_owned(),
            }],
            ..Profile::new("uni", HostName::parse("uni.example").unwrap(), Timestamp(0))
        }
    }

    fn check(asked: &[&str], change: impl FnOnce(&mut ScanRules)) -> Result<u64, String> {
        let profile =
            profile(&["198.18.0.0/17", "198.18.128.0/17", "198.19.1.0/24", "2001:db8::/32"]);
        let asked: Vec<IpNet> = asked.iter().map(|text| net(text)).collect();
        let mut rules = ScanRules::default();
        change(&mut rules);
        ScanPlan::new(&asked, &profile, rules)
            .map(|plan| plan.addresses())
            .map_err(|refused| refused.to_string())
    }

    #[test]
    fn ranges() {
        #[rustfmt::skip]
        let cases: [(&[&str], Result<u64, &str>); 13] = [
            (&["198.18.1.0/24"],                    Ok(256)),
            (&["198.18.1.7/24"],                    Ok(256)),
            (&["198.18.1.0/24", "198.18.1.128/25"], Ok(256)),
            (&["198.18.1.0/24", "198.18.2.5/32"],   Ok(257)),
            (&["198.18.0.0/16"],                    Ok(65_536)),
            (&["198.18.0.0/16", "198.19.1.1/32"],   Err("65537 addresses are more than 65536")),
            (&[],                                   Err("65792 addresses are more than 65536")),
            (&["198.18.0.0/15"],                    Err("198.18.0.0/15 is not in the organisation's network: only 198.18.0.0/16 of it is")),
            (&["192.0.2.0/24"],                     Err("192.0.2.0/24 is not in the organisation's network: no range of uni.example holds it")),
            (&["198.18.1.0/24", "203.0.113.8/29"],  Err("203.0.113.8/29 is not in the organisation's network: 203.0.113.0/24 belongs to Hoster (a hoster)")),
            (&["2001:db8::/111"],                   Err("2001:db8::/111 is too wide")),
            (&["2001:db8::/112"],                   Ok(65_536)),
            (&["2001:db8::1/128", "2001:db8::9/128"], Ok(2)),
        ];
        for (asked, expected) in cases {
            match (check(asked, |_| {}), expected) {
                (Err(found), Err(expected)) => assert!(found.starts_with(expected), "{found}"),
                (found, expected) => assert_eq!(found, expected.map_err(str::to_owned)),
            }
        }
    }

    #[test]
    fn what_the_user_may_say() {
        assert_eq!(check(&[], |rules| rules.large = true), Ok(65_792));
        let own = |rules: &mut ScanRules| rules.i_own = vec![net("192.0.2.0/24")];
        assert_eq!(check(&["192.0.2.128/25"], own), Ok(128));
        let all = |rules: &mut ScanRules| {
            rules.i_own = vec![net("0.0.0.0/0")];
            rules.large = true;
        };
        assert!(check(&["0.0.0.0/0"], all).unwrap_err().contains("too many"));
        let refused: [fn(&mut ScanRules); 6] = [
            |rules| rules.ports.clear(),
            |rules| rules.ports.push(0),
            |rules| rules.in_flight = 0,
            |rules| rules.in_flight = 65,
            |rules| rules.per_second = 0,
            |rules| rules.per_second = 51,
        ];
        for change in refused {
            assert!(check(&["198.18.1.0/24"], change).is_err());
        }
    }

    #[test]
    fn all_ranges_of_a_profile() {
        let wide = profile(&["2001:db8::/32"]);
        let refused = ScanPlan::new(&[], &wide, ScanRules::default()).unwrap_err();
        let words = "there is nothing to scan: 2001:db8::/32 is wider than a /112";
        assert_eq!(refused.to_string(), words);
        let none = ScanPlan::new(&[], &profile(&[]), ScanRules::default()).unwrap_err();
        assert_eq!(none.to_string(), "there is nothing to scan: the profile names no range");
        let both = profile(&["2001:db8::/32", "198.18.1.0/30"]);
        let plan = ScanPlan::new(&[], &both, ScanRules::default()).unwrap();
        assert_eq!(plan.left_out()[0].net, net("2001:db8::/32"));
        assert!(plan.is_own("2001:db8::7".parse().unwrap()), "not scanned, but its own");
    }

    #[test]
    fn every_number_has_its_address() {
        let profile = profile(&["198.18.0.0/16", "2001:db8::/32"]);
        let asked = [net("2001:db8::8/126"), net("198.18.9.0/31"), net("198.18.1.4/30")];
        let plan = ScanPlan::new(&asked, &profile, ScanRules::default()).unwrap();
        let numbered: Vec<IpAddr> = (0..).map_while(|number| plan.address(number)).collect();
        let (in_turn, count) = in_turn(plan.nets());
        assert_eq!(numbered, in_turn.collect::<Vec<_>>());
        assert_eq!((numbered.len() as u64, count), (10, plan.addresses()));
        assert_eq!(numbered[4], "198.18.9.0".parse::<IpAddr>().unwrap());
        assert_eq!(numbered[9], "2001:db8::b".parse::<IpAddr>().unwrap());
    }
}
