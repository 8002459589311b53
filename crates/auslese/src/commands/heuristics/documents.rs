//! A document to try heuristics on: a file, or a page of the harvest with all that surrounds it.

use super::super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::super::describe::{LooseFile, Sets, SetsByKind, paper_readers};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::Failure;
use crate::organisation;
use auslese_describe::{Around, Subject};
use auslese_harvest::{HarvestDir, PageOfHarvest, page_of_harvest};
use auslese_markup::Page;
use std::path::Path;
use url::Url;

/// A document that was found.
#[derive(Debug)]
pub(super) enum Found {
    File(Box<LooseFile>),
    Harvested { page: Box<Page>, url: Url, around: Box<Around> },
}

impl Found {
    pub(super) fn subject(&self) -> Subject<'_> {
        match self {
            Found::File(file) => file.subject(None),
            Found::Harvested { page, url, around } => Subject { page, url: Some(url), around },
        }
    }
}

impl Found {
    /// The heuristics and weights for such a document.
    pub(super) fn described_with<'s>(&self, sets: &'s SetsByKind) -> &'s Sets {
        match self {
            Found::File(file) if file.is_paper => &sets.papers,
            _ => &sets.pages,
        }
    }
}

/// A file, the standard input, or an address of the harvest.
pub(super) fn find(document: &str, place: &Place) -> Result<Found, Failure> {
    let url = Url::parse(document).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    match url {
        Some(url) if !Path::new(document).exists() => of_harvest(&url, place),
        _ => Ok(Found::File(Box::new(LooseFile::read(Path::new(document), &paper_readers())?))),
    }
}

fn of_harvest(url: &Url, place: &Place) -> Result<Found, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    let dir = HarvestDir::open(place.dir()).map_err(super::super::crawl::harvest_failure)?;
    let names = organisation::names(place.dir())?;
    let found = block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let found = catalog.document(url.as_str()).await.map_err(catalog_failure)?.pop();
        let capture = found.and_then(|listed| listed.document.content);
        let Some(capture) = capture else {
            let message = format!("no page of {url} is archived here");
            let hint = "`auslese explain URL` says what is known of an address";
            return Err(Failure::usage(message).hint(hint));
        };
        let canonical = &config.crawl.canonical;
        let page = page_of_harvest(&dir, &catalog, capture, canonical, &names).await;
        let page = page.map_err(super::super::crawl::harvest_failure)?;
        catalog.close().await;
        Ok(page)
    })?;
    let PageOfHarvest { page, around } = found;
    Ok(Found::Harvested { page: Box::new(page), url: url.clone(), around: Box::new(around) })
}
