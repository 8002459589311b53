//! Any text as a question to a small index: hits, or an error that points into the text.

#![no_main]

use auslese_search::{IndexDir, IndexedDocument, SearchRequest, Searcher, WriterOptions};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;
use tempfile::TempDir;

fn searcher() -> &'static Searcher {
    static SEARCHER: OnceLock<(TempDir, Searcher)> = OnceLock::new();
    let (_, searcher) = SEARCHER.get_or_init(|| {
        let dir = tempfile::tempdir().expect("a folder");
        let index = IndexDir::open_or_create(dir.path()).expect("an index");
        let options = WriterOptions { threads: 1, ..Default::default() };
        let mut writer = index.writer(options).expect("a writer");
        let titles = ["Geschichte der Universität", "Hotels in Rostock", "On Lie groups"];
        for (key, title) in (1..).zip(titles) {
            let document = IndexedDocument {
                key,
                title: title.into(),
                text: format!("{title}. Donaudampfschifffahrtsgesellschaft 2004").into(),
                ..Default::default()
            };
            writer.put(document).expect("it is put");
        }
        writer.commit("{}").expect("it is committed");
        (dir, Searcher::open(&[index]).expect("a searcher"))
    });
    searcher
}

fuzz_target!(|bytes: &[u8]| {
    let query = String::from_utf8_lossy(bytes);
    if let Err(error) = auslese_search::query::parse(&query) {
        error.render(&query);
    }
    let _ = searcher().search(&SearchRequest::new(&query));
});
