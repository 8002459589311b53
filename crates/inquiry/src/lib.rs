//! What people ask of indexed harvests, whether at a terminal or in a browser.
//!
//! A question is carried into the vocabularies of the collections and asked with what came of it ([`Transferring`]);
//! words are counted in the texts of a [`Selection`], once and on all cores ([`count`]). How questions are ranked is
//! decided in `search`, what counts as a hit in `kwic`, how terms are carried over in `vocabulary`; here they meet.
//!
//! ```
//! use auslese_inquiry::{Collections, TransferChoice, Transferring};
//! use auslese_search::SearchRequest;
//! use auslese_vocabulary::VocabularyStore;
//!
//! let folder = tempfile::tempdir().unwrap();
//! let store = VocabularyStore::at(folder.path().join("vocabularies"));
//! let transferring = Transferring::load(&store, TransferChoice::Exact, None, &Collections::default()).unwrap();
//! let rewritings = transferring.rewritings(&SearchRequest::new("Berufsverkehr")).unwrap();
//! assert!(rewritings[0].transfers.is_empty());
//! ```

mod counting;
mod selection;
mod transferring;

pub use counting::{Counted, ReadingRule, Wanted, count, count_until, document_of_key};
pub use selection::{Selection, SelectionError};
pub use transferring::{Collection, Collections, TransferChoice, Transferring};
