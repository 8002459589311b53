//! Which names are known in which file: its own, and those of the files it uses.

use crate::heuristics::faults::{HeuristicsError, SourceFile, Span};
use crate::heuristics::suggestion::did_you_mean;
use crate::heuristics::syntax::FileSyntax;
use rustc_hash::FxHashMap;

pub(super) struct Names<'a> {
    files: &'a [SourceFile],
    lets: Vec<Named<'a>>,
    /// By file.
    scopes: Vec<FxHashMap<&'a str, usize>>,
    uses: Vec<Used>,
}

struct Named<'a> {
    name: &'a str,
    span: Span,
    is_used: bool,
}

struct Used {
    span: Span,
    file: u32,
    is_needed: bool,
}

impl<'a> Names<'a> {
    pub(super) fn gather(
        files: &'a [SourceFile],
        parsed: &'a [FileSyntax],
        faults: &mut Vec<HeuristicsError>,
    ) -> Names<'a> {
        let mut names = Names { files, lets: Vec::new(), scopes: Vec::new(), uses: Vec::new() };
        for syntax in parsed {
            let scope = names.own(syntax, faults);
            names.scopes.push(scope);
        }
        let own = names.scopes.clone();
        for (at, syntax) in parsed.iter().enumerate() {
            names.add_used(at, syntax, &own, faults);
        }
        names
    }

    /// The number of a name in a file; `Err` is what to tell.
    pub(super) fn look_up(&mut self, file: u32, name: &str) -> Result<usize, String> {
        let scope = &self.scopes[file as usize];
        let Some(&number) = scope.get(name) else {
            return Err(self.unknown(file, name));
        };
        let named = &mut self.lets[number];
        named.is_used = true;
        let home = named.span.file;
        for used in &mut self.uses {
            used.is_needed |= used.span.file == file && used.file == home;
        }
        Ok(number)
    }

    /// Names and uses that nothing asks for.
    pub(super) fn unused(&self) -> Vec<HeuristicsError> {
        let lets = self.lets.iter().filter(|it| !it.is_used);
        let lets = lets.map(|it| {
            let file = &self.files[it.span.file as usize];
            file.fault(it.span.start, format!("nothing uses {}", it.name))
        });
        let uses = self.uses.iter().filter(|it| !it.is_needed);
        let uses = uses.map(|it| {
            let name = &self.files[it.file as usize].name;
            let file = &self.files[it.span.file as usize];
            file.fault(it.span.start, format!("nothing here needs the names of \"{name}\""))
        });
        lets.chain(uses).collect()
    }

    fn own(
        &mut self,
        syntax: &'a FileSyntax,
        faults: &mut Vec<HeuristicsError>,
    ) -> FxHashMap<&'a str, usize> {
        let mut scope = FxHashMap::default();
        for it in &syntax.lets {
            let name = it.name.is.as_str();
            if let Some(earlier) = scope.insert(name, self.lets.len()) {
                let earlier: &Named<'_> = &self.lets[earlier];
                faults.push(self.twice(name, it.name.span, earlier.span));
            }
            self.lets.push(Named { name, span: it.name.span, is_used: false });
        }
        scope
    }

    fn add_used(
        &mut self,
        at: usize,
        syntax: &FileSyntax,
        own: &[FxHashMap<&'a str, usize>],
        faults: &mut Vec<HeuristicsError>,
    ) {
        for wanted in &syntax.uses {
            let found = self.files.iter().position(|file| file.name == wanted.is);
            let Some(found) = found.filter(|found| *found != at) else {
                faults.push(self.no_such_file(at, &wanted.is, wanted.span));
                continue;
            };
            self.uses.push(Used { span: wanted.span, file: found as u32, is_needed: false });
            for (name, number) in &own[found] {
                let earlier = self.scopes[at].insert(name, *number);
                if let Some(earlier) = earlier.filter(|earlier| earlier != number) {
                    faults.push(self.known_already(name, wanted.span, earlier));
                }
            }
        }
    }

    fn twice(&self, name: &str, span: Span, earlier: Span) -> HeuristicsError {
        let file = &self.files[span.file as usize];
        let (line, _) = file.position(earlier.start);
        file.fault(span.start, format!("{name} has a value already, in line {line}"))
    }

    fn known_already(&self, name: &str, span: Span, earlier: usize) -> HeuristicsError {
        let earlier = self.lets[earlier].span;
        let home = &self.files[earlier.file as usize];
        let (line, _) = home.position(earlier.start);
        let message = format!("it brings {name}, which is known from {}:{line}", home.path);
        self.files[span.file as usize].fault(span.start, message)
    }

    fn no_such_file(&self, at: usize, name: &str, span: Span) -> HeuristicsError {
        let file = &self.files[at];
        if name == file.name {
            return file.fault(span.start, "a file need not use itself");
        }
        let known: Vec<&str> = self.files.iter().map(|file| file.name.as_str()).collect();
        let hint = did_you_mean(name, &known);
        file.fault(span.start, format!("the set has no file \"{name}.heur\"{hint}"))
    }

    fn unknown(&self, file: u32, name: &str) -> String {
        let elsewhere = self.lets.iter().find(|it| it.name == name);
        if let Some(elsewhere) = elsewhere {
            let home = &self.files[elsewhere.span.file as usize].name;
            return format!("{name} is not known here; `use \"{home}\"` would make it so");
        }
        let known: Vec<&str> = self.scopes[file as usize].keys().copied().collect();
        format!("there is no {name}{}", did_you_mean(name, &known))
    }
}
