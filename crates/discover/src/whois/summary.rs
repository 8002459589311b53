//! Reads the lines with which ARIN lists several nets: `Organisation NETNAME (NET-…) a - b`, where
//! the range may stand in the next line.

use super::ranges::ranges;
use ipnet::IpNet;

/// The net of such a line, its organisation and its name; `next` is the line after it.
pub(super) fn net_summary<'a>(
    line: &'a str,
    next: Option<&str>,
) -> Option<(Vec<IpNet>, &'a str, Option<&'a str>)> {
    let (before, rest) = line.split_once("(NET")?;
    let (_, range) = rest.split_once(')')?;
    let net = ranges(if range.trim().is_empty() { next.unwrap_or_default() } else { range });
    let before = before.trim_end();
    let (organization, name) = match before.rsplit_once(' ') {
        Some((organization, name)) => (organization.trim_end(), Some(name)),
        None => (before, None),
    };
    (!net.is_empty()).then_some((net, organization, name))
}
