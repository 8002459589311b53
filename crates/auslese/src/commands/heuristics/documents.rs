//! A document to try heuristics on: a file, or a document of the harvest with all that surrounds it.

use super::super::catalog_access::{block_on, catalog_failure, open_catalog};
use super::super::describe::{LooseFile, Sets, SetsByKind, paper_readers};
use crate::args::Place;
use crate::config::Overrides;
use crate::messages::Failure;
use crate::organisation;
use auslese_catalog::Describable;
use auslese_describe::Subject;
use auslese_harvest::{HarvestedDocument, document_of_harvest};
use auslese_reader::Limits;
use std::path::Path;
use url::Url;

/// A document that was found.
#[derive(Debug)]
pub(super) enum Found {
    File { file: Box<LooseFile>, url: Option<Url> },
    Harvested { document: Box<HarvestedDocument>, url: Url },
}

impl Found {
    pub(super) fn subject(&self) -> Subject<'_> {
        match self {
            Found::File { file, url } => file.subject(url.as_ref()),
            Found::Harvested { document, url } => {
                Subject { page: &document.page, url: Some(url), around: &document.around }
            }
        }
    }

    /// The heuristics and weights for such a document.
    pub(super) fn described_with<'s>(&self, sets: &'s SetsByKind) -> &'s Sets {
        let is_paper = match self {
            Found::File { file, .. } => file.is_paper(),
            Found::Harvested { document, .. } => document.kind == Describable::Papers,
        };
        if is_paper { &sets.papers } else { &sets.pages }
    }
}

/// A file or the standard input, with the address it was found at, or an address of the harvest.
pub(super) fn find(document: &str, url: Option<&Url>, place: &Place) -> Result<Found, Failure> {
    let file = Path::new(document);
    let named = Url::parse(document).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    match named.filter(|_| !file.exists()) {
        Some(_) if url.is_some() => Err(Failure::usage("--url is for files, not for a harvest")),
        Some(named) => of_harvest(&named, place),
        None => {
            let file = LooseFile::read(file, &paper_readers(Limits::default()))?;
            Ok(Found::File { file: Box::new(file), url: url.cloned() })
        }
    }
}

fn of_harvest(url: &Url, place: &Place) -> Result<Found, Failure> {
    let config = place.sources(Overrides::default()).load()?;
    let dir = config.harvest_dir(place.dir())?;
    let names = organisation::names(place.dir())?;
    let found = block_on(async {
        let catalog = open_catalog(&config, place.dir()).await?;
        let found = catalog.document(url.as_str()).await.map_err(catalog_failure)?.pop();
        let capture = found.and_then(|listed| listed.document.content);
        let Some(capture) = capture else {
            let message = format!("no document of {url} is archived here");
            let hint = "`auslese explain URL` says what is known of an address";
            return Err(Failure::usage(message).hint(hint));
        };
        let canonical = &config.crawl.canonical;
        let readers = paper_readers(config.describe.reader_limits());
        let document =
            document_of_harvest(&dir, &catalog, capture, canonical, &names, &readers).await;
        let document = document.map_err(super::super::crawl::harvest_failure)?;
        catalog.close().await;
        Ok(document)
    })?;
    Ok(Found::Harvested { document: Box::new(found), url: url.clone() })
}
