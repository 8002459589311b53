//! Passwords and tokens: where they come from, and that they are shown nowhere.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Bytes of a secret; a longer file is another file.
const MAX_SECRET: u64 = 4 << 10;

/// A text that is neither printed nor logged.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Where secrets are looked for.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    /// Names of files are relative to it.
    pub(super) folder: &'a Path,
    pub(super) environment: &'a dyn Fn(&str) -> Option<String>,
}

impl Sources<'_> {
    /// The secret of a variable or of a file; the names of the two settings come with their values.
    pub(super) fn secret(
        &self,
        (env_key, variable): (&str, Option<&str>),
        (file_key, file): (&str, Option<&str>),
    ) -> Result<Secret, String> {
        let text = match (variable, file) {
            (Some(_), Some(_)) => {
                return Err(format!("expected {env_key} or {file_key}, not both"));
            }
            (None, None) => return Err(format!("expected {env_key} or {file_key}")),
            (Some(variable), None) => (self.environment)(variable)
                .ok_or_else(|| format!("the environment has no variable {variable}"))?,
            (None, Some(file)) => read_private(&self.folder.join(file))?,
        };
        match text.trim() {
            "" => Err(format!("{} is empty", variable.or(file).unwrap_or_default())),
            text => Ok(Secret(text.to_owned())),
        }
    }
}

/// A file that only its owner can read.
fn read_private(path: &Path) -> Result<String, String> {
    let name = path.display();
    let failed = |error: std::io::Error| format!("{name}: {error}");
    // Looked at before it is opened, for opening a pipe would wait; and afterwards, for it may be another then.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(format!("{name} is no file"));
    }
    let file = File::open(path).map_err(failed)?;
    let mode = file.metadata().map_err(failed)?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(format!(
            "{name} can be read by others (mode {mode:03o}); hint: chmod 600 {name}"
        ));
    }
    let mut text = String::new();
    file.take(MAX_SECRET + 1).read_to_string(&mut text).map_err(failed)?;
    match text.len() as u64 > MAX_SECRET {
        true => Err(format!("{name} is longer than {MAX_SECRET} bytes")),
        false => Ok(text),
    }
}
