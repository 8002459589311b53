//! When the program is killed, so are its readers and helpers, in the middle of a document.

use crate::processes::{children, is_running};
use crate::{limits, order, readers, test};
use auslese_reader::{Helper, Limits};
use libtest_mimic::Trial;
use std::num::NonZero;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) fn tests() -> Vec<Trial> {
    vec![test("nobody_outlives_the_program", nobody_outlives_the_program)]
}

/// Two documents that never end, in a reader and in a helper, and a reader without work.
pub(crate) fn be_parent() -> ExitCode {
    let readers = readers(Limits { processes: NonZero::new(3).unwrap(), ..limits() });
    let readers = &readers;
    thread::scope(|scope| {
        scope.spawn(|| readers.read(&order("forever")));
        scope.spawn(|| readers.ask(Helper::Ghostscript, b"%!\n{} loop", None));
        scope.spawn(|| readers.read(&order("rich")));
    });
    ExitCode::SUCCESS
}

fn nobody_outlives_the_program() {
    let mut program = Command::new("/proc/self/exe")
        .arg("parent")
        .stdin(Stdio::null())
        .spawn()
        .expect("this program once more");
    let deadline = Instant::now() + Duration::from_secs(30);
    let mut started = Vec::new();
    while started.len() < 3 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
        started = children(program.id());
    }
    // They have begun, Ghostscript included.
    thread::sleep(Duration::from_millis(500));
    assert_eq!(started.len(), 3, "{started:?}");
    assert!(started.iter().all(|&child| is_running(child)), "{started:?}");
    program.kill().unwrap();
    program.wait().unwrap();
    while started.iter().any(|&child| is_running(child)) && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
    started.retain(|&child| is_running(child));
    assert!(started.is_empty(), "{started:?}");
}
