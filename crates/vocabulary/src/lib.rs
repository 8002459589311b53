//! Vocabularies (thesauri, classifications, lists of subject headings), concordances between them,
//! which words and terms go together, and what a question means in the vocabulary of a collection.
//!
//! Collections are indexed with different vocabularies, or with none, so a question is rewritten
//! for each of them: by labels, by mappings that people made, by statistics. Every step is a
//! [`Transfer`] with its reason, which can be shown, weighed and switched off. Searching is done
//! elsewhere.
//!
//! ```
//! use auslese_vocabulary::{
//!     CollectionProfile, Import, ImportOptions, Models, QueryPart, ShortName, TransferSettings,
//!     Vocabularies, rewrite,
//! };
//!
//! let turtle = r#"
//!     @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
//!     <http://a.example/1> skos:prefLabel "Wanderung"@de ; skos:altLabel "Migration"@de ;
//!         skos:exactMatch <http://b.example/7> ."#;
//! let other = r#"<http://b.example/7> <http://www.w3.org/2004/02/skos/core#prefLabel> "Zuzug"@de ."#;
//! let mut vocabularies = Vocabularies::default();
//! for (file, text) in [("a.ttl", turtle), ("b.ttl", other)] {
//!     let import = Import::read(text.as_bytes(), file, &ImportOptions::default()).unwrap();
//!     import.vocabulary.map(|it| vocabularies.insert(it));
//!     import.concordance.map(|it| vocabularies.insert_concordance(it));
//! }
//! let collection = CollectionProfile {
//!     name: "library".to_owned(),
//!     vocabulary: ShortName::new("b"),
//!     ..CollectionProfile::default()
//! };
//! let query = QueryPart::words_of("migrationen im Tal");
//! let settings = TransferSettings::default();
//! let rewriting = rewrite(&query, &collection, &vocabularies, &Models::default(), &settings);
//! let transfer = &rewriting.transfers[0];
//! assert_eq!((transfer.words.as_str(), transfer.weight), ("migrationen", 1.0));
//! assert_eq!(transfer.target.label(), "Zuzug");
//! ```

mod browse;
mod concept;
mod hierarchy;
mod import;
mod mapping;
mod matching;
mod problem;
mod rewriting;
mod short_name;
mod statistics;
mod store;
mod vocabularies;
mod word_key;

pub use browse::{ConceptLink, ConceptView, Listed, MAX_LISTED, MappingView, TreeNode};
pub use concept::{Concept, Label, LabelKind, Vocabulary};
pub use hierarchy::{Hierarchy, MAX_PATH, MAX_PATHS};
pub use import::*;
pub use mapping::{Concordance, HIGH_RELEVANCE, MEDIUM_RELEVANCE, Mapping, Relation, Relevance};
pub use matching::{
    LabelMatch, MAX_LABEL_WORDS, MAX_QUERY_WORDS, Matched, QueryPart, QueryPartKind,
};
pub use problem::{MAX_PROBLEMS, Problem, Severity};
pub use rewriting::{
    CollectionProfile, Rewriting, Source, Switch, Target, TargetConcept, Transfer, TransferMode,
    TransferRule, TransferSettings, rewrite,
};
pub use short_name::{MAX_SHORT_NAME, ShortName};
pub use statistics::*;
pub use store::{Added, LineError, MAX_STORED_FILE, StoreError, Stored, VocabularyStore};
pub use vocabularies::{Direction, MetMapping, Vocabularies, VocabularyPair};
