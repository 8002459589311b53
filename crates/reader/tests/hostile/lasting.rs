//! Many documents: shared readers, replaced readers, bounded memory.

use crate::processes::{is_running, resident_bytes};
use crate::{limits, order, process_of, readers, test};
use auslese_reader::{Limits, Request};
use libtest_mimic::Trial;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

pub(crate) fn tests() -> Vec<Trial> {
    vec![
        test("a_thousand_documents_through_two_readers", a_thousand_documents),
        test("readers_are_replaced_after_some_documents", replaced_after_some_documents),
        test("readers_that_died_in_between_cost_nothing", died_in_between),
    ]
}

/// Each document leaves 1 MB behind and needs 20 MB for a while.
fn a_thousand_documents() {
    let kept_memory = 32 << 20;
    let limits = Limits {
        processes: NonZero::new(2).unwrap(),
        memory: 128 << 20,
        kept_memory,
        documents_per_process: 1000,
        ..limits()
    };
    let readers = readers(limits);
    let processes = Mutex::new(BTreeSet::new());
    let most_memory = AtomicU64::new(0);
    let bytes = vec![b'x'; 100_000];
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..125 {
                    let eat =
                        Request { pages: Some(20_000_000), bytes: &bytes, ..order("some memory") };
                    assert_eq!(readers.read(&eat).unwrap().page_count, Some(20));
                    let leak = Request { pages: Some(2_000_000), bytes: &bytes, ..order("leak") };
                    let process = readers.read(&leak).unwrap().page_count.unwrap();
                    processes.lock().unwrap().insert(process);
                    most_memory.fetch_max(resident_bytes(process), Ordering::Relaxed);
                }
            });
        }
    });
    let processes = processes.into_inner().unwrap();
    // 500 leaks of 2 MB, at most 16 of them in one process.
    assert!((30..=120).contains(&processes.len()), "{} processes", processes.len());
    let most_memory = most_memory.into_inner();
    assert!(most_memory < kept_memory + (30 << 20), "{most_memory} bytes");
    let alive = processes.iter().filter(|&&process| is_running(process)).count();
    assert!(alive <= 2, "{alive} processes");
    drop(readers);
    assert!(!processes.iter().any(|&process| is_running(process)), "{processes:?}");
}

fn replaced_after_some_documents() {
    let readers = readers(Limits { documents_per_process: 3, ..limits() });
    let processes: Vec<u32> = (0..7).map(|_| process_of(&readers)).collect();
    let (first, second, third) = (&processes[..3], &processes[3..6], &processes[6..]);
    assert!(first.iter().all(|process| *process == first[0]), "{processes:?}");
    assert!(second.iter().all(|process| *process == second[0]), "{processes:?}");
    assert!(first[0] != second[0] && second[0] != third[0], "{processes:?}");
}

fn died_in_between() {
    let readers = readers(limits());
    let process = process_of(&readers);
    let pid = rustix::process::Pid::from_raw(process.try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    while is_running(process) {
        thread::yield_now();
    }
    assert_ne!(process_of(&readers), process);
}
