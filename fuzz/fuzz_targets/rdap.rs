//! Any bytes as the answer of a registry in JSON.

#![no_main]

use auslese_discover::{parse_rdap, parse_rdap_networks};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    parse_rdap(bytes);
    parse_rdap_networks(bytes);
});
