//! Hosts that wait for a person, and what waits with them.

use super::verdict::{COLUMNS, read_verdict};
use crate::engine::Sql;
use crate::{Catalog, CatalogError};
use auslese_model::{HostName, Verdict};

/// A host that nothing and nobody could decide on.
#[derive(Debug, Clone, PartialEq)]
pub struct UnsureHost {
    pub verdict: Verdict,
    /// Addresses on it that wait for the decision.
    pub waiting: u64,
    /// Other hosts that link to it.
    pub linking_hosts: u64,
}

impl Catalog {
    /// The hosts that wait for a person, those with most waiting addresses first, and how many there are. Hosts that
    /// were decided on since are among them until a crawl has followed.
    pub async fn unsure_hosts(
        &self,
        offset: usize,
        limit: usize,
    ) -> Result<(u64, Vec<UnsureHost>), CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = "SELECT COUNT(*) FROM host_verdict WHERE membership = 'unsure'";
        let total = session.row(Sql::new(sql)).await?.map_or(Ok(0), |mut row| row.count())?;
        let sql = format!(
            "SELECT {COLUMNS}, (SELECT COUNT(*) FROM server_info s JOIN request r \
              ON r.server_id = s.id AND r.state = 'parked' WHERE s.name = v.host) AS waiting, \
             (SELECT COUNT(DISTINCT f.name) FROM server_info s \
              JOIN server_link l ON l.server_id = s.id JOIN server_info f ON f.id = l.from_server_id \
              WHERE s.name = v.host AND f.name <> v.host) AS linking \
             FROM host_verdict v WHERE v.membership = 'unsure' \
             ORDER BY waiting DESC, linking DESC, v.host LIMIT $1 OFFSET $2"
        );
        let rows = session.rows(Sql::new(sql).bind(limit).bind(offset)).await?;
        let hosts = rows.into_iter().map(|mut row| {
            Ok(UnsureHost {
                verdict: read_verdict(&mut row)?,
                waiting: row.count()?,
                linking_hosts: row.count()?,
            })
        });
        Ok((total, hosts.collect::<Result<_, CatalogError>>()?))
    }

    /// Addresses on a host that wait for a decision on it.
    pub async fn waiting_for_verdict(&self, host: &HostName) -> Result<u64, CatalogError> {
        let sql = "SELECT COUNT(*) FROM server_info s JOIN request r \
                   ON r.server_id = s.id AND r.state = 'parked' WHERE s.name = $1";
        let sql = Sql::new(sql).bind(host.as_str());
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())?)
    }
}
