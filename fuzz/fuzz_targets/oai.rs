//! Any bytes as what strangers' databases say: OAI-PMH, OpenSearch, forms and their metadata.

#![no_main]

use auslese_hidden::{forms, page_entries, read_oai, read_opensearch};
use auslese_markup::parse;
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|bytes: &[u8]| {
    read_oai(bytes, None);
    read_opensearch(bytes, None);
    let page = parse(bytes, None);
    let url = Url::parse("http://www.example.org/search").expect("an address");
    forms(&page, &url);
    page_entries(&page);
});
