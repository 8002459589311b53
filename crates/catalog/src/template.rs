//! The account of URL templates: addresses of one make on a server, and whether more are asked for.
//!
//! A crawl adds to it with every window, and only adds, so that several workers may: who finds links to
//! a server need not be the one who has it. It may quarantine a template that is open; what a person
//! decided, it never changes. Requests that were dropped for a template carry it as their cause, so
//! that they are found again when it is released.

use crate::batch::{Batch, SERVERS_AT_ONCE, server_places};
use crate::engine::{Fields, Session, Sql};
use crate::run::insert_control;
use crate::server::read_origin;
use crate::{Catalog, CatalogError};
use auslese_model::{CauseKind, Origin, ServerId, TemplateChange, TemplateState, Timestamp};
use serde_json::json;
use std::collections::BTreeMap;

/// The kind of the note by which a running crawl hears of a decision on a template.
pub const TEMPLATE_NOTE: &str = "template";

/// Why a template is quarantined that a person holds back.
const BY_HAND: &str = "held back by hand";

/// What is known of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredTemplate {
    pub server: ServerId,
    pub template: String,
    pub state: TemplateState,
    /// Why it is quarantined.
    pub reason: Option<String>,
    pub offered: u64,
    pub withheld: u64,
    pub fetched: u64,
    pub novel: u64,
    /// One bit for each of the last pages, set if it brought something new.
    pub recent: u64,
    /// The same, set if it brought nothing new but led to addresses of its server that were not known.
    pub leading: u64,
    /// When its state changed, or its first row was written.
    pub changed_at: Timestamp,
}

impl StoredTemplate {
    /// Whether a person holds it back.
    pub fn is_held_by_hand(&self) -> bool {
        self.state == TemplateState::Quarantined && self.reason.as_deref() == Some(BY_HAND)
    }
}

/// What came of a decision on a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TemplateDecision {
    /// Requests that wait again.
    pub queued: u64,
    /// The note left for a running crawl.
    pub note: i64,
}

const COLUMNS: &str = "t.server_id, t.template, t.state, t.reason, t.offered, t.withheld, \
    t.fetched, t.novel, t.recent, t.leads_on, t.changed_at";

impl Catalog {
    /// The templates of some servers.
    pub async fn templates_of(
        &self,
        servers: &[ServerId],
    ) -> Result<Vec<StoredTemplate>, CatalogError> {
        let mut session = self.engine.reader().await?;
        let sql = format!(
            "SELECT {COLUMNS} FROM url_template t WHERE t.server_id IN ({}) \
             ORDER BY t.server_id, t.template",
            server_places(1)
        );
        let mut templates = Vec::new();
        for some in servers.chunks(SERVERS_AT_ONCE) {
            for mut row in session.rows(Sql::new(sql.clone()).bind_servers(some)).await? {
                templates.push(read_template(&mut row)?);
            }
        }
        Ok(templates)
    }

    /// Templates that a crawl quarantined or a person decided on, by server, at most so many; only
    /// those in one state if it is given.
    pub async fn decided_templates(
        &self,
        state: Option<TemplateState>,
        limit: usize,
    ) -> Result<Vec<(Origin, StoredTemplate)>, CatalogError> {
        let sql = format!(
            "SELECT s.scheme, s.name, s.port, {COLUMNS} FROM url_template t \
             JOIN server_info s ON s.id = t.server_id \
             WHERE t.state <> 'open' AND ($1 = '' OR t.state = $1) \
             ORDER BY s.name, s.port, s.id, t.template LIMIT $2"
        );
        let state = state.map_or("", TemplateState::as_str);
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(state).bind(limit)).await?;
        rows.into_iter()
            .map(|mut row| Ok((read_origin(&mut row)?, read_template(&mut row)?)))
            .collect()
    }

    /// How many templates are quarantined.
    pub async fn quarantined_templates(&self) -> Result<u64, CatalogError> {
        let sql = "SELECT COUNT(*) FROM url_template WHERE state <> 'open' AND state = $1";
        let sql = Sql::new(sql).bind(TemplateState::Quarantined.as_str());
        let row = self.engine.reader().await?.row(sql).await?;
        Ok(row.map_or(Ok(0), |mut row| row.count())?)
    }

    /// Lets the requests of a template pass for good: those that were dropped wait again, and it is
    /// not judged any more.
    pub async fn release_template(
        &self,
        server: ServerId,
        template: &str,
        at: Timestamp,
    ) -> Result<TemplateDecision, CatalogError> {
        let mut session = self.engine.begin().await?;
        set_state(&mut session, server, template, TemplateState::Released, None, at).await?;
        let sql = "UPDATE request SET state = 'queued', cause_kind = NULL, cause = NULL \
                   WHERE server_id = $1 AND state = 'refused' AND cause_kind = $2 AND cause = $3";
        let sql = Sql::new(sql).bind(server).bind(CauseKind::Trap.as_str()).bind(template);
        let queued = session.execute(sql).await?;
        let sql = "UPDATE server_queue SET idle = 0, \
                   news = CASE WHEN leased_by IS NULL THEN news ELSE 1 END WHERE server_id = $1";
        session.execute(Sql::new(sql).bind(server)).await?;
        let note = leave_note(&mut session, server, at).await?;
        session.commit().await?;
        Ok(TemplateDecision { queued, note })
    }

    /// Holds the requests of a template back until it is released.
    pub async fn hold_template(
        &self,
        server: ServerId,
        template: &str,
        at: Timestamp,
    ) -> Result<TemplateDecision, CatalogError> {
        let mut session = self.engine.begin().await?;
        let state = TemplateState::Quarantined;
        set_state(&mut session, server, template, state, Some(BY_HAND), at).await?;
        let note = leave_note(&mut session, server, at).await?;
        session.commit().await?;
        Ok(TemplateDecision { queued: 0, note })
    }
}

async fn leave_note(
    session: &mut Session,
    server: ServerId,
    at: Timestamp,
) -> Result<i64, CatalogError> {
    insert_control(session, TEMPLATE_NOTE, &json!({ "server": server.0 }), at).await
}

async fn set_state(
    session: &mut Session,
    server: ServerId,
    template: &str,
    state: TemplateState,
    reason: Option<&str>,
    at: Timestamp,
) -> Result<(), CatalogError> {
    let sql = "INSERT INTO url_template (server_id, template, state, reason, offered, withheld, \
         fetched, novel, recent, leads_on, changed_at) VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0, 0, $5) \
         ON CONFLICT (server_id, template) DO UPDATE SET state = excluded.state, \
         reason = excluded.reason, changed_at = excluded.changed_at";
    let sql = Sql::new(sql).bind(server).bind(template).bind(state.as_str()).bind(reason).bind(at);
    session.execute(sql).await?;
    Ok(())
}

/// Adds what a window brought. In one order, so that workers do not wait in a circle.
pub(crate) async fn add_to_templates(
    session: &mut Session,
    changes: &[TemplateChange],
    at: Timestamp,
) -> Result<(), CatalogError> {
    let mut batch = Batch::new(
        "INSERT INTO url_template (server_id, template, state, reason, offered, withheld, fetched, \
         novel, recent, leads_on, changed_at)",
        11,
        " ON CONFLICT (server_id, template) DO UPDATE SET \
         offered = url_template.offered + excluded.offered, \
         withheld = url_template.withheld + excluded.withheld, \
         fetched = url_template.fetched + excluded.fetched, \
         novel = url_template.novel + excluded.novel, \
         recent = CASE WHEN excluded.fetched > 0 THEN excluded.recent ELSE url_template.recent END, \
         leads_on = CASE WHEN excluded.fetched > 0 THEN excluded.leads_on ELSE url_template.leads_on END, \
         reason = CASE WHEN url_template.state = 'open' THEN excluded.reason \
             ELSE url_template.reason END, \
         changed_at = CASE WHEN url_template.state = 'open' AND excluded.state <> 'open' \
             THEN excluded.changed_at ELSE url_template.changed_at END, \
         state = CASE WHEN url_template.state = 'open' THEN excluded.state \
             ELSE url_template.state END",
    );
    let sorted: BTreeMap<(ServerId, &str), &TemplateChange> =
        changes.iter().map(|change| ((change.server, &*change.template), change)).collect();
    for ((server, template), change) in sorted {
        let state = match change.quarantined {
            Some(_) => TemplateState::Quarantined,
            None => TemplateState::Open,
        };
        batch.push([
            server.into(),
            template.into(),
            state.as_str().into(),
            (&change.quarantined).into(),
            change.offered.into(),
            change.withheld.into(),
            change.fetched.into(),
            change.novel.into(),
            change.recent.cast_signed().into(),
            change.leading.cast_signed().into(),
            at.into(),
        ]);
    }
    batch.run(session).await?;
    Ok(())
}

fn read_template(row: &mut Fields) -> Result<StoredTemplate, CatalogError> {
    let (server, template, state) = (ServerId(row.number()?), row.text()?, row.text()?);
    let state = TemplateState::parse(&state)
        .ok_or_else(|| CatalogError::damaged(format!("a template is {state:?}")))?;
    Ok(StoredTemplate {
        server,
        template,
        state,
        reason: row.maybe_text()?,
        offered: row.count()?,
        withheld: row.count()?,
        fetched: row.count()?,
        novel: row.count()?,
        recent: row.number()?.cast_unsigned(),
        leading: row.number()?.cast_unsigned(),
        changed_at: Timestamp(row.number()?),
    })
}
