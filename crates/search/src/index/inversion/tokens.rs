//! The words of one field, document by document as they came; and turned around, word by word.
//!
//! A list of postings that grows with every word needs memory far apart for each of them. Numbers of words one behind the
//! other do not; and when the piece is written, a few passes over them put the places of each word side by side.

use super::vocabulary::Vocabulary;
use tantivy::DocId;
use tantivy::postings::FieldSerializer;

/// Behind it stands a document, whose words follow from position 0 on.
const DOCUMENT: u32 = u32::MAX;
/// Behind it stands the position of the next word, if that is not the one behind the last.
const POSITION: u32 = u32::MAX - 1;

/// Places in documents that are sorted together: more passes are cheaper than memory that is far apart.
const TURNED_AT_ONCE: usize = 4 << 20;

/// Where the places of a word end that is not among those that are sorted.
const NOT_NOW: usize = usize::MAX;

#[derive(Debug, Default)]
pub(super) struct Tokens {
    stream: Vec<u32>,
    count: usize,
    document: Option<DocId>,
    next: u32,
}

impl Tokens {
    /// Documents come in order, and so do the positions in each.
    pub(super) fn push(&mut self, document: DocId, position: u32, word: u32) {
        if self.document != Some(document) {
            self.document = Some(document);
            self.next = 0;
            self.stream.extend([DOCUMENT, document]);
        }
        if self.next != position {
            self.stream.extend([POSITION, position]);
        }
        self.stream.push(word);
        self.next = position + 1;
        self.count += 1;
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Bytes in memory.
    pub(super) fn memory(&self) -> usize {
        self.stream.len() * size_of::<u32>()
    }

    /// Bytes that turning it around takes.
    pub(super) fn memory_to_turn(&self) -> usize {
        self.count.min(TURNED_AT_ONCE) * size_of::<(DocId, u32)>()
    }

    /// Writes what was pushed, word by word in the order given.
    pub(super) fn write(
        &self,
        vocabulary: &Vocabulary,
        order: &[u32],
        positions: bool,
        field: &mut FieldSerializer,
    ) -> std::io::Result<()> {
        let mut steps = Vec::new();
        self.turned(vocabulary.len(), order, TURNED_AT_ONCE, |word, places| {
            let documents = || places.chunk_by(|a, b| a.0 == b.0);
            field.new_term(vocabulary.letters(word), documents().count() as u32, true)?;
            for in_document in documents() {
                steps.clear();
                if positions {
                    let mut last = 0;
                    steps.extend(in_document.iter().map(|(_, position)| {
                        let step = position - last;
                        last = *position;
                        step
                    }));
                }
                field.write_doc(in_document[0].0, in_document.len() as u32, &steps);
            }
            field.close_term()
        })
    }

    /// Every word that is there, in the order given, with its documents and positions. `words` is the number of all words,
    /// `at_once` the number of places that are held in memory, if no word has more.
    fn turned<E>(
        &self,
        words: usize,
        order: &[u32],
        at_once: usize,
        mut take: impl FnMut(u32, &[(DocId, u32)]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut counts = vec![0_usize; words];
        self.each(|word, _, _| counts[word as usize] += 1);
        let mut ends = vec![NOT_NOW; words];
        let mut places = Vec::new();
        let mut rest = order;
        while !rest.is_empty() {
            let mut sum = 0;
            let some = rest.iter().position(|word| {
                let before = sum;
                sum += counts[*word as usize];
                before > 0 && sum > at_once
            });
            let (these, later) = rest.split_at(some.unwrap_or(rest.len()));
            rest = later;
            let mut begun = 0;
            for word in these {
                ends[*word as usize] = begun;
                begun += counts[*word as usize];
            }
            places.clear();
            places.resize(begun, (0, 0));
            self.each(|word, document, position| {
                let end = &mut ends[word as usize];
                if *end != NOT_NOW {
                    places[*end] = (document, position);
                    *end += 1;
                }
            });
            for word in these {
                let end = std::mem::replace(&mut ends[*word as usize], NOT_NOW);
                let count = counts[*word as usize];
                if count > 0 {
                    take(*word, &places[end - count..end])?;
                }
            }
        }
        Ok(())
    }

    /// Every word with its document and position.
    fn each(&self, mut take: impl FnMut(u32, DocId, u32)) {
        let (mut document, mut position) = (0, 0);
        let mut rest = self.stream.iter().copied();
        while let Some(word) = rest.next() {
            match word {
                DOCUMENT => (document, position) = (rest.next().unwrap_or(0), 0),
                POSITION => position = rest.next().unwrap_or(0),
                _ => {
                    take(word, document, position);
                    position += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_comes_back() {
        let pushed = [
            (7, 0, 0),
            (8, 0, 1),
            (7, 0, 2),
            (9, 0, 2048),
            (9, 0, 2049),
            (7, 3, 0),
            (8, 4, 5),
            (8, 4, 4_000_000_000),
        ];
        let mut tokens = Tokens::default();
        for (word, document, position) in pushed {
            tokens.push(document, position, word);
        }
        let mut found = Vec::new();
        tokens.each(|word, document, position| found.push((word, document, position)));
        assert_eq!(found, pushed);
        assert_eq!(tokens.count(), pushed.len());
    }

    #[test]
    fn turned_around_in_any_number_of_passes() {
        // Word 2 is nowhere, and word 0 is in most places.
        let mut tokens = Tokens::default();
        let mut expected: Vec<Vec<(DocId, u32)>> = vec![Vec::new(); 9];
        for document in [0, 1, 5, 900] {
            for position in [0, 1, 2, 3, 4, 7, 2048, 2050] {
                let word = if position < 5 { 0 } else { 3 + (document + position) % 6 };
                tokens.push(document, position, word);
                expected[word as usize].push((document, position));
            }
        }
        let order = [8, 0, 2, 7, 3, 1, 4, 6, 5];
        for at_once in [1, 2, 3, 7, 20, 32, 1000] {
            let mut found = Vec::new();
            let take = |word: u32, places: &[(DocId, u32)]| -> Result<(), ()> {
                found.push((word, places.to_vec()));
                Ok(())
            };
            tokens.turned(9, &order, at_once, take).unwrap();
            let of_word = |word: &u32| (*word, expected[*word as usize].clone());
            let wanted: Vec<_> =
                order.iter().map(of_word).filter(|(_, places)| !places.is_empty()).collect();
            assert_eq!(found, wanted, "{at_once}");
        }
    }
}
