//! The room through its door: what is found, in which order, and what survives crashes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod alternatives;
mod collections;
mod crashes;
mod formula;
mod languages;
mod parts;
mod queries;
mod results;
mod weights;

use auslese_search::{
    IndexDir, IndexedDocument, SearchRequest, SearchResults, Searcher, WriterOptions,
};
use tempfile::TempDir;

/// An index in a directory that lives as long as this.
struct Indexed {
    _dir: TempDir,
    index: IndexDir,
}

fn indexed(documents: impl IntoIterator<Item = IndexedDocument>) -> Indexed {
    let dir = TempDir::new().unwrap();
    let index = IndexDir::create(&dir.path().join("index")).unwrap();
    let mut writer = index.writer(options()).unwrap();
    for document in documents {
        writer.put(document).unwrap();
    }
    writer.commit("state").unwrap();
    Indexed { _dir: dir, index }
}

fn options() -> WriterOptions {
    WriterOptions { threads: 2, ..WriterOptions::default() }
}

impl Indexed {
    fn searcher(&self) -> Searcher {
        Searcher::open(std::slice::from_ref(&self.index)).unwrap()
    }

    fn search(&self, request: &SearchRequest) -> SearchResults {
        self.searcher().search(request).unwrap()
    }

    /// The keys of the hits, best first.
    fn keys(&self, query: &str) -> Vec<u64> {
        keys(&self.search(&SearchRequest::new(query)))
    }
}

fn keys(results: &SearchResults) -> Vec<u64> {
    results.hits.iter().map(|hit| hit.key).collect()
}

fn document(key: u64, language: &str, title: &str, text: &str) -> IndexedDocument {
    IndexedDocument {
        key,
        id: format!("http://www.example.org/{key}"),
        fingerprint: key,
        host: "www.example.org".into(),
        language: (!language.is_empty()).then(|| language.to_owned()),
        title: title.to_owned(),
        text: text.to_owned(),
        ..IndexedDocument::default()
    }
}
