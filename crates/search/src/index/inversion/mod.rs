//! The pieces of an index that are being written, one for each thread.
//!
//! tantivy would invert documents itself, word by word into a table of all words and lists of postings that grow with
//! each of them: that waits for memory most of the time. And its own threads get the documents through a queue that has room
//! for more than there are. Here, whoever has a document inverts it, in a way that memory likes.

mod piece;
mod tokens;
mod vocabulary;

use super::prepare::Made;
use crate::analysis::Analyzer;
use piece::Piece;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use tantivy::schema::Field;
use tantivy::{Index, IndexWriter, TantivyDocument, TantivyError};

/// The pieces of all threads.
pub(super) struct Pieces {
    index: Index,
    /// The field of the keys.
    key: Field,
    /// Bytes in memory from which on a piece is written.
    memory: usize,
    by_thread: Vec<Mutex<Option<Piece>>>,
}

impl Pieces {
    pub(super) fn new(index: Index, key: Field, threads: usize, memory: usize) -> Pieces {
        let by_thread = (0..threads).map(|_| Mutex::new(None)).collect();
        Pieces { index, key, memory, by_thread }
    }

    /// Inverts a document into the piece of a thread.
    pub(super) fn add(
        &self,
        thread: usize,
        made: &Made,
        analyzer: &mut Analyzer,
    ) -> tantivy::Result<()> {
        let mut piece = self.piece_of(thread);
        let piece = match &mut *piece {
            Some(begun) => begun,
            none => none.insert(Piece::begin(self.index.new_segment(), self.key)?),
        };
        piece.add(made, analyzer)
    }

    /// Writes the piece of a thread if it is large enough.
    pub(super) fn close_if_full(
        &self,
        thread: usize,
        index: &IndexWriter<TantivyDocument>,
    ) -> tantivy::Result<()> {
        let full = self.piece_of(thread).take_if(|it| it.memory() >= self.memory);
        full.map_or(Ok(()), |piece| piece.close(index))
    }

    /// Writes all pieces, at the same time.
    pub(super) fn close_all(&self, index: &IndexWriter<TantivyDocument>) -> tantivy::Result<()> {
        let failed = || TantivyError::InternalError("a thread that writes has failed".to_owned());
        thread::scope(|scope| {
            let closing: Vec<_> = (0..self.by_thread.len())
                .filter_map(|thread| self.piece_of(thread).take())
                .map(|piece| scope.spawn(|| piece.close(index)))
                .collect();
            let closed = closing.into_iter().map(|it| it.join().unwrap_or_else(|_| Err(failed())));
            closed.fold(Ok(()), tantivy::Result::and)
        })
    }

    fn piece_of(&self, thread: usize) -> MutexGuard<'_, Option<Piece>> {
        self.by_thread[thread].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::index::{IndexDir, WriterOptions};
    use crate::{DocumentDate, IndexedDocument, IndexedStatement};
    use auslese_model::Field as Said;
    use std::collections::BTreeMap;
    use tantivy::postings::Postings;
    use tantivy::schema::IndexRecordOption;
    use tantivy::{DocSet, TERMINATED};

    fn document(key: u64) -> IndexedDocument {
        let text = match key % 5 {
            0 => String::new(),
            1 => "Wissenschaftsgeschichte und die Geschichte der Bibliotheken; ".repeat(200),
            2 => format!("The history of {key} libraries and of nothing else"),
            3 => format!("{} kurz {}", "Langeswort".repeat(12), "Jahresbericht ".repeat(3)),
            _ => format!("Bibliothèque {key} ä ß ... Universitätsbibliothek {}", key * 7919),
        };
        let statement = |field, value: String, weight| IndexedStatement {
            field,
            value,
            weight,
            scheme: (field == Said::Classification).then(|| "msc".to_owned()),
            chosen: weight > 0.5,
        };
        IndexedDocument {
            key,
            id: format!("http://www.example.org/pfad/{key}.html"),
            fingerprint: key * 31,
            host: "www.example.org".into(),
            path: format!("/pfad/{key}.html"),
            language: ["de", "en", "fr"].get(key as usize % 4).map(|tag| (*tag).to_owned()),
            title: format!("Jahresbericht {key}"),
            headings: vec!["Forschungszentrum".into(), "Bericht".into()],
            anchors: vec![("zum Rechenzentrum".into(), 3), ("hier".into(), key)],
            date: Some(DocumentDate { year: 2000, month: None, day: None, weight: 0.5 }),
            statements: vec![
                statement(Said::Title, "Arbeitszeit und Feiertage".into(), 0.9),
                statement(Said::Title, format!("Nummer {key}"), 0.4),
                statement(Said::Title, "...".into(), 0.3),
                statement(Said::Title, "Sommersemester".into(), 0.2),
                statement(Said::Author, "Meier, Hans".into(), 0.8),
                statement(Said::Author, format!("Autorin {}", key % 3), 0.7),
                statement(Said::Keywords, "Digitale Bibliothek".into(), 0.6),
                statement(Said::Classification, "65F10".into(), 0.6),
            ],
            text,
            ..IndexedDocument::default()
        }
    }

    /// Documents, how often a word is there, and where.
    type Places = Vec<(u32, u32, Vec<u32>)>;
    /// The number of words, the lengths of the documents, and the places of each word.
    type InField = (u64, Vec<u32>, BTreeMap<Vec<u8>, Places>);

    /// Everything that the only piece of an index knows of words, by field and word.
    fn contents(index: &IndexDir) -> BTreeMap<String, InField> {
        let searcher = index.index().reader().unwrap().searcher();
        let [piece] = searcher.segment_readers() else { panic!("one piece") };
        let schema = index.index().schema();
        let indexed = schema.fields().filter(|(_, entry)| entry.is_indexed());
        let of_field = |(field, entry): (tantivy::schema::Field, &tantivy::schema::FieldEntry)| {
            let inverted = piece.inverted_index(field).unwrap();
            let mut words = BTreeMap::new();
            let mut terms = inverted.terms().stream().unwrap();
            while terms.advance() {
                let option = IndexRecordOption::WithFreqsAndPositions;
                let info = terms.value();
                let mut postings = inverted.read_postings_from_terminfo(info, option).unwrap();
                let mut places = Vec::new();
                while postings.doc() != TERMINATED {
                    let mut positions = Vec::new();
                    postings.positions(&mut positions);
                    places.push((postings.doc(), postings.term_freq(), positions));
                    postings.advance();
                }
                assert_eq!(places.len(), info.doc_freq as usize);
                words.insert(terms.key().to_vec(), places);
            }
            let lengths = match entry.has_fieldnorms() {
                true => {
                    let lengths = piece.get_fieldnorms_reader(field).unwrap();
                    (0..piece.max_doc()).map(|doc| lengths.fieldnorm(doc)).collect()
                }
                false => Vec::new(),
            };
            (entry.name().to_owned(), (inverted.total_num_tokens(), lengths, words))
        };
        indexed.map(of_field).collect()
    }

    /// An empty index is inverted here, what replaces something by tantivy: nobody can tell the difference.
    #[test]
    fn the_same_as_by_tantivy() {
        let dir = tempfile::tempdir().unwrap();
        let index = IndexDir::create(&dir.path().join("index")).unwrap();
        let options = WriterOptions { threads: 1, ..WriterOptions::default() };
        let mut found = Vec::new();
        for _ in 0..2 {
            let mut writer = index.writer(options).unwrap();
            (0..300).for_each(|key| writer.put(document(key)).unwrap());
            writer.commit("").unwrap();
            writer.finish().unwrap();
            found.push(contents(&index));
        }
        let by_tantivy = found.pop().unwrap();
        for (field, contents) in &found[0] {
            assert_eq!(Some(contents), by_tantivy.get(field), "{field}");
        }
        assert!(found[0]["text"].2.len() > 100);
        assert!(!found[0]["text_pieces"].2.is_empty() && !found[0]["title_pieces"].2.is_empty());
        index.verify().unwrap();
    }

    #[test]
    fn many_small_pieces() {
        let dir = tempfile::tempdir().unwrap();
        let index = IndexDir::create(&dir.path().join("index")).unwrap();
        // The least that is possible, and texts that fill it several times.
        let mut writer = index.writer(WriterOptions { threads: 2, memory: 0 }).unwrap();
        let text: String = (0..60_000).map(|number| format!("wort{number} ")).collect();
        for key in 0..120 {
            writer.put(IndexedDocument { text: text.clone(), ..document(key) }).unwrap();
        }
        writer.commit("").unwrap();
        let searcher = index.index().reader().unwrap().searcher();
        assert!(searcher.segment_readers().len() > 2);
        assert_eq!(searcher.num_docs(), 120);
        assert_eq!(index.fingerprints().unwrap().len(), 120);
    }
}
