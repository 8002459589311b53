//! nginx: configuration trees, and what `nginx -T` prints.
//!
//! Servers are collected with the addresses they listen at; blocks of other kinds may hold the same
//! words and mean something else.

mod dump;
mod tokens;

pub(super) use dump::read_dump;

use super::files::{Include, Includes, Loaded, SourceFile, Want};
use super::glob::is_pattern;
use super::report::{Endpoint, Findings, Place, WhyReported};
use std::path::{Path, PathBuf};
use tokens::{Token, Tokens};

/// Reads a configuration, beginning at its main file.
pub(super) fn read_config(
    source: &SourceFile,
    load: &mut dyn FnMut(&Include<'_>) -> Loaded,
    findings: &mut Findings,
) {
    let mut reader = Reader {
        includes: Includes::new(load),
        prefix: source.path.parent().map(Path::to_owned).unwrap_or_default(),
        blocks: Vec::new(),
        findings,
    };
    reader.read_file(source);
}

struct Reader<'a> {
    includes: Includes<'a>,
    /// What relative includes begin at: the directory of the main file.
    prefix: PathBuf,
    /// Blocks that are open now, across files.
    blocks: Vec<Block>,
    findings: &'a mut Findings,
}

#[derive(Debug)]
enum Block {
    Server(Server),
    /// All in here is about mail, servers too.
    Mail,
    Other,
}

#[derive(Debug, Default)]
struct Server {
    place: Option<Place>,
    names: Vec<(String, Place)>,
    listens: Vec<Endpoint>,
}

impl Reader<'_> {
    fn read_file(&mut self, file: &SourceFile) {
        self.includes.enter(file);
        let (name, outside) = (file.name(), self.blocks.len());
        let mut tokens = Tokens::new(&file.text);
        let mut words: Vec<String> = Vec::new();
        let mut line = 1;
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(word) => {
                    if words.is_empty() {
                        line = tokens.line();
                    }
                    words.push(word);
                }
                Token::Semicolon => self.obey(&std::mem::take(&mut words), Place::new(&name, line)),
                Token::Open
                    if words.first().is_some_and(|word| word.ends_with("_by_lua_block")) =>
                {
                    words.clear();
                    self.blocks.push(Block::Other);
                    tokens.skip_lua();
                }
                Token::Open => self.open(&std::mem::take(&mut words), Place::new(&name, line)),
                Token::Close => {
                    words.clear();
                    if self.blocks.len() > outside {
                        self.close();
                    }
                }
            }
        }
        while self.blocks.len() > outside {
            self.close();
        }
        self.includes.leave();
    }

    fn open(&mut self, words: &[String], place: Place) {
        self.blocks.push(match (self.blocks.last(), words.first().map(String::as_str)) {
            (Some(Block::Mail), _) | (_, Some("mail")) => Block::Mail,
            (_, Some("server")) => {
                Block::Server(Server { place: Some(place), ..Server::default() })
            }
            _ => Block::Other,
        });
    }

    fn close(&mut self) {
        if let Some(Block::Server(server)) = self.blocks.pop() {
            self.tell(&server);
        }
    }

    fn obey(&mut self, words: &[String], place: Place) {
        let [directive, arguments @ ..] = words else { return };
        match (directive.as_str(), self.blocks.last_mut()) {
            ("include", _) => {
                arguments.iter().for_each(|pattern| self.include(pattern, &place));
            }
            ("root" | "alias", _) if arguments.iter().any(|path| comes_from_host(path)) => {
                let text = arguments.join(" ");
                self.findings.report(&text, &place, "root", WhyReported::MassHosting);
            }
            ("server_name", Some(Block::Server(server))) => {
                let names = arguments.iter().map(|name| (name.clone(), place.clone()));
                server.names.extend(names);
            }
            // A part of a server block in a file of its own.
            ("server_name", None) => {
                for name in arguments {
                    self.tell_name(name, &place, &[]);
                }
            }
            ("listen", Some(Block::Server(server))) => {
                let listened = arguments.first().filter(|address| !address.starts_with("unix:"));
                server.listens.extend(listened.map(|address| Endpoint::parse(address)));
            }
            _ => {}
        }
    }

    fn include(&mut self, pattern: &str, place: &Place) {
        let base = &self.prefix.clone();
        let include = Include { pattern, base, want: Want::Files };
        match self.includes.find(&include, place, self.findings) {
            Some(files) => files.iter().for_each(|file| self.read_file(file)),
            None if !is_pattern(pattern) => {
                self.findings.report(pattern, place, "include", WhyReported::MissingInclude);
            }
            None => {}
        }
    }

    fn tell(&mut self, server: &Server) {
        for (name, place) in &server.names {
            self.tell_name(name, place, &server.listens);
        }
        if let (true, Some(place)) = (server.names.is_empty(), &server.place) {
            self.findings.report("", place, "server", WhyReported::Nameless);
        }
    }

    fn tell_name(&mut self, name: &str, place: &Place, listens: &[Endpoint]) {
        let directive = "server_name";
        if name.starts_with('~') {
            self.findings.report(name, place, directive, WhyReported::Regex);
        } else if name == "_" {
            self.findings.report(name, place, directive, WhyReported::CatchAll);
        } else if let Some(host) = name.strip_prefix('.') {
            // `.uni.example` stands for the name itself and for all below.
            self.findings.host(host, place, directive, listens);
            self.findings.report(&format!("*{name}"), place, directive, WhyReported::Wildcard);
        } else {
            self.findings.host(name, place, directive, listens);
        }
    }
}

/// Whether a path is chosen by the host that is asked for.
fn comes_from_host(path: &str) -> bool {
    ["$host", "${host}", "$http_host", "${http_host}"].iter().any(|variable| {
        path.split_once(variable).is_some_and(|(_, rest)| {
            // `$hostname` is this machine.
            variable.ends_with('}') || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    })
}

#[cfg(test)]
mod tests;
