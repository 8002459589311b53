//! Web servers that a scan found, and how far a scan has come.

use super::{json, key_text};
use crate::batch::Batch;
use crate::engine::{Fields, Sql, Value};
use crate::{Catalog, CatalogError};
use auslese_model::Timestamp;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// What answers at an address and port, as seen from one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebServer {
    pub address: IpAddr,
    pub port: u16,
    /// From where it was seen: inside the network more answers than outside.
    pub vantage: String,
    /// What it seems to be: a site, a device, a default page.
    pub class: String,
    /// Why it is taken for that.
    pub reason: String,
    /// Host names it may have.
    pub names: Vec<String>,
    pub status: Option<u16>,
    /// Its `Server` header.
    pub server_type: Option<String>,
    pub seen_at: Timestamp,
}

impl Catalog {
    /// Stores what a scan saw; returns how many rows were written. A server that was seen later
    /// from the same place stays as it is.
    pub async fn store_web_servers(&self, servers: &[WebServer]) -> Result<u64, CatalogError> {
        let mut newest: BTreeMap<_, &WebServer> = BTreeMap::new();
        for server in servers {
            let key = (server.address, server.port, key_text(&server.vantage));
            let known = newest.entry(key).or_insert(server);
            if server.seen_at >= known.seen_at {
                *known = server;
            }
        }
        let mut batch = Batch::new(
            "INSERT INTO web_server (address, port, vantage, class, reason, names, status, \
             server_type, seen_at)",
            9,
            " ON CONFLICT (address, port, vantage) DO UPDATE SET class = excluded.class, \
             reason = excluded.reason, names = excluded.names, status = excluded.status, \
             server_type = excluded.server_type, seen_at = excluded.seen_at \
             WHERE excluded.seen_at >= web_server.seen_at",
        );
        for ((address, port, vantage), server) in newest {
            batch.push([
                Some(address).into(),
                u64::from(port).into(),
                vantage.as_str().into(),
                server.class.as_str().into(),
                server.reason.as_str().into(),
                json(server.names.clone().into()),
                server.status.map(i64::from).into(),
                (&server.server_type).into(),
                server.seen_at.into(),
            ]);
        }
        let mut session = self.engine.begin().await?;
        let stored = batch.run(&mut session).await?;
        session.commit().await?;
        Ok(stored)
    }

    /// The next web servers after the one given.
    pub async fn web_servers_page(
        &self,
        after: Option<&WebServer>,
        limit: usize,
    ) -> Result<Vec<WebServer>, CatalogError> {
        let sql = "SELECT address, port, vantage, class, reason, names, status, server_type, \
                   seen_at FROM web_server WHERE (address, port, vantage) > ($1, $2, $3) \
                   ORDER BY address, port, vantage LIMIT $4";
        let sql = match after {
            Some(server) => Sql::new(sql)
                .bind(Some(server.address))
                .bind(u64::from(server.port))
                .bind(key_text(&server.vantage).as_str()),
            None => Sql::new(sql).bind("").bind(0_i64).bind(""),
        };
        let rows = self.engine.reader().await?.rows(sql.bind(limit)).await?;
        rows.into_iter().map(|mut row| read_web_server(&mut row)).collect()
    }

    /// Remembers a value under a name, such as how far a scan has come.
    pub async fn set_discovery_state(
        &self,
        key: &str,
        value: &serde_json::Value,
    ) -> Result<(), CatalogError> {
        let sql = "INSERT INTO discovery_state (key, value) VALUES ($1, $2) \
                   ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        let value = Value::Text(Some(value.to_string()));
        let mut session = self.engine.begin().await?;
        session.execute(Sql::new(sql).bind(key_text(key).as_str()).bind(value)).await?;
        Ok(session.commit().await?)
    }

    pub async fn discovery_state(
        &self,
        key: &str,
    ) -> Result<Option<serde_json::Value>, CatalogError> {
        let sql = "SELECT value FROM discovery_state WHERE key = $1";
        let sql = Sql::new(sql).bind(key_text(key).as_str());
        let row = self.engine.reader().await?.row(sql).await?;
        let Some(text) = row.map(|mut row| row.text()).transpose()? else { return Ok(None) };
        let unreadable = |_| CatalogError::damaged(format!("the state {key:?} is not JSON"));
        serde_json::from_str(&text).map(Some).map_err(unreadable)
    }
}

fn read_web_server(row: &mut Fields) -> Result<WebServer, CatalogError> {
    let address = row.text()?;
    let unreadable = |column: &str| {
        let words = format!("the column {column} of the web server at {address} is unreadable");
        CatalogError::damaged(words)
    };
    Ok(WebServer {
        address: address.parse().map_err(|_| unreadable("address"))?,
        port: u16::try_from(row.number()?).map_err(|_| unreadable("port"))?,
        vantage: row.text()?,
        class: row.text()?,
        reason: row.text()?,
        names: serde_json::from_str(&row.text()?).map_err(|_| unreadable("names"))?,
        status: row.maybe_number()?.map(|status| u16::try_from(status).unwrap_or(0)),
        server_type: row.maybe_text()?,
        seen_at: Timestamp(row.number()?),
    })
}
