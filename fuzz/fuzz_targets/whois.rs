//! Any bytes as the answer of a registry.

#![no_main]

use auslese_discover::parse_whois;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    parse_whois(bytes);
});
