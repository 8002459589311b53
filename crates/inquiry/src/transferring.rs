//! Everything that carries a question over: vocabularies, concordances, what was learnt, and which collections there are.

use auslese_search::{
    QueryError, SearchError, SearchRequest, SearchResults, Searcher, alternatives, query_parts,
};
use auslese_vocabulary::{
    CollectionProfile, Measure, Models, Rewriting, ShortName, StoreError, Switch, TransferRule,
    TransferSettings, Vocabularies, VocabularyStore, rewrite,
};
use serde::Deserialize;

/// The collection of documents that no rule names.
const REST: &str = "harvest";
/// What is learnt without a name is for all collections.
const GENERAL: &str = "general";

/// Which terms of other vocabularies are searched, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TransferChoice {
    /// None.
    Off,
    /// Those that mean the same or nearly.
    Exact,
    /// Also wider, narrower, related and learnt ones.
    All,
}

/// Parts of a harvest that are indexed with vocabularies of their own.
pub type Collections = Vec<Collection>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    pub name: String,
    pub vocabulary: Option<ShortName>,
    /// What was learnt from its documents.
    pub model: Option<ShortName>,
}

#[derive(Debug)]
pub struct Transferring {
    vocabularies: Vocabularies,
    models: Models,
    settings: TransferSettings,
    collections: Vec<CollectionProfile>,
}

impl Transferring {
    pub fn load(
        store: &VocabularyStore,
        choice: TransferChoice,
        measure: Option<Measure>,
        collections: &[Collection],
    ) -> Result<Transferring, StoreError> {
        let (vocabularies, models) = (store.load()?, store.load_models()?);
        let mut settings = settings(choice);
        if let Some(measure) = measure {
            settings.measure = measure;
        }
        let collections = profiles(collections, &models);
        Ok(Transferring { vocabularies, models, settings, collections })
    }

    /// Switches one transfer on or off, by its name.
    pub fn switch(&mut self, id: &str, switch: Switch) {
        self.settings.transfers.insert(id.to_owned(), switch);
    }

    pub fn vocabularies(&self) -> &Vocabularies {
        &self.vocabularies
    }

    pub fn models(&self) -> &Models {
        &self.models
    }

    pub fn collections(&self) -> &[CollectionProfile] {
        &self.collections
    }

    /// A question rewritten for every collection.
    pub fn rewritings(&self, request: &SearchRequest) -> Result<Vec<Rewriting>, QueryError> {
        self.rewritings_with(request, &self.settings)
    }

    /// The same, with some transfers switched for this question alone.
    pub fn rewritings_switched(
        &self,
        request: &SearchRequest,
        choice: Option<TransferChoice>,
        switches: &[(String, Switch)],
    ) -> Result<Vec<Rewriting>, QueryError> {
        let mut own = match choice {
            Some(choice) => {
                let measure = self.settings.measure;
                TransferSettings { measure, ..settings(choice) }
            }
            None => self.settings.clone(),
        };
        own.transfers.extend(switches.iter().cloned());
        self.rewritings_with(request, &own)
    }

    fn rewritings_with(
        &self,
        request: &SearchRequest,
        settings: &TransferSettings,
    ) -> Result<Vec<Rewriting>, QueryError> {
        let parts = query_parts(&request.query, request.syntax)?;
        let rewritten = self.collections.iter().map(|collection| {
            rewrite(&parts, collection, &self.vocabularies, &self.models, settings)
        });
        Ok(rewritten.collect())
    }

    /// Asks with all transfers that act.
    pub fn search(
        &self,
        searcher: &Searcher,
        mut request: SearchRequest,
    ) -> Result<(SearchResults, Vec<Rewriting>), SearchError> {
        let rewritings = self.rewritings(&request)?;
        request.alternatives = alternatives(&rewritings);
        Ok((searcher.search(&request)?, rewritings))
    }
}

/// What acts by itself: labels and mappings that mean the same, or everything.
fn settings(choice: TransferChoice) -> TransferSettings {
    let usual = TransferSettings::default();
    match choice {
        TransferChoice::Off => TransferSettings { enabled: false, ..usual },
        TransferChoice::Exact => usual,
        TransferChoice::All => {
            TransferSettings { automatic: TransferRule::ALL.into_iter().collect(), ..usual }
        }
    }
}

/// The collections, and all other documents.
fn profiles(collections: &[Collection], models: &Models) -> Vec<CollectionProfile> {
    let general: Vec<ShortName> =
        models.iter().map(|(name, _)| name.clone()).filter(|it| it.as_str() == GENERAL).collect();
    let mut found: Vec<CollectionProfile> = collections
        .iter()
        .map(|collection| CollectionProfile {
            name: collection.name.clone(),
            vocabulary: collection.vocabulary.clone(),
            languages: Vec::new(),
            models: collection.model.iter().chain(&general).cloned().collect(),
        })
        .collect();
    let rest = REST.to_owned();
    found.push(CollectionProfile { name: rest, models: general, ..CollectionProfile::default() });
    found
}
