//! The table `[describe]`: which heuristics say what documents are about, and how far they are
//! trusted.

use super::schema::Kind::{List, Size, Switch, Text};
use super::schema::Preset::{Is, Unset};
use super::schema::Table;
use super::settings::Time;
use super::tables::setting;
use super::text_forms::{DURATION, PATH, WORDS};
use auslese_reader::Limits;
use serde::Deserialize;
use std::path::PathBuf;

#[rustfmt::skip]
pub(super) const DESCRIBE: Table = Table { path: "describe", about: "What documents say about themselves.", settings: &[
    setting("heuristics", Text(WORDS), Is("\"default\""),
        "The heuristics for web pages: \"default\", \"carmen\" (as in the paper), or a folder with .heur files."),
    setting("weights", Text(PATH), Unset,
        "A file with weights, as `auslese heuristics calibrate` writes it; without one, weights.toml in the harvest if it was measured for these heuristics, else weights.toml in the folder of the heuristics, or those that come with the program."),
    setting("paper_heuristics", Text(WORDS), Is("\"papers\""),
        "The heuristics for documents made of pages (PDF, PostScript, Word, RTF, DOCX, ODT): \"papers\", or a folder with .heur files."),
    setting("paper_weights", Text(PATH), Unset,
        "A file with weights for these; without one, paper-weights.toml in the harvest, else weights.toml in the folder of the heuristics, or those that come with the program."),
    setting("msc_table", Text(PATH), Unset,
        "A table of the Mathematics Subject Classification to check codes in papers against: plain text with a code at the beginning of each line."),
    setting("keyphrases", Switch, Is("true"),
        "Whether papers without keywords get phrases of their text instead, as candidates with weights."),
    setting("keyphrase_models", List(&Text(WORDS)), Is("[]"),
        "Models for these, by name or file as `auslese keyphrases train` makes them; tried before those that come with the program."),
    setting("reader_time", Text(DURATION), Is("\"20s\""),
        "The most that reading one paper may take."),
    setting("reader_memory", Size(64 << 20), Is("\"1 GiB\""),
        "The most memory that a process reading papers may use beyond what the program itself occupies."),
    setting("helper_time", Text(DURATION), Is("\"60s\""),
        "The most that Ghostscript or pdftotext may take for one paper."),
]};

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct DescribeTable {
    pub(crate) heuristics: String,
    pub(crate) weights: Option<PathBuf>,
    pub(crate) paper_heuristics: String,
    pub(crate) paper_weights: Option<PathBuf>,
    pub(crate) msc_table: Option<PathBuf>,
    pub(crate) keyphrases: bool,
    pub(crate) keyphrase_models: Vec<String>,
    reader_time: Time,
    reader_memory: u64,
    helper_time: Time,
}

impl DescribeTable {
    /// What reading a paper may cost.
    pub(crate) fn reader_limits(&self) -> Limits {
        Limits {
            time: self.reader_time.0,
            memory: self.reader_memory,
            helper_time: self.helper_time.0,
            ..Limits::default()
        }
    }
}
