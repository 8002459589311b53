//! Files that appear whole or not at all.
//!
//! Everything is written under another name beside the final one, and takes it at the end. Whoever looks
//! at the final name sees what was there before, or all of the new; what an interruption leaves behind is
//! removed, and after a kill has a name that says what it is.

use crate::HarvestError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where an export goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportTarget {
    /// A file or folder of this name, which must not be there unless it may be replaced.
    Path { path: PathBuf, replace: bool },
    /// What the program prints.
    Stdout,
}

/// A file that is being written.
pub(super) enum OutputFile {
    Draft(BufWriter<File>, Draft),
    Stdout(BufWriter<io::Stdout>),
}

impl OutputFile {
    pub(super) fn create(target: &ExportTarget) -> Result<OutputFile, HarvestError> {
        let ExportTarget::Path { path, replace } = target else {
            return Ok(OutputFile::Stdout(BufWriter::new(io::stdout())));
        };
        if path.is_dir() {
            return Err(HarvestError::ExportExists { path: path.clone() });
        }
        let draft = Draft::beside(path, *replace)?;
        let file = File::create(&draft.temporary).map_err(|cause| draft.io(cause))?;
        Ok(OutputFile::Draft(BufWriter::new(file), draft))
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), HarvestError> {
        match self {
            OutputFile::Draft(file, draft) => {
                file.write_all(bytes).map_err(|cause| draft.io(cause))
            }
            OutputFile::Stdout(out) => out.write_all(bytes).map_err(on_stdout),
        }
    }

    /// Gives the file its name.
    pub(super) fn finish(self) -> Result<(), HarvestError> {
        match self {
            OutputFile::Draft(file, draft) => {
                let written = file.into_inner().map_err(io::IntoInnerError::into_error);
                written.and_then(|file| file.sync_all()).map_err(|cause| draft.io(cause))?;
                draft.finish()
            }
            OutputFile::Stdout(mut out) => out.flush().map_err(on_stdout),
        }
    }
}

/// A file that is not written in order.
pub(super) struct SeekableFile {
    draft: Draft,
}

impl SeekableFile {
    pub(super) fn create(target: &ExportTarget) -> Result<(SeekableFile, File), HarvestError> {
        let ExportTarget::Path { path, replace } = target else {
            return Err(HarvestError::ExportNeedsFile);
        };
        if path.is_dir() {
            return Err(HarvestError::ExportExists { path: path.clone() });
        }
        let draft = Draft::beside(path, *replace)?;
        let file = File::create(&draft.temporary).map_err(|cause| draft.io(cause))?;
        Ok((SeekableFile { draft }, file))
    }

    /// The final name.
    pub(super) fn path(&self) -> &Path {
        &self.draft.path
    }

    /// Gives the file its name.
    pub(super) fn finish(self, file: &File) -> Result<(), HarvestError> {
        file.sync_all().map_err(|cause| self.draft.io(cause))?;
        self.draft.finish()
    }
}

/// A folder for what is needed only while an export is written: beside it, because there must be room anyway. It is
/// removed in the end.
pub(super) struct WorkFolder {
    path: PathBuf,
    is_ours: bool,
}

impl WorkFolder {
    pub(super) fn beside(target: &ExportTarget) -> Result<WorkFolder, HarvestError> {
        let ExportTarget::Path { path, replace } = target else {
            return Ok(WorkFolder { path: std::env::temp_dir(), is_ours: false });
        };
        // What is there already is told before anything is made.
        drop(Draft::beside(path, *replace)?);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = free_name(path, &name, "work");
        let made = fs::create_dir(&folder);
        made.map_err(|cause| HarvestError::Io { path: path.clone(), cause })?;
        Ok(WorkFolder { path: folder, is_ours: true })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        if self.is_ours {
            // As with drafts: its name says what it is.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

fn on_stdout(cause: io::Error) -> HarvestError {
    HarvestError::Io { path: PathBuf::from("the standard output"), cause }
}

/// A folder that is being filled.
pub(super) struct OutputFolder {
    draft: Draft,
}

impl OutputFolder {
    pub(super) fn create(target: &ExportTarget) -> Result<OutputFolder, HarvestError> {
        let ExportTarget::Path { path, replace } = target else {
            return Err(HarvestError::ExportNeedsFolder);
        };
        let draft = Draft::beside(path, *replace)?;
        fs::create_dir(&draft.temporary).map_err(|cause| draft.io(cause))?;
        Ok(OutputFolder { draft })
    }

    /// A file in it, at a path with slashes; folders are made as they are needed.
    pub(super) fn file(&self, name: &str) -> Result<BufWriter<File>, HarvestError> {
        let path = self.draft.temporary.join(name);
        let made =
            path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| File::create(&path));
        made.map(BufWriter::new).map_err(|cause| self.draft.io(cause))
    }

    /// Where a file of that name is until the folder has its own.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.draft.temporary.join(name)
    }

    /// What to say of a file in it that could not be written.
    pub(super) fn io(&self, cause: io::Error) -> HarvestError {
        self.draft.io(cause)
    }

    pub(super) fn finish(self) -> Result<(), HarvestError> {
        self.draft.finish()
    }
}

/// A name beside the final one. What has it is removed unless it gets the final name.
pub(super) struct Draft {
    temporary: PathBuf,
    path: PathBuf,
    replace: bool,
    is_finished: bool,
}

impl Draft {
    fn beside(path: &Path, replace: bool) -> Result<Draft, HarvestError> {
        if !replace && path.symlink_metadata().is_ok() {
            return Err(HarvestError::ExportExists { path: path.to_owned() });
        }
        let name = path.file_name().ok_or_else(|| HarvestError::Io {
            path: path.to_owned(),
            cause: io::ErrorKind::InvalidInput.into(),
        })?;
        let temporary = free_name(path, &name.to_string_lossy(), "part");
        Ok(Draft { temporary, path: path.to_owned(), replace, is_finished: false })
    }

    fn io(&self, cause: io::Error) -> HarvestError {
        HarvestError::Io { path: self.path.clone(), cause }
    }

    fn finish(mut self) -> Result<(), HarvestError> {
        // A folder cannot take the place of another one, so that one steps aside first.
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let old = free_name(&self.path, &name, "old");
        let steps_aside = self.replace && self.path.is_dir();
        if steps_aside {
            fs::rename(&self.path, &old).map_err(|cause| self.io(cause))?;
        }
        fs::rename(&self.temporary, &self.path).map_err(|cause| self.io(cause))?;
        self.is_finished = true;
        if steps_aside {
            fs::remove_dir_all(&old).map_err(|cause| self.io(cause))?;
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_finished {
            // Whatever keeps it from being removed, its name says that it is no export.
            let _ = match self.temporary.is_dir() {
                true => fs::remove_dir_all(&self.temporary),
                false => fs::remove_file(&self.temporary),
            };
        }
    }
}

/// A name beside a path that says what it is and whose. What a killed process of the same number has left
/// behind stays where it is.
fn free_name(path: &Path, name: &str, what: &str) -> PathBuf {
    let process = std::process::id();
    let names = (1_u64..).map(|number| match number {
        1 => path.with_file_name(format!(".{name}.{what}-{process}")),
        _ => path.with_file_name(format!(".{name}.{what}-{process}-{number}")),
    });
    let mut free = names.filter(|path| path.symlink_metadata().is_err());
    free.next().expect("numbers do not end")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn target(folder: &Path, replace: bool) -> ExportTarget {
        ExportTarget::Path { path: folder.join("out"), replace }
    }

    #[test]
    fn a_file_appears_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = OutputFile::create(&target(folder.path(), false)).unwrap();
        file.write(b"half").unwrap();
        assert!(!folder.path().join("out").exists());
        drop(file);
        assert!(names(folder.path()).is_empty(), "nothing is left of one that was given up");
        let mut file = OutputFile::create(&target(folder.path(), false)).unwrap();
        file.write(b"whole").unwrap();
        file.finish().unwrap();
        assert_eq!(names(folder.path()), ["out"]);
        assert!(matches!(
            OutputFile::create(&target(folder.path(), false)),
            Err(HarvestError::ExportExists { .. })
        ));
        let file = OutputFile::create(&target(folder.path(), true)).unwrap();
        assert_eq!(fs::read(folder.path().join("out")).unwrap(), b"whole", "until the end");
        file.finish().unwrap();
        assert_eq!(fs::read(folder.path().join("out")).unwrap(), b"");
    }

    #[test]
    fn a_folder_appears_whole() {
        let folder = tempfile::tempdir().unwrap();
        for replace in [false, true] {
            let output = OutputFolder::create(&target(folder.path(), replace)).unwrap();
            output.file("0001/a").unwrap().write_all(b"x").unwrap();
            assert_eq!(folder.path().join("out").exists(), replace);
            output.finish().unwrap();
            assert_eq!(names(folder.path()), ["out"]);
            assert_eq!(fs::read(folder.path().join("out/0001/a")).unwrap(), b"x");
        }
        drop(OutputFolder::create(&target(folder.path(), true)).unwrap());
        assert_eq!(names(folder.path()), ["out"], "the old one stays when the new one is given up");
    }

    #[test]
    fn what_a_killed_process_left_is_no_hindrance() {
        let folder = tempfile::tempdir().unwrap();
        let left = format!(".out.part-{}", std::process::id());
        fs::create_dir(folder.path().join(&left)).unwrap();
        fs::write(folder.path().join(&left).join("half"), b"half").unwrap();
        let output = OutputFolder::create(&target(folder.path(), false)).unwrap();
        output.file("a").unwrap().write_all(b"x").unwrap();
        output.finish().unwrap();
        assert_eq!(names(folder.path()), [left, "out".to_owned()]);
        assert_eq!(names(&folder.path().join("out")), ["a"]);
    }
}
