//! All tables, each with a name, a title and rows.

use crate::orality::orality_table;
use crate::rule_words::rule_words;
use crate::table::{Cell, Table};
use auslese_catalog::{Amount, Catalog, CatalogError, CountBy, SizeBy};

/// The names of all tables, in the order of a full report.
pub const NAMES: &[&str] = &[
    "institutions",
    "rules",
    "languages",
    "confidence",
    "types",
    "suffixes",
    "formats",
    "charsets",
    "statuses",
    "software",
    "http-versions",
    "ages",
    "servers",
    "sizes-by-type",
    "sizes-by-server",
    "sizes-by-subnet",
    "elements",
    "doctypes",
    "conformance",
    "parse-errors",
    "generators",
    "templates",
    "links",
    "features",
    "orality",
    "duplicates",
    "not-stored",
    "oddities",
    "rounds",
];

/// Years that are shown at least: in their order, one that is missing would be taken for an empty one.
const YEARS: usize = 100;

/// Asks the catalog for the tables named, in that order; a name that is none brings nothing. Tables that count by a
/// property have at most `limit` rows, the most frequent, and sums.
pub async fn gather(
    catalog: &Catalog,
    names: &[&str],
    limit: usize,
) -> Result<Vec<Table>, CatalogError> {
    let mut tables = Vec::new();
    for name in names {
        tables.extend(table(catalog, name, limit).await?);
    }
    Ok(tables)
}

async fn table(catalog: &Catalog, name: &str, limit: usize) -> Result<Option<Table>, CatalogError> {
    let counted = |name, title, first, by| counts(catalog, name, title, first, by, limit);
    let sized = |name, title, first, by| sizes(catalog, name, title, first, by, limit);
    Ok(Some(match name {
        "institutions" => institutions(catalog).await?,
        "rules" => rules(catalog).await?,
        "languages" => counted("languages", "Languages", "language", CountBy::Language).await?,
        "confidence" => {
            counted("confidence", "How sure the language is", "confidence", CountBy::Confidence)
                .await?
        }
        "types" => counted("types", "Media types", "type", CountBy::MediaType).await?,
        "suffixes" => counted("suffixes", "Suffixes", "suffix", CountBy::Suffix).await?,
        "formats" => {
            counted("formats", "What bodies really are", "format", CountBy::Format).await?
        }
        "charsets" => {
            counted("charsets", "Character encodings", "encoding", CountBy::Charset).await?
        }
        "statuses" => of_answers(
            counted("statuses", "Status codes of the newest answers", "status", CountBy::Status)
                .await?,
        ),
        "software" => {
            of_answers(counted("software", "Server software", "software", CountBy::Software).await?)
        }
        "http-versions" => of_answers(
            counted("http-versions", "HTTP versions", "version", CountBy::HttpVersion).await?,
        ),
        "ages" => {
            let (title, limit) = ("Years of last change", limit.max(YEARS));
            let ages = counts(catalog, "ages", title, "year", CountBy::ModifiedYear, limit);
            in_order_of_names(ages.await?)
        }
        "doctypes" => counted("doctypes", "Document types", "doctype", CountBy::Doctype).await?,
        "conformance" => {
            counted("conformance", "Conformance of pages", "conformance", CountBy::Conformance)
                .await?
        }
        "generators" => {
            counted("generators", "Programs that made pages", "generator", CountBy::Generator)
                .await?
        }
        "not-stored" => {
            let title = "Why only the header was kept; the first row is what is stored";
            let table = counted("not-stored", title, "reason", CountBy::NotStored);
            called(table.await?, "stored")
        }
        "sizes-by-type" => {
            sized("sizes-by-type", "Sizes by media type", "type", SizeBy::MediaType).await?
        }
        "sizes-by-server" => {
            sized("sizes-by-server", "Sizes by server", "server", SizeBy::Server).await?
        }
        "sizes-by-subnet" => {
            sized("sizes-by-subnet", "Sizes by subnet", "subnet", SizeBy::Subnet).await?
        }
        "servers" => servers(catalog, limit).await?,
        "elements" => elements(catalog, limit).await?,
        "parse-errors" => parse_errors(catalog, limit).await?,
        "templates" => templates(catalog, limit).await?,
        "links" => links(catalog, limit).await?,
        "features" => features(catalog).await?,
        "orality" => orality_table(catalog).await?,
        "duplicates" => duplicates(catalog).await?,
        "oddities" => oddities(catalog, limit).await?,
        "rounds" => rounds(catalog).await?,
        _ => return Ok(None),
    }))
}

/// The table of the corpus paper: servers, documents, documents in the corpus, frequent types.
async fn institutions(catalog: &Catalog) -> Result<Table, CatalogError> {
    let rows = catalog.institution_table().await?.into_iter().map(|row| {
        vec![
            name(row.label),
            Cell::Count(row.servers),
            Cell::Count(row.all.documents),
            Cell::Bytes(row.all.bytes),
            Cell::Count(row.all.unknown_sizes),
            Cell::Count(row.kept.documents),
            Cell::Bytes(row.kept.bytes),
            Cell::Counts(row.types),
        ]
    });
    Ok(Table {
        name: "institutions",
        title: "Institutions",
        head: vec![
            "institution",
            "servers",
            "documents",
            "data",
            "of unknown size",
            "in the corpus",
            "data in the corpus",
            "most frequent types",
        ],
        rows: rows.collect(),
    })
}

async fn rules(catalog: &Catalog) -> Result<Table, CatalogError> {
    let counts = catalog.rule_counts().await?;
    let sum = |what: &str, count: u64| {
        let numbers = [Cell::Empty, Cell::Count(count), Cell::Empty, Cell::Empty];
        std::iter::once(Cell::Text(what.to_owned())).chain(numbers).collect()
    };
    let mut rows: Vec<Vec<Cell>> = counts
        .rules
        .iter()
        .map(|count| {
            vec![
                Cell::Text(count.keeping.as_str().to_owned()),
                Cell::Text(count.rule.as_str().to_owned()),
                Cell::Count(count.documents),
                Cell::Bytes(count.bytes),
                Cell::Text(rule_words(count.rule).to_owned()),
            ]
        })
        .collect();
    if counts.unjudged > 0 {
        rows.push(sum("not judged yet", counts.unjudged));
    }
    rows.push(sum("all", counts.total()));
    Ok(Table {
        name: "rules",
        title: "What became of every address, and why",
        head: vec!["outcome", "rule", "addresses", "data", "meaning"],
        rows,
    })
}

async fn counts(
    catalog: &Catalog,
    name_: &'static str,
    title: &'static str,
    first: &'static str,
    by: CountBy,
    limit: usize,
) -> Result<Table, CatalogError> {
    let table = catalog.count_table(by, limit).await?;
    let cells = |first: Cell, servers: Cell, all: Amount, kept: Amount| {
        vec![
            first,
            servers,
            Cell::Count(all.documents),
            Cell::Bytes(all.bytes),
            Cell::Count(kept.documents),
            Cell::Bytes(kept.bytes),
        ]
    };
    let (rest, kept_rest) = table.rest();
    let mut rows: Vec<Vec<Cell>> = table
        .rows
        .into_iter()
        .map(|row| cells(name(row.name), Cell::Count(row.servers), row.all, row.kept))
        .collect();
    if rest.documents > 0 {
        rows.push(cells(Cell::Text("others".to_owned()), Cell::Empty, rest, kept_rest));
    }
    rows.push(cells(Cell::Text("all".to_owned()), Cell::Empty, table.all, table.kept));
    let head = vec![first, "servers", "documents", "data", "in the corpus", "data in the corpus"];
    Ok(Table { name: name_, title, head, rows })
}

async fn sizes(
    catalog: &Catalog,
    name_: &'static str,
    title: &'static str,
    first: &'static str,
    by: SizeBy,
    limit: usize,
) -> Result<Table, CatalogError> {
    let size = |size: Option<u64>| size.map_or(Cell::Empty, Cell::Bytes);
    let rows = catalog.size_table(by, limit).await?.into_iter().map(|row| {
        vec![
            name(row.name),
            Cell::Count(row.documents),
            Cell::Bytes(row.bytes),
            size(row.mean.map(|mean| mean.round() as u64)),
            size(row.median),
            size(row.p90),
            size(row.p99),
            size(row.largest),
            Cell::Count(row.unknown_sizes),
        ]
    });
    let head = vec![
        first,
        "documents",
        "data",
        "mean",
        "median",
        "90 %",
        "99 %",
        "largest",
        "of unknown size",
    ];
    Ok(Table { name: name_, title, head, rows: rows.collect() })
}

async fn servers(catalog: &Catalog, limit: usize) -> Result<Table, CatalogError> {
    let rows = catalog.server_table(limit).await?.into_iter().map(|row| {
        vec![
            Cell::Text(without_usual_port(row.origin)),
            name(row.label),
            name(row.software),
            Cell::Count(row.all.documents),
            Cell::Count(row.kept.documents),
            number(row.mean_characters),
            number(row.mean_words),
            number(row.sentence_length),
            number(row.mean_links),
            number(row.mean_images),
            Cell::Count(row.scripts),
            Cell::Count(row.applets),
            Cell::Count(row.frames),
            Cell::Count(row.obsolete),
            Cell::Count(row.proprietary),
            Cell::Count(row.conforming),
            Cell::Count(row.pages),
        ]
    });
    Ok(Table {
        name: "servers",
        title: "Servers; means are per document with text",
        head: vec![
            "server",
            "institution",
            "software",
            "documents",
            "in the corpus",
            "characters",
            "words",
            "words per sentence",
            "links",
            "images",
            "scripts",
            "applets",
            "frames",
            "obsolete elements",
            "proprietary elements",
            "conforming pages",
            "pages",
        ],
        rows: rows.collect(),
    })
}

async fn elements(catalog: &Catalog, limit: usize) -> Result<Table, CatalogError> {
    let rows = catalog.element_table(limit).await?.into_iter().map(|row| {
        vec![
            Cell::Text(row.element),
            Cell::Count(row.documents),
            Cell::Count(row.occurrences),
            Cell::Count(row.kept_documents),
            Cell::Count(row.kept_occurrences),
        ]
    });
    Ok(Table {
        name: "elements",
        title: "Elements of HTML",
        head: vec![
            "element",
            "documents",
            "occurrences",
            "documents in the corpus",
            "occurrences in the corpus",
        ],
        rows: rows.collect(),
    })
}

async fn parse_errors(catalog: &Catalog, limit: usize) -> Result<Table, CatalogError> {
    let rows = catalog.error_table(limit).await?.into_iter().map(|row| {
        vec![Cell::Text(row.kind), Cell::Count(row.documents), Cell::Count(row.occurrences)]
    });
    Ok(Table {
        name: "parse-errors",
        title: "Mistakes in mark-up",
        head: vec!["kind", "documents", "occurrences"],
        rows: rows.collect(),
    })
}

async fn templates(catalog: &Catalog, limit: usize) -> Result<Table, CatalogError> {
    let rows = catalog.template_table(limit).await?.into_iter().map(|row| {
        vec![
            Cell::Text(row.server),
            Cell::Text(format!("{:016x}", row.structure)),
            Cell::Count(row.documents),
            Cell::Count(row.kept),
            name(row.generator),
            Cell::Text(row.example),
        ]
    });
    Ok(Table {
        name: "templates",
        title: "Pages of the same structure",
        head: vec!["server", "structure", "documents", "in the corpus", "generator", "example"],
        rows: rows.collect(),
    })
}

async fn links(catalog: &Catalog, limit: usize) -> Result<Table, CatalogError> {
    let rows = catalog.link_table(limit).await?.into_iter().map(|row| {
        vec![Cell::Text(row.url), Cell::Count(row.links_in), Cell::Count(row.links_out)]
    });
    Ok(Table {
        name: "links",
        title: "Documents that most others link to",
        head: vec!["document", "links in", "links out"],
        rows: rows.collect(),
    })
}

async fn features(catalog: &Catalog) -> Result<Table, CatalogError> {
    let rows = catalog.feature_table().await?.into_iter().map(|row| {
        vec![
            Cell::Text(row.name),
            Cell::Count(row.documents),
            Cell::Number(row.mean),
            Cell::Number(row.least),
            Cell::Number(row.greatest),
        ]
    });
    Ok(Table {
        name: "features",
        title: "Features of documents in the corpus",
        head: vec!["feature", "documents", "mean", "least", "greatest"],
        rows: rows.collect(),
    })
}

async fn duplicates(catalog: &Catalog) -> Result<Table, CatalogError> {
    let counts = catalog.duplicate_counts().await?;
    let row = |words: &str, cell: Cell| vec![Cell::Text(words.to_owned()), cell];
    Ok(Table {
        name: "duplicates",
        title: "Copies",
        head: vec!["what", "count"],
        rows: vec![
            row("documents with exact copies", Cell::Count(counts.originals)),
            row("exact copies", Cell::Count(counts.copies)),
            row("data of exact copies", Cell::Bytes(counts.copied_bytes)),
            row("groups of nearly equal documents", Cell::Count(counts.near_clusters)),
            row("nearly equal copies", Cell::Count(counts.near_copies)),
        ],
    })
}

async fn oddities(catalog: &Catalog, limit: usize) -> Result<Table, CatalogError> {
    let rows =
        catalog.oddity_table(limit).await?.into_iter().map(|row| {
            vec![Cell::Text(row.server), Cell::Text(row.kind), Cell::Count(row.captures)]
        });
    Ok(Table {
        name: "oddities",
        title: "What was irregular in answers",
        head: vec!["server", "kind", "answers"],
        rows: rows.collect(),
    })
}

async fn rounds(catalog: &Catalog) -> Result<Table, CatalogError> {
    let rows = catalog.rounds().await?.into_iter().map(|round| {
        let changes = round.changes.iter();
        let changes = changes.map(|(change, count)| (change.as_str().to_owned(), *count));
        vec![
            Cell::Count(round.id.0.unsigned_abs()),
            Cell::Text(round.kind.as_str().to_owned()),
            Cell::Text(round.started.to_second_text()),
            round.ended.map_or(Cell::Empty, |ended| Cell::Text(ended.to_second_text())),
            round.words.map_or(Cell::Empty, Cell::Count),
            round.distinct_words.map_or(Cell::Empty, Cell::Count),
            Cell::Counts(changes.collect()),
        ]
    });
    Ok(Table {
        name: "rounds",
        title: "Rounds",
        head: vec!["round", "kind", "began", "ended", "words", "different words", "documents"],
        rows: rows.collect(),
    })
}

fn name(text: Option<String>) -> Cell {
    text.map_or(Cell::Missing, Cell::Text)
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Empty, Cell::Number)
}

/// Puts the rows before the sums into the order of their first cells, which a person expects of
/// years.
fn in_order_of_names(mut table: Table) -> Table {
    table.rows.sort_by_key(|row| match row.first() {
        Some(Cell::Text(text)) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            (0, text.clone())
        }
        Some(Cell::Text(text)) if text == "all" => (3, String::new()),
        Some(Cell::Text(text)) => (2, text.clone()),
        _ => (1, String::new()),
    });
    table
}

/// Counts over all answers, errors and redirects included, are not counts of documents.
fn of_answers(mut table: Table) -> Table {
    for head in table.head.iter_mut().filter(|head| **head == "documents") {
        *head = "answers";
    }
    table
}

/// Names what has no name of its own.
fn called(mut table: Table, what: &str) -> Table {
    for cell in table.rows.iter_mut().filter_map(|row| row.first_mut()) {
        if *cell == Cell::Missing {
            *cell = Cell::Text(what.to_owned());
        }
    }
    table
}

fn without_usual_port(origin: String) -> String {
    let usual = match origin.split_once("://") {
        Some(("http", _)) => ":80",
        Some(("https", _)) => ":443",
        _ => return origin,
    };
    origin.strip_suffix(usual).map(str::to_owned).unwrap_or(origin)
}
