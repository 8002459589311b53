//! Checks a set of files and turns it into a [`Program`].
//!
//! Everything that can be wrong with a set is found here, before any document is read: names nobody
//! gave, words nobody knows, arguments of the wrong kind, XPath and regular expressions that cannot be
//! read, labels used twice, names that explain each other in a circle.

mod calls;
mod circles;
mod conditions;
mod heuristics;
mod names;
mod values;

pub use circles::MAX_CHAIN;

use super::code::{LetCode, Program, ValueCode};
use super::faults::{HeuristicsError, SourceFile, Span};
use super::parser;
use super::pattern::{Checking, PatternGroup, SignsBuilder};
use super::syntax::FileSyntax;
use auslese_model::Field;
use names::Names;
use rustc_hash::FxHashMap;

/// Checks a set of files; warnings come with the program, faults instead of it.
pub(crate) fn compile(
    files: Vec<SourceFile>,
    checking: Checking,
) -> Result<(Program, Vec<HeuristicsError>), Vec<HeuristicsError>> {
    let mut faults = Vec::new();
    let mut parsed = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let (syntax, found) = parser::parse(file, at as u32);
        parsed.push(syntax);
        faults.extend(found);
    }
    // What cannot be read is not known either: faults of the second kind would only echo the first.
    if !faults.is_empty() {
        return Err(sorted(faults));
    }
    let mut compiler = Compiler::new(&files, &parsed, checking);
    let lets = compiler.lets(&parsed);
    let heuristics = compiler.heuristics(&parsed);
    let Compiler { mut faults, names, nameless, signs, classes, .. } = compiler;
    let warnings = names.unused();
    let program = Program { files, lets, nameless, heuristics, signs: signs.build(), classes };
    if faults.is_empty() {
        circles::check(&program, &mut faults);
    }
    if faults.is_empty() { Ok((program, warnings)) } else { Err(sorted(faults)) }
}

struct Compiler<'a> {
    files: &'a [SourceFile],
    faults: Vec<HeuristicsError>,
    names: Names<'a>,
    /// The fields that have a heuristic, in the order of the heuristics.
    fields: Vec<String>,
    /// Whether `it` means something here.
    it_is_known: bool,
    /// The field of the heuristic that is being checked.
    field: Option<Field>,
    nameless: Vec<ValueCode>,
    /// The places of XPath expressions without variables among these.
    xpaths: FxHashMap<String, usize>,
    signs: SignsBuilder,
    classes: PatternGroup,
    checking: Checking,
}

/// A fault that was noted already.
#[derive(Debug)]
struct Noted;

type Checked<T> = Result<T, Noted>;

impl<'a> Compiler<'a> {
    fn new(files: &'a [SourceFile], parsed: &'a [FileSyntax], checking: Checking) -> Self {
        let mut faults = Vec::new();
        let names = Names::gather(files, parsed, &mut faults);
        let fields = parsed.iter().flat_map(|file| &file.heuristics);
        let fields = fields.map(|it| it.field.is.clone()).collect();
        Compiler {
            files,
            faults,
            names,
            fields,
            it_is_known: false,
            field: None,
            nameless: Vec::new(),
            xpaths: FxHashMap::default(),
            signs: SignsBuilder::default(),
            classes: PatternGroup::default(),
            checking,
        }
    }

    fn fault<T>(&mut self, span: Span, message: impl Into<String>) -> Checked<T> {
        self.fault_at(span.file, span.start, message)
    }

    fn fault_at<T>(&mut self, file: u32, offset: u32, message: impl Into<String>) -> Checked<T> {
        self.faults.push(self.files[file as usize].fault(offset, message));
        Err(Noted)
    }

    /// In the order in which [`Names`] numbers them. A faulty one leaves a gap, but then no program
    /// comes of it.
    fn lets(&mut self, parsed: &[FileSyntax]) -> Vec<LetCode> {
        let mut lets = Vec::new();
        for it in parsed.iter().flat_map(|file| &file.lets) {
            if let Ok(value) = self.value(&it.value) {
                lets.push(LetCode { name: it.name.is.clone(), value });
            }
        }
        lets
    }
}

fn sorted(mut faults: Vec<HeuristicsError>) -> Vec<HeuristicsError> {
    faults.sort();
    faults.dedup();
    faults
}
