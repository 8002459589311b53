//! Databases that show their content only to those who ask.
//!
//! Four kinds, by how much their providers help: a hotel guide behind a form with `DB.*` metadata
//! ([`HotelGuide`], after Weber, Rostock 2001), the same database with a summarizer of its own
//! ([`DbContentOffer`]), a repository with OAI-PMH ([`OaiRepository`]), and a catalogue whose form nobody
//! has described ([`Catalogue`]). All content is made from a seed and known in truth, so that what was
//! found can be compared with what there is. An answer depends on the request and on how often its
//! path was asked for before, and on nothing else: [`crate::Running::reset`] begins everything anew.

mod catalogue;
mod catalogue_pages;
mod declared;
mod fields;
mod guide;
mod guide_pages;
mod hotels;
mod oai;
mod summarizer;

pub use catalogue::{Catalogue, CatalogueForm, CatalogueOptions, CatalogueRow, Matching};
pub use declared::DatasetPage;
pub use fields::Charset;
pub use guide::{Between, Described, Essential, GuideOptions, HotelGuide, RegionControl};
pub use hotels::{Hotel, HotelDatabase, Town};
pub use oai::{OaiFault, OaiGranularity, OaiRepository, RepositoryRecord};
pub use summarizer::DbContentOffer;

use crate::answer::Answer;

/// An answer for those who show a token; the others learn nothing.
fn for_bearer(token: Option<&str>, answer: Answer) -> Answer {
    let Some(token) = token else { return answer };
    let expected = format!("Bearer {token}");
    Answer::from_fn(move |asked| match asked.headers.get("authorization") {
        Some(shown) if shown == expected => answer.clone(),
        _ => Answer::error(401).header("WWW-Authenticate", "Bearer"),
    })
}
