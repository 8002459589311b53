//! A process takes rights away from itself, for good.
//!
//! Three things do it, one behind the other, so that a gap in one is no gap in the whole:
//! *resource limits* of the operating system ([`resources`]), *Landlock*, which closes the file system
//! and TCP ([`files`]), and a *filter* that leaves a few dozen harmless system calls ([`calls`]).
//! A kernel may lack the last two. Then reading goes on with what there is, and the report says
//! what is missing.

mod calls;
mod files;
mod resources;

pub(crate) use calls::Descriptors;
pub(crate) use resources::{allow_cpu_seconds, limit_address_space};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;

/// How well readers are confined on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// The version of Landlock that closes the file system; `None` where the kernel has none.
    pub landlock: Option<u32>,
    /// Only listed system calls are let through.
    pub calls_filtered: bool,
    /// What could not be applied, in words.
    pub missing: Vec<String>,
}

impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.landlock {
            Some(version) => write!(f, "Landlock {version}, ")?,
            None => f.write_str("no Landlock, ")?,
        }
        f.write_str(if self.calls_filtered {
            "system calls filtered"
        } else {
            "no filter of system calls"
        })
    }
}

impl Confinement {
    fn note<T>(&mut self, what: &str, result: Result<T, impl fmt::Display>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.missing.push(format!("{what}: {error}"));
                None
            }
        }
    }
}

/// Everything a reader can do without before it has threads: files, network, new programs, more
/// privileges, dumps of its memory.
pub(crate) fn close_files() -> Confinement {
    let mut confinement = Confinement::default();
    confinement.note("no new privileges", rustix::thread::set_no_new_privs(true));
    confinement.note(
        "no memory dumps",
        rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable),
    );
    for (what, result) in resources::write_and_dump_nothing() {
        confinement.note(what, result);
    }
    if let Some(landlock) = confinement.note("Landlock", files::close_all()) {
        landlock.record(&mut confinement);
    }
    confinement
}

/// What is left after that: more descriptors, more processes, and most system calls, for all threads.
pub(crate) fn close_calls(confinement: &mut Confinement, descriptors: &Descriptors) {
    for (what, result) in resources::open_and_start_nothing(descriptors.highest()) {
        confinement.note(what, result);
    }
    let filter = calls::allow_reader(descriptors);
    confinement.calls_filtered = confinement.note("filter of system calls", filter).is_some();
}

/// For a process that is about to become `program`: that may be executed, and only what programs
/// and fonts are installed in may be read.
pub(crate) fn confine_helper(program: &Path, memory: u64, cpu_seconds: u64) -> Confinement {
    let mut confinement = Confinement::default();
    confinement.note("no new privileges", rustix::thread::set_no_new_privs(true));
    if let Some(landlock) = confinement.note("Landlock", files::close_all_but(program)) {
        landlock.record(&mut confinement);
    }
    for (what, result) in resources::for_helper(memory, cpu_seconds) {
        confinement.note(what, result);
    }
    let filter = calls::allow_helper();
    confinement.calls_filtered = confinement.note("filter of system calls", filter).is_some();
    confinement
}
