//! What it costs to read in another process. Not a test, but it keeps the figures repeatable:
//! `cargo test --release -p auslese-reader --test hostile -- --ignored --nocapture`.

use crate::misdeeds::words;
use crate::{limits, order, readers};
use auslese_layout::LayoutText;
use auslese_reader::{Helper, Limits, Request};
use libtest_mimic::Trial;
use std::time::{Duration, Instant};

pub(crate) fn tests() -> Vec<Trial> {
    let trial = Trial::test("what_it_costs", || {
        measure();
        Ok(())
    });
    vec![trial.with_ignored_flag(true)]
}

fn measure() {
    let readers = readers(Limits { documents_per_process: 100_000, ..limits() });
    for (what, bytes, words) in [
        ("10 kB, no words", 10_000, 0),
        ("1 MB, no words", 1_000_000, 0),
        ("1 MB, 1,000 words", 1_000_000, 1_000),
        ("1 MB, 15,000 words", 1_000_000, 15_000),
        ("10 MB, no words", 10_000_000, 0),
    ] {
        let document = vec![b'x'; bytes];
        let request = Request { pages: Some(words), bytes: &document, ..order("words") };
        report(what, 200, || assert!(readers.read(&request).is_ok()));
    }
    report("15,000 words here, without a process", 200, || {
        let bytes = postcard::to_stdvec(&words(15_000)).unwrap();
        let text: LayoutText = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(text.page_count, Some(1));
    });
    let anew = self::readers(Limits { documents_per_process: 1, ..limits() });
    report("a new process", 50, || assert!(anew.read(&order("process")).is_ok()));
    let page = b"%!\n/Times-Roman findfont 12 scalefont setfont 72 700 moveto (a) show showpage";
    report("Ghostscript, one page", 10, || {
        assert!(readers.ask(Helper::Ghostscript, page, None).is_ok());
    });
}

fn report(what: &str, times: usize, mut action: impl FnMut()) {
    action();
    let mut taken: Vec<Duration> = (0..times)
        .map(|_| {
            let start = Instant::now();
            action();
            start.elapsed()
        })
        .collect();
    taken.sort();
    println!("{what}: median {:?}, 9 of 10 within {:?}", taken[times / 2], taken[times * 9 / 10]);
}
