//! What is said about the pages of the demo's institute of sociology, compared with what a person
//! says who reads them.

use crate::field::Field;
use auslese_catalog::{CatalogSettings, ListedDescription};
use auslese_crawl::CanonicalRules;
use auslese_describe::{Heuristics, Weights, compare_runs, matches};
use auslese_harvest::{
    DescribeJob, DescribeProgress, DescribeReport, DescribeWatching, DescribingSet,
    describe_harvest,
};
use auslese_model::{CaptureId, Description, RequestId, RuleId, RunId};
use auslese_reader::{HelperPrograms, Limits, Readers, Start};
use auslese_testnet::demo;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::watch;

const INSTITUTE: &str = "http://soziologie.uni-hohenwerth.example/";

/// The institute, crawled and read out, not yet described.
fn institute() -> Field {
    let field = Field::new(demo::internet());
    field.crawl(&[INSTITUTE], |_| {});
    field.german_corpus();
    field
}

fn set(name: &str) -> DescribingSet {
    let heuristics = Arc::new(Heuristics::shipped(name).unwrap());
    DescribingSet { heuristics, weights: Arc::new(Weights::shipped_for(name)) }
}

/// Only the whole program can start itself as a reader; here, papers have to do without.
pub(crate) fn no_readers() -> Readers {
    let start = Start { program: "/nowhere/reader".into(), arguments: Vec::new() };
    Readers::new(start, Limits::default(), HelperPrograms::installed())
}

impl Field {
    fn describe(&self, heuristics: &str, change: impl FnOnce(&mut DescribeJob)) -> DescribeReport {
        let (_go_on, stop) = watch::channel(false);
        let mut job = DescribeJob {
            msc_table: None,
            catalog: self.catalog(),
            catalog_settings: CatalogSettings::default(),
            pages: set(heuristics),
            papers: set("papers"),
            readers: Arc::new(no_readers()),
            keyphrases: None,
            canonical: CanonicalRules::default(),
            institutions: BTreeMap::new(),
            anew: false,
            worker: "test".to_owned(),
            config_text: String::new(),
        };
        change(&mut job);
        let (progress, _) = watch::channel(DescribeProgress::default());
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let watching = DescribeWatching { progress, stop };
        runtime.block_on(describe_harvest(&self.dir(), job, watching)).unwrap()
    }

    /// What a run says, by address.
    fn said(&self, run: RunId) -> BTreeMap<String, ListedDescription> {
        self.with_catalog(async |catalog| {
            let listed = catalog.descriptions(run, CaptureId(0), 100_000).await.unwrap();
            listed.into_iter().map(|listed| (listed.url.clone(), listed)).collect()
        })
    }

    fn numbered(&self, path: &str) -> RequestId {
        let url = format!("{INSTITUTE}{path}");
        self.request(&url).unwrap_or_else(|| panic!("{url} was never met")).id
    }
}

fn chosen(description: &Description, field: auslese_model::Field) -> Vec<&str> {
    description.chosen(field).map(|statement| statement.value.as_str()).collect()
}

#[test]
fn every_rule_of_the_paper_on_the_page_made_for_it() {
    let field = institute();
    let report = field.describe("carmen", |_| {});
    let said = field.said(report.run);
    for truth in demo::description_truth() {
        let description = &said[truth.url].described.description;
        let titles: Vec<_> = description.chosen(auslese_model::Field::Title).collect();
        match truth.paper {
            None => assert!(titles.is_empty(), "{}: {titles:?}", truth.url),
            Some((rule, title)) => {
                let [statement] = titles.as_slice() else { panic!("{}: {titles:?}", truth.url) };
                assert_eq!(statement.value, title, "{}", truth.url);
                let rules: Vec<&str> = statement.rules.iter().map(|it| it.as_str()).collect();
                assert_eq!(rules, [format!("carmen-title<{rule}>")], "{}", truth.url);
            }
        }
    }
}

/// What the default heuristics do not find, or find where there is nothing. Their weights were
/// measured on the web of today, where META keywords and the names of contacts are rarely right.
const KNOWN_MISSES: [(&str, auslese_model::Field); 12] = [
    ("projekte/migration.html", auslese_model::Field::Keywords),
    ("projekte/betrieb.html", auslese_model::Field::Author),
    ("archiv/notiz.html", auslese_model::Field::Title),
    ("aktuelles/2026/03/12/umfrage.html", auslese_model::Field::Keywords),
    // Dublin Core that nothing else confirms.
    ("preprints/11.html", auslese_model::Field::Keywords),
    ("projekte/frauenforschung.html", auslese_model::Field::Keywords),
    ("projekte/betrieb.html", auslese_model::Field::Keywords),
    ("projekte/pendler.html", auslese_model::Field::Keywords),
    ("blog/nachbarn.html", auslese_model::Field::Keywords),
    // Tags that nothing else confirms.
    ("blog/gruss.html", auslese_model::Field::Keywords),
    // The date of the conference itself.
    ("tagung/", auslese_model::Field::Date),
    ("arbeiten/diplom.html", auslese_model::Field::Date),
];

#[test]
fn what_the_default_heuristics_say() {
    use auslese_model::Field::{Author, Date, Keywords, Title};
    let field = institute();
    let report = field.describe("default", |_| {});
    let troubles: Vec<&String> = report.troubles.keys().collect();
    assert!(troubles.iter().all(|it| it.contains("could not be started")), "{troubles:?}");
    let said = field.said(report.run);
    let mut misses = Vec::new();
    for truth in demo::description_truth() {
        let description = &said[truth.url].described.description;
        let mut expect = |field, right: &[&str]| {
            let seen = chosen(description, field);
            let found = |value: &&str| seen.iter().any(|seen| matches(field, value, seen));
            let is_right = seen.len() == right.len() && right.iter().all(found);
            let path = truth.url.strip_prefix(INSTITUTE).unwrap();
            if is_right == KNOWN_MISSES.contains(&(path, field)) {
                misses.push(format!("{}: {field} is {right:?}, not {seen:?}", truth.url));
            }
        };
        expect(Title, truth.title.as_slice());
        expect(Author, truth.authors);
        expect(Date, truth.date.as_slice());
        expect(Keywords, truth.keywords);
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}

#[test]
fn runs_stand_beside_each_other() {
    let field = institute();
    let paper = field.describe("carmen", |_| {});
    let first = field.describe("default", |_| {});
    assert_eq!(first.described, paper.described);
    assert_eq!(first.described, field.said(first.run).len() as u64);

    let again = field.describe("default", |_| {});
    assert_eq!((again.run, again.continued, again.described), (first.run, true, 0));
    let anew = field.describe("default", |job| job.anew = true);
    assert!(anew.run != first.run && anew.described == first.described);
    let other = field.describe("default", |job| job.pages.weights = Arc::new(Weights::initial()));
    assert!(!other.continued, "other weights say something else");

    let documents = |run| -> Vec<(String, Description)> {
        let said = field.said(run).into_iter();
        said.map(|(url, listed)| (url, listed.described.description)).collect()
    };
    let same = compare_runs(&documents(first.run), &documents(anew.run), 100);
    assert!(same.fields.values().all(|it| (it.gained, it.lost, it.changed) == (0, 0, 0)));
    let better = compare_runs(&documents(paper.run), &documents(first.run), 100);
    let titles = &better.fields[&auslese_model::Field::Title];
    // The picture's caption is a title for the one, and nothing for the other.
    assert!(titles.gained >= 1 && titles.changed >= 10, "{better}");
}

#[test]
fn full_texts_and_home_pages() {
    let field = institute();
    field.describe("default", |_| {});
    let (page, target) = (field.numbered("preprints/12.html"), field.numbered("preprints/12.pdf"));
    let (root, project) = (field.numbered(""), field.numbered("projekte/migration.html"));
    field.with_catalog(async |catalog| {
        let pairs = catalog.full_texts_of(page).await.unwrap();
        let targets: Vec<_> = pairs.iter().map(|pair| pair.target).collect();
        assert_eq!(targets, [target]);
        assert_eq!(catalog.landing_pages_of(target).await.unwrap(), pairs);
        let of_text = catalog.description_of(target, None).await.unwrap().unwrap();
        let of_text = of_text.described.description;
        let title = of_text.chosen(auslese_model::Field::Title).next().unwrap();
        assert_eq!(title.value, "Greeting Rules in Small Valleys");
        assert_eq!(title.rules, [RuleId::from_text("landing-page")]);
        let home = catalog.home_page_of(project).await.unwrap().unwrap();
        assert_eq!(home.home, root);
        assert_eq!(catalog.home_page_of(root).await.unwrap(), None);
    });
}

#[test]
fn an_interruption_loses_nothing() {
    let field = institute();
    let stopped = field.describe("default", |_| {});
    assert!(!stopped.stopped);
    // A page that comes later is described in the same run.
    field.crawl(&["http://linguistik.uni-hohenwerth.example/"], |_| {});
    field.german_corpus();
    let more = field.describe("default", |_| {});
    assert_eq!((more.run, more.continued), (stopped.run, true));
    assert!(more.described > 20);
    let all = field.said(more.run).len() as u64;
    assert_eq!(all, stopped.described + more.described);
}
