//! Changes settings in a configuration file that a person wrote: values change, comments and everything else stay.
//!
//! What comes out is read again before it is used: unless it says exactly what was wanted, and the rest as before, nothing
//! is changed.

use super::effective::Effective;
use super::reading;
use super::settings::Config;
use super::source::Source;
use auslese_corpus::CorpusRules;
use std::fs;
use std::io::Write;
use std::path::Path;
use toml::{Table, Value};
use toml_edit::{DocumentMut, Item, TableLike};

const CORPUS: &str = "corpus";

/// The text of a configuration in which the corpus has other rules.
pub(crate) fn with_corpus_rules(text: &str, rules: &CorpusRules) -> Result<String, String> {
    let present = corpus_rules(text)?;
    let changes = changed_settings(&present, rules);
    let mut document: DocumentMut = text.parse().map_err(words)?;
    let corpus = document.entry(CORPUS).or_insert_with(toml_edit::table);
    let corpus = corpus.as_table_like_mut().ok_or("`corpus` is no table")?;
    for (key, value) in &changes {
        set(corpus, key, value)?;
    }
    let changed = document.to_string();
    if corpus_rules(&changed)? != *rules {
        return Err(
            "the rules cannot be written into this file without changing their meaning".into()
        );
    }
    let others = |text: &str| -> Result<Table, String> {
        let mut table: Table = text.parse().map_err(words)?;
        if let Some(corpus) = table.get_mut(CORPUS).and_then(Value::as_table_mut) {
            changes.iter().for_each(|(key, _)| drop(corpus.remove(key)));
            if corpus.is_empty() {
                table.remove(CORPUS);
            }
        }
        Ok(table)
    };
    if others(text)? != others(&changed)? {
        return Err(
            "the rules cannot be written into this file without changing other settings".into()
        );
    }
    Ok(changed)
}

/// The lines that make the rules so, for a person to write.
pub(crate) fn corpus_lines(text: &str, rules: &CorpusRules) -> Result<String, String> {
    // What cannot be written is not to be recommended.
    with_corpus_rules(text, rules)?;
    let mut lines = format!("[{CORPUS}]\n");
    for (key, value) in changed_settings(&corpus_rules(text)?, rules) {
        lines.push_str(&format!("{key} = {value}\n"));
    }
    Ok(lines)
}

/// The rules that a configuration sets.
fn corpus_rules(text: &str) -> Result<CorpusRules, String> {
    let source = Source::new(Path::new(super::CONFIG_FILE), text.to_owned());
    let mut effective = Effective::defaults();
    let problems = effective.overlay(Path::new(super::CONFIG_FILE), reading::read(&source));
    match problems.first() {
        Some(problem) => Err(problem.to_string()),
        None => Ok(Config::from_effective(&effective).map_err(words)?.corpus.rules),
    }
}

/// The settings that differ, as they are written.
fn changed_settings(present: &CorpusRules, wanted: &CorpusRules) -> Vec<(String, Value)> {
    let (present, wanted) = (written(present), written(wanted));
    wanted.into_iter().filter(|(key, value)| present.get(key) != Some(value)).collect()
}

fn written(rules: &CorpusRules) -> Table {
    let mut table = Table::try_from(rules).unwrap_or_default();
    let size = rules.max_size.map_or("none".to_owned(), size_words);
    table.insert("max_size".to_owned(), Value::String(size));
    table
}

/// A size without rounding.
fn size_words(bytes: u64) -> String {
    let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000)];
    match units.into_iter().find(|(_, unit)| bytes > 0 && bytes.is_multiple_of(*unit)) {
        Some((name, unit)) => format!("{} {name}", bytes / unit),
        None => format!("{bytes} B"),
    }
}

fn set(table: &mut dyn TableLike, key: &str, value: &Value) -> Result<(), String> {
    let mut value: toml_edit::Value = value.to_string().parse().map_err(words)?;
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
    Ok(())
}

/// Replaces a file as a whole: whoever reads it meanwhile gets the old or the new text, and so does whoever comes after
/// the power failed.
pub(crate) fn replace_file(path: &Path, text: &str) -> std::io::Result<()> {
    // A link stays a link.
    let path = path.canonicalize()?;
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".auslese-").tempfile_in(dir)?;
    file.as_file().set_permissions(fs::metadata(&path)?.permissions())?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    fs::File::open(dir)?.sync_all()
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use auslese_corpus::Choice;

    fn german() -> CorpusRules {
        CorpusRules { languages: vec!["de".to_owned()], ..CorpusRules::default() }
    }

    #[test]
    fn comments_and_everything_else_stay() {
        let text = "# our harvest\n[crawl]\nseeds = [\"http://a.example/\"] # the start\n\n\
                    [corpus] # what we want\n# all languages\nlanguages = []  # for now\nmirror = false\n\n\
                    [search]\n";
        let changed = with_corpus_rules(text, &german()).unwrap();
        assert_eq!(changed, text.replace("languages = []  #", "languages = [\"de\"]  #"));
        assert_eq!(with_corpus_rules(&changed, &CorpusRules::default()).unwrap(), text);
    }

    #[test]
    fn any_way_to_write_tables() {
        for text in [
            "",
            "[crawl]\n",
            "[corpus]\n",
            "corpus = { mirror = false }\n",
            "corpus.mirror = false\n",
            "[corpus.language]\n",
            "corpus.languages = [\"en\"]\n",
        ] {
            let rules = CorpusRules {
                max_size: Some(123_456),
                duplicates: Choice::Leave,
                near_threshold: 0.85,
                keep: vec!["*\"quoted\"*".to_owned()],
                ..german()
            };
            let changed = with_corpus_rules(text, &rules).unwrap();
            assert_eq!(corpus_rules(&changed).unwrap(), rules, "{text}\n{changed}");
            let back = with_corpus_rules(&changed, &CorpusRules::default()).unwrap();
            assert_eq!(corpus_rules(&back).unwrap(), CorpusRules::default(), "{back}");
        }
    }

    #[test]
    fn what_the_configuration_would_refuse_is_not_written() {
        for rules in [
            CorpusRules { languages: vec!["deutsch, bitte".to_owned()], ..CorpusRules::default() },
            CorpusRules { mime_types: vec!["html".to_owned()], ..CorpusRules::default() },
            CorpusRules { near_threshold: 1.5, ..CorpusRules::default() },
            CorpusRules { near_threshold: f64::NAN, ..CorpusRules::default() },
        ] {
            assert!(with_corpus_rules("[crawl]\n", &rules).is_err(), "{rules:?}");
        }
        assert!(with_corpus_rules("[corpus\n", &german()).is_err());
        assert!(with_corpus_rules("[corpus]\nlanguage = 3\n", &german()).is_err());
    }

    #[test]
    fn lines_for_a_person() {
        let rules = CorpusRules { max_size: None, ..german() };
        let lines = corpus_lines("[crawl]\n", &rules).unwrap();
        assert_eq!(lines, "[corpus]\nlanguages = [\"de\"]\nmax_size = \"none\"\n");
        for (bytes, text) in
            [(500_000, "500 KB"), (2_000_000, "2 MB"), (1_234, "1234 B"), (0, "0 B")]
        {
            assert_eq!(size_words(bytes), text);
        }
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("real.toml"), dir.path().join("auslese.toml"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        replace_file(&link, "new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    }
}
