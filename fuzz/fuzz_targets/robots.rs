//! Any robots.txt gives rules, and the rules an answer to any address.

#![no_main]

use auslese_crawl::RobotsRules;
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|bytes: &[u8]| {
    let rules = RobotsRules::parse(bytes, "auslese");
    for path in ["/", "/a/b.html?c=d", "/%C3%BC/~x*$"] {
        let url = Url::parse(&format!("http://www.example.org{path}")).expect("an address");
        rules.judge(&url).refusal();
    }
    // An address that the file itself may speak of.
    let first = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]);
    if let Ok(url) = Url::parse("http://www.example.org").and_then(|base| base.join(&first)) {
        rules.judge(&url);
    }
    rules.crawl_delay();
    rules.sitemaps();
});
