//! Any bytes as a document of an office program: the first byte says which.

#![no_main]

use auslese_layout::{Format, PageLimit, ReadLimits, read, unpack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let formats = [Format::Doc, Format::Rtf, Format::Docx, Format::Odt];
    let limits = ReadLimits { pages: PageLimit::First(3), ..ReadLimits::default() };
    let text = read(rest, formats[usize::from(first % 4)], &limits);
    assert!(!text.pages.is_empty() || !text.oddities.is_empty(), "silence has a reason");
    let _ = unpack(rest, &limits);
});
