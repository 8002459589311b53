//! Which server links to which: the paths by which members can be reached.
//!
//! A request knows the one page it was first found in. Which hosts link to a host could be asked of
//! the requests, but only with an index over all of them, which every commit would pay for. So each
//! commit keeps the pairs of servers, which are far fewer than the requests.
//! Links to addresses that are known already are no offers and leave no pair by themselves; a crawl
//! that sees them names the pair in its commit.

use super::read_host;
use crate::batch::Batch;
use crate::engine::{Session, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::{Commit, HostName, Membership, RequestId, ServerId, ServerLink};
use std::collections::{BTreeSet, HashMap};

/// Members whose links are read at once.
const MEMBERS_AT_ONCE: usize = 256;

impl Catalog {
    /// Other hosts with pages that lead to this one.
    pub async fn linking_hosts(
        &self,
        host: &HostName,
        limit: usize,
    ) -> Result<Vec<HostName>, CatalogError> {
        let sql = "SELECT DISTINCT f.name FROM server_info s \
                   JOIN server_link l ON l.server_id = s.id \
                   JOIN server_info f ON f.id = l.from_server_id \
                   WHERE s.name = $1 AND f.name <> $1 ORDER BY f.name LIMIT $2";
        let sql = Sql::new(sql).bind(host.as_str()).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_host(&row.text()?)).collect()
    }

    /// For every member the other hosts with pages that lead to it: pairs of a member and a host
    /// that links to it, which may be a member or not.
    pub async fn linked_from(&self) -> Result<Vec<(HostName, HostName)>, CatalogError> {
        // Members come in pages along their index; the rest is looked up for each of them. A
        // member that nobody links to has a row without a second host.
        let sql = "SELECT DISTINCT h.host, f.name FROM (SELECT host FROM host_verdict \
                   WHERE membership = $1 AND host > $2 ORDER BY host LIMIT $3) h \
                   LEFT JOIN server_info s ON s.name = h.host \
                   LEFT JOIN server_link l ON l.server_id = s.id \
                   LEFT JOIN server_info f ON f.id = l.from_server_id AND f.name <> h.host \
                   ORDER BY h.host, f.name";
        let mut session = self.engine.reader().await?;
        let (mut pairs, mut last) = (Vec::new(), String::new());
        loop {
            let sql = Sql::new(sql).bind(Membership::Member.as_str()).bind(last.as_str());
            let page = session.rows(sql.bind(MEMBERS_AT_ONCE)).await?;
            if page.is_empty() {
                return Ok(pairs);
            }
            for mut row in page {
                last = row.text()?;
                if let Some(from) = row.maybe_text()? {
                    pairs.push((read_host(&last)?, read_host(&from)?));
                }
            }
        }
    }
}

/// Keeps the pairs of servers that a window tells of; most are known already.
pub(crate) async fn insert_links(
    session: &mut Session,
    commit: &Commit,
) -> Result<(), CatalogError> {
    let mut by_offers = Batch::new(
        "WITH v (server_id, via) AS (",
        2,
        ") INSERT INTO server_link (server_id, from_server_id) \
         SELECT DISTINCT v.server_id, r.server_id FROM v JOIN request r ON r.id = v.via \
         WHERE r.server_id <> v.server_id ORDER BY 1, 2 \
         ON CONFLICT (server_id, from_server_id) DO NOTHING",
    );
    for (server, via) in ways(commit) {
        by_offers.push([server.into(), via.into()]);
    }
    by_offers.run(session).await?;
    let mut named = Batch::new(
        "INSERT INTO server_link (server_id, from_server_id)",
        2,
        " ON CONFLICT (server_id, from_server_id) DO NOTHING",
    );
    let between = commit.links.iter().filter(|link| link.server != link.from);
    for ServerLink { server, from } in between.copied().collect::<BTreeSet<_>>() {
        named.push([server.into(), from.into()]);
    }
    named.run(session).await?;
    Ok(())
}

/// The servers of offers, and the requests that led there from other servers, or may have: the
/// server of a request is known here if its answer is in the same window, as it is in most cases.
fn ways(commit: &Commit) -> BTreeSet<(ServerId, RequestId)> {
    let sources: HashMap<RequestId, ServerId> =
        commit.captures.iter().map(|capture| (capture.request, capture.server)).collect();
    let offers = commit.offers.iter();
    offers
        .filter_map(|offer| Some((offer.server, offer.via?)))
        .filter(|(server, via)| sources.get(via) != Some(server))
        .collect()
}
