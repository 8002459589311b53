//! Limits that every Unix has.

use rustix::fd::RawFd;
use rustix::io;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

/// Descriptors a helper may have open: its three pipes and a few font files.
const HELPER_DESCRIPTORS: u64 = 64;

type Applied = Vec<(&'static str, io::Result<()>)>;

pub(super) fn write_and_dump_nothing() -> Applied {
    vec![
        ("limit of file size", limit(Resource::Fsize, 0)),
        ("limit of core dumps", limit(Resource::Core, 0)),
    ]
}

/// A descriptor gets the lowest free number, so with the limit just above the highest in use nothing
/// can be opened any more: no file, no socket, no pipe. The number of processes counts the
/// threads of the user, and zero means none more; the superuser is exempt from it.
pub(super) fn open_and_start_nothing(highest: RawFd) -> Applied {
    vec![
        ("limit of open files", limit(Resource::Nofile, u64::from(highest.unsigned_abs()) + 1)),
        ("limit of processes", limit(Resource::Nproc, 0)),
    ]
}

pub(super) fn for_helper(memory: u64, cpu_seconds: u64) -> Applied {
    let mut applied = write_and_dump_nothing();
    applied.extend([
        ("limit of open files", limit(Resource::Nofile, HELPER_DESCRIPTORS)),
        ("limit of processes", limit(Resource::Nproc, 0)),
        ("limit of memory", limit(Resource::As, memory)),
        ("limit of processor time", limit(Resource::Cpu, cpu_seconds)),
    ]);
    applied
}

pub(crate) fn limit_address_space(bytes: u64) -> io::Result<()> {
    limit(Resource::As, bytes)
}

/// From now on, the process may use the processor for so long; then the kernel ends it.
pub(crate) fn allow_cpu_seconds(seconds: u64) -> io::Result<()> {
    let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec.unsigned_abs();
    let maximum = getrlimit(Resource::Cpu).maximum;
    let wanted = used.saturating_add(seconds);
    let current = Some(maximum.map_or(wanted, |maximum| wanted.min(maximum)));
    setrlimit(Resource::Cpu, Rlimit { current, maximum })
}

/// Never above what somebody else has set.
fn limit(resource: Resource, value: u64) -> io::Result<()> {
    let value = getrlimit(resource).maximum.map_or(value, |maximum| value.min(maximum));
    setrlimit(resource, Rlimit { current: Some(value), maximum: Some(value) })
}
