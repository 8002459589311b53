//! Variables: `Define`, `UnDefine`, `${NAME}`, and the environment the server is started with.
//!
//! The environment is read from the file `envvars` beside the configuration, as Debian keeps it;
//! the environment of our own process is that of another program, so it does not count.

use super::super::MAX_EXPANDED_LINE;
use std::collections::BTreeMap;

/// Lines of a start script that are read; real ones have fifty.
const MAX_SCRIPT_LINES: usize = 10_000;

/// Longest value of a variable of the environment, in bytes. Paths are shorter.
const MAX_VALUE: usize = 4096;

/// What the server's start script exports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Reads assignments of a shell script: `NAME=value`, `export NAME=value`, `: ${NAME:=value}`.
    /// Of several for one name, such as in the branches of an `if`, the last counts.
    pub(crate) fn read(script: &str) -> Environment {
        let mut known = Environment::default();
        for line in script.lines().take(MAX_SCRIPT_LINES) {
            if let Some((name, value)) = assignment(line.trim())
                && let Some(value) = known.expand(value)
            {
                known.0.insert(name.to_owned(), value);
            }
        }
        known
    }

    /// Puts in `$NAME` and `${NAME}`; unknown ones are empty, as in a shell. `None` if it becomes too
    /// long.
    fn expand(&self, value: &str) -> Option<String> {
        let quoted = [('"', '"'), ('\'', '\'')];
        let inner = quoted.iter().find_map(|(a, b)| value.strip_prefix(*a)?.strip_suffix(*b));
        let mut rest = inner.unwrap_or(value);
        let mut expanded = String::new();
        while let Some(at) = rest.find('$') {
            expanded.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            let (name, behind) = match after.strip_prefix('{').and_then(|name| name.split_once('}'))
            {
                Some(parts) => parts,
                None => after.split_at(after.find(|c| !is_name_char(c)).unwrap_or(after.len())),
            };
            expanded.push_str(self.0.get(name).map_or("", String::as_str));
            rest = behind;
            if expanded.len() > MAX_VALUE {
                return None;
            }
        }
        expanded.push_str(rest);
        (expanded.len() <= MAX_VALUE).then_some(expanded)
    }
}

fn assignment(line: &str) -> Option<(&str, &str)> {
    if let Some(default) = line.strip_prefix(": ${") {
        return default.strip_suffix('}')?.split_once(":=");
    }
    let (name, value) = line.strip_prefix("export ").unwrap_or(line).trim().split_once('=')?;
    (!name.is_empty() && name.chars().all(is_name_char)).then_some((name, value))
}

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Variables while a configuration is being read.
#[derive(Debug)]
pub(crate) struct Variables<'a> {
    /// `None` for names that are defined without a value.
    defined: BTreeMap<String, Option<String>>,
    environment: &'a Environment,
}

impl<'a> Variables<'a> {
    pub(crate) fn new(environment: &'a Environment) -> Variables<'a> {
        Variables { defined: BTreeMap::new(), environment }
    }

    pub(crate) fn define(&mut self, name: &str, value: Option<&str>) {
        self.defined.insert(name.to_owned(), value.map(str::to_owned));
    }

    pub(crate) fn undefine(&mut self, name: &str) {
        self.defined.remove(name);
    }

    pub(crate) fn is_defined(&self, name: &str) -> bool {
        self.defined.contains_key(name)
    }

    /// Puts values in; what has none stays as it is written. `None` if the line becomes too long.
    pub(crate) fn resolve(&self, line: &str) -> Option<String> {
        let mut resolved = String::new();
        let mut rest = line;
        while let Some((before, name, after)) = next_reference(rest) {
            resolved.push_str(before);
            match self.value(name) {
                Some(value) => resolved.push_str(value),
                None => resolved.push_str(&rest[before.len()..rest.len() - after.len()]),
            }
            if resolved.len() > MAX_EXPANDED_LINE {
                return None;
            }
            rest = after;
        }
        resolved.push_str(rest);
        Some(resolved)
    }

    fn value(&self, name: &str) -> Option<&str> {
        match self.defined.get(name) {
            Some(value) => value.as_deref(),
            None => self.environment.0.get(name).map(String::as_str),
        }
    }
}

/// What stands before `${NAME}`, the name, and what stands behind.
fn next_reference(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("${")?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_of_debian() {
        let script = "unset HOME\nif [ x ] ; then\n\tSUFFIX=\"-x\"\nelse\n\tSUFFIX=\nfi\n\
                      export APACHE_LOG_DIR=/var/log/apache2$SUFFIX\nexport LANG=C\nexport LANG\n\
                      : ${SITE:=www.uni.example}\nexport ALT=\"alt.${SITE}\"\n";
        let environment = Environment::read(script);
        let variables = Variables::new(&environment);
        let resolved = variables.resolve("${APACHE_LOG_DIR}/x ${ALT} ${HOME} ${").unwrap();
        assert_eq!(resolved, "/var/log/apache2/x alt.www.uni.example ${HOME} ${");
    }

    #[test]
    fn definitions_come_and_go() {
        let environment = Environment::default();
        let mut variables = Variables::new(&environment);
        variables.define("A", Some("x"));
        variables.define("FLAG", None);
        assert_eq!(variables.resolve("${A}.${FLAG}").unwrap(), "x.${FLAG}");
        variables.undefine("A");
        assert_eq!(variables.resolve("${A}").unwrap(), "${A}");
        assert!(variables.is_defined("FLAG") && !variables.is_defined("A"));
    }

    #[test]
    fn values_cannot_grow_without_end() {
        let doubling = format!("A=x\n{}B=y\n", "A=$A$A\n".repeat(100));
        let environment = Environment::read(&doubling);
        assert!(environment.0["A"].len() <= MAX_VALUE && environment.0["B"] == "y");
        let environment = Environment::default();
        let mut variables = Variables::new(&environment);
        variables.define("A", Some(&"x".repeat(1000)));
        assert!(variables.resolve(&"${A}".repeat(60)).is_some());
        assert!(variables.resolve(&"${A}".repeat(70)).is_none());
    }
}
