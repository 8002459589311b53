//! The file `organisation.toml` of a harvest: what is known about each institution, for people to
//! read, correct and keep.
//!
//! It is written once; whoever corrects it is not overruled: only `--refresh` gathers anew.

use crate::messages::{Exit, Failure};
use anyhow::Context;
use auslese_discover::Profile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The name of the file.
pub(crate) const ORGANISATION_FILE: &str = "organisation.toml";

/// What stands above the values.
const HEADER: &str = "\
# Which addresses, name servers and names belong to the institutions of this harvest, as found by
# `auslese discover`. Correct it by hand where it is wrong: a range or a domain that is missing can
# be added, a wrong one deleted. `auslese discover --refresh` gathers everything anew.

";

#[derive(Debug, Serialize, Deserialize)]
struct Organisations {
    #[serde(default, rename = "organisation")]
    organisations: Vec<Profile>,
}

/// The names of the institutions by their labels, as far as they are known.
pub(crate) fn names(dir: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let profiles = read(dir)?.into_iter();
    Ok(profiles.filter_map(|profile| Some((profile.label, profile.name?))).collect())
}

pub(crate) fn file(dir: &Path) -> PathBuf {
    dir.join(ORGANISATION_FILE)
}

/// The profiles of a harvest; none if nothing was gathered yet.
pub(crate) fn read(dir: &Path) -> Result<Vec<Profile>, Failure> {
    let file = file(dir);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => {
            let kind = cause.kind();
            let error =
                anyhow::Error::new(cause).context(format!("cannot read {}", file.display()));
            let failure = Failure::new(Exit::Usage, error);
            return Err(match kind {
                ErrorKind::InvalidData => failure.hint("save it in UTF-8"),
                _ => failure,
            });
        }
    };
    match toml::from_str::<Organisations>(&text) {
        Ok(read) => Ok(read.organisations),
        Err(cause) => {
            let error = anyhow::Error::new(cause).context(format!("{} is wrong", file.display()));
            Err(Failure::new(Exit::Usage, error)
                .hint("correct it, or delete it and run `auslese discover` again"))
        }
    }
}

/// Writes the profiles; an earlier file is kept beside it as `organisation.toml.old`.
pub(crate) fn write(dir: &Path, profiles: &[Profile]) -> Result<PathBuf, Failure> {
    let file = file(dir);
    let cannot_write = || format!("cannot write {}", file.display());
    let organisations = Organisations { organisations: profiles.to_vec() };
    let text = toml::to_string(&organisations).with_context(cannot_write)?;
    let mut draft = tempfile::NamedTempFile::new_in(dir).with_context(cannot_write)?;
    draft.write_all(HEADER.as_bytes()).with_context(cannot_write)?;
    draft.write_all(text.as_bytes()).with_context(cannot_write)?;
    if file.exists() {
        fs::rename(&file, file.with_extension("toml.old")).with_context(cannot_write)?;
    }
    let written = draft.persist(&file).with_context(cannot_write)?;
    crate::commands::make_readable(&written).with_context(cannot_write)?;
    Ok(file)
}
