//! Formatted documents to files: one for all, or one each.

use super::formats::{ExportFormat, OutputKind};
use super::output::{ExportTarget, OutputFile, OutputFolder};
use super::{ExportReport, Form, Formatted, Task};
use crate::HarvestError;
use auslese_export::{
    DocumentFormat, Frequencies, vertical_registry, write_scope, write_seeds, write_surts,
};
use auslese_model::Origin;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use url::Url;

/// Names within folders.
const VERTICAL: &str = "corpus.vert";
const REGISTRY: &str = "registry";
const CONTENTS: &str = "documents.tsv";
const SEEDS: &str = "seeds.txt";
const SURTS: &str = "surts.txt";
const SCOPE: &str = "scope.cxml";

/// Documents in one folder of those that are split.
const FILES_PER_FOLDER: i64 = 1000;

/// An export under way.
pub(super) struct Writing {
    task: Arc<Task>,
    output: Output,
    bytes: u64,
}

enum Output {
    File(OutputFile),
    /// Vertical text beside its registry.
    Vertical(OutputFolder, BufWriter<File>),
    /// A file for each, and a table of them.
    Split(OutputFolder, BufWriter<File>, DocumentFormat),
    Frequencies(OutputFile, Box<Frequencies>),
    Servers(OutputFolder, BTreeSet<Origin>),
}

impl Writing {
    pub(super) fn begin(task: Arc<Task>, target: &ExportTarget) -> Result<Writing, HarvestError> {
        let output = match (task.format, task.format.output()) {
            (ExportFormat::Documents(format), _) if task.split => {
                let folder = OutputFolder::create(target)?;
                let mut contents = folder.file(CONTENTS)?;
                writeln!(contents, "file\turl\ttitle").map_err(|cause| folder.io(cause))?;
                Output::Split(folder, contents, format)
            }
            (ExportFormat::Documents(_), OutputKind::File) => {
                Output::File(OutputFile::create(target)?)
            }
            (ExportFormat::Documents(_), OutputKind::Folder) => {
                let folder = OutputFolder::create(target)?;
                let file = folder.file(VERTICAL)?;
                Output::Vertical(folder, file)
            }
            (ExportFormat::Frequencies, _) => {
                Output::Frequencies(OutputFile::create(target)?, Box::default())
            }
            (ExportFormat::Heritrix | ExportFormat::Parquet, _) => {
                Output::Servers(OutputFolder::create(target)?, BTreeSet::new())
            }
            (ExportFormat::Archive(_), _) => {
                unreachable!("the archive itself is not written document by document")
            }
        };
        let mut writing = Writing { task, output, bytes: 0 };
        writing.frame(|format, task, out| format.write_head(&task.head, out))?;
        Ok(writing)
    }

    /// Adds a document, and counts it.
    pub(super) fn put(
        &mut self,
        one: Formatted,
        report: &mut ExportReport,
    ) -> Result<(), HarvestError> {
        let Formatted { request, url, title, form, trouble } = one;
        if let Form::LeftOut(why) = form {
            *report.left_out.entry(why).or_default() += 1;
            return Ok(());
        }
        report.documents += 1;
        if let Some(trouble) = trouble {
            *report.troubles.entry(trouble).or_default() += 1;
        }
        match (&mut self.output, form) {
            (Output::Frequencies(_, frequencies), Form::Forms(forms)) => frequencies.add(forms),
            (Output::Servers(_, servers), _) => {
                servers.extend(Url::parse(&url).ok().and_then(|url| Origin::of(&url)));
            }
            (Output::Split(folder, contents, format), Form::Bytes(bytes)) => {
                self.bytes += bytes.len() as u64;
                let number = request.0.div_euclid(FILES_PER_FOLDER);
                let name = format!("{number:04}/d{}.{}", request.0, format.suffix());
                let mut file = folder.file(&name)?;
                let line = writeln!(contents, "{name}\t{}\t{}", in_cell(&url), in_cell(&title));
                let written = file.write_all(&bytes).and_then(|()| file.flush()).and(line);
                written.map_err(|cause| folder.io(cause))?;
            }
            (_, Form::Bytes(bytes)) => self.write(&bytes)?,
            (_, Form::Forms(_) | Form::Address | Form::LeftOut(_)) => {}
        }
        Ok(())
    }

    /// Writes what belongs behind the documents, gives everything its name, and says how much was written.
    pub(super) fn finish(mut self) -> Result<u64, HarvestError> {
        self.frame(|format, _, out| format.write_tail(out))?;
        let head = &self.task.head;
        match self.output {
            Output::File(file) => file.finish()?,
            Output::Vertical(folder, mut file) => {
                file.flush().map_err(|cause| folder.io(cause))?;
                let registry = vertical_registry(head, VERTICAL);
                self.bytes +=
                    in_folder(&folder, REGISTRY, |out| out.write_all(registry.as_bytes()))?;
                folder.finish()?;
            }
            Output::Split(folder, mut contents, _) => {
                contents.flush().map_err(|cause| folder.io(cause))?;
                folder.finish()?;
            }
            Output::Frequencies(mut file, frequencies) => {
                let mut list = Vec::new();
                frequencies.write(&mut list).expect("memory takes everything");
                self.bytes += list.len() as u64;
                file.write(&list)?;
                file.finish()?;
            }
            Output::Servers(folder, servers) => {
                self.bytes += in_folder(&folder, SEEDS, |out| write_seeds(&servers, out))?;
                self.bytes += in_folder(&folder, SURTS, |out| write_surts(&servers, out))?;
                self.bytes += in_folder(&folder, SCOPE, |out| write_scope(SURTS, out))?;
                folder.finish()?;
            }
        }
        Ok(self.bytes)
    }

    /// Writes what stands around all documents, where they are in one file.
    fn frame(
        &mut self,
        write: impl Fn(DocumentFormat, &Task, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), HarvestError> {
        let ExportFormat::Documents(format) = self.task.format else { return Ok(()) };
        if self.task.split {
            return Ok(());
        }
        let mut bytes = Vec::new();
        write(format, &self.task, &mut bytes).expect("memory takes everything");
        self.write(&bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), HarvestError> {
        self.bytes += bytes.len() as u64;
        match &mut self.output {
            Output::File(file) => file.write(bytes),
            Output::Vertical(folder, file) => {
                file.write_all(bytes).map_err(|cause| folder.io(cause))
            }
            Output::Split(..) | Output::Frequencies(..) | Output::Servers(..) => Ok(()),
        }
    }
}

/// Writes a file in a folder, and says how long it is.
fn in_folder(
    folder: &OutputFolder,
    name: &str,
    write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
) -> Result<u64, HarvestError> {
    let mut bytes = Vec::new();
    let mut file = folder.file(name)?;
    let written =
        write(&mut bytes).and_then(|()| file.write_all(&bytes)).and_then(|()| file.flush());
    written.map_err(|cause| folder.io(cause))?;
    Ok(bytes.len() as u64)
}

/// A value in a table set apart by tabs.
fn in_cell(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}
