//! Any bytes as PostScript that TeX made.

#![no_main]

use auslese_layout::{read_dvips_pages, tree};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Some(text) = read_dvips_pages(bytes, 5) {
        tree(&text);
    }
});
