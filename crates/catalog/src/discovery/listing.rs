//! Hosts as people go through them: some of those that were judged, what was harvested of them, and which host links
//! to which.

use super::read_host;
use super::verdict::{COLUMNS, read_verdict};
use crate::engine::{Sql, Value};
use crate::server::read_robots;
use crate::{Catalog, CatalogError};
use auslese_model::{Case, HostName, Membership, RobotsCopy, ServerId, Verdict};
use std::net::IpAddr;

/// Which hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostFilter {
    pub membership: Option<Membership>,
    pub case: Option<Case>,
    /// Letters of their names.
    pub text: String,
}

/// What hosts are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HostOrder {
    /// Members first, by case, then by name.
    #[default]
    Verdict,
    Host,
    Score,
    Captures,
}

/// A host that was judged.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedHost {
    pub verdict: Verdict,
    pub captures: u64,
}

/// A host that was met, judged or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MetHost {
    pub host: HostName,
    pub membership: Option<Membership>,
    pub captures: u64,
    /// The address it had last.
    pub address: Option<IpAddr>,
}

impl Catalog {
    /// Some of the hosts that were judged, and how many there are.
    pub async fn judged_hosts(
        &self,
        filter: &HostFilter,
        order: HostOrder,
        descending: bool,
        offset: usize,
        limit: usize,
    ) -> Result<(u64, Vec<JudgedHost>), CatalogError> {
        let (condition, values) = condition(filter);
        let asked = |sql: String| Sql { text: sql.into(), values: values.clone() };
        let mut session = self.engine.reader().await?;
        let sql = format!("SELECT COUNT(*) FROM host_verdict v WHERE {condition}");
        let total = session.row(asked(sql)).await?.map_or(Ok(0), |mut row| row.count())?;
        let way = if descending { "DESC" } else { "ASC" };
        // Those that wait for a person stand between those that belong and those that do not.
        let sorting = match order {
            HostOrder::Verdict => format!(
                "CASE v.membership WHEN 'member' THEN 1 WHEN 'unsure' THEN 2 ELSE 3 END {way}, \
                 v.case_number {way}, v.host {way}"
            ),
            HostOrder::Host => format!("v.host {way}"),
            HostOrder::Score => format!("v.score {way}, v.host"),
            HostOrder::Captures => format!("{CAPTURES} {way}, v.host"),
        };
        let next = values.len() + 1;
        let sql = format!(
            "SELECT {COLUMNS}, {CAPTURES} FROM host_verdict v WHERE {condition} \
             ORDER BY {sorting} LIMIT ${next} OFFSET ${}",
            next + 1
        );
        let rows = session.rows(asked(sql).bind(limit).bind(offset)).await?;
        let hosts = rows.into_iter().map(|mut row| {
            Ok(JudgedHost { verdict: read_verdict(&mut row)?, captures: row.count()? })
        });
        Ok((total, hosts.collect::<Result<_, CatalogError>>()?))
    }

    /// Hosts that were met, those with most captures first.
    pub async fn met_hosts(&self, limit: usize) -> Result<Vec<MetHost>, CatalogError> {
        let sql = "SELECT s.name, MAX(v.membership), \
                   CAST(COALESCE(SUM(q.captures), 0) AS BIGINT) AS captures, MAX(q.address) \
                   FROM server_info s LEFT JOIN server_queue q ON q.server_id = s.id \
                   LEFT JOIN host_verdict v ON v.host = s.name \
                   GROUP BY s.name ORDER BY captures DESC, s.name LIMIT $1";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(MetHost {
                    host: read_host(&row.text()?)?,
                    membership: row.maybe_text()?.and_then(|text| Membership::parse(&text)),
                    captures: row.count()?,
                    address: row.maybe_text()?.and_then(|text| text.parse().ok()),
                })
            })
            .collect()
    }

    /// Pairs of hosts, the first of which has pages that lead to the second.
    pub async fn host_links(
        &self,
        limit: usize,
    ) -> Result<Vec<(HostName, HostName)>, CatalogError> {
        let sql = "SELECT f.name, s.name FROM server_link l \
                   JOIN server_info s ON s.id = l.server_id \
                   JOIN server_info f ON f.id = l.from_server_id WHERE f.name <> s.name \
                   ORDER BY l.server_id, l.from_server_id LIMIT $1";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| Ok((read_host(&row.text()?)?, read_host(&row.text()?)?)))
            .collect()
    }

    /// Hosts to which pages of this one lead.
    pub async fn linked_hosts(
        &self,
        host: &HostName,
        limit: usize,
    ) -> Result<Vec<HostName>, CatalogError> {
        let sql = "SELECT DISTINCT t.name FROM server_link l \
                   JOIN server_info t ON t.id = l.server_id WHERE l.from_server_id IN \
                   (SELECT s.id FROM server_info s WHERE s.name = $1) AND t.name <> $1 \
                   ORDER BY t.name LIMIT $2";
        let sql = Sql::new(sql).bind(host.as_str()).bind(limit);
        let rows = self.engine.reader().await?.rows(sql).await?;
        rows.into_iter().map(|mut row| read_host(&row.text()?)).collect()
    }

    /// The copies of robots.txt of some servers, as the crawl goes by them.
    pub async fn robots_copies(
        &self,
        servers: &[ServerId],
    ) -> Result<Vec<RobotsCopy>, CatalogError> {
        let copies = read_robots(&mut self.engine.reader().await?, servers).await?;
        let mut copies: Vec<RobotsCopy> = copies.into_values().collect();
        copies.sort_by_key(|copy| copy.server);
        Ok(copies)
    }
}

/// Captures of a host, on whatever port.
const CAPTURES: &str = "(SELECT CAST(COALESCE(SUM(q.captures), 0) AS BIGINT) FROM server_info s \
    JOIN server_queue q ON q.server_id = s.id WHERE s.name = v.host)";

fn condition(filter: &HostFilter) -> (String, Vec<Value>) {
    let mut conditions = vec!["1 = 1".to_owned()];
    let mut values: Vec<Value> = Vec::new();
    let mut add = |words: &str, value: Value| {
        values.push(value);
        conditions.push(words.replace('#', &format!("${}", values.len())));
    };
    if let Some(membership) = filter.membership {
        add("v.membership = #", membership.as_str().into());
    }
    if let Some(case) = filter.case {
        add("v.case_number = #", i64::from(case.number()).into());
    }
    if !filter.text.is_empty() {
        let mut text = filter.text.to_lowercase();
        for sign in ["!", "%", "_"] {
            text = text.replace(sign, &format!("!{sign}"));
        }
        add("v.host LIKE # ESCAPE '!'", format!("%{text}%").as_str().into());
    }
    (conditions.join(" AND "), values)
}
