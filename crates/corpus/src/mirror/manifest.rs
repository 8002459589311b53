//! Remembers what lies in a mirror and what it was made of.
//!
//! A file of JSON lines in the mirror's own folder. While a mirror is brought up to date, lines are
//! appended: one before a file is touched, one when it is done. So after a kill it is known which
//! files are whole and which are not. At the end the lines are written anew, one for each file, in
//! the order of paths; this also serves people, who find the address of each file there.

use super::folder::{Folder, create_new, is_file, remove_if_there};
use super::links::{LINK_MARK_BYTES, LinkMark};
use super::path::is_document_path;
use auslese_model::CaptureId;
use data_encoding::BASE64_NOPAD;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Write};

const FILE: &str = "manifest.jsonl";
const NEXT_FILE: &str = "manifest.next";

/// One file of the mirror.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) request: Option<String>,
    pub(super) capture: CaptureId,
    /// Of the payload in the archive.
    pub(super) digest: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) media_type: Option<String>,
    /// As in the HTTP header: a file has none, so tools may need it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) charset: Option<String>,
    /// Of the file as written, without its algorithm (sha256, half of it).
    pub(super) written: String,
    pub(super) size: u64,
    /// By which rules it was written.
    pub(super) recipe: u32,
    #[serde(with = "packed_marks", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) local_links: Vec<LinkMark>,
    #[serde(with = "packed_marks", default, skip_serializing_if = "Vec::is_empty")]
    pub(super) remote_links: Vec<LinkMark>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
enum Line {
    File(Box<Entry>),
    /// The file is about to be written or removed.
    Begin {
        path: String,
    },
    Removed {
        path: String,
    },
}

#[derive(Debug)]
pub(super) struct Manifest {
    log: File,
    pub(super) entries: BTreeMap<String, Entry>,
    /// Files that were begun and not finished, now or in a run that was killed.
    pub(super) unfinished: BTreeSet<String>,
    /// The file has lines that are no longer true.
    grown: bool,
}

impl Manifest {
    pub(super) fn open(folder: &Folder) -> io::Result<Manifest> {
        let path = folder.own(FILE);
        if fs::symlink_metadata(&path).is_ok() && !is_file(&path) {
            let text = format!("{} is no regular file", path.display());
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        let mut log = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
        let mut entries = BTreeMap::new();
        let mut unfinished = BTreeSet::new();
        let mut grown = false;
        let mut lines = BufReader::new(&mut log);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            grown |= !take(&line, &mut entries, &mut unfinished);
            if line.last() != Some(&b'\n') {
                break;
            }
            line.clear();
        }
        let is_cut = line.last().is_some_and(|last| *last != b'\n');
        if is_cut {
            log.write_all(b"\n")?;
        }
        Ok(Manifest { log, entries, unfinished, grown: grown || is_cut })
    }

    /// To be called before a file is touched.
    pub(super) fn begin(&mut self, path: &str) -> io::Result<()> {
        self.entries.remove(path);
        self.unfinished.insert(path.to_owned());
        self.append(&Line::Begin { path: path.to_owned() })
    }

    pub(super) fn done(&mut self, entry: Entry) -> io::Result<()> {
        self.unfinished.remove(&entry.path);
        self.append(&Line::File(Box::new(entry.clone())))?;
        self.entries.insert(entry.path.clone(), entry);
        Ok(())
    }

    pub(super) fn removed(&mut self, path: &str) -> io::Result<()> {
        self.unfinished.remove(path);
        self.entries.remove(path);
        self.append(&Line::Removed { path: path.to_owned() })
    }

    // One write for each line, so that a kill cannot take back what was said before.
    fn append(&mut self, line: &Line) -> io::Result<()> {
        self.grown = true;
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.log.write_all(&text)
    }

    /// Writes the lines anew if there are more than needed.
    pub(super) fn tidy(&mut self, folder: &Folder) -> io::Result<()> {
        if !self.grown {
            return Ok(());
        }
        let next = folder.own(NEXT_FILE);
        remove_if_there(&next)?;
        let mut file = BufWriter::new(create_new(&next)?);
        let begun = self.unfinished.iter().map(|path| Line::Begin { path: path.clone() });
        for line in
            self.entries.values().map(|entry| Line::File(Box::new(entry.clone()))).chain(begun)
        {
            serde_json::to_writer(&mut file, &line)?;
            file.write_all(b"\n")?;
        }
        file.into_inner()?.sync_all()?;
        fs::rename(&next, folder.own(FILE))?;
        self.log = OpenOptions::new().append(true).open(folder.own(FILE))?;
        self.grown = false;
        Ok(())
    }
}

/// Takes in one line; says whether it is one of those that a tidy file consists of.
fn take(
    line: &[u8],
    entries: &mut BTreeMap<String, Entry>,
    unfinished: &mut BTreeSet<String>,
) -> bool {
    // A damaged line costs a file that is written again. A path that leads elsewhere was not
    // written here, and must not be removed.
    match serde_json::from_slice::<Line>(line) {
        Ok(Line::File(entry)) if is_document_path(&entry.path) => {
            unfinished.remove(&entry.path);
            entries.insert(entry.path.clone(), *entry).is_none()
        }
        Ok(Line::Begin { path }) if is_document_path(&path) => {
            entries.remove(&path);
            unfinished.insert(path);
            false
        }
        Ok(Line::Removed { path }) => {
            entries.remove(&path);
            unfinished.remove(&path);
            false
        }
        _ => false,
    }
}

/// Marks of links as text: six bytes each, in base64.
mod packed_marks {
    use super::{BASE64_NOPAD, LINK_MARK_BYTES, LinkMark};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(marks: &[LinkMark], to: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = marks
            .iter()
            .flat_map(|mark| mark.to_be_bytes().into_iter().skip(8 - LINK_MARK_BYTES))
            .collect();
        to.serialize_str(&BASE64_NOPAD.encode(&bytes))
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<LinkMark>, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = BASE64_NOPAD.decode(text.as_bytes()).map_err(D::Error::custom)?;
        let number = |six: &[u8]| six.iter().fold(0, |mark, byte| mark << 8 | u64::from(*byte));
        Ok(bytes.chunks_exact(LINK_MARK_BYTES).map(number).collect())
    }
}
