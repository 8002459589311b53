//! Cuts the records that are needed out of an archive file, with those that accompany them.

use super::choosing::BETWEEN;
use crate::HarvestError;
use crate::importing::concurrent;
use auslese_archive::{
    ArchiveError, ArchiveSettings, Fate, Form, Holdings, Reader, Record, rewrite_bytes,
};
use auslese_model::WarcProgress;
use rustc_hash::{FxHashSet, FxHasher};
use std::fs::File;
use std::hash::Hasher;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The places that were chosen, file by file.
#[derive(Debug)]
pub(super) struct Chosen {
    lines: BufReader<File>,
    path: PathBuf,
    /// The first place of the next file.
    ahead: Option<(String, u64)>,
}

impl Chosen {
    pub(super) fn new(lines: BufReader<File>, path: &Path) -> Chosen {
        Chosen { lines, path: path.to_owned(), ahead: None }
    }

    /// The next file, and the offsets of its records in their order.
    pub(super) fn next_file(&mut self) -> Result<Option<(String, Vec<u64>)>, HarvestError> {
        let Some((file, offset)) =
            self.ahead.take().map_or_else(|| self.next(), |it| Ok(Some(it)))?
        else {
            return Ok(None);
        };
        let mut offsets = vec![offset];
        while let Some((next, offset)) = self.next()? {
            if next != file {
                self.ahead = Some((next, offset));
                break;
            }
            offsets.push(offset);
        }
        Ok(Some((file, offsets)))
    }

    fn next(&mut self) -> Result<Option<(String, u64)>, HarvestError> {
        let mut line = String::new();
        let cannot = |cause| HarvestError::Io { path: self.path.clone(), cause };
        self.lines.read_line(&mut line).map_err(cannot)?;
        let place = line.trim_end().rsplit_once(BETWEEN);
        Ok(place.and_then(|(file, offset)| Some((file.to_owned(), offset.parse().ok()?))))
    }
}

/// A file with a part of another one.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) length: u64,
    pub(super) damages: Vec<String>,
    pub(super) damage_count: u64,
}

/// Writes the records at these offsets to a file of their own, with the requests and notes that belong to them and the
/// descriptions of the file they come from.
pub(super) fn cut_out(
    archive: &Holdings,
    file: &WarcProgress,
    offsets: &[u64],
    settings: &ArchiveSettings,
    work: &Path,
) -> Result<Part, HarvestError> {
    let together = Together::of(archive, file, offsets)?;
    let name = part_name(&file.file);
    let mut decide = |record: &Record| -> Result<Fate, ArchiveError> {
        let is_wanted = record.kind() == "warcinfo"
            || offsets.binary_search(&record.offset).is_ok()
            || together.holds(record);
        Ok(if is_wanted { Fate::Keep } else { Fate::Drop })
    };
    let (bytes, source) = archive.committed(file)?;
    let target = work.join(&name);
    let form = Form::AsStored;
    let done = rewrite_bytes(&source, &bytes, &target, form, settings, &mut decide)?;
    let (damages, damage_count) = (done.damages, done.damage_count);
    Ok(Part { name, length: done.length, damages, damage_count })
}

/// `a.warc.gz` becomes `a-part.warc.gz`: it is another file than the one of that name.
fn part_name(name: &str) -> String {
    for ending in [".warc.gz", ".warc"] {
        if let Some(stem) = name.strip_suffix(ending) {
            return format!("{stem}-part{ending}");
        }
    }
    format!("{name}-part")
}

/// The identities of chosen records and of those they name as their companions.
struct Together(FxHashSet<u64>);

impl Together {
    fn of(
        archive: &Holdings,
        file: &WarcProgress,
        offsets: &[u64],
    ) -> Result<Together, HarvestError> {
        let (bytes, path) = archive.committed(file)?;
        let mut reader = Reader::new(&path, bytes, 0)?;
        let mut together = FxHashSet::default();
        loop {
            match reader.next_record() {
                Ok(None) => return Ok(Together(together)),
                Ok(Some(record)) if offsets.binary_search(&record.offset).is_ok() => {
                    together.extend(record.id().into_iter().chain(concurrent(&record)).map(number));
                }
                // What is damaged is told when it is copied.
                Ok(Some(_)) | Err(ArchiveError::Damaged { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn holds(&self, record: &Record) -> bool {
        let about = matches!(record.kind(), "metadata" | "conversion")
            .then(|| record.fields.get("WARC-Refers-To"))
            .flatten()
            .map(|id| id.trim().trim_matches(['<', '>']));
        let mut ids = record.id().into_iter().chain(concurrent(record)).chain(about);
        ids.any(|id| self.0.contains(&number(id)))
    }
}

/// An identity in eight bytes. Should two ever agree, a record too many is given away.
fn number(id: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(id.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_file_by_file() {
        let dir = std::env::temp_dir();
        let path = dir.join(format!("auslese-places-{}", std::process::id()));
        std::fs::write(&path, "a.warc\t0001\na.warc\t0020\nb c.warc\t0003\n").unwrap();
        let mut chosen = Chosen::new(BufReader::new(File::open(&path).unwrap()), &path);
        let mut files = Vec::new();
        while let Some(file) = chosen.next_file().unwrap() {
            files.push(file);
        }
        std::fs::remove_file(&path).unwrap();
        assert_eq!(files, [("a.warc".to_owned(), vec![1, 20]), ("b c.warc".to_owned(), vec![3])]);
    }

    #[test]
    fn names_of_parts() {
        assert_eq!(part_name("a.warc.gz"), "a-part.warc.gz");
        assert_eq!(part_name("a.b.warc"), "a.b-part.warc");
    }
}
