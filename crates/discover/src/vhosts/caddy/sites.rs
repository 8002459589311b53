//! The sites of a Caddyfile.
//!
//! Two steps: imports of snippets and files are put in place, which gives one row of words; then
//! that row is sites, each with its addresses and a body. In a body, `host` matchers name further
//! hosts: that is how the sites below a wildcard certificate are written.

use super::super::files::{Include, Includes, Loaded, SourceFile, Want};
use super::super::glob::is_pattern;
use super::super::report::{Endpoint, Findings, Place, WhyReported};
use super::super::{MAX_EXPANDED_BYTES, MAX_EXPANDED_LINES, MAX_INCLUDE_DEPTH};
use super::addresses::split_address;
use super::tokens::{Token, tokens};
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) fn read_caddyfile(
    source: &SourceFile,
    load: &mut dyn FnMut(&Include<'_>) -> Loaded,
    findings: &mut Findings,
) {
    let mut expansion = Expansion {
        includes: Includes::new(load),
        snippets: BTreeMap::new(),
        imports: 0,
        lines_left: MAX_EXPANDED_LINES,
        bytes_left: MAX_EXPANDED_BYTES,
        row: Vec::new(),
        findings: &mut *findings,
    };
    expansion.file(source);
    let row = expansion.row;
    tell_sites(&row, findings);
}

struct Expansion<'a> {
    includes: Includes<'a>,
    snippets: BTreeMap<String, Vec<Token>>,
    /// Snippets that are being imported within each other.
    imports: usize,
    lines_left: usize,
    bytes_left: usize,
    row: Vec<Token>,
    findings: &'a mut Findings,
}

impl Expansion<'_> {
    fn file(&mut self, file: &SourceFile) {
        self.includes.enter(file);
        self.put(&tokens(&file.text, &file.name()));
        self.includes.leave();
    }

    fn put(&mut self, tokens: &[Token]) {
        let (mut at, mut depth) = (0, 0usize);
        while let Some(token) = tokens.get(at) {
            if let Some(name) = snippet_name(&tokens[at..]).filter(|_| depth == 0) {
                let end = block_end(tokens, at + 1);
                self.snippets.insert(name.to_owned(), tokens[at + 2..end].to_vec());
                at = end + 1;
            } else if token.begins_line && token.text == "import" {
                let end = line_end(tokens, at);
                self.import(token, &tokens[at + 1..end]);
                at = end;
            } else {
                depth += usize::from(token.opens());
                depth = depth.saturating_sub(usize::from(token.closes()));
                self.row.push(token.clone());
                at += 1;
            }
        }
    }

    fn import(&mut self, token: &Token, words: &[Token]) {
        let [what, arguments @ ..] = words else { return };
        let place = place_of(token);
        match self.put_in(&what.text, arguments) {
            Some(Ok(tokens)) => {
                self.imports += 1;
                self.put(&tokens);
                self.imports -= 1;
            }
            Some(Err(why)) => self.findings.report(&what.text, &place, "import", why),
            None => self.import_files(&what.text, &place),
        }
    }

    /// The words of a snippet with arguments in place; `None` if there is no such snippet.
    fn put_in(
        &mut self,
        name: &str,
        arguments: &[Token],
    ) -> Option<Result<Vec<Token>, WhyReported>> {
        let body = self.snippets.get(name)?;
        let length = |tokens: &[Token]| tokens.iter().map(|token| token.text.len()).sum::<usize>();
        // What is looked through costs time, what comes out costs memory: both are counted.
        let lines = self.lines_left.checked_sub(body.len().max(1));
        let bytes = self.bytes_left.checked_sub(length(body));
        let (Some(lines), Some(bytes), true) = (lines, bytes, self.imports < MAX_INCLUDE_DEPTH)
        else {
            return Some(Err(WhyReported::TooMuchExpansion));
        };
        (self.lines_left, self.bytes_left) = (lines, bytes);
        let tokens = substitute(body, arguments);
        let grown = self.bytes_left.checked_sub(length(&tokens));
        self.bytes_left = grown.unwrap_or_default();
        Some(grown.map(|_| tokens).ok_or(WhyReported::TooMuchExpansion))
    }

    fn import_files(&mut self, pattern: &str, place: &Place) {
        let base = Path::new(&place.file).parent().unwrap_or(Path::new(""));
        let include = Include { pattern, base, want: Want::Files };
        match self.includes.find(&include, place, self.findings) {
            Some(files) => files.iter().for_each(|file| self.file(file)),
            None if !is_pattern(pattern) => {
                self.findings.report(pattern, place, "import", WhyReported::MissingInclude);
            }
            None => {}
        }
    }
}

/// The name in `(name) {`, if that is what a line begins with.
fn snippet_name(tokens: &[Token]) -> Option<&str> {
    let [first, second, ..] = tokens else { return None };
    let name = first.text.strip_prefix('(')?.strip_suffix(')')?;
    (first.begins_line && second.opens()).then_some(name)
}

/// Puts arguments in place of `{args.0}` and `{args[0]}`; `{args[:]}` is all of them.
fn substitute(body: &[Token], arguments: &[Token]) -> Vec<Token> {
    let mut put_in = Vec::new();
    for token in body {
        if token.text == "{args[:]}" {
            put_in.extend(arguments.iter().cloned());
        } else if token.text.contains("{args") {
            let put = |text: String, (at, argument): (usize, &Token)| {
                let dotted = text.replace(&format!("{{args.{at}}}"), &argument.text);
                dotted.replace(&format!("{{args[{at}]}}"), &argument.text)
            };
            let text =
                arguments.iter().enumerate().take(MAX_ARGUMENTS).fold(token.text.clone(), put);
            put_in.push(token.with_text(text));
        } else {
            put_in.push(token.clone());
        }
    }
    put_in
}

/// Arguments of a snippet beyond this are not put in.
const MAX_ARGUMENTS: usize = 32;

fn tell_sites(row: &[Token], findings: &mut Findings) {
    // A block before everything else holds options of the server.
    let mut at = if row.first().is_some_and(Token::opens) { block_end(row, 0) + 1 } else { 0 };
    while at < row.len() {
        if row[at].closes() {
            // A brace too many: what follows is the next site.
            at += 1;
            continue;
        }
        let (addresses, body) = site_header(row, at);
        let end = match row.get(body) {
            Some(token) if token.opens() => block_end(row, body),
            _ => row.len(),
        };
        // `&(name)` is a route that sites may call.
        if !row[at].text.starts_with("&(") {
            let listens = tell_addresses(addresses, findings);
            tell_matchers(&row[body..end.min(row.len())], &listens, findings);
        }
        at = end + 1;
    }
}

/// The addresses of a site and where its body begins. They go on after a comma, and on the line.
fn site_header(row: &[Token], at: usize) -> (&[Token], usize) {
    let mut end = at;
    while let Some(token) = row.get(end) {
        let goes_on = end == at || !token.begins_line || row[end - 1].text.ends_with(',');
        if token.opens() || !goes_on {
            break;
        }
        end += 1;
    }
    (&row[at..end], end)
}

fn tell_addresses(addresses: &[Token], findings: &mut Findings) -> Vec<Endpoint> {
    let mut listens = Vec::new();
    for token in addresses {
        let place = place_of(token);
        for address in token.text.split(',').map(str::trim).filter(|text| !text.is_empty()) {
            let (host, endpoint) = split_address(address);
            if host.is_empty() {
                findings.report(address, &place, "site address", WhyReported::Nameless);
            } else {
                findings.host(host, &place, "site address", &[endpoint]);
            }
            listens.push(endpoint);
        }
    }
    listens
}

/// Tells the hosts of `@name host a b` and of `@name { host a b }`.
fn tell_matchers(body: &[Token], listens: &[Endpoint], findings: &mut Findings) {
    let mut at = 0;
    while let Some(token) = body.get(at) {
        at += 1;
        if !(token.begins_line && token.text.starts_with('@')) {
            continue;
        }
        match body.get(at) {
            Some(next) if next.text == "host" => tell_matcher(body, at, listens, findings),
            Some(next) if next.opens() => {
                let end = block_end(body, at).min(body.len());
                let hosts = (at..end).filter(|i| body[*i].begins_line && body[*i].text == "host");
                hosts.for_each(|host| tell_matcher(body, host, listens, findings));
                at = end;
            }
            _ => {}
        }
    }
}

fn tell_matcher(body: &[Token], at: usize, listens: &[Endpoint], findings: &mut Findings) {
    for token in &body[at + 1..line_end(body, at)] {
        findings.host(&token.text, &place_of(token), "host", listens);
    }
}

/// The index of the brace that closes the block opened at `open`, or of the end.
fn block_end(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return at;
            }
        }
    }
    tokens.len()
}

/// The index behind the last word of the line that a word stands in.
fn line_end(tokens: &[Token], at: usize) -> usize {
    let rest = tokens.iter().enumerate().skip(at + 1);
    rest.take_while(|(_, token)| !token.begins_line && !token.closes())
        .last()
        .map_or(at + 1, |(last, _)| last + 1)
}

fn place_of(token: &Token) -> Place {
    Place::new(&token.file, token.line)
}
