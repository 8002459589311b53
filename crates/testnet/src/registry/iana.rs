//! IANA, the root of all registries: it knows none of the holders, but who does.

use super::objects::{Objects, Referral};
use super::question::Question;
use super::{CHANGED, block};
use ipnet::IpNet;
use std::net::IpAddr;

const HEAD: &str = "\
% IANA WHOIS server
% for more information on IANA, visit http://www.iana.org
";

pub(super) const THROTTLED: &str = "% Query rate limit exceeded, try again later\n";

pub(super) fn answer(objects: &Objects, question: &Question) -> String {
    let found = match question.key.parse::<IpAddr>() {
        Ok(address) => range(objects, address),
        Err(_) => top_level(objects, &question.key),
    };
    match found {
        Some(text) => format!("{HEAD}% This query returned 1 object\n\n{text}\n"),
        None => format!("{HEAD}% This query returned 0 objects.\n"),
    }
}

fn range(objects: &Objects, address: IpAddr) -> Option<String> {
    let mut ranges: Vec<(IpNet, &Referral)> = objects
        .referrals
        .iter()
        .filter_map(|referral| Some((referral.what.parse::<IpNet>().ok()?, referral)))
        .filter(|(net, _)| net.contains(&address))
        .collect();
    ranges.sort_by_key(|(net, _)| net.prefix_len());
    let (net, Referral { server, .. }) = ranges.pop()?;
    let (kind, text) = match net {
        IpNet::V4(net) => ("inetnum", format!("{} - {}", net.network(), net.broadcast())),
        IpNet::V6(net) => ("inet6num", net.to_string()),
    };
    Some(object(server, kind, &text, "ALLOCATED"))
}

/// The answer for a name is that for its last label.
fn top_level(objects: &Objects, name: &str) -> Option<String> {
    let label = name.trim_end_matches('.').rsplit('.').next()?;
    let referral = objects.referrals.iter().find(|it| it.what.eq_ignore_ascii_case(label))?;
    Some(object(&referral.server, "domain", &label.to_uppercase(), "ACTIVE"))
}

fn object(server: &str, kind: &str, what: &str, status: &str) -> String {
    let refer = if server.is_empty() { String::new() } else { pair("refer", server) + "\n" };
    let whois = if server.is_empty() { String::new() } else { pair("whois", server) + "\n" };
    format!(
        "{refer}{}\n{}\n{whois}{}{}\n{}{}",
        pair(kind, what),
        pair("organisation", "A registry of the simulated internet"),
        pair("status", status),
        pair("remarks", "Registration information: https://registry.example"),
        pair("changed", CHANGED),
        pair("source", "IANA"),
    )
}

fn pair(key: &str, value: &str) -> String {
    block(&[(key, value)], |key| format!("{:<14}", format!("{key}:")))
}
