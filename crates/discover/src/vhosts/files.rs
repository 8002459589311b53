//! Where included files come from: the disk, or the parts of a dump.
//!
//! Parsers ask through [`Includes`], which refuses loops and depth; what to read is decided by the
//! function it holds. [`DiskFiles`] is the one for real trees. It reads regular files only (a pipe
//! would never end) and counts what it reads, also if it is the same file again.
//!
//! Trees are often looked at elsewhere than on the server they belong to. Then an absolute path
//! into the place where the server keeps its configuration means the copy, if the copy has it.

use super::glob::{is_pattern, name_matches};
use super::report::{Findings, Place, WhyReported};
use super::{MAX_BYTES, MAX_FILES, MAX_INCLUDE_DEPTH};
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// A text and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl SourceFile {
    fn empty(path: PathBuf) -> SourceFile {
        SourceFile { path, text: String::new() }
    }

    pub(crate) fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }
}

/// What a directive asks for.
#[derive(Debug, Clone)]
pub(crate) struct Include<'a> {
    /// A path or a pattern.
    pub(crate) pattern: &'a str,
    /// What relative paths begin at.
    pub(crate) base: &'a Path,
    pub(crate) want: Want,
}

/// What is wanted of the paths that match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Want {
    Files,
    /// Files; a directory stands for all files in it and below, as in Apache.
    FilesBelow,
    /// Only whether there are any: their text stays empty.
    Existence,
}

/// The files of an include directive, or why one of them is not read.
pub(crate) type Loaded = Vec<Result<SourceFile, Unread>>;

#[derive(Debug, Clone)]
pub(crate) struct Unread {
    pub(crate) path: PathBuf,
    pub(crate) why: WhyReported,
}

/// Included files, and those that are being read now.
pub(crate) struct Includes<'a> {
    load: &'a mut dyn FnMut(&Include<'_>) -> Loaded,
    open: Vec<PathBuf>,
}

impl<'a> Includes<'a> {
    pub(crate) fn new(load: &'a mut dyn FnMut(&Include<'_>) -> Loaded) -> Includes<'a> {
        Includes { load, open: Vec::new() }
    }

    /// The files to read for a directive; troubles are reported. `None` if there are none at all.
    pub(crate) fn find(
        &mut self,
        include: &Include<'_>,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<Vec<SourceFile>> {
        if self.open.len() >= MAX_INCLUDE_DEPTH {
            findings.report(include.pattern, place, "include", WhyReported::IncludeDepth);
            return Some(Vec::new());
        }
        let loaded = (self.load)(include);
        if loaded.is_empty() {
            return None;
        }
        let mut files = Vec::new();
        for file in loaded {
            match file {
                Ok(file) if self.open.contains(&file.path) => {
                    findings.report(&file.name(), place, "include", WhyReported::IncludeLoop);
                }
                Ok(file) => files.push(file),
                Err(Unread { path, why }) => {
                    findings.report(&path.to_string_lossy(), place, "include", why);
                }
            }
        }
        Some(files)
    }

    pub(crate) fn exist(&mut self, include: &Include<'_>) -> bool {
        !(self.load)(include).is_empty()
    }

    pub(crate) fn enter(&mut self, file: &SourceFile) {
        self.open.push(file.path.clone());
    }

    pub(crate) fn leave(&mut self) {
        self.open.pop();
    }
}

/// Files on the disk, within the limits.
#[derive(Debug)]
pub(crate) struct DiskFiles {
    /// Where the first file stands.
    home: PathBuf,
    /// Where servers of this kind keep their configuration.
    usual_homes: &'static [&'static str],
    files: usize,
    bytes: u64,
    /// How many more names in directories may be looked at.
    entries_left: usize,
}

/// Most names in directories that are looked at for all includes of one report.
const MAX_ENTRIES: usize = 1_000_000;

impl DiskFiles {
    pub(crate) fn new(first: &Path) -> DiskFiles {
        let home = first.parent().map(Path::to_owned).unwrap_or_default();
        DiskFiles { home, usual_homes: &[], files: 0, bytes: 0, entries_left: MAX_ENTRIES }
    }

    pub(crate) fn keep_at(&mut self, usual_homes: &'static [&'static str]) {
        self.usual_homes = usual_homes;
    }

    pub(crate) fn count(&self) -> usize {
        self.files
    }

    /// Reads one file in full; the outer error is the disk's, the inner one a limit of ours.
    pub(crate) fn read(&mut self, path: &Path) -> io::Result<Result<Vec<u8>, WhyReported>> {
        if self.files >= MAX_FILES {
            return Ok(Err(WhyReported::TooManyFiles));
        }
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let left = MAX_BYTES - self.bytes;
        let mut bytes = Vec::new();
        fs::File::open(path)?.take(left + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > left {
            return Ok(Err(WhyReported::TooManyBytes));
        }
        self.files += 1;
        self.bytes += bytes.len() as u64;
        Ok(Ok(bytes))
    }

    pub(crate) fn load(&mut self, include: &Include<'_>) -> Loaded {
        if self.entries_left == 0 || self.files >= MAX_FILES {
            let path = PathBuf::from(include.pattern);
            return vec![Err(Unread { path, why: WhyReported::TooManyFiles })];
        }
        let mut paths = Vec::new();
        for candidate in self.candidates(include) {
            paths = self.matching(&candidate);
            if !paths.is_empty() || candidate.parent().is_some_and(|p| p != self.home && p.is_dir())
            {
                break;
            }
        }
        match include.want {
            Want::Existence => {
                return paths.into_iter().map(|path| Ok(SourceFile::empty(path))).collect();
            }
            Want::FilesBelow => {
                paths = paths.into_iter().flat_map(|path| self.files_below(path)).collect();
            }
            Want::Files => paths.retain(|path| !path.is_dir()),
        }
        paths.truncate(MAX_FILES + 1);
        paths.into_iter().map(|path| self.load_one(path)).collect()
    }

    /// Existing paths that match a pattern, sorted.
    fn matching(&mut self, pattern: &Path) -> Vec<PathBuf> {
        let mut paths = vec![PathBuf::new()];
        for component in pattern.components() {
            match component {
                Component::Normal(part) if part.to_str().is_some_and(is_pattern) => {
                    let part = part.to_string_lossy();
                    paths = paths.iter().flat_map(|path| self.entries(path, &part)).collect();
                    paths.truncate(MAX_FILES + 1);
                }
                other => paths.iter_mut().for_each(|path| path.push(other)),
            }
        }
        self.entries_left = self.entries_left.saturating_sub(paths.len());
        paths.retain(|path| path.exists());
        paths
    }

    fn entries(&mut self, directory: &Path, pattern: &str) -> Vec<PathBuf> {
        let here = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let Ok(entries) = fs::read_dir(here) else { return Vec::new() };
        let names: Vec<_> = entries.flatten().take(self.entries_left).collect();
        self.entries_left = self.entries_left.saturating_sub(names.len().max(1));
        let names = names.into_iter().map(|entry| entry.file_name());
        let mut names: Vec<_> =
            names.filter(|name| name_matches(pattern, &name.to_string_lossy())).collect();
        names.sort();
        names.into_iter().map(|name| directory.join(name)).collect()
    }

    /// A file itself, or all files in a directory and below, hidden ones too, sorted.
    fn files_below(&mut self, path: PathBuf) -> Vec<PathBuf> {
        let (mut files, mut waiting) = (Vec::new(), vec![(path, 0)]);
        while let Some((path, depth)) = waiting.pop() {
            if !path.is_dir() {
                files.push(path);
            } else if depth < MAX_INCLUDE_DEPTH && files.len() <= MAX_FILES {
                let mut within = self.entries(&path, "*");
                within.extend(self.entries(&path, ".*"));
                within.sort();
                waiting.extend(within.into_iter().rev().map(|path| (path, depth + 1)));
            }
        }
        files
    }

    fn load_one(&mut self, path: PathBuf) -> Result<SourceFile, Unread> {
        let bytes = match self.read(&path) {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(why)) => return Err(Unread { path, why }),
            Err(_) => return Err(Unread { path, why: WhyReported::UnreadableFile }),
        };
        Ok(SourceFile { path, text: text_of(&bytes) })
    }

    /// Where a path may be meant to lead, the likeliest first.
    fn candidates(&self, include: &Include<'_>) -> Vec<PathBuf> {
        let path = include.base.join(include.pattern);
        let usual = self.usual_homes.iter().map(Path::new);
        let mut candidates: Vec<_> = usual.flat_map(|usual| self.in_copy(&path, usual)).collect();
        candidates.push(path.clone());
        candidates.extend(self.in_copy(&path, include.base));
        candidates
    }

    /// Where a path below `original` lies if the tree was copied: beside the first file, or, since
    /// that may stand in a directory `conf`, one above.
    fn in_copy(&self, path: &Path, original: &Path) -> Vec<PathBuf> {
        let Ok(rest) = path.strip_prefix(original) else { return Vec::new() };
        if self.home.starts_with(original) {
            return Vec::new();
        }
        let above = self.home.parent().map(|above| above.join(rest));
        [self.home.join(rest)].into_iter().chain(above).collect()
    }
}

/// Text in UTF-8, in UTF-16 if it is marked so (as shells on Windows write it), or else Latin-1.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => auslese_markup::decode(bytes, Some("windows-1252")).0.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        dir
    }

    fn loaded(dir: &Path, homes: &'static [&'static str], pattern: &str, all: bool) -> Vec<String> {
        let mut disk = DiskFiles::new(&dir.join("main.conf"));
        disk.keep_at(homes);
        let want = if all { Want::FilesBelow } else { Want::Files };
        let include = Include { pattern, base: dir, want };
        let files = disk.load(&include);
        files.into_iter().map(|file| file.map_or_else(|e| format!("{e:?}"), |f| f.text)).collect()
    }

    #[test]
    fn patterns_and_directories() {
        let dir = tree(&["b/2.conf", "b/1.conf", "b/.h.conf", "b/c/3.conf", "d/4.txt"]);
        #[rustfmt::skip]
        let cases = [
            ("b/*.conf",  false, vec!["b/1.conf", "b/2.conf"]),
            ("b",         true,  vec!["b/.h.conf", "b/1.conf", "b/2.conf", "b/c/3.conf"]),
            ("b",         false, vec![]),
            ("?/[0-9].*", false, vec!["b/1.conf", "b/2.conf", "d/4.txt"]),
            ("d/4.txt",   false, vec!["d/4.txt"]),
            ("nothing/*", false, vec![]),
        ];
        for (pattern, all, expected) in cases {
            assert_eq!(loaded(dir.path(), &[], pattern, all), expected, "{pattern}");
        }
    }

    #[test]
    fn a_copied_tree_means_itself() {
        let dir = tree(&["sites/1.conf"]);
        let homes = &["/etc/no-such-server"];
        let found = loaded(dir.path(), homes, "/etc/no-such-server/sites/*.conf", false);
        assert_eq!(found, ["sites/1.conf"]);
    }

    #[test]
    fn marks_of_encodings() {
        assert_eq!(text_of(b"\xff\xfea\0b\0"), "ab");
        assert_eq!(text_of(b"\xef\xbb\xbfab"), "ab");
        assert_eq!(text_of(b"M\xfcller"), "Müller");
    }
}
