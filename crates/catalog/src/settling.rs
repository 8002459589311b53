//! What a window offers as new may be known already: another worker has found it at the same time.
//!
//! The unique keys of the tables decide. What loses is not stored, and everything in the window that
//! refers to it is turned to the row that was there first. A worker alone with its catalog never
//! meets this, so it costs nothing unless fewer rows were written than were given.

use crate::CatalogError;
use crate::batch::Batch;
use crate::engine::{Dialect, Session, Value};
use auslese_model::{Commit, NewServer, Offer, RequestId, ServerId, StateChange, Timestamp};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Deref;

/// Enters servers; returns those that were known, with the numbers they have.
pub(crate) async fn enter_servers(
    session: &mut Session,
    servers: &[NewServer],
    at: Timestamp,
) -> Result<Vec<(ServerId, ServerId)>, CatalogError> {
    if servers.is_empty() {
        return Ok(Vec::new());
    }
    let mut sorted: Vec<&NewServer> = servers.iter().collect();
    // In one order, so that workers which enter the same servers do not wait in a circle.
    sorted.sort_by_cached_key(|server| server.origin.to_string());
    let mut infos = Batch::new(
        "INSERT INTO server_info (id, scheme, name, port, label, first_seen)",
        6,
        " ON CONFLICT (name, scheme, port) DO NOTHING",
    );
    for server in sorted {
        infos.push([
            server.id.into(),
            server.origin.scheme.as_str().into(),
            server.origin.host.as_str().into(),
            u64::from(server.origin.port).into(),
            (&server.label).into(),
            at.into(),
        ]);
    }
    let entered = infos.run(session).await?;
    let aliases = match entered < servers.len() as u64 {
        true => server_aliases(session, servers).await?,
        false => Vec::new(),
    };
    let known: BTreeSet<ServerId> = aliases.iter().map(|(given, _)| *given).collect();
    let mut queues = Batch::new("INSERT INTO server_queue (server_id)", 1, "");
    for server in servers.iter().filter(|server| !known.contains(&server.id)) {
        queues.push([server.id.into()]);
    }
    queues.run(session).await?;
    Ok(aliases)
}

/// Servers that have other numbers than those given.
pub(crate) async fn server_aliases(
    session: &mut Session,
    servers: &[NewServer],
) -> Result<Vec<(ServerId, ServerId)>, CatalogError> {
    let mut batch = Batch::new(
        "WITH v (id, scheme, name, port) AS (",
        4,
        ") SELECT v.id, s.id FROM v JOIN server_info s ON s.name = v.name \
         AND s.scheme = v.scheme AND s.port = v.port WHERE s.id <> v.id",
    );
    for server in servers {
        batch.push([
            server.id.into(),
            server.origin.scheme.as_str().into(),
            server.origin.host.as_str().into(),
            u64::from(server.origin.port).into(),
        ]);
    }
    let rows = batch.rows(session).await?;
    let aliases = rows
        .into_iter()
        .map(|mut row| Ok((ServerId(row.number()?), ServerId(row.number()?))))
        .collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(aliases)
}

/// Enters offers; returns how many were new, and the others with the numbers they have.
///
/// Requests that are being fetched already (a robots.txt) come first: others were found in them.
pub(crate) async fn enter_offers(
    session: &mut Session,
    offers: &[Offer],
    changes: &[StateChange],
    at: Timestamp,
) -> Result<(u64, BTreeMap<RequestId, RequestId>), CatalogError> {
    let fetched: BTreeSet<RequestId> = changes.iter().map(|change| change.request).collect();
    let (first, rest): (Vec<&Offer>, Vec<&Offer>) =
        offers.iter().partition(|offer| fetched.contains(&offer.id));
    let mut entered = insert_offers(session, first.clone(), &BTreeMap::new(), at).await?;
    let mut known = BTreeMap::new();
    if entered < first.len() as u64 {
        known = known_requests(session, &first).await?;
    }
    let new = insert_offers(session, rest.clone(), &known, at).await?;
    if new < rest.len() as u64 {
        known.extend(known_requests(session, &rest).await?);
    }
    entered += new;
    Ok((entered, known))
}

/// Offers that are not stored under their own number, in a window that was stored before.
pub(crate) async fn missing_requests(
    session: &mut Session,
    offers: &[Offer],
) -> Result<BTreeSet<RequestId>, CatalogError> {
    let offers: Vec<&Offer> = offers.iter().collect();
    Ok(known_requests(session, &offers).await?.into_keys().collect())
}

async fn insert_offers(
    session: &mut Session,
    mut offers: Vec<&Offer>,
    known: &BTreeMap<RequestId, RequestId>,
    at: Timestamp,
) -> Result<u64, CatalogError> {
    let mut batch = Batch::new(
        "INSERT INTO request (id, key, server_id, method, url, body_type, body, state, priority, \
         hops, via, cause_kind, cause, found_at)",
        14,
        " ON CONFLICT (key) DO NOTHING",
    );
    if session.dialect() == Dialect::Postgres {
        // In one order, so that workers which found the same do not wait in a circle. SQLite has one
        // writer, and appends rows fastest in the order of their numbers.
        offers.sort_by_key(|offer| offer.key.0);
    }
    for offer in offers {
        let (body_type, body) = match &offer.request.body {
            Some((media_type, bytes)) => (Some(media_type.as_str()), Some(bytes.clone())),
            None => (None, None),
        };
        let cause = offer.cause.as_ref();
        let via = offer.via.map(|via| known.get(&via).copied().unwrap_or(via));
        batch.push([
            offer.id.into(),
            offer.key.0.as_slice().into(),
            offer.server.into(),
            offer.request.method.as_str().into(),
            offer.request.url.as_str().into(),
            body_type.into(),
            Value::Bytes(body),
            offer.state.as_str().into(),
            i64::from(offer.priority).into(),
            offer.hops.0.as_str().into(),
            via.into(),
            cause.map(|cause| cause.kind.as_str()).into(),
            cause.map(|cause| cause.detail.as_str()).into(),
            at.into(),
        ]);
    }
    Ok(batch.run(session).await?)
}

/// The offers that are stored under another number.
async fn known_requests(
    session: &mut Session,
    offers: &[&Offer],
) -> Result<BTreeMap<RequestId, RequestId>, CatalogError> {
    let mut batch = Batch::new(
        "WITH v (id, key) AS (",
        2,
        ") SELECT v.id, r.id FROM v JOIN request r ON r.key = v.key WHERE r.id <> v.id",
    );
    for offer in offers {
        batch.push([offer.id.into(), offer.key.0.as_slice().into()]);
    }
    let rows = batch.rows(session).await?;
    let known = rows
        .into_iter()
        .map(|mut row| Ok((RequestId(row.number()?), RequestId(row.number()?))))
        .collect::<Result<BTreeMap<_, _>, sqlx::Error>>()?;
    Ok(known)
}

/// A commit in which some numbers were replaced; not copied unless there are any.
#[derive(Debug)]
pub(crate) struct Remapped<'a>(Cow<'a, Commit>);

impl Deref for Remapped<'_> {
    type Target = Commit;

    fn deref(&self) -> &Commit {
        &self.0
    }
}

impl<'a> Remapped<'a> {
    /// Turns requests and links to the servers that were there before.
    pub(crate) fn servers(commit: &'a Commit, aliases: &[(ServerId, ServerId)]) -> Remapped<'a> {
        if aliases.is_empty() {
            return Remapped(Cow::Borrowed(commit));
        }
        let aliases: HashMap<ServerId, ServerId> = aliases.iter().copied().collect();
        let real = |server: ServerId| aliases.get(&server).copied().unwrap_or(server);
        let mut commit = commit.clone();
        for offer in &mut commit.offers {
            offer.server = real(offer.server);
        }
        for link in &mut commit.links {
            (link.server, link.from) = (real(link.server), real(link.from));
        }
        for template in &mut commit.templates {
            template.server = real(template.server);
        }
        Remapped(Cow::Owned(commit))
    }

    /// Turns captures, changes and offers to the requests that were there before. The offers of these
    /// stay: whoever has their servers should hear that there is something to do.
    pub(crate) fn requests(self, known: &BTreeMap<RequestId, RequestId>) -> Remapped<'a> {
        if known.is_empty() {
            return self;
        }
        let real = |request: RequestId| known.get(&request).copied().unwrap_or(request);
        let mut commit = self.0.into_owned();
        commit.captures.iter_mut().for_each(|capture| capture.request = real(capture.request));
        commit.changes.iter_mut().for_each(|change| change.request = real(change.request));
        for offer in &mut commit.offers {
            offer.via = offer.via.map(real);
        }
        Remapped(Cow::Owned(commit))
    }
}
