//! Which conditional sections are obeyed.
//!
//! What a condition asks for is known only in part: modules from the `LoadModule` lines read so
//! far, names from `Define`. If no module was loaded at all, the file is a part of a configuration
//! whose modules nobody told; then both `<IfModule x>` and `<IfModule !x>` are read, because a name
//! too many can be checked later and a name too few cannot.

use super::lines::{split_word, words};
use super::variables::Variables;
use std::collections::BTreeSet;

/// The version that configurations are taken to be written for.
const ASSUMED_VERSION: [u32; 3] = [2, 4, 62];

/// Modules that are part of the program in the usual builds: identifier and source file.
const BUILT_IN: [(&str, &str); 8] = [
    ("core_module", "core.c"),
    ("so_module", "mod_so.c"),
    ("http_module", "http_core.c"),
    ("watchdog_module", "mod_watchdog.c"),
    ("log_config_module", "mod_log_config.c"),
    ("logio_module", "mod_logio.c"),
    ("version_module", "mod_version.c"),
    ("unixd_module", "mod_unixd.c"),
];

/// Modules as far as told.
#[derive(Debug, Default)]
pub(crate) struct Modules(BTreeSet<String>);

impl Modules {
    /// Takes the arguments of `LoadModule`: the identifier and the file, from which the name of
    /// the source file follows.
    pub(crate) fn load(&mut self, arguments: &[String]) {
        let [identifier, file, ..] = arguments else { return };
        self.0.insert(identifier.clone());
        let base = file.rsplit(['/', '\\']).next().unwrap_or(file);
        self.0.insert(format!("{}.c", base.strip_suffix(".so").unwrap_or(base)));
    }

    fn has(&self, name: &str) -> Option<bool> {
        let built_in =
            BUILT_IN.iter().any(|(identifier, file)| name == *identifier || name == *file);
        (built_in || !self.0.is_empty()).then(|| built_in || self.0.contains(name))
    }
}

/// What a section means for the lines in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// Not a condition, or one that holds.
    Read,
    Skipped,
}

/// Judges a section by its name (in lower case) and arguments. `exists` says whether a file is there.
pub(crate) fn judge(
    name: &str,
    arguments: &str,
    modules: &Modules,
    variables: &Variables<'_>,
    exists: &mut dyn FnMut(&str) -> bool,
) -> Section {
    // The sign stands before the quotes, if there are any; within them it is part of the name.
    let (negated, rest) = match arguments.trim_start().strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, arguments),
    };
    let subject = &split_word(rest).0;
    let holds = match name {
        "ifmodule" => modules.has(subject).map(|has| has != negated),
        "ifdefine" => Some(variables.is_defined(subject) != negated),
        "iffile" => Some(exists(subject) != negated),
        "ifversion" => version_holds(&words(arguments)),
        "perl" | "proxy_perl" => Some(false),
        _ => None,
    };
    if holds == Some(false) { Section::Skipped } else { Section::Read }
}

/// `None` if the version is compared with a pattern.
fn version_holds(words: &[String]) -> Option<bool> {
    let (operator, version) = match words {
        [version] => ("=", version),
        [operator, version, ..] => (operator.as_str(), version),
        [] => return None,
    };
    let (negated, operator) = match operator.strip_prefix('!') {
        Some(operator) => (true, operator),
        None => (false, operator),
    };
    let numbers: Option<Vec<u32>> = version.split('.').map(|part| part.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.len() <= ASSUMED_VERSION.len())?;
    let mut wanted = [0; 3];
    wanted[..numbers.len()].copy_from_slice(&numbers);
    let order = ASSUMED_VERSION.cmp(&wanted);
    let holds = match operator {
        "=" | "==" => order.is_eq(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        _ => return None,
    };
    Some(holds != negated)
}

#[cfg(test)]
mod tests {
    use super::super::variables::Environment;
    use super::*;

    #[test]
    fn sections() {
        let environment = Environment::default();
        let mut variables = Variables::new(&environment);
        variables.define("SSL", None);
        let mut modules = Modules::default();
        modules.load(&["ssl_module".to_owned(), "modules/mod_ssl.so".to_owned()]);
        let unknown = Modules::default();
        use Section::*;
        #[rustfmt::skip]
        let cases = [
            // section      arguments        modules told   none told
            ("ifmodule",    "mod_ssl.c",     Read,          Read),
            ("ifmodule",    "ssl_module",    Read,          Read),
            ("ifmodule",    "!ssl_module",   Skipped,       Read),
            ("ifmodule",    "mod_php.c",     Skipped,       Read),
            ("ifmodule",    "!mod_so.c",     Skipped,       Skipped),
            ("ifmodule",    "\"mod_ssl.c\"", Read,          Read),
            ("ifdefine",    "SSL",           Read,          Read),
            ("ifdefine",    "!SSL",          Skipped,       Skipped),
            ("ifdefine",    "OTHER",         Skipped,       Skipped),
            ("iffile",      "here",          Read,          Read),
            ("iffile",      "!here",         Skipped,       Skipped),
            ("iffile",      "\"!there\"",    Skipped,       Skipped),
            ("ifdefine",    "! SSL",         Skipped,       Skipped),
            ("ifdefine",    "SSL OTHER",     Read,          Read),
            ("iffile",      "there",         Skipped,       Skipped),
            ("ifversion",   ">= 2.4",        Read,          Read),
            ("ifversion",   "< 2.4",         Skipped,       Skipped),
            ("ifversion",   "!< 2.4",        Read,          Read),
            ("ifversion",   "2.2",           Skipped,       Skipped),
            ("ifversion",   "~ ^2",          Read,          Read),
            ("ifversion",   "= 1.2.3.4",     Read,          Read),
            ("if",          "%{HTTP_HOST}",  Read,          Read),
            ("directory",   "/",             Read,          Read),
            ("perl",        "",              Skipped,       Skipped),
        ];
        for (name, arguments, told, not_told) in cases {
            for (modules, expected) in [(&modules, told), (&unknown, not_told)] {
                let judged =
                    judge(name, arguments, modules, &variables, &mut |file| file == "here");
                assert_eq!(judged, expected, "{name} {arguments}");
            }
        }
    }
}
