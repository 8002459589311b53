//! What a decision by hand or a new verdict means for requests that are known already.

use super::HostPattern;
use crate::batch::Batch;
use crate::engine::{Session, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::{Cause, CauseKind, Membership, Verdict};

impl Catalog {
    /// Takes up requests that were refused because their host was not in scope or was excluded:
    /// they are parked, so the crawl judges them again. Returns how many.
    pub async fn reopen_requests(&self, hosts: &HostPattern) -> Result<u64, CatalogError> {
        let sql = format!(
            "UPDATE request SET state = 'parked', cause_kind = NULL, cause = NULL \
             WHERE state = 'refused' AND cause_kind IN ($1, $2) AND server_id IN ({})",
            servers_of(hosts, 3)
        );
        let kinds = [CauseKind::Scope.as_str(), CauseKind::Excluded.as_str()];
        self.change_hosts(kinds.into_iter().fold(Sql::new(sql), Sql::bind), hosts).await
    }

    /// Refuses all requests of some hosts that wait to be sent or judged; returns how many. A
    /// request that is being sent at the moment still gets the state of its outcome.
    pub async fn refuse_requests(
        &self,
        hosts: &HostPattern,
        cause: &Cause,
    ) -> Result<u64, CatalogError> {
        let mut refused = 0;
        // One statement for each state: each has an index of its own.
        for state in ["queued", "parked"] {
            let sql = format!(
                "UPDATE request SET state = 'refused', cause_kind = $1, cause = $2 \
                 WHERE state = '{state}' AND server_id IN ({})",
                servers_of(hosts, 3)
            );
            let sql = Sql::new(sql).bind(cause.kind.as_str()).bind(cause.detail.as_str());
            refused += self.change_hosts(sql, hosts).await?;
        }
        Ok(refused)
    }

    /// Runs a statement that ends with the places made by [`servers_of`].
    async fn change_hosts(&self, sql: Sql, hosts: &HostPattern) -> Result<u64, CatalogError> {
        let sql = match hosts {
            HostPattern::Host(name) => sql.bind(name.as_str()),
            HostPattern::Domain(name) => sql.bind(name.as_str()).bind(format!(".{name}").as_str()),
        };
        let mut session = self.engine.begin().await?;
        let changed = session.execute(sql).await?;
        session.commit().await?;
        Ok(changed)
    }
}

/// Parks requests again that were refused while their host was judged not to belong, for the hosts
/// that do by these verdicts; returns how many.
pub(super) async fn reopen_for(
    session: &mut Session,
    verdicts: impl Iterator<Item = &Verdict>,
) -> Result<u64, CatalogError> {
    let mut batch = Batch::new(
        "WITH v (host, at) AS (",
        2,
        ") UPDATE request SET state = 'parked', cause_kind = NULL, cause = NULL \
         WHERE state = 'refused' AND cause_kind = 'scope' AND server_id IN (SELECT s.id FROM v \
         JOIN host_verdict h ON h.host = v.host AND h.membership <> 'member' AND h.at <= v.at \
         JOIN server_info s ON s.name = v.host)",
    );
    for verdict in verdicts.filter(|verdict| verdict.membership == Membership::Member) {
        batch.push([verdict.host.as_str().into(), verdict.at.into()]);
    }
    Ok(batch.run(session).await?)
}

/// A query for the servers of some hosts.
fn servers_of(hosts: &HostPattern, place: usize) -> String {
    let equal = format!("SELECT id FROM server_info WHERE name = ${place}");
    match hosts {
        HostPattern::Host(_) => equal,
        // Not LIKE: names may contain its wildcard `_`.
        HostPattern::Domain(_) => {
            format!("{equal} OR substr(name, length(name) - length(${0}) + 1) = ${0}", place + 1)
        }
    }
}
