//! The table `[describe]`: which heuristics say what documents are about, and how far they are
//! trusted.

use super::schema::Kind::Text;
use super::schema::Preset::{Is, Unset};
use super::schema::Table;
use super::tables::setting;
use super::text_forms::{PATH, WORDS};
use serde::Deserialize;
use std::path::PathBuf;

#[rustfmt::skip]
pub(super) const DESCRIBE: Table = Table { path: "describe", about: "What documents say about themselves.", settings: &[
    setting("heuristics", Text(WORDS), Is("\"default\""),
        "The heuristics: \"default\", \"carmen\" (as in the paper), or a folder with .heur files."),
    setting("weights", Text(PATH), Unset,
        "A file with weights, as `auslese heuristics calibrate` writes it; without one, those that come with the heuristics."),
]};

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct DescribeTable {
    pub(crate) heuristics: String,
    pub(crate) weights: Option<PathBuf>,
}
