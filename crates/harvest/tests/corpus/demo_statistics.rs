//! Numbers about the demo's institute of linguistics, counted by hand in the files under
//! `crates/testnet/demo` and in the pages its module makes.

use crate::building::institute;
use auslese_catalog::{Amount, CountBy, InstitutionRow, SizeBy};
use auslese_model::{CorpusRule, Keeping};

#[test]
fn the_tables_of_the_institute() {
    let field = institute();
    field.german_corpus();
    field.with_catalog(async |catalog| {
        let rules = catalog.rule_counts().await.unwrap();
        let rows: Vec<_> =
            rules.rules.iter().map(|row| (row.keeping, row.rule, row.documents)).collect();
        assert_eq!(
            rows,
            [
                // There is no robots.txt.
                (Keeping::Left, CorpusRule::Status, 1),
                (Keeping::Left, CorpusRule::MimeType, 1),
                (Keeping::Left, CorpusRule::Size, 1),
                (Keeping::Left, CorpusRule::Format, 2),
                // English, French, Danish, Dutch, Low German, and a list of terms.
                (Keeping::Left, CorpusRule::Language, 6),
                // Those of `demo::corpus_truth` and ten more: six entries of the dictionary, the
                // frameset with its navigation, the dialect, the caption of a picture.
                (Keeping::Kept, CorpusRule::All, 24),
            ]
        );

        // The table of the paper. The long list is sent compressed, so its size is the
        // compressor's; all other sizes are those of the files.
        let long_list = rules.rules.iter().find(|row| row.rule == CorpusRule::Size).unwrap().bytes;
        let expected = InstitutionRow {
            label: None,
            servers: 1,
            all: amount(34, 22_531 + long_list),
            kept: amount(24, 17_337),
            types: vec![("text/html".to_owned(), 33), ("text/plain".to_owned(), 1)],
        };
        assert_eq!(catalog.institution_table().await.unwrap(), [expected]);

        let languages = catalog.count_table(CountBy::Language, 20).await.unwrap();
        let mut rows: Vec<_> = languages
            .rows
            .iter()
            .map(|row| (row.name.as_deref(), row.all.documents, row.kept.documents))
            .collect();
        rows.sort_unstable();
        assert_eq!(
            rows,
            [
                // The PDF and the empty page; the frameset, which is kept as it has no text.
                (None, 3, 1),
                (Some("da"), 1, 0),
                // With the long list and the page called text/plain.
                (Some("de"), 25, 23),
                (Some("en"), 1, 0),
                (Some("fr"), 1, 0),
                (Some("nds"), 1, 0),
                (Some("nl"), 1, 0),
                (Some("und"), 1, 0),
            ]
        );

        // Of 33 pages the 17th, by size: that of /woerterbuch/1.html and 3.html.
        let sizes = catalog.size_table(SizeBy::MediaType, 10).await.unwrap();
        let html = sizes.iter().find(|row| row.name.as_deref() == Some("text/html")).unwrap();
        assert_eq!((html.documents, html.median), (33, Some(512)));
        assert_eq!(html.largest, Some(long_list));
    });
}

fn amount(documents: u64, bytes: u64) -> Amount {
    Amount { documents, bytes, unknown_sizes: 0 }
}
