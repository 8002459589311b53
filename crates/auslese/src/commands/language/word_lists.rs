//! The recogniser that the settings ask for, with word lists read from files.

use crate::config::LanguageTable;
use crate::messages::{Exit, Failure};
use anyhow::{Context, anyhow};
use auslese_corpus::language::Recogniser;
use auslese_markup::decode;
use auslese_words::WordList;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Files with word lists that are larger are refused.
pub(crate) const MAX_WORD_LIST_FILE: u64 = 128 << 20;

/// The recogniser of a harvest; files of the settings lie in its directory.
pub(crate) fn recogniser(table: &LanguageTable, dir: &Path) -> Result<Recogniser, Failure> {
    recogniser_from(table, table.wordlist.as_ref().map(|file| dir.join(file)), dir)
}

/// The same with this word list.
pub(super) fn recogniser_from(
    table: &LanguageTable,
    wordlist: Option<PathBuf>,
    dir: &Path,
) -> Result<Recogniser, Failure> {
    let settings = table.settings();
    let recogniser = match wordlist {
        Some(file) => Recogniser::with_list(word_list(&file)?, settings),
        None if settings.language == "de" => Recogniser::german(settings),
        None => {
            let message = format!("there is no word list for {}", settings.language);
            let hint =
                "name one with `corpus.language.wordlist` or --wordlist; only German is built in";
            return Err(Failure::usage(message).hint(hint));
        }
    };
    match &table.names {
        Some(file) => Ok(recogniser.with_names(word_list(&dir.join(file))?)),
        None => Ok(recogniser),
    }
}

fn word_list(file: &Path) -> Result<WordList, Failure> {
    let list = if file.extension().is_some_and(|end| end.eq_ignore_ascii_case("dic")) {
        hunspell(file)
    } else {
        text_of(file, None).and_then(|text| WordList::from_plain(&text).map_err(anyhow::Error::new))
    };
    list.with_context(|| format!("cannot use the word list {}", file.display()))
        .map_err(|error| Failure::new(Exit::Usage, error))
}

fn hunspell(dictionary: &Path) -> anyhow::Result<WordList> {
    let affixes = dictionary.with_extension("aff");
    let affixes =
        text_of(&affixes, None).with_context(|| format!("{} belongs to it", affixes.display()))?;
    // Both files are in the encoding that the second one names; its own keywords are ASCII.
    let charset = affixes.lines().find_map(|line| line.strip_prefix("SET ")).map(str::trim);
    let dictionary_text = text_of(dictionary, charset)?;
    let affixes = match charset {
        Some(charset) => text_of(&dictionary.with_extension("aff"), Some(charset))?,
        None => affixes.clone(),
    };
    Ok(WordList::from_hunspell(&dictionary_text, &affixes)?)
}

fn text_of(file: &Path, charset: Option<&str>) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let opened = File::open(file).context("the file cannot be opened")?;
    opened.take(MAX_WORD_LIST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_WORD_LIST_FILE {
        return Err(anyhow!("the file is larger than {} MiB", MAX_WORD_LIST_FILE >> 20));
    }
    // Hunspell writes ISO8859-1 where the rest of the world writes ISO-8859-1.
    let charset = charset.map(|name| name.replace("ISO8859", "ISO-8859"));
    Ok(decode(&bytes, charset.as_deref()).0.into_owned())
}
