//! Looking around in a harvest: institutions, their servers, and the folders and documents of a server.
//!
//! Folders are made of the paths of addresses. An index over the beginnings of addresses keeps those of a folder side
//! by side, so opening one costs as much as there is in it, and never more than [`MAX_BROWSED`] addresses.

use crate::corpus::ANSWERING;
use crate::engine::{Dialect, Fields, Sql};
use crate::schema::size;
use crate::server::read_origin;
use crate::{Catalog, CatalogError};
use auslese_model::{CorpusRule, Format, Keeping, Method, Origin, RequestId, ServerId, Timestamp};

/// Addresses of a folder, and of all folders below it, that are looked at. Of more, the first by name.
pub const MAX_BROWSED: usize = 200_000;
/// Documents of a folder up to which it can be sorted by what is known of them; larger ones are sorted by name.
pub const MAX_SORTED: usize = 2_000;
/// Characters of an address, origin and path, by which a folder can be opened.
pub const MAX_FOLDER_ADDRESS: usize = 500;

/// An institution and what was harvested of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelSummary {
    /// None for servers that belong to no institution.
    pub label: Option<String>,
    pub servers: u64,
    /// Servers that answered.
    pub answering: u64,
    pub captures: u64,
    pub bytes: u64,
}

/// A server and what was harvested of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSummary {
    pub id: ServerId,
    pub origin: Origin,
    pub label: Option<String>,
    pub software: Option<String>,
    pub captures: u64,
    pub bytes: u64,
    /// When it was last asked.
    pub last: Option<Timestamp>,
}

/// What servers are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ServerOrder {
    #[default]
    Name,
    Software,
    Captures,
    Bytes,
    Last,
}

/// Which folder of a server, and which part of what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderQuery<'a> {
    pub server: ServerId,
    pub origin: &'a Origin,
    /// Begins and ends with a slash.
    pub path: &'a str,
    /// Only documents in the corpus.
    pub kept_only: bool,
    pub order: DocumentOrder,
    pub descending: bool,
    /// Folders and documents left out, folders come first.
    pub offset: usize,
    pub limit: usize,
}

/// What documents of a folder are sorted by; folders are sorted by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DocumentOrder {
    #[default]
    Name,
    Title,
    Type,
    Size,
    Captured,
}

/// A part of what is in a folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Folder {
    /// Folders right in it.
    pub folders: u64,
    /// Documents right in it.
    pub documents: u64,
    /// Documents in it and in all folders below.
    pub all: u64,
    /// There is more than was looked at.
    pub more: bool,
    /// Whether the documents are in the order that was asked for; see [`MAX_SORTED`].
    pub sorted: bool,
    pub shown_folders: Vec<Subfolder>,
    pub shown_documents: Vec<FolderDocument>,
}

/// A folder in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subfolder {
    /// Its name with the slash at its end.
    pub name: String,
    /// Documents in it and below.
    pub documents: u64,
}

/// A document in a folder: the answer to one request, error or not.
#[derive(Debug, Clone, PartialEq)]
pub struct FolderDocument {
    pub request: RequestId,
    pub method: Method,
    pub url: String,
    /// None before the rules of the corpus were applied.
    pub keeping: Option<Keeping>,
    pub rule: Option<CorpusRule>,
    pub gone: bool,
    pub status: u16,
    pub media_type: Option<String>,
    pub size: Option<u64>,
    pub captured: Timestamp,
    pub format: Option<Format>,
    pub language: Option<String>,
    /// By the newest description, else by the page itself.
    pub title: Option<String>,
}

impl Catalog {
    /// The institutions with what was harvested of them, by label; servers without one come last.
    pub async fn label_summaries(&self) -> Result<Vec<LabelSummary>, CatalogError> {
        let sql = "SELECT s.label, COUNT(*), \
                   CAST(SUM(CASE WHEN q.captures > 0 THEN 1 ELSE 0 END) AS BIGINT), \
                   CAST(COALESCE(SUM(q.captures), 0) AS BIGINT), \
                   CAST(COALESCE(SUM(q.bytes), 0) AS BIGINT) \
                   FROM server_info s LEFT JOIN server_queue q ON q.server_id = s.id \
                   GROUP BY s.label ORDER BY s.label IS NULL, s.label";
        let rows = self.engine.reader().await?.rows(Sql::new(sql)).await?;
        rows.into_iter()
            .map(|mut row| {
                Ok(LabelSummary {
                    label: row.maybe_text()?,
                    servers: row.count()?,
                    answering: row.count()?,
                    captures: row.count()?,
                    bytes: row.count()?,
                })
            })
            .collect()
    }

    /// Some servers of an institution (`None`: of none) that answered, and how many there are.
    pub async fn server_summaries(
        &self,
        label: Option<&str>,
        order: ServerOrder,
        descending: bool,
        offset: usize,
        limit: usize,
    ) -> Result<(u64, Vec<ServerSummary>), CatalogError> {
        let of_label = match label {
            Some(_) => "s.label = $1",
            None => "s.label IS NULL AND $1 = ''",
        };
        let label = label.unwrap_or_default();
        let from = format!(
            "FROM server_info s JOIN server_queue q ON q.server_id = s.id \
             WHERE {of_label} AND q.captures > 0"
        );
        let mut session = self.engine.reader().await?;
        let sql = Sql::new(format!("SELECT COUNT(*) {from}")).bind(label);
        let total = session.row(sql).await?.map_or(Ok(0), |mut row| row.count())?;
        let by = match order {
            ServerOrder::Name => "s.name",
            ServerOrder::Software => "COALESCE(s.server_type, '')",
            ServerOrder::Captures => "q.captures",
            ServerOrder::Bytes => "q.bytes",
            ServerOrder::Last => "q.last_end",
        };
        let way = if descending { "DESC" } else { "ASC" };
        let sql = format!(
            "SELECT {SERVER_COLUMNS} {from} ORDER BY {by} {way}, s.name, s.id LIMIT $2 OFFSET $3"
        );
        let sql = Sql::new(sql).bind(label).bind(limit).bind(offset);
        let rows = session.rows(sql).await?;
        let servers = rows.into_iter().map(|mut row| read_summary(&mut row));
        Ok((total, servers.collect::<Result<_, CatalogError>>()?))
    }

    /// One server with what was harvested of it.
    pub async fn server_summary(
        &self,
        origin: &Origin,
    ) -> Result<Option<ServerSummary>, CatalogError> {
        let sql = format!(
            "SELECT {SERVER_COLUMNS} FROM server_info s \
             JOIN server_queue q ON q.server_id = s.id \
             WHERE s.name = $1 AND s.scheme = $2 AND s.port = $3"
        );
        let sql = Sql::new(sql)
            .bind(origin.host.as_str())
            .bind(origin.scheme.as_str())
            .bind(i64::from(origin.port));
        let row = self.engine.reader().await?.row(sql).await?;
        row.map(|mut row| read_summary(&mut row)).transpose()
    }

    /// What is in a folder of a server: folders and documents that were answered, whatever the
    /// answer. A path that cannot be that of a folder has nothing in it.
    pub async fn folder(&self, query: &FolderQuery<'_>) -> Result<Folder, CatalogError> {
        let prefix = format!("{}{}", query.origin, query.path);
        let mut folder = Folder {
            folders: 0,
            documents: 0,
            all: 0,
            more: false,
            sorted: true,
            shown_folders: Vec::new(),
            shown_documents: Vec::new(),
        };
        let Some(behind) = behind(&prefix).filter(|_| prefix.len() <= MAX_FOLDER_ADDRESS) else {
            return Ok(folder);
        };
        let mut session = self.engine.reader().await?;
        let scan = scan_query(session.dialect());
        let asked = |sql: String| {
            Sql::new(sql)
                .bind(query.server)
                .bind(prefix.as_str())
                .bind(behind.as_str())
                .bind(prefix.chars().count() + 1)
                .bind(MAX_BROWSED + 1)
        };
        let mut looked_at = 0;
        for mut row in session.rows(asked(counting_query(&scan, query.kept_only))).await? {
            let (name, addresses, documents) = (row.maybe_text()?, row.count()?, row.count()?);
            looked_at += addresses;
            folder.all += documents;
            match name {
                None => folder.documents = documents,
                Some(_) if documents == 0 => {}
                Some(name) => {
                    if folder.folders >= query.offset as u64
                        && folder.shown_folders.len() < query.limit
                    {
                        folder.shown_folders.push(Subfolder { name, documents });
                    }
                    folder.folders += 1;
                }
            }
        }
        folder.more = looked_at > MAX_BROWSED as u64;
        let limit = query.limit - folder.shown_folders.len();
        let offset = (query.offset as u64).saturating_sub(folder.folders);
        folder.sorted = query.order == DocumentOrder::Name || folder.documents <= MAX_SORTED as u64;
        let order = if folder.sorted { query.order } else { DocumentOrder::Name };
        if limit > 0 && offset < folder.documents {
            let sql = documents_query(&scan, query.kept_only, order, query.descending);
            for mut row in session.rows(asked(sql).bind(limit).bind(offset)).await? {
                folder.shown_documents.push(read_document(&mut row)?);
            }
        }
        Ok(folder)
    }
}

/// What [`read_summary`] expects.
const SERVER_COLUMNS: &str = "s.id, s.scheme, s.name, s.port, s.label, s.server_type, q.captures, \
    q.bytes, q.last_end";

/// The least text that is greater than all with this beginning, which ends with a slash.
fn behind(prefix: &str) -> Option<String> {
    let mut behind = prefix.strip_suffix('/')?.to_owned();
    behind.push('0');
    Some(behind)
}

/// The addresses of a folder with the name of the folder in it that they lie in, or NULL. Values: server, prefix, what
/// is behind all with this prefix, the first character behind the prefix, and how many at most.
fn scan_query(dialect: Dialect) -> String {
    // The index `request_place` is over the place.
    let (address, place, at) = match dialect {
        Dialect::Sqlite => ("r.url", "r.url", "instr"),
        Dialect::Postgres => {
            ("substr(r.url, 1, 600)", "substr(r.url, 1, 600) COLLATE \"C\"", "strpos")
        }
    };
    // A slash behind the question mark parts no folders.
    format!(
        "SELECT p.id, p.place, CASE WHEN p.slash > 0 AND (p.question = 0 OR p.slash < p.question) \
         THEN substr(p.rest, 1, p.slash) END AS name \
         FROM (SELECT f.id, f.place, f.rest, {at}(f.rest, '/') AS slash, \
          {at}(f.rest, '?') AS question FROM \
          (SELECT r.id, {place} AS place, substr({address}, CAST($4 AS INTEGER)) AS rest \
           FROM request r \
           WHERE r.server_id = $1 AND r.capture_id IS NOT NULL \
           AND {place} >= $2 AND {place} < $3 ORDER BY {place} LIMIT $5) f) p"
    )
}

/// Whether an address of the scan is a document in the corpus. It is asked of what the scan found, not within the scan,
/// which would then read the row of every address instead of the index alone.
const IS_KEPT: &str =
    "EXISTS (SELECT 1 FROM document k WHERE k.request_id = n.id AND k.keeping = 'kept')";

/// Folders by name, with the addresses in them and how many of these are wanted.
fn counting_query(scan: &str, kept_only: bool) -> String {
    let wanted = match kept_only {
        true => format!("CAST(SUM(CASE WHEN {IS_KEPT} THEN 1 ELSE 0 END) AS BIGINT)"),
        false => "COUNT(*)".to_owned(),
    };
    format!("SELECT name, COUNT(*), {wanted} FROM ({scan}) n GROUP BY name ORDER BY name")
}

/// The documents right in a folder. By name they are found in the order of the index and only those of a page are read.
fn documents_query(scan: &str, kept_only: bool, order: DocumentOrder, descending: bool) -> String {
    let here = match kept_only {
        true => format!("({scan}) n WHERE name IS NULL AND {IS_KEPT}"),
        false => format!("({scan}) n WHERE name IS NULL"),
    };
    let way = if descending { "DESC" } else { "ASC" };
    let page = "LIMIT $6 OFFSET $7";
    let (chosen, sorting, last) = match order {
        DocumentOrder::Name => (
            format!("(SELECT id, place FROM {here} ORDER BY place {way}, id {page})"),
            format!("ORDER BY n.place {way}, n.id"),
            "",
        ),
        other => {
            let by = match other {
                DocumentOrder::Title => "lower(COALESCE(title, ''))",
                DocumentOrder::Type => "COALESCE(a.media_type, '')",
                DocumentOrder::Size => "COALESCE(bytes, -1)",
                DocumentOrder::Captured | DocumentOrder::Name => "h.captured_at",
            };
            let by = by.replace("title", TITLE).replace("bytes", &size("a"));
            (
                format!("(SELECT id, place FROM {here})"),
                format!("ORDER BY {by} {way}, n.place, n.id"),
                page,
            )
        }
    };
    format!(
        "SELECT r.id, r.method, r.url, d.keeping, d.rule, COALESCE(d.gone, 0), a.status, \
         a.media_type, {}, h.captured_at, c.format, c.language, {TITLE} \
         FROM {chosen} n JOIN request r ON r.id = n.id \
         JOIN http_header h ON h.id = r.capture_id \
         JOIN http_header a ON a.id = {ANSWERING} \
         LEFT JOIN document d ON d.request_id = r.id \
         LEFT JOIN content c ON c.capture_id = COALESCE(a.original_id, a.id) \
         {sorting} {last}",
        size("a")
    )
}

const TITLE: &str = "COALESCE((SELECT t.value FROM statement t WHERE t.run_id = \
    (SELECT x.run_id FROM describe_run x WHERE x.finished = 1 ORDER BY x.turn DESC LIMIT 1) \
    AND t.capture_id = COALESCE(a.original_id, a.id) AND t.field = 'title' AND t.chosen = 1 \
    ORDER BY t.rank LIMIT 1), c.title)";

fn read_summary(row: &mut Fields) -> Result<ServerSummary, CatalogError> {
    Ok(ServerSummary {
        id: ServerId(row.number()?),
        origin: read_origin(row)?,
        label: row.maybe_text()?,
        software: row.maybe_text()?,
        captures: row.count()?,
        bytes: row.count()?,
        last: Some(row.number()?).filter(|at| *at > 0).map(Timestamp),
    })
}

fn read_document(row: &mut Fields) -> Result<FolderDocument, CatalogError> {
    let request = RequestId(row.number()?);
    let unreadable = |column: &str| {
        CatalogError::damaged(format!("the column {column} of request {} is unreadable", request.0))
    };
    let method = Method::parse(&row.text()?).ok_or_else(|| unreadable("method"))?;
    let url = row.text()?;
    let (keeping, rule) = (row.maybe_text()?, row.maybe_text()?);
    Ok(FolderDocument {
        request,
        method,
        url,
        keeping: keeping.and_then(|text| Keeping::parse(&text)),
        rule: rule.and_then(|text| CorpusRule::parse(&text)),
        gone: row.number()? != 0,
        status: u16::try_from(row.number()?).map_err(|_| unreadable("status"))?,
        media_type: row.maybe_text()?,
        size: row.maybe_number()?.and_then(|size| u64::try_from(size).ok()),
        captured: Timestamp(row.number()?),
        format: row.maybe_text()?.and_then(|text| Format::parse(&text)),
        language: row.maybe_text()?,
        title: row.maybe_text()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CatalogSettings, Location};

    /// A folder is a stretch of one index, and whoever counts reads nothing else.
    #[tokio::test]
    async fn folders_do_not_scan() {
        let dir = tempfile::tempdir().unwrap();
        let location = Location::from(dir.path().join("catalog.sqlite").as_path());
        let catalog = Catalog::create(&location, &CatalogSettings::default()).await.unwrap();
        let scan = scan_query(Dialect::Sqlite);
        let questions = [false, true].into_iter().flat_map(|kept_only| {
            let documents = documents_query(&scan, kept_only, DocumentOrder::Name, false);
            [counting_query(&scan, kept_only), documents]
        });
        for sql in questions {
            let plan = catalog.engine.reader().await.unwrap().plan(&sql).await.unwrap();
            let beginning = "SEARCH r USING INDEX request_place (server_id=? AND url>? AND url<?)";
            assert!(plan.contains(beginning), "{sql}\n{plan}");
            assert!(!plan.contains("SCAN request"), "{sql}\n{plan}");
        }
    }
}
