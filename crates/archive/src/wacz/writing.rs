//! Puts a package together, file by file.

use super::zip::{Method, ZipWriter};
use super::zip_num::ZipNum;
use super::{
    ARCHIVE, DESCRIPTION, DESCRIPTION_DIGEST, EXTRA_PAGES, INDEX, INDEX_OF_INDEX, PAGES, PageList,
    VERSION,
};
use crate::cdxj::{CdxjIndex, Indexed};
use crate::error::ArchiveError;
use auslese_model::Timestamp;
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What the description says of the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaczHead {
    pub title: String,
    pub description: String,
    pub software: String,
    pub created: Timestamp,
    /// Address and time of the page to begin with.
    pub main_page: Option<(String, String)>,
}

/// A package that was written.
#[derive(Debug)]
pub struct WaczWritten {
    pub file: File,
    pub length: u64,
    pub warcs: u64,
    pub indexed: Indexed,
}

/// A package that grows: first the WARC files, one by one, then all the rest.
#[derive(Debug)]
pub struct WaczWriter {
    zip: ZipWriter,
    path: PathBuf,
    spill_dir: PathBuf,
    index: CdxjIndex,
    resources: Vec<Resource>,
}

/// A file of the package as the description names it.
#[derive(Debug, Serialize)]
struct Resource {
    name: String,
    path: String,
    hash: String,
    bytes: u64,
}

impl WaczWriter {
    /// Writes to an empty file; `path` is for messages.
    pub fn new(file: File, path: &Path, spill_dir: &Path, at: Timestamp) -> WaczWriter {
        WaczWriter {
            zip: ZipWriter::new(file, at),
            path: path.to_owned(),
            spill_dir: spill_dir.to_owned(),
            index: CdxjIndex::new(spill_dir),
            resources: Vec::new(),
        }
    }

    /// Takes in a WARC file under a name without folders, and indexes it. It is read twice.
    pub fn add_warc<R: Read + Seek>(
        &mut self,
        name: &str,
        mut file: R,
        length: u64,
    ) -> Result<(), ArchiveError> {
        file.seek(SeekFrom::Start(0)).map_err(ArchiveError::io(name))?;
        self.put(&format!("{ARCHIVE}{name}"), Method::Stored, &mut file, length)?;
        self.index.add(name, Path::new(name), file)
    }

    /// Writes index, pages and description. The file is whole when this returns.
    pub fn finish(
        mut self,
        head: &WaczHead,
        pages: PageList,
        extra_pages: PageList,
    ) -> Result<WaczWritten, ArchiveError> {
        let warcs = self.resources.len() as u64;
        let indexed = self.put_index()?;
        self.put_pages(PAGES, "pages", "Start pages", pages)?;
        if extra_pages.count() > 0 {
            self.put_pages(EXTRA_PAGES, "extra-pages", "Further pages", extra_pages)?;
        }
        let description = self.description(head);
        let digest = self.put_small(DESCRIPTION, &description)?;
        let digest = serde_json::json!({ "path": DESCRIPTION, "hash": format!("sha256:{digest}") });
        self.put_small(DESCRIPTION_DIGEST, digest.to_string().as_bytes())?;
        let WaczWriter { zip, path, .. } = self;
        let (file, length) = zip.finish().map_err(ArchiveError::io(&path))?;
        Ok(WaczWritten { file, length, warcs, indexed })
    }

    fn put_index(&mut self) -> Result<Indexed, ArchiveError> {
        let spill = self.spill_dir.clone();
        let io = |cause| ArchiveError::io(&spill)(cause);
        let temporary = || tempfile::tempfile_in(&spill).map(BufWriter::new);
        let (data, index) = (temporary().map_err(io)?, temporary().map_err(io)?);
        let name = INDEX.rsplit('/').next().unwrap_or(INDEX);
        let mut zip_num = ZipNum::new(data, index, name).map_err(io)?;
        let lines = std::mem::replace(&mut self.index, CdxjIndex::new(&spill));
        let indexed = lines.write(&mut zip_num)?;
        let (data, index) = zip_num.finish().map_err(io)?;
        for (name, method, file) in
            [(INDEX, Method::Stored, data), (INDEX_OF_INDEX, Method::Deflated, index)]
        {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error);
            let (mut file, length) = file.and_then(rewound).map_err(io)?;
            self.put(name, method, &mut file, length)?;
        }
        Ok(indexed)
    }

    fn put_pages(
        &mut self,
        path: &str,
        id: &str,
        title: &str,
        pages: PageList,
    ) -> Result<(), ArchiveError> {
        let bytes = pages.into_bytes(id, title).map_err(ArchiveError::io(&self.spill_dir));
        let (mut bytes, length) = bytes?;
        self.put(path, Method::Deflated, &mut bytes, length)
    }

    /// Puts a file that the description will name.
    fn put(
        &mut self,
        path: &str,
        method: Method,
        bytes: &mut dyn Read,
        length: u64,
    ) -> Result<(), ArchiveError> {
        let put = self.zip.put(path, method, bytes, length);
        let put = put.map_err(ArchiveError::io(&self.path))?;
        self.resources.push(Resource {
            // Names are words in lower case, and unique; paths are.
            name: path.to_lowercase().replace(|c: char| !is_name_char(c), "-"),
            path: path.to_owned(),
            hash: format!("sha256:{}", put.sha256),
            bytes: put.size,
        });
        Ok(())
    }

    /// Puts a file that the description does not name, and gives its digest.
    fn put_small(&mut self, name: &str, mut bytes: &[u8]) -> Result<String, ArchiveError> {
        let length = bytes.len() as u64;
        let put = self.zip.put(name, Method::Deflated, &mut bytes, length);
        Ok(put.map_err(ArchiveError::io(&self.path))?.sha256)
    }

    fn description(&self, head: &WaczHead) -> Vec<u8> {
        let created = head.created.to_second_text();
        let mut description = serde_json::json!({
            "profile": "data-package",
            "wacz_version": VERSION,
            "title": head.title,
            "description": head.description,
            "software": head.software,
            "created": created,
            "modified": created,
            "resources": self.resources,
        });
        if let Some((url, at)) = &head.main_page {
            description["mainPageUrl"] = url.as_str().into();
            description["mainPageDate"] = at.as_str().into();
        }
        serde_json::to_vec_pretty(&description).expect("a value of ours")
    }
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | '/')
}

fn rewound(mut file: File) -> io::Result<(File, u64)> {
    let length = file.metadata()?.len();
    file.rewind()?;
    Ok((file, length))
}
