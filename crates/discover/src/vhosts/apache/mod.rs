//! Apache: configuration trees, and what `apachectl -S` prints.
//!
//! A tree is obeyed line by line as `httpd` does it while reading: variables are put in, conditions
//! judged, macros used and files included in the order of the lines. Of the directives themselves
//! only those that name hosts count.

mod conditions;
mod dump;
mod lines;
mod macros;
mod server;
mod variables;

pub(super) use dump::read_dump;
pub(super) use variables::Environment;

use super::files::{DiskFiles, Include, Includes, Loaded, SourceFile, Want, text_of};
use super::report::{Findings, Place, WhyReported};
use super::{MAX_EXPANDED_BYTES, MAX_EXPANDED_LINE, MAX_EXPANDED_LINES, MAX_INCLUDE_DEPTH};
use conditions::{Modules, Section, judge};
use lines::{Line, Statement, logical_lines, statement, words};
use macros::{Macro, Unusable};
use server::{Server, Servers};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use variables::Variables;

/// The environment from the file `envvars` beside a configuration, if there is one.
pub(super) fn environment_beside(config: &Path, disk: &mut DiskFiles) -> Environment {
    let script = disk.read(&config.with_file_name("envvars"));
    match script {
        Ok(Ok(bytes)) => Environment::read(&text_of(&bytes)),
        _ => Environment::default(),
    }
}

/// Reads a configuration, beginning at its main file.
pub(super) fn read_config(
    source: &SourceFile,
    environment: &Environment,
    load: &mut dyn FnMut(&Include<'_>) -> Loaded,
    findings: &mut Findings,
) {
    let mut reader = Reader {
        includes: Includes::new(load),
        variables: Variables::new(environment),
        modules: Modules::default(),
        macros: BTreeMap::new(),
        uses: 0,
        lines_left: MAX_EXPANDED_LINES,
        bytes_left: MAX_EXPANDED_BYTES,
        server_root: usual_root(&source.path),
        servers: Servers::new(Place::new(&source.name(), 1)),
        findings,
    };
    reader.read_file(source);
    reader.servers.tell(reader.findings);
}

/// The root if no directive tells it: where the main file is, or above if that is called `conf`.
fn usual_root(main: &Path) -> PathBuf {
    let directory = main.parent().unwrap_or(Path::new(""));
    match (directory.ends_with("conf"), directory.parent()) {
        (true, Some(above)) => above.to_owned(),
        _ => directory.to_owned(),
    }
}

struct Reader<'a> {
    includes: Includes<'a>,
    variables: Variables<'a>,
    modules: Modules,
    macros: BTreeMap<String, Macro>,
    /// Macros that are being used within each other.
    uses: usize,
    lines_left: usize,
    bytes_left: usize,
    server_root: PathBuf,
    servers: Servers,
    findings: &'a mut Findings,
}

/// Where lines come from.
#[derive(Debug, Clone)]
enum Origin {
    File(String),
    /// All lines of a macro stand where it is used.
    Use(Place),
}

impl Origin {
    fn place(&self, line: &Line) -> Place {
        match self {
            Origin::File(file) => Place::new(file, line.number),
            Origin::Use(place) => place.clone(),
        }
    }
}

impl Reader<'_> {
    fn read_file(&mut self, file: &SourceFile) {
        self.includes.enter(file);
        self.read_lines(&logical_lines(&file.text), &Origin::File(file.name()));
        self.includes.leave();
    }

    fn read_lines(&mut self, lines: &[Line], origin: &Origin) {
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let place = origin.place(line);
            at += 1;
            let Some(text) = self.resolve(&line.text) else {
                let why = WhyReported::TooMuchExpansion;
                self.findings.report(&line.text, &place, "Define", why);
                continue;
            };
            match statement(&text) {
                Statement::Open { name, arguments } if name == "macro" => {
                    let end = section_end(lines, at, &name);
                    self.declare(&arguments, &lines[at..end]);
                    at = end;
                }
                Statement::Open { name, arguments } => {
                    if self.open(&name, &arguments, &place) == Section::Skipped {
                        let end = section_end(lines, at, &name);
                        self.report_skipped(&text, &lines[at..end], &place);
                        at = end;
                    }
                }
                Statement::Close { name } if name == "virtualhost" => self.servers.close(),
                Statement::Close { .. } => {}
                Statement::Directive { name, arguments } => self.obey(&name, &arguments, &place),
            }
        }
    }

    /// Puts variables in, unless that has made too much of the configuration already.
    fn resolve<'l>(&mut self, line: &'l str) -> Option<Cow<'l, str>> {
        if !line.contains("${") {
            return Some(Cow::Borrowed(line));
        }
        if self.bytes_left == 0 {
            return None;
        }
        let resolved = self.variables.resolve(line);
        let used = resolved.as_ref().map_or(MAX_EXPANDED_LINE, String::len);
        self.bytes_left = self.bytes_left.saturating_sub(used);
        resolved.map(Cow::Owned)
    }

    fn open(&mut self, name: &str, arguments: &str, place: &Place) -> Section {
        if name == "virtualhost" {
            self.servers.open(Server::at(words(arguments), place.clone()));
            return Section::Read;
        }
        let Reader { includes, modules, variables, server_root, .. } = self;
        let mut exists = |file: &str| {
            let include = Include { pattern: file, base: server_root, want: Want::Existence };
            includes.exist(&include)
        };
        judge(name, arguments, modules, variables, &mut exists)
    }

    /// Says so if names stand in a part that is not obeyed.
    fn report_skipped(&mut self, section: &str, lines: &[Line], place: &Place) {
        let names = |line: &Line| {
            let name = line.text.split_whitespace().next().unwrap_or_default();
            ["servername", "serveralias"].iter().any(|known| name.eq_ignore_ascii_case(known))
        };
        if lines.iter().any(names) {
            self.findings.report(section, place, "section", WhyReported::Condition);
        }
    }

    fn declare(&mut self, arguments: &str, body: &[Line]) {
        let declared = Macro::declare(arguments, body.to_vec());
        self.macros.extend(declared);
    }

    fn obey(&mut self, name: &str, arguments: &str, place: &Place) {
        let words = || words(arguments);
        match name {
            "servername" => self.servers.name(words(), place),
            "serveralias" => self.servers.alias(words(), place),
            "virtualdocumentroot"
            | "virtualscriptalias"
            | "virtualdocumentrootip"
            | "virtualscriptaliasip" => {
                let why = WhyReported::MassHosting;
                self.findings.report(arguments, place, "VirtualDocumentRoot", why);
            }
            // An absolute path, which `push` puts in place of the old one.
            "serverroot" => words().iter().take(1).for_each(|root| self.server_root.push(root)),
            "loadmodule" => self.modules.load(&words()),
            "define" => {
                if let [name, value @ ..] = words().as_slice() {
                    self.variables.define(name, value.first().map(String::as_str));
                }
            }
            "undefine" => words().iter().for_each(|name| self.variables.undefine(name)),
            "include" => words().iter().for_each(|file| self.include(file, place, Missing::Told)),
            "includeoptional" => {
                words().iter().for_each(|file| self.include(file, place, Missing::Fine));
            }
            "use" => self.use_macro(&words(), place),
            "undefmacro" => {
                words()
                    .iter()
                    .for_each(|name| drop(self.macros.remove(&name.to_ascii_lowercase())));
            }
            _ => {}
        }
    }

    fn include(&mut self, pattern: &str, place: &Place, missing: Missing) {
        let base = &self.server_root.clone();
        let include = Include { pattern, base, want: Want::FilesBelow };
        match self.includes.find(&include, place, self.findings) {
            Some(files) => files.iter().for_each(|file| self.read_file(file)),
            None if missing == Missing::Told => {
                self.findings.report(pattern, place, "Include", WhyReported::MissingInclude);
            }
            None => {}
        }
    }

    fn use_macro(&mut self, words: &[String], place: &Place) {
        let [name, arguments @ ..] = words else { return };
        let lines = match self.expand(name, arguments) {
            Ok(lines) => lines,
            Err(why) => return self.findings.report(&words.join(" "), place, "Use", why),
        };
        self.uses += 1;
        self.read_lines(&lines, &Origin::Use(place.clone()));
        self.uses -= 1;
    }

    fn expand(&mut self, name: &str, arguments: &[String]) -> Result<Vec<Line>, WhyReported> {
        let macro_ = self.macros.get(&name.to_ascii_lowercase()).ok_or(WhyReported::Macro)?;
        let left = self.lines_left.checked_sub(macro_.lines());
        let left = left.filter(|_| self.uses < MAX_INCLUDE_DEPTH);
        self.lines_left = left.ok_or(WhyReported::TooMuchExpansion)?;
        let expanded = macro_.expand(arguments, self.bytes_left);
        let used: usize = expanded.iter().flatten().map(|line| line.text.len()).sum();
        self.bytes_left = self.bytes_left.saturating_sub(macro_.bytes() + used);
        expanded.map_err(|why| match why {
            Unusable::WrongArguments => WhyReported::Macro,
            Unusable::TooLong => WhyReported::TooMuchExpansion,
        })
    }
}

/// Whether it matters that an included file does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    Told,
    Fine,
}

/// The index of the line that closes a section, whose lines begin at `from`.
fn section_end(lines: &[Line], from: usize, name: &str) -> usize {
    let mut depth = 0;
    for (at, line) in lines.iter().enumerate().skip(from) {
        if !line.text.starts_with('<') {
            continue;
        }
        match statement(&line.text) {
            Statement::Open { name: opened, .. } if opened == name => depth += 1,
            Statement::Close { name: closed } if closed == name && depth == 0 => return at,
            Statement::Close { name: closed } if closed == name => depth -= 1,
            _ => {}
        }
    }
    lines.len()
}

#[cfg(test)]
mod tests;
