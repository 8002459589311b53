//! Any bytes as a sitemap: bounded, and every address in it is one line.

#![no_main]

use auslese_crawl::{SITEMAP_URLS, read_sitemap};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for charset in [None, Some("iso-8859-1")] {
        let sitemap = read_sitemap(bytes, charset);
        assert!(sitemap.entries.len() <= SITEMAP_URLS);
    }
});
