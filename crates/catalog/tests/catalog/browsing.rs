//! Looking around: institutions, servers, folders.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    institutions_and_servers
    folders_are_parts_of_paths
    documents_are_sorted
    only_what_is_kept
    odd_paths_are_empty
}

/// Paths of h1, each of them captured and judged; requests 1 to 9. Request 10 was not answered.
const PATHS: [&str; 9] = [
    "/",
    "/a/",
    "/a/b/c.html",
    "/a/b/d.html?x=/y/z",
    "/a/e.pdf",
    "/a0/f",
    "/a/B/g",
    "/ä/h",
    "/a?q=/1/2",
];

fn located(id: i64, path: &str) -> Offer {
    let url: url::Url = format!("http://h1.example{path}").parse().unwrap();
    let request = Request::get(url.clone());
    Offer { key: request.key(url.as_str()), request, ..offer(id, 1) }
}

async fn harvest(place: Database) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let numbered = || (1..).zip(PATHS);
    let mut offers: Vec<Offer> = numbered().map(|(id, path)| located(id, path)).collect();
    offers.push(located(10, "/a/unanswered"));
    let captures = numbered().map(|(id, path)| Capture {
        target: path.to_owned(),
        fields: HeaderFields {
            content_type: Some("text/html".to_owned()),
            content_length: Some(1000 - id),
            ..Default::default()
        },
        ..capture(id, id, 1, run)
    });
    let mut hosts = servers([1, 2]);
    hosts[1].label = None;
    let commit = Commit {
        servers: hosts,
        offers,
        captures: captures.collect(),
        changes: numbered().map(|(id, _)| done(id, id)).collect(),
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    let contents: Vec<Content> = numbered().map(|(id, _)| content(id, 20 - id)).collect();
    harvest.catalog.store_contents(&contents, &[]).await.unwrap();
    let documents: Vec<Document> = numbered()
        .map(|(id, _)| match id {
            3 | 5 => document(id, Keeping::Kept, CorpusRule::All),
            _ => document(id, Keeping::Left, CorpusRule::Language),
        })
        .collect();
    harvest.catalog.store_documents(&documents, NOW).await.unwrap();
    harvest
}

fn query<'a>(origin: &'a Origin, path: &'a str) -> FolderQuery<'a> {
    FolderQuery {
        server: ServerId(1),
        origin,
        path,
        kept_only: false,
        order: DocumentOrder::Name,
        descending: false,
        offset: 0,
        limit: 100,
    }
}

fn shown(folder: &Folder) -> (Vec<(&str, u64)>, Vec<i64>) {
    let folders = folder.shown_folders.iter().map(|it| (it.name.as_str(), it.documents));
    (folders.collect(), folder.shown_documents.iter().map(|it| it.request.0).collect())
}

async fn institutions_and_servers(place: Database) {
    let harvest = harvest(place).await;
    let catalog = &harvest.catalog;
    let labels = catalog.label_summaries().await.unwrap();
    let gi = LabelSummary {
        label: Some("GI".to_owned()),
        servers: 1,
        answering: 1,
        captures: 9,
        bytes: 9_000,
    };
    let none = LabelSummary { label: None, servers: 1, answering: 0, captures: 0, bytes: 0 };
    assert_eq!(labels, [gi, none]);
    for order in
        [ServerOrder::Name, ServerOrder::Software, ServerOrder::Captures, ServerOrder::Last]
    {
        let (total, servers) =
            catalog.server_summaries(Some("GI"), order, true, 0, 10).await.unwrap();
        assert_eq!((total, servers[0].id, servers[0].captures), (1, ServerId(1), 9));
    }
    let (total, servers) =
        catalog.server_summaries(None, ServerOrder::Bytes, false, 0, 10).await.unwrap();
    assert_eq!((total, servers.len()), (0, 0));
    let origin = Origin::parse("http://h1.example").unwrap();
    assert_eq!(catalog.server_summary(&origin).await.unwrap().unwrap().captures, 9);
    let other = Origin::parse("https://h1.example").unwrap();
    assert_eq!(catalog.server_summary(&other).await.unwrap(), None);
}

/// Path, folders in it, documents in it, documents in all.
type InFolder = (&'static str, &'static [(&'static str, u64)], &'static [i64], u64);

async fn folders_are_parts_of_paths(place: Database) {
    let harvest = harvest(place).await;
    let origin = Origin::parse("http://h1.example").unwrap();
    #[rustfmt::skip]
    let cases: [InFolder; 5] = [
        // path     folders in it                                documents   in all
        ("/",       &[("%C3%A4/", 1), ("a/", 5), ("a0/", 1)],    &[1, 9],    9),
        ("/a/",     &[("B/", 1), ("b/", 2)],                     &[2, 5],    5),
        ("/a/b/",   &[],                                         &[3, 4],    2),
        ("/a0/",    &[],                                         &[6],       1),
        ("/none/",  &[],                                         &[],        0),
    ];
    for (path, folders, documents, all) in cases {
        let folder = harvest.catalog.folder(&query(&origin, path)).await.unwrap();
        assert_eq!(shown(&folder), (folders.to_vec(), documents.to_vec()), "{path}");
        let counts = (folder.folders, folder.documents, folder.all);
        assert_eq!(counts, (folders.len() as u64, documents.len() as u64, all), "{path}");
        assert!(!folder.more && folder.sorted);
    }
    // Pages go through folders first, then through documents.
    let mut seen = Vec::new();
    for offset in 0..5 {
        let page = FolderQuery { offset, limit: 1, ..query(&origin, "/") };
        let folder = harvest.catalog.folder(&page).await.unwrap();
        let (folders, documents) = shown(&folder);
        seen.extend(folders.iter().map(|(name, _)| (*name).to_owned()));
        seen.extend(documents.iter().map(i64::to_string));
    }
    assert_eq!(seen, ["%C3%A4/", "a/", "a0/", "1", "9"]);
}

async fn documents_are_sorted(place: Database) {
    let harvest = harvest(place).await;
    let origin = Origin::parse("http://h1.example").unwrap();
    #[rustfmt::skip]
    let cases = [
        (DocumentOrder::Name,     false, [2, 5]),
        (DocumentOrder::Name,     true,  [5, 2]),
        (DocumentOrder::Title,    false, [5, 2]),
        (DocumentOrder::Type,     false, [2, 5]),
        (DocumentOrder::Size,     false, [5, 2]),
        (DocumentOrder::Captured, true,  [5, 2]),
    ];
    for (order, descending, expected) in cases {
        let asked = FolderQuery { order, descending, ..query(&origin, "/a/") };
        let folder = harvest.catalog.folder(&asked).await.unwrap();
        assert_eq!(shown(&folder).1, expected, "{order:?} {descending}");
    }
    let folder = harvest.catalog.folder(&query(&origin, "/a/")).await.unwrap();
    let last = &folder.shown_documents[1];
    assert_eq!(last.title.as_deref(), Some("Seite 15"));
    assert_eq!((last.size, last.status, last.keeping), (Some(995), 200, Some(Keeping::Kept)));
    assert_eq!(last.format, Some(Format::Html));
}

async fn only_what_is_kept(place: Database) {
    let harvest = harvest(place).await;
    let origin = Origin::parse("http://h1.example").unwrap();
    let kept = FolderQuery { kept_only: true, ..query(&origin, "/a/") };
    let folder = harvest.catalog.folder(&kept).await.unwrap();
    assert_eq!(shown(&folder), (vec![("b/", 1)], vec![5]));
    assert_eq!((folder.documents, folder.all), (1, 2));
}

async fn odd_paths_are_empty(place: Database) {
    let harvest = harvest(place).await;
    let origin = Origin::parse("http://h1.example").unwrap();
    let long = format!("/{}/", "x".repeat(MAX_FOLDER_ADDRESS));
    for path in ["", "/a", "a", "//", "/%/", "/'; --/", long.as_str()] {
        let folder = harvest.catalog.folder(&query(&origin, path)).await.unwrap();
        assert_eq!((folder.all, folder.folders), (0, 0), "{path}");
    }
}
