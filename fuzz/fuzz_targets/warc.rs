//! Any bytes as an archive file: records one behind the other, damage passed over, and always an end.

#![no_main]

use auslese_archive::{ArchiveError, Reader};
use libfuzzer_sys::fuzz_target;
use std::io::{Cursor, Read};
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut reader) = Reader::new(Path::new("fuzzed.warc.gz"), Cursor::new(bytes), 0) else {
        return;
    };
    let mut last = None;
    for _ in 0..=bytes.len() {
        match reader.next_record() {
            Ok(None) => return,
            Ok(Some(record)) => {
                assert!(last <= Some(record.offset), "records come in the order of the file");
                last = Some(record.offset);
                if record.holds_http() && reader.http_head().is_err() {
                    continue;
                }
                let mut payload = Vec::new();
                let _ = reader.payload().take(1 << 20).read_to_end(&mut payload);
                let _ = reader.end_record();
            }
            Err(ArchiveError::Damaged { .. }) => {}
            Err(_) => return,
        }
    }
    panic!("there are more records than bytes");
});
