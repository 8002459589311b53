//! Selections of documents, and how they are kept under a name.

use super::SelectionArgs;
use crate::messages::Failure;
use crate::output;
use anyhow::Context;
use auslese_search::{DocumentsRequest, Facet, FacetFilter};
use auslese_vocabulary::ShortName;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Which documents are read. Kept as JSON in the folder `subcorpora` of a harvest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Selection {
    /// A search query.
    pub(super) query: Option<String>,
    pub(super) filters: Vec<FacetFilter>,
}

const FOLDER: &str = "subcorpora";
const ENDING: &str = ".json";

impl Selection {
    /// What the command line selects, within one that was kept.
    pub(super) fn of(args: &SelectionArgs, dir: &Path) -> Result<Selection, Failure> {
        let mut selection = match &args.subcorpus {
            Some(name) => Selection::load(dir, name)?,
            None => Selection::default(),
        };
        selection.query = match (selection.query.take(), args.filter.clone()) {
            (Some(kept), Some(further)) => Some(format!("({kept}) AND ({further})")),
            (kept, further) => kept.or(further),
        };
        for (chosen, exclude) in [(&args.only, false), (&args.without, true)] {
            for (facet, value) in chosen {
                let values = vec![value.clone()];
                selection.filters.push(FacetFilter { facet: *facet, values, exclude });
            }
        }
        let names_kept = selection.filters.iter().any(|filter| filter.facet == Facet::Kept);
        // A foreign collection has no corpus within it; its documents are all there is.
        if !args.all && !names_kept && args.subcorpus.is_none() {
            let values = vec!["left".to_owned()];
            selection.filters.push(FacetFilter { facet: Facet::Kept, values, exclude: true });
        }
        Ok(selection)
    }

    pub(super) fn request(&self) -> DocumentsRequest {
        DocumentsRequest {
            query: self.query.clone(),
            filters: self.filters.clone(),
            ..DocumentsRequest::default()
        }
    }

    pub(super) fn save(&self, dir: &Path, name: &str) -> Result<(), Failure> {
        let file = file(dir, name)?;
        let text = serde_json::to_string_pretty(self)? + "\n";
        let folder = dir.join(FOLDER);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let draft = file.with_extension("draft");
        fs::write(&draft, text)
            .and_then(|()| fs::rename(&draft, &file))
            .with_context(|| format!("cannot write {}", file.display()))?;
        Ok(())
    }

    fn load(dir: &Path, name: &str) -> Result<Selection, Failure> {
        let file = file(dir, name)?;
        if !file.is_file() {
            return Err(Failure::usage(format!("there is no selection {name}"))
                .hint("`auslese kwic --list-subcorpora` names them; --save-as keeps one"));
        }
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(serde_json::from_str(&text)
            .with_context(|| format!("{} is no selection", file.display()))?)
    }

    /// In words.
    fn told(&self) -> String {
        let filters = self.filters.iter().map(|filter| {
            let sign = if filter.exclude { "≠" } else { "=" };
            format!("{}{sign}{}", filter.facet.name(), filter.values.join("|"))
        });
        self.query.iter().cloned().chain(filters).collect::<Vec<_>>().join(", ")
    }
}

/// The name is checked, since it becomes that of a file.
fn file(dir: &Path, name: &str) -> Result<PathBuf, Failure> {
    let name = ShortName::new(name).ok_or_else(|| {
        Failure::usage(format!("{name:?} cannot be the name of a selection"))
            .hint("small letters, digits, `-`, `_` and `.`, beginning with a letter or digit")
    })?;
    Ok(dir.join(FOLDER).join(format!("{name}{ENDING}")))
}

/// All selections that were kept.
pub(super) fn listing(dir: &Path) -> Result<String, Failure> {
    let mut rows = Vec::new();
    for entry in fs::read_dir(dir.join(FOLDER)).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(name) = name.strip_suffix(ENDING) {
            rows.push(vec![name.to_owned(), Selection::load(dir, name)?.told()]);
        }
    }
    rows.sort();
    Ok(match rows.is_empty() {
        true => "no selection was kept yet\n".to_owned(),
        false => output::table(&rows),
    })
}
