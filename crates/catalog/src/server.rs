//! Servers: their names, clocks and robots.txt as rows.

use crate::batch::server_places;
use crate::engine::{Fields, Session, Sql};
use crate::{Catalog, CatalogError};
use auslese_model::{Clock, HostName, Origin, RobotsCopy, Scheme, ServerId, Timestamp};
use std::collections::HashMap;
use std::time::Duration;

/// Servers read at once.
const PAGE: i64 = 2_048;

/// A server and its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownServer {
    pub id: ServerId,
    pub origin: Origin,
    pub label: Option<String>,
}

impl Catalog {
    /// All servers met so far.
    pub async fn servers(&self) -> Result<Vec<KnownServer>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = "SELECT id, scheme, name, port, label FROM server_info \
                   WHERE id > $1 ORDER BY id LIMIT $2";
        let mut servers: Vec<KnownServer> = Vec::new();
        loop {
            let last = servers.last().map_or(i64::MIN, |server| server.id.0);
            let page = session.rows(Sql::new(sql).bind(last).bind(PAGE)).await?;
            if page.is_empty() {
                return Ok(servers);
            }
            for mut row in page {
                let id = ServerId(row.number()?);
                let origin = read_origin(&mut row)?;
                servers.push(KnownServer { id, origin, label: row.maybe_text()? });
            }
        }
    }
}

/// The columns `address, last_end, next_at, delay_ms, failures`.
pub(crate) fn read_clock(row: &mut Fields, server: ServerId) -> Result<Clock, sqlx::Error> {
    Ok(Clock {
        server,
        address: row.maybe_text()?.and_then(|text| text.parse().ok()),
        last_end: Timestamp(row.number()?),
        next_at: Timestamp(row.number()?),
        delay: Duration::from_millis(row.count()?),
        failures: u32::try_from(row.number()?).unwrap_or(u32::MAX),
    })
}

pub(crate) async fn read_origins(
    session: &mut Session,
    servers: &[ServerId],
) -> Result<HashMap<ServerId, (Origin, Option<String>)>, CatalogError> {
    let sql = format!(
        "SELECT id, scheme, name, port, label FROM server_info WHERE id IN ({})",
        server_places(1)
    );
    let rows = session.rows(Sql::new(sql).bind_servers(servers)).await?;
    rows.into_iter()
        .map(|mut row| {
            let server = ServerId(row.number()?);
            Ok((server, (read_origin(&mut row)?, row.maybe_text()?)))
        })
        .collect()
}

/// The columns `scheme, name, port`.
pub(crate) fn read_origin(row: &mut Fields) -> Result<Origin, CatalogError> {
    let (scheme, name, port) = (row.text()?, row.text()?, row.number()?);
    let origin = || {
        let scheme = [Scheme::Http, Scheme::Https].into_iter().find(|s| s.as_str() == scheme)?;
        Some(Origin { scheme, host: HostName::parse(&name)?, port: u16::try_from(port).ok()? })
    };
    origin().ok_or_else(|| {
        CatalogError::damaged(format!("{scheme}://{name}:{port} is not the origin of a server"))
    })
}

pub(crate) async fn read_robots(
    session: &mut Session,
    servers: &[ServerId],
) -> Result<HashMap<ServerId, RobotsCopy>, CatalogError> {
    let sql = format!(
        "SELECT server_id, fetched, expires, status, body FROM robots WHERE server_id IN ({})",
        server_places(1)
    );
    let rows = session.rows(Sql::new(sql).bind_servers(servers)).await?;
    rows.into_iter()
        .map(|mut row| {
            let server = ServerId(row.number()?);
            let copy = RobotsCopy {
                server,
                fetched: Timestamp(row.number()?),
                expires: Timestamp(row.number()?),
                status: u16::try_from(row.number()?).unwrap_or(0),
                body: row.bytes()?,
            };
            Ok((server, copy))
        })
        .collect()
}
