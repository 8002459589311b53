//! Notes between workers: whoever queues requests for the servers of others, or for servers that
//! nobody has, says so, and those who wait look around at once.
//!
//! PostgreSQL carries them (`LISTEN`, `NOTIFY`). A note may get lost with a connection, so nobody
//! relies on them: workers look around every second or so without being told.

use crate::engine::{Dialect, Engine, Session, Sql};
use crate::{Catalog, CatalogError};
use sqlx::postgres::PgListener;

/// An ear for the notes of other workers.
#[derive(Debug)]
pub struct Listener {
    ear: Option<PgListener>,
}

impl Catalog {
    /// Listens from now on. On SQLite there is nobody to be heard.
    pub async fn listen(&self) -> Result<Listener, CatalogError> {
        let Engine::Postgres(pool) = &self.engine else { return Ok(Listener { ear: None }) };
        let mut ear = PgListener::connect_with(pool).await?;
        ear.listen(&self.channel()).await?;
        Ok(Listener { ear: Some(ear) })
    }

    fn channel(&self) -> String {
        channel(self.harvest())
    }

    /// Tells the other workers to look around.
    pub async fn call(&self) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        call(&mut session, self.harvest()).await?;
        Ok(session.commit().await?)
    }
}

impl Listener {
    /// Ends when something was said, or when the connection was lost and made again. After an error
    /// one listens anew.
    pub async fn hear(&mut self) -> Result<(), CatalogError> {
        match &mut self.ear {
            Some(ear) => {
                ear.try_recv().await?;
                Ok(())
            }
            None => std::future::pending().await,
        }
    }
}

fn channel(harvest: &str) -> String {
    format!("auslese_{harvest}")
}

/// Says that there is something new, when the transaction is committed.
pub(crate) async fn call(session: &mut Session, harvest: &str) -> Result<(), CatalogError> {
    if session.dialect() == Dialect::Postgres {
        let sql = "SELECT 1::bigint FROM (SELECT pg_notify($1, '')) told";
        session.rows(Sql::new(sql).bind(channel(harvest).as_str())).await?;
    }
    Ok(())
}
