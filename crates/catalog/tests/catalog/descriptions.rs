//! Descriptions: runs are stored beside each other, resumed, counted and read with SQL.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    descriptions_come_back
    what_databases_refuse_is_tamed
    interrupted_runs_go_on
    only_pages_are_described
    papers_are_described_apart
    runs_stand_beside_each_other
    the_run_that_ended_last_is_current
    what_was_found_is_counted
    samples_are_spread_over_a_server
    people_read_descriptions_with_sql
}

fn statement(field: Field, value: &str, weight: f64) -> Statement {
    Statement {
        field,
        value: value.to_owned(),
        parts: Vec::new(),
        weight,
        initial: 0.5,
        rules: vec![RuleId::new("title", "1")],
        place: None,
        origin: None,
        chosen: true,
    }
}

fn described(capture: i64, statements: Vec<Statement>) -> DescribedCapture {
    let description = Description {
        statements,
        field_weights: vec![(Field::Author, 0.25)],
        class: "article".to_owned(),
        trouble: None,
    };
    DescribedCapture { capture: CaptureId(capture), description }
}

/// With everything that can be set.
fn full(capture: i64) -> DescribedCapture {
    let mut one = described(
        capture,
        vec![
            Statement {
                parts: vec!["Die \"Reise\"".to_owned(), "nach 'Ulm'".to_owned()],
                rules: vec![RuleId::new("title", "h1-is-head"), RuleId::new("title", "tag")],
                place: Some(FoundAt::Path("/html/body/h1[1]".to_owned())),
                ..statement(Field::Title, "Die \"Reise\" nach 'Ulm'", 1.0 / 3.0)
            },
            Statement { chosen: false, ..statement(Field::Title, "Home", 0.1) },
            Statement {
                place: Some(FoundAt::Outside("the text of links".to_owned())),
                ..statement(Field::Author, "Käthe Müller", 0.9)
            },
            Statement {
                origin: Some("meta tag".to_owned()),
                rules: Vec::new(),
                ..statement(Field::Keywords, "x".repeat(5_000).as_str(), 0.4)
            },
        ],
    );
    one.description.trouble = Some("the budget of 10 steps is used up".to_owned());
    one
}

/// Pages 1 to 3 of server 1, page 4 of server 2, a revisit of the first page and an error page.
async fn harvest_of_pages(place: Database) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let revisit = Storage::Revisit { place: record(5), original: CaptureId(1) };
    let commit = Commit {
        servers: servers([1, 2]),
        offers: [(1, 1), (2, 1), (3, 1), (4, 2), (5, 1), (6, 1)]
            .map(|(id, on)| offer(id, on))
            .into(),
        captures: vec![
            capture(1, 1, 1, run),
            capture(2, 2, 1, run),
            capture(3, 3, 1, run),
            capture(4, 4, 2, run),
            Capture { storage: revisit, ..capture(5, 5, 1, run) },
            Capture { status: 404, ..capture(6, 6, 1, run) },
        ],
        changes: (1..=6).map(|id| done(id, id)).collect(),
        warcs: vec![warc()],
        ..Commit::default()
    };
    harvest.commit(commit).await;
    harvest
}

async fn begin(catalog: &Catalog, digest: &str) -> RunId {
    let new = NewRun { stage: "describe", worker: "w", config: "", at: NOW };
    let run = catalog.begin_run(new).await.unwrap();
    let new = NewDescribeRun {
        heuristics: "default",
        heuristics_digest: digest,
        heuristics_text: "heuristic title for title",
        weights_digest: "w1",
        weights_text: Some("[title]"),
    };
    catalog.begin_describe_run(run, new).await.unwrap();
    run
}

fn numbers(stored: &[StoredCapture]) -> Vec<i64> {
    stored.iter().map(|stored| stored.capture.id.0).collect()
}

async fn descriptions_come_back(place: Database) {
    let harvest = harvest_of_pages(place).await;
    let catalog = &harvest.catalog;
    let run = begin(catalog, "h1").await;
    let bare = described(2, Vec::new());
    let third = described(3, vec![statement(Field::Title, "Drei", 0.5)]);
    catalog.store_descriptions(run, &[full(1), bare.clone(), third.clone()]).await.unwrap();

    let first = catalog.descriptions(run, CaptureId(0), 2).await.unwrap();
    assert_eq!(first.len(), 2);
    assert_eq!((first[0].request, first[0].url.as_str()), (RequestId(1), "http://h1.example/1"));
    assert_eq!((&first[0].described, &first[1].described), (&full(1), &bare));
    let second = catalog.descriptions(run, CaptureId(2), 2).await.unwrap();
    assert_eq!(second.iter().map(|it| &it.described).collect::<Vec<_>>(), [&third]);
    assert_eq!(catalog.descriptions(run, CaptureId(3), 2).await.unwrap(), []);

    let again = described(1, vec![statement(Field::Date, "1999-12-31", 0.7)]);
    catalog.store_descriptions(run, std::slice::from_ref(&again)).await.unwrap();
    let of_revisit = catalog.description_of(RequestId(5), Some(run)).await.unwrap().unwrap();
    assert_eq!(of_revisit.described, again);
    assert_eq!(of_revisit.url, "http://h1.example/5");
    assert_eq!(catalog.description_of(RequestId(1), None).await.unwrap(), None);
    catalog.finish_describe_run(run).await.unwrap();
    let newest = catalog.description_of(RequestId(1), None).await.unwrap().unwrap();
    assert_eq!((newest.run, newest.described), (run, again));
    assert_eq!(catalog.description_of(RequestId(4), None).await.unwrap(), None);
    assert_eq!(catalog.description_of(RequestId(99), None).await.unwrap(), None);
}

async fn what_databases_refuse_is_tamed(place: Database) {
    let harvest = harvest_of_pages(place).await;
    let catalog = &harvest.catalog;
    let run = begin(catalog, "h1").await;
    let mut hostile = described(
        1,
        vec![
            Statement {
                parts: vec!["a\0".to_owned()],
                initial: f64::INFINITY,
                rules: vec![RuleId::from_text("r\0")],
                place: Some(FoundAt::Path("/\0".to_owned())),
                origin: Some("\0".to_owned()),
                ..statement(Field::Title, "a\0b", f64::NAN)
            },
            statement(Field::Keywords, "k", 0.5),
            statement(Field::Title, "second", 0.5),
        ],
    );
    hostile.description.field_weights = vec![(Field::Title, f64::NAN)];
    hostile.description.trouble = Some("\0".to_owned());
    catalog.store_descriptions(run, &[hostile]).await.unwrap();
    let page = catalog.descriptions(run, CaptureId(0), 9).await.unwrap();
    let description = &page[0].described.description;
    let values: Vec<&str> = description.statements.iter().map(|it| it.value.as_str()).collect();
    assert_eq!(values, ["a\u{2400}b", "second", "k"]);
    let first = &description.statements[0];
    assert_eq!((first.weight, first.initial), (0.0, 0.0));
    assert_eq!(first.parts, ["a\u{2400}"]);
    assert_eq!(description.field_weights, [(Field::Title, 0.0)]);
}

async fn interrupted_runs_go_on(place: Database) {
    let mut harvest = harvest_of_pages(place).await;
    let run = begin(&harvest.catalog, "h1").await;
    assert_eq!(harvest.catalog.count_to_describe(run, Describable::Pages).await.unwrap(), 4);
    let page = harvest.catalog.to_describe(run, Describable::Pages, CaptureId(0), 2).await.unwrap();
    assert_eq!(numbers(&page), [1, 2]);
    assert_eq!(page[0].url, "http://h1.example/1");
    let said: Vec<DescribedCapture> = [1, 2].map(|id| described(id, Vec::new())).into();
    harvest.catalog.store_descriptions(run, &said).await.unwrap();

    harvest.crash().await;
    let catalog = &harvest.catalog;
    assert_eq!(catalog.unfinished_describe_run("h1", "w1").await.unwrap(), Some(run));
    assert_eq!(catalog.unfinished_describe_run("h1", "w2").await.unwrap(), None);
    assert_eq!(catalog.unfinished_describe_run("h2", "w1").await.unwrap(), None);
    assert_eq!(catalog.count_to_describe(run, Describable::Pages).await.unwrap(), 2);
    let rest = catalog.to_describe(run, Describable::Pages, CaptureId(0), 9).await.unwrap();
    assert_eq!(numbers(&rest), [3, 4]);
    assert_eq!(catalog.current_describe_run().await.unwrap(), None);
    catalog.finish_describe_run(run).await.unwrap();
    assert_eq!(catalog.unfinished_describe_run("h1", "w1").await.unwrap(), None);
    assert_eq!(catalog.current_describe_run().await.unwrap(), Some(run));
}

async fn only_pages_are_described(place: Database) {
    let mut harvest = harvest_of_pages(place).await;
    let run = harvest.run;
    let plain = |id: i64, media_type: &str| {
        let content_type = Some(media_type.to_owned());
        let fields = HeaderFields { content_type, ..HeaderFields::default() };
        Capture { fields, ..capture(id, id, 1, run) }
    };
    // Only the second answer of the error page is proper.
    let revisit = Storage::Revisit { place: record(10), original: CaptureId(6) };
    let commit = Commit {
        offers: (7..=10).map(|id| offer(id, 1)).collect(),
        captures: vec![
            plain(7, "text/plain"),
            plain(8, "Text/HTML; charset=x"),
            plain(9, "application/xhtml+xml"),
            Capture { storage: revisit, ..capture(10, 10, 1, run) },
        ],
        changes: (7..=10).map(|id| done(id, id)).collect(),
        ..Commit::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    let describing = begin(catalog, "h1").await;
    let all = catalog.to_describe(describing, Describable::Pages, CaptureId(0), 99).await.unwrap();
    assert_eq!(numbers(&all), [1, 2, 3, 4, 6, 8, 9]);
    let read = [
        Content { format: Format::Binary, ..content(1, 1) },
        content(7, 7),
        Content { format: Format::Text, ..content(8, 8) },
    ];
    catalog.store_contents(&read, &[]).await.unwrap();
    let all = catalog.to_describe(describing, Describable::Pages, CaptureId(0), 99).await.unwrap();
    assert_eq!(numbers(&all), [2, 3, 4, 6, 7, 9]);
    assert_eq!(catalog.count_to_describe(describing, Describable::Pages).await.unwrap(), 6);
    let servers = catalog.servers_to_describe().await.unwrap();
    let told: Vec<(i64, u64)> = servers.iter().map(|it| (it.server.0, it.pages)).collect();
    assert_eq!(told, [(1, 5), (2, 1)]);
}

async fn papers_are_described_apart(place: Database) {
    let mut harvest = harvest_of_pages(place).await;
    let run = harvest.run;
    let labelled = |id: i64, media_type: &str| {
        let content_type = Some(media_type.to_owned());
        let fields = HeaderFields { content_type, ..HeaderFields::default() };
        Capture { fields, ..capture(id, id, 1, run) }
    };
    let revisit = Storage::Revisit { place: record(10), original: CaptureId(7) };
    let commit = Commit {
        offers: (7..=10).map(|id| offer(id, 1)).collect(),
        captures: vec![
            labelled(7, "application/pdf"),
            labelled(8, "application/octet-stream"),
            labelled(9, "application/postscript"),
            Capture { storage: revisit, ..capture(10, 10, 1, run) },
        ],
        changes: (7..=10).map(|id| done(id, id)).collect(),
        ..Commit::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    let describing = begin(catalog, "h1").await;
    let papers = async || {
        let page = catalog.to_describe(describing, Describable::Papers, CaptureId(0), 99).await;
        numbers(&page.unwrap())
    };
    assert_eq!(papers().await, [7, 9]);
    let read = [
        Content { format: Format::Paper, ..content(8, 8) },
        Content { format: Format::Text, ..content(9, 9) },
    ];
    catalog.store_contents(&read, &[]).await.unwrap();
    assert_eq!(papers().await, [7, 8]);
    let said = [described(7, Vec::new()), described(8, Vec::new())];
    catalog.store_descriptions(describing, &said).await.unwrap();
    assert_eq!(catalog.count_to_describe(describing, Describable::Papers).await.unwrap(), 0);
    catalog.forget_descriptions(describing, &[CaptureId(8)]).await.unwrap();
    assert_eq!(papers().await, [8]);

    // Announced at the address of the revisit, the body is the one that was stored first.
    let pair = FullText {
        page: RequestId(1),
        target: RequestId(10),
        rule: "r".to_owned(),
        evidence: "10.pdf".to_owned(),
    };
    catalog.store_full_texts(&[RequestId(1)], std::slice::from_ref(&pair)).await.unwrap();
    let announced = catalog.landing_pages_of_bodies(&[CaptureId(7), CaptureId(8)]).await.unwrap();
    assert_eq!(announced, [(CaptureId(7), pair)]);
}

async fn runs_stand_beside_each_other(place: Database) {
    let harvest = harvest_of_pages(place).await;
    let catalog = &harvest.catalog;
    let (old, new) = (begin(catalog, "h1").await, begin(catalog, "h2").await);
    catalog.store_descriptions(old, &[full(1), full(2)]).await.unwrap();
    catalog.store_descriptions(new, &[full(2)]).await.unwrap();
    catalog.finish_describe_run(old).await.unwrap();
    catalog.end_run(old, "finished", seconds(7)).await.unwrap();

    let runs = catalog.describe_runs().await.unwrap();
    let expected = DescribeRun {
        run: old,
        started: NOW,
        ended: Some(seconds(7)),
        finished: true,
        current: true,
        heuristics: "default".to_owned(),
        heuristics_digest: "h1".to_owned(),
        weights_digest: "w1".to_owned(),
        documents: 2,
        statements: 8,
    };
    assert_eq!(runs[1], expected);
    assert_eq!((runs[0].run, runs[0].finished, runs[0].current), (new, false, false));
    assert_eq!((runs[0].documents, runs[0].statements), (1, 4));
    let texts = catalog.describe_texts(new).await.unwrap().unwrap();
    assert_eq!(texts.heuristics, "heuristic title for title");
    assert_eq!(texts.weights.as_deref(), Some("[title]"));

    assert!(catalog.remove_describe_run(old).await.unwrap());
    assert!(!catalog.remove_describe_run(old).await.unwrap());
    assert_eq!(catalog.descriptions(old, CaptureId(0), 9).await.unwrap(), []);
    assert_eq!(catalog.descriptions(new, CaptureId(0), 9).await.unwrap().len(), 1);
    assert_eq!(catalog.describe_texts(old).await.unwrap(), None);
    assert_eq!(catalog.current_describe_run().await.unwrap(), None);
    let left = "SELECT CAST(COUNT(*) AS TEXT) FROM statement";
    assert_eq!(harvest.place.texts(left).await, [Some("4".to_owned())]);
}

async fn the_run_that_ended_last_is_current(place: Database) {
    let harvest = harvest_of_pages(place).await;
    let catalog = &harvest.catalog;
    let (old, new) = (begin(catalog, "h1").await, begin(catalog, "h2").await);
    for run in [old, new] {
        catalog.store_descriptions(run, &[full(1)]).await.unwrap();
    }
    for run in [old, new, old] {
        catalog.finish_describe_run(run).await.unwrap();
        assert_eq!(catalog.current_describe_run().await.unwrap(), Some(run));
        let runs = catalog.describe_runs().await.unwrap();
        let current: Vec<RunId> = runs.iter().filter(|it| it.current).map(|it| it.run).collect();
        assert_eq!(current, [run]);
        let shown = harvest.place.texts("SELECT CAST(run_id AS TEXT) FROM descriptions").await;
        assert_eq!(shown, [Some(run.0.to_string())]);
    }
    catalog.remove_describe_run(old).await.unwrap();
    assert_eq!(catalog.current_describe_run().await.unwrap(), Some(new));
}

async fn what_was_found_is_counted(place: Database) {
    let harvest = harvest_of_pages(place).await;
    let catalog = &harvest.catalog;
    let (run, other) = (begin(catalog, "h1").await, begin(catalog, "h2").await);
    let by = |label: &str, statement: Statement| Statement {
        rules: vec![RuleId::new("title", label)],
        ..statement
    };
    let title = |label: &str, weight| by(label, statement(Field::Title, "t", weight));
    let only_candidate = Statement { chosen: false, ..title("3", 0.9) };
    let author = |weight| statement(Field::Author, "a", weight);
    let second = by("9", author(0.9));
    let said = [
        described(1, vec![only_candidate.clone(), title("1", 0.8), author(0.3), second]),
        described(2, vec![title("2", 0.79)]),
        described(3, vec![title("1", 0.5)]),
        described(4, vec![only_candidate]),
    ];
    catalog.store_descriptions(run, &said).await.unwrap();
    catalog.store_descriptions(other, &said).await.unwrap();
    let used = |label: &str, documents, high| RuleUse {
        rule: Some(RuleId::new("title", label)),
        documents,
        high,
    };
    let expected = [
        FieldCount {
            field: Field::Title,
            documents: 3,
            high: 1,
            values: 3,
            rules: vec![used("1", 2, 1), used("2", 1, 0)],
        },
        FieldCount {
            field: Field::Author,
            documents: 1,
            high: 0,
            values: 2,
            rules: vec![used("1", 1, 0)],
        },
    ];
    assert_eq!(catalog.field_counts(run).await.unwrap(), expected);
    assert_eq!(catalog.field_counts(RunId(99)).await.unwrap(), []);
}

async fn samples_are_spread_over_a_server(place: Database) {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let commit = Commit {
        servers: servers([1, 2]),
        offers: (1..=20).map(|id| offer(id, 1 + id % 2)).collect(),
        captures: (1..=20).map(|id| capture(id, id, 1 + id % 2, run)).collect(),
        changes: (1..=20).map(|id| done(id, id)).collect(),
        warcs: vec![warc()],
        ..Commit::default()
    };
    harvest.commit(commit).await;
    #[rustfmt::skip]
    let cases: [(usize, &[i64]); 5] = [
        (0,  &[]),
        (1,  &[20]),
        (3,  &[8, 14, 20]),
        (5,  &[4, 8, 12, 16, 20]),
        (99, &[2, 4, 6, 8, 10, 12, 14, 16, 18, 20]),
    ];
    for (limit, expected) in cases {
        let samples = harvest.catalog.server_samples(ServerId(1), limit).await.unwrap();
        assert_eq!(numbers(&samples), expected, "{limit}");
    }
    assert_eq!(harvest.catalog.server_samples(ServerId(3), 9).await.unwrap(), []);
}

async fn people_read_descriptions_with_sql(place: Database) {
    let harvest = harvest_of_pages(place).await;
    let catalog = &harvest.catalog;
    let (old, new) = (begin(catalog, "h1").await, begin(catalog, "h2").await);
    let said = described(
        1,
        vec![
            Statement { chosen: false, ..statement(Field::Title, "Home", 0.9) },
            statement(Field::Title, "Die Reise", 0.8),
            statement(Field::Author, "Zoe Zander", 0.7),
            statement(Field::Author, "Anna Adam", 0.6),
            Statement { chosen: false, ..statement(Field::Author, "admin", 0.1) },
        ],
    );
    catalog.store_descriptions(old, &[full(1)]).await.unwrap();
    catalog.store_descriptions(new, &[said]).await.unwrap();
    catalog.finish_describe_run(new).await.unwrap();
    let place = &harvest.place;
    let some = |text: &str| Some(text.to_owned());
    #[rustfmt::skip]
    let cases = [
        ("SELECT url FROM descriptions",                                        some("http://h1.example/1")),
        ("SELECT title FROM descriptions",                                      some("Die Reise")),
        ("SELECT authors FROM descriptions",                                    some("Zoe Zander; Anna Adam")),
        ("SELECT title_rule FROM descriptions",                                 some("title<1>")),
        ("SELECT keywords FROM descriptions",                                   None),
        ("SELECT captured FROM descriptions",                                   some("2026-11-15T21:40:01Z")),
        ("SELECT CAST(COUNT(*) AS TEXT) FROM statements",                       some("9")),
        ("SELECT heuristics_digest FROM describe_runs WHERE finished = 1",      some("h2")),
    ];
    for (sql, expected) in cases {
        assert_eq!(place.texts(sql).await, [expected], "{sql}");
    }
}
