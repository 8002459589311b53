//! In which of the five situations each member is, settled when a crawl ends and the links are known.
//!
//! Where a host stands is told by its addresses and the ranges of its organisation alone: whether an
//! address in a range makes a member is a setting, and no business of the cases.

use crate::HarvestError;
use crate::belonging::{each_lookup_page, verdicts};
use crate::judging::LINKING_HOSTS;
use auslese_catalog::Catalog;
use auslese_discover::Profile;
use auslese_discover::judge::{Reached, case_of, is_within};
use auslese_discover::lookup::recorded_addresses;
use auslese_model::{HostName, Indicator, LookupKind, LookupRecord, Membership, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::net::IpAddr;
use url::Url;

/// Says of every member in which of the five situations it is, by the links seen so far.
pub(crate) async fn assign_cases(
    catalog: &Catalog,
    profiles: &[Profile],
) -> Result<(), HarvestError> {
    let members: Vec<Verdict> = verdicts(catalog)
        .await?
        .into_iter()
        .filter(|it| it.membership == Membership::Member)
        .collect();
    if members.is_empty() {
        return Ok(());
    }
    let links = links(catalog, &members).await?;
    let institutions = catalog.institutions().await?;
    let entry_points = institutions.iter().filter_map(|it| Url::parse(&it.root_url).ok());
    let mut roots: Vec<HostName> = entry_points.filter_map(|url| HostName::of(&url)).collect();
    roots.extend(profiles.iter().map(|profile| profile.root.clone()));
    let internal = internal(&members, profiles, &addresses(catalog, &members).await?);
    let reached = reached(&roots, &internal, &links);
    let mut changed = Vec::new();
    for mut verdict in members {
        let by = reached.get(&verdict.host).copied().unwrap_or(Reached::Found);
        let case = Some(case_of(internal.contains(&verdict.host), by));
        if verdict.case != case {
            verdict.case = case;
            changed.push(verdict);
        }
    }
    catalog.set_verdicts(&changed).await?;
    Ok(())
}

/// Which hosts link to members, and which to the hosts between them: pages that were read for their
/// links only.
async fn links(
    catalog: &Catalog,
    members: &[Verdict],
) -> Result<Vec<(HostName, HostName)>, HarvestError> {
    let mut links = catalog.linked_from().await?;
    let mut known: FxHashSet<HostName> = members.iter().map(|it| it.host.clone()).collect();
    let mut at = 0;
    while let Some((_, from)) = links.get(at).cloned() {
        at += 1;
        if known.insert(from.clone()) {
            let further = catalog.linking_hosts(&from, LINKING_HOSTS).await?;
            links.extend(further.into_iter().map(|further| (from.clone(), further)));
        }
    }
    Ok(links)
}

/// The addresses of members, as they were last told.
async fn addresses(
    catalog: &Catalog,
    members: &[Verdict],
) -> Result<FxHashMap<HostName, Vec<IpAddr>>, HarvestError> {
    let mut addresses: FxHashMap<HostName, Vec<IpAddr>> =
        members.iter().map(|verdict| (verdict.host.clone(), Vec::new())).collect();
    let look = |page: Vec<LookupRecord>| {
        for (host, found) in recorded_addresses(&page) {
            if let Some(known) = addresses.get_mut(&host) {
                known.extend(found);
            }
        }
    };
    each_lookup_page(catalog, &[LookupKind::Dns], look).await?;
    Ok(addresses)
}

/// The members that stand in the network of their organisation.
fn internal(
    members: &[Verdict],
    profiles: &[Profile],
    addresses: &FxHashMap<HostName, Vec<IpAddr>>,
) -> FxHashSet<HostName> {
    let is_internal = |verdict: &&Verdict| {
        let own_address = verdict.host.address().map(|address| vec![address]);
        let known = own_address.as_ref().or_else(|| addresses.get(&verdict.host));
        let is_its = |it: &&Profile| verdict.label.as_ref().is_none_or(|label| *label == it.label);
        let own: Vec<&Profile> = profiles.iter().filter(is_its).collect();
        match known.filter(|known| !known.is_empty() && !own.is_empty()) {
            Some(known) => own.into_iter().any(|profile| is_within(known, profile)),
            // Nothing to compare; the verdict may know.
            None => has_net_sign(verdict),
        }
    };
    members.iter().filter(is_internal).map(|verdict| verdict.host.clone()).collect()
}

fn has_net_sign(verdict: &Verdict) -> bool {
    let mut signs = verdict.evidence.iter();
    signs.any(|sign| sign.indicator == Indicator::Net && sign.strength > 0.0)
}

/// How members are reached from the roots. A root counts as internal wherever it stands: paths
/// begin there.
fn reached(
    roots: &[HostName],
    internal: &FxHashSet<HostName>,
    links: &[(HostName, HostName)],
) -> FxHashMap<HostName, Reached> {
    let roots: Vec<&HostName> = roots.iter().collect();
    let mut onward: FxHashMap<&HostName, Vec<&HostName>> = FxHashMap::default();
    for (host, from) in links {
        onward.entry(from).or_default().push(host);
    }
    let by_internal = walk(&roots, &onward, |host| internal.contains(host));
    let by_any = walk(&roots, &onward, |_| true);
    let mut reached = FxHashMap::default();
    for host in by_any {
        reached.insert(host.clone(), Reached::ExternalLink);
    }
    for host in by_internal {
        reached.insert(host.clone(), Reached::InternalLink);
    }
    for root in roots {
        reached.insert(root.clone(), Reached::Root);
    }
    reached
}

/// All hosts that paths lead to which go on only over hosts that may be passed.
fn walk<'a>(
    roots: &[&'a HostName],
    onward: &FxHashMap<&'a HostName, Vec<&'a HostName>>,
    may_pass: impl Fn(&HostName) -> bool,
) -> FxHashSet<&'a HostName> {
    let mut found: FxHashSet<&HostName> = FxHashSet::default();
    let mut passed: FxHashSet<&HostName> = roots.iter().copied().collect();
    let mut waiting: VecDeque<&HostName> = roots.iter().copied().collect();
    while let Some(host) = waiting.pop_front() {
        for next in onward.get(host).into_iter().flatten() {
            found.insert(next);
            if may_pass(next) && passed.insert(next) {
                waiting.push_back(next);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_discover::Range;
    use auslese_model::{Evidence, Timestamp};

    fn host(name: &str) -> HostName {
        HostName::parse(name).unwrap()
    }

    fn member(name: &str, indicator: Indicator) -> Verdict {
        let now = Timestamp(0);
        let sign = Evidence {
            indicator,
            seen: String::new(),
            compared: String::new(),
            strength: 1.0,
            source: String::new(),
            at: now,
        };
        Verdict {
            host: host(name),
            membership: Membership::Member,
            score: 1.0,
            case: None,
            decided_by: None,
            reason: String::new(),
            label: Some("U".to_owned()),
            evidence: vec![sign],
            open: Vec::new(),
            at: now,
            until: now,
        }
    }

    fn profile(label: &str, net: &str) -> Profile {
        let range = Range {
            net: net.parse().unwrap(),
            holder: String::new(),
            found_by: String::new(),
            source: String::new(),
        };
        Profile { ranges: vec![range], ..Profile::new(label, host("root.example"), Timestamp(0)) }
    }

    #[test]
    fn the_five_cases() {
        let internal: FxHashSet<HostName> =
            ["root.example", "one.example", "far-one.example", "three.example", "four.example"]
                .map(host)
                .into_iter()
                .collect();
        let link = |to: &str, from: &str| (host(to), host(from));
        let links = [
            link("one.example", "root.example"),
            link("far-one.example", "one.example"),
            link("two.example", "one.example"),
            link("three.example", "two.example"),
            link("root.example", "three.example"),
            link("four.example", "stranger.example"),
        ];
        let reached = reached(&[host("root.example")], &internal, &links);
        #[rustfmt::skip]
        let cases = [
            ("root.example", 1), ("one.example", 1), ("far-one.example", 1), ("two.example", 2),
            ("three.example", 3), ("four.example", 4), ("five.example", 5),
        ];
        for (name, expected) in cases {
            let by = reached.get(&host(name)).copied().unwrap_or(Reached::Found);
            assert_eq!(case_of(internal.contains(&host(name)), by).number(), expected, "{name}");
        }
    }

    /// Addresses tell, whatever made the host a member.
    #[test]
    fn where_members_stand() {
        use Indicator::{Holder, Net, Rule};
        let inside: Vec<IpAddr> = vec!["192.0.2.1".parse().unwrap(), "198.18.1.9".parse().unwrap()];
        let outside: Vec<IpAddr> = vec!["192.0.2.1".parse().unwrap()];
        let others: Vec<IpAddr> = vec!["203.0.113.9".parse().unwrap()];
        #[rustfmt::skip]
        let cases = [
            ("a.example",    Net,    Some(&inside),  true),
            ("b.example",    Holder, Some(&inside),  true),
            ("c.example",    Rule,   Some(&inside),  true),
            ("d.example",    Rule,   Some(&outside), false),
            // By an earlier profile.
            ("e.example",    Net,    Some(&outside), false),
            // The range of the other organisation.
            ("f.example",    Holder, Some(&others),  false),
            ("198.18.1.7",   Rule,   None,           true),
            ("g.example",    Net,    None,           true),
            ("h.example",    Holder, None,           false),
        ];
        let profiles = [profile("U", "198.18.1.0/24"), profile("V", "203.0.113.0/24")];
        for (name, indicator, addresses, expected) in cases {
            let known = addresses.map(|known| (host(name), known.clone())).into_iter().collect();
            let found = internal(&[member(name, indicator)], &profiles, &known);
            assert_eq!(found.contains(&host(name)), expected, "{name}");
        }
    }
}
