//! What a file says about concepts, gathered statement by statement, and made into a vocabulary and
//! a concordance at its end.
//!
//! Formats say things in any order: labels before the type, a scheme after its concepts. So every
//! subject is a draft until the end, and becomes a concept if the file calls it one or names it.

use super::limits::*;
use super::{Import, ImportError, ImportFormat, ImportOptions};
use crate::problem::Problems;
use crate::{
    Concept, Concordance, Hierarchy, Label, LabelKind, Mapping, Relation, Relevance, ShortName,
    Vocabulary,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

pub(super) struct Gathered {
    pub(super) problems: Problems,
    places: FxHashMap<String, usize>,
    drafts: Vec<Draft>,
    mappings: Vec<Mapping>,
    title: Option<String>,
    labels: usize,
    links: usize,
    refused: bool,
}

#[derive(Default)]
struct Draft {
    concept: Concept,
    is_concept: bool,
    is_scheme: bool,
    schemes: Vec<String>,
    titles: Vec<(String, String)>,
    said: usize,
    line: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Link {
    Broader,
    Narrower,
    Related,
}

/// A mapping as a file says it.
pub(super) struct FoundMapping {
    pub(super) from: String,
    pub(super) to: Vec<String>,
    pub(super) relation: Relation,
    pub(super) relevance: Option<Relevance>,
    pub(super) directed: bool,
    pub(super) from_label: Option<String>,
    pub(super) to_label: Option<String>,
    pub(super) line: u64,
}

impl Gathered {
    pub(super) fn of(file: &str) -> Gathered {
        Gathered {
            problems: Problems::of(file),
            places: FxHashMap::default(),
            drafts: Vec::new(),
            mappings: Vec::new(),
            title: None,
            labels: 0,
            links: 0,
            refused: false,
        }
    }

    pub(super) fn concept(&mut self, uri: &str, line: u64) {
        if let Some(draft) = self.draft(uri, line) {
            draft.is_concept = true;
        }
    }

    pub(super) fn scheme(&mut self, uri: &str, line: u64) {
        if let Some(draft) = self.draft(uri, line) {
            draft.is_scheme = true;
        }
    }

    pub(super) fn in_scheme(&mut self, uri: &str, scheme: &str, line: u64) {
        if let Some(draft) = self.draft(uri, line)
            && draft.schemes.len() < MAX_COMBINATION
        {
            draft.schemes.push(scheme.to_owned());
        }
    }

    /// A label makes its subject a concept, unless it turns out to be a scheme.
    pub(super) fn label(
        &mut self,
        uri: &str,
        kind: LabelKind,
        language: &str,
        text: &str,
        line: u64,
    ) {
        let Some(text) = self.name(uri, text, line) else { return };
        let label = Label { kind, language: language.to_ascii_lowercase(), text };
        if let Some(draft) = self.draft_with_room(uri, line) {
            draft.is_concept = true;
            draft.concept.labels.push(label);
        }
    }

    pub(super) fn notation(&mut self, uri: &str, text: &str, line: u64) {
        let Some(text) = self.name(uri, text, line) else { return };
        if let Some(draft) = self.draft_with_room(uri, line) {
            draft.concept.notations.push(text);
        }
    }

    /// A title of a scheme, or of something else that does not matter.
    pub(super) fn title(&mut self, uri: &str, language: &str, text: &str, line: u64) {
        let Some(text) = self.name(uri, text, line) else { return };
        if let Some(draft) = self.draft_with_room(uri, line) {
            draft.titles.push((language.to_ascii_lowercase(), text));
        }
    }

    pub(super) fn scope_note(&mut self, uri: &str, language: &str, text: &str, line: u64) {
        let text = text.trim();
        let end = text.floor_char_boundary(MAX_SCOPE_NOTE);
        if end < text.len() {
            let message = format!("the note of <{uri}> is cut to {MAX_SCOPE_NOTE} bytes");
            self.problems.warning(Some(line), message);
        }
        let note = (language.to_ascii_lowercase(), text[..end].to_owned());
        if let Some(draft) = self.draft_with_room(uri, line) {
            draft.concept.scope_notes.push(note);
        }
    }

    pub(super) fn link(&mut self, uri: &str, link: Link, to: &str, line: u64) {
        self.links += 1;
        if self.links > MAX_LINKS {
            self.refuse(line, &format!("more than {MAX_LINKS} links between concepts"));
            return;
        }
        let Some(draft) = self.draft(uri, line) else { return };
        let links = match link {
            Link::Broader => &mut draft.concept.broader,
            Link::Narrower => &mut draft.concept.narrower,
            Link::Related => &mut draft.concept.related,
        };
        links.push(to.to_owned());
    }

    pub(super) fn mapping(&mut self, found: FoundMapping, options: &ImportOptions) {
        let line = found.line;
        if self.mappings.len() >= MAX_MAPPINGS {
            self.refuse(line, &format!("more than {MAX_MAPPINGS} mappings"));
            return;
        }
        let too_long = |uri: &String| uri.len() > MAX_URI || uri.is_empty();
        if std::iter::once(&found.from).chain(&found.to).any(too_long) || found.to.is_empty() {
            self.problems.warning(
                Some(line),
                format!("a mapping needs addresses of 1 to {MAX_URI} bytes at both ends"),
            );
            return;
        }
        if found.to.len() > MAX_COMBINATION {
            let message = format!(
                "a combination of {} concepts is left out, {MAX_COMBINATION} are read",
                found.to.len()
            );
            self.problems.warning(Some(line), message);
            return;
        }
        let symmetric = found.relation.is_symmetric() && found.to.len() == 1;
        let directed = options.directed.unwrap_or(found.directed);
        let named =
            |label: Option<String>| label.filter(|it| !it.is_empty() && it.len() <= MAX_LABEL);
        self.mappings.push(Mapping {
            from: found.from,
            to: found.to,
            relation: found.relation,
            relevance: found.relevance.unwrap_or_default(),
            directed: directed || !symmetric,
            from_label: named(found.from_label),
            to_label: named(found.to_label),
            line: Some(line),
        });
    }

    pub(super) fn name_of_concordance(&mut self, title: &str) {
        if self.title.is_none() && !title.is_empty() && title.len() <= MAX_LABEL {
            self.title = Some(title.to_owned());
        }
    }

    /// An error about a limit, told once; reading ends there.
    pub(super) fn refuse(&mut self, line: u64, what: &str) {
        if !self.refused {
            self.refused = true;
            self.problems.error(Some(line), what);
        }
    }

    pub(super) fn is_refused(&self) -> bool {
        self.refused
    }

    fn name(&mut self, uri: &str, text: &str, line: u64) -> Option<String> {
        let text = text.trim();
        if text.len() > MAX_LABEL {
            let message = format!(
                "a label of {} bytes of <{uri}> is left out, {MAX_LABEL} are read",
                text.len()
            );
            self.problems.warning(Some(line), message);
            return None;
        }
        (!text.is_empty()).then(|| text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn draft_with_room(&mut self, uri: &str, line: u64) -> Option<&mut Draft> {
        self.labels += 1;
        if self.labels > MAX_LABELS {
            self.refuse(line, &format!("more than {MAX_LABELS} labels, notations and notes"));
            return None;
        }
        let at = self.place(uri, line)?;
        self.drafts[at].said += 1;
        let said = self.drafts[at].said;
        if said == MAX_LABELS_OF_CONCEPT + 1 {
            let message = format!(
                "<{uri}> has more than {MAX_LABELS_OF_CONCEPT} labels; the rest is left out"
            );
            self.problems.warning(Some(line), message);
        }
        (said <= MAX_LABELS_OF_CONCEPT).then(|| &mut self.drafts[at])
    }

    fn draft(&mut self, uri: &str, line: u64) -> Option<&mut Draft> {
        let at = self.place(uri, line)?;
        Some(&mut self.drafts[at])
    }

    fn place(&mut self, uri: &str, line: u64) -> Option<usize> {
        if let Some(at) = self.places.get(uri) {
            return Some(*at);
        }
        if uri.is_empty() || uri.len() > MAX_URI {
            let message = format!("a concept needs an address of 1 to {MAX_URI} bytes");
            self.problems.warning(Some(line), message);
            return None;
        }
        if self.drafts.len() >= MAX_CONCEPTS {
            self.refuse(line, &format!("more than {MAX_CONCEPTS} concepts"));
            return None;
        }
        let at = self.drafts.len();
        self.places.insert(uri.to_owned(), at);
        let concept = Concept { uri: uri.to_owned(), ..Concept::default() };
        self.drafts.push(Draft { concept, line, ..Draft::default() });
        Some(at)
    }

    /// The vocabulary and the concordance of the file.
    pub(super) fn finish(
        mut self,
        file: &str,
        format: ImportFormat,
        options: &ImportOptions,
    ) -> Result<Import, ImportError> {
        if self.problems.has_errors() {
            return Err(ImportError::faulty(self.problems));
        }
        let id = options.id.clone().or_else(|| ShortName::of_file(file));
        let Some(id) = id else { return Err(ImportError::Unnamed { file: file.to_owned() }) };
        let drafts = std::mem::take(&mut self.drafts);
        self.places = FxHashMap::default();
        let vocabulary = self.vocabulary(id.clone(), file, drafts, options);
        let concordance = (!self.mappings.is_empty()).then(|| {
            let id = match vocabulary {
                Some(_) => id.with_ending(MAPPINGS_OF_VOCABULARY),
                None => id,
            };
            let mut concordance = Concordance::new(id, std::mem::take(&mut self.mappings));
            concordance.title = self.title.take();
            concordance.source = file.to_owned();
            concordance
        });
        if vocabulary.is_none() && concordance.is_none() {
            return Err(ImportError::Empty { file: file.to_owned(), format });
        }
        let Problems { told, untold, .. } = self.problems;
        Ok(Import { format, vocabulary, concordance, warnings: told, untold_warnings: untold })
    }

    fn vocabulary(
        &mut self,
        id: ShortName,
        file: &str,
        drafts: Vec<Draft>,
        options: &ImportOptions,
    ) -> Option<Vocabulary> {
        let title = titles(&drafts, options);
        let mut lines: FxHashMap<String, u64> = FxHashMap::default();
        let mut concepts = Vec::new();
        for draft in drafts {
            let wanted = options.scheme.as_ref().is_none_or(|it| draft.schemes.contains(it));
            if draft.is_concept && !draft.is_scheme && wanted {
                lines.insert(draft.concept.uri.clone(), draft.line);
                concepts.push(self.tidied(draft.concept, draft.line));
            }
        }
        if concepts.is_empty() {
            return None;
        }
        let mut vocabulary = Vocabulary::new(id, concepts);
        vocabulary.title = title;
        vocabulary.source = file.to_owned();
        self.check_links(&vocabulary, &lines);
        self.check_circles(&vocabulary, &lines);
        Some(vocabulary)
    }

    /// Labels in order and each once; one preferred label per language.
    fn tidied(&mut self, mut concept: Concept, line: u64) -> Concept {
        let mut preferred: FxHashSet<String> = FxHashSet::default();
        for label in &mut concept.labels {
            if label.kind == LabelKind::Preferred && !preferred.insert(label.language.clone()) {
                label.kind = LabelKind::Alternative;
                let message = format!(
                    "<{}> has two preferred labels in the same language; {:?} counts as an alternative",
                    concept.uri, label.text
                );
                self.problems.warning(Some(line), message);
            }
        }
        if concept.labels.is_empty() {
            let message = format!("<{}> has no label", concept.uri);
            self.problems.warning(Some(line), message);
        }
        concept.labels.sort();
        let mut seen: FxHashSet<(String, String)> = FxHashSet::default();
        concept.labels.retain(|label| seen.insert((label.language.clone(), label.text.clone())));
        for list in [
            &mut concept.notations,
            &mut concept.broader,
            &mut concept.narrower,
            &mut concept.related,
        ] {
            list.sort();
            list.dedup();
        }
        concept.scope_notes.sort();
        concept.scope_notes.dedup();
        concept
    }

    fn check_links(&mut self, vocabulary: &Vocabulary, lines: &FxHashMap<String, u64>) {
        for concept in vocabulary.concepts() {
            for to in [&concept.broader, &concept.narrower, &concept.related].into_iter().flatten()
            {
                if vocabulary.concept(to).is_none() {
                    let message =
                        format!("<{}> points to <{to}>, which is not in the file", concept.uri);
                    self.problems.warning(lines.get(&concept.uri).copied(), message);
                }
            }
        }
    }

    fn check_circles(&mut self, vocabulary: &Vocabulary, lines: &FxHashMap<String, u64>) {
        for circle in Hierarchy::of(vocabulary).cycles() {
            let uri = |at: &u32| vocabulary.concepts()[*at as usize].uri.as_str();
            let named: Vec<String> =
                circle.iter().take(TOLD_OF_CIRCLE).map(|at| format!("<{}>", uri(at))).collect();
            let more = match circle.len().saturating_sub(TOLD_OF_CIRCLE) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let message =
                format!("the hierarchy goes round in a circle: {}{more}", named.join(", "));
            let line = circle.first().and_then(|at| lines.get(uri(at)).copied());
            self.problems.warning(line, message);
        }
    }
}

/// Concepts of a circle that a warning names.
const TOLD_OF_CIRCLE: usize = 5;

/// What the mappings within a vocabulary's file are called, after the vocabulary.
pub(crate) const MAPPINGS_OF_VOCABULARY: &str = "-mappings";

/// The titles of the scheme that is wanted, or else of the one that most concepts are in.
fn titles(drafts: &[Draft], options: &ImportOptions) -> BTreeMap<String, String> {
    let mut members: FxHashMap<&str, usize> = FxHashMap::default();
    for scheme in drafts.iter().flat_map(|draft| &draft.schemes) {
        *members.entry(scheme).or_default() += 1;
    }
    let is_wanted =
        |draft: &&Draft| options.scheme.as_ref().is_none_or(|it| *it == draft.concept.uri);
    let schemes = drafts.iter().filter(|draft| draft.is_scheme).filter(is_wanted);
    let size = |draft: &Draft| members.get(draft.concept.uri.as_str()).copied().unwrap_or(0);
    let Some(scheme) = schemes.max_by(|a, b| {
        (size(a), std::cmp::Reverse(&a.concept.uri))
            .cmp(&(size(b), std::cmp::Reverse(&b.concept.uri)))
    }) else {
        return BTreeMap::new();
    };
    let labels = scheme.concept.labels.iter();
    let preferred = labels
        .filter(|label| label.kind == LabelKind::Preferred)
        .map(|label| (label.language.clone(), label.text.clone()));
    let mut titles = BTreeMap::new();
    for (language, text) in scheme.titles.iter().cloned().chain(preferred) {
        titles.entry(language).or_insert(text);
    }
    titles
}
