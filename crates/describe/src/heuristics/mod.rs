//! The language of heuristics: text files in, decisions with their reasons out.
//!
//! A set is a folder of `*.heur` files. It is read once ([`Heuristics::read`]), in three steps that
//! each know nothing of the next: cut into words ([`lexer`]), read as clauses ([`parser`]), checked
//! and compiled ([`compile`]). Then it describes any number of documents: values are found
//! ([`evaluate`]), rules decide ([`decide`]), and whoever asks why is told ([`explain`]).
//! `docs/heuristics.md` explains the language to those who write it.

mod code;
mod compile;
mod decide;
mod evaluate;
mod explain;
mod faults;
mod folder;
mod lexer;
mod parser;
mod pattern;
mod shipped;
mod suggestion;
mod syntax;
mod vocabulary;

#[cfg(test)]
mod properties;

pub use compile::MAX_CHAIN;
pub use decide::MAX_CANDIDATES;
pub use evaluate::{MAX_DESCRIBE_STEPS, MAX_ITEMS, MAX_VALUE};
pub use explain::{
    CandidateExplained, Explanation, FieldExplained, ItemExplained, NameExplained, RuleExplained,
    Verdict,
};
pub use faults::{HeuristicsError, HeuristicsErrors};
pub use parser::MAX_NESTING;
pub use pattern::MAX_REGEX;
pub use shipped::SHIPPED_HEURISTICS;

use crate::weighing::Indicators;
use crate::{Subject, Weights};
use auslese_markup::Places;
use auslese_model::{Description, Field, RuleId};
use code::Program;
use evaluate::Evaluation;
use faults::{SourceFile, Span};
use pattern::Checking;
use sha2::{Digest, Sha256};
use std::path::Path;
use syntax::Decides;

/// Bytes of one file of heuristics.
pub const MAX_HEURISTICS_FILE: usize = 1024 * 1024;

/// Files of one set.
pub const MAX_HEURISTICS_FILES: usize = 256;

/// Says what a document says about itself.
pub fn describe(subject: &Subject<'_>, heuristics: &Heuristics, weights: &Weights) -> Description {
    described(&Evaluation::new(&heuristics.program, subject, weights, MAX_DESCRIBE_STEPS), |_| true)
}

/// The same for some fields, which is less work. What they need of others is worked out, but not told.
pub fn describe_fields(
    subject: &Subject<'_>,
    heuristics: &Heuristics,
    weights: &Weights,
    fields: &[Field],
) -> Description {
    let evaluation = Evaluation::new(&heuristics.program, subject, weights, MAX_DESCRIBE_STEPS);
    described(&evaluation, |field| fields.contains(&field))
}

/// What the rules offer for each field of a document, and who speaks for it: what weights are
/// measured on.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates {
    /// The class of the document.
    pub class: String,
    pub fields: Vec<FieldCandidates>,
    /// Why there are not all, if so.
    pub trouble: Option<String>,
}

/// What the rules offer for one field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldCandidates {
    pub field: Field,
    /// Each value once, with who speaks for it; best first.
    pub candidates: Vec<(String, Indicators)>,
}

/// What the rules offer, chosen or not. Weights matter where one heuristic asks what another chose.
pub fn candidates(subject: &Subject<'_>, heuristics: &Heuristics, weights: &Weights) -> Candidates {
    let evaluation = Evaluation::new(&heuristics.program, subject, weights, MAX_DESCRIBE_STEPS);
    let decided = evaluation.decided();
    let mut fields = Vec::new();
    for decision in &decided.decisions {
        let candidates = decision.candidates.iter();
        let candidates =
            candidates.map(|it| (evaluation.text(&it.item).to_owned(), it.indicators.clone()));
        let field = decision.heuristic.field;
        fields.push(FieldCandidates { field, candidates: candidates.collect() });
    }
    Candidates { class: evaluation.class().to_owned(), fields, trouble: decided.trouble }
}

/// Says how [`describe`] comes to what it says; of one field only, if one is named.
pub fn explain(
    subject: &Subject<'_>,
    heuristics: &Heuristics,
    weights: &Weights,
    only: Option<Field>,
) -> Explanation {
    let evaluation = || Evaluation::new(&heuristics.program, subject, weights, MAX_DESCRIBE_STEPS);
    let everything = evaluation();
    let decided = everything.decided();
    match only {
        None => explain::explanation(&everything, &decided),
        // Decided again by itself, so that only names are shown that had a part in it.
        Some(field) => {
            let evaluation = evaluation().of_class(everything.class());
            explain::explanation(&evaluation, &evaluation.decided_for(field))
        }
    }
}

fn described(evaluation: &Evaluation<'_>, is_wanted: impl Fn(Field) -> bool) -> Description {
    let decided = evaluation.decided_of(is_wanted);
    let (mut statements, mut field_weights) = (Vec::new(), Vec::new());
    let mut places = Places::of(evaluation.tree());
    for decision in &decided.decisions {
        statements.extend(decision.statements(evaluation, &mut places));
        let weight = decision.list_weight(evaluation);
        field_weights.extend(weight.map(|weight| (decision.heuristic.field, weight)));
    }
    let (class, trouble) = (evaluation.class().to_owned(), decided.trouble);
    Description { statements, field_weights, class, trouble }
}

/// A set of heuristics, checked and ready.
#[derive(Debug)]
pub struct Heuristics {
    name: String,
    digest: String,
    program: Program,
    warnings: Vec<HeuristicsError>,
}

/// A rule, support or doubt as its author wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub id: RuleId,
    pub field: Field,
    /// The weight it was written with.
    pub initial: f64,
    /// `FILE:LINE`.
    pub place: String,
    /// Its text.
    pub source: String,
}

impl Heuristics {
    /// One of the sets that come with the program: see [`SHIPPED_HEURISTICS`].
    pub fn shipped(name: &str) -> Option<Heuristics> {
        let files = shipped::files(name)?;
        let parsed = Heuristics::compiled(name, files, Checking::Done);
        Some(parsed.expect("shipped heuristics are checked by a test"))
    }

    /// The files of a folder that end in `.heur`; its name is that of the set.
    pub fn read(dir: &Path) -> Result<Heuristics, HeuristicsErrors> {
        let name = dir.file_name().map_or("heuristics".into(), |name| name.to_string_lossy());
        let files = folder::read(dir).map_err(|fault| HeuristicsErrors(vec![fault]))?;
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        Heuristics::parse(&name, &files)
    }

    /// A set of files, each with its name and its text.
    pub fn parse(name: &str, files: &[(&str, &str)]) -> Result<Heuristics, HeuristicsErrors> {
        Heuristics::compiled(name, files, Checking::Thorough)
    }

    fn compiled(
        name: &str,
        files: &[(&str, &str)],
        checking: Checking,
    ) -> Result<Heuristics, HeuristicsErrors> {
        let mut files = files.to_vec();
        files.sort_unstable();
        check_size(name, &files).map_err(|fault| HeuristicsErrors(vec![fault]))?;
        let digest = digest(&files);
        let sources = files.iter().map(|(path, text)| SourceFile {
            name: stem(path).to_owned(),
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        });
        let (program, warnings) =
            compile::compile(sources.collect(), checking).map_err(HeuristicsErrors)?;
        Ok(Heuristics { name: name.to_owned(), digest, program, warnings })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of names and texts of all files: another digest, another set.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Its files, by name and text.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.program.files.iter().map(|file| (file.path.as_str(), file.text.as_str()))
    }

    /// All rules, supports and doubts, in the order of the files.
    pub fn rules(&self) -> Vec<Rule> {
        let mut rules = Vec::new();
        for it in &self.program.heuristics {
            let own = it.rules.iter().map(|rule| (&rule.id, rule.weight, rule.span));
            let remarks = it.remarks.iter().map(|remark| (&remark.id, remark.weight, remark.span));
            let mut all: Vec<(&RuleId, f64, Span)> = own.chain(remarks).collect();
            all.sort_by_key(|(_, _, span)| span.start);
            rules.extend(all.into_iter().map(|(id, initial, span)| Rule {
                id: id.clone(),
                field: it.field,
                initial,
                place: self.program.place(span),
                source: self.program.source(span).to_owned(),
            }));
        }
        rules
    }

    /// Below which weight the heuristic for a field is silent, and how many values it says at most.
    pub fn limits(&self, field: Field) -> (f64, usize) {
        let found = self.program.heuristics.iter().find(|it| it.field == field);
        found.map_or((0.0, usize::MAX), |it| (it.silent_below, it.at_most))
    }

    /// Whether the heuristic for a field is a decision list, in which the first rule that fires speaks
    /// alone.
    pub fn is_decision_list(&self, field: Field) -> bool {
        let found = self.program.heuristics.iter().find(|it| it.field == field);
        found.is_some_and(|it| it.decides == Decides::First)
    }

    /// What is not wrong but worth a look: names and uses that nothing asks for.
    pub fn check(&self) -> &[HeuristicsError] {
        &self.warnings
    }
}

fn check_size(name: &str, files: &[(&str, &str)]) -> Result<(), HeuristicsError> {
    if files.is_empty() {
        return Err(HeuristicsError::of_file(name, "there is no file that ends in .heur"));
    }
    if files.len() > MAX_HEURISTICS_FILES {
        let message = format!("the set has more than {MAX_HEURISTICS_FILES} files");
        return Err(HeuristicsError::of_file(name, message));
    }
    let large = files.iter().find(|(_, text)| text.len() > MAX_HEURISTICS_FILE);
    large.map_or(Ok(()), |(path, _)| Err(too_large(path)))
}

fn too_large(path: &str) -> HeuristicsError {
    let message = format!("the file has more than {MAX_HEURISTICS_FILE} bytes");
    HeuristicsError::of_file(path, message)
}

fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.strip_suffix(".heur").unwrap_or(name)
}

fn digest(files: &[(&str, &str)]) -> String {
    let mut hasher = Sha256::new();
    for (path, text) in files {
        hasher.update(stem(path).as_bytes());
        hasher.update([0]);
        hasher.update((text.len() as u64).to_be_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
