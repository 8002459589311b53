//! The databases of the university, at every degree of cooperation: the geographers' hotel guide, which
//! has metadata and a summarizer; the library's repository with OAI-PMH; and a catalogue of the museum,
//! about whose form nobody says anything.

use super::files::{self, HOHENWERTH};
use super::papers;
use crate::databases::{
    Catalogue, CatalogueOptions, CatalogueRow, DbContentOffer, HotelDatabase, HotelGuide,
    OaiRepository, RepositoryRecord,
};
use crate::site::Site;
use std::sync::Arc;

const GEOGRAPHY: &str = "geographie.uni-hohenwerth.example";
const HOTEL_FORM: &str = "http://geographie.uni-hohenwerth.example/hotels/";

const HOTELS: usize = 400;
const RECORDS: usize = 230;
const MUSEUM_ROWS: usize = 600;
const SEED: u64 = 1763;

/// What the databases hold, and where they are asked.
#[derive(Debug, Clone)]
pub struct DatabaseTruth {
    /// The page with the form of the hotel guide.
    pub hotel_form: &'static str,
    /// The document that names the summarizer of the same database.
    pub hotel_document: String,
    pub hotels: Arc<HotelDatabase>,
    pub repository: &'static str,
    pub records: Vec<RepositoryRecord>,
    /// The records from the second round on.
    pub records_later: Vec<RepositoryRecord>,
    /// The page with the form of the museum's catalogue.
    pub museum_form: &'static str,
    pub museum_rows: Vec<CatalogueRow>,
}

pub(super) fn truth() -> DatabaseTruth {
    DatabaseTruth {
        hotel_form: HOTEL_FORM,
        hotel_document: format!("http://{GEOGRAPHY}{}", DbContentOffer::DOCUMENT),
        hotels: hotel_guide().database,
        repository: "https://bibliothek.uni-hohenwerth.example/oai",
        records: repository().records,
        records_later: repository_later().records,
        museum_form: "https://bibliothek.uni-hohenwerth.example/museum/",
        museum_rows: museum().rows().to_vec(),
    }
}

/// The institute of geography with its guide.
pub(super) fn geography() -> Site {
    let guide = hotel_guide();
    let database = Arc::clone(&guide.database);
    let offer = DbContentOffer { database, interface: HOTEL_FORM.to_owned(), token: None };
    let site = files::site(&format!("http://{GEOGRAPHY}"), GEOGRAPHY, HOHENWERTH);
    offer.add_to(guide.add_to(site, "/hotels/"))
}

/// The repository and the catalogue of the museum, which the library looks after.
pub(super) fn add_to_library(site: Site) -> Site {
    let site = repository_later().add_later_to(repository().add_to(site, "/oai"), "/oai");
    museum().add_to(site, "/museum/")
}

fn hotel_guide() -> HotelGuide {
    HotelGuide::new(HOTELS, SEED)
}

fn museum() -> Catalogue {
    Catalogue::new(MUSEUM_ROWS, SEED).with(CatalogueOptions {
        title: "Museumskatalog".to_owned(),
        page_size: Some(50),
        ..CatalogueOptions::default()
    })
}

/// Records of which some are about papers that stand on servers of the university.
fn repository() -> OaiRepository {
    let mut repository = OaiRepository::new(RECORDS, SEED);
    repository.name = "Hohenwerther Dokumente".to_owned();
    repository.page_size = 50;
    for (number, record) in (1..).zip(&mut repository.records) {
        record.identifier = format!("oai:bibliothek.uni-hohenwerth.example:{number}");
    }
    let step = RECORDS / papers::truths().len();
    for (record, paper) in repository.records.iter_mut().step_by(step).zip(papers::truths()) {
        record.deleted = false;
        record.sets = vec!["aufsaetze".to_owned()];
        let mut fields = vec![("title", paper.title)];
        fields.extend(paper.authors.into_iter().map(|author| ("creator", author)));
        fields.extend(paper.keywords.into_iter().map(|keyword| ("subject", keyword)));
        fields.push(("description", paper.summary));
        fields.push(("date", paper.dated));
        fields.push(("language", paper.language));
        fields.push(("identifier", paper.url));
        record.fields = fields;
    }
    repository
}

/// Three records have changed, two are deleted, and five are new.
fn repository_later() -> OaiRepository {
    let mut later = repository();
    later.clock = "2026-12-01T00:00:00Z".to_owned();
    let changed_on = "2026-11-20T09:00:00Z";
    for at in [10, 20, 30, 40, 50] {
        let record = &mut later.records[at];
        record.datestamp = changed_on.to_owned();
        record.deleted = at >= 40;
        record.fields.push(("contributor", "Universitätsbibliothek".to_owned()));
    }
    let new = OaiRepository::new(RECORDS + 5, SEED).records.split_off(RECORDS);
    later.records.extend((RECORDS + 1..).zip(new).map(|(number, record)| RepositoryRecord {
        identifier: format!("oai:bibliothek.uni-hohenwerth.example:{number}"),
        datestamp: changed_on.to_owned(),
        deleted: false,
        ..record
    }));
    later
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_databases_hold() {
        let truth = truth();
        assert_eq!((truth.hotels.hotels().len(), truth.hotels.towns().len()), (400, 57));
        assert_eq!((truth.records.len(), truth.records_later.len()), (230, 235));
        assert_eq!(truth.museum_rows.len(), 600);
        let deleted = truth.records.iter().filter(|record| record.deleted).count();
        assert!((3..30).contains(&deleted), "{deleted}");
        let about = |url: &str| {
            let is = |(name, value): &(&str, String)| *name == "identifier" && value == url;
            truth.records.iter().any(|record| record.fields.iter().any(is))
        };
        assert!(papers::truths().iter().all(|paper| about(&paper.url)));
    }

    #[test]
    fn the_second_round_is_newer_than_the_first() {
        let (now, later) = (repository(), repository_later());
        let latest = now.records.iter().map(|record| &record.datestamp).max().unwrap();
        assert!(*latest < now.clock);
        let newer = later.records.iter().filter(|record| record.datestamp > now.clock);
        assert_eq!(newer.count(), 10);
        assert!(later.records.iter().all(|record| record.datestamp < later.clock));
    }
}
