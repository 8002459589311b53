//! The configuration that holds: defaults, overlaid by files, overlaid by the command line.
//!
//! Every value remembers where it came from, because "why does it crawl so slowly?" is usually
//! answered by a forgotten line in a file.

use super::reading::{self, Found, Reading};
use super::schema::{Kind, NONE, Preset};
use super::source::{Problem, Source};
use super::tables::TABLES;
use crate::{output, size_text};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use toml::Value;

/// All settings with their values and origins.
#[derive(Debug, Clone)]
pub(crate) struct Effective {
    values: BTreeMap<String, Held>,
}

/// One value that holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Held {
    /// `None` if the setting is unset.
    pub(crate) value: Option<Value>,
    pub(crate) origin: Origin,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Origin {
    Default,
    File { path: PathBuf, line: usize },
    CommandLine { option: String },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File { path, line } => write!(f, "{}:{line}", path.display()),
            Origin::CommandLine { option } => write!(f, "command line ({option})"),
        }
    }
}

/// Settings from the command line.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overrides(Vec<(&'static str, Value, &'static str)>);

impl Overrides {
    /// Notes that `option` was given, which sets `path`.
    pub(crate) fn set(
        &mut self,
        path: &'static str,
        value: Option<impl Into<Value>>,
        option: &'static str,
    ) {
        if let Some(value) = value {
            self.0.push((path, value.into(), option));
        }
    }

    /// The settings that were given, with their values.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&'static str, Value)> {
        self.0.iter().map(|(path, value, _)| (*path, value.clone()))
    }
}

impl Effective {
    /// What holds if nobody says anything.
    pub(crate) fn defaults() -> Effective {
        let mut values = BTreeMap::new();
        for table in TABLES {
            for setting in table.settings {
                let value = match setting.default {
                    Preset::Is(text) | Preset::OrNone(text) => Some(default_value(text)),
                    Preset::Unset | Preset::Required => None,
                };
                let path = format!("{}.{}", table.path, setting.key);
                values.insert(path, Held { value, origin: Origin::Default });
            }
        }
        Effective { values }
    }

    /// Lays a file over it; problems of the file are returned, and its sound settings hold.
    pub(crate) fn overlay(&mut self, path: &Path, reading: Reading) -> Vec<Problem> {
        for Found { path: name, value, line } in reading.found {
            let origin = Origin::File { path: path.to_owned(), line };
            self.hold(name, value, origin);
        }
        reading.problems
    }

    pub(crate) fn override_with(&mut self, overrides: Overrides) {
        for (path, value, option) in overrides.0 {
            self.hold(path.to_owned(), value, Origin::CommandLine { option: option.to_owned() });
        }
    }

    fn hold(&mut self, path: String, value: Value, origin: Origin) {
        let value = (value.as_str() != Some(NONE) || !is_optional(&path)).then_some(value);
        self.values.insert(path, Held { value, origin });
    }

    /// The text of a setting, if it has one.
    pub(crate) fn text_of(&self, path: &str) -> Option<&str> {
        self.get(path)?.value.as_ref()?.as_str()
    }

    pub(crate) fn get(&self, path: &str) -> Option<&Held> {
        self.values.get(path)
    }

    /// All settings in the order of the tables.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str, &Held)> {
        TABLES.iter().flat_map(move |table| {
            table.settings.iter().filter_map(move |setting| {
                let held = self.get(&format!("{}.{}", table.path, setting.key))?;
                Some((table.path, setting.key, held))
            })
        })
    }

    /// TOML that can be read again, with the origin of each value behind it.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        let mut heading = "";
        let mut rows = Vec::new();
        for (table, key, held) in self.iter() {
            if table != heading {
                text.push_str(&output::columns(&std::mem::take(&mut rows)));
                let gap = if heading.is_empty() { "" } else { "\n" };
                text.push_str(&format!("{gap}[{table}]\n"));
                heading = table;
            }
            let value = held.value.as_ref().map_or("\"none\"".to_owned(), ToString::to_string);
            rows.push([format!("{key} = {value}"), format!("# {}", held.origin)]);
        }
        text.push_str(&output::columns(&rows));
        text
    }

    /// The values as one nested table, as the stages read it: unset ones are left out, amounts of
    /// data are numbers.
    pub(crate) fn table(&self) -> toml::Table {
        let mut root = toml::Table::new();
        for (path, key, held) in self.iter() {
            let table = path.split('.').fold(&mut root, table_below);
            if let Some(value) = &held.value {
                table.insert(key.to_owned(), in_bytes(path, key, value));
            }
        }
        root
    }
}

fn table_below<'t>(table: &'t mut toml::Table, name: &str) -> &'t mut toml::Table {
    let below = table.entry(name).or_insert_with(|| Value::Table(toml::Table::new()));
    below.as_table_mut().expect("no setting has the name of a table")
}

fn in_bytes(table: &str, key: &str, value: &Value) -> Value {
    let is_size = reading::setting_of(table, key)
        .is_some_and(|setting| matches!(setting.kind, Kind::Size(_)));
    let bytes = value.as_str().filter(|_| is_size).and_then(|text| size_text::parse(text).ok());
    match bytes.and_then(|bytes| i64::try_from(bytes).ok()) {
        Some(bytes) => Value::Integer(bytes),
        None => value.clone(),
    }
}

fn is_optional(path: &str) -> bool {
    path.rsplit_once('.')
        .and_then(|(table, key)| reading::setting_of(table, key))
        .is_some_and(super::schema::Setting::is_optional)
}

/// Defaults are written as TOML in the table of settings; that each can be read is tested.
fn default_value(text: &str) -> Value {
    let source = Source::new(Path::new("default"), format!("value = {text}"));
    let table: toml::Table = toml::from_str(&source.text).unwrap_or_default();
    table.get("value").cloned().unwrap_or(Value::String(text.to_owned()))
}
