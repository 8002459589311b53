//! The system calls that remain; all others fail.
//!
//! The lists name what is allowed, because new calls come with every kernel. A reader computes: it
//! may read its one input, write its answers and its last words, and move memory. A helper may
//! also look for its files, within what Landlock leaves. Neither can open a socket, start a process or
//! touch another one; and a reader cannot execute memory that it wrote.

use rustix::fd::{AsRawFd, BorrowedFd, RawFd};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter, apply_filter_all_threads,
};
use std::collections::BTreeMap;

/// The only descriptors a reader may use, so that none it inherited by accident is of any use.
#[derive(Debug)]
pub(crate) struct Descriptors {
    input: RawFd,
    output: RawFd,
    memory_report: RawFd,
}

impl Descriptors {
    pub(crate) fn new(
        input: BorrowedFd<'_>,
        output: BorrowedFd<'_>,
        memory_report: BorrowedFd<'_>,
    ) -> Descriptors {
        Descriptors {
            input: input.as_raw_fd(),
            output: output.as_raw_fd(),
            memory_report: memory_report.as_raw_fd(),
        }
    }

    pub(super) fn highest(&self) -> RawFd {
        self.input.max(self.output).max(self.memory_report)
    }
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Calls of every program: memory, time, signals to itself, waiting, ending.
const COMPUTING: [i64; 22] = [
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_futex,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_ppoll,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// What a program needs besides to be loaded, and to find and read its files.
const LOADING_AND_READING: [i64; 33] = [
    libc::SYS_execve,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_openat,
    libc::SYS_close,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_fcntl,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_uname,
    libc::SYS_sysinfo,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getrusage,
    libc::SYS_gettimeofday,
];

/// Older spellings of some of the above, on the one architecture that still has them.
#[cfg(target_arch = "x86_64")]
const OLD_COMPUTING: &[i64] = &[libc::SYS_poll];
#[cfg(target_arch = "x86_64")]
const OLD_READING: &[i64] = &[
    libc::SYS_arch_prctl,
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_dup2,
    libc::SYS_time,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_COMPUTING: &[i64] = &[];
#[cfg(not(target_arch = "x86_64"))]
const OLD_READING: &[i64] = &[];

/// Shuts all threads of this process in.
pub(super) fn allow_reader(descriptors: &Descriptors) -> Result<(), seccompiler::Error> {
    let mut rules = computing()?;
    let output = [libc::STDOUT_FILENO, libc::STDERR_FILENO, descriptors.output];
    allow_on(&mut rules, libc::SYS_read, &[descriptors.input])?;
    allow_on(&mut rules, libc::SYS_pread64, &[descriptors.memory_report])?;
    allow_on(&mut rules, libc::SYS_write, &output)?;
    allow_on(&mut rules, libc::SYS_writev, &output)?;
    // Its processor time begins anew with each document.
    let of_processor = condition(1, SeccompCmpOp::Eq, libc::RLIMIT_CPU.into())?;
    let set_time = SeccompRule::new(vec![its_own()?, of_processor])?;
    rules.entry(libc::SYS_prlimit64).or_default().push(set_time);
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        let executable = libc::PROT_EXEC.unsigned_abs().into();
        let not_executable = condition(2, SeccompCmpOp::MaskedEq(executable), 0)?;
        rules.insert(call, vec![SeccompRule::new(vec![not_executable])?]);
    }
    // A refused call reads best as what it is: not permitted.
    apply_filter_all_threads(&compile(rules, libc::EPERM)?)
}

/// Shuts this thread in, and the program it becomes.
pub(super) fn allow_helper() -> Result<(), seccompiler::Error> {
    let mut rules = computing()?;
    rules.extend(LOADING_AND_READING.iter().chain(OLD_READING).map(|&call| (call, Vec::new())));
    // Foreign libraries try new calls first and go back to old ones if a call does not exist.
    apply_filter(&compile(rules, libc::ENOSYS)?)
}

fn computing() -> Result<Rules, BackendError> {
    let mut rules: Rules =
        COMPUTING.iter().chain(OLD_COMPUTING).map(|&call| (call, Vec::new())).collect();
    // A process that aborts sends a signal to itself.
    let myself = condition(0, SeccompCmpOp::Eq, std::process::id().into())?;
    rules.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![myself])?]);
    // Limits can be asked for, not set: the superuser could raise them again.
    let asked = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![its_own()?, asked])?]);
    Ok(rules)
}

/// Of a call whose first argument is a process, with 0 for oneself.
fn its_own() -> Result<SeccompCondition, BackendError> {
    condition(0, SeccompCmpOp::Eq, 0)
}

fn allow_on(rules: &mut Rules, call: i64, descriptors: &[RawFd]) -> Result<(), BackendError> {
    let rule = |fd: &RawFd| {
        SeccompRule::new(vec![condition(0, SeccompCmpOp::Eq, fd.unsigned_abs().into())?])
    };
    rules.insert(call, descriptors.iter().map(rule).collect::<Result<_, _>>()?);
    Ok(())
}

/// Descriptors, process ids and protections are all 32 bits wide; the kernel ignores the rest.
fn condition(
    argument: u8,
    operation: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operation, value)
}

fn compile(rules: Rules, refusal: i32) -> Result<BpfProgram, BackendError> {
    let architecture: TargetArch = std::env::consts::ARCH.try_into()?;
    let refuse = SeccompAction::Errno(refusal.unsigned_abs());
    SeccompFilter::new(rules, refuse, SeccompAction::Allow, architecture)?.try_into()
}
