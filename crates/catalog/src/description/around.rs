//! What belongs to a document beside itself: the full text a page announces, and the home page of the
//! institute it is part of.

use crate::batch::Batch;
use crate::engine::{Fields, Session, Sql};
use crate::lookup::{AT_ONCE, filled, places};
use crate::{Catalog, CatalogError};
use auslese_model::{CaptureId, RequestId};
use std::collections::{BTreeMap, BTreeSet};

/// A landing page and the full text it announces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullText {
    pub page: RequestId,
    pub target: RequestId,
    /// The rule that paired them.
    pub rule: String,
    /// What the rule saw.
    pub evidence: String,
}

/// What some pages announce.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnnouncedFullTexts {
    /// The pages, whether they announce anything or not.
    pub pages: Vec<RequestId>,
    pub full_texts: Vec<FullText>,
    /// Bodies among them that are papers, and speak for themselves as well.
    pub papers: Vec<CaptureId>,
}

/// A document and the home page it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HomePage {
    pub request: RequestId,
    pub home: RequestId,
    pub by: HomePageBy,
}

/// How a home page was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HomePageBy {
    /// The nearest folder above that is a page.
    Ancestor,
    /// A link that says so.
    HomeLink,
    /// The first page of the server.
    Root,
}

impl HomePageBy {
    pub const ALL: [HomePageBy; 3] = [HomePageBy::Ancestor, HomePageBy::HomeLink, HomePageBy::Root];

    pub fn as_str(self) -> &'static str {
        match self {
            HomePageBy::Ancestor => "ancestor",
            HomePageBy::HomeLink => "home-link",
            HomePageBy::Root => "root",
        }
    }

    pub fn parse(text: &str) -> Option<HomePageBy> {
        HomePageBy::ALL.into_iter().find(|by| by.as_str() == text)
    }
}

impl Catalog {
    /// Stores the full texts of pages; what was known of these pages is replaced.
    pub async fn store_full_texts(
        &self,
        pages: &[RequestId],
        full_texts: &[FullText],
    ) -> Result<(), CatalogError> {
        let mut session = self.engine.begin().await?;
        insert_full_texts(&mut session, pages, full_texts).await?;
        Ok(session.commit().await?)
    }

    /// The next documents after the one given, by number, that pages announce as full texts.
    /// `RequestId(0)` begins; an empty page ends.
    pub async fn announced_documents(
        &self,
        after: RequestId,
        limit: usize,
    ) -> Result<Vec<RequestId>, CatalogError> {
        let sql = "SELECT DISTINCT target_id FROM full_text WHERE target_id > $1 \
                   ORDER BY target_id LIMIT $2";
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(after).bind(limit)).await?;
        rows.into_iter().map(|mut row| Ok(RequestId(row.number()?))).collect()
    }

    /// The full texts a page announces, by number.
    pub async fn full_texts_of(&self, page: RequestId) -> Result<Vec<FullText>, CatalogError> {
        self.full_texts_where("page_id = $1 ORDER BY target_id", page).await
    }

    /// The pages that announce a full text, by number.
    pub async fn landing_pages_of(&self, target: RequestId) -> Result<Vec<FullText>, CatalogError> {
        self.full_texts_where("target_id = $1 ORDER BY page_id", target).await
    }

    /// The pages that announce one of some stored bodies as their full text, each with its body; by
    /// body and page.
    pub async fn landing_pages_of_bodies(
        &self,
        bodies: &[CaptureId],
    ) -> Result<Vec<(CaptureId, FullText)>, CatalogError> {
        let sql = format!(
            "SELECT COALESCE(h.original_id, h.id), f.page_id, f.target_id, f.rule, f.evidence \
             FROM full_text f JOIN request r ON r.id = f.target_id \
             JOIN http_header h ON h.id = r.capture_id \
             WHERE COALESCE(h.original_id, h.id) IN ({}) ORDER BY 1, f.page_id",
            places(1)
        );
        let mut session = self.engine.reader().await?;
        let mut announced = Vec::new();
        for some in bodies.chunks(AT_ONCE) {
            let asked = filled(&sql, some.iter().map(|body| (*body).into()));
            for mut row in session.rows(asked).await? {
                announced.push((CaptureId(row.number()?), read_full_text(&mut row)?));
            }
        }
        Ok(announced)
    }

    async fn full_texts_where(
        &self,
        condition: &str,
        request: RequestId,
    ) -> Result<Vec<FullText>, CatalogError> {
        let sql =
            format!("SELECT page_id, target_id, rule, evidence FROM full_text WHERE {condition}");
        let rows = self.engine.reader().await?.rows(Sql::new(sql).bind(request)).await?;
        rows.into_iter().map(|mut row| read_full_text(&mut row)).collect()
    }

    /// Stores the home pages of documents; what was known of these documents is replaced.
    pub async fn store_home_pages(
        &self,
        requests: &[RequestId],
        home_pages: &[HomePage],
    ) -> Result<(), CatalogError> {
        let homes: BTreeMap<RequestId, &HomePage> =
            home_pages.iter().map(|home| (home.request, home)).collect();
        let requests = requests.iter().chain(homes.keys()).copied().collect();
        let mut session = self.engine.begin().await?;
        forget(
            &mut session,
            ") DELETE FROM home_page WHERE request_id IN (SELECT id FROM v)",
            requests,
        )
        .await?;
        let mut batch = Batch::new("INSERT INTO home_page (request_id, home_id, how)", 3, "");
        for home in homes.values() {
            batch.push([home.request.into(), home.home.into(), home.by.as_str().into()]);
        }
        batch.run(&mut session).await?;
        Ok(session.commit().await?)
    }

    pub async fn home_page_of(&self, request: RequestId) -> Result<Option<HomePage>, CatalogError> {
        Ok(self.home_pages_of(&[request]).await?.remove(&request))
    }

    /// The home pages of documents; those without one have no entry.
    pub async fn home_pages_of(
        &self,
        requests: &[RequestId],
    ) -> Result<BTreeMap<RequestId, HomePage>, CatalogError> {
        let sql = format!(
            "SELECT request_id, home_id, how FROM home_page WHERE request_id IN ({})",
            places(1)
        );
        let mut session = self.engine.reader().await?;
        let mut homes = BTreeMap::new();
        for some in requests.chunks(AT_ONCE) {
            let values = some.iter().map(|request| (*request).into());
            for mut row in session.rows(filled(&sql, values)).await? {
                let home = read_home(&mut row)?;
                homes.insert(home.request, home);
            }
        }
        Ok(homes)
    }
}

pub(super) async fn insert_full_texts(
    session: &mut Session,
    pages: &[RequestId],
    full_texts: &[FullText],
) -> Result<(), CatalogError> {
    let named = full_texts.iter().map(|pair| pair.page);
    let pages: BTreeSet<RequestId> = pages.iter().copied().chain(named).collect();
    let pairs: BTreeMap<(RequestId, RequestId), &FullText> =
        full_texts.iter().map(|pair| ((pair.page, pair.target), pair)).collect();
    forget(session, ") DELETE FROM full_text WHERE page_id IN (SELECT id FROM v)", pages).await?;
    let mut batch = Batch::new("INSERT INTO full_text (page_id, target_id, rule, evidence)", 4, "");
    for pair in pairs.values() {
        batch.push([
            pair.page.into(),
            pair.target.into(),
            pair.rule.as_str().into(),
            pair.evidence.as_str().into(),
        ]);
    }
    batch.run(session).await?;
    Ok(())
}

async fn forget(
    session: &mut Session,
    after: &'static str,
    requests: BTreeSet<RequestId>,
) -> Result<(), CatalogError> {
    super::run_each(session, after, requests.into_iter().map(|request| request.0)).await
}

fn read_full_text(row: &mut Fields) -> Result<FullText, CatalogError> {
    Ok(FullText {
        page: RequestId(row.number()?),
        target: RequestId(row.number()?),
        rule: row.text()?,
        evidence: row.text()?,
    })
}

fn read_home(row: &mut Fields) -> Result<HomePage, CatalogError> {
    let (request, home) = (RequestId(row.number()?), RequestId(row.number()?));
    let how = row.text()?;
    let by = HomePageBy::parse(&how).ok_or_else(|| {
        CatalogError::damaged(format!("the home page of request {} is by {how:?}", request.0))
    })?;
    Ok(HomePage { request, home, by })
}
