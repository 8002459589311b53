//! Whole crawls of simulated sites, through the crate's door.

mod field;

use auslese_crawl::Scope;
use auslese_harvest::CrawlEnd;
use auslese_model::State;
use auslese_testnet::{Internet, Site, generated_site};
use field::Field;

#[test]
fn a_site_is_archived_completely() {
    let site = generated_site("www.uni.example", 200, 1);
    let documents = site.documents();
    let field = Field::new(Internet::new().site(site));
    let report = field.crawl(&["http://www.uni.example/"], |_| {});
    assert_eq!(report.end, CrawlEnd::Done);
    let captures = field.captures();
    for document in &documents {
        let url = format!("http://www.uni.example{}", document.path);
        let capture = captures.get(&url).unwrap_or_else(|| panic!("{url} is missing"));
        assert_eq!(field.body(capture), document.body.to_vec(), "{url}");
    }
    assert_eq!(captures.len(), documents.len());
    assert_eq!(field.requests_twice(), Vec::<String>::new());
    assert_eq!(report.status.requests[&State::Queued], 0);
    field.verify();
}

#[test]
fn the_same_host_on_another_port_is_another_site() {
    let sites = || {
        let link = "<a href='http://www.uni.example:8080/x'>";
        let first = Site::new("http://www.uni.example").page("/", link);
        (first, Site::new("http://www.uni.example:8080").page("/x", "other"))
    };
    let field = Field::new(Internet::new().site(sites().0).site(sites().1));
    field.crawl(&["http://www.uni.example/"], |_| {});
    assert!(!field.captures().contains_key("http://www.uni.example:8080/x"));

    let field = Field::new(Internet::new().site(sites().0).site(sites().1));
    field.crawl(&["http://www.uni.example/"], |job| {
        job.scope = Scope::parse("accept host www.uni.example").unwrap();
    });
    assert!(field.captures().contains_key("http://www.uni.example:8080/x"));
}
