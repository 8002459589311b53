//! Citations: bibliographies are kept by run, and lead from document to document.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    bibliographies_come_back
    edges_are_read_in_pages
    neighbours_are_so_many_steps_away
    runs_go_with_their_citations
    what_is_resolved_is_noted
    people_read_citations_with_sql
}

/// Pages 1 to 6 and a run of describing.
async fn harvest_of_papers(place: Database) -> (Harvest, RunId) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let commit = Commit {
        servers: servers([1]),
        offers: (1..=6).map(|id| offer(id, 1)).collect(),
        captures: (1..=6).map(|id| capture(id, id, 1, run)).collect(),
        changes: (1..=6).map(|id| done(id, id)).collect(),
        warcs: vec![warc()],
        ..Commit::default()
    };
    harvest.commit(commit).await;
    let describing = begin(&harvest.catalog).await;
    (harvest, describing)
}

async fn begin(catalog: &Catalog) -> RunId {
    let new = NewRun { stage: "describe", worker: "w", config: "", at: NOW };
    let run = catalog.begin_run(new).await.unwrap();
    let new = NewDescribeRun {
        heuristics: "default",
        heuristics_digest: "h1",
        heuristics_text: "heuristic title for title",
        weights_digest: "w1",
        weights_text: None,
    };
    catalog.begin_describe_run(run, new).await.unwrap();
    run
}

fn entry(citing: i64, entry: u64, cited: i64) -> NewCitation {
    let cited = CitedDocument {
        request: RequestId(cited),
        score: 0.9,
        by: vec![CitationEvidence::Title, CitationEvidence::Author],
    };
    NewCitation {
        capture: CaptureId(citing),
        citing: RequestId(citing),
        entry,
        text: format!("E. Meier, „Ringe“ {entry}, 1999."),
        parts: Citation {
            authors: vec![CitedAuthor { family: "Meier".to_owned(), given: Some("E.".to_owned()) }],
            year: Some(1999),
            identifiers: vec![WorkIdentifier::Doi("10.1000/1".to_owned())],
            ..Citation::default()
        },
        cited: (cited.request.0 > 0).then_some(cited),
    }
}

fn url(id: i64) -> String {
    format!("http://h1.example/{id}")
}

async fn bibliographies_come_back(place: Database) {
    let (harvest, run) = harvest_of_papers(place).await;
    let catalog = &harvest.catalog;
    let mut hostile = entry(1, 10, 0);
    hostile.text = "a\0b".to_owned();
    let stored = [entry(1, 2, 3), hostile, entry(1, 1, 0), entry(2, 1, 1)];
    catalog.store_citations(run, &[], &stored).await.unwrap();

    let found = catalog.citations_of(run, CaptureId(1)).await.unwrap();
    assert_eq!(found.iter().map(|it| it.entry).collect::<Vec<_>>(), [1, 2, 10]);
    assert_eq!((&found[0].text, &found[0].parts), (&stored[2].text, &stored[2].parts));
    assert_eq!(found[0].cited, None);
    assert_eq!(found[1].cited, Some((stored[0].cited.clone().unwrap(), url(3))));
    assert_eq!(found[2].text, "a\u{2400}b");
    assert_eq!(catalog.citations_of(RunId(99), CaptureId(1)).await.unwrap(), []);

    catalog.store_citations(run, &[CaptureId(2)], &[entry(1, 1, 4)]).await.unwrap();
    let found = catalog.citations_of(run, CaptureId(1)).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].cited.as_ref().unwrap().1, url(4));
    assert_eq!(catalog.citations_of(run, CaptureId(2)).await.unwrap(), []);
}

async fn edges_are_read_in_pages(place: Database) {
    let (harvest, run) = harvest_of_papers(place).await;
    let catalog = &harvest.catalog;
    let stored = [entry(1, 1, 2), entry(1, 2, 0), entry(1, 3, 3), entry(2, 1, 3), entry(4, 9, 3)];
    catalog.store_citations(run, &[], &stored).await.unwrap();
    let told = |edges: &[CitationEdge]| {
        edges.iter().map(|it| (it.citing.0, it.entry, it.cited.request.0)).collect::<Vec<_>>()
    };
    let first = catalog.citation_edges(run, (CaptureId(0), 0), 2).await.unwrap();
    assert_eq!(told(&first), [(1, 1, 2), (1, 3, 3)]);
    assert_eq!((&first[0].citing_url, &first[0].cited_url), (&url(1), &url(2)));
    let second = catalog.citation_edges(run, (CaptureId(1), 3), 9).await.unwrap();
    assert_eq!(told(&second), [(2, 1, 3), (4, 9, 3)]);
    assert_eq!(catalog.citation_edges(run, (CaptureId(4), 9), 9).await.unwrap(), []);
    let citing = catalog.cited_by(run, RequestId(3)).await.unwrap();
    assert_eq!(told(&citing), [(1, 3, 3), (2, 1, 3), (4, 9, 3)]);
    assert_eq!(citing[0].cited, stored[2].cited.clone().unwrap());
    assert_eq!(catalog.cited_by(run, RequestId(6)).await.unwrap(), []);
}

/// Requests with their distances.
type Neighbours<'a> = &'a [(i64, usize)];

/// 1 → 2 → 3 ← 4 → 5, twice between 1 and 2; 6 stands alone.
async fn neighbours_are_so_many_steps_away(place: Database) {
    let (harvest, run) = harvest_of_papers(place).await;
    let catalog = &harvest.catalog;
    let stored = [entry(1, 1, 2), entry(1, 2, 2), entry(2, 1, 3), entry(4, 1, 3), entry(4, 2, 5)];
    catalog.store_citations(run, &[], &stored).await.unwrap();
    let other = begin(catalog).await;
    catalog.store_citations(other, &[], &[entry(6, 1, 3)]).await.unwrap();
    #[rustfmt::skip]
    let cases: [(i64, usize, Neighbours<'_>); 6] = [
        (3, 0, &[]),
        (3, 1, &[(2, 1), (4, 1)]),
        (3, 2, &[(2, 1), (4, 1), (1, 2), (5, 2)]),
        (1, 9, &[(2, 1), (3, 2), (4, 3), (5, 4)]),
        (6, 9, &[]),
        (99, 9, &[]),
    ];
    for (request, distance, expected) in cases {
        let found = catalog.citation_neighbours(run, RequestId(request), distance).await.unwrap();
        let told: Vec<(i64, usize)> =
            found.documents.iter().map(|it| (it.request.0, it.distance)).collect();
        assert_eq!(told, expected, "{request} {distance}");
        assert!(found.documents.iter().all(|it| it.url == url(it.request.0)));
        assert!(!found.cut);
    }
}

async fn runs_go_with_their_citations(place: Database) {
    let (harvest, run) = harvest_of_papers(place).await;
    let catalog = &harvest.catalog;
    let other = begin(catalog).await;
    catalog.store_citations(run, &[], &[entry(1, 1, 2)]).await.unwrap();
    catalog.store_citations(other, &[], &[entry(1, 1, 3)]).await.unwrap();
    assert!(catalog.remove_describe_run(run).await.unwrap());
    assert_eq!(catalog.citations_of(run, CaptureId(1)).await.unwrap(), []);
    assert_eq!(catalog.citations_of(other, CaptureId(1)).await.unwrap().len(), 1);
}

async fn what_is_resolved_is_noted(place: Database) {
    let (harvest, run) = harvest_of_papers(place).await;
    let catalog = &harvest.catalog;
    let said = |capture| DescribedCapture {
        capture: CaptureId(capture),
        description: Description {
            statements: Vec::new(),
            field_weights: Vec::new(),
            class: String::new(),
            trouble: None,
        },
    };
    assert!(!catalog.citations_are_current(run).await.unwrap());
    catalog.store_descriptions(run, &[said(1)]).await.unwrap();
    catalog.note_citations_current(run).await.unwrap();
    assert!(catalog.citations_are_current(run).await.unwrap());
    catalog.store_descriptions(run, &[said(2)]).await.unwrap();
    assert!(!catalog.citations_are_current(run).await.unwrap());
    assert!(!catalog.citations_are_current(RunId(99)).await.unwrap());
}

async fn people_read_citations_with_sql(place: Database) {
    let (harvest, run) = harvest_of_papers(place).await;
    let catalog = &harvest.catalog;
    catalog.store_citations(run, &[], &[entry(1, 1, 2), entry(1, 2, 0)]).await.unwrap();
    catalog.finish_describe_run(run).await.unwrap();
    let sql = "SELECT url || ' ' || COALESCE(cites, '-') || ' ' || COALESCE(evidence, '-') \
               FROM citations ORDER BY entry";
    let expected =
        ["http://h1.example/1 http://h1.example/2 title author", "http://h1.example/1 - -"];
    assert_eq!(harvest.place.texts(sql).await, expected.map(|text| Some(text.to_owned())));
}
