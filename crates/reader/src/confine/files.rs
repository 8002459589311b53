//! Landlock: which files may still be opened.

use super::Confinement;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, RestrictionStatus, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};
use std::fs;
use std::path::{Path, PathBuf};

/// The newest version whose rights are named; older kernels give those of them that they know.
const NEWEST: ABI = ABI::V9;

/// Where Linux distributions keep programs, libraries, fonts and what describes them. Nothing here
/// is private to a user. What does not exist is passed over.
const INSTALLED: [&str; 9] = [
    "/usr",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/fonts",
    "/etc/ghostscript",
    "/etc/papersize",
    "/var/lib/ghostscript",
    "/var/cache/fontconfig",
];

/// What Landlock gave.
pub(super) struct Landlock(RestrictionStatus);

impl Landlock {
    pub(super) fn record(&self, confinement: &mut Confinement) {
        let version = match self.0.landlock {
            LandlockStatus::NotEnabled => Err("this kernel has it, but not enabled"),
            LandlockStatus::NotImplemented => Err("this kernel has none (Linux 5.13 does)"),
            LandlockStatus::Available { effective_abi, .. } => Ok(effective_abi),
        };
        match version {
            Err(reason) => confinement.missing.push(format!("Landlock: {reason}")),
            Ok(_) if self.0.ruleset == RulesetStatus::NotEnforced => {
                confinement.missing.push("Landlock: not enforced".to_owned());
            }
            Ok(version) => {
                confinement.landlock = Some(version as u32);
                if version < ABI::V4 {
                    confinement.missing.push("Landlock for TCP: Linux 6.7 has it".to_owned());
                }
            }
        }
    }
}

/// No file is opened, made, changed or executed any more, by this thread and those it starts.
pub(super) fn close_all() -> Result<Landlock, RulesetError> {
    Ok(Landlock(everything_handled()?.restrict_self()?))
}

/// The same, except that installed files can be read and one program can be executed.
pub(super) fn close_all_but(program: &Path) -> Result<Landlock, RulesetError> {
    let read: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::ReadDir;
    let execute: BitFlags<AccessFs> = AccessFs::ReadFile | AccessFs::Execute;
    let mut executed = loaders();
    executed.push(program.to_owned());
    let status = everything_handled()?
        .add_rules(path_beneath_rules(INSTALLED, read))?
        .add_rules(path_beneath_rules(executed, execute))?
        .restrict_self()?;
    Ok(Landlock(status))
}

fn everything_handled() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()
}

/// The kernel starts a program through the system's loader, which therefore has to be executable.
fn loaders() -> Vec<PathBuf> {
    let is_loader = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        (name.starts_with("ld-linux") || name.starts_with("ld-musl") || name.starts_with("ld64"))
            && name.contains(".so")
    };
    ["/lib64", "/lib"]
        .iter()
        .filter_map(|directory| fs::read_dir(directory).ok())
        .flat_map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path()))
        .filter(is_loader)
        .collect()
}
