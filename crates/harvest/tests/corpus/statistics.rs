//! Numbers about a small site, counted by hand.

use crate::field::Field;
use auslese_catalog::{Amount, CountBy, InstitutionRow, SizeBy};
use auslese_harvest::Institutions;
use auslese_model::{CorpusRule, Keeping};
use auslese_testnet::postgres::Cluster;
use auslese_testnet::{Answer, Internet, Site};

/// A page of exactly so many bytes.
fn page(bytes: usize, links: &str) -> String {
    let start = format!("<p>Der Pegel steht heute bei zwei Metern.</p>{links}");
    assert!(start.len() < bytes, "{bytes}");
    let rest = bytes - start.len();
    start + &" ".repeat(rest)
}

/// Ten pages of 100 to 1,000 bytes, one of them too long for the corpus; two pictures, a text, an
/// error.
fn sites() -> [Site; 2] {
    let links: String = (2..=9).map(|it| format!("<a href='/{it}'>")).collect();
    let more = "<img src='/a.png'><img src='/b.png'><a href='/c.txt'><a href='/fehlt'>\
                <a href='http://zwei.example/'>";
    let mut site = Site::new("http://www.eins.example")
        .page("/", page(1_000, &format!("{links}{more}")))
        .file("/a.png", "image/png", vec![7; 70])
        .file("/b.png", "image/png", vec![8; 30])
        .file("/c.txt", "text/plain", "Nur ein Text.")
        .answer("/fehlt", Answer::error(404));
    for number in 2..=9usize {
        site = site.page(&format!("/{number}"), page(number * 100, ""));
    }
    let other = Site::new("http://zwei.example").page("/", page(200, ""));
    [site, other]
}

fn amount(documents: u64, bytes: u64) -> Amount {
    Amount { documents, bytes, unknown_sizes: 0 }
}

fn count_everything(field: &Field) {
    let seeds = ["http://www.eins.example/", "http://zwei.example/"];
    let urls = seeds.map(|seed| seed.parse().unwrap());
    field.crawl(&seeds, |job| {
        job.institutions = Institutions::new([("E", &urls[0]), ("Z", &urls[1])]);
        job.seeds[0].label = Some("E".to_owned());
        job.seeds[1].label = Some("Z".to_owned());
    });
    field.corpus(|job| job.rules.max_size = Some(900));
    field.with_catalog(async |catalog| {
        // 1000 + 200 + 300 + … + 900, two pictures, a text.
        let pages = 1_000 + (2..=9u64).map(|it| it * 100).sum::<u64>();
        assert_eq!(pages, 5_400);
        let institutions = catalog.institution_table().await.unwrap();
        let types = |types: &[(&str, u64)]| -> Vec<(String, u64)> {
            types.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
        };
        let expected = [
            InstitutionRow {
                label: Some("E".to_owned()),
                servers: 1,
                all: amount(12, pages + 70 + 30 + 13),
                kept: amount(8, pages - 1_000),
                types: types(&[("text/html", 9), ("image/png", 2), ("text/plain", 1)]),
            },
            InstitutionRow {
                label: Some("Z".to_owned()),
                servers: 1,
                all: amount(1, 200),
                kept: amount(1, 200),
                types: types(&[("text/html", 1)]),
            },
        ];
        assert_eq!(institutions, expected);

        let rules = catalog.rule_counts().await.unwrap();
        let of = |keeping: Keeping, rule: CorpusRule| {
            let found = rules.rules.iter().find(|it| (it.keeping, it.rule) == (keeping, rule));
            found.map(|it| (it.documents, it.bytes))
        };
        assert_eq!(of(Keeping::Kept, CorpusRule::All), Some((9, 4_600)));
        assert_eq!(of(Keeping::Left, CorpusRule::Size), Some((1, 1_000)));
        assert_eq!(of(Keeping::Left, CorpusRule::Suffix), Some((2, 100)));
        assert_eq!(of(Keeping::Left, CorpusRule::MimeType), Some((1, 13)));
        // Two of them are the robots.txt that nobody has.
        assert_eq!(of(Keeping::Left, CorpusRule::Status).unwrap().0, 3);
        assert_eq!(rules.rules.len(), 5);
        assert_eq!(rules.total(), 16);

        let types = catalog.count_table(CountBy::MediaType, 10).await.unwrap();
        let rows: Vec<_> = types
            .rows
            .iter()
            .map(|row| (row.name.as_deref().unwrap(), row.servers, row.all, row.kept))
            .collect();
        assert_eq!(
            rows,
            [
                ("text/html", 2, amount(10, 5_600), amount(9, 4_600)),
                ("image/png", 1, amount(2, 100), amount(0, 0)),
                ("text/plain", 1, amount(1, 13), amount(0, 0)),
            ]
        );
        assert_eq!((types.all, types.kept), (amount(13, 5_713), amount(9, 4_600)));

        // 200, 200, 300, 400, 500, 600, 700, 800, 900, 1000: by nearest rank.
        let sizes = catalog.size_table(SizeBy::MediaType, 10).await.unwrap();
        let html = &sizes[0];
        assert_eq!(html.name.as_deref(), Some("text/html"));
        assert_eq!((html.documents, html.bytes, html.mean), (10, 5_600, Some(560.0)));
        let ranks = (html.median, html.p90, html.p99, html.largest);
        assert_eq!(ranks, (Some(500), Some(900), Some(1_000), Some(1_000)));
        let pictures = &sizes[1];
        assert_eq!(
            (pictures.median, pictures.p90, pictures.largest),
            (Some(30), Some(70), Some(70))
        );

        let statuses = catalog.count_table(CountBy::Status, 10).await.unwrap();
        let statuses: Vec<_> = statuses
            .rows
            .iter()
            .map(|row| (row.name.as_deref().unwrap(), row.all.documents))
            .collect();
        assert_eq!(statuses, [("200", 13), ("404", 3)]);
    });
}

#[test]
fn numbers_in_sqlite() {
    count_everything(&Field::new(internet()));
}

#[test]
fn numbers_in_postgresql() {
    let database = Cluster::shared().create_database().unwrap();
    count_everything(&Field::new(internet()).with_database(database));
}

fn internet() -> Internet {
    sites().into_iter().fold(Internet::new(), Internet::site)
}
