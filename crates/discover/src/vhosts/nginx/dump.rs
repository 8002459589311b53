//! What `nginx -T` prints: every file that was read, each below a line that names it.
//!
//! So a dump is a tree too. Its includes are answered from the dump itself, never from the disk of
//! this machine, and within the limits that hold for files on a disk.

use super::super::files::{Include, Loaded, SourceFile, Unread};
use super::super::glob::{is_pattern, path_matches};
use super::super::report::{Findings, WhyReported};
use super::super::{MAX_BYTES, MAX_FILES};
use super::read_config;
use std::path::PathBuf;

pub(crate) fn read_dump(source: &SourceFile, findings: &mut Findings) {
    let mut dump = Dump::new(&source.text);
    let Some(main) = dump.files.first().cloned() else { return };
    dump.reached[0] = true;
    read_config(&main, &mut |include| dump.load(include), findings);
    // What no include led to, because the dump was pasted together, stands for itself.
    for file in dump.unreached() {
        read_config(file, &mut |_| Vec::new(), findings);
    }
}

struct Dump {
    files: Vec<SourceFile>,
    /// Whether an include led to the file.
    reached: Vec<bool>,
    /// Files and bytes that were given for includes.
    given: usize,
    bytes: u64,
    /// How many more names may be compared with a pattern.
    comparisons_left: usize,
}

/// Most comparisons of names with patterns for one dump.
const MAX_COMPARISONS: usize = 10_000_000;

impl Dump {
    /// Takes a dump apart at its lines `# configuration file /etc/nginx/nginx.conf:`.
    fn new(text: &str) -> Dump {
        let mut files: Vec<SourceFile> = Vec::new();
        for line in text.split_inclusive('\n') {
            let marked = line.trim_end().strip_prefix("# configuration file ");
            let path = marked.and_then(|path| path.strip_suffix(':'));
            if let Some(path) = path.filter(|_| files.len() < MAX_FILES) {
                files.push(SourceFile { path: PathBuf::from(path), text: String::new() });
            } else if let Some(file) = files.last_mut() {
                file.text.push_str(line);
            }
        }
        let reached = vec![false; files.len()];
        Dump { files, reached, given: 0, bytes: 0, comparisons_left: MAX_COMPARISONS }
    }

    fn load(&mut self, include: &Include<'_>) -> Loaded {
        let wanted = include.base.join(include.pattern);
        let left = self.comparisons_left.checked_sub(self.files.len());
        let Some(left) = left.filter(|_| self.given < MAX_FILES) else {
            return vec![Err(Unread { path: wanted, why: WhyReported::TooManyFiles })];
        };
        self.comparisons_left = left;
        let wanted = wanted.to_string_lossy();
        let pattern = is_pattern(&wanted);
        let mut loaded = Loaded::new();
        for at in 0..self.files.len() {
            let name = self.files[at].name();
            if name == wanted || pattern && path_matches(&wanted, &name) {
                loaded.push(self.give(at));
            }
            if matches!(loaded.last(), Some(Err(_))) {
                break;
            }
        }
        loaded
    }

    fn give(&mut self, at: usize) -> Result<SourceFile, Unread> {
        let file = &self.files[at];
        let bytes = self.bytes + file.text.len() as u64;
        let why = match (self.given >= MAX_FILES, bytes > MAX_BYTES) {
            (true, _) => Some(WhyReported::TooManyFiles),
            (false, true) => Some(WhyReported::TooManyBytes),
            (false, false) => None,
        };
        if let Some(why) = why {
            return Err(Unread { path: file.path.clone(), why });
        }
        (self.given, self.bytes) = (self.given + 1, bytes);
        self.reached[at] = true;
        Ok(file.clone())
    }

    fn unreached(&self) -> impl Iterator<Item = &SourceFile> {
        let files = self.files.iter().zip(&self.reached);
        files.filter(|(_, reached)| !**reached).map(|(file, _)| file)
    }
}
