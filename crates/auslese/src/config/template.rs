//! Writes a new `auslese.toml` in which every setting stands with its default and its explanation.
//!
//! Settings that hold anyway are commented out with a `#` directly before the name; lines of prose
//! have a space after it. So a person changes a setting by removing one character, and a test can
//! remove them all and compare with the defaults.

use super::schema::{Setting, Table};
use super::tables::TABLES;
use toml::Value;

/// The text of a new configuration; `given` are settings that are written out.
pub(crate) fn write(given: &[(&str, Value)]) -> String {
    let mut text = String::from(HEADER);
    for table in TABLES {
        write_table(&mut text, table, given);
    }
    text
}

const HEADER: &str = "\
# Configuration of this harvest.
#
# Lines that begin with # directly before a name show a setting with its default:
# remove the # to change it. `auslese config check` finds mistakes,
# `auslese config show` lists what holds and why.
";

/// Width of comment lines.
const WIDTH: usize = 96;

fn write_table(text: &mut String, table: &Table, given: &[(&str, Value)]) {
    text.push('\n');
    write_prose(text, table.about);
    text.push_str(&format!("[{}]\n", table.path));
    for setting in table.settings {
        let path = format!("{}.{}", table.path, setting.key);
        let value = given.iter().find(|(name, _)| *name == path).map(|(_, value)| value);
        write_setting(text, setting, value);
    }
}

fn write_setting(text: &mut String, setting: &Setting, value: Option<&Value>) {
    text.push('\n');
    write_prose(text, setting.about);
    let key = setting.key;
    match value {
        Some(value) => text.push_str(&format!("{key} = {}\n", value_text(value))),
        None => text.push_str(&format!("#{key} = {}\n", setting.default_text())),
    }
}

fn write_prose(text: &mut String, prose: &str) {
    let mut line = String::from("#");
    for word in prose.split(' ') {
        if line.len() + 1 + word.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = String::from("#");
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}

/// A value as TOML; lists of tables with one entry per line, because people edit them.
fn value_text(value: &Value) -> String {
    match value {
        Value::Array(items) if items.iter().any(Value::is_table) => {
            let rows: Vec<String> = items.iter().map(|item| format!("  {item},\n")).collect();
            format!("[\n{}]", rows.concat())
        }
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Effective;
    use super::super::effective::Origin;
    use super::super::reading::read;
    use super::super::source::Source;
    use super::*;
    use std::path::Path;

    /// Removes the `#` directly before a name.
    fn uncommented(text: &str) -> String {
        let line = |line: &str| match line.strip_prefix('#') {
            Some(setting) if setting.starts_with(|c: char| c.is_ascii_lowercase()) => {
                format!("{setting}\n")
            }
            _ => format!("{line}\n"),
        };
        text.lines().map(line).collect()
    }

    fn effective(text: String) -> Effective {
        let path = Path::new("auslese.toml");
        let mut effective = Effective::defaults();
        let problems = effective.overlay(path, read(&Source::new(path, text)));
        assert_eq!(problems, []);
        effective
    }

    #[test]
    fn the_template_states_the_defaults() {
        let written = effective(uncommented(&write(&[])));
        assert_eq!(written.table(), Effective::defaults().table());
        for (table, key, held) in written.iter() {
            assert_ne!(held.origin, Origin::Default, "[{table}] {key} is not in the template");
        }
    }

    #[test]
    fn as_written_it_sets_nothing() {
        let written = effective(write(&[]));
        assert!(written.iter().all(|(_, _, held)| held.origin == Origin::Default));
    }

    #[test]
    fn given_settings_are_written_out() {
        let mut entry = toml::Table::new();
        entry.insert("label".to_owned(), Value::from("Gießen \"GI\""));
        entry.insert("root".to_owned(), Value::from("https://uni.example/"));
        let institutions = Value::Array(vec![Value::Table(entry)]);
        let text = write(&[("harvest.institutions", institutions.clone())]);
        let held = effective(text);
        let held = held.get("harvest.institutions").and_then(|held| held.value.clone());
        assert_eq!(held, Some(institutions));
    }
}
