//! Measures how many office documents are read in a second, over given files or directories:
//! `cargo bench -p auslese-layout --bench office -- FILE…`; without any, over the documents of the
//! tests and over long ones made of their text.

use auslese_layout::{Format, ReadLimits, read, unpack};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let given: Vec<PathBuf> =
        std::env::args().skip(1).filter(|name| name != "--bench").map(PathBuf::from).collect();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let files = if given.is_empty() { vec![directory] } else { given };
    let mut documents: Vec<(String, Vec<u8>)> =
        files.iter().flat_map(|file| read_all(file)).collect();
    documents.push(("long.rtf".to_owned(), long_rtf()));
    for (name, bytes) in documents {
        measure(&name, &bytes);
    }
}

fn read_all(path: &Path) -> Vec<(String, Vec<u8>)> {
    if let Ok(directory) = path.read_dir() {
        let paths = directory.flatten().map(|entry| entry.path());
        return paths.filter(|path| path.is_file()).flat_map(|path| read_all(&path)).collect();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    std::fs::read(path).map(|bytes| (name, bytes)).into_iter().collect()
}

/// A thousand pages.
fn long_rtf() -> Vec<u8> {
    let paragraph =
        r"\pard\plain\qj\fs24 Wir zeigen gro\'dfe S\'e4tze {\b fett} und {\i schr\'e4g}.\par";
    format!("{{\\rtf1\\ansi {}}}", paragraph.repeat(40_000)).into_bytes()
}

fn measure(name: &str, bytes: &[u8]) {
    let limits = ReadLimits::default();
    let Some(format) = Format::of(&unpack(bytes, &limits).0, Some(name), None) else { return };
    let start = Instant::now();
    let mut rounds = 0_u32;
    while rounds == 0 || start.elapsed().as_millis() < 500 {
        let (bytes, _) = unpack(bytes, &limits);
        black_box(read(&bytes, format, &limits));
        rounds += 1;
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(rounds);
    let megabytes = bytes.len() as f64 / 1e6;
    println!(
        "{name:24} {:10.0} documents/s {:8.1} MB/s {:10.3} ms",
        1.0 / seconds,
        megabytes / seconds,
        seconds * 1e3
    );
}
