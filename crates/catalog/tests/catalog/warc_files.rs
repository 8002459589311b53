//! Archive files in a store: noted after they are stored, and only as what the catalog counts on.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    stored_files_are_noted
    a_removal_gives_a_stored_file_another_name
}

fn closed(file: &str, length: u64) -> WarcProgress {
    WarcProgress { file: file.to_owned(), length, records: 1, closed: true }
}

async fn stored_files_are_noted(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let open = WarcProgress { closed: false, ..closed("b.warc.gz", 20) };
    let warcs = vec![closed("a.warc.gz", 10), open];
    harvest.commit(Commit { warcs, ..Commit::default() }).await;
    let catalog = &harvest.catalog;
    #[rustfmt::skip]
    let cases = [
        ("b.warc.gz", 20, false), // it still grows
        ("a.warc.gz", 11, false), // it is not what was committed
        ("c.warc.gz", 10, false),
        ("a.warc.gz", 10, true),
        ("a.warc.gz", 10, true),  // to say it twice does no harm
    ];
    for (file, length, expected) in cases {
        let noted = catalog.note_stored(file, length, "5f", NOW).await.unwrap();
        assert_eq!(noted, expected, "{file} {length}");
    }
    let found = catalog.warc_files().await.unwrap();
    let shown: Vec<_> = found
        .iter()
        .map(|file| (file.progress.file.as_str(), file.stored_at, file.sha256.as_deref()))
        .collect();
    assert_eq!(shown, [("a.warc.gz", Some(NOW), Some("5f")), ("b.warc.gz", None, None)]);
    assert!(found[0].worker.is_some());
    let status = catalog.status().await.unwrap();
    assert_eq!((status.warc_files, status.warc_bytes), (2, 30));
    assert_eq!((status.stored_files, status.stored_bytes), (1, 10));
    // A window that names the file again does not forget where it lies.
    harvest.commit(Commit { warcs: vec![closed("a.warc.gz", 10)], ..Commit::default() }).await;
    assert_eq!(harvest.catalog.warc_files().await.unwrap()[0].stored_at, Some(NOW));
}

async fn a_removal_gives_a_stored_file_another_name(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let commit = Commit {
        servers: servers([1]),
        offers: vec![offer(1, 1), offer(2, 1)],
        captures: vec![capture(1, 1, 1, run), capture(2, 2, 1, run)],
        changes: vec![done(1, 1), done(2, 2)],
        warcs: vec![WarcProgress { closed: true, ..warc() }],
        ..Commit::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    let old = warc().file;
    catalog.note_stored(&old, warc().length, "5f", seconds(-5)).await.unwrap();
    let moved = Place { file: "new.warc.gz".to_owned(), offset: 3, length: 4, ..record(2) };
    let rewriting = Rewriting {
        files: vec![closed("new.warc.gz", 7)],
        moved: vec![(CaptureId(2), moved.clone())],
        renamed: vec![Renamed { from: old, to: "new.warc.gz".to_owned(), sha256: "6a".to_owned() }],
        ..Rewriting::default()
    };
    let note = RemovalNote { reason: "asked for", by: "archivist", at: NOW };
    catalog.remove(&[RequestId(1)], &rewriting, note).await.unwrap();
    let files = catalog.warc_files().await.unwrap();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].progress, closed("new.warc.gz", 7));
    assert_eq!((files[0].stored_at, files[0].sha256.as_deref()), (Some(NOW), Some("6a")));
    let kept = catalog.capture(CaptureId(2)).await.unwrap().unwrap();
    assert_eq!(kept.capture.storage, Storage::Stored(moved));
    assert!(catalog.check().await.unwrap().is_empty());
}
