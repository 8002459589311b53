//! Documents with known keyphrases, and texts from which keyphrases are to be found.

use crate::commands::language::input::Input;
use crate::loose_files;
use crate::messages::{Color, Exit, Failure, Word, say};
use anyhow::{Context, anyhow};
use auslese_describe::TrainingDocument;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// A text with its name.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) id: String,
    pub(super) text: String,
}

/// A line of a .jsonl file; what else it says is not asked.
#[derive(Debug, Deserialize)]
struct Line {
    id: Option<String>,
    text: Option<String>,
    keywords: Option<Vec<String>>,
}

pub(super) fn is_jsonl(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "jsonl" || end == "ndjson")
}

/// The texts of a file: one, or as many as a .jsonl file has lines.
pub(super) fn texts(path: &Path) -> Result<Vec<Named>, Failure> {
    if !is_jsonl(path) {
        let input = Input::read(path)?;
        return Ok(vec![Named { id: input.id, text: input.text }]);
    }
    let lines = lines(path)?;
    let named = |(number, line): (usize, Line)| {
        let id = line.id.unwrap_or_else(|| format!("{}:{number}", path.display()));
        Named { id, text: line.text.unwrap_or_default() }
    };
    Ok(lines.into_iter().map(named).collect())
}

/// The documents of a folder or a .jsonl file that have a text and keyphrases.
pub(super) fn labelled(path: &Path, color: Color) -> Result<Vec<TrainingDocument>, Failure> {
    let all = if path.is_dir() { pairs(path)? } else { labelled_lines(path)? };
    let many = all.len();
    let usable: Vec<TrainingDocument> =
        all.into_iter().filter(|it| !it.text.is_empty() && !it.keyphrases.is_empty()).collect();
    if usable.len() < many {
        let left = many - usable.len();
        say(Word::Note, format!("{left} of {many} documents lack a text or keyphrases"), color);
    }
    if usable.is_empty() {
        let message = format!("{} holds no documents with keyphrases", path.display());
        let hint = "it takes a folder of X.txt and X.key, or JSON lines with `text` and `keywords`";
        return Err(Failure::usage(message).hint(hint));
    }
    Ok(usable)
}

fn labelled_lines(path: &Path) -> Result<Vec<TrainingDocument>, Failure> {
    let document = |(_, line): (usize, Line)| TrainingDocument {
        text: line.text.unwrap_or_default(),
        keyphrases: line.keywords.unwrap_or_default(),
    };
    Ok(lines(path)?.into_iter().map(document).collect())
}

fn lines(path: &Path) -> Result<Vec<(usize, Line)>, Failure> {
    let bytes = loose_files::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let read = serde_json::from_str(line).map_err(|cause| {
            let place = format!("{} line {number} is no JSON object of texts", path.display());
            let hint = "each line has `text`, and `id` or `keywords` if there are any";
            Failure::new(Exit::Usage, anyhow!(cause).context(place)).hint(hint)
        })?;
        lines.push((number, read));
    }
    Ok(lines)
}

/// The texts of a folder for which there is a file of keyphrases.
fn pairs(folder: &Path) -> Result<Vec<TrainingDocument>, Failure> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut keys: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    keys.retain(|path| path.extension().is_some_and(|end| end == "key"));
    keys.sort();
    let mut documents = Vec::new();
    for key in keys {
        let phrases = Input::read(&key)?.text;
        let phrases = phrases.lines().map(str::trim).filter(|line| !line.is_empty());
        let keyphrases = phrases.map(str::to_owned).collect();
        documents.push(TrainingDocument {
            text: Input::read(&key.with_extension("txt"))?.text,
            keyphrases,
        });
    }
    Ok(documents)
}
