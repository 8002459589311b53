//! Selections of documents, and how they are kept under a name.

use auslese_search::{DocumentsRequest, Facet, FacetFilter};
use auslese_vocabulary::ShortName;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::{fs, io};
use thiserror::Error;

/// Which documents are read. Kept as JSON in the folder `subcorpora` of a harvest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Selection {
    /// A search query.
    pub query: Option<String>,
    pub filters: Vec<FacetFilter>,
}

#[derive(Debug, Error)]
pub enum SelectionError {
    #[error("{name:?} cannot be the name of a selection")]
    Name { name: String },
    #[error("there is no selection {name}")]
    Missing { name: String },
    #[error("cannot read {}", file.display())]
    Read {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("cannot write {}", file.display())]
    Write {
        file: PathBuf,
        #[source]
        cause: io::Error,
    },
    #[error("{} is no selection", file.display())]
    Damaged {
        file: PathBuf,
        #[source]
        cause: serde_json::Error,
    },
}

const FOLDER: &str = "subcorpora";
const ENDING: &str = ".json";

impl Selection {
    /// Narrows it by a further query.
    pub fn narrow(&mut self, further: &str) {
        self.query = Some(match self.query.take() {
            Some(kept) => format!("({kept}) AND ({further})"),
            None => further.to_owned(),
        });
    }

    /// Leaves out what the corpus left out, unless the selection speaks of that itself. A foreign collection has no
    /// corpus within it; its documents are all there is.
    pub fn within_corpus(&mut self) {
        if !self.filters.iter().any(|filter| filter.facet == Facet::Kept) {
            let values = vec!["left".to_owned()];
            self.filters.push(FacetFilter { facet: Facet::Kept, values, exclude: true });
        }
    }

    pub fn request(&self) -> DocumentsRequest {
        DocumentsRequest {
            query: self.query.clone(),
            filters: self.filters.clone(),
            ..DocumentsRequest::default()
        }
    }

    pub fn save(&self, dir: &Path, name: &str) -> Result<(), SelectionError> {
        let file = file(dir, name)?;
        let cannot_write = |cause| SelectionError::Write { file: file.clone(), cause };
        let text = serde_json::to_string_pretty(self).map_err(|it| cannot_write(it.into()))? + "\n";
        fs::create_dir_all(dir.join(FOLDER)).map_err(cannot_write)?;
        let draft = file.with_extension("draft");
        fs::write(&draft, text).and_then(|()| fs::rename(&draft, &file)).map_err(cannot_write)
    }

    pub fn load(dir: &Path, name: &str) -> Result<Selection, SelectionError> {
        let file = file(dir, name)?;
        if !file.is_file() {
            return Err(SelectionError::Missing { name: name.to_owned() });
        }
        match fs::read_to_string(&file) {
            Ok(text) => {
                serde_json::from_str(&text).map_err(|cause| SelectionError::Damaged { file, cause })
            }
            Err(cause) => Err(SelectionError::Read { file, cause }),
        }
    }

    /// All selections that were kept in a harvest, by name.
    pub fn all(dir: &Path) -> Result<Vec<(String, Selection)>, SelectionError> {
        let mut found = Vec::new();
        for entry in fs::read_dir(dir.join(FOLDER)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if let Some(name) = name.strip_suffix(ENDING) {
                found.push((name.to_owned(), Selection::load(dir, name)?));
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(found)
    }

    /// In words.
    pub fn told(&self) -> String {
        let filters = self.filters.iter().map(|filter| {
            let sign = if filter.exclude { "≠" } else { "=" };
            format!("{}{sign}{}", filter.facet.name(), filter.values.join("|"))
        });
        self.query.iter().cloned().chain(filters).collect::<Vec<_>>().join(", ")
    }
}

/// The name is checked, since it becomes that of a file.
fn file(dir: &Path, name: &str) -> Result<PathBuf, SelectionError> {
    let name =
        ShortName::new(name).ok_or_else(|| SelectionError::Name { name: name.to_owned() })?;
    Ok(dir.join(FOLDER).join(format!("{name}{ENDING}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_and_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let mut selection = Selection { query: Some("a OR b".into()), ..Selection::default() };
        selection.narrow("c");
        selection.within_corpus();
        selection.save(dir.path(), "main").unwrap();
        assert_eq!(Selection::all(dir.path()).unwrap(), [("main".to_owned(), selection.clone())]);
        assert_eq!(selection.told(), "(a OR b) AND (c), kept≠left");
    }

    #[test]
    fn names_cannot_lead_elsewhere() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["../x", "a/b", "", ".hidden"] {
            let error = Selection::load(dir.path(), name).unwrap_err();
            assert!(matches!(error, SelectionError::Name { .. }), "{name}: {error}");
        }
        let error = Selection::load(dir.path(), "none").unwrap_err();
        assert!(matches!(error, SelectionError::Missing { .. }));
    }
}
