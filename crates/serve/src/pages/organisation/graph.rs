//! The graph of domains: what somebody registered, how much was harvested of it, whether it belongs, and which links to
//! which. Hosts of one domain are one node, since hundreds of hosts make a picture that nobody can read.

use super::layout::arrange;
use auslese_catalog::{Catalog, CatalogError, MetHost};
use auslese_discover::registrable_domain;
use auslese_model::{HostName, Membership};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Domains that are drawn; the rest is counted.
pub(crate) const MAX_NODES: usize = 60;
/// Hosts that are looked at, those with most captures first.
const MAX_HOSTS: usize = 50_000;
/// Pairs of hosts that are looked at.
const MAX_LINKS: usize = 300_000;

/// Domains and what links them.
#[derive(Debug, Serialize)]
pub(crate) struct DomainGraph {
    pub(super) nodes: Vec<Node>,
    pub(super) links: Vec<Link>,
    /// Domains that are not drawn.
    pub(super) further: usize,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct Node {
    pub(super) domain: String,
    pub(super) membership: Option<Membership>,
    pub(super) hosts: u64,
    pub(super) captures: u64,
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Pages of one domain lead to another; numbers are those of nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Pairs of hosts.
    pub(super) hosts: u64,
}

impl DomainGraph {
    pub(super) async fn gather(catalog: &Catalog) -> Result<DomainGraph, CatalogError> {
        let hosts = catalog.met_hosts(MAX_HOSTS).await?;
        let links = catalog.host_links(MAX_LINKS).await?;
        Ok(DomainGraph::of(&hosts, &links))
    }

    fn of(hosts: &[MetHost], pairs: &[(HostName, HostName)]) -> DomainGraph {
        let mut domains: BTreeMap<&str, Node> = BTreeMap::new();
        for met in hosts {
            let domain = domain_of(&met.host);
            let node = domains.entry(domain).or_insert_with(|| Node {
                domain: domain.to_owned(),
                membership: None,
                hosts: 0,
                captures: 0,
                x: 0.0,
                y: 0.0,
            });
            node.hosts += 1;
            node.captures += met.captures;
            node.membership = stronger(node.membership, met.membership);
        }
        let mut nodes: Vec<Node> = domains.into_values().collect();
        // What belongs, then what much was harvested of; the same each time.
        nodes.sort_by(|a, b| {
            rank(a.membership)
                .cmp(&rank(b.membership))
                .then(b.captures.cmp(&a.captures))
                .then(b.hosts.cmp(&a.hosts))
                .then_with(|| a.domain.cmp(&b.domain))
        });
        let further = nodes.len().saturating_sub(MAX_NODES);
        nodes.truncate(MAX_NODES);
        let links = links_between(&nodes, pairs);
        arrange(&mut nodes, &links);
        DomainGraph { nodes, links, further }
    }
}

fn domain_of(host: &HostName) -> &str {
    registrable_domain(host).unwrap_or(host.as_str())
}

fn links_between(nodes: &[Node], pairs: &[(HostName, HostName)]) -> Vec<Link> {
    let numbers: HashMap<&str, usize> =
        nodes.iter().enumerate().map(|(number, node)| (node.domain.as_str(), number)).collect();
    let mut counts: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for (from, to) in pairs {
        let both = numbers.get(domain_of(from)).zip(numbers.get(domain_of(to)));
        if let Some((from, to)) = both.filter(|(from, to)| from != to) {
            *counts.entry((*from, *to)).or_default() += 1;
        }
    }
    counts.into_iter().map(|((from, to), hosts)| Link { from, to, hosts }).collect()
}

/// A domain belongs if one of its hosts does.
fn stronger(one: Option<Membership>, other: Option<Membership>) -> Option<Membership> {
    if rank(other) < rank(one) { other } else { one }
}

fn rank(membership: Option<Membership>) -> u8 {
    match membership {
        Some(Membership::Member) => 0,
        Some(Membership::Unsure) => 1,
        Some(Membership::Foreign) => 2,
        None => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(name: &str) -> HostName {
        HostName::parse(name).unwrap()
    }

    fn met(name: &str, membership: Option<Membership>, captures: u64) -> MetHost {
        MetHost { host: host(name), membership, captures, address: None }
    }

    #[test]
    fn hosts_become_domains() {
        let hosts = [
            met("www.uni.example", Some(Membership::Member), 10),
            met("math.uni.example", Some(Membership::Foreign), 5),
            met("www.shop.example", Some(Membership::Foreign), 100),
            met("192.0.2.1", None, 1),
        ];
        let pairs = [
            (host("www.uni.example"), host("www.shop.example")),
            (host("math.uni.example"), host("www.shop.example")),
            (host("math.uni.example"), host("www.uni.example")),
            (host("www.other.example"), host("www.uni.example")),
        ];
        let graph = DomainGraph::of(&hosts, &pairs);
        let names: Vec<(&str, u64)> =
            graph.nodes.iter().map(|it| (it.domain.as_str(), it.captures)).collect();
        assert_eq!(names, [("uni.example", 15), ("shop.example", 100), ("192.0.2.1", 1)]);
        assert_eq!(graph.links, [Link { from: 0, to: 1, hosts: 2 }]);
        assert_eq!((graph.further, graph.nodes[0].membership), (0, Some(Membership::Member)));
    }

    #[test]
    fn many_domains_are_counted_and_the_picture_is_the_same_each_time() {
        let hosts: Vec<MetHost> =
            (0..200).map(|n| met(&format!("www.d{n}.example"), None, n)).collect();
        let pairs: Vec<_> = (0..199)
            .map(|n| (host(&format!("www.d{n}.example")), host(&format!("www.d{}.example", n + 1))))
            .collect();
        let (one, other) = (DomainGraph::of(&hosts, &pairs), DomainGraph::of(&hosts, &pairs));
        assert_eq!((one.nodes.len(), one.further), (MAX_NODES, 140));
        for (a, b) in one.nodes.iter().zip(&other.nodes) {
            assert_eq!((a.x.to_bits(), a.y.to_bits()), (b.x.to_bits(), b.y.to_bits()));
            assert!((0.0..=1.0).contains(&a.x) && (0.0..=1.0).contains(&a.y), "{a:?}");
        }
    }
}
