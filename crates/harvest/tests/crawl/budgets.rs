//! Budgets end a crawl and leave the rest queued; a larger one goes on.

use crate::field::Field;
use auslese_crawl::BudgetReached;
use auslese_harvest::{CrawlEnd, CrawlJob};
use auslese_model::State;
use auslese_testnet::{Internet, Site, generated_site};
use std::time::Duration;

const START: &str = "http://www.uni.example/";

#[test]
fn what_a_budget_leaves_is_fetched_with_a_larger_one() {
    let time = Duration::from_millis(900);
    type Budget = fn(&mut CrawlJob);
    #[rustfmt::skip]
    let cases: Vec<(Budget, BudgetReached)> = vec![
        (|job| job.crawl.budget.max_pages = Some(20),      BudgetReached::Pages(20)),
        (|job| job.crawl.budget.max_bytes = Some(30_000),  BudgetReached::Bytes(30_000)),
        (|job| {
            job.crawl.budget.max_time = Some(Duration::from_millis(900));
            job.crawl.politeness.delay = Duration::from_millis(100);
        },                                                 BudgetReached::Time(time)),
    ];
    for (budget, reached) in cases {
        let site = generated_site("www.uni.example", 60, 3);
        let documents = site.documents().len();
        let field = Field::new(Internet::new().site(site));
        let report = field.crawl(&[START], budget);
        assert_eq!(report.end, CrawlEnd::Budget(reached));
        assert!(report.status.requests[&State::Queued] > 0, "{reached}");
        assert!(report.status.captures > 0, "{reached}");
        if let BudgetReached::Pages(pages) = reached {
            // robots.txt is no page.
            assert_eq!(report.status.captures, pages + 1);
        }
        assert_eq!(report.status.leased_servers, 0);
        let report = field.crawl(&[START], |_| {});
        assert_eq!(report.end, CrawlEnd::Done);
        assert_eq!(field.captures().len(), documents, "{reached}");
        assert_eq!(field.requests_twice(), Vec::<String>::new(), "{reached}");
        field.verify();
    }
}

/// A server that has used up its budget leaves the others alone.
#[test]
fn the_budget_of_each_server() {
    let large = generated_site("gross.example", 40, 4);
    let small = Site::new("http://klein.example").page("/", "<a href='/1'>").page("/1", "x");
    let field = Field::new(Internet::new().site(large).site(small));
    let seeds = ["http://gross.example/", "http://klein.example/"];
    let report = field.crawl(&seeds, |job| job.crawl.budget.per_server.max_pages = Some(10));
    assert_eq!(report.end, CrawlEnd::Done, "nothing is left that may be fetched");
    let count = |host: &str| field.web.requests().iter().filter(|r| r.host == host).count();
    assert_eq!(count("gross.example"), 10 + 1, "and robots.txt");
    assert_eq!(count("klein.example"), 2 + 1);
    assert!(report.status.requests[&State::Queued] > 0);
    let report = field.crawl(&seeds, |_| {});
    assert_eq!((report.end, report.status.requests[&State::Queued]), (CrawlEnd::Done, 0));
    assert_eq!(field.requests_twice(), Vec::<String>::new());
}
