//! Reads address ranges: `a - b`, `a/16`, `200.1/16`, several blocks after each other.

use crate::registration::blocks;
use ipnet::{IpNet, Ipv4Net};
use std::net::{IpAddr, Ipv4Addr};

/// A range is told in at most so many blocks; more are left out.
const MAX_BLOCKS: usize = 64;

/// The blocks in a value; empty for single addresses, for the whole address space, and for what is
/// no range.
pub(super) fn ranges(value: &str) -> Vec<IpNet> {
    let found = match first_and_last(value) {
        Some((first, last)) => blocks(first, last),
        None => prefixes(value),
    };
    match found.iter().any(|block| block.prefix_len() == 0) {
        true => Vec::new(),
        false => found.into_iter().take(MAX_BLOCKS).collect(),
    }
}

/// The whole address space, with which registries answer for what is not theirs.
pub(super) fn is_everything(value: &str) -> bool {
    let blocks = first_and_last(value).map(|(first, last)| blocks(first, last));
    blocks.unwrap_or_else(|| prefixes(value)).iter().any(|block| block.prefix_len() == 0)
}

/// How many addresses the blocks hold, as a power of two that is good enough for comparing.
pub(super) fn size(blocks: &[IpNet]) -> f64 {
    blocks
        .iter()
        .map(|block| 2_f64.powi(i32::from(block.max_prefix_len() - block.prefix_len())))
        .sum()
}

fn first_and_last(value: &str) -> Option<(IpAddr, IpAddr)> {
    let (first, last) = value.split_once('-').or_else(|| value.split_once('~'))?;
    let first = first.split_whitespace().next_back()?;
    let last = last.split_whitespace().next()?;
    let last = last.trim_end_matches([',', ';', ')']);
    let last = last.split_once('/').map_or(last, |(address, _)| address);
    Some((address(first)?, address(last)?))
}

fn prefixes(value: &str) -> Vec<IpNet> {
    value
        .split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '[' | ']'))
        .filter_map(prefix)
        .take(MAX_BLOCKS)
        .collect()
}

fn prefix(word: &str) -> Option<IpNet> {
    let (start, length) = word.split_once('/')?;
    let length = length.parse::<u8>().ok()?;
    let start = address(start).or_else(|| short(start))?;
    IpNet::new(start, length).ok().map(|net| net.trunc())
}

/// `200.1`: the registries of Latin America leave zeros away.
fn short(text: &str) -> Option<IpAddr> {
    let mut octets = [0; 4];
    let mut parts = text.trim_end_matches('.').split('.');
    for octet in &mut octets {
        let Some(part) = parts.next() else { break };
        *octet = part.parse().ok()?;
    }
    parts.next().is_none().then(|| IpAddr::V4(Ipv4Addr::from(octets)))
}

/// An address; octets may have leading zeros, as in old registries.
fn address(text: &str) -> Option<IpAddr> {
    if let Ok(address) = text.parse() {
        return Some(address);
    }
    let mut octets = [0; 4];
    let mut parts = text.split('.');
    for octet in &mut octets {
        let part = parts.next()?;
        *octet = if part.len() <= 3 { part.parse().ok()? } else { return None };
    }
    parts.next().is_none().then(|| IpAddr::V4(Ipv4Addr::from(octets)))
}

/// The blocks without those that lie in others, and in order.
pub(super) fn tidy(found: Vec<IpNet>) -> Vec<IpNet> {
    let mut tidy = IpNet::aggregate(&found);
    tidy.sort_unstable_by_key(|block| (matches!(block, IpNet::V6(_)), *block));
    tidy
}

/// A classful network that is told by its number alone: `133.11.0.0`.
pub(super) fn classful(value: &str) -> Option<IpNet> {
    let start = value.trim().parse::<Ipv4Addr>().ok()?;
    let octets = start.octets();
    let length = match octets {
        [1..=127, 0, 0, 0] => 8,
        [128..=191, _, 0, 0] => 16,
        [192..=223, _, _, 0] => 24,
        _ => return None,
    };
    Ipv4Net::new(start, length).ok().map(IpNet::V4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_ranges() {
        #[rustfmt::skip]
        let cases: [(&str, &[&str]); 13] = [
            ("198.18.0.0 - 198.18.255.255",             &["198.18.0.0/16"]),
            ("198.18.0.0-198.18.255.255",               &["198.18.0.0/16"]),
            ("198.18.0.0 - 198.18.255.255 (/16)",       &["198.18.0.0/16"]),
            ("192.0.2.0/24, 198.51.100.0/25",           &["192.0.2.0/24", "198.51.100.0/25"]),
            ("200.1/16",                                &["200.1.0.0/16"]),
            ("200.1.2/24",                              &["200.1.2.0/24"]),
            ("2001:db8::/32",                           &["2001:db8::/32"]),
            ("2001:db8:: - 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", &["2001:db8::/32"]),
            ("198.018.000.000 - 198.018.000.255",       &["198.18.0.0/24"]),
            ("0.0.0.0 - 255.255.255.255",               &[]),
            ("192.0.2.1",                               &[]),
            ("198.51.100.0/24 [198.51.100.0]",          &["198.51.100.0/24"]),
            ("some - thing",                            &[]),
        ];
        for (value, expected) in cases {
            let told: Vec<String> = ranges(value).iter().map(ToString::to_string).collect();
            assert_eq!(told, expected, "{value}");
        }
    }
}
