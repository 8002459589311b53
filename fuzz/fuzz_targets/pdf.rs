//! Any bytes as PDF.

#![no_main]

use auslese_layout::{Format, PageLimit, ReadLimits, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = ReadLimits { pages: PageLimit::First(3), ..ReadLimits::default() };
    read(bytes, Format::Pdf, &limits);
});
