//! The RIPE database: RPSL objects, the most specific range by default, holders by handle.
//!
//! Flags as in its query manual: `-r` leaves out the organisations and persons an object refers
//! to, `-B` shows mail addresses that are filtered otherwise, `-x`, `-L`, `-l` and `-M` choose by
//! how specific a range is, `-T` by type, `-i org` asks for everything of an organisation.

use super::objects::{NetObject, Objects, RouteObject};
use super::question::Question;
use super::{CHANGED, block};
use ipnet::IpNet;
use std::net::IpAddr;

const HEAD: &str = "\
% This is the RIPE Database query service.
% The objects are in RPSL format.
%
% The RIPE Database is subject to Terms and Conditions.
% See https://docs.db.ripe.net/terms-conditions.html

";
const FILTERED: &str = "\
% Note: this output has been filtered.
%       To receive output for a database update, use the \"-B\" flag.

";
const END: &str =
    "% This query was served by the RIPE Database Query Service version 1.119 (BUSA)\n";
const NOT_FOUND: &str = "\
%ERROR:101: no entries found
%
% No entries found in source RIPE.

";

pub(super) const THROTTLED: &str = "\
%ERROR:201: access denied for 198.18.255.1
%
% Queries from your IP address have passed the daily limit of controlled objects.
% Access from your host has been temporarily denied.

";

pub(super) fn answer(objects: &Objects, question: &Question) -> String {
    let found = if question.inverse.is_empty() {
        direct(objects, question)
    } else {
        inverse(objects, question)
    };
    let mut text = String::from(HEAD);
    if !question.has('B') {
        text.push_str(FILTERED);
    }
    if found.is_empty() {
        text.push_str(NOT_FOUND);
    }
    text + &found + END
}

fn direct(objects: &Objects, question: &Question) -> String {
    if question.key.to_ascii_uppercase().starts_with("ORG-") {
        let wanted = question.key.to_ascii_uppercase();
        let holds = |net: &&NetObject| net.org.eq_ignore_ascii_case(&wanted);
        let net = objects.nets.iter().find(holds).filter(|_| question.wants("organisation"));
        return net.map_or(String::new(), |net| organisation(net, question));
    }
    let Some((first, last)) = range(&question.key) else { return String::new() };
    let mut text = String::new();
    for net in matching(objects, first, last, question) {
        text.push_str(&related(&format!("{} - {}", net.first, net.last)));
        text.push_str(&inetnum(net, question));
        if !question.has('r') {
            text.push_str(&organisation(net, question));
            text.push_str(&role(net, question));
        }
    }
    let route_type = if first.is_ipv4() { "route" } else { "route6" };
    if question.wants(route_type) {
        let nearest = objects
            .routes
            .iter()
            .filter(|route| route.net.contains(&first) && route.net.contains(&last))
            .max_by_key(|route| route.net.prefix_len());
        text.extend(nearest.map(|it| route(it, route_type)));
    }
    text
}

/// Every object that names an organisation. Only its ranges: that is all this registry has.
fn inverse(objects: &Objects, question: &Question) -> String {
    if !question.inverse.iter().any(|attribute| matches!(attribute.as_str(), "org" | "og")) {
        return String::new();
    }
    let holds = |net: &&NetObject| net.org.eq_ignore_ascii_case(&question.key);
    let nets = objects.nets.iter().filter(holds);
    let wanted: Vec<&NetObject> = nets.filter(|net| question.wants(kind(net))).collect();
    let mut text: String = wanted.iter().map(|net| inetnum(net, question)).collect();
    if !question.has('r') {
        text.extend(wanted.first().map(|net| organisation(net, question)));
    }
    text
}

fn matching<'a>(
    objects: &'a Objects,
    first: IpAddr,
    last: IpAddr,
    question: &Question,
) -> Vec<&'a NetObject> {
    let exact = |net: &&&NetObject| net.first == first && net.last == last;
    if question.has('M') || question.has('m') {
        let inside = |net: &&NetObject| {
            net.is_v4() == first.is_ipv4() && first <= net.first && net.last <= last
        };
        let inside = objects.nets.iter().filter(inside);
        return inside.filter(|net| question.wants(kind(net))).collect();
    }
    let mut around = objects.nets_of(first);
    around.retain(|net| net.contains(last) && question.wants(kind(net)));
    if question.has('x') {
        around.iter().filter(exact).copied().collect()
    } else if question.has('L') {
        around
    } else if question.has('l') {
        around
            .into_iter()
            .rev()
            .find(|net| net.first != first || net.last != last)
            .into_iter()
            .collect()
    } else {
        around.pop().into_iter().collect()
    }
}

/// A single address, a prefix, or two addresses with a hyphen.
fn range(key: &str) -> Option<(IpAddr, IpAddr)> {
    if let Some((first, last)) = key.split_once('-') {
        return Some((first.trim().parse().ok()?, last.trim().parse().ok()?));
    }
    match key.parse::<IpNet>() {
        Ok(net) => Some((net.network(), net.broadcast())),
        Err(_) => key.parse::<IpAddr>().ok().map(|address| (address, address)),
    }
}

fn kind(net: &NetObject) -> &'static str {
    if net.is_v4() { "inetnum" } else { "inet6num" }
}

fn related(key: &str) -> String {
    format!("% Information related to '{key}'\n\n")
}

fn inetnum(net: &NetObject, question: &Question) -> String {
    let range = match net.blocks().as_slice() {
        [block] if !net.is_v4() => block.to_string(),
        _ => format!("{} - {}", net.first, net.last),
    };
    let mut lines = vec![
        (kind(net), range.as_str()),
        ("netname", &net.name),
        ("country", &net.holder.country),
        ("org", &net.org),
    ];
    lines.extend(net.sponsor.as_deref().map(|sponsor| ("sponsoring-org", sponsor)));
    lines.extend([
        ("admin-c", "NW1-EXAMPLE"),
        ("tech-c", "NW1-EXAMPLE"),
        ("status", net.status.as_str()),
        ("mnt-by", "RIPE-NCC-END-MNT"),
        ("mnt-by", &net.maintainer),
    ]);
    finished(&lines, question)
}

fn organisation(net: &NetObject, question: &Question) -> String {
    let holder = &net.holder;
    let town = holder.town();
    let mut lines = vec![
        ("organisation", net.org.as_str()),
        ("org-name", holder.body()),
        ("country", &holder.country),
        ("org-type", "OTHER"),
        ("address", &holder.street),
        ("address", &town),
    ];
    if question.has('B') {
        lines.push(("e-mail", &holder.email));
    }
    lines.extend([("abuse-c", "AR1-EXAMPLE"), ("mnt-by", net.maintainer.as_str())]);
    finished(&lines, question)
}

fn role(net: &NetObject, question: &Question) -> String {
    let mut lines = vec![("role", "Network Operations"), ("address", net.holder.street.as_str())];
    if question.has('B') {
        lines.push(("e-mail", &net.holder.email));
    }
    lines.extend([("nic-hdl", "NW1-EXAMPLE"), ("mnt-by", net.maintainer.as_str())]);
    finished(&lines, question)
}

fn route(route: &RouteObject, kind: &str) -> String {
    let (net, origin) = (route.net.to_string(), format!("AS{}", route.origin));
    let lines = [
        (kind, net.as_str()),
        ("descr", &route.description),
        ("origin", &origin),
        ("mnt-by", "ROUTE-MNT"),
        ("source", "RIPE"),
    ];
    format!("{}{}\n", related(&format!("{net}{origin}")), block(&lines, key))
}

/// An object with the lines that all have at their end.
fn finished(lines: &[(&str, &str)], question: &Question) -> String {
    let changed = format!("{CHANGED}T08:12:47Z");
    let source = if question.has('B') { "RIPE" } else { "RIPE # Filtered" };
    let mut lines = lines.to_vec();
    lines.extend([("created", "2004-02-11T00:00:00Z"), ("last-modified", &changed)]);
    lines.push(("source", source));
    format!("{}\n", block(&lines, key))
}

fn key(key: &str) -> String {
    format!("{:<16}", format!("{key}:"))
}
