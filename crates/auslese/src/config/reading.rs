//! Reads a configuration file against the list of settings, and finds all that is wrong with it.
//!
//! The file is parsed with recovery and then compared with [`super::tables`] value by value, so that
//! a person sees every problem at once, each with file, line and column, instead of one per attempt.
//! What passed is handed on as plain values with the line they stand in.

use super::schema::{Kind, NONE, Preset, Setting, TextForm, keys_of, nearest};
use super::source::{Problem, Source};
use super::tables::TABLES;
use crate::size_text;
use toml::Spanned;
use toml::Value;
use toml::de::{DeTable, DeValue};

/// What a file says, as far as it is right, and what is wrong with the rest.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) found: Vec<Found>,
    pub(crate) problems: Vec<Problem>,
}

/// One setting that a file gives.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Dotted: `crawl.delay`.
    pub(crate) path: String,
    pub(crate) value: Value,
    pub(crate) line: usize,
}

/// Reads a file in which any table may occur.
pub(crate) fn read(source: &Source) -> Reading {
    read_tables(source, |_| true)
}

/// Reads a file in which only the tables that `admits` accepts may occur.
pub(crate) fn read_tables(source: &Source, admits: impl Fn(&str) -> bool) -> Reading {
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    let mut reader = Reader { source, reading: Reading::default() };
    for error in &errors {
        let span = error.span().unwrap_or(0..0);
        reader.reading.problems.push(source.problem(span, error.message(), None));
    }
    // After broken lines the recovered values would only add problems that are none.
    if errors.is_empty() {
        reader.read_table("", document.get_ref(), &admits);
    }
    reader.reading.problems.sort_by_key(|problem| (problem.line, problem.column));
    reader.reading
}

struct Reader<'s> {
    source: &'s Source,
    reading: Reading,
}

type Entry<'i> = Spanned<DeValue<'i>>;

impl Reader<'_> {
    fn read_table(&mut self, path: &str, table: &DeTable<'_>, admits: &dyn Fn(&str) -> bool) {
        for (key, value) in table {
            let name: &str = key.get_ref();
            let below = join(path, name);
            if let Some(setting) = setting_of(path, name) {
                self.read_setting(below, setting, key.span().start, value);
            } else if is_table(&below) && admits(&below) {
                match value.get_ref() {
                    DeValue::Table(table) => self.read_table(&below, table, admits),
                    other => {
                        let message =
                            format!("`{below}` is a table, not {}", article(other.type_str()));
                        self.report(value.span(), message, Some(format!("write [{below}]")));
                    }
                }
            } else {
                self.report_unknown(path, name, key.span(), value.get_ref(), admits);
            }
        }
    }

    fn read_setting(&mut self, path: String, setting: &Setting, at: usize, value: &Entry<'_>) {
        if let Some(value) = self.check(&path, setting, value) {
            let line = self.source.line_of(at);
            self.reading.found.push(Found { path, value, line });
        }
    }

    fn check(&mut self, path: &str, setting: &Setting, value: &Entry<'_>) -> Option<Value> {
        if setting.is_optional() && value.get_ref().as_str() == Some(NONE) {
            return Some(Value::String(NONE.to_owned()));
        }
        self.check_kind(path, &setting.kind, &setting.allowed(), value)
    }

    fn check_kind(
        &mut self,
        path: &str,
        kind: &Kind,
        allowed: &str,
        value: &Entry<'_>,
    ) -> Option<Value> {
        match (kind, value.get_ref()) {
            (Kind::Switch, DeValue::Boolean(switch)) => return Some(Value::Boolean(*switch)),
            (Kind::Whole(range), DeValue::Integer(number)) => {
                let number = i64::from_str_radix(number.as_str(), number.radix()).ok();
                if let Some(number) = number.filter(|number| range.contains(number)) {
                    return Some(Value::Integer(number));
                }
            }
            (Kind::Number(range), DeValue::Integer(_) | DeValue::Float(_)) => {
                let number = number_of(value.get_ref());
                if let Some(number) = number.filter(|number| range.contains(number)) {
                    return Some(Value::Float(number));
                }
            }
            (Kind::Choice(words), DeValue::String(text)) => {
                if words.contains(&text.as_ref()) {
                    return Some(Value::String(text.to_string()));
                }
                let meant = nearest(text, words.iter().copied());
                return self.refuse(path, value, allowed, None, did_you_mean(meant));
            }
            (Kind::Size(least), DeValue::String(text)) => match size_text::parse(text) {
                Ok(size) if size < *least => {
                    let reason = format!("at least {} is needed", size_text::format(*least));
                    return self.refuse(path, value, allowed, Some(reason), None);
                }
                Ok(_) => return Some(Value::String(text.to_string())),
                Err(reason) => return self.refuse(path, value, allowed, Some(reason), None),
            },
            (Kind::Text(form), DeValue::String(text)) => match (form.check)(text) {
                Ok(()) => return Some(Value::String(text.to_string())),
                Err(reason) => return self.refuse(path, value, allowed, Some(reason), None),
            },
            (
                Kind::Text(_) | Kind::Choice(_) | Kind::Size(_),
                DeValue::Integer(_) | DeValue::Boolean(_),
            ) => {
                let hint = "texts stand in quotation marks".to_owned();
                return self.refuse(path, value, allowed, None, Some(hint));
            }
            (Kind::List(each), DeValue::Array(items)) => {
                let inside = each.allowed();
                let read: Vec<Option<Value>> =
                    items.iter().map(|item| self.check_kind(path, each, &inside, item)).collect();
                return read.into_iter().collect::<Option<Vec<Value>>>().map(Value::Array);
            }
            (Kind::Records(settings), DeValue::Array(items)) => {
                let read: Vec<Option<Value>> =
                    items.iter().map(|item| self.check_record(path, settings, item)).collect();
                return read.into_iter().collect::<Option<Vec<Value>>>().map(Value::Array);
            }
            (Kind::Named(name, settings), DeValue::Table(entries)) => {
                return self.check_named(path, name, settings, entries);
            }
            _ => {}
        }
        self.refuse(path, value, allowed, None, None)
    }

    fn check_named(
        &mut self,
        path: &str,
        name: &TextForm,
        settings: &[Setting],
        entries: &DeTable<'_>,
    ) -> Option<Value> {
        let mut read = Some(toml::Table::new());
        for (key, entry) in entries {
            if let Err(reason) = (name.check)(key.get_ref()) {
                let hint = format!("expected a {}", name.what);
                self.report(key.span(), format!("in `{path}`: {reason}"), Some(hint));
                read = None;
            }
            match (self.check_record(path, settings, entry), &mut read) {
                (Some(record), Some(read)) => {
                    read.insert(key.get_ref().to_string(), record);
                }
                _ => read = None,
            }
        }
        read.map(Value::Table)
    }

    fn check_record(
        &mut self,
        path: &str,
        settings: &[Setting],
        item: &Entry<'_>,
    ) -> Option<Value> {
        let DeValue::Table(given) = item.get_ref() else {
            let allowed = format!("a table {}", keys_of(settings));
            return self.refuse(path, item, &allowed, None, None);
        };
        let before = self.reading.problems.len();
        let mut record = toml::Table::new();
        for (key, value) in given {
            let name: &str = key.get_ref();
            match settings.iter().find(|setting| setting.key == name) {
                Some(setting) => {
                    let read = self.check(&join(path, name), setting, value);
                    // In a record, "none" and leaving out are the same.
                    if let Some(value) = read.filter(|value| value.as_str() != Some(NONE)) {
                        record.insert(name.to_owned(), value);
                    }
                }
                None => {
                    let meant = nearest(name, settings.iter().map(|setting| setting.key));
                    let message = format!("unknown setting `{name}` in an entry of `{path}`");
                    self.report(key.span(), message, did_you_mean(meant));
                }
            }
        }
        for setting in settings {
            let required = setting.default == Preset::Required;
            if required && !given.contains_key(setting.key) {
                let message = format!("an entry of `{path}` lacks `{}`", setting.key);
                self.report(item.span(), message, None);
            }
        }
        (self.reading.problems.len() == before).then_some(Value::Table(record))
    }

    /// Reports a value that cannot be used.
    fn refuse(
        &mut self,
        path: &str,
        value: &Entry<'_>,
        allowed: &str,
        reason: Option<String>,
        hint: Option<String>,
    ) -> Option<Value> {
        let message = match reason {
            Some(reason) => format!("`{path}` cannot be read: {reason}"),
            None => format!("`{path}` cannot be {}", shown(value.get_ref())),
        };
        let hint = hint
            .map_or(format!("expected {allowed}"), |hint| format!("{hint}; expected {allowed}"));
        self.report(value.span(), message, Some(hint));
        None
    }

    fn report_unknown(
        &mut self,
        path: &str,
        name: &str,
        span: std::ops::Range<usize>,
        value: &DeValue<'_>,
        admits: &dyn Fn(&str) -> bool,
    ) {
        let message = match (path, value) {
            ("", DeValue::Table(_)) => format!("unknown table [{name}]"),
            ("", _) => format!("unknown setting `{name}` outside of any table"),
            (path, _) => format!("unknown setting `{name}` in [{path}]"),
        };
        let meant = nearest(name, names_in(path, admits));
        let hint = did_you_mean(meant).or_else(|| elsewhere(name)).or_else(|| {
            let names: Vec<&str> = names_in(path, admits).collect();
            Some(format!("known here: {}", names.join(", ")))
        });
        self.report(span, message, hint);
    }

    fn report(&mut self, span: std::ops::Range<usize>, message: String, hint: Option<String>) {
        let problem = self.source.problem(span, message, hint);
        self.reading.problems.push(problem);
    }
}

/// The setting `key` of the table at `path`, if there is one.
pub(crate) fn setting_of(path: &str, key: &str) -> Option<&'static Setting> {
    let table = TABLES.iter().find(|table| table.path == path)?;
    table.settings.iter().find(|setting| setting.key == key)
}

fn is_table(path: &str) -> bool {
    TABLES.iter().any(|table| {
        table.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// The settings and the tables directly below `path`.
fn names_in<'a>(
    path: &'a str,
    admits: &'a dyn Fn(&str) -> bool,
) -> impl Iterator<Item = &'static str> + 'a {
    let settings = TABLES
        .iter()
        .filter(move |table| table.path == path)
        .flat_map(|table| table.settings.iter().map(|setting| setting.key));
    let tables = TABLES.iter().filter(move |table| admits(table.path)).filter_map(move |table| {
        let below = match path {
            "" => table.path,
            path => table.path.strip_prefix(path)?.strip_prefix('.')?,
        };
        (!below.contains('.')).then_some(below)
    });
    settings.chain(tables)
}

/// Where a setting of exactly this name lives, if it was put into the wrong table.
fn elsewhere(name: &str) -> Option<String> {
    let table =
        TABLES.iter().find(|table| table.settings.iter().any(|setting| setting.key == name))?;
    Some(format!("`{name}` belongs into [{}]", table.path))
}

fn did_you_mean(meant: Option<&str>) -> Option<String> {
    meant.map(|meant| format!("did you mean `{meant}`?"))
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn number_of(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(|number| number as f64)
        }
        DeValue::Float(number) => number.as_str().parse().ok().filter(|n: &f64| n.is_finite()),
        _ => None,
    }
}

/// The value in words, for "cannot be …".
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{text}\""),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(switch) => switch.to_string(),
        other => article(other.type_str()),
    }
}

fn article(noun: &str) -> String {
    match noun {
        "integer" | "array" => format!("an {noun}"),
        noun => format!("a {noun}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;

    fn check(text: &str) -> Reading {
        read(&Source::new(Path::new("auslese.toml"), text.to_owned()))
    }

    #[test]
    fn one_problem_each() {
        #[rustfmt::skip]
        let cases = [
            // text                                line  col  message                                             hint
            ("[crawl.politeness]\ndealy = \"2s\"",  2, 1,  "unknown setting `dealy` in [crawl.politeness]",        "did you mean `delay`?"),
            ("[crwal]\nseeds = []",                1, 2,  "unknown table [crwal]",                                "did you mean `crawl`?"),
            ("[crawl]\ndelay = \"2s\"",            2, 1,  "unknown setting `delay` in [crawl]",                   "`delay` belongs into [crawl.politeness]"),
            ("contact = \"a@b.example\"",          1, 1,  "unknown setting `contact` outside of any table",       "`contact` belongs into [harvest]"),
            ("[archive]\nca_files = []",           2, 1,  "unknown setting `ca_files` in [archive]",              "`ca_files` belongs into [net]"),
            ("crawl = 3",                          1, 9,  "`crawl` is a table, not an integer",                   "write [crawl]"),
            ("[net.limits]\nidle = 2",             2, 8,  "`net.limits.idle` cannot be 2",                        "texts stand in quotation marks; expected a length of time such as \"500ms\", \"2s\", \"1h 30m\" or \"2d\""),
            ("[net.limits]\nidle = \"2\"",         2, 8,  "`net.limits.idle` cannot be read: `2` is no duration: its unit must be one of ms, s, m, h, d", "expected a length of time such as \"500ms\", \"2s\", \"1h 30m\" or \"2d\""),
            ("[archive]\nrotate_at = 1000",        2, 13, "`archive.rotate_at` cannot be 1000",                   "texts stand in quotation marks; expected an amount of data such as \"500 KB\", \"1 GB\" or \"1 GiB\""),
            ("[archive]\nmax_size = \"1 EB\"",     2, 12, "`archive.max_size` cannot be read: unknown unit `EB`: use B, KB, MB, GB, TB, KiB, MiB, GiB or TiB", "expected an amount of data such as \"500 KB\", \"1 GB\" or \"1 GiB\", or \"none\""),
            ("[crawl.retry]\nattempts = 0",        2, 12, "`crawl.retry.attempts` cannot be 0",                   "expected a whole number from 1 to 1000"),
            ("[crawl.retry]\nattempts = 9_999_999_999_999_999_999_999", 2, 12, "`crawl.retry.attempts` cannot be 9999999999999999999999", "expected a whole number from 1 to 1000"),
            ("[crawl]\nscope = [\"accept any\", \"reject sufix .zip\"]", 2, 24, "`crawl.scope` cannot be read: `sufix` is no test; did you mean `suffix`?, character 8", "expected a scope rule such as \"accept host .uni.example\" or \"reject suffix .zip\""),
            ("[crawl.hosts.\"www.uni.example\"]\ndealy = \"5s\"", 2, 1, "unknown setting `dealy` in an entry of `crawl.hosts`", "did you mean `delay`?"),
            ("[crawl.hosts]\n\"a b\" = {}",        2, 1,  "in `crawl.hosts`: \"a b\" is no host name",            "expected a host or .suffix"),
            ("[archive]\ndigest = \"sha265\"",     2, 10, "`archive.digest` cannot be \"sha265\"",                "did you mean `sha256`?; expected \"sha256\" or \"sha1\""),
            ("[net]\nallow_private = \"yes\"",     2, 17, "`net.allow_private` cannot be \"yes\"",                "expected true or false"),
            ("[net]\ndns = [\"9.9.9.9\"]",         2, 8,  "`net.dns` cannot be read: the port is missing: write \"9.9.9.9:53\"", "expected an address with a port such as \"127.0.0.1:53\""),
            ("[[harvest.institutions]]\nlabel = \"GI\"", 1, 1, "an entry of `harvest.institutions` lacks `root`", ""),
            ("[harvest]\ninstitutions = [{ labl = \"GI\", root = \"http://a.example/\", label = \"GI\" }]", 2, 19, "unknown setting `labl` in an entry of `harvest.institutions`", "did you mean `label`?"),
            ("[harvest]\ninstitutions = [3]",      2, 17, "`harvest.institutions` cannot be 3",                   "expected a table { label, root }"),
        ];
        for (text, line, column, message, hint) in cases {
            let problems = check(text).problems;
            let [problem] = problems.as_slice() else { panic!("{text}: {problems:?}") };
            let told = (problem.line, problem.column, problem.message.as_str());
            assert_eq!(told, (line, column, message), "{text}");
            assert_eq!(problem.hint.as_deref().unwrap_or_default(), hint, "{text}");
        }
    }

    #[test]
    fn all_problems_at_once_and_the_rest_holds() {
        let reading = check("[crawl.robots]\nobay = 1\nredirects = -1\nobey = false\n[archiv]\n");
        let lines: Vec<usize> = reading.problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [2, 3, 5]);
        let found: Vec<&str> = reading.found.iter().map(|found| found.path.as_str()).collect();
        assert_eq!(found, ["crawl.robots.obey"]);
    }

    #[test]
    fn broken_toml_names_the_place() {
        let problems = check("[crawl.retry]\nwait = \"2s\nattempts = 3\n").problems;
        assert_eq!((problems[0].line, problems[0].line_text.as_str()), (2, "wait = \"2s"));
    }

    #[test]
    fn ways_to_write_tables() {
        for text in [
            "[crawl.budget]\nmax_pages = 5",
            "[crawl]\nbudget.max_pages = 5",
            "crawl = { budget = { max_pages = 5 } }",
        ] {
            let reading = check(text);
            assert!(reading.problems.is_empty(), "{text}: {:?}", reading.problems);
            assert_eq!(reading.found[0].value, Value::Integer(5), "{text}");
        }
    }

    #[test]
    fn a_net_file_holds_nothing_else() {
        let source = Source::new(Path::new("net.toml"), "[crawl]\ndelay = \"0\"\n".to_owned());
        let problems = read_tables(&source, |path| path.starts_with("net")).problems;
        assert_eq!(problems[0].message, "unknown table [crawl]");
        assert_eq!(problems[0].hint.as_deref(), Some("known here: net"));
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "(?s).{0,200}") {
            check(&text);
        }

        #[test]
        fn anything_like_a_configuration_is_survived(text in "(\\[?\\[?[a-z.]{1,8}\\]?\\]?|[a-z_.]{1,9} ?= ?[0-9\"'\\[{}\\]a-z_.,=-]{0,12}|\n){0,12}") {
            check(&text);
        }
    }
}
