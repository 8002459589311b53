//! Where models are kept: those of the program in itself, those of a person in a folder.

use crate::messages::{Exit, Failure, Outcome};
use crate::output;
use anyhow::{Context, anyhow};
use auslese_describe::{
    KeyphraseModel, KeyphraseModelError, MAX_KEYPHRASE_MODEL, SHIPPED_KEYPHRASES,
};
use clap::Args;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Debug, Default, Args)]
pub(super) struct ModelsArgs {
    /// The folder of your models [default: auslese/keyphrases in $XDG_DATA_HOME or ~/.local/share]
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
}

/// How the files of models end.
const SUFFIX: &str = ".json";

impl ModelsArgs {
    fn folder(&self) -> Result<PathBuf, Failure> {
        if let Some(folder) = &self.models {
            return Ok(folder.clone());
        }
        let set = |name| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
        let data = set("XDG_DATA_HOME").or_else(|| set("HOME").map(|it| it.join(".local/share")));
        data.map(|it| it.join("auslese/keyphrases")).ok_or_else(|| {
            Failure::usage("there is no home directory to look for models in")
                .hint("name the folder with --models")
        })
    }
}

/// A name that is safe as the name of a file.
pub(super) fn model_name(name: &str) -> Result<String, String> {
    let proper = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if name.is_empty() || name.starts_with('.') || name.len() > 100 || !name.chars().all(proper) {
        return Err("a name has letters, digits, `-`, `_` and `.` only".to_owned());
    }
    if SHIPPED_KEYPHRASES.contains(&name) {
        return Err("a model of this name comes with the program".to_owned());
    }
    Ok(name.to_owned())
}

/// Keeps a model, in place of an older one of its name.
pub(super) fn store(args: &ModelsArgs, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let folder = args.folder()?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(format!("{name}{SUFFIX}"));
    // Renamed when it is whole, so that nobody reads half a model.
    let half = folder.join(format!(".{name}.{}", std::process::id()));
    let written = fs::write(&half, text).and_then(|()| fs::rename(&half, &path));
    written.with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// The model of a name, or of a file.
pub(super) fn load(args: &ModelsArgs, name: &str) -> Result<KeyphraseModel, Failure> {
    if let Some(model) = KeyphraseModel::shipped(name) {
        return Ok(model);
    }
    let folder = args.folder()?;
    let path = match name.ends_with(SUFFIX) || name.contains(std::path::MAIN_SEPARATOR) {
        true => PathBuf::from(name),
        false => folder.join(format!("{name}{SUFFIX}")),
    };
    if !path.exists() {
        let message = format!("there is no model {name} in {}", folder.display());
        let hint = "`auslese keyphrases list` shows those there are, `train` makes one";
        return Err(Failure::usage(message).hint(hint));
    }
    read(&path)
}

fn read(path: &Path) -> Result<KeyphraseModel, Failure> {
    let mut text = String::new();
    let limit = MAX_KEYPHRASE_MODEL as u64 + 1;
    File::open(path)
        .and_then(|file| file.take(limit).read_to_string(&mut text))
        .with_context(|| format!("cannot read {}", path.display()))?;
    KeyphraseModel::parse(&text).map_err(|error| {
        let hint = match &error {
            KeyphraseModelError::Format(_) => "train it again with this program",
            _ => "is it a file that `auslese keyphrases train` wrote?",
        };
        let error = anyhow!(error).context(format!("cannot use {}", path.display()));
        Failure::new(Exit::Damaged, error).hint(hint)
    })
}

pub(super) fn list(args: &ModelsArgs, as_json: bool) -> Outcome {
    let mut found: Vec<(String, Result<KeyphraseModel, Failure>)> = SHIPPED_KEYPHRASES
        .iter()
        .filter_map(|name| KeyphraseModel::shipped(name))
        .map(|model| ("the program".to_owned(), Ok(model)))
        .collect();
    let folder = args.folder()?;
    let mut files: Vec<PathBuf> = match fs::read_dir(&folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        // A folder that nobody made yet holds no models.
        Err(_) => Vec::new(),
    };
    files.retain(|file| file.extension().is_some_and(|end| end == "json"));
    files.sort();
    found.extend(files.iter().map(|file| (file.display().to_string(), read(file))));
    if as_json {
        let models: Vec<Value> = found.iter().map(|(place, model)| in_json(place, model)).collect();
        output::print_json(&models)?;
    } else {
        let head = ["model", "language", "method", "documents", "date", "trained from", "place"];
        let mut rows = vec![head.map(str::to_owned)];
        rows.extend(found.iter().map(|(place, model)| row(place, model)));
        output::print(&output::columns(&rows))?;
    }
    let unsound = found.iter().any(|(_, model)| model.is_err());
    Ok(if unsound { Exit::Failures } else { Exit::Done })
}

fn in_json(place: &str, model: &Result<KeyphraseModel, Failure>) -> Value {
    match model {
        Ok(KeyphraseModel { header, .. }) => json!({
            "name": header.name,
            "language": header.language.tag(),
            "method": header.method.name(),
            "documents": header.documents,
            "date": header.date,
            "trained_from": header.trained_from,
            "weights_measured_on": header.weights_measured_on,
            "place": place,
        }),
        Err(failure) => json!({ "place": place, "error": failure.in_short() }),
    }
}

fn row(place: &str, model: &Result<KeyphraseModel, Failure>) -> [String; 7] {
    match model {
        Ok(KeyphraseModel { header, .. }) => [
            header.name.clone(),
            header.language.tag().to_owned(),
            header.method.name().to_owned(),
            header.documents.to_string(),
            header.date.clone(),
            header.trained_from.clone(),
            place.to_owned(),
        ],
        Err(failure) => {
            let [name, rest @ ..] = [const { String::new() }; 7];
            let [language, method, documents, date, _, _] = rest;
            [name, language, method, documents, date, failure.in_short(), place.to_owned()]
        }
    }
}
