//! Brings a file into the folder `archive`: copied or linked as it is, or written anew.
//!
//! A file is written anew if its records cannot be reached one by one, if it is ARC, or if it holds
//! records that were removed from this harvest. The new name then ends in the first digits of the
//! source's digest, so that the same source is recognised. A name appears in the folder only when
//! its file is complete.

use super::surveying::Survey;
use super::{Entering, ImportJob, ImportedFile};
use crate::HarvestError;
use crate::directory::HarvestDir;
use crate::removing::Removed;
use auslese_archive::{
    ArchiveError, Fate, Form, Reader, Rewritten, convert_arc, file_digest, is_arc, rewrite,
};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file that lies in the folder `archive`.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) survey: std::sync::Arc<Survey>,
    /// Whether it was put there just now.
    new: bool,
}

/// What a file's name ends in until it is complete.
const UNFINISHED: &str = ".importing";
/// Digits of the digest in a new name.
const NAME_DIGITS: usize = 12;
/// Characters of a name that are kept.
const NAME_LENGTH: usize = 100;

/// Takes away what an interrupted import left unfinished.
pub(super) fn clear_drafts(dir: &HarvestDir) -> Result<(), HarvestError> {
    let path = dir.archive();
    let cannot = |cause| HarvestError::Io { path: path.clone(), cause };
    for entry in fs::read_dir(&path).map_err(cannot)?.flatten() {
        if entry.file_name().to_string_lossy().ends_with(UNFINISHED) {
            fs::remove_file(entry.path()).map_err(cannot)?;
        }
    }
    Ok(())
}

/// Puts a file where the other stages find it; none if it cannot be taken over.
pub(super) fn place(
    placing: &Placing<'_>,
    known: &HashSet<String>,
    imported: &mut ImportedFile,
) -> Result<Option<Placed>, HarvestError> {
    match placing.place(known, imported) {
        Ok(placed) => {
            imported.stored_as = placed.as_ref().map(|placed| placed.name.clone());
            Ok(placed)
        }
        // What is wrong with one file keeps no other from being taken over.
        Err(HarvestError::Archive(error)) if !error.can_wait() => {
            imported.failure = Some(crate::error::chain(&error));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// A file that is to be placed.
pub(super) struct Placing<'a> {
    pub(super) source: &'a Path,
    /// The folder it goes to.
    pub(super) archive: PathBuf,
    /// Whether it is linked instead of copied, where the disk allows it.
    pub(super) link: bool,
    pub(super) job: &'a ImportJob,
    pub(super) removed: &'a Removed,
}

impl Placing<'_> {
    fn place(
        &self,
        known: &HashSet<String>,
        imported: &mut ImportedFile,
    ) -> Result<Option<Placed>, HarvestError> {
        if self.source.extension().is_some_and(|end| end == "open") {
            imported.failure = Some("the file is still being written".to_owned());
            return Ok(None);
        }
        if is_arc(self.source)? {
            return self.convert(imported).map(Some);
        }
        if !is_warc(self.source)? {
            imported.failure = Some("this is neither a WARC nor an ARC file".to_owned());
            return Ok(None);
        }
        if let Some(name) = self.name_here().filter(|name| known.contains(name)) {
            return self.placed(name, false, imported).map(Some);
        }
        let survey = Survey::of(self.source, self.removed)?;
        imported.removed = survey.removed;
        let reason = match (survey.shared, survey.removed) {
            (true, _) => Some("its records shared their compression"),
            (false, 1..) => Some("it holds documents that were removed from this harvest"),
            (false, 0) => None,
        };
        if let Some(reason) = reason {
            imported.rewritten = Some(reason.to_owned());
            return self.write_anew(&survey, imported).map(Some);
        }
        let (name, new) = match self.name_here() {
            Some(name) => (name, false),
            None => self.bring(known)?,
        };
        let path = self.archive.join(&name);
        Ok(Some(Placed { name, path, survey: survey.into(), new }))
    }

    /// The name of a file that lies in the folder already.
    fn name_here(&self) -> Option<String> {
        let folder = self.source.canonicalize().ok()?.parent()?.to_owned();
        let here = folder == self.archive.canonicalize().ok()?;
        here.then(|| self.source.file_name()?.to_str().map(str::to_owned))?
    }

    /// Copies or links the file under its own name, or one with its digest if that is taken, here or in
    /// the store. The same bytes under the same name are the same file.
    fn bring(&self, known: &HashSet<String>) -> Result<(String, bool), HarvestError> {
        let compressed = starts_with(self.source, &[0x1f, 0x8b])?;
        let ending = if compressed { ".warc.gz" } else { ".warc" };
        let stem = stem(self.source);
        let digest = || self.digest();
        let mut name = format!("{stem}{ending}");
        let is_elsewhere = known.contains(&name) && !self.archive.join(&name).exists();
        if is_elsewhere || (self.archive.join(&name).exists() && !self.is_same(&name)?) {
            name = format!("{stem}-{}{ending}", digest()?);
        }
        if self.archive.join(&name).exists() {
            return Ok((name, false));
        }
        let target = self.archive.join(&name);
        if !(self.link && fs::hard_link(self.source, &target).is_ok()) {
            let draft = self.draft(&name);
            fs::copy(self.source, &draft).map_err(self.cannot_write(&draft))?;
            let synced = File::open(&draft).and_then(|file| file.sync_all());
            synced.map_err(self.cannot_write(&draft))?;
            fs::rename(&draft, &target).map_err(self.cannot_write(&target))?;
        }
        Ok((name, true))
    }

    fn convert(&self, imported: &mut ImportedFile) -> Result<Placed, HarvestError> {
        imported.rewritten = Some("ARC is stored as WARC".to_owned());
        let name = format!("{}-{}.warc.gz", stem(self.source), self.digest()?);
        let new = !self.archive.join(&name).exists();
        if new {
            let (draft, settings) = (self.draft(&name), &self.job.archive);
            let converted = convert_arc(self.source, &draft, settings)?;
            let (placed, survey) = if self.removed.is_empty() {
                (converted, None)
            } else {
                // What was removed must not come back by another way.
                let survey = Survey::of(&draft, self.removed)?;
                imported.removed = survey.removed;
                (converted, Some(survey))
            };
            note_damages(&placed, imported);
            if survey.is_some_and(|survey| survey.removed > 0) {
                let clean = self.draft(&format!("{name}.clean"));
                self.without_removed(&draft, &clean, Form::AsStored)?;
                fs::rename(&clean, &draft).map_err(self.cannot_write(&draft))?;
            }
            let target = self.archive.join(&name);
            fs::rename(&draft, &target).map_err(self.cannot_write(&target))?;
        }
        self.placed(name, new, imported)
    }

    fn write_anew(
        &self,
        survey: &Survey,
        imported: &mut ImportedFile,
    ) -> Result<Placed, HarvestError> {
        let form = if survey.shared { Form::OwnMembers } else { Form::AsStored };
        let compressed = starts_with(self.source, &[0x1f, 0x8b])?;
        let ending = if compressed || survey.shared { ".warc.gz" } else { ".warc" };
        let name = format!("{}-{}{ending}", stem(self.source), self.digest()?);
        let new = !self.archive.join(&name).exists();
        if new {
            let draft = self.draft(&name);
            self.without_removed(self.source, &draft, form)?;
            let target = self.archive.join(&name);
            fs::rename(&draft, &target).map_err(self.cannot_write(&target))?;
        }
        imported.damage_count += survey.damage_count;
        imported.damages.extend(survey.damages.iter().cloned());
        self.placed(name, new, imported)
    }

    fn without_removed(
        &self,
        source: &Path,
        target: &Path,
        form: Form,
    ) -> Result<Rewritten, HarvestError> {
        let mut decide = |record: &auslese_archive::Record| -> Result<Fate, ArchiveError> {
            Ok(if self.removed.holds(record) { Fate::Drop } else { Fate::Keep })
        };
        Ok(rewrite(source, None, target, form, &self.job.archive, &mut decide)?)
    }

    fn placed(
        &self,
        name: String,
        new: bool,
        imported: &mut ImportedFile,
    ) -> Result<Placed, HarvestError> {
        let path = self.archive.join(&name);
        let survey = Survey::of(&path, self.removed)?;
        imported.removed += survey.removed;
        Ok(Placed { name, path, survey: survey.into(), new })
    }

    fn draft(&self, name: &str) -> PathBuf {
        self.archive.join(format!("{name}{UNFINISHED}"))
    }

    fn digest(&self) -> Result<String, HarvestError> {
        let digest = file_digest(self.source)?;
        Ok(digest.chars().take(NAME_DIGITS).collect())
    }

    /// Whether a file of the folder holds the same bytes.
    fn is_same(&self, name: &str) -> Result<bool, HarvestError> {
        let path = self.archive.join(name);
        let length = |path: &Path| fs::metadata(path).map(|metadata| metadata.len()).ok();
        Ok(length(&path) == length(self.source) && file_digest(&path)? == file_digest(self.source)?)
    }

    fn cannot_write(&self, path: &Path) -> impl FnOnce(io::Error) -> HarvestError {
        let path = path.to_owned();
        move |cause| HarvestError::Io { path, cause }
    }
}

impl Placed {
    /// How many records are read in both phases.
    pub(super) fn work(&self) -> u64 {
        let twice = self.survey.revisits > 0;
        self.survey.records * if twice { 2 } else { 1 }
    }

    /// Takes a copy away again that holds nothing the harvest did not have.
    pub(super) fn drop_if_useless(
        &self,
        entering: &Entering<'_>,
        imported: &mut ImportedFile,
    ) -> Result<(), HarvestError> {
        if self.new && !entering.uses(&self.name) {
            imported.stored_as = None;
            fs::remove_file(&self.path)
                .map_err(|cause| HarvestError::Io { path: self.path.clone(), cause })?;
        }
        Ok(())
    }
}

fn note_damages(rewritten: &Rewritten, imported: &mut ImportedFile) {
    imported.damage_count += rewritten.damage_count;
    imported.damages.extend(rewritten.damages.iter().cloned());
}

/// A name without its endings that can stand in any folder and in any table.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut stem = name.as_str();
    for ending in [".gz", ".warc", ".arc"] {
        stem = stem.strip_suffix(ending).unwrap_or(stem);
    }
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let stem: String = stem.chars().map(safe).take(NAME_LENGTH).collect();
    match stem.trim_start_matches('.') {
        "" => "imported".to_owned(),
        stem => stem.to_owned(),
    }
}

/// Whether a file begins with a record, compressed or not, or has one anywhere.
fn is_warc(path: &Path) -> Result<bool, HarvestError> {
    let mut reader = Reader::open(path)?;
    loop {
        match reader.next_record() {
            Ok(record) => return Ok(record.is_some()),
            Err(ArchiveError::Damaged { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn starts_with(path: &Path, magic: &[u8]) -> Result<bool, HarvestError> {
    let mut first = vec![0; magic.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    Ok(read.is_ok() && first == magic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        #[rustfmt::skip]
        let cases = [
            ("/a/b/IAH-2001.arc.gz",     "IAH-2001"),
            ("crawl.warc.gz",            "crawl"),
            ("crawl.warc",               "crawl"),
            ("../..hidden.warc",         "hidden"),
            ("größe & co.warc.gz",       "gr__e___co"),
            (".warc",                    "imported"),
            ("rec-20260101.warc.gz.gz",  "rec-20260101.warc.gz"),
        ];
        for (path, expected) in cases {
            assert_eq!(stem(Path::new(path)), expected, "{path}");
        }
    }
}
