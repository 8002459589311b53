//! Which documents the command line selects.

use super::SelectionArgs;
use crate::messages::Failure;
use crate::output;
use auslese_inquiry::{Selection, SelectionError};
use auslese_search::FacetFilter;
use std::path::Path;

/// What the command line selects, within a selection that was kept.
pub(super) fn selection(args: &SelectionArgs, dir: &Path) -> Result<Selection, Failure> {
    let mut selection = match &args.subcorpus {
        Some(name) => Selection::load(dir, name).map_err(failure)?,
        None => Selection::default(),
    };
    if let Some(further) = &args.filter {
        selection.narrow(further);
    }
    for (chosen, exclude) in [(&args.only, false), (&args.without, true)] {
        for (facet, value) in chosen {
            let values = vec![value.clone()];
            selection.filters.push(FacetFilter { facet: *facet, values, exclude });
        }
    }
    if !args.all && args.subcorpus.is_none() {
        selection.within_corpus();
    }
    Ok(selection)
}

/// All selections that were kept.
pub(super) fn listing(dir: &Path) -> Result<String, Failure> {
    let all = Selection::all(dir).map_err(failure)?;
    let rows: Vec<Vec<String>> =
        all.into_iter().map(|(name, selection)| vec![name, selection.told()]).collect();
    Ok(match rows.is_empty() {
        true => "no selection was kept yet\n".to_owned(),
        false => output::table(&rows),
    })
}

pub(super) fn failure(error: SelectionError) -> Failure {
    match &error {
        SelectionError::Name { .. } => Failure::usage(error.to_string())
            .hint("small letters, digits, `-`, `_` and `.`, beginning with a letter or digit"),
        SelectionError::Missing { .. } => Failure::usage(error.to_string())
            .hint("`auslese kwic --list-subcorpora` names them; --save-as keeps one"),
        _ => anyhow::Error::new(error).into(),
    }
}
