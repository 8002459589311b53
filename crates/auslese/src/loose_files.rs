//! Loose files that the command line names: read within a limit, worked on by all cores, reported in
//! the order given.

use crate::messages::{Exit, Failure};
use anyhow::Context;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// More of a file is not read.
pub(crate) const MAX_LOOSE_FILE: u64 = 256 << 20;

/// The bytes of a file, or of the standard input for `-`. A file that cannot be read costs itself
/// only.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = bytes_of(path).with_context(|| format!("cannot read {}", path.display()));
    bytes.map_err(|error| Failure::new(Exit::Failures, error))
}

fn bytes_of(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(MAX_LOOSE_FILE).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path).context("the file cannot be opened")?;
        // More than it has, so that its end is met without asking for more room, and so that what is made of a page
        // finds room behind it.
        let length = file.metadata().map_or(0, |about| about.len()).min(MAX_LOOSE_FILE);
        bytes.reserve_exact(usize::try_from(length + length / 8 + 1).unwrap_or(0));
        file.take(MAX_LOOSE_FILE).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// What is looked at to tell text and other things apart.
const BEGINNING: usize = 4096;

/// A format that is known by its first bytes and holds no text to be read here.
pub(crate) fn foreign_format(bytes: &[u8]) -> Option<&'static str> {
    #[rustfmt::skip]
    let formats: [(&[u8], &str); 7] = [
        (b"%PDF-",             "PDF"),
        (b"%!PS",              "PostScript"),
        (b"PK\x03\x04",        "a ZIP archive"),
        (b"\x1f\x8b",          "compressed"),
        (b"GIF8",              "an image"),
        (b"\xff\xd8\xff",      "an image"),
        (b"\x89PNG",           "an image"),
    ];
    let known = formats.iter().find(|(start, _)| bytes.starts_with(start));
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    let beginning = &bytes[..bytes.len().min(BEGINNING)];
    known.map(|(_, format)| *format).or((!wide && beginning.contains(&0)).then_some("binary data"))
}

/// Does the same to each item, on as many threads as there are cores; results in the order of items. The calling thread
/// is one of them: what it has made ready for its work, such as automata, serves it the next time, too.
pub(crate) fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let work_on = || {
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            let result = work(item);
            done.lock().expect("no worker panics while it holds the lock").push((at, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work_on);
        }
        work_on();
    });
    let mut done = done.into_inner().expect("no worker panics while it holds the lock");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_their_first_bytes() {
        assert_eq!(foreign_format(b"%PDF-1.4"), Some("PDF"));
        assert_eq!(foreign_format(b"a\0b"), Some("binary data"));
        assert_eq!(foreign_format(b"\xff\xfea\0"), None);
    }

    #[test]
    fn results_come_in_the_order_of_items() {
        let items: Vec<u32> = (0..100).collect();
        assert_eq!(
            on_all_cores(&items, |item| item * 2),
            (0..100).map(|it| it * 2).collect::<Vec<_>>()
        );
        assert!(on_all_cores(&[0u8; 0], |item| *item).is_empty());
    }
}
