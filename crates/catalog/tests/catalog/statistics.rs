//! Statistics: every table over one small harvest, computed by hand; and percentiles against a
//! plain sort.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    the_table_of_the_paper
    documents_are_counted_by_their_properties
    percentiles_are_sizes_of_real_documents
    servers_are_compared
    what_is_in_documents
    an_empty_harvest_has_empty_tables
}

/// A page with a type and a stated length, both of which may be missing.
fn page(id: i64, server: i64, run: RunId, media_type: &str, length: Option<i64>) -> Capture {
    Capture {
        fields: HeaderFields {
            content_type: (!media_type.is_empty()).then(|| media_type.to_owned()),
            content_length: length,
            ..Default::default()
        },
        ..capture(id, id, server, run)
    }
}

/// Two institutions. GI (h1 and h2): six documents, of which three are kept, one 404, one
/// robots.txt. MR (h3): one document, which its server confirmed with a 304. AC: nothing.
async fn small_harvest(place: Database) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let institution = |label: &str| Institution {
        label: label.to_owned(),
        root_url: format!("http://{label}.example/"),
    };
    let institutions = ["AC", "GI", "MR"].map(institution);
    harvest.catalog.set_institutions(&institutions).await.unwrap();
    let mut hosts = servers([1, 2, 3]);
    hosts[2].label = Some("MR".to_owned());
    let header_only = || Storage::HeaderOnly { reason: "size".to_owned() };
    let modified = Timestamp::from_civil((1999, 5, 5), (0, 0, 0));
    let odd = vec![Oddity::new("bad-date", "x"), Oddity::new("bad-date", "y")];
    let mut captures = vec![
        page(1, 1, run, "text/html; charset=utf-8", Some(100)),
        page(2, 1, run, "TEXT/HTML", None),
        page(3, 1, run, "image/gif", Some(50)),
        page(4, 2, run, "text/html", Some(300)),
        Capture { storage: header_only(), ..page(5, 2, run, "application/zip", None) },
        page(6, 2, run, "", Some(7)),
        Capture { status: 404, ..page(7, 2, run, "text/html", Some(999)) },
        page(8, 1, run, "text/plain", Some(999)),
        page(9, 3, run, "text/html", Some(10)),
    ];
    captures[0].fields.last_modified = modified;
    captures[0].oddities = odd;
    captures[0].target = "/dir/index.HTML?x".to_owned();
    captures[8].address = Some("2001:db8::1".parse().unwrap());
    captures.push(Capture {
        id: CaptureId(19),
        status: 304,
        payload_length: 0,
        fields: HeaderFields::default(),
        storage: Storage::Revisit { place: record(19), original: CaptureId(9) },
        ..captures[8].clone()
    });
    let server_of = |id| captures[id as usize - 1].server.0;
    let mut offers: Vec<Offer> =
        (1..=10).map(|id| offer(id, if id == 10 { 3 } else { server_of(id) })).collect();
    offers[7].hops = HopPath("P".to_owned());
    let commit = Commit {
        servers: hosts,
        offers,
        captures,
        changes: (1..=9).map(|id| done(id, if id == 9 { 19 } else { id })).collect(),
        signs: vec![ServerSigns {
            server: ServerId(1),
            software: Some("Apache/1.3".to_owned()),
            http_version: "HTTP/1.0".to_owned(),
        }],
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;

    let catalog = &harvest.catalog;
    let errors = [("unclosed".to_owned(), 3), ("stray".to_owned(), 1)].into();
    let second = Content {
        counts: Counts { words: 50, sentences: 2, links: 8, applets: 1, ..Counts::default() },
        conformance: Some(Conformance { doctype: Some("HTML 4.01".to_owned()), errors }),
        elements: [("p".to_owned(), 1), ("blink".to_owned(), 5)].into(),
        generator: Some("FrontPage".to_owned()),
        features: [("word-length".to_owned(), 6.0)].into(),
        ..content(2, 2)
    };
    let english = Content { language: None, structure: Some(8), ..content(9, 9) };
    let gif = Content {
        format: Format::Binary,
        language: None,
        structure: None,
        conformance: None,
        counts: Counts::default(),
        elements: [].into(),
        ..content(3, 3)
    };
    catalog.store_contents(&[content(1, 1), second, english, gif], &[]).await.unwrap();
    let kept = |id| document(id, Keeping::Kept, CorpusRule::All);
    let left = |id, rule| document(id, Keeping::Left, rule);
    let documents = [
        kept(1),
        kept(2),
        left(3, CorpusRule::MimeType),
        Document { duplicate_of: Some(RequestId(1)), ..kept(4) },
        left(5, CorpusRule::Suffix),
        Document { near: Some((RequestId(1), 0.9)), ..left(6, CorpusRule::NearDuplicate) },
        left(7, CorpusRule::Status),
        left(8, CorpusRule::Machinery),
        Document {
            near: Some((RequestId(9), 1.0)),
            capture: Some(CaptureId(19)),
            ..left(9, CorpusRule::Language)
        },
    ];
    catalog.store_documents(&documents, NOW).await.unwrap();
    harvest
}

fn amount(documents: u64, bytes: u64, unknown_sizes: u64) -> Amount {
    Amount { documents, bytes, unknown_sizes }
}

async fn the_table_of_the_paper(place: Database) {
    let harvest = small_harvest(place).await;
    let row = |label: &str, servers, all, kept, types: &[(&str, u64)]| InstitutionRow {
        label: Some(label.to_owned()),
        servers,
        all,
        kept,
        types: types.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect(),
    };
    let types = [("text/html", 3), ("application/zip", 1), ("image/gif", 1)];
    let none = Amount::default();
    assert_eq!(
        harvest.catalog.institution_table().await.unwrap(),
        [
            row("AC", 0, none, none, &[]),
            row("GI", 2, amount(6, 100 + 1000 + 50 + 300 + 7, 1), amount(3, 1400, 0), &types),
            row("MR", 1, amount(1, 10, 0), none, &[("text/html", 1)]),
        ]
    );
}

async fn documents_are_counted_by_their_properties(place: Database) {
    let harvest = small_harvest(place).await;
    let catalog = &harvest.catalog;
    #[rustfmt::skip]
    let cases: [(CountBy, &[(&str, u64)]); 14] = [
        (CountBy::Label,        &[("GI", 6), ("MR", 1)]),
        (CountBy::Server,       &[("h1.example", 3), ("h2.example", 3), ("h3.example", 1)]),
        (CountBy::MediaType,    &[("text/html", 4), ("-", 1), ("application/zip", 1), ("image/gif", 1)]),
        (CountBy::Suffix,       &[("-", 6), ("html", 1)]),
        (CountBy::Format,       &[("-", 3), ("html", 3), ("binary", 1)]),
        (CountBy::Status,       &[("200", 8), ("404", 1)]),
        (CountBy::Software,     &[("-", 5), ("Apache/1.3", 4)]),
        (CountBy::HttpVersion,  &[("HTTP/1.1", 9)]),
        (CountBy::ModifiedYear, &[("-", 6), ("1999", 1)]),
        (CountBy::Language,     &[("-", 5), ("de", 2)]),
        (CountBy::Doctype,      &[("-", 6), ("HTML 4.01", 1)]),
        (CountBy::Conformance,  &[("-", 4), ("conforming", 2), ("not conforming", 1)]),
        (CountBy::Generator,    &[("-", 6), ("FrontPage", 1)]),
        (CountBy::NotStored,    &[("-", 6), ("size", 1)]),
    ];
    for (by, expected) in cases {
        let table = catalog.count_table(by, 100).await.unwrap();
        let shown: Vec<(&str, u64)> = table
            .rows
            .iter()
            .map(|row| (row.name.as_deref().unwrap_or("-"), row.all.documents))
            .collect();
        assert_eq!(shown, expected, "{by:?}");
        assert_eq!(table.rest(), (Amount::default(), Amount::default()), "{by:?}");
    }
    let table = catalog.count_table(CountBy::MediaType, 1).await.unwrap();
    let html = CountRow {
        name: Some("text/html".to_owned()),
        servers: 3,
        all: amount(4, 1410, 0),
        kept: amount(3, 1400, 0),
    };
    assert_eq!(table.rows, [html]);
    assert_eq!(table.rest(), (amount(3, 57, 1), Amount::default()));
}

async fn percentiles_are_sizes_of_real_documents(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    // Sizes in no order, some equal, some unknown; groups of 1, 2, 10, 101 documents.
    let groups = [("a/one", 1i64), ("a/two", 2), ("a/ten", 10), ("a/more", 101)];
    let (mut captures, mut expected) = (Vec::new(), Vec::new());
    let mut id = 0;
    for (name, count) in groups {
        let sizes: Vec<i64> = (0..count).map(|number| number * 7919 % 97 * 10).collect();
        for size in &sizes {
            id += 1;
            captures.push(page(id, 1, run, name, Some(*size)));
        }
        id += 1;
        let storage = Storage::HeaderOnly { reason: "size".to_owned() };
        captures.push(Capture { storage, ..page(id, 1, run, name, None) });
        let mut sorted = sizes.clone();
        sorted.sort_unstable();
        let ranked = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100);
            Some(sorted[rank.max(1) - 1].unsigned_abs())
        };
        let sum: i64 = sizes.iter().sum();
        expected.push(SizeRow {
            name: Some(name.to_owned()),
            documents: count.unsigned_abs() + 1,
            unknown_sizes: 1,
            bytes: sum.unsigned_abs(),
            mean: Some(sum as f64 / count as f64),
            median: ranked(50),
            p90: ranked(90),
            p99: ranked(99),
            largest: sorted.last().map(|size| size.unsigned_abs()),
        });
    }
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=id).map(|id| offer(id, 1)).collect(),
        changes: (1..=id).map(|id| done(id, id)).collect(),
        captures,
        warcs: vec![warc()],
        ..Default::default()
    };
    harvest.commit(commit).await;
    expected.reverse();
    let table = harvest.catalog.size_table(SizeBy::MediaType, 9).await.unwrap();
    assert_eq!(table, expected);
    assert_eq!(harvest.catalog.size_table(SizeBy::MediaType, 2).await.unwrap(), expected[..2]);
}

async fn servers_are_compared(place: Database) {
    let harvest = small_harvest(place).await;
    let catalog = &harvest.catalog;
    let table = catalog.server_table(9).await.unwrap();
    assert_eq!(table.len(), 3);
    let first = &table[0];
    assert_eq!(first.origin, "http://h1.example:80");
    assert_eq!(first.software.as_deref(), Some("Apache/1.3"));
    assert_eq!(first.http_version.as_deref(), Some("HTTP/1.0"));
    assert_eq!((first.all, first.kept), (amount(3, 1150, 0), amount(2, 1100, 0)));
    // Texts of 100 words in 10 sentences and of 50 words in 2; the picture has none.
    assert_eq!((first.texts, first.pages, first.conforming), (2, 2, 1));
    assert_eq!((first.mean_words, first.mean_sentences), (Some(75.0), Some(6.0)));
    assert_eq!((first.sentence_length, first.mean_links), (Some(12.5), Some(6.0)));
    assert_eq!((first.applets, first.parse_errors), (1, 4));
    assert_eq!((table[1].texts, table[1].mean_words), (0, None));
    assert_eq!(catalog.server_table(1).await.unwrap(), table[..1]);

    let names = async |by| -> Vec<(Option<String>, u64)> {
        let table = catalog.size_table(by, 9).await.unwrap();
        table.into_iter().map(|row| (row.name, row.documents)).collect()
    };
    let some = |name: &str| Some(name.to_owned());
    assert_eq!(names(SizeBy::Subnet).await, [(some("192.0.2.0/24"), 6), (some("2001:db8::1"), 1)]);
    let servers = [(some("h1.example"), 3), (some("h2.example"), 3), (some("h3.example"), 1)];
    assert_eq!(names(SizeBy::Server).await, servers);
    let odd =
        OddityRow { server: "h1.example".to_owned(), kind: "bad-date".to_owned(), captures: 2 };
    assert_eq!(catalog.oddity_table(9).await.unwrap(), [odd]);
}

async fn what_is_in_documents(place: Database) {
    let harvest = small_harvest(place).await;
    let catalog = &harvest.catalog;
    let elements: Vec<_> = catalog
        .element_table(9)
        .await
        .unwrap()
        .into_iter()
        .map(|row| {
            let kept = (row.kept_documents, row.kept_occurrences);
            (row.element, row.documents, row.occurrences, kept)
        })
        .collect();
    assert_eq!(
        elements,
        [
            ("p".to_owned(), 3, 5, (2, 3)),
            ("a".to_owned(), 2, 8, (1, 4)),
            ("blink".to_owned(), 1, 5, (1, 5)),
        ]
    );
    let errors: Vec<_> = catalog
        .error_table(9)
        .await
        .unwrap()
        .into_iter()
        .map(|row| (row.kind, row.documents, row.occurrences))
        .collect();
    assert_eq!(errors, [("stray".to_owned(), 1, 1), ("unclosed".to_owned(), 1, 3)]);
    let features = catalog.feature_table().await.unwrap();
    assert_eq!(
        features,
        [FeatureRow {
            name: "word-length".to_owned(),
            documents: 2,
            mean: 5.5,
            least: 5.0,
            greatest: 6.0
        }]
    );
    let template = TemplateRow {
        server: "h1.example".to_owned(),
        structure: 7,
        documents: 2,
        kept: 2,
        example: "http://h1.example/1".to_owned(),
        generator: Some("FrontPage".to_owned()),
    };
    assert_eq!(catalog.template_table(9).await.unwrap(), [template]);
    let duplicates = DuplicateCounts {
        originals: 1,
        copies: 1,
        copied_bytes: 300,
        near_clusters: 1,
        near_copies: 1,
    };
    assert_eq!(catalog.duplicate_counts().await.unwrap(), duplicates);
    let counts = catalog.rule_counts().await.unwrap();
    assert_eq!((counts.total(), counts.of(Keeping::Kept), counts.unjudged), (10, 3, 1));
    let by_language = counts.rules.iter().find(|count| count.rule == CorpusRule::Language);
    assert_eq!(by_language.map(|count| (count.documents, count.bytes)), Some((1, 10)));
    let confirmed = "SELECT status || ' ' || media_type || ' ' || size FROM documents \
                     WHERE request_id = 9";
    assert_eq!(harvest.place.texts(confirmed).await, [Some("200 text/html 10".to_owned())]);
    let languages = catalog.site_languages().await.unwrap();
    assert_eq!(languages, [(ServerId(1), "de".to_owned())].into());
}

async fn an_empty_harvest_has_empty_tables(place: Database) {
    let harvest = Harvest::new(place).await;
    let catalog = &harvest.catalog;
    assert_eq!(catalog.institution_table().await.unwrap(), []);
    let table = catalog.count_table(CountBy::MediaType, 9).await.unwrap();
    assert_eq!((table.rows, table.all), (Vec::new(), Amount::default()));
    assert_eq!(catalog.size_table(SizeBy::Subnet, 9).await.unwrap(), []);
    assert_eq!(catalog.server_table(9).await.unwrap(), []);
    assert_eq!(catalog.element_table(9).await.unwrap(), []);
    assert_eq!(catalog.error_table(9).await.unwrap(), []);
    assert_eq!(catalog.feature_table().await.unwrap(), []);
    assert_eq!(catalog.template_table(9).await.unwrap(), []);
    assert_eq!(catalog.link_table(9).await.unwrap(), []);
    assert_eq!(catalog.oddity_table(9).await.unwrap(), []);
    assert_eq!(catalog.duplicate_counts().await.unwrap(), DuplicateCounts::default());
    assert_eq!(catalog.rule_counts().await.unwrap(), RuleCounts::default());
}
