//! Tables for others: every row once and in order, whole and for some documents, on both engines.

use crate::support::*;
use auslese_catalog::*;
use auslese_model::*;

on_both_engines! {
    tables_are_read_in_pages
    rows_hang_on_documents
    values_are_of_their_kinds
}

fn statement(field: Field, value: &str) -> Statement {
    Statement {
        field,
        value: value.to_owned(),
        parts: Vec::new(),
        weight: 0.75,
        initial: 0.5,
        rules: vec![RuleId::new("title", "h1"), RuleId::new("title", "tag")],
        place: None,
        origin: None,
        chosen: true,
    }
}

/// Five pages of two servers, of which two are kept; each says something of itself and links to three. The last
/// request has no answer.
async fn harvest_to_export(place: Database) -> Harvest {
    let mut harvest = Harvest::new(place).await;
    let run = harvest.run;
    let head = b"HTTP/1.1 200 OK\r\nServer: caf\xe9\r\nContent-Type: text/html\r\n\r\n".to_vec();
    let oddities = vec![Oddity::new("irregular-date", "x"), Oddity::new("other", "y")];
    let commit = Commit {
        servers: servers([1, 2]),
        offers: (1..=6).map(|id| offer(id, 1 + id % 2)).collect(),
        captures: (1..=5)
            .map(|id| Capture {
                head: head.clone(),
                oddities: oddities.clone(),
                ..capture(id, id, 1 + id % 2, run)
            })
            .collect(),
        changes: (1..=5).map(|id| done(id, id)).collect(),
        warcs: vec![warc()],
        ..Commit::default()
    };
    harvest.commit(commit).await;
    let catalog = &harvest.catalog;
    let contents: Vec<Content> = (1..=5).map(|id| content(id, id)).collect();
    let link = |from: i64, to: i64| ContentLink {
        capture: CaptureId(from),
        target: offer(to, 1 + to % 2).key,
        kind: TargetKind::Page,
        text: (to == 2).then(|| "zwei".to_owned()),
    };
    let links: Vec<ContentLink> =
        (1..=5).flat_map(|from| [1, 2, 6].map(|to| link(from, to))).collect();
    catalog.store_contents(&contents, &links).await.unwrap();
    let documents: Vec<Document> = (1..=5)
        .map(|id| match id {
            2 | 4 => document(id, Keeping::Kept, CorpusRule::All),
            _ => document(id, Keeping::Left, CorpusRule::Language),
        })
        .collect();
    catalog.store_documents(&documents, NOW).await.unwrap();
    let described: Vec<DescribedCapture> = (1..=5)
        .map(|id| DescribedCapture {
            capture: CaptureId(id),
            description: Description {
                statements: vec![
                    statement(Field::Title, "Titel"),
                    statement(Field::Title, "Home"),
                    statement(Field::Author, "Käthe Müller"),
                ],
                field_weights: Vec::new(),
                class: "article".to_owned(),
                trouble: None,
            },
        })
        .collect();
    catalog.store_descriptions(run, &described).await.unwrap();
    harvest
}

fn table(harvest: &Harvest, name: &str) -> ExportTable {
    let tables = Catalog::export_tables(Some(harvest.run));
    tables.into_iter().find(|table| table.name == name).unwrap()
}

async fn read(
    harvest: &Harvest,
    table: &ExportTable,
    among: Option<&[i64]>,
    limit: usize,
) -> Vec<ExportRow> {
    let mut cursor = table.begin();
    let mut rows = Vec::new();
    loop {
        let page = harvest.catalog.export_page(table, among, &mut cursor, limit).await.unwrap();
        assert!(page.read <= limit as u64);
        if page.read == 0 {
            return rows;
        }
        rows.extend(page.rows);
    }
}

fn cell<'r>(table: &ExportTable, row: &'r ExportRow, name: &str) -> &'r Cell {
    &row.cells[table.columns.iter().position(|column| column.name == name).unwrap()]
}

async fn tables_are_read_in_pages(place: Database) {
    let harvest = harvest_to_export(place).await;
    let expected = [
        ("documents", 5),
        ("captures", 5),
        ("headers", 10),
        ("statements", 15),
        ("links", 15),
        ("features", 5),
        ("elements", 10),
        ("versions", 0),
        ("rounds", 0),
        ("servers", 2),
        ("institutions", 0),
        ("databases", 0),
        ("database_values", 0),
        ("records", 0),
    ];
    let tables = Catalog::export_tables(Some(harvest.run));
    let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
    assert_eq!(names, expected.map(|(name, _)| name));
    for (table, (name, count)) in tables.iter().zip(expected) {
        let whole = read(&harvest, table, None, 1_000).await;
        assert_eq!(whole.len(), count, "{name}");
        assert!(whole.iter().all(|row| row.cells.len() == table.columns.len()), "{name}");
        assert_eq!(read(&harvest, table, None, 2).await, whole, "{name} in pages");
        let counted = harvest.catalog.count_exported(table).await.unwrap();
        let made_of = if name == "headers" { 5 } else { count as u64 };
        assert_eq!(counted, made_of, "{name}");
    }
    let unsaid = Catalog::export_tables(None);
    let statements = unsaid.iter().find(|table| table.name == "statements").unwrap();
    assert!(read(&harvest, statements, None, 9).await.is_empty(), "no run, nothing said");
}

async fn rows_hang_on_documents(place: Database) {
    let harvest = harvest_to_export(place).await;
    #[rustfmt::skip]
    let expected = [("documents", 2), ("captures", 2), ("headers", 4), ("statements", 6), ("links", 6),
                    ("features", 2), ("elements", 4), ("versions", 0)];
    for (name, count) in expected {
        let table = table(&harvest, name);
        let some = read(&harvest, &table, Some(&[2, 4]), 3).await;
        assert_eq!(some.len(), count, "{name}");
        let whole = read(&harvest, &table, None, 1_000).await;
        let owner = match name {
            "documents" => "request_id",
            "captures" | "headers" => "capture_id",
            "versions" => continue,
            _ => "content_id",
        };
        let hanging: Vec<ExportRow> = whole
            .into_iter()
            .filter(|row| matches!(cell(&table, row, owner), Cell::Number(2 | 4)))
            .collect();
        assert_eq!(some, hanging, "{name}");
        assert!(read(&harvest, &table, Some(&[]), 3).await.is_empty(), "{name}");
    }
}

async fn values_are_of_their_kinds(place: Database) {
    let harvest = harvest_to_export(place).await;
    let text = |text: &str| Cell::Text(text.to_owned());
    let texts = |texts: &[&str]| Cell::Texts(texts.iter().map(|it| (*it).to_owned()).collect());

    let documents = table(&harvest, "documents");
    let rows = read(&harvest, &documents, None, 100).await;
    let parts: Vec<Option<&str>> = rows.iter().map(|row| row.partition.as_deref()).collect();
    let [kept, left] = [Some("true"), Some("false")];
    assert_eq!(parts, [left, kept, left, kept, left]);
    for (name, value) in [
        ("request_id", Cell::Number(2)),
        ("host", text("h1.example")),
        ("is_document", Cell::Flag(true)),
        ("keeping", text("kept")),
        ("size", Cell::Number(1000)),
        ("captured", Cell::Time(seconds(2))),
        ("title", text("Seite 2")),
        ("class", text("article")),
        ("share_chars", Cell::Fraction(0.75)),
        ("by_paper", Cell::Flag(true)),
        ("languages", texts(&["de"])),
        ("language_shares", Cell::Fractions(vec![1.0])),
        ("words", Cell::Number(100)),
        ("conforming", Cell::Flag(true)),
        ("near_similarity", Cell::Null),
        ("content_id", Cell::Number(2)),
    ] {
        assert_eq!(*cell(&documents, &rows[1], name), value, "{name}");
    }

    let captures = table(&harvest, "captures");
    let rows = read(&harvest, &captures, None, 100).await;
    assert_eq!(*cell(&captures, &rows[0], "oddities"), texts(&["irregular-date", "other"]));
    assert_eq!(*cell(&captures, &rows[0], "has_pragma"), Cell::Flag(false));

    let headers = table(&harvest, "headers");
    let rows = read(&harvest, &headers, None, 100).await;
    assert_eq!(rows[2].cells, [Cell::Number(2), Cell::Number(1), text("Server"), text("café")]);

    let statements = table(&harvest, "statements");
    let rows = read(&harvest, &statements, Some(&[1]), 100).await;
    let said: Vec<(&Cell, &Cell)> = rows
        .iter()
        .map(|row| (cell(&statements, row, "field"), cell(&statements, row, "value")))
        .collect();
    assert_eq!(said[0], (&text("author"), &text("Käthe Müller")));
    assert_eq!(*cell(&statements, &rows[0], "rules"), texts(&["title<h1>", "title<tag>"]));
    assert_eq!(*cell(&statements, &rows[0], "chosen"), Cell::Flag(true));
}
