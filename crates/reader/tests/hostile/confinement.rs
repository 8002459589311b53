//! What a reader cannot do.

use crate::misdeeds::{rich, said};
use crate::{limits, misdeeds, order, process_of, readers, test};
use auslese_reader::{HelperPrograms, Readers, Request, Start, serve};
use libtest_mimic::Trial;
use rustix::process::{Pid, getpgid};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use std::ffi::OsString;
use std::fs;
use std::process::ExitCode;

pub(crate) fn tests() -> Vec<Trial> {
    vec![
        test("a_reader_can_only_compute", a_reader_can_only_compute),
        test("a_reader_knows_nothing_of_its_surroundings", knows_nothing_of_its_surroundings),
        test("the_report_names_what_is_missing", the_report_names_what_is_missing),
        test("the_kernel_confirms_it", the_kernel_confirms_it),
        test("without_landlock_calls_are_filtered", without_landlock_calls_are_filtered),
        test("without_a_filter_nothing_can_be_opened", without_a_filter_nothing_can_be_opened),
    ]
}

fn a_reader_can_only_compute() {
    let readers = readers(limits());
    let directory = tempfile::tempdir().unwrap();
    let kept = directory.path().join("kept");
    fs::write(&kept, "kept").unwrap();
    let written = directory.path().join("written");
    let before = process_of(&readers);
    #[rustfmt::skip]
    let cases = [
        ("open file",      ""),
        ("look at file",   ""),
        ("list directory", ""),
        ("write file",     written.to_str().unwrap()),
        ("write file",     kept.to_str().unwrap()),
        ("remove file",    kept.to_str().unwrap()),
        ("open socket",    ""),
        ("start program",  ""),
        ("start thread",   ""),
        ("kill parent",    ""),
    ];
    for (deed, name) in cases {
        let request = Request { name, pages: Some(std::process::id()), ..order(deed) };
        let refused = said("Operation not permitted (os error 1)".to_owned());
        assert_eq!(readers.read(&request), Ok(refused), "{deed} {name}");
        assert_eq!(readers.read(&order("rich")), Ok(rich()), "after {deed}");
    }
    assert_eq!(process_of(&readers), before, "a refusal is no reason to be replaced");
    assert!(!written.exists());
    assert_eq!(fs::read_to_string(kept).unwrap(), "kept");
}

fn knows_nothing_of_its_surroundings() {
    let readers = readers(limits());
    // One variable, the same for every reader: what the allocator is told.
    assert_eq!(readers.read(&order("environment")).unwrap().page_count, Some(1));
    let process = process_of(&readers);
    let directory = fs::read_link(format!("/proc/{process}/cwd"));
    // Only the superuser may look at a process that allows no dumps.
    if let Ok(directory) = directory {
        assert_eq!(directory.to_str(), Some("/"));
    }
    // Ctrl-C in a terminal goes to a process group; a reader has one of its own.
    let pid = Pid::from_raw(process.try_into().unwrap()).unwrap();
    assert_eq!(getpgid(Some(pid)).unwrap(), pid);
}

/// On a kernel with everything there is nothing to name.
fn the_report_names_what_is_missing() {
    let confinement = readers(limits()).confinement().unwrap();
    assert!(confinement.calls_filtered, "{confinement:?}");
    match confinement.landlock {
        Some(version) if version >= 4 => assert!(confinement.missing.is_empty(), "{confinement:?}"),
        _ => assert!(confinement.missing.iter().any(|missing| missing.starts_with("Landlock"))),
    }
}

fn the_kernel_confirms_it() {
    let readers = readers(limits());
    let process = process_of(&readers);
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let value = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim().to_owned()
    };
    assert_eq!(value("NoNewPrivs:"), "1");
    assert_eq!(value("Seccomp:"), "2");
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
    let limit = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        let mut values = line.split_whitespace();
        (values.next().unwrap().to_owned(), values.next().unwrap().to_owned())
    };
    let zero = ("0".to_owned(), "0".to_owned());
    assert_eq!(limit("Max file size"), zero);
    assert_eq!(limit("Max core file size"), zero);
    assert_eq!(limit("Max processes"), zero);
    let (open_files, _) = limit("Max open files");
    assert!(open_files.parse::<u32>().unwrap() < 16, "{open_files}");
    let (space, hard) = limit("Max address space");
    assert_eq!(space, hard);
    assert!(space.parse::<u64>().unwrap() > 256 << 20, "{space}");
}

/// Is a reader to whom one system call does not exist, as on an old kernel.
pub(crate) fn read_on_a_poor_kernel(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let missing: i64 = arguments.next().unwrap().to_str().unwrap().parse().unwrap();
    let filter = SeccompFilter::new(
        [(missing, vec![])].into(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS.unsigned_abs()),
        std::env::consts::ARCH.try_into().unwrap(),
    );
    let filter: BpfProgram = filter.unwrap().try_into().unwrap();
    apply_filter(&filter).unwrap();
    serve(arguments, misdeeds::read)
}

fn readers_without(call: i64) -> Readers {
    let start = Start::this_program(["poor", &call.to_string()]);
    Readers::new(start, limits(), HelperPrograms::installed())
}

fn without_landlock_calls_are_filtered() {
    let readers = readers_without(libc::SYS_landlock_create_ruleset);
    let confinement = readers.confinement().unwrap();
    assert_eq!((confinement.landlock, confinement.calls_filtered), (None, true));
    assert_eq!(confinement.missing, ["Landlock: this kernel has none (Linux 5.13 does)"]);
    let refused = said("Operation not permitted (os error 1)".to_owned());
    for deed in ["open file", "open socket", "start program"] {
        assert_eq!(readers.read(&order(deed)), Ok(refused.clone()), "{deed}");
    }
    assert_eq!(readers.read(&order("rich")), Ok(rich()));
}

fn without_a_filter_nothing_can_be_opened() {
    let readers = readers_without(libc::SYS_seccomp);
    let confinement = readers.confinement().unwrap();
    assert!(!confinement.calls_filtered);
    assert!(confinement.missing[0].starts_with("filter of system calls:"), "{confinement:?}");
    let refused = said("Too many open files (os error 24)".to_owned());
    for deed in ["open file", "open socket"] {
        assert_eq!(readers.read(&order(deed)), Ok(refused.clone()), "{deed}");
    }
    // By Landlock, or by the limit of processes, which does not hold for the superuser.
    let started = readers.read(&order("start program")).unwrap();
    let refusals =
        ["Permission denied (os error 13)", "Resource temporarily unavailable (os error 11)"];
    assert!(refusals.contains(&started.oddities[0].detail.as_str()), "{started:?}");
    assert_eq!(readers.read(&order("rich")), Ok(rich()));
}
